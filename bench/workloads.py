"""Every workload, written once against PyTorch's API: `load("torch")` runs it in PyTorch, `load("taut")` in Taut.

A row has a name, a group, the work it does (flops; bytes are counted from what goes in and out), and the goal: how many
times as fast as PyTorch. `row.setup(wrap)` gives what to time; `wrap` is torch.compile or nothing. The first calls give
the result that every library must agree on.
"""
import functools
import importlib
import math
import os
import shutil
import subprocess
import sys
import tempfile
import timeit

import data
from data import booleans, double, integers, normal, steep

QUICK = os.environ.get("QUICK", "") not in ("", "0")
ROWS = {}
torch = F = None  # after load()


def load(library):
    global torch, F
    if library == "taut":
        importlib.import_module("taut").as_torch()
    torch = importlib.import_module("torch")
    F = importlib.import_module("torch.nn.functional")
    OPS["matmul"] = torch.matmul  # itself: beside the small ones a frame of Python's would show
    return torch


class Row:
    """One workload. `setup(wrap)` returns a function that does it once and gives its result, or a Statement."""

    def __init__(self, group, name, goal, setup, *, flops=0, bytes=0, share_goal=0, memory_goal=0, steps=1,
                 tolerance=1e-4, quick=False, compile=False, timed=False, measure_memory=True):
        self.group, self.name, self.goal, self.setup = group, name, goal, setup
        self.flops, self.bytes, self.share_goal, self.memory_goal = flops, bytes, share_goal, memory_goal
        self.steps, self.tolerance, self.quick, self.compile = steps, tolerance, quick, compile
        self.timed = timed  # the function measures itself and returns seconds and bytes
        self.measure_memory = measure_memory
        assert name not in ROWS, name
        ROWS[name] = self

    def described(self):
        return {key: getattr(self, key) for key in ("group", "name", "goal", "share_goal", "memory_goal", "tolerance",
                                                    "quick", "compile", "timed", "measure_memory")}


class Statement:
    """A line of Python, timed without a function call around it."""

    def __init__(self, text, names, result):
        self.text, self.names, self.result = text, names, result

    def timer(self, clock):
        return timeit.Timer(self.text, timer=clock, globals=self.names)

    def __call__(self):
        exec(self.text, self.names)
        return eval(self.result, self.names) if self.result else None


# ---------------------------------------------------------------------------------------------------------------------
# Overhead


def statement(name, text, setup, result=None, goal=3.0, quick=False):
    def prepare(wrap):
        names = {"torch": torch, "F": F, "models": importlib.import_module("models"), "data": data}
        exec(setup, names)
        return Statement(text, names, result)

    Row("overhead in Python", name, goal, prepare, measure_memory=False, quick=quick)


def overhead():
    ones = "a, b = torch.ones(1), torch.ones(1)"
    leaves = "x, w = torch.ones(1, requires_grad=True), torch.ones(1, requires_grad=True)"
    square = "m, index = torch.ones(4, 4), torch.arange(4)"
    statement("empty", "torch.empty(1)", "", quick=True)
    statement("add", "a + b", ones, "a + b", quick=True)
    statement("add, grad recorded", "x + w", leaves, "x + w", quick=True)
    statement("add_", "a.add_(b)", ones, quick=True)
    statement("mul, grad recorded", "x * w", leaves, "x * w")
    statement("add_, grad recorded", "y = x * 1; y.add_(w)", leaves, "y")
    statement("view", "a.view(1, 1)", ones)
    statement("view, grad recorded", "x.view(1, 1)", leaves)
    statement("transpose", "m.t()", square)
    statement("unsqueeze", "m.unsqueeze(0)", square)
    statement("index by an int", "m[1]", square)
    statement("index by a slice", "m[1:3]", square, quick=True)
    statement("index by a tensor", "m[index]", square)
    statement("write through an index", "m[1] = 2.0", square, "m")
    chain = "y = x\nfor _ in range(100): y = y * c\ny.backward()"
    statement("100-op chain, forward and backward", "x.grad = None\n" + chain,
              leaves + "; c = torch.ones(1)", "x.grad", quick=True)
    many = "ps = [torch.full((4,), 0.5, requires_grad=True) for _ in range(200)]\nfor p in ps: p.grad = torch.ones(4)\n"
    for name, text in (("SGD", "SGD(ps, 1e-6)"), ("SGD with momentum", "SGD(ps, 1e-6, momentum=0.9)"),
                       ("Adam", "Adam(ps, 1e-6)"), ("AdamW", "AdamW(ps, 1e-6)")):
        statement(f"{name} step, 200 tiny parameters", "o.step()", f"{many}o = torch.optim.{text}", "ps[7]",
                  quick=name == "Adam")
    mlp = "model = models.tiny_mlp(); x = torch.linspace(-1, 1, 512).view(32, 16).requires_grad_(); z = x.detach()"
    statement("tiny MLP, forward", "model(z)", mlp, "model(z)")
    statement("tiny MLP, first order", "model.zero_grad(); model(z).pow(2).mean().backward()", mlp,
              "model[0].weight.grad")
    statement("tiny MLP, second order",
              "model.zero_grad(); g, = torch.autograd.grad(model(x).sum(), x, create_graph=True); "
              "g.pow(2).mean().backward()",
              mlp, "model[0].weight.grad", quick=True)
    Row("overhead in Python", "import", 3.0, import_time, quick=True, timed=True)


def import_time(wrap):
    """The time and the memory of importing the library, in a fresh interpreter and without its own."""
    text = """if True:
        import time
        def memory():
            return int(open("/proc/self/status").read().split("VmRSS:")[1].split()[0]) * 1024
        before, start = memory(), time.perf_counter()
        import {}
        print(time.perf_counter() - start, memory() - before)""".format(torch.__name__)

    def run():
        output = subprocess.run([sys.executable, "-c", text], check=True, capture_output=True, text=True).stdout
        return [float(number) for number in output.split()]

    return run


# ---------------------------------------------------------------------------------------------------------------------
# Kernels: a function of OPS over inputs; bench/jax_workloads.py has the same names.

OPS = {
    "conv2d": lambda x, w, b, stride, padding, groups: F.conv2d(x, w, b, stride, padding, 1, groups),
    "softmax": lambda x: torch.softmax(x, -1),
    "log_softmax": lambda x: torch.log_softmax(x, -1),
    "cross_entropy": lambda x, y: F.cross_entropy(x, y),
    "layer_norm": lambda x, w, b: F.layer_norm(x, w.shape, w, b),
    "batch_norm": lambda x, w, b: F.batch_norm(x, None, None, w, b, training=True),
    "gelu": lambda x: F.gelu(x),
    "attention": lambda q, k, v, causal: F.scaled_dot_product_attention(q, k, v, is_causal=causal),
    "exp": lambda x: torch.exp(x),
    "tanh": lambda x: torch.tanh(x),
    "add": lambda x, y: x + y,
    "mul": lambda x, y: x * y,
    "where": lambda c, x, y: torch.where(c, x, y),
    "less": lambda x, y: x < y,
    "equal": lambda x, y: x == y,
    "sum": lambda x, dim: x.sum(dim),
    "mean": lambda x, dim: x.mean(dim),
    "max": lambda x, dim: x.max() if dim is None else x.max(dim)[0],
    "argmax": lambda x, dim: x.argmax(dim),
    "cumsum": lambda x, dim: x.cumsum(dim),
    "sort": lambda x, dim: x.sort(dim)[0],
    "topk": lambda x, dim: x.topk(8, dim)[0],
    "gather": lambda x, i, dim: x.gather(dim, i),
    "scatter_add": lambda x, i, y, dim: x.scatter_add(dim, i, y),
    "index_select": lambda x, i, dim: x.index_select(dim, i),
    "index": lambda x, i: x[i],
    "embedding": lambda w, i: F.embedding(i, w),
    "cat": lambda *xs, dim: torch.cat(xs, dim),
    "stack": lambda *xs, dim: torch.stack(xs, dim),
    "contiguous": lambda x: x.contiguous(),
    "clone": lambda x: x.clone(),
    "dropout": lambda x: F.dropout(x, 0.1),
    "solve": lambda a, b: torch.linalg.solve(a, b),
    "cholesky": lambda a: torch.linalg.cholesky(a),
    "inv": lambda a: torch.linalg.inv(a),
    "det": lambda a: torch.linalg.det(a),
    "slogdet": lambda a: torch.linalg.slogdet(a)[1],
    "qr": lambda a: torch.linalg.qr(a)[0],
    "eigh": lambda a: torch.linalg.eigh(a)[0],
    "eig": lambda a: torch.linalg.eig(a)[0].abs().sort()[0],
    "svd": lambda a: torch.linalg.svd(a, full_matrices=False)[1],
    "fft": lambda x: torch.view_as_real(torch.fft.fft(torch.view_as_complex(x))),
    "rfft": lambda x: torch.view_as_real(torch.fft.rfft(x)),
    "irfft": lambda x: torch.fft.irfft(torch.view_as_complex(x)),
    "randn": lambda x: torch.randn(x.shape),
}


class Kernel(Row):
    def __init__(self, group, name, goal, op, inputs, options, backward, **rest):
        super().__init__(group, name, goal, self.prepare, **rest)
        self.op, self.inputs, self.options, self.backward = op, inputs, options, backward

    def prepare(self, wrap):
        rng, op, options = data.generator(), wrap(OPS[self.op]), self.options
        torch.manual_seed(0)
        xs = [i.tensor(rng, torch) for i in self.inputs]
        size = sum(i.draw(data.generator()).nbytes for i in self.inputs)
        if not self.backward:
            with torch.no_grad():
                self.bytes = size + bytes_of(op(*xs, **options))
            torch.manual_seed(0)
            return functools.partial(op, *xs, **options)
        wanted = [x.detach().requires_grad_() for x, i in zip(xs, self.inputs) if i.differentiable]
        fresh = iter(wanted)
        xs = [next(fresh) if i.differentiable else x for x, i in zip(xs, self.inputs)]
        y = op(*xs, **options)
        g = torch.from_numpy(rng.standard_normal(tuple(y.shape), dtype="float32")).clone() if y.dim() else None
        self.bytes = size + 2 * bytes_of(y) + sum(bytes_of(x) for x in wanted)  # y and its gradient, and those of x
        torch.manual_seed(0)

        def forward_and_backward():
            y = op(*xs, **options)
            return y, *torch.autograd.grad(y, wanted, g)  # with y, so that no compiler may leave the forward pass out

        return forward_and_backward


def bytes_of(tensor):
    return tensor.numel() * tensor.element_size()


def kernel(group, name, goal, op, *inputs, flops=0, backward=True, quick=False, compile=False, **options):
    """The op forward and, as a second row, forward and backward."""
    Kernel(group, name, goal, op, inputs, options, False, flops=flops, quick=quick, compile=compile)
    if backward:
        name += ", backward"
        Kernel(group, name, goal, op, inputs, options, True, flops=3 * flops, quick=quick, compile=compile)


def matmul():
    for n in (8, 16, 32, 64, 128, 256, 512, 1024, 2048):
        for kind in ("nn", "nt", "tn", "tt"):
            a, b = (normal(n, n) if k == "n" else normal(n, n).t() for k in kind)
            kernel("matmul", f"matmul {n} {kind}", 3.0 if n < 64 else 1.0, "matmul", a, b, flops=2 * n**3,
                   backward=kind == "nn", quick=kind == "nn" and n in (8, 32, 64, 512))
    for m, k, n in ((1, 784, 256), (64, 784, 256), (64, 256, 128), (64, 128, 10), (784, 64, 256), (1024, 256, 1024),
                    (1024, 384, 1152), (1024, 1536, 384), (10, 64, 128), (4096, 16, 32)):
        kernel("matmul", f"matmul {m}x{k}x{n}", 1.0, "matmul", normal(m, k), normal(n, k).t(), flops=2 * m * k * n,
               quick=(m, k) == (64, 784))
    for b, m, k, n in ((512, 8, 8, 8), (64, 128, 32, 128), (64, 128, 128, 32), (24, 256, 64, 256)):
        kernel("matmul", f"batched matmul {b} of {m}x{k}x{n}", 1.0, "matmul", normal(b, m, k), normal(b, k, n),
               flops=2 * b * m * k * n, quick=b == 24)


def linear_algebra():
    def rows(name, goal, slow_goal, quick, *shape):
        for op, inputs in (("solve", (steep(*shape), normal(*shape))), ("cholesky", (steep(*shape),)), ("inv", (steep(*shape),)),
                           ("det" if shape[-1] < 64 else "slogdet", (normal(*shape),)), ("qr", (normal(*shape),)),
                           ("eigh", (steep(*shape),)), ("svd", (normal(*shape),)), ("eig", (normal(*shape),))):
            slow = op in ("eigh", "svd", "eig")
            kernel("linear algebra", f"{op} {name}", slow_goal if slow else goal, op, *inputs, quick=quick)

    for n in (4, 8, 16, 32):
        rows(f"1024 of {n}x{n}", 3.0, 3.0, n == 8, 1024, n, n)
    for n in (128, 512, 1024):
        rows(f"{n}", 1.0, 0.8, n == 128, n, n)


def transforms():
    def rows(name, goal, quick, *shape):
        kernel("transforms", f"fft {name}", goal, "fft", normal(*shape, 2), backward=False, quick=quick)
        kernel("transforms", f"rfft {name}", goal, "rfft", normal(*shape), backward=False, quick=quick)
        kernel("transforms", f"irfft {name}", goal, "irfft", normal(*shape[:-1], shape[-1] // 2 + 1, 2), backward=False)
        kernel("transforms", f"fft {name} in double", goal, "fft", double(*shape, 2), backward=False)

    for n in (64, 128, 256, 512, 1000, 1024, 2048, 4096):
        rows(f"of {n}, {(1 << 18) // n} at once", 1.0, n in (128, 1024), (1 << 18) // n, n)
    rows("of 2^20", 0.8, True, 1 << 20)
    rows("of 1000003, a prime", 0.8, False, 1000003)


def conv():
    for batch, inputs, outputs, size, kernel_size, stride, groups in (
            (4, 3, 64, 224, 7, 2, 1), (8, 64, 64, 56, 3, 1, 1), (8, 128, 256, 28, 3, 2, 1), (64, 1, 32, 28, 3, 1, 1),
            (8, 64, 64, 56, 3, 1, 64), (8, 64, 256, 56, 1, 1, 1)):
        padding = kernel_size // 2
        out = (size + 2 * padding - kernel_size) // stride + 1
        image, weight = normal(batch, inputs, size, size), normal(outputs, inputs // groups, kernel_size, kernel_size)
        if inputs < 4:
            image = image.fixed()  # the first layer of a network
        kind = "depthwise conv2d" if groups > 1 else "conv2d"
        kernel("conv", f"{kind} {inputs}->{outputs} {kernel_size}x{kernel_size} s{stride} {size}, batch {batch}",
               1.5 if inputs < 4 else 1.0, "conv2d", image, weight, normal(outputs), stride=stride, padding=padding,
               groups=groups, flops=2 * batch * outputs * out**2 * inputs // groups * kernel_size**2,
               quick=size in (28, 56) and kernel_size == 3 and groups == 1)


def network_kernels():
    for rows, columns in ((64, 10), (4096, 64), (1024, 1024), (512, 32000)):
        for op in ("softmax", "log_softmax"):
            kernel("networks", f"{op} {rows}x{columns}", 1.3, op, normal(rows, columns), quick=columns == 1024,
                   compile=columns == 1024)
    for rows, classes in ((64, 10), (1024, 512), (512, 32000)):
        kernel("networks", f"cross_entropy {rows}x{classes}", 1.3, "cross_entropy", normal(rows, classes),
               integers(classes, rows), quick=classes == 512, compile=classes == 512)
    for rows, columns in ((64, 64), (1024, 384), (4096, 1024)):
        kernel("networks", f"layer_norm {rows}x{columns}", 1.3, "layer_norm", normal(rows, columns), normal(columns),
               normal(columns), quick=columns == 384, compile=columns == 384)
    for shape in ((64, 128), (8, 64, 56, 56), (32, 256, 14, 14)):
        kernel("networks", f"batch_norm {'x'.join(map(str, shape))}", 1.3, "batch_norm", normal(*shape),
               normal(shape[1]), normal(shape[1]), quick=shape[0] == 8, compile=shape[0] == 8)
    for name, n in (("1K", 1 << 10), ("64K", 1 << 16), ("1M", 1 << 20)):
        kernel("networks", f"gelu {name}", 1.3, "gelu", normal(n), quick=name == "1M", compile=name == "1M")
    for length in (128, 256, 512, 1024, 2048):
        for causal in (False, True):
            heads, width = (2, 8) if length <= 512 else (1, 8), 64
            qkv = [normal(*heads, length, width) for _ in range(3)]
            flops = 4 * math.prod(heads) * length**2 * width
            kernel("networks", f"attention {length}{', causal' if causal else ''}", 1.3, "attention", *qkv,
                   causal=causal, flops=flops // 2 if causal else flops, quick=length == 512, compile=length == 512)


SIZES = {"1K": (32, 32), "64K": (256, 256), "1M": (1024, 1024), "16M": (4096, 4096)}


def elementwise():
    for size, (m, n) in SIZES.items():
        for op in ("exp", "tanh", "add", "mul", "where", "less", "equal"):
            count = {"exp": 1, "tanh": 1}.get(op, 2)
            first = [booleans(m, n)] if op == "where" else []
            plain, row = normal(m, n), normal(1, n).expand(m, n)
            layouts = {"contiguous": [plain] * count, "broadcast": ([plain] if count == 2 else []) + [row],
                       "transposed": [plain.t()] + [plain] * (count - 1)}
            for layout, inputs in layouts.items():
                kernel("elementwise", f"{op} {size} {layout}", 1.0, op, *first, *inputs,
                       backward=layout == "contiguous" and op not in ("less", "equal"),
                       quick=op in ("exp", "add") and size in ("64K", "1M"),
                       compile=op in ("exp", "add") and size == "1M" and layout == "contiguous")


def reductions():
    shape = (64, 64, 256)
    for op in ("sum", "mean", "max", "argmax", "cumsum", "sort", "topk"):
        whole = [None] if op in ("sum", "mean", "max", "argmax") else []
        for dim in [0, 1, 2] + whole:
            kernel("reductions", f"{op} {'all' if dim is None else f'dim {dim}'} of 64x64x256", 1.0, op, normal(*shape),
                   dim=dim, backward=op != "argmax" and not (op == "max" and dim is None),
                   quick=op in ("sum", "max") and dim in (0, 2))
    for size, (m, n) in SIZES.items():
        kernel("reductions", f"sum all of {size}", 1.0, "sum", normal(m * n), dim=None, backward=False,
               quick=size == "16M")


def indexing():
    for dim in (0, 1):
        kernel("indexing", f"gather dim {dim} of 2048x512", 1.0, "gather", normal(2048, 512),
               integers(512, 2048, 512), dim=dim, quick=dim == 1)
        kernel("indexing", f"scatter_add dim {dim} of 2048x512", 1.0, "scatter_add", normal(2048, 512),
               integers(512, 2048, 512), normal(2048, 512), dim=dim, quick=dim == 1)
        kernel("indexing", f"index_select dim {dim} of 4096x256", 1.0, "index_select", normal(4096, 256),
               integers(256, 2048), dim=dim)
    kernel("indexing", "rows of 4096x256 by a tensor", 1.0, "index", normal(4096, 256), integers(4096, 4096))
    kernel("indexing", "embedding 32000x256, 4096 rows", 1.0, "embedding", normal(32000, 256), integers(32000, 4096))
    kernel("indexing", "embedding 1000x256, 4096 rows with repeats", 1.0, "embedding", normal(1000, 256),
           integers(100, 4096), quick=True)


def copies():
    parts = [normal(256, 1024) for _ in range(4)]
    for dim in (0, 1):
        kernel("copies", f"cat 4 of 256x1024 dim {dim}", 1.0, "cat", *parts, dim=dim, quick=dim == 1)
        kernel("copies", f"stack 4 of 256x1024 dim {dim}", 1.0, "stack", *parts, dim=dim)
    kernel("copies", "cat 4 of 8x8 dim 0", 1.0, "cat", *[normal(8, 8) for _ in range(4)], dim=0)
    for size, (m, n) in SIZES.items():
        kernel("copies", f"clone {size}", 1.0, "clone", normal(m, n), backward=False)
        kernel("copies", f"transposed copy {size}", 1.0, "contiguous", normal(m, n).t(), backward=False,
               quick=size == "1M")
    kernel("copies", "copy 8x64x56x56 to channels last", 1.0, "contiguous", normal(8, 64, 56, 56).permute(0, 2, 3, 1),
           backward=False)
    kernel("copies", "copy 8x128x8x64 heads first", 1.0, "contiguous", normal(8, 128, 8, 64).permute(0, 2, 1, 3),
           backward=False)


def random():
    for size, (m, n) in SIZES.items():
        kernel("random", f"dropout {size}", 1.0, "dropout", normal(m, n), quick=size == "1M")
        kernel("random", f"randn {size}", 1.0, "randn", normal(m, n), backward=False, quick=size == "1M")


# ---------------------------------------------------------------------------------------------------------------------
# Training


def train(name, goal, model, inputs, classes, optimizer, flops, quick=False, compile=True, **options):
    """A step: zero_grad, forward, cross entropy, backward, step. The losses of the first steps are the result."""

    def prepare(wrap):
        torch.manual_seed(0)
        rng = data.generator()
        x = inputs.tensor(rng, torch)
        built = getattr(importlib.import_module("models"), model)()
        steps = getattr(torch.optim, optimizer)(built.parameters(), **options)
        forward = wrap(built)
        rows = forward(x).shape[0]
        y = torch.from_numpy(rng.integers(classes, size=rows))

        def step():
            steps.zero_grad()
            loss = F.cross_entropy(forward(x), y)
            loss.backward()
            steps.step()
            return loss.detach()

        return step

    Row("train steps", name, goal, prepare, flops=flops, memory_goal=0.5, steps=3, tolerance=1e-3, quick=quick,
        compile=compile)


def training():
    weights = 784 * 256 + 256 * 128 + 128 * 10
    for batch in (64, 1):
        for optimizer, goal in (("SGD", 1.3), ("Adam", 2.0)):
            train(f"MLP batch {batch}, {optimizer}", goal, "mlp", normal(batch, 784), 10, optimizer,
                  6 * weights * batch, quick=batch == 64, compile=optimizer == "SGD", lr=1e-3)
    macs = 64 * (26**2 * 32 * 9 + 24**2 * 64 * 32 * 9 + 9216 * 10)
    train("CNN batch 64, SGD", 1.5, "cnn", normal(64, 1, 28, 28), 10, "SGD", 6 * macs, quick=True, lr=1e-3)
    train("CNN batch 64, Adam", 1.5, "cnn", normal(64, 1, 28, 28), 10, "Adam", 6 * macs, compile=False, lr=1e-4)
    train("ResNet-18 batch 8 at 64x64, SGD with momentum", 1.2, "resnet18", normal(8, 3, 64, 64), 10, "SGD",
          6 * 8 * 148e6, quick=True, lr=1e-3, momentum=0.9)
    layer = 12 * 256**2 + 2 * 128 * 256
    for optimizer in ("SGD", "Adam"):
        train(f"transformer encoder 8x128, {optimizer}", 1.2, "encoder", normal(8, 128, 256), 10, optimizer,
              6 * 8 * 128 * 4 * layer, quick=optimizer == "Adam", compile=optimizer == "SGD", lr=1e-4)
    layer = 12 * 384**2 + 256 * 384
    train("GPT 6 layers 4x256, AdamW", 1.2, "gpt", integers(512, 4, 256), 512, "AdamW",
          6 * 4 * 256 * (6 * layer + 384 * 512), lr=1e-4)
    macs = 64 * 32 * 2 * 4 * 128**2
    train("LSTM 64 steps batch 32, SGD", 1.5, "lstm", normal(64, 32, 128), 10, "SGD", 6 * macs, lr=1e-3)
    train("LSTM 64 steps batch 32, Adam", 1.5, "lstm", normal(64, 32, 128), 10, "Adam", 6 * macs, quick=True,
          compile=False, lr=1e-3)


def optimisers():
    count, pieces = 10_000_000, 40

    def step(optimizer, options):
        def prepare(wrap):
            rng = data.generator()
            parameters = []
            for _ in range(pieces):
                p = torch.from_numpy(rng.standard_normal(count // pieces, dtype="float32")).clone().requires_grad_()
                p.grad = torch.from_numpy(rng.standard_normal(count // pieces, dtype="float32")).clone()
                parameters.append(p)
            steps = getattr(torch.optim, optimizer)(parameters, **options)

            def run():
                steps.step()
                return parameters[3].detach()

            return run

        return prepare

    for name, optimizer, passes, options in (
            ("SGD", "SGD", 3, {}), ("SGD with momentum", "SGD", 5, {"momentum": 0.9}), ("Adam", "Adam", 7, {}),
            ("AdamW", "AdamW", 7, {})):
        Row("optimiser steps", f"{name} step, 10M parameters", 1.5, step(optimizer, {"lr": 1e-4, **options}),
            bytes=4 * passes * count, share_goal=0.8, steps=3, quick=name == "Adam")


# ---------------------------------------------------------------------------------------------------------------------
# Data and files


def loader(workers, with_function):
    def prepare(wrap):
        torch.manual_seed(0)
        rng, tools = data.generator(), importlib.import_module("torch.utils.data")
        x = torch.from_numpy(rng.standard_normal((10000, 784), dtype="float32")).clone()
        y = torch.from_numpy(rng.integers(10, size=10000))
        dataset = tools.TensorDataset(x, y)
        if with_function:
            dataset = tools.StackDataset(dataset, [float(i) for i in range(10000)])
        batches = tools.DataLoader(dataset, batch_size=64, shuffle=True, num_workers=workers)

        def run():
            total = torch.zeros(())
            for batch in batches:
                total = total + (batch[0][0] if with_function else batch[0])[0, 0]
            return total

        return run

    return prepare


def saved(loading):
    def prepare(wrap):
        megabytes = 100 if QUICK else 500
        rng = data.generator()
        shared = "/dev/shm" if os.path.isdir("/dev/shm") and shutil.disk_usage("/dev/shm").free > 4e9 else None
        directory = tempfile.TemporaryDirectory(prefix="taut-bench-", dir=shared)
        path = os.path.join(directory.name, "state.pt")
        piece = torch.from_numpy(rng.standard_normal(megabytes * 1_000_000 // 4 // 50, dtype="float32"))
        state = {f"layer{i}.weight": piece + i for i in range(50)}
        torch.save(state, path)

        def save():
            directory.name  # kept alive
            torch.save(state, path)

        def load():
            directory.name
            return torch.load(path)["layer7.weight"]

        return load if loading else save

    return prepare


def files():
    Row("data and files", "DataLoader, 10000 samples of 784", 2.0, loader(0, False), quick=True)
    Row("data and files", "DataLoader, 10000 nested samples", 2.0, loader(0, True))
    Row("data and files", "DataLoader, 10000 samples, 2 workers", 2.0, loader(2, False))
    Row("data and files", f"save {100 if QUICK else 500} MB", 2.0, saved(False), quick=True)
    Row("data and files", f"load {100 if QUICK else 500} MB", 2.0, saved(True), quick=True)


def graphs():
    """A layer of a graph convolution network: relu(A X W), and the gradient of W."""
    nodes, edges, width = (10_000, 100_000, 64) if QUICK else (100_000, 1_000_000, 64)

    def convolution(layout):
        def prepare(wrap):
            rng = data.generator()
            at = torch.from_numpy(rng.integers(nodes, size=(2, edges)))
            graph = torch.sparse_coo_tensor(at, torch.from_numpy(rng.random(edges, dtype="float32")), (nodes, nodes)).coalesce()
            graph = graph if layout == "COO" else graph.to_sparse_csr()
            x, w, g = (torch.from_numpy(rng.standard_normal(shape, dtype="float32"))
                       for shape in ((nodes, width), (width, width), (nodes, width)))
            w = w.clone().requires_grad_()

            def run():
                y = torch.sparse.mm(graph, x @ w).relu()
                return y.detach(), torch.autograd.grad(y, w, g)[0]

            return run

        return prepare

    for layout in ("CSR", "COO"):
        Row("graphs", f"graph convolution, {nodes} nodes, {edges} edges, {layout}, forward and backward", 1.0, convolution(layout),
            flops=4 * edges * width + 4 * nodes * width * width, tolerance=1e-3, quick=layout == "CSR")


def functions():
    """Functions of functions: the same calls of torch.func in both libraries, the same nets and numbers in JAX."""
    def row(name, make, quick=False, compile=False, goal=3.0, **rest):
        def prepare(wrap):
            rng = data.generator()

            def numbers(*shape):
                return torch.from_numpy(rng.standard_normal(shape, dtype="float32")).clone()

            f, arguments = make(importlib.import_module("torch.func"), importlib.import_module("models"), numbers)
            f = wrap(f)

            def run():
                result = f(*arguments)
                return list(result.values()) if isinstance(result, dict) else result

            return run

        Row("functions of functions", name, goal, prepare, quick=quick, compile=compile, tolerance=1e-3, **rest)

    def detached(model):
        return {name: p.detach() for name, p in model.named_parameters()}

    def per_sample(model, batch, shape, targets):
        def make(func, models, numbers):
            net = getattr(models, model)()

            def loss(p, x, y):
                return (func.functional_call(net, p, (x.unsqueeze(0),)) - y).square().sum()

            return func.vmap(func.grad(loss), (None, 0, 0)), (detached(net), numbers(batch, *shape), numbers(batch, 1, *targets))

        return make

    row("per-sample gradients, MLP 8-64-64-4, batch 64", per_sample("small_mlp", 64, (8,), (4,)), quick=True, compile=True)
    row("per-sample gradients, CNN 1-8-16 at 12x12, batch 32", per_sample("small_cnn", 32, (1, 12, 12), (10,)), compile=True)
    row("per-sample gradients, transformer block 16x32, batch 16", per_sample("small_block", 16, (16, 32), (16, 32)))

    def bowl(matrix):
        return lambda v: ((matrix @ v).tanh() * v).sum() + (v**4).sum()

    def hessian(func, models, numbers):
        return func.hessian(bowl(numbers(16, 16))), (numbers(16),)

    def jacobian(func, models, numbers):
        matrix = numbers(16, 16)
        return func.jacrev(lambda v: (matrix @ v).tanh() * v), (numbers(16),)

    row("Hessian of a function of 16 variables", hessian, quick=True, compile=True)
    row("Jacobian of a function of 16 variables", jacobian, compile=True)
    row("Jacobians of an MLP 8-64-64-4 at 64 points",
        lambda func, models, numbers: (func.vmap(func.jacrev(models.small_mlp())), (numbers(64, 8),)))

    def hessians(func, models, numbers):
        net = models.small_mlp()
        return func.vmap(func.hessian(lambda x: net(x).sum())), (numbers(64, 8),)

    row("Hessians of an MLP 8-64-64-4 at 64 points", hessians)

    def ensemble(with_gradients):
        def make(func, models, numbers):
            net = models.small_mlp()
            p = {name: torch.stack([v * (1 + i / 16) for i in range(16)]) for name, v in detached(net).items()}
            x, y = numbers(64, 8), numbers(64, 4)

            def forward(p):
                return func.functional_call(net, p, (x,))

            return func.vmap(func.grad(lambda p: (forward(p) - y).square().mean()) if with_gradients else forward), (p,)

        return make

    row("ensemble of 16 MLPs 8-64-64-4, batch 64", ensemble(False), quick=True)
    row("ensemble of 16 MLPs 8-64-64-4, batch 64, gradients", ensemble(True), compile=True)

    def pinn(order):
        def make(func, models, numbers):
            net, points = models.pinn(), numbers(64, 2)

            def loss(p):
                def u(x, t):
                    return func.functional_call(net, p, (torch.stack([x, t]),)).squeeze()

                def residual(point):
                    x, t = point[0], point[1]
                    high = u
                    for _ in range(order):
                        high = func.grad(high)
                    return func.grad(u, 1)(x, t) + u(x, t) * func.grad(u)(x, t) - 0.1 * high(x, t)

                return func.vmap(residual)(points).square().mean()

            return func.grad(loss), (detached(net),)

        return make

    row("PINN 2-32-32-1, second order, 64 points", pinn(2))
    row("PINN 2-32-32-1, third order, 64 points", pinn(3))

    def marquardt(func, models, numbers):
        x = torch.linspace(0.0, 4.0, 10000)
        y = 2 * torch.exp(-0.7 * x) * torch.sin(3 * x + 0.3) + 0.5 * x - 0.2

        def residual(p):
            return p[0] * torch.exp(-p[1] * x) * torch.sin(p[2] * x + p[3]) + p[4] * x + p[5] - y

        def step(p):
            r, j = residual(p), func.jacfwd(residual)(p)
            normal = j.t() @ j
            return p - torch.linalg.solve(normal + 1e-2 * torch.diag(normal.diagonal()), j.t() @ r)

        return step, (torch.tensor([1.8, 0.6, 2.9, 0.4, 0.4, 0.0]),)

    row("Levenberg-Marquardt step, 6 parameters, 10000 points", marquardt)

    def ode(func, models, numbers):
        def slope(p, y):
            return torch.stack([y[0] * (p[0] - p[1] * y[1]), y[1] * (p[2] * y[0] - p[3])])

        def loss(p):
            y, h, ends = torch.tensor([1.0, 1.0]), 0.05, []
            for _ in range(50):
                a = slope(p, y)
                b = slope(p, y + h / 2 * a)
                c = slope(p, y + h / 2 * b)
                y = y + h / 6 * (a + 2 * b + 2 * c + slope(p, y + h * c))
                ends.append(y)
            return (torch.stack(ends) - 1.5).square().mean()

        return func.grad(loss), (torch.tensor([1.5, 1.0, 1.0, 3.0]),)

    row("ODE fit: 50 steps of Runge-Kutta, gradient of 4 parameters", ode)


for define in (overhead, matmul, linear_algebra, transforms, conv, network_kernels, elementwise, reductions, indexing, copies, random, training,
               optimisers, graphs, functions, files):
    define()
