"""Modules as functions of their parameters."""

from .. import _C


def functional_call(module, parameter_and_buffer_dicts, args=None, kwargs=None, *, tie_weights=True, strict=False):
    """Calls a module with other parameters and buffers than its own, which stay as they are.

    They are given by name, in one dict or several. Parameters that are one tensor under several names are replaced
    together, unless tie_weights is False. With strict, exactly those the module has must be given.
    """
    given = _merged(parameter_and_buffer_dicts)
    own = _places(module, "", {})
    values = {name: value for name, value in given.items() if name in own}
    names_of = {}
    for name, (table, key) in own.items():
        names_of.setdefault(id(table[key]), []).append(name)
    if tie_weights:
        _tie(values, own, names_of)
    if strict:
        _check_all(module, given, own, values, names_of if tie_weights else {})
    if args is None:
        args = ()
    elif not isinstance(args, tuple):
        args = (args,)
    before = {name: _swap(*own[name], value) for name, value in values.items()}
    try:
        return module(*args, **(kwargs or {}))
    finally:
        for name, value in before.items():
            # What forward has put in the place of a value that was lent goes back to the lender.
            now = _swap(*own[name], value)
            if name in given and isinstance(parameter_and_buffer_dicts, dict) and now is not given[name]:
                parameter_and_buffer_dicts[name] = now


def _merged(dicts):
    if isinstance(dicts, dict):
        return dicts
    if not isinstance(dicts, (list, tuple)) or not all(isinstance(d, dict) for d in dicts):
        wrong = type(dicts) if not isinstance(dicts, (list, tuple)) else [type(d) for d in dicts]
        raise ValueError(f"Expected parameter_and_buffer_dicts to be a dict, or a list/tuple of dicts, but got {wrong}")
    names = [name for d in dicts for name in d]
    twice = [name for i, name in enumerate(names) if names.count(name) > 1 and name not in names[:i]]
    if twice:
        raise ValueError(f"{twice} appeared in multiple dictionaries; behavior of functional call is ambiguous")
    return {name: value for d in dicts for name, value in d.items()}


def _tie(values, own, names_of):
    for name, value in list(values.items()):
        table, key = own[name]
        for other in names_of[id(table[key])]:
            if other != name and values.setdefault(other, value) is not value:
                raise ValueError(f"functional_call got multiple values for keys {sorted((name, other))}, which are "
                                 "tied. Consider using tie_weights=False")


def _check_all(module, given, own, values, names_of):
    unexpected = sorted(name for name in given if name not in own)
    missing = sorted(name for name in own if name not in values)
    if not unexpected and not missing:
        return
    message = f"Error(s) in reparametrizing for {module.__class__.__name__}:"
    for title, names in (("Unexpected", unexpected), ("Missing", missing)):
        if names:
            message += f"\n\t{title} key(s): " + ", ".join(f"'{n}'" for n in names) + "."
    raise RuntimeError(message)


def _places(module, prefix, found):
    """For each name the table that holds the parameter or buffer, and its key there."""
    for table in (module._parameters, module._buffers):
        for name, value in table.items():
            if value is not None:
                found[prefix + name] = table, name
    for name, child in module._modules.items():
        if child is not None:
            _places(child, f"{prefix}{name}.", found)
    return found


def _swap(table, key, value):
    """Puts a tensor in the place of a parameter or buffer, whatever its type; returns what was there."""
    before, table[key] = table[key], value
    return before


def stack_module_state(models):
    """The parameters of several modules of one kind, stacked by name, and their buffers."""
    if len(models) == 0:
        raise RuntimeError("stack_module_state: Expected at least one model, got 0.")
    if not (all(m.training for m in models) or all(not m.training for m in models)):
        raise RuntimeError("stack_module_state: Expected all models to have the same training/eval mode.")
    if any(type(m) is not type(models[0]) for m in models):
        raise RuntimeError("stack_module_state: Expected all models to be of the same class.")
    parameters, buffers = [dict(m.named_parameters()) for m in models], [dict(m.named_buffers()) for m in models]
    return _all_stacked(parameters), _all_stacked(buffers)


def _all_stacked(dicts):
    return {name: _stacked([d[name] for d in dicts]) for name in dicts[0]}


def _stacked(tensors):
    if len({t.requires_grad for t in tensors}) > 1:
        raise RuntimeError("Expected all parameters/buffers in the models to have the same requires_grad")
    stacked = _C.ops["stack"]([t.detach() for t in tensors])
    return stacked.requires_grad_() if tensors[0].requires_grad else stacked
