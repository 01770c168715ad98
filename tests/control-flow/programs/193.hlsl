//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 193
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    uint c0 = 0;
    for (;;) {
        if (++c0 > 4) break;
        [unroll] for (uint c1 = 0; c1 < 3u; ++c1) {
            v2 = WaveActiveMin((((WaveGetLaneIndex() - 28u) - 21u) + 4u)); trace(4, v2);
            if (((v1 & 3u) >= 2u)) {
                v3 = max(c1, c0);
                v2 = WaveActiveSum(((v1 & 6u) + 5u)); trace(5, v2);
                break;
            } else {
                if (((v0 & 3u) < 2u)) {
                    v1 = WaveActiveMax((max((v0 - v0), max((inputs[2] >> 21), c1)) + 6u)); trace(6, v1);
                }
                trace(7, min(min(c0, v2), (inputs[3] >> 28)));
            }
            trace(8, ((c1 + c0) & (WaveGetLaneIndex() ^ 35u)));
        }
        if (!(c0 < (v3 & 3u))) {
            break;
        }
        trace(9, v1);
        trace(10, max(WaveGetLaneIndex(), (c0 & 38u)));
    }
    trace(11, (min(v2, v3) * v2));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
