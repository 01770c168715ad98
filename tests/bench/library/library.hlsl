// A library of compute entry points for the benchmark `library-cost`: the number of entry points is what changes.
//
// tests/bench/library/make.sh appends one line `ENTRY(n)` for each entry point. Every entry point has a body of its own, uses two of
// four buffers and a helper function that all share, as the libraries of engines do.

cbuffer Constants : register(b0) {
    float4 scale;
    uint count;
};

ByteAddressBuffer words : register(t0);
StructuredBuffer<float4> points : register(t1);
RWByteAddressBuffer results : register(u0);
RWStructuredBuffer<float4> moved : register(u1);

groupshared float4 tile[64];

float4 settle(float4 value, uint steps) {
    for (uint i = 0; i < steps; ++i) {
        value = value * scale + float4(i, 1, 2, 3);
        if (dot(value, value) > 1000) {
            value = normalize(value);
        }
    }
    return value;
}

#define ENTRY(n)                                                                                                       \
    [shader("compute")] [numthreads(64, 1, 1)] void entry##n(uint id : SV_DispatchThreadID,                           \
                                                             uint lane : SV_GroupIndex) {                              \
        if (n % 2 == 0) {                                                                                              \
            tile[lane] = points[id + n];                                                                               \
            GroupMemoryBarrierWithGroupSync();                                                                         \
            moved[id] = settle(tile[lane ^ 1], count + n);                                                             \
        } else {                                                                                                       \
            results.Store4(id * 16, words.Load4(id * 16 + n * 4) * (n + 1) + asuint(settle(scale, n)));                \
        }                                                                                                              \
    }

