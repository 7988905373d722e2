"""
Kinds of runs: faults, each with the findings of which one must come first, and clean ones, which must have none.

The rules are tuned on the half in seen_*.py. The half in held_out_*.py is looked at once, at the end of a round: whoever changes a rule
doesn't read these files, nor the output of --half held-out. New kinds were dealt to the halves at random, by a shuffle within each
family, three of five to the held-out half; what the rules were tuned on before is in the seen half. All held-out sets have been
looked at (docs/diagnosis.md has their scores), and rules were changed since most of them. The next score needs kinds of a new module,
held_out_*.py (--module), by somebody who hasn't read the rules.
"""

from __future__ import annotations

import contextlib
import importlib
import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random

from asking import Claim, Truth

HALVES = ("seen", "held-out")
NOTHING = "nothing"


@dataclass
class Bed:
    """Where a client runs, and how; truth is what the server does by other means than the client."""

    url: str
    options: str
    under: list[str] = field(default_factory=list)
    java: list[str] = field(default_factory=list)
    truth: Truth | None = None
    probe: Callable[[], list[Claim]] | None = None
    """The same by a command."""
    plan: str = ""
    freeze: float = 0
    """Seconds for which the client is stopped, in the middle of its run."""


@dataclass(frozen=True)
class Kind:
    """A fault, or without any meaning and expected findings a clean run."""

    name: str
    half: str
    what: str
    meaning: str
    expected: tuple[str, ...]
    bed: Callable[[Random], contextlib.AbstractContextManager[Bed]]

    @property
    def is_fault(self) -> bool:
        return bool(self.expected)

    @property
    def module(self) -> str:
        return self.bed.__module__.split(".")[-1]


KINDS: list[Kind] = []


def _add(what: str, meaning: str, expected: tuple[str, ...], bed: Callable[[Random], Iterator[Bed]]) -> None:
    name = bed.__name__.replace("_", "-")
    if any(other.name == name for other in KINDS):
        raise ValueError(f"two kinds are called {name}")
    half = "held-out" if bed.__module__.split(".")[-1].startswith("held_out") else "seen"
    KINDS.append(Kind(name, half, what, meaning, expected, contextlib.contextmanager(bed)))


def cause(what: str, *expected: str, meaning: str = "") -> Callable:
    """A fault; nothing among the findings: where no finding is right as well."""
    def add(bed: Callable[[Random], Iterator[Bed]]) -> None:
        _add(what, meaning or what, expected or (bed.__name__.replace("_", "-"),), bed)
    return add


def clean(what: str) -> Callable:
    def add(bed: Callable[[Random], Iterator[Bed]]) -> None:
        _add(what, "", (), bed)
    return add


def peak(seconds: float, warmup: float = 1) -> str:
    return f"--phases warmup=1:for:{warmup}s,peak=1:for:{seconds}s "


def load() -> list[Kind]:
    """All kinds, those of the seen half first."""
    for module in sorted((found.name for found in pkgutil.iter_modules(__path__)), key=lambda name: (name.startswith("held"), name)):
        importlib.import_module(f"{__name__}.{module}")
    return KINDS


def users(dice: Random, low: int = 6, high: int = 20) -> str:
    """A closed model of any engine."""
    return f"-c {dice.randint(low, high)} --think {dice.randint(3, 15)}ms {engine(dice)}"


def engine(dice: Random) -> str:
    return dice.choice(("", "", "--engine events "))


def model(dice: Random, per_second: tuple[int, int] = (120, 300)) -> str:
    """A closed or an open model, with users enough."""
    if dice.random() < 0.5:
        return users(dice)
    return f"-c {dice.randint(30, 60)} --rate {dice.randint(*per_second)}/s {engine(dice)}{dice.choice(('', '--arrivals poisson '))}"


def pick(dice: Random, low: float, high: float) -> float:
    return round(dice.uniform(low, high), 3)
