// The G-buffer lit, over sky: linear colour with alpha multiplied in.
#include "common.glsl"
#include "lens.glsl"
#include "light.glsl"
in vec2 v_uv;
uniform sampler2D albedo_map;
uniform sampler2D normal_map;
uniform sampler2D depth_map;
uniform sampler2D open_map;
#ifdef GLOW_AT
uniform sampler2D glow_map;
#endif
uniform float level;
uniform vec3 focus;
uniform float fade;
uniform float catcher;
uniform vec4 backdrop;       // alpha below 0: the sky itself
uniform float ambient;       // how much of the occlusion counts
layout(location = 0) out vec4 out_color;

// Occlusion is half as large: of the four texels around, those at this depth count.
float openness(vec2 uv, float distance) {
    vec2 size = vec2(textureSize(open_map, 0));
    vec2 p = uv * size - 0.5;
    ivec2 low = ivec2(floor(p)), top = ivec2(size) - 1;
    vec2 f = p - vec2(low);
    float sum = 0.0, total = 0.0;
    for (int i = 0; i < 4; ++i) {
        ivec2 o = ivec2(i & 1, i >> 1);
        vec2 s = texelFetch(open_map, clamp(low + o, ivec2(0), top), 0).rg;
        vec2 w = mix(1.0 - f, f, vec2(o));
        float weight = (w.x * w.y + 0.001) / (0.02 + abs(s.g - distance) / distance);
        sum += weight * s.r;
        total += weight;
    }
    return sum / total;
}

vec4 behind(vec3 way) {
    if (backdrop.a >= 0.0) return vec4(backdrop.rgb * backdrop.a, backdrop.a);
    vec3 above = mix(sky_horizon, sky_zenith, pow(clamp(way.y * 1.15, 0.0, 1.0), 0.75));
    return vec4(above, 1.0);
}

vec4 surface(vec2 ndc, vec3 way, float z, vec4 back) {
    vec4 first = texelFetch(albedo_map, ivec2(gl_FragCoord.xy), 0);
    vec4 second = texelFetch(normal_map, ivec2(gl_FragCoord.xy), 0);
    float distance = metres(z);
    vec3 at = place(ndc, distance), n = unfold(second.xy);
    if (second.z < -1.5) {
        vec3 start = depths.z > 0.5 ? place(ndc, 0.0) : eye;
        at = start + way * ((level - start.y) / (abs(way.y) < 1e-6 ? -1e-6 : way.y));
    }
    float open = mix(1.0, openness(v_uv, distance), ambient);
    float sun = sunlit(at, n, gl_FragCoord.xy);
    vec3 albedo = first.rgb * first.rgb;
    vec3 color = lit(at, n, -way, albedo, max(second.z, 0.0), second.w, min(open, first.a), sun);
#ifdef GLOW_AT
    color += texelFetch(glow_map, ivec2(gl_FragCoord.xy), 0).rgb;
#endif
    if (second.z >= -0.5) return vec4(color, 1.0);
    float gone = smoothstep(0.15, 1.0, length(at.xz - focus.xz) / fade);
    if (catcher < 0.5) return mix(vec4(color, 1.0), back, gone);
    // The floor itself is invisible: its shadows and grid lines darken what is behind the picture.
    float full = luminance(sun_color) * max(sun_toward.y, 0.0) / PI + luminance(sky_falling(n));
    float kept = luminance(sun_color) * max(sun_toward.y, 0.0) / PI * sun + luminance(sky_falling(n)) * open;
    float alpha = clamp(1.0 - luminance(albedo) * kept / max(full, 1e-4), 0.0, 1.0) * (1.0 - gone);
    return vec4(0.0, 0.0, 0.0, alpha) + back * (1.0 - alpha);
}

void main() {
    vec2 ndc = v_uv * 2.0 - 1.0;
    float z = texelFetch(depth_map, ivec2(gl_FragCoord.xy), 0).r;
    vec3 way = sight(ndc);
    vec4 back = behind(way);
    out_color = back;
#if SURFACES
    if (z < 1.0) out_color = surface(ndc, way, z, back);
#endif
}
