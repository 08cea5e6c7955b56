# torch.func: derivatives, nested in each other, vmap and functional_call.
import torch
from torch.func import grad, grad_and_value, hessian, jacfwd, jacrev, jvp, linearize, vjp, vmap


def show(name, f):
    try:
        print(name, "->", f())
    except Exception as error:
        print(name, "->", type(error).__name__)


x, y = torch.arange(1.0, 4.0), torch.arange(2.0, 5.0)
scalar = torch.tensor(1.0)
cube = lambda x: (x**3).sum()  # noqa: E731
mixed = lambda x, y: (x * x * y).sum()  # noqa: E731
several = lambda x, y: (x * y, x.sum())  # noqa: E731

show("grad", lambda: grad(torch.sin)(scalar))
show("grad grad", lambda: grad(grad(torch.sin))(scalar))
show("grad grad grad", lambda: grad(grad(grad(lambda x: x**4)))(scalar))
for argnums in (0, 1, -1, (0, 1), (1,), 2, (), "a", (0, 0)):
    show(f"grad argnums={argnums}", lambda: grad(mixed, argnums=argnums)(x, y))
show("grad of a dict", lambda: grad(lambda d: (d["a"] * d["b"][0]).sum())({"a": x, "b": [y]}))
show("value", lambda: grad_and_value(lambda x: (x * x).sum())(x))
show("aux", lambda: grad(lambda x: ((x * x).sum(), x + 1), has_aux=True)(x))
show("value and aux", lambda: grad_and_value(lambda x: ((x * x).sum(), {"k": x + 1}), has_aux=True)(x))
show("aux missing", lambda: grad(lambda x: x.sum(), has_aux=True)(x))
show("grad of a vector", lambda: grad(lambda x: x)(x))
show("grad of a number", lambda: grad(lambda x: 3.0)(x))
show("grad of a constant", lambda: grad(lambda x: torch.ones(()))(x))
show("grad by a number", lambda: grad(lambda x: x)(3.0))
required = x.clone().requires_grad_()
show("grad of a leaf", lambda: grad(lambda x: (x * x).sum())(required))
show("grad with a leaf inside", lambda: grad(lambda x: (x * x * required).sum())(x))
with torch.no_grad():
    show("grad under no_grad", lambda: grad(lambda x: (x * x).sum())(required))

show("vjp", lambda: vjp(lambda x: x * x, x)[1](torch.ones(3)))
output, back = vjp(several, x, y)
show("vjp output", lambda: output)
show("vjp several", lambda: back((y, scalar)))
show("vjp again", lambda: back((x, scalar)))
show("vjp wrong shape", lambda: back((torch.ones(2), scalar)))
show("vjp wrong nesting", lambda: back(x))
show("vjp aux", lambda: vjp(lambda x: (x * x, x + 1), x, has_aux=True)[2])
show("jvp", lambda: jvp(lambda x: x * x, (x,), (torch.ones(3),)))
show("jvp several", lambda: jvp(several, (x, y), (x, y)))
show("jvp aux", lambda: jvp(lambda x: (x * x, x + 1), (x,), (x,), has_aux=True))
show("jvp no tuple", lambda: jvp(lambda x: x * x, x, x))
show("jvp too many", lambda: jvp(lambda x: x * x, (x,), (x, x)))
show("jvp constant", lambda: jvp(lambda x: torch.ones(2), (x,), (x,)))
show("jvp constant strict", lambda: jvp(lambda x: torch.ones(2), (x,), (x,), strict=True))
output, forward = linearize(lambda x: x * x, x)
show("linearize", lambda: (output, forward(x), forward(y)))

for name, f in (("jacrev", jacrev), ("jacfwd", jacfwd)):
    show(name, lambda: f(lambda x: x * x)(x))
    show(f"{name} several", lambda: f(several, argnums=(0, 1))(x, y))
    show(f"{name} of a dict", lambda: f(lambda d: {"o": 2 * d["a"]})({"a": x}))
    show(f"{name} aux", lambda: f(lambda x: (x * x, x.sum()), has_aux=True)(x))
    show(f"{name} of a number", lambda: f(lambda x: x.sum())(x))
    show(f"{name} argnums", lambda: f(lambda x: x, argnums=1)(x))
show("hessian", lambda: hessian(cube)(x))
show("hessian of two", lambda: hessian(mixed, argnums=(0, 1))(x, y))
for outer in (jacrev, jacfwd):
    for inner in (jacrev, jacfwd):
        show("second derivatives", lambda: outer(inner(lambda x: x**3))(x)[1])
show("jvp of grad", lambda: jvp(grad(cube), (x,), (x,)))
show("grad of jvp", lambda: grad(lambda x: jvp(cube, (x,), (x,))[1])(x))
show("vjp of grad", lambda: vjp(grad(cube), x)[1](x))

m = torch.arange(6.0).view(2, 3)
show("vmap", lambda: vmap(torch.dot)(m, m))
show("vmap in_dims", lambda: vmap(torch.dot, in_dims=(0, None))(m, x))
show("vmap in and out", lambda: vmap(lambda x: 2 * x, in_dims=1, out_dims=1)(m))
show("vmap last", lambda: vmap(lambda x: x, in_dims=-1, out_dims=-1)(m))
show("vmap of two results", lambda: vmap(lambda x: (x, x.sum()), out_dims=(1, 0))(m))
show("vmap vmap", lambda: vmap(vmap(lambda x: x * x))(m))
show("vmap of a dict", lambda: vmap(lambda d: d["a"].sum(), in_dims=({"a": 0},))({"a": m}))
show("vmap of a number", lambda: vmap(lambda x, n: x * n, in_dims=(0, None))(m, 3.0))
show("vmap keyword", lambda: vmap(lambda x, *, k: x + k)(m, k=x))
show("vmap constant", lambda: vmap(lambda x: torch.ones(2))(m))
show("vmap out None", lambda: vmap(lambda x: torch.ones(2), out_dims=None)(m))
show("vmap out None of items", lambda: vmap(lambda x: x.sum(), out_dims=None)(m))
show("vmap chunks", lambda: vmap(lambda x: 2 * x, chunk_size=1)(m))
show("vmap sizes", lambda: vmap(lambda x, y: x + y)(m, torch.ones(3, 3)))
show("vmap nothing", lambda: vmap(lambda x: x)())
show("vmap None", lambda: vmap(lambda x: x, in_dims=None)(m))
show("vmap only None", lambda: vmap(lambda x: x, in_dims=(None,))(m))
show("vmap text", lambda: vmap(lambda x: x, in_dims="a")(m))
show("vmap too far", lambda: vmap(lambda x: x, in_dims=2)(m))
show("vmap too many", lambda: vmap(lambda x: x, in_dims=(0, 0))(m))
show("vmap over a number", lambda: vmap(lambda x, y: x)(m, 3.0))
show("vmap number out", lambda: vmap(lambda x: 3.0)(m))
show("vmap out too many", lambda: vmap(lambda x: x, out_dims=(0, 0))(m))
show("vmap out too far", lambda: vmap(lambda x: x.sum(), out_dims=1)(m))
show("vmap random", lambda: vmap(lambda x: x + torch.randn(3))(m))
torch.manual_seed(0)
show("vmap same", lambda: vmap(lambda x: x + torch.randn(1), randomness="same")(m))
show("vmap randomness", lambda: vmap(lambda x: x, randomness="other")(m))
show("vmap grad", lambda: vmap(grad(lambda x: (x * x).sum()))(m))
show("jacrev vmap", lambda: jacrev(vmap(lambda x: x.sum()))(m))
show("torch.vmap", lambda: torch.vmap(lambda x: x + 1)(m))
