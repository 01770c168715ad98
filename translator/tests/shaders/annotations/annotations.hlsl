// dxc -T cs_6_6 -E main, then -dumpbin, one property of an annotateHandle changed in the text, and -assemble -Vd. Each container says by its name
// what was changed: the annotation contradicts the declaration, which is malformed. `agrees` is unchanged.
RWByteAddressBuffer raw : register(u0);
RWStructuredBuffer<uint2> rows : register(u1);
Texture2D<float4> picture : register(t0);
[numthreads(8, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    rows[id] = uint2(raw.Load(id * 4), asuint(picture.Load(int3(id, 0, 0)).x));
}
