#include "debug_cover.glsl"

in float across;
in float depth;
in vec4 color;
out vec4 result;

void main() {
    float wide = max(length(vec2(dFdx(across), dFdy(across))), 1e-5);
    float coverage = clamp(0.5 + (1.0 - abs(across)) / wide, 0.0, 1.0);
    result = covered(color, coverage, gl_FragCoord.xy, depth);
}
