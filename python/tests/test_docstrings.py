"""Everything public says what it is."""

import importlib
import inspect

import pytest
import taut
from taut import _C

MODULES = ["", "nn", "nn.functional", "nn.init", "nn.utils", "optim", "optim.lr_scheduler", "autograd", "autograd.functional", "func", "linalg",
           "special", "utils.data", "utils.checkpoint", "random", "testing", "amp", "cuda", "serialization", "safetensors", "io"]
UNSAID = {"forward", "extra_repr"}  # what every Module has


def is_ours(value):
    return (getattr(value, "__module__", None) or "").startswith(("taut", "torch"))


@pytest.mark.parametrize("name", MODULES)
def test_a_module_and_its_names_have_docstrings(name):
    module = importlib.import_module("taut" + ("." + name if name else ""))
    assert module.__doc__
    for found in (n for n in dir(module) if not n.startswith("_")):
        value = getattr(module, found)
        if inspect.ismodule(value) or not callable(value) or not is_ours(value):
            continue
        assert value.__doc__, f"{name}.{found}"
        if inspect.isclass(value):
            for key, function in vars(value).items():
                if inspect.isfunction(function) and not key.startswith("_") and key not in UNSAID:
                    assert function.__doc__, f"{name}.{found}.{key}"


def test_every_method_of_tensor_has_a_docstring():
    for name in dir(_C.Tensor):
        if not name.startswith("_"):
            assert getattr(taut.Tensor, name).__doc__, name


def test_every_op_has_a_sentence_and_a_signature():
    for name, op in _C.ops.items():
        calls, _, sentence = op.__doc__.partition("\n\n")
        assert sentence.endswith(".") and "self" not in sentence, name
        assert str(inspect.signature(op)).replace(" ", "") in calls.replace('"', "'").replace(" ", ""), name


def test_help_on_an_op_shows_its_calls():
    assert "add(input, other, *, alpha=1) -> Tensor" in taut.add.__doc__ and "input + alpha * other." in taut.add.__doc__
    assert str(inspect.signature(taut.softplus)) == "(input, beta=1, threshold=20)"
    assert taut.absolute.__doc__.startswith("absolute(input)") and taut.Tensor.absolute_.__name__ == "absolute_"
    assert not hasattr(taut.Tensor, "softplus") and not hasattr(taut.Tensor, "elu_")  # functions only, as in PyTorch
