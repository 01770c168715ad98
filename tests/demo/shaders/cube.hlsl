// A lit and textured cube. The root signature (T = 2 tables, n = 4 parameters) places:
//   parameter 0, table 0: the camera, set 0, binding 0
//   parameter 1, table 1: the texture, set 1, binding 0
//   parameter 2, root CBV: the light, root set 2, binding 2
//   parameter 3, root constants: the material, push constants from byte 0
//   static sampler 0: root set 2, binding 4 + 0
//! stage vs_6_0 vs_main
//! stage ps_6_0 ps_main
//! dxil-args -Wno-ignored-attributes
//! bindings root-signature
//! draw 3
//! target rgba8_unorm 32 32
//! depth less 1.0 out
//! vertex 0 rgb32_sfloat words -1.0 -1.0 0.25 1.0 -1.0 0.5 0.0 1.0 0.75
//! vertex 1 rgb32_sfloat cycle 0.0 0.6 -0.8 0.0 0.0 -1.0
//! vertex 2 rg32_sfloat words 0.0 0.0 1.0 0.0 0.5 1.0
//! resource b0 cbuffer 128 words 1.0 0.0 0.0 0.0 0.0 1.0 0.0 0.0 0.0 0.0 1.0 0.0 0.0 0.0 0.0 1.0 0.9 0.0 0.0 0.0 0.0 0.9 0.0 0.0 0.0 0.0 1.0 0.0 0.0 0.0 0.0 1.0 at=0.0
//! resource t0 texture2d rgba8_unorm 8 8 1 1 random_u32 11 at=1.0
//! resource b1 cbuffer 48 words 0.3 -0.5 0.81 0.2 1.0 0.9 0.8 16.0 0.0 0.0 -4.0 0.0 at=2.2
//! resource s0 sampler linear linear linear repeat static at=2.4
//! push 16 words 1.0 0.8 0.6 0.5
//! judge spirv
//! tolerance target0 unorm8 1
#define ROOT_SIGNATURE \
    "RootFlags(ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT)," \
    "DescriptorTable(CBV(b0))," \
    "DescriptorTable(SRV(t0), visibility = SHADER_VISIBILITY_PIXEL)," \
    "CBV(b1, visibility = SHADER_VISIBILITY_PIXEL)," \
    "RootConstants(num32BitConstants = 4, b2, visibility = SHADER_VISIBILITY_PIXEL)," \
    "StaticSampler(s0, filter = FILTER_MIN_MAG_MIP_LINEAR, visibility = SHADER_VISIBILITY_PIXEL)"

struct Camera {
    row_major float4x4 view_projection;
    row_major float4x4 model;
};

struct Light {
    float3 direction;
    float ambient;
    float3 color;
    float shininess;
    float3 eye;
};

struct Material {
    float3 tint;
    float gloss;
};

[[vk::binding(0, 0)]] ConstantBuffer<Camera> camera : register(b0);
[[vk::binding(0, 1)]] Texture2D<float4> face : register(t0);
[[vk::binding(2, 2)]] ConstantBuffer<Light> light : register(b1);
[[vk::binding(4, 2)]] SamplerState bilinear : register(s0);
[[vk::push_constant]] ConstantBuffer<Material> material : register(b2);

struct Vertex {
    float3 position : POSITION;
    float3 normal : NORMAL;
    float2 uv : TEXCOORD0;
};

struct Fragment {
    float4 position : SV_Position;
    float3 world : WORLD;
    float3 normal : NORMAL;
    float2 uv : TEXCOORD0;
};

[RootSignature(ROOT_SIGNATURE)]
Fragment vs_main(Vertex input) {
    Fragment output;
    float4 world = mul(camera.model, float4(input.position, 1));
    output.position = mul(camera.view_projection, world);
    output.world = world.xyz;
    output.normal = mul((float3x3)camera.model, input.normal);
    output.uv = input.uv;
    return output;
}

[RootSignature(ROOT_SIGNATURE)]
float4 ps_main(Fragment input) : SV_Target0 {
    float3 normal = normalize(input.normal);
    float3 to_light = -normalize(light.direction);
    float3 to_eye = normalize(light.eye - input.world);
    float diffuse = saturate(dot(normal, to_light));
    float specular = pow(saturate(dot(reflect(-to_light, normal), to_eye)), light.shininess) * material.gloss;
    float3 surface = face.Sample(bilinear, input.uv).rgb * material.tint;
    return float4(surface * (light.ambient + diffuse * light.color) + specular * light.color, 1);
}
