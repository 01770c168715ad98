//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 109
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
    uint c0 = 0;
    for (;;) {
        if (++c0 > 3) break;
        uint c1 = 0;
        while (c1 < 2 && (v1 < c0)) {
            ++c1;
            trace(1, (max(c0, v1) + 16u));
            trace(2, (v2 + c0));
            trace(3, ((v1 ^ v3) - 36u));
        }
        if (((c0 & 3u) != 1u)) {
            break;
        }
        trace(4, c0);
    }
    v1 = v3;
    return v0;
}

uint f1(uint v0, uint v1) {
    uint v2 = v0, v3 = v1;
    trace(5, v1);
    if (((v3 & 7u) != 3u)) {
        [branch] if (((v3 & 1u) >= 1u)) {
            trace(6, ((v3 & 30u) + 9u));
            if ((((v3 & 3u) < 1u) || (v1 < (inputs[1] >> 28)))) {
                switch ((v2 & 3u)) {
                case 0: default: case 1: {
                    v3 = f0((v1 + v2), v1);
                    v1 = v2;
                    mark(7, ((v2 | 4u) & 39u));
                    break;
                }
                case 2: {
                    trace(8, v2);
                    trace(9, ((v0 * v1) ^ (v3 ^ v0)));
                    v2 = v1;
                    break;
                }
                case 3: {
                    trace(10, ((v0 & v1) + max(v0, v3)));
                    trace(11, (v1 + max(v2, 10u)));
                    trace(12, (v2 + 9u));
                    break;
                }
                }
            } else {
                mark(13, v2);
                trace(14, v1);
                mark(15, v3);
            }
            trace(16, (v2 * 8u));
        } else {
            trace(17, min((v0 * v2), v2));
        }
        trace(18, v1);
        mark(19, ((v3 + 25u) | max(v0, v3)));
    } else {
        trace(20, (max(v1, v1) - (v1 * v0)));
    }
    trace(21, (v3 * v0));
    return v0;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    v3 = v0;
    if (((v2 & 3u) == 2u)) {
        mark(22, (((inputs[3] >> 5) + v3) | (v0 & v0)));
        dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3)); return;
    }
    v0 = max(min(v0, v0), 0u);
    v0 = f1((v1 | 2u), min(v1, v3));
    uint c0 = 0;
    for (;;) {
        if (++c0 > 5) break;
        trace(23, min(min((inputs[1] >> 8), v3), 38u));
        if (!(v0 < c0)) {
            mark(25, v1);
            break;
        }
        mark(24, ((v3 + 39u) + 24u));
    }
    v1 = max(v1, (v2 & 16u));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
