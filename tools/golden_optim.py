"""Write tests/golden/optim.txt: what PyTorch's optimisers and schedulers do, for tests/optim_test.cpp and
tests/lr_scheduler_test.cpp to follow.

    python tools/golden_optim.py tests/golden/optim.txt

    optim <dtype> <step> <call>        then a line of numbers: all parameters after that step; where they are judged by
                                       rounding, those of float64 and their unit (python/tests/rounding.py)
    lr <call>                          then a line of numbers: the rates of all groups after each step

<call> is Python; the C++ test has its twin under the same text. It needs torch==2.13.0; the tests do not.
"""

import sys

import torch
from golden_rounding import unit_text, with_units
from torch import optim
from torch.optim import lr_scheduler, swa_utils

STEPS = [1, 2, 5, 10, 100, 1000]

OPTIMIZERS = """
SGD(lr=0.05)
SGD(lr=0.05, momentum=0.9)
SGD(lr=0.05, momentum=0.9, dampening=0.5, weight_decay=0.1)
SGD(lr=0.05, momentum=0.8, nesterov=True, weight_decay=0.01)
SGD(lr=0.01, momentum=0.5, maximize=True, weight_decay=20.0)
Adam(lr=0.01)
Adam(lr=0.02, betas=(0.7, 0.95), eps=1e-6, weight_decay=0.1)
Adam(lr=0.01, amsgrad=True)
Adam(lr=0.01, amsgrad=True, weight_decay=0.1, decoupled_weight_decay=True)
Adam(lr=0.001, maximize=True)
AdamW(lr=0.01)
AdamW(lr=0.02, betas=(0.8, 0.9), weight_decay=0.2, amsgrad=True)
AdamW(lr=0.001, maximize=True)
RMSprop(lr=0.01)
RMSprop(lr=0.01, alpha=0.9, centered=True)
RMSprop(lr=0.005, momentum=0.9, weight_decay=0.1)
RMSprop(lr=0.005, momentum=0.5, centered=True, eps=1e-3)
RMSprop(lr=0.001, maximize=True)
Adagrad(lr=0.1)
Adagrad(lr=0.1, lr_decay=0.01, weight_decay=0.1, initial_accumulator_value=0.5, eps=1e-6)
Adagrad(lr=0.01, maximize=True)
Adadelta()
Adadelta(lr=0.5, rho=0.8, eps=1e-4, weight_decay=0.1)
Adadelta(lr=0.1, maximize=True)
Adamax(lr=0.01)
Adamax(lr=0.02, betas=(0.6, 0.9), eps=1e-3, weight_decay=0.1)
Adamax(lr=0.001, maximize=True)
NAdam(lr=0.01)
NAdam(lr=0.01, betas=(0.8, 0.99), weight_decay=0.1, momentum_decay=0.01)
NAdam(lr=0.01, weight_decay=0.1, decoupled_weight_decay=True)
NAdam(lr=0.001, maximize=True)
RAdam(lr=0.01)
RAdam(lr=0.02, betas=(0.8, 0.95), weight_decay=0.1)
RAdam(lr=0.01, weight_decay=0.1, decoupled_weight_decay=True)
RAdam(lr=0.001, maximize=True)
Rprop()
Rprop(lr=0.02, etas=(0.4, 1.3), step_sizes=(1e-4, 0.1))
Rprop(lr=0.001, etas=(0.5, 1.001), step_sizes=(1e-6, 0.002), maximize=True)
ASGD(lr=0.02)
ASGD(lr=0.05, lambd=0.01, alpha=0.5, t0=20, weight_decay=0.1)
ASGD(lr=0.0001, maximize=True)
LBFGS(lr=0.5, max_iter=3)
LBFGS(lr=0.8, max_iter=6, history_size=3)
LBFGS(line_search_fn="strong_wolfe")
LBFGS(lr=0.1, max_iter=4, max_eval=9, history_size=2, line_search_fn="strong_wolfe")
Muon(lr=0.02)
Muon(lr=0.02, momentum=0.8, nesterov=False, weight_decay=0.5, adjust_lr_fn="match_rms_adamw")
Muon(lr=0.05, ns_steps=3, ns_coefficients=(3.0, -3.2, 1.2), weight_decay=0.0)
"""

SCHEDULERS = """
StepLR(o, 3)
StepLR(o, step_size=2, gamma=0.7)
MultiStepLR(o, [2, 5, 5, 9], gamma=0.5)
ConstantLR(o)
ConstantLR(o, factor=0.25, total_iters=3)
LinearLR(o)
LinearLR(o, start_factor=0.1, end_factor=0.6, total_iters=7)
ExponentialLR(o, 0.9)
PolynomialLR(o)
PolynomialLR(o, total_iters=8, power=2.5)
CosineAnnealingLR(o, 6)
CosineAnnealingLR(o, T_max=4, eta_min=0.01)
CosineAnnealingWarmRestarts(o, 4)
CosineAnnealingWarmRestarts(o, 3, T_mult=2, eta_min=0.02)
LambdaLR(o, lambda e: 0.95 ** e)
LambdaLR(o, [lambda e: 1 / (e + 1), lambda e: e * 0.5])
MultiplicativeLR(o, lambda e: 0.9 if e % 2 else 1.05)
CyclicLR(o, 0.1, 0.5, step_size_up=4, cycle_momentum=False)
CyclicLR(o, 0.1, 0.5, step_size_up=3, step_size_down=2, mode="triangular2")
CyclicLR(o, [0.1, 0.01], [0.5, 0.3], step_size_up=3, mode="exp_range", gamma=0.9, base_momentum=0.7, max_momentum=0.95)
CyclicLR(o, 0.1, 0.4, step_size_up=3, scale_fn=lambda x: 1 / x, scale_mode="cycle")
OneCycleLR(o, 0.5, total_steps=21)
OneCycleLR(o, [0.5, 0.2], epochs=7, steps_per_epoch=3, anneal_strategy="linear", pct_start=0.4)
OneCycleLR(o, 0.5, total_steps=21, three_phase=True, div_factor=10.0, final_div_factor=100.0, cycle_momentum=False)
SequentialLR(o, [ConstantLR(o, 0.1, 2), ExponentialLR(o, 0.9)], [4])
SequentialLR(o, [LinearLR(o, 0.2, total_iters=4), CosineAnnealingLR(o, 8), StepLR(o, 2, 0.5)], [4, 10])
SequentialLR(o, [ExponentialLR(o, 0.9), CosineAnnealingWarmRestarts(o, 3)], [5])
ChainedScheduler([ConstantLR(o, 0.1, 5), ExponentialLR(o, 0.9)])
SequentialLR(o, [ChainedScheduler([LinearLR(o, 0.5, total_iters=3), ExponentialLR(o, 0.9)]), StepLR(o, 3)], [6])
SWALR(o, 0.05)
SWALR(o, [0.05, 0.5], anneal_epochs=4, anneal_strategy="linear")
SWALR(o, 0.05, anneal_epochs=0)
ReduceLROnPlateau(o, patience=2)
ReduceLROnPlateau(o, "max", factor=0.5, patience=1, threshold=0.1, threshold_mode="abs", cooldown=1, min_lr=0.02)
"""


def numbers(values, digits=17):
    return " ".join(f"{float(v):.{digits}g}" for v in values)


def case(text):
    return eval(f"lambda p: optim.{text.replace('(', '(p, ', 1)}")


def trajectory(text, dtype, last):
    torch.set_default_dtype(dtype)  # the scalars that optimisers keep have the default dtype
    muon = text.startswith("Muon")
    x = torch.tensor([[0.5, -1.25, 2.0], [-0.75, 1.5, 0.25]], dtype=dtype, requires_grad=True)
    y = torch.tensor([[1.0, -2.0, 0.5, 3.0]] if muon else [1.0, -2.0, 0.5, 3.0], dtype=dtype, requires_grad=True)
    optimizer = case(text)([x, y])
    k = torch.tensor([[1.0, 0.5, 2.0], [0.25, 1.5, 3.0]], dtype=dtype)
    for step in range(1, last + 1):
        # The target moves, so that no optimiser ever arrives and rounding errors are not all that is left.
        a, b = 0.25 * (step * 5 % 7 - 3), 0.125 * (step * 3 % 11 - 5)
        if text.startswith("LBFGS"):
            a, b = 0.25, 0.125

        def closure():
            optimizer.zero_grad()
            loss = (k * (x - a) ** 2).sum() * 0.5 + ((y - b) ** 2).sum() + 0.05 * (y * y * y * y).sum()
            loss.backward()
            return loss

        optimizer.step(closure)
        if step in STEPS:
            yield step, torch.cat([x.detach().reshape(-1), y.detach().reshape(-1)])


def lines(text):
    """(dtype, step, numbers): exact ones for float64, and what float32 is judged by. Muon computes in bfloat16 inside, and
    is judged by rounding always; L-BFGS without a line search loses the last digits sooner."""
    muon = text.startswith("Muon")
    last = 10 if muon else 100
    steps = [s for s in STEPS if s <= last]
    judged = with_units(lambda dtype: [v for _, v in trajectory(text, dtype, last)])
    rounded = [f"{numbers(v, 9)} {unit_text(unit)}" for v, unit in judged]
    torch.set_default_dtype(torch.float64)
    if muon:
        yield from (("float64", *pair) for pair in zip(steps, rounded))
    else:
        for step, values in trajectory(text, torch.float64, 100 if text.startswith("LBFGS") else 1000):
            yield "float64", step, numbers(values, 14)
    yield from (("float32", *pair) for pair in zip(steps, rounded) if pair[0] in (10, last))


def schedule(text):
    torch.set_default_dtype(torch.float32)
    p, q = torch.zeros(2, requires_grad=True), torch.zeros(3, requires_grad=True)
    o = optim.SGD([{"params": [p]}, {"params": [q], "lr": 0.3}], lr=0.1, momentum=0.9)
    s = eval(text, {**vars(lr_scheduler), **vars(swa_utils), "o": o})
    rates = []
    for i in range(20):
        o.step()
        rates += [v for g in o.param_groups for v in (g["lr"], g["momentum"])]
        s.step([5, 4, 4.5, 4.2, 4.4, 3, 3.5][i % 7] + i * 0.1) if "Plateau" in text else s.step()
    return rates + [v for g in o.param_groups for v in (g["lr"], g["momentum"])]


def main(path):
    torch.set_num_threads(1)
    with open(path, "w") as out:
        for text in OPTIMIZERS.strip().splitlines():
            for name, step, values in lines(text):
                print(f"optim {name} {step} {text}\n{values}", file=out)
        for text in SCHEDULERS.strip().splitlines():
            print(f"lr {text}\n{numbers(schedule(text))}", file=out)


if __name__ == "__main__":
    main(sys.argv[1])
