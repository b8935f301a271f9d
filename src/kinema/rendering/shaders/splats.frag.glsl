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
    vec3 at = place(v_uv * 2.0 - 1.0, texelFetch(front_depth, ivec2(gl_FragCoord.xy), 0).r / max(c.a, 1e-9));
    if (shadow_taps > 0 && c.a > 0.0 && on_map(map_place(at))) {
        float kept = shaded(sunlit(at, sun_toward, gl_FragCoord.xy));
        c.rgb *= pow(kept, 1.0 / 2.2);
    }
    out_color = c;
}
