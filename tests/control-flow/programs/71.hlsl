//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 71
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    switch ((v3 & 3u)) {
    case 0: {
        uint c0 = 0;
        while (c0 < 5 && ((v1 & 3u) >= 3u)) {
            ++c0;
            [branch] if (WaveActiveAnyTrue((((c0 + 1u) & 7u) < 3u))) {
                trace(2, ((c0 + v3) | 20u));
            } else {
                if (((v2 & 3u) < 2u)) {
                    v3 = (v1 & 5u);
                    if ((((v0 & 7u) < 5u) && (c0 == (WaveGetLaneIndex() & 3u)))) {
                        v2 = (min(c0, v0) | (v2 + 26u));
                        v3 = ((WaveGetLaneIndex() | v1) + (c0 & 19u));
                        v0 = WaveActiveSum(((((inputs[1] >> 26) & 15u) | (v1 + 14u)) + 3u)); trace(3, v0);
                        break;
                    }
                } else {
                    [branch] if (((v3 & 3u) < 2u)) {
                        v1 = WaveActiveBallot(((((v1 & c0) | 39u) + 4u) & 1u) != 0u).x; trace(4, v1);
                        v0 = min(WaveGetLaneIndex(), 18u);
                    }
                    v1 = ((v1 & v2) + 13u);
                }
                mark(5, v0);
                v1 = (max(v0, 34u) | 32u);
            }
            if ((c0 == (c0 & 3u))) {
                switch (((((inputs[1] >> 26) & 3u) * 4096u) + 5u)) {
                case 5: case 4101: {
                    v2 = WaveGetLaneIndex();
                    v2 = ((c0 ^ v2) - c0);
                    break;
                }
                }
                v2 = WaveActiveBitOr((max((v3 ^ v2), 36u) + 6u)); trace(6, v2);
                trace(7, WaveGetLaneIndex());
            }
            mark(8, ((v3 | 36u) * 25u));
        }
        v3 = v1;
        v0 = WaveActiveBallot(((v0 + 9u) & 1u) != 0u).x; trace(9, v0);
        break;
    }
    case 1: case 2: {
        mark(10, (v2 + (v2 + 31u)));
        v1 = WaveReadLaneFirst(((v1 + (v1 & v0)) + 11u)); trace(11, v1);
        return;
    }
    }
    trace(12, ((v2 ^ 7u) | v3));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
