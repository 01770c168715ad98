//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 188
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
    v1 = v0;
    trace(1, max(max(v2, v2), 28u));
    v3 = ((v3 + v0) + (v2 + 8u));
    uint c0 = 0;
    for (;;) {
        if (++c0 > 3) break;
        if (((c0 & 7u) == 1u)) {
            break;
        }
        mark(2, v0);
    }
    trace(3, ((v3 | 27u) - (v1 + v2)));
    v1 = ((v0 - v3) + (v2 ^ v1));
    return v0;
}

uint f1(uint v0, uint v1) {
    uint v2 = v0, v3 = v1;
    switch ((v0 & 7u)) {
    case 0: {
        uint c0 = 0u;
        for (uint c1 = 0; c1 < 2u; ++c1) {
            for (uint c2 = 0; c2 < 3u; ++c2) {
                if ((c0 == (v1 & 3u))) {
                    if (((v2 & 3u) >= 2u)) {
                        v3 = c0;
                        continue;
                    }
                    trace(4, (v3 + max(c2, (inputs[0] >> 9))));
                    v2 = f0((c2 | 38u), (v1 | 23u));
                    continue;
                } else {
                    v1 = f0((v1 | v2), (inputs[3] >> 20));
                    continue;
                }
                trace(5, v1);
                if (((inputs[2] >> 28) < v1)) {
                    c0 = 1u;
                    break;
                }
            }
            if ((c0 != 0u)) {
                break;
            }
            mark(6, v0);
        }
        v0 = min(v0, v0);
        mark(7, v3);
        break;
    }
    case 1: {
        trace(8, ((v2 * v1) ^ 0u));
        trace(9, ((v2 * v1) + (v2 - v0)));
        break;
    }
    case 2: {
        v3 = ((v2 + v0) * 11u);
        trace(10, min((v2 ^ 5u), (v2 & 18u)));
        break;
    }
    case 3: {
        v0 = v1;
        break;
    }
    case 4: {
        trace(11, (v2 - 3u));
        trace(12, v0);
        v3 = v1;
        break;
    }
    }
    trace(13, v2);
    return v0;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    if ((((v1 & 3u) < 2u) || ((v3 & 3u) < 3u))) {
        uint c0 = 0;
        do {
            ++c0;
            for (uint c1 = 0; c1 < 5u; ++c1) {
                mark(14, v2);
                mark(15, ((c1 & v0) - 36u));
            }
            v1 = f1((v1 * 4u), (c0 ^ c0));
        } while (c0 < 4 && ((v0 & 3u) != 0u));
        if (((v3 & 3u) != 2u)) {
            if ((((inputs[3] >> 4) & 3u) >= 3u)) {
                uint c2 = 0u;
                for (uint c3 = 0; c3 < 2u; ++c3) {
                    for (uint c4 = 0; c4 < 2u; ++c4) {
                        trace(16, max((v0 - c2), 29u));
                        if (!((v2 & 3u) < 1u)) {
                            c2 = 1u;
                            break;
                        }
                        v3 = ((v1 * v2) + min(v3, (inputs[2] >> 2)));
                        trace(17, v3);
                    }
                    if ((c2 != 0u)) {
                        break;
                    }
                    trace(18, c3);
                }
                uint c5 = 0u;
                for (uint c6 = 0; c6 < 2u; ++c6) {
                    for (uint c7 = 0; c7 < 2u; ++c7) {
                        trace(19, ((v1 - 9u) * max(v0, v2)));
                        v3 = (inputs[3] >> 5);
                        if (((c7 & 7u) == 2u)) {
                            c5 = 1u;
                            break;
                        }
                    }
                    if ((c5 != 0u)) {
                        break;
                    }
                    trace(20, v0);
                }
            }
        }
    }
    v3 = (inputs[2] >> 13);
    trace(21, ((v1 & v3) - (v2 * v3)));
    trace(22, v2);
    mark(23, v1);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
