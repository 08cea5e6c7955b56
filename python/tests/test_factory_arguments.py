"""What factories make of memory_format, layout and wrong arguments; names that PyTorch keeps for old programs."""

import numpy
import pytest
import taut as torch


def test_memory_format_orders_the_memory():
    for made in (torch.empty(2, 3, 4, 5, memory_format=torch.channels_last), torch.zeros_like(torch.ones(2, 3, 4, 5), memory_format=torch.channels_last),
                 torch.empty(2, 3, 4, 5, memory_format=torch.channels_last, device="meta")):
        assert made.stride() == (60, 1, 15, 3)
    like = torch.empty(2, 3, 4, 5, memory_format=torch.channels_last)
    assert torch.ones_like(like).stride() == (60, 1, 15, 3)
    assert torch.ones_like(like, memory_format=torch.contiguous_format).stride() == (60, 20, 5, 1)
    with pytest.raises(RuntimeError, match="required rank 4 tensor to use channels_last format"):
        torch.empty(2, 2, memory_format=torch.channels_last)
    with pytest.raises(RuntimeError, match="unsupported memory format Preserve"):
        torch.empty(2, 2, memory_format=torch.preserve_format)


@pytest.mark.parametrize("call, error, words", [
    (lambda: torch.zeros(2, layout=1), TypeError, "argument 'layout' must be torch.layout, not int"),
    (lambda: torch.tensor([2**63]), ValueError, "Overflow when unpacking long long"),
    (lambda: torch.frombuffer(1, dtype=torch.int8), ValueError, "object does not implement Python buffer protocol."),
    (lambda: torch.finfo(1), TypeError, "must be torch.dtype, not int"),
    (lambda: torch.iinfo(1), TypeError, "must be torch.dtype, not int"),
    (lambda: torch.promote_types(1, 2), TypeError, "must be torch.dtype, not int"),
    (lambda: torch.can_cast(1, 2), TypeError, "must be torch.dtype, not int"),
    (lambda: torch.vander(torch.ones(2, 2)), RuntimeError, "x must be a one-dimensional tensor."),
    (lambda: torch.eig(torch.ones(2, 2)), RuntimeError, "This function was deprecated since version 1.9 and is now removed."),
    (lambda: torch.ones(2, 2).lstsq(torch.ones(2, 2)), RuntimeError, "This function was deprecated since version 1.9 and is now removed."),
    (lambda: torch.hash_tensor(torch.ones(2), mode=1), RuntimeError, "Unknown hash_tensor mode: 1"),
    (lambda: torch.Event().record(), RuntimeError, "cpu backend doesn't support events."),
])
def test_errors_are_pytorchs(call, error, words):
    with pytest.raises(error, match=words):
        call()


def test_large_integers_are_uint64_where_asked_for():
    t = torch.tensor([2**63, 1], dtype=torch.uint64)
    assert t.tolist() == [2**63, 1]
    assert t[0].item() == 2**63
    assert torch.full((1,), 2**64 - 1, dtype=torch.uint64).tolist() == [2**64 - 1]
    assert torch.tensor([2**63], dtype=torch.float64).item() == 2.0**63


def test_unsigned_arrays_share_memory_with_numpy():
    a = numpy.arange(4, dtype=numpy.uint32)
    t = torch.from_numpy(a)
    t[1] = 9
    assert a.tolist() == [0, 9, 2, 3]
    assert t.numpy().dtype == numpy.uint32
    assert torch.from_dlpack(a).dtype is torch.uint32


@pytest.mark.filterwarnings("ignore")
def test_storages_of_one_dtype():
    s = torch.FloatStorage([1.0, 2.0])
    assert s.tolist() == [1.0, 2.0]
    assert isinstance(s, torch.FloatStorage) and not isinstance(s, torch.LongStorage) and isinstance(s, torch.TypedStorage)
    assert s.type() == "torch.FloatStorage" and s.int().tolist() == [1, 2] and torch.Storage(3).size() == 3
    x = torch.ones(3)
    assert isinstance(x.storage(), torch.FloatStorage)
    torch.FloatStorage(wrap_storage=x.untyped_storage()).fill_(4)
    assert x.tolist() == [4, 4, 4]
    assert torch.FloatTensor(torch.FloatStorage([5.0])).tolist() == [5]


def test_overrides_are_called():
    from taut import overrides

    class Mine:
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            return func.__name__, types, args

    def f(x):
        return overrides.handle_torch_function(f, (x,), x) if overrides.has_torch_function((x,)) else "own"

    mine = Mine()
    assert f(mine) == ("f", (Mine,), (mine,))
    assert f(torch.ones(1)) == "own"
    assert overrides.is_tensor_like(mine) and torch.nn.functional.has_torch_function_unary(mine)
    choose = torch.nn.functional.boolean_dispatch("flag", 1, False, lambda x, flag=False: "yes", lambda x, flag=False: "no", __name__, "choose")
    assert (choose(1), choose(1, True), choose(1, flag=True)) == ("no", "yes", "yes")


def test_switches_of_autocast():
    assert torch.get_autocast_cpu_dtype() is torch.bfloat16
    torch.set_autocast_dtype("cpu", torch.float16)
    assert torch.get_autocast_dtype("cpu") is torch.float16
    torch.set_autocast_cpu_dtype(torch.bfloat16)
    torch.set_autocast_enabled("cpu", False)
    assert not torch.is_autocast_enabled("cpu") and torch.is_autocast_cache_enabled()
    assert torch.autocast_increment_nesting() == 1 and torch.autocast_decrement_nesting() == 0
    torch.set_autocast_enabled("cpu", True)
    assert torch.is_autocast_cpu_enabled() and (torch.ones(2, 2) @ torch.ones(2, 2)).dtype is torch.bfloat16
    torch.set_autocast_enabled("cpu", False)
    assert not torch.is_autocast_xla_enabled() and torch.get_autocast_gpu_dtype() is torch.float16


def test_segments_and_hashes():
    data = torch.tensor([1.0, 5.0, 2.0, float("nan")], requires_grad=True)
    lengths = torch.tensor([2, 0, 2])
    assert torch.segment_reduce(data, "max", lengths=lengths).tolist()[:2] == [5, -float("inf")]
    torch.segment_reduce(data, "sum", lengths=lengths).nan_to_num().sum().backward()
    assert data.grad.tolist() == [1, 1, 0, 0]
    assert torch.segment_reduce(data.detach()[:3], "mean", offsets=torch.tensor([0, 1, 3]), initial=0).tolist() == [1, 3.5]
    assert torch.hash_tensor(torch.tensor([1.0, 2.0, 3.0])).item() == 4609434218613702656
    assert torch.hash_tensor(torch.tensor([[1, 2, 3], [4, 5, 6]]), 1).tolist() == [0, 7]
    assert torch.hash_tensor(torch.tensor([-1], dtype=torch.int8)).item() == 2**64 - 1
