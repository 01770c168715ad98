// dxc -T lib_6_3 -Fo defaults.dxil: a local root signature without an association is the default of all
// exports, but a compute shader has no shader record.
LocalRootSignature constants = { "RootConstants(num32BitConstants=4, b0, space=1)" };
cbuffer Constants : register(b0, space1) { uint4 values; };
RWByteAddressBuffer results : register(u0);

[shader("compute")]
[numthreads(1, 1, 1)]
void compute() {
    results.Store4(0, values);
}

[shader("raygeneration")]
void generate() {
    results.Store4(0, values);
}
