"""Schemas of ops that programs define: read from text or from the annotations of a function, and arguments checked against them."""

import inspect
import re
import typing

from . import _C
from ._C import Tensor
from ._types import device, layout, memory_format

_NUMBER = (int, float, bool)


def _is_int(x):
    return (isinstance(x, int) and not isinstance(x, bool)) or (hasattr(x, "__index__") and not isinstance(x, (bool, Tensor)))


# What a value of each type is; and a name for it in the words of errors.
_CHECKS = {
    "Tensor": lambda x: isinstance(x, Tensor),
    "int": _is_int, "SymInt": _is_int,
    "float": lambda x: isinstance(x, (int, float)) and not isinstance(x, bool) or hasattr(x, "__float__") and not isinstance(x, Tensor),
    "SymFloat": lambda x: isinstance(x, (int, float)),
    "bool": lambda x: isinstance(x, bool),
    "SymBool": lambda x: isinstance(x, bool),
    "str": lambda x: isinstance(x, str),
    "Scalar": lambda x: isinstance(x, (int, float, bool, complex)),
    "complex": lambda x: isinstance(x, (int, float, complex)),
    "ScalarType": lambda x: isinstance(x, _C.dtype),
    "Device": lambda x: isinstance(x, (device, str)),
    "Layout": lambda x: isinstance(x, layout),
    "MemoryFormat": lambda x: isinstance(x, memory_format),
    "Generator": lambda x: isinstance(x, _C.Generator),
}
_OF_ANNOTATION = {Tensor: "Tensor", int: "SymInt", float: "float", bool: "bool", str: "str", _C.dtype: "ScalarType", device: "Device",
                  typing.Union[int, float, bool]: "Scalar"}


class Argument:
    """An argument of a schema: name, type ("Tensor", "SymInt[]?", ...), default, whether only by name, whether written."""

    def __init__(self, name, kind, default=inspect.Parameter.empty, kwarg_only=False, alias=None):
        self.name, self.kind, self.kwarg_only, self.alias = name, kind, kwarg_only, alias
        self.default = default
        optional = kind.endswith("?")
        bare = kind[:-1] if optional else kind
        item = re.fullmatch(r"(\w+\??)\[(\d*)\]", bare)
        self._optional, self._item, self._bare = optional, item and item[1], bare
        self._count = int(item[2]) if item and item[2] else None
        self.is_write = bool(alias and "!" in alias)

    @property
    def type(self):
        return self.kind

    @property
    def real_type(self):
        return self.kind

    @property
    def default_value(self):
        return None if self.default is inspect.Parameter.empty else self.default

    def has_default_value(self):
        return self.default is not inspect.Parameter.empty

    @property
    def alias_info(self):
        return self if self.alias else None

    def fits(self, value):
        """May this value be given?"""
        if value is None:
            return self._optional
        if self._item:
            if self._count and _CHECKS.get(self._item, lambda _: True)(value):
                return True  # one number for all
            each = _CHECKS.get(self._item.rstrip("?"), lambda _: True)
            may_be_none = self._item.endswith("?")
            return isinstance(value, (list, tuple)) and all(each(v) or (v is None and may_be_none) for v in value)
        return _CHECKS.get(self._bare, lambda _: True)(value)

    def taken(self, value):
        """The value as the op gets it."""
        if self._bare == "float" and isinstance(value, int):
            return float(value)
        if self._item and not isinstance(value, (list, tuple, type(None))):
            return [value] * self._count
        return value

    def __str__(self):
        kind = self.kind
        if self.alias:
            kind = re.sub(r"^\w+", lambda m: f"{m[0]}({self.alias})", kind)
        if self.default is inspect.Parameter.empty:
            return f"{kind} {self.name}"
        shown = {True: "True", False: "False"}.get(self.default) if isinstance(self.default, bool) else \
            f'"{self.default}"' if isinstance(self.default, str) else f"{int(self.default)}." \
            if isinstance(self.default, float) and self.default.is_integer() else str(self.default).replace("torch.", "")
        return f"{kind} {self.name}={shown}"


class Schema:
    """The arguments and results of an op."""

    def __init__(self, name, overload, arguments, returns):
        self.name, self.overload_name, self.arguments, self.returns = name, overload, arguments, returns
        self.is_mutable = any(a.is_write for a in arguments)

    def __str__(self):
        parts, starred = [], False
        for a in self.arguments:
            if a.kwarg_only and not starred:
                parts.append("*")
                starred = True
            parts.append(str(a))
        shown = self.returns[0] if len(self.returns) == 1 else f"({', '.join(self.returns)})"
        return f"{self.name}{'.' + self.overload_name if self.overload_name else ''}({', '.join(parts)}) -> {shown}"

    __repr__ = __str__

    def fits(self, args, kwargs):
        """Could it be called so?"""
        try:
            self.bind(args, kwargs)
        except RuntimeError:
            return False
        return True

    def bind(self, args, kwargs):
        """(values in order, values by name) with defaults filled in; raises where they do not fit."""
        positional = [a for a in self.arguments if not a.kwarg_only]
        if len(args) > len(positional):
            raise RuntimeError(f"{self.name}() expected at most {len(positional)} argument(s) but received {len(args)} argument(s). "
                               f"Declaration: {self}")
        given = dict(zip((a.name for a in positional), args))
        for name, value in kwargs.items():
            if name in given:
                raise RuntimeError(f"{self.name}() got multiple values for argument '{name}'. Declaration: {self}")
            given[name] = value
        values, named = [], {}
        for position, a in enumerate(self.arguments):
            if a.name in given:
                value = given.pop(a.name)
                if not a.fits(value):
                    raise RuntimeError(f"{self.name}() Expected a value of type '{self._word(a)}' for argument '{a.name}' but instead "
                                       f"found type '{type(value).__name__}'.\nPosition: {position}\nValue: {value!r}\n"
                                       f"Declaration: {self}")
                value = a.taken(value)
            elif a.has_default_value():
                value = a.default
            elif a._optional:
                value = None
            else:
                raise RuntimeError(f"{self.name}() is missing value for argument '{a.name}'. Declaration: {self}")
            if a.kwarg_only:
                named[a.name] = value
            else:
                values.append(value)
        if given:
            raise RuntimeError(f"Unknown keyword argument '{next(iter(given))}' for operator '{self.name}'. Schema: {self}")
        return values, named

    @staticmethod
    def _word(a):
        bare = a._bare.replace("SymInt", "int")
        if a._item:
            bare = f"List[{a._item.replace('SymInt', 'int')}]"
        return f"Optional[{bare}]" if a._optional else bare


def _split(text):
    """The parts between commas that are in no bracket."""
    parts, depth, start = [], 0, 0
    for i, c in enumerate(text):
        depth += (c in "([") - (c in ")]")
        if c == "," and not depth:
            parts.append(text[start:i])
            start = i + 1
    parts.append(text[start:])
    return [p.strip() for p in parts if p.strip()]


def _value(text, kind):
    if text in ("None", "True", "False"):
        return {"None": None, "True": True, "False": False}[text]
    if text[:1] in "\"'":
        return text[1:-1]
    if text.startswith("["):
        return [_value(t, kind) for t in _split(text[1:-1])]
    try:
        return int(text) if re.fullmatch(r"-?\d+", text) and not kind.startswith("float") else float(text)
    except ValueError:
        return getattr(_C, text, text)


def _check_type(name, text):
    if name not in _CHECKS:
        raise RuntimeError(f"unknown type specifier {name!r} in {text}. Common valid schema types include Tensor, SymInt, int, float, bool, "
                           "Scalar")


def parse(name, text):
    """The schema of "(Tensor x, *, float a=1.0) -> Tensor"; with or without the name of the op before it."""
    match = re.fullmatch(r"\s*(?:([\w:]+)(?:\.(\w+))?)?\s*\((.*)\)\s*->\s*(.*?)\s*", text, re.S)
    if not match:
        raise RuntimeError(f"expected a schema such as (Tensor x) -> Tensor, got: {text}")
    arguments, kwarg_only = [], False
    for part in _split(match[3]):
        if part == "*":
            kwarg_only = True
            continue
        left, equals, default = part.partition("=")
        found = re.fullmatch(r"\s*(\w+)(?:\(([^)]*)\))?((?:\?|\[\d*\])*)\s+(\w+)\s*", left)
        if not found:
            raise RuntimeError(f"{text}: cannot read the argument {part!r}")
        kind = found[1] + found[3]
        _check_type(found[1], text)
        arguments.append(Argument(found[4], kind, _value(default.strip(), kind) if equals else inspect.Parameter.empty, kwarg_only,
                                  found[2]))
    results = match[4]
    returns = _split(results[1:-1]) if results.startswith("(") else [results]
    for result in returns:
        _check_type(re.match(r"\w*", result)[0], text)
    return Schema(name or match[1], match[2] or "", arguments, returns)


def _kind_of(annotation, what):
    """The type of a schema that a Python annotation means."""
    if annotation in _OF_ANNOTATION:
        return _OF_ANNOTATION[annotation]
    origin, args = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is typing.Union or type(annotation).__name__ == "UnionType":
        inner = tuple(a for a in args if a is not type(None))
        if set(inner) == set(_NUMBER):
            return "Scalar" + ("?" if len(inner) < len(args) else "")
        if len(inner) == 1 and len(args) == 2:
            return _kind_of(inner[0], what) + "?"
    if origin in (list, typing.List) or (origin is not None and getattr(origin, "__name__", "") == "Sequence"):
        return _kind_of(args[0], what) + "[]"
    if origin is tuple and len(args) == 2 and args[1] is Ellipsis:
        return _kind_of(args[0], what) + "[]"
    raise ValueError(f"infer_schema(func): {what} is not a type that an op can have: {annotation}")


def infer(function, mutates_args, op_name=None):
    """The schema that the annotations of a function say."""
    signature = inspect.signature(function)
    try:
        hints = typing.get_type_hints(function)
    except Exception:
        hints = {}
    arguments, names = [], [p for p in signature.parameters]
    anything = mutates_args == "unknown"  # each tensor, then
    if anything:
        mutates_args = names
    unknown = sorted(set(mutates_args) - set(names))
    if unknown:
        raise ValueError(f"infer_schema(func): {unknown} in mutates_args were not found in the custom op's signature. mutates_args should "
                         f"contain the names of all args that the custom op mutates, or just the string \"unknown\" if you don't know.")
    written = 0
    for name, p in signature.parameters.items():
        if p.kind not in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY):
            raise ValueError("infer_schema(func): We do not support positional-only args, varargs, or varkwargs. Got func with signature "
                             f"{signature})")
        if p.annotation is p.empty:
            raise ValueError(f"infer_schema(func): Parameter {name} must have a type annotation. Got func with signature {signature})")
        kind, alias = _kind_of(hints.get(name, p.annotation), f"Parameter {name}"), None
        if name in mutates_args and not (anything and not kind.startswith("Tensor")):
            if not kind.startswith("Tensor"):
                raise ValueError(f"infer_schema(func): Parameter {name} is in mutable_args but only Tensors or collections of Tensors can be "
                                 "mutated")
            alias, written = f"a{written}!", written + 1
        arguments.append(Argument(name, kind, p.default, p.kind is p.KEYWORD_ONLY, alias))
    result = hints.get("return", signature.return_annotation)
    if signature.return_annotation is signature.empty:
        raise ValueError(f"infer_schema(func): No return type annotation was provided. Please add one. Got func with signature {signature})")
    if result in (None, type(None)):
        returns = []
    elif typing.get_origin(result) is tuple:
        returns = [_kind_of(a, "a result") for a in typing.get_args(result)]
    else:
        returns = [_kind_of(result, "the result")]
    return Schema(op_name or "", "", arguments, returns)
