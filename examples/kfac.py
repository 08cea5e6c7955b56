"""Natural gradients for Linear and Conv2d (KFAC, Martens and Grosse 2015) beside SGD, on the digits.

The Fisher matrix of a layer's weights is nearly the Kronecker product of two small ones: the second moments of what goes
into the layer and of the gradients of what comes out of it, for labels that the network itself draws.
Usage: kfac.py [epochs [directory of the data]]
"""

import functools
import os
import sys

import taut as torch
from taut import nn
from taut.io import read_idx
from taut.nn import functional as F


class KFAC(torch.optim.Optimizer):
    """Preconditions the gradients of a network's Linear and Conv2d layers, then steps with momentum."""

    def __init__(self, net, lr=0.05, momentum=0.9, decay=0.95, damping=1e-2, every=5):
        super().__init__(net.parameters(), dict(lr=lr, momentum=momentum, decay=decay, damping=damping, every=every))
        self.layers = [m for m in net.modules() if isinstance(m, (nn.Linear, nn.Conv2d))]
        self.steps, self.watching = 0, False
        for layer in self.layers:
            layer.register_forward_hook(self.seen)

    def seen(self, layer, inputs, output):
        """A layer was called."""
        if self.watching:
            output.register_hook(functools.partial(self.note, layer, inputs[0].detach()))

    def note(self, layer, x, g):
        """Adds to the moments of a layer, from what went in and the gradient of what came out."""
        if isinstance(layer, nn.Conv2d):  # every place of the window is a sample
            x = F.unfold(x, layer.kernel_size, layer.dilation, layer.padding, layer.stride).transpose(1, 2)
            g = g.flatten(2).transpose(1, 2)
        places = x.shape[1] if x.ndim == 3 else 1
        x, g = x.flatten(0, -2), g.flatten(0, -2) * len(g)  # the loss is a mean
        x = torch.cat([x, torch.ones(len(x), 1)], 1)
        state, decay = self.state[layer.weight], self.defaults["decay"]
        for name, moment in (("in", x.t() @ x / len(x)), ("out", g.t() @ g / len(g) * places)):
            state[name] = moment if name not in state else decay * state[name] + (1 - decay) * moment

    def look(self, net, images):
        """Moments from labels that the network draws."""
        self.watching = True
        scores = net(images)
        drawn = torch.multinomial(scores.detach().softmax(1), 1).squeeze(1)
        F.cross_entropy(scores, drawn).backward()
        self.watching = False
        net.zero_grad()

    @torch.no_grad()
    def step(self):
        """The gradient divided by the Fisher matrix, layer for layer."""
        options = self.param_groups[0]
        for layer in self.layers:
            state = self.state[layer.weight]
            if self.steps % options["every"] == 0:
                a, g = state["in"], state["out"]
                ratio = ((a.trace() / len(a)) / (g.trace() / len(g)).clamp_min(1e-12)).sqrt()
                root = options["damping"] ** 0.5
                state["in inverse"] = torch.linalg.inv(a + root * ratio * torch.eye(len(a)))
                state["out inverse"] = torch.linalg.inv(g + root / ratio * torch.eye(len(g)))
            grad = torch.cat([layer.weight.grad.flatten(1), layer.bias.grad.unsqueeze(1)], 1)
            natural = state["out inverse"] @ grad @ state["in inverse"]
            state["momentum"] = options["momentum"] * state.get("momentum", 0) + natural
            layer.weight -= options["lr"] * state["momentum"][:, :-1].view_as(layer.weight)
            layer.bias -= options["lr"] * state["momentum"][:, -1]
        self.steps += 1


def train(name, make, epochs, images, labels):
    torch.manual_seed(0)
    net = nn.Sequential(nn.Conv2d(1, 8, 3, stride=2), nn.Tanh(), nn.Flatten(), nn.Linear(72, 32), nn.Tanh(), nn.Linear(32, 10))
    optimizer, size = make(net), len(images) - 300
    for epoch in range(epochs):
        for batch in torch.randperm(size).split(128):
            if isinstance(optimizer, KFAC):
                optimizer.look(net, images[batch])
            optimizer.zero_grad()
            F.cross_entropy(net(images[batch]), labels[batch]).backward()
            optimizer.step()
        with torch.no_grad():
            loss = F.cross_entropy(net(images[:size]), labels[:size])
            right = (net(images[size:]).argmax(1) == labels[size:]).float().mean()
        print(f"{name:5} epoch {epoch + 1}  loss {loss:.4f}  held-out digits right {right:.1%}")


epochs = int(sys.argv[1]) if len(sys.argv) > 1 else 5
directory = sys.argv[2] if len(sys.argv) > 2 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "data")
images, labels = read_idx(f"{directory}/digits-images.idx3.gz").unsqueeze(1) / 16, read_idx(f"{directory}/digits-labels.idx1.gz").long()
train("SGD", lambda net: torch.optim.SGD(net.parameters(), lr=0.4, momentum=0.9), epochs, images, labels)
train("KFAC", KFAC, epochs, images, labels)
