"""torch.save and torch.load: PyTorch's files both ways, shared memory, and what load refuses to run."""

import collections
import copy
import datetime
import enum
import fractions
import functools
import io
import math
import os
import pathlib
import pickle
import re
import pickletools
import subprocess
import sys
import tempfile
import zipfile

import numpy
import pytest
import taut as torch
from taut import nn

GOLDEN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "golden")
FILES = os.path.join(GOLDEN, "..", "..", "..", "tests", "golden", "files")


def golden(name, **kwargs):
    return torch.load(os.path.join(GOLDEN, name + ".pt"), **kwargs)


def again(value, **kwargs):
    """What is left of a value after a file."""
    file = io.BytesIO()
    torch.save(value, file)
    file.seek(0)
    return torch.load(file, **kwargs)


def check_values(values):
    """What tools/golden_python_library.py wrote."""
    assert values["x"].tolist() == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]
    assert values["column"].stride() == (4,) and values["column"].storage_offset() == 1
    assert values["t"].stride() == (1, 4)
    values["x"][0, 1] = 100
    assert values["column"].tolist() == [100, 5, 9] and values["t"][1, 0] == 100
    assert type(values["parameter"]) is nn.Parameter and values["parameter"].requires_grad
    assert values["parameter"].tolist() == [1.5, -2.0]
    assert type(values["frozen"]) is nn.Parameter and not values["frozen"].requires_grad
    assert values["dtype"] is torch.float16 and values["device"] == torch.device("cpu")
    assert type(values["size"]) is torch.Size and values["size"] == (3, 4)
    assert values["empty"].shape == (0, 3)
    assert values["bytes"] == b"ab\xff" and values["noted"].note == 3
    assert type(values["ordered"]) is collections.OrderedDict and values["ordered"] == {"a": [1, 2.5, "x", None, True]}
    assert values["set"] == {1, 2} and values["tuple"] == (1, (2, 3))
    assert values["big"] == 2**70 and values["complex"] == 1 + 2j
    assert values["leaf"].requires_grad and values["leaf"].is_leaf
    for dtype in ("float64", "float16", "bfloat16", "int64", "int32", "int16", "int8", "uint8", "bool"):
        t = values["torch." + dtype]
        assert t.dtype is getattr(torch, dtype)
        assert t.double().tolist() == ([0, 1, 1] if dtype == "bool" else [0, 1, 2])


def test_reads_values_pytorch_wrote():
    check_values(golden("saved_values"))


def test_values_survive_a_file_of_our_own():
    check_values(again(golden("saved_values")))


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
def test_every_pickle_protocol_works(protocol):
    file = io.BytesIO()
    torch.save(golden("saved_values"), file, pickle_protocol=protocol)
    file.seek(0)
    check_values(torch.load(file))


def test_training_goes_on_from_a_checkpoint_of_pytorch():
    saved = golden("saved_checkpoint")
    model = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.7)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1)
    model.load_state_dict(saved["model"])
    scheduler.load_state_dict(saved["scheduler"])
    optimizer.load_state_dict(saved["optimizer"])
    assert optimizer.param_groups[0]["lr"] == pytest.approx(0.01)
    assert saved["model"]._metadata[""] == {"version": 1}
    model(torch.ones(4, 2)).sum().backward()
    optimizer.step()
    assert [s["step"].item() for s in optimizer.state.values()] == [2.0] * 4
    assert saved["epoch"] == 3


def test_a_module_and_an_optimizer_of_pytorch_become_ours():
    model = golden("saved_model", weights_only=False)
    assert type(model) is nn.Sequential and type(model[0]) is nn.Linear
    assert model(torch.ones(1, 2)).shape == (1, 1)
    optimizer = golden("saved_optimizer", weights_only=False)
    assert type(optimizer) is torch.optim.Adam and len(optimizer.state) == 4
    optimizer.step()


def test_a_generator_goes_on_where_it_was():
    g = golden("saved_generator", weights_only=False)
    kept = again(g)
    wanted = torch.Generator()
    wanted.manual_seed(7)
    torch.rand(3, generator=wanted)
    expected = torch.rand(2, generator=wanted)
    assert torch.equal(torch.rand(2, generator=g), expected)
    assert torch.equal(torch.rand(2, generator=kept), expected)
    assert kept.initial_seed() == 7


def test_a_module_survives():
    model = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3), nn.ReLU())
    loaded = again(model, weights_only=False)
    assert str(loaded) == str(model)
    x = torch.rand(4, 2)
    model.eval(), loaded.eval()
    assert torch.equal(model(x), loaded(x))


def test_the_file_names_nothing_of_ours():
    file = io.BytesIO()
    torch.save({"m": nn.Linear(2, 2), "o": torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=1.0),
                "s": torch.Size([1])}, file)
    text = zipfile.ZipFile(file).read("archive/data.pkl")
    assert b"torch.nn.modules.linear" in text and b"torch._utils" in text and b"torch.optim.sgd" in text
    assert b"taut" not in text


def test_tensors_in_the_file_are_aligned(tmp_path):
    path = tmp_path / "model.pt"
    torch.save([torch.ones(3), torch.ones(5, dtype=torch.uint8), torch.ones(2)], path)
    with zipfile.ZipFile(path) as z:
        assert z.testzip() is None
        assert [i.filename for i in z.infolist()] == ["model/data.pkl", "model/byteorder", "model/data/0",
                                                      "model/data/1", "model/data/2", "model/version"]
        for info in z.infolist():
            with open(path, "rb") as f:
                f.seek(info.header_offset + 26)
                header = f.read(4)
            lengths = int.from_bytes(header[:2], "little") + int.from_bytes(header[2:], "little")
            assert (info.header_offset + 30 + lengths) % 64 == 0


def test_mapped_memory_is_private(tmp_path):
    path = str(tmp_path / "x.pt")
    torch.save({"a": torch.arange(4.0), "b": torch.arange(3)}, path)
    mapped = torch.load(path, mmap=True)
    mapped["a"][0] = 7
    assert mapped["a"].tolist() == [7, 1, 2, 3] and mapped["b"].tolist() == [0, 1, 2]
    assert torch.load(path)["a"].tolist() == [0, 1, 2, 3]
    with pytest.raises(ValueError, match="f must be a file path in order to use the mmap argument"):
        torch.load(io.BytesIO(), mmap=True)


def test_a_shorter_file_replaces_a_longer_one(tmp_path):
    path = tmp_path / "x.pt"
    for n in (1_000_003, 700_001, 1, 300_000):  # with and without pages of the old one left
        torch.save({"a": torch.arange(n), "b": torch.ones(3)}, path)
        assert torch.equal(torch.load(path)["a"], torch.arange(n))
        with zipfile.ZipFile(path) as file:
            assert file.testzip() is None
    written = path.read_bytes()
    path.unlink()
    torch.save({"a": torch.arange(300_000), "b": torch.ones(3)}, path)
    assert path.read_bytes() == written


def test_a_file_object_may_hold_more(tmp_path):
    with open(tmp_path / "x.pt", "wb") as f:
        torch.save(torch.ones(2), f)
    with open(tmp_path / "x.pt", "rb") as f:
        assert torch.load(f).tolist() == [1, 1]


@pytest.mark.parametrize("opened", [io.BytesIO, lambda data: io.BufferedReader(io.BytesIO(data)),
                                    lambda data: OnlyRead(data), lambda data: temporary(data)])
@pytest.mark.parametrize("weights_only", [True, False])
def test_a_file_is_read_from_where_it_stands(opened, weights_only):
    out = io.BytesIO()
    torch.save({"x": torch.arange(300_000), "y": torch.ones(3)}, out)
    file = opened(b"before" + out.getvalue())
    file.seek(6)
    loaded = torch.load(file, weights_only=weights_only)
    assert torch.equal(loaded["x"], torch.arange(300_000)) and loaded["y"].tolist() == [1, 1, 1]


class OnlyRead:
    """A file with as little as a file may have."""

    def __init__(self, data):
        file = io.BytesIO(data)
        self.read, self.seek, self.tell = file.read, file.seek, file.tell


def temporary(data):
    file = tempfile.NamedTemporaryFile()
    file.write(data)
    file.flush()
    return open(file.name, "rb")


class OnlyWrite:
    def __init__(self):
        self.parts, self.flushed = [], False

    def write(self, data):
        assert not self.flushed
        self.parts.append(bytes(data))

    def flush(self):
        self.flushed = True


def test_an_object_with_write_is_enough():
    file = OnlyWrite()
    torch.save(torch.arange(100_000), file)
    assert file.flushed and torch.equal(torch.load(io.BytesIO(b"".join(file.parts))), torch.arange(100_000))


class Outer:
    class Inner:
        def __init__(self, value):
            self.value = value

        def __eq__(self, other):
            return type(other) is type(self) and other.value == self.value

    class Keywords(Inner):
        def __new__(cls, *, value):
            return super().__new__(cls)

        def __init__(self, *, value):
            self.value = value

        def __getnewargs_ex__(self):
            return (), {"value": self.value}


class Numbers(list):
    """A list with an attribute."""


class Slots:
    __slots__ = ("a", "b")

    def __init__(self):
        self.a, self.b = 1, [2]

    def __eq__(self, other):
        return (self.a, self.b) == (other.a, other.b)


Point = collections.namedtuple("Point", "x y")
Color = enum.Enum("Color", "RED GREEN", module=__name__)
OBJECTS = {
    "numbers": [0, 255, 256, -1, 2**31 - 1, 2**31, -2**31 - 1, 2**63, -2**63, -2**70, 2**3000, 1.5, -0.0, True, None, 2j],
    "texts": ["", "aé", "\U0001f600", "x" * 300, "\ud800", b"", b"\xff", b"y" * 300, bytearray(b"z"), bytearray()],
    "tuples": [(), (1,), (1, 2), (1, 2, 3), (1, 2, 3, 4), ((), ((),))],
    "long": [list(range(2500)), {i: str(i) for i in range(2500)}, set(range(1500)), tuple(range(2000))],
    "sets": [set(), {1, 2}, frozenset(), frozenset([1, (2, 3)])],
    "dicts": [collections.OrderedDict(a=1), collections.defaultdict(list, a=[1]), collections.Counter("aab")],
    "classes": [Outer.Inner(3), Outer.Inner, Outer, int, type(None), type(...), NotImplemented, ..., Point(1, 2), Color.RED],
    "keywords": Outer.Keywords(value=4), "slots": Slots(), "functions": [len, os.path.join, math.sin, collections.deque([1])],
    "others": [datetime.date(2020, 1, 2), fractions.Fraction(1, 3), range(3), slice(1, None), functools.partial(int, base=2)(
        "11"), ValueError("x").args, pathlib.PurePosixPath("a/b"), numpy.arange(3).tolist(), numpy.float64(2.5)],
}


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
@pytest.mark.parametrize("name", OBJECTS)
def test_objects_come_back_as_pickle_gives_them_back(name, protocol):
    file = io.BytesIO()
    torch.save(OBJECTS[name], file, pickle_protocol=protocol)
    text = zipfile.ZipFile(file).read("archive/data.pkl")
    pickletools.dis(text, out=io.StringIO())  # well formed: nothing is left on the stack
    file.seek(0)
    loaded = torch.load(file, weights_only=False)
    assert loaded == OBJECTS[name] and repr(loaded) == repr(OBJECTS[name]) or name in ("classes", "keywords", "slots")
    assert loaded == OBJECTS[name] and pickle.loads(pickle.dumps(OBJECTS[name], protocol)) == OBJECTS[name]


@pytest.mark.parametrize("protocol", [2, 4])
def test_what_holds_itself_or_is_there_twice_stays_so(protocol):
    ring, twice, numbers = [], [1], Numbers([1])
    ring.append((ring, 2))
    numbers.own = numbers
    pair = ([],)
    pair[0].append(pair)
    thing = Outer.Inner(None)
    thing.value = [thing]
    file = io.BytesIO()
    torch.save([ring, twice, twice, numbers, pair, thing, {"k": twice}], file, pickle_protocol=protocol)
    file.seek(0)
    ring, a, b, numbers, pair, thing, d = torch.load(file, weights_only=False)
    assert ring[0][0] is ring and a is b and d["k"] is a and numbers == [1] and numbers.own is numbers
    assert pair[0][0] is pair and thing.value[0] is thing


def test_what_is_nested_too_deep_is_a_recursion_error():
    deep = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(RecursionError):
        torch.save(deep, io.BytesIO())


def test_an_object_that_says_nonsense_about_itself_is_an_error():
    for how in ((), (1, ()), (list, 1), (list, (), None, None, None, None, None), 3, (list, (), None, 5)):
        with pytest.raises((pickle.PicklingError, TypeError)):
            torch.save(Evil(*how) if isinstance(how, tuple) else Evil2(), io.BytesIO())


class Evil2:
    """Its __reduce__ is no tuple."""

    def __reduce__(self):
        return 3


def test_results_of_ops_are_saved_as_leaves():
    x = torch.ones(2, requires_grad=True)
    loaded = again(x * 2)
    assert loaded.requires_grad and loaded.is_leaf and loaded.tolist() == [2, 2]


def test_a_subclass_needs_to_be_allowed():
    loaded = again(Special(torch.ones(2)), weights_only=False)
    assert type(loaded) is Special and loaded.tolist() == [1, 1]
    with torch.serialization.safe_globals([Special]):
        assert type(again(Special(torch.ones(2)))) is Special
    with pytest.raises(pickle.UnpicklingError, match="Special"):
        again(Special(torch.ones(2)))


class Special(torch.Tensor):
    """A tensor of another class."""

    def __new__(cls, data):
        return torch.Tensor._make_subclass(cls, data, False)


class Plain:
    """Something that is no tensor."""

    def __init__(self):
        self.value = 3


def test_load_builds_nothing_it_was_not_allowed_to():
    with pytest.raises(pickle.UnpicklingError, match="Weights only load failed.*") as caught:
        again(Plain())
    assert "WeightsUnpickler error: Unsupported global: GLOBAL test_serialization.Plain was not an allowed global" in \
        str(caught.value)
    assert again(Plain(), weights_only=False).value == 3
    torch.serialization.add_safe_globals([Plain])
    try:
        assert again(Plain()).value == 3
        assert torch.serialization.get_safe_globals() == [Plain]
    finally:
        torch.serialization.clear_safe_globals()


class Evil:
    """Its pickle calls a function."""

    def __init__(self, *call):
        self.call = call

    def __reduce__(self):
        return self.call


@pytest.mark.parametrize("call", [(os.system, ("exit 1",)), (eval, ("1/0",)), (getattr, (torch.Tensor, "__new__")),
                                  (print, ("x",)), (bytearray.fromhex, ("00",))], ids=lambda c: c[0].__name__)
def test_load_runs_nothing(call, capsys):
    file = io.BytesIO()
    torch.save({"a": torch.ones(1), "b": Evil(*call)}, file)
    file.seek(0)
    with pytest.raises(pickle.UnpicklingError, match="Weights only load failed"):
        torch.load(file)
    assert capsys.readouterr().out == ""


def pickled(data):
    """A file whose pickle is `data`."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as z:
        z.writestr("archive/data.pkl", data)
        z.writestr("archive/version", "3\n")
        z.writestr("archive/data/0", b"\0" * 16)
    file.seek(0)
    return file


STORAGE = b"(X\7\0\0\0storagectorch\nFloatStorage\nX\1\0\0\0\x30X\3\0\0\0cpuK\4tQ"


@pytest.mark.parametrize("data", [
    b"\x80\2ccollections\nOrderedDict\n}X\1\0\0\0aK\1sb.",  # changes a class
    b"\x80\2ctorch\nTensor\n}X\1\0\0\0aK\1sb.",
    b"\x80\2ctorch._utils\n_rebuild_tensor_v2\n}X\1\0\0\0aK\1sb.",
    b"\x80\2ctorch\nTensor\n)R.",
    b"\x80\2ctorch\nTensor\n)\x81.",
    b"\x80\2ctorch\nfloat32\n)R.",
    b"\x80\2c__builtin__\nset\n(]]etR.",  # a set of lists
    b"\x80\2ctorch._utils\n_rebuild_tensor_v2\n(" + STORAGE + b"K\0K\5\x85K\1\x85\x89}tR.",  # out of bounds
    b"\x80\2ctorch._utils\n_rebuild_tensor_v2\n(" + STORAGE + b"J\xff\xff\xff\xffK\1\x85K\1\x85\x89}tR.",
    b"\x80\2ctorch._utils\n_rebuild_tensor_v2\n(" + STORAGE + b"K\0K\2\x85J\xff\xff\xff\xff\x85\x89}tR.",
    b"\x80\2ctorch._utils\n_rebuild_tensor_v2\n(K\1K\0K\2\x85K\1\x85\x89}tR.",
    b"\x80\2K\1Q.", b"\x80\2.", b"\x80\2q\0.", b"", b"garbage", b"\x80\2X\xff\xff\xff\x7f.",
    b"\x80\2(X\7\0\0\0storagectorch\nFloatStorage\nX\1\0\0\0\x31X\3\0\0\0cpuK\4tQ.",  # a record that is not there
])
def test_a_damaged_or_hostile_pickle_is_an_error(data):
    with pytest.raises((pickle.UnpicklingError, RuntimeError, EOFError)):
        torch.load(pickled(data))


def test_a_cut_or_changed_file_is_an_error(tmp_path):
    file = io.BytesIO()
    torch.save(torch.arange(100.0), file)
    whole = file.getvalue()
    for end in range(0, len(whole), 37):
        with pytest.raises((RuntimeError, EOFError, pickle.UnpicklingError)):
            torch.load(io.BytesIO(whole[:end]))
    at = whole.index(b"\0\0\x80\x3f\0\0\0\x40")
    with pytest.raises(RuntimeError, match="its checksum is wrong"):
        torch.load(io.BytesIO(whole[:at] + b"\1" + whole[at + 1:]))


@pytest.mark.parametrize("name", ["checkpoint", "dtypes", "list", "protocol4", "shared", "state_dict", "tensor"])
def test_reads_the_files_of_the_library(name):
    torch.load(os.path.join(FILES, f"torch_{name}.pt"))


def test_the_legacy_format_is_named():
    with pytest.raises(NotImplementedError, match="before PyTorch 1.6"):
        torch.load(os.path.join(FILES, "torch_legacy.pt"))


def test_complex_tensors_of_pytorch_are_read():
    assert torch.load(os.path.join(FILES, "torch_complex.pt"))["a"].tolist() == [1 + 0j, 1 + 0j]


def test_map_location():
    x = torch.ones(2)
    for where in ("cpu", torch.device("cpu"), {"cuda:0": "cpu"}, lambda storage, location: storage, None):
        assert again(x, map_location=where).tolist() == [1, 1]
    with pytest.raises(RuntimeError, match="Attempting to deserialize object on a CUDA device but "
                       "torch.cuda.is_available\\(\\) is False"):
        again(x, map_location="cuda")


@pytest.mark.parametrize("call, error, text", [
    (lambda x: torch.load("/not/there.pt"), FileNotFoundError, "No such file or directory: '/not/there.pt'"),
    (lambda x: torch.save(x, "/not/there.pt"), RuntimeError, "Parent directory /not does not exist."),
    (lambda x: torch.load(3), AttributeError, "You can only torch.load from a file that is seekable"),
    (lambda x: torch.save(x, 3), AttributeError, "expected 'f' to be string, path, or a file-like object with a "
     "'write' attribute"),
    (lambda x: torch.load(io.BytesIO(b"")), EOFError, ""),
    (lambda x: torch.save([x, x.view(torch.int32)], io.BytesIO()), RuntimeError,
     "view the same data as different types"),
    (lambda x: again(x, weights_only=True, pickle_module=pickle), RuntimeError, "Can not safely load weights when "
     "explicit pickle_module"),
    (lambda x: torch.save(lambda: 1, io.BytesIO()), (AttributeError, pickle.PicklingError), "<lambda>"),
])
def test_bad_arguments(call, error, text):
    with pytest.raises(error) as caught:
        call(torch.ones(2))
    assert text in str(caught.value)


# Plain pickle and copy.


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_pickle_keeps_tensors_and_what_goes_with_them(protocol):
    g = torch.Generator()
    g.manual_seed(3)
    value = [torch.arange(6).reshape(2, 3).t(), torch.ones(2, requires_grad=True), nn.Parameter(torch.ones(1)),
             torch.float32, torch.Size([1, 2]), torch.device("cpu"), torch.tensor([1.5], dtype=torch.bfloat16), g,
             torch.empty(0, 2)]
    got = pickle.loads(pickle.dumps(value, protocol))
    assert got[0].tolist() == value[0].tolist() and got[1].requires_grad and type(got[2]) is nn.Parameter
    assert got[3] is torch.float32 and type(got[4]) is torch.Size and got[5] == torch.device("cpu")
    assert got[6].dtype is torch.bfloat16 and got[6].item() == 1.5
    assert torch.equal(torch.rand(3, generator=got[7]), torch.rand(3, generator=g))
    assert got[8].shape == (0, 2)


def test_pickle_works_where_torch_means_taut():
    code = ("import taut; torch = taut.as_torch(); import pickle, io, torch.nn as nn; m = nn.Sequential(nn.Linear(2, "
            "2), nn.ReLU());n = pickle.loads(pickle.dumps(m)); print(n); f = io.BytesIO(); torch.save(m, f); f.seek(0);"
            "print(torch.load(f, weights_only=False)); o = torch.optim.SGD(m.parameters(), lr=1); "
            "print(pickle.loads(pickle.dumps(o)))")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)})
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("(0): Linear(in_features=2, out_features=2, bias=True)") == 2 and "SGD (" in done.stdout


def test_an_optimizer_is_copied_with_its_parameters():
    model = nn.Linear(2, 2)
    model, optimizer = copy.deepcopy((model, torch.optim.SGD(model.parameters(), lr=0.1)))
    assert optimizer.param_groups[0]["params"][0] is model.weight


@pytest.mark.parametrize("threads", [1, 3])
def test_a_large_record_is_read_and_checked_in_parts(tmp_path, threads):
    path, x, before = tmp_path / "large.pt", torch.arange(1_500_001), torch.get_num_threads()
    torch.save({"x": x, "y": x[:3].clone()}, path)
    torch.set_num_threads(threads)
    try:
        assert torch.load(path)["x"].equal(x)
        data = bytearray(path.read_bytes())
        data[len(data) // 2] ^= 1
        path.write_bytes(data)
        with pytest.raises(RuntimeError, match="its checksum is wrong"):
            torch.load(path)
        with zipfile.ZipFile(path) as archive:
            at = max(archive.infolist(), key=lambda info: info.file_size).header_offset
        data[at + 28:at + 30] = b"\xff\xff"  # the length of a field before it
        path.write_bytes(data)
        with pytest.raises(RuntimeError, match="the file ends before it"):
            torch.load(path)
    finally:
        torch.set_num_threads(before)


@pytest.mark.parametrize("value", [True, False, 7])
def test_a_tensor_of_one_byte_survives_a_file_object(value):
    dtype = torch.bool if isinstance(value, bool) else torch.uint8
    for x in (torch.tensor([value], dtype=dtype), torch.tensor(value, dtype=dtype)):
        loaded = again(x)
        assert loaded.dtype is dtype and loaded.shape == x.shape and loaded.equal(x)


def test_a_lazy_module_is_saved_before_it_knows_its_shapes():
    loaded = again(nn.Sequential(nn.LazyLinear(3), nn.LazyBatchNorm1d()), weights_only=False)
    assert type(loaded[0]) is nn.LazyLinear and type(loaded[0].weight) is nn.UninitializedParameter
    assert type(loaded[1].running_mean) is nn.UninitializedBuffer
    assert loaded(torch.ones(2, 4)).shape == (2, 3) and type(loaded[0]) is nn.Linear


def test_a_length_beyond_the_file_is_a_damaged_pickle(tmp_path):
    with zipfile.ZipFile(tmp_path / "x.pt", "w") as f:
        f.writestr("x/data.pkl", b"\x80\x04\x8e" + (2**63 - 1).to_bytes(8, "little") + b"abc.")
        f.writestr("x/version", "3")
    for weights_only in (True, False):
        with pytest.raises(pickle.UnpicklingError):
            torch.load(tmp_path / "x.pt", weights_only=weights_only)


@pytest.mark.parametrize("value", [None, {None}, [None, {None: None}]])
def test_none_goes_through_a_file(value):
    file = io.BytesIO()
    torch.save(value, file, pickle_protocol=None)
    file.seek(0)
    assert torch.load(file) == value


def test_a_builtin_that_was_allowed_is_loaded():
    file = io.BytesIO()
    torch.save(slice(1, 5), file)
    file.seek(0)
    with torch.serialization.safe_globals([slice]):
        assert torch.load(file) == slice(1, 5)


def test_of_archives_in_a_row_the_one_where_the_file_stands_is_loaded(tmp_path):
    file = io.BytesIO()
    torch.save(torch.ones(3), file)
    second = file.tell()
    torch.save({"longer": torch.zeros(2000)}, file)
    third = file.tell()
    file.write(b"no archive" * 20000)
    file.seek(0)
    assert torch.equal(torch.load(file), torch.ones(3))
    file.seek(second)
    assert torch.equal(torch.load(file)["longer"], torch.zeros(2000))
    file.seek(third)
    with pytest.raises(pickle.UnpicklingError):
        torch.load(file)
    (tmp_path / "both.pt").write_bytes(file.getvalue())
    assert torch.equal(torch.load(tmp_path / "both.pt"), torch.ones(3))


@pytest.mark.parametrize("place,error,words", [
    (3, TypeError, "'int' object is not callable"), ("cuda:0", RuntimeError, "torch.cuda.is_available() is False"),
    ({"cpu": "nope"}, RuntimeError, "tagged with nope"), ("cpu:1", RuntimeError, "tagged with cpu:1"),
    ("mps", RuntimeError, "Storage device not recognized: mps"), (lambda storage, location: 5, TypeError, "int"),
    (lambda storage, location: 1 / 0, ZeroDivisionError, "division by zero")])
@pytest.mark.parametrize("weights_only", [True, False])
def test_a_place_that_is_not_there_is_told_in_pytorchs_words(place, error, words, weights_only):
    file = io.BytesIO()
    torch.save(torch.ones(3), file)
    file.seek(0)
    with pytest.raises(error, match=re.escape(words)):
        torch.load(file, map_location=place, weights_only=weights_only)


@pytest.mark.parametrize("place", ["cpu", {"cpu": "cpu"}, {"cuda": "cpu"}, lambda storage, location: storage,
                                   lambda storage, location: None, lambda storage, location: storage.cpu()])
def test_places_that_lead_to_the_cpu(place):
    file = io.BytesIO()
    torch.save(torch.ones(3), file)
    file.seek(0)
    assert torch.equal(torch.load(file, map_location=place), torch.ones(3))


@pytest.mark.parametrize("weights_only", [True, False])
@pytest.mark.parametrize("place", ["meta", torch.device("meta")])
def test_on_the_meta_device_only_shapes_are_loaded(place, weights_only):
    x = torch.nn.Parameter(torch.ones(2, 3).t())
    found = again({"x": x, "y": torch.ones(2, dtype=torch.uint16)}, map_location=place, weights_only=weights_only)
    assert type(found["x"]) is torch.nn.Parameter and found["x"].is_meta and found["x"].stride() == (1, 3)
    assert found["y"].is_meta and found["y"].dtype is torch.uint16 and found["y"].shape == (2,)


class Named(torch.nn.Parameter):
    """A parameter with a class of its own."""


def test_a_parameter_of_a_users_class_is_saved_as_a_parameter():
    mine = Named(torch.ones(2), requires_grad=False)
    mine.tag = "x"
    file = io.BytesIO()
    torch.save({"p": mine}, file)
    file.seek(0)
    found = torch.load(file)["p"]
    assert type(found) is torch.nn.Parameter and found.tag == "x" and not found.requires_grad


def test_strides_are_kept():
    x = torch.arange(24.0).reshape(1, 2, 3, 4).permute(0, 3, 1, 2)  # as channels_last lies in memory
    file = io.BytesIO()
    torch.save(x, file)
    file.seek(0)
    found = torch.load(file)
    assert found.stride() == x.stride() and torch.equal(found, x)


def test_pickle_keeps_the_order_of_dense_tensors_in_memory():
    dense = torch.arange(24.0).reshape(1, 2, 3, 4).to(memory_format=torch.channels_last)
    for x, strides in ((dense, dense.stride()), (dense.transpose(1, 2), dense.transpose(1, 2).stride()),
                       (torch.arange(6.0).reshape(2, 3)[:, ::2], (2, 1)), (torch.ones(2, 1).expand(2, 3), (3, 1)),
                       (torch.tensor([1 + 2j, 3j]).conj(), (1,))):
        found = pickle.loads(pickle.dumps(x))
        assert found.stride() == strides and torch.equal(found, x)


def packed_anew(path, compression=zipfile.ZIP_STORED, comment=b"", extra=b""):
    """The archive as another program may write it: compressed, with comments and fields of its own."""
    with zipfile.ZipFile(path) as old:
        contents = [(name, old.read(name)) for name in old.namelist()]
    with zipfile.ZipFile(path, "w", compression) as new:
        for name, data in contents:
            info = zipfile.ZipInfo(name)
            info.compress_type, info.comment, info.extra = compression, comment, extra
            new.writestr(info, data)
        new.comment = comment


@pytest.mark.parametrize("compression", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
@pytest.mark.parametrize("comment", [b"", b"x", b"what others say of it"])
@pytest.mark.parametrize("extra", [b"", b"\x77\x77\x00\x00", b"\x77\x77\x04\x00abcd\x78\x77\x01\x00z", b"abc"])
def test_an_archive_that_was_packed_anew_holds_the_same(tmp_path, compression, comment, extra):
    x = torch.arange(1000.0)
    values = {"x": x, "part": x[3:7], "flags": torch.tensor([True, False, True]), "empty": torch.zeros(0, 2)}
    torch.save(values, tmp_path / "x.pt")
    packed_anew(tmp_path / "x.pt", compression, comment, extra)
    loaded = torch.load(tmp_path / "x.pt")
    for name, value in values.items():
        assert torch.equal(loaded[name], value) and loaded[name].dtype == value.dtype
    loaded["x"][3] = -1
    assert loaded["part"][0] == -1


@pytest.mark.parametrize("compression", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_the_checksum_of_every_entry_is_held_against_its_bytes(tmp_path, compression):
    path = tmp_path / "x.pt"
    torch.save({"x": torch.full((1000,), 7.0)}, path)
    packed_anew(path, compression)
    data = path.read_bytes()
    with zipfile.ZipFile(path) as z:
        infos = z.infolist()
    directory = data.index(b"PK\x01\x02")
    for number, info in enumerate(infos):
        at = directory
        for _ in range(number):
            at = data.index(b"PK\x01\x02", at + 4)
        changed = data[:at + 16] + bytes([data[at + 16] ^ 1]) + data[at + 17:]
        path.write_bytes(changed)
        if not info.filename.endswith((".pkl", "data/0")):
            continue  # what is not read
        with pytest.raises(RuntimeError, match="checksum is wrong"):
            torch.load(path)


def test_a_meta_tensor_goes_through_pickles_and_queues_without_memory():
    from taut import multiprocessing as mp

    queue = mp.get_context("fork").SimpleQueue()
    for made in (torch.ones(2, 3, device="meta").t(), torch.nn.Parameter(torch.ones(2, device="meta"))):
        queue.put(made)
        for again in (pickle.loads(pickle.dumps(made)), queue.get()):
            assert type(again) is type(made) and again.is_meta and again.stride() == made.stride()
            assert again.shape == made.shape and again.requires_grad == made.requires_grad and again.dtype == made.dtype
