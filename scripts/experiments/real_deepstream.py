"""Experiment 4 on deepstream: one node with 250 pairs, then three over Redis with 750, at the largest rate that is held."""

from __future__ import annotations

import contextlib
import csv
import json
import os
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

import experiments
import hosts
import originals  # Before deepstream, which is in its folder.
import real
import deepstream
from experiments import Experiment

PAIRS, NODES = 250, 3
RATES = (500, 1000, 2000, 3000, 4000, 6000, 8000, 10000)
"""Messages per second, the published rate last. With three nodes each, three times as many would be published."""
HELD = 0.97
LIMIT_MS = 250.0
"""A rate is held if this share of it is delivered, nothing is lost, and the median is below this."""
TICKS = os.sysconf("SC_CLK_TCK")
COLUMNS = ("nodes", "pairs", "asked_per_s", "delivered_per_s", "lost", "p50_ms", "p99_ms", "cpu_us_per_message", "held")


def messages(experiment: Experiment) -> None:
    """Each number of nodes at rates up to the largest that is held, which then runs longer."""
    cpus = sorted(os.sched_getaffinity(0))
    machines = hosts.make(*[cpus] * NODES)
    lines: list[Sequence[object]] = []
    for count in (1, NODES):
        pairs = PAIRS * count
        with real.started(experiment, "deepstream", originals.on_hosts(machines[:count])) as cluster:
            held = 0
            for rate in RATES:
                line = step(experiment, cluster, machines[:count], pairs, rate, f"search-{count}-{rate}", experiment.size.seconds(20, 5))
                lines.append(line)
                if line[-1] != "yes":
                    break
                held = rate
            if held:
                lines.append(step(experiment, cluster, machines[:count], pairs, held, f"nodes-{count}", experiment.size.seconds(180, 10)))
    write(experiment, lines)
    pages = [f"nodes-{count}" for count in (1, NODES) if (experiment.out / f"nodes-{count}").exists()]
    if len(pages) > 1:
        sides = [str(experiment.out / page) for page in pages]
        # Their plans differ in pairs, rate and nodes.
        compared = [str(experiments.PHASELOAD), "compare", *sides, "--force", "--html", str(experiment.out / "messages.html")]
        subprocess.run(compared, check=True, stdout=subprocess.DEVNULL)


def step(experiment: Experiment, cluster: originals.Cluster, machines: Sequence[hosts.Host], pairs: int, rate: int, name: str, length: str) -> Sequence[object]:
    """A run, and the CPU time that each server's process took for a message of it."""
    servers = [process.name for process in cluster.processes]
    nodes = ",".join(f"{host.address}:{deepstream.PORT}" for host in machines)
    with cpu(cluster, servers) as spent, contextlib.suppress(experiments.Failed):
        # A rate that isn't held is a finding, whatever the run's exit code.
        experiment.phaseload(
            "run", name, "--url", f"ws://{machines[0].address}:{deepstream.PORT}", "--pairs-protocol", "deepstream", "--pairs", pairs,
            "--rate", f"{rate} messages/s", "--nodes", nodes, "--phases", f"warmup=1 for {experiment.size.seconds(30, 2)},peak=1 for {length}",
            "--keep-going", "--quiet", "--label", f"nodes={len(machines)}",
        )  # fmt: skip
    result = json.loads((experiment.out / name / "result.json").read_text(encoding="utf-8"))
    phase, sent = result["phases"][-1], max(1, result["totals"]["requests"])
    times, lost = phase["messages"]["delivery"], phase["failed"]
    held = phase["succeededPerSecond"] >= HELD * rate and lost == 0 and (times["p50Ms"] or LIMIT_MS) < LIMIT_MS
    line = (len(machines), pairs, rate, f"{phase['succeededPerSecond']:.0f}", lost, *(f"{times[name] or 0:.1f}" for name in ("p50Ms", "p99Ms")),
            " ".join(f"{server}={1e6 * spent[server] / sent:.0f}" for server in servers), "yes" if held else "no")  # fmt: skip
    print("  ".join(map(str, line)), flush=True)
    return line


@contextlib.contextmanager
def cpu(cluster: originals.Cluster, names: Sequence[str]) -> Iterator[dict[str, float]]:
    """The CPU time that processes took, once the block is over; its length doesn't matter, since idle servers take none."""
    spent: dict[str, float] = {}
    before = {name: seconds(cluster.pid(name)) for name in names}
    yield spent
    spent.update({name: seconds(cluster.pid(name)) - before[name] for name in names})


def seconds(pid: int) -> float:
    """The CPU time of a process."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def write(experiment: Experiment, lines: Sequence[Sequence[object]]) -> None:
    with (experiment.out / "rates.csv").open("w", newline="", encoding="utf-8") as out:
        csv.writer(out).writerows([COLUMNS, *lines])


RUNS = {"4": messages}
