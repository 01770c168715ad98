//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 174
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
    uint c0 = 0;
    while (c0 < 3 && ((v0 & 3u) >= 1u)) {
        ++c0;
        mark(6, v3);
    }
    uint c1 = 0;
    while (c1 < 5 && ((v2 & 1u) != 0u)) {
        ++c1;
        if (((c1 & 3u) >= 2u)) {
            uint c2 = 0;
            for (;;) {
                if (++c2 > 6) break;
                if ((c1 >= (v2 & 3u))) {
                    v2 = v2;
                    continue;
                }
                trace(7, v1);
                if ((v3 < c2)) {
                    v0 = c2;
                    break;
                }
            }
        } else {
            trace(8, (v2 + 25u));
            trace(9, v1);
            trace(10, ((v1 * c1) * (c1 | 12u)));
        }
    }
    v0 = (v1 - (v3 * 31u));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
