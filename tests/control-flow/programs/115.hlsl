//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 115
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
    switch ((v0 & 7u)) {
    case 0: {
        v2 = v2;
        v1 = WaveActiveSum((((v2 - v3) - v1) + 1u)); trace(1, v1);
        break;
    }
    case 1: {
        trace(2, v2);
        mark(3, (min(v2, 1u) * 0u));
        break;
    }
    default: {
        v3 = ((v2 + v0) * min(v2, v1));
        mark(4, v2);
        break;
    }
    case 2: {
        trace(5, ((v0 + (inputs[3] >> 15)) ^ (v0 + v1)));
        v3 = WaveActiveCountBits(((min(v2, (inputs[1] >> 24)) + 6u) & 1u) != 0u); trace(6, v3);
        break;
    }
    case 3: {
        mark(7, (v1 + (v1 + 16u)));
        trace(8, ((v3 * v3) + 13u));
        v2 = v1;
        break;
    }
    case 4: {
        mark(9, v0);
        v2 = (max(v0, 23u) & v0);
        break;
    }
    }
    trace(10, ((v2 + 39u) + v0));
    return v0;
}

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    uint c0 = 0;
    for (;;) {
        if (++c0 > 3) break;
        if (((v3 & 7u) < 4u)) {
            break;
        }
        trace(11, (((inputs[0] >> 24) & v2) & c0));
    }
    mark(12, (v1 & v2));
    v2 = WaveActiveBitXor(((max(v3, v1) * 11u) + 13u)); trace(13, v2);
    trace(14, (v2 ^ (v1 ^ v0)));
    trace(15, v3);
    switch (((inputs[3] >> 9) & 3u)) {
    case 0: {
        v3 = f0((v0 & WaveGetLaneIndex()), (v2 - 23u));
        v0 = v0;
        break;
    }
    case 1: {
        if (((v2 & 3u) < 2u)) {
            v0 = WaveActiveCountBits((((((inputs[3] >> 15) - 38u) ^ v1) + 16u) & 1u) != 0u); trace(16, v0);
            v3 = (max(v3, v3) + 34u);
        }
        trace(17, (v1 * (v3 | 14u)));
        trace(18, max((v0 ^ WaveGetLaneIndex()), max(WaveGetLaneIndex(), v1)));
        break;
    }
    case 2: {
        v3 = ((v1 | 3u) | 22u);
        break;
    }
    default: {
        trace(19, v3);
        break;
    }
    }
    trace(20, (inputs[1] >> 17));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
