// A ray-tracing library for the benchmark `library-cost`, as an engine has one for all materials of a scene.
//
// tests/bench/library/make.sh appends one line `MATERIAL(n)` for each material, which has six exports: a closest-hit and an any-hit
// shader in a hit group, a callable shader, a miss shader, an intersection shader and a ray-generation shader. Each has a body of its
// own. The shaders of hit groups have a local root signature by an association.

GlobalRootSignature global = { "CBV(b0), SRV(t0), UAV(u0), SRV(t1)" };
LocalRootSignature local = { "RootConstants(num32BitConstants = 4, b1)" };
RaytracingShaderConfig sizes = { 32, 8 };
RaytracingPipelineConfig depth = { 2 };

cbuffer Scene : register(b0) { float4 light; };
cbuffer Material : register(b1) { float4 tint; };
RaytracingAccelerationStructure scene : register(t0);
ByteAddressBuffer normals : register(t1);
RWByteAddressBuffer image : register(u0);

struct Payload { float4 colour; uint depth; };
struct Attributes { float2 barycentrics; };

float4 lit(float3 normal, float4 colour, uint n) {
    return colour * saturate(dot(normal, light.xyz)) + float4(n, 0, 1, light.w);
}

#define MATERIAL(n)                                                                                                    \
    TriangleHitGroup group##n = { "cut" #n, "shade" #n };                                                              \
    SubobjectToExportsAssociation local_of_group##n = { "local", "group" #n };                                         \
    [shader("closesthit")] void shade##n(inout Payload payload, Attributes attributes) {                              \
        float3 normal = asfloat(normals.Load3(12 * PrimitiveIndex() + n));                                             \
        payload.colour = lit(normal, tint, n) + float4(attributes.barycentrics, payload.depth, RayTCurrent());         \
    }                                                                                                                  \
    [shader("anyhit")] void cut##n(inout Payload payload, Attributes attributes) {                                     \
        if (attributes.barycentrics.x * tint.w > n) IgnoreHit();                                                       \
        payload.depth += n;                                                                                            \
    }                                                                                                                  \
    [shader("callable")] void callable##n(inout Payload payload) { payload.colour = payload.colour.wzyx * n + light; } \
    [shader("miss")] void miss##n(inout Payload payload) { payload.colour = light * n; }                               \
    [shader("intersection")] void sphere##n() {                                                                        \
        float b = dot(ObjectRayOrigin(), ObjectRayDirection());                                                        \
        Attributes attributes = { float2(b, n) };                                                                      \
        if (b * b > n) ReportHit(sqrt(b * b - n), 0, attributes);                                                      \
    }                                                                                                                  \
    [shader("raygeneration")] void generate##n() {                                                                     \
        uint3 at = DispatchRaysIndex();                                                                                \
        RayDesc ray = { float3(at.xy, n), 0, float3(0, 0, 1), 100 };                                                   \
        Payload payload = { float4(0, 0, 0, 0), 0 };                                                                   \
        TraceRay(scene, RAY_FLAG_NONE, 0xff, 0, 1, 0, ray, payload);                                                   \
        CallShader(n, payload);                                                                                        \
        image.Store4(16 * at.x, asuint(payload.colour));                                                               \
    }

