// dxc -T lib_6_3 -Fo records.dxil: resources in shader records, without operations of ray tracing.
cbuffer Constants : register(b0, space1) { uint4 a; uint b; uint2 c; };
cbuffer Rows : register(b9, space1) { uint4 listed[2]; };
cbuffer AtAddress : register(b1, space1) { uint4 rows[8]; uint tail; };
ByteAddressBuffer bytes : register(t0, space1);
RWStructuredBuffer<uint2> pairs : register(u0, space1);
Texture2D<uint4> textures[2] : register(t1, space1);
Buffer<uint> typed : register(t3, space1);
Texture2D<float4> colour : register(t4, space1);
RWStructuredBuffer<uint> counted : register(u3, space1);
cbuffer InTable : register(b4, space1) { uint4 tableRows[4]; };
RWTexture2D<float> image : register(u5, space1);
SamplerState linear_clamp : register(s0, space1);
SamplerState fixed_sampler : register(s7, space1);
RWByteAddressBuffer results : register(u0);

[shader("raygeneration")]
void constants() {
    results.Store4(0, a);
    results.Store3(16, uint3(b, c));
}

[shader("raygeneration")]
void computed() {
    uint i = results.Load(0);
    results.Store(0, listed[i].y);
}

[shader("raygeneration")]
void addresses() {
    uint i = bytes.Load(0);
    results.Store4(0, rows[1] + tail);
    pairs[i] = uint2(i, 7);
}

[shader("raygeneration")]
void tables() {
    uint i = results.Load(0);
    results.Store4(0, textures[i & 1].Load(int3(0, 0, 0)));
    results.Store(16, typed[i]);
    results.Store4(20, asuint(colour.SampleLevel(linear_clamp, float2(0.5, 0.5), 0)));
    results.Store(36, counted.IncrementCounter());
    results.Store4(40, tableRows[1]);
    image[uint2(i, 0)] = 1.0;
}

[shader("raygeneration")]
void static_sampler() {
    results.Store4(0, asuint(colour.SampleLevel(fixed_sampler, float2(0.5, 0.5), 0)));
}
