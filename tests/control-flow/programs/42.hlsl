//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 42
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    v1 = (v2 + (v2 - 2u));
    if (((v2 & 3u) < 3u)) {
        uint c0 = 0u;
        for (uint c1 = 0; c1 < 2u; ++c1) {
            for (uint c2 = 0; c2 < 2u; ++c2) {
                if (((v1 & 1u) >= 1u)) {
                    v3 = (v1 + (v3 | v0));
                }
                v3 = c0;
                if ((((v2 & 7u) != 4u) && (c0 < (v3 & 3u)))) {
                    c0 = 1u;
                    break;
                }
                mark(7, (v3 + 28u));
            }
            if ((c0 != 0u)) {
                break;
            }
            mark(8, min(c1, v0));
        }
        trace(9, max((v3 & v2), (v1 + v0)));
        mark(10, (v3 | 22u));
    }
    mark(11, (v3 * 26u));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
