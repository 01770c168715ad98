"""Model of the program `radix_sort`: a stable sort of pairs by their keys."""

import math

from common import PREFIX, float_words, floats, hashes, zip_words
from expectations import model

HALF = 65536


@model("content/radix_sort")
def radix_sort(fixture):
    count = fixture.contents("b0", 1)[0]
    keys = [float(math.floor(key)) for key in floats(fixture.contents("t0", count))]
    order = sorted(range(count), key=lambda index: keys[index])
    # Rounds with an even index write the second half of the buffer. The eighth round has index 7,
    # so it writes the first half.
    sorted_keys = float_words(keys[index] for index in order) + [0] * (HALF - count)
    places = order + [0] * (HALF - count)
    return {
        "u0": zip_words(sorted_keys, places)[: 2 * PREFIX],
        "u2": zip_words(hashes(sorted_keys, 64), hashes(places, 64)),
    }
