"""When requests arrive at a server: how far the gaps between them are from those that were asked for.

The client has a core to itself (on a quiet machine), and the server has another one. The kernel stamps each request as it
arrives, so the figures don't depend on how soon the server wakes up to read it. The client warms up in a phase of its own;
only the requests of the next phase count.

Constant arrivals: the error of a gap is how far it is from 1 / rate. Poisson arrivals: the greatest distance between
the distribution of the gaps and the exponential one (Kolmogorov–Smirnov), and the limit that at most 1 % of true Poisson
processes exceed, 1.628 / √n. A request that is late by some part of the mean gap adds a distance of about that part.

Exit codes: 0 measured, 1 the client failed, 2 wrong arguments or nothing to measure with, 130 interrupted.
"""

from __future__ import annotations

import gc
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import clients
import machine
from client import Load, pinned
from command import OK, Parser, UsageError, exit_code, select as named, whole_number
from phaseload import Phaseload
from stamping import StampingServer

GOAL_MICROS = 1_000
"""A constant rate's p99 of the error of a gap is to be below this, at 2,000 a second."""
OVERTIME_SECONDS = 60
"""How long a client may take to start, to end and to report before it is killed."""


class RunFailed(Exception):
    """A run gave no figure; the message says why."""


# --- what stamps say


def gaps(stamps: Sequence[int]) -> list[float]:
    """Microseconds between one and the next."""
    return [(after - before) / 1e3 for before, after in zip(stamps, stamps[1:])]


def percentile(values: Sequence[float], percent: float) -> float:
    """The value that so many percent do not exceed."""
    return sorted(values)[max(0, math.ceil(len(values) * percent / 100) - 1)]


def distance(values: Sequence[float], mean: float) -> float:
    """How far an empirical distribution is from the exponential one of a mean."""
    expected = [1 - math.exp(-value / mean) for value in sorted(values)]
    n = len(expected)
    return max(max(e - i / n, (i + 1) / n - e) for i, e in enumerate(expected))


def critical(n: int) -> float:
    """The distance that one in a hundred samples of the distribution itself exceeds."""
    return 1.628 / math.sqrt(n)


# --- one run


@dataclass(frozen=True)
class Asked:
    """What the client is asked for."""

    rate: int
    seconds: int
    warmup: int
    connections: int


def stamps_of(client: Phaseload, arrivals: str, asked: Asked, cores: machine.Cores) -> list[int]:
    """When the requests of a phase came, in order. Whatever happens, the client no longer runs afterwards."""
    phases = f"warmup=1 for {asked.warmup}s,peak=1 for {asked.seconds}s"
    options = ["--rate", f"{asked.rate}/s", "--arrivals", arrivals, "--phases", phases]
    with tempfile.TemporaryDirectory(prefix="phaseload-arrivals-") as temporary, StampingServer() as server:
        folder = Path(temporary)
        load = Load(server.url, asked.connections, asked.seconds, folder)
        with open(folder / "stdout", "wb") as stdout, open(folder / "stderr", "wb") as stderr:
            process = subprocess.Popen(pinned(client.run(load, options), cores.client), cwd=folder,
                                       stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr)
        try:
            deadline = time.monotonic() + asked.warmup + asked.seconds + OVERTIME_SECONDS
            while process.poll() is None and time.monotonic() < deadline:
                server.serve(0.2)
        finally:
            process.kill()
            process.wait()
        text = (folder / "stdout").read_text(encoding="utf-8", errors="replace")
        if process.returncode != 0:
            said = (folder / "stderr").read_text(encoding="utf-8", errors="replace").strip().rpartition("\n")[2]
            raise RunFailed(f"ended with exit code {process.returncode}: {said}")
    warmup, peak = (phase["requests"] for phase in json.loads(text)["phases"])
    if warmup + peak != len(server.stamps):
        raise RunFailed(f"sent {warmup + peak} requests by its own count, {len(server.stamps)} by the server's")
    return sorted(server.stamps)[-peak:]


def constant(stamps: Sequence[int], rate: int) -> str:
    errors = [abs(gap - 1e6 / rate) for gap in gaps(stamps)]
    p99 = percentile(errors, 99)
    met = "under" if p99 < GOAL_MICROS else "NOT under"
    return (f"{len(stamps)} requests; error of a gap: p50 {percentile(errors, 50):.0f} µs, p99 {p99:.0f} µs, "
            f"max {max(errors):.0f} µs; p99 is {met} 1 ms")


def poisson(stamps: Sequence[int], rate: int) -> str:
    between = gaps(stamps)
    found, most = distance(between, 1e6 / rate), critical(len(between))
    passed = "passes" if found < most else "does NOT pass"
    return f"{len(stamps)} requests; D {found:.4f}, at most {most:.4f} at 1 %: {passed}"


# --- the command line


def say(text: str) -> None:
    print(f"arrivals: {text}", file=sys.stderr, flush=True)


def run(arguments: list[str]) -> int:
    parser = Parser(
        prog="arrivals",
        description="How well phaseload's requests keep to their schedule, as a server on another core of this machine "
        "sees them. Needs an idle machine.",
        allow_abbrev=False,
    )
    parser.add_argument("--client", default="phaseload-threads-17", metavar="NAME",
                        help="as in bench --clients (default: phaseload-threads-17)")
    parser.add_argument("--rate", type=whole_number(1, 100_000), default=2_000, metavar="N",
                        help="constant arrivals per second (default: 2000)")
    parser.add_argument("--poisson-rate", type=whole_number(1, 100_000), default=200, metavar="N",
                        help="Poisson arrivals per second, on average (default: 200)")
    parser.add_argument("--connections", type=whole_number(1, 1_000), default=16, metavar="N",
                        help="users (default: 16)")
    parser.add_argument("--seconds", type=whole_number(1, 600), default=20, metavar="S",
                        help="measured time of a run (default: 20)")
    parser.add_argument("--warmup", type=whole_number(1, 600), default=10, metavar="S",
                        help="time before it, in the same process (default: 10)")
    parser.add_argument("--repeats", type=whole_number(1, 100), default=3, metavar="N",
                        help="runs of each kind (default: 3)")
    asked = parser.parse_args(arguments)
    if not sys.platform.startswith("linux"):
        raise UsageError("needs Linux: it pins with taskset")
    if not shutil.which("taskset"):
        raise UsageError("taskset is not installed: apt-get install -y util-linux")
    client = choose(asked.client)
    cores = machine.choose_cores()
    for warning in cores.warnings:
        say(warning)
    facts = machine.describe(cores)
    print(f"{client.label} {client.version()} on core {cores.client}, server on core {cores.server}: "
          f"{facts['cpu']}, {facts['kernel']}, {asked.connections} users, {asked.seconds} s after {asked.warmup} s",
          flush=True)
    os.sched_setaffinity(0, {cores.server})
    gc.disable()
    for kind, rate, judge in (("constant", asked.rate, constant), ("poisson", asked.poisson_rate, poisson)):
        for _ in range(asked.repeats):
            wanted = Asked(rate, asked.seconds, asked.warmup, asked.connections)
            print(f"{kind} {rate}/s: {judge(stamps_of(client, kind, wanted, cores), rate)}", flush=True)
            gc.collect()
    return OK


def choose(name: str) -> Phaseload:
    client = named(clients.known(machine.find_jdks()), name)[0]
    if not isinstance(client, Phaseload):
        raise UsageError(f"no schedule to keep to: {name}")
    if client.missing():
        raise UsageError(client.missing())
    return client


def main(arguments: list[str]) -> int:
    return exit_code(lambda: run(arguments), RunFailed, say)
