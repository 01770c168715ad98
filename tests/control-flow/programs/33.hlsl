//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 33
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    [unroll] for (uint c0 = 0; c0 < 2u; ++c0) {
        uint c1 = 0;
        do {
            ++c1;
            trace(1, v1);
            if ((((v1 & 3u) < 1u) || ((c0 & 3u) >= 1u))) {
                [branch] if (!((v1 & 7u) >= 5u)) {
                    switch ((v3 & 3u)) {
                    case 0: {
                        v2 = (((inputs[0] >> 25) + c1) | 39u);
                        trace(2, v0);
                        break;
                    }
                    case 1: {
                        v2 = (v1 - min((inputs[3] >> 6), 21u));
                        v3 = (max(v3, c0) | (inputs[3] >> 25));
                        mark(3, max((v2 + v1), 25u));
                        break;
                    }
                    default: {
                        mark(4, ((v2 * 31u) & (v3 * 2u)));
                        v3 = (c0 ^ 31u);
                        trace(5, v3);
                        break;
                    }
                    case 2: {
                        trace(6, v2);
                        trace(7, ((v3 + c0) - (v0 - 24u)));
                        break;
                    }
                    }
                    v2 = (min(v0, 21u) - v3);
                    trace(8, ((v0 + v2) * ((inputs[2] >> 17) & v0)));
                }
                mark(9, (c1 + (v1 ^ v1)));
                trace(10, c0);
            }
        } while (c1 < 2 && (((v2 & 1u) < 1u) && (c1 == (v3 & 3u))));
    }
    mark(11, v0);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
