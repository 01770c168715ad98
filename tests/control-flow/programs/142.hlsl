//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 142
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    trace(1, (min(v0, v2) & 28u));
    uint c0 = 0;
    for (;;) {
        if (++c0 > 3) break;
        if ((v0 < v1)) {
            continue;
        }
        if ((c0 == (v2 & 3u))) {
            break;
        }
        if ((c0 == (c0 & 3u))) {
            break;
        }
    }
    uint c1 = 0;
    for (;;) {
        if (++c1 > 3) break;
        if ((c1 < v3)) {
            break;
        }
        trace(2, min(max(v3, 4u), v2));
    }
    trace(3, v1);
    trace(4, v2);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
