#!/usr/bin/env python3
"""Writes tests/golden/functions.txt: special functions to 50 digits by mpmath, and how far PyTorch is from them.

    python3 tools/golden_functions.py        # a Python that has torch==2.13.0 and mpmath

A line is a function, its arguments, and the value rounded to a double; a line "# name error" says what the greatest relative
error of PyTorch's float64 results was on the lines that follow.
"""

import math
import os

import mpmath as mp
import torch

TARGET = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "golden", "functions.txt")
mp.mp.dps = 50


def spread(low, high, n, shift=0.37):
    """n numbers between the two, evenly but for a shift that keeps them off special points."""
    return [float(f"{low + (high - low) * (k + shift) / n:.6g}") for k in range(n)]


def powers(low, high, n):
    return [float(f"{math.exp(x):.6g}") for x in spread(math.log(low), math.log(high), n)]


ALONG = spread(-6, 6, 16) + spread(-60, 60, 10)
ABOVE = powers(1e-6, 600, 24)
WAVE = spread(0, 8, 16) + powers(8, 1e5, 8)
DEGREES = [(x, float(n)) for x in spread(-1, 1, 6) + spread(1, 3, 2) for n in (0, 1, 2, 5, 8, 9, 13, 30)]
PLACES = [(a, float(f"{a * r:.6g}")) for a in powers(0.01, 2e4, 12) for r in (0.05, 0.5, 0.9, 0.99, 1.01, 1.1, 1.6, 4)]


def chebyshev(first, shift=False):
    def f(x, n):
        x = 2 * x - 1 if shift else x
        before, now = mp.mpf(1), first(x)
        for _ in range(int(n)):
            before, now = now, 2 * x * now - before
        return before
    return f


def hurwitz(s, q):
    with mp.workdps(250):  # its error is that of a number near 1
        return mp.zeta(s, q)


def lower_gamma(a, x):
    """The regularised incomplete gamma function by its series, with digits enough to be taken from 1."""
    with mp.workdps(400):
        a, x = mp.mpf(a), mp.mpf(x)
        term = total = mp.exp(a * mp.log(x) - x - mp.loggamma(a + 1))
        while term > total * mp.mpf(10) ** -390:
            a += 1
            term *= x / a
            total += term
        return total


def upper_gamma(a, x):
    with mp.workdps(400):
        return 1 - lower_gamma(a, x)


def hermite_e(x, n):
    return mp.mpf(2) ** (-n / 2) * mp.hermite(n, x / mp.sqrt(2))


KINDS = {"t": lambda x: x, "u": lambda x: 2 * x, "v": lambda x: 2 * x - 1, "w": lambda x: 2 * x + 1}
# name: (the function, where)
FUNCTIONS = {
    "bessel_j0": (lambda x: mp.besselj(0, x), WAVE), "bessel_j1": (lambda x: mp.besselj(1, x), WAVE),
    "bessel_y0": (lambda x: mp.bessely(0, x), WAVE), "bessel_y1": (lambda x: mp.bessely(1, x), WAVE),
    "i0": (lambda x: mp.besseli(0, x), ALONG), "i1": (lambda x: mp.besseli(1, x), ALONG),
    "i0e": (lambda x: mp.exp(-abs(x)) * mp.besseli(0, x), ALONG), "i1e": (lambda x: mp.exp(-abs(x)) * mp.besseli(1, x), ALONG),
    "modified_bessel_k0": (lambda x: mp.besselk(0, x), ABOVE), "modified_bessel_k1": (lambda x: mp.besselk(1, x), ABOVE),
    "scaled_modified_bessel_k0": (lambda x: mp.exp(x) * mp.besselk(0, x), ABOVE),
    "scaled_modified_bessel_k1": (lambda x: mp.exp(x) * mp.besselk(1, x), ABOVE),
    "spherical_bessel_j0": (lambda x: mp.sin(x) / x, ALONG),
    "airy_ai": (mp.airyai, spread(-12, 12, 24) + spread(-60, 60, 6)),
    "erfcx": (lambda x: mp.exp(mp.mpf(x) ** 2) * mp.erfc(x), spread(-5, 5, 12) + powers(5, 1e12, 10)),
    "ndtr": (mp.ncdf, spread(-8, 8, 16) + spread(-36, -8, 6)),
    "log_ndtr": (lambda x: mp.log(mp.erfc(-x / mp.sqrt(2)) / 2), spread(-8, 8, 16) + spread(-1000, -8, 8)),
    "ndtri": (lambda p: -mp.sqrt(2) * mp.erfinv(1 - 2 * p) if p > 1e-10 else mp.findroot(
        lambda x: mp.log(mp.erfc(-x / mp.sqrt(2)) / 2) - mp.log(p), -mp.sqrt(-2 * mp.log(p)) + 0.5),
        spread(0, 1, 12) + powers(1e-300, 0.01, 10)),
    "entr": (lambda x: -x * mp.log(x), ABOVE),
    "xlog1py": (lambda x, y: x * mp.log1p(y), [(x, y) for x in (-2.5, 0.3) for y in spread(-0.9, 4, 8) + [1e-12, 3e5]]),
    "zeta": (hurwitz, [(s, q) for s in (1.05, 1.5, 2, 3.7, 12.25, 40) for q in (0.02, 0.4, 1, 2.7, 15.5, 1e3)]
             + [(3, -0.5), (2, -1.3), (6, -4.75)]),
    "igamma": (lower_gamma, PLACES),
    "igammac": (upper_gamma, PLACES),
    "hermite_polynomial_h": (lambda x, n: mp.hermite(n, x), DEGREES), "hermite_polynomial_he": (hermite_e, DEGREES),
    "laguerre_polynomial_l": (lambda x, n: mp.laguerre(n, 0, x), DEGREES),
    "legendre_polynomial_p": (lambda x, n: mp.legendre(n, x), DEGREES),
    **{f"chebyshev_polynomial_{k}": (chebyshev(first), DEGREES) for k, first in KINDS.items()},
    **{f"shifted_chebyshev_polynomial_{k}": (chebyshev(first, True), [((x + 1) / 2, n) for x, n in DEGREES]) for k, first in KINDS.items()},
}


def pytorch(name, arguments):
    f = getattr(torch.special, {"igamma": "gammainc", "igammac": "gammaincc"}.get(name, name))
    return f(*(torch.tensor(a, dtype=torch.float64) for a in arguments)).item()


def main():
    lines = ["# Written by tools/golden_functions.py with mpmath, and PyTorch " + torch.__version__.split("+")[0] + "."]
    for name, (f, places) in FUNCTIONS.items():
        found, worst = [], 0
        for arguments in (p if isinstance(p, tuple) else (p,) for p in places):
            value = f(*map(mp.mpf, arguments))
            value = mp.re(value)
            if not 1e-300 < abs(value) < 1e300:
                continue
            worst = max(worst, abs(pytorch(name, arguments) - value) / abs(value))
            found.append(" ".join([name, *map(repr, arguments), repr(float(value))]))
        lines += [f"# {name} {float(worst):.2g}", *found]
        print(lines[-len(found) - 1], len(found))
    with open(TARGET, "w") as out:
        out.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
