//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 68
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    mark(1, (v2 & 34u));
    trace(2, ((v0 - v2) + v1));
    if (!((v2 & 7u) >= 4u)) {
        trace(3, max((v1 & v2), 17u));
        if (!((inputs[1] >> 19) < v1)) {
            uint c0 = 0u;
            for (uint c1 = 0; c1 < 3u; ++c1) {
                for (uint c2 = 0; c2 < 4u; ++c2) {
                    trace(4, c0);
                    if ((v2 < v3)) {
                        c0 = 1u;
                        break;
                    }
                }
                if ((c0 != 0u)) {
                    break;
                }
                v2 = min(c0, 29u);
            }
        } else {
            v1 = (((inputs[0] >> 14) + v2) + max(v3, v1));
        }
        trace(5, v0);
    } else {
        trace(6, ((v0 ^ 29u) - (v2 + v3)));
        trace(7, v2);
        mark(8, v0);
    }
    trace(9, ((v3 + v0) - 33u));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
