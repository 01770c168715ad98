//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 16
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
    trace(1, (v2 + 2u));
    switch (((inputs[3] >> 18) & 3u)) {
    case 0: {
        if (!(v3 < v1)) {
            trace(2, ((v0 | v1) & 34u));
        }
        break;
    }
    default: {
        trace(3, v2);
        trace(4, max(v1, (v3 * v0)));
        v1 = (max(v1, v1) + 26u);
        break;
    }
    case 1: {
        trace(5, max(v2, ((inputs[0] >> 22) * 16u)));
        v1 = (v1 ^ v1);
        mark(6, (max((inputs[3] >> 26), v1) | v1));
        break;
    }
    case 2: {
        mark(7, (((inputs[0] >> 2) & v0) | max(v1, v3)));
        mark(8, v3);
        mark(9, v0);
        break;
    }
    case 3: {
        v3 = (v2 - (inputs[0] >> 4));
        v2 = v3;
        v2 = ((v3 | 13u) * max(v0, v3));
        break;
    }
    }
    trace(10, v1);
    return v0;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    mark(11, (min(v1, 15u) + (v3 ^ v2)));
    if (((v2 & 3u) < 1u)) {
        if ((((v0 & 3u) >= 1u) && ((v3 & 1u) != 0u))) {
            v1 = f0(v3, (inputs[0] >> 15));
            trace(12, v0);
            uint c0 = 0;
            for (;;) {
                if (++c0 > 4) break;
                if (((v1 & 7u) < 7u)) {
                    break;
                }
                v1 = f0(v0, (v3 - v3));
            }
        } else {
            switch ((((v2 & 7u) * 4096u) + 5u)) {
            case 5: {
                trace(13, (min(v3, v3) - 14u));
                trace(14, (v1 + (v1 + v0)));
                break;
            }
            case 4101: {
                switch ((v2 & 3u)) {
                default: {
                    uint c1 = 0u;
                    for (uint c2 = 0; c2 < 3u; ++c2) {
                        for (uint c3 = 0; c3 < 4u; ++c3) {
                            if (((v3 & 1u) >= 1u)) {
                                c1 = 1u;
                                break;
                            }
                            mark(15, ((v2 + v2) + 3u));
                            v1 = v2;
                            v2 = (min((inputs[3] >> 3), v0) | ((inputs[1] >> 21) - v2));
                        }
                        if ((c1 != 0u)) {
                            break;
                        }
                        trace(16, ((v2 & 20u) | (v3 * 5u)));
                    }
                    if (!((v2 & 3u) != 0u)) {
                        mark(17, max((v3 & 24u), (c1 | v0)));
                        v3 = v0;
                    }
                    break;
                }
                case 0: {
                    v3 = (v1 + v1);
                    v1 = ((inputs[1] >> 17) & v1);
                    v0 = (inputs[1] >> 21);
                    break;
                }
                case 1: {
                    trace(18, (v2 & 14u));
                    v1 = max(v3, (v2 | v0));
                    break;
                }
                case 2: {
                    mark(19, ((inputs[0] >> 21) * v3));
                    v3 = min(v0, (v1 - 15u));
                    break;
                }
                case 3: {
                    mark(20, v0);
                    v0 = ((v3 + (inputs[3] >> 21)) & max(v3, 36u));
                    v0 = v3;
                    break;
                }
                }
                v2 = ((v3 + v1) * (v1 - v0));
                break;
            }
            default: {
                v0 = (max(v3, v1) - v3);
                break;
            }
            case 8197: case 12293: {
                v0 = min(v0, v1);
                break;
            }
            case 16389: {
                v1 = (min(v3, v2) + 20u);
                break;
            }
            }
            mark(21, (max(v0, 29u) ^ v2));
        }
        trace(22, v0);
        v1 = ((v0 + 31u) + v1);
    } else {
        mark(23, v3);
        v3 = ((v0 ^ v2) + min(v0, v3));
        trace(24, (v3 + v1));
    }
    mark(25, min((v0 + v3), v2));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
