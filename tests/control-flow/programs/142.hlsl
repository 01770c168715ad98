//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 142
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    if (((v2 & 1u) >= 1u)) {
        if (!((v3 & 7u) < 1u)) {
            trace(4, min(max(v1, 22u), (v3 + 12u)));
        }
        switch ((v2 & 3u)) {
        case 0: {
            v3 = max(v1, 5u);
            break;
        }
        case 1: {
            trace(5, (v0 + min(v1, v1)));
            v1 = ((v1 - 19u) + 33u);
            return;
        }
        }
    } else {
        if (((v2 & 3u) >= 3u)) {
            mark(6, (v3 + v0));
            v1 = v1;
        }
        v0 = (v0 - max((inputs[2] >> 0), v1));
    }
    v1 = max((inputs[3] >> 4), (v1 ^ v3));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
