"""Asks a server directly, without Phaseload, whether it does what a kind of run says of it."""

from __future__ import annotations

import contextlib
import http.client
import json
import socket
import ssl
import statistics
import subprocess
import sys
import threading
import time
import urllib.parse
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass
class Answer:
    """One request: when it was sent (s), its place on its connection, and what came; status 0 for a failure."""

    at: float
    nth: int
    path: str
    status: int
    ms: float
    connect_ms: float
    size: int = 0
    location: str = ""
    problem: str = ""


@dataclass
class Answers:
    all: list[Answer] = field(default_factory=list)

    def of(self, path: str) -> Answers:
        return Answers([one for one in self.all if one.path == path])

    def share(self, matches: Callable[[Answer], bool]) -> float:
        return sum(map(matches, self.all)) / max(1, len(self.all))

    def status(self, *statuses: int) -> float:
        return self.share(lambda one: one.status in statuses)

    @property
    def failed(self) -> float:
        return self.share(lambda one: one.status == 0 or one.status >= 400)

    def slower(self, ms: float) -> float:
        return self.share(lambda one: one.ms > ms)

    @property
    def median(self) -> float:
        return statistics.median([one.ms for one in self.all] or [0])

    @property
    def slowest(self) -> float:
        return max((one.ms for one in self.all), default=0)

    @property
    def connects(self) -> list[float]:
        return [one.connect_ms for one in self.all if one.nth == 1]

    @property
    def connect_median(self) -> float:
        return statistics.median(self.connects or [0])


Claim = tuple[str, float, float, float]
"""A figure's name, its value, the least and the most that it may be."""


@dataclass
class Truth:
    """How to ask, and the claims about the answers."""

    claims: Callable[[Answers], list[Claim]]
    paths: tuple[str, ...] = ("/",)
    users: int = 5
    seconds: float = 4
    think: float = 0.01
    method: str = "GET"
    body: int = 0
    close: bool = False
    timeout: float = 5


def ask_under(under: list[str], url: str, how: Truth) -> Answers:
    """The same from where a command is started by these words, such as in another network."""
    if not under:
        return ask(url, how)
    words = json.dumps({**vars(how), "claims": None})
    done = subprocess.run([*under, sys.executable, __file__, url, words], capture_output=True, text=True, check=True)
    return Answers([Answer(**one) for one in json.loads(done.stdout)])


def ask(url: str, how: Truth) -> Answers:
    """Requests of some users over connections that they keep."""
    parts = urllib.parse.urlsplit(url)
    answers = Answers()
    end = time.monotonic() + how.seconds
    start = time.monotonic()

    def connect() -> http.client.HTTPConnection:
        if parts.scheme == "https":
            return http.client.HTTPSConnection(parts.hostname, parts.port, timeout=how.timeout, context=ssl._create_unverified_context())  # noqa: S323
        return http.client.HTTPConnection(parts.hostname, parts.port, timeout=how.timeout)

    def user(number: int) -> None:
        connection, nth, count = None, 0, number
        while time.monotonic() < end:
            path = how.paths[count % len(how.paths)]
            count += 1
            connect_ms = 0.0
            begin = time.monotonic()
            try:
                if connection is None:
                    connection, nth = connect(), 0
                    connection.connect()
                    connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    connect_ms = (time.monotonic() - begin) * 1000
                    begin = time.monotonic()
                nth += 1
                connection.request(how.method, path, b"x" * how.body if how.body else None, {"Connection": "close"} if how.close else {})
                response = connection.getresponse()
                size = len(response.read())
                answers.all.append(Answer(begin - start, nth, path, response.status, (time.monotonic() - begin) * 1000, connect_ms, size,
                                          response.getheader("Location", "")))
                if response.will_close:
                    connection.close()
                    connection = None
            except (OSError, http.client.HTTPException) as problem:
                answers.all.append(Answer(begin - start, max(1, nth), path, 0, (time.monotonic() - begin) * 1000, connect_ms,
                                          problem=type(problem).__name__))
                with contextlib.suppress(Exception):
                    connection.close()
                connection = None
                time.sleep(0.02)
            time.sleep(how.think)
        if connection is not None:
            connection.close()

    threads = [threading.Thread(target=user, args=(number,)) for number in range(how.users)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


HEALTHY = Truth(lambda all: [("failed", all.failed, 0, 0), ("answered", len(all.all), 2, 1_000_000)], seconds=2)


def took(under: list[str], *command: str) -> float:
    """The ms that a command took, or -1 if it failed."""
    begin = time.monotonic()
    done = subprocess.run([*under, *command], capture_output=True, check=False)
    return -1 if done.returncode else (time.monotonic() - begin) * 1000


def unmet(claims: list[Claim]) -> list[str]:
    return [f"{name} {value:.4g}: expected {least:.4g} to {most:.4g}" for name, value, least, most in claims if not least <= value <= most]


if __name__ == "__main__":
    print(json.dumps([vars(one) for one in ask(sys.argv[1], Truth(**json.loads(sys.argv[2]))).all]))
