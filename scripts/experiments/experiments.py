"""Five published load tests as one command each, against stand-ins or against real systems.

  1  phased GET and POST at growing numbers of threads, against the Tomcat and the Lambda target
  2  clients scaled to thousands: writes, then reads that are verified
  3  read and write latency over three topologies, and how far the clocks there are apart
  4  messages between pairs of clients at a constant rate, on one node and on a cluster of three, with each server's CPU over the run
  5  ingestion trials of an event store that measures itself, cleaned up after each

--scale 1 is the published size. Times, event counts and totals are multiplied by it, numbers of clients by its square root,
so that small ones still differ. What would be too small to mean anything has a minimum. The default takes about a minute on
two cores. Each experiment leaves a folder per sweep or run, with everything that phaseload writes.

Without --url, 3 plays three hosts with network namespaces of Linux: delays between them, and clocks that are as far apart as the
published ones. So does 2 with --agents N, twice: agents on hosts of their own, and on the server's; its page has both. 3 and 4 with
--agents N send their load from so many JVMs on this machine.

--real runs against the system itself, which scripts/originals installs and starts on such hosts.

Exit codes: 0 measured, 1 no such system here, 2 wrong arguments, 130 interrupted, else phaseload's own.
"""

from __future__ import annotations

import argparse
import contextlib
import csv
import json
import math
import os
import secrets
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, NoReturn, Optional

sys.path.insert(1, str(Path(__file__).resolve().parent.parent / "lib"))

import hosts
import real
import stand_ins
from hosts import PHASELOAD

DEFAULT_SCALE = 0.001
OK, IMPOSSIBLE, USAGE, INTERRUPTED = 0, 1, 2, 130

COUNTED = ("--phases", "warmup=0.1,loading=0.5,peak=1,cooldown=0.25", "--only", "warmup,loading,peak,cooldown")
"""The published phases, all of which count."""
PHASED = ("target", "threads", "sent", "ok", "wall_s", "rps", "mean_ms", "median_ms", "p95_ms", "p99_ms", "failed_percent")
"""The columns of the published table, over all operations and phases."""

CLIENTS = (10, 100, 200, 400, 800, 1600, 3200, 5000, 6000, 7000, 8000, 9000, 10000)
MINUTES = (5, 10, 10, 10, 10, 10, 30, 30, 60, 60, 60, 80, 80)
EVENTS = (1, 100, 10_000, 1_000_000, 10_000_000)

NODES = (("one-node", 3, 1), ("cluster", 12, 3))
"""Of experiment 4: the sides, for how many minutes their full load is held, and on how many nodes."""

BREAKING = (20, 100, 110, 120, 130, 140, 150)
"""Threads of the published test in which connections timed out; as many at any scale, since a limit is reached or isn't."""
SMALL = ("--max-threads", 20, "--max-connections", 110, "--accept-count", 10)
"""A server that 130 clients are too many for."""
CLUSTERS = (("local", 1), ("local", 3), ("remote", 3), ("embedded", 1))
"""Of experiment 5: where the event store's nodes are, and how many."""
BUFFERS = ("memory-64k", "memory-1m", "disk-64k", "disk-1m")
INGESTED = ("cluster_type", "node_count", "event_type", "buffer_type", "buffer_size_in_bytes", "event_count", "trial",
            "duration_in_ms", "measured_on")  # fmt: skip
"""The columns of the published file."""


class Part(NamedTuple):
    """Some of the trials of a cluster."""

    buffers: Sequence[str]
    events: Sequence[int]
    trials: int


LARGE = ("--max-items", 2_000_000)
"""A server with room for what is written."""


class Topology(NamedTuple):
    """How far away a host is, and its clock: the published offset, and delays that add up to about the published writes."""

    there: float
    back: float
    ahead: int


TOPOLOGIES = {
    "containers": Topology(0, 0, -290_000_000),
    "region": Topology(0.002, 0.003, -4_260_000_000),
    "continents": Topology(0.070, 0.045, 19_420_000_000),
}


class Failed(Exception):
    """Phaseload ended with this exit code."""


@dataclass(frozen=True)
class Size:
    """How large an experiment is, next to the published one."""

    scale: float

    def clients(self, published: int) -> int:
        return max(1, round(published * math.sqrt(self.scale)))

    def amount(self, published: float, least: int = 1) -> int:
        return max(least, round(published * self.scale))

    def seconds(self, published: float, least: float) -> str:
        return f"{round(max(least, published * self.scale) * 1000)}ms"

    def warmup(self) -> str:
        return self.seconds(60, 0.1)


@dataclass(frozen=True)
class Experiment:
    """One run of one experiment."""

    size: Size
    url: Optional[str]
    out: Path
    agents: int = 0

    def phaseload(self, command: str, name: str, *arguments: object) -> None:
        line = [str(PHASELOAD), command, "--out", str(self.out / name), *map(str, arguments)]
        print(f"== {name}", flush=True)
        code = subprocess.run(line, check=False).returncode
        if code != OK:
            raise Failed(code)

    def phased(self) -> None:
        if self.url:
            self.phased_on({"target": ["--url", self.url]})
            return
        self.phased_on({"tomcat": ["--target", "tomcat"], "lambda": ["--target", "lambda"]})
        self.broken_and_cured(self.served(*SMALL), self.served())

    def phased_on(self, kinds: dict[str, Sequence[str]]) -> None:
        """The published phases on these targets, each with the options that lead to it."""
        small, large = [20, 100], [200, 500, 1000]
        for name, target in kinds.items():
            common = ["--plan", plan("1-phased"), *target, *COUNTED, "--label", f"target={name}"]
            iterations = self.size.clients(100)
            self.phaseload("sweep", f"{name}-narrow", *common, "--threads", steps(map(self.size.clients, small)), "-n", iterations)
            # As many iterations as threads.
            self.phaseload("sweep", f"{name}-wide", *common, "--threads", steps(map(self.size.clients, large)), "-n", "{threads}")
        sweeps = {f"{name}-{width}": name for name in kinds for width in ("narrow", "wide")}
        self.page("phased", *sweeps)
        self.over_all(sweeps)

    def over_all(self, sweeps: dict[str, str]) -> None:
        """The published table: a row for each step, over all operations and phases. phased.csv has it, and so does the terminal."""
        rows = [PHASED]
        for sweep, target in sweeps.items():
            for file in sorted((self.out / sweep).glob("step-*/trial-*/result.json")):
                result = json.loads(file.read_text(encoding="utf-8"))
                totals, times = result["totals"], result["totals"]["response"]
                figures = (totals["wallSeconds"], totals["requestsPerSecond"], *(times[name] for name in ("meanMs", "p50Ms", "p95Ms", "p99Ms")))
                shown = ("" if figure is None else f"{figure:.2f}" for figure in figures)
                counts = (result["plan"]["threads"], totals["requests"], totals["succeeded"])
                rows.append((target, *counts, *shown, f"{totals['failedPercent']:.2f}"))
        with (self.out / "phased.csv").open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows(rows)
        for row in rows:
            print("  ".join(f"{value:>14}" for value in row))

    def broken_and_cured(self, broken: contextlib.AbstractContextManager[str], cured: contextlib.AbstractContextManager[str]) -> None:
        """Connections time out at a server that is too small, and no more once the server and the client's patience are larger."""
        load = ["--plan", plan("1-phased"), *COUNTED, "--threads", steps(BREAKING), "-n", self.size.clients(100),
                "--server-metrics", "/metrics.json"]  # fmt: skip
        for name, server, timeout in (("broken", broken, "1s"), ("cured", cured, "5s")):
            with server as url:
                self.phaseload("sweep", name, "--url", url, *load, "--connect-timeout", timeout, "--timeout", timeout)

    def page(self, name: str, *folders: object, options: Sequence[str] = ()) -> None:
        """One page of several sweeps."""
        sweeps = [str(self.out / str(folder)) for folder in folders]
        subprocess.run(
            [str(PHASELOAD), "report", *sweeps, *options, "--html", str(self.out / f"{name}.html")], check=True, stdout=subprocess.DEVNULL
        )

    def local_agents(self) -> list[str]:
        return ["--agents", f"local:{self.agents}"] if self.agents else []

    def scaled(self) -> None:
        if self.agents:
            self.placed()
            return
        with self.served(*LARGE) as url:
            self.written_and_read(url, Path(), self.lengths(self.size.clients))
        self.page("clients", "write", "read")
        with self.served(*LARGE) as url:
            self.read_beyond(url)

    def read_beyond(self, url: str) -> None:
        """What a WRITE of fixed duration wrote is no number that a READ could keep to; as long at any scale."""
        for name, length in {"write-on": "0.5s", "read-on": "1.5s"}.items():
            self.phaseload("run", name, "--plan", plan(f"2-{name}"), "--url", url, "--phases", f"peak=1 for {length}")

    def lengths(self, clients: Callable[[int], int]) -> dict[int, str]:
        """For how long each number of clients runs; numbers that are the same have the last one's."""
        return {max(self.agents, clients(published)): self.size.seconds(60 * minutes, 0.1) for published, minutes in zip(CLIENTS, MINUTES)}

    def written_and_read(self, url: str, out: Path, lengths: dict[int, str], more: Sequence[str] = ()) -> None:
        common = ["--threads", steps(lengths), "--duration", ",".join(lengths.values()), "--warmup", self.size.warmup(), *more]
        self.phaseload("sweep", str(out / "write"), "--plan", plan("2-write"), "--url", url, *common)
        # Each user's keys, all of them, however short the sweep was.
        most = ["--threads", max(lengths), "--phases", "peak=1 for 10 iterations"]
        self.phaseload("run", str(out / "written"), "--plan", plan("2-write"), "--url", url, *most, *more)
        self.phaseload("sweep", str(out / "read"), "--plan", plan("2-read"), "--url", url, *common)

    def placed(self) -> None:
        """The server has the first half of the CPUs, and agents have the second one, unless they are on the server's host."""
        cpus = sorted(os.sched_getaffinity(0))
        half = max(1, len(cpus) // 2)
        server, *own = hosts.make(cpus[:half], *[cpus[half:] or cpus] * self.agents)
        with contextlib.ExitStack() as stack:
            url = self.url or stack.enter_context(hosts.served(server, self.out / "hosts", *LARGE))
            for placement, places in {"own-hosts": own, "server-host": [server] * self.agents}.items():
                named = {f"agent-{number}": (host, 0) for number, host in enumerate(places, 1)}
                with hosts.agents(named, self.out / "hosts" / placement) as options:
                    self.written_and_read(url, Path(placement), self.lengths(self.size.clients), [*options, "--label", f"placement={placement}"])
        self.placements()

    def placements(self) -> None:
        """A page for WRITE and one for READ, each with both placements."""
        for workload in ("write", "read"):
            self.page(workload, *(Path(placement) / workload for placement in ("own-hosts", "server-host")))

    def topologies(self) -> None:
        if self.url:
            self.latencies(self.url)
            return
        cpus = sorted(os.sched_getaffinity(0))
        nodes = dict(zip(TOPOLOGIES, hosts.make(*[cpus] * len(TOPOLOGIES))))
        hosts.name(nodes)
        logs = self.out / "hosts"
        with contextlib.ExitStack() as stack:
            for name, topology in TOPOLOGIES.items():
                if topology.there or topology.back:
                    stack.enter_context(hosts.far(nodes[name], topology.there, topology.back))
                stack.enter_context(hosts.served(nodes[name], logs))
            with hosts.agents({name: (nodes[name], topology.ahead) for name, topology in TOPOLOGIES.items()}, logs) as options:
                self.phaseload("clock", "clock", *options, "--duration", self.size.seconds(600, 3), "--every", "1s")
            self.latencies(f"http://{{topology}}:{hosts.PORT}/")

    def latencies(self, url: str) -> None:
        threads = 16
        self.phaseload(
            "sweep", "latency", "--plan", plan("3-latency"), "--url", url, "--param", "topology=" + ",".join(TOPOLOGIES),
            "--threads", threads, "-n", self.size.amount(5000 / threads, least=10), "--warmup", self.size.seconds(60, 0.3),
            *self.local_agents(),
        )  # fmt: skip

    def constant_rate(self) -> None:
        """One node, and three with three times as many pairs; the two ends of a pair are on different nodes."""
        for name, minutes, nodes in NODES:
            with self.cluster(nodes) as addresses:
                pages = [f"--server-metrics=node_{number}=http://{address}/metrics.json" for number, address in enumerate(addresses, 1)]
                self.phaseload(
                    "run", name, "--plan", plan("4-messages"), "--url", f"ws://{addresses[0]}/rooms/{{pair}}", "--nodes", ",".join(addresses),
                    "--threads", max(self.agents, self.size.clients(250 * nodes)), "--rate", f"{self.size.clients(10_000 * nodes)} messages/s",
                    "--phases", f"warmup=1 for {self.size.seconds(30, 1)},peak=1 for {self.size.seconds(60 * minutes, 3)}",
                    *([] if self.url else pages), *self.local_agents(),
                )  # fmt: skip
        sides = [str(self.out / name) for name, _, _ in NODES]
        subprocess.run([str(PHASELOAD), "compare", *sides, "--force", "--html", str(self.out / "nodes.html")], check=True)

    @contextlib.contextmanager
    def cluster(self, count: int) -> Iterator[list[str]]:
        """Where so many nodes are that share their rooms: of the system, or of Phaseload's own target, each a process of its own."""
        if self.url:
            yield self.url.split(",")[:count]
            return
        secret = {"PHASELOAD_CLUSTER_SECRET": secrets.token_hex(16)}
        ports = stand_ins.free_ports(count)
        with contextlib.ExitStack() as stack:
            urls = []
            for number, port in enumerate(ports):
                join = ["--join", f"127.0.0.1:{ports[0]}"] if number else []
                urls.append(stack.enter_context(self.served("--cluster", f"127.0.0.1:{port}", *join, **secret)))
            yield [url.split("/")[2] for url in urls]

    def ingestion(self) -> None:
        @contextlib.contextmanager
        def store(cluster: str, nodes: int) -> Iterator[str]:
            if self.url:
                yield self.url
                return
            with stand_ins.event_store(cluster, nodes) as stand_in:
                yield stand_in.url

        self.ingested(store, [Part(BUFFERS, [self.size.amount(events) for events in EVENTS], max(2, min(10, self.size.clients(400))))])

    def ingested(self, store: Callable[[str, int], contextlib.AbstractContextManager[str]], parts: Sequence[Part]) -> None:
        """Trials of each cluster, whose address the store has as long as it is entered."""
        sweeps = []
        for cluster, nodes in CLUSTERS:
            with store(cluster, nodes) as url:
                for number, part in enumerate(parts, 1):
                    name = f"{cluster}-{nodes}" + (f"-part-{number}" if len(parts) > 1 else "")
                    sweeps.append(name)
                    self.phaseload(
                        "sweep", name, "--plan", plan("5-ingestion"), "--url", url, "--warmup", "0s", "--trials", part.trials,
                        "--param", f"buffer_type={','.join(part.buffers)}", "--param", f"event_count={steps(part.events)}",
                        "--after", "DELETE /data", "--take", "token=/token", "--after", "POST /clean {token}",
                        "--label", f"cluster_type={cluster}", "--label", f"node_count={nodes}",
                    )  # fmt: skip
        derived = ["--derive", "events_per_second=event_count/duration_in_ms*1000",
                   "--derive", "seconds_per_million=duration_in_ms/event_count*1000"]  # fmt: skip
        self.published(sweeps)
        self.page("ingestion", *sweeps, options=derived)
        by = ["--by", "cluster_type,node_count,buffer_type,event_count", "--figures", "duration_in_ms,events_per_second"]
        subprocess.run([str(PHASELOAD), "describe", *(str(self.out / sweep) for sweep in sweeps), *derived, *by], check=True)

    def published(self, sweeps: Sequence[str]) -> None:
        """All trials of all clusters, with the published columns alone."""
        with (self.out / "ingestion.csv").open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, INGESTED, extrasaction="ignore")
            writer.writeheader()
            for sweep in sweeps:
                with (self.out / sweep / "trials.csv").open(newline="", encoding="utf-8") as trials:
                    writer.writerows(csv.DictReader(trials))

    @contextlib.contextmanager
    def served(self, *options: object, **environment: str) -> Iterator[str]:
        """The address of the system, or of Phaseload's own target in a process of its own."""
        if self.url:
            yield self.url
            return
        line = [str(PHASELOAD), "serve", "--port", "0", *map(str, options)]
        with subprocess.Popen(line, stdout=subprocess.PIPE, text=True, env={**os.environ, **environment}) as server:
            try:
                assert server.stdout is not None
                urls = (word for said in server.stdout for word in said.split() if word.startswith("http://"))
                url = next(urls, None)
                if url is None:
                    raise Failed(1)
                yield url
            finally:
                server.terminate()
                server.communicate()  # it says goodbye


RUNS = {
    "1": Experiment.phased,
    "2": Experiment.scaled,
    "3": Experiment.topologies,
    "4": Experiment.constant_rate,
    "5": Experiment.ingestion,
}


def plan(name: str) -> Path:
    """The file of a plan."""
    return Path(__file__).parent / f"{name}.yaml"


def steps(values: Iterator[int] | Sequence[int] | dict[int, str]) -> str:
    """A list for phaseload; numbers that are the same at this size are one step."""
    return ",".join(map(str, dict.fromkeys(values)))


class Parser(argparse.ArgumentParser):
    """An argument parser that complains in one line."""

    def error(self, message: str) -> NoReturn:
        print(f"experiment: {message}", file=sys.stderr)
        sys.exit(USAGE)


def scale(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 < value <= 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number above 0 and at most 1")
    return value


def number(text: str) -> int:
    if not text.isdigit() or not 1 <= int(text) <= 100:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of 1 to 100")
    return int(text)


def main(arguments: Sequence[str]) -> int:
    parser = Parser(prog="experiment", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("experiment", choices=RUNS)
    parser.add_argument(
        "--scale", type=scale, default=os.environ.get("SCALE", str(DEFAULT_SCALE)), help=f"above 0, at most 1 ({DEFAULT_SCALE}, or $SCALE)"
    )
    parser.add_argument("--agents", type=number, default=0, help="of 2, 3 and 4: how many agents send the load, 1 to 100")
    parser.add_argument("--url", help="the real system, in place of a stand-in; of 3, with {topology} in it; of 4, HOST:PORT of three nodes, with commas between")
    parser.add_argument("--real", action="store_true", help=f"of {', '.join(real.SYSTEMS)}: against the system itself, installed and started here")
    parser.add_argument("--out", type=Path, help="the folder to write (results/experiment-N)")
    options = parser.parse_args(arguments)
    out = options.out or Path("results") / f"experiment-{options.experiment}"
    if out.exists() and any(out.iterdir()):
        parser.error(f"--out {out}: expected a folder that is new or empty")
    if options.agents and options.experiment not in ("2", "3", "4"):
        parser.error(f"--agents {options.agents}: experiment {options.experiment} has none")
    if options.real and options.url:
        parser.error("--real cannot be combined with --url")
    if options.real and hosts.namespaces.INSIDE not in os.environ:
        try:
            real.install(options.experiment)
        except hosts.namespaces.Impossible as reason:
            print(f"experiment: {reason}", file=sys.stderr)
            return IMPOSSIBLE
    if options.real or options.experiment == "3" and not options.url or options.experiment == "2" and options.agents:
        os.environ.setdefault("PHASELOAD_CLUSTER_SECRET", secrets.token_hex(16))
        if not hosts.namespaces.enter([sys.executable, str(Path(__file__).parent / "experiment"), *arguments]):
            parser.error("expected Linux with ip(8), and root or namespaces for users: it plays several hosts; 3 runs with --url without them")
    experiment = Experiment(Size(options.scale), options.url, out, options.agents)
    try:
        if options.real:
            real.run(options.experiment, experiment)
        else:
            RUNS[options.experiment](experiment)
        return OK
    except hosts.namespaces.Impossible as reason:
        print(f"experiment: {reason}", file=sys.stderr)
        return IMPOSSIBLE
    except Failed as failure:
        return int(failure.args[0])
    except KeyboardInterrupt:
        return INTERRUPTED
