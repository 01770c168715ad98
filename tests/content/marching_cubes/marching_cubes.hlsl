// Marching cubes over 64 x 64 x 64 densities of 24 balls, to an indexed mesh, as a terrain or fluid
// renderer makes it. Passes: `field`; `vertices` (one for each grid edge that crosses the surface:
// position, normal); `classify` (cells that the surface crosses, appended, and a histogram of their
// cases); `triangulate` (indices by the table, places by an atomic counter); `weigh` (sums over all
// triangles). The order in which cells and triangles are appended is not defined, so no list is
// compared, but: the histogram (u4); vertices, triangles, a hash that all triangles add to, and the
// open sides, which are none in a closed surface (u5); where the edges of the middle slice cross
// (u6), and all (u7, by DXC's SPIR-V). The model has no table: it traces each cell's loops on the
// cube's faces. It also makes the table that is included here, and checks it. The tolerance of u6:
// a crossing (iso - a) / (b - a) takes the rounding of both densities, 2^-22 of some units, over
// their difference.
//! resource b0 cbuffer 16 words 0.3
//! resource b1 cbuffer 384 words 17.04 37.75 13.79 9.59 26.39 14.69 31.78 11.29 28.45 11.71 12.67 7.30 44.51 16.52 20.48 10.40 47.87 34.32 27.72 12.02 17.45 42.61 24.98 14.81 14.57 23.02 45.50 8.15 35.07 37.57 25.92 8.45 14.96 14.84 20.37 11.38 28.91 24.86 34.56 12.44 23.62 43.08 39.33 10.63 34.68 32.58 47.52 8.95 24.09 48.27 18.16 12.84 41.76 17.61 31.06 10.34 39.23 43.66 34.86 7.31 25.43 37.87 34.58 14.01 29.87 44.19 48.10 11.64 37.90 14.36 39.36 10.79 49.37 43.17 23.69 12.18 38.32 12.20 29.95 10.09 14.69 12.13 43.28 8.34 20.26 26.64 48.04 8.03 29.20 33.74 48.87 7.64 43.69 24.08 28.66 13.55
//! resource u0 texture3d r32_sfloat 64 64 64 1 zero
//! resource t0 texture3d r32_sfloat 64 64 64 1 is=u0
//! resource u1 structured_buffer 8 65536 zero
//! resource c1 raw_buffer 4 zero
//! resource t1 structured_buffer 8 65536 is=u1
//! resource t2 raw_buffer 4 is=c1
//! resource u2 structured_buffer 20 65536 zero
//! resource u3 structured_buffer 12 131072 zero
//! resource u4 raw_buffer 1024 out zero
//! resource u5 raw_buffer 16 out zero
//! resource u6 structured_buffer 4 12288 out zero
//! resource u7 structured_buffer 4 786432 out zero
//! resource u8 typed_buffer r32_uint 786432 zero
//! require storage_image_write_without_format
//! judge expect
//! judge spirv
//! tolerance u6 f32 abs=1e-4
//! tolerance u7 f32 abs=1e-4
//! pass field
//! stage cs_6_0 make_field
//! pass vertices
//! stage cs_6_0 make_vertices
//! pass classify
//! stage cs_6_0 classify
//! pass triangulate
//! stage cs_6_0 triangulate
//! pass weigh
//! stage cs_6_0 weigh
//! run field 16 16 16
//! run vertices 16 16 16
//! run classify 16 16 16
//! run triangulate 512 1 1
//! run weigh 512 1 1
#include "marching_cubes_table.hlsli"

static const uint SIZE = 64;
static const uint BALLS = 24;

cbuffer Surface : register(b0) {
    float iso;
};

cbuffer Balls : register(b1) {
    float4 balls[BALLS]; // center, radius
};

struct Cell {
    uint node;
    uint cube_case;
};

struct Vertex {
    float3 position;
    uint normal; // octahedral, two snorm16
    uint edge;
};

Texture3D<float> densities : register(t0);
RWTexture3D<float> densities_out : register(u0);
[[vk::counter_binding(1001)]] AppendStructuredBuffer<Cell> cells_out : register(u1);
StructuredBuffer<Cell> cells : register(t1);
ByteAddressBuffer cell_count : register(t2);
RWStructuredBuffer<Vertex> mesh_vertices : register(u2);
RWStructuredBuffer<uint3> mesh_triangles : register(u3);
RWByteAddressBuffer histogram : register(u4);
RWByteAddressBuffer totals : register(u5); // vertices, triangles, hash, open sides
RWStructuredBuffer<float> middle_crossings : register(u6);
RWStructuredBuffer<float> crossings : register(u7);
RWBuffer<uint> vertex_of_edge : register(u8);

// ---- densities ----

[numthreads(4, 4, 4)]
void make_field(uint3 node : SV_DispatchThreadID) {
    float density = 0;
    for (uint i = 0; i < BALLS; i++) {
        float3 away = (float3)node - balls[i].xyz;
        float weight = 1 - dot(away, away) / (balls[i].w * balls[i].w);
        if (weight <= 0)
            continue;
        density += weight * weight;
    }
    densities_out[node] = density;
}

float density_at(int3 node) {
    return densities.Load(int4(node, 0));
}

float3 gradient_at(int3 node) {
    int3 low = max(node - 1, 0), high = min(node + 1, (int)SIZE - 1);
    return float3(
        density_at(int3(high.x, node.yz)) - density_at(int3(low.x, node.yz)),
        density_at(int3(node.x, high.y, node.z)) - density_at(int3(node.x, low.y, node.z)),
        density_at(int3(node.xy, high.z)) - density_at(int3(node.xy, low.z)));
}

uint node_index(uint3 node) {
    return node.x + SIZE * (node.y + SIZE * node.z);
}

// ---- vertices ----

// A unit vector in two snorm16: the octahedron, its lower half folded out.
uint pack_normal(float3 normal) {
    normal /= abs(normal.x) + abs(normal.y) + abs(normal.z);
    float2 folded = normal.xy;
    if (normal.z < 0)
        folded = (1 - abs(normal.yx)) * (normal.xy >= 0 ? 1.0 : -1.0);
    int2 steps = (int2)round(clamp(folded, -1, 1) * 32767);
    return (steps.x & 0xffff) | (uint)steps.y << 16;
}

[numthreads(4, 4, 4)]
void make_vertices(uint3 node : SV_DispatchThreadID) {
    float here = density_at(node);
    for (uint axis = 0; axis < 3; axis++) {
        uint edge = node_index(node) * 3 + axis;
        float crossing = 2;
        int3 end = node;
        end[axis] += 1;
        float there = density_at(end); // zero outside
        if (end[axis] < (int)SIZE && (here > iso) != (there > iso)) {
            crossing = (iso - here) / (there - here);
            uint index;
            totals.InterlockedAdd(0, 1, index);
            Vertex vertex;
            vertex.position = lerp((float3)node, (float3)end, crossing);
            vertex.normal = pack_normal(normalize(-lerp(gradient_at(node), gradient_at(end), crossing)));
            vertex.edge = edge;
            mesh_vertices[index] = vertex;
            vertex_of_edge[edge] = index;
        }
        crossings[edge] = crossing;
        if (node.z == SIZE / 2)
            middle_crossings[edge - node_index(uint3(0, 0, SIZE / 2)) * 3] = crossing;
    }
}

// ---- cells ----

uint3 corner_offset(uint corner) {
    return uint3(corner & 1, corner >> 1 & 1, corner >> 2);
}

[numthreads(4, 4, 4)]
void classify(uint3 node : SV_DispatchThreadID) {
    if (any(node >= SIZE - 1))
        return;
    uint cube_case = 0;
    [unroll] for (uint corner = 0; corner < 8; corner++)
        cube_case |= (density_at(node + corner_offset(corner)) > iso ? 1u : 0u) << corner;
    histogram.InterlockedAdd(cube_case * 4, 1);
    if (cube_case == 0 || cube_case == 255)
        return;
    Cell cell = { node_index(node), cube_case };
    cells_out.Append(cell);
}

// ---- triangles ----

// The grid edge of an edge of a cell: an axis, and the place of its first corner on the two others.
uint grid_edge(uint node, uint edge) {
    uint axis = edge >> 2;
    uint first;
    switch (axis) {
        case 0: first = (edge & 1) * SIZE + (edge >> 1 & 1) * SIZE * SIZE; break;
        case 1: first = (edge & 1) * SIZE * SIZE + (edge >> 1 & 1); break;
        default: first = (edge & 1) + (edge >> 1 & 1) * SIZE; break;
    }
    return (node + first) * 3 + axis;
}

[numthreads(64, 1, 1)]
void triangulate(uint thread : SV_DispatchThreadID) {
    // The dispatch has about as many threads as a device runs at a time. Each thread handles
    // several cells, at a constant stride.
    uint count = cell_count.Load(0);
    for (uint i = thread; i < count; i += 512 * 64) {
        Cell cell = cells[i];
        uint2 edges = TRIANGLES[cell.cube_case];
        uint number = edges.y >> 28;
        uint place;
        totals.InterlockedAdd(4, number, place);
        while (number-- != 0) {
            uint3 corners;
            for (uint c = 0; c < 3; c++) {
                corners[c] = vertex_of_edge[grid_edge(cell.node, edges.x & 15)];
                edges.x = edges.x >> 4 | edges.y << 28;
                edges.y >>= 4;
            }
            mesh_triangles[place++] = corners;
        }
    }
}

// ---- the check ----

uint mix(uint value) {
    value = (value ^ value >> 16) * 0x7feb352du;
    value = (value ^ value >> 15) * 0x846ca68bu;
    return value ^ value >> 16;
}

[numthreads(64, 1, 1)]
void weigh(uint thread : SV_DispatchThreadID) {
    uint count = totals.Load(4);
    uint hash = 0, open = 0;
    for (uint i = thread; i < count; i += 512 * 64) {
        // The hash uses edges of the grid and not vertices, because the order of vertices is
        // unspecified.
        uint3 e = uint3(mesh_vertices[mesh_triangles[i].x].edge, mesh_vertices[mesh_triangles[i].y].edge, mesh_vertices[mesh_triangles[i].z].edge);
        hash += mix(e.x + mix(e.y + mix(e.z))) + mix(e.y + mix(e.z + mix(e.x))) + mix(e.z + mix(e.x + mix(e.y)));
        // If two triangles share a side, it counts once in each direction.
        open += mix(e.x + mix(e.y)) + mix(e.y + mix(e.z)) + mix(e.z + mix(e.x));
        open -= mix(e.y + mix(e.x)) + mix(e.z + mix(e.y)) + mix(e.x + mix(e.z));
    }
    hash = WaveActiveSum(hash);
    open = WaveActiveSum(open);
    if (WaveIsFirstLane()) {
        totals.InterlockedAdd(8, hash);
        totals.InterlockedAdd(12, open);
    }
}
