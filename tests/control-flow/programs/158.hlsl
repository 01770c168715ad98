//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 158
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    if (!((v0 & 1u) >= 1u)) {
        uint c0 = 0u;
        for (uint c1 = 0; c1 < 2u; ++c1) {
            for (uint c2 = 0; c2 < 3u; ++c2) {
                mark(5, (inputs[0] >> 6));
                if ((c2 >= (v3 & 3u))) {
                    c0 = 1u;
                    break;
                }
                trace(6, ((v0 * v2) | v2));
            }
            if ((c0 != 0u)) {
                break;
            }
            trace(7, ((v1 ^ 9u) * (v2 ^ 39u)));
        }
        uint c3 = 0;
        for (;;) {
            if (++c3 > 4) break;
            if ((((v1 & 1u) < 1u) && (((inputs[2] >> 15) & 7u) < 1u))) {
                mark(8, max(max(v0, 6u), 35u));
                break;
            }
            if ((c3 < (v3 & 3u))) {
                break;
            }
        }
        switch ((v1 & 3u)) {
        case 0: {
            uint c4 = 0;
            do {
                ++c4;
                if (((v2 & 3u) < 1u)) {
                    v2 = (v3 ^ (v2 & 38u));
                    break;
                }
                trace(9, (inputs[2] >> 28));
                mark(10, ((v3 & v0) + max(v1, 7u)));
            } while (c4 < 4 && ((v0 & 1u) < 1u));
            trace(11, (min(c0, 25u) & 8u));
            break;
        }
        case 1: case 2: {
            trace(12, v3);
            break;
        }
        case 3: {
            mark(13, max(v3, max((inputs[1] >> 13), c0)));
            break;
        }
        }
    } else {
        trace(14, (max(v3, (inputs[2] >> 11)) + 9u));
    }
    trace(15, v0);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
