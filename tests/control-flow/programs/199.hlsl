//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 199
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
    if (!((v0 & 3u) == 1u)) {
        uint c0 = 0;
        while (c0 < 5 && ((v0 & 7u) < 6u)) {
            ++c0;
            trace(1, min((v1 + c0), (v3 - v3)));
        }
    }
    trace(2, max(v2, v0));
    return v0;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    if (((v1 & 7u) < 3u)) {
        v0 = f0((inputs[3] >> 18), min(v0, 9u));
        for (uint c0 = 0; c0 < ((v2 & 3u) + 2u); ++c0) {
            switch ((((v2 & 3u) * 4096u) + 5u)) {
            case 5: {
                uint c1 = 0u;
                for (uint c2 = 0; c2 < 3u; ++c2) {
                    for (uint c3 = 0; c3 < 2u; ++c3) {
                        trace(3, (inputs[0] >> 0));
                        if ((v1 < v0)) {
                            c1 = 1u;
                            break;
                        }
                        mark(4, ((c2 - v0) | 34u));
                    }
                    if ((c1 != 0u)) {
                        break;
                    }
                    mark(5, v2);
                }
                uint c4 = 0u;
                for (uint c5 = 0; c5 < 3u; ++c5) {
                    for (uint c6 = 0; c6 < 2u; ++c6) {
                        trace(6, v2);
                        if (!((v3 & 7u) >= 2u)) {
                            c4 = 1u;
                            break;
                        }
                        mark(7, ((v0 + 24u) * 31u));
                        trace(8, (v0 + v3));
                    }
                    if ((c4 != 0u)) {
                        break;
                    }
                    trace(9, ((c0 + 25u) - max((inputs[1] >> 27), v0)));
                }
                trace(10, (min(v3, 15u) | v0));
                break;
            }
            case 4101: case 8197: {
                if (((c0 & 1u) != 0u)) {
                    [loop] for (uint c7 = 0; c7 < ((v2 & 3u) + 2u); ++c7) {
                        trace(11, v2);
                        trace(12, v1);
                    }
                    break;
                }
                if (((v1 & 1u) == 0u)) {
                    v1 = (v1 + (v2 - 39u));
                    mark(13, v2);
                } else {
                    trace(14, ((v1 & 13u) | (c0 + 15u)));
                    break;
                }
                v0 = (v3 - v2);
                break;
            }
            }
            mark(15, (max((inputs[1] >> 0), 2u) + v1));
        }
        v3 = (v3 * v0);
    } else {
        v0 = ((v1 ^ v3) * (v2 ^ 12u));
    }
    trace(16, max((v1 * 35u), 28u));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
