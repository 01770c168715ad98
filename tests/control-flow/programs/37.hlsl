//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 37
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
    for (;;) {
        if (++c0 > 5) break;
        uint c1 = 0u;
        if (((WaveGetLaneIndex() & 1u) == 0u)) {
            trace(9, ((v2 ^ c0) * (WaveGetLaneIndex() ^ 5u)));
            break;
        }
        for (uint c2 = 0; c2 < 3u; ++c2) {
            for (uint c3 = 0; c3 < 3u; ++c3) {
                if (((v3 & 3u) >= 3u)) {
                    c1 = 1u;
                    break;
                }
                [flatten] if (!((v3 & 3u) != 2u)) {
                    v2 = (v2 - (v0 - v2));
                }
                v1 = WaveReadLaneFirst((v3 + 7u)); trace(7, v1);
            }
            if ((c1 != 0u)) {
                break;
            }
            trace(8, max((v0 & 21u), 21u));
        }
    }
    trace(10, ((v3 & 23u) ^ v0));
    v2 = WaveActiveMin((v1 + 11u)); trace(11, v2);
    trace(12, ((v1 + v1) & 29u));
    uint c4 = 0;
    while (c4 < 2 && (WaveGetLaneIndex() < v3)) {
        ++c4;
        if ((c4 == (v0 & 3u))) {
            trace(13, (inputs[2] >> 26));
        } else {
            [unroll] for (uint c5 = 0; c5 < 2u; ++c5) {
                if (WaveActiveAnyTrue((((v1 + 14u) & 7u) == 3u))) {
                    trace(18, 1u);
                    uint c6 = 0;
                    do {
                        ++c6;
                        trace(15, (min(c5, 13u) + 15u));
                        trace(16, (((v2 ^ v0) & 36u) + 16u));
                        v1 = ((v3 * v2) + 31u);
                    } while (c6 < 4 && (v3 < v1));
                    trace(17, (v0 * 26u));
                    break;
                }
                v1 = (v3 * 24u);
            }
            v2 = WaveActiveCountBits((((v0 + 32u) + 19u) & 1u) != 0u); trace(19, v2);
        }
    }
    trace(20, ((inputs[3] >> 6) | 35u));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
