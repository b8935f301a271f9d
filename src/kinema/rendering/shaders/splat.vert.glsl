// A Gaussian of a scene as a rectangle around all that is seen of it. The same sums as in splats/kernels.py.
in int which;
uniform sampler2D shapes;    // three texels each: place and opacity; covariance xx xy xz yy; yz zz, reach in deviations
uniform sampler2D colours;
uniform mat3 axes;           // columns: right, down and ahead, in the world
uniform vec3 position;
uniform vec2 half_size;      // pixels
uniform float scale;         // pixels a metre, of a perspective picture one metre ahead
uniform float near;
uniform float orthographic;
flat out vec3 v_colour;
flat out vec3 v_inverse;
flat out vec4 v_place;       // pixel, depth, opacity
flat out vec2 v_slope;

vec4 texel(sampler2D map, int at) {
    int width = textureSize(map, 0).x;
    return texelFetch(map, ivec2(at % width, at / width), 0);
}

void main() {
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);  // outside: not drawn
    vec4 first = texel(shapes, 3 * which), second = texel(shapes, 3 * which + 1), third = texel(shapes, 3 * which + 2);
    vec3 seen = (first.xyz - position) * axes;
    float wide = third.z;
    if (seen.z < near || wide == 0.0) return;
    mat3 covariance = mat3(second.x, second.y, second.z, second.y, second.w, third.x, second.z, third.x, third.y);
    bool even = orthographic > 0.5;
    float slope = even ? scale : scale / seen.z;
    vec2 pixel = slope * seen.xy, limit = 1.3 * half_size / scale;
    vec2 lean = even ? vec2(0.0) : clamp(seen.xy / seen.z, -limit, limit);
    vec3 u = axes[0] - lean.x * axes[2], v = axes[1] - lean.y * axes[2];
    vec3 cu = covariance * u, cv = covariance * v;
    float across = slope * slope * dot(u, cu) + LOW_PASS, both = slope * slope * dot(v, cu);
    float down = slope * slope * dot(v, cv) + LOW_PASS;
    float leaning = slope * dot(axes[2], cu), falling = slope * dot(axes[2], cv);
    float area = across * down - both * both;
    if (!(area > 0.0) || area > 1e18) return;
    vec2 reach = wide * sqrt(vec2(across, down));
    if (any(greaterThan(abs(pixel) - reach, half_size))) return;
    v_inverse = vec3(down, -both, across) / area;
    v_slope = vec2(v_inverse.x * leaning + v_inverse.y * falling, v_inverse.y * leaning + v_inverse.z * falling);
    v_place = vec4(half_size + pixel, seen.z, first.w);
    v_colour = texel(colours, which).rgb;
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
    vec2 at = (pixel + corner * (reach + 1.0)) / half_size;
    gl_Position = vec4(at.x, -at.y, 0.0, 1.0);
}
