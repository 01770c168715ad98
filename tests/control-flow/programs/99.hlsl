//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 99
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    mark(1, v0);
    if (!((v1 & 1u) != 0u)) {
        uint c0 = 0;
        for (;;) {
            if (++c0 > 4) break;
            trace(2, ((v3 & v0) - (v2 * c0)));
            if ((c0 < (v2 & 3u))) {
                mark(3, ((inputs[3] >> 8) * min(c0, v3)));
                break;
            }
        }
        if (((v1 & 7u) == 4u)) {
            v1 = WavePrefixCountBits((((v0 * v3) + 4u) & 1u) != 0u); trace(4, v1);
            v3 = v3;
            [branch] if (WaveIsFirstLane()) {
                v2 = ((v0 ^ v1) + 31u);
                v2 = (v0 | 33u);
            } else {
                v0 = min(((inputs[3] >> 12) * v0), (v3 - (inputs[1] >> 18)));
            }
        } else {
            v3 = (WaveGetLaneIndex() + 19u);
            v3 = WaveActiveBitAnd((max((v0 + v1), v2) + 6u)); trace(6, v3);
            v1 = ((WaveGetLaneIndex() - 27u) | (WaveGetLaneIndex() ^ v1));
        }
    } else {
        trace(7, (v3 + (v1 & v3)));
        mark(8, ((v0 | 11u) + v3));
    }
    mark(9, (inputs[2] >> 27));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
