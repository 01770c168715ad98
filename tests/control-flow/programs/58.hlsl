//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 58
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
        if (++c0 > 5) break;
        if (((v3 & 7u) >= 6u)) {
            if ((c0 == (v0 & 3u))) {
                trace(1, ((v0 - v1) * 24u));
                continue;
            }
            mark(2, (((inputs[1] >> 1) - v3) & v2));
            trace(3, ((v1 & v0) | 11u));
        }
        if ((v3 < v0)) {
            v2 = v2;
            break;
        }
    }
    trace(4, ((v2 + 39u) - (v3 + 15u)));
    return v0;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    switch ((v2 & 3u)) {
    case 0: {
        switch (((inputs[3] >> 7) & 7u)) {
        case 0: {
            v2 = f0(min(v0, 28u), (v2 | 6u));
            switch (((inputs[1] >> 1) & 3u)) {
            default: {
                trace(5, v1);
                break;
            }
            case 0: {
                v1 = f0(max(v2, 20u), v2);
                trace(6, ((v2 & v2) + (v3 | 26u)));
                v1 = min(v3, 25u);
                break;
            }
            case 1: {
                v2 = (v2 + (v1 + 29u));
                break;
            }
            case 2: {
                trace(7, (v2 - ((inputs[2] >> 6) | 4u)));
                v2 = (v1 ^ 37u);
                break;
            }
            case 3: {
                mark(8, ((v2 | 8u) * min(v0, v3)));
                break;
            }
            }
            break;
        }
        case 1: {
            trace(9, v0);
            v0 = ((v1 & 13u) ^ min(v2, v1));
            break;
        }
        default: {
            v3 = (v1 * 24u);
            break;
        }
        case 2: case 3: {
            trace(10, (((inputs[0] >> 26) - v0) - v0));
            trace(11, max((inputs[2] >> 11), 19u));
            trace(12, v3);
            break;
        }
        case 4: {
            v3 = v1;
            break;
        }
        }
        mark(13, (v3 - min(v3, v3)));
        mark(14, (v3 & (inputs[3] >> 5)));
        break;
    }
    case 1: case 2: {
        mark(15, v0);
        break;
    }
    case 3: {
        mark(16, (v3 + 37u));
        break;
    }
    }
    trace(17, (v0 | (v0 - 3u)));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
