// Libraries for the tests of ray-tracing pipelines. The ray-generation shaders do not trace.
//! permutation generate lib_6_3 none -D GENERATE
//! permutation alone lib_6_3 none -D ALONE
//! permutation other lib_6_3 none -D OTHER

RWByteAddressBuffer output : register(u0);
RWByteAddressBuffer second : register(u1);

#ifdef GENERATE
[shader("raygeneration")] void generate_first() { output.Store(0, 17); }
[shader("raygeneration")] void generate_second() { second.Store(4, 18); }
[shader("raygeneration")] void generate_both() { output.Store(8, 19); second.Store(8, 20); }
#endif

#ifdef ALONE
[shader("raygeneration")] void generate_alone() { output.Store(12, 21); }
#endif

#ifdef OTHER
[shader("raygeneration")] void generate_first() { output.Store(16, 22); }
#endif
