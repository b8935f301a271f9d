// Light that falls on a point and leaves it toward the eye.
uniform vec3 sun_toward;
uniform vec3 sun_color;
uniform vec3 sky_zenith;
uniform vec3 sky_horizon;
uniform vec3 sky_ground;
uniform int point_count;
uniform vec4 point_places[16];   // place, reach
uniform vec4 point_colors[16];
uniform sampler2DShadow shadow_map;
uniform sampler2D shadow_depths;
uniform mat4 light;
uniform vec4 shadow_shape;       // size of a texel (uv), metres of a texel, metres of depth, tangent of the sun's half angle
uniform int shadow_taps;         // 0: no shadows

vec3 sky(vec3 way, float blur) {
    float up = way.y;
    vec3 above = mix(sky_horizon, sky_zenith, pow(clamp(up, 0.0, 1.0), 0.6));
    vec3 below = mix(sky_horizon, sky_ground, pow(clamp(-up, 0.0, 1.0), 0.5));
    return mix(below, above, smoothstep(-0.02 - blur, 0.02 + blur, up));
}

// Light from the whole half of the sky above a surface, over pi.
vec3 sky_falling(vec3 n) {
    vec3 side = 0.5 * sky_horizon + 0.22 * sky_zenith + 0.28 * sky_ground;
    return n.y > 0.0 ? mix(side, 0.42 * sky_horizon + 0.58 * sky_zenith, n.y) : mix(side, sky_ground, -n.y);
}

// Whether the shadow map holds what could be between a point and the sun.
bool on_map(vec3 p) {
    return all(greaterThanEqual(p.xy, vec2(0.0))) && all(lessThanEqual(p.xy, vec2(1.0)));
}

vec3 map_place(vec3 at) {
    return (light * vec4(at, 1.0)).xyz * 0.5 + 0.5;
}

// How much of the sun a point sees, 0 to 1: occluders are looked for first, and the shadow is as wide as they are far
// (Fernando, "Percentage-Closer Soft Shadows", 2005), on a disk turned by the pixel (Vogel's spiral).
float sunlit(vec3 at, vec3 n, vec2 pixel) {
    float facing = dot(n, sun_toward);
    if (shadow_taps == 0) return 1.0;
    float steep = sqrt(clamp(1.0 - facing * facing, 0.0, 1.0));
    vec3 pushed = at + n * shadow_shape.y * (0.6 + 1.6 * steep);
    vec3 p = map_place(pushed);
    bool outside = facing <= 0.0 || !on_map(p);
    float turn = noise(pixel) * 6.2831853;
    vec2 axis = vec2(cos(turn), sin(turn));
    mat2 spin = mat2(axis.x, axis.y, -axis.y, axis.x);
    float slack = shadow_shape.y * 0.5 / shadow_shape.z;
    float per_metre = shadow_shape.w * shadow_shape.x / shadow_shape.y;
    float search = clamp(0.6 * shadow_shape.z * per_metre, 1.5 * shadow_shape.x, 24.0 * shadow_shape.x);
    float sum = 0.0, hits = 0.0;
    int look = outside ? 0 : SEARCH_TAPS;
    for (int i = 0; i < look; ++i) {
        float r = sqrt((float(i) + 0.5) / float(SEARCH_TAPS)), a = float(i) * 2.39996323;
        float z = texture(shadow_depths, p.xy + spin * vec2(cos(a), sin(a)) * r * search).r;
        if (z < p.z - slack) {
            sum += z;
            hits += 1.0;
        }
    }
    float gap = hits > 0.0 ? (p.z - sum / hits) * shadow_shape.z : 0.0;
    float wide = clamp(gap * per_metre, 1.25 * shadow_shape.x, search);
    float lit = 0.0;
    int taps = hits > 0.0 ? shadow_taps : 0;
    for (int i = 0; i < taps; ++i) {
        float r = sqrt((float(i) + 0.5) / float(shadow_taps)), a = float(i) * 2.39996323;
        lit += texture(shadow_map, vec3(p.xy + spin * vec2(cos(a), sin(a)) * r * wide, p.z - slack));
    }
    return taps > 0 ? lit / float(taps) : 1.0;
}

// Microfacets: Walter et al. 2007 (GGX), Heitz 2014 (height-correlated Smith, Hammon's approximation), Schlick 1994.
vec3 glint(vec3 n, vec3 v, vec3 l, float facing, vec3 f0, float roughness) {
    vec3 h = normalize(v + l);
    float a = roughness * roughness, a2 = a * a;
    float nh = clamp(dot(n, h), 0.0, 1.0), nv = clamp(dot(n, v), 1e-3, 1.0), vh = clamp(dot(v, h), 0.0, 1.0);
    float spread = nh * nh * (a2 - 1.0) + 1.0;
    float d = a2 / (PI * spread * spread);
    float shade = 0.5 / mix(2.0 * facing * nv, facing + nv, a);
    float f = pow(1.0 - vh, 5.0);
    return (f0 + (1.0 - f0) * f) * min(d * shade, 24.0) * facing;
}

// Light toward the eye from a surface. `open` is how much of the sky it sees.
vec3 lit(vec3 at, vec3 n, vec3 v, vec3 albedo, float metallic, float roughness, float open, float sun) {
    vec3 f0 = mix(vec3(0.04), albedo, metallic), matte = albedo * (1.0 - metallic);
    float nv = clamp(dot(n, v), 0.0, 1.0);
    float facing = clamp(dot(n, sun_toward), 0.0, 1.0);
    // The sun lights what lies open, but a little less in creases: its own shadow map is too coarse for those.
    vec3 sunlight = sun_color * sun * mix(1.0, open, 0.35);
    // What the sky gives a rough mirror (Karis, "Physically Based Shading on Mobile", 2014).
    vec4 r = roughness * vec4(-1.0, -0.0275, -0.572, 0.022) + vec4(1.0, 0.0425, 1.04, -0.04);
    float a004 = min(r.x * r.x, exp2(-9.28 * nv)) * r.x + r.y;
    vec2 ab = vec2(-1.04, 1.04) * a004 + r.zw;
    // Light that bounces more than once between microfacets comes back too (Turquin, "Practical Multiple Scattering
    // Compensation for Microfacet Models", 2019), or rough metals would be too dark.
    vec3 again = 1.0 + f0 * (1.0 / max(ab.x + ab.y, 0.05) - 1.0);
    vec3 sum = sunlight * (matte * (facing / PI) * 0.96 + again * glint(n, v, sun_toward, facing, f0, roughness));
    vec3 mirror = sky(reflect(-v, n), roughness);
    float seen = clamp(pow(nv + open, roughness * 2.0 + 0.2) - 1.0 + open, 0.0, 1.0);
    // Light between close surfaces takes on their colour (Jimenez et al., "Practical Realtime Strategies for Accurate
    // Indirect Occlusion", 2016), so that corners are deep, not dirty.
    vec3 bounced = max(vec3(open), ((2.0404 * albedo - 0.3324) * open + (0.6417 - 4.7951 * albedo)) * open * open
                                   + (2.7552 * albedo + 0.6903) * open);
    bounced = mix(vec3(open), bounced, 0.5);  // all of it would wash out the contact of feet and floor
    sum += sky_falling(n) * matte * bounced + mirror * again * (f0 * ab.x + ab.y) * seen;
    for (int i = 0; i < point_count; ++i) {
        vec3 to = point_places[i].xyz - at;
        float far2 = dot(to, to), reach = point_places[i].w;
        float window = clamp(1.0 - far2 * far2 / (reach * reach * reach * reach), 0.0, 1.0);
        vec3 l = to * inversesqrt(max(far2, 1e-8));
        float f = clamp(dot(n, l), 0.0, 1.0);
        vec3 falling = point_colors[i].rgb * window * window / max(far2, 0.01);
        sum += falling * (matte * (f / PI) + again * glint(n, v, l, f, f0, roughness));
    }
    return sum;
}
