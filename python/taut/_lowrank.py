"""Decompositions of which only a part is wanted: svd_lowrank, pca_lowrank, lobpcg."""

from . import _C
from .linalg import cholesky, eigh, qr, solve_triangular, svd

_ops = _C.ops


def _basis(A, q, niter, M):
    """Orthonormal columns that span most of the range of A - M, after Halko, Martinsson and Tropp."""
    def times(matrix, x):
        return matrix @ x if M is None else matrix @ x - (M if matrix is A else M.mH) @ x

    q = 6 if q is None else q
    Q = qr(times(A, _ops["randn"]([A.shape[-1], q], dtype=A.dtype)))[0]
    for _ in range(niter):
        Q = qr(times(A.mH, Q) if M is None else A.mH @ Q - M.mH @ Q)[0]
        Q = qr(times(A, Q))[0]
    return Q


def svd_lowrank(A, q=6, niter=2, M=None):
    """The singular value decomposition U diag(S) V' of a matrix of low rank, or its greatest part: q values."""
    m, n = A.shape[-2:]
    if M is not None:
        M = M.broadcast_to(A.shape)
    turned = m < n
    if turned:
        A, M = A.mH, None if M is None else M.mH
    Q = _basis(A, q, niter, M)
    B = Q.mH @ A
    if M is not None:
        B = B - Q.mH @ M
    U, S, Vh = svd(B, full_matrices=False)
    U, V = Q @ U, Vh.mH
    return (V, S, U) if turned else (U, S, V)


def pca_lowrank(A, q=None, center=True, niter=2):
    """The principal components of the rows of a matrix: (U, S, V), the columns of V are the directions."""
    m, n = A.shape[-2:]
    if q is None:
        q = min(6, m, n)
    elif not (0 <= q <= min(m, n)):
        raise ValueError(f"q(={q}) must be non-negative integer and not greater than min(m, n)={min(m, n)}")
    if not niter >= 0:
        raise ValueError(f"niter(={niter}) must be non-negative integer")
    if not A.is_floating_point():
        raise ValueError(f"input must be floating point tensor. Got {A.dtype}")
    return svd_lowrank(A - A.mean(-2, True) if center else A, q, niter)


def lobpcg(A, k=None, B=None, X=None, n=None, iK=None, niter=None, tol=None, largest=None, method=None, tracker=None,
           ortho_iparams=None, ortho_fparams=None, ortho_bparams=None):
    """The k largest (or smallest) eigenvalues of a symmetric matrix, and their eigenvectors; with B those of A x = e B x.

    Matrices here are dense, so all pairs are computed, exactly, and the arguments that steer an iteration are not needed.
    """
    size = A.shape[-1]
    k = (1 if X is None else X.shape[-1]) if k is None else k
    if size < 3 * k:
        raise ValueError(f"LOBPCG algorithm is not applicable when the number of A rows (={size}) is smaller than 3 x the "
                         f"number of requested eigenpairs (={k})")
    A = (A + A.mH) / 2
    if B is not None:  # A x = e B x is (L^-1 A L^-H) y = e y with x = L^-H y
        L = cholesky((B + B.mH) / 2)
        A = solve_triangular(L, solve_triangular(L, A, upper=False).mH, upper=False)
    values, vectors = eigh(A)
    if largest is None or largest:
        values, vectors = values.flip(-1), vectors.flip(-1)
    values, vectors = values[..., :k], vectors[..., :k]
    return values, vectors if B is None else solve_triangular(L.mH, vectors, upper=True)
