# args: sgd | adam
# A two-layer LSTM that says how a sequence goes on.
import sys

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Model(nn.Module):
    def __init__(self, hidden=16):
        super().__init__()
        self.lstm = nn.LSTM(input_size=1, hidden_size=hidden, num_layers=2, batch_first=True, dropout=0.1)
        self.head = nn.Linear(hidden, 1)

    def forward(self, x):
        out, (h, c) = self.lstm(x)
        return self.head(out[:, -1]), h, c


torch.manual_seed(3)
time = torch.arange(0, 200) * 0.1
wave = torch.sin(time) + 0.05 * torch.randn(200)
windows = wave.unfold(0, 21, 1)
data = TensorDataset(windows[:, :20].unsqueeze(-1), windows[:, 20:])
loader = DataLoader(data, batch_size=18, shuffle=True)
model = Model()
print(model)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1) if sys.argv[1] == "sgd" \
    else torch.optim.Adam(model.parameters(), lr=0.01)
for step, (x, y) in enumerate(loader, 1):
    optimizer.zero_grad()
    predicted, h, c = model(x)
    loss = nn.functional.smooth_l1_loss(predicted, y)
    loss.backward()
    torch.nn.utils.clip_grad_value_(model.parameters(), 0.5)
    optimizer.step()
    print(f"{step}: {loss:.5f}")
print(h.shape, c.shape)
model.eval()
with torch.no_grad():
    print(model(data.tensors[0][:4])[0])
