// A call in the block that leaves a loop, and with BEHIND the same call behind the loop. In the first source the lanes that leave in a round make the
// call by themselves, in the second all lanes make it together. DXC 1.6 makes the same bytes of both (at -O1 and -O3): what it knows of wave
// operations, which it keeps in their loops, it does not know of calls.
RWStructuredBuffer<uint> rounds : register(u1);
RWStructuredBuffer<uint> outputs : register(u0);

[noinline]
uint ask(uint v) {
    return WaveActiveSum(v);
}

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
            sum = ask(id.x);
#endif
            break;
        }
    }
#ifdef BEHIND
    sum = ask(id.x);
#endif
    outputs[64 + id.x] = sum;
}
