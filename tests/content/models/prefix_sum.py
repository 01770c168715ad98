"""Model of the program `prefix_sum`: prefix sums by addition, and a distribution sampled by
bisection."""

from bisect import bisect_right
from itertools import accumulate

from common import PREFIX, hashes, zip_words
from directives import MASK32
from expectations import model

LENGTH = 262144
TILE = 1024
SAMPLES = 65536


@model("content/prefix_sum")
def prefix_sum(fixture):
    count = fixture.contents("b0", 1)[0]
    values = fixture.contents("t0", count)
    inclusive = list(accumulate(values))
    before = [0] + inclusive[:-1]
    exclusive = [s & MASK32 for s in before] + [0] * (LENGTH - count)
    tiles = [before[i] & MASK32 for i in range(0, count, TILE)]
    # Tiles beyond the end start at the total.
    tiles += [inclusive[-1] & MASK32] * (LENGTH // TILE - len(tiles))

    total = inclusive[-1]
    chosen = []
    for index in range(SAMPLES):
        target = total // SAMPLES * index + total % SAMPLES * index // SAMPLES
        chosen.append(min(bisect_right(inclusive, target), count - 1))

    wide = inclusive + [0] * (LENGTH - count)
    low, high = [s & MASK32 for s in wide], [s >> 32 for s in wide]
    digest = zip_words(hashes(exclusive, 256), hashes(low, 256), hashes(high, 256), hashes(chosen, 64))
    return {
        "u0": exclusive[:PREFIX],
        "u1": tiles,
        "u2": zip_words(low, high)[:PREFIX],
        "u5": chosen[:PREFIX],
        "u6": digest,
    }
