//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 131
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
    trace(1, min(WaveGetLaneIndex(), 13u));
    uint c0 = 0u;
    for (uint c1 = 0; c1 < 3u; ++c1) {
        for (uint c2 = 0; c2 < 4u; ++c2) {
            if (((c2 & 1u) >= 1u)) {
                c0 = 1u;
                break;
            }
            if (((c1 >= (v1 & 3u)) || ((v0 & 7u) == 4u))) {
                trace(2, ((v2 + 28u) * (v2 | v2)));
                trace(3, (v3 + min(c0, 10u)));
            }
            if (((v2 < v3) || ((v2 & 3u) != 1u))) {
                if (((v1 & 7u) < 6u)) {
                    break;
                }
            } else {
                mark(4, (v0 & (WaveGetLaneIndex() * 7u)));
                break;
            }
        }
        if ((c0 != 0u)) {
            break;
        }
        v2 = WaveActiveMin((((c0 - 12u) & 36u) + 5u)); trace(5, v2);
    }
    mark(6, v1);
    return v0;
}

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    if (((WaveGetLaneIndex() & 3u) != 1u)) {
        uint c0 = 0;
        while (WaveActiveAllTrue(((c0 < 2u) && (((WaveGetLaneIndex() + 7u) & 7u) >= 3u)))) {
            ++c0;
            [unroll] for (uint c1 = 0; c1 < 2u; ++c1) {
                if ((c0 == ((inputs[3] >> 0) & 3u))) {
                    v3 = WavePrefixCountBits((((inputs[1] >> 28) + 8u) & 1u) != 0u); trace(8, v3);
                    mark(9, max((v3 & 28u), c1));
                    v1 = f0((v0 & c0), (c0 & 26u));
                }
                if (WaveActiveAnyTrue((((v1 + 10u) & 7u) >= 3u))) {
                    trace(12, 1u);
                    trace(11, (WaveGetLaneIndex() ^ v3));
                    break;
                }
            }
        }
        trace(13, (((inputs[3] >> 28) * 33u) | min(v3, (inputs[3] >> 22))));
    }
    v3 = f0(v2, min(v0, v1));
    trace(14, (max((inputs[1] >> 1), 33u) * (v0 + 20u)));
    if (((v0 & 3u) == 1u)) {
        if (!(((inputs[1] >> 20) & 1u) < 1u)) {
            trace(15, min((v2 | WaveGetLaneIndex()), WaveGetLaneIndex()));
            if (WaveActiveAllTrue((((v2 + 16u) & 7u) < 3u))) {
                trace(22, 1u);
                if (((WaveGetLaneIndex() & 3u) >= 3u)) {
                    uint c2 = 0;
                    do {
                        ++c2;
                        trace(17, min((WaveGetLaneIndex() | WaveGetLaneIndex()), 6u));
                    } while (c2 < 5 && (c2 == (c2 & 3u)));
                    trace(18, v3);
                    v1 = ((v3 * v0) | 20u);
                } else {
                    v3 = WaveActiveBitXor((min(v3, (WaveGetLaneIndex() & v1)) + 19u)); trace(19, v3);
                    mark(20, v3);
                }
                mark(21, (v2 ^ 37u));
            }
        } else {
            v0 = WaveActiveMax((((WaveGetLaneIndex() & v2) ^ v0) + 23u)); trace(23, v0);
        }
        trace(24, max(min(v2, v1), 26u));
    }
    v1 = WaveActiveBallot((((v2 * v2) + 25u) & 1u) != 0u).x; trace(25, v1);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
