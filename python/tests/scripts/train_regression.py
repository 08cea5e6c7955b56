# args: sgd | adam
# Linear regression on a line with noise.
import sys

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.linspace(-1, 1, 64).unsqueeze(1)
y = 3 * x - 0.5 + 0.1 * torch.randn(64, 1)
loader = DataLoader(TensorDataset(x, y), batch_size=16, shuffle=True)
model = nn.Linear(1, 1)
if sys.argv[1] == "sgd":
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
else:
    optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
criterion = nn.MSELoss()
step = 0
while step < 10:
    for inputs, targets in loader:
        optimizer.zero_grad()
        loss = criterion(model(inputs), targets)
        loss.backward()
        optimizer.step()
        step += 1
        print(f"step {step:2d} loss {loss.item():.6f}")
        if step == 10:
            break
print(model.weight, model.bias)
print(optimizer)
