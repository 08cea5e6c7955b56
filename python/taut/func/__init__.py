"""Functions of functions: derivatives, mapping over a dimension, modules as functions of their parameters."""

from .functional_call import functional_call, stack_module_state
from .implicit import fixed_point, root
from .ode import odeint
from .transforms import functionalize, grad, grad_and_value, hessian, jacfwd, jacrev, jvp, linearize, vjp
from .vmap import vmap

__all__ = ["grad", "grad_and_value", "vmap", "hessian", "jacfwd", "jacrev", "jvp", "linearize", "vjp",
           "functional_call", "functionalize", "stack_module_state", "fixed_point", "root", "odeint"]


def __getattr__(name):
    raise AttributeError(f"torch.func.{name} is not part of Taut")
