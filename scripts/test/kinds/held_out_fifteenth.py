"""
The fifteenth held-out set. Don't read on if you change rules.

No rule was tuned on it. Each fault is one that engineers meet in services, networks and tests, and that the earlier sets don't have in
this form. The ids of a fault are those that an expert would accept as the first finding. More than half of the kinds are healthy.
"""

from __future__ import annotations

import asyncio
import collections
import concurrent.futures
import contextlib
import json
import os
import random
import shutil
import socketserver
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import behaviours as server
import faults
from asking import Claim, Truth, took
from behaviours import option, rule
from kinds import Bed, cause, clean, engine, peak, pick
from kinds.held_out_eighth import begin_stream, end_stream, send_event
from kinds.held_out_eleventh import Database, apache, mosquitto, postgres, relayed
from kinds.held_out_fifth import Clock
from kinds.held_out_fourth import between, inline, php, sent
from kinds.held_out_ninth import ITEMS_AND_ORDERS, over_http2, short_certificate
from kinds.held_out_second import Asked, answering, some
from kinds.held_out_seventh import later, rows, said
from kinds.held_out_sixth import echoing, frame, message_ms, reply
from kinds.held_out_tenth import Room, Store, heard, redis, rooms
from kinds.held_out_third import of_haproxy
from kinds.held_out_thirteenth import few_and_many, open_model
from kinds.held_out_twelfth import modest, ms_of, switched

EC = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1"

# Databases and stores.


@cause("a database ends sessions that were idle for 0.5 to 0.9 s (idle_session_timeout), and a service uses its ten connections without a look at them: 500"
       " for one request in five", "steady-failures", meaning="a constant share fails")
def idle_sessions_are_ended(dice: Random) -> Iterator[Bed]:
    rate = dice.randint(18, 30)
    with postgres("create table items (id int, name text)", "insert into items select n, 'name' from generate_series(1, 50) n",
                  idle_session_timeout=f"{round(16_000 / rate)}ms") as port:
        pool = [Database(port, 1) for _ in range(10)]

        async def answer(asked: Asked) -> bool:
            failed = await random.choice(pool).ask("select name from items where id = 7")
            await some(6, 18)
            return await asked.say(failed.encode(), 500 if failed else 200)

        with answering(answer) as url:
            yield Bed(url, peak(10) + f"{open_model(dice, 40, rate)}{ITEMS_AND_ORDERS}", truth=Truth(
                lambda all: [("500", all.status(500), 0.05, 0.5), ("slow", all.slower(150), 0, 0.03)], users=6, think=6 / rate - 0.02, seconds=7))


@cause("a limiter counts in Redis, and one in eight times it doesn't get to say when a count expires: that user is refused for good, 429 for more and more",
       "growing-failures", "rate-limit", meaning="more and more users are refused")
def counters_never_expire(dice: Random) -> Iterator[Bed]:
    share, users = pick(dice, 0.1, 0.14), dice.randint(16, 22)
    with redis("--save", "") as (port, _):
        store = Store(port)

        async def answer(asked: Asked) -> bool:
            user = asked.path.split("/")[2]
            count = int((await store.ask("INCR", user))[1:])
            if count == 1 and random.random() > share:
                await store.ask("PEXPIRE", user, "1000")
            if count > 12:
                await some(1, 4)
                return await asked.say(b"too many requests", 429)
            await some(10, 28)
            return await asked.say(b"x" * 800)

        with answering(answer) as url:
            yield Bed(url, peak(10) + f"-c {users} {engine(dice)}", plan="""
scenarios:
  - name: look
    steps:
      - get: "/users/{user}/items"
        name: GET items
        onFailure: continue
      - think: 120ms..220ms
      - get: "/users/{user}/prices"
        name: GET prices
        onFailure: continue
      - think: 120ms..220ms
""", truth=Truth(lambda all: [("first", between(all, 0, 1).status(429), 0, 0.1), ("last", between(all, 7, 9).status(429), 0.25, 0.95),
                              ("others", all.status(200, 429), 1, 1)],
                 paths=tuple(f"/users/{number}/items" for number in range(16)), users=8, think=0.08, seconds=9))


@cause("one in 9 to 13 reports sorts more than a database may write to its disk for that (temp_file_limit): 500", "steady-failures",
       meaning="a constant share fails")
def sorts_need_too_much_disk(dice: Random) -> Iterator[Bed]:
    count = dice.randint(9, 13)
    with postgres(temp_file_limit="500kB", work_mem="64kB") as port:
        database = Database(port, 20)

        async def answer(asked: Asked) -> bool:
            if not asked.path.startswith("/reports/"):
                await some(6, 18)
                return await asked.say(b"x" * 900)
            number = int(asked.path.split("/")[2])
            lines = 20_000 if number == count else 250 * number
            failed = await database.ask(f"select count(*) from (select md5(n::text) one from generate_series(1, {lines}) n order by one offset 0) sorted")
            await some(4, 12)
            return await asked.say(failed.encode() or b"x" * 1500, 500 if failed else 200)

        with answering(answer) as url:
            yield Bed(url, peak(9) + f"-c {dice.randint(10, 16)} {engine(dice)}", plan=f"""
scenarios:
  - name: look
    steps:
      - get: /reports
      - think: 50ms..150ms
      - get: "/reports/{{random:1..{count}}}"
        name: GET /reports/NUMBER
      - think: 50ms..150ms
""", probe=lambda: [(str(number), said(url, f"/reports/{number}")[0], status, status) for number, status in ((1, 200), (count - 1, 200), (count, 500))])


@cause("pictures are files of another machine (NFS), which is away for 1.3 to 1.8 s: whoever asks for one waits until it is back, pages don't need it",
       "slow-period", "standstill", meaning="an operation waits for a while")
def file_server_is_away(dice: Random) -> Iterator[Bed]:
    at, length, clock = pick(dice, 4.8, 5.8), pick(dice, 1.3, 1.8), Clock()

    async def answer(asked: Asked) -> bool:
        now = clock()
        if asked.path != "/pictures/7":
            await some(8, 24)
            return await asked.say(b"x" * 900)
        if at < now < at + length:
            await asyncio.sleep(at + length - now)
        await some(10, 26)
        return await asked.say(b"x" * 9000)

    with answering(answer) as url:
        yield Bed(url, peak(9) + f"{open_model(dice, 200, dice.randint(70, 110))}--get /items --get /pictures/7", truth=Truth(
            lambda all: [("before", between(all, 0, at - 0.1).slower(150), 0, 0.02),
                         ("longest", all.of("/pictures/7").slowest, 700 * length, 1100 * length + 100), ("items", all.of("/items").slower(150), 0, 0.02),
                         ("after", between(all, at + length + 0.1, 9).slower(150), 0, 0.02),
                         ("failed", all.failed, 0, 0)], paths=("/items", "/pictures/7"), users=8, think=0.03, seconds=8.5))


@cause("one of three instances was given a wrong address of its database, and gives up after 0.5 to 0.7 s: 500", "steady-failures", "gives-up",
       meaning="a constant share fails, and slowly")
def one_with_a_wrong_database(dice: Random) -> Iterator[Bed]:
    wait = dice.randint(500, 700)
    start = dice.choice((server.go, server.node))
    good = (rule(method="POST", ms=(14, 36)), rule(ms=(7, 22), bytes=1200))
    with start(*good) as one, start(*good) as two, start(rule(ms=(wait, wait + 8), status=500)) as three, of_haproxy(one, two, three) as url:
        yield Bed(url, peak(9) + f"{open_model(dice, 80, dice.randint(60, 100))}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("500", all.status(500), 0.2, 0.45), ("longest", all.slowest, wait, wait + 150),
                         ("others", all.share(lambda one: one.status == 200 and one.ms > 150), 0, 0.02)], users=9))


# Processes and threads.

REFUSES = """
import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

class Refuses {
    public static void main(String[] arguments) throws Exception {
        int threads = Integer.parseInt(arguments[0]);
        int room = Integer.parseInt(arguments[1]);
        ThreadPoolExecutor pool = new ThreadPoolExecutor(threads, threads, 1, TimeUnit.MINUTES, new ArrayBlockingQueue<>(room));
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 1024);
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            int status = 200;
            try {
                pool.submit(() -> {
                    Thread.sleep(ThreadLocalRandom.current().nextInt(40, 61));
                    return null;
                }).get();
            } catch (RejectedExecutionException full) {
                status = 503;
            } catch (Exception end) {
                return;
            }
            exchange.sendResponseHeaders(status, 2);
            exchange.getResponseBody().write(new byte[] {'o', 'k'});
            exchange.close();
        });
        server.start();
        System.out.println("http://127.0.0.1:" + server.getAddress().getPort() + "/");
    }
}
"""


@cause("a Java server has six threads and a queue with room for eight, and refuses what doesn't find a place (RejectedExecutionException): 503",
       "failures-with-load", "load-shedding", "saturation", meaning="it refuses what is too much")
def queue_of_threads_is_full(dice: Random) -> Iterator[Bed]:
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "Refuses.java")
        source.write_text(REFUSES)
        with faults.java("-Xmx128m", "-Dsun.net.httpserver.nodelay=true", str(source), "6", "8") as url:
            yield Bed(url, f"{few_and_many(dice, dice.randint(34, 40), '70ms..150ms')}{ITEMS_AND_ORDERS}", probe=lambda: [
                ("few", [status for status, _ in sent(url, 6)].count(503), 0, 0), ("many", [status for status, _ in sent(url, 34)].count(503), 6, 20)])


@cause("a Python service gives what blocks to the threads of its event loop, of which there are six on two cores (to_thread), for 60 to 80 ms each",
       "saturation", "serial-work", "contention", meaning="more users only wait for a thread")
def default_executor_is_small(dice: Random) -> Iterator[Bed]:
    ms = dice.randint(60, 80)
    with concurrent.futures.ThreadPoolExecutor(6) as threads:
        async def answer(asked: Asked) -> bool:
            await asyncio.get_running_loop().run_in_executor(threads, time.sleep, random.uniform(ms - 6, ms + 6) / 1000)
            return await asked.say(b"x" * 900)

        with answering(answer) as url:
            yield Bed(url, f"{few_and_many(dice, dice.randint(28, 34), '40ms..100ms')}--get /items --get /prices", truth=Truth(
                lambda all: [("a second", len(all.all) / 4, 3800 / ms, 6300 / ms), ("median", all.median, 2 * ms, 5 * ms), ("failed", all.failed, 0, 0)],
                users=18, think=0))


@cause("a site of articles does what is due with a visitor's request (wp-cron): each 1.1 to 1.5 s one of them takes 0.5 to 0.7 s more", "two-speeds",
       meaning="a share is slower by the same time")
def jobs_run_by_visitors(dice: Random) -> Iterator[Bed]:
    period, more, due = pick(dice, 1.1, 1.5), dice.randint(520, 680), 0.0

    async def answer(asked: Asked) -> bool:
        nonlocal due
        now = time.monotonic()
        if now > due:
            due = now + period
            await some(more, more + 30)
        await some(12, 30)
        return await asked.say(b"x" * 5000)

    with answering(answer) as url:
        yield Bed(url, peak(11) + f"{open_model(dice, 40, dice.randint(10, 15))}--get / --get /articles/7", truth=Truth(
            lambda all: [("slow", len(all.all) * all.slower(more), 3, 7), ("between", all.share(lambda one: 150 < one.ms < more), 0, 0.02),
                         ("failed", all.failed, 0, 0)], users=4, think=0.2, seconds=6))


DEVELOPMENT = """
import random, sys, threading, time
from wsgiref.simple_server import WSGIRequestHandler, make_server

class Handler(WSGIRequestHandler):
    def log_message(self, *_):
        pass

def page(environ, start):
    time.sleep(random.uniform(0.8, 1.2) * float(sys.argv[1]) / 1000)
    start("200 OK", [("Content-Type", "text/html"), ("Content-Length", "900")])
    return [b"x" * 900]

server = make_server("127.0.0.1", 0, page, handler_class=Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(f"http://127.0.0.1:{server.server_port}/", flush=True)
sys.stdin.read()
"""


@cause("a test of many users meets a server for development (wsgiref), which does one thing at a time, for 12 to 16 ms, and lets five connections wait",
       "accept-queue", "saturation", "serial-work", "contention", meaning="more users only wait, also for a connection")
def server_for_development(dice: Random) -> Iterator[Bed]:
    ms = dice.randint(12, 16)
    with inline("python3", "-c", DEVELOPMENT, str(ms)) as url:
        yield Bed(url, f"{few_and_many(dice, dice.randint(26, 34), '40ms..90ms')}--get / --get /items", truth=Truth(
            lambda all: [("a second", len(all.all) / 4, 200 / ms, 1100 / ms), ("longest connect", max(all.connects), 900, 5000)],
            users=20, think=0, close=True))


SWEEPS = """
const [period, ms] = process.argv.slice(1).map(Number);
process.stdin.on('end', () => process.exit(0)).resume();
const entries = new Map(Array.from({length: 20000}, (_, number) => [`entry ${number}`, {until: Infinity}]));
function sweep() {
    for (const end = performance.now() + ms; performance.now() < end;) {
        for (const [name, entry] of entries) {
            if (entry.until < performance.now()) {
                entries.delete(name);
            }
        }
    }
}
let timer;
const server = require('node:http').createServer((request, response) => {
    timer ??= setInterval(sweep, period);
    request.resume().on('end', () => setTimeout(
        () => response.writeHead(200, {'Content-Length': 2}).end('ok'), request.method === 'POST' ? 14 + 22 * Math.random() : 6 + 14 * Math.random()));
});
server.listen({port: 0, host: '127.0.0.1', backlog: 1024}, () => console.log(`http://127.0.0.1:${server.address().port}/`));
"""


@cause("a Node server keeps sessions in its memory, and looks at all of them every 1.7 to 2.3 s, to remove old ones, which takes 0.25 to 0.35 s",
       "periodic-stalls", meaning="all requests wait at even distances")
def old_sessions_are_removed(dice: Random) -> Iterator[Bed]:
    period, ms = dice.randint(1700, 2300), dice.randint(250, 350)
    with inline("node", "-e", SWEEPS, str(period), str(ms)) as url:
        yield Bed(url, peak(11) + f"{open_model(dice, 80, dice.randint(60, 100))}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("longest", all.slowest, 0.7 * ms, 1.4 * ms + 150), ("waited", all.slower(100), 0.02, 0.35), ("median", all.median, 6, 50),
                         ("failed", all.failed, 0, 0)], users=8, think=0.05, seconds=7))


@cause("an instance of a function is ended after 18 to 26 requests, and whoever is sent to it next waits 0.5 to 0.7 s for another one", "two-speeds",
       "cold-starts", meaning="a share waits for a new instance")
def instances_are_renewed(dice: Random) -> Iterator[Bed]:
    most, start = dice.randint(18, 26), dice.randint(520, 680)
    # The requests that each instance has done; they are as old as they would be after some time.
    free = [random.randrange(most) for _ in range(12)]

    async def answer(asked: Asked) -> bool:
        done = free.pop(random.randrange(len(free))) if free else most
        if done >= most:
            await some(start, start + 40)
            done = 0
        await some(12, 34)
        free.append(done + 1)
        return await asked.say(b"x" * 700)

    with answering(answer) as url:
        yield Bed(url, peak(10) + f"{open_model(dice, 60, dice.randint(50, 90))}--get /items --post /orders --body order", truth=Truth(
            lambda all: [("slow", all.slower(start), 0.3 / most, 2.5 / most), ("between", all.share(lambda one: 180 < one.ms < start), 0, 0.02),
                         ("failed", all.failed, 0, 0)], users=6, think=0.05, seconds=6))


@cause("a machine gets too hot, and lowers its clock within two seconds in the middle: what took 20 to 34 ms takes nearly three times as long from then on",
       "drift", meaning="it is slower from then on")
def machine_gets_too_hot(dice: Random) -> Iterator[Bed]:
    at, factor, clock = pick(dice, 3.2, 4), pick(dice, 2.6, 3), Clock()

    async def answer(asked: Asked) -> bool:
        slower = 1 + (factor - 1) * min(1.0, max(0.0, (clock() - at) / 2))
        await (some(30 * slower, 46 * slower) if asked.method == "POST" else some(20 * slower, 34 * slower))
        return await asked.say(b"x" * 900)

    with answering(answer) as url:
        yield Bed(url, peak(10) + f"{modest(dice, (60, 100))}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("before", between(all, 0, at).median, 20, 60), ("after", between(all, at + 2, 9).median, 20 * factor, 34 * factor + 40),
                         ("failed", all.failed, 0, 0)], users=4, think=0.06, seconds=8.5))


@cause("who waits for an order's confirmation isn't told of it at times, since the worker was too early (a lost wake-up): 2 to 3.5 % of orders hang",
       "unanswered", "steady-failures", meaning="a share is never answered")
def wake_ups_are_lost(dice: Random) -> Iterator[Bed]:
    share, timeout = pick(dice, 0.02, 0.035), dice.randint(1000, 1400)

    async def answer(asked: Asked) -> bool:
        if asked.method == "POST" and random.random() < share:
            await asyncio.sleep(60)
        await (some(20, 50) if asked.method == "POST" else some(8, 22))
        return await asked.say(b"x" * 500)

    with answering(answer) as url:
        yield Bed(url, peak(9) + f"--timeout {timeout}ms {open_model(dice, 80, dice.randint(70, 110))}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("hang", all.status(0), 0.2 * share, 3 * share), ("others", all.share(lambda one: one.status and one.ms > 200), 0, 0.02)],
            method="POST", body=5, users=14, timeout=0.8, seconds=6))


# Proxies and balancers.

ENDS_IDLE = """
process.stdin.on('end', () => process.exit(0)).resume();
const server = require('node:http').createServer((request, response) => {
    // Node itself adds a second to keepAliveTimeout, in some of its versions.
    response.on('finish', () => request.socket.setTimeout(Number(process.argv[1])));
    request.resume().on('end', () => setTimeout(() => response.writeHead(200, {'Content-Length': 2}).end('ok'), 8 + 14 * Math.random()));
});
server.listen({port: 0, host: '10.99.0.1', backlog: 1024}, () => console.log(`http://10.99.0.1:${server.address().port}/`));
"""


@cause("a Node server ends connections that are idle for 0.07 to 0.1 s, and nginx, 16 to 20 ms away, keeps them for longer: 502 for orders that are sent just"
       " then", "bad-gateway", "steady-failures", meaning="a proxy loses connections")
def node_ends_connections_of_nginx(dice: Random) -> Iterator[Bed]:
    idle, seconds = dice.randint(70, 95), pick(dice, 0.016, 0.02)
    if shutil.which("node") is None:
        raise faults.Impossible("no node")
    with faults.network() as inside, faults.delays(inside, lambda: seconds) as address, \
            server._started(["node", "-e", ENDS_IDLE, str(idle)], inside) as behind, faults.nginx(  # noqa: SLF001
                f"upstream one {{ server {address}:{server.port(behind)} max_fails=0; keepalive 32; }}",
                'location / { proxy_http_version 1.1; proxy_set_header Connection ""; proxy_pass http://one; }', under=inside) as url:
        yield Bed(url, peak(11) + f"-c 40 --rate {dice.randint(16, 22)}/s --arrivals poisson {engine(dice)}"
                  "--get /items --post /orders --body order --post /payments --body ten", inside, truth=Truth(
            # Each second one finds a new connection.
            lambda all: [("502", all.status(502), 0.15, 0.6), ("others", all.status(200, 502), 1, 1)],
            method="POST", body=5, users=1, think=idle / 1000 - seconds - 0.002, seconds=8))


@cause("a test's address isn't among those that a balancer lets in, and it ends each connection at once", "always-closed",
       meaning="each connection is closed")
def address_is_not_let_in(dice: Random) -> Iterator[Bed]:
    with server.go(rule(ms=(5, 14))) as behind, server.haproxy(
            f"listen all\n  bind LISTEN\n  tcp-request connection reject if !{{ src 10.20.0.0/16 }}\n  server one {behind[7:-1]}") as url:
        yield Bed(url, peak(4) + f"--keep-going -c {dice.randint(6, 14)} --think 50ms..120ms {engine(dice)}{ITEMS_AND_ORDERS}", probe=lambda: [
            ("by the balancer", took([], "curl", "-sf", url), -1, -1), ("directly", took([], "curl", "-sf", behind), 0, 3000)])


@cause("all of a service is below /shop, and a test asks for it without that: 404 for everything", "wrong-request", "always-fails",
       meaning="each request is wrong")
def path_before_all_paths(dice: Random) -> Iterator[Bed]:
    with server.go(rule(method="POST", ms=(14, 36)), rule(ms=(6, 20), bytes=900)) as behind, faults.nginx(
            f"upstream one {{ server {behind[7:-1]}; keepalive 64; }}",
            'location /shop/ { proxy_http_version 1.1; proxy_set_header Connection ""; proxy_pass http://one/; } '
            'location / { return 404 "not found"; }') as url:
        yield Bed(url, peak(6) + f"{modest(dice, (60, 110))}{ITEMS_AND_ORDERS}", probe=lambda: [
            ("items", said(url, "/items")[0], 404, 404), ("below /shop", said(url, "/shop/items")[0], 200, 200)])


@cause("one of two instances is taken away (a spot instance), and HAProxy asks it on for about a second: 503 for a half", "restarts", "outage",
       meaning="a share fails for a short while")
def spot_instance_is_taken(dice: Random) -> Iterator[Bed]:
    at, every = pick(dice, 5.2, 6.2), dice.randint(380, 460)
    start = dice.choice((server.go, server.node))
    good = (rule(method="POST", ms=(14, 36)), rule(ms=(7, 22), bytes=1200))
    with start(*good) as one, contextlib.ExitStack() as running:
        two = running.enter_context(start(*good))
        with server.haproxy(f"listen all\n  bind LISTEN\n  balance roundrobin\n  retries 0\n  default-server check inter {every} fall 3\n"
                            f"  server one {one[7:-1]}\n  server two {two[7:-1]}") as url, later(at, running.close):
            yield Bed(url, peak(9) + f"{open_model(dice, 60, dice.randint(70, 110))}{ITEMS_AND_ORDERS}", truth=Truth(
                lambda all: [("before", between(all, 0, at - 0.5).failed, 0, 0), ("meanwhile", between(all, at + 0.1, at + 0.6).failed, 0.2, 0.8),
                             ("after", between(all, at + 2.2, 10).failed, 0, 0)], users=8, think=0.04, seconds=9))


@cause("HAProxy lets four requests at a time to a service, over HTTP/2 with its users, each takes 36 to 44 ms, and their rate rises above that", "ramp-knee",
       "saturation", meaning="it can't follow the rising rate")
def few_places_behind_h2(dice: Random) -> Iterator[Bed]:
    ms = dice.randint(36, 40)
    with server.go(rule(ms=(ms, ms + 4), bytes=700)) as behind, server.haproxy(
            f"listen all\n  bind LISTEN proto h2\n  server one {behind[7:-1]} maxconn 4") as url:
        yield Bed(url, f"--phases 'warmup=1 for 1s at 10/s, peak=1 for 10s at 10/s..{round(6600 / ms)}/s' --timeout 20s --engine events --http2 "
                  f"--streams {dice.choice((5, 10))} -c 250 --get /items --get /prices", probe=lambda: [
                ("four", server.streams_ms(url, 4), ms - 1, ms + 150), ("forty", server.streams_ms(url, 40), 9 * ms, 14 * ms + 200)])


@cause("a server ends each connection with the response to an order, and says so, on a way of 48 to 60 ms", "keep-alive-limit",
       meaning="connections are made again and again")
def ends_after_each_order(dice: Random) -> Iterator[Bed]:
    seconds = pick(dice, 0.024, 0.03)
    with faults.network() as inside, faults.delays(inside, lambda: seconds) as address, server.go(
            option(address="10.99.0.1:0"), rule(method="POST", ms=(10, 24), header="Connection:close"), rule(ms=(6, 16), bytes=700), under=inside) as there:
        yield Bed(there.replace("10.99.0.1", address), peak(9, 2) + f"-c {dice.randint(12, 20)} --think 10ms..50ms {engine(dice)}{ITEMS_AND_ORDERS}", inside,
                  truth=Truth(lambda all: [("of a connection", len(all.all) / len(all.connects), 1, 1), ("connect", all.connect_median, 1800 * seconds, 200),
                                           ("failed", all.failed, 0, 0)], method="POST", body=5))


# Deployments.


@cause("a release wants a field in each order that a test doesn't send: 400 for each order from the middle on", "outage", "steady-failures",
       meaning="an operation fails from then on")
def field_becomes_required(dice: Random) -> Iterator[Bed]:
    at, clock = pick(dice, 4.4, 5.4), Clock()

    async def answer(asked: Asked) -> bool:
        released = clock() > at
        if released and asked.method == "POST" and b"currency" not in asked.body:
            await some(2, 6)
            return await asked.say(b"currency is required", 400)
        await (some(14, 36) if asked.method == "POST" else some(7, 20))
        return await asked.say(b"x" * 800)

    with answering(answer) as url:
        yield Bed(url, peak(9) + f"{modest(dice, (60, 110))}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("before", between(all, 0, at - 0.1).status(200), 1, 1), ("after", between(all, at + 0.1, 8).status(400), 1, 1)],
            method="POST", body=5, think=0.05, seconds=7))


@cause("a customer's new setting brings out an old mistake: 74 to 86 % of all requests are 500 from the middle on", "steady-failures", "outage",
       meaning="most fails from then on")
def old_mistake_is_brought_out(dice: Random) -> Iterator[Bed]:
    at, share, clock = pick(dice, 4.2, 5.4), pick(dice, 0.74, 0.86), Clock()

    async def answer(asked: Asked) -> bool:
        failed = clock() > at and random.random() < share
        await some(8, 24)
        return await asked.say(b"internal error" if failed else b"x" * 900, 500 if failed else 200)

    with answering(answer) as url:
        yield Bed(url, peak(9) + f"{open_model(dice, 60, dice.randint(70, 120))}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("before", between(all, 0, at - 0.1).failed, 0, 0), ("after", between(all, at + 0.1, 9).status(500), share - 0.1, share + 0.1)],
            seconds=8))


# Limits.


@cause("an API lets a key ask for so much in each three seconds, and a test has used that up after half of them: 429 for the other half, again and again",
       "rate-limit", meaning="a rate limit")
def limit_of_three_seconds(dice: Random) -> Iterator[Bed]:
    rate, clock = dice.randint(60, 100), Clock()
    most, counts = round(3 * rate * pick(dice, 0.48, 0.6)), collections.Counter()

    async def answer(asked: Asked) -> bool:
        window = int(clock() / 3)
        counts[window] += 1
        if counts[window] > most:
            await some(1, 4)
            asked.writer.write(b"HTTP/1.1 429 Too Many Requests\r\nRetry-After: 2\r\nContent-Length: 0\r\n\r\n")
            return True
        await some(10, 30)
        return await asked.say(b"x" * 1200)

    with answering(answer) as url:
        yield Bed(url, peak(11) + f"-c 60 --rate {rate}/s {engine(dice)}--get /items --get /prices", truth=Truth(
            lambda all: [("let through", len(all.all) * all.status(200), 2 * most, 2 * most), ("429", all.status(429), 0.1, 0.95)],
            users=12, think=0.04, seconds=5.9))


@cause("a service bans who asks for too much that it doesn't have (fail2ban), as one of a test's three paths: nothing comes back from the middle on", "outage",
       "unanswered", "wrong-request", meaning="nothing is answered from then on")
def banned_for_what_is_missing(dice: Random) -> Iterator[Bed]:
    at = pick(dice, 5.6, 6.6)
    commands = "nft add table ip t && nft add chain ip t c '{ type filter hook input priority 0 ; policy accept ; }'"
    with faults.network(commands) as inside, server.go(rule(path="/favicon.ico", ms=(2, 6), status=404), rule(ms=(8, 22), bytes=900), under=inside) as url:
        ban = [*inside, "nft", "add", "rule", "ip", "t", "c", "tcp", "dport", str(server.port(url)), "drop"]
        with later(at, lambda: subprocess.run(ban, check=False)):
            yield Bed(url, peak(9) + f"--timeout 1s --connect-timeout 1s -c 60 --rate {dice.randint(60, 100)}/s {engine(dice)}"
                      "--get /items --get /favicon.ico --get /prices", inside, truth=Truth(
                lambda all: [("before", between(all, 0, at - 0.4).status(200, 404), 1, 1), ("after", between(all, at + 0.2, 9).status(0), 1, 1)],
                paths=("/items", "/favicon.ico"), timeout=0.8, think=0.05, seconds=9))


# Networks, names and certificates.


@cause("a certificate has expired an hour ago", "no-tls", meaning="no TLS connection can be made")
def certificate_has_expired(dice: Random) -> Iterator[Bed]:
    with tempfile.TemporaryDirectory() as folder, server.go(rule(ms=(6, 18))) as behind:
        authority, both = short_certificate(folder, -3600)
        with server.haproxy(f"listen all\n  bind LISTEN ssl crt {both}\n  server one {behind[7:-1]}") as there:
            url = f"https{there[4:]}"
            yield Bed(url, peak(3) + f"--cacert {authority} --keep-going -c {dice.randint(6, 14)} --think 50ms..120ms {engine(dice)}{ITEMS_AND_ORDERS}",
                      probe=lambda: [("as a test does", took([], "curl", "-sf", "--cacert", authority, url), -1, -1),
                                     ("whatever it is", took([], "curl", "-skf", url), 0, 3000)])


@contextlib.contextmanager
def truncating_names(address: str) -> Iterator[list[str]]:
    """Words that start a command whose name server says that its answers are too long for a packet, and can't be asked in another way."""

    class Handler(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            question, back = self.request
            end = question.index(b"\0", 12) + 5
            back.sendto(question[:2] + bytes((0x83, 0x80, 0, 1, 0, 0, 0, 0, 0, 0)) + question[12:end], self.client_address)

    try:
        listening = socketserver.ThreadingUDPServer((address, 53), Handler)
    except OSError as problem:
        raise faults.Impossible(f"port 53 of {address}: {problem}") from problem
    with listening, faults.own_files(resolv_conf=f"nameserver {address}\noptions attempts:1 timeout:1\n") as under:
        thread = threading.Thread(target=listening.serve_forever)
        thread.start()
        try:
            yield under
        finally:
            listening.shutdown()
            thread.join()


@cause("a name has so many addresses that its name server only says that there are more (TC), and a firewall lets nobody ask by TCP", "unknown-host",
       "failed-look-ups", meaning="the name isn't known")
def names_only_by_tcp(dice: Random) -> Iterator[Bed]:
    with server.go(rule(ms=(6, 18))) as url, truncating_names("127.0.0.98") as under:
        yield Bed(url.replace("127.0.0.1", "shop.example"), peak(4) + f"--keep-going -c {dice.randint(6, 12)} --think 60ms..140ms {engine(dice)}"
                  + ITEMS_AND_ORDERS, under, probe=lambda: [("name", took(under, "getent", "ahosts", "shop.example"), -1, -1)])


@cause("a firewall holds the first packet of each connection for 0.13 to 0.18 s while it looks up whether that is allowed, and each request makes a connection",
       "slow-connects", meaning="connecting is slow")
def new_connections_are_looked_up(dice: Random) -> Iterator[Bed]:
    port, hold = faults.free_port(), pick(dice, 0.13, 0.18)
    with contextlib.ExitStack() as stack:
        inside = stack.enter_context(faults.network())
        end = stack.enter_context(faults.tunnels.tunnel(inside, "ip address add 10.99.0.1/24 dev slow"))
        # What is held keeps nothing else from passing.
        other = os.dup(end)
        stack.callback(os.close, other)

        def route(_: int, packet: bytes) -> faults.tunnels.Passed:
            first = packet[4 * (packet[0] & 15) + 13] & 18 == 2
            back = packet[:12] + packet[16:20] + packet[12:16] + packet[20:]
            return faults.tunnels.Passed(other, hold, back) if first else faults.tunnels.Passed(end, 0.001, back)

        stack.enter_context(faults.tunnels.carried(route, end))
        stack.enter_context(server.go(option(address=f"10.99.0.1:{port}"), rule(method="POST", ms=(10, 26)), rule(ms=(5, 15)), under=inside))
        yield Bed(f"http://10.99.0.2:{port}/", peak(9) + f"-H Connection:close -c {dice.randint(10, 18)} --think 60ms..140ms {engine(dice)}{ITEMS_AND_ORDERS}",
                  inside, truth=Truth(lambda all: [("connect", all.connect_median, 1000 * hold, 1000 * hold + 60), ("response", all.median, 5, 40),
                                                   ("failed", all.failed, 0, 0)], close=True, think=0.05))


@cause("a link gets worse and worse: it loses no packet at first, and 5 to 7 % of them after nine seconds", "packet-loss", "two-speeds",
       meaning="packets are lost, more and more")
def link_gets_worse(dice: Random) -> Iterator[Bed]:
    most, clock = pick(dice, 0.05, 0.07), Clock()
    with contextlib.ExitStack() as stack:
        inside = stack.enter_context(faults.network())
        end = stack.enter_context(faults.tunnels.tunnel(inside, "ip address add 10.99.0.1/24 dev slow"))

        def route(_: int, packet: bytes) -> faults.tunnels.Passed | None:
            if random.random() < most * min(1.0, max(0.0, (clock() - 1) / 8)):
                return None
            return faults.tunnels.Passed(end, 0.002, packet[:12] + packet[16:20] + packet[12:16] + packet[20:])

        stack.enter_context(faults.tunnels.carried(route, end))
        url = stack.enter_context(server.go(option(address="10.99.0.1:0"), rule(method="POST", ms=(14, 36)), rule(ms=(6, 20), bytes=900), under=inside))
        yield Bed(url.replace("10.99.0.1", "10.99.0.2"), peak(10) + f"{open_model(dice, 80, dice.randint(70, 110))}{ITEMS_AND_ORDERS}", inside, truth=Truth(
            lambda all: [("first", between(all, 0, 2).slower(190), 0, 0.04), ("last", between(all, 7, 10).slower(190), 0.03, 0.3),
                         ("median", all.median, 8, 50), ("failed", all.failed, 0, 0)], users=8, think=0.03, seconds=10))


@contextlib.contextmanager
def farther(to: int, seconds: float) -> Iterator[int]:
    """The port of what forwards connections, and takes so long for all that it forwards, also for their end."""

    async def copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(65_536):
                await asyncio.sleep(seconds)
                writer.write(data)
                await writer.drain()
        await asyncio.sleep(seconds)
        writer.close()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection("127.0.0.1", to)
        await asyncio.gather(copy(reader, back), copy(there, writer))

    with faults._listening(serve) as port:  # noqa: SLF001
        yield port


@cause("Apache, 10 to 14 ms away, ends connections that are idle for 0.4 to 0.6 s (KeepAliveTimeout), and users pause for about as long", "idle-timeout",
       "steady-failures", meaning="requests meet the end of their connection")
def apache_keeps_shortly(dice: Random) -> Iterator[Bed]:
    keep, seconds = dice.randint(400, 600), pick(dice, 0.01, 0.014)
    with apache(f"KeepAlive On\nMaxKeepAliveRequests 0\nKeepAliveTimeout {keep}ms\n", files={"page": 3000, "style": 8000}) as behind, \
            farther(server.port(behind), seconds) as port:
        yield Bed(f"http://127.0.0.1:{port}/", peak(11) + f"-c {dice.randint(20, 32)} {engine(dice)}", plan=f"""
scenarios:
  - name: read
    steps:
      - get: /page
        onFailure: continue
      - think: {keep - 40}ms..{keep + 60}ms
      - get: /style
        onFailure: continue
      - think: {keep - 40}ms..{keep + 60}ms
""", truth=Truth(lambda all: [("lost", all.status(0), 0.01, 0.6), ("first", all.share(lambda one: one.nth == 1 and one.status == 0), 0, 0),
                              ("others", all.status(0, 200), 1, 1)], paths=("/page", "/style"), users=16, think=keep / 1000 + 0.01, seconds=9))


# Messages and streams.


class UpTo:
    """What reads from a connection, and ends it with 1009 if a message is longer."""

    def __init__(self, most: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.most, self.reader, self.writer = most, reader, writer

    async def readexactly(self, length: int) -> bytes:
        if length > self.most:
            self.writer.write(b"\x88\x02\x03\xf1")
            raise asyncio.IncompleteReadError(b"", length)
        return await self.reader.readexactly(length)


@cause("a gateway for WebSocket takes messages of 4 kB, and ends the connection of whoever sends a longer one (1009), as a test does", "never-delivered",
       "always-closed", meaning="no message arrives")
def messages_for_another_gateway(dice: Random) -> Iterator[Bed]:
    by_path: dict[str, Room] = collections.defaultdict(Room)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            writer.write(switched(next(line.split(":", 1)[1].strip() for line in head if line.lower().startswith("sec-websocket-key:"))))
            await by_path[head[0].split(" ")[1]].serve(UpTo(4096, reader, writer), writer)
        writer.close()

    with faults._listening(serve) as port:  # noqa: SLF001
        url = f"http://127.0.0.1:{port}/"
        yield Bed(f"ws{url[4:]}rooms/{{pair}}", peak(5) + f"--timeout 1s -c {dice.randint(8, 16)} --message-size {dice.randint(5000, 12_000)} "
                  f"--rate '{dice.randint(20, 50)} messages/s'", probe=lambda: [("a short message", heard(url, 4), 1, 1)])


@contextlib.contextmanager
def restarted_broker(at: float, length: float) -> Iterator[int]:
    """The port of a broker for MQTT that is away for some time, after some time (s)."""
    program = shutil.which("mosquitto", path=os.environ["PATH"] + ":/usr/sbin")
    if program is None:
        raise faults.Impossible("no mosquitto")
    port, over = faults.free_port(), threading.Event()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "mosquitto.conf")
        file.write_text(f"user root\nallow_anonymous true\nlistener {port} 127.0.0.1\n")
        processes: list[subprocess.Popen] = []

        def start() -> None:
            processes.append(subprocess.Popen([program, "-c", file], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))

        def restart() -> None:
            if over.wait(at):
                return
            processes[0].kill()
            processes[0].wait()
            if not over.wait(length):
                start()

        thread = threading.Thread(target=restart)
        start()
        try:
            faults.wait_for(port)
            thread.start()
            yield port
        finally:
            over.set()
            if thread.ident:
                thread.join()
            for one in processes:
                one.kill()
                one.wait()


@cause("a broker for MQTT is restarted, and away for 1.4 to 2 s", "outage", "restarts", meaning="nothing arrives for a while")
def mosquitto_is_restarted(dice: Random) -> Iterator[Bed]:
    at, length = pick(dice, 5.6, 6.6), pick(dice, 1.4, 2)

    def claims() -> list[Claim]:
        begin, found = time.monotonic(), []
        for name, seconds, wanted in (("at first", 0, 1), ("meanwhile", at + length / 2, 0), ("later", at + length + 0.8, 1)):
            time.sleep(max(0.0, begin + seconds - time.monotonic()))
            found.append((name, relayed(port), wanted, wanted))
        return found

    with restarted_broker(at, length) as port:
        yield Bed(f"mqtt://127.0.0.1:{port}/sensors/{{pair}}", peak(10) + f"--timeout 1s -c {dice.randint(12, 24)} --qos {dice.randint(0, 1)} "
                  f"--rate '{dice.randint(50, 110)} messages/s'", probe=claims)


async def say_words(asked: Asked, number: int, low: float, high: float) -> bool:
    """A model's answer of so many words, as OpenAI streams it, with so many ms before each."""
    for word in range(number):
        await some(low, high)
        await send_event(asked, json.dumps({"choices": [{"index": 0, "delta": {"content": f"word{word} "}}]}))
    await send_event(asked, "[DONE]")
    return end_stream(asked)


@cause("a model writes 6 to 8 answers at a time, for about half a second each, and others wait until one has ended", "saturation", "serial-work", "contention",
       meaning="more users only wait for their turn")
def places_of_a_model(dice: Random) -> Iterator[Bed]:
    places = asyncio.Semaphore(number := dice.randint(6, 8))

    async def answer(asked: Asked) -> bool:
        begin_stream(asked)
        async with places:
            await some(70, 120)
            return await say_words(asked, random.randint(9, 15), 22, 42)

    with answering(answer) as url:
        yield Bed(url, f"{few_and_many(dice, dice.randint(28, 36), '100ms..300ms')}--post /v1/chat/completions --body question --event-stream openai",
                  truth=Truth(lambda all: [("a second", len(all.all) / 6, 1.2 * number, 2.4 * number), ("median", all.median, 800, 2200),
                                           ("failed", all.failed, 0, 0)], method="POST", body=8, users=20, think=0, seconds=6))


@cause("a model finds the beginning of most questions in its cache, and of 14 to 20 % not: their first word takes 0.7 to 0.8 s more", "two-speeds",
       meaning="a share is slower by the same time")
def questions_not_in_the_cache(dice: Random) -> Iterator[Bed]:
    share, more = pick(dice, 0.14, 0.2), dice.randint(700, 760)

    async def answer(asked: Asked) -> bool:
        begin_stream(asked)
        await some(80, 120)
        if random.random() < share:
            await some(more, more + 40)
        return await say_words(asked, 10, 17, 27)

    with answering(answer) as url:
        yield Bed(url, peak(10) + f"-c {dice.randint(18, 28)} --think 50ms..200ms {engine(dice)}--post /v1/chat/completions --body question "
                  "--event-stream openai", truth=Truth(
            lambda all: [("slow", all.slower(more + 200), 0.4 * share, 1.8 * share), ("between", all.share(lambda one: 600 < one.ms < more + 200), 0, 0.04),
                         ("failed", all.failed, 0, 0)], method="POST", body=8, users=20, seconds=7))


@cause("a gateway writes the whole history of its rooms with each message, which takes longer the more messages there have been: 60 to 80 ms after ten seconds",
       "drift", meaning="it gets slower and slower")
def history_of_rooms(dice: Random) -> Iterator[Bed]:
    rate, last, count = dice.randint(50, 90), dice.randint(60, 80), 0

    async def work() -> None:
        nonlocal count
        count += 1
        await some(3 + 0.9 * last * count / (11 * rate), 6 + 1.1 * last * count / (11 * rate))

    def claims() -> list[Claim]:
        first = message_ms(url, 3)
        for _ in range(rate):
            message_ms(url, 10)
        return [("first", first, 3, 60), ("later", message_ms(url, 3), 0.6 * last, 1.3 * last + 60)]

    with echoing(work) as url:
        yield Bed(f"ws{url[4:]}rooms/{{pair}}", peak(10) + f"--subscribers 0 -c {dice.randint(20, 32)} --rate '{rate} messages/s' "
                  f"{dice.choice(('', '--arrivals poisson '))}", probe=claims)


# Wrong tests.


@cause("each coupon in a test's file can be used once, and the test begins the file anew in the middle: 409 for each coupon from then on", "outage",
       "steady-failures", meaning="an operation fails from then on")
def coupons_are_used_up(dice: Random) -> Iterator[Bed]:
    rate = dice.randint(30, 50)
    used: set[bytes] = set()

    async def answer(asked: Asked) -> bool:
        if asked.method == "GET":
            await some(8, 22)
            return await asked.say(b"x" * 900)
        if asked.body in used:
            await some(3, 8)
            return await asked.say(b"used", 409)
        used.add(asked.body)
        await some(16, 40)
        return await asked.say(b"thanks")

    with answering(answer) as url, rows("code", [f"coupon-{number}" for number in range(round(rate * pick(dice, 5, 6.2)))]) as file:
        yield Bed(url, peak(9) + f"-c 60 --rate '{rate} journeys/s' {engine(dice)}", plan=f"""
data:
  coupons: {{csv: {file}}}
scenarios:
  - name: use
    steps:
      - get: /cart
      - think: 30ms..90ms
      - post: /coupons
        json: {{code: "{{coupons.code}}"}}
""", probe=lambda: [(name, said(url, "/coupons", "POST", b"coupon")[0], status, status) for name, status in (("once", 200), ("twice", 409))])


@cause("one in five or six accounts has to accept new terms first: its page is a redirect, which a test doesn't follow", "redirects",
       meaning="a share is redirects")
def terms_to_be_accepted(dice: Random) -> Iterator[Bed]:
    every = dice.choice((5, 6))

    async def answer(asked: Asked) -> bool:
        if asked.path.startswith("/accounts/") and int(asked.path.split("/")[2]) % every == 0:
            await some(3, 9)
            asked.writer.write(b"HTTP/1.1 302 Found\r\nLocation: /terms\r\nContent-Length: 0\r\n\r\n")
            return True
        await some(10, 28)
        return await asked.say(b"x" * 2500)

    with answering(answer) as url:
        yield Bed(url, peak(8) + f"-c {dice.randint(12, 20)} {engine(dice)}", plan=f"""
scenarios:
  - name: look
    steps:
      - get: /items
      - think: 40ms..120ms
      - get: "/accounts/{{random:1..{10 * every}}}"
        name: GET /accounts/NUMBER
      - think: 40ms..120ms
""", probe=lambda: [(str(number), said(url, f"/accounts/{number}")[0], status, status) for number, status in ((1, 200), (every, 302), (every + 1, 200))])


# Healthy services, by what they are made of.

FLASK = """
import random, sys, threading, time
from flask import Flask, jsonify, request
from werkzeug.serving import WSGIRequestHandler, make_server

class Handler(WSGIRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log(self, *_):
        pass

application = Flask("shop")

@application.get("/items")
def items():
    time.sleep(random.uniform(0.006, 0.02))
    return jsonify([{"id": number, "name": f"item {number}"} for number in range(30)])

@application.post("/orders")
def order():
    time.sleep(random.uniform(0.014, 0.036))
    return jsonify({"item": request.get_json()["item"], "state": "new"}), 201

server = make_server("127.0.0.1", 0, application, threaded=True, request_handler=Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(f"http://127.0.0.1:{server.server_port}/", flush=True)
sys.stdin.read()
"""


@clean("an application made with Flask, with a thread for each connection")
def made_with_flask(dice: Random) -> Iterator[Bed]:
    with inline(sys.executable, "-c", FLASK) as url:
        yield Bed(url, peak(8, 2) + f"-c {dice.randint(6, 12)} {engine(dice)}", plan="""
scenarios:
  - name: order
    steps:
      - get: /items
        checks: status=200
      - think: 80ms..220ms
      - post: /orders
        json: {item: 7}
        checks: status=201
      - think: 80ms..220ms
""", truth=Truth(lambda all: [("200", all.status(200), 1, 1), ("slow", all.slower(120), 0, 0.02)], paths=("/items",), users=4, think=0.05, seconds=3))


@clean("the administration of a site made with Django, behind nginx: editors log in, add a group, look at it and log out")
def administration_of_django(dice: Random) -> Iterator[Bed]:
    port = faults.free_port()
    site = str(server.SERVERS.parent / "django_site.py")
    with tempfile.TemporaryDirectory() as folder, inline("env", f"TMPDIR={folder}", sys.executable, site, str(port)), faults.nginx(
            "", f"location / {{ proxy_set_header Host $http_host; proxy_pass http://127.0.0.1:{port}; }}") as url:
        yield Bed(url, peak(8, 4) + f"-c {dice.randint(2, 3)} {engine(dice)}", plan="""
scenarios:
  - name: editor
    session: {cookies: true, redirects: 3}
    steps:
      - get: /admin/
        name: GET form
        extract:
          token: regex:name="csrfmiddlewaretoken" value="([^"]+)"
      - think: 200ms..400ms
      - post: /admin/login/?next=/admin/
        name: POST login
        form: {csrfmiddlewaretoken: "{token}", username: editor, password: correct horse, next: /admin/}
        checks: status=200 body~"Site administration"
      - think: 200ms..400ms
      - get: /admin/auth/group/add/
        name: GET group form
        extract:
          token: regex:name="csrfmiddlewaretoken" value="([^"]+)"
      - think: 200ms..400ms
      - post: /admin/auth/group/add/
        name: POST group
        form: {csrfmiddlewaretoken: "{token}", name: "group {uuid}", _save: Save}
        checks: status=200 body~"was added successfully"
      - think: 200ms..400ms
""", truth=Truth(lambda all: [("200", all.status(200), 1, 1)], paths=("/admin/login/",), users=2, think=0.1, seconds=3))


@clean("a shop in PHP, which keeps the cart of each user in a session of its own")
def carts_of_php(dice: Random) -> Iterator[Bed]:
    script = ("session_start(); $_SESSION['items'] = ($_SESSION['items'] ?? 0) + 1; "
              "usleep(random_int(8000, 24000)); header('Content-Type: application/json'); echo json_encode(['items' => $_SESSION['items']]);")
    with php(8, script) as url:
        yield Bed(url, peak(8, 2) + f"-c {dice.randint(6, 10)} {engine(dice)}", plan="""
scenarios:
  - name: shop
    session: {cookies: true}
    steps:
      - get: /
        checks: json:/items=1
      - think: 120ms..300ms
      - post: /cart
        checks: json:/items=2
      - think: 120ms..300ms
      - get: /cart
        checks: json:/items=3
      - think: 120ms..300ms
""", truth=Truth(lambda all: [("200", all.status(200), 1, 1)], users=3, think=0.1, seconds=3))


ORDERS = """
import asyncio, json, random, sqlite3, sys

database = sqlite3.connect(sys.argv[1], isolation_level=None)
database.execute("pragma journal_mode=wal")
database.execute("pragma synchronous=off")
database.execute("create table orders (id integer primary key, item int)")
database.executemany("insert into orders (item) values (?)", [(number,) for number in range(200)])

async def serve(reader, writer):
    try:
        while True:
            head = (await reader.readuntil(b"\\r\\n\\r\\n")).decode("latin-1")
            length = next((int(line.split(":")[1]) for line in head.split("\\r\\n") if line.lower().startswith("content-length:")), 0)
            await reader.readexactly(length)
            if head.startswith("POST"):
                body = json.dumps({"id": database.execute("insert into orders (item) values (7)").lastrowid}).encode()
            else:
                body = json.dumps(database.execute("select id, item from orders order by id desc limit 20").fetchall()).encode()
            await asyncio.sleep(random.uniform(0.006, 0.02))
            writer.write(b"HTTP/1.1 200 OK\\r\\nContent-Length: " + str(len(body)).encode() + b"\\r\\n\\r\\n" + body)
            await writer.drain()
    except (OSError, asyncio.IncompleteReadError):
        writer.close()

async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", 0, backlog=1024)
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/", flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)

asyncio.run(main())
"""


@clean("a service that stores orders in SQLite, and lists the last ones")
def orders_in_sqlite(dice: Random) -> Iterator[Bed]:
    with tempfile.TemporaryDirectory() as folder, inline("python3", "-c", ORDERS, f"{folder}/orders.db") as url:
        yield Bed(url, peak(8, 2) + f"{modest(dice, (50, 90))}--get /orders --post /orders --body order")


@clean("an order waits in a list of Redis, from which six workers take the next one, and is answered when one has done it, 14 to 40 ms later")
def workers_of_a_list(dice: Random) -> Iterator[Bed]:
    numbers, news = iter(range(1_000_000)), asyncio.Semaphore(0)
    waiting: dict[str, asyncio.Future[None]] = {}
    tasks: set[asyncio.Task] = set()
    with redis("--save", "") as (port, _):
        store = Store(port)

        async def work() -> None:
            while True:
                await news.acquire()
                number = (await store.ask("LPOP", "orders")).strip()
                await some(12, 34)
                waiting.pop(number).set_result(None)

        async def answer(asked: Asked) -> bool:
            if not tasks:
                tasks.update(asyncio.create_task(work()) for _ in range(6))
            if asked.method == "GET":
                await some(6, 18)
                return await asked.say(b"x" * 700)
            number = str(next(numbers))
            waiting[number] = done = asyncio.get_running_loop().create_future()
            await store.ask("RPUSH", "orders", number)
            news.release()
            await done
            return await asked.say(b"done", 201)

        with answering(answer) as url:
            yield Bed(url, peak(8, 2) + f"{modest(dice, (50, 80))}{ITEMS_AND_ORDERS}", truth=Truth(
                lambda all: [("201", all.status(201), 1, 1), ("median", all.median, 12, 70)], method="POST", body=5, users=4, think=0.03, seconds=3))


@clean("jobs in Postgres: some add one, others take the next one (for update skip locked)")
def next_job_of_a_table(dice: Random) -> Iterator[Bed]:
    with postgres("create table jobs (id serial primary key, done bool default false)", "create index on jobs (id) where not done",
                  "insert into jobs (done) select false from generate_series(1, 200)") as port:
        database = Database(port, 16)

        async def answer(asked: Asked) -> bool:
            following = "select id from jobs where not done order by id limit 1 for update skip locked"
            failed = await database.ask("insert into jobs default values" if asked.path == "/jobs" else f"update jobs set done = true where id = ({following})")
            await some(6, 18)
            return await asked.say(failed.encode(), 500 if failed else 200)

        with answering(answer) as url:
            yield Bed(url, peak(8, 2) + f"{modest(dice, (50, 80))}--post /jobs --body job --post /jobs/next")


GARBAGE = """
import asyncio, random, sys

each = int(sys.argv[1])
last = None

async def serve(reader, writer):
    global last
    try:
        while True:
            head = (await reader.readuntil(b"\\r\\n\\r\\n")).decode("latin-1")
            length = next((int(line.split(":")[1]) for line in head.split("\\r\\n") if line.lower().startswith("content-length:")), 0)
            await reader.readexactly(length)
            # They refer to each other, so that only a collection removes them.
            last = [{"number": number} for number in range(each)]
            for one in last:
                one["all"] = last
            await asyncio.sleep(random.uniform(0.008, 0.024))
            writer.write(b"HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nok")
            await writer.drain()
    except (OSError, asyncio.IncompleteReadError):
        writer.close()

async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", 0, backlog=1024)
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/", flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)

asyncio.run(main())
"""


@clean("a Python server that makes some hundred objects for each request that only its short collections remove")
def garbage_of_python(dice: Random) -> Iterator[Bed]:
    with inline("python3", "-c", GARBAGE, str(dice.randint(500, 1200))) as url:
        yield Bed(url, peak(8, 2) + f"{modest(dice, (50, 90))}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 8, 45), ("slow", all.slower(120), 0, 0.02)], users=4, think=0.03))


@clean("a Java server with four operations, at a rate, and limits that a test sets itself and that hold")
def four_operations(dice: Random) -> Iterator[Bed]:
    with server.java(rule(method="POST", ms=(20, 44), status=201), rule(method="PUT", ms=(16, 36)), rule(method="DELETE", ms=(8, 20)),
                     rule(ms=(6, 24), bytes=1800)) as url:
        yield Bed(url, peak(8, 2) + f"-c 60 --rate {dice.randint(60, 120)}/s --arrivals poisson {engine(dice)}--get /items --post /items --body new "
                  "--put /items/7 --body changed --delete /items/7 --threshold 'peak: p99 < 2s' --threshold 'peak: failures < 1%'", truth=Truth(
            lambda all: [("200", all.status(200), 1, 1), ("median", all.median, 6, 50)], seconds=2))


# Healthy, behind proxies.


@contextlib.contextmanager
def with_tls(bind: str, servers: str) -> Iterator[str]:
    """The address of a HAProxy that ends TLS before these servers, with more words for where it listens."""
    with tempfile.TemporaryDirectory() as folder:
        key, cert = server.certificate(folder)
        both = Path(folder, "both.pem")
        both.write_text(Path(cert).read_text() + Path(key).read_text())
        with server.haproxy(f"listen all\n  bind LISTEN ssl crt {both} {bind}\n{servers}") as url:
            yield f"https{url[4:]}"


@clean("HAProxy ends TLS before a Node server, at an even rate")
def node_behind_tls(dice: Random) -> Iterator[Bed]:
    with server.node(option(idle=60_000), rule(method="POST", ms=(14, 36)), rule(ms=(6, 20), bytes=2500)) as behind, \
            with_tls("", f"  server one {behind[7:-1]}") as url:
        yield Bed(url, peak(8, 2) + f"-k -c 40 --rate {dice.randint(60, 110)}/s {engine(dice)}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 6, 50)], seconds=2))


@clean("HTTP/2 to the end: HAProxy speaks it with its users, over TLS, and with the two Go servers behind it")
def h2_to_the_end(dice: Random) -> Iterator[Bed]:
    rules = (rule(method="POST", ms=(14, 36)), rule(ms=(6, 20), bytes=2500))
    with server.go(*rules) as one, server.go(*rules) as two, with_tls(
            "alpn h2,http/1.1", f"  balance roundrobin\n  server one {one[7:-1]} proto h2\n  server two {two[7:-1]} proto h2") as url:
        yield Bed(url, peak(8, 2) + f"-k --engine events --http2 --streams {dice.choice((2, 4, 8))} -c {dice.choice((16, 24))} --think 60ms..180ms "
                  + ITEMS_AND_ORDERS, truth=Truth(lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 6, 50)], seconds=2))


@clean("Apache before a Node server (mod_proxy), which keeps its connections")
def apache_before_node(dice: Random) -> Iterator[Bed]:
    with server.node(option(idle=60_000), rule(method="POST", ms=(14, 36)), rule(ms=(6, 20), bytes=1800)) as behind, apache(
            f"MaxKeepAliveRequests 0\nKeepAliveTimeout 30\nProxyPass / {behind} keepalive=On\n", "proxy", "proxy_http") as url:
        yield Bed(url, peak(8, 2) + f"{modest(dice, (50, 90))}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 6, 60)], seconds=2))


@clean("lighttpd before a Go server, with pages of 1 to 12 kB")
def lighttpd_before_go(dice: Random) -> Iterator[Bed]:
    program = shutil.which("lighttpd", path=os.environ["PATH"] + ":/usr/sbin")
    if program is None:
        raise faults.Impossible("no lighttpd")
    port = faults.free_port()
    with tempfile.TemporaryDirectory() as folder, server.go(
            rule(method="POST", ms=(10, 20)), rule(ms=(6, 20), bytes=1000), rule(path="/items", bytes=12_000)) as behind:
        file = Path(folder, "lighttpd.conf")
        file.write_text(f'server.modules = ("mod_proxy")\nserver.document-root = "{folder}"\nserver.bind = "127.0.0.1"\nserver.port = {port}\n'
                        f'server.errorlog = "{folder}/error.log"\nserver.max-keep-alive-requests = 100000\nserver.max-keep-alive-idle = 30\n'
                        f'proxy.server = ("" => (("host" => "127.0.0.1", "port" => {server.port(behind)})))\n')
        with subprocess.Popen([program, "-D", "-f", file], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            try:
                faults.wait_for(port)
                yield Bed(f"http://127.0.0.1:{port}/", peak(8, 2) + f"{modest(dice, (50, 90))}{ITEMS_AND_ORDERS} --get /prices", truth=Truth(
                    lambda all: [("200", all.status(200), 1, 1), ("median", all.median, 6, 50)], paths=("/items", "/prices"), seconds=2))
            finally:
                process.kill()


@clean("HAProxy keeps twelve pages in its own cache, which the warmup fills; baskets aren't kept")
def cache_of_haproxy(dice: Random) -> Iterator[Bed]:
    with server.go(rule(path="/basket", ms=(8, 22), header="Cache-Control:no-store"),
                   rule(path="/pages", ms=(18, 40), bytes=4000, header="Cache-Control:max-age=60")) as behind, server.haproxy(
            "cache pages\n  total-max-size 4\n  max-age 60\nlisten all\n  bind LISTEN\n  http-request cache-use pages\n  http-response cache-store pages\n"
            f"  server one {behind[7:-1]}") as url:
        yield Bed(url, peak(8, 3) + f"-c {dice.randint(12, 22)} {engine(dice)}", plan="""
scenarios:
  - name: look
    steps:
      - get: "/pages/{iteration:0..11}"
        name: GET /pages/NUMBER
      - think: 60ms..180ms
      - get: /basket
      - think: 60ms..180ms
""", probe=lambda: [("first", ms_of(url, "/pages/1", 1), 18, 200), ("later", ms_of(url, "/pages/1"), 0, 17), ("basket", ms_of(url, "/basket"), 8, 60)])


@clean("nginx asks a service for each page whether a user may see it, which takes 2 to 5 ms (auth_request)")
def permission_for_each_page(dice: Random) -> Iterator[Bed]:
    with server.go(rule(path="/auth", ms=(2, 5), status=204), rule(method="POST", ms=(14, 36)), rule(ms=(6, 20), bytes=1500)) as behind, faults.nginx(
            f"upstream one {{ server {behind[7:-1]}; keepalive 64; }}",
            'proxy_http_version 1.1; proxy_set_header Connection ""; location / { auth_request /auth; proxy_pass http://one; } '
            'location = /auth { internal; proxy_pass_request_body off; proxy_set_header Content-Length ""; proxy_set_header Connection ""; '
            "proxy_pass http://one; }") as url:
        yield Bed(url, peak(8, 2) + f"{modest(dice, (60, 110))}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("200", all.status(200), 1, 1), ("median", all.median, 8, 50)], seconds=2))


@clean("a page that nginx makes of three parts, which it asks a service for (SSI)")
def page_made_of_parts(dice: Random) -> Iterator[Bed]:
    with tempfile.TemporaryDirectory() as folder, dice.choice((server.go, server.node))(
            option(idle=60_000), rule(ms=(5, 16), bytes=900), rule(path="/parts/reviews", ms=(8, 18), bytes=3000)) as behind:
        os.chmod(folder, 0o755)
        Path(folder, "item.html").write_text("<html>\n" + "".join(
            f'<!--#include virtual="/parts/{name}" -->\n' for name in ("head", "item", "reviews")) + "<p>7</p></html>\n")
        with faults.nginx(f"upstream one {{ server {behind[7:-1]}; keepalive 64; }}",
                          f'root {folder}; ssi on; default_type text/html; location /parts/ {{ proxy_http_version 1.1; proxy_set_header Connection ""; '
                          "proxy_pass http://one; }") as url:
            yield Bed(url, peak(8, 2) + f"{modest(dice, (40, 70))}--get /item.html --expect 'status=200 body~\"<p>7</p>\" size>4k' --get /parts/head",
                      truth=Truth(lambda all: [("200", all.status(200), 1, 1), ("size", min(one.size for one in all.all), 4800, 6000)],
                                  paths=("/item.html",), users=3, seconds=2))


# Healthy, by what users do.


@clean("a page and its parts, a style, a script and three pictures, one after another by TLS, then a pause for reading")
def page_and_its_parts(dice: Random) -> Iterator[Bed]:
    names = {"page": 6000, "style": 18_000, "script": 60_000, "first": 9000, "second": 24_000, "third": 30_000}
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        for name, size in names.items():
            Path(folder, name).write_bytes(dice.randbytes(size))
        with faults.nginx("", f"root {folder};", tls=EC) as url:
            steps = "".join(f"      - get: /{name}\n" for name in names)
            yield Bed(url, peak(9, 2) + f"-k -c {dice.randint(10, 18)} {engine(dice)}",
                      plan=f"scenarios:\n  - name: read\n    steps:\n{steps}      - think: 600ms..1400ms\n",
                      truth=Truth(lambda all: [("200", all.status(200), 1, 1)], paths=tuple(f"/{name}" for name in names), seconds=2))


@clean("four times as many users for two or three seconds, at a server with room, and as few as before afterwards")
def many_users_for_a_while(dice: Random) -> Iterator[Bed]:
    with dice.choice((server.go, server.node, server.java))(rule(method="POST", ms=(14, 36)), rule(ms=(6, 20), bytes=1200)) as url:
        yield Bed(url, f"--phases warmup=0.25:for:1s,before=0.25:for:3s,spike=1:for:{pick(dice, 2, 3)}s,after=0.25:for:3s -c {dice.randint(24, 40)} "
                  f"--think 120ms..300ms {engine(dice)}{ITEMS_AND_ORDERS}")


@clean("files that a test asks for again within a visit, as a browser does, and that haven't changed (304)")
def visits_with_a_cache(dice: Random) -> Iterator[Bed]:
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        for name, size in (("page", 5000), ("style", 16_000), ("script", 50_000)):
            Path(folder, name).write_bytes(dice.randbytes(size))
        with faults.nginx("", f"root {folder};") as url:
            yield Bed(url, peak(8, 2) + f"-c {dice.randint(12, 22)} {engine(dice)}", plan="""
scenarios:
  - name: read
    session: {cache: true}
    steps:
      - repeat: 3
        steps:
          - get: /page
          - get: /style
          - get: /script
          - think: 250ms..700ms
""", truth=Truth(lambda all: [("200", all.status(200), 1, 1)], paths=("/page", "/style", "/script"), seconds=2))


@clean("texts of 10 to 140 words are translated: a longer one takes longer, each word 3 to 5 ms")
def texts_are_translated(dice: Random) -> Iterator[Bed]:
    texts = [" ".join(["word"] * dice.randint(10, 140)) for _ in range(60)]

    async def answer(asked: Asked) -> bool:
        words = len(json.loads(asked.body)["text"].split())
        await asyncio.sleep((40 + 4 * words) * random.lognormvariate(0, 0.12) / 1000)
        return await asked.say(b"wort " * words)

    with answering(answer) as url, rows("text", texts) as file:
        yield Bed(url, peak(9) + f"-c {dice.randint(10, 18)} {engine(dice)}", plan=f"""
data:
  texts: {{csv: {file}, order: random}}
scenarios:
  - name: translate
    steps:
      - post: /translations
        json: {{text: "{{texts.text}}"}}
      - think: 100ms..400ms
""", probe=lambda: [(str(words), min(_ms_of_text(url, words) for _ in range(4)), 40 + 2.6 * words, 100 + 5.5 * words) for words in (10, 140)])


def _ms_of_text(url: str, words: int) -> float:
    begin = time.monotonic()
    said(url, "/translations", "POST", json.dumps({"text": "word " * words}).encode())
    return (time.monotonic() - begin) * 1000


@clean("a service whose cache has most of what is asked for: 6 to 16 ms, and 14 to 34 ms for one in twelve")
def most_is_in_the_cache(dice: Random) -> Iterator[Bed]:
    with dice.choice((server.go, server.node, server.java))(rule(share=pick(dice, 0.07, 0.1), ms=(8, 18)), rule(ms=(6, 16), bytes=1400)) as url:
        yield Bed(url, peak(9, 2) + f"{open_model(dice, 60, dice.randint(80, 130))}--get /items --get /prices", truth=Truth(
            lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 6, 35)], seconds=3))


@clean("times as most services have them: lognormal around 18 to 28 ms, and one in 300 requests takes 60 to 120 ms more")
def ordinary_times(dice: Random) -> Iterator[Bed]:
    median = dice.randint(18, 28)

    async def answer(asked: Asked) -> bool:
        ms = median * random.lognormvariate(0, 0.35) + (random.uniform(60, 120) if random.random() < 1 / 300 else 0)
        await asyncio.sleep(ms / 1000)
        return await asked.say(b"x" * 1500)

    with answering(answer) as url:
        yield Bed(url, peak(9) + f"{modest(dice, (70, 120))}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 0.8 * median, median + 25), ("slow", all.slower(180), 0, 0.02)], users=4))


@clean("readers over HTTP/2 and TLS, who start within two seconds of a phase and think for 0.7 to 1.8 s")
def readers_over_h2(dice: Random) -> Iterator[Bed]:
    with server.go(option(tls=1), rule(ms=(6, 20), bytes=9000), rule(path="/search", ms=(12, 40), bytes=3000)) as url:
        yield Bed(url, peak(9, 3) + f"-k --engine events --http2 --streams {dice.choice((3, 6))} -c {dice.choice((18, 24, 36))} --ramp 2s "
                  "--think 700ms..1800ms --get /items --get /search", truth=Truth(lambda all: [("200", all.status(200), 1, 1)], seconds=2))


@clean("films in pieces: a list, then four pieces of 120 to 260 kB, one each half a second, by nginx")
def films_in_pieces(dice: Random) -> Iterator[Bed]:
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        Path(folder, "list").write_text("#EXTM3U\n" + "".join(f"#EXTINF:0.5,\n{number}.ts\n" for number in range(4)))
        for number in range(4):
            Path(folder, f"{number}.ts").write_bytes(dice.randbytes(dice.randint(120, 260) * 1000))
        with faults.nginx("", f"root {folder};") as url:
            pieces = "".join(f"      - get: /{number}.ts\n      - think: 400ms..560ms\n" for number in range(4))
            yield Bed(url, peak(9, 2) + f"-c {dice.randint(8, 14)} {engine(dice)}",
                      plan=f"scenarios:\n  - name: watch\n    steps:\n      - get: /list\n      - think: 50ms..150ms\n{pieces}",
                      truth=Truth(lambda all: [("200", all.status(200), 1, 1)], paths=("/list", "/0.ts", "/3.ts"), seconds=2))


@clean("a test with a number of requests in place of phases: 400 to 700 of all users together")
def so_many_in_all(dice: Random) -> Iterator[Bed]:
    with dice.choice((server.go, server.node))(rule(method="POST", ms=(14, 36)), rule(ms=(6, 20), bytes=1200)) as url:
        yield Bed(url, f"--total {2 * dice.randint(200, 350)} -c {dice.randint(10, 16)} --think 60ms..180ms {engine(dice)}{ITEMS_AND_ORDERS}")


@clean("addresses of an access log, the frequent ones with a weight, and a search whose body is a file")
def addresses_of_a_log(dice: Random) -> Iterator[Bed]:
    with tempfile.TemporaryDirectory() as folder, dice.choice((server.go, server.node, server.java))(
            rule(ms=(6, 18), bytes=5000), rule(method="POST", ms=(14, 32), bytes=3000), rule(path="/items/", ms=(1, 5), bytes=1200)) as url:
        Path(folder, "search.json").write_text('{"words": "blue shoes", "page": 1}')
        lines = [f"{dice.randint(1, 6)} GET /items/{number}" for number in range(1, 13)]
        lines += ["8 GET /", "3 POST /search", "Content-Type: application/json", f"@{folder}/search.json"]
        Path(folder, "log.txt").write_text("\n".join(lines) + "\n")
        yield Bed(url, peak(9, 2) + f"--requests {folder}/log.txt {open_model(dice, 60, dice.randint(60, 110))}", truth=Truth(
            lambda all: [("200", all.status(200), 1, 1)], paths=("/", "/items/3"), seconds=2))


@clean("pages with links: a test follows one of them, as people do")
def one_of_the_links(dice: Random) -> Iterator[Bed]:
    async def answer(asked: Asked) -> bool:
        await (some(8, 22) if asked.path.startswith("/items/") else some(14, 34))
        links = "".join(f'<li><a class="item" data-id="{number}" href="/items/{number}">item {number}</a></li>' for number in range(1, 41))
        return await asked.say(f"<html><ul>{links}</ul></html>".encode())

    with answering(answer) as url:
        yield Bed(url, peak(9) + f"-c {dice.randint(8, 14)} {engine(dice)}", plan="""
scenarios:
  - name: browse
    steps:
      - get: /items
        checks: css:a.item@href~/items
        extract: {id: {from: "css:a.item@data-id", take: random}}
      - think: 100ms..300ms
      - group: look
        steps:
          - get: "/items/{id}"
            name: GET /items/NUMBER
          - think: 50ms..150ms
          - get: "/items/{id}/reviews"
            name: GET /items/NUMBER/reviews
      - think: 100ms..300ms
""", probe=lambda: [("links", said(url, "/items")[1].count(b'class="item"'), 40, 40)])


@clean("checks of many sorts, which all hold: status, type, length, fields, numbers and words")
def checks_of_many_sorts(dice: Random) -> Iterator[Bed]:
    async def answer(asked: Asked) -> bool:
        await some(8, 26)
        body = json.dumps({"items": [{"id": number, "name": "blue shoes", "price": random.randint(5, 90)} for number in range(1, 25)], "total": 24}).encode()
        asked.writer.write(f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nX-Version: 2\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
        return True

    with answering(answer) as url:
        yield Bed(url, peak(8) + f"{modest(dice, (50, 90))}--get /items --get /items?page=2 --expect 'status=200 type=json size<10k size>500 json:/total=24 "
                  "json:/items/0/id>0 count:json:/items/*=24 header:X-Version=2 body~shoes not:body~error'")


@clean("a part of the world is far away: one operation takes 10 to 28 ms, the same for another region 118 to 150 ms")
def two_regions(dice: Random) -> Iterator[Bed]:
    with dice.choice((server.go, server.java))(rule(path="/us", ms=(108, 122)), rule(ms=(10, 28), bytes=1200)) as url:
        yield Bed(url, peak(9, 2) + f"{modest(dice, (60, 100))}--get /eu/items --get /us/items --get /eu/prices", truth=Truth(
            lambda all: [("near", all.of("/eu/items").median, 10, 45), ("far", all.of("/us/items").median, 118, 180), ("failed", all.failed, 0, 0)],
            paths=("/eu/items", "/us/items"), seconds=3))


@clean("one event loop of NIO has all users of a test")
def one_event_loop(dice: Random) -> Iterator[Bed]:
    with dice.choice((server.go, server.node))(rule(method="POST", ms=(14, 36)), rule(ms=(6, 20), bytes=1200)) as url:
        yield Bed(url, peak(8, 2) + f"--engine events --loops 1 --transport nio -c {dice.randint(30, 60)} --think 250ms..600ms {ITEMS_AND_ORDERS}")


# Healthy, by their keys and forms.


@clean("requests that are signed for AWS, without which a gateway says 403")
def signed_requests(dice: Random) -> Iterator[Bed]:
    with server.go(rule(method="POST", ms=(14, 36)), rule(ms=(6, 20), bytes=900)) as behind, server.haproxy(
            "listen all\n  bind LISTEN\n  http-request deny deny_status 403 unless { req.hdr(authorization) -m beg AWS4-HMAC-SHA256 }\n"
            f"  server one {behind[7:-1]}") as url:
        words = ["env", "AWS_ACCESS_KEY_ID=AKIDEXAMPLE", "AWS_SECRET_ACCESS_KEY=example"]
        yield Bed(url, peak(8, 2) + f"--aws-sigv4 aws:amz:eu-central-1:execute-api {modest(dice, (50, 90))}{ITEMS_AND_ORDERS}", words, probe=lambda: [
            ("without", took([], "curl", "-sf", url), -1, -1), ("signed", took([], "curl", "-sf", "-H", "Authorization: AWS4-HMAC-SHA256 x", url), 0, 3000)])


TOKENS = """
const {createHmac} = require('node:crypto');
process.stdin.on('end', () => process.exit(0)).resume();
const server = require('node:http').createServer((request, response) => request.resume().on('end', () => {
    const [head, claims, signature] = (request.headers.authorization ?? '').replace('Bearer ', '').split('.');
    const good = signature === createHmac('sha256', 'of the shop').update(`${head}.${claims}`).digest('base64url');
    const text = good ? 'x'.repeat(700) : 'who are you?';
    setTimeout(() => response.writeHead(good ? 200 : 401, {'Content-Length': text.length}).end(text), 7 + 16 * Math.random());
}));
server.listen({port: 0, host: '127.0.0.1', backlog: 1024}, () => console.log(`http://127.0.0.1:${server.address().port}/`));
"""


@clean("each user makes its own token and signs it, as a Node server wants it (JWT)")
def tokens_of_the_test(dice: Random) -> Iterator[Bed]:
    with inline("node", "-e", TOKENS) as url:
        yield Bed(url, peak(8, 2) + f"-c {dice.randint(12, 22)} {engine(dice)}", plan="""
variables: {secret: of the shop}
scenarios:
  - name: orders
    steps:
      - get: /orders
        headers:
          Authorization: 'Bearer {jwt:secret:{"sub":"user-{user}","iat":{now:s},"exp":4102444800}}'
        checks: status=200
      - think: 60ms..180ms
      - post: /orders
        headers:
          Authorization: 'Bearer {jwt:secret:{"sub":"user-{user}","iat":{now:s},"exp":4102444800}}'
        json: {item: 7}
        checks: status=200
      - think: 60ms..180ms
""", probe=lambda: [("without", said(url, "/orders")[0], 401, 401)])


@clean("a canary is asked directly, by the name of the service (--connect-to)")
def canary_is_asked_directly(dice: Random) -> Iterator[Bed]:
    with dice.choice((server.go, server.node))(rule(method="POST", ms=(14, 36)), rule(ms=(6, 20), bytes=1200)) as behind, server.haproxy(
            "listen all\n  bind LISTEN\n  http-request return status 421 unless { req.hdr(host) -i shop.example }\n"
            f"  server one {behind[7:-1]}") as there:
        to = f"shop.example:80:127.0.0.1:{server.port(there)}"
        yield Bed("http://shop.example/", peak(8, 2) + f"--connect-to {to} {modest(dice, (60, 110))}{ITEMS_AND_ORDERS}", probe=lambda: [
            ("by its name", took([], "curl", "-sf", "--connect-to", to, "http://shop.example/"), 0, 3000), ("without", took([], "curl", "-sf", there), -1, -1)])


BROTLI = """
const zlib = require('node:zlib');
process.stdin.on('end', () => process.exit(0)).resume();
const bodies = [60, 240, 700].map(number => Buffer.from(JSON.stringify(Array.from({length: number}, (_, id) => ({id, name: 'name ' + id * 7919 % 1009})))));
const compressed = bodies.map(body => zlib.brotliCompressSync(body));
const server = require('node:http').createServer((request, response) => request.resume().on('end', () => {
    const small = (request.headers['accept-encoding'] ?? '').includes('br');
    const body = (small ? compressed : bodies)[request.url.length % 3];
    const fields = {'Content-Type': 'application/json', 'Content-Length': body.length, ...(small ? {'Content-Encoding': 'br'} : {})};
    setTimeout(() => response.writeHead(200, fields).end(body), 8 + 18 * Math.random());
}));
server.listen({port: 0, host: '127.0.0.1', backlog: 1024}, () => console.log(`http://127.0.0.1:${server.address().port}/`));
"""


@clean("lists of 2 to 20 kB that a Node server compresses (Brotli), of which a test looks at the names")
def compressed_with_brotli(dice: Random) -> Iterator[Bed]:
    with inline("node", "-e", BROTLI) as url:
        yield Bed(url, peak(8, 2) + f"--decode {modest(dice, (40, 70))}--get /items --get /items/7 --get /prices --expect 'status=200 json:/0/name~name'",
                  probe=lambda: [("encoded", b"content-encoding: br" in reply(
                      url, b"GET /items HTTP/1.1\r\nHost: a\r\nAccept-Encoding: br\r\n\r\n").lower(), 1, 1)])


@clean("calls over HTTP/2 whose responses end with trailers, as those of gRPC do")
def calls_with_trailers(dice: Random) -> Iterator[Bed]:
    async def answer(writer: asyncio.StreamWriter, stream: int) -> None:
        await some(6, 26)
        if not writer.is_closing():
            writer.write(frame(1, 4, stream, b"\x88") + frame(0, 0, stream, b"\0\0\0\0\x40" + b"x" * 64)
                         + frame(1, 5, stream, b"\0\x0bgrpc-status\x010"))

    with over_http2(answer) as url:
        yield Bed(url, peak(8, 2) + f"--engine events --http2 --streams {dice.choice((2, 4))} -c {dice.choice((12, 20, 28))} --think 60ms..200ms "
                  "-H 'TE: trailers' --post /shop.Items/List --body list --post /shop.Orders/Make --body make",
                  probe=lambda: [("five", server.streams_ms(url, 5), 6, 300)])


# Healthy messages and streams.


@clean("a quiz by WebSocket: users connect, answer five questions, and go")
def quiz_by_websocket(dice: Random) -> Iterator[Bed]:
    with echoing(lambda: some(4, 14)) as url:
        yield Bed(url, peak(9) + f"-c {dice.randint(10, 18)} {engine(dice)}", plan="""
scenarios:
  - name: quiz
    steps:
      - connect: "/rooms/{user}"
      - repeat: 5
        steps:
          - send: {json: {answer: "{user}-{iteration}"}}
            name: answer
          - expect: {json: {/answer: "{user}-{iteration}"}, within: 2s}
            name: answered
          - think: 150ms..350ms
      - close: 1000
      - think: 100ms..300ms
""", probe=lambda: [("comes back", message_ms(url, 3), 4, 80)])


@clean("pairs of two gateways for WebSocket, where HAProxy chooses the gateway by a room's name, so that both of a pair meet")
def rooms_by_their_name(dice: Random) -> Iterator[Bed]:
    with rooms() as one, rooms() as two, of_haproxy(one, two, balance="uri", more="\n  timeout tunnel 60s") as url:
        yield Bed(f"ws{url[4:]}rooms/{{pair}}", peak(8, 2) + f"-c {dice.randint(16, 30)} --rate '{dice.randint(50, 100)} messages/s' "
                  f"--message-size {dice.randint(80, 700)} {dice.choice(('', '--arrivals poisson '))}", probe=lambda: [("heard", heard(url, 16), 1, 1)])


@clean("messages by MQTT through HAProxy, which looks whether a connection begins as MQTT does")
def mqtt_by_haproxy(dice: Random) -> Iterator[Bed]:
    with mosquitto() as behind, server.haproxy(
            "listen all\n  mode tcp\n  bind LISTEN\n  tcp-request inspect-delay 3s\n  tcp-request content reject unless { req.payload(0,0),mqtt_is_valid }\n"
            f"  server one 127.0.0.1:{behind}") as there:
        port = server.port(there)
        yield Bed(f"mqtt://127.0.0.1:{port}/rooms/{{pair}}", peak(8, 2) + f"-c {dice.randint(12, 24)} --qos {dice.randint(0, 1)} "
                  f"--rate '{dice.randint(40, 90)} messages/s' --message-size {dice.randint(60, 600)}",
                  probe=lambda: [("passed on", relayed(port), 1, 1)])


@clean("figures of machines by MQTT, each of which three others read")
def figures_for_three(dice: Random) -> Iterator[Bed]:
    with mosquitto() as port:
        yield Bed(f"mqtt://127.0.0.1:{port}/machines/{{pair}}", peak(8, 2) + f"--subscribers 3 -c {dice.randint(6, 12)} --qos {dice.randint(0, 1)} "
                  f"--rate '{dice.randint(20, 50)} messages/s' --message-size {dice.randint(60, 300)} {dice.choice(('', '--arrivals poisson '))}",
                  probe=lambda: [("passed on", relayed(port), 1, 1)])


@clean("a model's answers in the form of a newer API: 8 to 30 words, 12 to 30 ms apart")
def answers_of_a_newer_api(dice: Random) -> Iterator[Bed]:
    async def send(asked: Asked, kind: str, **values: object) -> None:
        event = f"event: {kind}\ndata: {json.dumps({'type': kind, **values})}\n\n".encode()
        asked.writer.write(f"{len(event):x}\r\n".encode() + event + b"\r\n")
        await asked.writer.drain()

    async def answer(asked: Asked) -> bool:
        begin_stream(asked)
        await send(asked, "response.created")
        await some(150, 320)
        for number in range(random.randint(8, 30)):
            await some(12, 30)
            await send(asked, "response.output_text.delta", delta=f"word{number} ")
        await send(asked, "response.completed")
        return end_stream(asked)

    with answering(answer) as url:
        yield Bed(url, peak(9) + f"-c {dice.randint(12, 22)} --think 150ms..500ms {engine(dice)}--post /v1/responses --body question "
                  "--event-stream openai-responses", probe=lambda: [("words", said(url, "/v1/responses", "POST", b"x")[1].count(b"word"), 8, 30)])


LISTENED = """
process.stdin.on('end', () => process.exit(0)).resume();
const server = require('node:http').createServer((request, response) => request.resume().on('end', () => {
    response.writeHead(200, {'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store'});
    let left = 6 + Math.floor(5 * Math.random());
    const next = () => {
        response.write(`data: {"left": ${left}}\\n\\n`);
        --left ? setTimeout(next, 120 + 200 * Math.random()) : response.end();
    };
    setTimeout(next, 20 + 60 * Math.random());
}));
server.listen({port: 0, host: '127.0.0.1', backlog: 1024}, () => console.log(`http://127.0.0.1:${server.address().port}/`));
"""


@clean("40 to 60 users listen to streams of a Node server: 6 to 10 events, 0.12 to 0.32 s apart")
def many_who_listen(dice: Random) -> Iterator[Bed]:
    with inline("node", "-e", LISTENED) as url:
        yield Bed(url, peak(10, 2) + f"-c {dice.randint(40, 60)} --think 100ms..400ms {engine(dice)}--get /scores --event-stream events",
                  probe=lambda: [("events", said(url, "/scores")[1].count(b"data:"), 6, 10)])
