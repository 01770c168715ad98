//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 151
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
    while (c0 < 2 && (((v3 & 1u) < 1u) && ((v2 & 1u) != 0u))) {
        ++c0;
        v1 = min((c0 + 28u), c0);
    }
    if (((v1 & 3u) < 2u)) {
        uint c1 = 0;
        for (;;) {
            if (++c1 > 4) break;
            v1 = v3;
            if ((c1 >= (c1 & 3u))) {
                break;
            }
            if (!((v1 & 3u) >= 2u)) {
                break;
            }
        }
    }
    uint c2 = 0;
    while (c2 < 3 && ((v1 & 3u) == 2u)) {
        ++c2;
        uint c3 = 0u;
        for (uint c4 = 0; c4 < 3u; ++c4) {
            for (uint c5 = 0; c5 < 2u; ++c5) {
                if (((v3 & 7u) != 3u)) {
                    c3 = 1u;
                    break;
                }
                v1 = (min((inputs[3] >> 16), 29u) + v0);
            }
            if ((c3 != 0u)) {
                break;
            }
            mark(1, c4);
        }
    }
    trace(2, (((inputs[1] >> 28) * 17u) + v0));
    v0 = (v0 - v1);
    trace(3, max(v3, v3));
    if (((v0 & 3u) < 3u)) {
        switch ((v0 & 3u)) {
        default: case 0: {
            trace(4, ((v0 - v1) ^ v2));
            if (((v1 & 7u) < 5u)) {
                uint c6 = 0;
                while (c6 < 4 && ((v3 & 3u) < 1u)) {
                    ++c6;
                    v2 = max(min(v2, 19u), 10u);
                }
            }
            v1 = v3;
            break;
        }
        case 1: {
            mark(5, (v1 * max(v3, (inputs[3] >> 20))));
            trace(6, v0);
            v2 = (v3 + (v1 | 22u));
            break;
        }
        case 2: {
            trace(7, v1);
            break;
        }
        }
        v2 = v1;
    } else {
        v1 = ((v3 & 9u) ^ (v2 & 18u));
        trace(8, ((v3 + v1) - 35u));
        mark(9, v2);
    }
    mark(10, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
