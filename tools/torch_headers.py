#!/usr/bin/env python3
"""Writes what include/taut-torch/ has for programs of libtorch: names.h, which declares the names of taut:: in at:: and
torch::, and a header for each one of libtorch's that such programs include, which includes torch/torch.h.

    python3 tools/torch_headers.py g++            # writes them; `make generate` does this
    python3 tools/torch_headers.py g++ --check    # says which are out of date
"""

import pathlib
import re
import subprocess
import sys

INCLUDE = pathlib.Path(__file__).resolve().parent.parent / "include"
TORCH = INCLUDE / "taut-torch"

# Headers that libtorch has nothing of, and names that it has not: a program may have its own.
NOT_THERE = re.compile(r"taut/(io|report|graph|progress|fingerprint|registry|out|random_scope)\b|taut/nn/enums\.h|taut/core/(dims|ref|"
                       r"graph_node|maths)\.h|taut/ops/optim\.h|taut/optim/(table|state|schedules)\.h")
NOT_NAMES = {"check", "str", "warn", "trim", "memory_stats", "reset_peak_memory_stats", "MemoryStats", "set_warning_handler",
             "visit_dtype", "dtype_of", "dtype_name", "kDtypeCount", "kRealCount", "throw_no_kernel", "complex_type", "value_type",
             "is_differentiable", "Complex", "TensorData", "repr", "PrintOptions", "get_printoptions",
             "set_printoptions", "explain_grad", "Error", "OutOfMemory", "PrintStyle", "set_print_style", "print_style", "parallel_ranges", "print_cpp"}
# Where libtorch has another thing of the name, or none: include/taut-torch/taut-torch says which.
NOT_HERE = {"taut": {"save", "load"}, "taut::data::samplers": {"DistributedSampler"}, "taut::optim": {"LRScheduler", "StepLR"},
            "taut::nn::functional": {"sigmoid", "tanh"}}
# Where the names of a namespace go. `at` is visible in torch:: and c10::.
PLACES = {"taut": "at", "taut::indexing": "at::indexing", "taut::ivalue": "c10::ivalue"}

# Those of libtorch's public tree, beside torch.h itself: folder, then names.
FORWARDERS = """
torch: all arg autograd cuda data detail/TensorDataContainer detail/static enum expanding_array fft imethod jit linalg mps nested
  nn optim ordered_dict print serialize sparse special types utils version xpu script library
torch/csrc: Export
torch/csrc/autograd: autograd anomaly_mode custom_function edge engine forward_grad function function_hook grad_mode graph_task
  InferenceMode input_buffer input_metadata node saved_variable saved_variable_hooks variable functions/accumulate_grad
  functions/utils generated/variable_factories
torch/csrc/jit/serialization: import pickle
torch/data: dataloader dataloader_options datasets example iterator samplers transforms worker_exception
torch/data/dataloader: base stateful stateless
torch/data/datasets: base chunk map mnist shared stateful tensor
torch/data/detail: data_shuttle queue sequencers
torch/data/samplers: base custom_batch_request distributed random sequential serialize stream
torch/data/transforms: base collate lambda stack tensor
torch/nn: cloneable functional init module modules options pimpl pimpl-inl utils
torch/nn/functional: activation batchnorm conv distance dropout embedding fold instancenorm linear loss normalization padding
  pixelshuffle pooling upsampling vision
torch/nn/modules: _functions activation adaptive batchnorm common conv distance dropout embedding fold instancenorm linear loss
  normalization padding pixelshuffle pooling rnn transformer transformercoder transformerlayer upsampling utils
torch/nn/modules/container: any any_module_holder any_value functional moduledict modulelist named_any parameterdict
  parameterlist sequential
torch/nn/options: activation adaptive batchnorm conv distance dropout embedding fold instancenorm linear loss normalization
  padding pixelshuffle pooling rnn transformer transformercoder transformerlayer upsampling vision
torch/nn/parallel: data_parallel
torch/nn/utils: clip_grad convert_parameters rnn
torch/optim: adagrad adam adamw lbfgs optimizer rmsprop serialize sgd schedulers/lr_scheduler schedulers/step_lr
  schedulers/reduce_on_plateau_scheduler
torch/serialize: archive input-archive output-archive tensor
ATen: ATen AccumulateType ArrayRef Backend Backtrace CPUApplyUtils CPUFunctions CPUGeneratorImpl Config Context Device DeviceGuard DimVector
  Dispatch Dispatch_v2 ExpandUtils Formatting Functions Generator InferSize InitialTensorOptions Layout NativeFunctions
  NumericUtils OpMathType Operators Parallel ParallelNative ParallelOpenMP SavedTensorHooks TensorGeometry WrapDimUtilsMulti Scalar ScalarOps ScalarType SmallVector Storage Tensor TensorAccessor TensorIndexing
  TensorOperators TensorOptions TensorUtils Utils Version WrapDimUtils autocast_mode ceil_div record_function
ATen/core: ATen_fwd Backtrace Dict DimVector Formatting Generator IListRef List Variadic ivalue_inl typeid Reduction Scalar ScalarType Tensor TensorAccessor TensorBase TensorBody grad_mode ivalue
c10/core: AutogradState Contiguity CPUAllocator DefaultDtype DefaultTensorOptions Device DeviceGuard DeviceType GradMode InferenceMode Layout
  MemoryFormat Scalar ScalarType ScalarTypeToTypeMeta Storage StorageImpl TensorImpl TensorOptions UndefinedTensorImpl WrapDimMinimal
c10/macros: Export Macros
c10/util: AbortHandler Array ArrayRef BFloat16 BFloat16-inl BFloat16-math Backtrace C++17 CallOnce Deprecated DimVector Enumerate Exception FunctionRef Float8_e4m3fn Float8_e4m3fnuz Float8_e5m2 Float8_e5m2fnuz Float8_e8m0fnu Half Half-inl Logging
  MathConstants Metaprogramming Optional OptionalArrayRef ScopeExit SmallVector StringUtil Type TypeCast TypeIndex TypeTraits
  TypeSafeSignMath  UniqueVoidPtr accumulate bit_cast complex complex_math complex_utils hash intrusive_ptr irange math_compat overloaded ssize string_utils string_view tempfile
  typeid Flags variant
"""


# What few programs want, and all would pay for.
OWN = {"ATen/Dispatch_v2": "taut-torch/dispatch_v2.h", "c10/util/Flags": "taut-torch/flags.h", "c10/util/Logging": "taut-torch/logging.h",
       "c10/util/tempfile": "taut-torch/tempfile.h"}


def forwarders():
    folder = None
    for word in FORWARDERS.split():
        if word.endswith(":"):
            folder = word[:-1]
            continue
        header = OWN.get(f"{folder}/{word}", "torch/torch.h")
        yield (f"{folder}/{word}.h",
               f"// See {header}.\n#pragma once\n#include \"{header}\"  // IWYU pragma: export\n")


def own_text(compiler):
    """taut/taut.h after preprocessing, without the standard library; and with each line the header it stands in."""
    command = [compiler, "-std=c++20", "-E", "-I", str(INCLUDE), "-include", "taut/taut.h", "-x", "c++", "/dev/null"]
    header = ""
    for line in subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines():
        marker = re.match(r'# \d+ "(.*?)"', line)
        if marker:
            header = marker[1].partition("include/")[2] if "/taut/" in marker[1] else ""
        elif header and not line.startswith("#"):
            yield header, line


def without(text, opening, closing):
    """`text` without what stands in pairs of these brackets."""
    kept, depth = [], 0
    for c in text:
        depth += c == opening
        if not depth:
            kept.append(c)
        depth -= c == closing
    return "".join(kept)


def constraints_off(text):
    """`text` without its `requires (...)`, in which a `>` need not be a bracket."""
    while found := re.search(r"\brequires\s*\(", text):
        depth, end = 1, found.end()
        while depth:
            depth += (text[end] == "(") - (text[end] == ")")
            end += 1
        text = text[:found.start()] + " " + text[end:]
    return text


def names_of(declaration):
    """The names that one declaration at namespace scope introduces."""
    text = re.sub(r"\[\[.*?\]\]|\bdecltype\s*\(auto\)|__attribute__\s*\(\(.*?\)\)", " ", declaration)
    text = constraints_off(re.sub(r"->|<=>|>=|<=|<<", " ", text)).strip()
    if re.match(r"(friend|static_assert|extern template|template\s+(class|struct|[^<]))\b", text) or "operator" in text:
        return []
    if alias := re.match(r"(?:template\s*<.*?>\s*)?using\s+(\w+)\s*=", text):
        return [alias[1]]
    if re.match(r"using\s+(enum\s+|namespace\s+)", text):
        return []
    if used := re.match(r"using\s+[\w:]*::(\w+)$", text):
        return [used[1]]
    text = without(text, "<", ">")
    text = re.sub(r"\btemplate\b", " ", text)
    if kind := re.match(r"\s*(?:requires.*?)?\b(?:class|struct|union|enum class|enum struct|enum)\s+(?:alignas\(\w+\)\s*)?(\w+)", text):
        if "(" not in text.split("{")[0].replace("alignas(", ""):
            return [kind[1]]
    head = text.split("{")[0]
    if "(" in head.split("=")[0]:  # a function; the last word before a bracket that is no constraint
        found = [w for w in re.findall(r"(?<!::)\b(\w+)\s*\(", head.split("=")[0]) if w not in ("noexcept", "alignas", "decltype")]
        return found[:1]
    if "constexpr" in text or "const " in text or "extern" in text:
        return re.findall(r"(\w+)\s*(?:[={]|$)", re.sub(r"=[^,]*|\{[^,}]*\}", "=", without(text, "(", ")")).replace(",", "=,"))
    return []


def names(compiler):
    """{namespace: names} of everything that a public header declares."""
    found = {}
    stack, pending, body = [], [], 0  # open namespaces; the declaration so far; braces within it
    for header, line in own_text(compiler):
        line = re.sub(r'"(\\.|[^"\\])*"', '""', re.sub(r"'(\\.|[^'\\])'", "' '", line))
        for token in re.findall(r"namespace\s+[\w:]+\s*\{|namespace\s*\{|\w+|\s+|.", line):
            if body == 0 and token.startswith("namespace") and token.endswith("{") and not "".join(pending).replace("inline", "").strip():
                stack.append(token[9:-1].strip())
                pending.clear()
            elif token == "{":
                body += 1
                pending.append("{" if body == 1 else "")
            elif token == "}" and body == 0:
                stack.pop()
                pending.clear()
            elif token == "}":
                body -= 1
                text = "".join(pending)
                if body == 0 and re.search(r"\)[^=]*\{$", text) and not re.search(r"=\s*\w*\{$", text):
                    note(found, stack, text, header)  # the body of a function
                    pending.clear()
                elif body == 0:
                    pending.append("}")
            elif body:
                continue
            elif token == ";":
                note(found, stack, "".join(pending), header)
                pending.clear()
            else:
                pending.append(token)
        pending += [" "] * (body == 0)
    return found


def note(found, stack, declaration, header):
    place = "::".join(stack)
    parts = place.split("::")
    if NOT_THERE.match(header) or {"detail", "Reduction"} & set(parts) or any(not p for p in parts):
        return
    known = found.setdefault(place, {})
    for name in names_of(" ".join(declaration.split())):
        if (name not in NOT_NAMES or place != "taut") and name not in NOT_HERE.get(place, ()):
            known[name] = None


def names_header(compiler):
    lines = ["// Written by tools/torch_headers.py from the public headers; do not edit. The names of taut:: in at:: and torch:::",
             "// declarations, not a directive, since programs add to torch::nn, and `nn` must not be two namespaces to them.",
             "#pragma once", "#include \"taut/taut.h\"", "// clang-format off"]
    for place, known in sorted(names(compiler).items()):
        target = PLACES.get(place, "torch" + place[4:])
        lines += [f"namespace {target} {{", *(f"using ::{place}::{name};" for name in sorted(known)), f"}}  // namespace {target}"]
    lines += ["// clang-format on", "namespace c10 {", "using namespace at;  // NOLINT", "}", "namespace at {",
              "using namespace c10;  // NOLINT", "}", "namespace torch {", "using namespace at;  // NOLINT", "}", ""]
    return "\n".join(lines)


def main(compiler, *options):
    files = dict(forwarders())
    files["taut-torch/names.h"] = names_header(compiler)
    old = [name for name, text in files.items() if not (TORCH / name).exists() or (TORCH / name).read_text() != text]
    if "--check" in options:
        sys.exit(f"out of date: {', '.join(old)}. Run `make generate`." if old else 0)
    for name in old:
        (TORCH / name).parent.mkdir(parents=True, exist_ok=True)
        (TORCH / name).write_text(files[name])


if __name__ == "__main__":
    main(*sys.argv[1:])
