//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 100
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
    v1 = (WaveGetLaneIndex() & 12u);
    trace(1, (v0 - 32u));
    if ((((inputs[3] >> 5) & 7u) < 7u)) {
        v2 = ((v2 & (inputs[1] >> 20)) * (v1 - (inputs[1] >> 5)));
        mark(2, min(v1, (v0 | v1)));
    }
    v3 = ((v2 + 25u) + (v0 + WaveGetLaneIndex()));
    return v0;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    v3 = f0(v2, (inputs[2] >> 3));
    if (WaveActiveAnyTrue((((v0 + 3u) & 7u) == 3u))) {
        trace(20, 1u);
        if (((v2 & 7u) == 4u)) {
            v2 = f0(min(v2, v1), v1);
        } else {
            if (((v2 & 3u) >= 3u)) {
                if (((v2 & 1u) == 0u)) {
                    v1 = ((v2 & (inputs[3] >> 2)) * v1);
                }
                if ((((v1 & 1u) != 0u) || (v1 < v3))) {
                    switch ((v0 & 3u)) {
                    case 0: case 1: {
                        v0 = ((inputs[2] >> 11) | 32u);
                        break;
                    }
                    default: {
                        mark(4, (max(WaveGetLaneIndex(), v2) + 29u));
                        v3 = WaveReadLaneFirst((v0 + 5u)); trace(5, v3);
                        break;
                    }
                    case 2: {
                        v3 = ((v2 | v1) - (v2 * 7u));
                        mark(6, min(WaveGetLaneIndex(), min((inputs[3] >> 7), v1)));
                        break;
                    }
                    case 3: {
                        mark(7, v0);
                        trace(8, v3);
                        mark(9, (((inputs[2] >> 10) + 23u) + v3));
                        break;
                    }
                    }
                    trace(10, (v0 & (v1 | v1)));
                    mark(11, ((v3 & 4u) - (inputs[2] >> 4)));
                } else {
                    v2 = WaveActiveBitAnd(((v0 + 16u) + 12u)); trace(12, v2);
                    trace(13, v3);
                }
                v1 = WaveActiveBitAnd((v3 + 14u)); trace(14, v1);
            } else {
                trace(15, min((inputs[3] >> 25), (v0 ^ v2)));
                mark(16, v1);
            }
            v2 = WaveReadLaneFirst((((v1 ^ v3) | v1) + 17u)); trace(17, v2);
            v0 = ((v3 * v1) + v1);
        }
        v2 = WaveActiveCountBits((((((inputs[0] >> 2) + 34u) + 29u) + 18u) & 1u) != 0u); trace(18, v2);
        v3 = WaveActiveSum((v2 + 19u)); trace(19, v3);
    }
    v3 = WaveActiveSum(((v1 & (v1 | WaveGetLaneIndex())) + 21u)); trace(21, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
