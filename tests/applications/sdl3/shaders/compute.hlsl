// SDL's spaces of a compute shader are 0 for what is read, 1 for what is written, 2 for uniforms.
// compile: cs_6_0
StructuredBuffer<uint> source : register(t0, space0);
RWStructuredBuffer<uint> result : register(u0, space1);
cbuffer Constants : register(b0, space2) {
    uint count;
    uint scale;
};

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
    if (id.x < count) {
        result[id.x] = source[id.x] * scale + (id.x ^ count);
    }
}
