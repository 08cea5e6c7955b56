"""Write tests/golden/optim.txt: what PyTorch's optimisers do, for tests/optim_test.cpp and python/tests/test_optim.py to
follow.

    python tools/golden_optim.py tests/golden/optim.txt

    optim <dtype> <step> <call>        then a line of numbers: all parameters after that step; where they are judged by
                                       rounding, those of float64 and their unit (python/tests/rounding.py)
    derivative <call>                  then a line of numbers: how the loss after three recorded steps depends on the
                                       parameters before them and, where PyTorch can tell, on lr
    search <function> <lr> <x0> <x1>   then a line of numbers: where L-BFGS evaluated the function, and where it went

<call> is Python; the C++ test has its twin under the same text. It needs torch==2.13.0; the tests do not.
"""

import sys

import torch
from golden_rounding import unit_text, with_units

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
Adafactor()
Adafactor(lr=0.05, beta2_decay=-0.5, eps=(1e-6, 1e-2), d=1.5, weight_decay=0.1)
Adafactor(lr=0.001, maximize=True)
LBFGS(lr=0.5, max_iter=3)
LBFGS(lr=0.8, max_iter=6, history_size=3)
LBFGS(line_search_fn="strong_wolfe")
LBFGS(lr=0.1, max_iter=4, max_eval=9, history_size=2, line_search_fn="strong_wolfe")
Muon(lr=0.02)
Muon(lr=0.02, momentum=0.8, nesterov=False, weight_decay=0.5, adjust_lr_fn="match_rms_adamw")
Muon(lr=0.05, ns_steps=3, ns_coefficients=(3.0, -3.2, 1.2), weight_decay=0.0)
"""

# Those that PyTorch can do: others overwrite what the derivative needs, or forget that state depends on gradients.
DERIVATIVES = """
SGD(lr=0.05)
SGD(lr=0.05, weight_decay=0.1, maximize=True)
Adam(lr=0.05)
AdamW(lr=0.05)
RMSprop(lr=0.05)
Adagrad(lr=0.1, lr_decay=0.01, initial_accumulator_value=0.5)
Adadelta(lr=0.5, eps=1e-2)
NAdam(lr=0.05, weight_decay=0.1)
RAdam(lr=0.05, betas=(0.9, 0.7))
ASGD(lr=0.05, lambd=0.01, weight_decay=0.1)
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


def loss_of(x, y):
    k = torch.tensor([[1.0, 0.5, 2.0], [0.25, 1.5, 3.0]], dtype=torch.float64)
    return (k * (x - 0.3) ** 2).sum() * 0.5 + ((y - 0.125) ** 2).sum() + 0.05 * (y * y * y * y).sum()


def derivative(text, tensor_lr):
    """The gradient of the loss after three steps with respect to the parameters before them, and to lr."""
    torch.set_default_dtype(torch.float64)
    x0 = torch.tensor([[0.5, -1.25, 2.0], [-0.75, 1.5, 0.25]], requires_grad=True)
    y0 = torch.tensor([1.0, -2.0, 0.5, 3.0], requires_grad=True)
    x, y = x0.clone(), y0.clone()
    optimizer = case(f"{text[:-1]}, differentiable=True)")([x, y])
    group = optimizer.param_groups[0]
    wanted = [x0, y0]
    if tensor_lr:
        group["lr"] = torch.tensor(group["lr"], requires_grad=True)
        wanted.append(group["lr"])
    for _ in range(3):
        x.grad, y.grad = torch.autograd.grad(loss_of(x.clone(), y.clone()), (x, y), create_graph=True)
        optimizer.step()
    return torch.cat([g.reshape(-1) for g in torch.autograd.grad(loss_of(x, y), wanted)])


FUNCTIONS = {
    "quartic": lambda x: (x * x * x * x).sum() - x.sum(),
    "waves": lambda x: (x * 3).sin().sum() + 0.1 * (x * x).sum(),
    "cliff": lambda x: (x.exp() - x * 2).sum(),
    "valley": lambda x: (1 - x[0]).square() + 100 * (x[1] - x[0] * x[0]).square(),
    "kink": lambda x: (x.abs() + 0.01 * x * x).sum(),
    "slope": lambda x: (x.square() + 1).log().sum() - 0.3 * x[0],
}


def searches():
    """(call, numbers) of one step of L-BFGS with a line search, from places where each branch of it is taken."""
    for name, f in FUNCTIONS.items():
        for lr in (0.01, 1.0, 30.0):
            for start in ((-1.5, 2.25), (0.5, -0.75)):
                x = torch.tensor(start, dtype=torch.float64, requires_grad=True)
                optimizer = torch.optim.LBFGS([x], lr=lr, max_iter=20, line_search_fn="strong_wolfe")
                seen = []

                def closure(f=f, x=x, optimizer=optimizer, seen=seen):
                    optimizer.zero_grad()
                    loss = f(x)
                    loss.backward()
                    seen += x.tolist()
                    return loss

                optimizer.step(closure)
                yield f"{name} {lr} {start[0]} {start[1]}", seen + x.tolist()


def main(path):
    torch.set_num_threads(1)
    with open(path, "w") as out:
        for text in OPTIMIZERS.strip().splitlines():
            for name, step, values in lines(text):
                print(f"optim {name} {step} {text}\n{values}", file=out)
        for text in DERIVATIVES.strip().splitlines():
            for tensor_lr in (True, False):
                try:
                    values = derivative(text, tensor_lr)
                except (RuntimeError, TypeError):  # it takes the number out of lr
                    continue
                print(f"derivative {text}\n{numbers(values, 12)}", file=out)
                break
        for call, values in searches():
            print(f"search {call}\n{numbers(values, 12)}", file=out)


if __name__ == "__main__":
    main(sys.argv[1])
