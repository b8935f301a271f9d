// What the fragment shaders of debug drawing share: what hides them, edges, light.

#include "debug_common.glsl"

uniform sampler2D scene;
uniform int scene_kind;     // 0: nothing hides; 1: depth buffer of the same camera; 2: metres ahead
uniform int share;          // 0: fully covered pixels; 1: those at an edge; 2: both

const vec3 LIGHT = vec3(-0.36, 0.65, 0.67);

float metres_ahead(float stored) {
    float n = near_plane, f = far_plane;
    if (scene_kind == 2) return stored > 0.0 ? stored : f;
    return orthographic ? n + stored * (f - n) : n * f / (f - stored * (f - n));
}

// Share of the pixel at which nothing of the scene stands before a depth; finer depth buffers are averaged.
float seen_at(vec2 pixel, float depth) {
    if (scene_kind == 0) return 1.0;
    ivec2 size = textureSize(scene, 0);
    vec2 ratio = vec2(size) / viewport;
    int steps = clamp(int(ratio.x + 0.01), 1, 4);
    float seen = 0.0, slack = 0.003 + 0.0015 * depth;
    for (int j = 0; j < steps; j++)
        for (int i = 0; i < steps; i++) {
            vec2 place = (floor(pixel) + (vec2(i, j) + 0.5) / float(steps)) * ratio;
            float stored = texelFetch(scene, clamp(ivec2(place), ivec2(0), size - 1), 0).r;
            seen += depth <= metres_ahead(stored) + slack ? 1.0 : 0.0;
        }
    return seen / float(steps * steps);
}

// Premultiplied colour of a pixel that is covered in part, or nothing if this share of the pixels is not asked for.
vec4 covered(vec4 color, float coverage, vec2 pixel, float depth) {
    bool full = coverage > 0.996;
    if (coverage <= 0.003 || (share == 0 && !full) || (share == 1 && full)) discard;
    float alpha = color.a * coverage * seen_at(pixel, depth);
    if (alpha <= 0.0) discard;
    return vec4(color.rgb * alpha, alpha);
}

vec3 shaded(vec3 color, vec3 normal) { return color * (0.72 + 0.28 * clamp(dot(normal, LIGHT) * 0.75 + 0.25, 0.0, 1.0)); }
