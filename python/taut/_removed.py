"""Functions that PyTorch has by name only: they say what to call instead."""


def _removed(name, text):
    def removed(*args, **kwargs):
        raise RuntimeError(f"This function was deprecated since version 1.9 and is now removed. {text}")

    removed.__name__ = removed.__qualname__ = name
    removed.__doc__ = f"Raises: {text}"
    return removed


eig = _removed("eig", "`torch.linalg.eig` returns the eigenvalues and eigenvectors as complex tensors, and "
                      "`torch.linalg.eigvals` the eigenvalues alone.")
symeig = _removed("symeig", "`torch.linalg.eigh(A)` returns eigenvalues and eigenvectors, and `torch.linalg.eigvalsh(A)` the "
                            "eigenvalues alone. Both read the lower triangle unless UPLO='U' is given.")
solve = _removed("solve", "Of `torch.solve(B, A)` the solution is `torch.linalg.solve(A, B)`; the factorization is that of "
                          "`torch.linalg.lu_factor(A)`.")
lstsq = _removed("lstsq", "Of `torch.lstsq(B, A)` the solution is `torch.linalg.lstsq(A, B).solution`; residuals are a field of "
                          "their own.")
matrix_rank = _removed("matrix_rank", "Please use the `torch.linalg.matrix_rank` function instead; its parameter `hermitian` was "
                                      "called `symmetric`.")
