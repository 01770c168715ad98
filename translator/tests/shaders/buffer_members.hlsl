// Members of constant buffers. Compiled with `-T cs_6_2 -E main -enable-16bit-types`, and with
// `-Qstrip_reflect` as buffer_members.stripped.dxil. The numbers are the first byte in the buffer and the
// size, by the packing rules of constant buffers: a row has 16 bytes; arrays, structures and the lines of
// matrices begin one, and no vector crosses its end.
struct Inner {
    float3 a;
    float b;
    half2 h;
};
struct Light {
    Inner inner;
    row_major float3x4 rows;
    column_major float4x3 columns;
    int few[3];
    bool on;
};
cbuffer Frame : register(b0) {
    float4x4 view;            // 0 64: column_major float4x4 view
    Light lights[2];          // 64 344: Light lights[2]
                              //   64 20: Inner inner
                              //     64 12: float3 a
                              //     76 4: float b
                              //     80 4: half2 h
                              //   96 48: row_major float3x4 rows
                              //   144 48: column_major float4x3 columns
                              //   192 36: int few[3]
                              //   228 4: bool on
    uint count;               // 408 4: uint count
    float2 pairs[2][3];       // 416 88: float2 pairs[2][3]
    int64_t large;            // 504 8: int64_t large
    double3x2 wide;           // 512 56: column_major double3x2 wide
    snorm float part;         // 568 4: snorm float part
    bool3 flags;              // 576 12: bool3 flags
    float2x2 turns[2];        // 592 56: column_major float2x2 turns[2]
    half tail;                // 648 2: half tail
};
struct Plain { float3 q; uint16_t last; };
ConstantBuffer<Plain> plain[4] : register(b1, space2);  // 0 14: Plain plain
                                                        //   0 12: float3 q
                                                        //   12 2: uint16_t last
tbuffer Table : register(t5) {
    float first;              // 0 4: float first
    uint2 second;             // 4 8: uint2 second
};
cbuffer Unused : register(b9) {
    float unused;             // 0 4: float unused
};
RWStructuredBuffer<Light> results : register(u0);

[numthreads(1, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
    Light light = lights[id.x];
    light.inner.a += plain[id.y].q * plain[id.y].last + view[0].xyz + (float)wide[0].x + (float)large;
    light.inner.b += count + pairs[1][2].x + part + turns[1][0].x + tail + first + second.y + (flags.x ? 1 : 0);
    results[id.x] = light;
}
