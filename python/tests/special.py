"""Calls of every pointwise op and reduction at the edges of every dtype: what tools/golden_special.py asks PyTorch and
test_special.py asks Taut. A line of the golden file is

    op  arguments  dtype  result dtypes:results

where the arguments say how the numbers of VALUES meet (see `calls`), and the results are in the order of the calls."""

import itertools
import math
import os

import taut as torch

GOLDEN = os.path.join(os.path.dirname(__file__), "golden", "special_{}.txt")
PARTS = ("unary", "binary", "numbers", "reductions")
INF, NAN = math.inf, math.nan
FLOATS = {torch.float64: (1.7976931348623157e308, 2.2250738585072014e-308, 5e-324),
          torch.float32: (3.4028234663852886e38, 1.1754943508222875e-38, 1.401298464324817e-45),
          torch.float16: (65504.0, 6.103515625e-05, 5.960464477539063e-08),
          torch.bfloat16: (3.3895313892515355e38, 1.1754943508222875e-38, 9.183549615799121e-41)}
INTS = {torch.uint8: (0, 255), torch.int8: (-128, 127), torch.int16: (-(1 << 15), (1 << 15) - 1),
        torch.int32: (-(1 << 31), (1 << 31) - 1), torch.int64: (-(1 << 63), (1 << 63) - 1)}
DTYPES = {str(d)[6:]: d for d in (*FLOATS, *INTS, torch.bool)}


def values(dtype, few=False):
    """The numbers of a dtype where ops go wrong."""
    if dtype is torch.bool:
        return [False, True]
    if dtype in INTS:
        low, high = INTS[dtype]
        return [low, high, 0, 1, 3] if low == 0 else [low, high, 0, 1, -1, 2] if few else [low, high, 0, 1, -1, 2, -3, 7]
    high, small, least = FLOATS[dtype]
    if few:
        return [0.0, -0.0, 1.0, -2.5, INF, -INF, NAN, high]
    return [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.0, INF, -INF, NAN, high, -high, small, least, -least]


def numbers(dtype):
    """Plain numbers inside and outside the range of a dtype."""
    if dtype is torch.bool:
        return [True, 2, -1, 1.5]
    if dtype in INTS:
        low, high = INTS[dtype]
        return [0, 1, -1, 3, low, high, 300, -300, 70000, 2 ** 31, 2 ** 53 + 1, 1.5, -0.5, INF, True]
    return [0, -0.0, 1, -1, 0.3, 2, 0.5, -0.5, 2.5, 65536, -1e5, 1e-9, 1e39, 2 ** 53 + 1, INF, -INF, NAN, True]


def extra_numbers(dtype):
    """The same, fewer: for arguments that have a default."""
    if dtype in INTS:
        return [-1, 3, 300, 2 ** 53 + 1, 1.5]
    return [0, -1, 0.3, 2.5, 65536.0, 1e-9, INF, NAN]


def tensor(numbers, dtype):
    wide = dtype in (torch.float16, torch.bfloat16)
    t = torch.tensor(numbers, dtype=torch.float32 if wide else dtype)
    return t.to(dtype) if wide else t


SIZES = ("bincount", "one_hot", "repeat_interleave", "histc", "bernoulli", "multinomial", "normal", "rand_like",
         "randn_like", "empty_like", "poisson", "binomial", "native_dropout",
         "gcd", "lcm")  # numbers as sizes, chance, and where the least number ends PyTorch's process


class Row:
    """One op, as its schema says it is called."""

    def __init__(self, schema):
        self.head, _, rest = schema.partition("(")
        self.name, _, self.overload = self.head.partition(".")
        self.tensors, self.numbers, self.extras, self.fixed, self.fits = [], [], [], {}, True
        depth = 0
        text = ""
        for c in rest:  # up to the closing bracket of the arguments
            depth += (c in "([") - (c in ")]")
            if depth < 0:
                break
            text += c
        for argument in filter(None, (a.strip() for a in split(text))):
            if argument == "*":
                continue
            kind, _, name = argument.partition(" ")
            name, _, default = name.partition("=")
            if name in ("dim", "dims") and kind in ("int", "int[]", "int[]?", "int[1]", "int[1]?", "int?"):
                self.fixed[name] = [-1] if "[" in kind else -1
            elif name == "reduction":
                self.fixed[name] = 0
            elif name == "p" and not default:
                self.fixed[name] = 2
            elif default:
                if kind in ("Scalar", "Scalar?", "float", "float?"):
                    self.extras.append(name)
            elif kind in ("Tensor", "Tensor?"):
                self.tensors.append(name)
            elif kind in ("Scalar", "float", "Scalar?"):
                self.numbers.append(name)
            else:
                self.fits = False
        self.fits = (self.fits and 0 < len(self.tensors) <= 3 and self.name[0] != "_" and not self.name.endswith("_")
                     and self.name not in SIZES and "polynomial" not in self.name)  # whose steps are as many as the degree

    def call(self, f, tensors, numbers=(), **extras):
        return f(**dict(zip(self.tensors, tensors)), **dict(zip(self.numbers, numbers)), **self.fixed, **extras)


def split(text):
    """At the commas that are not inside brackets."""
    parts, depth = [""], 0
    for c in text:
        depth += (c in "([") - (c in ")]")
        if c == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += c
    return parts


def calls(row, kind, dtype):
    """(what to say of it, tensors, numbers, extras) of each call of a kind:
    each: all numbers, all pairs or some triples of numbers, as vectors; pairs: rows of two numbers, one tensor or each
    alone; numbers: all numbers with plain ones; and, by name, an argument that has a default."""
    all_of = values(dtype)
    if kind == "each":
        n = len(row.tensors)
        meet = list(itertools.product(values(dtype, few=n == 3), repeat=n))
        yield meet, [tensor([m[k] for m in meet], dtype) for k in range(n)], (), {}
    elif kind == "rows":
        meet = list(itertools.product(all_of, repeat=2))
        yield meet, [tensor(meet, dtype)], (), {}
    elif kind == "pairs":
        for meet in itertools.product(all_of, repeat=2):
            yield meet, [tensor(meet, dtype)], (), {}
    elif kind == "numbers":
        for n in itertools.product(numbers(dtype), repeat=len(row.numbers)) if len(row.numbers) == 1 else zip(
                numbers(dtype), reversed(numbers(dtype))):
            yield (all_of, n), [tensor(all_of, dtype)] * len(row.tensors), n, {}
    else:
        plain = (1,) * len(row.numbers)
        for n in extra_numbers(dtype):
            yield (all_of, {kind: n}), [tensor(all_of, dtype)] * len(row.tensors), plain, {kind: n}


def kinds(row):
    if row.numbers:
        return ["numbers", *row.extras]
    first = ["each"] if "dim" not in row.fixed and "dims" not in row.fixed else ["rows"]
    if first == ["rows"] and len(row.tensors) > 1:
        return []
    return first + (["pairs"] if len(row.tensors) == 1 and first == ["each"] else []) + row.extras


def flat(result):
    if isinstance(result, (tuple, list)):
        return [r for item in result for r in flat(item)]
    return [result]


DIGITS = {torch.float64: 7, torch.float32: 6, torch.float16: 4, torch.bfloat16: 3}


def token(v, dtype):
    """One number: a letter where it is special."""
    if dtype is torch.bool:
        return "TF"[not v]
    if not dtype.is_floating_point:
        return str(v)
    if v != v:
        return "n"
    if v in (INF, -INF):
        return "i" if v > 0 else "I"
    if v == 0:
        return "0" if math.copysign(1, v) > 0 else "z"
    return f"{v:.{DIGITS[dtype]}g}"


def tokens(result):
    return [token(v, r.dtype) for r in flat(result) for v in r.reshape(-1).tolist()]


def dtypes_of(result):
    return "/".join(str(r.dtype)[6:] for r in flat(result))


# Reductions of 100,000 half-precision numbers: x is all ones, y runs through 16 values, t is 0 everywhere.
LARGE = """x.sum()|x.mean()|y.sum()|y.mean()|y.std()|y.var()|torch.var_mean(x * 3)|torch.std_mean(y)|x.norm()|x.norm(1)
x.norm(3)|y.norm(0.5)|x.logsumexp(0)|x.nansum()|x.nanmean()|torch.dot(x, x / 2)|torch.dist(x, x * 2)|torch.cumsum(x / 2, 0)
torch.linalg.vector_norm(y)|torch.linalg.norm(y)|torch.count_nonzero(y)|torch.prod(x)|y.amax()|torch.mean(x.view(2, -1), 1)
torch.mean(y.view(-1, 2), 0)|torch.sum(y.view(-1, 100), 0)|torch.std(y.view(-1, 2), 0)|torch.var(y.view(2, -1), 1)
torch.logcumsumexp(x, 0)|torch.mv(x.view(2, -1), x[:50000] / 2)|torch.mm(x.view(2, -1), y.view(-1, 2))|torch.cov(y)
F.mse_loss(x, x * 3)|F.mse_loss(x, y, reduction="sum")|F.l1_loss(x, x * 3)|F.l1_loss(x, y, reduction="sum")
F.smooth_l1_loss(x, x * 3)|F.huber_loss(x, x * 3)|F.binary_cross_entropy_with_logits(x * 10, x * 0)|F.kl_div(x, x)
F.binary_cross_entropy(x / 2, x)|F.binary_cross_entropy(x / 2, x, reduction="sum")|F.poisson_nll_loss(x, x)
F.soft_margin_loss(-x * 10, x)|F.hinge_embedding_loss(x * 3, x)|F.margin_ranking_loss(x, x, x, margin=3.0)
F.gaussian_nll_loss(x, x * 3, x)|F.pairwise_distance(x, x * 3)
F.cosine_similarity(x, y, 0)|F.cross_entropy(y.view(-1, 2), t[:50000])|F.nll_loss(x.view(-1, 2), t[:50000])
F.multi_margin_loss(x.view(-1, 2) * 5, t[:50000])|F.triplet_margin_loss(x[None], x[None] * 2, x[None] * 3, margin=500.0)
F.cosine_embedding_loss(x[None], x[None], -torch.ones(1))|F.nll_loss(x.view(-1, 2) * -5, t[:50000], reduction="sum")
F.adaptive_avg_pool1d(x[None, None], 1)|F.adaptive_avg_pool2d(x.view(1, 1, 100, 1000), 1)|F.lp_pool1d(x[None, None], 2.0, 50000)
F.adaptive_avg_pool3d(x.view(1, 1, 10, 100, 100), 1)|F.adaptive_avg_pool2d(y.view(1, 1, 100, 1000), (1, 3))
F.avg_pool1d(x[None, None], 100000)|F.avg_pool2d(x.view(1, 1, 100, 1000), (100, 1000))|F.avg_pool3d(x.view(1, 1, 10, 100, 100), (10, 100, 100))
F.lp_pool2d(x.view(1, 1, 100, 1000), 2.0, (100, 500))|F.interpolate(x[None, None], size=1, mode="area")|F.softmax(x, 0)|F.log_softmax(y, 0)
F.layer_norm(y, (100000,))|F.rms_norm(x * 100, (100000,))|F.batch_norm(y[None, None], None, None, training=True)
F.group_norm(y[None, None], 1)|F.instance_norm(y[None, None])|F.normalize(x, dim=0)|F.local_response_norm(x[None, None], 3)
torch.renorm(x[None], 2, 0, 1.0)|torch.trapezoid(x / 2)
F.embedding_bag(t, x[:1, None] / 2, t[:1], mode="sum")|torch.einsum("i,i->", x, x / 2)|x.view(-1, 2).mean(0).std()
torch.zeros(1, dtype=x.dtype).index_add(0, t, x / 2)|torch.zeros(1, dtype=x.dtype).scatter_add(0, t, x / 2)
torch.linalg.vector_norm(x, 1)|torch.nn.functional.linear(x[:50000] / 2, x[None, :50000])|torch.addmv(x[:2], x.view(2, -1), x[:50000] / 2)
torch.logsumexp(y.view(-1, 2), 0)|torch.nanmean(y.view(-1, 2), 0)"""


def large_calls():
    return [text for line in LARGE.splitlines() for text in line.split("|")]


def large(text, dtype):
    x = torch.ones(100000, dtype=dtype)
    y = ((torch.arange(100000) % 16).float() / 4 - 1).to(dtype)
    t = torch.zeros(100000, dtype=torch.int64)
    return eval(text, {"torch": torch, "F": torch.nn.functional, "x": x, "y": y, "t": t})


def summary(result):
    """The first, the last and the middle number of each tensor."""
    def ends(r):
        r = r.reshape(-1)
        return r if r.numel() < 3 else torch.stack([r[0], r[-1], r[r.numel() // 2]])

    return [ends(r) for r in flat(result)]
