"""Model of the program `marching_cubes`: traces the surface cell by cell, without a table.

The same code generates the table that the shader includes: `python3 marching_cubes.py` prints the
table (tests/content/marching_cubes/marching_cubes_table.hlsli).
"""

import functools
from collections import Counter

SIZE = 64
MASK32 = 0xFFFFFFFF


# ---- tracing ----
# The number of a corner has a bit for each axis (x = 1, y = 2, z = 4). The number of an edge is
# axis * 4 + the bits of the two other axes.


def edge_corners(edge):
    axis, bits = divmod(edge, 4)
    corner = (bits & 1) << (axis + 1) % 3 | (bits >> 1) << (axis + 2) % 3
    return corner, corner | 1 << axis


EDGE_OF = {frozenset(edge_corners(edge)): edge for edge in range(12)}


def faces():
    """The corners of each face, counter-clockwise seen from outside."""
    for axis in range(3):
        a, b = 1 << (axis + 1) % 3, 1 << (axis + 2) % 3
        yield [0, b, a | b, a]
        yield [corner | 1 << axis for corner in (0, a, a | b, b)]


@functools.cache
def triangles(case):
    """The triangles of a case, as triples of edges. On each face, a segment separates every run
    of inside corners; the segments join to loops."""
    inside = lambda corner: case >> corner & 1
    following = {}
    for face in faces():
        for at in range(4):
            if inside(face[at - 1]) or not inside(face[at]):
                continue
            end = at
            while inside(face[(end + 1) % 4]):
                end += 1
            entering = EDGE_OF[frozenset((face[at - 1], face[at]))]
            leaving = EDGE_OF[frozenset((face[end % 4], face[(end + 1) % 4]))]
            following[entering] = leaving
    result = []
    while following:
        loop = [min(following)]
        while following[loop[-1]] != loop[0]:
            loop.append(following[loop[-1]])
        for edge in loop:
            del following[edge]
        result += [(loop[0], loop[i], loop[i + 1]) for i in range(1, len(loop) - 1)]
    return result


def table():
    rows = []
    for case in range(256):
        edges = [edge for triangle in triangles(case) for edge in triangle]
        assert len(edges) <= 15
        packed = sum(edge << 4 * i for i, edge in enumerate(edges)) | len(edges) // 3 << 60
        rows.append(f"uint2(0x{packed & MASK32:08x}, 0x{packed >> 32:08x})")
    lines = ["    " + ", ".join(rows[i : i + 4]) + ",\n" for i in range(0, 256, 4)]
    return (
        "// Made by tests/content/models/marching_cubes.py. The triangles of each case of eight corners (bit i: corner i is inside): four bits per\n"
        "// edge, three edges per triangle, first ones lowest; the number of triangles in the top four bits.\n"
        "static const uint2 TRIANGLES[256] = {\n" + "".join(lines) + "};\n"
    )


# ---- the model ----


def field(balls):
    """Densities in f64: sums of (1 - (distance / radius)^2)^2 within each ball's radius."""
    values = [0.0] * SIZE**3
    for x0, y0, z0, radius in balls:
        span = lambda center: range(max(0, int(center - radius)), min(SIZE, int(center + radius) + 2))
        for z in span(z0):
            for y in span(y0):
                rest = (y - y0) ** 2 + (z - z0) ** 2
                for x in span(x0):
                    near = 1.0 - ((x - x0) ** 2 + rest) / radius**2
                    if near > 0:
                        values[x + SIZE * (y + SIZE * z)] += near * near
    return values


def surface(values, iso):
    """The number of cells of each case, and all triangles as triples of grid edges (three per
    grid point)."""
    offsets = [(i & 1) + SIZE * (i >> 1 & 1) + SIZE**2 * (i >> 2) for i in range(8)]
    inside = [value > iso for value in values]
    cases, found = [0] * 256, []
    for z in range(SIZE - 1):
        for y in range(SIZE - 1):
            for x in range(SIZE - 1):
                point = x + SIZE * (y + SIZE * z)
                case = sum(inside[point + offset] << i for i, offset in enumerate(offsets))
                cases[case] += 1
                for edges in triangles(case):
                    found.append(tuple((point + offsets[edge_corners(edge)[0]]) * 3 + edge // 4 for edge in edges))
    return cases, found


def marching_cubes(fixture):
    from common import float_words, floats, mix

    shader_table = fixture.path.with_name("marching_cubes_table.hlsli").read_text()
    assert shader_table == table(), "the shader's table is not what tracing gives"

    iso = floats(fixture.contents("b0", 1))[0]
    numbers = floats(fixture.contents("b1", 4 * 24))
    values = field([numbers[i : i + 4] for i in range(0, len(numbers), 4)])
    # No density is so close to the surface that rounding could change its side.
    assert min(abs(value - iso) for value in values) > 1e-6
    cases, found = surface(values, iso)

    corners = {edge for triangle in found for edge in triangle}
    sides = Counter(side for a, b, c in found for side in ((a, b), (b, c), (c, a)))
    assert all(sides[b, a] == count for (a, b), count in sides.items()), "tracing left the surface open"
    hashed = sum(mix(a + mix(b + mix(c))) + mix(b + mix(c + mix(a))) + mix(c + mix(a + mix(b))) for a, b, c in found)
    # The counters: vertices, triangles, the hash of the triangles, open sides.
    totals = [len(corners), len(found), hashed & MASK32, 0]

    # The positions at which edges of the middle slice cross the surface, or 2 if they do not.
    crossings = []
    for point in range(SIZE**2 * (SIZE // 2), SIZE**2 * (SIZE // 2 + 1)):
        for axis in range(3):
            edge = point * 3 + axis
            a, b = values[point], values[point + SIZE**axis] if edge in corners else 0.0
            crossings.append((iso - a) / (b - a) if edge in corners else 2.0)
    return {"u4": cases, "u5": totals, "u6": float_words(crossings)}


if __name__ == "__main__":
    print(table(), end="")
else:
    from expectations import model

    model("content/marching_cubes")(marching_cubes)
