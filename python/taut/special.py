"""Special functions: names of torch.special for the ops that Taut has."""

from . import _C

# What an op of the registry is called in torch.special, where the name differs.
_NAMES = {"sigmoid": "expit", "lgamma": "gammaln", "mvlgamma": "multigammaln", "igamma": "gammainc",
          "igammac": "gammaincc"}
_SAME = ("log_softmax", "softmax", "logsumexp", "exp2", "expm1", "log1p", "erf", "erfc", "erfinv", "digamma", "logit",
         "round", "sinc", "xlogy", "polygamma", "i0")

globals().update({name: _C.ops[name] for name in _SAME})
globals().update({special: _C.ops[name] for name, special in _NAMES.items()})
globals().update({name[len("special_"):]: op for name, op in _C.ops.items() if name.startswith("special_")})
psi = _C.ops["digamma"]
__all__ = [name for name in globals() if not name.startswith("_")]


def __getattr__(name):
    raise AttributeError(f"torch.special.{name} is not part of Taut")
