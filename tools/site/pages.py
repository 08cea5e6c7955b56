#!/usr/bin/env python3
"""Puts together what MkDocs builds the site from: the guides, README as the front page, the gallery, the reference, and the
source files that the guides name. `make docs` calls it with the package's Python.

    pages.py build/release build/docs
"""

import os
import pathlib
import re
import shutil
import sys

import gallery
import reference
from headers import ROOT

sys.path.insert(0, str(ROOT / "tools"))
from check_texts import PATH  # noqa: E402

GUIDES = ["python", "libtorch", "data", "files", "random", "reproducibility", "performance"]
MAKERS = ["architecture", "adding-an-op", "adding-an-optimiser", "stability"]
PAGES = {"README.md": "index.md", "CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md",
         "bench/results.md": "results.md", **{f"docs/{p.name}": p.name for p in (ROOT / "docs").glob("*.md")},
         "examples": "gallery/index.md", "examples/": "gallery/index.md"}
LANGUAGES = {".cpp": "cpp", ".h": "cpp", ".inc": "cpp", ".py": "python", ".sh": "bash", ".txt": "text", ".md": "text"}


START = """
[From Python](python.md){ .md-button .md-button--primary } [Gallery](gallery/index.md){ .md-button }
[Reference](reference/ops/index.md){ .md-button } [How it is built](architecture.md){ .md-button }
"""


def title_of(path):
    return re.search(r"^# (.*)", path.read_text(), re.MULTILINE)[1]


class Site:
    def __init__(self, target):
        self.target, self.sources, self.missing = target, set(), []

    def place_of(self, path, page):
        """Where a file of the repository is on the site; None if it is no file."""
        path = path.rstrip("/")
        inside = f"include/{path}" if path.startswith("taut/") else path
        if inside in PAGES:
            return PAGES[inside]
        if re.match(r"examples/\w+\.(cpp|py)$", inside) and (ROOT / inside).exists():
            return "gallery/" + pathlib.Path(inside).name.replace(".cpp", "").replace(".", "_") + ".md"
        if not (ROOT / inside).is_file():
            return None
        if (ROOT / inside).suffix in (".svg", ".png"):
            shutil.copy(ROOT / inside, self.target)
            return pathlib.Path(inside).name
        self.sources.add(inside)
        return f"source/{inside}.md"

    def linked(self, text, origin, page):
        """The text with its links to files of the repository turned to the site, and with links where it only names one."""
        folder, origin_of = os.path.dirname(origin), {place: path for path, place in PAGES.items()}

        def relative(place):
            return os.path.relpath(place, os.path.dirname(page) or ".")

        def link(m):
            target, _, anchor = m[2].partition("#")
            if not target or re.match(r"\w+:", target):
                return m[0]
            place = self.place_of(os.path.normpath(os.path.join(folder, target)), page)
            if place is None:
                self.missing.append(f"{origin} links to {target}, which is not there")
                return m[0]
            says = title_of(ROOT / origin_of[place]) if m[1] == origin_of.get(place) else m[1]
            return f"[{says}]({relative(place)}{'#' + anchor if anchor else ''})"

        def mention(m):
            place = self.place_of(m[1], page)
            if place is None:
                if pathlib.Path(m[1]).suffix and not (ROOT / m[1]).exists():
                    self.missing.append(f"{origin} names {m[1]}, which is not there")
                return m[0]
            if place == page:
                return m[0]
            return f"[{title_of(ROOT / m[1])}]({relative(place)})" if m[1].startswith("docs/") else f"[`{m[1]}`]({relative(place)})"

        # Not within blocks of code.
        parts = re.split(r"(^```.*?^```$)", text, flags=re.DOTALL | re.MULTILINE)
        for k in range(0, len(parts), 2):
            pieces = re.split(r"(!?\[[^\]]*\]\([^)]*\)|`[^`\n]+`)", parts[k])
            for i, piece in enumerate(pieces):
                if piece.startswith(("[", "![")):
                    pieces[i] = re.sub(r"\[([^\]]*)\]\(([^)]*)\)", link, piece)
                elif piece.startswith("`"):
                    whole = re.fullmatch(PATH, piece.strip("`"))
                    pieces[i] = mention(whole) if whole else piece
                    if whole and pieces[i] == whole[0]:
                        pieces[i] = piece
                else:
                    pieces[i] = re.sub(PATH, mention, piece)
            parts[k] = "".join(pieces)
        return "".join(parts)

    def write_pages(self):
        for origin, page in PAGES.items():
            if origin.endswith(".md"):
                text = self.linked((ROOT / origin).read_text(), origin, page)
                if page == "index.md":
                    title, first, rest = text.split("\n\n", 2)
                    sentence, _, more = " ".join(first.split()).partition(". ")
                    text = f"---\nhide:\n  - navigation\n---\n{title}\n\n{sentence}.\n{{ .first }}\n\n{more}\n{START}\n{rest}"
                (self.target / page).write_text(text)

    def write_sources(self):
        for path in sorted(self.sources):
            out = self.target / "source" / f"{path}.md"
            out.parent.mkdir(parents=True, exist_ok=True)
            language = LANGUAGES.get(pathlib.Path(path).suffix, "text")
            out.write_text(f"---\nsearch:\n  exclude: true\nhide:\n  - toc\n---\n# {path}\n\n````{language}\n"
                           + (ROOT / path).read_text().rstrip("\n") + "\n````\n")


def navigation(gallery_parts, op_parts):
    """SUMMARY of the site, which tools/site/hooks.py reads."""
    def title(page):
        return title_of(ROOT / "docs" / f"{page}.md")
    lines = ["Home\tindex.md", "Guides"] + [f"\t{title(g)}\t{g}.md" for g in GUIDES] + ["\tBenchmarks\tresults.md"]
    lines += ["Gallery", "\tAll examples\tgallery/index.md"] + [f"\t{name}\tgallery/{file}" for name, file in gallery_parts]
    lines += ["Reference", "\tOps", "\t\tAll ops\treference/ops/index.md"]
    lines += [f"\t\t{name}\treference/ops/{file}" for name, file in op_parts]
    lines += [f"\t{name}\treference/{file}" for name, file in (
        ("Layers", "layers.md"), ("Losses", "losses.md"), ("Functions of layers", "functional.md"),
        ("Optimisers", "optimisers.md"), ("Schedulers", "schedulers.md"))]
    lines += ["Contributing", "\tContributing\tcontributing.md"] + [f"\t{title(m)}\t{m}.md" for m in MAKERS]
    return lines + ["\tChangelog\tchangelog.md"]


def main():
    build, work = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    target = work / "pages"
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    site = Site(target)
    site.write_pages()
    if site.missing:
        sys.exit("\n".join(f"docs: {m}" for m in site.missing))
    op_parts = reference.write(build, target / "reference")
    gallery_parts = gallery.write(build, work / "runs", target / "gallery")
    site.write_sources()
    for name in ("site.css", "frame_worker.js"):
        shutil.copy(ROOT / "tools" / "site" / name, target)
    (work / "navigation.txt").write_text("\n".join(navigation(gallery_parts, op_parts)) + "\n")


if __name__ == "__main__":
    main()
