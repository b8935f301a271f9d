#include "debug_common.glsl"

in vec3 in_base;
in vec3 in_tip;
in float in_radius;
in vec4 in_color;

flat out vec4 frame;    // pixels of the base's centre, unit direction to the tip
flat out vec4 shape;    // length and radius in pixels, how much the base is seen from the side, its depth
flat out vec2 depths;   // metres that the tip is farther than the base; radius in metres
flat out float behind;  // 1: the base is seen
flat out vec4 color;

void main() {
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    vec3 base = (view * vec4(in_base, 1.0)).xyz, tip = (view * vec4(in_tip, 1.0)).xyz;
    if (min(-base.z, -tip.z) < near_plane) return;
    vec2 from = pixel_of(base), along = pixel_of(tip) - from;
    float length_px = length(along);
    along = length_px > 1e-3 ? along / length_px : vec2(0.0, 1.0);
    vec3 axis = normalize(tip - base), sight = orthographic ? vec3(0.0, 0.0, -1.0) : normalize(base);
    float facing = dot(axis, sight);  // 1: points away from the viewer
    float radius = in_radius * scale_at(-base.z);
    frame = vec4(from, along);
    shape = vec4(length_px, max(radius, 0.5), max(abs(facing), 0.04), -base.z);
    depths = vec2(base.z - tip.z, in_radius);
    behind = facing > 0.0 ? 1.0 : 0.0;
    color = vec4(in_color.rgb, in_color.a * min(2.0 * radius, 1.0));
    vec2 side = vec2(-along.y, along.x) * (shape.y + 1.5) * (gl_VertexID % 2 == 0 ? 1.0 : -1.0);
    float reach = shape.y * shape.z + 1.5;
    vec2 place = gl_VertexID < 2 ? from - along * reach : from + along * max(length_px + 1.5, reach);
    gl_Position = vec4((place + side) / viewport * 2.0 - 1.0, 0.0, 1.0);
}
