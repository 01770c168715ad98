//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 91
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
    uint c0 = 0u;
    for (uint c1 = 0; c1 < 2u; ++c1) {
        for (uint c2 = 0; c2 < 4u; ++c2) {
            trace(1, v1);
            if (((v3 & 1u) >= 1u)) {
                c0 = 1u;
                break;
            }
        }
        if ((c0 != 0u)) {
            break;
        }
        trace(2, v0);
    }
    uint c3 = 0;
    for (;;) {
        if (++c3 > 4) break;
        v0 = ((v0 & v3) + v3);
        uint c4 = 0;
        for (;;) {
            if (++c4 > 6) break;
            mark(3, v2);
            trace(4, (min((inputs[3] >> 0), 20u) - 34u));
            trace(5, v0);
            if ((((v2 & 7u) < 6u) || ((v3 & 3u) < 2u))) {
                v1 = (c3 & (v3 | 31u));
                break;
            }
        }
        if (!(c3 >= (v3 & 3u))) {
            break;
        }
    }
    trace(6, max((v0 & 32u), max(v0, 5u)));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
