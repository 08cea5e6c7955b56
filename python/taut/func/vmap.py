"""vmap: a function of one item becomes a function of many."""

import functools

from .. import _C
from .._C import Tensor
from ._tree import broadcast, flatten, shape


def vmap(func, in_dims=0, out_dims=0, randomness="error", *, chunk_size=None):
    """A function that applies func to every item along a dimension of its inputs, and stacks the results.

    in_dims says along which dimension of each positional argument (None: the same for every item), out_dims where the
    dimension goes in the results. func is run once for each item. With randomness "error" it may draw no random
    numbers, with "same" each item sees the same ones, with "different" each draws its own, in the order of the items.
    """
    if randomness not in ("error", "different", "same"):
        raise RuntimeError(f"Only allowed values for randomness are 'error', 'different', or 'same'. Got {randomness}")
    if chunk_size is not None and chunk_size <= 0:
        raise ValueError(f"vmap: chunk_size should be None or greater than 0. (got {chunk_size})")
    name = getattr(func, "__name__", repr(func))

    @functools.wraps(func)
    def wrapped(*args, **kwargs):
        leaves, dims, build, count = _spread_inputs(name, in_dims, args)
        results = []
        generator = _C._default_generator() if randomness != "different" else None
        state = generator.get_state() if generator else None
        for i in range(max(count, 1)):
            if randomness == "same" and i > 0:
                generator.set_state(state)
            item = build([leaf if dim is None else _item(leaf, dim, i) for leaf, dim in zip(leaves, dims)])
            results.append(func(*item, **kwargs))
            if randomness == "error" and i in (0, count - 1) and not generator.get_state().equal(state):
                generator.set_state(state)
                raise RuntimeError("vmap: called random operation while in randomness error mode. Please either use "
                                   "the 'same' or 'different' randomness flags on vmap or perform the randomness "
                                   "operation out of vmap")
        if count == 0 and generator:
            generator.set_state(state)
        return _gather_outputs(name, out_dims, results, count)

    return wrapped


def _item(tensor, dim, i):
    """Item `i` along a dimension; zeros when there is none: what they give says what comes out."""
    if tensor.shape[dim] > 0:
        return tensor.select(dim, i)
    if tensor.is_floating_point():
        return tensor.sum(dim)  # zeros that know where they come from
    dim %= tensor.ndim
    return tensor.new_zeros(tensor.shape[:dim] + tensor.shape[dim + 1:])


def _spread_inputs(name, in_dims, args):
    """The leaves of the arguments, the dimension of each, how to build arguments of others, and the number of items."""
    if not isinstance(in_dims, (int, tuple)):
        raise ValueError(f"vmap({name}, in_dims={in_dims}, ...)(<inputs>): expected `in_dims` to be int or a "
                         f"(potentially nested) tuple matching the structure of inputs, got: {type(in_dims)}.")
    if not args:
        raise ValueError(f"vmap({name})(<inputs>): got no inputs. Maybe you forgot to add inputs, or you are trying to "
                         "vmap over a function with no inputs. The latter is unsupported.")
    start = f"vmap({name}, in_dims={in_dims}, ...)(<inputs>): "
    leaves, build = flatten(args)
    dims = broadcast(in_dims, args)
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


def _gather_outputs(name, out_dims, results, count):
    leaves, build = flatten(results[0])
    dims = broadcast(out_dims, results[0])
    if dims is None:
        raise ValueError(f"vmap({name}, ..., out_dims={out_dims})(<inputs>): out_dims is not compatible with the "
                         f"structure of `outputs`. out_dims has structure {shape(out_dims)} but outputs has structure "
                         f"{shape(results[0])}.")
    columns = zip(*(flatten(r)[0] for r in results))
    made = []
    for column, dim in zip(columns, dims):
        if dim is None:
            made.append(_same(name, column))
            continue
        if not isinstance(dim, int):
            raise ValueError(f"vmap({name}, ..., out_dims={out_dims}): out_dims must be int, None or nested values of "
                             f"those, got {type(dim)}")
        if not isinstance(column[0], Tensor):
            raise ValueError(f"vmap({name}, ...): `{name}` must only return Tensors, got type {type(column[0])}. Did "
                             "you mean to set out_dims= to None for output?")
        stacked = _C.ops["stack"](list(column), dim)
        made.append(stacked if count else stacked.narrow(dim, 0, 0))
    return build(made)


def _same(name, column):
    """A result that does not depend on the item."""
    first = column[0]
    for other in column[1:]:
        if not (first.equal(other) if isinstance(first, Tensor) else first == other):
            raise ValueError(f"vmap({name}, ...): `{name}` can not return a BatchedTensor when out_dim is None")
    return first
