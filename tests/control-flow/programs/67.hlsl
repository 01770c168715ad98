//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 67
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
    [unroll] for (uint c0 = 0; c0 < 3u; ++c0) {
        switch ((v0 & 3u)) {
        case 0: {
            uint c1 = 0;
            for (;;) {
                if (++c1 > 3) break;
                if (((c0 & 3u) < 3u)) {
                    break;
                }
                if ((WaveGetLaneIndex() < v3)) {
                    continue;
                }
            }
            break;
        }
        case 1: {
            switch ((WaveGetLaneIndex() & 7u)) {
            default: {
                if ((((inputs[1] >> 5) & 3u) >= 2u)) {
                    v0 = WaveActiveSum((c0 + 4u)); trace(4, v0);
                    continue;
                }
                break;
            }
            case 0: case 1: case 2: {
                trace(5, ((v0 - c0) - (v1 + 30u)));
                v3 = WaveActiveMax((v2 + 6u)); trace(6, v3);
                v1 = v2;
                break;
            }
            case 3: {
                v3 = WaveActiveBitAnd((max(max((inputs[0] >> 21), c0), (c0 * 36u)) + 7u)); trace(7, v3);
                break;
            }
            case 4: {
                mark(8, max(c0, (v2 | c0)));
                v2 = WaveActiveBallot(((v0 + 9u) & 1u) != 0u).x; trace(9, v2);
                v2 = v2;
                break;
            }
            }
            v1 = ((v2 + v0) & 23u);
            break;
        }
        default: {
            v2 = (v3 + 31u);
            break;
        }
        case 2: case 3: {
            v1 = WaveActiveMax((v2 + 10u)); trace(10, v1);
            trace(11, v0);
            break;
        }
        }
    }
    trace(12, v2);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
