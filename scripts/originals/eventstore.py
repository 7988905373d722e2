"""An event store on Raft, a module of this project's: Apache Ratis replicates what is inserted, and H2's MVStore keeps it."""

from __future__ import annotations

import originals
from originals import Node, Path, Process, Setup

NODES = 3
NEEDS = ("java", "mvn")
MODULE = originals.ROOT / "originals" / "event-store"
SOURCES = (MODULE,)
RAFT, HTTP = 9860, 8080


def install(folder: Path) -> None:
    originals.maven(MODULE, folder)


def stages(setup: Setup) -> list[list[Process]]:
    return [[peer(setup, node) for node in setup.nodes]]


def embedded(setup: Setup) -> list[list[Process]]:
    """One peer, which its endpoints call without gRPC."""
    [node] = setup.nodes
    return [[peer(setup, node, "embedded")]]


def peer(setup: Setup, node: Node, *more: str) -> Process:
    peers = ",".join(f"n{each.number}={each.address}:{RAFT}" for each in setup.nodes)
    url = f"http://{node.address}:{HTTP}/"
    words = ["java", "-Xmx256m", "-XX:+UseSerialGC", "-Dsun.net.httpserver.nodelay=true", "-cp", f"{setup.installed}/lib/*",
             "io.phaseload.originals.eventstore.EventStore", f"n{node.number}", peers, f"{node.address}:{HTTP}",
             f"{setup.data}/peer-{node.number}", *more]  # fmt: skip
    return Process(f"peer-{node.number}", node, url, words, originals.responds(f"{url}count"))
