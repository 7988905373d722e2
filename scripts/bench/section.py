"""A table of a report with what is remarked on it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from textwrap import wrap


@dataclass(frozen=True)
class Section:
    """One table: a header and its rows, which are names first and then figures."""

    heading: str
    rows: Sequence[Sequence[str]]
    remarks: Sequence[str] = ()

    def text(self) -> list[str]:
        return [self.heading, *align(self.rows), *self._remarked()]

    def markdown(self) -> list[str]:
        header, *body = self.rows
        lines = [f"## {self.heading}", "", _pipes(header), _pipes(["---"] + ["---:"] * (len(header) - 1))]
        lines += [_pipes(row) for row in body]
        return lines + [""] * bool(self.remarks) + bullets(self.remarks)

    def _remarked(self) -> list[str]:
        return [f"- {remark}" for remark in self.remarks]


def bullets(texts: Iterable[str]) -> list[str]:
    """A list in Markdown, within 120 columns."""
    return [line for text in texts
            for line in wrap(f"- {text}", 120, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)]


def align(table: Sequence[Sequence[str]]) -> list[str]:
    """Columns of one width: the first flush left, figures flush right."""
    widths = [max(len(cell) for cell in column) for column in zip(*table)]
    return ["  ".join(cell.rjust(width) if i else cell.ljust(width)
                      for i, (cell, width) in enumerate(zip(row, widths))).rstrip() for row in table]


def _pipes(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"
