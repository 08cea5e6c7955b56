"""How float32 results are judged, here and in tests/support/rounding.h.

Two float32 computations of one thing differ, and neither is right: the reference is the float64 result. How far a float32
result may be from it is measured, not guessed: tools/golden_rounding.py runs the computation in float64 with each
intermediate result moved by one rounding of float32, a few times. The furthest that an element went is the tensor's unit,
and is written beside its values in the golden file (~1.2e-07). A unit thus knows depth, conditioning and cancellation. What
it does not know is the inside of an op, which may round once per summand and add in any order; MARGIN is for that.
PyTorch's own float32 results stay within half of it, which is checked whenever golden files are written.
"""

import math

MARGIN = 8
ROUNDING = 2.0**-24  # of float32, relative; the smallest unit there is for a number of size 1


def beyond(got, reference, unit):
    """The first element that is further from its reference than rounding explains, in words; None when there is none."""
    assert len(got) == len(reference)
    for k, (a, b) in enumerate(zip(got, reference)):
        if a == b or (math.isnan(a) and math.isnan(b)):
            continue
        if not abs(a - b) <= MARGIN * unit or math.isinf(b):
            return f"element {k} is {a!r}, which is {abs(a - b) / unit if unit else math.inf:.3g} units from {b!r}"
    return None
