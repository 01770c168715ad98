//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 76
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
    if (((v3 & 3u) != 2u)) {
        if (((v2 & 1u) >= 1u)) {
            uint c0 = 0u;
            for (uint c1 = 0; c1 < 3u; ++c1) {
                for (uint c2 = 0; c2 < 4u; ++c2) {
                    if ((c0 == (v3 & 3u))) {
                        trace(5, (c0 & (c2 ^ v0)));
                        v1 = max(c1, 27u);
                        trace(6, max((c1 + v2), 26u));
                    } else {
                        trace(7, (v3 + 37u));
                        mark(8, ((v1 | v0) * 27u));
                    }
                    if ((c2 == (v2 & 3u))) {
                        c0 = 1u;
                        break;
                    }
                    trace(9, ((v3 + v0) + 11u));
                    v3 = (max((inputs[2] >> 2), v1) ^ max(v2, v3));
                }
                if ((c0 != 0u)) {
                    break;
                }
                mark(10, (c1 + 4u));
            }
            switch ((v3 & 3u)) {
            default: {
                uint c3 = 0;
                for (;;) {
                    if (++c3 > 4) break;
                    trace(11, ((v3 + 13u) + (c3 | v1)));
                    if ((c0 < (v0 & 3u))) {
                        v3 = v1;
                        break;
                    }
                }
                break;
            }
            case 0: {
                mark(12, c0);
                v1 = (v3 * 23u);
                break;
            }
            case 1: {
                v1 = v2;
                break;
            }
            }
            trace(13, (max(v1, 5u) * (v0 + 37u)));
        } else {
            trace(14, ((v1 + 11u) ^ 7u));
            trace(15, (v1 & (v1 - 25u)));
            trace(16, ((v2 ^ v2) + (v1 & 11u)));
        }
        v0 = (max(v2, v1) - min(v1, v0));
    } else {
        mark(17, (v1 | (v0 + 36u)));
        mark(18, v2);
    }
    v0 = ((v3 * v2) + (v3 ^ 13u));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
