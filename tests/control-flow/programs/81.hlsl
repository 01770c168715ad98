//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 81
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
    trace(4, ((v3 - v1) + max(v0, v0)));
    trace(5, v3);
    trace(6, v3);
    if (((v2 & 3u) != 0u)) {
        if (((v1 & 1u) != 0u)) {
            uint c0 = 0u;
            for (uint c1 = 0; c1 < 2u; ++c1) {
                for (uint c2 = 0; c2 < 3u; ++c2) {
                    mark(7, (min(v1, 13u) + 24u));
                    if ((v2 < (inputs[2] >> 28))) {
                        c0 = 1u;
                        break;
                    }
                }
                if ((c0 != 0u)) {
                    break;
                }
                trace(8, ((v2 - v0) - v2));
            }
            switch ((v0 & 3u)) {
            case 0: {
                switch ((c0 & 3u)) {
                case 0: case 1: {
                    trace(9, v1);
                    uint c3 = 0;
                    for (;;) {
                        if (++c3 > 5) break;
                        if ((((inputs[1] >> 8) & 3u) == 2u)) {
                            break;
                        }
                        trace(10, (v1 + 32u));
                        trace(11, ((v1 + 35u) & v2));
                    }
                    break;
                }
                case 2: {
                    v2 = v0;
                    trace(12, min(min(c0, v3), v2));
                    mark(13, (min(v2, v3) ^ (c0 & v2)));
                    break;
                }
                }
                trace(14, (inputs[3] >> 11));
                v3 = (v2 & 17u);
                break;
            }
            case 1: {
                v0 = (inputs[1] >> 1);
                break;
            }
            }
            trace(15, (v2 + 19u));
        } else {
            mark(16, ((v0 & 6u) - (v3 - 21u)));
            v2 = max(v1, min(v2, 13u));
            v3 = ((v0 | 0u) * 10u);
        }
    } else {
        mark(17, ((v1 & 36u) + min(v2, 27u)));
        v2 = (min(v0, v0) | min(v0, v3));
        v3 = ((v1 | 15u) + 12u);
    }
    v1 = ((inputs[0] >> 23) - 17u);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
