"""Model of the program `bitonic_sort`: a sort by squared distance, farthest first."""

from common import PREFIX, floats, hashes, zip_words
from directives import MASK32, f32_bits
from expectations import model, round32

LENGTH = 65536


@model("content/bitonic_sort")
def bitonic_sort(fixture):
    count = fixture.contents("t1", 1)[0]
    eye = floats(fixture.contents("b1", 3))
    positions = floats(fixture.contents("t0", 4 * count))

    def squared(index):
        away = [round32(positions[4 * index + axis] - eye[axis]) for axis in range(3)]
        x, y, z = (round32(value * value) for value in away)
        return round32(round32(x + y) + z)

    keys = sorted((f32_bits(squared(index)) ^ MASK32, index) for index in range(count))
    high = [key for key, _ in keys] + [MASK32] * (LENGTH - count)
    indices = [index for _, index in keys] + [MASK32] * (LENGTH - count)
    return {
        "u0": zip_words(indices, high)[: 2 * PREFIX],
        "u1": indices[:PREFIX],
        "u2": zip_words(hashes(high, 64), hashes(indices, 64)),
    }
