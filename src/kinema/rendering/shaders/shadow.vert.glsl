// Depth as the sun sees it. What stands nearer to the sun than the map reaches is pressed onto its near end.
#include "skin.glsl"
#ifdef TEXTURED
in vec2 in_uv;
out vec2 v_uv;
#endif
uniform mat4 light;
#ifdef FADED
flat out float v_fade;
#endif

void main() {
    mat3x4 m = skinning(base);
    gl_Position = light * vec4(moved(m, shape(base)), 1.0);
    gl_Position.z = max(gl_Position.z, -1.0);
#ifdef FADED
    v_fade = texel(base + gl_InstanceID * stride).a;
#endif
#ifdef TEXTURED
    v_uv = in_uv;
#endif
}
