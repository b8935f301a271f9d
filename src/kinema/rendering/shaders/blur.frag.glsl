// One direction of a blur that stays on its own surface: (openness, metres ahead).
in vec2 v_uv;
uniform sampler2D open_map;
uniform ivec2 along;
layout(location = 0) out vec2 out_open;

void main() {
    ivec2 pixel = ivec2(gl_FragCoord.xy), top = textureSize(open_map, 0) - 1;
    vec2 middle = texelFetch(open_map, pixel, 0).rg;
    float sum = middle.r, total = 1.0;
    // The slope of the surface under the blur, so that floors seen at a slant are blurred too.
    float before = texelFetch(open_map, clamp(pixel - along, ivec2(0), top), 0).g;
    float after = texelFetch(open_map, clamp(pixel + along, ivec2(0), top), 0).g;
    float low = middle.g - before, high = after - middle.g;
    float slope = abs(low) < abs(high) ? low : high;
    for (int i = -REACH; i <= REACH; ++i) {
        if (i == 0) continue;
        vec2 s = texelFetch(open_map, clamp(pixel + along * i, ivec2(0), top), 0).rg;
        float off = abs(s.g - middle.g - slope * float(i)) / middle.g;
        float weight = (1.0 - abs(float(i)) / float(REACH + 1)) * max(0.0, 1.0 - off * 60.0);
        sum += weight * s.r;
        total += weight;
    }
    out_open = vec2(sum / total, middle.g);
}
