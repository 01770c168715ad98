//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 70
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    uint c0 = 0u;
    for (uint c1 = 0; c1 < 3u; ++c1) {
        for (uint c2 = 0; c2 < 3u; ++c2) {
            if ((c0 >= (v0 & 3u))) {
                c0 = 1u;
                break;
            }
            v2 = WaveActiveSum((v0 + 14u)); trace(14, v2);
            trace(15, ((v0 + v0) ^ (v2 + v3)));
        }
        if ((c0 != 0u)) {
            break;
        }
        mark(16, (v3 | 38u));
    }
    if (((v3 & 7u) >= 5u)) {
        v1 = ((inputs[2] >> 4) ^ 1u);
        if ((((v1 & 7u) >= 2u) && ((v1 & 3u) == 1u))) {
            if (!((v1 & 1u) != 0u)) {
                trace(17, max((v0 * 15u), ((inputs[1] >> 19) ^ 18u)));
                v2 = v3;
            } else {
                trace(18, ((v3 + 9u) + (inputs[2] >> 7)));
                trace(19, (min(v1, 37u) & 29u));
                v2 = (v1 & (v2 | 6u));
            }
            mark(20, ((v0 ^ v2) & min(v1, v1)));
        }
    }
    v0 = WaveActiveSum(((inputs[3] >> 28) + 21u)); trace(21, v0);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
