// What is behind everything, into the extra targets of the G-buffer: no entity, and the motion of the sky.
#include "lens.glsl"
#include "gbuffer.glsl"
in vec2 v_uv;
#ifdef MOTION
uniform mat4 previous_view_projection;
#endif

void main() {
    out_albedo = vec4(0.0);
    out_normal = vec4(0.0);
#ifdef GLOW_AT
    out_glow = vec4(0.0);
#endif
#ifdef MASKS
    out_ids = ivec2(0);
#endif
#ifdef MOTION
    vec2 ndc = v_uv * 2.0 - 1.0;
    vec4 clip = depths.z > 0.5 ? previous_view_projection * vec4(place(ndc, depths.y), 1.0)
                               : previous_view_projection * vec4(sight(ndc), 0.0);
    out_motion = pixels(clip.xy / clip.w, ndc);
#endif
}
