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

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    trace(1, ((v1 * v0) * 25u));
    trace(2, max(max(WaveGetLaneIndex(), 5u), v0));
    trace(3, ((WaveGetLaneIndex() + 9u) - WaveGetLaneIndex()));
    uint c0 = 0;
    while (c0 < 5 && (((v0 & 7u) != 5u) || ((v1 & 7u) < 6u))) {
        ++c0;
        trace(4, ((c0 - c0) ^ (v1 + 32u)));
        v3 = WaveActiveCountBits(((((WaveGetLaneIndex() + v3) & 27u) + 5u) & 1u) != 0u); trace(5, v3);
        switch ((v2 & 3u)) {
        case 0: default: case 1: {
            if (((((inputs[2] >> 5) & 3u) == 2u) || ((v2 & 3u) < 2u))) {
                if (((c0 >= (c0 & 3u)) && ((c0 & 3u) != 0u))) {
                    v1 = ((v2 * 14u) - 23u);
                    continue;
                }
                for (uint c1 = 0; c1 < 5u; ++c1) {
                    v3 = WavePrefixCountBits(((v3 + 6u) & 1u) != 0u); trace(6, v3);
                    mark(7, ((WaveGetLaneIndex() - v2) + (inputs[2] >> 7)));
                }
                continue;
            }
            v3 = min(v1, 23u);
            trace(8, c0);
            break;
        }
        case 2: {
            trace(9, max(WaveGetLaneIndex(), v2));
            v0 = ((v1 * (inputs[0] >> 27)) * 29u);
            break;
        }
        }
    }
    trace(10, (max(v1, (inputs[3] >> 5)) & 5u));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
