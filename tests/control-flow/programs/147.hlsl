//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 147
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
    uint c0 = 0;
    do {
        ++c0;
        switch ((((v2 & 7u) * 4096u) + 5u)) {
        case 5: {
            v0 = v0;
            v3 = c0;
            break;
        }
        case 4101: case 8197: {
            trace(2, min((WaveGetLaneIndex() ^ v3), 16u));
            trace(3, min((c0 & v0), 9u));
            break;
        }
        case 12293: case 16389: {
            trace(4, v1);
            break;
        }
        }
        v2 = WaveActiveBitAnd((v0 + 5u)); trace(5, v2);
        trace(6, min((inputs[2] >> 5), v2));
    } while (WaveActiveAnyTrue(((c0 < 3u) && (((v1 + 1u) & 7u) == 3u))));
    v0 = WaveActiveSum(((v2 ^ (v2 | 39u)) + 7u)); trace(7, v0);
    return v0;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    v0 = WaveActiveSum(((min(v3, v1) & min(v3, v2)) + 8u)); trace(8, v0);
    mark(9, WaveGetLaneIndex());
    v2 = WavePrefixSum((v0 + 10u)); trace(10, v2);
    uint c0 = 0u;
    for (uint c1 = 0; c1 < 2u; ++c1) {
        for (uint c2 = 0; c2 < 4u; ++c2) {
            if (!(c2 == (v3 & 3u))) {
                break;
            }
            uint c3 = 0;
            while (c3 < 2 && (WaveGetLaneIndex() < v3)) {
                ++c3;
                if (!((WaveGetLaneIndex() & 7u) >= 7u)) {
                    v0 = f0(v1, (v2 ^ v0));
                } else {
                    v2 = ((v3 * v2) * c2);
                    break;
                }
            }
            if ((((inputs[1] >> 14) & 3u) < 3u)) {
                c0 = 1u;
                break;
            }
            switch ((v3 & 3u)) {
            case 0: {
                switch ((v1 & 3u)) {
                case 0: {
                    trace(11, c1);
                    v2 = (min(v1, v3) | v2);
                    break;
                }
                case 1: {
                    trace(12, (v2 & v0));
                    break;
                }
                case 2: {
                    v0 = WaveActiveBitXor((c0 + 13u)); trace(13, v0);
                    mark(14, v0);
                    v2 = ((v2 | 39u) * 12u);
                    break;
                }
                }
                v1 = WaveActiveBitOr(((inputs[0] >> 6) + 15u)); trace(15, v1);
                trace(16, ((v0 * 24u) | (v0 + 23u)));
                break;
            }
            default: {
                trace(17, max(max(v2, v2), 16u));
                v2 = ((c1 + 13u) + (v2 | c2));
                break;
            }
            case 1: {
                mark(18, min(WaveGetLaneIndex(), c0));
                break;
            }
            }
        }
        if ((c0 != 0u)) {
            break;
        }
        trace(19, (inputs[3] >> 26));
    }
    trace(20, v2);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
