//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 72
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    v1 = WaveActiveBitAnd(((min(v1, 5u) & v0) + 8u)); trace(8, v1);
    trace(9, v3);
    uint c0 = 0;
    for (;;) {
        if (++c0 > 5) break;
        if (((c0 < (v1 & 3u)) || (v0 < v3))) {
            break;
        }
        v1 = v1;
        mark(10, v1);
        uint c1 = 0;
        for (;;) {
            if (++c1 > 4) break;
            if ((c0 == (v3 & 3u))) {
                v1 = v1;
                break;
            }
            if (((v2 < v2) || ((v2 & 1u) == 0u))) {
                switch ((c0 & 3u)) {
                case 0: {
                    uint c2 = 0;
                    while (c2 < 4 && (((inputs[0] >> 20) & 3u) != 2u)) {
                        ++c2;
                        v0 = WaveActiveBallot((((v1 + WaveGetLaneIndex()) + 11u) & 1u) != 0u).x; trace(11, v0);
                        trace(12, v3);
                    }
                    break;
                }
                case 1: case 2: default: {
                    v0 = WaveReadLaneFirst((((c1 | v3) & 28u) + 13u)); trace(13, v0);
                    break;
                }
                }
                trace(14, max(WaveGetLaneIndex(), v1));
            }
            trace(15, (c1 & max(v2, v2)));
            v3 = min((v0 | 33u), c0);
        }
    }
    v2 = (max(v1, 22u) & (WaveGetLaneIndex() & v3));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
