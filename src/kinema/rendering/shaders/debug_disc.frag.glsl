#include "debug_cover.glsl"

in vec2 place;
in float depth;
flat in float hole;
flat in vec4 color;
out vec4 result;

void main() {
    float away = length(place);
    float wide = max(length(vec2(dFdx(away), dFdy(away))), 1e-5);
    float coverage = clamp(0.5 + (1.0 - away) / wide, 0.0, 1.0);
    if (hole > 0.0) coverage *= clamp(0.5 + (away - hole) / wide, 0.0, 1.0);
    result = covered(color, coverage, gl_FragCoord.xy, depth);
}
