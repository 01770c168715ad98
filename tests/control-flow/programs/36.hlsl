//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 36
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
    if ((((v2 & 3u) == 1u) || (((inputs[2] >> 6) & 3u) >= 3u))) {
        [branch] if (!((v3 & 3u) != 1u)) {
            uint c0 = 0;
            while (c0 < 5 && ((v1 & 1u) >= 1u)) {
                ++c0;
                [unroll] for (uint c1 = 0; c1 < 3u; ++c1) {
                    mark(1, ((v2 ^ 15u) - 7u));
                    if ((((inputs[0] >> 19) & 3u) == 0u)) {
                        v1 = (v3 - (inputs[1] >> 11));
                        v0 = (inputs[0] >> 6);
                    } else {
                        trace(2, ((v0 & v1) | 22u));
                    }
                }
                break;
            }
            if (((v2 & 3u) == 2u)) {
                if ((((v1 & 3u) == 2u) || ((v3 & 3u) < 1u))) {
                    uint c2 = 0;
                    while (c2 < 3 && ((v3 & 3u) == 0u)) {
                        ++c2;
                        trace(3, (max(c2, 33u) - (c2 + c2)));
                        trace(4, (min(v3, 4u) - c2));
                    }
                    [branch] if (((v2 & 7u) == 0u)) {
                        trace(5, max(v1, (v2 - v1)));
                        v3 = max((v3 & v1), 7u);
                        v0 = (inputs[0] >> 24);
                    } else {
                        v2 = v2;
                    }
                    mark(6, v0);
                }
                trace(7, v1);
            } else {
                v1 = v2;
                mark(8, ((v0 * v0) * (v2 + 0u)));
                trace(9, max((v3 + v0), 19u));
            }
            mark(10, v0);
        }
        trace(11, v2);
        trace(12, v0);
    } else {
        trace(13, (inputs[1] >> 22));
        trace(14, max((v2 + v0), 28u));
    }
    trace(15, (v1 - 9u));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
