"""safetensors, files of other programs, storages, names that are not there."""

import importlib.metadata
import os
import re
import subprocess
import sys
import textwrap

import pytest
import taut as torch
from taut import io as files
from taut import safetensors

FILES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tests", "golden", "files")


def run(code):
    """Runs Python code in a process of its own."""
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env)


def test_safetensors_both_ways(tmp_path):
    path = tmp_path / "x.safetensors"
    tensors = {"b": torch.arange(3), "a": torch.arange(6.0).reshape(2, 3).t(), "h": torch.ones(2, dtype=torch.bfloat16)}
    safetensors.save_file(tensors, path, metadata={"format": "pt"})
    loaded = safetensors.load_file(path)
    assert sorted(loaded) == ["a", "b", "h"] and loaded["h"].dtype is torch.bfloat16
    assert loaded["a"].tolist() == tensors["a"].tolist()
    with safetensors.safe_open(path, framework="pt", device="cpu") as f:
        assert f.keys() == ["a", "b", "h"] and f.metadata() == {"format": "pt"}
        assert f.get_tensor("b").tolist() == [0, 1, 2]
        part = f.get_slice("a")
        assert part.get_shape() == [3, 2] and part[1:, 0].tolist() == [1, 2] and part.get_dtype() == "F32"
        with pytest.raises(safetensors.SafetensorError, match="File does not contain tensor q"):
            f.get_tensor("q")
    assert safetensors.load(safetensors.save({"z": torch.zeros(1)}))["z"].tolist() == [0]


def test_safetensors_of_the_library_are_read():
    assert len(safetensors.load_file(os.path.join(FILES, "library.safetensors"))) > 0


def test_safetensors_errors(tmp_path):
    with pytest.raises(FileNotFoundError):
        safetensors.load_file(tmp_path / "none")
    with pytest.raises(safetensors.SafetensorError):
        safetensors.load(b"abc")
    with pytest.raises(ValueError, match="Key `a` is invalid, expected torch.Tensor but received <class 'int'>"):
        safetensors.save_file({"a": 3}, tmp_path / "x")
    with pytest.raises(AssertionError, match="Torch not compiled with CUDA enabled"):
        safetensors.safe_open(tmp_path / "x", "pt", "cuda")


def test_safetensors_of_a_model_with_shared_weights(tmp_path):
    class Tied(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.a = torch.nn.Linear(2, 2)
            self.b = self.a

    path = str(tmp_path / "m.safetensors")
    model, other = Tied(), Tied()
    safetensors.save_model(model, path)
    assert sorted(safetensors.load_file(path)) == ["a.bias", "a.weight"]
    assert safetensors.load_model(other, path) == (set(), [])
    assert torch.equal(other.b.weight, model.a.weight)


def test_pictures_tables_and_arrays(tmp_path):
    assert files.read_image(os.path.join(FILES, "rgb.png")).shape == (3, 5, 7)
    assert files.read_image(os.path.join(FILES, "rgb.png"), "GRAY").shape == (1, 5, 7)
    picture = torch.arange(12, dtype=torch.uint8).reshape(3, 2, 2)
    files.write_png(picture, tmp_path / "x.png")
    assert torch.equal(files.read_image(tmp_path / "x.png"), picture)
    assert files.decode_image(files.encode_jpeg(picture)).shape == (3, 2, 2)
    assert files.read_idx(os.path.join(FILES, "digits.idx")).shape == (2, 3, 4)
    (tmp_path / "x.csv").write_text("a,b\n1,2\n3,\n")
    values, names = files.read_csv(tmp_path / "x.csv", fill=7)
    assert values.tolist() == [[1, 2], [3, 7]] and names == ["a", "b"]
    files.save_npy(torch.ones(2, 2), tmp_path / "x.npy")
    assert files.load_npy(tmp_path / "x.npy").tolist() == [[1, 1], [1, 1]]
    files.save_npz({"p": torch.ones(1), "q": torch.arange(2)}, tmp_path / "x.npz", compressed=True)
    assert {k: v.tolist() for k, v in files.load_npz(tmp_path / "x.npz").items()} == {"p": [1], "q": [0, 1]}
    with pytest.raises(ValueError, match="mode must be"):
        files.read_image(os.path.join(FILES, "rgb.png"), "X")


def test_storages_are_shared_by_views():
    x = torch.arange(6.0)
    assert x[2:].untyped_storage() == x.untyped_storage()
    assert x.clone().untyped_storage() != x.untyped_storage()
    with pytest.warns(UserWarning, match="TypedStorage is deprecated"):
        s = x.storage()
    s[0] = 9
    assert x[0] == 9 and len(s) == 6 and s.tolist()[1] == 1.0 and s.untyped().nbytes() == 24


@pytest.mark.parametrize("path", ["utils.foo", "utils.data.IterDataPipe", "optim.Adam8bit",
                                  "optim.lr_scheduler.Foo", "cuda.foo", "amp.Foo", "backends.foo", "testing.Foo",
                                  "serialization.Foo", "utils.checkpoint.Foo", "hub.foo", "distributed.foo", "jit.foo", "compiler.foo", "library.foo",
                                  "nn.attention.flex_attention.foo", "_C.foo", "ops.demo.foo", "backends.cuda.foo",
                                  "optim.swa_utils.Foo"])
def test_a_name_that_is_not_there_is_named_in_full(path):
    found = torch
    with pytest.raises(AttributeError) as caught:
        for part in path.split("."):
            found = getattr(found, part)
    assert path.rpartition(".")[2] in str(caught.value)


def test_importing_a_module_that_is_not_there_names_it():
    done = run("import taut; taut.as_torch()\nfrom torch.utils.nonsense import thing")
    assert "torch.utils.nonsense is not part of Taut" in done.stderr


def test_modules_are_loaded_when_they_are_used():
    code = ("import sys, taut; names = [n for n in sys.modules if n.startswith('taut.')];"
            "assert not any(n.split('.')[1] in ('optim', 'utils', 'serialization', 'testing', 'amp', 'cuda') for n in "
            "names), names;assert 'numpy' not in sys.modules and 'zipfile' not in sys.modules;"
            "import taut.optim; assert 'numpy' not in sys.modules; taut.utils.data.DataLoader; assert 'numpy' not in "
            "sys.modules")
    done = run(code)
    assert done.returncode == 0, done.stderr


def test_the_version_is_that_of_cmake():
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
    with open(os.path.join(root, "CMakeLists.txt")) as f:
        version = re.search(r"project\(taut VERSION ([\d.]+)", f.read())[1]
    assert torch.__version__ == torch.version.__version__ == f"2.13.0+taut.{version}"
    assert importlib.metadata.version("taut") == version


def test_what_libraries_look_for_beside_the_functions():
    assert {"Adam", "SGD", "LBFGS"} <= set(torch.optim.__dict__) and torch.optim.__dict__["Adam"] is torch.optim.Adam
    assert "Callable" in repr(torch.serialization.MAP_LOCATION)
    a = torch.ones(2)
    assert a._cdata == a._cdata and a._cdata != torch.ones(2)._cdata
    sizes = torch.Size([2])
    assert [type(s) for s in ((1,) + sizes, sizes + (1,), sizes * 2, 2 * sizes)] == [torch.Size] * 4
    done = run("import taut; taut.as_torch(); import torch; print(torch.__name__, torch.nn.Linear(1, 1))")
    assert done.stdout.startswith("torch Linear("), done.stderr


def test_sizes_are_whole_numbers():
    made = torch.Size([torch.tensor(2), True, torch.tensor([3])])
    assert made == (2, 1, 3) and [type(n) for n in made] == [int] * 3
    assert torch.Size(torch.tensor([1, 2])) == (1, 2) and torch.Size() == ()
    for wrong, index in (([2.5], 0), ([1, "a"], 1), ([None], 0), ([torch.tensor(2.0)], 0)):
        with pytest.raises(TypeError, match=rf"iterable of 'int' \(item {index} is"):
            torch.Size(wrong)
    with pytest.raises(TypeError):
        torch.Size([2]) + (2.5,)
    with pytest.raises(ValueError, match="Overflow"):
        torch.Size([2**63])


def test_traced_modules_and_packed_sequences_go_through_pickles_where_there_is_no_torch():
    code = """
        import pickle, taut as torch, taut.fx as fx, taut.nn as nn
        module = fx.symbolic_trace(nn.Sequential(nn.Linear(2, 2), nn.ReLU()))
        again = pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(module))))
        x = torch.randn(3, 2)
        assert again.code == module.code and again(x).equal(module(x))
        packed = nn.utils.rnn.pack_sequence([torch.ones(2), torch.zeros(1)])
        again = pickle.loads(pickle.dumps(packed))
        assert type(again) is type(packed) and again.data.equal(packed.data) and again.batch_sizes.equal(packed.batch_sizes)
    """
    done = run(textwrap.dedent(code))
    assert done.returncode == 0, done.stderr


def test_a_value_that_was_traced_as_a_constant_is_asked_for():
    traced = torch.fx.symbolic_trace(lambda x, y: x + y, concrete_args={"y": 3})
    assert traced(torch.ones(2), 3).tolist() == [4, 4]
    with pytest.raises(AssertionError, match="y has been specialized to have value 3"):
        traced(torch.ones(2), 4)


def test_libraries_of_ops_refuse_what_has_no_meaning():
    from taut.library import Library, infer_schema

    with pytest.raises(RuntimeError, match="namespace aten"):
        Library("aten", "DEF")
    with torch.library._scoped_library("refusing", "DEF") as made:
        for schema in ("f(Foo x) -> Tensor", "f(Tensor x) -> ", "f(Tensor x) -> Foo"):
            with pytest.raises(RuntimeError, match="type specifier"):
                made.define(schema)
        made.define("f(Tensor(a!) x, int[2] n=3, *, Device? d=None) -> (Tensor(a!), Tensor[])")
        with pytest.raises(RuntimeError, match="dispatch key: Bogus"):
            made.impl("f", lambda x: x, "Bogus")

    def f(x: torch.Tensor, y: str) -> None: ...

    assert infer_schema(f, mutates_args="unknown") == "(Tensor(a0!) x, str y) -> ()"
