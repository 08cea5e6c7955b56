"""a network that solves Poisson's equation in one dimension: 200 steps of Adam"""

import contextlib
import io
import os

os.environ["DDE_BACKEND"] = "pytorch"

import deepxde as dde
import numpy
import torch

PACKAGE = "deepxde"


def task():
    dde.config.set_random_seed(0)
    torch.set_default_device("cpu")

    def pde(x, y):
        return -dde.grad.hessian(y, x) - numpy.pi ** 2 * torch.sin(numpy.pi * x)

    with contextlib.redirect_stdout(io.StringIO()):
        geometry = dde.geometry.Interval(-1, 1)
        edge = dde.icbc.DirichletBC(geometry, lambda x: 0, lambda _, on: on)
        data = dde.data.PDE(geometry, pde, edge, 16, 2, solution=lambda x: numpy.sin(numpy.pi * x), num_test=50)
        model = dde.Model(data, dde.nn.FNN([1, 20, 20, 1], "tanh", "Glorot uniform"))
        model.compile("adam", lr=1e-3, metrics=["l2 relative error"])
        losses, state = model.train(iterations=200, display_every=50)
        return [float(v) for row in losses.loss_train for v in row] + [float(m) for row in losses.metrics_test for m in row]
