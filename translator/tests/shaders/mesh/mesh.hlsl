// dxc -T ms_6_5 -E mesh, dxc -T as_6_5 -E amplify, and dxc -T ps_6_5 -E pixel. Each other container is one of these two
// with one change to the text that -dumpbin prints, which its name states, assembled with -assemble -Vd. `never.as` and
// `twice.as` are compiled with -Vd and -D NEVER or -D TWICE, and the one that `outputs_too_large` changes with -D BIG.
struct Payload {
    uint values[4];
    uint count;
};
groupshared Payload payload;
[numthreads(32, 1, 1)]
void amplify(uint group : SV_GroupID, uint thread : SV_GroupIndex) {
    payload.values[thread & 3] = thread;
    payload.count = group;
#ifdef NEVER
    if (group == 7)
        return;
#endif
#ifdef TWICE
    if (group == 7)
        DispatchMesh(2, 1, 1, payload);
#endif
    DispatchMesh(group + 1, 1, 1, payload);
}
struct Vertex {
    float4 position : SV_Position;
    float3 color : COLOR;
#ifdef BIG
    float4 more[8] : MORE;
#endif
};
struct Primitive {
    uint number : SV_PrimitiveID;
    uint layer : SV_RenderTargetArrayIndex;
    uint viewport : SV_ViewportArrayIndex;
    uint rate : SV_ShadingRate;
    bool cull : SV_CullPrimitive;
    float2 place : PLACE;
};
[numthreads(32, 1, 1)]
[outputtopology("triangle")]
void mesh(
    in payload Payload received, uint thread : SV_GroupIndex, uint group : SV_GroupID, out vertices Vertex vertices[64],
    out primitives Primitive primitives[32], out indices uint3 triangles[32]
) {
    SetMeshOutputCounts(64, received.count);
    Vertex vertex;
    vertex.position = float4(thread, received.values[thread & 3], 0, 1);
    vertex.color = thread;
#ifdef BIG
    for (uint i = 0; i < 8; ++i)
        vertex.more[i] = i;
#endif
    vertices[thread] = vertex;
    // This index has no bound.
    vertices[thread + group].color.yz = 0.5;
    if (thread > 4)
        vertices[thread * 2 + 1].color.x = 1;
    triangles[thread & 15] = uint3(thread, thread + 1, thread + 2);
    primitives[thread].number = thread;
    primitives[thread].layer = 1;
    primitives[thread].viewport = 0;
    primitives[thread].rate = 5;
    primitives[thread].cull = false;
    primitives[thread].place = 2;
}
float4 pixel(float2 place : PLACE, uint number : SV_PrimitiveID, float3 color : COLOR) : SV_Target {
    return float4(color + number, place.x);
}
