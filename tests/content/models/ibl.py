"""Model of the program `ibl`: the table of the environment BRDF, with the same 64 Hammersley
samples of GGX, in f64."""

from math import cos, pi, sin, sqrt

from expectations import fw, model

SIZE, SAMPLES = 64, 64
# The shader keeps 24 bits of the reversed number.
POINTS = [((i + 0.5) / SAMPLES, int(f"{i:032b}"[::-1], 2) / 2**32) for i in range(SAMPLES)]


def shadowing(cosine, alpha):
    """Smith's Λ of GGX."""
    return (sqrt(1 + alpha**2 * (1 - cosine**2) / cosine**2) - 1) / 2


def integrate(nv, roughness):
    alpha = roughness**2
    view = (sqrt(1 - nv * nv), 0, nv)
    scale = bias = 0
    for turn, u in POINTS:
        cosine = sqrt((1 - u) / (1 + (alpha**2 - 1) * u))
        sine = sqrt(1 - cosine**2)
        half = (cos(2 * pi * turn) * sine, sin(2 * pi * turn) * sine, cosine)
        vh = min(max(view[0] * half[0] + view[2] * half[2], 0), 1)
        nl = 2 * vh * half[2] - view[2]
        if nl > 0:
            # The integrand divided by the sampling density is F G (v·h) / ((n·v)(n·h)), because D
            # cancels.
            geometry = 1 / (1 + shadowing(nv, alpha) + shadowing(nl, alpha))
            visible = geometry * vh / (nv * half[2])
            fresnel = (1 - vh) ** 5
            scale += (1 - fresnel) * visible
            bias += fresnel * visible
    return scale / SAMPLES, bias / SAMPLES


@model("content/ibl")
def ibl(_):
    table = (integrate((x + 0.5) / SIZE, (y + 0.5) / SIZE) for y in range(SIZE) for x in range(SIZE))
    return {"t2": [fw(value) for pair in table for value in pair]}
