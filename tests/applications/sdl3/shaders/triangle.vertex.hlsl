// compile: vs_6_0
struct Vertex {
    float2 position : TEXCOORD0;
    float3 colour : TEXCOORD1;
};
struct Interpolated {
    float4 position : SV_Position;
    float3 colour : TEXCOORD0;
};

Interpolated main(Vertex vertex) {
    Interpolated output;
    output.position = float4(vertex.position, 0.0, 1.0);
    output.colour = vertex.colour;
    return output;
}
