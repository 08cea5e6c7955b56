"""Special functions: names of torch.special for the ops that Taut has."""

from . import _C

# What an op of the registry is called in torch.special, where the name differs.
_NAMES = {"sigmoid": "expit", "lgamma": "gammaln", "mvlgamma": "multigammaln", "igamma": "gammainc",
          "igammac": "gammaincc"}
_SAME = ("log_softmax", "softmax", "logsumexp", "exp2", "expm1", "log1p", "erf", "erfc", "erfinv", "digamma", "logit",
         "round", "sinc", "xlogy", "polygamma", "i0")

globals().update({special: _C._renamed(_C.ops[name], f"special_{special}")
                  for name, special in (*zip(_SAME, _SAME), *_NAMES.items(), ("digamma", "psi"))})
globals().update({name[len("special_"):]: op for name, op in _C.ops.items() if name.startswith("special_")})


def _named(name):
    return globals()[name[len("special_"):]]


__all__ = [name for name in globals() if not name.startswith("_")]


def __getattr__(name):
    raise AttributeError(f"torch.special.{name} is not part of Taut")
