"""Dictionaries that know their keys by identity, and do not keep them alive."""

import weakref
from collections.abc import MutableMapping
from weakref import ref

from .._C import Tensor
from .._refuse import lacking as _lacking

__all__ = ["TensorWeakRef", "WeakIdRef", "WeakIdKeyDictionary", "WeakTensorKeyDictionary"]
WeakRef = ref


class WeakIdRef(weakref.ref):
    """A weak reference that is equal to another one of the same object."""

    __slots__ = ["_id"]

    def __init__(self, key, callback=None):
        self._id = id(key)
        super().__init__(key, callback)

    def __call__(self):
        return super().__call__()

    def __hash__(self):
        return self._id

    def __eq__(self, other):
        mine, others = self(), other()
        return mine is others if mine is not None and others is not None else self is other


class WeakIdKeyDictionary(MutableMapping):
    """A dictionary of objects by identity; what dies leaves it."""

    def __init__(self, dict=None, ref_type=WeakIdRef):
        self.ref_type, self.data = ref_type, {}
        own = weakref.ref(self)

        def remove(key):
            held = own()
            if held is not None:
                held.data.pop(key, None)

        self._remove = remove
        if dict is not None:
            self.update(dict)

    def __getitem__(self, key):
        return self.data[self.ref_type(key)]

    def __setitem__(self, key, value):
        self.data[self.ref_type(key, self._remove)] = value

    def __delitem__(self, key):
        del self.data[self.ref_type(key)]

    def __len__(self):
        return len(self.data)

    def __contains__(self, key):
        try:
            return self.ref_type(key) in self.data
        except TypeError:
            return False

    def __iter__(self):
        for held in list(self.data):
            key = held()
            if key is not None:
                yield key

    def keyrefs(self):
        """The weak references."""
        return list(self.data)

    def copy(self):
        """Another dictionary with the same entries."""
        made = type(self)() if type(self) is not WeakIdKeyDictionary else WeakIdKeyDictionary(ref_type=self.ref_type)
        made.update(self)
        return made

    __copy__ = copy

    def __deepcopy__(self, memo):
        from copy import deepcopy

        made = self.copy()
        for key, value in self.items():
            made[key] = deepcopy(value, memo)
        return made

    def __or__(self, other):
        if not isinstance(other, (MutableMapping, dict)):
            return NotImplemented
        made = self.copy()
        made.update(other)
        return made

    def __ior__(self, other):
        self.update(other)
        return self

    def __repr__(self):
        return f"<{type(self).__name__} at {id(self):#x}>"


WeakTensorKeyDictionary = WeakIdKeyDictionary


class TensorWeakRef:
    """A weak reference to a tensor."""

    def __init__(self, tensor):
        if not isinstance(tensor, Tensor):
            raise AssertionError(f"expected torch.Tensor, got {type(tensor)}")
        self.ref = weakref.ref(tensor)

    def __call__(self):
        return self.ref()


for _class in (WeakIdRef, WeakIdKeyDictionary, TensorWeakRef):
    _class.__module__ = "torch.utils.weak"
__getattr__ = _lacking("utils.weak")
