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
from programs import flat  # noqa: E402

FLOATS = ["float64", "float64", "float64", "float64", "float32", "float32", "float16", "bfloat16"]
WHOLE = ["int64", "int64", "int32", "int16", "int8", "uint8", "bool"]
# Results that are not defined by the arguments.
UNDEFINED = {"empty", "empty_like", "empty_strided", "new_empty", "new_empty_strided"}
# Rows without samples in the golden files, since they draw into what they are given.
DRAWS = {"bernoulli_.Tensor": ["t(2, 3), u(2, 3)", "t(2, 3), c([0.5, 0.0, 1.0])"], "bernoulli_.float": ["t(2, 3)", "t(5), 0.25"],
         "cauchy_": ["t(2, 3)", "t(5), 1.0, 2.0"], "exponential_": ["t(2, 3)", "t(5), 0.5"], "geometric_": ["t(2, 3), 0.5"],
         "log_normal_": ["t(2, 3)", "t(5), 0.5, 0.25"], "normal_": ["t(2, 3)", "t(20), 1.0, 2.0"], "random_": ["t(2, 3)"],
         "random_.from": ["t(2, 3), -2, 5"], "random_.to": ["t(2, 3), 7"], "uniform_": ["t(2, 3)", "t(5), -1.0, 2.0"]}
# Which of several equal elements these name is not promised: their first argument has none.
DISTINCT = {"kthvalue", "topk", "median", "nanmedian", "mode", "sort", "argsort", "msort"}
# PyTorch 2.13 reads strided or expanded arguments of these as if they were dense.
DENSE = {"median", "nanmedian", "batch_norm", "native_batch_norm", "native_group_norm", "group_norm", "embedding_bag"}
# torch.kl_div and its kin, undocumented, forget that their reduction is "mean"; other functions of torch differ from the op.
BY_OP_ONLY = {"index", "unique", "embedding_bag", "native_group_norm", "native_batch_norm", "fractional_max_pool2d",
              "fractional_max_pool3d", "gaussian_nll_loss", "multilabel_soft_margin_loss", "one_hot", "block_diag", "broadcast_tensors",
              "cartesian_prod"}
# A refusal that only says that PyTorch has no kernel, or how its parser tells overloads apart.
NO_KERNEL = re.compile(r"not implemented for|is not yet implemented|NYI|Could not run|Unknown schema|Expected a value of type|"
                       r"expected at most|isn't implemented|could not create a primitive|INTERNAL ASSERT|"
                       r"Overloaded torch operator|only implement", re.I)


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
    return {name: found[name] for name in sorted(registered) if name not in UNDEFINED}


class Writer:
    """Writes one random program."""

    def __init__(self, torch, op, calls, seed, only=None):
        self.torch, self.op, self.calls, self.only = torch, op, calls, only
        self.random = random.Random(seed)
        self.program, self.names, self.refused, self.ops = [], {}, None, []
        self.space = {"torch": torch, "op": op, "inf": math.inf, "nan": math.nan}
        self.dtype = self.pick_dtype()
        self.wild = self.random.random() < 0.3  # arguments that may not fit

    def pick_dtype(self):
        return self.random.choice(FLOATS) if self.random.random() < 0.8 else self.random.choice(WHOLE)

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

    def made(self, kind, shape):
        """A tensor of that shape: one there is, part of one, or a new leaf in some layout."""
        r, dtype = self.random, self.dtype
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

    def leaf_of(self, data):
        numbers, dtype = flat(data), "int64"
        if any(isinstance(v, float) for v in numbers):
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
                if not isinstance(node.func, ast.Name) or node.func.id not in "tpuibc":
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
        forms = [f"{result} = op({full!r})({given})"]
        public = not plain.startswith("_") and plain not in BY_OP_ONLY and not re.search("kl_div|loss|cross_entropy", plain)
        if public and hasattr(torch, plain):
            # The operators' own parser takes 1.5 for a list, and 2 for True.
            forms = [f"{result} = torch.{plain}({given})"] + forms[:not self.wild]
        if public and args and hasattr(torch.Tensor, plain) and r.random() < 0.4:
            forms.insert(0, f"{result} = {args[0]}.{plain}({', '.join(args[1:] + keywords)})")
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
        number = r.choice(["2", "0.5", "-1", "True", "3.0", "300", "1e5"])
        line = r.choice([f"{into}[{place}] = {other}", f"{into}[{place}] = {number}", f"{into}[{place}] *= {number}",
                         f"{into}.copy_({other})", f"{into}.add_({other})", f"{into}.mul_({other})", f"{into}.zero_()",
                         f"{into}.fill_({number})", f"{into} += {number}", f"{into}[{place}] += {other}", f"{into} *= {other}",
                         f"{into} /= {number}", f"{into} -= {other}", f"{into} **= {number}", f"{into}.sub_({other}, alpha={number})",
                         f"{into}.addcmul_({other}, {other}, value=0.5)", f"{into}.masked_fill_({into} > 0, {number})",
                         f"{into}.fill_({other})", f"{into}.clamp_(min={number})", f"{into}.transpose_(0, -1)", f"{into}.detach_()",
                         f"{into}.t_()", f"{into}.unsqueeze_(0)", f"{into}.squeeze_()", f"{into}.requires_grad_()"])
        self.add(f"with torch.no_grad(): {line}" if r.random() < 0.15 else line)

    def mix(self):
        """Arithmetic between what there is, of whatever dtypes."""
        r, have = self.random, self.tensors()
        if not have:
            return
        a, b = r.choice(have), r.choice(have)
        number = r.choice(["2", "0.5", "-1", "3", "1e-3", "True", "300", "70000"])
        dtype = r.choice(FLOATS + WHOLE)
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
