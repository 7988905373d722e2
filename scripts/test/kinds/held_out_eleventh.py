"""
The eleventh held-out set. Don't read on if you change rules.

No rule was tuned on it. Each kind is an incident of a real service, of a network or of a wrong test whose mechanism the earlier sets
don't have. The ids of a fault are those that an expert would accept as the first finding.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import behaviours as server
import faults
from asking import Claim, Truth, took
from behaviours import option, rule
from kinds import Bed, cause, clean, engine, model, peak, pick
from kinds.held_out_fifth import Clock, of_time
from kinds.held_out_fourth import between, puma
from kinds.held_out_ninth import ITEMS_AND_ORDERS
from kinds.held_out_second import Asked, answering, some
from kinds.held_out_seventh import later, rows, said
from kinds.held_out_tenth import Store, heard, redis, redis_said, rooms
from kinds.held_out_third import of_haproxy

NOBODY = 65534


# Databases.


@contextlib.contextmanager
def postgres(*statements: str, **settings: str) -> Iterator[int]:
    """The port of a Postgres, after these statements."""
    found = shutil.which("initdb") or max(map(str, Path("/usr/lib/postgresql").glob("*/bin/initdb")), default="")
    if not found:
        raise faults.Impossible("no Postgres")
    # It doesn't run as root.
    under = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"] if os.geteuid() == 0 else []
    port = faults.free_port()
    with tempfile.TemporaryDirectory() as base:
        os.chmod(base, 0o777)
        folder = Path(base, "data")
        subprocess.run([*under, found, "-D", folder, "-A", "trust", "-N", "-U", "shop"], cwd=base, check=True, capture_output=True)
        all_settings = {"max_connections": "250", "fsync": "off", "autovacuum": "off", **settings}
        words = [word for name, value in all_settings.items() for word in ("-c", f"{name}={value}")]
        with subprocess.Popen([*under, Path(found).resolve().with_name("postgres"), "-D", folder, "-p", str(port), "-k", base, "-h", "127.0.0.1", *words],
                              cwd=base, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            try:
                faults.wait_for(port)
                for _ in range(50):
                    if sql(port, "select 1"):
                        break
                    time.sleep(0.1)
                if not sql(port, *statements):
                    raise faults.Impossible("Postgres doesn't take the statements")
                yield port
            finally:
                process.send_signal(signal.SIGQUIT)


def sql(port: int, *statements: str) -> bool:
    """Whether all of them have worked, each a transaction."""
    words = [word for statement in statements for word in ("-c", statement)]
    return subprocess.run(["psql", "-q", "-h", "127.0.0.1", "-p", str(port), "-U", "shop", "-v", "ON_ERROR_STOP=1", *words, "postgres"],
                          capture_output=True, check=False).returncode == 0


class Database:
    """Asks a Postgres, over at most so many connections."""

    def __init__(self, port: int, most: int = 60) -> None:
        self.port = port
        self.places = asyncio.Semaphore(most)
        self.free: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []

    async def ask(self, *statements: str, pause: float = 0) -> str:
        """The code of the first error, if there is one; between two statements are so many ms."""
        async with self.places:
            code = ""
            with contextlib.suppress(OSError, asyncio.IncompleteReadError):
                there, back = self.free.pop() if self.free else await self.connected()
                code = "lost"
                for number, statement in enumerate(statements):
                    await asyncio.sleep(pause / 1000 if number else 0)
                    back.write(b"Q" + (len(statement) + 5).to_bytes(4, "big") + statement.encode() + b"\0")
                    if error := await self.ended(there):
                        back.write(b"Q\0\0\0\x0drollback\0")
                        await self.ended(there)
                        code = error
                        break
                else:
                    code = ""
                self.free.append((there, back))
            return code

    async def connected(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        there, back = await asyncio.open_connection("127.0.0.1", self.port)
        words = b"\0\3\0\0user\0shop\0database\0postgres\0\0"
        back.write((len(words) + 4).to_bytes(4, "big") + words)
        await self.ended(there)
        return there, back

    async def ended(self, there: asyncio.StreamReader) -> str:
        """The code of an error, when it is ready for the next question."""
        code = ""
        while True:
            kind, length = await there.readexactly(1), int.from_bytes(await there.readexactly(4), "big")
            data = await there.readexactly(length - 4)
            if kind == b"E":
                code = next(part[1:].decode() for part in data.split(b"\0") if part.startswith(b"C"))
            if kind == b"Z":
                return code


@cause("a column is added to a table, which waits for a report of 1.7 to 2.3 s, and whoever reads the table waits behind it, until no connection is free",
       "standstill", "slow-period", meaning="it stands still for a while")
def change_waits_for_a_report(dice: Random) -> Iterator[Bed]:
    at, length = pick(dice, 4.6, 5.4), pick(dice, 1.7, 2.3)
    with postgres("create table items (id int, name text)", "insert into items select n, 'name' from generate_series(1, 50) n") as port:
        database = Database(port, dice.randint(10, 16))

        async def answer(asked: Asked) -> bool:
            failed = await database.ask("select 1" if asked.path == "/cart" else "select name from items where id = 7")
            await some(5, 15)
            return await asked.say(failed.encode(), 500 if failed else 200)

        def change() -> None:
            words = [word for statement in ("begin", "select count(*) from items", f"select pg_sleep({length})", "commit") for word in ("-c", statement)]
            with subprocess.Popen(["psql", "-q", "-h", "127.0.0.1", "-p", str(port), "-U", "shop", *words, "postgres"], stdout=subprocess.PIPE) as report:
                # It has the table now.
                report.stdout.readline()
                sql(port, "alter table items add colour text")
                report.stdout.read()

        with answering(answer) as url, later(at, change):
            yield Bed(url, peak(9) + f"-c 250 --rate {dice.randint(50, 80)}/s {engine(dice)}--get /items --get /cart --get /search", truth=Truth(
                lambda all: [("before", between(all, 0, at - 0.2).median, 5, 60), ("meanwhile", all.slowest, 1000 * (length - 0.6), 1000 * (length + 0.6)),
                             ("after", between(all, at + length + 0.8, 9).median, 5, 60), ("failed", all.failed, 0, 0)], seconds=8.5))


@cause("a commit waits for a standby that has been taken away, until it isn't waited for any more, 1.8 to 2.4 s later: writes, not reads",
       "standstill", "slow-period", meaning="an operation stands still for a while")
def standby_is_away(dice: Random) -> Iterator[Bed]:
    at, length = pick(dice, 4.4, 5.2), pick(dice, 1.8, 2.4)
    with postgres("create table orders (id serial, at timestamptz default now())") as port:
        database = Database(port, 150)

        async def answer(asked: Asked) -> bool:
            failed = await database.ask("insert into orders default values" if asked.method == "POST" else "select max(id) from orders")
            await some(5, 15)
            return await asked.say(failed.encode(), 500 if failed else 200)

        def take_away() -> None:
            sql(port, "alter system set synchronous_standby_names = 'other'", "select pg_reload_conf()")
            time.sleep(length)
            sql(port, "alter system reset synchronous_standby_names", "select pg_reload_conf()")

        with answering(answer) as url, later(at, take_away):
            yield Bed(url, peak(9) + f"-c 200 --rate {dice.randint(40, 60)}/s {engine(dice)}--get /orders --post /orders --body order", truth=Truth(
                lambda all: [("before", between(all, 0, at - 0.2).median, 5, 60), ("meanwhile", all.slowest, 1000 * (length - 0.3), 1000 * (length + 1.2)),
                             ("after", between(all, at + length + 1.3, 9).median, 5, 60), ("failed", all.failed, 0, 0)],
                method="POST", body=5, seconds=8.5))


@cause("a payment asks a partner within its transaction, and when that takes 0.45 to 0.6 s, the database has ended the session meanwhile: 500",
       "gives-up", "steady-failures", meaning="something gives up slow requests")
def idle_in_a_transaction(dice: Random) -> Iterator[Bed]:
    share, limit = pick(dice, 0.07, 0.13), dice.randint(300, 400)
    with postgres("create table payments (id serial)", idle_in_transaction_session_timeout=f"{limit}ms") as port:
        database = Database(port)

        async def answer(asked: Asked) -> bool:
            if asked.method == "GET":
                failed = await database.ask("select max(id) from payments")
                await some(4, 12)
            else:
                pause = random.uniform(450, 600) if random.random() < share else random.uniform(20, 60)
                failed = await database.ask("begin; insert into payments default values", "commit", pause=pause)
            return await asked.say(failed.encode(), 500 if failed else 200)

        with answering(answer) as url:
            yield Bed(url, peak(8) + model(dice, (60, 100)) + "--post /payments --body ten --get /payments", truth=Truth(
                lambda all: [("500", all.status(500), 0.4 * share, 1.8 * share),
                             ("late and well", all.share(lambda one: one.status == 200 and one.ms > 400), 0, 0),
                             ("lost soon", all.share(lambda one: one.status == 500 and one.ms < 400), 0, 0)],
                method="POST", body=3, users=8, seconds=6))


@cause("the numbers of orders come to their end in the middle, as they have too few bits: 500 for each order from then on", "outage", "steady-failures",
       meaning="an operation fails from then on")
def numbers_come_to_their_end(dice: Random) -> Iterator[Bed]:
    rate = dice.randint(60, 100)
    most = round(rate / 2 * pick(dice, 4.8, 5.8))
    with postgres(f"create sequence numbers start {32_768 - most} maxvalue 32767",
                  "create table orders (number smallint default nextval('numbers'))") as port:
        database = Database(port)

        async def answer(asked: Asked) -> bool:
            failed = await database.ask("insert into orders default values" if asked.method == "POST" else "select max(number) from orders")
            await some(5, 15)
            return await asked.say(failed.encode(), 500 if failed else 200)

        with answering(answer) as url:
            yield Bed(url, peak(9) + f"-c 80 --rate {rate}/s {engine(dice)}{ITEMS_AND_ORDERS}", truth=Truth(
                lambda all: [("stored", len(all.all) * all.status(200), most, most), ("500", all.status(500), 0.05, 0.9)],
                method="POST", body=5, users=8, seconds=6))


@cause("transfers between ten accounts see them as they were at their beginning, and fail if one has changed meanwhile: 500 with many users",
       "failures-with-load", meaning="it fails under load")
def transfers_can_not_be_serialized(dice: Random) -> Iterator[Bed]:
    pause = dice.randint(22, 32)
    with postgres("create table accounts (id int primary key, amount int)", "insert into accounts select n, 100 from generate_series(1, 10) n",
                  default_transaction_isolation="repeatable read") as port:
        database = Database(port)

        async def answer(asked: Asked) -> bool:
            if asked.method == "GET":
                failed = await database.ask("select sum(amount) from accounts")
                await some(5, 15)
            else:
                account = random.randint(1, 10)
                failed = await database.ask(f"begin; select amount from accounts where id = {account}",
                                            f"update accounts set amount = amount + 1 where id = {account}; commit", pause=pause)
            return await asked.say(failed.encode(), 500 if failed else 200)

        with answering(answer) as url:
            yield Bed(url, f"--phases few=0.1:for:3s,peak=1:for:6s -c {dice.randint(28, 36)} --think 50ms..110ms {engine(dice)}"
                      "--get /accounts --post /transfers --body ten", truth=Truth(
                lambda all: [("500", all.status(500), 0.1, 0.9), ("200", len(all.all) * all.status(200), 50, 5000)],
                method="POST", body=3, users=20, think=0.07))


@cause("a replica removes what its primary has removed, every 1.5 to 2.1 s, and ends all reports that are being read then: 500", "restarts", "steady-failures",
       meaning="short bursts of failures")
def reports_conflict_with_recovery(dice: Random) -> Iterator[Bed]:
    period, clock = pick(dice, 1.5, 2.1), Clock()

    async def answer(asked: Asked) -> bool:
        now = clock()
        if asked.path == "/items":
            await some(5, 15)
            return await asked.say(b"x" * 900)
        seconds, until = random.uniform(0.2, 0.4), period - now % period
        await asyncio.sleep(min(seconds, until))
        return await (asked.say(b"x" * 3000) if seconds < until else asked.say(b"canceling statement due to conflict with recovery", 500))

    with answering(answer) as url:
        yield Bed(url, peak(9) + f"-c 120 --rate {dice.randint(70, 110)}/s {engine(dice)}--get /reports --get /items", truth=Truth(
            lambda all: [("500", all.of("/reports").status(500), 0.08, 0.3), ("items", all.of("/items").failed, 0, 0),
                         ("at first", between(all, 0, period - 0.45).failed, 0, 0)], paths=("/reports", "/items"), users=10, seconds=7))


@cause("two of a pooler's six connections to a database are replaced in the middle, and don't know a prepared statement: 500 for a third of the searches",
       "steady-failures", meaning="a constant share fails from then on")
def statement_is_not_prepared(dice: Random) -> Iterator[Bed]:
    at, clock = pick(dice, 3, 3.8), Clock()

    async def answer(asked: Asked) -> bool:
        knows = clock() < at or random.randrange(6) > 1
        if asked.path == "/search" and not knows:
            await some(3, 8)
            return await asked.say(b'prepared statement "S_1" does not exist', 500)
        await some(10, 30)
        return await asked.say(b"x" * 800)

    with answering(answer) as url:
        yield Bed(url, peak(9) + model(dice, (80, 140)) + "--get /items --get /search --get /prices", truth=Truth(
            lambda all: [("before", between(all, 0, at - 0.1).failed, 0, 0), ("after", between(all, at + 0.1, 8).status(500), 0.2, 0.47)],
            paths=("/search",), seconds=7))


@cause("Redis keeps sessions for 2.5 s, has room for 80 to 110 of them and evicts none: 500 for log-ins above that", "rate-limit", "steady-failures",
       meaning="a constant number a second succeeds")
def room_for_sessions(dice: Random) -> Iterator[Bed]:
    number, count = dice.randint(80, 110), 0
    with redis("--save", "", "--maxmemory-policy", "noeviction", "--hz", "50") as (port, _):
        store = Store(port)
        used = int(redis_said(port, "INFO memory").split(b"used_memory:")[1].split(b"\r")[0])
        redis_said(port, f"CONFIG SET maxmemory {used + 200_000 + 10_300 * number}")

        async def answer(asked: Asked) -> bool:
            nonlocal count
            if asked.method == "GET":
                await some(5, 14)
                return await asked.say()
            count += 1
            said_so = await store.ask("SET", f"session:{count}", "x" * 10_000, "PX", "2500")
            await some(10, 25)
            return await asked.say(said_so.encode(), 500 if said_so.startswith("-") else 201)

        with answering(answer) as url:
            yield Bed(url, peak(9, 2) + f"-c 60 --rate {round(4 * number / 2.5)}/s {engine(dice)}--post /login --body secret --get /items", truth=Truth(
                lambda all: [("first", between(all, 0, 0.8).failed, 0, 0), ("500", between(all, 2.5, 7).status(500), 0.15, 0.85)],
                method="POST", body=6, users=3, think=0.015, seconds=7))


@cause("a test reads one page of a list after the other, and the database counts all entries before it to find it, 0.25 to 0.35 ms for each page", "drift",
       meaning="it gets slower and slower")
def deeper_and_deeper_pages(dice: Random) -> Iterator[Bed]:
    each, rate = pick(dice, 0.25, 0.35), dice.randint(35, 50)

    def ms(_: float, asked: Asked) -> float:
        return random.uniform(5, 14) + each * int(asked.path.rpartition("=")[2])

    with rows("number", [str(number) for number in range(12 * rate)]) as file, of_time(ms) as url:
        yield Bed(url, peak(9) + f"-c 80 --rate '{rate} journeys/s' {engine(dice)}", plan=f"""
data:
  pages: {{csv: {file}}}
scenarios:
  - name: crawl
    steps:
      - get: "/orders?page={{pages.number}}"
        name: GET /orders?page=NUMBER
""", truth=Truth(lambda all: [("first", all.of("/orders?page=0").median, 5, 25), ("300th", all.of("/orders?page=300").median, 300 * each, 300 * each + 40)],
                 paths=("/orders?page=0", "/orders?page=300")))


# Workers, queues and instances.


@cause("each of four workers is replaced after so many requests, all have done as many at the same time, and a new one needs 0.45 to 0.6 s to start",
       "periodic-stalls", "standstill", meaning="all requests wait at even distances")
def workers_are_replaced_together(dice: Random) -> Iterator[Bed]:
    rate, start = dice.randint(60, 90), pick(dice, 0.45, 0.6)
    most = round(rate / 4 * pick(dice, 1.7, 2.3))
    idle: asyncio.Queue[int] = asyncio.Queue()
    for _ in range(4):
        idle.put_nowait(0)

    async def answer(asked: Asked) -> bool:
        done = await idle.get() + 1
        await some(8, 20)
        if done == most:
            asyncio.get_running_loop().call_later(start, idle.put_nowait, 0)
        else:
            idle.put_nowait(done)
        return await asked.say(b"x" * 1200)

    with answering(answer) as url:
        yield Bed(url, peak(10) + f"-c 150 --rate {rate}/s {engine(dice)}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("longest", all.slowest, 900 * start - 60, 1100 * start + 100), ("median", all.median, 8, 40), ("slow", all.slower(200), 0.005, 0.2)],
            users=4, think=0.04, seconds=8))


@cause("twice, an order can't be processed, and is tried three times more, within 0.8 to 1.1 s, while all orders behind it in the queue wait", "standstill",
       "slow-period", meaning="an operation stands still twice")
def order_that_can_not_be_processed(dice: Random) -> Iterator[Bed]:
    length, clock = pick(dice, 0.8, 1.1), Clock()
    times = [pick(dice, 2.6, 3), pick(dice, 6, 6.8)]
    turn = asyncio.Lock()

    async def answer(asked: Asked) -> bool:
        now = clock()
        if asked.method == "GET":
            await some(5, 15)
            return await asked.say()
        async with turn:
            if times and now > times[0]:
                times.pop(0)
                await asyncio.sleep(length)
            await some(3, 7)
        return await asked.say(b"done", 202)

    with answering(answer) as url:
        yield Bed(url, peak(9) + f"-c 150 --rate {dice.randint(60, 90)}/s {engine(dice)}--get /items --get /prices --post /orders --body order", truth=Truth(
            lambda all: [("longest", all.slowest, 900 * length, 1000 * length + 150), ("median", all.median, 3, 60), ("failed", all.failed, 0, 0)],
            method="POST", body=5, users=4, think=0.05, seconds=8))


@cause("a worker dies with one in 8 to 12 pictures, which another one gets 0.6 to 0.8 s later, when it isn't hidden from others any more", "two-speeds",
       meaning="a share is slower by the same time")
def pictures_of_dead_workers(dice: Random) -> Iterator[Bed]:
    share, hidden = 1 / dice.randint(8, 12), dice.randint(600, 800)

    async def answer(asked: Asked) -> bool:
        if asked.method == "GET":
            await some(5, 15)
            return await asked.say(b"x" * 1500)
        await some(25, 55)
        if random.random() < share:
            await asyncio.sleep(hidden / 1000)
        return await asked.say(b"done", 201)

    with answering(answer) as url:
        yield Bed(url, peak(9) + model(dice, (50, 90)) + "--post /pictures --body picture --get /pictures/1", truth=Truth(
            lambda all: [("late", all.share(lambda one: hidden < one.ms < hidden + 120), 0.5 * share, 1.6 * share), ("between", all.share(
                lambda one: 120 < one.ms < hidden), 0, 0.04)], method="POST", body=7, users=12, seconds=6))


@cause("a Puma has five threads, of which one at a time computes, as Ruby has one lock for all, and each page takes 10 to 14 ms of that", "saturation",
       "contention", "serial-work", meaning="more users only wait")
def rubys_one_lock(dice: Random) -> Iterator[Bed]:
    ms = dice.randint(10, 14)
    with puma(5, f"""
stop = Process.clock_gettime(Process::CLOCK_THREAD_CPUTIME_ID) + {ms / 1000}
nil while Process.clock_gettime(Process::CLOCK_THREAD_CPUTIME_ID) < stop
[200, {{}}, ["ok"]]""") as url:
        yield Bed(url, f"--phases few=0.1:for:3s,peak=1:for:6s -c {dice.randint(24, 34)} --think 40ms..90ms {engine(dice)}--get /items --get /prices",
                  truth=Truth(lambda all: [("a second", len(all.all) / 4, 300 / ms, 1050 / ms), ("one of ten", all.median, 5 * ms, 40 * ms)],
                              users=10, think=0))


@cause("a balancer has wrong weights: one of three equal instances, which does two or three things at a time, gets three of four requests", "saturation",
       "contention", "two-speeds", "slow-instance", meaning="more users only wait for one instance")
def wrong_weights(dice: Random) -> Iterator[Bed]:
    size, ms = dice.randint(2, 3), dice.randint(36, 46)
    with contextlib.ExitStack() as stack:
        instances = [stack.enter_context(server.go(rule(pool=size, ms=(ms, ms + 8)))) for _ in range(3)]
        servers = "".join(f"\n  server s{place} {one[7:-1]} weight {24 if place == 1 else 4}" for place, one in enumerate(instances))
        url = stack.enter_context(server.haproxy(f"listen all\n  bind LISTEN\n  balance roundrobin{servers}"))
        yield Bed(url, f"--phases few=0.15:for:3s,peak=1:for:6s -c {8 * size + dice.randint(0, 6)} --think 20ms..60ms {engine(dice)}--get /items --get /cart",
                  truth=Truth(lambda all: [("a second", len(all.all) / 4, 0.8 * 1333 * size / (ms + 4), 1.15 * 1333 * size / (ms + 4)),
                                           ("failed", all.failed, 0, 0)], users=9 * size, think=0.02))


@cause("HAProxy takes 36 to 46 connections a second (rate-limit sessions), and each request makes one", "saturation", "contention", "serial-work",
       "accept-queue", meaning="more users only wait")
def connections_taken_a_second(dice: Random) -> Iterator[Bed]:
    rate = dice.randint(36, 46)
    with server.go(rule(ms=(6, 16))) as behind, server.haproxy(
            f"listen all\n  bind LISTEN backlog 1024\n  rate-limit sessions {rate}\n  server one {behind[7:-1]}") as url:
        yield Bed(url, f"--phases few=0.15:for:3s,peak=1:for:6s -H Connection:close -c {dice.randint(20, 28)} --think 90ms..150ms --timeout 10s {engine(dice)}"
                  "--get /items --get /prices", truth=Truth(
            lambda all: [("a second", len(all.all) / 4, 0.7 * rate, 1.4 * rate), ("median", all.median, 100, 900), ("failed", all.failed, 0, 0)],
            users=24, think=0.05, close=True))


# Limits and rules.


@cause("an API says 420, enhance your calm, to all but the first 40 to 70 searches of each second", "rate-limit", meaning="a rate limit")
def calm_420(dice: Random) -> Iterator[Bed]:
    most = dice.randint(40, 70)
    with server.node(rule(path="/search", window=most, ms=(1, 4), status=420), rule(path="/search", ms=(15, 40), bytes=1500), rule(ms=(5, 15))) as url:
        yield Bed(url, peak(8) + f"-c 80 --rate {round(3.6 * most)}/s {engine(dice)}{dice.choice(('', '--arrivals poisson '))}--get /search --get /items",
                  truth=Truth(lambda all: [("420", all.status(420), 0.2, 0.95), ("a second", len(all.all) * all.status(200) / 4, 0.9 * most, 1.3 * most)],
                              paths=("/search",), users=20))


@cause("a site takes an address for a robot the more, the more it asks for: 999 to more and more of its requests", "growing-failures", "rate-limit",
       meaning="more and more fails")
def more_like_a_robot(dice: Random) -> Iterator[Bed]:
    rate, count = dice.randint(60, 100), 0
    most = rate * pick(dice, 10, 13)

    async def answer(asked: Asked) -> bool:
        nonlocal count
        count += 1
        await some(6, 20)
        return await (asked.say(b"who are you?", 999) if random.random() < count / most - 0.1 else asked.say(b"x" * 2000))

    with answering(answer) as url:
        yield Bed(url, peak(9) + f"-c 60 --rate {rate}/s {engine(dice)}--get /people/1 --get /people/2 --get /jobs", truth=Truth(
            lambda all: [("first", between(all, 0, 0.5).status(999), 0, 0.1), ("last", between(all, 5, 7).status(999), 0.25, 1)], users=3, seconds=7))


@cause("a quota has been used up by others, and is given anew only after 2.5 to 3.2 s of a test's peak: 429 for all its reports until then", "rate-limit",
       "outage", meaning="an operation fails until a limit is over")
def quota_is_given_anew(dice: Random) -> Iterator[Bed]:
    end = dice.randint(3500, 4200)
    start = dice.choice((server.node, server.go))
    with start(rule(path="/reports", to=end, ms=(2, 6), status=429, header=f"Retry-After:{round(end / 1000)}"), rule(path="/reports", ms=(25, 60)),
               rule(ms=(5, 15))) as url:
        yield Bed(url, peak(9) + model(dice, (70, 120)) + "--get /items --post /reports --body today", truth=Truth(
            lambda all: [("first", between(all, 0, end / 1000 - 0.1).status(429), 1, 1), ("then", between(all, end / 1000 + 0.1, 7).failed, 0, 0)],
            paths=("/reports",), seconds=6))


COMMENTS = ("I like it", "it came late", "blue is nice", "my cat sleeps on it", "thank you all", "select a smaller size from the list", "too heavy",
            "as in the picture", "for my brother", "never again", "fits well", "a bit loud")


@cause("a firewall for applications takes words in a comment for an attack, one in twelve: 403", "steady-failures", meaning="a constant share fails")
def words_of_an_attack(dice: Random) -> Iterator[Bed]:
    words = [word for _ in range(20) for word in dice.sample(COMMENTS, len(COMMENTS))]
    with server.go(rule(method="POST", ms=(14, 34), status=201), rule(ms=(6, 18), bytes=1500)) as behind, server.haproxy(
            "listen all\n  bind LISTEN\n  option http-buffer-request\n  acl attack req.body -m reg -i select.*from\n"
            f"  http-request deny deny_status 403 if attack\n  server one {behind[7:-1]}") as url, rows("text", words) as file:
        yield Bed(url, peak(8) + f"-c {dice.randint(16, 28)} {engine(dice)}", plan=f"""
data:
  comments: {{csv: {file}}}
scenarios:
  - name: comment
    steps:
      - get: /comments
      - think: 20ms..60ms
      - post: /comments
        json: {{text: "{{comments.text}}"}}
      - think: 20ms..60ms
""", probe=lambda: [(words[:20], said(url, "/comments", "POST", words.encode())[0], status, status)
                    for words, status in ((COMMENTS[0], 201), (COMMENTS[5], 403), (COMMENTS[6], 201))])


@cause("a version of an API that ends soon is switched off twice, for 0.6 to 0.9 s, so that who still uses it finds out: 410", "restarts", "outage",
       meaning="an operation is away twice")
def old_version_is_switched_off(dice: Random) -> Iterator[Bed]:
    length = dice.randint(600, 900)
    times = (dice.randint(3000, 3600), dice.randint(5600, 6600))
    off = [rule(**{"path": "/v1", "from": at, "to": at + length, "ms": (2, 6), "status": 410}) for at in times]
    with server.java(*off, rule(ms=(8, 24), bytes=700)) as url:
        yield Bed(url, peak(9, 2) + model(dice, (80, 140)) + "--get /v1/items --get /v2/items --get /v2/prices", truth=Truth(
            lambda all: [("off", between(all, times[0] / 1000 + 0.05, (times[0] + length) / 1000 - 0.05).of("/v1/items").status(410), 1, 1),
                         ("else", between(all, (times[0] + length) / 1000 + 0.05, times[1] / 1000 - 0.1).failed, 0, 0),
                         ("v2", all.of("/v2/items").failed, 0, 0)],
            paths=("/v1/items", "/v2/items"), seconds=8))


# Proxies and HTTP.


@contextlib.contextmanager
def apache(lines: str, *modules: str, files: dict[str, int] | None = None) -> Iterator[str]:
    """The address of an Apache with these lines and modules, and with files of such lengths."""
    program = shutil.which("apache2", path=os.environ["PATH"] + ":/usr/sbin") or shutil.which("httpd")
    if program is None:
        raise faults.Impossible("no Apache")
    port = faults.free_port()
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o777)
        Path(folder, "files").mkdir()
        for name, length in (files or {}).items():
            Path(folder, "files", name).write_bytes(b"x" * length)
        loaded = "".join(f"LoadModule {one}_module /usr/lib/apache2/modules/mod_{one}.so\n" for one in ("mpm_event", "authz_core", *modules))
        Path(folder, "apache.conf").write_text(
            f"ServerRoot {folder}\nServerName localhost\nPidFile pid\nDefaultRuntimeDir {folder}\nMutex file:{folder}\nErrorLog error.log\nUser #{NOBODY}\n"
            f"Group #{NOBODY}\n{loaded}StartServers 1\nThreadsPerChild 64\nMaxRequestWorkers 128\nDocumentRoot {folder}/files\n"
            f"Listen 127.0.0.1:{port}\n{lines}\n")
        with subprocess.Popen([program, "-DFOREGROUND", "-f", f"{folder}/apache.conf"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            try:
                faults.wait_for(port)
                yield f"http://127.0.0.1:{port}/"
            finally:
                process.terminate()
                process.wait()


BANDS = ("abba", "blur", "cream", "devo", "elo", "free", "genesis", "heart", "kiss")


@cause("Apache doesn't let names with a slash through, even if it is encoded, which one in ten has: 404", "steady-failures",
       meaning="a constant share fails")
def slash_in_a_name(dice: Random) -> Iterator[Bed]:
    names = [name for _ in range(20) for name in dice.sample((*BANDS, "ac/dc"), 10)]
    with server.go(rule(ms=(8, 26), bytes=1500)) as behind, rows("name", names) as file, apache(
            f"ProxyPass / {behind}\n", "proxy", "proxy_http") as url:
        yield Bed(url, peak(8) + f"-c 60 --rate '{dice.randint(60, 110)} journeys/s' {engine(dice)}", plan=f"""
data:
  bands: {{csv: {file}}}
scenarios:
  - name: listen
    steps:
      - get: "/bands/{{urlencode:{{bands.name}}}}"
        name: GET /bands/NAME
""", probe=lambda: [("slash", said(url, "/bands/ac%2Fdc")[0], 404, 404), ("none", said(url, "/bands/abba")[0], 200, 200)])


@cause("a proxy lets GET and POST through alone: 405 for one of three operations, which changes items by PUT", "wrong-request",
       meaning="the server doesn't take such requests")
def other_methods_are_refused(dice: Random) -> Iterator[Bed]:
    with server.node(rule(method="PUT", ms=(14, 34), status=204), rule(ms=(6, 20))) as behind, server.haproxy(
            f"listen all\n  bind LISTEN\n  http-request deny deny_status 405 unless METH_GET or METH_POST\n  server one {behind[7:-1]}") as url:
        yield Bed(url, peak(6) + model(dice, (70, 120)) + "--get /items --post /items --body item --put /items/1 --body item", probe=lambda: [
            ("PUT", said(url, "/items/1", "PUT", b"x")[0], 405, 405), ("there", said(behind, "/items/1", "PUT", b"x")[0], 204, 204),
            ("POST", said(url, "/items", "POST", b"x")[0], 200, 200)])


@cause("nginx redirects an order to the address with a slash at its end, and it arrives there as GET, which makes no order: the status isn't 201",
       "check-never-holds", "redirects", "always-fails", meaning="an operation doesn't do what it should")
def order_becomes_get(dice: Random) -> Iterator[Bed]:
    with server.go(rule(path="/orders/", method="POST", ms=(14, 34), status=201), rule(ms=(6, 18), bytes=700)) as behind, faults.nginx(
            "", f"absolute_redirect off; location = /orders {{ return 301 /orders/; }} location / {{ proxy_pass {behind[:-1]}; }}") as url:
        yield Bed(url, peak(6) + f"-c {dice.randint(10, 20)} --think 30ms..90ms -L {engine(dice)}--get /items --post /orders --body order --expect status=201",
                  probe=lambda: [("without", said(url, "/orders", "POST", b"x")[0], 301, 301), ("with", said(url, "/orders/", "POST", b"x")[0], 201, 201),
                                 ("got", said(url, "/orders/")[0], 200, 200)])


@cause("nginx answers what it doesn't know with the page of an application, 200, and a test asks for prices at an old address: they aren't JSON",
       "check-never-holds", meaning="a check of one operation never holds")
def page_for_all_that_is_unknown(dice: Random) -> Iterator[Bed]:
    with tempfile.TemporaryDirectory() as folder, server.go(rule(ms=(8, 22), bytes=600)) as behind:
        os.chmod(folder, 0o755)
        Path(folder, "index.html").write_text("<!doctype html><title>Shop</title>" + "<p>Please wait</p>" * dice.randint(20, 90))
        with faults.nginx("types { text/html html; }", f"root {folder}; location / {{ try_files $uri /index.html; }} "
                          f"location /api/v2/ {{ proxy_pass {behind[:-1]}; }}") as url:
            yield Bed(url, peak(6) + model(dice, (70, 120)) + "--get / --get /api/v2/items --get /api/prices --expect 'type=json json:/total'", probe=lambda: [
                ("old", said(url, "/api/prices")[0], 200, 200), ("page", b"<title>" in said(url, "/api/prices")[1], 1, 1),
                ("new", b"<title>" in said(url, "/api/v2/prices")[1], 0, 0)])


@cause("one of three instances says that its pages are compressed (gzip), and they aren't", "steady-failures", meaning="a constant share can't be read")
def said_to_be_compressed(dice: Random) -> Iterator[Bed]:
    def instance(fields: str) -> contextlib.AbstractContextManager[str]:
        async def answer(asked: Asked) -> bool:
            await some(6, 20)
            body = b"all is well " * 100
            asked.writer.write(f"HTTP/1.1 200 OK\r\n{fields}Content-Length: {len(body)}\r\n\r\n".encode() + body)
            return True

        return answering(answer)

    with instance("") as one, instance("Content-Encoding: gzip\r\n") as two, instance("") as three, of_haproxy(one, two, three) as url:
        yield Bed(url, peak(7) + f"{model(dice, (70, 120))}--decode --get /items --expect body~well --get /prices --expect body~well", probe=lambda: [
            ("curl of nine", sum(took([], "curl", "-sf", "--compressed", url) >= 0 for _ in range(9)), 6, 6)])


@cause("a filter adds another length to the pages of one of two operations: two lengths, which differ", "not-http", meaning="what comes isn't HTTP")
def two_lengths(dice: Random) -> Iterator[Bed]:
    more = dice.randint(8, 40)

    async def answer(asked: Asked) -> bool:
        await some(6, 20)
        body = b"x" * 900
        other = f"Content-Length: {len(body) + more}\r\n" if asked.path == "/prices" else ""
        asked.writer.write(f"HTTP/1.1 200 OK\r\nContent-Length: {len(body)}\r\n{other}\r\n".encode() + body)
        return True

    with answering(answer) as url:
        yield Bed(url, peak(6) + f"-c {dice.randint(8, 16)} --think 30ms..80ms {engine(dice)}--get /items --get /prices", probe=lambda: [
            ("two", took([], "curl", "-sf", "-m", "1", f"{url}prices"), -1, -1), ("one", took([], "curl", "-sf", f"{url}items"), 0, 3000)])


@cause("a program writes lines of its log into its connections, before 4 to 8 % of the responses", "steady-failures", meaning="a constant share can't be read")
def log_within_responses(dice: Random) -> Iterator[Bed]:
    share = pick(dice, 0.04, 0.08)

    async def answer(asked: Asked) -> bool:
        await some(6, 22)
        if random.random() < share:
            asked.writer.write(b"WARN 17 pool is nearly empty, 2 of 20 connections left\n")
        return await asked.say(b"x" * 700)

    with answering(answer) as url:
        yield Bed(url, peak(8) + model(dice, (80, 140)) + ITEMS_AND_ORDERS, truth=Truth(
            lambda all: [("failed", all.failed, 0.4 * share, 1.8 * share)], users=12))


@cause("a cache says to 15 to 25 % of the requests that nothing has changed (304), though they didn't ask for that, and a test needs the page: 200",
       "steady-failures", meaning="a constant share has no page")
def unasked_304(dice: Random) -> Iterator[Bed]:
    share = pick(dice, 0.15, 0.25)
    start = dice.choice((server.go, server.node))
    with start(rule(path="/items", share=share, ms=(2, 6), status=304), rule(ms=(6, 20), bytes=1500)) as url:
        yield Bed(url, peak(7) + model(dice, (80, 140)) + "--get /items --expect 'status=200 size>100' --get /prices", truth=Truth(
            lambda all: [("304", all.status(304), 0.7 * share, 1.3 * share)], paths=("/items",), users=12))


# Ways, TLS and messages.


@cause("a firewall removes an option of TCP (window scaling), so 64 KiB at a time are under way, on a way of 60 to 76 ms", "bandwidth",
       meaning="a limit of bandwidth")
def no_window_scaling(dice: Random) -> Iterator[Bed]:
    seconds, size = pick(dice, 0.03, 0.038), dice.randint(350, 550) * 1000
    with faults.network("sysctl -qw net.ipv4.tcp_window_scaling=0") as inside, faults.delays(inside, lambda: seconds) as address, \
            server.go(option(address="10.99.0.1:0"), rule(ms=(3, 8), bytes=size), under=inside) as url:
        yield Bed(url.replace("10.99.0.1", address), peak(8, 2) + f"-c {dice.randint(4, 7)} --think 20ms..60ms {engine(dice)}--get /page --get /image", inside,
                  truth=Truth(lambda all: [("later ones", all.share(lambda one: one.nth < 3 or one.ms > 2000 * seconds * (size / 65_536 - 1)), 0.98, 1),
                                           ("failed", all.failed, 0, 0)], users=3, seconds=5))


@cause("a router says for 1.6 to 2.2 s that there is no route to a service, and each request makes a connection", "outage", "new-connections", "restarts",
       meaning="the service is away for a while")
def no_route_for_a_while(dice: Random) -> Iterator[Bed]:
    at, length = pick(dice, 4.4, 5.4), pick(dice, 1.6, 2.2)
    with faults.network() as inside, faults.delays(inside, lambda: 0.002) as address, \
            server.go(option(address="10.99.0.1:0"), rule(ms=(5, 15)), under=inside) as url:
        def withdraw() -> None:
            subprocess.run([*inside, "ip", "route", "add", "unreachable", f"{address}/32"], check=False)
            time.sleep(length)
            subprocess.run([*inside, "ip", "route", "delete", "unreachable", f"{address}/32"], check=False)

        with later(at, withdraw):
            yield Bed(url.replace("10.99.0.1", address), peak(9) + f"-H Connection:close -c 60 --rate {dice.randint(40, 70)}/s {engine(dice)}"
                      "--get /items --get /prices", inside, truth=Truth(
                lambda all: [("before", between(all, 0, at - 0.8).failed, 0, 0), ("away", between(all, at + 0.3, at + length - 0.7).failed, 1, 1),
                             ("after", between(all, at + length + 0.5, 8).failed, 0, 0)], close=True, users=3, think=0.05, seconds=8))


@cause("a filter in the network resets connections in which a certain word passes, and one of twelve articles has it", "resets", "steady-failures",
       meaning="a constant share is reset")
def word_that_is_filtered(dice: Random) -> Iterator[Bed]:
    bad = dice.randint(1, 12)

    async def answer(asked: Asked) -> bool:
        await some(8, 24)
        if asked.path != f"/articles/{bad}":
            return await asked.say(b"x" * 3000)
        asked.reset()
        return False

    with answering(answer) as url:
        yield Bed(url, peak(8) + f"-c 60 --rate '{dice.randint(70, 120)} journeys/s' {engine(dice)}", plan="""
scenarios:
  - name: read
    steps:
      - get: "/articles/{random:1..12}"
        name: GET /articles/NUMBER
""", truth=Truth(lambda all: [("bad", all.of(f"/articles/{bad}").failed, 1, 1), ("others", all.of(f"/articles/{bad % 12 + 1}").failed, 0, 0)],
                 paths=(f"/articles/{bad}", f"/articles/{bad % 12 + 1}")))


@cause("HAProxy wants to see a certificate of its clients, who have none, and ends the TLS handshake", "no-tls", "always-closed",
       meaning="no handshake succeeds")
def handshake_without_certificate(dice: Random) -> Iterator[Bed]:
    with tempfile.TemporaryDirectory() as folder, server.go(rule(ms=(5, 12))) as behind:
        key, cert = server.certificate(folder)
        both = Path(folder, "both.pem")
        both.write_text(Path(cert).read_text() + Path(key).read_text())
        with server.haproxy(f"listen all\n  bind LISTEN ssl crt {both} verify required ca-file {cert}\n  server one {behind[7:-1]}") as url:
            yield Bed(f"https{url[4:]}", peak(3) + f"-k --keep-going -c {dice.randint(5, 12)} --think 50ms {engine(dice)}--get /items", probe=lambda: [
                ("without", took([], "curl", "-skf", f"https{url[4:]}"), -1, -1),
                ("with", took([], "curl", "-skf", "--cert", cert, "--key", key, f"https{url[4:]}"), 0, 3000)])


@contextlib.contextmanager
def mosquitto(options: str = "", files: dict[str, str] | None = None) -> Iterator[int]:
    """The port of a broker for MQTT with these options, in which FOLDER has these files."""
    program = shutil.which("mosquitto", path=os.environ["PATH"] + ":/usr/sbin")
    if program is None:
        raise faults.Impossible("no mosquitto")
    port = faults.free_port()
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (files or {}).items():
            Path(folder, name).write_text(text)
        Path(folder, "mosquitto.conf").write_text(
            f"user root\nallow_anonymous true\n{options.replace('FOLDER', folder)}\nlistener {port} 127.0.0.1\n")
        with subprocess.Popen([program, "-c", f"{folder}/mosquitto.conf"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            try:
                faults.wait_for(port)
                yield port
            finally:
                process.kill()


def relayed(port: int, topic: str = "rooms/1", length: int = 20) -> bool:
    """Whether a broker passes a message of such a length on."""
    of_topic = len(topic).to_bytes(2, "big") + topic.encode()
    rest = len(of_topic) + length
    with contextlib.ExitStack() as stack, contextlib.suppress(OSError):
        two = [stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=0.5)) for _ in range(2)]
        for number, one in enumerate(two):
            one.sendall(b"\x10\x0e\0\4MQTT\4\2\0\0\0\2a" + bytes([48 + number]))
            if len(one.recv(4)) < 4:
                return False
        two[0].sendall(b"\x82" + bytes([len(of_topic) + 3]) + b"\0\1" + of_topic + b"\0")
        two[0].recv(5)
        two[1].sendall(b"\x30" + (bytes([rest]) if rest < 128 else bytes([rest % 128 | 128, rest // 128])) + of_topic + b"m" * length)
        return two[0].recv(100_000).startswith(b"\x30")
    return False


@cause("a broker for MQTT lets a test's users read their topics, but not write to them, and says nothing of that", "never-delivered",
       meaning="no message arrives")
def topic_is_not_allowed(dice: Random) -> Iterator[Bed]:
    with mosquitto("acl_file FOLDER/acl", {"acl": "topic read rooms/#\ntopic readwrite halls/#\n"}) as port:
        yield Bed(f"mqtt://127.0.0.1:{port}/rooms/{{pair}}", peak(4) + f"--timeout {dice.randint(800, 1200)}ms --qos {dice.randint(0, 1)} "
                  f"-c {dice.randint(8, 20)} --rate '{dice.randint(20, 60)} messages/s'",
                  probe=lambda: [("rooms", relayed(port), 0, 0), ("halls", relayed(port, "halls/1"), 1, 1)])


@cause("a balancer before a broker for MQTT lets 16 to 22 connections through, and a test opens nearly twice as many", "connection-limit", "never-accepted",
       "steady-failures", "always-closed", meaning="there is a limit of connections")
def places_of_a_broker(dice: Random) -> Iterator[Bed]:
    most = dice.randint(8, 11)
    with mosquitto() as behind, server.haproxy(
            f"listen all\n  mode tcp\n  bind LISTEN\n  tcp-request connection reject if {{ fe_conn gt {2 * most} }}\n  server one 127.0.0.1:{behind}") as url:
        port = server.port(url)

        def claims() -> list[Claim]:
            with contextlib.ExitStack() as stack:
                for _ in range(2 * most - 1):
                    stack.enter_context(socket.create_connection(("127.0.0.1", port)))
                return [("when all are taken", relayed(port), 0, 0)]

        yield Bed(f"mqtt://127.0.0.1:{port}/rooms/{{pair}}", peak(7) + f"--timeout 1s -c {2 * most - dice.randint(0, 3)} "
                  f"--rate '{dice.randint(60, 120)} messages/s'", probe=lambda: [("at first", relayed(port), 1, 1), *claims()])


@cause("a broker for MQTT ends connections that send more than 4 kB at once, and a test's messages are longer", "always-closed", "never-delivered",
       meaning="no message arrives")
def messages_too_long(dice: Random) -> Iterator[Bed]:
    size = dice.randint(5000, 9000)
    with mosquitto("max_packet_size 4096") as port:
        yield Bed(f"mqtt://127.0.0.1:{port}/rooms/{{pair}}", peak(5) + f"--timeout 1s --message-size {size} -c {dice.randint(8, 20)} "
                  f"--rate '{dice.randint(20, 60)} messages/s'", probe=lambda: [
            ("long", relayed(port, length=size), 0, 0), ("short", relayed(port, length=3000), 1, 1)])


# Healthy, though it may look otherwise.


@clean("messages by MQTT, with QoS 1")
def messages_by_mqtt(dice: Random) -> Iterator[Bed]:
    with mosquitto() as port:
        yield Bed(f"mqtt://127.0.0.1:{port}/rooms/{{pair}}", peak(7) + f"--qos 1 -c {dice.randint(10, 30)} --message-size {dice.randint(100, 3000)} "
                  f"--rate '{dice.randint(40, 120)} messages/s' {dice.choice(('', '--arrivals poisson '))}", probe=lambda: [("arrives", relayed(port), 1, 1)])


@clean("files of 1 to 60 kB by Apache, which ends each connection after 100 responses, and says so")
def files_by_apache(dice: Random) -> Iterator[Bed]:
    with apache("MaxKeepAliveRequests 100", files={"index": 1000, "style": 12_000, "picture": 60_000}) as url:
        yield Bed(url, peak(7) + f"-c {dice.randint(12, 24)} --think 20ms..60ms {engine(dice)}--get /index --get /style --get /picture", truth=Truth(
            lambda all: [("failed", all.failed, 0, 0), ("first of a connection", all.share(lambda one: one.nth == 1), 0.008, 0.1)],
            paths=("/index", "/style"), users=5, seconds=4))


@clean("a service that stores and reads orders in Postgres, with ten connections")
def orders_in_postgres(dice: Random) -> Iterator[Bed]:
    with postgres("create table orders (id serial primary key, what text)") as port:
        database = Database(port, 10)

        async def answer(asked: Asked) -> bool:
            failed = await database.ask("insert into orders (what) values ('one')" if asked.method == "POST"
                                        else "select what from orders order by id desc limit 5")
            await some(6, 20)
            return await asked.say(failed.encode() or b"ok", 500 if failed else 200)

        with answering(answer) as url:
            yield Bed(url, peak(7) + model(dice, (60, 110)) + "--get /orders --post /orders --body order")


@clean("transfers between 40 accounts in Postgres, which the service repeats when they conflict")
def repeated_transfers(dice: Random) -> Iterator[Bed]:
    with postgres("create table accounts (id int primary key, amount int)", "insert into accounts select n, 100 from generate_series(1, 40) n",
                  default_transaction_isolation="repeatable read") as port:
        database = Database(port)

        async def answer(asked: Asked) -> bool:
            account, failed = random.randint(1, 40), ""
            for _ in range(9):
                failed = await database.ask(f"begin; select amount from accounts where id = {account}",
                                            f"update accounts set amount = amount + 1 where id = {account}; commit", pause=random.uniform(6, 16))
                if not failed:
                    break
            return await asked.say(failed.encode() or b"done", 500 if failed else 200)

        with answering(answer) as url:
            yield Bed(url, peak(7) + f"-c {dice.randint(8, 14)} --think 40ms..120ms {engine(dice)}--post /transfers --body ten", truth=Truth(
                lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 6, 40)], method="POST", body=3))


@clean("files of 2 to 80 kB by lighttpd")
def files_by_lighttpd(dice: Random) -> Iterator[Bed]:
    program = shutil.which("lighttpd", path=os.environ["PATH"] + ":/usr/sbin")
    if program is None:
        raise faults.Impossible("no lighttpd")
    port = faults.free_port()
    with tempfile.TemporaryDirectory() as folder:
        for name, length in (("page", 2000), ("script", 20_000), ("picture", 80_000)):
            Path(folder, name).write_bytes(b"x" * length)
        file = Path(folder, "lighttpd.conf")
        file.write_text(f'server.document-root = "{folder}"\nserver.bind = "127.0.0.1"\nserver.port = {port}\nserver.errorlog = "{folder}/error.log"\n')
        with subprocess.Popen([program, "-D", "-f", file], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            try:
                faults.wait_for(port)
                yield Bed(f"http://127.0.0.1:{port}/", peak(7) + model(dice, (80, 150)) + "--get /page --get /script --get /picture",
                          truth=Truth(lambda all: [("200", all.status(200), 1, 1)], paths=("/page", "/picture")))
            finally:
                process.kill()


@clean("a mock that answers after 5 to 400 ms, as a test asks for")
def delays_as_asked_for(dice: Random) -> Iterator[Bed]:
    most = dice.randint(200, 400)
    with of_time(lambda _, asked: float(asked.path.rpartition("/")[2] or 0)) as url:
        yield Bed(url, peak(8) + f"-c 60 --rate '{dice.randint(40, 80)} journeys/s' {engine(dice)}", plan=f"""
scenarios:
  - name: wait
    steps:
      - get: "/delay/{{random:5..{most}}}"
        name: GET /delay/MS
""", truth=Truth(lambda all: [("20", all.of("/delay/20").median, 20, 40), ("200", all.of("/delay/200").median, 200, 230)], paths=("/delay/20", "/delay/200")))


@clean("a mock of failures, whose 500, 503, 418 and 404 are what a test asks for and expects")
def failures_as_asked_for(dice: Random) -> Iterator[Bed]:
    async def answer(asked: Asked) -> bool:
        await some(4, 18)
        return await asked.say(b"as you wish", int(asked.path.rpartition("/")[2] or 200))

    steps = " ".join(f"--get /status/{status} --expect status={status}" for status in (200, 500, 503, 418, 404))
    with answering(answer) as url:
        yield Bed(url, peak(7) + model(dice, (80, 140)) + steps, probe=lambda: [
            (str(status), said(url, f"/status/{status}")[0], status, status) for status in (200, 500, 418)])


@clean("journeys that go on in one of two ways, as what is looked at is in stock or not")
def one_of_two_ways(dice: Random) -> Iterator[Bed]:
    async def answer(asked: Asked) -> bool:
        await (some(25, 60) if asked.method == "POST" else some(5, 18))
        return await asked.say(f'{{"stock": {random.choice((0, 0, 3, 7))}}}'.encode())

    with answering(answer) as url:
        yield Bed(url, peak(8) + f"-c {dice.randint(14, 26)} {engine(dice)}", plan="""
scenarios:
  - name: look
    steps:
      - get: /items/7
        extract: {stock: "json:/stock"}
      - think: 40ms..140ms
      - when: "{stock} > 0"
        steps:
          - post: /cart
            json: {item: 7}
          - think: 40ms..140ms
      - when: "{stock} == 0"
        steps:
          - get: /alternatives
          - think: 20ms..60ms
          - get: /alternatives/2
          - think: 40ms..140ms
""")


@clean("lists whose every entry a test checks, at a rate")
def checked_entries(dice: Random) -> Iterator[Bed]:
    entries = [{"id": number, "name": f"item {number}", "price": dice.randint(1, 99)} for number in range(dice.randint(20, 80))]
    body = json.dumps({"items": entries, "total": len(entries)}).encode()

    async def answer(asked: Asked) -> bool:
        await some(8, 24)
        return await asked.say(body)

    with answering(answer) as url:
        yield Bed(url, peak(7) + f"-c 50 --rate {dice.randint(40, 80)}/s {engine(dice)}--get /items --expect 'json:/total={len(entries)} "
                  f"count:json:/items/*={len(entries)} jsonpath:$.items[3].id=3 body~price' --get /prices --expect 'size>100 json:/items/0/price>0'")


@clean("HAProxy before two Go servers, whose queue a test reads: it is empty")
def empty_queue_is_read(dice: Random) -> Iterator[Bed]:
    rules = [rule(method="POST", ms=(14, 36)), rule(ms=(7, 22))]
    with server.go(*rules) as one, server.go(*rules) as two, server.haproxy(
            "frontend all\n  bind LISTEN\n  http-request use-service prometheus-exporter if { path /metrics }\n  default_backend both\n"
            f"backend both\n  server a {one[7:-1]} maxconn 40\n  server b {two[7:-1]} maxconn 40") as url:
        yield Bed(url, peak(7) + model(dice, (70, 120)) + f"--server-metrics /metrics {ITEMS_AND_ORDERS}")


@clean("a Tomcat with 24 to 32 threads, of which a third are busy, whose figures a test reads")
def third_of_the_threads(dice: Random) -> Iterator[Bed]:
    size, ms = dice.randint(24, 32), dice.randint(60, 100)
    with faults.target("--max-threads", str(size)) as url:
        yield Bed(url, peak(7, 2) + f"-c 60 --rate {round(size / 3 * 1000 / ms)}/s {engine(dice)}--get /delay?ms={ms} --server-metrics /metrics.json")


@clean("users whose requests carry 4 to 7 kB of cookies")
def heavy_cookies(dice: Random) -> Iterator[Bed]:
    cookie = "; ".join(f"part{number}={'v' * 500}" for number in range(dice.randint(8, 13)))
    with server.go(rule(method="POST", ms=(14, 36)), rule(ms=(6, 20), bytes=900)) as url:
        yield Bed(url, peak(7) + model(dice, (70, 120)) + f"-H 'Cookie: {cookie}' {ITEMS_AND_ORDERS}")


@clean("nginx keeps each of twelve pages for a second, and a page takes 8 to 16 ms to make")
def pages_kept_for_a_second(dice: Random) -> Iterator[Bed]:
    pages = " ".join(f"--get /pages/{number}" for number in range(12))
    with tempfile.TemporaryDirectory() as folder, server.go(rule(ms=(8, 16), bytes=4000)) as behind, faults.nginx(
            f"proxy_cache_path {folder} keys_zone=pages:1m;",
            f"location / {{ proxy_cache pages; proxy_cache_valid 200 1s; proxy_pass {behind[:-1]}; }}") as url:
        os.chmod(folder, 0o777)
        yield Bed(url, peak(7) + f"{model(dice, (90, 160))}{pages}", truth=Truth(
            lambda all: [("failed", all.failed, 0, 0), ("made", all.slower(7), 0.005, 0.5), ("slowest", all.slowest, 8, 120)]))


@clean("each message in a room is for two or three others")
def several_receivers(dice: Random) -> Iterator[Bed]:
    with rooms() as url:
        yield Bed(f"ws{url[4:]}rooms/{{pair}}", peak(7) + f"--subscribers {dice.randint(2, 3)} -c {dice.randint(8, 16)} "
                  f"--rate '{dice.randint(30, 80)} messages/s'", probe=lambda: [("heard", heard(url, 3), 1, 1)])


@clean("a server ends connections that are idle for 0.3 to 0.5 s, and users pause for 1.2 to 2.5 s each time")
def closed_long_before(dice: Random) -> Iterator[Bed]:
    with server.go(option(idle=dice.randint(300, 500)), rule(method="POST", ms=(14, 36)), rule(ms=(6, 20))) as url:
        yield Bed(url, peak(9) + f"-c {dice.randint(60, 100)} --think 1200ms..2500ms {engine(dice)}{ITEMS_AND_ORDERS}")


@clean("nginx before HAProxy before a Node server")
def one_proxy_after_the_other(dice: Random) -> Iterator[Bed]:
    with server.node(rule(method="POST", ms=(14, 40)), rule(ms=(7, 24), bytes=2500)) as behind, server.haproxy(
            f"listen all\n  bind LISTEN\n  server one {behind[7:-1]}") as second, faults.nginx(
                f"upstream next {{ server {second[7:-1]}; keepalive 64; }}",
                'location / { proxy_http_version 1.1; proxy_set_header Connection ""; proxy_pass http://next; }') as url:
        yield Bed(url, peak(7) + model(dice, (70, 120)) + ITEMS_AND_ORDERS)


@clean("a laboratory's service, whose every answer takes 2.4 to 3 s, as its instrument measures for that long")
def instrument_that_measures(dice: Random) -> Iterator[Bed]:
    with server.python(rule(ms=(2400, 3000), bytes=400)) as url:
        yield Bed(url, f"--phases warmup=1:for:3s,peak=1:for:10s -c 60 --rate {dice.randint(6, 12)}/s {engine(dice)}{dice.choice(('', '--arrivals poisson '))}"
                  "--get /samples/1 --get /samples/2", truth=Truth(lambda all: [("median", all.median, 2400, 3050), ("failed", all.failed, 0, 0)], seconds=3))


@clean("carts that get longer with each item, which takes 4 to 6 ms more, and are emptied at a visit's end")
def carts_get_longer(dice: Random) -> Iterator[Bed]:
    each = pick(dice, 4, 6)
    carts: dict[str, int] = {}

    async def answer(asked: Asked) -> bool:
        carts[asked.path] = 0 if asked.method == "DELETE" else carts.get(asked.path, 0) + 1
        await some(6 + each * carts[asked.path], 14 + each * carts[asked.path])
        return await asked.say(json.dumps({"items": carts[asked.path]}).encode())

    with answering(answer) as url:
        yield Bed(url, peak(8) + f"-c {dice.randint(14, 24)} {engine(dice)}", plan="""
scenarios:
  - name: visit
    steps:
      - repeat: 7
        steps:
          - post: "/carts/{user}"
            name: POST /carts/USER
            json: {item: "{random:1..900}"}
          - think: 20ms..90ms
      - delete: "/carts/{user}"
        name: DELETE /carts/USER
      - think: 50ms..200ms
""", probe=lambda: [("items", json.loads(said(url, "/carts/x", method)[1])["items"], number, number)
                    for method, number in (("POST", 1), ("POST", 2), ("DELETE", 0), ("POST", 1))])


@clean("a server ends a connection after each 404, and says so; one in twelve items isn't there, which a test expects")
def ends_after_404(dice: Random) -> Iterator[Bed]:
    async def answer(asked: Asked) -> bool:
        await some(6, 20)
        if asked.path != "/items/7":
            return await asked.say(b"x" * 600)
        asked.writer.write(b"HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 4\r\n\r\nnone")
        return False

    with answering(answer) as url:
        yield Bed(url, peak(7) + f"-c 60 --rate '{dice.randint(60, 110)} journeys/s' {engine(dice)}", plan="""
scenarios:
  - name: look
    steps:
      - get: "/items/{random:1..12}"
        name: GET /items/NUMBER
        checks: status=200,404
""", probe=lambda: [("seven", said(url, "/items/7")[0], 404, 404), ("six", said(url, "/items/6")[0], 200, 200)])


@clean("an order that is sent twice is one order: 201, then 200")
def sent_twice_is_one(dice: Random) -> Iterator[Bed]:
    known: set[bytes] = set()

    async def answer(asked: Asked) -> bool:
        new = asked.method == "POST" and asked.body not in known
        known.add(asked.body)
        await (some(20, 45) if new else some(5, 16))
        return await asked.say(status=201 if new else 200)

    with answering(answer) as url:
        yield Bed(url, peak(8) + f"-c {dice.randint(14, 26)} {engine(dice)}", plan="""
scenarios:
  - name: buy
    steps:
      - get: /items
      - think: 30ms..100ms
      - post: /orders
        name: order
        json: {order: "{user}-{iteration}"}
        checks: status=201
      - think: 30ms..100ms
      - post: /orders
        name: the same order
        json: {order: "{user}-{iteration}"}
        checks: status=200
      - think: 30ms..100ms
""", probe=lambda: [("first", said(url, "/orders", "POST", b"one")[0], 201, 201), ("second", said(url, "/orders", "POST", b"one")[0], 200, 200)])
