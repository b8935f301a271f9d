#include "debug_common.glsl"

in vec4 in_box;         // pixels: left, top, right, bottom, from the upper left corner
in vec4 in_glyph;       // the same in the atlas
in vec4 in_color;
in float in_depth;

uniform vec2 atlas_size;
uniform bool halo;

out vec2 place;
flat out float depth;
flat out vec4 color;

void main() {
    vec2 corner = vec2(gl_VertexID % 2 == 0 ? 0.0 : 1.0, gl_VertexID < 2 ? 0.0 : 1.0);
    place = mix(in_glyph.xy, in_glyph.zw, corner) / atlas_size;
    vec2 pixel = mix(in_box.xy, in_box.zw, corner);
    depth = in_depth;
    float light = dot(in_color.rgb, vec3(0.3, 0.59, 0.11));
    color = halo ? vec4(vec3(light > 0.5 ? 0.05 : 1.0), 0.8 * in_color.a) : in_color;
    gl_Position = vec4(pixel.x / viewport.x * 2.0 - 1.0, 1.0 - pixel.y / viewport.y * 2.0,
                       buffer_depth(in_depth) * 2.0 - 1.0, 1.0);
}
