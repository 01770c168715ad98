//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 77
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    switch ((WaveGetLaneIndex() & 7u)) {
    case 0: {
        if (((v0 & 1u) == 0u)) {
            v0 = WaveActiveMax((v1 + 1u)); trace(1, v0);
        }
        break;
    }
    case 1: {
        trace(2, ((v0 & v1) | 31u));
        uint c0 = 0u;
        for (uint c1 = 0; c1 < 3u; ++c1) {
            for (uint c2 = 0; c2 < 3u; ++c2) {
                if (((v1 & 3u) != 0u)) {
                    c0 = 1u;
                    break;
                }
                uint c3 = 0;
                while (c3 < 2 && ((v1 & 3u) != 1u)) {
                    ++c3;
                    trace(3, max(WaveGetLaneIndex(), (v1 & 23u)));
                    v1 = WaveActiveBitXor((c1 + 4u)); trace(4, v1);
                    v3 = c2;
                    break;
                }
            }
            if ((c0 != 0u)) {
                break;
            }
            v0 = WaveActiveMax((((WaveGetLaneIndex() ^ WaveGetLaneIndex()) & min(v1, v0)) + 5u)); trace(5, v0);
        }
        v3 = WaveActiveCountBits((((min(v2, c0) ^ 35u) + 6u) & 1u) != 0u); trace(6, v3);
        break;
    }
    case 2: {
        uint c4 = 0u;
        for (uint c5 = 0; c5 < 3u; ++c5) {
            for (uint c6 = 0; c6 < 2u; ++c6) {
                v1 = ((v1 | v1) - 28u);
                if ((v2 < v0)) {
                    c4 = 1u;
                    break;
                }
                uint c7 = 0;
                while (c7 < 5 && ((v2 & 1u) == 0u)) {
                    ++c7;
                    v2 = WaveActiveBitAnd((min((v1 * 7u), (v2 * 24u)) + 7u)); trace(7, v2);
                    v2 = max(v2, v3);
                }
                mark(8, WaveGetLaneIndex());
            }
            if ((c4 != 0u)) {
                break;
            }
            trace(9, (v2 & 29u));
        }
        v2 = WaveGetLaneIndex();
        trace(10, (c4 + (v0 | WaveGetLaneIndex())));
        break;
    }
    case 3: {
        trace(11, min(v2, ((inputs[3] >> 15) + 37u)));
        break;
    }
    default: case 4: {
        trace(12, (((inputs[0] >> 13) - 36u) & 7u));
        break;
    }
    }
    v2 = ((WaveGetLaneIndex() & v1) + (v1 - 31u));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
