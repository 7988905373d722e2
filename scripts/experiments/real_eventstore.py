"""Experiment 5 with an event store on Raft: embedded, on one host, and on three hosts that are apart."""

from __future__ import annotations

import contextlib
import csv
import json
import os
import types
import urllib.request
from collections.abc import Iterator, Sequence

import eventstore
import hosts
import originals
import real
from experiments import BUFFERS, CLUSTERS, Experiment, Part

PARTS = ((BUFFERS, (1, 100, 10_000, 100_000), 10), (BUFFERS, (1_000_000,), 10), (("memory-1m",), (10_000_000,), 1))
"""Buffers, numbers of events and trials. The largest number is inserted once into each cluster, with the fastest buffer."""
APART = 0.010
"""Seconds that a packet takes from one host to another of the remote cluster."""


def trials(experiment: Experiment) -> None:
    cpus = sorted(os.sched_getaffinity(0))
    machines = hosts.make(*[cpus] * max(nodes for _, nodes in CLUSTERS))
    nodes = {nodes: originals.on_hosts(machines[:1], "local", nodes) for nodes in (1, 3)}
    spread = originals.on_hosts(machines)

    @contextlib.contextmanager
    def store(cluster: str, count: int) -> Iterator[str]:
        system = types.SimpleNamespace(stages=eventstore.embedded if cluster == "embedded" else eventstore.stages)
        places = spread if cluster == "remote" else nodes[count]
        away = hosts.apart(machines, lambda _, __: APART) if cluster == "remote" else contextlib.nullcontext()
        installed = originals.installed(eventstore)
        with away, originals.started(system, places, installed, experiment.out / "eventstore" / f"{cluster}-{count}") as running:
            print(originals.table(running), flush=True)
            yield running.processes[0].address
            counted(experiment, f"{cluster}-{count}", [process.address for process in running.processes])

    experiment.ingested(store, [Part(buffers, [experiment.size.amount(events) for events in counts], times) for buffers, counts, times in PARTS])


def counted(experiment: Experiment, cluster: str, addresses: Sequence[str]) -> None:
    """Each peer has counted every event that it ever had."""
    inserted = 0
    for sweep in experiment.out.glob(f"{cluster}*/trials.csv"):
        with sweep.open(newline="", encoding="utf-8") as file:
            inserted += sum(int(float(row["event_count"])) for row in csv.DictReader(file))
    for address in addresses:
        with urllib.request.urlopen(f"{address}count", timeout=60) as answer:
            count = json.load(answer)
        verdict = "as planned" if count == {"events": 0, "inserted": inserted} else f"expected {inserted} and 0 left"
        print(f"{address} has had {count['inserted']} events, {count['events']} are left: {verdict}", flush=True)


RUNS = {"5": trials}
