//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 133
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
    do {
        ++c0;
        if (((v2 & 3u) == 0u)) {
            trace(11, ((c0 - v0) | (v1 * 35u)));
            break;
        }
        [branch] if (((c0 & 1u) != 0u)) {
            trace(12, max((v0 & 37u), (c0 - v0)));
            if (((c0 & 7u) >= 7u)) {
                mark(13, max((v1 + 20u), 37u));
                continue;
            }
            uint c1 = 0;
            for (;;) {
                if (++c1 > 4) break;
                trace(14, (v1 + 20u));
                if (((v1 & 1u) == 0u)) {
                    trace(15, ((inputs[3] >> 25) * (c0 & v3)));
                    break;
                }
            }
        }
        if ((c0 < (v3 & 3u))) {
            trace(16, ((v1 & v3) + 32u));
            break;
        }
    } while (c0 < 5 && !(c0 < (c0 & 3u)));
    trace(17, (v0 | 36u));
    trace(18, v1);
    mark(19, ((v1 + 8u) + 10u));
    v1 = (v0 - v3);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
