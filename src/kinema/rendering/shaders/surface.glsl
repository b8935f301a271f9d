// What a point of a mesh is made of: glTF's metallic-roughness model.
in vec4 v_color;
flat in float v_fade;
in vec3 v_position;
in vec3 v_normal;
#ifdef TEXTURED
in vec2 v_uv;
uniform sampler2D base_map;
uniform sampler2D metal_map;
uniform sampler2D normal_map;
uniform sampler2D occlusion_map;
uniform sampler2D glow_map;
#endif
uniform vec4 base_color;
uniform vec2 metal_rough;
uniform vec3 glow;
uniform vec2 alpha_rule;   // smallest alpha that is drawn, largest alpha that is drawn

struct Surface {
    vec3 albedo;
    float alpha;
    vec3 normal;
    float metallic;
    float roughness;
    float occlusion;
    vec3 emission;
};

// A tangent frame from derivatives (Mikkelsen, "Bump Mapping Unparametrized Surfaces on the GPU", 2010).
#ifdef NORMAL_MAP
vec3 bumped(vec3 n, vec3 bump) {
    vec3 px = dFdx(v_position), py = dFdy(v_position);
    vec2 ux = dFdx(v_uv), uy = dFdy(v_uv);
    vec3 across = cross(py, n), down = cross(n, px);
    vec3 t = across * ux.x + down * uy.x, b = -(across * ux.y + down * uy.y);
    float size = max(dot(t, t), dot(b, b));
    if (size < 1e-20) return n;
    float scale = inversesqrt(size);
    return normalize(t * scale * bump.x + b * scale * bump.y + n * max(bump.z, 0.05));
}
#endif

Surface surface(vec3 toward_eye) {
    Surface s;
    vec4 base = base_color * v_color;
    s.metallic = metal_rough.x;
    s.roughness = metal_rough.y;
    s.occlusion = 1.0;
    s.emission = glow;
#ifdef BASE_MAP
    base *= texture(base_map, v_uv);
#endif
#ifdef METAL_MAP
    vec4 mr = texture(metal_map, v_uv);
    s.metallic *= mr.b;
    s.roughness *= mr.g;
#endif
#ifdef OCCLUSION_MAP
    s.occlusion = texture(occlusion_map, v_uv).r;
#endif
#ifdef GLOW_MAP
    s.emission *= texture(glow_map, v_uv).rgb;
#endif
    s.albedo = clamp(base.rgb, 0.0, 1.0);
    s.alpha = base.a;
    vec3 n = v_normal;
    if (dot(n, n) < 1e-12) n = cross(dFdx(v_position), dFdy(v_position));
    n = normalize(n);
#ifdef DOUBLE_SIDED
    if (!gl_FrontFacing) n = -n;
#endif
#ifdef NORMAL_MAP
    n = bumped(n, texture(normal_map, v_uv).xyz * 2.0 - 1.0);
#endif
    // Interpolated normals can look away from a viewer who does see the face: bend them to its edge, never black.
    float facing = dot(n, toward_eye);
    if (facing < 0.0) n = normalize(n - 1.02 * facing * toward_eye);
    s.normal = n;
    s.roughness = clamp(s.roughness, 0.06, 1.0);
    return s;
}
