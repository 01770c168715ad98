// Loads from writable typed buffers whose components take two words. The compiler declares them with
// components of one word, and does not set the flag of further formats (D3D11.3, «Typed UAV loads»).
// Compiled with `-T cs_6_6 -E NAME` to `typed_pairs.NAME.dxil`.
RWBuffer<double> reals : register(u0);
RWBuffer<uint64_t> numbers : register(u0);
RWBuffer<uint64_t1> vectors : register(u0);
RWByteAddressBuffer results : register(u1);

[numthreads(1, 1, 1)]
void doubles() {
    uint low, high;
    asuint(reals[3], low, high);
    results.Store2(0, uint2(low, high));
}

// The high words are not read.
[numthreads(1, 1, 1)]
void low_words() {
    results.Store(0, (uint)numbers[3]);
}

[numthreads(1, 1, 1)]
void low_words_of_vectors() {
    results.Store(0, (uint)vectors[3].x);
}

[numthreads(1, 1, 1)]
void in_heap() {
    RWBuffer<int64_t> signed_numbers = ResourceDescriptorHeap[3];
    uint64_t number = signed_numbers[3];
    results.Store2(0, uint2(number, number >> 32));
}
