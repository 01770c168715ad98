//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 112
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
    switch ((v0 & 3u)) {
    case 0: {
        trace(1, (v2 ^ v2));
        if ((((v3 & 7u) >= 7u) || ((v3 & 3u) == 0u))) {
            trace(2, v1);
        }
        if (((v2 & 3u) < 2u)) {
            break;
        }
        dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3)); return;
    }
    default: case 1: case 2: {
        trace(3, ((v2 + v2) - 7u));
        trace(4, (v0 | 27u));
        break;
    }
    case 3: {
        if (((v1 & 3u) == 2u)) {
            switch (((inputs[1] >> 19) & 7u)) {
            case 0: {
                switch ((((v2 & 3u) * 4096u) + 5u)) {
                case 5: {
                    v2 = (v3 | 38u);
                    break;
                }
                case 4101: {
                    trace(5, v0);
                    break;
                }
                case 8197: {
                    mark(6, max(v1, (inputs[0] >> 1)));
                    trace(7, ((inputs[2] >> 9) ^ (v2 & 33u)));
                    break;
                }
                case 12293: {
                    trace(8, (inputs[1] >> 16));
                    break;
                }
                }
                break;
            }
            case 1: {
                v0 = max((v0 * v2), (v1 - 18u));
                trace(9, (v2 - 37u));
                trace(10, ((v2 + 21u) & 30u));
                break;
            }
            case 2: {
                v3 = min(max(v2, v2), (v0 - v1));
                trace(11, min(max((inputs[3] >> 11), v3), max(v3, v1)));
                trace(12, (v0 + v3));
                break;
            }
            case 3: {
                mark(13, v1);
                trace(14, (v2 - 8u));
                break;
            }
            case 4: {
                mark(15, v1);
                break;
            }
            default: {
                trace(16, ((v2 ^ v2) ^ v1));
                trace(17, (v2 | 21u));
                break;
            }
            }
        } else {
            v1 = (v3 | 15u);
            v2 = v2;
        }
        trace(18, v0);
        trace(19, ((v2 & v0) | max(v0, v0)));
        break;
    }
    }
    trace(20, (v0 | 31u));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
