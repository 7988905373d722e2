"""
The faults of the seventeenth held-out set. Don't read on if you change rules.

No rule was tuned on it. Each fault is one that engineers meet in services, networks and tests, in a form that the earlier sets don't have.
The ids of a fault are those that an expert would accept as the first finding.
"""

from __future__ import annotations

import asyncio
import collections
import contextlib
import json
import math
import os
import random
import shutil
import signal
import socket
import struct
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import asking
import behaviours as server
import faults
from asking import Claim, Truth, took
from behaviours import option, rule
from kinds import Bed, cause, engine, peak, pick
from kinds.held_out_eighth import begin_stream, end_stream, send_event
from kinds.held_out_eleventh import Database, apache, mosquitto, postgres
from kinds.held_out_fifth import Clock
from kinds.held_out_fourth import between, puma, sent
from kinds.held_out_ninth import ITEMS_AND_ORDERS
from kinds.held_out_second import Asked, answering, some
from kinds.held_out_seventh import rows, said
from kinds.held_out_sixth import echoing, message_ms, reply
from kinds.held_out_tenth import Store, redis
from kinds.held_out_thirteenth import open_model
from kinds.held_out_twelfth import modest


def few_and_many(dice: Random, users: int, think: str) -> str:
    """A sixth of the users, then all of them."""
    return f"--phases few=0.16:for:3s,peak=1:for:9s -c {users} --think {think} {engine(dice)}"


# Databases and stores.


@cause("for 2 to 2.6 s a transaction stays open on a primary, and a replica looks up the savepoint of each row meanwhile: searches take five times as long",
       "slow-period", meaning="an operation is slow for a while")
def savepoints_of_a_long_transaction(dice: Random) -> Iterator[Bed]:
    at, length, clock = pick(dice, 4.2, 5.2), pick(dice, 2, 2.6), Clock()

    async def answer(asked: Asked) -> bool:
        now = clock()
        if asked.path == "/search":
            await (some(90, 150) if at < now < at + length else some(16, 30))
        else:
            await some(10, 26)
        return await asked.say(b"x" * 1400)

    with answering(answer) as url:
        yield Bed(url, peak(10) + f"{open_model(dice, 80, dice.randint(60, 100))}--get /search --post /orders --body order", truth=Truth(
            lambda all: [("before", between(all, 0, at - 0.2).median, 16, 60), ("meanwhile", between(all, at + 0.05, at + length - 0.1).median, 90, 220),
                         ("after", between(all, at + length + 0.1, 12).median, 16, 60), ("failed", all.failed, 0, 0)],
            paths=("/search",), think=0.05, seconds=9))


@cause("one in 8 to 12 links is longer than an entry of a database's index may be (54000): 500", "steady-failures", meaning="a constant share fails")
def links_too_long_for_an_index(dice: Random) -> Iterator[Bed]:
    share = 1 / dice.randint(8, 12)
    with postgres("create table links (address text)", "create index on links (address)") as port:
        database = Database(port, 30)

        async def answer(asked: Asked) -> bool:
            failed = ""
            if asked.method == "POST":
                pieces = 110 if random.random() < share else 3
                failed = await database.ask(f"insert into links select string_agg(md5(random()::text), '') from generate_series(1, {pieces})")
            await some(6, 18)
            return await asked.say(failed.encode() or b"x" * 500, 500 if failed else 200)

        with answering(answer) as url:
            yield Bed(url, peak(9) + f"{modest(dice, (60, 100))}--get /links --post /links --body link", truth=Truth(
                lambda all: [("500", all.status(500), 0.03, 0.25), ("others", all.status(200, 500), 1, 1)], method="POST", body=4))


@cause("for 2 to 2.6 s others read an archive, for which a cache gives up the pages that all read: what it doesn't have takes 90 to 130 ms more", "slow-period",
       "cache-misses", "two-speeds", meaning="it is slow for a while")
def archive_pushes_pages_out(dice: Random) -> Iterator[Bed]:
    at, length, more, clock = pick(dice, 3.8, 4.6), pick(dice, 2, 2.6), dice.randint(90, 120), Clock()
    cache: collections.OrderedDict[str, None] = collections.OrderedDict((f"/pages/{number}", None) for number in range(100))
    read = 0

    def put(name: str) -> None:
        cache[name] = None
        cache.move_to_end(name)
        if len(cache) > 220:
            cache.popitem(last=False)

    async def answer(asked: Asked) -> bool:
        nonlocal read
        for _ in range(round(1500 * (min(clock(), at + length) - at)) - read):
            read += 1
            put(f"archive {read}")
        missed = asked.path not in cache
        put(asked.path)
        await some(8, 22)
        if missed:
            await some(more, more + 10)
        return await asked.say(b"x" * 1800)

    with answering(answer) as url:
        yield Bed(url, peak(10) + f"-c 90 --rate '{dice.randint(90, 130)} journeys/s' {engine(dice)}", plan="""
scenarios:
  - name: read
    steps:
      - get: "/pages/{random:0..99}"
        name: GET /pages/NUMBER
""", truth=Truth(lambda all: [("before", between(all, 0, at - 0.1).slower(more), 0, 0.03),
                              ("meanwhile", between(all, at + 0.4, at + length).slower(more), 0.4, 1), ("failed", all.failed, 0, 0)],
                 paths=tuple(f"/pages/{random.randrange(100)}" for _ in range(900)), users=1, think=0, seconds=8))


@cause("a job fills a new column of a table in batches, and each of them locks it against writers, every 1.4 to 1.8 s, for 0.3 to 0.38 s; reads go on",
       "periodic-stalls", "standstill", meaning="an operation waits at even distances")
def column_is_filled_in_batches(dice: Random) -> Iterator[Bed]:
    length, period = pick(dice, 0.3, 0.38), pick(dice, 1.4, 1.8)
    with postgres("create table orders (id bigserial, note text)") as port:
        database = Database(port, 90)
        batch = (f"do $$ begin for n in 1..60 loop lock table orders in share row exclusive mode; perform pg_sleep({length}); commit; "
                 f"perform pg_sleep({period - length}); end loop; end $$")

        async def answer(asked: Asked) -> bool:
            failed = await database.ask("insert into orders (note) values ('new')") if asked.method == "POST" else ""
            await (some(10, 28) if asked.method == "POST" else some(7, 20))
            return await asked.say(b"x" * 700, 500 if failed else 200)

        def claims() -> list[Claim]:
            wrote, read = (asking.ask(url, Truth(lambda all: [], method=method, body=4, users=12, seconds=5, think=0.02)) for method in ("POST", "GET"))
            return [("longest", wrote.slowest, 600 * length, 1000 * length + 900), ("waited", wrote.slower(120), 0.015, 0.4),
                    ("reads", read.slower(150), 0, 0.02), ("failed", wrote.failed + read.failed, 0, 0)]

        words = ["psql", "-q", "-h", "127.0.0.1", "-p", str(port), "-U", "shop", "-c", batch, "postgres"]
        with answering(answer) as url, subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as job:
            try:
                yield Bed(url, peak(11) + f"{open_model(dice, 120, dice.randint(70, 110))}{ITEMS_AND_ORDERS}", probe=claims)
            finally:
                job.kill()


@cause("the store in which a limiter counts is busy with something else for 1.5 to 2 s, and who can't be counted is refused: 429 for everything", "outage",
       "restarts", "rate-limit", meaning="nothing succeeds for a while")
def limiter_without_its_store(dice: Random) -> Iterator[Bed]:
    at, length, wait, clock = pick(dice, 4.4, 5.6), pick(dice, 1.5, 2), pick(dice, 0.06, 0.1), Clock()
    with redis("--save", "", "--enable-debug-command", "yes") as (port, _):
        store = Store(port)
        others = []

        async def answer(asked: Asked) -> bool:
            if clock() > at and not others:
                others.append(asyncio.create_task(store.ask("DEBUG", "SLEEP", str(length))))
            try:
                await asyncio.wait_for(store.ask("INCR", "requests"), wait)
            except asyncio.TimeoutError:
                return await asked.say(b"try again later", 429)
            await (some(12, 32) if asked.method == "POST" else some(7, 20))
            return await asked.say(b"x" * 900)

        with answering(answer) as url:
            yield Bed(url, peak(10) + f"{open_model(dice, 60, dice.randint(60, 100))}{ITEMS_AND_ORDERS}", truth=Truth(
                lambda all: [("before", between(all, 0, at - 0.2).failed, 0, 0.01),
                             ("meanwhile", between(all, at + 0.15, at + length - 0.2).status(429), 0.95, 1),
                             ("after", between(all, at + length + 0.2, 12).failed, 0, 0.01)], users=6, think=0.05, seconds=9))


@cause("each order locks 80 to 100 things, and a database has room for the locks of a few orders at a time (out of shared memory): 500 for more",
       "failures-with-load", "load-shedding", meaning="it fails when there is much to do")
def no_room_for_locks(dice: Random) -> Iterator[Bed]:
    number = dice.randint(80, 100)
    with postgres(max_locks_per_transaction="10", max_connections="40", max_prepared_transactions="0", shared_buffers="1MB") as port:
        database = Database(port, 34)

        async def answer(asked: Asked) -> bool:
            failed = ""
            if asked.method == "POST":
                failed = await database.ask(f"do $$ begin for n in 1..{number} loop perform pg_advisory_xact_lock((1e12 * random())::bigint); end loop; "
                                            "perform pg_sleep(0.05); end $$")
            else:
                await some(7, 20)
            return await asked.say(failed.encode() or b"x" * 600, 500 if failed else 200)

        def claims() -> list[Claim]:
            few, many = ([status for _ in range(6) for status, _ in sent(url, users, "/orders", "POST")] for users in (2, 30))
            return [("few", few.count(200) / len(few), 1, 1), ("many", many.count(500) / len(many), 0.05, 0.95),
                    ("others", (many.count(200) + many.count(500)) / len(many), 1, 1)]

        with answering(answer) as url:
            yield Bed(url, f"{few_and_many(dice, dice.randint(38, 46), '20ms..60ms')}{ITEMS_AND_ORDERS}", probe=claims)


@cause("one in five to seven transfers is between two shards, which have to agree in two rounds: 0.18 to 0.24 s more", "two-speeds",
       meaning="a share is slower by the same time")
def transfers_between_two_shards(dice: Random) -> Iterator[Bed]:
    share, more = 1 / dice.randint(5, 7), dice.randint(180, 220)

    async def answer(asked: Asked) -> bool:
        await (some(12, 30) if asked.method == "POST" else some(7, 20))
        if asked.method == "POST" and random.random() < share:
            await some(more / 2, more / 2 + 10)
            await some(more / 2, more / 2 + 10)
        return await asked.say(b"x" * 700)

    with answering(answer) as url:
        yield Bed(url, peak(10) + f"{modest(dice, (60, 100))}--get /accounts --post /transfers --body transfer", truth=Truth(
            lambda all: [("slow", all.slower(more), 0.07, 0.3), ("between", all.share(lambda one: 100 < one.ms < more), 0, 0.05), ("failed", all.failed, 0, 0)],
            method="POST", body=8, users=8, seconds=5))


# Processes.

COMMON = """
import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;

class Common {
    public static void main(String[] arguments) throws Exception {
        int ms = Integer.parseInt(arguments[0]);
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 1024);
        server.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            CompletableFuture.runAsync(() -> {
                try {
                    Thread.sleep(ThreadLocalRandom.current().nextInt(ms, ms + 8));
                    exchange.sendResponseHeaders(200, 700);
                    exchange.getResponseBody().write(new byte[700]);
                } catch (Exception end) {
                    // It is over.
                }
                exchange.close();
            });
        });
        server.start();
        System.out.println("http://127.0.0.1:" + server.getAddress().getPort() + "/");
    }
}
"""


@cause("a Java service asks its partners in the pool that all of its code has in common (supplyAsync), of three threads on four cores, for 26 to 36 ms each",
       "saturation", "serial-work", "contention", meaning="more users only wait for a thread")
def pool_that_all_code_has_in_common(dice: Random) -> Iterator[Bed]:
    ms = dice.randint(26, 30)
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "Common.java")
        source.write_text(COMMON)
        with faults.java("-Xmx128m", "-Djava.util.concurrent.ForkJoinPool.common.parallelism=3", "-Dsun.net.httpserver.nodelay=true",
                         str(source), str(ms)) as url:
            yield Bed(url, f"{few_and_many(dice, dice.randint(22, 30), '50ms..110ms')}--get /items --get /prices", truth=Truth(
                lambda all: [("a second", len(all.all) / 5, 1900 / (ms + 8), 3100 / ms), ("median", all.median, 3 * ms, 12 * ms), ("failed", all.failed, 0, 0)],
                users=20, think=0.05, seconds=5))


CRASHING = """
const [port, ms] = process.argv.slice(1).map(Number);
let begin = 0;
const server = require('node:http').createServer((request, response) => request.resume().on('end', () => {
    if (!begin) {
        begin = 1;
        setTimeout(() => process.exit(1), ms);
    }
    setTimeout(() => response.writeHead(200, {'Content-Length': 800}).end('x'.repeat(800)), 7 + 14 * Math.random());
}));
server.keepAliveTimeout = 60_000;
server.listen({port, host: '127.0.0.1', backlog: 1024});
"""


@cause("a Node program ends about a second after it was asked first, once a message is in its queue, and what starts it again waits twice as long each time",
       "restarts", "outage", "growing-failures", meaning="it fails for longer and longer times")
def restarted_later_and_later(dice: Random) -> Iterator[Bed]:
    first, up, wait = dice.randint(3600, 4400), dice.randint(900, 1200), pick(dice, 0.3, 0.4)
    node = shutil.which("node")
    if node is None:
        raise faults.Impossible("no node")
    port, over = faults.free_port(), threading.Event()

    def supervise() -> None:
        ms, pause = first, wait
        while not over.is_set():
            with subprocess.Popen([node, "-e", CRASHING, str(port), str(ms)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
                while process.poll() is None and not over.wait(0.02):
                    pass
                process.kill()
            over.wait(pause)
            ms, pause = up, 2 * pause

    thread = threading.Thread(target=supervise)
    thread.start()
    try:
        faults.wait_for(port)
        yield Bed(f"http://127.0.0.1:{port}/", peak(11) + f"{open_model(dice, 60, dice.randint(60, 100))}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("before", between(all, 0, first / 1000 - 0.3).failed, 0, 0), ("then", between(all, first / 1000 + 0.1, 11).failed, 0.2, 0.95),
                         ("at times", between(all, first / 1000 + 0.1, 11).status(200), 0.05, 0.8)], think=0.04, seconds=9.5))
    finally:
        over.set()
        thread.join()


@contextlib.contextmanager
def stopped_at_times(url_and_process: tuple[str, subprocess.Popen], period: float, length: float) -> Iterator[str]:
    """The address of a server that is stopped once in a period, for so many seconds."""
    url, process = url_and_process
    over = threading.Event()

    def stop_and_go() -> None:
        while not over.wait(period - length):
            process.send_signal(signal.SIGSTOP)
            over.wait(length)
            process.send_signal(signal.SIGCONT)

    thread = threading.Thread(target=stop_and_go)
    thread.start()
    try:
        yield url
    finally:
        over.set()
        thread.join()


@contextlib.contextmanager
def node_process(*rules: str) -> Iterator[tuple[str, subprocess.Popen]]:
    """A Node server that behaves as rules say, and its process."""
    node = shutil.which("node")
    if node is None:
        raise faults.Impossible("no node")
    with subprocess.Popen([node, str(server.SERVERS / "server.mjs"), *rules], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          text=True) as process:
        try:
            yield process.stdout.readline().split(" on ")[1].strip(), process
        finally:
            process.kill()


@cause("a Node server is held to a part of its time by signals (cpulimit, SIGSTOP): it is stopped for 0.22 to 0.28 s in each 0.6 to 0.75 s", "periodic-stalls",
       "standstill", meaning="all requests wait at even distances")
def held_to_a_part_of_its_time(dice: Random) -> Iterator[Bed]:
    period, length = pick(dice, 0.6, 0.75), pick(dice, 0.22, 0.28)
    with node_process(option(idle=60_000), rule(method="POST", ms=(14, 36)), rule(ms=(7, 20), bytes=900)) as both, \
            stopped_at_times(both, period, length) as url:
        yield Bed(url, peak(10) + f"{open_model(dice, 80, dice.randint(70, 110))}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("waited", all.slower(60), 0.05, 0.65), ("longest", all.slowest, 800 * length, 1000 * length + 900), ("failed", all.failed, 0, 0)],
            users=12, think=0.05, seconds=5))


@cause("a Puma ends what takes longer than 0.45 to 0.55 s (a timeout of Rack), and one in 9 to 13 reports does: 500", "gives-up", "steady-failures",
       meaning="slow requests are given up")
def ended_by_a_timeout_of_rack(dice: Random) -> Iterator[Bed]:
    limit = pick(dice, 0.45, 0.55)
    mean = (limit - 0.02) / math.log(dice.randint(9, 13))
    application = f"""
require 'timeout'
---
report = env['PATH_INFO'] == '/reports'
begin
  Timeout.timeout({limit}) {{ sleep(report ? 0.02 - {mean} * Math.log(1 - rand) : 0.007 + 0.014 * rand) }}
  [200, {{'content-type' => 'text/plain'}}, ['x' * 900]]
rescue Timeout::Error
  [500, {{'content-type' => 'text/plain'}}, ['timeout']]
end
"""
    with puma(24, application) as url:
        yield Bed(url, peak(10) + f"-c {dice.randint(10, 16)} --think 60ms..160ms {engine(dice)}--get /items --get /reports", truth=Truth(
            lambda all: [("500", all.of("/reports").status(500), 0.02, 0.25), ("items", all.of("/items").failed, 0, 0),
                         ("longest", all.slowest, 900 * limit, 1000 * limit + 900), ("others", all.status(200, 500), 1, 1)],
            paths=("/reports", "/items"), users=12, seconds=6))


# Proxies.


def kept_upstream(behind: str, more: str, http: str = "") -> contextlib.AbstractContextManager[str]:
    """An nginx before a server, with directives of its location, and others of all."""
    return faults.nginx(f"{http} upstream one {{ server {behind[7:-1]}; keepalive 64; }}",
                        f'location / {{ proxy_http_version 1.1; proxy_set_header Connection ""; proxy_pass http://one; {more} }}')


@cause("a service fails once in 20 to 28 times, and nginx keeps that answer for an hour: one page after another is 500", "growing-failures",
       "steady-failures", meaning="more and more fails")
def failures_stay_in_a_cache(dice: Random) -> Iterator[Bed]:
    share = 1 / dice.randint(20, 28)

    async def answer(asked: Asked) -> bool:
        await some(8, 24)
        return await asked.say(b"x" * 900, 500 if random.random() < share else 200)

    with tempfile.TemporaryDirectory() as folder, answering(answer) as behind, kept_upstream(
            behind, "proxy_cache pages; proxy_cache_valid 500 1h;", f"proxy_cache_path {folder}/cache keys_zone=pages:1m;") as url:
        yield Bed(url, peak(10) + f"-c 60 --rate '{dice.randint(90, 130)} journeys/s' {engine(dice)}", plan="""
scenarios:
  - name: read
    steps:
      - get: "/pages/{random:0..59}"
        name: GET /pages/NUMBER
""", truth=Truth(lambda all: [("first", between(all, 0, 0.7).failed, 0, 0.35), ("last", between(all, 5, 7).failed, 0.2, 1),
                              ("others", all.status(200, 500), 1, 1)],
                 paths=tuple(f"/pages/{number}" for number in range(60)), users=6, think=0.03, seconds=7))


@cause("nginx keeps the pages of a list under their address without its question mark, so each is the one that was asked for first", "check-never-holds",
       "always-fails", meaning="two checks never hold")
def pages_without_their_number(dice: Random) -> Iterator[Bed]:
    async def answer(asked: Asked) -> bool:
        await some(9, 24)
        return await asked.say(json.dumps({"page": int(asked.path.partition("page=")[2] or 0), "items": list(range(60))}).encode())

    def claims() -> list[Claim]:
        found = [json.loads(said(url, f"/list?page={number}")[1])["page"] for number in (2, 1, 3)]
        return [(str(number), value, 2, 2) for number, value in zip((2, 1, 3), found)]

    with tempfile.TemporaryDirectory() as folder, answering(answer) as behind, kept_upstream(
            behind, "proxy_cache pages; proxy_cache_key $uri; proxy_cache_valid 200 1h;", f"proxy_cache_path {folder}/cache keys_zone=pages:1m;") as url:
        yield Bed(url, peak(8) + f"{modest(dice, (60, 100))}" + " ".join(f"--get '/items?page={number}' --expect 'status=200 json:/page={number}'"
                                                                       for number in (1, 2, 3)), probe=claims)


@cause("a lighttpd with three to five requests for each connection (max-keep-alive-requests), on a way of 44 to 56 ms", "keep-alive-limit",
       meaning="connections are made again and again")
def few_requests_for_a_connection(dice: Random) -> Iterator[Bed]:
    program = shutil.which("lighttpd", path=os.environ["PATH"] + ":/usr/sbin")
    if program is None:
        raise faults.Impossible("no lighttpd")
    seconds, port, most = pick(dice, 0.022, 0.028), faults.free_port(), dice.randint(3, 5)
    with tempfile.TemporaryDirectory() as folder, faults.network() as inside, faults.delays(inside, lambda: seconds) as address:
        for name in ("items", "prices"):
            Path(folder, name).write_bytes(b"x" * 2000)
        file = Path(folder, "lighttpd.conf")
        file.write_text(f'server.document-root = "{folder}"\nserver.bind = "10.99.0.1"\nserver.port = {port}\nserver.errorlog = "{folder}/error.log"\n'
                        f"server.max-keep-alive-requests = {most}\n")
        with subprocess.Popen([*inside, program, "-D", "-f", file], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            try:
                time.sleep(0.6)
                yield Bed(f"http://{address}:{port}/", peak(9, 2) + f"-c {dice.randint(12, 20)} --think 40ms..120ms {engine(dice)}--get /items --get /prices",
                          inside, truth=Truth(lambda all: [("of a connection", len(all.all) / max(1, len(all.connects)), 2, most + 2),
                                                           ("connect", all.connect_median, 1800 * seconds, 4000 * seconds), ("200", all.status(200), 1, 1)],
                                              paths=("/items", "/prices"), users=8, think=0.05))
            finally:
                process.kill()


@cause("a file has become shorter, and a test asks an Apache for a part behind its end: 416 for one of three operations", "always-fails", "wrong-request",
       meaning="an operation always fails")
def part_behind_the_end(dice: Random) -> Iterator[Bed]:
    length = dice.randint(60, 90) * 1000
    with apache("MaxKeepAliveRequests 0\nKeepAliveTimeout 30", files={"film": length, "page": 3000}) as url:
        def status(begin: int) -> int:
            return sent(url, 1, "/film", Range=f"bytes={begin}-{begin + 29_999}")[0][0]

        part = "      - get: /film\n        name: {}\n        headers: {{Range: bytes={}}}\n        checks: status=206\n{}      - think: 30ms..110ms\n"
        yield Bed(url, peak(8) + f"-c {dice.randint(10, 18)} {engine(dice)}", plan="scenarios:\n  - name: watch\n    steps:\n      - get: /page\n"
                  + part.format("first part", "0-29999", "") + part.format("last part", "120000-149999", "        onFailure: continue\n"),
                  probe=lambda: [("first", status(0), 206, 206), ("last", status(120_000), 416, 416)])


@cause("one in 9 to 12 answers has a field with a character that there mustn't be, and nginx passes none of them on: 502", "bad-gateway", "steady-failures",
       meaning="a share gets 502 from a proxy")
def field_that_nginx_refuses(dice: Random) -> Iterator[Bed]:
    share = 1 / dice.randint(9, 12)

    async def answer(asked: Asked) -> bool:
        await (some(12, 32) if asked.method == "POST" else some(7, 20))
        if random.random() >= share:
            return await asked.say(b"x" * 900)
        asked.writer.write(b"HTTP/1.1 200 OK\r\nX-Shop: caf\0\r\nContent-Length: 2\r\n\r\nok")
        await asked.writer.drain()
        return False

    with answering(answer) as behind, kept_upstream(behind, "") as url:
        yield Bed(url, peak(9) + f"{modest(dice, (60, 100))}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("502", all.status(502), 0.03, 0.25), ("others", all.status(200, 502), 1, 1)]))


@cause("HAProxy lets 64 KiB of an upload be under way for a stream of HTTP/2, on a way of 70 to 90 ms, and photos of 260 to 360 kB are sent to it",
       "slow-uploads", "bandwidth", meaning="uploads are slow")
def window_of_haproxy(dice: Random) -> Iterator[Bed]:
    seconds, port, size = pick(dice, 0.035, 0.045), faults.free_port(), dice.randint(260, 360) * 1000
    with contextlib.ExitStack() as stack:
        photo = stack.enter_context(tempfile.NamedTemporaryFile())
        photo.write(os.urandom(size))
        photo.flush()
        inside = stack.enter_context(faults.network())
        address = stack.enter_context(faults.delays(inside, lambda: seconds))
        behind = stack.enter_context(server.go(rule(ms=(8, 22), bytes=900), under=inside))
        stack.enter_context(server.haproxy(f"listen all\n  bind 10.99.0.1:{port} proto h2\n  server one {behind[7:-1]}", under=inside))
        time.sleep(0.6)
        url = f"http://{address}:{port}/"
        asks = (*inside, "curl", "--http2-prior-knowledge", "-sf", "-o", "/dev/null")

        def claims() -> list[Claim]:
            trips = size / 65_536 * 2000 * seconds
            return [("photo", took([*asks], "--data-binary", f"@{photo.name}", f"{url}photos"), 0.7 * trips, 3 * trips + 600),
                    ("page", took([*asks], f"{url}items"), 2000 * seconds, 4000 * seconds + 250)]

        yield Bed(url, peak(11, 2) + f"--engine events --http2 --streams {dice.choice((1, 2))} -c {dice.choice((8, 10, 12))} --think 150ms..400ms "
                  f"--get /items --post /photos --body @{photo.name}", inside, probe=claims)


@cause("a file is written anew in its place every 1.5 to 2 s, which takes 0.3 to 0.4 s, and who reads it meanwhile gets less than was announced",
       "truncated-bodies", "steady-failures", meaning="some bodies end in the middle")
def file_is_written_in_its_place(dice: Random) -> Iterator[Bed]:
    period, length, clock = pick(dice, 1.5, 2), pick(dice, 0.3, 0.4), Clock()

    async def answer(asked: Asked) -> bool:
        await some(8, 24)
        place = clock() % period
        if asked.path != "/catalogue" or place < period - length:
            return await asked.say(b"x" * (24_000 if asked.path == "/catalogue" else 1200))
        asked.writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 24000\r\n\r\n" + b"x" * round(20_000 * (1 - (period - place) / length) + 1000))
        await asked.writer.drain()
        return False

    with answering(answer) as url:
        yield Bed(url, peak(10) + f"{modest(dice, (60, 100))}--get /items --get /catalogue", truth=Truth(
            lambda all: [("ended", all.of("/catalogue").status(0), 0.07, 0.4), ("items", all.of("/items").failed, 0, 0), ("others", all.status(0, 200), 1, 1)],
            paths=("/items", "/catalogue"), think=0.03, seconds=6))


# Networks, names and certificates.


@cause("another machine was given the same address, and for 0.4 to 0.55 s of each 1.8 to 2.3 s packets get to that one, which resets all connections",
       "restarts", "resets", "outage", meaning="bursts of failures")
def address_is_given_twice(dice: Random) -> Iterator[Bed]:
    period, length, over = pick(dice, 1.8, 2.3), pick(dice, 0.4, 0.55), threading.Event()
    with faults.network("nft add table ip twice && nft add chain ip twice in '{ type filter hook input priority 0 ; }'") as inside, \
            server.go(rule(method="POST", ms=(14, 36)), rule(ms=(7, 20), bytes=900), under=inside) as url:
        def change(*words: str) -> None:
            subprocess.run([*inside, "nft", *words], check=True)

        def take_turns() -> None:
            while not over.wait(period - length):
                change("add", "rule", "ip", "twice", "in", "tcp", "dport", str(server.port(url)), "reject", "with", "tcp", "reset")
                over.wait(length)
                change("flush", "chain", "ip", "twice", "in")

        thread = threading.Thread(target=take_turns)
        thread.start()
        try:
            yield Bed(url, peak(11) + f"-c {dice.randint(16, 26)} --think 80ms..200ms {engine(dice)}{ITEMS_AND_ORDERS}", inside, truth=Truth(
                lambda all: [("reset", all.failed, 0.05, 0.9), ("200", all.status(200), 0.1, 0.95), ("at once", all.slower(400), 0, 0.1)],
                users=8, think=0.1, seconds=7))
        finally:
            over.set()
            thread.join()


@contextlib.contextmanager
def led_back(seconds: Callable[[bytes], float]) -> Iterator[tuple[list[str], str]]:
    """Words that start a command in a network, and an address that leads back to it: a packet takes so long, and may overtake those of the other direction."""
    with contextlib.ExitStack() as stack:
        inside = stack.enter_context(faults.network())
        end = stack.enter_context(faults.tunnels.tunnel(inside, "ip address add 10.99.0.1/24 dev slow"))
        other = os.dup(end)
        stack.callback(os.close, other)

        def route(_: int, packet: bytes) -> faults.tunnels.Passed:
            there = struct.unpack(">H", packet[22:24])[0] < 32_768
            return faults.tunnels.Passed(other if there else end, seconds(packet), packet[:12] + packet[16:20] + packet[12:16] + packet[20:])

        stack.enter_context(faults.tunnels.carried(route, end))
        yield inside, "10.99.0.2"


def low_port() -> int:
    """A free port below those of connections."""
    while True:
        with socket.socket() as one, contextlib.suppress(OSError):
            port = random.randrange(20_000, 32_000)
            one.bind(("127.0.0.1", port))
            return port


@cause("two routers don't agree on the way, which changes every 0.9 to 1.3 s between one of 8 ms and one of 70 to 84 ms", "jitter", "two-speeds", "slow-period",
       meaning="the network's delay changes again and again")
def route_flaps(dice: Random) -> Iterator[Bed]:
    period, long, port = pick(dice, 0.9, 1.3), pick(dice, 0.035, 0.042), low_port()
    with led_back(lambda _: long if time.monotonic() % (2 * period) < period else 0.004) as (inside, address), server.go(
            option(address=f"10.99.0.1:{port}"), rule(method="POST", ms=(12, 30)), rule(ms=(6, 18), bytes=1500), under=inside):
        yield Bed(f"http://{address}:{port}/", peak(11) + f"{open_model(dice, 60, dice.randint(50, 80))}{ITEMS_AND_ORDERS}", inside, truth=Truth(
            lambda all: [("long", all.slower(2000 * long), 0.15, 0.75), ("short", 1 - all.slower(55), 0.2, 0.85), ("failed", all.failed, 0, 0)],
            users=6, think=0.05, seconds=6))


@cause("a test's line sends at 4 to 6 Mbit/s and receives at much more (ADSL), and its users send pictures of 50 to 80 kB", "bandwidth", "slow-uploads",
       "saturation", meaning="a limit of bandwidth in one direction")
def thin_line_of_a_test(dice: Random) -> Iterator[Bed]:
    rate, size, port, clear = pick(dice, 500_000, 750_000), dice.randint(50, 80) * 1000, low_port(), [0.0]

    def seconds(packet: bytes) -> float:
        if struct.unpack(">H", packet[22:24])[0] != port:
            return 0.004
        now = time.monotonic()
        clear[0] = max(now, clear[0]) + len(packet) / rate
        return clear[0] - now + 0.004

    with tempfile.NamedTemporaryFile() as picture, led_back(seconds) as (inside, address), server.go(
            option(address=f"10.99.0.1:{port}"), rule(method="POST", ms=(10, 24), bytes=200), rule(ms=(6, 18), bytes=9000), under=inside):
        picture.write(os.urandom(size))
        picture.flush()
        yield Bed(f"http://{address}:{port}/", peak(11) + f"-c {dice.randint(8, 13)} --think 100ms..250ms {engine(dice)}--get /pictures --post /pictures "
                  f"--body @{picture.name}", inside, truth=Truth(
            lambda all: [("bytes a second", len(all.all) * size / 7, 0.5 * rate, 1.1 * rate), ("median", all.median, 400 * size / rate, 9000 * size / rate),
                         ("failed", all.failed, 0, 0)], method="POST", body=size, users=5, think=0.1, seconds=7))


@contextlib.contextmanager
def unsigned_zone(address: str) -> Iterator[list[str]]:
    """Words that start a command whose name server doesn't vouch for any name (SERVFAIL)."""
    over = threading.Event()

    def listen() -> None:
        while not over.is_set():
            with contextlib.suppress(TimeoutError):
                question, peer = names.recvfrom(512)
                end = question.index(b"\0", 12) + 5
                names.sendto(question[:2] + struct.pack(">HHHHH", 0x8182, 1, 0, 0, 0) + question[12:end], peer)

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as names:
        try:
            names.bind((address, 53))
        except OSError as problem:
            raise faults.Impossible(f"port 53 of {address}: {problem}") from problem
        names.settimeout(0.2)
        thread = threading.Thread(target=listen)
        thread.start()
        try:
            with faults.own_files(resolv_conf=f"nameserver {address}\n", hosts="127.0.0.1 localhost\n") as files:
                yield files
        finally:
            over.set()
            thread.join()


@cause("a zone's signatures (DNSSEC) are too old, and a name server that looks at them knows none of its names (SERVFAIL)", "unknown-host", "failed-look-ups",
       "no-connection", meaning="the name can't be looked up")
def signatures_of_a_zone(dice: Random) -> Iterator[Bed]:
    with server.go(rule(ms=(6, 18))) as url, unsigned_zone("127.0.0.97") as under:
        yield Bed(url.replace("127.0.0.1", "shop.example"), peak(8) + f"--keep-going -c {dice.randint(6, 12)} --think 60ms..140ms {engine(dice)}"
                  + ITEMS_AND_ORDERS, under, probe=lambda: [("name", took(under, "getent", "ahosts", "shop.example"), -1, -1),
                                                            ("without it", took([], "curl", "-sf", url), 0, 3000)])


@cause("a certificate is for clients alone (extendedKeyUsage), and a server shows it", "no-tls", meaning="no TLS connection can be made")
def certificate_for_clients_alone(dice: Random) -> Iterator[Bed]:
    with tempfile.TemporaryDirectory() as folder, server.go(rule(ms=(6, 18))) as behind:
        new = "openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"
        for use in ("clientAuth", "serverAuth"):
            Path(folder, use).write_text(f"extendedKeyUsage={use}\nsubjectAltName=IP:127.0.0.1,DNS:localhost\n")
        sign = "openssl x509 -req -days 2 -CA ca.pem -CAkey ca.key -CAcreateserial -in one.csr"
        subprocess.run(["sh", "-ec", f"cd {folder}; {new} -x509 -days 9 -subj /CN=authority -keyout ca.key -out ca.pem; {new} -subj /CN=localhost "
                        "-keyout one.key -out one.csr; "
                        f"for use in clientAuth serverAuth; do {sign} -extfile $use -out $use.crt; cat $use.crt one.key > $use.pem; done"],
                       check=True, capture_output=True)
        with server.haproxy(f"listen all\n  bind LISTEN ssl crt {folder}/clientAuth.pem\n  server one {behind[7:-1]}") as there, \
                server.haproxy(f"listen all\n  bind LISTEN ssl crt {folder}/serverAuth.pem\n  server one {behind[7:-1]}") as other:
            def asked(of: str) -> float:
                return took([], "curl", "-sf", "--cacert", f"{folder}/ca.pem", f"https{of[4:]}")

            yield Bed(f"https{there[4:]}", peak(8) + f"--cacert {folder}/ca.pem --keep-going -c {dice.randint(6, 14)} --think 50ms..120ms {engine(dice)}"
                      + ITEMS_AND_ORDERS, probe=lambda: [("for clients", asked(there), -1, -1), ("for servers", asked(other), 0, 3000),
                                                         ("whatever it is", took([], "curl", "-skf", f"https{there[4:]}"), 0, 3000)])


@contextlib.contextmanager
def tunnelling(seconds: Callable[[], float]) -> Iterator[int]:
    """The port of a proxy that makes tunnels (CONNECT), each after so many seconds."""

    async def copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(65_536):
                writer.write(data)
                await writer.drain()
        writer.close()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            host, _, port = (await reader.readuntil(b"\r\n\r\n")).split(b" ")[1].decode().rpartition(":")
            await asyncio.sleep(seconds())
            there, back = await asyncio.open_connection(host, int(port))
            writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
            await asyncio.gather(copy(reader, back), copy(there, writer))
        writer.close()

    with faults._listening(serve) as port:  # noqa: SLF001
        yield port


@cause("a company's proxy asks somebody else before it makes a tunnel (CONNECT), for 0.2 to 0.3 s, and each request of a test makes one", "slow-connects",
       meaning="connecting is slow")
def tunnels_are_asked_for(dice: Random) -> Iterator[Bed]:
    low = pick(dice, 0.2, 0.26)
    with server.go(option(tls=1), rule(method="POST", ms=(12, 30)), rule(ms=(7, 20), bytes=900)) as url, \
            tunnelling(lambda: random.uniform(low, low + 0.04)) as port:
        def asked(*words: str) -> float:
            return sorted(took([], "curl", "-skf", *words, url) for _ in range(5))[2]

        yield Bed(url, peak(10) + f"-k -H Connection:close --proxy http://127.0.0.1:{port} -c {dice.randint(8, 14)} --think 60ms..180ms {engine(dice)}"
                  + ITEMS_AND_ORDERS, probe=lambda: [("by the proxy", asked("-x", f"http://127.0.0.1:{port}"), 1000 * low, 1000 * low + 400),
                                                     ("directly", asked(), 0, 800 * low)])


@cause("a test is to go through a proxy that isn't there any more", "no-connection", "nothing-listens", meaning="no connection can be made")
def proxy_is_gone(dice: Random) -> Iterator[Bed]:
    port = faults.free_port()
    with dice.choice((server.go, server.node))(rule(ms=(6, 18), bytes=900)) as url:
        yield Bed(url, peak(8) + f"--keep-going --proxy http://127.0.0.1:{port} -c {dice.randint(6, 14)} --think 60ms..140ms {engine(dice)}{ITEMS_AND_ORDERS}",
                  probe=lambda: [("by the proxy", took([], "curl", "-sf", "-x", f"http://127.0.0.1:{port}", url), -1, -1),
                                 ("directly", took([], "curl", "-sf", url), 0, 3000)])


# Deployments, and what a test does wrong.


@cause("one in five or six accounts has a second factor, and its log-in gives no token before that is known, as a test wants it to (200)", "steady-failures",
       meaning="a constant share fails")
def second_factor_for_some(dice: Random) -> Iterator[Bed]:
    each, most = dice.randint(5, 6), 60

    async def answer(asked: Asked) -> bool:
        if asked.method == "POST":
            await some(16, 40)
            of_some = int(json.loads(asked.body)["account"]) % each == 0
            return await asked.say(json.dumps({"next": "code"} if of_some else {"token": "a7"}).encode())
        await some(7, 22)
        return await asked.say(b"x" * 900)

    def tokens() -> int:
        return sum(b"token" in said(url, "/login", "POST", json.dumps({"account": str(number)}).encode())[1] for number in range(60))

    with answering(answer) as url:
        yield Bed(url, peak(9) + f"-c {dice.randint(14, 24)} {engine(dice)}", plan=f"""
scenarios:
  - name: visit
    steps:
      - post: /login
        json: {{account: "{{random:0..{most - 1}}}"}}
        checks: status=200
        extract: {{token: "json:/token"}}
      - think: 60ms..200ms
      - get: /account
        headers: {{X-Token: "{{token}}"}}
        checks: status=200
      - think: 60ms..200ms
""", probe=lambda: [("tokens", tokens(), most - most / each, most - most / each)])


@cause("of the items in a test's file, a fifth to a third has been deleted since it was made: 404", "steady-failures", "wrong-request",
       meaning="a constant share isn't there")
def items_of_an_old_file(dice: Random) -> Iterator[Bed]:
    share, names = pick(dice, 0.2, 0.33), [f"{number}" for number in range(7000, 7300)]
    dice.shuffle(names)
    gone = set(names[:round(share * len(names))])
    dice.shuffle(names)

    async def answer(asked: Asked) -> bool:
        name = asked.path.split("/")[2]
        await (some(3, 9) if name in gone else some(8, 24))
        return await asked.say(b"not found" if name in gone else b"x" * 1200, 404 if name in gone else 200)

    with answering(answer) as url, rows("id", names) as file:
        yield Bed(url, peak(9) + f"-c 50 --rate '{dice.randint(60, 110)} journeys/s' {engine(dice)}", plan=f"""
data:
  items: {{csv: {file}}}
scenarios:
  - name: look
    steps:
      - get: "/items/{{items.id}}"
        name: GET /items/ID
        checks: status=200
""", truth=Truth(lambda all: [("404", all.status(404), share - 0.1, share + 0.1), ("others", all.status(200, 404), 1, 1)],
                 paths=tuple(f"/items/{name}" for name in names)))


@cause("a test wants each list within 48 ms, and lists take 18 to 56 ms, as they always did", "steady-failures", meaning="a constant share fails a check")
def faster_than_lists_are(dice: Random) -> Iterator[Bed]:
    with dice.choice((server.go, server.java))(rule(path="/lists", ms=(18, 56), bytes=3000), rule(ms=(6, 18), bytes=900)) as url:
        yield Bed(url, peak(9, 2) + f"{modest(dice, (50, 90))}--get /lists --expect 'status=200 time<48ms' --get /items --expect status=200", truth=Truth(
            lambda all: [("late", all.of("/lists").slower(48), 0.1, 0.9), ("items", all.of("/items").slower(48), 0, 0.05), ("200", all.status(200), 1, 1)],
            paths=("/lists", "/items")))


@cause("from the middle on a service asks its database twice for each page, to compare an old and a new query, and its five connections aren't enough for that",
       "drift", "saturation", "slow-period", meaning="it gets slower and slower from then on")
def asked_twice_for_comparison(dice: Random) -> Iterator[Bed]:
    at, ms, clock, pool = pick(dice, 4, 5), dice.randint(26, 34), Clock(), asyncio.Semaphore(5)

    async def query() -> None:
        async with pool:
            await some(0.85 * ms, 1.15 * ms)

    async def answer(asked: Asked) -> bool:
        now = clock()
        await query()
        if now > at:
            await query()
        return await asked.say(b"x" * 1500)

    with answering(answer) as url:
        yield Bed(url, peak(11) + f"--timeout 20s -c 250 --rate {round(3000 / ms)}/s {engine(dice)}--get /items --get /prices", truth=Truth(
            lambda all: [("before", between(all, 0, at - 0.2).median, 0.85 * ms, 1.6 * ms), ("after", between(all, at + 1, 9).median, 1.7 * ms, 9 * ms),
                         ("failed", all.failed, 0, 0)], users=9, think=0.05, seconds=8.5))


@cause("a test books a day that has passed by now: 422 for one of three operations", "wrong-request", "always-fails", meaning="an operation is always refused")
def day_that_has_passed(dice: Random) -> Iterator[Bed]:
    day = f"2025-{dice.randint(1, 12):02}-{dice.randint(1, 28):02}"

    async def answer(asked: Asked) -> bool:
        passed = asked.method == "POST" and json.loads(asked.body)["day"] < time.strftime("%Y-%m-%d")
        await (some(3, 9) if passed else some(8, 24))
        return await asked.say(b"that day has passed" if passed else b"x" * 800, 422 if passed else 200)

    def booked(one: str) -> int:
        return said(url, "/bookings", "POST", json.dumps({"day": one}).encode())[0]

    with answering(answer) as url:
        yield Bed(url, peak(8) + f"{modest(dice, (60, 100))}--get /rooms --post /bookings --body '{{\"day\": \"{day}\"}}' --get /prices",
                  probe=lambda: [("passed", booked(day), 422, 422), ("to come", booked("2999-01-01"), 200, 200)])


@cause("a server waits for the body of each DELETE, also of one that has none and says nothing of a length, as a test sends it", "always-fails", "unanswered",
       "never-answered", meaning="an operation is never answered")
def waits_for_a_body(dice: Random) -> Iterator[Bed]:
    async def answer(asked: Asked) -> bool:
        if asked.method == "DELETE" and not asked.body:
            await asyncio.sleep(60)
        await some(8, 24)
        return await asked.say(b"x" * 600)

    def answered(body: bytes) -> bool:
        length = b"Content-Length: %d\r\n" % len(body) if body else b""
        return reply(url, b"DELETE /items/7 HTTP/1.1\r\nHost: a\r\n" + length + b"\r\n" + body, 0.6).startswith(b"HTTP/1.1 200")

    with answering(answer) as url:
        yield Bed(url, peak(9) + f"--timeout 1s -c {dice.randint(16, 28)} --think 40ms..140ms {engine(dice)}--get /items --put /items/7 --body changed "
                  "--delete /items/7", probe=lambda: [("without", answered(b""), 0, 0), ("with", answered(b"{}"), 1, 1)])


@cause("a cart holds 24 things, and those of a test's users have had some from earlier tests: 422 for more and more of them", "growing-failures",
       meaning="more and more fails")
def carts_of_earlier_tests(dice: Random) -> Iterator[Bed]:
    carts: dict[str, int] = {}

    async def answer(asked: Asked) -> bool:
        if asked.method != "POST":
            await some(7, 20)
            return await asked.say(b"x" * 800)
        carts.setdefault(asked.path, random.randrange(24))
        carts[asked.path] += 1
        full = carts[asked.path] > 24
        await (some(4, 10) if full else some(12, 30))
        return await asked.say(b"the cart is full" if full else b"added", 422 if full else 200)

    with answering(answer) as url:
        yield Bed(url, peak(10) + f"-c {dice.randint(26, 36)} {engine(dice)}", plan="""
scenarios:
  - name: shop
    steps:
      - get: /items
      - think: 100ms..260ms
      - post: "/carts/{user}"
        name: POST /carts/USER
        json: {item: 7}
        onFailure: continue
      - think: 100ms..260ms
""", truth=Truth(lambda all: [("first", between(all, 0, 0.3).status(422), 0, 0.4), ("last", between(all, 5, 8).status(422), 0.75, 1),
                              ("others", all.status(200, 422), 1, 1)], method="POST", body=4, paths=tuple(f"/carts/{number}" for number in range(40)),
                 users=10, think=0.04, seconds=7))


# Messages and streams.


@cause("a broker for MQTT takes clients alone whose names begin with that of a shop (clientid_prefixes), and a test's begin otherwise",
       "never-accepted", meaning="no connection is accepted")
def names_of_clients(dice: Random) -> Iterator[Bed]:
    def accepted(name: bytes) -> bool:
        with socket.create_connection(("127.0.0.1", port), timeout=2) as one:
            one.sendall(b"\x10" + bytes([12 + len(name)]) + b"\0\4MQTT\4\2\0\x3c\0" + bytes([len(name)]) + name)
            return one.recv(4) == b"\x20\2\0\0"

    with mosquitto("clientid_prefixes shop-") as port:
        yield Bed(f"mqtt://127.0.0.1:{port}/rooms/{{pair}}", peak(8) + f"--keep-going --timeout 1s -c {dice.randint(6, 14)} --qos {dice.randint(0, 1)} "
                  f"--rate '{dice.randint(20, 50)} messages/s'", probe=lambda: [
                      ("of a test", accepted(b"pair-7"), 0, 0), ("of a shop", accepted(b"shop-7"), 1, 1)])


@contextlib.contextmanager
def far_away(to: int, seconds: float) -> Iterator[int]:
    """The port of what forwards connections, in both directions so many seconds later."""

    async def copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        loop = asyncio.get_running_loop()
        with contextlib.suppress(OSError):
            while data := await reader.read(65_536):
                loop.call_later(seconds, writer.write, data)
        loop.call_later(seconds, writer.close)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection("127.0.0.1", to)
        await asyncio.gather(copy(reader, back), copy(there, writer))

    with faults._listening(serve) as port:  # noqa: SLF001
        yield port


def messages_ms(port: int, number: int) -> float:
    """The ms that so many messages take that are sent at once, with quality of service 1."""
    topic = b"\0\7rooms/9"
    with contextlib.ExitStack() as stack:
        two = [stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=5)) for _ in range(2)]
        for place, one in enumerate(two):
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            one.sendall(b"\x10\x0e\0\4MQTT\4\2\0\0\0\2b" + bytes([48 + place]))
            one.recv(4)
        two[0].sendall(b"\x82\x0c\0\1" + topic + b"\1")
        two[0].recv(5)
        begin = time.monotonic()
        two[1].sendall(b"".join(b"\x32\x10" + topic + (7 + place).to_bytes(2, "big") + b"hello" for place in range(number)))
        got = b""
        while len(got) < 18 * number:
            data = two[0].recv(4096)
            if not data:
                return -1
            for place in range(len(got) // 18, len(got + data) // 18):
                two[0].sendall(b"\x40\2" + (got + data)[18 * place + 11:18 * place + 13])
            got += data
        return (time.monotonic() - begin) * 1000


@cause("a broker for MQTT has one message at a time under way to a receiver (max_inflight_messages), which confirms it 70 to 90 ms later, and the rate rises",
       "ramp-knee", "saturation", "drift", meaning="it can't follow the rising rate")
def one_message_under_way(dice: Random) -> Iterator[Bed]:
    seconds, pairs = pick(dice, 0.035, 0.045), dice.choice((8, 10, 12))
    with mosquitto("max_inflight_messages 1\nset_tcp_nodelay true") as behind, far_away(behind, seconds) as port:
        most = round(1.5 * pairs / (2 * seconds))
        yield Bed(f"mqtt://127.0.0.1:{port}/rooms/{{pair}}", f"--phases 'warmup=1 for 1s at 10/s, peak=1 for 10s at 10/s..{most}/s' --timeout 20s --qos 1 "
                  f"-c {pairs}", probe=lambda: [("one", messages_ms(port, 1), 1800 * seconds, 2000 * seconds + 250),
                                            ("twelve", messages_ms(port, 12), 20_000 * seconds, 30_000 * seconds + 1500)])


@cause("another gateway has ended, and for 2 to 2.6 s all of its users connect to this one, by whose TLS messages of others take 0.11 to 0.16 s more",
       "slow-period", meaning="messages are slow for a while")
def others_connect_here(dice: Random) -> Iterator[Bed]:
    at, length, more, clock = pick(dice, 4.4, 5.4), pick(dice, 2, 2.6), dice.randint(110, 140), Clock()

    async def work() -> None:
        await some(4, 12)
        if at < clock() < at + length:
            await some(more, more + 20)

    def claims() -> list[Claim]:
        before = message_ms(url, 1)
        time.sleep(at + 0.2)
        meanwhile = message_ms(url, 1)
        time.sleep(length)
        return [("before", before, 4, 90), ("meanwhile", meanwhile, more, more + 150), ("after", message_ms(url, 1), 4, 90)]

    with echoing(work) as url:
        yield Bed(f"ws{url[4:]}rooms/{{pair}}", peak(10) + f"--subscribers 0 -c {dice.randint(30, 44)} --rate '{dice.randint(50, 90)} messages/s' "
                  f"{dice.choice(('', '--arrivals poisson '))}", probe=claims)


@cause("a model reads one question at a time, in 26 to 34 ms, before it writes its answers side by side", "saturation", "serial-work", "contention",
       meaning="more users only wait for their turn")
def one_question_is_read_at_a_time(dice: Random) -> Iterator[Bed]:
    low, turn, words = dice.randint(26, 30), asyncio.Lock(), dice.randint(8, 12)

    async def answer(asked: Asked) -> bool:
        begin_stream(asked)
        async with turn:
            await some(low, low + 4)
        for number in range(words):
            await send_event(asked, json.dumps({"choices": [{"index": 0, "delta": {"content": f"word{number} "}}]}))
            await some(8, 14)
        await send_event(asked, "[DONE]")
        return end_stream(asked)

    with answering(answer) as url:
        yield Bed(url, few_and_many(dice, dice.randint(26, 34), "60ms..180ms") + "--post /v1/chat/completions --body question --event-stream openai",
                  truth=Truth(
            lambda all: [("a second", len(all.all) / 6, 700 / (low + 4), 1200 / low), ("median", all.median, 8 * low, 40 * low), ("failed", all.failed, 0, 0)],
            method="POST", body=8, users=24, think=0.1, seconds=6))
