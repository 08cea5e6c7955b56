"""Nested values, taken apart by a structure that is known."""

from ..utils._pytree import tree_flatten, tree_structure

_flatteners = {}


def register_pytree_flatten_spec(cls, flatten_fn_spec, flatten_fn_exact_match_spec=None):
    """How instances of a class are taken apart by a structure."""
    _flatteners[cls] = flatten_fn_spec


def tree_flatten_spec(pytree, spec, exact_structural_match=False):
    """The leaves of a value that is nested as the structure says."""
    if spec.is_leaf():
        return [pytree]
    if spec.type in _flatteners:
        children = _flatteners[spec.type](pytree, spec)
        return [leaf for child, s in zip(children, spec.children()) for leaf in tree_flatten_spec(child, s, exact_structural_match)]
    return spec.flatten_up_to(pytree)


__all__ = ["register_pytree_flatten_spec", "tree_flatten_spec", "tree_flatten", "tree_structure"]
