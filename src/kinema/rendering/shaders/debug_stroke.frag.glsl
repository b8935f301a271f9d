#include "debug_cover.glsl"

flat in vec4 ends;
flat in vec4 cuts;
flat in vec4 sizes;
flat in vec4 color_a;
flat in vec4 color_b;
flat in float round_share;
out vec4 result;

void main() {
    vec2 p = gl_FragCoord.xy, from_a = p - ends.xy, way = ends.zw - ends.xy;
    if (cuts.xy != vec2(0.0) && dot(from_a, cuts.xy) < 0.0) discard;
    if (cuts.zw != vec2(0.0) && dot(p - ends.zw, cuts.zw) >= 0.0) discard;
    float t = clamp(dot(from_a, way) / max(dot(way, way), 1e-8), 0.0, 1.0);
    vec2 off = from_a - t * way;
    float radius = mix(sizes.x, sizes.y, t), away = length(off);
    float depth = orthographic ? mix(sizes.z, sizes.w, t) : 1.0 / mix(1.0 / sizes.z, 1.0 / sizes.w, t);
    float share_along = orthographic ? t : t * depth / sizes.w;
    vec4 color = mix(color_a, color_b, clamp(share_along, 0.0, 1.0));
    vec2 across = off / max(radius, away);
    float bulge = sqrt(max(1.0 - dot(across, across), 0.0));
    depth -= bulge * radius / scale_at(depth);
    color.rgb = mix(color.rgb, shaded(color.rgb, vec3(across, bulge)), round_share * clamp(radius - 1.0, 0.0, 1.0));
    result = covered(color, clamp(radius + 0.5 - away, 0.0, 1.0), p, depth);
    gl_FragDepth = buffer_depth(depth);
}
