# Hooks on what is kept for backward.
import torch
from torch.autograd.graph import (allow_mutation_on_saved_tensors, disable_saved_tensors_hooks, save_on_cpu,
                                  saved_tensors_hooks)


def show(name, f):
    try:
        print(name, "->", f())
    except Exception as error:
        print(name, "->", type(error).__name__)


def leaf(*values):
    return torch.tensor([float(v) for v in values or (1, 2, 3)], requires_grad=True)


packed = []


def pack(t):
    packed.append((tuple(t.shape), t.requires_grad))
    return len(packed), t.clone()


x, w = leaf(), leaf(4, 5, 6)
with saved_tensors_hooks(pack, lambda p: p[1]):
    y = (x * w).exp()
    z = y.sum()
print(packed)
z.backward()
print(x.grad / w, w.grad / x)

x = leaf()
with saved_tensors_hooks(lambda t: t * 10, lambda t: t / 10):
    y = x**3
(first,) = torch.autograd.grad(y.sum(), x, create_graph=True)
(second,) = torch.autograd.grad(first.sum(), x)
print(first, second)
with saved_tensors_hooks(lambda t: t, lambda t: t * 0):
    y = x * x
print(torch.autograd.grad(y.sum(), x))
with saved_tensors_hooks(lambda t: "text", lambda s: s):
    y = x * x
show("no tensor", lambda: y.sum().backward())
with saved_tensors_hooks(lambda t: 1 / 0, lambda t: t):
    show("pack fails", lambda: x * x)
with saved_tensors_hooks(lambda t: t, lambda t: 1 / 0):
    y = x * x
show("unpack fails", lambda: y.sum().backward())
with saved_tensors_hooks(lambda t: t.add_(1), lambda t: t):
    show("pack writes", lambda: x * x)
x = leaf()
names = []
with saved_tensors_hooks(lambda t: names.append("outer") or t, lambda t: t):
    with saved_tensors_hooks(lambda t: names.append("inner") or t, lambda t: t):
        x.exp()
    x.exp()
print(names)


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return 2 * x * g


with saved_tensors_hooks(lambda t: t.double(), lambda t: t.float()):
    y = Square.apply(x * 1)
(first,) = torch.autograd.grad(y.sum(), x, create_graph=True)
print(first, torch.autograd.grad(first.sum(), x))

with disable_saved_tensors_hooks("not here"):
    show("disabled", lambda: saved_tensors_hooks(lambda t: t, lambda t: t).__enter__())
with save_on_cpu(pin_memory=False):
    y = x * x
print(torch.autograd.grad(y.sum(), x))
z = x * 1
with allow_mutation_on_saved_tensors():
    y = z * z
    z.add_(1)
    print(torch.autograd.grad(y.sum(), x))

torch.manual_seed(0)
net = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.Tanh(), torch.nn.LayerNorm(8), torch.nn.Linear(8, 2))
data, target = torch.randn(3, 4), torch.tensor([0, 1, 1])
torch.nn.functional.cross_entropy(net(data), target).backward()
plain = [p.grad.clone() for p in net.parameters()]
net.zero_grad()
with saved_tensors_hooks(lambda t: t.numpy().copy(), torch.from_numpy):
    torch.nn.functional.cross_entropy(net(data), target).backward()
print([torch.allclose(a, p.grad) for a, p in zip(plain, net.parameters())])
