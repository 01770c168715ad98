//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 150
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
    if (((((inputs[0] >> 13) & 3u) != 2u) && ((v2 & 7u) >= 4u))) {
        v3 = WaveActiveSum((v1 + 1u)); trace(1, v3);
        for (uint c0 = 0; c0 < 4u; ++c0) {
            [unroll] for (uint c1 = 0; c1 < 2u; ++c1) {
                v3 = v0;
            }
            v3 = min((v0 + v0), v3);
        }
    }
    v0 = ((inputs[1] >> 18) * v3);
    return v0;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    uint c0 = 0;
    for (;;) {
        if (++c0 > 4) break;
        trace(2, ((c0 | 19u) ^ c0));
        if ((((v1 & 3u) >= 1u) || (c0 < (c0 & 3u)))) {
            break;
        }
        trace(3, v1);
    }
    v2 = WaveActiveBitAnd(((max(v2, v3) ^ (v3 * WaveGetLaneIndex())) + 4u)); trace(4, v2);
    v2 = WaveActiveMax(((max(v1, WaveGetLaneIndex()) - v2) + 5u)); trace(5, v2);
    [unroll] for (uint c1 = 0; c1 < 2u; ++c1) {
        if ((c1 < c1)) {
            if ((c1 < (v0 & 3u))) {
                uint c2 = 0;
                for (;;) {
                    if (++c2 > 4) break;
                    if ((c1 == (v0 & 3u))) {
                        break;
                    }
                    mark(6, (v1 + ((inputs[3] >> 4) | (inputs[0] >> 26))));
                }
                v1 = f0(v1, v2);
            }
        } else {
            if (((v0 < v1) && (((inputs[3] >> 18) & 3u) >= 1u))) {
                mark(7, (((inputs[1] >> 24) + (inputs[0] >> 14)) & v0));
                v1 = WaveActiveMax(((c1 | 36u) + 8u)); trace(8, v1);
                break;
            }
        }
        v3 = f0((WaveGetLaneIndex() | v0), max(c1, WaveGetLaneIndex()));
    }
    v1 = v2;
    mark(9, min(WaveGetLaneIndex(), (v0 + 34u)));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
