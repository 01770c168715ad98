//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 51
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
    v3 = WaveReadLaneFirst(((v2 - ((inputs[3] >> 14) + v1)) + 1u)); trace(1, v3);
    if ((v3 < v2)) {
        switch ((((v3 & 3u) * 4096u) + 5u)) {
        case 5: {
            if (((v3 & 3u) == 1u)) {
                trace(2, ((v2 | v0) * v0));
                dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3)); return;
            }
            break;
        }
        default: {
            if (((v0 & 7u) == 6u)) {
                trace(3, ((v3 | 37u) + 4u));
                uint c0 = 0;
                for (;;) {
                    if (++c0 > 6) break;
                    if ((c0 < (v0 & 3u))) {
                        break;
                    }
                    switch ((v3 & 3u)) {
                    case 0: {
                        trace(4, ((v1 * 22u) * v0));
                        continue;
                    }
                    case 1: {
                        trace(5, ((v3 + v0) - 10u));
                        trace(6, c0);
                        trace(7, ((v1 + WaveGetLaneIndex()) + 7u));
                        dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3)); return;
                    }
                    case 2: default: {
                        v1 = WavePrefixSum((WaveGetLaneIndex() + 8u)); trace(8, v1);
                        trace(9, v3);
                        trace(10, ((WaveGetLaneIndex() - 25u) & 13u));
                        break;
                    }
                    }
                    trace(11, v2);
                    v1 = WaveActiveSum((((v1 + v3) - v2) + 12u)); trace(12, v1);
                }
            } else {
                v3 = WaveActiveSum((v3 + 13u)); trace(13, v3);
                trace(14, v2);
                trace(15, min(max(v0, v0), (v0 + v1)));
            }
            v1 = WaveActiveBitOr((max((v1 + v2), 5u) + 16u)); trace(16, v1);
            break;
        }
        case 4101: {
            v0 = v2;
            mark(17, (inputs[0] >> 24));
            break;
        }
        case 8197: {
            v1 = WaveActiveCountBits(((min(v3, 25u) + 18u) & 1u) != 0u); trace(18, v1);
            break;
        }
        }
    } else {
        v0 = (min(v3, v3) & (v3 + v3));
        mark(19, max((inputs[1] >> 3), (v0 - 32u)));
    }
    v3 = ((v0 + (inputs[0] >> 16)) | v0);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
