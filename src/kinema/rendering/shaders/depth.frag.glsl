// Nothing but depth; cut-out materials cast cut-out shadows. A faded character fills a share of the texels, in a pattern that
// stays with the map (B. E. Bayer, 1973): the filter of the shadow turns it into a lighter shadow.
#ifdef FADED
flat in float v_fade;

float threshold(ivec2 p) {
    int x = p.x & 3, y = (p.x ^ p.y) & 3;
    return (float((y & 1) << 3 | (x & 1) << 2 | (y & 2) | (x & 2) >> 1) + 0.5) / 16.0;
}
#endif
#ifdef TEXTURED
in vec2 v_uv;
uniform sampler2D base_map;
uniform vec4 base_color;
uniform vec2 alpha_rule;
#endif

void main() {
#ifdef FADED
    if (threshold(ivec2(gl_FragCoord.xy)) >= v_fade) discard;
#endif
#ifdef TEXTURED
    if (base_color.a * texture(base_map, v_uv).a < alpha_rule.x) discard;
#endif
}
