"""Several processes: collectives, trainings, faults, the launcher, the stores."""

import datetime
import os
import pathlib
import re
import shutil
import subprocess
import sys
import threading

import pytest
import taut
import taut.distributed as dist

HERE = pathlib.Path(__file__).parent
pytestmark = pytest.mark.skipif(not dist.is_gloo_available(), reason="Taut was built without Gloo (libgloo-dev)")


def launch(count, *command, options=(), timeout=300):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(pathlib.Path(taut.__file__).parent.parent), os.environ.get("PYTHONPATH", "")])}
    return subprocess.run([sys.executable, "-m", "taut", "-m", "torch.distributed.run", "--nproc-per-node", str(count), *options, *map(str, command)],
                          capture_output=True, text=True, timeout=timeout, env=environment)


@pytest.mark.parametrize("script", ["collectives", "training", "uneven"])
@pytest.mark.parametrize("count", [1, 2, 3])
def test_ranks_get_what_they_must(script, count):
    done = launch(count, HERE / "distributed" / f"{script}.py")
    assert done.returncode == 0, done.stdout + done.stderr
    assert sorted(re.findall(r"rank (\d): good", done.stdout)) == [str(r) for r in range(count)]


@pytest.mark.parametrize("kind, says", [
    ("killed", r"rank 1 \(.*\) died or closed its connection while rank \d .* all_reduce\(float32 \[1000\], SUM\)"),
    ("raises", r"rank 1 \(.*\) died or closed its connection"),
    ("leaves", r"rank 1 \(.*\) left group 'default' while"),
    ("stopped", r"rank 1 \(.*\) has not been heard of for 6 s"),
    ("another op", r"do not match:.*rank 0 .*all_reduce\(float32 \[1000\], SUM\).*rank 1 .*broadcast\(float32 \[1000\], root 0\)"),
    ("another shape", r"do not match:.*rank 1 .*all_reduce\(float32 \[7\], SUM\)"),
    ("another dtype", r"do not match:.*rank 1 .*all_reduce\(float64 \[1000\], SUM\)"),
])
def test_a_fault_of_one_rank_raises_on_the_others_and_names_it(kind, says):
    done = launch(3, HERE / "distributed" / "faults.py", kind, timeout=60)
    assert done.returncode == 1
    for rank in (0, 2):
        said = re.search(rf"^rank {rank} after (\d+) s: (.*)$", done.stdout, re.M)
        assert said, done.stdout + done.stderr
        assert re.search(says, said[2]), said[2]
        assert int(said[1]) <= 20
    assert "Root Cause (first observed failure)" in done.stderr


@pytest.mark.skipif(not (dist.is_mpi_available() and shutil.which("mpirun")), reason="no MPI here (tools/setup.sh mpi installs it)")
@pytest.mark.parametrize("backend", ["mpi", "gloo"])
def test_mpirun_starts_ranks_too(backend):
    path = os.pathsep.join([str(pathlib.Path(taut.__file__).parent.parent), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(["mpirun", "--allow-run-as-root", "--oversubscribe", "-np", "3", sys.executable, "-m", "taut", HERE / "distributed" / "collectives.py"],
                          capture_output=True, text=True, timeout=300, env={**os.environ, "PYTHONPATH": path, "TAUT_TEST_BACKEND": backend})
    assert done.returncode == 0, done.stdout + done.stderr
    assert sorted(re.findall(r"rank (\d): good", done.stdout)) == ["0", "1", "2"]


def test_the_launcher_starts_all_anew_when_one_fails(tmp_path):
    script = tmp_path / "once.py"
    script.write_text("import os, sys\nos.write(1, ' '.join(map(os.environ.get, ['RANK', 'WORLD_SIZE', 'TORCHELASTIC_RESTART_COUNT'])).encode() + b'\\n')\n"
                      "sys.exit(os.environ['TORCHELASTIC_RESTART_COUNT'] == '0' and os.environ['RANK'] == '1')\n")
    done = launch(2, script, options=["--max-restarts", "2"])
    assert done.returncode == 0, done.stderr
    assert sorted(done.stdout.split("\n"))[1:] == ["0 2 0", "0 2 1", "1 2 0", "1 2 1"]
    assert "starting all processes anew (1 of 2 restarts)" in done.stderr


def test_the_launcher_writes_files_and_shows_what_failed(tmp_path):
    script = tmp_path / "bad.py"
    script.write_text("import os\nfrom torch.distributed.elastic.multiprocessing.errors import record\n\n@record\ndef main():\n    print('hello')\n"
                      "    if os.environ['RANK'] == '1':\n        raise KeyError('where')\n\nmain()\n")
    done = launch(2, script, options=["--log-dir", str(tmp_path / "logs"), "--tee", "3", "--rdzv-id", "run"])
    assert done.returncode == 1 and "rank      : 1" in done.stderr and "KeyError: 'where'" in done.stderr
    assert "[default0]:hello" in done.stdout
    (log,) = (tmp_path / "logs").glob("run_*/attempt_0/0/stdout.log")
    assert log.read_text() == "hello\n"


def stores(tmp_path):
    yield dist.HashStore()
    yield dist.FileStore(str(tmp_path / "store"), 1)
    yield dist.TCPStore("127.0.0.1", 0, 1, True)
    yield dist.PrefixStore("a", dist.HashStore())


def test_stores_keep_what_is_set(tmp_path):
    for store in stores(tmp_path):
        store.set("key", "value")
        store.set("bytes", b"\0\xff")
        assert store.get("key") == b"value" and store.get("bytes") == b"\0\xff"
        assert store.add("n", 5) == 5 and store.add("n", -7) == -2
        assert store.check(["key", "n"]) and not store.check(["key", "none"])
        assert store.compare_set("key", "other", "new") == b"value"
        assert store.compare_set("key", "value", "new") == b"new"
        assert store.compare_set("fresh", "", "made") == b"made"
        store.append("key", "er")
        assert store.get("key") == b"newer"
        before = store.num_keys()
        assert store.delete_key("n") and not store.delete_key("n")
        assert store.num_keys() == before - 1
        with pytest.raises(dist.DistStoreError, match="wait timeout after 100ms, keys: .*none"):
            store.wait(["none"], datetime.timedelta(milliseconds=100))
        threading.Timer(0.05, store.set, ("late", "x")).start()
        store.wait(["late"], datetime.timedelta(seconds=20))


def test_a_store_over_tcp_serves_others_and_says_when_it_is_gone():
    server = dist.TCPStore("localhost", 0, is_master=True, wait_for_workers=False)
    client = dist.TCPStore("127.0.0.1", server.port, is_master=False, wait_for_workers=False)
    server.set("a", "1")
    assert client.get("a") == b"1"
    client.set("long", "x" * 3_000_000)
    assert len(server.get("long")) == 3_000_000
    with pytest.raises(dist.DistNetworkError, match="failed to listen"):
        dist.TCPStore("localhost", server.port, is_master=True, wait_for_workers=False)
    del server
    with pytest.raises(dist.DistNetworkError, match="is lost"):
        client.get("a")
    with pytest.raises(dist.DistNetworkError, match="timed out after 200ms"):
        dist.TCPStore("127.0.0.1", 1, timeout=datetime.timedelta(milliseconds=200))


def test_calls_that_make_no_sense_say_so():
    assert dist.is_available() and not dist.is_initialized()
    with pytest.raises(ValueError, match="Default process group has not been initialized"):
        dist.get_rank()
    with pytest.raises(ValueError, match="environment variable RANK expected, but not set"):
        dist.init_process_group("gloo")
    with pytest.raises(RuntimeError, match="doesn't have NCCL built in"):
        dist.init_process_group("nccl")
    with pytest.raises(ValueError, match="Unknown backend"):
        dist.init_process_group("pigeon")
    with pytest.raises(RuntimeError, match="No rendezvous handler for udp://"):
        dist.init_process_group("gloo", "udp://x", rank=0, world_size=1)


def test_groups_of_one_process_meet_in_any_store(tmp_path):
    for store in stores(tmp_path):
        dist.init_process_group("gloo", store=store, rank=0, world_size=1)
        t = taut.arange(3.0)
        dist.all_reduce(t)
        assert t.tolist() == [0, 1, 2] and dist.get_backend() == "gloo"
        with pytest.raises(ValueError, match="twice"):
            dist.init_process_group("gloo", store=store, rank=0, world_size=1)
        with pytest.raises(ValueError, match="all_gather"):
            dist.all_gather([taut.zeros(2)], t)
        with pytest.raises(TypeError, match="Expected parameter `tensor` of type torch.Tensor"):
            dist.all_reduce([t])
        dist.destroy_process_group()


@pytest.mark.parametrize("before, after", [(2, 3), (3, 1)])
def test_what_ranks_saved_another_number_of_them_reads(before, after, tmp_path):
    for count, what in ((before, "save"), (after, "load")):
        done = launch(count, HERE / "distributed" / "checkpoints.py", what, tmp_path)
        assert done.returncode == 0, done.stdout + done.stderr
        assert sorted(re.findall(r"rank (\d): good", done.stdout)) == [str(r) for r in range(count)]


def test_a_training_that_lost_a_rank_ends_with_the_bits_of_one_that_did_not(tmp_path):
    ends = []
    for name, dies in (("calm", []), ("struck", ["5"])):
        done = launch(2, HERE / "distributed" / "resumed.py", tmp_path / name, *dies, options=["--max-restarts", "1"])
        assert done.returncode == 0, done.stdout + done.stderr
        assert ("starting all processes anew" in done.stderr) == bool(dies)
        ends.append(re.search(r"weights (\w+)", done.stdout)[1])
    assert ends[0] == ends[1]
