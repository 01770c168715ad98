//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 32
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    uint c0 = 0;
    for (;;) {
        if (++c0 > 3) break;
        if ((c0 >= ((inputs[0] >> 10) & 3u))) {
            v0 = WaveActiveBitOr((max((c0 * (inputs[3] >> 3)), (c0 - 33u)) + 1u)); trace(1, v0);
            mark(2, min(max(v1, 13u), WaveGetLaneIndex()));
        }
        uint c1 = 0;
        for (;;) {
            if (++c1 > 5) break;
            if ((c0 >= (WaveGetLaneIndex() & 3u))) {
                trace(10, (((c1 * v0) | 21u) + 10u));
                break;
            }
            trace(3, (v2 + 3u));
            v2 = ((v0 & v3) ^ min(WaveGetLaneIndex(), v3));
            switch ((v2 & 7u)) {
            case 0: case 1: {
                trace(4, min((c1 + v1), (v3 ^ v0)));
                switch (((inputs[2] >> 17) & 3u)) {
                default: {
                    v3 = ((v1 - v0) ^ (v3 + v0));
                    trace(5, ((c0 ^ 27u) + 5u));
                    v0 = (v1 + 28u);
                    break;
                }
                case 0: {
                    trace(6, (v3 + 6u));
                    trace(7, v2);
                    break;
                }
                case 1: {
                    v3 = (c1 & 2u);
                    v3 = (v1 & c0);
                    break;
                }
                }
                trace(8, (v3 ^ (v0 - c1)));
                break;
            }
            case 2: case 3: case 4: default: {
                trace(9, v1);
                break;
            }
            }
        }
        if ((c0 == (c0 & 3u))) {
            mark(11, (min(c0, v1) | min(v1, v1)));
            break;
        }
        break;
    }
    v3 = ((v1 + 10u) ^ 8u);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
