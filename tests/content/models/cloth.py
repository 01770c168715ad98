"""Model of the program `cloth` in f64: Verlet steps, distance constraints and contact."""

import math

from common import float_words, floats
from directives import bits_f32, f32_bits, lines, word
from expectations import model

SIZE = 128
SPACING = 1 / (SIZE - 1)
FLOOR = 0.175
DIAGONALS = [(-1, -1), (1, -1), (-1, 1), (1, 1)]
BENDING = [(-2, 0), (2, 0), (0, -2), (0, 2)]

add = lambda a, b: (a[0] + b[0], a[1] + b[1], a[2] + b[2])
sub = lambda a, b: (a[0] - b[0], a[1] - b[1], a[2] - b[2])
scale = lambda a, s: (a[0] * s, a[1] * s, a[2] * s)
dot = lambda a, b: a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
cross = lambda a, b: (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


class Sheet:
    def __init__(self, jitter):
        places = [(i % SIZE, i // SIZE) for i in range(SIZE * SIZE)]
        self.at = [(x * SPACING - 0.5 + jitter[2 * i], 0.25 + jitter[2 * i + 1], y * SPACING - 0.5) for i, (x, y) in enumerate(places)]
        self.before = list(self.at)
        self.free = [0.0 if y == 0 and x % 16 < 4 else 1.0 for x, y in places]
        self.normals = self.find_normals()

    def correction(self, a, b, rest):
        masses = self.free[a] + self.free[b]
        if masses == 0:
            return (0.0, 0.0, 0.0)
        along = sub(self.at[b], self.at[a])
        distance = math.sqrt(dot(along, along))
        return scale(along, (distance - rest) / (distance * masses))

    def step(self, world):
        gust, time, gravity, damping = world[:4]
        ball, radius, wind, friction = world[4:7], world[7], world[8:11], world[11]
        for i, (at, before, free) in enumerate(zip(self.at, self.before, self.free)):
            self.before[i] = at
            if free:
                force = add((0.0, gravity, 0.0), scale(self.normals[i], dot(self.normals[i], wind) * gust))
                self.at[i] = add(at, add(scale(sub(at, before), damping), scale(force, time * time)))
        for _ in range(3):
            for across in (SIZE, 1):
                for odd in (0, 1):
                    self.satisfy(across, odd)
        self.shear()
        for i, at in enumerate(self.at):
            if self.free[i]:
                away = sub(at, ball)
                distance = math.sqrt(dot(away, away))
                if distance < radius:
                    at = contact(at, self.before[i], scale(away, 1 / distance), radius - distance, friction)
                if at[1] < FLOOR:
                    at = contact(at, self.before[i], (0.0, 1.0, 0.0), FLOOR - at[1], friction)
                self.at[i] = at
        self.normals = self.find_normals()

    def satisfy(self, across, odd):
        for a in range(SIZE * SIZE):
            along = a // SIZE if across == SIZE else a % SIZE
            if along % 2 == odd and along + 1 < SIZE:
                b = a + across
                move = self.correction(a, b, SPACING)
                self.at[a] = add(self.at[a], scale(move, self.free[a]))
                self.at[b] = sub(self.at[b], scale(move, self.free[b]))

    def shear(self):
        result = []
        for i, at in enumerate(self.at):
            x, y = i % SIZE, i // SIZE
            total = (0.0, 0.0, 0.0)
            for offsets, rest, stiffness in ((DIAGONALS, SPACING * math.sqrt(2), 0.25), (BENDING, SPACING * 2, 0.0625)):
                for dx, dy in offsets:
                    if 0 <= x + dx < SIZE and 0 <= y + dy < SIZE:
                        total = add(total, scale(self.correction(i, i + dx + SIZE * dy, rest), stiffness))
            result.append(add(at, scale(total, self.free[i])))
        self.at = result

    def find_normals(self):
        result = []
        for i, here in enumerate(self.at):
            x, y = i % SIZE, i // SIZE
            right = sub(self.at[i + 1 if x + 1 < SIZE else i], here)
            left = sub(self.at[i - 1 if x > 0 else i], here)
            down = sub(self.at[i + SIZE if y + 1 < SIZE else i], here)
            up = sub(self.at[i - SIZE if y > 0 else i], here)
            normal = add(add(cross(down, right), cross(right, up)), add(cross(up, left), cross(left, down)))
            result.append(scale(normal, 1 / math.sqrt(dot(normal, normal))))
        return result

    def largest_stretch(self, across):
        lengths = (math.dist(self.at[a], self.at[a + across]) for a in range(SIZE * SIZE) if (a // SIZE if across == SIZE else a % SIZE) + 1 < SIZE)
        return max(lengths) / SPACING


def contact(at, before, normal, depth, friction):
    at = add(at, scale(normal, depth))
    moved = sub(at, before)
    tangential = sub(moved, scale(normal, dot(moved, normal)))
    way = math.sqrt(dot(tangential, tangential))
    return sub(at, scale(tangential, min(friction * depth / way, 1.0))) if way > 1e-7 else at


@model("content/cloth")
def cloth(fixture):
    sheet = Sheet(floats(fixture.contents("t0", 2 * SIZE * SIZE)))
    worlds = [floats(fixture.contents("b0", 12))]
    worlds += [[bits_f32(word(text)) for text in line[2:]] for line in lines(fixture.path) if line[0] == "update"]
    for world in worlds:
        for _ in range(4):
            sheet.step(world)
    probes = [i * 16 + i * 7 % 16 for i in range(1024)]
    return {
        "u4": [f32_bits(sheet.largest_stretch(SIZE)), f32_bits(sheet.largest_stretch(1))],
        "u5": float_words(value for i in probes for value in (*sheet.at[i], sheet.free[i])),
    }
