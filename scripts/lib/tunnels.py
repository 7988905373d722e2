"""Networks that are far apart: packets between them pass through this process, which delays them. Linux; its kernels often have no netem."""

from __future__ import annotations

import contextlib
import heapq
import os
import select
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple, Optional

from namespaces import Impossible

# Makes an interface in a network, and passes it on as a file.
_OPEN = """
import fcntl, os, socket, struct, subprocess, sys
tun = os.open('/dev/net/tun', os.O_RDWR | os.O_NONBLOCK)
fcntl.ioctl(tun, 0x400454ca, struct.pack('16sH', sys.argv[1].encode(), 0x1001))
for command in sys.argv[2:]:
    subprocess.run(command.split(), check=True)
socket.send_fds(socket.socket(fileno=0), [b'.'], [tun])
"""
_PACKET = 65535


class Passed(NamedTuple):
    """A packet's way: the end that it leaves from, after so many seconds, and its bytes then."""

    end: int
    seconds: float
    packet: bytes


Route = Callable[[int, bytes], Optional[Passed]]
"""The way of a packet that came in at an end; none if it is dropped."""


def between(one: int, other: int, there: float, back: float) -> Route:
    """The route between two ends, with so many seconds there and back."""
    return lambda end, packet: Passed(other, there, packet) if end == one else Passed(one, back, packet)


@contextlib.contextmanager
def tunnel(inside: list[str], *commands: str, name: str = "slow") -> Iterator[int]:
    """The end of a tunnel in the network that such words lead to: an interface with this name. The commands give it addresses and routes."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        line = [*inside, sys.executable, "-c", _OPEN, name, *commands, f"ip link set {name} up"]
        done = subprocess.run(line, stdin=theirs, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise Impossible(f"no tunnel can be made: {(done.stderr.strip().splitlines() or [''])[-1]}")
        end = socket.recv_fds(ours, 1, 1)[1][0]
    try:
        yield end
    finally:
        os.close(end)


@contextlib.contextmanager
def carried(route: Route, *ends: int) -> Iterator[None]:
    """Carries IPv4 packets between these ends. None overtakes another that came in at the same end and leaves from the same one."""
    wake, woken = socket.socketpair()
    thread = threading.Thread(target=_carry, args=(route, ends, woken), daemon=True)
    thread.start()
    try:
        yield
    finally:
        wake.close()
        thread.join()
        woken.close()


def _carry(route: Route, ends: tuple[int, ...], woken: socket.socket) -> None:
    waiting: list[tuple[float, int, int, bytes]] = []
    latest: dict[tuple[int, int], float] = {}
    count = 0
    while True:
        timeout = max(0.0, waiting[0][0] - time.monotonic()) if waiting else None
        readable = select.select([*ends, woken], [], [], timeout)[0]
        if woken in readable:
            return
        for end in readable:
            packet = os.read(end, _PACKET)
            passed = route(end, packet) if packet[0] >> 4 == 4 else None
            if passed:
                way = (end, passed.end)
                latest[way] = max(latest.get(way, 0.0), time.monotonic() + passed.seconds)
                count += 1
                heapq.heappush(waiting, (latest[way], count, passed.end, passed.packet))
        now = time.monotonic()
        while waiting and waiting[0][0] <= now:
            _, _, end, packet = heapq.heappop(waiting)
            # A full queue drops packets, as a network does.
            with contextlib.suppress(OSError):
                os.write(end, packet)
