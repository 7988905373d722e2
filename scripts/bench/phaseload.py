"""Phaseload as one of the clients."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import journey
import machine
from cases import Case
from client import Client, Load, Start, pinned
from machine import ROOT, Jdk, choose_cores
from server import free_ports

JAR = ROOT / "client" / "cli" / "target" / "phaseload.jar"
LAUNCHER = ROOT / "scripts" / "phaseload"


class Phaseload(Client):
    """One engine of Phaseload on one JDK, with all its measuring on."""

    warms_up = True
    keeps_rate = True

    def __init__(self, flavour: str, options: list[str], major: int, jdk: Jdk | None, jar: Path = JAR):
        self.name = f"phaseload-{flavour}-{major}"
        self.label = f"phaseload {flavour} (JDK {major})"
        self._options = options
        self._major = major
        self._jdk = jdk
        self._jar = jar

    def missing(self) -> str:
        if not self._jdk:
            return f"no JDK {self._major} in JAVA_HOME, PATH or /usr/lib/jvm"
        if not self._jar.is_file():
            return f"no {self._jar}" + ": mvn -q -DskipTests package" * (self._jar == JAR)
        return ""

    def version(self) -> str:
        printed = machine.output([str(self._jdk.java), "-jar", str(self._jar), "--version"])
        return f"{printed.split()[1] if ' ' in printed else 'of unknown version'} on Java {self._jdk.version}"

    def command(self, load: Load) -> list[str]:
        """A single phase: the measured window must not hold the barrier between two."""
        rate = ["--rate", f"{load.rate}/s"] if load.rate else []
        return self.run(load, ["--phases", "peak=1", "--duration", f"{load.seconds}s", *rate])

    def files(self, load: Load) -> dict[str, str]:
        if not load.case.journey:
            return {}
        plan = journey.filled(journey.PLAN, data=str(load.folder / journey.DATA),
                              json_check=journey.json_check("phaseload", load.case))
        return {journey.DATA: journey.data(), "journey.yaml": plan}

    def run(self, load: Load, options: list[str]) -> list[str]:
        """A run over so many connections, with options that say how long it is."""
        own = [load.filled(option) for option in self._options]
        base, path = load.url[:-len(load.case.path)] + "/", load.case.path
        if load.case.journey:
            return [str(self._jdk.java), "-jar", str(self._jar), "run", "--plan", str(load.folder / "journey.yaml"), "--url", base,
                    "--threads", str(load.users), *options, *own, "--quiet", "--json", "--out", str(load.folder / "out")]
        request = ["--post", path, "--body", f"@{load.body}"] if load.case.body_bytes else ["--get", path]
        over = ["--insecure"] if load.case.tls else []
        if load.case.http2:
            over += ["--http2", "--streams", str(load.case.streams)]
        return [str(self._jdk.java), "-jar", str(self._jar), "run", "--url", base, *request, *over,
                "--threads", str(load.users), *options,
                *own, "--quiet", "--json", "--out", str(load.folder / "out")]

    def refuses(self, case: Case) -> str:
        return "speaks HTTP/2 on event loops only" if case.http2 and "events" not in self._options else ""

    def percentiles(self, stdout: str, folder: Path) -> tuple[float | None, ...] | None:
        try:
            response = json.loads(stdout)["totals"]["response"]
            return response["p50Ms"], response["p99Ms"], response["p999Ms"]
        except (ValueError, KeyError, TypeError):
            return None

    def starts(self) -> list[Start]:
        """The jar as it is, and by the launcher, which keeps an archive of its classes."""
        plain = Start(self.label, self.command)
        if self._jar != JAR:
            return [plain]
        return [plain,
                Start(f"{self.label}, by scripts/phaseload", self._launch,
                      environment={"JAVA_HOME": str(self._jdk.home)}, goal_seconds=1)]

    def _launch(self, load: Load) -> list[str]:
        _, _, _, *arguments = self.command(load)
        return [str(LAUNCHER), *arguments]

    def counted(self, stdout: str, case: Case) -> int | None:
        try:
            return int(json.loads(stdout)["totals"]["requests"])
        except (ValueError, KeyError, TypeError):
            return None


class PhaseloadAgent(Phaseload):
    """The only agent of a coordinator, which runs on the server's core and isn't counted: what being led costs an agent."""

    def command(self, load: Load) -> list[str]:
        java, jar_option, jar, command, *options = super().command(load)
        address = f"127.0.0.1:{free_ports(['cluster'])['cluster']}"
        coordinator = pinned([java, jar_option, jar, command, *options, "--agents", "1", "--listen", address], choose_cores().server)
        agent = [java, jar_option, jar, "agent", "--coordinator", address, "--once", "--out", str(load.folder / "agent")]
        # Its parent ends at once, so that it is no child of the agent's process, whose CPU time is measured.
        return ["env", "PHASELOAD_CLUSTER_SECRET=the secret of the bench", "sh", "-c",
                f"(setsid {shlex.join(coordinator)} >{shlex.quote(str(load.folder / 'coordinator'))} &); exec {shlex.join(agent)}"]

    def counted(self, stdout: str, case: Case) -> None:
        """Only the coordinator says."""

    def starts(self) -> list[Start]:
        return []
