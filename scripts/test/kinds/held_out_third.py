"""
The third held-out set, which has been looked at since it was measured.

The kinds were written before any of them was run through the diagnosis, by somebody who hadn't read the rules, only the ids and the first
line that each one says. Each begins with what goes wrong in real systems; the ids are those that an engineer could begin with.
"""

from __future__ import annotations

import asyncio
import collections
import contextlib
import http.client
import math
import random
import re
import socket
import ssl
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import behaviours as server
import faults
from asking import Truth, took
from behaviours import option, rule
from kinds import Bed, cause, clean, engine, model, peak, pick, users
from kinds.held_out_second import CHUNK, Asked, answering, remembered, some, stopped


def steps(dice: Random, number: int) -> str:
    """A closed model without pauses, of a fifth of the users and then of all."""
    return f"--phases few=0.2:for:3s,peak=1:for:4s -c {number} {engine(dice)}"


def status(url: str, method: str, path: str, body: bytes) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", server.port(url), timeout=3)
    with contextlib.closing(connection):
        connection.request(method, path, body)
        return connection.getresponse().status


def statuses(url: str, bodies: dict[bytes, int], path: str = "/") -> list[tuple[str, float, float, float]]:
    return [(f"{len(body)} bytes" if len(body) > 40 else body.decode(), status(url, "POST", path, body), expected, expected)
            for body, expected in bodies.items()]


def of_haproxy(*urls: str, balance: str = "roundrobin", more: str = "") -> contextlib.AbstractContextManager[str]:
    """In front of these instances, without a second try."""
    servers = "".join(f"\n  server s{number} {url[7:-1]}" for number, url in enumerate(urls))
    return server.haproxy(f"listen all\n  bind LISTEN\n  balance {balance}\n  retries 0{more}{servers}")


# Limits of rates, by different algorithms.


@cause("nginx makes requests above 40 to 80 a second wait for their turn", "saturation", "serial-work", meaning="more users only wait for their turn")
def queueing_limiter(dice: Random) -> Iterator[Bed]:
    rate = dice.randint(40, 80)
    with faults.nginx(f"limit_req_zone $binary_remote_addr zone=all:1m rate={rate}r/s;",
                      "location / { limit_req zone=all burst=500; try_files /none @ok; } location @ok { return 200 ok; }") as url:
        yield Bed(url, steps(dice, dice.randint(20, 40)) + "--get /items --get /prices", truth=Truth(
            lambda all: [("a second", len(all.all) / 4, 0.85 * rate, 1.15 * rate), ("failed", all.failed, 0, 0)], users=10, think=0))


@cause("a log of the last 1 to 2 s allows 60 to 150 requests in any such time", "rate-limit", meaning="a rate limit of a sliding window")
def sliding_window(dice: Random) -> Iterator[Bed]:
    window, rate = pick(dice, 1, 2), dice.randint(60, 100)
    times: collections.deque[float] = collections.deque()

    async def answer(asked: Asked) -> bool:
        now = time.monotonic()
        while times and times[0] < now - window:
            times.popleft()
        if len(times) >= rate * window:
            return await asked.say(b'{"error": "too many requests"}', 429)
        times.append(now)
        await some(4, 12)
        return await asked.say()

    with answering(answer) as url:
        yield Bed(url, peak(6) + f"-c 20 --rate {dice.randint(2, 3) * rate}/s {engine(dice)}--get /items --post /orders --body order", truth=Truth(
            lambda all: [("passed a second", len(all.all) * (1 - all.failed) / 5, 0.8 * rate, 1.4 * rate), ("429", all.status(429), 0.05, 0.9)],
            users=8, seconds=5, think=0.005))


@cause("one of four tenants, who sends half of the requests, has used up its quota", "rate-limit", meaning="a rate limit of one tenant")
def tenant_over_quota(dice: Random) -> Iterator[Bed]:
    burst, rate = dice.randint(10, 30), dice.randint(20, 40)
    with server.go(rule(path="/tenants/big", bucket=f"{burst}/{rate}", header="Retry-After:1", status=429), rule(ms=(4, 15))) as url, \
            tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write("3 GET /tenants/big/items\n1 GET /tenants/a/items\n1 GET /tenants/b/items\n1 GET /tenants/c/items\n")
        file.flush()
        yield Bed(url, peak(6) + f"--requests {file.name} -c 25 --rate {6 * rate}/s {engine(dice)}{dice.choice(('', '--arrivals poisson '))}", truth=Truth(
            lambda all: [("passed /big", len(all.of("/tenants/big").all) * (1 - all.of("/tenants/big").failed), burst + 3.4 * rate, burst + 4.8 * rate),
                         ("others", all.of("/tenants/a").failed, 0, 0)], users=8, paths=("/tenants/big", "/tenants/big", "/tenants/a")))


@cause("HAProxy holds clients above 60 to 120 requests a second in a tarpit, then says 429", "rate-limit", meaning="a rate limit that answers late")
def tarpit(dice: Random) -> Iterator[Bed]:
    rate, hold = dice.randint(60, 120), dice.randint(200, 500)
    with server.node(rule(ms=(4, 12))) as behind, of_haproxy(behind, more=(
            f"\n  timeout tarpit {hold}ms\n  stick-table type ip size 1k expire 10s store http_req_rate(1s)\n  http-request track-sc0 src\n"
            f"  http-request tarpit deny_status 429 if {{ sc_http_req_rate(0) gt {rate} }}")) as url:
        yield Bed(url, peak(6) + f"-c 60 --rate {2 * rate}/s {engine(dice)}--get /", truth=Truth(
            lambda all: [("429", all.status(429), 0.1, 0.95), ("fastest 429", min(one.ms for one in all.all if one.status == 429), hold - 5, hold + 80)],
            users=40, think=0.1))


# Pauses.


@cause("each 1.4 to 2 s of allocations, a collection stops all threads for 0.2 to 0.4 s", "periodic-stalls", "standstill",
       meaning="all requests wait at even distances")
def collections_by_allocation(dice: Random) -> Iterator[Bed]:
    rate, ms = dice.randint(120, 220), dice.randint(200, 350)
    every = int(rate * pick(dice, 1.4, 2))
    with server.go(rule(every=every, block=1, ms=(ms, ms + 50)), rule(ms=(3, 9))) as url:
        yield Bed(url, peak(9) + f"-c 100 --rate {rate}/s {engine(dice)}--get /items --post /orders --body order", truth=Truth(
            lambda all: [("slowest", all.slowest, ms, ms + 150), ("slow share", all.slower(ms / 2), 0.001, 0.1), ("median", all.median, 3, 20)], users=8))


@cause("a cached value expires every 1.2 to 1.8 s, and all wait 0.25 to 0.45 s for the next one", "periodic-stalls", "standstill",
       meaning="all requests wait at even distances")
def cache_stampede(dice: Random) -> Iterator[Bed]:
    ttl, work = pick(dice, 1.2, 1.8), pick(dice, 0.25, 0.45)
    until = 0.0
    renewal: asyncio.Task | None = None

    async def renew() -> None:
        nonlocal until, renewal
        await asyncio.sleep(work)
        until = time.monotonic() + ttl
        renewal = None

    async def answer(asked: Asked) -> bool:
        nonlocal renewal
        if time.monotonic() >= until:
            renewal = renewal or asyncio.create_task(renew())
            await asyncio.shield(renewal)
        await some(3, 10)
        return await asked.say()

    with answering(answer) as url:
        yield Bed(url, peak(9) + f"-c 120 --rate {dice.randint(100, 200)}/s {engine(dice)}{dice.choice(('', '--arrivals poisson '))}--get /home", truth=Truth(
            lambda all: [("slowest", all.slowest, 900 * work, 1000 * work + 80), ("slow share", all.slower(40), 0.005, 0.3), ("median", all.median, 3, 20)], seconds=6))


@cause("a batch begins every second second of the clock, and slows all requests for 0.3 to 0.5 s", "periodic-stalls", meaning="all requests are slow at even distances")
def batch_by_the_clock(dice: Random) -> Iterator[Bed]:
    length, slow = pick(dice, 0.3, 0.5), dice.randint(90, 180)

    async def answer(asked: Asked) -> bool:
        await some(4, 12)
        if time.time() % 2 < length:
            await some(slow, 1.6 * slow)
        return await asked.say()

    with answering(answer) as url:
        yield Bed(url, peak(9) + f"-c 60 --rate {dice.randint(100, 180)}/s {engine(dice)}--get /items --get /prices", truth=Truth(
            lambda all: [("slow share", all.slower(slow), 0.01, 0.3), ("median", all.median, 4, 25)], seconds=6))


@cause("a full log is rotated once: all requests wait for 0.6 to 1 s", "standstill", "outage", meaning="the server stopped answering once")
def log_rotation(dice: Random) -> Iterator[Bed]:
    rate, ms = dice.randint(100, 180), dice.randint(600, 1000)
    with server.go(rule(every=5 * rate, block=1, ms=ms), rule(ms=(3, 9))) as url:
        yield Bed(url, peak(8) + f"-c 200 --rate {rate}/s {engine(dice)}--get /items --get /prices", truth=Truth(
            lambda all: [("slowest", all.slowest, ms, ms + 100), ("slow ones", len(all.all) * all.slower(ms / 2), 1, 10)],
            users=10, seconds=6, think=8 / rate - 0.008))


# Work that waits for others.


@cause("15 to 25 % of the requests hold a write lock for 20 to 40 ms", "saturation", "serial-work", meaning="more users only wait for the lock")
def lock_convoy(dice: Random) -> Iterator[Bed]:
    share, ms = pick(dice, 0.15, 0.25), dice.randint(20, 40)
    with server.go(rule(share=share, block=1, ms=ms), rule(ms=(1, 3))) as url:
        yield Bed(url, steps(dice, dice.randint(25, 40)) + "--get /account", truth=Truth(
            lambda all: [("a second", len(all.all) / 4, 500 / ms / share, 1250 / ms / share)], users=12, think=0))


@cause("a report of 100 to 200 ms takes all of a Tomcat's 3 to 5 threads, which pages of a few ms need too", "server-threads", "saturation",
       meaning="requests wait for a thread")
def slow_route_takes_threads(dice: Random) -> Iterator[Bed]:
    size, ms = dice.randint(3, 5), dice.randint(100, 200)
    with faults.target("--max-threads", str(size)) as url:
        yield Bed(url, steps(dice, 6 * size) + f"--get /delay?ms={ms} --get /bytes/500 --get /bytes/800 --server-metrics /metrics.json", truth=Truth(
            lambda all: [("reports a second", len(all.of(f"/delay?ms={ms}").all) / 4, 0.6 * size * 1000 / ms, 1.1 * size * 1000 / ms + 2),
                         ("pages", all.of("/bytes/500").slowest, ms / 2, 20 * ms)], users=4 * size, think=0, paths=(f"/delay?ms={ms}", "/bytes/500", "/bytes/800")))


@cause("most users' data is in one of four shards, which does one thing at a time", "saturation", "serial-work", meaning="more users only wait for a shard")
def hot_shard(dice: Random) -> Iterator[Bed]:
    hot, ms = dice.randint(7, 8), dice.randint(8, 14)
    shards: dict[int, asyncio.Lock] = {}

    async def answer(asked: Asked) -> bool:
        user = int(asked.path.split("/")[2])
        async with shards.setdefault(0 if user <= hot else user, asyncio.Lock()):
            await some(ms, ms + 4)
        return await asked.say()

    with answering(answer) as url:
        yield Bed(url, steps(dice, dice.randint(25, 40)), plan="""
scenarios:
  - name: inbox
    steps:
      - get: /users/{random:1..10}/inbox
        name: GET /users/ID/inbox
""", truth=Truth(lambda all: [("a second", len(all.all) / 4, 700 / (ms + 2) * 10 / hot, 1200 / ms * 10 / hot + 10)], users=20, think=0,
                 paths=tuple(f"/users/{number}/inbox" for number in range(1, 11))))


@cause("two or three workers, more requests than they can answer in the second phase", "saturation", "serial-work", "ramp-knee",
       meaning="it answers no more than that")
def open_overload(dice: Random) -> Iterator[Bed]:
    size = dice.randint(2, 3)
    with server.java(rule(pool=size, ms=(10, 30))) as url:
        yield Bed(url, f"--phases few=0.3:for:3s,peak=1:for:4s -c 150 --rate {70 * size}/s {engine(dice)}--get /search", truth=Truth(
            lambda all: [("a second", len(all.all) / 4, 38 * size, 54 * size)], users=6 * size, think=0))


@cause("an export of 60 to 100 ms is sent before all that follows over its HTTP/2 connection", "serial-streams", "serial-work",
       meaning="streams of a connection wait for each other")
def h2_head_of_line(dice: Random) -> Iterator[Bed]:
    ms = dice.randint(60, 100)
    with server.go(rule(path="/export", serial=1, ms=ms), rule(serial=1, ms=(1, 3))) as url:
        yield Bed(url, peak(6) + f"--engine events --http2 --streams 8 -c 16 --think {dice.randint(20, 60)}ms --get /export --get /items --get /prices --get /items/1",
                  probe=lambda: [("eight exports", server.streams_ms(f"{url}export", 8), 8 * ms, 10 * ms + 100), ("eight items", server.streams_ms(f"{url}items", 8), 8, 80)])


# Slower with time, or at first.


@cause("a dependency behind a pool of connections becomes 6 to 9 times as slow, in the middle", "drift", meaning="it gets slower")
def dependency_slows_down(dice: Random) -> Iterator[Bed]:
    fast, times, rate = dice.randint(9, 14), dice.randint(6, 9), dice.randint(70, 110)
    size = math.ceil(rate * fast * times / 1000)
    begin: list[float] = []
    pool: list[asyncio.Semaphore] = []

    async def answer(asked: Asked) -> bool:
        if not begin:
            begin.append(time.monotonic())
            pool.append(asyncio.Semaphore(size))
        async with pool[0]:
            await asyncio.sleep(fast / 1000 * (times if time.monotonic() > begin[0] + 5 else 1))
        return await asked.say()

    with answering(answer) as url:
        yield Bed(url, peak(8) + f"-c 120 --rate {rate}/s {engine(dice)}--get /items --post /orders --body order", truth=Truth(
            lambda all: [("fastest", min(one.ms for one in all.all), fast, 2 * fast + 5), ("slow share", all.slower(0.9 * fast * times), 0.02, 0.4)], seconds=8, users=5))


@cause("a list gets 0.2 to 0.3 ms slower with each order that was made", "drift", meaning="one operation gets slower with what it keeps")
def orders_without_index(dice: Random) -> Iterator[Bed]:
    each = pick(dice, 0.2, 0.3)
    orders = 0

    async def answer(asked: Asked) -> bool:
        nonlocal orders
        if asked.method == "POST":
            orders += 1
            await some(4, 8)
        else:
            await asyncio.sleep((5 + each * orders) / 1000)
        return await asked.say()

    with answering(answer) as url:
        yield Bed(url, peak(9) + f"-c 60 --rate {dice.randint(110, 160)}/s {engine(dice)}--get /orders --post /orders --body order", truth=Truth(
            lambda all: [("slowest", all.slowest, 4, 40), ("orders", orders, len(all.all), len(all.all))], method="POST", body=4))


@cause("code that isn't compiled yet takes 0.1 to 0.2 s, then less and less for 1.5 s", "slow-start", "cold-starts", meaning="the first requests are slow")
def warms_up_slowly(dice: Random) -> Iterator[Bed]:
    slow, halving = dice.randint(120, 220), pick(dice, 0.25, 0.4)
    begin = 0.0

    async def answer(asked: Asked) -> bool:
        nonlocal begin
        now = time.monotonic()
        begin = begin or now
        await asyncio.sleep((random.uniform(5, 9) + slow * 0.5 ** ((now - begin) / halving)) / 1000)
        return await asked.say()

    with answering(answer) as url:
        yield Bed(url, f"--phases peak=1:for:7s -c {dice.randint(25, 40)} --rate {dice.randint(60, 140)}/s {engine(dice)}--get /items --get /prices", truth=Truth(
            lambda all: [("slowest", all.slowest, 0.8 * slow, slow + 60), ("late", max(one.ms for one in all.all if one.at > 10 * halving), 5, 60)], seconds=6))


@cause("the burst credits of an instance's network run out: then it sends 2 to 3 MB a second", "bandwidth", "drift", meaning="a limit of bandwidth")
def burst_credits(dice: Random) -> Iterator[Bed]:
    size, rate = dice.randint(120_000, 180_000), dice.randint(2_000_000, 3_000_000)
    credit, last, lock = 12_000_000.0, 0.0, asyncio.Lock()

    async def answer(asked: Asked) -> bool:
        nonlocal credit, last
        asked.writer.write(f"HTTP/1.1 200 OK\r\nContent-Length: {size}\r\n\r\n".encode())
        for sent in range(0, size, CHUNK):
            length = min(CHUNK, size - sent)
            async with lock:
                now = time.monotonic()
                credit += (now - (last or now)) * rate - length
                last = now
                if credit < 0:
                    await asyncio.sleep(-credit / rate)
            asked.writer.write(b"x" * length)
            await asked.writer.drain()
        return True

    with answering(answer) as url:
        yield Bed(url, peak(8) + f"-c 40 --rate {dice.randint(28, 34)}/s {engine(dice)}--get /video", truth=Truth(
            lambda all: [("MB after", sum(one.size for one in all.all) * 1e-6 - 12, 3.2 * rate * 1e-6, 5.2 * rate * 1e-6)], users=4, think=0, seconds=4))


# New connections.


@cause("a Python server whose work keeps it from accepting, with a backlog of 1", "accept-queue", meaning="its accept queue is full")
def busy_loop_and_backlog(dice: Random) -> Iterator[Bed]:
    with server.python(option(backlog=1), rule(block=1, ms=dice.randint(15, 30))) as url:
        yield Bed(url, f"--phases peak=1:for:7s -c {dice.randint(15, 25)} --think {dice.randint(20, 60)}ms -H Connection:close {engine(dice)}--get /", truth=Truth(
            lambda all: [("slow connects", sum(ms > 900 for ms in all.connects) / max(1, len(all.connects)), 0.03, 0.9)], users=20, close=True, seconds=5))


@cause("a firewall drops SYNs above 25 to 35 a second", "accept-queue", "packet-loss", "slow-connects", "new-connections",
       meaning="some connections take a second longer")
def syns_above_a_rate(dice: Random) -> Iterator[Bed]:
    port, rate = 18_091, dice.randint(25, 35)
    with faults.network("nft add table inet guard", "nft add chain inet guard in '{ type filter hook input priority 0; }'",
                        f"nft 'add rule inet guard in tcp dport {port} tcp flags & (syn|ack) == syn limit rate over {rate}/second burst 5 packets drop'") as inside, \
            server.go(option(address=f"127.0.0.1:{port}"), rule(ms=(4, 12)), under=inside) as url:
        yield Bed(url, peak(7) + f"-c 100 --rate {round(1.3 * rate)}/s -H Connection:close {engine(dice)}--get /", inside, truth=Truth(
            lambda all: [("slow connects", sum(ms > 900 for ms in all.connects) / max(1, len(all.connects)), 0.1, 0.9)], users=20, close=True, seconds=6))


@cause("HAProxy rejects more than 12 to 20 connections of an address", "connection-limit", "new-connections", meaning="it has a limit of connections")
def connections_of_an_address(dice: Random) -> Iterator[Bed]:
    most = dice.randint(12, 20)
    with server.go(rule(ms=(8, 20))) as behind, of_haproxy(behind, more=(
            "\n  stick-table type ip size 1k expire 10s store conn_cur\n  tcp-request connection track-sc0 src\n"
            f"  tcp-request connection reject if {{ sc0_conn_cur gt {most} }}")) as url:
        yield Bed(url, peak(6) + f"-c {2 * most} --think {dice.randint(10, 40)}ms {engine(dice)}--get /items --get /prices", truth=Truth(
            lambda all: [("failed", all.failed, 0.1, 0.9)], users=most + 8))


@contextlib.contextmanager
def one_handshake_at_a_time(seconds: float) -> Iterator[str]:
    """The address of a server with threads, whose thread that accepts connections makes the handshakes, too."""
    over = threading.Event()

    def serve(secure: ssl.SSLSocket) -> None:
        with secure, contextlib.suppress(OSError), secure.makefile("rb") as lines:
            for line in lines:
                if line == b"\r\n":
                    time.sleep(0.005)
                    secure.sendall(faults.OK)

    def accept() -> None:
        while not over.is_set():
            with contextlib.suppress(OSError):
                raw, _ = listener.accept()
                raw.settimeout(3)
                time.sleep(seconds)
                threading.Thread(target=serve, args=(context.wrap_socket(raw, server_side=True),), daemon=True).start()

    with tempfile.TemporaryDirectory() as folder, socket.create_server(("127.0.0.1", 0), backlog=512) as listener:
        key, cert = server.certificate(folder)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(cert, key)
        listener.settimeout(0.2)
        thread = threading.Thread(target=accept)
        thread.start()
        try:
            yield f"https://127.0.0.1:{listener.getsockname()[1]}/"
        finally:
            over.set()
            thread.join()


@cause("a server makes one TLS handshake at a time, in 15 to 30 ms", "tls-handshakes", meaning="handshakes wait for each other")
def handshakes_one_by_one(dice: Random) -> Iterator[Bed]:
    seconds = pick(dice, 0.015, 0.03)
    with one_handshake_at_a_time(seconds) as url:
        yield Bed(url, peak(6) + f"-k -c {dice.randint(8, 14)} --think {dice.randint(10, 40)}ms -H Connection:close {engine(dice)}--get /", truth=Truth(
            lambda all: [("connect", all.connect_median, 3000 * seconds, 9000 * seconds), ("failed", all.failed, 0, 0)], users=8, close=True))


@cause("a name is first looked up in five search domains that don't have it, 60 to 120 ms each", "slow-dns", meaning="looking up the name is slow")
def search_domains(dice: Random) -> Iterator[Bed]:
    address, seconds = "127.0.0.91", pick(dice, 0.06, 0.12)
    with faults.name_server(address, seconds, "items.shop.example"), faults.own_files(
            resolv_conf=f"nameserver {address}\nsearch one.local two.local three.local four.local five.local\noptions ndots:5\n") as under, \
            server.java(rule(ms=(4, 12))) as url:
        yield Bed(url.replace("127.0.0.1", "items.shop.example"), f"--phases peak=1:for:5s -c {dice.randint(10, 25)} --think 20ms -H Connection:close "
                  f"{engine(dice)}--get /", under, probe=lambda: [("ms", took(under, "getent", "ahostsv4", "items.shop.example"), 5900 * seconds, 13_000 * seconds)])


# Instances and workers.


@cause("one of three instances accepts connections, but never answers; nginx asks another one after 0.25 to 0.6 s", "two-speeds", "slow-instance",
       meaning="one instance is slow")
def half_dead_third(dice: Random) -> Iterator[Bed]:
    limit = dice.randint(250, 600)
    with server.go(rule(ms=(4, 12))) as a, server.node(rule(ms=(4, 12))) as b, socket.create_server(("127.0.0.1", 0), backlog=2000) as silent, faults.nginx(
            "upstream three { " + "".join(f"server {one} max_fails=0; " for one in (a[7:-1], b[7:-1], f"127.0.0.1:{silent.getsockname()[1]}")) + "}",
            f"location / {{ proxy_read_timeout {limit}ms; proxy_pass http://three; }}") as url:
        yield Bed(url, peak(7) + f"-c {dice.randint(15, 30)} --think {dice.randint(5, 25)}ms {engine(dice)}--get /items --get /prices", truth=Truth(
            lambda all: [("slow", all.slower(limit - 5), 0.2, 0.45), ("failed", all.failed, 0, 0), ("slowest", all.slowest, limit, limit + 100)], users=10))


@cause("one of three instances freezes in the middle, HAProxy goes on asking it", "unanswered", "steady-failures", meaning="a third isn't answered any more")
def instance_freezes(dice: Random) -> Iterator[Bed]:
    with tempfile.TemporaryDirectory() as folder, server.go(rule(ms=(4, 12))) as a, server.python(rule(ms=(4, 12))) as b, \
            server.node(rule(ms=(4, 12)), under=remembered(folder)) as c, of_haproxy(a, b, c) as url, stopped(folder, [(5, 60)]):
        yield Bed(url, peak(8) + f"-c {dice.randint(20, 40)} --think {dice.randint(10, 40)}ms --timeout {dice.randint(600, 1000)}ms {engine(dice)}--get /", truth=Truth(
            lambda all: [("unanswered", all.share(lambda one: one.status == 0 and one.at > 5.2) / max(0.001, all.share(lambda one: one.at > 5.2)), 0.25, 0.6),
                         ("early", all.share(lambda one: one.status == 0 and one.at < 3.5), 0, 0)], users=15, seconds=8, timeout=0.8))


@cause("the worker for one of eight users deadlocks in the middle", "unanswered", "steady-failures", meaning="some users aren't answered any more")
def worker_deadlocks(dice: Random) -> Iterator[Bed]:
    stuck, begin = dice.randint(1, 8), dice.randint(2500, 4000)
    with server.go(rule(**{"from": begin}, path=f"/users/{stuck}", end="hang"), rule(ms=(4, 15))) as url:
        yield Bed(url, peak(7) + f"-c {dice.randint(20, 40)} --think {dice.randint(10, 30)}ms --timeout {dice.randint(500, 900)}ms {engine(dice)}", plan="""
scenarios:
  - name: cart
    steps:
      - get: /users/{random:1..8}/cart
        name: GET /users/ID/cart
""", truth=Truth(lambda all: [("unanswered", all.of(f"/users/{stuck}/cart").share(lambda one: one.status == 0), 0.05, 0.9),
                              ("others", all.of(f"/users/{stuck % 8 + 1}/cart").failed, 0, 0)], users=10, seconds=6, timeout=0.7,
                 paths=tuple(f"/users/{number}/cart" for number in range(1, 9))))


@cause("a pool of 6 to 10 loses a connection now and then, and has none left in the end", "outage", "unanswered", meaning="nothing is answered any more")
def pool_leaks_dry(dice: Random) -> Iterator[Bed]:
    size, rate = dice.randint(6, 10), dice.randint(80, 130)
    every, count = int(4.5 * rate / size), 0
    pool: list[asyncio.Semaphore] = []

    async def answer(asked: Asked) -> bool:
        nonlocal count
        if not pool:
            pool.append(asyncio.Semaphore(size))
        await pool[0].acquire()
        await some(8, 16)
        count += 1
        if count % every:
            pool[0].release()
        return await asked.say()

    with answering(answer) as url:
        yield Bed(url, peak(7) + f"-c 150 --rate {rate}/s --timeout {dice.randint(600, 1000)}ms {engine(dice)}--get /items --post /orders --body order", truth=Truth(
            lambda all: [("answered", len(all.all) * (1 - all.failed), every * size - 1, every * size + 1)], users=8, seconds=6, timeout=0.7, think=0.03))


@cause("three instances are replaced one after another, each is away for 0.6 to 1 s", "restarts", "bad-gateway", meaning="short bursts of failures")
def rolling_deploy(dice: Random) -> Iterator[Bed]:
    length = dice.randint(600, 1000)
    with contextlib.ExitStack() as stack:
        instances = [stack.enter_context(server.go(option(down=(at, at + length)), rule(ms=(4, 12)))) for at in (2500, 4500, 6500)]
        url = stack.enter_context(of_haproxy(*instances))
        yield Bed(url, peak(8) + model(dice) + "--get /items --get /prices", truth=Truth(
            lambda all: [("503", all.status(503), 0.03, 0.25), ("first 503", min([one.at for one in all.all if one.status == 503] or [0]), 2.3, 2.9)], seconds=8))


@cause("HAProxy needs 1 to 1.5 s to see that the primary is gone, before it uses the other one", "outage", "restarts", "bad-gateway",
       meaning="a short outage")
def failover_gap(dice: Random) -> Iterator[Bed]:
    begin, interval = dice.randint(3000, 4000), dice.randint(400, 550)
    with server.go(option(down=(begin, 60_000)), rule(ms=(4, 12))) as a, server.node(rule(ms=(6, 15))) as b, server.haproxy(
            f"listen all\n  bind LISTEN\n  retries 0\n  server a {a[7:-1]} check inter {interval}ms fall 3\n  server b {b[7:-1]} check inter 200ms backup") as url:
        yield Bed(url, peak(7) + model(dice) + "--get /items --post /orders --body order", truth=Truth(
            lambda all: [("503", all.status(503), 0.08, 0.5), ("last 503", max([one.at for one in all.all if one.status == 503] or [0]), begin / 1000 + 0.6, begin / 1000 + 2.2),
                         ("ends well", float(max(all.all, key=lambda one: one.at).status), 200, 200)], seconds=7))


@cause("a version that always fails is deployed in the middle", "outage", meaning="nothing succeeds any more")
def bad_deploy(dice: Random) -> Iterator[Bed]:
    begin = dice.randint(3500, 4800)
    with dice.choice((server.go, server.node, server.java))(rule(**{"from": begin}, ms=(2, 5), status=500), rule(ms=(6, 20))) as url:
        yield Bed(url, peak(7) + model(dice) + "--get /items --get /prices", truth=Truth(
            lambda all: [("500", all.status(500), 0.1, 0.7), ("first 500", min([one.at for one in all.all if one.status == 500] or [0]), begin / 1000 - 0.1, begin / 1000 + 0.2)],
            seconds=7))


@cause("a disk is full in the middle: no more writes, 507", "outage", meaning="one operation fails from then on")
def disk_full(dice: Random) -> Iterator[Bed]:
    rate = dice.randint(100, 200)
    room = int(rate / 2 * pick(dice, 4, 5))

    async def answer(asked: Asked) -> bool:
        nonlocal room
        await some(4, 12)
        if asked.method == "POST":
            room -= 1
            if room < 0:
                return await asked.say(b"no space left on device", 507)
        return await asked.say()

    total = room
    with answering(answer) as url:
        yield Bed(url, peak(7) + f"-c 30 --rate {rate}/s {engine(dice)}--get /files --post /files --body text", truth=Truth(
            lambda all: [("written", len(all.all) * (1 - all.failed), total, total), ("507", all.status(507), 0.01, 0.9)], method="POST", body=4, users=10, think=0.005))


# What is sent, and what comes back.


@cause("nginx's only upstream may have 5 to 8 connections: 502 for all above", "bad-gateway", "failures-with-load", "load-shedding",
       meaning="it fails under load")
def upstream_max_conns(dice: Random) -> Iterator[Bed]:
    most = dice.randint(5, 8)
    with server.go(rule(ms=(15, 30))) as behind, faults.nginx(
            f"upstream one {{ server {behind[7:-1]} max_conns={most}; }}", "location / { proxy_pass http://one; }") as url:
        yield Bed(url, f"--phases few=0.2:for:3s,peak=1:for:4s -c {3 * most} --think 10ms {engine(dice)}--get /items --get /prices", truth=Truth(
            lambda all: [("502", all.status(502), 0.05, 0.9)], users=2 * most, think=0.01))


@cause("8 to 25 % of the responses have a cookie that is too large for nginx: 502", "bad-gateway", "steady-failures", meaning="a constant share fails")
def cookie_too_large(dice: Random) -> Iterator[Bed]:
    share = pick(dice, 0.08, 0.25)
    with server.go(rule(ms=(4, 12)), rule(path="/cart", share=share, header="Set-Cookie:cart=" + "x" * 9000)) as behind, faults.nginx(
            "", f"location / {{ proxy_pass {behind[:-1]}; }}") as url:
        yield Bed(url, peak(6) + users(dice, 10, 20) + "--get /items --get /cart", truth=Truth(
            lambda all: [("502", all.status(502), 0.5 * share, 1.6 * share)], paths=("/cart",)))


@cause("orders with one of 5 to 10 quantities fail with 500", "steady-failures", meaning="some data fails each time")
def some_quantities_fail(dice: Random) -> Iterator[Bed]:
    most = dice.randint(5, 10)

    async def answer(asked: Asked) -> bool:
        await some(4, 20)
        return await asked.say(b"division by zero" if (bad := re.search(rb'"quantity": *"?0"?\b', asked.body)) else b"ok", 500 if bad else 200)

    with answering(answer) as url:
        yield Bed(url, peak(6) + model(dice), plan=f"""
scenarios:
  - name: order
    steps:
      - get: /items
      - post: /orders
        json: {{item: "{{uuid}}", quantity: "{{random:0..{most - 1}}}"}}
        onFailure: continue
""", probe=lambda: statuses(url, {b'{"quantity": "0"}': 500, b'{"quantity":"1"}': 200, b'{"quantity":"10"}': 200}))


@cause("nginx takes bodies of 16 kB, one of three operations sends more: 413", "wrong-request", "always-fails", meaning="a request is too large")
def body_too_large(dice: Random) -> Iterator[Bed]:
    size = dice.randint(20_000, 60_000)
    with tempfile.NamedTemporaryFile() as body, server.go(rule(ms=(4, 12))) as behind, faults.nginx(
            "client_max_body_size 16k;", f"location / {{ proxy_pass {behind[:-1]}; }}") as url:
        Path(body.name).write_bytes(b"x" * size)
        yield Bed(url, peak(5) + users(dice) + f"--get /items --post /notes --body text --post /images --body @{body.name}",
                  probe=lambda: statuses(url, {b"text": 200, b"x" * size: 413}, "/images"))


@cause("a token expires before 20 to 40 % of the users use it: 401", "steady-failures", "credentials", meaning="a constant share isn't authorized")
def token_expires(dice: Random) -> Iterator[Bed]:
    life = dice.randint(350, 470)

    async def answer(asked: Asked) -> bool:
        await some(4, 12)
        now = int(time.monotonic() * 1000)
        if asked.method == "POST":
            return await asked.say(f'{{"token": "{now}"}}'.encode())
        return await asked.say(b"expired", 401) if now > int(asked.path.split("/")[2]) + life else await asked.say()

    with answering(answer) as url:
        yield Bed(url, peak(7) + f"-c {dice.randint(30, 50)} {engine(dice)}", plan="""
scenarios:
  - name: visit
    steps:
      - post: /login
        json: {name: "{uuid}"}
        extract: {token: "json:/token"}
      - think: 50ms..550ms
      - get: "/account/{token}"
        name: GET /account
""", probe=lambda: [("old", status(url, "GET", "/account/0", b""), 401, 401),
                    ("new", status(url, "GET", f"/account/{int(time.monotonic() * 1000)}", b""), 200, 200)])


@cause("a server closes its connections after 6 to 15 responses and doesn't say so", "keep-alive-limit", "resets", "idle-timeout",
       meaning="connections are closed after few requests")
def closes_silently(dice: Random) -> Iterator[Bed]:
    most = dice.randint(6, 15)

    async def answer(asked: Asked) -> bool:
        await some(4, 12)
        await asked.say()
        return asked.nth < most

    with answering(answer) as url:
        yield Bed(url, peak(6) + f"-c {dice.randint(10, 20)} --think {dice.randint(2, 6)}ms {engine(dice)}--get /items --get /prices", truth=Truth(
            lambda all: [("on a connection", max(one.nth for one in all.all if one.status), most, most)]))


@cause("packets of more than 1,200 bytes vanish on the way back: large responses never arrive", "never-answered", "unanswered", meaning="large responses are lost")
def black_hole_for_large_packets(dice: Random) -> Iterator[Bed]:
    port = 18_093
    with faults.network("ip link set lo mtu 1500", "nft add table inet hole", "nft add chain inet hole in '{ type filter hook input priority 0; }'",
                        f"nft add rule inet hole in tcp sport {port} meta length gt 1200 drop") as inside, \
            server.go(option(address=f"127.0.0.1:{port}"), rule(path="/image", bytes=dice.randint(15_000, 60_000)), rule(ms=(4, 12)), under=inside) as url:
        yield Bed(url, peak(6) + f"-c {dice.randint(15, 30)} --think 20ms --timeout {dice.randint(600, 1000)}ms {engine(dice)}--get /page --get /image --get /page/2",
                  inside, truth=Truth(lambda all: [("/image", all.of("/image").failed, 1, 1), ("/page", all.of("/page").failed, 0, 0)],
                                      users=10, paths=("/image", "/page"), timeout=0.7))


# What is wrong with the plan, or with what it meets.


@cause("https:// to a port without TLS", "no-tls", meaning="the target speaks no TLS")
def https_to_plain_port(dice: Random) -> Iterator[Bed]:
    with dice.choice((server.go, server.node))(rule(ms=(4, 12))) as url:
        yield Bed(f"https{url[4:]}", f"--phases peak=1:for:5s -k -c {dice.randint(5, 20)} --think 20ms {engine(dice)}--get /", probe=lambda: [
            ("plain", took([], "curl", "-sf", url), 0, 500), ("TLS", took([], "curl", "-skf", f"https{url[4:]}"), -1, -1)])


@cause("the port of another protocol, which greets", "not-http", meaning="the target speaks no HTTP")
def other_protocol(dice: Random) -> Iterator[Bed]:
    greeting = dice.choice((b"SSH-2.0-OpenSSH_9.6\r\n", b"220 mail.example ESMTP\r\n"))

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            writer.write(greeting)
            await reader.read(1000)
            await asyncio.sleep(0.01)
        writer.close()

    with faults._listening(serve) as port:  # noqa: SLF001
        yield Bed(f"http://127.0.0.1:{port}/", f"--phases peak=1:for:5s -c {dice.randint(5, 15)} --think 20ms {engine(dice)}--get /", probe=lambda: [
            ("curl", took([], "curl", "-sf", f"http://127.0.0.1:{port}/"), -1, -1)])


@cause("a check expects a field that the service has renamed, in one of two operations", "check-never-holds", meaning="a check is wrong")
def renamed_field(dice: Random) -> Iterator[Bed]:
    async def answer(asked: Asked) -> bool:
        await some(4, 15)
        return await asked.say(b'{"status": "ready", "count": 3}')

    with answering(answer) as url:
        yield Bed(url, peak(5) + model(dice) + "--get /items --get /health --expect json:/state=ready", truth=Truth(
            lambda all: [("failed", all.failed, 0, 0), ("size", float(all.all[0].size), 31, 31)], paths=("/health",)))


@cause("a TCP balancer that has no instance left", "always-closed", meaning="every connection is closed at once")
def balancer_without_instances(dice: Random) -> Iterator[Bed]:
    with server.haproxy(f"listen all\n  mode tcp\n  bind LISTEN\n  retries 0\n  server a 127.0.0.1:{faults.free_port()}") as url:
        yield Bed(url, f"--phases peak=1:for:5s -c {dice.randint(5, 20)} --think 20ms {engine(dice)}--get /", truth=Truth(
            lambda all: [("failed", all.failed, 1, 1), ("connected", all.share(lambda one: one.problem in ("ConnectionResetError", "RemoteDisconnected")), 1, 1)]))


# Healthy, though it may look otherwise.


@clean("lognormal times with a median of 15 to 40 ms")
def lognormal_times(dice: Random) -> Iterator[Bed]:
    median, sigma = dice.randint(15, 40), pick(dice, 0.4, 0.8)

    async def answer(asked: Asked) -> bool:
        await asyncio.sleep(random.lognormvariate(math.log(median / 1000), sigma))
        return await asked.say()

    with answering(answer) as url:
        yield Bed(url, peak(7) + model(dice, (80, 160)) + "--get /items --post /orders --body order")


@clean("one user who pauses for 0.1 to 0.3 s")
def single_user(dice: Random) -> Iterator[Bed]:
    with server.java(rule(ms=3, exp=15)) as url:
        yield Bed(url, f"--phases peak=1:for:8s -c 1 --think 100ms..300ms {engine(dice)}--get /items --get /prices")


@clean("pages of 10 to 1,000 entries: time and size follow from what is asked for")
def pages_of_any_length(dice: Random) -> Iterator[Bed]:
    each = pick(dice, 0.03, 0.09)

    async def answer(asked: Asked) -> bool:
        entries = int(asked.path.partition("=")[2] or 10)
        await asyncio.sleep((random.uniform(3, 6) + each * entries) / 1000)
        return await asked.say(b"x" * 60 * entries)

    with answering(answer) as url:
        yield Bed(url, peak(7) + f"-c {dice.randint(8, 20)} --think 20ms..80ms {engine(dice)}", plan="""
scenarios:
  - name: browse
    steps:
      - get: /items?limit={random:10..1000}
        name: GET /items
""")


@clean("four workers that are busy half of the time, Poisson arrivals, exponential times")
def moderate_queue(dice: Random) -> Iterator[Bed]:
    with server.go(rule(pool=4, exp=20)) as url:
        yield Bed(url, peak(8) + f"-c 60 --rate {dice.randint(80, 110)}/s --arrivals poisson {engine(dice)}--get /items --get /prices")


@clean("a Node server that computes for a third of the time")
def node_a_third_busy(dice: Random) -> Iterator[Bed]:
    with server.node(rule(cpu=3)) as url:
        yield Bed(url, peak(6) + f"-c 30 --rate {dice.randint(80, 120)}/s {engine(dice)}{dice.choice(('', '--arrivals poisson '))}--get /items --post /orders --body order")


@clean("a rate that rises and falls again")
def rises_and_falls(dice: Random) -> Iterator[Bed]:
    top = dice.randint(120, 220)
    with dice.choice((server.go, server.java))(rule(ms=(5, 15))) as url:
        yield Bed(url, f"--phases 'up=1 for 4s at 20/s..{top}/s,down=1 for 4s at {top}/s..20/s' -c 40 {engine(dice)}--get /items --get /prices")


@clean("waves: two seconds at a low rate, two at a high one, twice")
def waves(dice: Random) -> Iterator[Bed]:
    low, high = dice.randint(10, 30), dice.randint(120, 200)
    with server.node(rule(ms=3, exp=8)) as url:
        yield Bed(url, "--phases '" + ",".join(f"{name}=1 for 2s at {rate}/s" for name, rate in (("a", low), ("b", high), ("c", low), ("d", high)))
                  + f"' -c 50 {engine(dice)}{dice.choice(('', '--arrivals poisson '))}--get /")


@clean("HEAD asks whether items exist: 40 % don't, and both is expected")
def asks_for_existence(dice: Random) -> Iterator[Bed]:
    with server.go(rule(ms=(3, 12)), rule(method="HEAD", share=pick(dice, 0.3, 0.5), status=404)) as url:
        yield Bed(url, peak(6) + model(dice) + "--get /items --head /items/7 --expect status=200,404")


@clean("parts of files: 206")
def parts_of_files(dice: Random) -> Iterator[Bed]:
    size = dice.randint(30_000, 120_000)

    async def answer(asked: Asked) -> bool:
        await some(4, 12)
        return await asked.say(b"x" * size, 206)

    with answering(answer) as url:
        yield Bed(url, peak(6) + f"-H 'Range: bytes=0-{size - 1}' -c {dice.randint(5, 12)} --think 30ms {engine(dice)}--get /video")


@clean("responses that are made while they are sent, in 6 to 12 parts 20 to 60 ms apart")
def progressive_responses(dice: Random) -> Iterator[Bed]:
    parts, gap = dice.randint(6, 12), dice.randint(20, 60)

    async def answer(asked: Asked) -> bool:
        asked.writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n")
        for _ in range(parts):
            await some(0.7 * gap, 1.3 * gap)
            asked.writer.write(b"7d0\r\n" + b"x" * 2000 + b"\r\n")
            await asked.writer.drain()
        asked.writer.write(b"0\r\n\r\n")
        return True

    with answering(answer) as url:
        yield Bed(url, peak(7) + f"-c {dice.randint(8, 20)} --think 50ms..150ms {engine(dice)}--get /report")


@clean("jobs: 202 at once, the result after a pause")
def jobs(dice: Random) -> Iterator[Bed]:
    with server.node(rule(method="POST", path="/jobs", ms=(5, 15), status=202), rule(path="/jobs", ms=(60, 140), bytes=5000), rule(ms=(3, 9))) as url:
        yield Bed(url, peak(8) + f"-c {dice.randint(10, 25)} {engine(dice)}", plan="""
scenarios:
  - name: render
    steps:
      - post: /jobs
        json: {document: "{uuid}"}
        checks: status=202
      - think: 200ms..500ms
      - get: /jobs/{counter}
        name: GET /jobs/ID
""")


@clean("journeys with a token, and users who think for 0.8 to 2 s")
def token_journeys(dice: Random) -> Iterator[Bed]:
    async def answer(asked: Asked) -> bool:
        if asked.path == "/login":
            await some(50, 110)
            return await asked.say(b'{"token": "abc"}')
        await some(4, 20)
        return await asked.say()

    with answering(answer) as url:
        yield Bed(url, f"--phases peak=1:for:9s -c {dice.randint(20, 50)} {engine(dice)}", plan="""
scenarios:
  - name: visit
    steps:
      - post: /login
        json: {name: "{uuid}"}
        extract: {token: "json:/token"}
      - think: 800ms..2s
      - get: /inbox
        headers: {Authorization: "Bearer {token}"}
      - think: 800ms..2s
      - get: /inbox/{random:1..100}
        name: GET /inbox/ID
        headers: {Authorization: "Bearer {token}"}
""")


@clean("readers, and a few editors whose saves take 0.15 to 0.3 s")
def readers_and_editors(dice: Random) -> Iterator[Bed]:
    with server.go(rule(method="PUT", ms=(150, 300)), rule(ms=3, exp=8)) as url:
        yield Bed(url, peak(8) + f"-c {dice.randint(15, 35)} {engine(dice)}", plan="""
scenarios:
  - name: read
    weight: 85
    steps:
      - get: /pages/{random:1..500}
        name: GET /pages/ID
      - think: 100ms..400ms
  - name: edit
    weight: 15
    steps:
      - get: /pages/{random:1..500}/edit
        name: GET /pages/ID/edit
      - think: 200ms..600ms
      - put: /pages/{random:1..500}
        name: PUT /pages/ID
        body: text
""")


@clean("small and large uploads, by two operations")
def small_and_large_uploads(dice: Random) -> Iterator[Bed]:
    with tempfile.NamedTemporaryFile() as body, server.java(rule(path="/images", ms=(30, 60)), rule(ms=(4, 12))) as url:
        Path(body.name).write_bytes(b"x" * dice.randint(150_000, 400_000))
        yield Bed(url, peak(6) + f"-c {dice.randint(4, 8)} --think 40ms {engine(dice)}--post /notes --body text --post /images --body @{body.name}")


@clean("large bodies over HTTP/2 and TLS")
def h2_tls_large_bodies(dice: Random) -> Iterator[Bed]:
    with server.go(option(tls=1), rule(ms=(5, 15)), rule(path="/image", bytes=dice.randint(150_000, 300_000)), rule(bytes=2000)) as url:
        yield Bed(url, peak(6) + f"-k --engine events --http2 --streams {dice.choice((2, 4))} -c {dice.randint(4, 10)} --think 60ms --get /page --get /image")


@clean("HTTP/2 and TLS on a way of 20 to 40 ms")
def h2_tls_far_away(dice: Random) -> Iterator[Bed]:
    seconds = pick(dice, 0.01, 0.02)
    with faults.network() as inside, faults.delays(inside, lambda: seconds) as address, \
            server.go(option(address="10.99.0.1:0", tls=1), rule(ms=(3, 12)), under=inside) as url:
        yield Bed(url.replace("10.99.0.1", address), peak(6) + f"-k --engine events --http2 --streams {dice.choice((2, 4))} -c {dice.randint(6, 14)} --think 30ms "
                  "--get /items --get /prices", inside)


@clean("HTTP/2 users who start over 3 s")
def h2_ramp(dice: Random) -> Iterator[Bed]:
    with server.go(rule(ms=4, exp=10)) as url:
        yield Bed(url, f"--phases peak=1:for:8s --ramp 3s --engine events --http2 --streams {dice.choice((1, 5))} -c {dice.randint(20, 40)} --think 40ms --get /items --get /prices")


@clean("a Tomcat that has just started, over HTTP/2")
def h2_cold_tomcat(dice: Random) -> Iterator[Bed]:
    with faults.target() as url:
        yield Bed(url, f"--phases peak=1:for:6s --engine events --http2 --streams {dice.choice((2, 5))} -c {dice.randint(6, 15)} --think 30ms --get / --get /bytes/3000")


@clean("journeys to a Java server that has just started, without a warmup")
def cold_java_journeys(dice: Random) -> Iterator[Bed]:
    with server.java(rule(path="/orders", ms=(20, 50)), rule(ms=(3, 9)), rule(bytes=4000)) as url:
        yield Bed(url, f"--phases peak=1:for:7s -c {dice.randint(8, 20)} {engine(dice)}", plan="""
scenarios:
  - name: buy
    steps:
      - get: /items
      - think: 50ms..200ms
      - put: /cart
        json: {item: "{uuid}"}
      - think: 50ms..200ms
      - post: /orders
        json: {quantity: 1}
""")


@clean("connections that are opened at 20 to 40 a second, as asked for")
def connections_opened_slowly(dice: Random) -> Iterator[Bed]:
    with server.go(rule(ms=(5, 15))) as url:
        yield Bed(url, f"--phases peak=1:for:7s -c {dice.randint(30, 50)} --connect-rate {dice.randint(20, 40)}/s --think 40ms {engine(dice)}--get /items --get /prices")


@clean("pairs who talk rarely, with pings")
def quiet_rooms(dice: Random) -> Iterator[Bed]:
    with faults.target() as url:
        yield Bed(f"ws{url[4:]}rooms/{{pair}}", peak(7) + f"-c {dice.randint(20, 60)} --ping 1s --rate '{dice.randint(10, 40)} messages/s'")


@clean("nginx ends each connection after 200 to 400 responses, and says so")
def connections_end_rarely(dice: Random) -> Iterator[Bed]:
    with server.java(rule(ms=(4, 12))) as behind, faults.nginx("", f"keepalive_requests {dice.randint(200, 400)}; location / {{ proxy_pass {behind[:-1]}; }}") as url:
        yield Bed(url, peak(8) + f"-c {dice.randint(6, 12)} --think 5ms..15ms {engine(dice)}--get /items --get /prices")


@clean("HAProxy before a Go, a Node and a Java server, the least busy one first")
def three_languages(dice: Random) -> Iterator[Bed]:
    with server.go(rule(ms=(5, 20))) as a, server.node(rule(ms=(5, 20))) as b, server.java(rule(ms=(5, 20))) as c, of_haproxy(a, b, c, balance="leastconn") as url:
        yield Bed(url, peak(7, 2) + model(dice) + "--get /items --post /orders --body order")


@clean("items that are patched and deleted, 204")
def patched_and_deleted(dice: Random) -> Iterator[Bed]:
    with server.node(rule(ms=(4, 15)), rule(method="DELETE", status=204), rule(method="PATCH", ms=(10, 30))) as url:
        yield Bed(url, peak(6) + model(dice) + "--get /items/1 --patch /items/1 --body text --delete /items/2")
