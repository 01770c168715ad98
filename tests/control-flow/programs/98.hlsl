//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 98
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    switch ((v2 & 7u)) {
    case 0: {
        switch ((v2 & 3u)) {
        default: {
            switch ((v1 & 3u)) {
            default: {
                v1 = (min(v3, v3) + v0);
                for (uint c0 = 0; c0 < ((v2 & 3u) + 0u); ++c0) {
                    if (((v2 < v3) && ((v2 & 7u) == 3u))) {
                        trace(1, ((v3 * v3) | 9u));
                        mark(2, ((v2 - v2) - 14u));
                    } else {
                        trace(3, max(v3, (v1 | 11u)));
                        mark(4, v3);
                    }
                    mark(5, ((v1 + v0) * 19u));
                }
                trace(6, v0);
                break;
            }
            case 0: {
                v3 = min(v3, v1);
                break;
            }
            case 1: {
                trace(7, v1);
                mark(8, min(v1, 18u));
                break;
            }
            }
            break;
        }
        case 0: case 1: {
            mark(9, ((v0 + v2) + ((inputs[3] >> 21) | (inputs[0] >> 15))));
            v2 = v3;
            trace(10, ((v0 * v3) + v1));
            break;
        }
        }
        break;
    }
    case 1: {
        mark(11, ((v1 - 30u) & (inputs[1] >> 5)));
        trace(12, ((v0 | v0) & max(v0, v3)));
        mark(13, ((v2 - 17u) + 31u));
        break;
    }
    case 2: {
        mark(14, v2);
        break;
    }
    case 3: {
        v3 = v1;
        v0 = max((v3 - 7u), (inputs[3] >> 5));
        break;
    }
    case 4: {
        mark(15, max(v0, 36u));
        break;
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
