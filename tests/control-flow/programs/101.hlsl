//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 101
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
    uint c0 = 0u;
    for (uint c1 = 0; c1 < 2u; ++c1) {
        for (uint c2 = 0; c2 < 4u; ++c2) {
            if ((((inputs[0] >> 20) & 7u) >= 7u)) {
                c0 = 1u;
                break;
            }
            if (!(c1 < (v3 & 3u))) {
                v1 = ((c2 + v1) - (v2 + v2));
            } else {
                switch ((v0 & 3u)) {
                case 0: {
                    mark(1, (((inputs[3] >> 22) & v3) & (v0 + c2)));
                    break;
                }
                case 1: default: {
                    if ((c0 < (WaveGetLaneIndex() & 3u))) {
                        trace(2, (((inputs[0] >> 20) ^ 8u) + (c2 ^ 37u)));
                        v0 = v0;
                    } else {
                        trace(3, (c2 + (c2 ^ v3)));
                        v0 = ((inputs[3] >> 18) ^ (v2 - v2));
                        mark(4, v3);
                    }
                    v1 = WaveActiveBallot(((min((WaveGetLaneIndex() & c1), max(WaveGetLaneIndex(), v3)) + 5u) & 1u) != 0u).x; trace(5, v1);
                    break;
                }
                }
                mark(6, c0);
            }
        }
        if ((c0 != 0u)) {
            break;
        }
        mark(7, ((WaveGetLaneIndex() | v2) - 10u));
    }
    v2 = ((v1 + v3) * (v0 + v2));
    return v0;
}

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    v0 = WaveActiveSum((v0 + 8u)); trace(8, v0);
    v3 = f0((inputs[2] >> 9), (v2 + v3));
    [unroll] for (uint c0 = 0; c0 < 3u; ++c0) {
        [unroll] for (uint c1 = 0; c1 < 3u; ++c1) {
            v1 = WaveActiveSum((WaveGetLaneIndex() + 9u)); trace(9, v1);
        }
        uint c2 = 0u;
        for (uint c3 = 0; c3 < 3u; ++c3) {
            for (uint c4 = 0; c4 < 3u; ++c4) {
                mark(10, v3);
                if ((((v0 & 1u) != 0u) && (c2 < (v3 & 3u)))) {
                    c2 = 1u;
                    break;
                }
                trace(11, ((c3 + c4) & 27u));
            }
            if ((c2 != 0u)) {
                break;
            }
            v1 = WaveActiveSum((max((v1 & c3), (v1 - 20u)) + 12u)); trace(12, v1);
        }
        [loop] for (uint c5 = 0; c5 < 2u; ++c5) {
            if ((c5 < v2)) {
                continue;
            }
            v3 = f0((v0 * v1), v2);
        }
    }
    trace(13, min(min(v0, v3), v2));
    v1 = WavePrefixCountBits(((v0 + 14u) & 1u) != 0u); trace(14, v1);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
