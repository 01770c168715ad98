//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 145
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    for (uint c0 = 0; c0 < ((v0 & 3u) + 0u); ++c0) {
        v2 = (v0 | (v0 + (inputs[3] >> 19)));
        switch ((v1 & 3u)) {
        case 0: {
            trace(4, ((v3 + c0) * (inputs[0] >> 7)));
            break;
        }
        case 1: {
            v0 = v2;
            [unroll] for (uint c1 = 0; c1 < 3u; ++c1) {
                v3 = ((v3 + 2u) | 33u);
                trace(5, c1);
                uint c2 = 0;
                do {
                    ++c2;
                    mark(6, max(c1, v0));
                } while (c2 < 2 && (((inputs[3] >> 3) & 1u) < 1u));
            }
            break;
        }
        case 2: {
            mark(7, ((v2 - 1u) + v2));
            trace(8, ((c0 - v1) + 23u));
            v2 = v3;
            break;
        }
        }
        trace(9, v0);
    }
    trace(10, max((v3 - v3), 23u));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
