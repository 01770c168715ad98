//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 21
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
    trace(1, v0);
    mark(2, ((v0 & 22u) & 12u));
    switch ((v2 & 3u)) {
    default: {
        [loop] for (uint c0 = 0; c0 < 4u; ++c0) {
            uint c1 = 0;
            do {
                ++c1;
                [unroll] for (uint c2 = 0; c2 < 3u; ++c2) {
                    switch ((((v2 & 3u) * 4096u) + 5u)) {
                    default: {
                        trace(3, ((v2 | 0u) * max(v0, c2)));
                        break;
                    }
                    case 5: {
                        mark(4, (v1 | v1));
                        continue;
                    }
                    case 4101: {
                        trace(5, v1);
                        break;
                    }
                    case 8197: {
                        v1 = c1;
                        mark(6, v2);
                        break;
                    }
                    }
                }
                v2 = v3;
                mark(7, ((v3 + v3) ^ (c1 + v1)));
            } while (c1 < 2 && ((c1 >= ((inputs[0] >> 8) & 3u)) || ((v0 & 3u) >= 2u)));
            trace(8, (v2 - (v2 - v0)));
            v3 = min(v3, (v1 ^ 28u));
        }
        trace(9, min((v1 + 8u), (v2 - 38u)));
        mark(10, min(v1, (v3 | v1)));
        break;
    }
    case 0: case 1: {
        v1 = ((v0 | v1) + v2);
        trace(11, ((v3 | 27u) + ((inputs[0] >> 0) ^ v0)));
        break;
    }
    case 2: {
        trace(12, v1);
        v2 = (min(v3, v1) - 9u);
        break;
    }
    }
    mark(13, min(v2, 30u));
    return v0;
}

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    uint c0 = 0u;
    for (uint c1 = 0; c1 < 3u; ++c1) {
        for (uint c2 = 0; c2 < 2u; ++c2) {
            v3 = v2;
            if (!(c0 == (v0 & 3u))) {
                c0 = 1u;
                break;
            }
        }
        if ((c0 != 0u)) {
            break;
        }
        mark(14, v3);
    }
    [unroll] for (uint c3 = 0; c3 < 3u; ++c3) {
        if ((c3 < ((inputs[3] >> 20) & 3u))) {
            v3 = f0(v3, min(v0, 11u));
            trace(15, v2);
            switch ((((v1 & 3u) * 4096u) + 5u)) {
            case 5: {
                [branch] if ((c3 >= (v0 & 3u))) {
                    v1 = (v1 | (v2 | 17u));
                    if (((v1 & 3u) < 1u)) {
                        trace(16, ((v1 ^ v1) | 24u));
                        break;
                    }
                }
                break;
            }
            default: {
                mark(17, v1);
                v1 = (max(v0, 10u) & v3);
                continue;
            }
            case 4101: {
                uint c4 = 0;
                do {
                    ++c4;
                    trace(18, v1);
                    uint c5 = 0;
                    do {
                        ++c5;
                        v3 = (v2 - v2);
                        trace(19, (min(c4, v2) & (v2 - v2)));
                    } while (c5 < 5 && ((c3 >= (v1 & 3u)) && ((v0 & 1u) >= 1u)));
                } while (c4 < 3 && ((v0 & 1u) == 0u));
                trace(20, (min(v1, v3) & (v0 + 30u)));
                v0 = v2;
                break;
            }
            case 8197: {
                mark(21, ((v2 | 3u) + 22u));
                trace(22, max(v0, (v1 | v0)));
                trace(23, v1);
                break;
            }
            }
        } else {
            v3 = (min(c3, v1) - 37u);
            v1 = ((inputs[1] >> 26) - (v0 ^ 26u));
            trace(24, (v1 + (c3 & v1)));
        }
    }
    trace(25, v0);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
