//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 163
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
    uint c0 = 0u;
    for (uint c1 = 0; c1 < 2u; ++c1) {
        for (uint c2 = 0; c2 < 4u; ++c2) {
            v0 = min(max(v0, 14u), 0u);
            if (((v2 < WaveGetLaneIndex()) && ((v3 & 3u) < 3u))) {
                c0 = 1u;
                break;
            }
            mark(1, (((inputs[1] >> 20) + WaveGetLaneIndex()) ^ (v3 + v0)));
        }
        if ((c0 != 0u)) {
            break;
        }
        v0 = WaveActiveMax((max((v2 + 28u), (v2 | (inputs[3] >> 16))) + 2u)); trace(2, v0);
    }
    mark(3, WaveGetLaneIndex());
    return v0;
}

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    if (((v3 & 3u) >= 2u)) {
        v1 = WaveActiveMin((((v1 | v1) + 35u) + 4u)); trace(4, v1);
    } else {
        v1 = f0(v1, (v2 ^ v1));
        [unroll] for (uint c0 = 0; c0 < 3u; ++c0) {
            v0 = f0(c0, (v3 ^ WaveGetLaneIndex()));
            trace(5, v3);
            v3 = f0((v3 & WaveGetLaneIndex()), v0);
        }
        [unroll] for (uint c1 = 0; c1 < 3u; ++c1) {
            if (((v3 & 7u) < 6u)) {
                v0 = WavePrefixSum(((inputs[3] >> 23) + 6u)); trace(6, v0);
                v2 = (v1 * (WaveGetLaneIndex() - v1));
                mark(7, (inputs[1] >> 24));
            } else {
                v3 = (min(c1, c1) & 7u);
                v1 = WaveGetLaneIndex();
            }
            v1 = WaveActiveBallot((((max(v0, v0) + 35u) + 8u) & 1u) != 0u).x; trace(8, v1);
        }
    }
    trace(9, WaveGetLaneIndex());
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
