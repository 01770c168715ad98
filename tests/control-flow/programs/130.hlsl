//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 130
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
    [loop] for (uint c0 = 0; c0 < 4u; ++c0) {
        trace(1, c0);
        switch ((c0 & 3u)) {
        case 0: {
            if ((c0 == (v0 & 3u))) {
                if (((v3 & 3u) != 1u)) {
                    v0 = min((c0 * 27u), 10u);
                } else {
                    v0 = WaveActiveBitOr((((v0 | v0) * WaveGetLaneIndex()) + 2u)); trace(2, v0);
                    mark(3, min(min((inputs[1] >> 17), 31u), min((inputs[2] >> 4), 2u)));
                    v1 = WavePrefixSum((((c0 | WaveGetLaneIndex()) | (WaveGetLaneIndex() ^ v0)) + 4u)); trace(4, v1);
                }
                break;
            }
            continue;
        }
        case 1: {
            v1 = (v3 ^ (v1 & c0));
            trace(5, (v3 & (v3 * 17u)));
            break;
        }
        case 2: {
            trace(6, ((v0 | WaveGetLaneIndex()) & (v0 + c0)));
            break;
        }
        }
        continue;
    }
    v0 = WaveActiveBallot((((max(v3, 26u) * (v3 & v0)) + 7u) & 1u) != 0u).x; trace(7, v0);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
