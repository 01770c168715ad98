// SDL's spaces of a pixel shader are 2 for what is read, 3 for uniforms. A texture and its sampler
// have one number, because SDL binds them together. DXC's SPIR-V needs to be told.
// compile: ps_6_0
#ifdef __spirv__
#define COMBINED [[vk::combinedImageSampler]]
#else
#define COMBINED
#endif
COMBINED Texture2D<float4> first : register(t0, space2);
COMBINED SamplerState first_sampler : register(s0, space2);
COMBINED Texture2D<float4> second : register(t1, space2);
COMBINED SamplerState second_sampler : register(s1, space2);
cbuffer Colour : register(b0, space3) {
    float4 tint;
    float share;
};
struct Interpolated {
    float4 position : SV_Position;
    float2 texel : TEXCOORD0;
};

float4 main(Interpolated input) : SV_Target {
    float4 a = first.Sample(first_sampler, input.texel);
    float4 b = second.Sample(second_sampler, input.texel * 2.0);
    // This is lerp(a, b, share) as DXC has it in DXIL. In SPIR-V it has FMix, which drivers round in
    // another way: 144 bytes of the picture differed by one step.
    return (share * (b - a) + a) * tint;
}
