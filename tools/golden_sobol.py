#!/usr/bin/env python3
"""Writes python/taut/_sobol_numbers.py: the initial direction numbers of Sobol's sequence (Joe and Kuo, 2008), as PyTorch has them.

    python3 tools/golden_sobol.py        # a Python that has torch==2.13.0
"""

import base64
import math
import os

import torch

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python", "taut")
DIMENSIONS = 1111  # those of all polynomials up to degree 13


def degrees():
    """The degree of each dimension's polynomial: there are phi(2^s - 1) / s of degree s."""
    for s in range(1, 14):
        n = 2 ** s - 1
        phi = sum(1 for k in range(1, n + 1) if math.gcd(k, n) == 1)
        yield from [s] * (phi // s)


def main():
    state = torch.zeros(DIMENSIONS, 30, dtype=torch.long)
    torch._sobol_engine_initialize_state_(state, DIMENSIONS)
    bits = ""
    for row, degree in zip(state[1:].tolist(), degrees()):
        for i in range(1, degree):  # the first is 1; number i is odd and below 2^(i + 1)
            bits += format((row[i] >> 29 - i) >> 1, f"0{i}b")
    packed = base64.b85encode(int(bits + "0" * (-len(bits) % 8), 2).to_bytes((len(bits) + 7) // 8, "big")).decode()
    with open(os.path.join(ROOT, "_sobol_numbers.py"), "w") as out:
        out.write('"""Written by tools/golden_sobol.py: initial direction numbers, packed; quasirandom.py says how."""\n\n')
        out.write(f"DIMENSIONS = {DIMENSIONS}\nPACKED = (\n")
        out.writelines(f"    {packed[k:k + 120]!r}\n" for k in range(0, len(packed), 120))
        out.write(")\n")


if __name__ == "__main__":
    main()
