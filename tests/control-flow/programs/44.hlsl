//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 44
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
    trace(1, ((v1 * v0) * 25u));
    trace(2, max(max(WaveGetLaneIndex(), 5u), v0));
    trace(3, ((WaveGetLaneIndex() + 9u) - WaveGetLaneIndex()));
    uint c0 = 0;
    while (c0 < 5 && ((v3 & 1u) != 0u)) {
        ++c0;
        uint c1 = 0;
        do {
            ++c1;
            [branch] if (((c0 & 7u) >= 5u)) {
                if ((((v3 & 1u) >= 1u) && ((v2 & 3u) == 2u))) {
                    uint c2 = 0;
                    while (c2 < 5 && ((v2 & 3u) != 2u)) {
                        ++c2;
                        v2 = (v1 | 39u);
                        v1 = c2;
                        v2 = (v1 ^ (WaveGetLaneIndex() & 15u));
                    }
                    switch ((WaveGetLaneIndex() & 3u)) {
                    case 0: {
                        v1 = v3;
                        v0 = max(((inputs[0] >> 11) ^ v1), ((inputs[0] >> 17) * v0));
                        v1 = WavePrefixCountBits(((min(v0, max(v0, v0)) + 4u) & 1u) != 0u); trace(4, v1);
                        break;
                    }
                    default: {
                        v1 = WavePrefixCountBits(((((v0 + 22u) - 24u) + 5u) & 1u) != 0u); trace(5, v1);
                        break;
                    }
                    case 1: case 2: {
                        mark(6, v3);
                        break;
                    }
                    }
                }
            }
            mark(7, v3);
            mark(8, v3);
        } while (c1 < 5 && ((v3 & 3u) >= 1u));
        v1 = WaveActiveSum((c0 + 9u)); trace(9, v1);
    }
    mark(10, max((v3 - v2), (v3 & v0)));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
