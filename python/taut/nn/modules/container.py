"""Modules made of modules, and collections of parameters."""

import operator
from collections import OrderedDict, abc

from ..._C import Tensor
from ..parameter import Parameter
from .module import Module, _indented


class Container(Module):
    """Modules by keyword; Module itself does that now."""

    def __init__(self, **kwargs):
        import warnings

        super().__init__()
        warnings.warn("`nn.Container` is deprecated. All of its functionality is now implemented in `nn.Module`. "
                      "Subclass that instead.", FutureWarning, stacklevel=2)
        for name, module in kwargs.items():
            self.add_module(name, module)


class Sequential(Module):
    """Modules called one after the other."""

    def __init__(self, *args):
        super().__init__()
        if len(args) == 1 and isinstance(args[0], OrderedDict):
            for name, module in args[0].items():
                self.add_module(name, module)
        else:
            for i, module in enumerate(args):
                self.add_module(str(i), module)

    def _key(self, index):
        index = operator.index(index)
        if not -len(self) <= index < len(self):
            raise IndexError(f"index {index} is out of range")
        return list(self._modules)[index]

    def __getitem__(self, index):
        if isinstance(index, slice):
            return type(self)(OrderedDict(list(self._modules.items())[index]))
        return self._modules[self._key(index)]

    def __setitem__(self, index, module):
        setattr(self, self._key(index), module)

    def __delitem__(self, index):
        keys = list(self._modules)[index] if isinstance(index, slice) else [self._key(index)]
        for key in keys:
            delattr(self, key)
        self._renumber(list(self._modules.values()))

    def _renumber(self, modules):
        object.__setattr__(self, "_modules", {str(i): m for i, m in enumerate(modules)})

    def __len__(self):
        return len(self._modules)

    def __iter__(self):
        return iter(self._modules.values())

    def __add__(self, other):
        if not isinstance(other, Sequential):
            raise ValueError(f"add operator supports only objects of Sequential class, but {type(other)} is given.")
        made = Sequential()
        made._renumber([*self, *other])
        return made

    def __iadd__(self, other):
        if not isinstance(other, Sequential):
            raise ValueError(f"add operator supports only objects of Sequential class, but {type(other)} is given.")
        return self.extend(other)

    def __mul__(self, times):
        if not isinstance(times, int):
            raise TypeError(f"unsupported operand type(s) for *: {type(self)} and {type(times)}")
        if times <= 0:
            raise ValueError(f"Non-positive multiplication factor {times} for {type(self)}")
        made = Sequential()
        made._renumber(list(self) * times)
        return made

    __rmul__ = __mul__

    def append(self, module):
        """Adds a module at the end."""
        self.add_module(str(len(self)), module)
        return self

    def insert(self, index, module):
        """Adds a module before the one at `index`."""
        if not isinstance(module, Module):
            raise AssertionError(f"module should be of type: {Module}")
        if not -len(self) <= index <= len(self):
            raise IndexError(f"Index out of range: {index}")
        modules = list(self)
        modules.insert(index, module)
        self._renumber(modules)
        return self

    def extend(self, sequential):
        """Adds all modules of another one."""
        for module in sequential:
            self.append(module)
        return self

    def pop(self, key):
        """Takes a module out."""
        module = self[key]
        del self[key]
        return module

    def forward(self, input):
        for module in self:
            input = module(input)
        return input


class ModuleList(Module):
    """A list of modules, which whoever holds it calls."""

    def __init__(self, modules=None):
        super().__init__()
        if modules is not None:
            self += modules

    def _key(self, index):
        index = operator.index(index)
        if not -len(self) <= index < len(self):
            raise IndexError(f"index {index} is out of range")
        return str(index % len(self))

    def _renumber(self, modules):
        object.__setattr__(self, "_modules", {str(i): m for i, m in enumerate(modules)})

    def __getitem__(self, index):
        if isinstance(index, slice):
            return type(self)(list(self._modules.values())[index])
        return self._modules[self._key(index)]

    def __setitem__(self, index, module):
        setattr(self, self._key(index), module)

    def __delitem__(self, index):
        modules = list(self)
        if not isinstance(index, slice):
            self._key(index)
        del modules[index]
        self._renumber(modules)

    def __len__(self):
        return len(self._modules)

    def __iter__(self):
        return iter(self._modules.values())

    def __iadd__(self, modules):
        return self.extend(modules)

    def __add__(self, other):
        return type(self)([*self, *other])

    def __dir__(self):
        return [key for key in super().__dir__() if not key.isdigit()]

    def append(self, module):
        """Adds a module at the end."""
        self.add_module(str(len(self)), module)
        return self

    def insert(self, index, module):
        """Adds a module before the one at `index`."""
        modules = list(self)
        modules.insert(index, module)
        self._renumber(modules)

    def pop(self, key):
        """Takes a module out."""
        module = self[key]
        del self[key]
        return module

    def extend(self, modules):
        """Adds all modules of an iterable."""
        if not isinstance(modules, abc.Iterable):
            raise TypeError(f"ModuleList.extend should be called with an iterable, but got {type(modules).__name__}")
        for module in list(modules):
            self.append(module)
        return self

    def __repr__(self):
        if not self._modules:
            return f"{self._get_name()}()"
        groups = []
        for i, text in enumerate(map(repr, self)):
            if groups and groups[-1][2] == text:
                groups[-1][1] = i
            else:
                groups.append([i, i, text])
        lines = [f"({a}): {_indented(text)}" if a == b else f"({a}-{b}): {b - a + 1} x {_indented(text)}" for a, b, text
                 in groups]
        return f"{self._get_name()}(\n  " + "\n  ".join(lines) + "\n)"


class ModuleDict(Module):
    """Modules by name, which whoever holds it calls."""

    def __init__(self, modules=None):
        super().__init__()
        if modules is not None:
            self.update(modules)

    def __getitem__(self, key):
        return self._modules[key]

    def __setitem__(self, key, module):
        self.add_module(key, module)

    def __delitem__(self, key):
        del self._modules[key]

    def __len__(self):
        return len(self._modules)

    def __iter__(self):
        return iter(self._modules)

    def __contains__(self, key):
        return key in self._modules

    def clear(self):
        """Takes all modules out."""
        self._modules.clear()

    def pop(self, key):
        """Takes a module out."""
        return self._modules.pop(key)

    def keys(self):
        """The names."""
        return self._modules.keys()

    def values(self):
        """The modules."""
        return self._modules.values()

    def items(self):
        """(name, module) of all."""
        return self._modules.items()

    def update(self, modules):
        """Adds or replaces modules: a dictionary, or (name, module) pairs."""
        if not isinstance(modules, abc.Iterable):
            raise TypeError("ModuleDict.update should be called with an iterable of key/value pairs, but got " +
                            type(modules).__name__)
        pairs = modules.items() if isinstance(modules, (abc.Mapping, ModuleDict)) else _pairs("ModuleDict", modules)
        for key, module in pairs:
            self[key] = module


def _pairs(name, items):
    """The items, each of which must be a pair."""
    for i, pair in enumerate(items):
        if not isinstance(pair, abc.Iterable):
            raise TypeError(f"{name} update sequence element #{i} should be Iterable; is{type(pair).__name__}")
        pair = tuple(pair)
        if len(pair) != 2:
            raise ValueError(f"{name} update sequence element #{i} has length {len(pair)}; 2 is required")
        yield pair


def _shown(name, value, pad):
    if isinstance(value, Tensor):
        kind = "Parameter" if isinstance(value, Parameter) else "Tensor"
        sizes = "x".join(map(str, value.shape))
        return f"{pad}({name}): {kind} containing: [{value.dtype} of size {sizes}]"
    return f"{pad}({name}): Object of type: {type(value).__name__}"


class ParameterList(Module):
    """Parameters in a list."""

    def __init__(self, values=None):
        super().__init__()
        self._size = 0
        if values is not None:
            self += values

    def _key(self, index):
        index = operator.index(index)
        if not -len(self) <= index < len(self):
            raise IndexError(f"index {index} is out of range")
        return str(index % len(self))

    def __getitem__(self, index):
        if isinstance(index, slice):
            made = type(self)()
            for i in range(*index.indices(len(self))):
                made.append(self[i])
            return made
        return getattr(self, self._key(index))

    def __setitem__(self, index, value):
        if isinstance(value, Tensor) and not isinstance(value, Parameter):
            value = Parameter(value)
        setattr(self, self._key(index), value)

    def __len__(self):
        return self._size

    def __iter__(self):
        return iter(self[i] for i in range(len(self)))

    def __iadd__(self, values):
        return self.extend(values)

    def append(self, value):
        """Adds a parameter at the end."""
        self._size += 1
        self[self._size - 1] = value
        return self

    def extend(self, values):
        """Adds all of an iterable."""
        if not isinstance(values, abc.Iterable) or isinstance(values, Tensor):
            raise TypeError(f"ParameterList.extend should be called with an iterable, but got {type(values).__name__}")
        for value in values:
            self.append(value)
        return self

    def extra_repr(self):
        return "\n".join(_shown(i, v, "  ") for i, v in enumerate(self))

    def __call__(self, *args, **kwargs):
        raise RuntimeError("ParameterList should not be called.")


class ParameterDict(Module):
    """Parameters by name."""

    def __init__(self, parameters=None):
        super().__init__()
        self._keys = {}
        if parameters is not None:
            self.update(parameters)

    def _key_to_attr(self, key):
        if not isinstance(key, str):
            raise TypeError("Index given to ParameterDict cannot be used as a key as it is not a string (type is "
                            f"'{type(key).__name__}'). Open an issue on github if you need non-string keys.")
        return key

    def __getitem__(self, key):
        return getattr(self, self._key_to_attr(key))

    def __setitem__(self, key, value):
        self._keys[key] = None
        attribute = self._key_to_attr(key)
        if isinstance(value, Tensor) and not isinstance(value, Parameter):
            value = Parameter(value)
        setattr(self, attribute, value)

    def __delitem__(self, key):
        del self._keys[key]
        delattr(self, self._key_to_attr(key))

    def __len__(self):
        return len(self._keys)

    def __iter__(self):
        return iter(self._keys)

    def __reversed__(self):
        return reversed(list(self._keys))

    def __contains__(self, key):
        return key in self._keys

    def copy(self):
        """A dictionary of the same parameters."""
        return ParameterDict(OrderedDict((k, self[k]) for k in self._keys))

    def setdefault(self, key, default=None):
        """The parameter of this name, which is added if it is missing."""
        if key not in self:
            self[key] = default
        return self[key]

    def clear(self):
        """Takes all parameters out."""
        for key in list(self._keys):
            del self[key]

    def pop(self, key):
        """Takes a parameter out."""
        value = self[key]
        del self[key]
        return value

    def popitem(self):
        """Takes the last parameter out."""
        key, _ = self._keys.popitem()
        value = self[key]
        self._keys[key] = None
        del self[key]
        return key, value

    def get(self, key, default=None):
        """The parameter of this name, or the default."""
        return self[key] if key in self else default

    def fromkeys(self, keys, default=None):
        """A dictionary of these names, all with one value."""
        return ParameterDict((k, default) for k in keys)

    def keys(self):
        """The names."""
        return self._keys.keys()

    def items(self):
        """(name, parameter) of all."""
        return ((k, self[k]) for k in self._keys)

    def values(self):
        """The parameters."""
        return (self[k] for k in self._keys)

    def update(self, parameters):
        """Adds or replaces parameters: a dictionary, or (name, parameter) pairs."""
        if not isinstance(parameters, abc.Iterable):
            raise TypeError("ParametersDict.update should be called with an iterable of key/value pairs, but got " +
                            type(parameters).__name__)
        if isinstance(parameters, (OrderedDict, ParameterDict)):
            pairs = parameters.items()
        elif isinstance(parameters, abc.Mapping):
            pairs = sorted(parameters.items(), key=lambda pair: pair[0])
        else:
            pairs = _pairs("ParameterDict", parameters)
        for key, value in pairs:
            self[key] = value

    def extra_repr(self):
        shown = []
        for k, v in self.items():
            if isinstance(v, Tensor):
                sizes = "x".join(map(str, v.shape))
                kind = "Parameter" if isinstance(v, Parameter) else "Tensor"
                shown.append(f"  ({k}): {kind} containing: [{v.type()} of size {sizes}]")
            else:
                shown.append(f"  ({k}): Object of type: {type(v).__name__}")
        return "\n".join(shown)

    def __call__(self, input):
        raise RuntimeError("ParameterDict should not be called.")

    def __or__(self, other):
        made = self.copy()
        made.update(other)
        return made

    def __ror__(self, other):
        made = other.copy()
        made.update(self)
        return made

    def __ior__(self, other):
        self.update(other)
        return self
