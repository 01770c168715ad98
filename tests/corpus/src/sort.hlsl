//! permutation bitonic_key_value cs_6_0 bitonic -D KEY_VALUE
//! permutation radix_count cs_6_0 radix_count
//! permutation radix_scatter cs_6_0 radix_scatter
//! permutation radix_scatter_key_value cs_6_0 radix_scatter -D KEY_VALUE
// Sorting on the GPU: bitonic in group-shared memory, and a least-significant-digit radix sort in
// three passes.
RWByteAddressBuffer keys : register(u0);
RWByteAddressBuffer values : register(u1);
RWByteAddressBuffer sorted_keys : register(u2);
RWByteAddressBuffer sorted_values : register(u3);
RWByteAddressBuffer histogram : register(u4);
cbuffer Sort : register(b0) { uint count, shift, groups, descending; };

#define ITEMS 4
groupshared uint local_keys[1024];
groupshared uint local_values[1024];
groupshared uint digits[16];
groupshared uint scan_data[256];

[numthreads(512, 1, 1)]
void bitonic(uint group : SV_GroupID, uint t : SV_GroupIndex) {
    uint base = group * 1024;
    [unroll] for (uint half_ = 0; half_ < 2; ++half_) {
        uint at = t + half_ * 512;
        local_keys[at] = base + at < count ? keys.Load((base + at) * 4) : 0xffffffff;
#ifdef KEY_VALUE
        local_values[at] = base + at < count ? values.Load((base + at) * 4) : 0;
#endif
    }
    [unroll] for (uint size = 2; size <= 1024; size <<= 1) {
        [loop] for (uint stride = size >> 1; stride > 0; stride >>= 1) {
            GroupMemoryBarrierWithGroupSync();
            uint low = 2 * t - (t & (stride - 1)), high = low + stride;
            bool up = ((low & size) == 0) != (descending != 0);
            uint a = local_keys[low], b = local_keys[high];
            if ((a > b) == up) {
                local_keys[low] = b;
                local_keys[high] = a;
#ifdef KEY_VALUE
                uint va = local_values[low];
                local_values[low] = local_values[high];
                local_values[high] = va;
#endif
            }
        }
    }
    GroupMemoryBarrierWithGroupSync();
    [unroll] for (uint out_ = 0; out_ < 2; ++out_) {
        uint at = t + out_ * 512;
        if (base + at < count) {
            sorted_keys.Store((base + at) * 4, local_keys[at]);
#ifdef KEY_VALUE
            sorted_values.Store((base + at) * 4, local_values[at]);
#endif
        }
    }
}

[numthreads(256, 1, 1)]
void radix_count(uint group : SV_GroupID, uint t : SV_GroupIndex) {
    if (t < 16) digits[t] = 0;
    GroupMemoryBarrierWithGroupSync();
    [unroll] for (uint i = 0; i < ITEMS; ++i) {
        uint at = (group * ITEMS + i) * 256 + t;
        if (at < count) InterlockedAdd(digits[keys.Load(at * 4) >> shift & 15], 1);
    }
    GroupMemoryBarrierWithGroupSync();
    if (t < 16) histogram.Store((t * groups + group) * 4, digits[t]);
}

uint scan(uint t, uint value, out uint total) {
    scan_data[t] = value;
    GroupMemoryBarrierWithGroupSync();
    [unroll] for (uint offset = 1; offset < 256; offset <<= 1) {
        uint other = t >= offset ? scan_data[t - offset] : 0;
        GroupMemoryBarrierWithGroupSync();
        scan_data[t] += other;
        GroupMemoryBarrierWithGroupSync();
    }
    total = scan_data[255];
    uint inclusive = scan_data[t];
    GroupMemoryBarrierWithGroupSync();
    return inclusive - value;
}

[numthreads(256, 1, 1)]
void radix_scan(uint t : SV_GroupIndex) {
    uint carried = 0;
    [loop] for (uint start = 0; start < groups * 16; start += 256) {
        uint at = start + t;
        uint value = at < groups * 16 ? histogram.Load(at * 4) : 0, total;
        uint before = scan(t, value, total);
        if (at < groups * 16) histogram.Store(at * 4, before + carried);
        carried += total;
    }
}

[numthreads(256, 1, 1)]
void radix_scatter(uint group : SV_GroupID, uint t : SV_GroupIndex) {
    if (t < 16) digits[t] = histogram.Load((t * groups + group) * 4);
    GroupMemoryBarrierWithGroupSync();
    [loop] for (uint i = 0; i < ITEMS; ++i) {
        uint at = (group * ITEMS + i) * 256 + t;
        bool valid = at < count;
        uint key = valid ? keys.Load(at * 4) : 0xffffffff;
        uint digit = key >> shift & 15;
        uint rank = 0;
        [unroll] for (uint d = 0; d < 16; ++d) {
            uint total;
            uint before = scan(t, valid && digit == d ? 1 : 0, total);
            if (digit == d) rank = before + digits[d];
            if (t == 0) scan_data[0] = total;
            GroupMemoryBarrierWithGroupSync();
            if (t == d) local_keys[d] = scan_data[0];
            GroupMemoryBarrierWithGroupSync();
        }
        if (valid) {
            sorted_keys.Store(rank * 4, key);
#ifdef KEY_VALUE
            sorted_values.Store(rank * 4, values.Load(at * 4));
#endif
        }
        GroupMemoryBarrierWithGroupSync();
        if (t < 16) digits[t] += local_keys[t];
        GroupMemoryBarrierWithGroupSync();
    }
}
