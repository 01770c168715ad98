// Mesh and amplification shaders for the tests of graphics pipelines.
//! permutation task as_6_5 task_main
//! permutation mesh ms_6_5 mesh_main
//! permutation alone ms_6_5 alone_main

struct Payload { uint4 offset; };
struct Vertex { float4 position : SV_Position; };
groupshared Payload group_payload;
RWByteAddressBuffer output : register(u0);

[numthreads(1, 1, 1)] void task_main() {
    group_payload.offset = output.Load4(0);
    DispatchMesh(1, 1, 1, group_payload);
}

[outputtopology("triangle")][numthreads(3, 1, 1)]
void mesh_main(uint thread : SV_GroupIndex, in payload Payload payload, out vertices Vertex vertices[3],
               out indices uint3 triangles[1]) {
    SetMeshOutputCounts(3, 1);
    vertices[thread].position = float4(payload.offset) + thread;
    if (thread == 0) triangles[0] = uint3(0, 1, 2);
}

[outputtopology("triangle")][numthreads(3, 1, 1)]
void alone_main(uint thread : SV_GroupIndex, out vertices Vertex vertices[3], out indices uint3 triangles[1]) {
    SetMeshOutputCounts(3, 1);
    vertices[thread].position = thread;
    if (thread == 0) triangles[0] = uint3(0, 1, 2);
}
