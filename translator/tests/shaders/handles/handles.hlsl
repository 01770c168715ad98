// dxc -T cs_6_6 -E main, then -dumpbin, its function replaced by the one of the .ll file, and
// -assemble -Vd. Each container chooses between handles by a phi or select, as its name says. The
// library is tests/fixtures/handles/library.hlsl with other assembly.
ByteAddressBuffer inputs[4] : register(t0);
ByteAddressBuffer single : register(t8);
RWByteAddressBuffer results : register(u0);
cbuffer C : register(b0) { uint flag; };
[numthreads(8, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    ByteAddressBuffer raw = ResourceDescriptorHeap[flag];
    Texture2D<float4> picture = ResourceDescriptorHeap[flag + 1];
    results.Store(id * 4, inputs[flag].Load(id * 4) + single.Load(id * 4) + raw.Load(0) + picture.Load(0).x);
}
