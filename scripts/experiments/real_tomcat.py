"""Experiment 1 with the WAR on a standalone Tomcat, which has a host of its own. The Lambda target stays in the client's process."""

from __future__ import annotations

import contextlib
import os
import types
from collections.abc import Iterator

import hosts
import originals
import tomcat
from experiments import Experiment

BROKEN = {"maxThreads": 20, "maxConnections": 110, "acceptCount": 10}
"""A server that 130 clients are too many for."""
CURED = {"maxThreads": 500}
"""As published; otherwise Tomcat's own limits."""


def phased(experiment: Experiment) -> None:
    nodes = originals.on_hosts(hosts.make(sorted(os.sched_getaffinity(0))))
    installed = originals.installed(tomcat)

    @contextlib.contextmanager
    def served(name: str, limits: dict[str, int]) -> Iterator[str]:
        system = types.SimpleNamespace(stages=lambda setup: tomcat.stages(setup, limits))
        with originals.started(system, nodes, installed, experiment.out / "tomcat" / name) as running:
            print(originals.table(running), flush=True)
            yield running.processes[0].address

    with served("phased", CURED) as url:
        experiment.phased_on({"tomcat": ["--url", url], "lambda": ["--target", "lambda"]})
    experiment.broken_and_cured(served("broken", BROKEN), served("cured", CURED))


RUNS = {"1": phased}
