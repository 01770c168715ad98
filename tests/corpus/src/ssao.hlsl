//! permutation hemisphere cs_6_0 main -D HEMISPHERE
//! permutation horizon cs_6_0 main -D HORIZON
//! permutation ground_truth cs_6_0 main -D GROUND_TRUTH
// Ambient occlusion of three kinds and its bilateral blur.
#include "common.hlsli"

Texture2D<float> depth_map : register(t0);
Texture2D<float4> normal_map : register(t1);
Texture2D<float> occlusion_map : register(t2);
RWTexture2D<float> output : register(u0);
cbuffer Occlusion : register(b1) { float radius, power, thickness, bias; float4 kernel[16]; int2 direction; };

float3 position_at(float2 uv) { return mul(view, float4(world_from_depth(uv, depth_map.SampleLevel(point_clamp, uv, 0)), 1)).xyz; }

float integrate_arc(float h, float n) { return 0.25 * (-cos(2 * h - n) + cos(n) + 2 * h * sin(n)); }

[numthreads(8, 8, 1)]
void main(uint2 pixel : SV_DispatchThreadID) {
    float2 uv = (pixel + 0.5) * viewport.zw;
    float3 p = position_at(uv);
    float3 n = mul((float3x3)view, octahedral_decode(normal_map.Load(int3(pixel, 0)).xy));
    float noise = interleaved_noise(float2(pixel) + frame_index % 8 * 5.588);
    float result = 0;
#ifdef HEMISPHERE
    float3 random = normalize(float3(cos(noise * 2 * PI), sin(noise * 2 * PI), 0));
    float3 t = normalize(random - n * dot(random, n));
    float3x3 basis = float3x3(t, cross(n, t), n);
    [unroll] for (uint i = 0; i < 16; ++i) {
        float3 at = p + mul(kernel[i].xyz, basis) * radius;
        float4 clip = mul(projection, float4(at, 1));
        float2 screen = clip.xy / clip.w * float2(0.5, -0.5) + 0.5;
        float z = linear_depth(depth_map.SampleLevel(point_clamp, screen, 0));
        float in_range = smoothstep(0, 1, radius / max(abs(p.z - z), 1e-4));
        result += (z < at.z - bias ? 1 : 0) * in_range;
    }
    result = 1 - result / 16;
#elif defined(HORIZON)
    [unroll] for (uint d = 0; d < 4; ++d) {
        float angle = (d + noise) * PI * 0.5;
        float2 dir = float2(cos(angle), sin(angle)) * radius / max(p.z, 0.1) * viewport.zw * 200;
        float horizon = 0.1;
        [loop] for (uint s = 1; s <= 6; ++s) {
            float3 delta = position_at(uv + dir * s / 6) - p;
            float length2 = dot(delta, delta);
            float elevation = dot(delta, n) * rsqrt(max(length2, 1e-6));
            float falloff = saturate(1 - length2 / pow2(radius));
            horizon = max(horizon, lerp(horizon, elevation, falloff));
        }
        result += horizon;
    }
    result = 1 - saturate(result / 4);
#else
    float3 to_eye = normalize(-p);
    [loop] for (uint slice = 0; slice < 3; ++slice) {
        float phi = (slice + noise) * PI / 3;
        float2 omega;
        sincos(phi, omega.y, omega.x);
        float3 dir = float3(omega, 0);
        float3 ortho = dir - dot(dir, to_eye) * to_eye;
        float3 axis = cross(dir, to_eye);
        float3 projected = n - axis * dot(n, axis);
        float projected_length = length(projected);
        float sign_n = sign(dot(ortho, projected));
        float cos_n = saturate(dot(projected, to_eye) / max(projected_length, 1e-4));
        float angle_n = sign_n * acos(cos_n);
        [unroll] for (uint side = 0; side < 2; ++side) {
            float horizon_cos = -1;
            [loop] for (uint s = 0; s < 5; ++s) {
                float2 offset = (side == 0 ? -1 : 1) * omega * viewport.zw * (s + 1) * radius * 40 / max(p.z, 0.1);
                float3 delta = position_at(uv + offset) - p;
                float len = length(delta);
                float c = dot(delta / max(len, 1e-5), to_eye);
                c = lerp(c, -1, saturate(len * thickness));
                horizon_cos = c > horizon_cos ? c : lerp(c, horizon_cos, 0.9);
            }
            float h = angle_n + clamp((side == 0 ? -1 : 1) * acos(clamp(horizon_cos, -1, 1)) - angle_n, -PI / 2, PI / 2);
            result += projected_length * integrate_arc(h, angle_n);
        }
    }
    result /= 3;
#endif
    output[pixel] = pow(saturate(result), power);
}

[numthreads(64, 1, 1)]
void blur_main(uint2 id : SV_DispatchThreadID) {
    int2 pixel = (int2)id;
    float center = linear_depth(depth_map.Load(int3(pixel, 0)));
    float sum = occlusion_map.Load(int3(pixel, 0)), weights = 1;
    [unroll] for (int i = 1; i <= 4; ++i) {
        [unroll] for (int side = -1; side <= 1; side += 2) {
            int3 at = int3(clamp(pixel + direction * i * side, 0, (int2)viewport.xy - 1), 0);
            float z = linear_depth(depth_map.Load(at));
            float w = exp2(-i * i * 0.15) * saturate(1 - abs(z - center) * 8 / center);
            sum += occlusion_map.Load(at) * w;
            weights += w;
        }
    }
    output[id] = sum / weights;
}
