// From light to display: glow added, highlights rolled off, sRGB, a little noise against bands. Alpha stays multiplied.
#include "common.glsl"
in vec2 v_uv;
uniform sampler2D source;
uniform sampler2D bloom_map;
uniform float bloom;
uniform float exposure;
uniform float grain;
layout(location = 0) out vec4 out_color;

// The brightest channel is rolled off and the others go with it, so hues hold and greys stay grey; what is far too
// bright turns white, as in film. Below the shoulder colours are as they were lit.
vec3 tone(vec3 c) {
    const float shoulder = 0.72;
    float peak = max(c.r, max(c.g, c.b));
    if (peak <= shoulder) return c;
    float room = 1.0 - shoulder, over = peak - shoulder;
    float shown = shoulder + room * over / (over + room);
    c *= shown / peak;
    float white = 1.0 - 1.0 / (0.18 * (peak - shown) + 1.0);
    return mix(c, vec3(shown), white);
}

void main() {
    vec4 c = texelFetch(source, ivec2(gl_FragCoord.xy), 0);
    vec3 light = c.a > 1e-4 ? c.rgb / c.a : vec3(0.0);
    if (bloom > 0.0) light += bloom * texture(bloom_map, v_uv).rgb;
    vec3 shown = to_srgb(tone(max(light, 0.0) * exposure));
    float n = noise(gl_FragCoord.xy + 17.0);
    shown = clamp(shown + (n - 0.5) * grain, 0.0, 1.0);
    out_color = vec4(shown * c.a, c.a);
}
