// dxc -T cs_6_0 -Fo empty_elements.dxil
struct Empty {};
StructuredBuffer<Empty> items : register(t0);
RWByteAddressBuffer results : register(u0);
[numthreads(1, 1, 1)]
void main() {
    uint count, stride;
    items.GetDimensions(count, stride);
    results.Store2(0, uint2(count, stride));
}
