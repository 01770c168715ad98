//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 164
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
    switch ((v1 & 3u)) {
    case 0: {
        switch ((v1 & 3u)) {
        case 0: {
            if (((v2 & 3u) >= 3u)) {
                v1 = WavePrefixSum((v3 + 1u)); trace(1, v1);
                uint c0 = 0;
                for (;;) {
                    if (++c0 > 4) break;
                    v0 = ((v3 | c0) - (v3 & v0));
                    v2 = WaveActiveMax(((v2 & v1) + 2u)); trace(2, v2);
                    if ((((v0 & 3u) != 2u) && ((v3 & 1u) == 0u))) {
                        break;
                    }
                }
            }
            trace(3, min(v1, (v3 & v0)));
            v0 = WaveReadLaneFirst((min((v3 & 7u), 37u) + 4u)); trace(4, v0);
            break;
        }
        case 1: {
            trace(5, v3);
            v0 = v3;
            v2 = WaveActiveSum(((min(v2, v0) & v0) + 6u)); trace(6, v2);
            break;
        }
        case 2: {
            trace(7, ((v0 * v0) | v3));
            break;
        }
        }
        break;
    }
    default: {
        v3 = v3;
        v2 = WaveActiveMax((((WaveGetLaneIndex() | v1) - 8u) + 8u)); trace(8, v2);
        mark(9, v1);
        break;
    }
    case 1: {
        mark(10, max(max(WaveGetLaneIndex(), 19u), v2));
        v2 = max(v1, (v1 | v3));
        trace(11, max((WaveGetLaneIndex() - v2), 19u));
        break;
    }
    }
    trace(12, (v0 + (v0 + v0)));
    return v0;
}

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    v0 = f0((v3 ^ 26u), v1);
    [unroll] for (uint c0 = 0; c0 < 3u; ++c0) {
        if (((v3 & 3u) >= 1u)) {
            uint c1 = 0u;
            for (uint c2 = 0; c2 < 2u; ++c2) {
                for (uint c3 = 0; c3 < 4u; ++c3) {
                    switch ((((v0 & 3u) * 4096u) + 5u)) {
                    case 5: case 4101: {
                        trace(13, ((WaveGetLaneIndex() | WaveGetLaneIndex()) | 33u));
                        v1 = WavePrefixCountBits(((v1 + 14u) & 1u) != 0u); trace(14, v1);
                        break;
                    }
                    case 8197: {
                        trace(15, (v3 ^ 36u));
                        trace(16, (min(v1, v1) + 10u));
                        break;
                    }
                    }
                    if ((c2 < (v1 & 3u))) {
                        c1 = 1u;
                        break;
                    }
                }
                if ((c1 != 0u)) {
                    break;
                }
                trace(17, (max(v3, (inputs[1] >> 19)) ^ (c2 & v0)));
            }
        } else {
            trace(18, max((v0 | v2), 24u));
            v0 = WaveActiveSum(((min(v3, 24u) * ((inputs[3] >> 16) & c0)) + 19u)); trace(19, v0);
            break;
        }
        trace(20, ((v1 + 24u) * (v1 ^ 11u)));
        trace(21, ((v0 & 16u) * (v1 + 34u)));
    }
    trace(22, v0);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
