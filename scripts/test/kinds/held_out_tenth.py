"""
The tenth held-out set. Don't read on if you change rules.

No rule was tuned on it. Each kind is an incident of a real service, of a network or of a wrong test whose mechanism the earlier sets
don't have. The ids of a fault are those that an expert would accept as the first finding.
"""

from __future__ import annotations

import asyncio
import base64
import collections
import contextlib
import hashlib
import http.client
import json
import os
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import behaviours as server
import faults
from asking import Claim, Truth, took
from behaviours import option, rule
from kinds import Bed, cause, clean, engine, model, peak, pick
from kinds.held_out_eighth import begin_stream, end_stream, send_event
from kinds.held_out_fifth import Clock, of_time
from kinds.held_out_fourth import between, inline
from kinds.held_out_ninth import ITEMS_AND_ORDERS, over_http2, say_ok
from kinds.held_out_second import Asked, answering, some
from kinds.held_out_seventh import later, rows, said
from kinds.held_out_sixth import echoing, frame, message_ms, reply
from kinds.held_out_third import of_haproxy


def cores() -> tuple[list[str], int]:
    """Words that start the client on the first core, and the number of the server's core."""
    those = sorted(os.sched_getaffinity(0))
    if len(those) < 2:
        raise faults.Impossible("one core")
    return ["taskset", "-c", str(those[0])], those[1]


# Stores and databases behind the service.


@contextlib.contextmanager
def redis(*options: str) -> Iterator[tuple[int, str]]:
    """The port of a Redis, and its folder."""
    program = shutil.which("redis-server")
    if program is None:
        raise faults.Impossible("no redis-server")
    port = faults.free_port()
    with tempfile.TemporaryDirectory() as base:
        folder = Path(base, "data")
        folder.mkdir()
        with subprocess.Popen([program, "--port", str(port), "--bind", "127.0.0.1", "--dir", folder, *options], stdout=subprocess.DEVNULL) as process:
            try:
                faults.wait_for(port)
                yield port, str(folder)
            finally:
                process.kill()


class Store:
    """Asks a Redis, over as many connections as there are questions at a time."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.free: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []

    async def ask(self, *words: str) -> str:
        """The reply, or its first line; an error begins with a minus sign."""
        there, back = self.free.pop() if self.free else await asyncio.open_connection("127.0.0.1", self.port)
        back.write(f"*{len(words)}\r\n".encode() + b"".join(f"${len(word)}\r\n{word}\r\n".encode() for word in words))
        line = (await there.readline()).decode()
        if line.startswith("$") and not line.startswith("$-"):
            line = (await there.readexactly(int(line[1:]) + 2)).decode()
        self.free.append((there, back))
        return line


def redis_said(port: int, command: str) -> bytes:
    with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
        connection.sendall(f"{command}\r\n".encode())
        return connection.recv(4096)


@cause("the folder for Redis's snapshots is lost in the middle, and after a failed snapshot it stores nothing any more: 500 for what changes a cart", "outage",
       "steady-failures", meaning="one operation fails from then on")
def redis_stores_nothing(dice: Random) -> Iterator[Bed]:
    at = pick(dice, 4.6, 5.8)
    with redis("--save", "3600", "1") as (port, folder):
        store = Store(port)

        async def answer(asked: Asked) -> bool:
            await some(5, 14)
            said_so = await (store.ask("INCR", "cart") if asked.method == "POST" else store.ask("GET", "cart"))
            return await (asked.say(said_so.encode(), 500) if said_so.startswith("-") else asked.say())

        def lose() -> None:
            shutil.rmtree(folder)
            redis_said(port, "BGSAVE")

        with answering(answer) as url, later(at, lose):
            yield Bed(url, peak(9) + model(dice, (80, 140)) + "--get /cart --post /cart --body item --get /items", truth=Truth(
                lambda all: [("before", between(all, 0, at - 0.7).failed, 0, 0), ("after", between(all, at + 0.3, 8).status(500), 1, 1)],
                method="POST", body=4, seconds=8))


@cause("a script keeps Redis busy for 1.5 to 2.1 s, which says so to all others after 0.1 to 0.2 s: 500", "outage", "restarts",
       meaning="the service is away for a while")
def script_keeps_redis_busy(dice: Random) -> Iterator[Bed]:
    at, length = pick(dice, 4.6, 5.6), pick(dice, 1.5, 2.1)
    script = ("EVAL \"local t=redis.call('TIME') local e=t[1]*1000000+t[2]+" + str(round(1_000_000 * length))
              + " repeat local n=redis.call('TIME') until n[1]*1000000+n[2]>e return 1\" 0")
    with redis("--save", "", "--busy-reply-threshold", str(dice.randint(100, 200))) as (port, _):
        store = Store(port)

        async def answer(asked: Asked) -> bool:
            said_so = await (store.ask("SET", "item", asked.body.decode()) if asked.method == "POST" else store.ask("GET", "item"))
            await some(6, 18)
            return await (asked.say(said_so.encode(), 500) if said_so.startswith("-") else asked.say())

        with answering(answer) as url, later(at, lambda: redis_said(port, script)):
            yield Bed(url, peak(9) + f"-c 120 --rate {dice.randint(70, 120)}/s {engine(dice)}{ITEMS_AND_ORDERS}", truth=Truth(
                lambda all: [("before", between(all, 0, at - 0.7).failed, 0, 0), ("busy", between(all, at + 0.3, at + length - 0.6).status(500), 0.9, 1),
                             ("after", between(all, at + length + 0.8, 9).failed, 0, 0)], seconds=9))


@cause("done jobs are only marked, and all of them are read to find the next one, which takes longer and longer until they are removed 6 to 6.8 s later",
       "drift", "slow-period", meaning="it gets slower for a while")
def tombstones_pile_up(dice: Random) -> Iterator[Bed]:
    until, most = pick(dice, 6, 6.8), dice.randint(110, 160)

    def ms(now: float, asked: Asked) -> float:
        if asked.path != "/jobs/next":
            return random.uniform(5, 16)
        return random.uniform(6, 16) + (most * now / until if now < until else 0)

    with of_time(ms) as url:
        yield Bed(url, peak(8) + f"-c 100 --rate {dice.randint(70, 120)}/s {engine(dice)}--get /jobs/next --get /items", truth=Truth(
            lambda all: [("first", between(all, 0, 1).median, 8, 45), ("later", between(all, until - 0.6, until - 0.1).median, 0.8 * most, most + 30),
                         ("removed", between(all, until + 0.1, 9).median, 5, 30)], paths=("/jobs/next",), seconds=8))


@cause("a cache has room for 40 articles, of which 30 are read in turn, and 60 from the middle on: then each one has just been evicted", "drift",
       "slow-period", meaning="it gets slower")
def scanned_cache(dice: Random) -> Iterator[Bed]:
    rate, miss = dice.randint(60, 100), dice.randint(70, 110)
    kept: collections.OrderedDict[str, None] = collections.OrderedDict()

    async def answer(asked: Asked) -> bool:
        hit = asked.path in kept
        kept[asked.path] = None
        kept.move_to_end(asked.path)
        if len(kept) > 40:
            kept.popitem(last=False)
        await (some(4, 12) if hit else some(miss, miss + 30))
        return await asked.say(b"x" * 1500)

    first = round(rate * pick(dice, 5, 5.6))
    with rows("number", [str(place % 30) for place in range(first)] + [str(place % 60) for place in range(10 * rate)]) as file, answering(answer) as url:
        yield Bed(url, peak(9) + f"-c 80 --rate '{rate} journeys/s' {engine(dice)}", plan=f"""
data:
  articles: {{csv: {file}}}
scenarios:
  - name: read
    steps:
      - get: "/articles/{{articles.number}}"
        name: GET /articles/NUMBER
""", truth=Truth(lambda all: [("missed", all.slower(miss - 2), 1, 1), ("in turn", len(all.all), 70, 200), ("failed", all.failed, 0, 0)],
                 paths=tuple(f"/articles/{number}" for number in range(60)), users=1, seconds=11))


@cause("a flag for a new way to check out is rolled out to 10, 30 and 60 % in steps of two seconds, and each such checkout fails: 500", "growing-failures",
       meaning="more and more of an operation fails")
def rollout_in_steps(dice: Random) -> Iterator[Bed]:
    first = pick(dice, 2.2, 2.8)
    shares = (0.0, pick(dice, 0.08, 0.12), pick(dice, 0.25, 0.35), pick(dice, 0.55, 0.65))
    clock = Clock()

    async def answer(asked: Asked) -> bool:
        step = min(3, max(0, int((clock() - first) / 2) + 1 if clock() > first else 0))
        await (some(12, 30) if asked.method == "POST" else some(6, 18))
        return await (asked.say(b"no such gateway", 500) if asked.method == "POST" and random.random() < shares[step] else asked.say())

    with answering(answer) as url:
        yield Bed(url, peak(8) + model(dice, (90, 140)) + "--get /items --get /cart --post /checkout --body order", truth=Truth(
            lambda all: [("first", between(all, 0, first - 0.1).failed, 0, 0), ("then", between(all, first + 0.1, first + 1.9).status(500), 0.02, 0.25),
                         ("last", between(all, first + 4.1, 9).status(500), 0.4, 0.8)], method="POST", body=5, seconds=8))


@cause("a migration removes a column 1.5 to 2.1 s before the version that doesn't use it is there: 500 for what reads it", "outage", "restarts",
       meaning="an operation fails for a while")
def column_is_removed(dice: Random) -> Iterator[Bed]:
    begin = dice.randint(3600, 4600)
    end = begin + dice.randint(1500, 2100)
    gone = rule(**{"path": "/profile", "from": begin, "to": end, "ms": (4, 10), "status": 500})
    with server.java(gone, rule(path="/profile", ms=(12, 28)), rule(ms=(6, 18))) as url:
        yield Bed(url, peak(8, 2) + model(dice, (80, 140)) + "--get /profile --get /items --get /prices", truth=Truth(
            lambda all: [("before", between(all, 0, begin / 1000 - 0.1).failed, 0, 0),
                         ("gone", between(all, begin / 1000 + 0.1, end / 1000 - 0.1).status(500), 1, 1),
                         ("after", between(all, end / 1000 + 0.2, 7).failed, 0, 0)], paths=("/profile",), seconds=7))


@cause("a cluster of three elects a leader, at two moments, and for 0.5 to 0.8 s nothing can be stored: 503, while reads go on", "restarts", "outage",
       "load-shedding", meaning="an operation is away twice")
def leader_is_elected(dice: Random) -> Iterator[Bed]:
    length = pick(dice, 0.5, 0.8)
    times = [pick(dice, 2.6, 3.2), pick(dice, 5.2, 6.2)]
    clock = Clock()

    async def answer(asked: Asked) -> bool:
        now = clock()
        if asked.method == "PUT" and any(at < now < at + length for at in times):
            await some(2, 6)
            return await asked.say(b"etcdserver: no leader", 503)
        await (some(10, 26) if asked.method == "PUT" else some(4, 12))
        return await asked.say()

    with answering(answer) as url:
        yield Bed(url, peak(8) + model(dice, (90, 140)) + "--get /keys/1 --put /keys/1 --body value --get /keys/2", truth=Truth(
            lambda all: [("no leader", between(all, times[0] + 0.05, times[0] + length - 0.05).status(503), 1, 1),
                         ("else", between(all, times[0] + length + 0.1, times[1] - 0.1).failed, 0, 0)], method="PUT", body=5, seconds=7))


@cause("from the middle on both of two instances take themselves for the leader, and what was written to one isn't read from the other: a check fails",
       "steady-failures", meaning="a constant share fails a check from then on")
def two_leaders(dice: Random) -> Iterator[Bed]:
    at, clock, count = pick(dice, 3.8, 4.8), Clock(), 0
    all_values: tuple[dict[str, int], dict[str, int]] = ({}, {})

    def of(place: int) -> contextlib.AbstractContextManager[str]:
        async def answer(asked: Asked) -> bool:
            nonlocal count
            split = clock() > at
            await (some(10, 24) if asked.method == "PUT" else some(5, 15))
            if asked.method == "PUT":
                count += 1
                for values in [all_values[place]] if split else all_values:
                    values[asked.path] = count
            return await asked.say(f'{{"version": {all_values[place].get(asked.path, 0)}}}'.encode())

        return answering(answer)

    def claims() -> list[Claim]:
        def wrong() -> int:
            return sum(said(url, "/a", "PUT", b"x")[1] != said(url, "/a")[1] for _ in range(20))

        first = wrong()
        time.sleep(at)
        return [("before", first, 0, 0), ("after", wrong(), 10, 20)]

    with of(0) as one, of(1) as two, of_haproxy(one, two) as url:
        yield Bed(url, peak(9) + f"-c {dice.randint(14, 24)} {engine(dice)}", plan="""
scenarios:
  - name: settings
    steps:
      - put: "/settings/{user}"
        name: PUT /settings/USER
        json: {colour: blue}
        extract: {version: "json:/version"}
      - think: 30ms..90ms
      - get: "/settings/{user}"
        name: GET /settings/USER
        checks: "json:/version={version}"
      - think: 30ms..90ms
""", probe=claims)


@cause("each of two instances keeps the carts that were made there, and a test's next request often meets the other one: 404", "steady-failures",
       meaning="a constant share fails")
def cart_on_one_of_two(dice: Random) -> Iterator[Bed]:
    count = 0

    def instance() -> contextlib.AbstractContextManager[str]:
        carts: set[str] = set()

        async def answer(asked: Asked) -> bool:
            nonlocal count
            if asked.path == "/carts":
                await some(10, 24)
                count += 1
                carts.add(str(count))
                return await asked.say(f'{{"cart": {count}}}'.encode(), 201)
            await some(5, 16)
            known = not asked.path.startswith("/carts/") or asked.path.split("/")[2] in carts
            return await (asked.say() if known else asked.say(b"no such cart", 404))

        return answering(answer)

    def claims() -> list[Claim]:
        found = [said(url, f"/carts/{json.loads(said(url, '/carts', 'POST')[1])['cart']}/items", "POST", b"x")[0] for _ in range(20)]
        found += [said(url, f"/carts/{json.loads(said(url, '/carts', 'POST')[1])['cart']}/{said(url, '/')[0]}")[0] for _ in range(20)]
        return [("404", found.count(404), 10, 30), ("200", found.count(200), 10, 30)]

    with instance() as one, instance() as two, of_haproxy(one, two) as url:
        yield Bed(url, peak(8) + f"-c {dice.randint(16, 28)} {engine(dice)}", plan="""
scenarios:
  - name: buy
    steps:
      - get: /items
      - post: /carts
        extract: {cart: "json:/cart"}
      - think: 30ms..100ms
      - post: "/carts/{cart}/items"
        name: POST /carts/CART/items
        json: {item: 7}
      - think: 30ms..100ms
""", probe=claims)


@cause("visitors choose seats at random, of which more and more are taken: 409", "growing-failures", meaning="more and more of an operation fails")
def seats_are_taken(dice: Random) -> Iterator[Bed]:
    rate = dice.randint(30, 50)
    seats, taken = round(rate * pick(dice, 7, 9)), set[str]()

    async def answer(asked: Asked) -> bool:
        if asked.method == "GET":
            await some(5, 15)
            return await asked.say(b"x" * 800)
        await some(12, 30)
        if asked.path in taken:
            return await asked.say(b"this seat is taken", 409)
        taken.add(asked.path)
        return await asked.say(b"yours", 201)

    with answering(answer) as url:
        yield Bed(url, peak(9) + f"-c 80 --rate '{rate} journeys/s' {engine(dice)}", plan=f"""
scenarios:
  - name: concert
    steps:
      - get: /seats
      - post: "/seats/{{random:1..{seats}}}"
        name: POST /seats/NUMBER
        json: {{name: "{{uuid}}"}}
""", probe=lambda: [("first", said(url, "/seats/0", "POST")[0], 201, 201), ("second", said(url, "/seats/0", "POST")[0], 409, 409)])


# Processes, threads and locks.


LEAVES_LOOPS = """
import asyncio, os, random, sys, threading
os.sched_setaffinity(0, {int(sys.argv[1])})
every, count, loops = int(sys.argv[2]), 0, []
def compute():
    while True:
        pass
async def serve(reader, writer):
    global count
    try:
        while True:
            await reader.readuntil(b"\\r\\n\\r\\n")
            count += 1
            if count % every == 0 and len(loops) < 7:
                loops.append(threading.Thread(target=compute, daemon=True))
                loops[-1].start()
            await asyncio.sleep(random.uniform(0.004, 0.012))
            writer.write(b"HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nok")
    except (OSError, asyncio.IncompleteReadError):
        pass
    writer.close()
def wait():
    sys.stdin.read()
    os._exit(0)
async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", 0, backlog=1024)
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/", flush=True)
    threading.Thread(target=wait, daemon=True).start()
    await asyncio.sleep(3600)
asyncio.run(main())
"""


@cause("about once a second a request leaves a thread behind in a Python server, which computes for ever and takes the interpreter's lock", "drift",
       "saturation", "slow-period", meaning="it gets slower and slower")
def loops_are_left_behind(dice: Random) -> Iterator[Bed]:
    client, core = cores()
    rate = dice.randint(40, 60)
    with inline(sys.executable, "-c", LEAVES_LOOPS, str(core), str(round(rate * pick(dice, 1.1, 1.5)))) as url:
        yield Bed(url, peak(9) + f"-c 120 --rate {rate}/s {engine(dice)}--get /items --get /prices", client, truth=Truth(
            lambda all: [("first", between(all, 0, 0.8).median, 5, 30), ("last", between(all, 6, 8).median, 25, 500), ("failed", all.failed, 0, 0)],
            users=2, think=0.03, seconds=8))


A_PROCESS_EACH = """
import asyncio, os, sys
os.sched_setaffinity(0, {int(sys.argv[1])})
LOOP = "i=0; while [ $i -lt " + sys.argv[2] + " ]; do i=$((i+1)); done"
async def serve(reader, writer):
    try:
        while True:
            await reader.readuntil(b"\\r\\n\\r\\n")
            await (await asyncio.create_subprocess_exec("sh", "-c", LOOP)).wait()
            writer.write(b"HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nok")
    except (OSError, asyncio.IncompleteReadError):
        pass
    writer.close()
async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", 0, backlog=1024)
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/", flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
asyncio.run(main())
"""


@cause("a script of CGI is a process for each request, on one core: under load there are many of them", "saturation", "contention", "server-cpu",
       meaning="it can do no more")
def process_for_each_request(dice: Random) -> Iterator[Bed]:
    client, core = cores()
    with inline(sys.executable, "-c", A_PROCESS_EACH, str(core), str(dice.randint(12_000, 18_000))) as url:
        yield Bed(url, f"--phases warmup=0.1:for:1s,few=0.1:for:3s,peak=1:for:6s -c {dice.randint(30, 40)} --think 60ms..140ms {engine(dice)}"
                  "--get /cgi-bin/items --get /cgi-bin/prices", client, truth=Truth(
            lambda all: [("a second", len(all.all) / 4, 20, 150), ("median", all.median, 60, 1000)], users=16, think=0))


@cause("a service of presence looks at all who are there, one request at a time: with more users it answers fewer", "contention", "saturation", "serial-work",
       meaning="it gets worse with more users")
def looks_at_all_who_are_there(dice: Random) -> Iterator[Bed]:
    each, there = pick(dice, 0.25, 0.35), 0
    lock = asyncio.Lock()

    async def answer(asked: Asked) -> bool:
        nonlocal there
        there += 1
        async with lock:
            await asyncio.sleep((1.5 + each * there) / 1000)
        there -= 1
        await some(1, 4)
        return await asked.say()

    with answering(answer) as url:
        yield Bed(url, f"--phases few=0.15:for:3s,peak=1:for:5s -c {dice.randint(36, 48)} --think 10ms..30ms {engine(dice)}--get /presence --post /presence "
                  "--body here", truth=Truth(lambda all: [("a second", len(all.all) / 4, 40, 160), ("median", all.median, 200, 900)], users=36, think=0.02))


HASHES = """
const {pbkdf2Sync} = require('node:crypto');
const begin = performance.now();
pbkdf2Sync('secret', 'salt', 20000, 32, 'sha256');
const number = Math.round(20000 * process.argv[1] / (performance.now() - begin));
process.stdin.on('end', () => process.exit(0)).resume();
const server = require('node:http').createServer((request, response) => request.resume().on('end', () => {
    pbkdf2Sync('secret', 'salt', number, 32, 'sha256');
    response.setHeader('Content-Length', 2);
    response.end('ok');
}));
server.listen({port: 0, host: '127.0.0.1', backlog: 1024}, () => console.log(`http://127.0.0.1:${server.address().port}/`));
"""


@cause("a Node server computes a hash for each log-in in 10 to 13 ms, on its only thread, and the rate of log-ins rises above what it can do", "ramp-knee",
       "saturation", "drift", meaning="it can't follow the rising rate")
def hashes_under_a_ramp(dice: Random) -> Iterator[Bed]:
    client, core = cores()
    ms = dice.randint(10, 13)
    with inline("taskset", "-c", str(core), "node", "-e", HASHES, str(ms)) as url:
        yield Bed(url, f"--phases 'warmup=1 for 1s at 15/s, peak=1 for 9s at 15/s..{round(1.9 * 1000 / ms)}/s' -c 400 --timeout 20s {engine(dice)}"
                  "--post /login --body secret", client, truth=Truth(lambda all: [("a second", len(all.all) / 4, 500 / ms, 1300 / ms)], users=8, think=0))


@cause("after a queue has stood for 0.5 to 0.7 s, other clients, who ask again after 0.15 s, keep it full for good", "drift", "slow-period",
       "saturation", meaning="it gets slow and stays so")
def stays_overloaded(dice: Random) -> Iterator[Bed]:
    at, rest, clock = pick(dice, 3.4, 4.2), pick(dice, 0.5, 0.7), Clock()
    waiting: collections.deque[asyncio.Event] = collections.deque()
    tasks: list[asyncio.Task] = []
    most = dice.randint(60, 90)

    def enter() -> asyncio.Event:
        waiting.append(asyncio.Event())
        return waiting[-1]

    async def work() -> None:
        while True:
            if waiting and not at < clock() < at + rest:
                await asyncio.sleep(random.uniform(0.018, 0.024))
                if waiting:
                    waiting.popleft().set()
            else:
                await asyncio.sleep(0.004)

    async def other() -> None:
        while True:
            for _ in range(60):
                if len(waiting) > most:
                    break
                with contextlib.suppress(asyncio.TimeoutError):
                    await asyncio.wait_for(enter().wait(), 0.15)
                    break
            await asyncio.sleep(random.uniform(0.3, 0.42))

    async def answer(asked: Asked) -> bool:
        if not tasks:
            tasks.extend(asyncio.get_running_loop().create_task(one) for one in (*(work() for _ in range(4)), *(other() for _ in range(30))))
        clock()
        await enter().wait()
        return await asked.say()

    with answering(answer) as url:
        yield Bed(url, peak(10) + f"-c 200 --timeout 10s --rate {dice.randint(45, 60)}/s {engine(dice)}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("before", between(all, 0.5, at - 0.2).median, 15, 80), ("after", between(all, at + rest + 1.5, 9).median, 180, 1200),
                         ("failed", all.failed, 0, 0)], users=8, think=0.12, seconds=9))


READS_SLOWLY_SENT = """
import os, random, socket, sys, threading, time
listener = socket.create_server(("127.0.0.1", 0), backlog=1024)
def serve():
    while True:
        connection, _ = listener.accept()
        with connection:
            try:
                connection.settimeout(10)
                head = b""
                while b"\\r\\n\\r\\n" not in head:
                    data = connection.recv(4096)
                    if not data:
                        break
                    head += data
                else:
                    time.sleep(random.uniform(0.02, 0.035))
                    connection.sendall(b"HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\nConnection: close\\r\\n\\r\\nok")
            except OSError:
                pass
for _ in range(int(sys.argv[1])):
    threading.Thread(target=serve, daemon=True).start()
print(f"http://127.0.0.1:{listener.getsockname()[1]}/", flush=True)
sys.stdin.read()
os._exit(0)
"""


def send_slowly(url: str, connections: int, seconds: float) -> None:
    """Heads of requests that never end."""
    with contextlib.ExitStack() as stack, contextlib.suppress(OSError):
        those = [stack.enter_context(socket.create_connection(("127.0.0.1", server.port(url)))) for _ in range(connections)]
        end = time.monotonic() + seconds
        for one in those:
            one.sendall(b"GET / HTTP/1.1\r\n")
        while time.monotonic() < end:
            time.sleep(0.1)
            for one in those:
                one.sendall(b"X: y\r\n")


@cause("for 2 to 2.5 s others send their requests very slowly, which takes seven of a server's eight threads", "slow-period",
       meaning="it is slow for a while")
def slow_heads_take_threads(dice: Random) -> Iterator[Bed]:
    at, length = pick(dice, 4.8, 5.6), pick(dice, 2, 2.5)
    with inline(sys.executable, "-c", READS_SLOWLY_SENT, "8") as url, later(at, lambda: send_slowly(url, 7, length)):
        yield Bed(url, peak(10) + f"-H Connection:close -c 200 --rate {dice.randint(44, 54)}/s {engine(dice)}--get /items --get /prices", truth=Truth(
            lambda all: [("before", between(all, 0, at - 1).median, 20, 60), ("meanwhile", between(all, at + 0.3, at + length - 0.3).median, 90, 400),
                         ("after", between(all, at + length + 0.5, 9).median, 20, 70)], users=6, think=0.04, close=True, seconds=9))


@cause("a model makes the next token of all its answers together, which takes the longer the more there are", "saturation", "contention",
       meaning="more users only wait")
def tokens_of_all_answers(dice: Random) -> Iterator[Bed]:
    each, count, open_now = pick(dice, 4, 6), dice.randint(9, 12), 0

    async def answer(asked: Asked) -> bool:
        nonlocal open_now
        open_now += 1
        try:
            begin_stream(asked)
            for number in range(count):
                await asyncio.sleep((4 + each * open_now) / 1000)
                await send_event(asked, f'{{"token":{number}}}')
            await send_event(asked, "[DONE]")
            return end_stream(asked)
        finally:
            open_now -= 1

    with answering(answer) as url:
        yield Bed(url, f"--phases few=0.15:for:4s,peak=1:for:6s -c {dice.randint(26, 34)} --think 50ms..150ms --timeout 10s {engine(dice)}"
                  '--post /answers --body question --event-stream "events until=[DONE]"', truth=Truth(
            lambda all: [("median", all.median, 16 * each * count * 0.6, 20 * each * count), ("failed", all.failed, 0, 0)], users=16, think=0.05))


# Proxies and instances.


@cause("HAProxy takes 12 to 16 connections (maxconn), and each of twice as many users keeps one", "connection-limit", "unanswered", "failures-with-load",
       meaning="it has a limit of connections")
def maxconn_of_the_proxy(dice: Random) -> Iterator[Bed]:
    most = dice.randint(12, 16)
    with server.go(rule(method="POST", ms=(12, 28)), rule(ms=(6, 18))) as behind, server.haproxy(
            f"listen all\n  bind LISTEN\n  maxconn {most}\n  backlog 1024\n  server one {behind[7:-1]}") as url:
        yield Bed(url, f"--phases few=0.3:for:3s,peak=1:for:6s -c {2 * most} --think 20ms..60ms --timeout {dice.randint(900, 1300)}ms {engine(dice)}"
                  + ITEMS_AND_ORDERS, truth=Truth(
            lambda all: [("never answered", len(all.all) * all.share(lambda one: one.status == 0), 8, 200), ("200", all.status(200), 0.5, 1)],
            users=2 * most, timeout=0.8, think=0.05))


@cause("a new configuration of a proxy switches keep-alive off: from the middle on each request makes a connection, on a way of 50 to 70 ms",
       "keep-alive-limit", "drift", meaning="connections are closed after each response")
def keep_alive_switched_off(dice: Random) -> Iterator[Bed]:
    at, seconds = dice.randint(3800, 4800), pick(dice, 0.025, 0.035)
    closes = rule(**{"from": at, "header": "Connection:close"})
    with faults.network() as inside, faults.delays(inside, lambda: seconds) as address, \
            server.go(option(address="10.99.0.1:0"), rule(ms=(5, 15)), closes, under=inside) as url:
        yield Bed(url.replace("10.99.0.1", address), peak(9) + f"-c {dice.randint(14, 26)} --think 20ms..60ms {engine(dice)}{ITEMS_AND_ORDERS}", inside,
                  truth=Truth(lambda all: [("before", between(all, 0.5, at / 1000 - 0.1).share(lambda one: one.nth == 1), 0, 0),
                                           ("after", between(all, at / 1000 + 0.3, 7).share(lambda one: one.nth == 1), 1, 1), ("failed", all.failed, 0, 0)],
                              seconds=7))


@cause("nginx sends a copy of each request to an instance for tests, which gets slow in the middle: the next request of a connection waits for that", "drift",
       "slow-period", meaning="it gets slower")
def slow_mirror(dice: Random) -> Iterator[Bed]:
    at, slow = dice.randint(3800, 4800), dice.randint(200, 260)
    copies = rule(**{"from": at, "ms": (slow, slow + 40), "status": 200})
    with server.go(rule(ms=(6, 18))) as real, server.go(copies, rule(ms=(2, 6))) as tests, faults.nginx(
            "", f"location / {{ mirror /copy; proxy_pass {real[:-1]}; }} location = /copy {{ internal; proxy_pass {tests[:-1]}$request_uri; }}") as url:
        yield Bed(url, peak(9) + f"-c {dice.randint(12, 20)} --think 20ms..50ms {engine(dice)}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("before", between(all, 0, at / 1000 - 0.1).median, 5, 40), ("after", between(all, at / 1000 + 0.5, 7).median, slow / 2, slow + 90)],
            seconds=7))


@cause("nginx asks a service of log-ins for each page whether it is allowed (auth_request), which looks at two at a time, in 24 to 34 ms", "saturation",
       "contention", "serial-work", meaning="more users only wait")
def asks_for_each_page(dice: Random) -> Iterator[Bed]:
    ms = dice.randint(24, 30)
    with server.go(rule(pool=2, ms=(ms, ms + 4))) as log_ins, server.node(rule(ms=(4, 12), bytes=1200)) as pages, faults.nginx(
            f"upstream pages {{ server {pages[7:-1]}; keepalive 64; }} upstream log_ins {{ server {log_ins[7:-1]}; keepalive 64; }}",
            'proxy_http_version 1.1; proxy_set_header Connection ""; location / { auth_request /allowed; proxy_pass http://pages; } '
            'location = /allowed { internal; proxy_pass http://log_ins; proxy_pass_request_body off; proxy_set_header Content-Length ""; '
            'proxy_set_header Connection ""; }') as url:
        yield Bed(url, f"--phases few=0.15:for:3s,peak=1:for:5s -c {dice.randint(24, 34)} --think 30ms..80ms {engine(dice)}--get /account --get /orders",
                  truth=Truth(lambda all: [("a second", len(all.all) / 4, 1200 / ms, 2200 / ms), ("failed", all.failed, 0, 0)], users=16, think=0))


# Limits with odd words.


@cause("a model's service says 529, overloaded, above 7 to 10 answers at a time", "failures-with-load", "load-shedding", "rate-limit",
       meaning="it turns load away")
def overloaded_529(dice: Random) -> Iterator[Bed]:
    most = dice.randint(7, 10)
    start = dice.choice((server.go, server.node))
    with start(rule(above=most, ms=(4, 10), status=529), rule(ms=(120, 240), bytes=900)) as url:
        yield Bed(url, f"--phases few=0.2:for:3s,peak=1:for:6s -c {3 * most} --think 60ms..180ms {engine(dice)}--post /answers --body question", truth=Truth(
            lambda all: [("529", all.status(529), 0.3, 0.95), ("200", len(all.all) * all.status(200) / 4, 20, 100)], users=3 * most, think=0.1))


@cause("a cheap host sends 0.9 to 1.3 MB of photos a second, and says 509 for more", "rate-limit", "steady-failures", meaning="a limit of bytes")
def bytes_of_a_second(dice: Random) -> Iterator[Bed]:
    most, size = dice.randint(900, 1300) * 1000, dice.randint(30, 45) * 1000
    room, before, clock = float(most // 2), 0.0, Clock()

    async def answer(asked: Asked) -> bool:
        nonlocal room, before
        now = clock()
        room, before = min(most / 2, room + (now - before) * most), now
        if asked.path != "/photos":
            await some(5, 14)
            return await asked.say(b"x" * 600)
        if room < size:
            await some(2, 5)
            return await asked.say(b"Bandwidth Limit Exceeded", 509)
        length = random.randint(size // 2, 3 * size // 2)
        room -= length
        await some(10, 26)
        return await asked.say(b"x" * length)

    with answering(answer) as url:
        yield Bed(url, peak(8) + f"-c 60 --rate {round(3 * most / size)}/s {engine(dice)}--get /photos --get /items", truth=Truth(
            lambda all: [("509", all.status(509), 0.2, 0.9), ("bytes", sum(one.size for one in all.all) / 4, 0.7 * most, 1.5 * most)],
            paths=("/photos",), users=10, think=0.02))


@cause("a service of GraphQL says in a body with 200 that a query isn't allowed yet, above 40 to 60 points a second", "steady-failures", "rate-limit",
       meaning="a limit that only a check sees")
def throttled_with_200(dice: Random) -> Iterator[Bed]:
    rate = dice.randint(40, 60)
    points, before, clock = float(rate), 0.0, Clock()

    async def answer(asked: Asked) -> bool:
        nonlocal points, before
        now = clock()
        points, before = min(rate / 2, points + (now - before) * rate), now
        if points < 1:
            await some(3, 8)
            return await asked.say(b'{"errors":[{"message":"Throttled"}]}')
        points -= 1
        await some(12, 34)
        return await asked.say(b'{"data":{"shop":{"name":"one"}}}')

    with answering(answer) as url:
        yield Bed(url, peak(8) + f"-c 60 --rate {round(1.5 * rate)}/s {engine(dice)}{dice.choice(('', '--arrivals poisson '))}"
                  "--post /graphql --body query --expect json:/data/shop/name=one", truth=Truth(
            lambda all: [("throttled", all.share(lambda one: one.size == 36), 0.1, 0.9), ("failed", all.failed, 0, 0)], users=8, think=0.05))


@cause("the money of a test's account with a partner is used up in the middle: 402 for each message from then on", "outage", "rate-limit", "steady-failures",
       meaning="one operation fails from then on")
def money_is_used_up(dice: Random) -> Iterator[Bed]:
    rate = dice.randint(60, 100)
    left = total = round(rate / 2 * pick(dice, 4.6, 5.6))

    async def answer(asked: Asked) -> bool:
        nonlocal left
        if asked.method == "GET":
            await some(5, 14)
            return await asked.say()
        left -= 1
        paid = left >= 0
        await some(15, 40)
        return await (asked.say(b"queued", 202) if paid else asked.say(b"no funds", 402))

    with answering(answer) as url:
        yield Bed(url, peak(8) + f"-c 60 --rate {rate}/s {engine(dice)}--post /messages --body hello --get /messages/1", truth=Truth(
            lambda all: [("sent", len(all.all) * all.status(202), total, total), ("402", all.status(402), 0.05, 0.95)],
            method="POST", body=5, users=8, think=0.02, seconds=6))


# Names and addresses.


@contextlib.contextmanager
def names(address: str, answer: Callable[[bool], tuple[float, str]]) -> Iterator[list[str]]:
    """Words that start a command whose name server answers after so long with an address, if any; a function knows whether IPv4 is asked for."""
    over = threading.Event()

    def say(question: bytes, peer: tuple[str, int]) -> None:
        end = question.index(b"\0", 12) + 5
        seconds, found = answer(question[end - 4:end - 2] == b"\0\1")
        record = b"\xc0\x0c\0\1\0\1\0\0\0\1\0\4" + socket.inet_aton(found) if found else b""
        over.wait(seconds)
        with contextlib.suppress(OSError):
            listening.sendto(question[:2] + bytes((0x81, 0x80, 0, 1, 0, bool(found), 0, 0, 0, 0)) + question[12:end] + record, peer)

    def listen() -> None:
        while not over.is_set():
            with contextlib.suppress(TimeoutError):
                threading.Thread(target=say, args=listening.recvfrom(512)).start()

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as listening, faults.own_files(resolv_conf=f"nameserver {address}\n") as under:
        try:
            listening.bind((address, 53))
        except OSError as problem:
            raise faults.Impossible(f"port 53 of {address}: {problem}") from problem
        listening.settimeout(0.2)
        thread = threading.Thread(target=listen)
        thread.start()
        try:
            yield under
        finally:
            over.set()
            thread.join()


@cause("one of the two addresses that a name server gives in turn is another service's now: 404, and each request makes a connection", "steady-failures",
       meaning="a constant share fails")
def one_address_is_anothers(dice: Random) -> Iterator[Bed]:
    count = 0

    def in_turn(of_ipv4: bool) -> tuple[float, str]:
        nonlocal count
        count += of_ipv4
        return 0.001, f"127.0.0.{1 + count % 2}" if of_ipv4 else ""

    with server.go(rule(ms=(6, 20))) as url, server.go(option(address=f"127.0.0.2:{server.port(url)}"), rule(ms=(2, 6), status=404)), \
            names("127.0.0.95", in_turn) as under:
        named = url.replace("127.0.0.1", "shop.example")
        yield Bed(named, peak(7) + f"-H Connection:close -c {dice.randint(8, 16)} --think 40ms..90ms {engine(dice)}--get /items --get /prices", under,
                  ["-Dsun.net.inetaddr.ttl=0"], probe=lambda: [
            ("found", sum(took(under, "curl", "-4sf", named) >= 0 for _ in range(10)), 5, 5)])


@cause("a name server has to ask far away for IPv6 addresses, which there aren't, and each new connection waits 0.15 to 0.25 s for that", "slow-dns",
       meaning="looking up the name is slow")
def ipv6_is_asked_far_away(dice: Random) -> Iterator[Bed]:
    seconds = pick(dice, 0.15, 0.25)
    with server.go(rule(ms=(6, 18))) as url, names("127.0.0.94", lambda of_ipv4: (0.001, "127.0.0.1") if of_ipv4 else (seconds, "")) as under:
        yield Bed(url.replace("127.0.0.1", "shop.example"), peak(7, 2) + f"-H Connection:close -c {dice.randint(5, 9)} --think 20ms..60ms {engine(dice)}"
                  "--get /items --get /prices", under, ["-Dsun.net.inetaddr.ttl=0"],
                  probe=lambda: [("both", took(under, "getent", "ahosts", "shop.example"), 1000 * seconds, 1000 * seconds + 500),
                                 ("IPv4", took(under, "getent", "ahostsv4", "shop.example"), 0, 120)])


# Ways and protocols.


@cause("a server sends what is longer than 1,000 bytes in two pieces with Nagle's algorithm, and the second one waits for a delayed acknowledgement: 40 ms",
       "two-speeds", meaning="a share is slower by the same time")
def pieces_wait_for_acknowledgements(dice: Random) -> Iterator[Bed]:
    share = pick(dice, 0.25, 0.5)

    async def answer(asked: Asked) -> bool:
        await some(3, 9)
        length = random.randint(1100, 1900) if random.random() < share else random.randint(200, 900)
        asked.writer.write(f"HTTP/1.1 200 OK\r\nContent-Length: {length}\r\n\r\n".encode() + b"x" * min(length, 1000))
        if length > 1000:
            asked.writer.write(b"x" * (length - 1000))
        await asked.writer.drain()
        return True

    def opened(writer: asyncio.StreamWriter) -> None:
        writer.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 0)

    with answering(answer, opened) as url:
        yield Bed(url, peak(8) + f"-c {dice.randint(10, 18)} --think 15ms..40ms {engine(dice)}--get /items --get /search", truth=Truth(
            lambda all: [("late", all.share(lambda one: 38 < one.ms < 70), 0.6 * share, 1.2 * share), ("median", all.median, 3, 45)], seconds=5))


@cause("a server of HTTP/2 ends streams that take longer than 0.4 to 0.5 s (CANCEL)", "gives-up", "resets", meaning="something gives up slow requests")
def deadline_of_streams(dice: Random) -> Iterator[Bed]:
    limit = pick(dice, 0.4, 0.5)

    async def answer(writer: asyncio.StreamWriter, stream: int) -> None:
        seconds = 0.02 + random.expovariate(1 / 0.18)
        await asyncio.sleep(min(seconds, limit))
        if seconds < limit:
            say_ok(writer, stream)
        elif not writer.is_closing():
            writer.write(frame(3, 0, stream, (8).to_bytes(4, "big")))

    with over_http2(answer) as url:
        yield Bed(url, peak(8) + f"--engine events --http2 --streams {dice.choice((4, 5))} -c {20 * dice.randint(1, 2)} --think 30ms..90ms "
                  "--get /items --get /search", probe=lambda: [("one", streams_or_failure(url, 1), -1, 600), ("many", streams_or_failure(url, 120), -1, -1)])


def streams_or_failure(url: str, number: int) -> float:
    """The ms that so many requests take over one HTTP/2 connection; -1 if one fails."""
    try:
        return server.streams_ms(url, number)
    except subprocess.CalledProcessError:
        return -1


@cause("one in 100 to 140 requests breaks the compression of headers, and a server of HTTP/2 ends its connection with all streams", "resets", "steady-failures",
       meaning="connections end with all that is under way")
def compression_errors(dice: Random) -> Iterator[Bed]:
    share = 1 / dice.randint(100, 140)

    async def answer(writer: asyncio.StreamWriter, stream: int) -> None:
        if random.random() < share and not writer.is_closing():
            writer.write(frame(7, 0, 0, stream.to_bytes(4, "big") + (9).to_bytes(4, "big")))
            writer.close()
            return
        await some(25, 60)
        say_ok(writer, stream)

    with over_http2(answer) as url:
        yield Bed(url, peak(8) + f"--engine events --http2 --streams {dice.choice((4, 6))} -c {12 * dice.randint(1, 3)} --think 10ms..40ms "
                  "--get /items --get /prices", probe=lambda: [("one", streams_or_failure(url, 1), -1, 300), ("many", streams_or_failure(url, 700), -1, -1)])


@contextlib.contextmanager
def slower_handshakes(to: int, seconds: Callable[[], float]) -> Iterator[int]:
    """The port of what forwards connections, whose first bytes back wait so long."""

    async def copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, wait: float) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(65_536):
                await asyncio.sleep(wait)
                wait = 0
                writer.write(data)
                await writer.drain()
        writer.close()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection("127.0.0.1", to)
        await asyncio.gather(copy(reader, back, 0), copy(there, writer, seconds()))

    with faults._listening(serve) as port:  # noqa: SLF001
        yield port


@cause("a server's key is kept by another machine, which gets slow in the middle: from then on each TLS handshake takes 0.25 to 0.4 s",
       "tls-handshakes", "drift", meaning="handshakes are slow from then on")
def keeper_of_the_key_is_slow(dice: Random) -> Iterator[Bed]:
    at, wait, clock = pick(dice, 3.8, 4.8), pick(dice, 0.25, 0.4), Clock()
    with server.go(option(tls=1), rule(ms=(6, 18))) as behind, \
            slower_handshakes(server.port(behind), lambda: wait if clock() > at else 0.004) as port:
        yield Bed(f"https://127.0.0.1:{port}/", peak(9) + f"-k -H Connection:close -c 60 --rate {dice.randint(30, 45)}/s {engine(dice)}"
                  "--get /items --get /prices", truth=Truth(lambda all: [("before", between(all, 0, at - 0.2).connect_median, 2, 60),
                                           ("after", between(all, at + 0.2, 7).connect_median, 1000 * wait, 1000 * wait + 100)],
                              users=3, think=0.05, close=True, seconds=7))


# Messages.


class Room:
    """Of a gateway: what one says is for all others."""

    def __init__(self) -> None:
        self.writers: list[asyncio.StreamWriter] = []

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.writers.append(writer)
        try:
            while True:
                head = await reader.readexactly(2)
                length = head[1] & 127
                if length == 126:
                    length = int.from_bytes(await reader.readexactly(2), "big")
                mask = await reader.readexactly(4)
                data = bytes(byte ^ mask[place % 4] for place, byte in enumerate(await reader.readexactly(length)))
                kind = head[0] & 15
                frame_back = bytes([head[0] & 240 | (10 if kind == 9 else kind)]) + (
                    bytes([length]) if length < 126 else b"\x7e" + length.to_bytes(2, "big")) + data
                for other in [one for one in self.writers if one != writer] if kind < 3 else [writer]:
                    other.write(frame_back)
                if kind == 8:
                    return
        finally:
            self.writers.remove(writer)


@contextlib.contextmanager
def rooms() -> Iterator[str]:
    """The address of a gateway for WebSocket with a room for each path."""
    those: dict[str, Room] = collections.defaultdict(Room)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            key = next(line.split(":", 1)[1].strip() for line in head if line.lower().startswith("sec-websocket-key:"))
            accept = base64.b64encode(hashlib.sha1(f"{key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11".encode()).digest())  # noqa: S324
            writer.write(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: " + accept + b"\r\n\r\n")
            await those[head[0].split(" ")[1]].serve(reader, writer)
        writer.close()

    with faults._listening(serve) as port:  # noqa: SLF001
        yield f"http://127.0.0.1:{port}/"


def heard(url: str, number: int) -> float:
    """The share of so many rooms in which the second of two hears what the first one says."""
    found = 0
    for room in range(number):
        with contextlib.ExitStack() as stack, contextlib.suppress(OSError):
            two = [stack.enter_context(socket.create_connection(("127.0.0.1", server.port(url)), timeout=0.3)) for _ in range(2)]
            for one in two:
                one.sendall(f"GET /rooms/{room} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n".encode()
                            + b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
                one.recv(4096)
            two[0].sendall(b"\x82\x85\0\0\0\0hello")
            found += two[1].recv(4096) == b"\x82\x05hello"
    return found / number


@cause("two instances of a gateway know nothing of each other's rooms, so many pairs never hear each other", "unanswered", "steady-failures",
       meaning="a constant share is lost")
def rooms_of_two_instances(dice: Random) -> Iterator[Bed]:
    with rooms() as one, rooms() as two, of_haproxy(one, two, balance="random(1)", more="\n  timeout tunnel 60s") as url:
        yield Bed(f"ws{url[4:]}rooms/{{pair}}", peak(7) + f"--timeout 1s -c {dice.randint(24, 40)} --rate '{dice.randint(60, 120)} messages/s'",
                  probe=lambda: [("heard", heard(url, 24), 0.15, 0.85), ("of one", heard(one, 5), 1, 1)])


@cause("a test asks for a subprotocol that a gateway doesn't know", "never-accepted", "not-http", "no-connection", meaning="no connection is made use of")
def subprotocol_unknown(dice: Random) -> Iterator[Bed]:
    asked = (b"GET /rooms/1 HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
             b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: chat.v2\r\n\r\n")
    with echoing(lambda: some(2, 6)) as url:
        yield Bed(f"ws{url[4:]}rooms/{{pair}}", peak(3) + f"--keep-going --subscribers 0 --subprotocols chat.v2 -c {dice.randint(8, 20)} "
                  f"--rate '{dice.randint(20, 60)} messages/s'", probe=lambda: [("chosen", b"sec-websocket-protocol" in reply(url, asked).lower(), 0, 0)])


# Wrong tests.


@cause("a test announces its bodies (Expect: 100-continue), which an old server doesn't know: 417 for each upload", "wrong-request",
       meaning="the server doesn't take such requests")
def expectation_fails(dice: Random) -> Iterator[Bed]:
    number = dice.randint(6, 12)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).lower()
                await some(5, 16)
                if b"expect:" in head:
                    writer.write(b"HTTP/1.1 417 Expectation Failed\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
                    break
                writer.write(faults.OK)
            await writer.drain()
        writer.close()

    with faults._listening(serve) as port, tempfile.NamedTemporaryFile() as body:  # noqa: SLF001
        Path(body.name).write_bytes(b"x" * dice.randint(8000, 30_000))
        url = f"http://127.0.0.1:{port}/"
        yield Bed(url, peak(5) + f"--client httpclient --expect-continue --pool {number} -c {number} --think 40ms --get /items --put /files "
                  f"--body @{body.name}", probe=lambda: [
            ("417", reply(url, b"PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n").startswith(b"HTTP/1.1 417"), 1, 1),
            ("200", said(url, "/")[0], 200, 200)])


@cause("the place in a list is kept for 0.5 to 0.6 s, and a test's users often read a page for longer before they ask for the next one: 410",
       "steady-failures", meaning="a constant share fails")
def place_is_forgotten(dice: Random) -> Iterator[Bed]:
    keep = pick(dice, 0.5, 0.6)
    places: list[float] = []

    async def answer(asked: Asked) -> bool:
        await some(8, 24)
        if asked.path != "/orders" and time.monotonic() - places[int(asked.path.split("/")[2])] > keep:
            return await asked.say(b"this place is forgotten", 410)
        places.append(time.monotonic())
        return await asked.say(f'{{"next": {len(places) - 1}}}'.encode())

    def claims() -> list[Claim]:
        said(url, "/orders")
        soon = said(url, "/orders/0")[0]
        time.sleep(keep)
        return [("soon", soon, 200, 200), ("late", said(url, "/orders/0")[0], 410, 410)]

    with answering(answer) as url:
        yield Bed(url, peak(8) + f"-c {dice.randint(20, 32)} {engine(dice)}", plan="""
scenarios:
  - name: list
    steps:
      - get: /orders
        extract: {next: "json:/next"}
      - think: 150ms..700ms
      - get: "/orders/{next}"
        name: GET /orders/PLACE
      - think: 100ms..300ms
""", probe=claims)


# Healthy, though it may look otherwise.


@clean("a service that counts with Redis: what is changed is read again")
def counted_with_redis(dice: Random) -> Iterator[Bed]:
    with redis("--save", "") as (port, _):
        store = Store(port)

        async def answer(asked: Asked) -> bool:
            value = await (store.ask("INCR", asked.path) if asked.method == "POST" else store.ask("GET", asked.path))
            await some(4, 16)
            return await asked.say(f'{{"count": "{value.strip().lstrip(":")}"}}'.encode())

        with answering(answer) as url:
            yield Bed(url, peak(7) + f"-c {dice.randint(12, 24)} {engine(dice)}", plan="""
scenarios:
  - name: likes
    steps:
      - post: "/likes/{user}"
        name: POST /likes/USER
        extract: {count: "json:/count"}
      - think: 40ms..120ms
      - get: "/likes/{user}"
        name: GET /likes/USER
        checks: "json:/count={count}"
      - think: 40ms..120ms
""")


@clean("a server of HTTP/1.0, whose bodies end with their connection, as a test asks for")
def http_1_0(dice: Random) -> Iterator[Bed]:
    async def answer(asked: Asked) -> bool:
        await some(8, 26)
        asked.writer.write(b"HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\n" + b"x" * random.randint(500, 4000))
        return False

    with answering(answer) as url:
        yield Bed(url, peak(7) + f"-H Connection:close -c 40 --rate {dice.randint(15, 30)}/s {engine(dice)}--get /items --get /prices")


@clean("users who start over 3 s, each at a pace of its own, 0.4 to 0.8 s")
def started_and_paced(dice: Random) -> Iterator[Bed]:
    with server.node(rule(method="POST", ms=(20, 60)), rule(ms=(8, 30))) as url:
        yield Bed(url, f"--phases peak=1:for:8s --ramp 3s -c {dice.randint(30, 60)} --pacing 400ms..800ms {engine(dice)}{ITEMS_AND_ORDERS}")


@clean("messages of 6 to 12 kB by WebSocket, which come back")
def long_messages(dice: Random) -> Iterator[Bed]:
    with echoing(lambda: some(3, 18)) as url:
        yield Bed(f"ws{url[4:]}rooms/{{pair}}", peak(7) + f"--subscribers 0 --message-size {dice.randint(6000, 12_000)} -c {dice.randint(10, 20)} "
                  f"--rate '{dice.randint(12, 24)} messages/s'", probe=lambda: [("comes back", message_ms(url, 2), 2, 300)])


@clean("a run is paused for 1.2 to 1.8 s by its plan, and goes on")
def paused_and_resumed(dice: Random) -> Iterator[Bed]:
    at = pick(dice, 2.5, 3.5)
    with server.go(rule(method="POST", ms=(14, 36)), rule(ms=(6, 20))) as url:
        yield Bed(url, peak(8) + f"-c 60 --rate {dice.randint(70, 120)}/s {engine(dice)}--change 'peak at {at}s: pause' "
                  f"--change 'peak at {at + pick(dice, 1.2, 1.8):.2f}s: resume' {ITEMS_AND_ORDERS}")


@clean("a rate is doubled while a test runs, and halved again, at a server with room")
def rate_is_changed(dice: Random) -> Iterator[Bed]:
    rate = dice.randint(40, 60)
    with server.java(rule(method="POST", ms=(14, 36)), rule(ms=(6, 20))) as url:
        yield Bed(url, peak(8, 2) + f"-c 60 --rate {rate}/s {engine(dice)}--change 'peak at {pick(dice, 2, 3)}s: rate {2 * rate}/s' "
                  f"--change 'peak at {pick(dice, 5, 6)}s: rate {rate}/s' {ITEMS_AND_ORDERS}")


@clean("users are added while a test runs, at a server with room")
def users_are_added(dice: Random) -> Iterator[Bed]:
    number = dice.randint(8, 14)
    with server.go(rule(method="POST", ms=(18, 40)), rule(ms=(8, 24))) as url:
        yield Bed(url, peak(8) + f"-c {2 * number} --think 50ms..150ms {engine(dice)}--change 'peak at 10ms: users {number}' "
                  f"--change 'peak at {pick(dice, 3, 4.5)}s: users {2 * number}' {ITEMS_AND_ORDERS}")


@clean("each user does 50 iterations, and some are done earlier than others")
def some_are_done_earlier(dice: Random) -> Iterator[Bed]:
    with server.python(rule(method="POST", ms=(14, 40)), rule(ms=(6, 24))) as url:
        yield Bed(url, f"--phases 'warmup=1 for 6 iterations, peak=1 for {dice.randint(36, 46)} iterations' -c {dice.randint(12, 24)} --think 40ms..180ms "
                  f"{engine(dice)}{ITEMS_AND_ORDERS}")


@clean("readers in the morning, writers in the afternoon: the weights of two scenarios change")
def weights_change(dice: Random) -> Iterator[Bed]:
    with server.go(rule(method="POST", ms=(60, 110)), rule(ms=(8, 24))) as url:
        yield Bed(url, f"--phases 'warmup=1 for 1s, morning=1 for 4s, afternoon=1 for 4s' -c 80 --rate '{dice.randint(30, 50)} journeys/s' {engine(dice)}",
                  plan="""
scenarios:
  - name: read
    weight: {warmup: 5, morning: 9, afternoon: 2}
    steps:
      - get: /items
      - get: /items/7
  - name: write
    weight: {warmup: 5, morning: 1, afternoon: 8}
    steps:
      - post: /items
        json: {text: "{uuid}"}
""")


ALLOCATES = """
import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;

class Allocates {
    static volatile Object last;

    public static void main(String[] arguments) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 1024);
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            for (int number = 0; number < 40; number++) {
                last = new byte[10_000];
            }
            try {
                Thread.sleep(ThreadLocalRandom.current().nextInt(6, 20));
            } catch (InterruptedException end) {
                return;
            }
            exchange.sendResponseHeaders(200, 2);
            exchange.getResponseBody().write(new byte[] {'o', 'k'});
            exchange.close();
        });
        server.start();
        System.out.println("http://127.0.0.1:" + server.getAddress().getPort() + "/");
    }
}
"""


@clean("a Java server with a heap of 64 MiB, which collects garbage often and shortly")
def short_collections(dice: Random) -> Iterator[Bed]:
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "Allocates.java")
        source.write_text(ALLOCATES)
        with faults.java("-Xms64m", "-Xmx64m", "-XX:+UseSerialGC", "-Dsun.net.httpserver.nodelay=true", str(source)) as url:
            yield Bed(url, peak(7, 2) + f"-c 60 --rate {dice.randint(60, 110)}/s {engine(dice)}{dice.choice(('', '--arrivals poisson '))}{ITEMS_AND_ORDERS}",
                      truth=Truth(lambda all: [("failed", all.failed, 0, 0), ("slow", all.slower(90), 0, 0.02)], seconds=4))


@clean("streams without an end, to which a test listens for 0.8 to 1.2 s")
def listened_for_a_while(dice: Random) -> Iterator[Bed]:
    async def answer(asked: Asked) -> bool:
        if asked.path != "/prices":
            await some(6, 20)
            return await asked.say()
        begin_stream(asked)
        for number in range(100_000):
            await some(40, 120)
            await send_event(asked, f'{{"price":{number}}}')
        return False

    with answering(answer) as url:
        yield Bed(url, peak(8) + f"-c {dice.randint(16, 30)} --think 50ms..200ms {engine(dice)}--get /items "
                  f"--get /prices --event-stream 'events for={dice.randint(800, 1200)}ms'")


@clean("a service by satellite: 500 to 600 ms there and back")
def by_satellite(dice: Random) -> Iterator[Bed]:
    seconds = pick(dice, 0.25, 0.3)
    with faults.network() as inside, faults.delays(inside, lambda: seconds) as address, \
            server.go(option(address="10.99.0.1:0"), rule(method="POST", ms=(12, 30)), rule(ms=(6, 18), bytes=1000), under=inside) as url:
        yield Bed(url.replace("10.99.0.1", address), peak(9, 3) + f"-c {dice.randint(30, 50)} --think 100ms..400ms {engine(dice)}{ITEMS_AND_ORDERS}", inside,
                  truth=Truth(lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 2000 * seconds, 2000 * seconds + 60)]))


@clean("a server of HTTP/2 that sends pings and frames of a kind that nobody knows")
def frames_that_nobody_knows(dice: Random) -> Iterator[Bed]:
    async def answer(writer: asyncio.StreamWriter, stream: int) -> None:
        writer.write(frame(6, 0, 0, b"12345678") + frame(0xbb, 0, 0, b"unknown"))
        await some(8, 28)
        if not writer.is_closing():
            writer.write(frame(0xbc, 0, stream, b"unknown"))
            say_ok(writer, stream)

    with over_http2(answer) as url:
        yield Bed(url, peak(7) + f"--engine events --http2 --streams {dice.choice((2, 4))} -c {dice.choice((12, 16, 24))} --think 30ms..90ms "
                  "--get /items --get /prices", probe=lambda: [("ten", server.streams_ms(url, 10), 8, 500)])


@clean("a server of HTTP/2 that renews its connections after 150 to 250 requests, as it should (GOAWAY)")
def renewed_by_goaway(dice: Random) -> Iterator[Bed]:
    low = dice.randint(150, 180)
    left: dict[asyncio.StreamWriter, int] = {}
    under_way: collections.Counter[asyncio.StreamWriter] = collections.Counter()
    ends: set[asyncio.StreamWriter] = set()

    def close_if_done(writer: asyncio.StreamWriter) -> None:
        if writer in ends and not under_way[writer]:
            writer.close()

    def last_word(writer: asyncio.StreamWriter, stream: int) -> None:
        if not writer.is_closing():
            writer.write(frame(7, 0, 0, stream.to_bytes(4, "big") + bytes(4)))
        ends.add(writer)
        close_if_done(writer)

    last: dict[asyncio.StreamWriter, int] = {}

    async def answer(writer: asyncio.StreamWriter, stream: int) -> None:
        under_way[writer] += 1
        last[writer] = stream
        left[writer] = left.get(writer, random.randint(low, low + 70)) - 1
        if left[writer] == 0:
            writer.write(frame(7, 0, 0, (2**31 - 1).to_bytes(4, "big") + bytes(4)))
            asyncio.get_running_loop().call_later(0.2, lambda: last_word(writer, last[writer]))
        await some(8, 26)
        say_ok(writer, stream)
        under_way[writer] -= 1
        close_if_done(writer)

    with over_http2(answer) as url:
        yield Bed(url, peak(8) + f"--engine events --http2 --streams {dice.choice((2, 4))} -c {dice.choice((16, 24))} --think 30ms..80ms "
                  "--get /items --get /prices", probe=lambda: [("300", server.streams_ms(url, 120), 8, 800)])


@clean("responses with 40 to 60 fields, names in capitals and no reason")
def many_fields(dice: Random) -> Iterator[Bed]:
    fields = "".join(f"X-FIELD-{number}:{'v' * dice.randint(5, 60)}\r\n" for number in range(dice.randint(40, 60)))

    async def answer(asked: Asked) -> bool:
        await some(6, 22)
        asked.writer.write(f"HTTP/1.1 200 \r\n{fields}CONTENT-LENGTH:  300\r\n\r\n".encode() + b"x" * 300)
        return True

    with answering(answer) as url:
        yield Bed(url, peak(6) + model(dice, (70, 120)) + ITEMS_AND_ORDERS)


@clean("robots who read without a rest, and people who think, of one site with room enough")
def robots_and_people(dice: Random) -> Iterator[Bed]:
    with server.node(rule(path="/items", ms=(8, 26), bytes=2000), rule(ms=(12, 34), bytes=900)) as url:
        yield Bed(url, peak(8) + f"-c {dice.randint(12, 24)} {engine(dice)}", plan="""
scenarios:
  - name: robot
    weight: 1
    steps:
      - repeat: 12
        steps:
          - get: "/items/{random:1..500}"
            name: GET /items/NUMBER
  - name: person
    weight: 3
    steps:
      - get: /
      - think: 300ms..900ms
      - get: /search
      - think: 300ms..900ms
""")


@clean("bodies of 40 to 160 kB are sent back as they are")
def sent_back(dice: Random) -> Iterator[Bed]:
    async def answer(asked: Asked) -> bool:
        await some(6, 22)
        return await asked.say(asked.body or b"ok")

    with answering(answer) as url, tempfile.NamedTemporaryFile() as body:
        Path(body.name).write_bytes(dice.randbytes(dice.randint(40_000, 160_000)))
        yield Bed(url, peak(6) + f"-c {dice.randint(6, 12)} --think 50ms..150ms {engine(dice)}--post /pictures --body @{body.name} --get /items")


@clean("HAProxy chooses one of three equal instances by an item's path, always the same one for an item")
def instance_of_an_item(dice: Random) -> Iterator[Bed]:
    rules = [rule(method="POST", ms=(14, 36)), rule(ms=(7, 22), bytes=1200)]
    with server.go(*rules) as one, server.go(*rules) as two, server.go(*rules) as three, \
            of_haproxy(one, two, three, balance="uri", more="\n  hash-type consistent") as url:
        yield Bed(url, peak(7) + f"-c 60 --rate '{dice.randint(60, 100)} journeys/s' --arrivals poisson {engine(dice)}", plan="""
scenarios:
  - name: look
    steps:
      - get: "/items/{random:1..400}"
        name: GET /items/NUMBER
""")


@clean("files of 5 to 60 kB that are stored, read and deleted, by nginx (WebDAV)")
def files_are_kept(dice: Random) -> Iterator[Bed]:
    def status(method: str) -> int:
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", server.port(url), timeout=5)) as connection:
            connection.request(method, "/files/one", b"x" if method == "PUT" else None)
            return connection.getresponse().status

    with tempfile.TemporaryDirectory() as folder, tempfile.NamedTemporaryFile("w") as file, faults.nginx(
            "", f"root {folder}; location / {{ dav_methods PUT DELETE; create_full_put_path on; }}") as url:
        os.chmod(folder, 0o777)
        file.write("0123456789" * dice.randint(500, 6000))
        file.flush()
        yield Bed(url, peak(7) + f"-c {dice.randint(10, 20)} {engine(dice)}", plan=f"""
scenarios:
  - name: keep
    steps:
      - put: "/files/{{user}}"
        name: PUT /files/USER
        bodyFile: {file.name}
        checks: status=2xx
      - think: 40ms..120ms
      - get: "/files/{{user}}"
        name: GET /files/USER
        checks: size>4k
      - think: 40ms..120ms
      - delete: "/files/{{user}}"
        name: DELETE /files/USER
        checks: status=204
      - think: 40ms..120ms
""", probe=lambda: [("PUT", status("PUT"), 201, 201), ("GET", status("GET"), 200, 200), ("DELETE", status("DELETE"), 204, 204)])


@clean("streams of events beside short calls, by nginx with TLS")
def events_beside_calls(dice: Random) -> Iterator[Bed]:
    port, count = faults.free_port(), dice.randint(4, 7)

    async def answer(asked: Asked) -> bool:
        if asked.path != "/events":
            await some(6, 20)
            return await asked.say(b"x" * 1500)
        begin_stream(asked)
        for number in range(count):
            await some(50, 150)
            await send_event(asked, f'{{"number":{number}}}')
        return end_stream(asked)

    with answering(answer) as behind, faults.nginx(
            f"upstream one {{ server {behind[7:-1]}; keepalive 64; }}",
            f"listen 127.0.0.1:{port} ssl http2; location / {{ proxy_buffering off; proxy_http_version 1.1; "
            'proxy_set_header Connection ""; proxy_pass http://one; }', tls="-newkey rsa:2048"):
        yield Bed(f"https://127.0.0.1:{port}/", peak(8) + f"-k --engine events -c {dice.choice((12, 16, 20))} "
                  f"--think 60ms..180ms --get /items --get /prices --get /events --event-stream 'events count={count}'")
