"""What transcripts cannot show of nn: it loads lazily, is documented, pickles under both names and does not leak."""

import gc
import inspect
import json
import os
import copy
import pickle
import subprocess
import sys
import threading
import weakref

import pytest
import taut as torch
import taut.nn as nn
import taut.nn.functional as F

PACKAGE = os.path.dirname(os.path.dirname(torch.__file__))


def python(code):
    environment = dict(os.environ, PYTHONPATH=PACKAGE)
    return subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True,
                          check=True).stdout


@pytest.mark.parametrize("name", nn.__all__)
def test_every_exported_name_is_there_and_documented(name):
    cls = getattr(nn, name)
    assert cls.__name__ == name
    assert cls.__doc__ and cls.__module__.startswith("torch.nn.")
    for key, member in vars(cls).items():
        if inspect.isfunction(member) and not key.startswith("_") and key not in ("forward", "extra_repr"):
            assert member.__doc__, f"{name}.{key}"


with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "golden", "signatures_nn.json")) as _file:
    SIGNATURES = json.load(_file)
NOT_THERE = {"nn.DataParallel.gather", "nn.DataParallel.parallel_apply", "nn.DataParallel.replicate",
             "nn.DataParallel.scatter", "nn.LinearCrossEntropyLoss", "nn.LinearCrossEntropyLoss.extra_repr",
             "nn.LinearCrossEntropyLoss.forward", "nn.Module.ipu", "nn.Module.mtia",
             "nn.MultiheadAttention.merge_masks", "nn.functional.assert_int_or_pair",
             "nn.functional.scaled_grouped_mm", "nn.functional.scaled_mm",
             "nn.utils.rnn.bind"}


@pytest.mark.parametrize("name", sorted(SIGNATURES))
def test_arguments_have_pytorch_s_names_order_and_defaults(name):
    found = torch
    if name in NOT_THERE:
        with pytest.raises(AttributeError):
            eval(f"torch.{name}")
        return
    for part in name.split("."):
        found = getattr(found, part)
    if any(kind in (2, 4) for _, kind, _ in SIGNATURES[name]):
        return  # PyTorch takes anything, and looks at it later
    try:
        parameters = inspect.signature(found.__init__ if inspect.isclass(found) else found).parameters.values()
    except ValueError:
        return  # an op, whose schema is PyTorch's
    got = [[p.name, int(p.kind), "" if p.default is p.empty else "function" if callable(p.default) else repr(p.default)]
           for p in parameters if p.name != "self"]
    assert got == SIGNATURES[name]


@pytest.mark.parametrize("module", [F, nn.init, nn.utils, nn.utils.rnn, nn.utils.parametrize, nn.utils.parametrizations,
                                    nn.utils.stateless, nn.utils.fusion, nn.utils.clip_grad], ids=lambda m: m.__name__)
def test_every_function_is_documented(module):
    for name in dir(module):
        member = getattr(module, name)
        ours = getattr(member, "__module__", "").startswith(("taut", "torch"))
        if not name.startswith("_") and callable(member) and ours:
            assert member.__doc__, name


def test_the_stub_names_every_file_of_layers():
    with open(os.path.join(os.path.dirname(nn.modules.__file__), "__init__.pyi")) as stub:
        named = {line.split()[1][1:] for line in stub if line.startswith("from .")}
    assert named == {*nn.modules._FILES, "module"}


@pytest.mark.parametrize("path", ["nn.Foo", "nn.functional.foo", "nn.init.foo_", "nn.utils.foo", "nn.modules.foo",
                                  "nn.parallel.Foo"])
def test_a_name_that_is_missing_is_given_in_full(path):
    with pytest.raises(AttributeError, match=f"torch.{path} is not part of Taut"):
        eval(f"torch.{path}")


def test_importing_nn_loads_neither_numpy_nor_layers_that_are_not_used():
    loaded = python("import sys, taut.nn; taut.nn.Linear; print(*(m for m in sys.modules if m == 'numpy' or "
                    "m.startswith('taut.')))").split()
    assert "taut.nn.modules.linear" in loaded
    assert not {"numpy", "taut.nn.modules.rnn", "taut.nn.modules.transformer", "taut.nn.utils"} & set(loaded)


def test_modules_pickle_without_torch_s_names():
    model = nn.Sequential(nn.Linear(2, 3), nn.LSTM(3, 2), nn.BatchNorm1d(2))
    again = pickle.loads(pickle.dumps(model))
    assert repr(again) == repr(model)
    assert all(torch.equal(a, b) for a, b in zip(model.state_dict().values(), again.state_dict().values()))
    assert isinstance(again[0].weight, nn.Parameter) and again[0].weight.requires_grad
    assert pickle.loads(pickle.dumps(nn.Parameter)) is nn.Parameter


def test_modules_pickle_by_torch_s_names_when_taut_stands_for_torch():
    shown = python("import taut; taut.as_torch(); import pickle, torch; m = torch.nn.Sequential(torch.nn.Linear(2, "
                   "3)); d = pickle.dumps(m); print(b'torch.nn.modules.linear' in d, pickle.loads(d))")
    assert shown == "True Sequential(\n  (0): Linear(in_features=2, out_features=3, bias=True)\n)\n"


def test_modules_go_to_a_memory_format():
    model = nn.Sequential(nn.Conv2d(2, 3, 3), nn.Linear(3, 2)).to(memory_format=torch.channels_last)
    assert model[0].weight.stride() == (18, 1, 6, 2) and model[1].weight.stride() == (3, 1)
    assert model.to(torch.float64)[0].weight.stride() == (18, 1, 6, 2)
    assert model.to(torch.float32, memory_format=torch.contiguous_format)[0].weight.stride() == (18, 9, 3, 1)
    assert model[0].weight.dtype is torch.float32
    with pytest.raises(RuntimeError, match="required rank 4 tensor to use channels_last format"):
        nn.Conv3d(2, 3, 3).to(memory_format=torch.channels_last)


def test_a_copy_of_a_parameter_has_neither_its_gradient_nor_its_attributes():
    p = nn.Parameter(torch.ones(2), requires_grad=False)
    p.tag, p.grad = "mine", torch.ones(2)
    found, same = copy.deepcopy([p, p])
    assert found is same and type(found) is nn.Parameter and not found.requires_grad
    assert found.grad is None and not hasattr(found, "tag") and found.tolist() == [1, 1]


def test_a_parameter_keeps_its_attributes_through_pickles():
    p = nn.Parameter(torch.ones(2))
    p.tag = "mine"
    assert pickle.loads(pickle.dumps(p)).tag == "mine"


def test_a_model_with_backward_hooks_is_freed_with_its_graph():
    seen = []
    model = nn.Sequential(nn.Linear(2, 2), nn.ReLU())
    model.register_full_backward_hook(lambda m, gi, go: seen.append(m))
    model.register_full_backward_pre_hook(lambda m, go: None)
    out = model(torch.ones(1, 2, requires_grad=True))
    out.sum().backward()
    assert len(seen) == 1
    died = weakref.ref(model)
    seen.clear()
    del model, out
    gc.collect()
    assert died() is None


def test_a_handle_outlives_its_module():
    model = nn.ReLU()
    handle = model.register_forward_hook(lambda *_: None)
    del model
    gc.collect()
    handle.remove()
    handle.remove()


def test_many_threads_train_models_of_their_own():
    torch.manual_seed(0)
    start = nn.Linear(4, 1).state_dict()
    results = {}

    def train(k):
        model = nn.Linear(4, 1)
        model.load_state_dict(start)
        for _ in range(20):
            model.zero_grad()
            model(torch.ones(2, 4)).pow(2).sum().backward()
            with torch.no_grad():
                for p in model.parameters():
                    p -= 0.01 * p.grad
        results[k] = model.weight.detach().tolist()

    threads = [threading.Thread(target=train, args=(k,)) for k in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert len(results) == 4 and all(r == results[0] for r in results.values())


@pytest.mark.parametrize("make", [lambda: nn.Linear(2, 2), lambda: nn.Conv2d(2, 2, 1), lambda: nn.LayerNorm(2)])
def test_a_weight_that_is_no_parameter_any_more_is_still_used(make):
    layer = make()
    del layer._parameters["weight"]
    layer.weight = torch.zeros_like(make().weight)
    x = torch.ones(1, 2, 1, 1) if layer.weight.dim() == 4 else torch.ones(1, 2)
    assert torch.equal(layer(x).reshape(-1), layer.bias)


def test_global_hooks_may_remove_themselves_while_they_run():
    calls = []
    hook = nn.modules.module.register_module_forward_hook(lambda m, a, o: (calls.append(type(m)), hook.remove()) and
                                                          None)
    nn.Sequential(nn.ReLU(), nn.ReLU())(torch.ones(1))
    assert calls == [nn.ReLU]


def test_functional_call_takes_tied_weights_and_puts_all_back():
    model = nn.Sequential(nn.Linear(2, 2, bias=False), nn.Linear(2, 2, bias=False))
    model[1].weight = model[0].weight
    own = model[0].weight
    call = nn.utils.stateless._functional_call
    assert torch.equal(call(model, {"0.weight": torch.eye(2) * 2}, (torch.ones(1, 2),)), torch.full((1, 2), 4.0))
    assert model[0].weight is own and model[1].weight is own
    with pytest.raises(ValueError, match="tied"):
        call(model, {"0.weight": torch.eye(2), "1.weight": torch.ones(2, 2)}, (torch.ones(1, 2),))
    with pytest.raises(RuntimeError):
        call(model, {"0.weight": torch.ones(3, 3)}, (torch.ones(1, 2),))
    assert model[0].weight is own


def test_what_cannot_be_done_says_so():
    with pytest.raises(NotImplementedError, match="torch.nn.utils.parametrizations.orthogonal is not supported yet"):
        nn.utils.parametrizations.orthogonal(nn.Linear(2, 2))
    with pytest.raises(NotImplementedError, match="lanczos"):
        F.interpolate(torch.ones(1, 1, 4, 4), 2, mode="lanczos", antialias=True)


class Squared(nn.Module):
    def forward(self, x, y=None):
        return x * x if y is None else x * x * y


class Named(nn.Module):
    def forward(self, x):
        return {"square": x * x}


def test_full_backward_hooks_are_left_out_where_gradients_reach_the_inputs_past_the_outputs():
    for make, wanted in ((Squared, ["pre", "post"]), (nn.Tanh, ["pre", "post"]), (Named, [])):
        seen, module, x = [], make(), torch.tensor([1.0, 2.0], requires_grad=True)
        module.register_full_backward_pre_hook(lambda m, go, seen=seen: seen.append("pre"))
        module.register_full_backward_hook(lambda m, gi, go, seen=seen: seen.append("post"))
        y = module(x)
        y = y["square"] if isinstance(y, dict) else y
        g, = torch.autograd.grad(y.sum(), x, create_graph=True)
        g.sum().backward()
        assert seen == wanted
        assert x.grad.tolist() == pytest.approx([2, 2] if make is not nn.Tanh else [-0.63970, -0.13621], rel=1e-4)


def test_full_backward_hooks_of_several_inputs_in_double_backward():
    for needs in ((True, True), (True, False), (False, True)):
        seen, module = [], Squared()
        module.register_full_backward_hook(lambda m, gi, go, seen=seen: seen.append([g is not None for g in gi]))
        x, y = (torch.ones(2, requires_grad=n) for n in needs)
        leaves = [t for t in (x, y) if t.requires_grad]
        grads = torch.autograd.grad(module(x, y).pow(2).sum(), leaves, create_graph=True)
        sum(g.sum() for g in grads).backward()
        assert seen == [[True, True]] * 2  # the gradient of an input that needs none is zeros


@pytest.mark.parametrize("layer", ["LSTM", "GRU", "RNN"])
def test_a_recurrent_layer_with_checks_of_its_own_calls_them(layer):
    called = []

    class Own(getattr(torch.nn, layer)):
        def check_forward_args(self, input, hidden, batch_sizes):
            called.append("check_forward_args")
            super().check_forward_args(input, hidden, batch_sizes)

        def permute_hidden(self, hx, permutation):
            called.append("permute_hidden")
            return super().permute_hidden(hx, permutation)

    torch.manual_seed(0)
    own, plain = Own(2, 3), getattr(torch.nn, layer)(2, 3)
    plain.load_state_dict(own.state_dict())
    x = torch.randn(4, 3, 2)
    packed = torch.nn.utils.rnn.pack_padded_sequence(x, torch.tensor([2, 4, 3]), enforce_sorted=False)
    for input in (x, packed):
        called.clear()
        results = own(input), plain(input)
        states = [r[1] if isinstance(r[1], tuple) else (r[1],) for r in results]
        assert "check_forward_args" in called
        assert all(torch.equal(a, b) for a, b in zip(*states))
        outputs = [r[0].data if input is packed else r[0] for r in results]
        assert torch.equal(*outputs)


def test_errors_of_functions_name_them_and_not_the_rows_that_serve_them():
    with pytest.raises(TypeError, match=r"^interpolate\(\): argument 'mode'"):
        F.interpolate(torch.zeros(1, 1, 2), 2, mode=3)
