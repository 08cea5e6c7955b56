"""A gradient for each sample: by formulas for chains of common layers, by vmap for any other module."""

from .. import _C, nn
from ..autograd.grad_mode import enable_grad, no_grad
from ..nn import functional as F
from .functional_call import functional_call
from .transforms import grad
from .vmap import vmap

_ops = _C.ops


def per_sample_grad(module, loss):
    """A function of a batch and its targets that gives the gradient of the loss of each sample by each parameter.

    It returns them by name, with the samples along the first dimension. loss(output, *targets) is that of a batch, and
    gets batches of one. A Sequential of layers that know their formula (Linear, Conv2d, Embedding, LayerNorm), of
    activations, poolings and Flatten takes one pass over the whole batch; any other module goes through vmap.
    """

    def one(parameters, x, *targets):
        return loss(functional_call(module, parameters, (x.unsqueeze(0),)), *(t.unsqueeze(0) for t in targets))

    def of_batch(x, *targets):
        layers = _chain(module, (x, *targets))
        if layers is not None:
            return _by_formulas(layers, loss, x, targets)
        parameters = {name: p.detach() for name, p in module.named_parameters()}
        return vmap(grad(one), in_dims=(None, *[0] * (1 + len(targets))), randomness="different")(parameters, x, *targets)

    return of_batch


def _windows(layer, x, g):
    columns = F.unfold(x, layer.kernel_size, layer.dilation, layer.padding, layer.stride)
    return {"weight": (g.flatten(2) @ columns.mT).view(len(x), *layer.weight.shape), "bias": g.flatten(2).sum(2)}


def _product(layer, x, g):
    rows = len(x)
    x, g = x.reshape(rows, -1, x.shape[-1]), g.reshape(rows, -1, g.shape[-1])
    return {"weight": g.mT @ x, "bias": g.sum(1)}


def _rows(layer, x, g):
    if layer.padding_idx is not None:
        g = g.masked_fill((x == layer.padding_idx).unsqueeze(-1), 0)
    count, width = layer.weight.shape
    place = x + count * _ops["arange"](len(x)).view(-1, *[1] * (x.ndim - 1))
    total = _ops["zeros"](len(x) * count, width, dtype=g.dtype).index_add(0, place.reshape(-1), g.reshape(-1, width))
    return {"weight": total.view(len(x), count, width)}


def _scales(layer, x, g):
    shape = (len(x), -1, *layer.normalized_shape)
    scaled = g * F.layer_norm(x, layer.normalized_shape, None, None, layer.eps)
    return {"weight": scaled.reshape(shape).sum(1), "bias": g.reshape(shape).sum(1)}


# Each from the layer, what went into it, and the gradient of what came out.
_FORMULAS = {nn.Linear: _product, nn.Conv2d: _windows, nn.Embedding: _rows, nn.LayerNorm: _scales}
_BETWEEN = {nn.ReLU, nn.Tanh, nn.Sigmoid, nn.GELU, nn.SiLU, nn.ELU, nn.LeakyReLU, nn.Softplus, nn.Identity, nn.MaxPool2d, nn.AvgPool2d}


_IMAGES = {nn.Conv2d, nn.MaxPool2d, nn.AvgPool2d}


def _chain(module, inputs):
    """(name, layer) of a chain of layers each of which treats samples apart; None for any other module."""
    x = inputs[0]
    if any(t.requires_grad for t in inputs) or any(_C._vmap_is_batched(t) for t in inputs) or x.ndim < 2:
        return None
    found, seen = [], set()
    for name, layer in module.named_modules(remove_duplicate=False):
        kind = type(layer)
        if layer._forward_hooks or layer._forward_pre_hooks or layer._backward_hooks or layer._backward_pre_hooks or \
                "forward" in layer.__dict__:
            return None
        if kind is nn.Sequential:
            continue
        if not (kind in _FORMULAS or kind in _BETWEEN or (kind is nn.Flatten and layer.start_dim == 1)):
            return None
        own = [id(p) for p in layer._parameters.values() if p is not None]
        if seen.intersection(own) or layer._modules or (kind in _IMAGES and x.ndim != 4) or not _is_plain(layer):
            return None
        seen.update(own)
        found.append((f"{name}." if name else "", layer))
    return found


def _is_plain(layer):
    """Has it no option that its formula does not know?"""
    if isinstance(layer, nn.Conv2d):
        return layer.groups == 1 and layer.padding_mode == "zeros" and not isinstance(layer.padding, str)
    if isinstance(layer, nn.Embedding):
        return layer.max_norm is None and not layer.scale_grad_by_freq and not layer.sparse
    return not getattr(layer, "return_indices", False)


def _by_formulas(layers, loss, x, targets):
    kept = []
    with enable_grad():
        for name, layer in layers:
            before = x.detach() if not kept else x
            x = layer(before)
            if type(layer) in _FORMULAS:
                if not x.requires_grad:  # its parameters are frozen
                    x = x.detach().requires_grad_()
                kept.append((name, layer, before.detach(), x))
        if not kept:
            return {}
        losses = vmap(lambda y, *t: loss(y.unsqueeze(0), *(s.unsqueeze(0) for s in t)), randomness="different")(x, *targets)
        if losses.ndim != 1:
            raise RuntimeError(f"per_sample_grad: the loss of a sample must be one number, but has shape {tuple(losses.shape[1:])}")
        found = _C._grad([losses], [y for _, _, _, y in kept], [_ops["ones_like"](losses.detach())], False, False, True, False)
    grads = {}
    with no_grad():
        for (name, layer, before, y), g in zip(kept, found):
            made = _FORMULAS[type(layer)](layer, before, _ops["zeros_like"](y) if g is None else g)
            grads.update((name + key, made[key]) for key, p in layer._parameters.items() if p is not None)
    return grads
