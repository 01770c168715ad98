// Members of constant buffers that are bit fields. Compiled by the current compiler with
// `-T cs_6_8 -E main -HV 2021 -enable-16bit-types`. The numbers are the first byte in the buffer, the size
// of the number that a bit field is in, and its bits.
struct Packed {
    int a : 8;
    int b : 8;
    uint c : 20;
    float f;
    uint64_t d : 40;
    uint64_t e : 10;
    uint g : 3;
    bool h : 1;
    uint16_t s : 5;
};
struct Pair { uint low : 4; uint high : 28; };
cbuffer Frame : register(b0) {
    Packed packed;    // 0 30: Packed packed
                      //   0 4, bits 0 to 7: int a
                      //   0 4, bits 8 to 15: int b
                      //   4 4, bits 0 to 19: uint c
                      //   8 4: float f
                      //   16 8, bits 0 to 39: uint64_t d
                      //   16 8, bits 40 to 49: uint64_t e
                      //   24 4, bits 0 to 2: uint g
                      //   24 4, bit 3: bool h
                      //   28 2, bits 0 to 4: uint16_t s
    float3 plain;     // 32 12: float3 plain
    Pair pairs[3];    // 48 36: Pair pairs[3]
                      //   48 4, bits 0 to 3: uint low
                      //   48 4, bits 4 to 31: uint high
};
ConstantBuffer<Packed> other : register(b1);    // 0 30: Packed other
                                                //   0 4, bits 0 to 7: int a
                                                //   0 4, bits 8 to 15: int b
                                                //   4 4, bits 0 to 19: uint c
                                                //   8 4: float f
                                                //   16 8, bits 0 to 39: uint64_t d
                                                //   16 8, bits 40 to 49: uint64_t e
                                                //   24 4, bits 0 to 2: uint g
                                                //   24 4, bit 3: bool h
                                                //   28 2, bits 0 to 4: uint16_t s
RWByteAddressBuffer results : register(u0);

[numthreads(1, 1, 1)]
void main() {
    uint sum = packed.a + packed.c + pairs[1].high + other.b + (uint)other.d + other.g + other.h + other.s;
    results.Store(0, sum + packed.f + plain.y);
}
