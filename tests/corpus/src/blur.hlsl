//! permutation radius8 cs_6_0 main -D RADIUS=8
//! permutation radius16 cs_6_0 main -D RADIUS=16
//! permutation radius16_bilateral cs_6_0 main -D RADIUS=16 -D BILATERAL
//! permutation radius32 cs_6_0 main -D RADIUS=32 -D BILATERAL
// A separable Gaussian through group-shared memory, unrolled by radius.
#include "common.hlsli"

Texture2D<float4> source : register(t0);
Texture2D<float> depth_map : register(t1);
RWTexture2D<float4> output : register(u0);
cbuffer Blur : register(b1) { int2 direction; float sigma, depth_sigma; };

groupshared float4 row[128 + 2 * RADIUS];
#ifdef BILATERAL
groupshared float row_depth[128 + 2 * RADIUS];
#endif

[numthreads(128, 1, 1)]
void main(uint2 group : SV_GroupID, uint local : SV_GroupIndex) {
    int2 base = direction.x ? int2(group.x * 128, group.y) : int2(group.y, group.x * 128);
    for (uint i = local; i < 128 + 2 * RADIUS; i += 128) {
        int2 at = clamp(base + direction * ((int)i - RADIUS), 0, (int2)viewport.xy - 1);
        row[i] = source.Load(int3(at, 0));
#ifdef BILATERAL
        row_depth[i] = linear_depth(depth_map.Load(int3(at, 0)));
#endif
    }
    GroupMemoryBarrierWithGroupSync();
    float4 sum = 0;
    float weights = 0;
    float scale = -0.5 / (sigma * sigma);
#ifdef BILATERAL
    float center = row_depth[local + RADIUS];
#endif
    [unroll] for (int k = -RADIUS; k <= RADIUS; ++k) {
        float w = exp2(scale * k * k);
#ifdef BILATERAL
        float difference = (row_depth[local + RADIUS + k] - center) * depth_sigma;
        w *= exp2(-difference * difference);
#endif
        sum += row[local + RADIUS + k] * w;
        weights += w;
    }
    output[base + direction * (int)local] = sum / weights;
}
