//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 75
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
    if ((((v2 & 1u) >= 1u) || ((v2 & 3u) >= 2u))) {
        mark(1, ((WaveGetLaneIndex() + v2) + 30u));
        [unroll] for (uint c0 = 0; c0 < 3u; ++c0) {
            trace(2, WaveGetLaneIndex());
            v1 = ((v3 * c0) + (v1 * v3));
        }
    }
    v2 = v0;
    return v0;
}

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    mark(3, ((v3 + 0u) ^ v2));
    [unroll] for (uint c0 = 0; c0 < 2u; ++c0) {
        mark(4, (min(v2, (inputs[1] >> 3)) - (v3 * v2)));
        switch ((v2 & 7u)) {
        case 0: {
            switch ((c0 & 3u)) {
            case 0: {
                v2 = ((WaveGetLaneIndex() | 14u) + 7u);
                break;
            }
            case 1: default: {
                v1 = f0((v2 & v2), v1);
                if ((((WaveGetLaneIndex() & 7u) == 0u) && (c0 < (WaveGetLaneIndex() & 3u)))) {
                    v0 = WaveActiveBitXor((((v0 * c0) & 31u) + 5u)); trace(5, v0);
                    break;
                }
                mark(6, WaveGetLaneIndex());
                break;
            }
            }
            trace(7, v1);
            if (((WaveGetLaneIndex() < v2) && ((v0 & 7u) >= 3u))) {
                v1 = WaveActiveBitAnd((WaveGetLaneIndex() + 8u)); trace(8, v1);
                continue;
            }
            break;
        }
        case 1: case 2: {
            [unroll] for (uint c1 = 0; c1 < 3u; ++c1) {
                if ((v2 < v0)) {
                    v0 = f0(min(v3, v3), (c1 | 28u));
                } else {
                    switch (((inputs[0] >> 5) & 3u)) {
                    case 0: {
                        v2 = (v1 - v3);
                        v1 = WaveActiveSum((max((v2 + c0), v3) + 9u)); trace(9, v1);
                        v0 = WaveActiveBitXor((max(min(v1, v1), 0u) + 10u)); trace(10, v0);
                        break;
                    }
                    case 1: {
                        mark(11, v0);
                        trace(12, min(c1, v3));
                        trace(13, max(v2, ((inputs[1] >> 13) | 2u)));
                        break;
                    }
                    case 2: {
                        trace(14, (max(v1, 33u) + 19u));
                        break;
                    }
                    }
                    v1 = WaveActiveBitOr((min((v2 * c1), (WaveGetLaneIndex() & 20u)) + 15u)); trace(15, v1);
                    v3 = WaveActiveBitAnd(((max(v0, v3) * (v3 ^ 23u)) + 16u)); trace(16, v3);
                }
                mark(17, ((WaveGetLaneIndex() & 26u) - (v2 ^ 27u)));
            }
            break;
        }
        case 3: {
            trace(18, (v1 + c0));
            v0 = v0;
            continue;
        }
        default: case 4: {
            mark(19, ((WaveGetLaneIndex() * 24u) ^ min(v1, c0)));
            v0 = WaveActiveSum((((v0 - c0) * 0u) + 20u)); trace(20, v0);
            trace(21, ((v3 ^ v0) & 39u));
            break;
        }
        }
        trace(22, v2);
    }
    v3 = ((v2 & WaveGetLaneIndex()) + 2u);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
