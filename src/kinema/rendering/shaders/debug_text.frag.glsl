#include "debug_cover.glsl"

in vec2 place;
flat in float depth;
flat in vec4 color;
out vec4 result;

uniform sampler2D atlas;
uniform bool halo;

void main() {
    vec2 ink = texture(atlas, place).rg;
    // Thin strokes of small letters cover no pixel in full: without this they would look grey.
    result = covered(color, halo ? 0.9 * ink.g : pow(ink.r, 0.65), gl_FragCoord.xy, depth);
}
