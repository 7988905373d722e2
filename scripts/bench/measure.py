"""Measuring: CPU time from /proc, requests from the server, the same way for every client.

A client is started once for warm-up and measured time, which count from its first request. While it runs at full load, its CPU
time and the server's request counter are read twice; CPU per request is the quotient of the differences. This leaves out
what a client does before (starting, compiling, connecting) and after (joining, reporting), and needs none of its own figures.
"""

from __future__ import annotations

import os
import re
import signal
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from cases import Case
from client import Client, Load, pinned, prepare
from machine import Cores
from server import Nginx, Served

TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
MARGIN_SECONDS = 2
"""A client is asked to run so much longer than the measured window ends, so that the window is all full load."""
PROGRAM_WARMUP_SECONDS = 2
"""At most for a client that doesn't get faster as it runs, but has to connect."""
OVERTIME_SECONDS = 30
"""How long a client may take to end and report before it is killed."""


@dataclass(frozen=True)
class Method:
    """How long and how often."""

    warmup: int
    seconds: int
    repeats: int

    def warmup_of(self, client: Client) -> int:
        return self.warmup if client.warms_up else min(self.warmup, PROGRAM_WARMUP_SECONDS)

    def client_seconds(self, client: Client) -> int:
        return self.warmup_of(client) + self.seconds + MARGIN_SECONDS

    def expected_seconds(self, clients: Iterable[Client]) -> int:
        """Of all repeats, one table."""
        return self.repeats * sum(self.client_seconds(client) + 1 + client.warms_up for client in clients)


class RunFailed(Exception):
    """A run gave no figure; the message says why."""


# --- reading /proc


def cpu_seconds(pids: Iterable[int]) -> float:
    """CPU time, user and system, that processes have used: all their threads, and children that have ended."""
    return sum(sum(_stat(pid)[11:15]) for pid in pids) / TICKS_PER_SECOND


def family(pid: int) -> list[int]:
    """A process and all that descend from it."""
    children: dict[int, list[int]] = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                children.setdefault(_stat(int(entry))[1], []).append(int(entry))
            except RunFailed:
                continue  # ended between listing and reading
    members = [pid]
    for member in members:
        members += children.get(member, [])
    return members


def peak_memory(pids: Iterable[int]) -> int:
    """The most memory, in bytes, that the processes have had resident."""
    total = 0
    for pid in pids:
        peak = re.search(r"^VmHWM:\s+(\d+) kB", _read(f"/proc/{pid}/status"), re.MULTILINE)
        total += int(peak.group(1)) * 1024 if peak else 0
    return total


def busy_seconds(cores: Iterable[int]) -> float:
    """Time that cores were not idle, for any process; it includes time stolen by a hypervisor."""
    stat = _read("/proc/stat")
    total = 0
    for core in set(cores):
        fields = re.search(rf"^cpu{core} (.+)$", stat, re.MULTILINE)
        if fields:  # some containers do not show every core
            user, nice, system, _idle, _iowait, irq, softirq, steal = map(int, fields.group(1).split()[:8])
            total += user + nice + system + irq + softirq + steal
    return total / TICKS_PER_SECOND


def _stat(pid: int) -> list[int]:
    """The numbers of /proc/PID/stat after the name: [1] parent, [11] utime, [12] stime, [13] cutime, [14] cstime."""
    after_name = _read(f"/proc/{pid}/stat").rpartition(")")[2].split()
    if not after_name:
        raise RunFailed(f"process {pid} has ended")
    return [0, *map(int, after_name[1:])]


def _read(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


# --- one run


@dataclass(frozen=True)
class Reading:
    """Everything that is read at one instant."""

    at: float
    served: Served
    client_cpu: float
    server_cpu: float
    bench_cpu: float
    busy: float


@dataclass(frozen=True)
class Run:
    """One run of one client."""

    requests: int
    """In the measured window, by the server's count."""
    seconds: float
    micros_per_request: float
    """CPU of the client."""
    drift: float
    """By how much the second half of the window cost more per request than the first, as a share; a client that is
    still warming up gets cheaper, so that it is negative."""
    requests_per_second: float
    client_core_share: float
    server_core_share: float
    other_share: float
    """Of the window, CPU time on the pinned cores that neither client nor server nor bench used."""
    peak_memory: int
    connections: int
    """Opened during the whole run, by the server's count."""
    served: int
    """Requests during the whole run, by the server's count."""
    counted: int | None
    """The same by the client's own."""
    exit_code: int


def run_client(client: Client, server: Nginx, case: Case, connections: int, method: Method, cores: Cores) -> Run:
    """Runs a client once. Whatever happens, it no longer runs afterwards."""
    with tempfile.TemporaryDirectory(prefix="phaseload-bench-") as temporary:
        folder = Path(temporary)
        load = Load(server.url(case), connections, method.client_seconds(client), folder, case)
        prepare(load, client.files(load))
        before = server.settled()
        with open(folder / "stdout", "wb") as stdout, open(folder / "stderr", "wb") as stderr:
            process = subprocess.Popen(pinned(client.command(load), cores.client), cwd=folder,
                                       stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr, start_new_session=True)
        try:
            started = _first_served(process, server, before)
            instants = [started + method.warmup_of(client) + share * method.seconds for share in (0, 0.5, 1)]
            readings = [_read_at(instant, process, server, cores) for instant in instants]
            memory = peak_memory(family(process.pid))
            exit_code = process.wait(MARGIN_SECONDS + OVERTIME_SECONDS)
        except _EndedEarly as e:
            raise RunFailed(f"{e}{last_line(folder)}") from e
        except subprocess.TimeoutExpired as e:
            raise RunFailed(f"still ran {OVERTIME_SECONDS} s after it should have ended, and was killed") from e
        finally:
            end(process)
        after = server.settled()
        counted = client.counted((folder / "stdout").read_text(encoding="utf-8", errors="replace"), case)

    first, middle, last = readings
    return Run(
        requests=last.served.requests - first.served.requests,
        seconds=last.at - first.at,
        micros_per_request=_micros_per_request(first, last),
        drift=_micros_per_request(middle, last) / _micros_per_request(first, middle) - 1,
        requests_per_second=(last.served.requests - first.served.requests) / (last.at - first.at),
        client_core_share=_share("client_cpu", first, last),
        server_core_share=_share("server_cpu", first, last),
        other_share=max(0.0, _share("busy", first, last) - sum(
            _share(whose, first, last) for whose in ("client_cpu", "server_cpu", "bench_cpu"))),
        peak_memory=memory,
        connections=after.connections - before.connections,
        served=after.requests - before.requests,
        counted=counted,
        exit_code=exit_code,
    )


class _EndedEarly(Exception):
    pass


def _first_served(process: subprocess.Popen[bytes], server: Nginx, before: Served) -> float:
    """When the first of a client's requests was seen, from which its warm-up counts."""
    deadline = time.monotonic() + OVERTIME_SECONDS
    while time.monotonic() < deadline:
        if server.served().requests > before.requests:
            return time.monotonic()
        try:
            exit_code = process.wait(0.05)
            raise _EndedEarly(f"ended before it sent a request, with exit code {exit_code}")
        except subprocess.TimeoutExpired:
            continue
    raise RunFailed(f"sent nothing for {OVERTIME_SECONDS} s")


def _read_at(instant: float, process: subprocess.Popen[bytes], server: Nginx, cores: Cores) -> Reading:
    try:
        exit_code = process.wait(max(0.0, instant - time.monotonic()))
        raise _EndedEarly(f"ended before the measured time did, with exit code {exit_code}")
    except subprocess.TimeoutExpired:
        pass
    client, nginx = family(process.pid), family(server.pid)
    # The counter first: its answer takes its turn among the load's, while /proc answers at once.
    served = server.served()
    return Reading(time.monotonic(), served, cpu_seconds(client), cpu_seconds(nginx), time.process_time(),
                   busy_seconds((cores.client, cores.server)))


def _micros_per_request(first: Reading, last: Reading) -> float:
    requests = last.served.requests - first.served.requests
    cpu = last.client_cpu - first.client_cpu
    if requests <= 0 or cpu <= 0:
        raise RunFailed(f"sent {requests} requests in {cpu:.2f} s of CPU in the measured time")
    return cpu / requests * 1e6


def _share(whose: str, first: Reading, last: Reading) -> float:
    return (getattr(last, whose) - getattr(first, whose)) / (last.at - first.at)


def end(process: subprocess.Popen[bytes]) -> None:
    """Ends a client that still runs, and with it whatever it started."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGTERM)
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def last_line(folder: Path) -> str:
    for name in ("stderr", "stdout"):
        lines = (folder / name).read_text(errors="replace").split("\n")
        said = [line.strip() for line in lines if line.strip()]
        if said:
            return f": {said[-1]}"
    return ""


# --- many runs


@dataclass(frozen=True)
class Measured:
    """The runs of one client at one number of connections."""

    client: Client
    runs: Sequence[Run]

    def median(self, what: str) -> float:
        """The median over the runs of one of their figures."""
        return statistics.median(getattr(run, what) for run in self.runs)

    def spread(self, what: str) -> tuple[float, float]:
        figures = [getattr(run, what) for run in self.runs]
        return min(figures), max(figures)

    def uncounted(self) -> list[int]:
        """For each run that the client counted, the requests the server saw beyond that count."""
        return [run.served - run.counted for run in self.runs if run.counted is not None]


@dataclass
class SideBySide:
    """All clients in one case at one number of connections."""

    case: Case
    connections: int
    measured: list[Measured] = field(default_factory=list)
    failures: dict[str, str] = field(default_factory=dict)
    """Why a client, by its label, has no figures."""
    refusals: dict[str, str] = field(default_factory=dict)
    """Why the case isn't for a client, by its label."""

    @property
    def baseline(self) -> str:
        """The client that the others are compared with; wrk has no HTTP/2."""
        return "h2load" if self.case.http2 else "wrk"

    def ratio(self, measured: Measured) -> float | None:
        """CPU per request in terms of the baseline's; None if that one was not measured."""
        for other in self.measured:
            if other.client.name == self.baseline:
                return measured.median("micros_per_request") / other.median("micros_per_request")
        return None


def side_by_side(clients: Sequence[Client], server: Nginx, case: Case, connections: int, method: Method, cores: Cores,
                 say: Callable[[str], None]) -> SideBySide:
    """Runs the clients in turn, round by round, so that whatever drifts meanwhile meets all alike."""
    refusals = {client.label: client.refuses(case) for client in clients if client.refuses(case)}
    clients = [client for client in clients if client.label not in refusals]
    result = SideBySide(case, connections, refusals=refusals)
    runs: dict[str, list[Run]] = {client.name: [] for client in clients}
    for turn in range(1, method.repeats + 1):
        for client in clients:
            if client.label in result.failures:
                continue
            try:
                run = run_client(client, server, case, connections, method, cores)
                runs[client.name].append(run)
                said = f"{run.micros_per_request:.2f} µs"
            except RunFailed as e:
                result.failures[client.label] = str(e)
                said = f"failed: {e}"
            say(f"{client.label}, {case.name}, connections {connections}, round {turn} of {method.repeats}: {said}")
    result.measured = [Measured(client, runs[client.name]) for client in clients
                       if client.label not in result.failures]
    return result


def as_data(figures: object) -> dict[str, object]:
    """A data class's figures as they go into JSON."""
    return {_camel(key): value for key, value in asdict(figures).items()}


def _camel(name: str) -> str:
    head, *tail = name.split("_")
    return head + "".join(word.capitalize() for word in tail)
