"""Saves that replace a file at once, forks, Ctrl-C, and damaged files: an exception at most."""

import io
import os
import pickle
import resource
import signal
import stat
import struct
import subprocess
import sys
import threading
import time
import zipfile

import numpy
import pytest
import taut as torch
import taut.io
import taut.safetensors

PICTURE = torch.zeros(3, 4, 5, dtype=torch.uint8)
SAVES = {
    "torch": lambda path: torch.save({"w": torch.ones(50000)}, path),
    "safetensors": lambda path: taut.safetensors.save_file({"w": torch.ones(50000)}, path),
    "npy": lambda path: taut.io.save_npy(torch.ones(50000), path),
    "npz": lambda path: taut.io.save_npz({"w": torch.ones(50000)}, path),
    "png": lambda path: taut.io.write_png(torch.randint(256, (3, 150, 150), dtype=torch.uint8), path),
    "jpeg": lambda path: taut.io.write_jpeg(torch.randint(256, (3, 300, 300), dtype=torch.uint8), path),
}


@pytest.fixture(params=SAVES)
def save(request):
    return SAVES[request.param]


# ---- Saves.


def test_a_save_that_fails_leaves_the_file_that_was_there(save, tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"the one before")
    handler, limits = signal.signal(signal.SIGXFSZ, signal.SIG_IGN), resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))  # the disk is full
    try:
        with pytest.raises(RuntimeError, match="cannot write"):
            save(path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, handler)
    assert path.read_bytes() == b"the one before" and os.listdir(tmp_path) == ["file"]


def test_a_save_makes_a_new_file_with_the_permissions_of_the_old_one(save, tmp_path):
    path = tmp_path / "file"
    save(path)
    path.chmod(0o640)
    with path.open("rb") as reader:
        before = os.fstat(reader.fileno()).st_ino
        save(path)
        assert len(reader.read()) == os.fstat(reader.fileno()).st_size > 0  # whoever has it open reads the old one
    assert path.stat().st_ino != before and stat.S_IMODE(path.stat().st_mode) == 0o640
    assert os.listdir(tmp_path) == ["file"]


def test_a_reader_beside_two_writers_never_sees_half_a_file(tmp_path):
    path, values = tmp_path / "x.pt", (torch.zeros(100000), torch.ones(100000))
    torch.save(values[0], path)
    writers = [threading.Thread(target=lambda v=v: [torch.save(v, path) for _ in range(20)]) for v in values]
    for writer in writers:
        writer.start()
    reads = 0
    while any(writer.is_alive() for writer in writers):
        value = torch.load(path)
        assert value.min() == value.max()
        reads += 1
    assert reads and os.listdir(tmp_path) == ["x.pt"]


def test_links_are_followed_and_special_files_written_to(save, tmp_path):
    (tmp_path / "link").symlink_to("target")
    save(tmp_path / "link")  # the target is not there yet
    assert (tmp_path / "link").is_symlink() and (tmp_path / "target").stat().st_size > 1000
    save(tmp_path / "link")
    assert (tmp_path / "link").is_symlink() and sorted(os.listdir(tmp_path)) == ["link", "target"]
    save("/dev/null")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
    with pytest.raises(RuntimeError, match="No space left"):
        save("/dev/full")
    os.mkfifo(tmp_path / "pipe")
    got = []
    reader = threading.Thread(target=lambda: got.append((tmp_path / "pipe").read_bytes()))
    reader.start()
    save(tmp_path / "pipe")
    reader.join()
    assert len(got[0]) == (tmp_path / "target").stat().st_size or len(got[0]) > 1000
    with pytest.raises(RuntimeError, match="directory"):
        save(tmp_path)
    with open(tmp_path / "gone", "w+b") as file:
        os.unlink(tmp_path / "gone")
        save(f"/proc/self/fd/{file.fileno()}")
        assert os.fstat(file.fileno()).st_size > 1000


def test_names_of_files_are_bytes(save, tmp_path):
    with pytest.raises(ValueError, match="null byte"):
        save(f"{tmp_path}/a\0b")
    assert os.listdir(tmp_path) == []
    save(os.fsdecode(os.fsencode(tmp_path) + b"/\xff"))
    assert os.listdir(os.fsencode(tmp_path)) == [b"\xff"]


@pytest.mark.parametrize("load", [torch.load, taut.io.load_npy, taut.io.load_npz, taut.io.read_csv, taut.io.read_idx,
                                  taut.io.read_image])
def test_a_zero_byte_in_a_name_is_an_error(load):
    with pytest.raises(ValueError, match="null byte"):
        load("/dev/null\0b")


# ---- Forks.

FORKS = """
import os, sys, threading, time
import taut as torch
stop, own = False, torch.Generator()
def draw():
    while not stop:
        torch.randn(300000)
        torch.rand(300000, generator=own)
def allocate():
    kept = []
    while not stop:
        kept = [torch.empty(100000 + i * 1000) for i in range(20)]
threads = [threading.Thread(target=f) for f in (draw, draw, allocate)]
for t in threads: t.start()
for i in range(30):
    time.sleep(0.001 * (i % 5))
    child = os.fork()
    if child == 0:
        torch.randn(100), torch.rand(10, generator=own), [torch.empty(100000 * k) for k in range(1, 9)]
        os._exit(0 if torch.ones(100000).sum() == 100000 else 1)
    end = time.monotonic() + 60
    while (done := os.waitpid(child, os.WNOHANG)) == (0, 0):
        if time.monotonic() > end:
            os.kill(child, 9)
            os._exit(2)
        time.sleep(0.001)
    assert done[1] == 0, done
stop = True
for t in threads: t.join()
"""


def test_a_child_forked_while_others_draw_and_allocate_can_too():
    assert subprocess.run([sys.executable, "-c", FORKS], env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
                          timeout=300).returncode == 0


# ---- Ctrl-C.


class Stop(Exception):
    """Raised by a signal handler."""


@pytest.mark.parametrize("kind", ["many small nodes", "long kernels", "grad", "a second thread"])
def test_a_signal_ends_a_backward_at_once_and_another_one_works(kind):
    w = torch.ones(64, requires_grad=True)
    x, steps = (w, 400000) if kind == "many small nodes" else (w.view(1, 64).expand(900, 64).contiguous(), 30)
    if kind != "many small nodes":
        big = torch.full((900, 900), 1 / 900)
        x = x @ torch.full((64, 900), 1 / 64)
    for _ in range(steps):
        x = x * 1.0 if kind == "many small nodes" else x @ big
    loss = x.sum()

    def stop(*_):
        raise Stop

    before = signal.signal(signal.SIGALRM, stop)
    start = time.perf_counter()
    loss.backward(retain_graph=True)
    whole = time.perf_counter() - start
    first, w.grad = w.grad, None
    busy = threading.Thread(target=lambda: torch.ones(1000, 1000) @ torch.ones(1000, 1000))
    if kind == "a second thread":
        busy.start()
    try:
        signal.setitimer(signal.ITIMER_REAL, min(whole / 10, 0.01))
        with pytest.raises(Stop):
            for _ in range(1000):
                torch.autograd.grad(loss, w, retain_graph=True) if kind == "grad" else loss.backward(retain_graph=True)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    if kind == "a second thread":
        busy.join()
    # The gradient was added so many times, and each time as a whole.
    if kind != "grad" and w.grad is not None:
        assert (w.grad / first).unique().numel() == 1
    w.grad = None
    loss.backward()
    assert torch.equal(w.grad, first)


def test_ctrl_c_ends_one_long_backward():
    code = """
import os, signal, threading
import taut as torch
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell in the background lets its children ignore it
w = torch.ones(300, 300, requires_grad=True)
x = w
for _ in range(100):
    x = x @ (w.detach() / 300)
y = x.sum()
threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    while True:
        y.backward(retain_graph=True)
except KeyboardInterrupt:
    raise SystemExit(7)
"""
    done = subprocess.run([sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
                          timeout=120)
    assert done.returncode == 7


# ---- Damaged files.


def archive(text, **records):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as out:
        for name, data in {"data.pkl": text, "byteorder": b"little", "version": b"3\n", **records}.items():
            out.writestr(f"archive/{name}", data)
    file.seek(0)
    return file


def refused(text, match, **kwargs):
    with pytest.raises(pickle.UnpicklingError, match=match):
        torch.load(archive(text, **kwargs.pop("records", {})), **kwargs)


def test_a_tensor_of_too_many_dimensions_is_refused():
    file = io.BytesIO()
    torch.save(torch.ones(1), file)
    text = zipfile.ZipFile(file).read("archive/data.pkl")
    one = pickle.BININT1 + b"\1"
    changed = text.replace(one + pickle.TUPLE1, pickle.MARK + one * 1000 + pickle.TUPLE)
    for weights_only in (True, False):
        with pytest.raises((RuntimeError, pickle.UnpicklingError), match="at most 64 dimensions"):
            torch.load(archive(changed, **{"data/0": struct.pack("<f", 1)}), weights_only=weights_only)


def test_lengths_beyond_the_file_take_no_memory():
    for op in (pickle.BYTEARRAY8, pickle.BINBYTES8, pickle.BINUNICODE8):
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        refused(b"\x80\5" + op + struct.pack("<Q", 1 << 29) + b"abc.", "damaged")
        assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100 << 10
    for op in (pickle.BINUNICODE, pickle.BINBYTES, pickle.LONG4):
        refused(b"\x80\5" + op + struct.pack("<i", 1 << 30) + b"abc.", "damaged")
    assert torch.load(archive(pickle.dumps(bytearray(b"abc"), 5))) == b"abc"


def test_a_record_longer_than_the_file_takes_no_memory(tmp_path):
    path, numel = tmp_path / "x.pt", 3 << 27
    torch.save(torch.ones(3), path)
    data = path.read_bytes()
    at = data.rindex(b"PK\1\2", 0, data.rindex(b"x/data/0"))  # the table of contents tells of more
    data = data[:at] + data[at:at + 46].replace(struct.pack("<L", 12), struct.pack("<L", 4 * numel)) + data[at + 46:]
    before = torch.memory_stats()["peak"]
    with pytest.raises(RuntimeError, match="ends before it"):
        torch.load(io.BytesIO(data))
    assert torch.memory_stats()["peak"] - before < 100 << 20


def doubled(depth):
    """(t, t) of (t, t) ..., small in the file and in memory."""
    text = b"K\1"
    for i in range(depth):
        text += b"q" + bytes([i]) + b"h" + bytes([i]) + b"\x86"
    return text


@pytest.mark.parametrize("text", [
    b"}" + doubled(40) + b"Ns.", b"}(" + doubled(40) + b"Nu.", b"\x8f(" + doubled(40) + b"\x90.", b"(" + doubled(40) + b"\x91.",
    b"c__builtin__\nset\n](" + doubled(40) + b"e\x85R.", b"ccollections\nCounter\n](" + doubled(40) + b"e\x85R.",
    b"ccollections\nOrderedDict\n](" + doubled(40) + b"N\x86e\x85R.", b"c__builtin__\nset\n" + doubled(40) + b"\x85R.",
    b"}(" + b"K\1" + b"\x85" * 100000 + b"Nu.", doubled(40) + b")R.", doubled(40) + b"Q.", doubled(40) + b")\x81."])
def test_values_that_multiply_do_not_hang(text):
    refused(b"\x80\4" + text, "Weights only load failed")


def test_keys_of_tuples_work():
    value = {(1, ("a", 2)): 3, frozenset([(1, 2)]): 4}
    assert torch.load(archive(pickle.dumps(value, 4))) == value
    nested = torch.load(archive(b"\x80\4" + doubled(40) + b"."))
    assert nested[0][1] is nested[0][0]


def harmless(x):
    return x


@pytest.mark.parametrize("module,name", [("os", "execv"), ("posix", "execv"), ("posix", "system"), ("sys", "exit"), ("nt", "system")])
def test_nothing_of_the_system_is_used_whoever_allows_it(module, name):
    with torch.serialization.safe_globals([os.execv, os.system, sys.exit, (os.execv, "os.execv")]):
        refused(b"\x80\2c" + f"{module}\n{name}\n.".encode(), f"whose module {module} is blocked")
    with torch.serialization.safe_globals([harmless]):
        text = pickle.dumps(harmless, 2)
        assert torch.load(archive(text)) is harmless
        assert torch.load(archive(text[:-1] + b"K\1\x85R.")) == 1


@pytest.mark.parametrize("weights_only", [True, False])
def test_a_damaged_pickle_is_an_unpickling_error(weights_only):
    good = pickle.dumps({"aé": [1.5, "ü", b"x", 2**70, (1, 2)]}, 4)
    for protocol in (2, 4):
        good = pickle.dumps({"aé": [1.5, "ü", b"x", 2**70, (1, 2)]}, protocol)
        for i in range(len(good)):
            for value in (0, 0x80, 0xff, good[i] ^ 1):
                damaged = good[:i] + bytes([value]) + good[i + 1:]
                if not weights_only and any(op in damaged for op in (b"c", b"i", b"\x93")):
                    continue  # it may name something to run
                try:
                    torch.load(archive(damaged), weights_only=weights_only)
                except (UnicodeDecodeError, SystemError, MemoryError):
                    raise
                except Exception as error:
                    assert not weights_only or isinstance(error, (pickle.UnpicklingError, NotImplementedError)), error
    refused(b"\x80\2X\2\0\0\0\xff\xfe.", "decode|damaged", weights_only=weights_only)
    if not weights_only:
        refused(b"\x80\2Nr\xff\xff\xff\x7f.", "damaged", weights_only=False)  # a memo of 2^31 entries


def test_damaged_archives_are_runtime_errors(tmp_path):
    path = tmp_path / "x.pt"
    torch.save({"w": torch.ones(3)}, path)
    good = path.read_bytes()
    for i in range(0, len(good), 3):
        for value in (0, 0xff, good[i] ^ 1):
            path.write_bytes(good[:i] + bytes([value]) + good[i + 1:])
            try:
                torch.load(path)
            except (RuntimeError, pickle.UnpicklingError) as error:
                assert str(error)


def test_files_that_are_not_utf8_give_the_errors_of_the_format(tmp_path):
    path = tmp_path / "x"
    path.write_bytes(b"a\xff,b\n1,2\n")
    with pytest.raises(RuntimeError, match="not UTF-8"):
        taut.io.read_csv(path)
    path.write_bytes(b"a,b\n1,\xff\n")
    with pytest.raises(RuntimeError, match=r"\\xff"):
        taut.io.read_csv(path)
    assert taut.io.read_csv(path, columns=["a"])[0].tolist() == [[1]]
    numpy.save(path.open("wb"), numpy.ones(3))
    good = path.read_bytes()
    for i in range(6, 100):
        path.write_bytes(good[:i] + b"\xff" + good[i + 1:])
        try:
            taut.io.load_npy(path)
        except (RuntimeError, NotImplementedError) as error:
            assert str(error)
    taut.io.save_npz({"aa": torch.ones(2), "bb": torch.ones(2)}, path)
    good = path.read_bytes()
    path.write_bytes(good.replace(b"aa.npy", b"\xff\xfe.npy"))
    with pytest.raises(RuntimeError, match="not UTF-8"):
        taut.io.load_npz(path)
    for i in range(len(good)):
        path.write_bytes(good[:i] + b"\xff" + good[i + 1:])
        try:
            taut.io.load_npz(path)
        except (RuntimeError, NotImplementedError) as error:
            assert str(error)


@pytest.mark.parametrize("with_replacement", [False, True])
def test_combinations_are_counted_before_memory_is_taken(with_replacement):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(RuntimeError):
        torch.combinations(torch.arange(100), 50, with_replacement)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 64 << 10
