// A quad of six vertices, without a vertex buffer: its corners are in a storage buffer, and its
// place is a uniform. SDL's spaces of a vertex shader are 0 for what is read, 1 for uniforms.
// compile: vs_6_0
StructuredBuffer<float2> corners : register(t0, space0);
cbuffer Place : register(b0, space1) {
    float2 origin;
    float2 size;
};
struct Interpolated {
    float4 position : SV_Position;
    float2 texel : TEXCOORD0;
};

Interpolated main(uint number : SV_VertexID) {
    float2 corner = corners[number];
    Interpolated output;
    output.position = float4(origin + corner * size, 0.0, 1.0);
    output.texel = float2(corner.x, 1.0 - corner.y);
    return output;
}
