"""How well findings name faults: recall, precision by confidence and false alarms, each with its interval."""

from __future__ import annotations

import math
from dataclasses import dataclass

NOTHING = "nothing"
CONFIDENCES = ("certain", "likely", "possible", "verdict")


@dataclass(frozen=True)
class Finding:
    """The confidence of a diagnosis, or verdict for a finding about the client."""

    id: str
    confidence: str


@dataclass(frozen=True)
class Outcome:
    """The findings of one run, the first one first, and those that are right as the first; a clean run expects none."""

    kind: str
    expected: tuple[str, ...]
    found: tuple[Finding, ...]

    @property
    def first(self) -> str:
        return self.found[0].id if self.found else NOTHING

    @property
    def is_clean(self) -> bool:
        return not self.expected

    @property
    def right(self) -> bool:
        return self.first == NOTHING if self.is_clean else self.first in self.expected

    @property
    def counts_for_recall(self) -> bool:
        """A fault that may be passed over in silence counts only if something is said of it."""
        return not self.is_clean and not (self.first == NOTHING and NOTHING in self.expected)


@dataclass(frozen=True)
class Share:
    count: int
    of: int

    def wilson(self, z: float = 1.96) -> tuple[float, float]:
        """Wilson's score interval, of 95 % by default; everything is possible if nothing was counted."""
        if self.of == 0:
            return 0.0, 1.0
        share = self.count / self.of
        middle = share + z * z / (2 * self.of)
        width = z * math.sqrt(share * (1 - share) / self.of + z * z / (4 * self.of**2))
        scale = 1 + z * z / self.of
        return max(0.0, (middle - width) / scale), min(1.0, (middle + width) / scale)

    def __str__(self) -> str:
        if self.of == 0:
            return "0 of 0"
        low, high = self.wilson()
        return f"{self.count} of {self.of}, {100 * self.count / self.of:.0f} % ({100 * low:.0f} to {100 * high:.0f} %)"


def recall(outcomes: list[Outcome]) -> Share:
    faults = [one for one in outcomes if one.counts_for_recall]
    return Share(sum(one.right for one in faults), len(faults))


def precision(outcomes: list[Outcome], confidence: str = "") -> Share:
    """Of the first findings, also those of clean runs."""
    named = [one for one in outcomes if one.found and confidence in ("", one.found[0].confidence)]
    return Share(sum(one.right for one in named), len(named))


def false_alarms(outcomes: list[Outcome]) -> Share:
    runs = [one for one in outcomes if one.is_clean]
    return Share(sum(not one.right for one in runs), len(runs))


def lines(outcomes: list[Outcome]) -> list[str]:
    return [
        f"Recall: {recall(outcomes)}",
        f"Precision: {precision(outcomes)}",
        *(f"  {confidence}: {precision(outcomes, confidence)}" for confidence in CONFIDENCES),
        f"False alarms in clean runs: {false_alarms(outcomes)}",
    ]
