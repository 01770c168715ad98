//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 79
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    [branch] if (!((v3 & 3u) >= 1u)) {
        [unroll] for (uint c0 = 0; c0 < 3u; ++c0) {
            v2 = (c0 - 6u);
            if (((v0 & 1u) >= 1u)) {
                trace(5, (v0 & v0));
                break;
            }
        }
        trace(6, ((v0 + v1) & v1));
    }
    trace(7, v0);
    if (!(((inputs[1] >> 10) & 7u) == 1u)) {
        if (((v2 < v0) || (((inputs[0] >> 4) & 7u) != 3u))) {
            if (((v2 & 3u) < 3u)) {
                v2 = v0;
                if (((v0 & 3u) >= 3u)) {
                    switch ((((v3 & 3u) * 4096u) + 5u)) {
                    case 5: {
                        trace(8, ((v2 + (inputs[2] >> 12)) | (v1 + 35u)));
                        mark(9, ((v0 | 6u) - 17u));
                        trace(10, (max(v1, 38u) + (v1 ^ v2)));
                        break;
                    }
                    case 4101: case 8197: {
                        trace(11, v1);
                        trace(12, v1);
                        trace(13, ((v1 - v0) ^ v1));
                        break;
                    }
                    case 12293: {
                        mark(14, ((v2 * (inputs[0] >> 28)) | v1));
                        trace(15, (v0 * 30u));
                        mark(16, v3);
                        break;
                    }
                    default: {
                        mark(17, max((v0 ^ 17u), (v3 | v1)));
                        mark(18, min((v0 - 6u), 19u));
                        mark(19, min(((inputs[3] >> 28) ^ v1), (v3 * 12u)));
                        break;
                    }
                    }
                    mark(20, v0);
                } else {
                    trace(21, ((v0 + v1) + v0));
                }
            }
        } else {
            trace(22, (((inputs[2] >> 28) + v2) | (v2 ^ v2)));
            v1 = min(v3, 24u);
        }
        trace(23, ((v2 + v0) ^ (v1 & v3)));
        trace(24, v0);
    } else {
        v2 = max(v3, (v3 * 2u));
        mark(25, v0);
    }
    mark(26, v1);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
