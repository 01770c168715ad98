//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 196
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    trace(1, (v2 + 38u));
    [unroll] for (uint c0 = 0; c0 < 3u; ++c0) {
        if (WaveActiveAllTrue((((v1 + 2u) & 7u) == 3u))) {
            trace(9, 1u);
            uint c1 = 0u;
            for (uint c2 = 0; c2 < 3u; ++c2) {
                for (uint c3 = 0; c3 < 3u; ++c3) {
                    if ((c0 < ((inputs[3] >> 25) & 3u))) {
                        c1 = 1u;
                        break;
                    }
                    switch ((WaveGetLaneIndex() & 7u)) {
                    case 0: {
                        trace(3, max((v3 & c3), v2));
                        break;
                    }
                    case 1: {
                        v1 = (v3 ^ (v2 + v3));
                        trace(4, min(v1, v0));
                        break;
                    }
                    case 2: case 3: {
                        v0 = WaveActiveBitAnd((((v3 + 1u) & 39u) + 5u)); trace(5, v0);
                        v2 = WaveActiveSum(((((inputs[2] >> 24) - v0) * 20u) + 6u)); trace(6, v2);
                        break;
                    }
                    default: case 4: {
                        mark(7, (inputs[2] >> 15));
                        trace(8, ((c1 | 37u) * 4u));
                        continue;
                    }
                    }
                }
                if ((c1 != 0u)) {
                    break;
                }
                v2 = (max(v2, (inputs[3] >> 22)) + v3);
            }
            v3 = (v0 | ((inputs[0] >> 11) * v1));
            v2 = v0;
        } else {
            trace(10, (v3 * 3u));
        }
        mark(11, (min(v2, 10u) + WaveGetLaneIndex()));
        trace(12, (c0 + (v3 + v3)));
    }
    mark(13, WaveGetLaneIndex());
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
