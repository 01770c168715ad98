"""Model of the program `particle_simulation` in f64.

Ages and lifetimes are in f32, so that each particle dies in the same step as in the shader.
"""

import math

from common import float_words, floats, mix
from directives import MASK32
from expectations import f16_value, model, round32

CAPACITY, FRAMES, GROUND, WINDS = 32768, 12, 32, 16


class Random:
    def __init__(self, state):
        self.state = state

    def next(self):
        self.state = mix(self.state + 0x9E3779B9)
        return (self.state >> 8) * 2.0**-24

    def both(self):
        return self.next() * 2 - 1


def born(birth, seed):
    """The lifetime, position and velocity of a new particle."""
    random = Random(mix(birth + seed * 0x10001))
    lifetime = round32(round32(random.next() * 0.25) + round32(0.05))
    x, z = random.both(), random.both()
    match birth & 3:
        case 0:
            return lifetime, [x * 0.02, 0.12, z * 0.02], [x, 2 + random.next(), z]
        case 1:
            dx, dz = math.cos(x * math.pi), math.sin(x * math.pi)
            return lifetime, [dx * 0.4, 0.15, dz * 0.4], [-dz * 1.5, 0.75 * random.next(), dx * 1.5]
        case 2:
            return lifetime, [x * 0.9, 0.3 + random.next() * 0.3, z * 0.9], [0.0, -2.0, 0.0]
        case _:
            speed = (0.5 + 3 * random.next() ** 4) / math.sqrt(x * x + z * z + 2.25)
            return lifetime, [-0.5, 0.2, 0.5], [x * speed, z * speed, 1.5 * speed]


def taps(coordinate, size, place):
    """The two texels of a linear filter along an axis, with their weights."""
    at = coordinate * size - 0.5
    low = math.floor(at)
    return [(place(low), 1 - (at - low)), (place(low + 1), at - low)]


class World:
    def __init__(self, fixture):
        self.heights = floats(fixture.contents("t0", GROUND**2))
        halves = [f16_value(word >> shift & 0xFFFF) for word in fixture.contents("t1", 2 * WINDS**3) for shift in (0, 16)]
        self.winds = [halves[i : i + 3] for i in range(0, len(halves), 4)]

    def height(self, x, z):
        clamp = lambda i: min(max(i, 0), GROUND - 1)
        columns, rows = taps(x * 0.5 + 0.5, GROUND, clamp), taps(z * 0.5 + 0.5, GROUND, clamp)
        return sum(self.heights[i + GROUND * j] * u * v for j, v in rows for i, u in columns)

    def normal(self, x, z):
        step = 1 / 16
        normal = [self.height(x - step, z) - self.height(x + step, z), 2 * step, self.height(x, z - step) - self.height(x, z + step)]
        length = math.hypot(*normal)
        return [value / length for value in normal]

    def wind(self, position):
        axes = [taps(p * 0.5, WINDS, lambda i: i % WINDS) for p in position]
        total = [0.0] * 3
        for k, w in axes[2]:
            for j, v in axes[1]:
                for i, u in axes[0]:
                    texel = self.winds[i + WINDS * (j + WINDS * k)]
                    total = [t + value * (u * v * w) for t, value in zip(total, texel)]
        return total

    def step(self, emitter, position, velocity, time):
        force = [w * 3 - v * 0.6 for w, v in zip(self.wind(position), velocity)]
        if emitter != 3:
            force[1] -= 4.0
        velocity = [v + f * time for v, f in zip(velocity, force)]
        position = [p + v * time for p, v in zip(position, velocity)]
        below = self.height(position[0], position[2]) - position[1]
        if below > 0:
            normal = self.normal(position[0], position[2])
            position[1] += below
            along = sum(v * n for v, n in zip(velocity, normal))
            if along < 0:
                velocity = [(v - 2 * along * n) * 0.55 for v, n in zip(velocity, normal)]
        return position, velocity


@model("content/particle_simulation")
def particle_simulation(fixture):
    _, time_word, per_frame, seed = fixture.contents("b0", 4)
    time = floats([time_word])[0]
    world = World(fixture)
    living, probes = 0, [0.0] * (7 * per_frame * FRAMES // 8)
    for birth in range(per_frame * FRAMES):
        lifetime, position, velocity = born(birth, seed)
        age, lives, probed = 0.0, True, birth % 8 == birth // 8 % 8
        for _ in range(birth // per_frame, FRAMES):
            age = round32(age + time)
            if age >= lifetime:
                lives = False
                break
            if probed:
                position, velocity = world.step(birth & 3, position, velocity, time)
        if lives:
            living += 1
            if probed:
                probes[birth // 8 * 7 : birth // 8 * 7 + 7] = [*position, age, *velocity]
    births = per_frame * FRAMES
    return {
        "u4": [living, 0, births, births - living],
        "c1": [CAPACITY - living & MASK32],
        "u7": float_words(probes)[:12288],
    }
