//! stage cs_6_0 main
//! dispatch 1 1 1
//! resource t0 raw_buffer 64 words 1 2 3 4 1 1 1 1 2 2 3 3 4 4 1 1
//! resource u0 raw_buffer 128 out zero
//! judge expect
// Lanes leave a loop in different iterations. Each stores the sum of its last iteration twice: in
// the loop, and after the loop. The two words of a thread must be equal, whichever lanes run
// together. They differ on a driver whose later iterations overwrite the values of lanes that have
// left the loop.
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
[numthreads(16, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    uint rounds = src.Load(id * 4), sum, round = 0;
    do {
        ++round;
        sum = WaveActiveSum(round * 16 + 1);
        dst.Store(id * 8, sum);
    } while (round < rounds);
    dst.Store(id * 8 + 4, sum);
}
