// dxc -T ms_6_5 -Fo quotients.ms.dxil
struct Vertex {
    float4 position : SV_Position;
};
[numthreads(32, 1, 1)]
[outputtopology("triangle")]
void main(uint group : SV_GroupID, out vertices Vertex vertices[64], out indices uint3 triangles[32]) {
    SetMeshOutputCounts(64, 32);
    // Within the array: at most 63, 58 and 31.
    vertices[group >> 26].position = 1;
    vertices[group % 59].position = 2;
    triangles[group % 96 / 3] = uint3(0, 1, 2);
    // At most 127, 64 and 32.
    vertices[group >> 25].position = 3;
    vertices[group % 65].position = 4;
    triangles[group % 33] = uint3(2, 1, 0);
}
