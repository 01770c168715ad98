// Libraries for the tests of ray-tracing pipelines. The ray-generation shaders do not trace.
//! permutation generate lib_6_3 none -D GENERATE
//! permutation alone lib_6_3 none -D ALONE
//! permutation other lib_6_3 none -D OTHER
//! permutation many lib_6_3 none -D MANY

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

// 200 entry points, `generate_100` to `generate_299`. Each has code of its own.
#ifdef MANY
#define ONE(n) [shader("raygeneration")] void generate_##n() { output.Store(n * 4, second.Load(n) * n); }
#define TEN(n) ONE(n##0) ONE(n##1) ONE(n##2) ONE(n##3) ONE(n##4) ONE(n##5) ONE(n##6) ONE(n##7) ONE(n##8) ONE(n##9)
TEN(10) TEN(11) TEN(12) TEN(13) TEN(14) TEN(15) TEN(16) TEN(17) TEN(18) TEN(19)
TEN(20) TEN(21) TEN(22) TEN(23) TEN(24) TEN(25) TEN(26) TEN(27) TEN(28) TEN(29)
#endif
