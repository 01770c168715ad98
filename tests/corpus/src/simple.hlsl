//! permutation full_screen vs_6_0 full_screen
//! permutation copy ps_6_0 copy
//! permutation solid ps_6_0 solid
//! permutation depth_only vs_6_0 depth_only
//! permutation text ps_6_0 text
//! permutation histogram cs_6_0 histogram
// The small shaders every engine has.
#include "common.hlsli"

Texture2D<float4> image : register(t0);
Buffer<uint> bins_in : register(t1);
RWByteAddressBuffer bins : register(u0);
RWBuffer<float> adapted : register(u1);
cbuffer Simple : register(b1) { float4x4 world; float4 color; float2 range; float speed; uint pixels; };

struct Screen { float4 position : SV_Position; float2 uv : TEXCOORD; };
Screen full_screen(uint id : SV_VertexID) {
    Screen o;
    o.uv = float2(id << 1 & 2, id & 2);
    o.position = float4(o.uv * float2(2, -2) + float2(-1, 1), 0, 1);
    return o;
}
float4 copy(Screen v) : SV_Target { return image.Sample(linear_clamp, v.uv); }
float4 solid() : SV_Target { return color; }
float4 depth_only(float3 position : POSITION) : SV_Position { return mul(view_projection, mul(world, float4(position, 1))); }
float4 text(Screen v) : SV_Target {
    float3 s = image.Sample(linear_clamp, v.uv).rgb;
    float d = max(min(s.r, s.g), min(max(s.r, s.g), s.b)) - 0.5;
    float alpha = saturate(d / max(fwidth(d), 1e-4) + 0.5);
    clip(alpha - 0.01);
    return float4(color.rgb, color.a * alpha);
}

groupshared uint shared_bins[256];
groupshared float weighted[256];

[numthreads(16, 16, 1)]
void histogram(uint2 id : SV_DispatchThreadID, uint t : SV_GroupIndex) {
    shared_bins[t] = 0;
    GroupMemoryBarrierWithGroupSync();
    if (all(id < (uint2)viewport.xy)) {
        float l = luminance(image.Load(int3(id, 0)).rgb);
        uint bin = l < 0.001 ? 0 : (uint)(saturate((log2(l) - range.x) * range.y) * 254 + 1);
        InterlockedAdd(shared_bins[bin], 1);
    }
    GroupMemoryBarrierWithGroupSync();
    bins.InterlockedAdd(t * 4, shared_bins[t]);
}

[numthreads(256, 1, 1)]
void adapt(uint t : SV_GroupIndex) {
    uint count = bins_in[t];
    weighted[t] = (float)count * t;
    GroupMemoryBarrierWithGroupSync();
    [unroll] for (uint half_ = 128; half_ > 0; half_ >>= 1) {
        if (t < half_) weighted[t] += weighted[t + half_];
        GroupMemoryBarrierWithGroupSync();
    }
    if (t == 0) {
        float average = exp2((weighted[0] / max(pixels - (float)count, 1) - 1) / 254 / range.y + range.x);
        float old = adapted[0];
        adapted[0] = old + (average - old) * (1 - exp(-delta_time * speed));
    }
}
