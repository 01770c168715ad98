//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 138
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    if (!(((inputs[2] >> 1) & 3u) >= 1u)) {
        v1 = (v0 | (v1 + v1));
        v0 = ((v3 | v1) & v1);
        uint c0 = 0;
        while (WaveActiveAnyTrue(((c0 < 5u) && (((v3 + 5u) & 7u) < 3u)))) {
            ++c0;
            v3 = (v3 * v3);
        }
    }
    if (((v1 & 1u) != 0u)) {
        v0 = ((v0 | 27u) + (v2 + 16u));
    }
    v2 = (v1 - (v0 ^ v3));
    trace(6, max(WaveGetLaneIndex(), ((inputs[1] >> 18) | v0)));
    if ((v0 < v3)) {
        if (WaveActiveAnyTrue((((v3 + 7u) & 7u) == 3u))) {
            trace(8, 1u);
            if (((((inputs[3] >> 19) & 1u) >= 1u) && (((inputs[2] >> 24) & 3u) < 3u))) {
                v3 = (((inputs[1] >> 10) - 0u) * v2);
            }
        } else {
            if (WaveIsFirstLane()) {
                trace(13, 1u);
                uint c1 = 0;
                for (;;) {
                    if (++c1 > 5) break;
                    trace(10, v0);
                    if (((v3 & 3u) != 2u)) {
                        break;
                    }
                    mark(11, max(min(v1, v2), 3u));
                }
                trace(12, min((v2 & 36u), (v1 | v0)));
            }
            v3 = (min(WaveGetLaneIndex(), 16u) + (v0 - v3));
            trace(14, v0);
        }
        v3 = v3;
        trace(15, (v1 & (v0 * WaveGetLaneIndex())));
    } else {
        v2 = v0;
        v1 = WaveActiveBallot(((min((v3 + 13u), (v0 * 6u)) + 16u) & 1u) != 0u).x; trace(16, v1);
        mark(17, ((v3 - v1) + (v0 + WaveGetLaneIndex())));
    }
    v0 = (inputs[2] >> 24);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
