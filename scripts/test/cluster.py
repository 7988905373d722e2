"""A coordinator, agents and a target in network namespaces of their own, for the cases of agents.py. Linux only."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts" / "lib"))

import namespaces
from namespaces import sh

JAR = ROOT / "client" / "cli" / "target" / "phaseload.jar"
JAVA = str(Path(os.environ["JAVA_HOME"], "bin", "java")) if "JAVA_HOME" in os.environ else "java"
HOSTS = range(1, 7)
COORDINATOR = "10.77.0.1:7800"
SECRET = "a secret of the tests"
# By how much the second agent's clock is ahead: nanoseconds.
AHEAD = 5_000_003_500_000


class Place(NamedTuple):
    """Where an agent runs, by how many nanoseconds its clock is ahead, and options of its own."""

    host: int
    ahead: int = 0
    options: str = ""


TWO = {"one": Place(2), "two": Place(3, AHEAD)}


def networks() -> None:
    """Host 1 has the coordinator, 4 the target, the others have agents; each is in the cluster's network and in the load's."""
    namespaces.make_room()
    for number, name in ((77, "c"), (78, "l")):
        sh(f"ip link add br{name} type bridge && ip link set br{name} up")
        for i in HOSTS:
            sh(f"ip netns list | grep -q h{i} || ip netns add h{i}")
            sh(f"ip link add {name}{i} type veth peer name to-{name} netns h{i} && ip link set {name}{i} master br{name} up")
            sh(f"ip -n h{i} addr add 10.{number}.0.{i}/24 dev to-{name} && ip -n h{i} link set to-{name} up && ip -n h{i} link set lo up")


def under(host: int) -> list[str]:
    """Words that start a command on a host."""
    return ["ip", "netns", "exec", f"h{host}"]


class Process:
    """The jar on one of the hosts; what it prints is in a file."""

    def __init__(self, folder: Path, host: int, name: str, line: str, ahead: int = 0, path: str = "",
                 jvm: str = "-Xmx256m"):
        self.folder = folder / name
        self.folder.mkdir()
        self.out = self.folder / "output"
        java = ["sh", "-c", 'echo $$ >pid; exec "$@"', "sh", JAVA, *shlex.split(jvm), "-jar", str(JAR), *shlex.split(line)]
        command = [*under(host), *(namespaces.ahead(ahead, java) if ahead else java)]
        environment = os.environ | {"PHASELOAD_CLUSTER_SECRET": SECRET, "PATH": path + os.environ["PATH"]}
        with self.out.open("w") as out:
            self.process = subprocess.Popen(command, cwd=self.folder, env=environment, stdout=out, stderr=subprocess.STDOUT)

    def kill(self, what: signal.Signals) -> None:
        os.kill(int((self.folder / "pid").read_text()), what)

    def text(self) -> str:
        return self.out.read_text()

    def says(self, pattern: str, seconds: float = 60) -> float:
        """Waits until it says something, and returns how long that took."""
        start = time.monotonic()
        while not re.search(pattern, self.text()):
            if time.monotonic() - start > seconds or self.process.poll() is not None and not re.search(pattern, self.text()):
                raise AssertionError(f"{self.folder.name} doesn't say '{pattern}', but {self.text()[-1000:]}")
            time.sleep(0.02)
        return time.monotonic() - start

    def end(self, seconds: float = 60) -> int:
        return self.process.wait(seconds)

    def result(self, folder: str = "out") -> dict:
        return json.loads((self.folder / folder / "result.json").read_text())


class Cluster:
    """A target, agents and a coordinator, in the middle of a run."""

    def __init__(self, folder: Path, load: str, agent: str = "", agents: dict[str, Place] = TWO, of: str = "http://10.78.0.4:8080/ --get /"):
        self.folder = folder
        self.all: list[Process] = []
        self.target = self.start(4, "target", "serve --address 10.78.0.4 --port 8080")
        self.target.says("http://")
        join = f"agent --coordinator {COORDINATOR} --once {agent}"
        self.agents = {name: self.start(place.host, name, f"{join} --name {name} {place.options}", place.ahead)
                       for name, place in agents.items()}
        self.run = self.start(1, "run", f"run --agents {len(agents)} --listen {COORDINATOR} --url {of}"
                                        f" --out out {load}")

    def start(self, host: int, name: str, line: str, ahead: int = 0) -> Process:
        process = Process(self.folder, host, name, line, ahead)
        self.all.append(process)
        return process

    def peak(self) -> None:
        self.run.says("PEAK phase: All threads")
        time.sleep(2)

    def served(self) -> int:
        self.target.kill(signal.SIGTERM)
        return int(re.search(r"Served (\d+) requests", self.wait(self.target)).group(1))

    @staticmethod
    def wait(process: Process) -> str:
        process.end()
        return process.text()

    def close(self) -> None:
        for process in self.all:
            with contextlib.suppress(OSError, ValueError):
                process.kill(signal.SIGKILL)
            process.process.kill()
            process.process.wait()
