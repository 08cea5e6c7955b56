"""The network of digits.cpp, trained from Python. Usage: digits.py [directory of the data]"""

import os
import sys
import time

import taut as torch
from taut import nn
from taut.io import read_idx
from taut.nn import functional as F
from taut.utils.data import DataLoader, TensorDataset, random_split


directory = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "data")
torch.manual_seed(0)
digits = TensorDataset(read_idx(f"{directory}/digits-images.idx3.gz").unsqueeze(1) / 16, read_idx(f"{directory}/digits-labels.idx1.gz").long())
train, test = random_split(digits, [0.8, 0.2])
start = time.perf_counter()

# The ten lines.
net = nn.Sequential(nn.Conv2d(1, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(), nn.Conv2d(16, 32, 3, padding=1), nn.BatchNorm2d(32),
                    nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(512, 64), nn.ReLU(), nn.Linear(64, 10))
optimizer = torch.optim.Adam(net.parameters(), lr=2e-3)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 12)
for _ in range(12):
    for images, labels in DataLoader(train, batch_size=32, shuffle=True):
        loss = F.cross_entropy(net(images), labels)
        optimizer.zero_grad(), loss.backward(), optimizer.step()
    scheduler.step()
net.eval()

images, labels = test[:]
with torch.no_grad():
    guesses = net(images).argmax(1)
print(f"\nThe same network from Python: {(guesses == labels).float().mean():.2%} of {len(test)} held-out digits right "
      f"after {time.perf_counter() - start:.1f} s")
