"""The systems of the published tests, started on this machine in network namespaces, or on the loopback.

A system is a module in this folder, listed in SYSTEMS:

    NODES                 how many nodes it has without --nodes
    NEEDS                 the commands that it needs
    SOURCES               the files and folders, beside itself, that its installation is made of
    install(folder)       fetches and builds it into an empty folder
    stages(setup)         its processes: all of a stage are started together, once those of the stage before are ready

up.py has the commands `up` and `down`; experiments use started() on hosts of their own.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Optional

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[1:1] = [str(HERE), str(HERE.parent / "lib")]

import hosts
import namespaces
from namespaces import Impossible

SYSTEMS = ("cassandra", "deepstream", "eventstore", "tomcat")
PLACES = ("local", "spread")
PATIENCE = 180
"""Seconds in which a process must be ready."""


@dataclass(frozen=True)
class Node:
    """A node's number, from 1, its IP address, and the words that start a command on its host."""

    number: int
    address: str
    inside: Sequence[str] = ()


@dataclass(frozen=True)
class Process:
    """A process of a node. It is ready once this is true, which is asked again and again."""

    name: str
    node: Node
    address: str
    words: Sequence[str]
    ready: Callable[[], bool]
    environment: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Setup:
    """What a system is started with: its nodes, the folder of install(), and a folder for its data that is removed at the end."""

    nodes: Sequence[Node]
    installed: Path
    data: Path


class Cluster:
    """The processes of a system, by name, once they are ready."""

    def __init__(self, logs: Path) -> None:
        self._logs = logs
        self._begun = time.monotonic()
        self._running: dict[str, tuple[Process, subprocess.Popen]] = {}
        self.seconds: dict[str, float] = {}
        """How long each took until it was ready, since the first one's start."""

    @property
    def processes(self) -> list[Process]:
        return [process for process, _ in self._running.values()]

    def pid(self, name: str) -> int:
        return self._running[name][1].pid

    def megabytes(self, name: str) -> int:
        """The resident set of a process."""
        shown = subprocess.run(["ps", "-o", "rss=", "-p", str(self.pid(name))], capture_output=True, text=True, check=False).stdout
        return round(int(shown or 0) * 1024 / 1e6)

    def start(self, *processes: Process) -> None:
        """Starts these together, and returns when all are ready; again, too."""
        for process in processes:
            with (self._logs / f"{process.name}.log").open("ab") as log:
                self._running[process.name] = process, subprocess.Popen(
                    [*process.node.inside, *process.words], stdin=subprocess.DEVNULL, stdout=log, stderr=log, env={**os.environ, **process.environment},
                    start_new_session=True, preexec_fn=functools.partial(namespaces.end_with, os.getpid()))  # fmt: skip
        waiting = list(processes)
        end = time.monotonic() + PATIENCE
        while waiting:
            for process in list(waiting):
                # In this order: one that ends while it is asked isn't ready.
                ready = process.ready()
                code = self._running[process.name][1].poll()
                if code is not None:
                    raise Impossible(f"{process.name} ended with {code}: {self._last(process.name)}")
                if ready:
                    self.seconds[process.name] = time.monotonic() - self._begun
                    waiting.remove(process)
                elif time.monotonic() > end:
                    raise Impossible(f"{process.name} wasn't ready within {PATIENCE} s: {self._last(process.name)}")
            time.sleep(0.1)

    def stop(self, name: str, how: int = signal.SIGTERM) -> Process:
        """Ends a process."""
        process, running = self._running[name]
        running.send_signal(how)
        try:
            running.wait(10)
        except subprocess.TimeoutExpired:
            running.kill()
            running.wait()
        return process

    def close(self) -> None:
        for _, running in self._running.values():
            running.terminate()
        for name in reversed(list(self._running)):
            self.stop(name)

    def _last(self, name: str) -> str:
        return last_line(self._logs / f"{name}.log")


def last_line(log: Path) -> str:
    lines = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
    return lines[-1] if lines else "it printed nothing"


def table(cluster: Cluster) -> str:
    """A line for each process: its id, the seconds until it was ready, its memory and its address."""
    lines = [f"{'process':<14}{'pid':>9}{'ready after':>13}{'memory':>9}  address"]
    for each in cluster.processes:
        figures = f"{cluster.pid(each.name):>9}{cluster.seconds[each.name]:>11.1f} s{cluster.megabytes(each.name):>6} MB"
        lines.append(f"{each.name:<14}{figures}  {each.address}".rstrip())
    return "\n".join(lines)


@contextlib.contextmanager
def started(system: ModuleType, nodes: Sequence[Node], installed: Path, folder: Path) -> Iterator[Cluster]:
    """A system on these nodes. Its logs and data are below this folder; the data is removed at the end."""
    data = folder / "data"
    data.mkdir(parents=True)
    cluster = Cluster(folder)
    try:
        for stage in system.stages(Setup(nodes, installed, data)):
            cluster.start(*stage)
        yield cluster
    finally:
        cluster.close()
        shutil.rmtree(data)


def on_hosts(machines: Sequence[hosts.Host], place: str = "spread", count: int = 0) -> list[Node]:
    """A node on each host, or so many on the first one, where each has an address of its own."""
    if place == "spread":
        return [Node(number, host.address, host.inside()) for number, host in enumerate(machines, 1)]
    host = machines[0]
    return [Node(number, address, host.inside()) for number, address in enumerate(host.addresses(count), 1)]


def on_loopback(count: int) -> list[Node]:
    return [Node(number, f"127.0.0.{number}") for number in range(1, count + 1)]


def cache() -> Path:
    """Where installations are, and what is up."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "phaseload" / "originals"


def load(name: str) -> ModuleType:
    """A system's module."""
    return importlib.import_module(name)


def installed(system: ModuleType, tell: Callable[[str], None] = print) -> Path:
    """The folder of a system's installation, which is made if there is none for its present sources."""
    for command in system.NEEDS:
        if shutil.which(command, path=os.environ["PATH"] + ":/usr/sbin:/sbin") is None:
            raise Impossible(f"{system.__name__} needs {command}, which isn't installed")
    key = hashlib.sha256()
    for source in (Path(system.__file__), *system.SOURCES):
        for file in sorted(source.rglob("*")) if source.is_dir() else [source]:
            if file.is_file() and "target" not in file.relative_to(source).parts:
                key.update(file.read_bytes())
    folder = cache() / f"{system.__name__}-{key.hexdigest()[:12]}"
    if not folder.exists():
        cache().mkdir(parents=True, exist_ok=True)
        tell(f"{system.__name__}: installing into {folder}")
        with tempfile.TemporaryDirectory(dir=cache()) as scratch:
            fresh = Path(scratch) / "new"
            fresh.mkdir()
            system.install(fresh)
            fresh.rename(folder)
    return folder


def run(words: Sequence[object], folder: Path) -> None:
    """A command of an installation, in this folder; if it fails, its first line that names an error is the reason."""
    done = subprocess.run([str(word) for word in words], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        lines = done.stdout.strip().splitlines()
        reason = next((line for line in lines if "error" in line.lower()), lines[-1] if lines else "no output")
        raise Impossible(f"{' '.join(map(str, words[:2]))}: {reason}")


def maven(module: Path, folder: Path) -> None:
    """Builds a module of this project's, outside of its sources: its jar and its libraries are in lib/ of the folder."""
    copy = folder / "module"
    shutil.copytree(module, copy, ignore=shutil.ignore_patterns("target"))
    run(["mvn", "-B", "-q", "-DskipTests", "package", "dependency:copy-dependencies", "-DincludeScope=runtime", f"-DoutputDirectory={folder / 'lib'}"], copy)
    for jar in (copy / "target").glob("*.jar"):
        jar.rename(folder / "lib" / jar.name)
    shutil.rmtree(copy)


def java_version(java: str = "java") -> int:
    """The major version of a JVM."""
    shown = subprocess.run([java, "-version"], capture_output=True, text=True, check=False).stderr
    found = re.search(r'version "(\d+)', shown)
    return int(found.group(1)) if found else 0


def listens(address: str, port: int) -> Callable[[], bool]:
    """Whether a connection is accepted there."""
    def asked() -> bool:
        with contextlib.suppress(OSError), socket.create_connection((address, port), timeout=1):
            return True
        return False

    return asked


def responds(url: str) -> Callable[[], bool]:
    """Whether a GET is answered with 200."""
    def asked() -> bool:
        with contextlib.suppress(OSError), urllib.request.urlopen(url, timeout=2) as response:
            return response.status == 200
        return False

    return asked
