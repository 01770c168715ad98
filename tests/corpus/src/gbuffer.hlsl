//! permutation alpha_test ps_6_0 main -D ALPHA_TEST
//! permutation parallax ps_6_0 main -D PARALLAX
//! permutation detail ps_6_0 main -D DETAIL -D ALPHA_TEST
//! permutation layered ps_6_0 main -D DETAIL -D PARALLAX -D LAYERS=3
//! permutation layered4 ps_6_0 main -D DETAIL -D PARALLAX -D ALPHA_TEST -D LAYERS=4
// Fills a G-buffer, with parallax occlusion mapping and layered materials.
#include "common.hlsli"

Texture2D<float4> albedo_map : register(t0);
Texture2D<float4> normal_map : register(t1);
Texture2D<float4> material_map : register(t2);
Texture2D<float> height_map : register(t3);
Texture2D<float4> detail_map : register(t4);
Texture2DArray<float4> layer_maps : register(t5);
Texture2D<float4> mask_map : register(t6);

cbuffer Material : register(b1) {
    float4 base_color;
    float alpha_cutoff, height_scale, detail_scale, detail_strength;
    float4 layer_scales[4];
    float4 layer_tints[4];
};

struct PixelIn {
    float4 position : SV_Position;
    float3 world : WORLD;
    float3 normal : NORMAL;
    float4 tangent : TANGENT;
    float2 uv : TEXCOORD0;
    float4 color : COLOR;
    float4 current : CURRENT;
    float4 previous : PREVIOUS;
};
struct Targets { float4 albedo : SV_Target0; float4 normal : SV_Target1; float4 material : SV_Target2; float2 velocity : SV_Target3; };

#ifdef PARALLAX
float2 parallax(float2 uv, float3 to_eye) {
    float2 dx = ddx(uv), dy = ddy(uv);
    uint steps = (uint)lerp(32, 8, abs(to_eye.z));
    float layer = 1.0 / steps;
    float2 delta = to_eye.xy / max(to_eye.z, 0.1) * height_scale * layer;
    float height = 1, before = 1, sampled = height_map.SampleGrad(trilinear_repeat, uv, dx, dy), sampled_before = sampled;
    [loop] for (uint i = 0; i < steps && sampled < height; ++i) {
        before = height;
        sampled_before = sampled;
        height -= layer;
        uv -= delta;
        sampled = height_map.SampleGrad(trilinear_repeat, uv, dx, dy);
    }
    float above = sampled - height, below = before - sampled_before;
    return uv + delta * saturate(above / max(above + below, 1e-5));
}
#endif

Targets main(PixelIn v) {
    float3 n = normalize(v.normal);
    float3 t = normalize(v.tangent.xyz);
    float3 b = cross(n, t) * v.tangent.w;
    float2 uv = v.uv;
#ifdef PARALLAX
    float3 to_eye = normalize(camera_position.xyz - v.world);
    uv = parallax(uv, float3(dot(to_eye, t), dot(to_eye, b), dot(to_eye, n)));
#endif
    float4 albedo = albedo_map.Sample(trilinear_repeat, uv) * base_color * v.color;
#ifdef ALPHA_TEST
    float sharpened = (albedo.a - alpha_cutoff) / max(fwidth(albedo.a), 1e-4) + 0.5;
    if (sharpened < interleaved_noise(v.position.xy)) discard;
#endif
    float3 bump = normal_map.Sample(trilinear_repeat, uv).xyz * 2 - 1;
    float4 material = material_map.Sample(trilinear_repeat, uv);
#ifdef DETAIL
    float4 detail = detail_map.Sample(trilinear_repeat, uv * detail_scale) * 2 - 1;
    float fade = saturate(1 - distance(camera_position.xyz, v.world) * 0.02) * detail_strength;
    albedo.rgb = saturate(albedo.rgb + albedo.rgb * detail.r * fade);
    bump.xy += detail.gb * fade;
    material.g = saturate(material.g + detail.a * fade);
#endif
#ifdef LAYERS
    float4 masks = mask_map.Sample(linear_clamp, v.uv);
    [unroll] for (uint i = 0; i < LAYERS; ++i) {
        float3 at = float3(uv * layer_scales[i].xy, i * 2);
        float4 color = layer_maps.Sample(trilinear_repeat, at) * layer_tints[i];
        float4 properties = layer_maps.Sample(trilinear_repeat, float3(at.xy, i * 2 + 1));
        float weight = smoothstep(layer_scales[i].z, layer_scales[i].w, masks[i] + color.a * 0.3);
        albedo.rgb = lerp(albedo.rgb, color.rgb, weight);
        bump.xy = lerp(bump.xy, properties.xy * 2 - 1, weight);
        material.rg = lerp(material.rg, properties.zw, weight);
    }
#endif
    float3 normal = normalize(bump.x * t + bump.y * b + max(bump.z, 0.1) * n);
    float2 now = v.current.xy / v.current.w - jitter.xy, then_ = v.previous.xy / v.previous.w - jitter.zw;
    Targets o;
    o.albedo = float4(albedo.rgb, material.r);
    o.normal = float4(octahedral_encode(normal), octahedral_encode(n));
    float variance = dot(ddx(normal), ddx(normal)) + dot(ddy(normal), ddy(normal));
    o.material = float4(sqrt(saturate(pow2(material.g) + min(variance, 0.18))), material.b, material.a, 1);
    o.velocity = (now - then_) * float2(0.5, -0.5);
    return o;
}
