"""Layers of the table in Python: classes and functions. Each function returns the lines of a part of a file."""

import re

from layer_table import WIDTH, fill, fits, flow, functions, of_input, pieces

NTUPLES = {"1": "_single", "2": "_pair", "3": "_triple", "4": "_quadruple"}


def mentions(text, option):
    return re.search(rf"\b{option.name}\b", text) is not None


def signature(options, keyword_only, first, others=()):
    """`others`: defaults that differ from the layer's."""
    names, others = {o.name for o in options}, dict(others)
    defaults = {o.name: others.get(o.name, "None" if o.default in names else o.default) for o in options}
    out = [name if default is None else f"{name}={default}" for name, default in defaults.items()]
    return [*first, *(out if keyword_only is None else [*out[:keyword_only], "*", *out[keyword_only:]])]


def raised(check, indent):
    """An error, or a warning, if the check finds something."""
    quote = "'" if '"' in check.message else '"'
    warns = check.error == "warning"
    head = f"{indent}    {'warnings.warn' if warns else f'raise {check.error}'}("
    room, lines = WIDTH - len(head) - 4, [""]
    for word in re.findall(r"(?:\{[^}]*\}|\S)+\s*", check.message):
        if len(lines[-1] + word) > room:
            lines.append("")
        lines[-1] += word
    texts = [f"{'f' if '{' in line else ''}{quote}{line}{quote}" for line in lines]
    if warns:
        texts[-1] += ", stacklevel=2" if len(texts[-1]) < room - 16 else ",\n" + " " * len(head) + "stacklevel=2"
    return [f"{indent}if {check.condition}:", head + ("\n" + " " * len(head)).join(texts) + ")"]


# Classes


def base_of(layer, n):
    """The base class, and what its __init__ is given."""
    text = layer.own.get("base") or ("" if layer.parent else layer.keys.get("base", ""))
    if not text:
        return (layer.parent.name if layer.parent else "Module"), []
    name, arguments = re.fullmatch(r"(\w+)(?:\((.*)\))?", fill(text, n)).groups()
    return name, pieces(arguments or "")


class Class:
    """The class of a layer for n dimensions."""

    def __init__(self, layer, n):
        self.layer, self.n = layer, n
        self.base, self.passed = base_of(layer, n)
        self.first = fill(layer.keys.get("python init", ""), n)
        # Has it the __init__ of its base?
        self.inherits = layer.same_options and "base" not in layer.own or \
            bool(self.passed) and self.passed == [o.name for o in layer.options]
        self.taken = {p.partition("=")[2] or p for p in self.passed} | set(layer.tensors) - set(layer.buffers)
        self.taken |= {"device", "dtype"} if layer.parameters else set()

    def is_kept(self, option):
        return option.name not in self.taken and (option.kind or not mentions(self.first, option))

    def lines(self):
        out = [f"class {fill(self.layer.name, self.n)}({self.base}):", f'    """{fill(self.layer.doc, self.n)}"""']
        for part in (self.constants(), self.init(), self.begin(), self.forward(), self.setstate(), self.extra_repr()):
            out += ["", *part] if part else []
        return out

    def constants(self):
        options = [o.name for o in self.layer.options if o.kind not in (None, "Tensor?") and o.name not in
                   self.layer.tensors or not o.kind and self.is_kept(o)]
        names = self.layer.keys.get("constants", " ".join(options)).replace(",", " ").split()
        if not names or names == ["inherited"] or self.inherits and "constants" not in self.layer.own:
            return []
        return [flow("__constants__ = [", [f'"{name}"' for name in names], "]", "    ")]

    def init(self):
        if not self.layer.options or self.inherits:
            return []
        out = [flow("def __init__(", signature(self.layer.options, self.layer.keyword_only, ["self"]), "):", "    "),
               f"        super().__init__({', '.join(self.passed)})"]
        out += ["        " + line for line in self.first.split("\n") if line]
        for check in self.layer.checks("check", self.n):
            out += raised(check, "        ")
        for o in filter(self.is_kept, self.layer.options):
            if o.kind == "Tensor?":
                out.append(f'        self.register_buffer("{o.name}", {o.name})')
            elif not re.search(rf"^self\.\w+ = .*\b{o.name}\b", self.first, re.MULTILINE):
                out.append(f"        self.{o.name} = {self.value(o)}")
        for name, shape, condition in self.layer.parameters:
            sizes = f"self.{shape[1:]}" if shape[0] == "*" else f"({shape}{'' if ',' in shape else ','})"
            made = f"self.{name} = _new_parameter({sizes}, device, dtype)"
            out += [f"        if {condition}:", f"            {made}", "        else:",
                    f'            self.register_parameter("{name}", None)'] if condition else [f"        {made}"]
        return [*out, *(["        self.reset_parameters()"] if self.layer.parameters else [])]

    def value(self, option):
        """What is kept of an argument."""
        text = option.name
        if option.default in {o.name for o in self.layer.options}:
            text = f"{option.name} if {option.name} is not None else {option.default}"
        if option.is_tuple:
            size = {"N": str(self.n), "2N": str(2 * (self.n or 0))}.get(option.sized[2], option.sized[2])
            return f"{NTUPLES.get(size, f'_ntuple({size})')}({text})"
        return text

    def begin(self):
        if not self.layer.parameters:
            return []
        out = ["    def reset_parameters(self):", '        """Gives the parameters the values they begin with."""']
        names = "|".join([*self.layer.tensors, *(o.name for o in self.layer.typed)])
        conditions = {name: condition for name, _, condition in self.layer.parameters}
        for statement in self.layer.list("begin"):
            function, name, rest = re.fullmatch(r"(\w+\()(\w+)(.*)", statement).groups()
            rest = re.sub(rf"\b({names})\b", r"self.\1", rest)
            call = f"init.{function}self.{name}{rest}".replace("sqrt(", "math.sqrt(").replace("bound(", "_bound(")
            out += [f"        if self.{name} is not None:"] if conditions[name] else []
            out.append(f"        {'    ' if conditions[name] else ''}{call}")
        return out

    def forward(self):
        given = fill(self.layer.keys.get("python forward", ""), self.n)
        if self.layer.abstract or given == "inherited":
            return []
        out = [flow("def forward(", ["self", *self.layer.inputs], "):", "    ")]
        for check in self.layer.checks("input check", self.n):
            out += raised(check, "        ")
        if given:
            function, _, inside = given.partition("(")
            arguments = pieces(inside[:-1])
        else:
            function = f"F.{fill(self.layer.function, self.n)}"
            arguments = [self.argument(a) for a in self.layer.arguments]
        return [*out, flow(f"return {function}(", arguments, ")", "        ")]

    def argument(self, text):
        """`alpha` is self.alpha, and so is `a=alpha`."""
        key, equals, value = text.partition("=")
        own = {o.name for o in self.layer.options} | {"training"}
        if equals:
            return f"{key}=self.{value}" if value in own else text
        return f"self.{text}" if text in own and text not in self.layer.inputs else text

    def setstate(self):
        if "older" not in self.layer.keys or self.inherits:
            return []
        values = (re.split(r" = ", text) for text in pieces(self.layer.keys["older"]))
        return ["    def __setstate__(self, state):", "        super().__setstate__(state)",
                *(f'        self.__dict__.setdefault("{name}", {value})' for name, value in values)]

    def extra_repr(self):
        if "repr" not in self.layer.keys or self.inherits and "repr" not in self.layer.own:
            return []
        kinds = {o.name: o.kind for o in self.layer.options}
        shown, ends = [], []
        for i, token in enumerate(pieces(self.layer.keys["repr"])):
            name = token.strip("{}?")
            if token.endswith("?"):
                end = f'"{", " if i else ""}{name}=True" if self.{name} else ""'
                ends.append(f"({end})" if i else end)
            else:
                how = " is not None" if name in self.layer.tensors else "!r" if kinds[name] in ("str", "word") else ""
                shown.append(("" if token.startswith("{") else f"{name}=") + f"{{self.{name}{how}}}")
        text = ", ".join(shown)
        line = "        return " + " + ".join([*([f'f"{text}"'] if text else []), *ends])
        if not fits(line):
            lines = flow("", shown, "", " " * 17).replace(" " * 17, "").split("\n")
            lines = [f'f"{part}{"" if part is lines[-1] else " "}"' for part in lines]
            line = "        return (" + "\n                ".join(lines) + "".join(f" + {e}" for e in ends) + ")"
        return ["    def extra_repr(self):", line]


def classes(layers):
    out = [line for layer in layers if not layer.is_function for n in ([None] if layer.abstract else layer.numbers)
           for line in ["", "", *Class(layer, n).lines()]]
    return out[2:]


# Functions


def given_to_op(text, options, layer, n):
    """What an op is given for an option; another text stands as it is."""
    option = next((o for o in options if o.name == text), None)
    if option is None:
        return fill(text.removeprefix("word "), n)
    if option.default in {o.name for o in options}:
        return f"[] if {text} is None else {text}"
    if option.sized and layer.pairs[text][1].sized[1] == "int?":
        return f"_filled({text}, {layer.inputs[0]})"
    if text != "reduction":
        return text
    return "_number(reduction, size_average, reduce)" if any(o.name == "reduce" for o in options) else \
        "_Reduction.get_enum(reduction)"


def options_of_function(layer, own):
    """The options, and where those begin that are taken by keyword only."""
    options, keyword_only = (own, None) if layer.has_own_function_options else (layer.options, layer.keyword_only)
    options = [o for o in options if o.kind or not mentions(layer.keys.get("python init", ""), o)]
    order = {name: i for i, name in enumerate(layer.arguments)}
    if all(o.name in order for o in options):
        options = sorted(options, key=lambda o: order[o.name])
    return options, keyword_only


def function(layer, n, own):
    """def elu(input, alpha=1.0, inplace=False): ..."""
    name, doc = fill(layer.function, n), of_input(fill(layer.doc, n))
    options, keyword_only = options_of_function(layer, own)
    checks = [line for key in ("function check", "python check") for check in layer.checks(key, n)
              for line in raised(check, "    ")]

    others = [text.split("=") for text in pieces(layer.keys.get("python function", ""))]

    def head(ending="", more=""):
        return ["", "", flow(f"def {name}{ending}(", signature(options, keyword_only, layer.inputs, others), "):"),
                f'    """{doc.rstrip(".") + more if more else doc}"""']

    def given(key):
        typed = [o for o in options if o.kind]
        return [*layer.inputs, *(given_to_op(a, options, layer, n) for a in layer.op_arguments(key, typed))]

    if "both" in layer.keys:
        both = f"_{fill(layer.op_name('both'), n).lstrip('_')}"
        if layer.op:
            chosen = [flow(f"return ({both} if return_indices else _{fill(layer.op, n)})(", given("op"), ")", "    ")]
        else:
            chosen = [flow(f"found = {both}(", given("both"), ")", "    "),
                      "    return found if return_indices else found[0]"]
        return [*head(more=", and where they were if wanted."), *checks, *chosen,
                *head("_with_indices", ", and where they were."), *checks,
                flow(f"return {both}(", given("both"), ")", "    ")]
    op = f"_{fill(layer.op, n).lstrip('_')}"
    if layer.in_place_twin:
        arguments = ", ".join(given("op"))
        there, plain = f"{op}_({arguments})", f"{op}({arguments})"
        line = f"    return {there} if inplace else {plain}"
        return [*head(), *checks,
                line if fits(line) else f"    return ({there} if inplace else\n            {plain})"]
    return [*head(), *checks, flow(f"return {op}(", given("op"), ")", "    ")]


def all_functions(layers):
    same, ops, out = [], [], []
    for layer, own in functions(layers):
        for n in layer.numbers:
            if "is op" in layer.keys:
                same.append(f'{fill(layer.function, n)} = _ops["{fill(layer.op, n)}"]')
            if "is op" in layer.keys or layer.keys.get("python function") == "by hand":
                continue
            for op in filter(None, (layer.op_name("op"), layer.op_name("both"))):
                op = fill(op, n)
                ops.append(f'_{op}, _{op}_ = _ops["{op}"], _ops["{op}_"]' if layer.in_place_twin else
                           f'_{op.lstrip("_")} = _ops["{op}"]')
            out += function(layer, n, own)
    return [*same, *dict.fromkeys(ops), *out]


def names(tables):
    """Which layers are in which file."""
    files = {}
    for layer in (layer for layers in tables for layer in layers if layer.is_layer):
        files.setdefault(layer.python_file, []).extend(fill(layer.name, n) for n in layer.numbers)
    out = ["_WRITTEN = {"]
    for file in sorted(files):
        head = f'    "{file}": '
        room, lines = WIDTH - len(head) - 3, [""]
        for name in sorted(files[file]):
            if len(lines[-1] + name) > room:
                lines.append("")
            lines[-1] += name + " "
        lines[-1] = lines[-1].rstrip()
        out.append(head + ("\n" + " " * len(head)).join(f'"{line}"' for line in lines) + ",")
    return [*out, "}"]
