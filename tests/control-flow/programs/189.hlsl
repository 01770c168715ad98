//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 189
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
    mark(1, max((v3 | 31u), (v3 + 22u)));
    if (WaveIsFirstLane()) {
        trace(12, 1u);
        switch ((v0 & 3u)) {
        case 0: case 1: case 2: case 3: {
            v3 = WaveActiveBitXor((v0 + 3u)); trace(3, v3);
            for (uint c0 = 0; c0 < ((v3 & 3u) + 2u); ++c0) {
                if ((((WaveGetLaneIndex() & 7u) != 2u) || (c0 < (c0 & 3u)))) {
                    [branch] if ((((v1 & 3u) >= 2u) && (c0 < (v1 & 3u)))) {
                        mark(4, v3);
                    } else {
                        trace(5, ((c0 ^ 20u) | (v3 + 24u)));
                        continue;
                    }
                    [branch] if (((v1 & 3u) == 2u)) {
                        trace(6, (v3 + (v1 & (inputs[2] >> 19))));
                        v3 = WavePrefixCountBits(((min(max(v2, v1), 18u) + 7u) & 1u) != 0u); trace(7, v3);
                        trace(8, v0);
                    }
                    v3 = (c0 & v0);
                }
                mark(9, ((WaveGetLaneIndex() + v1) & c0));
                mark(10, min(min(WaveGetLaneIndex(), v3), 35u));
            }
            trace(11, (v0 - 35u));
            break;
        }
        default: {
            v1 = ((WaveGetLaneIndex() + 23u) & ((inputs[3] >> 20) & v1));
            break;
        }
        }
        v0 = min((v2 + 21u), ((inputs[1] >> 22) & v1));
        v0 = (((inputs[3] >> 28) - v2) * v0);
    } else {
        trace(13, min(min(v3, v3), ((inputs[2] >> 21) * 3u)));
        mark(14, ((WaveGetLaneIndex() + v2) & (WaveGetLaneIndex() ^ 39u)));
    }
    trace(15, (WaveGetLaneIndex() + (v2 | 23u)));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
