//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 105
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    [unroll] for (uint c0 = 0; c0 < 2u; ++c0) {
        v2 = v1;
    }
    trace(1, v3);
    v3 = (min(v3, v1) - v3);
    switch ((((v2 & 3u) * 4096u) + 5u)) {
    default: {
        switch ((v0 & 3u)) {
        case 0: {
            mark(2, (v2 | (v2 + v2)));
            if ((((inputs[0] >> 0) & 7u) == 5u)) {
                return;
            }
            break;
        }
        default: {
            trace(3, v3);
            if ((((inputs[1] >> 10) & 3u) >= 3u)) {
                if (((v2 & 3u) != 2u)) {
                    trace(4, max((v3 * 2u), 28u));
                } else {
                    v2 = ((v0 + 24u) + 12u);
                }
                mark(5, v1);
                trace(6, ((v2 * v0) - (inputs[0] >> 1)));
            }
            break;
        }
        case 1: {
            v1 = v2;
            trace(7, (v2 - min(v2, 23u)));
            v1 = ((v1 - v3) + v0);
            break;
        }
        case 2: {
            trace(8, v3);
            break;
        }
        }
        mark(9, v1);
        break;
    }
    case 5: {
        trace(10, v1);
        trace(11, max((v1 + 39u), v3));
        break;
    }
    case 4101: {
        trace(12, v2);
        v2 = ((v2 & 38u) | (v1 ^ 38u));
        break;
    }
    }
    v3 = ((v2 | v3) * min(v2, 30u));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
