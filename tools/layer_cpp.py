"""Layers of the table in C++: options, modules, functions. Each function returns the lines of a part of a file."""

import functools
import re

from layer_table import ROOT, fail, fill, fits, flow, functions, of_input, pieces

# Those that are called otherwise than in Python.
ERRORS = {"AssertionError": "ValueError", "ZeroDivisionError": "ValueError", "RuntimeError": "Error"}
NAMED_TYPES = ("mode", "nonlinearity", "padding_mode", "reduction")  # as libtorch has them: reduction_t
BY_VALUE = ("double", "int64_t", "bool", "Keyword")


@functools.lru_cache
def keywords():
    """{"mean": "kMean", ...}"""
    text = (ROOT / "include" / "taut" / "nn" / "enums.h").read_text()
    return {word: name for name, word in re.findall(r'(k\w+)\{"([^"]+)"\}', text)}


def concrete(layers):
    return [layer for layer in layers if layer.is_layer]


def constructor(layer):
    """The options that the constructor of the options takes."""
    needed = [o for o in layer.cpp if o.default is None]
    if needed:
        return needed
    if "constructor" in layer.keys:
        return [o for o in layer.cpp if o.name in layer.keys["constructor"].replace(",", " ").split()]
    return layer.cpp if len(layer.cpp) == 1 else []


def default(option):
    """None where that of the type will do."""
    if option.default is None or option.kind == "Tensor?":
        return None
    if option.kind == "word":
        return keywords()[option.default.strip('"')]
    return {"None": "std::nullopt", "True": "true", "False": "false"}.get(option.default, option.default)


def in_place(layer):
    return any(o.name == "inplace" for o in layer.cpp)


def parameter_list(layer):
    """The arguments of forward; what may be written into is passed by value."""
    return [f"{'Tensor' if in_place(layer) else 'const Tensor&'} {name}" for name in layer.inputs]


def definition(head, values, body):
    """Of a constructor."""
    line = f"  {head} : {values} {body}"
    return [line] if fits(line) else [f"  {head}", f"      : {values} {body}"]


# Options


def struct(name, options, taken, about, template):
    """`taken`: the options that the constructor takes."""
    out = [*(["template <size_t D>"] if template else []), f"struct {name} {{"]
    out += [f"  using {o.name}_t = Keyword;" for o in options if o.type == "Keyword" and o.name in NAMED_TYPES]
    names = {o.name for o in options}
    late = [o for o in options if o.default in names]  # begin with the value of another
    if taken:
        arguments = [f"{o.type} {o.name}" + (f" = {default(o)}" if o.default is not None else "") for o in taken]
        values = [f"{o.name}_({o.name if o.type in BY_VALUE or o.sized else f'std::move({o.name})'})" for o in taken]
        values += [f"{o.name}_({o.default})" for o in late]
        out += definition(f"{name}({', '.join(arguments)})", ", ".join(values), "{}")
    for o in options:
        if o.name in about:
            out.append(f"  /// {about[o.name]}")
        value = None if o in taken or o in late else default(o)
        out.append(f"  TAUT_ARG({o.type}, {o.name})" + (f" = {value};" if value is not None else ";"))
    return [*out, "};"]


def structs(name, options, taken, layer):
    """The struct, and its names for each number of dimensions."""
    stem = name.replace("{N}d", "")
    return [*struct(stem, options, taken, layer.about, bool(layer.dims)),
            *(f"using {fill(name, n)} = {stem}<{n}>;" for n in layer.dims)]


def options_header(layers):
    out, functional = [], []
    for layer in layers:
        if layer.abstract or not layer.cpp:
            continue
        if layer.is_function:
            name, _, own = layer.function_options
            functional += structs(name, own, [o for o in own if o.default is None], layer)
            continue
        how = layer.keys.get("options")
        if how is None:
            out += structs(f"{layer.name}Options", layer.cpp, constructor(layer), layer)
        elif how != "by hand":
            out += [fill(f"using {how};", n) for n in layer.numbers]
        if "c++ forward" in layer.keys and "function options" not in layer.keys:
            continue  # they are written by hand, if there are any
        name, target, own = layer.function_options
        functional += [fill(f"using {name} = {target};", n) for n in layer.numbers] if target else \
            structs(name, own, [o for o in own if o.default is None], layer)
    return [*out, "", "namespace functional {", *functional, "}  // namespace functional"] if functional else out


# Modules


def constructors(layer, name, n, resets):
    """Those of a module; from the options alone they are inherited."""
    if not layer.cpp:
        return []
    given = [(re.sub(r"\bD\b", str(n), o.type), o.name) for o in constructor(layer)]
    if not resets and len(given) < 2 and not any("<" in kind for kind, _ in given):
        return ["  using LayerImpl::LayerImpl;"]
    arguments, names = ", ".join(" ".join(g) for g in given), ", ".join(g[1] for g in given)
    no_need = " = {}" if all(o.default is not None for o in layer.cpp) else ""
    reset = f" {name}Impl::reset(); " if resets else ""
    return [*(definition(f"{name}Impl({arguments})", f"{name}Impl({name}Options({names}))", "{}") if given else []),
            *definition(f"explicit {name}Impl({name}Options options_{no_need})", "LayerImpl(std::move(options_))",
                        f"{{{reset}}}")]


def module(layer, n):
    name = fill(layer.name, n)
    base = f"detail::LayerImpl<{name}Impl, {name}Options>" if layer.cpp else f"Cloneable<{name}Impl>"
    line = f"class {name}Impl : public {base} {{"
    out = [f"/// {fill(layer.doc, n)}", *([line] if fits(line) else [f"class {name}Impl", f"    : public {base} {{"]),
           " public:"]
    resets = bool(layer.tensors or layer.list("check") or layer.list("c++ check"))
    out += constructors(layer, name, n, resets)
    if resets or not layer.cpp:
        out.append("  void reset() override;" if resets else "  void reset() override {}")
    if layer.parameters:
        out.append("  void reset_parameters();")
    if "repr" in layer.keys:
        out.append("  void pretty_print(std::ostream& stream) const override;")
    out.append(flow("Tensor forward(", parameter_list(layer), ");", "  "))
    if "both" in layer.keys:
        out += ["  /// Also where the values were.",
                flow("std::tuple<Tensor, Tensor> forward_with_indices(", parameter_list(layer), ");", "  ")]
    if layer.tensors:
        out.append(f"  Tensor {', '.join(layer.tensors)};")
    return [*out, "};", f"TAUT_MODULE({name});"]


def modules_header(layers):
    return [line for layer in concrete(layers) for n in layer.numbers for line in ["", *module(layer, n)]][1:]


def translated(expression, layer, without=()):
    """A condition or a value of Python; options stand in `options`, but for those `without`."""
    names = {name: cpp for name, (_, cpp) in layer.pairs.items() if name not in without}

    def given(match):
        option = names.get(match[1])
        if option is None:
            fail(layer.where, f"{layer.name}: '{match[1]}' is no option")
        return ("" if match[2] else "not ") + match[1] + (".defined()" if option.kind == "Tensor?" else ".has_value()")

    text = re.sub(r"\b(\w+) is (not )?None", given, expression).replace(".shape", ".sizes()")
    text = re.sub(r"(\S+) not in \((\S+), (\S+)\)", r"\1 != \2 and \1 != \3", text)
    text = re.sub(r"\bnot ", "!", re.sub(r"\bor\b", "||", re.sub(r"\band\b", "&&", text)))
    return re.sub(r"(?<![\w.])([a-z_]\w*)\b(?!\()",
                  lambda m: f"options.{names[m[1]].name}()" if m[1] in names else m[1], text)


def thrown(check, layer, function=""):
    """An error, or a warning, if the check finds something; that of a function names it."""
    names_it = not function or check.message.startswith(function)
    parts = []
    for literal, value in re.findall(r"([^{}]+)|\{([^{}]*)\}", check.message if names_it else f"{function}: {check.message}"):
        text = translated(value, layer)
        parts += [text if text.endswith(("dim()", "sizes()")) else f"shown({text})"] if value else \
            [f'"{line}"' for line in re.findall(r".{1,80}(?: |$)|.+", literal.replace('"', '\\"'))]
    what = "warn" if check.error == "warning" else f"throw {ERRORS.get(check.error, check.error)}"
    throw = flow(f"{what}(str(", parts, "));", "    ") if len(parts) > 1 else f"    {what}({parts[0]});"
    head = f"  if ({translated(check.condition, layer)})"
    line = f"{head} {throw.strip()}"
    return line if fits(line) and "\n" not in throw else f"{head}\n{throw}"


def reset(layer, name, n):
    if not (layer.tensors or layer.list("check") or layer.list("c++ check")):
        return []
    out = [f"void {name}Impl::reset() {{"]
    out += [thrown(check, layer) for key in ("c++ check", "check") for check in layer.checks(key, n)]
    out += [f'  if (options.{b}().defined()) {b} = register_buffer("{b}", options.{b}().detach().clone());' for b in
            layer.buffers]
    for parameter, shape, condition in layer.parameters:
        # A vector's namespace has an `empty` too.
        empty = f"taut::empty({translated(shape[1:], layer)})" if shape[0] == "*" else \
            f"empty({{{translated(shape, layer)}}})"
        head, made = f"  {parameter} =", f'register_parameter("{parameter}", {empty})'
        if condition:
            head += " " + translated(condition, layer)
            line = f"{head} ? {made}"
            margin = "\n" + " " * (len(head) + 1 if fits(line) else 10)
            out.append((line if fits(line) else f"{head}{margin}? {made}") +
                       f'{margin}: register_parameter("{parameter}", {{}}, false);')
        else:
            out.append(f"{head} {made};" if fits(f"{head} {made};") else f"{head}\n      {made};")
    if not layer.parameters:
        return [*out, "}"]
    out += ["  reset_parameters();", "}", f"void {name}Impl::reset_parameters() {{"]
    conditions = {parameter: condition for parameter, _, condition in layer.parameters}
    for statement in layer.list("begin"):
        function, parameter, rest = re.fullmatch(r"(\w+\()(\w+)(.*)", statement).groups()
        rest = translated(rest, layer, without=layer.tensors).replace("sqrt(", "std::sqrt(")
        guard = f"if ({parameter}.defined()) " if conditions[parameter] else ""
        out.append(f"  {guard}init::{function}{parameter}{rest};")
    return [*out, "}"]


def function_call(layer, n):
    """What forward returns."""
    if "c++ forward" in layer.keys:
        return fill(layer.keys["c++ forward"], n)
    arguments = [f"std::move({name})" if in_place(layer) else name for name in layer.inputs]
    if layer.cpp and layer.has_own_function_options:
        options = f"F::{fill(layer.function_options[0], n)}()"
        for argument in layer.arguments[len(layer.inputs):]:
            name = "training" if argument == "training" else layer.pairs[argument][1].name
            options += f".{name}({'is_training()' if name == 'training' else f'options.{name}()'})"
        arguments.append(options)
    elif layer.cpp:
        arguments.append("".join([f"{fill(layer.name, n)}Options(options)", *(f".{b}({b})" for b in layer.buffers)])
                         if layer.buffers else "options")
    return f"F::{fill(layer.function, n)}({', '.join(arguments)})"


def in_lines(call):
    """A return of F::f(input, F::FOptions().a(b).c(d)) in as many lines as it takes."""
    opening, _, inside = call.partition("(")
    first, _, rest = call.partition("().")
    chain = "".join(f"\n      .{link}" for link in re.findall(r"\w+\([^()]*\(\)\)", rest))
    ways = (flow(f"return {opening}(", pieces(inside[:-1]), ");", "  "), f"  return {opening}(\n      {inside};",
            f"  return {first}(){chain});")
    return next(way for way in ways if fits(way))


def forward(layer, name, n):
    head, call = flow(f"Tensor {name}Impl::forward(", parameter_list(layer), ") {"), function_call(layer, n)
    checks = [thrown(check, layer) for check in layer.checks("input check", n)]
    line = f"{head} return {call}; }}"
    out = [line] if not checks and fits(line) and "\n" not in head else [head, *checks, in_lines(call), "}"]
    if "both" in layer.keys:
        out += [flow(f"std::tuple<Tensor, Tensor> {name}Impl::forward_with_indices(", parameter_list(layer), ") {"),
                f"  return F::{fill(layer.function, n)}_with_indices({', '.join([*layer.inputs, 'options'])});", "}"]
    return out


def shown(token, layer):
    """An option in the text that a module prints."""
    if token in layer.tensors:
        return f"shown({token}.defined())"
    option, cpp = layer.pairs[token]
    value = f"options.{cpp.name}()"
    text = f"{'shortly' if option.sized and not option.is_tuple else 'shown'}({value})"
    if option.default == "None" and cpp.default in layer.pairs:  # the same as another when it was not given
        return f'({value} == options.{cpp.default}() ? "None" : {text})'
    return value if cpp.kind == "Scalar" else text


def pretty_print(layer, name):
    if "repr" not in layer.keys:
        return []
    parts, text = [], f"{name}("
    tokens = pieces(layer.keys["repr"])
    for i, token in enumerate(tokens):
        comma, option = ", " if i else "", token.strip("{}?")
        if token.endswith("?"):  # the last
            parts += [f'"{text}"'] if text else []
            parts.append(f'(options.{layer.pairs[option][1].name}() ? "{comma}{option}=True)" : ")")')
        else:
            parts.append(f'"{text}{comma}{"" if token.startswith("{") else option + "="}" << {shown(option, layer)}')
            text = ""
    if not tokens[-1].endswith("?"):
        parts.append("')'")
    lines, line = [], "  stream"
    for part in parts:
        if not fits(f"{line} << {part};"):
            lines.append(line)
            line = "        "
        line += f" << {part}"
    return [f"void {name}Impl::pretty_print(std::ostream& stream) const {{", *lines, line + ";", "}"]


def modules_source(layers):
    out = []
    for layer in concrete(layers):
        for n in layer.numbers:
            name = fill(layer.name, n)
            out += ["", *reset(layer, name, n), *forward(layer, name, n), *pretty_print(layer, name)]
    return out[1:]


# Functions


def function_head(layer, n, own, declared, indices=False):
    arguments = parameter_list(layer)
    if layer.cpp:
        no_need = " = {}" if declared and all(o.default is not None for o in own) else ""
        arguments.append(f"const {fill(layer.function_options[0], n)}& options{no_need}")
    returned, ending = ("std::tuple<Tensor, Tensor>", "_with_indices") if indices else ("Tensor", "")
    return flow(f"{returned} {fill(layer.function, n)}{ending}(", arguments, ");" if declared else ") {")


def functional_header(layers):
    return [line for layer, own in functions(layers) for n in layer.numbers
            for line in (f"/// {of_input(fill(layer.doc, n))}", function_head(layer, n, own, True),
                         *([function_head(layer, n, own, True, True)] if "both" in layer.keys else []))]


def argument(layer, n, own, text):
    """What an op is given for an option, by its name in Python; another text stands as it is."""
    name = fill(layer.function, n)
    python, option = layer.pairs.get(text, (None, None))
    option = next((o for o in own if o.name == text), option)
    if text.startswith("word "):  # where an op takes the word, not the number for it
        return f"options.{text[5:]}().name()"
    if option is None:
        return fill(text, n)
    value = f"options.{option.name}()"
    if option.name == "reduction":
        return f'reduction_of({value}, "{name}")'
    if option.sized and option.sized[1] == "int?":
        return f'filled({value}, {layer.inputs[0]}, "{name}")'
    if option.kind == "float?" and python and python.kind == "float":
        return f"{value}.value_or({python.default})"
    return {"word": f"{value}.name()", "int[]?": f"list_of({value})"}.get(option.kind, value)


def op_call(layer, n, own, key):
    """The op and its arguments."""
    arguments = [*layer.inputs, *(argument(layer, n, own, a) for a in layer.op_arguments(key, own))]
    return f"taut::{fill(layer.op_name(key), n)}", arguments


def one_function(head, checks, op, arguments, wrapped=("", "")):
    line = f"{head} return {wrapped[0]}{op}({', '.join(arguments)}){wrapped[1]}; }}"
    if not checks and fits(line) and "\n" not in head:
        return [line]
    return [head, *checks, flow(f"return {wrapped[0]}{op}(", arguments, f"){wrapped[1]};", "  "), "}"]


def function(layer, n, own):
    name, head = fill(layer.function, n), function_head(layer, n, own, False)
    checks = [thrown(check, layer, name) for check in layer.checks("function check", n)]
    checks = [f'  check({i}.defined(), "{name}: {i} is undefined");' for i in layer.inputs
              if any(re.search(rf"\b{i}\.", check) for check in checks)] + checks
    key = "is op" if "is op" in layer.keys else "op"
    if layer.in_place_twin:
        op, arguments = op_call(layer, n, own, key)
        there, plain = (f"{op}{ending}({', '.join(arguments)})" for ending in ("_", ""))
        line = f"  return options.inplace() ? {there} : {plain};"
        return [head, *checks, line if fits(line) else
                f"  return options.inplace() ? {there}\n                           : {plain};", "}"]
    if "both" not in layer.keys:
        return one_function(head, checks, *op_call(layer, n, own, key))
    both = op_call(layer, n, own, "both")
    return [*(one_function(head, checks, *op_call(layer, n, own, key)) if layer.op else
              one_function(head, checks, *both, ("std::get<0>(", ")"))),
            *one_function(function_head(layer, n, own, False, True), checks, *both)]


def functional_source(layers):
    return [line for layer, own in functions(layers) for n in layer.numbers for line in function(layer, n, own)]


def libtorch_options(tables):
    """A function that adds what libtorch prints and Python does not."""
    out = ["void add_options(Call& call, const Module& module) {"]
    for layer in (layer for layers in tables for layer in layers if layer.is_layer and "libtorch" in layer.keys):
        out.append(f"  if (const auto* m = module.as<{layer.name}>()) {{")
        for name in pieces(layer.keys["libtorch"]):
            value = f"m->options.{name}()"
            word = layer.pairs[name][1].kind == "word"
            out.append(f'    call.add("{name}", {f"keyword(std::string({value}.name()))" if word else value});')
        out.append("  }")
    return [*out, "}"]
