// dxc -T cs_6_0 -E main -Fo sparse_status.dxil: the sparse status of a texture. lavapipe 25.0 crashes on it for images that are not sparse,
// on DXC's own SPIR-V of this source too, so the lowering is judged by its contract and the validator.
Texture2D<uint4> image : register(t0);
RWByteAddressBuffer results : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    uint status;
    uint4 texel = image.Load(int3(id & 7, id >> 3, 0), int2(0, 0), status);
    results.Store2(id * 8, uint2(texel.y, CheckAccessFullyMapped(status) ? 1 : 0));
}
