//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 184
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
    mark(1, v0);
    switch ((v2 & 7u)) {
    case 0: {
        switch ((v3 & 3u)) {
        case 0: {
            switch ((WaveGetLaneIndex() & 7u)) {
            case 0: case 1: {
                uint c0 = 0;
                for (;;) {
                    if (++c0 > 3) break;
                    mark(2, ((v1 + WaveGetLaneIndex()) ^ c0));
                    if (((inputs[1] >> 21) < (inputs[2] >> 9))) {
                        v1 = WaveActiveSum(((WaveGetLaneIndex() * v0) + 4u)); trace(4, v1);
                        break;
                    }
                    mark(3, WaveGetLaneIndex());
                }
                dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3)); return;
            }
            case 2: case 3: {
                [loop] for (uint c1 = 0; c1 < 2u; ++c1) {
                    mark(5, (min(WaveGetLaneIndex(), 3u) * 17u));
                    trace(6, v3);
                    trace(7, v2);
                }
                break;
            }
            default: case 4: {
                v2 = WaveReadLaneFirst((min((v2 & v1), 10u) + 8u)); trace(8, v2);
                trace(9, max(v2, 4u));
                v2 = (v0 | (v3 | 15u));
                break;
            }
            }
            mark(10, v0);
            trace(11, WaveGetLaneIndex());
            break;
        }
        case 1: {
            v3 = ((v2 & v3) + (v3 ^ (inputs[3] >> 24)));
            break;
        }
        case 2: {
            v1 = (v2 - 3u);
            v1 = v0;
            break;
        }
        }
        trace(12, max(v0, 5u));
        break;
    }
    case 1: {
        v3 = ((v2 * v2) * (WaveGetLaneIndex() + v0));
        v0 = ((v1 ^ (inputs[3] >> 7)) * (v2 & 9u));
        break;
    }
    default: {
        trace(13, ((v1 ^ v2) + 9u));
        trace(14, ((v0 | 5u) - (v1 + (inputs[2] >> 15))));
        break;
    }
    case 2: {
        v0 = ((v3 & v3) * 19u);
        break;
    }
    case 3: {
        v0 = WaveActiveBitOr((v0 + 15u)); trace(15, v0);
        break;
    }
    case 4: {
        v1 = WaveActiveBitXor((v1 + 16u)); trace(16, v1);
        mark(17, ((v2 & 27u) + max(v1, 25u)));
        mark(18, (v0 * 18u));
        break;
    }
    }
    v2 = v1;
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
