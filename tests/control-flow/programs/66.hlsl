//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 66
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
    uint c0 = 0u;
    for (uint c1 = 0; c1 < 2u; ++c1) {
        for (uint c2 = 0; c2 < 2u; ++c2) {
            v0 = v2;
            if ((c0 == (v3 & 3u))) {
                c0 = 1u;
                break;
            }
            if (((v1 < c1) || (c2 >= (v0 & 3u)))) {
                if ((c1 < (v0 & 3u))) {
                    mark(1, (inputs[1] >> 27));
                    continue;
                }
            }
        }
        if ((c0 != 0u)) {
            break;
        }
        trace(2, v3);
    }
    mark(3, ((v3 + 25u) - 30u));
    [unroll] for (uint c3 = 0; c3 < 2u; ++c3) {
        uint c4 = 0;
        while (c4 < 4 && ((c3 & 7u) == 0u)) {
            ++c4;
            mark(4, ((v0 ^ 11u) | (v1 & v1)));
            trace(5, (v1 & (v1 - 6u)));
            mark(6, ((v3 | v2) & 2u));
        }
        mark(7, c3);
    }
    trace(8, ((v2 + v3) + 36u));
    return v0;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    uint c0 = 0;
    while (c0 < 2 && ((v2 & 3u) < 3u)) {
        ++c0;
        switch ((((c0 & 7u) * 4096u) + 5u)) {
        case 5: {
            if ((c0 == (v0 & 3u))) {
                switch ((((c0 & 3u) * 4096u) + 5u)) {
                case 5: {
                    v0 = min((v0 | v0), 10u);
                    v3 = f0(((inputs[3] >> 1) + v0), (v2 * 16u));
                    uint c1 = 0;
                    while (c1 < 5 && (c0 == (v3 & 3u))) {
                        ++c1;
                        v3 = ((v0 - 2u) + 10u);
                    }
                    break;
                }
                case 4101: case 8197: {
                    if (((c0 & 3u) != 1u)) {
                        dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3)); return;
                    }
                    uint c2 = 0;
                    for (;;) {
                        if (++c2 > 3) break;
                        if ((c0 < (v1 & 3u))) {
                            break;
                        }
                        trace(9, ((c0 ^ 0u) ^ 8u));
                    }
                    if (((v0 & 1u) < 1u)) {
                        v3 = v2;
                        mark(10, ((c0 & v0) | (v1 * (inputs[2] >> 1))));
                        v3 = (v1 - ((inputs[0] >> 9) * 30u));
                    }
                    break;
                }
                }
            }
            v3 = max(v1, 6u);
            break;
        }
        case 4101: {
            uint c3 = 0;
            while (c3 < 2 && ((v2 & 7u) >= 4u)) {
                ++c3;
                v3 = (min(v0, v0) | (v2 & (inputs[3] >> 18)));
            }
            break;
        }
        case 8197: {
            trace(11, v2);
            trace(12, v2);
            mark(13, v0);
            break;
        }
        default: case 12293: {
            trace(14, c0);
            trace(15, v1);
            trace(16, (c0 ^ v3));
            break;
        }
        case 16389: {
            v2 = v3;
            trace(17, v3);
            v3 = v1;
            break;
        }
        }
        v2 = c0;
        trace(18, v3);
    }
    trace(19, v0);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
