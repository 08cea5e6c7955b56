"""torch.onnx.export: files that onnx checks and onnxruntime runs give Taut's numbers, also for other sizes of the axes that change.

The two packages are looked for in this Python; where they are missing the tests that need them are skipped, and say so.
"""

import io

import pytest

import taut as torch
import taut.nn.functional as F
from taut import nn


@pytest.fixture
def tools():
    onnx = pytest.importorskip("onnx", reason="NOT CHECKED: the package onnx is not installed")
    runtime = pytest.importorskip("onnxruntime", reason="NOT CHECKED: the package onnxruntime is not installed")
    return onnx, runtime


class _Of(nn.Module):
    """A module that calls a function, with a weight."""

    def __init__(self, f):
        super().__init__()
        self.f, self.w = f, nn.Parameter(torch.randn(4, 4))

    def forward(self, *args):
        return self.f(self, *args)


def _attention(m, x):
    q, k, v = ((x @ m.w).view(x.shape[0], x.shape[1], 2, 2).transpose(1, 2) * s for s in (1.0, 0.5, 2.0))
    return F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(x.shape[0], -1, 4)


def _seq(b, t):
    return torch.randn(b, t, 4)


def _image(b):
    return torch.randn(b, 3, 16, 16)


_BATCH, _TIME = {"x0": {0: "batch"}}, {"x0": {0: "batch", 1: "time"}}
_CASES = {
    "cnn": lambda: (nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(8, 8, 3, groups=2, stride=2),
                                  nn.SiLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8, 4), nn.Softmax(-1)), _BATCH, [(_image(2),), (_image(5),)]),
    "unet": lambda: (nn.Sequential(nn.Conv2d(3, 4, 3, padding=1), nn.Upsample(scale_factor=2, mode="bilinear"), nn.ConvTranspose2d(4, 3, 2, stride=2),
                                   nn.GroupNorm(1, 3), nn.LeakyReLU()), _BATCH, [(_image(1),), (_image(3),)]),
    "encoder": lambda: (nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, 8, batch_first=True), 2), _TIME, [(_seq(2, 5),), (_seq(4, 7),)]),
    "transformer": lambda: (nn.Transformer(4, 2, 1, 1, 8, batch_first=True), {"x0": {0: "b", 1: "s"}, "x1": {0: "b", 1: "t"}},
                            [(_seq(2, 5), _seq(2, 3)), (_seq(3, 6), _seq(3, 4))]),
    "lstm": lambda: (nn.LSTM(4, 6, 2, batch_first=True, bidirectional=True), _TIME, [(_seq(2, 5),), (_seq(3, 8),)]),
    "gru": lambda: (nn.GRU(4, 6, 2), {"x0": {0: "t", 1: "b"}}, [(_seq(2, 5),), (_seq(3, 8),)]),
    "rnn": lambda: (nn.RNN(4, 6, nonlinearity="relu", batch_first=True), _TIME, [(_seq(2, 5),), (_seq(3, 8),)]),
    "attention": lambda: (_Of(_attention), _TIME, [(_seq(2, 3),), (_seq(5, 6),)]),
    "slices": lambda: (_Of(lambda m, x: torch.cat([x[:, 1:, ::2], x[:, :-1, 1::2]], -1) @ m.w + x.mean(1, keepdim=True)), _TIME, [(_seq(2, 3),), (_seq(5, 6),)]),
    "einsum": lambda: (_Of(lambda m, x: torch.einsum("btc,cd->bdt", x, m.w)), _TIME, [(_seq(2, 3),), (_seq(5, 6),)]),
    "positions": lambda: (_Of(lambda m, x: x + torch.arange(x.shape[1]).float()[:, None] * 0.1), _TIME, [(_seq(2, 3),), (_seq(5, 6),)]),
    "reductions": lambda: (_Of(lambda m, x: (x.topk(2, -1)[0], x.argmax(-1), x.cumsum(1), x.std(-1), x.norm(dim=-1))), _TIME, [(_seq(2, 3),), (_seq(5, 6),)]),
    "embedding": lambda: (nn.Sequential(nn.Embedding(10, 4), nn.LayerNorm(4), nn.GELU(), nn.Linear(4, 10)), _TIME,
                          [(torch.randint(10, (2, 3)),), (torch.randint(10, (4, 5)),)]),
}


def _flat(results):
    return [results] if isinstance(results, torch.Tensor) else [t for r in results for t in _flat(r)]


@pytest.mark.parametrize("opset", [17, 18, 20, 23])
@pytest.mark.parametrize("name", _CASES)
def test_files_run_with_the_same_numbers(tools, name, opset):
    onnx, runtime = tools
    torch.manual_seed(0)
    module, axes, calls = _CASES[name]()
    module.eval()
    file, names = io.BytesIO(), [f"x{i}" for i in range(len(calls[0]))]
    torch.onnx.export(module, calls[0], file, input_names=names, dynamic_axes=axes, opset_version=opset)
    proto = onnx.load_model_from_string(file.getvalue())
    onnx.checker.check_model(proto, full_check=True)
    assert [d.dim_param for d in proto.graph.input[0].type.tensor_type.shape.dim][:len(axes["x0"])] == list(axes["x0"].values())
    session = runtime.InferenceSession(file.getvalue(), providers=["CPUExecutionProvider"])
    for args in calls:
        with torch.no_grad():
            wanted = _flat(module(*args))
        found = session.run(None, {n: t.numpy() for n, t in zip(names, args)})
        assert len(found) == len(wanted)
        for a, b in zip(found, wanted):
            torch.testing.assert_close(torch.from_numpy(a), b, rtol=1e-5, atol=1e-5)


def test_dynamic_shapes_names_and_what_export_returns(tools):
    onnx, _ = tools
    model = nn.Linear(4, 2)
    program = torch.onnx.export(model, (torch.ones(3, 4),), dynamic_shapes=({0: "n"},), output_names=["y"])
    graph = program.model_proto.graph
    assert {i.name for i in graph.initializer} == {"weight", "bias"} and [o.name for o in graph.output] == ["y"]
    assert graph.input[0].type.tensor_type.shape.dim[0].dim_param == "n"
    x = torch.randn(5, 4)
    torch.testing.assert_close(program(x)[0], model(x).detach(), rtol=1e-5, atol=1e-5)


def test_a_module_is_exported_as_in_eval_and_keeps_its_mode():
    model = nn.Sequential(nn.Linear(4, 4), nn.Dropout(0.5))
    model[0].eval()
    torch.onnx.export(model, torch.ones(1, 4), io.BytesIO())
    assert model.training and not model[0].training and not torch.onnx.is_in_onnx_export()


def test_what_cannot_be_exported_says_so():
    with pytest.raises(NotImplementedError, match="there is no translation of torch's bessel_j0|special_bessel_j0"):
        torch.onnx.export(_Of(lambda m, x: torch.special.bessel_j0(x)), torch.ones(2), io.BytesIO())
    with pytest.raises(torch.onnx.OnnxExporterError, match="opset_version=9 is not one of 17 to 23"):
        torch.onnx.export(nn.ReLU(), torch.ones(2), io.BytesIO(), opset_version=9)
    with pytest.raises(NotImplementedError, match="for another size of an input other ops are called"):
        torch.onnx.export(_Of(lambda m, x: x.relu() if len(x) == 2 else x.exp()), torch.ones(2), io.BytesIO(), dynamic_axes={"input": [0]})
    with pytest.warns(UserWarning, match="numbers of tensors were read into Python"):
        torch.onnx.export(_Of(lambda m, x: x + 1 if x.sum().item() > 0 else x), torch.ones(2), io.BytesIO())
