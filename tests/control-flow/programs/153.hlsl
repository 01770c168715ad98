//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 153
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    if (((v2 & 3u) == 2u)) {
        trace(4, (max(v3, 13u) + 1u));
        trace(5, v2);
        mark(6, min(v1, (v3 - 13u)));
    }
    if (((((inputs[2] >> 25) & 3u) < 3u) && (((inputs[3] >> 24) & 1u) >= 1u))) {
        [unroll] for (uint c0 = 0; c0 < 3u; ++c0) {
            if ((c0 == (v1 & 3u))) {
                trace(7, WaveGetLaneIndex());
                break;
            }
        }
        mark(8, max(v3, max(v1, 13u)));
        v2 = max(v1, 19u);
    } else {
        if (((v0 & 7u) >= 6u)) {
            return;
        }
        v1 = WavePrefixCountBits(((((WaveGetLaneIndex() + (inputs[0] >> 20)) + v0) + 9u) & 1u) != 0u); trace(9, v1);
    }
    v1 = v2;
    v2 = WavePrefixCountBits((((inputs[1] >> 21) + 10u) & 1u) != 0u); trace(10, v2);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
