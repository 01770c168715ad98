//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 204
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
    trace(1, ((v1 - v2) * (v1 * 22u)));
    uint c0 = 0u;
    for (uint c1 = 0; c1 < 3u; ++c1) {
        for (uint c2 = 0; c2 < 4u; ++c2) {
            if ((((inputs[0] >> 0) & 7u) >= 2u)) {
                c0 = 1u;
                break;
            }
            trace(2, c0);
        }
        if ((c0 != 0u)) {
            break;
        }
        trace(3, (min(v3, v2) & 24u));
    }
    v3 = ((v2 + v1) + 12u);
    uint c3 = 0;
    do {
        ++c3;
        uint c4 = 0;
        while (c4 < 2 && ((v3 & 3u) >= 3u)) {
            ++c4;
            [unroll] for (uint c5 = 0; c5 < 3u; ++c5) {
                trace(4, c3);
            }
            switch ((v3 & 3u)) {
            case 0: case 1: {
                [unroll] for (uint c6 = 0; c6 < 3u; ++c6) {
                    v3 = min((c6 + v2), (v2 & v2));
                    trace(5, c3);
                }
                mark(6, ((v0 & 39u) * (c4 | 7u)));
                break;
            }
            default: {
                v1 = ((v1 | v0) + 11u);
                trace(7, (max(c3, v2) * (v3 * 12u)));
                v2 = (v3 + c4);
                break;
            }
            }
        }
        trace(8, ((inputs[1] >> 0) & 6u));
    } while (c3 < 3 && (((c3 & 1u) < 1u) && (c3 >= (v1 & 3u))));
    trace(9, ((v2 & 20u) - 30u));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
