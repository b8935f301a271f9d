// What a Gaussian adds to a pixel. Nearer ones are drawn first, and blending leaves it what they let through.
#include "lens.glsl"
flat in vec3 v_colour;
flat in vec3 v_inverse;
flat in vec4 v_place;
flat in vec2 v_slope;
uniform sampler2D depth_map;
uniform vec2 half_size;
layout(location = 0) out vec4 out_light;
layout(location = 1) out vec4 out_depth;

void main() {
    vec2 d = vec2(gl_FragCoord.x, 2.0 * half_size.y - gl_FragCoord.y) - v_place.xy;
    float power = 0.5 * (v_inverse.x * d.x * d.x + v_inverse.z * d.y * d.y) + v_inverse.y * d.x * d.y;
    float share = power < 0.0 ? 0.0 : min(v_place.w * exp(-power), MOST);
    if (share < LEAST) discard;
    float ahead = dot(v_slope, d), z = v_place.z;
    float far = depths.z > 0.5 ? z + ahead : z / max(1.0 - ahead / z, NEAREST);
    float value = texelFetch(depth_map, ivec2(gl_FragCoord.xy), 0).r;
    if (value < 1.0 && far > metres(value)) discard;
    out_light = vec4(share * v_colour, share);
    out_depth = vec4(share * far, 0.0, 0.0, share);
}
