"""Parameters of which parts are zero: torch.nn.utils.prune."""

import numbers
from abc import ABC, abstractmethod
from collections.abc import Iterable

from ..._C import Tensor, ops as _ops
from ...autograd.grad_mode import no_grad
from ..parameter import Parameter


class BasePruningMethod(ABC):
    """A way to choose what shall be zero. It is a hook of the module: before forward, `name` becomes `name_orig` times `name_mask`."""

    def __call__(self, module, inputs):
        setattr(module, self._tensor_name, self.apply_mask(module))

    @abstractmethod
    def compute_mask(self, t, default_mask):
        """The mask for a tensor (or what importance scores are given for it), within the mask that is there."""

    def apply_mask(self, module):
        """The pruned tensor of a module."""
        if self._tensor_name is None:
            raise AssertionError(f"Module {module} has to be pruned")
        mask, original = getattr(module, self._tensor_name + "_mask"), getattr(module, self._tensor_name + "_orig")
        return mask.to(dtype=original.dtype) * original

    @classmethod
    def apply(cls, module, name, *args, importance_scores=None, **kwargs):
        """Prunes a parameter of a module, after what may have pruned it before."""
        old = None
        for number, hook in list(module._forward_pre_hooks.items()):
            if isinstance(hook, BasePruningMethod) and hook._tensor_name == name:
                if old is not None:
                    raise AssertionError(f"Avoid adding multiple pruning hooks to the same tensor {name} of module {module}. Use a PruningContainer.")
                old = hook
                del module._forward_pre_hooks[number]
        method = cls(*args, **kwargs)
        method._tensor_name = name
        if old is not None:
            if not isinstance(old, PruningContainer):
                container = PruningContainer(old)
                container._tensor_name = name
                old = container
            old.add_pruning_method(method)
            method = old
        original = getattr(module, name)
        if importance_scores is not None:
            if importance_scores.shape != original.shape:
                raise AssertionError(f"importance_scores should have the same shape as parameter                 {name} of {module}")
        else:
            importance_scores = original
        if not isinstance(method, PruningContainer):
            module.register_parameter(name + "_orig", original)
            del module._parameters[name]
            default = _ops["ones_like"](original)
        else:
            default = getattr(module, name + "_mask").detach().clone()
        try:
            with no_grad():
                mask = method.compute_mask(importance_scores, default_mask=default)
            module.register_buffer(name + "_mask", mask)
            setattr(module, name, method.apply_mask(module))
            module.register_forward_pre_hook(method)
        except Exception:
            if not isinstance(method, PruningContainer):
                module.register_parameter(name, getattr(module, name + "_orig"))
                del module._parameters[name + "_orig"]
            raise
        return method

    def prune(self, t, default_mask=None, importance_scores=None):
        """The pruned tensor: no module is changed."""
        if importance_scores is not None:
            if importance_scores.shape != t.shape:
                raise AssertionError("importance_scores should have the same shape as tensor t")
        else:
            importance_scores = t
        default_mask = default_mask if default_mask is not None else _ops["ones_like"](t)
        return t * self.compute_mask(importance_scores, default_mask=default_mask)

    def remove(self, module):
        """Makes the pruned tensor the parameter again, for good."""
        if self._tensor_name is None:
            raise AssertionError(f"Module {module} has to be pruned            before pruning can be removed")
        pruned = self.apply_mask(module)
        if hasattr(module, self._tensor_name):
            delattr(module, self._tensor_name)
        original = module._parameters[self._tensor_name + "_orig"]
        original.data = pruned.data
        del module._parameters[self._tensor_name + "_orig"]
        del module._buffers[self._tensor_name + "_mask"]
        setattr(module, self._tensor_name, original)


class PruningContainer(BasePruningMethod):
    """Several ways, one after the other: each chooses among what those before it have left."""

    def __init__(self, *args):
        self._pruning_methods = ()
        if not isinstance(args, Iterable) or len(args) == 1 and not isinstance(args, Iterable):
            self._tensor_name = args._tensor_name
        elif len(args) == 1:
            self._tensor_name = args[0]._tensor_name
            self.add_pruning_method(args[0])
        else:
            for method in args:
                self.add_pruning_method(method)

    def add_pruning_method(self, method):
        """One more, at the end."""
        if not isinstance(method, BasePruningMethod) and method is not None:
            raise TypeError(f"{type(method)} is not a BasePruningMethod subclass")
        if method is not None and self._tensor_name != method._tensor_name:
            raise ValueError(f"Can only add pruning methods acting on the parameter named '{self._tensor_name}' to PruningContainer {self}."
                             + f" Found '{method._tensor_name}'")
        self._pruning_methods += (method,)

    def __len__(self):
        return len(self._pruning_methods)

    def __iter__(self):
        return iter(self._pruning_methods)

    def __getitem__(self, idx):
        return self._pruning_methods[idx]

    def compute_mask(self, t, default_mask):
        """The mask of the last way, within those of the others."""
        method = self._pruning_methods[-1]
        mask = default_mask.to(dtype=t.dtype)
        kind = method.PRUNING_TYPE
        if kind == "unstructured":
            where = mask == 1
        elif kind == "structured":
            if not hasattr(method, "dim"):
                raise AttributeError("Pruning methods of PRUNING_TYPE \"structured\" need to have the attribute `dim` defined.")
            dim = method.dim % t.dim()
            kept = mask.sum(dim=[d for d in range(t.dim()) if d != dim]) != 0
            where = [slice(None)] * t.dim()
            where[dim] = kept
            where = tuple(where)
        elif kind == "global":
            where = (slice(None),) * t.dim()
        else:
            raise ValueError(f"Unrecognized PRUNING_TYPE {kind}")
        combined = mask.clone()
        combined[where] = method.compute_mask(t[where], default_mask=mask[where]).to(combined.dtype)
        return combined


class Identity(BasePruningMethod):
    """Nothing becomes zero."""

    PRUNING_TYPE = "unstructured"

    def compute_mask(self, t, default_mask):
        """The mask as it is."""
        return default_mask

    @classmethod
    def apply(cls, module, name):
        """Prunes nothing of a parameter, which gets a mask."""
        return super().apply(module, name)


class RandomUnstructured(BasePruningMethod):
    """Elements drawn at random."""

    PRUNING_TYPE = "unstructured"

    def __init__(self, amount):
        _validate_pruning_amount_init(amount)
        self.amount = amount

    def compute_mask(self, t, default_mask):
        """The mask for a tensor."""
        size = t.nelement()
        count = _compute_nparams_toprune(self.amount, size)
        _validate_pruning_amount(count, size)
        mask = default_mask.clone()
        if count:
            drawn = _ops["rand_like"](t)
            mask.view(-1)[drawn.view(-1).topk(count).indices] = 0
        return mask

    @classmethod
    def apply(cls, module, name, amount):
        """Prunes a parameter of a module."""
        return super().apply(module, name, amount=amount)


class L1Unstructured(BasePruningMethod):
    """The elements of the smallest absolute value."""

    PRUNING_TYPE = "unstructured"

    def __init__(self, amount):
        _validate_pruning_amount_init(amount)
        self.amount = amount

    def compute_mask(self, t, default_mask):
        """The mask for a tensor."""
        size = t.nelement()
        count = _compute_nparams_toprune(self.amount, size)
        _validate_pruning_amount(count, size)
        mask = default_mask.clone()
        if count:
            mask.view(-1)[t.abs().view(-1).topk(count, largest=False).indices] = 0
        return mask

    @classmethod
    def apply(cls, module, name, amount, importance_scores=None):
        """Prunes a parameter of a module."""
        return super().apply(module, name, amount=amount, importance_scores=importance_scores)


class RandomStructured(BasePruningMethod):
    """Whole channels along a dimension, drawn at random."""

    PRUNING_TYPE = "structured"

    def __init__(self, amount, dim=-1):
        _validate_pruning_amount_init(amount)
        self.amount, self.dim = amount, dim

    def compute_mask(self, t, default_mask):
        """The mask for a tensor."""
        _validate_structured_pruning(t)
        _validate_pruning_dim(t, self.dim)
        size = t.shape[self.dim]
        count = _compute_nparams_toprune(self.amount, size)
        _validate_pruning_amount(count, size)
        if not count:
            return default_mask
        drawn = _ops["rand"]([size])
        threshold = drawn.kthvalue(count).values
        return default_mask.to(dtype=t.dtype) * _channel_mask(t, self.dim, drawn > threshold)

    @classmethod
    def apply(cls, module, name, amount, dim=-1):
        """Prunes a parameter of a module."""
        return super().apply(module, name, amount=amount, dim=dim)


class LnStructured(BasePruningMethod):
    """The whole channels along a dimension that have the smallest norms."""

    PRUNING_TYPE = "structured"

    def __init__(self, amount, n, dim=-1):
        _validate_pruning_amount_init(amount)
        self.amount, self.n, self.dim = amount, n, dim

    def compute_mask(self, t, default_mask):
        """The mask for a tensor."""
        _validate_structured_pruning(t)
        _validate_pruning_dim(t, self.dim)
        size = t.shape[self.dim]
        count = _compute_nparams_toprune(self.amount, size)
        left = size - count
        _validate_pruning_amount(count, size)
        if not count:
            return default_mask
        kept = _compute_norm(t, self.n, self.dim).topk(left, largest=True).indices
        where = _ops["zeros"]([size], dtype=t.dtype)
        where[kept] = 1
        return default_mask.to(dtype=t.dtype) * _channel_mask(t, self.dim, where)

    @classmethod
    def apply(cls, module, name, amount, n, dim, importance_scores=None):
        """Prunes a parameter of a module."""
        return super().apply(module, name, amount=amount, n=n, dim=dim, importance_scores=importance_scores)


class CustomFromMask(BasePruningMethod):
    """What a mask says."""

    PRUNING_TYPE = "global"

    def __init__(self, mask):
        self.mask = mask

    def compute_mask(self, t, default_mask):
        """The mask, within the one that is there."""
        if default_mask.shape != self.mask.shape:
            raise AssertionError("default_mask and mask must have the same shape")
        return default_mask * self.mask.to(dtype=default_mask.dtype)

    @classmethod
    def apply(cls, module, name, mask):
        """Prunes a parameter of a module."""
        return super().apply(module, name, mask=mask)


for _cls in (BasePruningMethod, PruningContainer, Identity, RandomUnstructured, L1Unstructured, RandomStructured, LnStructured, CustomFromMask):
    _cls.__module__ = "torch.nn.utils.prune"


def _channel_mask(t, dim, kept):
    shape = [1] * t.dim()
    shape[dim] = t.shape[dim]
    return kept.to(t.dtype).view(shape).expand(t.shape)


def identity(module, name):
    """Gives a parameter a mask of ones."""
    Identity.apply(module, name)
    return module


def random_unstructured(module, name, amount):
    """Makes that many elements (or that part of them), drawn at random, zero."""
    RandomUnstructured.apply(module, name, amount)
    return module


def l1_unstructured(module, name, amount, importance_scores=None):
    """Makes the elements of the smallest absolute value zero."""
    L1Unstructured.apply(module, name, amount=amount, importance_scores=importance_scores)
    return module


def random_structured(module, name, amount, dim):
    """Makes whole channels, drawn at random, zero."""
    RandomStructured.apply(module, name, amount, dim)
    return module


def ln_structured(module, name, amount, n, dim, importance_scores=None):
    """Makes the whole channels of the smallest norms zero."""
    LnStructured.apply(module, name, amount, n, dim, importance_scores=importance_scores)
    return module


def global_unstructured(parameters, pruning_method, importance_scores=None, **kwargs):
    """Prunes several parameters [(module, name)] together, as if they were one."""
    if not isinstance(parameters, Iterable):
        raise TypeError("global_unstructured(): parameters is not an Iterable")
    importance_scores = importance_scores if importance_scores is not None else {}
    if not isinstance(importance_scores, dict):
        raise TypeError("global_unstructured(): importance_scores must be of type dict")
    parameters = list(parameters)
    tensors = [importance_scores.get((m, n), getattr(m, n)).reshape(-1) for m, n in parameters]
    masks = [getattr(m, n + "_mask", _ops["ones_like"](getattr(m, n))).reshape(-1) for m, n in parameters]
    scores, default = _ops["cat"](tensors), _ops["cat"](masks)
    container = PruningContainer()
    container._tensor_name = "temp"
    method = pruning_method(**kwargs)
    method._tensor_name = "temp"
    container.add_pruning_method(method)
    if method.PRUNING_TYPE != "unstructured":
        raise TypeError(f'Only "unstructured" PRUNING_TYPE supported for the `pruning_method`. Found method {pruning_method} of type '
                        f"{method.PRUNING_TYPE}")
    with no_grad():
        final = container.compute_mask(scores, default)
    at = 0
    for module, name in parameters:
        parameter = getattr(module, name)
        custom_from_mask(module, name, mask=final[at:at + parameter.numel()].view_as(parameter))
        at += parameter.numel()


def custom_from_mask(module, name, mask):
    """Makes zero what a mask says."""
    CustomFromMask.apply(module, name, mask)
    return module


def remove(module, name):
    """Makes the pruned tensor the parameter again, for good."""
    for number, hook in list(module._forward_pre_hooks.items()):
        if isinstance(hook, BasePruningMethod) and hook._tensor_name == name:
            hook.remove(module)
            del module._forward_pre_hooks[number]
            return module
    raise ValueError(f"Parameter '{name}' of module {module} has to be pruned before pruning can be removed")


def is_pruned(module):
    """Is a parameter of the module, or of one within it, pruned?"""
    return any(isinstance(hook, BasePruningMethod) for _, sub in module.named_modules() for hook in sub._forward_pre_hooks.values())


def _validate_pruning_amount_init(amount):
    if not isinstance(amount, numbers.Real):
        raise TypeError(f"Invalid type for amount: {amount}. Must be int or float.")
    if isinstance(amount, numbers.Integral) and amount < 0 or not isinstance(amount, numbers.Integral) and not 0 <= amount <= 1:
        raise ValueError(f"amount={amount} should either be a float in the range [0, 1] or a non-negative integer")


def _validate_pruning_amount(amount, tensor_size):
    if isinstance(amount, numbers.Integral) and amount > tensor_size:
        raise ValueError(f"amount={amount} should be smaller than the number of parameters to prune={tensor_size}")


def _validate_structured_pruning(t):
    if t.dim() <= 1:
        raise ValueError("Structured pruning can only be applied to multidimensional tensors. Found tensor of shape "
                         f"{t.shape} with {t.dim()} dims")


def _validate_pruning_dim(t, dim):
    if dim >= t.dim():
        raise IndexError(f"Invalid index {dim} for tensor of size {t.shape}")


def _compute_nparams_toprune(amount, tensor_size):
    return amount if isinstance(amount, numbers.Integral) else round(amount * tensor_size)


def _compute_norm(t, n, dim):
    dims = list(range(t.dim()))
    dims[dim:dim + 1] = [] if dim >= 0 else dims[dim:dim + 1]
    if dim < 0:
        dims.remove(dims[dim])
    return Tensor.norm(t, p=n, dim=dims)


del Parameter


def __getattr__(name):
    raise AttributeError(f"torch.nn.utils.prune.{name} is not part of Taut")
