// Doubles whose bits lanes compare. Compiled with `-T cs_6_5 -E main`.
ByteAddressBuffer words : register(t0);
RWByteAddressBuffer results : register(u0);

[numthreads(8, 1, 1)]
void main(uint i : SV_GroupIndex) {
    double value = asdouble(words.Load(i * 8), words.Load(i * 8 + 4));
    results.Store2(i * 8, uint2(WaveActiveAllEqual(value), WaveMatch(value).x));
}
