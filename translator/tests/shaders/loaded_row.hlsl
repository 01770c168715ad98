// A row of floats, which `stored_structure.ll`, made of this shader's text, stores as a structure to
// groupshared memory, of whose floats an atomic operation works on the bits. Compiled with
// `-T cs_6_2 -E main`; the text is assembled without validation.
ByteAddressBuffer words : register(t0);
RWByteAddressBuffer results : register(u0);

[numthreads(8, 1, 1)]
void main(uint i : SV_GroupIndex) {
    results.Store(i * 4, words.Load<float4>(i * 16).y);
}
