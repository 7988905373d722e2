"""
More kinds of the held-out half. Don't read on if you change rules.

They were written after a first look at the results of the other held-out ones, by somebody who hadn't read the rules' code, only what
docs/diagnosis.md says of them.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import signal
import socket
import struct
import tempfile
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

import behaviours as server
import faults
from asking import Truth, took
from behaviours import option, rule
from kinds import Bed, cause, clean, engine, model, peak, pick, users

CHUNK = 16_384


@dataclass
class Asked:
    """A request, and how long its connection had waited for it (s)."""

    method: str
    path: str
    nth: int
    idle: float
    writer: asyncio.StreamWriter
    body: bytes

    async def say(self, body: bytes = b"ok", status: int = 200) -> bool:
        self.writer.write(f"HTTP/1.1 {status} Status\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
        await self.writer.drain()
        return True

    def reset(self) -> None:
        reset(self.writer)


def reset(writer: asyncio.StreamWriter) -> None:
    if not writer.transport.is_closing():
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        writer.transport.abort()


def nothing_opened(_: asyncio.StreamWriter) -> None:
    pass


@contextlib.contextmanager
def answering(answer: Callable[[Asked], Awaitable[bool]], opened: Callable[[asyncio.StreamWriter], None] = nothing_opened) -> Iterator[str]:
    """The address of a server whose connections end with what a function answers with False."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        opened(writer)
        nth = 0
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            while True:
                begin = time.monotonic()
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
                idle = time.monotonic() - begin
                body = b""
                for line in head[1:]:
                    if line.lower().startswith("content-length:"):
                        body = await reader.readexactly(int(line.split(":")[1]))
                nth += 1
                method, path, _ = head[0].split(" ")
                if not await answer(Asked(method, path, nth, idle, writer, body)):
                    break
        writer.close()

    with faults._listening(serve) as port:  # noqa: SLF001
        yield f"http://127.0.0.1:{port}/"


def some(low: float, high: float) -> Awaitable[None]:
    """A pause of so many ms."""
    return asyncio.sleep(random.uniform(low, high) / 1000)


def remembered(folder: str) -> list[str]:
    """Words that start a command whose process is remembered."""
    return ["sh", "-c", f'echo $$ > {folder}/pid; exec "$@"', "sh"]


@contextlib.contextmanager
def stopped(folder: str, pauses: list[tuple[float, float]]) -> Iterator[None]:
    """Stops that process for some time, and again: each pause is a time after the one before, and a length (s)."""
    over = threading.Event()
    process = int(Path(folder, "pid").read_text())

    def work() -> None:
        for after, length in pauses:
            if over.wait(after):
                return
            os.kill(process, signal.SIGSTOP)
            over.wait(length)
            os.kill(process, signal.SIGCONT)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


@cause("two of three operations share 3 to 5 connections to a database", "saturation", "serial-work", meaning="more users only wait for the pool")
def shared_database_pool(dice: Random) -> Iterator[Bed]:
    size, ms = dice.randint(3, 5), dice.randint(25, 50)
    with server.java(rule(path="/db", pool=size, ms=ms), rule(ms=(1, 3))) as url:
        yield Bed(url, f"--phases few=0.25:for:3s,peak=1:for:4s -c {10 * size} {engine(dice)}--get /db/items --post /db/orders --body order --get /page",
                  truth=Truth(lambda all: [("a second", len(all.all) / 4, 1.2 * size * 1000 / ms, 1.6 * size * 1000 / ms + 5)],
                              users=4 * size, think=0, paths=("/db/items", "/db/orders", "/page")))


@cause("one of 4 to 9 shards is slow, which follows from the path", "two-speeds", meaning="some data is slow")
def slow_shard(dice: Random) -> Iterator[Bed]:
    shards, slow = dice.choice((4, 6, 9)), dice.randint(90, 200)
    start = dice.choice((server.go, server.python, server.node))
    with start(rule(ms=(3, 9)), rule(path=f"/users/{dice.randint(1, shards)}", ms=(slow, slow + 40))) as url:
        yield Bed(url, peak(6) + f"-c {dice.randint(15, 25)} --think 10ms {engine(dice)}", plan=f"""
scenarios:
  - name: profile
    steps:
      - get: /users/{{random:1..{shards}}}/profile
        name: GET /users/ID/profile
""", truth=Truth(lambda all: [("slow share", all.slower(slow), 0.3 / shards, 2 / shards)], users=10,
                 paths=tuple(f"/users/{number}/profile" for number in range(1, shards + 1))))


@cause("writes for one of 5 to 9 tenants fail", "steady-failures", meaning="some data fails each time")
def broken_tenant(dice: Random) -> Iterator[Bed]:
    tenants, status = dice.randint(5, 9), dice.choice((500, 503))
    with server.node(rule(ms=(4, 12)), rule(method="POST", path=f"/tenants/{dice.randint(1, tenants)}", status=status)) as url:
        yield Bed(url, peak(6) + users(dice), plan=f"""
scenarios:
  - name: write
    steps:
      - get: /tenants
      - post: /tenants/{{random:1..{tenants}}}/notes
        name: POST /tenants/ID/notes
        json: {{text: "{{uuid}}"}}
""", truth=Truth(lambda all: [("failed", all.status(status), 0.4 / tenants, 1.8 / tenants)], method="POST", body=50,
                 paths=tuple(f"/tenants/{number}/notes" for number in range(1, tenants + 1))))


@cause("a rare export holds a lock for 0.2 to 0.4 s that all others need", "standstill", "periodic-stalls", meaning="all requests wait for one operation")
def export_holds_lock(dice: Random) -> Iterator[Bed]:
    ms = dice.randint(200, 400)
    with server.go(rule(path="/export", block=1, ms=ms), rule(ms=(3, 9))) as url, tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write(f"{dice.randint(180, 260)} GET /items\n1 POST /export\n")
        file.flush()
        yield Bed(url, peak(8) + f"--requests {file.name} -c {dice.randint(20, 35)} --rate {dice.randint(130, 220)}/s {engine(dice)}--arrivals poisson", truth=Truth(
            lambda all: [("slowest /items", all.of("/items").slowest, 0.5 * ms, 3 * ms), ("fastest /export", min(one.ms for one in all.of("/export").all), ms, 2 * ms)],
            paths=("/items",) * 40 + ("/export",), users=5, seconds=5))


@cause("a checkpoint every 1.3 to 2.2 s delays writes, not reads", "periodic-stalls", "standstill", meaning="an operation waits at even distances")
def checkpoint_delays_writes(dice: Random) -> Iterator[Bed]:
    period, pause = pick(dice, 1.3, 2.2), pick(dice, 0.2, 0.4)

    async def answer(asked: Asked) -> bool:
        await some(3, 9)
        into = time.monotonic() % period
        if asked.method == "POST" and into < pause:
            await asyncio.sleep(pause - into)
        return await asked.say()

    with answering(answer) as url:
        yield Bed(url, peak(max(8, round(5.5 * period))) + f"-c {dice.randint(20, 40)} --rate {dice.randint(120, 240)}/s {engine(dice)}--get /items --post /items --body text", truth=Truth(
            lambda all: [("slowest", all.slowest, 800 * pause, 1000 * pause + 60), ("slow share", all.slower(40), 0.005, 0.4), ("median", all.median, 3, 20)],
            method="POST", body=4, seconds=5))


@cause("a quota of 300 to 600 requests, then 429", "rate-limit", meaning="no more requests are allowed")
def quota_used_up(dice: Random) -> Iterator[Bed]:
    quota = dice.randint(300, 600)
    with server.go(rule(first=quota, ms=(4, 12), status=200), rule(header="Retry-After:60", status=429)) as url:
        yield Bed(url, f"--phases peak=1:for:6s -c 20 --rate {dice.randint(120, 200)}/s {engine(dice)}--get /items --post /orders --body order", truth=Truth(
            lambda all: [("passed", len(all.all) * (1 - all.failed), quota - 1, quota + 1), ("429", all.status(429), 0.05, 0.95)], users=12))


@cause("maintenance of 1.2 to 2 s, with 503 and Retry-After", "outage", "load-shedding", meaning="nothing succeeds for a while")
def maintenance(dice: Random) -> Iterator[Bed]:
    begin, length = dice.randint(3000, 3800), dice.randint(1200, 2000)
    with server.node(rule(**{"from": begin}, to=begin + length, header="Retry-After:2", status=503), rule(ms=(4, 12))) as url:
        yield Bed(url, peak(7) + model(dice) + "--get /items --put /items/1 --body text", truth=Truth(
            lambda all: [("503", all.status(503), 0.1, 0.5), ("begins", min([one.at for one in all.all if one.status == 503] or [0]), begin / 1000 - 0.1, begin / 1000 + 0.2)],
            seconds=7))


@cause("a breaker that opens for one of two operations, for 1.3 to 2 s", "load-shedding", "outage", meaning="an operation is turned away for a while")
def circuit_breaker(dice: Random) -> Iterator[Bed]:
    begin, length = dice.randint(3000, 3800), dice.randint(1300, 2000)
    with server.java(rule(path="/prices", **{"from": begin}, to=begin + length, status=503), rule(path="/prices", ms=(20, 40)), rule(ms=(4, 9))) as url:
        yield Bed(url, peak(7) + users(dice, 10, 20) + "--get /items --get /prices", truth=Truth(
            lambda all: [("/items", all.of("/items").failed, 0, 0), ("503 of /prices", all.of("/prices").status(503), 0.1, 0.6)],
            paths=("/items", "/prices"), seconds=7))


@cause("one of three backends of HAProxy isn't there: 503 for a third", "steady-failures", "bad-gateway", meaning="a constant share fails")
def haproxy_dead_third(dice: Random) -> Iterator[Bed]:
    with server.python(rule(ms=(4, 12))) as a, server.node(rule(ms=(4, 12))) as b, server.haproxy(
            f"listen all\n  bind LISTEN\n  balance roundrobin\n  retries 0\n  server a {a[7:-1]}\n  server b {b[7:-1]}\n  server c 127.0.0.1:{faults.free_port()}") as url:
        yield Bed(url, peak(5) + model(dice) + "--post /orders --body order", truth=Truth(
            lambda all: [("503", all.status(503), 0.28, 0.38)], method="POST", body=5))


@cause("nginx gives up 30 to 60 % of one operation after 1 to 1.6 s", "gives-up", meaning="a timeout on the way")
def report_times_out(dice: Random) -> Iterator[Bed]:
    limit, share = dice.randint(1000, 1600), pick(dice, 0.3, 0.6)
    with server.node(rule(path="/report", share=share, ms=4000), rule(path="/report", ms=(100, 300)), rule(ms=(4, 12))) as behind, faults.nginx(
            "", f"location / {{ proxy_read_timeout {limit}ms; proxy_pass {behind[:-1]}; }}") as url:
        yield Bed(url, peak(8) + f"-c {dice.randint(15, 30)} --think 10ms {engine(dice)}--get /items --get /report --get /prices", truth=Truth(
            lambda all: [("504 of /report", all.of("/report").status(504), share - 0.25, share + 0.25), ("others", all.of("/items").failed, 0, 0)],
            users=20, paths=("/items", "/report", "/prices")))


@cause("HAProxy keeps idle connections for 0.2 to 0.5 s, users pause longer", "keep-alive-limit", "idle-timeout", meaning="idle connections are closed")
def haproxy_keeps_shortly(dice: Random) -> Iterator[Bed]:
    idle = dice.randint(200, 500)
    with server.go(rule(ms=(4, 12))) as behind, server.haproxy(
            f"listen all\n  bind LISTEN\n  timeout http-keep-alive {idle}ms\n  server a {behind[7:-1]}") as url:
        yield Bed(url, peak(8) + f"-c {dice.randint(30, 60)} --think {idle + 150}ms..{idle + 600}ms {engine(dice)}--get /", truth=Truth(
            lambda all: [("ended while idle", all.failed, 0.2, 0.6)], think=idle / 1000 + 0.3, seconds=6))


@cause("4 to 10 % of the bodies of 100 kB are reset after 20 to 40 kB", "truncated-bodies", "resets", meaning="bodies end in the middle")
def reset_within_body(dice: Random) -> Iterator[Bed]:
    share, cut = pick(dice, 0.04, 0.1), dice.randint(20_000, 40_000)

    async def answer(asked: Asked) -> bool:
        await some(4, 12)
        if random.random() >= share:
            return await asked.say(b"x" * 100_000)
        asked.writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n" + b"x" * cut)
        await asked.writer.drain()
        await asyncio.sleep(0.03)
        asked.reset()
        return False

    with answering(answer) as url:
        yield Bed(url, peak(5) + users(dice, 6, 12) + "--get /image", truth=Truth(
            lambda all: [("reset", all.share(lambda one: one.status == 0), 0.4 * share, 2 * share)]))


@cause("1 to 3 % of the bodies stop in the middle", "unanswered", meaning="responses never end")
def body_stops(dice: Random) -> Iterator[Bed]:
    share = pick(dice, 0.01, 0.03)

    async def answer(asked: Asked) -> bool:
        await some(4, 30)
        if random.random() >= share:
            return await asked.say(b"x" * 40_000)
        asked.writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 40000\r\n\r\n" + b"x" * 12_000)
        await asyncio.sleep(30)
        return False

    with answering(answer) as url:
        yield Bed(url, peak(6) + f"-c {dice.randint(15, 25)} --think 10ms --timeout {dice.randint(700, 1200)}ms {engine(dice)}--get /page", truth=Truth(
            lambda all: [("timed out", all.failed, 0.2 * share, 3 * share)], users=10, timeout=1))


@cause("HTTP/2, one of three operations holds a lock for 10 to 20 ms", "saturation", "serial-work", meaning="more users only wait for each other")
def h2_lock_of_one_operation(dice: Random) -> Iterator[Bed]:
    ms, streams = dice.randint(10, 20), dice.choice((2, 4))
    with server.go(rule(path="/stock", pool=1, ms=ms), rule(ms=(1, 4))) as url:
        yield Bed(url, f"--phases few=0.25:for:3s,peak=1:for:4s --engine events --http2 --streams {streams} -c {8 * streams} --get /items --put /stock --body 1 --get /page",
                  truth=Truth(lambda all: [("a second", len(all.of("/stock").all) / 4, 800 / ms, 1050 / ms), ("median", all.of("/stock").median, 2 * ms, 10 * ms)],
                              users=6, think=0, paths=("/items", "/stock", "/page")))


@cause("60 to 100 users connect at once to a server that accepts 40 a second, with a backlog of 8", "accept-queue", meaning="its accept queue is full")
def burst_at_start(dice: Random) -> Iterator[Bed]:
    with server.java(option(backlog=8, accept=25), rule(ms=(3, 9))) as url:
        yield Bed(url, f"--phases peak=1:for:7s -c {dice.randint(60, 100)} --think 30ms {engine(dice)}--get /", truth=Truth(
            lambda all: [("slow connects", sum(ms > 900 for ms in all.connects) / max(1, len(all.connects)), 0.1, 0.95)], users=60, seconds=6))


@cause("the first of two name servers doesn't answer", "slow-dns", meaning="looking up the name is slow")
def dead_first_name_server(dice: Random) -> Iterator[Bed]:
    dead, other = "127.0.0.83", "127.0.0.84"
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as silent, faults.name_server(other, 0.001), faults.own_files(
            resolv_conf=f"nameserver {dead}\nnameserver {other}\noptions timeout:1\n") as under, server.python(rule(ms=(4, 12))) as url:
        try:
            silent.bind((dead, 53))
        except OSError as problem:
            raise faults.Impossible(f"port 53 of {dead}: {problem}") from problem
        yield Bed(url.replace("127.0.0.1", "items.example"), f"--phases peak=1:for:5s -c {dice.randint(10, 30)} --think 20ms {engine(dice)}--get /", under,
                  probe=lambda: [("ms", took(under, "getent", "ahostsv4", "items.example"), 900, 2300)])


@cause("the server is stopped for 1.2 to 2 s (SIGSTOP)", "outage", "standstill", meaning="the server stopped answering once")
def server_stopped(dice: Random) -> Iterator[Bed]:
    length = pick(dice, 1.2, 2)
    with tempfile.TemporaryDirectory() as folder, dice.choice((server.node, server.go))(rule(ms=(4, 12)), under=remembered(folder)) as url, \
            stopped(folder, [(5.5, length)]):
        yield Bed(url, peak(8) + model(dice) + "--get /", truth=Truth(
            lambda all: [("slowest", all.slowest, 980 * length, 1000 * length + 100), ("median", all.median, 4, 25)], seconds=8))


@cause("a Python server that stands still for 0.2 to 0.5 s, at random times", "standstill", meaning="all requests wait at some times")
def irregular_pauses(dice: Random) -> Iterator[Bed]:
    pauses = [(4.5, pick(dice, 0.2, 0.5)), *((pick(dice, 0.4, 1.9), pick(dice, 0.2, 0.5)) for _ in range(4))]
    with tempfile.TemporaryDirectory() as folder, server.python(rule(ms=(3, 9)), under=remembered(folder)) as url, stopped(folder, pauses):
        yield Bed(url, peak(8) + f"-c {dice.randint(20, 40)} --rate {dice.randint(120, 250)}/s {engine(dice)}{dice.choice(('', '--arrivals poisson '))}--get /", truth=Truth(
            lambda all: [("slowest", all.slowest, 200, 600), ("slow share", all.slower(100), 0.001, 0.2)], seconds=9))


@cause("requests that wait 0.3 to 0.6 s for a pool in vain fail, with many users", "failures-with-load", "gives-up", "saturation", meaning="it fails under load")
def pool_timeout(dice: Random) -> Iterator[Bed]:
    size, ms, limit = dice.randint(2, 4), dice.randint(30, 50), pick(dice, 0.3, 0.6)
    pool: list[asyncio.Semaphore] = []

    async def answer(asked: Asked) -> bool:
        if not pool:
            pool.append(asyncio.Semaphore(size))
        try:
            await asyncio.wait_for(pool[0].acquire(), limit)
        except TimeoutError:
            return await asked.say(b"no connection available", 500)
        await asyncio.sleep(ms / 1000)
        pool[0].release()
        return await asked.say()

    many = int(2 * size * 1000 * limit / ms)
    with answering(answer) as url:
        yield Bed(url, f"--phases few=0.15:for:3s,peak=1:for:4s -c {many} {engine(dice)}--get /", truth=Truth(
            lambda all: [("500", all.status(500), 0.02, 0.8), ("a second", len(all.all) * (1 - all.failed) / 4, 0.7 * size * 1000 / ms, 1.05 * size * 1000 / ms + 5)],
            users=many, think=0))


@cause("a TLS server that takes 120 to 250 ms for a handshake and closes connections after 4 requests", "tls-handshakes", "keep-alive-limit",
       meaning="connections end soon, and new ones are slow")
def slow_tls_few_requests(dice: Random) -> Iterator[Bed]:
    ms = dice.randint(120, 250)
    with server.go(option(tls=1, handshake=ms), rule(nth=4, header="Connection:close"), rule(ms=(4, 12))) as url:
        yield Bed(url, peak(6) + f"-k -c {dice.randint(8, 16)} --think {dice.randint(5, 20)}ms {engine(dice)}--get /items --post /items --body text", truth=Truth(
            lambda all: [("on a connection", max(one.nth for one in all.all), 4, 4), ("connect", all.connect_median, ms, ms + 80)]))


@cause("a TCP balancer closes every third new connection, whose instance isn't there", "resets", "new-connections", meaning="new connections end at once")
def tcp_balancer_dead_third(dice: Random) -> Iterator[Bed]:
    with server.go(rule(ms=(4, 12))) as a, server.node(rule(ms=(4, 12))) as b, server.haproxy(
            f"listen all\n  mode tcp\n  bind LISTEN\n  balance roundrobin\n  retries 0\n  server a {a[7:-1]}\n  server b {b[7:-1]}\n  server c 127.0.0.1:{faults.free_port()}") as url:
        yield Bed(url, peak(5) + f"-H Connection:close -c {dice.randint(10, 20)} --think 20ms {engine(dice)}--get /", truth=Truth(
            lambda all: [("failed", all.failed, 0.25, 0.42)], close=True))


@cause("a firewall that resets connections 0.8 to 1.8 s after they were made", "resets", "keep-alive-limit", meaning="connections are reset at an age")
def reset_at_age(dice: Random) -> Iterator[Bed]:
    age = pick(dice, 0.8, 1.8)

    async def answer(asked: Asked) -> bool:
        await some(20, 40)
        return await asked.say()

    def opened(writer: asyncio.StreamWriter) -> None:
        asyncio.get_running_loop().call_later(age, reset, writer)

    with answering(answer, opened) as url:
        yield Bed(url, peak(7) + f"-c {dice.randint(15, 30)} --think {dice.randint(3, 8)}ms {engine(dice)}--get /", truth=Truth(
            lambda all: [("failed", all.failed, 0.01 / age, 0.1 / age), ("slowest", all.slowest, 35, 120)], users=10, seconds=6))


@cause("the client in a control group with 0.1 to 0.2 CPUs, with event loops", "throttled", "loop-lag", meaning="the client has too little CPU time")
def events_client_throttled(dice: Random) -> Iterator[Bed]:
    with server.go(rule(ms=(2, 6))) as url, faults.control_group(pick(dice, 0.1, 0.2)) as under:
        yield Bed(url, f"--phases warmup=1:for:2s,peak=1:for:5s --engine events {dice.choice(('', '--http2 --streams 5 '))}-c 20 --rate {dice.randint(600, 900)}/s --get /", under)


@cause("a token bucket, for writes over HTTP/2", "rate-limit", meaning="a rate limit of one operation")
def h2_token_bucket(dice: Random) -> Iterator[Bed]:
    burst, rate = dice.randint(15, 40), dice.randint(20, 45)
    with server.go(rule(path="/orders", bucket=f"{burst}/{rate}", status=429), rule(ms=(3, 9))) as url:
        yield Bed(url, peak(6) + f"--engine events --http2 --streams 5 -c 20 --rate {5 * rate}/s --get /items --post /orders --body order", truth=Truth(
            lambda all: [("passed", len(all.all) * (1 - all.failed), burst + 3.4 * rate, burst + 4.8 * rate)], users=8, paths=("/orders",)))


@cause("one of two operations takes 0.9 to 1.6 s until its cache is filled", "slow-start", "slow-first-request", "cold-starts", meaning="the first requests are slow")
def search_warms_up(dice: Random) -> Iterator[Bed]:
    slow = dice.randint(900, 1600)
    with server.node(rule(path="/search", to=slow, ms=slow), rule(ms=(4, 12))) as url:
        yield Bed(url, "--phases peak=1:for:6s " + f"-c {dice.randint(12, 25)} --rate {dice.randint(60, 120)}/s {engine(dice)}--get /items --get /search", truth=Truth(
            lambda all: [("slow early", all.of("/search").share(lambda one: one.ms >= slow), 0.005, 0.5), ("slow late", all.share(lambda one: one.at > 1.1 * slow / 1000 and one.ms > 100), 0, 0),
                         ("/items", all.of("/items").slowest, 4, 60)], users=10, seconds=6, paths=("/items", "/search")))


@cause("a server sends 2 to 4 MB a second over all connections", "bandwidth", meaning="a limit of bandwidth")
def shared_egress(dice: Random) -> Iterator[Bed]:
    rate, size = dice.randint(2_000_000, 4_000_000), dice.randint(100_000, 250_000)
    due = [0.0]

    async def answer(asked: Asked) -> bool:
        asked.writer.write(f"HTTP/1.1 200 OK\r\nContent-Length: {size}\r\n\r\n".encode())
        for sent in range(0, size, CHUNK):
            now = time.monotonic()
            turn = max(now, due[0])
            length = min(CHUNK, size - sent)
            due[0] = turn + length / rate
            await asyncio.sleep(turn - now)
            asked.writer.write(b"x" * length)
            await asked.writer.drain()
        return True

    with answering(answer) as url:
        yield Bed(url, peak(6) + f"-c {dice.randint(4, 8)} {engine(dice)}--get /", truth=Truth(
            lambda all: [("bytes a second", len(all.all) * size / 4, 0.8 * rate, 1.2 * rate)], users=4, think=0))


@cause("10 to 25 % of the responses of one operation are 200, but say that something failed", "steady-failures", meaning="a constant share fails a check")
def errors_with_200(dice: Random) -> Iterator[Bed]:
    share = pick(dice, 0.1, 0.25)
    with server.java(rule(ms=(4, 12)), rule(path="/cart", share=share, bytes=300)) as url:
        yield Bed(url, peak(6) + users(dice) + "--get /items --post /cart --body item --expect body~ok", truth=Truth(
            lambda all: [("failed", all.share(lambda one: one.size == 300), 0.6 * share, 1.5 * share)], paths=("/cart",)))


@cause("3 to 8 % of the event streams end in the middle", "truncated-bodies", "resets", meaning="streams end before their last event")
def event_streams_cut_off(dice: Random) -> Iterator[Bed]:
    share, count = pick(dice, 0.03, 0.08), dice.randint(8, 12)

    async def answer(asked: Asked) -> bool:
        asked.writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
        last = random.randint(2, count - 2) if random.random() < share else count + 1
        for number in range(1, count + 1):
            if number == last:
                return False
            await some(15, 30)
            event = f"id: {number}\ndata: {{\"number\":{number}}}\n\n".encode()
            asked.writer.write(f"{len(event):x}\r\n".encode() + event + b"\r\n")
            await asked.writer.drain()
        asked.writer.write(b"0\r\n\r\n")
        return True

    with answering(answer) as url:
        yield Bed(url, peak(7) + f"-c {dice.randint(15, 30)} --think 20ms {engine(dice)}--get /events --event-stream 'events count={count}'", truth=Truth(
            lambda all: [("cut off", all.failed, 0.3 * share, 2.5 * share)], users=15))


@cause("a Python server that does 6 to 10 ms of work at a time, under a rising rate", "ramp-knee", "saturation", meaning="it handles no more than that")
def python_blocking_ramp(dice: Random) -> Iterator[Bed]:
    ms = dice.randint(6, 10)
    with server.python(rule(block=1, ms=ms)) as url:
        yield Bed(url, f"--phases 'peak=1 for 8s at {200 // ms}/s..{1900 // ms}/s' -c {dice.randint(25, 40)} {engine(dice)}--get /items --post /items --body text", truth=Truth(
            lambda all: [("a second", len(all.all) / 4, 700 / ms, 1000 / ms)], users=4, think=0))


@cause("one of three instances is slow, for one of two operations", "two-speeds", "slow-instance", meaning="one instance is slow")
def one_instance_slow_for_one_operation(dice: Random) -> Iterator[Bed]:
    slow = dice.randint(80, 160)
    with server.go(rule(ms=(4, 9))) as a, server.python(rule(ms=(4, 9))) as b, server.node(rule(path="/search", ms=(slow, slow + 20)), rule(ms=(4, 9))) as c, server.haproxy(
            f"listen all\n  bind LISTEN\n  balance random\n  server a {a[7:-1]}\n  server b {b[7:-1]}\n  server c {c[7:-1]}") as url:
        yield Bed(url, peak(7) + f"-c {dice.randint(20, 30)} --think 5ms {engine(dice)}--get /items --post /search --body text", truth=Truth(
            lambda all: [("slow /search", all.of("/search").slower(slow), 0.15, 0.5), ("slow /items", all.of("/items").slower(slow), 0, 0.02)], users=10,
            paths=("/items", "/search")))


@cause("10 to 20 % of the SYNs are lost", "packet-loss", "accept-queue", "slow-connects", meaning="some connections take a second longer")
def syns_lost(dice: Random) -> Iterator[Bed]:
    port, percent = 18_086, dice.randint(10, 20)
    with faults.network("nft add table inet loss", "nft add chain inet loss in '{ type filter hook input priority 0; }'",
                        f"nft 'add rule inet loss in tcp dport {port} tcp flags & (syn|ack) == syn numgen random mod 100 < {percent} drop'") as inside, \
            server.go(option(address=f"127.0.0.1:{port}"), rule(ms=(4, 12)), under=inside) as url:
        yield Bed(url, peak(7) + f"-c {dice.randint(15, 40)} --think 40ms -H Connection:close {engine(dice)}--get /", inside, truth=Truth(
            lambda all: [("slow connects", sum(ms > 900 for ms in all.connects) / max(1, len(all.connects)), percent / 250, percent / 50)], users=15, seconds=6, close=True))


@cause("a firewall that forgets connections which were idle for 0.8 s", "unanswered", "idle-timeout", meaning="idle connections lead nowhere")
def idle_forgotten(dice: Random) -> Iterator[Bed]:
    async def answer(asked: Asked) -> bool:
        await some(4, 12)
        if asked.nth > 1 and asked.idle > 0.8:
            await asyncio.sleep(30)
            return False
        return await asked.say()

    with answering(answer) as url:
        yield Bed(url, peak(8) + f"-c {dice.randint(25, 50)} --think 300ms..{dice.randint(850, 950)}ms --timeout 1s {engine(dice)}--get /", truth=Truth(
            lambda all: [("failed", all.failed, 0.3, 0.7)], think=0.9, timeout=1))


@cause("a Tomcat with 3 to 5 threads that tells nothing of itself", "saturation", "serial-work", meaning="more users only wait for threads")
def tomcat_silent(dice: Random) -> Iterator[Bed]:
    size, ms = dice.randint(3, 5), dice.randint(25, 50)
    with faults.target("--max-threads", str(size)) as url:
        yield Bed(url, f"--phases few=0.25:for:3s,peak=1:for:4s -c {8 * size} {engine(dice)}--get /delay?ms={ms} --get /bytes/2000", truth=Truth(
            lambda all: [("a second", len(all.all) / 4, size * 1000 / ms, 2.1 * size * 1000 / ms)], users=4 * size, think=0, paths=(f"/delay?ms={ms}", "/bytes/2000")))


@cause("every fourth connection is bound to an instance that fails", "steady-failures", meaning="some connections fail each time")
def sticky_bad_instance(dice: Random) -> Iterator[Bed]:
    with server.node(rule(ms=(4, 12)), rule(conn=4, status=500)) as url:
        yield Bed(url, peak(5) + f"--keep-cookies -c {4 * dice.randint(4, 7)} --think 15ms {engine(dice)}--get /items --put /cart --body item", truth=Truth(
            lambda all: [("500", all.status(500), 0.15, 0.35)], users=8))


@clean("files of 2 kB, 60 kB and 500 kB under one name")
def files_of_one_name(dice: Random) -> Iterator[Bed]:
    with server.python(rule(ms=(3, 8)), rule(path="/files/1", bytes=2_000), rule(path="/files/2", bytes=60_000), rule(path="/files/3", bytes=500_000)) as url:
        yield Bed(url, peak(6) + f"-c {dice.randint(5, 10)} --think 30ms {engine(dice)}", plan="""
scenarios:
  - name: download
    steps:
      - get: /files/{random:1..3}
        name: GET /files/ID
""")


@clean("long polls that end after 0.2 to 2 s, beside messages")
def long_polls(dice: Random) -> Iterator[Bed]:
    with server.go(rule(path="/poll", ms=(200, 2000)), rule(ms=(3, 8))) as url:
        yield Bed(url, peak(8) + f"-c {dice.randint(20, 50)} {engine(dice)}--get /poll --post /messages --body hello")


@clean("long polls that all end after a second, with 204")
def polls_without_news(dice: Random) -> Iterator[Bed]:
    with server.node(rule(ms=dice.randint(800, 1200), status=204)) as url:
        yield Bed(url, peak(7) + f"-c {dice.randint(15, 40)} --think 50ms..150ms {engine(dice)}--get /poll")


@clean("1 to 5 requests a second over HTTP/2")
def h2_low_rate(dice: Random) -> Iterator[Bed]:
    with server.go(rule(ms=(10, 40))) as url:
        yield Bed(url, f"--phases peak=1:for:8s --engine events --http2 --streams 2 -c 6 --rate {dice.randint(1, 5)}/s {dice.choice(('', '--arrivals poisson '))}--get /items --post /orders --body order")


@clean("a Tomcat whose users pause for 2 to 4 s")
def tomcat_large_think(dice: Random) -> Iterator[Bed]:
    with faults.target() as url:
        yield Bed(url, f"--phases peak=1:for:8s -c {dice.randint(30, 60)} --think 2s..4s {engine(dice)}--get / --get /delay?ms=20 --get /bytes/3000")


@clean("a Java server that has just started, after a warmup")
def java_warmed_up(dice: Random) -> Iterator[Bed]:
    with server.java(rule(path="/orders", ms=(20, 60)), rule(ms=(2, 6)), rule(bytes=3_000)) as url:
        yield Bed(url, peak(6, 2) + model(dice) + "--get /items --post /orders --body order --get /page")


@clean("HTTP/2, 20 to 40 streams on a connection, of operations with different times and sizes")
def h2_mixed(dice: Random) -> Iterator[Bed]:
    streams = dice.choice((20, 40))
    with server.go(rule(path="/report", ms=(150, 250), bytes=50_000), rule(path="/items", ms=(5, 15), bytes=4_000), rule(ms=(2, 6))) as url:
        yield Bed(url, peak(6) + f"--engine events --http2 --streams {streams} -c {2 * streams} --think {dice.randint(40, 80)}ms --get /report --get /items --get /")


@clean("journeys with a log-in, whose redirect is followed")
def login_and_redirect(dice: Random) -> Iterator[Bed]:
    with server.go(rule(method="POST", path="/login", ms=(60, 120), header="Location:/home", status=dice.choice((302, 303))), rule(ms=(4, 15))) as url:
        yield Bed(url, peak(7) + f"-c {dice.randint(10, 25)} {engine(dice)}", plan="""
scenarios:
  - name: visit
    session: {cookies: true, redirects: 3}
    steps:
      - post: /login
        form: {user: "{uuid}", password: secret}
      - think: 50ms..200ms
      - get: /account
      - think: 50ms..200ms
      - get: /logout
""")


@clean("tokens of a model, 10 to 30 ms apart")
def model_tokens(dice: Random) -> Iterator[Bed]:
    with faults.target() as url, tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        file.write('{"messages": [{"role": "user", "content": "How much?"}], "stream": true, "max_tokens": 20}')
        file.flush()
        yield Bed(url, peak(7) + f"-c {dice.randint(5, 15)} --think 100ms {engine(dice)}--post '/v1/chat/completions?first={dice.randint(100, 300)}&gap={dice.randint(10, 30)}' "
                  f"--body @{file.name} --event-stream openai")


@clean("items that are made, removed and then expected to be gone")
def removed_items(dice: Random) -> Iterator[Bed]:
    with server.java(rule(method="PUT", path="/items", status=201, ms=(10, 25)), rule(method="DELETE", path="/items", status=200, ms=(5, 15)),
                     rule(method="GET", path="/items", ms=(2, 6), status=404)) as url:
        yield Bed(url, peak(6) + f"-c {dice.randint(8, 20)} {engine(dice)}", plan="""
scenarios:
  - name: remove
    steps:
      - put: /items/{counter}
        name: PUT /items/ID
        body: text
        checks: status=201
      - think: 10ms..40ms
      - delete: /items/{counter}
        name: DELETE /items/ID
      - get: /items/{counter}
        name: GET /items/ID
        checks: status=404
""")


@clean("a new connection for each request, as the client asks for")
def client_closes(dice: Random) -> Iterator[Bed]:
    with dice.choice((server.go, server.node, server.python))(rule(ms=(15, 40))) as url:
        yield Bed(url, peak(6) + f"-H Connection:close -c {dice.randint(5, 15)} --think 40ms..120ms {engine(dice)}--get /items --post /items --body text")


@clean("users who pause for up to half of the server's keep-alive timeout")
def idle_within_limit(dice: Random) -> Iterator[Bed]:
    with server.node(option(idle=5000), rule(ms=(4, 15))) as url:
        yield Bed(url, f"--phases peak=1:for:8s -c {dice.randint(20, 50)} --think 1s..2500ms {engine(dice)}--get / --put /items --body text")


@clean("150 to 250 users and 20 to 50 requests a second")
def many_users_rare_requests(dice: Random) -> Iterator[Bed]:
    with server.go(rule(path="/search", ms=(40, 90)), rule(ms=(4, 12))) as url:
        yield Bed(url, f"--phases peak=1:for:8s -c {dice.randint(150, 250)} --rate {dice.randint(20, 50)}/s --arrivals poisson {engine(dice)}--get /items --get /search")


@clean("three of four pages haven't changed: 304")
def not_modified(dice: Random) -> Iterator[Bed]:
    with server.go(rule(ms=(3, 9)), rule(path="/pages", every=4, bytes=30_000, status=200), rule(path="/pages", status=304)) as url:
        yield Bed(url, peak(5) + users(dice) + "-H 'If-None-Match: \"1\"' --get /pages --get /")


@clean("conflicts are expected, one in four writes")
def expected_conflicts(dice: Random) -> Iterator[Bed]:
    with server.go(rule(ms=(5, 20)), rule(method="POST", share=0.25, status=409)) as url:
        yield Bed(url, peak(5) + model(dice) + "--get /seats --post /seats --body 12A --expect status=200,409")


@clean("TLS with a client's certificate, over nginx")
def client_certificate(dice: Random) -> Iterator[Bed]:
    with tempfile.TemporaryDirectory() as folder, server.node(rule(ms=(5, 20))) as behind, faults.nginx(
            "", f"ssl_verify_client optional_no_ca; location / {{ proxy_pass {behind[:-1]}; }}", tls="-newkey ec -pkeyopt ec_paramgen_curve:prime256v1") as url:
        key, cert = server.certificate(folder)
        yield Bed(url, peak(5) + f"-k --cert {cert} --key {key} -c {dice.randint(8, 20)} --think 30ms {engine(dice)}--get /items --get /account")


@clean("load in four steps, a server with enough room")
def steps_with_room(dice: Random) -> Iterator[Bed]:
    with server.go(rule(ms=4, exp=12)) as url:
        yield Bed(url, f"--phases a=0.25:for:2s,b=0.5:for:2s,c=0.75:for:2s,d=1:for:2s -c {dice.randint(30, 50)} --rate {dice.randint(150, 250)}/s {engine(dice)}--get /items --post /orders --body order")
