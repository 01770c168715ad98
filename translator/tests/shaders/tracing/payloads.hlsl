// dxc -T lib_6_3 -Vd, then -dumpbin, one change in the text, and -assemble -Vd. Each container says by
// its name what was changed:
// payload_size, attribute_size: metadata declares fewer bytes than the type of the parameter has;
// attribute_limit: the attributes have 48 bytes, in metadata and in the type;
// reported_limit: an intersection shader reports them;
// undef, integer, constant: the pointer that TraceRay takes is undef, made of an integer, or leads to a
// constant; parameter_undef and attributes_undef: those that CallShader and ReportHit take;
// parameters: a miss shader has two parameters, by its stage in metadata;
// recursive: a function that takes the payload calls itself.
RaytracingAccelerationStructure world : register(t0);
RWByteAddressBuffer results : register(u0);
struct Payload { uint value; float4 vector_; uint last; };
struct Attributes { float2 barycentrics; };
struct Large { float4 rows[3]; };
static const uint table[6] = { 1, 2, 3, 4, 5, 6 };

[noinline] void again(inout Payload payload, uint n) {
    if (n > 0) payload.last += n;
    payload.value += table[n];
}

[shader("raygeneration")]
void generate() {
    Payload own = { 1, float4(0, 0, 0, 0), 2 };
    RayDesc ray = { float3(0, 0, 0), 0, float3(0, 0, 1), 10 };
    again(own, DispatchRaysIndex().x);
    TraceRay(world, RAY_FLAG_NONE, 0xff, 0, 1, 0, ray, own);
    CallShader(0, own);
    results.Store(0, own.value);
}

[shader("closesthit")]
void closest(inout Payload payload, Attributes attributes) { payload.value += attributes.barycentrics.x; }

[shader("anyhit")]
void seen(inout Payload payload, Large attributes) { payload.value += attributes.rows[1].x; }

[shader("intersection")]
void enter() {
    Attributes attributes = { float2(1, 2) };
    ReportHit(1, 2, attributes);
}

[shader("intersection")]
void enter_large() {
    Large attributes = { { float4(1, 2, 3, 4), float4(0, 0, 0, 0), float4(0, 0, 0, 0) } };
    ReportHit(1, 2, attributes);
}

// Attributes of two types.
[shader("intersection")]
void enter_two() {
    Attributes attributes = { float2(1, 2) };
    if (ReportHit(1, 2, attributes)) {
        Payload other = { 1, float4(0, 0, 0, 0), 2 };
        ReportHit(0.5, 2, other);
    }
}

// The distance is read before and after a report.
[shader("intersection")]
void distances() {
    Attributes attributes = { float2(1, 2) };
    results.Store(0, asuint(RayTCurrent()));
    if (ReportHit(1, 2, attributes)) results.Store(4, asuint(RayTCurrent()));
}

[shader("miss")]
void missed(inout Payload payload) { payload.value = 0; }
