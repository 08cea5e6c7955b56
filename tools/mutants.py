#!/usr/bin/env python3
"""Plants small faults in the sources, one at a time, and lists those that no test notices.

    make mutants            or, with more say:            python3 tools/mutants.py --count 150 --seed 0 --only src/io

A fault is a comparison turned or moved by one, a sign, a constant, a mask, a negated condition, swapped arguments, a statement
left out. One object is compiled with it, for the best instruction set only, and linked into a shared library that every test
program loads. Only tests that reach the functions with the changed line run (tools/reached.cpp has noted which), the quick ones
and those with names like the file's first, until one fails. What they all miss the Python tests get, whose extension module
loads the same library. The programs of tests/libtorch come first: they take no time. A test that takes ten times as long as
usual has noticed too. A fault that leaves the object's bytes as they were is none, and one that does not compile is passed over;
so is one in a place that only speed depends on, which no test can notice (see `only_speed`), one that changes the wording of
an error (see `wording`), and one that tools/mutants_equivalent.txt says why no test can notice. It runs on x86-64.

What is done is kept in build/mutants/results.jsonl, so that a stopped run goes on where it was; faults in a file that has
changed since are tried anew. --retry tries those that survived once more, with the tests of today.
"""

import argparse
import bisect
import concurrent.futures
import difflib
import hashlib
import json
import os
import pathlib
import random
import re
import resource
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "mutants"
PYTHON = ROOT / ".venv" / "bin" / "python"
EQUIVALENT = ROOT / "tools" / "mutants_equivalent.txt"
RESULTS, NOTES = BUILD / "results.jsonl", BUILD / "reached"
LAYERS = ["ops", "kernels", "autograd", "nn", "optim", "data", "io"]
LEVELS = ["v2", "v3", "v4"]
MISSED = ("survived", "unreached")
MEMORY = 8 << 30  # what a test may take

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


# Where threads begin to pay.
TUNED = r"\bk(?:Grain|Serial|SerialWork|TaskWork|ChunkWork|TallWork)\b"


def only_speed(text, code):
    """[begin, end) of what changes no result and no message, by construction:

    - the grain of parallel_for, and the work that run_tasks and each_plane make it from: every piece computes what it would
      as part of a larger one. (A number stays: of grain 1, bodies that look at `begin` alone depend.)
    - reserve(), which makes room ahead;
    - fetching ahead, with the ifs and loops around that do nothing else;
    - the definition of a constant of TUNED, and where a comparison with one begins to hold;
    - a constant whose comment says what it has to do with the caches;
    - a function of one line whose comment says that it is about what is worth a thread's while.
    """
    spans = []
    for call in re.finditer(r"\b(?:parallel_for|run_tasks|each_plane)\(", code):
        begins, _ = arguments(code, call.end())
        if len(begins) > 2 and not code[begins[1]:begins[2] - 1].strip().isdigit():
            spans.append((begins[1], begins[2]))
    spans += [m.span() for m in re.finditer(rf"\.reserve\([^;]*\);|(?:{TUNED} = [^;]*;)|[<>]=? {TUNED}|{TUNED} [<>]=? ", code)]
    spans += [m.span() for m in re.finditer(r"^ *const(?:expr)? [^\n]*; +//[^\n]*\bcaches?\b", text, re.M)]
    spans += [m.span(1) for m in re.finditer(r"^//[^\n]*worth a thread's while\.?\n([^\n]*\})$", text, re.M)]
    lines = code.split("\n")
    begins = [0]
    for line in lines:
        begins.append(begins[-1] + len(line) + 1)
    ahead = {i for i, line in enumerate(lines) if "prefetch(" in line}
    for i in sorted(ahead, reverse=True):
        while re.match(r" +(if|for|else).*[){]$", above := lines[i - 1].rstrip("\0 ")):
            i -= 1
            inside = i + 1
            while inside in ahead:
                inside += 1
            if above.endswith("{") and lines[inside].strip() != "}":
                break
            ahead.add(i)
    return spans + [(begins[i], begins[i + 1]) for i in ahead]


def arguments(code, at):
    """Where the arguments of a call begin, whose first one begins at `at`, and where its bracket is closed."""
    depth, begins = 1, [at]
    while depth and at < len(code):
        depth += {"(": 1, "{": 1, "[": 1, ")": -1, "}": -1, "]": -1}.get(code[at], 0)
        at += 1
        if depth == 1 and code[at - 1] == "," and not re.search(r"\w<[\w:, ]*$", code[begins[-1]:at]):
            begins.append(at)
    return begins, at


def wording(code):
    """[begin, end) of what an error says: all that follows the condition of check(), what is thrown or warned of."""
    spans = [m.span() for m in re.finditer(r"\b(?:throw\b|warn\()[^;]*;", code)]
    for call in re.finditer(r"\bcheck(?:<\w+>)?\(", code):
        begins, end = arguments(code, call.end())
        if len(begins) > 1:
            spans.append((begins[1], end))
    return spans


# Functions whose two arguments may come in any order.
SYMMETRIC = re.compile(r"\b(?:std::(?:min|max)|equal|(?:hn::)?(?:Add|Mul|And|Or|Xor))\($")


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
    def change(self):
        """The lines that change, before and after, as EQUIVALENT has them."""
        lines = [line.split() for line in self.diff.splitlines()[3:]]
        sides = [" ".join(word for line in lines if line and line[0][0] == sign for word in [line[0][1:], *line[1:]]).strip()
                 for sign in "-+"]
        return " => ".join(sides).strip()

    @property
    def id(self):
        return hashlib.sha256((self.path + self.changed).encode()).hexdigest()[:16]

    def __str__(self):
        return f"{self.path}:{self.line} ({self.kind})"


def all_mutants(only):
    """{layer: faults}, in a fixed order, and how many more there are where only speed or wording depends on them."""
    found, passed = {}, 0
    for layer in LAYERS:
        for source in sorted((ROOT / "src" / layer).rglob("*.cpp")):
            path = source.relative_to(ROOT).as_posix()
            if only and only not in path:
                continue
            text = source.read_text()
            code = blanked(text)
            quiet = only_speed(text, code) + wording(code)
            for kind, pattern, new in FAULTS:
                for match in re.finditer(pattern, code):
                    if "\0" in match.group() and kind != "left out":
                        continue
                    if kind == "swapped arguments" and SYMMETRIC.search(code[max(match.start() - 12, 0) : match.start()]):
                        continue
                    if any(begin <= match.start() < end or begin < match.end() <= end for begin, end in quiet):
                        passed += 1
                    else:
                        found.setdefault(layer, []).append(Mutant(path, text, kind, match, new))
    return found, passed


def equivalent():
    """{(path, change)}. The file has paragraphs: a path, changes with two blanks before them, and why nothing can notice."""
    found = set()
    for paragraph in EQUIVALENT.read_text().split("\n\n"):
        lines = paragraph.splitlines()
        found |= {(lines[0], line.strip()) for line in lines[1:] if line.startswith("  ")}
    return found


def chosen(count, seed, only):
    """`count` faults, the same number from every layer as far as it has them, and how many were passed over."""
    order = random.Random(seed)
    piles = []
    found, passed = all_mutants(only)
    for pile in found.values():
        order.shuffle(pile)
        piles.append(pile)
    picked = []
    while len(picked) < count and any(piles):
        picked += [pile.pop() for pile in piles if pile]
    return picked[:count], passed


def run(command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", **options)


def modest():
    """Before a test begins: a fault may ask for memory without end."""
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))


def patience(seconds):
    """How long something may take that usually takes so long: on a machine that has more to do, longer."""
    return (10 * seconds + 60) * max(1.0, os.getloadavg()[0] / os.cpu_count())


def must(command, **options):
    done = run(command, **options)
    if done.returncode:
        sys.exit(f"mutants: {command} failed\n{done.stdout[-3000:]}")
    return done.stdout


def functions_of(library):
    """The functions of a library as sorted (address, name). What the compiler split off belongs to what it was split off from."""
    found = re.findall(r"^(\w+) [tTwW] (\S+)$", must(["nm", "--defined-only", library]), re.M)
    return sorted((int(address, 16), re.sub(r"\.(cold|part|constprop|isra|lto_priv).*", "", name)) for address, name in found)


class Notes:
    """Which functions of the library tests reach, as bits of whole numbers."""

    def __init__(self, library):
        functions = functions_of(library)
        addresses = sorted({address for address, _ in functions})
        bit = {address: i for i, address in enumerate(addresses)}
        self.bits = {}  # of each function: one bit for every place it has
        for address, name in functions:
            self.bits[name] = self.bits.get(name, 0) | 1 << bit[address]
        NOTES.mkdir(exist_ok=True)
        (NOTES / "functions").write_text("\n".join(f"{address:x}" for address in addresses))
        self.version, self.size = digest([library]), (len(addresses) + 7) // 8

    def of(self, name, parts, run):
        """[(test, seconds, bits of the functions it reaches)] of the tests that pass. `run(environment)` makes the notes, once
        for each state of the library and of the files `parts`."""
        notes = NOTES / f"{name}-{digest(parts, self.version)}"
        if not notes.exists():
            progress(f"noting what {name} reaches")
            for old in NOTES.glob(f"{name}-*"):
                old.unlink()
            path = notes.with_suffix(".part")
            path.write_bytes(b"")
            run({"TAUT_FUNCTIONS": str(NOTES / "functions"), "TAUT_REACHED": str(path)})
            path.rename(notes)
            path.with_name(path.name + ".marks").unlink(missing_ok=True)
        cases, text, at = [], notes.read_bytes(), 0
        while at < len(text):
            end = text.index(b"\n", at)
            case, milliseconds = text[at:end].decode().rsplit(" ", 1)
            if case.startswith("!"):
                print(f"mutants: {name}: {case[1:]} fails as it is, and is left out", flush=True)
            else:
                bits = int.from_bytes(text[end + 1 : end + 1 + self.size], "little")
                cases.append((case, int(milliseconds) / 1000, bits))
            at = end + 1 + self.size
        return cases

    def mask(self, functions):
        mask = 0
        for name in functions:
            mask |= self.bits.get(name, 0)
        return mask


def digest(paths, more=""):
    made = hashlib.sha256(more.encode())
    for path in paths:
        made.update(path.read_bytes())
    return made.hexdigest()[:16]


def words_of(path):
    return set(re.split(r"[/_.]", path)) - {"src", "cpp", "ops", "kernels"}


class Tests:
    """The test programs, and what each of their tests reaches."""

    def __init__(self, notes, jobs):
        self.programs = {p.stem: p for p in sorted((BUILD / "tests").glob("*_test")) if os.access(p, os.X_OK)}
        self.notes = notes

        def noted(name):
            return notes.of(name, [self.programs[name]], lambda environment: self.run(name, environment, 3600))
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            self.cases = dict(zip(self.programs, pool.map(noted, self.programs)))

    def run(self, name, environment, limit, cases=None):
        """What the program said if it failed, else nothing."""
        with tempfile.TemporaryDirectory(prefix="mutants-") as scratch:
            flags = ["--gtest_brief=1"]
            if cases:
                flags += ["--gtest_fail_fast=1", "--gtest_filter=" + ":".join(cases)]
            pathlib.Path(scratch, "flags").write_text("\n".join(flags))
            try:
                done = run([self.programs[name], f"--gtest_flagfile={scratch}/flags"], timeout=limit, cwd=scratch,
                           env=os.environ | {"TMPDIR": scratch} | environment, preexec_fn=modest)
                return done.stdout + f"exit code {done.returncode}" if done.returncode else ""
            except subprocess.TimeoutExpired:
                return "took too long"

    def reaching(self, functions, path):
        """[(program, its tests that reach one of these functions, seconds)] in the order of judging."""
        mask = self.notes.mask(functions)
        # What runs before any test is not noted; all tests depend on it. So they do on a line without code of its own.
        everything = not functions or any("_GLOBAL__sub_I" in f or "__static_initialization" in f for f in functions)
        words = words_of(path)
        layer = path.split("/")[1]
        found = []
        for program, cases in self.cases.items():
            chosen = [(case, seconds) for case, seconds, bits in cases if everything or bits & mask]
            if chosen:
                own = set(program.split("_"))
                near = len(words & own) * 2 + (layer in own) + ("sweep" in own and layer in ("ops", "kernels", "autograd"))
                cost = sum(seconds for _, seconds in chosen)
                found.append((cost / 4**near, program, [case for case, _ in chosen], cost))
        return [rest for _, *rest in sorted(found, key=lambda f: f[0])]


class LibtorchPrograms:
    """Programs whose output is compared."""

    def __init__(self):
        self.programs = [p for p in sorted((BUILD / "tests").glob("libtorch_*")) if p.is_file() and os.access(p, os.X_OK)]

    def judge(self, library):
        for program in self.programs:
            expected = ROOT / "tests" / "golden" / "libtorch" / f"{program.name.removeprefix('libtorch_')}.txt"
            try:
                done = subprocess.run([program], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=patience(1),
                                      env=os.environ | {"LD_LIBRARY_PATH": str(library.parent)}, preexec_fn=modest)
            except subprocess.TimeoutExpired:
                return f"{program.name} took too long"
            if done.returncode or (expected.exists() and done.stdout != expected.read_bytes()):
                return program.name
        return ""


class PythonTests:
    """The Python tests, and what each of them reaches. Only what all others missed comes here."""

    def __init__(self, notes, library):
        self.notes, self.library, self.lock, self.cases = notes, library, threading.Lock(), None

    def run(self, files, environment, library, limit):
        """What failed first, or what was said last, else nothing."""
        with tempfile.TemporaryDirectory(prefix="mutants-") as scratch:
            always = {"PYTHONPATH": f"{BUILD / 'python'}:{BUILD / 'plugin'}", "LD_LIBRARY_PATH": str(library.parent), "TMPDIR": scratch,
                      "PYTHONDONTWRITEBYTECODE": "1", "HYPOTHESIS_STORAGE_DIRECTORY": scratch}
            command = [PYTHON, "-m", "pytest", "-q", "--tb=no", "-p", "no:cacheprovider", "-p", "reached_pytest", "--rootdir", ROOT]
            command += files if "TAUT_REACHED" in environment else ["-x", *files]
            try:
                done = run(command, timeout=limit, cwd=scratch, env=os.environ | always | environment, preexec_fn=modest)
            except subprocess.TimeoutExpired:
                return "took too long"
            said = re.findall(r"^(?:FAILED|ERROR) \S*?(\w+\.py\S*)", done.stdout, re.M) or done.stdout.splitlines()[-1:]
            return (said or [f"exit code {done.returncode}"])[0] if done.returncode else ""

    def noted(self):
        """{file: what `Notes.of` gives}"""
        (BUILD / "plugin").mkdir(exist_ok=True)
        shutil.copy(ROOT / "tools" / "reached_pytest.py", BUILD / "plugin")
        package = sorted((ROOT / "python" / "taut").rglob("*.py"))
        preload = {"LD_PRELOAD": str(BUILD / "tests" / "libreached_python.so")}
        cases = {}
        for file in sorted((ROOT / "python" / "tests").glob("test_*.py")):
            if "hostile" not in file.name:  # random arguments, and long
                cases[file] = self.notes.of(file.stem, [file, *package], lambda environment, file=file: self.run(
                    [file], preload | environment, self.library, 1200))
        return cases

    def judge(self, library, functions, path):
        """What `run` says of a library; the files with names like that of the source come first, then the quick ones. None if
        nothing reaches these functions."""
        with self.lock:
            if self.cases is None:
                self.cases = self.noted()
        mask, words, chosen, cost = self.notes.mask(functions), words_of(path), [], {}
        for file, cases in self.cases.items():
            everything = not functions or any(bits & mask for case, _, bits in cases if case == "collection")
            own = [(case, seconds) for case, seconds, bits in cases if case != "collection" and (everything or bits & mask)]
            if own:
                chosen += [case for case, _ in own]
                cost[file] = sum(seconds for _, seconds in own)
        if not chosen:
            return None
        files = sorted(cost, key=lambda file: cost[file] / 4 ** len(words & set(file.stem.split("_"))))
        with tempfile.NamedTemporaryFile("w", prefix="mutants-") as names:
            names.write("\n".join(chosen))
            names.flush()
            return self.run(files, {"TAUT_CHOSEN": names.name}, library, patience(sum(cost.values()) + len(files)))


class Tree:
    """The build, and how to make a library with one object changed."""

    def __init__(self, jobs, cpp):
        self.cpp = cpp
        print("mutants: building the library and its tests", flush=True)
        must(["cmake", "-G", "Ninja", "-S", ROOT, "-B", BUILD, "-DCMAKE_BUILD_TYPE=Release", "-DTAUT_WERROR=ON",
              "-DTAUT_TESTS_SHARED=ON", "-DTAUT_BUILD_EXAMPLES=OFF", "-DTAUT_BUILD_BENCH=OFF", "-DTAUT_INSTALL=OFF",
              "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", "-DTAUT_BUILD_PYTHON=ON", f"-DPython_EXECUTABLE={PYTHON}"])
        must(["ninja", "-C", BUILD, "-j", str(jobs), "taut", "all_tests", "taut_python", "reached_python"])
        flags = pathlib.Path("/proc/cpuinfo").read_text()
        best = "v4" if "avx512vl" in flags else "v3" if "avx2" in flags else "v2"
        self.compile = {}
        for entry in json.loads((BUILD / "compile_commands.json").read_text()):
            if not any(f"kernels_{level}" in entry["output"] for level in LEVELS if level != best):
                self.compile[os.path.relpath(entry["file"], ROOT)] = shlex.split(entry["command"])
        self.library = (BUILD / "libtaut.so").resolve()
        link = must(["ninja", "-C", BUILD, "-t", "commands", self.library.name]).strip().split("\n")[-1]
        self.link = shlex.split(link.split(" && ")[1])
        notes = Notes(self.library)
        self.tests, self.programs, self.python_tests = Tests(notes, jobs), LibtorchPrograms(), PythonTests(notes, self.library)
        self.equivalent = equivalent()

    def judge(self, mutant):
        """What became of it: equivalent, invalid, unreached, survived, or the test that noticed."""
        if (mutant.path, mutant.change) in self.equivalent:
            return "equivalent"
        with tempfile.TemporaryDirectory(prefix="mutants-") as scratch:
            source = pathlib.Path(scratch, pathlib.Path(mutant.path).name)
            source.write_text(mutant.changed)
            command = self.compile[mutant.path]
            plain = command[command.index("-o") + 1]
            changed, library = f"{source}.o", str(source.with_name(self.library.stem))  # under its soname
            # A fault may leave things unused. What debug information is for: which functions have the changed line.
            flags = [word for word in command[:-4] if word != "-Werror"]
            if run([*flags, "-w", "-g1", "-o", changed, "-c", source], cwd=BUILD).returncode:
                return "invalid"
            for name, path in (("was", BUILD / plain), ("is", changed)):
                must(["objcopy", "--strip-debug", path, source.with_suffix(f".{name}")])
            if source.with_suffix(".was").read_bytes() == source.with_suffix(".is").read_bytes():
                return "equivalent"
            replaced = {plain: changed, self.library.name: library}
            if run([replaced.get(word, word) for word in self.link], cwd=BUILD).returncode:
                return "invalid"
            if said := self.programs.judge(pathlib.Path(library)):
                return said
            functions = functions_with(library, source.name, mutant.line)
            found = self.tests.reaching(functions, mutant.path)
            for program, cases, seconds in found:
                said = self.tests.run(program, {"LD_LIBRARY_PATH": scratch}, patience(seconds), cases)
                if said:
                    return f"{program}: {(re.findall(r'FAILED.*] +([^ ,]+)', said) or [said.splitlines()[-1]])[0]}"
            said = None if self.cpp else self.python_tests.judge(pathlib.Path(library), functions, mutant.path)
            return f"python: {said}" if said else "survived" if found or said == "" else "unreached"


def functions_with(library, file, line):
    """Names of the functions that have code of this line, or of its nearest neighbours that have any."""
    rows = re.findall(r"^(\S+) +(\d+) +0x(\w+)", must(["objdump", "--dwarf=decodedline", "--wide", library]), re.M)
    rows = [(int(number), int(address, 16)) for name, number, address in rows if name == file]
    lines = sorted({number for number, _ in rows})
    after = bisect.bisect_left(lines, line)
    near = {line} if lines[after : after + 1] == [line] else set(lines[max(after - 1, 0) : after + 1])
    functions = functions_of(library)
    begins = [address for address, _ in functions]
    found = {functions[bisect.bisect(begins, address) - 1][0] for number, address in rows if number in near}
    return {name for address, name in functions if address in found}


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
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="how many things are done at once")
    parser.add_argument("--part", default="1/1", help="2/3: only the second of every three faults, for runs side by side")
    parser.add_argument("--cpp", action="store_true", help="leave the Python tests out")
    parser.add_argument("--retry", action="store_true", help="judge those that survived before once more")
    parser.add_argument("--list", action="store_true", help="only say how many faults there are to choose from")
    options = parser.parse_args()
    if options.list:
        found, passed = all_mutants(options.only)
        for layer, pile in found.items():
            print(f"{layer:10} {len(pile)}")
        print(f"and {passed} where only speed or wording depends on them")
        return
    tree = Tree(options.jobs, options.cpp)
    done = {}
    if RESULTS.exists():
        done = {r["id"]: r for r in map(json.loads, RESULTS.read_text().splitlines())}
    if options.retry:
        done = {key: r for key, r in done.items() if r["outcome"] not in MISSED}

    def judged(mutant):
        if mutant.id not in done:
            began = time.monotonic()
            done[mutant.id] = {"id": mutant.id, "what": str(mutant), "outcome": tree.judge(mutant),
                               "seconds": round(time.monotonic() - began, 1), "diff": mutant.diff}
            with open(RESULTS, "a") as out:
                print(json.dumps(done[mutant.id]), file=out)
        return mutant, done[mutant.id]["outcome"]

    layers = {layer: [0, 0] for layer in LAYERS}  # [how many, how many of them were noticed]
    counted = python = 0
    faults, passed = chosen(4 * options.count, options.seed, options.only)
    part, parts = map(int, options.part.split("/"))
    faults, options.count = faults[part - 1::parts], options.count // parts
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        # Some will not compile or change nothing.
        for mutant, outcome in pool.map(judged, faults):
            if outcome not in ("invalid", "equivalent"):
                counted += 1
                tally = layers[mutant.path.split("/")[1]]
                tally[0] += 1
                tally[1] += outcome not in MISSED
                python += outcome.startswith("python: ")
            if outcome in MISSED:
                progress("")
                print(f"{outcome}: {mutant}\n{mutant.diff}", flush=True)
            progress(str(mutant), counted, options.count)
            if counted == options.count:
                pool.shutdown(wait=False, cancel_futures=True)
                break
    progress("")
    layers["all"] = [sum(column) for column in zip(*layers.values())]
    for layer, (number, noticed) in layers.items():
        if number:
            print(f"{layer:10} {noticed} of {number} faults were noticed ({100 * noticed / number:.1f}%)")
    print(f"{python} of them by the Python tests alone. Passed over: {passed} faults in places that only speed or wording depends on.")


if __name__ == "__main__":
    main()
