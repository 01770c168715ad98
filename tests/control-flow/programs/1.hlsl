//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 1
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
        uint c1 = 0;
        for (;;) {
            if (++c1 > 5) break;
            if ((((c1 & 3u) >= 2u) || ((v3 & 3u) >= 3u))) {
                break;
            }
            v1 = v0;
        }
        v1 = c0;
        switch ((((v3 & 3u) * 4096u) + 5u)) {
        default: {
            mark(1, v2);
            if (((v0 & 1u) == 0u)) {
                trace(2, ((inputs[2] >> 25) | 27u));
            } else {
                for (uint c2 = 0; c2 < ((v2 & 3u) + 2u); ++c2) {
                    if (((v1 & 1u) >= 1u)) {
                        v2 = min(v0, ((inputs[1] >> 12) & c2));
                        continue;
                    }
                    for (uint c3 = 0; c3 < ((v0 & 3u) + 1u); ++c3) {
                        trace(3, (((inputs[3] >> 19) ^ v0) + (v3 + 15u)));
                    }
                    if ((((inputs[0] >> 25) & 7u) == 6u)) {
                        trace(4, (inputs[3] >> 27));
                        mark(5, c0);
                    } else {
                        trace(6, max((c0 + 32u), (c0 ^ v1)));
                        break;
                    }
                }
                trace(7, min((v3 + 24u), (v3 * v2)));
            }
            v0 = c0;
            break;
        }
        case 5: case 4101: {
            trace(8, (max((inputs[3] >> 23), v2) + 28u));
            break;
        }
        case 8197: {
            v2 = (c0 & (v3 ^ v3));
            v0 = max((c0 + 10u), (inputs[2] >> 19));
            break;
        }
        case 12293: {
            trace(9, v1);
            break;
        }
        }
    }
    trace(10, (v1 * min(v3, 2u)));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
