// Image-based lighting by the split sum (Karis, "Real shading in Unreal Engine 4"): a procedural
// sky is written to a cube and its mips, a compute pass prefilters it for five roughnesses by
// importance sampling GGX with filtered samples, one projects it to nine spherical harmonics by a
// groupshared reduction, one integrates the environment BRDF table, and two draws show the sky and
// 24 spheres of differing roughness and metalness. Compared: both cubes with all mips, harmonics,
// table and picture with DXC's SPIR-V; the table also with models/ibl.py, which sums the same
// samples in double precision. Tolerances: DXC reassociates floats for DXIL and not for SPIR-V, and
// drivers approximate sin, exp2 and log2.
//! require storage_image_write_without_format texel_formats_extended shader_draw_parameters
//! resource b0 cbuffer 16 zero
//! resource b1 cbuffer 144 words -2.747477 0.0 0.0 0.0 0.0 -2.744214 -0.04954836 -0.04872255 0.0 -0.1338641 1.015741 0.9988124 0.0 0.0 7.840424 8.20975 -0.3639702 0.0 0.0 0.0 0.0 -0.363538 -0.01773356 6.938894e-18 0.0 -0.7866667 16.12667 -1.966667 0.0 0.7512774 -15.40119 2.0 0.0 0.4 -8.2 1.1
//! resource t0 texture2d rgba16_sfloat 64 64 6 7 out zero view=cube
//! resource t1 texture2d rgba16_sfloat 32 32 6 5 out zero view=cube
//! resource t2 texture2d rg32_sfloat 64 64 1 1 out zero
//! resource t3 structured_buffer 16 9 out zero
//! resource t4 texture2d rgba8_unorm 384 384 1 1 out zero
//! resource t5 texture2d d32_sfloat 384 384 1 1 zero
//! resource u0 texture2d rgba16_sfloat 64 64 6 7 is=t0 view=2d_array count=7 mip=each
//! resource u7 texture2d rgba16_sfloat 32 32 6 5 is=t1 view=2d_array count=5 mip=each
//! resource u12 texture2d rg32_sfloat 64 64 1 1 is=t2
//! resource u13 structured_buffer 16 9 is=t3
//! resource s0 sampler linear linear linear clamp
//! judge spirv
//! judge expect
//! tolerance t0 f16 ulp=1 abs=0.0002
//! tolerance t1 f16 ulp=2 abs=0.0005
//! tolerance t2 f32 abs=0.00001
//! tolerance t3 f32 abs=0.00001
//! tolerance t4 unorm8 1
//! pass environment
//! stage cs_6_0 environment
//! pass downsample
//! stage cs_6_0 downsample
//! pass prefilter
//! stage cs_6_0 prefilter
//! pass project
//! stage cs_6_0 project
//! pass lut
//! stage cs_6_0 integrate_brdf
//! pass sky
//! stage vs_6_0 sky_vs
//! stage ps_6_0 sky_ps
//! target t4 clear
//! pass spheres
//! stage vs_6_0 sphere_vs
//! stage ps_6_0 sphere_ps
//! target t4
//! depth less 1.0 into=t5
//! run environment 8 8 6
//! update b0 1 32
//! run downsample 4 4 6
//! update b0 2 16
//! run downsample 2 2 6
//! update b0 3 8
//! run downsample 1 1 6
//! update b0 4 4
//! run downsample 1 1 6
//! update b0 5 2
//! run downsample 1 1 6
//! update b0 6 1
//! run downsample 1 1 6
//! update b0 0 32 0.0
//! run prefilter 4 4 6
//! update b0 1 16 0.25
//! run prefilter 2 2 6
//! update b0 2 8 0.5
//! run prefilter 1 1 6
//! update b0 3 4 0.75
//! run prefilter 1 1 6
//! update b0 4 2 1.0
//! run prefilter 1 1 6
//! run project 1 1 1
//! run lut 8 8 1
//! run sky 3
//! run spheres 3456 24
cbuffer Level : register(b0) {
    uint level;
    uint level_size;
    float level_roughness;
};
cbuffer Camera : register(b1) {
    float4x4 view_projection;
    float4x4 unproject;
    float3 eye;
    float exposure;
};

TextureCube<float4> sky : register(t0);
TextureCube<float4> specular : register(t1);
Texture2D<float2> brdf_table : register(t2);
StructuredBuffer<float4> harmonics : register(t3);
RWTexture2DArray<float4> sky_levels[7] : register(u0);
RWTexture2DArray<float4> specular_levels[5] : register(u7);
[[vk::image_format("rg32f")]] RWTexture2D<float2> brdf_out : register(u12);
RWStructuredBuffer<float4> harmonics_out : register(u13);
SamplerState trilinear : register(s0);

static const float PI = 3.14159265;
static const uint SAMPLES = 64;

float3 cube_direction(uint face, float2 uv) {
    float2 p = uv * 2 - 1;
    switch (face) {
    case 0: return float3(1, -p.y, -p.x);
    case 1: return float3(-1, -p.y, p.x);
    case 2: return float3(p.x, 1, p.y);
    case 3: return float3(p.x, -1, -p.y);
    case 4: return float3(p.x, -p.y, 1);
    default: return float3(-p.x, -p.y, -1);
    }
}

// ---- the sky

float3 sky_color(float3 d) {
    float3 sun = normalize(float3(0.5, 0.55, -0.6));
    float3 up = lerp(float3(0.75, 0.72, 0.68), float3(0.1, 0.28, 0.72), sqrt(saturate(d.y)));
    float3 down = float3(0.22, 0.19, 0.16) * (0.6 + 0.4 * saturate(-d.y));
    float3 color = d.y > 0 ? up : down;
    // Bands of cloud and a checkered floor give reflections something to show.
    if (d.y > 0.03) {
        float2 at = d.xz / d.y;
        float band = sin(at.x * 1.3 + sin(at.y * 0.9) * 1.5) * sin(at.y * 1.1);
        color = lerp(color, float3(0.95, 0.93, 0.9), smoothstep(0.2, 0.8, band) * saturate(d.y * 3));
    } else if (d.y < -0.05) {
        float2 at = d.xz / -d.y + 0.3717;  // no edge of a square through a sample
        if ((int(floor(at.x)) ^ int(floor(at.y))) & 1) color *= 0.35;
    }
    float glow = saturate(dot(d, sun));
    return color + float3(1, 0.8, 0.5) * (pow(glow, 600) * 60 + pow(glow, 8) * 0.6);
}

[numthreads(8, 8, 1)]
void environment(uint3 id : SV_DispatchThreadID) {
    float3 sum = 0;
    [unroll] for (uint i = 0; i < 4; i++) {
        float2 uv = (id.xy + float2(i & 1, i >> 1) * 0.5 + 0.25) / 64;
        sum += sky_color(normalize(cube_direction(id.z, uv)));
    }
    sky_levels[0][id] = float4(sum / 4, 1);
}

[numthreads(8, 8, 1)]
void downsample(uint3 id : SV_DispatchThreadID) {
    if (any(id.xy >= level_size)) return;
    float2 uv = (id.xy + 0.5) / level_size;
    // A bilinear tap at a corner of four texels is their mean.
    sky_levels[level][id] = float4(sky.SampleLevel(trilinear, cube_direction(id.z, uv), level - 1).rgb, 1);
}

// ---- prefiltering

float2 hammersley(uint i, uint count) {
    return float2((i + 0.5) / count, (reversebits(i) >> 8) * (1.0 / 16777216));
}

float3 ggx_half_vector(float2 random, float alpha) {
    float s, c;
    sincos(2 * PI * random.x, s, c);
    float bottom = 1 + (alpha * alpha - 1) * random.y;
    float cosine = sqrt((1 - random.y) / bottom), sine = alpha * sqrt(random.y / bottom);
    return float3(c * sine, s * sine, cosine);
}

float3x3 frame(float3 n) {
    // Duff et al., "Building an orthonormal basis, revisited".
    float side = n.z >= 0 ? 1.0 : -1.0;
    float a = -1 / (side + n.z), b = n.x * n.y * a;
    return float3x3(float3(1 + side * n.x * n.x * a, side * b, -side * n.x), float3(b, side + n.y * n.y * a, -n.y), n);
}

[numthreads(8, 8, 1)]
void prefilter(uint3 id : SV_DispatchThreadID) {
    if (any(id.xy >= level_size)) return;
    float3 n = normalize(cube_direction(id.z, (id.xy + 0.5) / level_size));
    float3 color;
    if (level == 0) {
        color = sky.SampleLevel(trilinear, n, 1).rgb;
    } else {
        float alpha = level_roughness * level_roughness;
        float3x3 basis = frame(n);
        float weights = 0;
        color = 0;
        [loop] for (uint i = 0; i < SAMPLES; i++) {
            float3 h = ggx_half_vector(hammersley(i, SAMPLES), alpha);
            float3 l = 2 * h.z * h - float3(0, 0, 1);  // the view is the normal
            if (l.z <= 0) continue;
            // Selects the mip whose texels are as large as the solid angle of one sample.
            float bottom = h.z * h.z * (alpha * alpha - 1) + 1;
            float density = alpha * alpha / (PI * bottom * bottom) / 4;
            float solid = 1 / (SAMPLES * density), texel = 4 * PI / (6 * 64 * 64);
            float mip = max(0.5 * log2(solid / texel) + 1, 0);
            color += sky.SampleLevel(trilinear, mul(l, basis), mip).rgb * l.z;
            weights += l.z;
        }
        color /= weights;
    }
    specular_levels[NonUniformResourceIndex(level)][id] = float4(color, 1);
}

// ---- diffuse: nine spherical harmonics of the 16 × 16 mip

void basis_functions(float3 d, out float y[9]) {
    y[0] = 0.282095;
    y[1] = 0.488603 * d.y;
    y[2] = 0.488603 * d.z;
    y[3] = 0.488603 * d.x;
    y[4] = 1.092548 * d.x * d.y;
    y[5] = 1.092548 * d.y * d.z;
    y[6] = 0.315392 * (3 * d.z * d.z - 1);
    y[7] = 1.092548 * d.x * d.z;
    y[8] = 0.546274 * (d.x * d.x - d.y * d.y);
}

groupshared float4 partial[9][64];

[numthreads(64, 1, 1)]
void project(uint lane : SV_GroupIndex) {
    float4 sums[9];
    uint k;
    for (k = 0; k < 9; k++) sums[k] = 0;
    for (uint texel = lane; texel < 6 * 256; texel += 64) {
        float2 uv = (float2(texel & 15, texel >> 4 & 15) + 0.5) / 16;
        float3 d = cube_direction(texel >> 8, uv);
        float squared = dot(d, d);
        float solid = 4 * rsqrt(squared) / (squared * 256);
        float3 color = sky.SampleLevel(trilinear, d, 2).rgb;
        float y[9];
        basis_functions(d * rsqrt(squared), y);
        for (k = 0; k < 9; k++) sums[k] += float4(color, 1) * (y[k] * solid);
    }
    for (k = 0; k < 9; k++) partial[k][lane] = sums[k];
    for (uint step = 32; step > 0; step >>= 1) {
        GroupMemoryBarrierWithGroupSync();
        if (lane < step)
            for (k = 0; k < 9; k++) partial[k][lane] += partial[k][lane + step];
    }
    GroupMemoryBarrierWithGroupSync();
    // The factors of the cosine lobe (Ramamoorthi and Hanrahan), divided by π.
    if (lane < 9) harmonics_out[lane] = partial[lane][0] * (lane == 0 ? 1 : lane < 4 ? 2 / 3.0 : 0.25);
}

// ---- the BRDF's half of the sum: scale and bias of the reflectance at normal incidence

[numthreads(8, 8, 1)]
void integrate_brdf(uint2 id : SV_DispatchThreadID) {
    float nv = (id.x + 0.5) / 64, roughness = (id.y + 0.5) / 64;
    float alpha = roughness * roughness;
    float3 v = float3(sqrt(1 - nv * nv), 0, nv);
    float2 sum = 0;
    for (uint i = 0; i < SAMPLES; i++) {
        float3 h = ggx_half_vector(hammersley(i, SAMPLES), alpha);
        float vh = saturate(dot(v, h));
        float3 l = 2 * vh * h - v;
        if (l.z > 0) {
            float a2 = alpha * alpha;
            float smith = 0.5 / (l.z * sqrt(nv * nv * (1 - a2) + a2) + nv * sqrt(l.z * l.z * (1 - a2) + a2));
            float visible = 4 * smith * vh * l.z / h.z;
            float fresnel = pow(1 - vh, 5);
            sum += float2(1 - fresnel, fresnel) * visible;
        }
    }
    brdf_out[id] = sum / SAMPLES;
}

// ---- picture

struct Sky {
    float4 position : SV_Position;
    noperspective float3 far : FAR;
};

Sky sky_vs(uint id : SV_VertexID) {
    Sky o;
    o.position = float4(float2(id << 1 & 2, id & 2) * 2 - 1, 1, 1);
    float4 place = mul(unproject, o.position);
    o.far = place.xyz / place.w - eye;
    return o;
}

float3 encode(float3 x) {
    x *= exposure;
    x = saturate((x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14));
    return pow(x, 1 / 2.2);
}

float4 sky_ps(Sky v) : SV_Target {
    return float4(encode(sky.Sample(trilinear, v.far).rgb), 1);
}

struct Sphere {
    float4 position : SV_Position;
    float3 world : WORLD;
    sample float3 normal : NORMAL;
    nointerpolation float2 surface : SURFACE;  // roughness, metalness
    nointerpolation float3 color : COLOR;
};

Sphere sphere_vs(uint id : SV_VertexID, uint instance : SV_InstanceID) {
    static const uint2 corners[6] = { uint2(0, 0), uint2(1, 0), uint2(0, 1), uint2(0, 1), uint2(1, 0), uint2(1, 1) };
    uint quad = id / 6;
    float2 at = (uint2(quad % 24, quad / 24) + corners[id % 6]) / 24.0;
    float s, c, ring, height;
    sincos(at.x * 2 * PI, s, c);
    sincos(at.y * PI, ring, height);
    uint column = instance % 6, row = instance / 6;
    Sphere o;
    o.normal = float3(c * ring, height, s * ring);
    o.world = o.normal * 0.42 + float3(column * 0.95 - 2.375, 1.5 - row, 0);
    o.position = mul(view_projection, float4(o.world, 1));
    o.surface = float2(0.04 + column * 0.18, row / 3.0);
    o.color = float3(row == 1 ? 0.95 : 0.8, 0.65 - 0.1 * row, row == 2 ? 0.3 : 0.55);
    return o;
}

float3 irradiance(float3 n) {
    float y[9];
    basis_functions(n, y);
    float3 sum = 0;
    [unroll] for (uint k = 0; k < 9; k++) sum += harmonics[k].rgb * y[k];
    return max(sum, 0);
}

float4 sphere_ps(Sphere v) : SV_Target {
    float3 n = normalize(v.normal), to_eye = normalize(eye - v.world);
    float nv = saturate(dot(n, to_eye));
    float3 r = reflect(-to_eye, n);
    float3 f0 = lerp(0.04, v.color, v.surface.y);
    float2 split = brdf_table.SampleLevel(trilinear, float2(nv, v.surface.x), 0);
    float3 shine = specular.SampleLevel(trilinear, r, v.surface.x * 4).rgb * (f0 * split.x + split.y);
    float3 diffuse = irradiance(n) * v.color * (1 - v.surface.y) * (1 - f0);
    return float4(encode(diffuse + shine), 1);
}
