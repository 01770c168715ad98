//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 128
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    if (((v0 < v3) || (((inputs[1] >> 19) & 3u) == 0u))) {
        if ((v0 < v1)) {
            v2 = ((WaveGetLaneIndex() * 31u) + (v3 ^ v1));
        }
    } else {
        trace(6, (v2 * ((inputs[1] >> 7) | 16u)));
        v3 = (v1 ^ 34u);
        uint c0 = 0u;
        for (uint c1 = 0; c1 < 2u; ++c1) {
            for (uint c2 = 0; c2 < 3u; ++c2) {
                for (uint c3 = 0; c3 < ((c0 & 3u) + 1u); ++c3) {
                    v1 = v2;
                    if (((v0 & 1u) < 1u)) {
                        v0 = (c3 + 37u);
                        trace(7, (min(c3, v1) & v3));
                    }
                }
                if (((v0 & 3u) == 1u)) {
                    c0 = 1u;
                    break;
                }
                for (uint c4 = 0; c4 < 4u; ++c4) {
                    trace(8, v1);
                    [branch] if (((v1 & 1u) == 0u)) {
                        mark(9, ((v3 ^ WaveGetLaneIndex()) - v2));
                        v2 = WaveActiveSum(((min(c0, c1) | max(v3, c2)) + 10u)); trace(10, v2);
                        trace(11, (WaveGetLaneIndex() + (v2 + v3)));
                    } else {
                        trace(12, (((inputs[1] >> 22) | v0) | 36u));
                        v3 = WaveReadLaneFirst((v3 + 13u)); trace(13, v3);
                        mark(14, ((v0 & 33u) * 33u));
                    }
                    trace(15, v3);
                }
                trace(16, c1);
            }
            if ((c0 != 0u)) {
                break;
            }
            v0 = ((v1 - v3) & 3u);
        }
    }
    v0 = (inputs[3] >> 19);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
