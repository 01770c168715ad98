//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 63
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
    uint c0 = 0u;
    for (uint c1 = 0; c1 < 3u; ++c1) {
        for (uint c2 = 0; c2 < 2u; ++c2) {
            trace(18, (c1 ^ (v0 + v1)));
            if ((c2 >= (v1 & 3u))) {
                c0 = 1u;
                break;
            }
            trace(19, ((inputs[2] >> 12) | (v1 * 38u)));
        }
        if ((c0 != 0u)) {
            break;
        }
        trace(20, c1);
    }
    v0 = WaveActiveSum((WaveGetLaneIndex() + 21u)); trace(21, v0);
    v0 = WaveActiveCountBits(((v2 + 22u) & 1u) != 0u); trace(22, v0);
    if ((((v1 & 1u) != 0u) || ((v3 & 7u) >= 3u))) {
        uint c3 = 0u;
        for (uint c4 = 0; c4 < 3u; ++c4) {
            for (uint c5 = 0; c5 < 4u; ++c5) {
                [unroll] for (uint c6 = 0; c6 < 3u; ++c6) {
                    trace(23, (v1 & WaveGetLaneIndex()));
                }
                if (((v2 & 3u) >= 2u)) {
                    c3 = 1u;
                    break;
                }
                uint c7 = 0;
                while (c7 < 3 && (c4 < ((inputs[3] >> 5) & 3u))) {
                    ++c7;
                    v2 = (inputs[1] >> 22);
                    if (((v1 & 3u) >= 3u)) {
                        trace(24, ((c4 + 28u) + c5));
                        v3 = (((inputs[1] >> 15) + v0) + 18u);
                        trace(25, ((v2 + c4) - max(v2, 26u)));
                    }
                    mark(26, ((c5 & v3) + v1));
                }
            }
            if ((c3 != 0u)) {
                break;
            }
            trace(27, (WaveGetLaneIndex() - ((inputs[3] >> 14) * 29u)));
        }
        v1 = v1;
    } else {
        v0 = WaveActiveMax(((max(v0, 33u) ^ 33u) + 28u)); trace(28, v0);
        v0 = ((WaveGetLaneIndex() ^ 21u) | (WaveGetLaneIndex() * 19u));
    }
    v0 = v0;
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
