//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 161
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    [unroll] for (uint c0 = 0; c0 < 3u; ++c0) {
        [unroll] for (uint c1 = 0; c1 < 3u; ++c1) {
            uint c2 = 0;
            for (;;) {
                if (++c2 > 3) break;
                v0 = WaveActiveMin(((c1 - 6u) + 7u)); trace(7, v0);
                v1 = WaveActiveSum((v1 + 8u)); trace(8, v1);
                if (((v3 & 7u) != 6u)) {
                    if ((c0 < (v1 & 3u))) {
                        v0 = WaveActiveBitXor(((v2 * 1u) + 9u)); trace(9, v0);
                    }
                }
                if (((c2 & 7u) >= 5u)) {
                    break;
                }
            }
        }
    }
    if (((v0 & 1u) >= 1u)) {
        v0 = WavePrefixCountBits(((((v3 | 20u) - 27u) + 10u) & 1u) != 0u); trace(10, v0);
    }
    if (((v0 & 1u) == 0u)) {
        switch ((v0 & 7u)) {
        case 0: case 1: {
            if (WaveActiveAnyTrue((((v1 + 11u) & 7u) < 3u))) {
                trace(15, 1u);
                if ((((v3 & 1u) >= 1u) && ((v1 & 7u) < 5u))) {
                    v1 = v0;
                    mark(12, min(v0, (v3 - v1)));
                    if (((v3 & 3u) != 0u)) {
                        mark(13, v1);
                    }
                }
                trace(14, ((v2 ^ 21u) + max(v0, v2)));
            } else {
                v1 = WaveActiveBallot((((v3 * 7u) + 16u) & 1u) != 0u).x; trace(16, v1);
                v3 = WaveGetLaneIndex();
                trace(17, v0);
            }
            break;
        }
        case 2: {
            mark(18, v1);
            trace(19, (v1 - 28u));
            trace(20, (inputs[3] >> 19));
            break;
        }
        case 3: {
            mark(21, (v0 & 25u));
            v0 = WaveActiveBitAnd((v0 + 22u)); trace(22, v0);
            break;
        }
        case 4: {
            v0 = WaveActiveSum((((v3 + (inputs[1] >> 18)) + ((inputs[2] >> 6) | v1)) + 23u)); trace(23, v0);
            v3 = v1;
            break;
        }
        }
    }
    trace(24, (min(v1, v0) + 14u));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
