"""What rounding to float32 may do to a computation; python/tests/rounding.py says what for."""

import os
import sys

import torch
from torch.utils._python_dispatch import TorchDispatchMode

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python", "tests"))
from rounding import MARGIN, ROUNDING as FLOAT32, beyond  # noqa: E402

# Half a unit in the last place: of float32 for the float64 that stands for it, of their own for narrower ones. Those are
# narrow in both computations, whose sums round to different neighbours only now and then: one in OFTEN.
ROUNDING = {torch.float64: FLOAT32, torch.bfloat16: 2.0**-8, torch.float16: 2.0**-11}
OFTEN = 8
TRIALS = 5


class Rounded(TorchDispatchMode):
    """Every float that an operator makes or writes is off by one rounding, up or down; whole numbers (masks, counts) are not."""

    def __init__(self, seed):
        super().__init__()
        self.generator = torch.Generator().manual_seed(seed)  # the computation draws what it draws without us

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        result = func(*args, **(kwargs or {}))
        for t, made in zip(result if isinstance(result, (tuple, list)) else [result], func._schema.returns):
            is_view = made.alias_info is not None and not made.alias_info.is_write
            if isinstance(t, torch.Tensor) and t.dtype in ROUNDING and not is_view:
                sign = torch.randint(0, 2, t.shape, generator=self.generator) * 2 - 1
                moved = t.double() * (1 + ROUNDING[t.dtype] * sign)
                same = t == t.round()
                if t.dtype is not torch.float64:
                    same |= torch.randint(0, OFTEN, t.shape, generator=self.generator) > 0
                t.copy_(torch.where(same, t, moved))
        return result


def largest(t):
    finite = t[torch.isfinite(t)]
    return finite.abs().max().item() if finite.numel() else 0.0


def with_units(compute):
    """compute(dtype) gives a list of tensors. Those for float64, each with its unit (None for whole numbers)."""
    exact = compute(torch.float64)
    units = [None if t is None or not t.is_floating_point() else largest(t) * ROUNDING[torch.float64] for t in exact]
    for trial in range(TRIALS):
        with Rounded(trial):
            moved = compute(torch.float64)
        units = [u if u is None else max(u, largest(a - b)) for u, a, b in zip(units, exact, moved)]
    for k, (t, unit, mine) in enumerate(zip(exact, units, compute(torch.float32))):
        if unit is not None:
            problem = beyond(mine.double().reshape(-1).tolist(), t.reshape(-1).tolist(), unit * 0.5)
            assert problem is None, f"PyTorch's float32 is outside half of the margin of {MARGIN}: tensor {k}, {problem}"
    return list(zip(exact, units))


def unit_text(unit):
    return "" if unit is None else f"~{unit:.3g}"
