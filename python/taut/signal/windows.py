"""Window functions: M samples, symmetric, or periodic with sym=False."""

import math

from .. import _C

__all__ = ["bartlett", "blackman", "cosine", "exponential", "gaussian", "general_cosine", "general_hamming", "hamming", "hann", "kaiser",
           "nuttall"]

_ops = _C.ops


def _checked(name, M, dtype, layout):
    """The dtype of the window."""
    if M < 0:
        raise ValueError(f"{name} requires non-negative window length, got M={M}")
    if layout is not None and str(layout) != "torch.strided":
        raise ValueError(f"{name} is implemented for strided tensors only, got: {layout}")
    dtype = _C.get_default_dtype() if dtype is None else dtype
    if dtype not in (_C.float32, _C.float64):
        raise ValueError(f"{name} expects float32 or float64 dtypes, got: {dtype}")
    return dtype


def _places(start, step, M, dtype, device, requires_grad):
    """M numbers from start, a step apart."""
    return _ops["linspace"](start, start + (M - 1) * step, M, dtype=dtype, device=device, requires_grad=requires_grad)


def _trivial(M, dtype, device, requires_grad):
    """A window of at most one sample."""
    return _ops["ones"]((M,), dtype=dtype, device=device, requires_grad=requires_grad)


def _period(M, sym):
    """How many steps it takes to come round."""
    return M - 1 if sym else M


def bartlett(M, *, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    """A triangle that begins at 0."""
    dtype = _checked("bartlett", M, dtype, layout)
    if M <= 1:
        return _trivial(M, dtype, device, requires_grad)
    return 1 - _places(-1, 2 / _period(M, sym), M, dtype, device, requires_grad).abs()


def cosine(M, *, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    """Half a wave."""
    dtype = _checked("cosine", M, dtype, layout)
    if M == 0:
        return _trivial(M, dtype, device, requires_grad)
    step = math.pi / (M + 1 if not sym and M > 1 else M)
    return _places(0.5 * step, step, M, dtype, device, requires_grad).sin()


def exponential(M, *, center=None, tau=1.0, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    """exp(-|k - center| / tau)."""
    dtype = _checked("exponential", M, dtype, layout)
    if tau <= 0:
        raise ValueError(f"Tau must be positive, got: {tau} instead.")
    if sym and center is not None:
        raise ValueError("Center must be None for symmetric windows")
    if M == 0:
        return _trivial(M, dtype, device, requires_grad)
    if center is None:
        center = (M if not sym and M > 1 else M - 1) / 2
    return (-_places(-center / tau, 1 / tau, M, dtype, device, requires_grad).abs()).exp()


def gaussian(M, *, std=1.0, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    """A bell curve."""
    dtype = _checked("gaussian", M, dtype, layout)
    if std <= 0:
        raise ValueError(f"Standard deviation must be positive, got: {std} instead.")
    if M == 0:
        return _trivial(M, dtype, device, requires_grad)
    step = 1 / (std * math.sqrt(2))
    start = -(M if not sym and M > 1 else M - 1) / 2 * step
    return (-_places(start, step, M, dtype, device, requires_grad) ** 2).exp()


def kaiser(M, *, beta=12.0, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    """Kaiser's window, whose shape is beta."""
    dtype = _checked("kaiser", M, dtype, layout)
    if beta < 0:
        raise ValueError(f"beta must be non-negative, got: {beta} instead.")
    if M <= 1:
        return _trivial(M, dtype, device, requires_grad)
    beta = _C._tensor(beta, dtype)  # rounded, so that the root below is of nothing negative
    edge = beta.item()
    step = (2 * beta / _period(M, sym)).item()
    k = _ops["linspace"](-edge, min(edge, -edge + (M - 1) * step), M, dtype=dtype, device=device, requires_grad=requires_grad)
    return _ops["i0"]((beta * beta - k ** 2).sqrt()) / _ops["i0"](beta)


def general_cosine(M, *, a, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    """A sum of cosines with the coefficients a, whose signs alternate."""
    dtype = _checked("general_cosine", M, dtype, layout)
    if M <= 1:
        return _trivial(M, dtype, device, requires_grad)
    if not hasattr(a, "__iter__"):
        raise TypeError("Coefficients must be a list/tuple")
    if not a:
        raise ValueError("Coefficients cannot be empty")
    k = _places(0, 2 * math.pi / _period(M, sym), M, dtype, device, requires_grad)
    weights = _C._tensor([(-1) ** i * w for i, w in enumerate(a)], dtype).requires_grad_(requires_grad)
    waves = _ops["arange"](len(weights), dtype=dtype)
    return (weights.unsqueeze(-1) * (waves.unsqueeze(-1) * k).cos()).sum(0)


def general_hamming(M, *, alpha=0.54, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    """alpha - (1 - alpha) cos."""
    return general_cosine(M, a=[alpha, 1.0 - alpha], sym=sym, dtype=dtype, layout=layout, device=device, requires_grad=requires_grad)


def hamming(M, *, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    """Hamming's window."""
    return general_hamming(M, sym=sym, dtype=dtype, layout=layout, device=device, requires_grad=requires_grad)


def hann(M, *, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    """Hann's window."""
    return general_hamming(M, alpha=0.5, sym=sym, dtype=dtype, layout=layout, device=device, requires_grad=requires_grad)


def blackman(M, *, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    """Blackman's window."""
    _checked("blackman", M, dtype, layout)
    return general_cosine(M, a=[0.42, 0.5, 0.08], sym=sym, dtype=dtype, layout=layout, device=device, requires_grad=requires_grad)


def nuttall(M, *, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    """Nuttall's window, of four cosines."""
    return general_cosine(M, a=[0.3635819, 0.4891775, 0.1365995, 0.0106411], sym=sym, dtype=dtype, layout=layout, device=device,
                          requires_grad=requires_grad)
