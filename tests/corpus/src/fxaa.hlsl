//! permutation high ps_6_0 main -D STEPS=12
// Fast approximate anti-aliasing.
#include "common.hlsli"

Texture2D<float4> source : register(t0);
cbuffer Quality : register(b1) { float edge_threshold, edge_threshold_min, subpixel; };

float luma(float2 uv) { return source.SampleLevel(linear_clamp, uv, 0).a; }

float4 main(float4 position : SV_Position, float2 uv : TEXCOORD) : SV_Target {
    float2 texel = viewport.zw;
    float4 center = source.SampleLevel(linear_clamp, uv, 0);
    float4 cross_ = source.GatherAlpha(linear_clamp, uv, int2(0, 0));
    float4 other = source.GatherAlpha(linear_clamp, uv, int2(-1, -1));
    float m = center.a, s = cross_.x, e = cross_.z, n = other.z, w = other.x;
    float highest = max(max(max(n, w), max(e, s)), m), lowest = min(min(min(n, w), min(e, s)), m);
    float range = highest - lowest;
    if (range < max(edge_threshold_min, highest * edge_threshold)) return center;
    float nw = other.w, se = cross_.y, ne = luma(uv + float2(1, -1) * texel), sw = luma(uv + float2(-1, 1) * texel);
    float horizontal = abs(nw + ne - 2 * n) + 2 * abs(w + e - 2 * m) + abs(sw + se - 2 * s);
    float vertical = abs(nw + sw - 2 * w) + 2 * abs(n + s - 2 * m) + abs(ne + se - 2 * e);
    bool is_horizontal = horizontal >= vertical;
    float l1 = is_horizontal ? n : w, l2 = is_horizontal ? s : e;
    float g1 = abs(l1 - m), g2 = abs(l2 - m);
    float step_length = is_horizontal ? texel.y : texel.x;
    float gradient = max(g1, g2) * 0.25;
    float local_average;
    if (g1 >= g2) {
        step_length = -step_length;
        local_average = 0.5 * (l1 + m);
    } else {
        local_average = 0.5 * (l2 + m);
    }
    float2 at = uv;
    if (is_horizontal) at.y += step_length * 0.5; else at.x += step_length * 0.5;
    float2 offset = is_horizontal ? float2(texel.x, 0) : float2(0, texel.y);
    float2 p1 = at - offset, p2 = at + offset;
    float end1 = luma(p1) - local_average, end2 = luma(p2) - local_average;
    bool done1 = abs(end1) >= gradient, done2 = abs(end2) >= gradient;
    [unroll] for (uint i = 0; i < STEPS; ++i) {
        if (done1 && done2) break;
        float stride = i < 4 ? 1 : i < 8 ? 2 : 4;
        if (!done1) {
            p1 -= offset * stride;
            end1 = luma(p1) - local_average;
            done1 = abs(end1) >= gradient;
        }
        if (!done2) {
            p2 += offset * stride;
            end2 = luma(p2) - local_average;
            done2 = abs(end2) >= gradient;
        }
    }
    float d1 = is_horizontal ? uv.x - p1.x : uv.y - p1.y, d2 = is_horizontal ? p2.x - uv.x : p2.y - uv.y;
    bool first = d1 < d2;
    bool smaller = m < local_average;
    bool correct = ((first ? end1 : end2) < 0) != smaller;
    float pixel_offset = correct ? 0.5 - min(d1, d2) / (d1 + d2) : 0;
    float average = (2 * (n + s + e + w) + nw + ne + sw + se) / 12;
    float sub = saturate(abs(average - m) / range);
    sub = (3 - 2 * sub) * sub * sub;
    pixel_offset = max(pixel_offset, sub * sub * subpixel);
    float2 final_uv = uv + (is_horizontal ? float2(0, pixel_offset * step_length) : float2(pixel_offset * step_length, 0));
    return source.SampleLevel(linear_clamp, final_uv, 0);
}
