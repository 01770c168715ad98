//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 179
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
    if ((((v3 & 7u) < 5u) || ((v3 & 3u) != 0u))) {
        mark(1, max(((inputs[3] >> 7) ^ 39u), (v2 + 11u)));
    }
    trace(2, ((v3 * v1) * 25u));
    uint c0 = 0;
    do {
        ++c0;
        switch ((c0 & 7u)) {
        case 0: case 1: default: {
            if (!((v1 & 7u) < 4u)) {
                if (((c0 & 7u) >= 5u)) {
                    trace(3, ((v2 + 1u) + 11u));
                    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3)); return;
                } else {
                    uint c1 = 0;
                    do {
                        ++c1;
                        v0 = min(v2, min((inputs[2] >> 6), 3u));
                        mark(4, v3);
                    } while (c1 < 5 && (c0 == (v2 & 3u)));
                    trace(5, v1);
                }
                trace(6, min(c0, 9u));
                trace(7, (min(v2, v0) * (v3 * v1)));
                break;
            } else {
                v1 = (c0 & v2);
                v2 = ((inputs[2] >> 23) + 39u);
                trace(8, v0);
            }
            trace(9, ((c0 - 5u) ^ 34u));
            break;
        }
        case 2: {
            trace(10, (max(v2, 26u) + (c0 + 4u)));
            trace(11, (v1 + max(v3, 5u)));
            break;
        }
        case 3: {
            mark(12, (v0 * (v2 & v1)));
            trace(13, ((c0 + 21u) | (v3 | 15u)));
            trace(14, max(min(c0, v3), min(v1, 12u)));
            break;
        }
        case 4: {
            mark(15, ((c0 + v3) + (v1 | v3)));
            break;
        }
        }
        trace(16, v0);
        break;
    } while (c0 < 3 && (((inputs[1] >> 12) & 3u) >= 1u));
    trace(17, min((v2 + v1), 22u));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
