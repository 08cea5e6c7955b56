#!/usr/bin/env python3
"""Writes the layers declared in src/nn/layers/*.txt (docs/adding-a-layer.md): their options, modules and functions in C++,
their classes and functions in Python. What it writes stands between a line "Written by tools/layers.py ..." and the end of
that part; what is around it is written by hand.

    python3 tools/layers.py             # writes them; `make generate` does this
    python3 tools/layers.py --check     # says which files are out of date
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TABLES = ROOT / "src" / "nn" / "layers"
WIDTH = 120

KEYS = ("for N", "base", "c++", "constructor", "options", "call", "function options", "op", "is op", "repr", "constants",
        "older", "check", "c++ check", "input check", "function check", "indices", "parameter", "begin", "python init",
        "python forward", "c++ forward")
LISTS = ("check", "c++ check", "input check", "function check", "parameter", "begin")  # keys that may come again
# Words that depend on the number of dimensions.
WORDS = {1: {"things": "sequences", "shape": "[N, C, L] or [C, L]", "dims": "the last dimension"},
         2: {"things": "images", "shape": "[N, C, H, W] or [C, H, W]", "dims": "the last two dimensions"},
         3: {"things": "volumes", "shape": "[N, C, D, H, W] or [C, D, H, W]", "dims": "the last three dimensions"}}
TYPES = {"float": "double", "Scalar": "double", "int": "int64_t", "bool": "bool", "str": "std::string", "word": "Keyword",
         "Tensor?": "Tensor", "int[]": "std::vector<int64_t>", "int?": "std::optional<int64_t>",
         "float?": "std::optional<double>", "bool?": "std::optional<bool>",
         "int[]?": "std::optional<std::vector<int64_t>>", "float[]?": "std::optional<std::vector<double>>"}
# int[2] is kept as it was given, one number or several; tuple[2] always as several.
SIZED = {"int": "ExpandingArray<{}>", "tuple": "ExpandingArray<{}>", "int?": "ExpandingArrayWithOptionalElem<{}>"}
ERRORS = {"AssertionError": "ValueError", "RuntimeError": "Error"}  # the others are called the same in C++
NTUPLES = {"1": "_single", "2": "_pair", "3": "_triple", "4": "_quadruple"}


def fail(where, why):
    sys.exit(f"layers: {where}: {why}")


def pieces(text):
    """`text` cut at its commas, but for those within brackets and quotes."""
    found, depth, quoted, part = [], 0, False, ""
    for c in text:
        quoted ^= c == '"'
        depth += 0 if quoted else (c in "[({") - (c in ")]}")
        if c == "," and depth == 0 and not quoted:
            found.append(part.strip())
            part = ""
        else:
            part += c
    return [p for p in [*found, part.strip()] if p]


def flow(head, items, tail, indent=""):
    """head + items + tail in as few lines as they take, those after the first beginning below the first item."""
    lines, line = [], indent + head
    margin = " " * len(line)
    for i, item in enumerate(items):
        text = item + (", " if i + 1 < len(items) else tail)
        if len((line + text).rstrip()) > WIDTH and line.strip() and line != margin:
            lines.append(line.rstrip())
            line = margin
        line += text
    return "\n".join([*lines, (line if items else line + tail).rstrip()])


class Option:
    """`float alpha=1.0`; without a type it is Python's alone."""

    def __init__(self, text, where):
        left, equals, default = text.partition("=")
        *kind, self.name = left.split()
        self.kind, self.default = kind[0] if kind else None, default.strip() if equals else None
        self.sized = re.fullmatch(r"(\w+\??)\[(\w+)\]", self.kind or "")
        if self.kind and not (self.sized[1] in SIZED if self.sized else self.kind in TYPES):
            fail(where, f"'{text}' has a type that is not known; see TYPES in tools/layers.py")

    @property
    def type(self):
        if not self.sized:
            return TYPES[self.kind]
        return SIZED[self.sized[1]].format(re.sub(r"^2D$", "D * 2", self.sized[2].replace("N", "D")))

    def value(self, others):
        """The default in C++; nothing where the type's own will do."""
        if self.default is None or self.default in others:
            return self.default
        if self.kind == "Tensor?":
            return None
        if self.kind == "word":
            return keywords()[self.default.strip('"')]
        return {"None": "std::nullopt", "True": "true", "False": "false"}.get(self.default, self.default)


def keywords(found={}):  # noqa: B006
    """{"mean": "kMean", ...}"""
    if not found:
        text = (ROOT / "include" / "taut" / "nn" / "enums.h").read_text()
        found.update({word: name for name, word in re.findall(r'(k\w+)\{"([^"]+)"\}', text)})
    return found


def options_of(text, where):
    """The options of a signature, and where those begin that Python takes by keyword only."""
    found, keyword_only = [], None
    for piece in pieces(text):
        if piece == "*":
            keyword_only = len(found)
        else:
            found.append(Option(piece, where))
    return found, keyword_only


class Layer:
    def __init__(self, header, lines, where, layers, python_file):
        self.name, self.parent, signature = re.fullmatch(r"([\w{}]+)(?: : (\w+))?(?:\((.*)\))?", header).groups()
        self.where, self.python_file = where, python_file
        parent = next((layer for layer in layers if layer.name == self.parent), None)
        if self.parent and not parent:
            fail(where, f"{self.name} is like {self.parent}, which does not stand above it")
        self.parent_layer = parent
        self.keys = dict(parent.keys) if parent else {}
        self.own = {}
        self.about = dict(parent.about) if parent else {}
        doc, key = [], None
        for line in lines:
            text, deep = line.strip(), line.startswith("    ")
            found = re.match(r"(?:about (\w+)|([\w+ ]+?)):(?: |$)", text)
            if deep and key:
                if key in LISTS:
                    self.own[key][-1] += " " + text
                else:
                    self.own[key] += "\n" + line[4:] if key == "python init" else " " + text
            elif found and found[1]:
                self.about[found[1]], key = text[found.end():], None
            elif found and found[2] in KEYS:
                key = found[2]
                if key in LISTS:
                    self.own.setdefault(key, []).append(text[found.end():])
                else:
                    self.own[key] = text[found.end():]
            elif self.own or len(self.about) > len(parent.about if parent else ()):
                fail(where, f"{self.name}: '{text}' begins with no key that is known")
            else:
                doc.append(text)
        self.doc = " ".join(doc)
        if not self.doc:
            fail(where, f"{self.name} has no sentence that says what it does")
        if "call" in self.own:  # another function: what is said of the parent's does not hold
            for key in ("op", "is op", "function check", "python forward", "c++ forward"):
                self.keys.pop(key, None)
        self.keys.update(self.own)
        if signature is None and parent:
            self.options, self.keyword_only = parent.options, parent.keyword_only
        else:
            self.options, self.keyword_only = options_of(signature or "", where)
        self.typed = [o for o in self.options if o.kind]
        self.cpp = options_of(self.keys["c++"].strip("()"), where)[0] if self.keys.get("c++", "").startswith("(") else self.typed
        if len(self.cpp) != len(self.typed):
            fail(where, f"{self.name}: C++ has another number of options")
        self.parameters = [re.fullmatch(r"(\w+)\[(.*?)\](?: if (.*))?", text).groups() for text in
                           self.keys.get("parameter", [])]  # name, shape, condition
        self.dims = [int(n) for n in self.keys.get("for N", "").split()]
        self.abstract = self.name.startswith("_")
        found = re.fullmatch(r"([\w{}]+)\((.*)\)", self.keys.get("call", ""))
        if not self.abstract and not found:
            fail(where, f"{self.name} has no call")
        self.function, arguments = found.groups() if found else (None, "")
        names = {o.name for o in self.options} | {name for name, _, _ in self.parameters} | {"training"}
        self.arguments = pieces(arguments)
        keywords = {a.partition("=")[0] for a in self.arguments if "=" in a}
        self.inputs = [a for a in self.arguments if a.isidentifier() and (a not in names or a in keywords)]
        for token in pieces(self.keys.get("repr", "")):
            if token.strip("{}?") not in names:
                fail(where, f"{self.name}: repr has '{token}', which is no option")
        self.has_cpp = not self.abstract and self.keys.get("c++") != "by hand"

    # C++

    @property
    def stem(self):
        return self.name.replace("{N}d", "")

    def concrete(self, n):
        """The name for n dimensions."""
        return fill(self.name, n)

    @property
    def numbers(self):
        return self.dims or [None]

    @property
    def constructor(self):
        """The options that the constructor takes."""
        needed = [o for o in self.cpp if o.default is None]
        if needed:
            return needed
        if "constructor" in self.keys:
            return [o for o in self.cpp if o.name in self.keys["constructor"].replace(",", " ").split()]
        return self.cpp if len(self.cpp) == 1 else []

    @property
    def buffers(self):
        return [o for o in self.cpp if o.kind == "Tensor?"]

    @property
    def tensors(self):
        """Its own tensors."""
        return [o.name for o in self.buffers] + [name for name, _, _ in self.parameters]

    @property
    def checks(self):
        return self.keys.get("c++ check", []) + self.keys.get("check", [])

    @property
    def in_place(self):
        return any(o.name == "inplace" for o in self.cpp)

    @property
    def function_options(self):
        """(name, what it is another name of, its own options)"""
        text = self.keys.get("function options", f"{self.name}FuncOptions = {self.name}Options")
        name, equals, target = text.partition(" = ")
        if equals:
            return name, target, None
        name, signature = re.fullmatch(r"([\w{}]+)\((.*)\)", text).groups()
        return name, None, options_of(signature, self.where)[0]

    @property
    def op(self):
        """The op that its function is."""
        return self.keys.get("is op") or self.keys.get("op")

    def input_type(self):
        return "Tensor" if self.in_place else "const Tensor&"

    def input_list(self):
        return [f"{self.input_type()} {name}" for name in self.inputs]


def fill(text, n):
    if n is None:
        return text
    for word, value in WORDS[n].items():
        text = text.replace(f"{{{word}}}", value)
    text = re.sub(r"\{N([+*])(\d)\}", lambda m: str(n + int(m[2]) if m[1] == "+" else n * int(m[2])), text)
    return text.replace("{N}", str(n))


def definition(head, values, body):
    """Of a constructor."""
    line = f"  {head} : {values} {body}"
    return [line] if len(line) <= WIDTH else [f"  {head}", f"      : {values} {body}"]


def struct(name, options, constructor, about, template=False):
    names = {o.name for o in options}
    out = ["template <size_t D>"] if template else []
    out.append(f"struct {name} {{")
    late = [o for o in options if o.default in names]  # begin with the value of another
    if constructor or late:
        arguments = [f"{o.type} {o.name}" + (f" = {o.value(names)}" if o.default is not None else "") for o in constructor]
        values = [f"{o.name}_({o.name})" if o.type in ("double", "int64_t", "bool", "Keyword") or o.sized else
                  f"{o.name}_(std::move({o.name}))" for o in constructor] + [f"{o.name}_({o.default})" for o in late]
        out += definition(f"{name}({', '.join(arguments)})", ", ".join(values), "{}")
    for o in options:
        if o.name in about:
            out.append(f"  /// {about[o.name]}")
        value = None if o in constructor or o in late else o.value(names)
        out.append(f"  TAUT_ARG({o.type}, {o.name})" + (f" = {value};" if value is not None else ";"))
    return out + ["};"]


def options_header(layers):
    out, functional = [], []
    for layer in (layer for layer in layers if layer.has_cpp):
        how = layer.keys.get("options", "")
        if how == "by hand":
            pass
        elif how:
            out += [fill(f"using {how};", n) for n in layer.numbers]
        elif layer.cpp:
            out += struct(f"{layer.stem}Options", layer.cpp, layer.constructor, layer.about, bool(layer.dims))
            out += [f"using {layer.concrete(n)}Options = {layer.stem}Options<{n}>;" for n in layer.dims]
        if not layer.cpp or layer.keys.get("c++ forward") and "function options" not in layer.keys:
            continue
        name, target, options = layer.function_options
        if target:
            functional += [fill(f"using {name} = {target};", n) for n in layer.numbers]
        else:
            needed = [o for o in options if o.default is None]
            functional += struct(name.replace("{N}d", ""), options, needed, layer.about, bool(layer.dims))
            functional += [f"using {fill(name, n)} = {name.replace('{N}d', '')}<{n}>;" for n in layer.dims]
    return [*out, "", "namespace functional {", *functional, "}  // namespace functional"] if functional else out


def modules_header(layers):
    out = []
    for layer in (layer for layer in layers if layer.has_cpp):
        for n in layer.numbers:
            name, options = layer.concrete(n), f"{layer.concrete(n)}Options"
            out += ["", f"/// {fill(layer.doc, n)}"]
            base = f"detail::LayerImpl<{name}Impl, {options}>" if layer.cpp else f"Cloneable<{name}Impl>"
            line = f"class {name}Impl : public {base} {{"
            out += [line] if len(line) <= WIDTH else [f"class {name}Impl", f"    : public {base} {{"]
            out.append(" public:")
            given = [(re.sub(r"\bD\b", str(n), o.type), o.name) for o in layer.constructor]
            resets = bool(layer.tensors or layer.checks)
            if layer.cpp and (resets or len(given) > 1 or any("<" in t for t, _ in given)):
                list_, names = ", ".join(" ".join(g) for g in given), ", ".join(g[1] for g in given)
                if given:
                    out += definition(f"{name}Impl({list_})", f"{name}Impl({options}({names}))", "{}")
                default = " = {}" if all(o.default is not None for o in layer.cpp) else ""
                reset = f" {name}Impl::reset(); " if resets else ""
                out += definition(f"explicit {name}Impl({options} options_{default})", "LayerImpl(std::move(options_))",
                                  f"{{{reset}}}")
            elif layer.cpp:
                out.append("  using LayerImpl::LayerImpl;")
            if resets or not layer.cpp:
                out.append("  void reset() override;" if resets else "  void reset() override {}")
            if layer.parameters:
                out.append("  void reset_parameters();")
            if "repr" in layer.keys:
                out.append("  void pretty_print(std::ostream& stream) const override;")
            out.append(flow("Tensor forward(", layer.input_list(), ");", "  "))
            if "indices" in layer.keys:
                out.append("  /// Also where the values were.")
                out.append(flow("std::tuple<Tensor, Tensor> forward_with_indices(", layer.input_list(), ");", "  "))
            if layer.tensors:
                out.append(f"  Tensor {', '.join(layer.tensors)};")
            out += ["};", f"TAUT_MODULE({name});"]
    return out[1:]


def translated(expression, layer, without=()):
    """A condition or a value of Python in C++, where options stand in `options`."""
    how = "options.{}()"
    names = {p.name: c for p, c in zip(layer.typed, layer.cpp) if p.name not in without}

    def given(match):
        option = names.get(match[1])
        if option is None:
            fail(layer.where, f"{layer.name}: '{match[1]}' is no option")
        has = how.format(option.name) + (".defined()" if option.kind == "Tensor?" else ".has_value()")
        return has if match[2] else f"!{has}"

    text = re.sub(r"\b(\w+) is (not )?None", given, expression)
    text = re.sub(r"\bnot ", "!", re.sub(r"\band\b", "&&", re.sub(r"\bor\b", "||", text)))
    return re.sub(r"(?<![\w.])([a-z_]\w*)\b(?!\()", lambda m: how.format(names[m[1]].name) if m[1] in names and
                  not text[m.end():].startswith(".has_value") else m[1], text)


def cpp_check(check, layer, n):
    condition, _, rest = fill(check, n).partition(" -> ")
    error, _, message = rest.partition(": ")
    parts = []
    for literal, value in re.findall(r"([^{}]+)|\{([^{}]*)\}", message.replace("{name}", layer.concrete(n))):
        if value:
            translation = translated(value, layer)
            parts.append(translation if translation.endswith("dim()") else f"shown({translation})")
        else:
            parts += [f'"{line}"' for line in re.findall(r".{1,80}(?: |$)|.+", literal.replace('"', '\\"'))]
    test, error = translated(condition, layer), ERRORS.get(error, error)
    thrown = flow(f"throw {error}(str(", parts, "));", "    ") if len(parts) > 1 else f"    throw {error}({parts[0]});"
    line = f"  if ({test}) {thrown.strip()}"
    return line if len(line) <= WIDTH and "\n" not in thrown else f"  if ({test})\n{thrown}"


def pretty_print(layer, n):
    name, text, out = layer.concrete(n), f"{layer.concrete(n)}(", []
    options = {p.name: (p, c) for p, c in zip(layer.typed, layer.cpp)}
    closed = False
    for i, token in enumerate(pieces(layer.keys["repr"])):
        text += ", " if i and not token.endswith("?") else ""
        bare, maybe = token.startswith("{"), token.endswith("?")
        if token in layer.tensors:
            out.append(f'"{text}{token}=" << shown({token}.defined())')
            text = ""
            continue
        option, cpp = options[token.strip("{}?")]
        value = f"options.{cpp.name}()"
        if maybe:
            shown = (", " if i else "") + f"{option.name}=True)"
            out += [f'"{text}"'] if text else []
            out.append(f'({value} ? "{shown}" : ")")')
            closed = True
            continue
        shown = f"{'shortly' if option.sized and option.sized[1] != 'tuple' else 'shown'}({value})"
        if option.default == "None" and cpp.default in options:  # the same as another when it was not given
            shown = f'({value} == options.{cpp.default}() ? "None" : {shown})'
        out.append(f'"{text}{"" if bare else option.name + "="}" << {value if cpp.kind == "Scalar" else shown}')
        text = ""
    if not closed:
        out.append(f'"{text})"' if text else "')'")
    lines, line = [], "  stream"
    for part in out:
        if len(line) + len(part) + 5 > WIDTH:
            lines.append(line)
            line = "        "
        line += f" << {part}"
    return [f"void {name}Impl::pretty_print(std::ostream& stream) const {{", *lines, line + ";", "}"]


def cpp_forward(layer, n):
    """What forward returns."""
    if "c++ forward" in layer.keys:
        return fill(layer.keys["c++ forward"], n)
    inputs = [f"std::move({name})" if layer.in_place else name for name in layer.inputs]
    if not layer.cpp:
        return f"F::{fill(layer.function, n)}({', '.join(inputs)})"
    name, target, own = layer.function_options
    if target and target.endswith("Options") and not target.endswith("FuncOptions"):
        options = "options"
        if layer.buffers:
            options = f"{layer.concrete(n)}Options(options)" + "".join(f".{o.name}({o.name})" for o in layer.buffers)
    else:
        names = {p.name: c.name for p, c in zip(layer.typed, layer.cpp)}
        options = f"F::{fill(name, n)}()"
        for argument in layer.arguments[len(layer.inputs):]:
            argument = argument.partition("=")[2] or argument
            options += ".training(is_training())" if argument == "training" else \
                f".{names[argument]}(options.{names[argument]}())"
    return f"F::{fill(layer.function, n)}({', '.join([*inputs, options])})"


def cpp_parameters(layer, name):
    """The end of reset(), and what the parameters begin with."""
    out = []
    for parameter, shape, condition in layer.parameters:
        # A vector's namespace has an `empty` too.
        empty = f"taut::empty({translated(shape[1:], layer)})" if shape[0] == "*" else f"empty({{{translated(shape, layer)}}})"
        made = f'register_parameter("{parameter}", {empty})'
        if not condition:
            line = f"  {parameter} = {made};"
            out.append(line if len(line) <= WIDTH else f"  {parameter} =\n      {made};")
            continue
        head = f"  {parameter} = {translated(condition, layer)}"
        fits = len(head) + len(made) + 3 <= WIDTH
        margin = "\n" + " " * (len(head) + 1 if fits else 10)
        out.append(f'{head}{" " if fits else margin}? {made}{margin}: register_parameter("{parameter}", {{}}, false);')
    if not layer.parameters:
        return ["}"]
    out += ["  reset_parameters();", "}", f"void {name}Impl::reset_parameters() {{"]
    for statement in layer.keys.get("begin", []):
        parameter = re.search(r"\((\w+)", statement)[1]
        guard = f"if ({parameter}.defined()) " if next(c for n, _, c in layer.parameters if n == parameter) else ""
        function, _, values = statement.partition("(")
        values = translated(values, layer, without=layer.tensors).replace("sqrt(", "std::sqrt(")
        out.append(f"  {guard}init::{function}({values};")
    return [*out, "}"]


def chained(value):
    """F::f(input, F::FOptions().a(b).c(d)) in lines."""
    first, _, rest = value.partition("().")
    links = re.findall(r"\w+\([^()]*\(\)\)", rest)
    return f"  return {first}()" + "".join(f"\n{' ' * 6}.{link}" for link in links) + ");"


def modules_source(layers):
    out = []
    for layer in (layer for layer in layers if layer.has_cpp):
        for n in layer.numbers:
            name = layer.concrete(n)
            out.append("")
            if layer.checks or layer.tensors:
                out.append(f"void {name}Impl::reset() {{")
                out += [cpp_check(c, layer, n) for c in layer.checks]
                for o in layer.buffers:
                    out.append(flow(f"if (options.{o.name}().defined()) {o.name} = register_buffer(",
                                    [f'"{o.name}"', f"options.{o.name}().detach().clone()"], ");", "  "))
                out += cpp_parameters(layer, name)
            head = flow(f"Tensor {name}Impl::forward(", layer.input_list(), ") {")
            value = cpp_forward(layer, n)
            checks = [cpp_check(c, layer, n) for c in layer.keys.get("input check", [])]
            line = f"{head} return {value}; }}"
            if not checks and len(line) <= WIDTH and "\n" not in head:
                out.append(line)
            else:
                opening, _, inside = value.partition("(")
                ways = (flow(f"return {opening}(", pieces(inside[:-1]), ");", "  "),
                        f"  return {opening}(\n      {inside};", chained(value))
                out += [head, *checks, next(w for w in ways if max(map(len, w.split("\n"))) <= WIDTH), "}"]
            if "indices" in layer.keys:
                call = f"F::{fill(layer.keys['indices'], n)}({', '.join([*layer.inputs, 'options'])})"
                out += [flow(f"std::tuple<Tensor, Tensor> {name}Impl::forward_with_indices(", layer.input_list(), ") {"),
                        f"  return {call};", "}"]
            if "repr" in layer.keys:
                out += pretty_print(layer, n)
    return out[1:]


def in_functions(layers):
    """The functions that are one op: (layer, their options)."""
    for layer in layers:
        if layer.op and layer.has_cpp:
            _, target, own = layer.function_options
            if target and target.endswith("FuncOptions"):
                own = next(other.function_options[2] for other in layers if other.has_cpp and
                           other.function_options[0] == target)
            yield layer, own or layer.cpp


def function_head(layer, n, own, declared):
    arguments = layer.input_list()
    if layer.cpp:
        default = " = {}" if declared and all(o.default is not None for o in own) else ""
        arguments = [*arguments, f"const {fill(layer.function_options[0], n)}& options{default}"]
    return flow(f"Tensor {fill(layer.function, n)}(", arguments, ");" if declared else ") {")


def functional_header(layers):
    return [line for layer, own in in_functions(layers) for n in layer.numbers
            for line in (f"/// {of_input(fill(layer.doc, n))}", function_head(layer, n, own, True))]


def functional_source(layers):
    out = []
    for layer, own in in_functions(layers):
        for n in layer.numbers:
            op = fill(layer.op, n)
            values = [reduction(o, f'"{fill(layer.function, n)}"') for o in own if o.name != "inplace"]
            arguments = [*layer.inputs, *values]
            out.append(function_head(layer, n, own, False))
            out += [cpp_check(c, layer, n) for c in layer.keys.get("function check", [])]
            plain = f"taut::{op}({', '.join(arguments)})"
            if any(o.name == "inplace" for o in own):
                there = f"taut::{op}_({', '.join(arguments)})"
                line = f"  return options.inplace() ? {there} : {plain};"
                out.append(line if len(line) <= WIDTH else
                           f"  return options.inplace() ? {there}\n                           : {plain};")
            elif len(out[-1]) + len(plain) + 11 <= WIDTH and out[-1].endswith("{") and "\n" not in out[-1]:
                out[-1] += f" return {plain}; }}"
                continue
            else:
                out.append(flow(f"return taut::{op}(", arguments, ");", "  "))
            out.append("}")
    return out


def reduction(option, function):
    return f"reduction_of(options.reduction(), {function})" if option.name == "reduction" else f"options.{option.name}()"


# Python


def of_input(doc):
    """The sentence of a layer, for its function."""
    return re.sub(r"\bx\b", "input", doc)


def python_signature(options, keyword_only, first):
    names = {o.name for o in options}
    out = [o.name if o.default is None else f"{o.name}={'None' if o.default in names else o.default}" for o in options]
    return [*first, *(out if keyword_only is None else [*out[:keyword_only], "*", *out[keyword_only:]])]


def python_check(check, n, indent, names=(), me="self."):
    condition, _, rest = fill(check, n).partition(" -> ")
    error, _, message = rest.partition(": ")
    message = message.replace("{name}", "{type(self).__name__}")
    quote = "'" if '"' in message else '"'
    f = "f" if "{" in message else ""
    head, width = f"{indent}    raise {error}(", WIDTH - 4
    parts, rest = [], message
    while len(head) + len(rest) > width:
        cut = rest.rindex(" ", 0, width - len(head)) + 1
        while rest[:cut].count("{") != rest[:cut].count("}"):
            cut = rest.rindex(" ", 0, cut - 1) + 1
        parts.append(rest[:cut])
        rest = rest[cut:]
    texts = [f"{'f' if '{' in p else ''}{quote}{p}{quote}" for p in [*parts, rest]] if parts else [f"{f}{quote}{message}{quote}"]
    return [f"{indent}if {condition}:", head + ("\n" + " " * len(head)).join(texts) + ")"]


def kept(option, options, n):
    """What is kept of an argument."""
    names = {o.name for o in options}
    value = option.name
    if option.default in names:
        value = f"{option.name} if {option.name} is not None else {option.default}"
    if option.sized and option.sized[1] == "tuple":
        size = option.sized[2].replace("2N", str(n and 2 * n)).replace("N", str(n))
        return f"{NTUPLES.get(size, f'_ntuple({size})')}({value})"
    return value


def extra_repr(layer):
    options = {o.name: o for o in layer.options}
    text, ends = "", []
    for i, token in enumerate(pieces(layer.keys["repr"])):
        option = options[token.strip("{}?")]
        if token in layer.tensors:
            text += f"{', ' if text else ''}{token}={{self.{token} is not None}}"
        elif token.endswith("?"):
            ends.append(f'"{option.name}=True" if self.{option.name} else ""' if not i else
                        f'(", {option.name}=True" if self.{option.name} else "")')
        else:
            how = "!r" if option.kind in ("str", "word") else ""
            text += ", " if text else ""
            text += f"{{self.{option.name}{how}}}" if token.startswith("{") else f"{option.name}={{self.{option.name}{how}}}"
    out = ["    def extra_repr(self):"]
    line = "        return " + " + ".join(([f'f"{text}"'] if text else []) + ends)
    if len(line) <= WIDTH:
        return [*out, line]
    parts, part = [], ""
    for piece in re.findall(r".+?(?:, |$)", text):
        if len(part) + len(piece) > WIDTH - 22:
            parts.append(part)
            part = ""
        part += piece
    return [*out, "        return (" + "\n                ".join(f'f"{p}"' for p in [*parts, part]) +
            "".join(f" + {e}" for e in ends) + ")"]


def python_parameters(layer, init):
    """__init__ with the parameters made, and what they begin with."""
    if not layer.parameters:
        return [init]
    for name, shape, condition in layer.parameters:
        sizes = "self." + shape[1:] if shape.startswith("*") else f"({shape}{'' if ',' in shape else ','})"
        made = f"self.{name} = _new_parameter({sizes}, device, dtype)"
        init += [f"        if {condition}:", f"            {made}", "        else:",
                 f'            self.register_parameter("{name}", None)'] if condition else [f"        {made}"]
    init.append("        self.reset_parameters()")
    begin = ["    def reset_parameters(self):", '        """Gives the parameters the values they begin with."""']
    names = "|".join([*layer.tensors, *(o.name for o in layer.typed)])
    for statement in layer.keys.get("begin", []):
        function, _, values = statement.partition("(")
        name = re.match(r"\w+", values)[0]
        values = re.sub(rf"\b({names})\b", r"self.\1", values).replace("sqrt(", "math.sqrt(").replace("bound(", "_bound(")
        guarded = next(c for n, _, c in layer.parameters if n == name)
        begin += [f"        if self.{name} is not None:"] if guarded else []
        begin.append(f"        {'    ' if guarded else ''}init.{function}({values}")
    return [init, begin]


def python_class(layer, n):
    keys, own = layer.keys, layer.own
    name = layer.concrete(n)
    base, arguments = "Module", None
    if "base" in own or ("base" in keys and not layer.parent):
        base, arguments = re.fullmatch(r"(\w+)(?:\((.*)\))?", fill(own.get("base", keys["base"]), n)).groups()
    elif layer.parent:
        base = layer.parent
    out = [f"class {name}({base}):", f'    """{fill(layer.doc, n)}"""']
    passed = pieces(arguments or "")
    inherits = layer.parent and layer.options is layer.parent_layer.options and "base" not in own
    inherits = inherits or [p for p in passed if "=" not in p] == [o.name for o in layer.options] == passed
    taken = {p.partition("=")[2] or p for p in passed} | {name for name, _, _ in layer.parameters}
    taken |= {"device", "dtype"} if layer.parameters else set()
    body = []
    first = fill(keys.get("python init", ""), n)
    kept_too = [o for o in layer.options if o.kind != "Tensor?" and o.name not in layer.tensors and (o.kind or o.name not in taken and
                                                                     not re.search(rf"\b{o.name}\b", first))]
    constants = keys.get("constants", " ".join(o.name for o in kept_too))
    if constants and not inherits or "constants" in own:
        body.append([flow("__constants__ = [", [f'"{c}"' for c in constants.replace(",", " ").split()], "]", "    ")]
                    if constants != "inherited" else [])
    if layer.options and not inherits:
        init = [flow("def __init__(", python_signature(layer.options, layer.keyword_only, ["self"]), "):", "    ")]
        init.append(f"        super().__init__({', '.join(passed)})")
        init += ["        " + line for line in first.split("\n") if line]
        for check in keys.get("check", []):
            init += python_check(check, n, "        ")
        for o in layer.options:
            if o.name in taken or not o.kind and re.search(rf"\b{o.name}\b", first):
                continue
            if o.kind == "Tensor?":
                init.append(f'        self.register_buffer("{o.name}", {o.name})')
            elif not re.search(rf"^self\.(\w+) = .*\b{o.name}\b", first, re.MULTILINE):
                init.append(f"        self.{o.name} = {kept(o, layer.options, n)}")
        body += python_parameters(layer, init)
    forward = fill(keys.get("python forward", ""), n)
    if not layer.abstract and forward != "inherited":
        if not forward:
            names = {o.name for o in layer.options} | {"training"}

            def given(argument):
                key, equals, value = argument.partition("=")
                return f"{key}=self.{value}" if equals and value in names else \
                    f"self.{key}" if key in names and key not in layer.inputs else argument

            call = flow(f"return F.{fill(layer.function, n)}(", [given(fill(a, n)) for a in layer.arguments], ")", "        ")
        else:
            opening, _, inside = forward.partition("(")
            call = flow(f"return {opening}(", pieces(inside[:-1]), ")", "        ")
        lines = [flow("def forward(", ["self", *layer.inputs], "):", "    ")]
        for check in keys.get("input check", []):
            lines += python_check(check, n, "        ")
        body.append([*lines, call])
    older = keys.get("older") if not inherits else None
    if older:
        lines = ["    def __setstate__(self, state):", "        super().__setstate__(state)"]
        lines += [f'        self.__dict__.setdefault("{a.split("=")[0].strip()}", {a.split("=")[1].strip()})' for a in
                  pieces(older)]
        body.append(lines)
    if "repr" in own or "repr" in keys and not inherits:
        body.append(extra_repr(layer))
    for part in body:
        if part:
            out += ["", *part]
    return out


def python_modules(layers):
    return [line for layer in layers if layer.keys.get("python forward") != "by hand" for n in
            ([None] if layer.abstract else layer.numbers) for line in ["", "", *python_class(layer, n)]]


def python_functions(layers):
    out, aliases, ops = [], [], []
    for layer, own in in_functions(layers):
        for n in layer.numbers:
            function, op = fill(layer.function, n), fill(layer.op, n)
            checks = layer.keys.get("function check", [])
            in_place = any(o.name == "inplace" for o in own)
            if "is op" in layer.keys:
                aliases.append(f'{function} = _ops["{op}"]')
                continue
            ops.append(f'_{op}, _{op}_ = _ops["{op}"], _ops["{op}_"]' if in_place else f'_{op} = _ops["{op}"]')
            options = own if layer.function_options[2] or layer.function_options[1].endswith("FuncOptions") else layer.options
            first = layer.keys.get("python init", "")
            options = [o for o in options if o.kind or not re.search(rf"\b{o.name}\b", first)]
            names = [number(o, options) for o in options if o.kind and o.name != "inplace"]
            arguments = ", ".join([*layer.inputs, *names])
            keyword_only = layer.keyword_only if options is layer.options else None
            out += ["", "", flow(f"def {function}(", python_signature(options, keyword_only, layer.inputs), "):"),
                    f'    """{of_input(fill(layer.doc, n))}"""']
            for check in checks:
                out += python_check(check, n, "    ")
            plain = f"_{op}({arguments})"
            if in_place:
                there = f"_{op}_({arguments})"
                line = f"    return {there} if inplace else {plain}"
                out.append(line if len(line) <= WIDTH else f"    return ({there} if inplace else\n            {plain})")
            else:
                out.append(flow(f"return _{op}(", [*layer.inputs, *names], ")", "    "))
    return [*aliases, *ops, *out]


def number(option, options):
    """What an op is given for an option of a function."""
    if option.default in {o.name for o in options}:
        return f"[] if {option.name} is None else {option.name}"
    if option.name != "reduction":
        return option.name
    return "_number(reduction, size_average, reduce)" if any(o.name == "reduce" for o in options) else \
        "_Reduction.get_enum(reduction)"


def python_names(tables):
    """Which layers are in which file."""
    files = {}
    for layers in tables.values():
        for layer in layers:
            if not layer.abstract:
                files.setdefault(layer.python_file, []).extend(layer.concrete(n) for n in layer.numbers)
    out = ["_WRITTEN = {"]
    for file in sorted(files):
        lines, line = [], f'    "{file}": "'
        margin = " " * (len(line) - 1)
        for name in sorted(files[file]):
            if len(line) + len(name) + 4 > WIDTH:
                lines.append(line + '"')
                line = margin + '"'
            line += name + " "
        out += [*lines, line.rstrip() + '",']
    return [*out, "}"]


# Files


def read(path):
    """The layers of a table."""
    layers, entries, python_file = [], [], path.stem
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith("python file: "):
            entries.append((line.partition(": ")[2], None, None))
        elif line.startswith(" "):
            entries[-1][1].append(line)
        else:
            entries.append((line, [], f"{path.name}:{number}"))
    for header, lines, where in entries:
        if lines is None:
            python_file = header
        else:
            while header.endswith(",") or header.count("(") > header.count(")"):  # a long signature goes on
                header += " " + lines.pop(0).strip()
            layers.append(Layer(header, lines, where, layers, python_file))
    return layers


def with_part(path, text, family, lines):
    """`text` with the part for a family written anew."""
    mark, end = ("#", "# End of what is written.") if path.suffix == ".py" else ("//", "// clang-format on")
    table = f"src/nn/layers/{family}.txt" if family else "src/nn/layers"
    begin = f"{mark} Written by tools/layers.py from {table}; do not edit.\n"
    if begin not in text:
        if lines:
            fail(path.relative_to(ROOT), f'has no place for what follows from {table}; begin it with "{begin.strip()}"')
        return text
    before, _, rest = text.partition(begin)
    _, closed, after = rest.partition(end + "\n")
    if not closed:
        fail(path.relative_to(ROOT), f'no line "{end}" after "{begin.strip()}"')
    return before + begin + "\n".join([*(["// clang-format off"] if mark == "//" else []), *lines, end]) + "\n" + after


def written():
    """{path: text} of what is out of date."""
    tables = {path.stem: read(path) for path in sorted(TABLES.glob("*.txt"))}
    nn, src, python = ROOT / "include" / "taut" / "nn", ROOT / "src" / "nn", ROOT / "python" / "taut" / "nn"
    parts = [(python / "modules" / "__init__.py", "", python_names(tables))]
    for family, layers in tables.items():
        parts += [(nn / "options" / f"{family}.h", family, options_header(layers)),
                  (nn / "modules" / f"{family}.h", family, modules_header(layers)),
                  (src / "modules" / f"{family}.cpp", family, modules_source(layers)),
                  (nn / "functional" / f"{family}.h", family, functional_header(layers)),
                  (src / "functional" / f"{family}.cpp", family, functional_source(layers)),
                  (python / "functional.py", family, python_functions(layers))]
        for file in dict.fromkeys(layer.python_file for layer in layers):
            own = [layer for layer in layers if layer.python_file == file]
            parts.append((python / "modules" / f"{file}.py", family, python_modules(own)[2:]))
    before = {path: path.read_text() if path.exists() else "" for path, _, _ in parts}
    after = dict(before)
    for path, family, lines in parts:
        after[path] = with_part(path, after[path], family, lines)
    return {path: text for path, text in after.items() if text != before[path]}


def main():
    stale = written()
    if "--check" in sys.argv:
        if stale:
            sys.exit("run tools/layers.py: out of date: " + ", ".join(str(p.relative_to(ROOT)) for p in stale))
        return
    for path, text in stale.items():
        path.write_text(text)


if __name__ == "__main__":
    main()
