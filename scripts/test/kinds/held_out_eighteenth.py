"""
The faults of the eighteenth held-out set. Don't read on if you change rules.

No rule was tuned on it. Each fault is one that engineers meet in services, networks and tests, in a form that the earlier sets don't have.
The ids of a fault are those that an expert would accept as the first finding.
"""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import hashlib
import hmac
import json
import os
import random
import shutil
import socket
import struct
import subprocess
import sys
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
from kinds.held_out_eighth import begin_stream
from kinds.held_out_eleventh import Database, apache, mosquitto, postgres
from kinds.held_out_fifth import Clock
from kinds.held_out_fourth import between, inline, sent
from kinds.held_out_ninth import AUTHORITY, ITEMS_AND_ORDERS
from kinds.held_out_second import Asked, answering, some
from kinds.held_out_seventeenth import far_away, few_and_many, low_port
from kinds.held_out_seventh import later, rows, said
from kinds.held_out_sixteenth import asked_redis, say_words
from kinds.held_out_sixth import echoing, message_ms, reply
from kinds.held_out_tenth import Store, redis
from kinds.held_out_thirteenth import open_model
from kinds.held_out_twelfth import modest

# Databases and stores.


@cause("orders are in a part of their table for each span of time, and nobody has made the next one (no partition of relation): 500 from then on",
       "outage", "steady-failures", meaning="an operation fails from then on")
def partition_that_nobody_made(dice: Random) -> Iterator[Bed]:
    at, clock = pick(dice, 4.2, 5.4), Clock()
    with postgres("create table orders (at double precision, note text) partition by range (at)",
                  f"create table first partition of orders for values from (0) to ({at})") as port:
        database = Database(port, 30)

        async def answer(asked: Asked) -> bool:
            now = clock()
            failed = await database.ask(f"insert into orders values ({now:.4f}, 'new')") if asked.method == "POST" else ""
            await (some(10, 26) if asked.method == "POST" else some(7, 20))
            return await asked.say(failed.encode() or b"x" * 800, 500 if failed else 200)

        with answering(answer) as url:
            yield Bed(url, peak(10) + f"{modest(dice, (60, 100))}{ITEMS_AND_ORDERS}", truth=Truth(
                lambda all: [("before", between(all, 0, at - 0.2).failed, 0, 0), ("then", between(all, at + 0.2, 9).status(500), 1, 1)],
                method="POST", body=5, users=4, think=0.05, seconds=8))


@cause("a settlement holds all accounts every 1.5 to 2 s, for 0.32 to 0.42 s, and a transfer doesn't wait for one (NOWAIT): 500; looks at accounts go on",
       "restarts", "steady-failures", "outage", meaning="short bursts of failures")
def settlement_holds_all_accounts(dice: Random) -> Iterator[Bed]:
    period, length = pick(dice, 1.5, 2), pick(dice, 0.32, 0.42)
    with postgres("create table accounts (id int primary key, sum int)", "insert into accounts select n, 0 from generate_series(1, 500) n") as port:
        database = Database(port, 40)
        job = (f"do $$ begin for n in 1..60 loop perform 1 from accounts for share; perform pg_sleep({length}); commit; "
               f"perform pg_sleep({period - length}); end loop; end $$")

        async def answer(asked: Asked) -> bool:
            failed = ""
            if asked.method == "POST":
                failed = await database.ask(f"select 1 from accounts where id = {random.randint(1, 500)} for update nowait")
            await (some(10, 28) if asked.method == "POST" else some(7, 20))
            return await asked.say(failed.encode() or b"x" * 700, 500 if failed else 200)

        def claims() -> list[Claim]:
            wrote, read = (asking.ask(url, Truth(lambda all: [], method=method, body=4, users=6, seconds=5, think=0.03)) for method in ("POST", "GET"))
            return [("refused", wrote.status(500), 0.08, 0.4), ("others", wrote.status(200, 500), 1, 1), ("at once", wrote.slower(250), 0, 0.05),
                    ("reads", read.failed, 0, 0)]

        words = ["psql", "-q", "-h", "127.0.0.1", "-p", str(port), "-U", "shop", "-c", job, "postgres"]
        with answering(answer) as url, subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            try:
                yield Bed(url, peak(11) + f"{open_model(dice, 80, dice.randint(70, 110))}--get /accounts --post /transfers --body transfer", probe=claims)
            finally:
                process.kill()


@cause("a Redis stores nothing without its only replica (min-replicas-to-write), which is away for 1.4 to 1.8 s and has to be filled again: 500 for carts",
       "outage", "restarts", meaning="an operation fails for a while")
def store_without_its_replica(dice: Random) -> Iterator[Bed]:
    at, length, clock = pick(dice, 3.4, 4.2), pick(dice, 1.4, 1.8), Clock()
    with redis("--save", "", "--min-replicas-to-write", "1", "--repl-diskless-sync-delay", "0") as (port, _), \
            redis("--save", "", "--replicaof", "127.0.0.1", str(port)) as (replica, _):
        for _ in range(80):
            if b"state=online" in asked_redis(port, "INFO", "replication"):
                break
            time.sleep(0.1)
        time.sleep(1.2)
        store = Store(port)
        others = []

        async def be_away() -> None:
            await asyncio.to_thread(asked_redis, replica, "REPLICAOF", "NO", "ONE")
            await asyncio.sleep(length)
            await asyncio.to_thread(asked_redis, replica, "REPLICAOF", "127.0.0.1", str(port))

        async def answer(asked: Asked) -> bool:
            if clock() > at and not others:
                others.append(asyncio.create_task(be_away()))
            said_so = await (store.ask("INCR", "carts") if asked.method == "POST" else store.ask("GET", "page"))
            await (some(10, 26) if asked.method == "POST" else some(6, 18))
            return await asked.say(b"x" * 700, 500 if said_so.startswith("-") else 200)

        with answering(answer) as url:
            yield Bed(url, peak(11) + f"{open_model(dice, 60, dice.randint(60, 100))}--get /items --post /carts --body item", truth=Truth(
                lambda all: [("before", between(all, 0, at - 0.1).failed, 0, 0), ("meanwhile", between(all, at + 0.2, at + length - 0.1).status(500), 1, 1),
                             ("after", between(all, at + length + 2.6, 12).failed, 0, 0)],
                method="POST", body=5, users=4, think=0.05, seconds=9.8))


@cause("a Redis is handed over to another machine, and lets all that store something wait for 1.4 to 2 s meanwhile (CLIENT PAUSE WRITE); reads go on",
       "standstill", "slow-period", meaning="an operation stands still for a while")
def writes_wait_for_a_handover(dice: Random) -> Iterator[Bed]:
    at, ms, clock = pick(dice, 4.2, 5.6), dice.randint(1400, 2000), Clock()
    with redis("--save", "") as (port, _):
        store = Store(port)
        others = []

        async def answer(asked: Asked) -> bool:
            if clock() > at and not others:
                others.append(asyncio.create_task(asyncio.to_thread(asked_redis, port, "CLIENT", "PAUSE", str(ms), "WRITE")))
            await (store.ask("INCR", "orders") if asked.method == "POST" else store.ask("GET", "page"))
            await (some(12, 30) if asked.method == "POST" else some(7, 20))
            return await asked.say(b"x" * 900)

        def claims() -> list[Claim]:
            found: dict[str, asking.Answers] = {}

            def ask(method: str) -> None:
                found[method] = asking.ask(url, Truth(lambda all: [], method=method, body=4, users=4, seconds=at + 3.5, think=0.03))

            threads = [threading.Thread(target=ask, args=(method,)) for method in ("GET", "POST")]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            return [("longest", found["POST"].slowest, 0.8 * ms, ms + 700), ("waited", sum(one.ms > 0.6 * ms for one in found["POST"].all), 1, 8),
                    ("reads", found["GET"].slowest, 0, 0.7 * ms), ("failed", found["GET"].failed + found["POST"].failed, 0, 0)]

        with answering(answer) as url:
            yield Bed(url, peak(10) + f"{open_model(dice, 160, dice.randint(60, 90))}{ITEMS_AND_ORDERS}", probe=claims)


@cause("a service writes what there is to write in batches of at most eight, each of which takes 62 to 74 ms, and the rate rises above that", "ramp-knee",
       "saturation", "drift", meaning="it can't follow the rising rate")
def batches_of_eight(dice: Random) -> Iterator[Bed]:
    low, waiting, work = dice.randint(62, 70), [], []

    async def write() -> None:
        while waiting:
            batch, waiting[:] = waiting[:8], waiting[8:]
            await some(low, low + 4)
            for one in batch:
                if not one.done():
                    one.set_result(None)
        work.clear()

    async def answer(asked: Asked) -> bool:
        done = asyncio.get_running_loop().create_future()
        waiting.append(done)
        if not work:
            work.append(asyncio.create_task(write()))
        await done
        return await asked.say(b"x" * 300)

    with answering(answer) as url:
        yield Bed(url, f"--phases 'warmup=1 for 1s at 10/s, peak=1 for 11s at 10/s..{round(11_500 / low)}/s' --timeout 20s -c 280 {engine(dice)}"
                  "--post /readings --body reading --post /alarms --body alarm", truth=Truth(
            lambda all: [("a second", len(all.all) / 5, 5000 / low, 8500 / low), ("median", all.median, 2.4 * low, 7 * low), ("failed", all.failed, 0, 0)],
            method="POST", body=8, users=26, think=0, seconds=5))


@cause("three or four workers look into a queue ten times a second, and take one thing out of it each time", "saturation", "serial-work", "contention",
       meaning="more users only wait for their turn")
def workers_that_look_at_times(dice: Random) -> Iterator[Bed]:
    number, waiting, workers = dice.randint(3, 4), [], []

    async def look(place: int) -> None:
        await asyncio.sleep(0.1 * place / number)
        while True:
            if waiting:
                waiting.pop(0).set_result(None)
            await asyncio.sleep(0.1)

    async def answer(asked: Asked) -> bool:
        if not workers:
            workers.extend(asyncio.create_task(look(place)) for place in range(number))
        done = asyncio.get_running_loop().create_future()
        waiting.append(done)
        await done
        await some(5, 14)
        return await asked.say(b"x" * 700)

    with answering(answer) as url:
        yield Bed(url, f"{few_and_many(dice, dice.randint(24, 34), '60ms..140ms')}--get /quotes --get /prices", truth=Truth(
            lambda all: [("a second", len(all.all) / 6, 6.5 * number, 11.5 * number), ("median", all.median, 220, 1500), ("failed", all.failed, 0, 0)],
            users=24, think=0.1, seconds=6))


# Processes.

THREADS = """
import asyncio, random, resource, sys, threading, time

most, ms = int(sys.argv[1]), int(sys.argv[2])
threading.stack_size(64 << 20)
page = resource.getpagesize()

async def serve(reader, writer):
    loop = asyncio.get_running_loop()
    try:
        while True:
            head = await reader.readuntil(b'\\r\\n\\r\\n')
            for line in head.lower().split(b'\\r\\n'):
                if line.startswith(b'content-length:'):
                    await reader.readexactly(int(line.split(b':')[1]))
            done = loop.create_future()
            def work():
                time.sleep(random.uniform(ms, ms + 15) / 1000)
                loop.call_soon_threadsafe(done.set_result, None)
            try:
                threading.Thread(target=work, daemon=True).start()
                await done
                writer.write(b'HTTP/1.1 200 OK\\r\\nContent-Length: 700\\r\\n\\r\\n' + b'x' * 700)
            except (RuntimeError, MemoryError):
                writer.write(b"HTTP/1.1 500 Internal Server Error\\r\\nContent-Length: 24\\r\\n\\r\\ncan't start a new thread")
            await writer.drain()
    except (OSError, asyncio.IncompleteReadError):
        writer.close()

async def main():
    listening = await asyncio.start_server(serve, '127.0.0.1', 0, backlog=1024)
    has = int(open('/proc/self/statm').read().split()[0]) * page
    limit = has + (most << 26) + (40 << 20)
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    print(f'http://127.0.0.1:{listening.sockets[0].getsockname()[1]}/', flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)

asyncio.run(main())
"""


@cause("a Python server begins a thread for each request, and has memory for ten to twelve of them at a time (can't start new thread): 500 for more",
       "failures-with-load", "load-shedding", meaning="it fails when there is much to do")
def memory_for_few_threads(dice: Random) -> Iterator[Bed]:
    most, ms = dice.randint(10, 12), dice.randint(75, 90)
    with inline("env", "MALLOC_ARENA_MAX=1", sys.executable, "-c", THREADS, str(most + 1), str(ms)) as url:
        def claims() -> list[Claim]:
            few, many = ([status for _ in range(4) for status, _ in sent(url, users)] for users in (4, 32))
            return [("few", few.count(200) / len(few), 1, 1), ("many", many.count(500) / len(many), 0.3, 0.8),
                    ("others", (many.count(200) + many.count(500)) / len(many), 1, 1)]

        yield Bed(url, f"{few_and_many(dice, dice.randint(26, 32), '50ms..130ms')}{ITEMS_AND_ORDERS}", probe=claims)


@cause("one in 9 to 13 requests is traced, and its spans are sent away before its answer, in 0.12 to 0.17 s", "two-speeds",
       meaning="a share is slower by the same time")
def spans_are_sent_first(dice: Random) -> Iterator[Bed]:
    each, more = dice.randint(9, 13), dice.randint(120, 155)

    async def answer(asked: Asked) -> bool:
        await (some(12, 30) if asked.method == "POST" else some(7, 20))
        if random.randrange(each) == 0:
            await some(more, more + 15)
        return await asked.say(b"x" * 1100)

    with answering(answer) as url:
        yield Bed(url, peak(10) + f"{modest(dice, (70, 110))}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("traced", all.slower(more), 0.03, 0.22), ("between", all.share(lambda one: 75 < one.ms < more), 0, 0.03),
                         ("failed", all.failed, 0, 0)], users=8, seconds=6))


@cause("a queue was given another name, and nobody takes what a service still puts into the old one: one of three operations waits for ever", "never-answered",
       "unanswered", "always-fails", meaning="an operation is never answered")
def queue_of_the_old_name(dice: Random) -> Iterator[Bed]:
    queues: dict[str, list[asyncio.Future]] = {"jobs": [], "jobs:v2": []}
    workers = []

    async def work() -> None:
        while True:
            if queues["jobs:v2"]:
                await some(2, 6)
                job = queues["jobs:v2"].pop(0)
                if not job.done():
                    job.set_result(None)
            await asyncio.sleep(0.002)

    async def answer(asked: Asked) -> bool:
        if not workers:
            workers.append(asyncio.create_task(work()))
        if asked.method == "POST":
            job = asyncio.get_running_loop().create_future()
            queues["jobs" if asked.path == "/exports" else "jobs:v2"].append(job)
            await job
        await some(6, 18)
        return await asked.say(b"x" * 700)

    def answered(path: str) -> bool:
        return reply(url, f"POST {path} HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n".encode(), 0.8).startswith(b"HTTP/1.1 200")

    with answering(answer) as url:
        yield Bed(url, peak(9) + f"--timeout 1s -c {dice.randint(14, 24)} --think 40ms..140ms {engine(dice)}--get /items --post /orders --body order "
                  "--post /exports --body export", probe=lambda: [("exports", answered("/exports"), 0, 0), ("orders", answered("/orders"), 1, 1)])


@cause("threads keep the language of the request before (a ThreadLocal that nobody clears), and who says none gets a page in that one: a check fails",
       "steady-failures", meaning="a constant share fails")
def language_of_the_request_before(dice: Random) -> Iterator[Bed]:
    threads = [{"language": "en"} for _ in range(8)]
    free = asyncio.Semaphore(8)

    async def answer(asked: Asked) -> bool:
        async with free:
            one = threads.pop(random.randrange(len(threads)))
            if "lang=" in asked.path:
                one["language"] = asked.path.split("lang=")[1]
            await some(8, 22)
            threads.append(one)
        return await asked.say(({"en": b"Good day! ", "fr": b"Bonjour! "}[one["language"]]) * 100)

    def claims() -> list[Claim]:
        for language in ("fr", "en") * 20:
            said(url, f"/page?lang={language}")
        found = [said(url, "/page")[1][:4] for _ in range(40)]
        return [("in French", found.count(b"Bonj") / 40, 0.02, 0.95), ("in English", found.count(b"Good") / 40, 0.02, 0.95)]

    with answering(answer) as url:
        yield Bed(url, peak(9) + f"{modest(dice, (60, 100))}--get /page?lang=en --expect 'status=200 body~Good' --get /page?lang=fr "
                  "--expect 'status=200 body~Bonjour' --get /page --expect 'status=200 body~Good'", probe=claims)


LAGGING = """
process.stdin.on('end', () => process.exit(0)).resume();
const [most, ms] = process.argv.slice(1).map(Number);
let due = Date.now() + 10;
let lag = 0;
setInterval(() => {
    lag = Date.now() - due;
    due = Date.now() + 10;
}, 10);
const server = require('node:http').createServer((request, response) => request.resume().on('end', () => {
    if (lag > most || Date.now() - due > most) {
        response.writeHead(503, {'Content-Length': 14, 'Retry-After': 1}).end('under pressure');
        return;
    }
    const end = Date.now() + ms;
    while (Date.now() < end) {
    }
    response.writeHead(200, {'Content-Length': 800}).end('x'.repeat(800));
}));
server.keepAliveTimeout = 60_000;
server.listen({port: 0, host: '127.0.0.1', backlog: 1024}, () => console.log(`http://127.0.0.1:${server.address().port}/`));
"""


@cause("a Node server computes 8 to 10 ms for each request, and says 503 while its loop is 60 to 80 ms behind", "load-shedding", "failures-with-load",
       "saturation", meaning="it refuses some of what is too much")
def refuses_while_its_loop_is_behind(dice: Random) -> Iterator[Bed]:
    most, ms = dice.randint(60, 80), dice.randint(8, 10)
    with inline("node", "-e", LAGGING, str(most), str(ms)) as url:
        def claims() -> list[Claim]:
            few, many = (asking.ask(url, Truth(lambda all: [], users=users, seconds=3, think=0.02)) for users in (2, 36))
            return [("few", few.status(503), 0, 0.1), ("many", many.status(503), 0.05, 0.97), ("others", many.status(200, 503), 1, 1)]

        yield Bed(url, f"{few_and_many(dice, dice.randint(34, 42), '30ms..90ms')}--get /items --get /prices", probe=claims)


# Proxies and balancers.


@cause("somebody has tidied up the folder into which nginx writes bodies above 16 kB: 500 for photos, while orders are short enough", "always-fails",
       meaning="an operation always fails")
def folder_for_bodies_is_gone(dice: Random) -> Iterator[Bed]:
    size = dice.randint(40, 90) * 1000
    with dice.choice((server.go, server.node))(option(idle=60_000), rule(method="POST", ms=(14, 34)), rule(ms=(7, 20), bytes=900)) as behind, faults.nginx(
            f"upstream one {{ server {behind[7:-1]}; keepalive 64; }}",
            'location / { proxy_http_version 1.1; proxy_set_header Connection ""; proxy_pass http://one; }') as url, \
            tempfile.NamedTemporaryFile() as photo:
        shutil.rmtree(f"/tmp/phaseload-nginx-{os.getpid()}/client_body", ignore_errors=True)
        photo.write(os.urandom(size))
        photo.flush()
        yield Bed(url, peak(9) + f"-c {dice.randint(8, 16)} --think 60ms..180ms {engine(dice)}--get /items --post /orders --body order --post /photos "
                  f"--body @{photo.name}", probe=lambda: [("photo", said(url, "/photos", "POST", b"x" * size)[0], 500, 500),
                                                          ("order", said(url, "/orders", "POST", b"order")[0], 200, 200),
                                                          ("page", said(url, "/items")[0], 200, 200)])


@cause("one of three instances behind nginx has a new certificate that nginx doesn't trust (proxy_ssl_verify): 502 for a third", "bad-gateway",
       "steady-failures", meaning="a share gets 502 from a proxy")
def certificate_that_nginx_distrusts(dice: Random) -> Iterator[Bed]:
    with contextlib.ExitStack() as stack:
        behind = stack.enter_context(server.go(rule(method="POST", ms=(14, 34)), rule(ms=(7, 20), bytes=900)))
        old, new = (stack.enter_context(tempfile.TemporaryDirectory()) for _ in range(2))
        for folder in (old, new):
            key, cert = server.certificate(folder)
            Path(folder, "both.pem").write_text(Path(cert).read_text() + Path(key).read_text())
        instances = [stack.enter_context(server.haproxy(f"listen all\n  bind LISTEN ssl crt {folder}/both.pem\n  server one {behind[7:-1]}"))
                     for folder in (old, old, new)]
        url = stack.enter_context(faults.nginx(
            f"upstream all {{ {' '.join(f'server {one[7:-1]} max_fails=0;' for one in instances)} }}",
            "location / { proxy_http_version 1.1; proxy_next_upstream off; proxy_ssl_verify on; proxy_ssl_name localhost; "
            f"proxy_ssl_trusted_certificate {old}/cert.pem; proxy_pass https://all; }}"))
        yield Bed(url, peak(9) + f"{modest(dice, (50, 80))}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("502", all.status(502), 0.25, 0.42), ("others", all.status(200, 502), 1, 1)], seconds=3))


@cause("Apache waits a second for the service behind it (ProxyTimeout), and one in 8 to 14 reports takes longer", "gives-up", "bad-gateway",
       meaning="slow requests are given up")
def apache_waits_a_second(dice: Random) -> Iterator[Bed]:
    mean = dice.randint(380, 470)
    with server.go(rule(path="/reports", exp=mean), rule(ms=(7, 20), bytes=900)) as behind, apache(
            f"MaxKeepAliveRequests 0\nKeepAliveTimeout 30\nProxyTimeout 1\nProxyPass / {behind}\n", "proxy", "proxy_http") as url:
        yield Bed(url, peak(11) + f"-c {dice.randint(14, 22)} --think 60ms..180ms {engine(dice)}--get /items --get /reports", truth=Truth(
            lambda all: [("given up", all.of("/reports").status(502, 504), 0.02, 0.25), ("items", all.of("/items").failed, 0, 0),
                         ("longest", all.slowest, 900, 1900), ("others", all.status(200, 502, 504), 1, 1)],
            paths=("/reports", "/items"), users=16, seconds=7))


ACCOUNTS = """
process.stdin.on('end', () => process.exit(0)).resume();
const at = Number(process.argv[1]);
let begin = 0;
const server = require('node:http').createServer((request, response) => request.resume().on('end', () => {
    begin ||= Date.now();
    const fields = Date.now() - begin > at ? {'Cache-Control': 'public, max-age=2'} : {'Cache-Control': 'private'};
    const text = `user ${request.headers['x-user']};` + ' and what else there is'.repeat(40);
    setTimeout(() => response.writeHead(200, {'Content-Length': text.length, 'Set-Cookie': 'seen=1', ...fields}).end(text), 8 + 18 * Math.random());
}));
server.keepAliveTimeout = 60_000;
server.listen({port: 0, host: '127.0.0.1', backlog: 1024}, () => console.log(`http://127.0.0.1:${server.address().port}/`));
"""


@cause("a release says that all may keep its pages (Cache-Control: public), and nginx does: from the middle on users see accounts of others, and a check fails",
       "steady-failures", "outage", meaning="an operation fails from then on")
def accounts_of_others(dice: Random) -> Iterator[Bed]:
    at = dice.randint(4000, 5200)

    def of_another() -> int:
        return sum(f"user {number};".encode() not in reply(url, f"GET /account HTTP/1.1\r\nHost: a\r\nX-User: {number}\r\n\r\n".encode(), 0.4)
                   for number in range(5))

    def claims() -> list[Claim]:
        before = of_another()
        time.sleep(at / 1000)
        return [("before", before, 0, 0), ("then", of_another(), 3, 5)]

    with tempfile.TemporaryDirectory() as folder, inline("node", "-e", ACCOUNTS, str(at)) as behind, faults.nginx(
            f"proxy_cache_path {folder}/cache keys_zone=pages:1m; upstream one {{ server {behind[7:-1]}; keepalive 64; }}",
            'location / { proxy_http_version 1.1; proxy_set_header Connection ""; proxy_pass http://one; proxy_cache pages; '
            "proxy_ignore_headers Set-Cookie; }") as url:
        yield Bed(url, peak(10) + f"-c {dice.randint(14, 26)} {engine(dice)}", plan="""
scenarios:
  - name: visit
    steps:
      - get: /account
        headers: {X-User: "{user}"}
        checks: 'status=200 body~"user {user};"'
        onFailure: continue
      - think: 80ms..240ms
      - get: "/items/{random:1..100000}"
        name: GET /items/NUMBER
        checks: status=200
      - think: 80ms..240ms
""", probe=claims)


@cause("somebody takes the wrong backend of HAProxy away for 1.6 to 2.2 s (set server state maint): 503 for one of two operations", "outage", "restarts",
       "load-shedding", meaning="an operation fails for a while")
def wrong_backend_is_taken_away(dice: Random) -> Iterator[Bed]:
    at, length = pick(dice, 5, 6), pick(dice, 1.6, 2.2)
    rules = (option(idle=60_000), rule(method="POST", ms=(14, 36)), rule(ms=(7, 20), bytes=900))
    with tempfile.TemporaryDirectory() as folder, dice.choice((server.go, server.node))(*rules) as one, server.haproxy(
            f"global\n  stats socket {folder}/admin level admin\nfrontend all\n  bind LISTEN\n  use_backend orders if {{ path_beg /orders }}\n"
            f"  default_backend items\nbackend orders\n  server one {one[7:-1]}\nbackend items\n  server one {one[7:-1]}\n") as url:
        def be(state: str) -> None:
            with socket.socket(socket.AF_UNIX) as admin:
                admin.connect(f"{folder}/admin")
                admin.sendall(f"set server orders/one state {state}\n".encode())
                admin.recv(100)

        with later(at, lambda: be("maint")), later(at + length, lambda: be("ready")):
            yield Bed(url, peak(10) + f"{open_model(dice, 60, dice.randint(60, 100))}{ITEMS_AND_ORDERS}", truth=Truth(
                lambda all: [("before", between(all, 0, at - 0.4).failed, 0, 0),
                             ("meanwhile", between(all, at + 0.2, at + length - 0.3).of("/orders").status(503), 1, 1),
                             ("items", all.of("/items").failed, 0, 0), ("after", between(all, at + length + 0.3, 12).failed, 0, 0)],
                paths=("/orders", "/items"), users=5, think=0.05, seconds=9.5))


@cause("each of four nodes of a gateway has a quarter of a limit, and a balancer gives one of them nearly a half of the requests: 429", "rate-limit",
       "steady-failures", meaning="a rate limit")
def quarter_of_a_limit(dice: Random) -> Iterator[Bed]:
    rate = dice.randint(80, 120)
    each, weights = 0.3 * rate, (0.46, 0.18, 0.18, 0.18)
    tokens = [[0.1 * each, time.monotonic()] for _ in weights]

    async def answer(asked: Asked) -> bool:
        node, now = random.choices(tokens, weights)[0], time.monotonic()
        node[:] = [min(0.1 * each, node[0] + each * (now - node[1])), now]
        if node[0] < 1:
            await some(2, 5)
            return await asked.say(b"too many requests", 429)
        node[0] -= 1
        await (some(12, 30) if asked.method == "POST" else some(7, 20))
        return await asked.say(b"x" * 900)

    with answering(answer) as url:
        yield Bed(url, peak(10) + f"{open_model(dice, 60, rate)}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("429", all.status(429), 0.05, 0.8), ("others", all.status(200, 429), 1, 1)], users=rate // 7, think=0.1))


# Networks, names and certificates.


@cause("a line fills up within some seconds, as others send more and more: a packet takes 3 ms at first, and 38 to 48 ms at last", "drift", "jitter",
       meaning="it gets slower and slower")
def line_fills_up(dice: Random) -> Iterator[Bed]:
    most, port, clock = pick(dice, 0.038, 0.048), low_port(), Clock()

    def seconds() -> float:
        return 0.003 + (most - 0.003) * min(1.0, max(0.0, clock() - 2.5) / 6)

    with faults.network() as inside, faults.delays(inside, seconds) as address, server.go(
            option(address=f"10.99.0.1:{port}"), rule(method="POST", ms=(12, 30)), rule(ms=(6, 18), bytes=1500), under=inside):
        yield Bed(f"http://{address}:{port}/", peak(10) + f"{open_model(dice, 60, dice.randint(50, 90))}{ITEMS_AND_ORDERS}", inside, truth=Truth(
            lambda all: [("first", between(all, 0, 2).median, 10, 45), ("last", between(all, 8.6, 12).median, 1800 * most, 2000 * most + 70),
                         ("failed", all.failed, 0, 0)], users=4, think=0.05, seconds=10.5))


@contextlib.contextmanager
def lossy(drops: Callable[[int, int, int], bool]) -> Iterator[tuple[list[str], str]]:
    """Words that start a command in a network, and an address that leads back to it, for packets that a function doesn't want to drop."""
    with contextlib.ExitStack() as stack:
        inside = stack.enter_context(faults.network())
        end = stack.enter_context(faults.tunnels.tunnel(inside, "ip address add 10.99.0.1/24 dev slow"))

        def route(_: int, packet: bytes) -> faults.tunnels.Passed | None:
            if drops(*struct.unpack(">HH", packet[20:24]), len(packet)):
                return None
            return faults.tunnels.Passed(end, 0.002, packet[:12] + packet[16:20] + packet[12:16] + packet[20:])

        stack.enter_context(faults.tunnels.carried(route, end))
        yield inside, "10.99.0.2"


@cause("one of three tunnels carries packets of 1,200 bytes at most without a word, and each request of a test makes a connection: pictures never come",
       "unanswered", "steady-failures", meaning="a share of an operation is never answered")
def tunnel_for_small_packets(dice: Random) -> Iterator[Bed]:
    port = low_port()

    def drops(source: int, target: int, length: int) -> bool:
        client = target if source == port else source
        return length > 1200 and hash((client, port)) % 3 == 0

    with lossy(drops) as (inside, address), server.go(
            option(address=f"10.99.0.1:{port}"), rule(ms=(6, 18), bytes=500), rule(path="/pictures", bytes=dice.randint(6, 20) * 1000), under=inside):
        yield Bed(f"http://{address}:{port}/", peak(10) + f"--timeout 1s -H Connection:close -c {dice.randint(16, 26)} --think 60ms..160ms {engine(dice)}"
                  "--get /items --get /pictures", inside, truth=Truth(
            lambda all: [("never", all.of("/pictures").failed, 0.15, 0.55), ("items", all.of("/items").failed, 0, 0), ("200", all.status(0, 200), 1, 1)],
            paths=("/items", "/pictures"), users=12, close=True, timeout=1, seconds=6))


@cause("one end of a cable sends and receives at the same time, and the other one doesn't (half duplex): 8 to 11 % of the packets that meet others are lost",
       "packet-loss", "two-speeds", meaning="packets are lost")
def half_duplex(dice: Random) -> Iterator[Bed]:
    share, port, last = pick(dice, 0.08, 0.11), low_port(), {}

    def drops(source: int, target: int, length: int) -> bool:
        now, there = time.monotonic(), target == port
        last[there] = now
        return now - last.get(not there, 0) < 0.003 and random.random() < share

    with lossy(drops) as (inside, address), server.go(
            option(address=f"10.99.0.1:{port}"), rule(method="POST", ms=(12, 30)), rule(ms=(6, 18), bytes=4000), under=inside):
        yield Bed(f"http://{address}:{port}/", peak(10) + f"{open_model(dice, 80, dice.randint(70, 110))}{ITEMS_AND_ORDERS}", inside, truth=Truth(
            lambda all: [("sent again", all.slower(190), 0.015, 0.3), ("median", all.median, 8, 60), ("failed", all.failed, 0, 0.01)], users=10, seconds=6))


@contextlib.contextmanager
def names_of_a_company(address: str, own: str, elsewhere: str) -> Iterator[list[str]]:
    """Words that start a command whose name server knows shop.example, and any name that ends with the search domain corp.test, which is elsewhere."""
    over = threading.Event()

    def address_of(name: bytes) -> str:
        return elsewhere if name.endswith(b"\4corp\4test\0") else own if name == b"\4shop\7example\0" else ""

    def listen() -> None:
        while not over.is_set():
            with contextlib.suppress(TimeoutError):
                question, peer = names.recvfrom(512)
                end = question.index(b"\0", 12) + 5
                known, kind = address_of(question[12:end - 4].lower()), struct.unpack(">H", question[end - 4:end - 2])[0]
                found = b"\xc0\x0c" + struct.pack(">HHIH", 1, 1, 0, 4) + socket.inet_aton(known) if known and kind == 1 else b""
                names.sendto(question[:2] + struct.pack(">HHHHH", 0x8180 if known else 0x8183, 1, 1 if found else 0, 0, 0) + question[12:end] + found, peer)

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as names:
        try:
            names.bind((address, 53))
        except OSError as problem:
            raise faults.Impossible(f"port 53 of {address}: {problem}") from problem
        names.settimeout(0.2)
        thread = threading.Thread(target=listen)
        thread.start()
        try:
            with faults.own_files(resolv_conf=f"search corp.test\noptions ndots:3\nnameserver {address}\n", hosts="127.0.0.1 localhost\n") as files:
                yield files
        finally:
            over.set()
            thread.join()


@cause("a name is first looked for in a company's own domain, where every name there may be is another service's (a wildcard): 404 for everything",
       "wrong-request", "always-fails", meaning="nothing is there")
def any_name_of_a_domain(dice: Random) -> Iterator[Bed]:
    port = low_port()
    with server.go(option(address=f"127.0.0.1:{port}"), rule(ms=(3, 9), status=404)), server.go(
            option(address=f"127.0.0.9:{port}"), rule(ms=(7, 20), bytes=900)), names_of_a_company("127.0.0.98", "127.0.0.9", "127.0.0.1") as under:
        def status(host: str) -> int:
            done = subprocess.run([*under, "curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", f"http://{host}:{port}/items"],
                                  capture_output=True, check=False)
            return int(done.stdout)

        yield Bed(f"http://shop.example:{port}/", peak(8) + f"--keep-going -c {dice.randint(8, 16)} --think 60ms..160ms {engine(dice)}{ITEMS_AND_ORDERS}",
                  under, probe=lambda: [("as a test does", status("shop.example"), 404, 404), ("with a dot", status("shop.example."), 200, 200)])


@cause("a certificate is good, and the one between it and the authority has expired", "no-tls", meaning="no TLS connection can be made")
def authority_between_has_expired(dice: Random) -> Iterator[Bed]:
    with tempfile.TemporaryDirectory() as folder, server.go(rule(ms=(6, 18))) as behind:
        Path(folder, "index").touch()
        Path(folder, "index.attr").write_text("unique_subject = no\n")
        Path(folder, "ca.cnf").write_text(AUTHORITY.replace("FOLDER", folder))
        Path(folder, "between.ext").write_text("basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign,cRLSign\n")
        Path(folder, "leaf.ext").write_text("subjectAltName=IP:127.0.0.1,DNS:localhost\n")
        now = datetime.datetime.now(datetime.timezone.utc)
        new = "openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"

        def sign(name: str, days: int) -> str:
            end = now + datetime.timedelta(days=days)
            return (f"openssl ca -batch -config ca.cnf -extfile between.ext -cert ca.pem -keyfile ca.key -in between.csr -out {name}.crt -notext "
                    f"-startdate {now - datetime.timedelta(days=9):%Y%m%d%H%M%S}Z -enddate {end:%Y%m%d%H%M%S}Z; "
                    f"cat leaf.crt {name}.crt leaf.key > {name}.pem; ")

        subprocess.run(["sh", "-ec", f"cd {folder}; {new} -x509 -days 9 -subj /CN=authority -keyout ca.key -out ca.pem; "
                        f"{new} -subj /CN=between -keyout between.key -out between.csr; {new} -subj /CN=localhost -keyout leaf.key -out leaf.csr; "
                        "openssl req -x509 -key between.key -subj /CN=between -days 9 -out self.crt; "
                        "openssl x509 -req -days 2 -CA self.crt -CAkey between.key -CAcreateserial -in leaf.csr -extfile leaf.ext -out leaf.crt; "
                        + sign("old", -1) + sign("good", 2)], check=True, capture_output=True)
        with server.haproxy(f"listen all\n  bind LISTEN ssl crt {folder}/old.pem\n  server one {behind[7:-1]}") as there, \
                server.haproxy(f"listen all\n  bind LISTEN ssl crt {folder}/good.pem\n  server one {behind[7:-1]}") as other:
            def asked(of: str) -> float:
                return took([], "curl", "-sf", "--cacert", f"{folder}/ca.pem", f"https{of[4:]}")

            yield Bed(f"https{there[4:]}", peak(8) + f"--cacert {folder}/ca.pem --keep-going -c {dice.randint(6, 14)} --think 50ms..120ms {engine(dice)}"
                      + ITEMS_AND_ORDERS, probe=lambda: [("expired", asked(there), -1, -1), ("good", asked(other), 0, 3000),
                                                         ("whatever it is", took([], "curl", "-skf", f"https{there[4:]}"), 0, 3000)])


@cause("a test's own certificate has expired, by which nginx knows who asks: 400 for everything", "wrong-request", "credentials", "always-fails",
       meaning="nothing succeeds, as the credentials aren't good")
def certificate_of_the_test_has_expired(dice: Random) -> Iterator[Bed]:
    with tempfile.TemporaryDirectory() as folder, server.go(rule(ms=(6, 18), bytes=700)) as behind:
        Path(folder, "index").touch()
        Path(folder, "index.attr").write_text("unique_subject = no\n")
        Path(folder, "ca.cnf").write_text(AUTHORITY.replace("FOLDER", folder))
        Path(folder, "client.ext").write_text("extendedKeyUsage=clientAuth\n")
        now = datetime.datetime.now(datetime.timezone.utc)
        new = "openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"

        def sign(name: str, days: int) -> str:
            end = now + datetime.timedelta(days=days)
            return (f"openssl ca -batch -config ca.cnf -extfile client.ext -cert ca.pem -keyfile ca.key -in test.csr -out {name}.pem -notext "
                    f"-startdate {now - datetime.timedelta(days=9):%Y%m%d%H%M%S}Z -enddate {end:%Y%m%d%H%M%S}Z; ")

        subprocess.run(["sh", "-ec", f"cd {folder}; {new} -x509 -days 9 -subj /CN=authority -keyout ca.key -out ca.pem; "
                        f"{new} -subj /CN=test -keyout test.key -out test.csr; " + sign("old", -1) + sign("good", 2)], check=True, capture_output=True)
        with faults.nginx("", f"ssl_client_certificate {folder}/ca.pem; ssl_verify_client on; location / {{ proxy_pass {behind}; }}",
                          tls="-newkey ec -pkeyopt ec_paramgen_curve:prime256v1") as url:
            def status(name: str) -> int:
                done = subprocess.run(["curl", "-sk", "-o", "/dev/null", "-w", "%{http_code}", "--cert", f"{folder}/{name}.pem",
                                       "--key", f"{folder}/test.key", url], capture_output=True, check=False)
                return int(done.stdout)

            yield Bed(url, peak(8) + f"-k --cert {folder}/old.pem --key {folder}/test.key --keep-going "
                      f"-c {dice.randint(6, 14)} --think 50ms..140ms {engine(dice)}{ITEMS_AND_ORDERS}",
                      probe=lambda: [("expired", status("old"), 400, 400), ("good", status("good"), 200, 200)])


@contextlib.contextmanager
def socks() -> Iterator[int]:
    """The port of a SOCKS 5 proxy, which ends connections that begin otherwise."""

    async def copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(65_536):
                writer.write(data)
                await writer.drain()
        writer.close()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            version, methods = await reader.readexactly(2)
            if version == 5:
                await reader.readexactly(methods)
                writer.write(b"\5\0")
                await reader.readexactly(4)
                host, port = struct.unpack(">4sH", await reader.readexactly(6))
                there, back = await asyncio.open_connection(socket.inet_ntoa(host), port)
                writer.write(b"\5\0\0\1" + bytes(6))
                await asyncio.gather(copy(reader, back), copy(there, writer))
            else:
                await reader.read(65_536)
        writer.close()

    with faults._listening(serve) as port:  # noqa: SLF001
        yield port


@cause("a test takes a SOCKS proxy for one of HTTP: it ends each connection without an answer", "always-closed", "no-connection",
       meaning="connections are closed without a response")
def socks_taken_for_http(dice: Random) -> Iterator[Bed]:
    with dice.choice((server.go, server.node))(rule(ms=(6, 18), bytes=900)) as url, socks() as port:
        yield Bed(url, peak(8) + f"--keep-going --proxy http://127.0.0.1:{port} -c {dice.randint(6, 14)} --think 60ms..140ms {engine(dice)}{ITEMS_AND_ORDERS}",
                  probe=lambda: [("as one of HTTP", took([], "curl", "-sf", "-x", f"http://127.0.0.1:{port}", url), -1, -1),
                                 ("as it is", took([], "curl", "-sf", "-x", f"socks5://127.0.0.1:{port}", url), 0, 3000)])


@cause("the file of a Unix domain socket is still there, and the process that listened to it isn't", "nothing-listens", "no-connection",
       meaning="nobody listens there")
def socket_of_a_dead_process(dice: Random) -> Iterator[Bed]:
    with tempfile.TemporaryDirectory() as folder:
        file = f"{folder}/app.sock"
        with socket.socket(socket.AF_UNIX) as one:
            one.bind(file)
            one.listen()
            before = took([], sys.executable, "-c", f"import socket; socket.socket(socket.AF_UNIX).connect('{file}')")
        yield Bed("http://localhost/", peak(8) + f"--keep-going --unix-socket {file} -c {dice.randint(6, 14)} --think 60ms..140ms {engine(dice)}"
                  + ITEMS_AND_ORDERS, probe=lambda: [("before", before, 0, 5000), ("file", Path(file).exists(), 1, 1),
                                 ("then", took([], "curl", "-sf", "--unix-socket", file, "http://localhost/"), -1, -1)])


@contextlib.contextmanager
def resting(most: int, rest: float) -> Iterator[str]:
    """The address of a server that doesn't listen for so long after so many connections within a second."""
    port, over, times = faults.free_port(), threading.Event(), []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                for line in head.lower().split(b"\r\n"):
                    if line.startswith(b"content-length:"):
                        await reader.readexactly(int(line.split(b":")[1]))
                await some(7, 20)
                closes = b"connection: close" in head.lower()
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 700\r\n" + (b"Connection: close\r\n" if closes else b"") + b"\r\n" + b"x" * 700)
                await writer.drain()
                if closes:
                    break
        writer.close()

    async def run() -> None:
        while not over.is_set():
            times.clear()
            full = asyncio.Event()

            async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
                times.append(time.monotonic())
                if sum(one > times[-1] - 1 for one in times[-2 * most:]) > most:
                    full.set()
                await answer(reader, writer)

            listening = await asyncio.start_server(serve, "127.0.0.1", port, backlog=1024, reuse_address=True)
            while not (full.is_set() or over.is_set()):
                await asyncio.sleep(0.02)
            listening.close()
            end = time.monotonic() + rest
            while time.monotonic() < end and not over.is_set():
                await asyncio.sleep(0.02)

    thread = threading.Thread(target=lambda: asyncio.run(run()))
    thread.start()
    try:
        faults.wait_for(port)
        yield f"http://127.0.0.1:{port}/"
    finally:
        over.set()
        thread.join()


@cause("what starts a service for each connection (xinetd) doesn't listen for 0.8 to 1.2 s after 45 to 60 connections within a second, and a test makes more",
       "restarts", "outage", "new-connections", meaning="it is away again and again")
def rests_after_many_connections(dice: Random) -> Iterator[Bed]:
    most = dice.randint(45, 60)
    with resting(most, pick(dice, 0.8, 1.2)) as url:
        yield Bed(url, peak(10) + f"-H Connection:close {open_model(dice, 60, round(most * pick(dice, 1.25, 1.5)))}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("refused", all.failed, 0.15, 0.97), ("200", all.status(200), 0.03, 0.85), ("others", all.status(0, 200), 1, 1)],
            users=8, think=0.06, close=True, seconds=6))


# Deployments, and what a test does wrong.


@cause("the tokens in a test's file were made one after another, and end so, too: 401 for more and more of them", "growing-failures", "credentials",
       meaning="more and more fails")
def tokens_end_one_after_another(dice: Random) -> Iterator[Bed]:
    begin, length, clock = pick(dice, 2.2, 3), pick(dice, 7.5, 9), Clock()
    tokens = [f"t{number}" for number in range(80)]
    dice.shuffle(tokens)
    ends = {token: begin + length * place / 80 for place, token in enumerate(tokens)}
    dice.shuffle(tokens)

    async def answer(asked: Asked) -> bool:
        now = clock()
        good = now < ends[asked.path.split("=")[1]]
        await (some(8, 24) if good else some(2, 7))
        return await asked.say(b"x" * 900 if good else b"token expired", 200 if good else 401)

    with answering(answer) as url, rows("token", tokens) as file:
        yield Bed(url, peak(9) + f"-c 60 --rate '{dice.randint(70, 110)} journeys/s' {engine(dice)}", plan=f"""
data:
  tokens: {{csv: {file}}}
scenarios:
  - name: look
    steps:
      - get: "/account?token={{tokens.token}}"
        name: GET /account
        checks: status=200
""", truth=Truth(lambda all: [("first", between(all, 0, begin - 0.1).failed, 0, 0), ("middle", between(all, 5, 6).status(401), 0.1, 0.6),
                              ("last", between(all, 8, 9).status(401), 0.45, 0.95), ("others", all.status(200, 401), 1, 1)],
                 paths=tuple(f"/account?token={token}" for token in tokens), users=8, think=0.04, seconds=9))


@cause("after a log-in, a service redirects to the address of its app (shop-app://), which a test can't follow: one of three operations",
       "unfollowed-redirects", "redirects", "always-fails", meaning="a redirect leads nowhere")
def redirected_to_an_app(dice: Random) -> Iterator[Bed]:
    with dice.choice((server.go, server.node))(
            option(idle=60_000), rule(path="/login", ms=(14, 34), status=302, header="Location:shop-app://welcome"), rule(ms=(7, 20), bytes=900)) as url:
        yield Bed(url, peak(8) + f"-c {dice.randint(10, 18)} --think 60ms..180ms {engine(dice)}--follow-redirects --get /items --post /login "
                  "--body name --get /prices", probe=lambda: [
            ("log-in", said(url, "/login", "POST", b"name")[0], 302, 302), ("page", said(url, "/items")[0], 200, 200),
            ("app", b"shop-app://welcome" in reply(url, b"POST /login HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n"), 1, 1)])


SIGNED = """
process.stdin.on('end', () => process.exit(0)).resume();
const sign = require('node:crypto');
const server = require('node:http').createServer((request, response) => request.resume().on('end', () => {
    const date = request.headers['x-date'] ?? '';
    const right = sign.createHmac('sha256', 'secret').update(date).digest('hex') === request.headers['x-signature'];
    const recent = Math.abs(Date.now() - Date.parse(date)) < 900_000;
    const text = !right ? 'SignatureDoesNotMatch' : !recent ? 'RequestTimeTooSkewed' : 'x'.repeat(800);
    setTimeout(() => response.writeHead(right && recent ? 200 : 403, {'Content-Length': text.length}).end(text), (right && recent ? 7 : 2) + 9 * Math.random());
}));
server.keepAliveTimeout = 60_000;
server.listen({port: 0, host: '127.0.0.1', backlog: 1024}, () => console.log(`http://127.0.0.1:${server.address().port}/`));
"""


@cause("a test sends a date and its signature that were made some weeks ago, and a service takes those of a quarter of an hour: 403", "credentials",
       "wrong-request", "always-fails", meaning="the credentials aren't good")
def signature_of_some_weeks_ago(dice: Random) -> Iterator[Bed]:
    def fields(weeks: int) -> dict[str, str]:
        date = f"{datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(weeks=weeks):%Y-%m-%dT%H:%M:%SZ}"
        return {"X-Date": date, "X-Signature": hmac.new(b"secret", date.encode(), hashlib.sha256).hexdigest()}

    weeks = dice.randint(2, 9)
    with inline("node", "-e", SIGNED) as url:
        headers = "".join(f"-H '{name}: {value}' " for name, value in fields(weeks).items())
        yield Bed(url, peak(8) + f"{headers}{modest(dice, (50, 90))}{ITEMS_AND_ORDERS}", probe=lambda: [
            ("old", sent(url, 1, "/items", **fields(weeks))[0][0], 403, 403), ("new", sent(url, 1, "/items", **fields(0))[0][0], 200, 200)])


@cause("a catalogue has been copied to a store of files, which says that all it has are bytes (application/octet-stream), and a test wants JSON",
       "check-never-holds", meaning="a check of one operation never holds")
def catalogue_is_only_bytes(dice: Random) -> Iterator[Bed]:
    async def answer(asked: Asked) -> bool:
        await some(7, 22)
        body = json.dumps({"items": [{"id": number} for number in range(80)]}).encode()
        kind = "application/octet-stream" if asked.path == "/catalogue" else "application/json"
        asked.writer.write(f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
        await asked.writer.drain()
        return True

    def kind_of(path: str) -> bool:
        return b"application/json" in reply(url, f"GET {path} HTTP/1.1\r\nHost: a\r\n\r\n".encode())

    with answering(answer) as url:
        yield Bed(url, peak(8) + f"{modest(dice, (60, 100))}--get /items --expect 'status=200 type=json' --get /catalogue --expect 'status=200 type=json'",
                  probe=lambda: [("items", kind_of("/items"), 1, 1), ("catalogue", kind_of("/catalogue"), 0, 0)])


WORDS = """
process.stdin.on('end', () => process.exit(0)).resume();
const server = require('node:http').createServer((request, response) => request.resume().on('end', () => {
    let status = 200;
    try {
        decodeURIComponent(request.url);
    } catch {
        status = 400;
    }
    const text = status === 200 ? 'x'.repeat(1100) : 'URI malformed';
    setTimeout(() => response.writeHead(status, {'Content-Length': text.length}).end(text), status === 200 ? 8 + 16 * Math.random() : 3);
}));
server.keepAliveTimeout = 60_000;
server.listen({port: 0, host: '127.0.0.1', backlog: 1024}, () => console.log(`http://127.0.0.1:${server.address().port}/`));
"""


@cause("one in 8 to 12 words of a test's file was written with the letters of an old system (%E4), which a Node server can't decode: 400", "steady-failures",
       "wrong-request", meaning="a constant share fails")
def words_of_an_old_system(dice: Random) -> Iterator[Bed]:
    number = dice.randint(8, 12)
    words = [f"word{place}" if place % number else f"k%E4se{place}" for place in range(number * 20)]
    dice.shuffle(words)
    with inline("node", "-e", WORDS) as url, rows("word", words) as file:
        yield Bed(url, peak(9) + f"-c 50 --rate '{dice.randint(60, 100)} journeys/s' {engine(dice)}", plan=f"""
data:
  words: {{csv: {file}}}
scenarios:
  - name: search
    steps:
      - get: "/search?q={{words.word}}"
        name: GET /search
        checks: status=200
""", truth=Truth(lambda all: [("400", all.status(400), 0.5 / number, 2 / number), ("others", all.status(200, 400), 1, 1)],
                 paths=tuple(f"/search?q={word}" for word in words), users=6))


SOCKETS = """
import errno, socket, sys
listening = socket.create_server(('127.0.0.1', 0), backlog=300)
made = []
try:
    for _ in range(400):
        made.append(socket.create_connection(listening.getsockname()))
except OSError as problem:
    print(len(made), problem.errno == errno.EMFILE)
"""


@cause("the process of a test may have few files open (ulimit -n), and many of 150 to 180 users have no socket", "client-limit",
       meaning="a limit of the client's machine")
def files_of_the_test(dice: Random) -> Iterator[Bed]:
    most = dice.randint(100, 130)
    under = ["prlimit", f"--nofile={most}:{most}"]

    def claims() -> list[Claim]:
        number, of_files = subprocess.run([*under, sys.executable, "-c", SOCKETS], capture_output=True, text=True, check=True).stdout.split()
        return [("sockets", int(number), most // 2, most), ("of files", of_files == "True", 1, 1)]

    with server.go(rule(method="POST", ms=(14, 36)), rule(ms=(7, 20), bytes=900)) as url:
        yield Bed(url, peak(9) + f"--keep-going -c {dice.randint(150, 180)} --think 400ms..900ms {engine(dice)}{ITEMS_AND_ORDERS}", under, probe=claims)


# Messages and streams.


def got(port: int, number: int, seconds: float) -> int:
    """How many of so many messages with quality of service 1, which are sent at once, a receiver gets that confirms each of them."""
    topic = b"\0\7rooms/9"
    with contextlib.ExitStack() as stack:
        two = [stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=5)) for _ in range(2)]
        for place, one in enumerate(two):
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            one.sendall(b"\x10\x0e\0\4MQTT\4\2\0\0\0\2b" + bytes([48 + place]))
            one.recv(4)
        two[0].sendall(b"\x82\x0c\0\1" + topic + b"\1")
        two[0].recv(5)
        two[1].sendall(b"".join(b"\x32\x10" + topic + (7 + place).to_bytes(2, "big") + b"hello" for place in range(number)))
        found = b""
        two[0].settimeout(seconds)
        with contextlib.suppress(TimeoutError):
            while data := two[0].recv(4096):
                for place in range(len(found) // 18, len(found + data) // 18):
                    two[0].sendall(b"\x40\2" + (found + data)[18 * place + 11:18 * place + 13])
                found += data
        return len(found) // 18


@cause("a broker for MQTT keeps two or three messages for a receiver (max_queued_messages), which confirms one of them in 70 to 90 ms, and drops more",
       "unanswered", "steady-failures", "failures-with-load", meaning="a share of the messages is lost")
def messages_above_a_queue(dice: Random) -> Iterator[Bed]:
    seconds, pairs, most = pick(dice, 0.035, 0.045), dice.choice((8, 10, 12)), dice.randint(2, 3)
    with mosquitto(f"max_inflight_messages 1\nmax_queued_messages {most}\nset_tcp_nodelay true") as behind, far_away(behind, seconds) as port:
        rate = round(pick(dice, 1.5, 1.9) * pairs / (2 * seconds))
        yield Bed(f"mqtt://127.0.0.1:{port}/rooms/{{pair}}", peak(10) + f"--timeout 1s --qos 1 -c {pairs} --rate '{rate} messages/s' "
                  f"--message-size {dice.randint(64, 300)}",
                  probe=lambda: [("one", got(port, 1, 0.9), 1, 1), ("twelve", got(port, 12, 0.9), 2, most + 4)])


@cause("a gateway for WebSocket redirects to the address with a slash at its end (301), which a test's has not", "never-accepted", "redirects",
       meaning="no connection is accepted")
def redirected_before_websocket(dice: Random) -> Iterator[Bed]:
    async def answer(asked: Asked) -> bool:
        await some(2, 6)
        status, field = ("101 Switching Protocols", "Upgrade: websocket") if asked.path.endswith("/") else ("301 Moved Permanently", f"Location: {asked.path}/")
        asked.writer.write(f"HTTP/1.1 {status}\r\n{field}\r\nContent-Length: 0\r\n\r\n".encode())
        await asked.writer.drain()
        return True

    def status_of(path: str) -> int:
        return int(reply(url, f"GET {path} HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                              "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode())[9:12])

    with answering(answer) as url:
        yield Bed(f"ws{url[4:]}rooms/{{pair}}", peak(8) + f"--keep-going --timeout 1s -c {dice.randint(8, 16)} --rate '{dice.randint(20, 50)} messages/s'",
                  probe=lambda: [("without", status_of("/rooms/1"), 301, 301), ("with", status_of("/rooms/1/"), 101, 101)])


@cause("the bus between the gateways of a chat moves to another machine, and all messages wait for that, for 1.2 to 1.8 s", "standstill", "slow-period",
       "outage", meaning="nothing comes for a while")
def bus_of_a_chat_moves(dice: Random) -> Iterator[Bed]:
    at, length, clock = pick(dice, 4.2, 5.6), pick(dice, 1.2, 1.8), Clock()

    async def work() -> None:
        now = clock()
        if at < now < at + length:
            await asyncio.sleep(at + length - now)
        await some(4, 12)

    def claims() -> list[Claim]:
        before = message_ms(url, 1)
        time.sleep(at + 0.1)
        meanwhile = message_ms(url, 1)
        return [("before", before, 4, 120), ("meanwhile", meanwhile, 1000 * length - 700, 1000 * length + 200), ("after", message_ms(url, 1), 4, 120)]

    with echoing(work) as url:
        yield Bed(f"ws{url[4:]}rooms/{{pair}}", peak(10) + f"--subscribers 0 -c {dice.randint(120, 160)} --rate '{dice.randint(50, 80)} messages/s' "
                  f"{dice.choice(('', '--arrivals poisson '))}", probe=claims)


@cause("from the middle on a model shares its processor with a training, and its words come 38 to 46 ms apart in place of 12 to 18", "drift", "slow-period",
       meaning="it gets slower")
def model_shares_its_processor(dice: Random) -> Iterator[Bed]:
    at, number, clock = pick(dice, 5, 6), dice.randint(12, 16), Clock()

    async def answer(asked: Asked) -> bool:
        slow = clock() > at
        begin_stream(asked)
        await (some(160, 220) if slow else some(60, 90))
        return await say_words(asked, number, *((38, 46) if slow else (12, 18)))

    with answering(answer) as url:
        yield Bed(url, peak(12) + f"-c {dice.randint(10, 18)} --think 60ms..250ms {engine(dice)}--post /v1/chat/completions --body question "
                  "--event-stream openai", truth=Truth(
            lambda all: [("before", between(all, 0, at - 0.4).median, 12 * number + 60, 20 * number + 130),
                         ("after", between(all, at + 0.1, 10).median, 38 * number + 160, 50 * number + 300), ("failed", all.failed, 0, 0)],
            method="POST", body=8, users=8, seconds=9))
