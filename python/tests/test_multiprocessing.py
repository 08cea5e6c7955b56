"""torch.multiprocessing: tensors between processes, by their memory."""

import multiprocessing as plain
import os
import subprocess
import sys

import pytest
import taut as torch

from taut import multiprocessing as mp


def work(i, tasks, results, shared, model):
    shared[i] = i + 10
    with torch.no_grad():
        model.weight.add_(1)
    t = tasks.get()
    t[0] += 5
    results.put(t.sum())
    results.put(t[1:])
    tasks.get()  # until the results are taken


def number(i, into):
    into[i] = i + 1


def fail(i):
    if i == 1:
        raise ValueError("what one process says")
    import time

    time.sleep(60)


def leave(i):
    os._exit(3)


def square(x):
    return x * x


@pytest.fixture(params=["file_descriptor", "file_system"])
def strategy(request):
    before = mp.get_sharing_strategy()
    mp.set_sharing_strategy(request.param)
    yield request.param
    mp.set_sharing_strategy(before)


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_tensors_of_queues_are_the_same_memory_on_both_sides(method, strategy):
    context = mp.get_context(method)
    tasks, results = context.Queue(), context.Queue()
    shared, model = torch.zeros(3).share_memory_(), torch.nn.Linear(2, 2)
    assert model.share_memory() is model and model.weight.is_shared() and model.weight.requires_grad
    before = model.weight.detach().clone()
    process = context.Process(target=work, args=(1, tasks, results, shared, model))
    process.start()
    t = torch.arange(4.0)
    tasks.put(t)
    total, view = results.get(timeout=60), results.get(timeout=60)
    tasks.put(None)
    process.join()
    assert process.exitcode == 0
    assert total.item() == 11 and shared.tolist() == [0, 11, 0]
    assert torch.allclose(model.weight, before + 1)
    assert t.tolist() == [5, 1, 2, 3] and t.is_shared() and view.is_shared()
    view[0] = 100  # came back as a view of what was sent
    assert t.tolist() == [5, 100, 2, 3]


def test_spawn_runs_a_function_in_several_processes():
    into = torch.zeros(2).share_memory_()
    mp.spawn(number, (into,), nprocs=2)
    assert into.tolist() == [1, 2]


def test_the_first_error_ends_all_processes_and_is_raised():
    with pytest.raises(mp.ProcessRaisedException, match="-- Process 1 terminated with the following error:(.|\n)*what one process says"):
        mp.start_processes(fail, nprocs=2, start_method="fork")
    with pytest.raises(mp.ProcessExitedException, match="process 0 terminated with exit code 3"):
        mp.start_processes(leave, nprocs=1, start_method="fork")


def test_pools_and_pipes_take_tensors():
    with mp.get_context("fork").Pool(2) as pool:
        assert [x.item() for x in pool.map(square, [torch.tensor(2.0), torch.tensor(3.0)])] == [4, 9]
    here, there = mp.Pipe()
    there.send({"x": torch.ones(2), "empty": torch.empty(0, 3), "int": torch.arange(3)[::2]})
    got = here.recv()
    assert got["x"].tolist() == [1, 1] and got["empty"].shape == (0, 3) and got["int"].tolist() == [0, 2]


def test_what_is_sent_of_a_tensor():
    q = mp.SimpleQueue()
    p = torch.nn.Parameter(torch.ones(2))
    p.note = 3
    q.put(p)
    got = q.get()
    assert type(got) is torch.nn.Parameter and got.requires_grad and got.note == 3
    with pytest.raises(RuntimeError, match="Cowardly refusing to serialize non-leaf tensor which requires_grad"):
        q.put(p * 2)
    x = torch.zeros(4)
    view = x[1:]
    with pytest.raises(RuntimeError, match="other tensors .* stand over the same memory"):
        x.share_memory_()
    q.put(view)  # a copy, so that x and its view stay together
    sent = q.get()
    sent[0] = 1
    assert x.tolist() == [0, 0, 0, 0] and not x.is_shared()


def test_plain_multiprocessing_sends_them_too():
    here, there = plain.Pipe()
    t = torch.ones(2)
    there.send(t)
    got = here.recv()
    got[0] = 5
    assert t.tolist() == [5, 1]


def test_memory_files_go_with_their_tensors():
    files = {f"torch_{os.getpid()}_"}
    before = mp.get_sharing_strategy()
    mp.set_sharing_strategy("file_system")
    try:
        t = torch.ones(2).share_memory_()
        assert any(name.startswith(tuple(files)) for name in os.listdir("/dev/shm"))
        del t
        assert not any(name.startswith(tuple(files)) for name in os.listdir("/dev/shm"))
        handles = len(os.listdir("/proc/self/fd"))
        mp.set_sharing_strategy("file_descriptor")
        for _ in range(10):
            torch.ones(2).share_memory_()
        assert len(os.listdir("/proc/self/fd")) == handles
    finally:
        mp.set_sharing_strategy(before)


def test_strategies():
    assert mp.get_all_sharing_strategies() == {"file_descriptor", "file_system"}
    with pytest.raises(AssertionError):
        mp.set_sharing_strategy("pigeons")


def test_spawned_children_of_a_script_find_torch(tmp_path):
    script = tmp_path / "script.py"
    script.write_text("import torch\nimport torch.multiprocessing as mp\n"
                      "def f(i, x):\n    x[i] = torch.tensor(2.0) + i\n"
                      "if __name__ == '__main__':\n    x = torch.zeros(2).share_memory_()\n    mp.spawn(f, (x,), nprocs=2)\n    print(x)\n")
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    done = subprocess.run([sys.executable, "-m", "taut", str(script)], capture_output=True, text=True, env=env)
    assert done.stdout == "tensor([2., 3.])\n", done.stderr
