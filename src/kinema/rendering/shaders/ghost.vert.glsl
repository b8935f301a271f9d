// Where a faded actor is, exactly as body.vert.glsl puts it.
#include "skin.glsl"
#ifdef TEXTURED
in vec2 in_uv;
out vec2 v_uv;
#endif
uniform mat4 view_projection;

void main() {
    vec3 place = moved(skinning(base), shape(base));
    gl_Position = view_projection * vec4(place, 1.0);
#ifdef TEXTURED
    v_uv = in_uv;
#endif
}
