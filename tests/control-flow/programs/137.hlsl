//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 137
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
    switch (((inputs[1] >> 8) & 7u)) {
    case 0: {
        trace(1, v2);
        trace(2, (inputs[1] >> 0));
        uint c0 = 0;
        do {
            ++c0;
            switch ((v3 & 7u)) {
            case 0: {
                mark(3, (v2 + min(v3, 11u)));
                if ((v0 < v1)) {
                    mark(4, v0);
                }
                uint c1 = 0;
                while (c1 < 4 && (((v2 & 3u) >= 3u) || ((v1 & 3u) == 2u))) {
                    ++c1;
                    switch ((c0 & 3u)) {
                    case 0: {
                        mark(5, ((v1 + 30u) * 13u));
                        trace(6, v1);
                        mark(7, (max((inputs[3] >> 3), 23u) | v2));
                        break;
                    }
                    case 1: {
                        mark(8, v2);
                        break;
                    }
                    case 2: {
                        v1 = v3;
                        break;
                    }
                    }
                }
                break;
            }
            case 1: {
                trace(9, ((v3 * 32u) ^ v2));
                v0 = ((v3 - v0) | c0);
                trace(10, ((v1 - c0) * (v2 | 1u)));
                break;
            }
            default: case 2: {
                trace(11, min((inputs[0] >> 20), 16u));
                continue;
            }
            case 3: case 4: {
                v0 = v2;
                mark(12, c0);
                trace(13, min((v2 + v0), (c0 & c0)));
                break;
            }
            }
            v1 = (v1 ^ (v1 + v3));
        } while (c0 < 5 && ((v2 & 7u) >= 6u));
        break;
    }
    case 1: {
        trace(14, (v2 + v3));
        break;
    }
    case 2: {
        mark(15, max(v3, (v1 & v1)));
        break;
    }
    case 3: {
        mark(16, v1);
        break;
    }
    case 4: {
        v0 = (v0 ^ v3);
        trace(17, ((v3 ^ v1) - min(v3, v3)));
        break;
    }
    }
    mark(18, max((v3 + 18u), 19u));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
