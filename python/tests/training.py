"""The trainings of tests/golden/training.txt; tests/train_curves_test.cpp has the same models, data and seeds."""

import taut as torch
import taut.nn as nn
import taut.nn.functional as F

STEPS, BATCHES = 50, 4


class LeNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 6, 5, padding=2)
        self.conv2 = nn.Conv2d(6, 16, 5)
        self.fc1 = nn.Linear(144, 48)
        self.fc2 = nn.Linear(48, 10)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.conv1(x)), 2)
        x = F.max_pool2d(F.relu(self.conv2(x)), 2)
        return self.fc2(F.relu(self.fc1(x.flatten(1))))


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        layer = nn.TransformerEncoderLayer(16, 4, 32, dropout=0.1, activation="gelu", batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, 2)
        self.head = nn.Linear(16, 5)

    def forward(self, x):
        return self.head(self.encoder(x).mean(1))


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(8, 12, num_layers=2, bidirectional=True, dropout=0.2)
        self.head = nn.Linear(24, 5)

    def forward(self, x):
        return self.head(self.lstm(x)[0].mean(0))


MODELS = {
    "lenet": (LeNet, (16, 1, 20, 20), 10),
    "transformer": (Classifier, (8, 12, 16), 5),
    "lstm": (Tagger, (10, 8, 8), 5),
}
OPTIMISERS = {
    "sgd": lambda p: torch.optim.SGD(p, lr=0.05, momentum=0.9),
    "adam": lambda p: torch.optim.Adam(p, lr=2e-3),
}


def losses(model, optimiser, dtype=torch.float32):
    """The loss of every step. In another dtype: from the same float32 data, weights and random numbers."""
    make, shape, classes = MODELS[model]
    torch.manual_seed(1)
    samples = 8 if model != "lenet" else 16
    data = [(torch.randn(shape).to(dtype), torch.randint(0, classes, (samples,))) for _ in range(BATCHES)]
    torch.manual_seed(0)
    net = make().to(dtype)
    opt = OPTIMISERS[optimiser](net.parameters())
    curve = []
    for step in range(STEPS):
        x, y = data[step % BATCHES]
        opt.zero_grad()
        loss = F.cross_entropy(net(x), y)
        loss.backward()
        opt.step()
        curve.append(loss.item())
    return curve
