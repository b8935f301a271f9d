#include "debug_cover.glsl"

flat in vec4 frame;
flat in vec4 shape;
flat in vec2 depths;
flat in float behind;
flat in vec4 color;
out vec4 result;

// Signed distance to the hull of a circle around the origin and a point at height h.
float hull(vec2 p, float radius, float h) {
    if (h <= radius) return length(p) - radius;
    p.x = abs(p.x);
    float b = radius / h, a = sqrt(1.0 - b * b), k = dot(p, vec2(-b, a));
    if (k < 0.0) return length(p) - radius;
    if (k > a * h) return length(p - vec2(0.0, h));
    return dot(p, vec2(a, b)) - radius;
}

void main() {
    vec2 off = gl_FragCoord.xy - frame.xy;
    vec2 local = vec2(dot(off, vec2(-frame.w, frame.z)), dot(off, frame.zw));
    // Along its axis the base is squeezed to an ellipse: stretched, it is a circle, and the silhouette a plain hull.
    vec2 stretched = vec2(local.x, local.y / shape.z);
    float away = hull(stretched, shape.y, shape.x / shape.z);
    float step_x = hull(stretched + vec2(0.5, 0.0), shape.y, shape.x / shape.z) - away;
    float step_y = hull(stretched + vec2(0.0, 0.5 / shape.z), shape.y, shape.x / shape.z) - away;
    float coverage = clamp(0.5 - away / max(2.0 * length(vec2(step_x, step_y)), 1e-4), 0.0, 1.0);
    float up = clamp(local.y / max(shape.x, 1e-3), 0.0, 1.0);
    float wide = max(shape.y * (1.0 - up), 1e-3), across = clamp(local.x / max(wide, abs(local.x)), -1.0, 1.0);
    float bulge = sqrt(max(1.0 - across * across, 0.0));
    bool base = behind > 0.5 && length(stretched) < shape.y;
    vec2 sideways = vec2(-frame.w, frame.z) * across;
    vec3 normal = base ? normalize(vec3(-frame.zw * sqrt(max(1.0 - shape.z * shape.z, 0.0)), shape.z))
                       : vec3(sideways, bulge);
    float depth = shape.w + (base ? 0.0 : up * depths.x - bulge * depths.y * (1.0 - up));
    vec3 lit = mix(color.rgb, shaded(color.rgb, normal), clamp(shape.y - 1.0, 0.0, 1.0));
    result = covered(vec4(base ? lit * 0.85 : lit, color.a), coverage, gl_FragCoord.xy, depth);
    gl_FragDepth = buffer_depth(depth);
}
