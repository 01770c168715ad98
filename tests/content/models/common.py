"""What the models of content programs share: hashes of long outputs, and floats of 32 bits."""

from directives import MASK32, bits_f32, f32_bits

# Words of a long output that are written out; its hashes speak for the rest.
PREFIX = 4096


def hashes(words, block):
    """FNV-1a over words, one per block: what the programs' `digest` passes compute."""
    result = []
    for start in range(0, len(words), block):
        value = 2166136261
        for word in words[start : start + block]:
            value = ((value ^ word) * 16777619) & MASK32
        result.append(value)
    return result


def mix(value):
    """A word's bits spread over the word: what the programs add up where the order of a list is any."""
    value &= MASK32
    value = (value ^ value >> 16) * 0x7FEB352D & MASK32
    value = (value ^ value >> 15) * 0x846CA68B & MASK32
    return value ^ value >> 16


def zip_words(*columns):
    """Words of equally long columns, row by row."""
    return [word for row in zip(*columns, strict=True) for word in row]


def floats(words):
    return [bits_f32(word) for word in words]


def float_words(values):
    return [f32_bits(value) for value in values]
