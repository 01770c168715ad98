"""Model of the program `path_tracer`: first hits in f64, with every sphere tested for every ray."""

import math

from common import float_words, floats
from expectations import model

FAR, FLOOR, NOTHING = 1e4, 0xFFFE, 0xFFFF


def scene(random, count):
    spheres = []
    for index in range(count):
        r = random[8 * index : 8 * index + 8]
        cell = [sum((index >> 3 * bit + axis & 1) << bit for bit in range(3)) for axis in range(3)]
        radius = r[3] * r[3] * 0.4 + 0.08
        spheres.append(([c + 0.5 + (v - 0.5) * (1 - 2 * radius) for c, v in zip(cell, r)], radius))
    return spheres


def first_hit(spheres, eye, direction):
    """The distance and id of the first hit. None if rounding could change it: the ray grazes a
    sphere, or two hits have almost the same distance."""
    hits = [(-eye[1] / direction[1], FLOOR)] if direction[1] < 0 else []
    sure = abs(direction[1]) > 1e-6
    for index, (center, radius) in enumerate(spheres):
        to_center = [c - e for c, e in zip(center, eye)]
        along = sum(a * b for a, b in zip(to_center, direction))
        rest = radius * radius - (sum(a * a for a in to_center) - along * along)
        if abs(rest) < 1e-3 * radius * radius:
            sure = False
        elif rest > 0 and along - math.sqrt(rest) > 0:
            hits.append((along - math.sqrt(rest), index))
    hits.sort()
    if not sure or (len(hits) > 1 and hits[1][0] - hits[0][0] < 1e-3):
        return None
    return hits[0] if hits else (FAR, NOTHING)


@model("content/path_tracer")
def path_tracer(fixture):
    words = fixture.contents("b0", 11)
    eye, focal = floats(words[:3]), floats(words)[7]
    count, size = words[8], words[10]
    spheres = scene(floats(fixture.contents("t0", 8 * count)), count)
    result = []
    for index in range(2048):
        y, x = divmod((index * 2654435761 & 0xFFFFFFFF) >> 16, size)
        direction = [(x + 0.5) / size * 2 - 1, 1 - (y + 0.5) / size * 2, focal * 2]
        length = math.hypot(*direction)
        hit = first_hit(spheres, eye, [d / length for d in direction])
        result += [None, None] if hit is None else float_words(map(float, hit))
    assert result.count(None) < 200, result.count(None)
    return {"u6": result}
