"""CP, Tucker and tensor-train decompositions with gradients through them on the backend of PyTorch"""

import numpy
import tensorly as tl
import torch
from tensorly.decomposition import parafac, tensor_train, tucker

PACKAGE = "tensorly"


def task():
    tl.set_backend("pytorch")
    x = torch.randn(6, 7, 8, dtype=torch.float64)
    numbers = []
    cp = parafac(x, rank=3, init="svd", n_iter_max=20)
    numbers.append(tl.norm(tl.cp_to_tensor(cp) - x).item())
    core, factors = tucker(x, rank=[3, 3, 3], n_iter_max=20)
    numbers.append(tl.norm(tl.tucker_to_tensor((core, factors)) - x).item())
    numbers.append(tl.norm(tl.tt_to_tensor(tensor_train(x, rank=[1, 3, 3, 1])) - x).item())
    factors = [torch.from_numpy(numpy.random.RandomState(i).randn(n, 2)).requires_grad_() for i, n in enumerate((6, 7, 8))]
    loss = tl.norm(tl.cp_to_tensor((torch.ones(2, dtype=torch.float64), factors)) - x) ** 2
    loss.backward()
    return [*numbers, loss.item(), *(f.grad.abs().sum().item() for f in factors)]
