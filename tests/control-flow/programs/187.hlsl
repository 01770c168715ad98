//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 187
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    switch ((v1 & 3u)) {
    default: {
        mark(3, ((v0 * 28u) & 34u));
        uint c0 = 0u;
        for (uint c1 = 0; c1 < 3u; ++c1) {
            for (uint c2 = 0; c2 < 4u; ++c2) {
                [loop] for (uint c3 = 0; c3 < ((v0 & 3u) + 1u); ++c3) {
                    [branch] if ((c2 < v3)) {
                        trace(4, v0);
                        trace(5, (v2 | (v0 + v3)));
                        v3 = c2;
                    } else {
                        v3 = ((v1 * 9u) ^ 24u);
                        v1 = ((v0 ^ 24u) | (inputs[3] >> 15));
                        trace(6, ((c1 & 18u) - 15u));
                    }
                    trace(7, ((inputs[1] >> 19) * (c2 * v1)));
                }
                if (!((v0 & 3u) == 1u)) {
                    c0 = 1u;
                    break;
                }
                v2 = (inputs[0] >> 14);
                trace(8, v1);
            }
            if ((c0 != 0u)) {
                break;
            }
            v3 = ((c1 + v2) ^ max((inputs[3] >> 10), 8u));
        }
        trace(9, (v2 + 16u));
        break;
    }
    case 0: case 1: {
        trace(10, ((v1 + 35u) - ((inputs[3] >> 25) + v3)));
        break;
    }
    case 2: {
        trace(11, v3);
        break;
    }
    }
    trace(12, v1);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
