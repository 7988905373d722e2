"""Machines of an experiment, played by network namespaces: servers and agents with addresses, routes, delays, CPUs and clocks of their own.

Linux, inside of namespaces.enter().
"""

from __future__ import annotations

import contextlib
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Optional

import namespaces
import tunnels

PHASELOAD = Path(__file__).resolve().parent.parent / "phaseload"
PORT = 8080
COORDINATOR = "10.88.1.1:7800"
"""Where agents find the experiment itself; all hosts have a way to it."""


@dataclass(frozen=True)
class Host:
    """One of them; the experiment itself has the first address of its network."""

    number: int
    cpus: Sequence[int]
    more: Sequence[str] = ()
    """Words that its commands start with, too."""

    @property
    def name(self) -> str:
        return f"h{self.number}"

    @property
    def here(self) -> str:
        return f"10.88.{self.number}.1"

    @property
    def address(self) -> str:
        return f"10.88.{self.number}.2"

    def addresses(self, count: int) -> list[str]:
        """So many addresses, of which the first is its own; once."""
        for more in range(3, count + 2):
            namespaces.sh(f"ip -n {self.name} addr add 10.88.{self.number}.{more}/24 dev far")
        return [f"10.88.{self.number}.{last}" for last in range(2, count + 2)]

    def inside(self) -> list[str]:
        return ["ip", "netns", "exec", self.name, *on(self.cpus), *self.more]

    def knowing(self, names: dict[str, str], file: Path) -> Host:
        """The same host, whose commands find these names' addresses in a file of their own."""
        file.write_text(_names(names))
        return replace(self, more=["unshare", "-m", "sh", "-c", f'mount --bind {file.absolute()} /etc/hosts && exec "$@"', "sh"])


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


def reached_from(pid: int) -> None:
    """Makes all hosts reachable from the network of another process, by an interface there that goes when this network does."""
    outside = f"nsenter -t {pid} -n"
    try:
        namespaces.sh(f"""
            ip link add outside type veth peer name phaseload netns {pid}
            ip addr add 10.88.0.2/24 dev outside && ip link set outside up
            {outside} ip addr add 10.88.0.1/24 dev phaseload && {outside} ip link set phaseload up
            {outside} ip route add 10.88.0.0/16 via 10.88.0.2""")
    except subprocess.CalledProcessError:
        raise namespaces.Impossible("an interface 'phaseload' with the network 10.88.0.0/16 cannot be made") from None


def _names(addresses: dict[str, str]) -> str:
    return "127.0.0.1 localhost\n" + "".join(f"{address} {name}\n" for name, address in addresses.items())


def name(hosts: dict[str, Host]) -> None:
    """Gives them names, for everything that the experiment starts."""
    file = Path("/run/hosts")
    file.write_text(_names({name: host.address for name, host in hosts.items()}))
    namespaces.sh(f"mount --bind {file} /etc/hosts")


@contextlib.contextmanager
def far(host: Host, there: float, back: float) -> Iterator[None]:
    """Packets to a host, and from it, take so many seconds."""
    name = f"far{host.number}"
    with tunnels.tunnel([], f"ip link set {name} up", f"ip route add {host.address}/32 dev {name}", name=name) as one, \
            tunnels.tunnel(host.inside(), "ip link set slow up", "ip route replace default dev slow") as other, \
            tunnels.carried(tunnels.between(one, other, there, back), one, other):
        yield


@contextlib.contextmanager
def apart(hosts: Sequence[Host], seconds: Callable[[int, int], float]) -> Iterator[None]:
    """Packets between these hosts take so many seconds, from one number to another. All others are as fast as ever."""
    with contextlib.ExitStack() as stack:
        ends = {}
        for host in hosts:
            routes = (f"ip route add {other.address}/32 dev slow" for other in hosts if other != host)
            ends[socket.inet_aton(host.address)] = stack.enter_context(tunnels.tunnel(host.inside(), "ip link set slow up", *routes))
        numbers = {end: host.number for end, host in zip(ends.values(), hosts)}

        def route(end: int, packet: bytes) -> Optional[tunnels.Passed]:
            to = ends.get(packet[16:20])
            return tunnels.Passed(to, seconds(numbers[end], numbers[to]), packet) if to else None

        stack.enter_context(tunnels.carried(route, *ends.values()))
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
