"""summary of a CNN and of an LSTM: parameters, multiplications, sizes"""

import torch
from torchinfo import summary

PACKAGE = "torchinfo"


def task():
    numbers = []
    cnn = torch.nn.Sequential(torch.nn.Conv2d(3, 8, 3), torch.nn.BatchNorm2d(8), torch.nn.ReLU(), torch.nn.AdaptiveAvgPool2d(1), torch.nn.Flatten(),
                              torch.nn.Linear(8, 4))
    for model, size in ((cnn, (2, 3, 16, 16)), (torch.nn.LSTM(8, 16, 2), (5, 2, 8))):
        seen = summary(model, input_size=size, verbose=0, col_names=("input_size", "output_size", "num_params", "kernel_size", "mult_adds"))
        text = str(seen)
        numbers += [seen.total_params, seen.trainable_params, seen.total_mult_adds, seen.total_output_bytes, len(text), sum(map(ord, text))]
    return numbers
