// What all programs of debug drawing share. Pixels count from the lower left corner, depths are metres ahead.

uniform mat4 view;          // world to eye space
uniform mat4 projection;
uniform vec2 viewport;      // pixels
uniform float magnification; // pixels a metre: at one metre ahead, or (orthographic) everywhere
uniform bool orthographic;
uniform float near_plane;
uniform float far_plane;

float scale_at(float depth) { return orthographic ? magnification : magnification / depth; }

vec2 pixel_of(vec3 eye) { return eye.xy * scale_at(-eye.z) + 0.5 * viewport; }

float buffer_depth(float depth) {
    float n = near_plane, f = far_plane, d = clamp(depth, n, f);
    return orthographic ? (d - n) / (f - n) : (f / (f - n)) * (1.0 - n / d);
}

