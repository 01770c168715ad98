//! permutation plain vs_6_0 main
//! permutation instanced vs_6_0 main -D INSTANCED
//! permutation skinned vs_6_0 main -D SKINNED
//! permutation skinned_morph vs_6_0 main -D SKINNED -D MORPH
//! permutation skinned_instanced_wind vs_6_0 main -D SKINNED -D MORPH -D INSTANCED -D WIND
//! permutation skinned_pulled vs_6_2 main -D SKINNED -D MORPH -D PULLED -D QUANTISED
//! permutation wind vs_6_0 main -D INSTANCED -D WIND
//! permutation pulled vs_6_0 main -D PULLED -D INSTANCED -D QUANTISED
// Vertex processing: skinning, morph targets, instancing, wind, quantised attributes.
#include "common.hlsli"

struct Instance { float4 rows[3]; float4 previous[3]; float4 color; };
StructuredBuffer<Instance> instances : register(t0);
StructuredBuffer<float4> bones : register(t1);
ByteAddressBuffer vertex_data : register(t2);
Buffer<float4> morphs : register(t3);

cbuffer Object : register(b1) {
    float4x4 world;
    float4x4 previous_world;
    float4 morph_weights[2];
    float4 wind;
    float4 bounds_scale;
    float4 bounds_origin;
};

struct VertexIn {
#ifndef PULLED
    float3 position : POSITION;
    float3 normal : NORMAL;
    float4 tangent : TANGENT;
    float2 uv : TEXCOORD0;
    float4 color : COLOR;
#endif
#ifdef SKINNED
    uint4 joints : BLENDINDICES;
    float4 weights : BLENDWEIGHT;
#endif
    uint vertex : SV_VertexID;
    uint instance : SV_InstanceID;
};

struct VertexOut {
    float4 position : SV_Position;
    float3 world : WORLD;
    float3 normal : NORMAL;
    float4 tangent : TANGENT;
    float2 uv : TEXCOORD0;
    float4 color : COLOR;
    float4 current : CURRENT;
    float4 previous : PREVIOUS;
};

float3 transform(float4 rows[3], float3 p, float w) {
    float4 h = float4(p, w);
    return float3(dot(rows[0], h), dot(rows[1], h), dot(rows[2], h));
}

VertexOut main(VertexIn v) {
    float3 position, normal;
    float4 tangent, color;
    float2 uv;
#ifdef PULLED
    uint4 raw = vertex_data.Load4(v.vertex * 32);
    uint4 more = vertex_data.Load4(v.vertex * 32 + 16);
#ifdef QUANTISED
    position = float3(raw.x & 0xffff, raw.x >> 16, raw.y & 0xffff) / 65535 * bounds_scale.xyz + bounds_origin.xyz;
    normal = octahedral_decode(float2(raw.y >> 16 & 0xff, raw.y >> 24) / 255);
    tangent = float4(octahedral_decode(float2(raw.z & 0xff, raw.z >> 8 & 0xff) / 255), raw.z >> 16 & 1 ? 1 : -1);
    uv = float2(f16tof32(raw.w), f16tof32(raw.w >> 16));
    color = float4(more.x & 255, more.x >> 8 & 255, more.x >> 16 & 255, more.x >> 24) / 255;
#else
    position = asfloat(raw.xyz);
    normal = asfloat(uint3(raw.w, more.xy));
    tangent = float4(1, 0, 0, 1);
    uv = asfloat(more.zw);
    color = 1;
#endif
#else
    position = v.position;
    normal = v.normal;
    tangent = v.tangent;
    uv = v.uv;
    color = v.color;
#endif
#ifdef MORPH
    [unroll] for (uint m = 0; m < 8; ++m) {
        float weight = morph_weights[m / 4][m % 4];
        if (weight != 0) {
            position += morphs[(v.vertex * 8 + m) * 2].xyz * weight;
            normal += morphs[(v.vertex * 8 + m) * 2 + 1].xyz * weight;
        }
    }
#endif
#ifdef SKINNED
    float4 rows[3] = {float4(0, 0, 0, 0), float4(0, 0, 0, 0), float4(0, 0, 0, 0)};
    [unroll] for (uint j = 0; j < 4; ++j)
        [unroll] for (uint r = 0; r < 3; ++r) rows[r] += bones[v.joints[j] * 3 + r] * v.weights[j];
    position = transform(rows, position, 1);
    normal = transform(rows, normal, 0);
    tangent.xyz = transform(rows, tangent.xyz, 0);
#endif
    float3 world_position, previous_position;
#ifdef INSTANCED
    Instance instance = instances[v.instance];
    world_position = transform(instance.rows, position, 1);
    previous_position = transform(instance.previous, position, 1);
    normal = transform(instance.rows, normal, 0);
    tangent.xyz = transform(instance.rows, tangent.xyz, 0);
    color *= instance.color;
#else
    world_position = mul(world, float4(position, 1)).xyz;
    previous_position = mul(previous_world, float4(position, 1)).xyz;
    normal = mul((float3x3)world, normal);
    tangent.xyz = mul((float3x3)world, tangent.xyz);
#endif
#ifdef WIND
    float phase = dot(world_position, float3(0.3, 0.1, 0.2));
    float3 sway = wind.xyz * (sin(time * wind.w + phase) + 0.5 * sin(time * wind.w * 2.3 + phase * 1.7));
    float3 flutter = normal * sin(time * 9 + color.g * 20) * 0.03 * color.b;
    world_position += sway * color.r * position.y + flutter;
    float before = time - delta_time;
    previous_position += wind.xyz * (sin(before * wind.w + phase) + 0.5 * sin(before * wind.w * 2.3 + phase * 1.7)) * color.r * position.y;
#endif
    VertexOut o;
    o.world = world_position;
    o.position = mul(view_projection, float4(world_position, 1));
    o.current = o.position;
    o.previous = mul(previous_view_projection, float4(previous_position, 1));
    o.position.xy += jitter.xy * o.position.w;
    o.normal = normalize(normal);
    o.tangent = float4(normalize(tangent.xyz), tangent.w);
    o.uv = uv;
    o.color = color;
    return o;
}
