//! permutation pcf ps_6_0 main -D PCF
//! permutation pcss ps_6_0 main -D PCSS
//! permutation contact ps_6_0 main -D PCF -D CONTACT
// Screen-space shadow masks of several filters.
#include "common.hlsli"

Texture2D<float> depth_map : register(t0);
Texture2D<float> shadow_map : register(t1);
Texture2D<float4> moments : register(t2);
cbuffer Shadow : register(b1) { float4x4 shadow_matrix; float4 bias; float4 light_size; };

static const float2 poisson[16] = {
    float2(-0.94201624, -0.39906216), float2(0.94558609, -0.76890725), float2(-0.09418410, -0.92938870), float2(0.34495938, 0.29387760),
    float2(-0.91588581, 0.45771432), float2(-0.81544232, -0.87912464), float2(-0.38277543, 0.27676845), float2(0.97484398, 0.75648379),
    float2(0.44323325, -0.97511554), float2(0.53742981, -0.47373420), float2(-0.26496911, -0.41893023), float2(0.79197514, 0.19090188),
    float2(-0.24188840, 0.99706507), float2(-0.81409955, 0.91437590), float2(0.19984126, 0.78641367), float2(0.14383161, -0.14100790)};

float2 rotate(float2 v, float2 r) { return float2(v.x * r.x - v.y * r.y, v.x * r.y + v.y * r.x); }

float chebyshev(float2 m, float mean, float minimum) {
    float variance = max(m.y - m.x * m.x, minimum);
    float d = mean - m.x;
    float p = variance / (variance + d * d);
    return mean <= m.x ? 1 : saturate((p - 0.2) / 0.8);
}

float4 main(float4 position : SV_Position, float2 uv : TEXCOORD) : SV_Target {
    float depth = depth_map.SampleLevel(point_clamp, uv, 0);
    if (depth >= 1) return 1;
    float3 world = world_from_depth(uv, depth);
    float4 c = mul(shadow_matrix, float4(world, 1));
    float3 p = c.xyz / c.w;
    p.xy = p.xy * float2(0.5, -0.5) + 0.5;
    float angle = interleaved_noise(position.xy + frame_index % 64) * 2 * PI;
    float2 rotation;
    sincos(angle, rotation.y, rotation.x);
    float lit = 1;
#ifdef PCF
    float sum = 0;
    [unroll] for (uint i = 0; i < 16; ++i)
        sum += shadow_map.SampleCmpLevelZero(shadow_compare, p.xy + rotate(poisson[i], rotation) * bias.y, p.z - bias.x);
    lit = sum / 16;
#elif defined(PCSS)
    float blockers = 0, total = 0;
    [unroll] for (uint i = 0; i < 16; ++i) {
        float d = shadow_map.SampleLevel(point_clamp, p.xy + rotate(poisson[i], rotation) * light_size.x, 0);
        if (d < p.z - bias.x) {
            total += d;
            blockers += 1;
        }
    }
    if (blockers > 0) {
        float average = total / blockers;
        float penumbra = clamp((p.z - average) / average * light_size.y, bias.y, light_size.x);
        float sum = 0;
        [unroll] for (uint j = 0; j < 16; ++j)
            sum += shadow_map.SampleCmpLevelZero(shadow_compare, p.xy + rotate(poisson[j], rotation) * penumbra, p.z - bias.x);
        lit = sum / 16;
    }
#else
    float4 m = moments.SampleLevel(linear_clamp, p.xy, 0);
    float positive = exp(40 * (p.z * 2 - 1)), negative = -exp(-5 * (p.z * 2 - 1));
    lit = min(chebyshev(m.xy, positive, 0.0001 * positive * positive), chebyshev(m.zw, negative, 0.0001 * negative * negative));
#endif
#ifdef CONTACT
    float3 ray = -sun_direction.xyz * 0.02;
    [loop] for (uint s = 1; s <= 16; ++s) {
        float4 at = mul(view_projection, float4(world + ray * s, 1));
        float2 screen = at.xy / at.w * float2(0.5, -0.5) + 0.5;
        if (any(screen < 0) || any(screen > 1)) break;
        float difference = linear_depth(at.z / at.w) - linear_depth(depth_map.SampleLevel(point_clamp, screen, 0));
        if (difference > 0.01 && difference < 0.3) {
            lit *= 1 - saturate(1.2 - s / 16.0);
            break;
        }
    }
#endif
    return float4(lit, lit, lit, 1);
}
