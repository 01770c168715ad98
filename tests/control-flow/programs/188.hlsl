//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 188
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
    [unroll] for (uint c0 = 0; c0 < 2u; ++c0) {
        trace(8, c0);
        uint c1 = 0u;
        for (uint c2 = 0; c2 < 2u; ++c2) {
            for (uint c3 = 0; c3 < 2u; ++c3) {
                if ((v2 < c2)) {
                    c1 = 1u;
                    break;
                }
                trace(9, (v0 * (v2 + 22u)));
                switch ((((c1 & 3u) * 4096u) + 5u)) {
                case 5: {
                    trace(10, v2);
                    if ((c2 >= (v1 & 3u))) {
                        v3 = ((v2 + v0) & v1);
                        trace(11, min((v2 ^ 5u), (v2 & 18u)));
                        mark(12, (((inputs[0] >> 21) - 2u) * 3u));
                    } else {
                        trace(13, v2);
                        break;
                    }
                    v1 = (((inputs[2] >> 8) & v2) - (c0 - v0));
                    break;
                }
                case 4101: {
                    trace(14, min(max(c1, 17u), min(v3, v2)));
                    mark(15, (v2 * v1));
                    v3 = v0;
                    break;
                }
                case 8197: {
                    trace(16, c0);
                    mark(17, ((c1 | 22u) | max(v3, (inputs[0] >> 28))));
                    mark(18, ((v3 ^ (inputs[3] >> 4)) & min(v0, v2)));
                    break;
                }
                default: case 12293: {
                    trace(19, max((v0 - c2), 29u));
                    v3 = ((v1 * v2) + min(v3, (inputs[2] >> 2)));
                    trace(20, v3);
                    break;
                }
                }
            }
            if ((c1 != 0u)) {
                break;
            }
            mark(21, (inputs[2] >> 28));
        }
        trace(22, ((v1 - 9u) * max(v0, v2)));
    }
    v3 = v0;
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
