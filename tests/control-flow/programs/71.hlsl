//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 71
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
    switch ((v2 & 3u)) {
    case 0: {
        uint c0 = 0;
        while (c0 < 5 && (v1 < v3)) {
            ++c0;
            if (!((WaveGetLaneIndex() & 3u) == 0u)) {
                break;
            }
            trace(1, c0);
            mark(2, (max(v1, 21u) ^ 29u));
        }
        if (((v2 & 7u) < 2u)) {
            v3 = (v1 & 5u);
            if (((v0 & 7u) < 5u)) {
                trace(3, v3);
            }
        } else {
            uint c1 = 0;
            while (c1 < 3 && ((v0 & 3u) == 1u)) {
                ++c1;
                [unroll] for (uint c2 = 0; c2 < 3u; ++c2) {
                    [unroll] for (uint c3 = 0; c3 < 3u; ++c3) {
                        trace(4, c2);
                        trace(5, max(v3, 14u));
                    }
                    switch (((inputs[0] >> 10) & 3u)) {
                    case 0: {
                        v2 = WaveActiveMax(((max(c1, c1) - 8u) + 6u)); trace(6, v2);
                        v1 = WavePrefixSum((v2 + 7u)); trace(7, v1);
                        v1 = WaveActiveBallot(((((v1 & c1) & (c2 & v3)) + 8u) & 1u) != 0u).x; trace(8, v1);
                        break;
                    }
                    default: case 1: {
                        v1 = (v2 - 8u);
                        break;
                    }
                    }
                    v2 = ((c1 + 35u) & ((inputs[1] >> 6) | WaveGetLaneIndex()));
                }
            }
        }
        v3 = ((v0 ^ 5u) + (v0 + 13u));
        break;
    }
    case 1: case 2: {
        mark(9, v3);
        break;
    }
    }
    v2 = ((v2 ^ v2) - v2);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
