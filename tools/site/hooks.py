"""What MkDocs is told while it builds: the navigation that pages.py wrote, and the version, from CMakeLists.txt."""

import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from check_texts import version  # noqa: E402


def nested(lines, depth=0):
    """The lines of navigation.txt as MkDocs wants them: tabs nest, a title without a page has parts."""
    found = []
    while lines and len(lines[0]) - len(lines[0].lstrip("\t")) == depth:
        title, _, page = lines.pop(0).strip("\t").partition("\t")
        found.append({title: page or nested(lines, depth + 1)})
    return found


def on_config(config):
    written = pathlib.Path(config["docs_dir"]).parent / "navigation.txt"
    config["nav"] = nested(written.read_text().splitlines())
    config["copyright"] = f"Taut {version()} · Apache-2.0"
    return config


SHIM = r'<script src="https://unpkg\.com/iframe-worker/shim"></script>'


def on_post_page(output, page, config):
    """Pages opened from disk search with our own frame_worker.js, not with one that is loaded from elsewhere."""
    up = "../" * page.url.count("/")
    return re.sub(SHIM, f'<script src="{up}frame_worker.js"></script>', output)


def on_post_template(output_content, template_name, config):
    return re.sub(SHIM, "", output_content)
