"""Values that are not there yet: what is done with them becomes steps of a graph."""

import dis
import enum
import inspect
import operator

from .. import _C
from .._C import Tensor, dtype as Dtype
from .._types import device as Device, layout as Layout, memory_format as MemoryFormat
from .graph import Graph, inplace_methods, magic_methods, reflectable_magic_methods
from .node import Node, map_aggregate

__all__ = ["TracerBase", "GraphAppendingTracer", "TraceError", "Proxy", "Attribute", "ParameterProxy"]
base_types = (str, int, float, bool, complex, Dtype, Tensor, Device, MemoryFormat, Layout, type(...), type(None), range, bytes)


class TraceError(ValueError):
    """A function does with a value what cannot be recorded."""


class TracerBase:
    """Records steps."""

    record_stack_traces = False
    check_mutable_operations = False
    trace_asserts = False
    proxy_buffer_attributes = False
    traced_func_name = "forward"

    def create_node(self, kind, target, args, kwargs, name=None, type_expr=None):
        """A new step of the graph."""
        return self.graph.create_node(kind, target, args, kwargs, name, type_expr)

    def proxy(self, node):
        """The value that stands for the result of a step."""
        return Proxy(node, self)

    def create_proxy(self, kind, target, args, kwargs, name=None, type_expr=None, proxy_factory_fn=None):
        """A new step, and the value that stands for its result."""
        args, kwargs = self.create_arg(args), self.create_arg(kwargs)
        node = self.create_node(kind, target, args, kwargs, name, type_expr)
        return self.proxy(node) if proxy_factory_fn is None else proxy_factory_fn(node)

    def create_arg(self, a):
        """A value as an argument of a step: values that are not there yet become steps."""
        if isinstance(a, Proxy):
            return a.node
        if hasattr(a, "__fx_create_arg__"):
            return a.__fx_create_arg__(self)
        if isinstance(a, tuple) and hasattr(a, "_fields"):
            return self.create_node("call_function", type(a), tuple(self.create_arg(x) for x in a), {})
        if isinstance(a, (tuple, list)):
            return type(a)([self.create_arg(x) for x in a]) if type(a) in (tuple, list) else tuple(self.create_arg(x) for x in a) \
                if isinstance(a, tuple) else [self.create_arg(x) for x in a]
        if isinstance(a, dict):
            made = {}
            for k, v in a.items():
                key = self.create_arg(k)
                if isinstance(key, Node):
                    raise RuntimeError(f"Keys for dictionaries used as an argument cannot contain a Node. Got key: {k}")
                made[key] = self.create_arg(v)
            return made
        if isinstance(a, slice):
            return slice(self.create_arg(a.start), self.create_arg(a.stop), self.create_arg(a.step))
        if isinstance(a, range):
            return range(*(self.create_arg(x) for x in (a.start, a.stop, a.step)))
        if isinstance(a, (*base_types, enum.Enum)) or a is None or a is ... or isinstance(a, type) or callable(a) and hasattr(a, "__qualname__"):
            return a
        if hasattr(a, "__module__") and type(a).__name__ in ("OpOverload", "OpOverloadPacket", "Op"):
            return a
        raise NotImplementedError(f"argument of type: {type(a)}")

    def to_bool(self, obj):
        """bool(value)."""
        raise TraceError("symbolically traced variables cannot be used as inputs to control flow")

    def iter(self, obj):
        """iter(value): where it is to be taken apart into a known number of names, that many items."""
        frame = inspect.currentframe().f_back.f_back
        instructions = list(dis.get_instructions(frame.f_code))
        at = next((i for i, x in enumerate(instructions) if x.offset == frame.f_lasti), None)
        if at is not None and instructions[at].opname == "UNPACK_SEQUENCE":
            return (obj[i] for i in range(instructions[at].argval))
        raise TraceError("Proxy object cannot be iterated. This can be attempted when the Proxy is used in a loop or as a *args or **kwargs function "
                         "argument. See the torch.fx docs on pytorch.org for a more detailed explanation of what types of control flow can be traced, "
                         "and check out the Proxy docstring for help troubleshooting Proxy iteration errors")

    def keys(self, obj):
        """value.keys()."""
        return Attribute(obj, "keys")()


class GraphAppendingTracer(TracerBase):
    """Records steps at the end of a graph that is there."""

    def __init__(self, graph):
        self.graph = graph
        self.scope, self.module_stack, self.node_name_to_scope = None, {}, {}


class Proxy:
    """Stands for the result of a step while a function is traced: what is done with it becomes steps."""

    def __init__(self, node, tracer=None):
        self.tracer = GraphAppendingTracer(node.graph) if tracer is None else tracer
        self.node = node

    def __repr__(self):
        return f"Proxy({self.node.name})"

    def __getattr__(self, k):
        if k.startswith("__") and k.endswith("__"):
            raise AttributeError(k)
        return Attribute(self, k)

    def __deepcopy__(self, memo):
        made = object.__new__(type(self))
        memo[id(self)] = made
        import copy

        for k, v in self.__dict__.items():
            made.__dict__[k] = copy.deepcopy(v, memo)
        return made

    def __setstate__(self, d):
        self.__dict__ = d

    def __call__(self, *args, **kwargs):
        return self.tracer.create_proxy("call_method", "__call__", (self, *args), kwargs)

    def __iter__(self):
        return self.tracer.iter(self)

    def __abs__(self):
        return self.tracer.create_proxy("call_function", operator.abs, (self,), {})

    def __bool__(self):
        return self.tracer.to_bool(self)

    def keys(self):
        """value.keys()."""
        return self.tracer.keys(self)

    def __len__(self):
        raise RuntimeError("'len' is not supported in symbolic tracing by default. If you want this call to be recorded, please call "
                           "torch.fx.wrap('len') at module scope")

    @classmethod
    def __torch_function__(cls, orig_method, types, args=None, kwargs=None):
        args, kwargs = args or (), kwargs or {}
        tracers = {}

        def find(a):
            if isinstance(a, Proxy):
                tracers[a.tracer] = None
            return a

        map_aggregate((tuple(args), dict(kwargs)), find)
        if len(tracers) > 1:
            raise RuntimeError(f"Found multiple different tracers {list(tracers)} while trying to trace operations {orig_method}")
        (tracer,) = tracers
        name = _method_name(orig_method)
        if name is not None:
            return tracer.create_proxy("call_method", name, args, kwargs)
        return tracer.create_proxy("call_function", orig_method, args, kwargs, name=tracer.graph._target_to_str(
            getattr(orig_method, "__name__", "function")))


def _method_name(f):
    """The name of a method of Tensor; None for a function."""
    if type(f) is type(Tensor.add):
        return f.__name__ if getattr(f, "__qualname__", "").startswith("Tensor.") else None
    name = getattr(f, "__name__", "")
    return name if getattr(Tensor, name, None) is f else None


class Attribute(Proxy):
    """An attribute of a value that is not there yet: a step only when it is used for anything but a call."""

    def __init__(self, root, attr):
        self.root, self.attr, self.tracer, self._node = root, attr, root.tracer, None

    @property
    def node(self):
        """The step that reads it."""
        if self._node is None:
            self._node = self.tracer.create_proxy("call_function", getattr, (self.root, self.attr), {}).node
        return self._node

    def __call__(self, *args, **kwargs):
        return self.tracer.create_proxy("call_method", self.attr, (self.root, *args), kwargs)


class ParameterProxy(Proxy):
    """Stands for a parameter, whose shape is known."""

    def __init__(self, tracer, node, name, param):
        super().__init__(node, tracer)
        self.param, self.name = param, name

    def __repr__(self):
        return f"ParameterProxy({self.name})"

    shape = property(lambda self: self.param.shape)
    ndim = property(lambda self: self.param.ndim)

    def size(self):
        """The sizes."""
        return self.param.size()

    def dim(self):
        """The number of dimensions."""
        return self.param.dim()

    def numel(self):
        """The number of elements."""
        return self.param.numel()

    def nelement(self):
        """The number of elements."""
        return self.param.nelement()


def _add_operators():
    def forward(name):
        def impl(self, *args):
            return self.tracer.create_proxy("call_function", getattr(operator, name), (self, *args), {})

        impl.__name__ = f"__{name.strip('_')}__"
        setattr(Proxy, impl.__name__, impl)

    def reflected(name):
        def impl(self, other):
            return self.tracer.create_proxy("call_function", getattr(operator, name), (other, self), {})

        impl.__name__ = f"__r{name.strip('_')}__"
        setattr(Proxy, impl.__name__, impl)

    for name in (*magic_methods, *(n for n in inplace_methods)):
        if name not in inplace_methods or name == "setitem":
            forward(name)
    for name in reflectable_magic_methods:
        reflected(name)


_add_operators()
Proxy.__hash__ = object.__hash__
for _cls in (Proxy, Attribute, ParameterProxy, TracerBase, GraphAppendingTracer, TraceError):
    _cls.__module__ = "torch.fx.proxy"
del _C, Graph
