"""Model of the program `cluster_culling`: the used clusters and their lights.

Cones are tested in f64. Spheres are tested with the roundings of the shader, because f64 could give
another result near a limit.
"""

import math

from common import floats, mix
from directives import MASK32, bits_f32, f32_bits
from expectations import model, round32

TILES, SLICES = 16, 24
FIRST_SLICE = 0x3F800000 >> 21


def make_light(index, r, tangent):
    z = round32(round32(round32(r[0] * r[0]) * 55) + 1)
    side = lambda v: round32(round32(round32(round32(v * 2) - 1) * tangent) * z)
    light = {"center": (side(r[1]), side(r[2]), z), "radius": round32(round32(r[3] * 4) + 0.5), "cosine": None}
    if index % 3 == 0:
        direction = [v - 0.5 for v in r[4:7]]
        length = math.hypot(*direction)
        light["direction"] = [v / length for v in direction]
        light["cosine"] = 0.5 + 0.45 * r[7]
    return light


def bounds(cluster, tangent):
    tile, slice_ = divmod(cluster, SLICES)
    near, far = (bits_f32((slice_ + k + FIRST_SLICE) << 21) for k in (0, 1))
    low = [(place * (2 / TILES) - 1) * tangent for place in (tile % TILES, tile // TILES)]
    high = [value + 2 / TILES * tangent for value in low]
    return [min(v * near, v * far) for v in low] + [near], [max(v * near, v * far) for v in high] + [far]


def sphere_reaches(low, high, light):
    center, radius = light["center"], light["radius"]
    away = [max(l - c, 0.0) + max(c - h, 0.0) for l, h, c in zip(low, high, center)]
    squared, limit = sum(a * a for a in away), radius * radius
    if abs(squared - limit) > 1e-4 * limit:
        return squared <= limit
    away = [round32(max(round32(l - c), 0.0) + max(round32(c - h), 0.0)) for l, h, c in zip(low, high, center)]
    x, y, z = (round32(a * a) for a in away)
    return round32(round32(x + y) + z) <= round32(limit)


def cone_margins(low, high, light):
    """The distance of each of the three conditions from its limit."""
    center = [(l + h) / 2 for l, h in zip(low, high)]
    radius = math.dist(low, high) / 2
    to_center = [c - p for c, p in zip(center, light["center"])]
    along = sum(a * b for a, b in zip(to_center, light["direction"]))
    beside = math.sqrt(max(sum(a * a for a in to_center) - along * along, 0.0))
    sine = math.sqrt(1 - light["cosine"] ** 2)
    return radius - (light["cosine"] * beside - along * sine), radius + light["radius"] - along, along + radius


@model("content/cluster_culling")
def cluster_culling(fixture):
    count = fixture.contents("b0", 1)[0]
    tangent = bits_f32(fixture.contents("b0", 2)[1])
    blocks = floats(fixture.contents("t0", 4096))
    random = floats(fixture.contents("t1", 8 * count))
    lights = [make_light(i, random[8 * i : 8 * i + 8], tangent) for i in range(count)]

    square = lambda value: round32(value * value)
    walls = [round32(round32(square(blocks[i]) * 48) + 1.5) for i in range(64)]
    masks = [0] * TILES**2
    for y in range(64):
        for x in range(64):
            depth = round32(walls[x // 8 + y // 8 * 8] + round32(square(blocks[x + y * 64]) * 4))
            slice_ = min(max(f32_bits(depth) >> 21, FIRST_SLICE), FIRST_SLICE + SLICES - 1) - FIRST_SLICE
            masks[x // 4 + y // 4 * TILES] |= 1 << slice_

    lists, open_clusters = [], 0
    for cluster in range(TILES**2 * SLICES):
        found, sure = [], True
        if masks[cluster // SLICES] >> cluster % SLICES & 1:
            low, high = bounds(cluster, tangent)
            for index, light in enumerate(lights):
                if not sphere_reaches(low, high, light):
                    continue
                margins = cone_margins(low, high, light) if light["cosine"] else (1,)
                if min(margins) > -1e-5:
                    found.append(index)
                    sure &= min(margins) > 1e-5
        open_clusters += not sure
        lists.append(found if sure else None)
    assert open_clusters <= 3, f"{open_clusters} clusters are not decided"

    words = []
    for found in lists:
        words += [None, None] if found is None else [len(found), sum(mix(index + 1) for index in found) & MASK32]
    used = sum(mask.bit_count() for mask in masks)
    counts = [len(found) for found in lists if found]
    totals = [used, sum(counts) if not open_clusters else None, max(counts) if not open_clusters else None, 0]
    return {"u2": masks, "u6": words, "u7": totals}
