#!/usr/bin/env python3
"""compare_torch_headers.py <PyTorch's python> [part...]: calls every public function of libtorch's headers in a source file,
as they are declared there, with fewer and fewer of the arguments that have defaults, and with literals; and says which of these
calls libtorch compiles and taut::torch does not. Nothing is linked or run. Parts: functions, methods, api, nn, options.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent

# What the page docs/libtorch.md says is not covered, and what belongs to other processors.
ABSENT = re.compile(
    r"_?(cudnn|miopen|mkldnn|fbgemm|cuda|cufft|mps|quantiz|fake_quant|q_|dequant|nested|jagged|slow_conv|thnn|vulkan|mkl_|xnnpack|"
    r"fused_moving|quantized|int_repr|choose_qparams|to_mkldnn|unsafe|sparse_b|to_sparse_b|rowwise_prune|record_stream|sym_|rename|"
    r"align_|refine_names|names|has_names|is_quantized|is_cuda|is_vulkan|is_mps|is_mtia|is_maia|is_hpu|is_ipu|is_xla|is_xpu|is_ve|"
    r"is_vulkan|is_privateuseone|is_mkldnn|hash|unify)\w*|\w*(per_channel|per_tensor|_nhwc|dimname|bsr|bsc)\w*")
ABSENT_TYPES = re.compile(r"Dimname|SymInt|Stream\b|ArrayRef<at::Scalar>|DimnameList|std::string_view>? *&? *rounding|"
                          r"optional<at::Layout>|ConstQuantizer|Quantizer|void\*|VariableVersion|DispatchKey|TensorImpl|TypePtr|PyObject")

# Literals that programs write for a parameter of this type.
LITERALS = {
    "at::IntArrayRef": ["{1, 2}", "1"],
    "at::OptionalIntArrayRef": ["{1, 2}", "1", "std::nullopt"],
    "int64_t": ["1"],
    "double": ["0.5", "1"],
    "bool": ["true"],
    "const at::Scalar &": ["1", "0.5", "true"],
    "::std::optional<int64_t>": ["1", "std::nullopt"],
    "::std::optional<double>": ["0.5", "std::nullopt"],
    "::std::optional<at::ScalarType>": ["torch::kFloat", "std::nullopt"],
    "at::ScalarType": ["torch::kFloat"],
    "::std::optional<at::Generator>": ["std::nullopt", "at::detail::getDefaultCPUGenerator()"],
    "const ::std::optional<at::Tensor> &": ["T", "{}"],
    "const ::std::optional<at::Scalar> &": ["1", "0.5", "std::nullopt"],
    "at::TensorList": ["{T, T}", "std::vector<at::Tensor>{T, T}"],
    "at::TensorOptions": ["torch::kFloat", "torch::dtype(torch::kFloat).device(torch::kCPU)", "{}"],
    "c10::string_view": ['"abc"'],
    "::std::string_view": ['"abc"'],
}


def split_outside(text, mark=","):
    """`text` cut at the marks that stand in no brackets."""
    parts, depth, begin = [], 0, 0
    for i, c in enumerate(text):
        depth += (c in "(<{[") - (c in ")>}]")
        if c == mark and depth == 0:
            parts.append(text[begin:i])
            begin = i + 1
    return [p.strip() for p in [*parts, text[begin:]] if p.strip()]


class Call:
    """One declaration: what it gives back, its name, and its parameters as (type, name, default)."""

    def __init__(self, result, name, parameters, scope="torch::", receiver=None):
        self.result, self.name, self.scope, self.receiver = result.strip(), name, scope, receiver
        self.parameters = []
        for i, p in enumerate(split_outside(parameters)):
            declared, _, default = p.partition("=")
            kind, name = re.match(r"(.*?[\s&*>])(\w+)\s*$", declared.strip() + (" " if declared.strip().endswith(("&", ">")) else ""),
                                  re.S).groups() if re.search(r"[\s&*>]\w+\s*$", declared.strip()) else (declared, f"a{i}")
            self.parameters.append((kind.strip(), name, default.strip()))

    def functions(self):
        """Source lines: a function for each way to call it."""
        needed = sum(1 for p in self.parameters if not p[2])
        kinds = {*range(needed, len(self.parameters) + 1)}
        for count in sorted(kinds, reverse=True):
            yield self.function([name for _, name, _ in self.parameters[:count]])
        for i, (kind, _, _) in enumerate(self.parameters):
            for literal in LITERALS.get(kind, []):
                arguments = [name for _, name, _ in self.parameters[:max(needed, i + 1)]]
                arguments[i] = literal.replace("T", "self_") if "T" in literal and "torch" not in literal else literal
                yield self.function(arguments)

    def function(self, arguments):
        parameters = [f"{kind} {name}" for kind, name, _ in self.parameters]
        parameters.append("const at::Tensor& self_")
        if self.receiver:
            parameters.append(f"{self.receiver} receiver_")
        call = f"{'receiver_.' if self.receiver else self.scope}{self.name}({', '.join(arguments)})"
        body = {"void": f"{call};"}.get(self.result, f"return {call};")
        result = re.sub(r"^(static|inline|constexpr)\s+", "", self.result)
        result = re.sub(r"\s*&$", "", result) if "&" in result else result
        function = f"{result} f@({', '.join(parameters)}) {{ {body} }}"
        return function if self.scope == "torch::" else f"namespace {self.scope[:-2]} {{ {function} }}"  # types as they are named there


def without_symint(text):
    """`text` without its namespaces symint."""
    kept, at = [], 0
    for found in re.finditer(r"namespace symint \{.*?\n\}\n", text, re.S):
        kept.append(text[at:found.start()])
        at = found.end()
    return "".join(kept) + text[at:]


def public(name, *types):
    return not (name.startswith("_") or name.endswith(("_symint", "_copy_outf", "_copy_out")) or ABSENT.fullmatch(name)
                or any(ABSENT_TYPES.search(t) for t in types))


def functions(include):
    for header in sorted((include / "ATen/ops").glob("*.h")):
        if header.stem.endswith(("_native", "_ops", "_dispatch", "_meta")):
            continue
        for result, name, parameters in re.findall(r"^inline (.*?)\b(\w+)\(([^)]*(?:\([^)]*\)[^)]*)*)\) \{",
                                                   without_symint(header.read_text()), re.M):
            if public(name, result, parameters):
                yield Call(result, name, parameters)


def methods(include):
    for header in ("TensorBody.h", "TensorBase.h"):
        text = (include / "ATen/core" / header).read_text()
        text = re.sub(r"//.*|/\*.*?\*/", "", text)
        text = text[text.index(f"class TORCH_API Tensor{'Base' if 'Base' in header else ': public TensorBase'}"):].split("\n};")[0]
        for result, name, parameters in re.findall(
                r"^ +(?:virtual )?((?:const )?[\w:<>, ]+[\s&]+)(\w+)\(([^{};]*?)\)(?: const| noexcept| const noexcept)* *(?:&&? *)?[{;]",
                text, re.M):
            if (public(name, result, parameters) and not re.match(r"\s*(return|else|throw|static|using|typedef)\b", result)
                    and "template" not in result and not name.startswith(("operator", "Tensor"))):
                yield Call(result, name, parameters, receiver="at::Tensor")


def api(include):
    home = include / "torch/csrc/api/include/torch"
    for space in ("fft", "special"):
        text = re.sub(r"//.*", "", (home / f"{space}.h").read_text())
        for result, name, parameters in re.findall(r"^inline ([^;{}()]*?)\b(\w+)\(([^{};]*)\) \{", text, re.M):
            if public(name, result, parameters):
                yield Call(result, name, parameters, scope=f"torch::{space}::")


def nn(include):
    home = include / "torch/csrc/api/include/torch/nn"
    for header in sorted((home / "functional").glob("*.h")):
        text = re.sub(r"namespace detail \{.*?\n\} // namespace detail|namespace detail \{.*?\n\}\n", "", header.read_text(), flags=re.S)
        text = re.sub(r"//.*|/\*.*?\*/", "", text)
        for result, name, parameters in re.findall(r"^inline ([^;{}()]*?)\b(\w+)\(([^;]*?)\) \{", text, re.M | re.S):
            if public(name):
                yield Call(result, name, re.sub(r"\s+", " ", parameters), scope="torch::nn::functional::")


def options(include):
    """Every option of a struct of options: read, set, and set in a chain."""
    home = include / "torch/csrc/api/include/torch"
    places = [(home / "nn/options", "torch::nn::"), (home / "optim", "torch::optim::"), (home / "data", "torch::data::")]
    for folder, scope in places:
        for header in sorted(folder.glob("*.h")):
            text = re.sub(r"//.*", "", header.read_text())
            for struct, body in re.findall(r"struct TORCH_API (\w+)[^{;]*\{(.*?)\n\};", text, re.S):
                for kind, name in re.findall(r"TORCH_ARG\(\s*(.*?),\s*(\w+)\s*\)", re.sub(r"\s+", " ", body)):
                    if ABSENT_TYPES.search(kind):
                        continue
                    yield Raw(f"namespace {scope[:-2]} {{ {struct}& f@({struct}& o) {{ {kind} v = o.{name}(); "
                              f"return o.{name}(v).{name}(o.{name}()); }} }}", f"{struct}::{name}")
            for name in re.findall(r"using (\w+) = [\w:<>]+;", text):
                if name.endswith("Options"):
                    yield Raw(f"void f@({scope}{name}) {{}}", name)


class Raw:
    def __init__(self, line, name):
        self.line, self.name = line, name

    def functions(self):
        yield self.line


PARTS = {"functions": functions, "methods": methods, "api": api, "nn": nn, "options": options}


def failing(flags, lines):
    """{number of a line that does not compile: the first words about it}."""
    head = ["#include <torch/torch.h>"]
    with tempfile.NamedTemporaryFile("w", suffix=".cpp") as source:
        source.write("\n".join([*head, *lines]))
        source.flush()
        done = subprocess.run(["g++", "-std=c++20", "-fsyntax-only", "-w", "-fmax-errors=0", "-ftemplate-backtrace-limit=0", *flags,
                               source.name], capture_output=True, text=True)
        bad, words = {}, ""
        for line in done.stderr.splitlines():
            if ": error: " in line:
                words = line.split(": error: ")[1]
            at = re.match(re.escape(source.name) + r":(\d+):", line)
            if at and words and "note:" not in line:
                bad.setdefault(int(at[1]) - 1 - len(head), words)
            if at and "required from here" in line:
                bad.setdefault(int(at[1]) - 1 - len(head), line)
        return bad


def main(python, *parts):
    home = pathlib.Path(subprocess.run([python, "-c", "import torch, os; print(os.path.dirname(torch.__file__))"], check=True,
                                       capture_output=True, text=True).stdout.strip())
    include = home / "include"
    lines, owners = [], []
    for part in parts or PARTS:
        for call in PARTS[part](include):
            for line in call.functions():
                lines.append(line.replace("f@", f"f{len(lines)}", 1).replace("\n", " "))
                owners.append(f"{part} {call.name}")
    ours = failing(["-I", ROOT / "include", "-I", ROOT / "include/taut-torch"], lines)
    asked = sorted(i for i in ours if i < len(lines))
    theirs = failing(["-isystem", include, "-isystem", include / "torch/csrc/api/include"], [lines[i] for i in asked])
    missing = [i for place, i in enumerate(asked) if place not in theirs]
    names = {}
    for i in missing:
        names.setdefault(owners[i], []).append(i)
    for owner, where in names.items():
        print(f"{owner}: {len(where)} of {owners.count(owner)}: {ours[where[0]]}\n    {lines[where[0]]}")
    print(f"{len(lines)} calls of {len(set(owners))} names; {len(asked)} do not compile here, {len(missing)} of these do with libtorch, "
          f"{len(names)} names")
    sys.exit(bool(missing))


if __name__ == "__main__":
    main(*sys.argv[1:])
