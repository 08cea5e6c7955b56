# Jacobians, Hessians and their products, and what each says to bad input.
import torch
from torch.autograd.functional import hessian, hvp, jacobian, jvp, vhp, vjp


def show(name, f):
    try:
        print(name, "->", f())
    except Exception as error:
        print(name, "->", type(error).__name__)


x, y = torch.arange(1.0, 4.0), torch.arange(2.0, 5.0)
square = lambda x: x * x  # noqa: E731
product = lambda x, y: (x * y).sum()  # noqa: E731
several = lambda x, y: (x * y, (x * x).sum())  # noqa: E731
cube = lambda x: (x**3).sum()  # noqa: E731
mixed = lambda x, y: (x**2 * y).sum()  # noqa: E731
first = lambda x, y: 2 * x  # noqa: E731
constant = lambda x: torch.ones(2)  # noqa: E731
required = x.clone().requires_grad_()

for vectorize in (False, True):
    show("jacobian square", lambda: jacobian(square, x, vectorize=vectorize))
    show("jacobian of one-tuple", lambda: jacobian(square, (x,), vectorize=vectorize))
    show("jacobian product", lambda: jacobian(product, (x, y), vectorize=vectorize))
    show("jacobian several", lambda: jacobian(several, (x, y), vectorize=vectorize))
    show("jacobian unused", lambda: jacobian(first, (x, y), vectorize=vectorize))
show("jacobian forward", lambda: jacobian(square, x, vectorize=True, strategy="forward-mode"))
show("jacobian forward without vectorize", lambda: jacobian(square, x, strategy="forward-mode"))
show("jacobian forward with graph", lambda: jacobian(square, x, True, vectorize=True, strategy="forward-mode"))
show("jacobian strategy", lambda: jacobian(square, x, strategy="sideways"))
show("jacobian strict and vectorize", lambda: jacobian(square, x, vectorize=True, strict=True))
show("jacobian with graph", lambda: jacobian(square, x, create_graph=True))
show("jacobian of leaf", lambda: jacobian(square, required))
show("jacobian of leaf with graph", lambda: jacobian(square, required, create_graph=True))
show("jacobian constant", lambda: jacobian(constant, x))
show("jacobian constant strict", lambda: jacobian(constant, x, strict=True))
show("jacobian unused strict", lambda: jacobian(first, (x, y), strict=True))
show("jacobian linear strict with graph", lambda: jacobian(lambda x: 2 * x, x, create_graph=True, strict=True))
for wrong in (3.0, [x], (x, 3)):
    show("jacobian of a wrong input", lambda: jacobian(square, wrong))
for wrong in (3, [x], (x, 3)):
    show("jacobian of a wrong output", lambda: jacobian(lambda x: wrong, x))

show("hessian cube", lambda: hessian(cube, x))
show("hessian mixed", lambda: hessian(mixed, (x, y)))
show("hessian vectorized", lambda: hessian(cube, x, vectorize=True))
show("hessian forward over reverse",
     lambda: hessian(cube, x, vectorize=True, outer_jacobian_strategy="forward-mode").detach())
show("hessian with graph", lambda: hessian(cube, x, create_graph=True))
show("hessian of a vector", lambda: hessian(square, x))
show("hessian of a tuple", lambda: hessian(lambda x: (x.sum(), x), x))
show("hessian of one element", lambda: hessian(lambda x: x.sum().reshape(1, 1), x))
show("hessian linear", lambda: hessian(lambda x: x.sum(), x))
show("hessian linear strict", lambda: hessian(lambda x: x.sum(), x, strict=True))

for name, f in (("vjp", vjp), ("jvp", jvp)):
    show(f"{name} square", lambda: f(square, x, torch.ones(3)))
    show(f"{name} several", lambda: f(several, (x, y), (x, torch.tensor(2.0)) if name == "vjp" else (x, y)))
    show(f"{name} without v", lambda: f(square, torch.tensor(2.0)))
    show(f"{name} must have v", lambda: f(square, x))
    show(f"{name} wrong v", lambda: f(square, x, torch.ones(2)))
    show(f"{name} too many v", lambda: f(square, x, (x, x)))
    show(f"{name} with graph", lambda: f(square, x, torch.ones(3), create_graph=True))
    show(f"{name} constant", lambda: f(constant, x, torch.ones(2) if name == "vjp" else x))
    show(f"{name} constant strict", lambda: f(constant, x, torch.ones(2) if name == "vjp" else x, strict=True))
    show(f"{name} unused strict", lambda: f(first, (x, y), torch.ones(3) if name == "vjp" else (x, y), strict=True))
for name, f in (("hvp", hvp), ("vhp", vhp)):
    show(f"{name} cube", lambda: f(cube, x, torch.ones(3)))
    show(f"{name} mixed", lambda: f(mixed, (x, y), (x, y)))
    show(f"{name} one element", lambda: f(cube, torch.tensor(2.0)))
    show(f"{name} must have v", lambda: f(cube, x))
    show(f"{name} wrong v", lambda: f(cube, x, torch.ones(2)))
    show(f"{name} of a vector", lambda: f(square, x, x))
    show(f"{name} linear", lambda: f(lambda x: x.sum(), x, x))
    show(f"{name} linear strict", lambda: f(lambda x: x.sum(), x, x, strict=True))
    show(f"{name} graph", lambda: [t.requires_grad for t in f(cube, x, x, create_graph=True)])
