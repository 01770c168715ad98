//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 95
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    switch ((v1 & 3u)) {
    case 0: {
        trace(15, (v2 - (v2 * v1)));
        if (((v3 & 3u) >= 2u)) {
            uint c0 = 0u;
            for (uint c1 = 0; c1 < 3u; ++c1) {
                for (uint c2 = 0; c2 < 4u; ++c2) {
                    if (!((v0 & 3u) == 1u)) {
                        c0 = 1u;
                        break;
                    }
                    if ((((v0 & 3u) < 3u) || ((v3 & 1u) >= 1u))) {
                        trace(16, ((v2 + v3) + 34u));
                        trace(17, ((v0 | v2) - min(v0, 12u)));
                        mark(18, ((v3 ^ v0) ^ (v2 * 30u)));
                        continue;
                    }
                }
                if ((c0 != 0u)) {
                    break;
                }
                v3 = v2;
            }
        } else {
            switch ((v2 & 3u)) {
            default: {
                v0 = ((v3 & 21u) ^ 37u);
                trace(19, v2);
                trace(20, (v3 - v3));
                break;
            }
            case 0: case 1: {
                mark(21, max((v0 * v0), 18u));
                if ((((v2 & 3u) != 1u) && (v0 < v2))) {
                    trace(22, ((inputs[2] >> 24) * v3));
                    v0 = ((v0 + 12u) ^ 29u);
                }
                trace(23, ((v3 + v2) + v0));
                break;
            }
            }
            break;
        }
        break;
    }
    case 1: {
        trace(24, ((v2 + 37u) + (v3 ^ v2)));
        trace(25, ((v0 + v3) * 30u));
        break;
    }
    case 2: {
        trace(26, v2);
        v2 = ((v1 | v3) * (v2 + v3));
        trace(27, ((v3 * v1) + (v1 + 13u)));
        break;
    }
    case 3: {
        trace(28, (((inputs[1] >> 10) + v0) & v3));
        v1 = ((v3 & v3) ^ max(v2, 29u));
        mark(29, v3);
        break;
    }
    }
    v3 = ((v0 - 31u) + 13u);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
