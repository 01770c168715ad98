//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 45
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    mark(5, ((v2 & 5u) + 3u));
    v1 = WaveActiveBallot((((max(v3, v3) + (v2 * 8u)) + 6u) & 1u) != 0u).x; trace(6, v1);
    if (!(v1 < WaveGetLaneIndex())) {
        v1 = WaveActiveBitAnd((v0 + 7u)); trace(7, v1);
    }
    uint c0 = 0;
    do {
        ++c0;
        v0 = WaveActiveBitXor(((v2 * 27u) + 9u)); trace(9, v0);
        if (((c0 & 3u) < 1u)) {
            if ((((v1 & 3u) >= 3u) && ((v0 & 7u) < 6u))) {
                uint c1 = 0;
                do {
                    ++c1;
                    if (WaveIsFirstLane()) {
                        trace(13, 1u);
                        trace(11, v2);
                        v0 = WavePrefixCountBits(((((v2 | 9u) + 7u) + 12u) & 1u) != 0u); trace(12, v0);
                    }
                    uint c2 = 0;
                    for (;;) {
                        if (++c2 > 4) break;
                        if (((c1 == (WaveGetLaneIndex() & 3u)) || ((v3 & 1u) != 0u))) {
                            break;
                        }
                        mark(14, v2);
                        v1 = WavePrefixSum((v0 + 15u)); trace(15, v1);
                    }
                    v1 = v3;
                } while (c1 < 4 && (((c0 & 3u) != 0u) && ((v0 & 1u) < 1u)));
                mark(16, (v3 + v1));
            }
        }
        v0 = v0;
    } while (WaveActiveAnyTrue(((c0 < 5u) && (((v2 + 8u) & 7u) < 3u))));
    trace(17, ((WaveGetLaneIndex() | 14u) ^ v3));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
