// A mesh into the G-buffer.
#include "common.glsl"
#include "surface.glsl"
uniform vec3 eye;
uniform vec3 ahead;
uniform float orthographic;
layout(location = 0) out vec4 out_albedo;    // square root of linear colour, occlusion of the material
layout(location = 1) out vec4 out_normal;    // octahedral normal, metallic (below 0: ground), roughness
#ifdef GLOW_AT
layout(location = GLOW_AT) out vec4 out_glow;
#endif
#ifdef MASKS
flat in ivec2 v_ids;
layout(location = MASKS_AT) out ivec2 out_ids;
#endif
#ifdef MOTION
in vec4 v_clip;
in vec4 v_previous_clip;
uniform vec2 half_size;
layout(location = MOTION_AT) out vec2 out_motion;
#endif

void main() {
    Surface s = surface(orthographic > 0.5 ? -ahead : normalize(eye - v_position));
    if (s.alpha < alpha_rule.x) discard;
    out_albedo = vec4(sqrt(s.albedo), s.occlusion);
    out_normal = vec4(fold(s.normal), s.metallic, s.roughness);
#ifdef GLOW_AT
    out_glow = vec4(s.emission, 1.0);
#endif
#ifdef MASKS
    out_ids = v_ids;
#endif
#ifdef MOTION
    out_motion = (v_clip.xy / v_clip.w - v_previous_clip.xy / v_previous_clip.w) * half_size * vec2(1.0, -1.0);
#endif
}
