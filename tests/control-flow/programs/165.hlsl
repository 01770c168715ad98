//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 165
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    trace(1, (v0 + v2));
    if (((v1 & 7u) == 5u)) {
        v2 = v3;
    } else {
        v0 = min(v1, max(v0, v1));
        uint c0 = 0;
        while (c0 < 5 && ((v2 & 7u) == 0u)) {
            ++c0;
            v1 = WaveActiveMax(((c0 ^ (v3 & 32u)) + 2u)); trace(2, v1);
        }
        uint c1 = 0u;
        for (uint c2 = 0; c2 < 3u; ++c2) {
            for (uint c3 = 0; c3 < 4u; ++c3) {
                v1 = ((inputs[1] >> 22) - 11u);
                if (((v2 & 7u) != 4u)) {
                    c1 = 1u;
                    break;
                }
                if ((c2 == (c1 & 3u))) {
                    switch ((((v1 & 3u) * 4096u) + 5u)) {
                    case 5: case 4101: default: {
                        trace(3, ((inputs[1] >> 10) + 1u));
                        trace(4, (max(v3, 34u) ^ c3));
                        break;
                    }
                    }
                    return;
                } else {
                    uint c4 = 0;
                    for (;;) {
                        if (++c4 > 3) break;
                        v2 = WaveActiveCountBits((((WaveGetLaneIndex() & WaveGetLaneIndex()) + 5u) & 1u) != 0u); trace(5, v2);
                        if (((v1 < v0) || (c3 == (v0 & 3u)))) {
                            break;
                        }
                        mark(6, v3);
                        trace(7, v2);
                    }
                    v2 = WavePrefixCountBits(((v3 + 8u) & 1u) != 0u); trace(8, v2);
                    trace(9, c1);
                }
                mark(10, ((v0 + 25u) & 19u));
            }
            if ((c1 != 0u)) {
                break;
            }
            v3 = WaveActiveBitOr((((v3 + 30u) + 15u) + 11u)); trace(11, v3);
        }
    }
    trace(12, v2);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
