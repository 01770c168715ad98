// A buffer of which rows are loaded and single words are stored, and one of which rows are both.
// Compiled with `-T cs_6_0 -E main`.
RWByteAddressBuffer both : register(u0);
RWByteAddressBuffer rows : register(u1);

[numthreads(8, 1, 1)]
void main(uint i : SV_GroupIndex) {
    uint4 row = both.Load4(i * 16);
    both.Store(i * 16 + 4, row.x + row.y + row.z + row.w);
    rows.Store4(i * 16, rows.Load4(i * 16) * 2);
}
