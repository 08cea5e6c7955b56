"""Parametrizations that come with the library."""

from ... import _C
from .. import functional as F
from ..modules.module import Module
from . import parametrize
from .spectral_norm import _output_dim
from .weight_norm import _weight, norm_except_dim


class _WeightNorm(Module):
    def __init__(self, dim=0):
        super().__init__()
        self.dim = -1 if dim is None else dim

    def forward(self, weight_g, weight_v):
        return _weight(weight_v, weight_g, self.dim)

    def right_inverse(self, weight):
        """The length and the direction of a weight."""
        return norm_except_dim(weight, 2, self.dim), weight


def weight_norm(module, name="weight", dim=0):
    """Splits a parameter into its length along `dim` and its direction."""
    parametrize.register_parametrization(module, name, _WeightNorm(dim), unsafe=True)

    def take_old_names(state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs):
        g, v = f"{prefix}{name}_g", f"{prefix}{name}_v"
        if g in state_dict and v in state_dict:
            state_dict[f"{prefix}parametrizations.{name}.original0"] = state_dict.pop(g)
            state_dict[f"{prefix}parametrizations.{name}.original1"] = state_dict.pop(v)

    module._register_load_state_dict_pre_hook(take_old_names)
    return module


class _SpectralNorm(Module):
    def __init__(self, weight, n_power_iterations=1, dim=0, eps=1e-12):
        super().__init__()
        ndim = weight.ndim
        if dim >= ndim or dim < -ndim:
            raise IndexError(f"Dimension out of range (expected to be in range of [-{ndim}, {ndim - 1}] but got {dim})")
        if n_power_iterations <= 0:
            raise ValueError("Expected n_power_iterations to be positive, but got "
                             f"n_power_iterations={n_power_iterations}")
        self.dim = dim if dim >= 0 else dim + ndim
        self.eps = eps
        if ndim > 1:
            self.n_power_iterations = n_power_iterations
            u, v = _C._spectral_vectors(weight, self.dim, eps)
            self.register_buffer("_u", u)
            self.register_buffer("_v", v)
            self._divided(weight, 15)

    def _divided(self, weight, n_power_iterations):
        return _C._spectral_weight(weight, self._u, self._v, self.dim, n_power_iterations, self.eps, True)

    def forward(self, weight):
        if weight.ndim == 1:
            return F.normalize(weight, dim=0, eps=self.eps)
        return self._divided(weight, self.n_power_iterations if self.training else 0)

    def right_inverse(self, value):
        """The value itself: one with a larger singular value than 1 cannot be reached."""
        return value


def spectral_norm(module, name="weight", n_power_iterations=1, eps=1e-12, dim=None):
    """Divides a parameter by its largest singular value."""
    weight = getattr(module, name, None)
    if not isinstance(weight, F.Tensor):
        raise ValueError(f"Module '{module}' has no parameter or buffer with name '{name}'")
    made = _SpectralNorm(weight, n_power_iterations, _output_dim(module, dim), eps)
    return parametrize.register_parametrization(module, name, made)


def orthogonal(module, name="weight", orthogonal_map=None, *, use_trivialization=True):
    """Not supported yet: it needs matrix_exp or Householder products."""
    raise NotImplementedError("torch.nn.utils.parametrizations.orthogonal is not supported yet")
