#!/usr/bin/env python3
"""Random programs in PyTorch and in Taut: compare_graphs.py [--graphs 20000] [--seed 0] [--taut python] [--only op].

A program is a few lines of Python: leaves in several dtypes and layouts, calls of every op that Taut's registry has samples
of, views, writes in place, casts; then first and second derivatives. What PyTorch runs, Taut must run too, with the same
dtypes, shapes and values. Each disagreement is shrunk to a short program and shown once per op and kind. The same seed gives
the same programs. Skips, loudly, where torch is not installed.
"""

import argparse
import ast
import glob
import json
import math
import os
import random
import re
import subprocess
import sys
import time
import warnings

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
FLOATS = ["float64", "float64", "float64", "float64", "float32", "float32", "float16", "bfloat16"]
WHOLE = ["int64", "int64", "int32", "int16", "int8", "uint8", "bool"]
TOLERANCE = {"float64": 1e-7, "float32": 1e-3, "float16": 2e-2, "bfloat16": 1e-1}
# Results that are not defined by the arguments; indices with slices, which only brackets take; and where PyTorch 2.13's
# operator is another one: the gradient of what as_strided_scatter overwrote, the four results of embedding_bag, statistics of
# native_group_norm that claim a gradient, scatter_reduce that counts ties of what it does not include, addbmm_ that resizes,
# intervals of fractional_max_pool in half precision, losses of whole numbers whose margin is truncated.
SKIPPED = {"empty", "empty_like", "empty_strided", "new_empty", "new_empty_strided", "index", "index_put", "as_strided_scatter",
           "embedding_bag", "native_group_norm", "scatter_reduce", "addbmm", "fractional_max_pool2d", "fractional_max_pool3d",
           "hinge_embedding_loss"}
# Which of several equal elements these name is not promised.
VALUES_ONLY = {"kthvalue"}
# PyTorch 2.13 reads strided or expanded arguments of these as if they were dense.
DENSE = {"median", "nanmedian", "batch_norm", "native_batch_norm"}


# Running a program, in either library.


def flat(result):
    if isinstance(result, (tuple, list)):
        return [r for item in result for r in flat(item)]
    return [result]


def described(torch, value):
    if isinstance(value, torch.Tensor):
        numbers = value.detach().to(torch.float64 if value.is_floating_point() else torch.int64)
        tracked = value.requires_grad and (value.grad_fn is None or "NotImplemented" not in value.grad_fn.name())
        return [str(value.dtype)[6:], list(value.shape), numbers.reshape(-1).tolist(), tracked]
    return str(value)


def gradients(torch, names, keep_graph):
    """Of the sum over all results, with respect to the leaves; then of the squares of these gradients."""
    leaves = [t for t in names.values() if isinstance(t, torch.Tensor) and t.is_leaf and t.requires_grad]
    ends = [t for v in names.values() for t in flat(v)
            if isinstance(t, torch.Tensor) and t.requires_grad and not t.is_leaf and t.is_floating_point()]
    if not leaves or not ends:
        return [], []
    total = sum((t.double() * torch.linspace(0.5, 1.5, t.numel(), dtype=torch.float64).reshape(t.shape)).sum() for t in ends)
    first = torch.autograd.grad(total, leaves, retain_graph=True, create_graph=keep_graph, allow_unused=True)
    squares = [(g.double() ** 2).sum() for g in first if g is not None and g.requires_grad]
    second = torch.autograd.grad(sum(squares), leaves, allow_unused=True) if keep_graph and squares else []
    return [[None if g is None else described(torch, g.detach()) for g in found] for found in (first, second)]


def outcome(torch, op, program):
    """What each line gives, then the gradients: descriptions, or {"raises": ...} as the last."""
    torch.manual_seed(0)
    names, seen = {}, []
    space = {"torch": torch, "op": op, "inf": math.inf, "nan": math.nan}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for line in program:
            target = line.partition(" ")[0].partition(".")[0].partition("[")[0]
            try:
                exec(line, space, names)
                seen.append([described(torch, r) for r in flat(names[target])])
            except Exception as problem:
                return seen + [{"raises": f"{type(problem).__name__}: {str(problem)[:300]}"}]
        for keep_graph in (False, True):
            try:
                seen.append(gradients(torch, names, keep_graph))
            except Exception as problem:
                seen.append({"raises": f"{type(problem).__name__}: {str(problem)[:300]}"})
    return seen


def serve():
    """The half that runs in a Python with Taut: programs come in, outcomes go out, one line each."""
    sys.path.insert(0, os.path.join(ROOT, "python"))
    import taut
    from taut import _C

    taut.set_num_threads(1)
    print(json.dumps(_C._schemas()), flush=True)
    for line in sys.stdin:
        print(json.dumps(outcome(taut, lambda name: _C.ops[name.partition(".")[0]], json.loads(line))), flush=True)


class Taut:
    """The process with Taut; started again when a program ends it."""

    def __init__(self, python):
        self.python = python
        self.start()

    def start(self):
        self.process = subprocess.Popen([self.python, os.path.abspath(__file__), "--serve"], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)
        self.schemas = json.loads(self.process.stdout.readline())

    def outcome(self, program):
        self.process.stdin.write(json.dumps(program) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if answer:
            return json.loads(answer)
        code = self.process.wait()
        self.start()
        return [{"raises": f"the process ended with {code}"}]


# Comparing.


def close(found, wanted, tolerance):
    if found == wanted or (found != found and wanted != wanted):
        return True
    return math.isfinite(found) and math.isfinite(wanted) and abs(found - wanted) <= tolerance * max(abs(wanted), 1)


def difference(found, wanted, any_infinity=False):
    """Why two descriptions differ, or None. Second derivatives may be infinite in one library and nan in the other."""
    if found == wanted:
        return None
    if not isinstance(found, list) or not isinstance(wanted, list):
        return f"gives {found}, PyTorch {wanted}"
    if found[:2] != wanted[:2]:
        return f"gives {found[0]}{found[1]}, PyTorch {wanted[0]}{wanted[1]}"
    if found[3] != wanted[3]:
        return f"requires_grad is {found[3]}, PyTorch has {wanted[3]}"
    scale = max([abs(v) for v in wanted[2] if math.isfinite(v)], default=0)
    tolerance = TOLERANCE.get(wanted[0], 0) * max(1, scale if wanted[0] != "float64" else math.sqrt(scale))
    for k, (a, b) in enumerate(zip(found[2], wanted[2])):
        if any_infinity and not (math.isfinite(a) and math.isfinite(b)):
            continue
        if not close(a, b, tolerance):
            return f"element {k} is {a}, PyTorch has {b}"
    return None


def is_zero(grad):
    return grad is None or not any(grad[2])


def disagreement(program, found, wanted):
    """(line, kind, text) of the first disagreement; None where PyTorch itself refuses."""
    for k, (a, b) in enumerate(zip(found, wanted)):
        what = program[k] if k < len(program) else ("backward", "double backward")[k - len(program)]
        if isinstance(b, dict):
            return None if k < len(program) else disagreement_after(program, found, wanted, k)
        if isinstance(a, dict):
            if k < len(program) and all(isinstance(x, list) and 0 in x[1] for x in b):
                return None  # PyTorch looks at the dtype only where there is an element
            return what, "raises", f"raises {a['raises']}"
        if k < len(program):
            if len(a) != len(b):
                return what, "differs", f"gives {len(a)} results, PyTorch {len(b)}"
            pairs = zip(a, b)
        else:
            pairs = [(x, y) for order in (0, 1) for x, y in zip(a[order], b[order]) if not (is_zero(x) and is_zero(y))]
        for x, y in pairs:
            text = difference(x, y, k > len(program))
            if text:
                return what, "differs", text
    return None


def disagreement_after(program, found, wanted, k):
    """PyTorch could not compute derivatives the first way; the second may still be compared."""
    return disagreement(program, found[:k] + found[k + 1:], wanted[:k] + wanted[k + 1:]) if k + 1 < len(wanted) else None


def compare(torch_op, taut, program):
    import torch

    wanted = outcome(torch, torch_op, program)
    if any(isinstance(w, dict) for w in wanted[:len(program)]):
        return None
    found = taut.outcome(program)
    first = disagreement(program, found, wanted)
    if not first or first[1] == "raises" or not any(d in line for line in program for d in ("float32", "float16")):
        return first
    # Rounding of a short float may grow: is Taut farther from the same program in float64 than PyTorch is?
    exact = outcome(torch, torch_op, [line.replace("bfloat16", "float64").replace("float32", "float64").replace("float16", "float64")
                                      for line in program])
    return first if farther(found, wanted, exact) else None


def farther(found, wanted, exact):
    def error(result):
        worst = 0.0
        for a, b in zip(result, exact):
            if isinstance(a, dict) or isinstance(b, dict):
                break
            for x, y in zip(flat_values(a), flat_values(b)):
                if len(x) != len(y):
                    return math.inf
                for u, v in zip(x, y):
                    if not (u == v or u != u and v != v):
                        worst = max(worst, abs(u - v) / max(abs(v), 1) if math.isfinite(u) and math.isfinite(v) else math.inf)
        return worst

    return error(found) > 8 * error(wanted) + 1e-6 or math.isinf(error(found)) and math.isinf(error(wanted))


def flat_values(described_things):
    if described_things is None or isinstance(described_things, (str, dict)):
        return []
    if len(described_things) == 4 and isinstance(described_things[0], str):
        return [described_things[2]]
    return [v for thing in described_things for v in flat_values(thing)]


# Making programs.


def samples():
    """Every op with its sample calls, from the golden files, which hold all of the registry."""
    found = {}
    for path in sorted(glob.glob(os.path.join(ROOT, "tests", "golden", "ops_*.txt"))):
        with open(path) as lines:
            for line in lines:
                if line.startswith("> "):
                    op, _, text = line[2:].rstrip("\n").partition("\t")
                    found.setdefault(op, []).append(text)
    return found


class Writer:
    """Writes one random program, running it in PyTorch line by line to know what it has."""

    def __init__(self, torch, op, calls, seed, only):
        self.torch, self.op, self.calls, self.only = torch, op, calls, only
        self.random = random.Random(seed)
        self.program, self.names = [], {}
        self.space = {"torch": torch, "op": op, "inf": math.inf, "nan": math.nan}
        self.dtype = self.random.choice(FLOATS) if self.random.random() < 0.8 else self.random.choice(WHOLE)

    def add(self, line):
        """Runs and keeps a line; False if PyTorch refuses it."""
        try:
            exec(line, self.space, self.names)
        except Exception:
            return False
        self.program.append(line)
        return True

    def name(self):
        return f"v{len(self.program)}"

    def numbers(self, kind, n, dtype):
        r = self.random
        if dtype == "bool":
            return [r.random() < 0.5 for _ in range(n)]
        if dtype in WHOLE:
            low, high = (1, 4) if kind == "p" else (0, 6) if dtype == "uint8" else (-3, 4)
            return [r.randrange(low, high) for _ in range(n)]
        low, high = dict(t=(-2, 2), p=(0.2, 2.2), u=(-0.9, 0.9))[kind]
        if r.random() < 0.1:  # ties and kinks
            return [max(low, min(high, r.choice([-1.0, 0.0, 0.5, 1.0]))) for _ in range(n)]
        return [round(r.uniform(low, high), 3) for _ in range(n)]

    def leaf(self, values, shape, dtype, grad):
        name, text = self.name(), nested(values, list(shape))
        grad = ", requires_grad=True" if grad and dtype not in WHOLE else ""
        shaped = "" if 0 not in shape else f".reshape({tuple(shape)})"
        if shaped and grad:
            shaped, grad = shaped + ".requires_grad_()", ""
        self.add(f"{name} = torch.tensor({text}, dtype=torch.{dtype}{grad}){shaped}")
        return name

    def made(self, kind, shape):
        """A tensor of that shape: one there is, part of one, or a new leaf in some layout."""
        r = self.random
        fits = [n for n, t in self.names.items() if isinstance(t, self.torch.Tensor) and str(t.dtype)[6:] == self.dtype]
        same = [n for n in fits if list(self.names[n].shape) == list(shape)]
        size = math.prod(shape)
        larger = [n for n in fits if self.names[n].numel() >= size > 0]
        wrap = {"t": "{}", "p": "({}.abs() + 0.25)", "u": "({}.tanh() * 0.9)"}[kind]
        if self.dtype in WHOLE:
            wrap = {"t": "{}", "p": "({}.abs() % 3 + 1)", "u": "({} % 2)"}[kind] if self.dtype != "bool" else "{}"
        if same and r.random() < 0.75:
            return wrap.format(r.choice(same))
        if larger and r.random() < 0.75:
            return wrap.format(f"{r.choice(larger)}.reshape(-1)[:{size}].reshape({tuple(shape)})")
        return self.new(kind, shape)

    def new(self, kind, shape):
        r, shape = self.random, list(shape)
        layout = r.choice(["plain", "plain", "plain", "transposed", "strided", "expanded"]) if shape and 0 not in shape else "plain"
        grad = r.random() < 0.75
        stored, view = list(shape), None
        if layout == "transposed" and len(shape) > 1:
            stored[0], stored[-1] = stored[-1], stored[0]
            view = "transpose(0, -1)"
        elif layout == "strided":
            stored[-1] *= 2
        elif layout == "expanded":
            stored[r.randrange(len(shape))] = 1
            view = f"expand({tuple(shape)})"
        name = self.leaf(self.numbers(kind, math.prod(stored), self.dtype), stored, self.dtype, grad)
        if layout == "strided":
            view_name = self.name()
            self.add(f"{view_name} = {name}[..., ::2]")
            return view_name
        if view:
            view_name = self.name()
            self.add(f"{view_name} = {name}.{view}")
            return view_name
        return name

    def arguments(self, text):
        """The arguments of a sample, with tensors of this program in the place of the makers."""
        tree = ast.parse(f"f({text})", mode="eval")
        writer = self

        class Makers(ast.NodeTransformer):
            def visit_Call(self, node):
                if not isinstance(node.func, ast.Name) or node.func.id not in "tpuibc":
                    return self.generic_visit(node)
                kind, given = node.func.id, [ast.literal_eval(a) for a in node.args]
                if kind in "tpu":
                    made = writer.made(kind, given)
                elif kind == "i":
                    low, high, *shape = given
                    values = [writer.random.randrange(low, high) for _ in range(math.prod(shape))]
                    made = writer.leaf(values, shape, "int64", False)
                elif kind == "b":
                    made = writer.leaf(writer.numbers("t", math.prod(given), "bool"), given, "bool", False)
                else:
                    flat_numbers = flat(given[0])
                    dtype = "int64"
                    if any(isinstance(v, float) for v in flat_numbers):
                        dtype = writer.dtype if writer.dtype in FLOATS else "float32"
                    elif flat_numbers and all(isinstance(v, bool) for v in flat_numbers):
                        dtype = "bool"
                    made = writer.leaf_of(given[0], dtype)
                return ast.parse(made, mode="eval").body

        call = Makers().visit(tree.body)
        return [ast.unparse(a) for a in call.args], [f"{k.arg}={ast.unparse(k.value)}" for k in call.keywords]

    def leaf_of(self, data, dtype):
        name = self.name()
        self.add(f"{name} = torch.tensor({data}, dtype=torch.{dtype})")
        return name

    def call(self):
        """A call of some op: as a function, as a method, or in place."""
        r = self.random
        full = self.only or r.choice(list(self.calls))
        try:
            args, keywords = self.arguments(r.choice(self.calls[full]))
        except (ValueError, SyntaxError):
            return
        plain, result = full.partition(".")[0], self.name()
        if plain in DENSE:
            args = [a + ".contiguous()" if re.match(r"v\d", a) else a for a in args]
        first_of = "[0]" if plain in VALUES_ONLY else ""
        forms = [f"{result} = op({full!r})({', '.join(args + keywords)}){first_of}"]
        # torch.kl_div and its kin, undocumented, forget that their reduction is "mean".
        by_reduction = "kl_div" in plain or "loss" in plain or "cross_entropy" in plain
        if hasattr(self.torch, plain) and not plain.startswith("_") and not by_reduction:
            forms.insert(0, f"{result} = torch.{plain}({', '.join(args + keywords)}){first_of}")
        if args and hasattr(self.torch.Tensor, plain) and r.random() < 0.4:
            forms.insert(0, f"{result} = {args[0]}.{plain}({', '.join(args[1:] + keywords)}){first_of}")
        if args and hasattr(self.torch.Tensor, plain + "_") and args[0] in self.names and r.random() < 0.3 and \
                self.may_write(args[0], args[1:] + keywords):
            if self.names[args[0]].requires_grad and self.names[args[0]].is_leaf:
                self.add(f"{self.name()} = {args[0]}.clone()")
                args[0] = f"v{len(self.program) - 1}"
            forms = [f"{args[0]}.{plain}_({', '.join(args[1:] + keywords)})"]
        any(self.add(form) for form in forms)

    def may_write(self, target, others):
        """Is what a write gives defined? Not where elements share memory, with each other or with what is read."""
        t = self.names[target]
        places = {0}
        for n, s in zip(t.shape, t.stride()):
            places = {p + k * s for p in places for k in range(n)}
        if len(places) < t.numel() or t._base is not None and t._base.is_leaf and t._base.requires_grad:
            return False
        read = {n for text in others for n in re.findall(r"v\d+", text) if n != target or text != target}
        storage = t.untyped_storage().data_ptr()
        return not any(isinstance(self.names[n], self.torch.Tensor) and self.names[n].untyped_storage().data_ptr() == storage
                       for n in read if n in self.names)

    def tensors(self):
        return [n for n, t in self.names.items() if isinstance(t, self.torch.Tensor)]

    def view(self):
        """A view of something, or a gathering of it."""
        r, have = self.random, self.tensors()
        if not have:
            return
        of = r.choice(have)
        t = self.names[of]
        d = r.randrange(t.ndim) if t.ndim else 0
        n = t.shape[d] if t.ndim else 1
        ways = ["unsqueeze(0)", "unsqueeze(-1)", "reshape(-1)", "squeeze()", "view_as({0})", "flatten()", "detach()", "contiguous()"]
        if t.ndim:
            k = r.randrange(n) if n else 0
            ways += [f"transpose({d}, -1)", f"select({d}, {k})" if n else "clone()", f"narrow({d}, 0, {r.randint(0, n)})",
                     f"flip({d})", f"movedim({d}, 0)", f"unbind({d})[-1]" if n else "clone()", f"chunk(2, {d})[0]", f"roll(1, {d})",
                     f"index_select({d}, torch.tensor([{k}, 0]))" if n else "clone()", "mT" if t.ndim > 1 else "clone()",
                     "diagonal()" if t.ndim > 1 else "clone()", "T" if t.ndim == 2 else "clone()"]
        index = r.choice(["...", "None", "0", "-1:", "::2", ":, None", "..., 0", "[0]", "1:, ..., :1", "{0} > 0", "[0, 0]", "..., [0]",
                          "torch.tensor(0)", "[0], None", "True"])
        text = f"{of}[{index}]" if r.random() < 0.4 else f"{of}.{r.choice(ways)}"
        self.add(f"{self.name()} = {text.format(of)}")

    def write(self):
        """Writes into something that may be written."""
        r = self.random
        have = [n for n in self.tensors() if not (self.names[n].is_leaf and self.names[n].requires_grad)]
        if not have:
            return
        into, other = r.choice(have), r.choice(self.tensors())
        if not self.may_write(into, [other]):
            return
        place = r.choice(["...", "0", "-1", ":1", "..., 0", "::2", "None", "[0]", "{0} > 0", "[0, 0]", ":, -1:"]).format(into)
        number = r.choice(["2", "0.5", "-1", "True", "3.0"])
        self.add(r.choice([f"{into}[{place}] = {other}", f"{into}[{place}] = {number}", f"{into}[{place}] *= {number}",
                           f"{into}.copy_({other})", f"{into}.add_({other})", f"{into}.mul_({other})", f"{into}.zero_()",
                           f"{into}.fill_({number})", f"{into} += {number}", f"{into}[{place}] += {other}",
                           f"{into}.addcmul_({other}, {other}, value=0.5)", f"{into}.masked_fill_({into} > 0, {number})"]))

    def mix(self):
        """Arithmetic between what there is, of whatever dtypes."""
        r, have = self.random, self.tensors()
        if not have:
            return
        a, b = r.choice(have), r.choice(have)
        number = r.choice(["2", "0.5", "-1", "3", "1e-3"])
        dtype = r.choice(FLOATS + WHOLE)
        self.add(f"{self.name()} = " + r.choice([
            f"{a} + {b}", f"{a} * {b}", f"{a} - {number}", f"{number} - {a}", f"{a} / {number}", f"{number} * {b}", f"{a} > {b}",
            f"torch.where({a} > 0, {a}, {b})", f"{a}.to(torch.{dtype})", f"torch.maximum({a}, {b})", f"{a}.sum()", f"{a}.mean(-1)",
            f"torch.stack([{a}, {b}])", f"torch.cat([{a}, {b}])", f"torch.lerp({a}, {b}, 0.25)", f"{a}.clone()", f"{a} ** 2",
            f"{a} // {number}", f"{a} % {number}", f"-{a}", f"{a}.matmul({b})", f"({a} == {b}).sum()"]))

    def written(self):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self.torch.manual_seed(0)
            for _ in range(self.random.randint(2, 8)):
                self.random.choice([self.call, self.call, self.call, self.call, self.view, self.view, self.write, self.mix])()
        return self.program


def nested(values, shape):
    """The values as nested lists."""
    if not shape:
        return values[0] if values else 0
    if math.prod(shape) == 0:
        return []
    step = len(values) // shape[0]
    return [nested(values[k * step:(k + 1) * step], shape[1:]) for k in range(shape[0])]


# Shrinking.


def literal(torch, value):
    """A leaf that holds what a line gave."""
    if not isinstance(value, torch.Tensor) or value.numel() == 0:
        return None
    dtype = str(value.dtype)[6:]
    grad = ", requires_grad=True" if value.requires_grad else ""
    return f"torch.tensor({value.detach().tolist()}, dtype=torch.{dtype}{grad})"


def shrunk(torch, op, taut, program, first):
    """The shortest program found that disagrees in the same way at the same call."""

    def still(lines):
        found = compare(op, taut, lines)
        return found is not None and found[1] == first[1] and called(found[0]) == called(first[0]) and \
            (first[1] == "differs" or found[2][:40] == first[2][:40])

    changed = True
    while changed:
        changed = False
        for k in range(len(program) - 1, -1, -1):
            shorter = program[:k] + program[k + 1:]
            if shorter and still(shorter):
                program, changed = shorter, True
        for k, line in enumerate(program):
            head, _, right = line.partition(" = ")
            if not head.isidentifier() or right.startswith("torch.tensor("):
                continue
            names = {}
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                try:
                    torch.manual_seed(0)
                    for earlier in program[:k + 1]:
                        exec(earlier, {"torch": torch, "op": op, "inf": math.inf, "nan": math.nan}, names)
                except Exception:
                    continue
            leaf = literal(torch, names[head])
            if leaf is None:
                continue
            candidate = program[:k] + [f"{head} = {leaf}"] + program[k + 1:]
            if still(candidate):
                program, changed = candidate, True
    return program


def called(line):
    """The op a line calls, to tell kinds of disagreement apart."""
    if "backward" in line and "(" not in line:
        return line
    try:
        statement = ast.parse(line).body[0]
    except SyntaxError:
        return line
    call = getattr(statement, "value", None)
    if not isinstance(call, ast.Call) or isinstance(statement, ast.AugAssign):
        return "an operator or index"
    if isinstance(call.func, ast.Call):
        return call.func.args[0].value.partition(".")[0]
    return getattr(call.func, "attr", "an operator or index")


def show_progress(done, total, found, started):
    seconds = time.time() - started
    left = seconds / done * (total - done)
    filled = 30 * done // total
    print(f"\r[{'#' * filled}{'-' * (30 - filled)}] {done}/{total} programs, {found} kinds of disagreement, "
          f"{left:.0f} s left ", end="", file=sys.stderr, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graphs", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--taut", default=sys.executable, help="a Python that can import Taut")
    parser.add_argument("--only", help="one op, such as add.Tensor")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        return serve()
    try:
        import torch
    except ImportError as error:
        print(f"compare_graphs: SKIPPED, nothing was compared: {error}", file=sys.stderr)
        return 0
    torch.set_num_threads(1)
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    from golden_ops import callee

    def op(name):
        return callee(*name.partition(".")[::2])

    taut = Taut(options.taut)
    registered = {schema[:schema.index("(")] for schema in taut.schemas}
    calls = {name: texts for name, texts in samples().items() if name in registered and name.partition(".")[0] not in SKIPPED}
    started, shown, ran = time.time(), {}, 0
    for number in range(options.graphs):
        program = Writer(torch, op, calls, f"{options.seed} {number}", options.only).written()
        first = compare(op, taut, program) if program else None
        ran += bool(program)
        if first:
            key, small = (called(first[0]), first[1]), None
            if "backward" in key[0]:  # tell them apart by the op that is left
                small = shrunk(torch, op, taut, program, first)
                key = f"{key[0]} of {called(([''] + [p for p in small if ' = torch.tensor(' not in p])[-1])}", key[1]
            if key not in shown:
                small = small or shrunk(torch, op, taut, program, first)
                text = compare(op, taut, small)
                print(f"\n\n{key[0]} {key[1]} (seed {options.seed}, program {number}): {(text or first)[2]}\n  at {(text or first)[0]}",
                      *("    " + line for line in small), sep="\n", flush=True)
            shown[key] = shown.get(key, 0) + 1
        if number % 20 == 0 or number + 1 == options.graphs:
            show_progress(number + 1, options.graphs, len(shown), started)
    print(f"\n{ran} programs, {len(shown)} kinds of disagreement:", ", ".join(f"{a} {b} ({n})" for (a, b), n in sorted(shown.items())))
    return 1 if shown else 0


if __name__ == "__main__":
    sys.exit(main())
