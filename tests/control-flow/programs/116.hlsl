//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 116
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    switch ((v1 & 3u)) {
    case 0: case 1: {
        trace(14, ((v2 - v0) - v0));
        if (((v0 & 7u) >= 1u)) {
            v0 = (min(v2, v1) | (v1 * v2));
            for (uint c0 = 0; c0 < 3u; ++c0) {
                uint c1 = 0u;
                for (uint c2 = 0; c2 < 2u; ++c2) {
                    for (uint c3 = 0; c3 < 2u; ++c3) {
                        v2 = c3;
                        trace(15, v2);
                        trace(16, v1);
                        if (((v3 & 3u) != 0u)) {
                            c1 = 1u;
                            break;
                        }
                    }
                    if ((c1 != 0u)) {
                        break;
                    }
                    v2 = (((inputs[0] >> 16) ^ 36u) & v2);
                }
            }
        } else {
            trace(17, max(v1, 16u));
            trace(18, (v2 + 18u));
            trace(19, ((v1 + (inputs[3] >> 20)) + (v2 - v1)));
        }
        trace(20, ((v3 | 11u) ^ v3));
        break;
    }
    default: {
        trace(21, max(v3, 36u));
        trace(22, (max(v1, v2) | 21u));
        trace(23, (v1 & 8u));
        break;
    }
    }
    v0 = v3;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
