//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 38
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
    uint c0 = 0;
    for (;;) {
        if (++c0 > 5) break;
        trace(1, ((v2 | 25u) + 24u));
        uint c1 = 0u;
        if ((((v1 & 7u) >= 5u) || (c0 >= (WaveGetLaneIndex() & 3u)))) {
            break;
        }
        for (uint c2 = 0; c2 < 3u; ++c2) {
            for (uint c3 = 0; c3 < 4u; ++c3) {
                trace(2, ((WaveGetLaneIndex() + 19u) & v3));
                v2 = WavePrefixCountBits(((max(WaveGetLaneIndex(), (c1 + v0)) + 3u) & 1u) != 0u); trace(3, v2);
                if ((c0 >= (v1 & 3u))) {
                    c1 = 1u;
                    break;
                }
                v3 = WaveActiveMax((c3 + 4u)); trace(4, v3);
            }
            if ((c1 != 0u)) {
                break;
            }
            trace(5, ((c1 + v2) & min(v3, (inputs[0] >> 4))));
        }
        v3 = WaveActiveBitAnd(((c1 * (WaveGetLaneIndex() * 26u)) + 6u)); trace(6, v3);
    }
    trace(7, max((v3 + 14u), min(v0, 13u)));
    return v0;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    if (((v2 & 3u) < 1u)) {
        uint c0 = 0u;
        for (uint c1 = 0; c1 < 2u; ++c1) {
            for (uint c2 = 0; c2 < 4u; ++c2) {
                if ((c0 == ((inputs[0] >> 12) & 3u))) {
                    c0 = 1u;
                    break;
                }
                trace(8, (inputs[0] >> 3));
            }
            if ((c0 != 0u)) {
                break;
            }
            trace(9, c0);
        }
        if ((((c0 & 7u) >= 3u) || ((v1 & 3u) == 0u))) {
            mark(10, ((c0 ^ c0) + (v2 * 5u)));
        }
    }
    if (WaveIsFirstLane()) {
        v0 = f0((v3 + v1), v1);
        v1 = WaveActiveBitAnd((v1 + 12u)); trace(12, v1);
        v3 = ((WaveGetLaneIndex() | v1) + 8u);
    } else {
        trace(13, (min(WaveGetLaneIndex(), 31u) | v0));
    }
    trace(14, (max(v1, 6u) * 3u));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
