#!/usr/bin/env python3
"""Writes what each part of the stripped library weighs into docs/architecture.md, and the whole into README.md.

    python3 tools/sizes.py build/release              # after building the target `taut` there
    python3 tools/sizes.py build/release --check      # do the texts still say the truth, to a tenth?

The library is linked once more with a map, in which the linker says which object each piece of it comes from.
"""

import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE, README = ROOT / "docs" / "architecture.md", ROOT / "README.md"
START, END = "<!-- sizes -->\n", "<!-- end of sizes -->\n"
SENTENCE = r"one shared library of ([\d.]+)\sMB"
NUMERIC = "beside it, loaded when first needed: libtaut_numeric"
PARTS = {"core": "src/core", "kernels": "src/kernels", "kernels_v2": "src/kernels/isa for x86-64-v2", "kernels_v3": "src/kernels/isa for x86-64-v3",
         "kernels_v4": "src/kernels/isa for x86-64-v4", "autograd": "src/autograd", "ops": "src/ops", "nn": "src/nn", "optim": "src/optim",
         "data": "src/data", "io": "src/io", "report": "src/report", "distributions": "src/distributions"}


def link_command(build):
    """How the shared library was linked."""
    written = build / "CMakeFiles" / "taut.dir" / "link.txt"
    if written.exists():
        return written.read_text().strip()
    name = next(p.name for p in build.glob("libtaut.so.*.*.*"))
    return subprocess.run(["ninja", "-C", build, "-t", "commands", "-s", name], check=True, capture_output=True, text=True).stdout.strip()


def linked(build):
    """(the size of the stripped library, the linker's map)"""
    command = re.sub(r"^: && | && :$", "", link_command(build).split("\n")[-1])
    with tempfile.TemporaryDirectory() as scratch:
        library, written = pathlib.Path(scratch) / "libtaut.so", pathlib.Path(scratch) / "map"
        words = shlex.split(command)
        words[words.index("-o") + 1] = str(library)
        subprocess.run([*words, "-s", f"-Wl,-Map={written}"], check=True, cwd=build)
        return library.stat().st_size, written.read_text()


def weights(text):
    """Bytes of each part in the linked library."""
    found = {}
    text = text[text.index("Linker script and memory map"):]
    for section, size, path in re.findall(r"^ (\.\S+)\s+0x[0-9a-f]+\s+0x([0-9a-f]+) (\S+\.o)$", text, re.MULTILINE):
        part = re.search(r"taut_(\w+)\.dir/", path)
        if part and part[1] in PARTS and not section.startswith((".bss", ".tbss", ".debug", ".comment", ".note")):
            found[part[1]] = found.get(part[1], 0) + int(size, 16)
    return found


def stripped_size(library):
    with tempfile.NamedTemporaryFile() as scratch:
        subprocess.run(["strip", "-o", scratch.name, library], check=True)
        return pathlib.Path(scratch.name).stat().st_size


def table(size, found, numeric):
    lines = ["| part | MB |", "|---|---|"]
    lines += [f"| {PARTS.get(part, part)} | {found[part] / 1e6:.2f} |" for part in [*PARTS, *sorted(set(found) - set(PARTS))] if part in found]
    lines += [f"| names, relocations and the like | {(size - sum(found.values())) / 1e6:.2f} |", f"| in all | {size / 1e6:.2f} |",
              f"| {NUMERIC} | {numeric / 1e6:.2f} |"]
    return "\n".join(lines) + "\n"


def numbers(text):
    return {name: float(value) for name, value in re.findall(r"^\| (.*?) \| ([\d.]+) \|$", text, re.MULTILINE)}


def main():
    build = pathlib.Path(sys.argv[1])
    size, written = linked(build)
    now = table(size, weights(written), stripped_size(next(build.glob("libtaut_numeric.so*"))))
    before, rest = TABLE.read_text().split(START)
    said, after = rest.split(END)
    readme = README.read_text()
    if "--check" in sys.argv:
        old, new = numbers(said), numbers(now)
        wrong = [f"{name}: {old.get(name)} MB said, {value} MB weighed" for name, value in new.items()
                 if name not in old or abs(old[name] - value) > max(0.1 * value, 0.1)]
        of_readme = float(re.search(SENTENCE, readme)[1])
        if abs(of_readme - size / 1e6) > 0.1 * size / 1e6:
            wrong.append(f"README.md says {of_readme} MB, it is {size / 1e6:.1f} MB")
        if wrong:
            sys.exit("\n".join([*wrong, "Run `make generate`."]))
        return
    TABLE.write_text(before + START + now + END + after)
    README.write_text(re.sub(SENTENCE, f"one shared library of {size / 1e6:.1f} MB", readme))


if __name__ == "__main__":
    main()
