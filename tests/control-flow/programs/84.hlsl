//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 84
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
    trace(1, v1);
    uint c0 = 0u;
    for (uint c1 = 0; c1 < 2u; ++c1) {
        for (uint c2 = 0; c2 < 4u; ++c2) {
            switch ((v2 & 7u)) {
            case 0: {
                v1 = v0;
                mark(2, (max(v2, v1) + v0));
                trace(3, v3);
                break;
            }
            case 1: {
                mark(4, WaveGetLaneIndex());
                v1 = (WaveGetLaneIndex() * 13u);
                v0 = (v3 ^ c1);
                break;
            }
            case 2: {
                v2 = v1;
                trace(5, ((v0 + v0) + (v3 ^ v3)));
                break;
            }
            case 3: {
                v1 = WaveActiveBitAnd((v0 + 6u)); trace(6, v1);
                trace(7, WaveGetLaneIndex());
                break;
            }
            case 4: {
                trace(8, ((v2 + 28u) | (v2 + 30u)));
                trace(9, v1);
                v2 = WaveActiveSum((v0 + 10u)); trace(10, v2);
                break;
            }
            }
            if (((c1 & 3u) == 1u)) {
                c0 = 1u;
                break;
            }
            mark(11, ((v0 + 8u) ^ 0u));
        }
        if ((c0 != 0u)) {
            break;
        }
        v3 = min((v0 + 10u), (c0 ^ v2));
    }
    v0 = WavePrefixSum(((inputs[1] >> 5) + 12u)); trace(12, v0);
    return v0;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    if (((v3 & 1u) != 0u)) {
        v1 = (v2 - 28u);
        switch ((((v3 & 3u) * 4096u) + 5u)) {
        case 5: {
            v3 = f0(v3, (v1 * v2));
            uint c0 = 0;
            for (;;) {
                if (++c0 > 4) break;
                mark(13, (v3 + ((inputs[0] >> 26) ^ WaveGetLaneIndex())));
                if ((c0 < c0)) {
                    v0 = ((c0 | v0) - (c0 & 28u));
                    break;
                }
                trace(14, max(v3, WaveGetLaneIndex()));
            }
            v0 = (v2 & WaveGetLaneIndex());
            break;
        }
        case 4101: {
            trace(15, min(max(v0, 17u), (v3 & 5u)));
            trace(16, v1);
            break;
        }
        default: {
            trace(17, (v1 & 5u));
            v2 = v0;
            break;
        }
        case 8197: {
            mark(18, min(min(v3, v2), v2));
            trace(19, ((v0 | WaveGetLaneIndex()) ^ 20u));
            break;
        }
        }
        trace(20, v3);
    }
    v2 = min(v3, 7u);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
