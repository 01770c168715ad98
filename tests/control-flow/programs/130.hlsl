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

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    [loop] for (uint c0 = 0; c0 < 4u; ++c0) {
        trace(1, c0);
        switch ((v2 & 3u)) {
        case 0: {
            if (((v2 & 3u) == 0u)) {
                trace(2, v2);
                return;
            }
            break;
        }
        case 1: {
            mark(3, v3);
            v1 = (v0 * 27u);
            break;
        }
        case 2: {
            v0 = WaveActiveBitOr((min((v0 | v0), 14u) + 4u)); trace(4, v0);
            mark(5, min(min((inputs[1] >> 17), 31u), min((inputs[2] >> 4), 2u)));
            break;
        }
        }
    }
    v1 = WavePrefixSum((((v2 | WaveGetLaneIndex()) ^ WaveGetLaneIndex()) + 6u)); trace(6, v1);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
