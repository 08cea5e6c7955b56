# args: sgd | adam
# A small convolutional network on pictures of bars.
import sys

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset


class Bars(Dataset):
    """Pictures of 12 by 12 with a bar across or down."""

    def __init__(self, count):
        self.pictures = 0.3 * torch.randn(count, 1, 12, 12)
        self.labels = torch.randint(0, 2, (count,))
        for picture, label in zip(self.pictures, self.labels):
            at = torch.randint(0, 12, (1,)).item()
            if label == 0:
                picture[0, at] += 1
            else:
                picture[0, :, at] += 1

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        return self.pictures[i], self.labels[i]


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 8, kernel_size=3, padding=1, bias=False)
        self.norm1 = nn.BatchNorm2d(8)
        self.conv2 = nn.Conv2d(8, 16, 3, padding=1)
        self.dropout = nn.Dropout(0.25)
        self.fc = nn.Linear(16 * 3 * 3, 2)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.norm1(self.conv1(x))), 2)
        x = F.max_pool2d(F.relu(self.conv2(x)), 2)
        x = self.dropout(torch.flatten(x, 1))
        return F.log_softmax(self.fc(x), dim=1)


torch.manual_seed(2)
loader = DataLoader(Bars(80), batch_size=8, shuffle=True, drop_last=True)
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.5) if sys.argv[1] == "sgd" \
    else torch.optim.Adam(model.parameters(), lr=0.005, betas=(0.9, 0.99))
model.train()
for batch, (data, target) in enumerate(loader):
    optimizer.zero_grad()
    loss = F.nll_loss(model(data), target)
    loss.backward()
    optimizer.step()
    print("Train [{}/{} ({:.0f}%)]\tLoss: {:.4f}".format(
        batch * len(data), len(loader.dataset), 100.0 * batch / len(loader), loss.item()))
model.eval()
with torch.no_grad():
    print(model(data))
print(model.norm1.running_mean)
print({name: tuple(p.shape) for name, p in model.state_dict().items()})
