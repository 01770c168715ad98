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

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    if ((v2 < v3)) {
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
    switch ((((v1 & 7u) * 4096u) + 5u)) {
    case 5: {
        switch ((v3 & 3u)) {
        case 0: {
            mark(15, max(v0, (v1 & 18u)));
            if (((v2 & 1u) < 1u)) {
                trace(16, v3);
                v1 = max((v0 | 31u), (v3 ^ v2));
            } else {
                trace(17, v3);
                trace(18, v3);
                mark(19, min((v0 ^ 14u), (v0 - v2)));
            }
            break;
        }
        case 1: {
            v1 = ((v1 - v0) ^ max(v1, v1));
            mark(20, (v3 + (v1 * v2)));
            break;
        }
        }
        break;
    }
    case 4101: {
        v0 = min(v3, (v0 & v0));
        break;
    }
    default: {
        trace(21, ((v0 * v0) - 11u));
        break;
    }
    case 8197: {
        v1 = ((v0 | 27u) ^ 30u);
        v1 = ((v3 | 12u) & (v0 & 13u));
        break;
    }
    case 12293: {
        v1 = v2;
        break;
    }
    case 16389: {
        v0 = ((v3 - 37u) - v1);
        break;
    }
    }
    v2 = v0;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
