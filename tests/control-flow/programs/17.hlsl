//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 17
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    v1 = v2;
    mark(1, ((v1 ^ v3) + 29u));
    switch (((inputs[3] >> 14) & 3u)) {
    case 0: case 1: case 2: {
        uint c0 = 0;
        do {
            ++c0;
            trace(2, (v2 & 1u));
        } while (c0 < 3 && (((v1 & 1u) != 0u) && ((v1 & 3u) != 0u)));
        break;
    }
    default: {
        uint c1 = 0u;
        for (uint c2 = 0; c2 < 3u; ++c2) {
            for (uint c3 = 0; c3 < 4u; ++c3) {
                if (((c2 & 7u) >= 1u)) {
                    v2 = min((v0 + (inputs[2] >> 23)), v3);
                    break;
                }
                trace(3, ((v1 ^ 36u) + WaveGetLaneIndex()));
                if (((v1 & 7u) < 1u)) {
                    c1 = 1u;
                    break;
                }
                v3 = WavePrefixCountBits(((v2 + 4u) & 1u) != 0u); trace(4, v3);
            }
            if ((c1 != 0u)) {
                break;
            }
            v2 = WaveReadLaneFirst(((v3 | min((inputs[1] >> 10), 16u)) + 5u)); trace(5, v2);
        }
        break;
    }
    }
    v3 = WaveReadLaneFirst(((((inputs[0] >> 17) ^ 5u) ^ (v0 + 24u)) + 6u)); trace(6, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
