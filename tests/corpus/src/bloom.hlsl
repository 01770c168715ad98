//! permutation prefilter cs_6_0 down -D PREFILTER
//! permutation down cs_6_0 down
//! permutation up_lens cs_6_0 up -D LENS
// Bloom pyramid: 13-tap reduction with weights against fireflies, tent enlargement, lens dirt and
// ghosts.
#include "common.hlsli"

Texture2D<float4> source : register(t0);
Texture2D<float4> lower : register(t1);
Texture2D<float4> dirt : register(t2);
RWTexture2D<float4> output : register(u0);
cbuffer Bloom : register(b1) { float4 texel; float threshold, knee, intensity, radius; float4 ghost_tints[4]; };

float3 tap(float2 uv, float2 offset) { return source.SampleLevel(linear_clamp, uv + offset * texel.xy, 0).rgb; }
float weigh(float3 c) { return 1 / (1 + luminance(c)); }
float3 average(float3 a, float3 b, float3 c, float3 d) {
#ifdef PREFILTER
    float wa = weigh(a), wb = weigh(b), wc = weigh(c), wd = weigh(d);
    return (a * wa + b * wb + c * wc + d * wd) / (wa + wb + wc + wd);
#else
    return (a + b + c + d) * 0.25;
#endif
}

[numthreads(8, 8, 1)]
void down(uint2 id : SV_DispatchThreadID) {
    float2 uv = (id + 0.5) * texel.zw;
    float3 a = tap(uv, float2(-2, -2)), b = tap(uv, float2(0, -2)), c = tap(uv, float2(2, -2));
    float3 d = tap(uv, float2(-2, 0)), e = tap(uv, float2(0, 0)), f = tap(uv, float2(2, 0));
    float3 g = tap(uv, float2(-2, 2)), h = tap(uv, float2(0, 2)), i = tap(uv, float2(2, 2));
    float3 j = tap(uv, float2(-1, -1)), k = tap(uv, float2(1, -1)), l = tap(uv, float2(-1, 1)), m = tap(uv, float2(1, 1));
    float3 color = average(j, k, l, m) * 0.5;
    color += (average(a, b, d, e) + average(b, c, e, f) + average(d, e, g, h) + average(e, f, h, i)) * 0.125;
#ifdef PREFILTER
    float brightness = max3(color);
    float soft = clamp(brightness - threshold + knee, 0, 2 * knee);
    soft = soft * soft / (4 * knee + 1e-4);
    color *= max(soft, brightness - threshold) / max(brightness, 1e-4);
#endif
    output[id] = float4(color, 1);
}

[numthreads(8, 8, 1)]
void up(uint2 id : SV_DispatchThreadID) {
    float2 uv = (id + 0.5) * texel.zw;
    float3 sum = 0;
    [unroll] for (int y = -1; y <= 1; ++y)
        [unroll] for (int x = -1; x <= 1; ++x) sum += tap(uv, float2(x, y) * radius) * (2 - abs(x)) * (2 - abs(y));
    float3 color = lower.SampleLevel(linear_clamp, uv, 0).rgb + sum / 16 * intensity;
#ifdef LENS
    float2 flipped = 1 - uv;
    float2 ghost = (0.5 - flipped) * 0.4;
    [unroll] for (uint i = 0; i < 4; ++i) {
        float2 at = frac(flipped + ghost * i);
        float falloff = pow(saturate(1 - distance(at, 0.5) / 0.707), 8);
        color += source.SampleLevel(linear_clamp, at, 0).rgb * ghost_tints[i].rgb * falloff;
    }
    float2 halo = normalize(ghost) * 0.45;
    color += source.SampleLevel(linear_clamp, frac(flipped + halo), 0).rgb * pow(saturate(1 - distance(frac(flipped + halo), 0.5)), 20);
    color *= 1 + dirt.SampleLevel(linear_clamp, uv, 0).rgb;
#endif
    output[id] = float4(color, 1);
}
