//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 89
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
            if ((((v2 & 1u) != 0u) && ((v0 & 1u) != 0u))) {
                trace(10, min(min(v3, 30u), 7u));
                switch ((c1 & 3u)) {
                case 0: case 1: case 2: case 3: {
                    mark(11, ((v3 & 26u) - c1));
                    trace(12, (((inputs[1] >> 23) + 5u) + (v3 & 28u)));
                    break;
                }
                default: {
                    trace(13, min(min((inputs[2] >> 7), v0), 27u));
                    v0 = (min(v2, 9u) + max((inputs[2] >> 1), c1));
                    break;
                }
                }
                mark(14, v3);
            }
            trace(15, ((v1 + v0) - 13u));
        } while (c1 < 2 && ((v1 & 7u) < 3u));
    } while (c0 < 3 && ((v0 & 3u) == 2u));
    mark(16, max(v0, 38u));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
