//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 186
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
    [loop] for (uint c0 = 0; c0 < ((v2 & 3u) + 0u); ++c0) {
        for (uint c1 = 0; c1 < ((v3 & 3u) + 1u); ++c1) {
            mark(1, (WaveGetLaneIndex() + 13u));
            if (((v2 & 3u) != 0u)) {
                if (((v2 & 3u) == 1u)) {
                    switch ((((c1 & 7u) * 4096u) + 5u)) {
                    case 5: case 4101: case 8197: {
                        v0 = v0;
                        trace(2, max(v1, c0));
                        v0 = WaveActiveMin((max((WaveGetLaneIndex() | v0), 38u) + 3u)); trace(3, v0);
                        break;
                    }
                    case 12293: {
                        mark(4, v1);
                        v2 = WaveActiveSum((v1 + 5u)); trace(5, v2);
                        v1 = min((inputs[2] >> 9), 39u);
                        break;
                    }
                    case 16389: {
                        mark(6, c1);
                        mark(7, WaveGetLaneIndex());
                        v0 = (v0 + (c0 * v1));
                        break;
                    }
                    }
                } else {
                    switch ((v1 & 3u)) {
                    case 0: {
                        v1 = WavePrefixCountBits(((v0 + 8u) & 1u) != 0u); trace(8, v1);
                        trace(9, c1);
                        v2 = WaveActiveBitXor(((((inputs[2] >> 1) + c0) - v1) + 10u)); trace(10, v2);
                        continue;
                    }
                    default: {
                        mark(11, ((v3 | 29u) - v0));
                        mark(12, WaveGetLaneIndex());
                        break;
                    }
                    case 1: case 2: {
                        v3 = ((v3 * 23u) | 15u);
                        break;
                    }
                    }
                    v0 = WaveActiveSum(((min(v0, v3) + 33u) + 13u)); trace(13, v0);
                }
            }
            mark(14, min(max(WaveGetLaneIndex(), WaveGetLaneIndex()), (c1 * c1)));
        }
        v3 = ((v3 * v2) + v1);
        v2 = WaveActiveBitAnd((v1 + 15u)); trace(15, v2);
    }
    v1 = WavePrefixCountBits(((((v3 & v1) * v2) + 16u) & 1u) != 0u); trace(16, v1);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
