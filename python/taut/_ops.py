"""torch.ops: ops by the name of their library. torch.ops.my.f is a packet of overloads, torch.ops.my.f.default one of them.

A library's ops are those that torch.library defined; a namespace in _PROVIDERS has more of them: the function packet(name) of the
module named there gives one, or None.
"""

import types

_PROVIDERS = {}  # namespace: the module of this package that knows its ops


class OpOverload:
    """One op with one schema."""

    def __init__(self, namespace, name, overload, schema, call):
        self.namespace, self._opname, self._overloadname = namespace, name, overload or "default"
        self._schema, self._call = schema, call
        self.__name__ = f"{name}.{self._overloadname}"
        self.__qualname__ = self._opname
        self.__module__ = f"torch._ops.{namespace}"
        self.overloadpacket = None
        self.tags = []

    def name(self):
        """Its full name: "aten::add.Tensor"."""
        return f"{self.namespace}::{self._opname}" + ("" if self._overloadname == "default" else f".{self._overloadname}")

    def __call__(self, /, *args, **kwargs):
        return self._call(*args, **kwargs)

    @property
    def op(self):
        return self._call

    def __repr__(self):
        return f"<OpOverload(op='{self.namespace}.{self._opname}', overload='{self._overloadname}')>"

    def __str__(self):
        return f"{self.namespace}.{self._opname}.{self._overloadname}"

    def __hash__(self):
        return hash((self.namespace, self._opname, self._overloadname))

    def __eq__(self, other):
        return self is other or (isinstance(other, OpOverload) and self.name() == other.name())

    def __deepcopy__(self, memo=None):
        return self

    def __reduce__(self):
        return _find, (self.namespace, self._opname, self._overloadname)


class OpOverloadPacket:
    """The overloads of an op; a call takes the one its arguments fit."""

    def __init__(self, namespace, name, call=None):
        self._namespace, self.__name__, self._call, self._found = namespace, name, call, {}
        self._qualified_op_name = f"{namespace}::{name}"
        self.__module__ = f"torch.ops.{namespace}"

    def _add(self, overload):
        overload.overloadpacket = self
        self._found[overload._overloadname] = overload
        return overload

    def overloads(self):
        """The names of the overloads."""
        return list(self._found)

    @property
    def op(self):
        return self

    @property
    def _schemas(self):
        return {name: overload._schema for name, overload in self._found.items()}

    def __getattr__(self, name):
        found = self.__dict__.get("_found", {}).get(name)
        if found is None:
            raise AttributeError(f"The underlying op of '{self.__dict__.get('_namespace')}.{self.__dict__.get('__name__')}' has no overload "
                                 f"name '{name}'")
        return found

    def __iter__(self):
        return iter(self._found)

    def __dir__(self):
        return [*object.__dir__(self), *self._found]

    def __call__(self, /, *args, **kwargs):
        if self._call is not None:
            return self._call(*args, **kwargs)
        overloads = list(self._found.values())
        for overload in overloads[:-1]:
            if getattr(overload._schema, "fits", lambda *_: True)(args, kwargs):
                return overload(*args, **kwargs)
        return overloads[-1](*args, **kwargs)

    def __repr__(self):
        return f"<OpOverloadPacket(op='{self._namespace}.{self.__name__}')>"

    def __str__(self):
        return f"{self._namespace}.{self.__name__}"

    def __hash__(self):
        return hash(self._qualified_op_name)

    def __eq__(self, other):
        return self is other or (isinstance(other, OpOverloadPacket) and self._qualified_op_name == other._qualified_op_name)

    def __deepcopy__(self, memo=None):
        return self

    def __reduce__(self):
        return _find, (self._namespace, self.__name__, None)


def _find(namespace, name, overload):
    packet = getattr(getattr(ops, namespace), name)
    return packet if overload is None else getattr(packet, overload)


class _OpNamespace(types.ModuleType):
    """The ops of one library."""

    def __init__(self, name):
        super().__init__("torch.ops." + name)
        self._name = name
        self.__file__ = "torch.ops"

    def _packet(self, name):
        """The packet of a name, made if there is none."""
        packet = self.__dict__.get(name)
        if packet is None:
            packet = self.__dict__[name] = OpOverloadPacket(self._name, name)
        return packet

    def __getattr__(self, name):
        if not name.startswith("__") and self._name in _PROVIDERS:
            import importlib

            packet = importlib.import_module(f"{__package__}.{_PROVIDERS[self._name]}").packet(name)
            if packet is not None:
                self.__dict__[name] = packet
                return packet
        raise AttributeError(f"'_OpNamespace' '{self._name}' object has no attribute '{name}'")

    def __iter__(self):
        return (name for name, packet in self.__dict__.items() if isinstance(packet, OpOverloadPacket))


class _Ops(types.ModuleType):
    """torch.ops."""

    __file__ = "_ops.py"

    def __init__(self):
        super().__init__("torch.ops")
        self.loaded_libraries = set()

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        namespace = self.__dict__[name] = _OpNamespace(name)
        return namespace

    def load_library(self, path):
        """Raises: libraries of ops are compiled for PyTorch's own tensors."""
        raise NotImplementedError(f"torch.ops.load_library is not supported by Taut: {path} is compiled for PyTorch's own tensors")

    def import_module(self, module):
        """Imports a module, which may define ops."""
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
        return ops.loaded_libraries

    def load_library(self, path):
        """Raises: libraries are compiled for PyTorch's own tensors."""
        ops.load_library(path)


ops, classes = _Ops(), _Classes("torch.classes")
for _class in (OpOverload, OpOverloadPacket, _OpNamespace, _Ops, _Classes):
    _class.__module__ = "torch._ops"
