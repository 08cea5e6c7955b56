"""Derivatives of functions of tensors, and of nested tuples, lists and dicts of tensors."""

import functools

from .. import _C
from .._C import Tensor
from ..autograd import forward_ad
from ..autograd.grad_mode import enable_grad
from ._tree import flatten, shape
from .vmap import level

_ops = _C.ops

# How nesting works: every transform differentiates by tensors of its own, which are connected to the tensors it was
# given. So the outer of two transforms finds its tensors in the graph that the inner one made. What a transform returns
# is cut off the graph unless that leads on to something else: a tensor of an outer transform, or any that requires
# grad.


def _zeros(t):
    return _ops["zeros_like"](t.detach())


def _varies(t):
    """Has it a dtype that derivatives are for?"""
    return t.is_floating_point() or t.is_complex()


def _check_real(tensors, what, name):
    for i, t in enumerate(tensors):
        if t.is_complex():
            raise RuntimeError(f"{name}: Expected all {what} to be real but received complex tensor at flattened input idx: {i}")


def _check_vary(outputs):
    for o in outputs:
        if not _varies(o):
            raise RuntimeError(f"vjp(f, ...): All outputs of f must be floating-point or complex Tensors, got Tensor with dtype {o.dtype}")


class _Level:
    """One transform at work: the tensors it differentiates by."""

    def __init__(self):
        self.tracked = _C.is_grad_enabled()  # outside
        self.own = []

    def open(self, tree, forward=False, real=None):
        """`tree` with tensors of our own, their list, and how to put others in their places. `real`: who refuses complex ones?"""
        given, build = flatten(tree)
        for t in given:
            if not isinstance(t, Tensor):
                raise ValueError(f"Thing passed to transform API must be Tensor, got {type(t)}")
        if real:
            _check_real(given, "inputs", real)
        for t in given:
            if not _varies(t):
                if forward:
                    raise ValueError(f"Expected primal to be floating point or complex, but got: {t.dtype}")
                raise RuntimeError("only Tensors of floating point dtype can require gradients")
        own = [self._fresh(t) for t in given]
        return build(own), own, build

    def _fresh(self, t):
        t = _C._vmap_lift(t)  # under vmap the derivatives are those of an item
        if self.tracked and t.requires_grad:
            return t.view_as(t)
        tangent = _C._unpack_dual(t)[1] if forward_ad._current_level >= 0 else None
        made = t.detach().requires_grad_()
        self.own.append(made)
        return made if tangent is None else _C._make_dual(made, tangent)

    def leads_out(self, tensors):
        """Does the graph of these tensors end at any leaf that is not ours?"""
        if not self.tracked:
            return False
        return _C._leads_out([t for t in tensors if isinstance(t, Tensor) and t.requires_grad], self.own)

    def close(self, tree, keep):
        """`tree` cut off our tensors, unless its graph is to be kept."""
        leaves, build = flatten(tree)
        return build([t if keep or not isinstance(t, Tensor) or not t.requires_grad else _cut(t) for t in leaves])


def _cut(t):
    if forward_ad._current_level < 0:
        return t.detach()
    primal, tangent = _C._unpack_dual(t)
    return primal.detach() if tangent is None else _C._make_dual(primal.detach(), tangent)


def _grad(pairs, inputs, retain_graph, create_graph):
    """Gradients of (output, seed) pairs, None where there are none."""
    return _C._grad([o for o, _ in pairs], inputs, [s for _, s in pairs], retain_graph, create_graph, True, False)


def _gradients(outputs, inputs, seeds, create_graph, retain_graph=True):
    """Gradients, zeros where there are none."""
    pairs = [(o, s) for o, s in zip(outputs, seeds) if o is not None and o.requires_grad]
    wanted = [x for x in inputs if x.requires_grad]
    if not pairs or not wanted:
        return [_zeros(x) for x in inputs]
    found = iter(_grad(pairs, wanted, retain_graph, create_graph))
    found = [next(found) if x.requires_grad else None for x in inputs]
    return [_zeros(x) if g is None else g for g, x in zip(found, inputs)]


def _chosen(args, argnums):
    """The positions that argnums means, and the arguments there."""
    if not isinstance(argnums, (int, tuple)) or isinstance(argnums, bool) or \
            (isinstance(argnums, tuple) and not all(isinstance(n, int) for n in argnums)):
        raise RuntimeError(f"argnums must be int or Tuple[int, ...], got: {type(argnums)}")
    if argnums == ():
        raise RuntimeError("argnums must be non-empty")
    numbers = (argnums,) if isinstance(argnums, int) else argnums
    for n in numbers:
        if not -len(args) <= n < len(args):
            raise RuntimeError(f"Got argnum={n}, but only {len(args)} positional inputs")
    positions = [n % len(args) for n in numbers]
    if len(set(positions)) < len(positions):
        raise RuntimeError(f"argnums elements must be unique, got {argnums}")
    return positions, args[positions[0]] if isinstance(argnums, int) else tuple(args[p] for p in positions)


def _replaced(args, positions, values, single):
    args = list(args)
    for p, v in zip(positions, (values,) if single else values):
        args[p] = v
    return args


def _with_aux(result, has_aux, name):
    if not has_aux:
        return result, None
    if not isinstance(result, tuple) or len(result) != 2:
        raise RuntimeError(f"{name}: output of function f should be a tuple: (output, aux) if has_aux is True")
    return result


def _only_tensors(tree, name):
    leaves, build = flatten(tree)
    for t in leaves:
        if not isinstance(t, Tensor):
            raise RuntimeError(f"{name}: expected f(*{'primals' if 'primals' in name else 'args'}) to return only "
                               f"tensors, got unsupported type {type(t)}")
    return leaves, build


def grad_and_value(func, argnums=0, has_aux=False):
    """A function that returns the gradient of func, which returns one number, and that number.

    The gradient is by the argument at argnums (a number, or a tuple of numbers). With has_aux, func returns
    (number, anything); the result is then (gradient, (number, anything)).
    """

    @functools.wraps(func)
    def wrapper(*args, **kwargs):
        level = _Level()
        with enable_grad():
            positions, chosen = _chosen(args, argnums)
            opened, inputs, build = level.open(chosen)
            result = func(*_replaced(args, positions, opened, isinstance(argnums, int)), **kwargs)
            output, aux = _with_aux(result, has_aux, "grad_and_value(f)(*args)")
            if not isinstance(output, Tensor):
                raise RuntimeError("grad_and_value(f)(*args): Expected f(*args) to return a Tensor, got "
                                   f"{type(output)}")
            if output.ndim != 0:
                raise RuntimeError("grad_and_value(f)(*args): Expected f(*args) to return a scalar Tensor, got tensor "
                                   f"with {output.ndim} dims. Maybe you wanted to use the vjp or jacrev APIs instead?")
            keep = level.leads_out([output])
            grads = build(_gradients([output], inputs, [None], keep))
            output = level.close(output, keep)
            if not has_aux:
                return grads, output
            return grads, (output, level.close(aux, level.leads_out(flatten(aux)[0])))

    return wrapper


def grad(func, argnums=0, has_aux=False):
    """A function that returns the gradient of func, which returns one number, by the argument at argnums.

    With has_aux, func returns (number, anything); the result is then (gradient, anything).
    """
    both = grad_and_value(func, argnums, has_aux)

    @functools.wraps(func)
    def wrapper(*args, **kwargs):
        grads, value = both(*args, **kwargs)
        return (grads, value[1]) if has_aux else grads

    return wrapper


def vjp(func, *primals, has_aux=False):
    """func(*primals), and a function that multiplies a vector with the Jacobian of func there."""
    level = _Level()
    with enable_grad():
        opened, inputs, build = level.open(primals)
        output, aux = _with_aux(func(*opened), has_aux, "vjp(f, *primals)")
        outputs, _ = _only_tensors(output, "vjp(f, *primals)")
        _check_vary(outputs)
        keep = level.leads_out(outputs)
        result = level.close(output, keep)
        if has_aux:
            aux = level.close(aux, level.leads_out(flatten(aux)[0]))

    def vjp_fn(cotangents, retain_graph=True, create_graph=None):
        """The vector times the Jacobian: a tuple, one item for each of the primals."""
        if shape(cotangents) != shape(output):
            raise RuntimeError("Expected pytree structure of cotangents to be the same as pytree structure of outputs "
                               f"to the function. cotangents: {shape(cotangents)}, primal output: {shape(output)}")
        seeds = flatten(cotangents)[0]
        for i, (seed, o) in enumerate(zip(seeds, outputs)):
            if seed.shape != o.shape:
                raise RuntimeError(f"Mismatch in shape: grad_output[{i}] has a shape of {seed.shape} and output[{i}] "
                                   f"has a shape of {o.shape}.")
        if create_graph is None:
            create_graph = _C.is_grad_enabled() and (keep or any(s.requires_grad for s in seeds))
        with enable_grad():
            return build(_gradients(outputs, inputs, seeds, create_graph, retain_graph))

    return (result, vjp_fn, aux) if has_aux else (result, vjp_fn)


class _Linear:
    """A function at a point, as a linear map: what jvp, jacfwd and linearize share.

    The gradients of the outputs are linear in the seeds they start from. The derivative of the gradients by the seeds,
    in the direction of the tangents, is the product of the Jacobian with the tangents. So one call of the function
    serves for any number of products, and products can be differentiated again, as often as wanted.
    """

    def __init__(self, level, outputs, inputs):
        self.level, self.outputs, self.inputs = level, outputs, inputs
        self.seeds = [_zeros(o).requires_grad_() if _varies(o) else _zeros(o) for o in outputs]
        level.own.extend(s for s in self.seeds if s.requires_grad)
        used = [i for i, x in enumerate(inputs) if x.requires_grad]
        found = [None] * len(inputs)
        pairs = [(o, s) for o, s in zip(outputs, self.seeds) if o.requires_grad]
        if pairs and used:
            grads = _grad(pairs, [inputs[i] for i in used], True, True)
            for i, g in zip(used, grads):
                found[i] = g
        self.grads = found

    def times(self, tangents):
        """The tangents of the outputs."""
        pairs = [(g, t) for g, t in zip(self.grads, tangents) if g is not None and g.requires_grad]
        wanted = [s for s in self.seeds if s.requires_grad]
        if not pairs or not wanted:
            return [_zeros(o) for o in self.outputs]
        keep = self.level.leads_out([g for g, _ in pairs]) or \
            (self.level.tracked and any(t.requires_grad for _, t in pairs))
        found = iter(_grad(pairs, wanted, True, keep))
        found = [next(found) if s.requires_grad else None for s in self.seeds]
        return [_zeros(o) if t is None else t for t, o in zip(found, self.outputs)]


def jvp(func, primals, tangents, *, strict=False, has_aux=False):
    """func(*primals), and the product of the Jacobian of func there with the tangents."""
    name = "jvp(f, primals, tangents)"
    if not isinstance(primals, tuple):
        raise RuntimeError(f"{name}: Expected primals to be a tuple. E.g. it should be valid to call f(*primals).")
    if shape(primals) != shape(tangents):
        raise RuntimeError(f"{name}: Expected primals and tangents to have the same python structure. For example, if "
                           "primals is a tuple of 3 tensors, tangents also must be. Got primals with structure "
                           f"{shape(primals)} and tangents with structure {shape(tangents)}")
    level = _Level()
    with enable_grad():
        opened, inputs, _ = level.open(primals, forward=True)
        directions = flatten(tangents)[0]
        for x, t in zip(inputs, directions):
            if x.shape != t.shape:
                raise RuntimeError(f"{name}: a tangent has shape {t.shape}, its primal {x.shape}")
        output, aux = _with_aux(func(*opened), has_aux, name)
        outputs, build = _only_tensors(output, name)
        if strict and not any(o.requires_grad for o in outputs):
            raise RuntimeError("jvp(f, primals, tangents, strict=True): The output of f is independent of the inputs. "
                               "This is not allowed with strict=True.")
        product = build(_Linear(level, outputs, inputs).times(directions))
        result = level.close(output, level.leads_out(outputs)), product
        return result + (level.close(aux, level.leads_out(flatten(aux)[0])),) if has_aux else result


def linearize(func, *primals):
    """func(*primals), and a function that multiplies the Jacobian of func there with tangents."""
    level = _Level()
    with enable_grad():
        opened, inputs, _ = level.open(primals, forward=True)
        output = func(*opened)
        outputs, build = _only_tensors(output, "linearize(f, *primals)")
        linear = _Linear(level, outputs, inputs)
        result = level.close(output, level.leads_out(outputs))

    def jvp_fn(*tangents):
        """The Jacobian times the tangents."""
        if shape(tangents) != shape(primals):
            raise RuntimeError(f"linearize: Expected the tangents to be nested as the primals are, {shape(primals)}, "
                               f"but got {shape(tangents)}")
        with enable_grad():
            return build(linear.times(flatten(tangents)[0]))

    return result, jvp_fn


def _all_units(t, product, dim, chunk_size=None, randomness="error"):
    """What `product` makes of the unit vectors of t, along dimension `dim` of each of its results.

    It is called once for all of them, or for so many at a time: they are items of a vmap.
    """
    count = t.numel()
    if count == 1:
        return [made.unsqueeze(dim) for made in product(_ops["ones"](t.shape, dtype=t.dtype))]
    units = _ops["eye"](count, dtype=t.dtype)
    parts = []
    for start in range(0, max(count, 1), chunk_size or max(count, 1)):
        size = min(chunk_size or count, count - start)
        with level(size, randomness) as items:
            unit = _C._vmap_enter(units.narrow(0, start, size), 0, items).view(t.shape)
            parts.append([_C._vmap_leave(made, dim, items) for made in product(unit)])
    return [column[0] if len(column) == 1 else _ops["cat"](list(column), dim) for column in zip(*parts)]


def _by_rows(level, outputs, inputs, build, chunk_size):
    """The Jacobian of every output, by one backward for all of its elements or for chunk_size of them at a time."""
    _check_vary(outputs)
    keep = level.leads_out(outputs)
    found = []
    for o in outputs:
        rows = _all_units(o.detach(), lambda unit, o=o: _gradients([o], inputs, [unit], keep), 0, chunk_size)
        found.append(build([r.reshape(tuple(o.shape) + tuple(x.shape)) for r, x in zip(rows, inputs)]))
    return found


def _by_columns(level, outputs, inputs, build, chunk_size, randomness="error"):
    """The same by one pass for all elements of an input, or for chunk_size of them at a time."""
    linear = _Linear(level, outputs, inputs)
    columns = []  # for each input the tangents of all outputs, along the last dimension
    for i, x in enumerate(inputs):
        def product(unit, i=i):
            return linear.times([unit if k == i else _zeros(other) for k, other in enumerate(inputs)])

        columns.append(_all_units(x.detach(), product, -1, chunk_size, randomness))
    return [build([c[k].reshape(tuple(o.shape) + tuple(x.shape)) for c, x in zip(columns, inputs)])
            for k, o in enumerate(outputs)]


def _jacobian(name, func, argnums, has_aux, by):
    """A function that returns the Jacobian of func by the argument at argnums, as `by` makes it."""
    @functools.wraps(func)
    def wrapper(*args, **kwargs):
        level = _Level()
        with enable_grad():
            positions, chosen = _chosen(args, argnums)
            opened, inputs, build = level.open(chosen, forward=name == "jacfwd", real=name)
            result = func(*_replaced(args, positions, opened, isinstance(argnums, int)), **kwargs)
            output, aux = _with_aux(result, has_aux, f"{name}(f)(*args)")
            outputs, build_outputs = _only_tensors(output, f"{name}(f)(*args)")
            _check_real(outputs, "outputs", name)
            found = build_outputs(by(level, outputs, inputs, build))
            return (found, level.close(aux, level.leads_out(flatten(aux)[0]))) if has_aux else found

    return wrapper


def jacrev(func, argnums=0, *, has_aux=False, chunk_size=None, _preallocate_and_copy=False):
    """A function that returns the Jacobian of func by the argument at argnums.

    There is one backward for all elements of an output, or for chunk_size of them at a time.
    """
    if chunk_size is not None and chunk_size <= 0:
        raise ValueError("jacrev: `chunk_size` should be greater than 0.")
    return _jacobian("jacrev", func, argnums, has_aux, lambda *at: _by_rows(*at, chunk_size))


def jacfwd(func, argnums=0, has_aux=False, *, chunk_size=None, randomness="error"):
    """A function that returns the Jacobian of func by the argument at argnums.

    There is one pass for all elements of that argument, or for chunk_size of them at a time.
    """
    if chunk_size is not None and chunk_size <= 0:
        raise ValueError("jacfwd: `chunk_size` should be greater than 0.")
    return _jacobian("jacfwd", func, argnums, has_aux, lambda *at: _by_columns(*at, chunk_size, randomness))


def hessian(func, argnums=0):
    """A function that returns the second derivatives of func by the argument at argnums."""
    def by(level, outputs, inputs, build):
        # A column is a derivative of gradients by what they start from, which is one more than a row takes.
        rows, columns = sum(o.numel() for o in outputs), sum(x.numel() for x in inputs)
        return (_by_rows if rows <= columns else _by_columns)(level, outputs, inputs, build, None)

    return _jacobian("jacfwd", jacrev(func, argnums), argnums, False, by)


def functionalize(func, *, remove="mutations"):
    """func as it is: its transforms follow what it writes in place."""
    if remove not in ("mutations", "mutations_and_views"):
        raise RuntimeError(f"functionalize(f, remove='mutations'): received invalid argument for remove={remove}. Valid "
                           "options are:\n     remove='mutations': all inplace and out= operators will be removed from "
                           "the program, and replaced with their out-of-place equivalents.\n     "
                           "remove='mutations_and_views': In addition to the above, all aliasing operators {view} will "
                           "be replaced with their non-aliasing counterparts, {view}_copy.\n")
    return func
