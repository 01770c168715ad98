// Views of descriptor heaps, of which the compiler describes no variables. Compiled with
// `-T cs_6_6 -E main -Zi -Qembed_debug`.
struct Indexes { uint albedo, normals, linear_sampler; };
struct Maps { Texture2D<float4> normals; };
ConstantBuffer<Indexes> indexes : register(b0);
RWByteAddressBuffer results : register(u1);

float4 read(Texture2D<float4> from, SamplerState by, float2 at) {
    return from.SampleLevel(by, at, 0);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    Texture2D<float4> albedo = ResourceDescriptorHeap[indexes.albedo];
    Maps maps;
    maps.normals = ResourceDescriptorHeap[NonUniformResourceIndex(indexes.normals + id)];
    SamplerState by = SamplerDescriptorHeap[indexes.linear_sampler];
    float2 at = float2(id, id * 2) / 64;
    float4 color = read(albedo, by, at) + read(albedo, by, at.yx) + maps.normals.Load(int3(id, 1, 0));
    results.Store4(id * 16, asuint(color));
}
