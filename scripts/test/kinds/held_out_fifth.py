"""
The fifth held-out set. Don't read on if you change rules.

The kinds were written before any run of them was diagnosed. Their author had read no rule, only the list of ids. Each kind is a mechanism
of a real service, of a client or of a wrong test that the earlier sets don't have. The ids of a fault are those that an expert would
accept as the first finding.
"""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import math
import os
import random
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import behaviours as server
import faults
from asking import Answers, Claim, Truth, took
from behaviours import option, rule
from kinds import Bed, cause, clean, engine, model, peak, pick, users
from kinds.held_out_fourth import all_ms, between, inline, sent
from kinds.held_out_second import Asked, answering, some
from kinds.held_out_third import of_haproxy, steps


class Clock:
    """Seconds since the first look."""

    def __init__(self) -> None:
        self.begin = 0.0

    def __call__(self) -> float:
        self.begin = self.begin or time.monotonic()
        return time.monotonic() - self.begin


def of_time(ms: Callable[[float, Asked], float]) -> contextlib.AbstractContextManager[str]:
    """The address of a server whose answers take ms that depend on the seconds since its first request."""
    clock = Clock()

    async def answer(asked: Asked) -> bool:
        await asyncio.sleep(ms(clock(), asked) / 1000)
        return await asked.say()

    return answering(answer)


# Databases.


SQLITE = """
import http.server, os, sqlite3, sys, tempfile, threading, time
wait, work = map(float, sys.argv[1:])
folder = tempfile.TemporaryDirectory()
path = os.path.join(folder.name, "shop.db")
with sqlite3.connect(path) as first:
    first.execute("pragma journal_mode = wal")
    first.execute("create table orders (id integer primary key, at real)")
mine = threading.local()
class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def work(self):
        if not hasattr(mine, "database"):
            mine.database = sqlite3.connect(path, timeout=wait, isolation_level=None)
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        status = 200
        try:
            if self.command == "POST":
                mine.database.execute("begin immediate")
                mine.database.execute("insert into orders (at) values (?)", (time.time(),))
                time.sleep(work)
                mine.database.execute("commit")
            else:
                mine.database.execute("select max(at) from orders").fetchone()
        except sqlite3.OperationalError:
            status = 500
        self.connection.sendall(f"HTTP/1.1 {status} Status\\r\\nContent-Length: 2\\r\\n\\r\\nok".encode())
    do_GET = do_POST = work
    def log_message(self, *_):
        pass
http.server.ThreadingHTTPServer.request_queue_size = 256
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(f"http://127.0.0.1:{server.server_port}/", flush=True)
server.serve_forever()
"""


@cause("a SQLite database is locked by each writer for 15 to 25 ms, others give up after 0.1 to 0.2 s: 500", "failures-with-load", "gives-up", "contention", "saturation",
       meaning="it fails under load")
def database_is_locked(dice: Random) -> Iterator[Bed]:
    with inline(sys.executable, "-c", SQLITE, str(pick(dice, 0.1, 0.2)), str(pick(dice, 0.015, 0.025))) as url:
        yield Bed(url, steps(dice, dice.randint(25, 35)) + "--get /items --post /orders --body order", truth=Truth(
            lambda all: [("500", all.status(500), 0.05, 0.95), ("written a second", len(all.all) * all.status(200) / 4, 10, 70)], users=15, think=0, method="POST", body=5))


@cause("transfers and refunds lock two rows in opposite orders; after 0.15 to 0.25 s a deadlock has a victim: 500", "failures-with-load", "gives-up", "contention", "saturation",
       meaning="it fails under load")
def deadlock_victims(dice: Random) -> Iterator[Bed]:
    rows = [asyncio.Lock() for _ in range(dice.randint(8, 12))]
    seconds = pick(dice, 0.15, 0.25)

    async def answer(asked: Asked) -> bool:
        if asked.method == "GET":
            await some(3, 9)
            return await asked.say()
        one, other = sorted(random.sample(range(len(rows)), 2), reverse=asked.path == "/refunds")
        async with rows[one]:
            await some(8, 15)
            try:
                async with asyncio.timeout(seconds):
                    await rows[other].acquire()
            except TimeoutError:
                return await asked.say(b"deadlock", 500)
            await some(3, 6)
            rows[other].release()
        return await asked.say()

    with answering(answer) as url:
        yield Bed(url, steps(dice, dice.randint(20, 30)) + "--post /transfers --body ten --post /refunds --body ten --get /accounts", truth=Truth(
            lambda all: [("500", all.status(500), 0.02, 0.9)], users=20, think=0, method="POST", body=3, paths=("/transfers", "/refunds")))


@cause("each request needs two connections of a pool of 6 to 8 at once, and fails after 0.5 to 0.8 s with one", "failures-with-load", "gives-up", "saturation", "contention",
       "standstill", meaning="requests wait for each other's connections")
def two_connections_of_one_pool(dice: Random) -> Iterator[Bed]:
    size, seconds = dice.randint(6, 8), pick(dice, 0.5, 0.8)
    pool = asyncio.Semaphore(size)

    async def answer(asked: Asked) -> bool:
        async with pool:
            await some(5, 10)
            try:
                async with asyncio.timeout(seconds):
                    await pool.acquire()
            except TimeoutError:
                return await asked.say(b"no connection within the time", 500)
            await some(5, 10)
            pool.release()
        return await asked.say()

    with answering(answer) as url:
        yield Bed(url, steps(dice, 3 * size) + "--get /items --post /orders --body order", truth=Truth(
            lambda all: [("500", all.status(500), 0.05, 0.98), ("fastest 500", min((one.ms for one in all.all if one.status == 500), default=0), 1000 * seconds, 1000 * seconds + 100)],
            users=3 * size, think=0))


@cause("after 150 to 250 executions the plan of a statement changes: searches take 7 to 10 times as long", "drift", "slow-period", meaning="one operation gets slower")
def plan_changes(dice: Random) -> Iterator[Bed]:
    executions, times = dice.randint(150, 250), dice.randint(7, 10)
    searches = 0

    async def answer(asked: Asked) -> bool:
        nonlocal searches
        searches += asked.path == "/search"
        factor = times if asked.path == "/search" and searches > executions else 1
        await some(8 * factor, 14 * factor)
        return await asked.say()

    with answering(answer) as url:
        yield Bed(url, peak(6) + f"-c 80 --rate {round(executions / 1.7)}/s {engine(dice)}--get /search --get /items", truth=Truth(
            lambda all: [("times", Answers(all.all[-30:]).median / Answers(all.all[:100]).median, 0.6 * times, 1.2 * times)], paths=("/search",)))


# Caches.


@cause("a cache of 150 to 220 pages is emptied in the middle, and a database with four connections fills it again", "slow-period", "standstill", meaning="it is slow for a while")
def cache_emptied(dice: Random) -> Iterator[Bed]:
    pages, at = dice.randint(150, 220), pick(dice, 2.8, 3.4)
    cached = {f"/pages/{number}" for number in range(1, pages + 1)}
    database = asyncio.Semaphore(4)
    clock = Clock()
    full = True
    misses = 0

    async def answer(asked: Asked) -> bool:
        nonlocal full, misses
        if full and clock() > at:
            full = False
            cached.clear()
        if asked.path not in cached:
            misses += 1
            async with database:
                await some(25, 40)
            cached.add(asked.path)
        await some(3, 9)
        return await asked.say()

    with answering(answer) as url:
        yield Bed(url, peak(7) + f"-c 250 --rate '{dice.randint(130, 180)} journeys/s' {engine(dice)}", plan=f"""
scenarios:
  - name: read
    steps:
      - get: /pages/{{random:1..{pages}}}
        name: GET /pages/ID
""", truth=Truth(lambda all: [("before", between(all, 0, at - 0.1).slower(25), 0, 0.1), ("misses", misses, 0.3 * pages, 4 * pages), ("slowest", all.slowest, 35, 2000)],
                 seconds=7, users=10, think=0, paths=tuple(f"/pages/{number}" for number in random.choices(range(1, pages + 1), k=1999))))


@cause("nginx keeps two pages for a second, and all wait when a Java server renders them again, in 0.15 to 0.25 s", "periodic-stalls", "standstill", "two-speeds",
       meaning="all requests wait at even distances")
def cache_of_a_second(dice: Random) -> Iterator[Bed]:
    ms = dice.randint(150, 250)
    with tempfile.TemporaryDirectory() as folder, server.java(rule(ms=(ms, ms + 15), bytes=dice.randint(2000, 9000))) as behind, faults.nginx(
            f"proxy_cache_path {folder} keys_zone=pages:1m;", f"location / {{ proxy_cache pages; proxy_cache_valid 200 1s; proxy_pass {behind[:-1]}; }}") as url:
        yield Bed(url, peak(8) + f"-c 120 --rate {dice.randint(100, 160)}/s {engine(dice)}--get /home --get /news", truth=Truth(
            lambda all: [("slow share", all.slower(0.8 * ms), 0.003, 0.35), ("median", all.median, 0, 20), ("failed", all.failed, 0, 0)], seconds=5, paths=("/home", "/news")))


# Queues.


@cause("four workers take the newest request first, which leaves old ones waiting above what they can do", "ramp-knee", "saturation", "unanswered", "failures-with-load",
       meaning="it handles no more than that")
def newest_first(dice: Random) -> Iterator[Bed]:
    ms = dice.randint(30, 45)
    limit = 4000 / ms
    stack: list[asyncio.Future[None]] = []
    free = 4

    async def answer(asked: Asked) -> bool:
        nonlocal free
        if free:
            free -= 1
        else:
            turn = asyncio.get_running_loop().create_future()
            stack.append(turn)
            await turn
        await asyncio.sleep(ms / 1000)
        if stack:
            stack.pop().set_result(None)
        else:
            free += 1
        return await asked.say()

    with answering(answer) as url:
        yield Bed(url, f"--phases 'peak=1 for 8s at {int(0.4 * limit)}/s..{int(1.7 * limit)}/s' -c 300 --timeout {dice.randint(1000, 1600)}ms {engine(dice)}--get /items --get /prices",
                  truth=Truth(lambda all: [("a second", len(all.all) / 4, 0.7 * limit, 1.1 * limit), ("oldest", all.slowest, 1000, 4900), ("median", all.median, ms, 12 * ms)],
                              users=20, think=0))


@cause("one worker makes reports, and more are ordered than it makes", "saturation", "drift", "serial-work", "ramp-knee", meaning="a queue of jobs grows")
def worker_too_slow(dice: Random) -> Iterator[Bed]:
    ms = dice.randint(25, 40)
    done: list[float] = []

    async def answer(asked: Asked) -> bool:
        await some(3, 8)
        if asked.method == "POST":
            done.append(max(time.monotonic(), done[-1] if done else 0) + ms / 1000)
            return await asked.say(f'{{"id": {len(done) - 1}}}'.encode(), 202)
        await asyncio.sleep(max(0.0, done[int(asked.path.split("/")[2])] - time.monotonic()))
        return await asked.say()

    with answering(answer) as url:
        yield Bed(url, f"--phases peak=1:for:7s -c 300 --rate '{round(1.5 * 1000 / ms)} journeys/s' {engine(dice)}", plan="""
scenarios:
  - name: report
    steps:
      - post: /reports
        json: {year: 2024}
        extract: {id: "json:/id"}
      - get: "/reports/{id}"
        name: GET /reports/ID
""", probe=lambda: [("ordered", sum(status == 202 for status, _ in sent(url, 30, method="POST")), 30, 30), ("the last", all_ms(url, 1, path="/reports/29"), 29 * ms - 400, 30 * ms + 50)])


@cause("who doesn't get a distributed lock asks again 80 to 120 ms later", "saturation", "serial-work", "contention", "two-speeds", meaning="more users only wait for the lock")
def lock_asked_for_again(dice: Random) -> Iterator[Bed]:
    held, again = dice.randint(10, 16), dice.randint(80, 120)
    lock = asyncio.Lock()

    async def answer(asked: Asked) -> bool:
        while lock.locked():
            await asyncio.sleep(again / 1000)
        async with lock:
            await asyncio.sleep(held / 1000)
        return await asked.say()

    with answering(answer) as url:
        yield Bed(url, steps(dice, dice.randint(25, 40)) + "--put /stock/7 --body 3 --put /stock/8 --body 4", truth=Truth(
            lambda all: [("a second", len(all.all) / 4, 20, 1050 / held), ("waited", all.slower(again), 0.05, 0.99), ("slowest", all.slowest, 2 * again, 4900)], users=20, think=0, method="PUT", body=1))


# Instances, deploys and scaling.


KILLED = """
const [port, most] = process.argv.slice(1).map(Number);
const kept = [];
process.stdin.on('end', () => process.exit(0)).resume();
require('node:http').createServer(async (request, response) => {
    kept.push(Buffer.alloc(100_000, 1));
    if (kept.length > most) {
        process.exit(137);
    }
    await new Promise(done => setTimeout(done, 10 + 20 * Math.random()));
    response.setHeader('Content-Length', 2);
    response.end('ok');
}).listen({port, host: '127.0.0.1', backlog: 1024}, () => console.log(`http://127.0.0.1:${port}/`));
"""


@cause("a Node server keeps 100 kB for each request, is killed above its limit, and started again 0.3 to 0.6 s later", "restarts", "resets", "outage", meaning="short breaks")
def killed_for_memory(dice: Random) -> Iterator[Bed]:
    rate = dice.randint(100, 160)
    most = int(rate * pick(dice, 1.3, 1.8))
    with inline("sh", "-c", f'while :; do node -e "$0" "$@"; sleep {pick(dice, 0.3, 0.6)}; done', KILLED, str(faults.free_port()), str(most)) as url:
        yield Bed(url, peak(7) + f"-c 60 --rate {rate}/s {engine(dice)}--get /items --post /orders --body order", truth=Truth(
            lambda all: [("refused", all.share(lambda one: one.problem == "ConnectionRefusedError"), 0.01, 0.8), ("answered", len(all.all) * (1 - all.failed), most, 6 * most)],
            users=6, think=0.02, seconds=6))


@cause("one of three instances fails at once, and HAProxy sends most to it as the least busy one", "steady-failures", "failures-with-load", meaning="a share fails")
def failing_instance_attracts(dice: Random) -> Iterator[Bed]:
    with server.node(rule(ms=1, status=500)) as broken, server.go(rule(ms=(25, 45))) as one, server.python(rule(ms=(25, 45))) as other, \
            of_haproxy(broken, one, other, balance="leastconn") as url:
        yield Bed(url, peak(5) + f"-c {dice.randint(10, 20)} --think {dice.randint(5, 15)}ms {engine(dice)}--get /items --get /prices --post /orders --body order", truth=Truth(
            lambda all: [("500", all.status(500), 0.35, 0.98)], users=10))


@cause("a rare request resets nginx's connections to both instances, which then get nothing for a second: 502", "bad-gateway", "restarts", "outage", meaning="the proxy has no instance left")
def no_live_upstreams(dice: Random) -> Iterator[Bed]:
    with contextlib.ExitStack() as stack:
        instances = [stack.enter_context(server.go(rule(path="/report", end="reset"), rule(ms=(5, 15)))) for _ in range(2)]
        url = stack.enter_context(faults.nginx("upstream two { " + "".join(f"server {one[7:-1]} max_fails=1 fail_timeout=1s; " for one in instances) + "}",
                                               "location / { proxy_pass http://two; }"))
        file = stack.enter_context(tempfile.NamedTemporaryFile("w", suffix=".txt"))
        file.write(f"{dice.randint(250, 400)} GET /items\n1 GET /report\n")
        file.flush()
        yield Bed(url, peak(7) + f"--requests {file.name} -c 60 --rate {dice.randint(110, 160)}/s {engine(dice)}--arrivals poisson", truth=Truth(
            lambda all: [("502", all.of("/items").status(502), 0.05, 0.97), ("200", all.of("/items").status(200), 0.03, 0.95)],
            users=2, paths=("/items",) * 150 + ("/report",), seconds=5))


@cause("a signing key is rotated in the middle, and one of two instances doesn't get it: 401", "credentials", "steady-failures", "outage", meaning="half fails from then on")
def key_rotated_on_one(dice: Random) -> Iterator[Bed]:
    begin = dice.randint(3000, 4000)
    with server.go(rule(ms=(6, 15))) as one, server.java(rule(**{"from": begin}, ms=2, status=401), rule(ms=(6, 15))) as other, of_haproxy(one, other) as url:
        yield Bed(url, peak(6) + model(dice, (80, 150)) + "--get /account --get /orders", truth=Truth(
            lambda all: [("before", between(all, 0, begin / 1000 - 0.3).failed, 0, 0), ("after", between(all, begin / 1000 + 0.3, 6).status(401), 0.35, 0.65)], seconds=6))


@cause("a version that takes 4 to 6 times as long gets more and more of the requests, in 3 s", "drift", "two-speeds", meaning="it gets slower")
def growing_canary(dice: Random) -> Iterator[Bed]:
    times = dice.randint(4, 6)

    def ms(now: float, _: Asked) -> float:
        return random.uniform(8, 15) * (times if random.random() < (now - 2) / 3 else 1)

    with of_time(ms) as url:
        yield Bed(url, peak(6) + f"-c 80 --rate {dice.randint(90, 160)}/s {engine(dice)}--get /items --post /orders --body order", truth=Truth(
            lambda all: [("before", between(all, 0, 1.8).slower(26), 0, 0.2), ("after", between(all, 5.2, 6).slower(26), 0.9, 1)], seconds=6))


@cause("traffic is switched to a new version in the middle, whose caches and code are cold for 1.5 s", "slow-period", "standstill", "cold-starts", meaning="it is slow for a while")
def cold_after_switch(dice: Random) -> Iterator[Bed]:
    at, more = pick(dice, 3, 3.6), dice.randint(300, 450)

    def ms(now: float, _: Asked) -> float:
        return random.uniform(5, 15) + (more * math.exp((at - now) / 0.6) if now > at else 0)

    with of_time(ms) as url:
        yield Bed(url, peak(7) + f"-c 150 --rate {dice.randint(80, 150)}/s {engine(dice)}--get /items --get /prices --post /orders --body order", truth=Truth(
            lambda all: [("before", between(all, 0, at - 0.1).median, 5, 25), ("switched", between(all, at + 0.02, at + 0.4).median, 0.5 * more, 1.1 * more), ("last", between(all, 6.3, 7).median, 5, 30)],
            seconds=7))


@cause("an autoscaler can't decide: two places, eight, two, every 0.9 to 1.2 s", "periodic-stalls", "saturation", "contention", meaning="too few instances at even distances")
def flapping_autoscaler(dice: Random) -> Iterator[Bed]:
    every, ms = pick(dice, 0.9, 1.2), dice.randint(30, 40)
    clock = Clock()
    turn = asyncio.Lock()
    busy = 0

    async def answer(asked: Asked) -> bool:
        nonlocal busy
        async with turn:
            while busy >= (2 if int(clock() / every) % 2 else 8):
                await asyncio.sleep(0.002)
            busy += 1
        await asyncio.sleep(ms / 1000)
        busy -= 1
        return await asked.say()

    with answering(answer) as url:
        yield Bed(url, peak(8) + f"-c 200 --rate {round(3.4 * 1000 / ms)}/s {engine(dice)}--get /items --get /prices", truth=Truth(
            lambda all: [("many", between(all, 0, every - 0.1).median, ms, 2.2 * ms), ("few", between(all, 1.2 * every, 1.8 * every).median, 2.5 * ms, 6 * ms),
                         ("many again", between(all, 2.2 * every, 2.9 * every).median, ms, 2.2 * ms)], users=8, think=0.005))


@cause("each request under way has an instance of its own, and a new one takes 0.5 to 0.8 s", "cold-starts", "slow-start", "slow-first-request", "two-speeds",
       meaning="some requests wait until an instance is awake")
def instance_for_each_request(dice: Random) -> Iterator[Bed]:
    low, high = pick(dice, 0.5, 0.6), pick(dice, 0.65, 0.8)
    idle = 0

    async def answer(asked: Asked) -> bool:
        nonlocal idle
        if idle:
            idle -= 1
        else:
            await asyncio.sleep(random.uniform(low, high))
        await some(15, 40)
        idle += 1
        return await asked.say()

    with answering(answer) as url:
        yield Bed(url, f"--phases 'peak=1 for 8s at 4/s..{dice.randint(50, 90)}/s' -c 200 {engine(dice)}--get /thumbnails", probe=lambda: [
            ("the first", all_ms(url, 1), 1000 * low, 1000 * high + 150), ("again", all_ms(url, 1), 14, 120),
            ("eight at once", sum(ms > 1000 * low for _, ms in sent(url, 8)), 5, 7)])


@cause("a backup reads the disk for 1.8 to 2.4 s in the middle: each response takes 5 to 7 times as long, over HTTP/2", "slow-period", meaning="it is slow for a while")
def backup(dice: Random) -> Iterator[Bed]:
    begin, times = dice.randint(2800, 3400), dice.randint(5, 7)
    end = begin + dice.randint(1800, 2400)
    with server.go(rule(**{"from": begin}, to=end, ms=(8 * times, 14 * times)), rule(ms=(2, 4))) as url:
        yield Bed(url, peak(7) + f"--engine events --http2 --streams {dice.choice((5, 10))} -c 60 --rate {dice.randint(90, 160)}/s --get /items --post /orders --body order", truth=Truth(
            lambda all: [("before", between(all, 0, begin / 1000 - 0.1).median, 2, 12), ("meanwhile", between(all, begin / 1000 + 0.1, end / 1000 - 0.1).median, 8 * times, 20 * times),
                         ("after", between(all, end / 1000 + 0.2, 7).median, 2, 12)], seconds=7))


# Disks and names.


@cause("uploads fill a disk's cache of 5 to 7 MB, then wait for its 1.2 to 1.6 MB a second", "drift", "saturation", "bandwidth", "slow-period", meaning="it gets slower")
def write_cache_full(dice: Random) -> Iterator[Bed]:
    room, rate = dice.randint(5_000_000, 7_000_000), dice.randint(1_200_000, 1_600_000)
    level, last = 0.0, 0.0

    async def answer(asked: Asked) -> bool:
        nonlocal level, last
        now = time.monotonic()
        level = max(0.0, level - (now - last) * rate if last else 0.0) + len(asked.body)
        last = now
        await some(4, 10)
        await asyncio.sleep(max(0.0, (level - room) / rate))
        return await asked.say()

    with answering(answer) as url, tempfile.NamedTemporaryFile() as body:
        Path(body.name).write_bytes(b"x" * 50_000)
        yield Bed(url, peak(6) + f"-c 300 --rate '{dice.randint(55, 65)} journeys/s' {engine(dice)}", plan=f"""
scenarios:
  - name: photo
    steps:
      - put: /photos/{{random:1..1000}}
        name: PUT /photos/ID
        bodyFile: {body.name}
""", truth=Truth(lambda all: [("first", Answers(all.all[:60]).median, 4, 40), ("last", Answers(all.all[-10:]).median, 40, 4900)], method="PUT", body=50_000, users=4, think=0.03, seconds=5))


@cause("nginx looks up its upstream's name each second, and the name server takes 0.3 to 0.5 s", "periodic-stalls", "standstill", "slow-dns", "two-speeds",
       meaning="all requests wait at even distances")
def upstream_looked_up(dice: Random) -> Iterator[Bed]:
    seconds = pick(dice, 0.3, 0.5)
    with faults.name_server("127.0.0.77", seconds), server.go(rule(ms=(4, 12))) as behind, faults.nginx(
            "resolver 127.0.0.77 valid=1s ipv6=off;", f"set $there shop.internal; location / {{ proxy_pass http://$there:{server.port(behind)}; }}") as url:
        yield Bed(url, peak(8) + f"-c 150 --rate {dice.randint(90, 150)}/s {engine(dice)}--get /items --get /prices", truth=Truth(
            lambda all: [("slow share", all.slower(100), 0.01, 0.45), ("slowest", all.slowest, 900 * seconds, 1000 * seconds + 200), ("median", all.median, 4, 30), ("failed", all.failed, 0, 0)],
            seconds=5, think=0.02))


# Limits, credentials and redirects.


@cause("an API allows 60 to 100 points a second, an item costs one and a search ten", "rate-limit", meaning="a rate limit by cost")
def points_a_second(dice: Random) -> Iterator[Bed]:
    rate = dice.randint(60, 100)
    points, last = float(rate), 0.0

    async def answer(asked: Asked) -> bool:
        nonlocal points, last
        now = time.monotonic()
        points = min(rate, points + (now - last) * rate) if last else points
        last = now
        await some(3, 9)
        cost = 10 if asked.path == "/search" else 1
        if points < cost:
            return await asked.say(b"too many points", 429)
        points -= cost
        return await asked.say()

    with answering(answer) as url:
        yield Bed(url, peak(6) + f"-c 40 --rate {dice.randint(50, 70)}/s {engine(dice)}--get /items --get /search", truth=Truth(
            lambda all: [("points a second", (len(all.of("/items").all) * all.of("/items").status(200) + 10 * len(all.of("/search").all) * all.of("/search").status(200)) / 4, 0.7 * rate, 1.4 * rate),
                         ("429", all.status(429), 0.1, 0.99)], paths=("/items", "/search")))


@cause("other tenants use up a shared quota now and then, for 0.3 to 0.6 s: 429", "rate-limit", "load-shedding", "steady-failures", meaning="a shared rate limit")
def others_use_the_quota(dice: Random) -> Iterator[Bed]:
    ends = [0.0]
    while ends[-1] < 60:
        ends += [ends[-1] + pick(dice, 0.8, 1.5)]
        ends += [ends[-1] + pick(dice, 0.3, 0.6)]
    clock = Clock()

    async def answer(asked: Asked) -> bool:
        used_up = sum(end <= clock() for end in ends) % 2 == 0
        await some(2, 4) if used_up else await some(6, 18)
        return await asked.say(b"quota", 429) if used_up else await asked.say()

    with answering(answer) as url:
        yield Bed(url, peak(7) + model(dice, (60, 110)) + "--get /rates --get /quotes", truth=Truth(lambda all: [("429", all.status(429), 0.08, 0.6), ("200", all.status(200), 0.3, 0.9)], seconds=6))


@cause("the way to a page with a slash at its end and the way back are redirects, of one of two operations", "unfollowed-redirects", "redirects", "always-fails", "wrong-request", meaning="redirects in a circle")
def redirected_in_circles(dice: Random) -> Iterator[Bed]:
    start = dice.choice((server.go, server.node))
    with start(rule(path="/shop/", status=301, header="Location:/shop"), rule(path="/shop", status=301, header="Location:/shop/"), rule(ms=(4, 12))) as url:
        yield Bed(url, peak(4) + users(dice) + "--follow-redirects --get /shop --get /items", truth=Truth(
            lambda all: [("301", all.status(301), 1, 1), ("there", all.of("/shop").share(lambda one: one.location.endswith("/")), 1, 1),
                         ("back", all.of("/shop/").share(lambda one: one.location.endswith("/")), 0, 0)], paths=("/shop", "/shop/")))


@cause("nginx wants a certificate of its clients, who have none: 400", "wrong-request", "credentials", "always-fails", meaning="a certificate is missing")
def no_client_certificate(dice: Random) -> Iterator[Bed]:
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        _, own = server.certificate(folder)
        with faults.nginx("", f"ssl_client_certificate {own}; ssl_verify_client on; location / {{ return 200 ok; }}", tls="-newkey rsa:2048") as url:
            yield Bed(url, peak(3) + f"-k {users(dice)}--get /items --get /prices", truth=Truth(lambda all: [("400", all.status(400), 1, 1)], seconds=2))


def _trusted(url: str) -> bool:
    with contextlib.suppress(ssl.SSLError), socket.create_connection(("127.0.0.1", server.port(url))) as plain, \
            ssl.create_default_context().wrap_socket(plain, server_hostname="127.0.0.1"):
        return True
    return False


@cause("a certificate that nobody signed, and a client that checks it", "no-tls", "no-connection", "always-fails", meaning="no connection is made")
def certificate_unknown(dice: Random) -> Iterator[Bed]:
    with faults.nginx("", "location / { return 200 ok; }", tls="-newkey rsa:2048") as url:
        yield Bed(url, peak(3) + f"{users(dice)}--get /items", probe=lambda: [("trusted", float(_trusted(url)), 0, 0), ("connects", took([], "curl", "-sk", url), 0, 5000)])


# Bodies and connections.


@cause("a filter compresses one of two pages, and leaves the length as it was", "truncated-bodies", meaning="bodies end before their length")
def length_of_uncompressed(dice: Random) -> Iterator[Bed]:
    page = b" ".join(b"item %d" % dice.randint(1, 999) for _ in range(dice.randint(1000, 4000)))
    packed = gzip.compress(page)

    async def answer(asked: Asked) -> bool:
        await some(5, 15)
        if asked.path != "/catalog":
            return await asked.say()
        asked.writer.write(f"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: {len(page)}\r\n\r\n".encode() + packed)
        await asked.writer.drain()
        return False

    with answering(answer) as url:
        yield Bed(url, peak(5) + users(dice) + "-H 'Accept-Encoding: gzip' --get /catalog --get /items", truth=Truth(
            lambda all: [("catalog", all.of("/catalog").share(lambda one: one.problem == "IncompleteRead"), 1, 1), ("items", all.of("/items").failed, 0, 0)], paths=("/catalog", "/items")))


@cause("HAProxy spreads connections, not requests: HTTP/2 streams stay at a slow one of three instances", "slow-instance", "two-speeds", meaning="one instance is slow")
def streams_stay_at_slow_instance(dice: Random) -> Iterator[Bed]:
    slow = dice.randint(70, 120)
    with server.go(rule(ms=(4, 12))) as one, server.go(rule(ms=(4, 12))) as other, server.go(rule(ms=(slow, slow + 30))) as late, server.haproxy(
            "listen all\n  bind LISTEN\n  mode tcp\n  balance roundrobin" + "".join(f"\n  server s{number} {url[7:-1]}" for number, url in enumerate((one, other, late)))) as url:
        yield Bed(url, peak(6) + f"--engine events --http2 --streams {dice.choice((3, 4))} -c {dice.choice((24, 36))} --think {dice.randint(10, 30)}ms --post /Prices/List --body request", truth=Truth(
            lambda all: [("slow share", all.slower(slow - 1), 0.03, 0.3), ("connections", len(all.connects), 6, 6)], users=6))


@cause("each of 8 to 12 workers serves one connection until it is idle for 1.5 s, and more users connect", "connection-limit", "server-threads", "unanswered", "new-connections",
       "accept-queue", meaning="idle connections take all workers")
def connections_hold_workers(dice: Random) -> Iterator[Bed]:
    number = dice.randint(8, 12)
    workers = asyncio.Semaphore(number)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async with workers:
            with contextlib.suppress(OSError, TimeoutError, asyncio.IncompleteReadError):
                while True:
                    async with asyncio.timeout(1.5):
                        await reader.readuntil(b"\r\n\r\n")
                    await some(5, 15)
                    writer.write(faults.OK)
                    await writer.drain()
        writer.close()

    with faults._listening(serve) as port:  # noqa: SLF001
        yield Bed(f"http://127.0.0.1:{port}/", f"--phases peak=1:for:7s -c {2 * number} --think {dice.randint(20, 60)}ms --timeout {dice.randint(900, 1400)}ms {engine(dice)}--get /items --get /prices",
                  truth=Truth(lambda all: [("users served", len([one for one in between(all, 0, 3).all if one.nth == 1 and one.status]), number, number + 2), ("timeouts", len(all.all) * all.failed, number, 20 * number)],
                              users=2 * number, timeout=0.8))


# Wrong tests.


@cause("a test sends a form where JSON is asked for: 415, of one of three operations", "wrong-request", "always-fails", meaning="a request is wrong")
def form_instead_of_json(dice: Random) -> Iterator[Bed]:
    async def answer(asked: Asked) -> bool:
        await some(4, 12)
        return await asked.say(b"expected application/json", 415) if asked.body and not asked.body.startswith(b"{") else await asked.say()

    with answering(answer) as url:
        yield Bed(url, peak(4) + model(dice, (60, 120)) + "--get /items --post /orders --body item=7 --get /prices", truth=Truth(
            lambda all: [("415", all.status(415), 1, 1)], method="POST", body=6, seconds=2))


@cause("a test names no host that nginx serves, which closes the connection: 444", "always-closed", "always-fails", "resets", "wrong-request", meaning="every connection is closed at once")
def host_not_served(dice: Random) -> Iterator[Bed]:
    with faults.nginx("", "if ($host != shop.internal) { return 444; } location / { return 200 ok; }") as url:
        yield Bed(url, peak(3) + users(dice) + "--get /items --get /prices", probe=lambda: [
            ("as it is", took([], "curl", "-s", url), -1, -1), ("shop.internal", took([], "curl", "-sf", "-H", "Host: shop.internal", url), 0, 5000)])


# Clients.


@cause("a program in the client's container begins to compute, with 3 to 5 threads of its one CPU", "throttled", "run-queue", "crowded", "cpu", "stalls", "tail", "stolen",
       meaning="the client has too little CPU time")
def neighbour_of_the_client(dice: Random) -> Iterator[Bed]:
    loops = dice.randint(3, 5)
    with server.go(rule(ms=(4, 12))) as url, faults.control_group(1) as under, subprocess.Popen(
            [*under, "sh", "-c", f"sleep 3; for loop in $(seq {loops}); do timeout 9 sh -c 'while :; do :; done' & done; wait"], start_new_session=True) as neighbours:

        def claims() -> list[Claim]:
            alone = took(under, sys.executable, "-c", "sum(range(5_000_000))")
            time.sleep(3)
            return [("times", took(under, sys.executable, "-c", "sum(range(5_000_000))") / alone, 1.8, 30)]

        try:
            yield Bed(url, peak(6) + f"-c 50 --rate {dice.randint(150, 300)}/s {engine(dice)}--get /items --get /prices", under, probe=claims)
        finally:
            os.killpg(neighbours.pid, signal.SIGTERM)


GAPS = "import time; times = [time.monotonic()]\nwhile times[-1] < times[0] + 7: time.sleep(0.01); times.append(time.monotonic())\nprint(max(b - a for a, b in zip(times, times[1:])))"


@cause("the client's machine is paused three times, for 0.3 to 0.5 s", "stopped", "suspended", "stalls", meaning="the client stood still")
def client_paused_thrice(dice: Random) -> Iterator[Bed]:
    length, between_two = pick(dice, 0.3, 0.5), pick(dice, 0.6, 1)
    pauses = f"(sleep 3.5; for i in 1 2 3; do kill -STOP $$; sleep {length}; kill -CONT $$; sleep {between_two}; done) > /dev/null 2>&1 & "
    under = ["sh", "-c", pauses + 'exec "$@"', "sh"]
    with server.go(rule(ms=(4, 12))) as url:
        yield Bed(url, peak(7) + f"-c 40 --rate {dice.randint(80, 150)}/s {engine(dice)}--get /items --get /prices", under, probe=lambda: [
            ("longest gap", float(subprocess.run([*under, sys.executable, "-c", GAPS], capture_output=True, text=True, check=True).stdout), length - 0.02, length + 0.2)])


# Healthy, though it may look otherwise.


@clean("two generations of machines: 10 to 14 ms and 14 to 19 ms")
def two_generations(dice: Random) -> Iterator[Bed]:
    with server.go(rule(ms=(10, 14))) as old, server.go(rule(ms=(14, 19))) as new, of_haproxy(old, new) as url:
        yield Bed(url, peak(6) + model(dice, (90, 160)) + "--get /items --get /prices")


@clean("long polls that end with news, or after 1.2 to 1.8 s with 204")
def polls_with_a_limit(dice: Random) -> Iterator[Bed]:
    limit = pick(dice, 1.2, 1.8)

    async def answer(asked: Asked) -> bool:
        news = random.expovariate(1)
        await asyncio.sleep(min(news, limit))
        return await (asked.say(b"news") if news < limit else asked.say(b"", 204))

    with answering(answer) as url:
        yield Bed(url, peak(7) + f"-c {dice.randint(20, 40)} {engine(dice)}--get /news")


@clean("times with a heavy tail, steady: Pareto's, at most 20 times the least")
def heavy_tail(dice: Random) -> Iterator[Bed]:
    least, alpha = dice.randint(8, 15), pick(dice, 2, 2.8)
    with of_time(lambda *_: min(20.0, random.paretovariate(alpha)) * least) as url:
        yield Bed(url, peak(7) + model(dice, (80, 150)) + "--get /items --get /prices")


@clean("users who send four to six requests at once, and rest for 0.8 to 1.6 s")
def bursts_and_rests(dice: Random) -> Iterator[Bed]:
    with server.node(rule(ms=4, exp=6)) as url:
        yield Bed(url, peak(7) + f"-c {dice.randint(12, 25)} {engine(dice)}", plan=f"""
scenarios:
  - name: page
    steps:
      - get: /
      - repeat: {dice.randint(4, 6)}
        steps:
          - get: /parts/{{random:1..50}}
            name: GET /parts/ID
      - think: 800ms..1600ms
""")


@clean("2 to 3 requests a second over TLS, Poisson")
def rare_over_tls(dice: Random) -> Iterator[Bed]:
    with server.go(option(tls=1), rule(ms=(20, 60), bytes=8000)) as url:
        yield Bed(url, f"--phases peak=1:for:8s -k -c 10 --rate {dice.randint(2, 3)}/s --arrivals poisson {engine(dice)}--get /report")


@clean("files of 1 kB to about 1 MB, most of them small, at one address with a number")
def files_of_any_size(dice: Random) -> Iterator[Bed]:
    sizes = [min(1_000_000, int(1000 * dice.lognormvariate(2.5, 1.5))) for _ in range(40)]
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        Path(folder, "files").mkdir()
        for number, size in enumerate(sizes, 1):
            Path(folder, "files", str(number)).write_bytes(random.randbytes(size))
        with faults.nginx("", f"root {folder}; location = / {{ return 200 ok; }}") as url:
            yield Bed(url, peak(6) + f"-c {dice.randint(6, 12)} --think 20ms..60ms {engine(dice)}", plan="""
scenarios:
  - name: file
    steps:
      - get: /files/{random:1..40}
        name: GET /files/ID
""")


@clean("a rate that rises from 5 to 80 or 120 a second, at a Java server that has just started")
def cold_java_under_a_ramp(dice: Random) -> Iterator[Bed]:
    with server.java(rule(ms=(8, 20), bytes=2000)) as url:
        yield Bed(url, f"--phases 'peak=1 for 8s at 5/s..{dice.randint(80, 120)}/s' -c 60 {engine(dice)}--get /items --post /orders --body order")


@clean("journeys to a cold Node server with TLS and HTTP/2, from the first request on")
def cold_node_journeys(dice: Random) -> Iterator[Bed]:
    with tempfile.TemporaryDirectory() as folder:
        key, cert = server.certificate(folder)
        with server.node(option(key=key, cert=cert), rule(method="POST", ms=(20, 40)), rule(ms=(5, 15))) as url:
            yield Bed(url, f"--phases peak=1:for:7s -k --engine events --http2 --streams 4 -c {dice.randint(10, 24)}", plan="""
scenarios:
  - name: order
    steps:
      - get: /items
      - think: 200ms..500ms
      - post: /orders
        json: {item: "{uuid}"}
      - think: 200ms..500ms
      - get: /orders
""")


@clean("ten pages whose first request takes 20 to 30 ms, later ones 4 to 10 ms")
def cache_fills_at_once(dice: Random) -> Iterator[Bed]:
    cached: set[str] = set()

    async def answer(asked: Asked) -> bool:
        if asked.path not in cached:
            cached.add(asked.path)
            await some(16, 20)
        await some(4, 10)
        return await asked.say()

    with answering(answer) as url:
        yield Bed(url, f"--phases peak=1:for:6s -c {dice.randint(8, 16)} --think 20ms..50ms {engine(dice)}", plan="""
scenarios:
  - name: read
    steps:
      - get: /pages/{random:1..10}
        name: GET /pages/ID
""")


@clean("streams of lines that last for 1 to 3 s")
def streams_of_lines(dice: Random) -> Iterator[Bed]:
    async def answer(asked: Asked) -> bool:
        await some(4, 12)
        asked.writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n")
        for _ in range(random.randint(10, 30)):
            await asyncio.sleep(0.1)
            asked.writer.write(b'd\r\n{"price": 77}\r\n')
            await asked.writer.drain()
        asked.writer.write(b"0\r\n\r\n")
        return True

    with answering(answer) as url:
        yield Bed(url, peak(7) + f"-c {dice.randint(10, 25)} --think 50ms..200ms {engine(dice)}--get /prices")


@clean("a first request without a token gets 401 as it should, then the token is used")
def challenged_first(dice: Random) -> Iterator[Bed]:
    with server.python(rule(path="/login", ms=(40, 80)), rule(path="/challenge", ms=(2, 5), status=401), rule(ms=(5, 15))) as url:
        yield Bed(url, peak(6) + f"-c {dice.randint(8, 20)} {engine(dice)}", plan="""
scenarios:
  - name: visit
    steps:
      - get: /challenge
        checks: status=401
      - post: /login
        json: {name: "{uuid}"}
      - repeat: 4
        steps:
          - get: /account
          - think: 30ms..100ms
""")


@clean("forms that are refused for good reasons, 422, as the test expects")
def refused_forms(dice: Random) -> Iterator[Bed]:
    with server.node(rule(path="/forms/wrong", ms=(4, 10), status=422), rule(ms=(10, 25))) as url:
        yield Bed(url, peak(6) + f"-c 40 --rate '{dice.randint(50, 100)} journeys/s' {engine(dice)}", plan="""
scenarios:
  - name: form
    steps:
      - post: /forms/wrong
        json: {age: -1}
        checks: status=422
      - post: /forms
        json: {age: 40}
""")


@clean("HAProxy with six places, of which half are in use")
def places_enough(dice: Random) -> Iterator[Bed]:
    with server.go(rule(ms=(15, 25))) as behind, server.haproxy(f"listen all\n  bind LISTEN\n  server one {behind[7:-1]} maxconn 6") as url:
        yield Bed(url, peak(7) + f"-c 40 --rate {dice.randint(110, 150)}/s {engine(dice)}--get /items --get /prices")


@clean("nginx compresses pages of 10 to 40 kB for a few users")
def compressed_while_sent(dice: Random) -> Iterator[Bed]:
    with tempfile.TemporaryDirectory() as folder, faults.nginx("gzip on; gzip_types application/json; types { application/json json; }", f"root {folder};") as url:
        os.chmod(folder, 0o755)
        for name in ("items", "prices"):
            Path(folder, f"{name}.json").write_text(" ".join(str(dice.randint(1, 99_999)) for _ in range(dice.randint(2000, 7000))))
        yield Bed(url, peak(6) + f"-c {dice.randint(5, 10)} --think 10ms..40ms {engine(dice)}-H 'Accept-Encoding: gzip' --get /items.json --get /prices.json",
                  truth=Truth(lambda all: [("failed", all.failed, 0, 0), ("answered", len(all.all), 20, 100_000)], paths=("/items.json", "/prices.json"), seconds=2))


@clean("uploads of 100 to 400 kB over HTTP/2 and TLS, at a rate")
def h2_uploads(dice: Random) -> Iterator[Bed]:
    with tempfile.NamedTemporaryFile() as body, server.go(option(tls=1), rule(ms=(10, 30))) as url:
        Path(body.name).write_bytes(b"x" * dice.randint(100_000, 400_000))
        yield Bed(url, peak(6) + f"-k --engine events --http2 --streams 3 -c 30 --rate '{dice.randint(15, 25)} journeys/s'", plan=f"""
scenarios:
  - name: upload
    steps:
      - put: /files/{{random:1..1000}}
        name: PUT /files/ID
        bodyFile: {body.name}
      - get: /files
""")


@clean("batches of 1 to 60 entries: the time follows from their number")
def batches_of_any_size(dice: Random) -> Iterator[Bed]:
    each = pick(dice, 0.8, 1.6)
    with of_time(lambda _, asked: 4 + each * int(asked.path.partition("=")[2] or 1) * random.uniform(0.9, 1.1)) as url:
        yield Bed(url, peak(6) + f"-c {dice.randint(8, 16)} --think 10ms..40ms {engine(dice)}", plan="""
scenarios:
  - name: batch
    steps:
      - get: /batches?entries={random:1..60}
        name: GET /batches
""")
