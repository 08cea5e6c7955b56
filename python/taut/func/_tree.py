"""Values in nested tuples, lists and dicts."""

from .. import _C


_NESTED = (dict, tuple, list)
_PLAIN = {_C.Tensor, int, float, bool, type(None)}


def flatten(tree):
    """The leaves of a nested value, in order, and a function that puts other leaves in their places."""
    if type(tree) in _PLAIN:
        return [tree], _first
    if type(tree) is tuple and _PLAIN.issuperset(map(type, tree)):
        return list(tree), tuple
    leaves = []
    rebuild = _take(tree, leaves)

    def build(values):
        return rebuild(iter(values))

    return leaves, build


def _first(values):
    return next(iter(values))


def _take(tree, leaves):
    if isinstance(tree, dict):
        keys = list(tree)
        if type(tree) is dict and _PLAIN.issuperset(map(type, tree.values())):  # needs no walk
            leaves.extend(tree.values())
            return lambda values: dict(zip(keys, values))
        parts = [_take(v, leaves) for v in tree.values()]
        return lambda values: type(tree)((k, p(values)) for k, p in zip(keys, parts))
    if isinstance(tree, (tuple, list)):
        parts = [_take(v, leaves) for v in tree]
        if hasattr(tree, "_fields"):
            return lambda values: type(tree)(*(p(values) for p in parts))
        kind = type(tree) if type(tree) in (tuple, list) else tuple
        return lambda values: kind([p(values) for p in parts])
    leaves.append(tree)
    return next


def shape(tree):
    """How a value is nested, in words: * for a leaf."""
    if isinstance(tree, dict):
        return "{" + ", ".join(f"{k!r}: {shape(v)}" for k, v in tree.items()) + "}"
    if isinstance(tree, (tuple, list)):
        inside = ", ".join(map(shape, tree))
        return f"[{inside}]" if isinstance(tree, list) else f"({inside},)" if len(tree) == 1 else f"({inside})"
    return "*"


def broadcast(prefix, tree):
    """For each leaf of `tree` the leaf of `prefix` above it; None if `prefix` is nested in another way."""
    found = []
    return found if _spread(prefix, tree, found) else None


def _spread(prefix, tree, found):
    if isinstance(prefix, dict):
        return isinstance(tree, dict) and list(prefix) == list(tree) and \
            all(_spread(prefix[k], tree[k], found) for k in prefix)
    if isinstance(prefix, (tuple, list)):
        return isinstance(tree, (tuple, list)) and len(prefix) == len(tree) and \
            all(_spread(p, t, found) for p, t in zip(prefix, tree))
    found.extend([prefix] * (len(flatten(tree)[0]) if isinstance(tree, _NESTED) else 1))
    return True
