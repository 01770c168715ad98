//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 49
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
    switch ((v3 & 7u)) {
    case 0: {
        if ((((v3 & 7u) < 7u) && ((v1 & 3u) == 0u))) {
            return v0;
        }
        trace(1, min((v2 - v2), 35u));
        break;
    }
    case 1: {
        trace(2, (v0 | (v0 + v1)));
        v2 = v2;
        mark(3, v2);
        break;
    }
    default: {
        trace(4, ((v0 ^ 31u) * ((inputs[1] >> 9) + 13u)));
        mark(5, v0);
        trace(6, (v0 ^ 38u));
        break;
    }
    case 2: case 3: case 4: {
        v2 = v0;
        trace(7, v3);
        break;
    }
    }
    trace(8, (inputs[1] >> 3));
    return v0;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    uint c0 = 0;
    for (;;) {
        if (++c0 > 5) break;
        trace(9, v2);
        if ((c0 == (v1 & 3u))) {
            trace(17, (v3 ^ 2u));
            break;
        }
        uint c1 = 0;
        for (;;) {
            if (++c1 > 4) break;
            if ((c1 < (v1 & 3u))) {
                trace(11, ((inputs[3] >> 4) - 1u));
                break;
            }
            if ((v1 < (inputs[3] >> 23))) {
                v1 = c0;
                break;
            }
            uint c2 = 0;
            while (c2 < 4 && ((c1 & 3u) == 1u)) {
                ++c2;
                trace(10, max((c1 + 38u), 20u));
                v0 = v2;
                v1 = f0(min(v3, v2), min(v2, v3));
            }
        }
        switch (((inputs[1] >> 0) & 3u)) {
        case 0: {
            [unroll] for (uint c3 = 0; c3 < 3u; ++c3) {
                v0 = ((inputs[2] >> 8) * v1);
                mark(12, ((v3 * 23u) + 39u));
                trace(13, v3);
            }
            mark(14, ((c0 | 34u) | 24u));
            trace(15, (c0 | 25u));
            break;
        }
        default: case 1: {
            trace(16, v1);
            v1 = max(max(v1, c0), (v3 + v1));
            v3 = (inputs[1] >> 8);
            break;
        }
        }
    }
    v1 = v1;
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
