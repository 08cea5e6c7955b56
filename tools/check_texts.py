#!/usr/bin/env python3
"""Checks what texts and sources promise and a machine can check; part of `make check-format`.

- The first line of every source says what it is for; a .cpp may begin with its own header instead, which says so.
- Files and make targets that README, CONTRIBUTING and docs/ name exist.
- CONTRIBUTING lists the steps of .ci/run.
- README counts the fingerprints of the certificate, and the examples.
- The version stands in CMakeLists.txt and nowhere else.
- Public headers include no third-party header; nothing is built with -ffast-math; no source has a TODO.
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = "include|src|python|tests|tools|docs|bench|examples|fuzz|cmake|packaging"
# A file or folder of the repository, as texts name it; taut/x.h is a public header.
PATH = rf"(?<![\w/.\[-])((?:(?:{FOLDERS})/[\w./-]*\w|taut/[\w/]+\.h|[A-Z]{{3,}}\.md|Makefile)/?)"
TEXTS = ["README.md", "CONTRIBUTING.md", *sorted(str(p.relative_to(ROOT)) for p in (ROOT / "docs").glob("*.md"))]


def file_of(path):
    """The file that a text means by this path."""
    return ROOT / ("include/" + path if path.startswith("taut/") else path)


def tracked(*patterns):
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "-co", "--exclude-standard", *patterns], check=True, capture_output=True, text=True).stdout
    return [path for path in listed.split("\n") if path and (ROOT / path).exists()]


def says_what_it_is_for(path, text):
    lines = [line for line in text.split("\n")[:3] if not line.startswith("#!")]
    first = lines[0]
    if path.endswith((".h", ".cpp", ".inc")):
        own_header = re.match(r'#include "(.*)"', first)
        return first.startswith("// ") or (path.endswith(".cpp") and own_header and
                                           pathlib.Path(own_header[1]).stem == pathlib.Path(path).stem)
    return first.startswith(('"""', "# "))


def wrong_first_lines():
    for path in tracked("*.h", "*.cpp", "*.inc", "*.py", "*.sh", "*.cmake", "CMakeLists.txt", "*/CMakeLists.txt", "Makefile"):
        text = (ROOT / path).read_text()
        if text.strip() and not path.startswith("python/tests/scripts/") and not says_what_it_is_for(path, text):
            yield f"{path}: the first line does not say what the file is for"


def wrong_names():
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for name in TEXTS:
        text = (ROOT / name).read_text()
        for path in re.findall(PATH, re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)):
            if not file_of(path).exists():
                yield f"{name} names {path}, which is not there"
        for target in re.findall(r"`make ([a-z][\w-]*)|^make ([a-z][\w-]*)", text, re.MULTILINE):
            if "".join(target) not in targets:
                yield f"{name} names `make {''.join(target)}`, which the Makefile does not have"


def wrong_steps():
    steps = re.search(r"^for step in (.*); do", (ROOT / ".ci" / "run").read_text(), re.MULTILINE)[1].split()
    listed = re.findall(r"^\| `make ([\w-]+)`", (ROOT / "CONTRIBUTING.md").read_text(), re.MULTILINE)
    if listed != steps:
        yield f"CONTRIBUTING.md lists the steps {listed}, .ci/run has {steps}"


def wrong_counts():
    readme = (ROOT / "README.md").read_text()
    said = re.search(r"compares ([\d,]+) fingerprints", readme)[1]
    count = f"{len((ROOT / 'tests' / 'golden' / 'certificate.txt').read_text().splitlines()):,}"
    if said != count:
        yield f"README.md says {said} fingerprints, the certificate has {count}"
    examples = [p for p in (ROOT / "examples").glob("*.cpp") if p.stem not in ("demo", "digits")]
    words = dict(enumerate("twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty".split(), 12))
    if f"`examples/` has {words.get(len(examples))} more" not in readme:
        yield f"README.md does not say that there are {len(examples)} examples beside demo and digits"
    yield from (f"README.md says that {p.name} has under 120 lines" for p in examples if len(p.read_text().splitlines()) >= 120)


def version():
    return re.search(r"project\(taut VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1]


def wrong_versions():
    own = re.compile(rf"(?<!\d)(?<!\d\.){re.escape(version())}(?![\d.])")
    for path in tracked("*.py", "*.pyi", "*.toml", "*.cpp", "*.h", "*.cmake", "*.in", "*.yml", "README.md", "docs/*.md", "Makefile"):
        for number, line in enumerate((ROOT / path).read_text().split("\n"), 1):
            if own.search(line) and "version" in line.lower():
                yield f"{path}:{number} states the version, which CMakeLists.txt does"


def wrong_code():
    for path in tracked("include/**"):
        for header in re.findall(r"^#include <([^>]*)>", (ROOT / path).read_text(), re.MULTILINE):
            if re.search(r"[./]", header) and not header.startswith(("sys/", "unistd")):
                yield f"{path} includes <{header}>: public headers take nothing but the standard library"
    for path in tracked("CMakeLists.txt", "*/CMakeLists.txt", "*.cmake", "CMakePresets.json"):
        for line in (ROOT / path).read_text().split("\n"):
            if "-ffast-math" in line.partition("#")[0]:
                yield f"{path} asks for -ffast-math"
    for path in tracked("src/**", "include/**", "python/src/**", "python/taut/**", "tests/*.cpp", "tools/*.py", "bench/*.py"):
        if path != "tools/check_texts.py" and path.endswith((".h", ".cpp", ".inc", ".py")) \
                and re.search(r"\b(TODO|FIXME)\b", (ROOT / path).read_text()):
            yield f"{path} has a TODO"


def main():
    wrong = [*wrong_first_lines(), *wrong_names(), *wrong_steps(), *wrong_counts(), *wrong_versions(), *wrong_code()]
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
