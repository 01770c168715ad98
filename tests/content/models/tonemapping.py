"""Model of the program `tonemapping`: the histogram of log luminance and the adapted exposure,
by their definitions, in f64."""

import math

from directives import bits_f32, f32_bits
from expectations import model

WIDTH, HEIGHT, TILE = 512, 256, 64
MIN_LOG, LOG_RANGE, SPEED, LOW, HIGH, KEY = -10.0, 16.0, 1.5, 0.4, 0.95, 0.18
EXPOSURE_RANGE = 0.03, 64.0
# Bin 0 is for black. The other bins divide the range.
BINS = 256


def histogram(texels):
    bins = [0] * BINS
    for y in range(HEIGHT):
        for x in range(WIDTH):
            tile = x // TILE, y // TILE
            if tile == (5, 2):
                bins[0] += 1
                continue
            at = 4 * (y * WIDTH + x)
            red, green, blue = (bits_f32(word) for word in texels[at : at + 3])
            luminance = (0.2126 * red + 0.7152 * green + 0.0722 * blue) * 2.0 ** (tile[0] + 2 * tile[1] - 9)
            if luminance < 0.0001:
                bins[0] += 1
                continue
            place = min(max((math.log2(luminance) - MIN_LOG) / LOG_RANGE, 0.0), 1.0)
            bins[int(place * 254 + 1)] += 1
    return bins


def trimmed_mean(bins):
    """The mean log luminance of the texels between the percentiles, and the number of these
    texels."""
    total = sum(bins[1:])
    low, high = int(total * bits_f32(f32_bits(LOW))), int(total * bits_f32(f32_bits(HIGH)))
    below, weighted, counted = 0, 0.0, 0
    for index, count in enumerate(bins):
        if index == 0:
            continue
        part = max(0, min(below + count, high) - max(below, low))
        weighted += part * ((index - 0.5) / 254 * LOG_RANGE + MIN_LOG)
        counted += part
        below += count
    return weighted / counted, counted


@model("content/tonemapping")
def tonemapping(fixture):
    bins = histogram(fixture.contents("t0", WIDTH * HEIGHT * 4))
    mean, counted = trimmed_mean(bins)
    brightest = max(index for index, count in enumerate(bins) if count)
    adapted, words = 1.0, []
    for delta in (0.016, 0.25):
        adapted += (2.0**mean - adapted) * (1 - math.exp(-delta * SPEED))
        exposure = min(max(KEY / adapted, EXPOSURE_RANGE[0]), EXPOSURE_RANGE[1])
        words += [f32_bits(mean), f32_bits(adapted), f32_bits(exposure), f32_bits(counted), f32_bits(brightest)]
    return {"u2": words, "u4": bins + bins}
