"""Lists and dicts that cannot be changed: the arguments of nodes, of which a graph must hear when they change."""

from ..utils import _pytree

__all__ = ["immutable_list", "immutable_dict"]


def _refuse(self, *args, **kwargs):
    raise NotImplementedError(f"'{type(self).__name__}' object does not support mutation. If you are attempting to modify the kwargs or args of "
                              "a torch.fx.Node object,\ninstead create a new copy of it and assign the copy to the node:\n    new_args = ... # "
                              "copy and mutate args\n    node.args = new_args")


def _immutable(name, base, mutators, rebuild):
    members = dict.fromkeys(mutators, _refuse)
    members.update(__doc__=f"A {base.__name__} that cannot be changed.", __hash__=lambda self: hash(tuple(self)), __module__="torch.fx.immutable_collections",
                   __reduce__=rebuild)
    return type(name, (base,), members)


immutable_list = _immutable("immutable_list", list, ("__delitem__", "__iadd__", "__imul__", "__setitem__", "append", "clear", "extend", "insert", "pop",
                                                     "remove", "reverse", "sort"), lambda self: (immutable_list, (tuple(self),)))
immutable_dict = _immutable("immutable_dict", dict, ("__delitem__", "__ior__", "__setitem__", "clear", "pop", "popitem", "setdefault", "update"),
                            lambda self: (immutable_dict, (tuple(self.items()),)))
for _cls, _of in ((immutable_list, list), (immutable_dict, dict)):
    _node = _pytree.SUPPORTED_NODES[_of]
    _pytree._private_register_pytree_node(_cls, _node.flatten_fn, (lambda v, _: immutable_list(v)) if _of is list else
                                          (lambda v, keys: immutable_dict(zip(keys, v))), serialized_type_name=f"torch.fx.immutable_collections.{_cls.__name__}",
                                          flatten_with_keys_fn=_node.flatten_with_keys_fn)
