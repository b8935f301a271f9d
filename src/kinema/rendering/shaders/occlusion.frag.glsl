// How open to the sky each point is, at half size: (openness, metres ahead). Points around it that stand above its
// tangent plane hide sky (McGuire et al., "Scalable Ambient Obscurance", 2012).
#include "common.glsl"
#include "lens.glsl"
in vec2 v_uv;
uniform sampler2D depth_map;
uniform sampler2D normal_map;
uniform float radius;        // metres
uniform float scale;         // pixels (full size) of a metre, one metre ahead
layout(location = 0) out vec2 out_open;

void main() {
    ivec2 pixel = ivec2(gl_FragCoord.xy) * 2, size = textureSize(depth_map, 0), top = size - 1;
    pixel = min(pixel, top);
    float z = texelFetch(depth_map, pixel, 0).r;
    float distance = metres(z);
    vec2 per = 2.0 / vec2(size);
    vec3 at = place((vec2(pixel) + 0.5) * per - 1.0, distance);
    vec3 n = unfold(texelFetch(normal_map, pixel, 0).xy);
    float reach = min(radius * scale / (depths.z > 0.5 ? 1.0 : distance), 0.35 * float(size.y));
    float turn = noise(gl_FragCoord.xy) * 6.2831853, sum = 0.0;
    int taps = z >= 1.0 ? 0 : TAPS;
    float slack = 0.002 * distance + 0.012 * radius, r2 = radius * radius;
    for (int i = 0; i < taps; ++i) {
        float f = (float(i) + 0.5) / float(TAPS), a = turn + float(i) * 2.39996323;
        ivec2 there = clamp(pixel + ivec2(vec2(cos(a), sin(a)) * (f * f * 0.35 + f * 0.65) * reach), ivec2(0), top);
        float other = metres(texelFetch(depth_map, there, 0).r);
        vec3 v = place((vec2(there) + 0.5) * per - 1.0, other) - at;
        float vv = dot(v, v), vn = dot(v, n) - slack;
        float near = max(1.0 - vv / r2, 0.0);
        sum += near * max(vn, 0.0) * inversesqrt(vv + 1e-6);
    }
    out_open = vec2(max(0.0, 1.0 - sum * (STRENGTH / float(TAPS))), distance);
}
