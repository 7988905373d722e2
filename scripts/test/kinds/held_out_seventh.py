"""
The seventh held-out set. Don't read on if you change rules.

No rule was tuned on it. Each kind is a mechanism of a real service, of a network or of a wrong test that the earlier sets don't have.
The ids of a fault are those that an expert would accept as the first finding.
"""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import json
import os
import random
import ssl
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
from asking import Answers, Claim, Truth, took
from behaviours import option, rule
from kinds import Bed, cause, clean, engine, model, peak, pick, users
from kinds.held_out_fifth import Clock, of_time
from kinds.held_out_fourth import between, inline, sent
from kinds.held_out_second import Asked, answering, reset, some
from kinds.held_out_sixth import echoing, frame, message_ms, reply
from kinds.held_out_third import of_haproxy, steps


def said(url: str, path: str, method: str = "GET", body: bytes | None = None) -> tuple[int, bytes]:
    """The status and the body of one request."""
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", server.port(url), timeout=5)) as connection:
        connection.request(method, path, body)
        response = connection.getresponse()
        return response.status, response.read()


def token_of(url: str, path: str = "/login", method: str = "POST") -> str:
    return str(json.loads(said(url, path, method)[1])["token"])


@contextlib.contextmanager
def rows(name: str, values: list[str]) -> Iterator[str]:
    """A file of CSV with one column."""
    with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
        file.write("\n".join([name, *values, ""]))
        file.flush()
        yield file.name


@contextlib.contextmanager
def later(seconds: float, work: Callable[[], None]) -> Iterator[None]:
    """Does it after so many seconds, unless all is over."""
    timer = threading.Timer(seconds, work)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()


# One thread, one heap, one core.


BACKTRACKS = """
const target = Number(process.argv[1]);
const check = length => /^(\\w+\\s?)+$/.test('a'.repeat(length) + '!');
let length = 18;
for (let ms = 0; ms < target; length++) {
    const begin = performance.now();
    check(length + 1);
    ms = performance.now() - begin;
}
process.stdin.on('end', () => process.exit(0)).resume();
let next = 60;
const server = require('node:http').createServer((request, response) => request.resume().on('end', () => {
    if (request.method === 'POST' && --next === 0) {
        next = 70 + Math.floor(70 * Math.random());
        check(length);
    }
    setTimeout(() => {
        response.setHeader('Content-Length', 2);
        response.end('ok');
    }, 4 + 8 * Math.random());
}));
server.listen({port: 0, host: '127.0.0.1', backlog: 1024}, () => console.log(`http://127.0.0.1:${server.address().port}/`));
"""


@cause("about one in a hundred comments makes a regular expression of Node's only thread backtrack, for 0.25 s or more", "standstill", "periodic-stalls",
       meaning="all requests wait for a rare one")
def backtracking(dice: Random) -> Iterator[Bed]:
    with inline("node", "-e", BACKTRACKS, "250") as url:
        yield Bed(url, peak(8) + f"-c 150 --rate {dice.randint(100, 140)}/s {engine(dice)}--post /comments --body nice --get /items", truth=Truth(
            lambda all: [("longest", all.slowest, 230, 1500), ("median", all.median, 4, 40)], method="POST", body=4))


COLLECTS = """
import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;

public class Collects {
    public static void main(String[] words) throws Exception {
        Object[][] kept = new Object[Integer.parseInt(words[0]) * 1000][];
        for (int i = 0; i < kept.length; i++) {
            kept[i] = new Object[] {new long[1], i, i == 0 ? null : kept[i - 1]};
        }
        var server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 1024);
        server.setExecutor(Executors.newFixedThreadPool(100));
        server.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            if (exchange.getRequestURI().getPath().equals("/exports")) {
                System.gc();
            }
            try {
                Thread.sleep(ThreadLocalRandom.current().nextInt(5, 14));
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            exchange.sendResponseHeaders(200, 2);
            exchange.getResponseBody().write(new byte[] {'o', 'k'});
            exchange.close();
            if (kept[kept.length / 2] == null) {
                throw new AssertionError();
            }
        });
        server.start();
        System.out.println("http://127.0.0.1:" + server.getAddress().getPort() + "/");
    }
}
"""


@cause("each export, one in 120 to 160 requests, asks the JVM to collect all garbage", "periodic-stalls", "standstill",
       meaning="all requests wait for a rare one")
def exports_collect_garbage(dice: Random) -> Iterator[Bed]:
    with tempfile.TemporaryDirectory() as folder, tempfile.NamedTemporaryFile("w", suffix=".txt") as asked:
        source = Path(folder, "Collects.java")
        source.write_text(COLLECTS)
        half = dice.randint(60, 80)
        asked.write(f"{half} GET /items\n{half} GET /prices\n1 POST /exports\n")
        asked.flush()
        with faults.java("-Xms900m", "-Xmx900m", "-XX:+UseSerialGC", "-Dsun.net.httpserver.nodelay=true", str(source), str(dice.randint(3500, 5000))) as url:
            yield Bed(url, peak(8) + f"--requests {asked.name} -c 150 --rate {dice.randint(80, 110)}/s {engine(dice)}", truth=Truth(
                lambda all: [("export", min(one.ms for one in all.of("/exports").all), 80, 3000)], paths=("/exports", "/items"), users=1, seconds=2))


@cause("a program on the server's core begins to compute, with five or six threads for 2 s", "slow-period", "standstill",
       meaning="it is slow for a while")
def loud_neighbour(dice: Random) -> Iterator[Bed]:
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) < 2:
        raise faults.Impossible("one core")
    its = ["taskset", "-c", str(cores[1])]
    loops = [*its, "timeout", str(pick(dice, 1.9, 2.3)), "sh", "-c", "while :; do :; done"]

    def compute() -> None:
        for loop in [subprocess.Popen(loops) for _ in range(dice.randint(5, 6))]:
            loop.wait()

    with server.node(rule(cpu=4, ms=(3, 8)), under=its) as url, later(5, compute):
        yield Bed(url, f"--phases warmup=1:for:1s,peak=1:for:9s -c 200 --rate {dice.randint(55, 65)}/s --get /items --post /orders --body order",
                  ["taskset", "-c", str(cores[0])], truth=Truth(
            lambda all: [("before", between(all, 0, 4).median, 7, 60), ("slowest", all.slowest, 40, 3000)], seconds=7, users=2, think=0.03))


@cause("the CPU credits of an instance are used up in the middle: then all takes 3 to 4 times as long", "drift", meaning="it gets slower")
def credits_used_up(dice: Random) -> Iterator[Bed]:
    at, times = pick(dice, 3.6, 4.4), pick(dice, 3, 4)

    def ms(now: float, asked: Asked) -> float:
        return (random.uniform(10, 16) if asked.method == "GET" else random.uniform(20, 32)) * (times if now > at else 1)

    with of_time(ms) as url:
        yield Bed(url, peak(8) + f"-c 120 --rate {dice.randint(70, 120)}/s {engine(dice)}--get /items --post /orders --body order", truth=Truth(
            lambda all: [("times", between(all, at + 0.2, 7).median / between(all, 0, at - 0.2).median, 0.7 * times, 1.3 * times)], seconds=7))


PAUSES = """
import asyncio, random, sys, time
async def serve(reader, writer):
    try:
        head = await reader.readuntil(b"\\r\\n\\r\\n")
        await asyncio.sleep(random.uniform(0.003, 0.009))
        writer.write(b"HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\nConnection: close\\r\\n\\r\\nok")
        await writer.drain()
    except (OSError, asyncio.IncompleteReadError):
        pass
    writer.close()
async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", 0, backlog=int(sys.argv[1]))
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/", flush=True)
    asyncio.get_running_loop().run_in_executor(None, sys.stdin.read).add_done_callback(lambda _: server.close())
    while server.is_serving():
        await asyncio.sleep(random.uniform(0.9, 1.4))
        time.sleep(float(sys.argv[2]))
asyncio.run(main())
"""


@cause("a server of short connections with a backlog of 2 to 4 pauses for 0.3 to 0.4 s about once a second", "accept-queue", "standstill", "periodic-stalls",
       meaning="its accept queue is full at times")
def pauses_fill_the_backlog(dice: Random) -> Iterator[Bed]:
    with inline(sys.executable, "-c", PAUSES, str(dice.randint(2, 4)), str(pick(dice, 0.3, 0.4))) as url:
        yield Bed(url, peak(8) + f"-H Connection:close -c 150 --rate {dice.randint(50, 80)}/s {engine(dice)}--get /items --get /prices", truth=Truth(
            lambda all: [("slow connects", all.share(lambda one: one.connect_ms > 950), 0.005, 0.6), ("failed", all.failed, 0, 0.05)],
            users=25, think=0.2, close=True, seconds=6))


# Pools and places.


GATEWAY = """
const http = require('node:http');
const [port, sockets] = process.argv.slice(1).map(Number);
const agent = new http.Agent({keepAlive: true, maxSockets: sockets});
process.stdin.on('end', () => process.exit(0)).resume();
const server = http.createServer((request, response) => {
    request.resume();
    if (request.url === '/page') {
        setTimeout(() => response.end('ok'), 3 + 5 * Math.random());
        return;
    }
    http.get({host: '127.0.0.1', port, path: request.url, agent}, back => {
        response.statusCode = back.statusCode;
        back.pipe(response);
    }).on('error', () => {
        response.statusCode = 502;
        response.end();
    });
});
server.listen({port: 0, host: '127.0.0.1', backlog: 1024}, () => console.log(`http://127.0.0.1:${server.address().port}/`));
"""


@cause("a gateway in Node has an agent with 3 or 4 sockets for the service behind it, which takes 35 to 50 ms", "saturation", "contention", "serial-work",
       meaning="more users only wait for a socket")
def agent_with_few_sockets(dice: Random) -> Iterator[Bed]:
    sockets = dice.randint(3, 4)
    with server.go(rule(ms=(35, 50))) as behind, inline("node", "-e", GATEWAY, str(server.port(behind)), str(sockets)) as url:
        yield Bed(url, steps(dice, dice.randint(25, 35)) + "--get /items --get /prices --get /page", truth=Truth(
            lambda all: [("a second", len(all.all) / 4, 15 * sockets, 30 * sockets), ("failed", all.failed, 0, 0)], users=20, think=0))


@cause("under load a service answers pages, and refuses reports: 503", "load-shedding", "failures-with-load", meaning="some load is turned away")
def reports_are_refused(dice: Random) -> Iterator[Bed]:
    most = dice.randint(10, 13)
    under_way = 0

    async def answer(asked: Asked) -> bool:
        nonlocal under_way
        if asked.path == "/reports" and under_way >= most:
            await some(1, 3)
            return await asked.say(b"busy", 503)
        under_way += 1
        try:
            await (some(40, 70) if asked.path == "/reports" else some(15, 30))
        finally:
            under_way -= 1
        return await asked.say()

    with answering(answer) as url:
        yield Bed(url, f"--phases few=0.1:for:3s,peak=1:for:5s -c {dice.randint(25, 35)} --think 10ms..30ms {engine(dice)}"
                  "--get /items --get /prices --get /reports", truth=Truth(
            lambda all: [("503", all.of("/reports").status(503), 0.05, 1), ("pages", all.of("/items").failed, 0, 0)], users=25, paths=("/items", "/reports")))


@cause("a function may run 8 to 10 times at once: 429 for more", "rate-limit", "failures-with-load", meaning="a limit of concurrency")
def reserved_concurrency(dice: Random) -> Iterator[Bed]:
    most = dice.randint(8, 10)
    running = 0

    async def answer(asked: Asked) -> bool:
        nonlocal running
        if running >= most:
            return await asked.say(b"TooManyRequestsException", 429)
        running += 1
        try:
            await some(80, 120)
        finally:
            running -= 1
        return await asked.say()

    with answering(answer) as url:
        yield Bed(url, peak(7) + f"-c 120 --rate {round(11.5 * most)}/s --arrivals poisson {engine(dice)}--post /resize --body photo --post /scan --body photo",
                  truth=Truth(lambda all: [("429", all.status(429), 0.05, 0.95), ("200", len(all.all) * all.status(200), 100, 1000)], users=20, think=0.03))


@cause("logging in hashes a password for 85 to 110 ms, two at a time; users log in for each visit", "saturation", "contention", "serial-work",
       meaning="log-ins wait for each other")
def passwords_are_hashed(dice: Random) -> Iterator[Bed]:
    ms = dice.randint(85, 110)
    places = asyncio.Semaphore(2)

    async def answer(asked: Asked) -> bool:
        if asked.path == "/login":
            async with places:
                await asyncio.sleep(ms / 1000)
        else:
            await some(4, 12)
        return await asked.say(b'{"token": 7}')

    with answering(answer) as url:
        yield Bed(url, f"--phases few=0.1:for:3s,peak=1:for:5s -c {dice.randint(30, 45)} {engine(dice)}", plan="""
scenarios:
  - name: visit
    steps:
      - post: /login
        form: {user: "{uuid}", password: secret}
        extract: {token: "json:/token"}
      - think: 40ms..90ms
      - get: /items
        headers: {Authorization: "Bearer {token}"}
      - think: 40ms..90ms
      - get: /account
        headers: {Authorization: "Bearer {token}"}
""", truth=Truth(lambda all: [("a second", len(all.all) / 4, 1500 / ms, 2400 / ms)], users=15, think=0, paths=("/login",), method="POST"))


@cause("a license lets 6 to 9 users be logged in at once: 503 for others", "failures-with-load", "load-shedding", meaning="it fails under load")
def licensed_users(dice: Random) -> Iterator[Bed]:
    most = dice.randint(6, 9)
    logged_in: dict[str, float] = {}
    number = 0

    async def answer(asked: Asked) -> bool:
        nonlocal number
        await some(4, 12)
        what, _, token = asked.path[1:].partition("/")
        if what == "login":
            # Sessions end after 2 s.
            for old in [one for one, since in logged_in.items() if since < time.monotonic() - 2]:
                del logged_in[old]
            if len(logged_in) >= most:
                return await asked.say(b"no license is free", 503)
            number += 1
            logged_in[str(number)] = time.monotonic()
            return await asked.say(f'{{"token": {number}}}'.encode())
        if what == "logout":
            logged_in.pop(token, None)
        return await asked.say()

    def claims() -> list[Claim]:
        for _ in range(most):
            said(url, "/login", "POST")
        return [("one more", said(url, "/login", "POST")[0], 503, 503), ("log out", said(url, "/logout/1", "POST")[0], 200, 200),
                ("again", said(url, "/login", "POST")[0], 200, 200)]

    with answering(answer) as url:
        yield Bed(url, f"--phases few=0.15:for:4s,peak=1:for:5s -c {3 * most} {engine(dice)}", plan="""
scenarios:
  - name: visit
    steps:
      - think: 20ms..60ms
      - post: /login
        form: {user: "{uuid}"}
        extract: {token: "json:/token"}
      - think: 60ms..120ms
      - get: /items
      - think: 60ms..120ms
      - post: /logout/{token}
        name: POST /logout
""", probe=claims)


@cause("a service opens connections to its database when it needs them, one after another, in 0.15 to 0.2 s each", "slow-start",
       "cold-starts", "slow-first-request", "slow-period", meaning="the first requests are slow")
def pool_opens_connections(dice: Random) -> Iterator[Bed]:
    seconds = pick(dice, 0.15, 0.2)
    free: asyncio.LifoQueue[int] = asyncio.LifoQueue()
    opened = 0
    opening: asyncio.Task[None] | None = None

    async def opens() -> None:
        nonlocal opened, opening
        await asyncio.sleep(seconds)
        opened += 1
        opening = None
        free.put_nowait(opened)

    async def connection() -> int:
        nonlocal opening
        if free.empty() and opened < 12 and opening is None:
            opening = asyncio.create_task(opens())
        return await free.get()

    async def answer(asked: Asked) -> bool:
        one = await connection()
        await some(15, 35)
        free.put_nowait(one)
        return await asked.say()

    with answering(answer) as url:
        yield Bed(url, f"--phases peak=1:for:8s -c 150 --rate {dice.randint(110, 150)}/s {engine(dice)}--get /items --post /orders --body order", truth=Truth(
            lambda all: [("first", Answers(all.all[:5]).slowest, 1000 * seconds, 8000 * seconds), ("later", between(all, 2, 4).median, 15, 60)]))


@cause("who uses one of 300 to 400 tenants for the first time waits 0.4 to 0.6 s for its settings", "two-speeds", "cold-starts", "slow-start",
       meaning="the first request of each tenant is slow")
def first_use_of_a_tenant(dice: Random) -> Iterator[Bed]:
    tenants = dice.randint(300, 400)
    loaded: dict[str, asyncio.Task[None]] = {}

    async def answer(asked: Asked) -> bool:
        tenant = asked.path.split("/")[2] if asked.path.startswith("/tenants/") else ""
        if tenant:
            if tenant not in loaded:
                loaded[tenant] = asyncio.ensure_future(some(400, 600))
            await asyncio.shield(loaded[tenant])
        await some(5, 15)
        return await asked.say()

    with answering(answer) as url:
        yield Bed(url, peak(7) + f"-c 150 --rate '{dice.randint(70, 90)} journeys/s' {engine(dice)}", plan=f"""
scenarios:
  - name: items
    steps:
      - get: "/tenants/{{random:1..{tenants}}}/items"
        name: GET /tenants/ID/items
""", truth=Truth(lambda all: [("first", all.all[0].ms, 400, 700), ("last", all.all[-1].ms, 5, 60)], paths=("/tenants/1/items",), users=1))


# Databases, brokers and disks.


@cause("a primary database is replaced: for 1.5 to 2.1 s what stores something fails, as the other one is read-only yet: 500", "outage", "restarts",
       meaning="one operation fails for a while")
def read_only_for_a_while(dice: Random) -> Iterator[Bed]:
    begin = pick(dice, 3, 3.6)
    end = begin + pick(dice, 1.5, 2.1)
    clock = Clock()

    async def answer(asked: Asked) -> bool:
        now = clock()
        await some(5, 14)
        return await (asked.say(b"cannot execute INSERT in a read-only transaction", 500) if asked.method == "POST" and begin < now < end else asked.say())

    with answering(answer) as url:
        yield Bed(url, peak(7) + f"-c 60 --rate {dice.randint(80, 140)}/s {engine(dice)}--get /items --post /orders --body order --get /prices", truth=Truth(
            lambda all: [("before", between(all, 0, begin - 0.1).failed, 0, 0), ("meanwhile", between(all, begin + 0.1, end - 0.1).status(500), 1, 1),
                         ("after", between(all, end + 0.1, 7).failed, 0, 0)], seconds=7, method="POST", body=5))


@cause("a producer's buffer is full above what its broker takes; then each event waits 0.3 to 0.5 s, and a third fails: 500", "failures-with-load", "gives-up",
       "saturation", meaning="it fails under load")
def producer_buffer_is_full(dice: Random) -> Iterator[Bed]:
    rate, seconds = dice.randint(60, 90), pick(dice, 0.3, 0.5)
    room = asyncio.Semaphore(rate // 2)
    taken = 0.0

    async def answer(asked: Asked) -> bool:
        nonlocal taken
        await some(2, 6)
        try:
            async with asyncio.timeout(seconds):
                await room.acquire()
        except TimeoutError:
            return await asked.say(b"no room in the buffer", 500)
        now = time.monotonic()
        taken = max(now, taken) + 1 / rate
        asyncio.get_running_loop().call_later(taken - now, room.release)
        return await asked.say(b"", 202)

    with answering(answer) as url:
        yield Bed(url, f"--phases few=0.4:for:3s,peak=1:for:6s -c 250 --rate {round(1.5 * rate)}/s {engine(dice)}"
                  "--post /events --body click --post /views --body page", truth=Truth(
            lambda all: [("500", between(all, 2, 5).status(500), 0.1, 0.7), ("202", len(all.all) * all.status(202) / 5, 0.7 * rate, 1.4 * rate)],
            users=70, think=0.1, method="POST", body=5, seconds=5))


@cause("a disk stores 90 to 110 orders a second, and the rate of orders and pages rises above it", "ramp-knee", "saturation",
       meaning="it handles no more than that")
def disk_under_a_ramp(dice: Random) -> Iterator[Bed]:
    ms = dice.randint(18, 22)
    with dice.choice((server.go, server.java))(rule(method="POST", pool=2, ms=ms), rule(ms=(3, 8))) as url:
        yield Bed(url, f"--phases 'warmup=1 for 1s at 20/s, peak=1 for 9s at 20/s..{round(3.4 * 2000 / ms)}/s' -c 300 {engine(dice)}"
                  "--post /orders --body order --get /items", truth=Truth(
            lambda all: [("a second", len(all.all) / 4, 1500 / ms, 2050 / ms)], users=10, think=0, method="POST", body=5))


@cause("two editors of a document at once: who saves second is refused, 412", "failures-with-load", meaning="it fails under load")
def documents_change_meanwhile(dice: Random) -> Iterator[Bed]:
    versions = [1] * dice.randint(40, 50)

    async def answer(asked: Asked) -> bool:
        await some(5, 15)
        path, _, version = asked.path.partition("?version=")
        number = int(path.rpartition("/")[2] or 1) - 1
        if asked.method == "GET":
            return await asked.say(f'{{"id": {number + 1}, "version": {versions[number]}}}'.encode())
        if int(version) != versions[number]:
            return await asked.say(b"it has changed", 412)
        versions[number] += 1
        return await asked.say()

    with answering(answer) as url:
        yield Bed(url, f"--phases few=0.1:for:4s,peak=1:for:5s -c {dice.choice((30, 40))} {engine(dice)}", plan=f"""
scenarios:
  - name: edit
    steps:
      - get: "/documents/{{random:1..{len(versions)}}}"
        name: GET /documents/ID
        extract: {{id: "json:/id", version: "json:/version"}}
      - think: 100ms..300ms
      - put: "/documents/{{id}}?version={{version}}"
        name: PUT /documents/ID
        body: text
        onFailure: continue
      - think: 50ms..100ms
""", probe=lambda: [("first", said(url, f"/documents/2?version={versions[1]}", "PUT", b"x")[0], 200, 200),
                    ("second", said(url, "/documents/2?version=1", "PUT", b"x")[0], 412, 412)])


@cause("what is sold runs out in the middle: 409 for each order from then on", "outage", "steady-failures", meaning="one operation fails from then on")
def sold_out(dice: Random) -> Iterator[Bed]:
    rate = dice.randint(80, 120)
    stock = round(rate / 3 * pick(dice, 4, 5))

    async def answer(asked: Asked) -> bool:
        nonlocal stock
        await some(5, 15)
        if asked.method == "GET":
            return await asked.say()
        stock -= 1
        return await (asked.say() if stock >= 0 else asked.say(b"sold out", 409))

    with answering(answer) as url:
        yield Bed(url, peak(8) + f"-c 60 --rate {rate}/s {engine(dice)}{dice.choice(('', '--arrivals poisson '))}"
                  "--get /items --get /prices --post /orders --body order", truth=Truth(
            lambda all: [("first", Answers(all.all[:50]).failed, 0, 0), ("last", Answers(all.all[-50:]).status(409), 1, 1)], method="POST", body=5, users=6))


# Proxies, names and balancers.


@cause("a gateway remembers for 1 to 1.6 s that a name couldn't be looked up, twice: 502 for one of two operations", "outage", "bad-gateway", "restarts",
       meaning="an operation fails for a while")
def failed_look_up_is_remembered(dice: Random) -> Iterator[Bed]:
    first, second = pick(dice, 2.4, 2.8), pick(dice, 5.6, 6)
    times = [(first, first + pick(dice, 1, 1.6)), (second, second + pick(dice, 1, 1.6))]
    clock = Clock()

    async def answer(asked: Asked) -> bool:
        now = clock()
        if asked.path == "/payments" and any(begin < now < end for begin, end in times):
            await some(1, 3)
            return await asked.say(b"could not resolve host", 502)
        await some(8, 20)
        return await asked.say()

    with answering(answer) as url:
        yield Bed(url, peak(8) + f"{users(dice)}--post /payments --body ten --get /items", truth=Truth(
            lambda all: [("meanwhile", between(all, first + 0.1, first + 0.9).status(502), 1, 1), ("else", between(all, 0, first - 0.1).failed, 0, 0)],
            paths=("/payments",), seconds=5))


@cause("nginx sends a third to an instance that isn't ready for its first 4 to 5 s: 502", "bad-gateway", "restarts",
       meaning="a share fails for a while")
def not_ready_yet(dice: Random) -> Iterator[Bed]:
    ready = dice.randint(4000, 5000)
    with contextlib.ExitStack() as stack:
        urls = [stack.enter_context(server.go(*options, rule(ms=(6, 18)))) for options in ([], [], [option(down=(0, ready))])]
        url = stack.enter_context(faults.nginx(
            "upstream all { " + " ".join(f"server {one[7:-1]} max_fails=0;" for one in urls) + " }",
            "location / { proxy_next_upstream off; proxy_pass http://all; }"))
        yield Bed(url, peak(8) + model(dice, (80, 120)) + "--get /items --get /prices", truth=Truth(
            lambda all: [("502", between(all, 0.5, ready / 1000 - 0.5).status(502), 0.2, 0.5), ("later", between(all, ready / 1000 + 0.5, 7).failed, 0, 0.02)],
            seconds=7))


@cause("nginx ends streams that say nothing for 0.5 to 0.7 s, which one in three does at times", "truncated-bodies", "gives-up", "steady-failures",
       meaning="streams end before their last event")
def silent_streams(dice: Random) -> Iterator[Bed]:
    limit, count = dice.randint(500, 700), dice.randint(8, 12)

    async def answer(asked: Asked) -> bool:
        asked.writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
        silent = random.randint(2, 3 * count)
        for number in range(1, count + 1):
            await (some(900, 1300) if number == silent else some(40, 90))
            event = f"id: {number}\ndata: {{\"number\":{number}}}\n\n".encode()
            asked.writer.write(f"{len(event):x}\r\n".encode() + event + b"\r\n")
            await asked.writer.drain()
        asked.writer.write(b"0\r\n\r\n")
        return True

    with answering(answer) as behind, faults.nginx(
            "", f"location / {{ proxy_http_version 1.1; proxy_buffering off; proxy_read_timeout {limit}ms; proxy_pass {behind[:-1]}; }}") as url:
        yield Bed(url, peak(8) + f"-c {dice.randint(15, 30)} --think 50ms..150ms {engine(dice)}"
                  f"--get /events --event-stream 'events count={count}'", truth=Truth(
            lambda all: [("cut off", all.failed, 0.1, 0.6)], users=15))


@cause("an account may have 8 to 12 streams of events open: 429 for more", "rate-limit", "failures-with-load", meaning="a limit of concurrency")
def streams_of_an_account(dice: Random) -> Iterator[Bed]:
    most = dice.randint(8, 12)
    streams = 0

    async def answer(asked: Asked) -> bool:
        nonlocal streams
        if streams >= most:
            await some(1, 4)
            return await asked.say(b"too many streams", 429)
        streams += 1
        try:
            asked.writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
            for number in range(8):
                await some(50, 120)
                event = f"id: {number}\ndata: {{\"number\":{number}}}\n\n".encode()
                asked.writer.write(f"{len(event):x}\r\n".encode() + event + b"\r\n")
                await asked.writer.drain()
            asked.writer.write(b"0\r\n\r\n")
            return True
        finally:
            streams -= 1

    with answering(answer) as url:
        yield Bed(url, peak(7) + f"-c {2 * most} --think 300ms..600ms {engine(dice)}--get /events --event-stream 'events count=8'", truth=Truth(
            lambda all: [("429", all.status(429), 0.1, 0.9), ("200", len(all.all) * all.status(200), 10, 200)], users=2 * most, think=0.3))


@cause("nginx takes addresses of a kilobyte, and one in six searches is longer: 414", "steady-failures", meaning="a constant share is refused")
def searches_too_long(dice: Random) -> Iterator[Bed]:
    words = ["+".join(dice.choice(("red", "green", "large", "wool", "shirt")) for _ in range(dice.randint(2, 60))) for _ in range(50)]
    long = [f"{'ids=' + ','.join(str(dice.randint(10_000, 99_999)) for _ in range(dice.randint(220, 400)))}" for _ in range(10)]
    searches = words + long
    dice.shuffle(searches)
    with rows("q", [f'"{one}"' for one in searches]) as file, server.node(rule(ms=(8, 25), bytes=900)) as behind, faults.nginx(
            "client_header_buffer_size 512; large_client_header_buffers 4 1k;", f"location / {{ proxy_pass {behind[:-1]}; }}") as url:
        yield Bed(url, peak(7) + f"-c 60 --rate '{dice.randint(50, 80)} journeys/s' {engine(dice)}", plan=f"""
data:
  searches: {{csv: {file}}}
scenarios:
  - name: search
    steps:
      - get: "/search?q={{searches.q}}"
        name: GET /search
""", probe=lambda: [("short", said(url, f"/search?q={words[0]}")[0], 200, 200), ("long", said(url, f"/search?q={long[0]}")[0], 414, 414)])


@cause("HAProxy expects the PROXY protocol of its clients, and a test connects directly", "always-closed", "resets",
       meaning="every connection is closed at once")
def proxy_protocol_expected(dice: Random) -> Iterator[Bed]:
    with server.go(rule(ms=(4, 12))) as behind, server.haproxy(f"listen all\n  bind LISTEN accept-proxy\n  server one {behind[7:-1]}") as url:
        header = b"PROXY TCP4 127.0.0.1 127.0.0.1 4000 80\r\n"
        request = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"
        yield Bed(url, peak(3) + f"{users(dice)}--get /items --get /prices", probe=lambda: [
            ("without", len(reply(url, request)), 0, 0), ("with", reply(url, header + request).startswith(b"HTTP/1.1 200"), 1, 1)])


@cause("http:// to a port that speaks TLS: 400", "wrong-request", "always-fails", meaning="another protocol is spoken there")
def plain_to_tls(dice: Random) -> Iterator[Bed]:
    with server.go(option(tls=1), rule(ms=(4, 12))) if dice.random() < 0.5 else faults.nginx(
            "", "location / { return 200 ok; }", tls="-newkey ec -pkeyopt ec_paramgen_curve:prime256v1") as url:
        yield Bed(f"http{url[5:]}", peak(3) + f"{users(dice)}--get /items --get /prices", probe=lambda: [
            ("plain", reply(url, b"GET / HTTP/1.1\r\nHost: a\r\n\r\n").startswith(b"HTTP/1.1 200"), 0, 0), ("TLS", took([], "curl", "-skf", url), 0, 5000)])


@cause("a proxy makes no tunnels to the port of a test's target: 403", "wrong-request", "credentials", "always-fails",
       meaning="the proxy refuses every tunnel")
def tunnels_refused(dice: Random) -> Iterator[Bed]:
    async def refuse(asked: Asked) -> bool:
        await some(1, 4)
        return await asked.say(b"this port isn't allowed", 403)

    with server.go(option(tls=1), rule(ms=(4, 12))) as url, answering(refuse) as proxy:
        yield Bed(url, peak(3) + f"-k --keep-going {users(dice)}--proxy {proxy[:-1]} --get /items --get /prices", probe=lambda: [
            ("by the proxy", took([], "curl", "-skf", "--noproxy", "", "-x", proxy, url), -1, -1),
            ("directly", took([], "curl", "-skf", "--noproxy", "*", url), 0, 5000)])


@cause("after a log-in, nginx redirects to the service's name without its port, where nobody is", "unfollowed-redirects",
       meaning="redirects lead nowhere")
def redirect_loses_the_port(dice: Random) -> Iterator[Bed]:
    with faults.nginx("", "location = /login { return 302 http://localhost/home; } location / { return 200 ok; }") as url:
        yield Bed(url, peak(5) + f"-c {dice.randint(8, 20)} {engine(dice)}", plan="""
scenarios:
  - name: visit
    session: {cookies: true, redirects: 5}
    steps:
      - get: /
      - think: 30ms..80ms
      - post: /login
        form: {user: "{uuid}"}
        onFailure: continue
      - think: 30ms..80ms
      - get: /account
""", probe=lambda: [("log in", said(url, "/login", "POST", b"a=b")[0], 302, 302), ("page", said(url, "/account")[0], 200, 200)])


@cause("a site takes a test for a robot: after 280 to 500 pages it sends a puzzle instead, with 200", "outage", "steady-failures",
       meaning="checks fail from then on")
def puzzle_for_robots(dice: Random) -> Iterator[Bed]:
    rate = dice.randint(70, 100)
    pages = round(rate * pick(dice, 4, 5))
    count = 0

    async def answer(asked: Asked) -> bool:
        nonlocal count
        count += 1
        await some(8, 25)
        return await asked.say(b"<html>Are you a robot?</html>" if count > pages else b'<html><b class="price">7.50</b></html>')

    with answering(answer) as url:
        yield Bed(url, peak(8) + f"-c 60 --rate {rate}/s {engine(dice)}--expect body~price --get /items/7 --get /items/8", truth=Truth(
            lambda all: [("first", all.all[0].size, 38, 38), ("failed", all.failed, 0, 0), ("last", all.all[-1].size, 29, 29)], users=8, seconds=5))


# Sessions and wrong tests.


@cause("the store of sessions is emptied in the middle: 401 for all who are logged in, until they log in again", "restarts", "outage",
       meaning="it fails for a while")
def sessions_are_lost(dice: Random) -> Iterator[Bed]:
    at = pick(dice, 3.8, 4.6)
    sessions: set[str] = set()
    number = 0
    emptied = False
    clock = Clock()

    async def answer(asked: Asked) -> bool:
        nonlocal number, emptied
        if clock() > at and not emptied:
            emptied = True
            sessions.clear()
        await some(4, 12)
        if asked.path == "/login":
            number += 1
            sessions.add(str(number))
            return await asked.say(f'{{"token": {number}}}'.encode())
        return await (asked.say() if asked.path.rpartition("/")[2] in sessions else asked.say(b"log in", 401))

    def claims() -> list[Claim]:
        token = token_of(url)
        before = said(url, f"/account/{token}")[0]
        time.sleep(max(0.0, at + 0.1 - clock()))
        return [("before", before, 200, 200), ("after", said(url, f"/account/{token}")[0], 401, 401),
                ("new", said(url, f"/account/{token_of(url)}")[0], 200, 200)]

    with answering(answer) as url:
        yield Bed(url, peak(8) + f"-c {dice.randint(20, 35)} {engine(dice)}", plan=f"""
scenarios:
  - name: visit
    steps:
      - post: /login
        form: {{user: "{{uuid}}"}}
        extract: {{token: "json:/token"}}
      - repeat: {dice.randint(5, 8)}
        steps:
          - think: 60ms..160ms
          - get: "/account/{{token}}"
            name: GET /account
            onFailure: continue
""", probe=claims)


@cause("one in four to six accounts of a test's file has an old password: 401", "steady-failures", meaning="a constant share can't log in")
def old_passwords(dice: Random) -> Iterator[Bed]:
    every = dice.randint(4, 6)
    names = [f"{'old' if number % every == 0 else 'user'}{number}" for number in range(10 * every)]
    dice.shuffle(names)

    async def answer(asked: Asked) -> bool:
        await some(10, 30)
        return await (asked.say(b"wrong password", 401) if b"user=old" in asked.body else asked.say(b'{"token": 7}'))

    with rows("name", names) as file, answering(answer) as url:
        yield Bed(url, peak(7) + f"-c {dice.randint(12, 24)} {engine(dice)}", plan=f"""
data:
  accounts: {{csv: {file}}}
scenarios:
  - name: visit
    steps:
      - post: /login
        form: {{user: "{{accounts.name}}", password: secret}}
        extract: {{token: "json:/token"}}
      - think: 50ms..150ms
      - get: /account
        headers: {{Authorization: "Bearer {{token}}"}}
      - think: 50ms..150ms
""", probe=lambda: [("old", said(url, "/login", "POST", b"user=old4")[0], 401, 401), ("new", said(url, "/login", "POST", b"user=user5")[0], 200, 200)])


@cause("a site allows 6 to 9 log-ins a second, and nothing else is limited: 429", "rate-limit", meaning="a rate limit of one operation")
def log_ins_are_limited(dice: Random) -> Iterator[Bed]:
    rate = dice.randint(6, 9)
    with server.go(rule(path="/login", bucket=f"{rate}/{rate}", status=429, header="Retry-After:1"), rule(path="/login", ms=(30, 50)), rule(ms=(5, 15))) as url:
        yield Bed(url, peak(8) + f"-c 60 --rate '{2 * rate} journeys/s' {engine(dice)}", plan="""
scenarios:
  - name: visit
    steps:
      - get: /
      - think: 30ms..80ms
      - post: /login
        form: {user: "{uuid}"}
        onFailure: continue
      - think: 30ms..80ms
      - get: /items
""", truth=Truth(lambda all: [("200", len(all.all) * all.status(200) / 4, 0.9 * rate, 1.5 * rate), ("429", all.status(429), 0.3, 1)],
                 paths=("/login",), method="POST"))


SECURE = """
process.stdin.on('end', () => process.exit(0)).resume();
const server = require('node:http').createServer((request, response) => request.resume().on('end', () => setTimeout(() => {
    const known = /session=\\w+/.test(request.headers.cookie ?? '');
    if (request.url === '/login') {
        response.setHeader('Set-Cookie', `session=${Math.random().toString(36).slice(2)}; Path=/; HttpOnly; Secure`);
    } else if (request.url.startsWith('/account') && !known) {
        response.statusCode = 302;
        response.setHeader('Location', '/login');
    }
    response.setHeader('Content-Length', 2);
    response.end('ok');
}, 5 + 12 * Math.random())));
server.listen({port: 0, host: '127.0.0.1', backlog: 1024}, () => console.log(`http://127.0.0.1:${server.address().port}/`));
"""


@cause("a session's cookie is for https:// alone, and a test uses http://: redirects to the log-in", "redirects", meaning="redirects to a log-in page")
def secure_cookie(dice: Random) -> Iterator[Bed]:
    with inline("node", "-e", SECURE) as url:
        yield Bed(url, peak(6) + f"-c {dice.randint(10, 20)} {engine(dice)}", plan="""
scenarios:
  - name: visit
    session: {cookies: true}
    steps:
      - post: /login
        form: {user: "{uuid}", password: secret}
      - think: 40ms..120ms
      - get: /account
      - think: 40ms..120ms
      - get: /account/orders
""", probe=lambda: [("without", sent(url, 1, path="/account")[0][0], 302, 302), ("with", sent(url, 1, path="/account", Cookie="session=a")[0][0], 200, 200)])


@cause("a form's token is good for one post, and a test sends it twice: 403", "steady-failures", meaning="a constant share is refused")
def form_token_twice(dice: Random) -> Iterator[Bed]:
    tokens: set[str] = set()
    number = 0

    async def answer(asked: Asked) -> bool:
        nonlocal number
        await some(5, 18)
        if asked.method == "GET":
            number += 1
            tokens.add(str(number))
            return await asked.say(f'{{"token": {number}}}'.encode())
        token = asked.path.rpartition("/")[2]
        if token not in tokens:
            return await asked.say(b"the form has expired", 403)
        tokens.discard(token)
        return await asked.say()

    def claims() -> list[Claim]:
        token = token_of(url, "/form", "GET")
        return [("first", said(url, f"/comments/{token}", "POST")[0], 200, 200), ("second", said(url, f"/comments/{token}", "POST")[0], 403, 403)]

    with answering(answer) as url:
        yield Bed(url, peak(6) + f"-c {dice.randint(10, 20)} {engine(dice)}", plan="""
scenarios:
  - name: comment
    steps:
      - get: /form
        extract: {token: "json:/token"}
      - repeat: 2
        steps:
          - think: 40ms..120ms
          - post: "/comments/{token}"
            name: POST /comments
            body: nice
            onFailure: continue
""", probe=claims)


@cause("a test waits a second for reports that are made while they are sent, and some of them last up to 1.5 s", "timeout-too-short",
       meaning="the timeout cuts off slow responses")
def reports_beyond_the_timeout(dice: Random) -> Iterator[Bed]:
    parts = dice.randint(8, 20)

    async def answer(asked: Asked) -> bool:
        asked.writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/csv\r\nTransfer-Encoding: chunked\r\n\r\n")
        gap = random.triangular(0.4, 1.5, 0.6) / parts
        for _ in range(parts):
            await asyncio.sleep(gap)
            asked.writer.write(b"64\r\n" + 100 * b"x" + b"\r\n")
            await asked.writer.drain()
        asked.writer.write(b"0\r\n\r\n")
        return True

    with answering(answer) as url:
        yield Bed(url, peak(8) + f"-c {dice.randint(20, 40)} --think 50ms..150ms --timeout 1s {engine(dice)}"
                  "--get /reports/week --get /reports/month", truth=Truth(
            lambda all: [("longer", all.slower(1000), 0.1, 0.6), ("longest", all.slowest, 1100, 1800), ("failed", all.failed, 0, 0)], users=15))


MIXED_UP = """
let user;
process.stdin.on('end', () => process.exit(0)).resume();
const server = require('node:http').createServer((request, response) => {
    user = request.url.split('/').pop();
    setTimeout(() => {
        const body = `{"user": ${user}}`;
        response.setHeader('Content-Length', body.length);
        response.end(body);
    }, 2);
});
server.listen({port: 0, host: '127.0.0.1', backlog: 1024}, () => console.log(`http://127.0.0.1:${server.address().port}/`));
"""


@cause("a Node server keeps the user in a global variable: at the same moment, users get the data of others", "failures-with-load",
       meaning="answers are wrong under load")
def users_are_mixed_up(dice: Random) -> Iterator[Bed]:
    with inline("node", "-e", MIXED_UP) as url:
        yield Bed(url, f"--phases few=0.1:for:4s,peak=1:for:5s -c {dice.choice((20, 30))} {engine(dice)}", plan="""
scenarios:
  - name: visit
    steps:
      - get: "/me/{user}"
        name: GET /me
        checks: json:/user={user}
        onFailure: continue
      - think: 60ms..140ms
""", probe=lambda: [("alone", said(url, "/me/5") == (200, b'{"user": 5}'), 1, 1)])


@cause("a gateway tells replies apart by the millisecond of their request: of two in the same one, the first gets none", "unanswered", "steady-failures",
       "failures-with-load", meaning="requests are lost")
def same_millisecond(dice: Random) -> Iterator[Bed]:
    waiting: dict[int, asyncio.Future[None]] = {}
    # Or those that get no reply would be collected as garbage.
    kept: list[asyncio.Future[None]] = []

    def arrived(one: int) -> None:
        if future := waiting.pop(one, None):
            future.set_result(None)

    async def answer(asked: Asked) -> bool:
        one = int(time.monotonic() * 1000)
        mine = waiting[one] = asyncio.get_running_loop().create_future()
        kept.append(mine)
        asyncio.get_running_loop().call_later(random.uniform(0.01, 0.03), arrived, one)
        await mine
        return await asked.say()

    with answering(answer) as url:
        yield Bed(url, peak(7) + f"-c 150 --rate {dice.randint(90, 140)}/s --arrivals poisson --timeout {dice.randint(600, 900)}ms {engine(dice)}"
                  "--get /quotes --post /orders --body order", truth=Truth(
            lambda all: [("lost", all.share(lambda one: one.problem == "TimeoutError"), 0.005, 0.6)], users=10, think=0.02, timeout=0.5))


# Deployments.


@cause("a new version takes over twice, and the old one ends at once with what is under way", "restarts", "resets", meaning="short bursts of failures")
def ends_with_what_is_under_way(dice: Random) -> Iterator[Bed]:
    at = [pick(dice, 2.6, 3.2), pick(dice, 5.4, 6)]
    all_open: set[asyncio.StreamWriter] = set()
    busy: set[asyncio.StreamWriter] = set()
    begun = False

    def end_all() -> None:
        for writer in list(all_open):
            reset(writer) if writer in busy else writer.close()
        all_open.clear()

    async def answer(asked: Asked) -> bool:
        nonlocal begun
        if not begun:
            begun = True
            for seconds in at:
                asyncio.get_running_loop().call_later(seconds, end_all)
        busy.add(asked.writer)
        try:
            await (some(150, 350) if asked.method == "POST" else some(20, 50))
        finally:
            busy.discard(asked.writer)
        return await asked.say()

    with answering(answer, all_open.add) as url:
        yield Bed(url, peak(8) + model(dice, (60, 90)) + "--post /orders --body order --get /items", truth=Truth(
            lambda all: [("lost", len(all.all) * all.failed, 4, 30), ("else", between(all, 0, at[0] - 0.4).failed, 0, 0)],
            users=12, method="POST", body=5, seconds=7))


@cause("one of three instances has a new certificate, which a test doesn't trust", "new-connections", "steady-failures",
       meaning="some connections can't be made")
def one_untrusted_instance(dice: Random) -> Iterator[Bed]:
    with contextlib.ExitStack() as stack:
        urls = [stack.enter_context(server.go(option(tls=1), rule(ms=(15, 30)))) for _ in range(3)]
        trusted = stack.enter_context(tempfile.NamedTemporaryFile("w", suffix=".pem"))
        trusted.write("".join(ssl.get_server_certificate(("127.0.0.1", server.port(one))) for one in urls[:2]))
        trusted.flush()
        servers = "".join(f"\n  server s{number} {one[8:-1]}" for number, one in enumerate(urls))
        url = stack.enter_context(server.haproxy(f"listen all\n  mode tcp\n  bind LISTEN\n  balance roundrobin{servers}"))
        yield Bed(f"https{url[4:]}", peak(7) + f"-H Connection:close --cacert {trusted.name} -c {dice.randint(8, 14)} --think {dice.randint(60, 120)}ms "
                  f"{engine(dice)}--get /items --get /prices", probe=lambda: [
            ("trusted of nine", sum(took([], "curl", "-sf", "--cacert", trusted.name, f"https{url[4:]}") >= 0 for _ in range(9)), 6, 6)])


@cause("a certificate is for another name", "no-tls", meaning="no handshake succeeds")
def certificate_of_another_name(dice: Random) -> Iterator[Bed]:
    with faults.nginx("", "location / { return 200 ok; }",
                      tls="-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -addext subjectAltName=DNS:shop.example") as url:
        file = f"/tmp/phaseload-nginx-{os.getpid()}/cert.pem"
        other = f"https://shop.example:{server.port(url)}/"
        yield Bed(url, peak(3) + f"--keep-going --cacert {file} {users(dice)}--get /items", probe=lambda: [
            ("address", took([], "curl", "-sf", "--cacert", file, url), -1, -1),
            ("name", took([], "curl", "-sf", "--cacert", file, "--connect-to", f"::127.0.0.1:{server.port(url)}", other), 0, 5000)])


@cause("HAProxy makes 25 to 40 TLS handshakes a second, and a test needs more", "tls-handshakes", "saturation", "contention", "serial-work",
       meaning="handshakes wait for each other")
def tls_rate(dice: Random) -> Iterator[Bed]:
    rate = dice.randint(25, 40)
    with tempfile.TemporaryDirectory() as folder, server.go(rule(ms=(5, 12))) as behind:
        key, cert = server.certificate(folder)
        both = Path(folder, "both.pem")
        both.write_text(Path(cert).read_text() + Path(key).read_text())
        with server.haproxy(f"global\n  maxsslrate {rate}\nlisten all\n  bind LISTEN ssl crt {both}\n  server one {behind[7:-1]}") as url:
            yield Bed(f"https{url[4:]}", peak(7) + f"-k -H Connection:close -c {dice.randint(15, 25)} --think 20ms..60ms {engine(dice)}"
                      "--get /items --get /prices", truth=Truth(lambda all: [("a second", len(all.all) / 4, 0.6 * rate, 1.4 * rate)], close=True, users=20))


# Protocols and ways.


@cause("an HTTP/2 server says GOAWAY to connections with more than 60 to 90 requests in a second, and closes them", "resets", "keep-alive-limit",
       "steady-failures", meaning="connections are closed in use")
def enhance_your_calm(dice: Random) -> Iterator[Bed]:
    most = dice.randint(60, 90)

    async def answer(writer: asyncio.StreamWriter, stream: int) -> None:
        await some(5, 15)
        if not writer.is_closing():
            writer.write(frame(1, 4, stream, b"\x88") + frame(0, 1, stream, b"ok"))

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        answers = set()
        times: list[float] = []
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            await reader.readexactly(24)
            writer.write(frame(4, 0, 0))
            while True:
                head = await reader.readexactly(9)
                payload = await reader.readexactly(int.from_bytes(head[:3], "big"))
                kind, flags, stream = head[3], head[4], int.from_bytes(head[5:], "big")
                if kind in (4, 6) and not flags & 1:
                    writer.write(frame(kind, 1, 0, payload if kind == 6 else b""))
                if kind in (0, 1) and flags & 1:
                    now = time.monotonic()
                    times = [one for one in times if one > now - 1] + [now]
                    if len(times) > most:
                        writer.write(frame(7, 0, 0, stream.to_bytes(4, "big") + (11).to_bytes(4, "big")))
                        await writer.drain()
                        break
                    answers.add(asyncio.create_task(answer(writer, stream)))
        writer.close()

    with faults._listening(serve) as port:  # noqa: SLF001
        url = f"http://127.0.0.1:{port}/"
        yield Bed(url, peak(7) + f"--engine events --http2 --streams 4 -c {dice.choice((8, 12, 16))} --think 10ms..30ms --get /items --get /prices",
                  probe=lambda: [("ten at once", server.streams_ms(url, 10), 3, 1500),
                                 ("too many", took([], server._built(), "ask", url, str(most + 40)), -1, -1)])  # noqa: SLF001


@cause("a test's HTTP/2 windows have the 64 KiB that they begin with, on a way of 120 ms", "bandwidth", meaning="a limit of bandwidth")
def small_windows(dice: Random) -> Iterator[Bed]:
    size = dice.randint(200_000, 300_000)
    with faults.network() as inside, faults.delays(inside, lambda: 0.06) as address, \
            server.go(option(address="10.99.0.1:0"), rule(ms=(2, 5), bytes=size), under=inside) as url:
        yield Bed(url.replace("10.99.0.1", address), peak(8) + f"--engine events --http2 --streams 1 --windows 65535,65535 -c {dice.randint(6, 10)} "
                  "--get /page --get /image", inside, probe=lambda: [
            ("fetched", took(inside, "curl", "-sf", "--http2-prior-knowledge", url.replace("10.99.0.1", address)), 300, 4000)])


@cause("a switch is restarted in the middle: no packet passes for 1.2 to 1.8 s", "standstill", "outage", "slow-period",
       meaning="nothing is answered for a while")
def switch_is_restarted(dice: Random) -> Iterator[Bed]:
    table = "nft add table ip t && nft add chain ip t c '{ type filter hook input priority 0 ; policy accept ; }'"
    with faults.network(table) as inside, server.go(rule(ms=(6, 18)), under=inside) as url:
        def cut() -> None:
            subprocess.run([*inside, "nft", "add", "rule", "ip", "t", "c", "tcp", "sport", "1-65535", "drop"], check=True)
            time.sleep(length)
            subprocess.run([*inside, "nft", "flush", "chain", "ip", "t", "c"], check=True)

        length = pick(dice, 1.2, 1.8)
        with later(5, cut):
            yield Bed(url, f"--phases warmup=1:for:1s,peak=1:for:10s -c {dice.randint(10, 20)} --think 20ms..60ms {engine(dice)}"
                      "--get /items --post /orders --body order", inside, truth=Truth(
                lambda all: [("longest", all.slowest, 1000 * length - 300, 4500), ("median", all.median, 6, 60)], seconds=9))


@cause("a download fills the queue of a link of 12 to 16 Mbit/s for 2 s", "slow-period", "bandwidth", "jitter", meaning="it is slow for a while")
def queue_of_a_link(dice: Random) -> Iterator[Bed]:
    mbit = dice.randint(12, 16)
    with faults.network("ip link set lo mtu 1500", f"tc qdisc add dev lo root tbf rate {mbit}mbit burst 16k limit 500k") as inside, \
            server.go(rule(path="/backup", bytes=20_000_000, status=200), rule(ms=(4, 12), bytes=2000), under=inside) as url:
        def load() -> None:
            subprocess.run([*inside, "curl", "-s", "--max-time", "2.2", "-o", "/dev/null", f"{url}backup"], check=False)

        with later(5, load):
            yield Bed(url, f"--phases warmup=1:for:1s,peak=1:for:9s -c 100 --rate {dice.randint(60, 90)}/s {engine(dice)}--get /items --get /prices", inside,
                      truth=Truth(lambda all: [("before", between(all, 0, 4).median, 4, 40), ("slow", all.slower(100), 0.02, 0.6)], seconds=8))


# Where nobody is.


@cause("a service listens on the loopback's first address alone, and a test asks another one of the same machine", "nothing-listens",
       meaning="no connection is made")
def only_on_loopback(dice: Random) -> Iterator[Bed]:
    with dice.choice((server.go, server.node))(rule(ms=(4, 12))) as url:
        yield Bed(url.replace("127.0.0.1", "127.0.0.9"), peak(3) + f"--keep-going {users(dice)}--get /items --get /prices", probe=lambda: [
            ("there", took([], "curl", "-sf", url), 0, 5000), ("elsewhere", took([], "curl", "-sf", url.replace("127.0.0.1", "127.0.0.9")), -1, -1)])


@cause("a security group lets nobody in to the service's port", "no-connection", meaning="no connection is made")
def security_group(dice: Random) -> Iterator[Bed]:
    table = "nft add table ip t && nft add chain ip t c '{ type filter hook input priority 0 ; policy accept ; }'"
    with faults.network(table) as inside, server.go(rule(ms=(4, 12)), under=inside) as url:
        subprocess.run([*inside, "nft", "add", "rule", "ip", "t", "c", "tcp", "dport", str(server.port(url)), "drop"], check=True)
        yield Bed(url, peak(4) + f"--keep-going --connect-timeout {dice.randint(600, 900)}ms {users(dice)}--get /items --get /prices", inside, probe=lambda: [
            ("let in", took(inside, "curl", "-sf", "--max-time", "1", url), -1, -1)])


@cause("a service is in another namespace, so its short name isn't known there", "unknown-host", meaning="the name isn't known")
def other_namespace(dice: Random) -> Iterator[Bed]:
    full = "orders.shop.svc.cluster.local"
    search = "nameserver 127.0.0.79\nsearch web.svc.cluster.local svc.cluster.local cluster.local\noptions ndots:5\n"
    with server.go(rule(ms=(4, 12))) as url, faults.name_server("127.0.0.79", 0, only=full), faults.own_files(resolv_conf=search) as under:
        short = url.replace("127.0.0.1", "orders")
        yield Bed(short, peak(3) + f"--keep-going {users(dice)}--get /items --get /prices", under, probe=lambda: [
            ("short", took(under, "curl", "-sf", short), -1, -1),
            ("with its namespace", took(under, "curl", "-sf", short.replace("orders", "orders.shop")), 0, 5000)])


@cause("a test's connections live for 20 ms, and each of 600 local ports rests for a minute after that", "client-limit", meaning="the client has no ports left")
def ports_at_rest(dice: Random) -> Iterator[Bed]:
    low = dice.randint(20, 30) * 1000
    with faults.network(f"echo '{low} {low + 599}' > /proc/sys/net/ipv4/ip_local_port_range", "echo 0 > /proc/sys/net/ipv4/tcp_tw_reuse") as inside, \
            server.go(rule(ms=(4, 12)), under=inside) as url:
        yield Bed(url, peak(6) + f"--client httpclient --pool user --pool-time-to-live 20ms -c {dice.randint(8, 14)} --think 40ms..80ms "
                  "--get /items --get /prices", inside, probe=lambda: [("fetched", took(inside, "curl", "-sf", url), 0, 5000)])


# Messages over WebSocket.


@cause("a gateway takes messages, but has lost the bus to their receivers", "never-delivered", "never-answered", meaning="no message arrives")
def bus_is_lost(dice: Random) -> Iterator[Bed]:
    async def lose() -> bool:
        return False

    with echoing(lose) as url:
        yield Bed(f"ws{url[4:]}rooms/{{pair}}?mode=echo",
                  peak(4) + f"--subscribers 0 --timeout 1s -c {dice.randint(10, 30)} --rate '{dice.randint(30, 90)} messages/s'",
                  probe=lambda: [("arrived", message_ms(url, 2, seconds=0.5), -1, -1)])


@cause("a gateway of messages writes a snapshot of all rooms every 1.2 to 1.7 s, and stands still for 0.25 to 0.35 s", "periodic-stalls", "standstill",
       meaning="all messages wait at even distances")
def snapshots_of_rooms(dice: Random) -> Iterator[Bed]:
    every, length = pick(dice, 1.2, 1.7), pick(dice, 0.25, 0.35)
    clock = Clock()

    async def work() -> None:
        await some(2, 8)
        into = clock() % every
        if into > every - length:
            await asyncio.sleep(every - into)

    def claims() -> list[Claim]:
        message_ms(url, 1)
        time.sleep(every - length + 0.05 - clock() % every)
        return [("meanwhile", message_ms(url, 3), 1000 * length - 150, 1000 * length + 150), ("after", message_ms(url, 3), 2, 200)]

    with echoing(work) as url:
        yield Bed(f"ws{url[4:]}rooms/{{pair}}?mode=echo", peak(8) + f"--subscribers 0 -c {dice.randint(40, 80)} --rate '{dice.randint(90, 180)} messages/s'",
                  probe=claims)


# Healthy, though it may look otherwise.


@clean("a gateway asks a second instance if the first one takes more than 40 ms: no answer takes long")
def asked_twice(dice: Random) -> Iterator[Bed]:
    async def answer(asked: Asked) -> bool:
        await asyncio.sleep(min(random.lognormvariate(3, 0.6), 40 + random.lognormvariate(3, 0.6)) / 1000)
        return await asked.say()

    with answering(answer) as url:
        yield Bed(url, peak(6) + model(dice, (80, 140)) + "--get /items --get /prices")


@clean("HAProxy keeps users at one of three instances by a cookie")
def kept_by_a_cookie(dice: Random) -> Iterator[Bed]:
    with contextlib.ExitStack() as stack:
        urls = [stack.enter_context(server.go(rule(ms=(8, 24), bytes=1200))) for _ in range(3)]
        servers = "".join(f"\n  server s{number} {one[7:-1]} cookie s{number}" for number, one in enumerate(urls))
        url = stack.enter_context(server.haproxy(f"listen all\n  bind LISTEN\n  balance roundrobin\n  cookie AT insert indirect nocache{servers}"))
        yield Bed(url, peak(6) + f"-c {dice.randint(10, 20)} {engine(dice)}", plan="""
scenarios:
  - name: visit
    session: {cookies: true}
    steps:
      - get: /
      - think: 30ms..90ms
      - get: /items
      - think: 30ms..90ms
      - post: /orders
        json: {item: "{uuid}"}
      - think: 30ms..90ms
""")


@clean("messages by WebSocket through nginx, which is set up for it")
def messages_by_nginx(dice: Random) -> Iterator[Bed]:
    with echoing(lambda: some(3, 25)) as behind, faults.nginx(
            "", "location / { proxy_http_version 1.1; proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection upgrade; "
                f"proxy_pass {behind[:-1]}; }}") as url:
        yield Bed(f"ws{url[4:]}rooms/{{pair}}?mode=echo", peak(6) + f"--subscribers 0 -c {dice.randint(20, 50)} --rate '{dice.randint(60, 140)} messages/s'",
                  probe=lambda: [("ten", message_ms(url, 10), 3, 300)])


@clean("streams of events with comments between that keep them alive, through nginx")
def kept_alive_streams(dice: Random) -> Iterator[Bed]:
    count = dice.randint(5, 9)

    async def answer(asked: Asked) -> bool:
        asked.writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
        for number in range(2 * count):
            await some(40, 110)
            event = b": still here\n\n" if number % 2 == 0 else f"id: {number}\ndata: {{\"number\":{number}}}\n\n".encode()
            asked.writer.write(f"{len(event):x}\r\n".encode() + event + b"\r\n")
            await asked.writer.drain()
        asked.writer.write(b"0\r\n\r\n")
        return True

    with answering(answer) as behind, faults.nginx("", f"location / {{ proxy_http_version 1.1; proxy_buffering off; proxy_pass {behind[:-1]}; }}") as url:
        yield Bed(url, peak(7) + f"-c {dice.randint(12, 25)} --think 80ms..200ms {engine(dice)}--get /events --event-stream 'events count={count}'")


@clean("journeys with TLS: a log-in, a form whose token is fetched anew for each post")
def fresh_form_tokens(dice: Random) -> Iterator[Bed]:
    with server.go(option(tls=1), rule(path="/login", ms=(40, 80)), rule(method="POST", ms=(15, 40)), rule(ms=(5, 15), bytes=600)) as url:
        yield Bed(url, peak(7) + f"-k -c {dice.randint(12, 24)} {engine(dice)}", plan="""
scenarios:
  - name: comment
    session: {cookies: true}
    steps:
      - post: /login
        form: {user: "{uuid}", password: secret}
      - repeat: 3
        steps:
          - think: 80ms..250ms
          - get: /form
            extract: {token: "regex:([0-9]{8})"}
          - think: 80ms..250ms
          - post: /comments
            form: {token: "{token}", text: nice}
""")


@clean("journeys that ask for pages again, and get 304, since they haven't changed")
def pages_asked_again(dice: Random) -> Iterator[Bed]:
    with tempfile.TemporaryDirectory() as folder, faults.nginx("", f"root {folder};") as url:
        os.chmod(folder, 0o755)
        for name in ("style", "script", "logo"):
            Path(folder, name).write_bytes(dice.randbytes(dice.randint(3000, 30_000)))
        yield Bed(url, peak(6) + f"-c {dice.randint(8, 16)} {engine(dice)}", plan="""
scenarios:
  - name: visit
    session: {cache: true}
    steps:
      - repeat: 4
        steps:
          - get: /style
          - get: /script
          - get: /logo
          - think: 60ms..160ms
""", probe=lambda: [("page", said(url, "/style")[0], 200, 200)])


@clean("forms with a text and a photo of 30 to 90 kB, and lists of them")
def photos_in_forms(dice: Random) -> Iterator[Bed]:
    with tempfile.NamedTemporaryFile(suffix=".jpg") as photo, server.java(rule(method="POST", ms=(20, 50)), rule(ms=(6, 18), bytes=2500)) as url:
        photo.write(dice.randbytes(dice.randint(30_000, 90_000)))
        photo.flush()
        yield Bed(url, peak(6, 2) + f"-c {dice.randint(8, 16)} --think {dice.randint(20, 60)}ms {engine(dice)}"
                  f"--post /photos --form title=holiday --form 'file=@{photo.name};type=image/jpeg' --get /photos")


@clean("HTTP/2 and TLS by nginx, pages of 5 to 30 kB of a Node server")
def h2_by_nginx(dice: Random) -> Iterator[Bed]:
    port = faults.free_port()
    with server.node(rule(ms=(8, 26), bytes=dice.randint(5000, 30_000))) as behind, faults.nginx(
            f"upstream one {{ server {behind[7:-1]}; keepalive 64; }}",
            f'listen 127.0.0.1:{port} ssl http2; location / {{ proxy_http_version 1.1; proxy_set_header Connection ""; proxy_pass http://one; }}',
            tls="-newkey rsa:2048"):
        yield Bed(f"https://127.0.0.1:{port}/", peak(6) + f"-k --engine events --http2 --streams {dice.choice((2, 4))} -c {dice.choice((8, 12, 16))} "
                  "--think 30ms..70ms --get /items --get /prices")


@clean("a rate of which a test drops what no user is free for, which doesn't happen")
def nothing_dropped(dice: Random) -> Iterator[Bed]:
    with server.python(rule(method="POST", ms=(20, 45)), rule(ms=(6, 18))) as url:
        yield Bed(url, peak(6) + f"-c 120 --rate {dice.randint(60, 110)}/s --overload drop --arrivals poisson {engine(dice)}"
                  "--get /items --post /orders --body order")


@clean("a mock that answers after exactly the same time")
def exact_times(dice: Random) -> Iterator[Bed]:
    ms = dice.randint(18, 45)
    with of_time(lambda *_: ms) as url:
        yield Bed(url, peak(6) + model(dice, (60, 120)) + "--get /items --get /prices")


@clean("searches while a user types: five requests 90 to 170 ms apart, then a rest")
def searches_while_typing(dice: Random) -> Iterator[Bed]:
    with server.node(rule(path="/suggest", ms=(6, 30), status=200), rule(ms=(20, 50))) as url:
        yield Bed(url, peak(7) + f"-c {dice.randint(15, 30)} {engine(dice)}", plan="""
scenarios:
  - name: search
    steps:
      - repeat: 5
        steps:
          - get: "/suggest?q={random:1..999}"
            name: GET /suggest
          - think: 90ms..170ms
      - get: "/search?q={random:1..999}"
        name: GET /search
      - think: 500ms..1200ms
""")


@clean("a test's connections live for 1 to 1.5 s, then the client itself makes new ones")
def renewed_by_the_client(dice: Random) -> Iterator[Bed]:
    with server.go(rule(ms=(15, 40), bytes=1500)) as url:
        yield Bed(url, peak(7, 2) + f"--client httpclient --pool user --pool-time-to-live {dice.randint(1000, 1500)}ms -c {dice.randint(8, 14)} "
                  f"--think {dice.randint(20, 50)}ms --get /items --get /prices")


@clean("signed events of 1 to 2 kB, at a rate: 202")
def signed_events(dice: Random) -> Iterator[Bed]:
    with server.node(rule(ms=(4, 20), status=202)) as url:
        yield Bed(url, peak(6) + f"-c 60 --rate '{dice.randint(60, 110)} journeys/s' --arrivals poisson {engine(dice)}", plan=f"""
variables: {{key: secret}}
scenarios:
  - name: hook
    steps:
      - post: /hooks
        headers: {{X-Signature: "{{hmac:key:{{uuid}}}}"}}
        json: {{id: "{{uuid}}", at: "{{now}}", text: {"x" * dice.randint(900, 1900)}}}
""")


@clean("a name with two addresses, of which both are the service's")
def two_addresses(dice: Random) -> Iterator[Bed]:
    with server.go(option(address="0.0.0.0:0"), rule(ms=(8, 24))) as url:
        port = url.rstrip("/").rpartition(":")[2]
        yield Bed(f"http://shop.internal:{port}/", peak(6) + users(dice) + f"--resolve shop.internal:{port}:127.0.0.1,127.0.0.2 --get /items --get /prices",
                  probe=lambda: [(address, took([], "curl", "-sf", f"http://{address}:{port}/"), 0, 5000) for address in ("127.0.0.1", "127.0.0.2")])


@clean("uploads in parts: a beginning, four parts of 20 to 60 kB, an end that takes 80 to 150 ms")
def uploads_in_parts(dice: Random) -> Iterator[Bed]:
    with tempfile.NamedTemporaryFile() as part, server.go(rule(path="/end", ms=(80, 150)), rule(method="PUT", ms=(15, 35)), rule(ms=(5, 15))) as url:
        part.write(b"x" * dice.randint(20_000, 60_000))
        part.flush()
        yield Bed(url, peak(7) + f"-c {dice.randint(8, 16)} {engine(dice)}", plan=f"""
scenarios:
  - name: upload
    steps:
      - post: /begin
        json: {{name: film}}
      - repeat: 4
        steps:
          - think: 20ms..60ms
          - put: "/parts/{{random:1..9}}"
            name: PUT /parts
            bodyFile: {part.name}
      - post: /end
        json: {{parts: 4}}
      - think: 100ms..300ms
""")


@clean("lists whose next page is asked for by the link of the page before")
def next_pages(dice: Random) -> Iterator[Bed]:
    async def answer(asked: Asked) -> bool:
        await some(8, 28)
        number = int(asked.path.rpartition("=")[2]) if "=" in asked.path else 1
        return await asked.say(f'{{"next": {number + 1}, "items": "{"x" * random.randint(1000, 4000)}"}}'.encode())

    with answering(answer) as url:
        yield Bed(url, peak(6) + f"-c {dice.randint(10, 20)} {engine(dice)}", plan=f"""
scenarios:
  - name: list
    steps:
      - get: /items?page=1
        name: GET /items
        extract: {{next: "json:/next"}}
      - repeat: {dice.randint(3, 6)}
        steps:
          - think: 40ms..120ms
          - get: "/items?page={{next}}"
            name: GET /items (next)
            extract: {{next: "json:/next"}}
      - think: 100ms..200ms
""")


@clean("a rate that rises three times from 20 to 90 or 120 a second, and begins anew")
def saw_teeth(dice: Random) -> Iterator[Bed]:
    high = dice.randint(90, 120)
    with server.go(rule(ms=5, exp=9)) as url:
        yield Bed(url, f"--phases 'warmup=1 for 1s at 20/s, a=1 for 2.5s at 20/s..{high}/s, b=1 for 2.5s at 20/s..{high}/s, c=1 for 2.5s at 20/s..{high}/s' "
                  f"-c 60 {engine(dice)}--get /items --post /orders --body order")


@clean("nginx allows three times what is asked for, before a Java server")
def limit_far_above(dice: Random) -> Iterator[Bed]:
    rate = dice.randint(60, 100)
    with server.java(rule(method="POST", ms=(15, 40)), rule(ms=(5, 20))) as behind, faults.nginx(
            f"limit_req_zone $binary_remote_addr zone=all:1m rate={3 * rate}r/s; upstream one {{ server {behind[7:-1]}; keepalive 64; }}",
            'location / { limit_req zone=all burst=40 nodelay; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_pass http://one; }') as url:
        yield Bed(url, peak(6, 2) + f"-c 60 --rate {rate}/s --arrivals poisson {engine(dice)}--get /items --post /orders --body order")
