//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 198
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    trace(5, max((v1 & v0), 16u));
    trace(6, ((v2 & (inputs[2] >> 3)) + (v0 ^ 11u)));
    [branch] if (((v0 & 7u) != 4u)) {
        uint c0 = 0u;
        for (uint c1 = 0; c1 < 2u; ++c1) {
            for (uint c2 = 0; c2 < 4u; ++c2) {
                mark(7, (inputs[3] >> 20));
                if (((inputs[0] >> 14) < v1)) {
                    switch ((((v3 & 3u) * 4096u) + 5u)) {
                    case 5: {
                        trace(8, ((v0 | v2) ^ 17u));
                        trace(9, ((v2 + (inputs[3] >> 6)) ^ v3));
                        break;
                    }
                    default: {
                        v0 = v0;
                        break;
                    }
                    case 4101: {
                        mark(10, (v1 - 11u));
                        trace(11, v2);
                        break;
                    }
                    case 8197: {
                        v1 = ((v2 & v1) - (inputs[2] >> 16));
                        trace(12, (max(v0, 24u) | 5u));
                        v3 = max((v0 | v2), c2);
                        break;
                    }
                    }
                    trace(13, c2);
                    v1 = min(min(v3, 23u), v2);
                }
                if ((((c0 & 7u) != 6u) && (c1 < (c1 & 3u)))) {
                    c0 = 1u;
                    break;
                }
            }
            if ((c0 != 0u)) {
                break;
            }
            mark(14, ((v2 + v3) + (c1 * v2)));
        }
    }
    trace(15, ((v2 * v2) + 0u));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
