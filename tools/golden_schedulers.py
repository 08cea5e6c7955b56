"""Write tests/golden/schedulers.txt: the rates that PyTorch's schedulers set, for tests/lr_scheduler_test.cpp and
python/tests/test_lr_scheduler.py to follow.

    python tools/golden_schedulers.py tests/golden/schedulers.txt

    steps <call>     then a line of numbers: the rates of both groups before each of 60 steps and after the last one;
                     where the momentum cycles, the rate and the momentum (or beta1) of each
    closed <call>    the rates after step(epoch), for the epochs that `epochs()` lists

<call> is Python, with `o` an SGD and `a` an Adam; the C++ test has its twin under the same text. It needs torch==2.13.0;
the tests do not.
"""

import copy
import sys
import warnings

import torch
from torch import optim
from torch.optim import lr_scheduler, swa_utils

STEPS = 60
HALFWAY = 25

SCHEDULERS = """
StepLR(o, 3)
StepLR(o, step_size=2, gamma=0.7)
StepLR(o, 7, gamma=1.1)
MultiStepLR(o, [2, 5, 5, 9], gamma=0.5)
MultiStepLR(o, [1, 30, 30, 30, 59])
ConstantLR(o)
ConstantLR(o, factor=0.25, total_iters=3)
ConstantLR(o, 0.7, 40)
LinearLR(o)
LinearLR(o, start_factor=0.1, end_factor=0.6, total_iters=7)
LinearLR(o, 1.0, 0.0, total_iters=50)
ExponentialLR(o, 0.9)
ExponentialLR(o, 1.01)
PolynomialLR(o)
PolynomialLR(o, total_iters=8, power=2.5)
PolynomialLR(o, 60, 0.5)
CosineAnnealingLR(o, 6)
CosineAnnealingLR(o, T_max=4, eta_min=0.01)
CosineAnnealingLR(o, 50, 0.001)
CosineAnnealingWarmRestarts(o, 4)
CosineAnnealingWarmRestarts(o, 3, T_mult=2, eta_min=0.02)
CosineAnnealingWarmRestarts(o, 1, 3)
LambdaLR(o, lambda e: 0.95 ** e)
LambdaLR(o, [lambda e: 1 / (e + 1), lambda e: e * 0.5])
MultiplicativeLR(o, lambda e: 0.9 if e % 2 else 1.05)
CyclicLR(o, 0.1, 0.5, step_size_up=4, cycle_momentum=False)
CyclicLR(o, 0.1, 0.5, step_size_up=3, step_size_down=2, mode="triangular2")
CyclicLR(o, [0.1, 0.01], [0.5, 0.3], step_size_up=3, mode="exp_range", gamma=0.9, base_momentum=0.7, max_momentum=0.95)
CyclicLR(o, 0.1, 0.4, step_size_up=3, scale_fn=lambda x: 1 / x, scale_mode="cycle")
CyclicLR(o, 0.1, 0.4, step_size_up=5, step_size_down=9, scale_fn=lambda x: 1 / (x + 1), scale_mode="iterations")
CyclicLR(a, 0.001, 0.01)
CyclicLR(a, 0.001, 0.01, step_size_up=7, base_momentum=[0.7, 0.8])
OneCycleLR(o, 0.5, total_steps=60)
OneCycleLR(o, [0.5, 0.2], epochs=20, steps_per_epoch=3, anneal_strategy="linear", pct_start=0.4)
OneCycleLR(o, 0.5, total_steps=61, three_phase=True, div_factor=10.0, final_div_factor=100.0, cycle_momentum=False)
OneCycleLR(a, 0.01, total_steps=75, three_phase=True)
SequentialLR(o, [ConstantLR(o, 0.1, 2), ExponentialLR(o, 0.9)], [4])
SequentialLR(o, [LinearLR(o, 0.2, total_iters=4), CosineAnnealingLR(o, 8), StepLR(o, 2, 0.5)], [4, 10])
SequentialLR(o, [ExponentialLR(o, 0.9), CosineAnnealingWarmRestarts(o, 3)], [5])
SequentialLR(o, [PolynomialLR(o, 9, 2.0), MultiStepLR(o, [3, 8]), LinearLR(o, 0.5)], [8, 40])
ChainedScheduler([ConstantLR(o, 0.1, 5), ExponentialLR(o, 0.9)])
SequentialLR(o, [ChainedScheduler([LinearLR(o, 0.5, total_iters=3), ExponentialLR(o, 0.9)]), StepLR(o, 3)], [6])
SWALR(o, 0.05)
SWALR(o, [0.05, 0.5], anneal_epochs=4, anneal_strategy="linear")
SWALR(o, 0.05, anneal_epochs=0)
SWALR(o, 0.05, 45)
ReduceLROnPlateau(o, patience=2)
ReduceLROnPlateau(o, "max", factor=0.5, patience=1, threshold=0.1, threshold_mode="abs", cooldown=1, min_lr=0.02)
ReduceLROnPlateau(o, "min", 0.9, 0, 0.2, "abs", 3, [0.01, 0.2])
ReduceLROnPlateau(o, "max", 0.8, 3, 0.05)
"""


def epochs():
    """To and fro: all of the first 60, and some more (but not 121, where PyTorch's logarithm misses a restart)."""
    return [e * 7 % STEPS for e in range(STEPS)] + [120, 364, 1000]


def optimizers():
    def groups():
        return [{"params": [torch.zeros(2, requires_grad=True)]},
                {"params": [torch.zeros(3, requires_grad=True)], "lr": 0.3}]

    return {"o": optim.SGD(groups(), lr=0.1, momentum=0.9), "a": optim.Adam(groups(), lr=0.1)}


class Run:
    """A scheduler and the optimiser it works on."""

    def __init__(self, call):
        self.call, made = call, optimizers()
        self.scheduler = eval(call, {**vars(lr_scheduler), **vars(swa_utils), **made})
        self.optimizer = self.scheduler.optimizer

    def numbers(self):
        keys = ("lr", "momentum") if "Cycl" in self.call else ("lr",)
        return [float(g[key] if key in g else g["betas"][0]) for g in self.optimizer.param_groups for key in keys]

    def step(self, i):
        metrics = [5, 4, 4.5, 4.2, 4.4, 3, 3.5]
        self.optimizer.step()
        self.scheduler.step(metrics[i % 7] + i * 0.1) if "Plateau" in self.call else self.scheduler.step()


def steps(call):
    run = Run(call)
    for i in range(STEPS):
        yield from run.numbers()
        run.step(i)
        if i == HALFWAY:  # what is saved is enough to go on
            saved = run
            run = Run(call)
            run.optimizer.load_state_dict(saved.optimizer.state_dict())
            run.scheduler.load_state_dict(copy.deepcopy(saved.scheduler.state_dict()))
    yield from run.numbers()


def closed(call):
    run = Run(call)
    for epoch in epochs():
        run.scheduler.step(epoch)
        yield from run.numbers()


def main(path):
    warnings.simplefilter("ignore")
    with open(path, "w") as out:
        for call in SCHEDULERS.strip().splitlines():
            print(f"steps {call}\n{' '.join(map(repr, steps(call)))}", file=out)
            if call.split("(")[0].removesuffix("LR") in (
                    "Step", "MultiStep", "Constant", "Linear", "Exponential", "Polynomial", "CosineAnnealing",
                    "CosineAnnealingWarmRestarts"):
                print(f"closed {call}\n{' '.join(map(repr, closed(call)))}", file=out)


if __name__ == "__main__":
    main(sys.argv[1])
