// Volumetric fog by froxels, with cascaded variance shadow maps: a geometry shader draws a
// colonnade into three layers of moments at once, two groupshared passes blur them, a compute pass
// lights 40 × 40 × 48 froxels (a phase function, noise, the sun's shadow by Chebyshev's bound, four
// spheres of light), one marches them front to back into a 3D texture, and the scene is drawn with
// blended cascades and the fog that lies before it. Compared with DXC's SPIR-V: moments, scattered
// light, accumulated light, picture. Tolerances: DXC reassociates floats for DXIL and not for
// SPIR-V, which moves edges of triangles; Chebyshev's bound divides by what may be small.
//! require geometry_shader storage_image_write_without_format texel_formats_extended
//! require shader_draw_parameters
//! resource b0 cbuffer 400 words -1.726448 -0.1709206 0.5952611 0.5878203 0.0 -2.125062 -0.1360597 -0.1343589 1.272119 -0.2319637 0.8078544 0.7977562 0.2271642 3.601542 11.06895 11.43059 0.1930642 0.1179205 -0.01607326 0.0 0.0 -0.2367343 -0.01473382 0.0 -0.2106155 0.1080938 -0.01473382 0.0 -0.3773527 1.071558 0.3511256 1.0 0.09653209 0.05896025 -0.01607326 0.0 0.0 -0.1183672 -0.01473382 0.0 -0.1053077 0.05404689 -0.01473382 0.0 -0.008775645 0.1721907 0.450244 1.0 0.04223279 0.02579511 -0.01607326 0.0 0.0 -0.05178563 -0.01473382 0.0 -0.04607213 0.02364552 -0.01473382 0.0 0.1497344 -0.1933656 0.6176738 1.0 -0.3754037 0.0 0.2766133 0.0 -0.03716546 -0.4620795 -0.05043884 0.0 0.5878203 -0.1343589 0.7977562 0.0 -6.5 3.2 -9.0 320.0 0.6107839 0.5598853 0.5598853 2.0 0.5 32.0 0.045 0.45 5.0 10.0 0.0 0.0
//! resource b1 cbuffer 16 words 1 0 0 0
//! resource b2 cbuffer 128 words -2.5 1.2 -2.0 2.5 3.0 0.9 0.4 0.0 3.0 1.0 -1.0 2.2 0.5 1.4 3.0 0.0 0.5 2.8 3.5 3.0 0.8 2.4 1.0 0.0 5.0 1.5 5.5 3.0 2.6 0.6 1.8 0.0
//! resource t0 texture2d rg32_sfloat 128 128 3 1 out zero view=2d_array
//! resource u0 texture2d rg32_sfloat 128 128 3 1 is=t0 view=2d_array
//! resource u1 texture2d rg32_sfloat 128 128 3 1 zero view=2d_array
//! resource t1 texture2d rg32_sfloat 128 128 3 1 is=u1 view=2d_array
//! resource u2 texture3d rgba16_sfloat 40 40 48 1 out zero
//! resource t2 texture3d rgba16_sfloat 40 40 48 1 is=u2
//! resource u3 texture3d rgba16_sfloat 40 40 48 1 out zero
//! resource t3 texture3d rgba16_sfloat 40 40 48 1 is=u3
//! resource t4 texture2d rgba8_unorm 320 320 1 1 out zero
//! resource t5 texture2d d32_sfloat 320 320 1 1 zero
//! resource t6 texture3d rgba8_snorm 16 16 16 1 random_u32 61
//! resource s0 sampler linear linear linear clamp
//! resource s1 sampler linear linear linear repeat
//! judge spirv
//! tolerance t0 f32 abs=0.00001
//! tolerance t0 mismatch 30
//! tolerance u2 f16 ulp=2 abs=0.0002
//! tolerance u2 mismatch 20
//! tolerance u3 f16 ulp=2 abs=0.0005
//! tolerance u3 mismatch 20
//! tolerance t4 unorm8 1
//! tolerance t4 mismatch 30
//! pass shadow
//! stage vs_6_0 shadow_vs
//! stage gs_6_0 shadow_gs
//! stage ps_6_0 shadow_ps
//! target t0 clear layers=3
//! depth less 1.0
//! pass blur
//! stage cs_6_0 blur_moments
//! pass inject
//! stage cs_6_0 light_froxels
//! pass march
//! stage cs_6_0 march
//! pass scene
//! stage vs_6_0 scene_vs
//! stage ps_6_0 scene_ps
//! target t4 clear
//! depth less 1.0 into=t5
//! run shadow 36 34
//! run blur 1 128 3
//! update b1 0 1 0 0
//! run blur 1 128 3
//! run inject 10 10 12
//! run march 5 5 1
//! run scene 36 36
cbuffer Frame : register(b0) {
    float4x4 view_projection;
    float4x4 cascades[3];
    float4 rays[3];  // of the screen: to the right, down, ahead
    float3 eye;
    float screen;
    float3 to_sun;
    float sun_power;
    float near;
    float far;
    float density;
    float forwardness;
    float2 splits;
};
cbuffer Direction : register(b1) {
    int2 direction;
};
struct Sphere {
    float3 place;
    float reach;
    float3 color;
    float _0;
};
cbuffer Spheres : register(b2) {
    Sphere spheres[4];
};

Texture2DArray<float2> moments : register(t0);
Texture2DArray<float2> half_blurred : register(t1);
Texture3D<float4> scattered : register(t2);
Texture3D<float4> fog : register(t3);
Texture3D<float4> noise : register(t6);
[[vk::image_format("rg32f")]] RWTexture2DArray<float2> moments_out : register(u0);
[[vk::image_format("rg32f")]] RWTexture2DArray<float2> half_blurred_out : register(u1);
[[vk::image_format("rgba16f")]] RWTexture3D<float4> scattered_out : register(u2);
[[vk::image_format("rgba16f")]] RWTexture3D<float4> fog_out : register(u3);
SamplerState bilinear : register(s0);
SamplerState tiled : register(s1);

static const float PI = 3.14159265;
static const uint3 FROXELS = uint3(40, 40, 48);
static const int SHADOW = 128;

// ---- a colonnade: two rows of pillars, lintels over them, and, without shadows, the ground and the box of the sky

struct Corner {
    float3 world : WORLD;
    float3 normal : NORMAL;
};

Corner solid(uint id, uint instance) {
    static const float2 corners[6] = { float2(-1, -1), float2(1, -1), float2(-1, 1), float2(-1, 1), float2(1, -1), float2(1, 1) };
    uint face = id / 6, axis = face >> 1;
    float2 c = corners[id % 6];
    float side = face & 1 ? 1.0 : -1.0;
    float3 local = axis == 0 ? float3(side, c) : axis == 1 ? float3(c.x, side, c.y) : float3(c, side);
    float3 size, place;
    if (instance < 16) {
        size = float3(0.22, 1.6, 0.22);
        place = float3((instance & 1) * 3.0 - 0.5, 1.6, (int(instance >> 1) - 3) * 1.6);
    } else if (instance < 18) {
        size = float3(0.3, 0.18, 6.6);
        place = float3((instance & 1) * 3.0 - 0.5, 3.35, 0.8);
    } else if (instance < 34) {
        uint slat = instance - 18;
        size = float3(1.9, 0.06, 0.1);
        place = float3(1, 3.6, (int(slat) - 8) * 0.8 + 1.2);
    } else if (instance == 34) {
        size = float3(20, 0.2, 20);
        place = float3(0, -0.2, 0);
    } else {
        size = float3(20, 20, 20);
        place = float3(0, 14, 0);
    }
    Corner o;
    o.world = local * size + place;
    o.normal = axis == 0 ? float3(side, 0, 0) : axis == 1 ? float3(0, side, 0) : float3(0, 0, side);
    return o;
}

Corner shadow_vs(uint id : SV_VertexID, uint instance : SV_InstanceID) {
    return solid(id, instance);
}

struct Shadowed {
    float4 position : SV_Position;
    noperspective float depth : DEPTH;
    uint layer : SV_RenderTargetArrayIndex;
};

[maxvertexcount(3)]
[instance(3)]
void shadow_gs(triangle Corner input[3], uint cascade : SV_GSInstanceID, inout TriangleStream<Shadowed> triangles) {
    float4 clip[3];
    bool left = true, right = true, above = true, below = true;
    [unroll] for (uint i = 0; i < 3; i++) {
        clip[i] = mul(cascades[cascade], float4(input[i].world, 1));
        left = left && clip[i].x < -1;
        right = right && clip[i].x > 1;
        above = above && clip[i].y < -1;
        below = below && clip[i].y > 1;
    }
    if (left || right || above || below) return;
    for (uint k = 0; k < 3; k++) {
        Shadowed o;
        o.position = clip[k];
        o.depth = clip[k].z;
        o.layer = cascade;
        triangles.Append(o);
    }
}

// The moments are of one minus the depth, so that texels which are cleared to zero are at the
// farthest depth.
float2 shadow_ps(Shadowed v) : SV_Target {
    float d = 1 - v.depth;
    float slope = abs(ddx_fine(v.depth)) + abs(ddy_fine(v.depth));
    return float2(d, d * d + 0.25 * slope * slope);
}

groupshared float2 row[SHADOW];

[numthreads(128, 1, 1)]
void blur_moments(uint lane : SV_GroupIndex, uint3 group : SV_GroupID) {
    int3 at = int3(direction * int(lane) + direction.yx * int(group.y), group.z);
    row[lane] = direction.x ? moments[at] : half_blurred[at];
    GroupMemoryBarrierWithGroupSync();
    static const float weights[4] = { 0.31, 0.23, 0.09, 0.025 };
    float2 sum = row[lane] * weights[0];
    [unroll] for (int i = 1; i < 4; i++)
        sum += (row[max(int(lane) - i, 0)] + row[min(int(lane) + i, SHADOW - 1)]) * weights[i];
    if (direction.x) half_blurred_out[at] = sum;
    else moments_out[at] = sum;
}

// ---- light

float chebyshev(float2 m, float d) {
    if (d >= m.x - 0.002) return 1;
    float variance = max(m.y - m.x * m.x, 1e-5);
    float off = m.x - d;
    float most = variance / (variance + off * off);
    return saturate((most - 0.25) / 0.75);
}

float cascade_visibility(float3 world, uint cascade) {
    float4 clip = mul(cascades[cascade], float4(world, 1));
    float2 uv = clip.xy * 0.5 + 0.5;
    if (any(saturate(uv) != uv)) return 1;
    return chebyshev(moments.SampleLevel(bilinear, float3(uv, cascade), 0), 1 - clip.z);
}

float sun_visibility(float3 world, float away) {
    uint cascade = away < splits.x ? 0 : away < splits.y ? 1 : 2;
    float here = cascade_visibility(world, cascade);
    if (cascade == 2) return here;
    // The last eighth of a cascade blends into the next.
    float edge = cascade == 0 ? splits.x : splits.y;
    float blend = saturate((away / edge - 0.875) * 8);
    [branch] if (blend > 0) here = lerp(here, cascade_visibility(world, cascade + 1), blend);
    return here;
}

float phase(float cosine, float g) {
    return (1 - g * g) / (4 * PI * pow(1 + g * g - 2 * g * cosine, 1.5));
}

float slice_depth(float slice) {
    return near * pow(far / near, slice / FROXELS.z);
}

float3 ray_of(float2 uv) {
    return rays[0].xyz * (uv.x * 2 - 1) + rays[1].xyz * (uv.y * 2 - 1) + rays[2].xyz;
}

[numthreads(4, 4, 4)]
void light_froxels(uint3 id : SV_DispatchThreadID) {
    float3 ray = ray_of((id.xy + 0.5) / FROXELS.xy);
    float away = slice_depth(id.z + 0.5);
    float3 world = eye + ray * away;
    float wisps = 0;
    [unroll] for (uint octave = 0; octave < 3; octave++)
        wisps += noise.SampleLevel(tiled, world * (0.05 * (1u << octave)), 0).x / (1u << octave);
    float thick = density * saturate(1 + wisps * 0.8) * exp(-max(world.y, 0) * 0.28);
    float3 direction_in = normalize(ray);
    float3 light = sun_power * sun_visibility(world, away) * phase(dot(direction_in, to_sun), forwardness) * float3(1, 0.86, 0.66) * 2.5;
    light += float3(0.1, 0.14, 0.2) * 0.5;
    [loop] for (uint i = 0; i < 4; i++) {
        float3 to_sphere = spheres[i].place - world;
        float squared = dot(to_sphere, to_sphere);
        float window = saturate(1 - squared / (spheres[i].reach * spheres[i].reach));
        light += spheres[i].color * (window * window / (0.3 + squared) * (2.5 * phase(dot(direction_in, to_sphere * rsqrt(squared)), 0.3)));
    }
    scattered_out[id] = float4(light * thick, thick);
}

[numthreads(8, 8, 1)]
void march(uint2 id : SV_DispatchThreadID) {
    float stretch = length(ray_of((id + 0.5) / FROXELS.xy));
    float3 light = 0;
    float open = 1, before = slice_depth(0);
    for (uint z = 0; z < FROXELS.z; z++) {
        float4 here = scattered.Load(int4(id, z, 0));
        float after = slice_depth(z + 1.0), thickness = (after - before) * stretch;
        float through = exp(-here.a * thickness);
        // Light along the step, weakened on its way (Hillaire).
        light += open * here.rgb * (1 - through) / max(here.a, 1e-5);
        open *= through;
        before = after;
        fog_out[uint3(id, z)] = float4(light, open);
    }
}

// ---- scene

struct Fragment {
    float4 position : SV_Position;
    float3 world : WORLD;
    float3 normal : NORMAL;
};

Fragment scene_vs(uint id : SV_VertexID, uint instance : SV_InstanceID) {
    Corner c = solid(id, instance);
    Fragment o;
    o.position = mul(view_projection, float4(c.world, 1));
    o.world = c.world;
    o.normal = c.normal;
    return o;
}

float4 scene_ps(Fragment v) : SV_Target {
    float away = v.position.w;
    float3 n = v.normal;
    float sun = saturate(dot(n, to_sun)) * sun_visibility(v.world + n * 0.03, away);
    bool ground = v.world.y < 0.01;
    float3 albedo = ground ? float3(0.42, 0.37, 0.3) : float3(0.68, 0.62, 0.52);
    float2 tile = v.world.xz * 1.25;
    if (ground && (frac(tile.x) < 0.04 || frac(tile.y) < 0.04)) albedo *= 0.6;
    float3 light = sun * sun_power * 0.5 * float3(1, 0.9, 0.75) + float3(0.12, 0.15, 0.2) * (0.7 + 0.3 * n.y);
    for (uint i = 0; i < 4; i++) {
        float3 to_sphere = spheres[i].place - v.world;
        float squared = dot(to_sphere, to_sphere);
        float window = saturate(1 - squared / (spheres[i].reach * spheres[i].reach));
        light += spheres[i].color * (window * window / (0.3 + squared)) * saturate(dot(n, to_sphere * rsqrt(squared)) * 0.8 + 0.2) * 0.4;
    }
    if (max(abs(v.world.x), abs(v.world.z)) > 19.9 || v.world.y > 33.9) {
        albedo = 1;
        light = lerp(float3(0.5, 0.5, 0.5), float3(0.18, 0.3, 0.5), saturate(v.world.y / 20)) * 0.8;
    }
    float slice = log2(away / near) / log2(far / near);
    float4 air = fog.Sample(bilinear, float3(v.position.xy / screen, saturate(slice - 0.5 / FROXELS.z)));
    float3 color = albedo * light * air.a + air.rgb;
    return float4(sqrt(saturate(1 - exp(-color * 1.5))), 1);
}
