//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 181
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }
#ifdef SPIRV
#define NOINLINE
#else
#define NOINLINE [noinline]
#endif

NOINLINE uint f0(uint v0, uint v1) {
    uint v2 = v0, v3 = v1;
    mark(1, ((v0 - 2u) | (v2 & 38u)));
    if (WaveActiveAnyTrue((((v3 + 2u) & 7u) < 3u))) {
        trace(14, 1u);
        switch ((v2 & 3u)) {
        case 0: {
            mark(3, (((inputs[3] >> 6) * 6u) + 5u));
            mark(4, (v3 + v3));
            break;
        }
        default: {
            mark(5, ((v3 * 4u) + max(v3, 25u)));
            trace(6, ((v3 & v2) + 33u));
            trace(7, (v3 & (v2 ^ v0)));
            break;
        }
        case 1: case 2: {
            v2 = WaveActiveBitOr(((inputs[2] >> 5) + 8u)); trace(8, v2);
            mark(9, v0);
            break;
        }
        case 3: {
            mark(10, (min(v3, v2) & v3));
            mark(11, min((v3 - (inputs[1] >> 0)), v2));
            trace(12, max(WaveGetLaneIndex(), (v2 - v3)));
            break;
        }
        }
        v3 = ((WaveGetLaneIndex() + v1) & 6u);
        trace(13, max(v0, (inputs[3] >> 23)));
    }
    trace(15, v3);
    return v0;
}

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    if (((v1 & 3u) == 0u)) {
        v3 = ((v2 + v2) ^ (v2 ^ 6u));
        uint c0 = 0u;
        for (uint c1 = 0; c1 < 3u; ++c1) {
            for (uint c2 = 0; c2 < 2u; ++c2) {
                if ((((inputs[3] >> 16) & 3u) < 1u)) {
                    c0 = 1u;
                    break;
                }
                trace(16, c2);
            }
            if ((c0 != 0u)) {
                break;
            }
            v3 = max((v2 | 39u), 22u);
        }
    }
    [branch] if (((WaveGetLaneIndex() & 1u) >= 1u)) {
        v0 = v0;
        uint c3 = 0;
        while (c3 < 2 && (((v3 & 3u) == 1u) || ((v0 & 7u) < 6u))) {
            ++c3;
            [unroll] for (uint c4 = 0; c4 < 3u; ++c4) {
                v1 = WaveActiveMax((v1 + 17u)); trace(17, v1);
                if (((v1 & 7u) == 5u)) {
                    v1 = WaveActiveSum((c3 + 18u)); trace(18, v1);
                }
            }
            v2 = f0((WaveGetLaneIndex() + 29u), v0);
            mark(19, (v1 * 0u));
        }
        if ((((WaveGetLaneIndex() & 7u) == 1u) && ((v1 & 1u) >= 1u))) {
            v1 = v1;
        } else {
            if ((((inputs[2] >> 3) & 3u) == 2u)) {
                [unroll] for (uint c5 = 0; c5 < 3u; ++c5) {
                    mark(20, (v1 | (v0 + v2)));
                    mark(21, ((v0 * v2) * 11u));
                }
                mark(22, (v3 + WaveGetLaneIndex()));
            }
            v2 = ((v0 * 8u) | (v3 - v2));
            v1 = (v1 - (v3 ^ WaveGetLaneIndex()));
        }
    }
    trace(23, max(v1, 19u));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
