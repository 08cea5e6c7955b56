"""Writes the gallery: every example with its source, what it prints when it is run, and pictures. Outputs are kept from one
build of the site to the next while the programs and the library stay the same."""

import hashlib
import pathlib
import re
import shutil
import subprocess
import sys

import pictures
import taut
from headers import ROOT

EXAMPLES = ROOT / "examples"
FIRST = ["demo", "linear_regression", "mlp", "cnn", "digits"]  # a newcomer's order; the others follow by name


def first_words(path):
    """What the file says of itself in its first line or sentence."""
    text = path.read_text()
    if path.suffix == ".py":
        return re.match(r'"""(.*?)(?: Usage:.*)?"""', text, re.DOTALL)[1].strip()
    return re.match(r"// (.*)", text)[1].strip()


def run(command, made_of, directory):
    """What a program prints; an earlier run's words if nothing has changed since."""
    seal = hashlib.sha256(b"".join(p.read_bytes() for p in made_of)).hexdigest()
    kept = directory / "output.txt"
    if (directory / "seal").exists() and (directory / "seal").read_text() == seal:
        return kept.read_text()
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    result = subprocess.run(command, cwd=directory, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"docs: {command[0]} ended with {result.returncode}: {result.stderr}")
    kept.write_text(result.stdout)
    (directory / "seal").write_text(seal)
    return result.stdout


def page(path, output, shown, extra):
    language = "python" if path.suffix == ".py" else "cpp"
    lines = [f"# {path.name}\n", first_words(path) + "\n"]
    lines += [f"<figure markdown>\n![{caption}]({file}){{ .picture loading=lazy }}\n<figcaption>{caption}</figcaption>\n</figure>\n"
              for file, _, caption in shown]
    lines += extra + ["## What it prints\n", "```text\n" + output.strip("\n") + "\n```\n", f"## examples/{path.name}\n",
                      f"```{language}\n" + path.read_text().rstrip("\n") + "\n```\n"]
    return "\n".join(lines)


def write(build, scratch, target):
    """All pages, into `target`; returns the parts of the navigation."""
    target.mkdir(parents=True)
    sources = sorted([*EXAMPLES.glob("*.cpp"), *EXAMPLES.glob("*.py")],
                     key=lambda p: (FIRST.index(p.stem) if p.stem in FIRST else len(FIRST), p.stem, p.suffix))
    library = (build / "libtaut.so").resolve()
    cards, parts = [], []
    for path in sources:
        name = path.name.replace(".cpp", "").replace(".", "_")
        if path.suffix == ".py":
            command, made_of = [sys.executable, str(path)], [path, pathlib.Path(taut._C.__file__)]
        else:
            program = build / "examples" / path.stem
            command, made_of = [str(program)], [program, library]
        output = run(command, made_of, scratch / name)
        shown = pictures.of(name, output, scratch / name)
        for file, svg, _ in shown:
            (target / file).write_text(svg)
        extra = []
        if (scratch / name / "taut-report.html").exists():
            shutil.copy(scratch / name / "taut-report.html", target / f"{name}-report.html")
            extra = [f"[The whole report]({name}-report.html) that the program writes: curves, the hardest digits, parameters.\n"]
        (target / f"{name}.md").write_text(page(path, output, shown, extra))
        picture = f"\n\n    ![]({shown[0][0]}){{ loading=lazy }}" if shown else ""
        cards.append(f"-   **[{path.name}]({name}.md)**\n\n    {first_words(path)}{picture}\n")
        parts.append((path.name, f"{name}.md"))
    head = "# Gallery\n\nThe programs of `examples/`, with what they printed when these pages were built. `make test` runs each of " \
        "them, for a few steps.\n\n"
    (target / "index.md").write_text(head + '<div class="grid cards" markdown>\n\n' + "\n".join(cards) + "\n</div>\n")
    return parts
