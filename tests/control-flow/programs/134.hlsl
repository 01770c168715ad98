//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 134
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
    trace(14, ((v3 & 8u) & 23u));
    mark(15, min(v2, (v2 + 8u)));
    trace(16, ((v0 ^ v2) - v3));
    v3 = v0;
    if (((v1 & 7u) >= 6u)) {
        trace(17, (v3 ^ (inputs[0] >> 27)));
        trace(18, ((v1 + v1) | 33u));
        switch ((v0 & 7u)) {
        case 0: {
            uint c0 = 0;
            do {
                ++c0;
                uint c1 = 0u;
                for (uint c2 = 0; c2 < 3u; ++c2) {
                    for (uint c3 = 0; c3 < 4u; ++c3) {
                        trace(19, v0);
                        if ((v3 < c3)) {
                            c1 = 1u;
                            break;
                        }
                    }
                    if ((c1 != 0u)) {
                        break;
                    }
                    trace(20, max((v3 | 17u), (c0 | v0)));
                }
                mark(21, ((v0 + v2) & (inputs[3] >> 22)));
            } while (c0 < 3 && !((v1 & 7u) >= 7u));
            break;
        }
        case 1: default: {
            mark(22, min(max(v1, v3), v1));
            trace(23, v1);
            trace(24, ((inputs[2] >> 6) + 32u));
            break;
        }
        case 2: {
            v0 = max((v2 ^ (inputs[1] >> 13)), (v3 + v0));
            mark(25, v3);
            v3 = (v2 ^ (v3 + 28u));
            break;
        }
        case 3: {
            trace(26, v2);
            trace(27, v2);
            trace(28, max((v1 + 9u), 22u));
            break;
        }
        case 4: {
            trace(29, ((v1 ^ 6u) * v3));
            trace(30, ((v0 + (inputs[2] >> 20)) - min(v1, v2)));
            break;
        }
        }
    }
    trace(31, v0);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
