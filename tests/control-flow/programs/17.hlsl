//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 17
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    switch ((v1 & 3u)) {
    default: case 0: case 1: {
        v0 = WaveActiveBallot(((min(min(v0, v0), v0) + 5u) & 1u) != 0u).x; trace(5, v0);
        mark(6, min(v0, v2));
        uint c0 = 0;
        for (;;) {
            if (++c0 > 5) break;
            if (((v2 & 3u) == 2u)) {
                uint c1 = 0;
                for (;;) {
                    if (++c1 > 5) break;
                    if (((v1 & 1u) != 0u)) {
                        trace(10, c1);
                        break;
                    }
                    for (uint c2 = 0; c2 < 2u; ++c2) {
                        trace(7, (v3 + 7u));
                        trace(8, v0);
                    }
                    trace(9, ((((inputs[0] >> 17) ^ 5u) ^ (c0 + 24u)) + 9u));
                    v2 = max((c1 + v3), 39u);
                    return;
                }
                v2 = WaveActiveBitXor((((v3 - 25u) + 23u) + 11u)); trace(11, v2);
                mark(12, v3);
            } else {
                v0 = (WaveGetLaneIndex() + ((inputs[0] >> 10) - 38u));
                v0 = min((v1 * 33u), 4u);
                v1 = WaveReadLaneFirst((((WaveGetLaneIndex() + 36u) + (c0 + v1)) + 13u)); trace(13, v1);
            }
            v0 = ((v3 + 30u) & (v1 + c0));
            v3 = (v0 & c0);
            if (((WaveGetLaneIndex() & 3u) < 3u)) {
                v2 = (((inputs[2] >> 5) & c0) + (v2 & v0));
                break;
            }
        }
        break;
    }
    }
    mark(14, ((v0 ^ 38u) - 17u));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
