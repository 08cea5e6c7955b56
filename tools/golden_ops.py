#!/usr/bin/env python3
"""Writes tests/golden/ops_*.txt: what PyTorch answers to every sample call of the registry.

    dump_samples | python3 tools/golden_ops.py tests/golden              # all ops
    dump_samples | python3 tools/golden_ops.py tests/golden softmax      # this one; all others stay as they are

`make golden OP=softmax` does this. An op that PyTorch lacks gets an entry in CALLEES: the same function, in PyTorch's ops.
A call is recorded for float64 and float32, its first ones also for half types and whole numbers where PyTorch takes
them; with the float64 gradients of all float inputs for a fixed gradient of the result. Whatever fails or has no
counterpart in PyTorch is told on stderr.
"""

import glob
import math
import os
import sys

import torch

sys.modules["taut"] = torch  # samples.py is written against Taut, which has the same names
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python", "tests"))
from samples import DTYPES, Call, number, shaped  # noqa: E402

DIGITS = {torch.float64: 14, torch.float32: 8, torch.float16: 5, torch.bfloat16: 4}


def index(self, indices):
    return self[tuple(indices)]


def index_put(self, indices, values, accumulate=False):
    if accumulate:
        return torch.ops.aten.index_put(self, [None if i is None else i for i in indices], values, accumulate=True)
    result = self.clone()
    result[tuple(indices)] = values
    return result


def with_named_reduction(f):
    """Python's functional takes "mean" where the op takes 1."""
    return lambda *a, reduction=1, **k: f(*a, reduction=("none", "mean", "sum")[reduction], **k)


def gaussian_nll_loss(input, target, var, full=False, eps=1e-6, reduction=1):
    return with_named_reduction(torch.nn.functional.gaussian_nll_loss)(input, target, var, full, eps,
                                                                       reduction=reduction)


def multilabel_soft_margin_loss(self, target, weight=None, reduction=1):
    return with_named_reduction(torch.nn.functional.multilabel_soft_margin_loss)(self, target, weight,
                                                                                 reduction=reduction)


def constant(t):
    """Running statistics may not require a gradient."""
    return t if t is None else t.detach()


def lp_pool(x, dims, *a, **k):
    return getattr(torch.nn.functional, f"lp_pool{dims}d")(x, *a, **k)


def max_unpool(x, indices, dims, kernel, stride=None, padding=0, output_size=None):
    padding = padding[0] if isinstance(padding, list) else padding
    return getattr(torch.nn.functional, f"max_unpool{dims}d")(x, indices, kernel, stride, padding, output_size)


def fractional_max_pool(x, dims, kernel, size, ratio, samples):
    ratio = ratio * dims if ratio and len(ratio) == 1 else ratio
    pool = getattr(torch.nn.functional, f"fractional_max_pool{dims}d")
    return pool(x, kernel, size, ratio, return_indices=True, _random_samples=samples.detach())


def pad_packed_sequence(data, batch_sizes, back=None, *a, **k):
    order = None if back is None else torch.argsort(back)
    packed = torch.nn.utils.rnn.PackedSequence(data, batch_sizes, order, back)
    return torch.nn.utils.rnn.pad_packed_sequence(packed, *a, **k)


def recurrent(mode, x, batch_sizes, order, back, hx, params, size, hidden, proj, biases, layers, dropout, train, both,
              batch_first):
    kind = {"LSTM": torch.nn.LSTM, "GRU": torch.nn.GRU}.get(mode, torch.nn.RNN)
    more = {} if mode in ("LSTM", "GRU") else {"nonlinearity": mode[4:].lower()}
    more |= {"proj_size": proj} if proj or mode == "LSTM" else {}
    with torch.random.fork_rng(devices=[]):  # the layer's own first values are not used
        layer = kind(size, hidden, layers, bias=biases, batch_first=batch_first, dropout=dropout, bidirectional=both,
                     **more)
    layer = layer.to(x.dtype).train(train)
    assert len(params) == len(layer._flat_weights_names), "every parameter must be given"
    x = x if batch_sizes is None else torch.nn.utils.rnn.PackedSequence(x, batch_sizes, order, back)
    hx = None if not hx else tuple(hx) if mode == "LSTM" else hx[0]
    output, states = torch.func.functional_call(layer, dict(zip(layer._flat_weights_names, params)), (x, hx))
    return [output if batch_sizes is None else output.data, *(states if mode == "LSTM" else [states])]


def recurrent_cell(mode, x, hx, *params):
    kind = {"LSTM": torch.nn.LSTMCell, "GRU": torch.nn.GRUCell}.get(mode, torch.nn.RNNCell)
    more = {} if mode in ("LSTM", "GRU") else {"nonlinearity": mode[4:].lower()}
    cell = kind(params[0].shape[1], params[1].shape[1], len(params) > 2, **more)
    names = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
    hx = None if not hx else tuple(hx) if mode == "LSTM" else hx[0]
    made = torch.func.functional_call(cell, dict(zip(names, params)), (x, hx))
    return list(made) if mode == "LSTM" else [made]


def gradient(self, spacing, dim, edge_order=1):
    spacing = [s.item() if s.dim() == 0 else s for s in spacing]
    return torch.gradient(self, spacing=spacing[0] if len(spacing) == 1 and not isinstance(spacing[0], torch.Tensor) else spacing,
                          dim=dim, edge_order=edge_order)


# Where PyTorch's own operator is called otherwise, or takes other arguments.
def distributions():
    """The formulas of distributions, by way of torch.distributions."""
    D, found = torch.distributions, {}

    def add(name, make, of_value, pair=None, drawn=False):
        for method in of_value:
            found[f"_{name}_{method}"] = lambda value, *p, method=method: getattr(make(*p), method)(value)
        if pair:
            found[f"_{name}_kl"] = lambda *p: D.kl_divergence(make(*p[:pair]), make(*p[pair:]))
        if drawn:
            found[f"_{name}_rsample"] = lambda *p: make(*p[:-1]).rsample(p[-1][:-1])

    def unchecked(cls):
        return lambda *p: cls(*p, validate_args=False)

    for name, cls in (("normal", D.Normal), ("laplace", D.Laplace), ("cauchy", D.Cauchy), ("gumbel", D.Gumbel)):
        add(name, unchecked(cls), ["log_prob"] if name == "gumbel" else ["log_prob", "cdf", "icdf"],
            None if name == "gumbel" else 2, name != "gumbel")
        found[f"_{name}_entropy"] = lambda scale, cls=cls: cls(torch.zeros_like(scale), scale, validate_args=False).entropy()
    add("uniform", unchecked(D.Uniform), ["log_prob", "cdf", "icdf"], 2, True)
    add("exponential", unchecked(D.Exponential), ["log_prob", "cdf", "icdf"], 1, True)
    add("gamma", unchecked(D.Gamma), ["log_prob"], 2, True)
    add("dirichlet", unchecked(D.Dirichlet), ["log_prob"], 1)
    add("student_t", unchecked(D.StudentT), ["log_prob"], drawn=True)
    add("poisson", unchecked(D.Poisson), ["log_prob"], 1)
    add("multivariate_normal", lambda loc, tril: D.MultivariateNormal(loc, scale_tril=tril, validate_args=False), ["log_prob"], 2, True)
    for name, make in (("uniform", unchecked(D.Uniform)), ("exponential", unchecked(D.Exponential)), ("gamma", unchecked(D.Gamma)),
                       ("dirichlet", unchecked(D.Dirichlet))):
        found[f"_{name}_entropy"] = lambda *p, make=make: make(*p).entropy()
    found["_student_t_entropy"] = lambda df, scale: D.StudentT(df, 0.0, scale, validate_args=False).entropy()
    found["_multivariate_normal_entropy"] = lambda tril: D.MultivariateNormal(
        torch.zeros_like(tril[..., 0]), scale_tril=tril, validate_args=False).entropy()
    found["_bernoulli_log_prob"] = lambda value, logits: D.Bernoulli(logits=logits, validate_args=False).log_prob(value)
    found["_bernoulli_entropy"] = lambda p, logits: torch.nn.functional.binary_cross_entropy_with_logits(logits, p, reduction="none")
    found["_geometric_log_prob"] = lambda value, probs: D.Geometric(probs, validate_args=False).log_prob(value)
    found["_binomial_log_prob"] = lambda value, n, logits: D.Binomial(n, logits=logits, validate_args=False).log_prob(value)
    found["_negative_binomial_log_prob"] = lambda value, n, logits: D.NegativeBinomial(
        n, logits=logits, validate_args=False).log_prob(value)

    # its own is a chain of transforms, which keeps more
    found["_gumbel_rsample"] = lambda loc, scale, size: loc - scale * torch.empty(size, dtype=loc.dtype).uniform_()

    class Given:
        """Of probabilities and logits, or two concentrations, as they are."""

        def __init__(self, probs, logits):
            self.probs = self.concentration1 = probs
            self.logits = self.concentration0 = logits

    kl = D.kl
    found["_beta_kl"] = lambda *p: kl._kl_beta_beta(Given(*p[:2]), Given(*p[2:]))
    found["_bernoulli_kl"] = lambda *p: kl._kl_bernoulli_bernoulli(Given(*p[:2]), Given(*p[2:]))
    found["_categorical_kl"] = lambda *p: kl._kl_categorical_categorical(Given(*p[:2]), Given(*p[2:]))
    found["_categorical_entropy"] = lambda *p: D.Categorical.entropy(Given(*p))
    found["_categorical_log_prob"] = lambda value, logits: torch.gather(
        *(lambda v, table: (table, -1, v[..., :1]))(*torch.broadcast_tensors(value.long().unsqueeze(-1), logits))).squeeze(-1)
    found["_categorical_sample"] = lambda probs, shape: D.Categorical(probs, validate_args=False).sample(shape)
    found["_batch_mahalanobis"] = D.multivariate_normal._batch_mahalanobis
    found["_precision_to_scale_tril"] = D.multivariate_normal._precision_to_scale_tril
    return found


CALLEES = {
    **distributions(),
    "_sparse_coo_tensor": lambda i, v, size=None, coalesced=None: torch.sparse_coo_tensor(i, v, size, is_coalesced=coalesced),
    "_sparse_compressed_tensor": lambda a, b, v, size=None, layout=None, strict=False: torch.sparse_compressed_tensor(
        a, b, v, size, layout=torch.sparse_csr),
    "_empty_sparse": lambda size, layout, dtype=None: torch.empty(size, dtype=dtype, layout=torch.sparse_coo),
    "to_dense": lambda x, dtype=None, **k: x.to_dense(**k),
    "to_sparse": lambda x, *dims: x.to_sparse(*dims),
    "to_sparse_csr": lambda x, dims=None: x.to_sparse_csr(dense_dim=dims),
    "to_sparse_csc": lambda x, dims=None: x.to_sparse_csc(dense_dim=dims),
    "to_sparse_bsr": lambda x, size, dims=None: x.to_sparse_bsr(tuple(size), dense_dim=dims),
    "to_sparse_bsc": lambda x, size, dims=None: x.to_sparse_bsc(tuple(size), dense_dim=dims),
    "indices_copy": lambda x: x.indices().clone(),  # PyTorch's own take no sparse tensors of this layout
    "values_copy": lambda x: x.values().clone(),
    **{name: getattr(torch.Tensor, name) for name in ("crow_indices", "col_indices", "ccol_indices", "row_indices", "indices",
                                                      "values", "_indices", "_values", "coalesce")},
    "_sparse_mm": torch.sparse.mm,
    "_sparse_addmm": torch.sparse.addmm,
    "sparse_sampled_addmm": torch.sparse.sampled_addmm,
    "_sparse_sum": lambda x, dim=None, dtype=None: torch.sparse.sum(x, dim, dtype),
    "_sparse_softmax": lambda x, dim, dtype=None: torch.sparse.softmax(x, dim, dtype=dtype),
    "_sparse_log_softmax": lambda x, dim, dtype=None: torch.sparse.log_softmax(x, dim, dtype=dtype),
    "_spdiags": lambda d, o, shape: torch.sparse.spdiags(d, o, tuple(shape)),
    "_gradient": gradient,
    "stft": torch.stft,  # the operator has another overload, without padding
    "view_as_complex_copy": lambda x: torch.view_as_complex(x).clone(),  # whose own has no derivative
    "_recurrent": recurrent,
    "_recurrent_cell": recurrent_cell,
    "_canonical_mask": torch.nn.functional._canonical_mask,
    "_multi_head_attention_forward": torch.nn.functional.multi_head_attention_forward,
    "_interpolate": torch.nn.functional.interpolate,
    "_grid_sample": torch.nn.functional.grid_sample,
    "_lp_pool": lp_pool,
    "_max_unpool": max_unpool,
    "_fractional_max_pool": fractional_max_pool,
    "_embedding": torch.nn.functional.embedding,
    "_embedding_bag": torch.nn.functional.embedding_bag,
    "_gumbel_softmax": lambda logits, tau=1, hard=False, dim=-1: torch.nn.functional.gumbel_softmax(logits, tau, hard, dim=dim),
    "_invert_permutation": torch.nn.utils.rnn.invert_permutation,
    "_pack_padded_sequences": lambda *a: tuple(torch.nn.utils.rnn.pack_padded_sequence(*a)),
    "_pad_packed_sequences": pad_packed_sequence,
    # PyTorch's own transposes its argument in place.
    "_unpad_sequence": lambda x, n, first=False: torch.nn.utils.rnn.unpad_sequence(
        x if first else x.transpose(0, 1), n, True),
    "_kl_div": lambda x, y, reduction, log_target=False: torch.nn.functional.kl_div(
        x, y, reduction=reduction, log_target=log_target),
    "_channel_dropout": lambda x, p, train, inplace, n: getattr(torch.nn.functional, f"dropout{n}d")(x, p, train, inplace),
    "_batch_norm": lambda x, m, v, *a: torch.nn.functional.batch_norm(x, constant(m), constant(v), *a),
    "_instance_norm": lambda x, m=None, v=None, *a: torch.nn.functional.instance_norm(x, constant(m), constant(v), *a),
    "_group_norm": torch.nn.functional.group_norm,
    "gaussian_nll_loss": gaussian_nll_loss,
    "multilabel_soft_margin_loss": multilabel_soft_margin_loss,
    "index": index,
    "index_put": index_put,
    "index_put_": lambda self, *a, **k: self.copy_(index_put(self, *a, **k)),
    "unique": lambda self, sorted=True, return_inverse=False: torch._unique(self, sorted, return_inverse),
    "result_type": torch.result_type,
    "one_hot": torch.nn.functional.one_hot,
    "batch_norm": lambda *a: torch.batch_norm(*a[:3], *map(constant, a[3:5]), *a[5:]),
    "native_batch_norm": lambda *a: torch.native_batch_norm(*a[:3], *map(constant, a[3:5]), *a[5:]),
    "instance_norm": lambda *a: torch.instance_norm(*a[:3], *map(constant, a[3:5]), *a[5:]),
    "_upsample_area": lambda x, size: torch.nn.functional.interpolate(x, size, mode="area"),
    "native_group_norm": lambda *a: [r.detach() if k else r for k, r in enumerate(torch.native_group_norm(*a))],
    "embedding_bag": lambda *a: torch.ops.aten.embedding_bag.padding_idx(*a)[0],
    # The samples of a literal are leaves, and PyTorch wants none here.
    "fractional_max_pool2d": lambda x, k, o, r: torch.ops.aten.fractional_max_pool2d(x, k, o, r.detach()),
    "fractional_max_pool3d": lambda x, k, o, r: torch.ops.aten.fractional_max_pool3d(x, k, o, r.detach()),
}


# PyTorch truncates the float factors of these for whole numbers, where the ones beside them (addmm) refuse.
TRUNCATE = {"addmv", "addbmm", "baddbmm", "hinge_embedding_loss", "margin_ranking_loss"}


# PyTorch computes these in half precision step by step, and overflows on the way.
NO_HALVES = {"matrix_exp", "linalg_matrix_exp"}


def callee(name, overload):
    """PyTorch's operator with exactly this schema; else a function of that name."""
    if name in CALLEES:
        return CALLEES[name]
    packet = getattr(torch.ops.aten, name, None)
    if packet is not None and (overload or "default") in packet.overloads():
        exact = getattr(packet, overload or "default")

        def call(*args, **kwargs):
            try:
                return exact(*args, **kwargs)
            except RuntimeError as e:
                if "Expected a value of type" not in str(e):
                    raise
                return packet(*args, **kwargs)  # our row covers several of PyTorch's overloads

        return call
    for space in (torch, torch.Tensor, torch.nn.functional, torch.special, torch.linalg):
        if hasattr(space, name):
            return getattr(space, name)
    return packet


def flat(result):
    if isinstance(result, (tuple, list)):
        return [r for item in result for r in flat(item)]
    return [result]


def number_text(v, dtype, digits=None):
    if not dtype.is_floating_point:
        return str(int(v))
    if v != v or v in (math.inf, -math.inf):
        return str(v)
    return f"{v:.{digits or DIGITS[dtype]}g}"


def value_text(v):
    if v is None:
        return "none"
    if isinstance(v, torch.Tensor):
        v = torch.zeros(v.shape, dtype=v.dtype) if v._is_zerotensor() else v
        sizes = ",".join(map(str, v.shape))
        parts = torch.view_as_real(v.detach().resolve_conj()) if v.is_complex() else v.detach()
        numbers = ",".join(number_text(e, parts.dtype) for e in parts.reshape(-1).tolist())
        return f"{str(v.dtype)[6:]}[{sizes}]:{numbers}"
    if isinstance(v, torch.dtype):
        return f"={str(v)[6:]}"
    return f"={int(v)}" if isinstance(v, bool) else f"={v!r}"


def dense(r):
    return r.to_dense() if isinstance(r, torch.Tensor) and r.layout != torch.strided else r


def evaluate(f, call, in_place):
    torch.manual_seed(0)
    args, kwargs = list(call.args), dict(call.kwargs)
    if in_place:
        args[0] = args[0].clone()
    return [dense(r) for r in flat(f(*args, **kwargs))]


def gradients(results, call):
    outputs = [(k, r) for k, r in enumerate(results) if isinstance(r, torch.Tensor) and r.requires_grad]
    if not outputs or not call.leaves:
        return None
    seeds = [shaped([number("t", 100 + k, e) / 1e6 for e in range(r.numel() * (2 if r.is_complex() else 1))], r.shape, r.dtype)
             for k, r in outputs]
    return torch.autograd.grad([r for _, r in outputs], call.leaves, seeds, allow_unused=True)


def record(schema, samples, complain):
    head = schema[: schema.index("(")]
    name, _, overload = head.partition(".")
    f = callee(name, overload)
    if f is None:
        complain(f"{head}: no counterpart in PyTorch")
        return []
    in_place = name.endswith("_") and not name.endswith("__")
    lines, halves, wholes = [], 0, 0
    for text in samples:
        lines.append(f"> {head}\t{text}")
        call = Call(text, torch.float64)
        try:
            results = evaluate(f, call, in_place)
        except Exception as e:  # whatever PyTorch rejects
            complain(f"{head}({text}): {type(e).__name__}: {str(e).splitlines()[0] if str(e) else ''}")
            # A dtype that PyTorch has no kernel for may work here.
            lines.append("f64 unsupported" if "not implemented for" in str(e) else "f64 error")
            continue
        lines.append("f64 " + " ".join(map(value_text, results)))
        try:
            grads = gradients(results, call)
            if grads is not None:
                lines.append("grad " + " ".join(map(value_text, grads)))
        except Exception as e:
            complain(f"{head}({text}) backward: {type(e).__name__}: {str(e).splitlines()[0]}")
        edges = any(t.numel() == 0 for t in call.leaves) or call.float_literal
        has_numbers = any(text.startswith(k) or f" {k}" in text or f"[{k}" in text for k in ("t(", "p(", "u(", "s(", "sp(", "csr(", "csc(", "bsr(", "bsc("))
        variants = ["f32"] if call.leaves else []
        if has_numbers and halves < 1 and name not in NO_HALVES:
            variants += ["f16", "bf16"]
            halves += 1
        if has_numbers and wholes < 2 and not edges and name not in TRUNCATE:
            variants += ["i64", "i32", "u8", "bool"]
            wholes += 1
        for v in variants:
            try:
                results = evaluate(f, Call(text, DTYPES[v]), in_place)
            except Exception as e:
                if v == "f32":
                    complain(f"{head}({text}) {v}: {type(e).__name__}: {str(e).splitlines()[0]}")
                continue
            lines.append(f"{v} " + " ".join(map(value_text, results)))
    return lines


def recorded(directory):
    """What the files have now: {head of the schema: its lines}."""
    found, lines = {}, None
    for path in sorted(glob.glob(os.path.join(directory, "ops_*.txt"))):
        with open(path) as f:
            for line in f.read().splitlines():
                if line.startswith("> "):
                    lines = found.setdefault(line[2:].partition("\t")[0], [])
                if not line.startswith("#"):
                    lines.append(line)
    return found


def main():
    directory, wanted = sys.argv[1], sys.argv[2:]
    kept = recorded(directory) if wanted else {}
    table = {}
    for line in sys.stdin:
        schema, _, text = line.rstrip("\n").partition("\t")
        table.setdefault(schema, []).append(text)
    files = {}
    for schema in sorted(table):
        head = schema[:schema.index("(")]
        if wanted and head.partition(".")[0] not in wanted:
            lines = kept.pop(head, [])
        else:
            lines = record(schema, table[schema], lambda s: print(s, file=sys.stderr))
        letter = schema.lstrip("_")[0].lower()
        part = next(p for p in ("a-b", "c-d", "e-h", "i-l", "m-p", "q-r", "s-s", "t-z") if p[0] <= letter <= p[2])
        files.setdefault(part, []).extend(lines)
    for part, lines in files.items():
        with open(os.path.join(directory, f"ops_{part.replace('-', '_to_')}.txt"), "w") as out:
            out.write("# Written by tools/golden_ops.py with PyTorch " + torch.__version__.split("+")[0] + ".\n")
            out.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
