"""The tables of layers, src/nn/layers/*.txt (docs/adding-a-layer.md), as data; and what writers of code need for it."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TABLES = ROOT / "src" / "nn" / "layers"
WIDTH = 120

LISTS = ("check", "c++ check", "input check", "function check", "python check", "parameter", "begin")  # keys that may come again
KEYS = ("for N", "base", "c++", "constructor", "options", "call", "function options", "op", "is op", "both", "repr",
        "constants", "older", "python init", "python forward", "python function", "c++ forward", "libtorch", *LISTS)
OF_THE_CALL = ("op", "is op", "both", "function check", "python check", "python forward", "python function", "c++ forward")
# Words that depend on the number of dimensions.
WORDS = {1: {"things": "sequences", "shape": "[N, C, L] or [C, L]", "dims": "the last dimension"},
         2: {"things": "images", "shape": "[N, C, H, W] or [C, H, W]", "dims": "the last two dimensions"},
         3: {"things": "volumes", "shape": "[N, C, D, H, W] or [C, D, H, W]", "dims": "the last three dimensions"}}
TYPES = {"float": "double", "Scalar": "double", "int": "int64_t", "bool": "bool", "str": "std::string",
         "word": "Keyword", "Tensor": "Tensor", "Tensor?": "Tensor", "int[]": "std::vector<int64_t>",
         "int?": "std::optional<int64_t>", "float?": "std::optional<double>", "bool?": "std::optional<bool>",
         "int[]?": "std::optional<std::vector<int64_t>>", "float[]?": "std::optional<std::vector<double>>"}
# int[2] is kept as it was given, one number or several; tuple[2] always as several.
SIZED = {"int": "ExpandingArray<{}>", "tuple": "ExpandingArray<{}>", "int?": "ExpandingArrayWithOptionalElem<{}>"}


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


def fits(*lines):
    return all(len(line) <= WIDTH for text in lines for line in text.split("\n"))


def flow(head, items, tail, indent=""):
    """head + items + tail in as few lines as they take, those after the first beginning below the first item."""
    lines, line = [], indent + head
    margin = " " * len(line)
    for i, item in enumerate(items):
        text = item + (", " if i + 1 < len(items) else tail)
        if not fits((line + text).rstrip()) and line != margin:
            lines.append(line.rstrip())
            line = margin
        line += text
    return "\n".join([*lines, (line if items else line + tail).rstrip()])


def fill(text, n):
    """The text for n dimensions."""
    if n is None:
        return text
    for word, value in WORDS[n].items():
        text = text.replace(f"{{{word}}}", value)
    return re.sub(r"\{N(?:\+(\d))?\}", lambda m: str(n + int(m[1] or 0)), text)


class Option:
    """`float alpha=1.0`; without a type it is Python's alone."""

    def __init__(self, text, where):
        left, equals, default = text.partition("=")
        *kind, self.name = left.split()
        self.kind, self.default = kind[0] if kind else None, default.strip() if equals else None
        self.sized = re.fullmatch(r"(\w+\??)\[(\w+)\]", self.kind or "")  # which of SIZED, and its number
        if self.kind and not (self.sized[1] in SIZED if self.sized else self.kind in TYPES):
            fail(where, f"'{text}' has a type that is not known; see TYPES in tools/layer_table.py")

    @property
    def type(self):
        """In C++."""
        if not self.sized:
            return TYPES[self.kind]
        return SIZED[self.sized[1]].format({"N": "D", "2N": "D * 2"}.get(self.sized[2], self.sized[2]))

    @property
    def is_tuple(self):
        return bool(self.sized) and self.sized[1] == "tuple"


def options_of(text, where):
    """The options of a signature, and where those begin that Python takes by keyword only."""
    parts = pieces(text)
    return [Option(p, where) for p in parts if p != "*"], parts.index("*") if "*" in parts else None


class Check:
    """`p < 0 or p > 1 -> ValueError: p must be in [0, 1], but got {p}`, or `-> warning: ...`"""

    def __init__(self, text, n):
        self.condition, _, rest = fill(text, n).partition(" -> ")
        self.error, _, self.message = rest.partition(": ")


class Layer:
    """An entry: a layer, or a function alone, whose name is in lower case and whose Tensors are its inputs."""

    def __init__(self, header, lines, where, above, python_file):
        self.where, self.python_file = where, python_file
        self.name, parent, signature = re.fullmatch(r"([\w{}]+)(?: : (\w+))?(?:\((.*)\))?", header).groups()
        self.parent = next((layer for layer in above if layer.name == parent), None)
        if parent and not self.parent:
            fail(where, f"{self.name} is like {parent}, which does not stand above it")
        self.doc, self.own, about = self.parse(lines)
        self.about = {**(self.parent.about if self.parent else {}), **about}
        inherited = self.parent.keys.items() if self.parent else ()
        self.keys = {k: v for k, v in inherited if "call" not in self.own or k not in OF_THE_CALL}
        self.keys.update(self.own)
        self.same_options = signature is None and self.parent is not None  # as its parent
        self.options, self.keyword_only = (self.parent.options, self.parent.keyword_only) if self.same_options else \
            options_of(signature or "", where)
        self.is_function = self.name[0].islower()
        self.inputs = [o.name for o in self.options if o.kind == "Tensor"]
        self.options = [o for o in self.options if o.kind != "Tensor"]
        self.typed = [o for o in self.options if o.kind]
        self.cpp = options_of(self.keys["c++"].strip("()"), where)[0] if "c++" in self.keys else self.typed
        if len(self.cpp) != len(self.typed):
            fail(where, f"{self.name}: C++ has another number of options")
        # (name, shape, condition)
        self.parameters = [re.fullmatch(r"(\w+)\[(.*?)\](?: if (.*))?", p).groups() for p in self.list("parameter")]
        self.abstract = self.name.startswith("_")  # a base class of Python
        self.is_layer = not self.abstract and not self.is_function
        self.dims = [int(n) for n in self.keys.get("for N", "").split()]
        self.numbers = self.dims or [None]
        if self.is_function:
            self.function, self.arguments = self.name, []
        else:
            self.parse_call()

    def parse(self, lines):
        """The sentence, the keys and what is said about options."""
        doc, keys, about, key = [], {}, {}, None
        for line in lines:
            text = line.strip()
            found = re.match(r"(about )?([\w+ ]+?):(?: |$)", text)
            value = text[found.end():] if found else ""
            if line.startswith("    ") and key:  # goes on
                if key in LISTS:
                    keys[key][-1] += " " + text
                else:
                    keys[key] += "\n" + line[4:] if key == "python init" else " " + text
            elif found and found[1]:
                about[found[2]], key = value, None
            elif found and found[2] in KEYS:
                key = found[2]
                keys[key] = keys.get(key, []) + [value] if key in LISTS else value
            elif keys or about:
                fail(self.where, f"{self.name}: '{text}' begins with no key that is known")
            else:
                doc.append(text)
        if not doc:
            fail(self.where, f"{self.name} has no sentence that says what it does")
        return " ".join(doc), keys, about

    def parse_call(self):
        """The function, its arguments, and those of forward."""
        found = re.fullmatch(r"([\w{}]+)\((.*)\)", self.keys.get("call", ""))
        if not self.abstract and not found:
            fail(self.where, f"{self.name} has no call")
        self.function, arguments = found.groups() if found else ("", "")
        self.arguments = pieces(arguments)
        known = {o.name for o in self.options} | {name for name, _, _ in self.parameters} | {"training"}
        by_keyword = {a.partition("=")[0] for a in self.arguments if "=" in a}  # an input may be called like an option
        self.inputs = [a for a in self.arguments if a.isidentifier() and (a not in known or a in by_keyword)]
        for token in pieces(self.keys.get("repr", "")):
            if token.strip("{}?") not in known:
                fail(self.where, f"{self.name}: repr has '{token}', which is no option")

    def list(self, key):
        return self.keys.get(key, [])

    def checks(self, key, n):
        return [Check(text, n) for text in self.list(key)]

    @property
    def buffers(self):
        return [o.name for o in self.cpp if o.kind == "Tensor?"]

    @property
    def tensors(self):
        """Its own tensors."""
        return self.buffers + [name for name, _, _ in self.parameters]

    @property
    def op(self):
        """The op that its function is."""
        return self.op_name("is op") or self.op_name("op")

    def op_name(self, key):
        return self.keys.get(key, "").partition("(")[0]

    def op_arguments(self, key, options):
        """What the op takes after the inputs: `op: f(p, {N})` says it, else it is these options in their order."""
        _, opened, rest = self.keys.get(key, "").partition("(")
        return pieces(rest[:-1]) if opened else [o.name for o in options if o.kind and o.name != "inplace"]

    @property
    def in_place_twin(self):
        """Is there a second op, for `inplace`?"""
        return "(" not in self.keys.get("op", "") and any(o.name == "inplace" for o in self.cpp)

    @property
    def pairs(self):
        """{name in Python: (the option in Python, in C++)}"""
        return {p.name: (p, c) for p, c in zip(self.typed, self.cpp)}

    @property
    def function_options(self):
        """(name of the struct, what it is another name of or None, its own options)"""
        text = self.keys.get("function options", f"{self.name}FuncOptions = {self.name}Options")
        name, equals, target = text.partition(" = ")
        if equals:
            return name, target, None
        if self.is_function:
            return name, None, self.cpp
        name, signature = re.fullmatch(r"([\w{}]+)\((.*)\)", text).groups()
        return name, None, options_of(signature, self.where)[0]

    @property
    def has_own_function_options(self):
        """Are they another struct than the layer's options?"""
        target = self.function_options[1]
        return target is None or target.endswith("FuncOptions")


def functions(layers):
    """The functions that are one op: (layer, options)."""
    for layer in (layer for layer in layers if layer.op or "both" in layer.keys):
        _, target, own = layer.function_options
        if target and layer.has_own_function_options:
            own = next(other.function_options[2] for other in layers if other.function_options[0] == target)
        yield layer, own or layer.cpp


def of_input(doc):
    """The sentence of a layer, for its function."""
    return re.sub(r"\bx\b", "input", doc)


def read(path):
    """The layers of a table."""
    layers, entries, python_file = [], [], path.stem
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith(" "):
            entries[-1][1].append(line)
        else:
            entries.append((line, [], f"{path.name}:{number}"))
    for header, lines, where in entries:
        if header.startswith("python file: "):
            python_file = header.partition(": ")[2]
            continue
        while header.count("(") > header.count(")"):  # a long signature goes on
            header += " " + lines.pop(0).strip()
        layers.append(Layer(header, lines, where, layers, python_file))
    return layers
