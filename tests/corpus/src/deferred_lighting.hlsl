//! permutation tiled cs_6_0 main
//! permutation tiled_shadows cs_6_0 main -D SHADOWS
//! permutation tiled_spot cs_6_0 main -D SHADOWS -D SPOT
//! permutation tiled_coated cs_6_0 main -D SHADOWS -D SPOT -D CLEARCOAT -D SHEEN
// Tiled deferred lighting: culls lights per tile in group-shared memory, then shades.
#include "brdf.hlsli"

struct Light { float3 position; float range; float3 color; float cone; float3 direction; uint shadow; };
StructuredBuffer<Light> lights : register(t0);
Texture2D<float> depth_map : register(t1);
Texture2D<float4> albedo_map : register(t2);
Texture2D<float4> normal_map : register(t3);
Texture2D<float4> material_map : register(t4);
Texture2DArray<float> shadow_maps : register(t5);
StructuredBuffer<float4x4> shadow_matrices : register(t6);
RWTexture2D<float4> output : register(u0);
cbuffer Lighting : register(b1) { uint light_count; float3 ambient; };

groupshared uint tile_min, tile_max, tile_count;
groupshared uint tile_lights[256];

[numthreads(16, 16, 1)]
void main(uint2 pixel : SV_DispatchThreadID, uint2 group : SV_GroupID, uint local : SV_GroupIndex) {
    if (local == 0) {
        tile_min = 0x7f7fffff;
        tile_max = 0;
        tile_count = 0;
    }
    GroupMemoryBarrierWithGroupSync();
    float depth = depth_map.Load(int3(pixel, 0));
    float z = linear_depth(depth);
    if (depth < 1) {
        InterlockedMin(tile_min, asuint(z));
        InterlockedMax(tile_max, asuint(z));
    }
    GroupMemoryBarrierWithGroupSync();
    float near_z = asfloat(tile_min), far_z = asfloat(tile_max);

    float2 scale = viewport.xy / 32;
    float2 offset = scale - float2(group);
    float4 planes[4];
    planes[0] = float4(projection[0][0] * scale.x, 0, offset.x, 0);
    planes[1] = float4(-projection[0][0] * scale.x, 0, 1 - offset.x, 0);
    planes[2] = float4(0, -projection[1][1] * scale.y, offset.y, 0);
    planes[3] = float4(0, projection[1][1] * scale.y, 1 - offset.y, 0);
    [unroll] for (uint p = 0; p < 4; ++p) planes[p] /= length(planes[p].xyz);

    [loop] for (uint i = local; i < light_count; i += 256) {
        Light light = lights[i];
        float3 center = mul(view, float4(light.position, 1)).xyz;
        bool inside = center.z + light.range > near_z && center.z - light.range < far_z;
        [unroll] for (uint q = 0; q < 4; ++q) inside = inside && dot(planes[q].xyz, center) > -light.range;
        if (inside) {
            uint slot;
            InterlockedAdd(tile_count, 1, slot);
            if (slot < 256) tile_lights[slot] = i;
        }
    }
    GroupMemoryBarrierWithGroupSync();
    uint count = min(tile_count, 256u);
#ifdef HEATMAP
    float heat = count / 32.0;
    output[pixel] = float4(saturate(heat), saturate(2 - heat), saturate(1 - heat), 1) * (depth < 1 ? 1 : 0.2);
#else
    if (depth >= 1) {
        output[pixel] = 0;
        return;
    }
    float2 uv = (pixel + 0.5) * viewport.zw;
    Surface s = (Surface)0;
    s.position = world_from_depth(uv, depth);
    float4 albedo = albedo_map.Load(int3(pixel, 0));
    float4 material = material_map.Load(int3(pixel, 0));
    s.albedo = albedo.rgb;
    s.occlusion = albedo.a;
    s.normal = octahedral_decode(normal_map.Load(int3(pixel, 0)).xy);
    s.roughness = material.x;
    s.metallic = material.y;
    s.f0 = lerp(0.04, s.albedo, s.metallic);
    float3 to_eye = normalize(camera_position.xyz - s.position);
    float3 color = ambient * s.albedo * s.occlusion + shade(s, to_eye, -sun_direction.xyz, sun_color.rgb);
    [loop] for (uint k = 0; k < count; ++k) {
        Light light = lights[tile_lights[k]];
        float3 to_light = light.position - s.position;
        float distance2 = dot(to_light, to_light);
        float3 l = to_light * rsqrt(distance2);
        float strength = pow2(saturate(1 - pow2(distance2 / pow2(light.range)))) / (distance2 + 0.01);
#ifdef SPOT
        strength *= smoothstep(light.cone, lerp(light.cone, 1, 0.2), dot(-l, light.direction));
#endif
        if (strength <= 0) continue;
#ifdef SHADOWS
        if (light.shadow != 0xffffffff) {
            float4 c = mul(shadow_matrices[light.shadow], float4(s.position + s.normal * 0.02, 1));
            float3 uvz = c.xyz / c.w;
            float lit = 0;
            [unroll] for (int y = -1; y <= 1; ++y)
                [unroll] for (int x = -1; x <= 1; ++x)
                    lit += shadow_maps.SampleCmpLevelZero(shadow_compare, float3(uvz.xy * float2(0.5, -0.5) + 0.5, light.shadow), uvz.z, int2(x, y));
            strength *= lit / 9;
        }
#endif
        color += shade(s, to_eye, l, light.color * strength);
    }
    output[pixel] = float4(color, 1);
#endif
}
