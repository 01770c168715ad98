//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 161
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
    trace(1, v3);
    v1 = (v0 | 25u);
    trace(2, v3);
    uint c0 = 0u;
    for (uint c1 = 0; c1 < 3u; ++c1) {
        for (uint c2 = 0; c2 < 2u; ++c2) {
            uint c3 = 0;
            for (;;) {
                if (++c3 > 6) break;
                mark(3, (c3 ^ 26u));
                if ((c3 >= (v2 & 3u))) {
                    v2 = v2;
                    break;
                }
            }
            v3 = min(max(c0, 13u), 22u);
            if (((v1 & 3u) >= 3u)) {
                c0 = 1u;
                break;
            }
            v2 = WaveActiveBitOr(((c1 * c2) + 4u)); trace(4, v2);
        }
        if ((c0 != 0u)) {
            break;
        }
        v1 = WaveActiveMin((((v1 | v0) ^ 16u) + 5u)); trace(5, v1);
    }
    v3 = WaveActiveCountBits(((((v0 - 9u) + 22u) + 6u) & 1u) != 0u); trace(6, v3);
    return v0;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    v3 = f0((v0 + 32u), v0);
    v2 = f0((WaveGetLaneIndex() - 6u), WaveGetLaneIndex());
    trace(7, v0);
    trace(8, (v3 - 15u));
    uint c0 = 0u;
    for (uint c1 = 0; c1 < 2u; ++c1) {
        for (uint c2 = 0; c2 < 2u; ++c2) {
            switch ((v1 & 3u)) {
            case 0: {
                for (uint c3 = 0; c3 < (((inputs[3] >> 10) & 3u) + 0u); ++c3) {
                    trace(9, ((c3 ^ v3) ^ 20u));
                }
                dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3)); return;
            }
            case 1: default: {
                uint c4 = 0;
                while (c4 < 3 && (v1 < c0)) {
                    ++c4;
                    switch ((((WaveGetLaneIndex() & 7u) * 4096u) + 5u)) {
                    case 5: {
                        trace(10, max((WaveGetLaneIndex() ^ 38u), v0));
                        break;
                    }
                    case 4101: {
                        trace(11, (v0 + 4u));
                        mark(12, (v0 + (c1 ^ 17u)));
                        trace(13, ((v3 + v3) ^ 6u));
                        break;
                    }
                    default: {
                        v2 = (c0 ^ c2);
                        mark(14, ((c0 + c0) | v3));
                        break;
                    }
                    case 8197: case 12293: {
                        mark(15, ((v1 & 8u) ^ 2u));
                        break;
                    }
                    case 16389: {
                        v2 = WavePrefixSum((WaveGetLaneIndex() + 16u)); trace(16, v2);
                        trace(17, v3);
                        mark(18, ((v1 | v1) & (c2 + 18u)));
                        break;
                    }
                    }
                }
                v3 = (WaveGetLaneIndex() & 27u);
                trace(19, v0);
                break;
            }
            case 2: {
                v3 = v2;
                break;
            }
            case 3: {
                trace(20, (v1 - 28u));
                trace(21, (inputs[3] >> 19));
                break;
            }
            }
            if ((((c0 & 3u) < 2u) && ((v2 & 1u) >= 1u))) {
                c0 = 1u;
                break;
            }
            mark(22, (v0 & 25u));
        }
        if ((c0 != 0u)) {
            break;
        }
        v0 = ((c1 & v2) - v0);
    }
    v1 = (v0 - max(v3, 1u));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
