"""
The twelfth held-out set. Don't read on if you change rules.

No rule was tuned on it. Each kind is an incident of a real service, of a network or of a wrong test whose mechanism the earlier sets
don't have. The ids of a fault are those that an expert would accept as the first finding.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import hashlib
import json
import os
import random
import signal
import socket
import ssl
import statistics
import subprocess
import tempfile
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import behaviours as server
import faults
from asking import Claim, Truth, took
from behaviours import option, rule
from kinds import Bed, cause, clean, engine, peak, pick
from kinds.held_out_eighth import begin_stream, end_stream, say_and_close, send_event
from kinds.held_out_eleventh import Database, apache, mosquitto, postgres, relayed
from kinds.held_out_fifth import Clock
from kinds.held_out_fourth import between, inline, sent
from kinds.held_out_ninth import ITEMS_AND_ORDERS, over_http2, say_ok
from kinds.held_out_second import Asked, answering, some
from kinds.held_out_seventh import later, rows, said
from kinds.held_out_sixth import echoing, frame, message_ms, reply
from kinds.held_out_tenth import Room, heard, rooms, slower_handshakes

TCP_CORK = 3


def modest(dice: Random, per_second: tuple[int, int]) -> str:
    """A closed or an open model of at most about 250 requests a second."""
    if dice.random() < 0.5:
        return f"-c {dice.randint(10, 22)} --think {dice.randint(50, 100)}ms..{dice.randint(150, 250)}ms {engine(dice)}"
    return f"-c {dice.randint(40, 60)} --rate {dice.randint(*per_second)}/s {engine(dice)}{dice.choice(('', '--arrivals poisson '))}"


def ms_of(url: str, path: str, number: int = 5) -> float:
    """The median of so many requests, one after another."""
    times = []
    for _ in range(number):
        begin = time.monotonic()
        said(url, path)
        times.append((time.monotonic() - begin) * 1000)
    return statistics.median(times)


async def copied(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """To its end."""
    with contextlib.suppress(OSError):
        while data := await reader.read(65_536):
            writer.write(data)
            await writer.drain()
    writer.close()


# Databases, stores and caches.


@cause("each visit adds one to the same row of a database, and has it until its page is made, 8 to 12 ms later", "saturation", "serial-work", "contention",
       meaning="more users only wait for the row")
def row_that_counts_visits(dice: Random) -> Iterator[Bed]:
    ms = dice.randint(8, 12)
    with postgres("create table counts (id int primary key, visits int)", "insert into counts values (1, 0)") as port:
        database = Database(port)

        async def answer(asked: Asked) -> bool:
            if asked.path == "/search":
                await some(6, 16)
                return await asked.say()
            failed = await database.ask("begin; update counts set visits = visits + 1 where id = 1", "commit", pause=ms)
            return await asked.say(failed.encode(), 500 if failed else 200)

        with answering(answer) as url:
            yield Bed(url, f"--phases few=0.1:for:3s,peak=1:for:6s -c {dice.randint(26, 34)} --think 40ms..90ms {engine(dice)}--get / --get /search",
                      truth=Truth(lambda all: [("a second", len(all.all) / 4, 450 / ms, 1050 / ms), ("median", all.median, 5 * ms, 40 * ms),
                                               ("failed", all.failed, 0, 0)], users=12, think=0))


class Watchful(Database):
    """It is a failure, too, if no connection can be made."""

    async def connected(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        try:
            return await super().connected()
        except (OSError, asyncio.IncompleteReadError) as problem:
            raise LookupError from problem

    async def ask(self, *statements: str, pause: float = 0) -> str:
        try:
            return await super().ask(*statements, pause=pause)
        except LookupError:
            return "away"


@cause("twice, a process of a database is killed, as memory is short, and the database ends all its connections and recovers: 500", "restarts", "outage",
       meaning="short bursts of failures")
def process_of_a_database_is_killed(dice: Random) -> Iterator[Bed]:
    times = (pick(dice, 4.6, 5.4), pick(dice, 7.6, 8.6))
    with postgres("create table items (id int, name text)", "insert into items select n, 'name' from generate_series(1, 50) n") as port:
        database = Watchful(port)

        async def answer(asked: Asked) -> bool:
            begin = "insert into items values (51, 'other')" if asked.method == "POST" else "select name from items where id = 7"
            failed = await database.ask("begin; " + begin, "commit", pause=random.uniform(30, 70))
            return await asked.say(failed.encode(), 500 if failed else 200)

        def kill() -> None:
            found = subprocess.run(["psql", "-h", "127.0.0.1", "-p", str(port), "-U", "shop", "-tAc", "select pid from pg_stat_activity where "
                                    "backend_type = 'client backend' and pid <> pg_backend_pid() limit 1", "postgres"],
                                   capture_output=True, text=True, check=False).stdout.strip()
            if found:
                os.kill(int(found), signal.SIGKILL)

        with answering(answer) as url, later(times[0], kill), later(times[1], kill):
            yield Bed(url, peak(9) + f"-c 120 --rate {dice.randint(100, 150)}/s {engine(dice)}{ITEMS_AND_ORDERS}", truth=Truth(
                lambda all: [("before", between(all, 0, times[0] - 0.3).failed, 0, 0), ("lost", len(all.all) * all.failed, 4, 800),
                             ("between", between(all, times[0] + 1.4, times[1] - 0.3).failed, 0, 0),
                             ("after", between(all, times[1] + 1.4, 12).failed, 0, 0)], users=6, seconds=11))


@cause("from the middle on a quarter of the items is looked for at two new nodes of a store, which have no data yet: 404", "steady-failures",
       meaning="a constant share fails from then on")
def new_nodes_are_empty(dice: Random) -> Iterator[Bed]:
    at, clock = pick(dice, 3.8, 4.8), Clock()

    def moved(path: str) -> bool:
        return zlib.crc32(path.encode()) % 8 < 2

    async def answer(asked: Asked) -> bool:
        if clock() > at and moved(asked.path):
            await some(3, 9)
            return await asked.say(b"no such item", 404)
        await some(8, 24)
        return await asked.say(b"x" * 1200)

    one, other = (next(path for path in map("/items/{}".format, range(1, 800)) if moved(path) == whether) for whether in (True, False))
    with answering(answer) as url:
        yield Bed(url, peak(9) + f"-c 60 --rate '{dice.randint(80, 140)} journeys/s' {engine(dice)}", plan="""
scenarios:
  - name: look
    steps:
      - get: "/items/{random:1..800}"
        name: GET /items/NUMBER
""", truth=Truth(lambda all: [("before", between(all, 0, at - 0.1).failed, 0, 0), ("moved", between(all.of(one), at + 0.1, 8).status(404), 1, 1),
                              ("others", all.of(other).failed, 0, 0)], paths=(one, other), seconds=7))


@cause("a list gets longer with each entry, and in the middle too long for its cache: from then on it is read from a database, in 0.11 to 0.19 s", "drift",
       "slow-period", meaning="it gets slower")
def list_too_long_for_its_cache(dice: Random) -> Iterator[Bed]:
    rate, slow, count = dice.randint(70, 110), dice.randint(110, 150), 0
    most = round(rate / 2 * pick(dice, 4.4, 5.4))

    async def answer(asked: Asked) -> bool:
        nonlocal count
        if asked.method == "POST":
            count += 1
            await some(8, 20)
            return await asked.say(b"added", 201)
        await (some(4, 12) if count <= most else some(slow, slow + 40))
        return await asked.say(b"x" * (20_000 + 60 * count))

    def claims() -> list[Claim]:
        first = ms_of(url, "/guests")
        for _ in range(most + 1):
            said(url, "/guests", "POST", b"one")
        return [("first", first, 4, 40), ("later", ms_of(url, "/guests"), slow, slow + 70)]

    with answering(answer) as url:
        yield Bed(url, peak(9) + f"-c 100 --rate {rate}/s {engine(dice)}--get /guests --post /guests --body one", probe=claims)


@cause("a cache remembers for 0.5 to 0.8 s that there is no such name, and a test looks for a name before it takes it, and again some time later: 404",
       "steady-failures", meaning="a share of an operation fails")
def absence_is_remembered(dice: Random) -> Iterator[Bed]:
    length = pick(dice, 0.5, 0.8)
    taken: set[str] = set()
    absent: dict[str, float] = {}

    async def answer(asked: Asked) -> bool:
        now = time.monotonic()
        if asked.method == "POST":
            await some(12, 30)
            taken.add(asked.path)
            return await asked.say(b"yours", 201)
        await some(5, 16)
        if now < absent.get(asked.path, 0):
            return await asked.say(b"no such name", 404)
        if asked.path in taken or asked.path == "/":
            return await asked.say(b"x" * 300)
        absent[asked.path] = now + length
        return await asked.say(b"no such name", 404)

    def claims() -> list[Claim]:
        found = [said(url, "/names/one")[0], said(url, "/names/one", "POST", b"x")[0], said(url, "/names/one")[0]]
        time.sleep(length)
        return [(str(place), status, expected, expected)
                for place, (status, expected) in enumerate(zip([*found, said(url, "/names/one")[0]], (404, 201, 404, 200)))]

    with answering(answer) as url:
        yield Bed(url, peak(9) + f"-c {dice.randint(24, 34)} {engine(dice)}", plan="""
scenarios:
  - name: register
    steps:
      - get: "/names/{user}-{iteration}"
        name: is a name free
        checks: status=404
      - think: 30ms..90ms
      - post: "/names/{user}-{iteration}"
        name: take it
        json: {of: "{user}"}
        checks: status=201
      - think: 200ms..1000ms
      - get: "/names/{user}-{iteration}"
        name: look at it
        checks: status=200
      - think: 30ms..90ms
""", probe=claims)


# Processes, threads and other users.


@cause("each log-in needs random numbers, of which a machine gathers enough for 10 to 14 a second: its supply is used up in the middle, and log-ins wait",
       "drift", "saturation", "slow-period", meaning="an operation gets slower and slower")
def randomness_is_used_up(dice: Random) -> Iterator[Bed]:
    each, clock = dice.randint(10, 14), Clock()
    supply = level = 0.4 * each * pick(dice, 4.2, 5.2)
    before = 0.0

    async def answer(asked: Asked) -> bool:
        nonlocal level, before
        now = clock()
        level, before = min(supply, level + (now - before) * each), now
        if asked.path == "/login":
            level -= 1
            await asyncio.sleep(max(0.0, -level / each))
        await some(8, 22)
        return await asked.say()

    with answering(answer) as url:
        yield Bed(url, peak(10) + f"-c 150 --rate {round(4.2 * each)}/s {engine(dice)}--get /items --post /login --body secret --get /account",
                  probe=lambda: [("first", max(ms for _, ms in sent(url, 8, "/login", "POST")), 8, 90),
                                 ("all", max(ms for _, ms in sent(url, 60, "/login", "POST")), (60 - supply) / each * 700, (70 - supply) / each * 1300),
                                 ("others", ms_of(url, "/items"), 8, 40)])


@cause("a balancer is replaced, which ends all connections with their next response, and the new one makes one TLS handshake at a time, in 34 to 46 ms",
       "tls-handshakes", "standstill", "slow-period", meaning="all wait for their handshakes")
def all_connect_anew(dice: Random) -> Iterator[Bed]:
    at, each, free = dice.randint(6400, 7400), pick(dice, 0.034, 0.046), 0.0

    def turn() -> float:
        nonlocal free
        free = max(free, time.monotonic()) + each
        return free - time.monotonic()

    with server.go(option(tls=1), rule(ms=(10, 26)), rule(**{"from": at, "to": at + 650, "header": "Connection:close"})) as behind, \
            slower_handshakes(server.port(behind), turn) as port:
        yield Bed(f"https://127.0.0.1:{port}/", peak(9, 3) + f"-k -c {dice.randint(36, 46)} --think 400ms..500ms {engine(dice)}{ITEMS_AND_ORDERS}",
                  truth=Truth(lambda all: [("again", len(between(all, at / 1000 + 0.1, at / 1000 + 2).connects), 15, 120), ("failed", all.failed, 0, 0),
                                           ("longest", max(between(all, at / 1000 - 0.3, at / 1000 + 2).connects), 6000 * each, 60_000 * each),
                                           ("else", len(between(all, 2, at / 1000 - 0.3).connects), 0, 0)], users=20, think=0.3, seconds=9.5))


@cause("forty devices of others report at the same moment, every 1.6 to 2.2 s, and a test's requests wait behind theirs", "periodic-stalls", "standstill",
       meaning="all requests wait at even distances")
def others_report_together(dice: Random) -> Iterator[Bed]:
    period, number = pick(dice, 1.6, 2.2), dice.randint(38, 46)
    places, tasks = asyncio.Semaphore(4), set()

    async def report() -> None:
        async with places:
            await some(28, 38)

    async def others() -> None:
        begin = time.monotonic()
        for count in range(1, 100):
            await asyncio.sleep(begin + count * period - time.monotonic())
            tasks.update(asyncio.create_task(report()) for _ in range(number))

    async def answer(asked: Asked) -> bool:
        if not tasks:
            tasks.add(asyncio.create_task(others()))
        async with places:
            await some(12, 24)
        return await asked.say(b"x" * 900)

    with answering(answer) as url:
        yield Bed(url, peak(10) + f"-c 120 --rate {dice.randint(50, 80)}/s {engine(dice)}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("longest", all.slowest, 6 * number, 14 * number), ("slow", all.slower(100), 0.02, 0.3), ("median", all.median, 12, 45),
                         ("failed", all.failed, 0, 0)], users=3, think=0.03, seconds=8))


@cause("each of four pages is compiled when it is asked for first, one after another, in 0.5 to 0.8 s each, and a test has no warmup", "slow-start",
       "cold-starts", meaning="it is slow at first")
def pages_are_compiled_first(dice: Random) -> Iterator[Bed]:
    compiler, compiled = asyncio.Lock(), set[str]()

    async def answer(asked: Asked) -> bool:
        if asked.path not in compiled:
            async with compiler:
                if asked.path not in compiled:
                    await some(500, 800)
                    compiled.add(asked.path)
        await some(8, 22)
        return await asked.say(b"x" * 1500)

    with answering(answer) as url:
        yield Bed(url, f"--phases peak=1:for:9s -c 200 --rate {dice.randint(30, 50)}/s {engine(dice)}--get / --get /items --get /cart --get /search",
                  truth=Truth(lambda all: [("longest", all.slowest, 1800, 3500), ("later", between(all, 3.5, 6).slowest, 8, 150),
                                           ("failed", all.failed, 0, 0)], paths=("/", "/items", "/cart", "/search"), seconds=6))


@cause("a newsletter brings sixty others for 2 to 2.6 s, who read without a rest, and a service does six things at a time", "slow-period",
       meaning="it is slow for a while")
def newsletter(dice: Random) -> Iterator[Bed]:
    at, length, clock = pick(dice, 4.6, 5.6), pick(dice, 2, 2.6), Clock()
    places, tasks = asyncio.Semaphore(6), set()

    async def other() -> None:
        await asyncio.sleep(at - clock())
        while clock() < at + length:
            async with places:
                await some(24, 32)

    async def answer(writer: asyncio.StreamWriter, stream: int) -> None:
        clock()
        if not tasks:
            tasks.update(asyncio.create_task(other()) for _ in range(60))
        async with places:
            await some(24, 32)
        say_ok(writer, stream)

    def claims() -> list[Claim]:
        def at_second(seconds: float) -> float:
            time.sleep(max(0.0, seconds - clock()))
            return server.streams_ms(url, 1)

        return [("before", at_second(0), 22, 80), ("meanwhile", at_second(at + 0.6), 180, 500), ("after", at_second(at + length + 0.6), 22, 80)]

    with over_http2(answer) as url:
        yield Bed(url, peak(10) + f"--engine events --http2 --streams {dice.choice((4, 6))} -c 96 --rate {dice.randint(50, 80)}/s "
                  "--get /items --get /prices", probe=claims)


ROUNDED = """
const known = new Map();
let count = 0n;
process.stdin.on('end', () => process.exit(0)).resume();
const server = require('node:http').createServer((request, response) => {
    const parts = [];
    const say = (status, body) => {
        const text = JSON.stringify(body);
        response.writeHead(status, {'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text)});
        response.end(text);
    };
    request.on('data', part => parts.push(part)).on('end', () => setTimeout(() => {
        if (request.method === 'POST') {
            const id = 9007199254740992n + ++count;
            known.set(String(id), JSON.parse(Buffer.concat(parts)).of);
            say(201, {id: Number(id)});
        } else {
            const [, , id, of] = request.url.split('/');
            known.get(id) === of ? say(200, {of}) : say(404, {error: 'no such order'});
        }
    }, 6 + 16 * Math.random()));
});
server.listen({port: 0, host: '127.0.0.1', backlog: 1024}, () => console.log(`http://127.0.0.1:${server.address().port}/`));
"""


@cause("numbers of orders are above 2 to the 53rd, and a Node server rounds them, so every other order isn't found again: 404", "steady-failures",
       meaning="a constant share fails")
def numbers_are_rounded(dice: Random) -> Iterator[Bed]:
    def found(of: str) -> int:
        number = json.loads(said(url, "/orders", "POST", json.dumps({"of": of}).encode())[1])["id"]
        return said(url, f"/orders/{number}/{of}")[0]

    with inline("node", "-e", ROUNDED) as url:
        yield Bed(url, peak(8) + f"-c {dice.randint(12, 24)} {engine(dice)}", plan="""
scenarios:
  - name: order
    steps:
      - post: /orders
        json: {of: "{user}-{iteration}"}
        extract: {number: "json:/id"}
      - think: 40ms..120ms
      - get: "/orders/{number}/{user}-{iteration}"
        name: GET /orders/NUMBER
      - think: 40ms..120ms
""", probe=lambda: [("not found", [found(f"user-{number}") for number in range(20)].count(404), 9, 11)])


MEASURED = """
import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

class Measured {
    static final List<byte[]> KEPT = Collections.synchronizedList(new ArrayList<>());
    static volatile Object last;
    static volatile long begin;

    public static void main(String[] arguments) throws Exception {
        int[] numbers = new int[arguments.length];
        for (int place = 0; place < numbers.length; place++) {
            numbers[place] = Integer.parseInt(arguments[place]);
        }
        int threads = numbers[1];
        int kept = numbers[2];
        int garbage = numbers[3];
        int ms = numbers[4];
        int laterMs = numbers[5];
        int laterAt = numbers[6];
        ThreadPoolExecutor pool = new ThreadPoolExecutor(threads, threads, 1, TimeUnit.MINUTES, new LinkedBlockingQueue<>());
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 1024);
        server.setExecutor(pool);
        server.createContext("/", exchange -> {
            begin = begin == 0 ? System.nanoTime() : begin;
            exchange.getRequestBody().readAllBytes();
            for (int number = 0; number < garbage; number++) {
                last = new byte[10_000];
            }
            if (kept > 0) {
                KEPT.add(new byte[kept]);
            }
            int mean = System.nanoTime() - begin > laterAt * 1_000_000L ? laterMs : ms;
            try {
                Thread.sleep(ThreadLocalRandom.current().nextInt(mean - mean / 5, mean + mean / 5 + 1));
            } catch (InterruptedException end) {
                return;
            }
            exchange.sendResponseHeaders(200, 2);
            exchange.getResponseBody().write(new byte[] {'o', 'k'});
            exchange.close();
        });
        HttpServer figures = HttpServer.create(new InetSocketAddress("127.0.0.1", numbers[0]), 16);
        figures.createContext("/metrics", exchange -> {
            Runtime runtime = Runtime.getRuntime();
            byte[] text = ("jetty_threads_busy " + pool.getActiveCount() + "\\njetty_threads_config_max " + threads
                    + "\\njvm_memory_bytes_used{area=\\"heap\\"} " + (runtime.totalMemory() - runtime.freeMemory()) + "\\n").getBytes();
            exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4");
            exchange.sendResponseHeaders(200, text.length);
            exchange.getResponseBody().write(text);
            exchange.close();
        });
        server.start();
        figures.start();
        System.out.println("http://127.0.0.1:" + server.getAddress().getPort() + "/");
    }
}
"""


@contextlib.contextmanager
def measured(java: list[str], threads: int = 64, kept: int = 0, garbage: int = 0, ms: int = 12, later_ms: int = 12,
             later_at: int = 0) -> Iterator[tuple[str, str]]:
    """The addresses of a Java server and of its figures; the mean time of its answers changes later (ms)."""
    port = faults.free_port()
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "Measured.java")
        source.write_text(MEASURED)
        words = map(str, (port, threads, kept, garbage, ms, later_ms, later_at))
        with faults.java(*java, "-Dsun.net.httpserver.nodelay=true", str(source), *words) as url:
            yield url, f"http://127.0.0.1:{port}/metrics"


def figure(of: str, name: str) -> float:
    """One of a server's own."""
    return next(float(line.split()[1]) for line in said(of, "/metrics")[1].decode().splitlines() if line.startswith(name))


@cause("a partner gets slow in the middle, and from then on all threads of a server, whose figures a test reads, wait for it", "server-threads", "drift",
       "saturation", "slow-period", meaning="requests wait for a thread")
def threads_wait_for_a_partner(dice: Random) -> Iterator[Bed]:
    threads, slow, at = dice.randint(7, 9), dice.randint(120, 150), dice.randint(3600, 4600)
    with measured(["-Xmx128m"], threads, ms=22, later_ms=slow, later_at=at) as (url, figures):
        def claims() -> list[Claim]:
            first = ms_of(url, "/")
            time.sleep(at / 1000)
            begin = time.monotonic()
            both = threading.Thread(target=sent, args=(url, 3 * threads))
            both.start()
            time.sleep(0.1)
            busy = figure(figures, "jetty_threads_busy")
            both.join()
            return [("first", first, 17, 60), ("three rounds", (time.monotonic() - begin) * 1000, 2.2 * slow, 4.5 * slow), ("busy", busy, threads, threads)]

        yield Bed(url, peak(10) + f"-c 150 --rate {round(1180 * threads / slow)}/s --server-metrics {figures} {engine(dice)}{ITEMS_AND_ORDERS}", probe=claims)


@cause("a Java server keeps the session of each visit for ever, 50 to 70 kB, and a test reads its heap", "heap-growth", meaning="it keeps more and more memory")
def sessions_never_end(dice: Random) -> Iterator[Bed]:
    kept = dice.randint(50, 70) * 1000
    with measured(["-Xms256m", "-Xmx256m", "-Xmn6m", "-XX:+UseSerialGC"], kept=kept, garbage=4) as (url, figures):
        def claims() -> list[Claim]:
            heaps = []
            for _ in range(3):
                for _ in range(10):
                    sent(url, 40)
                heaps.append(figure(figures, "jvm_memory"))
            return [("more", heaps[1] - heaps[0], 200 * kept, 700 * kept), ("and more", heaps[2] - heaps[1], 200 * kept, 700 * kept)]

        yield Bed(url, peak(9, 2) + f"-c 60 --rate {dice.randint(90, 120)}/s --server-metrics {figures} {engine(dice)}{ITEMS_AND_ORDERS}", probe=claims)


# Proxies and HTTP.


@cause("nginx leaves out a field whose name has an underscore, and in it is the key of a test: 401 for one of three operations", "credentials",
       meaning="the server wants credentials")
def underscores_are_left_out(dice: Random) -> Iterator[Bed]:
    with server.go(rule(ms=(6, 18))) as behind, server.haproxy(
            "listen all\n  bind LISTEN\n  http-request deny deny_status 401 if { path_beg /account } !{ req.hdr(api_key) -m found }\n"
            f"  server one {behind[7:-1]}") as service, faults.nginx(
                f"upstream one {{ server {service[7:-1]}; keepalive 64; }}",
                'location / { proxy_http_version 1.1; proxy_set_header Connection ""; proxy_pass http://one; }') as url:
        yield Bed(url, peak(6) + modest(dice, (70, 120)) + "-H 'api_key: 7f3a' --get /items --get /account --get /prices", probe=lambda: [
            ("by nginx", took([], "curl", "-sf", "-H", "api_key: 7f3a", f"{url}account"), -1, -1),
            ("directly", took([], "curl", "-sf", "-H", "api_key: 7f3a", f"{service}account"), 0, 3000),
            ("items", took([], "curl", "-sf", f"{url}items"), 0, 3000)])


ONLY_IF_THE_SAME = """
process.stdin.on('end', () => process.exit(0)).resume();
const server = require('node:http').createServer((request, response) => request.resume().on('end', () => setTimeout(() => {
    if (request.method === 'PUT') {
        response.writeHead(request.headers['if-match'] === '"v1"' ? 204 : 412);
        response.end();
    } else {
        const text = JSON.stringify({settings: 'colour '.repeat(300)});
        response.writeHead(200, {'Content-Type': 'application/json', ETag: '"v1"', 'Content-Length': text.length});
        response.end(text);
    }
}, 6 + 16 * Math.random())));
server.listen({port: 0, host: '127.0.0.1', backlog: 1024}, () => console.log(`http://127.0.0.1:${server.address().port}/`));
"""


@cause("nginx compresses pages and makes their ETags weak, with which a service changes nothing (If-Match): 412 for all changes", "wrong-request",
       "always-fails", meaning="an operation always fails")
def etag_is_made_weak(dice: Random) -> Iterator[Bed]:
    def changed(*of: str) -> float:
        tag = next(line.split(": ", 1)[1] for line in subprocess.run(
            ["curl", "-sD-", "-o", "/dev/null", *of, f"{url}settings"], capture_output=True, text=True, check=True).stdout.splitlines()
            if line.lower().startswith("etag"))
        return took([], "curl", "-sf", "-X", "PUT", "-d", "x", "-H", f"If-Match: {tag}", f"{url}settings")

    with inline("node", "-e", ONLY_IF_THE_SAME) as behind, faults.nginx(
            f"gzip on; gzip_proxied any; gzip_types application/json; upstream one {{ server {behind[7:-1]}; keepalive 64; }}",
            'location / { proxy_http_version 1.1; proxy_set_header Connection ""; proxy_pass http://one; }') as url:
        yield Bed(url, peak(7) + f"-c {dice.randint(12, 24)} {engine(dice)}", plan="""
scenarios:
  - name: settings
    session: {decompress: true}
    steps:
      - get: /settings
        checks: json:/settings
        extract: {tag: "header:ETag"}
      - think: 30ms..90ms
      - put: /settings
        headers: {If-Match: "{tag}"}
        json: {colour: blue}
      - think: 30ms..90ms
""", probe=lambda: [("compressed", changed("--compressed"), -1, -1), ("as it is", changed(), 0, 3000)])


@cause("HAProxy speaks HTTP/2 alone at a port, and ends the connections of a test that speaks HTTP/1.1", "always-closed",
       meaning="connections are closed without a response")
def only_http2(dice: Random) -> Iterator[Bed]:
    with server.go(rule(ms=(5, 12))) as behind, server.haproxy(f"listen all\n  bind LISTEN proto h2\n  server one {behind[7:-1]}") as url:
        yield Bed(url, peak(3) + f"--keep-going -c {dice.randint(6, 12)} --think 40ms {engine(dice)}--get /items --get /prices", probe=lambda: [
            ("HTTP/1.1", reply(url, b"GET / HTTP/1.1\r\nHost: a\r\n\r\n").startswith(b"HTTP/1"), 0, 0), ("HTTP/2", server.streams_ms(url, 1), 4, 500)])


@cause("after a log-in, a service redirects to where a user came from, which a test doesn't say (Referer): 302 without an address", "unfollowed-redirects",
       meaning="a redirect leads nowhere")
def redirect_without_an_address(dice: Random) -> Iterator[Bed]:
    async def answer(asked: Asked) -> bool:
        if asked.path != "/login":
            await some(6, 20)
            return await asked.say(b"x" * 700)
        await some(20, 45)
        asked.writer.write(b"HTTP/1.1 302 Found\r\nSet-Cookie: session=7\r\nContent-Length: 0\r\n\r\n")
        return True

    with answering(answer) as url:
        yield Bed(url, peak(6) + f"-L -c {dice.randint(8, 16)} --think 60ms..140ms {engine(dice)}--post /login --body secret --get /items", probe=lambda: [
            ("log-in", said(url, "/login", "POST", b"x")[0], 302, 302), ("address", b"Location" in reply(url, b"POST /login HTTP/1.1\r\n\r\n"), 0, 0)])


@cause("a gateway refuses photos above 100 kB before it has read them, and ends the connection", "resets", "always-closed", "wrong-request", "always-fails",
       meaning="an operation always fails")
def refused_before_it_is_read(dice: Random) -> Iterator[Bed]:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
                length = next((int(line.split(":")[1]) for line in head.split("\r\n") if line.startswith("content-length:")), 0)
                if length > 100_000:
                    writer.write(b"HTTP/1.1 413 Content Too Large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
                    break
                await reader.readexactly(length)
                await some(6, 20)
                writer.write(faults.OK)
        writer.close()

    with faults._listening(serve) as port, tempfile.NamedTemporaryFile() as photo:  # noqa: SLF001
        url = f"http://127.0.0.1:{port}/"
        Path(photo.name).write_bytes(dice.randbytes(dice.randint(2_000_000, 4_000_000)))
        yield Bed(url, peak(6) + f"-c {dice.randint(6, 12)} --think 50ms..150ms {engine(dice)}--get /photos --post /photos --body @{photo.name}",
                  probe=lambda: [
            ("photo", took([], "curl", "-sf", "-H", "Expect:", "--data-binary", f"@{photo.name}", url), -1, -1),
            ("word", took([], "curl", "-sf", "-d", "small", url), 0, 3000)])


@cause("a worker is ended with the report that it is sending when that has lasted for a second, and one in four to six lasts longer", "truncated-bodies",
       "gives-up", meaning="bodies end in the middle")
def reports_of_a_second(dice: Random) -> Iterator[Bed]:
    most = dice.randint(26, 29)

    async def answer(asked: Asked) -> bool:
        if asked.path != "/reports":
            await some(6, 18)
            return await asked.say()
        begin = time.monotonic()
        asked.writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        for _ in range(random.randint(6, most)):
            await some(38, 48)
            if time.monotonic() - begin > 1:
                return False
            asked.writer.write(b"800\r\n" + b"x" * 2048 + b"\r\n")
        asked.writer.write(b"0\r\n\r\n")
        return True

    with answering(answer) as url:
        yield Bed(url, peak(9) + f"-c {dice.randint(14, 24)} --think 30ms..90ms {engine(dice)}--get /reports --get /items", truth=Truth(
            lambda all: [("cut", all.failed, 0.06, 0.5), ("cut early", all.share(lambda one: one.status == 0 and one.ms < 950), 0, 0),
                         ("longest", all.slowest, 950, 1900)], paths=("/reports",), users=14, seconds=5))


@cause("a network wants its users to log in first, and answers all that they ask for itself: 511", "always-fails", "credentials",
       meaning="nothing succeeds")
def network_wants_a_log_in(dice: Random) -> Iterator[Bed]:
    with server.go(rule(ms=(1, 4), bytes=700, status=511)) as url:
        yield Bed(url, peak(4) + modest(dice, (60, 100)) + ITEMS_AND_ORDERS, truth=Truth(lambda all: [("511", all.status(511), 1, 1)], seconds=2))


@cause("one in eight films may not be shown in a test's country: 451", "steady-failures", meaning="a constant share fails")
def not_in_this_country(dice: Random) -> Iterator[Bed]:
    async def answer(asked: Asked) -> bool:
        if asked.path.startswith("/films/") and int(asked.path.split("/")[2]) % 8 == 3:
            await some(4, 10)
            return await asked.say(b"not here", 451)
        await some(9, 28)
        return await asked.say(b"x" * 2500)

    with answering(answer) as url:
        yield Bed(url, peak(8) + f"-c {dice.randint(10, 18)} {engine(dice)}", plan="""
scenarios:
  - name: choose
    steps:
      - get: /films
      - think: 30ms..100ms
      - get: "/films/{random:1..160}"
        name: GET /films/NUMBER
      - think: 30ms..100ms
""", probe=lambda: [(path, said(url, path)[0], status, status)
                    for path, status in (("/films", 200), ("/films/3", 451), ("/films/4", 200), ("/films/11", 451))])


@cause("a shop lets each session send 4 to 6 requests a second, and users send more: 430", "rate-limit", "steady-failures", meaning="a rate limit")
def requests_of_a_session(dice: Random) -> Iterator[Bed]:
    rate = dice.randint(4, 6)
    levels: dict[asyncio.StreamWriter, tuple[float, float]] = {}

    async def answer(asked: Asked) -> bool:
        now = time.monotonic()
        level, before = levels.get(asked.writer, (4.0, now))
        level = min(4.0, level + (now - before) * rate)
        levels[asked.writer] = (level - (level >= 1), now)
        if level < 1:
            await some(2, 6)
            return await asked.say(b"slow down", 430)
        await some(10, 28)
        return await asked.say(b"x" * 900)

    with answering(answer) as url:
        yield Bed(url, peak(8) + f"-c {dice.randint(14, 26)} --think {dice.randint(130, 160)}ms..240ms {engine(dice)}--get /items --get /cart",
                  truth=Truth(lambda all: [("430", all.status(430), 0.2, 0.8), ("of a session", len(all.all) * all.status(200) / 20, 0.9 * rate, 1.5 * rate)],
                              think=0.08))


@cause("for 1.7 to 2.3 s, in the middle, a service redirects all to a page that says that it is being maintained: 302", "redirects",
       meaning="for a while there are only redirects")
def redirected_to_maintenance(dice: Random) -> Iterator[Bed]:
    begin, length = dice.randint(4400, 5400), dice.randint(1700, 2300)
    start = dice.choice((server.go, server.node))
    away = rule(**{"from": begin, "to": begin + length, "ms": (1, 4), "header": "Location:/maintenance", "status": 302})
    with start(away, rule(method="POST", ms=(14, 36)), rule(ms=(8, 22), bytes=1800)) as url:
        yield Bed(url, peak(9) + modest(dice, (80, 140)) + ITEMS_AND_ORDERS, truth=Truth(
            lambda all: [("before", between(all, 0, begin / 1000 - 0.1).status(200), 1, 1),
                         ("302", between(all, begin / 1000 + 0.1, (begin + length) / 1000 - 0.1).status(302), 1, 1),
                         ("after", between(all, (begin + length) / 1000 + 0.1, 9).status(200), 1, 1)], seconds=8.5))


# Instances.


@cause("one of three instances ends, and for 1.5 to 2.2 s each third new connection is still sent to it, which nobody takes there", "restarts",
       "new-connections", meaning="a third fails for a while")
def endpoint_is_removed_later(dice: Random) -> Iterator[Bed]:
    at, length = pick(dice, 4.4, 5.4), pick(dice, 1.5, 2.2)
    chosen = "nft add rule ip n c tcp dport 8000 dnat to numgen inc mod 3 map '{ 0 : 127.0.0.2, 1 : 127.0.0.3, 2 : 127.0.0.4 }'"
    with contextlib.ExitStack() as stack:
        inside = stack.enter_context(faults.network("nft add table ip n", "nft add chain ip n c '{ type nat hook output priority -100 ; }'", chosen))
        third = contextlib.ExitStack()
        for place, instance in enumerate((stack, stack, third)):
            instance.enter_context(server.go(option(address=f"127.0.0.{2 + place}:8000"), rule(ms=(8, 24)), under=inside))
        stack.callback(third.close)

        def end_one() -> None:
            third.close()
            time.sleep(length)
            words = chosen.replace("mod 3", "mod 2").replace(", 2 : 127.0.0.4", "")
            subprocess.run([*inside, "sh", "-c", f"nft flush chain ip n c; {words}"], check=False)

        stack.enter_context(later(at, end_one))
        yield Bed("http://127.0.0.1:8000/", peak(9) + f"-H Connection:close -c 60 --rate {dice.randint(40, 70)}/s {engine(dice)}--get /items --get /prices",
                  inside, truth=Truth(
            lambda all: [("before", between(all, 0, at - 0.8).failed, 0, 0), ("a third", between(all, at + 0.2, at + length - 0.7).failed, 0.2, 0.5),
                         ("after", between(all, at + length + 0.3, 8).failed, 0, 0)], close=True, users=4, think=0.03, seconds=8))


@cause("from the middle on new connections lead to a region that is 80 to 110 ms farther away, and a connection is good for 12 to 20 requests", "drift",
       "slow-period", meaning="it gets slower")
def users_move_to_another_region(dice: Random) -> Iterator[Bed]:
    at, more, most, clock = pick(dice, 4, 5), dice.randint(80, 110), dice.randint(12, 20), Clock()
    far: dict[asyncio.StreamWriter, bool] = {}

    async def answer(asked: Asked) -> bool:
        if asked.nth == 1:
            far[asked.writer] = clock() > at
        await some(6, 18)
        if far[asked.writer]:
            await some(more, more + 8)
        return await (asked.say(b"x" * 600) if asked.nth < most else say_and_close(asked))

    with answering(answer) as url:
        yield Bed(url, peak(9) + f"-c {dice.randint(12, 18)} --think 50ms..100ms {engine(dice)}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("before", between(all, 0, at - 0.1).slowest, 6, 75), ("after", between(all, at + 2.5, 9).median, more + 6, more + 40),
                         ("failed", all.failed, 0, 0)], think=0.05, seconds=8))


@cause("one in 11 to 16 requests is answered with 503, after which a test's client asks again a second later", "two-speeds",
       meaning="a share is slower by the same time")
def client_asks_again(dice: Random) -> Iterator[Bed]:
    share = 1 / dice.randint(11, 16)
    start = dice.choice((server.go, server.node))
    load = dice.choice((f"-c {dice.randint(16, 26)} --think 40ms..110ms", f"-c 60 --rate {dice.randint(50, 80)}/s"))
    with start(rule(share=f"{share:.3f}", ms=(2, 6), status=503), rule(ms=(9, 26), bytes=700)) as url:
        yield Bed(url, peak(9) + f"--client httpclient --pool 60 --retries 3 {load} {ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("503", all.status(503), 0.5 * share, 1.6 * share)], users=12))


# Names and ways.


@contextlib.contextmanager
def answered_names(address: str, options: str, answers: Callable[[bool], bool]) -> Iterator[list[str]]:
    """Words that start a command whose name server says 127.0.0.1, if it answers; a function decides that, and knows whether IPv4 is asked for."""
    over = threading.Event()

    def listen() -> None:
        while not over.is_set():
            with contextlib.suppress(TimeoutError):
                question, peer = listening.recvfrom(512)
                end = question.index(b"\0", 12) + 5
                of_ipv4 = question[end - 4:end - 2] == b"\0\1"
                record = b"\xc0\x0c\0\1\0\1\0\0\0\1\0\4\x7f\0\0\1" if of_ipv4 else b""
                if answers(of_ipv4):
                    listening.sendto(question[:2] + bytes((0x81, 0x80, 0, 1, 0, of_ipv4, 0, 0, 0, 0)) + question[12:end] + record, peer)

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as listening, \
            faults.own_files(resolv_conf=f"nameserver {address}\noptions {options}\n") as under:
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


@cause("a firewall sometimes loses the second of two questions for the addresses of a name, which are sent at once, and a new connection waits a second",
       "slow-dns", "two-speeds", meaning="looking up the name is slow at times")
def one_of_two_questions_is_lost(dice: Random) -> Iterator[Bed]:
    share = pick(dice, 0.12, 0.18)

    def claims() -> list[Claim]:
        times = [took(under, "getent", "ahosts", "shop.example") for _ in range(40)]
        return [("failed", sum(ms < 0 for ms in times), 0, 0), ("late", sum(ms > 950 for ms in times) / 40, 0.3 * share, 3 * share)]

    with server.go(rule(ms=(6, 18))) as url, answered_names(
            "127.0.0.96", "timeout:1 attempts:5", lambda of_ipv4: of_ipv4 or random.random() > share) as under:
        yield Bed(url.replace("127.0.0.1", "shop.example"), peak(9) + f"-H Connection:close -c {dice.randint(8, 14)} --think 60ms..140ms {engine(dice)}"
                  "--get /items --get /prices", under, ["-Dsun.net.inetaddr.ttl=0"], probe=claims)


@cause("a name server doesn't answer for 1.8 to 2.4 s, and each request makes a connection", "failed-look-ups", "slow-dns", "outage", "standstill",
       meaning="no name can be looked up for a while")
def name_server_is_away(dice: Random) -> Iterator[Bed]:
    at, length, clock = pick(dice, 4.4, 5.4), pick(dice, 1.8, 2.4), Clock()

    def claims() -> list[Claim]:
        first = took(under, "getent", "ahostsv4", "shop.example")
        time.sleep(at)
        meanwhile = took(under, "getent", "ahostsv4", "shop.example")
        time.sleep(length)
        return [("first", first, 0, 500), ("meanwhile", meanwhile, -1, -1), ("after", took(under, "getent", "ahostsv4", "shop.example"), 0, 500)]

    with server.go(rule(ms=(6, 18))) as url, tempfile.NamedTemporaryFile("w") as uncached, answered_names(
            "127.0.0.97", "timeout:1 attempts:1", lambda _: not at < clock() < at + length) as under:
        uncached.write("networkaddress.cache.ttl=0\nnetworkaddress.cache.negative.ttl=0\n")
        uncached.flush()
        yield Bed(url.replace("127.0.0.1", "shop.example"), peak(9) + f"-H Connection:close -c {dice.randint(10, 18)} --think 100ms..200ms {engine(dice)}"
                  "--get /items --get /prices", under, [f"-Djava.security.properties={uncached.name}"], probe=claims)


@cause("a server holds its packets back until they are full (TCP_CORK), and forgets to send the last one of 12 to 25 % of its responses: 0.2 s later the"
       " system does", "two-speeds", meaning="a share is slower by the same time")
def corked_responses(dice: Random) -> Iterator[Bed]:
    share = pick(dice, 0.12, 0.25)

    def opened(writer: asyncio.StreamWriter) -> None:
        writer.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, TCP_CORK, 1)

    async def answer(asked: Asked) -> bool:
        await some(5, 16)
        await asked.say(b"x" * random.randint(300, 900))
        if random.random() > share:
            for on in (0, 1):
                asked.writer.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, TCP_CORK, on)
        return True

    with answering(answer, opened) as url:
        yield Bed(url, peak(9) + f"-c {dice.randint(10, 16)} --think 40ms..100ms {engine(dice)}--get /items --get /search", truth=Truth(
            lambda all: [("late", all.share(lambda one: 195 < one.ms < 260), 0.6 * share, 1.4 * share), ("median", all.median, 5, 30),
                         ("between", all.share(lambda one: 60 < one.ms < 195), 0, 0.03)], seconds=6))


@cause("a server has receive buffers of 8 kB, on a way of 24 to 32 ms, and photos of 90 to 130 kB are sent to it", "slow-uploads",
       meaning="the server takes uploads slowly")
def server_with_small_buffers(dice: Random) -> Iterator[Bed]:
    seconds, size = pick(dice, 0.012, 0.016), dice.randint(90, 130) * 1000
    with faults.network() as inside, tempfile.NamedTemporaryFile() as photo, faults.delays(inside, lambda: seconds) as address, \
            server.go(option(address="10.99.0.1:0", buffer=8192), rule(ms=(4, 12)), under=inside) as url:
        Path(photo.name).write_bytes(dice.randbytes(size))
        yield Bed(url.replace("10.99.0.1", address), peak(9, 2) + f"-c {dice.randint(6, 12)} --think 30ms..90ms {engine(dice)}"
                  f"--get /photos --post /photos --body @{photo.name}", inside, truth=Truth(
            lambda all: [("median", all.median, 300, 2500), ("failed", all.failed, 0, 0)], method="POST", body=size, users=4, seconds=5))


# Messages and streams.


@cause("a gateway takes connections of its own pages alone, and a test doesn't say where it comes from (Origin): 403", "never-accepted",
       meaning="no connection is accepted")
def origin_is_not_said(dice: Random) -> Iterator[Bed]:
    asked = (b"GET /rooms/1 HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
             b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n")
    with rooms() as behind, server.haproxy(
            "listen all\n  bind LISTEN\n  timeout tunnel 60s\n  http-request deny deny_status 403 unless { req.hdr(origin) -m end shop.example }\n"
            f"  server one {behind[7:-1]}") as url:
        yield Bed(f"ws{url[4:]}rooms/{{pair}}", peak(3) + f"--keep-going -c {dice.randint(8, 20)} --rate '{dice.randint(20, 60)} messages/s'", probe=lambda: [
            ("without", reply(url, asked + b"\r\n").startswith(b"HTTP/1.1 403"), 1, 1),
            ("with", reply(url, asked + b"Origin: https://shop.example\r\n\r\n").startswith(b"HTTP/1.1 101"), 1, 1)])


@cause("a broker for MQTT wants a name and a password, which a test doesn't have", "never-accepted", "credentials", meaning="no connection is accepted")
def broker_wants_a_password(dice: Random) -> Iterator[Bed]:
    with mosquitto("allow_anonymous false") as port:
        yield Bed(f"mqtt://127.0.0.1:{port}/rooms/{{pair}}", peak(3) + f"--keep-going -c {dice.randint(8, 20)} --qos {dice.randint(0, 1)} "
                  f"--rate '{dice.randint(20, 60)} messages/s'", probe=lambda: [("passed on", relayed(port), 0, 0)])


class Members(list):
    """Those of a room, whom it doesn't find any more when it has forgotten them."""

    def __init__(self, forgotten: Callable[[], bool]) -> None:
        super().__init__()
        self.forgotten = forgotten

    def __iter__(self) -> Iterator[asyncio.StreamWriter]:
        return iter([]) if self.forgotten() else super().__iter__()


@cause("one of the stores of a gateway's subscriptions is emptied in the middle: from then on 35 to 50 % of the rooms hear nothing any more", "unanswered",
       "steady-failures", meaning="a constant share is lost from then on")
def subscriptions_are_lost(dice: Random) -> Iterator[Bed]:
    at, clock = pick(dice, 3.6, 4.6), Clock()
    lost = {f"/rooms/{number}" for number in dice.sample(range(20), dice.randint(7, 10))}
    by_path: dict[str, Room] = {}

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            clock()
            path = head[0].split(" ")[1]
            if path not in by_path:
                by_path[path] = Room()
                by_path[path].writers = Members(lambda: path in lost and clock() > at)
            key = next(line.split(":", 1)[1].strip() for line in head if line.lower().startswith("sec-websocket-key:"))
            writer.write(switched(key))
            await by_path[path].serve(reader, writer)
        writer.close()

    def claims() -> list[Claim]:
        first = heard(url, 20)
        time.sleep(at)
        return [("first", first, 1, 1), ("later", heard(url, 20), 1 - len(lost) / 20, 1 - len(lost) / 20)]

    with faults._listening(serve) as port:  # noqa: SLF001
        url = f"http://127.0.0.1:{port}/"
        yield Bed(f"ws{url[4:]}rooms/{{pair}}", f"--phases peak=1:for:9s --timeout 1s -c 20 --rate '{dice.randint(80, 140)} messages/s'", probe=claims)


def switched(key: str) -> bytes:
    """The head of a server's answer to the handshake of WebSocket."""
    accept = base64.b64encode(hashlib.sha1(f"{key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11".encode()).digest())  # noqa: S324
    return b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: " + accept + b"\r\n\r\n"


@cause("a gateway writes one message after another into its log, in 7 to 9 ms, and their rate rises above what it can do", "ramp-knee", "saturation", "drift",
       meaning="it can't follow the rising rate")
def messages_under_a_ramp(dice: Random) -> Iterator[Bed]:
    ms, turn = dice.randint(7, 9), asyncio.Lock()

    async def work() -> None:
        async with turn:
            await asyncio.sleep(ms / 1000)

    with echoing(work) as url:
        most = round(1900 / ms)
        yield Bed(f"ws{url[4:]}rooms/{{pair}}", f"--phases 'warmup=1 for 1s at 20/s, peak=1 for 10s at 20/s..{most}/s' --timeout 20s --subscribers 0 -c 60",
                  probe=lambda: [("one", message_ms(url, 1), ms, ms + 30), ("forty", message_ms(url, 40), 38 * ms, 60 * ms)])


@cause("a model takes its memory from 15 to 22 % of its answers for others, and goes on with them 0.6 to 0.8 s later", "two-speeds",
       meaning="a share is slower by the same time")
def answers_are_interrupted(dice: Random) -> Iterator[Bed]:
    share, count = pick(dice, 0.15, 0.22), dice.randint(10, 14)

    async def answer(asked: Asked) -> bool:
        begin_stream(asked)
        interrupted = random.randrange(2, count) if random.random() < share else 0
        for number in range(count):
            await some(16, 26)
            if number and number == interrupted:
                await some(600, 800)
            await send_event(asked, json.dumps({"choices": [{"delta": {"content": f"word{number} "}}]}))
        await send_event(asked, "[DONE]")
        return end_stream(asked)

    with answering(answer) as url:
        yield Bed(url, peak(9) + f"-c {dice.randint(14, 24)} --think 50ms..150ms {engine(dice)}--post /v1/chat/completions --body question "
                  "--event-stream openai", truth=Truth(
            lambda all: [("late", all.slower(count * 26 + 300), 0.5 * share, 1.5 * share), ("median", all.median, 15 * count, 28 * count),
                         ("failed", all.failed, 0, 0)], users=20, think=0.05))


# Healthy, though it may look otherwise.


@clean("messages of a game, which come back with its next tick, 20 to 25 times a second")
def ticks_of_a_game(dice: Random) -> Iterator[Bed]:
    tick = dice.randint(40, 50) / 1000
    with echoing(lambda: asyncio.sleep(tick - time.monotonic() % tick)) as url:
        yield Bed(f"ws{url[4:]}rooms/{{pair}}", peak(8) + f"--subscribers 0 -c {dice.randint(12, 24)} --rate '{dice.randint(30, 60)} messages/s' "
                  f"{dice.choice(('', '--arrivals poisson '))}", probe=lambda: [("comes back", message_ms(url, 3), 0, 1000 * tick + 40)])


@clean("a server of HTTP/1.0 that keeps its connections, and says so")
def kept_by_http_1_0(dice: Random) -> Iterator[Bed]:
    async def answer(asked: Asked) -> bool:
        await some(7, 24)
        asked.writer.write(b"HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 600\r\n\r\n" + b"x" * 600)
        return True

    with answering(answer) as url:
        yield Bed(url, peak(7) + modest(dice, (60, 100)) + ITEMS_AND_ORDERS)


@clean("all requests go through tunnels of a proxy, to a port with TLS")
def tunnels_to_tls(dice: Random) -> Iterator[Bed]:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            host, _, port = head.split(" ")[1].rpartition(":")
            there, back = await asyncio.open_connection(host, int(port))
            writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
            await asyncio.gather(copied(reader, back), copied(there, writer))

    with server.go(option(tls=1), rule(method="POST", ms=(14, 36)), rule(ms=(7, 22), bytes=1500)) as url, \
            faults._listening(serve) as port:  # noqa: SLF001
        yield Bed(url, peak(7, 2) + f"-k --proxy http://127.0.0.1:{port} -c {dice.randint(12, 24)} --think 40ms..140ms {engine(dice)}{ITEMS_AND_ORDERS}",
                  probe=lambda: [("by the proxy", took([], "curl", "-skf", "-x", f"http://127.0.0.1:{port}", url), 0, 3000)])


@clean("a SOCKS proxy that works, before a Node server")
def by_socks(dice: Random) -> Iterator[Bed]:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            await reader.readexactly((await reader.readexactly(2))[1])
            writer.write(b"\5\0")
            kind = (await reader.readexactly(4))[3]
            address = await reader.readexactly(4 if kind == 1 else (await reader.readexactly(1))[0])
            host = socket.inet_ntoa(address) if kind == 1 else address.decode()
            there, back = await asyncio.open_connection(host, int.from_bytes(await reader.readexactly(2), "big"))
            writer.write(b"\5\0\0\1" + bytes(6))
            await asyncio.gather(copied(reader, back), copied(there, writer))

    kind = dice.choice(("socks5", "socks5h"))
    with server.node(rule(method="POST", ms=(14, 36)), rule(ms=(7, 22), bytes=1500)) as url, faults._listening(serve) as port:  # noqa: SLF001
        yield Bed(url, peak(7) + f"--proxy {kind}://127.0.0.1:{port} {modest(dice, (60, 100))}{ITEMS_AND_ORDERS}", probe=lambda: [
            ("by the proxy", took([], "curl", "-sf", "-x", f"{kind}://127.0.0.1:{port}", url), 0, 3000)])


@clean("messages by MQTT over TLS, which ends at HAProxy")
def mqtt_over_tls(dice: Random) -> Iterator[Bed]:
    with tempfile.TemporaryDirectory() as folder, mosquitto() as behind:
        key, cert = server.certificate(folder)
        both = Path(folder, "both.pem")
        both.write_text(Path(cert).read_text() + Path(key).read_text())
        with server.haproxy(f"listen all\n  mode tcp\n  bind LISTEN ssl crt {both}\n  server one 127.0.0.1:{behind}") as url:
            yield Bed(f"mqtts://127.0.0.1:{server.port(url)}/rooms/{{pair}}", peak(7, 2) + f"-k -c {dice.randint(8, 16)} --qos {dice.randint(0, 1)} "
                      f"--message-size {dice.randint(100, 2000)} --rate '{dice.randint(30, 80)} messages/s'",
                      probe=lambda: [("behind", relayed(behind), 1, 1), ("over TLS", accepted(server.port(url)), 1, 1)])


def accepted(port: int) -> bool:
    """Whether a broker accepts a connection over TLS."""
    with socket.create_connection(("127.0.0.1", port), timeout=2) as plain, \
            ssl._create_unverified_context().wrap_socket(plain) as secure:  # noqa: S323, SLF001
        secure.sendall(b"\x10\x0d\0\4MQTT\4\2\0\0\0\1a")
        return secure.recv(4) == b"\x20\2\0\0"


@clean("pairs whose messages are a part of JSON, as a plan describes")
def messages_in_json(dice: Random) -> Iterator[Bed]:
    with rooms() as url:
        yield Bed(f"ws{url[4:-1]}", peak(7) + f"-c {dice.randint(10, 24)} --message-size {dice.randint(100, 1500)} --rate '{dice.randint(40, 100)} messages/s' "
                  f"{dice.choice(('', '--arrivals poisson '))}", plan="""
pairs:
  address: /rooms/{pair}
  message: {json: {room: "{pair}", text: "{message}"}}
""", probe=lambda: [("heard", heard(url, 4), 1, 1)])


@clean("answers of a model that thinks for 0.4 to 0.8 s first, and sends pings and its thoughts before its words")
def thoughts_before_words(dice: Random) -> Iterator[Bed]:
    count = dice.randint(6, 10)

    async def send(asked: Asked, kind: str, **values: object) -> None:
        event = f"event: {kind}\ndata: {json.dumps({'type': kind, **values})}\n\n".encode()
        asked.writer.write(f"{len(event):x}\r\n".encode() + event + b"\r\n")
        await asked.writer.drain()

    async def answer(asked: Asked) -> bool:
        begin_stream(asked)
        await send(asked, "message_start")
        await send(asked, "ping")
        await some(400, 800)
        for place, (name, kind) in enumerate((("thinking", "thinking_delta"), ("text", "text_delta"))):
            await send(asked, "content_block_start", index=place, content_block={"type": name})
            for number in range(count):
                await some(14, 30)
                await send(asked, "content_block_delta", index=place, delta={"type": kind, name: f"word{number} "})
            await send(asked, "content_block_stop", index=place)
        await send(asked, "message_stop")
        return end_stream(asked)

    with answering(answer) as url:
        yield Bed(url, peak(9) + f"-c {dice.randint(14, 26)} --think 200ms..700ms {engine(dice)}--post /v1/messages --body question --event-stream anthropic",
                  truth=Truth(lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 400, 1500)], users=10))


GOES_ON = """
const [least, most] = process.argv.slice(1).map(Number);
process.stdin.on('end', () => process.exit(0)).resume();
const server = require('node:http').createServer((request, response) => request.resume().on('end', () => {
    if (request.url !== '/prices') {
        setTimeout(() => response.writeHead(200, {'Content-Length': 2}).end('ok'), 5 + 15 * Math.random());
        return;
    }
    let number = Number(request.headers['last-event-id'] ?? 0);
    let left = least + Math.floor(Math.random() * (most - least + 1));
    response.writeHead(200, {'Content-Type': 'text/event-stream'}).write('retry: 50\\n\\n');
    const timer = () => setTimeout(() => {
        response.write(`id: ${++number}\\ndata: {"price": ${number}}\\n\\n`);
        --left > 0 && !response.destroyed ? timer() : response.end();
    }, 30 + 60 * Math.random());
    timer();
}));
server.listen({port: 0, host: '127.0.0.1', backlog: 1024}, () => console.log(`http://127.0.0.1:${server.address().port}/`));
"""


@clean("streams that a server ends after 4 to 7 events, as it should, and that go on where they ended when they are asked for again")
def streams_go_on(dice: Random) -> Iterator[Bed]:
    with inline("node", "-e", GOES_ON, "4", "7") as url:
        yield Bed(url, peak(9) + f"-c {dice.randint(14, 24)} --think 50ms..200ms {engine(dice)}--get /items "
                  f"--get /prices --event-stream 'events count={dice.randint(10, 14)} reconnect'", probe=lambda: [
            ("events", said(url, "/prices")[1].count(b"data"), 4, 7), ("items", said(url, "/items")[0], 200, 200)])


@clean("searches whose addresses have 3 to 6 kB")
def long_addresses(dice: Random) -> Iterator[Bed]:
    words = "+".join(dice.choice(("blue", "green", "cotton", "wool", "small", "large")) for _ in range(dice.randint(600, 900)))
    with dice.choice((server.go, server.java))(rule(path="/search", ms=(14, 36), bytes=2000), rule(ms=(6, 20))) as url:
        yield Bed(url, peak(7, 2) + f"{modest(dice, (60, 110))}--get /search?q={words} --get /items")


@clean("a Java server whose heap goes up and down like a saw between two collections, which a test reads")
def saw_of_a_heap(dice: Random) -> Iterator[Bed]:
    with measured(["-Xms160m", "-Xmx160m", f"-Xmn{dice.randint(30, 50)}m", "-XX:+UseSerialGC"], garbage=dice.randint(14, 20), ms=dice.randint(10, 18),
                  later_ms=14, later_at=100_000) as (url, figures):
        yield Bed(url, peak(9, 2) + f"-c 60 --rate {dice.randint(80, 120)}/s --server-metrics {figures} {engine(dice)}{ITEMS_AND_ORDERS}")


@clean("answers in which a service says how long it has worked, which a test measures, too")
def figures_in_answers(dice: Random) -> Iterator[Bed]:
    async def answer(asked: Asked) -> bool:
        ms = random.uniform(8, 40) if asked.method == "POST" else random.uniform(4, 18)
        await asyncio.sleep(ms / 1000)
        return await asked.say(json.dumps({"elapsed": round(ms, 3), "queue": random.randint(0, 3)}).encode())

    with answering(answer) as url:
        yield Bed(url, peak(7) + f"{modest(dice, (70, 120))}--metric elapsed=/elapsed:ms --metric queue=/queue {ITEMS_AND_ORDERS}")


@clean("a server of HTTP/2 that pads its frames, and sends heads and bodies in pieces")
def padded_and_in_pieces(dice: Random) -> Iterator[Bed]:
    pieces = dice.randint(3, 6)

    async def answer(writer: asyncio.StreamWriter, stream: int) -> None:
        await some(8, 26)
        if writer.is_closing():
            return
        pad = random.randint(1, 40)
        writer.write(frame(1, 8, stream, bytes((pad,)) + b"\x88" + bytes(pad)) + frame(9, 4, stream, b"\0\1x\1y"))
        for piece in range(pieces):
            writer.write(frame(0, 8 | (piece == pieces - 1), stream, bytes((pad,)) + b"x" * random.randint(20, 300) + bytes(pad)))

    with over_http2(answer) as url:
        yield Bed(url, peak(7) + f"--engine events --http2 --streams {dice.choice((2, 4))} -c {dice.choice((12, 16, 24))} --think 30ms..90ms "
                  "--get /items --get /prices", probe=lambda: [("ten", server.streams_ms(url, 10), 8, 500)])


@clean("a service over a mobile network: each packet takes 20 to 32 ms")
def by_mobile_network(dice: Random) -> Iterator[Bed]:
    with faults.network() as inside, faults.delays(inside, lambda: random.uniform(0.02, 0.032)) as address, \
            server.go(option(address="10.99.0.1:0"), rule(method="POST", ms=(14, 36)), rule(ms=(6, 20), bytes=900), under=inside) as url:
        yield Bed(url.replace("10.99.0.1", address), peak(8, 2) + f"-c {dice.randint(14, 28)} --think 80ms..300ms {engine(dice)}{ITEMS_AND_ORDERS}", inside,
                  truth=Truth(lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 45, 100)]))


NAMES = ("Müller", "Ærøskøbing", "北京", "ไทย", "Ñandú", "Łódź", "Ελλάδα", "東京", "Zoë", "O'Neill", "Jean-Luc", "Ann Marie", "100%", "a+b", "Привет")


@clean("people whose names are of all languages, in addresses and in JSON")
def names_of_all_languages(dice: Random) -> Iterator[Bed]:
    names = [name for _ in range(20) for name in dice.sample(NAMES, len(NAMES))]
    start = dice.choice((server.go, server.node))
    with start(rule(method="PUT", ms=(14, 34), status=204), rule(ms=(6, 20), bytes=400)) as url, rows("name", names) as file:
        yield Bed(url, peak(7) + f"-c {dice.randint(12, 24)} {engine(dice)}", plan=f"""
data:
  people: {{csv: {file}}}
scenarios:
  - name: people
    steps:
      - get: "/people/{{urlencode:{{people.name}}}}"
        name: GET /people/NAME
      - think: 40ms..120ms
      - put: "/people/{{urlencode:{{people.name}}}}"
        name: PUT /people/NAME
        json: {{name: "{{people.name}}"}}
      - think: 40ms..120ms
""")


@clean("a server says each 0.25 s that it is still working (102), on what takes 0.6 to 1.2 s")
def still_working(dice: Random) -> Iterator[Bed]:
    async def answer(asked: Asked) -> bool:
        if asked.method == "GET":
            await some(6, 18)
            return await asked.say()
        for _ in range(random.randint(2, 4)):
            await some(240, 260)
            asked.writer.write(b"HTTP/1.1 102 Processing\r\n\r\n")
        await some(60, 200)
        return await asked.say(b"done")

    with answering(answer) as url:
        yield Bed(url, peak(9) + f"-c {dice.randint(14, 26)} --think 60ms..200ms {engine(dice)}--post /merges --body two --get /merges/1", probe=lambda: [
            ("says", reply(url, b"POST / HTTP/1.1\r\nContent-Length: 0\r\n\r\n", 1.5).count(b"102"), 2, 4)])


PERL = """#!/usr/bin/perl
$sum += $_ for 1 .. 20_000;
print "Content-Type: text/plain\\r\\n\\r\\nsum is $sum\\n";
"""


@clean("a script in Perl that Apache starts for each of a few requests, and pages beside it")
def scripts_by_apache(dice: Random) -> Iterator[Bed]:
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        script = Path(folder, "sum")
        script.write_text(PERL)
        script.chmod(0o755)
        with apache(f"ScriptSock cgid.sock\nScriptAlias /cgi-bin/ {folder}/\nMaxKeepAliveRequests 0\n", "cgid", "alias", files={"index": 3000}) as url:
            yield Bed(url, peak(8, 2) + f"-c 30 --rate {dice.randint(8, 14)}/s {engine(dice)}{dice.choice(('', '--arrivals poisson '))}"
                      "--get /cgi-bin/sum --get /index", truth=Truth(
                lambda all: [("200", all.status(200), 1, 1)], paths=("/cgi-bin/sum", "/index"), users=2, think=0.2))


@clean("a test that is warned when a page takes more than 14 to 18 ms, which half of them do, as they may")
def warned_by_a_test(dice: Random) -> Iterator[Bed]:
    with server.node(rule(method="POST", ms=(14, 36)), rule(ms=(8, 24), bytes=900)) as url:
        yield Bed(url, peak(7) + f"{modest(dice, (70, 120))}--get /items --expect 'status=200 warn:time<{dice.randint(14, 18)}ms' "
                  "--post /orders --body order")


@clean("files of 2 to 40 kB by Apache, over HTTP/2")
def h2_by_apache(dice: Random) -> Iterator[Bed]:
    with apache("Protocols h2c http/1.1\nH2Direct on\nMaxKeepAliveRequests 0\nKeepAliveTimeout 30\n", "http2",
                files={"page": 2000, "script": 12_000, "picture": 40_000}) as url:
        yield Bed(url, peak(7) + f"--engine events --http2 --streams {dice.choice((2, 4))} -c {dice.choice((12, 16, 24))} --think 40ms..120ms "
                  "--get /page --get /script --get /picture", probe=lambda: [("ten", server.streams_ms(f"{url}page", 10), 0, 500)])


@clean("a rate that rises from 20 to 90 or 120 a second, over HTTP/2 and TLS")
def rising_rate_over_h2(dice: Random) -> Iterator[Bed]:
    with server.go(option(tls=1), rule(method="POST", ms=(14, 36)), rule(ms=(6, 20), bytes=1200)) as url:
        yield Bed(url, f"--phases 'warmup=1 for 2s at 20/s, peak=1 for 9s at 20/s..{dice.choice((90, 120))}/s' -k --engine events --http2 "
                  f"--streams {dice.choice((3, 4))} -c 48 {dice.choice(('', '--arrivals poisson '))}{ITEMS_AND_ORDERS}")


@clean("one photographer, who sends a photo of 1 to 2 MB, looks at it, and thinks")
def one_photographer(dice: Random) -> Iterator[Bed]:
    with server.go(rule(method="POST", ms=(40, 90), status=201), rule(ms=(8, 20), bytes=30_000)) as url, tempfile.NamedTemporaryFile() as photo:
        Path(photo.name).write_bytes(dice.randbytes(dice.randint(1_000_000, 2_000_000)))
        yield Bed(url, peak(9) + f"-c 1 --think 100ms..300ms {engine(dice)}--post /photos --body @{photo.name} --get /photos/1")
