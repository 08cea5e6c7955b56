"""Random programs for compare_graphs.py: a few lines of Python over `torch`, each line writing or making one `v3`.

A program has leaves in several dtypes and layouts, calls of every op of Taut's registry (as a function, a method, in place,
with out=), views, writes, arithmetic, casts, hooks, regions without gradients. Each line is run in PyTorch as it is written,
so that the next one knows what there is; the last may be one that PyTorch refuses.
"""

import ast
import glob
import math
import os
import random
import re
import sys
import warnings

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
sys.path.insert(0, os.path.join(ROOT, "python", "tests"))
from programs import SPECIAL_NUMBERS, flat  # noqa: E402

FLOATS = ["float64", "float64", "float64", "float64", "float32", "float32", "float16", "bfloat16"]
WHOLE = ["int64", "int64", "int32", "int16", "int8", "uint8", "bool"]
COMPLEX = ["complex128", "complex128", "complex64"]
# Functions of torch.nn.functional that are no ops of the registry, or have more options than theirs.
FUNCTIONS = {
    "cross_entropy": ["t(3, 4), i(0, 4, 3), reduction='sum'", "t(3, 4), i(0, 4, 3), weight=p(4), ignore_index=1", "t(4), i(0, 4)",
                      "t(3, 4), p(3, 4), label_smoothing=0.1", "t(2, 3, 4), i(0, 3, 2, 4), label_smoothing=0.2, reduction='none'",
                      "t(2, 3, 4), p(2, 3, 4), weight=p(3), reduction='sum'", "t(3, 4), i(0, 4, 3), p(4), label_smoothing=0.3"],
    "nll_loss": ["t(3, 4), i(0, 4, 3), reduction='none'", "t(2, 3, 4), i(0, 3, 2, 4), weight=p(3).detach()", "t(4), c(2), ignore_index=2",
                 "t(2, 3, 2, 2), i(0, 3, 2, 2, 2), ignore_index=0"],
    "binary_cross_entropy": ["u(2, 3).abs(), u(2, 3).abs()", "u(2, 3).abs(), u(2, 3).abs(), weight=p(3).detach(), reduction='sum'"],
    "binary_cross_entropy_with_logits": ["t(2, 3), u(2, 3).abs(), pos_weight=p(3)", "t(2, 3), u(2, 3).abs(), p(2, 3).detach(), reduction='none'"],
    "mse_loss": ["t(2, 3), t(2, 3), reduction='none'", "t(2, 3), t(2, 3), reduction='sum'", "t(2, 3), t(2, 3), weight=p(2, 3)"],
    "l1_loss": ["t(2, 3), t(2, 3), reduction='none'", "t(2, 3), t(2, 3), weight=p(2, 3)"],
    "smooth_l1_loss": ["t(2, 3), t(2, 3), reduction='sum', beta=0.5", "t(2, 3), t(2, 3), beta=0"],
    "huber_loss": ["t(2, 3), t(2, 3), reduction='sum', delta=0.5", "t(2, 3), t(2, 3), delta=2, weight=p(2, 3)"],
    "kl_div": ["t(2, 3), p(2, 3), reduction='batchmean'", "t(2, 3), t(2, 3), reduction='sum', log_target=True", "t(2, 3), p(2, 3)"],
    "poisson_nll_loss": ["t(2, 3), p(2, 3), full=True", "p(2, 3), p(2, 3), log_input=False, reduction='sum'"],
    "gaussian_nll_loss": ["t(2, 3), t(2, 3), p(2, 3), full=True", "t(2, 3), t(2, 3), p(2, 1), reduction='none'", "t(2, 3), t(2, 3), 0.5"],
    "hinge_embedding_loss": ["t(2, 3), c([1, -1, 1]), margin=0.5", "t(3), c([1, -1, 1]), reduction='none'"],
    "margin_ranking_loss": ["t(3), t(3), c([1, -1, 1]), margin=0.5, reduction='sum'"],
    "soft_margin_loss": ["t(3), c([1, -1, 1]), reduction='none'"],
    "multi_margin_loss": ["t(3, 4), i(0, 4, 3), p=2, margin=0.5", "t(3, 4), i(0, 4, 3), weight=p(4).detach(), reduction='none'", "t(4), i(0, 4)"],
    "multilabel_margin_loss": ["t(2, 4), i(-1, 4, 2, 4), reduction='none'", "t(4), i(-1, 4, 4)"],
    "multilabel_soft_margin_loss": ["t(2, 3), u(2, 3).abs(), weight=p(3)", "t(2, 3), b(2, 3), reduction='none'"],
    "cosine_embedding_loss": ["t(2, 3), t(2, 3), c([1, -1]), margin=0.25", "t(3), t(3), c(-1), reduction='none'"],
    "triplet_margin_loss": ["t(2, 3), t(2, 3), t(2, 3), swap=True", "t(2, 3), t(2, 3), t(2, 3), p=1, margin=2, reduction='sum'"],
    "triplet_margin_with_distance_loss": ["t(2, 3), t(2, 3), t(2, 3), margin=0.5, swap=True, reduction='none'"],
    "ctc_loss": ["t(5, 2, 4).log_softmax(-1), i(1, 4, 2, 2), c([5, 4]), c([2, 1]), zero_infinity=True",
                 "t(5, 4).log_softmax(-1), i(1, 4, 2), c(5), c(2), reduction='sum'",
                 "t(5, 2, 4).log_softmax(-1), i(0, 3, 3), (5, 3), (1, 2), blank=3, reduction='none'"],
    "linear_cross_entropy": ["t(3, 2), t(4, 2), i(0, 4, 3)"],
    "batch_norm": ["t(3, 2), None, None, p(2), t(2), True", "t(2, 3, 4), t(3).detach().clone(), p(3).detach().clone(), training=True, momentum=0.3",
                   "t(2, 3, 4), t(3).detach().clone(), p(3).detach().clone(), eps=0.1"],
    "instance_norm": ["t(2, 3, 4), weight=p(3), bias=t(3)", "t(2, 3, 4), t(3).detach().clone(), p(3).detach().clone(), use_input_stats=False"],
    "group_norm": ["t(2, 4, 3), 2, p(4), t(4), 0.1", "t(2, 4), 4"],
    "layer_norm": ["t(2, 3, 4), (3, 4), p(3, 4)", "t(2, 3), (3,), None, t(3), 0.5", "t(0, 3), (3,)"],
    "rms_norm": ["t(2, 3), (3,), p(3)", "t(2, 3, 4), (3, 4), eps=0.1"],
    "local_response_norm": ["t(2, 4, 3), 2, 0.1, 0.5, 2", "t(2, 4, 3, 2), 3"],
    "normalize": ["t(2, 3), p=1", "t(2, 3), 2, 0, 0.5", "t(2, 3), p=3, dim=-1"],
    "cosine_similarity": ["t(2, 3), t(3), dim=-1, eps=0.1"],
    "pairwise_distance": ["t(2, 3), t(2, 3), p=1, keepdim=True", "t(2, 3), t(3), 3, 0.1"],
    "softmax": ["t(2, 3), 0, dtype=float64", "t(2, 3), -1"],
    "log_softmax": ["t(2, 3), 1, dtype=float32"],
    "softmin": ["t(2, 3), 1"],
    "pad": ["t(2, 3, 4), (1, -1), 'reflect'", "t(2, 3, 4), (2, 1), 'replicate'", "t(2, 3, 4), (1, 2), 'circular'", "t(2, 3), (1, -1, 0, 2), value=2"],
    "interpolate": ["t(1, 2, 4), scale_factor=1.5", "t(1, 2, 4), 6, mode='linear', align_corners=True",
                    "t(1, 2, 3, 4), (2, 5), mode='bilinear', antialias=True", "t(1, 2, 3, 4), scale_factor=(2, 0.5), mode='bicubic'",
                    "t(1, 2, 3, 4), scale_factor=0.7, mode='area'", "t(1, 2, 3, 4), scale_factor=1.4, mode='nearest-exact'",
                    "t(1, 1, 2, 3, 2), (3, 2, 4), mode='trilinear'", "t(1, 2, 3, 4), scale_factor=1.3, mode='bilinear', recompute_scale_factor=True"],
    "avg_pool1d": ["t(2, 3, 6), 3, 2, 1, True, False", "t(3, 6), 2"],
    "avg_pool2d": ["t(2, 5, 4), (2, 3), stride=1, padding=1, divisor_override=2", "t(1, 2, 5, 4), 3, 2, 1, True, False"],
    "max_pool1d": ["t(2, 3, 6), 3, 2, 1, ceil_mode=True, return_indices=True", "t(3, 6), 2, dilation=2"],
    "max_pool2d": ["t(1, 2, 5, 4), 2, 2, 1, ceil_mode=True", "t(2, 5, 4), 2, 1, dilation=2, return_indices=True"],
    "lp_pool1d": ["t(2, 3, 6), 3, 2", "p(3, 6), 1.5, 2, 1, True"],
    "lp_pool2d": ["t(2, 5, 4), 2, (2, 3), ceil_mode=True"],
    "adaptive_avg_pool2d": ["t(2, 5, 4), (3, None)", "t(1, 2, 5, 4), 3"],
    "adaptive_max_pool2d": ["t(2, 5, 4), (2, 3), return_indices=True", "t(1, 2, 5, 4), (None, 2)"],
    "conv1d": ["t(1, 2, 6), t(4, 2, 3), t(4), 2, 1, 2", "t(2, 6), t(4, 1, 3), groups=2, padding='same'"],
    "conv2d": ["t(2, 4, 5), t(2, 2, 2, 3), padding='valid', dilation=2", "t(1, 2, 4, 5), t(2, 1, 2, 3), None, (2, 1), (0, 2), 1, 2"],
    "conv_transpose1d": ["t(1, 2, 4), t(2, 2, 3), t(4), 2, 1, 1, 2", "t(2, 4), t(2, 3, 2), stride=3, dilation=2"],
    "conv_transpose2d": ["t(2, 3, 2), t(2, 1, 2, 2), stride=2, output_padding=(1, 0)"],
    "embedding": ["i(0, 4, 2, 3), t(4, 2), padding_idx=1", "i(0, 4, 3), t(4, 2), scale_grad_by_freq=True"],
    "embedding_bag": ["i(0, 4, 2, 3), t(4, 2), mode='sum', per_sample_weights=t(2, 3)", "i(0, 4, 5), t(4, 2), c([0, 3]), mode='max'",
                      "i(0, 4, 5), t(4, 2), c([0, 0, 5]), padding_idx=1, include_last_offset=True"],
    "scaled_dot_product_attention": ["t(2, 3, 4), t(2, 5, 4), t(2, 5, 2), attn_mask=b(3, 5)", "t(3, 4), t(3, 4), t(3, 4), is_causal=True",
                                     "t(1, 4, 3, 2), t(1, 2, 5, 2), t(1, 2, 5, 2), t(3, 5), scale=0.3, enable_gqa=True"],
    "grid_sample": ["t(1, 2, 3, 4), u(1, 2, 3, 2), mode='bicubic', padding_mode='border', align_corners=True",
                    "t(1, 2, 3, 4), t(1, 2, 3, 2), padding_mode='reflection', align_corners=False"],
    "bilinear": ["t(2, 3), t(2, 4), t(5, 3, 4), t(5)"],
    "glu": ["t(4, 3), 0"], "celu": ["t(2, 3), 0.5"], "elu": ["t(2, 3), 0.5"], "leaky_relu": ["t(2, 3), -0.5"], "rrelu": ["t(2, 3), 0.1, 0.4"],
    "gelu": ["t(2, 3), approximate='tanh'"], "softplus": ["t(2, 3), 2, 1"], "threshold": ["t(2, 3), 0.5, -1"], "hardtanh": ["t(2, 3), -0.5, 2"],
    "prelu": ["t(2, 3, 2), t(3)", "t(3), t(1)"], "fold": ["t(1, 4, 6), (3, 4), 2", "t(4, 4), 4, 2, stride=2"],
    "unfold": ["t(1, 2, 3, 4), 2, padding=1, stride=(2, 1)"], "pixel_shuffle": ["t(4, 2, 3), 2"], "one_hot": ["i(0, 3, 2), 4"],
    "max_unpool1d": ["t(1, 2), c([[1, 2]]), 2", "t(2, 3, 2), i(0, 4, 2, 3, 2), 2, output_size=(5,)"], "logsigmoid": ["t(2, 3)"],
    "softsign": ["t(2, 3)"], "tanhshrink": ["t(2, 3)"], "hardswish": ["t(2, 3)"], "mish": ["t(2, 3)"], "silu": ["t(2, 3)"],
}
# Results that are not defined by the arguments.
UNDEFINED = {"empty", "empty_like", "empty_strided", "new_empty", "new_empty_strided"}
# Rows without samples in the golden files, since they draw into what they are given.
DRAWS = {"bernoulli_.Tensor": ["t(2, 3), u(2, 3)", "t(2, 3), c([0.5, 0.0, 1.0])"], "bernoulli_.float": ["t(2, 3)", "t(5), 0.25"],
         "cauchy_": ["t(2, 3)", "t(5), 1.0, 2.0"], "exponential_": ["t(2, 3)", "t(5), 0.5"], "geometric_": ["t(2, 3), 0.5"],
         "log_normal_": ["t(2, 3)", "t(5), 0.5, 0.25"], "normal_": ["t(2, 3)", "t(20), 1.0, 2.0"], "random_": ["t(2, 3)"],
         "random_.from": ["t(2, 3), -2, 5"], "random_.to": ["t(2, 3), 7"], "uniform_": ["t(2, 3)", "t(5), -1.0, 2.0"]}
# What stands for a tensor in a sample (docs/adding-an-op.md).
MAKERS = "tpuzsibck"
# Which of several equal elements these name is not promised: their first argument has none.
DISTINCT = {"kthvalue", "topk", "median", "nanmedian", "mode", "sort", "argsort", "msort"}
# PyTorch 2.13 reads strided or expanded arguments of these as if they were dense.
DENSE = {"median", "nanmedian", "batch_norm", "native_batch_norm", "native_group_norm", "group_norm", "embedding_bag"}
# torch.kl_div and its kin, undocumented, forget that their reduction is "mean"; other functions of torch differ from the op.
BY_OP_ONLY = {"index", "unique", "embedding_bag", "native_group_norm", "native_batch_norm", "fractional_max_pool2d",
              "fractional_max_pool3d", "gaussian_nll_loss", "multilabel_soft_margin_loss", "one_hot", "block_diag", "broadcast_tensors",
              "cartesian_prod", "chain_matmul"}
# A refusal that only says that PyTorch has no kernel, or how its parser tells overloads apart.
NO_KERNEL = re.compile(r"not implemented for|is not yet implemented|NYI|Could not run|Unknown schema|Expected a value of type|"
                       r"expected at most|isn't implemented|could not create a primitive|INTERNAL ASSERT|"
                       r"Overloaded torch operator|only implement|MKL FFT (doesn't support|error)|Cannot access storage of Sparse", re.I)


def nested(values, shape):
    """The values as nested lists."""
    if not shape:
        return values[0] if values else 0
    if math.prod(shape) == 0:
        return []
    step = len(values) // shape[0]
    return [nested(values[k * step:(k + 1) * step], shape[1:]) for k in range(shape[0])]


def samples(registered):
    """Every op of the registry with its sample calls, which the golden files hold."""
    found = {name: list(texts) for name, texts in DRAWS.items()}
    for path in sorted(glob.glob(os.path.join(ROOT, "tests", "golden", "ops_*.txt"))):
        with open(path) as lines:
            for line in lines:
                if line.startswith("> "):
                    op, _, text = line[2:].rstrip("\n").partition("\t")
                    found.setdefault(op, []).append(text)
    missing = {name for name in registered if name not in found and name not in UNDEFINED}
    assert not missing, f"no samples of {sorted(missing)}"
    return {name: found[name] for name in sorted(registered) if name not in UNDEFINED} | {
        f"F.{name}": texts for name, texts in FUNCTIONS.items()}


class Writer:
    """Writes one random program."""

    def __init__(self, torch, op, calls, seed, only=None):
        self.torch, self.op, self.calls, self.only = torch, op, calls, only
        self.random = random.Random(seed)
        self.program, self.names, self.refused, self.ops = [], {}, None, []
        self.space = {"torch": torch, "op": op, **SPECIAL_NUMBERS}
        self.dtype = self.pick_dtype()
        self.wild = self.random.random() < 0.3  # arguments that may not fit

    def pick_dtype(self):
        chance = self.random.random()
        return self.random.choice(FLOATS if chance < 0.76 else COMPLEX if chance < 0.82 else WHOLE)

    def run(self, line):
        exec(line, self.space, self.names)

    def add(self, line):
        """Runs and keeps a line; False if PyTorch refuses it."""
        try:
            self.run(line)
        except Exception as problem:
            if not NO_KERNEL.search(str(problem)) and not isinstance(problem, SyntaxError) and self.refused is None:
                self.refused = self.program + [line]
            return False
        self.program.append(line)
        return True

    def name(self):
        return f"v{len(self.program)}"

    def tensors(self):
        return [n for n, t in self.names.items() if isinstance(t, self.torch.Tensor)]

    # Leaves.

    def numbers(self, kind, n, dtype):
        r = self.random
        if dtype == "bool":
            return [r.random() < 0.5 for _ in range(n)]
        if dtype in COMPLEX:
            return [complex(round(r.uniform(-2, 2), 3), round(r.uniform(-2, 2), 3)) for _ in range(n)]
        if kind == "distinct":
            numbers = r.sample(range(-n if dtype != "uint8" else 0, n + 1), n)
            return numbers if dtype in WHOLE else [k / 8 for k in numbers]
        if dtype in WHOLE:
            low, high = (1, 4) if kind == "p" else (0, 6) if dtype == "uint8" else (-3, 4)
            return [r.randrange(low, high) for _ in range(n)]
        low, high = dict(t=(-2, 2), p=(0.2, 2.2), u=(-0.9, 0.9))[kind]
        chance = r.random()
        if chance < 0.1:  # ties and kinks
            return [max(low, min(high, r.choice([-1.0, -0.0, 0.0, 0.5, 1.0]))) for _ in range(n)]
        if chance < 0.13 and kind == "t":
            return [r.choice([-0.0, 0.0, 1.0, -1.5, math.inf, -math.inf, math.nan, 3e4, 1e-8]) for _ in range(n)]
        return [round(r.uniform(low, high), 3) for _ in range(n)]

    def leaf(self, values, shape, dtype, grad):
        name, text = self.name(), nested(values, list(shape))
        grad = ", requires_grad=True" if grad and dtype not in WHOLE else ""
        shaped = "" if 0 not in shape else f".reshape({tuple(shape)})"
        if shaped and grad:
            shaped, grad = shaped + ".requires_grad_()", ""
        self.add(f"{name} = torch.tensor({text}, dtype=torch.{dtype}{grad}){shaped}")
        return name

    def made(self, kind, shape, dtype=None):
        """A tensor of that shape: one there is, part of one, or a new leaf in some layout."""
        r, dtype = self.random, dtype or self.dtype
        shape = list(shape)
        if self.wild and r.random() < 0.15:
            dtype = self.pick_dtype()
        if self.wild and r.random() < 0.15:
            shape = self.bent(shape)
        fits = [n for n in self.tensors() if str(self.names[n].dtype)[6:] == dtype]
        same = [n for n in fits if list(self.names[n].shape) == shape]
        size = math.prod(shape)
        larger = [n for n in fits if self.names[n].numel() >= size > 0]
        wrap = {"t": "{}", "p": "({}.abs() + 0.25)", "u": "({}.tanh() * 0.9)"}[kind]
        if dtype in COMPLEX:
            wrap = {"t": "{}", "p": "({} + 0.25)", "u": "({} * 0.4)"}[kind]
        if dtype in WHOLE:
            wrap = {"t": "{}", "p": "({}.abs() % 3 + 1)", "u": "({} % 2)"}[kind] if dtype != "bool" else "{}"
        if same and r.random() < 0.75:
            return wrap.format(r.choice(same))
        if larger and r.random() < 0.5:
            return wrap.format(f"{r.choice(larger)}.reshape(-1)[:{size}].reshape({tuple(shape)})")
        return self.new(kind, shape, dtype)

    def bent(self, shape):
        """Another shape: one that broadcasts, an empty one, or one that does not fit."""
        r = self.random
        if not shape or r.random() < 0.3:
            return r.choice([[], [1], [0], [1] + shape, [2] + shape])
        if r.random() < 0.3:
            return shape[1:]
        shape[r.randrange(len(shape))] = r.choice([1, 1, 0, 2])
        return shape

    def new(self, kind, shape, dtype):
        r = self.random
        layout = r.choice(["plain", "plain", "plain", "transposed", "strided", "expanded"])
        if not shape or 0 in shape or kind == "distinct":
            layout = "plain"
        grad = r.random() < 0.75
        stored, view = list(shape), None
        if layout == "transposed" and len(shape) > 1:
            stored[0], stored[-1] = stored[-1], stored[0]
            view = "{}.transpose(0, -1)"
        elif layout == "strided":
            stored[-1] *= 2
            view = "{}[..., ::2]"
        elif layout == "expanded":
            stored[r.randrange(len(shape))] = 1
            view = f"{{}}.expand({tuple(shape)})"
        name = self.leaf(self.numbers(kind, math.prod(stored), dtype), stored, dtype, grad)
        if view:
            self.add(f"{self.name()} = {view.format(name)}")
            return f"v{len(self.program) - 1}"
        return name

    def symmetric(self, shape):
        """Symmetric matrices that are positive-definite."""
        if self.dtype in WHOLE:
            return self.made("p", shape)
        of = self.made("u", shape)
        return f"({of} @ {of}.mH + 2 * torch.eye({shape[-1]}, dtype={of}.dtype))"

    def leaf_of(self, data, dtype="int64"):
        numbers = flat(data)
        if any(isinstance(v, complex) for v in numbers):
            dtype = "complex128"
        elif any(isinstance(v, float) for v in numbers):
            dtype = self.dtype if self.dtype in FLOATS else "float32"
        elif numbers and all(isinstance(v, bool) for v in numbers):
            dtype = "bool"
        name = self.name()
        self.add(f"{name} = torch.tensor({data}, dtype=torch.{dtype})")
        return name

    # Calls.

    def arguments(self, text, distinct):
        """The arguments of a sample, with tensors of this program in the place of the makers."""
        tree = ast.parse(f"f({text})", mode="eval")
        writer = self

        class Makers(ast.NodeTransformer):
            first = True

            def visit_Name(self, node):
                known = node.id in FLOATS or node.id in WHOLE
                return ast.parse(f"torch.{node.id}", mode="eval").body if known else node

            def visit_Constant(self, node):
                if writer.wild and writer.random.random() < 0.1:
                    if isinstance(node.value, bool):
                        return ast.Constant(not node.value)
                    if isinstance(node.value, (int, float)):
                        return ast.Constant(writer.random.choice([-1, 0, 1, 2, 3, 0.5, 1.5, -0.5, 300, 1e5]))
                return node

            def visit_Call(self, node):
                if not isinstance(node.func, ast.Name) or node.func.id not in MAKERS:
                    return self.generic_visit(node)
                kind, given = node.func.id, [ast.literal_eval(a) for a in node.args]
                if kind in "tpu":
                    if distinct and self.first and writer.dtype != "bool":
                        made = writer.new("distinct", given, writer.dtype)
                    else:
                        made = writer.made(kind, given)
                    self.first = False
                elif kind == "i":
                    low, high, *shape = given
                    dtype = writer.random.choice(["int64"] * 6 + ["int32", "uint8"])
                    if writer.wild and writer.random.random() < 0.1:
                        low, high = low - 1, high + 1
                    values = [max(low, 0 if dtype == "uint8" else low) + writer.random.randrange(max(high - low, 1))
                              for _ in range(math.prod(shape))]
                    made = writer.leaf(values, shape, dtype, False)
                elif kind == "z":
                    made = writer.made("t", given, writer.dtype if writer.dtype in COMPLEX else writer.random.choice(COMPLEX))
                elif kind == "s":
                    made = writer.symmetric(given)
                elif kind == "k":
                    made = writer.leaf_of(given[0], "int32")
                elif kind == "b":
                    made = writer.leaf(writer.numbers("t", math.prod(given), "bool"), given, "bool", False)
                else:
                    made = writer.leaf_of(given[0])
                return ast.parse(made, mode="eval").body

        call = Makers().visit(tree.body)
        return [ast.unparse(a) for a in call.args], [f"{k.arg}={ast.unparse(k.value)}" for k in call.keywords]

    def call(self):
        """A call of some op: as a function, as a method, in place or with out=."""
        r, torch = self.random, self.torch
        full = self.only or r.choice(list(self.calls))
        plain = full.partition(".")[0]
        try:
            args, keywords = self.arguments(r.choice(self.calls[full]), plain in DISTINCT)
        except (ValueError, SyntaxError):
            return
        result = self.name()
        if plain in DENSE:
            args = [a + ".contiguous()" if re.match(r"v\d", a) else a for a in args]
        if plain in ("index", "index_put") and re.search(r"slice\(|None|\.\.\.", args[1]):
            self.by_brackets(args, keywords)
            self.ops.append(full)
            return
        given = ", ".join(args + keywords)
        if full.startswith("F."):
            if self.add(f"{result} = torch.nn.functional.{full[2:]}({given})"):
                self.ops.append(full)
            return
        forms = [f"{result} = op({full!r})({given})"]
        public = not plain.startswith("_") and plain not in BY_OP_ONLY and not re.search("kl_div|loss|cross_entropy", plain)
        if public and hasattr(torch, plain):
            # The operators' own parser takes 1.5 for a list, and 2 for True.
            forms = [f"{result} = torch.{plain}({given})"] + forms[:not self.wild]
        if public and args and hasattr(torch.Tensor, plain) and r.random() < 0.4:
            of = f"({args[0]})" if " " in args[0] else args[0]
            forms.insert(0, f"{result} = {of}.{plain}({', '.join(args[1:] + keywords)})")
        chance = r.random()
        twin = plain if plain.endswith("_") else plain + "_"
        if public and args and hasattr(torch.Tensor, twin) and (chance < 0.35 or twin == plain):
            target = args[0]
            if target not in self.names or self.names[target].requires_grad and self.names[target].is_leaf:
                if not self.add(f"{self.name()} = {target}.clone()"):
                    return
                target = f"v{len(self.program) - 1}"
            if self.may_write(target, args[1:] + keywords):
                forms = [f"{target}.{twin}({', '.join(args[1:] + keywords)})"]
        elif public and hasattr(torch, plain) and chance < 0.5:
            into = self.destination(forms[-1])
            if into and self.may_write(into, args + keywords):
                forms = [f"{self.name()} = torch.{plain}({given}, out={into})"]
        if r.random() < 0.06:
            forms = [f"with torch.no_grad(): {form}" for form in forms]
        before = self.refused
        for form in forms:
            if self.add(form):
                self.ops.append(full)
                self.refused = before
                return

    def by_brackets(self, args, keywords):
        """index and index_put where only brackets take such indices."""
        places = ", ".join(ast.unparse(e) for e in ast.parse(args[1], mode="eval").body.elts)
        if len(args) == 2:
            self.add(f"{self.name()} = {args[0]}[{places}]")
        elif self.add(f"{self.name()} = {args[0]}.clone()"):
            self.add(f"v{len(self.program) - 1}[{places}] {'+' if 'True' in keywords + args[3:] else ''}= {args[2]}")

    def destination(self, line):
        """A place for the result of a line, or None: right, of another dtype, empty, or part of something larger."""
        r, torch = self.random, self.torch
        names = dict(self.names)
        try:
            with torch.no_grad():
                exec(line, self.space, names)
            result = names[line.partition(" ")[0]]
        except Exception:
            return None
        if not isinstance(result, torch.Tensor):
            return None
        dtype = str(result.dtype)[6:] if r.random() < 0.7 else self.pick_dtype()
        shape = tuple(result.shape)
        text = r.choice([f"torch.zeros({shape}, dtype=torch.{dtype})", f"torch.empty(0, dtype=torch.{dtype})",
                         f"torch.ones({(2, *shape)}, dtype=torch.{dtype})[1]",
                         f"torch.ones({(*shape, 2)}, dtype=torch.{dtype})[..., 0]"])
        into = self.name()
        return into if self.add(f"{into} = {text}") else None

    def may_write(self, target, others):
        """Is what a write gives defined? Not where elements share memory, with each other or with what is read."""
        t = self.names[target]
        places = {0}
        for n, s in zip(t.shape, t.stride()):
            places = {p + k * s for p in places for k in range(n)}
        if len(places) < t.numel():
            return False
        read = {n for text in others for n in re.findall(r"v\d+", text) if n != target or text != target}
        storage = t.untyped_storage().data_ptr()
        return not any(isinstance(self.names[n], self.torch.Tensor) and self.names[n].untyped_storage().data_ptr() == storage
                       for n in read if n in self.names)

    # Everything else.

    def place(self, of):
        """An index, for each dimension one of whatever kind."""
        r, parts, shape = self.random, [], list(self.names[of].shape)
        for n in shape[:r.randint(0, len(shape))]:
            a, b = r.randint(-n, n), r.randint(-n, n)
            whole = [r.randrange(-n, n) if n else 0 for _ in range(2)]
            parts.append(r.choice([":", f"{a}:", f":{b}", f"{a}:{b}", f"::{r.randint(1, 3)}", str(whole[0]), f"{whole}", f"[[{whole[0]}], [{whole[1]}]]",
                                   f"torch.tensor({whole[0]})", f"torch.tensor({whole})", f"torch.tensor({whole}, dtype=torch.int32)",
                                   f"{[r.random() < 0.5 for _ in range(n)]}", f"torch.tensor({[k % 2 == 0 for k in range(n)]}, dtype=torch.bool)",
                                   f"range({min(n, 2)})"]))
        for extra in ("...", "None", "None", "True"):
            if r.random() < 0.15:
                parts.insert(r.randint(0, len(parts)), extra)
        return ", ".join(parts) or "..."

    def view(self):
        """A view of something, or a gathering of it."""
        r, have = self.random, self.tensors()
        if not have:
            return
        of = r.choice(have)
        t = self.names[of]
        d = r.randrange(t.ndim) if t.ndim else 0
        n = t.shape[d] if t.ndim else 1
        ways = ["unsqueeze(0)", "unsqueeze(-1)", "reshape(-1)", "squeeze()", "view_as({0})", "flatten()", "detach()", "contiguous()",
                "view(-1)", "alias_copy()" if hasattr(t, "alias_copy") else "clone()", "expand(2, *{0}.shape)", "ravel()", "data"]
        if t.ndim:
            k = r.randrange(n) if n else 0
            ways += [f"transpose({d}, -1)", f"select({d}, {k})" if n else "clone()", f"narrow({d}, 0, {r.randint(0, n)})",
                     f"flip({d})", f"movedim({d}, 0)", f"unbind({d})[-1]" if n else "clone()", f"chunk(2, {d})[0]", f"roll(1, {d})",
                     f"index_select({d}, torch.tensor([{k}, 0]))" if n else "clone()", "mT" if t.ndim > 1 else "clone()",
                     "diagonal()" if t.ndim > 1 else "clone()", "T" if t.ndim == 2 else "clone()", f"split(1, {d})[0]",
                     f"unfold({d}, 1, 1)", f"swapaxes({d}, 0)", f"select({d}, -1)", f"narrow({d}, {k}, 2)", f"squeeze({d})"]
        index = r.choice(["...", "None", "0", "-1:", "::2", ":, None", "..., 0", "[0]", "1:, ..., :1", "{0} > 0", "[0, 0]", "..., [0]",
                          "torch.tensor(0)", "[0], None", "True", "False", "torch.tensor([True])", "-1, ::2", "1", "0:0",
                          "torch.tensor([0, -1], dtype=torch.int32)", "0, [0]", "[[0]], ..., None"])
        if r.random() < 0.35:
            index = self.place(of)
        text = f"{of}[{index}]" if r.random() < 0.4 else f"{of}.{r.choice(ways)}"
        self.add(f"{self.name()} = {text.format(of)}")

    def write(self):
        """Writes into something that may be written."""
        r, have = self.random, self.tensors()
        if not have:
            return
        into, other = r.choice(have), r.choice(have)
        if not self.may_write(into, [other]):
            return
        place = r.choice(["...", "0", "-1", ":1", "..., 0", "::2", "None", "[0]", "{0} > 0", "[0, 0]", ":, -1:", "1:",
                          "torch.tensor([0])", "0, ..., [0]"]).format(into)
        if r.random() < 0.4:
            place = self.place(into)
        number = r.choice(["2", "0.5", "-1", "True", "3.0", "300", "1e5"])
        line = r.choice([f"{into}[{place}] = {other}", f"{into}[{place}] = {number}", f"{into}[{place}] *= {number}",
                         f"{into}.copy_({other})", f"{into}.add_({other})", f"{into}.mul_({other})", f"{into}.zero_()",
                         f"{into}.fill_({number})", f"{into} += {number}", f"{into}[{place}] += {other}", f"{into} *= {other}",
                         f"{into} /= {number}", f"{into} -= {other}", f"{into} **= {number}", f"{into}.sub_({other}, alpha={number})",
                         f"{into}.addcmul_({other}, {other}, value=0.5)", f"{into}.masked_fill_({into} > 0, {number})",
                         f"{into}.fill_({other})", f"{into}.clamp_(min={number})", f"{into}.transpose_(0, -1)", f"{into}.detach_()",
                         f"{into}.t_()", f"{into}.unsqueeze_(0)", f"{into}.squeeze_()", f"{into}.requires_grad_()"])
        if r.random() < 0.3:
            line = self.scattered(into, other)
        self.add(f"with torch.no_grad(): {line}" if r.random() < 0.15 else line)

    def scattered(self, into, other):
        """A write at places of an index."""
        r, t = self.random, self.names[into]
        d = r.randrange(t.ndim) if t.ndim else 0
        n = t.shape[d] if t.ndim else 1
        rows = f"torch.tensor({[r.randrange(n) if n else 0 for _ in range(2)]})"
        lone = f"torch.tensor({r.sample(range(n), min(n, 2))}, dtype=torch.int64)"
        number = r.choice(["2", "0.5", "-1", "True"])
        return r.choice([
            f"{into}.index_put_(({rows},), {other}, accumulate=True)", f"{into}.index_put_((None, {lone}), {other})",
            f"{into}.index_add_({d}, {rows}, {other}, alpha={number})", f"{into}.index_add_({d}, {rows}, {into}.detach().clone().narrow({d}, 0, 2))",
            f"{into}.index_copy_({d}, {lone}, {into}.flip({d}).narrow({d}, 0, {min(n, 2)}))", f"{into}.index_fill_({d}, {rows}, {number})",
            f"{into}.scatter_({d}, torch.zeros_like({into}, dtype=torch.int64), {other}.clone())", f"{into}.put_({rows}, {other}.reshape(-1)[:2])",
            f"{into}.scatter_add_({d}, torch.zeros_like({into}, dtype=torch.int64), {into} * 2)", f"{into}.masked_scatter_({into} > 0, {other}.clone())",
            f"{into}.scatter_({d}, torch.zeros_like({into}, dtype=torch.int64), {number}, reduce='multiply')",
            f"{into}.scatter_reduce_({d}, torch.zeros_like({into}, dtype=torch.int64), {into}.detach() + 1, 'amax')",
            f"{into}.put_({rows}, {other}.reshape(-1)[:2], accumulate=True)", f"{into}.index_reduce_({d}, {rows}, {into}.clone().narrow({d}, 0, 2), 'mean')",
            f"{into}.fill_diagonal_({number})", f"{into}.masked_fill_({into} < 0, {other})", f"{into}.clamp_({other}, {number})"])

    def mix(self):
        """Arithmetic between what there is, of whatever dtypes."""
        r, have = self.random, self.tensors()
        if not have:
            return
        a, b = r.choice(have), r.choice(have)
        number = r.choice(["2", "0.5", "-1", "3", "1e-3", "True", "300", "70000"])
        dtype = r.choice(FLOATS + WHOLE + COMPLEX[1:])
        if self.names[a].is_complex() and r.random() < 0.5:
            self.add(f"{self.name()} = " + r.choice([
                f"{a}.real", f"{a}.imag", f"{a}.conj()", f"{a}.abs()", f"{a}.angle()", f"{a}.mH" if self.names[a].ndim > 1 else f"{a}.conj()",
                f"torch.view_as_real({a}.resolve_conj())", f"{a} * (1+2j)", f"{a}.conj() * {b}", f"2j - {a}", f"{a} / (0.5-1j)",
                f"torch.complex({a}.real, {a}.imag)", f"{a} ** 2j", f"{a}.to(torch.complex64)", f"{a}.conj().imag"]))
            return
        self.add(f"{self.name()} = " + r.choice([
            f"{a} + {b}", f"{a} * {b}", f"{a} - {number}", f"{number} - {a}", f"{a} / {number}", f"{number} * {b}", f"{a} > {b}",
            f"torch.where({a} > 0, {a}, {b})", f"{a}.to(torch.{dtype})", f"torch.maximum({a}, {b})", f"{a}.sum()", f"{a}.mean(-1)",
            f"torch.stack([{a}, {b}])", f"torch.cat([{a}, {b}])", f"torch.lerp({a}, {b}, 0.25)", f"{a}.clone()", f"{a} ** 2",
            f"{a} // {number}", f"{a} % {number}", f"-{a}", f"{a}.matmul({b})", f"({a} == {b}).sum()", f"{a} / {b}", f"{a} ** {b}",
            f"{number} ** {a}", f"{number} / {a}", f"{number} // {a}", f"{number} % {a}", f"{a} // {b}", f"{a} % {b}", f"{a} - {b}",
            f"{a} & {b}", f"{a} | {number}", f"~{a}", f"{a} << 1", f"{a} >> {b}", f"{a} ^ {b}", f"abs({a})", f"{a} <= {number}",
            f"{a} == {number}", f"{a}.type_as({b})", f"{a}.sum(dtype=torch.{dtype})", f"torch.where({a} > 0, {a}, {number})",
            f"torch.clamp({a}, {number})", f"torch.tensordot({a}, {b}, 1)", f"{a} @ {b}"]))

    def watch(self):
        """Hooks and gradients that are kept."""
        r, have = self.random, self.tensors()
        if not have:
            return
        of = r.choice(have)
        self.add(r.choice([f"{of}.retain_grad()", f"{of}.register_hook(lambda g: g * 2)", f"{of}.register_hook(lambda g: None)",
                           f"{of}.register_hook(lambda g: g.detach())", f"{of}.register_hook(lambda g: -g + {of}.detach().to(g.dtype))"]))

    def written(self):
        """(lines, is the last refused?, the ops called)"""
        steps = [self.call] * 8 + [self.view] * 4 + [self.write] * 3 + [self.mix] * 2 + [self.watch]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self.torch.manual_seed(0)
            try:
                for _ in range(self.random.randint(2, 8)):
                    self.random.choice(steps)()
                while not self.program and not self.refused:
                    self.call()
            except RuntimeError:
                pass  # even asking for grad_fn raises after some writes
        if self.refused and self.random.random() < 0.5:
            return self.refused, True, self.ops
        return self.program, False, self.ops
