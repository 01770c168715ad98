//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 106
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

uint f0(uint v0, uint v1) {
    uint v2 = v0, v3 = v1;
    if (((v1 & 3u) != 2u)) {
        [unroll] for (uint c0 = 0; c0 < 3u; ++c0) {
            if (!((c0 & 7u) < 2u)) {
                trace(1, v3);
                break;
            } else {
                trace(2, (inputs[0] >> 25));
                trace(3, ((v2 + v1) ^ (v1 - v3)));
                trace(4, min(v3, (v3 ^ v1)));
            }
            v0 = (c0 * 12u);
        }
        mark(5, ((v0 * 9u) | (v1 | 0u)));
        trace(6, v3);
    }
    trace(7, v1);
    return v0;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    if (((v0 & 3u) != 2u)) {
        uint c0 = 0;
        do {
            ++c0;
            uint c1 = 0;
            for (;;) {
                if (++c1 > 4) break;
                v1 = f0(v2, (v0 - (inputs[0] >> 4)));
                if ((v1 < v2)) {
                    trace(8, v0);
                    break;
                }
                if ((c1 == (v2 & 3u))) {
                    break;
                }
            }
        } while (c0 < 4 && (c0 < (v3 & 3u)));
    } else {
        v1 = (inputs[0] >> 20);
        trace(9, v3);
    }
    if ((((inputs[1] >> 27) & 1u) < 1u)) {
        for (uint c2 = 0; c2 < ((v3 & 3u) + 2u); ++c2) {
            switch ((v2 & 7u)) {
            case 0: case 1: {
                uint c3 = 0;
                for (;;) {
                    if (++c3 > 3) break;
                    if (((v1 & 3u) != 2u)) {
                        mark(11, (v2 + 13u));
                        break;
                    }
                    mark(10, (c2 | (v1 + v2)));
                }
                v0 = ((c2 ^ 37u) - 11u);
                trace(12, ((v1 * v0) | 17u));
                break;
            }
            default: {
                trace(13, min((v0 * v3), 24u));
                continue;
            }
            case 2: case 3: {
                trace(14, ((inputs[0] >> 18) | (v0 & 10u)));
                break;
            }
            case 4: {
                trace(15, (v3 * (v2 * 0u)));
                v3 = (v1 * (v2 ^ 7u));
                trace(16, ((v2 - 27u) & 9u));
                break;
            }
            }
        }
        v0 = (min((inputs[0] >> 18), 32u) - v3);
    } else {
        v3 = max(max(v2, 25u), 31u);
    }
    v1 = ((v1 + v2) & 3u);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
