# args: sgd | adam
# A classifier for points in three rings, with dropout.
import sys

import torch
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset, random_split


class Net(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(2, hidden), nn.ReLU(), nn.Dropout(0.2), nn.Linear(hidden, hidden),
                                    nn.Tanh(), nn.BatchNorm1d(hidden), nn.Linear(hidden, 3))

    def forward(self, x):
        return self.layers(x)


torch.manual_seed(1)
angle = torch.rand(300) * 2 * torch.pi
label = torch.randint(0, 3, (300,))
radius = 1 + label + 0.2 * torch.randn(300)
points = torch.stack([radius * angle.cos(), radius * angle.sin()], dim=1)
train, test = random_split(TensorDataset(points, label), [250, 50])
loader = DataLoader(train, batch_size=25, shuffle=True)
net = Net()
print(net)
print(sum(p.numel() for p in net.parameters() if p.requires_grad), "parameters")
if sys.argv[1] == "sgd":
    optimizer = optim.SGD(net.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4, nesterov=True)
else:
    optimizer = optim.AdamW(net.parameters(), lr=1e-2)
scheduler = optim.lr_scheduler.StepLR(optimizer, step_size=4, gamma=0.5)
criterion = nn.CrossEntropyLoss()
net.train()
for step, (x, y) in enumerate(loader):
    optimizer.zero_grad(set_to_none=True)
    output = net(x)
    loss = criterion(output, y)
    loss.backward()
    norm = nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    optimizer.step()
    scheduler.step()
    correct = (output.argmax(dim=1) == y).sum().item()
    rate = scheduler.get_last_lr()[0]
    print(f"step {step + 1} loss {loss.item():.4f} norm {norm.item():.4f} correct {correct} lr {rate:g}")
net.eval()
with torch.no_grad():
    x, y = next(iter(DataLoader(test, batch_size=50)))
    output = net(x)
    print("test loss %.4f accuracy %.2f" % (criterion(output, y), (output.argmax(1) == y).float().mean()))
    print(output[:3])
