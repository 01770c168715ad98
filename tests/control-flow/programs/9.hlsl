//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 9
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    trace(5, min((v3 ^ 23u), 2u));
    trace(6, max((v0 ^ (inputs[2] >> 18)), (v1 + 24u)));
    v3 = WaveReadLaneFirst((v3 + 7u)); trace(7, v3);
    switch ((v0 & 7u)) {
    case 0: {
        if (!((WaveGetLaneIndex() & 3u) >= 2u)) {
            mark(8, max((v3 & v3), WaveGetLaneIndex()));
            v3 = WaveActiveBallot(((max(v1, max(v3, v2)) + 9u) & 1u) != 0u).x; trace(9, v3);
            trace(10, v1);
        } else {
            v0 = WavePrefixSum((v2 + 11u)); trace(11, v0);
            v1 = WaveActiveMin((min((v1 & (inputs[3] >> 9)), min(v0, 12u)) + 12u)); trace(12, v1);
        }
        v1 = WaveActiveCountBits(((v2 + 13u) & 1u) != 0u); trace(13, v1);
        v1 = max(v1, ((inputs[0] >> 4) * v1));
        break;
    }
    case 1: {
        v0 = min((v2 * v1), (v2 * v3));
        v2 = ((v1 * 23u) & ((inputs[2] >> 16) | 5u));
        trace(14, (v1 + max(v2, 1u)));
        break;
    }
    case 2: {
        v3 = ((v3 ^ v1) - 16u);
        break;
    }
    default: {
        v1 = WaveActiveBallot(((WaveGetLaneIndex() + 15u) & 1u) != 0u).x; trace(15, v1);
        v3 = v1;
        break;
    }
    case 3: case 4: {
        mark(16, (((inputs[2] >> 21) + 6u) - 8u));
        v3 = (WaveGetLaneIndex() ^ 0u);
        trace(17, (min((inputs[3] >> 16), v2) & 34u));
        break;
    }
    }
    mark(18, (((inputs[3] >> 5) * 5u) - 30u));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
