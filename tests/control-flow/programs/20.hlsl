//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 20
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }
#ifdef SPIRV
#define NOINLINE
#else
#define NOINLINE [noinline]
#endif

NOINLINE uint f0(uint v0, uint v1) {
    uint v2 = v0, v3 = v1;
    mark(1, min(v0, max(v1, v2)));
    v1 = max(v2, v0);
    v1 = (v2 & (v2 + v1));
    uint c0 = 0;
    while (c0 < 4 && (((v3 & 3u) < 1u) || ((v0 & 7u) != 0u))) {
        ++c0;
        v3 = WaveActiveCountBits((((((inputs[2] >> 20) + 18u) + c0) + 2u) & 1u) != 0u); trace(2, v3);
        mark(3, (min(c0, (inputs[2] >> 3)) * (v1 ^ v0)));
    }
    trace(4, (v0 + (v3 - 18u)));
    v3 = v2;
    return v0;
}

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    [unroll] for (uint c0 = 0; c0 < 3u; ++c0) {
        uint c1 = 0;
        for (;;) {
            if (++c1 > 4) break;
            if (((((inputs[0] >> 21) & 3u) != 1u) || (c0 == (v2 & 3u)))) {
                v3 = (WaveGetLaneIndex() & 4u);
                break;
            }
            v1 = f0(max(v0, WaveGetLaneIndex()), (c1 * c0));
        }
        [unroll] for (uint c2 = 0; c2 < 3u; ++c2) {
            v2 = f0(max(c0, v3), (v1 & 36u));
            trace(5, ((v0 * v1) + (WaveGetLaneIndex() & (inputs[2] >> 0))));
            uint c3 = 0;
            do {
                ++c3;
                trace(6, max(max(c3, 0u), 19u));
                continue;
            } while (c3 < 3 && ((v0 & 1u) != 0u));
        }
        v0 = WavePrefixCountBits(((max((v0 + v1), 17u) + 7u) & 1u) != 0u); trace(7, v0);
    }
    v1 = WaveReadLaneFirst((v3 + 8u)); trace(8, v1);
    v2 = min(WaveGetLaneIndex(), 27u);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
