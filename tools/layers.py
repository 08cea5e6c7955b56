#!/usr/bin/env python3
"""Writes the layers declared in src/nn/layers/*.txt (docs/adding-a-layer.md): their options, modules and functions in
C++, their classes and functions in Python. What it writes stands between a line "Written by tools/layers.py ..." and
the end of that part; what is around it is written by hand.

    python3 tools/layers.py             # writes them; `make generate` does this
    python3 tools/layers.py --check     # says which files are out of date
"""

import sys

import layer_cpp
import layer_python
from layer_table import ROOT, TABLES, fail, read


def with_part(path, text, family, lines):
    """`text` with the part for a family written anew."""
    mark, end = ("#", "# End of what is written.\n") if path.suffix == ".py" else ("//", "// clang-format on\n")
    table = f"src/nn/layers/{family}.txt" if family else "src/nn/layers"
    begin = f"{mark} Written by tools/layers.py from {table}; do not edit.\n"
    if begin not in text:
        if lines:
            fail(path.relative_to(ROOT), f'has no place for what follows from {table}; begin it with "{begin.strip()}"')
        return text
    before, _, rest = text.partition(begin)
    _, closed, after = rest.partition(end)
    if not closed:
        fail(path.relative_to(ROOT), f'no line "{end.strip()}" after "{begin.strip()}"')
    if mark == "//":
        lines = ["// clang-format off", *lines]
    elif lines and lines[-1].startswith(" "):  # Python's rules about blank lines
        lines = [*lines, "", ""]
    return before + begin + "".join(line + "\n" for line in lines) + end + after


def written():
    """{path: text} of what is out of date."""
    tables = {path.stem: read(path) for path in sorted(TABLES.glob("*.txt"))}
    headers, sources, python = ROOT / "include" / "taut" / "nn", ROOT / "src" / "nn", ROOT / "python" / "taut" / "nn"
    parts = [(python / "modules" / "__init__.py", "", layer_python.names(tables.values())),
             (sources / "cpp_text.cpp", "", layer_cpp.libtorch_options(tables.values()))]
    for family, layers in tables.items():
        parts += [(headers / "options" / f"{family}.h", family, layer_cpp.options_header(layers)),
                  (headers / "modules" / f"{family}.h", family, layer_cpp.modules_header(layers)),
                  (sources / "modules" / f"{family}.cpp", family, layer_cpp.modules_source(layers)),
                  (headers / "functional" / f"{family}.h", family, layer_cpp.functional_header(layers)),
                  (sources / "functional" / f"{family}.cpp", family, layer_cpp.functional_source(layers)),
                  (python / "functional.py", family, layer_python.all_functions(layers))]
        for file in dict.fromkeys(layer.python_file for layer in layers):
            own = [layer for layer in layers if layer.python_file == file]
            parts.append((python / "modules" / f"{file}.py", family, layer_python.classes(own)))
    before = {path: path.read_text() if path.exists() else "" for path, _, _ in parts}
    after = dict(before)
    for path, family, lines in parts:
        after[path] = with_part(path, after[path], family, lines)
    return {path: text for path, text in after.items() if text != before[path]}


def main():
    stale = written()
    if "--check" in sys.argv:
        if stale:
            sys.exit("run tools/layers.py: out of date: " + ", ".join(str(p.relative_to(ROOT)) for p in stale))
        return
    for path, text in stale.items():
        path.write_text(text)


if __name__ == "__main__":
    main()
