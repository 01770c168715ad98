//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 29
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
    v1 = WaveActiveSum((((v1 & 0u) | 8u) + 1u)); trace(1, v1);
    trace(2, v1);
    if (((v0 & 7u) >= 5u)) {
        if (((v3 < v1) && ((v0 & 7u) == 5u))) {
            if (((v2 & 1u) < 1u)) {
                trace(3, ((v0 ^ 34u) + (v2 + v2)));
            }
        }
        trace(4, v1);
    }
    v2 = (v0 ^ (v1 - v0));
    return v0;
}

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    v2 = min(((inputs[3] >> 7) | 28u), v1);
    uint c0 = 0;
    while (c0 < 2 && !(((inputs[1] >> 20) & 1u) >= 1u)) {
        ++c0;
        v1 = f0(c0, v3);
    }
    v3 = WaveActiveBitXor(((v0 * 36u) + 5u)); trace(5, v3);
    switch ((v0 & 3u)) {
    case 0: {
        v0 = ((v0 | 24u) ^ v1);
        trace(6, v2);
        break;
    }
    case 1: {
        [loop] for (uint c1 = 0; c1 < ((v1 & 3u) + 1u); ++c1) {
            uint c2 = 0u;
            for (uint c3 = 0; c3 < 2u; ++c3) {
                for (uint c4 = 0; c4 < 2u; ++c4) {
                    trace(7, (v2 + 22u));
                    if ((c3 < c2)) {
                        c2 = 1u;
                        break;
                    }
                }
                if ((c2 != 0u)) {
                    break;
                }
                v1 = ((c1 ^ 9u) + (c3 + 18u));
            }
            uint c5 = 0;
            for (;;) {
                if (++c5 > 5) break;
                v2 = f0((v0 * 25u), v1);
                if (((v1 & 1u) >= 1u)) {
                    break;
                }
                if ((((v0 & 7u) < 6u) || (((inputs[3] >> 17) & 3u) == 0u))) {
                    if (WaveActiveAnyTrue(((((inputs[0] >> 28) + 8u) & 7u) >= 3u))) {
                        trace(10, 1u);
                        trace(9, v2);
                    } else {
                        mark(11, ((v0 | c1) ^ 0u));
                        mark(12, ((c1 ^ 12u) * v3));
                        break;
                    }
                    v0 = v0;
                    v1 = v1;
                }
                trace(13, (v2 * (c1 | c1)));
            }
            v0 = min(min(WaveGetLaneIndex(), 39u), (v0 * WaveGetLaneIndex()));
        }
        v3 = WaveActiveSum(((max(v3, 29u) | 11u) + 14u)); trace(14, v3);
        trace(15, max(v3, (v3 | WaveGetLaneIndex())));
        return;
    }
    default: {
        v0 = ((v1 + v1) - (v2 | 27u));
        mark(16, min(min(v2, 16u), WaveGetLaneIndex()));
        break;
    }
    }
    v1 = ((v2 * v1) - (inputs[2] >> 16));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
