// Two buffers on one descriptor, of which one is globally coherent. Compiled with `-T cs_6_0 -E main`.
#define SIGNATURE "DescriptorTable(UAV(u0), UAV(u0, space=1, offset=0), UAV(u1, offset=1))"
globallycoherent RWByteAddressBuffer coherent : register(u0);
RWByteAddressBuffer other : register(u0, space1);
RWByteAddressBuffer results : register(u1);

[RootSignature(SIGNATURE)]
[numthreads(8, 1, 1)]
void main(uint i : SV_GroupIndex) {
    coherent.Store(i * 4, i);
    results.Store(i * 4, other.Load(i * 4));
}
