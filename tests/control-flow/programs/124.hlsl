//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 124
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

uint f0(uint v0, uint v1) {
    uint v2 = v0, v3 = v1;
    if (!((v3 & 3u) < 1u)) {
        v0 = v2;
        if (((v2 & 3u) == 0u)) {
            switch ((v3 & 7u)) {
            case 0: case 1: {
                v2 = (min(v1, v0) & v0);
                break;
            }
            case 2: {
                mark(1, ((v3 & 24u) - max(v3, 11u)));
                trace(2, (min(v0, v0) & 18u));
                trace(3, (max((inputs[3] >> 6), v3) & v1));
                break;
            }
            default: {
                trace(4, v0);
                trace(5, (v3 & 38u));
                mark(6, v3);
                break;
            }
            case 3: case 4: {
                mark(7, max(((inputs[0] >> 7) + 19u), 34u));
                v3 = (v0 + 13u);
                break;
            }
            }
            v1 = v0;
        } else {
            trace(8, ((v2 ^ 12u) ^ 23u));
        }
    } else {
        trace(9, max((v1 & 10u), v0));
    }
    mark(10, ((v2 & 36u) ^ (v2 - v2)));
    return v0;
}

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    if (((v2 & 3u) >= 3u)) {
        trace(11, ((v0 + (inputs[0] >> 6)) + (v2 * v2)));
    }
    trace(12, (max(v3, v2) & (v1 + 13u)));
    uint c0 = 0;
    do {
        ++c0;
        [loop] for (uint c1 = 0; c1 < 2u; ++c1) {
            trace(13, (v3 & max(v2, v2)));
        }
        trace(14, (c0 ^ v2));
    } while (c0 < 2 && (((v1 & 7u) < 5u) || (c0 >= (c0 & 3u))));
    switch ((((v2 & 7u) * 4096u) + 5u)) {
    case 5: {
        switch ((v2 & 3u)) {
        case 0: {
            mark(15, max(v0, (v1 & 18u)));
            if (((v2 & 1u) < 1u)) {
                trace(16, v3);
                v0 = f0((v3 ^ v2), (v0 | 31u));
            } else {
                uint c2 = 0;
                for (;;) {
                    if (++c2 > 3) break;
                    if ((((v3 & 7u) >= 7u) || ((v0 & 3u) < 3u))) {
                        continue;
                    }
                    mark(17, (v2 * 17u));
                    if (!((v2 & 7u) >= 4u)) {
                        mark(18, v3);
                        break;
                    }
                    v1 = ((v1 - v0) ^ max(c2, v1));
                }
            }
            break;
        }
        case 1: {
            mark(19, v0);
            break;
        }
        }
        break;
    }
    case 4101: default: {
        mark(20, ((v1 - 20u) + 16u));
        break;
    }
    case 8197: {
        mark(21, (v2 * (v1 + 2u)));
        break;
    }
    case 12293: {
        trace(22, ((v2 + 11u) | 27u));
        trace(23, ((v2 + v0) & 13u));
        v2 = v0;
        break;
    }
    case 16389: {
        trace(24, ((v1 - (inputs[1] >> 0)) | 12u));
        break;
    }
    }
    v0 = (v1 + 8u);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
