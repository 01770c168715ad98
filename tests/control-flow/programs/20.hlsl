//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 20
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    mark(1, min(v0, max(v1, v2)));
    v1 = max(v2, v0);
    v1 = (v2 & (v2 + v1));
    uint c0 = 0;
    while (c0 < 4 && ((v2 & 1u) == 0u)) {
        ++c0;
        v2 = max(WaveGetLaneIndex(), WaveGetLaneIndex());
        v3 = WaveActiveCountBits((((((inputs[2] >> 20) + 18u) + 35u) + 2u) & 1u) != 0u); trace(2, v3);
    }
    switch ((v1 & 3u)) {
    case 0: default: {
        [branch] if ((((v0 & 7u) < 1u) || ((WaveGetLaneIndex() & 3u) >= 2u))) {
            trace(3, v3);
            mark(4, (v0 + v2));
            [unroll] for (uint c1 = 0; c1 < 3u; ++c1) {
                uint c2 = 0;
                for (;;) {
                    if (++c2 > 4) break;
                    if ((v2 < WaveGetLaneIndex())) {
                        break;
                    }
                    v0 = max(((inputs[2] >> 12) + v2), (v0 * (inputs[3] >> 10)));
                }
                trace(5, WaveGetLaneIndex());
                if ((((WaveGetLaneIndex() & 3u) == 2u) && ((c1 & 7u) >= 6u))) {
                    v0 = WaveActiveBitXor((min((v1 & 36u), 10u) + 6u)); trace(6, v0);
                    v3 = WaveActiveMax((v3 + 7u)); trace(7, v3);
                } else {
                    mark(8, (min(c1, c1) * (v1 - c1)));
                    trace(9, WaveGetLaneIndex());
                }
            }
        }
        break;
    }
    case 1: {
        v1 = v3;
        v1 = WaveReadLaneFirst((((v3 + v0) + (v0 + v1)) + 10u)); trace(10, v1);
        v2 = min(WaveGetLaneIndex(), 27u);
        break;
    }
    case 2: {
        mark(11, v0);
        v3 = WaveActiveBitAnd(((v3 + max(WaveGetLaneIndex(), 1u)) + 12u)); trace(12, v3);
        break;
    }
    }
    v0 = WaveActiveSum(((max(v3, 8u) + 15u) + 13u)); trace(13, v0);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
