"""save_file, load_file, save_model with shared weights, safe_open with slices, bytes; all dtypes"""

import os
import tempfile

import torch
from safetensors import safe_open
from safetensors.torch import load, load_file, load_model, save, save_file, save_model

PACKAGE = "safetensors"


def task():
    numbers = []
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "a.safetensors")
        dtypes = (torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int64, torch.int8, torch.uint8, torch.bool)
        tensors = {str(dtype): (torch.randn(7, 5) * 3).to(dtype) for dtype in dtypes}
        save_file(tensors, path, metadata={"format": "pt"})
        numbers += [t.double().sum() for _, t in sorted(load_file(path).items())]
        with safe_open(path, framework="pt") as file:
            for key in sorted(file.keys()):
                numbers += [file.get_tensor(key).double().sum(), file.get_slice(key)[1:4, 2].double().sum(), *file.get_slice(key).get_shape()]
        numbers += [t.double().sum() for _, t in sorted(load(save(tensors)).items())]
        model = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Linear(4, 4))
        model[1].weight = model[0].weight
        save_model(model, path)
        other = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Linear(4, 4))
        other[1].weight = other[0].weight
        missing, unexpected = load_model(other, path)
        numbers += [len(missing), len(unexpected), other(torch.ones(1, 4)).sum().item()]
    return numbers
