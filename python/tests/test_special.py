"""Every pointwise op and reduction gives what PyTorch gave at the edges of every dtype: nan, infinities, both zeros,
denormals, extremes; plain numbers inside and outside the range; half-precision reductions of many numbers."""

import itertools

import pytest
import taut as torch
from special import DTYPES, FLOATS, GOLDEN, PARTS, Row, calls, dtypes_of, large, summary, token, tokens
from taut import _C

TOLERANCE = {torch.float64: 2e-6, torch.float32: 2e-5, torch.float16: 4e-3, torch.bfloat16: 3e-2}
ERRORS = (RuntimeError, ValueError, TypeError, IndexError, NotImplementedError, OverflowError)

ALL, HALF, REAL = DTYPES, ("float16", "bfloat16"), tuple(str(d)[6:] for d in FLOATS)
# What differs on purpose: ops, dtypes, what is here and what PyTorch has ("*" is anything), why.
DIFFERENT = [
    ("max min fmax fmin lerp.Tensor lerp.Scalar sub.Tensor rsub.Tensor sub.Scalar addr logaddexp2", REAL, "0", "z", "a zero's sign"),
    ("max min fmax fmin lerp.Tensor lerp.Scalar sub.Tensor rsub.Tensor sub.Scalar", REAL, "z", "0", "a zero's sign"),
    ("std_mean std_mean.dim std_mean.correction var_mean var_mean.dim var_mean.correction", REAL, "z", "0", "a zero's sign"),
    ("clamp_min.Tensor clamp_max.Tensor", REAL, "0", "z", "a zero's sign: that of x, as with plain bounds"),
    ("clamp_min.Tensor clamp_max.Tensor", REAL, "z", "0", "a zero's sign: that of x, as with plain bounds"),
    ("var_mean var_mean.dim var_mean.correction std_mean std_mean.dim std_mean.correction", REAL, "i", "n", "the mean is infinite"),
    ("var_mean var_mean.dim var_mean.correction std_mean std_mean.dim std_mean.correction", REAL, "I", "n", "the mean is infinite"),
    ("std std.dim std.correction std_mean std_mean.dim std_mean.correction var var_mean", REAL, "0", "*",
     "the variance underflows; of equal numbers it is 0"),
    ("addr", REAL, "*", "*", "a sum of products, scaled in another order"),
    ("addcmul", REAL, "n", "i", "PyTorch fuses the multiply-add, so that its product does not overflow"),
    ("addcmul", REAL, "n", "I", "PyTorch fuses the multiply-add, so that its product does not overflow"),
    ("nanquantile.scalar", REAL, "*", "0", "PyTorch fuses the multiply-add between two denormals"),
    ("softshrink", REAL, "0", "z", "a zero's sign, which depends on the element's place in PyTorch"),
    ("softshrink", REAL, "z", "0", "a zero's sign, which depends on the element's place in PyTorch"),
    ("var_mean var_mean.dim var_mean.correction std_mean std_mean.dim std_mean.correction", ("float64",), "i", "*",
     "the sum of the greatest numbers overflows, as that of mean does"),
    ("var_mean var_mean.dim var_mean.correction std_mean std_mean.dim std_mean.correction", ("float64",), "I", "*",
     "the sum of the greatest numbers overflows, as that of mean does"),
    ("copysign.Tensor signbit", HALF, "*", "*", "the sign of a nan is nobody's"),
    ("log1p erf", REAL, "*", "0", "PyTorch flushes denormals here"),
    ("erf", REAL, "*", "z", "PyTorch flushes denormals here"),
    ("logaddexp2", REAL, "0", "*", "exactly 0, where PyTorch rounds"),
    ("soft_margin_loss softplus", REAL, "*", "i", "does not overflow where the result fits"),
    ("binary_cross_entropy_with_logits", REAL, "*", "I", "does not overflow where the result fits"),
    ("binary_cross_entropy_with_logits hinge_embedding_loss kl_div log_softmax.int", HALF, "*", "*", "computed in float32, rounded once"),
    ("pow.Tensor_Scalar", ("float16",), "*", "*", "a square root, as for PyTorch's other dtypes"),
    ("hinge_embedding_loss", ALL, "*", "*", "a margin is a float: so is the result"),
    ("gelu", REAL, "*", "*", "does not overflow"),
    ("mode", REAL, "*", "*", "PyTorch does not sort nan here"),
    ("softshrink", ("float64",), "*", "E", "every number is within infinity"),
    ("std std.dim std.correction var var.dim var.correction var_mean var_mean.dim var_mean.correction std_mean "
     "std_mean.dim std_mean.correction", ("float64",), "*", "*", "the largest numbers overflow in either way"),
    ("bucketize.Scalar searchsorted.Scalar", ALL, "*", "*", "a number is taken in the dtype of the boundaries"),
    ("cross_entropy_loss hardtanh margin_ranking_loss dist norm.Scalar normalize pairwise_distance triplet_margin_loss gaussian_nll_loss", ALL, "raised", "*",
     "arguments that make no sense are refused"),
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
                yield f"{where} {operands} {numbers or extras or ''}: {g} instead of {w}", g, w
        at += len(got)


def settled(head, dtype, got, wanted):
    return any(head in ops.split() and dtype in dtypes and g in ("*", got) and w in ("*", wanted)
               for ops, dtypes, g, w, _ in DIFFERENT)


@pytest.mark.parametrize("head", CASES)
def test_edges_are_pytorchs(head):
    wrong = []
    for _, kind, dtype, types, words in CASES[head]:
        wrong += [text for text, got, wanted in failures(ROWS[head], kind, DTYPES[dtype], types, unpacked(words))
                  if not settled(head, dtype, got, wanted)]
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


def test_every_op_was_asked():
    asked = CASES.keys() | {x[2:] for x in golden_lines() if x[0] == "-"}
    assert not ROWS.keys() - asked, "run tools/golden_special.py"
    assert not asked - ROWS.keys(), "run tools/golden_special.py"
