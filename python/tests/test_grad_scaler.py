"""torch.amp.GradScaler: PyTorch's numbers, whose scale is a float32, and what is pickled."""

import pickle

import pytest

import taut as torch


def scaler_after_a_step(dtype=torch.float32):
    scaler = torch.amp.GradScaler("cpu", init_scale=3.0, growth_factor=1.1, growth_interval=1)
    p = torch.ones(2, dtype=dtype, requires_grad=True)
    sgd = torch.optim.SGD([p], lr=1.0)
    scaler.scale((p * torch.tensor([0.1, 0.7], dtype=dtype)).sum()).backward()
    scaler.unscale_(sgd)
    return scaler, sgd, p


@pytest.mark.parametrize("dtype, grads", [(torch.float32, ["0x1.99999c0000000p-4", "0x1.6666660000000p-1"]),
                                          (torch.float64, ["0x1.99999a6666667p-4", "0x1.6666671999999p-1"])])
def test_a_scale_that_is_no_power_of_two_gives_the_numbers_of_pytorch(dtype, grads):
    scaler, sgd, p = scaler_after_a_step(dtype)
    assert [g.hex() for g in p.grad.tolist()] == grads
    scaler.step(sgd)
    scaler.update()
    assert scaler.get_scale().hex() == "0x1.a666660000000p+1"
    assert scaler.state_dict()["scale"] == 3.299999952316284


def test_is_pickled_between_steps_only():
    scaler, sgd, _ = scaler_after_a_step()
    with pytest.raises(AssertionError, match="may only be pickled at the beginning of an iteration"):
        pickle.dumps(scaler)
    scaler.step(sgd)
    scaler.update()
    again = pickle.loads(pickle.dumps(scaler))
    assert again.state_dict() == scaler.state_dict() and again.is_enabled()


def test_a_new_scale_must_be_one_number():
    scaler, _, _ = scaler_after_a_step()
    scaler.update(torch.tensor(7.0))
    assert scaler.get_scale() == 7.0
    with pytest.raises(AssertionError, match="new_scale should be a float"):
        scaler.update(torch.tensor([1.0, 2.0]))
