"""
The thirteenth held-out set. Don't read on if you change rules.

No rule was tuned on it. Each kind is an incident of a real service, of a network or of a wrong test whose mechanism the earlier sets
don't have. The ids of a fault are those that an expert would accept as the first finding.
"""

from __future__ import annotations

import asyncio
import collections
import concurrent.futures
import contextlib
import json
import os
import random
import subprocess
import tempfile
import time
import zlib
from collections.abc import Iterator
from pathlib import Path
from random import Random

import behaviours as server
import faults
from asking import Claim, Truth, took
from behaviours import option, rule
from kinds import Bed, cause, clean, engine, peak, pick
from kinds.held_out_eighth import begin_stream, end_stream, send_event
from kinds.held_out_eleventh import Database, mosquitto, postgres, relayed
from kinds.held_out_fifth import Clock
from kinds.held_out_fourth import between, inline, php, puma, sent
from kinds.held_out_ninth import ITEMS_AND_ORDERS, over_http2, say_ok
from kinds.held_out_second import Asked, answering, some
from kinds.held_out_seventh import later, rows, said
from kinds.held_out_sixth import echoing, message_ms, reply
from kinds.held_out_tenth import Room, heard, slower_handshakes
from kinds.held_out_third import of_haproxy
from kinds.held_out_twelfth import answered_names, modest, ms_of, switched


def open_model(dice: Random, users: int, per_second: float) -> str:
    """At such a rate, in even steps or not."""
    return f"-c {users} --rate {round(per_second)}/s {engine(dice)}{dice.choice(('', '--arrivals poisson '))}"


def few_and_many(dice: Random, users: int, think: str) -> str:
    """A tenth of the users, then all of them."""
    return f"--phases few=0.1:for:3s,peak=1:for:6s -c {users} --think {think} {engine(dice)}"


# Databases, stores and searches.


@cause("one in 8 to 20 searches takes longer than 0.36 to 0.42 s, after which a database ends it (statement_timeout): 500", "gives-up", "steady-failures",
       meaning="something gives up slow requests")
def searches_are_ended(dice: Random) -> Iterator[Bed]:
    limit, mean = dice.randint(360, 420), dice.randint(140, 170)
    with postgres("create table items (id int, name text)", "insert into items select n, 'name' from generate_series(1, 50) n",
                  statement_timeout=f"{limit}ms") as port:
        database = Database(port, 150)

        async def answer(asked: Asked) -> bool:
            if asked.path == "/search":
                failed = await database.ask(f"select pg_sleep({0.01 + random.expovariate(1000 / mean):.3f})")
            else:
                failed = await database.ask("select name from items where id = 7")
                await some(5, 15)
            return await asked.say(failed.encode(), 500 if failed else 200)

        with answering(answer) as url:
            yield Bed(url, peak(9) + f"{modest(dice, (60, 100))}--get /search --get /items", truth=Truth(
                lambda all: [("500", all.of("/search").status(500), 0.03, 0.16), ("items", all.of("/items").failed, 0, 0),
                             ("longest", all.slowest, limit - 10, limit + 120),
                             ("ended sooner", all.share(lambda one: one.status == 500 and one.ms < limit - 15), 0, 0)],
                paths=("/search", "/items"), users=20, seconds=6))


@cause("a database was restored, and its numbers for orders begin with some that there are already: 500 for each order until they are behind it", "outage",
       meaning="an operation fails at first")
def numbers_are_behind(dice: Random) -> Iterator[Bed]:
    rate = dice.randint(60, 100)
    behind = round(rate / 2 * pick(dice, 3.8, 4.8))
    with postgres("create table orders (id serial primary key)", f"insert into orders select generate_series(1, {behind})") as port:
        database = Database(port)

        async def answer(asked: Asked) -> bool:
            failed = await database.ask("insert into orders default values" if asked.method == "POST" else "select max(id) from orders")
            await some(5, 15)
            return await asked.say(failed.encode(), 500 if failed else 200)

        with answering(answer) as url:
            yield Bed(url, peak(9) + f"-c 80 --rate {rate}/s {engine(dice)}{ITEMS_AND_ORDERS}", truth=Truth(
                lambda all: [("failed", len(all.all) * all.status(500), behind, behind), ("stored", len(all.all) * all.status(200), 20, 5000)],
                method="POST", body=5, users=8, seconds=6))


@cause("a release asks a database for each row of a list on its own, 18 to 26 times, from the middle on", "drift", "slow-period", meaning="it gets slower")
def question_for_each_row(dice: Random) -> Iterator[Bed]:
    at, number, clock = pick(dice, 3.6, 4.6), dice.randint(18, 26), Clock()

    async def answer(asked: Asked) -> bool:
        released = clock() > at
        for _ in range(number if released and asked.path == "/orders" else 1):
            await some(3, 5)
        await some(4, 10)
        return await asked.say(b"x" * 3000)

    with answering(answer) as url:
        yield Bed(url, peak(9) + modest(dice, (60, 100)) + "--get /orders --get /items", truth=Truth(
            lambda all: [("before", between(all, 0, at - 0.1).slowest, 7, 90),
                         ("after", between(all.of("/orders"), at + 0.1, 8).median, 3 * number, 7 * number + 30),
                         ("items", all.of("/items").median, 7, 40), ("failed", all.failed, 0, 0)], paths=("/orders", "/items"), users=4, think=0.05, seconds=7))


@cause("the eight parts of an index take entries a little more slowly than they come, so what was just made is found later and later: 404", "growing-failures",
       meaning="more and more fails")
def index_falls_behind(dice: Random) -> Iterator[Bed]:
    rate = dice.randint(50, 80)
    each = [8 / rate * (1.06 + 0.02 * part) for part in range(8)]
    free = [0.0] * 8
    findable: dict[str, float] = {}

    async def answer(asked: Asked) -> bool:
        now = time.monotonic()
        await some(8, 24)
        if asked.method == "GET":
            found = now > findable.get(asked.path, float("inf"))
            return await asked.say(b"x" * 900 if found else b"not found", 200 if found else 404)
        part = zlib.crc32(asked.path.encode()) % 8
        free[part] = max(free[part], now) + each[part]
        findable[asked.path] = free[part]
        return await asked.say(b"made", 201)

    def claims() -> list[Claim]:
        with concurrent.futures.ThreadPoolExecutor(40) as threads:
            list(threads.map(lambda number: said(url, f"/articles/{number}", "POST", b"text"), range(80)))
            shares = []
            for pause in (0, 20 * 1.2 * 8 / rate):
                time.sleep(pause)
                shares.append(sum(threads.map(lambda number: said(url, f"/articles/{number}")[0] == 200, range(80))) / 80)
        return [("at once", shares[0], 0.05, 0.98), ("later", shares[1], 1, 1)]

    with answering(answer) as url:
        yield Bed(url, peak(11) + f"-c 200 --rate '{rate} journeys/s' {engine(dice)}", plan="""
scenarios:
  - name: write
    steps:
      - post: "/articles/{user}-{iteration}"
        name: write
        json: {text: "{uuid}"}
        checks: status=201
      - think: 300ms..2200ms
      - get: "/articles/{user}-{iteration}"
        name: search
""", probe=claims)


@cause("a quarter of the keys is moved to another node of a store for 1.8 to 2.4 s, and a service doesn't understand that it is sent there: 500", "restarts",
       "steady-failures", "outage", meaning="a share fails for a while")
def keys_are_moved(dice: Random) -> Iterator[Bed]:
    at, length, clock = pick(dice, 4.4, 5.4), pick(dice, 1.8, 2.4), Clock()

    async def answer(asked: Asked) -> bool:
        moved = at < clock() < at + length and zlib.crc32(asked.path.encode()) % 4 == 1
        await (some(2, 7) if moved else some(8, 24))
        return await (asked.say(b"MOVED 3999 10.0.0.7:6379", 500) if moved else asked.say(b"x" * 700))

    one, other = (next(path for path in map("/carts/{}".format, range(1, 900)) if (zlib.crc32(path.encode()) % 4 == 1) == whether) for whether in (True, False))
    with answering(answer) as url:
        yield Bed(url, peak(9) + f"-c 60 --rate '{dice.randint(80, 140)} journeys/s' {engine(dice)}", plan="""
scenarios:
  - name: look
    steps:
      - get: "/carts/{random:1..900}"
        name: GET /carts/NUMBER
""", truth=Truth(lambda all: [("before", between(all, 0, at - 0.1).failed, 0, 0),
                              ("moved", between(all.of(one), at + 0.1, at + length - 0.1).status(500), 1, 1),
                              ("others", all.of(other).failed, 0, 0), ("after", between(all, at + length + 0.1, 9).failed, 0, 0)],
                 paths=(one, other), seconds=8.5))


COMMENTS = ("very good", "came late", "as described", "too small", "again", "fits", "nice colour", "not for me", "quick", "works")


@cause("one in 9 to 13 comments has a character of four bytes, which a column of a database can't take (utf8mb3): 500", "steady-failures",
       meaning="a constant share fails")
def characters_of_four_bytes(dice: Random) -> Iterator[Bed]:
    count = dice.randint(9, 13)
    comments = [text for _ in range(30) for text in dice.sample([*(dice.choice(COMMENTS) for _ in range(count - 1)), "love it \U0001f60d"], count)]

    async def answer(asked: Asked) -> bool:
        if asked.method == "POST" and any(ord(one) > 0xFFFF for one in json.loads(asked.body)["text"]):
            await some(4, 12)
            return await asked.say(b"Incorrect string value", 500)
        await some(10, 30)
        return await asked.say(b"x" * 600)

    with answering(answer) as url, rows("text", comments) as file:
        yield Bed(url, peak(8) + f"-c {dice.randint(10, 16)} {engine(dice)}", plan=f"""
data:
  comments: {{csv: {file}}}
scenarios:
  - name: comment
    steps:
      - get: /items/7
      - think: 30ms..100ms
      - post: /comments
        json: {{text: "{{comments.text}}"}}
      - think: 30ms..100ms
""", probe=lambda: [(str(place), said(url, "/comments", "POST", json.dumps({"text": text}).encode())[0], status, status)
                    for place, (text, status) in enumerate((("love it", 200), ("love it \U0001f60d", 500), ("é 北京", 200)))])


@cause("each search needs memory, and a cluster of searches refuses more than it has memory for at a time (circuit breaker), pages don't need it: 429",
       "failures-with-load", "load-shedding", "rate-limit", meaning="it refuses what is too much at a time")
def memory_for_searches(dice: Random) -> Iterator[Bed]:
    memory, taken = dice.randint(550, 700), 0

    async def answer(asked: Asked) -> bool:
        nonlocal taken
        if asked.path != "/search":
            await some(8, 22)
            return await asked.say(b"x" * 900)
        needs = random.randint(40, 160)
        if taken + needs > memory:
            await some(3, 8)
            return await asked.say(b"circuit_breaking_exception", 429)
        taken += needs
        try:
            await some(70, 130)
        finally:
            taken -= needs
        return await asked.say(b"x" * 2000)

    with answering(answer) as url:
        yield Bed(url, f"{few_and_many(dice, dice.randint(28, 36), '120ms..240ms')}--get /search --get /items",
                  probe=lambda: [("few", [status for status, _ in sent(url, 3, "/search")].count(429), 0, 0),
                                 ("many", [status for status, _ in sent(url, 24, "/search")].count(429), 8, 22),
                                 ("pages", [status for status, _ in sent(url, 24, "/items")].count(200), 24, 24)])


@cause("changes of three accounts are tried again until nobody else has changed the same one meanwhile, and each try takes 28 to 34 ms", "saturation",
       "contention", "serial-work", meaning="more users only get into each other's way")
def tried_until_it_works(dice: Random) -> Iterator[Bed]:
    ms = dice.randint(28, 34)
    versions = [0] * 3

    async def answer(asked: Asked) -> bool:
        if asked.method == "GET":
            await some(6, 18)
            return await asked.say(b"x" * 400)
        account = random.randrange(3)
        while True:
            before = versions[account]
            await some(ms - 4, ms + 4)
            if versions[account] == before:
                versions[account] += 1
                return await asked.say(b"changed")

    with answering(answer) as url:
        yield Bed(url, f"{few_and_many(dice, dice.randint(26, 34), '5ms..25ms')}--get /accounts --post /changes --body ten", truth=Truth(
            lambda all: [("median", all.median, 3 * ms, 30 * ms), ("failed", all.failed, 0, 0), ("a second", len(all.all) / 4, 1500 / ms, 3400 / ms)],
            method="POST", body=3, users=24, think=0))


# Processes and threads.


@cause("a pool of threads begins with two and gets another one each half second while requests wait, and the load begins at once", "slow-period", "saturation",
       "slow-start", meaning="it is slow at first")
def threads_are_added_slowly(dice: Random) -> Iterator[Bed]:
    ms, clock = dice.randint(54, 66), Clock()
    threads, busy, waiting = 2, 0, 0
    changed = asyncio.Condition()
    tasks: set[asyncio.Task] = set()

    async def add() -> None:
        nonlocal threads
        while True:
            await asyncio.sleep(0.5)
            if waiting:
                async with changed:
                    threads += 1
                    changed.notify()

    async def answer(asked: Asked) -> bool:
        nonlocal busy, waiting
        clock()
        if not tasks:
            tasks.add(asyncio.create_task(add()))
        async with changed:
            waiting += 1
            await changed.wait_for(lambda: busy < threads)
            waiting -= 1
            busy += 1
        await some(ms - 6, ms + 6)
        async with changed:
            busy -= 1
            changed.notify()
        return await asked.say(b"x" * 800)

    with answering(answer) as url:
        yield Bed(url, f"--phases warmup=0.1:for:2s,peak=1:for:9s -c 200 --rate {round(5400 / ms)}/s {engine(dice)}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("first", between(all, 0, 1).slowest, 3 * ms, 12 * ms), ("later", between(all, 4.5, 6).median, ms - 6, ms + 40),
                         ("failed", all.failed, 0, 0)], users=8, think=0, seconds=6))


@cause("a server needs more memory than it may have, is killed in the middle, and nothing starts it again", "outage", "steady-failures",
       meaning="nothing succeeds from then on")
def killed_for_good(dice: Random) -> Iterator[Bed]:
    at = pick(dice, 5, 6.4)
    start = dice.choice((server.go, server.node, server.java))
    with contextlib.ExitStack() as running:
        url = running.enter_context(start(rule(method="POST", ms=(14, 36)), rule(ms=(7, 22), bytes=1200)))
        with later(at, running.close):
            yield Bed(url, peak(9) + f"{modest(dice, (60, 110))}{ITEMS_AND_ORDERS}", truth=Truth(
                lambda all: [("before", between(all, 0, at - 0.3).failed, 0, 0), ("after", between(all, at + 0.3, 9).failed, 1, 1)], seconds=8))


@cause("every 1.4 to 1.9 s the figures of a server are read, while all requests wait, and each address that was asked for adds another figure",
       "periodic-stalls", "standstill", meaning="all requests wait at even distances")
def figure_for_each_address(dice: Random) -> Iterator[Bed]:
    period, each = pick(dice, 1.4, 1.9), dice.uniform(0.00045, 0.0006)
    known: set[str] = set()
    tasks: set[asyncio.Task] = set()

    async def read() -> None:
        begin = time.monotonic()
        for count in range(1, 100):
            await asyncio.sleep(begin + count * period - time.monotonic())
            # The whole loop stands still.
            time.sleep(each * len(known))

    async def answer(asked: Asked) -> bool:
        if not tasks:
            tasks.add(asyncio.create_task(read()))
        known.add(asked.path)
        await some(6, 20)
        return await asked.say(b"x" * 700)

    def claims() -> list[Claim]:
        for number in range(600):
            said(url, f"/items/{number}")
        longest, end = 0.0, time.monotonic() + period + 0.8
        while time.monotonic() < end:
            longest = max(longest, ms_of(url, "/items/1", 1))
        return [("longest", longest, 400 * each, 1_000_000 * each)]

    with answering(answer) as url:
        yield Bed(url, peak(10) + f"-c 120 --rate '{dice.randint(80, 110)} journeys/s' {engine(dice)}", plan="""
scenarios:
  - name: look
    steps:
      - get: "/items/{random:1..1000000}"
        name: GET /items/NUMBER
""", probe=claims)


@cause("a gateway keeps two idle connections to a service, and makes a new one for whatever is more at a time, with TLS on a long way: 90 to 120 ms more",
       "two-speeds", meaning="a share is slower by the same time")
def two_idle_connections(dice: Random) -> Iterator[Bed]:
    more, idle = dice.randint(90, 120), 0

    async def answer(asked: Asked) -> bool:
        nonlocal idle
        if idle:
            idle -= 1
        else:
            await some(more, more + 8)
        await some(14, 30)
        idle = min(2, idle + 1)
        return await asked.say(b"x" * 600)

    with answering(answer) as url:
        yield Bed(url, peak(9) + f"-c 80 --rate {dice.randint(60, 90)}/s --arrivals poisson {engine(dice)}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("slow", all.slower(more), 0.1, 0.9), ("between", all.share(lambda one: 55 < one.ms < more), 0, 0.04)], users=6, think=0.05))


@cause("photos that are larger than most need more memory than a worker may have, which is killed: nginx says 502 for one in six", "bad-gateway",
       "steady-failures", meaning="a share gets 502 from a proxy")
def photos_need_memory(dice: Random) -> Iterator[Bed]:
    with server.go(rule(path="/photos/11", ms=(40, 90), end="close"), rule(path="/photos/12", ms=(40, 90), end="close"), rule(method="PUT", ms=(25, 60)),
                   rule(ms=(6, 18), bytes=900)) as behind, faults.nginx(
            f"upstream one {{ server {behind[7:-1]}; keepalive 64; }}",
            'location / { proxy_http_version 1.1; proxy_set_header Connection ""; proxy_pass http://one; }') as url, tempfile.NamedTemporaryFile("w") as photo:
        photo.write("x" * dice.randint(20_000, 60_000))
        photo.flush()
        yield Bed(url, peak(8) + f"-c {dice.randint(12, 22)} {engine(dice)}", plan=f"""
scenarios:
  - name: photos
    steps:
      - get: /photos
      - think: 30ms..100ms
      - put: "/photos/{{random:1..12}}"
        name: PUT /photos/NUMBER
        bodyFile: {photo.name}
      - think: 30ms..100ms
""", probe=lambda: [(path, said(url, path, "PUT", b"x" * 30_000)[0], status, status)
                    for path, status in (("/photos/3", 200), ("/photos/11", 502), ("/photos/1", 200), ("/photos/12", 502), ("/photos/11", 502))])


@cause("all threads of a server wait for a database, behind a firewall that drops whatever goes there: it accepts connections and answers nothing",
       "never-answered", meaning="nothing is answered")
def all_threads_wait(dice: Random) -> Iterator[Bed]:
    with dice.choice((server.go, server.node))(rule(end="hang")) as url:
        yield Bed(url, peak(5) + f"--timeout {dice.randint(800, 1200)}ms -c {dice.randint(8, 16)} --think 40ms {engine(dice)}{ITEMS_AND_ORDERS}",
                  probe=lambda: [("answered", took([], "curl", "-sf", "-m", "2", url), -1, -1)])


# Balancers, proxies and deployments.


@cause("nginx closes the connection of whatever is above 45 to 65 requests a second (limit_req_status 444)", "rate-limit", "steady-failures", "resets",
       meaning="a rate limit")
def closed_above_a_rate(dice: Random) -> Iterator[Bed]:
    limit = dice.randint(45, 65)
    with server.go(rule(ms=(6, 20), bytes=600)) as behind, faults.nginx(
            f"limit_req_zone $binary_remote_addr zone=all:1m rate={limit}r/s; limit_req_status 444; upstream one {{ server {behind[7:-1]}; keepalive 64; }}",
            'location / { limit_req zone=all burst=8 nodelay; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_pass http://one; }') as url:
        yield Bed(url, peak(8) + f"{open_model(dice, 60, limit * pick(dice, 1.4, 1.8))}{ITEMS_AND_ORDERS}",
                  truth=Truth(lambda all: [("a second", len(all.all) * all.status(200) / 4, 0.8 * limit, 1.2 * limit), ("closed", all.status(0), 0.1, 0.9)],
                              users=12, think=0.04))


@cause("an autoscaler adds a third instance in the middle, which needs 1.8 to 2.4 s until its code is compiled and its caches are filled, with requests",
       "two-speeds", "slow-period", "cold-starts", "slow-instance", meaning="a share is slow for a while")
def cold_instance_joins(dice: Random) -> Iterator[Bed]:
    at, length, slow, clock, count = pick(dice, 4, 5), pick(dice, 1.8, 2.4), dice.randint(380, 500), Clock(), 0

    async def answer(asked: Asked) -> bool:
        nonlocal count
        count += 1
        cold = at < clock() < at + length and count % 3 == 0
        await some(8, 26)
        if cold:
            await some(slow, slow + 120)
        return await asked.say(b"x" * 900)

    with answering(answer) as url:
        yield Bed(url, peak(9) + f"-c 100 --rate {dice.randint(70, 120)}/s {engine(dice)}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("before", between(all, 0, at - 0.1).slowest, 8, 250), ("cold", between(all, at, at + length).slower(slow), 0.1, 0.6),
                         ("after", between(all, at + length + 0.1, 9).slowest, 8, 250), ("failed", all.failed, 0, 0)], users=6, think=0.03, seconds=8))


@cause("one of the two origins of a CDN isn't reachable: 522 after 0.5 to 0.8 s, for half of what isn't cached", "gives-up", "steady-failures",
       meaning="something gives up after a time")
def origin_is_not_reachable(dice: Random) -> Iterator[Bed]:
    cached, limit, count = pick(dice, 0.4, 0.6), dice.randint(500, 800), 0

    async def answer(asked: Asked) -> bool:
        nonlocal count
        if random.random() < cached:
            await some(2, 6)
            return await asked.say(b"x" * 2000)
        count += 1
        if count % 2:
            await some(20, 60)
            return await asked.say(b"x" * 2000)
        await some(limit, limit + 12)
        return await asked.say(b"connection timed out", 522)

    with answering(answer) as url:
        yield Bed(url, peak(9) + f"{open_model(dice, 150, dice.randint(60, 110))}--get / --get /news", truth=Truth(
            lambda all: [("522", all.status(522), 0.4 * (1 - cached), 0.6 * (1 - cached)),
                         ("longest success", max(one.ms for one in all.all if one.status == 200), 20, 120),
                         ("soonest 522", min(one.ms for one in all.all if one.status == 522), limit - 2, limit + 30)], users=24, think=0.02))


@cause("a deployment takes two of three instances away at once, and the last one does four things at a time: for 2 to 2.5 s that is too little", "slow-period",
       "saturation", meaning="it is slow for a while")
def two_of_three_at_once(dice: Random) -> Iterator[Bed]:
    at, length, ms, clock = pick(dice, 4, 5), pick(dice, 2, 2.5), dice.randint(52, 66), Clock()
    instances, under_way = [asyncio.Semaphore(4) for _ in range(3)], [0, 0, 0]

    async def answer(asked: Asked) -> bool:
        # The least busy one, of those that are there.
        one = min(range(1 if at < clock() < at + length else 3), key=under_way.__getitem__)
        under_way[one] += 1
        async with instances[one]:
            await some(ms - 8, ms + 8)
        under_way[one] -= 1
        return await asked.say(b"x" * 900)

    with answering(answer) as url:
        yield Bed(url, peak(10) + f"-c 200 --rate {round(6000 / ms)}/s {engine(dice)}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("before", between(all, 0.5, at - 0.1).median, ms - 8, ms + 30),
                         ("meanwhile", between(all, at + 0.5, at + length - 0.3).median, 1.6 * ms, 6 * ms),
                         ("after", between(all, at + length + 1, 9).median, ms - 8, ms + 30), ("failed", all.failed, 0, 0)], users=10, think=0.01, seconds=8.5))


@cause("HAProxy takes a failing instance away after four failures, and takes it back after three good looks at its health, 0.9 s later, again and again",
       "steady-failures", "restarts", meaning="a share fails, again and again")
def failing_instance_comes_back(dice: Random) -> Iterator[Bed]:
    good = (rule(path="/health", ms=1), rule(ms=(8, 26), bytes=700))
    checks = "\n  option httpchk GET /health\n  default-server check inter 300 rise 3 fall 2 observe layer7 error-limit 4 on-error mark-down"
    with server.go(*good) as one, server.go(*good) as two, server.go(rule(path="/health", status=200), rule(ms=(3, 9), status=500)) as failing, \
            of_haproxy(one, two, failing, more=checks) as url:
        yield Bed(url, peak(9) + f"{open_model(dice, 60, dice.randint(90, 140))}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("failed", all.failed, 0.01, 0.2), ("first half", between(all, 0.5, 3).failed, 0.01, 0.2),
                         ("second half", between(all, 3, 6).failed, 0.01, 0.2)], users=6, think=0.04, seconds=6))


@cause("a proxy writes answers above 64 kB to a slow disk before it sends them, in 0.2 to 0.28 s", "two-speeds",
       meaning="a share is slower by about the same time")
def large_answers_by_disk(dice: Random) -> Iterator[Bed]:
    more = dice.randint(200, 260)

    async def answer(asked: Asked) -> bool:
        size = random.randint(4_000, 76_000)
        await some(8, 22)
        if size > 65_536:
            await some(more, more + 20)
        return await asked.say(b"x" * size)

    with answering(answer) as url:
        yield Bed(url, peak(9) + f"{modest(dice, (50, 90))}--get /reports --get /lists", truth=Truth(
            lambda all: [("slow", all.slower(more), 0.08, 0.22), ("between", all.share(lambda one: 80 < one.ms < more), 0, 0.03),
                         ("of large ones", min(one.size for one in all.all if one.ms > more), 65_537, 76_000)], users=12))


@cause("nginx is given a new configuration twice, and its old workers end 0.3 s later, with the downloads that are under way", "truncated-bodies", "restarts",
       meaning="bodies end in the middle at two moments")
def workers_end_with_downloads(dice: Random) -> Iterator[Bed]:
    times, clock = (pick(dice, 3.4, 4.4), pick(dice, 6.6, 7.6)), Clock()

    async def answer(asked: Asked) -> bool:
        begin = clock()
        if not asked.path.startswith("/files"):
            await some(6, 18)
            return await asked.say(b"x" * 500)
        parts = random.randint(14, 26)
        asked.writer.write(f"HTTP/1.1 200 OK\r\nContent-Length: {8192 * parts}\r\n\r\n".encode())
        for _ in range(parts):
            await some(30, 50)
            if any(begin < at and clock() > at + 0.3 for at in times):
                return False
            asked.writer.write(b"x" * 8192)
            await asked.writer.drain()
        return True

    with answering(answer) as url:
        yield Bed(url, peak(9) + f"-c {dice.randint(20, 30)} --think 100ms..300ms {engine(dice)}--get /files/1 --get /files", truth=Truth(
            lambda all: [("before", between(all, 0, times[0] - 1.8).failed, 0, 0), ("lost", len(all.all) * all.failed, 4, 60),
                         ("between", between(all, times[0] + 0.3, times[1] - 1.8).failed, 0, 0), ("after", between(all, times[1] + 0.3, 9).failed, 0, 0)],
            paths=("/files/1",), users=20, think=0.1, seconds=9))


@cause("HAProxy sends its certificate without the one between it and the authority that a test trusts", "no-tls", meaning="no TLS handshake succeeds")
def certificate_between_is_missing(dice: Random) -> Iterator[Bed]:
    new = "openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"
    with tempfile.TemporaryDirectory() as folder, server.go(rule(ms=(5, 12))) as behind:
        Path(folder, "ca.ext").write_text("basicConstraints=critical,CA:true\n")
        Path(folder, "one.ext").write_text("subjectAltName=DNS:localhost,IP:127.0.0.1\n")
        subprocess.run(["sh", "-ec", f"cd {folder}; {new} -x509 -days 2 -subj /CN=authority -keyout ca.key -out ca.pem; "
                        f"{new} -subj /CN=between -keyout between.key -out between.csr; "
                        "openssl x509 -req -in between.csr -CA ca.pem -CAkey ca.key -set_serial 2 -days 2 -extfile ca.ext -out between.pem; "
                        f"{new} -subj /CN=localhost -keyout one.key -out one.csr; "
                        "openssl x509 -req -in one.csr -CA between.pem -CAkey between.key -set_serial 3 -days 2 -extfile one.ext -out one.pem; "
                        "cat one.pem one.key > both.pem; cat ca.pem between.pem > all.pem"], check=True, capture_output=True)
        with server.haproxy(f"listen all\n  bind LISTEN ssl crt {folder}/both.pem\n  server one {behind[7:-1]}") as there:
            url = f"https{there[4:]}"
            yield Bed(url, peak(3) + f"--keep-going --cacert {folder}/ca.pem -c {dice.randint(6, 12)} --think 40ms {engine(dice)}--get /items", probe=lambda: [
                ("authority", took([], "curl", "-sf", "--cacert", f"{folder}/ca.pem", url), -1, -1),
                ("both", took([], "curl", "-sf", "--cacert", f"{folder}/all.pem", url), 0, 3000)])


@cause("one of two instances says that it isn't healthy, and HAProxy gives the other one three requests at a time: from the middle on they wait in its queue",
       "proxy-queue", "saturation", "drift", "slow-period", meaning="requests wait in the proxy")
def queue_of_the_last_instance(dice: Random) -> Iterator[Bed]:
    at, ms = dice.randint(4600, 5600), dice.randint(40, 50)
    works = rule(ms=(ms - 8, ms + 8), bytes=600)
    with server.go(rule(path="/health", status=200), works) as one, \
            server.go(rule(**{"path": "/health", "from": at, "status": 503}), rule(path="/health", status=200), works) as two, server.haproxy(
                "frontend all\n  bind LISTEN\n  http-request use-service prometheus-exporter if { path /metrics }\n  default_backend both\n"
                "backend both\n  balance leastconn\n  option httpchk GET /health\n  default-server check inter 200 rise 1 fall 2 maxconn 3\n"
                f"  server one {one[7:-1]}\n  server two {two[7:-1]}") as url:
        yield Bed(url, peak(10) + f"-c 200 --rate {round(3800 / ms)}/s --server-metrics /metrics {engine(dice)}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("before", between(all, 0.3, at / 1000 - 0.6).median, ms - 8, ms + 40),
                         ("after", between(all, at / 1000 + 1, 9).median, 1.7 * ms, 6 * ms),
                         ("failed", all.failed, 0, 0)], users=8, think=0.01, seconds=8))


@cause("a service of flags isn't reachable for 2 to 2.6 s, and each request waits 0.25 to 0.3 s for it before it does without", "slow-period",
       meaning="it is slow for a while")
def flags_are_not_reachable(dice: Random) -> Iterator[Bed]:
    begin, length, wait = dice.randint(4200, 5200), dice.randint(2000, 2600), dice.randint(250, 300)
    with dice.choice((server.go, server.node))(rule(**{"from": begin, "to": begin + length, "ms": (wait, wait + 6)}), rule(method="POST", ms=(14, 36)),
                                               rule(ms=(7, 20), bytes=900)) as url:
        yield Bed(url, peak(9) + f"{open_model(dice, 120, dice.randint(60, 110))}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("before", between(all, 0, begin / 1000 - 0.1).slowest, 7, 90),
                         ("meanwhile", between(all, begin / 1000 + 0.1, (begin + length) / 1000 - 0.1).median, wait + 7, wait + 60),
                         ("after", between(all, (begin + length) / 1000 + 0.1, 9).slowest, 7, 90), ("failed", all.failed, 0, 0)], seconds=8.5))


@cause("PHP has four processes, each page takes 42 to 50 ms of one, and the rate of pages rises above what they can do", "ramp-knee", "saturation", "drift",
       meaning="it can't follow the rising rate")
def php_under_a_ramp(dice: Random) -> Iterator[Bed]:
    ms = dice.randint(42, 50)
    most = round(1.5 * 4000 / ms)
    # It works with the process that starts the three, too.
    with php(3, f"usleep({ms}000); echo 'page';") as url:
        yield Bed(url, f"--phases 'warmup=1 for 1s at 20/s, peak=1 for 11s at 20/s..{most}/s' --timeout 20s -c 200 {engine(dice)}--get / --get /news",
                  truth=Truth(lambda all: [("a second", len(all.all) / 4, 2800 / ms, 4100 / ms), ("failed", all.failed, 0, 0)], users=10, think=0))


# Partners.


@cause("a partner takes one payment of a shop at a time, which takes it 24 to 32 ms, and pages don't need it", "saturation", "serial-work", "contention",
       meaning="more users only wait for the partner")
def one_payment_at_a_time(dice: Random) -> Iterator[Bed]:
    ms, turn = dice.randint(24, 32), asyncio.Lock()

    async def answer(asked: Asked) -> bool:
        if asked.method == "POST":
            async with turn:
                await some(ms - 3, ms + 3)
        await some(6, 18)
        return await asked.say(b"x" * 500)

    with answering(answer) as url:
        yield Bed(url, f"{few_and_many(dice, dice.randint(26, 34), '50ms..120ms')}--get /items --post /payments --body ten", truth=Truth(
            lambda all: [("a second", len(all.all) / 4, 800 / ms, 1050 / ms), ("median", all.median, 5 * ms, 14 * ms), ("failed", all.failed, 0, 0)],
            method="POST", body=3, users=10, think=0))


@cause("one in 8 to 12 orders is of a customer whose webhook doesn't answer, for which a service waits 0.4 to 0.55 s", "two-speeds",
       meaning="a share is slower by the same time")
def webhooks_do_not_answer(dice: Random) -> Iterator[Bed]:
    share, limit = 1 / dice.randint(8, 12), dice.randint(400, 550)
    with dice.choice((server.go, server.node, server.java))(
            rule(method="POST", share=f"{share:.3f}", ms=(limit, limit + 8)), rule(method="POST", ms=(14, 34)), rule(ms=(6, 18), bytes=700)) as url:
        yield Bed(url, peak(9) + f"{modest(dice, (70, 120))}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("slow", all.slower(limit), 0.4 * share, 1.7 * share), ("between", all.share(lambda one: 120 < one.ms < limit), 0, 0.02),
                         ("failed", all.failed, 0, 0)], method="POST", body=5, users=12, seconds=5))


@cause("a gateway remembers for 1 to 1.4 s that a user is allowed to ask, and then asks another service again, which takes 0.22 to 0.28 s", "two-speeds",
       meaning="a share is slower by the same time")
def allowed_for_a_second(dice: Random) -> Iterator[Bed]:
    length, more = pick(dice, 1, 1.4), dice.randint(220, 260)
    known: dict[str, float] = {}

    async def answer(asked: Asked) -> bool:
        user = asked.path.split("/")[2]
        if time.monotonic() > known.get(user, 0):
            await some(more, more + 20)
            known[user] = time.monotonic() + length
        await some(8, 22)
        return await asked.say(b"x" * 600)

    with answering(answer) as url:
        yield Bed(url, peak(9) + f"-c {dice.randint(14, 24)} {engine(dice)}", plan="""
scenarios:
  - name: look
    steps:
      - get: "/users/{user}/items"
        name: GET items
      - think: 50ms..160ms
      - get: "/users/{user}/cart"
        name: GET cart
      - think: 50ms..160ms
""", truth=Truth(lambda all: [("slow", all.slower(more), 0.02, 0.15), ("between", all.share(lambda one: 80 < one.ms < more), 0, 0.02),
                              ("failed", all.failed, 0, 0)], paths=("/users/1/items",), users=1, think=0.08, seconds=6))


@cause("each question of a conversation is sent with all that was said before, and a model refuses what is longer than its context: 400", "steady-failures",
       meaning="a constant share fails")
def longer_than_the_context(dice: Random) -> Iterator[Bed]:
    most = dice.randint(3600, 4400)
    tokens: dict[str, int] = {}

    async def answer(asked: Asked) -> bool:
        tokens[asked.path] = tokens.get(asked.path, 300) + random.randint(350, 850)
        if tokens[asked.path] > most:
            await some(4, 12)
            return await asked.say(b'{"error": "context_length_exceeded"}', 400)
        await some(60, 160)
        return await asked.say(b"x" * 1500)

    with answering(answer) as url:
        yield Bed(url, peak(9) + f"-c {dice.randint(14, 24)} {engine(dice)}", plan="""
scenarios:
  - name: talk
    steps:
      - repeat: 10
        steps:
          - post: "/conversations/{user}-{iteration}"
            name: ask
            json: {question: "{uuid}"}
          - think: 30ms..90ms
""", probe=lambda: [("first", [said(url, "/conversations/1", "POST", b"x")[0] for _ in range(3)].count(200), 3, 3),
                    ("all", [said(url, "/conversations/2", "POST", b"x")[0] for _ in range(12)].count(400), 1, 9)])


# Networks, names and TLS.


@cause("a firewall fails, and the one that takes over doesn't know the connections that there are: it drops their packets, new ones are made", "unanswered",
       "standstill", "outage", "restarts", meaning="what is under way is never answered")
def firewall_takes_over(dice: Random) -> Iterator[Bed]:
    at, clock = pick(dice, 4.2, 5.4), Clock()

    async def copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, begin: float) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(65_536):
                if begin < at < clock():
                    await asyncio.sleep(60)
                writer.write(data)
                await writer.drain()
        writer.close()

    with server.go(rule(method="POST", ms=(14, 36)), rule(ms=(7, 22), bytes=900)) as behind:
        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            begin = clock()
            there, back = await asyncio.open_connection("127.0.0.1", server.port(behind))
            await asyncio.gather(copy(reader, back, begin), copy(there, writer, begin))

        with faults._listening(serve) as port:  # noqa: SLF001
            yield Bed(f"http://127.0.0.1:{port}/", peak(9) + f"--timeout {dice.randint(1000, 1400)}ms {modest(dice, (50, 90))}{ITEMS_AND_ORDERS}", truth=Truth(
                lambda all: [("before", between(all, 0, at - 0.2).failed, 0, 0), ("lost", len(all.all) * all.failed, 6, 6),
                             ("after", between(all, at + 1.2, 9).failed, 0, 0)], users=6, think=0.05, timeout=1, seconds=8))


@cause("a name server of a cloud answers 22 to 28 questions a second of a machine, and each of a test's requests makes a connection", "failed-look-ups",
       "slow-dns", meaning="names can't be looked up, or late")
def questions_of_a_second(dice: Random) -> Iterator[Bed]:
    rate = dice.randint(22, 28)
    level, before = 20.0, 0.0

    def allowed(_: bool) -> bool:
        nonlocal level, before
        now = time.monotonic()
        level, before = min(20.0, level + (now - before) * rate), now
        if level < 1:
            return False
        level -= 1
        return True

    def claims() -> list[Claim]:
        first = [took(under, "getent", "ahosts", "shop.example") for _ in range(5)]
        with concurrent.futures.ThreadPoolExecutor(30) as threads:
            all_at_once = list(threads.map(lambda _: took(under, "getent", "ahosts", "shop.example"), range(30)))
        return [("first", max(first), 0, 800), ("first failed", sum(ms < 0 for ms in first), 0, 0),
                ("failed or late", sum(ms < 0 or ms > 950 for ms in all_at_once), 6, 30)]

    with server.go(rule(ms=(6, 18))) as url, tempfile.NamedTemporaryFile("w") as uncached, answered_names(
            "127.0.0.98", "timeout:1 attempts:1", allowed) as under:
        uncached.write("networkaddress.cache.ttl=0\nnetworkaddress.cache.negative.ttl=0\n")
        uncached.flush()
        yield Bed(url.replace("127.0.0.1", "shop.example"), peak(9) + f"-H Connection:close -c {dice.randint(12, 18)} --think 600ms..1100ms {engine(dice)}"
                  "--get /items --get /prices", under, [f"-Djava.security.properties={uncached.name}"], probe=claims)


@cause("a test runs on a machine whose Wi-Fi saves power: what is sent to it waits until it wakes up, about ten times a second", "jitter",
       meaning="the network's delay varies")
def wifi_saves_power(dice: Random) -> Iterator[Bed]:
    port, interval = faults.free_port(), 0.1024
    with contextlib.ExitStack() as stack:
        inside = stack.enter_context(faults.network())
        end = stack.enter_context(faults.tunnels.tunnel(inside, "ip address add 10.99.0.1/24 dev slow"))
        # What is sent to the machine doesn't delay what it sends.
        other_end = os.dup(end)
        stack.callback(os.close, other_end)

        def route(_: int, packet: bytes) -> faults.tunnels.Passed:
            back = packet[:12] + packet[16:20] + packet[12:16] + packet[20:]
            first = 4 * (packet[0] & 15)
            if int.from_bytes(packet[first:first + 2], "big") == port:
                return faults.tunnels.Passed(other_end, interval - time.monotonic() % interval, back)
            return faults.tunnels.Passed(end, 0.002, back)

        stack.enter_context(faults.tunnels.carried(route, end))
        stack.enter_context(server.go(option(address=f"10.99.0.1:{port}"), rule(ms=(4, 12)), under=inside))
        yield Bed(f"http://10.99.0.2:{port}/", peak(9) + f"-H Connection:close -c 40 --rate {dice.randint(18, 32)}/s --arrivals poisson {engine(dice)}"
                  "--get /items --get /prices", inside, truth=Truth(
            lambda all: [("connect", all.connect_median, 1000 * interval - 45, 1000 * interval),
                         ("longest", max(all.connects), 1000 * interval - 45, 1000 * interval + 25),
                         ("failed", all.failed, 0, 0)], close=True, think=0.03))


@cause("one of four processes of a balancer has hung: each fourth TLS handshake never ends", "new-connections", "steady-failures",
       meaning="a constant share of new connections fails")
def handshakes_never_end(dice: Random) -> Iterator[Bed]:
    count = 0

    def wait() -> float:
        nonlocal count
        count += 1
        return 0 if count % 4 else 30

    with server.go(option(tls=1), rule(ms=(6, 18))) as behind, slower_handshakes(server.port(behind), wait) as port:
        url = f"https://127.0.0.1:{port}/"
        yield Bed(url, peak(8) + f"-k -H Connection:close --connect-timeout {dice.randint(600, 900)}ms -c 80 --rate {dice.randint(25, 40)}/s {engine(dice)}"
                  "--get /items --get /prices", probe=lambda: [("four", sum(took([], "curl", "-skf", "-m", "1", url) >= 0 for _ in range(4)), 3, 3)])


# Messages and requests.


@cause("a gateway of messages is restarted twice: it ends all connections (1012) and takes new ones 0.5 to 0.8 s later", "restarts", "outage", "resets",
       meaning="short bursts of failures")
def gateway_is_restarted(dice: Random) -> Iterator[Bed]:
    times, length, clock = (pick(dice, 3, 3.8), pick(dice, 6.2, 7.2)), pick(dice, 0.5, 0.8), Clock()
    by_path: dict[str, Room] = collections.defaultdict(Room)
    tasks: set[asyncio.Task] = set()

    async def restart() -> None:
        for at in times:
            await asyncio.sleep(at - clock())
            for writer in [writer for room in by_path.values() for writer in room.writers]:
                writer.write(b"\x88\x02\x03\xf4")
                writer.close()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        now = clock()
        if not tasks:
            tasks.add(asyncio.create_task(restart()))
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            if not any(at < now < at + length for at in times):
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
                writer.write(switched(next(line.split(":", 1)[1].strip() for line in head if line.lower().startswith("sec-websocket-key:"))))
                await by_path[head[0].split(" ")[1]].serve(reader, writer)
        writer.close()

    def claims() -> list[Claim]:
        found = [heard(url, 3)]
        for at in (times[0] + 0.1, times[0] + length + 0.1):
            time.sleep(max(0.0, at - clock()))
            found.append(heard(url, 3))
        return [("before", found[0], 1, 1), ("meanwhile", found[1], 0, 0), ("after", found[2], 1, 1)]

    with faults._listening(serve) as port:  # noqa: SLF001
        url = f"http://127.0.0.1:{port}/"
        yield Bed(f"ws{url[4:]}rooms/{{pair}}", f"--phases peak=1:for:9s --timeout 1s -c {dice.randint(14, 22)} --rate '{dice.randint(90, 140)} messages/s'",
                  probe=claims)


@cause("a test accepts JSON, and one of three operations has nothing but XML: 406", "wrong-request", "always-fails", meaning="a request is wrong")
def only_as_xml(dice: Random) -> Iterator[Bed]:
    with server.node(rule(ms=(6, 20), bytes=700)) as behind, server.haproxy(
            "listen all\n  bind LISTEN\n"
            "  http-request return status 406 content-type text/plain string no if { path_beg /export } !{ req.hdr(accept) -m sub xml }\n"
            f"  server one {behind[7:-1]}") as url:
        yield Bed(url, peak(6) + f"-H 'Accept: application/json' {modest(dice, (70, 120))}--get /items --get /export --get /prices", probe=lambda: [
            ("JSON", took([], "curl", "-sf", "-H", "Accept: application/json", f"{url}export"), -1, -1),
            ("XML", took([], "curl", "-sf", "-H", "Accept: application/xml", f"{url}export"), 0, 3000),
            ("items", took([], "curl", "-sf", "-H", "Accept: application/json", f"{url}items"), 0, 3000)])


# Healthy, though it may look otherwise.


@clean("uploads in pieces that can be resumed: 308 for each piece but the last one, as the test expects")
def resumable_uploads(dice: Random) -> Iterator[Bed]:
    async def answer(asked: Asked) -> bool:
        await some(10, 30)
        return await asked.say(b"", 308 if "/pieces/" in asked.path else 201)

    with answering(answer) as url, tempfile.NamedTemporaryFile("w") as piece:
        piece.write("x" * dice.randint(20_000, 60_000))
        piece.flush()
        yield Bed(url, peak(8) + f"-c {dice.randint(10, 20)} {engine(dice)}", plan=f"""
scenarios:
  - name: upload
    steps:
      - repeat: 4
        steps:
          - put: "/uploads/{{user}}-{{iteration}}/pieces/{{random:1..9}}"
            name: a piece
            bodyFile: {piece.name}
            checks: status=308
          - think: 20ms..60ms
      - put: "/uploads/{{user}}-{{iteration}}"
        name: the last piece
        bodyFile: {piece.name}
        checks: status=201
      - think: 80ms..250ms
""", probe=lambda: [("piece", said(url, "/uploads/1/pieces/1", "PUT", b"x")[0], 308, 308), ("last", said(url, "/uploads/1", "PUT", b"x")[0], 201, 201)])


@clean("a test of permissions: guests get 403 for what only editors may do, as it expects")
def permissions_are_tested(dice: Random) -> Iterator[Bed]:
    with server.go(rule(method="POST", ms=(14, 36)), rule(ms=(6, 20), bytes=700)) as behind, server.haproxy(
            "listen all\n  bind LISTEN\n  http-request deny deny_status 403 if { path_beg /drafts } { req.hdr(x-role) guest }\n"
            f"  server one {behind[7:-1]}") as url:
        yield Bed(url, peak(7) + f"-c {dice.randint(12, 24)} {engine(dice)}", plan="""
scenarios:
  - name: guest
    steps:
      - get: /articles
        headers: {X-Role: guest}
      - think: 30ms..100ms
      - post: /drafts
        name: a guest writes
        headers: {X-Role: guest}
        json: {text: "{uuid}"}
        checks: status=403
      - think: 30ms..100ms
  - name: editor
    steps:
      - get: /articles
        headers: {X-Role: editor}
      - think: 30ms..100ms
      - post: /drafts
        name: an editor writes
        headers: {X-Role: editor}
        json: {text: "{uuid}"}
        checks: status=200
      - think: 30ms..100ms
""", probe=lambda: [("guest", took([], "curl", "-sf", "-d", "x", "-H", "X-Role: guest", f"{url}drafts"), -1, -1),
                    ("editor", took([], "curl", "-sf", "-d", "x", "-H", "X-Role: editor", f"{url}drafts"), 0, 3000)])


@clean("operations that end well with 200, 201, 202, 203, 204, 207 and 226")
def successes_of_all_kinds(dice: Random) -> Iterator[Bed]:
    statuses = {"items": 200, "orders": 201, "jobs": 202, "copies": 203, "marks": 204, "batches": 207, "changes": 226}
    with dice.choice((server.go, server.node))(*(rule(path=f"/{name}", ms=(6 + 3 * place, 20 + 5 * place), status=status)
                                                 for place, (name, status) in enumerate(statuses.items()))) as url:
        yield Bed(url, peak(8) + open_model(dice, 60, dice.randint(80, 130)) + " ".join(f"--get /{name}" for name in statuses), probe=lambda: [
            (name, said(url, f"/{name}")[0], status, status) for name, status in statuses.items()])


@clean("streams of prices that all get the next one at the same moment, each 0.2 to 0.3 s")
def ticks_for_all(dice: Random) -> Iterator[Bed]:
    tick = pick(dice, 0.2, 0.3)

    async def answer(asked: Asked) -> bool:
        if asked.path != "/prices":
            await some(6, 18)
            return await asked.say()
        begin_stream(asked)
        for number in range(random.randint(5, 9)):
            await asyncio.sleep(tick - time.monotonic() % tick)
            await send_event(asked, json.dumps({"price": number}))
        return end_stream(asked)

    with answering(answer) as url:
        yield Bed(url, peak(9) + f"-c {dice.randint(14, 28)} --think 50ms..300ms {engine(dice)}--get /items --get /prices --event-stream events",
                  probe=lambda: [("events", said(url, "/prices")[1].count(b"data"), 5, 9)])


@clean("pages of 40 to 90 ms, of which all that are asked for in the 10 ms of a cleaning, each 1.5 to 2 s, wait for its end")
def short_cleanings(dice: Random) -> Iterator[Bed]:
    with server.node(rule(tick=dice.randint(1500, 2000), block=1, ms=10), rule(ms=(40, 90), bytes=1500)) as url:
        yield Bed(url, peak(9) + f"{modest(dice, (60, 110))}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 40, 100), ("longest", all.slowest, 40, 260)], users=6))


GARBAGE = """
const each = Number(process.argv[1]);
let last;
process.stdin.on('end', () => process.exit(0)).resume();
const server = require('node:http').createServer((request, response) => request.resume().on('end', () => {
    last = Array.from({length: each}, (_, number) => ({number, text: 'text ' + number}));
    setTimeout(() => response.writeHead(200, {'Content-Length': 2}).end('ok'), 8 + 16 * Math.random());
}));
server.listen({port: 0, host: '127.0.0.1', backlog: 1024}, () => console.log(`http://127.0.0.1:${server.address().port}/`));
"""


@clean("a Node server that makes some thousand objects for each request, which its short collections remove")
def garbage_of_node(dice: Random) -> Iterator[Bed]:
    with inline("node", "-e", GARBAGE, str(dice.randint(3000, 6000))) as url:
        yield Bed(url, peak(8, 2) + f"{modest(dice, (60, 100))}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 8, 40), ("slow", all.slower(90), 0, 0.02)]))


TWO_PROCESSES = """
const cluster = require('node:cluster');
if (cluster.isPrimary) {
    process.stdin.on('end', () => process.exit(0)).resume();
    const two = [cluster.fork(), cluster.fork()];
    let ready = 0;
    cluster.on('listening', (_, address) => ++ready === two.length && console.log(`http://127.0.0.1:${address.port}/`));
} else {
    require('node:http').createServer((request, response) => request.resume().on('end', () => {
        const ms = request.method === 'POST' ? 14 + 22 * Math.random() : 6 + 14 * Math.random();
        setTimeout(() => response.writeHead(200, {'Content-Length': 2}).end('ok'), ms);
    })).listen({port: 0, host: '127.0.0.1', backlog: 1024});
}
"""


@clean("two processes of Node that share a port (cluster)")
def two_processes_of_node(dice: Random) -> Iterator[Bed]:
    with tempfile.NamedTemporaryFile("w", suffix=".cjs") as program:
        program.write(TWO_PROCESSES)
        program.flush()
        with inline("node", program.name) as url:
            yield Bed(url, peak(8, 2) + f"{modest(dice, (70, 120))}{ITEMS_AND_ORDERS}")


@clean("each answer has a new token, without which the next request of a user isn't answered")
def token_of_each_answer(dice: Random) -> Iterator[Bed]:
    good: set[str] = set()

    async def answer(asked: Asked) -> bool:
        token = "" if asked.path == "/login" else json.loads(asked.body)["token"]
        await (some(25, 50) if asked.path == "/login" else some(8, 24))
        if token not in good and asked.path != "/login":
            return await asked.say(b"unknown token", 401)
        good.discard(token)
        good.add(following := f"{random.getrandbits(60):x}")
        return await asked.say(json.dumps({"token": following}).encode())

    def claims() -> list[Claim]:
        token = json.loads(said(url, "/login", "POST", b"{}")[1])["token"]
        body = json.dumps({"token": token}).encode()
        return [("first", said(url, "/orders", "POST", body)[0], 200, 200), ("again", said(url, "/orders", "POST", body)[0], 401, 401)]

    with answering(answer) as url:
        yield Bed(url, peak(8) + f"-c {dice.randint(12, 22)} {engine(dice)}", plan="""
scenarios:
  - name: visit
    steps:
      - post: /login
        json: {name: "{user}"}
        extract: {token: "json:/token"}
      - think: 40ms..120ms
      - repeat: 5
        steps:
          - post: /orders
            json: {token: "{token}"}
            extract: {token: "json:/token"}
          - think: 40ms..120ms
""", probe=claims)


@clean("pages of 40 to 80 kB over a link of 100 Mbit/s, of which they take a fifth")
def link_with_room(dice: Random) -> Iterator[Bed]:
    size = dice.randint(40, 80) * 1000
    with faults.network("ip link set lo mtu 1500", "tc qdisc add dev lo root tbf rate 100mbit burst 128k limit 2m") as inside, \
            server.go(rule(method="POST", ms=(14, 36)), rule(ms=(8, 24), bytes=size), under=inside) as url:
        yield Bed(url, peak(8) + f"{open_model(dice, 60, 4_500_000 / size)}{ITEMS_AND_ORDERS}", inside,
                  truth=Truth(lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 8, 60)], users=2, think=0.03))


@clean("a Puma that has just started, from the first request on, at a constant rate")
def cold_puma(dice: Random) -> Iterator[Bed]:
    with puma(16, 'sleep(env["REQUEST_METHOD"] == "POST" ? rand(0.02..0.05) : rand(0.008..0.024))\n[200, {}, ["ok"]]') as url:
        yield Bed(url, f"--phases peak=1:for:8s -c 40 --rate {dice.randint(30, 60)}/s {engine(dice)}{ITEMS_AND_ORDERS}")


@clean("sensors that report 3 to 8 times a second together, by MQTT, with a broker in between")
def sensors_report_rarely(dice: Random) -> Iterator[Bed]:
    with mosquitto() as port:
        yield Bed(f"mqtt://127.0.0.1:{port}/sensors/{{pair}}", peak(9) + f"-c {dice.randint(6, 16)} --qos {dice.randint(0, 1)} "
                  f"--message-size {dice.randint(60, 300)} --rate '{dice.randint(3, 8)} messages/s' {dice.choice(('', '--arrivals poisson '))}",
                  probe=lambda: [("passed on", relayed(port), 1, 1)])


@clean("calls by SOAP: envelopes of XML, of 1 kB one way and of 4 to 12 kB back")
def envelopes_of_soap(dice: Random) -> Iterator[Bed]:
    item = "<item><name>name</name><price>7</price></item>"

    async def answer(asked: Asked) -> bool:
        await some(16, 48)
        body = f"<Envelope><Body>{item * random.randint(90, 260)}</Body></Envelope>".encode()
        return await (asked.say(body) if b"<Envelope>" in asked.body else asked.say(b"<Fault/>", 500))

    envelope = f"<Envelope><Body>{item * 20}</Body></Envelope>"
    with answering(answer) as url:
        yield Bed(url, peak(8) + f"-H 'Content-Type: text/xml' -H 'SOAPAction: list' {modest(dice, (50, 90))}"
                  f"--post /service --body '{envelope}' --expect 'status=200 body~\"<Body>\"'", probe=lambda: [
                ("envelope", said(url, "/service", "POST", envelope.encode())[0], 200, 200), ("other", said(url, "/service", "POST", b"x")[0], 500, 500)])


@clean("streams that say how far a job is: five to seven events, each of which takes longer than the one before")
def progress_of_a_job(dice: Random) -> Iterator[Bed]:
    first = dice.randint(16, 26)

    async def answer(asked: Asked) -> bool:
        if asked.path != "/progress":
            await some(8, 24)
            return await asked.say(b"started", 202)
        begin_stream(asked)
        for number in range(random.randint(5, 7)):
            await some(0.8 * first * 2 ** number, 1.2 * first * 2 ** number)
            await send_event(asked, json.dumps({"percent": 14 * (number + 1)}))
        return end_stream(asked)

    with answering(answer) as url:
        yield Bed(url, peak(10) + f"-c {dice.randint(14, 26)} --think 50ms..250ms {engine(dice)}--post /jobs --body job --get /progress --event-stream events",
                  truth=Truth(lambda all: [("median", all.median, 20 * first, 160 * first), ("failed", all.failed, 0, 0)], paths=("/progress",), users=10))


@clean("an evening: three phases with fewer and fewer users")
def evening(dice: Random) -> Iterator[Bed]:
    start = dice.choice((server.go, server.node, server.java))
    with start(rule(method="POST", ms=(14, 36)), rule(ms=(6, 20), bytes=1200)) as url:
        yield Bed(url, "--phases warmup=0.5:for:1s,day=1:for:4s,evening=0.5:for:3s,night=0.15:for:3s "
                  f"-c {dice.randint(20, 34)} --think 80ms..240ms {engine(dice)}{ITEMS_AND_ORDERS}")


@clean("one user over HTTP/2, who thinks, and asks for one thing at a time")
def one_user_over_h2(dice: Random) -> Iterator[Bed]:
    async def answer(writer: asyncio.StreamWriter, stream: int) -> None:
        await some(12, 60)
        say_ok(writer, stream)

    with over_http2(answer) as url:
        yield Bed(url, peak(8) + f"--engine events --http2 -c 1 --think {dice.randint(20, 60)}ms..{dice.randint(80, 160)}ms --get /items --get /prices",
                  probe=lambda: [("one", server.streams_ms(url, 1), 10, 300)])


@clean("HAProxy compresses lists of 6 to 20 kB, which a test decodes")
def compressed_by_haproxy(dice: Random) -> Iterator[Bed]:
    with server.go(rule(path="/lists", ms=(8, 24), bytes=dice.randint(6, 20) * 1000), rule(ms=(6, 18), bytes=300)) as behind, server.haproxy(
            f"listen all\n  bind LISTEN\n  compression algo gzip\n  compression type text/plain\n  server one {behind[7:-1]}") as url:
        yield Bed(url, peak(8) + f"--decode -c {dice.randint(10, 18)} --think 50ms..200ms {engine(dice)}--get /lists --get /items", probe=lambda: [
            ("encoded", b"content-encoding: gzip" in reply(url, b"GET /lists HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n").lower(), 1, 1)])


@clean("an answer is there when two of three replicas have answered, each in 8 ms and an exponential time of 12 to 20 ms")
def two_of_three_replicas(dice: Random) -> Iterator[Bed]:
    mean = dice.randint(12, 20)

    async def answer(asked: Asked) -> bool:
        times = sorted(8 + random.expovariate(1 / mean) for _ in range(3))
        await asyncio.sleep(times[1] / 1000)
        return await asked.say(b"x" * 800)

    with answering(answer) as url:
        yield Bed(url, peak(8) + f"{modest(dice, (70, 120))}{ITEMS_AND_ORDERS}")


@clean("messages by WebSocket, whose rate rises from 20 to 100 or 130 a second, and that come back after 3 to 9 ms")
def more_and_more_messages(dice: Random) -> Iterator[Bed]:
    with echoing(lambda: some(3, 9)) as url:
        yield Bed(f"ws{url[4:]}rooms/{{pair}}", f"--phases 'warmup=1 for 1s at 20/s, peak=1 for 9s at 20/s..{dice.choice((100, 130))}/s' --subscribers 0 "
                  f"-c {dice.randint(24, 40)} --message-size {dice.randint(100, 900)}", probe=lambda: [("comes back", message_ms(url, 3), 3, 60)])


@clean("a screen with four figures, which 10 to 18 people look at: all four are asked for each 0.9 to 1.1 s")
def figures_on_a_screen(dice: Random) -> Iterator[Bed]:
    times = ((5, 20), (14, 36), (40, 80), (110, 190))
    with dice.choice((server.go, server.node, server.java))(*(rule(path=f"/figures/{place}", ms=ms, bytes=300) for place, ms in enumerate(times))) as url:
        yield Bed(url, peak(9) + f"-c {dice.randint(10, 18)} --pacing 900ms..1100ms {engine(dice)}" + " ".join(f"--get /figures/{place}" for place in range(4)))


@clean("four of five visits are short, two pages, the others are long: eight pages, and 0.2 to 0.5 s between them")
def short_and_long_visits(dice: Random) -> Iterator[Bed]:
    with dice.choice((server.go, server.node))(rule(method="POST", ms=(16, 40)), rule(path="/search", ms=(16, 44)), rule(ms=(6, 20), bytes=1500)) as url:
        yield Bed(url, peak(9) + f"-c 80 --rate '{dice.randint(14, 22)} journeys/s' {engine(dice)}{dice.choice(('', '--arrivals poisson '))}", plan="""
scenarios:
  - name: short
    weight: 4
    steps:
      - get: /
      - think: 100ms..300ms
      - get: /items/7
  - name: long
    weight: 1
    steps:
      - get: /
      - think: 200ms..500ms
      - repeat: 3
        steps:
          - get: /search
          - think: 200ms..500ms
          - get: /items/7
          - think: 200ms..500ms
      - post: /orders
        json: {item: 7}
""")
