//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 156
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
    if (((v1 & 3u) == 1u)) {
        trace(1, v3);
        mark(2, v0);
        trace(3, ((v0 + 2u) * 8u));
    }
    if ((((inputs[3] >> 3) & 7u) < 6u)) {
        if (((v0 < v2) && ((v3 & 3u) != 2u))) {
            uint c0 = 0;
            while (c0 < 4 && (v1 < v2)) {
                ++c0;
                trace(4, ((v0 | (inputs[1] >> 5)) * v2));
            }
            mark(5, min(v0, (inputs[1] >> 13)));
        }
        trace(6, min(min(v0, 31u), (inputs[3] >> 24)));
    } else {
        trace(7, ((v1 - 36u) * 36u));
    }
    trace(8, ((v3 * 2u) + 21u));
    return v0;
}

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    [branch] if (((v1 & 7u) != 5u)) {
        switch ((v3 & 3u)) {
        case 0: {
            if (((v0 & 1u) != 0u)) {
                if ((((v1 & 3u) == 2u) && ((v3 & 7u) != 1u))) {
                    v1 = (v0 ^ 22u);
                    for (uint c0 = 0; c0 < 3u; ++c0) {
                        mark(9, (min(v2, c0) + 10u));
                        v1 = ((v3 | 4u) - v2);
                        mark(10, v1);
                    }
                    v2 = f0((v1 + 6u), (v0 + v1));
                } else {
                    uint c1 = 0u;
                    for (uint c2 = 0; c2 < 3u; ++c2) {
                        for (uint c3 = 0; c3 < 2u; ++c3) {
                            trace(11, ((v3 + (inputs[0] >> 27)) | max(v1, c2)));
                            if ((v3 < (inputs[3] >> 1))) {
                                c1 = 1u;
                                break;
                            }
                        }
                        if ((c1 != 0u)) {
                            break;
                        }
                        trace(12, ((inputs[3] >> 5) | max(v2, 37u)));
                    }
                    return;
                }
                v0 = min(((inputs[0] >> 8) + v0), (v0 + v3));
                return;
            } else {
                trace(13, v0);
                mark(14, ((v0 ^ 31u) - 25u));
                mark(15, v2);
            }
            break;
        }
        case 1: {
            mark(16, (v3 | ((inputs[3] >> 18) + 16u)));
            break;
        }
        }
    } else {
        trace(17, ((v2 ^ 11u) + min(v2, v2)));
        mark(18, ((v0 ^ 34u) + 17u));
        v2 = v1;
    }
    mark(19, ((v0 + v1) | (v3 * 28u)));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
