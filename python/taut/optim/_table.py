"""The optimisers of the table (taut/optim/table.h) as classes: made when somebody first asks for one."""

from .. import _C
from .._C import Tensor
from .optimizer import Optimizer, _check_lr, _evaluate, _scalar


class TableOptimizer(Optimizer):
    """An optimiser whose options, state and step are a row of the table; a step is one C++ call for a whole group."""

    _row = None  # its number
    _options = ()  # names, in the order of saving
    _scalars = ()  # entries of the state that are 0-d tensors
    _fixed = {}  # options that nobody can choose
    _eager = False  # is the state there before the first step?

    def _begin(self, params, defaults):
        if "capturable" in defaults:
            _check_lr(defaults["lr"], defaults["foreach"], defaults["capturable"], None)
        else:
            _check_lr(defaults["lr"], text=None)
        wrong = _C._optimizer_wrong(self._row, defaults)
        if wrong is not None:
            raise ValueError(wrong.format(**defaults))
        if defaults.get("fused"):
            if defaults.get("differentiable"):
                raise RuntimeError("`fused` does not support `differentiable`")
            if defaults.get("foreach"):
                raise RuntimeError("`fused` and `foreach` cannot be `True` together.")
        Optimizer.__init__(self, params, defaults)
        if self._eager:
            for group in self.param_groups:
                for p in group["params"]:
                    self.state[p] = _C._optimizer_fresh(self._row, group, p)

    def __setstate__(self, state):
        super().__setstate__(state)
        for group in self.param_groups:
            for name in self._options:
                if name in self.defaults:
                    group.setdefault(name, self.defaults[name])
            group.update(self._fixed)
            for p in group["params"]:
                kept = self.state.get(p) or {}
                for name in [name for name, value in kept.items() if value is None]:
                    del kept[name]
                for name in self._scalars:
                    if name in kept and not isinstance(kept[name], Tensor):
                        kept[name] = _scalar(float(kept[name]))

    def step(self, closure=None):
        """One step along the gradients. A closure computes the loss anew and returns it."""
        loss = _evaluate(closure)
        for group in self.param_groups:
            _C._optimizer_step(self._row, group, self.state)
        return loss


def _share_memory(self):
    """Moves its state to where other processes can map it."""
    for state in self.state.values():
        for value in state.values():
            if isinstance(value, Tensor):
                value.share_memory_()


_made = {}


def optimizer_class(name, module):
    """The class of a row, by its name; `module` is where PyTorch says it is from."""
    if name in _made:
        return _made[name]
    row, doc, base, signature, order, fixed, scalars, eager = _C._optimizer(name)
    values = ", ".join(f"{option!r}: {fixed.get(option, option)}" for option in order)
    space = {}
    exec(f"def __init__(self, params, {signature}):\n    self._begin(params, {{{values}}})", space)
    init = space["__init__"]
    init.__qualname__, init.__module__ = f"{name}.__init__", module
    members = {"__module__": module, "__doc__": doc, "__init__": init, "_row": row, "_options": tuple(order),
               "_scalars": tuple(scalars), "_fixed": fixed, "_eager": eager}
    if eager:
        members["share_memory"] = _share_memory
    parent = optimizer_class(base, f"torch.optim.{base.lower()}") if base else TableOptimizer
    return _made.setdefault(name, type(name, (parent,), members))
