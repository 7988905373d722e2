"""What the tools that keep a rate report of a server that freezes for a second.

Requests come at a constant rate for TOTAL seconds, and for STALL of them the server answers none. Each
request that was due in the stall has waited for the rest of it, whether a connection was free to send it or not. So
the truth follows from the schedule alone: the share of requests that waited longer than w is
(STALL - w) / TOTAL. A tool that counts from when it sent, and sent less while it waited, reports less.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from client import Client, Load, pinned, prepare
from machine import Cores
from measure import OVERTIME_SECONDS, RunFailed, end, last_line
from section import Section
from stamping import StampingServer

RATE = 1_000
"""A second; in the stall more requests are due than there are connections."""
CONNECTIONS = 64
TOTAL = 10
STALL_AT = 4
"""Seconds after the first request."""
STALL = 1.0
PERCENTS = (50, 99, 99.9)
MISCOUNTED = 0.02
"""Remarked on: more or fewer requests than were due, by more than this share of them."""
OFF = 0.1
"""Remarked on: further from the truth than this share of it."""


def truth(percent: float) -> float:
    """The milliseconds that so many percent of the requests didn't wait longer than."""
    return max(0.0, STALL - (1 - percent / 100) * TOTAL) * 1_000


@dataclass(frozen=True)
class Reported:
    """What a tool reported, in milliseconds, and how many requests the server saw."""

    label: str
    percentiles: Sequence[float | None]
    """By PERCENTS; None for what it doesn't report."""
    requests: int


@dataclass
class Stall:
    """All tools that keep a rate."""

    reported: list[Reported] = field(default_factory=list)
    failures: dict[str, str] = field(default_factory=dict)

    def section(self) -> Section:
        header = ["client", *[f"p{percent} ms" for percent in PERCENTS], "requests"]
        rows = [["the truth, by the schedule", *[f"{truth(percent):,.0f}" for percent in PERCENTS],
                 f"{RATE * TOTAL:,}"]]
        rows += [[one.label, *["–" if reported is None else f"{reported:,.0f}" for reported in one.percentiles],
                  f"{one.requests:,}"] for one in self.reported]
        return Section(f"{RATE:,} requests a second for {TOTAL} s over {CONNECTIONS} connections to a server that "
                       f"freezes for {STALL:.0f} s", [header, *rows], self._remarks())

    def _remarks(self) -> list[str]:
        said = [f"{label} has no figures: {reason}" for label, reason in self.failures.items()]
        for one in self.reported:
            if abs(one.requests - RATE * TOTAL) > MISCOUNTED * RATE * TOTAL:
                said.append(f"{one.label} sent {one.requests:,} requests of {RATE * TOTAL:,}")
            for percent, reported in zip(PERCENTS, one.percentiles):
                if truth(percent) and reported is not None and abs(reported / truth(percent) - 1) > OFF:
                    said.append(f"{one.label} reports a p{percent} of {reported / truth(percent):.0%} of the truth")
        return said

    def as_data(self) -> dict[str, object]:
        """As it goes into JSON."""
        return {"rate": RATE, "connections": CONNECTIONS, "seconds": TOTAL, "stallSeconds": STALL,
                "percents": PERCENTS, "truthMs": [truth(percent) for percent in PERCENTS],
                "clients": [{"client": one.label, "toldMs": one.percentiles, "requests": one.requests}
                            for one in self.reported],
                "failures": self.failures}


def stall(clients: Sequence[Client], cores: Cores, say: Callable[[str], None]) -> Stall:
    """Runs each client that keeps a rate once. It needs no repeats: the stall decides the figures, not the machine."""
    result = Stall()
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {cores.server})
    try:
        for client in clients:
            if not client.keeps_rate:
                continue
            try:
                reported = run(client, cores)
                result.reported.append(reported)
                said = ", ".join("–" if one is None else f"{one:.0f} ms" for one in reported.percentiles)
            except RunFailed as e:
                result.failures[client.label] = str(e)
                said = f"failed: {e}"
            say(f"{client.label}, stall: {said}")
    finally:
        os.sched_setaffinity(0, allowed)
    return result


def run(client: Client, cores: Cores) -> Reported:
    """Runs a client through the stall. Whatever happens, it no longer runs afterwards."""
    with tempfile.TemporaryDirectory(prefix="phaseload-bench-") as temporary, StampingServer() as server:
        folder = Path(temporary)
        load = Load(server.url, CONNECTIONS, TOTAL, folder, rate=RATE)
        prepare(load, client.files(load))
        with open(folder / "stdout", "wb") as stdout, open(folder / "stderr", "wb") as stderr:
            process = subprocess.Popen(pinned(client.command(load), cores.client), cwd=folder,
                                       stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr, start_new_session=True)
        try:
            deadline = time.monotonic() + TOTAL + OVERTIME_SECONDS
            stall_at = None
            while process.poll() is None and time.monotonic() < deadline:
                server.serve(0.01)
                if stall_at is None and server.stamps:
                    stall_at = time.monotonic() + STALL_AT
                elif stall_at and time.monotonic() >= stall_at:
                    time.sleep(STALL)
                    stall_at = deadline
        finally:
            killed = process.poll() is None
            end(process)
        if killed or process.returncode != 0:
            ended = "still ran and was killed" if killed else f"ended with exit code {process.returncode}"
            raise RunFailed(ended + last_line(folder))
        reported = client.percentiles((folder / "stdout").read_text(encoding="utf-8", errors="replace"), folder)
        if reported is None:
            raise RunFailed("reported no percentiles")
        return Reported(client.label, reported, len(server.stamps))
