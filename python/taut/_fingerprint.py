"""fingerprint(x): 32 hexadecimal digits that tell whether two things hold the same bits."""

from . import _C
from ._C import Tensor


def _flat(name, value, found):
    """Appends (name, tensor) for every value inside dicts and lists: a number as float64, a text as its bytes."""
    if isinstance(value, Tensor):
        found.append((name, value))
    elif isinstance(value, dict):
        for key, item in value.items():
            _flat(f"{name}.{key}" if name else str(key), item, found)
    elif isinstance(value, (list, tuple)):
        for i, item in enumerate(value):
            _flat(f"{name}.{i}" if name else str(i), item, found)
    elif isinstance(value, (bool, int, float)):
        found.append((name, _C._tensor(float(value), _C.float64)))
    elif isinstance(value, (str, bytes)):
        found.append((name, _C._tensor(list(value.encode() if isinstance(value, str) else value), _C.uint8)))
    elif value is not None:
        raise TypeError(f"fingerprint: {name or 'the argument'} is a {type(value).__name__}; it takes tensors, modules, "
                        "optimizers, and dicts and lists of tensors, numbers and texts")
    return found


def _of_optimizer(optimizer):
    params = [p for group in optimizer.param_groups for p in group["params"]]
    numbers = {p: i for i, p in enumerate(params)}
    state = _flat("state", {numbers.get(p, p): values for p, values in optimizer.state.items()}, [])
    state = [(name, t.double() if t.dim() == 0 else t) for name, t in state]
    return state + _flat("params", params, [])


def fingerprint(value):
    """32 hexadecimal digits over dtype, shape and values of a tensor, whatever its strides.

    Of a module: over the names and tensors of its state_dict; of an optimizer: over its parameters and their state; of a
    dict or a list: over what it holds. The same bits have the same fingerprint on every machine, in C++ too.

    >>> import taut
    >>> taut.fingerprint(taut.arange(3))
    '65e46949ba36eea7d112bd4152d76862'
    """
    if isinstance(value, Tensor):
        return _C._fingerprint(value)
    if hasattr(value, "param_groups"):
        return _C._fingerprint_named(_of_optimizer(value))
    if hasattr(value, "state_dict"):
        value = value.state_dict()
    return _C._fingerprint_named(_flat("", value, []))
