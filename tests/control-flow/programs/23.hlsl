//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 23
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
    v0 = v1;
    [branch] if ((((v3 & 3u) >= 2u) || (((inputs[3] >> 7) & 1u) != 0u))) {
        uint c0 = 0u;
        for (uint c1 = 0; c1 < 2u; ++c1) {
            for (uint c2 = 0; c2 < 2u; ++c2) {
                [loop] for (uint c3 = 0; c3 < (((inputs[2] >> 23) & 3u) + 0u); ++c3) {
                    if (((v3 & 3u) < 3u)) {
                        v1 = (v0 * min(v2, 37u));
                        v0 = ((v2 & (inputs[1] >> 15)) | v1);
                        mark(1, ((v0 + v1) + 32u));
                        continue;
                    } else {
                        trace(2, (v2 + 24u));
                    }
                    trace(3, v1);
                }
                if (((c1 & 1u) < 1u)) {
                    c0 = 1u;
                    break;
                }
            }
            if ((c0 != 0u)) {
                break;
            }
            trace(4, ((v3 * c0) * c1));
        }
    } else {
        mark(5, v0);
    }
    v1 = v3;
    return v0;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    trace(6, ((v0 + v0) - 23u));
    if ((v0 < (inputs[0] >> 25))) {
        for (uint c0 = 0; c0 < ((v0 & 3u) + 1u); ++c0) {
            mark(7, c0);
            if (((v1 & 7u) >= 4u)) {
                trace(8, ((v1 - c0) + v1));
                break;
            }
            mark(9, v0);
        }
    } else {
        mark(10, v0);
    }
    [unroll] for (uint c1 = 0; c1 < 3u; ++c1) {
        v1 = f0((v2 + v2), v2);
    }
    if (((v3 & 7u) >= 3u)) {
        if (((v1 & 3u) != 0u)) {
            uint c2 = 0u;
            for (uint c3 = 0; c3 < 3u; ++c3) {
                for (uint c4 = 0; c4 < 3u; ++c4) {
                    v2 = f0((v1 + 7u), ((inputs[0] >> 8) * 32u));
                    if (!(c4 >= (v1 & 3u))) {
                        trace(11, (v2 + 3u));
                        break;
                    }
                    if (((v1 & 7u) == 3u)) {
                        c2 = 1u;
                        break;
                    }
                }
                if ((c2 != 0u)) {
                    break;
                }
                trace(12, (v2 - 10u));
            }
            uint c5 = 0;
            for (;;) {
                if (++c5 > 4) break;
                trace(13, c2);
                if (!((v2 & 3u) < 1u)) {
                    mark(14, min((c5 * (inputs[0] >> 19)), 3u));
                    break;
                }
            }
            v1 = v0;
        } else {
            trace(15, (min(v0, 37u) * v2));
            trace(16, v3);
        }
        v2 = (min(v1, 34u) - ((inputs[2] >> 5) & 37u));
    } else {
        trace(17, ((v1 - 10u) & (v1 & 17u)));
        trace(18, ((inputs[3] >> 24) + 16u));
    }
    trace(19, v0);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
