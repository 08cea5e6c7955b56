"""torch.ops: every op of the registry by aten's names, callable, and what those see who watch ops (__torch_dispatch__)."""

import sys
import types

from . import _C
from ._C import Tensor


class Argument:
    """One argument of a schema."""

    def __init__(self, name, type, default, has_default, kwarg_only):
        self.name, self.type, self.real_type = name, type, type
        self.default_value, self.kwarg_only, self.is_out, self.alias_info = default, kwarg_only, False, None
        self._has_default = has_default

    def has_default_value(self):
        """May it be left out?"""
        return self._has_default

    def __repr__(self):
        return f"{self.type} {self.name}"


class FunctionSchema:
    """The names, types and defaults of an op's arguments, and what it returns."""

    def __init__(self, text):
        self._text = text
        head, _, rest = text.partition("(")
        self.name, _, self.overload_name = head.partition(".")
        inside, _, returns = rest.rpartition(" -> ")
        inside = inside[:-1]
        self.arguments, only = [], False
        for part in _parts(inside):
            if part == "*":
                only = True
                continue
            left, equals, default = part.partition("=")
            type, _, name = left.rpartition(" ")
            self.arguments.append(Argument(name, _TYPE_NAMES.get(type, type), _value(default) if equals else None, bool(equals), only))
        returned = _parts(returns[1:-1]) if returns.startswith("(") and returns.endswith(")") and not returns.startswith("()") else [returns]
        self.returns = [] if returns == "()" else [Argument(r.partition(" ")[2], r.partition(" ")[0], None, False, False) for r in returned]
        self.is_mutable = any("!" in str(a.type) for a in self.arguments) or self.name.endswith("_")

    def __str__(self):
        return self._text

    __repr__ = __str__

    def __eq__(self, other):
        return isinstance(other, FunctionSchema) and self._text == other._text

    def __hash__(self):
        return hash(self._text)


_TYPE_NAMES = {"Scalar": "number", "Scalar?": "Optional[number]", "ScalarType?": "Optional[int]", "ScalarType": "int", "Tensor?": "Optional[Tensor]",
               "int?": "Optional[int]", "float?": "Optional[float]", "bool?": "Optional[bool]", "int[]": "List[int]", "Tensor[]": "List[Tensor]"}


def _parts(text):
    """The text between commas that stand in no brackets."""
    parts, depth, start = [], 0, 0
    for i, c in enumerate(text):
        depth += (c in "([") - (c in ")]")
        if c == "," and not depth:
            parts.append(text[start:i].strip())
            start = i + 1
    last = text[start:].strip()
    return parts + [last] if last else parts


def _value(text):
    known = {"None": None, "True": True, "False": False}
    if text in known:
        return known[text]
    try:
        import ast

        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text


class OpOverload:
    """One overload of an op, such as torch.ops.aten.add.Tensor."""

    def __init__(self, packet, schema, function):
        self._schema, self._function, self._packet = FunctionSchema(schema), function, packet
        self.namespace = packet._namespace
        self._overloadname = self._schema.overload_name or "default"
        self._opname = packet._name
        self.__name__ = f"{packet._name}.{self._overloadname}"
        self.__qualname__, self.__module__ = self.__name__, f"torch._ops.{self.namespace}"
        self.__doc__ = getattr(function, "__doc__", None)
        self.tags = []

    overloadpacket = property(lambda self: self._packet)
    op = property(lambda self: self._packet.op)
    is_view = property(lambda self: self._opname in _VIEWS)

    def name(self):
        """aten::add.Tensor"""
        return self._schema.name + (f".{self._schema.overload_name}" if self._schema.overload_name else "")

    def has_kernel_for_dispatch_key(self, key):
        """False: there are no keys."""
        return False

    def decompose(self, *args, **kwargs):
        """NotImplemented: ops are what they are."""
        return NotImplemented

    def redispatch(self, keys, *args, **kwargs):
        """The op."""
        return self(*args, **kwargs)

    def __call__(self, /, *args, **kwargs):
        flat = (*args, *kwargs.values())
        if _C._len_torch_dispatch_stack() or _C._is_dispatched(*flat):
            return _C._dispatch(self, args, kwargs)
        for extra in ("pin_memory",):
            kwargs.pop(extra, None)
        return self._function(*args, **kwargs)

    def __repr__(self):
        return f"<OpOverload(op='{self.namespace}.{self._opname}', overload='{self._overloadname}')>"

    def __str__(self):
        return f"{self.namespace}.{self.__name__}"

    def __hash__(self):
        return id(self)

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        return getattr, (self._packet, self._overloadname)


class OpOverloadPacket:
    """All overloads of an op, such as torch.ops.aten.add."""

    def __init__(self, namespace, name, schemas, function):
        self._namespace, self._name, self._function = namespace, name, function
        self._qualified_op_name = f"{namespace}::{name}"
        self.__name__, self.__module__ = name, f"torch._ops.{namespace}"
        self.op = function
        self._overloads = {}
        for schema in schemas:
            made = OpOverload(self, schema, function)
            self._overloads[made._overloadname] = made
            setattr(self, made._overloadname, made)

    def overloads(self):
        """The names of its overloads."""
        return list(self._overloads)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        if name == "out" or name.endswith("_out"):
            return self._out(name)
        raise AttributeError(f"The underlying op of '{self}' has no overload name '{name}'")

    def _out(self, name):
        first = next(iter(self._overloads.values()))._schema
        plain = name.removesuffix("out").removesuffix("_")
        base = str(self._overloads[plain]._schema if plain in self._overloads else first)
        head, _, rest = base.partition("(")
        inside, _, returns = rest.rpartition(") -> ")
        star = "" if "*, " in inside else "*, "
        made = OpOverload(self, f"{head.partition('.')[0]}.{name}({inside}, {star}Tensor(a!) out) -> {returns}", self._function)
        setattr(self, name, made)
        return made

    def __call__(self, /, *args, **kwargs):
        flat = (*args, *kwargs.values())
        if len(self._overloads) == 1 and (_C._len_torch_dispatch_stack() or _C._is_dispatched(*flat)):
            return next(iter(self._overloads.values()))(*args, **kwargs)
        return self._function(*args, **kwargs)

    def __iter__(self):
        return iter(self._overloads)

    def __repr__(self):
        return f"<OpOverloadPacket(op='{self._namespace}.{self._name}')>"

    def __str__(self):
        return f"{self._namespace}.{self._name}"

    def __hash__(self):
        return id(self)

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        return getattr, (getattr(ops, self._namespace), self._name)


for _cls in (OpOverload, OpOverloadPacket, FunctionSchema, Argument):
    _cls.__module__ = "torch._ops" if _cls in (OpOverload, OpOverloadPacket) else "torch._C"

_VIEWS = {"view", "select", "slice", "t", "transpose", "permute", "unsqueeze", "squeeze", "expand", "detach", "alias", "split", "unbind", "diagonal",
          "as_strided", "unfold", "narrow", "chunk", "real", "imag", "view_as_real", "view_as_complex", "split_with_sizes", "movedim", "swapaxes"}


# What is no row of the registry but an op of aten: methods, and the ops that PyTorch's composites end in.


def _getter(name):
    return lambda self: getattr(Tensor, name).__get__(self)


def _to_copy(self, *, dtype=None, layout=None, device=None, pin_memory=None, non_blocking=False, memory_format=None):
    made = self.to(dtype=dtype, device=device, copy=True)
    return made if memory_format is None else made.contiguous(memory_format=memory_format)


def _native_layer_norm(input, normalized_shape, weight, bias, eps):
    from . import rsqrt

    dims = list(range(input.ndim - len(normalized_shape), input.ndim))
    mean, variance = input.mean(dims, keepdim=True), input.var(dims, correction=0, keepdim=True)
    return _C.ops["layer_norm"](input, list(normalized_shape), weight, bias, eps), mean, rsqrt(variance + eps)


def _nll_loss_forward(self, target, weight, reduction, ignore_index):
    total = (target != ignore_index).sum().to(self.dtype) if weight is None else weight[target[target != ignore_index]].sum()
    return _C.ops["nll_loss_nd"](self, target, weight, reduction, ignore_index), total


def _convolution(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups):
    n = input.ndim - 2
    if transposed:
        return _C.ops[f"conv_transpose{n}d"](input, weight, bias, stride, padding, output_padding, groups, dilation)
    return _C.ops[f"conv{n}d"](input, weight, bias, stride, padding, dilation, groups)


def _slice(self, dim=0, start=None, end=None, step=1):
    return self[(slice(None),) * (dim % self.ndim) + (slice(start, end, step),)]


def _softmax_of(name):
    def softmax(self, dim, half_to_float):
        return _C.ops[name](self, dim)

    return softmax


_EXTRA = {
    "clone": ("clone(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor", lambda self, *, memory_format=None: Tensor.clone(self, memory_format=memory_format)),
    "detach": ("detach(Tensor(a) self) -> Tensor(a)", lambda self: _C.ops["detach"](self)),
    "alias": ("alias(Tensor(a) self) -> Tensor(a)", lambda self: _C._as_subclass(self, Tensor)),
    "_to_copy": ("_to_copy(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, bool non_blocking=False, "
                 "MemoryFormat? memory_format=None) -> Tensor", _to_copy),
    "copy_": ("copy_(Tensor(a!) self, Tensor src, bool non_blocking=False) -> Tensor(a!)", lambda self, src, non_blocking=False: Tensor.copy_(self, src)),
    "fill_": ("fill_.Scalar(Tensor(a!) self, Scalar value) -> Tensor(a!)|fill_.Tensor(Tensor(a!) self, Tensor value) -> Tensor(a!)",
              lambda self, value: Tensor.fill_(self, value)),
    "zero_": ("zero_(Tensor(a!) self) -> Tensor(a!)", lambda self: Tensor.zero_(self)),
    "_local_scalar_dense": ("_local_scalar_dense(Tensor self) -> Scalar", lambda self: Tensor.item(self)),
    "lift_fresh": ("lift_fresh(Tensor(a) self) -> Tensor(a)", lambda self: self),
    "slice": ("slice.Tensor(Tensor(a) self, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1) -> Tensor(a)", _slice),
    "index": ("index.Tensor(Tensor self, Tensor?[] indices) -> Tensor",
              lambda self, indices: self[tuple(slice(None) if i is None else i for i in indices)]),
    "index_put_": ("index_put_(Tensor(a!) self, Tensor?[] indices, Tensor values, bool accumulate=False) -> Tensor(a!)",
                   lambda self, indices, values, accumulate=False: _C._index_put_(
                       self, tuple(slice(None) if i is None else i for i in indices), values, accumulate)),
    "_softmax": ("_softmax(Tensor self, int dim, bool half_to_float) -> Tensor", _softmax_of("softmax")),
    "_log_softmax": ("_log_softmax(Tensor self, int dim, bool half_to_float) -> Tensor", _softmax_of("log_softmax")),
    "native_layer_norm": ("native_layer_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight, Tensor? bias, float eps) -> (Tensor, Tensor, Tensor)",
                          _native_layer_norm),
    "nll_loss_forward": ("nll_loss_forward(Tensor self, Tensor target, Tensor? weight, int reduction, SymInt ignore_index) -> (Tensor output, Tensor total_weight)",
                         _nll_loss_forward),
    "convolution": ("convolution(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed, "
                    "SymInt[] output_padding, SymInt groups) -> Tensor", _convolution),
    "embedding": ("embedding(Tensor weight, Tensor indices, SymInt padding_idx=-1, bool scale_grad_by_freq=False, bool sparse=False) -> Tensor",
                  lambda weight, indices, padding_idx=-1, scale_grad_by_freq=False, sparse=False: _C.ops["_embedding"](
                      indices, weight, None if padding_idx < 0 else padding_idx, None, 2.0, scale_grad_by_freq, sparse)),
    "_unsafe_view": ("_unsafe_view(Tensor self, SymInt[] size) -> Tensor", lambda self, size: self.view(size)),
}


class _OpNamespace(types.ModuleType):
    """The ops of one library: torch.ops.aten has those of the registry."""

    def __init__(self, name):
        super().__init__("torch.ops." + name)
        self.name = name
        self._dir = []

    def __repr__(self):
        return f"<module 'torch.ops.{self.name}' from 'torch.ops'>"

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        made = _aten_packet(name) if self.name == "aten" else None
        if made is None:
            raise AttributeError(f"'_OpNamespace' '{self.name}' object has no attribute '{name}'")
        setattr(self, name, made)
        return made

    def __dir__(self):
        return sorted({*super().__dir__(), *(({*_schemas(), *_EXTRA}) if self.name == "aten" else ())})

    def __iter__(self):
        return (name for name, packet in vars(self).items() if isinstance(packet, OpOverloadPacket))


_by_name = {}


def _schemas():
    if not _by_name:
        for schema in _C._schemas():
            name, dot, _ = schema.partition("(")[0].partition(".")
            if name in _OVERLOADS and not dot:
                schema = schema.replace(name, f"{name}.{_OVERLOADS[name]}", 1)
            _by_name.setdefault(name, []).append(schema)
    return _by_name


def _aten_packet(name):
    if name in _EXTRA:
        text, function = _EXTRA[name]
        return OpOverloadPacket("aten", name, ["aten::" + t for t in text.split("|")], function)
    rows = _schemas().get(name)
    if rows is None and name.endswith("_") and name[:-1] in _schemas():
        rows = [s.replace(name[:-1], name, 1).replace("Tensor self", "Tensor(a!) self", 1) for s in _schemas()[name[:-1]]]
    if rows is None or name not in _C.ops:
        return None
    return OpOverloadPacket("aten", name, ["aten::" + s for s in rows], _C.ops[name])


class _Ops(types.ModuleType):
    """torch.ops: a namespace for each library of ops."""

    __file__ = "_ops.py"

    def __init__(self):
        super().__init__("torch.ops")
        self.loaded_libraries = set()

    def __repr__(self):
        return "<module 'torch.ops' from '_ops.py'>"

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        made = _OpNamespace(name)
        setattr(self, name, made)
        return made

    def load_library(self, path):
        """Registers the ops of torchvision, of which Taut has its own; raises for others: ops compiled for PyTorch cannot run here."""
        import os

        if os.path.basename(os.path.dirname(os.fspath(path))) == "torchvision" and os.path.basename(path).startswith("_C."):
            from ._vision import register

            return register()
        raise OSError(f"torch.ops.load_library: {path} is compiled against PyTorch; Taut cannot load it")

    def import_module(self, module):
        """Imports a module, which may register ops."""
        import importlib

        importlib.import_module(module)


class _Classes(types.ModuleType):
    """torch.classes: classes compiled for PyTorch, of which there are none."""

    __file__ = "_classes.py"

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        raise RuntimeError(f"Class {name} not registered: torch.classes holds what is compiled for PyTorch's own tensors")

    @property
    def loaded_libraries(self):
        """None."""
        return ops.loaded_libraries

    def load_library(self, path):
        """Raises: what is compiled for PyTorch cannot run here."""
        ops.load_library(path)


ops, classes = _Ops(), _Classes("torch.classes")
aten = ops.aten


# What watchers see.


def _overload(name, overload="default"):
    return getattr(getattr(aten, name), overload)


# PyTorch gives the number to the overload for tensors; and names of overloads that are its own.
_NUMBERS_AS_TENSORS = {"add", "sub", "mul", "div"}
_OVERLOADS = {"empty": "memory_format"}


def _overload_of(schema, in_place, out):
    head = schema.partition("(")[0]
    name, _, overload = head.partition(".")
    if name in _NUMBERS_AS_TENSORS and overload == "Scalar":
        overload = "Tensor"
    overload = overload or _OVERLOADS.get(name, "")
    packet = getattr(aten, name + "_" if in_place else name)
    if out:
        return getattr(packet, f"{overload}_out" if overload not in ("", "Tensor", "default") else "out")
    return getattr(packet, overload or "default")


def _flat_matrices(x):
    return aten.view(x, [x.shape[:-1].numel(), x.shape[-1]])


def _linear(input, weight, bias=None):
    turned = aten.t(weight)
    if input.ndim == 2:
        return aten.mm(input, turned) if bias is None else _overload("addmm")(bias, input, turned)
    if input.ndim == 1:
        return _C.ops["matmul"](input, turned) if bias is None else _C.ops["matmul"](input, turned) + bias
    flat = _flat_matrices(input)
    made = aten.mm(flat, turned) if bias is None else _overload("addmm")(bias, flat, turned)
    return aten.view(made, [*input.shape[:-1], weight.shape[0]])


def _matmul(a, b):
    n, m = a.ndim, b.ndim
    if (n, m) == (2, 2):
        return aten.mm(a, b)
    if (n, m) == (1, 1):
        return aten.dot(a, b)
    if (n, m) == (2, 1):
        return aten.mv(a, b)
    if m == 2 and n > 2:
        return aten.view(aten.mm(_flat_matrices(a), b), [*a.shape[:-1], b.shape[1]])
    if n >= 2 and m >= 2:
        from ._functions import broadcast_shapes

        batch = broadcast_shapes(a.shape[:-2], b.shape[:-2])
        parts = [aten.view(aten.expand(x, [*batch, *x.shape[-2:]]), [batch.numel(), *x.shape[-2:]]) for x in (a, b)]
        return aten.view(aten.bmm(*parts), [*batch, a.shape[-2], b.shape[-1]])
    return NotImplemented


def _reshape(self, shape):
    shape = [shape] if isinstance(shape, int) else list(shape)
    if -1 in shape:
        known = 1
        for n in shape:
            known *= n if n != -1 else 1
        shape[shape.index(-1)] = self.numel() // known if known else 0
    if list(self.shape) == shape:
        return aten.alias(self) if False else self
    return aten.view(self, shape) if self._is_contiguous() else NotImplemented


def _flatten(self, start_dim=0, end_dim=-1):
    if not self.ndim:
        return aten.view(self, [1])
    first, last = start_dim % self.ndim, end_dim % self.ndim
    if first == last:
        return self
    return _reshape(self, [*self.shape[:first], self.shape[first:last + 1].numel(), *self.shape[last + 1:]])


def _cross_entropy(self, target, weight=None, reduction=1, ignore_index=-100, label_smoothing=0.0):
    if label_smoothing or target.is_floating_point() or self.ndim != 2:
        return NotImplemented
    logs = aten._log_softmax(self, 1, False)
    return aten.nll_loss_forward(logs, target, weight, reduction, ignore_index)[0]


def _conv(n):
    def conv(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
        if isinstance(padding, str) or input.ndim != n + 2:
            return NotImplemented
        stride, padding, dilation = ([v] * n if isinstance(v, int) else list(v) * (n if len(v) == 1 else 1) for v in (stride, padding, dilation))
        return aten.convolution(input, weight, bias, stride, padding, dilation, False, [0] * n, groups)

    return conv


def _softmax_row(name):
    def softmax(self, dim, dtype=None):
        return getattr(aten, name)(self if dtype is None else aten._to_copy(self, dtype=dtype), dim, False)

    return softmax


def _dropout(input, p=0.5, train=True):
    if not train or p in (0, 1):
        return NotImplemented
    noise = aten.empty_like.default(input)
    noise = _overload("bernoulli_", "float")(noise, 1 - p) if p != 0.5 else _overload("bernoulli_", "float")(noise)
    return _overload("mul", "Tensor")(input, _overload("div_", "Scalar")(noise, 1 - p))


def _embedding(input, weight, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, sparse=False):
    if max_norm is not None:
        return NotImplemented
    more = [-1 if padding_idx is None else padding_idx, scale_grad_by_freq, sparse]
    while more and more[-1] == (-1 if len(more) == 1 else False):
        more.pop()
    return aten.embedding(weight, input, *more)


_COMPOSITES = {"linear": _linear, "matmul": _matmul, "reshape": _reshape, "flatten": _flatten, "cross_entropy_loss": _cross_entropy, "_embedding": _embedding,
               "conv1d": _conv(1), "conv2d": _conv(2), "conv3d": _conv(3), "softmax": _softmax_row("_softmax"), "log_softmax": _softmax_row("_log_softmax"),
               "layer_norm": lambda input, shape, weight=None, bias=None, eps=1e-5: aten.native_layer_norm(input, [shape] if isinstance(shape, int) else shape,
                                                                                                          weight, bias, eps)[0],
               "dropout": _dropout, "chunk": lambda self, chunks, dim=0: _overload("split", "Tensor")(self, -(-self.shape[dim] // chunks), *([dim] if dim else []))}


def _watched(schema, in_place, out, args, kwargs):
    """The call of a row of the registry: what PyTorch's composites are made of, or the op itself."""
    name = schema.partition("(")[0].partition(".")[0]
    composite = _COMPOSITES.get(name)
    if composite is not None and not in_place and not out:
        made = composite(*args, **kwargs)
        if made is not NotImplemented:
            return made
    return _C._dispatch(_overload_of(schema, in_place, out), args, kwargs)


def _select_parts(self, key):
    """self[key] by views, and the indices that are left: (view, indices or None)."""
    key = key if isinstance(key, tuple) else (key,)
    taken = sum(1 for k in key if k is not None and k is not Ellipsis and not isinstance(k, bool)
                ) + sum(k.ndim - 1 for k in key if isinstance(k, Tensor) and k.dtype is _C.bool and k.ndim)
    expanded = []
    for k in key:
        if k is Ellipsis:
            expanded += [slice(None)] * (self.ndim - taken)
        else:
            expanded.append(k)
    dim, indices = 0, {}
    for k in expanded:
        if k is None:
            self = aten.unsqueeze(self, dim)
            dim += 1
        elif isinstance(k, slice):
            if (k.start, k.stop, k.step) != (None, None, None):
                start, stop = 0 if k.start is None else k.start, 2**63 - 1 if k.stop is None else k.stop
                self = _overload("slice", "Tensor")(self, dim, start, stop, *([] if k.step in (None, 1) else [k.step]))
            dim += 1
        elif isinstance(k, Tensor) and (k.ndim or k.dtype is _C.bool):
            indices[dim] = k
            dim += k.ndim if k.dtype is _C.bool else 1
        elif hasattr(k, "__index__") and not isinstance(k, bool):
            self = _overload("select", "int")(self, dim, k.__index__())
        else:
            return None
    return self, [indices.get(d) for d in range(max(indices) + 1)] if indices else None


def _watched_method(name, args):
    """A method that is no row of the registry, as ops; NotImplemented where it is none."""
    self = args[0]
    if name == "__getitem__":
        found = _select_parts(*args)
        if found is None:
            return NotImplemented
        return found[0] if found[1] is None else _overload("index", "Tensor")(found[0], found[1])
    if name == "__setitem__":
        value = args[2]
        if not isinstance(value, Tensor):
            value = aten.lift_fresh(_C._tensor(value, self.dtype))
        found = _select_parts(*args[:2])
        if found is None:
            return NotImplemented
        view, indices = found
        if indices is not None:
            aten.index_put_(view, indices, value)
        elif value.ndim:
            aten.copy_(view, value)
        else:
            _overload("fill_", "Tensor")(view, value)
        return None
    if name == "_to":
        _, dtype, copy, meta = args
        if (dtype is None or dtype is self.dtype) and not copy and meta in (None, self.is_meta):
            return self
        more = {"dtype": dtype} if dtype is not None and dtype is not self.dtype else {}
        if meta is not None and meta != self.is_meta:
            from ._types import device

            more["device"] = device("meta" if meta else "cpu")
        return aten._to_copy(self, **more)
    if name == "_contiguous":
        from ._types import contiguous_format

        return NotImplemented if self._is_contiguous() else aten.clone(self, memory_format=contiguous_format)
    if name in ("item", "__int__", "__float__", "__bool__", "__index__"):
        found = aten._local_scalar_dense(self)
        return {"__int__": int, "__float__": float, "__bool__": bool, "__index__": int}.get(name, lambda v: v)(found)
    if name in ("T", "mT", "H", "mH"):
        if name in ("T", "H"):
            turned = aten.permute(self, list(range(self.ndim))[::-1])
        else:
            turned = _overload("transpose", "int")(self, -2, -1)
        return aten.conj(turned) if name.endswith("H") and self.is_complex() else turned
    if name in ("real", "imag"):
        return getattr(aten, name)(self) if self.is_complex() else NotImplemented
    if name == "_clone":
        return aten.clone(self)
    if name == "zero_":
        return aten.zero_(self)
    if name == "copy_":
        return aten.copy_(*args[:2])
    if name == "fill_":
        return _overload("fill_", "Tensor" if isinstance(args[1], Tensor) else "Scalar")(*args)
    return NotImplemented


sys.modules.setdefault(__package__ + ".ops", ops)
