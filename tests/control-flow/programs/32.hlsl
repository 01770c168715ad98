//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 32
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
    mark(6, (min(v3, (inputs[1] >> 21)) & (v0 * 28u)));
    mark(7, (v2 ^ v1));
    [unroll] for (uint c0 = 0; c0 < 3u; ++c0) {
        uint c1 = 0;
        do {
            ++c1;
            uint c2 = 0;
            do {
                ++c2;
                if (!((v0 & 1u) >= 1u)) {
                    trace(8, c1);
                    if (WaveActiveAllTrue((((v3 + 9u) & 7u) == 3u))) {
                        trace(12, 1u);
                        trace(10, min(min(v3, 7u), v0));
                        v0 = WaveActiveMax((max((v1 + 18u), (WaveGetLaneIndex() - 24u)) + 11u)); trace(11, v0);
                        v0 = ((v1 + v1) + 20u);
                    }
                    v3 = (c1 + 17u);
                }
                mark(13, min(c0, (v2 - (inputs[3] >> 24))));
            } while (c2 < 4 && !((v0 & 3u) == 1u));
            mark(14, ((inputs[1] >> 1) + 30u));
            v2 = WaveActiveSum((v3 + 15u)); trace(15, v2);
        } while (c1 < 2 && !((c1 & 1u) < 1u));
        v3 = WaveActiveBallot(((((v3 ^ v2) + (c0 + c0)) + 16u) & 1u) != 0u).x; trace(16, v3);
    }
    v1 = ((v2 | (inputs[1] >> 16)) & max(v0, (inputs[1] >> 26)));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
