// Meshlets that the amplification shader culls, and the same triangles drawn by a vertex shader. The
// root signature (T = 0 tables, n = 6 parameters) places:
//   parameter 0, root CBV: the camera, root set 0, binding 0
//   parameters 1 to 3, root SRVs: vertices, meshlets and triangles, root set 0, bindings 1 to 3
//   parameter 4, root UAV: what became of each meshlet, root set 0, binding 4
//   parameter 5, root constants: the light, push constants from byte 0
// The small scene of this fixture has four meshlets: two quads that cover the left and the right
// half of the picture, one outside the frustum, and one that faces away. The light is behind them,
// so the colours are those of the meshlets times the ambient intensity.
//! dxil-args -Wno-ignored-attributes
//! bindings root-signature
//! resource b0 cbuffer 176 words 1.0 0.0 0.0 0.0 0.0 1.0 0.0 0.0 0.0 0.0 1.0 0.0 0.0 0.0 0.0 1.0 1.0 0.0 0.0 1.0 -1.0 0.0 0.0 1.0 0.0 1.0 0.0 1.0 0.0 -1.0 0.0 1.0 0.0 0.0 1.0 0.0 0.0 0.0 -1.0 1.0 0.0 0.0 -9.0 4 at=0.0
//! resource t0 structured_buffer 24 16 words -1.0 -1.0 0.5 0.0 0.0 -1.0 0.0 -1.0 0.5 0.0 0.0 -1.0 -1.0 1.0 0.5 0.0 0.0 -1.0 0.0 1.0 0.5 0.0 0.0 -1.0 0.0 -1.0 0.5 0.0 0.0 -1.0 1.0 -1.0 0.5 0.0 0.0 -1.0 0.0 1.0 0.5 0.0 0.0 -1.0 1.0 1.0 0.5 0.0 0.0 -1.0 4.0 -1.0 0.5 0.0 0.0 -1.0 5.0 -1.0 0.5 0.0 0.0 -1.0 4.0 1.0 0.5 0.0 0.0 -1.0 5.0 1.0 0.5 0.0 0.0 -1.0 -1.0 -1.0 0.2 0.0 0.0 1.0 1.0 -1.0 0.2 0.0 0.0 1.0 -1.0 1.0 0.2 0.0 0.0 1.0 1.0 1.0 0.2 0.0 0.0 1.0 at=0.1
//! resource t1 structured_buffer 64 4 words -0.5 0.0 0.5 1.2 0.0 0.0 -1.0 0.1 1.0 0.5 0.25 0 4 0 2 0 0.5 0.0 0.5 1.2 0.0 0.0 -1.0 0.1 0.25 0.5 1.0 4 4 2 2 0 4.5 0.0 0.5 1.2 0.0 0.0 -1.0 0.1 1.0 1.0 1.0 8 4 4 2 0 0.0 0.0 0.2 1.5 0.0 0.0 1.0 0.1 1.0 1.0 1.0 12 4 6 2 0 at=0.2
//! resource t2 structured_buffer 12 8 words 0 2 1 1 2 3 4 6 5 5 6 7 8 10 9 9 10 11 12 13 14 13 15 14 at=0.3
//! resource u0 raw_buffer 16 out words 9 9 9 9 at=0.4
//! push 16 words 0.0 0.0 -1.0 0.8
//! judge expect
//! expect u0 0 0 1 2
//! expect mesh.target0 0xff3366cc 0xff3366cc 0xffcc6633 0xffcc6633 0xff3366cc 0xff3366cc 0xffcc6633 0xffcc6633
//! expect vertex.target0 0xff3366cc 0xff3366cc 0xffcc6633 0xffcc6633 0xff3366cc 0xff3366cc 0xffcc6633 0xffcc6633
//! tolerance mesh.target0 unorm8 1
//! tolerance vertex.target0 unorm8 1
//! pass mesh
//! stage as_6_5 as_main
//! stage ms_6_5 ms_main
//! stage ps_6_5 ps_main
//! cull back
//! target rgba8_unorm 4 2
//! depth less 1.0
//! pass vertex
//! stage vs_6_5 vs_main
//! stage ps_6_5 ps_main
//! cull back
//! index u32 words 0 2 1 1 2 3 4 6 5 5 6 7 8 10 9 9 10 11 12 13 14 13 15 14
//! vertex 0 rgb32_sfloat words -1.0 -1.0 0.5 0.0 -1.0 0.5 -1.0 1.0 0.5 0.0 1.0 0.5 0.0 -1.0 0.5 1.0 -1.0 0.5 0.0 1.0 0.5 1.0 1.0 0.5 4.0 -1.0 0.5 5.0 -1.0 0.5 4.0 1.0 0.5 5.0 1.0 0.5 -1.0 -1.0 0.2 1.0 -1.0 0.2 -1.0 1.0 0.2 1.0 1.0 0.2 count=16
//! vertex 1 rgb32_sfloat words 0.0 0.0 -1.0 0.0 0.0 -1.0 0.0 0.0 -1.0 0.0 0.0 -1.0 0.0 0.0 -1.0 0.0 0.0 -1.0 0.0 0.0 -1.0 0.0 0.0 -1.0 0.0 0.0 -1.0 0.0 0.0 -1.0 0.0 0.0 -1.0 0.0 0.0 -1.0 0.0 0.0 1.0 0.0 0.0 1.0 0.0 0.0 1.0 0.0 0.0 1.0 count=16
//! vertex 2 r32_uint words 0 0 0 0 1 1 1 1 2 2 2 2 3 3 3 3 count=16
//! target rgba8_unorm 4 2
//! depth less 1.0
//! run mesh 1 1 1
//! run vertex 24
#define ROOT_SIGNATURE \
    "RootFlags(ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT)," \
    "CBV(b0)," \
    "SRV(t0)," \
    "SRV(t1)," \
    "SRV(t2)," \
    "UAV(u0)," \
    "RootConstants(num32BitConstants = 4, b1)"

struct Camera {
    row_major float4x4 view_projection;
    // Planes of the frustum, which point inwards.
    float4 planes[6];
    float3 eye;
    uint meshlet_count;
};

struct Light {
    float3 direction;
    float ambient;
};

struct Vertex {
    float3 position;
    float3 normal;
};

struct Meshlet {
    // A sphere around all vertices.
    float3 center;
    float radius;
    // A cone around the normals of all triangles, and the sine of its half angle.
    float3 axis;
    float cutoff;
    float3 color;
    uint first_vertex;
    uint vertex_count;
    uint first_triangle;
    uint triangle_count;
    uint unused;
};

[[vk::binding(0, 0)]] ConstantBuffer<Camera> camera : register(b0);
[[vk::binding(1, 0)]] StructuredBuffer<Vertex> vertices : register(t0);
[[vk::binding(2, 0)]] StructuredBuffer<Meshlet> meshlets : register(t1);
[[vk::binding(3, 0)]] StructuredBuffer<uint3> triangles : register(t2);
[[vk::binding(4, 0)]] RWByteAddressBuffer fates : register(u0);
[[vk::push_constant]] ConstantBuffer<Light> light : register(b1);

static const uint DRAWN = 0;
static const uint OUTSIDE = 1;
static const uint FACING_AWAY = 2;

struct Payload {
    uint meshlets[32];
};

struct Fragment {
    float4 position : SV_Position;
    float3 world : WORLD;
    float3 normal : NORMAL;
};

struct Primitive {
    nointerpolation float3 color : COLOR;
};

// Both kinds of pipelines must compute the same bits, so no compiler may reorder or contract these
// operations.
Fragment fragment_of(float3 position, float3 normal) {
    precise float4 clip = mul(camera.view_projection, float4(position, 1));
    Fragment output;
    output.position = clip;
    output.world = position;
    output.normal = normal;
    return output;
}

uint fate(Meshlet meshlet) {
    for (uint plane = 0; plane < 6; ++plane) {
        if (dot(camera.planes[plane].xyz, meshlet.center) + camera.planes[plane].w < -meshlet.radius)
            return OUTSIDE;
    }
    float3 view = meshlet.center - camera.eye;
    bool away = dot(view, meshlet.axis) >= meshlet.cutoff * length(view) + meshlet.radius;
    return away ? FACING_AWAY : DRAWN;
}

groupshared Payload payload;
groupshared uint drawn;

[RootSignature(ROOT_SIGNATURE)]
[numthreads(32, 1, 1)]
void as_main(uint index : SV_DispatchThreadID, uint thread : SV_GroupIndex) {
    if (thread == 0)
        drawn = 0;
    GroupMemoryBarrierWithGroupSync();
    bool is_drawn = false;
    if (index < camera.meshlet_count) {
        uint result = fate(meshlets[index]);
        fates.Store(index * 4, result);
        is_drawn = result == DRAWN;
    }
    if (is_drawn)
        InterlockedOr(drawn, 1u << thread);
    GroupMemoryBarrierWithGroupSync();
    // The meshlets keep their order.
    if (is_drawn)
        payload.meshlets[countbits(drawn & ((1u << thread) - 1))] = index;
    GroupMemoryBarrierWithGroupSync();
    DispatchMesh(countbits(drawn), 1, 1, payload);
}

[RootSignature(ROOT_SIGNATURE)]
[numthreads(128, 1, 1)]
[outputtopology("triangle")]
void ms_main(
    in payload Payload culled, uint group : SV_GroupID, uint thread : SV_GroupIndex, out vertices Fragment fragments[64],
    out primitives Primitive primitives[126], out indices uint3 corners[126]
) {
    Meshlet meshlet = meshlets[culled.meshlets[group]];
    SetMeshOutputCounts(meshlet.vertex_count, meshlet.triangle_count);
    if (thread < meshlet.vertex_count) {
        Vertex input = vertices[meshlet.first_vertex + thread];
        fragments[thread] = fragment_of(input.position, input.normal);
    }
    if (thread < meshlet.triangle_count) {
        corners[thread] = triangles[meshlet.first_triangle + thread] - meshlet.first_vertex;
        primitives[thread].color = meshlet.color;
    }
}

[RootSignature(ROOT_SIGNATURE)]
void vs_main(
    float3 position : POSITION, float3 normal : NORMAL, uint meshlet : MESHLET, out Fragment fragment,
    out Primitive primitive
) {
    fragment = fragment_of(position, normal);
    primitive.color = meshlets[meshlet].color;
}

[RootSignature(ROOT_SIGNATURE)]
float4 ps_main(Fragment fragment, Primitive primitive) : SV_Target0 {
    float3 normal = normalize(fragment.normal);
    float3 to_light = -normalize(light.direction);
    float3 to_eye = normalize(camera.eye - fragment.world);
    float diffuse = saturate(dot(normal, to_light));
    float highlight = diffuse * pow(saturate(dot(normal, normalize(to_light + to_eye))), 40);
    float sky = light.ambient * (1 + 0.5 * normal.y);
    return float4(primitive.color * (sky + 0.8 * diffuse) + 0.35 * highlight, 1);
}
