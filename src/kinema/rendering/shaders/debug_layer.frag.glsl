// The layer of debug drawing over the picture; colours are premultiplied.

in vec2 v_uv;
uniform sampler2D layer;
out vec4 result;

void main() {
    result = texture(layer, v_uv);
    if (result.a <= 0.0) discard;
}
