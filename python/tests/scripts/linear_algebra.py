# torch.linalg and the old names: values, and the words of what goes wrong.
import torch
from torch import linalg


def show(name, f):
    try:
        print(name, "->", f())
    except Exception as error:
        print(name, "->", type(error).__name__, error)


torch.manual_seed(0)
a = torch.tensor([[4.0, 1.0, 0.7], [1.0, 3.0, -1.1], [0.7, -1.1, 2.0]])
w = torch.tensor([[1.0, 2.0], [3.0, 5.0], [-1.0, 4.0]])
both = torch.stack([torch.eye(2), torch.zeros(2, 2)])
zero, nan = torch.zeros(2, 2), torch.full((2, 2), float("nan"))

for name in "inv det slogdet cholesky eigvalsh svdvals matrix_rank pinv matrix_exp cond".split():
    show(name, lambda: getattr(linalg, name)(a))
for name in "inverse det slogdet logdet cholesky pinverse matrix_exp".split():
    if name != "cholesky":
        show(f"torch.{name}", lambda: getattr(torch, name)(a))
        show(f"method {name}", lambda: getattr(a, name)())
show("solve", lambda: linalg.solve(a, w + 0.25))
show("solve of a vector", lambda: linalg.solve(a, w[:, 1]))
show("inv_ex", lambda: linalg.inv_ex(both[0]))
show("cholesky_ex", lambda: linalg.cholesky_ex(both))
show("lu_factor", lambda: linalg.lu_factor(a))
show("lu", lambda: linalg.lu(w))
show("torch.lu", lambda: torch.lu_unpack(*linalg.lu_factor(a)))
show("lu_solve", lambda: linalg.lu_solve(*linalg.lu_factor(a), w + 0.25))
show("ldl", lambda: linalg.ldl_factor(a))
show("ldl_solve", lambda: linalg.ldl_solve(*linalg.ldl_factor(a), w + 0.25))
show("eigh", lambda: (linalg.eigh(a)[0], linalg.eigh(a).eigenvectors.abs()))
show("svd", lambda: linalg.svd(w, full_matrices=False))
show("torch.svd", lambda: torch.svd(w))
show("qr", lambda: linalg.qr(w))
show("qr r", lambda: linalg.qr(w, mode="r"))
show("geqrf", lambda: torch.geqrf(w))
show("lstsq", lambda: linalg.lstsq(w, a[:, :1], driver="gelsd"))
show("lstsq gels", lambda: linalg.lstsq(w, a[:, :1], driver="gels"))
show("norms", lambda: [linalg.matrix_norm(w, p) for p in ("nuc", 2, -2)])
show("norm nuc", lambda: (torch.norm(w, "nuc"), w.norm("nuc"), torch.nuclear_norm(w), linalg.norm(w, 2)))
show("cond", lambda: [linalg.cond(a, p) for p in (1, -1, 2, -2, "fro", "nuc", float("inf"))])
show("matrix_power", lambda: linalg.matrix_power(a, -2))
show("tensorinv", lambda: linalg.tensorinv(torch.eye(4).reshape(2, 2, 4) * 2, ind=2))
show("tensorsolve", lambda: linalg.tensorsolve(torch.eye(4).reshape(2, 2, 4) * 2, zero + 1))
show("cross", lambda: (linalg.cross(a, w[:, 1] * a), torch.cross(a, w[:, 1] * a, dim=1), a.cross(w[:, :1] * a, 0)))
show("chain_matmul", lambda: torch.chain_matmul(w.T, a, w))
show("triangular", lambda: linalg.solve_triangular(a, w, upper=True))
show("out", lambda: linalg.inv(a, out=torch.empty(3, 3)))
show("svd_lowrank", lambda: torch.svd_lowrank(a, q=2)[1])
show("pca_lowrank", lambda: torch.pca_lowrank(w, q=2)[1])
show("pca_lowrank", lambda: torch.pca_lowrank(w, q=5))
show("lobpcg", lambda: torch.lobpcg(a, k=1, niter=100, tol=1e-7)[0])
show("lobpcg of too many", lambda: torch.lobpcg(a, k=2))

for name in "cholesky inv lu_factor svd svdvals eigh".split():
    show(f"{name} of zeros", lambda: getattr(linalg, name)(zero)[0])
    show(f"{name} of no square", lambda: getattr(linalg, name)(w)[0].shape)
    show(f"{name} of a vector", lambda: getattr(linalg, name)(w[0]))
    show(f"{name} of nan", lambda: getattr(linalg, name)(nan)[0].shape)
show("a batch", lambda: linalg.cholesky(both))
show("a batch", lambda: linalg.inv(both))
show("a batch", lambda: linalg.solve(both, zero))
show("a batch", lambda: linalg.svd(torch.stack([zero, nan])))
show("solve of other rows", lambda: linalg.solve(a, zero))
show("solve of other dtypes", lambda: linalg.solve(a, a.double()))
show("qr mode", lambda: linalg.qr(a, mode="x"))
show("eigh UPLO", lambda: linalg.eigh(a, UPLO="x"))
show("no pivots", lambda: linalg.lu(a, pivot=False))
show("drivers", lambda: linalg.lstsq(a, a, driver="x"))
show("drivers", lambda: linalg.svd(a, driver="gesvd"))
show("singular power", lambda: linalg.matrix_power(zero, -1))
print(linalg.LinAlgError.__mro__[1], linalg.LinAlgError is torch._C._LinAlgError)

x, weights = a.double().requires_grad_(), torch.tensor([1.0, 2.5, -3.5]).double()
for name in "inv det cholesky eigvalsh svdvals pinv matrix_exp cond".split():
    show(f"gradient of {name}", lambda: torch.autograd.grad((getattr(linalg, name)(x) * weights).sum(), x))
