"""Model of the program `skinning` in f64: the poses and vertices of the creatures.

The matrices follow the textbook's formulas, and not the factored ones of the shader.
"""

from math import acos, cos, pi, sin, sqrt

from directives import bits_f32
from expectations import fw, model

ARMS, LINKS, RINGS, SIDES, CREATURES = 8, 4, 32, 16, 4
LENGTH, BODY = 0.55, 0.25
TIMES = (0.0, 0.37, 0.61, 1.0)
VERTICES = ARMS * RINGS * SIDES
WRITTEN = 800

dot = lambda a, b: sum(x * y for x, y in zip(a, b))
scaled = lambda s, a: [s * x for x in a]
plus = lambda a, b: [x + y for x, y in zip(a, b)]
unit = lambda a: scaled(1 / sqrt(dot(a, a)), a)


def hamilton(a, b):
    """The product of two quaternions (x, y, z, w)."""
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return [
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    ]


def matrix(q):
    x, y, z, w = q
    return [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]


turned = lambda q, v: [dot(row, v) for row in matrix(q)]


def between(a, b, t):
    """The spherical interpolation between two rotations."""
    cosine = dot(a, b)
    if cosine < 0:
        b, cosine = scaled(-1, b), -cosine
    angle = acos(min(cosine, 1))
    if angle < 1e-9:
        return a
    return scaled(1 / sin(angle), plus(scaled(sin((1 - t) * angle), a), scaled(sin(t * angle), b)))


direction = lambda arm: [cos(arm * 2 * pi / ARMS), sin(arm * 2 * pi / ARMS), 0]


def palette(keys, time):
    """The rotation and translation of each bone, relative to the rest pose."""
    result = []
    for arm in range(ARMS):
        rotation, place = [0, 0, 0, 1], [0, 0, 0]
        for link in range(LINKS):
            bone = arm * LINKS + link
            a, b = keys[bone], keys[32 + bone]
            local = between(unit(scaled(0.8, a[:3]) + [1]), unit(scaled(0.8, b[1:]) + [1]), time)
            place = plus(place, turned(rotation, scaled(BODY if link == 0 else LENGTH, direction(arm))))
            rotation = hamilton(rotation, local)
            bind = scaled(BODY + link * LENGTH, direction(arm))
            result.append((rotation, plus(place, scaled(-1, turned(rotation, bind)))))
    return result


def mesh_vertex(number):
    arm, ring, side = number // (RINGS * SIDES), number // SIDES % RINGS, number % SIDES
    forward = direction(arm)
    along, thickness = BODY + ring * LENGTH * LINKS / (RINGS - 1), 0.22 - 0.18 * ring / (RINGS - 1)
    angle = side * 2 * pi / SIDES
    normal = [-forward[1] * cos(angle), forward[0] * cos(angle), sin(angle)]
    t = ring % 8 / 8
    spline = [(1 - t) ** 3 / 6, (3 * t**3 - 6 * t**2 + 4) / 6, (-3 * t**3 + 3 * t**2 + 3 * t + 1) / 6, t**3 / 6]
    # Weights are stored as rounded multiples of 1/255. The second one is chosen so that the sum is
    # 255.
    weights = [int(w * 255 + 0.5) for w in spline]
    weights[1] += 255 - sum(weights)
    bones = [arm * LINKS + min(max(ring // 8 + i, 0), LINKS - 1) for i in (-1, 0, 1, 2)]
    return plus(scaled(along, forward), scaled(thickness, normal)), normal, bones, [w / 255 for w in weights]


def by_matrices(vertex, bones):
    position, normal, numbers, weights = vertex
    moved, leant = [0, 0, 0], [0, 0, 0]
    for number, weight in zip(numbers, weights):
        rotation, place = bones[number]
        moved = plus(moved, scaled(weight, plus(turned(rotation, position), place)))
        leant = plus(leant, scaled(weight, turned(rotation, normal)))
    return moved + unit(leant)


def by_dual_quaternions(vertex, bones):
    """The rotation and translation of a blend of dual quaternions (Kavan et al., "Geometric
    skinning with approximate dual quaternion blending")."""
    position, normal, numbers, weights = vertex
    real, dual, lead = [0] * 4, [0] * 4, bones[numbers[0]][0]
    for number, weight in zip(numbers, weights):
        rotation, place = bones[number]
        sign = -1 if dot(rotation, lead) < 0 else 1
        real = plus(real, scaled(sign * weight, rotation))
        dual = plus(dual, scaled(sign * weight / 2, hamilton([*place, 0], rotation)))
    size = sqrt(dot(real, real))
    real, dual = scaled(1 / size, real), scaled(1 / size, dual)
    shift = scaled(2, hamilton(dual, [-real[0], -real[1], -real[2], real[3]]))[:3]
    return plus(turned(real, position), shift) + turned(real, normal)


@model("content/skinning")
def skinning(fixture):
    words = fixture.contents("t0", 256)
    keys = [[bits_f32(w) for w in words[i : i + 4]] for i in range(0, 256, 4)]
    poses = [palette(keys, time) for time in TIMES]
    matrices = [
        fw(value) for bones in poses for rotation, place in bones for row, shift in zip(matrix(rotation), place) for value in (*row, shift)
    ]
    duals = [
        fw(value) for bones in poses for rotation, place in bones for value in (*rotation, *scaled(0.5, hamilton([*place, 0], rotation)))
    ]
    words_of = lambda skin, creature: [fw(v) for number in range(WRITTEN) for v in skin(mesh_vertex(number), poses[creature])]
    rest = [None] * ((VERTICES - WRITTEN) * 6)
    return {"u1": matrices, "u2": duals, "u3": words_of(by_matrices, 0) + rest + words_of(by_dual_quaternions, 1)}
