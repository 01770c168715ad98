// Ambient occlusion in screen space: a prepass draws a block city (normals, depth, and with early
// depth tests a count of shaded fragments), depth is halved by a checkerboard of nearest and
// farthest, 16 samples of a rotated hemisphere are tested at half size, two groupshared passes blur
// along rows and columns without crossing edges of depth, and the picture gathers what lies nearest
// in depth. Compared with DXC's SPIR-V: normals, fragment counts, linear depth, raw and blurred
// occlusion, picture. Tolerances: DXC reassociates floats for DXIL and not for SPIR-V; a sample at
// the very depth of the surface may fall to either side.
//! require fragment_stores_and_atomics storage_image_write_without_format shader_draw_parameters
//! resource b0 cbuffer 144 words -0.7661915 0.2692073 0.5835049 0.0 0.0 0.9080201 -0.4189266 0.0 0.6426123 0.320978 0.6957173 0.0 0.03707378 -0.9942737 13.36077 1.0 2.605089 0.0 0.0 0.0 0.0 -2.605089 0.0 0.0 0.0 0.0 1.012658 1.0 0.0 0.0 -0.5063291 0.0 2.605089 -2.605089 1.012658 -0.5063291
//! resource b1 cbuffer 272 words 0.02518 0.04954 0.08314 0.0 0.03525 0.09486 0.02179 0.0 -0.00913 -0.0748 0.08563 0.0 -0.09665 0.08437 0.02948 0.0 0.04664 -0.14824 0.01621 0.0 0.14194 -0.11104 0.05317 0.0 -0.08337 -0.20062 0.06428 0.0 -0.11407 0.19118 0.15674 0.0 -0.14655 -0.01494 0.2897 0.0 0.22426 0.30963 0.04337 0.0 0.29468 -0.13705 0.31351 0.0 -0.18026 0.03066 0.49255 0.0 0.1022 -0.4246 0.42048 0.0 -0.15574 -0.43465 0.51832 0.0 0.63734 -0.0866 0.45708 0.0 -0.01625 0.85431 0.25259 0.0 0.9 0.02 1.6 0.0
//! resource b2 cbuffer 16 zero
//! resource t0 texture2d rgba16_sfloat 320 320 1 1 out zero
//! resource t1 texture2d d32_sfloat 320 320 1 1 zero
//! resource t2 texture2d rgba8_snorm 4 4 1 1 random_u32 12
//! resource u0 texture2d r32_uint 320 320 1 1 out zero
//! resource u1 texture2d r32_sfloat 160 160 1 1 out zero
//! resource t3 texture2d r32_sfloat 160 160 1 1 is=u1
//! resource t4 texture2d r32_sfloat 160 160 1 1 out zero
//! resource u2 texture2d r32_sfloat 160 160 1 1 is=t4
//! resource u3 texture2d r32_sfloat 160 160 1 1 zero
//! resource t5 texture2d r32_sfloat 160 160 1 1 is=u3
//! resource t6 texture2d rgba8_unorm 320 320 1 1 out zero
//! resource t7 texture2d r32_sfloat 160 160 1 1 out zero
//! resource s0 sampler nearest nearest nearest clamp
//! resource s1 sampler nearest nearest nearest repeat
//! judge spirv
//! tolerance t0 f16 ulp=1 abs=0.0001
//! tolerance u1 f32 abs=0.0003   # a unit in the last place of depth is that much far away
//! tolerance t4 f32 abs=0.0002
//! tolerance t4 mismatch 50
//! tolerance t6 unorm8 1
//! tolerance t6 mismatch 10
//! tolerance t7 f32 abs=0.0002
//! tolerance t7 mismatch 10
//! pass prepass
//! stage vs_6_0 block_vs
//! stage ps_6_0 block_ps
//! vertex 0 rgba32_sfloat random_f32 18 0.0 1.0 rate=instance
//! target t0 clear
//! depth less 1.0 into=t1
//! pass halve
//! stage cs_6_0 halve_depth
//! pass occlude
//! stage vs_6_0 screen_vs
//! stage ps_6_0 occlusion_ps
//! target t7 clear
//! pass blur
//! stage cs_6_0 blur
//! pass compose
//! stage vs_6_0 screen_vs
//! stage ps_6_0 compose_ps
//! target t6 clear
//! run prepass 36 82
//! run halve 20 20 1
//! run occlude 3
//! update b2 1 0
//! run blur 2 160 1
//! update b2 0 1
//! run blur 2 160 1
//! run compose 3
cbuffer Camera : register(b0) {
    float4x4 to_view;
    float4x4 projection;
    float4 lens;  // the projection's x and y scale, depth scale and offset
};
cbuffer Occlusion : register(b1) {
    float4 kernel[16];
    float radius;
    float bias;
    float strength;
};
cbuffer Direction : register(b2) {
    int2 direction;
};

Texture2D<float4> normals : register(t0);
Texture2D<float> depth : register(t1);
Texture2D<float4> rotations : register(t2);
Texture2D<float> half_depth : register(t3);
Texture2D<float> blurred : register(t4);
Texture2D<float> between : register(t5);
Texture2D<float> raw : register(t7);
RWTexture2D<uint> shaded : register(u0);
RWTexture2D<float> half_depth_out : register(u1);
RWTexture2D<float> blurred_out : register(u2);
RWTexture2D<float> between_out : register(u3);
SamplerState nearest : register(s0);
SamplerState tiled : register(s1);

static const uint2 SIZE = uint2(320, 320), HALF = uint2(160, 160);

// ---- the city: instance 0 is the ground

struct Block {
    float4 position : SV_Position;
    float3 normal : NORMAL;
    noperspective float2 screen : TEXCOORD0;
    nointerpolation float tone : TONE;
};

Block block_vs(uint id : SV_VertexID, uint instance : SV_InstanceID, float4 seed : SEED) {
    static const float2 corners[6] = { float2(-1, -1), float2(1, -1), float2(-1, 1), float2(-1, 1), float2(1, -1), float2(1, 1) };
    uint face = id / 6, axis = face >> 1;
    float2 c = corners[id % 6];
    float side = face & 1 ? 1.0 : -1.0;
    float3 local = axis == 0 ? float3(side, c) : axis == 1 ? float3(c.x, side, c.y) : float3(c, side);
    float3 normal = axis == 0 ? float3(side, 0, 0) : axis == 1 ? float3(0, side, 0) : float3(0, 0, side);
    float3 size = float3(9, 0.2, 9), place = float3(0, -0.2, 0);
    if (instance > 0) {
        uint cell = instance - 1;
        float2 grid = float2(cell % 9, cell / 9) - 4;
        size = float3(0.3 + 0.25 * seed.x, 0.2 + 1.6 * seed.y * seed.y, 0.3 + 0.25 * seed.z);
        place = float3(grid.x * 1.25, size.y - 0.1, grid.y * 1.25);
        float s, k;
        sincos((seed.w - 0.5) * 0.8, s, k);
        local.xz = float2(k * local.x * size.x - s * local.z * size.z, s * local.x * size.x + k * local.z * size.z) / size.xz;
        normal.xz = float2(k * normal.x - s * normal.z, s * normal.x + k * normal.z);
    }
    Block o;
    float4 world = float4(local * size + place, 1);
    o.position = mul(projection, mul(to_view, world));
    o.normal = mul((float3x3)to_view, normal);
    o.screen = o.position.xy / o.position.w;
    o.tone = instance > 0 ? 0.5 + 0.5 * seed.x : 0.6;
    return o;
}

// With early depth tests, a fragment behind the existing depth is not counted. A fragment in front
// of it is counted, although another may cover it later.
[earlydepthstencil]
float4 block_ps(Block v) : SV_Target {
    uint before;
    InterlockedAdd(shaded[(uint2)v.position.xy], 1, before);
    return float4(normalize(v.normal), v.tone);
}

// ---- depth

float linear_depth(float z) {
    return lens.w / (z - lens.z);
}

float3 view_position(float2 uv, float away) {
    return float3((uv * 2 - 1) / lens.xy * away, away);
}

[numthreads(8, 8, 1)]
void halve_depth(uint2 id : SV_DispatchThreadID) {
    float4 four = depth.GatherRed(nearest, (id * 2 + 1.0) / SIZE);
    float2 two = float2(min(four.x, four.y), max(four.x, four.y)), rest = float2(min(four.z, four.w), max(four.z, four.w));
    float chosen = (id.x + id.y) & 1 ? min(two.x, rest.x) : max(two.y, rest.y);
    half_depth_out[id] = linear_depth(chosen);
}

// ---- occlusion

struct Screen {
    float4 position : SV_Position;
    float2 uv : TEXCOORD0;
};

Screen screen_vs(uint id : SV_VertexID) {
    Screen o;
    o.uv = float2(id << 1 & 2, id & 2);
    o.position = float4(o.uv * 2 - 1, 0, 1);
    return o;
}

float occlusion_ps(Screen v) : SV_Target {
    float away = half_depth.SampleLevel(nearest, v.uv, 0);
    if (away > 35) return 1;
    float3 place = view_position(v.uv, away);
    float3 n = normals.SampleLevel(nearest, v.uv, 0).xyz;
    float2 turn = rotations.SampleLevel(tiled, v.position.xy / 4, 0).xy;
    float3 tangent = normalize(float3(turn, 0.1) - n * dot(float3(turn, 0.1), n));
    float3x3 basis = float3x3(tangent, cross(n, tangent), n);
    float occluded = 0;
    [loop] for (uint i = 0; i < 16; i++) {
        float3 at = place + mul(kernel[i].xyz, basis) * radius;
        float2 uv = at.xy / at.z * lens.xy * 0.5 + 0.5;
        if (any(saturate(uv) != uv)) continue;
        float there = half_depth.SampleLevel(nearest, uv, 0);
        float near = smoothstep(0, 1, radius / max(abs(away - there), 1e-4));
        occluded += at.z - there > bias ? near : 0;
    }
    return pow(saturate(1 - occluded / 16), strength);
}

// ---- blur: rows first, then columns; 80 texels and 8 to either side to a group

static const int REACH = 8, SPAN = 80;
groupshared float2 cache[SPAN + 2 * REACH];

float2 fetch(int2 at) {
    at = clamp(at, 0, int2(HALF) - 1);
    float value = direction.x ? raw.Load(int3(at, 0)) : between.Load(int3(at, 0));
    return float2(value, half_depth.Load(int3(at, 0)));
}

[numthreads(96, 1, 1)]
void blur(uint lane : SV_GroupIndex, uint2 group : SV_GroupID) {
    int along = int(group.x) * SPAN + int(lane) - REACH;
    int2 across = int2(direction.y, direction.x) * int(group.y);
    cache[lane] = fetch(direction * along + across);
    GroupMemoryBarrierWithGroupSync();
    if (lane < (uint)REACH || lane >= uint(SPAN + REACH)) return;
    float2 middle = cache[lane];
    float sum = middle.x, weights = 1;
    [unroll] for (int i = -REACH; i <= REACH; i++) {
        if (i == 0) continue;
        float2 other = cache[int(lane) + i];
        float weight = exp(-i * i / 18.0 - abs(other.y - middle.y) * 6);
        sum += other.x * weight;
        weights += weight;
    }
    int2 at = direction * along + across;
    if (direction.x) between_out[at] = sum / weights;
    else blurred_out[at] = sum / weights;
}

// ---- picture

float4 compose_ps(Screen v) : SV_Target {
    int3 at = int3(v.position.xy, 0);
    float z = depth.Load(at);
    if (z == 1) return float4(0.75, 0.82, 0.9, 1);
    float away = linear_depth(z);
    // The four texels around, weighed by place and by nearness in depth.
    float2 corner = v.position.xy / 2 - 0.5;
    float2 f = frac(corner), uv = (floor(corner) + 1) / HALF;
    float4 occlusion = blurred.Gather(nearest, uv), depths = half_depth.Gather(nearest, uv);
    float4 weight = float4((1 - f.x) * f.y, f.x * f.y, f.x * (1 - f.y), (1 - f.x) * (1 - f.y));
    weight *= 1 / (0.02 + abs(depths - away));
    float open = dot(occlusion, weight) / dot(weight, 1);
    float4 surface = normals.Load(at);
    float sun = saturate(dot(surface.xyz, normalize(float3(-0.5, 0.7, -0.4))));
    min16float3 tint = min16float3(lerp(float3(0.85, 0.75, 0.62), float3(0.95, 0.95, 0.92), surface.w));
    float3 color = tint * (0.55 * open + 0.45 * sun * (0.4 + 0.6 * open)) * (0.6 + 0.4 * surface.w);
    return float4(sqrt(color), 1);
}
