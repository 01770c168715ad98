"""Model of the program `oit_linked_list`: the panes that cover each pixel, nearest first.

Panes are polygons with integer coordinates, edges follow the top-left rule, and depths are exact
planes. The model follows D3D's rasterisation rules and does not build the shader's lists. A pixel
is not compared if two of its depths are so close that interpolation in f32 could change their
order.
"""

from fractions import Fraction
from math import sqrt

from expectations import model

SIZE, PANES, SPHERES = 256, 32, 12
# This distance is far above the error of interpolating a depth in f32.
TOO_NEAR = 1e-5
ROWS_WRITTEN = 100


def covers(corners, x, y):
    """Whether the centre of pixel (x, y) is inside a convex polygon of either winding order. Top
    and left edges belong to the polygon."""
    area = sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(corners, corners[1:] + corners[:1]))
    if area == 0:
        return False
    if area < 0:
        corners = corners[::-1]
    px, py = 2 * x + 1, 2 * y + 1
    for a, b in zip(corners, corners[1:] + corners[:1]):
        dx, dy = b[0] - a[0], b[1] - a[1]
        side = dx * (py - 2 * a[1]) - dy * (px - 2 * a[0])
        top_left = dy < 0 or (dy == 0 and dx > 0)
        if side < 0 or (side == 0 and not top_left):
            return False
    return True


class Pane:
    def __init__(self, bits):
        x, y, z, w = bits
        self.middle = (x & 255, y & 255)
        along = [(z & 127) - 64, (z >> 7 & 127) - 64]
        along[0] += 16 if along[0] >= 0 else -16
        # HLSL's integer division rounds towards zero.
        eighths = lambda v: abs(v) // 8 * (1 if v >= 0 else -1)
        factor = 2 + (w & 7)
        self.along, self.across = along, [eighths(-along[1] * factor), eighths(along[0] * factor)]
        self.tilt = (Fraction((w >> 3 & 255) - 128, 1024), Fraction((w >> 11 & 255) - 128, 1024))
        self.depth = Fraction(384 + (w >> 19 & 255), 1024)
        self.corners = [
            tuple(self.middle[k] + i * self.along[k] + j * self.across[k] for k in (0, 1)) for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))
        ]
        self.area = self.along[0] * self.across[1] - self.along[1] * self.across[0]

    def depth_at(self, x, y):
        """The depth of the plane at the centre of a pixel."""
        dx, dy = Fraction(2 * x + 1, 2) - self.middle[0], Fraction(2 * y + 1, 2) - self.middle[1]
        i = (dx * self.across[1] - dy * self.across[0]) / self.area
        j = (dy * self.along[0] - dx * self.along[1]) / self.area
        return float(self.depth + i * self.tilt[0] + j * self.tilt[1])


def opaque_depth(spheres, x, y):
    nearest = 1.0
    for bx, by, bz, bw in spheres:
        radius = 12 + (bz & 31)
        dx, dy = x + 0.5 - (bx & 255), y + 0.5 - (by & 255)
        rest = radius * radius - dx * dx - dy * dy
        if rest > 0:
            nearest = min(nearest, 0.25 + (bw & 511) / 1024 - sqrt(rest) / 512)
    return nearest


def fragments(panes, spheres, x, y):
    """The fragments of a pixel as (depth, pane), nearest first, or None if two depths are too
    close."""
    behind = opaque_depth(spheres, x, y)
    found, unsure = [], False
    for number, pane in enumerate(panes):
        if not covers(pane.corners, x, y) or (number % 4 == 3 and ((x ^ y) & 31) < 9):
            continue
        depth = pane.depth_at(x, y)
        # Fragments with a depth outside 0 to 1 are clipped.
        unsure |= min(abs(depth - behind), abs(depth), abs(depth - 1)) < TOO_NEAR
        if 0 <= depth < behind:
            found.append((depth, number))
    found.sort()
    unsure |= any(b[0] - a[0] < TOO_NEAR for a, b in zip(found, found[1:]))
    return None if unsure else found


@model("content/oit_linked_list")
def oit_linked_list(fixture):
    four = lambda words: [words[i : i + 4] for i in range(0, len(words), 4)]
    panes = [Pane(bits) for bits in four(fixture.contents("t0", PANES * 4))]
    spheres = four(fixture.contents("t1", SPHERES * 4))
    words = []
    for y in range(0, ROWS_WRITTEN * 2, 2):
        for x in range(0, SIZE, 2):
            found = fragments(panes, spheres, x, y)
            if found is None:
                words.append(None)
                continue
            nearest = [number for _, number in found[:3]] + [0, 0, 0]
            words.append(min(len(found), 15) << 15 | nearest[0] << 10 | nearest[1] << 5 | nearest[2])
    return {"u3": words}
