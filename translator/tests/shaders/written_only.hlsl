// Two buffers that are written only: one by halves, one by words. Compiled with
// `-T cs_6_2 -E main -enable-16bit-types`.
RWByteAddressBuffer halves : register(u0);
RWByteAddressBuffer words : register(u1);

[numthreads(8, 1, 1)]
void main(uint i : SV_GroupIndex) {
    halves.Store<uint16_t>(i * 2, (uint16_t)i);
    words.Store(i * 4, i);
}
