"""Schedulers: PyTorch's rates, saving, warnings and errors."""

import copy
import pathlib
import warnings

import pytest

import taut as torch
from taut import optim
from taut.optim import lr_scheduler, swa_utils

GOLDEN = pathlib.Path(__file__).parents[2] / "tests" / "golden" / "schedulers.txt"
NAMES = {**{n: getattr(lr_scheduler, n) for n in lr_scheduler.__all__}, "SWALR": swa_utils.SWALR}


def golden(kind):
    lines = GOLDEN.read_text().splitlines()
    return [(head[len(kind) + 1:], [float(v) for v in numbers.split()]) for head, numbers in zip(lines[::2], lines[1::2])
            if head.startswith(kind + " ")]


def name_of(value):
    return value if isinstance(value, str) else ""


def two_groups(kind=optim.SGD, **kwargs):
    p, q = torch.zeros(2, requires_grad=True), torch.zeros(3, requires_grad=True)
    return kind([{"params": [p]}, {"params": [q], "lr": 0.3}], lr=0.1, **kwargs or {"momentum": 0.9})


def make(call, o):
    return eval(call, {**NAMES, "o": o, "a": o})


def start(call):
    o = two_groups(optim.Adam, betas=(0.9, 0.999)) if "(a," in call else two_groups()
    return o, make(call, o)


def advance(call, o, s, i):
    o.step()
    s.step([5, 4, 4.5, 4.2, 4.4, 3, 3.5][i % 7] + i * 0.1) if "Plateau" in call else s.step()


def settings(call, o):
    keys = ("lr", "momentum") if "Cycl" in call else ("lr",)
    return [g[key] if key in g else g["betas"][0] for g in o.param_groups for key in keys]


# As in tests/lr_scheduler_test.cpp.
def near(numbers):
    return pytest.approx(numbers, rel=1e-14, abs=1e-17)


@pytest.mark.parametrize("call, expected", golden("steps"), ids=name_of)
def test_rates_are_pytorchs(call, expected):
    o, s = start(call)
    got = []
    for i in range(60):
        got += settings(call, o)
        advance(call, o, s, i)
    assert got + settings(call, o) == near(expected)


@pytest.mark.parametrize("call, expected", golden("closed"), ids=name_of)
@pytest.mark.filterwarnings("ignore")
def test_closed_forms_are_pytorchs(call, expected):
    o, s = start(call)
    got = []
    for epoch in [e * 7 % 60 for e in range(60)] + [120, 364, 1000]:
        s.step(epoch)
        got += settings(call, o)
    assert got == near(expected)


@pytest.mark.parametrize("call", [call for call, _ in golden("steps") if "lambda" not in call])
def test_goes_on_from_its_state_dict(call):
    (o, s), (again, t) = start(call), start(call)
    for i in range(7):
        advance(call, o, s, i)
    again.load_state_dict(o.state_dict())
    t.load_state_dict(copy.deepcopy(s.state_dict()))
    for i in range(7, 14):
        advance(call, o, s, i), advance(call, again, t, i)
        assert settings(call, o) == settings(call, again)
        assert s.get_last_lr() == t.get_last_lr()


def test_every_schedule_of_the_table_has_a_class_and_golden_rates():
    calls = [call for call, _ in golden("steps")]
    for name in torch._C._schedule_names():
        assert NAMES[name]._schedule == name
        assert any(call.startswith(name + "(") for call in calls), name


def test_state_dict_has_pytorchs_keys():
    s = lr_scheduler.StepLR(two_groups(), 3)
    assert list(s.state_dict()) == ["step_size", "gamma", "base_lrs", "last_epoch", "_step_count", "_is_initial",
                                    "_get_lr_called_within_step", "_last_lr"]


def test_warns_when_stepped_before_the_optimizer():
    s = lr_scheduler.StepLR(two_groups(), 3)
    with pytest.warns(UserWarning, match="Detected call of `lr_scheduler.step\\(\\)` before `optimizer.step\\(\\)`"):
        s.step()


def test_does_not_warn_in_the_right_order():
    o = two_groups()
    s = lr_scheduler.StepLR(o, 3)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        o.step()
        s.step()


def test_warns_when_step_was_replaced():
    o = two_groups()
    s = lr_scheduler.StepLR(o, 3)
    o.step = lambda: None
    with pytest.warns(UserWarning, match="has been overridden after learning rate scheduler initialization"):
        s.step()


def test_warns_when_get_lr_is_called_by_the_user():
    with pytest.warns(UserWarning, match="please use `get_last_lr\\(\\)`"):
        lr_scheduler.ExponentialLR(two_groups(), 0.9).get_lr()


def test_warns_about_the_epoch_argument_and_uses_the_closed_form():
    o = two_groups()
    s = lr_scheduler.ExponentialLR(o, 0.5)
    o.step()
    with pytest.warns(UserWarning, match="The epoch parameter"):
        s.step(3)
    assert [g["lr"] for g in o.param_groups] == [0.1 * 0.5**3, 0.3 * 0.5**3]


def test_a_rate_that_is_a_tensor_stays_that_tensor():
    p = torch.zeros(2, requires_grad=True)
    lr = torch.tensor(0.5)
    o = optim.SGD([p], lr=lr)
    s = lr_scheduler.ExponentialLR(o, 0.5)
    o.step()
    s.step()
    assert o.param_groups[0]["lr"] is lr
    assert lr.item() == 0.25
    assert s.get_last_lr()[0].item() == 0.25


def test_a_rate_that_is_an_int_stays_one_until_it_changes():
    o = optim.SGD([torch.zeros(2, requires_grad=True)], lr=1)
    s = lr_scheduler.StepLR(o, 2, 0.5)
    assert repr(s.get_last_lr()) == "[1]"
    for _ in range(2):
        o.step(), s.step()
    assert repr(s.get_last_lr()) == "[0.5]"


@pytest.mark.parametrize("call", ["StepLR(o, 0)", "CosineAnnealingLR(o, 0)", "ConstantLR(o, 0.0, 1)"])
def test_a_division_by_zero_is_an_error_of_the_step_that_needs_it(call):
    o = two_groups()
    s = make(call, o)
    o.step()
    with pytest.raises(ValueError, match="should not be 0"):
        s.step(), s.step()


def test_a_class_of_ones_own_computes_what_it_likes():
    class Halving(lr_scheduler.StepLR):
        def get_lr(self):
            return [lr / 2 for lr in super().get_lr()]

    o = two_groups()
    Halving(o, 3)
    assert [g["lr"] for g in o.param_groups] == [0.05, 0.15]


def test_warm_restarts_begin_anew_where_a_period_ends():
    o = two_groups()
    s = lr_scheduler.CosineAnnealingWarmRestarts(o, 1, 3)
    s.step(121)  # 1 + 3 + 9 + 27 + 81; PyTorch's logarithm of 243 is an ulp short of five
    assert (s.T_cur, s.T_i, s.get_last_lr()) == (0, 243, [0.1, 0.3])


def test_plateau_reduces_after_patience():
    o = two_groups()
    s = lr_scheduler.ReduceLROnPlateau(o, patience=1, factor=0.5)
    for loss in (1.0, 1.0, 1.0):
        s.step(torch.tensor(loss))
    assert [g["lr"] for g in o.param_groups] == [0.05, 0.15]
    assert s.get_last_lr() == [0.05, 0.15]


def test_lambda_object_is_saved_by_its_attributes():
    class Decay:
        def __init__(self, rate):
            self.rate = rate

        def __call__(self, epoch):
            return self.rate**epoch

    s = lr_scheduler.LambdaLR(two_groups(), Decay(0.5))
    state = s.state_dict()
    assert state["lr_lambdas"] == [{"rate": 0.5}, {"rate": 0.5}]
    other = lr_scheduler.LambdaLR(two_groups(), Decay(0.9))
    other.load_state_dict(state)
    assert other.lr_lambdas[0].rate == 0.5


@pytest.mark.parametrize("call, error, text", [
    ("StepLR('x', 3)", TypeError, "str is not an Optimizer"),
    ("LambdaLR(o, [len])", ValueError, "Expected 2 lr_lambdas, but got 1"),
    ("ConstantLR(o, 2)", ValueError, "Constant multiplicative factor expected to be between 0 and 1."),
    ("LinearLR(o, 0)", ValueError, "Starting multiplicative factor expected to be greater than 0 and less or equal to "
     "1."),
    ("LinearLR(o, 1, 2)", ValueError, "Ending multiplicative factor expected to be between 0 and 1."),
    ("CosineAnnealingWarmRestarts(o, 0)", ValueError, "Expected positive integer T_0, but got 0"),
    ("OneCycleLR(o, 0.1)", ValueError, "You must define either total_steps OR (epochs AND steps_per_epoch)"),
    ("OneCycleLR(o, 0.1, total_steps=10, pct_start=0.1)", ValueError, "the first phase has no length"),
    ("OneCycleLR(o, 0.1, total_steps=2.5)", ValueError, "Expected positive integer total_steps, but got 2.5"),
    ("SWALR(o, 0.1, anneal_strategy='x')", ValueError, "anneal_strategy must be one of 'cos' or 'linear', instead got x"),
    ("OneCycleLR(o, [0.1], total_steps=3)", ValueError, "max_lr must have the same length as optimizer.param_groups. "
     "max_lr has "
                                                        "1 values, param_groups has 2."),
    ("CyclicLR(o, 0.1, 0.2, mode='x')", ValueError, "mode is invalid and scale_fn is None"),
    ("SequentialLR(o, [StepLR(o, 1)], [3])", ValueError, "Sequential Schedulers expects number of schedulers provided "
     "to be one "
                                                         "more than the number of milestone points"),
    ("ReduceLROnPlateau(o, factor=1.0)", ValueError, "Factor should be < 1.0."),
    ("ReduceLROnPlateau(o, 'x')", ValueError, "mode x is unknown!"),
    ("StepLR(o, 3, last_epoch=4)", KeyError, "param 'initial_lr' is not specified in param_groups[0]"),
])
def test_bad_arguments(call, error, text):
    with pytest.raises(error) as caught:
        make(call, two_groups())
    assert text in str(caught.value)


def test_one_cycle_refuses_to_go_beyond_its_end():
    o = two_groups()
    s = lr_scheduler.OneCycleLR(o, 0.5, total_steps=2)
    o.step(), s.step(), s.step()
    with pytest.raises(ValueError, match="Tried to step 3 times. The specified number of total steps is 2"):
        s.step()


# Averages of models.


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.w = torch.nn.Parameter(torch.tensor([1.0, 2.0]))
        self.register_buffer("seen", torch.tensor(0))

    def forward(self, x):
        return x * self.w


def test_averaged_model_is_the_mean():
    net = Net()
    average = swa_utils.AveragedModel(net)
    for scale in (1.0, 2.0, 6.0):
        with torch.no_grad():
            net.w.copy_(torch.tensor([1.0, 2.0]) * scale)
            net.seen += 1
        average.update_parameters(net)
    assert average.module.w.tolist() == pytest.approx([3.0, 6.0])
    assert average.n_averaged.item() == 3
    assert average.module.seen.item() == 3
    assert average(torch.ones(2)).tolist() == pytest.approx([3.0, 6.0])
    assert sorted(average.state_dict()) == ["module.seen", "module.w", "n_averaged"]


@pytest.mark.parametrize("kwargs", [dict(avg_fn=swa_utils.get_ema_avg_fn(0.5)),
                                    dict(multi_avg_fn=swa_utils.get_ema_multi_avg_fn(0.5))],
                         ids=["avg_fn", "multi_avg_fn"])
def test_exponential_average(kwargs):
    net = Net()
    average = swa_utils.AveragedModel(net, **kwargs)
    for value in (0.0, 4.0, 8.0):
        with torch.no_grad():
            net.w.fill_(value)
        average.update_parameters(net)
    assert average.module.w.tolist() == pytest.approx([5.0, 5.0])


def test_whole_numbers_are_averaged_too():
    average, current = torch.tensor([1, 7, -4]), torch.tensor([4, 1, 2])
    swa_utils.get_swa_multi_avg_fn()([average], [current], torch.tensor(2))
    assert average.tolist() == [2, 5, -2]
    swa_utils.get_ema_multi_avg_fn(0.5)([average], [current], 1)
    assert average.tolist() == [3, 3, 0]


def test_decay_outside_of_0_to_1_is_refused():
    with pytest.raises(ValueError, match="Invalid decay value 2 provided"):
        swa_utils.get_ema_multi_avg_fn(2)
