#!/usr/bin/env python3
"""Times collectives and DistributedDataParallel on two processes in Taut and in PyTorch (both on Gloo), in turns, and prints them side by side.

usage: distributed.py [--rounds 5] [--torch python3] [--taut .venv/bin/python] [--only part of a name]

Each process has one thread. `alone` is one process that does the same training step without a group: its time over that of two processes, which
do twice the work, is the efficiency. Best of all rounds.
"""

import argparse
import json
import os
import socket
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
SIZES = [4 << (2 * i) for i in range(14)]  # 4 B to 256 MB
BATCH = {"mlp": 128, "cnn": 32, "gpt": 2}


def child(only):
    import torch
    import torch.distributed as dist
    import torch.nn.functional as F

    import models

    torch.set_num_threads(1)
    launched = "RANK" in os.environ
    rank = int(os.environ.get("RANK", 0))
    if launched:
        dist.init_process_group("gloo")
    found = {}

    def best(name, f, least=3, seconds=0.6):
        if only not in name:
            return
        f()
        times = []
        while True:
            if launched:
                dist.barrier()
            t = time.perf_counter()
            f()
            times.append(time.perf_counter() - t)
            done = torch.tensor(int(len(times) >= least and (sum(times) >= seconds or len(times) >= 2000)))
            if launched:
                dist.broadcast(done, 0)  # all go on, or none
            if done.item():
                break
        found[name] = min(times)

    for size in SIZES if launched else ():
        t, parts = torch.ones(size // 4), [torch.ones(size // 4) for _ in range(2)]
        label = f"{size} B" if size < 1024 else f"{size >> 10} KB" if size < 1 << 20 else f"{size >> 20} MB"
        best(f"all_reduce {label}", lambda t=t: dist.all_reduce(t), seconds=0.3)
        best(f"broadcast {label}", lambda t=t: dist.broadcast(t, 0), seconds=0.3)
        best(f"all_gather {label}", lambda t=t, parts=parts: dist.all_gather(parts, t), seconds=0.3)
    for name in BATCH:
        torch.manual_seed(rank)
        net = getattr(models, name)()
        if launched:
            net = torch.nn.parallel.DistributedDataParallel(net)
        optimizer = torch.optim.AdamW(net.parameters(), 1e-4)
        n = BATCH[name]
        x = torch.randint(512, (n, 256)) if name == "gpt" else torch.randn(n, 784) if name == "mlp" else torch.randn(n, 1, 28, 28)
        y = torch.randint(10, (n * 256 if name == "gpt" else n,))

        def step(net=net, optimizer=optimizer, x=x, y=y):
            optimizer.zero_grad()
            F.cross_entropy(net(x), y).backward()
            optimizer.step()

        best(f"step {name}", step, seconds=2)
    if rank == 0:
        os.write(1, (json.dumps(found) + "\n").encode())
    if launched:
        dist.destroy_process_group()


def run(command, ranks, only):
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
    base = {**os.environ, "OMP_NUM_THREADS": "1", "TAUT_NUM_THREADS": "1", "PYTHONPATH": str(HERE)}
    group = {"WORLD_SIZE": str(ranks), "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)} if ranks > 1 else {}
    processes = [subprocess.Popen([*command, __file__, "--child", only], stdout=subprocess.PIPE, text=True,
                                  env={**base, **group, **({"RANK": str(r)} if ranks > 1 else {})}) for r in range(ranks)]
    return json.loads([p.communicate()[0] for p in processes][0].splitlines()[-1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--torch", default="python3", help="a Python that has torch and numpy")
    parser.add_argument("--taut", default=str(HERE.parent / ".venv" / "bin" / "python"), help="a Python that has taut and numpy")
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    commands = {"taut": [options.taut, "-m", "taut"], "torch": [options.torch]}
    times = {}
    for i in range(options.rounds):
        for library, command in commands.items():
            for ranks in (2, 1):
                for name, seconds in run(command, ranks, options.only).items():
                    key = name, library, ranks
                    times[key] = min(seconds, times.get(key, seconds))
        print(f"\rround {i + 1} of {options.rounds}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    print("| | Taut | PyTorch | times as fast | efficiency of 2 processes, Taut | PyTorch |\n|---|---|---|---|---|---|")
    for name in dict.fromkeys(n for n, _, _ in times):
        ours, theirs = times[name, "taut", 2], times[name, "torch", 2]
        alone = [f"{times[name, lib, 1] / times[name, lib, 2]:.2f}" if (name, lib, 1) in times else "" for lib in ("taut", "torch")]
        print(f"| {name} | {ours * 1e3:.3f} ms | {theirs * 1e3:.3f} ms | {theirs / ours:.2f} | {alone[0]} | {alone[1]} |")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        child(sys.argv[2])
    else:
        main()
