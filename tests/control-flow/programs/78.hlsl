//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 78
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

uint f0(uint v0, uint v1) {
    uint v2 = v0, v3 = v1;
    mark(1, (v1 + 23u));
    trace(2, (v3 + (v3 ^ 4u)));
    [unroll] for (uint c0 = 0; c0 < 2u; ++c0) {
        if (WaveIsFirstLane()) {
            trace(11, 1u);
            if ((((v2 & 3u) == 1u) && ((v0 & 3u) != 0u))) {
                [unroll] for (uint c1 = 0; c1 < 3u; ++c1) {
                    trace(4, ((((inputs[3] >> 23) * WaveGetLaneIndex()) + 33u) + 4u));
                }
                trace(5, (v3 | min(v1, c0)));
                trace(6, (v0 - v1));
                break;
            } else {
                mark(7, min(WaveGetLaneIndex(), 31u));
                trace(8, (((inputs[3] >> 8) | 21u) + (v1 * 11u)));
                trace(9, ((v1 * WaveGetLaneIndex()) * 21u));
            }
            trace(10, v2);
            v3 = (((inputs[3] >> 3) * 24u) + 7u);
        }
        v3 = ((v3 ^ v3) | (WaveGetLaneIndex() * v0));
        v0 = ((v1 & WaveGetLaneIndex()) + 39u);
    }
    trace(12, (v1 + 26u));
    return v0;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    trace(13, (v1 - max(WaveGetLaneIndex(), v2)));
    if (WaveActiveAnyTrue((((WaveGetLaneIndex() + 14u) & 7u) == 3u))) {
        trace(18, 1u);
        uint c0 = 0;
        while (c0 < 4 && ((v1 & 3u) == 2u)) {
            ++c0;
            if (((v3 & 7u) == 4u)) {
                if ((((c0 & 3u) < 3u) && ((v1 & 7u) >= 3u))) {
                    v3 = (v1 ^ (v3 ^ (inputs[0] >> 12)));
                    uint c1 = 0;
                    while (c1 < 3 && ((c0 & 3u) != 0u)) {
                        ++c1;
                        mark(15, v0);
                        trace(16, ((WaveGetLaneIndex() - v2) - 6u));
                    }
                    break;
                }
                v3 = f0((v1 * v3), c0);
                v0 = f0((v0 * 36u), v0);
            }
            v1 = max(min(c0, 20u), (c0 ^ v2));
        }
        uint c2 = 0u;
        for (uint c3 = 0; c3 < 3u; ++c3) {
            for (uint c4 = 0; c4 < 4u; ++c4) {
                if ((c3 >= (v0 & 3u))) {
                    c2 = 1u;
                    break;
                }
                uint c5 = 0;
                for (;;) {
                    if (++c5 > 4) break;
                    if ((((v3 & 7u) >= 4u) || ((v3 & 3u) != 0u))) {
                        break;
                    }
                    v3 = (min(v3, (inputs[2] >> 14)) * max(WaveGetLaneIndex(), (inputs[2] >> 8)));
                    v2 = min((v0 | (inputs[0] >> 21)), 31u);
                }
            }
            if ((c2 != 0u)) {
                break;
            }
            v2 = min(v1, max(v0, (inputs[3] >> 4)));
        }
        mark(17, c2);
    } else {
        trace(19, max(v0, (inputs[3] >> 23)));
        v1 = v1;
        dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3)); return;
    }
    trace(20, ((v3 & 37u) - 14u));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
