#include "debug_common.glsl"

in vec3 in_start;
in vec3 in_end;
in vec3 in_before;
in vec3 in_after;
in vec4 in_color;
in vec4 in_end_color;
in float in_width;
in float in_pixels;

flat out vec4 ends;     // pixels of both ends
flat out vec4 cuts;     // normals of the lines that share out the corners; zero where the line ends
flat out vec4 sizes;    // radii in pixels, depths
flat out vec4 color_a;
flat out vec4 color_b;
flat out float round_share;  // 1: a tube of the world, shaded; 0: a flat line of pixels

vec2 corner_cut(vec3 a, vec3 b, vec3 c) {
    if (min(min(-a.z, -b.z), -c.z) < near_plane) return vec2(0.0);
    vec2 first = pixel_of(b) - pixel_of(a), second = pixel_of(c) - pixel_of(b);
    if (min(length(first), length(second)) < 1e-3) return vec2(0.0);
    vec2 middle = normalize(first) + normalize(second);
    return length(middle) < 0.1 ? vec2(0.0) : middle;
}

void main() {
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    vec3 a = (view * vec4(in_start, 1.0)).xyz, b = (view * vec4(in_end, 1.0)).xyz;
    if (max(-a.z, -b.z) < near_plane) return;
    cuts = vec4(0.0);
    if (in_before != in_start) cuts.xy = corner_cut((view * vec4(in_before, 1.0)).xyz, a, b);
    if (in_after != in_end) cuts.zw = corner_cut(a, b, (view * vec4(in_after, 1.0)).xyz);
    color_a = in_color;
    color_b = in_end_color;
    if (-a.z < near_plane) { float t = (near_plane + a.z) / (a.z - b.z); a = mix(a, b, t); color_a = mix(color_a, color_b, t); }
    if (-b.z < near_plane) { float t = (near_plane + b.z) / (b.z - a.z); b = mix(b, a, t); color_b = mix(color_b, color_a, t); }
    ends = vec4(pixel_of(a), pixel_of(b));
    vec2 radii = 0.5 * in_width * (in_pixels > 0.5 ? vec2(1.0) : vec2(scale_at(-a.z), scale_at(-b.z)));
    // Lines thinner than a pixel stay a pixel wide and pale instead of breaking into dots.
    color_a.a *= min(2.0 * radii.x, 1.0);
    color_b.a *= min(2.0 * radii.y, 1.0);
    radii = max(radii, 0.5);
    sizes = vec4(radii, -a.z, -b.z);
    round_share = in_pixels > 0.5 ? 0.0 : 1.0;
    vec2 along = ends.zw - ends.xy;
    along = length(along) > 1e-3 ? normalize(along) : vec2(1.0, 0.0);
    float pad = max(radii.x, radii.y) + 1.0;
    vec2 side = vec2(-along.y, along.x) * (gl_VertexID % 2 == 0 ? pad : -pad);
    vec2 place = gl_VertexID < 2 ? ends.xy - along * pad : ends.zw + along * pad;
    gl_Position = vec4((place + side) / viewport * 2.0 - 1.0, 0.0, 1.0);
}
