// The camera: rays and places. `corner` and the spans are the near plane's at one metre (or the picture, orthographic).
uniform vec3 eye;
uniform vec3 ahead;
uniform vec3 span_right;   // across half the picture, one metre ahead (orthographic: metres)
uniform vec3 span_up;
uniform vec4 depths;       // near, far, 1 = orthographic, unused

// Metres ahead of the camera from a value of the depth buffer.
float metres(float z) {
    float near = depths.x, far = depths.y;
    return depths.z > 0.5 ? mix(near, far, z) : near * far / (far - z * (far - near));
}

// The place a pixel sees at this many metres ahead; `ndc` runs from -1 to 1.
vec3 place(vec2 ndc, float distance) {
    vec3 across = span_right * ndc.x + span_up * ndc.y;
    return depths.z > 0.5 ? eye + across + ahead * distance : eye + (across + ahead) * distance;
}

// Direction of sight of a pixel, unit.
vec3 sight(vec2 ndc) {
    return depths.z > 0.5 ? ahead : normalize(span_right * ndc.x + span_up * ndc.y + ahead);
}
