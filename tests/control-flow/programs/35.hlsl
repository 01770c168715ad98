//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 35
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
    if (((v2 & 7u) < 2u)) {
        v3 = WaveActiveSum(((v3 * 39u) + 1u)); trace(1, v3);
        v0 = (v3 | 7u);
        [branch] if ((v3 < v3)) {
            v1 = WaveActiveBitAnd((v3 + 2u)); trace(2, v1);
            mark(3, max((v0 * v3), (v3 | v3)));
            trace(4, v0);
        }
    }
    mark(5, v2);
    return v0;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    v2 = v2;
    mark(6, v2);
    v1 = f0((v0 ^ 28u), (v2 | 32u));
    if (WaveActiveAnyTrue((((v1 + 7u) & 7u) < 3u))) {
        trace(8, v2);
        switch ((((v0 & 3u) * 4096u) + 5u)) {
        case 5: {
            [branch] if ((((inputs[1] >> 13) & 3u) < 3u)) {
                uint c0 = 0;
                do {
                    ++c0;
                    for (uint c1 = 0; c1 < 4u; ++c1) {
                        trace(9, c1);
                        mark(10, ((v0 + v2) + 6u));
                    }
                    switch ((v0 & 3u)) {
                    default: {
                        v1 = ((inputs[2] >> 1) * c0);
                        continue;
                    }
                    case 0: {
                        mark(11, v0);
                        break;
                    }
                    case 1: case 2: {
                        v1 = (inputs[1] >> 1);
                        mark(12, ((v3 + v2) * v2));
                        mark(13, ((inputs[3] >> 5) | (c0 * v1)));
                        break;
                    }
                    case 3: {
                        v1 = WaveActiveBallot(((((inputs[3] >> 27) & 35u) + 14u) & 1u) != 0u).x; trace(14, v1);
                        v3 = WaveReadLaneFirst(((max(c0, v1) & 13u) + 15u)); trace(15, v3);
                        break;
                    }
                    }
                    trace(16, (max(v1, v1) & ((inputs[3] >> 17) | 1u)));
                } while (c0 < 3 && (((WaveGetLaneIndex() & 3u) >= 3u) && ((c0 & 7u) >= 4u)));
                trace(17, ((inputs[1] >> 0) * (v3 - 31u)));
                mark(18, ((v2 + (inputs[3] >> 24)) | WaveGetLaneIndex()));
            } else {
                v0 = WaveActiveMin(((max(v1, (inputs[2] >> 27)) - 29u) + 19u)); trace(19, v0);
                mark(20, (WaveGetLaneIndex() - 35u));
                v2 = WaveActiveSum((v3 + 21u)); trace(21, v2);
            }
            break;
        }
        case 4101: {
            v0 = (max(v1, v2) + v1);
            mark(22, ((WaveGetLaneIndex() + (inputs[0] >> 26)) + v0));
            v1 = WaveActiveBallot(((((v2 & v3) & max(v2, v2)) + 23u) & 1u) != 0u).x; trace(23, v1);
            break;
        }
        default: {
            trace(24, (WaveGetLaneIndex() + (v0 + v0)));
            v2 = min((v1 | 10u), v1);
            break;
        }
        case 8197: {
            v1 = v0;
            trace(25, ((v0 ^ v3) - (v0 + WaveGetLaneIndex())));
            trace(26, v1);
            break;
        }
        case 12293: {
            v2 = (v2 * (v1 & 0u));
            break;
        }
        }
    }
    v3 = v1;
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
