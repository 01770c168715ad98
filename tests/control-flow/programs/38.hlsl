//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 38
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
    if (!((WaveGetLaneIndex() & 3u) >= 2u)) {
        v3 = (inputs[0] >> 6);
        v3 = WaveActiveCountBits(((((v0 + v3) ^ 5u) + 8u) & 1u) != 0u); trace(8, v3);
        v3 = v0;
    }
    switch ((v0 & 3u)) {
    case 0: {
        switch ((v2 & 3u)) {
        case 0: {
            trace(9, (v3 & (v3 & 20u)));
            break;
        }
        case 1: {
            if (WaveActiveAllTrue((((WaveGetLaneIndex() + 10u) & 7u) >= 3u))) {
                trace(12, 1u);
                trace(11, (v0 + max(v2, v3)));
                break;
            }
            if (!((v2 & 3u) != 1u)) {
                v3 = WaveActiveMax((v3 + 13u)); trace(13, v3);
            } else {
                uint c0 = 0u;
                for (uint c1 = 0; c1 < 3u; ++c1) {
                    for (uint c2 = 0; c2 < 3u; ++c2) {
                        if ((v1 < v1)) {
                            c0 = 1u;
                            break;
                        }
                        trace(14, v2);
                        trace(15, v0);
                    }
                    if ((c0 != 0u)) {
                        break;
                    }
                    trace(16, c0);
                }
                mark(17, c0);
                v3 = WavePrefixSum((min((v1 * v1), (v2 * v0)) + 18u)); trace(18, v3);
            }
            break;
        }
        }
        mark(19, min(v1, 12u));
        break;
    }
    case 1: {
        v0 = (v0 | 24u);
        break;
    }
    case 2: {
        v3 = v1;
        break;
    }
    default: {
        v2 = WaveReadLaneFirst(((v2 | ((inputs[2] >> 17) | 30u)) + 20u)); trace(20, v2);
        v0 = min((v2 | 29u), 26u);
        dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3)); return;
    }
    }
    mark(21, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
