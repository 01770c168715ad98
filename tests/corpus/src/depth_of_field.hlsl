//! permutation coc cs_6_0 coc -D RINGS=3
//! permutation gather_high cs_6_0 gather -D RINGS=5 -D HEXAGON
//! permutation motion_blur cs_6_0 motion_blur -D RINGS=3
// Circles of confusion, a ring-shaped gather, and motion blur.
#include "common.hlsli"

Texture2D<float4> scene : register(t0);
Texture2D<float> depth_map : register(t1);
Texture2D<float4> prepared : register(t2);
Texture2D<float2> velocity_map : register(t3);
Texture2D<float2> tile_velocity : register(t4);
RWTexture2D<float4> output : register(u0);
cbuffer Lens : register(b1) { float focus_distance, focal_length, aperture, max_coc; float4 shape; float shutter; };

float confusion(float z) { return clamp(aperture * focal_length * (z - focus_distance) / (z * (focus_distance - focal_length)), -max_coc, max_coc); }

[numthreads(8, 8, 1)]
void coc(uint2 id : SV_DispatchThreadID) {
    float2 uv = (id * 2 + 1) * viewport.zw;
    float4 r = scene.GatherRed(linear_clamp, uv), g = scene.GatherGreen(linear_clamp, uv), b = scene.GatherBlue(linear_clamp, uv), d = depth_map.GatherRed(point_clamp, uv);
    float4 sum = 0;
    float largest = 0;
    [unroll] for (uint i = 0; i < 4; ++i) {
        float3 c = float3(r[i], g[i], b[i]);
        float k = confusion(linear_depth(d[i]));
        float w = 1 / (1 + max3(c));
        sum += float4(c * w, w);
        largest = abs(k) > abs(largest) ? k : largest;
    }
    output[id] = float4(sum.rgb / sum.a, largest);
}

[numthreads(8, 8, 1)]
void gather(uint2 id : SV_DispatchThreadID) {
    float2 uv = (id + 0.5) * viewport.zw * 2;
    float4 center = prepared.SampleLevel(point_clamp, uv, 0);
    float4 far_ = float4(center.rgb, 1) * 0.01, near_ = 0;
    float noise = interleaved_noise(float2(id));
    float reach = max(abs(center.a), max_coc * 0.5);
    [unroll] for (uint ring = 1; ring <= RINGS; ++ring) {
        [loop] for (uint s = 0; s < ring * 6; ++s) {
            float angle = (s + noise) / (ring * 6.0) * 2 * PI;
            float radius = ring / (float)RINGS;
#ifdef HEXAGON
            float side = PI / 3, local = angle - side * floor((angle + side / 2) / side);
            radius *= lerp(1, cos(side / 2) / cos(local), shape.x);
#endif
            float2 offset = float2(cos(angle), sin(angle)) * radius * reach;
            float4 tap = prepared.SampleLevel(linear_clamp, uv + offset * viewport.zw, 0);
            float inside = saturate((abs(tap.a) - length(offset) + 2) / 2);
            if (tap.a >= 0) {
                float w = saturate(min(tap.a, max(center.a, 0)) - length(offset) * 0.9 + 1);
                far_ += float4(tap.rgb, 1) * w;
            } else {
                near_ += float4(tap.rgb, 1) * inside / max(tap.a * tap.a, 1);
            }
        }
    }
    float alpha = saturate(near_.a * max_coc * max_coc / (3.0 * RINGS * (RINGS + 1)));
    float3 color = lerp(far_.rgb / far_.a, near_.rgb / max(near_.a, 1e-5), alpha);
    output[id] = float4(color, max(alpha, saturate(center.a)));
}

[numthreads(8, 8, 1)]
void motion_blur(uint2 id : SV_DispatchThreadID) {
    float2 uv = (id + 0.5) * viewport.zw;
    float2 dominant = tile_velocity.Load(int3(id / 16, 0)) * shutter, own = velocity_map.Load(int3(id, 0)) * shutter;
    float3 color = scene.Load(int3(id, 0)).rgb;
    float length_ = length(dominant * viewport.xy);
    if (length_ < 0.5) {
        output[id] = float4(color, 1);
        return;
    }
    float z = linear_depth(depth_map.Load(int3(id, 0))), own_length = max(length(own * viewport.xy), 0.5);
    float noise = interleaved_noise(float2(id)) - 0.5, weight = 1 / own_length;
    float3 sum = color * weight;
    [unroll] for (uint i = 0; i < 15; ++i) {
        if (i == 7) continue;
        float t = lerp(-1, 1, (i + noise + 1) / 16);
        float2 at = uv + (i % 2 ? dominant : own) * t;
        float tap_z = linear_depth(depth_map.SampleLevel(point_clamp, at, 0)), tap_length = max(length(velocity_map.SampleLevel(point_clamp, at, 0) * shutter * viewport.xy), 0.5);
        float span = abs(t) * length_;
        float front = saturate(1 - (tap_z - z) * 4), back = saturate(1 - (z - tap_z) * 4);
        float w = front * saturate(1 - span / tap_length) + back * saturate(1 - span / own_length) +
                  (1 - smoothstep(0.95 * tap_length, 1.05 * tap_length, span)) * (1 - smoothstep(0.95 * own_length, 1.05 * own_length, span)) * 2;
        sum += scene.SampleLevel(linear_clamp, at, 0).rgb * w;
        weight += w;
    }
    output[id] = float4(sum / weight, 1);
}
