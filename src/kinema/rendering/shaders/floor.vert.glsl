// A square of the ground plane, large enough to reach the horizon.
uniform mat4 view_projection;
uniform vec3 centre;
uniform float reach;

void main() {
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
    gl_Position = view_projection * vec4(centre + reach * vec3(corner.x, 0.0, corner.y), 1.0);
}
