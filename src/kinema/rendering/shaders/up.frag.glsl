// One step up the bloom chain: a soft tent, added to what is there.
in vec2 v_uv;
uniform sampler2D source;
uniform vec2 texel;
uniform float share;
layout(location = 0) out vec4 out_color;

void main() {
    vec3 sum = texture(source, v_uv).rgb * 0.2;
    for (int i = 0; i < 4; ++i) {
        sum += texture(source, v_uv + texel * (vec2(i & 1, i >> 1) * 2.0 - 1.0)).rgb * 0.2;
    }
    out_color = vec4(sum * share, 0.0);
}
