"""Write what follows from the optimisers of src/ops/formulas/optim/: the list of them that C++ includes
(src/ops/formulas/optim/all.inc), their classes (include/taut/optim/<name>.h, src/optim/table_classes.cpp) and
include/taut/optim.h.

    python tools/optimizers.py [--check]
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RULES = ROOT / "src" / "ops" / "formulas" / "optim"
HEADERS = ROOT / "include" / "taut" / "optim"
SOURCE = ROOT / "src" / "optim" / "table_classes.cpp"
SHARED = {"all", "common", "lerp"}
SWITCHES = {"foreach", "capturable", "differentiable", "fused"}
BY_HAND = ["lbfgs", "lr_scheduler", "muon", "optimizer", "state", "swa_utils", "table"]


class Rule:
    """One file."""

    def __init__(self, path, others):
        text = path.read_text()
        self.stem = path.stem
        self.first_line = text.splitlines()[0]
        self.name, self.base = re.search(r"^struct (\w+)(?: : (\w+)<N>)? {", text, re.MULTILINE).groups()
        self.elementwise = f"OPTIMIZER({self.name})" in text
        own = {name: "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', value)).replace('\\"', '"') for name, value in
               re.findall(r"static constexpr const char\* (\w+) =((?:[^;\"]|\"(?:[^\"\\]|\\.)*\")*);", text)}
        self.texts = {**others[self.base].texts, **own} if self.base else own
        # (name, default, kind), in the order of the signature; what follows a semicolon cannot be chosen
        free, _, fixed = self.texts["signature"].partition(";")
        self.options, self.fixed = self.items(free), self.items(fixed)

    @staticmethod
    def items(text):
        found = []
        for name, default in re.findall(r"(\w+)=(\([^)]*\)|[^,]*)", text):
            if name not in SWITCHES:
                count = default.count(",") + 1 if default.startswith("(") else 0
                found.append((name, default.strip(), "bool" if default in ("True", "False") else
                              f"std::tuple<{', '.join(['double'] * count)}>" if count else "double"))
        return found

    @property
    def states(self):
        return [s.split()[0] for s in self.texts["states"].split(",") if s.strip()]

    @property
    def scalars(self):
        return [(s.split()[0], s.partition("=")[2].strip()) for s in self.texts["scalars"].split(",") if s.strip()]


def cpp(default):
    numbers = re.sub(r"\bNone\b", "-std::numeric_limits<double>::infinity()", default)
    return numbers.replace("(", "{", 1)[:-1] + "}" if default.startswith("(") else \
        {"True": "true", "False": "false"}.get(numbers, numbers)


def listed(items, before):
    """A function that returns these."""
    line = f"{before} {{ return {{{', '.join(items)}}}; }}"
    if len(line) <= 120:
        return line
    between = ",\n" + " " * len("  return {")
    return f"{before} {{\n  return {{{between.join(items)}}};\n}}"


def written_class(rule):
    """The text of the header, and what of the classes is defined outside of it: no program compiles it anew."""
    name, out, functions = rule.name, [], []
    say, define = out.append, functions.append
    say(f"// Written by tools/optimizers.py from src/ops/formulas/optim/{rule.stem}.inc.")
    say("// clang-format off")
    say("#pragma once")
    if "None" in rule.texts["signature"] and any("None" in d for _, d, _ in rule.options):
        say("#include <limits>\n")
    say('#include "taut/optim/table_optimizer.h"\n')
    say("namespace taut::optim {\n")
    lr = dict((n, d) for n, d, _ in rule.options)["lr"]
    say(f"struct {name}Options : OptimizerCloneableOptions<{name}Options, TableOptions> {{")
    say(f"  {name}Options(double lr = {lr}) : lr_(lr) {{}}")
    values = []
    for option, _, kind in rule.options:
        if kind.startswith("std::tuple"):
            say(f"  using {option}_t = {kind};")
    for option, default, kind in rule.options:
        if kind.startswith("std::tuple"):
            values += [f"std::get<{i}>({option}_)" for i in range(kind.count("double"))]
            kind = f"{option}_t"
        else:
            values.append(f"{option}_" if kind == "double" else f"{option}_ ? 1.0 : 0.0")
        say(f"  TAUT_ARG({kind}, {option}) = {cpp(default)};")
    values += [str(float(default == "True")) if kind == "bool" else default for _, default, kind in rule.fixed]
    if rule.elementwise:
        say("  TAUT_ARG(bool, differentiable) = false;  // records the step, so that it can be differentiated; not saved")
    say("\n public:")
    fields = [f'{{"{option}", &{option}_}}' for option, _, _ in rule.options]
    if rule.elementwise:
        fields.append('{.name = "differentiable", .value = &differentiable_, .saved = false}')
    say("  Fields fields() override;")
    define(listed(fields, f"Fields {name}Options::fields()"))
    say("  OptionValues values() const override;")
    define(listed(values, f"OptionValues {name}Options::values() const"))
    say("  const OptimizerInfo& info() const override;")
    define(f"const OptimizerInfo& {name}Options::info() const {{")
    define(f'  static const OptimizerInfo& row = find_optimizer("{name}");')
    define("  return row;\n}")
    if rule.elementwise:
        say("  bool records() const override { return differentiable_; }")
    say("};\n")

    say(f"struct {name}ParamState : OptimizerCloneableParamState<{name}ParamState, TableState> {{")
    fields, number = [], 0
    for scalar, _ in rule.scalars:
        member = "step_" if scalar == "step" else f"scalars_[{number}]"
        number += scalar != "step"
        say(f"  TAUT_STATE({'int64_t' if scalar == 'step' else 'double'}, {scalar}, {member})")
        fields.append(f'{{"{scalar}", &{member}}}')
    conditional = {s.split()[0] for s in rule.texts["states"].split(",") if " if " in s}
    for i, state in enumerate(rule.states):
        say(f"  TAUT_STATE(Tensor, {state}, states_[{i}])")
        how = "" if rule.elementwise and state not in conditional else \
            ", false" if rule.elementwise else ", false, false"
        fields.append(f'{{"{state}", &states_[{i}]{how}}}')
    say("  Fields fields() override;")
    define(listed(fields, f"Fields {name}ParamState::fields()") + "\n")
    say("};\n")
    say(f"/// {rule.texts['doc']}")
    say(f"class {name} : public TableOptimizerOf<{name}Options, {name}ParamState> {{")
    say(" public:\n  using TableOptimizerOf::TableOptimizerOf;\n};\n")
    for kind in (f"OptimizerCloneableOptions<{name}Options, TableOptions>",
                 f"OptimizerCloneableParamState<{name}ParamState, TableState>", f"TableOptimizerOf<{name}Options, {name}ParamState>"):
        say(f"extern template class {kind};")
        define(f"template class {kind};")
    say("")
    say("}  // namespace taut::optim")
    return "\n".join(out) + "\n", "\n".join(functions) + "\n"


def rules():
    """All of them; one that builds on another follows it."""
    paths = sorted(p for p in RULES.glob("*.inc") if p.stem not in SHARED)
    found = {}
    while paths:
        later = []
        for path in paths:
            base = re.search(r"^struct \w+ : (\w+)<N> {", path.read_text(), re.MULTILINE)
            if base and base[1] not in found:
                later.append(path)
            else:
                rule = Rule(path, found)
                found[rule.name] = rule
        if len(later) == len(paths):
            sys.exit(f"{later[0]}: builds on an optimiser that is not there")
        paths = later
    return list(found.values())


def written():
    """{path: text}"""
    all_rules = rules()
    files = {RULES / "all.inc": "// Written by tools/optimizers.py: the optimisers in this directory.\n" +
             "".join(f'#include "ops/formulas/optim/{rule.stem}.inc"\n' for rule in all_rules)}
    names = sorted([*BY_HAND, *(rule.stem for rule in all_rules)])
    files[HEADERS.parent / "optim.h"] = (
        "// Optimisers, learning rate schedulers, averaging. Written by tools/optimizers.py.\n#pragma once\n"
        '#include "taut/ops/optim.h"\n' +
        "".join(f'#include "taut/optim/{name}.h"\n' for name in names))
    classes = [(rule.stem, *written_class(rule)) for rule in all_rules]
    files.update({HEADERS / f"{stem}.h": header for stem, header, _ in classes})
    files[SOURCE] = ("// The options and states of the optimisers of the table. Written by tools/optimizers.py.\n// clang-format off\n" +
                     "".join(f'#include "taut/optim/{stem}.h"\n' for stem in sorted(stem for stem, _, _ in classes)) +
                     "\nnamespace taut::optim {\n\n" + "".join(functions + "\n" for _, _, functions in classes).rstrip() +
                     "\n\n}  // namespace taut::optim\n")
    return files


def main():
    stale = [(path, text) for path, text in written().items() if not path.exists() or path.read_text() != text]
    if "--check" in sys.argv:
        if stale:
            sys.exit("run tools/optimizers.py: out of date: " + ", ".join(str(p.relative_to(ROOT)) for p, _ in stale))
        return
    for path, text in stale:
        path.write_text(text)


if __name__ == "__main__":
    main()
