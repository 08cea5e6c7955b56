"""Write tests/golden/print.txt: how PyTorch prints tensors, for tests/print_test.cpp to compare with.

    python tools/golden_print.py tests/golden/print.txt

A case:

    case <name>
    <dtype> <none, leaf (requires grad) or mul (a result)> <default dtype>
    <shape, or - for 0-d> ; <strides, or - for row-major>
    <printoptions: precision threshold edgeitems linewidth sci_mode (auto, on, off)>
    <values in order of the elements, or `arange start step`>
    <n>
    <the n lines of the text>
"""

import math
import sys

import torch

DTYPES = {
    "bool": torch.bool, "uint8": torch.uint8, "int8": torch.int8, "int16": torch.int16, "int32": torch.int32,
    "int64": torch.int64, "float16": torch.float16, "bfloat16": torch.bfloat16, "float32": torch.float32,
    "float64": torch.float64,
}
DEFAULTS = {"precision": 4, "threshold": 1000, "edgeitems": 3, "linewidth": 80, "sci_mode": None}
INF, NAN = math.inf, math.nan


def numel(shape):
    return math.prod(shape)


def row_major(shape):
    strides, n = [], 1
    for s in reversed(shape):
        strides.insert(0, n)
        n *= max(s, 1)
    return strides


class Writer:
    def __init__(self, out):
        self.out = out
        self.count = 0

    def case(self, name, shape, values, dtype="float32", grad="none", strides=None, default="float32", **options):
        """`values`: a list, or (start, step) for a range."""
        ranged = isinstance(values, tuple)
        n = numel(shape)
        listed = [values[0] + values[1] * i for i in range(n)] if ranged else values
        assert len(listed) == n, name
        exact = torch.float64 if DTYPES[dtype].is_floating_point else torch.int64
        flat = torch.tensor(listed, dtype=exact).to(DTYPES[dtype])
        tensor = flat.reshape(shape)
        if strides:
            memory = torch.zeros(1 + sum((s - 1) * t for s, t in zip(shape, strides)), dtype=DTYPES[dtype])
            memory.as_strided(shape, strides).copy_(tensor)
            tensor = memory.as_strided(shape, strides)
        torch.set_default_dtype(DTYPES[default])
        torch.set_printoptions(**{**DEFAULTS, **options})
        if grad != "none":
            tensor.requires_grad_()
        if grad == "mul":
            tensor = tensor * 1
        text = repr(tensor).split("\n")
        torch.set_printoptions(**DEFAULTS)
        torch.set_default_dtype(torch.float32)
        chosen = {**DEFAULTS, **options}
        sci = {None: "auto", True: "on", False: "off"}[chosen["sci_mode"]]
        lines = [
            f"case {name}",
            f"{dtype} {grad} {default}",
            f"{' '.join(map(str, shape)) or '-'} ; {' '.join(map(str, strides)) if strides else '-'}",
            f"{chosen['precision']} {chosen['threshold']} {chosen['edgeitems']} {chosen['linewidth']} {sci}",
            f"arange {values[0]!r} {values[1]!r}" if ranged else " ".join(repr(v) for v in listed),
            str(len(text)),
            *text,
        ]
        print(*lines, sep="\n", file=self.out)
        self.count += 1


def write(out):
    w = Writer(out)
    # One number.
    scalars = [8.0, 0.5, -0.0, 0.0, 1e-5, 1e9, 123456.0, 123456.789, 1e8, 100000001.0, 1e-4, 0.00011, INF, -INF, NAN,
               -1e-30, 3.4e38, 0.33333333]
    for i, v in enumerate(scalars):
        w.case(f"scalar_{i}", [], [v])
    for dtype in DTYPES:
        w.case(f"scalar_{dtype}", [], [1], dtype=dtype)
        w.case(f"vector_{dtype}", [3], [1, 0, 1], dtype=dtype)
        w.case(f"empty_{dtype}", [0], [], dtype=dtype)
    for dtype in ["float16", "bfloat16", "float64"]:
        w.case(f"fractions_{dtype}", [4], [0.1, -2.5, 3.14159265, 1000.25], dtype=dtype)
    # When numbers are whole, and when they get exponents.
    floats = {
        "whole": [1, 2, 3], "whole_negative": [-1, 20, 300], "whole_and_nan": [1, NAN, 3],
        "whole_and_inf": [1, INF, -INF], "only_nan_inf": [NAN, INF, -INF], "only_zeros": [0, 0, -0.0],
        "zeros_and_nan": [0, NAN, 0], "fraction": [1.5, 2, 3], "fraction_and_inf": [1.5, INF, NAN],
        "fraction_negative": [-1.5, 22.25, 3], "ratio_1000": [1, 1000, 2], "ratio_over_1000": [1, 1001, 2],
        "ratio_fraction": [0.1, 101, 2.5], "large": [1e8, 2e8, 1.5e8], "just_large": [1e8, 1e8, 99999999],
        "small": [1e-4, 2e-4, 3e-4], "too_small": [9e-5, 2e-4, 3e-4], "zero_and_small": [0, 1e-5, 1e-6],
        "sci_whole": [1, 10000, 100], "sci_inf": [1, INF, 1e10], "sci_nan": [NAN, 1e-10, -1e10],
        "sci_three_digits": [1e100, 1e-100, 1], "rounding": [0.00005, 0.99995, 0.12345], "half_way": [0.5, 1.5, 2.5],
    }
    for name, values in floats.items():
        w.case(f"float_{name}", [3], values, dtype="float64" if "digits" in name else "float32")
    w.case("int_widths", [5], [1, -20, 300, -4000, 50000], dtype="int64")
    w.case("int_extremes", [2], [-(2**63), 2**63 - 1], dtype="int64")
    w.case("bools", [2, 3], [1, 0, 1, 1, 0, 0], dtype="bool")
    # Shapes.
    for shape in [[1], [2, 3], [1, 1], [2, 2, 2], [2, 1, 3], [2, 2, 2, 2], [1, 1, 1, 1, 1], [3, 1], [2, 3, 1, 2]]:
        w.case(f"shape_{'x'.join(map(str, shape))}", shape, (0.5, 1.25))
        w.case(f"shape_int_{'x'.join(map(str, shape))}", shape, (-3, 7), dtype="int32")
    for shape in [[0, 3], [3, 0], [2, 0, 5], [0, 0]]:
        w.case(f"empty_{'x'.join(map(str, shape))}", shape, [])
        w.case(f"empty_grad_{'x'.join(map(str, shape))}", shape, [], grad="leaf")
    w.case("transposed", [3, 2], (1.0, 1.0), strides=[1, 3])
    w.case("stepped", [4], (1, 3), dtype="int64", strides=[2])
    # Long lines, and few of many.
    w.case("wrap", [30], (0.5, 1.5))
    w.case("wrap_int", [40], (0, 37), dtype="int64")
    w.case("wrap_rows", [3, 25], (-3.25, 0.75))
    w.case("wrap_3d", [2, 2, 20], (0.125, 2.5))
    w.case("at_threshold", [1000], (0, 1), dtype="int64")
    w.case("over_threshold", [1001], (0, 1), dtype="int64")
    w.case("summary_float", [2000], (0.5, 0.5))
    w.case("summary_hidden_large", [1001], (1.0, 1.0))
    w.case("summary_2d", [50, 50], (0.0, 0.5))
    w.case("summary_tall", [400, 3], (0.0, 0.5))
    w.case("summary_wide", [3, 400], (0.0, 0.5))
    w.case("summary_3d", [20, 20, 20], (0.0, 1.0))
    w.case("summary_small_dims", [6, 7, 30], (-5.0, 0.25))
    w.case("summary_4d", [7, 2, 9, 10], (0, 3), dtype="int16")
    # What follows the numbers.
    w.case("leaf", [3], (0.5, 1.0), grad="leaf")
    w.case("leaf_scalar", [], [2.0], grad="leaf")
    w.case("result", [3], (0.5, 1.0), grad="mul")
    w.case("result_float64", [2, 2], (0.5, 1.0), dtype="float64", grad="mul")
    for n in range(6, 11):
        w.case(f"suffix_wraps_{n}", [n], (0.5, 1.0), dtype="float64", grad="mul")
    w.case("suffix_after_rows", [2, 10], (0.5, 1.0), dtype="float64", grad="leaf")
    w.case("suffix_narrow", [2], (0.5, 1.0), dtype="float64", grad="leaf", linewidth=20)
    w.case("default_float64", [2], (0.5, 1.0), dtype="float64", default="float64")
    w.case("default_float64_float32", [2], (0.5, 1.0), default="float64")
    w.case("default_float64_empty", [0], [], dtype="float64", default="float64")
    w.case("default_float16", [2], (0.5, 1.0), dtype="float16", default="float16")
    # Each option.
    for p in [0, 1, 2, 8, 12]:
        w.case(f"precision_{p}", [3], [0.123456789, 1.5, -22.75], precision=p)
        w.case(f"precision_sci_{p}", [2], [1.23456789e-7, 1.5], precision=p)
    w.case("precision_whole", [3], [1.0, 2.0, 3.0], precision=2)
    for t in [0, 5, 6, 10]:
        w.case(f"threshold_{t}", [2, 5], (0.5, 1.0), threshold=t, edgeitems=1)
    w.case("threshold_0_scalar", [], [1.5], threshold=0)
    for e in [0, 1, 2, 5]:
        w.case(f"edgeitems_{e}", [1200], (0.5, 1.0), edgeitems=e)
        w.case(f"edgeitems_2d_{e}", [40, 40], (0, 1), dtype="int64", edgeitems=e)
    w.case("edgeitems_0_small", [3], (0.5, 1.0), edgeitems=0)
    for width in [1, 20, 40, 79, 81, 120]:
        w.case(f"linewidth_{width}", [2, 12], (0.5, 1.0), linewidth=width)
    for sci in [True, False]:
        w.case(f"sci_{sci}", [3], [0.5, 1234.5, -1e-3], sci_mode=sci)
        w.case(f"sci_whole_{sci}", [3], [1.0, 1e10, INF], sci_mode=sci)
        w.case(f"sci_zero_{sci}", [2], [0.0, NAN], sci_mode=sci)
        w.case(f"sci_int_{sci}", [2], [1, 1000000], dtype="int64", sci_mode=sci)
    print(f"end {w.count}", file=out)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        with open(sys.argv[1], "w") as f:
            write(f)
    else:
        write(sys.stdout)
