// Ray queries whose translation is refused, and one that is not, for `translator/tests/queries.rs`.
// Compiled with `-T cs_6_5 -E NAME` to NAME.dxil. The others are made of the text of `once`, without
// validation: `micromaps.ll` has a flag of opacity micromaps, `not_a_structure.ll` traces a buffer, and
// `no_query.ll` has the operations of a query without the one that allocates it.
RaytracingAccelerationStructure world : register(t0);
ByteAddressBuffer words : register(t1);
RWByteAddressBuffer results : register(u0);

RayDesc ray_of(uint n) {
    RayDesc ray = { float3(n, 0, 0), 0.0, float3(0, 0, 1), 90.0 };
    return ray;
}

[numthreads(1, 1, 1)]
void once() {
    RayQuery<RAY_FLAG_NONE> query;
    query.TraceRayInline(world, RAY_FLAG_NONE, 0xff, ray_of(words.Load(0)));
    query.Proceed();
    results.Store(0, query.CommittedStatus());
}

// The query of the round before is read.
[numthreads(1, 1, 1)]
void previous() {
    RayQuery<RAY_FLAG_NONE> before;
    before.TraceRayInline(world, RAY_FLAG_NONE, 0xff, ray_of(0));
    [loop]
    for (uint i = 0; i < words.Load(0); i++) {
        RayQuery<RAY_FLAG_NONE> query;
        query.TraceRayInline(world, RAY_FLAG_NONE, 0xff, ray_of(i));
        query.Proceed();
        results.Store(i * 4, before.CommittedStatus());
        if (words.Load(i * 4) == 7)
            before = query;
    }
}

// The queries of all rounds are in an array.
[numthreads(1, 1, 1)]
void stored() {
    RayQuery<RAY_FLAG_NONE> all[4];
    [loop]
    for (uint i = 0; i < 4; i++) {
        RayQuery<RAY_FLAG_NONE> query;
        query.TraceRayInline(world, RAY_FLAG_NONE, 0xff, ray_of(i));
        all[i] = query;
    }
    all[words.Load(0) & 3].Proceed();
    results.Store(0, all[words.Load(0) & 3].CommittedStatus());
}

// One of two queries of the same round.
[numthreads(1, 1, 1)]
void round() {
    [loop]
    for (uint i = 0; i < words.Load(0); i++) {
        RayQuery<RAY_FLAG_NONE> one, two;
        one.TraceRayInline(world, RAY_FLAG_NONE, 0xff, ray_of(i));
        two.TraceRayInline(world, RAY_FLAG_NONE, 0xff, ray_of(i + 1));
        RayQuery<RAY_FLAG_NONE> query = one;
        if (words.Load(i * 4) == 7)
            query = two;
        query.Proceed();
        results.Store(i * 4, query.CommittedStatus());
    }
}
