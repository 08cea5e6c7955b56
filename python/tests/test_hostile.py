"""Random arguments of every type, thrown at every public function, method and class: only exceptions may come back.

Run it under AddressSanitizer with `make test-asan`; TAUT_HOSTILE_EXAMPLES sets how often each callable is tried.
"""

import inspect
import os
import warnings

import pytest
import taut as torch

hypothesis = pytest.importorskip("hypothesis")
from hypothesis import HealthCheck, given, settings, strategies as st  # noqa: E402

EXAMPLES = int(os.environ.get("TAUT_HOSTILE_EXAMPLES", "4"))


class BadIndex:
    """Says it is an int, and raises."""

    def __index__(self):
        raise KeyError("no number")


class BadLength:
    """A sequence that lies about its length."""

    def __len__(self):
        return 5

    def __getitem__(self, i):
        if i > 1:
            raise IndexError
        return i


class Shrinking(list):
    """A list whose items empty it when they are looked at."""

    def __init__(self):
        owner = self

        class Item:
            def __index__(self):
                owner.clear()
                return 1

            def __float__(self):
                owner.clear()
                return 1.0

        super().__init__(Item() for _ in range(4))


def tensors():
    """Tensors of all kinds, made anew each time."""
    shapes = [(), (0,), (3,), (2, 3), (3, 3), (2, 0, 3), (1, 2, 3, 4), (2, 3, 4, 5, 6)]
    dtypes = [torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int64, torch.int32, torch.int8, torch.uint8, torch.bool]

    def make(shape, dtype, layout):
        t = torch.ones(shape, dtype=dtype)
        if layout == "transposed" and t.ndim >= 2:
            t = t.transpose(0, -1)
        elif layout == "expanded":
            t = torch.ones((), dtype=dtype).expand(shape)
        elif layout == "sliced" and t.ndim:
            t = t[..., ::2]
        elif layout == "leaf" and dtype.is_floating_point:
            t.requires_grad_()
        elif layout == "recorded" and dtype.is_floating_point:
            t = t.requires_grad_() * 2
        return t

    return st.builds(make, st.sampled_from(shapes), st.sampled_from(dtypes),
                     st.sampled_from(["plain", "transposed", "expanded", "sliced", "leaf", "recorded"]))


SMALL = st.integers(-3, 5)
HUGE = st.sampled_from([2**50, 2**62, 2**63, -2**63, 2**70, -2**70])
LEAVES = st.one_of(
    st.none(), st.booleans(), SMALL, HUGE, st.floats(allow_nan=True), st.text(max_size=3), st.binary(max_size=3), tensors(),
    st.sampled_from([torch.float32, torch.int64, float, int, "mean", "sum", "none", "cpu", "cuda", "constant", "zeros", "bilinear", ...,
                     slice(None), slice(0, 2, -1), object(), torch.device("cpu"), torch.strided, 1j, range(3), lambda *a: None]),
    st.builds(torch.Generator), st.builds(BadIndex), st.builds(BadLength), st.builds(Shrinking), st.builds(bytearray, st.just(b"12345678")))
VALUES = st.recursive(LEAVES, lambda inner: st.one_of(st.lists(inner, max_size=4), st.tuples(inner, inner), st.lists(SMALL, max_size=4),
                                                      st.lists(tensors(), max_size=3), st.dictionaries(st.text(max_size=2), inner, max_size=2)),
                      max_leaves=6)
ARGUMENTS = st.lists(st.one_of(tensors(), VALUES), max_size=6)

# Those that change the process, wait, or read and write files of any name.
SKIPPED = {"set_num_threads", "set_num_interop_threads", "set_default_dtype", "set_default_tensor_type", "save", "load", "as_torch",
           "set_printoptions", "compile", "set_default_device", "set_rng_state", "seed", "share_memory_"}
KEYWORDS = ["dim", "dtype", "out", "keepdim", "size", "generator", "p", "inplace", "reduction", "weight", "alpha", "device", "bogus"]


def callables():
    import taut.nn.functional
    import taut.nn.init

    spaces = {"torch": torch, "torch.Tensor": torch.Tensor, "torch.nn.functional": torch.nn.functional, "torch.nn.init": torch.nn.init,
              "torch.nn": torch.nn, "torch.linalg": torch.linalg, "torch.special": torch.special, "torch.optim": torch.optim,
              "torch.autograd": torch.autograd, "torch.func": torch.func, "torch.nn.utils": torch.nn.utils}
    for space, holder in spaces.items():
        for name in sorted(dir(holder)):
            if name.startswith("_") and not (holder is torch.Tensor and name in ("__getitem__", "__setitem__", "__add__", "__rsub__")):
                continue
            if name in SKIPPED or (inspect.ismodule(getattr(holder, name))):
                continue
            if callable(getattr(holder, name)):
                yield f"{space}.{name}"


def find(path):
    value = torch
    for part in path.split(".")[1:]:
        value = getattr(value, part)
    return value


@pytest.mark.parametrize("path", list(callables()))
def test_hostile_arguments_only_raise(path, tmp_path_factory):
    function = find(path)
    os.chdir(tmp_path_factory.getbasetemp())

    @settings(max_examples=EXAMPLES, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(arguments=ARGUMENTS, keywords=st.dictionaries(st.sampled_from(KEYWORDS), VALUES, max_size=2), first=tensors())
    def attack(arguments, keywords, first):
        if path.startswith("torch.Tensor."):
            arguments = [first] + arguments
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                result = function(*arguments, **keywords)
                repr(result)
                if isinstance(result, torch.nn.Module):
                    result(first)
            except Exception:
                pass

    attack()
    torch.set_grad_enabled(True)
    assert (torch.ones(2) + 1).tolist() == [2, 2]  # still alive and well
