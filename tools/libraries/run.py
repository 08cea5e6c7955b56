"""Runs the task of a library and prints what came out: run.py TASK. Its numbers and its seconds are one line of JSON, the last."""

import importlib
import importlib.metadata
import json
import os
import sys
import time
import warnings

warnings.filterwarnings("ignore")
os.environ["HF_HUB_OFFLINE"] = "1"  # nothing here needs the network
os.environ.setdefault("MPLBACKEND", "Agg")


def _without_torchvisions_kernels():
    """torchvision's kernels load only in the build of PyTorch that they were compiled for; its Python part needs no more than their names."""
    import torch

    for name in ("nms", "qnms"):
        torch.library.define(f"torchvision::{name}", "(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")


def main():
    import torch

    if "+taut" not in torch.__version__:
        _without_torchvisions_kernels()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    module = importlib.import_module(sys.argv[1])
    torch.nn.Linear(2, 2)(torch.ones(1, 2)).sum().backward()  # what is loaded at first use
    torch.optim.Adam(torch.nn.Linear(2, 2).parameters())
    torch.manual_seed(0)
    begin = time.perf_counter()
    numbers = module.task()
    seconds = time.perf_counter() - begin
    print("\n" + json.dumps({"version": importlib.metadata.version(module.PACKAGE), "seconds": seconds,
                             "numbers": [float(number) for number in numbers]}))


main()
