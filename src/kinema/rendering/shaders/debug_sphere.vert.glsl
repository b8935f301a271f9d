#include "debug_common.glsl"

in vec3 in_center;
in float in_radius;
in vec4 in_color;
in float in_pixels;

flat out vec2 middle;
flat out vec2 size;     // radius in pixels, depth
flat out vec4 color;
flat out float round_share;

void main() {
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    vec3 eye = (view * vec4(in_center, 1.0)).xyz;
    if (-eye.z < near_plane || in_radius <= 0.0) return;
    middle = pixel_of(eye);
    size = vec2(in_radius * (in_pixels > 0.5 ? 1.0 : scale_at(-eye.z)), -eye.z);
    color = in_color;
    color.a *= min(2.0 * size.x, 1.0);
    size.x = max(size.x, 0.5);
    round_share = in_pixels > 0.5 ? 0.0 : 1.0;
    vec2 corner = vec2(gl_VertexID % 2 == 0 ? -1.0 : 1.0, gl_VertexID < 2 ? -1.0 : 1.0);
    gl_Position = vec4((middle + corner * (size.x + 1.0)) / viewport * 2.0 - 1.0, 0.0, 1.0);
}
