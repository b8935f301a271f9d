// Where the geometry pass writes. The first two are always there, the others when somebody asks for them.
layout(location = 0) out vec4 out_albedo;    // square root of linear colour, occlusion of the material
layout(location = 1) out vec4 out_normal;    // octahedral normal, metallic (-1: terrain, -2: the level ground), roughness
#ifdef GLOW_AT
layout(location = GLOW_AT) out vec4 out_glow;
#endif
#ifdef MASKS
layout(location = MASKS_AT) out ivec2 out_ids;    // entity, part of the body
#endif
#ifdef MOTION
uniform vec2 half_size;
layout(location = MOTION_AT) out vec2 out_motion;

// Pixels, x right and y down, from one place to another in normalised device coordinates.
vec2 pixels(vec2 before, vec2 now) {
    return (now - before) * half_size * vec2(1.0, -1.0);
}
#endif
