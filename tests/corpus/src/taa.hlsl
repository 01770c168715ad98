//! permutation plain cs_6_0 main
//! permutation catmull_rom cs_6_0 main -D CATMULL_ROM
//! permutation variance cs_6_0 main -D CATMULL_ROM -D VARIANCE
//! permutation upscale cs_6_0 main -D CATMULL_ROM -D UPSCALE -D VARIANCE
// Temporal anti-aliasing with a group-shared neighbourhood.
#include "common.hlsli"

Texture2D<float4> current : register(t0);
Texture2D<float4> history : register(t1);
Texture2D<float2> velocity_map : register(t2);
Texture2D<float> depth_map : register(t3);
RWTexture2D<float4> output : register(u0);
cbuffer Temporal : register(b1) { float blend, sharpness, variance_scale, upscale_ratio; };

groupshared float3 colors[10][10];
groupshared float depths[10][10];

float3 to_ycocg(float3 c) { return float3(dot(c, float3(0.25, 0.5, 0.25)), dot(c, float3(0.5, 0, -0.5)), dot(c, float3(-0.25, 0.5, -0.25))); }
float3 from_ycocg(float3 c) { return float3(c.x + c.y - c.z, c.x + c.z, c.x - c.y - c.z); }
float3 compress(float3 c) { return c / (1 + max3(c)); }
float3 expand(float3 c) { return c / max(1 - max3(c), 1e-4); }

float3 clip_box(float3 low, float3 high, float3 value) {
    float3 center = (low + high) * 0.5, extent = (high - low) * 0.5 + 1e-4;
    float3 v = value - center;
    float unit = max3(abs(v / extent));
    return unit > 1 ? center + v / unit : value;
}

float3 sample_history(float2 uv) {
#ifdef CATMULL_ROM
    float2 size = viewport.xy;
    float2 p = uv * size;
    float2 center = floor(p - 0.5) + 0.5;
    float2 f = p - center;
    float2 w0 = f * (-0.5 + f * (1 - 0.5 * f)), w1 = 1 + f * f * (-2.5 + 1.5 * f);
    float2 w2 = f * (0.5 + f * (2 - 1.5 * f)), w3 = f * f * (-0.5 + 0.5 * f);
    float2 w12 = w1 + w2;
    float2 t0 = (center - 1) / size, t3 = (center + 2) / size, t12 = (center + w2 / w12) / size;
    float4 sum = 0;
    sum += float4(history.SampleLevel(linear_clamp, float2(t12.x, t0.y), 0).rgb, 1) * w12.x * w0.y;
    sum += float4(history.SampleLevel(linear_clamp, float2(t0.x, t12.y), 0).rgb, 1) * w0.x * w12.y;
    sum += float4(history.SampleLevel(linear_clamp, t12, 0).rgb, 1) * w12.x * w12.y;
    sum += float4(history.SampleLevel(linear_clamp, float2(t3.x, t12.y), 0).rgb, 1) * w3.x * w12.y;
    sum += float4(history.SampleLevel(linear_clamp, float2(t12.x, t3.y), 0).rgb, 1) * w12.x * w3.y;
    return max(sum.rgb / sum.a, 0);
#else
    return history.SampleLevel(linear_clamp, uv, 0).rgb;
#endif
}

[numthreads(8, 8, 1)]
void main(uint2 pixel : SV_DispatchThreadID, uint2 thread : SV_GroupThreadID, uint2 group : SV_GroupID, uint local : SV_GroupIndex) {
    for (uint i = local; i < 100; i += 64) {
        int2 at = clamp((int2)(group * 8) + int2(i % 10, i / 10) - 1, 0, (int2)viewport.xy - 1);
#ifdef UPSCALE
        at = (int2)(at * upscale_ratio);
#endif
        colors[i / 10][i % 10] = to_ycocg(compress(current.Load(int3(at, 0)).rgb));
        depths[i / 10][i % 10] = depth_map.Load(int3(at, 0));
    }
    GroupMemoryBarrierWithGroupSync();
    float3 low = 1e9, high = -1e9, mean = 0, square = 0, filtered = 0;
    float weights = 0, nearest = 2;
    int2 nearest_offset = 0;
    [unroll] for (int y = -1; y <= 1; ++y) {
        [unroll] for (int x = -1; x <= 1; ++x) {
            float3 c = colors[thread.y + 1 + y][thread.x + 1 + x];
            float d = depths[thread.y + 1 + y][thread.x + 1 + x];
            low = min(low, c);
            high = max(high, c);
            mean += c;
            square += c * c;
            float2 distance_ = float2(x, y) - jitter.xy * viewport.xy * 0.5;
            float w = exp(-2.29 * dot(distance_, distance_));
            filtered += c * w;
            weights += w;
            if (d < nearest) {
                nearest = d;
                nearest_offset = int2(x, y);
            }
        }
    }
    filtered /= weights;
#ifdef VARIANCE
    mean /= 9;
    float3 deviation = sqrt(max(square / 9 - mean * mean, 0)) * variance_scale;
    low = max(low, mean - deviation);
    high = min(high, mean + deviation);
#endif
    float2 uv = (pixel + 0.5) * viewport.zw;
    float2 velocity = velocity_map.Load(int3(clamp((int2)pixel + nearest_offset, 0, (int2)viewport.xy - 1), 0));
    float2 before = uv - velocity;
    float3 result = filtered;
    if (all(before >= 0) && all(before <= 1)) {
        float3 old = clip_box(low, high, to_ycocg(compress(sample_history(before))));
        float speed = length(velocity * viewport.xy);
        float weight = lerp(blend, 0.2, saturate(speed / 20));
        float contrast = abs(old.x - filtered.x) / max(max(old.x, filtered.x), 0.2);
        weight *= lerp(1, 0.5, pow2(1 - contrast));
        result = lerp(old, filtered, weight);
    }
    float3 center = colors[thread.y + 1][thread.x + 1];
    result += (center - filtered) * sharpness;
    output[pixel] = float4(expand(max(from_ycocg(result), 0)), 1);
}
