//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 194
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    v2 = ((v0 | 25u) & (v3 - WaveGetLaneIndex()));
    uint c0 = 0u;
    for (uint c1 = 0; c1 < 2u; ++c1) {
        for (uint c2 = 0; c2 < 3u; ++c2) {
            v0 = (inputs[2] >> 18);
            mark(14, c0);
            if (((v0 & 1u) != 0u)) {
                c0 = 1u;
                break;
            }
            uint c3 = 0;
            do {
                ++c3;
                trace(16, ((c3 - v3) + 33u));
                if (((v0 & 3u) >= 3u)) {
                    trace(17, (v0 - (v1 | v0)));
                }
                v1 = v3;
            } while (WaveActiveAnyTrue(((c3 < 2u) && ((((inputs[2] >> 28) + 15u) & 7u) == 3u))));
        }
        if ((c0 != 0u)) {
            break;
        }
        mark(18, min((v0 - 5u), (v3 & v2)));
    }
    switch ((v0 & 3u)) {
    case 0: {
        if ((v3 < v1)) {
            mark(19, ((v0 * v0) ^ v2));
        }
        break;
    }
    case 1: {
        v2 = v0;
        for (uint c4 = 0; c4 < 2u; ++c4) {
            uint c5 = 0;
            for (;;) {
                if (++c5 > 4) break;
                if (((v1 & 3u) >= 3u)) {
                    mark(22, WaveGetLaneIndex());
                    break;
                }
                if (((v0 & 7u) >= 2u)) {
                    if (((WaveGetLaneIndex() & 3u) != 2u)) {
                        break;
                    }
                    if ((c5 >= (v3 & 3u))) {
                        trace(20, (((v2 + 39u) * 39u) + 20u));
                    } else {
                        trace(21, ((v2 & v2) & 32u));
                        v3 = ((v1 & 2u) + 12u);
                    }
                    v0 = min(v1, v2);
                    break;
                }
                v0 = max((c4 | (inputs[0] >> 12)), (v0 + c5));
                v0 = v2;
            }
        }
        v0 = WaveReadLaneFirst(((inputs[0] >> 8) + 23u)); trace(23, v0);
        break;
    }
    }
    trace(24, v1);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
