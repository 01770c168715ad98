// Order-independent transparency by linked lists, per pixel: a compute pass clears the heads,
// opaque sphere impostors are drawn with conservative depth, then 32 intersecting glass panes are
// drawn in no order: each fragment takes a node by the hidden counter and exchanges itself with the
// head of its pixel. The last pass walks each list, sorts it in registers and blends it over the
// opaque picture. Compared: the picture and the fragment counts with DXC's SPIR-V; the order (u3:
// the three nearest panes, and how many there are, of every second pixel) and the number of nodes
// with a model in exact arithmetic (models/oit_linked_list.py), which leaves out the pixels where
// two depths are too near to call.
//! require fragment_stores_and_atomics shader_draw_parameters
//! resource b0 cbuffer 32 words 256 256 1048576 32 0.35 -0.6 0.72 0.0   # size, nodes, panes; light
//! resource t0 structured_buffer 16 32 random_u32 20
//! resource t1 structured_buffer 16 12 random_u32 4
//! resource t2 texture2d rgba8_unorm 256 256 1 1 zero
//! resource t3 texture2d d32_sfloat 256 256 1 1 zero
//! resource t4 texture2d rgba8_unorm 32 32 1 6 random_u32 9
//! resource t5 texture2d rgba8_unorm 256 256 1 1 out zero
//! resource t6 texture2d rgba8_unorm 256 256 1 1 out zero
//! resource u0 texture2d r32_uint 256 256 1 1 zero
//! resource u1 structured_buffer 16 1048576 zero
//! resource c1 raw_buffer 4 out zero
//! resource u2 texture2d r32_uint 256 256 1 1 out zero
//! resource u3 raw_buffer 65536 out zero
//! resource s0 sampler linear linear linear repeat
//! judge spirv
//! judge expect
//! tolerance t5 unorm8 1   # colours are packed to 8 bits in between: a value on the edge of two codes may take either
//! pass clear
//! stage cs_6_0 clear_heads
//! pass opaque
//! stage vs_6_0 opaque_vs
//! stage ps_6_0 opaque_ps
//! target t2 clear
//! depth less 1.0 into=t3
//! pass build
//! stage vs_6_0 pane_vs
//! stage ps_6_0 pane_ps
//! target t6 clear
//! blend add
//! pass resolve
//! stage vs_6_0 screen_vs
//! stage ps_6_0 resolve_ps
//! target t5 clear
//! run clear 32 32 1
//! run opaque 6 12
//! run build 6 32
//! run resolve 3
cbuffer Frame : register(b0) {
    uint2 size;
    uint node_limit;
    uint pane_count;
    float3 to_light;
};

struct Node {
    uint color;  // four bytes, straight alpha
    float depth;
    uint next;
    uint pane;
};

StructuredBuffer<uint4> panes : register(t0);
StructuredBuffer<uint4> spheres : register(t1);
Texture2D<float4> opaque_color : register(t2);
Texture2D<float> opaque_depth : register(t3);
Texture2D<float4> glass : register(t4);
RWTexture2D<uint> heads : register(u0);
[[vk::counter_binding(1001)]] RWStructuredBuffer<Node> nodes : register(u1);
RWTexture2D<uint> counts : register(u2);
RWByteAddressBuffer order : register(u3);
SamplerState wrap : register(s0);

static const uint END = 0xffffffff;
static const uint MOST = 32;

[numthreads(8, 8, 1)]
void clear_heads(uint2 id : SV_DispatchThreadID) {
    heads[id] = END;
    counts[id] = 0;
}

static const int2 corners[6] = { int2(-1, -1), int2(1, -1), int2(-1, 1), int2(-1, 1), int2(1, -1), int2(1, 1) };

float4 place(float2 pixel, float depth) {
    return float4(pixel / float2(size) * 2 - 1, depth, 1);
}

// ---- opaque: spheres as quads at their nearest depth

struct Impostor {
    linear noperspective centroid float4 position : SV_Position;
    nointerpolation float4 sphere : SPHERE;  // centre in pixels, radius in pixels, depth of the centre
    nointerpolation float3 color : COLOR;
};

static const float DEPTH_OF_PIXEL = 1.0 / 512;

Impostor opaque_vs(uint id : SV_VertexID, uint instance : SV_InstanceID) {
    uint4 bits = spheres[instance];
    float2 middle = float2(bits.xy & 255);
    float radius = 12 + (bits.z & 31);
    float depth = 0.25 + (bits.w & 511) / 1024.0;
    Impostor o;
    o.position = place(middle + corners[id] * radius, depth - radius * DEPTH_OF_PIXEL);
    o.sphere = float4(middle, radius, depth);
    o.color = float3(bits.x >> 8 & 255, bits.y >> 8 & 255, bits.z >> 8 & 255) / 255;
    return o;
}

float4 opaque_ps(Impostor v, out float depth : SV_DepthGreaterEqual) : SV_Target {
    float2 from = v.position.xy - v.sphere.xy;
    float rest = v.sphere.z * v.sphere.z - dot(from, from);
    if (rest <= 0) discard;
    float rise = sqrt(rest);
    depth = v.sphere.w - rise * DEPTH_OF_PIXEL;
    float3 n = float3(from, -rise) / v.sphere.z;
    float diffuse = saturate(dot(n, float3(to_light.xy, -to_light.z)));
    float shine = pow(saturate(-reflect(float3(-to_light.xy, to_light.z), n).z), 24);
    return float4(v.color * (0.25 + 0.75 * diffuse) + shine * 0.4, 1);
}

// ---- transparent: parallelograms with whole pixel corners, tilted in depth

struct Pane {
    noperspective float4 position : SV_Position;
    noperspective centroid float2 uv : TEXCOORD0;
    nointerpolation uint id : PANE;
};

Pane pane_vs(uint id : SV_VertexID, uint instance : SV_InstanceID) {
    uint4 bits = panes[instance];
    int2 middle = int2(bits.xy & 255);
    int2 along = int2(bits.z & 127, bits.z >> 7 & 127) - 64;
    along.x += along.x >= 0 ? 16 : -16;
    int2 across = int2(-along.y, along.x) * int(2 + (bits.w & 7)) / 8;
    int2 corner = corners[id];
    float tilt_along = int((bits.w >> 3 & 255) - 128) / 1024.0, tilt_across = int((bits.w >> 11 & 255) - 128) / 1024.0;
    float depth = 0.375 + (bits.w >> 19 & 255) / 1024.0 + corner.x * tilt_along + corner.y * tilt_across;
    Pane o;
    o.position = place(float2(middle + along * corner.x + across * corner.y), depth);
    o.uv = corner * float2(length(float2(along)), length(float2(across))) / 32;
    o.id = instance;
    return o;
}

uint pack(float4 c) {
    uint4 bytes = (uint4)(saturate(c) * 255 + 0.5);
    return bytes.x | bytes.y << 8 | bytes.z << 16 | bytes.w << 24;
}

float4 unpack(uint bits) {
    return float4(bits & 255, bits >> 8 & 255, bits >> 16 & 255, bits >> 24) / 255;
}

// The returned values are added up, which gives a picture of the overdraw.
float4 pane_ps(Pane v) : SV_Target {
    uint2 at = (uint2)v.position.xy;
    // Lattice windows: every fourth pane has holes.
    if (v.id % 4 == 3 && ((at.x ^ at.y) & 31) < 9) discard;
    if (v.position.z >= opaque_depth.Load(int3(at, 0))) return float4(0, 0, 4 / 255.0, 0);
    float4 texel = glass.Sample(wrap, v.uv);
    float3 hue = 0.5 + 0.5 * cos(v.id * 1.7 + float3(0, 2.1, 4.2));
    float alpha = 0.2 + 0.4 * texel.a * ((v.id & 1) ? 1 : 0.5);
    uint node = nodes.IncrementCounter();
    if (node >= node_limit) return 1;
    uint before;
    InterlockedExchange(heads[at], node, before);
    uint earlier;
    InterlockedAdd(counts[at], 1, earlier);
    Node n = { pack(float4(hue * (0.6 + 0.4 * texel.rgb), alpha)), v.position.z, before, v.id };
    nodes[node] = n;
    return float4(8, 4, 0, 8) / 255;
}

// ---- resolve

struct Screen {
    float4 position : SV_Position;
};

Screen screen_vs(uint id : SV_VertexID) {
    Screen o;
    o.position = float4(float2(id << 1 & 2, id & 2) * 2 - 1, 0, 1);
    return o;
}

float4 resolve_ps(Screen v) : SV_Target {
    uint2 at = (uint2)v.position.xy;
    float depths[MOST];
    uint colors[MOST];
    uint ids[MOST];
    uint count = 0;
    // Insertion keeps the nearest fragments first. The number of the pane decides between equal
    // depths, so the order does not depend on the order of execution.
    for (uint node = heads[at]; node != END && count < MOST; count++) {
        Node n = nodes[node];
        uint i = count;
        while (i > 0 && (depths[i - 1] > n.depth || (depths[i - 1] == n.depth && ids[i - 1] > n.pane))) {
            depths[i] = depths[i - 1];
            colors[i] = colors[i - 1];
            ids[i] = ids[i - 1];
            i--;
        }
        depths[i] = n.depth;
        colors[i] = n.color;
        ids[i] = n.pane;
        node = n.next;
    }
    float3 color = opaque_color.Load(int3(at, 0)).rgb;
    if (opaque_depth.Load(int3(at, 0)) == 1) color = lerp(float3(0.9, 0.88, 0.8), float3(0.35, 0.45, 0.6), v.position.y / size.y);
    for (uint j = count; j-- > 0;) {
        float4 glass_color = unpack(colors[j]);
        color = lerp(color, glass_color.rgb, glass_color.a);
    }
    if (!((at.x | at.y) & 1)) {
        uint nearest = min(count, 15u);
        [unroll] for (uint k = 0; k < 3; k++)
            nearest = nearest << 5 | (k < count ? ids[k] : 0);
        order.Store((at.y / 2 * (size.x / 2) + at.x / 2) * 4, nearest);
    }
    return float4(color, 1);
}
