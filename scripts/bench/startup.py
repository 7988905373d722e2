"""How long a client takes from its command to its first request.

The server listens before the client is started and takes the time when the first byte comes; then the client is ended.
It may use all cores, as it does where people use it.
"""

from __future__ import annotations

import os
import signal
import socket
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from client import Client, Load, Start, prepare
from measure import RunFailed, as_data, busy_seconds, cpu_seconds, family
from section import Section

PATIENCE_SECONDS = 60
"""How long a client may take to its first request before it is ended."""
DISTURBED = 0.1
"""No verdict on a goal where other work took more than this share of the machine."""
SECONDS = 5
"""Seconds of load that a client is asked for; it is ended long before."""


class StartFailed(Exception):
    """A client sent nothing; the message says why."""


@dataclass(frozen=True)
class Time:
    """What one start took."""

    seconds: float
    cpu_seconds: float
    """Of the client, until its first request."""
    other_share: float
    """Of the machine's cores, what neither client nor bench used."""


@dataclass
class Started:
    """What it took, each time one was started in one way; and why there is no figure, where there is none."""

    start: Start
    times: list[Time] = field(default_factory=list)
    failure: str = ""

    def median(self, what: str) -> float:
        return statistics.median(getattr(time, what) for time in self.times)


@dataclass
class StartUp:
    """All clients, in each way there is to start them."""

    repeats: int
    started: list[Started]

    @property
    def failures(self) -> dict[str, str]:
        """Why a client, by its label, has no figure."""
        return {one.start.label: one.failure for one in self.started if one.failure}

    def section(self) -> Section:
        return Section(f"from the command to the first request, on all cores, medians of {self.repeats}",
                       [["client", "s", "min – max", "CPU s"], *[_row(one) for one in self.started if not one.failure]],
                       [remark for one in self.started for remark in _remarks(one)])

    def as_data(self) -> dict[str, object]:
        """As it goes into JSON."""
        return {"repeats": self.repeats,
                "clients": [{"client": one.start.label, "times": [as_data(time) for time in one.times],
                             "failure": one.failure or None} for one in self.started]}


def _row(one: Started) -> list[str]:
    every = [time.seconds for time in one.times]
    return [one.start.label, f"{one.median('seconds'):.2f}", f"{min(every):.2f} – {max(every):.2f}",
            f"{one.median('cpu_seconds'):.2f}"]


def _remarks(one: Started) -> list[str]:
    if one.failure:
        return [f"{one.start.label} has no figure: {one.failure}"]
    if not one.start.goal_seconds:
        return []
    outcome = "met" if one.median("seconds") < one.start.goal_seconds else "MISSED"
    if one.median("other_share") > DISTURBED:
        outcome = f"undecided, since other work took {one.median('other_share'):.0%} of the machine"
    return [f"goal: {one.start.label} sends its first request within {one.start.goal_seconds:.0f} s: {outcome}"]


def first_request(start: Start) -> Time:
    """From a command to its first request. Whatever happens, it no longer runs afterwards."""
    with tempfile.TemporaryDirectory(prefix="phaseload-bench-") as temporary, \
            socket.create_server(("127.0.0.1", 0)) as listener:
        folder = Path(temporary)
        url = f"http://127.0.0.1:{listener.getsockname()[1]}/"
        load = Load(url, 1, SECONDS, folder)
        prepare(load, start.files(load))
        command = start.command(load)
        cores = range(os.cpu_count())
        with open(folder / "output", "wb") as output:
            busy, own, began = busy_seconds(cores), time.process_time(), time.monotonic()
            process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                                       env={**os.environ, **start.environment}, start_new_session=True)
        try:
            _await_bytes(listener, process, began + PATIENCE_SECONDS)
            seconds = time.monotonic() - began
            cpu = cpu_seconds(family(process.pid))
            other = busy_seconds(cores) - busy - cpu - (time.process_time() - own)
            return Time(seconds, cpu, max(0.0, other / seconds / len(cores)))
        except (OSError, RunFailed) as e:
            said = (folder / "output").read_text(errors="replace").strip().rpartition("\n")[2]
            raise StartFailed(f"sent nothing: {said or e}") from e
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _await_bytes(listener: socket.socket, process: subprocess.Popen[bytes], deadline: float) -> None:
    """Waits for the first byte of any connection; TimeoutError if the process ends or the time does."""
    listener.settimeout(0.2)
    while process.poll() is None and time.monotonic() < deadline:
        with suppress(TimeoutError, socket.timeout):
            peer = listener.accept()[0]
            with peer:
                peer.settimeout(PATIENCE_SECONDS)
                if peer.recv(1):  # wrk only tries whether it can connect, with the first
                    return
    raise TimeoutError(f"no request within {PATIENCE_SECONDS} s")


def start_up(clients: Sequence[Client], repeats: int, say: Callable[[str], None]) -> StartUp:
    """Starts the clients in turn, round by round, after one round that isn't counted: what they read is in memory then,
    and the launcher's archive is made."""
    result = StartUp(repeats, [Started(start) for client in clients for start in client.starts()])
    for turn in range(repeats + 1):
        for one in result.started:
            if one.failure:
                continue
            try:
                taken = first_request(one.start)
            except StartFailed as e:
                one.failure = str(e)
                say(f"{one.start.label}: {e}")
                continue
            if turn:
                one.times.append(taken)
                say(f"{one.start.label}, start {turn} of {repeats}: {taken.seconds:.2f} s")
    return result
