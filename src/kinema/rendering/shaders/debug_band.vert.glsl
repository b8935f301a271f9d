#include "debug_common.glsl"

in vec3 in_left_a;
in vec3 in_right_a;
in vec3 in_left_b;
in vec3 in_right_b;
in vec4 in_color;
in vec4 in_end_color;

out float across;
out float depth;
out vec4 color;

void main() {
    vec3 left = gl_VertexID < 2 ? in_left_a : in_left_b, right = gl_VertexID < 2 ? in_right_a : in_right_b;
    vec3 middle = 0.5 * (left + right), half_way = 0.5 * (left - right);
    float ahead = max(-(view * vec4(middle, 1.0)).z, near_plane);
    across = (1.0 + 2.0 / max(length(half_way) * scale_at(ahead), 0.5)) * (gl_VertexID % 2 == 0 ? 1.0 : -1.0);
    vec4 eye = view * vec4(middle + across * half_way, 1.0);
    depth = -eye.z;
    color = gl_VertexID < 2 ? in_color : in_end_color;
    gl_Position = projection * eye;
}
