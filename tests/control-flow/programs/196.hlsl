//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 196
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    trace(1, (v2 + 38u));
    [unroll] for (uint c0 = 0; c0 < 3u; ++c0) {
        if (!(((inputs[1] >> 25) & 3u) >= 3u)) {
            uint c1 = 0;
            do {
                ++c1;
                if ((c1 >= (v0 & 3u))) {
                    switch ((v3 & 3u)) {
                    case 0: default: case 1: {
                        v2 = max(max(v0, v0), (v0 | 22u));
                        break;
                    }
                    }
                    trace(2, (c1 & (v0 & 39u)));
                    v0 = ((v2 - v1) + 14u);
                }
                mark(3, ((v1 + 22u) + 36u));
                v1 = WavePrefixCountBits(((((v0 + c1) + 32u) + 4u) & 1u) != 0u); trace(4, v1);
            } while (c1 < 3 && ((v3 & 1u) >= 1u));
            v0 = WaveActiveBitXor(((inputs[3] >> 25) + 5u)); trace(5, v0);
            v3 = WavePrefixCountBits(((max(v3, 27u) + 6u) & 1u) != 0u); trace(6, v3);
        }
        mark(7, ((v2 | v1) ^ 23u));
        v2 = c0;
    }
    trace(8, v0);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
