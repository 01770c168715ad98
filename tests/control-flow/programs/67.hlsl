//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 67
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    [unroll] for (uint c0 = 0; c0 < 2u; ++c0) {
        [loop] for (uint c1 = 0; c1 < 3u; ++c1) {
            uint c2 = 0;
            for (;;) {
                if (++c2 > 3) break;
                if ((v3 < v0)) {
                    [branch] if (((c1 & 1u) >= 1u)) {
                        v1 = ((v3 + c2) & ((inputs[1] >> 18) - c1));
                        trace(4, (c2 + 4u));
                    } else {
                        trace(5, ((WaveGetLaneIndex() - v0) | 29u));
                        trace(6, (((c1 * 37u) - v0) + 6u));
                    }
                    trace(7, (c1 + 19u));
                    v1 = (inputs[3] >> 1);
                    break;
                } else {
                    v1 = ((v2 | v2) | 37u);
                }
                if (!(((inputs[2] >> 1) & 3u) < 3u)) {
                    v2 = WaveActiveSum(((WaveGetLaneIndex() ^ 25u) + 8u)); trace(8, v2);
                    break;
                }
            }
        }
        if (WaveActiveAllTrue((((v3 + 9u) & 7u) == 3u))) {
            trace(13, 1u);
            [branch] if (!((c0 & 3u) >= 1u)) {
                trace(10, (v0 * (v1 - v2)));
                trace(11, min(v2, 18u));
                mark(12, ((v3 + 4u) + 21u));
                break;
            }
        }
        v0 = WaveActiveBitXor((((v0 & 1u) + v2) + 14u)); trace(14, v0);
    }
    trace(15, (((inputs[3] >> 8) & v1) ^ (v1 * v2)));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
