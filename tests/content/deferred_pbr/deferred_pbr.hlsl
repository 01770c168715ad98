// Deferred shading, as a game engine does it: a compute pass bakes layered material textures, a
// depth-only pass draws the sun's shadow map, two draws (ground, instanced objects) fill a G-buffer
// of three targets and depth, one full-screen draw lights it by GGX with the sun (3×3 comparison
// filter) and 48 point lights with a distance window, and the last draw tonemaps to 8 bits.
// Compared with DXC's SPIR-V: the G-buffer and the picture. Tolerances: DXC reassociates floats for
// DXIL and not for SPIR-V, so positions, and with them edges of triangles and of shadows, move by a
// unit in the last place.
//! resource b0 cbuffer 224 words -2.246037 0.0 0.0 0.0 0.0 -2.040503 -0.4231956 -0.4179056 0.0 -0.9386314 0.9199903 0.9084905 0.0 1.693617 10.4342 10.80377 -0.4452287 0.0 0.0 0.0 0.0 -0.404486 -0.1860636 -5.551115e-17 0.0 -10.27 18.7625 -1.975 0.0 9.982094 -18.09151 2.0 -0.07035975 0.06242403 -0.01901169 0.0 0.0 -0.07642215 -0.02592503 0.0 -0.08599526 -0.05107421 0.01555502 0.0 0.0 -1.480297e-16 0.4285714 1.0 0.0 5.2 -9.5 0.0 0.5323273 0.7259009 -0.4355405 3.2
//! resource b1 cbuffer 16 words 48 0.035 0.0 1.15   # lights, ambient, -, exposure
//! resource t1 texture2d rgba8_srgb 384 384 1 1 out zero
//! resource t2 texture2d rgb10a2_unorm 384 384 1 1 out zero
//! resource t3 texture2d rgba8_unorm 384 384 1 1 out zero
//! resource t4 texture2d d32_sfloat 384 384 1 1 out zero
//! resource t5 texture2d d32_sfloat 512 512 1 1 zero
//! resource t6 structured_buffer 32 48 random_f32 77 0.0 1.0
//! resource t7 texture2d rgba16_sfloat 384 384 1 1 zero
//! resource t8 texture2d rgba8_unorm 384 384 1 1 out zero
//! resource t9 texture2d rgba8_unorm 64 64 1 7 random_u32 5
//! resource u0 texture2d rgba8_unorm 128 128 4 1 zero view=2d_array
//! resource t0 texture2d rgba8_unorm 128 128 4 1 is=u0 view=2d_array
//! resource s0 sampler linear linear linear repeat
//! resource s1 sampler linear linear nearest clamp compare=lequal
//! resource s2 sampler nearest nearest nearest clamp
//! require shader_draw_parameters
//! judge spirv
//! tolerance t1 unorm8 1
//! tolerance t1 mismatch 20
//! tolerance t2 unorm8 0
//! tolerance t2 mismatch 200   # ten-bit normals: a code to either side
//! tolerance t3 unorm8 1
//! tolerance t4 f32 abs=0.000002
//! tolerance t8 unorm8 2
//! tolerance t8 mismatch 20
//! pass bake
//! stage cs_6_0 bake_materials
//! pass shadow
//! stage vs_6_0 shadow_vs
//! vertex 0 rgba32_sfloat random_f32 21 0.0 1.0 rate=instance
//! depth less 1.0 into=t5
//! cull none
//! pass ground
//! stage vs_6_0 ground_vs
//! stage ps_6_0 gbuffer_ps
//! target t1 clear
//! target t2 clear
//! target t3 clear
//! depth less 1.0 into=t4
//! pass objects
//! stage vs_6_0 objects_vs
//! stage ps_6_0 gbuffer_ps
//! vertex 0 rgba32_sfloat random_f32 21 0.0 1.0 rate=instance
//! target t1
//! target t2
//! target t3
//! depth less keep into=t4
//! pass light
//! stage vs_6_0 screen_vs
//! stage ps_6_0 light_ps
//! target t7 clear
//! pass tonemap
//! stage vs_6_0 screen_vs
//! stage ps_6_0 tonemap_ps
//! target t8 clear
//! run bake 16 16 4
//! run shadow 1536 25
//! run ground 6
//! run objects 1536 24
//! run light 3
//! run tonemap 3
struct PointLight {
    float3 place;  // in [0, 1]³, spread over the scene by the shader
    float reach;
    float3 color;
    float power;
};

cbuffer Camera : register(b0) {
    float4x4 view_projection;
    float4x4 unproject;
    float4x4 sun_projection;
    float3 eye;
    float _0;
    float3 to_sun;
    float sun_power;
};
cbuffer Settings : register(b1) {
    uint light_count;
    float ambient;
    float _1;
    float exposure;
};

Texture2DArray<float4> materials : register(t0);
Texture2D<float4> gbuffer_albedo : register(t1);
Texture2D<float4> gbuffer_normal : register(t2);
Texture2D<float4> gbuffer_material : register(t3);
Texture2D<float> scene_depth : register(t4);
Texture2D<float> sun_depth : register(t5);
StructuredBuffer<PointLight> lights : register(t6);
Texture2D<float4> lit : register(t7);
Texture2D<float4> grain : register(t9);
[[vk::image_format("rgba8")]] RWTexture2DArray<unorm float4> materials_out : register(u0);
SamplerState wrap : register(s0);
SamplerComparisonState shadow_test : register(s1);

static const float PI = 3.14159265;

// ---- materials: rgb colour and, in alpha, height, from which normals are made

uint hash(uint3 v) {
    v = v * 1664525u + 1013904223u;
    v.x += v.y * v.z;
    v.y += v.z * v.x;
    v.z += v.x * v.y;
    v ^= v >> 16;
    return v.x + v.y * v.z;
}

float lattice(int2 cell, int period, uint seed) {
    cell = ((cell % period) + period) % period;
    return (hash(uint3(cell, seed)) >> 8) / 16777216.0;
}

float value_noise(float2 at, int period, uint seed) {
    int2 cell = (int2)floor(at);
    float2 f = frac(at);
    f = f * f * (3 - 2 * f);
    float top = lerp(lattice(cell, period, seed), lattice(cell + int2(1, 0), period, seed), f.x);
    float bottom = lerp(lattice(cell + int2(0, 1), period, seed), lattice(cell + int2(1, 1), period, seed), f.x);
    return lerp(top, bottom, f.y);
}

float fractal(float2 uv, int period, uint seed) {
    float sum = 0, weight = 0.5;
    [loop] for (int octave = 0; octave < 4; octave++) {
        sum += weight * value_noise(uv * period, period, seed + octave);
        weight *= 0.5;
        period *= 2;
    }
    return sum;
}

[numthreads(8, 8, 1)]
void bake_materials(uint3 id : SV_DispatchThreadID) {
    float2 uv = (id.xy + 0.5) / 128;
    float noise = fractal(uv, 8, id.z * 16);
    float4 texel;
    switch (id.z) {
    case 0: { // brick: rows shifted by half, mortar between
        float2 at = uv * float2(4, 8);
        at.x += frac(floor(at.y) * 0.5);
        float2 inside = abs(frac(at) - 0.5);
        float brick = 1 - smoothstep(0.42, 0.47, max(inside.x * 0.97, inside.y));
        texel = float4(lerp(float3(0.55, 0.53, 0.5), float3(0.6, 0.22, 0.14) * (0.7 + noise * 0.6), brick), brick * (0.7 + 0.3 * noise));
        break;
    }
    case 1: // brushed metal
        texel = float4(0.85, 0.78, 0.62, 0.5 + 0.3 * value_noise(uv * float2(4, 64), 64, 7));
        break;
    case 2: { // tiles
        uint2 tile = (uint2)(uv * 8);
        float edge = max(abs(frac(uv.x * 8) - 0.5), abs(frac(uv.y * 8) - 0.5));
        float3 color = ((tile.x ^ tile.y) & 1) ? float3(0.72, 0.7, 0.66) : float3(0.12, 0.16, 0.2);
        texel = float4(color * (0.85 + 0.3 * noise), edge > 0.47 ? 0 : 1);
        break;
    }
    default: // rusty plate with holes: height 0 is cut by the alpha test
        float2 hole = frac(uv * 6) - 0.5;
        texel = float4(lerp(float3(0.3, 0.33, 0.36), float3(0.5, 0.25, 0.1), smoothstep(0.4, 0.6, noise)), dot(hole, hole) < 0.05 ? 0 : 0.4 + noise * 0.5);
        break;
    }
    materials_out[id] = saturate(texel);
}

// ---- geometry

struct Surface {
    float4 position : SV_Position;
    float3 world : WORLD;
    float3 normal : NORMAL;
    float2 uv : TEXCOORD0;
    nointerpolation uint material : MATERIAL;
    nointerpolation float4 tint : TINT;
};

// A sphere of 16 × 16 quads, squared towards a cube by `squareness`.
void object_vertex(uint id, float squareness, out float3 place, out float3 normal, out float2 uv) {
    uint quad = id / 6;
    static const uint2 corners[6] = { uint2(0, 0), uint2(1, 0), uint2(0, 1), uint2(0, 1), uint2(1, 0), uint2(1, 1) };
    uint2 cell = uint2(quad & 15, quad >> 4) + corners[id % 6];
    uv = cell / 16.0;
    float s, c, ring, height;
    sincos(uv.x * 2 * PI, s, c);
    sincos(uv.y * PI, ring, height);
    normal = float3(c * ring, height, s * ring);
    float3 size = abs(normal);
    float most = max(size.x, max(size.y, size.z));
    place = lerp(normal, normal / most * 0.8, squareness);
}

float3 object_world(float3 local, uint instance, float4 seed) {
    uint row = instance / 6, column = instance % 6;
    float s, c;
    sincos(seed.x * 2 * PI, s, c);
    float3 turned = float3(c * local.x + s * local.z, local.y, c * local.z - s * local.x);
    float scale = 0.45 + 0.3 * seed.y;
    return turned * scale + float3((column - 2.5) * 1.9 + (seed.z - 0.5) * 0.6, scale * 0.9, (row - 1.5) * 2.1 + (seed.w - 0.5) * 0.6);
}

Surface objects_vs(uint id : SV_VertexID, uint instance : SV_InstanceID, float4 seed : SEED) {
    Surface o;
    float3 local, normal;
    object_vertex(id, seed.z > 0.6 ? 0.85 : 0, local, normal, o.uv);
    float3 world = object_world(local, instance, seed);
    o.position = mul(view_projection, float4(world, 1));
    o.world = world;
    float s, c;
    sincos(seed.x * 2 * PI, s, c);
    o.normal = float3(c * normal.x + s * normal.z, normal.y, c * normal.z - s * normal.x);
    o.uv *= float2(2, 1);
    o.material = instance % 4;
    o.tint = float4(lerp(float3(1, 1, 1), seed.yzw, 0.35), seed.w);
    return o;
}

Surface ground_vs(uint id : SV_VertexID) {
    static const float2 corners[6] = { float2(-1, -1), float2(1, -1), float2(-1, 1), float2(-1, 1), float2(1, -1), float2(1, 1) };
    Surface o;
    float3 world = float3(corners[id].x * 11, 0, corners[id].y * 11);
    o.position = mul(view_projection, float4(world, 1));
    o.world = world;
    o.normal = float3(0, 1, 0);
    o.uv = world.xz * 0.25;
    o.material = 2;
    o.tint = float4(1, 1, 1, 0.35);
    return o;
}

// The last instance is a wall outside the picture.
float4 shadow_vs(uint id : SV_VertexID, uint instance : SV_InstanceID, float4 seed : SEED) : SV_Position {
    float3 local, normal;
    float2 uv;
    bool wall = instance == 24;
    object_vertex(id, wall || seed.z > 0.6 ? 0.85 : 0, local, normal, uv);
    float3 world = wall ? local * float3(0.4, 3, 2.5) + float3(6.2, 2.4, 0) : object_world(local, instance, seed);
    return mul(sun_projection, float4(world, 1));
}

float2 octahedral(float3 n) {
    n /= abs(n.x) + abs(n.y) + abs(n.z);
    float2 folded = (1 - abs(n.yx)) * (n.xy >= 0 ? 1.0 : -1.0);
    return (n.z >= 0 ? n.xy : folded) * 0.5 + 0.5;
}

float3 from_octahedral(float2 e) {
    e = e * 2 - 1;
    float3 n = float3(e, 1 - abs(e.x) - abs(e.y));
    float t = saturate(-n.z);
    n.xy += n.xy >= 0 ? -t : t;
    return normalize(n);
}

struct GBuffer {
    float4 albedo : SV_Target0;
    float4 normal : SV_Target1;
    float4 material : SV_Target2;  // roughness, metalness, occlusion, emission
};

GBuffer gbuffer_ps(Surface v, bool front : SV_IsFrontFace) {
    float3 layer = float3(v.uv, v.material);
    float4 texel = materials.Sample(wrap, layer);
    if (v.material == 3 && texel.a < 0.15) discard;
    // The surface gradient of the height: no tangents needed (Mikkelsen, bump mapping
    // unparametrised surfaces).
    float3 n = normalize(v.normal);
    float3 dx = ddx(v.world), dy = ddy(v.world);
    float step = 1.0 / 128;
    float2 slope = float2(materials.Sample(wrap, layer, int2(1, 0)).a, materials.SampleLevel(wrap, layer + float3(0, step, 0), 0).a) - texel.a;
    float2 change = float2(dot(slope, ddx(v.uv)), dot(slope, ddy(v.uv))) * 1.5;
    float3 across = cross(dy, n), along = cross(n, dx);
    float determinant = dot(dx, across);
    float3 gradient = sign(determinant) * (change.x * across + change.y * along);
    n = normalize(abs(determinant) * n - gradient + n * 1e-12);
    min16float4 dust = min16float4(grain.SampleGrad(wrap, v.uv * 2, ddx(v.uv) * 2, ddy(v.uv) * 2));
    GBuffer o;
    o.albedo = float4(texel.rgb * v.tint.rgb * (0.9 + 0.2 * dust.r), 1);
    o.normal = float4(octahedral(n), 0, front ? 1 : 0.34);
    float metal = v.material == 1 ? 1 : v.material == 3 ? 0.6 : 0;
    float rough = v.material == 1 ? 0.28 : 0.35 + 0.5 * v.tint.a;
    o.material = float4(saturate(rough + 0.1 * (dust.g - 0.5)), metal, 0.4 + 0.6 * texel.a, v.material == 0 && v.tint.a > 0.9 ? 1 : 0);
    return o;
}

// ---- lighting

struct Screen {
    float4 position : SV_Position;
    noperspective float2 uv : TEXCOORD0;
};

Screen screen_vs(uint id : SV_VertexID) {
    Screen o;
    o.uv = float2(id << 1 & 2, id & 2);
    o.position = float4(o.uv * 2 - 1, 0, 1);
    return o;
}

struct Material {
    float3 diffuse;
    float3 f0;
    float alpha;
};

float3 brdf(Material m, float3 n, float3 v, float3 l) {
    float3 h = normalize(v + l);
    float nl = saturate(dot(n, l)), nv = max(dot(n, v), 1e-3), nh = saturate(dot(n, h)), vh = saturate(dot(v, h));
    float a2 = m.alpha * m.alpha;
    float bottom = nh * nh * (a2 - 1) + 1;
    float distribution = a2 / (PI * bottom * bottom);
    float visible = 0.5 / max(nl * sqrt(nv * nv * (1 - a2) + a2) + nv * sqrt(nl * nl * (1 - a2) + a2), 1e-5);
    float3 fresnel = m.f0 + (1 - m.f0) * pow(1 - vh, 5);
    return (m.diffuse * (1 - fresnel) / PI + distribution * visible * fresnel) * nl;
}

float sun_visibility(float3 world, float3 n) {
    float4 clip = mul(sun_projection, float4(world + n * 0.03, 1));
    float2 uv = clip.xy * 0.5 + 0.5;
    float2 size;
    sun_depth.GetDimensions(size.x, size.y);
    float sum = 0;
    [unroll] for (int y = -1; y <= 1; y++)
        [unroll] for (int x = -1; x <= 1; x++)
            sum += sun_depth.SampleCmpLevelZero(shadow_test, uv, clip.z - 0.003, int2(x, y));
    bool outside = any(uv < 0) || any(uv > 1);
    return outside ? 1 : sum / 9;
}

float4 light_ps(Screen screen) : SV_Target {
    int3 at = int3(screen.position.xy, 0);
    float depth = scene_depth.Load(at);
    if (depth == 1) return float4(lerp(float3(0.5, 0.6, 0.75), float3(0.12, 0.22, 0.5), 1 - screen.uv.y), 1);
    float4 place = mul(unproject, float4(screen.uv * 2 - 1, depth, 1));
    float3 world = place.xyz / place.w;
    float3 n = from_octahedral(gbuffer_normal.Load(at).xy);
    float3 albedo = gbuffer_albedo.Load(at).rgb;
    float4 surface = gbuffer_material.Load(at);
    float3 v = normalize(eye - world);
    Material m;
    m.diffuse = albedo * (1 - surface.y);
    m.f0 = lerp(0.04, albedo, surface.y);
    m.alpha = max(surface.x * surface.x, 0.02);

    float3 sum = brdf(m, n, v, to_sun) * sun_power * sun_visibility(world, n) * float3(1, 0.94, 0.84);
    float3 sky = lerp(float3(0.3, 0.26, 0.22), float3(0.4, 0.55, 0.8), n.y * 0.5 + 0.5);
    sum += (m.diffuse + m.f0 * 0.6) * sky * surface.z * (ambient * 10);
    sum += albedo * surface.w * 1.5;
    for (uint i = 0; i < light_count; i++) {
        PointLight light = lights[i];
        float3 to_light = float3((light.place.x - 0.5) * 14, 0.2 + light.place.y * 1.6, (light.place.z - 0.5) * 11) - world;
        float squared = dot(to_light, to_light);
        float reach = 1.2 + light.reach * 1.8;
        if (squared > reach * reach) continue;
        float ratio = squared / (reach * reach);
        float window = 1 - ratio * ratio;
        float falloff = window * window / (squared + 0.05);
        sum += brdf(m, n, v, to_light * rsqrt(squared)) * light.color * light.color * (falloff * (1 + 3 * light.power));
    }
    float fog = 1 - exp(-max(length(world - eye) - 9, 0) * 0.04);
    return float4(lerp(sum, float3(0.5, 0.6, 0.75), fog), 1);
}

float4 tonemap_ps(Screen screen) : SV_Target {
    float3 x = lit.Load(int3(screen.position.xy, 0)).rgb * exposure;
    x = saturate((x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14));
    float3 encoded = x < 0.0031308 ? x * 12.92 : 1.055 * pow(max(x, 1e-6), 1 / 2.4) - 0.055;
    return float4(encoded, 1);
}
