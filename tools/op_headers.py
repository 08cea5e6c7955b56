#!/usr/bin/env python3
"""Writes the public headers of the ops from the registry: the functions (include/taut/ops/TABLE.h), the methods of Tensor
(include/taut/ops/methods.inc), the second names (include/taut/aliases.h) and those of taut::linalg
and taut::fft (include/taut/linalg.h, include/taut/fft.h).

    build/release/tests/dump_ops | python3 tools/op_headers.py             # writes them; `make generate` does this
    build/release/tests/dump_ops | python3 tools/op_headers.py --check     # says which are out of date
"""

import pathlib
import re
import sys

INCLUDE = pathlib.Path(__file__).resolve().parent.parent / "include" / "taut"
WIDTH = 120
LONG = 12  # lines of arguments
TYPES = {"Tensor": "const Tensor&", "Tensor?": "OptionalTensor", "Tensor[]": "TensorList", "Scalar": "const Scalar&",
         "Scalar?": "const std::optional<Scalar>&", "int": "int64_t", "int?": "std::optional<int64_t>",
         "int[]": "IntArrayRef", "int[]?": "OptionalIntArrayRef", "float": "double", "float?": "std::optional<double>",
         "float[]?": "std::optional<ArrayRef<double>>",
         "bool": "bool", "bool?": "std::optional<bool>", "str": "std::string_view",
         "str?": "std::optional<std::string_view>", "ScalarType": "ScalarType", "ScalarType?": "std::optional<ScalarType>",
         "Generator?": "std::optional<Generator>"}
RESULTS = {"Tensor": "Tensor", "Tensor[]": "std::vector<Tensor>", "ScalarType": "ScalarType"}
VALUES = {"None": "std::nullopt", "True": "true", "False": "false", "[]": "IntArrayRef{}"}
# What is declared by hand: tables (taut/factories.h takes TensorOptions), members of Tensor, and what C++ spells otherwise.
BY_HAND = {"factory", "random", "window", "frequency", "index", "index_put", "detach", "mT", "numpy_T", "embedding_bag", "_unique2", "indices", "values",
           "var(self, unbiased)", "std(self, unbiased)", "var_mean(self, unbiased)", "std_mean(self, unbiased)"}
FACTORIES = {"factory", "random", "window", "frequency"}
# Tables that share the header of another.
HEADERS = {"class_loss": "loss", "ctc": "loss", "einsum": "linalg", "factor": "linalg", "orthogonal": "linalg", "spectral": "linalg", "ldl": "linalg", "matrices": "linalg", "multi_head": "attention", "resize": "resample",
           "pool_rules": "pool", "lookup": "embedding", "packing": "rnn", "recurrent": "rnn", "gumbel": "dropout", "likelihood": "distribution", "gamma_draw": "distribution",
           "weight_norm": "norm", "index_along": "indexing", "gather": "indexing", "masked": "indexing", "stft": "fft"}


def pieces(text):
    """`text` cut at its commas, but for those within brackets."""
    found, depth, begin = [], 0, 0
    for at, c in enumerate(text):
        depth += (c in "[(") - (c in ")]")
        if c == "," and depth == 0:
            found.append(text[begin:at])
            begin = at + 1
    return [piece.strip() for piece in [*found, text[begin:]] if piece.strip()]


def value_of(kind, name, text):
    if name == "reduction" and kind == "int":
        return f"Reduction::{('None', 'Mean', 'Sum')[int(text)]}"
    if kind.startswith("str") and text != "None":
        return '"' + text.strip("'\"") + '"'
    if text.startswith("[") and text != "[]":
        return "{" + ", ".join(pieces(text[1:-1])) + "}"
    return VALUES.get(text, re.sub(r"e-0", "e-", re.sub(r"\.0$", "", text)))


class Argument:
    def __init__(self, text):
        self.kind, rest = text.split(" ", 1)
        self.name, _, default = rest.partition("=")
        kind = re.sub(r"\[\d+\]", "[]", self.kind)
        self.type = TYPES.get(kind)
        if self.type is None and kind != "Index[]":
            sys.exit(f"op_headers: '{text}' has a type that C++ is not told of; see TYPES in tools/op_headers.py")
        self.default = value_of(self.kind, self.name, default) if default else None
        if self.name == "cudnn_enabled":  # there is none: nobody should have to say so
            self.default = "true"

    def __str__(self):
        return f"{self.type} {self.name}" + (f" = {self.default}" if self.default else "")


class Op:
    def __init__(self, line):
        self.table, schema, method, in_place, takes_out, aliases, self.doc = line.rstrip("\n").split("\t")
        self.method, self.in_place, self.aliases = method == "1", in_place == "1", aliases.split()
        self.takes_out, self.key = takes_out == "1", schema[:schema.index("(")]
        self.name, self.overload = re.match(r"(\w+)\.?(\w*)", schema).groups()
        inside, returns = schema[schema.index("(") + 1:].rsplit(") -> ", 1)
        self.arguments = [Argument(a) for a in pieces(inside) if a != "*"]
        kinds = [r.split()[0] for r in pieces(returns.strip("()"))]
        self.results = len(kinds)
        self.result = RESULTS[kinds[0]] if len(kinds) == 1 else f"std::tuple<{', '.join(RESULTS[k] for k in kinds)}>"
        self.by_hand = bool(BY_HAND & {self.table, self.name, f"{self.name}({', '.join(a.name for a in self.arguments)})"})
        if self.name.endswith("_"):
            self.result, self.arguments[0].type = "Tensor&", "Tensor&"
        if self.overload == "padding":
            for a in self.arguments:
                a.type = "PaddingName" if a.kind == "str" else a.type

    def accepts(self, kinds):
        """May the function be called with arguments of these kinds, and no more?"""
        if len(kinds) > len(self.arguments) or any(a.default is None for a in self.arguments[len(kinds):]):
            return False
        own = [a.kind for a in self.arguments[:len(kinds)]]
        return own[:-1] == kinds[:-1] and own[-1:] in (kinds[-1:], ["int"] if kinds[-1:] == ["bool"] else None)


def drop_ambiguous_defaults(ops):
    """A call that leaves out arguments goes to the first overload that fits; later ones lose the default in the way."""
    by_name = {}
    for op in ops:
        earlier = by_name.setdefault(op.name, [])
        for count, argument in enumerate(op.arguments):
            if argument.default is None:
                continue
            kinds = [a.kind for a in op.arguments[:count]]
            if any(other.accepts(kinds) for other in earlier):
                argument.default = None
        earlier.append(op)


def wrapped(head, arguments, tail):
    """head(arguments)tail, in lines of at most WIDTH characters that align with the parenthesis; begins a line of their own
    where that would be too long a list."""
    aligned = filled([head + "("], " " * (len(head) + 1), arguments, tail)
    return aligned if aligned.count("\n") < LONG else filled([head + "(", "    "], "    ", arguments, tail)


def filled(lines, indent, arguments, tail):
    """The last of the lines, and as many more as it takes, filled with arguments."""
    for k, a in enumerate(arguments):
        end = tail_of(tail) if k == len(arguments) - 1 else ","
        room = len(lines[-1]) + len(a) + len(end) + (not lines[-1].endswith(("(", " ")))
        if lines[-1].strip() and not lines[-1].endswith("(") and room > WIDTH:
            lines.append(indent)
        lines[-1] += (" " if lines[-1].endswith(",") else "") + a + ("," if k < len(arguments) - 1 else "")
    lines[-1] += tail
    return "\n".join(lines)


def tail_of(tail):
    return tail.split("\n", 1)[0]


def functions_of(op):
    """The declarations of an op and its in-place twin."""
    found = [wrapped(f"{op.result} {op.name}", [str(a) for a in op.arguments], ");")]
    if op.in_place:
        found.append(wrapped(f"Tensor& {op.name}_", [f"Tensor& {op.arguments[0].name}", *map(str, op.arguments[1:])], ");"))
    return found


def forwarding(head, arguments, tail, call):
    """An inline function that only calls another one: in one line where that fits."""
    one = f"{head}({', '.join(arguments)}){tail} {{ {call} }}"
    indent = re.match(" *", head).group()
    return one if len(one) <= WIDTH else wrapped(head, arguments, f"){tail} {{\n{indent}  {call}\n{indent}}}")


def methods_of(op):
    names = [a.name for a in op.arguments[1:]]
    rest = [str(a) for a in op.arguments[1:]]
    found = [forwarding(f"  {op.result} {op.name}", rest, " const", f"return taut::{op.name}({', '.join(['*this', *names])});")]
    if op.in_place:
        call = f"return taut::{op.name}_({', '.join(['self()', *names])});"
        found.append(forwarding(f"  Tensor& {op.name}_", rest, " const", call))
    return found


def aliases_of(op, name):
    own = op.arguments[0].name
    rest, names = [str(a) for a in op.arguments[1:]], ", ".join(a.name for a in op.arguments)
    found = [forwarding(f"inline {op.result} {name}", [str(a) for a in op.arguments], "", f"return {op.name}({names});")]
    if op.in_place:
        call = f"return {op.name}_({names});"
        found.append(forwarding(f"inline Tensor& {name}_", [f"Tensor& {own}", *rest], "", call))
    return found


def frequencies():
    """The factories of taut::fft."""
    options = "const TensorOptions& options"
    return "\n".join(line for name in ("fftfreq", "rfftfreq") for line in (
        forwarding(f"inline Tensor {name}", ["int64_t n", "double d = 1", options + " = {}"], "", f"return fft_{name}(n, d, options);"),
        forwarding(f"inline Tensor {name}", ["int64_t n", options], "", f"return fft_{name}(n, options);")))


def out_parts(op):
    """What the `_out` function returns, its destinations, its other arguments, and those that go to the row."""
    outs = ["out"] if op.results == 1 else [f"out{k}" for k in range(op.results)]
    result = "Tensor&" if op.results == 1 else f"std::tuple<{', '.join(['Tensor&'] * op.results)}>"
    given = [a for a in op.arguments if not (op.table in FACTORIES and a.kind == "ScalarType?")]  # the dtype is the destination's
    return result, outs, given, ["Value()" if a not in given else f"box({a.name})" for a in op.arguments]


def out_declarations(op, aliases=()):
    result, outs, given, _ = out_parts(op)
    places = [f"Tensor& {o}" for o in outs]
    call = f"return {op.name}_out({', '.join([*outs, *(a.name for a in given)])});"
    if len(call) + 2 > WIDTH:
        call = wrapped(f"  return {op.name}_out", [*outs, *(a.name for a in given)], ");").strip()
    last = [*(f"{a.type} {a.name}" for a in given), *places]
    return [wrapped(f"{result} {op.name}_out", [*places, *map(str, given)], ");"),
            forwarding(f"inline {result} {op.name}_outf", last, "", call),
            *(line for name in aliases for line in (
                forwarding(f"inline {result} {name}_out", [*places, *map(str, given)], "", call),
                forwarding(f"inline {result} {name}_outf", last, "", call)))]


def out_definition(op):
    result, outs, given, boxed = out_parts(op)
    places = [f"Tensor& {o}" for o in outs]
    arguments = ", ".join([*places, *(f"{a.type} {a.name}" for a in given)])
    returned = "out" if op.results == 1 else "{" + ", ".join(outs) + "}"
    return (f'{result} {op.name}_out({arguments}) {{ put("{op.key}", {{{", ".join(boxed)}}}, {{{", ".join(outs)}}}); '
            f"return {returned}; }}")


def documented(ops, sentences, write):
    """The lines of `write` for all ops, with each sentence above the first overload."""
    lines, told = [], set()
    for op in ops:
        if op.name not in told:
            lines.append(f"/// {sentences[op.name]}")
        told.add(op.name)
        lines += write(op)
    return "\n".join(lines)


def main():
    ops = [Op(line) for line in sys.stdin]
    # The overload without a name of its own comes first: what a call means in doubt. (Python tries rows in their order.)
    first = {op.name: place for place, op in reversed(list(enumerate(ops)))}
    sentences = {op.name: op.doc for op in ops if op.doc}
    ops.sort(key=lambda op: (first[op.name], op.overload != ""))
    declared = [op for op in ops if not op.by_hand]
    drop_ambiguous_defaults(declared)
    files = {}
    note = "Written by tools/op_headers.py from the rows of src/ops; do not edit."
    for header in dict.fromkeys(HEADERS.get(op.table, op.table) for op in declared):
        rows = [op for op in declared if HEADERS.get(op.table, op.table) == header]
        files[f"ops/{header}.h"] = (f'// {note}\n#pragma once\n#include "taut/ops/types.h"\n\nnamespace taut {{\n\n'
                                    + documented(rows, sentences, functions_of) + "\n\n}  // namespace taut\n")
    methods = [op for op in declared if op.method]
    second = {name: [m for m in methods if m.name == op.name] for op in ops for name in op.aliases}
    lines = [line for op in methods for line in methods_of(op)]
    for name, rows in second.items():
        for op in rows:
            lines += [line.replace(f" {op.name}(", f" {name}(", 1).replace(f" {op.name}_(", f" {name}_(", 1) for line in methods_of(op)]
    files["ops/methods.inc"] = f"// {note} The methods of Tensor.\n// clang-format off\n" + "\n".join(lines) + "\n"
    aliases = [line for op in declared for first in ops if first.name == op.name for name in first.aliases
               for line in aliases_of(op, name)]
    files["aliases.h"] = (f"// {note} Second names.\n#pragma once\n#include \"taut/tensor.h\"\n\nnamespace taut {{\n\n"
                          + "\n".join(aliases) + "\n\n}  // namespace taut\n")
    for space, include, more in (("linalg", '#include "taut/core/linalg_error.h"\n#include "taut/tensor.h"', ""),
                                 ("fft", '#include "taut/factories.h"\n#include "taut/ops/fft.h"', "\n" + frequencies())):
        names = "\n".join(aliases_of(op, op.name[len(space) + 1:])[0] for op in declared if op.name.startswith(space + "_"))
        example = {"linalg": "inv", "fft": "rfft"}[space]
        files[f"{space}.h"] = (f"// {note} taut::{space}: {space}_{example} is {space}::{example}.\n#pragma once\n{include}\n\n"
                               f"namespace taut::{space} {{\n\n{names}{more}\n\n}}  // namespace taut::{space}\n")
    second_names = {op.name: sum((o.aliases for o in ops if o.name == op.name), []) for op in ops}
    outs = [op for op in ops if op.takes_out and (not op.by_hand or op.table in FACTORIES)]
    files["ops/out.h"] = (f"// {note}\n// `add_out(out, a, b)`: the result goes where it is told, as by `add(a, b, out=out)` in Python.\n"
                          "// add_outf has the destination last, and no defaults.\n#pragma once\n"
                          '#include "taut/ops/types.h"\n\nnamespace taut {\n\n'
                          + "\n".join(line for op in outs
                                      for line in out_declarations(op, second_names[op.name])) + "\n\n}  // namespace taut\n")
    files["../../src/ops/out_functions.inc"] = (f"// {note} The functions of taut/ops/out.h.\n// clang-format off\n"
                                                + "\n".join(out_definition(op) for op in outs) + "\n")
    old = [name for name, text in files.items() if not (INCLUDE / name).exists() or (INCLUDE / name).read_text() != text]
    if "--check" in sys.argv:
        if old:
            sys.exit(f"out of date: {', '.join(old)}. Run `make generate`.")
        return
    for name in old:
        (INCLUDE / name).write_text(files[name])


if __name__ == "__main__":
    main()
