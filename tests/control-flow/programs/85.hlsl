//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 85
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
    [loop] for (uint c0 = 0; c0 < 5u; ++c0) {
        trace(1, ((v1 + v3) * (v2 + c0)));
        trace(2, v1);
        trace(3, v0);
    }
    mark(4, (min((inputs[2] >> 23), v1) + (v1 ^ v1)));
    trace(5, v1);
    if (((v3 & 3u) != 0u)) {
        uint c1 = 0;
        for (;;) {
            if (++c1 > 5) break;
            v1 = (min(v0, 37u) + 13u);
            uint c2 = 0;
            while (c2 < 4 && ((v1 & 1u) == 0u)) {
                ++c2;
                [branch] if (((c1 & 1u) >= 1u)) {
                    v1 = max((inputs[0] >> 14), ((inputs[3] >> 17) * v2));
                    mark(6, ((v0 * v0) ^ ((inputs[2] >> 24) ^ v1)));
                } else {
                    trace(7, c1);
                    mark(8, v1);
                    break;
                }
                trace(9, (min(v3, v3) + 20u));
            }
            if ((((v2 & 3u) >= 1u) || ((v0 & 1u) < 1u))) {
                v0 = (max(v3, 20u) - 35u);
                break;
            }
        }
    } else {
        mark(10, ((v3 ^ (inputs[1] >> 4)) + 22u));
        v2 = ((v2 | 9u) ^ 4u);
    }
    trace(11, max((v0 + v0), 33u));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
