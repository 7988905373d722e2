#!/usr/bin/env python3
"""check.py SITE: finds what the generator doesn't, in docs/ and in the site that was made of it; and writes SITE/llms.txt."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
COLUMNS = 120
LOADED = re.compile(r"""<(?:script|img|iframe|source)\b[^>]*\bsrc=["']?(?:https?:)?//[^>]*|<link\b[^>]*\bhref=["']?(?:https?:)?//[^>]*"""
                    r"""|@import[^;]*//[^;]*|url\(["']?(?:https?:)?//[^)]*|<form\b[^>]*\baction=["']?https?:[^>]*""")
TREE = re.compile(r"^```\{toctree\}\n:caption: (.+)\n(?::\w+:\n)*((?:.+\n)+)```$", re.MULTILINE)


def long_lines(file: Path) -> Iterator[str]:
    """Lines of text beyond the last column. Tables and quoted output have the width that they have."""
    code = False
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("```"):
            code = not code
        elif len(line) > COLUMNS and not code and not line.startswith("|"):
            yield f"{file.relative_to(ROOT)}:{number}: {len(line)} columns"


def order() -> dict[str, list[str]]:
    """The pages of each part of the site."""
    parts = {}
    for caption, lines in TREE.findall((DOCS / "index.md").read_text(encoding="utf-8")):
        parts[caption] = [page.relative_to(DOCS).with_suffix("").as_posix()
                          for line in lines.splitlines() for page in sorted(DOCS.glob(re.sub(".*<(.*)>", r"\1", line) + ".md"))]
    return parts


def unordered(parts: dict[str, list[str]]) -> Iterator[str]:
    named = {page for pages in parts.values() for page in pages}
    for page in sorted(DOCS.rglob("*.md")):
        name = page.relative_to(DOCS).with_suffix("").as_posix()
        if name not in named and name != "index" and not name.startswith("decisions/0"):
            yield f"docs/{name}.md: not in docs/index.md"


def requests_elsewhere(site: Path) -> Iterator[str]:
    """What a browser would get from another host."""
    for file in sorted([*site.rglob("*.html"), *site.rglob("*.css")]):
        for found in LOADED.findall(file.read_text(encoding="utf-8")):
            yield f"{file.relative_to(site)}: {found}"


def llms(site: Path, parts: dict[str, list[str]]) -> str:
    """The site for language models, by llmstxt.org: a page a line, with its first sentence."""
    lines = ["# Phaseload", "", "> " + first_sentence(DOCS / "index.md")]
    for caption, pages in parts.items():
        lines += ["", f"## {caption}", ""]
        lines += [f"- [{title(DOCS / f'{name}.md')}](_sources/{name}.md.txt): {first_sentence(DOCS / f'{name}.md')}" for name in pages]
    for line in lines:
        if match := re.search(r"\((_sources/[^)]*)\)", line):
            assert (site / match[1]).exists(), match[1]
    return "\n".join(lines) + "\n"


def title(page: Path) -> str:
    return page.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ")


def first_sentence(page: Path) -> str:
    """Of the first paragraph."""
    paragraph = re.search(r"\n\n([\w`][^\n]*(?:\n[^\n]+)*)", page.read_text(encoding="utf-8"))
    return plain(re.split(r"(?<=[.?])\s", " ".join(paragraph[1].split()))[0]) if paragraph else ""


def plain(text: str) -> str:
    return re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text).replace("**", "").replace("`", "")


def main(site: Path) -> int:
    parts = order()
    pages = [*sorted(DOCS.rglob("*.md")), *(ROOT / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"))]
    wrong = [problem for page in pages if page.parent.name != "reference" for problem in long_lines(page)]
    wrong += [*unordered(parts), *requests_elsewhere(site)]
    print(*wrong, sep="\n", end="\n" if wrong else "", file=sys.stderr)
    (site / "llms.txt").write_text(llms(site, parts), encoding="utf-8")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
