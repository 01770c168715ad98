//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 64
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    uint c0 = 0;
    for (;;) {
        if (++c0 > 4) break;
        if (((c0 == (v0 & 3u)) || (v2 < c0))) {
            trace(15, min((c0 & 28u), (v1 ^ v2)));
            break;
        }
        uint c1 = 0;
        while (c1 < 5 && (c0 == ((inputs[1] >> 3) & 3u))) {
            ++c1;
            if (((v1 & 3u) == 0u)) {
                uint c2 = 0;
                do {
                    ++c2;
                    v3 = v2;
                    v2 = v3;
                } while (c2 < 2 && (c1 < (v1 & 3u)));
                if (((c1 == (v1 & 3u)) || ((c0 & 7u) != 3u))) {
                    break;
                }
            }
            [unroll] for (uint c3 = 0; c3 < 3u; ++c3) {
                trace(14, ((v3 ^ v1) | 17u));
                v3 = v3;
            }
        }
        v1 = ((v2 ^ v3) - (v3 & c0));
        continue;
    }
    trace(16, min(max(v1, (inputs[2] >> 27)), v3));
    trace(17, (v0 | 8u));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
