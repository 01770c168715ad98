// compile: vs_6_0
struct Vertex {
    float2 position : POSITION;
    float3 colour : COLOR;
};
struct Interpolated {
    float4 position : SV_Position;
    float3 colour : COLOR;
};

Interpolated main(Vertex vertex, uint number : SV_VertexID) {
    Interpolated output;
    output.position = float4(vertex.position, 0.0, 1.0);
    output.colour = vertex.colour * (number == 2 ? 0.5 : 1.0);
    return output;
}
