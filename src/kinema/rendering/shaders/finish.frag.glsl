// Edges smoothed after the fact by walking along them (Lottes, "FXAA 3.11", 2011), and several samples averaged.
// Alpha stays multiplied.
#include "common.glsl"
in vec2 v_uv;
uniform sampler2D source;
uniform vec2 texel;
layout(location = 0) out vec4 out_color;

float weight_of(vec4 c) {
    return dot(c.rgb, vec3(0.299, 0.587, 0.114)) + c.a;
}

float at(vec2 uv) {
    return weight_of(textureLod(source, uv, 0.0));
}

vec4 smoothed(vec2 uv) {
    vec4 middle = textureLod(source, uv, 0.0);
#if SMOOTH
    vec2 dx = vec2(texel.x, 0.0), dy = vec2(0.0, texel.y);
    float m = weight_of(middle), n = at(uv + dy), s = at(uv - dy), e = at(uv + dx), w = at(uv - dx);
    float high = max(m, max(max(n, s), max(e, w))), contrast = high - min(m, min(min(n, s), min(e, w)));
    if (contrast >= max(0.03, 0.07 * high)) {
        float ne = at(uv + dy + dx), nw = at(uv + dy - dx), se = at(uv - dy + dx), sw = at(uv - dy - dx);
        float lying = abs(nw + sw - 2.0 * w) + 2.0 * abs(n + s - 2.0 * m) + abs(ne + se - 2.0 * e);
        float standing = abs(nw + ne - 2.0 * n) + 2.0 * abs(w + e - 2.0 * m) + abs(sw + se - 2.0 * s);
        bool flat_edge = lying >= standing;
        // Across the edge, toward the neighbour that differs more; and along it, to both of its ends.
        float below = flat_edge ? s : w, above = flat_edge ? n : e;
        bool down = abs(below - m) >= abs(above - m);
        vec2 across = (flat_edge ? dy : dx) * (down ? -1.0 : 1.0), along = flat_edge ? dx : dy;
        float other = down ? below : above, line = 0.5 * (m + other), change = 0.25 * abs(other - m);
        vec2 start = uv + 0.5 * across;
        float back = 1.0, ahead = 1.0, low_end = 0.0, high_end = 0.0;
        bool low_found = false, high_found = false;
        for (int i = 0; i < WALK && !(low_found && high_found); ++i) {
            float stride = i < 4 ? 1.0 : i < 8 ? 2.0 : 4.0;
            if (!low_found) {
                low_end = at(start - along * back) - line;
                low_found = abs(low_end) >= change;
                back += low_found ? 0.0 : stride;
            }
            if (!high_found) {
                high_end = at(start + along * ahead) - line;
                high_found = abs(high_end) >= change;
                ahead += high_found ? 0.0 : stride;
            }
        }
        float end = back < ahead ? low_end : high_end;
        float offset = (end < 0.0) != (m < line) ? 0.5 - min(back, ahead) / (back + ahead) : 0.0;
        // What is thinner than a pixel is softened too.
        float around = (2.0 * (n + s + e + w) + ne + nw + se + sw) / 12.0;
        float thin = smoothstep(0.0, 1.0, clamp(abs(around - m) / contrast, 0.0, 1.0));
        middle = textureLod(source, uv + across * max(offset, 0.6 * thin * thin), 0.0);
    }
#endif
    return middle;
}

void main() {
#if SAMPLES == 2
    vec4 c = vec4(0.0);
    for (int i = 0; i < 4; ++i) c += 0.25 * smoothed(v_uv + texel * (vec2(i & 1, i >> 1) - 0.5));
    if (c.a > 0.0) c.rgb += (noise(gl_FragCoord.xy + 17.0) - 0.5) / 255.0;
#else
    vec4 c = smoothed(v_uv);
#endif
    out_color = c;
}
