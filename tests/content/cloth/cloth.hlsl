// A sheet of 128 x 128 particles, held at one edge, falls over a ball in the wind: position based
// dynamics, eight steps. Each step: `integrate` (Verlet, gravity, wind on the normals of the step
// before); three times the threads of warp and weft, even and odd ones apart, so that no particle
// is in two constraints at once; `shear` (diagonals and bending, all at once from one buffer to
// another); `collide` (ball, floor, friction); `normals` (tiles with a border in groupshared
// memory, kept as halves). Half way the wind turns. At last `measure`: the largest stretch, by
// atomics on the bits of floats. Compared: all positions and normals with DXC's SPIR-V; every 16th
// particle (u5) and the stretch (u4) with a model in f64. The tolerances: a position is near 1,
// with 2^-24 of error per operation; eight steps of some 60 corrections each let it grow a few
// hundred times. A normal of neighbours 0.01 apart has a hundred times the positions' error, and
// halves round it to 2^-11.
//! resource b0 cbuffer 64 words 1.0 0.016666668 -9.81 0.995 0.35 -0.1 0.2 0.32 2.0 0.5 -3.0 0.4
//! resource t0 structured_buffer 8 16384 random_f32 511 -0.001 0.001
//! resource u0 structured_buffer 16 16384 out zero
//! resource u1 structured_buffer 16 16384 zero
//! resource u2 structured_buffer 16 16384 zero
//! resource u3 structured_buffer 8 16384 out zero
//! resource u4 raw_buffer 8 out zero
//! resource u5 structured_buffer 16 1024 out zero
//! args -enable-16bit-types
//! require shader_float16 storage_buffer_16bit
//! judge expect
//! judge spirv
//! tolerance u0 f32 abs=2e-5
//! tolerance u3 f16 abs=4e-3
//! tolerance u4 f32 abs=1e-3
//! tolerance u5 f32 abs=2e-5
//! pass init
//! stage cs_6_2 init
//! pass integrate
//! stage cs_6_2 integrate
//! pass warp_even
//! stage cs_6_2 warp_even
//! pass warp_odd
//! stage cs_6_2 warp_odd
//! pass weft_even
//! stage cs_6_2 weft_even
//! pass weft_odd
//! stage cs_6_2 weft_odd
//! pass shear
//! stage cs_6_2 shear
//! pass collide
//! stage cs_6_2 collide
//! pass normals
//! stage cs_6_2 normals
//! pass measure
//! stage cs_6_2 measure
//! pass probe
//! stage cs_6_2 probe
//! run init 64 1 1
//! run normals 8 8 1
//! run integrate 64 1 1
//! run warp_even 32 1 1
//! run warp_odd 32 1 1
//! run weft_even 32 1 1
//! run weft_odd 32 1 1
//! run warp_even 32 1 1
//! run warp_odd 32 1 1
//! run weft_even 32 1 1
//! run weft_odd 32 1 1
//! run warp_even 32 1 1
//! run warp_odd 32 1 1
//! run weft_even 32 1 1
//! run weft_odd 32 1 1
//! run shear 64 1 1
//! run collide 64 1 1
//! run normals 8 8 1
//! run integrate 64 1 1
//! run warp_even 32 1 1
//! run warp_odd 32 1 1
//! run weft_even 32 1 1
//! run weft_odd 32 1 1
//! run warp_even 32 1 1
//! run warp_odd 32 1 1
//! run weft_even 32 1 1
//! run weft_odd 32 1 1
//! run warp_even 32 1 1
//! run warp_odd 32 1 1
//! run weft_even 32 1 1
//! run weft_odd 32 1 1
//! run shear 64 1 1
//! run collide 64 1 1
//! run normals 8 8 1
//! run integrate 64 1 1
//! run warp_even 32 1 1
//! run warp_odd 32 1 1
//! run weft_even 32 1 1
//! run weft_odd 32 1 1
//! run warp_even 32 1 1
//! run warp_odd 32 1 1
//! run weft_even 32 1 1
//! run weft_odd 32 1 1
//! run warp_even 32 1 1
//! run warp_odd 32 1 1
//! run weft_even 32 1 1
//! run weft_odd 32 1 1
//! run shear 64 1 1
//! run collide 64 1 1
//! run normals 8 8 1
//! run integrate 64 1 1
//! run warp_even 32 1 1
//! run warp_odd 32 1 1
//! run weft_even 32 1 1
//! run weft_odd 32 1 1
//! run warp_even 32 1 1
//! run warp_odd 32 1 1
//! run weft_even 32 1 1
//! run weft_odd 32 1 1
//! run warp_even 32 1 1
//! run warp_odd 32 1 1
//! run weft_even 32 1 1
//! run weft_odd 32 1 1
//! run shear 64 1 1
//! run collide 64 1 1
//! run normals 8 8 1
//! update b0 1.5 0.016666668 -9.81 0.995 0.35 -0.1 0.2 0.32 -3.0 1.0 4.0 0.4
//! run integrate 64 1 1
//! run warp_even 32 1 1
//! run warp_odd 32 1 1
//! run weft_even 32 1 1
//! run weft_odd 32 1 1
//! run warp_even 32 1 1
//! run warp_odd 32 1 1
//! run weft_even 32 1 1
//! run weft_odd 32 1 1
//! run warp_even 32 1 1
//! run warp_odd 32 1 1
//! run weft_even 32 1 1
//! run weft_odd 32 1 1
//! run shear 64 1 1
//! run collide 64 1 1
//! run normals 8 8 1
//! run integrate 64 1 1
//! run warp_even 32 1 1
//! run warp_odd 32 1 1
//! run weft_even 32 1 1
//! run weft_odd 32 1 1
//! run warp_even 32 1 1
//! run warp_odd 32 1 1
//! run weft_even 32 1 1
//! run weft_odd 32 1 1
//! run warp_even 32 1 1
//! run warp_odd 32 1 1
//! run weft_even 32 1 1
//! run weft_odd 32 1 1
//! run shear 64 1 1
//! run collide 64 1 1
//! run normals 8 8 1
//! run integrate 64 1 1
//! run warp_even 32 1 1
//! run warp_odd 32 1 1
//! run weft_even 32 1 1
//! run weft_odd 32 1 1
//! run warp_even 32 1 1
//! run warp_odd 32 1 1
//! run weft_even 32 1 1
//! run weft_odd 32 1 1
//! run warp_even 32 1 1
//! run warp_odd 32 1 1
//! run weft_even 32 1 1
//! run weft_odd 32 1 1
//! run shear 64 1 1
//! run collide 64 1 1
//! run normals 8 8 1
//! run integrate 64 1 1
//! run warp_even 32 1 1
//! run warp_odd 32 1 1
//! run weft_even 32 1 1
//! run weft_odd 32 1 1
//! run warp_even 32 1 1
//! run warp_odd 32 1 1
//! run weft_even 32 1 1
//! run weft_odd 32 1 1
//! run warp_even 32 1 1
//! run warp_odd 32 1 1
//! run weft_even 32 1 1
//! run weft_odd 32 1 1
//! run shear 64 1 1
//! run collide 64 1 1
//! run normals 8 8 1
//! run measure 64 1 1
//! run probe 4 1 1

static const uint SIZE = 128;
static const uint PARTICLES = SIZE * SIZE;
static const float SPACING = 1.0 / (SIZE - 1);
static const float FLOOR = 0.175;

cbuffer World : register(b0) {
    float gust;
    float step_time;
    float gravity;
    float damping;
    float4 ball; // center, radius
    float3 wind;
    float friction;
};

struct Particle {
    float3 position;
    float inverse_mass;
};

StructuredBuffer<float2> jitter : register(t0);
RWStructuredBuffer<Particle> particles : register(u0);
RWStructuredBuffer<Particle> before : register(u1);
RWStructuredBuffer<Particle> relaxed : register(u2);
RWStructuredBuffer<half4> normals_of : register(u3);
RWByteAddressBuffer stretch : register(u4); // largest along warp, along weft
RWStructuredBuffer<Particle> probes : register(u5);

uint index_of(int2 place) {
    return place.x + place.y * SIZE;
}

bool in_sheet(int2 place) {
    return all(place >= 0) && all(place < (int2)SIZE);
}

[numthreads(256, 1, 1)]
void init(uint index : SV_DispatchThreadID) {
    uint2 place = uint2(index % SIZE, index / SIZE);
    Particle particle;
    particle.position = float3(place.x * SPACING - 0.5 + jitter[index].x, 0.25 + jitter[index].y, place.y * SPACING - 0.5);
    particle.inverse_mass = place.y == 0 && (place.x & 15) < 4 ? 0 : 1; // pegs on a line
    particles[index] = particle;
    before[index] = particle;
}

[numthreads(256, 1, 1)]
void integrate(uint index : SV_DispatchThreadID) {
    Particle particle = particles[index];
    float3 velocity = (particle.position - before[index].position) * damping;
    before[index] = particle;
    if (particle.inverse_mass == 0)
        return;
    float3 normal = (float3)normals_of[index].xyz;
    float3 force = float3(0, gravity, 0) + normal * (dot(normal, wind) * gust);
    particle.position += velocity + force * (step_time * step_time);
    particles[index] = particle;
}

// ---- stretch: one constraint per thread, no two of one pass at the same particle ----

// The displacement of each end that gives the distance `rest`, before it is scaled by the inverse
// mass.
float3 correction(Particle a, Particle b, float rest) {
    float3 along = b.position - a.position;
    float masses = a.inverse_mass + b.inverse_mass;
    float distance = length(along);
    if (masses == 0 || distance < 1e-6)
        return 0;
    return along * ((distance - rest) / (distance * masses));
}

void satisfy(uint2 first, uint2 second) {
    if (any(second >= SIZE))
        return;
    Particle a = particles[index_of(first)], b = particles[index_of(second)];
    float3 move = correction(a, b, SPACING);
    particles[index_of(first)].position = a.position + move * a.inverse_mass;
    particles[index_of(second)].position = b.position - move * b.inverse_mass;
}

[numthreads(256, 1, 1)]
void warp_even(uint thread : SV_DispatchThreadID) {
    uint2 place = uint2(thread % SIZE, thread / SIZE * 2);
    satisfy(place, place + uint2(0, 1));
}

[numthreads(256, 1, 1)]
void warp_odd(uint thread : SV_DispatchThreadID) {
    uint2 place = uint2(thread % SIZE, thread / SIZE * 2 + 1);
    satisfy(place, place + uint2(0, 1));
}

[numthreads(256, 1, 1)]
void weft_even(uint thread : SV_DispatchThreadID) {
    uint2 place = uint2(thread % (SIZE / 2) * 2, thread / (SIZE / 2));
    satisfy(place, place + uint2(1, 0));
}

[numthreads(256, 1, 1)]
void weft_odd(uint thread : SV_DispatchThreadID) {
    uint2 place = uint2(thread % (SIZE / 2) * 2 + 1, thread / (SIZE / 2));
    satisfy(place, place + uint2(1, 0));
}

// ---- shear and bending, from `particles` to `relaxed` ----

static const int2 NEIGHBOURS[8] = {
    int2(-1, -1), int2(1, -1), int2(-1, 1), int2(1, 1), int2(-2, 0), int2(2, 0), int2(0, -2), int2(0, 2),
};

[numthreads(256, 1, 1)]
void shear(uint index : SV_DispatchThreadID) {
    int2 place = int2(index % SIZE, index / SIZE);
    Particle particle = particles[index];
    float3 sum = 0;
    for (uint i = 0; i < 8; i++) {
        int2 other = place + NEIGHBOURS[i];
        if (!in_sheet(other))
            continue;
        bool diagonal = i < 4;
        float rest = diagonal ? SPACING * 1.41421356 : SPACING * 2;
        float stiffness = diagonal ? 0.25 : 0.0625;
        sum += correction(particle, particles[index_of(other)], rest) * stiffness;
    }
    particle.position += sum * particle.inverse_mass;
    relaxed[index] = particle;
}

// ---- contact, from `relaxed` to `particles` ----

// The position after a contact of this depth along `normal`: moved out of the body, and with less
// motion along its surface, by Coulomb's law.
float3 contact(float3 position, float3 old, float3 normal, float depth) {
    position += normal * depth;
    float3 moved = position - old;
    float3 tangential = moved - normal * dot(moved, normal);
    float way = length(tangential);
    if (way > 1e-7)
        position -= tangential * min(friction * depth / way, 1);
    return position;
}

[numthreads(256, 1, 1)]
void collide(uint index : SV_DispatchThreadID) {
    Particle particle = relaxed[index];
    if (particle.inverse_mass != 0) {
        float3 old = before[index].position;
        float3 away = particle.position - ball.xyz;
        float distance = length(away);
        if (distance < ball.w)
            particle.position = contact(particle.position, old, away / distance, ball.w - distance);
        if (particle.position.y < FLOOR)
            particle.position = contact(particle.position, old, float3(0, 1, 0), FLOOR - particle.position.y);
    }
    particles[index] = particle;
}

// ---- normals: the sum of the triangles around each particle ----

static const uint TILE = 16;
static const uint BORDERED = TILE + 2;

groupshared float3 tile[BORDERED * BORDERED];

[numthreads(TILE, TILE, 1)]
void normals(uint3 group : SV_GroupID, uint3 thread : SV_GroupThreadID, uint flat_thread : SV_GroupIndex) {
    int2 corner = (int2)(group.xy * TILE) - 1;
    for (uint i = flat_thread; i < BORDERED * BORDERED; i += TILE * TILE) {
        // Beyond the border of the sheet, its last row or column is repeated.
        int2 place = clamp(corner + int2(i % BORDERED, i / BORDERED), 0, (int)SIZE - 1);
        tile[i] = particles[index_of(place)].position;
    }
    GroupMemoryBarrierWithGroupSync();
    uint at = thread.x + 1 + (thread.y + 1) * BORDERED;
    float3 here = tile[at];
    float3 right = tile[at + 1] - here, left = tile[at - 1] - here;
    float3 down = tile[at + BORDERED] - here, up = tile[at - BORDERED] - here;
    float3 normal = cross(down, right) + cross(right, up) + cross(up, left) + cross(left, down);
    uint2 place = group.xy * TILE + thread.xy;
    normals_of[index_of(place)] = half4((half3)normalize(normal), (half)1);
}

// ---- the check ----

groupshared uint2 group_stretch;

[numthreads(256, 1, 1)]
void measure(uint index : SV_DispatchThreadID, uint thread : SV_GroupIndex) {
    if (thread == 0)
        group_stretch = 0;
    GroupMemoryBarrierWithGroupSync();
    uint2 place = uint2(index % SIZE, index / SIZE);
    float3 here = particles[index].position;
    // The bits of positive floats have the order of the floats.
    if (place.y + 1 < SIZE)
        InterlockedMax(group_stretch.x, asuint(length(particles[index + SIZE].position - here) / SPACING));
    if (place.x + 1 < SIZE)
        InterlockedMax(group_stretch.y, asuint(length(particles[index + 1].position - here) / SPACING));
    GroupMemoryBarrierWithGroupSync();
    if (thread < 2)
        stretch.InterlockedMax(thread * 4, group_stretch[thread]);
}

[numthreads(256, 1, 1)]
void probe(uint index : SV_DispatchThreadID) {
    probes[index] = particles[index * 16 + index * 7 % 16];
}
