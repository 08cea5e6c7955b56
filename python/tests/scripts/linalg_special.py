# torch.linalg and torch.special, as far as they go.
import torch
from torch import linalg, special


def show(name, f):
    try:
        print(name, "->", f())
    except Exception as error:
        print(name, "->", type(error).__name__)


inf = float("inf")
v = torch.tensor([1.0, -2.0, 3.0])
a = torch.arange(12.0).reshape(3, 4) - 5
b = torch.arange(24.0).reshape(2, 3, 4)
for order in (2, 1, 0, inf, -inf, -1, 3.5):
    show(f"vector_norm {order}", lambda: linalg.vector_norm(v, order))
show("vector_norm all", lambda: linalg.vector_norm(a))
show("vector_norm dim", lambda: linalg.vector_norm(a, 2, 1))
show("vector_norm keepdim", lambda: linalg.vector_norm(a, dim=(0, 1), keepdim=True))
show("vector_norm dtype", lambda: linalg.vector_norm(v, dtype=torch.double))
show("vector_norm out", lambda: linalg.vector_norm(a, ord=1, dim=0, out=torch.empty(4)))
show("vector_norm of ints", lambda: linalg.vector_norm(torch.tensor([1, 2])))
for order in (None, "fro", 1, -1, inf, -inf, "other", 3):
    show(f"norm {order}", lambda: linalg.norm(a, order))
    show(f"matrix_norm {order}", lambda: linalg.matrix_norm(b, order or "fro"))
show("norm of a vector", lambda: (linalg.norm(v), linalg.norm(v, 0), linalg.norm(a, 2, dim=1)))
show("norm of matrices", lambda: (linalg.norm(b, "fro", dim=(1, 2)), linalg.norm(b, 1, (0, 2), keepdim=True)))
show("norm of three dimensions", lambda: linalg.norm(b))
show("norm of three dimensions, ord", lambda: linalg.norm(b, 1))
show("matrix_norm of a vector", lambda: linalg.matrix_norm(v))
show("matmul", lambda: linalg.matmul(a, a.T))
show("diagonal", lambda: (linalg.diagonal(a), linalg.diagonal(b, offset=1)))
show("vecdot", lambda: (linalg.vecdot(v, v), linalg.vecdot(a, a), linalg.vecdot(a, a, dim=0)))
for chain in ([a, a.T, v], [v, a, a.T, v], [a, a.T, a]):
    show("multi_dot", lambda: linalg.multi_dot(chain))
for wrong in ([a], [a, v, a], [a, a]):
    show("multi_dot", lambda: linalg.multi_dot(wrong))
for n in (0, 1, 2, 3, 5):
    show(f"matrix_power {n}", lambda: linalg.matrix_power(a[:, :3] / 4, n))
show("matrix_power of no square", lambda: linalg.matrix_power(a, 2))
show("vander", lambda: (linalg.vander(v), linalg.vander(v, N=5)))

p = torch.tensor([0.1, 0.5, 0.9])
for name in "expit exp2 expm1 log1p erf erfc erfinv gammaln digamma psi logit round sinc".split():
    show(name, lambda: getattr(special, name)(p))
show("softmax", lambda: (special.softmax(v, 0), special.log_softmax(a, 1, dtype=torch.double), special.logsumexp(a, 0)))
show("xlogy", lambda: special.xlogy(v, p))
show("polygamma", lambda: special.polygamma(1, p))
show("logit", lambda: special.logit(torch.tensor([0.1, 2.0]), eps=1e-3))
show("round", lambda: special.round(torch.tensor([0.126]), decimals=2))
x = p.clone().requires_grad_()
show("gradient", lambda: torch.autograd.grad(special.expit(x).sum() + linalg.vector_norm(x), x))
