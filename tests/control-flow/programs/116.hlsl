//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 116
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }
#ifdef SPIRV
#define NOINLINE
#else
#define NOINLINE [noinline]
#endif

NOINLINE uint f0(uint v0, uint v1) {
    uint v2 = v0, v3 = v1;
    switch ((v2 & 3u)) {
    case 0: {
        uint c0 = 0;
        while (c0 < 3 && ((v2 & 7u) != 6u)) {
            ++c0;
            if (((v1 & 1u) < 1u)) {
                trace(1, ((v2 & v3) ^ 10u));
                if (((v2 & 1u) == 0u)) {
                    [unroll] for (uint c1 = 0; c1 < 3u; ++c1) {
                        v1 = (v0 ^ 14u);
                        v2 = v2;
                        trace(2, v1);
                    }
                    trace(3, ((c0 + 26u) * v2));
                    mark(4, ((v0 + 21u) ^ 34u));
                }
                trace(5, (v1 * (v0 * v0)));
            } else {
                mark(6, max((v1 & v1), (v1 * 4u)));
                trace(7, (((inputs[0] >> 7) | 20u) + 17u));
                trace(8, v3);
            }
        }
        mark(9, v3);
        break;
    }
    case 1: {
        v0 = (v3 - v3);
        break;
    }
    default: {
        trace(10, v2);
        trace(11, v1);
        break;
    }
    case 2: {
        mark(12, v0);
        break;
    }
    }
    mark(13, ((v0 * v2) - v0));
    return v0;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    trace(14, ((v0 + v2) & (v0 + (inputs[3] >> 6))));
    uint c0 = 0;
    while (c0 < 4 && ((v0 & 7u) >= 1u)) {
        ++c0;
        switch ((v1 & 7u)) {
        case 0: {
            uint c1 = 0;
            do {
                ++c1;
                [unroll] for (uint c2 = 0; c2 < 3u; ++c2) {
                    if (!((v1 & 7u) != 1u)) {
                        continue;
                    }
                    break;
                }
                switch ((v3 & 3u)) {
                case 0: {
                    v3 = (max(v0, 11u) * v2);
                    if ((c0 >= (v2 & 3u))) {
                        trace(15, (v1 - 22u));
                    }
                    v3 = f0((v0 + v2), v1);
                    break;
                }
                case 1: {
                    trace(16, (v2 | 36u));
                    uint c3 = 0;
                    while (c3 < 2 && (((v1 & 3u) >= 3u) || ((v1 & 3u) == 2u))) {
                        ++c3;
                        mark(17, (min(v3, v3) | 11u));
                        trace(18, (max(v1, 26u) + min(v3, v0)));
                        trace(19, (v1 & 8u));
                    }
                    break;
                }
                default: {
                    trace(20, max(v3, 1u));
                    v3 = ((v2 & v1) ^ (v3 + v3));
                    break;
                }
                }
                trace(21, min(min(v3, v3), 7u));
            } while (c1 < 3 && (c1 < (v1 & 3u)));
            trace(22, v2);
            continue;
        }
        case 1: {
            trace(23, v1);
            trace(24, ((v3 - c0) + ((inputs[1] >> 0) ^ 16u)));
            break;
        }
        case 2: {
            trace(25, ((v1 + v0) + min(v1, 0u)));
            mark(26, ((v0 + 33u) - 18u));
            mark(27, v2);
            break;
        }
        case 3: {
            v1 = ((v1 | c0) + 11u);
            break;
        }
        default: {
            mark(28, (v0 ^ v1));
            trace(29, (v1 + 20u));
            mark(30, ((v1 + 37u) - 28u));
            break;
        }
        case 4: {
            v3 = (((inputs[0] >> 26) ^ 26u) | (v3 + 4u));
            break;
        }
        }
    }
    trace(31, v1);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
