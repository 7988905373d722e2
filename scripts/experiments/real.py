"""Experiments with the systems that they were about: those of scripts/originals, on hosts that are network namespaces.

A system has a module here, real_SYSTEM.py, whose RUNS has a function for each of its experiments.
"""

from __future__ import annotations

import contextlib
import importlib
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(1, str(Path(__file__).resolve().parent.parent / "originals"))

import originals

if TYPE_CHECKING:
    from experiments import Experiment

SYSTEMS = {"1": "tomcat", "2": "cassandra", "3": "cassandra", "4": "deepstream", "5": "eventstore"}
"""By the number of the experiment."""


def install(number: str) -> None:
    """Before the experiment enters a network of its own, from which no registry is reached."""
    originals.installed(originals.load(SYSTEMS[number]))


def run(number: str, experiment: Experiment) -> None:
    importlib.import_module(f"real_{SYSTEMS[number]}").RUNS[number](experiment)


@contextlib.contextmanager
def started(experiment: Experiment, system: str, nodes: Sequence[originals.Node]) -> Iterator[originals.Cluster]:
    """A system on these nodes, as long as this block; its logs are in the experiment's folder."""
    module = originals.load(system)
    with originals.started(module, nodes, originals.installed(module), experiment.out / system) as cluster:
        print(originals.table(cluster), flush=True)
        yield cluster
