// dxc -T ps_6_0 -E main -Fo lod_clamp.dxil: samples with a least level of detail, which no driver of the tests has (shaderResourceMinLod), so the
// lowering is judged by its contract and the validator.
Texture2D<float4> image : register(t0);
SamplerState plain : register(s0);
cbuffer Constants : register(b0) { float least; };

float4 main(float2 uv : UV) : SV_Target {
    return image.Sample(plain, uv, int2(1, 0), least) + image.SampleBias(plain, uv, 0.5, int2(0, 0), least)
        + image.SampleGrad(plain, uv, uv * 0.1, uv * 0.2, int2(0, 0), least) + image.Sample(plain, uv, int2(0, 0), 0.0);
}
