//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 43
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
    switch ((((v0 & 3u) * 4096u) + 5u)) {
    case 5: {
        if (((v1 & 1u) == 0u)) {
            if (((v3 & 7u) < 4u)) {
                trace(1, min(((inputs[3] >> 12) & 33u), v3));
                v3 = ((v2 - 1u) ^ v3);
                trace(2, v0);
            }
            v0 = v0;
            v3 = (((inputs[3] >> 2) | v1) - 32u);
        }
        break;
    }
    case 4101: {
        mark(3, min(v0, v2));
        break;
    }
    case 8197: case 12293: {
        mark(4, max((v2 ^ v2), (inputs[2] >> 3)));
        v0 = ((v2 + v0) + v1);
        break;
    }
    default: {
        trace(5, (inputs[1] >> 12));
        break;
    }
    }
    mark(6, (min(v2, 16u) - (v0 & 13u)));
    return v0;
}

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    v2 = v3;
    if (((v1 & 1u) != 0u)) {
        mark(7, (v0 ^ v2));
        uint c0 = 0;
        do {
            ++c0;
            trace(8, c0);
            mark(9, ((v1 * 17u) & (v2 - c0)));
            v1 = f0((v0 + v2), v0);
            break;
        } while (c0 < 4 && (((v0 & 7u) < 5u) && (c0 == (c0 & 3u))));
        uint c1 = 0;
        while (c1 < 3 && ((v1 & 7u) >= 6u)) {
            ++c1;
            trace(10, (max(v3, v1) + 19u));
        }
    }
    trace(11, v2);
    v2 = max((v1 + v2), (v1 * v1));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
