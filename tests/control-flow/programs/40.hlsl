//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 40
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

uint f0(uint v0, uint v1) {
    uint v2 = v0, v3 = v1;
    if ((WaveGetLaneIndex() < v3)) {
        trace(1, v2);
        v3 = max((v0 + 3u), (v0 * 35u));
        v1 = max((v3 - 15u), (v0 & v2));
    }
    v1 = ((WaveGetLaneIndex() + v1) - 35u);
    return v0;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    [branch] if (((WaveGetLaneIndex() & 1u) == 0u)) {
        uint c0 = 0;
        for (;;) {
            if (++c0 > 5) break;
            if (((WaveGetLaneIndex() & 3u) >= 2u)) {
                v2 = WaveGetLaneIndex();
                break;
            }
            trace(2, WaveGetLaneIndex());
        }
        uint c1 = 0;
        while (c1 < 3 && ((v3 & 3u) != 0u)) {
            ++c1;
            trace(3, (c1 - 36u));
            mark(4, v3);
            uint c2 = 0;
            for (;;) {
                if (++c2 > 6) break;
                v0 = (v0 * 16u);
                if ((((v1 & 7u) != 0u) && ((v0 & 3u) != 2u))) {
                    v1 = f0((v3 - 3u), v3);
                    trace(5, (v0 + (v0 + 9u)));
                    switch ((v2 & 3u)) {
                    case 0: case 1: case 2: {
                        v0 = WaveActiveMin((max((WaveGetLaneIndex() | 9u), 38u) + 6u)); trace(6, v0);
                        v3 = WaveActiveMin(((v0 & 2u) + 7u)); trace(7, v3);
                        break;
                    }
                    default: {
                        mark(8, ((v3 | v0) & (v1 * WaveGetLaneIndex())));
                        v3 = WaveActiveCountBits((((v0 + max(v1, 12u)) + 9u) & 1u) != 0u); trace(9, v3);
                        v3 = WaveActiveBitAnd(((v3 & 38u) + 10u)); trace(10, v3);
                        break;
                    }
                    }
                    continue;
                }
                if ((c1 < v1)) {
                    break;
                }
                break;
            }
        }
    } else {
        trace(11, v2);
    }
    mark(12, (v1 ^ 2u));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
