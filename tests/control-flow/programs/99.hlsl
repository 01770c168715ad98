//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 99
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
    mark(1, v0);
    if (WaveActiveAllTrue((((v0 + 2u) & 7u) < 3u))) {
        trace(10, 1u);
        for (uint c0 = 0; c0 < ((WaveGetLaneIndex() & 3u) + 2u); ++c0) {
            if (((WaveGetLaneIndex() & 3u) >= 1u)) {
                if (((v0 & 3u) < 3u)) {
                    if (((v2 & 3u) == 2u)) {
                        mark(3, min(v1, max(WaveGetLaneIndex(), 12u)));
                        trace(4, (((v0 - WaveGetLaneIndex()) | (v2 * 23u)) + 4u));
                        v1 = (v2 + max(c0, 6u));
                    } else {
                        mark(5, c0);
                        mark(6, v3);
                        v2 = ((v0 ^ v1) + 31u);
                    }
                    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3)); return;
                } else {
                    mark(7, c0);
                    mark(8, WaveGetLaneIndex());
                }
                v1 = (max(v3, v1) - WaveGetLaneIndex());
                v1 = ((v0 + c0) * 4u);
            } else {
                v2 = WavePrefixCountBits(((((v1 * c0) & (c0 - v3)) + 9u) & 1u) != 0u); trace(9, v2);
            }
        }
        v1 = ((inputs[2] >> 10) * 20u);
    }
    v2 = v3;
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
