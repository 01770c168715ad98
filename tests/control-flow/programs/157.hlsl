//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 157
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
    if ((((inputs[0] >> 1) & 7u) == 2u)) {
        uint c0 = 0;
        while (c0 < 2 && (((v3 & 3u) != 1u) && ((v0 & 1u) < 1u))) {
            ++c0;
            if (((inputs[0] >> 25) < v0)) {
                v1 = v3;
                uint c1 = 0;
                do {
                    ++c1;
                    uint c2 = 0;
                    for (;;) {
                        if (++c2 > 5) break;
                        if ((((v2 & 7u) == 2u) && ((v2 & 1u) >= 1u))) {
                            v1 = c2;
                            break;
                        }
                        mark(4, (inputs[2] >> 27));
                        trace(5, ((v0 + 38u) ^ 0u));
                        mark(6, ((inputs[0] >> 9) * 25u));
                    }
                    v2 = c1;
                    if (((c0 & 3u) < 3u)) {
                        trace(7, (v3 + 36u));
                        mark(8, ((v1 & (inputs[2] >> 25)) & (v0 ^ (inputs[0] >> 8))));
                    }
                } while (c1 < 2 && ((v0 < v2) || (c1 < (v3 & 3u))));
            }
        }
        uint c3 = 0u;
        for (uint c4 = 0; c4 < 2u; ++c4) {
            for (uint c5 = 0; c5 < 2u; ++c5) {
                if ((c3 < (v1 & 3u))) {
                    c3 = 1u;
                    break;
                }
                trace(9, ((v1 | 0u) + 20u));
                trace(10, (v0 + c5));
            }
            if ((c3 != 0u)) {
                break;
            }
            trace(11, v1);
        }
    }
    uint c6 = 0;
    while (c6 < 3 && !((v1 & 1u) != 0u)) {
        ++c6;
        if (!((v1 & 1u) != 0u)) {
            v2 = ((v3 - v2) + 10u);
            trace(12, ((v0 & v1) * 32u));
            v2 = min((v2 | v1), 7u);
        }
    }
    trace(13, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
