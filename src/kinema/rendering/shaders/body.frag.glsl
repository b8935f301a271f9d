// A mesh into the G-buffer.
#include "common.glsl"
#include "surface.glsl"
#include "gbuffer.glsl"
uniform vec3 eye;
uniform vec3 ahead;
uniform float orthographic;
#ifdef MASKS
flat in ivec2 v_ids;
#endif
#ifdef MOTION
in vec4 v_clip;
in vec4 v_previous_clip;
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
    out_motion = pixels(v_previous_clip.xy / v_previous_clip.w, v_clip.xy / v_clip.w);
#endif
}
