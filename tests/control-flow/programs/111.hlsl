//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 111
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
    trace(1, (max(v1, v2) + (v0 & v0)));
    mark(2, v3);
    uint c0 = 0;
    while (c0 < 2 && (v1 < v0)) {
        ++c0;
        trace(3, ((v0 + c0) & (v2 + v1)));
        switch ((((v0 & 3u) * 4096u) + 5u)) {
        default: {
            if ((v2 < v0)) {
                uint c1 = 0u;
                for (uint c2 = 0; c2 < 3u; ++c2) {
                    for (uint c3 = 0; c3 < 3u; ++c3) {
                        trace(4, ((inputs[1] >> 18) * (v1 + v0)));
                        if (((v0 & 1u) >= 1u)) {
                            c1 = 1u;
                            break;
                        }
                        v1 = v2;
                    }
                    if ((c1 != 0u)) {
                        break;
                    }
                    mark(5, min(v3, 8u));
                }
            }
            [unroll] for (uint c4 = 0; c4 < 3u; ++c4) {
                switch ((v2 & 3u)) {
                default: {
                    uint c5 = 0;
                    do {
                        ++c5;
                        trace(6, max(c4, (inputs[3] >> 0)));
                    } while (c5 < 3 && (((c0 & 3u) < 3u) && (c5 == (v1 & 3u))));
                    trace(7, ((v0 - 1u) & v3));
                    [branch] if (((v0 & 3u) != 2u)) {
                        mark(8, v2);
                        trace(9, ((v2 + v2) * 13u));
                        dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3)); return;
                    }
                    break;
                }
                case 0: case 1: {
                    mark(10, ((v3 ^ 18u) - ((inputs[0] >> 3) * 20u)));
                    v2 = (v3 + max(v0, v1));
                    break;
                }
                case 2: {
                    mark(11, ((v3 - v0) + 1u));
                    break;
                }
                }
                mark(12, v3);
            }
            break;
        }
        case 5: {
            trace(13, v1);
            mark(14, (v0 - 10u));
            break;
        }
        case 4101: {
            trace(15, min((v0 & (inputs[0] >> 5)), 28u));
            continue;
        }
        case 8197: {
            v0 = min((v3 + c0), 12u);
            v0 = (c0 - 3u);
            mark(16, (((inputs[1] >> 17) * 39u) | v3));
            break;
        }
        case 12293: {
            trace(17, ((v2 & 37u) | 25u));
            v1 = min(v1, 35u);
            v3 = min(v2, v3);
            continue;
        }
        }
        break;
    }
    trace(18, (min(v2, v2) & (v0 * v0)));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
