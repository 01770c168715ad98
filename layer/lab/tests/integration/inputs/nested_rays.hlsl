// dxc -T lib_6_3 -Fo nested_rays.dxil nested_rays.hlsl
// The closest hit shader traces rays that meet walls again, as often as a number of the inputs says:
// more often than a pipeline can have them.
RaytracingAccelerationStructure world : register(t0);
RWStructuredBuffer<uint> results : register(u0);
cbuffer Limits : register(b0) { uint most; };
struct Payload { uint depth; };
struct Attributes { float2 barycentrics; };

void trace(float3 origin, float3 direction, inout Payload payload) {
    RayDesc ray = { origin, 0.001, direction, 1000.0 };
    TraceRay(world, RAY_FLAG_NONE, 0xff, 0, 1, 0, ray, payload);
}

[shader("raygeneration")]
void generate() {
    Payload payload = { 0 };
    trace(float3(0, 0, 0), float3(0, 0, 1), payload);
    results[DispatchRaysIndex().y * 16 + DispatchRaysIndex().x] = payload.depth;
}

[shader("closesthit")]
void closest(inout Payload payload, Attributes attributes) {
    if (++payload.depth < most * 1000) {
        trace(WorldRayOrigin() + WorldRayDirection() * RayTCurrent() * 0.5, -WorldRayDirection(), payload);
    }
}

[shader("miss")]
void missed(inout Payload payload) {
    payload.depth += 1000;
}
