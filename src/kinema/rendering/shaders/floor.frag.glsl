// The ground and its grid into the G-buffer. The place on the plane comes from the ray: interpolation over a plane this
// large is not exact enough for lines.
#include "common.glsl"
#include "lens.glsl"
#include "gbuffer.glsl"
uniform vec2 picture;
uniform float level;
uniform vec3 color;
uniform vec3 line;
uniform float cell;
#ifdef RAISED
in vec3 v_position;
in vec3 v_normal;
in vec3 v_local;
#endif
#ifdef MOTION
uniform mat4 previous_view_projection;
#endif

// How much of a pixel the lines of a grid cover: lines are never drawn thinner than a pixel, they get fainter instead
// (Golus, "The Best Darn Grid Shader (Yet)", 2023).
float lines(vec2 at, float width) {
    vec2 wide = clamp(vec2(length(vec2(dFdx(at.x), dFdy(at.x))), length(vec2(dFdx(at.y), dFdy(at.y)))), 1e-6, 1.0);
    vec2 drawn = clamp(vec2(width), wide, vec2(0.5));
    vec2 away = 0.5 - abs(fract(at) - 0.5);
    vec2 cover = smoothstep(0.5 * drawn + 0.75 * wide, 0.5 * drawn - 0.75 * wide, away) * clamp(width / drawn, 0.0, 1.0);
    cover = mix(cover, vec2(width), clamp(wide * 2.0 - 1.0, 0.0, 1.0));
    return cover.x + cover.y - cover.x * cover.y;
}

void main() {
    vec2 ndc = gl_FragCoord.xy / picture * 2.0 - 1.0;
    vec3 start = depths.z > 0.5 ? place(ndc, 0.0) : eye;
#ifdef RAISED
    vec3 at = v_position, n = normalize(v_normal);
    vec2 on = v_local.xz;
    float steep = smoothstep(0.75, 0.55, n.y), kind = -1.0;
#else
    vec3 way = sight(ndc);
    vec3 at = start + way * ((level - start.y) / (abs(way.y) < 1e-6 ? -1e-6 : way.y));
    vec3 n = vec3(0.0, start.y >= level ? 1.0 : -1.0, 0.0);
    vec2 on = at.xz;
    float steep = 0.0, kind = -2.0;
#endif
    vec3 shown = color;
    if (cell > 0.0) {
        float fine = 0.55 * lines(on / cell, 0.018), strong = lines(on / (4.0 * cell), 0.009);
        shown = mix(mix(shown, line, fine * (1.0 - steep)), line, strong * (1.0 - steep));
    }
    shown *= 1.0 - 0.3 * steep;    // risers are told from treads
    out_albedo = vec4(sqrt(shown), 1.0);
    out_normal = vec4(fold(n), kind, 0.9);
#ifdef GLOW_AT
    out_glow = vec4(0.0);
#endif
#ifdef MASKS
    out_ids = ivec2(0);
#endif
#ifdef MOTION
    vec4 clip = previous_view_projection * vec4(at, 1.0);
    out_motion = pixels(clip.xy / clip.w, ndc);
#endif
}
