"""Model of the program `gpu_driven_culling`: culling, levels of detail and indirect draws.

Every operation is rounded to f32, as in the shader.
"""

from itertools import accumulate

from common import floats, mix
from directives import MASK32, f32_bits
from expectations import model, round32, s32

DEPTH_SIZE = (512, 256)
PYRAMID = (256, 128)
MIPS, LEVELS, DRAWS = 8, 4, 64
VISIBLE, BEYOND_DEPTH, BEYOND_SIDES, BEHIND = range(4)

add = lambda a, b: round32(a + b)
sub = lambda a, b: round32(a - b)
mul = lambda a, b: round32(a * b)


def pyramid_of(rectangles, far):
    """The mips of the depth pyramid, each as a list of rows."""
    width, height = DEPTH_SIZE
    depths = [[far] * width for _ in range(height)]
    for i in range(0, len(rectangles), 5):
        x, y, w, h, depth = rectangles[i : i + 5]
        left, top = int(mul(x, 480)), int(mul(y, 224))
        depth = add(mul(depth, 40), 8)
        for row in depths[top : min(top + int(mul(h, 100)), height)]:
            for column in range(left, min(left + int(mul(w, 120)), width)):
                row[column] = min(row[column], depth)
    mips = [depths]
    for _ in range(MIPS):
        rows = mips[-1]
        mips.append([[max(a[x], a[x + 1], b[x], b[x + 1]) for x in range(0, len(a), 2)] for a, b in zip(rows[::2], rows[1::2])])
    return mips[1:]


class View:
    def __init__(self, words, mips):
        numbers = floats(words)
        self.rows = [numbers[i : i + 4] for i in (0, 4, 8)]
        self.side, self.top = numbers[12:14], numbers[14:16]
        self.near, self.far = numbers[16:18]
        self.projection = numbers[18:20]
        self.mips = mips

    def center(self, world):
        products = [[mul(r, w) for r, w in zip(row, world)] for row in self.rows]
        return [add(add(add(x, y), z), row[3]) for (x, y, z), row in zip(products, self.rows)]

    def edge_texel(self, edge, outward, nearest, far_side, axis):
        size = PYRAMID[axis]
        ratio = round32(edge / (nearest if edge * outward > 0 else far_side))
        texel = add(mul(mul(ratio, self.projection[axis]), size * 0.5), size * 0.5)
        return int(min(max(texel, 0), size - 1))

    def occluded(self, center, radius):
        nearest, far_side = sub(center[2], radius), add(center[2], radius)
        if nearest < self.near:
            return False
        low = [self.edge_texel(sub(center[axis], radius), -1, nearest, far_side, axis) for axis in (0, 1)]
        high = [self.edge_texel(add(center[axis], radius), 1, nearest, far_side, axis) for axis in (0, 1)]
        mip = max(high[0] - low[0], high[1] - low[1], 1).bit_length() - 1
        while any((h >> mip) - (l >> mip) > 1 for l, h in zip(low, high)):
            mip += 1
        rows = self.mips[mip]
        return nearest > max(rows[y >> mip][x >> mip] for y in (low[1], high[1]) for x in (low[0], high[0]))

    def test(self, center, radius, drawn):
        if add(center[2], radius) < self.near or sub(center[2], radius) > self.far:
            return BEYOND_DEPTH
        for axis, plane in ((0, self.side), (1, self.top)):
            if sub(mul(abs(center[axis]), plane[0]), mul(center[2], plane[1])) > radius:
                return BEYOND_SIDES
        return BEHIND if not drawn and self.occluded(center, radius) else VISIBLE


def level_of(center, radius):
    x, y, z = (mul(v, v) for v in center)
    squared, area = add(add(x, y), z), mul(mul(radius, radius), 400)
    level = 0
    while level < LEVELS - 1 and area < squared:
        area *= 4
        level += 1
    return level


@model("content/gpu_driven_culling")
def gpu_driven_culling(fixture):
    view_words = fixture.contents("b0", 21)
    count = view_words[20]
    mips = pyramid_of(floats(fixture.contents("t3", 5 * 48)), floats(view_words)[17])
    view = View(view_words, mips)
    instances = floats(fixture.contents("t0", 4 * count))
    drawn = fixture.contents("t2", count // 32)

    bits, reasons = [0] * (count // 32), [0] * 4
    draws = [[] for _ in range(DRAWS)]
    for index in range(count):
        x, y, z, size = instances[4 * index : 4 * index + 4]
        centered = [sub(v * 2, 1) for v in (x, y, z)]
        world = [mul(centered[0], 80), mul(centered[1], 12), add(mul(centered[2], 80), 50)]
        radius = add(mul(size, 1.5), 0.25)
        center = view.center(world)
        reason = view.test(center, radius, drawn[index // 32] >> index % 32 & 1)
        reasons[reason] += 1
        if reason == VISIBLE:
            bits[index // 32] |= 1 << index % 32
            draws[index % 16 * LEVELS + level_of(center, radius)].append(index)

    counts = [len(draw) for draw in draws]
    firsts = [0, *accumulate(counts)]
    meshes = fixture.contents("t4", 4 * DRAWS)
    arguments = []
    for draw in range(DRAWS):
        x, y, z, _ = meshes[4 * draw : 4 * draw + 4]
        arguments += [(x & 0xFFF) * 3, counts[draw], y >> 8, s32(z) >> 12 & MASK32, firsts[draw]]
    return {
        "t1": [f32_bits(depth) for row in mips[0] for depth in row][:12288],
        "u10": counts,
        "u12": arguments,
        "u14": bits,
        "u15": [sum(mix(index + 1) for index in draw) & MASK32 for draw in draws],
        "u16": reasons,
    }
