//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 176
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
    if (!((v0 & 7u) != 5u)) {
        mark(1, min(v3, 9u));
        [unroll] for (uint c0 = 0; c0 < 2u; ++c0) {
            v2 = ((v2 + v1) * (inputs[2] >> 21));
            trace(2, c0);
            if ((((WaveGetLaneIndex() & 3u) >= 2u) || (c0 == (v2 & 3u)))) {
                if (WaveActiveAnyTrue((((WaveGetLaneIndex() + 3u) & 7u) < 3u))) {
                    switch (((inputs[2] >> 11) & 7u)) {
                    default: case 0: {
                        v1 = (max(c0, v0) ^ max(v1, c0));
                        break;
                    }
                    case 1: {
                        v3 = (c0 + ((inputs[2] >> 22) + 15u));
                        break;
                    }
                    case 2: case 3: {
                        v3 = WavePrefixSum((v3 + 4u)); trace(4, v3);
                        mark(5, (v2 ^ v3));
                        break;
                    }
                    case 4: {
                        trace(6, ((inputs[1] >> 8) * (v1 | c0)));
                        trace(7, WaveGetLaneIndex());
                        v1 = WaveActiveBitAnd(((v2 | v1) + 8u)); trace(8, v1);
                        break;
                    }
                    }
                    trace(9, ((v3 ^ v1) - (v1 - v0)));
                }
                break;
            }
        }
    }
    v0 = WaveActiveCountBits((((max(v3, v3) * v0) + 10u) & 1u) != 0u); trace(10, v0);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
