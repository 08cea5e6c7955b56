"""Values that once differed from PyTorch's, seen from Python."""

import pytest
import taut as torch
from taut import nn


def test_result_type_takes_dimensions_before_zero_dimensions():
    small = torch.ones(1, dtype=torch.int8)
    assert torch.result_type(small, torch.tensor(1)) is torch.int8
    assert torch.result_type(small, torch.tensor(1.0)) is torch.float32
    assert torch.result_type(1, 2.0) is torch.float32
    assert torch.result_type(True, False) is torch.bool


def test_grad_scaler_does_not_overflow_half_precision():
    assert (torch.tensor([0.001], dtype=torch.half) * 65536.0).item() == 65.5625
    x = torch.tensor([0.001], dtype=torch.half)
    x *= 65536
    assert x.item() == 65.5625


def test_an_integer_outside_the_dtype_divides_as_it_is():
    x = torch.tensor([200], dtype=torch.uint8)
    assert (x / 256).item() == 0.78125 and (x / -1).item() == -200
    assert (torch.tensor(True) ** True).dtype is torch.bool


@pytest.mark.parametrize("size", [(4,), (2, 3, 1), (2,), (1, 1, 3), (4, 3)])
def test_sum_to_size_refuses_what_does_not_expand(size):
    with pytest.raises(RuntimeError, match="not expandable"):
        torch.ones(2, 3).sum_to_size(*size)
    assert torch.ones(2, 3).sum_to_size(1, 3).tolist() == [[2, 2, 2]]


def test_load_state_dict_refuses_three_numbers_for_one():
    m = nn.Module()
    m.p = nn.Parameter(torch.tensor(1.0))
    m.load_state_dict({"p": torch.ones(1)})
    with pytest.raises(RuntimeError, match="size mismatch"):
        m.load_state_dict({"p": torch.ones(3)})


@pytest.mark.parametrize("first,second", [(True, False), (False, True)])
def test_a_new_buffer_says_whether_it_is_persistent(first, second):
    m = nn.Module()
    m.register_buffer("b", torch.ones(1), persistent=first)
    m.b = nn.Buffer(torch.zeros(1), persistent=second)
    assert list(m.state_dict()) == (["b"] if second else [])


def test_skip_init_uses_up_no_random_numbers():
    torch.manual_seed(0)
    wanted = torch.rand(1)
    torch.manual_seed(0)
    nn.utils.skip_init(nn.Linear, 2, 3)
    assert torch.equal(torch.rand(1), wanted)


def test_circular_padding_after_cutting():
    x = torch.arange(8.0).view(1, 1, 2, 4)
    assert nn.functional.pad(x, (1, -1, -1, 1), mode="circular").tolist() == [[[[6, 4, 5, 6], [6, 4, 5, 6]]]]
