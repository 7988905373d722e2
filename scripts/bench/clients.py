"""The load clients that are compared. Adding one is adding one small class here, and naming it in known()."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import machine
from install import AptPackage, GoModule, find_program
from machine import ROOT, Jdk

JAR = ROOT / "client" / "cli" / "target" / "phaseload.jar"
LAUNCHER = ROOT / "scripts" / "phaseload"


@dataclass(frozen=True)
class Load:
    """What a client is asked to do: GET the URL over so many connections, as fast as it can, for so long."""

    url: str
    connections: int
    seconds: int
    folder: Path
    """Where the client may write files."""


@dataclass(frozen=True)
class Start:
    """A way to start a client."""

    label: str
    command: Callable[[Load], list[str]]
    environment: dict[str, str] = field(default_factory=dict)
    """Beside the bench's own."""
    goal_seconds: float = 0
    """To its first request, at most; 0 for no such goal."""


class Client(ABC):
    """A load client: whether it is there, how it is started, and how many requests it says it sent.

    Only a client that is not missing() may be asked for its version or command.
    """

    name: str
    """What --clients calls it."""

    label: str
    """What the table calls it."""

    package: AptPackage | GoModule | None = None
    """Where it comes from; None if --install cannot get it."""

    @abstractmethod
    def missing(self) -> str:
        """Why it cannot run, and what to do about it; empty if it can."""

    @abstractmethod
    def version(self) -> str:
        """Its version as it tells it, or as its build does."""

    @abstractmethod
    def command(self, load: Load) -> list[str]:
        """The command that puts the load on one core's worth of threads."""

    @abstractmethod
    def counted(self, stdout: str, body_bytes: int) -> int | None:
        """The number of requests it reports, failed ones included; None if it reports none."""

    def starts(self) -> list[Start]:
        """The ways to start it, whose time to the first request is of interest."""
        return [Start(self.label, self.command)]

    def shown_command(self, url: str, connections: int, seconds: int, core: int) -> str:
        """The command as the report shows it."""
        load = Load(url, connections, seconds, Path("FOLDER"))
        return shlex.join(pinned(self.command(load), core)).replace(f"{ROOT}/", "")


def pinned(command: list[str], core: int) -> list[str]:
    return ["taskset", "-c", str(core), *command]


class Wrk(Client):
    name = label = "wrk"
    package = AptPackage("wrk")

    def missing(self) -> str:
        return "" if find_program("wrk") else f"not installed: {self.package.hint}"

    def version(self) -> str:
        first_line = machine.output([find_program("wrk"), "-v"]).partition("\n")[0]
        return first_line.partition(" Copyright")[0].removeprefix("wrk ")

    def command(self, load: Load) -> list[str]:
        return [find_program("wrk"), "-t1", f"-c{load.connections}", f"-d{load.seconds}s", load.url]

    def counted(self, stdout: str, body_bytes: int) -> int | None:
        completed = re.search(r"^\s*(\d+) requests in ", stdout, re.MULTILINE)
        return int(completed.group(1)) if completed else None


class Hey(Client):
    name = label = "hey"
    package = GoModule("github.com/rakyll/hey")

    def missing(self) -> str:
        return "" if find_program("hey") else f"not installed: {self.package.hint}"

    def version(self) -> str:
        build = machine.output(["go", "version", "-m", find_program("hey")]) if shutil.which("go") else ""
        module = re.search(r"^\s*mod\s+\S+\s+(\S+)", build, re.MULTILINE)
        return module.group(1) if module else "of unknown version"

    def command(self, load: Load) -> list[str]:
        return [find_program("hey"), "-z", f"{load.seconds}s", "-c", str(load.connections), load.url]

    def counted(self, stdout: str, body_bytes: int) -> int | None:
        """Bytes received over bytes of a body, plus errors: hey prints no total, and counts statuses to a million."""
        received = re.search(r"^\s*Total data:\s+(\d+) bytes", stdout, re.MULTILINE)
        errors = stdout.partition("Error distribution:")[2]
        failed = sum(int(n) for n in re.findall(r"^\s*\[(\d+)\]\t", errors, re.MULTILINE))
        return int(received.group(1)) // body_bytes + failed if received else None


class Phaseload(Client):
    """One engine of Phaseload on one JDK, with all its measuring on."""

    def __init__(self, flavour: str, options: list[str], major: int, jdk: Jdk | None):
        self.name = f"phaseload-{flavour}-{major}"
        self.label = f"phaseload {flavour} (JDK {major})"
        self._options = options
        self._major = major
        self._jdk = jdk

    def missing(self) -> str:
        if not self._jdk:
            return f"no JDK {self._major} in JAVA_HOME, PATH or /usr/lib/jvm"
        if not JAR.is_file():
            return f"no {JAR.relative_to(ROOT)}: mvn -q -DskipTests package"
        return ""

    def version(self) -> str:
        printed = machine.output([str(self._jdk.java), "-jar", str(JAR), "--version"])
        return f"{printed.rpartition(' ')[2] or 'of unknown version'} on Java {self._jdk.version}"

    def command(self, load: Load) -> list[str]:
        """A single phase: the measured window must not hold the barrier between two."""
        return self.run(load, ["--phases", "peak=1", "--duration", f"{load.seconds}s"])

    def run(self, load: Load, options: list[str]) -> list[str]:
        """A run over so many connections, with options that say how long it is."""
        return [str(self._jdk.java), "-jar", str(JAR), "run", "--url", load.url, "--get", "/",
                "--threads", str(load.connections), *options,
                *self._options, "--quiet", "--json", "--out", str(load.folder)]

    def starts(self) -> list[Start]:
        """The jar as it is, and by the launcher, which keeps an archive of its classes."""
        return [Start(self.label, self.command),
                Start(f"{self.label}, by scripts/phaseload", self._launch, {"JAVA_HOME": str(self._jdk.home)}, 1)]

    def _launch(self, load: Load) -> list[str]:
        _, _, _, *arguments = self.command(load)
        return [str(LAUNCHER), *arguments]

    def counted(self, stdout: str, body_bytes: int) -> int | None:
        try:
            return int(json.loads(stdout)["totals"]["requests"])
        except (ValueError, KeyError, TypeError):
            return None


def known(jdks: dict[int, Jdk]) -> list[Client]:
    """Every client there is, installed or not: Phaseload on JDK 17, on 25, and on whatever else is found."""
    majors = sorted({17, 25} | {major for major in jdks if major >= 17})
    threads = [Phaseload("threads", ["--engine", "threads"], major, jdks.get(major)) for major in majors]
    virtual = [Phaseload("virtual", ["--engine", "threads", "--virtual"], major, jdks.get(major))
               for major in majors if major >= 21]
    events = [Phaseload("events", ["--engine", "events", "--loops", "1"], major, jdks.get(major)) for major in majors]
    return [Wrk(), Hey(), *threads, *virtual, *events]
