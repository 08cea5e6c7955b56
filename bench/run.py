#!/usr/bin/env python3
"""Runs the workloads in Taut, PyTorch eager, torch.compile and JAX, in turns, and prints them side by side.

usage: run.py [what]     what: a regular expression for names and groups of rows, or one of: size, gemm

Environment: QUICK=1 takes some of the rows, PyTorch eager as the only peer and fewer rounds; ROUNDS=n; PEERS=torch,jax;
THREADS=1; CLOCK=cpu takes the processor's time instead of the clock's: steadier with one thread on a busy machine.
The whole run writes bench/results.md and bench/results.svg; a part of it writes build/bench/results.md and .svg.
"""

import json
import os
import platform
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import report

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "release"
WORK = ROOT / "build" / "bench"
QUICK = os.environ.get("QUICK", "") not in ("", "0")
ROUNDS = int(os.environ.get("ROUNDS") or (3 if QUICK else 7))
PEERS = (os.environ.get("PEERS") or ("torch" if QUICK else "torch,compile,jax")).split(",")
THREADS = [int(t) for t in os.environ.get("THREADS", "").split(",") if t] or list(range(1, min(2, os.cpu_count()) + 1))
CLOSE, MORE_ROUNDS = 0.3, 3 * ROUNDS  # a ratio this near to its goal takes so many more, and ROUNDS at the end
QUICK_SECONDS = 100  # then a quick run leaves out the rest
COPY_SIZES = [1 << 16, 1 << 20, 1 << 24, 1 << 28]  # bytes read and written by a copy
PATIENCE = {"compile": 240}  # seconds for an answer; the others get:
USUAL_PATIENCE = 120


def environment_python():
    """The interpreter that has the peers, or the package's own, where they could not be installed."""
    wished = os.environ.get("TAUT_BENCH_PYTHON")
    own = [ROOT / where / "bin" / "python" for where in ("build/bench-env", ".venv")]
    for python in [wished] if wished else own:
        if Path(python).exists():
            return str(python)
    return sys.executable


PYTHON = environment_python()


def pinned(threads):
    """What to do in a new process: it may use the first cores only."""
    cores = sorted(os.sched_getaffinity(0))[:threads]
    return lambda: os.sched_setaffinity(0, cores)


def environment(threads, root=ROOT):
    names = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "TAUT_NUM_THREADS")
    return {
        **os.environ,
        **{name: str(threads) for name in names},
        "JAX_PLATFORMS": "cpu",
        "PYTHONPATH": str(root / "python"),
        "TORCHINDUCTOR_CACHE_DIR": str(WORK / "inductor"),
        "PYTHONHASHSEED": "0",
    }


class Worker:
    """A process of bench/worker.py that stays; started when first asked, and again after it died or took too long."""

    def __init__(self, library, threads, root=ROOT):
        self.library, self.threads, self.root, self.process = library, threads, root, None

    def start(self):
        WORK.mkdir(parents=True, exist_ok=True)
        log = open(WORK / f"{self.library}.log", "a")
        self.process = subprocess.Popen(
            [PYTHON, str(self.root / "bench" / "worker.py"), self.library, str(self.threads)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            preexec_fn=pinned(self.threads),
            env=environment(self.threads, self.root),
            start_new_session=True,
        )

    def ask(self, do, **request):
        if self.process is None:
            self.start()
        try:
            self.process.stdin.write(json.dumps({"do": do, **request}).encode() + b"\n")
            self.process.stdin.flush()
            patience = PATIENCE.get(self.library, USUAL_PATIENCE)
            if not select.select([self.process.stdout], [], [], patience)[0]:
                self.stop()
                return {"error": f"no answer within {patience} s"}
            return json.loads(self.process.stdout.readline())
        except (OSError, ValueError):
            code = self.stop()
            return {"error": f"the process ended ({code}); see {(WORK / self.library).relative_to(ROOT)}.log"}

    def stop(self):
        if self.process is None:
            return None
        self.process.stdin.close()
        try:
            code = self.process.wait(timeout=2)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)  # its own session: what it started goes with it
            code = self.process.wait()
        self.process = None
        return code


class Bench:
    def __init__(self, what):
        self.what = re.compile(what, re.IGNORECASE)
        self.workers = {(library, t): Worker(library, t) for library in ["taut", *PEERS] for t in THREADS}
        self.for_memory = {library: Worker(library, THREADS[-1]) for library in ("taut", "torch")}
        self.results = {"machine": "", "threads": [str(t) for t in THREADS], "probes": {}, "rows": []}
        self.probes = self.results["probes"]
        self.best = {}  # of the programs in C++

    def wanted(self, row, chosen):
        if not (self.what.search(row["name"]) or self.what.search(row["group"])):
            return False
        return row["quick"] or not QUICK or chosen

    def run(self, whole):
        ours = self.workers["taut", THREADS[0]].ask("rows")
        if "error" in ours:
            sys.exit(f"Taut's worker does not run: {ours['error']}")
        known, versions = {"taut": {r["name"] for r in ours["rows"]}}, {"taut": ours["version"]}
        for peer in list(PEERS):
            theirs = self.workers[peer, THREADS[0]].ask("rows")
            if "error" in theirs:
                print(f"{report.PEERS[peer]} is not there: {theirs['error']}")
            known[peer] = {r["name"] for r in theirs.get("rows", [])}
            versions[peer] = theirs.get("version", "not there")
        rows = [r for r in ours["rows"] if self.wanted(r, not whole)]
        self.results["machine"] = machine(versions)
        print(self.results["machine"], flush=True)
        print(report.HEADER, flush=True)
        started = time.time()
        self.programs()
        if rows:
            self.probe()
        group = None
        if QUICK and whole:
            rows.sort(key=lambda row: row["group"] != "train steps")  # first what matters most: the time is limited
        for number, row in enumerate(rows, 1):
            if QUICK and whole and time.time() - started > QUICK_SECONDS:
                print(f"-- {len(rows) - number + 1} rows left out after {QUICK_SECONDS} s: the machine is slow or busy")
                break
            if row["group"] != group:
                group = row["group"]
                print(f"-- {group}, row {number} of {len(rows)}, {time.time() - started:.0f} s", flush=True)
            self.row(row, [library for library in ["taut", *PEERS] if row["name"] in known[library]])
        near = [(row, t) for row in self.results["rows"] for t in THREADS if is_close(row, t)]
        if near:
            print(f"-- {len(near)} near their goals once more, {time.time() - started:.0f} s", flush=True)
        for row, t in near:
            self.again(row, t)
        if not QUICK:
            self.programs()
        for worker in [*self.workers.values(), *self.for_memory.values()]:
            worker.stop()

    def probe(self):
        """The peak of flops and of copies that any library reaches; what the share of the limit refers to."""
        for t in THREADS:
            answers = [
                self.workers[library, t].ask("probe", sizes=COPY_SIZES)
                for library in ["taut", *PEERS]
                if library != "compile"
            ]
            answers = [a for a in answers if "error" not in a]
            self.probes[str(t)] = {
                "flops": max(a["flops"] for a in answers),
                "copies": {str(s): max(a["copies"].get(str(s), 0) for a in answers) for s in COPY_SIZES},
            }

    def share(self, t, work, seconds):
        """The least time the work can take, by the probes, over the time it took."""
        probe = self.probes[str(t)]
        least = work["flops"] / probe["flops"]
        if work["bytes"]:
            size = min(COPY_SIZES, key=lambda s: abs(s.bit_length() - int(work["bytes"]).bit_length()))
            least = max(least, work["bytes"] / probe["copies"][str(size)])
        return least / seconds or None

    def row(self, row, libraries):
        row = {**row, "threads": {}, "memory": {}}
        self.results["rows"].append(row)
        for t in THREADS:
            progress(f"{row['name']}, {t} thread(s) ...")
            times, prepared = {}, {}
            for library in libraries:
                answer = self.workers[library, t].ask("prepare", row=row["name"])
                if "error" in answer:
                    row.setdefault("errors", {})[library] = answer["error"]
                    if library == "taut":
                        row["error"] = "fails: " + answer["error"]
                else:
                    prepared[library] = answer
            row["threads"][str(t)] = times
            self.rounds(t, prepared, 2 if row["timed"] else ROUNDS, times)
            if is_close(row, t):
                self.rounds(t, prepared, MORE_ROUNDS, times)
            if "taut" in prepared and "taut" in times:
                times["share"] = self.share(t, prepared["taut"], times["taut"])
                self.compare(row, prepared)
            if t == THREADS[0] and "taut" in times:
                self.measure_memory(row)
            print(report.text_line(row, str(t)), flush=True)
        for library, message in row.get("errors", {}).items():
            print(f"      {library}: {message}", flush=True)

    def rounds(self, t, libraries, count, times):
        """In turns, so that a slow moment of the machine hits all; the best time of each counts."""
        for _ in range(count):
            for library in libraries:
                answer = self.workers[library, t].ask("time")
                if "seconds" in answer:
                    times[library] = min(answer["seconds"], times.get(library, answer["seconds"]))

    def again(self, row, t):
        """Later: a state of the machine may last longer than a row. torch.compile would take too long."""
        progress(f"{row['name']}, {t} thread(s), once more ...")
        times = row["threads"][str(t)]
        libraries = [library for library in ("taut", "torch", "jax") if library in times]
        work = [self.workers[library, t].ask("prepare", row=row["name"]) for library in libraries]
        if not any("error" in answer for answer in work):
            self.rounds(t, libraries, ROUNDS, times)
            times["share"] = self.share(t, work[0], times["taut"])
            print(report.text_line(row, str(t)), flush=True)

    def compare(self, row, prepared):
        mine = prepared["taut"]["check"]
        for library, answer in prepared.items():
            if not agree(mine, answer["check"], row["tolerance"] * (1 if library == "torch" else 10)):
                row.setdefault("differs", {})[library] = [mine, answer["check"]]
                print(f"      RESULTS DIFFER from {library}: {short(mine)} and {short(answer['check'])}", flush=True)

    def measure_memory(self, row):
        if row["measure_memory"] and (row["memory_goal"] or not QUICK):
            for library in ("taut", "torch"):
                if library == "taut" or library in PEERS:
                    answer = self.for_memory[library].ask("memory", row=row["name"])
                    if "bytes" in answer:
                        row["memory"][library] = answer["bytes"]

    def programs(self):
        """The C++ rows: one source, compiled against Taut and against the library inside PyTorch's wheel.
        Called again it goes on from the best so far."""
        for name, group, goals in (
            ("overhead", "overhead in C++", lambda row: 6 if "tiny MLP" in row else 8),
            ("train", "train steps in C++", train_goal),
        ):
            whole = bool(self.what.search(group))
            labels = re.findall(r'"([^"\n]{4,})"', (ROOT / "bench" / f"{name}.cpp").read_text())
            if QUICK and name == "train" and not self.what.pattern:
                continue
            if whole or any(self.what.search(label) for label in labels):
                self.program(name, group, goals, not whole)

    def program(self, name, group, goals, filtered):
        ours, theirs = BUILD / "bench" / name, None
        torch = torch_directory() if "torch" in PEERS else None
        if torch:
            theirs = compile_with_libtorch(ROOT / "bench" / f"{name}.cpp", torch)
        rows = {}
        for t in THREADS[:1] if QUICK else THREADS:
            best = self.best.setdefault((name, t), {"taut": {}, "torch": {}})
            for _ in range(ROUNDS):
                for library, program in (("taut", ours), ("torch", theirs)):
                    if program:
                        progress(f"{program.name}, {t} thread(s) ...")
                        arguments = [str(5 if QUICK else 20), str(t)] if name == "overhead" else [str(t), "3"]
                        for key, value in output_rows(program, t, *arguments).items():
                            best[library][key] = min(value, best[library].get(key, value))
            for key, value in best["taut"].items():
                if key.startswith(("check of", "loss of")) or (filtered and not self.what.search(key)):
                    continue
                if key.startswith("bytes per"):
                    print(f"{key:51}{t:>2}{value:10.0f}", flush=True)
                    continue
                if key.startswith("1000000-op"):
                    growth = value / best["taut"]["1000-op chain, forward and backward"]
                    print(f"{'cost per op of 10^6 ops over that of 10^3':51}{t:>2}{growth:10.2f}   (goal: below 1.3)")
                    continue
                row = rows.setdefault(
                    key, {"name": key, "group": group, "goal": goals(key), "threads": {}, "memory": {}}
                )
                unit = 1e-9 if name == "overhead" else 1e-6
                row["threads"][str(t)] = {lib: found[key] * unit for lib, found in best.items() if key in found}
                for check in ("check of ", "loss of "):
                    mine, other = (best[lib].get(check + key) for lib in ("taut", "torch"))
                    if mine is not None and other is not None and abs(mine - other) > 1e-3 * abs(other):
                        row["differs"] = {"torch": [mine, other]}
                        print(f"      RESULTS DIFFER: {key}: {mine} and {other}")
        known = {row["name"]: row for row in self.results["rows"] if row["group"] == group}
        self.results["rows"] += [row for row in rows.values() if row["name"] not in known]
        for row in rows.values():
            known.get(row["name"], {}).update(row)
            for t in row["threads"]:
                print(report.text_line(row, t), flush=True)


def is_close(row, t):
    """Is the ratio to PyTorch, or to a compiler, within CLOSE of what is asked for, above or below?"""
    times = row["threads"].get(str(t), {})
    if QUICK or row.get("timed", True) or "taut" not in times:
        return False
    asked = {"torch": row["goal"], "compile": 1 / report.BEHIND_COMPILERS, "jax": 1 / report.BEHIND_COMPILERS}
    return any(abs(times[peer] / times["taut"] / asked[peer] - 1) < CLOSE for peer in asked if peer in times)


def train_goal(name):
    for part, goal in (("Adam", 2.0), ("MLP", 1.3), ("transformer", 1.2)):
        if part in name:
            return goal
    return 1.5


def agree(ours, theirs, tolerance):
    """Whether two checksums (see data.checksum) tell of the same result."""

    def near(a, b, scale):
        return abs(a - b) <= tolerance * max(scale, 1e-6) or (a != a and b != b)

    return len(ours) == len(theirs) and all(
        near(a[0], b[0], b[1]) and near(a[1], b[1], b[1]) and near(a[2], b[2], b[3]) for a, b in zip(ours, theirs)
    )


def short(check):
    return ", ".join(f"{numbers[0]:.6g}" for numbers in check[:3])


def progress(text):
    if sys.stdout.isatty():
        print(f"\r{text[:100]:100}\r", end="", flush=True)


def machine(versions):
    model = platform.processor() or platform.machine()
    try:
        model = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text()).group(1)
    except (OSError, AttributeError):
        pass
    names = {"taut": "Taut", **report.PEERS}
    listed = ", ".join(f"{names[library]} {version}" for library, version in versions.items())
    python, more = platform.python_version(), "" if QUICK else f", of {2 * ROUNDS + MORE_ROUNDS} near a goal"
    where = f"{time.strftime('%Y-%m-%d')}, {model}, {os.cpu_count()} cores, Python {python}"
    return f"{where}; {listed}; best of {ROUNDS} rounds in turns{more}, pinned."


def torch_directory():
    find = "import importlib.util as u; print(u.find_spec('torch').submodule_search_locations[0])"
    found = subprocess.run([PYTHON, "-c", find], capture_output=True, text=True)
    return Path(found.stdout.strip()) if found.returncode == 0 else None


def compile_with_libtorch(source, torch):
    """The same source against the library inside the wheel; compiled anew only when it changed."""
    WORK.mkdir(parents=True, exist_ok=True)
    program = WORK / (source.stem + "_libtorch")
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


def output_rows(program, threads, *arguments):
    output = subprocess.run(
        [program, *arguments],
        check=True,
        capture_output=True,
        text=True,
        preexec_fn=pinned(threads),
        env=environment(threads),
    ).stdout
    return {name: float(value) for name, value in (line.split("\t") for line in output.splitlines())}


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
        taken = time.perf_counter() - start
        print(f"compiling a file that includes <taut/taut.h> at -O0: {taken:.2f} s (goal: under 3)")
        link = [f"-L{BUILD}", "-ltaut", f"-Wl,-rpath,{BUILD}"]
        subprocess.run(["g++", f"{program}.o", "-o", program, *link], check=True)
        best = min(timed_run(program) for _ in range(20))
        print(f"hello world, from start to end: {best * 1e3:.2f} ms (goal: under 5)")


def timed_run(program):
    start = time.perf_counter()
    subprocess.run([program], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def main():
    if len(sys.argv) > 2 or sys.argv[1:] in (["-h"], ["--help"]):
        sys.exit(__doc__)
    what = sys.argv[1] if len(sys.argv) == 2 else ""
    if what in ("gemm", "size"):
        return {"gemm": gemm, "size": size}[what]()
    bench = Bench(what)
    started = time.time()
    try:
        bench.run(whole=not what)
    finally:
        WORK.mkdir(parents=True, exist_ok=True)
        (WORK / "results.json").write_text(json.dumps(bench.results, indent=1))
    directory = WORK if QUICK or what else ROOT / "bench"
    report.write(bench.results, directory)
    rows = bench.results["rows"]
    behind = [row for row in rows if report.misses(row)]
    print(
        f"\n{len(rows) - len(behind)} of {len(rows)} rows meet their goals ({time.time() - started:.0f} s; "
        f"{(directory / 'results.md').relative_to(ROOT)} and .svg)"
    )
    for row in sorted(behind, key=report.shortfall)[:40]:
        missed = ", ".join(report.misses(row))
        print(f"  {report.shortfall(row):5.2f} of its goal: {row['group']}: {row['name']}: {missed}")


if __name__ == "__main__":
    main()
