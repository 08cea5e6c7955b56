"""Complex numbers as Python sees them: numbers, arrays, files, parts, printing."""

import io
import warnings

import numpy as np
import pytest
import taut as torch


def test_numbers_of_python_and_tensors_mix():
    z = torch.tensor([1 + 2j, 3 - 1j])
    assert z.dtype is torch.complex64 is torch.cfloat
    assert (z * 2j).tolist() == [-4 + 2j, 2 + 6j]
    assert (1j + torch.ones(2)).tolist() == [1 + 1j, 1 + 1j]
    assert z[0].item() == 1 + 2j and complex(z[1]) == 3 - 1j
    assert torch.tensor(1j, dtype=complex).dtype is torch.complex128
    assert torch.full((2,), 1j).dtype is torch.complex64
    assert (z == 3 - 1j).tolist() == [False, True]
    assert z.cdouble().dtype is torch.complex128
    with pytest.raises(RuntimeError):
        float(z[0])
    with pytest.raises(RuntimeError, match="can't be cast"):
        torch.ones(2).mul_(1j)


def test_dtypes_know_what_they_are():
    assert torch.complex64.is_complex and not torch.complex64.is_floating_point
    assert torch.complex128.itemsize == 16
    assert repr(torch.chalf) == "torch.complex32"
    assert torch.promote_types(torch.complex64, torch.float64) is torch.complex128
    assert not torch.can_cast(torch.complex64, torch.float64)
    assert torch.finfo(torch.complex64).eps == torch.finfo(torch.float32).eps


def test_arrays_of_numpy_share_memory():
    a = np.array([[1 + 2j, 3], [4j, 5 - 1j]])
    z = torch.from_numpy(a)
    assert z.dtype is torch.complex128
    z[0, 0] = 7j
    assert a[0, 0] == 7j
    back = z.t().numpy()
    assert back.dtype == np.complex128 and (back == a.T).all()
    assert torch.tensor(np.complex64(1 + 1j)).dtype is torch.complex64
    assert (torch.ones(2) * np.complex64(1j)).tolist() == [1j, 1j]
    with pytest.raises(RuntimeError, match="conjugate bit"):
        z.conj().numpy()
    assert (np.from_dlpack(z) == a).all()


def test_parts_are_views_that_can_be_assigned():
    z = torch.tensor([1 + 2j, 3 - 1j])
    z.real = torch.tensor([5.0, 6.0])
    z.imag[0] = -1
    assert z.tolist() == [5 - 1j, 6 - 1j]
    assert torch.ones(2).real.tolist() == [1, 1]
    with pytest.raises(RuntimeError, match="imag is not implemented"):
        torch.ones(2).imag  # noqa: B018
    assert torch.isreal(torch.tensor([1j, 2 + 0j])).tolist() == [False, True]


def test_conjugates_are_lazy():
    z = torch.tensor([[1 + 2j, 3 - 1j]])
    assert z.conj().is_conj() and not z.is_conj() and not z.conj().resolve_conj().is_conj()
    assert z.mH.is_conj() and z.H.shape == (2, 1) and z.mH.tolist() == [[1 - 2j], [3 + 1j]]
    assert torch.ones(2).conj().is_conj() is False
    assert (z @ z.mH).tolist() == [[15 + 0j]]


def test_they_are_printed_as_pytorch_does():
    assert repr(torch.tensor([0.5 + 1j, -2j])) == "tensor([0.5000+1.j, -0.0000-2.j])"
    assert repr(torch.tensor([1 + 2j], requires_grad=True)) == "tensor([1.+2.j], requires_grad=True)"
    assert str(torch.view_as_complex(torch.arange(8.0).view(2, 2, 2))) == "tensor([[0.+1.j, 2.+3.j],\n        [4.+5.j, 6.+7.j]])"


def test_a_cast_to_real_warns():
    with pytest.warns(UserWarning, match="discards the imaginary part"):
        assert torch.tensor([1 + 2j]).float().tolist() == [1]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        x = torch.ones(2, requires_grad=True)
        (x * 1j).abs().sum().backward()
        assert x.grad.dtype is torch.float32
        assert torch.tensor([1j]).bool().tolist() == [True]


def test_gradients_are_pytorchs():
    z = torch.tensor([1 + 2j, -0.5 + 0.25j], requires_grad=True)
    loss = (z.exp() * torch.tensor([1j, 2.0])).abs().sum() + torch.angle(z).sum()
    loss.backward()
    torch.testing.assert_close(z.grad, torch.tensor([2.3182819 + 0.2j, 0.4130613 - 1.6j]))
    with pytest.raises(RuntimeError, match="only for real scalar outputs"):
        z.sum().backward()
    assert torch.autograd.gradcheck(lambda a: a * a.conj() + a.abs(), z.detach().to(torch.complex128).requires_grad_())


def test_files_keep_them(tmp_path):
    z = torch.tensor([1 + 2j, 3 - 1j])
    buffer = io.BytesIO()
    torch.save({"z": z, "wide": z.cdouble().conj(), "number": 2 - 1j}, buffer)
    buffer.seek(0)
    loaded = torch.load(buffer)
    assert loaded["z"].tolist() == z.tolist() and loaded["wide"].tolist() == z.conj().tolist()
    assert loaded["wide"].dtype is torch.complex128 and loaded["number"] == 2 - 1j
    torch.safetensors.save_file({"z": z}, str(tmp_path / "z.safetensors"))
    assert torch.safetensors.load_file(str(tmp_path / "z.safetensors"))["z"].tolist() == z.tolist()


def test_what_has_no_order_is_refused():
    z = torch.tensor([1 + 2j, 3 - 1j])
    for f in (lambda: z < z, lambda: z.max(), lambda: z.sort(), lambda: z.relu(), lambda: z // 2, lambda: torch.arange(3, dtype=torch.cfloat)):
        with pytest.raises((RuntimeError, TypeError)):
            f()


def test_parameters_are_trained():
    w = torch.nn.Parameter(torch.tensor([0.5 + 0.5j]))
    for optimizer in (torch.optim.AdamW([w], lr=0.1), torch.optim.SGD([w], lr=0.1, momentum=0.9),
                      torch.optim.LBFGS([w], line_search_fn="strong_wolfe")):
        def closure():
            optimizer.zero_grad()
            loss = (w - (1 - 2j)).abs().square().sum()
            loss.backward()
            return loss
        before = closure().item()
        for _ in range(5):
            optimizer.step(closure)
        assert closure().item() < before or before < 1e-9


@pytest.mark.parametrize("dtype", [torch.float64, torch.complex128])
@pytest.mark.parametrize("name", ["eig", "eigh", "svd"])
def test_gradients_of_vectors_whose_phases_do_not_matter(name, dtype):
    torch.manual_seed(3)
    a = torch.randn(2, 4, 4, dtype=dtype, requires_grad=True)
    weight = torch.rand(3, 2, 4, 4, dtype=torch.float64)

    def f(a):
        found = getattr(torch.linalg, name)(a + a.mH if name == "eigh" else a)
        return sum((part.abs().square() * (w if part.dim() == 3 else w[..., 0])).sum() for part, w in zip(found, weight))

    assert torch.autograd.gradcheck(f, (a,)) and torch.autograd.gradgradcheck(f, (a,))
