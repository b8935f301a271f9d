// One step down the bloom chain; the first one keeps what is brighter than white and quietens single fireflies.
#include "common.glsl"
in vec2 v_uv;
uniform sampler2D source;
uniform vec2 texel;
uniform float first;
layout(location = 0) out vec4 out_color;

void main() {
    vec3 sum = vec3(0.0);
    float total = 0.0;
    for (int i = 0; i < 4; ++i) {
        vec3 c = max(texture(source, v_uv + texel * (vec2(i & 1, i >> 1) * 2.0 - 1.0)).rgb, 0.0);
        float weight = 1.0;
        if (first > 0.5) {
            float bright = max(c.r, max(c.g, c.b));
            c *= max(bright - 1.0, 0.0) / max(bright, 1e-4);
            weight = 1.0 / (1.0 + bright);
        }
        sum += c * weight;
        total += weight;
    }
    out_color = vec4(min(sum / total, vec3(60.0)), 1.0);
}
