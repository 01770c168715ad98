// GPU-driven culling of 65,536 instances of 16 meshes: what was drawn in the last frame needs the
// frustum's test, all else the occlusion's too; then a level of detail, compaction by mesh and
// level, and the arguments of 64 indirect draws. Passes: `occluders` (a depth buffer of 48
// rectangles), `pyramid`, `pyramid_top` (farthest depths, five and three mips by groupshared
// memory), `cull`, `arguments`, `scatter` (instances by draw), `canonical`. The order of instances
// within a draw is not defined: compared are the arguments (u12), a sum over hashes for each draw
// (u15), the bits of what is visible (u14), counts of what was rejected and why (u16), and the
// pyramid (t1). The model rounds every operation to 32 bits as the shader does (`precise`),
// division included, which is correctly rounded on the drivers under test.
//! resource t0 structured_buffer 16 65536 random_f32 801 0.0 1.0
//! resource t2 raw_buffer 8192 random_u32 802
//! resource t3 structured_buffer 20 48 random_f32 803 0.0 1.0
//! resource t4 typed_buffer rgba32_uint 64 random_u32 804
//! resource b0 cbuffer 96 words 0.8660254 0.0 0.5 -3.0 0.0 1.0 0.0 1.5 -0.5 0.0 0.8660254 -6.0 0.70710677 0.70710677 0.8944272 0.4472136 0.25 120.0 1.0 2.0 65536 0
//! resource u0 texture2d r32_sfloat 512 256 1 1 zero
//! resource t5 texture2d r32_sfloat 512 256 1 1 is=u0
//! resource t1 texture2d r32_sfloat 256 128 1 8 out zero
//! resource u1 texture2d r32_sfloat 256 128 1 8 is=t1 count=8 mip=each
//! resource u10 structured_buffer 4 64 out zero
//! resource u11 structured_buffer 8 65536 zero
//! resource u12 structured_buffer 20 64 out zero
//! resource u13 structured_buffer 4 65536 zero
//! resource u14 raw_buffer 8192 out zero
//! resource u15 structured_buffer 4 64 out zero
//! resource u16 raw_buffer 32 out zero
//! resource u17 structured_buffer 4 64 zero
//! require storage_image_read_without_format storage_image_write_without_format
//! judge expect
//! judge spirv
//! pass occluders
//! stage cs_6_0 draw_occluders
//! pass pyramid
//! stage cs_6_0 make_pyramid
//! pass pyramid_top
//! stage cs_6_0 make_pyramid_top
//! pass cull
//! stage cs_6_0 cull
//! pass arguments
//! stage cs_6_0 make_arguments
//! pass scatter
//! stage cs_6_0 scatter
//! pass canonical
//! stage cs_6_0 canonical
//! run occluders 64 32 1
//! run pyramid 16 8 1
//! run pyramid_top 1 1 1
//! run cull 512 1 1
//! run arguments 1 1 1
//! run scatter 512 1 1
//! run canonical 64 1 1

cbuffer View : register(b0) {
    float4 view_rows[3]; // world to view: rotation, translation
    float2 side_plane;   // inward normals of the frustum: (±x, z) and (±y, z)
    float2 top_plane;
    float near_depth;
    float far_depth;
    float2 projection;
    uint instance_count;
};

struct Rectangle {
    float2 corner;
    float2 size;
    float depth;
};

static const uint MESHES = 16;
static const uint LEVELS = 4;
static const uint DRAWS = MESHES * LEVELS;
static const uint MIPS = 8;
static const uint2 PYRAMID = uint2(256, 128);

StructuredBuffer<float4> instances : register(t0); // place in the world, size
Texture2D<float> pyramid : register(t1);
ByteAddressBuffer drawn_before : register(t2);
StructuredBuffer<Rectangle> rectangles : register(t3);
Buffer<uint4> meshes : register(t4); // index count, first index, base vertex, -
Texture2D<float> depths : register(t5);
RWTexture2D<float> depths_out : register(u0);
RWTexture2D<float> pyramid_mips[MIPS] : register(u1);
RWStructuredBuffer<uint> draw_counts : register(u10);
RWStructuredBuffer<uint2> visible : register(u11); // instance, draw
struct Arguments {
    uint index_count;
    uint instance_count;
    uint first_index;
    int base_vertex;
    uint first_instance;
};
RWStructuredBuffer<Arguments> draws : register(u12);
RWStructuredBuffer<uint> drawn : register(u13);
RWByteAddressBuffer visible_bits : register(u14);
RWStructuredBuffer<uint> draw_hashes : register(u15);
RWByteAddressBuffer totals : register(u16); // visible, then rejections by reason
RWStructuredBuffer<uint> draw_cursors : register(u17);

// ---- depth and its pyramid ----

[numthreads(8, 8, 1)]
void draw_occluders(uint2 pixel : SV_DispatchThreadID) {
    float depth = far_depth;
    uint count, stride;
    rectangles.GetDimensions(count, stride);
    for (uint i = 0; i < count; i++) {
        Rectangle rectangle = rectangles[i];
        uint2 low = (uint2)(rectangle.corner * float2(480, 224));
        uint2 size = (uint2)(rectangle.size * float2(120, 100));
        if (any(pixel < low) || any(pixel >= low + size))
            continue;
        precise float here = rectangle.depth * 40 + 8;
        depth = min(depth, here);
    }
    depths_out[pixel] = depth;
}

groupshared float corners[16][16];

float farthest(float4 values) {
    return max(max(values.x, values.y), max(values.z, values.w));
}

// Mips `first` and after, from the texels of the mip before in `corners`; a group has 16 x 16 of
// them, and half as many in each further step.
void reduce_corners(uint2 group, uint2 thread, uint first, uint last) {
    uint side = 8;
    [loop] for (uint mip = first; mip <= last; mip++) {
        GroupMemoryBarrierWithGroupSync();
        bool works = all(thread < side);
        float value = 0;
        if (works) {
            uint2 at = thread * 2;
            value = farthest(float4(corners[at.y][at.x], corners[at.y][at.x + 1], corners[at.y + 1][at.x], corners[at.y + 1][at.x + 1]));
        }
        GroupMemoryBarrierWithGroupSync();
        if (works) {
            corners[thread.y][thread.x] = value;
            uint2 texel = group * side + thread;
            if (all(texel < max(PYRAMID >> mip, 1)))
                pyramid_mips[mip][texel] = value;
        }
        side >>= 1;
    }
}

[numthreads(16, 16, 1)]
void make_pyramid(uint2 group : SV_GroupID, uint2 thread : SV_GroupThreadID, uint2 texel : SV_DispatchThreadID) {
    int3 at = int3(texel * 2, 0);
    float value = farthest(float4(depths.Load(at), depths.Load(at, int2(1, 0)), depths.Load(at, int2(0, 1)), depths.Load(at, int2(1, 1))));
    pyramid_mips[0][texel] = value;
    corners[thread.y][thread.x] = value;
    reduce_corners(group, thread, 1, 4);
}

[numthreads(16, 16, 1)]
void make_pyramid_top(uint2 thread : SV_GroupThreadID) {
    // Mip 4 has 16 x 8 texels. The other rows count as depth 0.
    corners[thread.y][thread.x] = thread.y < 8 ? pyramid_mips[4][thread] : 0;
    reduce_corners(0, thread, 5, 7);
}

// ---- culling ----

static const uint VISIBLE = 0;
static const uint BEYOND_DEPTH = 1;
static const uint BEYOND_SIDES = 2;
static const uint BEHIND = 3;

// The position of a sphere's edge on an axis of the pyramid, at the edge's nearer or farther depth,
// whichever is farther out.
int edge_texel(float edge, float outward, float nearest, float far_side, float scale, uint size) {
    precise float ratio = edge / (edge * outward > 0 ? nearest : far_side);
    precise float texel = ratio * scale * (size * 0.5) + size * 0.5;
    return (int)clamp(texel, 0, size - 1);
}

bool occluded(float3 center, float radius) {
    precise float nearest = center.z - radius, far_side = center.z + radius;
    if (nearest < near_depth)
        return false;
    precise float2 low_edge = center.xy - radius, high_edge = center.xy + radius;
    int x0 = edge_texel(low_edge.x, -1, nearest, far_side, projection.x, PYRAMID.x);
    int x1 = edge_texel(high_edge.x, 1, nearest, far_side, projection.x, PYRAMID.x);
    int y0 = edge_texel(low_edge.y, -1, nearest, far_side, projection.y, PYRAMID.y);
    int y1 = edge_texel(high_edge.y, 1, nearest, far_side, projection.y, PYRAMID.y);
    // The finest mip in which four texels cover the rectangle.
    uint mip = firstbithigh((uint)max(max(x1 - x0, y1 - y0), 1));
    [loop] while ((x1 >> mip) - (x0 >> mip) > 1 || (y1 >> mip) - (y0 >> mip) > 1)
        mip++;
    int4 place = int4(x0, y0, x1, y1) >> mip;
    float depth = farthest(float4(
        pyramid.Load(int3(place.xy, mip)), pyramid.Load(int3(place.zy, mip)), pyramid.Load(int3(place.xw, mip)), pyramid.Load(int3(place.zw, mip))));
    return nearest > depth;
}

uint test(float3 center, float radius, bool was_drawn) {
    precise float nearest = center.z - radius, far_side = center.z + radius;
    if (far_side < near_depth || nearest > far_depth)
        return BEYOND_DEPTH;
    precise float beside = abs(center.x) * side_plane.x - center.z * side_plane.y;
    precise float above = abs(center.y) * top_plane.x - center.z * top_plane.y;
    if (beside > radius || above > radius)
        return BEYOND_SIDES;
    if (!was_drawn && occluded(center, radius))
        return BEHIND;
    return VISIBLE;
}

float3 to_view(float3 world) {
    float3 result;
    [unroll] for (uint i = 0; i < 3; i++) {
        precise float value = ((view_rows[i].x * world.x + view_rows[i].y * world.y) + view_rows[i].z * world.z) + view_rows[i].w;
        result[i] = value;
    }
    return result;
}

groupshared uint group_counts[DRAWS];
groupshared uint group_reasons[4];

[numthreads(128, 1, 1)]
void cull(uint index : SV_DispatchThreadID, uint thread : SV_GroupIndex) {
    if (thread < DRAWS)
        group_counts[thread] = 0;
    if (thread < 4)
        group_reasons[thread] = 0;
    GroupMemoryBarrierWithGroupSync();

    float4 instance = instances[index];
    precise float3 world = (instance.xyz * 2 - 1) * float3(80, 12, 80) + float3(0, 0, 50);
    precise float radius = instance.w * 1.5 + 0.25;
    float3 center = to_view(world);
    bool was_drawn = (drawn_before.Load(index / 32 * 4) >> (index & 31) & 1) != 0;
    uint reason = index < instance_count ? test(center, radius, was_drawn) : BEYOND_DEPTH;
    InterlockedAdd(group_reasons[reason], 1);

    bool shown = reason == VISIBLE;
    uint draw = 0;
    if (shown) {
        // Levels by the size on the screen: each has a fourth of the area of the one before.
        precise float squared = (center.x * center.x + center.y * center.y) + center.z * center.z;
        precise float area = radius * radius * 400;
        uint level = 0;
        while (level < LEVELS - 1 && area < squared) {
            area *= 4;
            level++;
        }
        draw = index % MESHES * LEVELS + level;
        InterlockedAdd(group_counts[draw], 1);
        visible_bits.InterlockedOr(index / 32 * 4, 1u << (index & 31));
    }
    // One atomic operation reserves the places of the whole wave in the list.
    uint number = WaveActiveCountBits(shown), before = WavePrefixCountBits(shown);
    uint first = 0;
    if (WaveIsFirstLane())
        totals.InterlockedAdd(0, number, first);
    first = WaveReadLaneFirst(first);
    if (shown)
        visible[first + before] = uint2(index, draw);

    GroupMemoryBarrierWithGroupSync();
    if (thread < DRAWS && group_counts[thread] != 0)
        InterlockedAdd(draw_counts[thread], group_counts[thread]);
    if (thread > 0 && thread < 4)
        totals.InterlockedAdd(thread * 4, group_reasons[thread]);
}

// ---- draws ----

groupshared uint scanned[DRAWS];

[numthreads(DRAWS, 1, 1)]
void make_arguments(uint draw : SV_GroupIndex) {
    uint count = draw_counts[draw];
    scanned[draw] = count;
    [unroll] for (uint distance = 1; distance < DRAWS; distance *= 2) {
        GroupMemoryBarrierWithGroupSync();
        uint left = draw >= distance ? scanned[draw - distance] : 0;
        GroupMemoryBarrierWithGroupSync();
        scanned[draw] += left;
    }
    uint4 mesh = meshes[draw];
    Arguments arguments;
    arguments.index_count = (mesh.x & 0xfff) * 3;
    arguments.instance_count = count;
    arguments.first_index = mesh.y >> 8;
    arguments.base_vertex = (int)mesh.z >> 12;
    arguments.first_instance = scanned[draw] - count;
    draws[draw] = arguments;
    draw_cursors[draw] = arguments.first_instance;
}

[numthreads(128, 1, 1)]
void scatter(uint index : SV_DispatchThreadID) {
    if (index >= totals.Load(0))
        return;
    uint2 entry = visible[index];
    uint place;
    InterlockedAdd(draw_cursors[entry.y], 1, place);
    drawn[place] = entry.x;
}

// ---- the check ----

uint mix(uint value) {
    value = (value ^ value >> 16) * 0x7feb352du;
    value = (value ^ value >> 15) * 0x846ca68bu;
    return value ^ value >> 16;
}

[numthreads(64, 1, 1)]
void canonical(uint draw : SV_GroupID, uint thread : SV_GroupIndex) {
    uint first = draws[draw].first_instance, end = first + draws[draw].instance_count;
    uint sum = 0;
    for (uint i = first + thread; i < end; i += 64)
        sum += mix(drawn[i] + 1);
    InterlockedAdd(draw_hashes[draw], sum);
}
