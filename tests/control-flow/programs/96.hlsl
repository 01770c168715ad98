//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 96
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    [unroll] for (uint c0 = 0; c0 < 3u; ++c0) {
        uint c1 = 0u;
        for (uint c2 = 0; c2 < 3u; ++c2) {
            for (uint c3 = 0; c3 < 3u; ++c3) {
                if (((v1 & 3u) == 0u)) {
                    c1 = 1u;
                    break;
                }
                trace(14, (v3 + 5u));
                mark(15, (max(v0, 12u) * 18u));
                trace(16, v3);
            }
            if ((c1 != 0u)) {
                break;
            }
            trace(17, v0);
        }
        v1 = ((v0 ^ 1u) | 6u);
    }
    if ((v3 < v1)) {
        switch ((((v3 & 3u) * 4096u) + 5u)) {
        case 5: {
            trace(18, v1);
            mark(19, ((v3 ^ v3) + 37u));
            break;
        }
        case 4101: {
            trace(20, v3);
            mark(21, (inputs[2] >> 5));
            break;
        }
        case 8197: {
            trace(22, ((v0 + 2u) + 39u));
            trace(23, v3);
            v3 = v0;
            break;
        }
        case 12293: {
            trace(24, v2);
            trace(25, (((inputs[0] >> 23) + 31u) - v2));
            trace(26, ((v0 * v1) + 7u));
            break;
        }
        }
        v2 = v2;
        trace(27, ((v1 - v3) + 3u));
    } else {
        v2 = v3;
        trace(28, min(v0, 6u));
    }
    v2 = max(min(v3, v3), (v3 - v3));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
