//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 7
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
    [branch] if (((v2 & 7u) != 6u)) {
        switch ((v2 & 7u)) {
        case 0: case 1: {
            [loop] for (uint c0 = 0; c0 < 3u; ++c0) {
                [branch] if (WaveActiveAnyTrue((((v0 + 13u) & 7u) >= 3u))) {
                    if (!(c0 >= (v2 & 3u))) {
                        break;
                    }
                } else {
                    v1 = c0;
                    continue;
                }
                break;
            }
            break;
        }
        default: case 2: case 3: {
            v2 = (min(v2, v2) + max(v3, v3));
            trace(14, min((v2 * v3), v0));
            trace(15, (v1 | (v3 - v1)));
            dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3)); return;
        }
        case 4: {
            v2 = WaveGetLaneIndex();
            break;
        }
        }
        v2 = v0;
        v0 = min(min(v1, v0), max(v1, 16u));
    }
    v1 = min((v3 + v2), 38u);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
