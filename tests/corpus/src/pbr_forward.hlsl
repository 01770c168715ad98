//! permutation plain ps_6_0 main
//! permutation normal_map ps_6_0 main -D NORMAL_MAP
//! permutation shadows ps_6_0 main -D NORMAL_MAP -D SHADOWS
//! permutation ibl ps_6_0 main -D NORMAL_MAP -D SHADOWS -D IBL
//! permutation clearcoat ps_6_0 main -D NORMAL_MAP -D SHADOWS -D IBL -D CLEARCOAT
//! permutation alpha_fog ps_6_0 main -D NORMAL_MAP -D SHADOWS -D IBL -D ALPHA_TEST -D FOG
//! permutation sheen ps_6_0 main -D NORMAL_MAP -D SHADOWS -D IBL -D SHEEN
//! permutation anisotropic ps_6_0 main -D NORMAL_MAP -D SHADOWS -D IBL -D ANISOTROPIC
//! permutation shadows_fog ps_6_0 main -D SHADOWS -D FOG -D NORMAL_MAP
//! permutation everything_sm60 ps_6_0 main -D NORMAL_MAP -D SHADOWS -D IBL -D CLEARCOAT -D ANISOTROPIC -D SHEEN -D ALPHA_TEST -D FOG
//! permutation everything_sm66 ps_6_6 main -D NORMAL_MAP -D SHADOWS -D IBL -D CLEARCOAT -D ANISOTROPIC -D SHEEN -D ALPHA_TEST -D FOG
//! permutation everything ps_6_2 main -D NORMAL_MAP -D SHADOWS -D IBL -D CLEARCOAT -D ANISOTROPIC -D SHEEN -D ALPHA_TEST -D FOG
// Forward shading with clustered lights.
#include "brdf.hlsli"

struct Light { float3 position; float range; float3 color; uint type; float3 direction; float cone_cosine; float4 shape; };
StructuredBuffer<Light> lights : register(t0);
StructuredBuffer<uint2> clusters : register(t1);
StructuredBuffer<uint> light_list : register(t2);
Texture2D<float4> albedo_map : register(t3);
Texture2D<float4> normal_map : register(t4);
Texture2D<float4> material_map : register(t5);
Texture2D<float4> emissive_map : register(t6);
Texture2DArray<float> shadow_cascades : register(t7);
TextureCube<float4> environment : register(t8);
Texture2D<float2> brdf_table : register(t9);
TextureCube<float4> irradiance : register(t10);

cbuffer Material : register(b1) {
    float4 base_color;
    float4 emissive_strength;
    float roughness_scale, metallic_scale, normal_scale, alpha_cutoff;
    float4 coat;
    float4 sheen_color;
};
cbuffer Shadows : register(b2) {
    float4x4 cascade_matrices[4];
    float4 cascade_splits;
    float4 shadow_bias;
};

struct PixelIn {
    float4 position : SV_Position;
    float3 world : WORLD;
    float3 normal : NORMAL;
    float4 tangent : TANGENT;
    float2 uv : TEXCOORD0;
    float4 color : COLOR;
    bool front : SV_IsFrontFace;
};

#ifdef SHADOWS
float cascade_shadow(float3 world, float3 normal, float depth, float2 pixel) {
    uint cascade = 3;
    [unroll] for (int c = 3; c >= 0; --c) if (depth < cascade_splits[c]) cascade = c;
    float3 offset = normal * shadow_bias.y * (1 + cascade);
    float4 p = mul(cascade_matrices[cascade], float4(world + offset, 1));
    float3 uvz = p.xyz / p.w;
    uvz.xy = uvz.xy * float2(0.5, -0.5) + 0.5;
    if (any(uvz.xy < 0) || any(uvz.xy > 1)) return 1;
    float rotation = interleaved_noise(pixel) * 2 * PI;
    float s, co;
    sincos(rotation, s, co);
    static const float2 disk[8] = {float2(-0.7, 0.1), float2(0.2, -0.8), float2(0.6, 0.5), float2(-0.3, 0.6),
                                   float2(0.9, -0.1), float2(-0.5, -0.6), float2(0.1, 0.3), float2(-0.1, -0.2)};
    float sum = 0;
    [unroll] for (uint i = 0; i < 8; ++i) {
        float2 d = float2(disk[i].x * co - disk[i].y * s, disk[i].x * s + disk[i].y * co) * shadow_bias.z;
        sum += shadow_cascades.SampleCmpLevelZero(shadow_compare, float3(uvz.xy + d, cascade), uvz.z - shadow_bias.x);
    }
    return sum / 8;
}
#endif

float attenuation(Light light, float3 to_light, float distance2) {
    float falloff = saturate(1 - pow2(distance2 / pow2(light.range)));
    float result = falloff * falloff / max(distance2, 1e-4);
    if (light.type == 1) {
        float cone = dot(-normalize(to_light), light.direction);
        result *= saturate((cone - light.cone_cosine) / max(1 - light.cone_cosine, 1e-3));
    }
    return result;
}

float4 main(PixelIn v) : SV_Target {
    float4 base = albedo_map.Sample(trilinear_repeat, v.uv) * base_color * v.color;
#ifdef ALPHA_TEST
    clip(base.a - alpha_cutoff);
#endif
    float4 material = material_map.Sample(trilinear_repeat, v.uv);
    Surface s = (Surface)0;
    s.position = v.world;
    s.albedo = base.rgb;
    s.roughness = saturate(material.g * roughness_scale);
    s.metallic = saturate(material.b * metallic_scale);
    s.occlusion = material.r;
    s.emissive = emissive_map.Sample(trilinear_repeat, v.uv).rgb * emissive_strength.rgb;
    s.f0 = lerp(0.04, s.albedo, s.metallic);
    s.normal = normalize(v.front ? v.normal : -v.normal);
#ifdef NORMAL_MAP
    float3 n = normal_map.Sample(trilinear_repeat, v.uv).xyz * 2 - 1;
    n.xy *= normal_scale;
    float3 t = normalize(v.tangent.xyz - s.normal * dot(s.normal, v.tangent.xyz));
    float3 b = cross(s.normal, t) * v.tangent.w;
    s.normal = normalize(n.x * t + n.y * b + n.z * s.normal);
    s.tangent = t;
#endif
    s.clearcoat = coat.x * material.a;
    s.clearcoat_roughness = coat.y;
    s.sheen = sheen_color.rgb;
    s.anisotropy = coat.z;

    float3 to_eye = normalize(camera_position.xyz - v.world);
    float depth = linear_depth(v.position.z);
    float shadow = 1;
#ifdef SHADOWS
    shadow = cascade_shadow(v.world, s.normal, depth, v.position.xy);
#endif
    float3 color = shade(s, to_eye, -sun_direction.xyz, sun_color.rgb * shadow);

    uint slice = (uint)max(log2(depth * camera_planes.z) * 2.5, 0);
    uint3 cell = uint3((uint2)(v.position.xy / 64), min(slice, 23u));
    uint2 range = clusters[(cell.z * 32 + cell.y) * 64 + cell.x];
    [loop] for (uint i = 0; i < range.y; ++i) {
        Light light = lights[light_list[range.x + i]];
        float3 to_light = light.position - v.world;
        float distance2 = dot(to_light, to_light);
        if (distance2 > pow2(light.range)) continue;
        if (light.type == 2) {
            float3 r = reflect(-to_eye, s.normal);
            float3 axis = light.shape.xyz * light.shape.w;
            float along = saturate(dot(to_light, axis) / max(dot(axis, axis), 1e-4));
            to_light += axis * along - r * 0.01;
        }
        color += shade(s, to_eye, to_light * rsqrt(max(distance2, 1e-6)), light.color * attenuation(light, to_light, distance2));
    }

#ifdef IBL
    float nv = saturate(dot(s.normal, to_eye));
    float3 r = reflect(-to_eye, s.normal);
    float2 scale_bias = brdf_table.SampleLevel(linear_clamp, float2(nv, s.roughness), 0);
    float3 reflected = environment.SampleLevel(trilinear_repeat, r, s.roughness * 8).rgb;
    float3 ambient = irradiance.SampleLevel(linear_clamp, s.normal, 0).rgb;
    color += (ambient * s.albedo * (1 - s.metallic) + reflected * (s.f0 * scale_bias.x + scale_bias.y)) * s.occlusion;
#else
    color += s.albedo * 0.03 * s.occlusion;
#endif
    color += s.emissive;
#ifdef FOG
    float amount = 1 - exp(-depth * 0.002);
    float toward_sun = pow(saturate(dot(-to_eye, -sun_direction.xyz)), 8);
    color = lerp(color, lerp(float3(0.5, 0.6, 0.7), sun_color.rgb, toward_sun), amount);
#endif
    return float4(color * exposure, base.a);
}
