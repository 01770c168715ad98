//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 156
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
    uint c0 = 0;
    do {
        ++c0;
        uint c1 = 0;
        do {
            ++c1;
            if ((c0 == (v1 & 3u))) {
                trace(4, (v2 & min(v2, 36u)));
            }
            switch ((c0 & 3u)) {
            default: case 0: {
                if ((((c0 & 3u) != 2u) || ((v2 & 3u) >= 1u))) {
                    mark(5, (v1 + 13u));
                }
                trace(6, c1);
                mark(7, ((v2 - 28u) + (c1 + c0)));
                break;
            }
            case 1: {
                trace(8, ((v3 * c0) - 15u));
                mark(9, min(((inputs[0] >> 0) & 22u), v3));
                continue;
            }
            }
            trace(10, (((inputs[2] >> 24) | 31u) * 11u));
        } while (c1 < 5 && (((v2 & 7u) < 4u) && ((c1 & 3u) >= 2u)));
        trace(11, min(min(c0, c0), (v1 + v3)));
    } while (c0 < 2 && ((v2 & 1u) >= 1u));
    v0 = v1;
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
