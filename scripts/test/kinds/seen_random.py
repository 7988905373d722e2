"""A healthy service each time another: server, operations, proxy, protocol, load and phases are made at random."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

import behaviours as server
import faults
from behaviours import option, rule
from kinds import Bed, clean, pick


def between(dice: Random, low: float, high: float) -> float:
    """Small values as often as large ones: uniform in its logarithm."""
    return low * (high / low) ** dice.random()


@dataclass(frozen=True)
class Operation:
    path: str
    method: str
    rules: tuple[str, ...]
    mean_ms: float


def operation(dice: Random, number: int) -> Operation:
    """Its time is fixed, uniform, exponential, some longer, or a processor's."""
    path, ms = f"/{'abcde'[number]}", round(between(dice, 2, 400))
    shape = dice.choice(("fixed", "uniform", "exponential", "mixed", "processor"))
    if shape == "fixed":
        rules = [rule(path=path, ms=ms)]
    elif shape == "uniform":
        rules = [rule(path=path, ms=(round(ms / 2), round(ms * 1.5)))]
    elif shape == "exponential":
        rules = [rule(path=path, exp=ms)]
    elif shape == "mixed":
        # No two speeds: there are times between.
        rules = [rule(path=path, share=pick(dice, 0.02, 0.4), exp=2 * ms), rule(path=path, ms=(round(ms / 3), ms))]
    else:
        rules = [rule(path=path, cpu=pick(dice, 0.1, 1.5), ms=(2, 6))]
        ms = 5
    size = rule(path=path, bytes=round(between(dice, 50, 100_000)))
    return Operation(path, dice.choice(("get", "get", "get", "post")), (*rules, size), ms * 1.5)


@contextlib.contextmanager
def served(dice: Random, rules: list[str]) -> Iterator[tuple[str, str]]:
    """Its address, and options of the client that it needs."""
    with contextlib.ExitStack() as stack:
        start = dice.choice((server.go, server.go, server.node, server.python, server.java))
        if start == server.go and dice.random() < 0.3:
            yield stack.enter_context(start(option(tls=1), *rules)), "-k " + dice.choice(("", "--engine events --http2 "))
            return
        if start == server.node and dice.random() < 0.3:
            key, cert = server.certificate(stack.enter_context(tempfile.TemporaryDirectory()))
            yield stack.enter_context(start(option(key=key, cert=cert), *rules)), "-k --engine events --http2 --streams 5 "
            return
        url = stack.enter_context(start(*rules))
        proxy = dice.choice(("", "", "nginx", "haproxy"))
        if proxy == "nginx":
            url = stack.enter_context(faults.nginx(f"upstream one {{ server {url[7:-1]}; keepalive 50; }}",
                                                   'location / { proxy_http_version 1.1; proxy_set_header Connection ""; proxy_pass http://one; }'))
        if proxy == "haproxy":
            url = stack.enter_context(server.haproxy(f"listen all\n  bind LISTEN\n  server one {url[7:-1]}"))
        yield url, dice.choice(("", "", "--engine events ", "--engine events ", "--client httpclient --pool 100 "))


def phases(dice: Random) -> str:
    seconds = dice.randint(5, 8)
    return dice.choice((f"peak=1:for:{seconds}s", f"warmup=1:for:1s,peak=1:for:{seconds}s", f"warmup=0.3:for:2s,peak=1:for:{seconds}s",
                        f"half=0.5:for:{seconds}s,peak=1:for:{seconds}s", f"a=0.3:for:3s,b=0.6:for:3s,peak=1:for:{seconds}s,end=0.2:for:3s"))


def pauses(dice: Random, mean_ms: float) -> str:
    return dice.choice((f"{mean_ms:.0f}ms", f"{mean_ms / 2:.0f}ms..{mean_ms * 1.5:.0f}ms"))


@clean("a service that is made at random")
def random_service(dice: Random) -> Iterator[Bed]:
    operations = [operation(dice, number) for number in range(dice.randint(1, 5))]
    mean_ms = sum(each.mean_ms for each in operations) / len(operations)
    per_second, users = between(dice, 5, 250), dice.randint(3, 40)
    think_ms = max(20, users * 1000 / per_second - mean_ms)
    requests = " ".join(f"--{each.method} {each.path}" for each in operations)
    if any(each.method == "post" for each in operations):
        requests += f" --body {'x' * round(between(dice, 5, 2000))}"
    with served(dice, [text for each in operations for text in each.rules]) as (url, client):
        options, plan = f"--phases {phases(dice)} {client}", ""
        load = dice.choice(("pauses", "pauses", "pacing", "rate", "poisson", "journey"))
        if load == "pauses":
            options += f"-c {users} --think {pauses(dice, think_ms)} {requests}"
        elif load == "pacing":
            options += f"-c {users} --pacing {think_ms + 3 * mean_ms:.0f}ms {requests}"
        elif load == "journey":
            options += f"-c {users}"
            plan = "scenarios:\n  - name: one\n    steps:\n" + "".join(
                f"      - {each.method}: {each.path}\n      - think: {pauses(dice, think_ms)}\n" for each in operations)
        else:
            options += f"-c {round(20 + 4 * per_second * mean_ms / 1000)} --rate {per_second:.1f}/s {requests}"
            options += " --arrivals poisson" if load == "poisson" else ""
        if load in ("pauses", "pacing", "journey") and dice.random() < 0.3:
            options += f" --ramp {dice.randint(1, 2)}s"
        yield Bed(url, options, plan=plan)
