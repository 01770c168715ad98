//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 104
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
    mark(1, v0);
    trace(2, (v2 + v3));
    v0 = WaveActiveMin((v3 + 3u)); trace(3, v0);
    uint c0 = 0;
    for (;;) {
        if (++c0 > 4) break;
        uint c1 = 0u;
        for (uint c2 = 0; c2 < 2u; ++c2) {
            for (uint c3 = 0; c3 < 3u; ++c3) {
                v2 = min(v2, 11u);
                if ((c3 >= (v3 & 3u))) {
                    c1 = 1u;
                    break;
                }
            }
            if ((c1 != 0u)) {
                break;
            }
            v3 = WaveActiveBallot(((c2 + 4u) & 1u) != 0u).x; trace(4, v3);
        }
        if (((v1 & 3u) >= 1u)) {
            mark(7, (max(v1, v3) + 31u));
            break;
        }
        mark(5, ((v2 - v1) ^ 2u));
        trace(6, (inputs[0] >> 28));
    }
    trace(8, max((v3 + v3), (v1 & v1)));
    return v0;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    if ((((v1 & 1u) < 1u) || ((v2 & 7u) != 5u))) {
        [branch] if (((v2 & 3u) == 1u)) {
            v3 = f0((v1 + WaveGetLaneIndex()), (v1 - 1u));
            [unroll] for (uint c0 = 0; c0 < 3u; ++c0) {
                uint c1 = 0;
                for (;;) {
                    if (++c1 > 6) break;
                    if ((((WaveGetLaneIndex() & 1u) == 0u) || ((v3 & 1u) != 0u))) {
                        v3 = v0;
                        break;
                    }
                    mark(9, ((v0 ^ 22u) & (v1 + c0)));
                    if (((c0 & 7u) != 6u)) {
                        break;
                    }
                }
                mark(10, (v1 + min(c0, 0u)));
            }
        }
        trace(11, min(v0, (v2 * v3)));
    }
    trace(12, max((v0 & v3), (v0 - 27u)));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
