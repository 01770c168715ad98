// A wave operation in a block that leaves a loop, with other code before the `break`; with BEHIND,
// the same code placed after the loop. In the first source the lanes that leave in the same
// iteration run the wave operation by themselves, in the second all lanes run it together. DXC 1.6
// tells the two apart in DXIL (by `dx.break`) with BLOCK only. In the other cases it compiles both
// to identical bytes, at -O1 and at -O3, whether the function is inlined or not.
RWStructuredBuffer<uint> rounds : register(u1);
RWStructuredBuffer<uint> outputs : register(u0);

#ifdef CALL
uint ask(uint v) {
    return WaveActiveSum(v);
}
#define LEAVE sum = ask(id.x);
#endif
#ifdef BLOCK
#define LEAVE sum = WaveActiveSum(id.x);
#endif
#ifdef BRANCH
#define LEAVE sum = WaveActiveSum(id.x); if (last > 4) InterlockedAdd(outputs[128], 1);
#endif
#ifdef LOOP
#define LEAVE sum = WaveActiveSum(id.x); for (uint n = 0; n < last; ++n) InterlockedAdd(outputs[128 + n], 1);
#endif

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
    uint last = rounds[id.x];
    uint sum = 0;
    uint round = 0;
    [loop]
    while (true) {
        InterlockedAdd(outputs[round], 1);
        if (++round >= last) {
#ifndef BEHIND
            LEAVE
#endif
            break;
        }
    }
#ifdef BEHIND
    LEAVE
#endif
    outputs[64 + id.x] = sum;
}
