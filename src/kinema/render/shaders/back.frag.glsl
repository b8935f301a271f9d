// What is behind everything, into the extra targets of the G-buffer: no entity, and the motion of the sky.
#include "lens.glsl"
in vec2 v_uv;
layout(location = 0) out vec4 out_albedo;
layout(location = 1) out vec4 out_normal;
#ifdef GLOW_AT
layout(location = GLOW_AT) out vec4 out_glow;
#endif
#ifdef MASKS
layout(location = MASKS_AT) out ivec2 out_ids;
#endif
#ifdef MOTION
uniform mat4 previous_view_projection;
uniform vec2 half_size;
layout(location = MOTION_AT) out vec2 out_motion;
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
    out_motion = (ndc - clip.xy / clip.w) * half_size * vec2(1.0, -1.0);
#endif
}
