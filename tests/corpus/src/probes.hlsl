//! permutation project cs_6_0 project
//! permutation gather ps_6_0 gather
//! permutation gather_order3 ps_6_0 gather -D ORDER3
// Irradiance probes: projection of cube maps to spherical harmonics, relighting, and lookup with
// visibility.
#include "common.hlsli"

struct Probe { float4 coefficients[9]; float3 position; float validity; };
TextureCube<float4> radiance : register(t0);
StructuredBuffer<Probe> probes : register(t1);
Texture2DArray<float2> visibility : register(t2);
Texture2D<float> depth_map : register(t3);
Texture2D<float4> normal_map : register(t4);
RWStructuredBuffer<Probe> results : register(u0);
cbuffer Grid : register(b1) { float4 origin; float4 spacing; uint4 dimensions; uint probe_index; float hysteresis; };

groupshared float4 partial[64][9];

void basis(float3 d, out float b[9]) {
    b[0] = 0.282095;
    b[1] = 0.488603 * d.y;
    b[2] = 0.488603 * d.z;
    b[3] = 0.488603 * d.x;
    b[4] = 1.092548 * d.x * d.y;
    b[5] = 1.092548 * d.y * d.z;
    b[6] = 0.315392 * (3 * d.z * d.z - 1);
    b[7] = 1.092548 * d.x * d.z;
    b[8] = 0.546274 * (d.x * d.x - d.y * d.y);
}
float3 evaluate(Probe p, float3 n) {
    float b[9];
    basis(n, b);
    float3 sum = p.coefficients[0].rgb * b[0] * PI;
    [unroll] for (uint i = 1; i < 4; ++i) sum += p.coefficients[i].rgb * b[i] * 2.0943951;
#ifdef ORDER3
    [unroll] for (uint j = 4; j < 9; ++j) sum += p.coefficients[j].rgb * b[j] * 0.7853982;
#endif
    return max(sum, 0);
}
float3 face_direction(uint face, float2 uv) {
    switch (face) {
        case 0: return float3(1, -uv.y, -uv.x);
        case 1: return float3(-1, -uv.y, uv.x);
        case 2: return float3(uv.x, 1, uv.y);
        case 3: return float3(uv.x, -1, -uv.y);
        case 4: return float3(uv.x, -uv.y, 1);
        default: return float3(-uv.x, -uv.y, -1);
    }
}

[numthreads(64, 1, 1)]
void project(uint t : SV_GroupIndex) {
    float4 sums[9];
    [unroll] for (uint z = 0; z < 9; ++z) sums[z] = 0;
    [loop] for (uint face = 0; face < 6; ++face) {
        [unroll] for (uint k = 0; k < 4; ++k) {
            float2 uv = (float2(t % 8, t / 8) * 2 + float2(k & 1, k >> 1) + 0.5) / 8 - 1;
            float3 d = face_direction(face, uv);
            float weight = 4 / (sqrt(1 + dot(uv, uv)) * (1 + dot(uv, uv)));
            d = normalize(d);
            float3 color = radiance.SampleLevel(linear_clamp, d, 2).rgb;
            float b[9];
            basis(d, b);
            [unroll] for (uint i = 0; i < 9; ++i) sums[i] += float4(color, 1) * b[i] * weight;
        }
    }
    [unroll] for (uint s = 0; s < 9; ++s) partial[t][s] = sums[s];
    GroupMemoryBarrierWithGroupSync();
    [unroll] for (uint half_ = 32; half_ > 0; half_ >>= 1) {
        if (t < half_) [unroll] for (uint i = 0; i < 9; ++i) partial[t][i] += partial[t + half_][i];
        GroupMemoryBarrierWithGroupSync();
    }
    if (t < 9) results[probe_index].coefficients[t] = lerp(partial[0][t] * (4 * PI / 1536), results[probe_index].coefficients[t], hysteresis);
}

[numthreads(64, 1, 1)]
void relight(uint id : SV_DispatchThreadID) {
    Probe p = results[id];
    float b[9];
    basis(-sun_direction.xyz, b);
    float3 c = evaluate(p, -sun_direction.xyz);
    [unroll] for (uint i = 0; i < 9; ++i) p.coefficients[i] = lerp(p.coefficients[i], float4(sun_color.rgb * c * b[i], 1), 1 - hysteresis);
    p.validity = saturate(p.validity + delta_time * (luminance(c) > 1e-4 ? 1 : -1));
    results[id] = p;
}

float4 gather(float4 position : SV_Position, float2 uv : TEXCOORD) : SV_Target {
    float depth = depth_map.Load(int3(position.xy, 0));
    if (depth >= 1) discard;
    float3 world = world_from_depth(uv, depth), n = octahedral_decode(normal_map.Load(int3(position.xy, 0)).xy);
    float3 to_eye = normalize(camera_position.xyz - world);
    float3 biased = world + (n * 0.2 + to_eye * 0.8) * spacing.w;
    float3 cell = (biased - origin.xyz) / spacing.xyz;
    int3 base = (int3)floor(cell);
    float3 f = saturate(cell - base);
    float3 sum = 0;
    float weights = 0;
    [unroll] for (uint i = 0; i < 8; ++i) {
        int3 corner = int3(i & 1, i >> 1 & 1, i >> 2);
        uint3 at = (uint3)clamp(base + corner, 0, (int3)dimensions.xyz - 1);
        uint index = (at.z * dimensions.y + at.y) * dimensions.x + at.x;
        Probe p = probes[index];
        float3 to_probe = p.position - world;
        float len = length(to_probe);
        float3 direction = to_probe / max(len, 1e-4);
        float3 linear_weight = lerp(1 - f, f, (float3)corner);
        float weight = pow2((dot(direction, n) + 1) * 0.5) + 0.2;
        float2 moments = visibility.SampleLevel(linear_clamp, float3(octahedral_encode(-direction), index), 0);
        float variance = abs(moments.x * moments.x - moments.y);
        float excess = max(length(p.position - biased) - moments.x, 0);
        float chebyshev = variance / (variance + excess * excess);
        weight *= max(chebyshev * chebyshev * chebyshev, 0.05) * p.validity;
        if (weight < 0.2) weight *= weight * weight * 25;
        weight *= linear_weight.x * linear_weight.y * linear_weight.z + 0.001;
        sum += sqrt(evaluate(p, n)) * weight;
        weights += weight;
    }
    float3 irradiance = sum / max(weights, 1e-4);
    return float4(irradiance * irradiance, 1);
}
