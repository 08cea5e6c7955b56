#!/usr/bin/env python3
"""Writes src/kernels/special_tables.inc: the numbers that the special functions are summed from. Needs mpmath.

    python3 tools/special_tables.py

Each table holds the Chebyshev coefficients of a smooth part of a function, whose variable runs over [-1, 1]; the functions
in src/kernels/ say how the whole is made of the parts.
"""

import os

import mpmath as mp
from mpmath import mpf, pi, sqrt

TARGET = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "src", "kernels", "special_tables.inc")
mp.mp.dps = 50
NODES = 72
# A zero of each function on an interval is divided out, so that what is near it keeps its digits.
J0_ROOT, J1_ROOT = mp.besseljzero(0, 1), mp.besseljzero(1, 1)
AI_ROOTS = mp.airyaizero(1), mp.airyaizero(2)


def chebyshev(f):
    """The coefficients of f on [-1, 1], as many as a double can tell from none; the first one halved."""
    nodes = [mp.cos(pi * (k + mpf(1) / 2) / NODES) for k in range(NODES)]
    values = [f(t) for t in nodes]
    c = [2 * sum(v * mp.cos(pi * j * (k + mpf(1) / 2) / NODES) for k, v in enumerate(values)) / NODES for j in range(NODES)]
    c[0] /= 2
    least = mpf(2) ** -58 * min(map(abs, values))
    while abs(c[-1]) < least:
        c.pop()
    assert len(c) < NODES - 8, "more nodes are needed"
    return c


def within(low, high, f):
    return lambda t: f(low + (t + 1) * (high - low) / 2)


def beyond(limit, f, power=1):
    """f(x) for x >= limit, by t = 2 (limit / x)^power - 1."""
    return lambda t: f(limit / mp.root((t + 1) / 2, power))


def waves(order, part):
    """J = s (P cos c - Q sin c), Y = s (P sin c + Q cos c) with s = sqrt(2 / (pi x)), c = x - (2 order + 1) pi / 4; Q is
    divided by 1 / x."""
    def f(x):
        c, s = x - (2 * order + 1) * pi / 4, sqrt(2 / (pi * x))
        j, y = mp.besselj(order, x), mp.bessely(order, x)
        return (j * mp.cos(c) + y * mp.sin(c)) / s if part == "p" else (y * mp.cos(c) - j * mp.sin(c)) / s * x
    return f


def airy_waves(part):
    """The same for Ai(-x) and Bi(-x), of the angle z + pi/4 with z = 2/3 x^1.5."""
    def f(z):
        x = (z * 3 / 2) ** (mpf(2) / 3)
        s = sqrt(pi) * mp.root(x, 4)
        a, b, c = mp.airyai(-x) * s, mp.airybi(-x) * s, z + pi / 4
        return a * mp.sin(c) + b * mp.cos(c) if part == "p" else (b * mp.sin(c) - a * mp.cos(c)) * z
    return f


def airy_decay(z):
    x = (z * 3 / 2) ** (mpf(2) / 3)
    return 2 * sqrt(pi) * mp.root(x, 4) * mp.exp(z) * mp.airyai(x)


def of_square(limit, f):
    """f(x) for 0 < x <= limit, even in x, by t = 2 (x / limit)^2 - 1."""
    return lambda t: f(limit * sqrt((t + 1) / 2))


def erfcx(t):
    x = mpf("3.75") * (1 + t) / (1 - t)
    return (1 + 2 * x) * mp.exp(x * x) * mp.erfc(x)


def tables():
    """(name, what it holds, function)"""
    for n in (0, 1):
        yield (f"I{n}Near", f"(1 + x) exp(-x) I{n}(x){' / x' * n} for x in [0, 8]",
               within(0, 8, lambda x, n=n: (1 + x) * mp.exp(-x) * mp.besseli(n, x) / x ** n))
        yield (f"I{n}Far", f"sqrt(x) exp(-x) I{n}(x), by 16 / x - 1",
               beyond(8, lambda x, n=n: sqrt(x) * mp.exp(-x) * mp.besseli(n, x)))
    yield "K0Near", "K0(x) + log(x / 2) I0(x), by 2 x^2 - 1", of_square(1, lambda x: mp.besselk(0, x) + mp.log(x / 2) * mp.besseli(0, x))
    yield ("K1Near", "x (K1(x) - log(x / 2) I1(x)), by 2 x^2 - 1",
           of_square(1, lambda x: x * (mp.besselk(1, x) - mp.log(x / 2) * mp.besseli(1, x))))
    for n in (0, 1):
        yield f"K{n}Far", f"sqrt(x) exp(x) K{n}(x), by 2 / x - 1", beyond(1, lambda x, n=n: sqrt(x) * mp.exp(x) * mp.besselk(n, x))
    yield "J0Near", "J0(x) / (x^2 - root^2), by 2 x^2 / 25 - 1", of_square(5, lambda x: mp.besselj(0, x) / (x * x - J0_ROOT ** 2))
    yield ("J1Near", "J1(x) / x / (x^2 - root^2), by 2 x^2 / 25 - 1",
           of_square(5, lambda x: mp.besselj(1, x) / x / (x * x - J1_ROOT ** 2)))
    yield ("Y0Near", "Y0(x) - 2/pi log(x) J0(x), by 2 x^2 / 25 - 1",
           of_square(5, lambda x: mp.bessely(0, x) - 2 / pi * mp.log(x) * mp.besselj(0, x)))
    yield ("Y1Near", "(Y1(x) - 2/pi (log(x) J1(x) - 1 / x)) / x, by 2 x^2 / 25 - 1",
           of_square(5, lambda x: (mp.bessely(1, x) - 2 / pi * (mp.log(x) * mp.besselj(1, x) - 1 / x)) / x))
    for n in (0, 1):
        for part in "pq":
            yield f"{part.upper()}{n}", f"{part.upper()} of order {n} (tools/special_tables.py), by 50 / x^2 - 1", beyond(5, waves(n, part), 2)
    yield "AiNear", "Ai(x) for x in [0, 1.5]", within(0, mpf("1.5"), mp.airyai)
    yield "AiFar", "2 sqrt(pi) x^(1/4) exp(z) Ai(x) for z = 2/3 x^1.5 >= 1.2, by 2.4 / z - 1", beyond(mpf("1.2"), airy_decay)
    yield ("AiBelow", "Ai(x) / (x - root) / (x - next root) for x in [-5, 0]",
           within(-5, 0, lambda x: mp.airyai(x) / (x - AI_ROOTS[0]) / (x - AI_ROOTS[1])))
    for part in "pq":
        yield f"Airy{part.upper()}", f"{part.upper()} of Ai(-x) for z = 2/3 x^1.5 >= 7.4, by 109.52 / z^2 - 1", \
            beyond(mpf("7.4"), airy_waves(part), 2)
    yield "Erfcx", "(1 + 2 x) exp(x^2) erfc(x), by (x - 3.75) / (x + 3.75)", erfcx


def incomplete_gamma(orders, terms):
    """The coefficients of eta^n in c_k(eta), for Q(a, x) around x = a (DLMF 8.12.8 to 8.12.11)."""
    n = terms + 2 * orders + 2
    # m, with m - log(1 + m) = eta^2 / 2, as a series in eta: m m' = eta (1 + m)
    m = [mpf(0), mpf(1)] + [mpf(0)] * n
    for k in range(2, n + 2):
        known = sum(m[i] * (k - i + 1) * m[k - i + 1] for i in range(2, k))
        m[k] = (m[k - 1] - known) / (k + 1)
    inverse = [mpf(1)]  # eta / m
    for k in range(1, n + 1):
        inverse.append(-sum(m[i + 1] * inverse[k - i] for i in range(1, k + 1)))
    # Stirling's series of the gamma function
    g = [mpf(1)]
    for k in range(1, orders):
        # The logarithm's coefficients are B_2j / (2j (2j - 1)).
        log = [mpf(0)] + [mp.bernoulli(j + 1) / ((j + 1) * j) if j % 2 else mpf(0) for j in range(1, k + 1)]
        g.append(sum(j * log[j] * g[k - j] for j in range(1, k + 1)) / k)
    rows, c = [], inverse[1:]
    for k in range(orders):
        rows.append(c[:terms])
        slope = [(i + 1) * v for i, v in enumerate(c[1:])]  # c' / eta has a pole, which the other part takes away
        pole = (-1) ** (k + 1) * (g[k + 1] if k + 1 < orders else 0)
        c = [(slope[i + 1] if i + 1 < len(slope) else 0) + pole * inverse[i + 1] for i in range(len(slope) - 1)]
    return rows


def wrapped(values):
    """Numbers in lines of 120."""
    lines, line = [], "   "
    for v in values:
        word = f" {float(v)!r},"
        if len(line) + len(word) > 120:
            lines.append(line)
            line = "   "
        line += word
    return "\n".join([*lines, line])


def main():
    parts = ["// Written by tools/special_tables.py: coefficients of Chebyshev polynomials, and of eta^n.\n"]
    for name, what, f in tables():
        c = chebyshev(f)
        print(name, len(c))
        parts.append(f"/// {what}\nconstexpr double k{name}[] = {{\n{wrapped(c)}\n}};\n")
    rows = incomplete_gamma(10, 18)
    body = ",\n".join("    {" + ", ".join(repr(float(v)) for v in row) + "}" for row in rows)
    parts.append(f"/// Q(a, x) around x = a: of eta^n, by row k\nconstexpr double kAroundA[10][18] = {{\n{body}\n}};\n")
    for name, value in (("J0Root", J0_ROOT), ("J1Root", J1_ROOT), ("AiRoot", AI_ROOTS[0]), ("AiNextRoot", AI_ROOTS[1])):
        parts.append(f"constexpr double k{name}[] = {{{float(value)!r}, {float(value - mpf(float(value)))!r}}};\n")
    with open(TARGET, "w") as out:
        out.write("".join(parts))


if __name__ == "__main__":
    main()
