// A captured scene over the picture: what is before the bodies, in their shadows. Display colours, alpha multiplied in.
#include "common.glsl"
#include "lens.glsl"
#include "light.glsl"
in vec2 v_uv;
uniform sampler2D front;
uniform sampler2D front_depth;  // metres, alpha multiplied in
layout(location = 0) out vec4 out_color;

// What the scene keeps of its light where no sun falls: it was captured in the light of all of it.
float shaded(float sun) {
    float sky = luminance(sky_falling(vec3(0.0, 1.0, 0.0)));
    float direct = luminance(sun_color) * max(sun_toward.y, 0.0) / PI;
    return (sky + direct * sun) / max(sky + direct, 1e-4);
}

void main() {
    vec4 c = texelFetch(front, ivec2(gl_FragCoord.xy), 0);
    if (c.a <= 0.0) {
        out_color = vec4(0.0);
        return;
    }
    vec3 at = place(v_uv * 2.0 - 1.0, texelFetch(front_depth, ivec2(gl_FragCoord.xy), 0).r / c.a);
    float kept = shaded(sunlit(at, sun_toward, gl_FragCoord.xy));
    vec3 linear = pow(max(c.rgb / c.a, 0.0), vec3(2.2)) * kept;
    out_color = vec4(pow(linear, vec3(1.0 / 2.2)) * c.a, c.a);
}
