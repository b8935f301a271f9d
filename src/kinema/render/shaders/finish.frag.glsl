// Edges smoothed after the fact (Lottes, "FXAA", 2009, in its short form), and several samples to a pixel averaged.
// Alpha stays multiplied.
#include "common.glsl"
in vec2 v_uv;
uniform sampler2D source;
uniform vec2 texel;
layout(location = 0) out vec4 out_color;

float weight_of(vec4 c) {
    return dot(c.rgb, vec3(0.299, 0.587, 0.114)) + c.a;
}

vec4 smoothed(vec2 uv) {
    vec4 middle = texture(source, uv);
#if SMOOTH
    float m = weight_of(middle);
    float nw = weight_of(texture(source, uv + vec2(-0.5, -0.5) * texel)), ne = weight_of(texture(source, uv + vec2(0.5, -0.5) * texel));
    float sw = weight_of(texture(source, uv + vec2(-0.5, 0.5) * texel)), se = weight_of(texture(source, uv + vec2(0.5, 0.5) * texel));
    float low = min(m, min(min(nw, ne), min(sw, se))), high = max(m, max(max(nw, ne), max(sw, se)));
    if (high - low < max(0.03, 0.08 * high)) return middle;
    vec2 way = vec2((sw + se) - (nw + ne), (nw + sw) - (ne + se));
    float gentle = max((nw + ne + sw + se) * 0.03125, 0.0078125);
    way = clamp(way / (min(abs(way.x), abs(way.y)) + gentle), -8.0, 8.0) * texel;
    vec4 a = 0.5 * (texture(source, uv - way / 6.0) + texture(source, uv + way / 6.0));
    vec4 b = 0.5 * a + 0.25 * (texture(source, uv - 0.5 * way) + texture(source, uv + 0.5 * way));
    float l = weight_of(b);
    return l < low || l > high ? a : b;
#else
    return middle;
#endif
}

void main() {
#if SAMPLES == 2
    vec4 c = vec4(0.0);
    for (int i = 0; i < 4; ++i) c += 0.25 * smoothed(v_uv + texel * (vec2(i & 1, i >> 1) - 0.5));
    if (c.a > 0.0) c.rgb += (noise(gl_FragCoord.xy + 17.0) - 0.5) / 255.0;
#else
    vec4 c = smoothed(v_uv);
#endif
    out_color = c;
}
