//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 51
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
    if (((v2 & 7u) >= 6u)) {
        if (WaveActiveAnyTrue((((WaveGetLaneIndex() + 12u) & 7u) >= 3u))) {
            trace(19, 1u);
            if (((v3 & 7u) < 6u)) {
                v2 = WavePrefixCountBits((((max(v0, v1) & v3) + 13u) & 1u) != 0u); trace(13, v2);
                trace(14, (v0 + v2));
            }
            v3 = WavePrefixCountBits((((v0 | min(v0, v0)) + 15u) & 1u) != 0u); trace(15, v3);
            if (WaveActiveAllTrue((((v0 + 16u) & 7u) < 3u))) {
                trace(18, 1u);
                uint c0 = 0u;
                for (uint c1 = 0; c1 < 2u; ++c1) {
                    for (uint c2 = 0; c2 < 4u; ++c2) {
                        if ((c1 < (v2 & 3u))) {
                            c0 = 1u;
                            break;
                        }
                        mark(17, v0);
                    }
                    if ((c0 != 0u)) {
                        break;
                    }
                    v2 = (WaveGetLaneIndex() - ((inputs[0] >> 24) + 10u));
                }
                v1 = ((v2 * v2) + c0);
                v0 = (min(v3, v3) & (c0 + c0));
            }
        } else {
            v1 = min(WaveGetLaneIndex(), 11u);
        }
        v3 = ((v0 + (inputs[0] >> 16)) | v0);
    }
    v1 = (v1 ^ (v0 + 23u));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
