"""A load client: what it is asked to do, and how it is started."""

from __future__ import annotations

import shlex
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from cases import GET, Case
from install import Package
from machine import ROOT

NO_JOURNEY = "sends the same request each time here"
USERS = "{users}"
"""In an option: how many there are."""
ONE_AT_A_TIME = "has one request under way on an HTTP/2 connection"


@dataclass(frozen=True)
class Load:
    """What a client is asked to do: a request over so many connections, for so long."""

    url: str
    connections: int
    seconds: int
    folder: Path
    """Where the client may write files, and where those it asked for are."""
    case: Case = GET
    rate: int = 0
    """Requests a second, of all connections together; 0 for as fast as it can."""

    @property
    def body(self) -> Path:
        """The file with the request's body, if it has one."""
        return self.folder / "body"

    @property
    def users(self) -> int:
        """Requests under way at a time."""
        return self.connections * self.case.streams

    def filled(self, option: str) -> str:
        return option.replace(USERS, str(self.users))


def prepare(load: Load, files: dict[str, str]) -> None:
    """Puts into a load's folder what its client needs there."""
    if load.case.body_bytes:
        load.body.write_text("x" * load.case.body_bytes, encoding="ascii")
    for name, content in files.items():
        (load.folder / name).write_text(content, encoding="utf-8")


@dataclass(frozen=True)
class Start:
    """A way to start a client."""

    label: str
    command: Callable[[Load], list[str]]
    files: Callable[[Load], dict[str, str]] = lambda load: {}
    environment: dict[str, str] = field(default_factory=dict)
    """In addition to the bench's own."""
    goal_seconds: float = 0
    """To its first request, at most; 0 for no such goal."""


class Client(ABC):
    """A load client: whether it is there, how it is started, and how many requests it says it sent.

    Only a client that is not missing() may be asked for its version or command.
    """

    name: str
    """What --clients calls it."""

    label: str
    """What the table calls it."""

    package: Package | None = None
    """Where it comes from; None if --install cannot get it."""

    keeps_rate: bool = False
    """Whether it can send at a rate, and reports percentiles then."""

    warms_up: bool = False
    """Whether it gets faster as it runs, for it is compiled meanwhile."""

    @abstractmethod
    def missing(self) -> str:
        """Why it cannot run, and what to do about it; empty if it can."""

    @abstractmethod
    def version(self) -> str:
        """Its version as it, or its build, reports it."""

    @abstractmethod
    def command(self, load: Load) -> list[str]:
        """The command that puts the load on one core's worth of threads."""

    @abstractmethod
    def counted(self, stdout: str, case: Case) -> int | None:
        """The number of requests it reports, failed ones included; None if it reports none."""

    def percentiles(self, stdout: str, folder: Path) -> tuple[float | None, ...] | None:
        """The median, p99 and p99.9 it reports, in milliseconds, each if it does; None if it reports none."""
        return None

    def refuses(self, case: Case) -> str:
        """Why a case is not for it; empty if it is."""
        if case.journey:
            return NO_JOURNEY
        return "speaks HTTP/1.1 only" if case.http2 else ""

    def files(self, load: Load) -> dict[str, str]:
        """The files that it needs in its folder, by name, apart from a request's body."""
        return {}

    def starts(self) -> list[Start]:
        """The ways to start it, whose time to the first request is of interest."""
        return [Start(self.label, self.command, self.files)]

    def shown_command(self, load: Load, core: int) -> str:
        """The command as the report shows it."""
        return shlex.join(pinned(self.command(load), core)).replace(f"{ROOT}/", "")


def pinned(command: list[str], core: int) -> list[str]:
    return ["taskset", "-c", str(core), *command]
