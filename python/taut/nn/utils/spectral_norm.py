"""A weight divided by its largest singular value."""

from ... import _C
from ..._pickling import ByName
from ...autograd.grad_mode import no_grad


def _output_dim(module, dim):
    from ..modules.conv import ConvTranspose1d, ConvTranspose2d, ConvTranspose3d

    if dim is None:
        return 1 if isinstance(module, (ConvTranspose1d, ConvTranspose2d, ConvTranspose3d)) else 0
    return dim


class SpectralNorm(ByName):
    """The hook that computes the weight before each call."""

    _version = 1

    def __init__(self, name="weight", n_power_iterations=1, dim=0, eps=1e-12):
        self.name = name
        self.dim = dim
        if n_power_iterations <= 0:
            raise ValueError("Expected n_power_iterations to be positive, but got "
                             f"n_power_iterations={n_power_iterations}")
        self.n_power_iterations = n_power_iterations
        self.eps = eps

    def compute_weight(self, module, do_power_iteration):
        """The weight over u^T W v, the vectors improved first if wanted."""
        return _C._spectral_weight(getattr(module, self.name + "_orig"), getattr(module, self.name + "_u"),
                                   getattr(module, self.name + "_v"), self.dim,
                                   self.n_power_iterations if do_power_iteration else 0, self.eps, False)

    def remove(self, module):
        """Makes the weight a parameter again."""
        from ..parameter import Parameter

        with no_grad():
            weight = self.compute_weight(module, do_power_iteration=False)
        delattr(module, self.name)
        delattr(module, self.name + "_u")
        delattr(module, self.name + "_v")
        delattr(module, self.name + "_orig")
        module.register_parameter(self.name, Parameter(weight.detach()))

    def __call__(self, module, inputs):
        setattr(module, self.name, self.compute_weight(module, do_power_iteration=module.training))

    @staticmethod
    def apply(module, name, n_power_iterations, dim, eps):
        """Replaces the parameter `name` by name_orig and the vectors name_u and name_v."""
        for hook in module._forward_pre_hooks.values():
            if isinstance(hook, SpectralNorm) and hook.name == name:
                raise RuntimeError(f"Cannot register two spectral_norm hooks on the same parameter {name}")
        fn = SpectralNorm(name, n_power_iterations, dim, eps)
        weight = module._parameters[name]
        if weight is None:
            raise ValueError(f"`SpectralNorm` cannot be applied as parameter `{name}` is None")
        u, v = _C._spectral_vectors(weight, dim, eps)
        delattr(module, name)
        module.register_parameter(name + "_orig", weight)
        setattr(module, name, weight.data)
        module.register_buffer(name + "_u", u)
        module.register_buffer(name + "_v", v)
        module.register_forward_pre_hook(fn)
        return fn


def spectral_norm(module, name="weight", n_power_iterations=1, eps=1e-12, dim=None):
    """Divides a parameter by its largest singular value before each call."""
    SpectralNorm.apply(module, name, n_power_iterations, _output_dim(module, dim), eps)
    return module


def remove_spectral_norm(module, name="weight"):
    """Takes spectral_norm away again."""
    for key, hook in module._forward_pre_hooks.items():
        if isinstance(hook, SpectralNorm) and hook.name == name:
            hook.remove(module)
            del module._forward_pre_hooks[key]
            return module
    raise ValueError(f"spectral_norm of '{name}' not found in {module}")


SpectralNorm.__module__ = "torch.nn.utils.spectral_norm"
