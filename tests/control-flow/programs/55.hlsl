//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 55
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
    v1 = min((v3 | v1), (v1 ^ v1));
    v1 = (((inputs[3] >> 6) ^ 35u) + 5u);
    trace(1, min(WaveGetLaneIndex(), 9u));
    trace(2, ((v0 + 12u) * ((inputs[1] >> 26) + 33u)));
    if (WaveActiveAnyTrue((((v0 + 3u) & 7u) == 3u))) {
        trace(13, 1u);
        v2 = WavePrefixCountBits(((((v2 * 13u) - v3) + 4u) & 1u) != 0u); trace(4, v2);
        if ((((v3 & 1u) < 1u) && ((v3 & 7u) < 6u))) {
            [loop] for (uint c0 = 0; c0 < 4u; ++c0) {
                mark(5, (inputs[2] >> 26));
                v2 = ((v3 & WaveGetLaneIndex()) * (c0 * 18u));
            }
            if (!((v2 & 3u) >= 1u)) {
                mark(6, ((v0 * 13u) & (v0 + v0)));
            }
        } else {
            if (WaveActiveAllTrue((((v1 + 7u) & 7u) >= 3u))) {
                trace(11, 1u);
                uint c1 = 0;
                do {
                    ++c1;
                    trace(8, WaveGetLaneIndex());
                    if ((c1 < (v2 & 3u))) {
                        mark(9, (((inputs[2] >> 28) * c1) ^ 0u));
                        break;
                    }
                    mark(10, (WaveGetLaneIndex() + 0u));
                    continue;
                } while (c1 < 2 && ((c1 == (v3 & 3u)) || ((WaveGetLaneIndex() & 1u) == 0u)));
            }
            trace(12, v1);
        }
    } else {
        trace(14, ((v3 * 15u) | (v1 + v0)));
    }
    v0 = WaveActiveBallot((((min((inputs[2] >> 16), v0) + v0) + 15u) & 1u) != 0u).x; trace(15, v0);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
