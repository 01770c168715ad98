"""Functions that the models of programs share: hashes of long outputs, and conversions of f32."""

from directives import MASK32, bits_f32, f32_bits

# The number of words of a long output that are written to its `.words` file. Hashes check the rest.
PREFIX = 4096


def hashes(words, block):
    """The FNV-1a hash of each block of words, as the `digest` passes of the programs compute it."""
    result = []
    for start in range(0, len(words), block):
        value = 2166136261
        for word in words[start : start + block]:
            value = ((value ^ word) * 16777619) & MASK32
        result.append(value)
    return result


def mix(value):
    """A hash of a word. Programs add these up for lists whose order is unspecified."""
    value &= MASK32
    value = (value ^ value >> 16) * 0x7FEB352D & MASK32
    value = (value ^ value >> 15) * 0x846CA68B & MASK32
    return value ^ value >> 16


def zip_words(*columns):
    """The words of columns of equal length, by rows."""
    return [word for row in zip(*columns, strict=True) for word in row]


def floats(words):
    return [bits_f32(word) for word in words]


def float_words(values):
    return [f32_bits(value) for value in values]
