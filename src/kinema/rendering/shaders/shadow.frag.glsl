// Nothing but depth; cut-out materials cast cut-out shadows.
#ifdef TEXTURED
in vec2 v_uv;
uniform sampler2D base_map;
uniform vec4 base_color;
uniform vec2 alpha_rule;
#endif

void main() {
#ifdef TEXTURED
    if (base_color.a * texture(base_map, v_uv).a < alpha_rule.x) discard;
#endif
}
