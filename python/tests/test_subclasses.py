"""Classes derived from Tensor, attributes of tensors, and what PyTorch's programs do with both."""

import copy
import gc
import inspect
import pickle
import types

import pytest
import taut as torch
from taut import nn


class Noted(torch.Tensor):
    pass


class Logged(torch.Tensor):
    calls = []

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        cls.calls.append(func)
        return super().__torch_function__(func, types, args, kwargs)


def test_attributes_and_class_outlive_the_last_python_reference():
    x = torch.ones(2, requires_grad=True)
    y = (x * 2).as_subclass(Noted)
    y.note = "kept"
    z = torch.sin(y.as_subclass(torch.Tensor))
    leaf = torch.ones(2, requires_grad=True)
    leaf.note = [1]
    product = leaf * 3
    node = product.grad_fn.next_functions[0][0]
    number = id(leaf)
    del leaf, y
    gc.collect()
    found = node.variable
    assert found.note == [1] and type(found) is torch.Tensor and number is not None
    found.note.append(2)
    del found
    assert node.variable.note == [1, 2]
    z.sum().backward()


def test_a_parameter_keeps_its_class_while_only_a_list_in_c_holds_it():
    p = nn.Parameter(torch.ones(2))
    p.tag = 5
    y = p * 2
    node = y.grad_fn.next_functions[0][0]
    del p
    assert type(node.variable) is nn.Parameter and node.variable.tag == 5


def test_what_remains_of_a_tensor_goes_with_it():
    class Mark:
        gone = 0

        def __del__(self):
            Mark.gone += 1

    x = torch.ones(2, requires_grad=True)
    x.mark = Mark()
    y = x * 2
    del x
    assert Mark.gone == 0
    del y
    gc.collect()
    assert Mark.gone == 1


def test_copies_and_pickles_keep_class_and_attributes():
    x = torch.arange(3.0).as_subclass(Noted)
    x.note = {"a": 1}
    for made in (copy.deepcopy(x), pickle.loads(pickle.dumps(x)), copy.copy(x)):
        assert type(made) is Noted and made.note == {"a": 1} and made.tolist() == [0, 1, 2]


def test_results_of_a_subclass_are_of_it():
    x = torch.ones(2, 2, requires_grad=True)
    s = x.as_subclass(Noted)
    assert all(type(t) is Noted for t in (s + 1, 1 - s, s @ s, s[0], s.sum(), torch.cat([s, s]), nn.functional.relu(s), -s, s == s, *s.unbind()))
    (s * s).sum().backward()
    assert x.grad.tolist() == [[2, 2], [2, 2]] and type(x.grad) is torch.Tensor
    assert repr(torch.ones(2).as_subclass(Noted)) == "Noted([1., 1.])"


def test_a_parameter_of_a_subclass_is_both():
    p = nn.Parameter(torch.ones(2).as_subclass(Noted))
    m = nn.Module()
    m.p = p
    assert type(p) is Noted and isinstance(p, nn.Parameter) and list(m.parameters()) == [p] and type(p * 2) is Noted


def test_functions_that_may_be_taken_over_are_functions_still():
    relu = nn.functional.relu
    assert inspect.isfunction(relu) and isinstance(relu, types.FunctionType) and relu.__name__ == "relu"
    assert str(inspect.signature(relu)) == "(input, inplace=False)" and "max(0, input)" in relu.__doc__
    assert pickle.loads(pickle.dumps(relu)) is relu and copy.deepcopy(relu) is relu
    assert pickle.loads(pickle.dumps(torch.Tensor.add)) is torch.Tensor.add and pickle.loads(pickle.dumps(torch.add)) is torch.add
    assert pickle.loads(pickle.dumps(torch.special.expit)) is torch.special.expit


def test_every_function_that_says_so_asks():
    from taut import overrides

    class Like:
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            return "asked"

    asked = 0
    for space, functions in overrides.get_overridable_functions().items():
        for f in functions:
            if isinstance(space, types.GetSetDescriptorType | property) or getattr(f, "__name__", "").startswith("__"):
                continue
            try:
                result = f(Like())
            except TypeError:
                try:
                    result = f(Like(), Like())
                except TypeError:
                    continue  # it wants more, or self must be a tensor
            assert isinstance(result, str) and result == "asked", f
            asked += 1
    assert asked > 700


def test_properties_and_operators_ask():
    Logged.calls.clear()
    x = torch.ones(2).as_subclass(Logged)
    x.shape, x.device, x.grad_fn, x + 1, x[0], len(x)  # noqa: B018
    assert Logged.calls == [torch.Tensor.shape.__get__, torch.Tensor.device.__get__, torch.Tensor.grad_fn.__get__, torch.Tensor.add,
                            torch.Tensor.__getitem__, torch.Tensor.__len__]


def test_an_exception_in_torch_function_comes_through_and_modes_are_left():
    from taut.overrides import TorchFunctionMode, _get_current_function_mode

    class Fails(TorchFunctionMode):
        def __torch_function__(self, func, types, args=(), kwargs=None):
            raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"), Fails():
        torch.add(torch.ones(1), 1)
    assert _get_current_function_mode() is None and torch.add(torch.ones(1), 1).item() == 2


def test_a_mode_is_of_its_thread():
    import threading

    from taut.overrides import TorchFunctionMode

    seen = []

    class Mode(TorchFunctionMode):
        def __torch_function__(self, func, types, args=(), kwargs=None):
            seen.append(func)
            return func(*args, **(kwargs or {}))

    with Mode():
        thread = threading.Thread(target=lambda: torch.ones(2) + 1)
        thread.start()
        thread.join()
    assert seen == []


def test_a_wrapper_of_other_tensors_sees_its_ops():
    from taut.utils._pytree import tree_map

    class Wrapper(torch.Tensor):
        @staticmethod
        def __new__(cls, inner):
            return torch.Tensor._make_wrapper_subclass(cls, inner.size(), dtype=inner.dtype, requires_grad=inner.requires_grad)

        def __init__(self, inner):
            self.inner = inner

        __torch_function__ = torch._C._disabled_torch_function_impl

        @classmethod
        def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
            seen.append(str(func))
            plain = lambda t: t.inner if isinstance(t, Wrapper) else t  # noqa: E731
            return tree_map(lambda t: Wrapper(t) if isinstance(t, torch.Tensor) else t, func(*tree_map(plain, args), **tree_map(plain, kwargs or {})))

    seen = []
    w = Wrapper(torch.tensor([1.0, 2.0]))
    made = torch.cat([w * 2, w])
    assert isinstance(made, Wrapper) and made.inner.tolist() == [2, 4, 1, 2] and seen == ["aten.mul.Tensor", "aten.cat.default"]
    assert w.shape == (2,) and w.device.type == "cpu" and w.stride() == (1,)
