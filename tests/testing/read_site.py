#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reads the pages that `make site` made: prints links that lead nowhere, and pages that the index of the search lacks.

usage: read_site.py DIRECTORY
"""
import html.parser
import json
import os
import pathlib
import sys


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.links, self.ids = [], set()
        self.feed(path.read_text())

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("href", "src"):
                self.links.append(value)
            elif name == "id":
                self.ids.add(value)


def dead_links(site, pages, path):
    for link in pages[path].links:
        if "://" in link:
            continue
        name, _, anchor = link.partition("#")
        target = pathlib.Path(os.path.normpath(path.parent / name)) if name else path
        if not target.exists() or anchor and anchor not in pages[target].ids:
            yield f"{path.relative_to(site)}: {link} leads nowhere"


def main():
    site = pathlib.Path(sys.argv[1])
    pages = {path: Page(path) for path in sorted(site.rglob("*.html"))}
    problems = [problem for path in pages for problem in dead_links(site, pages, path)]
    index = json.loads((site / "index.js").read_text().removeprefix("const documents = ").rstrip(";\n"))
    entries = {entry["page"]: entry for entry in index}
    for path in pages:
        name = str(path.relative_to(site))
        if not entries.get(name, {}).get("words"):
            problems.append(f"the index has no words of {name}")
    print(f"{len(pages)} pages, {sum(len(page.links) for page in pages.values())} links")
    print(*problems, sep="\n", end="\n" if problems else "")
    return bool(problems)


sys.exit(main())
