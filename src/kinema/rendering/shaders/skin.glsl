// Linear blend skinning from a float texture; see kinema/rendering/palette.py for its layout.
in vec3 in_position;
in vec3 in_normal;
in uvec4 in_joints;
in vec4 in_weights;
#if INFLUENCES > 4
in uvec4 in_more_joints;
in vec4 in_more_weights;
#endif
uniform sampler2D palette;
uniform int base;          // first texel of the first instance
uniform int stride;        // texels of an instance

vec4 texel(int at) {
    return texelFetch(palette, ivec2(at & (PALETTE_WIDTH - 1), at / PALETTE_WIDTH), 0);
}

void blend(int start, uvec4 joints, vec4 weights, inout vec4 x, inout vec4 y, inout vec4 z) {
    for (int i = 0; i < 4; ++i) {
        int row = start + 3 * int(joints[i]);
        x += weights[i] * texel(row);
        y += weights[i] * texel(row + 1);
        z += weights[i] * texel(row + 2);
    }
}

// Rows of the matrix from mesh space to the world; `first` is the texel of the first instance's head.
mat3x4 skinning(int first) {
    int start = first + gl_InstanceID * stride + 2;
    vec4 x = vec4(0.0), y = vec4(0.0), z = vec4(0.0);
#if INFLUENCES == 1
    int row = start + 3 * int(in_joints.x);
    x = texel(row);
    y = texel(row + 1);
    z = texel(row + 2);
#else
    blend(start, in_joints, in_weights, x, y, z);
#endif
#if INFLUENCES > 4
    blend(start, in_more_joints, in_more_weights, x, y, z);
#endif
    return mat3x4(x, y, z);
}

#ifdef MORPHS
uniform sampler2D morphs;     // see kinema/rendering/morphs.py for its layout
uniform int morph_texel;      // of the first weights, within an instance
uniform int vertices;
uniform int active_count;     // how many targets are active, and which
uniform int targets[MORPHS];

vec3 morphed(int first, int row) {
    int start = first + gl_InstanceID * stride + morph_texel;
    vec3 sum = vec3(0.0);
    for (int i = 0; i < active_count; ++i) {
        int target = targets[i];
        float weight = texel(start + target / 4)[target & 3];
        int at = (2 * target + row) * vertices + gl_VertexID;
        sum += weight * texelFetch(morphs, ivec2(at & 2047, at / 2048), 0).xyz;
    }
    return sum;
}

vec3 shape(int first) {
    return in_position + morphed(first, 0);
}

vec3 bent(int first) {
    return in_normal + morphed(first, 1);
}
#else
vec3 shape(int first) {
    return in_position;
}

vec3 bent(int first) {
    return in_normal;
}
#endif

vec3 moved(mat3x4 m, vec3 p) {
    return vec4(p, 1.0) * m;
}

vec3 turned(mat3x4 m, vec3 n) {
    return vec4(n, 0.0) * m;
}
