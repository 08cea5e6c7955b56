#!/usr/bin/env python3
"""Lets one rank of a training go wrong, many times, and looks at what the others do: distributed_faults.py --count 500 [--seed 0] [--jobs 4].

Each trial trains a small network on two to four processes. At a random step a random rank is killed, stopped, interrupted, leaves,
raises, is slow, finds its disk full, or calls a collective that does not match. The others must end within --patience seconds
with an error that names that rank or shows what each called; where nothing is lost (a slow rank), all must end with the right weights. A table says
how often each came to what, and how long the others took. Exits with 1 if anything hung or was wrong. Needs the Python package (`make python`).
"""

import argparse
import collections
import concurrent.futures
import os
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time

STEPS = 12
NAMES_THE_RANK = {"killed", "stopped", "interrupted", "leaves", "exits", "raises"}
MATCHES_NOT = {"another op", "another shape", "another dtype", "another order"}
KINDS = sorted(NAMES_THE_RANK | MATCHES_NOT | {"slow", "full disk", "nothing"})


def child(kind, guilty, at):
    import torch
    import torch.distributed as dist
    import torch.distributed.checkpoint as dcp
    from torch.nn.parallel import DistributedDataParallel

    signal.signal(signal.SIGINT, signal.default_int_handler)  # who runs this in the background may have it ignored
    dist.init_process_group()
    rank = dist.get_rank()
    torch.manual_seed(0)
    net = DistributedDataParallel(torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.Tanh(), torch.nn.Linear(16, 1)), bucket_cap_mb=0.0002)
    optimizer = torch.optim.SGD(net.parameters(), 0.1)
    data = torch.randn(STEPS, 4, 8)
    for step in range(STEPS):
        t = torch.ones(50)
        if rank == guilty and step == at:
            if kind in ("killed", "stopped", "interrupted"):
                os.kill(os.getpid(), {"killed": signal.SIGKILL, "stopped": signal.SIGSTOP, "interrupted": signal.SIGINT}[kind])
            elif kind == "leaves":
                dist.destroy_process_group()
                return
            elif kind == "exits":
                os._exit(0)
            elif kind == "raises":
                raise ValueError("on purpose")
            elif kind == "slow":
                time.sleep(2)
            elif kind == "another op":
                dist.broadcast(t, 0)
            elif kind == "another shape":
                dist.all_reduce(torch.ones(7))
            elif kind == "another dtype":
                dist.all_reduce(t.double())
            elif kind == "another order":
                dist.barrier()
        dist.all_reduce(t)
        optimizer.zero_grad()
        (net(data[step]).square().mean() + 0 * t.sum()).backward()
        optimizer.step()
        if kind == "full disk" and step == at:
            with tempfile.TemporaryDirectory() as directory:
                place = os.path.join(directory if rank != guilty else "/dev/full", "x")
                dcp.save({f"of {rank}": torch.ones(10)}, checkpoint_id=place)
    os.write(1, f"weights {torch.fingerprint(net.module)}\n".encode())
    dist.destroy_process_group()


def undisturbed(size):
    """The weights of a training without faults: they depend on how many thirds make a whole."""
    found = {re.search(r"^weights (\w+)$", p.communicate()[0], re.M)[1] for p in start("nothing", -1, -1, size)}
    assert len(found) == 1, found
    return found.pop()


def start(kind, guilty, at, size):
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
    command = [sys.executable, "-m", "taut", os.path.abspath(__file__), "--child", kind, str(guilty), str(at)]
    return [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                             env={**os.environ, "RANK": str(i), "WORLD_SIZE": str(size), "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port),
                                  "TAUT_NUM_THREADS": "1"}) for i in range(size)]


def trial(number, seed, patience, expected):
    r = random.Random(f"{seed} {number}")
    size, kind = r.randint(2, 4), KINDS[number % len(KINDS)]
    guilty, at = r.randrange(size), r.randrange(STEPS)
    ranks = start(kind, guilty, at, size)
    began, problem, said = time.monotonic(), None, {}
    for i, p in enumerate(ranks):
        if i == guilty and kind == "stopped":
            continue
        try:
            said[i] = p.communicate(timeout=max(0.1, began + patience - time.monotonic()))[0]
        except subprocess.TimeoutExpired:
            problem = f"rank {i} of {size} hung"
    took = time.monotonic() - began
    for p in ranks:
        p.kill()
        p.communicate()
    where = f"trial {number}: {kind}, rank {guilty} of {size}, step {at}"
    for i, text in said.items() if problem is None else ():
        weights = re.search(r"^weights (\w+)$", text, re.M)
        if weights and weights[1] != expected[size]:
            problem = f"rank {i} has other weights"
        if kind in ("slow", "nothing"):
            if not weights:
                problem = f"rank {i} did not finish: {text[-300:]}"
        elif kind in MATCHES_NOT:
            if "do not match" not in text and "died or closed" not in text:
                problem = f"rank {i} did not say what does not match: {text[-300:]}"
        elif kind == "full disk":
            if "CheckpointException" not in text or f"rank {guilty}:" not in text:
                problem = f"rank {i} did not say whose disk: {text[-300:]}"
        elif i != guilty and not re.search(rf"\b[Rr]ank {guilty} \([^,]+, process", text):
            problem = f"rank {i} did not name rank {guilty}: {text[-300:]}"
    return kind, problem and f"{where}: {problem}", took


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=4)
    parser.add_argument("--patience", type=float, default=40, help="seconds after which a trial hangs")
    options = parser.parse_args()
    expected = {size: undisturbed(size) for size in (2, 3, 4)}
    took, problems = collections.defaultdict(list), []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        running = [pool.submit(trial, i, options.seed, options.patience, expected) for i in range(options.count)]
        for done, future in enumerate(concurrent.futures.as_completed(running), 1):
            kind, problem, seconds = future.result()
            took[kind].append(seconds)
            if problem:
                problems.append(problem)
            if sys.stderr.isatty() or done % 50 == 0:
                print(f"\r{done} of {options.count}, {len(problems)} problems", end="" if sys.stderr.isatty() else "\n", file=sys.stderr, flush=True)
    print(f"{'fault':16} {'trials':>6} {'median s':>9} {'longest s':>10}")
    for kind, seconds in sorted(took.items()):
        print(f"{kind:16} {len(seconds):6} {sorted(seconds)[len(seconds) // 2]:9.1f} {max(seconds):10.1f}")
    print(*problems, sep="\n")
    sys.exit(bool(problems))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        child(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
    else:
        main()
