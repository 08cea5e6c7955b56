# Modules as functions: functional_call, gradients for each sample, ensembles.
import torch
import torch.nn as nn
from torch.func import functional_call, grad, jacrev, stack_module_state, vmap


def show(name, f):
    try:
        print(name, "->", f())
    except Exception as error:
        print(name, "->", type(error).__name__, error)


torch.manual_seed(0)
x = torch.arange(1.0, 4.0)
linear = nn.Linear(3, 2)
own = dict(linear.named_parameters())
show("all", lambda: functional_call(linear, {k: torch.ones_like(v) for k, v in own.items()}, (x,)))
show("some", lambda: functional_call(linear, {"weight": torch.ones(2, 3)}, x).detach())
show("two dicts", lambda: functional_call(linear, ({"weight": torch.ones(2, 3)}, {"bias": torch.zeros(2)}), (x,)))
show("keyword", lambda: functional_call(linear, own, kwargs={"input": x}).detach())
show("unknown", lambda: functional_call(linear, {"other": x}, x).detach())
show("strict", lambda: functional_call(linear, {"other": x}, x, strict=True))
show("strict and missing", lambda: functional_call(linear, {"weight": torch.ones(2, 3)}, x, strict=True))
show("twice", lambda: functional_call(linear, [own, own], x))
show("no dict", lambda: functional_call(linear, 3, x))
show("unchanged", lambda: linear.weight is own["weight"])
show("grad", lambda: grad(lambda p: functional_call(linear, p, (x,)).sum())({k: v.detach() for k, v in own.items()}))


class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(3, 3, bias=False)
        self.b = nn.Linear(3, 3, bias=False)
        self.b.weight = self.a.weight

    def forward(self, x):
        return self.b(self.a(x))


tied = Tied()
show("tied", lambda: functional_call(tied, {"a.weight": 2 * torch.eye(3)}, x))
show("not tied", lambda: functional_call(tied, {"a.weight": torch.zeros(3, 3)}, x, tie_weights=False).detach() == 0)

norm = nn.BatchNorm1d(3)
buffers = {k: v.clone() for k, v in norm.named_buffers()}
functional_call(norm, {**dict(norm.named_parameters()), **buffers}, (torch.arange(6.0).view(2, 3),))
print(norm.running_mean, buffers["running_mean"], buffers["num_batches_tracked"])

net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 3))
parameters = {k: v.detach() for k, v in net.named_parameters()}
samples, labels = torch.randn(5, 4), torch.randint(0, 3, (5,))


def loss(parameters, sample, label):
    output = functional_call(net, parameters, (sample.unsqueeze(0),))
    return nn.functional.cross_entropy(output, label.unsqueeze(0))


for name, g in vmap(grad(loss), in_dims=(None, 0, 0))(parameters, samples, labels).items():
    print(name, tuple(g.shape), g.flatten()[:4])
print(jacrev(lambda s: functional_call(net, parameters, (s,)))(samples[0]))

models = [nn.Linear(3, 2) for _ in range(4)]
stacked, no_buffers = stack_module_state(models)
print({k: (tuple(v.shape), v.requires_grad, v.is_leaf) for k, v in stacked.items()}, no_buffers)
together = vmap(lambda p, b, x: functional_call(models[0], (p, b), (x,)), in_dims=(0, 0, None))(stacked, no_buffers, x)
print(together.detach())
print(torch.equal(together, torch.stack([m(x) for m in models])))
show("no models", lambda: stack_module_state([]))
show("different models", lambda: stack_module_state([nn.Linear(2, 2), nn.ReLU()]))
