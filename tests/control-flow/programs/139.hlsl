//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 139
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    trace(1, v2);
    uint c0 = 0;
    while (c0 < 2 && !((v2 & 1u) < 1u)) {
        ++c0;
        if (!((v2 & 7u) == 4u)) {
            v1 = (inputs[0] >> 26);
            if (!((v2 & 3u) < 2u)) {
                v0 = ((c0 * 20u) ^ 25u);
                break;
            }
            if (((v2 & 1u) >= 1u)) {
                v2 = (v0 ^ ((inputs[2] >> 2) - 32u));
                trace(2, ((v2 ^ 35u) * (v0 + 0u)));
            }
        } else {
            trace(3, (v0 * 8u));
            trace(4, (inputs[1] >> 10));
            trace(5, ((v2 + v3) | 13u));
        }
        v0 = v2;
        trace(6, v3);
    }
    mark(7, ((v3 & v0) * (v0 ^ v1)));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
