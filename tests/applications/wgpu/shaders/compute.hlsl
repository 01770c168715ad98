// Registers are numbered across classes, from 0 and without gaps: wgpu numbers the bindings of a
// group so, whatever numbers its layout gives them.
// compile: cs_6_0
cbuffer Constants : register(b0) {
    uint count;
    uint scale;
};
StructuredBuffer<uint> source : register(t1);
RWStructuredBuffer<uint> result : register(u2);

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
    if (id.x < count) {
        result[id.x] = source[id.x] * scale + (id.x ^ count);
    }
}
