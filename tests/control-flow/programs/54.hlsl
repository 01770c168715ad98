//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 54
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
    v1 = v0;
    trace(5, v0);
    [branch] if (((v3 & 3u) >= 3u)) {
        if (((v0 & 1u) == 0u)) {
            if ((v1 < v2)) {
                [loop] for (uint c0 = 0; c0 < ((v3 & 3u) + 0u); ++c0) {
                    mark(6, (v1 - c0));
                }
                trace(7, max(max(v0, v2), max(v3, 14u)));
                if (((v3 & 1u) < 1u)) {
                    if (!((v1 & 1u) >= 1u)) {
                        trace(8, (v3 & (v3 + 21u)));
                        trace(9, v1);
                    } else {
                        mark(10, (inputs[2] >> 4));
                        trace(11, (max((inputs[2] >> 16), v1) ^ min(v2, 30u)));
                    }
                    trace(12, v2);
                } else {
                    trace(13, ((v2 - 16u) | 20u));
                    trace(14, (min(v3, v1) & v2));
                }
            } else {
                v3 = ((v2 ^ v1) + (v0 + v1));
            }
            trace(15, v3);
            mark(16, v2);
        } else {
            trace(17, (max(v2, 25u) - 26u));
        }
    }
    trace(18, (v0 ^ 9u));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
