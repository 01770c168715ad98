//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 164
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

uint f0(uint v0, uint v1) {
    uint v2 = v0, v3 = v1;
    mark(1, v2);
    if (WaveIsFirstLane()) {
        trace(14, 1u);
        switch ((v0 & 3u)) {
        default: {
            switch ((v3 & 3u)) {
            default: {
                trace(3, ((v1 | v3) - (WaveGetLaneIndex() ^ v3)));
                break;
            }
            case 0: {
                trace(4, v1);
                v2 = WaveActiveSum((v2 + 5u)); trace(5, v2);
                break;
            }
            case 1: {
                v2 = ((inputs[3] >> 20) | (v2 - v0));
                break;
            }
            case 2: {
                v0 = min(max(v3, 2u), min(v3, v3));
                break;
            }
            }
            v3 = WaveActiveBallot(((((v0 - v1) + (v3 & 7u)) + 6u) & 1u) != 0u).x; trace(6, v3);
            v0 = v3;
            break;
        }
        case 0: {
            mark(7, v0);
            trace(8, ((v2 | 15u) | v2));
            trace(9, ((v0 * v0) - 30u));
            break;
        }
        case 1: {
            v0 = (inputs[2] >> 22);
            v1 = ((v1 ^ (inputs[1] >> 18)) + (WaveGetLaneIndex() - 8u));
            break;
        }
        case 2: {
            trace(10, max((v1 - 24u), (v0 - v3)));
            trace(11, (v2 * (v1 ^ 3u)));
            break;
        }
        case 3: {
            v1 = WaveReadLaneFirst((v0 + 12u)); trace(12, v1);
            v3 = (v3 & 33u);
            break;
        }
        }
        trace(13, v0);
    }
    v3 = (max(WaveGetLaneIndex(), 30u) ^ 26u);
    return v0;
}

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    v0 = f0((v1 & v3), (WaveGetLaneIndex() + v3));
    uint c0 = 0;
    while (c0 < 5 && (v0 < v1)) {
        ++c0;
        [loop] for (uint c1 = 0; c1 < ((c0 & 3u) + 1u); ++c1) {
            v2 = f0((v0 & WaveGetLaneIndex()), max(c0, v0));
            switch ((v2 & 7u)) {
            case 0: {
                trace(15, ((WaveGetLaneIndex() ^ (inputs[2] >> 25)) | 7u));
                uint c2 = 0;
                while (c2 < 4 && ((v0 & 3u) == 1u)) {
                    ++c2;
                    v3 = WaveActiveSum(((min(c1, v2) & 13u) + 16u)); trace(16, v3);
                    v3 = ((c0 ^ v1) | max(v3, v0));
                }
                v2 = WaveActiveBitAnd((min(min(c0, c0), 24u) + 17u)); trace(17, v2);
                break;
            }
            case 1: {
                trace(18, (inputs[2] >> 9));
                mark(19, (inputs[2] >> 24));
                break;
            }
            case 2: {
                v3 = (max((inputs[1] >> 27), v2) * 3u);
                trace(20, ((c0 + WaveGetLaneIndex()) + 3u));
                return;
            }
            case 3: {
                v3 = (max(v0, 23u) & min(v1, 32u));
                break;
            }
            default: {
                trace(21, max(max((inputs[0] >> 15), v2), (v3 + v3)));
                trace(22, ((WaveGetLaneIndex() * v2) | c0));
                break;
            }
            case 4: {
                trace(23, (max(v0, v2) | (c1 & 0u)));
                v3 = WaveReadLaneFirst(((max((inputs[1] >> 2), (inputs[2] >> 26)) - ((inputs[2] >> 13) - v2)) + 24u)); trace(24, v3);
                break;
            }
            }
        }
        trace(25, (v2 + (c0 * 2u)));
        v3 = v3;
    }
    v2 = WaveActiveBallot((((inputs[1] >> 2) + 26u) & 1u) != 0u).x; trace(26, v2);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
