//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 41
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    if (!((v0 & 3u) < 3u)) {
        uint c0 = 0u;
        for (uint c1 = 0; c1 < 2u; ++c1) {
            for (uint c2 = 0; c2 < 4u; ++c2) {
                if (((c1 & 3u) == 2u)) {
                    c0 = 1u;
                    break;
                }
                trace(1, ((v0 * 5u) + (v3 ^ WaveGetLaneIndex())));
                v0 = WaveActiveCountBits(((min((c1 + (inputs[3] >> 18)), 30u) + 2u) & 1u) != 0u); trace(2, v0);
                if ((((v0 & 1u) == 0u) && ((v3 & 3u) == 1u))) {
                    v0 = ((v2 * v2) | 4u);
                    if (WaveIsFirstLane()) {
                        trace(5, 1u);
                        v0 = WaveActiveMax(((v3 - v1) + 4u)); trace(4, v0);
                        continue;
                    }
                    trace(6, c1);
                }
            }
            if ((c0 != 0u)) {
                break;
            }
            v1 = (v2 ^ v2);
        }
        uint c3 = 0;
        for (;;) {
            if (++c3 > 3) break;
            uint c4 = 0;
            for (;;) {
                if (++c4 > 3) break;
                v3 = (c3 - (v0 & 0u));
                if ((c4 == (v2 & 3u))) {
                    break;
                }
                v0 = (v3 ^ min((inputs[1] >> 26), v2));
                trace(7, v3);
            }
            mark(8, v0);
            if ((v1 < (inputs[1] >> 2))) {
                break;
            }
        }
    } else {
        trace(9, v3);
    }
    trace(10, (max((inputs[2] >> 17), v3) + 38u));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
