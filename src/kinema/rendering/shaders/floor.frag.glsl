// The ground and its grid into the G-buffer. The place comes from the ray: interpolation over a plane this large is
// not exact enough for lines.
#include "common.glsl"
#include "lens.glsl"
#include "gbuffer.glsl"
uniform vec2 picture;
uniform float level;
uniform vec3 color;
uniform vec3 line;
uniform float cell;
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
    vec3 way = sight(ndc);
    vec3 at = start + way * ((level - start.y) / (abs(way.y) < 1e-6 ? -1e-6 : way.y));
    vec3 shown = color;
    if (cell > 0.0) {
        shown = mix(shown, line, 0.55 * lines(at.xz / cell, 0.018));
        shown = mix(shown, line, lines(at.xz / (4.0 * cell), 0.009));
    }
    out_albedo = vec4(sqrt(shown), 1.0);
    out_normal = vec4(fold(vec3(0.0, start.y >= level ? 1.0 : -1.0, 0.0)), -1.0, 0.9);
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
