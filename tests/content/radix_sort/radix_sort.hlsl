// A stable radix sort of 60,000 pairs (float key, place before), four bits per round, least
// significant first: what an engine does to transparent particles or draw keys. Each round: `count`
// (digits of each tile of 1,024 pairs), `scan` (one group, prefix sums by waves), `scatter` (ranks
// by ballots). The first round makes keys whose unsigned order is the order of the floats, the last
// one turns them back. 2,000 different keys: stability shows. The model is Python's stable sort. It
// judges the first words of the sorted pairs (u0) and the hashes of all (u2: two per 64 pairs). No
// part depends on the size of waves, or on which threads are in one: a wave takes a number, and its
// lanes' logical places follow from that.
//! resource b0 cbuffer 32 words 60000 0 0 65536 1 0
//! resource t0 typed_buffer r32_sfloat 65536 random_f32 211 -1000.0 1000.0
//! resource u0 structured_buffer 8 131072 out zero
//! resource u1 structured_buffer 4 1024 zero
//! resource u2 raw_buffer 8192 out zero
//! args -enable-16bit-types
//! require shader_int16
//! judge expect
//! judge spirv
//! pass count
//! stage cs_6_2 count
//! pass scan
//! stage cs_6_2 scan
//! pass scatter
//! stage cs_6_2 scatter
//! pass digest
//! stage cs_6_2 digest
//! run count 64 1 1
//! run scan 1 1 1
//! run scatter 64 1 1
//! update b0 60000 4 65536 0 0 0
//! run count 64 1 1
//! run scan 1 1 1
//! run scatter 64 1 1
//! update b0 60000 8 0 65536 0 0
//! run count 64 1 1
//! run scan 1 1 1
//! run scatter 64 1 1
//! update b0 60000 12 65536 0 0 0
//! run count 64 1 1
//! run scan 1 1 1
//! run scatter 64 1 1
//! update b0 60000 16 0 65536 0 0
//! run count 64 1 1
//! run scan 1 1 1
//! run scatter 64 1 1
//! update b0 60000 20 65536 0 0 0
//! run count 64 1 1
//! run scan 1 1 1
//! run scatter 64 1 1
//! update b0 60000 24 0 65536 0 0
//! run count 64 1 1
//! run scan 1 1 1
//! run scatter 64 1 1
//! update b0 60000 28 65536 0 0 1
//! run count 64 1 1
//! run scan 1 1 1
//! run scatter 64 1 1
//! run digest 4 1 1

cbuffer Round : register(b0) {
    uint element_count;
    uint shift;
    uint source;
    uint destination;
    uint first_round;
    uint last_round;
};

Buffer<float> keys : register(t0);
RWStructuredBuffer<uint2> pairs : register(u0);
RWStructuredBuffer<uint> histograms : register(u1); // digit * TILES + tile
RWByteAddressBuffer hashes : register(u2);

static const uint THREADS = 256;
static const uint ROUNDS = 4;
static const uint TILE = THREADS * ROUNDS;
static const uint TILES = 64;
static const uint DIGITS = 16;
static const uint MAX_WAVES = THREADS / 4;

// Converts floats to unsigned integers of the same order: all bits of negative floats are flipped,
// and the sign bit of the others.
uint ordered(float value) {
    uint bits = asuint(value);
    return bits ^ ((bits >> 31) != 0 ? 0xffffffffu : 0x80000000u);
}

uint unordered(uint key) {
    return key ^ ((key >> 31) != 0 ? 0x80000000u : 0xffffffffu);
}

uint2 load_pair(uint index) {
    // The keys are integers, so that many of them are equal.
    if (first_round != 0)
        return uint2(ordered(floor(keys[index])), index);
    return pairs[source + index];
}

uint digit_of(uint key) {
    return (key >> shift) & (DIGITS - 1);
}

groupshared uint wave_tickets;

// This thread's place in the group by wave and lane. All threads call it, once.
uint2 wave_and_lane(uint thread) {
    if (thread == 0)
        wave_tickets = 0;
    GroupMemoryBarrierWithGroupSync();
    uint wave = 0;
    if (WaveIsFirstLane())
        InterlockedAdd(wave_tickets, 1, wave);
    return uint2(WaveReadLaneFirst(wave), WaveGetLaneIndex());
}

// ---- digits of a tile ----

groupshared uint digit_counts[DIGITS];

[numthreads(THREADS, 1, 1)]
void count(uint3 group : SV_GroupID, uint thread : SV_GroupIndex) {
    if (thread < DIGITS)
        digit_counts[thread] = 0;
    GroupMemoryBarrierWithGroupSync();
    for (uint i = 0; i < ROUNDS; i++) {
        uint index = group.x * TILE + i * THREADS + thread;
        if (index >= element_count)
            break;
        uint digit = digit_of(load_pair(index).x);
        // One atomic operation per digit and wave: in each iteration, the lanes with the first
        // lane's digit leave the loop together.
        bool counted = false;
        [loop] while (!counted) {
            if (digit == WaveReadLaneFirst(digit)) {
                uint lanes = WaveActiveCountBits(true);
                if (WaveIsFirstLane())
                    InterlockedAdd(digit_counts[digit], lanes);
                counted = true;
            }
        }
    }
    GroupMemoryBarrierWithGroupSync();
    if (thread < DIGITS)
        histograms[thread * TILES + group.x] = digit_counts[thread];
}

// ---- where each digit of each tile begins ----

groupshared uint wave_sums[MAX_WAVES];

[numthreads(THREADS, 1, 1)]
void scan(uint thread : SV_GroupIndex) {
    uint2 place = wave_and_lane(thread);
    uint logical = place.x * WaveGetLaneCount() + place.y;
    uint4 counts;
    [unroll] for (uint i = 0; i < 4; i++)
        counts[i] = histograms[logical * 4 + i];
    uint sum = dot(counts, 1);
    uint before = WavePrefixSum(sum);
    uint wave_sum = WaveActiveSum(sum);
    if (WaveIsFirstLane())
        wave_sums[place.x] = wave_sum;
    GroupMemoryBarrierWithGroupSync();
    for (uint wave = 0; wave < place.x; wave++)
        before += wave_sums[wave];
    histograms[logical * 4] = before;
    histograms[logical * 4 + 1] = before + counts.x;
    histograms[logical * 4 + 2] = before + counts.x + counts.y;
    histograms[logical * 4 + 3] = before + counts.x + counts.y + counts.z;
}

// ---- the stable scatter ----

groupshared uint digit_bases[DIGITS];
groupshared uint16_t wave_digits[MAX_WAVES * DIGITS]; // a wave has at most 128 lanes, a tile 1,024 pairs

// The lanes of this wave whose digit equals this lane's. Lanes without a pair have digits of their
// own.
uint4 lanes_of(uint digit, bool valid) {
    uint4 lanes = WaveActiveBallot(valid);
    if (!valid)
        lanes = ~lanes;
    [unroll] for (uint bit = 0; bit < 4; bit++) {
        bool one = (digit >> bit & 1) != 0;
        uint4 ones = WaveActiveBallot(one);
        lanes &= one ? ones : ~ones;
    }
    return lanes;
}

uint count_bits(uint4 mask) {
    uint4 bits = countbits(mask);
    return bits.x + bits.y + bits.z + bits.w;
}

// The bits of the lanes before a lane, in the form of a ballot.
uint4 lanes_before(uint lane) {
    int4 bits = (int)lane - int4(0, 32, 64, 96);
    uint4 mask;
    [unroll] for (uint i = 0; i < 4; i++)
        mask[i] = bits[i] <= 0 ? 0u : bits[i] >= 32 ? 0xffffffffu : (1u << bits[i]) - 1;
    return mask;
}

[numthreads(THREADS, 1, 1)]
void scatter(uint3 group : SV_GroupID, uint thread : SV_GroupIndex) {
    uint2 place = wave_and_lane(thread);
    uint waves = THREADS / WaveGetLaneCount();
    uint logical = place.x * WaveGetLaneCount() + place.y;
    if (thread < DIGITS)
        digit_bases[thread] = histograms[thread * TILES + group.x];

    [loop] for (uint i = 0; i < ROUNDS; i++) {
        for (uint clear = thread; clear < waves * DIGITS; clear += THREADS)
            wave_digits[clear] = (uint16_t)0;
        GroupMemoryBarrierWithGroupSync();

        uint index = group.x * TILE + i * THREADS + logical;
        bool valid = index < element_count;
        uint2 pair = 0;
        if (valid)
            pair = load_pair(index);
        uint digit = digit_of(pair.x);
        uint4 peers = lanes_of(digit, valid);
        uint rank = count_bits(peers & lanes_before(place.y));
        if (valid && rank == 0)
            wave_digits[place.x * DIGITS + digit] = (uint16_t)count_bits(peers);
        GroupMemoryBarrierWithGroupSync();

        // Turns counts into places: one thread per digit walks over the waves.
        uint total = 0;
        if (thread < DIGITS) {
            for (uint wave = 0; wave < waves; wave++) {
                uint16_t lanes = wave_digits[wave * DIGITS + thread];
                wave_digits[wave * DIGITS + thread] = (uint16_t)total;
                total += lanes;
            }
        }
        GroupMemoryBarrierWithGroupSync();

        if (valid) {
            uint target = digit_bases[digit] + wave_digits[place.x * DIGITS + digit] + rank;
            if (last_round != 0)
                pair.x = unordered(pair.x);
            pairs[destination + target] = pair;
        }
        GroupMemoryBarrierWithGroupSync();
        if (thread < DIGITS)
            digit_bases[thread] += total;
    }
}

// ---- the check ----

[numthreads(THREADS, 1, 1)]
void digest(uint block : SV_DispatchThreadID) {
    uint2 hash = 2166136261u;
    for (uint i = 0; i < 64; i++)
        hash = (hash ^ pairs[block * 64 + i]) * 16777619u;
    hashes.Store2(block * 8, hash);
}
