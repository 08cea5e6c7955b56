#!/usr/bin/env python3
"""Runs the benchmarks and prints Taut beside PyTorch's C++ library, measured in turns in one run.

usage: run.py [what ...]     what: overhead, train, size (these by default), gemm
"""
import os
import shutil
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "release"
ENVIRONMENT = ROOT / "build" / "bench-env"
TORCH = "torch==2.13.0"
ROUNDS = int(os.environ.get("ROUNDS", "5"))
# Rows that must be at least this many times as fast as libtorch.
GOALS = {
    "add, 1 element, no grad": 8,
    "add, 1 element, grad recorded": 8,
    "100-op chain, forward and backward": 10,
}


def torch_directory():
    """The torch package inside an environment of our own, or None where it cannot be installed."""
    python = ENVIRONMENT / "bin" / "python"
    find = "import importlib.util as u; print(u.find_spec('torch').submodule_search_locations[0])"
    if not python.exists():
        venv.create(ENVIRONMENT, with_pip=True)
    for attempt in range(2):
        found = subprocess.run([python, "-c", find], capture_output=True, text=True)
        if found.returncode == 0:
            return Path(found.stdout.strip())
        if attempt == 0:
            print(f"installing {TORCH} into {ENVIRONMENT.relative_to(ROOT)} ...", flush=True)
            subprocess.run([python, "-m", "pip", "install", "-q", TORCH], capture_output=True)
    return None


def compile_with_libtorch(source, torch):
    """The same source against the library inside the wheel; compiled anew only when it changed."""
    program = ROOT / "build" / "bench-env" / (source.stem + "_libtorch")
    if program.exists() and program.stat().st_mtime > source.stat().st_mtime:
        return program
    print(f"compiling {source.name} against libtorch (about half a minute) ...", flush=True)
    includes = [torch / "include", torch / "include" / "torch" / "csrc" / "api" / "include"]
    subprocess.run(
        ["g++", "-std=c++20", "-O2", "-DBENCH_LIBTORCH", source, "-o", program]
        + [f"-I{i}" for i in includes]
        + [f"-L{torch / 'lib'}", "-ltorch", "-ltorch_cpu", "-lc10", f"-Wl,-rpath,{torch / 'lib'}"],
        check=True,
    )
    return program


def rows(program, *arguments):
    output = subprocess.run([program, *arguments], check=True, capture_output=True, text=True).stdout
    return {name: float(value) for name, value in (line.split("\t") for line in output.splitlines())}


def merge(best, new):
    for name, value in new.items():
        best[name] = min(value, best.get(name, value))


def both_programs(name):
    """Our build of a benchmark, and the one against libtorch or None."""
    torch = torch_directory()
    if not torch:
        print(f"{TORCH} cannot be installed here: no comparison, Taut alone.")
    theirs = compile_with_libtorch(ROOT / "bench" / f"{name}.cpp", torch) if torch else None
    return BUILD / "bench" / name, theirs


def overhead():
    ours_program, theirs_program = both_programs("overhead")
    ours, theirs = {}, {}
    for _ in range(ROUNDS):  # in turns, so that a slow moment of the machine hits both
        merge(ours, rows(ours_program))
        if theirs_program:
            merge(theirs, rows(theirs_program, "5"))
    print(f"\n{'':44}{'Taut':>10}{'libtorch':>10}{'ratio':>8}   (ns per op, best of {ROUNDS} rounds in turns)")
    for name, value in ours.items():
        if name.startswith("bytes"):
            print(f"{name:44}{value:10.0f}")
            continue
        line = f"{name:44}{value:10.1f}"
        if name in theirs:
            line += f"{theirs[name]:10.1f}{theirs[name] / value:7.1f}x"
            if name in GOALS:
                line += f"   goal {GOALS[name]}x"
        print(line)
    growth = ours["1000000-op chain, forward and backward"] / ours["1000-op chain, forward and backward"]
    print(f"\ncost per op at 10^6 ops over that at 10^3: {growth:.2f} (goal: within 1.3)")


def train():
    """Whole training steps. The losses of both sides must agree, so that nobody wins by computing something else."""
    ours_program, theirs_program = both_programs("train")
    for threads in range(1, min(2, os.cpu_count()) + 1):
        ours, theirs = {}, {}
        for _ in range(ROUNDS):
            merge(ours, rows(ours_program, str(threads)))
            if theirs_program:
                merge(theirs, rows(theirs_program, str(threads)))
        print(f"\n{f'training steps, {threads} thread(s)':52}{'Taut':>10}{'libtorch':>10}{'ratio':>8}   (us per step)")
        for name, value in ours.items():
            if name.startswith("loss of"):
                continue
            line = f"{name:52}{value:10.0f}"
            if theirs:
                line += f"{theirs[name]:10.0f}{theirs[name] / value:7.2f}x"
                mine, other = ours[f"loss of {name}"], theirs[f"loss of {name}"]
                if abs(mine - other) > 1e-3 * abs(other):
                    line += f"   LOSSES DIFFER: {mine} and {other}"
            print(line)


def gemm():
    subprocess.run([BUILD / "bench" / "gemm_bench"], check=True)


def size():
    """The library stripped, the start of a hello world, and the compile time of a file that includes everything."""
    library = next(BUILD.glob("libtaut.so.*.*.*"))
    with tempfile.TemporaryDirectory() as directory:
        stripped = Path(directory) / "libtaut.so"
        shutil.copy(library, stripped)
        subprocess.run(["strip", stripped], check=True)
        print(f"shared library, stripped: {stripped.stat().st_size / 1e6:.1f} MB (goal: under 10)")
        source = Path(directory) / "hello.cpp"
        source.write_text(
            "#include <taut/taut.h>\n#include <iostream>\nint main() { std::cout << taut::ones({2}) << '\\n'; }\n"
        )
        program = Path(directory) / "hello"
        start = time.perf_counter()
        flags = ["-std=c++20", "-O0", f"-I{ROOT / 'include'}"]
        subprocess.run(["g++", *flags, "-c", source, "-o", f"{program}.o"], check=True)
        print(f"compiling a file that includes <taut/taut.h> at -O0: {time.perf_counter() - start:.2f} s (goal: under 3)")
        link = [f"-L{BUILD}", "-ltaut", f"-Wl,-rpath,{BUILD}"]
        subprocess.run(["g++", f"{program}.o", "-o", program, *link], check=True)
        best = min(timed_run(program) for _ in range(20))
        print(f"hello world, from start to end: {best * 1e3:.2f} ms (goal: under 5)")


def timed_run(program):
    start = time.perf_counter()
    subprocess.run([program], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def main():
    known = {"overhead": overhead, "train": train, "gemm": gemm, "size": size}
    wanted = [w for w in sys.argv[1:] if w] or ["overhead", "train", "size"]
    for name in wanted:
        if name in ("-h", "--help") or name not in known:
            sys.exit(__doc__)
    for name in wanted:
        known[name]()


if __name__ == "__main__":
    main()
