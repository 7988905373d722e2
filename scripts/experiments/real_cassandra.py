"""Experiments 2 and 3 on Apache Cassandra: three nodes with three replicas, and a gateway beside each, which uses that node."""

from __future__ import annotations

import contextlib
import csv
import json
import os
import signal
import subprocess
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import experiments
import hosts
import originals
import real
from experiments import Experiment

NODES = 3
HTTP = 8080
NAME = "cassandra"
"""The gateway that an agent uses: another one on each host."""
ALIVE, KILLED, LONG = 15, 15, 100
"""Seconds until a node is killed, until it is started again, and of the whole run."""
ACCOUNTS = ("placement", "operation", "threads", "requests", "succeeded", "failed", "causes")


def clients(experiment: Experiment) -> None:
    """Published numbers of clients, up to the size's share of the largest, from hosts of their own and from the nodes'."""
    agents = experiment.agents or NODES
    cpus = sorted(os.sched_getaffinity(0))
    machines = hosts.make(*[cpus] * (NODES + agents))
    nodes, own = machines[:NODES], machines[NODES:]
    logs = experiment.out / "hosts"
    logs.mkdir(parents=True)
    # The largest counts are left out, not made smaller: there is one database, however small the experiment.
    most = experiment.size.clients(max(experiments.CLIENTS))
    lengths = {count: length for count, length in experiment.lengths(lambda published: published).items() if count <= max(most, min(experiments.CLIENTS))}
    hosts.name({NAME: nodes[0]})
    with real.started(experiment, "cassandra", originals.on_hosts(nodes)) as cluster:
        # First, since then each new row is one of these.
        experiment.phaseload("run", "write-on", "--plan", experiments.plan("2-write-on"), "--url", gateway(nodes[0]), "--phases", "peak=1 for 5s")
        new = written(experiment.out / "write-on", "WRITE")
        agree("write-on", rows(nodes[0]), new)
        for placement, places in {"own-hosts": own, "server-host": [nodes[number % NODES] for number in range(agents)]}.items():
            named = {}
            for number, host in enumerate(places):
                names = {NAME: nodes[number % NODES].address}
                named[f"agent-{number + 1}"] = host.knowing(names, logs / f"{placement}-{number + 1}.names"), 0
            with hosts.agents(named, logs / placement) as options:
                more = [*options, "--label", f"placement={placement}", "--timeout", "30s"]
                experiment.written_and_read(f"http://{NAME}:{HTTP}/", Path(placement), lengths, more)
        # Ten keys each, of which ten users had written theirs before.
        agree("all keys of all users", rows(nodes[0]), (new[0] + 10 * (max(lengths) - 10),) * 2)
        experiment.placements()
        accounts(experiment.out)
        killed(experiment, cluster, nodes)


def gateway(node: hosts.Host) -> str:
    return f"http://{node.address}:{HTTP}/"


def rows(node: hosts.Host) -> int:
    """The number of rows, by Cassandra's own count on all replicas, which may be too busy for it at first."""
    for _ in range(10):
        try:
            with urllib.request.urlopen(gateway(node) + "count", timeout=60) as response:
                return int(response.read())
        except urllib.error.HTTPError as refused:
            reason = refused.read().decode()
            time.sleep(2)
    raise hosts.namespaces.Impossible(f"the rows cannot be counted: {reason}")


def phases(folder: Path) -> list[dict]:
    return json.loads((folder / "result.json").read_text(encoding="utf-8"))["phases"]


def written(folder: Path, operation: str) -> tuple[int, int]:
    """How many rows a run has made: those confirmed at least, and those sent at most."""
    found = [each for phase in phases(folder) for each in phase["operations"] if each["name"] == operation]
    return sum(each["succeeded"] for each in found), sum(each["requests"] for each in found)


def agree(what: str, counted: int, expected: tuple[int, int]) -> None:
    """Prints the count, and raises Failed unless it is expected."""
    least, most = expected
    print(f"rows after {what}: {counted} in Cassandra, {least if least == most else f'{least} to {most}'} expected", flush=True)
    if not least <= counted <= most:
        raise experiments.Failed(1)


def accounts(out: Path) -> None:
    """accounts.csv and the terminal: of each step, requests sent, succeeded, and failed by cause."""
    lines: list[Sequence[object]] = [ACCOUNTS]
    for placement in ("own-hosts", "server-host"):
        for operation in ("write", "read"):
            for file in sorted((out / placement / operation).glob("step-*/trial-*/result.json")):
                result = json.loads(file.read_text(encoding="utf-8"))
                found, causes = Counter(), Counter()
                for phase in result["phases"]:
                    found.update({name: phase[name] for name in ("requests", "succeeded", "failed")})
                    causes.update(phase["failures"])
                if found["requests"] != found["succeeded"] + found["failed"] or found["failed"] != sum(causes.values()):
                    raise experiments.Failed(1)
                lines.append((placement, operation, result["plan"]["threads"], *found.values(), "; ".join(f"{cause}: {count}" for cause, count in causes.items())))
    write(out / "accounts.csv", lines)


def write(file: Path, lines: Sequence[Sequence[object]]) -> None:
    with file.open("w", newline="", encoding="utf-8") as out:
        csv.writer(out).writerows(lines)
    for line in lines:
        print("  ".join(f"{value!s:>12}" for value in line), flush=True)


def killed(experiment: Experiment, cluster: originals.Cluster, nodes: Sequence[hosts.Host]) -> None:
    """The last node is killed and comes back, while clients write by the first one and by itself."""
    before, first, last = rows(nodes[0]), nodes[0], nodes[-1]
    runs = {"killed-by-another-node": first, "killed-by-its-own": last}
    with contextlib.ExitStack() as stack:
        begun = time.time()
        running = []
        for name, node in runs.items():
            running.append(stack.enter_context(background(
                experiment, name, "--plan", experiments.plan("2-killed"), "--url", gateway(node), "--phases", f"peak=1 for {LONG}s",
                "--requests-out", experiment.out / f"{name}.csv",
            )))  # fmt: skip
        time.sleep(max(0.0, begun + ALIVE - time.time()))
        process = cluster.stop(f"cassandra-{len(nodes)}", signal.SIGKILL)
        down = time.time()
        time.sleep(KILLED)
        again = time.time()
        cluster.start(process)
        up = time.time()
        for each in running:
            each.wait()
    print(f"{process.name}: killed, started again after {again - down:.1f} s, ready {up - again:.1f} s later")
    lines: list[Sequence[object]] = [("run", "cl", "requests", "succeeded", "failed", "causes", "first_failure_s", "last_failure_s", "longest_without_success_s")]
    for name in runs:
        lines += failures(name, experiment.out / f"{name}.csv", down)
        print((experiment.out / f"{name}.log").read_text(encoding="utf-8"))
    write(experiment.out / "killed.csv", lines)
    least, most = (sum(int(line[column]) for line in lines[1:]) for column in (3, 2))
    agree("a node was down", rows(nodes[0]), (before + least, before + most))


def failures(run: str, file: Path, down: float) -> Iterator[Sequence[object]]:
    """A line for each consistency level; times are since the node was killed."""
    with file.open(newline="", encoding="utf-8") as requests:
        found = list(csv.DictReader(requests))
    for level in ("ONE", "QUORUM", "ALL"):
        own = [each for each in found if each["operation"].endswith(f": {level}")]
        causes = Counter(each["cause"] for each in own if each["cause"])
        ends = sorted((float(each["due"]) / 1000 + float(each["end_ms"]) / 1000 - down, each["cause"]) for each in own)
        failed = [at for at, cause in ends if cause]
        succeeded = [at for at, cause in ends if not cause]
        pause = max((later - earlier for earlier, later in zip(succeeded, succeeded[1:])), default=0)
        between = (f"{failed[0]:.1f}", f"{failed[-1]:.1f}") if failed else ("", "")
        yield (run, level, len(own), len(succeeded), len(failed), "; ".join(f"{cause}: {count}" for cause, count in causes.items()), *between, f"{pause:.1f}")


@contextlib.contextmanager
def background(experiment: Experiment, name: str, *arguments: object) -> Iterator[subprocess.Popen]:
    """A run beside what else is done; NAME.log has what it prints."""
    line = [str(hosts.PHASELOAD), "run", "--out", str(experiment.out / name), *map(str, arguments)]
    with (experiment.out / f"{name}.log").open("w", encoding="utf-8") as log, subprocess.Popen(line, stdout=log, stderr=log) as process:
        try:
            yield process
        finally:
            process.terminate()


def topologies(experiment: Experiment) -> None:
    """Nodes on one host, in a region, and on two continents: the first one here, the others there."""
    cpus = sorted(os.sched_getaffinity(0))
    nodes = dict(zip(("node-1", "node-2", "node-3"), hosts.make(*[cpus] * NODES)))
    hosts.name(nodes)
    machines = list(nodes.values())
    at = {"now": experiments.Topology(0, 0, 0)}

    def seconds(one: int, other: int) -> float:
        here = machines[0].number
        return at["now"].there if one == here else at["now"].back if other == here else 0.0

    with hosts.apart(machines, seconds), real.started(experiment, "cassandra", originals.on_hosts(machines)):
        for node in ("node-1", "node-2"):
            # Its first requests take a new JVM many times as long.
            experiment.phaseload("run", f"warm-{node}", "--plan", experiments.plan("2-write-on"), "--url", f"http://{node}:{HTTP}/", "--phases", "peak=1 for 5s", "--quiet")
        for name, topology in experiments.TOPOLOGIES.items():
            at["now"] = topology
            # The others' clocks are both off, by as much in the other direction.
            places = {node: (host, off * topology.ahead) for (node, host), off in zip(nodes.items(), (0, 1, -1))}
            with hosts.agents(places, experiment.out / "hosts" / name) as options, clocks(experiment, name, options):
                threads = 16
                experiment.phaseload(
                    "sweep", f"latency-{name}", "--plan", experiments.plan("3-replicated"), "--url", f"http://{{node}}:{HTTP}/", "--label", f"topology={name}",
                    "--param", "node=node-1,node-2", "--param", "cl=ONE,QUORUM", "--threads", threads,
                    "-n", experiment.size.amount(5000 / threads, least=10), "--warmup", experiment.size.seconds(60, 2), "--timeout", "30s",
                )  # fmt: skip
    experiment.page("latency", *(f"latency-{name}" for name in experiments.TOPOLOGIES))
    latencies(experiment.out)


@contextlib.contextmanager
def clocks(experiment: Experiment, name: str, options: Sequence[str]) -> Iterator[None]:
    """Compares the nodes' clocks while this block runs, and for a time that depends on the size alone."""
    line = [str(hosts.PHASELOAD), "clock", "--out", str(experiment.out / f"clock-{name}"), *options, "--duration", experiment.size.seconds(600, 20), "--every", "1s"]
    with subprocess.Popen(line) as process:
        yield
        if process.wait() != 0:
            raise experiments.Failed(process.returncode)


def latencies(out: Path) -> None:
    """latency.csv and the terminal: times of writes and reads by topology, node and consistency level."""
    columns = ("topology", "node", "cl", "operation", "total_ops", "failed", "min_ms", "p50_ms", "mean_ms", "p99_ms")
    lines: list[Sequence[object]] = [columns]
    for topology in experiments.TOPOLOGIES:
        with (out / f"latency-{topology}" / "trials.csv").open(newline="", encoding="utf-8") as trials:
            lines += [[row[column] for column in columns] for row in csv.DictReader(trials)]
    write(out / "latency.csv", lines)


RUNS = {"2": clients, "3": topologies}
