//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 185
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
    uint c0 = 0;
    while (c0 < 4 && ((WaveGetLaneIndex() & 3u) == 0u)) {
        ++c0;
        uint c1 = 0;
        while (c1 < 2 && (((v2 & 7u) == 1u) && (((inputs[1] >> 11) & 7u) < 7u))) {
            ++c1;
            uint c2 = 0;
            while (WaveActiveAnyTrue(((c2 < 3u) && (((v2 + 3u) & 7u) >= 3u)))) {
                ++c2;
                trace(4, max(((inputs[0] >> 26) * 24u), (inputs[3] >> 11)));
            }
        }
    }
    if (((v0 & 3u) != 1u)) {
        [branch] if (WaveActiveAnyTrue((((v3 + 5u) & 7u) >= 3u))) {
            trace(11, 1u);
            if (((v0 & 3u) == 1u)) {
                [loop] for (uint c3 = 0; c3 < 2u; ++c3) {
                    v3 = ((WaveGetLaneIndex() ^ 8u) & (v2 & c3));
                    [loop] for (uint c4 = 0; c4 < ((v3 & 3u) + 0u); ++c4) {
                        trace(6, v1);
                        trace(7, (inputs[1] >> 15));
                    }
                    v2 = ((v3 - 5u) ^ v3);
                }
                mark(8, v2);
                trace(9, ((v0 & 2u) * 18u));
            }
            trace(10, v3);
        }
        mark(12, min(WaveGetLaneIndex(), (v1 & 16u)));
        trace(13, ((v3 | 37u) & 38u));
    }
    trace(14, ((v0 - 5u) | (WaveGetLaneIndex() + 31u)));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
