// Multisampling as a renderer with HDR colours needs it: four samples of colour and of surface
// numbers are drawn (foliage cards with alpha made coverage, mirrors shaded per sample, centroid
// interpolation), a compute pass finds the pixels whose samples differ and packs them to bit masks
// by groupshared atomics, and the resolve weighs the samples of a pixel's neighbourhood by a filter
// of their positions and by the inverse of their luminance; where all samples agree it takes a
// short way. Compared with DXC's SPIR-V: bit masks, how many samples agree, picture. Tolerances:
// DXC reassociates floats for DXIL and not for SPIR-V: a sample next to an edge may be covered by
// the one or the other.
//! require sample_rate_shading shader_draw_parameters
//! resource b0 cbuffer 96 words -2.302083 0.1105948 -0.2098001 -0.2071776 0.0 -2.297607 -0.2237868 -0.2209894 -0.5004529 -0.508736 0.9650804 0.9530169 0.2001812 2.501101 6.663239 7.079948 1.5 2.6 -6.5 288.0 0.8 0.5 1.25 0.0
//! resource t0 texture2d rgba16_sfloat 288 288 1 1 zero samples=4
//! resource t1 texture2d r32_uint 288 288 1 1 zero samples=4
//! resource t2 texture2d rgba8_unorm 64 64 1 7 random_u32 13
//! resource t3 texture2d d32_sfloat 288 288 1 1 zero samples=4
//! resource u0 raw_buffer 10368 out zero
//! resource u1 texture2d r32_uint 288 288 1 1 out zero
//! resource u2 texture2d rgba8_unorm 288 288 1 1 out zero
//! resource t4 raw_buffer 10368 is=u0
//! resource s0 sampler linear linear linear repeat
//! spirv-args -D SPIRV
//! judge spirv
//! tolerance u0 f32
//! tolerance u0 mismatch 40
//! tolerance u1 f32
//! tolerance u1 mismatch 60
//! tolerance u2 unorm8 1
//! tolerance u2 mismatch 120
//! pass solid
//! stage vs_6_0 solid_vs
//! stage ps_6_0 solid_ps
//! samples 4
//! target t0 clear
//! target t1 clear
//! depth less 1.0 into=t3
//! pass mirrors
//! stage vs_6_0 mirror_vs
//! stage ps_6_0 mirror_ps
//! samples 4
//! target t0
//! target t1
//! depth less keep into=t3
//! pass leaves
//! stage vs_6_0 leaf_vs
//! stage ps_6_0 leaf_ps
//! samples 4
//! target t0
//! target t1
//! depth less keep into=t3
//! pass find
//! stage cs_6_0 find_edges
//! pass resolve
//! stage cs_6_0 resolve
//! run solid 36 15
//! run mirrors 1536 3
//! run leaves 6 60
//! run find 9 9 1
//! run resolve 36 36 1
cbuffer Frame : register(b0) {
    float4x4 view_projection;
    float3 eye;
    float size;
    float3 light;  // not normalised
};

Texture2DMS<float4, 4> colors : register(t0);
Texture2DMS<uint, 4> numbers : register(t1);
Texture2D<float4> grain : register(t2);
ByteAddressBuffer edges : register(t4);
RWByteAddressBuffer edges_out : register(u0);
RWTexture2D<uint> agreements : register(u1);
[[vk::image_format("rgba8")]] RWTexture2D<unorm float4> picture : register(u2);
SamplerState trilinear : register(s0);

static const float TAU = 6.28318531;
static const uint SAMPLES = 4;

struct Drawn {
    float4 color : SV_Target0;
    uint number : SV_Target1;
};

float3 sky(float3 d) {
    float3 color = lerp(float3(0.9, 0.85, 0.8), float3(0.15, 0.35, 0.8), saturate(d.y * 1.2 + 0.2));
    float sun = saturate(dot(d, normalize(light)));
    return color + pow(sun, 400) * 40;
}

// ---- solids: a floor and a fence of slanted bars

struct Solid {
    float4 position : SV_Position;
    float3 normal : NORMAL;
    centroid float2 uv : TEXCOORD0;
    nointerpolation uint instance : INSTANCE;
};

Solid solid_vs(uint id : SV_VertexID, uint instance : SV_InstanceID) {
    static const float2 corners[6] = { float2(-1, -1), float2(1, -1), float2(-1, 1), float2(-1, 1), float2(1, -1), float2(1, 1) };
    uint face = id / 6, axis = face >> 1;
    float2 c = corners[id % 6];
    float side = face & 1 ? 1.0 : -1.0;
    float3 local = axis == 0 ? float3(side, c) : axis == 1 ? float3(c.x, side, c.y) : float3(c, side);
    Solid o;
    o.normal = axis == 0 ? float3(side, 0, 0) : axis == 1 ? float3(0, side, 0) : float3(0, 0, side);
    o.uv = c;
    float3 world;
    if (instance == 0) {
        world = local * float3(9, 0.1, 9) - float3(0, 0.1, 0);
        o.uv = world.xz;
    } else {
        world = local * float3(0.035, 1.3, 0.035);
        world.x += world.y * (0.12 * ((instance % 5) - 2.0)) + (instance - 7.5) * 0.5;
        world += float3(0, 1.2, 2.2);
    }
    o.position = mul(view_projection, float4(world, 1));
    o.instance = instance;
    return o;
}

Drawn solid_ps(Solid v) {
    float diffuse = 0.3 + 0.7 * saturate(dot(v.normal, normalize(light)));
    float3 albedo = v.instance == 0 ? float3(0.35, 0.33, 0.3) : float3(0.9, 0.9, 0.85) * 3;
    albedo *= 0.6 + 0.8 * grain.Sample(trilinear, v.uv * 0.4).r;
    Drawn o;
    o.color = float4(albedo * diffuse, 1);
    o.number = 1 + v.instance;
    return o;
}

// ---- mirrors: spheres, shaded for each sample because the sun in them is small and bright

struct Mirror {
    float4 position : SV_Position;
    sample float3 world : WORLD;
    sample float3 normal : NORMAL;
    nointerpolation uint instance : INSTANCE;
};

Mirror mirror_vs(uint id : SV_VertexID, uint instance : SV_InstanceID) {
    static const uint2 corners[6] = { uint2(0, 0), uint2(1, 0), uint2(0, 1), uint2(0, 1), uint2(1, 0), uint2(1, 1) };
    uint quad = id / 6;
    float2 at = (uint2(quad & 15, quad >> 4) + corners[id % 6]) / 16.0;
    float s, c, ring, height;
    sincos(at.x * TAU, s, c);
    sincos(at.y * (TAU / 2), ring, height);
    Mirror o;
    o.normal = float3(c * ring, height, s * ring);
    o.world = o.normal * 0.7 + float3(instance * 1.7 - 1.7, 0.7, -0.4 * instance);
    o.position = mul(view_projection, float4(o.world, 1));
    o.instance = instance;
    return o;
}

Drawn mirror_ps(Mirror v, uint number : SV_SampleIndex) {
    float3 n = normalize(v.normal), ray = normalize(v.world - eye);
    float3 mirrored = reflect(ray, n);
    float3 color = sky(mirrored);
    if (mirrored.y < 0) {
        float2 at = v.world.xz - mirrored.xz * (v.world.y / mirrored.y);
        color = 0.3 * (0.6 + 0.8 * grain.SampleLevel(trilinear, at * 0.4, 1.5).r);
    }
    float fresnel = 0.4 + 0.6 * pow(1 - saturate(dot(n, -ray)), 5);
    Drawn o;
    // A small term that depends on the sample number makes per-sample shading visible.
    o.color = float4(color * fresnel * (1 + 0.01 * number), 1);
    o.number = 100 + v.instance;
    return o;
}

// ---- leaves: cards whose alpha becomes coverage, dithered over pixels

struct Leaf {
    float4 position : SV_Position;
    noperspective float2 uv : TEXCOORD0;
    nointerpolation uint instance : INSTANCE;
};

Leaf leaf_vs(uint id : SV_VertexID, uint instance : SV_InstanceID) {
    static const float2 corners[6] = { float2(-1, -1), float2(1, -1), float2(-1, 1), float2(-1, 1), float2(1, -1), float2(1, 1) };
    float2 c = corners[id];
    float s, k;
    sincos(instance * 2.399963, s, k);
    float far = sqrt((instance + 0.5) / 60.0);
    float3 world = float3(1.6 * far * k - 1.5, 2.3 + 0.9 * far * s, -0.6 + 0.02 * instance);
    sincos(instance * 1.7, s, k);
    world += float3(k * c.x - s * c.y, s * c.x + k * c.y, 0.3 * c.x) * 0.24;
    Leaf o;
    o.position = mul(view_projection, float4(world, 1));
    o.uv = c;
    o.instance = instance;
    return o;
}

Drawn leaf_ps(Leaf v, uint covered : SV_Coverage, out uint coverage : SV_Coverage) {
    // A leaf's outline, soft over a pixel.
    float width = 0.45 * (1 - v.uv.y * v.uv.y) * (1.2 + 0.3 * v.uv.y);
    float alpha = saturate((width - abs(v.uv.x)) / (fwidth(v.uv.x) * 1.5) + 0.5) * saturate(1 - pow(abs(v.uv.y), 8));
    uint2 at = (uint2)v.position.xy;
    float dither = frac(dot(float2(at), float2(0.7548777, 0.5698403)));
    uint wanted = min((uint)(alpha * SAMPLES + dither), SAMPLES);
    // The first covered sample changes from pixel to pixel.
    uint mask = (1u << wanted) - 1, turn = (at.x + 2 * at.y) & 3;
    mask = (mask << turn | mask >> (SAMPLES - turn)) & 0xf;
    coverage = mask & covered;
    float vein = smoothstep(0.03, 0.06, abs(v.uv.x)) * 0.4 + 0.6;
    Drawn o;
    o.color = float4((0.5 + 0.5 * cos(v.instance * 0.4 + float3(1.6, 0.2, 3))) * float3(0.5, 0.9, 0.25) * vein * (1.1 + 0.4 * v.uv.y), 1);
    o.number = 200 + v.instance;
    return o;
}

// ---- edges: a bit for each pixel, 32 pixels of a row to a word

groupshared uint rows[32];

[numthreads(32, 32, 1)]
void find_edges(uint2 id : SV_DispatchThreadID, uint2 lane : SV_GroupThreadID, uint2 group : SV_GroupID) {
    if (lane.x == 0) rows[lane.y] = 0;
    GroupMemoryBarrierWithGroupSync();
    uint width, height, count;
    numbers.GetDimensions(width, height, count);
    uint first = numbers.Load(id, 0), same = 1;
    for (uint i = 1; i < count; i++) same += numbers.Load(id, i) == first ? 1 : 0;
    agreements[id] = same | first << 8;
    if (same != count) InterlockedOr(rows[lane.y], 1u << lane.x);
    GroupMemoryBarrierWithGroupSync();
    if (lane.x == 0) edges_out.Store((id.y * (width / 32) + group.x) * 4, rows[lane.y]);
}

// ---- resolve

bool is_edge(int2 at) {
    return edges.Load((at.y * 9 + at.x / 32) * 4) >> (at.x & 31) & 1;
}

// SPIR-V has no such query, so the standard positions of four samples are constants there.
float2 sample_position(uint i) {
#ifdef SPIRV
    static const float2 standard[SAMPLES] = { float2(-2, -6), float2(6, -2), float2(-6, 2), float2(2, 6) };
    return standard[i] / 16;
#else
    return colors.GetSamplePosition(i);
#endif
}

float mitchell(float x) {
    const float b = 1 / 3.0, c = 1 / 3.0;
    x = abs(x) * 2;
    float y = x > 1 ? ((-b - 6 * c) * x * x * x + (6 * b + 30 * c) * x * x + (-12 * b - 48 * c) * x + 8 * b + 24 * c)
                    : ((12 - 9 * b - 6 * c) * x * x * x + (-18 + 12 * b + 6 * c) * x * x + 6 - 2 * b);
    return x > 2 ? 0 : y / 6;
}

float3 background(float2 at) {
    return sky(normalize(float3((at.x / size - 0.5) * 0.9, 0.35 - at.y / size * 0.8, 1)));
}

[numthreads(8, 8, 1)]
void resolve(uint2 id : SV_DispatchThreadID) {
    int2 at = int2(id);
    float3 sum = 0;
    float weights = 0;
    bool near_edge = false;
    int x, y;
    for (y = -1; y <= 1 && !near_edge; y++)
        for (x = -1; x <= 1; x++)
            if (is_edge(clamp(at + int2(x, y), 0, int(size) - 1))) {
                near_edge = true;
                break;
            }
    if (!near_edge) {
        [unroll] for (uint i = 0; i < SAMPLES; i++) sum += colors.Load(at, i).rgb / SAMPLES;
        if (numbers.Load(at, 0) == 0) sum = background(at + 0.5);
    } else {
        for (y = -1; y <= 1; y++) {
            for (x = -1; x <= 1; x++) {
                int2 there = clamp(at + int2(x, y), 0, int(size) - 1);
                for (uint i = 0; i < SAMPLES; i++) {
                    float2 from = int2(x, y) + sample_position(i);
                    float weight = max(mitchell(from.x * 0.8) * mitchell(from.y * 0.8), 0);
                    float3 c = numbers.Load(there, i) ? colors.Load(there, i).rgb : background(there + 0.5 + sample_position(i));
                    weight /= 1 + dot(c, float3(0.2126, 0.7152, 0.0722));
                    sum += c * weight;
                    weights += weight;
                }
            }
        }
        sum /= max(weights, 1e-4);
    }
    picture[id] = float4(sqrt(saturate(1 - exp(-sum * 1.4))), 1);
}
