//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 69
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
    [unroll] for (uint c0 = 0; c0 < 2u; ++c0) {
        if (((v2 & 3u) != 2u)) {
            mark(1, ((v2 | c0) + 22u));
            if (WaveActiveAllTrue((((v0 + 2u) & 7u) >= 3u))) {
                trace(3, v1);
            } else {
                mark(4, c0);
                if ((c0 < (c0 & 3u))) {
                    if (((v0 & 3u) < 1u)) {
                        v1 = WaveActiveCountBits((((min(v1, 29u) + v0) + 5u) & 1u) != 0u); trace(5, v1);
                        trace(6, v3);
                        mark(7, v0);
                        break;
                    }
                    uint c1 = 0;
                    do {
                        ++c1;
                        trace(8, v2);
                    } while (c1 < 5 && (c0 == (v3 & 3u)));
                }
            }
            if (((WaveGetLaneIndex() & 3u) != 0u)) {
                continue;
            }
            continue;
        } else {
            if (WaveActiveAllTrue((((v1 + 9u) & 7u) < 3u))) {
                if ((c0 < (c0 & 3u))) {
                    trace(10, v2);
                    break;
                }
                if ((v3 < v0)) {
                    trace(11, v1);
                    mark(12, (v0 & v3));
                    mark(13, v1);
                }
            } else {
                v1 = (max(v3, 26u) * 9u);
                trace(14, max(((inputs[0] >> 13) * 6u), 22u));
                v1 = (v3 - 9u);
                continue;
            }
            trace(15, v3);
            v2 = WaveReadLaneFirst((WaveGetLaneIndex() + 16u)); trace(16, v2);
        }
        mark(17, ((inputs[2] >> 12) + (c0 ^ 16u)));
        trace(18, ((c0 + (inputs[3] >> 27)) - 14u));
    }
    v3 = WaveActiveCountBits((((v2 ^ v3) + 19u) & 1u) != 0u); trace(19, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
