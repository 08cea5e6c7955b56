"""Ops of one's own: custom_op and its kin. What is defined here can be called as torch.ops.library.name."""

import contextlib as _contextlib
import functools as _functools
import threading as _threading

from . import _C
from ._C import Tensor
from ._ops import OpOverload as _OpOverload, OpOverloadPacket, ops as _ops
from ._refuse import lacking as _lacking, refused as _refused
from ._schema import infer as _infer, parse as _parse

__all__ = ["Library", "impl", "define", "fallthrough_kernel", "impl_abstract", "register_autocast", "register_fake",
           "register_torch_dispatch", "register_vmap", "get_ctx", "get_kernel", "custom_op", "triton_op", "wrap_triton", "infer_schema"]

triton_op = _refused("library.triton_op", "there is no Triton on a CPU; write the op with custom_op")
wrap_triton = _refused("library.wrap_triton", "there is no Triton on a CPU")
register_torch_dispatch = _refused("library.register_torch_dispatch", "tensors have no __torch_dispatch__ of their own")

_below = _threading.local()  # .autograd: is somebody calling kernels himself?
_KEYS = {"": "CompositeImplicitAutograd", "default": "CompositeExplicitAutograd"}
# What the names of keys of PyTorch's dispatcher begin with: devices, layouts, and what is done beside.
_KEY_WORDS = ("CPU", "CUDA", "HIP", "XLA", "MPS", "XPU", "HPU", "MTIA", "Meta", "PrivateUse", "Mkldnn", "Lazy", "IPU", "VE", "Vulkan",
              "Sparse", "Quantized", "Nested", "Autograd", "Autocast", "Composite", "CatchAll", "Undefined", "Python", "FuncTorch",
              "Functionalize", "Batched", "VmapMode", "ADInplaceOrView", "BackendSelect", "Named", "Conjugate", "Negative", "ZeroTensor",
              "PreDispatch", "Tracer", "Fake", "Dense", "Testing")
_NUMBERS = ("CompositeImplicitAutograd",)


def _key_of(word):
    """The key of a device type, or the key itself."""
    known = {"cpu": "CPU", "cuda": "CUDA", "meta": "Meta", "xpu": "XPU", "mps": "MPS", "hpu": "HPU", "mtia": "MTIA"}
    return _KEYS.get(word) or known.get(word, word)


def _tensors(values):
    """The tensors among values and in lists among them."""
    for value in values:
        if isinstance(value, Tensor):
            yield value
        elif isinstance(value, (list, tuple)):
            yield from (v for v in value if isinstance(v, Tensor))


class _Packet(OpOverloadPacket):
    """The overloads of an op that programs defined; a call takes the one its arguments fit."""

    def __init__(self, namespace, name):
        self._namespace, self._name, self.__name__, self._overloads = namespace, name, name, {}
        self._qualified_op_name, self.__module__, self.op = f"{namespace}::{name}", f"torch.ops.{namespace}", self

    def _add(self, overload):
        overload._packet = self
        self._overloads[overload._overloadname] = overload
        self.__dict__[overload._overloadname] = overload
        return overload

    def __getattr__(self, name):
        raise AttributeError(f"The underlying op of '{self.__dict__.get('_namespace')}.{self.__dict__.get('_name')}' has no overload name "
                             f"'{name}'")

    def __call__(self, /, *args, **kwargs):
        overloads = list(self._overloads.values())
        return next((o for o in overloads[:-1] if o._schema.fits(args, kwargs)), overloads[-1])(*args, **kwargs)

    def __reduce__(self):
        return _find, (self._namespace, self._name, None)


def _find(namespace, name, overload):
    packet = getattr(getattr(_ops, namespace), name)
    return packet if overload is None else getattr(packet, overload)


class _Op(_OpOverload):
    """An op that a program defined: kernels by their keys, a formula of its gradient, rules."""

    def __init__(self, namespace, name, schema, custom=False):
        self.namespace, self._opname, self._overloadname = namespace, name, schema.overload_name or "default"
        self._schema, self._function, self._packet, self.tags = schema, self._run, None, []
        self.__name__, self.__qualname__, self.__module__ = f"{name}.{self._overloadname}", name, f"torch._ops.{namespace}"
        self.__doc__ = None
        self.kernels, self.backward, self.setup_context, self.vmap, self.autocast = {}, None, None, None, {}
        self.custom, self.disabled, self._class = custom, set(), None
        self.definition = None

    def __reduce__(self):
        return _find, (self.namespace, self._opname, self._overloadname)

    def _kernel(self, values):
        """What computes these values."""
        meta = any(t.is_meta for t in _tensors(values))
        for key in ("Meta", "CompositeExplicitAutograd") if meta else ("CPU", "CompositeExplicitAutograd"):
            if key in self.kernels and key not in self.disabled:
                if meta and key != "Meta" and self.custom:
                    continue
                return self.kernels[key]
        if meta and self.custom:
            raise RuntimeError(f"There was no fake impl registered for {self.definition!r}. This is necessary for torch.compile/export/fx "
                               f"tracing to work. Please use `{self._opname}.register_fake` to add an fake impl.")
        backend = "Meta" if meta else "CPU"
        raise NotImplementedError(f"Could not run '{self.name()}' with arguments from the '{backend}' backend: no kernel was registered for "
                                  f"it. '{self.name()}' is only available for: {sorted(self.kernels)}")

    def _run(self, /, *args, **kwargs):
        values, named = self._schema.bind(args, kwargs)
        everything = [*values, *named.values()]
        casting = self.autocast.get("cpu") if self.autocast else None
        if casting is not None:
            from .amp.autocast_mode import autocast, is_autocast_enabled

            if is_autocast_enabled("cpu"):
                with autocast("cpu", enabled=False):
                    return self._run(*_cast(values, casting), **dict(zip(named, _cast(list(named.values()), casting))))
        if "CompositeImplicitAutograd" in self.kernels and "CPU" not in self.kernels:
            return self.kernels["CompositeImplicitAutograd"](*values, **named)
        grad = _C.is_grad_enabled() and any(t.requires_grad for t in _tensors(everything))
        if not getattr(_below, "autograd", False):
            for key in ("AutogradCPU", "Autograd"):
                if key in self.kernels:
                    return self.kernels[key](*values, **named)
            if self.vmap is not None or (grad and (self.custom or self.backward)):
                return self._recorded(values, named)
        with _no_grad(grad):
            return self._compute(values, named)

    def _compute(self, values, named):
        """Runs the kernel, and sees to it that the schema is kept."""
        result = self._kernel([*values, *named.values()])(*values, **named)
        if self.custom:
            memory = {_C._storage(t)[0] for t in _tensors([*values, *named.values()]) if not t.is_meta and t.numel()}
            for t in _tensors(result if isinstance(result, (tuple, list)) else (result,)):
                if not t.is_meta and t.numel() and _C._storage(t)[0] in memory:
                    raise RuntimeError(f"{self._opname} (with implementation in {getattr(self._kernel([]), '__module__', '?')}): The output "
                                       "of this custom operator (1) must not also be an input to this custom operator and (2) may not alias "
                                       "any inputs to this custom operator or other returns. The most common way to trigger this error is if "
                                       "we have y = custom_op(x) and y and x are the same Tensor. Please instead return a clone of the "
                                       "offending output tensor(s) (e.g. return x.clone()) or refactor the custom operator to not return y.")
        if self._schema.is_mutable:
            from .autograd.graph import increment_version

            given = dict(zip((a.name for a in self._schema.arguments), [*values, *named.values()]))
            for a in self._schema.arguments:
                if a.is_write:
                    for t in _tensors([given[a.name]]):
                        increment_version(t)
        return result

    def _recorded(self, values, named):
        """Runs it as a node of the graph. Lists of tensors are taken apart, since a node sees tensors one by one."""
        spread, flat = [], []
        for value in values:
            if isinstance(value, (list, tuple)) and any(isinstance(v, Tensor) for v in value):
                spread.append(len(value))
                flat.extend(value)
            else:
                spread.append(None)
                flat.append(value)
        return self._node().apply(_Call(self, spread, named), *flat)

    def _node(self):
        if self._class is None:
            from .autograd.function import Function

            members = {"forward": staticmethod(_forward), "backward": staticmethod(_backward)}
            if self.vmap is not None:
                members["vmap"] = staticmethod(lambda info, in_dims, call, *flat: self.vmap(info, in_dims[1:], *flat, **call.named))
            name = f"GeneratedBackwardFor_{self.namespace}_{self._opname}_{self._overloadname}"
            self._class = type(name, (Function,), members)
        return self._class


class _Call:
    """One call of an op that is recorded."""

    def __init__(self, op, spread, named):
        self.op, self.spread, self.named = op, spread, named

    def gathered(self, flat):
        """Values of the arguments, from values one by one."""
        flat, values = iter(flat), []
        for count in self.spread:
            values.append(next(flat) if count is None else [next(flat) for _ in range(count)])
        return values


class _Context:
    """The context as the formula of a gradient sees it: its inputs are those of the op."""

    def __init__(self, ctx, call):
        object.__setattr__(self, "_ctx", ctx)
        object.__setattr__(self, "_call", call)

    @property
    def needs_input_grad(self):
        return tuple(self._call.gathered(self._ctx.needs_input_grad[1:]))

    def __getattr__(self, name):
        return getattr(self._ctx, name)

    def __setattr__(self, name, value):
        setattr(self._ctx, name, value)


def _forward(ctx, call, *flat):
    ctx.call, values = call, call.gathered(flat)
    ctx.set_materialize_grads(True)
    result = call.op._compute(values, call.named)
    if call.op._schema.is_mutable:
        ctx.mark_dirty(*[t for a, v in zip(call.op._schema.arguments, values) if a.is_write for t in _tensors([v])])
    if call.op.setup_context is not None:
        seen = {"keyword_only_inputs": call.named} if call.named else {}
        call.op.setup_context(_Context(ctx, call), inputs=tuple(values), output=result, **seen)
    return tuple(result) if isinstance(result, list) else result


def _backward(ctx, *grads):
    call = ctx.call
    if call.op.backward is None:
        raise RuntimeError(f"Trying to backward through {call.op} but no autograd formula was registered. Please use register_autograd to add "
                           "one.")
    found = call.op.backward(_Context(ctx, call), *grads)
    found = found if isinstance(found, tuple) else (found,)
    if len(found) != len(call.spread):
        raise RuntimeError(f"Expected the return from backward to have the same structure as the inputs: {len(call.spread)} gradients, got "
                           f"{len(found)}")
    flat = [None]
    for grad, count in zip(found, call.spread):
        flat.extend([grad] if count is None else [None] * count if grad is None else grad)
    return tuple(flat)


@_contextlib.contextmanager
def _no_grad(wanted):
    if not wanted:
        yield
        return
    before = _C.is_grad_enabled()
    _C._set_grad_enabled(False)
    try:
        yield
    finally:
        _C._set_grad_enabled(before)


def _cast(values, dtype):
    def one(v):
        if isinstance(v, Tensor) and v.is_floating_point() and v.dtype is not _C.float64:
            return v.to(dtype)
        return type(v)(map(one, v)) if isinstance(v, (list, tuple)) else v

    return [one(v) for v in values]


def _parts(qualname, function):
    namespace, colons, name = qualname.partition("::")
    if not colons or not namespace or not name:
        raise ValueError(f"{function}(...): expected the name of the op to be \"namespace::name\", got: {qualname}")
    return namespace, name


def _define(namespace, name, schema, custom=False):
    if namespace in ("aten", "prim", "prims"):
        raise RuntimeError(f"{namespace}::{name}: the namespace {namespace} is reserved for the ops of the library itself")
    packet = vars(getattr(_ops, namespace)).setdefault(name, _Packet(namespace, name))
    overload = schema.overload_name or "default"
    if overload in packet._overloads and not custom:
        raise RuntimeError(f"Tried to register an operator ({schema}) with the same name and overload name multiple times. Each overload's "
                           "schema should only be registered with a single call to def().")
    return packet._add(_Op(namespace, name, schema, custom))


def _op(op):
    """The op that a name, an op or a CustomOpDef means."""
    if isinstance(op, CustomOpDef):
        return op._opoverload
    if isinstance(op, OpOverloadPacket):
        op = op._qualified_op_name
    if isinstance(op, _OpOverload):
        found = op
    else:
        namespace, name = _parts(op, "torch.library")
        name, _, overload = name.partition(".")
        try:
            packet = getattr(getattr(_ops, namespace), name)
        except AttributeError:
            raise RuntimeError(f"operator {op} does not exist") from None
        found = packet._overloads.get(overload or "default") or next(iter(packet._overloads.values()))
    if not isinstance(found, _Op):
        raise NotImplementedError(f"torch.library: kernels of {found} cannot be replaced in Taut")
    return found


def _decorating(apply, func):
    """apply(func), or a decorator that does it."""
    if func is None:
        return lambda f: _decorating(apply, f)
    apply(func)
    return func


class CustomOpDef:
    """An op made by custom_op: call it, or give it kernels, a fake, a gradient."""

    def __init__(self, namespace, name, schema, fn, tags=None):
        self._namespace, self._name, self._init_fn = namespace, name, fn
        self._schema = str(schema).partition("::")[2][len(name):]
        self._opoverload = _define(namespace, name, schema, custom=True)
        self._opoverload.definition = self
        self._opoverload.tags = list(tags) if isinstance(tags, (list, tuple)) else [] if tags is None else [tags]
        self.__name__, self.__doc__ = name, fn.__doc__

    @property
    def _qualname(self):
        return f"{self._namespace}::{self._name}"

    def __repr__(self):
        return f"<CustomOpDef({self._qualname})>"

    def __call__(self, /, *args, **kwargs):
        return self._opoverload(*args, **kwargs)

    def register_kernel(self, device_types, fn=None, /):
        """What computes it on a type of device; None for every type."""
        return register_kernel(self, device_types, fn)

    def register_fake(self, fn, /):
        """What computes shapes and dtypes, for meta tensors."""
        return register_fake(self, fn)

    def register_autograd(self, backward, /, *, setup_context=None):
        """The gradient: backward(ctx, *grads), after setup_context(ctx, inputs, output)."""
        register_autograd(self, backward, setup_context=setup_context)

    def register_vmap(self, func=None):
        """The rule for vmap: func(info, in_dims, *args) -> (result, out_dims)."""
        return register_vmap(self, func)

    def register_autocast(self, device_type, cast_inputs):
        """The dtype that floating arguments are cast to under autocast."""
        register_autocast(self, device_type, cast_inputs)

    def register_torch_dispatch(self, torch_dispatch_class, fn=None, /):
        """Raises: tensors have no __torch_dispatch__ of their own."""
        register_torch_dispatch(self)

    @_contextlib.contextmanager
    def set_kernel_enabled(self, device_type, enabled=True):
        """A context in which the kernel of a type of device is used, or not: the function of custom_op computes then."""
        key, op = _key_of(device_type), self._opoverload
        if key not in op.kernels:
            import logging

            logging.getLogger("torch.library").warning("Attempted to %s kernel for %s but no kernel was registered for this device type.",
                                                       "enable" if enabled else "disable", device_type)
        before = set(op.disabled)
        (op.disabled.discard if enabled else op.disabled.add)(key)
        try:
            yield
        finally:
            op.disabled = before


CustomOpDef.__module__ = "torch._library.custom_ops"


def custom_op(name, fn=None, /, *, mutates_args, device_types=None, schema=None, tags=None):
    """Makes an op of a function; a decorator. `mutates_args` names the tensors it writes to."""

    def make(fn):
        made = _infer(fn, mutates_args, name) if schema is None else _parse(name, schema)
        made.name = name
        op = CustomOpDef(*_parts(name, "custom_op"), made, fn, tags)
        register_kernel(op, device_types, fn)
        return op

    return make if fn is None else make(fn)


def infer_schema(prototype_function, /, *, mutates_args, op_name=None):
    """The schema that the annotations of a function say, as text."""
    return str(_infer(prototype_function, mutates_args, op_name))


def define(qualname, schema, *, lib=None, tags=()):
    """Defines an op by its schema; kernels follow by impl."""
    if not isinstance(qualname, str):
        raise ValueError(f"define(qualname, schema): expected qualname to be instance of str, got {type(qualname)}")
    namespace, name = _parts(qualname, "define")
    _define(namespace, name.partition(".")[0], _parse(qualname.partition(".")[0], f"{name}{schema}"))


def impl(qualname, types, func=None, *, lib=None):
    """What computes an op on types of devices ("cpu", "default" for all) or for a key of the dispatcher."""
    if isinstance(qualname, Library):  # an old order: (lib, name, key)
        return lambda f: qualname.impl(types, f, func or "") or f
    keys = (types,) if isinstance(types, str) else types
    return _decorating(lambda f: _op(qualname).kernels.update({_key_of(k): f for k in keys}), func)


def register_kernel(op, device_types, func=None, /, *, lib=None):
    """What computes an op on types of devices; None for every type."""
    types = ("default",) if device_types is None else (device_types,) if isinstance(device_types, str) else device_types
    return _decorating(lambda f: _op(op).kernels.update({_key_of(t): f for t in types}), func)


def register_fake(op, func=None, /, *, lib=None, _stacklevel=1, allow_override=False):
    """What computes shapes and dtypes, for meta tensors."""
    return _decorating(lambda f: _op(op).kernels.update(Meta=f), func)


def impl_abstract(qualname, func=None, *, lib=None, _stacklevel=1):
    """The old name of register_fake."""
    return register_fake(qualname, func, lib=lib)


def register_autograd(op, backward, /, *, setup_context=None, lib=None):
    """The gradient: backward(ctx, *grads), after setup_context(ctx, inputs, output)."""
    found = _op(op)
    if found._schema.is_mutable:
        raise RuntimeError(f"Cannot register autograd formula for non-functional operator {found} with schema {found._schema}. Please create "
                           "a functional operator and register an autograd formula for that.")
    found.backward, found.setup_context = backward, setup_context


def register_autocast(op, device_type, cast_inputs, /, *, lib=None):
    """The dtype that floating arguments are cast to under autocast."""
    if device_type not in ("cpu", "cuda"):
        raise ValueError(f"Unknown device type: {device_type}")
    _op(op).autocast[device_type] = cast_inputs


def register_vmap(op, func=None, /, *, lib=None):
    """The rule for vmap: func(info, in_dims, *args) -> (result, out_dims)."""

    def keep(f):
        found = _op(op)
        found.vmap, found._class = f, None

    return _decorating(keep, func)


def fallthrough_kernel():
    """A kernel that would leave the op to the next key."""
    raise NotImplementedError("fallthrough_kernel() should never be called.")


def get_ctx():
    """The context of a fake: there is none, since meta tensors have plain sizes."""
    return None


def get_kernel(op, dispatch_key):
    """The function registered for a key of the dispatcher."""
    found = _op(op)
    key = _key_of(getattr(dispatch_key, "name", dispatch_key))
    if key not in found.kernels:
        raise RuntimeError(f"No kernel registered for operator {found.name()} at dispatch key {key}")
    return found.kernels[key]


class Library:
    """Ops of a namespace: DEF defines one, FRAGMENT adds to it, IMPL gives kernels."""

    _defined = set()

    def __init__(self, ns, kind, dispatch_key=""):
        if kind not in ("IMPL", "DEF", "FRAGMENT"):
            raise ValueError(f"Unsupported kind: {kind}")
        if ns in ("prim",) and kind in ("DEF", "FRAGMENT"):
            raise ValueError(f"{ns} is a reserved namespace. Please try creating a library with another name.")
        if kind == "DEF":
            if ns in Library._defined or ns == "aten":
                raise RuntimeError(f"Only a single TORCH_LIBRARY can be used to register the namespace {ns}; please put all of your "
                                   "definitions in a single TORCH_LIBRARY block.")
            Library._defined.add(ns)
        self.ns, self.kind, self.dispatch_key, self._made = ns, kind, dispatch_key, []

    def __repr__(self):
        return f"Library(kind={self.kind}, ns={self.ns}, dispatch_key={self.dispatch_key})>"

    def define(self, schema, alias_analysis="", *, tags=()):
        """Defines "name(Tensor x) -> Tensor"; returns its name."""
        if alias_analysis not in ("", "FROM_SCHEMA", "CONSERVATIVE"):
            raise RuntimeError(f"Invalid alias_analysis type {alias_analysis}")
        parsed = _parse(None, schema)
        name = parsed.name.rpartition("::")[2]
        parsed.name = f"{self.ns}::{name}"
        self._made.append(_define(self.ns, name, parsed))
        return name + (f".{parsed.overload_name}" if parsed.overload_name else "")

    def impl(self, op_name, fn, dispatch_key="", *, with_keyset=False, allow_override=False):
        """What computes an op for a key of the dispatcher; without one, for all devices, with the gradients of the ops in it."""
        if not callable(fn):
            raise TypeError(f"Input function is required to be a callable but found type {type(fn)}")
        name = op_name if isinstance(op_name, str) else op_name.name()
        op = _op(name if "::" in name else f"{self.ns}::{name}")
        key = dispatch_key or self.dispatch_key or "CompositeImplicitAutograd"
        if not key.startswith(_KEY_WORDS):
            raise RuntimeError(f"could not parse dispatch key: {key}")
        op.kernels[key] = _functools.partial(fn, None) if with_keyset else fn

    def fallback(self, fn, dispatch_key="", *, with_keyset=False):
        """Raises: there is no dispatcher that could fall back."""
        raise NotImplementedError("torch.library.Library.fallback is not supported by Taut: there is no dispatcher that could fall back")

    def _register_fake(self, op_name, fn, _stacklevel=1, *, allow_override=False):
        self.impl(op_name, fn, "Meta")

    def _destroy(self):
        for op in self._made:
            getattr(_ops, op.namespace).__dict__.pop(op._opname, None)
        self._made = []
        if self.kind == "DEF":
            Library._defined.discard(self.ns)


@_contextlib.contextmanager
def _scoped_library(*args, **kwargs):
    """A Library whose ops go with the context."""
    lib = Library(*args, **kwargs)
    try:
        yield lib
    finally:
        lib._destroy()


_TESTS = ("test_schema", "test_autograd_registration", "test_faketensor", "test_aot_dispatch_dynamic")


def opcheck(op, args, kwargs=None, *, test_utils=_TESTS, raise_exception=True, atol=None, rtol=None):
    """Tries an op on arguments: is its schema kept, is a gradient registered where one is asked for, does the fake give the shapes of the
    real results, is the result the same again. {test: "SUCCESS" or the exception}."""
    found, kwargs = _op(op) if not isinstance(op, _OpOverload) else op, kwargs or {}
    test_utils = (test_utils,) if isinstance(test_utils, str) else test_utils
    outcome = {}
    for test in test_utils:
        if test not in _TESTS:
            raise RuntimeError(f"Only expected tests in {_TESTS}, got {test}")
        try:
            _CHECKS[test](found, args, kwargs, atol, rtol)
            outcome[test] = "SUCCESS"
        except Exception as problem:
            if raise_exception:
                raise type("OpCheckError", (Exception,), {"__module__": "torch.testing._internal.optests.generate_tests"})(
                    f"opcheck(op, ...): {test} failed with {problem} (scroll up for stack trace)") from problem
            outcome[test] = problem
    return outcome


def _copied(args):
    return [a.detach().clone().requires_grad_(a.requires_grad) if isinstance(a, Tensor) else
            [x.detach().clone().requires_grad_(x.requires_grad) if isinstance(x, Tensor) else x for x in a]
            if isinstance(a, (list, tuple)) else a for a in args]


def _check_schema(op, args, kwargs, atol, rtol):
    before, after = _copied(args), _copied(args)
    with _no_grad(True):
        op(*after, **kwargs)
    for a, old, new in zip(op._schema.arguments, before, after):
        for x, y in zip(_tensors([old]), _tensors([new])):
            same = x.shape == y.shape and bool(((x == y) | ((x != x) & (y != y))).all())
            if not same and not a.is_write:
                raise RuntimeError(f"Argument {a.name} is not defined as mutable but was mutated")


def _check_autograd(op, args, kwargs, atol, rtol):
    if not any(t.requires_grad for t in _tensors([*args, *kwargs.values()])):
        return
    if isinstance(op, _Op) and op.backward is None and not {"Autograd", "AutogradCPU", "CompositeImplicitAutograd"} & set(op.kernels):
        raise AssertionError("test_autograd_registration: we did not find an autograd kernel registered for this operator. Please use "
                             "register_autograd")


def _check_fake(op, args, kwargs, atol, rtol):
    with _no_grad(True):
        real = op(*_copied(args), **kwargs)
        fake = op(*[a.to("meta") if isinstance(a, Tensor) else [x.to("meta") if isinstance(x, Tensor) else x for x in a]
                    if isinstance(a, (list, tuple)) else a for a in args], **kwargs)
    for r, f in zip(_tensors(real if isinstance(real, (tuple, list)) else [real]), _tensors(fake if isinstance(fake, (tuple, list)) else [fake])):
        if (r.shape, r.dtype, r.stride()) != (f.shape, f.dtype, f.stride()):
            raise AssertionError(f"the fake gives {tuple(f.shape)} {f.dtype} {f.stride()}, the op {tuple(r.shape)} {r.dtype} {r.stride()}")


def _check_again(op, args, kwargs, atol, rtol):
    from .testing import assert_close

    outcomes = []
    for _ in range(2):
        mine = _copied(args)
        result = op(*mine, **kwargs)
        found = list(_tensors(result if isinstance(result, (tuple, list)) else [result]))
        inputs = [t for t in _tensors(mine) if t.requires_grad]
        differentiable = [t for t in found if t.requires_grad]
        if differentiable and inputs:
            from .autograd import grad

            found += [g for g in grad([t.sum() for t in differentiable], inputs, allow_unused=True) if g is not None]
        outcomes.append(found)
    assert_close(outcomes[0], outcomes[1], atol=atol, rtol=rtol, equal_nan=True)


_CHECKS = dict(zip(_TESTS, (_check_schema, _check_autograd, _check_fake, _check_again)))
for _class in (Library, custom_op, define, impl, register_kernel, register_fake, register_autograd, register_vmap, infer_schema, opcheck):
    _class.__module__ = "torch.library"
CustomOpDef.__module__ = custom_op.__module__ = "torch._library.custom_ops"
__getattr__ = _lacking("library")
