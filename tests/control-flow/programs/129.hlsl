//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 129
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
    trace(1, v3);
    if ((v0 < v2)) {
        mark(2, min(v3, (v0 + v2)));
    }
    trace(3, v3);
    [unroll] for (uint c0 = 0; c0 < 3u; ++c0) {
        if (((c0 >= (c0 & 3u)) && ((c0 & 3u) != 0u))) {
            [unroll] for (uint c1 = 0; c1 < 2u; ++c1) {
                trace(4, ((v1 & v0) ^ (c1 * v3)));
                mark(5, max(max(v1, 15u), c0));
                trace(6, (((inputs[1] >> 22) + v3) + 32u));
            }
            v3 = v3;
            trace(7, max((v3 & c0), (v1 - v3)));
        }
        v3 = (v3 | v2);
    }
    v0 = (v0 | 21u);
    return v0;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    if (((v2 & 3u) == 2u)) {
        if (((v1 & 3u) < 2u)) {
            v2 = f0(v1, v0);
            uint c0 = 0;
            for (;;) {
                if (++c0 > 5) break;
                if (!((v2 & 3u) == 2u)) {
                    break;
                }
                uint c1 = 0;
                while (c1 < 2 && (c0 < (v2 & 3u))) {
                    ++c1;
                    mark(8, ((v2 & v1) + (v1 & c0)));
                }
                mark(9, min(((inputs[2] >> 4) | v2), (c0 + v0)));
                continue;
            }
            if ((v1 < v1)) {
                v0 = f0(v1, v3);
            } else {
                if ((((inputs[0] >> 18) & 3u) != 0u)) {
                    trace(10, (v1 * 3u));
                }
                trace(11, v1);
                v0 = ((inputs[3] >> 13) + (v1 ^ v2));
            }
        }
    } else {
        switch ((v3 & 3u)) {
        case 0: {
            mark(12, min((v1 + 19u), v0));
            break;
        }
        case 1: {
            v1 = max((v2 + 26u), (inputs[0] >> 5));
            break;
        }
        default: {
            v3 = max(((inputs[0] >> 5) | v2), 35u);
            break;
        }
        case 2: {
            trace(13, min((v1 + 39u), (v2 + v1)));
            break;
        }
        case 3: {
            mark(14, v1);
            break;
        }
        }
    }
    v3 = (v3 ^ 31u);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
