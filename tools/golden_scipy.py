"""Writes tests/golden/scipy.txt: what SciPy says of fits, minima, roots and differential equations.

usage: golden_scipy.py        with a Python that has scipy

A line is a name, a colon and numbers. The tests of both languages pose the same problems.
"""

from pathlib import Path

import numpy as np
from scipy import integrate, optimize

TARGET = Path(__file__).parent.parent / "tests" / "golden" / "scipy.txt"


def curve(p, x):
    return p[0] * np.exp(-p[1] * x) * np.sin(p[2] * x + p[3]) + p[4] * x + p[5]


def fit():
    x = np.linspace(0, 4, 200)
    y = curve([2, 0.7, 3, 0.3, 0.5, -0.2], x) + 0.05 * np.cos(37 * x)
    found = optimize.least_squares(lambda p: curve(p, x) - y, [1, 0.3, 2.5, 0, 0, 0], method="lm", xtol=1e-14, ftol=1e-14, gtol=1e-14)
    return [*found.x, found.cost]


def minimum():
    def f(x):
        return np.sum(100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2) + 0.1 * np.sum(np.cosh(x))

    found = optimize.minimize(f, np.linspace(0.2, 0.8, 6), method="BFGS", options={"gtol": 1e-9})
    found = optimize.minimize(f, found.x, method="Nelder-Mead", options={"xatol": 1e-11, "fatol": 1e-16, "maxfev": 100000, "maxiter": 100000})
    return [*found.x, found.fun]


def slopes(f, p, step=1e-4):
    """The derivatives of f by every number in p, a row each, from four values."""
    rows = []
    for i in range(len(p)):
        e = np.eye(len(p))[i] * step
        rows.append((8 * (f(p + e) - f(p - e)) - (f(p + 2 * e) - f(p - 2 * e))) / (12 * step))
    return np.ravel(rows)


def fixed(p):
    weights = np.array([[0.4, -0.3, 0.1], [0.2, 0.5, -0.4], [-0.1, 0.3, 0.2]])
    return optimize.root(lambda x: np.tanh(weights @ x * p[0] + p[1:]) - x, np.zeros(3), tol=1e-14).x


def crossing(p):
    return optimize.root(lambda x: [x[0] ** 2 + x[1] - p[0], x[0] + x[1] ** 3 - p[1]], [1, 1], tol=1e-14).x


def hunted(p):
    def slope(t, y):
        return [y[0] * (p[0] - p[1] * y[1]), y[1] * (p[2] * y[0] - p[3])]

    times = [0, 0.5, 1.25, 2, 4]
    return integrate.solve_ivp(slope, (0, 4), p[4:], "DOP853", times, rtol=1e-13, atol=1e-13).y.T.ravel()


def swing(p):
    """A pendulum with friction, pushed: the equation knows the time."""
    def slope(t, y):
        return [y[1], -p[0] * np.sin(y[0]) - p[1] * y[1] + p[2] * np.cos(2 * t)]

    return integrate.solve_ivp(slope, (3, 0), [0.5, -0.2], "DOP853", [3, 1.5, 0], rtol=1e-13, atol=1e-13).y.T.ravel()


def main():
    lines = {"fit": fit(), "minimum": minimum()}
    for name, f, p in (("fixed point", fixed, [1.2, 0.3, -0.5, 0.1]), ("root", crossing, [2.0, 3.0]),
                       ("lotka volterra", hunted, [1.5, 1.0, 1.0, 3.0, 1.0, 1.0]), ("pendulum", swing, [4.0, 0.3, 0.8])):
        lines[name] = f(np.array(p))
        lines[name + ", derivatives"] = slopes(f, np.array(p))
    TARGET.write_text("".join(f"{name}: {' '.join(f'{v:.12g}' for v in values)}\n" for name, values in lines.items()))


if __name__ == "__main__":
    main()
