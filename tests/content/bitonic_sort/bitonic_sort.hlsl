// A bitonic sort of 60,000 particles by distance, far ones first, as transparent drawing wants it:
// 64-bit keys (flipped distance above, index below). `keys` makes them and fills up to 65,536;
// `sort_tiles` sorts 2,048 at a time in groupshared memory; then for sizes 4,096 to 65,536 `step`
// exchanges over distances beyond a tile and `merge_tiles` does the rest of the size in groupshared
// memory. The count of particles is in a buffer, as a simulation leaves it. The model is Python's
// sort of the same squared distances, each operation rounded to 32 bits. It judges the first keys
// (u0), indices (u1) and hashes of all (u2: two per 64 keys). `precise` keeps the distance three
// products and two sums, as the model has it.
//! resource b0 cbuffer 16 words 0 0
//! resource t0 typed_buffer rgba32_sfloat 65536 random_f32 307 -500.0 500.0
//! resource t1 structured_buffer 4 1 words 60000
//! resource u0 structured_buffer 8 65536 out zero
//! resource u1 raw_buffer 262144 out zero
//! resource u2 raw_buffer 8192 out zero
//! resource b1 cbuffer 16 words 12.5 -40.0 7.25 0.0
//! require shader_int64
//! judge expect
//! judge spirv
//! pass keys
//! stage cs_6_0 make_keys
//! pass sort_tiles
//! stage cs_6_0 sort_tiles
//! pass step
//! stage cs_6_0 step_global
//! pass merge_tiles
//! stage cs_6_0 merge_tiles
//! pass indices
//! stage cs_6_0 write_indices
//! pass digest
//! stage cs_6_0 digest
//! run keys 256 1 1
//! run sort_tiles 32 1 1
//! update b0 4096 2048
//! run step 128 1 1
//! run merge_tiles 32 1 1
//! update b0 8192 4096
//! run step 128 1 1
//! update b0 8192 2048
//! run step 128 1 1
//! run merge_tiles 32 1 1
//! update b0 16384 8192
//! run step 128 1 1
//! update b0 16384 4096
//! run step 128 1 1
//! update b0 16384 2048
//! run step 128 1 1
//! run merge_tiles 32 1 1
//! update b0 32768 16384
//! run step 128 1 1
//! update b0 32768 8192
//! run step 128 1 1
//! update b0 32768 4096
//! run step 128 1 1
//! update b0 32768 2048
//! run step 128 1 1
//! run merge_tiles 32 1 1
//! update b0 65536 32768
//! run step 128 1 1
//! update b0 65536 16384
//! run step 128 1 1
//! update b0 65536 8192
//! run step 128 1 1
//! update b0 65536 4096
//! run step 128 1 1
//! update b0 65536 2048
//! run step 128 1 1
//! run merge_tiles 32 1 1
//! run indices 256 1 1
//! run digest 4 1 1

cbuffer Step : register(b0) {
    uint step_size;
    uint step_stride;
};

cbuffer View : register(b1) {
    float3 eye;
};

Buffer<float4> positions : register(t0);
StructuredBuffer<uint> alive : register(t1);
RWStructuredBuffer<uint64_t> keys : register(u0);
RWByteAddressBuffer indices : register(u1);
RWByteAddressBuffer hashes : register(u2);

static const uint THREADS = 1024;
static const uint TILE = 2 * THREADS;

[numthreads(256, 1, 1)]
void make_keys(uint index : SV_DispatchThreadID) {
    uint64_t key = ~(uint64_t)0;
    if (index < alive[0]) {
        precise float3 away = positions[index].xyz - eye;
        precise float squared = (away.x * away.x + away.y * away.y) + away.z * away.z;
        // The bits of positive floats have the order of the floats. Their complement has the
        // reverse order.
        key = (uint64_t)(~asuint(squared)) << 32 | index;
    }
    keys[index] = key;
}

groupshared uint64_t tile_keys[TILE];

// The lower place of exchange `pair` over `stride`.
uint lower_place(uint pair, uint stride) {
    return (pair & ~(stride - 1)) << 1 | (pair & (stride - 1));
}

// One exchange in the tile that begins at `first`.
void exchange_in_tile(uint first, uint pair, uint stride, uint size) {
    uint low = lower_place(pair, stride);
    uint high = low + stride;
    bool ascending = ((first + low) & size) == 0;
    uint64_t a = tile_keys[low], b = tile_keys[high];
    if ((a > b) == ascending) {
        tile_keys[low] = b;
        tile_keys[high] = a;
    }
}

void load_tile(uint first, uint thread) {
    tile_keys[thread] = keys[first + thread];
    tile_keys[thread + THREADS] = keys[first + thread + THREADS];
}

void store_tile(uint first, uint thread) {
    GroupMemoryBarrierWithGroupSync();
    keys[first + thread] = tile_keys[thread];
    keys[first + thread + THREADS] = tile_keys[thread + THREADS];
}

[numthreads(THREADS, 1, 1)]
void sort_tiles(uint3 group : SV_GroupID, uint thread : SV_GroupIndex) {
    uint first = group.x * TILE;
    load_tile(first, thread);
    for (uint size = 2; size <= TILE; size <<= 1) {
        for (uint stride = size >> 1; stride > 0; stride >>= 1) {
            GroupMemoryBarrierWithGroupSync();
            exchange_in_tile(first, thread, stride, size);
        }
    }
    store_tile(first, thread);
}

[numthreads(256, 1, 1)]
void step_global(uint pair : SV_DispatchThreadID) {
    uint low = lower_place(pair, step_stride);
    uint high = low + step_stride;
    uint64_t a = keys[low], b = keys[high];
    bool ascending = (low & step_size) == 0;
    if ((a > b) == ascending) {
        keys[low] = b;
        keys[high] = a;
    }
}

[numthreads(THREADS, 1, 1)]
void merge_tiles(uint3 group : SV_GroupID, uint thread : SV_GroupIndex) {
    uint first = group.x * TILE;
    load_tile(first, thread);
    [unroll] for (uint stride = TILE / 2; stride > 0; stride >>= 1) {
        GroupMemoryBarrierWithGroupSync();
        exchange_in_tile(first, thread, stride, step_size);
    }
    store_tile(first, thread);
}

[numthreads(256, 1, 1)]
void write_indices(uint place : SV_DispatchThreadID) {
    uint64_t key = keys[place];
    indices.Store(place * 4, key == ~(uint64_t)0 ? 0xffffffffu : (uint)key);
}

// ---- the check ----

[numthreads(256, 1, 1)]
void digest(uint block : SV_DispatchThreadID) {
    uint2 hash = 2166136261u;
    for (uint i = 0; i < 64; i++) {
        uint64_t key = keys[block * 64 + i];
        hash = (hash ^ uint2((uint)(key >> 32), indices.Load((block * 64 + i) * 4))) * 16777619u;
    }
    hashes.Store2(block * 8, hash);
}
