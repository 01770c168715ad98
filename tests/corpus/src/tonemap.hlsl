//! permutation aces ps_6_0 main -D ACES
//! permutation graded ps_6_0 main -D ACES -D GRADING -D LUT
//! permutation final ps_6_0 main -D ACES -D GRADING -D LUT -D VIGNETTE -D GRAIN -D ABERRATION -D DITHER
// Exposure, tone curves and colour grading.
#include "common.hlsli"

Texture2D<float4> scene : register(t0);
Texture2D<float4> bloom : register(t1);
Texture3D<float4> table : register(t2);
Buffer<float> adapted : register(t3);
cbuffer Tone : register(b1) {
    float4 lift, gamma, gain, balance;
    float contrast, saturation, hue_shift, bloom_amount;
    float4 vignette;
    float4 mixer[3];
};

float3 reinhard(float3 c) { float l = luminance(c); return c * (1 + l / 16) / (1 + l); }
float3 filmic(float3 x) { return ((x * (0.15 * x + 0.05) + 0.004) / (x * (0.15 * x + 0.5) + 0.06)) - 0.02 / 0.3; }
float3 aces(float3 c) {
    static const float3x3 into = {0.59719, 0.35458, 0.04823, 0.07600, 0.90834, 0.01566, 0.02840, 0.13383, 0.83777};
    static const float3x3 out_of = {1.60475, -0.53108, -0.07367, -0.10208, 1.10813, -0.00605, -0.00327, -0.07276, 1.07602};
    c = mul(into, c);
    c = (c * (c + 0.0245786) - 0.000090537) / (c * (0.983729 * c + 0.4329510) + 0.238081);
    return saturate(mul(out_of, c));
}
float3 to_srgb(float3 c) { return c < 0.0031308 ? c * 12.92 : 1.055 * pow(abs(c), 1 / 2.4) - 0.055; }

float3 to_hsv(float3 c) {
    float4 k = float4(0, -1.0 / 3, 2.0 / 3, -1);
    float4 p = c.g < c.b ? float4(c.bg, k.wz) : float4(c.gb, k.xy);
    float4 q = c.r < p.x ? float4(p.xyw, c.r) : float4(c.r, p.yzx);
    float d = q.x - min(q.w, q.y);
    return float3(abs(q.z + (q.w - q.y) / (6 * d + 1e-5)), d / (q.x + 1e-5), q.x);
}
float3 from_hsv(float3 c) {
    float3 p = abs(frac(c.xxx + float3(1, 2.0 / 3, 1.0 / 3)) * 6 - 3);
    return c.z * lerp(1, saturate(p - 1), c.y);
}

float4 main(float4 position : SV_Position, float2 uv : TEXCOORD) : SV_Target {
    float3 color;
#ifdef ABERRATION
    float2 shift = (uv - 0.5) * dot(uv - 0.5, uv - 0.5) * 0.02;
    color = 0;
    float3 weights = 0;
    [unroll] for (uint i = 0; i < 8; ++i) {
        float t = i / 7.0;
        float3 w = saturate(float3(1 - 2 * abs(t - 0), 1 - 2 * abs(t - 0.5), 1 - 2 * abs(t - 1)));
        color += scene.SampleLevel(linear_clamp, uv + shift * (t - 0.5), 0).rgb * w;
        weights += w;
    }
    color /= weights;
#else
    color = scene.SampleLevel(point_clamp, uv, 0).rgb;
#endif
    color += bloom.SampleLevel(linear_clamp, uv, 0).rgb * bloom_amount;
    color *= exposure / max(adapted[0], 1e-3);
#ifdef VIGNETTE
    float2 d = abs(uv - 0.5) * vignette.x;
    d.x *= lerp(1, viewport.x * viewport.w, vignette.z);
    color *= pow(saturate(1 - dot(d, d)), vignette.y);
#endif
#ifdef GRADING
    color = mul(float3x3(mixer[0].xyz, mixer[1].xyz, mixer[2].xyz), color * balance.rgb);
    float3 logarithmic = log2(max(color, 1e-5) / 0.18);
    color = 0.18 * exp2(logarithmic * contrast);
    color = pow(max(gain.rgb * (color + lift.rgb * (1 - color)), 0), 1 / gamma.rgb);
    float grey = luminance(color);
    color = max(lerp(grey, color, saturation), 0);
    float3 hsv = to_hsv(color);
    hsv.x = frac(hsv.x + hue_shift);
    color = from_hsv(hsv);
#endif
#ifdef REINHARD
    color = reinhard(color);
#elif defined(FILMIC)
    color = filmic(color * 2) / filmic(11.2);
#else
    color = aces(color * 0.6);
#endif
#ifdef LUT
    color = table.SampleLevel(linear_clamp, to_srgb(color) * (31.0 / 32) + 0.5 / 32, 0).rgb;
#else
    color = to_srgb(color);
#endif
#ifdef GRAIN
    uint state = hash((uint)position.x + hash((uint)position.y + hash(frame_index)));
    float grain = random01(state) + random01(state) - 1;
    color += grain * 0.04 * (1 - sqrt(luminance(color)));
#endif
#ifdef DITHER
    color += (interleaved_noise(position.xy) - 0.5) / 255;
#endif
    return float4(color, luminance(color));
}
