// dxc -T vs_6_4 -E vs_main -Fo shading_rate.vs.dxil and dxc -T ps_6_4 -E ps_main -Fo shading_rate.ps.dxil: no driver of the tests has shading
// rates, so the lowering is judged by its contract and the validator.
struct Vertex {
    float4 position : SV_Position;
    uint rate : SV_ShadingRate;
};

Vertex vs_main(uint id : SV_VertexID) {
    Vertex v = { float4(id == 1 ? 3 : -1, id == 2 ? 3 : -1, 0.5, 1), 5 };
    return v;
}

uint ps_main(float4 position : SV_Position, uint rate : SV_ShadingRate) : SV_Target {
    return rate;
}
