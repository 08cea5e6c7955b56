"""Handles that take hooks away again."""

import itertools
import weakref
from collections import OrderedDict

_numbers = itertools.count()


class RemovableHandle:
    """Takes the hook with its number out of a dictionary, and out of others that know it."""

    def __init__(self, hooks_dict, *, extra_dict=None):
        self.hooks_dict_ref = weakref.ref(hooks_dict)
        self.id = next(_numbers)
        extra = extra_dict if isinstance(extra_dict, list) else [] if extra_dict is None else [extra_dict]
        self.extra_dict_ref = tuple(weakref.ref(d) for d in extra)

    def remove(self):
        """Removes the hook; a second call does nothing."""
        for held in (self.hooks_dict_ref, *self.extra_dict_ref):
            hooks = held()
            if hooks is not None:
                hooks.pop(self.id, None)

    def __getstate__(self):
        return self.hooks_dict_ref(), self.id

    def __setstate__(self, state):
        self.hooks_dict_ref = weakref.ref(OrderedDict() if state[0] is None else state[0])
        self.id = state[1]
        self.extra_dict_ref = ()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.remove()


RemovableHandle.__module__ = "torch.utils.hooks"
