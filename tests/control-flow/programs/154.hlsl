//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 154
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
    trace(10, ((v1 - 13u) ^ 9u));
    trace(11, v0);
    if (((v2 & 1u) == 0u)) {
        uint c0 = 0;
        do {
            ++c0;
            trace(12, (v1 + (inputs[3] >> 0)));
            continue;
        } while (c0 < 2 && (((v2 & 3u) != 0u) && ((v2 & 7u) == 1u)));
        v3 = (max(v1, 3u) - v0);
    } else {
        mark(13, v0);
        trace(14, ((v1 + v2) * max(v0, 22u)));
        v0 = (((inputs[3] >> 13) + (inputs[3] >> 19)) ^ v2);
    }
    trace(15, v3);
    if (((v2 < v2) && ((v1 & 3u) != 0u))) {
        uint c1 = 0;
        while (c1 < 4 && (((v3 & 7u) == 2u) && ((v3 & 1u) == 0u))) {
            ++c1;
            uint c2 = 0;
            while (c2 < 4 && (c1 < c1)) {
                ++c2;
                mark(16, min(v1, (v1 * 38u)));
                mark(17, ((c1 & v2) * (v2 * c1)));
                trace(18, v1);
            }
            trace(19, max((v3 * v2), 13u));
        }
        mark(20, (inputs[2] >> 2));
        v1 = ((v1 & (inputs[1] >> 13)) * 4u);
    }
    trace(21, ((v1 + 9u) - (v2 ^ (inputs[2] >> 8))));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
