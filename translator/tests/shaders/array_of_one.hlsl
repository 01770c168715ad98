// An array of one texture, whose index is known when the shader runs. Compiled with `-T cs_6_0 -E main`.
ByteAddressBuffer words : register(t0);
Texture2D<uint4> images[1] : register(t5);
RWByteAddressBuffer results : register(u0);

[numthreads(8, 1, 1)]
void main(uint i : SV_GroupIndex) {
    uint4 texel = images[words.Load(0)].Load(int3(0, 0, 0));
    results.Store4(i * 16, texel + images[NonUniformResourceIndex(i)].Load(int3(1, 0, 0)));
}
