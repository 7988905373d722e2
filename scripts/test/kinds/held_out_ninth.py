"""
The ninth held-out set. Don't read on if you change rules.

No rule was tuned on it. Each kind is an incident of a real service, of a network or of a wrong test whose mechanism the earlier sets
don't have. The ids of a fault are those that an expert would accept as the first finding.
"""

from __future__ import annotations

import asyncio
import collections
import contextlib
import datetime
import os
import random
import signal
import socketserver
import subprocess
import tempfile
import threading
import time
import urllib.request
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from random import Random

import behaviours as server
import faults
from asking import Claim, Truth, took
from behaviours import option, rule
from kinds import Bed, cause, clean, engine, model, peak, pick
from kinds.held_out_eighth import begin_stream, end_stream, say_and_close, send_event
from kinds.held_out_fifth import Clock, of_time
from kinds.held_out_fourth import all_ms, between, inline
from kinds.held_out_second import Asked, answering, remembered, some, stopped
from kinds.held_out_seventh import later, rows, said
from kinds.held_out_sixth import echoing, frame, message_ms

ITEMS_AND_ORDERS = "--get /items --post /orders --body order"


# Databases and services behind the service.


@cause("the 8 to 12 connections of a pool reach their age of 1.5 to 2.1 s together, and each takes 0.25 to 0.35 s to make anew", "periodic-stalls",
       "standstill", meaning="all requests wait at even distances")
def connections_of_one_age(dice: Random) -> Iterator[Bed]:
    age, anew = pick(dice, 1.5, 2.1), pick(dice, 0.25, 0.35)
    size = dice.randint(8, 12)
    free: asyncio.Queue[float] = asyncio.Queue()
    for _ in range(size):
        free.put_nowait(0.0)
    clock = Clock()

    async def answer(asked: Asked) -> bool:
        made = await free.get()
        if clock() - made > age:
            await asyncio.sleep(anew)
            made = clock()
        await some(8, 22)
        free.put_nowait(made)
        return await asked.say()

    with answering(answer) as url:
        yield Bed(url, peak(9) + f"-c 120 --rate {dice.randint(90, 140)}/s {engine(dice)}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("longest", all.slowest, 240, 800), ("median", all.median, 8, 40), ("slow", all.slower(150), 0.01, 0.5),
                         ("before", between(all, 0, age - 0.1).slowest, 8, 240)], users=16, seconds=7))


@cause("a transaction never ends and locks one of six items from the middle on: its orders wait 0.7 to 1 s for the lock, then fail with 500",
       "steady-failures", "gives-up", meaning="a constant share fails from then on")
def forgotten_transaction(dice: Random) -> Iterator[Bed]:
    at, wait = pick(dice, 3.4, 4.2), pick(dice, 0.7, 1)
    clock = Clock()

    async def answer(asked: Asked) -> bool:
        if clock() > at and asked.path == "/orders/3":
            await asyncio.sleep(wait)
            return await asked.say(b"Lock wait timeout exceeded; try restarting transaction", 500)
        await (some(5, 15) if asked.method == "GET" else some(12, 30))
        return await asked.say()

    values = [str(number % 6) for number in range(300)]
    dice.shuffle(values)
    with rows("item", values) as file, answering(answer) as url:
        yield Bed(url, peak(10) + f"-c 120 --rate '{dice.randint(35, 55)} journeys/s' {engine(dice)}", plan=f"""
data:
  orders: {{csv: {file}}}
scenarios:
  - name: buy
    steps:
      - get: /items
      - post: "/orders/{{orders.item}}"
        name: POST /orders/ITEM
        json: {{amount: 1}}
""", truth=Truth(lambda all: [("before", between(all, 0, at - 0.1).failed, 0, 0), ("locked", between(all, at + 0.1, 9).of("/orders/3").status(500), 1, 1),
                              ("others", all.of("/orders/2").failed, 0, 0), ("waited", all.slowest, 1000 * wait, 1000 * wait + 200)],
                 paths=("/orders/2", "/orders/3"), method="POST", seconds=7))


@cause("another tenant's batch takes five of the six connections of a shared pool for 1.8 to 2.4 s", "slow-period", meaning="it is slow for a while")
def batch_of_another_tenant(dice: Random) -> Iterator[Bed]:
    at, length = pick(dice, 3.2, 4), pick(dice, 1.8, 2.4)
    pool = asyncio.Semaphore(6)
    tasks: list[asyncio.Task] = []

    async def batch() -> None:
        await asyncio.sleep(at)
        begin = time.monotonic()
        await asyncio.gather(*(pool.acquire() for _ in range(5)))
        await asyncio.sleep(length - (time.monotonic() - begin))
        for _ in range(5):
            pool.release()

    async def answer(asked: Asked) -> bool:
        if not tasks:
            tasks.append(asyncio.get_running_loop().create_task(batch()))
        async with pool:
            await (some(25, 40) if asked.method == "GET" else some(35, 55))
        return await asked.say()

    with answering(answer) as url:
        yield Bed(url, peak(10) + f"-c 250 --rate {dice.randint(50, 60)}/s {engine(dice)}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("meanwhile", between(all, at + 0.3, at + length - 0.3).median, 150, 600), ("before", between(all, 0, at - 0.1).median, 25, 80),
                         ("after", between(all, at + length + 0.5, 9).median, 25, 80)], users=8, think=0.05, seconds=8))


@cause("a partner hangs from the middle on: each payment waits 0.8 to 1.5 s for it, with one of the 10 to 14 threads that pages need, too", "drift",
       "slow-period", "saturation", meaning="it gets slower")
def partner_hangs(dice: Random) -> Iterator[Bed]:
    at, size = pick(dice, 3.6, 4.6), dice.randint(10, 14)
    threads = asyncio.Semaphore(size)
    clock = Clock()

    async def answer(asked: Asked) -> bool:
        now = clock()
        async with threads:
            if asked.method == "GET":
                await some(5, 15)
            elif now < at:
                await some(30, 60)
            else:
                await some(800, 1500)
        return await asked.say(b"", 202)

    with answering(answer) as url:
        yield Bed(url, peak(9) + f"-c {dice.randint(36, 48)} --think 60ms..140ms {engine(dice)}--get /items --get /cart --post /payments --body ten",
                  truth=Truth(lambda all: [("before", between(all, 0, at - 0.1).median, 20, 90), ("after", between(all, at + 1, 8).median, 900, 1400)],
                              method="POST", users=8, seconds=8))


@cause("reviews aren't answered from the middle on, and a product's page waits 0.25 to 0.4 s before it does without them", "drift", "slow-period",
       meaning="an operation gets slower")
def page_without_reviews(dice: Random) -> Iterator[Bed]:
    at, wait = pick(dice, 4, 5), dice.randint(250, 400)

    def ms(now: float, asked: Asked) -> float:
        if asked.path != "/product":
            return random.uniform(4, 14)
        return random.uniform(10, 25) if now < at else wait + random.uniform(4, 12)

    with of_time(ms) as url:
        yield Bed(url, peak(9) + f"-c {dice.randint(12, 24)} --think 30ms..90ms {engine(dice)}--get /product --get /search --get /cart", truth=Truth(
            lambda all: [("before", between(all, 0, at - 0.1).median, 10, 40), ("after", between(all, at + 0.1, 8).median, wait, wait + 50)],
            paths=("/product",), seconds=7))


@cause("a provider sends 15 to 20 codes a second, and the service says 500 for more: log-ins, not pages", "rate-limit", "steady-failures",
       meaning="a limit of another service")
def codes_by_message(dice: Random) -> Iterator[Bed]:
    most = dice.randint(15, 20)
    above = rule(path="/codes", bucket=f"{most}/{most}", ms=(25, 45), status=500)
    with server.go(above, rule(path="/codes", ms=(30, 60)), rule(ms=(5, 15))) as url:
        yield Bed(url, peak(8) + f"-c 80 --rate {round(4.4 * most)}/s {engine(dice)}{dice.choice(('', '--arrivals poisson '))}"
                  "--post /codes --body 4915100000 --get /items", truth=Truth(
            lambda all: [("sent a second", len(all.all) * all.status(200) / 4, 0.9 * most, 1.4 * most), ("500", all.status(500), 0.2, 0.9)],
            paths=("/codes",), users=6))


@cause("a store takes 24 to 30 new objects a second until it has split their prefix, 4 to 5 s after the first one: 503 for more", "load-shedding",
       "rate-limit", meaning="a rate limit that goes away")
def prefix_is_split(dice: Random) -> Iterator[Bed]:
    most, split = dice.randint(24, 30), pick(dice, 4, 5)
    clock = Clock()
    tokens, before = 4.0, 0.0

    async def answer(asked: Asked) -> bool:
        nonlocal tokens, before
        now = clock()
        if asked.method == "GET":
            await some(8, 20)
            return await asked.say(b"x" * 3000)
        tokens, before = min(4.0, tokens + (now - before) * most), now
        if now < split and tokens < 1:
            await some(2, 5)
            return await asked.say(b"<Error><Code>SlowDown</Code></Error>", 503)
        tokens -= 1
        await some(20, 45)
        return await asked.say()

    with answering(answer) as url:
        yield Bed(url, peak(9) + f"-c 80 --rate {round(3.6 * most)}/s {engine(dice)}--put /objects --body '{dice.randint(10**8, 10**9)}' --get /objects",
                  truth=Truth(lambda all: [("first", between(all, 0, split - 0.1).status(503), 0.2, 0.95), ("then", between(all, split + 0.1, 8).failed, 0, 0)],
                              method="PUT", body=9, seconds=7))


@cause("every 1.7 to 2.3 s the keys for tokens are too old, and until others are there, in 0.25 to 0.4 s, what needs a token is 401", "restarts", "outage",
       meaning="short bursts of failures")
def keys_for_tokens_expire(dice: Random) -> Iterator[Bed]:
    period, length = pick(dice, 1.7, 2.3), pick(dice, 0.25, 0.4)
    clock = Clock()

    async def answer(asked: Asked) -> bool:
        since = clock() % period
        needs = asked.path.startswith("/account")
        await (some(10, 25) if needs else some(4, 12))
        return await (asked.say(b"no key of that id", 401) if needs and since > period - length else asked.say())

    with answering(answer) as url:
        yield Bed(url, peak(9) + model(dice, (80, 140)) + "-H 'Authorization: Bearer ey7' --get /account --get /items --get /account/orders", truth=Truth(
            lambda all: [("401", all.of("/account").status(401), 0.08, 0.3), ("pages", all.of("/items").failed, 0, 0),
                         ("at first", between(all, 0, period - length - 0.05).failed, 0, 0)], paths=("/account", "/items"), seconds=7))


@cause("an index is built anew, and for 1.6 to 2.2 s searches find nothing: 200, and a check fails", "outage", "restarts",
       meaning="an operation fails for a while")
def index_is_built_anew(dice: Random) -> Iterator[Bed]:
    begin = dice.randint(3600, 4600)
    end = begin + dice.randint(1600, 2200)
    empty = rule(**{"path": "/search", "from": begin, "to": end, "ms": (3, 9), "bytes": 12, "status": 200})
    with server.node(empty, rule(path="/search", ms=(15, 40), bytes=1800), rule(ms=(5, 15), bytes=900)) as url:
        yield Bed(url, peak(9) + model(dice, (80, 140)) + "--get /search --expect 'size>100' --get /items --get /prices", truth=Truth(
            lambda all: [("empty", between(all, begin / 1000 + 0.1, end / 1000 - 0.1).share(lambda one: one.size < 100), 1, 1),
                         ("before", between(all, 0, begin / 1000 - 0.1).share(lambda one: one.size < 100), 0, 0), ("failed", all.failed, 0, 0)],
            paths=("/search",), seconds=7))


# Caches, proxies and instances.


@cause("a release sends a cookie with each page: 4 s later nginx's cache is empty and stays so, and a service with three places renders each page", "drift",
       "saturation", "slow-period", meaning="it gets slower")
def cookie_ends_caching(dice: Random) -> Iterator[Bed]:
    ms, clock = dice.randint(40, 46), Clock()
    places = asyncio.Semaphore(3)

    async def answer(asked: Asked) -> bool:
        cookie = "Set-Cookie: visit=7; Path=/\r\n" if clock() > 1.5 else ""
        async with places:
            await some(ms, ms + 8)
        asked.writer.write(f"HTTP/1.1 200 OK\r\n{cookie}Content-Length: 3000\r\n\r\n".encode() + b"x" * 3000)
        return True

    with tempfile.TemporaryDirectory() as folder, answering(answer) as behind, faults.nginx(
            f"proxy_cache_path {folder} keys_zone=pages:1m;",
            f"location / {{ proxy_cache pages; proxy_cache_valid 200 4s; proxy_cache_lock on; proxy_pass {behind[:-1]}; }}") as url:
        os.chmod(folder, 0o777)
        pages = " ".join(f"--get /pages/{number}" for number in range(dice.randint(5, 7)))
        yield Bed(url, peak(9) + f"-c 250 --rate {round(1.3 * 3000 / (ms + 5))}/s {engine(dice)}{pages}", truth=Truth(
            lambda all: [("cached", between(all, 0.5, 3.5).median, 0, 15), ("not any more", between(all, 5.5, 8).median, 40, 500),
                         ("failed", all.failed, 0, 0)],
            seconds=8))


@cause("nginx caches errors, too: twice, the error of one request is the answer to all requests for that page for a second, 500", "restarts", "outage",
       meaning="a page fails for a while, twice")
def errors_are_cached(dice: Random) -> Iterator[Bed]:
    times = collections.deque([pick(dice, 2.6, 3.2), pick(dice, 6, 6.8)])
    clock = Clock()

    async def answer(asked: Asked) -> bool:
        await some(8, 22)
        if asked.path == "/home" and times and clock() > times[0]:
            times.popleft()
            return await asked.say(b"out of memory", 500)
        return await asked.say(b"x" * 1500)

    with tempfile.TemporaryDirectory() as folder, answering(answer) as behind, faults.nginx(
            f"proxy_cache_path {folder} keys_zone=pages:1m;",
            f"location / {{ proxy_cache pages; proxy_cache_valid 500 1s; proxy_pass {behind[:-1]}; }}") as url:
        os.chmod(folder, 0o777)
        yield Bed(url, peak(9) + model(dice, (90, 150)) + "--get /home --get /items", truth=Truth(
            lambda all: [("500", all.of("/home").status(500), 0.1, 0.6), ("others", all.of("/items").failed, 0, 0)], paths=("/home", "/items"), seconds=8))


@cause("nginx has room for 700 kB of bodies that it is passing on, which 6 to 8 photos at a time take: 500 for more", "failures-with-load",
       meaning="it fails under load")
def room_for_bodies(dice: Random) -> Iterator[Bed]:
    size = dice.randint(85, 105) * 1000
    with tempfile.TemporaryDirectory() as folder, tempfile.NamedTemporaryFile() as photo, \
            server.go(rule(method="POST", ms=(150, 250)), rule(ms=(6, 18))) as behind, faults.nginx(
                "client_body_buffer_size 8k; client_max_body_size 10m;", f"client_body_temp_path {folder}; location / {{ proxy_pass {behind[:-1]}; }}",
                under=["unshare", "-m", "sh", "-c", f'mount -t tmpfs -o size=700k none {folder} && exec "$@"', "sh"]) as url:
        Path(photo.name).write_bytes(dice.randbytes(size))
        yield Bed(url, f"--phases few=0.15:for:3s,peak=1:for:6s -c {dice.randint(20, 24)} --think 150ms..300ms {engine(dice)}"
                  f"--get /items --post /photos --body @{photo.name}", truth=Truth(
            lambda all: [("500", all.status(500), 0.1, 0.9), ("200", len(all.all) * all.status(200) / 4, 10, 80)],
            users=20, think=0.05, method="POST", body=size))


@cause("nginx sends an order that takes longer than 0.25 s to another instance, which says that there is such an order already: 409", "gives-up",
       "steady-failures", meaning="a share of an operation fails")
def order_is_sent_twice(dice: Random) -> Iterator[Bed]:
    share = pick(dice, 0.06, 0.14)
    known: set[bytes] = set()

    async def answer(asked: Asked) -> bool:
        if asked.method == "GET":
            await some(5, 15)
        elif asked.body in known and len(asked.body) > 10:
            await some(4, 10)
            return await asked.say(b"there is such an order", 409)
        else:
            known.add(asked.body)
            await (some(450, 700) if random.random() < share else some(15, 45))
        return await asked.say()

    def claims() -> list[Claim]:
        all = [(said(url, "/orders", "POST", f"order {number} of a test".encode())[0], time.monotonic()) for number in range(120)]
        return [("409", sum(status == 409 for status, _ in all) / len(all), 0.2 * share, 3 * share), ("200", sum(status == 200 for status, _ in all), 80, 119)]

    with answering(answer) as one, answering(answer) as two, faults.nginx(
            f"upstream both {{ server {one[7:-1]} max_fails=0; server {two[7:-1]} max_fails=0; }}",
            "location / { proxy_next_upstream timeout non_idempotent; proxy_read_timeout 250ms; proxy_pass http://both; }") as url:
        yield Bed(url, peak(8) + f"-c 60 --rate '{dice.randint(35, 60)} journeys/s' {engine(dice)}", plan="""
scenarios:
  - name: buy
    steps:
      - get: /items
      - post: /orders
        json: {order: "{uuid}"}
""", probe=claims)


def healthy(url: str) -> bool:
    with contextlib.suppress(OSError), urllib.request.urlopen(f"{url}health", timeout=0.25):  # noqa: S310
        return True
    return False


@contextlib.contextmanager
def supervised(start: Callable[[], contextlib.AbstractContextManager[str]]) -> Iterator[str]:
    """The address of a server that is killed when three looks at its health have failed, and is started again 0.4 s later."""
    over = threading.Event()

    def watch() -> None:
        missed = 0
        while not over.wait(0.1):
            missed = 0 if healthy(url) else missed + 1
            if missed == 3:
                running.close()
                over.wait(0.4)
                running.enter_context(start())
                missed = 0

    with contextlib.ExitStack() as running:
        url = running.enter_context(start())
        thread = threading.Thread(target=watch)
        thread.start()
        try:
            yield url
        finally:
            over.set()
            thread.join()


@cause("a look at a server's health waits behind its requests, so the server is killed and started again when there is much to do", "restarts",
       "failures-with-load", "resets", "outage", meaning="it fails under load")
def killed_for_its_health(dice: Random) -> Iterator[Bed]:
    port, ms = faults.free_port(), dice.randint(45, 60)
    with supervised(lambda: server.go(option(address=f"127.0.0.1:{port}"), rule(pool=4, ms=(ms - 5, ms + 5)))) as url:
        yield Bed(url, f"--phases few=0.15:for:3s,peak=1:for:7s -c {dice.randint(44, 56)} --think 60ms..140ms {engine(dice)}--get /items --get /prices",
                  truth=Truth(lambda all: [("lost", len(all.all) * all.failed, 10, 2000), ("200", len(all.all) * all.status(200), 50, 1000)],
                              users=48, think=0.05, seconds=6))


@cause("the rate doubles, and the instances that it needs are there only 2 to 2.6 s later", "slow-period", "saturation",
       meaning="it is slow until it has been scaled")
def scaled_later(dice: Random) -> Iterator[Bed]:
    few, ms = 3, dice.randint(42, 48)
    rate, after = round(1.35 * few * 1000 / ms), pick(dice, 2, 2.6)
    places = asyncio.Semaphore(few)
    begun = False

    def scale() -> None:
        for _ in range(2 * few):
            places.release()

    async def answer(asked: Asked) -> bool:
        nonlocal begun
        if not begun:
            begun = True
            asyncio.get_running_loop().call_later(4 + after, scale)
        async with places:
            await some(ms - 8, ms + 8)
        return await asked.say()

    with answering(answer) as url:
        yield Bed(url, f"--phases 'warmup=1 for 1s at {rate // 2}/s, low=1 for 3s at {rate // 2}/s, high=1 for 8s at {rate}/s' -c 250 {engine(dice)}"
                  "--get /items --get /prices --post /orders --body order", truth=Truth(
            lambda all: [("before", between(all, 1, 4 + after - 0.2).median, 80, 200), ("after", between(all, 4 + after + 0.3, 9).median, ms - 8, ms + 15)],
            users=8, think=0, seconds=9))


VARIANTS = """
const [share, slow] = process.argv.slice(1).map(Number);
process.stdin.on('end', () => process.exit(0)).resume();
const server = require('node:http').createServer((request, response) => request.resume().on('end', () => {
    let variant = /variant=(\\w)/.exec(request.headers.cookie ?? '')?.[1];
    const slower = variant === 'b' ? slow * (1 + 0.2 * Math.random()) : 0;
    if (!variant) {
        variant = Math.random() < share ? 'b' : 'a';
        response.setHeader('Set-Cookie', `variant=${variant}; Path=/`);
    }
    setTimeout(() => {
        response.setHeader('Content-Length', 1200);
        response.end('x'.repeat(1200));
    }, 5 + 12 * Math.random() + slower);
}));
server.listen({port: 0, host: '127.0.0.1', backlog: 1024}, () => console.log(`http://127.0.0.1:${server.address().port}/`));
"""

OF_A_VARIANT = """
scenarios:
  - name: visit
    session: {cookies: true}
    steps:
      - get: /
      - think: 40ms..120ms
      - repeat: 3
        steps:
          - get: /list
          - think: 40ms..120ms
          - get: /item
          - think: 40ms..120ms
"""


def median_ms(url: str, cookie: str) -> float:
    """Of nine requests with that cookie."""
    return sorted(all_ms(url, 1, Cookie=cookie) for _ in range(9))[4]


@cause("a third of the users see a new design, whose lists and items take 90 to 140 ms more", "two-speeds", meaning="a share of two operations is slow")
def slow_variant(dice: Random) -> Iterator[Bed]:
    slow = dice.randint(90, 120)
    with inline("node", "-e", VARIANTS, str(pick(dice, 0.25, 0.4)), str(slow)) as url:
        yield Bed(url, peak(9) + f"-c 80 --rate '{dice.randint(18, 28)} journeys/s' {engine(dice)}", plan=OF_A_VARIANT, probe=lambda: [
            ("old", median_ms(url, "variant=a"), 5, 40), ("new", median_ms(url, "variant=b"), slow, slow + 70)])


@cause("for 2 to 2.6 s an adaptive limit lets one or two requests in at a time, and turns others away: 503", "load-shedding", "restarts",
       meaning="load is turned away for a while")
def limit_collapses(dice: Random) -> Iterator[Bed]:
    begin, length, most = pick(dice, 3.4, 4.2), pick(dice, 2, 2.6), dice.randint(1, 2)
    open_now = 0
    clock = Clock()

    async def answer(asked: Asked) -> bool:
        nonlocal open_now
        if begin < clock() < begin + length and open_now >= most:
            await some(1, 3)
            return await asked.say(b"overloaded", 503)
        open_now += 1
        try:
            await (some(12, 30) if asked.method == "GET" else some(20, 45))
        finally:
            open_now -= 1
        return await asked.say()

    with answering(answer) as url:
        yield Bed(url, peak(9) + f"-c 60 --rate {dice.randint(90, 130)}/s {engine(dice)}{dice.choice(('', '--arrivals poisson '))}{ITEMS_AND_ORDERS}",
                  truth=Truth(lambda all: [("meanwhile", between(all, begin + 0.1, begin + length - 0.1).status(503), 0.3, 0.98),
                                           ("else", between(all, 0, begin - 0.1).failed + between(all, begin + length + 0.1, 9).failed, 0, 0)], seconds=8))


@cause("a gateway keeps 12 to 16 WebSocket connections, and answers 503 when a user wants one more", "failures-with-load", "load-shedding", "connection-limit",
       meaning="it fails under load")
def places_of_a_gateway(dice: Random) -> Iterator[Bed]:
    most = dice.randint(12, 16)
    with echoing(lambda: some(4, 18)) as behind, server.haproxy(
            f"listen all\n  bind LISTEN\n  timeout tunnel 60s\n  http-request deny deny_status 503 if {{ fe_conn gt {most} }}\n"
            f"  server one {behind[7:-1]}") as url:
        yield Bed(url, f"--phases few=0.2:for:4s,peak=1:for:6s -c {2 * most} --think 200ms..500ms --timeout 2s {engine(dice)}", plan="""
scenarios:
  - name: room
    steps:
      - connect: /rooms/1
      - repeat: 4
        steps:
          - send: "hello {uuid}"
            name: say
          - expect: {text: {contains: hello}}
            name: said
          - think: 40ms..120ms
      - close: 1000
""", probe=lambda: [("as many", message_ms(url, most - 1), 3, 500), ("too many", message_ms(url, most + 2), -1, -1)])


# Machines.


@cause("a Node server that computes 4 ms for each request may use 0.3 to 0.4 of a CPU", "saturation", "contention", "serial-work", "server-cpu",
       meaning="the server has too little CPU time")
def quota_of_cpu_time(dice: Random) -> Iterator[Bed]:
    cpus = pick(dice, 0.3, 0.4)
    with faults.control_group(cpus) as group, server.node(rule(cpu=4), under=group) as url:
        yield Bed(url, f"--phases warmup=0.1:for:1s,few=0.1:for:3s,peak=1:for:6s -c {dice.randint(36, 48)} --think 120ms..240ms --timeout 20s {engine(dice)}"
                  "--get /items --get /prices", truth=Truth(lambda all: [("a second", len(all.all) / 4, 100 * cpus, 420 * cpus)], users=20, think=0))


@cause("a neighbour steals CPU time: for 2.2 s a server is kept from running nine tenths of the time, for 0.08 to 0.11 s each", "slow-period", "standstill",
       "periodic-stalls", meaning="it is slow for a while")
def neighbour_steals(dice: Random) -> Iterator[Bed]:
    start, length = dice.choice((server.go, server.node)), pick(dice, 0.08, 0.11)
    pulses = [(0.012, length)] * round(2.2 / (length + 0.012))
    with tempfile.TemporaryDirectory() as folder, start(rule(method="POST", ms=(12, 24)), rule(ms=(6, 16)), under=remembered(folder)) as url, \
            stopped(folder, [(pick(dice, 5, 5.6), length), *pulses]):
        yield Bed(url, peak(9) + f"-c 80 --rate {dice.randint(80, 130)}/s {engine(dice)}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("before", between(all, 0, 4.5).median, 6, 30), ("meanwhile", between(all, 5.8, 6.8).median, 40, 200)], seconds=9))


@cause("a machine loses its power: for 1.4 to 2 s nothing comes back, and then the connections are unknown to it", "outage", "restarts", "standstill",
       meaning="the server was away once")
def power_is_lost(dice: Random) -> Iterator[Bed]:
    at, length, port = pick(dice, 4.8, 5.6), pick(dice, 1.4, 2), faults.free_port()
    table = "nft add table ip t && nft add chain ip t c '{ type filter hook input priority 0 ; policy accept ; }'"
    with tempfile.TemporaryDirectory() as folder, faults.network(table) as inside, contextlib.ExitStack() as again:
        def start() -> contextlib.AbstractContextManager[str]:
            return server.go(option(address=f"127.0.0.1:{port}"), rule(method="POST", ms=(12, 30)), rule(ms=(6, 18)), under=[*inside, *remembered(folder)])

        def cut() -> None:
            subprocess.run([*inside, "nft", "add", "rule", "ip", "t", "c", "tcp", "sport", "1-65535", "drop"], check=True)
            os.kill(int(Path(folder, "pid").read_text()), signal.SIGKILL)
            time.sleep(length)
            again.enter_context(start())
            subprocess.run([*inside, "nft", "flush", "chain", "ip", "t", "c"], check=True)

        with start() as url, later(at, cut):
            yield Bed(url, peak(9) + f"-c 120 --connect-timeout 3s --rate {dice.randint(60, 100)}/s {engine(dice)}{ITEMS_AND_ORDERS}", inside, truth=Truth(
                lambda all: [("before", between(all, 0, at - 0.7).failed, 0, 0), ("lost", len(all.all) * all.failed, 1, 60),
                             ("longest", all.slowest, 900 * length, 5000)], seconds=9))


# Names, certificates and ways.


@contextlib.contextmanager
def names(address: str, code: Callable[[], int]) -> Iterator[list[str]]:
    """Words that start a command whose name server answers with this code: 0 and 127.0.0.1, 2 for a failure, 3 if there's no such name."""

    class Handler(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            question, back = self.request
            end = question.index(b"\0", 12) + 5
            status = code()
            found = status == 0 and question[end - 4:end - 2] == b"\0\1"
            head = question[:2] + bytes((0x81, 0x80 | status, 0, 1, 0, found, 0, 0, 0, 0))
            back.sendto(head + question[12:end] + (b"\xc0\x0c\0\1\0\1\0\0\0\1\0\4\x7f\0\0\1" if found else b""), self.client_address)

    try:
        listening = socketserver.ThreadingUDPServer((address, 53), Handler)
    except OSError as problem:
        raise faults.Impossible(f"port 53 of {address}: {problem}") from problem
    with listening, faults.own_files(resolv_conf=f"nameserver {address}\noptions attempts:1\n") as under:
        thread = threading.Thread(target=listening.serve_forever)
        thread.start()
        try:
            yield under
        finally:
            listening.shutdown()
            thread.join()


def looked_up(under: list[str]) -> float:
    return took(under, "getent", "ahostsv4", "shop.example")


@cause("a deployment deletes a service's name, which is unknown from the middle on, and each request makes a connection", "failed-look-ups", "outage",
       "new-connections", meaning="nothing succeeds any more")
def name_is_deleted(dice: Random) -> Iterator[Bed]:
    at, clock = pick(dice, 3.6, 4.8), Clock()

    def claims() -> list[Claim]:
        first = looked_up(under)
        time.sleep(at + 0.2)
        return [("at first", first, 0, 1000), ("later", looked_up(under), -1, -1)]

    with server.go(rule(method="POST", ms=(12, 30)), rule(ms=(5, 15))) as url, names("127.0.0.91", lambda: 0 if clock() < at else 3) as under:
        yield Bed(url.replace("127.0.0.1", "shop.example"), peak(9) + f"-H Connection:close -c {dice.randint(8, 14)} --think 60ms..120ms {engine(dice)}"
                  + ITEMS_AND_ORDERS, under, ["-Dsun.net.inetaddr.ttl=0"], probe=claims)


@cause("one in four to six look-ups of a service's name fails, and each request makes a connection", "failed-look-ups", "steady-failures", "new-connections",
       meaning="a constant share fails")
def look_ups_fail(dice: Random) -> Iterator[Bed]:
    share = pick(dice, 0.16, 0.25)

    def claims() -> list[Claim]:
        return [("failed", sum(looked_up(under) < 0 for _ in range(60)) / 60, 0.03, 0.5)]

    with server.go(rule(ms=(5, 15))) as url, names("127.0.0.92", lambda: 2 if random.random() < share else 0) as under, \
            tempfile.NamedTemporaryFile("w") as uncached:
        uncached.write("networkaddress.cache.ttl=0\nnetworkaddress.cache.negative.ttl=0\n")
        uncached.flush()
        yield Bed(url.replace("127.0.0.1", "shop.example"), peak(8) + f"-H Connection:close -c 60 --rate {dice.randint(40, 60)}/s {engine(dice)}"
                  "--get /items --get /prices", under, [f"-Djava.security.properties={uncached.name}"], probe=claims)


AUTHORITY = """
[ca]
default_ca = own
[own]
database = FOLDER/index
new_certs_dir = FOLDER
rand_serial = yes
default_md = sha256
policy = any
x509_extensions = names
[any]
commonName = supplied
[names]
subjectAltName = IP:127.0.0.1
"""


def short_certificate(folder: str, seconds: float) -> tuple[str, str]:
    """The files of an authority's certificate, and of a key and its certificate, which is good for so many seconds from now on."""
    Path(folder, "index").touch()
    Path(folder, "ca.cnf").write_text(AUTHORITY.replace("FOLDER", folder))
    end = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds)
    new = "openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"
    subprocess.run(["sh", "-ec", f"cd {folder}; {new} -x509 -days 2 -subj /CN=authority -keyout ca.key -out ca.pem; "
                    f"{new} -subj /CN=localhost -keyout one.key -out one.csr; openssl ca -batch -config ca.cnf -cert ca.pem -keyfile ca.key -in one.csr "
                    f"-out one.pem -notext -startdate 20200101000000Z -enddate {end:%Y%m%d%H%M%S}Z; cat one.pem one.key > both.pem"],
                   check=True, capture_output=True)
    return f"{folder}/ca.pem", f"{folder}/both.pem"


@cause("HAProxy's certificate expires in the middle, and each request makes a connection", "outage", "new-connections",
       meaning="nothing succeeds any more")
def certificate_expires(dice: Random) -> Iterator[Bed]:
    seconds = pick(dice, 6, 7)

    def claims() -> list[Claim]:
        first = took([], "curl", "-sf", "--cacert", authority, url)
        time.sleep(seconds)
        return [("at first", first, 0, 2000), ("later", took([], "curl", "-sf", "--cacert", authority, url), -1, -1)]

    with tempfile.TemporaryDirectory() as folder, server.go(rule(ms=(6, 18))) as behind:
        authority, both = short_certificate(folder, seconds)
        with server.haproxy(f"global\n  tune.ssl.cachesize 0\nlisten all\n  bind LISTEN ssl crt {both} no-tls-tickets\n  server one {behind[7:-1]}") as there:
            url = f"https{there[4:]}"
            yield Bed(url, peak(10) + f"--cacert {authority} -H Connection:close -c {dice.randint(6, 10)} --think 60ms..140ms {engine(dice)}"
                      + ITEMS_AND_ORDERS, probe=claims)


def links(lost: str) -> tuple[int, str, list[str]]:
    """A port, and what is done with a quarter of its connections on the way to their client: by the second and third bit of the client's port."""
    port = faults.free_port()
    return port, f"127.0.0.1:{port}", [
        "nft add table ip t && nft add chain ip t c '{ type filter hook input priority 0 ; policy accept ; }'",
        f"nft add rule ip t c 'tcp sport {port} tcp dport & 6 == 2 {lost} drop'"]


@cause("one of four links of a bundle loses 8 to 14 % of the packets", "packet-loss", "two-speeds", meaning="segments are lost on some connections")
def one_link_loses(dice: Random) -> Iterator[Bed]:
    _, address, commands = links(f"tcp flags & syn == 0 numgen random mod 100 < {dice.randint(8, 14)}")
    with faults.network(*commands) as inside, server.go(option(address=address), rule(method="POST", ms=(12, 24)), rule(ms=(5, 15)), under=inside) as url:
        yield Bed(url, peak(8) + f"-c {dice.randint(24, 36)} --think 20ms..50ms {engine(dice)}{ITEMS_AND_ORDERS}", inside, truth=Truth(
            lambda all: [("late", all.slower(180), 0.005, 0.1), ("median", all.median, 5, 30)], users=24, think=0.02))


@cause("one of four links of a bundle is dead, and connections that fall to it are never made", "new-connections", "steady-failures",
       meaning="a constant share of new connections fails")
def one_link_is_dead(dice: Random) -> Iterator[Bed]:
    _, address, commands = links("")
    with faults.network(*commands) as inside, server.go(option(address=address), rule(ms=(5, 15)), under=inside) as url:
        yield Bed(url, peak(8) + f"-H Connection:close --connect-timeout {dice.randint(600, 900)}ms -c 150 --rate {dice.randint(40, 60)}/s {engine(dice)}"
                  "--get /items --get /prices", inside, truth=Truth(
            lambda all: [("never made", all.share(lambda one: one.status == 0), 0.05, 0.4)], users=10, timeout=0.3, close=True))


@cause("a tunnel agrees on new keys every 1.5 to 2.2 s, and holds all packets for 0.25 to 0.4 s meanwhile", "periodic-stalls", "standstill",
       meaning="all requests wait at even distances")
def tunnel_renews_its_keys(dice: Random) -> Iterator[Bed]:
    period, hold = pick(dice, 1.5, 2.2), pick(dice, 0.25, 0.4)
    clock = Clock()

    def seconds() -> float:
        return 0.004 + max(0.0, hold - (clock() + period / 2) % period)

    with faults.network() as inside, faults.delays(inside, seconds) as address, \
            server.go(option(address="10.99.0.1:0"), rule(method="POST", ms=(10, 24)), rule(ms=(5, 15)), under=inside) as url:
        yield Bed(url.replace("10.99.0.1", address), peak(9) + model(dice, (60, 110)) + ITEMS_AND_ORDERS, inside, truth=Truth(
            lambda all: [("longest", all.slowest, 900 * hold - 50, 2500 * hold), ("slow", all.slower(80), 0.02, 0.4),
                         ("median", all.median, 10, 50)], seconds=7))


@cause("a filter for leaks resets each connection that has carried 1.5 to 2.5 MB, in the middle of a download", "truncated-bodies", "resets",
       meaning="bodies end in the middle")
def megabytes_of_a_connection(dice: Random) -> Iterator[Bed]:
    most, size = dice.randint(1_500_000, 2_500_000), dice.randint(60_000, 110_000)
    carried: dict[asyncio.StreamWriter, int] = {}

    async def answer(asked: Asked) -> bool:
        await some(8, 24)
        length = random.randint(size // 2, 3 * size // 2) if asked.path == "/images" else 2000
        carried[asked.writer] = carried.get(asked.writer, 0) + length
        if carried[asked.writer] < most:
            return await asked.say(b"x" * length)
        asked.writer.write(f"HTTP/1.1 200 OK\r\nContent-Length: {length}\r\n\r\n".encode() + b"x" * (length // 2))
        await asked.writer.drain()
        await asyncio.sleep(0.02)
        asked.reset()
        return False

    with answering(answer) as url:
        yield Bed(url, peak(8) + f"-c {dice.randint(10, 18)} --think 10ms..30ms {engine(dice)}--get /images --get /items", truth=Truth(
            lambda all: [("lost", all.failed, 0.4 * size / most, 2 * size / most)], paths=("/images",), seconds=5))


@cause("HAProxy waits 0.5 to 0.7 s for an upload, which takes longer on a link of 6 to 8 Mbit/s when others upload, too: 408", "gives-up", "slow-uploads",
       meaning="something gives up slow uploads")
def uploads_are_given_up(dice: Random) -> Iterator[Bed]:
    wait, mbit, size = dice.randint(500, 700), dice.randint(6, 8), dice.randint(70, 90) * 1000
    with faults.network("ip link set lo mtu 1500", f"tc qdisc add dev lo root tbf rate {mbit}mbit burst 16k limit 2m") as inside, \
            tempfile.NamedTemporaryFile() as photo, server.go(option(address="127.0.0.2:0"), rule(ms=(8, 20)), under=inside) as behind, server.haproxy(
                f"global\n  tune.bufsize 262144\nlisten all\n  bind LISTEN\n  option http-buffer-request\n  timeout http-keep-alive 60s\n"
                f"  timeout http-request {wait}ms\n  server one {behind[7:-1]}", under=inside) as url:
        Path(photo.name).write_bytes(dice.randbytes(size))
        yield Bed(url, peak(9) + f"-c {dice.randint(8, 10)} --think 300ms..1200ms {engine(dice)}--get /items --post /photos --body @{photo.name}", inside,
                  truth=Truth(lambda all: [("408", all.status(408), 0.05, 0.95), ("200", all.status(200), 0.05, 0.95)],
                              method="POST", body=size, users=7, think=0.3, seconds=6))


# Streams and messages.


@contextlib.contextmanager
def over_http2(answer: Callable[[asyncio.StreamWriter, int], Awaitable[None]]) -> Iterator[str]:
    """The address of a server for HTTP/2 without TLS that answers each stream by a function."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        answers = set()
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            await reader.readexactly(24)
            writer.write(frame(4, 0, 0))
            while not writer.is_closing():
                head = await reader.readexactly(9)
                payload = await reader.readexactly(int.from_bytes(head[:3], "big"))
                kind, flags, stream = head[3], head[4], int.from_bytes(head[5:], "big")
                if kind in (4, 6) and not flags & 1:
                    writer.write(frame(kind, 1, 0, payload if kind == 6 else b""))
                if kind in (0, 1) and flags & 1:
                    answers.add(asyncio.create_task(answer(writer, stream)))
        writer.close()

    with faults._listening(serve) as port:  # noqa: SLF001
        yield f"http://127.0.0.1:{port}/"


def say_ok(writer: asyncio.StreamWriter, stream: int) -> None:
    if not writer.is_closing():
        writer.write(frame(1, 4, stream, b"\x88") + frame(0, 1, stream, b"ok"))


@cause("an HTTP/2 server refuses streams (REFUSED_STREAM) when it works on 8 to 12 of them, over all connections", "failures-with-load", "resets",
       meaning="it fails under load")
def refused_streams(dice: Random) -> Iterator[Bed]:
    most = dice.randint(8, 12)
    at_once = 0

    async def answer(writer: asyncio.StreamWriter, stream: int) -> None:
        nonlocal at_once
        if at_once >= most:
            writer.write(frame(3, 0, stream, (7).to_bytes(4, "big")))
            return
        at_once += 1
        await some(25, 50)
        at_once -= 1
        say_ok(writer, stream)

    with over_http2(answer) as url:
        yield Bed(url, f"--phases few=0.2:for:3s,peak=1:for:6s --engine events --http2 --streams 4 -c {4 * dice.randint(9, 11)} --think 50ms..110ms "
                  "--get /items --get /prices", probe=lambda: [
            ("as many", server.streams_ms(url, most), 25, 400), ("more", server.streams_ms(url, 3 * most), 500, 60_000)])


@cause("a gateway ends HTTP/2 connections that are 1.4 to 2 s old, with the streams that are under way", "resets", "restarts", "keep-alive-limit",
       meaning="connections are closed in use")
def age_of_a_connection(dice: Random) -> Iterator[Bed]:
    age = pick(dice, 1.4, 2)
    made: set[asyncio.StreamWriter] = set()

    def end(writer: asyncio.StreamWriter) -> None:
        if not writer.is_closing():
            writer.write(frame(7, 0, 0, (2**31 - 1).to_bytes(4, "big") + bytes(4)))
            writer.close()

    async def answer(writer: asyncio.StreamWriter, stream: int) -> None:
        if writer not in made:
            made.add(writer)
            asyncio.get_running_loop().call_later(age + random.uniform(0, 0.3), end, writer)
        await some(30, 70)
        say_ok(writer, stream)

    with over_http2(answer) as url:
        yield Bed(url, peak(9) + f"--engine events --http2 --streams 4 -c {dice.choice((24, 32, 40))} --think 10ms..40ms --get /items --get /prices",
                  probe=lambda: [("ten", server.streams_ms(url, 10), 30, 1500)])


@cause("the publisher of events dies in the middle: streams stay open, and no event comes any more", "outage", "unanswered",
       meaning="an operation isn't answered any more")
def publisher_dies(dice: Random) -> Iterator[Bed]:
    at, count = pick(dice, 4, 5), dice.randint(4, 6)
    clock = Clock()

    async def answer(asked: Asked) -> bool:
        now = clock()
        if asked.path != "/events":
            await some(5, 15)
            return await asked.say()
        begin_stream(asked)
        for number in range(count):
            await some(50, 110)
            if clock() > at:
                await asyncio.sleep(20)
            await send_event(asked, f'{{"number":{number}}}')
        return now < at and end_stream(asked)

    with answering(answer) as url:
        yield Bed(url, peak(9) + f"-c 120 --timeout 1200ms --rate {dice.randint(30, 50)}/s {engine(dice)}--get /prices "
                  f"--get /events --event-stream 'events count={count}'", truth=Truth(
            lambda all: [("before", between(all, 0, at - 1).failed, 0, 0), ("after", between(all, at, 8).failed, 1, 1)],
            paths=("/events",), users=8, timeout=1.2, seconds=7))


@cause("one of four threads of a WebSocket gateway has a busy room, and messages of its other rooms take 80 to 130 ms more", "two-speeds",
       meaning="a share of the messages is slow")
def busy_thread_of_a_gateway(dice: Random) -> Iterator[Bed]:
    slow = dice.randint(80, 110)
    places: dict[asyncio.Task | None, int] = {}

    async def work() -> None:
        place = places.setdefault(asyncio.current_task(), len(places))
        await (some(slow, slow + 20) if place % 4 == 3 else some(4, 14))

    with echoing(work) as url:
        yield Bed(f"ws{url[4:]}rooms/{{pair}}?mode=echo", peak(8) + f"--subscribers 0 -c {4 * dice.randint(8, 14)} --rate '{dice.randint(80, 160)} messages/s'",
                  probe=lambda: [("one of eight", message_ms(url, 8), slow, slow + 200)])


# Wrong tests.


@cause("a test uses http://, and nginx sends it to https:// each time: 301", "redirects", meaning="each response is a redirect")
def redirects_to_https(dice: Random) -> Iterator[Bed]:
    with faults.nginx("", "location / { return 301 https://shop.example$request_uri; }") as url:
        yield Bed(url, peak(5) + f"-c {dice.randint(8, 20)} --think 40ms..120ms {engine(dice)}{ITEMS_AND_ORDERS} --get /prices", truth=Truth(
            lambda all: [("301", all.status(301), 1, 1)], seconds=1))


@cause("a form that is sent within 0.35 to 0.45 s after its page is taken for a robot's: 403, and a test's users often are that fast", "steady-failures",
       meaning="a constant share of an operation is refused")
def faster_than_people(dice: Random) -> Iterator[Bed]:
    wait = pick(dice, 0.35, 0.45)
    sent_at: dict[str, float] = {}

    async def answer(asked: Asked) -> bool:
        await some(6, 20)
        if asked.method == "GET":
            form = str(len(sent_at))
            sent_at[form] = time.monotonic()
            return await asked.say(f'{{"form": {form}}}'.encode())
        return await (asked.say(b"robot", 403) if time.monotonic() - sent_at[asked.path.rpartition("/")[2]] < wait else asked.say())

    def claims() -> list[Claim]:
        said(url, "/form")
        said(url, "/form")
        first = said(url, "/form/0", "POST")[0]
        time.sleep(wait)
        return [("at once", first, 403, 403), ("later", said(url, "/form/1", "POST")[0], 200, 200)]

    with answering(answer) as url:
        yield Bed(url, peak(9) + f"-c {dice.randint(16, 28)} {engine(dice)}", plan=f"""
scenarios:
  - name: contact
    steps:
      - get: /form
        extract: {{form: "json:/form"}}
      - think: 150ms..{round(1700 * wait)}ms
      - post: "/form/{{form}}"
        name: POST /form
        form: {{text: "{{uuid}}"}}
        onFailure: continue
      - think: 50ms..150ms
""", probe=claims)


# Healthy, though it may look otherwise.


@clean("a service by IPv6, for reads and writes")
def by_ipv6(dice: Random) -> Iterator[Bed]:
    with server.go(option(address="[::1]:0"), rule(method="POST", ms=(15, 40)), rule(ms=(6, 22), bytes=1500)) as url:
        yield Bed(url, peak(7) + model(dice, (80, 140)) + ITEMS_AND_ORDERS)


@clean("nginx speaks TLS 1.2 alone, before a Java server")
def tls_of_old(dice: Random) -> Iterator[Bed]:
    with server.java(rule(method="POST", ms=(15, 40)), rule(ms=(6, 22))) as behind, faults.nginx(
            f"upstream one {{ server {behind[7:-1]}; keepalive 64; }}",
            'ssl_protocols TLSv1.2; location / { proxy_http_version 1.1; proxy_set_header Connection ""; proxy_pass http://one; }',
            tls="-newkey rsa:2048") as url:
        yield Bed(url, peak(7, 2) + f"-k -c {dice.randint(10, 20)} --think 30ms..90ms {engine(dice)}{ITEMS_AND_ORDERS}")


@clean("a service on another continent: 110 to 150 ms there and back")
def another_continent(dice: Random) -> Iterator[Bed]:
    seconds = pick(dice, 0.055, 0.075)
    with faults.network() as inside, faults.delays(inside, lambda: seconds) as address, \
            server.go(option(address="10.99.0.1:0"), rule(method="POST", ms=(12, 30)), rule(ms=(6, 18), bytes=1000), under=inside) as url:
        yield Bed(url.replace("10.99.0.1", address), peak(8, 2) + f"-c {dice.randint(20, 40)} --think 50ms..200ms {engine(dice)}{ITEMS_AND_ORDERS}", inside,
                  truth=Truth(lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 2000 * seconds, 2000 * seconds + 60)]))


@clean("nginx renews a page in the background: requests get the old one meanwhile")
def old_pages_meanwhile(dice: Random) -> Iterator[Bed]:
    names_of_pages = [str(number % 6) for number in range(600)]
    dice.shuffle(names_of_pages)
    with tempfile.TemporaryDirectory() as folder, server.node(rule(ms=(20, 50), bytes=3000)) as behind, rows("number", names_of_pages) as file, faults.nginx(
            f"proxy_cache_path {folder} keys_zone=pages:1m;",
            "location / { proxy_cache pages; proxy_cache_valid 200 1s; proxy_cache_use_stale updating; proxy_cache_background_update on; "
            f"proxy_cache_lock on; proxy_pass {behind[:-1]}; }}") as url:
        os.chmod(folder, 0o777)
        yield Bed(url, peak(7, 2) + f"-c {dice.randint(10, 16)} {engine(dice)}", plan=f"""
data:
  pages: {{csv: {file}}}
scenarios:
  - name: read
    steps:
      - get: "/pages/{{pages.number}}"
        name: GET /pages/NUMBER
      - think: 90ms..160ms
""")


@clean("a rest of two seconds between two busy times")
def lunch(dice: Random) -> Iterator[Bed]:
    rate = dice.randint(60, 100)
    with server.java(rule(method="POST", ms=(15, 40)), rule(ms=(6, 22))) as url:
        yield Bed(url, f"--phases 'warmup=1 for 2s at {rate}/s, morning=1 for 3s at {rate}/s, lunch=1 for 2s at {dice.randint(4, 8)}/s, "
                  f"afternoon=1 for 3s at {rate}/s' -c 60 {engine(dice)}{dice.choice(('', '--arrivals poisson '))}{ITEMS_AND_ORDERS}")


@clean("one of HAProxy's servers is in maintenance, one is for emergencies, and two are enough")
def in_maintenance(dice: Random) -> Iterator[Bed]:
    rules = [rule(method="POST", ms=(15, 40)), rule(ms=(6, 20))]
    with server.go(*rules) as one, server.go(*rules) as two, server.go(*rules) as three, server.haproxy(
            f"listen all\n  bind LISTEN\n  balance leastconn\n  default-server check inter 200ms\n  server a {one[7:-1]}\n  server b {two[7:-1]}\n"
            f"  server c {three[7:-1]} backup\n  server d 127.0.0.1:{faults.free_port()} disabled") as url:
        yield Bed(url, peak(7) + model(dice, (80, 140)) + ITEMS_AND_ORDERS)


@clean("an instance is restarted, and HAProxy asks the other one at once")
def asked_again(dice: Random) -> Iterator[Bed]:
    begin = dice.randint(3200, 4200)
    rules = [rule(method="POST", ms=(12, 28)), rule(ms=(6, 18))]
    with server.go(option(down=(begin, begin + dice.randint(700, 1200))), *rules) as one, server.go(*rules) as two, server.haproxy(
            f"listen all\n  bind LISTEN\n  balance roundrobin\n  retries 3\n  option redispatch 1\n  timeout connect 30ms\n  retry-on all-retryable-errors\n"
            f"  default-server check inter 100ms fall 1 rise 2\n  server a {one[7:-1]}\n  server b {two[7:-1]}") as url:
        yield Bed(url, peak(8) + model(dice, (60, 110)) + ITEMS_AND_ORDERS, truth=Truth(
            lambda all: [("failed", all.failed, 0, 0), ("longest", all.slowest, 20, 300)], seconds=7))


@clean("tiles of a map: 60 files of 2 to 40 kB by nginx, over HTTP/2 and TLS")
def tiles(dice: Random) -> Iterator[Bed]:
    port = faults.free_port()
    with tempfile.TemporaryDirectory() as folder, rows("tile", [str(dice.randrange(60)) for _ in range(900)]) as file, faults.nginx(
            "", f"listen 127.0.0.1:{port} ssl http2; root {folder};", tls="-newkey rsa:2048"):
        os.chmod(folder, 0o755)
        Path(folder, "tiles").mkdir()
        for number in range(60):
            Path(folder, "tiles", str(number)).write_bytes(dice.randbytes(dice.randint(2000, 40_000)))
        yield Bed(f"https://127.0.0.1:{port}/", peak(7) + f"-k --engine events --http2 --streams {dice.choice((2, 4))} -c {dice.choice((16, 24))}", plan=f"""
data:
  tiles: {{csv: {file}}}
scenarios:
  - name: map
    steps:
      - repeat: 6
        steps:
          - get: "/tiles/{{tiles.tile}}"
            name: GET /tiles/NUMBER
      - think: 100ms..300ms
""", truth=Truth(lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 0, 30)], paths=("/tiles/7", "/tiles/8")))


VERSIONS = """
const kept = new Map();
process.stdin.on('end', () => process.exit(0)).resume();
const server = require('node:http').createServer((request, response) => request.resume().on('end', () => {
    const version = kept.get(request.url) ?? 1;
    let status = 200;
    if (request.method === 'PUT') {
        status = request.headers['if-match'] === `"${version}"` ? 204 : 412;
        kept.set(request.url, version + (status === 204));
    } else {
        response.setHeader('ETag', `"${version}"`);
        response.setHeader('Content-Length', 2);
    }
    setTimeout(() => {
        response.statusCode = status;
        response.end(status === 200 ? 'ok' : undefined);
    }, (status === 200 ? 5 : 14) + 16 * Math.random());
}));
server.listen({port: 0, host: '127.0.0.1', backlog: 1024}, () => console.log(`http://127.0.0.1:${server.address().port}/`));
"""


@clean("settings of each user are read and changed, if they are the same yet: ETag and If-Match, 204")
def changed_if_the_same(dice: Random) -> Iterator[Bed]:
    with inline("node", "-e", VERSIONS) as url:
        yield Bed(url, peak(7) + f"-c {dice.randint(14, 26)} {engine(dice)}", plan="""
scenarios:
  - name: settings
    steps:
      - get: "/settings/{user}"
        name: GET /settings/USER
        extract: {version: "header:ETag"}
      - think: 50ms..150ms
      - put: "/settings/{user}"
        name: PUT /settings/USER
        headers: {If-Match: "{version}"}
        json: {colour: blue}
        checks: status=204
      - think: 50ms..150ms
""")


@clean("users log in, then talk by WebSocket, and both go by HAProxy")
def log_in_and_talk(dice: Random) -> Iterator[Bed]:
    with server.go(rule(path="/login", ms=(20, 50)), rule(ms=(5, 15))) as pages, echoing(lambda: some(3, 20)) as rooms, server.haproxy(
            "frontend all\n  bind LISTEN\n  timeout client 60s\n  use_backend rooms if { path_beg /rooms }\n  default_backend pages\n"
            f"backend rooms\n  timeout tunnel 60s\n  server one {rooms[7:-1]}\nbackend pages\n  server one {pages[7:-1]}") as url:
        yield Bed(url, peak(8) + f"-c {dice.randint(14, 26)} {engine(dice)}", plan="""
scenarios:
  - name: chat
    steps:
      - post: /login
        form: {user: "{uuid}"}
      - get: /list
      - connect: /rooms/1
      - repeat: 5
        steps:
          - send: "hello {uuid}"
            name: say
          - expect: {text: {contains: hello}}
            name: said
          - think: 40ms..160ms
      - close: 1000
      - think: 50ms..150ms
""")


@clean("half of the users see a new design, which is as fast as the old one")
def equal_variants(dice: Random) -> Iterator[Bed]:
    with inline("node", "-e", VARIANTS, "0.5", "0") as url:
        yield Bed(url, peak(7) + f"-c 60 --rate '{dice.randint(15, 25)} journeys/s' {engine(dice)}", plan=OF_A_VARIANT)


@clean("a log-in that takes 80 to 120 ms, as it hashes, with room enough, and pages of a few ms")
def careful_log_ins(dice: Random) -> Iterator[Bed]:
    with dice.choice((server.go, server.java))(rule(path="/login", ms=(80, 120)), rule(ms=(5, 18), bytes=1500)) as url:
        yield Bed(url, peak(8, 2) + f"-c 60 --rate '{dice.randint(10, 18)} journeys/s' --arrivals poisson {engine(dice)}", plan="""
scenarios:
  - name: visit
    steps:
      - get: /
      - think: 50ms..150ms
      - post: /login
        form: {user: "{uuid}", password: secret}
      - think: 50ms..150ms
      - repeat: 3
        steps:
          - get: /account
          - think: 50ms..150ms
""")


@clean("users who log out at a visit's end, after which the server closes their connection and says so")
def closed_after_logging_out(dice: Random) -> Iterator[Bed]:
    async def answer(asked: Asked) -> bool:
        await (some(15, 35) if asked.method == "POST" else some(6, 20))
        return await (say_and_close(asked) if asked.path == "/logout" else asked.say())

    with answering(answer) as url:
        yield Bed(url, peak(8) + f"-c {dice.randint(12, 24)} {engine(dice)}", plan="""
scenarios:
  - name: visit
    steps:
      - post: /login
        form: {user: "{uuid}"}
      - repeat: 6
        steps:
          - think: 60ms..160ms
          - get: /account
      - post: /logout
      - think: 60ms..160ms
""")


@clean("a name that is looked up in 1 to 3 ms for each of 20 to 40 new connections a second")
def names_of_new_connections(dice: Random) -> Iterator[Bed]:
    with server.go(rule(ms=(8, 26))) as url, faults.name_server("127.0.0.93", pick(dice, 0.001, 0.003)), \
            faults.own_files(resolv_conf="nameserver 127.0.0.93\n") as under:
        yield Bed(url.replace("127.0.0.1", "shop.example"), peak(7) + f"-H Connection:close -c 60 --rate {dice.randint(20, 40)}/s {engine(dice)}"
                  "--get /items --get /prices", under)


@clean("streams of 4 to 7 events and lists, over TLS, which ends at HAProxy")
def events_over_tls(dice: Random) -> Iterator[Bed]:
    count = dice.randint(4, 7)

    async def answer(asked: Asked) -> bool:
        if asked.path != "/events":
            await some(6, 20)
            return await asked.say(b"x" * 2000)
        begin_stream(asked)
        for number in range(count):
            await some(60, 160)
            await send_event(asked, f'{{"number":{number}}}')
        await send_event(asked, "[DONE]")
        return end_stream(asked)

    with tempfile.TemporaryDirectory() as folder, answering(answer) as behind:
        key, cert = server.certificate(folder)
        both = Path(folder, "both.pem")
        both.write_text(Path(cert).read_text() + Path(key).read_text())
        with server.haproxy(f"listen all\n  bind LISTEN ssl crt {both}\n  server one {behind[7:-1]}") as url:
            yield Bed(f"https{url[4:]}", peak(8, 2) + f"-k -c {dice.randint(16, 30)} --think 50ms..200ms {engine(dice)}--get /items "
                      '--get /events --event-stream "events until=[DONE]"')


@clean("250 to 320 quick calls a second, Poisson")
def quick_calls(dice: Random) -> Iterator[Bed]:
    with server.go(rule(method="POST", ms=(3, 9)), rule(ms=1, exp=2)) as url:
        yield Bed(url, peak(7, 2) + f"-c 60 --rate {dice.randint(250, 320)}/s --arrivals poisson {engine(dice)}"
                  "--get /price --get /stock --post /clicks --body one")


@clean("a canary gets one request in ten, and is as fast as the other instance")
def quiet_canary(dice: Random) -> Iterator[Bed]:
    rules = [rule(method="POST", ms=(15, 40)), rule(ms=(6, 20), bytes=1200)]
    start = dice.choice((server.go, server.node))
    with start(*rules) as one, start(*rules) as two, server.haproxy(
            f"listen all\n  bind LISTEN\n  balance roundrobin\n  server a {one[7:-1]} weight 90\n  server b {two[7:-1]} weight 10") as url:
        yield Bed(url, peak(7) + model(dice, (80, 140)) + ITEMS_AND_ORDERS)


@clean("machines report figures in steps of 0.7 to 1.1 s: a body of 2 to 9 kB, 202")
def reports_of_machines(dice: Random) -> Iterator[Bed]:
    with tempfile.NamedTemporaryFile() as figures, server.python(rule(ms=(8, 30), status=202)) as url:
        Path(figures.name).write_bytes(dice.randbytes(dice.randint(2000, 9000)))
        yield Bed(url, peak(8) + f"-c {dice.randint(30, 60)} --pacing 700ms..1100ms {engine(dice)}--post /figures --body @{figures.name}")
