#include "debug_cover.glsl"

flat in vec2 middle;
flat in vec2 size;
flat in vec4 color;
flat in float round_share;
out vec4 result;

void main() {
    vec2 off = gl_FragCoord.xy - middle;
    float away = length(off);
    vec2 across = off / max(size.x, away);
    float bulge = sqrt(max(1.0 - dot(across, across), 0.0));
    float depth = size.y - bulge * size.x / scale_at(size.y);
    vec3 lit = mix(color.rgb, shaded(color.rgb, vec3(across, bulge)), round_share * clamp(size.x - 1.0, 0.0, 1.0));
    result = covered(vec4(lit, color.a), clamp(size.x + 0.5 - away, 0.0, 1.0), gl_FragCoord.xy, depth);
    gl_FragDepth = buffer_depth(depth);
}
