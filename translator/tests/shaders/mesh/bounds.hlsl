// dxc -T ms_6_5 -enable-16bit-types -Fo bounds.ms.dxil
struct Vertex {
    float4 position : SV_Position;
};
[numthreads(32, 1, 1)]
[outputtopology("triangle")]
void main(
    uint group : SV_GroupID, out vertices Vertex vertices[64], out indices uint3 triangles[32]
) {
    SetMeshOutputCounts(64, 32);
    // Within the array, by a minimum of 32 and of 16 bits.
    vertices[min(group, 63)].position = 1;
    triangles[min((uint16_t)group, (uint16_t)31)] = uint3(0, 1, 2);
    // A minimum that is not enough.
    vertices[min(group + 1, 64)].position = 2;
}
