//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 115
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
    v3 = WaveReadLaneFirst((((v2 ^ 2u) + 34u) + 11u)); trace(11, v3);
    if (!(((inputs[2] >> 24) & 7u) < 7u)) {
        if (((v2 & 3u) < 1u)) {
            if (!(((inputs[1] >> 26) & 3u) >= 3u)) {
                trace(12, (max(v1, 27u) & (v1 + v1)));
                if ((((v3 & 3u) >= 2u) || ((v0 & 3u) != 2u))) {
                    if ((v0 < v0)) {
                        dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3)); return;
                    }
                    [branch] if (((((inputs[0] >> 5) & 1u) != 0u) || ((v1 & 3u) == 2u))) {
                        v2 = v2;
                        trace(13, ((v1 * 11u) | 29u));
                    }
                }
                dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3)); return;
            }
            if (((v1 & 7u) >= 6u)) {
                uint c0 = 0;
                while (c0 < 3 && ((WaveGetLaneIndex() & 1u) < 1u)) {
                    ++c0;
                    if (((v3 & 7u) >= 7u)) {
                        trace(14, (((v0 & 26u) - max(c0, 22u)) + 14u));
                        v0 = c0;
                        v0 = min(min(v1, v0), 2u);
                    }
                    break;
                }
                mark(15, (v3 | v1));
            } else {
                trace(16, min(v2, 1u));
                v3 = ((inputs[2] >> 9) | (v2 + WaveGetLaneIndex()));
                v3 = max(v1, (v1 - 34u));
            }
            v1 = v1;
        }
        mark(17, max(v3, 6u));
        dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3)); return;
    } else {
        v2 = ((v0 + v0) & (inputs[1] >> 2));
        v0 = (((inputs[1] >> 10) & 11u) | (inputs[1] >> 4));
        v3 = (v0 * 13u);
    }
    trace(18, (v1 ^ 23u));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
