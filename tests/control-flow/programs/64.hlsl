//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 64
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
    trace(1, ((v2 - v2) & (v1 - 12u)));
    trace(2, (min(v3, v0) + (inputs[3] >> 17)));
    if (!((v3 & 1u) < 1u)) {
        v3 = (((inputs[0] >> 25) + v2) * 9u);
        trace(3, v1);
    } else {
        mark(4, v1);
        trace(5, ((v0 - v3) * (v0 | 21u)));
    }
    trace(6, (inputs[1] >> 5));
    return v0;
}

uint f1(uint v0, uint v1) {
    uint v2 = v0, v3 = v1;
    if (((v1 & 1u) < 1u)) {
        if ((((inputs[2] >> 17) & 3u) < 1u)) {
            trace(7, (((inputs[3] >> 21) ^ 29u) & (v3 - 5u)));
        }
        trace(8, max(v2, (v3 & (inputs[2] >> 17))));
        trace(9, (min(v1, v0) + 18u));
    } else {
        trace(10, max(v2, max(v2, (inputs[1] >> 15))));
        v2 = (((inputs[1] >> 26) * 27u) ^ 32u);
    }
    trace(11, (v0 & (v3 | v1)));
    return v0;
}

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    trace(12, v0);
    v1 = f1(min(v3, 22u), v3);
    v1 = f0(v2, (inputs[1] >> 12));
    trace(13, v2);
    uint c0 = 0;
    for (;;) {
        if (++c0 > 5) break;
        if (((v1 & 3u) < 1u)) {
            if (((v1 & 3u) < 1u)) {
                uint c1 = 0;
                while (c1 < 5 && (c0 == ((inputs[1] >> 3) & 3u))) {
                    ++c1;
                    v3 = ((v2 + 16u) & 32u);
                    trace(14, (c1 * v1));
                }
                trace(15, (((inputs[2] >> 27) + c0) + 39u));
            } else {
                trace(16, ((v3 + c0) + 16u));
            }
            v3 = (min((inputs[2] >> 22), v1) + (v3 - v2));
            trace(17, max(v1, 16u));
        } else {
            v2 = max(c0, (v0 * v2));
            mark(18, max(max(c0, c0), 7u));
        }
        if (((v1 & 7u) == 5u)) {
            break;
        }
        trace(19, (v0 ^ (v2 | 13u)));
    }
    v3 = (v1 - (v1 * v1));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
