//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 131
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

uint f0(uint v0, uint v1) {
    uint v2 = v0, v3 = v1;
    trace(1, min(WaveGetLaneIndex(), 13u));
    uint c0 = 0u;
    for (uint c1 = 0; c1 < 3u; ++c1) {
        for (uint c2 = 0; c2 < 3u; ++c2) {
            if (((v0 & 1u) < 1u)) {
                return v0;
            }
            mark(2, v2);
            if (((v2 & 3u) >= 2u)) {
                c0 = 1u;
                break;
            }
        }
        if ((c0 != 0u)) {
            break;
        }
        trace(3, min(max(v0, v0), 14u));
    }
    if ((((inputs[0] >> 15) & 1u) == 0u)) {
        switch ((v0 & 3u)) {
        case 0: {
            switch ((v0 & 3u)) {
            case 0: {
                mark(4, ((v1 + v3) | 13u));
                trace(5, min(min(v2, 0u), 35u));
                break;
            }
            case 1: {
                v2 = WaveGetLaneIndex();
                break;
            }
            case 2: {
                v0 = WavePrefixCountBits(((((v1 - 38u) | v3) + 6u) & 1u) != 0u); trace(6, v0);
                break;
            }
            case 3: {
                v2 = WaveGetLaneIndex();
                break;
            }
            }
            mark(7, v1);
            break;
        }
        case 1: default: {
            mark(8, ((v1 & v2) * 19u));
            break;
        }
        case 2: {
            mark(9, v1);
            v1 = ((v0 + 32u) * 9u);
            v0 = WaveActiveBallot(((max(v2, max(v0, v3)) + 10u) & 1u) != 0u).x; trace(10, v0);
            break;
        }
        case 3: {
            v2 = WaveActiveMin((max((v0 & 9u), 17u) + 11u)); trace(11, v2);
            v0 = WaveActiveMax((((v1 & v0) + 17u) + 12u)); trace(12, v0);
            trace(13, v1);
            break;
        }
        }
        v2 = v0;
        trace(14, v2);
    }
    trace(15, v3);
    return v0;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    [unroll] for (uint c0 = 0; c0 < 3u; ++c0) {
        v3 = max(max(v2, v1), max(c0, v1));
        trace(16, (max((inputs[1] >> 1), 33u) * (v0 + 20u)));
        if (((c0 == (v0 & 3u)) && ((v2 & 3u) == 2u))) {
            v3 = WaveActiveBitAnd(((((inputs[1] >> 22) - v3) & 39u) + 17u)); trace(17, v3);
            break;
        }
    }
    v2 = f0(v2, (v1 & 27u));
    [loop] for (uint c1 = 0; c1 < 3u; ++c1) {
        switch ((c1 & 7u)) {
        case 0: {
            if (((v0 & 1u) == 0u)) {
                trace(18, ((v3 + 36u) | WaveGetLaneIndex()));
                continue;
            }
            trace(19, ((c1 + 33u) | 36u));
            if ((c1 < (v1 & 3u))) {
                if (((inputs[3] >> 23) < v3)) {
                    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3)); return;
                }
                if ((c1 == (v1 & 3u))) {
                    trace(20, ((min((inputs[1] >> 25), 14u) - 21u) + 20u));
                    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3)); return;
                }
            }
            break;
        }
        case 1: {
            if ((((c1 & 3u) >= 2u) || ((v3 & 3u) < 2u))) {
                if (((v1 & 3u) < 1u)) {
                    trace(21, (v2 & (c1 - v1)));
                }
                v2 = f0((v2 + v3), max(v3, c1));
                mark(22, ((v1 ^ WaveGetLaneIndex()) + 14u));
            }
            break;
        }
        case 2: {
            [unroll] for (uint c2 = 0; c2 < 2u; ++c2) {
                v0 = ((v0 & c1) ^ v0);
                trace(23, v0);
                trace(24, v2);
            }
            mark(25, (v1 ^ max(WaveGetLaneIndex(), 29u)));
            break;
        }
        case 3: case 4: {
            v1 = WaveActiveBitAnd((v1 + 26u)); trace(26, v1);
            mark(27, min(v3, 22u));
            break;
        }
        }
        v1 = WaveActiveSum((((v1 * 28u) - 18u) + 28u)); trace(28, v1);
        v0 = max(v0, (c1 + v3));
    }
    trace(29, (inputs[0] >> 13));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
