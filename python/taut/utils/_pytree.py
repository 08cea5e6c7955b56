"""Nested values as trees: what is in a container is its children, everything else is a leaf. Classes may be made containers too."""

import dataclasses
import functools
import importlib
import json
import sys
import threading
import typing
import warnings
from collections import OrderedDict, defaultdict, deque, namedtuple
from typing import Any, Callable, NamedTuple

__all__ = ["PyTree", "Context", "FlattenFn", "UnflattenFn", "DumpableContext", "ToDumpableContextFn", "FromDumpableContextFn", "PyTreeSpec",
           "TreeSpec", "LeafSpec", "keystr", "key_get", "register_pytree_node", "register_dataclass", "register_constant", "is_namedtuple",
           "is_namedtuple_class", "is_namedtuple_instance", "is_structseq", "is_structseq_class", "is_structseq_instance", "tree_flatten",
           "tree_flatten_with_path", "tree_unflatten", "tree_iter", "tree_is_leaf", "tree_leaves", "tree_leaves_with_path", "tree_structure",
           "tree_map", "tree_map_with_path", "tree_map_", "tree_map_only", "tree_map_only_", "tree_all", "tree_any", "tree_all_only",
           "tree_any_only", "treespec_dumps", "treespec_loads", "treespec_pprint"]

PyTree = Any
Context = Any
DumpableContext = Any
FlattenFn = FlattenFunc = Callable
UnflattenFn = UnflattenFunc = Callable
ToDumpableContextFn = FromDumpableContextFn = Callable
KeyEntry = Any
KeyPath = typing.Tuple[Any, ...]
FlattenWithKeysFn = FlattenWithKeysFunc = Callable
DEFAULT_TREESPEC_SERIALIZATION_PROTOCOL = 1
NO_SERIALIZED_TYPE_NAME_FOUND = "NO_SERIALIZED_TYPE_NAME_FOUND"


# Steps of a path to a leaf.


@dataclasses.dataclass(frozen=True)
class SequenceKey:
    """An item of a sequence."""

    idx: int

    def __str__(self):
        return f"[{self.idx!r}]"

    def get(self, sequence):
        return sequence[self.idx]


@dataclasses.dataclass(frozen=True)
class MappingKey:
    """A value of a mapping."""

    key: Any

    def __str__(self):
        return f"[{self.key!r}]"

    def get(self, mapping):
        return mapping[self.key]


@dataclasses.dataclass(frozen=True)
class GetAttrKey:
    """An attribute."""

    name: str

    def __str__(self):
        return f".{self.name}"

    def get(self, obj):
        return getattr(obj, self.name)


def keystr(kp):
    """A path as Python would write it: ['a'][0].x"""
    return "".join(map(str, kp))


def key_get(obj, kp):
    """What a path leads to."""
    for k in kp:
        obj = k.get(obj)
    return obj


# The classes that are containers.


class NodeDef(NamedTuple):
    """How the instances of a class are taken apart and put together."""

    type: type
    flatten_fn: Callable
    unflatten_fn: Callable
    flatten_with_keys_fn: Any


class _Serialized(NamedTuple):
    name: str
    to_dumpable: Any
    from_dumpable: Any


SUPPORTED_NODES = {}
SUPPORTED_SERIALIZED_TYPES = {}
SERIALIZED_TYPE_TO_PYTHON_TYPE = {}
CONSTANT_NODES = set()
_lock = threading.RLock()


def register_pytree_node(cls, flatten_fn, unflatten_fn, *, serialized_type_name=None, to_dumpable_context=None, from_dumpable_context=None,
                         flatten_with_keys_fn=None):
    """From now on instances of the class are containers: flatten_fn gives (children, context), unflatten_fn(children, context) an instance."""
    with _lock:
        if cls in SUPPORTED_NODES:
            raise ValueError(f"{cls} is already registered as pytree node.")
        _private_register_pytree_node(cls, flatten_fn, unflatten_fn, serialized_type_name=serialized_type_name,
                                      to_dumpable_context=to_dumpable_context, from_dumpable_context=from_dumpable_context,
                                      flatten_with_keys_fn=flatten_with_keys_fn)


def _private_register_pytree_node(cls, flatten_fn, unflatten_fn, *, serialized_type_name=None, to_dumpable_context=None,
                                  from_dumpable_context=None, flatten_with_keys_fn=None):
    if (to_dumpable_context is None) != (from_dumpable_context is None):
        raise ValueError(f"Both to_dumpable_context and from_dumpable_context for {cls} must be None or registered.")
    with _lock:
        if cls in SUPPORTED_NODES:
            warnings.warn(f"{cls} is already registered as pytree node. Overwriting the previous registration.", stacklevel=2)
        SUPPORTED_NODES[cls] = NodeDef(cls, flatten_fn, unflatten_fn, flatten_with_keys_fn)
        name = NO_SERIALIZED_TYPE_NAME_FOUND if serialized_type_name is None else serialized_type_name
        SUPPORTED_SERIALIZED_TYPES[cls] = _Serialized(name, to_dumpable_context, from_dumpable_context)
        SERIALIZED_TYPE_TO_PYTHON_TYPE[name] = cls


def _register_pytree_node(cls, flatten_fn, unflatten_fn, *, serialized_type_name=None, to_dumpable_context=None, from_dumpable_context=None,
                          flatten_with_keys_fn=None):
    warnings.warn("`torch.utils._pytree._register_pytree_node` is deprecated. Please use `torch.utils._pytree.register_pytree_node` instead.",
                  FutureWarning, stacklevel=2)
    _private_register_pytree_node(cls, flatten_fn, unflatten_fn, serialized_type_name=serialized_type_name,
                                  to_dumpable_context=to_dumpable_context, from_dumpable_context=from_dumpable_context,
                                  flatten_with_keys_fn=flatten_with_keys_fn)


def _deregister_pytree_node(cls):
    with _lock:
        del SUPPORTED_NODES[cls]
        serialized = SUPPORTED_SERIALIZED_TYPES.pop(cls)
        SERIALIZED_TYPE_TO_PYTHON_TYPE.pop(serialized.name, None)
        CONSTANT_NODES.discard(cls)


def register_dataclass(cls, *, field_names=None, drop_field_names=None, serialized_type_name=None):
    """Makes a dataclass a container of its fields; those with the value None are not children."""
    if not dataclasses.is_dataclass(cls):
        if field_names is None:
            raise ValueError(f"field_names must be specified with a list of all fields used to initialize {cls}, as it is not a dataclass.")
    else:
        made_with = {f.name for f in dataclasses.fields(cls) if f.init}
        if field_names is None:
            field_names = [f.name for f in dataclasses.fields(cls) if f.init]
        drop = set(drop_field_names or ())
        missing = made_with - set(field_names) - drop
        missing = {f.name for f in dataclasses.fields(cls) if f.name in missing and f.default is dataclasses.MISSING
                   and f.default_factory is dataclasses.MISSING}
        unknown = set(field_names) - made_with
        if missing or unknown:
            text = f"field_names for {cls} must include all dataclass fields that are used to initialize it."
            raise ValueError(text + (f" Missing fields: {sorted(missing)}." if missing else "")
                             + (f" Unexpected fields: {sorted(unknown)}." if unknown else ""))
        field_names = [n for n in field_names if n not in drop]

    def parts(obj):
        there = [n for n in field_names if getattr(obj, n) is not None]
        return there, [n for n in field_names if n not in there]

    def flatten(obj):
        there, none = parts(obj)
        return [getattr(obj, n) for n in there], [there, none]

    def flatten_with_keys(obj):
        there, none = parts(obj)
        return [(GetAttrKey(n), getattr(obj, n)) for n in there], [there, none]

    def unflatten(values, context):
        there, none = context
        return cls(**dict(zip(there, values)), **dict.fromkeys(none))

    _private_register_pytree_node(cls, flatten, unflatten, serialized_type_name=serialized_type_name, flatten_with_keys_fn=flatten_with_keys)


class ConstantNode(NamedTuple):
    """The context of a class whose instances have no children."""

    value: Any


def register_constant(cls):
    """Makes the instances of a class parts of the structure: they have no leaves. They must have __eq__ and __hash__."""
    if cls.__eq__ is object.__eq__:
        raise TypeError("register_constant(cls) expects `cls` to have a non-default `__eq__` implementation.")
    if cls.__hash__ is None:
        raise TypeError("register_constant(cls) expects `cls` to have a non-default `__hash__` implementation.")
    with _lock:
        _private_register_pytree_node(cls, lambda x: ([], ConstantNode(x)), lambda _, context: context.value,
                                      flatten_with_keys_fn=lambda x: ([], ConstantNode(x)))
        CONSTANT_NODES.add(cls)


def is_constant_class(cls):
    """Was it registered with register_constant()?"""
    return isinstance(cls, type) and cls in CONSTANT_NODES


def is_namedtuple(obj):
    """Is it a named tuple, or the class of one?"""
    return is_namedtuple_class(obj if isinstance(obj, type) else type(obj))


def is_namedtuple_class(cls):
    """Is it a subclass of tuple with named fields?"""
    return isinstance(cls, type) and issubclass(cls, tuple) and isinstance(getattr(cls, "_fields", None), tuple) \
        and all(type(f) is str for f in cls._fields) and callable(getattr(cls, "_make", None)) and callable(getattr(cls, "_asdict", None))


def is_namedtuple_instance(obj):
    """Is it a named tuple?"""
    return is_namedtuple_class(type(obj))


def is_structseq_class(cls):
    """Is it a class of results with names, such as that of torch.max?"""
    return isinstance(cls, type) and issubclass(cls, tuple) and not is_namedtuple_class(cls) and (
        cls.__module__ == "torch.return_types" or isinstance(getattr(cls, "n_sequence_fields", None), int))


def is_structseq_instance(obj):
    """Is it a result with names?"""
    return is_structseq_class(type(obj))


def is_structseq(obj):
    """Is it a result with names, or the class of one?"""
    return is_structseq_class(obj if isinstance(obj, type) else type(obj))


def _sequence_with_keys(flatten):
    def with_keys(seq):
        values, context = flatten(seq)
        return [(SequenceKey(i), v) for i, v in enumerate(values)], context

    return with_keys


def _mapping_with_keys(flatten):
    def with_keys(d):
        values, context = flatten(d)
        return [(MappingKey(k), v) for k, v in zip(d, values)], context

    return with_keys


def _flatten_tuple(d):
    return list(d), None


def _flatten_list(d):
    return d, None


def _flatten_dict(d):
    return list(d.values()), list(d)


def _flatten_named(d):
    return list(d), type(d)


def _named_with_keys(d):
    return [(GetAttrKey(n), v) for n, v in zip(d._fields, d)], type(d)


def _flatten_defaultdict(d):
    return list(d.values()), [d.default_factory, list(d)]


def _flatten_deque(d):
    return list(d), d.maxlen


_private_register_pytree_node(tuple, _flatten_tuple, lambda v, _: tuple(v), serialized_type_name="builtins.tuple",
                              flatten_with_keys_fn=_sequence_with_keys(_flatten_tuple))
_private_register_pytree_node(list, _flatten_list, lambda v, _: list(v), serialized_type_name="builtins.list",
                              flatten_with_keys_fn=_sequence_with_keys(_flatten_list))
_private_register_pytree_node(dict, _flatten_dict, lambda v, keys: dict(zip(keys, v)), serialized_type_name="builtins.dict",
                              flatten_with_keys_fn=_mapping_with_keys(_flatten_dict))
_private_register_pytree_node(namedtuple, _flatten_named, lambda v, cls: cls(*v), serialized_type_name="collections.namedtuple",
                              to_dumpable_context=lambda cls: _serialized_namedtuple(cls), flatten_with_keys_fn=_named_with_keys,
                              from_dumpable_context=lambda name: SERIALIZED_TYPE_TO_PYTHON_TYPE[name])
_private_register_pytree_node(OrderedDict, _flatten_dict, lambda v, keys: OrderedDict(zip(keys, v)),
                              serialized_type_name="collections.OrderedDict", flatten_with_keys_fn=_mapping_with_keys(_flatten_dict))
_private_register_pytree_node(defaultdict, _flatten_defaultdict, lambda v, c: defaultdict(c[0], zip(c[1], v)),
                              serialized_type_name="collections.defaultdict",
                              to_dumpable_context=lambda c: {"default_factory_module": getattr(c[0], "__module__", None),
                                                             "default_factory_name": getattr(c[0], "__qualname__", None), "dict_context": c[1]},
                              from_dumpable_context=lambda d: [
                                  d["default_factory_name"] and getattr(importlib.import_module(d["default_factory_module"]),
                                                                        d["default_factory_name"]), d["dict_context"]],
                              flatten_with_keys_fn=_mapping_with_keys(_flatten_defaultdict))
_private_register_pytree_node(deque, _flatten_deque, lambda v, maxlen: deque(v, maxlen=maxlen), serialized_type_name="collections.deque",
                              flatten_with_keys_fn=_sequence_with_keys(_flatten_deque))
STANDARD_DICT_TYPES = frozenset({dict, OrderedDict, defaultdict})
BUILTIN_TYPES = frozenset({tuple, list, dict, namedtuple, OrderedDict, defaultdict, deque})
_NAMED_TUPLES = {}


def _register_namedtuple(cls, *, serialized_type_name):
    """Lets the structure of a named tuple be written, by a name that treespec_loads() will know."""
    _NAMED_TUPLES[cls] = serialized_type_name
    SERIALIZED_TYPE_TO_PYTHON_TYPE[serialized_type_name] = cls


def _serialized_namedtuple(cls):
    if cls not in _NAMED_TUPLES:
        raise NotImplementedError(f"Can't serialize TreeSpec of namedtuple class {cls} because we didn't register a serializated_type_name. "
                                  "Please register using `_register_namedtuple`.")
    return _NAMED_TUPLES[cls]


def _register_results():
    """Size, and the named results of ops, of which new classes are made as ops are called."""
    size = sys.modules[__package__.partition(".")[0]].Size
    if size not in SUPPORTED_NODES:
        _private_register_pytree_node(size, _flatten_tuple, lambda v, _: size(v), serialized_type_name="torch.Size",
                                      flatten_with_keys_fn=_sequence_with_keys(_flatten_tuple))
    return size


def _get_node_type(tree):
    kind = type(tree)
    if kind in SUPPORTED_NODES:
        return kind
    if issubclass(kind, tuple):
        if kind.__module__ == "torch.return_types":
            with _lock:
                if kind not in SUPPORTED_NODES:
                    _private_register_pytree_node(kind, _flatten_tuple, lambda v, _: kind(v),
                                                  serialized_type_name=f"torch.return_types.{kind.__name__}",
                                                  flatten_with_keys_fn=_sequence_with_keys(_flatten_tuple))
            return kind
        if is_namedtuple_class(kind):
            return namedtuple
        if kind.__name__ == "Size":
            return _register_results()
    return kind


def tree_is_leaf(tree, is_leaf=None):
    """Is it no container?"""
    return is_leaf is not None and is_leaf(tree) or _get_node_type(tree) not in SUPPORTED_NODES


_is_leaf = tree_is_leaf


class _SpecMeta(type):
    def __instancecheck__(cls, instance):
        if cls is not TreeSpec and cls.__name__ == "LeafSpec":
            warnings.warn("`isinstance(treespec, LeafSpec)` is deprecated, use `isinstance(treespec, TreeSpec) and treespec.is_leaf()` instead.",
                          FutureWarning, stacklevel=2)
            return type.__instancecheck__(TreeSpec, instance) and instance.is_leaf()
        return type.__instancecheck__(cls, instance)


class TreeSpec(metaclass=_SpecMeta):
    """The structure of a tree: what is left of it without its leaves."""

    __slots__ = ("type", "_context", "_children", "num_nodes", "num_leaves", "num_children")

    def __init__(self, type, context, children_specs=()):
        self.type, self._context, self._children = type, context, list(children_specs)
        self.num_nodes = 1 + sum(c.num_nodes for c in self._children)
        self.num_leaves = 1 if type is None else sum(c.num_leaves for c in self._children)
        self.num_children = len(self._children)

    @property
    def context(self):
        """What the container keeps beside its children: the keys of a dict, the class of a named tuple."""
        return self._context

    @property
    def children_specs(self):
        """The structures of the children, by their old name."""
        warnings.warn("`treespec.children_specs` is deprecated. Use `treespec.child(index)` to access a single child, or "
                      "`treespec.children()` to get all children.", FutureWarning, stacklevel=2)
        return self._children

    def children(self):
        """The structures of the children."""
        return list(self._children)

    def child(self, index):
        """The structure of one child."""
        return self._children[index]

    def is_leaf(self):
        """Is it that of a leaf?"""
        return self.type is None

    def __repr__(self, indent=0):
        if self.type is None:
            return "*"
        indent += 2
        inside = "".join(("" if i == 0 else ",\n" + " " * indent) + c.__repr__(indent) for i, c in enumerate(self._children))
        return f"TreeSpec({self.type.__name__}, {self._context}, [{inside}])"

    def __eq__(self, other):
        if self is other:
            return True
        if other.__class__ is not TreeSpec and not isinstance(other, TreeSpec):
            return NotImplemented
        return self.type is other.type and self._context == other._context and self._children == other._children

    def __hash__(self):
        context = self._context
        if self.type in STANDARD_DICT_TYPES:
            context = tuple(context[1] if self.type is defaultdict else context)
        elif isinstance(context, list):
            context = repr(context)
        return hash((self.type, context, tuple(self._children)))

    def unflatten(self, leaves):
        """The tree of these leaves."""
        if not isinstance(leaves, (list, tuple)):
            leaves = list(leaves)
        if len(leaves) != self.num_leaves:
            raise ValueError(f"treespec.unflatten(leaves): `leaves` has length {len(leaves)} but the spec refers to a pytree that holds "
                             f"{self.num_leaves} items ({self}).")
        return self._build(iter(leaves))

    def _build(self, leaves):
        if self.type is None:
            return next(leaves)
        return SUPPORTED_NODES[self.type].unflatten_fn([c._build(leaves) for c in self._children], self._context)

    def flatten_up_to(self, tree):
        """The subtrees of another tree that stand where this one has leaves."""
        found = []
        self._match(tree, found)
        return found

    def _match(self, tree, found):
        if self.type is None:
            found.append(tree)
            return
        kind = _get_node_type(tree)
        both_dicts = self.type in STANDARD_DICT_TYPES and kind in STANDARD_DICT_TYPES
        if kind is not self.type and not both_dicts:
            raise ValueError(f"Node type mismatch; expected {self.type!r}, but got {kind!r}.")
        if both_dicts:
            keys = self._context[1] if self.type is defaultdict else self._context
            if len(tree) != len(keys) and set(tree) == set(keys):
                raise ValueError(f"Node arity mismatch; expected {len(keys)}, but got {len(tree)}.")
            if set(tree) != set(keys):
                missing, extra = set(keys) - set(tree), set(tree) - set(keys)
                raise ValueError("Node keys mismatch" + (f"; missing key(s): {missing}" if missing else "")
                                 + (f"; extra key(s): {extra}" if extra else "") + ".")
            children = [tree[k] for k in keys]
        else:
            children, context = SUPPORTED_NODES[kind].flatten_fn(tree)
            children = list(children)
            if len(children) != self.num_children:
                raise ValueError(f"Node arity mismatch; expected {self.num_children}, but got {len(children)}.")
            if kind is not deque and context != self._context:  # how long a deque may get is no matter
                raise ValueError(f"Node context mismatch for custom node type {self.type!r}: {context!r} is not {self._context!r}."
                                 if kind is not namedtuple else f"Node type mismatch; expected {self._context!r}, but got {context!r}.")
        for spec, child in zip(self._children, children):
            spec._match(child, found)

    def entry(self, index):
        """The key of a child in its container."""
        keys = self._context[1] if self.type is defaultdict else self._context if self.type in STANDARD_DICT_TYPES else None
        return index if keys is None else keys[index]

    def entries(self):
        """The keys of all children."""
        return [self.entry(i) for i in range(self.num_children)]

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        return TreeSpec, (self.type, self._context, self._children)


PyTreeSpec = TreeSpec
_LEAF = TreeSpec(None, None, [])


class LeafSpec(TreeSpec, metaclass=_SpecMeta):
    """The structure of a leaf."""

    __slots__ = ()

    def __new__(cls):
        return _LEAF

    def __init__(self):
        pass


for _cls in (TreeSpec, LeafSpec, SequenceKey, MappingKey, GetAttrKey):
    _cls.__module__ = "torch.utils._pytree"
_LEAF_SPEC = _LEAF


def treespec_leaf():
    """The structure of a leaf."""
    return _LEAF


def treespec_tuple(iterable=()):
    """The structure of a tuple of these."""
    return TreeSpec(tuple, None, list(iterable))


def treespec_list(iterable=()):
    """The structure of a list of these."""
    return TreeSpec(list, None, list(iterable))


def treespec_dict(mapping=()):
    """The structure of a dict of these."""
    mapping = dict(mapping)
    return TreeSpec(dict, list(mapping), list(mapping.values()))


def _take(tree, leaves, is_leaf):
    if is_leaf is not None and is_leaf(tree):
        leaves.append(tree)
        return _LEAF
    kind = _get_node_type(tree)
    node = SUPPORTED_NODES.get(kind)
    if node is None:
        leaves.append(tree)
        return _LEAF
    children, context = node.flatten_fn(tree)
    return TreeSpec(kind, context, [_take(c, leaves, is_leaf) for c in children])


def tree_flatten(tree, is_leaf=None):
    """The leaves of a tree in order, and its structure."""
    leaves = []
    return leaves, _take(tree, leaves, is_leaf)


def tree_unflatten(leaves, treespec):
    """The tree of these leaves and this structure."""
    if not isinstance(treespec, TreeSpec):
        raise TypeError(f"tree_unflatten(leaves, treespec): Expected `treespec` to be instance of PyTreeSpec but got item of type {type(treespec)}.")
    return treespec.unflatten(leaves)


def tree_iter(tree, is_leaf=None):
    """The leaves, one by one."""
    if tree_is_leaf(tree, is_leaf):
        yield tree
        return
    for child in SUPPORTED_NODES[_get_node_type(tree)].flatten_fn(tree)[0]:
        yield from tree_iter(child, is_leaf)


def tree_leaves(tree, is_leaf=None):
    """The leaves, as a list."""
    return list(tree_iter(tree, is_leaf))


def tree_structure(tree, is_leaf=None):
    """The structure alone."""
    return tree_flatten(tree, is_leaf)[1]


def arg_tree_leaves(*args, **kwargs):
    """The leaves of the arguments."""
    return [leaf for a in (*args, *kwargs.values()) for leaf in tree_iter(a)]


def tree_map(func, tree, *rests, is_leaf=None):
    """The tree of func(leaf), or of func(leaf, subtrees of the others that stand in its place)."""
    leaves, treespec = tree_flatten(tree, is_leaf)
    return treespec.unflatten(list(map(func, leaves, *(treespec.flatten_up_to(r) for r in rests))))


def tree_map_(func, tree, *rests, is_leaf=None):
    """Calls func for each leaf; returns the tree as it is."""
    leaves, treespec = tree_flatten(tree, is_leaf)
    for given in zip(leaves, *(treespec.flatten_up_to(r) for r in rests)):
        func(*given)
    return tree


def _is_wanted(kind):
    import types

    if isinstance(kind, (type, tuple)) or isinstance(kind, getattr(types, "UnionType", ())):
        return lambda x: isinstance(x, kind)
    if callable(kind):
        return kind
    raise TypeError("Argument must be a type, a tuple of types, or a callable.")


def map_only(type_or_types_or_pred, /):
    """A decorator: the function for leaves of a kind, all others stay."""
    wanted = _is_wanted(type_or_types_or_pred)

    def decorate(func):
        @functools.wraps(func)
        def wrapped(x):
            return func(x) if wanted(x) else x

        return wrapped

    return decorate


def tree_map_only(type_or_types_or_pred, /, func, tree, is_leaf=None):
    """The tree with func(leaf) for the leaves of a class, of several, or for which a function is true."""
    return tree_map(map_only(type_or_types_or_pred)(func), tree, is_leaf=is_leaf)


def tree_map_only_(type_or_types_or_pred, /, func, tree, is_leaf=None):
    """Calls func for such leaves; returns the tree as it is."""
    return tree_map_(map_only(type_or_types_or_pred)(func), tree, is_leaf=is_leaf)


def tree_all(pred, tree, is_leaf=None):
    """Is pred true of every leaf?"""
    return all(map(pred, tree_iter(tree, is_leaf)))


def tree_any(pred, tree, is_leaf=None):
    """Is pred true of some leaf?"""
    return any(map(pred, tree_iter(tree, is_leaf)))


def tree_all_only(type_or_types, /, pred, tree, is_leaf=None):
    """Is pred true of every leaf of this class?"""
    return all(pred(x) for x in tree_iter(tree, is_leaf) if isinstance(x, type_or_types))


def tree_any_only(type_or_types, /, pred, tree, is_leaf=None):
    """Is pred true of some leaf of this class?"""
    return any(pred(x) for x in tree_iter(tree, is_leaf) if isinstance(x, type_or_types))


def _broadcast_to_and_flatten(tree, treespec, is_leaf=None):
    """For each leaf of the structure the leaf of `tree` above it; None if that is nested in another way."""
    if tree_is_leaf(tree, is_leaf):
        return [tree] * treespec.num_leaves
    if treespec.is_leaf():
        return None
    kind = _get_node_type(tree)
    if kind is not treespec.type:
        return None
    children, context = SUPPORTED_NODES[kind].flatten_fn(tree)
    children = list(children)
    if len(children) != treespec.num_children or context != treespec.context:
        return None
    found = []
    for child, spec in zip(children, treespec._children):
        part = _broadcast_to_and_flatten(child, spec, is_leaf)
        if part is None:
            return None
        found += part
    return found


def tree_flatten_with_path(tree, is_leaf=None):
    """The leaves with the paths to them, and the structure."""
    return tree_leaves_with_path(tree, is_leaf), tree_structure(tree, is_leaf)


def tree_leaves_with_path(tree, is_leaf=None):
    """The leaves with the paths to them."""
    return list(_with_path((), tree, is_leaf))


def _with_path(path, tree, is_leaf):
    if tree_is_leaf(tree, is_leaf):
        yield path, tree
        return
    kind = _get_node_type(tree)
    with_keys = SUPPORTED_NODES[kind].flatten_with_keys_fn
    if with_keys is None:
        raise ValueError(f"Did not find a flatten_with_keys_fn for type: {kind}. Please pass a flatten_with_keys_fn argument to "
                         "register_pytree_node.")
    for key, child in with_keys(tree)[0]:
        yield from _with_path((*path, key), child, is_leaf)


def tree_map_with_path(func, tree, *rests, is_leaf=None):
    """The tree of func(path, leaf)."""
    found, treespec = tree_flatten_with_path(tree, is_leaf)
    paths, leaves = [p for p, _ in found], [v for _, v in found]
    return treespec.unflatten([func(*given) for given in zip(paths, leaves, *(treespec.flatten_up_to(r) for r in rests))])


# Structures as text.


def _to_json(spec):
    if spec.is_leaf():
        return {"type": None, "context": None, "children_spec": []}
    serialized = SUPPORTED_SERIALIZED_TYPES.get(spec.type)
    if serialized is None:
        raise NotImplementedError(f"Serializing {spec.type} in pytree is not registered.")
    if serialized.name == NO_SERIALIZED_TYPE_NAME_FOUND:
        raise NotImplementedError(f"No registered serialization name for {spec.type} found. Please update your _register_pytree_node call with a "
                                  "`serialized_type_name` kwarg.")
    if serialized.to_dumpable is None:
        try:
            context = json.dumps(spec.context)
        except TypeError as e:
            raise TypeError("Unable to serialize context. Please make the context json dump-able, or register a custom serializer using "
                            "_register_pytree_node.") from e
    else:
        context = serialized.to_dumpable(spec.context)
    return {"type": serialized.name, "context": context, "children_spec": [_to_json(c) for c in spec._children]}


def _from_json(data):
    if data["type"] is None and data["context"] is None and not data["children_spec"]:
        return _LEAF
    kind = SERIALIZED_TYPE_TO_PYTHON_TYPE.get(data["type"])
    if kind is None:
        raise NotImplementedError(f"Deserializing {data['type']} in pytree is not registered.")
    if is_namedtuple_class(kind):
        kind = namedtuple
    read = SUPPORTED_SERIALIZED_TYPES[kind].from_dumpable
    context = json.loads(data["context"]) if read is None else read(data["context"])
    return TreeSpec(kind, context, [_from_json(c) for c in data["children_spec"]])


def treespec_dumps(treespec, protocol=None):
    """The structure as text."""
    if not isinstance(treespec, TreeSpec):
        raise TypeError(f"treespec_dumps(treespec, protocol): Expected `treespec` to be instance of PyTreeSpec but got item of type {type(treespec)}.")
    protocol = DEFAULT_TREESPEC_SERIALIZATION_PROTOCOL if protocol is None else protocol
    if protocol != 1:
        raise ValueError(f"Unknown protocol {protocol}. Available protocols: [1]")
    return json.dumps((protocol, _to_json(treespec)))


@functools.lru_cache
def treespec_loads(serialized):
    """The structure that treespec_dumps() wrote."""
    protocol, data = json.loads(serialized)
    if protocol != 1:
        raise ValueError(f"Unknown protocol {protocol}. Available protocols: [1]")
    return _from_json(data)


class _Star:
    def __repr__(self):
        return "*"


def treespec_pprint(treespec):
    """The structure as its containers print, with a * for every leaf."""
    return repr(tree_unflatten([_Star()] * treespec.num_leaves, treespec))


# By the names under which programs find PyTorch's own.
_tuple_flatten_with_keys, _list_flatten_with_keys = _sequence_with_keys(_flatten_tuple), _sequence_with_keys(_flatten_list)
_dict_flatten_with_keys = _ordereddict_flatten_with_keys = _mapping_with_keys(_flatten_dict)
_namedtuple_flatten_with_keys, _defaultdict_flatten_with_keys = _named_with_keys, _mapping_with_keys(_flatten_defaultdict)
_deque_flatten_with_keys = _sequence_with_keys(_flatten_deque)
_tuple_flatten, _list_flatten, _dict_flatten, _namedtuple_flatten = _flatten_tuple, _flatten_list, _flatten_dict, _flatten_named
_ordereddict_flatten, _defaultdict_flatten, _deque_flatten = _flatten_dict, _flatten_defaultdict, _flatten_deque
_tuple_unflatten, _list_unflatten, _dict_unflatten, _namedtuple_unflatten, _ordereddict_unflatten, _defaultdict_unflatten, _deque_unflatten = (
    SUPPORTED_NODES[_cls].unflatten_fn for _cls in (tuple, list, dict, namedtuple, OrderedDict, defaultdict, deque))
