// A square of the ground plane, large enough to reach the horizon; or, with RAISED, a surface of a terrain.
uniform mat4 view_projection;
#ifdef RAISED
in vec3 in_position;
in vec3 in_normal;
uniform vec4 placed;    // position of its origin
uniform vec2 turn;      // cosine and sine of its heading
out vec3 v_position;
out vec3 v_normal;
out vec3 v_local;

vec3 turned(vec3 v) {
    return vec3(turn.x * v.x + turn.y * v.z, v.y, turn.x * v.z - turn.y * v.x);
}

void main() {
    v_local = in_position;
    v_position = turned(in_position) + placed.xyz;
    v_normal = turned(in_normal);
    gl_Position = view_projection * vec4(v_position, 1.0);
}
#else
uniform vec3 centre;
uniform float reach;

void main() {
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
    gl_Position = view_projection * vec4(centre + reach * vec3(corner.x, 0.0, corner.y), 1.0);
}
#endif
