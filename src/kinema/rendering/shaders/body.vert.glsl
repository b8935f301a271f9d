// A skinned mesh into the picture.
#include "skin.glsl"
#ifdef TEXTURED
in vec2 in_uv;
out vec2 v_uv;
#endif
#ifdef COLORED
in vec4 in_color;
#endif
out vec4 v_color;
flat out float v_fade;
out vec3 v_position;
out vec3 v_normal;
uniform mat4 view_projection;
#ifdef MASKS
in uint in_part;
flat out ivec2 v_ids;
#endif
#ifdef MOTION
uniform int previous_base;
uniform mat4 previous_view_projection;
out vec4 v_clip;
out vec4 v_previous_clip;
#endif

void main() {
    mat3x4 m = skinning(base);
    int head = base + gl_InstanceID * stride;
    v_position = moved(m, shape(base));
    v_normal = turned(m, bent(base));
    vec4 tint = texel(head);
    v_color = vec4(tint.rgb, 1.0);
    v_fade = tint.a;
#ifdef COLORED
    v_color *= in_color;
#endif
#ifdef TEXTURED
    v_uv = in_uv;
#endif
    gl_Position = view_projection * vec4(v_position, 1.0);
#ifdef MASKS
    vec4 id = texel(head + 1);
    v_ids = ivec2(int(uint(id.x) | (uint(id.y) << 16u)), int(in_part));
#endif
#ifdef MOTION
    v_clip = gl_Position;
    v_previous_clip = previous_view_projection * vec4(moved(skinning(previous_base), shape(previous_base)), 1.0);
#endif
}
