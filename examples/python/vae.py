"""A variational autoencoder learns handwritten digits; draws digits, what it makes of them, and ones of its own: vae.png."""

import os

import matplotlib
import taut as torch
from taut import nn
from taut.distributions import Bernoulli, Normal, kl_divergence
from taut.io import read_idx
from taut.utils.data import DataLoader

matplotlib.use("Agg")
from matplotlib import pyplot as plt  # noqa: E402

torch.manual_seed(0)
directory = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data")
digits = read_idx(f"{directory}/digits-images.idx3.gz").flatten(1) / 16


class VAE(nn.Module):
    def __init__(self, hidden=256, latent=8):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(64, hidden), nn.SiLU(), nn.Linear(hidden, hidden), nn.SiLU(), nn.Linear(hidden, 2 * latent))
        self.decoder = nn.Sequential(nn.Linear(latent, hidden), nn.SiLU(), nn.Linear(hidden, hidden), nn.SiLU(), nn.Linear(hidden, 64))

    def encode(self, x):
        """The distribution of the code of each picture."""
        mean, log_scale = self.encoder(x).chunk(2, -1)
        return Normal(mean, log_scale.exp())

    def loss(self, x):
        """The negative lower bound of the evidence, per picture."""
        code = self.encode(x)
        seen = Bernoulli(logits=self.decoder(code.rsample()), validate_args=False)  # grey is a probability here
        return (kl_divergence(code, Normal(0.0, 1.0)).sum(-1) - seen.log_prob(x).sum(-1)).mean()


model = VAE()
optimizer = torch.optim.Adam(model.parameters(), 1e-3)
for epoch in range(60):
    total = 0.0
    for x in DataLoader(digits, batch_size=64, shuffle=True):
        loss = model.loss(x)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item() * len(x)
    if epoch % 10 == 9:
        print(f"epoch {epoch + 1:2}  loss {total / len(digits):.3f}")

with torch.no_grad():
    given = digits[:12]
    again = model.decoder(model.encode(given).mean).sigmoid()
    own = model.decoder(torch.randn(24, 8)).sigmoid()
rows = torch.cat([given, again, own]).view(4, 12, 8, 8)
rows = nn.functional.pad(rows, (1, 1, 1, 1), value=0.5).permute(0, 2, 1, 3).reshape(40, 120)
plt.figure(figsize=(9, 3.4))
plt.imshow(rows, cmap="gray", vmin=0, vmax=1)
plt.yticks([5, 15, 30], ["given", "made of them", "of its own"])
plt.xticks([])
plt.tight_layout()
plt.savefig("vae.png")
