"""assert_close: are two values close, and if not, where and by how much?"""

import cmath
import math
from collections.abc import Mapping, Sequence

from .. import _C, as_tensor, promote_types
from .._C import Tensor

_TOLERANCES = {_C.float16: (1e-3, 1e-5), _C.bfloat16: (1.6e-2, 1e-5), _C.float32: (1.3e-6, 1e-5),
               _C.float64: (1e-7, 1e-7), _C.complex32: (1e-3, 1e-5), _C.complex64: (1.3e-6, 1e-5), _C.complex128: (1e-7, 1e-7)}
_NUMBERS = {int: _C.int64, float: _C.float64, complex: _C.complex128}


class _Options:
    """What assert_close was told."""

    def __init__(self, **values):
        self.__dict__.update(values)

    def tolerances(self, *dtypes):
        """rtol and atol: the given ones, or the looser ones of the dtypes."""
        if (self.rtol is None) != (self.atol is None):
            raise ValueError("Both 'rtol' and 'atol' must be either specified or omitted, but got no "
                             f"{'rtol' if self.rtol is None else 'atol'}.")
        if self.rtol is not None:
            return self.rtol, self.atol
        known = [_TOLERANCES.get(d, (0.0, 0.0)) for d in dtypes]
        return max(r for r, _ in known), max(a for _, a in known)


def _limit(tolerance):
    return f" (up to {tolerance} allowed)" if tolerance > 0 else ""


def _header(what, rtol, atol):
    return f"{what} are not {'equal' if rtol == atol == 0 else 'close'}!\n\n"


def _compare_numbers(actual, expected, rtol, atol, equal_nan):
    """The text of the difference, or None."""
    if actual == expected or (equal_nan and actual != actual and expected != expected):
        return None
    infinite = cmath.isinf(actual) or cmath.isinf(expected)
    difference = abs(actual - expected)
    if not infinite and difference <= atol + rtol * abs(expected):
        return None
    relative = difference / abs(expected) if expected != 0 else math.inf
    return (f"{_header('Scalars', rtol, atol)}Expected {expected} but got {actual}.\n"
            f"Absolute difference: {difference}{_limit(atol)}\nRelative difference: {relative}{_limit(rtol)}")


def _index(flat, shape):
    place = []
    for size in reversed(shape):
        flat, at = divmod(flat, size)
        place.append(at)
    return tuple(reversed(place))


def _compare_values(actual, expected, options):
    rtol, atol = options.tolerances(actual.dtype, expected.dtype)
    actual, expected = actual.detach(), expected.detach()
    if actual.dtype is not expected.dtype:
        common = promote_types(actual.dtype, expected.dtype)
        actual, expected = actual.to(common), expected.to(common)
    elif actual.dtype is _C.bool or not (actual.is_floating_point() or actual.is_complex()):
        actual, expected = actual.to(_C.int64), expected.to(_C.int64)
    matches = _C.ops["isclose"](actual, expected, rtol=rtol, atol=atol, equal_nan=options.equal_nan)
    if matches.all():
        return None
    if actual.ndim == 0:
        return _compare_numbers(actual.item(), expected.item(), rtol, atol, options.equal_nan)
    wrong, total = int((~matches).sum()), matches.numel()
    absolute = (actual - expected).abs()
    absolute[matches] = 0  # infinities that agree, and NaNs when those are equal
    relative = absolute / expected.abs()
    relative[matches] = 0
    lines = [f"Mismatched elements: {wrong} / {total} ({wrong / total:.1%})"]
    for name, values, tolerance in (("absolute", absolute, atol), ("relative", relative, rtol)):
        at = int(values.reshape(-1).argmax())
        lines.append(f"Greatest {name} difference: {values.reshape(-1)[at].item()} at index {_index(at, values.shape)}"
                     f"{_limit(tolerance)}")
    return _header("Tensor-likes", rtol, atol) + "\n".join(lines)


def _compare_tensors(actual, expected, options):
    checks = [("shape", actual.shape, expected.shape, True),
              ("dtype", actual.dtype, expected.dtype, options.check_dtype),
              ("stride()", actual.stride(), expected.stride(), options.check_stride)]
    for name, ours, theirs, wanted in checks:
        if wanted and ours != theirs:
            return f"The values for attribute '{name}' do not match: {ours} != {theirs}."
    return _compare_values(actual, expected, options)


def _is_number(value):
    return isinstance(value, (int, float, complex)) and not isinstance(value, bool)


def _is_array(value):
    return type(value).__module__ == "numpy"


def _failure(actual, expected, options, path=""):
    """The text about the first difference, or None."""
    kinds = type(actual), type(expected)
    where = f"\n\nThe failure occurred for item {path}" if path else ""
    if actual is None or expected is None:
        text = None if actual is expected else f"None mismatch: {actual} is not {expected}"
    elif all(isinstance(v, bool) for v in (actual, expected)):
        text = None if actual is expected else f"Booleans mismatch: {actual} is not {expected}"
    elif _is_number(actual) and _is_number(expected):
        if options.check_dtype and kinds[0] is not kinds[1]:
            text = f"The (d)types do not match: {kinds[0]} != {kinds[1]}."
        else:
            rtol, atol = options.tolerances(_NUMBERS.get(kinds[0], _C.float64), _NUMBERS.get(kinds[1], _C.float64))
            text = _compare_numbers(actual, expected, rtol, atol, options.equal_nan)
    elif all(isinstance(v, Tensor) for v in (actual, expected)) and (options.allow_subclasses or kinds[0] is kinds[1]):
        text = _compare_tensors(actual, expected, options)
    elif all(_is_array(v) for v in (actual, expected)):
        text = _compare_tensors(as_tensor(actual), as_tensor(expected), options)
    elif all(isinstance(v, Sequence) and not isinstance(v, (str, bytes)) for v in (actual, expected)):
        if len(actual) == len(expected):
            return _first(_failure(a, e, options, f"{path}[{i}]") for i, (a, e) in enumerate(zip(actual, expected)))
        text = f"The length of the sequences mismatch: {len(actual)} != {len(expected)}"
    elif all(isinstance(v, Mapping) for v in (actual, expected)):
        if set(actual) == set(expected):
            return _first(_failure(actual[k], expected[k], options, f"{path}[{k!r}]") for k in actual)
        missing, more = ([k for k in a if k not in b] for a, b in ((expected, actual), (actual, expected)))
        text = (f"The keys of the mappings do not match:\nMissing keys in the actual mapping: {sorted(missing)}\n"
                f"Additional keys in the actual mapping: {sorted(more)}")
    else:
        raise TypeError(f"No comparison pair was able to handle inputs of type {kinds[0]} and {kinds[1]}.{where}")
    return None if text is None else text + where


def _first(failures):
    return next((f for f in failures if f is not None), None)


def assert_close(actual, expected, *, allow_subclasses=True, rtol=None, atol=None, equal_nan=False, check_device=True,
                 check_dtype=True, check_layout=True, check_stride=False, msg=None):
    """Raises AssertionError unless both are close: |actual - expected| <= atol + rtol * |expected|.

    For tensors, arrays and numbers, and sequences and mappings of them. The tolerances depend on the dtype unless both
    are given.
    """
    options = _Options(allow_subclasses=allow_subclasses, rtol=rtol, atol=atol, equal_nan=equal_nan,
                       check_dtype=check_dtype, check_stride=check_stride)
    options.tolerances(_C.float32)
    text = _failure(actual, expected, options)
    if text is not None:
        raise AssertionError(msg(text) if callable(msg) else text if msg is None else msg)


def assert_allclose(actual, expected, rtol=None, atol=None, equal_nan=True, msg=""):
    """The old name: assert_close without looking at dtypes."""
    if not isinstance(actual, Tensor):
        actual = as_tensor(actual)
    if not isinstance(expected, Tensor):
        expected = as_tensor(expected, dtype=actual.dtype)
    assert_close(actual, expected, rtol=rtol, atol=atol, equal_nan=equal_nan, check_dtype=False, msg=msg or None)
