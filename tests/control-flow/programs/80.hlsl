//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 80
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
    trace(1, v0);
    [unroll] for (uint c0 = 0; c0 < 2u; ++c0) {
        if (!(c0 < (v3 & 3u))) {
            trace(2, min((v3 & c0), 15u));
        }
        v3 = WaveActiveCountBits(((((v3 - WaveGetLaneIndex()) & v2) + 3u) & 1u) != 0u); trace(3, v3);
        v2 = min((inputs[1] >> 7), 13u);
    }
    mark(4, WaveGetLaneIndex());
    return v0;
}

uint f1(uint v0, uint v1) {
    uint v2 = v0, v3 = v1;
    [unroll] for (uint c0 = 0; c0 < 3u; ++c0) {
        if ((c0 < (v3 & 3u))) {
            break;
        }
        trace(5, (v2 & 5u));
        if ((c0 < v1)) {
            break;
        }
    }
    [loop] for (uint c1 = 0; c1 < ((v0 & 3u) + 0u); ++c1) {
        [branch] if ((v0 < v3)) {
            v0 = (((inputs[0] >> 2) - WaveGetLaneIndex()) + 19u);
            v0 = WaveActiveBitOr((((v2 + (inputs[3] >> 19)) | c1) + 6u)); trace(6, v0);
        }
        trace(7, v1);
        v0 = WaveReadLaneFirst((max((inputs[2] >> 9), (v0 | v2)) + 8u)); trace(8, v0);
    }
    v2 = (min(v2, WaveGetLaneIndex()) * 29u);
    return v0;
}

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    v1 = WavePrefixCountBits(((((v3 * v2) ^ 18u) + 9u) & 1u) != 0u); trace(9, v1);
    mark(10, max(min((inputs[1] >> 13), 29u), 33u));
    uint c0 = 0;
    while (c0 < 3 && (v0 < (inputs[1] >> 22))) {
        ++c0;
        v0 = c0;
        uint c1 = 0;
        while (c1 < 5 && (c0 >= (v1 & 3u))) {
            ++c1;
            v0 = (inputs[0] >> 27);
            v2 = f1((v2 - v1), ((inputs[1] >> 18) - v3));
            v0 = (inputs[0] >> 1);
        }
        trace(11, v3);
    }
    v1 = min((v1 + (inputs[1] >> 6)), (v3 + v3));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
