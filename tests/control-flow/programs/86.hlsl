//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 86
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    trace(8, (v3 - v1));
    trace(9, ((v2 * v2) * (v1 + 3u)));
    mark(10, ((v3 + v0) & (v2 + v3)));
    v1 = max((v3 - v0), 19u);
    uint c0 = 0;
    for (;;) {
        if (++c0 > 5) break;
        switch ((v0 & 3u)) {
        case 0: {
            v1 = (((inputs[1] >> 16) + v2) | min(v1, v3));
            if ((((v0 & 1u) == 0u) || (((inputs[0] >> 26) & 3u) >= 2u))) {
                v1 = (inputs[3] >> 23);
                break;
            }
            break;
        }
        case 1: {
            trace(11, ((v3 + v1) + 0u));
            uint c1 = 0;
            for (;;) {
                if (++c1 > 6) break;
                if ((v2 < (inputs[0] >> 2))) {
                    break;
                }
                trace(12, ((v3 - 24u) + 25u));
                [unroll] for (uint c2 = 0; c2 < 3u; ++c2) {
                    v2 = min((inputs[2] >> 5), v0);
                }
            }
            break;
        }
        case 2: case 3: {
            v3 = v0;
            break;
        }
        default: {
            mark(13, ((v1 & (inputs[1] >> 25)) - (v2 * v0)));
            v2 = v2;
            v2 = c0;
            break;
        }
        }
        trace(14, ((v1 + v0) & max(c0, c0)));
        trace(15, min((v0 + 18u), max(v2, v2)));
        if ((c0 < (v2 & 3u))) {
            break;
        }
    }
    v2 = v2;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
