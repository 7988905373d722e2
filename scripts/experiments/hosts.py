"""Machines of an experiment, played by network namespaces: servers and agents with addresses, routes, delays, CPUs and clocks of their own.

Linux, inside of namespaces.enter().
"""

from __future__ import annotations

import contextlib
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parent.parent
sys.path[1:1] = [str(SCRIPTS / "lib"), str(SCRIPTS / "test")]

import faults
import namespaces

PHASELOAD = SCRIPTS / "phaseload"
PORT = 8080
COORDINATOR = "10.88.1.1:7800"
"""Where agents find the experiment itself; all hosts have a way to it."""


@dataclass(frozen=True)
class Host:
    """One of them; the experiment itself has the first address of its network."""

    number: int
    cpus: Sequence[int]

    @property
    def name(self) -> str:
        return f"h{self.number}"

    @property
    def here(self) -> str:
        return f"10.88.{self.number}.1"

    @property
    def address(self) -> str:
        return f"10.88.{self.number}.2"

    def inside(self) -> list[str]:
        return ["ip", "netns", "exec", self.name, *on(self.cpus)]


def on(cpus: Sequence[int]) -> list[str]:
    """Words that start a command on these CPUs."""
    return ["taskset", "-c", ",".join(map(str, cpus))]


def make(*all_cpus: Sequence[int]) -> list[Host]:
    """Hosts with these CPUs; each has a link to the experiment, which passes on what they send to each other."""
    namespaces.make_room()
    Path("/proc/sys/net/ipv4/ip_forward").write_text("1")
    hosts = [Host(number, cpus) for number, cpus in enumerate(all_cpus, 1)]
    for host in hosts:
        namespaces.sh(f"""
            ip netns add {host.name}
            ip link add n{host.number} type veth peer name far netns {host.name}
            ip addr add {host.here}/24 dev n{host.number} && ip link set n{host.number} up
            ip -n {host.name} addr add {host.address}/24 dev far && ip -n {host.name} link set far up && ip -n {host.name} link set lo up
            ip -n {host.name} route add default via {host.here}""")
    return hosts


def name(hosts: dict[str, Host]) -> None:
    """Gives them names, for everything that the experiment starts."""
    file = Path("/run/hosts")
    file.write_text("127.0.0.1 localhost\n" + "".join(f"{host.address} {name}\n" for name, host in hosts.items()))
    namespaces.sh(f"mount --bind {file} /etc/hosts")


@contextlib.contextmanager
def far(host: Host, there: float, back: float) -> Iterator[None]:
    """Packets to a host, and from it, take so many seconds."""
    name = f"far{host.number}"
    with faults.tunnel([], f"ip link set {name} up", f"ip route add {host.address}/32 dev {name}", name=name) as one, \
            faults.tunnel(host.inside(), "ip link set slow up", "ip route replace default dev slow") as other:
        faults.carry(one, other, lambda: there)
        faults.carry(other, one, lambda: back)
        yield


@contextlib.contextmanager
def served(host: Host, logs: Path, *options: object) -> Iterator[str]:
    """The address of Phaseload's own target on a host."""
    line = [*host.inside(), str(PHASELOAD), "serve", "--address", host.address, "--port", str(PORT), *map(str, options)]
    with started(line, logs / f"target-{host.number}.log", "http://"):
        yield f"http://{host.address}:{PORT}/"


@contextlib.contextmanager
def agents(places: dict[str, tuple[Host, int]], logs: Path) -> Iterator[list[str]]:
    """Agents by name, on hosts with clocks so many nanoseconds ahead; and what a command needs to use them."""
    with contextlib.ExitStack() as stack:
        for name, (host, ahead) in places.items():
            line = [str(PHASELOAD), "agent", "--coordinator", COORDINATOR, "--name", name, "--out", str(logs / name)]
            command = [*host.inside(), *(namespaces.ahead(ahead, line) if ahead else line)]
            stack.enter_context(started(command, logs / f"{name}.log", "waits for"))
        yield ["--agents", str(len(places)), "--listen", COORDINATOR]


@contextlib.contextmanager
def started(command: list[str], log: Path, says: str) -> Iterator[None]:
    """A process, once it says something; it ends with this block."""
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("w", encoding="utf-8") as file:
        process = subprocess.Popen(command, stdout=file, stderr=subprocess.STDOUT)
    try:
        while says not in log.read_text(encoding="utf-8"):
            if process.poll() is not None:
                raise OSError(f"{' '.join(command)}: {log.read_text(encoding='utf-8')}")
            time.sleep(0.05)
        yield
    finally:
        process.terminate()
        process.wait()
