// Texels of 64 bits, of which `wide_texel_as_float.ll`, made of this shader's text, loads one as floats.
// Compiled with `-T cs_6_6 -E main`; the text is assembled without validation.
RWTexture2D<uint64_t> image : register(u0);
RWByteAddressBuffer results : register(u1);

[numthreads(1, 1, 1)]
void main() {
    InterlockedAdd(image[uint2(0, 0)], 1);
    uint64_t texel = image[uint2(1, 1)];
    results.Store2(0, uint2(texel, texel >> 32));
}
