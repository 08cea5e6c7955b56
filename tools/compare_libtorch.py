#!/usr/bin/env python3
"""compare_libtorch.py <PyTorch's python> [name...]: compiles the programs of tests/libtorch as they are against taut::torch,
with every warning an error, and against libtorch from the PyTorch wheel; both must print the same. What libtorch printed is
written to tests/golden/libtorch, with which the tests compare; that directory is the argument of each program. It also says how long each took to compile. Taut comes from
build/release.
"""

import difflib
import os
import pathlib
import resource
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SCRATCH = ROOT / "build" / "libtorch"
GOLDEN = ROOT / "tests" / "golden" / "libtorch"
COMPILER = os.environ.get("CXX", "g++")


def run(command, **options):
    """The seconds of processor time that it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([str(c) for c in command], check=True, **options)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def output(program):
    """What the program prints; its files go to the scratch directory."""
    done = subprocess.run([program, GOLDEN], cwd=SCRATCH, capture_output=True, text=True)
    return done.stdout + (f"exit {done.returncode}: {done.stderr}" if done.returncode else "")


def by_libtorch(source, home):
    include = home / "include"
    flags = ["-std=c++20", "-O0", "-w", "-D_GLIBCXX_USE_CXX11_ABI=1",
             "-isystem", include, "-isystem", include / "torch/csrc/api/include"]
    program = SCRATCH / f"{source.stem}.libtorch"
    seconds = run([COMPILER, *flags, "-c", source, "-o", f"{program}.o"])
    run([COMPILER, f"{program}.o", "-o", program, "-L", home / "lib", f"-Wl,-rpath,{home / 'lib'}", "-ltorch", "-ltorch_cpu",
         "-lc10"])
    return output(program), seconds


def by_taut(source):
    program = SCRATCH / f"{source.stem}.taut"
    build = ROOT / "build" / "release"
    seconds = run([COMPILER, "-std=c++20", "-O0", "-Wall", "-Wextra", "-Werror", "-I", ROOT / "include", "-I",
                   ROOT / "include/taut-torch", "-c", source, "-o", f"{program}.o"])
    run([COMPILER, f"{program}.o", "-o", program, build / "libtaut.so", f"-Wl,-rpath,{build}"])
    return output(program), seconds


def main(python, *names):
    SCRATCH.mkdir(parents=True, exist_ok=True)
    GOLDEN.mkdir(exist_ok=True)
    home = subprocess.run([python, "-c", "import torch, os; print(os.path.dirname(torch.__file__))"], check=True,
                          capture_output=True, text=True).stdout.strip()
    differ = []
    for source in sorted((ROOT / "tests" / "libtorch").glob("*.cpp")):
        if (names and source.stem not in names) or source.read_text().startswith("// Not for libtorch"):
            continue
        theirs, long = by_libtorch(source, pathlib.Path(home))
        ours, seconds = by_taut(source)
        (GOLDEN / f"{source.stem}.txt").write_text(theirs)
        compiled = f"compiled in {seconds:.1f} s, by libtorch in {long:.1f} s"
        print(f"{source.stem}: {'same' if ours == theirs else 'DIFFERENT'}, {compiled}", flush=True)
        if ours != theirs:
            differ.append(source.stem)
            sys.stdout.writelines(difflib.unified_diff(theirs.splitlines(True), ours.splitlines(True), "libtorch", "taut", n=1))
    sys.exit(f"different: {', '.join(differ)}" if differ else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
