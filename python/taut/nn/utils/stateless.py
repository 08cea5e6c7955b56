"""A module called with other parameters than its own."""

import contextlib

from ..._C import Tensor


def _slots(module):
    """For every full name of a parameter or buffer: the dictionary that holds it, and its key there."""
    slots = {}
    for path, owner in module.named_modules(remove_duplicate=False):
        for held in (owner._parameters, owner._buffers):
            for name, value in held.items():
                if value is not None:
                    slots[f"{path}.{name}" if path else name] = (held, name)
    return slots


def _with_ties(slots, given):
    """The given tensors also under the other names of the parameters they replace."""
    names = {}
    for name, (held, key) in slots.items():
        names.setdefault(id(held[key]), []).append(name)
    tied = dict(given)
    for group in names.values():
        present = [n for n in group if n in given]
        if not present or len(group) == 1:
            continue
        first = given[present[0]]
        if any(given[n] is not first for n in present):
            raise ValueError(f"functional_call got multiple values for keys {sorted(present)}, which are tied. "
                             "Consider using tie_weights=False")
        for n in group:
            tied.setdefault(n, first)
    return tied


@contextlib.contextmanager
def _reparametrize_module(module, parameters_and_buffers, *, tie_weights=False, strict=False):
    slots = _slots(module)
    given = _with_ties(slots, parameters_and_buffers) if tie_weights else dict(parameters_and_buffers)
    missing = [n for n in slots if n not in given]
    unexpected = [n for n in given if n not in slots]
    if strict and (missing or unexpected):
        lines = [f"Error(s) in reparametrizing for {module._get_name()}:"]
        if unexpected:
            lines.append("Unexpected key(s): {}.".format(", ".join(map(repr, sorted(unexpected)))))
        if missing:
            lines.append("Missing key(s): {}.".format(", ".join(map(repr, sorted(missing)))))
        raise RuntimeError("\n\t".join(lines))
    for name, value in given.items():
        if name in slots and value is not None and not isinstance(value, Tensor):
            raise TypeError(f"{value} is not an instance of torch.Tensor")
    before = {name: slots[name][0][slots[name][1]] for name in given if name in slots}
    for name in before:
        held, key = slots[name]
        held[key] = given[name]
    try:
        yield module
    finally:
        for name, value in before.items():
            held, key = slots[name]
            if isinstance(parameters_and_buffers, dict) and name in parameters_and_buffers:
                parameters_and_buffers[name] = held[key]  # what forward put there in its place
            held[key] = value


def _functional_call(module, parameters_and_buffers, args=None, kwargs=None, *, tie_weights=True, strict=False):
    args = () if args is None else args if isinstance(args, tuple) else (args,)
    with _reparametrize_module(module, parameters_and_buffers, tie_weights=tie_weights, strict=strict):
        return module(*args, **(kwargs or {}))


def functional_call(module, parameters_and_buffers, args=None, kwargs=None, *, tie_weights=True, strict=False):
    """module(*args, **kwargs) with these tensors in the place of its parameters and buffers."""
    import warnings

    warnings.warn("`torch.nn.utils.stateless.functional_call` is deprecated as of PyTorch 2.0 and will be removed in a "
                  "future version of PyTorch. Please use `torch.func.functional_call` instead which is a drop-in "
                  "replacement.", FutureWarning, stacklevel=2)
    return _functional_call(module, parameters_and_buffers, args, kwargs, tie_weights=tie_weights, strict=strict)
