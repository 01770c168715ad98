//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 3
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    uint c0 = 0;
    do {
        ++c0;
        trace(1, ((v3 + v0) * (v0 - 38u)));
    } while (c0 < 3 && (((inputs[1] >> 7) & 1u) != 0u));
    v0 = (max(v0, v2) ^ (v1 + v0));
    v1 = v2;
    switch ((v3 & 3u)) {
    case 0: {
        trace(2, min(min(v1, v1), 13u));
        if (!((v2 & 3u) < 3u)) {
            [unroll] for (uint c1 = 0; c1 < 3u; ++c1) {
                for (uint c2 = 0; c2 < ((c1 & 3u) + 2u); ++c2) {
                    if (((v2 & 3u) == 0u)) {
                        break;
                    }
                    if ((((c2 & 7u) < 1u) && ((v2 & 7u) != 6u))) {
                        trace(3, max((v0 * v3), v2));
                    }
                    trace(4, v0);
                    continue;
                }
                uint c3 = 0;
                while (c3 < 2 && (c1 == (v0 & 3u))) {
                    ++c3;
                    if ((c3 >= (c1 & 3u))) {
                        trace(5, ((v1 ^ 25u) + 4u));
                        trace(6, ((v2 + (inputs[0] >> 7)) | (v3 ^ v3)));
                    }
                }
            }
            trace(7, min((v2 * 20u), (v3 ^ 15u)));
        }
        trace(8, ((v0 + 5u) + 33u));
        break;
    }
    case 1: {
        mark(9, v3);
        v2 = (v1 - 27u);
        trace(10, v2);
        return;
    }
    }
    trace(11, ((inputs[1] >> 10) * 30u));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
