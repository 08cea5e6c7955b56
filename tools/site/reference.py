"""Writes the reference: every op, layer, loss, optimiser and scheduler, as C++ and Python have it, from the registry, the
public headers and what Python's inspect shows."""

import inspect
import pathlib
import re
import subprocess
import sys

import taut
from headers import ROOT, Classes, functions, text_of
from taut import _C, nn, optim
from taut.optim import lr_scheduler, swa_utils

sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "python" / "tests")]
import op_headers  # noqa: E402
import samples  # noqa: E402

F = nn.functional
FLOATS = ["float16", "bfloat16", "float32", "float64"]
INTS = ["uint8", "int8", "int16", "int32", "int64"]
WHERE = [("torch", taut), ("torch.nn.functional", F), ("torch.linalg", taut.linalg), ("torch.special", taut.special)]
TITLES = {"elementwise": "Pointwise", "reduce": "Reductions", "linalg": "Matrices", "view": "Views", "rnn": "Recurrent",
          "class_loss": "Losses of classes", "ctc": "CTC loss", "conv": "Convolutions", "pool": "Pooling", "sort": "Sorting",
          "join": "Joining", "scan": "Running sums", "norm": "Normalising", "loss": "Losses", "optim": "Steps of optimisers",
          "factory": "Making tensors", "random": "Random numbers", "strided": "Strided views", "part": "Parts",
          "pairwise": "Distances"}


def faces(cpp, python):
    """Two blocks of code, side by side where there is room."""
    def fence(language, lines):
        return f"```{language} title=\"{'C++' if language == 'cpp' else 'Python'}\"\n" + "\n".join(lines) + "\n```\n"
    return '<div class="faces" markdown>\n\n' + fence("cpp", cpp or ["// not in C++"]) + "\n" \
        + fence("python", python or ["# not in Python"]) + "\n</div>\n"


def folded(text, width=64):
    """A call in lines that are not too long: broken after commas."""
    if len(text) <= width or "(" not in text:
        return [text]
    indent = 4
    lines, line = [], ""
    for part in re.split(r"(?<=,) ", text):
        if line and len(line) + len(part) + 1 > width:
            lines.append(line)
            line = " " * indent + part
        else:
            line += (" " if line else "") + part
    return [*lines, line]


def shown(value):
    """A default as one would write it."""
    if inspect.isclass(value) or inspect.isroutine(value):
        return value.__name__
    return "..." if value is Ellipsis else repr(value)


def python_call(name, holder, defaults=None):
    """A call with its defaults; those that are `...` are taken from `defaults`."""
    parts, star = [], False
    for p in inspect.signature(holder).parameters.values():
        if p.name == "self":
            continue
        if p.kind is p.KEYWORD_ONLY and not star:
            parts.append("*")
            star = True
        star = star or p.kind is p.VAR_POSITIONAL
        parts.append({p.VAR_POSITIONAL: "*", p.VAR_KEYWORD: "**"}.get(p.kind, "") + p.name
                     + ("" if p.default is p.empty else f"={shown((defaults or {}).get(p.name, p.default) if p.default is ... else p.default)}"))
    return folded(f"{name}({', '.join(parts)})")


def sentence_of(holder):
    """The first paragraph of its help."""
    return " ".join((inspect.getdoc(holder) or "").split("\n\n")[0].split())


def escaped(text):
    """Plain text for Markdown: nothing in it is a mark, but for `code`."""
    pieces = re.split(r"(`[^`]+`)", text)
    return "".join(p if p.startswith("`") else re.sub(r"([\\*_\[\]<>`|])", r"\\\1", p) for p in pieces)


# ---- Ops.

def tensors_in(value):
    if isinstance(value, taut.Tensor):
        return [value]
    return [t for v in value for t in tensors_in(v)] if isinstance(value, (list, tuple)) else []


def prepared(text, dtype):
    """A sample call in which some tensor has that dtype; None if there is no such call."""
    call = samples.Call(text, dtype)
    given = [*call.args, *call.kwargs.values()]
    if any(t.dtype == dtype for t in tensors_in(given)):
        return call
    if any(maker in text for maker in ("t(", "p(", "u(")) or not call.args or not isinstance(call.args[0], taut.Tensor):
        return None
    call.args[0] = call.args[0].to(dtype)  # samples of integers alone
    return call


REFUSALS = (RuntimeError, TypeError, ValueError, IndexError, NotImplementedError, ArithmeticError)


def tried(name, texts):
    """What the sample calls of an op show: the dtypes that it takes, whether it takes out=, and whether gradients flow."""
    function, works, out, flows = _C.ops.get(name), [], False, False
    for dtype in ["bool", *INTS, *FLOATS]:
        for text in texts:
            try:
                call = prepared(text, getattr(taut, dtype))
                if call:
                    function(*call.args, **call.kwargs)
            except REFUSALS:
                continue
            if not call:
                continue
            works.append(dtype)
            break
    for text in texts:
        try:
            call = samples.Call(text, taut.float64)  # whose tensors require grad
            flows = flows or any(t.requires_grad for t in tensors_in(function(*call.args, **call.kwargs)))
        except REFUSALS:
            continue
    for text in texts:
        try:
            call = samples.Call(text, taut.float32)
            results = tensors_in(function(*call.args, **call.kwargs))
            outs = tuple(taut.empty(0, dtype=r.dtype) for r in results)
            function(*call.args, **call.kwargs, out=outs[0] if len(outs) == 1 else outs)
            out = True
            break
        except REFUSALS:
            continue
    return works, out, flows


def dtypes_text(works):
    have = set(works)
    if not have:
        return ""
    groups = []
    if have >= {"bool", *INTS, *FLOATS}:
        return "all dtypes"
    if "bool" in have:
        groups.append("bool")
    groups.append("integers" if have >= set(INTS) else ", ".join(d for d in INTS if d in have))
    groups.append("floats" if have >= set(FLOATS) else ", ".join(d for d in FLOATS if d in have))
    return ", ".join(g for g in groups if g)


def sample_texts():
    found = {}
    for op, text, _ in samples.golden_cases():
        found.setdefault(re.match(r"\w+", op)[0], []).append(text)
    return found


def python_ways(name):
    """How Python writes a call, as help() shows it."""
    function = _C.ops[name]
    lines = (function.__doc__ or "").split("\n\n")[0].split("\n")
    return [line for text in lines for line in folded(text) if "(" in text]


def op_entry(name, rows, by_hand, shown_by_samples):
    first = rows[0]
    cpp = []
    for row in rows:
        if not row.by_hand:
            cpp += [line for text in op_headers.functions_of(row) for line in folded(" ".join(text.split()))]
    if not cpp:
        cpp = [line for text in functions(by_hand, name) or functions(by_hand, name + "_") for line in folded(text)]
    works, out, flows = shown_by_samples
    where = [title for title, holder in WHERE if hasattr(holder, name)]
    facts = [f"Python: {', '.join(f'`{w}.{name}`' for w in where)}"] if where else []
    if any(r.method for r in rows):
        facts.append(f"method `x.{name}(…)`" if not name.endswith("_") else "method")
    if any(r.in_place for r in rows):
        facts.append(f"in place `{name}_`")
    if out:
        facts.append("`out=`")
    if dtypes_text(works):
        facts.append(dtypes_text(works))
    if flows:
        facts.append("differentiable")
    if first.aliases:
        facts.append("also called " + ", ".join(f"`{a}`" for a in first.aliases))
    doc = next((r.doc for r in rows if r.doc), "")
    return f"## {escaped(name)} {{ #{name} }}\n\n{escaped(doc)}\n\n{faces(cpp, python_ways(name) if name in _C.ops else [])}\n" \
        f"{' · '.join(facts)}\n{{ .facts }}\n\n"


def write_ops(build, target):
    lines = subprocess.run([pathlib.Path(build) / "tests" / "dump_ops"], check=True, capture_output=True, text=True).stdout
    ops = [op_headers.Op(line) for line in lines.splitlines()]
    by_hand = text_of("factories.h", "random.h", "indexing.h", "tensor.h", "ops.h", "ops/types.h")
    texts = sample_texts()
    tables = {}
    for op in ops:
        tables.setdefault("internal" if op.name.startswith("_") else op.table, {}).setdefault(op.name, []).append(op)
    listed = []
    for table, names in tables.items():
        title = "Internal" if table == "internal" else TITLES.get(table, table.replace("_", " ").capitalize())
        page = [f"# {title}\n\n" + (
            "Rows whose names begin with an underscore: they may change without notice.\n\n" if table == "internal" else
            f"The ops of the table `{table}`, written from the registry.\n\n")]
        page += [op_entry(name, rows, by_hand, tried(name, texts.get(name, []))) for name, rows in names.items()]
        (target / f"{table}.md").write_text("".join(page))
        listed.append((title, table, list(names)))
    public = {name for _, table, names in listed if table != "internal" for name in names}
    index = ["# Ops\n\n", f"{len(public)} ops in {len(ops)} rows of the registry. Each page shows how C++ (namespace `taut`) and "
             "Python write a call, which dtypes it takes, and which of its forms exist: the method, the one in place, `out=`. The "
             "dtypes were found by trying the sample calls from which the tests come.\n\n"]
    for title, table, names in listed:
        if table != "internal":
            links = " ".join(f"[`{n}`]({table}.md#{n})" for n in names)
            index.append(f"**[{title}]({table}.md)** {links}\n\n")
    index.append("Rows for the library's own use are on [a page of their own](internal.md).\n")
    (target / "index.md").write_text("".join(index))
    listed.sort(key=lambda part: part[1] == "internal")  # last
    return [(title, f"{table}.md") for title, table, _ in listed]


# ---- Layers and losses.

def chained(call, options, taken):
    """Options as one writes them in C++: Options(3, 4).stride(2), with the defaults."""
    lines = folded(call)
    for kind, name, default in options:
        if name not in taken:
            lines.append(f"    .{name}({kind}{' = ' + default if default else ''})")
    return lines


def cpp_layer(name, modules, options):
    if f"TAUT_MODULE({name})" not in modules.text and not modules.has(f"{name}Impl") and not modules.has(name):
        return []
    lines = []
    if options.has(f"{name}Options"):
        ways = options.constructors(f"{name}Options") or [f"{name}Options()"]
        given = re.findall(r"(\w+)(?: =[^,)]*)?[,)]", ways[0])
        lines += chained(ways[0], options.options(f"{name}Options"), given)
        lines[0] = f"nn::{name}(" + lines[0]
        lines[-1] += ")"
    else:
        ways = [w for w in modules.constructors(f"{name}Impl", f"nn::{name}")]
        lines += [line for w in (ways or [f"nn::{name}()"]) for line in folded(w)]
    return lines + [line for w in modules.method(f"{name}Impl", "forward") for line in folded(w)]


def layer_entry(name, modules, options):
    holder = getattr(nn, name)
    python = python_call(f"nn.{name}", holder)
    forward = holder.forward
    if forward is not nn.Module.forward:
        try:
            python += python_call("forward", forward)
        except (TypeError, ValueError):
            pass
    return f"## {name} {{ #{name} }}\n\n{escaped(sentence_of(holder))}\n\n{faces(cpp_layer(name, modules, options), python)}\n"


def write_layers(target):
    modules = Classes("nn/module.h", "nn/modules/**/*.h")
    options = Classes("nn/options/*.h")
    names = [n for n in sorted(dir(nn), key=str.lower) if inspect.isclass(getattr(nn, n)) and issubclass(getattr(nn, n), nn.Module)]
    losses = [n for n in names if getattr(nn, n).__module__.endswith(".loss") or n.endswith("Loss")]
    groups = {}
    for n in names:
        if n not in losses:
            groups.setdefault(getattr(nn, n).__module__.rpartition(".")[2], []).append(n)
    intro = "In C++ the names are in `taut::nn`; options are chained, and those that are shown with a default may be left out. In " \
        "Python they are in `torch.nn` (`import taut as torch`).\n\n"
    page = ["# Layers\n\n", f"{len(names) - len(losses)} layers. {intro}"]
    page += [f"**{group.capitalize()}** " + " ".join(f"[`{n}`](#{n})" for n in members) + "\n\n" for group, members in groups.items()]
    page += [layer_entry(n, modules, options) for members in groups.values() for n in members]
    (target / "layers.md").write_text("".join(page))
    page = ["# Losses\n\n", f"{len(losses)} losses as layers, then as functions. {intro}"]
    page += [" ".join(f"[`{n}`](#{n})" for n in losses) + "\n\n"]
    page += [layer_entry(n, modules, options) for n in losses]
    functional, plain_ops = text_of("nn/functional/*.h"), text_of("ops/*.h")
    written = [n for n in sorted(vars(F)) if (n.endswith("_loss") or n.startswith(("kl_div", "cross_entropy", "binary_cross_entropy",
               "multilabel", "nll"))) and callable(getattr(F, n))]
    page += [function_entry(n, functional, plain_ops) for n in written]
    (target / "losses.md").write_text("".join(page))
    rest = [n for n in sorted(vars(F)) if n not in written and not n.startswith("_") and is_public_function(getattr(F, n))]
    page = ["# Functions of layers\n\n", f"`taut::nn::functional` and `torch.nn.functional`: {len(rest)} functions beside "
            "the [losses](losses.md).\n\n", " ".join(f"[`{n}`](#{n})" for n in rest) + "\n\n"]
    page += [function_entry(n, functional, plain_ops) for n in rest]
    (target / "functional.md").write_text("".join(page))


def is_public_function(value):
    return type(value).__name__ == "Op" or (inspect.isfunction(value) and value.__module__.startswith(("taut", "torch")))


def function_entry(name, functional, plain_ops):
    function = getattr(F, name)
    ways = functions(functional, name) or [w.replace(f"{name}(", f"taut::{name}(", 1) for w in functions(plain_ops, name)]
    cpp = [line for w in ways for line in folded(w)]
    if type(function).__name__ == "Op":
        lines = [line for text in (function.__doc__ or "").split("\n\n")[0].split("\n") for line in folded(text) if "(" in text]
        sentence = " ".join((function.__doc__ or "").split("\n\n")[-1].split())
    else:
        lines, sentence = python_call(name, function), sentence_of(function)
    return f"## {escaped(name)} {{ #{name} }}\n\n{escaped(sentence)}\n\n{faces(cpp, lines)}\n"


# ---- Optimisers and schedulers.

def write_optimisers(target):
    classes = Classes("optim/*.h")
    names = [n for n in optim.__all__ if n not in ("Optimizer", "lr_scheduler", "swa_utils")]
    table = set(_C._optimizers())
    page = ["# Optimisers\n\n", f"{len(names)} optimisers: `taut::optim` and `torch.optim`. What is in the table (all but "
            f"{', '.join(f'`{n}`' for n in names if n not in table)}) has the same bits from C++ and from Python; "
            "[how to add one](../adding-an-optimiser.md).\n\n", " ".join(f"[`{n}`](#{n})" for n in names) + "\n\n"]
    for n in names:
        holder = getattr(optim, n)
        cpp = []
        if classes.has(f"{n}Options"):
            ways = classes.constructors(f"{n}Options") or [f"{n}Options()"]
            given = re.findall(r"(\w+)(?: =[^,)]*)?[,)]", ways[0])
            cpp = chained(ways[0], classes.options(f"{n}Options"), given)
            cpp[0] = f"optim::{n}(parameters, " + cpp[0]
            cpp[-1] += ")"
        facts = []
        if n in table:
            signature, order, _, scalars = _C._optimizer(n)[3:7]
            facts = ["a row of the table"] + (["keeps " + ", ".join(f"`{s}`" for s in scalars)] if scalars else []) \
                + (["`differentiable=True` records its steps"] if "differentiable" in order else [])
        page.append(f"## {n} {{ #{n} }}\n\n{escaped(sentence_of(holder))}\n\n{faces(cpp, python_call(f'optim.{n}', holder))}\n"
                    + (f"{' · '.join(facts)}\n{{ .facts }}\n\n" if facts else ""))
    (target / "optimisers.md").write_text("".join(page))


def cpp_value(value):
    return f'"{value}"' if isinstance(value, str) else {True: "true", False: "false"}[value] if isinstance(value, bool) else repr(value)


def write_schedulers(target):
    classes = Classes("optim/lr_scheduler.h", "optim/swa_utils.h")
    names = [(n, lr_scheduler) for n in lr_scheduler.__all__] + [("SWALR", swa_utils), ("AveragedModel", swa_utils)]
    table = set(_C._schedule_names())
    page = ["# Schedulers\n\n", "`taut::optim` and `torch.optim.lr_scheduler`; averages of models are in "
            "`torch.optim.swa_utils`. The rates are pure functions that both share, so they have the same bits.\n\n",
            " ".join(f"[`{n}`](#{n})" for n, _ in names) + "\n\n"]
    for n, module in names:
        holder = getattr(module, n)
        defaults = _C._schedule_defaults(n) if n in table else {}

        def with_defaults(text, known=defaults):
            text = re.sub(r"numbers\(Default\(\)\.(\w+)s\)", lambda m: f"{{{known.get(m[1], '')}}}", text)
            text = re.sub(r"(?:schedules::\w+|Default)\(\)\.(\w+)", lambda m: cpp_value(known[m[1]]) if m[1] in known else m[0], text)
            return re.sub(r"whole\((\d+)(?:\.0)?\)", r"\1", text)

        cpp = [line for w in classes.constructors(n, f"optim::{n}") for line in folded(with_defaults(w))]
        if classes.has(f"{n}Options"):
            for w in classes.constructors(f"{n}Options") or [f"{n}Options()"]:
                options = [(kind, name, with_defaults(default)) for kind, name, default in classes.options(f"{n}Options")]
                cpp += chained(with_defaults(w), options, re.findall(r"(\w+)(?: =[^,)]*)?[,)]", w))
        page.append(f"## {n} {{ #{n} }}\n\n{escaped(sentence_of(holder))}\n\n{faces(cpp, python_call(n, holder, defaults))}\n")
    (target / "schedulers.md").write_text("".join(page))


def write(build, target):
    """All pages, into `target`; returns the parts of the navigation."""
    (target / "ops").mkdir(parents=True)
    ops = write_ops(build, target / "ops")
    write_layers(target)
    write_optimisers(target)
    write_schedulers(target)
    return ops
