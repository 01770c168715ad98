//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 111
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    if (((v1 & 3u) != 1u)) {
        mark(12, (max((inputs[3] >> 21), v3) ^ (v0 | v3)));
        mark(13, ((v3 ^ 18u) + 5u));
        if ((((v1 & 3u) >= 2u) && ((v2 & 1u) >= 1u))) {
            v0 = v0;
        } else {
            switch ((v2 & 3u)) {
            case 0: {
                mark(14, (((inputs[1] >> 3) * 32u) ^ 19u));
                mark(15, min(v0, v1));
                v3 = v2;
                break;
            }
            case 1: {
                v1 = min((v3 + v3), (v0 - 7u));
                v0 = (((inputs[1] >> 2) + 37u) + v1);
                break;
            }
            }
            v2 = (min(v0, 4u) & 22u);
        }
    }
    trace(16, v1);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
