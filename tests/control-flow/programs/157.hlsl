//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 157
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
    uint c0 = 0u;
    for (uint c1 = 0; c1 < 2u; ++c1) {
        for (uint c2 = 0; c2 < 3u; ++c2) {
            switch ((v0 & 7u)) {
            default: {
                if (((v0 & 1u) < 1u)) {
                    if (((c2 & 1u) == 0u)) {
                        v2 = ((v0 ^ 37u) - 7u);
                    } else {
                        trace(4, (v2 + v2));
                        mark(5, (v3 - (v1 | v3)));
                    }
                    if (!((inputs[0] >> 28) < v0)) {
                        trace(6, ((v3 | 36u) + (inputs[0] >> 9)));
                        v1 = v3;
                    }
                    v1 = (inputs[0] >> 26);
                } else {
                    uint c3 = 0;
                    while (c3 < 2 && (c2 == (v0 & 3u))) {
                        ++c3;
                        trace(7, ((v1 ^ v2) | (c2 + 36u)));
                        mark(8, c0);
                    }
                }
                trace(9, (v2 - min(v2, 12u)));
                break;
            }
            case 0: case 1: case 2: {
                trace(10, ((v1 | 0u) + 20u));
                break;
            }
            case 3: {
                trace(11, (v0 + 35u));
                break;
            }
            case 4: {
                trace(12, (max(v3, 5u) | (c0 + 8u)));
                v0 = (v1 & 16u);
                break;
            }
            }
            mark(13, c0);
            if (((c2 == (v0 & 3u)) || (((inputs[2] >> 24) & 3u) < 3u))) {
                c0 = 1u;
                break;
            }
        }
        if ((c0 != 0u)) {
            break;
        }
        trace(14, ((v0 & v1) * 32u));
    }
    v2 = min((v2 | v1), 7u);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
