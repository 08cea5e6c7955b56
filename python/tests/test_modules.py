"""Modules of torch that programs import: what they do, and what they refuse."""

import importlib
import importlib.metadata
import os
import subprocess
import sys

import pytest
import taut as torch
from taut.nn.attention.bias import causal_lower_right, causal_upper_left
from taut.nn.attention.flex_attention import BlockMask, and_masks, create_block_mask, create_mask, flex_attention, noop_mask, or_masks


def run(code, **env):
    path = os.pathsep.join(p for p in sys.path if p)
    return subprocess.run([sys.executable, "-m", "taut", "-c", code], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": path, **env})


MODULES = ("jit jit.annotations jit._script jit._trace compiler _dynamo _dynamo.config _dynamo.eval_frame _dynamo.utils _dynamo.exc library export "
           "export.dynamic_shapes backends.cpu backends.mkl backends.mkldnn backends.openmp backends.cuda backends.cudnn backends.mps "
           "backends.opt_einsum backends.quantized backends.nnpack backends.xnnpack backends.mha backends.cusparselt backends.kleidiai "
           "__config__ __future__ hub utils.model_zoo utils.cpp_extension utils.benchmark utils.collect_env utils.dlpack "
           "utils.deterministic utils.throughput_benchmark utils.weak utils.hooks utils.mobile_optimizer nn.attention nn.attention.bias "
           "nn.attention.flex_attention nn.parallel nn.parallel.distributed monitor package futures multiprocessing multiprocessing.spawn "
           "multiprocessing.reductions distributed distributed.fsdp distributed.algorithms distributed.rpc ao ao.quantization quantization "
           "nested cuda.amp cuda.nvtx cuda.memory cuda.random cuda.comm cuda.nccl cuda.sparse cuda.graphs cuda.amp.grad_scaler "
           "cuda.amp.autocast_mode _jit_internal").split()


@pytest.mark.parametrize("module", MODULES)
def test_a_module_can_be_imported(module):
    importlib.import_module(f"taut.{module}")


def test_all_of_them_can_be_imported_by_pytorchs_names():
    done = run("; ".join(f"import torch.{m}" for m in MODULES if not m.startswith("__")) + "; print(torch.jit is __import__('taut').jit)")
    assert done.stdout == "True\n", done.stderr


@pytest.mark.parametrize("name, reason", [
    ("export.export", "there is no graph of a program"), ("package.PackageExporter", "code is packed by pip"),
    ("utils.cpp_extension.load", "an extension compiled for PyTorch works on its own tensors"),
    ("utils.mobile_optimizer.optimize_for_mobile", "phones run TorchScript"),
    ("ao.quantization.quantize_dynamic", "no quantised tensors"), ("nested.nested_tensor", "tensors have one shape"),
    ("library.triton_op", "no Triton"), ("testing.FileCheck", "TorchScript"),
    ("jit.CompilationUnit", "TorchScript"), ("_dynamo.export", "there is no compiler")])
def test_what_cannot_be_says_so(name, reason):
    found = torch
    for part in name.split("."):
        found = getattr(found, part) if hasattr(found, part) else importlib.import_module(f"taut.{name.rpartition('.')[0]}")
    with pytest.raises(NotImplementedError, match=f"torch.{name} is not supported by Taut: .*{reason}"):
        found(1)
    assert not isinstance(3, found)


def test_saving_a_script_says_what_to_do():
    scripted = torch.jit.script(torch.nn.Linear(2, 2))
    with pytest.raises(NotImplementedError, match="save state_dict"):
        scripted.save("x")
    with pytest.raises(NotImplementedError, match="torch.jit.save is not supported by Taut"):
        torch.jit.save(scripted, "x")


class Cell(torch.jit.ScriptModule):
    __constants__ = ["n"]

    def __init__(self, n):
        super().__init__()
        self.n = n
        self.w = torch.nn.Parameter(torch.ones(n))

    @torch.jit.script_method
    def forward(self, x):
        return x * self.w

    @torch.jit.export
    def twice(self, x):
        return self(x) * 2


def test_modules_of_scripted_classes_are_modules():
    c = Cell(2)
    assert c(torch.ones(2)).tolist() == [1, 1] and list(c.state_dict()) == ["w"] and isinstance(c, torch.nn.Module)
    s = torch.jit.script(c)
    assert s is c
    outer = torch.jit.script(torch.nn.Sequential(c))
    assert outer[0].twice(torch.ones(2)).tolist() == [2, 2]
    outer(torch.ones(2)).sum().backward()
    assert c.w.grad.tolist() == [1, 1]  # the parameters are shared
    assert "forward" in torch.jit.script(torch.nn.ReLU()).code


def test_is_tracing_only_while_the_example_runs():
    seen = []
    traced = torch.jit.trace(lambda x: seen.append(torch.jit.is_tracing()) or x * 2, torch.ones(1))
    traced(torch.ones(1))
    assert seen == [True, False]


def test_names_of_c():
    done = run("from torch._C import _log_api_usage_once, _get_tracing_state, Generator, _TensorMeta, DisableTorchFunctionSubclass, _TensorBase\n"
               "from torch._C import Graph, Value, TensorType, default_generator, Size, ScriptModule\nimport torch\n"
               "print(_get_tracing_state(), Generator is torch.Generator, _TensorBase is torch.Tensor, torch._C._cuda_getDeviceCount())")
    assert done.stdout == "None True True 0\n", done.stderr


def test_the_name_torch_has_a_version_for_those_who_look():
    done = run("import importlib.metadata as m, importlib.util as u\nprint(m.version('torch'), u.find_spec('torch') is not None)\n"
               "import torch\nprint(torch.__version__ == m.version('torch'), m.metadata('torch')['Name'])")
    assert done.stdout == f"{torch.__version__} True\nTrue torch\n", done.stderr
    with pytest.raises(importlib.metadata.PackageNotFoundError):
        importlib.metadata.version("torch")  # not here, where nobody asked for it


HUBCONF = '''dependencies = ["math"]
def net(n=2):
    """A layer of n."""
    import torch
    return torch.nn.Linear(n, n)
def _private():
    pass
'''


def test_hub_loads_from_a_directory(tmp_path, monkeypatch):
    (tmp_path / "hubconf.py").write_text(HUBCONF)
    monkeypatch.setenv("TORCH_HOME", str(tmp_path / "home"))
    monkeypatch.setitem(sys.modules, "torch", torch)
    hub = torch.hub
    assert hub.list(str(tmp_path)) == ["net"] and hub.help(str(tmp_path), "net") == "A layer of n."
    assert hub.load(str(tmp_path), "net", n=3, source="local").in_features == 3
    with pytest.raises(RuntimeError, match="Cannot find callable nothing in hubconf"):
        hub.load(str(tmp_path), "nothing", source="local")
    with pytest.raises(ValueError, match='Unknown source: "x". Allowed values: "github" | "local".'):
        hub.load(str(tmp_path), "net", source="x")
    with pytest.raises(NotImplementedError, match="nothing is fetched from the network"):
        hub.load("pytorch/vision", "resnet18")
    (tmp_path / "hubconf.py").write_text('dependencies = ["no_such_module_anywhere"]')
    with pytest.raises(RuntimeError, match="Missing dependencies: no_such_module_anywhere"):
        hub.load(str(tmp_path), "net", source="local")
    assert hub.get_dir() == str(tmp_path / "home" / "hub")
    torch.save({"a": torch.ones(1)}, tmp_path / "w.pt")
    url = (tmp_path / "w.pt").as_uri()
    assert hub.load_state_dict_from_url(url)["a"].tolist() == [1]
    assert os.path.exists(tmp_path / "home" / "hub" / "checkpoints" / "w.pt")
    with pytest.raises(NotImplementedError, match="put the file at"):
        hub.load_state_dict_from_url("https://example.org/other.pt")


def test_stats_give_events():
    import datetime

    seen = []
    handle = torch.monitor.register_event_handler(seen.append)
    stat = torch.monitor.Stat("loss", [torch.monitor.Aggregation.SUM, torch.monitor.MEAN], datetime.timedelta(0), 2)
    stat.add(1.0)
    assert stat.count == 1 and stat.get()[torch.monitor.SUM] == 1
    stat.add(3.0)
    torch.monitor.unregister_event_handler(handle)
    stat.add(5.0)
    stat.add(5.0)
    assert [e.data for e in seen] == [{"loss.sum": 4.0, "loss.mean": 2.0}]


def causal(b, h, q, k):
    return q >= k


def test_flex_attention_is_attention():
    torch.manual_seed(0)
    q, k, v = (torch.randn(2, 4, 9, 8, dtype=torch.float64, requires_grad=True) for _ in range(3))
    plain = torch.nn.functional.scaled_dot_product_attention
    assert torch.allclose(flex_attention(q, k, v), plain(q, k, v))
    wanted = plain(q, k, v, is_causal=True)
    by_score = flex_attention(q, k, v, score_mod=lambda s, b, h, i, j: torch.where(i >= j, s, -float("inf")))
    by_mask = flex_attention(q, k, v, block_mask=create_block_mask(causal, None, None, 9, 9, BLOCK_SIZE=4))
    assert torch.allclose(by_score, wanted) and torch.allclose(by_mask, wanted)
    assert torch.autograd.gradcheck(lambda q, k, v: flex_attention(q, k, v, block_mask=create_block_mask(causal, None, None, 3, 3)),
                                    [x[:1, :1, :3, :2].detach().requires_grad_() for x in (q, k, v)])
    slopes = torch.tensor([0.5, 0.25, 0.125, 1.0], dtype=torch.float64)
    distance = torch.arange(9.0, dtype=torch.float64)[None] - torch.arange(9.0, dtype=torch.float64)[:, None]
    alibi = flex_attention(q, k, v, score_mod=lambda s, b, h, i, j: s + slopes[h] * (j - i))
    assert torch.allclose(alibi, plain(q, k, v, attn_mask=slopes[:, None, None] * distance))


def test_flex_attention_of_functions_that_reduce():
    torch.manual_seed(0)
    q = torch.randn(1, 2, 3, 4)
    places = torch.randn(3, 5)
    got = flex_attention(q, q, q, score_mod=lambda s, b, h, i, j: s + (places[i] * places[j]).sum())  # one place at a time
    bias = places @ places.t()
    assert torch.allclose(got, torch.nn.functional.scaled_dot_product_attention(q, q, q, attn_mask=bias), atol=1e-6)


def test_flex_attention_of_groups_of_heads_and_what_sees_nothing():
    torch.manual_seed(0)
    q, k = torch.randn(1, 4, 3, 2), torch.randn(1, 2, 3, 2)
    with pytest.raises(ValueError, match="Try setting enable_gqa=True"):
        flex_attention(q, k, k)
    wanted = torch.nn.functional.scaled_dot_product_attention(q, k.repeat_interleave(2, 1), k.repeat_interleave(2, 1))
    assert torch.allclose(flex_attention(q, k, k, enable_gqa=True), wanted, atol=1e-6)
    nothing = create_block_mask(lambda b, h, i, j: i > j, None, None, 3, 3)
    out, lse = flex_attention(q, k, k, block_mask=nothing, enable_gqa=True, return_lse=True)
    assert out[0, :, 0].abs().sum() == 0 and bool((lse[..., 0] == -torch.inf).all())
    with pytest.raises(ValueError, match="block_mask was created for block_mask.shape=.1, 1, 4, 4. but got q_len=3 and kv_len=3"):
        flex_attention(q, q, q, block_mask=create_block_mask(causal, 1, 1, 4, 4))


def test_block_masks():
    m = create_block_mask(causal, 1, 1, 300, 300)
    assert str(m) == "BlockMask(shape=(1, 1, 300, 300), sparsity=-9.23%, \n(0, 0)\n██    \n████  \n██████\n)"
    assert m.kv_num_blocks.tolist() == [[[1, 1, 3]]] and m.kv_indices.tolist() == [[[[0, 1, 2], [1, 0, 2], [0, 1, 2]]]]
    assert m.full_kv_num_blocks.tolist() == [[[0, 1, 0]]] and m.q_num_blocks.tolist() == [[[2, 2, 1]]]
    assert m.to_dense().tolist() == [[[[1, 0, 0], [1, 1, 0], [1, 1, 1]]]] and m[0].shape == m.shape == (1, 1, 300, 300)
    again = BlockMask.from_kv_blocks(m.kv_num_blocks, m.kv_indices, m.full_kv_num_blocks, m.full_kv_indices, mask_mod=causal, seq_lengths=(300, 300))
    assert torch.equal(again.to_dense(), m.to_dense()) and torch.equal(again.q_indices, m.q_indices)
    assert create_block_mask(and_masks(causal, noop_mask), 2, 3, 8, 8, BLOCK_SIZE=4).sparsity() == 25
    assert create_mask(or_masks(causal, lambda b, h, q, k: k == 3), 1, 1, 2, 4).tolist() == [[[[True, False, False, True], [True, True, False, True]]]]
    assert m._adjust(128, 128).to_dense().tolist() == [[[[1]]]]


def test_causal_biases_are_masks_of_attention():
    assert causal_lower_right(2, 3)._materialize().tolist() == [[True, True, False], [True, True, True]]
    assert causal_upper_left(2, 3)._materialize().tolist() == [[True, False, False], [True, True, False]]
    q, k = torch.randn(1, 1, 2, 4), torch.randn(1, 1, 3, 4)
    plain = torch.nn.functional.scaled_dot_product_attention
    mask = causal_lower_right(2, 3)
    assert torch.equal(plain(q, k, k, attn_mask=mask), plain(q, k, k, attn_mask=mask._materialize()))


def test_lists_of_tensors_and_in_place_ops_of_ones_own():
    @torch.library.custom_op("test_modules::add_into", mutates_args={"xs"})
    def add_into(xs: list[torch.Tensor], n: int) -> None:
        for x in xs:
            x.add_(n)

    xs = [torch.zeros(2), torch.ones(1)]
    versions = [x._version for x in xs]
    add_into(xs, 3)
    assert xs[0].tolist() == [3, 3] and all(x._version > v for x, v in zip(xs, versions))
    with pytest.raises(RuntimeError, match="Cannot register autograd formula for non-functional operator"):
        add_into.register_autograd(lambda ctx, g: None)

    @torch.library.custom_op("test_modules::same", mutates_args=())
    def same(x: torch.Tensor) -> torch.Tensor:
        return x

    with pytest.raises(RuntimeError, match="must not also be an input to this custom operator"):
        same(torch.ones(2))


def test_opcheck_finds_what_is_wrong():
    @torch.library.custom_op("test_modules::wrong", mutates_args=())
    def wrong(x: torch.Tensor) -> torch.Tensor:
        return x.sum(0)

    wrong.register_fake(lambda x: torch.empty_like(x))
    with pytest.raises(Exception, match="test_faketensor failed"):
        torch.library.opcheck(wrong, (torch.ones(2, 3),))
    found = torch.library.opcheck(wrong, (torch.ones(2, 3, requires_grad=True),), raise_exception=False)
    assert found["test_schema"] == "SUCCESS" and "register_autograd" in str(found["test_autograd_registration"])


def test_autocast_and_kernels_of_ones_own():
    @torch.library.custom_op("test_modules::kind", mutates_args=())
    def kind(x: torch.Tensor) -> torch.Tensor:
        return x * 1

    kind.register_autocast("cpu", torch.bfloat16)
    assert kind(torch.ones(1)).dtype is torch.float32
    with torch.autocast("cpu"):
        assert kind(torch.ones(1)).dtype is torch.bfloat16
    assert torch.library.get_kernel("test_modules::kind", "default")(torch.ones(1)).tolist() == [1]
    with pytest.raises(RuntimeError, match="reserved"):
        torch.library.define("aten::mine", "(Tensor x) -> Tensor")


def test_a_report_of_the_machine():
    text = torch.utils.collect_env.get_pretty_env_info()
    assert f"PyTorch version: {torch.__version__}" in text and "Is CUDA available: False" in text and "CPU:" in text


def test_old_names_of_gpus():
    assert torch.cuda.memory_allocated() == 0 and not torch.cuda.is_bf16_supported() and not isinstance(torch.ones(1), torch.cuda.FloatTensor)
    for refused in (lambda: torch.ones(1).cuda(), torch.cuda.current_device, torch.cuda.memory_snapshot, lambda: torch.cuda.CUDAGraph(),
                    lambda: torch.nn.Linear(1, 1).cuda()):
        with pytest.raises(AssertionError, match="Torch not compiled with CUDA enabled"):
            refused()
    with pytest.raises(RuntimeError, match="NVTX functions not installed"):
        torch.cuda.nvtx.range_push("x")
    with pytest.raises(TypeError, match="type torch.cuda.FloatTensor not available"):
        torch.cuda.FloatTensor(2)
    assert torch.distributed.is_available() and not torch.distributed.is_initialized()
