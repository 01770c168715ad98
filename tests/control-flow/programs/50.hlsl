//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 50
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    switch ((v0 & 3u)) {
    case 0: default: {
        uint c0 = 0u;
        for (uint c1 = 0; c1 < 3u; ++c1) {
            for (uint c2 = 0; c2 < 4u; ++c2) {
                trace(3, max(v2, 34u));
                uint c3 = 0;
                for (;;) {
                    if (++c3 > 3) break;
                    if ((c1 < (v2 & 3u))) {
                        break;
                    }
                    switch ((c2 & 3u)) {
                    case 0: {
                        trace(4, c1);
                        break;
                    }
                    case 1: case 2: {
                        trace(5, max(v2, 4u));
                        break;
                    }
                    default: {
                        trace(6, v1);
                        break;
                    }
                    }
                    v1 = c1;
                    if ((c0 == (c0 & 3u))) {
                        v3 = ((v0 - v3) & 3u);
                        break;
                    }
                }
                trace(7, (v3 | v0));
                if ((c2 >= (v2 & 3u))) {
                    c0 = 1u;
                    break;
                }
            }
            if ((c0 != 0u)) {
                break;
            }
            v2 = ((v0 - v0) ^ (v1 ^ 1u));
        }
        break;
    }
    case 1: {
        uint c4 = 0u;
        for (uint c5 = 0; c5 < 2u; ++c5) {
            for (uint c6 = 0; c6 < 2u; ++c6) {
                [branch] if ((((v0 & 3u) >= 1u) || ((c5 & 1u) == 0u))) {
                    trace(8, ((v0 - 11u) + (v0 * v0)));
                    trace(9, (c6 + (v0 + 8u)));
                }
                v1 = v3;
                if ((c4 < (c4 & 3u))) {
                    c4 = 1u;
                    break;
                }
                trace(10, ((v3 | v2) * (v0 - v0)));
            }
            if ((c4 != 0u)) {
                break;
            }
            trace(11, (min((inputs[0] >> 18), 3u) + 19u));
        }
        break;
    }
    }
    mark(12, max(v0, v1));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
