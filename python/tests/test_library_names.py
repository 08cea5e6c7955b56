"""What libraries import and call beside the public names: each case failed once in a library that docs/libraries.md lists."""

import subprocess
import sys

import pytest

import taut as torch


def test_modules_that_libraries_import_are_there():
    code = """
from torch.distributed.tensor import DTensor, Shard, Replicate
from torch.distributed.tensor.placement_types import _StridedShard
from torch.distributed.checkpoint.state_dict import StateDictOptions
from torch.distributed.fsdp import CPUOffloadPolicy, MixedPrecisionPolicy, OptimStateKeyType
from torch.distributed._composable.fsdp import fully_shard
from torch.distributed.constants import default_pg_timeout
from torch.utils.data.dataloader import _BaseDataLoaderIter, _MultiProcessingDataLoaderIter
from torch._dynamo._trace_wrapped_higher_order_op import TransformGetItemToIndex
from torch.jit.annotations import List
import torch.onnx.symbolic_helper, torch.profiler, torch.utils.flop_counter, torch
assert Shard(1) == Shard(1) != Shard(0) and Replicate().is_replicate() and not isinstance(torch.ones(1), DTensor)
assert torch._C._nn._parse_to("cpu", torch.float64) == (torch.device("cpu"), torch.float64, False, None)
"""
    done = subprocess.run([sys.executable, "-m", "taut", "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_dtensor_and_other_forms_of_checkpoints_say_that_they_are_not_there():
    from taut.distributed import checkpoint, tensor

    with pytest.raises(NotImplementedError, match="torch.distributed.tensor.distribute_tensor is not supported by Taut"):
        tensor.distribute_tensor(torch.ones(2))
    with pytest.raises(NotImplementedError, match="torch.distributed.checkpoint.HuggingFaceStorageReader is not supported by Taut"):
        checkpoint.HuggingFaceStorageReader("x")


def test_an_untyped_storage_is_untyped_and_knows_its_size():
    storage = torch.ones(3).untyped_storage()
    assert storage._untyped() is storage and sys.getsizeof(storage) >= 12 + sys.getsizeof(object())


@pytest.fixture
def vision():
    torch.ops.load_library("/anywhere/torchvision/_C.so")
    return torch.ops.torchvision


def test_other_compiled_libraries_are_refused():
    with pytest.raises(OSError, match="is compiled against PyTorch"):
        torch.ops.load_library("/anywhere/other/_C.so")


def test_nms_keeps_the_best_of_boxes_that_overlap(vision):
    boxes = torch.tensor([[0.0, 0, 10, 10], [1, 1, 11, 11], [20, 20, 30, 30], [0, 0, 10, 9]])
    scores = torch.tensor([0.5, 0.9, 0.3, 0.8])
    assert vision.nms(boxes, scores, 0.5).tolist() == [1, 2]  # 81 / 119 and 72 / 118 are covered
    assert vision.nms(boxes, scores, 0.65).tolist() == [1, 3, 2]
    assert vision.nms(boxes, scores, 0.95).tolist() == [1, 3, 0, 2]
    assert vision.nms(boxes[:0], scores[:0], 0.5).tolist() == []
    with pytest.raises(RuntimeError, match="4 columns"):
        vision.nms(boxes[:, :3], scores, 0.5)


@pytest.mark.parametrize("aligned", [True, False])
def test_roi_align_is_exact_on_a_slope_and_has_gradients(vision, aligned):
    y, x = torch.meshgrid(torch.arange(12.0), torch.arange(12.0), indexing="ij")
    picture = torch.stack([3 * y + x, torch.ones(12, 12)]).double()[None]
    rois = torch.tensor([[0, 2.0, 3.0, 8.0, 9.0]], dtype=torch.float64)
    found = vision.roi_align(picture, rois, 1.0, 3, 2, 2, aligned)
    shift = 0.5 if aligned else 0.0
    ys, xs = 3 + 2 * (torch.arange(3) + 0.5) - shift, 2 + 3 * (torch.arange(2) + 0.5) - shift
    torch.testing.assert_close(found[0, 0], (3 * ys[:, None] + xs).double())  # linear between pixels: the middle of each part
    torch.testing.assert_close(found[0, 1], torch.ones(3, 2, dtype=torch.float64))
    x = torch.randn(1, 1, 6, 6, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda t: _function("roi_align")(t, rois / 2, 1.0, 2, 2, -1, aligned), (x,))


def _function(name):
    from taut import _vision

    return getattr(_vision, name)


def test_deform_conv2d_without_offsets_is_a_convolution_and_has_gradients(vision):
    torch.manual_seed(0)
    x, w, b = torch.randn(2, 4, 6, 5), torch.randn(6, 2, 3, 3), torch.randn(6)
    options = (2, 1, 1, 1, 1, 1, 2, 2)  # stride, padding, dilation, groups of channels, groups of offsets
    offset, mask = torch.zeros(2, 36, 3, 5), torch.ones(2, 18, 3, 5)
    wanted = torch.nn.functional.conv2d(x, w, b, (2, 1), (1, 1), groups=2)
    torch.testing.assert_close(vision.deform_conv2d(x, w, offset, mask, b, *options, True), wanted, rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(vision.deform_conv2d(x, w, offset, mask / 2, b * 0, *options, True), (wanted - b[:, None, None]) / 2, rtol=1e-4, atol=1e-5)
    whole = vision.deform_conv2d(x, w, torch.ones(2, 36, 3, 5), mask, b, *options, True)  # everything one further down and right
    moved = torch.nn.functional.conv2d(torch.nn.functional.pad(x, (0, 1, 0, 1))[:, :, 1:, 1:], w, b, (2, 1), (1, 1), groups=2)
    torch.testing.assert_close(whole[:, :, 1:, 1:], moved[:, :, 1:, 1:], rtol=1e-4, atol=1e-5)
    tensors = [t.double().requires_grad_() for t in (x[:1], w, torch.rand(1, 36, 3, 5) * 0.8 + 0.1, mask[:1], b)]
    assert torch.autograd.gradcheck(lambda *t: _function("deform_conv2d")(*t, *options, True), tensors, fast_mode=True)


def test_a_registered_backward_of_torchvisions_ops_gives_the_same(vision):
    x = torch.randn(1, 2, 6, 6, requires_grad=True)
    rois = torch.tensor([[0, 0.5, 1.0, 4.0, 5.0]])
    out = _function("roi_align")(x, rois, 1.0, 2, 2, 2, True)
    grad = torch.randn(out.shape)
    out.backward(grad)
    torch.testing.assert_close(vision._roi_align_backward(grad, rois, 1.0, 2, 2, 1, 2, 6, 6, 2, True), x.grad)


def test_flops_of_products_and_convolutions_are_counted_by_module():
    from taut.utils.flop_counter import FlopCounterMode

    model = torch.nn.Sequential(torch.nn.Conv2d(3, 8, 3), torch.nn.Conv2d(8, 8, 3, groups=4), torch.nn.Flatten(), torch.nn.Linear(8 * 12 * 12, 4))
    with FlopCounterMode(display=False) as counter:
        model(torch.randn(4, 3, 16, 16))
    first, second, last = 2 * 4 * 14 * 14 * 8 * 27, 2 * 4 * 12 * 12 * 8 * 18, 2 * 4 * 1152 * 4
    counts = {name: sum(found.values()) for name, found in counter.get_flop_counts().items()}
    assert (counts["Sequential.0"], counts["Sequential.1"], counts["Sequential.3"]) == (first, second, last)
    assert counter.get_total_flops() == counts["Sequential"] == first + second + last
    assert "Sequential.1" in counter.get_table() and torch._C._len_torch_dispatch_stack() == 0
