"""
The fourteenth held-out set. Don't read on if you change rules.

No rule was tuned on it. Each kind is an incident of a real service, of a network or of a wrong test whose mechanism the earlier sets
don't have. The ids of a fault are those that an expert would accept as the first finding.
"""

from __future__ import annotations

import asyncio
import base64
import collections
import contextlib
import hashlib
import json
import os
import random
import shutil
import statistics
import subprocess
import tempfile
import threading
import time
import urllib.parse
import zlib
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from random import Random

import behaviours as server
import faults
from asking import Claim, Truth, took
from behaviours import option, rule
from kinds import Bed, cause, clean, engine, peak, pick
from kinds.held_out_eighth import begin_stream, end_stream, say_and_close, send_event
from kinds.held_out_eleventh import Database, apache, postgres
from kinds.held_out_fifth import Clock
from kinds.held_out_fourth import between, inline, puma, sent
from kinds.held_out_ninth import ITEMS_AND_ORDERS, say_ok
from kinds.held_out_second import Asked, answering, some
from kinds.held_out_seventh import said
from kinds.held_out_sixth import frame, reply
from kinds.held_out_tenth import Room, heard, slower_handshakes
from kinds.held_out_third import of_haproxy
from kinds.held_out_thirteenth import few_and_many, open_model
from kinds.held_out_twelfth import figure, modest, ms_of, switched

EC = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1"

# Databases and stores.


@cause("every 1.7 to 2.2 s a materialized view is refreshed, in 0.34 to 0.44 s, and whoever reads it waits for that", "periodic-stalls",
       meaning="an operation waits at even distances")
def view_is_refreshed(dice: Random) -> Iterator[Bed]:
    period, length = pick(dice, 1.7, 2.2), pick(dice, 0.34, 0.44)
    tasks: set[asyncio.Task] = set()
    with postgres(f"create materialized view figures as select 7 as value from pg_sleep({length})") as port:
        database, other = Database(port), Database(port, 1)

        async def refresh() -> None:
            begin = time.monotonic()
            for count in range(1, 100):
                await asyncio.sleep(begin + count * period - time.monotonic())
                await other.ask("refresh materialized view figures")

        async def answer(asked: Asked) -> bool:
            if not tasks:
                tasks.add(asyncio.create_task(refresh()))
            failed = await database.ask("select value from figures" if asked.path == "/figures" else "select 1")
            await some(6, 18)
            return await asked.say(failed.encode() or b"x" * 500, 500 if failed else 200)

        with answering(answer) as url:
            yield Bed(url, peak(10) + f"{open_model(dice, 120, dice.randint(60, 90))}--get /figures --get /items", truth=Truth(
                lambda all: [("longest", all.of("/figures").slowest, 600 * length, 1300 * length + 100), ("median", all.of("/figures").median, 6, 45),
                             ("items", all.of("/items").slower(150), 0, 0.02), ("failed", all.failed, 0, 0)], paths=("/figures", "/items"), users=6, seconds=6))


@cause("one shop in nine has most of the orders, and a list of its own takes 0.3 to 0.4 s", "two-speeds", meaning="a share is slower by the same time")
def big_tenants(dice: Random) -> Iterator[Bed]:
    slow = dice.randint(300, 370)

    async def answer(asked: Asked) -> bool:
        big = int(asked.path.split("/")[2]) % 9 == 4
        await (some(slow, slow + 35) if big else some(8, 26))
        return await asked.say(b"x" * (4000 if big else 900))

    with answering(answer) as url:
        yield Bed(url, peak(9) + f"-c 80 --rate '{dice.randint(70, 120)} journeys/s' {engine(dice)}", plan="""
scenarios:
  - name: look
    steps:
      - get: "/shops/{random:1..90}/orders"
        name: GET /shops/NUMBER/orders
""", truth=Truth(lambda all: [("big", all.of("/shops/13/orders").median, slow, slow + 80), ("others", all.of("/shops/14/orders").median, 8, 60),
                              ("failed", all.failed, 0, 0)], paths=("/shops/13/orders", "/shops/14/orders", "/shops/15/orders")))


@cause("the password of a database is changed, and each of a service's twelve processes keeps its connection until that is old, then can't make another"
       " one: 500 for more and more", "growing-failures", meaning="more and more fails")
def password_is_changed(dice: Random) -> Iterator[Bed]:
    at, clock = pick(dice, 3.2, 4), Clock()
    ends = [at + 0.55 * number for number in range(10)] + [60, 60]

    async def answer(asked: Asked) -> bool:
        refused = clock() > random.choice(ends)
        await (some(20, 35) if refused else some(8, 26))
        return await asked.say(b"password authentication failed" if refused else b"x" * 800, 500 if refused else 200)

    with answering(answer) as url:
        yield Bed(url, peak(10) + modest(dice, (70, 120)) + ITEMS_AND_ORDERS, truth=Truth(
            lambda all: [("before", between(all, 0, at - 0.1).failed, 0, 0), ("at first", between(all, at + 0.3, at + 1.5).failed, 0.05, 0.35),
                         ("later", between(all, at + 3, at + 4.2).failed, 0.35, 0.75), ("at last", between(all, at + 5.1, 12).failed, 0.65, 0.98)],
            seconds=10))


@cause("all users of a test belong to one tenant, of which a service changes one thing at a time (pg_advisory_xact_lock), in 10 to 14 ms; lists need no lock",
       "saturation", "serial-work", "contention", meaning="more users only wait for the lock")
def all_users_of_one_tenant(dice: Random) -> Iterator[Bed]:
    ms = dice.randint(10, 14)
    with postgres("create table things (id int, name text)", "insert into things select n, 'name' from generate_series(1, 50) n") as port:
        database = Database(port, 80)

        async def answer(asked: Asked) -> bool:
            if asked.method == "GET":
                failed = await database.ask("select name from things where id = 7")
                await some(6, 16)
            else:
                failed = await database.ask("begin; select pg_advisory_xact_lock(7)", "commit", pause=ms)
            return await asked.say(failed.encode(), 500 if failed else 200)

        with answering(answer) as url:
            yield Bed(url, f"{few_and_many(dice, dice.randint(26, 34), '40ms..90ms')}--get /things --post /changes --body new", truth=Truth(
                lambda all: [("a second", len(all.all) / 4, 450 / ms, 1050 / ms), ("median", all.median, 6 * ms, 30 * ms), ("failed", all.failed, 0, 0)],
                method="POST", body=3, users=12, think=0))


@cause("a store has to tidy up for 2 to 2.5 s, and slows what is written down to 22 to 27 a second meanwhile, of 40 or more; reads go on", "slow-period",
       "saturation", meaning="writes are slow for a while")
def writes_are_slowed_down(dice: Random) -> Iterator[Bed]:
    at, length, most, clock, free = pick(dice, 4.2, 5.2), pick(dice, 2, 2.5), dice.randint(22, 27), Clock(), 0.0

    async def answer(asked: Asked) -> bool:
        nonlocal free
        now = clock()
        if asked.method == "POST" and at < now < at + length:
            free = max(free, now) + 1 / most
            await asyncio.sleep(min(free, at + length) - now)
        await some(8, 24)
        return await asked.say(b"x" * 500)

    with answering(answer) as url:
        yield Bed(url, peak(9) + f"{open_model(dice, 150, dice.randint(84, 110))}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("before", between(all, 0, at - 0.1).slower(120), 0, 0.02), ("meanwhile", between(all, at + 0.5, at + length - 0.4).median, 100, 700),
                         ("after", between(all, at + length + 0.1, 9).slower(120), 0, 0.02), ("failed", all.failed, 0, 0)],
            method="POST", body=5, users=8, think=0.05, seconds=8.5))


@cause("files are spread over six disks by their names, and one disk after another is full: 507 for more and more of them", "growing-failures",
       meaning="more and more fails")
def disks_are_full_in_turn(dice: Random) -> Iterator[Bed]:
    rate = dice.randint(50, 80)
    room = [round(rate / 6 * seconds) for seconds in (2.6, 4.1, 5.4, 6.7, 8, 60)]
    dice.shuffle(room)

    async def answer(asked: Asked) -> bool:
        await some(12, 32)
        if asked.method == "GET":
            return await asked.say()
        disk = zlib.crc32(asked.path.encode()) % 6
        room[disk] -= 1
        return await (asked.say(b"no space left on device", 507) if room[disk] < 0 else asked.say(b"stored", 201))

    def claims() -> list[Claim]:
        found = [said(url, f"/files/{number}", "PUT", b"text")[0] for number in range(round(rate * 7))]
        parts = [found[:rate], found[3 * rate:4 * rate], found[-rate:]]
        return [(name, part.count(507) / rate, least, most) for part, (name, least, most) in
                zip(parts, (("first", 0, 0), ("middle", 0.05, 0.4), ("last", 0.4, 0.85)))]

    with answering(answer) as url:
        yield Bed(url, peak(9) + f"-c 60 --rate '{rate} journeys/s' {engine(dice)}", plan="""
scenarios:
  - name: store
    steps:
      - put: "/files/{user}-{iteration}"
        name: PUT /files/NAME
        json: {text: "{uuid}"}
        checks: status=201
""", probe=claims)


@cause("a search ends after 0.38 to 0.44 s with what has been found until then, and says so (200, timedOut), which one in 9 to 15 does; a test wants all",
       "gives-up", "steady-failures", meaning="something gives up slow requests")
def searches_end_with_a_part(dice: Random) -> Iterator[Bed]:
    limit, mean = dice.randint(380, 440), dice.randint(135, 160)

    async def answer(asked: Asked) -> bool:
        if asked.path != "/search":
            await some(6, 18)
            return await asked.say(b"x" * 600)
        ms = 20 + random.expovariate(1 / mean)
        await asyncio.sleep(min(ms, limit) / 1000)
        return await asked.say(json.dumps({"timedOut": ms > limit, "found": random.randint(1, 9)}).encode())

    def claims() -> list[Claim]:
        parts = [json.loads(said(url, "/search")[1])["timedOut"] for _ in range(50)]
        return [("in part", sum(parts) / 50, 0.005, 0.25), ("items", said(url, "/items")[0], 200, 200),
                ("longest", max(ms for _, ms in sent(url, 60, "/search")), limit - 60, limit + 200)]

    with answering(answer) as url:
        yield Bed(url, peak(9) + f"-c {dice.randint(16, 26)} {engine(dice)}", plan="""
scenarios:
  - name: search
    steps:
      - get: /items
      - think: 30ms..90ms
      - get: /search
        checks: json:/timedOut=false
      - think: 30ms..90ms
""", probe=claims)


@cause("a service asks a server of log-ins by UDP, where 6 to 10 % of the questions get lost, and asks again 0.7 to 0.9 s later", "two-speeds",
       meaning="a share is slower by the same time")
def questions_by_radius(dice: Random) -> Iterator[Bed]:
    share, wait = pick(dice, 0.06, 0.1), dice.randint(700, 900)
    with dice.choice((server.go, server.node, server.java))(
            rule(path="/login", share=share, ms=(wait, wait + 8)), rule(path="/login", ms=(14, 34)), rule(ms=(6, 20), bytes=900)) as url:
        yield Bed(url, peak(10) + f"{open_model(dice, 120, dice.randint(70, 110))}--get /items --post /login --body secret", truth=Truth(
            lambda all: [("slow", all.slower(wait), 0.3 * share, 2 * share), ("between", all.share(lambda one: 150 < one.ms < wait), 0, 0.02),
                         ("failed", all.failed, 0, 0)], paths=("/login",), users=20, seconds=5))


# Processes.

PILES_UP = """
import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;

class PilesUp {
    static final LinkedBlockingQueue<byte[]> QUEUE = new LinkedBlockingQueue<>();
    static volatile Object last;

    public static void main(String[] arguments) throws Exception {
        int each = Integer.parseInt(arguments[1]);
        int most = Integer.parseInt(arguments[2]);
        int pause = Integer.parseInt(arguments[3]);
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 1024);
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            for (int number = 0; number < 4; number++) {
                last = new byte[10_000];
            }
            if (QUEUE.size() < most) {
                QUEUE.add(new byte[each]);
            }
            try {
                Thread.sleep(ThreadLocalRandom.current().nextInt(9, 18));
            } catch (InterruptedException end) {
                return;
            }
            exchange.sendResponseHeaders(200, 2);
            exchange.getResponseBody().write(new byte[] {'o', 'k'});
            exchange.close();
        });
        HttpServer figures = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(arguments[0])), 16);
        figures.createContext("/metrics", exchange -> {
            Runtime runtime = Runtime.getRuntime();
            byte[] text = ("jvm_memory_bytes_used{area=\\"heap\\"} " + (runtime.totalMemory() - runtime.freeMemory()) + "\\n").getBytes();
            exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4");
            exchange.sendResponseHeaders(200, text.length);
            exchange.getResponseBody().write(text);
            exchange.close();
        });
        server.start();
        figures.start();
        System.out.println("http://127.0.0.1:" + server.getAddress().getPort() + "/");
        while (pause > 0) {
            Thread.sleep(pause);
            QUEUE.poll();
        }
    }
}
"""


@contextlib.contextmanager
def piling_up(each: int, most: int = 1_000_000, pause: int = 0) -> Iterator[tuple[str, str]]:
    """The addresses of a Java server that keeps so many bytes of each of the first requests, and of its figures; it lets one go each pause (ms)."""
    port = faults.free_port()
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "PilesUp.java")
        source.write_text(PILES_UP)
        with faults.java("-Xms256m", "-Xmx256m", "-Xmn6m", "-XX:+UseSerialGC", "-Dsun.net.httpserver.nodelay=true", str(source),
                         *map(str, (port, each, most, pause))) as url:
            yield url, f"http://127.0.0.1:{port}/metrics"


@cause("the events of an audit wait in a queue without a limit, and are stored more slowly than they come: 22 to 30 a second of 90 or more, 60 to 80 kB each;"
       " a test reads the heap", "heap-growth", meaning="it keeps more and more memory")
def audit_piles_up(dice: Random) -> Iterator[Bed]:
    each, pause = dice.randint(60, 80) * 1000, round(1000 / dice.randint(22, 30))
    with piling_up(each, pause=pause) as (url, figures):
        def claims() -> list[Claim]:
            heaps = []
            for _ in range(3):
                for _ in range(10):
                    sent(url, 40)
                heaps.append(figure(figures, "jvm_memory"))
            return [("more", heaps[1] - heaps[0], 200 * each, 700 * each), ("and more", heaps[2] - heaps[1], 200 * each, 700 * each)]

        yield Bed(url, peak(10, 2) + f"-c 60 --rate {dice.randint(90, 115)}/s --server-metrics {figures} {engine(dice)}{ITEMS_AND_ORDERS}", probe=claims)


@cause("twice a server reads the certificates of all its customers again, for 0.8 to 1.1 s in which it does nothing else", "standstill",
       meaning="all requests wait for a while")
def certificates_are_read_again(dice: Random) -> Iterator[Bed]:
    times, length, clock = (pick(dice, 3.2, 4.2), pick(dice, 6.8, 8)), pick(dice, 0.8, 1.1), Clock()
    tasks: set[asyncio.Task] = set()

    async def read() -> None:
        for at in times:
            await asyncio.sleep(at - clock())
            # The whole loop stands still.
            time.sleep(length)

    async def answer(asked: Asked) -> bool:
        clock()
        if not tasks:
            tasks.add(asyncio.create_task(read()))
        await some(8, 24)
        return await asked.say(b"x" * 900)

    with answering(answer) as url:
        yield Bed(url, peak(10) + f"{open_model(dice, 160, dice.randint(60, 100))}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("before", between(all, 0, times[0] - 0.3).slower(150), 0, 0.02),
                         ("first", between(all, times[0] - 0.2, times[0] + 0.3).slowest, 800 * length, 1200 * length),
                         ("second", between(all, times[1] - 0.2, times[1] + 0.3).slowest, 800 * length, 1200 * length),
                         ("failed", all.failed, 0, 0)], seconds=9.5))


@cause("a domain's server is asked who a user is with the first request of each connection, in 0.22 to 0.3 s, and a connection is good for 8 to 12 requests",
       "slow-first-request", "two-speeds", "keep-alive-limit", meaning="the first request of a connection is slow")
def domain_is_asked(dice: Random) -> Iterator[Bed]:
    more, most = dice.randint(220, 280), dice.randint(8, 12)

    async def answer(asked: Asked) -> bool:
        if asked.nth == 1:
            await some(more, more + 20)
        await some(8, 22)
        return await (asked.say(b"x" * 700) if asked.nth < most else say_and_close(asked))

    with answering(answer) as url:
        yield Bed(url, peak(9) + f"-c {dice.randint(14, 24)} --think 50ms..150ms {engine(dice)}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("first", min(one.ms for one in all.all if one.nth == 1), more, more + 90),
                         ("later", all.share(lambda one: one.nth > 1 and one.ms > 110), 0, 0.01), ("failed", all.failed, 0, 0)], think=0.05))


WATCHED = """
const [, , port, start, asked] = process.argv;
const server = require('node:http').createServer((request, response) => {
    require('node:fs').writeFileSync(asked, '');
    request.resume().on('end', () => setTimeout(
        () => response.writeHead(200, {'Content-Length': 2}).end('ok'), request.method === 'POST' ? 14 + 22 * Math.random() : 6 + 14 * Math.random()));
});
setTimeout(() => server.listen({port: Number(port), host: '127.0.0.1', backlog: 1024}), Number(start));
"""


@cause("Node runs as for development (--watch), and begins anew twice, as a job writes into its folder: it needs 0.5 to 0.8 s to start", "restarts", "outage",
       meaning="short bursts of failures")
def watched_by_node(dice: Random) -> Iterator[Bed]:
    times, start, port, over = (pick(dice, 3.8, 4.6), pick(dice, 7.2, 8.2)), dice.randint(450, 700), faults.free_port(), threading.Event()
    if shutil.which("node") is None:
        raise faults.Impossible("no node")
    with tempfile.TemporaryDirectory() as folder:
        program, asked = Path(folder, "server.cjs"), Path(folder, "asked")
        program.write_text(WATCHED)

        def write() -> None:
            # It has been asked once when the file is there.
            while not asked.exists() and not over.wait(0.02):
                pass
            begin = time.monotonic()
            for at in times:
                if not over.wait(begin + at - time.monotonic()):
                    program.write_text(WATCHED + f"// A job was here after {at} s.\n")

        command = ["node", "--watch", str(program), str(port), str(start), str(asked)]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            job = threading.Thread(target=write)
            try:
                faults.wait_for(port)
                job.start()
                yield Bed(f"http://127.0.0.1:{port}/", peak(9) + f"{modest(dice, (60, 110))}{ITEMS_AND_ORDERS}", truth=Truth(
                    lambda all: [("before", between(all, 0, times[0] - 0.3).failed, 0, 0), ("lost", len(all.all) * all.failed, 5, 400),
                                 ("between", between(all, times[0] + 1.6, times[1] - 0.3).failed, 0, 0),
                                 ("after", between(all, times[1] + 1.6, 12).failed, 0, 0)], seconds=10.5))
            finally:
                over.set()
                process.terminate()
                if job.ident:
                    job.join()


@cause("a user's session gets longer with each page, and is read and written as a whole: 1.3 to 1.8 ms more for each page so far", "drift",
       meaning="it gets slower and slower")
def sessions_grow(dice: Random) -> Iterator[Bed]:
    each = pick(dice, 1.3, 1.8)
    pages: dict[str, int] = collections.Counter()

    async def answer(asked: Asked) -> bool:
        user = asked.path.split("/")[2]
        pages[user] += 1
        await some(8 + each * pages[user], 16 + each * pages[user])
        return await asked.say(b"x" * 1500)

    def claims() -> list[Claim]:
        first = ms_of(url, "/users/1/items", 3)
        for _ in range(40):
            said(url, "/users/1/items")
        return [("first", first, 8, 50), ("later", ms_of(url, "/users/1/items", 3), 8 + 42 * each, 60 + 46 * each),
                ("other", ms_of(url, "/users/2/items", 3), 8, 50)]

    with answering(answer) as url:
        yield Bed(url, peak(10) + f"-c {dice.randint(14, 22)} {engine(dice)}", plan="""
scenarios:
  - name: look
    steps:
      - get: "/users/{user}/items"
        name: GET items
      - think: 40ms..110ms
      - get: "/users/{user}/cart"
        name: GET cart
      - think: 40ms..110ms
""", probe=claims)


@cause("a stream of events holds one of a service's 6 to 8 processes while it is open, for 0.5 to 0.9 s, and pages need one, too", "saturation", "serial-work",
       "contention", meaning="more users only wait for a process")
def streams_hold_processes(dice: Random) -> Iterator[Bed]:
    processes = asyncio.Semaphore(number := dice.randint(6, 8))

    async def answer(asked: Asked) -> bool:
        async with processes:
            if asked.path != "/events":
                await some(10, 25)
                return await asked.say(b"x" * 700)
            begin_stream(asked)
            for event in range(6):
                await some(85, 150)
                await send_event(asked, json.dumps({"event": event}))
            return end_stream(asked)

    with answering(answer) as url:
        yield Bed(url, f"{few_and_many(dice, dice.randint(28, 34), '40ms..120ms')}--get /items --get /events --event-stream events", truth=Truth(
            lambda all: [("a second", len(all.all) / 6, 1.1 * number, 1.9 * number), ("median", all.median, 1000, 3500), ("failed", all.failed, 0, 0)],
            paths=("/events",), users=20, think=0, seconds=6))


@cause("a service turns away what has waited for 70 to 90 ms for one of its five places: 503 for a half under load", "load-shedding", "failures-with-load",
       "saturation", meaning="it turns away what is too much")
def shed_when_it_waited(dice: Random) -> Iterator[Bed]:
    ms, most, places = dice.randint(36, 44), dice.randint(70, 90), asyncio.Semaphore(5)

    async def answer(asked: Asked) -> bool:
        begin = time.monotonic()
        async with places:
            late = time.monotonic() - begin > most / 1000
            if not late:
                await some(ms - 6, ms + 6)
        return await (asked.say(b"overloaded", 503) if late else asked.say(b"x" * 600))

    with answering(answer) as url:
        yield Bed(url, f"{few_and_many(dice, dice.randint(38, 44), '50ms..110ms')}{ITEMS_AND_ORDERS}", probe=lambda: [
            ("few", [status for status, _ in sent(url, 4)].count(503), 0, 0), ("many", [status for status, _ in sent(url, 40)].count(503), 12, 34),
            ("median", statistics.median(ms for status, ms in sent(url, 40) if status == 200), ms, most + 120)])


# Proxies and protocols.


@cause("nginx has looked its upstream up when it started, and that is somewhere else from the middle on: 502 for everything", "bad-gateway", "outage",
       meaning="a proxy reaches nothing from then on")
def upstream_has_moved(dice: Random) -> Iterator[Bed]:
    at = dice.randint(4200, 5600)
    with server.go(option(down=(at, 60_000)), rule(method="POST", ms=(14, 36)), rule(ms=(7, 22), bytes=1200)) as behind, faults.nginx(
            f"upstream one {{ server {behind[7:-1]} max_fails=0; keepalive 64; }}",
            'location / { proxy_http_version 1.1; proxy_set_header Connection ""; proxy_pass http://one; }') as url:
        yield Bed(url, peak(9) + f"{modest(dice, (60, 110))}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("before", between(all, 0, at / 1000 - 0.3).failed, 0, 0), ("after", between(all, at / 1000 + 0.3, 9).status(502), 1, 1)], seconds=8))


@contextlib.contextmanager
def with_figures(low: float, high: float) -> Iterator[str]:
    """The address of an instance whose answers take so many ms, and that counts them as Micrometer does."""
    count, total = 0, 0.0

    async def answer(asked: Asked) -> bool:
        nonlocal count, total
        if asked.path == "/metrics":
            labels = '{method="GET",status="200",uri="/items"}'
            text = f"http_server_requests_seconds_count{labels} {count}\nhttp_server_requests_seconds_sum{labels} {total:.6f}\n".encode()
            asked.writer.write(f"HTTP/1.1 200 OK\r\nContent-Type: text/plain; version=0.0.4\r\nContent-Length: {len(text)}\r\n\r\n".encode() + text)
            return True
        begin = time.monotonic()
        await some(low, high)
        count, total = count + 1, total + time.monotonic() - begin
        return await asked.say(b"x" * 800)

    with answering(answer) as url:
        yield url


@cause("one of three instances has lost its local cache and asks another region, 90 to 120 ms more, and a test reads the figures of all three", "slow-instance",
       "two-speeds", meaning="one instance is slow")
def one_without_its_cache(dice: Random) -> Iterator[Bed]:
    more, slow = dice.randint(90, 110), dice.randrange(3)
    with contextlib.ExitStack() as running:
        three = [running.enter_context(with_figures(*((more + 10, more + 26) if place == slow else (8, 22)))) for place in range(3)]
        url = running.enter_context(of_haproxy(*three))
        pages = " ".join(f"--server-metrics {name}={one}metrics" for name, one in zip(("north", "east", "west"), three))
        yield Bed(url, peak(9) + f"{open_model(dice, 60, dice.randint(80, 130))}{pages} --get /items --get /prices", truth=Truth(
            lambda all: [("slow", all.slower(more), 0.2, 0.5), ("between", all.share(lambda one: 60 < one.ms < more), 0, 0.03), ("failed", all.failed, 0, 0)],
            paths=("/items",)))


@cause("reports of 0.16 to 0.22 s fill the five places of HAProxy's only server, and pages wait in its queue, which a test reads", "proxy-queue", "saturation",
       meaning="requests wait in the proxy")
def reports_fill_the_places(dice: Random) -> Iterator[Bed]:
    ms = dice.randint(160, 200)
    with server.go(rule(path="/reports", ms=(ms, ms + 20), bytes=3000), rule(ms=(8, 20), bytes=700)) as behind, server.haproxy(
            "frontend all\n  bind LISTEN\n  http-request use-service prometheus-exporter if { path /metrics }\n  default_backend one\n"
            f"backend one\n  server one {behind[7:-1]} maxconn 5") as url:
        yield Bed(url, peak(9) + f"-c {dice.randint(26, 34)} --think 40ms..100ms --server-metrics /metrics {engine(dice)}--get /items --get /reports",
                  probe=lambda: [("alone", ms_of(url, "/items"), 8, 60), ("with 20 reports", max(ms for _, ms in sent(url, 20, "/reports")), 3.3 * ms, 6 * ms)])


@cause("nginx ends connections that are 0.3 to 0.4 s old, and says so, on a way of 60 to 72 ms with TLS", "keep-alive-limit", "tls-handshakes",
       meaning="connections are made again and again")
def young_connections(dice: Random) -> Iterator[Bed]:
    seconds, most, port = pick(dice, 0.03, 0.036), dice.randint(300, 400), faults.free_port()
    with faults.network() as inside, faults.delays(inside, lambda: seconds) as address, \
            server.go(rule(method="POST", ms=(14, 36)), rule(ms=(6, 18), bytes=900), under=inside) as behind, faults.nginx(
                f"keepalive_time {most}ms; upstream one {{ server {behind[7:-1]}; keepalive 64; }}",
                f'listen 10.99.0.1:{port} ssl; location / {{ proxy_http_version 1.1; proxy_set_header Connection ""; proxy_pass http://one; }}',
                tls=EC, under=inside):
        yield Bed(f"https://{address}:{port}/", peak(9, 2) + f"-k -c {dice.randint(14, 24)} --think 20ms..60ms {engine(dice)}{ITEMS_AND_ORDERS}", inside,
                  truth=Truth(lambda all: [("of a connection", len(all.all) / len(all.connects), 2, 6), ("failed", all.failed, 0, 0),
                                           ("connect", all.connect_median, 2500 * seconds, 8000 * seconds)]))


@cause("above 60 to 80 requests a second a firewall for applications answers 202 and a challenge for browsers, and a test wants 200", "rate-limit",
       "steady-failures", meaning="a rate limit")
def challenge_for_browsers(dice: Random) -> Iterator[Bed]:
    limit = dice.randint(60, 80)
    level, before = 8.0, 0.0

    async def answer(asked: Asked) -> bool:
        nonlocal level, before
        now = time.monotonic()
        level, before = min(8.0, level + (now - before) * limit), now
        if level < 1:
            await some(1, 4)
            asked.writer.write(b"HTTP/1.1 202 Accepted\r\nx-amzn-waf-action: challenge\r\nContent-Length: 0\r\n\r\n")
            return True
        level -= 1
        await some(10, 28)
        return await asked.say(b"x" * 1200)

    with answering(answer) as url:
        yield Bed(url, peak(8) + f"{open_model(dice, 60, limit * pick(dice, 1.4, 1.8))}--expect status=200 --get /items --get /prices", truth=Truth(
            lambda all: [("a second", len(all.all) * all.status(200) / 4, 0.85 * limit, 1.15 * limit), ("202", all.status(202), 0.1, 0.95)], users=16))


@cause("an API lets a user ask for 7 to 9 things at a time, and says 403 (secondary rate limit) for more, which many users of a test do together",
       "failures-with-load", "rate-limit", meaning="it refuses what is too much at a time")
def too_many_at_a_time(dice: Random) -> Iterator[Bed]:
    most, under_way = dice.randint(7, 9), 0

    async def answer(asked: Asked) -> bool:
        nonlocal under_way
        if under_way >= most:
            await some(2, 6)
            asked.writer.write(b"HTTP/1.1 403 Forbidden\r\nRetry-After: 60\r\nContent-Length: 20\r\n\r\nsecondary rate limit")
            return True
        under_way += 1
        await some(40, 80)
        under_way -= 1
        return await asked.say(b"x" * 1500)

    with answering(answer) as url:
        yield Bed(url, f"{few_and_many(dice, dice.randint(26, 34), '70ms..150ms')}--get /repositories --get /issues", probe=lambda: [
            ("few", [status for status, _ in sent(url, 4)].count(403), 0, 0), ("many", [status for status, _ in sent(url, 24)].count(403), 8, 24 - most)])


@cause("a server makes one TLS handshake at a time, in 15 to 19 ms, each request makes a connection, and their rate rises above that", "ramp-knee",
       "tls-handshakes", "saturation", meaning="it can't follow the rising rate")
def handshakes_under_a_ramp(dice: Random) -> Iterator[Bed]:
    each, free = pick(dice, 0.015, 0.019), 0.0

    def turn() -> float:
        nonlocal free
        free = max(free, time.monotonic()) + each
        return free - time.monotonic()

    with server.go(option(tls=1), rule(ms=(6, 18))) as behind, slower_handshakes(server.port(behind), turn) as port:
        yield Bed(f"https://127.0.0.1:{port}/", f"--phases 'warmup=1 for 1s at 10/s, peak=1 for 11s at 10/s..{round(1.6 / each)}/s' -k -H Connection:close "
                  f"--connect-timeout 20s --timeout 20s -c 250 {engine(dice)}--get /items --get /prices", truth=Truth(
            lambda all: [("a second", len(all.all) / 4, 0.6 / each, 1.1 / each), ("connect", all.connect_median, 4000 * each, 20_000 * each),
                         ("failed", all.failed, 0, 0)], close=True, users=12, think=0))


@cause("one of nine files was copied in half to a server that knows its whole length", "truncated-bodies", "steady-failures",
       meaning="some bodies end in the middle")
def file_copied_in_half(dice: Random) -> Iterator[Bed]:
    sizes = [dice.randint(30, 80) * 1000 for _ in range(9)]
    half = dice.randrange(9)

    async def answer(asked: Asked) -> bool:
        await some(8, 24)
        if not asked.path.startswith("/files/"):
            return await asked.say(b"x" * 500)
        number = int(asked.path.split("/")[2]) - 1
        if number != half:
            return await asked.say(b"x" * sizes[number])
        asked.writer.write(f"HTTP/1.1 200 OK\r\nContent-Length: {sizes[number]}\r\n\r\n".encode() + b"x" * (sizes[number] // 2))
        await asked.writer.drain()
        return False

    with answering(answer) as url:
        yield Bed(url, peak(8) + f"-c {dice.randint(12, 22)} {engine(dice)}", plan="""
scenarios:
  - name: download
    steps:
      - get: /files
      - think: 40ms..120ms
      - get: "/files/{random:1..9}"
        name: GET /files/NUMBER
      - think: 40ms..120ms
""", truth=Truth(lambda all: [("half", all.of(f"/files/{half + 1}").failed, 1, 1), ("all", all.failed, 1 / 9 - 0.03, 1 / 9 + 0.03)],
                 paths=tuple(f"/files/{number}" for number in range(1, 10)), users=9))


@contextlib.contextmanager
def allowing_streams(answer: Callable[[asyncio.StreamWriter, int], Awaitable[None]], *numbers: tuple[float, int]) -> Iterator[str]:
    """The address of a server for HTTP/2 without TLS that answers each stream by a function, and allows so many streams of a connection from a time (s) on."""
    clock = Clock()

    async def allow(writer: asyncio.StreamWriter) -> None:
        for at, number in numbers[1:]:
            await asyncio.sleep(max(0.0, at - clock()))
            writer.write(frame(4, 0, 0, b"\0\3" + number.to_bytes(4, "big")))

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        clock()
        # It is the first frame of a connection.
        writer.write(frame(4, 0, 0, b"\0\3" + numbers[0][1].to_bytes(4, "big")))
        tasks = {asyncio.create_task(allow(writer))}
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            await reader.readexactly(24)
            while not writer.is_closing():
                head = await reader.readexactly(9)
                payload = await reader.readexactly(int.from_bytes(head[:3], "big"))
                kind, flags, stream = head[3], head[4], int.from_bytes(head[5:], "big")
                if kind in (4, 6) and not flags & 1:
                    writer.write(frame(kind, 1, 0, payload if kind == 6 else b""))
                if kind in (0, 1) and flags & 1:
                    tasks.add(asyncio.create_task(answer(writer, stream)))
        writer.close()

    with faults._listening(serve) as port:  # noqa: SLF001
        yield f"http://127.0.0.1:{port}/"


def allowed(url: str, seconds: float) -> int:
    """The streams that a server allows a connection at last, after so many seconds."""
    got = reply(url, b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(4, 0, 0), seconds)
    return int.from_bytes(got[got.rindex(b"\0\3\0\0") + 2:][:4], "big")


@cause("a new configuration lets a connection have one or two streams at a time from the middle on, in place of 100, and six users share one", "stream-limit",
       "drift", meaning="requests wait for a stream")
def streams_are_reduced(dice: Random) -> Iterator[Bed]:
    at, number = pick(dice, 3.8, 4.8), dice.choice((1, 2))

    async def answer(writer: asyncio.StreamWriter, stream: int) -> None:
        await some(28, 52)
        say_ok(writer, stream)

    with allowing_streams(answer, (0, 100), (at, number)) as url:
        yield Bed(url, peak(9) + f"--engine events --http2 --streams 6 -c {dice.choice((18, 24, 30))} --think 10ms..40ms --get /items --get /prices",
                  probe=lambda: [("first", allowed(url, 0.5), 100, 100), ("later", allowed(url, at + 0.3), number, number)])


# Wrong tests.


@cause("the field Host of a test's requests isn't the name of its connections' TLS (SNI), and HAProxy answers 421", "wrong-request", "always-fails",
       meaning="each request is wrong")
def misdirected(dice: Random) -> Iterator[Bed]:
    with tempfile.TemporaryDirectory() as folder, server.go(rule(ms=(5, 14))) as behind:
        key, cert = server.certificate(folder)
        both = Path(folder, "both.pem")
        both.write_text(Path(cert).read_text() + Path(key).read_text())
        with server.haproxy(f"listen all\n  bind LISTEN ssl crt {both}\n  http-request set-var(txn.host) req.hdr(host),field(1,:)\n"
                            "  http-request return status 421 content-type text/plain string misdirected unless { ssl_fc_sni,strcmp(txn.host) eq 0 }\n"
                            f"  server one {behind[7:-1]}") as there:
            port = server.port(there)
            curl = ("curl", "-skf", "--resolve", f"www.shop.example:{port}:127.0.0.1", f"https://www.shop.example:{port}/")
            yield Bed(f"https://www.shop.example:{port}/", peak(4) + f"-k --resolve www.shop.example:{port}:127.0.0.1 -H 'Host: shop.example' "
                      f"{modest(dice, (60, 100))}{ITEMS_AND_ORDERS}", probe=lambda: [
                ("another name", took([], *curl, "-H", "Host: shop.example"), -1, -1), ("the same name", took([], *curl), 0, 3000)])


@cause("a service only changes what a request says the version of (If-Match), which a test doesn't: 428 for one of three operations", "wrong-request",
       "always-fails", meaning="an operation always fails")
def change_without_a_condition(dice: Random) -> Iterator[Bed]:
    with dice.choice((server.go, server.node))(rule(ms=(6, 20), bytes=700)) as behind, server.haproxy(
            "listen all\n  bind LISTEN\n  http-request return status 428 content-type text/plain string if-match "
            f"if METH_PUT !{{ req.hdr(if-match) -m found }}\n  server one {behind[7:-1]}") as url:
        curl = ("curl", "-sf", "-X", "PUT", "-d", "x", f"{url}settings")
        yield Bed(url, peak(6) + f"{modest(dice, (70, 120))}--get /items --get /settings --put /settings --body new", probe=lambda: [
            ("without", took([], *curl), -1, -1), ("with", took([], *curl, "-H", 'If-Match: "1"'), 0, 3000), ("items", took([], "curl", "-sf", url), 0, 3000)])


@cause("a key has a plus, which a test doesn't encode, so a service reads a space: 401 for one of three operations", "credentials",
       meaning="the server wants credentials")
def plus_in_a_key(dice: Random) -> Iterator[Bed]:
    key = f"{dice.randrange(10_000, 99_999)}+{dice.randrange(10_000, 99_999)}"

    async def answer(asked: Asked) -> bool:
        parts = urllib.parse.urlsplit(asked.path)
        if parts.path == "/account" and urllib.parse.parse_qs(parts.query).get("key") != [key]:
            await some(2, 6)
            return await asked.say(b"unknown key", 401)
        await some(8, 22)
        return await asked.say(b"x" * 600)

    with answering(answer) as url:
        yield Bed(url, peak(6) + f"{modest(dice, (60, 110))}--get /items --get /account?key={key} --get /prices", probe=lambda: [
            ("as it is", said(url, f"/account?key={key}")[0], 401, 401), ("encoded", said(url, f"/account?key={key.replace('+', '%2B')}")[0], 200, 200)])


LANGUAGES = """
process.stdin.on('end', () => process.exit(0)).resume();
const server = require('node:http').createServer((request, response) => request.resume().on('end', () => setTimeout(() => {
    const english = (request.headers['accept-language'] ?? '').startsWith('en');
    const text = '<p>' + (english ? 'In stock' : 'Auf Lager') + '</p>' + '<p>7</p>'.repeat(200);
    response.writeHead(200, {'Content-Type': 'text/html', 'Content-Length': text.length}).end(text);
}, 6 + 16 * Math.random())));
server.listen({port: 0, host: '127.0.0.1', backlog: 1024}, () => console.log(`http://127.0.0.1:${server.address().port}/`));
"""


@cause("a shop answers in its country's language, and a test looks for English words on the page of an item, without asking for English", "check-never-holds",
       meaning="a check is wrong")
def page_in_another_language(dice: Random) -> Iterator[Bed]:
    with inline("node", "-e", LANGUAGES) as url:
        yield Bed(url, peak(6) + f"{modest(dice, (60, 110))}--get / --get /items/7 --expect 'status=200 body~\"In stock\"'", probe=lambda: [
            ("as it is", b"In stock" in said(url, "/items/7")[1], 0, 0),
            ("in English", b"In stock" in reply(url, b"GET /items/7 HTTP/1.1\r\nHost: a\r\nAccept-Language: en\r\n\r\n"), 1, 1)])


@cause("a service sends who isn't logged in to another company's log-in, and a test follows redirects of its service only: one of three operations",
       "unfollowed-redirects", "redirects", meaning="a redirect leads to another server")
def log_in_of_another_company(dice: Random) -> Iterator[Bed]:
    elsewhere = rule(path="/account", ms=(3, 9), header="Location:https://id.example/authorize?client=shop", status=302)
    with server.go(elsewhere, rule(ms=(8, 22), bytes=900)) as url:
        yield Bed(url, peak(6) + f"-L {modest(dice, (60, 110))}--get /items --get /account --get /prices", truth=Truth(
            lambda all: [("302", all.of("/account").status(302), 1, 1), ("elsewhere", all.share(lambda one: "id.example" in one.location), 0.2, 0.5),
                         ("items", all.of("/items").status(200), 1, 1)], paths=("/items", "/account", "/prices")))


# Networks and names.


@cause("a service's name has an IPv6 address alone, and a test's machine has no way to IPv6", "no-connection", meaning="nothing can be reached")
def only_by_ipv6(dice: Random) -> Iterator[Bed]:
    with faults.network() as inside, faults.own_files(hosts="127.0.0.1 localhost\n2001:db8::7 shop.example\n") as files:
        under = [*inside, *files]
        yield Bed("http://shop.example:8080/", peak(3) + f"--keep-going -c {dice.randint(6, 14)} --think 40ms..90ms {engine(dice)}{ITEMS_AND_ORDERS}", under,
                  probe=lambda: [("name", took(under, "getent", "ahosts", "shop.example"), 0, 1000),
                                 ("connection", took(under, "curl", "-s", "-m", "2", "http://shop.example:8080/"), -1, -1)])


@contextlib.contextmanager
def three_name_servers(dead: int) -> Iterator[list[str]]:
    """Words that start a command with three name servers, which are asked in turn, of which one doesn't answer and the others say 127.0.0.1."""
    addresses = [f"127.0.0.{101 + place}" for place in range(3)]

    async def listen(listening: list[asyncio.DatagramTransport]) -> None:
        class Answers(asyncio.DatagramProtocol):
            def __init__(self, answers: bool) -> None:
                self.answers = answers

            def connection_made(self, transport: asyncio.DatagramTransport) -> None:
                self.transport = transport

            def datagram_received(self, question: bytes, peer: tuple[str, int]) -> None:
                end = question.index(b"\0", 12) + 5
                of_ipv4 = question[end - 4:end - 2] == b"\0\1"
                record = b"\xc0\x0c\0\1\0\1\0\0\0\1\0\4\x7f\0\0\1" if of_ipv4 else b""
                if self.answers:
                    self.transport.sendto(question[:2] + bytes((0x81, 0x80, 0, 1, 0, of_ipv4, 0, 0, 0, 0)) + question[12:end] + record, peer)

        for place, address in enumerate(addresses):
            transport, _ = await asyncio.get_running_loop().create_datagram_endpoint(lambda place=place: Answers(place != dead), (address, 53))
            listening.append(transport)

    async def nobody(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.close()

    # Its event loop is what is needed.
    loops: list[asyncio.AbstractEventLoop] = []
    sockets: list[asyncio.DatagramTransport] = []

    async def starting(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        loops.append(asyncio.get_running_loop())
        try:
            await listen(sockets)
            writer.write(b"ready")
        except OSError as problem:
            writer.write(str(problem).encode())
        await nobody(reader, writer)

    with faults._listening(starting) as port:  # noqa: SLF001
        ready = reply(f"http://127.0.0.1:{port}/", b"", 5)
        if ready != b"ready":
            raise faults.Impossible(f"port 53 of {addresses}: {ready.decode()}")
        lines = "".join(f"nameserver {address}\n" for address in addresses)
        try:
            with faults.own_files(resolv_conf=f"{lines}options rotate timeout:1 attempts:3\n") as under:
                yield under
        finally:
            for one in sockets:
                loops[0].call_soon_threadsafe(one.close)


@cause("one of three name servers, which are asked in turn, doesn't answer: each third look-up takes a second more, and each request makes a connection",
       "slow-dns", "two-speeds", meaning="looking up the name is slow at times")
def one_name_server_of_three(dice: Random) -> Iterator[Bed]:
    def claims() -> list[Claim]:
        times = [took(under, "getent", "ahosts", "shop.example") for _ in range(30)]
        return [("failed", sum(ms < 0 for ms in times), 0, 0), ("late", sum(ms > 950 for ms in times) / 30, 0.1, 0.7)]

    with server.go(rule(ms=(6, 18))) as url, three_name_servers(dice.randrange(3)) as under, tempfile.NamedTemporaryFile("w") as uncached:
        uncached.write("networkaddress.cache.ttl=0\nnetworkaddress.cache.negative.ttl=0\n")
        uncached.flush()
        yield Bed(url.replace("127.0.0.1", "shop.example"), peak(11) + f"-H Connection:close -c {dice.randint(20, 30)} --rate 2/s {engine(dice)}"
                  "--get /items --get /prices", under, [f"-Djava.security.properties={uncached.name}"], probe=claims)


@cause("a test runs in a crowded cell of a mobile network, where each packet waits for its turn: 8 ms and an exponential time of 18 to 26 ms", "jitter",
       meaning="the network's delay varies")
def crowded_cell(dice: Random) -> Iterator[Bed]:
    port, mean = faults.free_port(), pick(dice, 0.018, 0.026)
    with contextlib.ExitStack() as stack:
        inside = stack.enter_context(faults.network())
        end = stack.enter_context(faults.tunnels.tunnel(inside, "ip address add 10.99.0.1/24 dev slow"))
        # Connections don't wait for each other.
        ends = [os.dup(end) for _ in range(64)]
        for one in ends:
            stack.callback(os.close, one)

        def route(_: int, packet: bytes) -> faults.tunnels.Passed:
            back = packet[:12] + packet[16:20] + packet[12:16] + packet[20:]
            first = 4 * (packet[0] & 15)
            source, target = (int.from_bytes(packet[at:at + 2], "big") for at in (first, first + 2))
            place = (source + target) // 2 % 32 + 32 * (source == port)
            return faults.tunnels.Passed(ends[place], 0.008 + random.expovariate(1 / mean), back)

        stack.enter_context(faults.tunnels.carried(route, end))
        stack.enter_context(server.go(option(address=f"10.99.0.1:{port}"), rule(ms=(4, 12)), under=inside))
        yield Bed(f"http://10.99.0.2:{port}/", peak(9) + f"-H Connection:close -c 60 --rate {dice.randint(25, 40)}/s --arrivals poisson {engine(dice)}"
                  "--get /items --get /prices", inside, truth=Truth(
            lambda all: [("connect", all.connect_median, 16 + 900 * mean, 16 + 3000 * mean), ("longest", max(all.connects), 16 + 3500 * mean, 1500),
                         ("failed", all.failed, 0, 0)], close=True, think=0.03))


@cause("a radar disturbs a radio link every 1.1 to 1.5 s, for 80 to 110 ms, in which all packets are lost", "packet-loss", "periodic-stalls",
       "two-speeds", meaning="packets are lost at even distances")
def radio_and_radar(dice: Random) -> Iterator[Bed]:
    period, length = pick(dice, 1.1, 1.5), pick(dice, 0.08, 0.11)
    with contextlib.ExitStack() as stack:
        inside = stack.enter_context(faults.network())
        end = stack.enter_context(faults.tunnels.tunnel(inside, "ip address add 10.99.0.1/24 dev slow"))

        def route(_: int, packet: bytes) -> faults.tunnels.Passed | None:
            if time.monotonic() % period < length:
                return None
            return faults.tunnels.Passed(end, 0.003, packet[:12] + packet[16:20] + packet[12:16] + packet[20:])

        stack.enter_context(faults.tunnels.carried(route, end))
        url = stack.enter_context(server.go(option(address="10.99.0.1:0"), rule(method="POST", ms=(14, 36)), rule(ms=(6, 20), bytes=900), under=inside))
        yield Bed(url.replace("10.99.0.1", "10.99.0.2"), peak(10) + f"{open_model(dice, 80, dice.randint(70, 110))}{ITEMS_AND_ORDERS}", inside, truth=Truth(
            lambda all: [("late", all.slower(190), 0.02, 0.25), ("between", all.share(lambda one: 70 < one.ms < 190), 0, 0.05), ("median", all.median, 10, 50),
                         ("failed", all.failed, 0, 0)], users=8, think=0.02, seconds=6))


# Messages and streams.


@cause("a model ends one answer in 8 to 12 with an event that it is overloaded, after some words", "steady-failures", meaning="a constant share fails")
def answers_end_with_an_error(dice: Random) -> Iterator[Bed]:
    share, count = 1 / dice.randint(8, 12), dice.randint(8, 14)

    async def send(asked: Asked, kind: str, **values: object) -> None:
        event = f"event: {kind}\ndata: {json.dumps({'type': kind, **values})}\n\n".encode()
        asked.writer.write(f"{len(event):x}\r\n".encode() + event + b"\r\n")
        await asked.writer.drain()

    async def answer(asked: Asked) -> bool:
        last = random.randrange(2, count) if random.random() < share else count
        begin_stream(asked)
        await send(asked, "message_start")
        await some(120, 260)
        await send(asked, "content_block_start", index=0, content_block={"type": "text"})
        for number in range(last):
            await some(14, 30)
            await send(asked, "content_block_delta", index=0, delta={"type": "text_delta", "text": f"word{number} "})
        if last < count:
            await send(asked, "error", error={"type": "overloaded_error", "message": "Overloaded"})
        else:
            await send(asked, "content_block_stop", index=0)
            await send(asked, "message_stop")
        return end_stream(asked)

    def claims() -> list[Claim]:
        bodies = [said(url, "/v1/messages", "POST", b"question")[1] for _ in range(40)]
        return [("errors", sum(b"overloaded_error" in body for body in bodies), 1, 12), ("whole", sum(b"message_stop" in body for body in bodies), 28, 39)]

    with answering(answer) as url:
        yield Bed(url, peak(9) + f"-c {dice.randint(16, 28)} --think 100ms..300ms {engine(dice)}--post /v1/messages --body question --event-stream anthropic",
                  probe=claims)


class Sparing(Room):
    """It passes so many messages of a connection on in a second, and drops others."""

    def __init__(self, rate: float) -> None:
        super().__init__()
        self.rate = rate
        self.level, self.before = 3.0, time.monotonic()

    def passes(self) -> bool:
        now = time.monotonic()
        self.level, self.before = min(3.0, self.level + (now - self.before) * self.rate), now
        passed = self.level >= 1
        self.level -= passed
        return passed


@cause("a gateway for WebSocket passes 4 or 5 messages of a connection on in a second, drops others, and says nothing of that", "unanswered", "steady-failures",
       "rate-limit", meaning="a constant share is lost")
def messages_of_a_second(dice: Random) -> Iterator[Bed]:
    rate, pairs = dice.randint(4, 5), dice.randint(18, 26)
    by_path: dict[str, Sparing] = collections.defaultdict(lambda: Sparing(rate))

    class Writers(list):
        """Those of a room, whom it doesn't find for a message too many."""

        def __init__(self, room: Sparing) -> None:
            super().__init__()
            self.room = room

        def __iter__(self) -> Iterator[asyncio.StreamWriter]:
            return super().__iter__() if self.room.passes() else iter([])

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            writer.write(switched(next(line.split(":", 1)[1].strip() for line in head if line.lower().startswith("sec-websocket-key:"))))
            room = by_path[head[0].split(" ")[1]]
            if not isinstance(room.writers, Writers):
                room.writers = Writers(room)
            await room.serve(reader, writer)
        writer.close()

    def claims() -> list[Claim]:
        begin, shares = time.monotonic(), []
        while time.monotonic() < begin + 2:
            shares.append(heard(url, 1))
        return [("first", sum(shares[:2]), 2, 2), ("lost", shares.count(0), 2, 8)]

    with faults._listening(serve) as port:  # noqa: SLF001
        url = f"http://127.0.0.1:{port}/"
        yield Bed(f"ws{url[4:]}rooms/{{pair}}", peak(9) + f"--timeout 500ms -c {pairs} --rate '{round(1.12 * rate * pairs)} messages/s' --arrivals poisson",
                  probe=claims)


# Healthy, though it may look otherwise.


@clean("messages by WebSocket that are compressed (permessage-deflate)")
def deflated_messages(dice: Random) -> Iterator[Bed]:
    by_path: dict[str, Room] = collections.defaultdict(Room)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            answer = switched(next(line.split(":", 1)[1].strip() for line in head if line.lower().startswith("sec-websocket-key:")))
            # One user of a room speaks, so that its messages can be passed on as they are.
            extension = b"Sec-WebSocket-Extensions: permessage-deflate\r\n"
            asked_for = any(line.lower().startswith("sec-websocket-extensions:") and "permessage-deflate" in line for line in head)
            writer.write(answer[:-2] + (extension if asked_for else b"") + b"\r\n")
            await by_path[head[0].split(" ")[1]].serve(reader, writer)
        writer.close()

    with faults._listening(serve) as port:  # noqa: SLF001
        url = f"http://127.0.0.1:{port}/"
        yield Bed(f"ws{url[4:]}rooms/{{pair}}", peak(8) + f"--compress -c {dice.randint(12, 24)} --message-size {dice.randint(400, 3000)} "
                  f"--rate '{dice.randint(40, 90)} messages/s' {dice.choice(('', '--arrivals poisson '))}", probe=lambda: [("heard", heard(url, 4), 1, 1)])


@clean("a Puma that makes some thousand strings for each request, which Ruby's collections remove")
def garbage_of_ruby(dice: Random) -> Iterator[Bed]:
    number = dice.randint(4000, 8000)
    with puma(16, f'list = Array.new({number}) {{ |place| "text " * (place % 4 + 1) }}\nsleep(rand(0.008..0.026))\n[200, {{}}, [list.size.to_s]]') as url:
        yield Bed(url, peak(8, 2) + f"{open_model(dice, 40, dice.randint(40, 70))}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 8, 50)]))


@clean("a Java server that fills its cache with 16 to 24 MB in the warmup, and keeps it, whose heap a test reads")
def cache_is_filled_first(dice: Random) -> Iterator[Bed]:
    with piling_up(each=dice.randint(80, 120) * 1000, most=200) as (url, figures):
        yield Bed(url, peak(9, 4) + f"-c 60 --rate {dice.randint(85, 110)}/s --server-metrics {figures} {engine(dice)}{ITEMS_AND_ORDERS}")


@clean("downloads that are resumed: two parts of a file, 206, then what is after its end, 416 as a test expects")
def resumed_downloads(dice: Random) -> Iterator[Bed]:
    size = dice.randint(90, 180) * 1000
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        Path(folder, "film").write_bytes(dice.randbytes(size))

        def of_range(wanted: str) -> bytes:
            return reply(url, f"GET /film HTTP/1.1\r\nHost: a\r\nRange: bytes={wanted}\r\n\r\n".encode())[:12]

        with faults.nginx("", f"root {folder};") as url:
            yield Bed(url, peak(8) + f"-c {dice.randint(12, 24)} {engine(dice)}", plan=f"""
scenarios:
  - name: download
    steps:
      - get: /film
        name: first part
        headers: {{Range: "bytes=0-65535"}}
        checks: status=206
      - think: 40ms..140ms
      - get: /film
        name: second part
        headers: {{Range: "bytes=65536-"}}
        checks: status=206
      - think: 40ms..140ms
      - get: /film
        name: after its end
        headers: {{Range: "bytes={size}-"}}
        checks: status=416
      - think: 40ms..140ms
""", probe=lambda: [(wanted, int(of_range(wanted)[9:]), status, status) for wanted, status in (("0-65535", 206), ("65536-", 206), (f"{size}-", 416))])


@clean("a Node server keeps idle connections for a second and says so (Keep-Alive), and HttpClient makes new ones for users who pause for longer")
def says_how_long_it_keeps(dice: Random) -> Iterator[Bed]:
    with server.node(option(idle=1000), rule(method="POST", ms=(14, 36)), rule(ms=(6, 20), bytes=900)) as url:
        yield Bed(url, peak(10) + f"--client httpclient --pool user -c {dice.randint(16, 30)}", plan="""
scenarios:
  - name: read
    steps:
      - get: /items
      - think: 150ms..500ms
      - get: /items
      - think: 150ms..500ms
      - post: /orders
        json: {item: 7}
      - think: 1500ms..1900ms
""", probe=lambda: [("says so", b"timeout=1" in reply(url, b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"), 1, 1)])


@clean("all four phases, as they are if a test says nothing of phases: a tenth of the users, a half, all, a quarter")
def four_phases(dice: Random) -> Iterator[Bed]:
    with dice.choice((server.go, server.node, server.java))(rule(method="POST", ms=(14, 36)), rule(ms=(6, 20), bytes=1200)) as url:
        yield Bed(url, f"--duration 2.4s -c {dice.randint(20, 36)} --think 60ms..200ms {engine(dice)}{ITEMS_AND_ORDERS}")


@clean("a site for tests that wants a name and a password, which a test sends with each request")
def site_for_tests(dice: Random) -> Iterator[Bed]:
    words = base64.b64encode(b"shop:secret").decode()
    with tempfile.NamedTemporaryFile("w") as passwords, dice.choice((server.go, server.node))(
            rule(method="POST", ms=(14, 36)), rule(ms=(6, 20), bytes=1200)) as behind:
        passwords.write("shop:{PLAIN}secret\n")
        passwords.flush()
        os.chmod(passwords.name, 0o644)
        with faults.nginx(f"upstream one {{ server {behind[7:-1]}; keepalive 64; }}",
                          f'auth_basic tests; auth_basic_user_file {passwords.name}; location / {{ proxy_http_version 1.1; proxy_set_header Connection ""; '
                          "proxy_pass http://one; }") as url:
            yield Bed(url, peak(7, 2) + f"-H 'Authorization: Basic {words}' {modest(dice, (60, 110))}{ITEMS_AND_ORDERS}", probe=lambda: [
                ("with", took([], "curl", "-sf", "-u", "shop:secret", url), 0, 3000), ("without", took([], "curl", "-sf", url), -1, -1)])


@clean("files by Apache, which challenges a user first (Digest), as a test expects that has a name and a password")
def challenged_by_digest(dice: Random) -> Iterator[Bed]:
    with tempfile.NamedTemporaryFile("w") as passwords:
        passwords.write(f"shop:files:{hashlib.md5(b'shop:files:secret').hexdigest()}\n")  # noqa: S324
        passwords.flush()
        os.chmod(passwords.name, 0o644)
        with apache(f"MaxKeepAliveRequests 0\nKeepAliveTimeout 30\n<Location />\nAuthType Digest\nAuthName files\nAuthUserFile {passwords.name}\n"
                    "Require valid-user\n</Location>", "authn_core", "authn_file", "auth_digest", "authz_user",
                    files={"page": 3000, "picture": dice.randint(20, 50) * 1000}) as url:
            yield Bed(url, peak(8, 2) + f"--credentials shop:secret -c {dice.randint(10, 20)} --think 50ms..150ms {engine(dice)}--get /page --get /picture",
                      probe=lambda: [("with", took([], "curl", "-sf", "--digest", "-u", "shop:secret", f"{url}page"), 0, 3000),
                                     ("without", took([], "curl", "-sf", f"{url}page"), -1, -1)])


@clean("one machine behind a name, which a test resolves itself, and whose certificate it checks")
def resolved_by_the_test(dice: Random) -> Iterator[Bed]:
    with tempfile.TemporaryDirectory() as folder, server.go(rule(method="POST", ms=(14, 36)), rule(ms=(6, 20), bytes=1200)) as behind:
        subprocess.run(["sh", "-ec", f"cd {folder}; openssl req -x509 {EC} -nodes -days 2 -subj /CN=shop.example -addext subjectAltName=DNS:shop.example "
                        "-keyout key.pem -out cert.pem; cat cert.pem key.pem > both.pem"], check=True, capture_output=True)
        with server.haproxy(f"listen all\n  bind LISTEN ssl crt {folder}/both.pem\n  server one {behind[7:-1]}") as there:
            port = server.port(there)
            name = f"shop.example:{port}"
            words = ("--resolve", f"{name}:127.0.0.1", "--cacert", f"{folder}/cert.pem")
            yield Bed(f"https://{name}/", peak(7, 2) + f"{' '.join(words)} {modest(dice, (60, 100))}{ITEMS_AND_ORDERS}",
                      probe=lambda: [("trusted", took([], "curl", "-sf", *words, f"https://{name}/"), 0, 3000)])


@clean("files of 4, 60 and 200 kB by nginx, of which a test checks that they are the right ones (SHA-256)")
def files_with_sums(dice: Random) -> Iterator[Bed]:
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        checked = ""
        for name, size in (("page", 4000), ("picture", 60_000), ("film", 200_000)):
            content = dice.randbytes(size)
            Path(folder, name).write_bytes(content)
            checked += f"--get /{name} --expect 'status=200 sha256={hashlib.sha256(content).hexdigest()}' "
        with faults.nginx("", f"root {folder};") as url:
            yield Bed(url, peak(8, 2) + f"-c {dice.randint(8, 14)} --think 150ms..350ms {engine(dice)}{checked}", truth=Truth(
                lambda all: [("200", all.status(200), 1, 1)], paths=("/page", "/picture", "/film"), seconds=2))


@clean("beacons of 200 to 900 bytes, 150 to 220 a second, which are answered at once and without a body (204)")
def beacons(dice: Random) -> Iterator[Bed]:
    body = "x" * dice.randint(200, 900)
    with dice.choice((server.go, server.node))(rule(ms=(1, 4), status=204)) as url:
        yield Bed(url, peak(8, 2) + f"{open_model(dice, 60, dice.randint(150, 220))}--post /events --body {body} --post /errors --body {body}", truth=Truth(
            lambda all: [("204", all.status(204), 1, 1)], method="POST", body=300, seconds=2))


@clean("a server of HTTP/2 that allows four streams of a connection, which four users share")
def as_many_streams_as_users(dice: Random) -> Iterator[Bed]:
    async def answer(writer: asyncio.StreamWriter, stream: int) -> None:
        await some(10, 34)
        say_ok(writer, stream)

    with allowing_streams(answer, (0, 4)) as url:
        yield Bed(url, peak(8, 2) + f"--engine events --http2 --streams 4 -c {dice.choice((12, 16, 24))} --think 40ms..120ms --get /items --get /prices",
                  probe=lambda: [("allowed", allowed(url, 0.5), 4, 4)])


@clean("streams of 8 to 14 events of 8 to 24 kB each, 25 to 70 ms apart, and lists")
def large_events(dice: Random) -> Iterator[Bed]:
    async def answer(asked: Asked) -> bool:
        if asked.path != "/maps":
            await some(8, 22)
            return await asked.say(b"x" * 700)
        begin_stream(asked)
        for _ in range(random.randint(8, 14)):
            await some(25, 70)
            await send_event(asked, "x" * random.randint(8000, 24_000))
        return end_stream(asked)

    with answering(answer) as url:
        yield Bed(url, peak(9) + f"-c {dice.randint(8, 16)} --think 80ms..250ms {engine(dice)}--get /lists --get /maps --event-stream events", truth=Truth(
            lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 300, 800)], paths=("/maps",), users=8))


THREADS = """
import http.server, random, sys, threading, time

class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = 65536

    def answer(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        time.sleep(random.uniform(0.014, 0.036) if self.command == "POST" else random.uniform(0.006, 0.02))
        self.send_response(200)
        self.send_header("Content-Length", "600")
        self.end_headers()
        self.wfile.write(b"x" * 600)

    do_GET = do_POST = answer

    def log_message(self, *_):
        pass

class Server(http.server.ThreadingHTTPServer):
    request_queue_size = 1024

server = Server(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(f"http://127.0.0.1:{server.server_port}/", flush=True)
sys.stdin.read()
"""


@clean("Python's own server, with a thread for each connection, from the first request on")
def thread_of_each_connection(dice: Random) -> Iterator[Bed]:
    with inline("python3", "-c", THREADS) as url:
        yield Bed(url, f"--phases peak=1:for:9s {modest(dice, (50, 90))}{ITEMS_AND_ORDERS}")


CHUNKS = """
import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;

class Chunks {
    public static void main(String[] arguments) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 1024);
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            ThreadLocalRandom dice = ThreadLocalRandom.current();
            try {
                Thread.sleep(exchange.getRequestMethod().equals("POST") ? dice.nextInt(14, 37) : dice.nextInt(6, 20));
            } catch (InterruptedException end) {
                return;
            }
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write(new byte[dice.nextInt(600, 9000)]);
            exchange.close();
        });
        server.start();
        System.out.println("http://127.0.0.1:" + server.getAddress().getPort() + "/");
    }
}
"""


@clean("the JDK's own server, which doesn't say how long its pages are (chunked)")
def chunks_of_java(dice: Random) -> Iterator[Bed]:
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "Chunks.java")
        source.write_text(CHUNKS)
        with faults.java("-Xmx128m", "-Dsun.net.httpserver.nodelay=true", str(source)) as url:
            yield Bed(url, peak(8, 3) + f"{modest(dice, (60, 100))}{ITEMS_AND_ORDERS}")


@clean("phases that end after a number of requests, however long that takes")
def phases_by_number(dice: Random) -> Iterator[Bed]:
    users = dice.randint(14, 24)
    with dice.choice((server.go, server.node))(rule(method="POST", ms=(14, 36)), rule(ms=(6, 20), bytes=900)) as url:
        yield Bed(url, f"--phases 'warmup=0.5 for {8 * users} requests, peak=1 for {60 * users} requests' -c {users} --think 60ms..180ms {engine(dice)}"
                  + ITEMS_AND_ORDERS)


@clean("articles that have to be paid for: 402 as a test expects, a payment, then the article")
def paid_articles(dice: Random) -> Iterator[Bed]:
    paid: set[str] = set()

    async def answer(asked: Asked) -> bool:
        await (some(30, 60) if asked.method == "POST" else some(6, 20))
        if asked.method == "POST":
            paid.add(json.loads(asked.body)["reader"])
            return await asked.say(b"paid", 201)
        known = asked.path.split("/")[3] in paid
        return await asked.say(b"x" * 2500 if known else b"4.20", 200 if known else 402)

    with answering(answer) as url:
        yield Bed(url, peak(8) + f"-c {dice.randint(14, 26)} {engine(dice)}", plan="""
scenarios:
  - name: read
    steps:
      - get: "/articles/7/{user}-{iteration}"
        name: before
        checks: status=402
      - think: 40ms..140ms
      - post: /payments
        json: {reader: "{user}-{iteration}"}
        checks: status=201
      - think: 40ms..140ms
      - get: "/articles/7/{user}-{iteration}"
        name: after
        checks: status=200
      - think: 40ms..140ms
""", probe=lambda: [(str(place), said(url, "/articles/7/one" if method == "GET" else "/payments", method, b'{"reader": "one"}')[0], status, status)
                    for place, (method, status) in enumerate((("GET", 402), ("POST", 201), ("GET", 200)))])


@clean("thumbnails of 4 to 12 ms and originals of 110 to 160 ms at one address, as two operations of a test")
def thumbnails_and_originals(dice: Random) -> Iterator[Bed]:
    async def answer(asked: Asked) -> bool:
        small = asked.path.endswith("size=small")
        await (some(4, 12) if small else some(110, 160))
        return await asked.say(b"x" * (3000 if small else 60_000))

    with answering(answer) as url:
        yield Bed(url, peak(8) + f"{modest(dice, (50, 90))}--get /photos/7?size=small --get /photos/7?size=full", truth=Truth(
            lambda all: [("small", all.of("/photos/7?size=small").median, 4, 40), ("full", all.of("/photos/7?size=full").median, 110, 190),
                         ("failed", all.failed, 0, 0)], paths=("/photos/7?size=small", "/photos/7?size=full")))


@clean("jobs whose state leads to their result when they are done: 202, then 303, which a test follows")
def led_to_the_result(dice: Random) -> Iterator[Bed]:
    async def answer(asked: Asked) -> bool:
        if asked.method == "POST":
            await some(12, 30)
            return await asked.say(b"accepted", 202)
        await some(5, 18)
        if asked.path.startswith("/results/"):
            return await asked.say(b"x" * 3000)
        asked.writer.write(f"HTTP/1.1 303 See Other\r\nLocation: /results/{asked.path.split('/')[2]}\r\nContent-Length: 0\r\n\r\n".encode())
        return True

    with answering(answer) as url:
        yield Bed(url, peak(8) + f"-c {dice.randint(14, 26)} {engine(dice)}", plan="""
scenarios:
  - name: job
    session: {redirects: 3}
    steps:
      - post: /jobs
        json: {of: "{user}"}
        checks: status=202
      - think: 100ms..250ms
      - get: "/jobs/{user}-{iteration}"
        name: GET /jobs/NAME
        checks: status=200
      - think: 40ms..120ms
""", probe=lambda: [("followed", took([], "curl", "-sfL", f"{url}jobs/1"), 0, 3000), ("303", said(url, "/jobs/1")[0], 303, 303)])


@clean("HAProxy passes connections with TLS on to one of two equal instances, which end TLS themselves")
def passed_through(dice: Random) -> Iterator[Bed]:
    rules = (option(tls=1), rule(method="POST", ms=(14, 36)), rule(ms=(6, 20), bytes=1200))
    with server.go(*rules) as one, server.go(*rules) as two, server.haproxy(
            f"listen all\n  mode tcp\n  bind LISTEN\n  balance roundrobin\n  server one {one[8:-1]}\n  server two {two[8:-1]}") as there:
        yield Bed(f"https{there[4:]}", peak(8, 2) + f"-k {modest(dice, (60, 110))}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 6, 50)], seconds=2))
