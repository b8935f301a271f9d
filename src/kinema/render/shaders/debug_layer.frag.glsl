#version 330
uniform sampler2D layer;
out vec4 result;
void main() {
    result = texelFetch(layer, ivec2(gl_FragCoord.xy), 0);
    if (result.a <= 0.0) discard;
}
