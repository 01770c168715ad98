"""Model of the program `fft`: its convolution, by a recursive transform in f64."""

import cmath
import math

from common import float_words, floats
from directives import bits_f32
from expectations import model

SIZE = 256
PROBES = 2048


def transform(values, sign):
    count = len(values)
    if count == 1:
        return values
    even, odd = transform(values[::2], sign), transform(values[1::2], sign)
    turned = [cmath.exp(sign * 2j * math.pi * k / count) * odd[k] for k in range(count // 2)]
    return [e + t for e, t in zip(even, turned)] + [e - t for e, t in zip(even, turned)]


def transform_image(rows, sign):
    rows = [transform(row, sign) for row in rows]
    columns = [transform(list(column), sign) for column in zip(*rows)]
    return [list(row) for row in zip(*columns)]


@model("content/fft")
def fft(fixture):
    falloff_word, shift_x, shift_y = fixture.contents("b1", 3)
    falloff = bits_f32(falloff_word)
    channels = floats(fixture.contents("t0", 2 * SIZE * SIZE))
    texels = [complex(*channels[i : i + 2]) for i in range(0, len(channels), 2)]
    image = [texels[y * SIZE : (y + 1) * SIZE] for y in range(SIZE)]

    spectrum = transform_image(image, -1)
    signed = lambda place: place if place < SIZE // 2 else place - SIZE
    filtered = [
        [
            value
            * math.exp(-falloff * (signed(x) ** 2 + signed(y) ** 2))
            * cmath.exp(-2j * math.pi * (signed(x) * shift_x + signed(y) * shift_y) / SIZE)
            for x, value in enumerate(row)
        ]
        for y, row in enumerate(spectrum)
    ]
    blurred = [[value / SIZE**2 for value in row] for row in transform_image(filtered, 1)]

    places = [(index * 2654435761) & 0xFFFFFFFF for index in range(PROBES)]
    probes = lambda rows: [rows[(p >> 16) & 255][p >> 24] for p in places]
    words = lambda values: float_words(part for value in values for part in (value.real, value.imag))
    return {"u3": words(probes(spectrum)), "u4": words(probes(blurred))}
