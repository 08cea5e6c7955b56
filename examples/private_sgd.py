"""Training that hides each sample (differentially private SGD): the gradient of every digit is clipped and noise is added.

What the noise is worth is counted by Renyi's divergence (Mironov, Talwar and Zhang 2019): whoever sees the trained network
learns at most epsilon about whether a given digit was in the data, but for a chance of delta.
Usage: private_sgd.py [epochs [directory of the data]]
"""

import math
import os
import sys

import taut as torch
from taut import nn
from taut.io import read_idx
from taut.nn import functional as F

epochs = int(sys.argv[1]) if len(sys.argv) > 1 else 15
directory = sys.argv[2] if len(sys.argv) > 2 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "data")
torch.manual_seed(0)
images = read_idx(f"{directory}/digits-images.idx3.gz").flatten(1) / 16
labels = read_idx(f"{directory}/digits-labels.idx1.gz").long()
order = torch.randperm(len(images))
train, test = order[:-300], order[-300:]

SHARE, CLIP, NOISE, DELTA = 0.1, 1.0, 1.5, 1e-4  # of the data in a batch; norm of a sample's gradient; of the noise, in clips


def epsilon(steps):
    """What so many steps tell, the tightest over the orders of the divergence."""
    def divergence(order):
        terms = [math.comb(order, k) * (1 - SHARE) ** (order - k) * SHARE**k * math.exp((k * k - k) / (2 * NOISE**2))
                 for k in range(order + 1)]
        return math.log(sum(terms)) / (order - 1)

    return min(steps * divergence(order) + math.log(1 / DELTA) / (order - 1) for order in range(2, 33))


net = nn.Sequential(nn.Linear(64, 32), nn.Tanh(), nn.Linear(32, 10))
gradients = nn.per_sample_grad(net, F.cross_entropy)
optimizer = torch.optim.SGD(net.parameters(), lr=2.0)
steps = 0
for epoch in range(epochs):
    for _ in range(round(1 / SHARE)):
        batch = train[torch.rand(len(train)) < SHARE]  # each sample by a chance of its own: the count relies on that
        grads = gradients(images[batch], labels[batch])
        norms = torch.stack([g.flatten(1).norm(dim=1) for g in grads.values()]).norm(dim=0)
        factors = (CLIP / norms).clamp(max=1)
        for name, p in net.named_parameters():
            clipped = torch.tensordot(factors, grads[name], 1)
            p.grad = (clipped + NOISE * CLIP * torch.randn_like(p)) / (SHARE * len(train))
        optimizer.step()
        steps += 1
    if epoch % 3 == 2 or epoch == epochs - 1:
        with torch.no_grad():
            right = (net(images[test]).argmax(1) == labels[test]).float().mean()
        print(f"epoch {epoch + 1:2}  epsilon {epsilon(steps):.2f} at delta {DELTA}  held-out digits right {right:.1%}")
