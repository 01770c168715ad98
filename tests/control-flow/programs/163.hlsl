//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 163
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
    if (((v2 & 7u) >= 1u)) {
        if ((((v2 & 3u) >= 2u) && ((v1 & 3u) == 1u))) {
            v3 = (v2 - max(v2, 10u));
        } else {
            mark(4, min(max(v2, v2), ((inputs[0] >> 23) * v0)));
        }
        trace(5, (v2 + v3));
    }
    if (((v0 & 7u) == 5u)) {
        uint c0 = 0;
        for (;;) {
            if (++c0 > 3) break;
            if ((c0 >= (v1 & 3u))) {
                break;
            }
            if (((v2 & 3u) != 1u)) {
                if ((c0 < ((inputs[1] >> 24) & 3u))) {
                    if (((c0 & 1u) >= 1u)) {
                        break;
                    }
                } else {
                    v3 = WaveActiveBitOr((c0 + 6u)); trace(6, v3);
                    trace(7, v3);
                    trace(8, (v1 ^ 38u));
                }
                mark(9, (inputs[1] >> 22));
                trace(10, (c0 + (c0 ^ 2u)));
            }
            v1 = ((c0 * c0) - (v3 ^ WaveGetLaneIndex()));
            v3 = (c0 * (c0 ^ WaveGetLaneIndex()));
        }
        trace(11, v1);
        trace(12, max(v3, 30u));
    }
    v1 = min((v3 + 8u), 3u);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
