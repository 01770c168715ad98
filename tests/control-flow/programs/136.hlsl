//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 136
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    uint c0 = 0;
    do {
        ++c0;
        switch ((v1 & 3u)) {
        default: {
            if ((((inputs[3] >> 10) < v2) && ((v1 & 1u) >= 1u))) {
                switch (((inputs[1] >> 22) & 3u)) {
                case 0: {
                    v1 = v0;
                    break;
                }
                case 1: {
                    switch ((v0 & 3u)) {
                    default: {
                        trace(5, (min(v1, 5u) * (c0 ^ v2)));
                        trace(6, v1);
                        trace(7, max((c0 + v1), (inputs[0] >> 0)));
                        break;
                    }
                    case 0: {
                        trace(8, v0);
                        trace(9, c0);
                        break;
                    }
                    case 1: {
                        trace(10, ((v3 & v0) | (v1 + v2)));
                        mark(11, v2);
                        break;
                    }
                    case 2: {
                        mark(12, ((c0 - (inputs[2] >> 15)) & 34u));
                        trace(13, v0);
                        break;
                    }
                    }
                    continue;
                }
                case 2: {
                    trace(14, ((v1 + v3) * max(c0, 7u)));
                    mark(15, c0);
                    break;
                }
                }
                trace(16, v3);
                mark(17, (v1 * (v1 & 16u)));
            }
            v2 = (inputs[2] >> 21);
            break;
        }
        case 0: case 1: case 2: {
            trace(18, min((c0 + v1), 35u));
            v2 = min(c0, 12u);
            mark(19, ((v2 * v0) & 7u));
            break;
        }
        case 3: {
            mark(20, v0);
            trace(21, v1);
            trace(22, v0);
            break;
        }
        }
        v2 = ((v3 | c0) + c0);
    } while (c0 < 2 && ((v3 & 3u) < 2u));
    trace(23, ((v0 - v0) + 12u));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
