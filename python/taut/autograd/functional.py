"""Derivatives of functions: Jacobians, Hessians, and their products with vectors."""

from .. import _C
from .._C import Tensor
from .grad_mode import enable_grad

__all__ = ["vjp", "jvp", "jacobian", "hessian", "hvp", "vhp"]

_ops = _C.ops


def _tuple(value, what, name):
    """`value` as a tuple of tensors, and whether it was one."""
    if isinstance(value, Tensor):
        return (value,), False
    start = f"The {what} given to {name} must be either a Tensor or a tuple of Tensors but the "
    if not isinstance(value, tuple):
        raise TypeError(f"{start}given {what} has type {type(value)}.")
    for i, item in enumerate(value):
        if not isinstance(item, Tensor):
            raise TypeError(f"{start}value at index {i} has type {type(item)}.")
    return value, True


def _fresh(inputs, create_graph):
    """Tensors to differentiate by: new ones, connected to the given ones if there is to be a graph."""
    return tuple(x.view_as(x) if create_graph and x.requires_grad else x.detach().requires_grad_() for x in inputs)


def _called(func, inputs, name, strict):
    """func(*inputs) as a tuple, and whether it was one."""
    outputs, is_tuple = _tuple(func(*inputs), "outputs of the user-provided function", name)
    if strict:
        for i, o in enumerate(outputs):
            if not o.requires_grad:
                raise RuntimeError(f"Output {i} of the user-provided function does not require gradients. The outputs "
                                   "must be computed in a differentiable manner from the input when running in strict "
                                   "mode.")
    return outputs, is_tuple


def _single(outputs, is_tuple, name):
    if is_tuple:
        raise RuntimeError(f"The function given to {name} should return a single Tensor")
    if outputs[0].numel() != 1:
        raise RuntimeError(f"The Tensor returned by the function given to {name} should contain a single element")
    return outputs[0]


def _vectors(v, like, name, where):
    """v as a tuple of tensors of the shapes of `like`; ones where it may be left out."""
    if v is None:
        if len(like) != 1 or like[0].numel() != 1:
            raise RuntimeError(f"The vector v can only be None if {where} a single Tensor with a single element.")
        return (_ops["ones_like"](like[0].detach()),)
    vectors, _ = _tuple(v, "v", name)
    if len(vectors) != len(like):
        if len(like) == 1:
            raise RuntimeError("The given v should contain a single Tensor.")
        raise RuntimeError(f"v is a tuple of invalid length: should be {len(like)} but got {len(vectors)}.")
    for i, (given, x) in enumerate(zip(vectors, like)):
        if given.shape != x.shape:
            at = f"Entry {i} in v" if len(like) > 1 else "v"
            raise RuntimeError(f"{at} has invalid size: should be {x.shape} but got {given.shape}.")
    return vectors


def _grad(outputs, inputs, seeds, create_graph):
    """Gradients, None where there are none; outputs that need no gradient count for nothing."""
    pairs = [(o, s) for o, s in zip(outputs, seeds) if o is not None and o.requires_grad]
    if not pairs:
        return (None,) * len(inputs)
    return _C._grad([o for o, _ in pairs], inputs, [s for _, s in pairs], True, create_graph, True, False)


def _filled(grads, like, strict, create_graph, what):
    """Zeros for missing gradients; in strict mode they are an error."""
    filled = []
    for i, (g, x) in enumerate(zip(grads, like)):
        if strict and g is None:
            raise RuntimeError(f"The {what} of the user-provided function is independent of input {i}. This is not "
                               "allowed in strict mode.")
        if strict and create_graph and not g.requires_grad:
            raise RuntimeError(f"The {'jacobian' if what == 'output' else 'hessian'} of the user-provided function is "
                               f"independent of input {i}. This is not allowed in strict mode when create_graph=True.")
        filled.append(_ops["zeros_like"](x.detach()) if g is None else g)
    return tuple(filled)


def _result(tensors, is_tuple, create_graph):
    if not create_graph:
        tensors = tuple(t.detach() for t in tensors)
    return tensors if is_tuple else tensors[0]


def vjp(func, inputs, v=None, create_graph=False, strict=False):
    """func(*inputs), and the product of v with the Jacobian of func."""
    with enable_grad():
        inputs, in_tuple = _tuple(inputs, "inputs", "vjp")
        inputs = _fresh(inputs, create_graph)
        outputs, out_tuple = _called(func, inputs, "vjp", strict)
        v = _vectors(v, outputs, "vjp", "the user-provided function returns")
        products = _filled(_grad(outputs, inputs, v, create_graph), inputs, strict, create_graph, "output")
    return _result(outputs, out_tuple, create_graph), _result(products, in_tuple, create_graph)


def jvp(func, inputs, v=None, create_graph=False, strict=False):
    """func(*inputs), and the product of the Jacobian of func with v; by two backwards."""
    with enable_grad():
        inputs, _ = _tuple(inputs, "inputs", "jvp")
        v = _vectors(v, inputs, "jvp", "the input to the user-provided function is")
        inputs = _fresh(inputs, create_graph)
        outputs, out_tuple = _called(func, inputs, "jvp", strict)
        # The gradients are linear in the seeds: their derivative by the seeds, times v, is the product.
        seeds = tuple(_ops["zeros_like"](o.detach()).requires_grad_() for o in outputs)
        grads = _grad(outputs, inputs, seeds, True)
        if strict:
            _filled(grads, inputs, True, False, "output")
        products = tuple(_ops["zeros_like"](o.detach()) if p is None else p
                         for p, o in zip(_grad(grads, seeds, v, create_graph), outputs))
        if strict and create_graph:
            _filled(products, inputs, True, True, "output")
    return _result(outputs, out_tuple, create_graph), _result(products, out_tuple, create_graph)


def jacobian(func, inputs, create_graph=False, strict=False, vectorize=False, strategy="reverse-mode"):
    """The derivatives of every element of the outputs of func by every element of its inputs.

    For each output and input a tensor of the output's sizes, then the input's. There is one backward for each element;
    with vectorize one (or one forward pass) for all of them, by vmap.
    """
    if strategy not in ("forward-mode", "reverse-mode"):
        raise AssertionError('Expected strategy to be either "forward-mode" or "reverse-mode". Hint: If your function '
                             'has more outputs than inputs, "forward-mode" tends to be more performant. Otherwise, '
                             'prefer to use "reverse-mode".')
    if strict and vectorize:
        raise RuntimeError("torch.autograd.functional.jacobian: `strict=True` and `vectorized=True` are not supported "
                           "together. Please either set `strict=False` or `vectorize=False`.")
    if strategy == "forward-mode":
        if create_graph:
            raise NotImplementedError('torch.autograd.functional.jacobian: `create_graph=True` and '
                                      '`strategy="forward-mode"` are not supported together (yet). Please either set '
                                      '`create_graph=False` or `strategy="reverse-mode"`.')
        if not vectorize:
            raise NotImplementedError("Computing Jacobian using forward-AD or forward-over-reverse Hessian is only "
                                      "implemented for `vectorize=True`.")
        return _forward_jacobian(func, inputs)
    with enable_grad():
        inputs, in_tuple = _tuple(inputs, "inputs", "jacobian")
        inputs = _fresh(inputs, create_graph)
        outputs, out_tuple = _called(func, inputs, "jacobian", strict)
        of = _vectorized_jacobian if vectorize else _jacobian_of
        rows = tuple(of(i, o, inputs, create_graph, strict) for i, o in enumerate(outputs))
    rows = tuple(_result(row, in_tuple, create_graph) for row in rows)
    return rows if out_tuple else rows[0]


def _jacobian_of(number, output, inputs, create_graph, strict):
    """The Jacobian of one output, for each input."""
    found = [[] for _ in inputs]
    flat = output.reshape(-1)
    for j in range(flat.shape[0]):
        for i, (g, x) in enumerate(zip(_grad((flat[j],), inputs, (None,), create_graph), inputs)):
            if strict and g is None:
                raise RuntimeError(f"Output {number} of the user-provided function is independent of input {i}. This "
                                   "is not allowed in strict mode.")
            if strict and create_graph and not g.requires_grad:
                raise RuntimeError(f"The jacobian of the user-provided function is independent of input {i}. This is "
                                   "not allowed in strict mode when create_graph=True.")
            found[i].append(_ops["zeros_like"](x.detach()) if g is None else g)
    shapes = [tuple(output.shape) + tuple(x.shape) for x in inputs]
    return tuple(_ops["stack"](rows).view(shape) if rows else x.detach().new_zeros(shape)
                 for rows, x, shape in zip(found, inputs, shapes))


def _vectorized_jacobian(number, output, inputs, create_graph, strict):
    """The same by one backward, whose seeds are the rows of a unit matrix."""
    from ..func.vmap import level

    count = output.numel()
    with level(count, "error") as items:
        seed = _C._vmap_enter(_ops["eye"](count, dtype=output.dtype), 0, items).view(output.shape)
        found = [_ops["zeros_like"](x.detach()) if g is None else g
                 for g, x in zip(_grad((output,), inputs, (seed,), create_graph), inputs)]
        rows = [_C._vmap_leave(g, 0, items) for g in found]
    return tuple(r.reshape(tuple(output.shape) + tuple(x.shape)) for r, x in zip(rows, inputs))


def _forward_jacobian(func, inputs):
    from . import forward_ad
    from ..func.vmap import level

    inputs, in_tuple = _tuple(inputs, "inputs", "jacobian")
    outputs, out_tuple, columns = None, False, []  # for each input the tangents of all outputs, along the last dimension
    for i, x in enumerate(inputs):
        with level(x.numel(), "error") as items, forward_ad.dual_level():
            direction = _C._vmap_enter(_ops["eye"](x.numel(), dtype=x.dtype), 0, items).view(x.shape)
            duals = tuple(forward_ad.make_dual(t.detach(), direction) if k == i else t.detach()
                          for k, t in enumerate(inputs))
            outputs, out_tuple = _tuple(func(*duals), "outputs of the user-provided function", "jacobian")
            both = [forward_ad.unpack_dual(o) for o in outputs]
            tangents = [_ops["zeros_like"](b.primal) if b.tangent is None else b.tangent for b in both]
            columns.append([_C._vmap_leave(t, -1, items) for t in tangents])
            outputs = tuple(_C._vmap_shared(b.primal, items) for b in both)
    result = []
    for k, output in enumerate(outputs):
        row = tuple(c[k].reshape(tuple(output.shape) + tuple(x.shape)) for c, x in zip(columns, inputs))
        result.append(_result(row, in_tuple, True))
    return tuple(result) if out_tuple else result[0]


def _linear(i):
    return RuntimeError("While computing the hessian, found that the jacobian of the user-provided function with "
                        f"respect to input {i} is independent of the input. This is not allowed in strict mode. You "
                        "should ensure that your function is twice differentiable and that the jacobian depends on "
                        "the inputs (this would be violated by a linear function for example).")


def hessian(func, inputs, create_graph=False, strict=False, vectorize=False, outer_jacobian_strategy="reverse-mode"):
    """The second derivatives of func, which returns one number."""
    inputs, in_tuple = _tuple(inputs, "inputs", "hessian")
    if outer_jacobian_strategy not in ("forward-mode", "reverse-mode"):
        raise AssertionError('Expected strategy to be either "forward-mode" or "reverse-mode".')

    def number(*args):
        return _single(*_called(func, args, "hessian", strict), "hessian").squeeze()

    def gradient(*args):
        if outer_jacobian_strategy == "forward-mode":
            args = tuple(a if a.requires_grad else a.requires_grad_() for a in args)
        found = jacobian(number, args, create_graph=True)
        if strict:
            for i, g in enumerate(found):
                if not g.requires_grad:
                    raise _linear(i)
        return found

    found = jacobian(gradient, inputs, create_graph, strict, vectorize, outer_jacobian_strategy)
    return found if in_tuple else found[0][0]


def _hessian_product(name, func, inputs, v, create_graph, strict):
    with enable_grad():
        inputs, in_tuple = _tuple(inputs, "inputs", name)
        v = _vectors(v, inputs, name, "the input to the user-provided function is")
        inputs = _fresh(inputs, create_graph)
        outputs, out_tuple = _called(func, inputs, name, strict)
        output = _single(outputs, out_tuple, name)
        grads = _grad((output,), inputs, (None,), True)
        if strict:
            _filled(grads, inputs, True, False, "output")
            for i, g in enumerate(grads):
                if not g.requires_grad:
                    raise _linear(i)
        products = _filled(_grad(grads, inputs, v, create_graph), inputs, strict, create_graph, "jacobian")
    return _result(outputs, False, create_graph), _result(products, in_tuple, create_graph)


def vhp(func, inputs, v=None, create_graph=False, strict=False):
    """func(*inputs), one number, and the product of v with the Hessian of func."""
    return _hessian_product("vhp", func, inputs, v, create_graph, strict)


def hvp(func, inputs, v=None, create_graph=False, strict=False):
    """func(*inputs), one number, and the product of the Hessian of func, which is symmetric, with v."""
    return _hessian_product("hvp", func, inputs, v, create_graph, strict)
