// Depth alone: as the sun sees it, or of a faded character, exactly where body.vert.glsl puts it.
#include "skin.glsl"
#ifdef TEXTURED
in vec2 in_uv;
out vec2 v_uv;
#endif
#ifdef FADED
flat out float v_fade;
#endif
uniform mat4 view_projection;

void main() {
    vec3 place = moved(skinning(base), shape(base));
    gl_Position = view_projection * vec4(place, 1.0);
#ifdef PANCAKE
    gl_Position.z = max(gl_Position.z, -1.0);    // what is nearer to the sun than the map reaches lies on its near end
#endif
#ifdef FADED
    v_fade = texel(base + gl_InstanceID * stride).a;
#endif
#ifdef TEXTURED
    v_uv = in_uv;
#endif
}
