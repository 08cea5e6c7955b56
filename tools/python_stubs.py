#!/usr/bin/env python3
"""Writes python/taut/__init__.pyi, the types of `taut`, from the schemas of the registry and the Python functions.

    PYTHONPATH=python python3 tools/python_stubs.py            # writes the file
    PYTHONPATH=python python3 tools/python_stubs.py --check    # says whether it is up to date
"""

import inspect
import keyword
import os
import re
import sys

import taut
from taut import _C

TARGET = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python", "taut", "__init__.pyi")
TYPES = {"Tensor": "Tensor", "Tensor[]": "Sequence[Tensor]", "Scalar": "Number", "int": "builtins.int",
         "int[]": "Union[builtins.int, Sequence[builtins.int]]", "float": "builtins.float", "float[]": "Sequence[builtins.float]",
         "bool": "builtins.bool", "str": "builtins.str", "ScalarType": "_dtype", "Index[]": "Sequence[Any]", "Generator": "Generator"}
HEADER = '''# Written by tools/python_stubs.py from the registry; do not edit.
import builtins
from typing import Any, Callable, Iterator, List, Optional, Sequence, Tuple, Union, overload

from . import amp as amp, autograd as autograd, backends as backends, cuda as cuda, fft as fft, func as func, linalg as linalg
from . import nn as nn, optim as optim, random as random, special as special, testing as testing, utils as utils
from .autograd.grad_mode import enable_grad as enable_grad, inference_mode as inference_mode
from .autograd.grad_mode import no_grad as no_grad, set_grad_enabled as set_grad_enabled
from .serialization import load as load, save as save
from ._types import Size as Size, device as device, layout as layout, memory_format as memory_format
from ._functions import finfo as finfo, iinfo as iinfo

Number = Union[builtins.int, builtins.float, builtins.bool, "Tensor"]
__version__: builtins.str
'''


def type_of(schema_type):
    optional = schema_type.endswith("?")
    plain = re.sub(r"\[\d+\]", "[]", schema_type.rstrip("?"))
    found = TYPES.get(plain, "Any")
    return f"Optional[{found}]" if optional else found


def result_of(returns):
    returns = returns.strip()
    if returns.startswith("("):
        return f"Tuple[{', '.join(type_of(r.split()[0]) for r in returns[1:-1].split(', '))}]"
    return "Tuple[Tensor, ...]" if returns == "Tensor[]" else type_of(returns)


def arguments_of(schema):
    inside = schema[schema.index("(") + 1:schema.rindex(") ->")]
    depth, part, parts = 0, "", []
    for c in inside:
        depth += (c in "[(") - (c in "])")
        if c == "," and depth == 0:
            parts.append(part.strip())
            part = ""
        else:
            part += c
    return parts + ([part.strip()] if part.strip() else [])


def python_name(name):
    return name + "_" if keyword.iskeyword(name) else name


def signatures(schema, method):
    """One or two ways to write the call: a list of ints may be given one by one."""
    result = result_of(schema[schema.rindex("->") + 2:])
    written, star, loose = [], False, None
    given = arguments_of(schema)
    factory = not any(a.startswith("Tensor self") or a.startswith("Tensor input") for a in given) or \
        schema.split("(")[0].split(".")[0].endswith("_like") or schema.startswith("new_")
    for position, a in enumerate(given):
        if a == "*":
            star = True
            written.append("*")
            continue
        kind, _, rest = a.partition(" ")
        name, _, default = rest.partition("=")
        if position == 0 and name == "self":
            written.append("self" if method else "input: Tensor")
            continue
        if kind.startswith("int[") and position <= 1 and not star:
            loose = position
        written.append(f"{python_name(name)}: {type_of(kind)}" + (" = ..." if default or kind.endswith("?") else ""))
    if result == "Tensor" and not method:
        extra = ["out: Optional[Tensor] = ..."]
        if factory and any("ScalarType" in a for a in given):
            extra += ["device: Any = ...", "layout: Any = ...", "requires_grad: builtins.bool = ...", "pin_memory: builtins.bool = ..."]
        written += ([] if star else ["*"]) + extra
    # A default before an argument without one is not Python.
    seen_default = False
    for k, w in enumerate(written):
        if w == "*":
            break
        if "= ..." in w:
            seen_default = True
        elif seen_default and w != "self":
            written[k] += " = ..."
    ways = [f"({', '.join(written)}) -> {result}: ..."]
    if loose is not None and (loose == len([a for a in given if a != "*"]) - 1 or "*" in written[loose + 1:loose + 2]):
        name = written[loose].partition(":")[0]
        tail = [w for w in written[loose + 1:] if w != "*"]
        ways.append(f"({', '.join(written[:loose] + [f'*{name}: builtins.int'] + tail)}) -> {result}: ...")
    return ways


def written_function(name, ways, indent):
    if len(ways) == 1:
        return [f"{indent}def {name}{ways[0]}"]
    return [line for way in ways for line in (f"{indent}@overload", f"{indent}def {name}{way}")]


def python_function(name, function, indent, method):
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return [f"{indent}def {name}({'self, ' if method else ''}*args: Any, **kwargs: Any) -> Any: ..."]
    parts, star = [], False
    for k, p in enumerate(signature.parameters.values()):
        default = "" if p.default is p.empty else " = ..."
        if p.kind is p.VAR_POSITIONAL:
            parts.append(f"*{p.name}: Any")
            star = True
        elif p.kind is p.VAR_KEYWORD:
            parts.append(f"**{p.name}: Any")
        else:
            if p.kind is p.KEYWORD_ONLY and not star:
                parts.append("*")
                star = True
            parts.append(p.name if method and k == 0 else f"{p.name}: Any{default}")
    return [f"{indent}def {name}({', '.join(parts)}) -> Any: ..."]


def schemas_by_name():
    found = {}
    for s in _C._schemas():
        found.setdefault(re.split(r"[.(]", s, maxsplit=1)[0], []).append(s)
    return found


def op_lines(name, schemas, indent, method):
    ways = []
    for s in schemas:
        if method and "(Tensor self" not in s:
            continue
        for way in signatures(s, method):
            if way not in ways:
                ways.append(way)
    return written_function(name, ways, indent) if ways else []


OPERATORS = {**dict.fromkeys("add radd sub rsub mul rmul truediv rtruediv floordiv rfloordiv mod rmod pow rpow matmul and rand or ror xor "
                             "rxor lshift rlshift rshift rrshift lt le gt ge".split(), "(self, other: Any) -> Tensor: ..."),
             **dict.fromkeys("neg pos abs invert".split(), "(self) -> Tensor: ..."),
             "getitem": "(self, key: Any) -> Tensor: ...", "setitem": "(self, key: Any, value: Any) -> None: ...",
             "len": "(self) -> builtins.int: ...", "iter": "(self) -> Iterator[Tensor]: ...", "bool": "(self) -> builtins.bool: ...",
             "float": "(self) -> builtins.float: ...", "int": "(self) -> builtins.int: ...", "index": "(self) -> builtins.int: ...",
             "init": "(self, *args: Any, **kwargs: Any) -> None: ..."}
PROPERTIES = dict(shape="Size", dtype="_dtype", device="_device", layout="_layout", requires_grad="builtins.bool", is_leaf="builtins.bool",
                  grad="Optional[Tensor]", data="Tensor", ndim="builtins.int", itemsize="builtins.int", nbytes="builtins.int", T="Tensor",
                  mT="Tensor", H="Tensor", mH="Tensor", real="Tensor", grad_fn="Any", retains_grad="builtins.bool", output_nr="builtins.int",
                  is_cpu="builtins.bool", is_cuda="builtins.bool", is_sparse="builtins.bool", is_quantized="builtins.bool",
                  is_meta="builtins.bool", is_mps="builtins.bool", is_nested="builtins.bool")
RESULTS = dict(item="Any", numel="builtins.int", nelement="builtins.int", dim="builtins.int", ndimension="builtins.int",
               storage_offset="builtins.int", data_ptr="builtins.int", element_size="builtins.int", tolist="Any",
               is_floating_point="builtins.bool", is_complex="builtins.bool", is_signed="builtins.bool", is_inference="builtins.bool",
               zero_="Tensor", detach_="Tensor", retain_grad="None")


def tensor_class(schemas):
    lines = ["class Tensor:"]
    lines += [f"    {name}: {kind}" for name, kind in PROPERTIES.items()]
    lines += [f"    def __{name}__{text}" for name, text in OPERATORS.items()]
    lines += ["    def __eq__(self, other: Any) -> Tensor: ...  # type: ignore[override]",
              "    def __ne__(self, other: Any) -> Tensor: ...  # type: ignore[override]",
              "    def __hash__(self) -> builtins.int: ..."]
    for name in sorted(dir(_C.Tensor)):
        if name.startswith("_") or name in PROPERTIES:
            continue
        value = inspect.getattr_static(_C.Tensor, name)
        if isinstance(value, property) or inspect.isgetsetdescriptor(value):
            lines.append(f"    {name}: Any")
        elif type(value).__name__ == "Op":
            plain = value._row
            found = schemas.get(plain) or [s for s in schemas.get(plain[:-1], [])]
            lines += op_lines(name, found, "    ", True)
        elif inspect.isfunction(value):
            lines += python_function(name, value, "    ", True)
        elif name in RESULTS:
            lines.append(f"    def {name}(self) -> {RESULTS[name]}: ...")
        else:
            lines.append(f"    def {name}(self, *args: Any) -> Any: ...")
    return lines


def text():
    schemas = schemas_by_name()
    lines = [HEADER]
    lines += ["class dtype:", "    is_floating_point: builtins.bool", "    is_complex: builtins.bool", "    is_signed: builtins.bool",
              "    itemsize: builtins.int", "    def to_real(self) -> dtype: ...", "    def to_complex(self) -> dtype: ...", "", "class Generator:", "    def __init__(self, device: Any = ...) -> None: ...",
              "    def manual_seed(self, seed: builtins.int) -> Generator: ...", "    def seed(self) -> builtins.int: ...",
              "    def initial_seed(self) -> builtins.int: ...", "    def get_state(self) -> Tensor: ...",
              "    def set_state(self, new_state: Tensor) -> Generator: ...", "    def clone_state(self) -> Generator: ...",
              "    device: Any", ""]
    # Tensor has attributes of these names, which would hide the classes from its methods.
    lines += ["_dtype = dtype", "_device = device", "_layout = layout", ""]
    lines += tensor_class(schemas) + [""]
    skip = {"finfo", "iinfo"}
    for name, value in sorted(vars(taut).items()):
        if type(value).__name__ == "tensortype":
            lines.append(f"class {name}(Tensor): ...")
            continue
        if name.startswith("_") or name in skip or inspect.ismodule(value) or inspect.isclass(value):
            continue
        if type(value).__name__ == "Op":
            plain = value._row
            lines += op_lines(name, schemas.get(plain) or schemas.get(plain[:-1], []), "", False)
        elif inspect.isfunction(value):
            lines += python_function(name, value, "", False)
        elif isinstance(value, _C.dtype):
            lines.append(f"{name}: dtype")
        elif isinstance(value, float):
            lines.append(f"{name}: builtins.float")
        elif inspect.isbuiltin(value):
            lines.append(f"def {name}(*args: Any) -> Any: ...")
        else:
            lines.append(f"{name}: Any")
    return "\n".join(lines) + "\n"


def main():
    written = text()
    if "--check" in sys.argv[1:]:
        with open(TARGET) as f:
            if f.read() != written:
                sys.exit("python/taut/__init__.pyi is out of date; run tools/python_stubs.py")
        return
    with open(TARGET, "w") as f:
        f.write(written)


if __name__ == "__main__":
    main()
