"""vmap: a function of one item becomes a function of many."""

import functools

from .. import _C
from .._C import Tensor
from ._tree import broadcast, flatten, shape


def vmap(func, in_dims=0, out_dims=0, randomness="error", *, chunk_size=None):
    """A function that applies func to every item along a dimension of its inputs, and stacks the results.

    in_dims says along which dimension of each positional argument (None: the same for every item), out_dims where the
    dimension goes in the results. func is called once: its tensors stand for all items, of which it sees one. With
    randomness "error" it may draw no random numbers, with "same" each item sees the same ones, with "different" each
    has its own. With chunk_size it is called for so many items at a time.
    """
    if randomness not in ("error", "different", "same"):
        raise RuntimeError(f"Only allowed values for randomness are 'error', 'different', or 'same'. Got {randomness}")
    if chunk_size is not None and chunk_size <= 0:
        raise ValueError(f"vmap: chunk_size should be None or greater than 0. (got {chunk_size})")
    name = getattr(func, "__name__", repr(func))

    @functools.wraps(func)
    def wrapped(*args, **kwargs):
        leaves, dims, build, count = _spread_inputs(name, in_dims, args)
        if chunk_size is None or chunk_size >= count:
            return _call(func, name, leaves, dims, build, count, out_dims, randomness, kwargs)
        generator = _C._default_generator() if randomness == "same" else None
        state = generator.get_state() if generator else None
        parts = []
        for start in range(0, count, chunk_size):
            if generator:
                generator.set_state(state)
            size = min(chunk_size, count - start)
            chunk = [t if d is None else t.narrow(d, start, size) for t, d in zip(leaves, dims)]
            parts.append(_call(func, name, chunk, dims, build, size, out_dims, randomness, kwargs))
        return _joined(name, parts, out_dims)

    return wrapped


class level:
    """A level of vmap while it is open: with level(count, randomness) as number."""

    def __init__(self, count, randomness):
        self.count, self.randomness = count, randomness

    def __enter__(self):
        self.number = _C._vmap_open(self.count, self.randomness)
        return self.number

    def __exit__(self, *_):
        _C._vmap_close(self.number)


def _call(func, name, leaves, dims, build, count, out_dims, randomness, kwargs):
    with level(count, randomness) as number:
        item = build([t if d is None else _C._vmap_enter(t, d, number) for t, d in zip(leaves, dims)])
        return _gather_outputs(name, out_dims, func(*item, **kwargs), number)


def _spread_inputs(name, in_dims, args):
    """The leaves of the arguments, the dimension of each, how to build arguments of others, and the number of items."""
    if not isinstance(in_dims, (int, tuple, list)):
        raise ValueError(f"vmap({name}, in_dims={in_dims}, ...)(<inputs>): expected `in_dims` to be int or a "
                         f"(potentially nested) tuple matching the structure of inputs, got: {type(in_dims)}.")
    if not args:
        raise ValueError(f"vmap({name})(<inputs>): got no inputs. Maybe you forgot to add inputs, or you are trying to "
                         "vmap over a function with no inputs. The latter is unsupported.")
    start = f"vmap({name}, in_dims={in_dims}, ...)(<inputs>): "
    leaves, build = flatten(args)
    dims = broadcast(tuple(in_dims) if isinstance(in_dims, list) else in_dims, args)
    if dims is None:
        raise ValueError(f"{start}in_dims is not compatible with the structure of `inputs`. in_dims has structure "
                         f"{shape(in_dims)} but inputs has structure {shape(args)}.")
    sizes = []
    for leaf, dim in zip(leaves, dims):
        if dim is None:
            continue
        if not isinstance(dim, int):
            raise ValueError(f"{start}Got in_dim={dim} for an input but in_dim must be either an integer dimension or "
                             "None.")
        if not isinstance(leaf, Tensor):
            raise ValueError(f"{start}Got in_dim={dim} for an input but the input is of type {type(leaf)}. We cannot "
                             "vmap over non-Tensor arguments, please use None as the respective in_dim")
        if not -leaf.ndim <= dim < leaf.ndim:
            raise ValueError(f"{start}Got in_dim={dim} for some input, but that input is a Tensor of dimensionality "
                             f"{leaf.ndim} so expected in_dim to satisfy -{leaf.ndim} <= in_dim < {leaf.ndim}.")
        sizes.append(leaf.shape[dim])
    if not sizes:
        raise ValueError("vmap: Expected at least one Tensor to vmap over")
    if len(set(sizes)) > 1:
        raise ValueError("vmap: Expected all tensors to have the same size in the mapped dimension, got sizes "
                         f"{sizes} for the mapped dimension")
    return leaves, dims, build, sizes[0]


def _out_dims(name, out_dims, result):
    leaves, build = flatten(result)
    dims = broadcast(out_dims, result)
    if dims is None:
        raise ValueError(f"vmap({name}, ..., out_dims={out_dims})(<inputs>): out_dims is not compatible with the "
                         f"structure of `outputs`. out_dims has structure {shape(out_dims)} but outputs has structure "
                         f"{shape(result)}.")
    return leaves, dims, build


def _gather_outputs(name, out_dims, result, number):
    leaves, dims, build = _out_dims(name, out_dims, result)
    made = []
    for leaf, dim in zip(leaves, dims):
        if dim is None:
            if isinstance(leaf, Tensor):
                if _C._vmap_varies(leaf, number):
                    raise ValueError(f"vmap({name}, ...): `{name}` can not return a BatchedTensor when out_dim is None")
                leaf = _C._vmap_shared(leaf, number)
            made.append(leaf)
            continue
        if not isinstance(dim, int):
            raise ValueError(f"vmap({name}, ..., out_dims={out_dims}): out_dims must be int, None or nested values of "
                             f"those, got {type(dim)}")
        if not isinstance(leaf, Tensor):
            raise ValueError(f"vmap({name}, ...): `{name}` must only return Tensors, got type {type(leaf)}. Did "
                             "you mean to set out_dims= to None for output?")
        made.append(_C._vmap_leave(leaf, dim, number))
    return build(made)


def _joined(name, parts, out_dims):
    """The results of several chunks as one."""
    _, dims, build = _out_dims(name, out_dims, parts[0])
    columns = zip(*(flatten(p)[0] for p in parts))
    return build([column[0] if dim is None else _C.ops["cat"](list(column), dim)
                  for column, dim in zip(columns, dims)])
