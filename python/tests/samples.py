"""The sample calls of the registry, as Python arguments; the numbers are those of tests/support/sample.cpp."""

import glob
import math
import os

import taut as torch

GOLDEN = os.path.join(os.path.dirname(__file__), "..", "..", "tests", "golden")
MASK = (1 << 64) - 1
DTYPES = {"f64": torch.float64, "f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16, "i64": torch.int64,
          "i32": torch.int32, "u8": torch.uint8, "bool": torch.bool}


def scrambled(argument, k):
    """splitmix64"""
    z = ((argument << 32) + k + 0x9E3779B97F4A7C15) & MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def number(kind, argument, k):
    h = scrambled(argument, k)
    part = h >> 8
    if kind == "t":
        return ((h & 3) - 2) * 1000000 + 100000 + part % 800001
    return 200000 + part % 2000001 if kind == "p" else part % 1800001 - 900000


def whole(kind, argument, k, dtype):
    h = scrambled(argument, k) >> 8
    if dtype is torch.bool:
        return h >> 9 & 1
    if kind == "p":
        return 1 + h % 3
    return (h % 7 - 3 if kind == "t" else h % 3 - 1) + (3 if dtype is torch.uint8 else 0)


def shaped(values, sizes, dtype):
    if dtype.is_complex:
        real = torch.float64 if dtype is torch.complex128 else torch.float32
        return torch.view_as_complex(shaped(values, (*sizes, 2), real))
    t = torch.tensor(values, dtype=torch.float64).reshape(tuple(sizes))
    return t.float().to(dtype) if dtype in (torch.float16, torch.bfloat16) else t.to(dtype)


class Call:
    """The arguments of one sample, for one dtype."""

    def __init__(self, text, dtype):
        self.dtype, self.count, self.leaves, self.float_literal = dtype, 0, [], False
        names = {k: getattr(torch, k) for k in ("float64", "float32", "float16", "bfloat16", "int64", "int32", "int16",
                                                "int8", "uint8", "bool", "double", "half", "long", "int", "short")}
        names.update(torch=torch, float=float, inf=math.inf, nan=math.nan, slice=slice, arguments=lambda *a, **k: (a, k),
                     t=lambda *s: self.made("t", s), z=self.complex_numbers, p=lambda *s: self.made("p", s), u=lambda *s: self.made("u", s),
                     sp=lambda *s: self.sparse(s, "to_sparse"), csr=lambda *s: self.sparse(s, "to_sparse_csr"),
                     csc=lambda *s: self.sparse(s, "to_sparse_csc"),
                     bsr=lambda *s: self.blocks(s, "to_sparse_bsr"), bsc=lambda *s: self.blocks(s, "to_sparse_bsc"), s=self.symmetric, h=self.hermitian, i=self.integers, b=self.bools, c=self.literal,
                     k=lambda data: self.literal(data).to(torch.int32))
        args, kwargs = eval(f"arguments({text})", names)
        self.args = [torch.float32 if a is float else a for a in args]
        self.kwargs = {k: torch.float32 if a is float else a for k, a in kwargs.items()}

    def leaf(self, t):
        if t.is_floating_point() or t.is_complex():
            t.requires_grad_(self.dtype is torch.float64)
            self.leaves.append(t)
        return t

    def next(self):
        self.count += 1
        return self.count - 1

    def made(self, kind, sizes):
        n, a = math.prod(sizes), self.next()
        if self.dtype.is_floating_point:
            return self.leaf(shaped([number(kind, a, k) / 1e6 for k in range(n)], sizes, self.dtype))
        return shaped([whole(kind, a, k, self.dtype) for k in range(n)], sizes, self.dtype)

    def sparse(self, sizes, layout):
        """Two of three numbers, as a sparse tensor; all of them are the leaf."""
        there = torch.arange(math.prod(sizes)).remainder(3).ne(1).float().reshape(sizes)
        return self.made("t", sizes).sparse_mask(getattr(there, layout)())

    def blocks(self, sizes, layout):
        """Two of three blocks of 2 x 3."""
        there = torch.arange(sizes[0] * sizes[1] // 6).remainder(3).ne(1).float().reshape(sizes[0] // 2, sizes[1] // 3)
        there = there.repeat_interleave(2, 0).repeat_interleave(3, 1)
        return self.made("t", sizes).sparse_mask(getattr(there, layout)((2, 3)))

    def complex_numbers(self, *sizes):
        a, dtype = self.next(), torch.complex128 if self.dtype is torch.float64 else torch.complex64
        return self.leaf(shaped([number("t", a, k) / 1e6 for k in range(2 * math.prod(sizes))], sizes, dtype))

    def symmetric(self, *sizes):
        """Symmetric matrices whose diagonals outweigh the rest."""
        if not self.dtype.is_floating_point:
            return self.made("p", sizes)
        a, n = self.next(), sizes[-1]
        matrices = math.prod(sizes) // (n * n) if n else 0
        places = [(b * n + min(i, j)) * n + max(i, j) for b in range(matrices) for i in range(n) for j in range(n)]
        return self.leaf(shaped([n + number("p", a, k) / 1e6 if k // n % n == k % n else number("u", a, k) / 1e6
                                 for k in places], sizes, self.dtype))

    def hermitian(self, *sizes):
        """The same with imaginary parts beside the diagonal, those of one half negative."""
        a, n, dtype = self.next(), sizes[-1], self.dtype if self.dtype.is_floating_point else torch.float32
        if sizes[-2] != n or math.prod(sizes) > 1000000:
            raise ValueError(f"hermitian matrices of {sizes} are not made")
        numbers = []
        for b in range(math.prod(sizes) // (n * n) if n else 0):
            for i in range(n):
                for j in range(n):
                    k = (b * n + min(i, j)) * n + max(i, j)
                    numbers += [n + number("p", a, k) / 1e6, 0] if i == j else [
                        number("u", a, k) / 1e6, (1 if i < j else -1) * number("u", a + 1, k) / 1e6]
        return self.leaf(shaped(numbers, sizes, torch.complex128 if dtype is torch.float64 else torch.complex64))

    def integers(self, low, high, *sizes):
        a = self.next()
        return shaped([low + scrambled(a, k) % (high - low) for k in range(math.prod(sizes))], sizes, torch.int64)

    def bools(self, *sizes):
        a = self.next()
        return shaped([scrambled(a, k) >> 17 & 1 for k in range(math.prod(sizes))], sizes, torch.bool)

    def literal(self, data):
        self.next()
        t = torch.tensor(data)
        if not t.is_floating_point():
            return t
        self.float_literal = True
        flat = []

        def walk(d):
            if isinstance(d, list):
                for e in d:
                    walk(e)
            else:
                flat.append(float(d))

        walk(data)
        return self.leaf(shaped(flat, t.shape, self.dtype if self.dtype.is_floating_point else torch.float32))


def golden_cases():
    """(op, arguments, {kind: what PyTorch gave}) for every sample of every op."""
    case = None
    for path in sorted(glob.glob(os.path.join(GOLDEN, "ops_*.txt"))):
        with open(path) as lines:
            for line in lines:
                line = line.rstrip("\n")
                if line.startswith("> "):
                    if case:
                        yield case
                    op, _, text = line[2:].partition("\t")
                    case = (op, text, {})
                elif case and not line.startswith("#"):
                    kind, _, rest = line.partition(" ")
                    case[2][kind] = rest
    yield case
