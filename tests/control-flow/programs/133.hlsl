//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 133
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

uint f0(uint v0, uint v1) {
    uint v2 = v0, v3 = v1;
    if (((v1 & 3u) != 2u)) {
        trace(1, ((v2 | 24u) & (v1 - v3)));
        v2 = ((v0 * 7u) + (v3 ^ (inputs[3] >> 5)));
    } else {
        trace(2, v2);
    }
    mark(3, ((v2 ^ 2u) - 20u));
    return v0;
}

NOINLINE uint f1(uint v0, uint v1) {
    uint v2 = v0, v3 = v1;
    [unroll] for (uint c0 = 0; c0 < 3u; ++c0) {
        if (((c0 < v1) && (c0 < (v2 & 3u)))) {
            break;
        }
        trace(4, c0);
        if (((v2 & 3u) < 1u)) {
            if (((v1 < v0) && ((v2 & 1u) < 1u))) {
                mark(5, v0);
                v3 = c0;
            } else {
                trace(6, v0);
            }
            v1 = ((v1 + 12u) | max(c0, 32u));
        } else {
            trace(7, c0);
            trace(8, v1);
        }
    }
    trace(9, (v0 & max(v2, v2)));
    return v0;
}

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    v3 = (((inputs[3] >> 4) | 39u) * 22u);
    if (((v0 & 1u) == 0u)) {
        if (((v2 & 3u) == 1u)) {
            v3 = f1(v2, v1);
            if (((v2 & 3u) == 0u)) {
                trace(10, ((v3 - v0) | (v1 * 35u)));
            }
            [branch] if (((v0 & 1u) != 0u)) {
                trace(11, max((v0 & 37u), (v1 - v0)));
                if (((v3 & 7u) >= 7u)) {
                    mark(12, max((v1 + 20u), 37u));
                }
                uint c0 = 0;
                for (;;) {
                    if (++c0 > 4) break;
                    trace(13, (v1 + 20u));
                    if (((v1 & 1u) == 0u)) {
                        trace(14, ((inputs[3] >> 25) * (c0 & v3)));
                        break;
                    }
                }
            }
        } else {
            uint c1 = 0;
            while (c1 < 5 && (((v0 & 3u) >= 3u) || ((v3 & 3u) != 0u))) {
                ++c1;
                if ((c1 == (v3 & 3u))) {
                    uint c2 = 0;
                    while (c2 < 2 && (((v3 & 7u) >= 1u) && ((v0 & 3u) != 0u))) {
                        ++c2;
                        mark(15, v2);
                        trace(16, ((v0 ^ 34u) - (v1 + c1)));
                    }
                }
                if ((c1 < (v2 & 3u))) {
                    v2 = c1;
                    trace(17, v2);
                    v3 = min((v1 + c1), v0);
                } else {
                    trace(18, max((v3 - c1), max(v0, 24u)));
                }
            }
        }
        mark(19, max(v2, (v2 - v2)));
    } else {
        trace(20, v3);
        v2 = ((inputs[0] >> 16) + (v3 + v2));
        trace(21, v2);
    }
    trace(22, max((inputs[2] >> 26), max(v3, v3)));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
