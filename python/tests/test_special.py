"""Every pointwise op and reduction gives what PyTorch gave at the edges of every dtype: nan, infinities, both zeros,
denormals, extremes; plain numbers inside and outside the range; half-precision reductions of many numbers."""

import itertools
import math
import re

import pytest
import taut as torch
from special import DTYPES, FLOATS, GOLDEN, PARTS, Row, calls, dtypes_of, flat, large, summary, token, tokens
from taut import _C

TOLERANCE = {torch.float64: 2e-6, torch.float32: 2e-5, torch.float16: 4e-3, torch.bfloat16: 3e-2}
ERRORS = (RuntimeError, ValueError, TypeError, IndexError, NotImplementedError, OverflowError)

HALF, REAL = ("float16", "bfloat16"), tuple(str(d)[6:] for d in FLOATS)
ALL = tuple(DTYPES)
# What differs on purpose: ops, dtypes, what is here and what PyTorch has ("*" is anything, "nearer" nearer to what float64
# gives than PyTorch's), why; and a pattern of the operands where not all do.
DIFFERENT = [
    ("max min", REAL, "0", "z", "which of two equal zeros is found depends on their number and places in PyTorch"),
    ("max min", REAL, "z", "0", "which of two equal zeros is found depends on their number and places in PyTorch"),
    ("fmax fmin", ("bfloat16",), "0", "z", "the first of two equal zeros, as for PyTorch's other dtypes"),
    ("fmax fmin", ("bfloat16",), "z", "0", "the first of two equal zeros, as for PyTorch's other dtypes"),
    ("std_mean std_mean.dim std_mean.correction var_mean var_mean.dim var_mean.correction", REAL, "z", "0", "a zero's sign"),
    ("var_mean var_mean.dim var_mean.correction std_mean std_mean.dim std_mean.correction", REAL, "i", "n", "the mean is infinite"),
    ("var_mean var_mean.dim var_mean.correction std_mean std_mean.dim std_mean.correction", REAL, "I", "n", "the mean is infinite"),
    ("std std_mean std_mean.dim std_mean.correction var var_mean", REAL, "0", "*",
     "the variance underflows; of equal numbers it is 0"),
    ("var_mean var_mean.dim var_mean.correction std_mean std_mean.dim std_mean.correction", ("float64",), "i", "*",
     "the sum of the greatest numbers overflows, as that of mean does"),
    ("var_mean var_mean.dim var_mean.correction std_mean std_mean.dim std_mean.correction", ("float64",), "I", "*",
     "the sum of the greatest numbers overflows, as that of mean does"),
    ("addr", ("float64", "float32"), "n", "i", "PyTorch fuses the multiply-add, so that its product does not overflow", "beta"),
    ("addr", ("float64", "float32"), "n", "I", "PyTorch fuses the multiply-add, so that its product does not overflow", "beta"),
    ("addr", ("float64", "float32"), "0", "z", "PyTorch fuses the multiply-add, so that its product does not underflow", "beta"),
    ("addcmul", ("float64", "float32", "bfloat16"), "n", "i", "PyTorch fuses the multiply-add, so that its product does not overflow"),
    ("addcmul", ("float64", "float32", "bfloat16"), "n", "I", "PyTorch fuses the multiply-add, so that its product does not overflow"),
    ("nanquantile.scalar", ("float64",), "4.940656e-324", "0", "PyTorch fuses the multiply-add between two denormals"),
    ("nanquantile.scalar", ("float32",), "1.4013e-45", "0", "PyTorch fuses the multiply-add between two denormals"),
    ("copysign.Tensor signbit", ("bfloat16",), "*", "*", "PyTorch's conversion gives nan a sign", r"nan\]"),
    ("hash_tensor", ("bfloat16",), "*", "*", "PyTorch's conversion gives nan a sign", r"nan"),
    ("fft_fft fft_ifft fft_ihfft fft_ihfft2 fft_ihfftn fft_rfft fft_rfft2 fft_rfftn", ("float64", "float32"), "*", "*",
     "the greatest numbers are added before the sum is halved", r": \(-?inf.*instead of \(-?\d\.\d+e\+(30[78]|38)"),
    ("log1p", ("float64", "float32"), "*", "0", "PyTorch flushes denormals here", r"e-(324|45)\]"),
    ("erf", HALF, "nearer", "0", "PyTorch flushes denormals here"),
    ("erf", HALF, "nearer", "z", "PyTorch flushes denormals here"),
    ("logaddexp2", REAL, "0", "*", "exactly 0, where PyTorch rounds", r"\[-1.0, -1.0\]"),
    ("soft_margin_loss softplus", REAL, "nearer", "i", "does not overflow where the result fits"),
    ("binary_cross_entropy_with_logits hinge_embedding_loss kl_div log_softmax.int", HALF, "nearer", "*", "rounded once"),
    ("pow.Tensor_Scalar", ("float16",), "*", "*", "a square root, as for PyTorch's other dtypes", r"\[-(0.0|inf)\] \(-?0.5,"),
    ("gelu", ("float32", "bfloat16"), "i", "n", "PyTorch's single numbers are infinite here, as in its vectors they are not"),
    ("gelu", ("float32", "bfloat16"), "nearer", "i", "does not overflow where the result fits"),
    ("mode", REAL, "*", "*", "nan is the greatest number; PyTorch does not sort it", r"\(nan, "),
    ("std std.dim std.correction var var.dim var.correction var_mean var_mean.dim var_mean.correction std_mean "
     "std_mean.dim std_mean.correction", ("float64",), "*", "*", "the largest numbers overflow in either way"),
    ("special_zeta special_zeta.other_scalar special_zeta.self_scalar", ALL, "*", "*", "nan gives nan, and an infinite number its limit",
     r"nan|inf|e\+|\d{10}|e-|\[(127|255|32767)"),
    ("igamma igammac", REAL, "*", "*", "nan gives nan, and the least numbers keep their digits"),
    ("histogram.bin_ct", ("float64", "float32"), "*", "*", "the range overflows, or has no numbers between its ends"),
    ("special_bessel_j0 special_bessel_j1 special_bessel_y0 special_bessel_y1", ALL, "*", "*", "PyTorch's angles are rounded, and coarse in float32"),
    ("special_modified_bessel_k1", ("float32",), "i", "n", "PyTorch's product overflows on the way"),
    ("special_ndtr", HALF, "nearer", "*", "PyTorch takes the difference of numbers near 1"),
    ("special_xlog1py.other_scalar special_xlog1py.self_scalar", ("float16",), "*", "*", "PyTorch rounds the number to a half first"),
    ("ldexp.Tensor", ("uint8",), "0", "n", "PyTorch multiplies 0 by an overflow"),
    ("gaussian_nll_loss", ("uint8",), "raised", "2.77063", "PyTorch adds eps to whole numbers only where it fits them"),
]


def golden_lines():
    for part in PARTS:
        with open(GOLDEN.format(part)) as lines:
            yield from (line.rstrip("\n") for line in lines if not line.startswith("#"))


CASES = {head: [line.split("\t") for line in group] for head, group in
         itertools.groupby(sorted((x for x in golden_lines() if x[0] not in "-="), key=lambda x: x.split("\t")[0]),
                           key=lambda x: x.split("\t")[0])}
ROWS = {row.head: row for row in map(Row, _C._schemas())}


def unpacked(text):
    words = []
    for word in text.split(" "):
        word, star, n = word.partition("*")
        words += [word] * (int(n) if star else 1)
    return words


def same(got, want, dtype):
    if got == want or want == "?":
        return True
    if not dtype.is_floating_point or want in "niI0z" or got in "niI":
        return False
    a, b = (0.0 if v in "0z" else float(v) for v in (got, want))
    return abs(a - b) <= TOLERANCE[dtype] * max(abs(a), abs(b)) + 2 * FLOATS[dtype][2]


def failures(row, kind, dtype, types, words):
    """What differs, call by call."""
    f, at = _C.ops[row.name], 0
    for what, tensors, numbers, extras in calls(row, kind, dtype):
        where = f"{row.head} {kind} {str(dtype)[6:]}"
        wanted = words[at]
        try:
            result = row.call(f, tensors, numbers, **extras)
        except ERRORS as e:
            at += 1
            if wanted not in "EU":
                yield f"{where} {what if len(str(what)) < 99 else extras or numbers}: raised {e}", "raised", wanted
                return
            continue
        if wanted == "U":
            at += 1
            continue
        got = tokens(result)
        if wanted == "E":
            at += 1
            yield f"{where} {what[-1]}: PyTorch raises, here it is {' '.join(got[:8])}", got[0], "E"
            continue
        if dtypes_of(result) not in types.split(","):
            yield f"{where} {what[-1]}: {dtypes_of(result)} instead of {types}", dtypes_of(result), types
        results = [r.dtype for r in (result if isinstance(result, (tuple, list)) else [result]) for _ in range(r.numel())]
        for k, (g, w, t) in enumerate(zip(got, words[at:], results)):
            if not same(g, w, t):
                operands = [t.reshape(-1)[k % t.numel()].item() for t in tensors] if kind != "rows" else what[k % len(what)]
                yield f"{where} {operands} {numbers or extras or ''}: {g} instead of {w}", \
                    g + " nearer" * is_nearer(f, row, tensors, numbers, extras, k, g, w), w
        at += len(got)


def is_nearer(f, row, tensors, numbers, extras, k, got, wanted):
    """Is what was got nearer than PyTorch's to the same call in float64?"""
    if any(w not in "niI0z" and not re.match(r"-?\d", w) for w in (got, wanted)) or not tensors[0].is_floating_point():
        return False
    exact = [v for r in flat(row.call(f, [t.double() for t in tensors], numbers, **extras))
             for v in r.to(tensors[0].dtype).double().reshape(-1).tolist()][k]

    def distance(word):
        value = float({"n": "nan", "i": "inf", "I": "-inf", "z": "-0"}.get(word, word))
        return 0 if value == exact else math.inf if value != value else abs(value - exact)

    return distance(got) < distance(wanted)


def settled(head, dtype, text, got, wanted):
    """The first row of DIFFERENT that excuses this, or None."""
    return next((row for row in DIFFERENT if head in row[0].split() and dtype in row[1] and row[2] in ("*", *got.split())
                 and row[3] in ("*", wanted) and re.search(row[5] if len(row) > 5 else "", text)), None)


@pytest.mark.parametrize("head", CASES)
def test_edges_are_pytorchs(head):
    wrong = []
    for _, kind, dtype, types, words in CASES[head]:
        wrong += [text for text, got, wanted in failures(ROWS[head], kind, DTYPES[dtype], types, unpacked(words))
                  if not settled(head, dtype, text, got, wanted)]
    assert not wrong, f"{len(wrong)} differ:\n" + "\n".join(wrong[:20])


@pytest.mark.parametrize("text", dict.fromkeys(x[2:].split("\t")[0] for x in golden_lines() if x[0] == "="))
def test_half_precision_sums_many_numbers(text):
    for line in (x[2:].split("\t") for x in golden_lines() if x[0] == "=" and x[2:].split("\t")[0] == text):
        _, name, types, words = line
        if words == "U":
            continue
        result = large(text, DTYPES[name])
        assert dtypes_of(result) == types
        dtypes = (part.dtype for part in summary(result) for _ in range(part.numel()))
        for dtype, g, w in zip(dtypes, tokens(summary(result)), unpacked(words)):
            assert same(g, w, dtype), f"{text} {name}: {g} instead of {w}"


def test_every_exception_is_needed():
    """A row of DIFFERENT that excuses nothing any more hides what comes next."""
    used = {settled(head, dtype, *found) for head in CASES for _, kind, dtype, types, words in CASES[head]
            for found in failures(ROWS[head], kind, DTYPES[dtype], types, unpacked(words))}
    assert not [row for row in DIFFERENT if row not in used]


def test_every_op_was_asked():
    asked = CASES.keys() | {x[2:] for x in golden_lines() if x[0] == "-"}
    assert not ROWS.keys() - asked, "run tools/golden_special.py"
    assert not asked - ROWS.keys(), "run tools/golden_special.py"
