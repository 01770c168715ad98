//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 34
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
    trace(1, min(v1, v3));
    v1 = v3;
    trace(2, ((v3 ^ v0) * 22u));
    mark(3, min((WaveGetLaneIndex() | v1), 0u));
    uint c0 = 0;
    for (;;) {
        if (++c0 > 4) break;
        if (!((v1 & 7u) >= 3u)) {
            trace(5, WaveGetLaneIndex());
            break;
        }
        if (((((inputs[2] >> 0) & 7u) >= 7u) || ((c0 & 3u) < 3u))) {
            trace(4, v0);
            v0 = (WaveGetLaneIndex() - 28u);
        }
        v3 = v3;
    }
    trace(6, ((v0 * v0) + 23u));
    return v0;
}

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    v2 = WavePrefixCountBits((((max(v1, v1) - ((inputs[2] >> 26) + v2)) + 10u) & 1u) != 0u); trace(10, v2);
    switch ((v0 & 7u)) {
    case 0: {
        switch ((WaveGetLaneIndex() & 3u)) {
        case 0: {
            v0 = f0(max(v3, v1), (v3 + 37u));
            for (uint c0 = 0; c0 < ((WaveGetLaneIndex() & 3u) + 0u); ++c0) {
                if (((v3 & 3u) < 3u)) {
                    v3 = WaveActiveBitAnd((((v2 | 22u) & (c0 + WaveGetLaneIndex())) + 11u)); trace(11, v3);
                    v2 = (v0 - v2);
                    mark(12, ((WaveGetLaneIndex() ^ 28u) * (WaveGetLaneIndex() * 22u)));
                } else {
                    trace(13, (((inputs[3] >> 13) - 18u) + v3));
                }
                v0 = v2;
                mark(14, (max((inputs[0] >> 10), 7u) * 33u));
            }
            mark(15, (v3 & 8u));
            break;
        }
        case 1: {
            trace(16, (max(v1, v1) * min(v2, 37u)));
            trace(17, ((v1 ^ v3) + (v3 + v0)));
            break;
        }
        case 2: {
            v2 = WaveActiveCountBits((((v1 ^ (v3 * v3)) + 18u) & 1u) != 0u); trace(18, v2);
            break;
        }
        default: {
            trace(19, (max(v0, WaveGetLaneIndex()) + ((inputs[0] >> 16) & 5u)));
            trace(20, v2);
            break;
        }
        }
        v2 = WaveGetLaneIndex();
        break;
    }
    case 1: case 2: {
        v1 = WaveActiveSum((((v3 + 17u) | 39u) + 21u)); trace(21, v1);
        v0 = v2;
        mark(22, v3);
        break;
    }
    default: {
        trace(23, ((v0 & v3) + 0u));
        break;
    }
    case 3: {
        v0 = WaveActiveBallot(((v3 + 24u) & 1u) != 0u).x; trace(24, v0);
        v2 = WavePrefixSum((max(min(v0, 34u), (v2 & v3)) + 25u)); trace(25, v2);
        break;
    }
    case 4: {
        trace(26, (v3 + 32u));
        break;
    }
    }
    v2 = ((v0 + v0) | 6u);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
