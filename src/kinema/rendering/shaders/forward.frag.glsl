// A mesh that is seen through, lit on its own; colour with alpha multiplied in.
#include "common.glsl"
#include "surface.glsl"
#include "light.glsl"
uniform vec3 eye;
uniform vec3 ahead;
uniform float orthographic;
uniform float blended;
layout(location = 0) out vec4 out_color;

void main() {
    vec3 v = orthographic > 0.5 ? -ahead : normalize(eye - v_position);
    Surface s = surface(v);
    if (s.alpha < alpha_rule.x || s.alpha >= alpha_rule.y) discard;
    float alpha = v_fade * (blended > 0.5 ? s.alpha : 1.0);
    float sun = sunlit(v_position, s.normal, gl_FragCoord.xy);
    vec3 color = lit(v_position, s.normal, v, s.albedo, s.metallic, s.roughness, s.occlusion, sun) + s.emission;
    out_color = vec4(color * alpha, alpha);
}
