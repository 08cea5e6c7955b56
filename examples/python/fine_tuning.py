"""A small transformer learns to sort sequences, and is then fine-tuned to sort them the other way round, beside one that begins anew. Draws fine_tuning.png."""

import copy

import matplotlib
import taut as torch
from taut import nn

matplotlib.use("Agg")
from matplotlib import pyplot as plt  # noqa: E402

LENGTH, WORDS = 8, 16


class Model(nn.Module):
    def __init__(self, width=64):
        super().__init__()
        self.words, self.places = nn.Embedding(WORDS, width), nn.Parameter(0.02 * torch.randn(LENGTH, width))
        layer = nn.TransformerEncoderLayer(width, 4, 2 * width, dropout=0.0, batch_first=True, norm_first=True)
        self.body = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.head = nn.Linear(width, WORDS)

    def forward(self, x):
        return self.head(self.body(self.words(x) + self.places))


def train(model, task, steps, parameters=None):
    """The share of right words in each step."""
    optimizer = torch.optim.AdamW(parameters or model.parameters(), 2e-3)
    schedule, shares = torch.optim.lr_scheduler.OneCycleLR(optimizer, 3e-3, total_steps=steps), []
    for _ in range(steps):
        x = torch.randint(WORDS, (64, LENGTH))
        found, wanted = model(x), task(x)
        loss = nn.functional.cross_entropy(found.flatten(0, 1), wanted.flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        shares.append((found.argmax(-1) == wanted).float().mean().item())
    return shares


def sort(x):
    """What it is fine-tuned for."""
    return x.sort(-1).values


torch.manual_seed(0)
model = Model()
first = train(model, lambda x: x.sort(-1, descending=True).values, 400)
print(f"sorting downwards: {first[-1]:.1%} of the words are right")
curves = {}
for name, begin in (("fine-tuned", copy.deepcopy(model)), ("begun anew", Model())):
    torch.manual_seed(1)
    curves[name] = train(begin, sort, 300)
    print(f"sorting upwards, {name}: {curves[name][49]:.1%} after 50 steps, {curves[name][-1]:.1%} after 300")

plt.figure(figsize=(8, 4))
for name, shares in curves.items():
    plt.plot(torch.tensor(shares).unfold(0, 10, 1).mean(-1), label=name)
plt.xlabel("step")
plt.ylabel("share of right words when sorting upwards")
plt.legend()
plt.tight_layout()
plt.savefig("fine_tuning.png")
