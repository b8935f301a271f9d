#include "debug_common.glsl"

in vec3 in_center;
in vec3 in_normal;
in float in_radius;
in float in_hole;
in vec4 in_color;

out vec2 place;
out float depth;
flat out float hole;
flat out vec4 color;

void main() {
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    if (in_radius <= 0.0 || dot(in_normal, in_normal) < 1e-12) return;
    vec3 normal = normalize(in_normal);
    vec3 first = normalize(cross(normal, abs(normal.x) < 0.7 ? vec3(1.0, 0.0, 0.0) : vec3(0.0, 1.0, 0.0)));
    vec3 second = cross(normal, first);
    float ahead = max(-(view * vec4(in_center, 1.0)).z, near_plane);
    float pad = 1.0 + 2.0 / max(in_radius * scale_at(ahead), 0.5);
    place = pad * vec2(gl_VertexID % 2 == 0 ? -1.0 : 1.0, gl_VertexID < 2 ? -1.0 : 1.0);
    vec4 eye = view * vec4(in_center + in_radius * (place.x * first + place.y * second), 1.0);
    depth = -eye.z;
    hole = in_hole;
    color = in_color;
    gl_Position = projection * eye;
}
