#!/usr/bin/env python3
"""Writes the list of docs/python.md that says which public names of PyTorch are not there, and why.

    PYTHONPATH=python python3 tools/absent_names.py            # writes the list; `make generate` does this
    PYTHONPATH=python python3 tools/absent_names.py --check    # says whether it is up to date

tools/torch_names.txt has PyTorch's names; a name that is absent without a reason in REASONS is an error.
"""

import importlib
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TARGET = os.path.join(HERE, "..", "docs", "python.md")
START, END = "<!-- absent -->\n", "<!-- end of absent -->\n"
# Why names are absent: the first pattern that fits the whole of one. The order is that of the list.
REASONS = [
    ("one device, and nothing of what drives others", r"(mi|cud)\w*n_\w+|miopen_\w+|cudnn_\w+|mkldnn_\w+|to_mkldnn|ipu|xpu|mtia|record_stream|"
     r"StreamObjType|DeviceObjType|is_vulkan_available|get_device_module|"
     r"profiler_allow_\w+|batch_norm_(backward|elemt|gather|stats|update)\w*|scaled_grouped_mm|scaled_mm|ScalingType|SwizzleType"),
    ("quantised tensors", r"\w*(quant|qparams)\w*|fbgemm_\w+|q(u?int)\w+|q_\w+|qscheme|int_repr|per_(channel|tensor)_\w+|Q\w+Storage|\w*fake_quant\w*"),
    ("nested tensors", r"to_padded_tensor"),
    ("complex numbers", r"\w*complex\w*|view_as_real(_copy)?|c(half|float|double)|Complex\w+|conj_physical_?|angle|imag|polar"),
    ("linear algebra", r"(linalg\.\w+|chain_matmul|cholesky\w*|det|slogdet|logdet|eig|symeig|geqrf|inverse|pinverse|lobpcg|lstsq|lu\w*|matrix_\w+|nuclear_norm|orgqr|"
     r"ormqr|pca_lowrank|qr|solve|svd\w*|triangular_solve)"),
    ("dtypes of fewer or other bits", r"u?int[1-7]|float4_\w+|bits\w+|bit"),
    ("the compiler and its scripts: ops run as they are", r"(Script|Lite)\w+|\w+Type|\w*Graph\w*|Sym\w+|sym_\w+|import_ir_\w+|parse_\w+|merge_type_\w+|unify_type_list|"
     r"(Alias|Argument|Block|Call|Capsule|Class|Code|Complete|Concrete|DeepCopy|Deserial|Dispatch|Enum|Error|Exclude|Execution|FatalError|FileCheck|Function|"
     r"Future|Gradient|IODesc|Inferred|LockingLogger|NoopLogger|Node|OperatorInfo|PyTorchFile|Serialization|StaticModule|Tag|Throughput|Tracing|Type|Use|Value|"
     r"Benchmark|Aggregation|AwaitType)\w*|fork|wait|BufferDict|ModuleDict|ParameterDict|GraphExecutorState|prepare_multiprocessing_environment"),
    ("the machinery of subclasses and of documentation", r"assert_int_or_pair|classproperty"),
    ("inner names of the package", r"native_norm|get_file_path|init_num_threads|legacy_contiguous_format"),
]


def recorded():
    """{namespace: its names}"""
    with open(os.path.join(HERE, "torch_names.txt")) as lines:
        pairs = (line.rstrip("\n").split(": ") for line in lines if not line.startswith("#"))
        return {namespace: names.split() for namespace, names in pairs}


def holder(namespace):
    import taut

    if namespace == "torch.Tensor":
        return taut.Tensor
    try:
        return importlib.import_module("taut" + namespace[len("torch"):])
    except ImportError:
        return None  # nothing of it is there


def is_there(of, name):
    try:
        return hasattr(of, name)
    except Exception:  # a property of tensors
        return True


def reason(namespace, name):
    """The place of the reason in REASONS."""
    full = f"{namespace[len('torch.'):]}.{name}" if namespace == "torch.linalg" else name
    return next((k for k, (_, pattern) in enumerate(REASONS) if re.fullmatch(pattern, full)), None)


def text():
    lines, absent, unexplained = ["| namespace | names | there | absent |", "|---|---|---|---|"], {}, []
    for namespace, names in recorded().items():
        of = holder(namespace)
        missing = [n for n in names if not is_there(of, n)]
        lines.append(f"| `{namespace}` | {len(names)} | {len(names) - len(missing)} | {len(missing)} |")
        for n in missing:
            k = reason(namespace, n)
            if k is None:
                unexplained.append(f"{namespace}.{n}")
            else:
                absent.setdefault(k, []).append(f"`{namespace[len('torch'):].lstrip('.') + '.' if namespace != 'torch' else ''}{n}`")
    if unexplained:
        sys.exit("absent without a reason (REASONS in tools/absent_names.py): " + " ".join(unexplained))
    lines.append("")
    lines += [f"- **{REASONS[k][0]}** ({len(absent[k])}): {' '.join(absent[k])}" for k in sorted(absent)]
    return "\n".join(lines) + "\n"


def main():
    with open(TARGET) as f:
        whole = f.read()
    before, rest = whole.split(START)
    written = before + START + text() + END + rest.split(END)[1]
    if "--check" in sys.argv[1:]:
        if written != whole:
            sys.exit("the list of absent names in docs/python.md is out of date; run tools/absent_names.py")
        return
    with open(TARGET, "w") as f:
        f.write(written)


if __name__ == "__main__":
    main()
