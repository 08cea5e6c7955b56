#!/usr/bin/env python3
"""Checks a built site: every link leads to a file and an anchor that exist, and no page loads anything from elsewhere.

    links.py build/site
"""

import pathlib
import sys
import urllib.parse
from html.parser import HTMLParser

LOADS = {"script": "src", "img": "src", "iframe": "src", "link": "href", "source": "src"}


class Page(HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.ids, self.links, self.loads = set(), [], []
        self.feed(path.read_text())

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.ids |= {given[k] for k in ("id", "name") if given.get(k)}
        if tag == "a" and given.get("href"):
            self.links.append(given["href"])
        if tag in LOADS and given.get(LOADS[tag]) and given.get("rel") not in ("canonical", "prev", "next"):
            self.loads.append(given[LOADS[tag]])


def wrong_links(root):
    pages = {path.resolve(): Page(path) for path in root.rglob("*.html")}
    for path, page in pages.items():
        here = path.relative_to(root)
        for link in page.loads:
            if urllib.parse.urlsplit(link).scheme not in ("", "data"):
                yield f"{here} loads {link}"
        for link in page.links + page.loads:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc or (here.name == "404.html" and link.startswith("/")):
                continue
            target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
            if not target.is_file():
                yield f"{here} links to {link}, which is not there"
            elif parts.fragment and target in pages and parts.fragment not in pages[target].ids \
                    and urllib.parse.unquote(parts.fragment) not in pages[target].ids:
                yield f"{here} links to {link}: the page has no such place"


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    wrong = sorted(set(wrong_links(root)))
    if wrong:
        sys.exit("\n".join(f"docs: {w}" for w in wrong))


if __name__ == "__main__":
    main()
