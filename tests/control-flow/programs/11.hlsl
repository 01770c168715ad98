//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 11
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
    mark(1, v0);
    switch (((inputs[2] >> 1) & 3u)) {
    default: {
        if ((((v3 & 1u) < 1u) && ((v3 & 1u) != 0u))) {
            trace(2, ((v2 + v1) | (v3 + v0)));
            v3 = ((v3 ^ v3) + 24u);
            uint c0 = 0;
            do {
                ++c0;
                trace(3, c0);
                trace(4, (v1 ^ (c0 ^ (inputs[1] >> 1))));
            } while (c0 < 2 && (((v3 & 1u) < 1u) || ((v2 & 1u) >= 1u)));
        } else {
            mark(5, min((v0 & 22u), 31u));
            trace(6, v1);
            [unroll] for (uint c1 = 0; c1 < 3u; ++c1) {
                for (uint c2 = 0; c2 < 2u; ++c2) {
                    if ((c2 < (v3 & 3u))) {
                        v3 = (v2 + (v1 ^ c2));
                    } else {
                        trace(7, v3);
                        mark(8, ((v1 + 15u) | 11u));
                    }
                }
                mark(9, v2);
            }
        }
        trace(10, ((v2 ^ v2) + 1u));
        break;
    }
    case 0: {
        trace(11, ((v0 ^ 12u) * 13u));
        mark(12, ((v3 * v1) + (v2 * v0)));
        break;
    }
    case 1: case 2: {
        v1 = v3;
        break;
    }
    }
    trace(13, min((v2 | v1), 10u));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
