# args: sgd | adam
# A transformer encoder, with dropout, that finds the largest token.
import math
import sys

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class Encoder(nn.Module):
    def __init__(self, tokens=10, width=16, heads=2):
        super().__init__()
        self.embedding = nn.Embedding(tokens, width)
        position = torch.arange(8).unsqueeze(1)
        rate = torch.exp(torch.arange(0, width, 2) * (-math.log(10000.0) / width))
        table = torch.zeros(8, width)
        table[:, 0::2] = torch.sin(position * rate)
        table[:, 1::2] = torch.cos(position * rate)
        self.register_buffer("table", table)
        layer = nn.TransformerEncoderLayer(width, heads, dim_feedforward=32, dropout=0.1, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, num_layers=2)
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, tokens)
        self.scale = math.sqrt(width)

    def forward(self, x):
        x = self.embedding(x) * self.scale + self.table
        return self.head(self.norm(self.encoder(x)).mean(dim=1))


torch.manual_seed(4)
x = torch.randint(0, 10, (160, 8))
loader = DataLoader(TensorDataset(x, x.max(dim=1).values), batch_size=16, shuffle=True)
model = Encoder()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9) if sys.argv[1] == "sgd" \
    else torch.optim.Adam(model.parameters(), lr=1e-3, weight_decay=0.01)
criterion = nn.CrossEntropyLoss(label_smoothing=0.05)
model.train()
for step, (inputs, targets) in enumerate(loader):
    optimizer.zero_grad()
    loss = criterion(model(inputs), targets)
    loss.backward()
    optimizer.step()
    print(f"step {step} loss {loss.item():.4f}")
model.eval()
with torch.no_grad():
    print(model(x[:2]))
