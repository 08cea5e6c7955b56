# The random numbers of a seed: tensors, layers, dropout, shuffles.
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import BatchSampler, DataLoader, RandomSampler, TensorDataset, WeightedRandomSampler, random_split


def draw(name, f):
    torch.manual_seed(42)
    first = f()
    print(name, first)
    print(name, "next", torch.rand(1))  # as much of the stream was used


for n in (1, 3, 15, 16, 17, 40):
    draw(f"rand {n}", lambda: torch.rand(n)[-3:])
    draw(f"randn {n}", lambda: torch.randn(n)[-3:])
draw("rand double", lambda: torch.rand(3, dtype=torch.double))
draw("randn double", lambda: torch.randn(3, dtype=torch.double))
draw("randn double 20", lambda: torch.randn(20, dtype=torch.double)[-3:])
draw("randint", lambda: torch.randint(0, 10, (5,)))
draw("randint low", lambda: torch.randint(-5, 5, (2, 3)))
draw("randint int32", lambda: torch.randint(100, (4,), dtype=torch.int32))
draw("randperm", lambda: torch.randperm(10))
draw("randperm long", lambda: torch.randperm(1000)[:5])
draw("rand_like", lambda: torch.rand_like(torch.zeros(2, 2)))
draw("randn_like", lambda: torch.randn_like(torch.zeros(2, 2)))
draw("normal", lambda: torch.normal(2.0, 3.0, (4,)))
draw("normal of tensors", lambda: torch.normal(torch.arange(3.0), torch.ones(3)))
draw("bernoulli", lambda: torch.bernoulli(torch.full((8,), 0.3)))
draw("multinomial", lambda: torch.multinomial(torch.tensor([0.1, 0.2, 0.7]), 6, replacement=True))
draw("multinomial without", lambda: torch.multinomial(torch.tensor([0.1, 0.2, 0.7]), 2))
for name in ("uniform_", "normal_", "exponential_", "cauchy_", "log_normal_"):
    draw(name, lambda: getattr(torch.empty(3), name)())
draw("geometric_", lambda: torch.empty(3).geometric_(0.4))
draw("random_", lambda: torch.empty(3, dtype=torch.long).random_(0, 100))
draw("bernoulli_", lambda: torch.empty(5).bernoulli_(0.5))

for layer in ("nn.Linear(4, 3)", "nn.Linear(4, 3, bias=False)", "nn.Conv2d(2, 3, 3)", "nn.Conv1d(2, 4, 5, groups=2)",
              "nn.ConvTranspose2d(2, 3, 2)", "nn.Embedding(5, 3)", "nn.LSTM(3, 4)",
              "nn.GRU(3, 4, 2, bidirectional=True)", "nn.RNNCell(3, 4)", "nn.Bilinear(2, 3, 4)",
              "nn.MultiheadAttention(8, 2)", "nn.EmbeddingBag(5, 3)", "nn.TransformerEncoderLayer(8, 2, 16)", "nn.PReLU()",
              "nn.Transformer(8, 2, 1, 1, 16)"):
    draw(layer, lambda: [round(p.double().abs().sum().item(), 3) for p in eval(layer).parameters()])
for init in ("uniform_", "normal_", "xavier_uniform_", "xavier_normal_", "kaiming_uniform_", "kaiming_normal_",
             "trunc_normal_", "orthogonal_"):
    draw(init, lambda: getattr(nn.init, init)(torch.empty(3, 2)))

x = torch.arange(1.0, 9.0)
draw("dropout", lambda: F.dropout(x))
draw("dropout 0.2", lambda: F.dropout(torch.ones(5, 5), 0.2))
draw("dropout2d", lambda: F.dropout2d(torch.ones(1, 4, 2, 2), 0.5)[:, :, 0, 0])
draw("alpha_dropout", lambda: F.alpha_dropout(x, 0.3, training=True))
draw("feature_alpha_dropout", lambda: F.feature_alpha_dropout(torch.ones(1, 4, 2), 0.3, training=True)[:, :, 0])
draw("rrelu", lambda: F.rrelu(-x, training=True))
draw("gumbel_softmax", lambda: F.gumbel_softmax(x[:3]))

data = TensorDataset(torch.arange(10))
draw("shuffle", lambda: [b[0].tolist() for b in DataLoader(data, batch_size=4, shuffle=True)])
loader = DataLoader(data, batch_size=5, shuffle=True)
draw("two epochs", lambda: [[b[0].tolist() for b in loader] for _ in range(2)])
draw("no shuffle", lambda: [b[0].tolist() for b in DataLoader(data, batch_size=5)])
draw("split", lambda: [s.indices for s in random_split(data, [7, 3])])
own = torch.Generator().manual_seed(3)
draw("split by fractions", lambda: [s.indices for s in random_split(data, [0.5, 0.5], generator=own)])
draw("sampler", lambda: list(RandomSampler(data)))
draw("sampler with replacement", lambda: list(RandomSampler(data, replacement=True, num_samples=5)))
draw("weighted sampler", lambda: list(WeightedRandomSampler([0.1, 0.9, 0.5], 6)))
draw("batch sampler", lambda: list(BatchSampler(RandomSampler(data), 4, True)))
draw("own generator", lambda: [b[0].tolist() for b in DataLoader(data, 5, shuffle=True, generator=own)])
generator = torch.Generator().manual_seed(5)
print(torch.rand(2, generator=generator), torch.randn(2, generator=generator))
print(torch.randperm(4, generator=generator), generator.initial_seed())
state = torch.get_rng_state()
a = torch.rand(3)
torch.set_rng_state(state)
print(torch.equal(a, torch.rand(3)), state.shape, state.dtype)
