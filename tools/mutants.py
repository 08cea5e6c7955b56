#!/usr/bin/env python3
"""Plants small faults in the sources, one at a time, and lists those that no C++ test notices.

    make mutants            or, with more say:            python3 tools/mutants.py --count 150 --seed 0 --only src/io

A fault is a comparison turned or moved by one, a sign, a constant, a mask, a negated condition, swapped arguments, a statement
left out. It is planted in a copy of the sources (build/mutants/source); one object is compiled, for the best instruction set
only, and linked into a shared library that every test program loads. The tests run until one fails: first those whose names
are nearest to the file's, then the quickest. A test that takes ten times as long as usual has noticed too. A fault that leaves
the object's bytes as they were is none, and one that does not compile is passed over.

What is done is kept in build/mutants/results.jsonl, so that a stopped run goes on where it was; faults in a file that has
changed since are tried anew.
"""

import argparse
import difflib
import hashlib
import json
import os
import pathlib
import random
import re
import shlex
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
HOME = ROOT / "build" / "mutants"
COPY, RESULTS = HOME / "source", HOME / "results.jsonl"
BUILD = COPY / "build" / "release"  # where the sources expect it, so that the compiler's cache knows the first build
LAYERS = ["ops", "kernels", "autograd", "nn", "optim", "data", "io"]
LEVELS = ["v2", "v3", "v4"]

# (what it is called, what is looked for, what stands there instead). Strings and comments are blanked out before.
FAULTS = [
    ("bound", r" < ", " <= "), ("bound", r" <= ", " < "), ("bound", r" > ", " >= "), ("bound", r" >= ", " > "),
    ("condition", r" == ", " != "), ("condition", r" != ", " == "), ("condition", r" && ", " || "),
    ("condition", r" \|\| ", " && "), ("condition", r"\bif \((?!constexpr)([^(){};]+)\)", r"if (!(\1))"),
    ("sign", r" \+ ", " - "), ("sign", r" - ", " + "), ("sign", r" \+= ", " -= "), ("sign", r" -= ", " += "),
    ("sign", r"(?<=[(,=] )-(?=[a-z])", ""), ("factor", r" \* (?=[a-z(])", " / "), ("factor", r" / (?=[a-z(])", " * "),
    ("mask", r" & ", " | "), ("mask", r" \| ", " & "), ("mask", r" << ", " >> "),
    ("constant", r"(?<![\w.'])0(?![\w.'])", "1"), ("constant", r"(?<![\w.'])1(?![\w.'])", "2"),
    ("constant", r"\btrue\b", "false"), ("constant", r"\bfalse\b", "true"),
    ("choice", r"\bstd::min\b", "std::max"), ("choice", r"\bstd::max\b", "std::min"), ("step", r"\+\+(?=\w)", "--"),
    ("off by one", r"\.(size|dim|numel)\(\)(?=[;,) ])", r".\1() - 1"),
    ("swapped arguments", r"(?<=\w\()(\w+), (\w+)(?=\))", r"\2, \1"),
    ("left out", r"(?m)^(?<=\n) +(?!return|break|continue|throw|using|else|case)[\w.:>-]+\([^;{}]*\);(?=\n)", ""),
]


def blanked(text):
    """Strings, comments and preprocessor lines as blanks of the same length."""
    pattern = r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|^#[^\n]*|\bstatic_assert\b[^;]*;|\btemplate\b[^\n]*'
    return re.sub(pattern, lambda m: re.sub(r"[^\n]", "\0", m.group()), text, flags=re.S | re.M)


class Mutant:
    def __init__(self, path, text, kind, match, new):
        self.path, self.kind, self.text, self.match, self.new = path, kind, text, match, new

    # There are tens of thousands to choose from: what only the chosen ones need is made when it is asked for.
    @property
    def changed(self):
        return self.text[: self.match.start()] + self.match.expand(self.new) + self.text[self.match.end():]

    @property
    def line(self):
        return self.text.count("\n", 0, self.match.start()) + 1

    @property
    def diff(self):
        lines = [t.splitlines(True) for t in (self.text, self.changed)]
        return "".join(difflib.unified_diff(*lines, self.path, self.path, n=1))

    @property
    def id(self):
        return hashlib.sha256((self.path + self.changed).encode()).hexdigest()[:16]

    def __str__(self):
        return f"{self.path}:{self.line} ({self.kind})"


def all_mutants(only):
    """{layer: faults}, in a fixed order."""
    found = {}
    for layer in LAYERS:
        for source in sorted((ROOT / "src" / layer).rglob("*.cpp")):
            path = source.relative_to(ROOT).as_posix()
            if only and only not in path:
                continue
            text = source.read_text()
            code = blanked(text)
            for kind, pattern, new in FAULTS:
                for match in re.finditer(pattern, code):
                    if "\0" not in match.group() or kind == "left out":
                        found.setdefault(layer, []).append(Mutant(path, text, kind, match, new))
    return found


def chosen(count, seed, only):
    """`count` faults, the same number from every layer as far as it has them."""
    order = random.Random(seed)
    piles = []
    for pile in all_mutants(only).values():
        order.shuffle(pile)
        piles.append(pile)
    picked = []
    while len(picked) < count and any(piles):
        picked += [pile.pop() for pile in piles if pile]
    return picked[:count]


def run(command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)


class Tree:
    """The copy of the sources, its build, and the tests in it."""

    def __init__(self, jobs):
        HOME.mkdir(parents=True, exist_ok=True)
        files = run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT).stdout.split("\n")
        for name in filter(None, files):
            source, target = ROOT / name, COPY / name
            if source.is_file() and not (target.is_file() and target.read_bytes() == source.read_bytes()):
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(source, target)
        for target in [t for top in ("src", "include", "tests") for t in (COPY / top).rglob("*") if t.is_file()]:
            if not (ROOT / target.relative_to(COPY)).is_file():
                target.unlink()
        print("mutants: building the library and its tests", flush=True)
        for command in (["cmake", "-G", "Ninja", "-S", COPY, "-B", BUILD, "-DCMAKE_BUILD_TYPE=Release", "-DTAUT_WERROR=ON",
                         "-DTAUT_TESTS_SHARED=ON", "-DTAUT_BUILD_EXAMPLES=OFF", "-DTAUT_BUILD_BENCH=OFF",
                         "-DTAUT_INSTALL=OFF", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"],
                        ["ninja", "-C", BUILD, "-j", str(jobs), "taut", "all_tests"]):
            done = run(command)
            if done.returncode:
                sys.exit(done.stdout[-3000:])
        self.link = run(["ninja", "-C", BUILD, "-t", "commands", "taut"]).stdout.strip().split("\n")[-1]
        self.compile = {}
        flags = pathlib.Path("/proc/cpuinfo").read_text()
        best = "v4" if "avx512vl" in flags else "v3" if "avx2" in flags else "v2"
        for entry in json.loads((BUILD / "compile_commands.json").read_text()):
            command = [word for word in shlex.split(entry["command"]) if word != "-Werror"]  # a fault may leave things unused
            target = command[command.index("-o") + 1]
            if not any(f"kernels_{level}" in target for level in LEVELS if level != best):
                self.compile[os.path.relpath(entry["file"], COPY)] = command, BUILD / target
        self.tests = {p.stem: p for p in sorted((BUILD / "tests").glob("*_test")) if os.access(p, os.X_OK)}
        self.environment = dict(os.environ, CCACHE_BASEDIR=str(COPY), CCACHE_NOHASHDIR="1", CCACHE_READONLY="1")
        self.seconds = self.usual()

    def usual(self):
        """How long each test takes when nothing is wrong."""
        kept = HOME / "seconds.json"
        library = hashlib.sha256((BUILD / "libtaut.so").read_bytes()).hexdigest()
        if kept.exists() and (found := json.loads(kept.read_text()))["library"] == library:
            return found["seconds"]
        seconds = {}
        for name in self.tests:
            progress(f"timing {name}")
            began = time.monotonic()
            passed = self.passes(name, 1200)
            if passed:
                seconds[name] = time.monotonic() - began
            else:
                print(f"\nmutants: {name} fails as it is, and is left out")
        kept.write_text(json.dumps({"library": library, "seconds": seconds}))
        return seconds

    def passes(self, name, limit):
        try:
            command = [self.tests[name], "--gtest_brief=1", "--gtest_fail_fast=1"]
            return run(command, timeout=limit, cwd=BUILD, errors="replace").returncode == 0
        except subprocess.TimeoutExpired:
            return False

    def order(self, path):
        """Tests by how much their name has in common with the file's, the quick ones first."""
        words = set(re.split(r"[/_.]", path)) - {"src", "cpp", "ops", "kernels"}
        layer = path.split("/")[1]

        def rank(name):
            own = set(name.split("_"))
            near = len(words & own) * 2 + (layer in own) + ("sweep" in own and layer in ("ops", "kernels", "autograd"))
            return -near, self.seconds[name]

        return sorted(self.seconds, key=rank)

    def judge(self, mutant):
        """What became of it: equivalent, invalid, survived, or the test that noticed."""
        source = COPY / mutant.path
        command, target = self.compile[mutant.path]
        original, kept = source.read_text(), target.with_suffix(".kept")
        shutil.copy(target, kept)
        try:
            source.write_text(mutant.changed)
            if run(["ccache", *command], cwd=BUILD, env=self.environment).returncode:
                return "invalid"
            if target.read_bytes() == kept.read_bytes():
                return "equivalent"
            if run(self.link, shell=True, cwd=BUILD).returncode:
                return "invalid"
            for name in self.order(mutant.path):
                if not self.passes(name, 10 * self.seconds[name] + 30):
                    return name
            return "survived"
        finally:
            source.write_text(original)
            os.replace(kept, target)


def progress(text, done=0, of=0):
    if not sys.stderr.isatty():
        return
    bar = f"[{'#' * (30 * done // of):30}] {done}/{of} " if of else ""
    print(f"\r\033[K{bar}{text}"[: shutil.get_terminal_size().columns + 4], end="", file=sys.stderr, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=150, help="how many faults that change the program (default: 150)")
    parser.add_argument("--seed", type=int, default=0, help="which ones")
    parser.add_argument("--only", default="", help="only files whose path has this in it")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="for the first build")
    parser.add_argument("--list", action="store_true", help="only say how many faults there are to choose from")
    options = parser.parse_args()
    if options.list:
        for layer, pile in all_mutants(options.only).items():
            print(f"{layer:10} {len(pile)}")
        return
    tree = Tree(options.jobs)
    done = {}
    if RESULTS.exists():
        done = {r["id"]: r for r in map(json.loads, RESULTS.read_text().splitlines())}
    counted, survivors = 0, []
    with open(RESULTS, "a") as out:
        for mutant in chosen(4 * options.count, options.seed, options.only):  # some will not compile or change nothing
            if counted == options.count:
                break
            progress(str(mutant), counted, options.count)
            if mutant.id not in done:
                began = time.monotonic()
                done[mutant.id] = {"id": mutant.id, "what": str(mutant), "outcome": tree.judge(mutant),
                                   "seconds": round(time.monotonic() - began, 1), "diff": mutant.diff}
                print(json.dumps(done[mutant.id]), file=out, flush=True)
            outcome = done[mutant.id]["outcome"]
            if outcome == "survived":
                survivors.append(mutant)
                progress("")
                print(f"survived: {mutant}\n{mutant.diff}", flush=True)
            counted += outcome not in ("invalid", "equivalent")
    run(tree.link, shell=True, cwd=BUILD)
    progress("")
    print(f"mutants: {counted - len(survivors)} of {counted} faults were noticed"
          f" ({100 * (counted - len(survivors)) / max(counted, 1):.1f}%)")


if __name__ == "__main__":
    main()
