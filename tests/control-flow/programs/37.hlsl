//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 37
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    [unroll] for (uint c0 = 0; c0 < 2u; ++c0) {
        trace(1, v3);
        if (WaveIsFirstLane()) {
            trace(3, ((inputs[1] >> 26) + c0));
            v1 = WaveActiveBallot((((max(c0, 13u) & 35u) + 4u) & 1u) != 0u).x; trace(4, v1);
        }
        if (((c0 & 7u) == 3u)) {
            break;
        }
    }
    v1 = ((inputs[0] >> 27) & 24u);
    trace(5, (v0 | min(v2, (inputs[2] >> 13))));
    mark(6, max((v1 ^ v1), (v0 - 33u)));
    trace(7, (max(v1, v1) + 0u));
    trace(8, max((inputs[3] >> 18), (v3 | 12u)));
    uint c1 = 0;
    for (;;) {
        if (++c1 > 5) break;
        uint c2 = 0u;
        for (uint c3 = 0; c3 < 2u; ++c3) {
            for (uint c4 = 0; c4 < 3u; ++c4) {
                [flatten] if ((((inputs[1] >> 26) & 1u) >= 1u)) {
                    v2 = (v2 - (v0 - v2));
                }
                if ((c4 < (c2 & 3u))) {
                    c2 = 1u;
                    break;
                }
                trace(9, ((WaveGetLaneIndex() * v2) + (c2 ^ 31u)));
            }
            if ((c2 != 0u)) {
                break;
            }
            v1 = WaveActiveBallot((((c2 + v0) + 10u) & 1u) != 0u).x; trace(10, v1);
        }
        if (((v0 & 7u) == 2u)) {
            break;
        }
    }
    v0 = WaveReadLaneFirst((((v0 + v2) + (v2 & WaveGetLaneIndex())) + 11u)); trace(11, v0);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
