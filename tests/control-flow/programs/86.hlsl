//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 86
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    for (uint c0 = 0; c0 < 3u; ++c0) {
        trace(1, max((c0 + (inputs[2] >> 6)), v0));
        switch ((v2 & 3u)) {
        case 0: {
            trace(2, (v2 | (c0 & (inputs[0] >> 16))));
            if (((v1 & 7u) >= 4u)) {
                trace(3, ((inputs[0] >> 22) * v0));
                trace(4, v1);
            }
            mark(5, max(max(v2, 26u), (v1 | 3u)));
            continue;
        }
        default: {
            v1 = v1;
            break;
        }
        case 1: {
            mark(6, ((c0 + 31u) | 35u));
            continue;
        }
        }
    }
    trace(7, v0);
    trace(8, v3);
    trace(9, ((v2 * v2) * (v1 + 3u)));
    mark(10, ((v3 + v0) & (v2 + v3)));
    mark(11, v3);
    trace(12, max(v2, 20u));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
