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

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    switch ((v1 & 3u)) {
    case 0: {
        if ((((v0 & 7u) != 6u) || ((v0 & 7u) == 0u))) {
            mark(3, max(v2, 39u));
        }
        switch ((((v3 & 3u) * 4096u) + 5u)) {
        case 5: {
            uint c0 = 0u;
            for (uint c1 = 0; c1 < 2u; ++c1) {
                for (uint c2 = 0; c2 < 4u; ++c2) {
                    trace(4, (inputs[0] >> 22));
                    uint c3 = 0;
                    for (;;) {
                        if (++c3 > 3) break;
                        v0 = v2;
                        trace(5, (c3 * (v3 ^ v0)));
                        if (((c3 & 7u) < 4u)) {
                            v0 = v3;
                            break;
                        }
                    }
                    if ((c1 == (v3 & 3u))) {
                        c0 = 1u;
                        break;
                    }
                }
                if ((c0 != 0u)) {
                    break;
                }
                trace(6, (c0 + v0));
            }
            switch ((v2 & 7u)) {
            case 0: {
                trace(7, min((c0 + 25u), (v3 & 9u)));
                trace(8, (min(v3, 15u) | v0));
                break;
            }
            case 1: case 2: case 3: {
                trace(9, v1);
                uint c4 = 0;
                for (;;) {
                    if (++c4 > 3) break;
                    if ((v0 < v3)) {
                        v0 = max(c0, (v3 + (inputs[2] >> 10)));
                        break;
                    }
                    if ((c4 < (v2 & 3u))) {
                        trace(10, (min(v0, 9u) & v1));
                    } else {
                        v2 = c4;
                        trace(11, (v3 * v1));
                        mark(12, (v1 + 16u));
                    }
                    trace(13, (min(v0, c0) - 14u));
                    v3 = ((v3 * c0) & 13u);
                }
                v3 = ((v3 + c0) - 14u);
                break;
            }
            default: {
                v0 = ((v0 | v0) ^ (v2 - 24u));
                trace(14, (v3 - (c0 + v1)));
                mark(15, v3);
                break;
            }
            case 4: {
                v1 = (v0 & ((inputs[2] >> 19) + v3));
                break;
            }
            }
            mark(16, max(((inputs[2] >> 0) | v3), 31u));
            break;
        }
        case 4101: {
            mark(17, v1);
            trace(18, v2);
            break;
        }
        case 8197: {
            trace(19, min(min((inputs[0] >> 7), 6u), 28u));
            trace(20, v3);
            trace(21, v2);
            break;
        }
        }
        break;
    }
    case 1: {
        mark(22, v1);
        trace(23, (v1 - 30u));
        trace(24, ((v2 ^ v3) & 35u));
        break;
    }
    case 2: {
        v3 = ((v0 + (inputs[3] >> 22)) + (v0 * v3));
        trace(25, (v3 - (inputs[3] >> 7)));
        v1 = min((v0 | 14u), 14u);
        break;
    }
    case 3: {
        trace(26, v2);
        trace(27, (v0 ^ (v1 - v0)));
        break;
    }
    }
    mark(28, ((v3 | 6u) + v1));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
