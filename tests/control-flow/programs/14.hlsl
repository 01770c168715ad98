//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 14
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
    trace(1, max((v2 & v3), 12u));
    uint c0 = 0u;
    for (uint c1 = 0; c1 < 2u; ++c1) {
        for (uint c2 = 0; c2 < 3u; ++c2) {
            mark(2, v1);
            if (((v2 & 1u) < 1u)) {
                c0 = 1u;
                break;
            }
        }
        if ((c0 != 0u)) {
            break;
        }
        trace(3, v2);
    }
    mark(4, v1);
    if (!((v0 & 1u) < 1u)) {
        if (((v3 & 1u) < 1u)) {
            mark(5, v0);
            trace(6, (((inputs[0] >> 25) ^ v2) * v3));
            trace(7, ((v2 & 37u) & 1u));
        } else {
            v0 = ((v0 + v1) ^ v2);
        }
        mark(8, v2);
        trace(9, (min(v3, 8u) - v2));
    } else {
        v1 = ((v3 ^ 22u) + 29u);
        trace(10, v2);
    }
    mark(11, max(v0, v3));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
