// dxc -T ps_6_0 -E main -Fo own_sample.dxil: a multisampled input attachment. The harness draws with
// one sample, so the lowering is judged by its contract and the validator.
Texture2DMS<float4> samples : register(t2);

float4 main(float4 position : SV_Position, uint number : SV_SampleIndex) : SV_Target {
    return samples.Load(uint2(position.xy), number) + samples.Load(int2(trunc(position.xy)), 0);
}
