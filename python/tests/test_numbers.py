"""Values that once differed from PyTorch's, seen from Python."""

import pytest
import taut as torch
from taut import nn


def test_result_type_takes_dimensions_before_zero_dimensions():
    small = torch.ones(1, dtype=torch.int8)
    assert torch.result_type(small, torch.tensor(1)) is torch.int8
    assert torch.result_type(small, torch.tensor(1.0)) is torch.float32
    assert torch.result_type(1, 2.0) is torch.float32
    assert torch.result_type(True, False) is torch.bool


def test_grad_scaler_does_not_overflow_half_precision():
    assert (torch.tensor([0.001], dtype=torch.half) * 65536.0).item() == 65.5625
    x = torch.tensor([0.001], dtype=torch.half)
    x *= 65536
    assert x.item() == 65.5625


def test_an_integer_outside_the_dtype_divides_as_it_is():
    x = torch.tensor([200], dtype=torch.uint8)
    assert (x / 256).item() == 0.78125 and (x / -1).item() == -200
    assert (torch.tensor(True) ** True).dtype is torch.bool


@pytest.mark.parametrize("size", [(4,), (2, 3, 1), (2,), (1, 1, 3), (4, 3)])
def test_sum_to_size_refuses_what_does_not_expand(size):
    with pytest.raises(RuntimeError, match="not expandable"):
        torch.ones(2, 3).sum_to_size(*size)
    assert torch.ones(2, 3).sum_to_size(1, 3).tolist() == [[2, 2, 2]]


def test_load_state_dict_refuses_three_numbers_for_one():
    m = nn.Module()
    m.p = nn.Parameter(torch.tensor(1.0))
    m.load_state_dict({"p": torch.ones(1)})
    with pytest.raises(RuntimeError, match="size mismatch"):
        m.load_state_dict({"p": torch.ones(3)})


@pytest.mark.parametrize("first,second", [(True, False), (False, True)])
def test_a_new_buffer_says_whether_it_is_persistent(first, second):
    m = nn.Module()
    m.register_buffer("b", torch.ones(1), persistent=first)
    m.b = nn.Buffer(torch.zeros(1), persistent=second)
    assert list(m.state_dict()) == (["b"] if second else [])


def test_skip_init_uses_up_no_random_numbers():
    torch.manual_seed(0)
    wanted = torch.rand(1)
    torch.manual_seed(0)
    nn.utils.skip_init(nn.Linear, 2, 3)
    assert torch.equal(torch.rand(1), wanted)


def test_circular_padding_after_cutting():
    x = torch.arange(8.0).view(1, 1, 2, 4)
    assert nn.functional.pad(x, (1, -1, -1, 1), mode="circular").tolist() == [[[[6, 4, 5, 6], [6, 4, 5, 6]]]]


@pytest.mark.parametrize("reduce, wanted", [("mean", [[2.0], [0.0], [5.0]]), ("amax", [[3.0], [0.0], [5.0]]), ("amin", [[1.0], [0.0], [5.0]])])
def test_a_sparse_product_reduces_as_it_is_told(reduce, wanted):
    a = torch.tensor([[1.0, 3.0], [0.0, 0.0], [0.0, 5.0]]).to_sparse_csr().requires_grad_()
    b = torch.ones(2, 1, requires_grad=True)
    y = torch.sparse.mm(a, b, reduce)
    assert y.tolist() == wanted
    ga, gb = torch.autograd.grad(y.sum(), (a, b))
    share = dict(mean=[0.5, 0.5, 1], amax=[0, 1, 1], amin=[1, 0, 1])[reduce]
    assert ga.layout is torch.sparse_csr and ga.values().tolist() == share
    assert gb.tolist() == [[share[0] * 1], [share[1] * 3 + 5]]


def test_a_sparse_product_refuses_other_reductions_and_layouts():
    a = torch.eye(2)
    with pytest.raises(RuntimeError, match="reduce argument must be either sum, mean, amax or amin"):
        torch.sparse.mm(a.to_sparse_csr(), a, "prod")
    with pytest.raises(RuntimeError, match="CSR"):
        torch.sparse.mm(a.to_sparse(), a, "mean")


def test_masked_statistics_of_complex_numbers():
    z, mask = torch.tensor([1 + 2j, 3 - 1j, 100 + 0j], dtype=torch.complex128), torch.tensor([True, True, False])
    assert torch.masked.mean(z, mask=mask).item() == 2 + 0.5j
    assert torch.masked.var(z, mask=mask).item() == 6.5
    assert torch.masked.logsumexp(z, 0, mask=torch.tensor([True, False, False])).item() == pytest.approx(1 + 2j)


def test_arrays_have_the_integers_of_numpy():
    np = pytest.importorskip("numpy")
    for name in ("int64", "uint64", "int32"):
        assert torch.ones(2).to(getattr(torch, name)).numpy().dtype.type is getattr(np, name)


def test_fill_keeps_the_graph_and_gives_no_gradient():
    x = torch.ones(2, requires_grad=True)
    y = torch.fill(x, 3)
    y.sum().backward()
    assert y.tolist() == [3, 3] and x.grad.tolist() == [0, 0]


def test_a_derivative_of_samples_takes_no_spacing():
    assert [t.tolist() for t in torch.gradient(torch.arange(3.0), spacing=None)] == [[1, 1, 1]]


def test_dtypes_name_those_of_their_parts():
    assert torch.complex64.to_real() is torch.float32 and torch.int8.to_real() is torch.int8
    assert torch.bfloat16.to_complex() is torch.complex64 and torch.float16.to_complex() is torch.complex32
    with pytest.raises(RuntimeError, match="Unknown Complex ScalarType for Char"):
        torch.int8.to_complex()


def test_storages_convert_and_copy():
    import copy

    bytes_ = torch.tensor([1, 2], dtype=torch.uint8).untyped_storage()
    assert bytes_.float().tolist() == [1, 2] and bytes_.untyped() is bytes_ and bytes_.get_device() == -1
    assert bytes_.to(device="cpu") is bytes_ and bytes_.resizable() and bytes_.filename is None
    other = copy.deepcopy([bytes_, bytes_])
    assert other[0] is other[1] and other[0].tolist() == [1, 2] and other[0].data_ptr() != bytes_.data_ptr()


def test_a_generator_is_cloned_in_its_state():
    g = torch.Generator().manual_seed(3)
    torch.rand(2, generator=g)
    other = g.clone_state()
    assert torch.equal(torch.rand(3, generator=g), torch.rand(3, generator=other)) and g.device == torch.device("cpu")


def test_fake_quantisation_rounds_and_passes_gradients_in_its_range():
    x = torch.tensor([-1.0, 0.26, 0.35, 0.9], requires_grad=True)
    y = torch.fake_quantize_per_tensor_affine(x, 0.1, 0, -8, 7)
    assert y.tolist() == pytest.approx([-0.8, 0.3, 0.4, 0.7]) and torch.autograd.grad(y.sum(), x)[0].tolist() == [0, 1, 1, 0]
    scales, zeros = torch.tensor([0.1, 0.5]), torch.tensor([0, 1], dtype=torch.int32)
    z = torch.fake_quantize_per_channel_affine(torch.full((2, 2), 0.6), scales, zeros, 1, 0, 4)
    assert z.tolist() == [[pytest.approx(0.4), 0.5]] * 2
    with pytest.raises(RuntimeError, match="zero_point. must be between"):
        torch.fake_quantize_per_tensor_affine(x, 0.1, 9, 0, 7)


def test_grouped_products_take_parts_or_matrices():
    grouped_mm, ends = nn.functional.grouped_mm, torch.tensor([1, 3], dtype=torch.int32)
    a, b = torch.arange(8.0).view(4, 2), torch.arange(8.0).view(2, 2, 2)
    assert torch.equal(grouped_mm(a, b, offs=ends), torch.cat([a[:1] @ b[0], a[1:3] @ b[1], torch.zeros(1, 2)]))
    assert torch.equal(grouped_mm(b, a.T, offs=ends), torch.cat([b[0] @ a.T[:, :1], b[1] @ a.T[:, 1:3], torch.zeros(2, 1)], 1))
    assert torch.equal(grouped_mm(a.T, a, offs=ends), torch.stack([a.T[:, :1] @ a[:1], a.T[:, 1:3] @ a[1:3]]))
    assert torch.equal(grouped_mm(b, b), b @ b)
    with pytest.raises(RuntimeError, match="Have to provide offsets"):
        grouped_mm(a, b)
