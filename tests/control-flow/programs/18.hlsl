//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 18
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    [branch] if ((v1 < v1)) {
        switch ((v3 & 3u)) {
        case 0: {
            v1 = ((v0 ^ v3) * (v1 * 19u));
            switch ((((WaveGetLaneIndex() & 3u) * 4096u) + 5u)) {
            default: case 5: {
                trace(1, (v0 - max(v3, 15u)));
                break;
            }
            case 4101: {
                uint c0 = 0;
                do {
                    ++c0;
                    if (((v1 & 3u) != 1u)) {
                        v3 = (v3 & (v3 - v3));
                        mark(2, v3);
                        trace(3, ((c0 * 28u) | 17u));
                    } else {
                        trace(4, (inputs[1] >> 19));
                        break;
                    }
                    break;
                } while (c0 < 5 && ((v0 & 3u) >= 3u));
                mark(5, v3);
                mark(6, (inputs[3] >> 9));
                break;
            }
            case 8197: {
                mark(7, ((v1 * v1) - 27u));
                v1 = v2;
                break;
            }
            case 12293: {
                v1 = WaveActiveCountBits(((v0 + 8u) & 1u) != 0u); trace(8, v1);
                v0 = (v3 ^ (v3 + WaveGetLaneIndex()));
                break;
            }
            }
            break;
        }
        case 1: case 2: {
            v1 = (v2 * (WaveGetLaneIndex() ^ (inputs[0] >> 4)));
            break;
        }
        }
        mark(9, ((v2 + 17u) & (v1 & v0)));
    } else {
        v2 = min(v2, max(v1, v3));
        v2 = WaveActiveBitAnd((((v3 - 6u) ^ 19u) + 10u)); trace(10, v2);
        v2 = WavePrefixCountBits(((v2 + 11u) & 1u) != 0u); trace(11, v2);
    }
    mark(12, (v2 + 8u));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
