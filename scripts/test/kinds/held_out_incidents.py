"""
A set from what published incident reports say (most of https://github.com/danluu/post-mortems), played at the size of a test.

No rule was tuned on it before its first score. It was written by somebody who knew the rules, so it counts less than the sets before.
The ids of a fault are those that an expert would accept as the first finding.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import behaviours as server
import faults
from asking import Truth
from behaviours import option, rule
from kinds import Bed, cause, clean, engine, model, peak, pick, users
from kinds.held_out_fifth import Clock
from kinds.held_out_fourth import between
from kinds.held_out_second import Asked, answering, reset, some
from kinds.held_out_seventh import later, rows
from kinds.held_out_third import of_haproxy


def of_rows(file: str, what: str) -> str:
    """A plan whose only operation has another row in its path each time."""
    return f"""
data:
  rows: {{csv: {file}}}
scenarios:
  - name: look
    steps:
      - get: "/{what}/{{rows.number}}"
        name: GET /{what}
"""


# Something goes wrong at a moment.


@cause("a deployment makes wrong addresses of downloads: from a moment on, each is 403", "outage", "steady-failures", meaning="one operation fails from then on")
def wrong_download_addresses(dice: Random) -> Iterator[Bed]:
    at, clock = pick(dice, 3.2, 4.6), Clock()

    async def answer(asked: Asked) -> bool:
        now = clock()
        await some(5, 15)
        return await (asked.say(b"AccessDenied", 403) if asked.path == "/downloads" and now > at else asked.say(b"x" * 4000))

    with answering(answer) as url:
        yield Bed(url, peak(8) + model(dice, (80, 140)) + "--get /index --get /downloads", truth=Truth(
            lambda all: [("before", between(all, 0, at - 0.1).failed, 0, 0), ("downloads", between(all, at + 0.1, 8).of("/downloads").status(403), 1, 1)],
            seconds=7, paths=("/index", "/downloads")))


@cause("a balancer forgets its routes for 1.5 to 2.2 s: 404 for everything", "outage", meaning="nothing succeeds for a while")
def routes_forgotten(dice: Random) -> Iterator[Bed]:
    at, clock = pick(dice, 3, 4), Clock()
    end = at + pick(dice, 1.5, 2.2)

    async def answer(asked: Asked) -> bool:
        now = clock()
        if at < now < end:
            return await asked.say(b"not found", 404)
        await some(8, 25)
        return await asked.say()

    with answering(answer) as url:
        yield Bed(url, peak(8) + model(dice, (80, 140)) + "--get /items --get /prices --post /orders --body order", truth=Truth(
            lambda all: [("meanwhile", between(all, at + 0.1, end - 0.1).status(404), 1, 1), ("after", between(all, end + 0.1, 8).failed, 0, 0)], seconds=7))


@cause("a service of quotas gets a wrong configuration: from a moment on, each request is 429", "outage", "rate-limit", meaning="nothing succeeds from then on")
def quota_of_zero(dice: Random) -> Iterator[Bed]:
    at, clock = pick(dice, 3.5, 5), Clock()

    async def answer(asked: Asked) -> bool:
        if clock() > at:
            return await asked.say(b"quota exceeded", 429)
        await some(8, 25)
        return await asked.say()

    with answering(answer) as url:
        yield Bed(url, peak(8) + model(dice, (80, 140)) + "--get /items --get /prices", truth=Truth(
            lambda all: [("before", between(all, 0, at - 0.1).failed, 0, 0), ("then", between(all, at + 0.1, 8).status(429), 1, 1)], seconds=7))


@cause("replicas get stuck: from a moment on, a third of the reads is never answered", "unanswered", "steady-failures", meaning="requests are lost or stuck")
def stuck_replicas(dice: Random) -> Iterator[Bed]:
    at, clock = pick(dice, 3, 4), Clock()

    async def answer(asked: Asked) -> bool:
        stuck = asked.method == "GET" and clock() > at and random.random() < 1 / 3
        await (asyncio.sleep(30) if stuck else some(6, 18))
        return await asked.say()

    with answering(answer) as url:
        yield Bed(url, peak(9) + f"-c 200 --rate {dice.randint(60, 100)}/s {engine(dice)}--timeout 900ms --get /items --get /prices --post /orders --body order",
                  truth=Truth(lambda all: [("before", between(all, 0, at - 0.1).failed, 0, 0), ("stuck", between(all, at + 0.1, 8).status(0), 0.15, 0.6)],
                              seconds=8, users=15, timeout=1))


@cause("two of three instances are lost at a moment, and the last one can't carry the load", "drift", "slow-period", "saturation", "timeout-too-short",
       "overload", "serial-work", "outage", "gives-up", meaning="it can't carry the load from then on")
def capacity_lost(dice: Random) -> Iterator[Bed]:
    at, clock, ms = pick(dice, 3, 3.8), Clock(), pick(dice, 24, 30)
    workers = asyncio.Semaphore(6)
    held = 0

    async def answer(asked: Asked) -> bool:
        nonlocal held
        while clock() > at and held < 4:
            held += 1
            await workers.acquire()
        async with workers:
            await some(0.8 * ms, 1.2 * ms)
        return await asked.say()

    with answering(answer) as url:
        yield Bed(url, peak(8) + f"-c 400 --rate {round(3.2 * 1000 / ms)}/s {engine(dice)}--timeout 8s --get /items --get /prices", truth=Truth(
            lambda all: [("before", between(all, 0.5, at - 0.2).median, ms / 2, 4 * ms), ("after", between(all, at + 1, 7).median, 3 * ms, 40 * ms)],
            seconds=7, users=16, think=0))


@cause("a route moves: for 1.6 to 2.4 s, 4 to 8 % of the packets are lost", "packet-loss", "slow-period", meaning="packets are lost for a while")
def route_moves(dice: Random) -> Iterator[Bed]:
    share = dice.randint(40, 80)
    with faults.network("nft add table ip t && nft add chain ip t c '{ type filter hook input priority 0 ; policy accept ; }'") as inside, \
            server.go(rule(ms=(4, 10), bytes=3000), under=inside) as url:
        def lose() -> None:
            drop = ["nft", "add", "rule", "ip", "t", "c", "tcp", "sport", str(server.port(url)), "numgen", "random", "mod", "1000", "<", str(share), "drop"]
            subprocess.run([*inside, *drop], check=True)
            time.sleep(length)
            subprocess.run([*inside, "nft", "flush", "chain", "ip", "t", "c"], check=True)

        length = pick(dice, 1.6, 2.4)
        with later(4.5, lose):
            yield Bed(url, peak(8) + f"-c {dice.randint(15, 25)} --think 10ms..30ms {engine(dice)}--get /items --get /prices", inside, truth=Truth(
                lambda all: [("late", all.share(lambda one: one.ms > 195), 0.002, 0.1), ("median", all.median, 3, 40)], seconds=8, users=15))


@cause("a firewall's new rule lets no new connection in from a moment on, and each request makes one", "outage", "no-connection", "slow-connects",
       "new-connections", "connection-limit", meaning="no connection is made from then on")
def firewall_rule(dice: Random) -> Iterator[Bed]:
    with faults.network("nft add table ip t && nft add chain ip t c '{ type filter hook input priority 0 ; policy accept ; }'") as inside, \
            server.go(rule(ms=(4, 12)), under=inside) as url:
        def block() -> None:
            subprocess.run([*inside, "nft", "add", "rule", "ip", "t", "c", "tcp", "dport", str(server.port(url)), "tcp", "flags", "syn", "drop"], check=True)

        with later(5, block):
            yield Bed(url, peak(8) + f"-H Connection:close --connect-timeout 700ms -c {dice.randint(8, 16)} --think 30ms..60ms {engine(dice)}"
                      "--get /items --get /prices", inside)


@cause("a program crashes 1.2 to 1.8 s after each start, as a file of its configuration is too long", "restarts", "outage", meaning="it restarts again and again")
def crash_loop(dice: Random) -> Iterator[Bed]:
    up, down = pick(dice, 1.2, 1.8), pick(dice, 0.3, 0.6)
    open_writers: set[asyncio.StreamWriter] = set()
    clock = Clock()

    async def answer(asked: Asked) -> bool:
        await some(5, 15)
        if clock() % (up + down) > up:
            for one in list(open_writers):
                reset(one)
            open_writers.clear()
            return False
        return await asked.say()

    def opened(writer: asyncio.StreamWriter) -> None:
        if clock() % (up + down) > up:
            reset(writer)
        else:
            open_writers.add(writer)

    with answering(answer, opened) as url:
        yield Bed(url, peak(9) + f"-c {dice.randint(8, 16)} --think 15ms..40ms {engine(dice)}--get /items --get /prices", truth=Truth(
            lambda all: [("lost", all.failed, 0.02, 0.7)], seconds=8))


@cause("a service of tokens is broken for 1.4 to 2 s: 403 for what needs one, while pages that need none go on", "outage", meaning="some operations fail for a while")
def tokens_are_refused(dice: Random) -> Iterator[Bed]:
    at, clock = pick(dice, 3, 4), Clock()
    end = at + pick(dice, 1.4, 2)

    async def answer(asked: Asked) -> bool:
        now = clock()
        await some(5, 15)
        return await (asked.say(b"invalid token", 403) if asked.path != "/news" and at < now < end else asked.say())

    with answering(answer) as url:
        yield Bed(url, peak(8) + f"-c 60 --rate {dice.randint(90, 150)}/s {engine(dice)}-H 'Authorization: Bearer abc' --get /news --get /account --post /orders --body order",
                  truth=Truth(lambda all: [("meanwhile", between(all, at + 0.1, end - 0.1).of("/account").status(403), 1, 1), ("news", all.of("/news").failed, 0, 0)],
                              seconds=7, paths=("/news", "/account")))


@cause("a hosted database reaches the largest size of a file: from a moment on nothing can be stored, 500", "outage", "steady-failures",
       meaning="one operation fails from then on")
def file_of_two_terabytes(dice: Random) -> Iterator[Bed]:
    rows = dice.randint(90, 140)
    stored = 0

    async def answer(asked: Asked) -> bool:
        nonlocal stored
        await some(6, 20)
        stored += asked.method == "POST"
        return await (asked.say(b"File too large", 500) if asked.method == "POST" and stored > rows else asked.say())

    with answering(answer) as url:
        yield Bed(url, peak(8) + f"-c 60 --rate 90/s {engine(dice)}--get /articles --post /articles --body article --get /tags")


@cause("a list of bad sites has / on it: every page leads to a warning", "redirects", "unfollowed-redirects", meaning="each response is a redirect")
def everything_is_bad(dice: Random) -> Iterator[Bed]:
    with server.node(rule(status=302, header="Location:/interstitial", ms=(3, 9))) as url:
        yield Bed(url, peak(5) + users(dice) + "--get /items --get /prices", truth=Truth(lambda all: [("302", all.status(302), 1, 1)]))


@cause("a random number is negative in 2 to 5 % of the requests, and the worker dies with its connection", "resets", "steady-failures", meaning="some requests are lost")
def negative_random_number(dice: Random) -> Iterator[Bed]:
    share = pick(dice, 0.02, 0.05)
    with server.go(rule(share=share, ms=(1, 3), end="reset"), rule(ms=(4, 14))) as url:
        yield Bed(url, peak(6) + model(dice) + "--get /names --get /records", truth=Truth(lambda all: [("lost", all.status(0), share / 3, 3 * share)]))


@cause("one of four servers has the old program, which doesn't know a new operation: 404 or 501", "steady-failures", meaning="one instance fails")
def one_old_server(dice: Random) -> Iterator[Bed]:
    status = dice.choice((404, 501))
    with contextlib.ExitStack() as stack:
        new = [stack.enter_context(server.go(rule(ms=(6, 16)))) for _ in range(3)]
        old = stack.enter_context(server.go(rule(path="/power-peg", status=status, ms=(2, 5)), rule(ms=(6, 16))))
        url = stack.enter_context(of_haproxy(*new, old))
        yield Bed(url, peak(6) + model(dice, (100, 160)) + "--get /quotes --post /power-peg --body order --get /orders", truth=Truth(
            lambda all: [("refused", all.of("/power-peg").status(status), 0.1, 0.4), ("else", all.of("/quotes").failed, 0, 0)], paths=("/quotes", "/power-peg", "/orders")))


@cause("disks of one zone are slow: a third of the accounts take 150 to 300 ms more", "two-speeds", meaning="some data is slow")
def slow_zone(dice: Random) -> Iterator[Bed]:
    ms = dice.randint(150, 300)

    async def answer(asked: Asked) -> bool:
        await (some(ms, ms + 40) if int(asked.path.rpartition("/")[2] or 1) % 3 == 0 else some(6, 18))
        return await asked.say()

    with answering(answer) as url, rows("number", [str(number) for number in range(1, 400)]) as file:
        yield Bed(url, peak(6) + f"-c 40 --rate '{dice.randint(80, 130)} journeys/s' {engine(dice)}", plan=of_rows(file, "accounts"))


@cause("health checks flap: three times, no instance gets requests for 0.5 to 0.8 s, 503", "restarts", "outage", "load-shedding", meaning="it is away now and then")
def flapping_checks(dice: Random) -> Iterator[Bed]:
    clock, length = Clock(), pick(dice, 0.5, 0.8)
    times = [pick(dice, low, low + 0.8) for low in (1.8, 4, 6.2)]

    async def answer(asked: Asked) -> bool:
        if any(at < clock() < at + length for at in times):
            return await asked.say(b"no server is available", 503)
        await some(10, 30)
        return await asked.say()

    with answering(answer) as url:
        yield Bed(url, peak(9) + f"-c 60 --rate {dice.randint(80, 140)}/s {engine(dice)}--get /items --get /prices --post /orders --body order", truth=Truth(
            lambda all: [("503", all.status(503), 0.05, 0.5)], seconds=8))


@cause("a list of rules is loaded at a moment: each request then compares 5 to 8 ms longer, on one thread", "drift", "saturation", "slow-period",
       "serial-work", meaning="it gets slower from then on")
def more_rules(dice: Random) -> Iterator[Bed]:
    at, clock, more = pick(dice, 3, 4), Clock(), pick(dice, 5, 8)
    lock = asyncio.Lock()

    async def answer(asked: Asked) -> bool:
        async with lock:
            await asyncio.sleep(more / 1000 if clock() > at else 0)
        await some(4, 10)
        return await asked.say()

    with answering(answer) as url:
        yield Bed(url, peak(8) + f"-c {dice.randint(20, 30)} {engine(dice)}--get /items --get /prices", truth=Truth(
            lambda all: [("before", between(all, 0, at - 0.2).median, 3, 30), ("after", between(all, at + 0.2, 7).median, 40, 400)], seconds=7, users=20, think=0))


@cause("a cluster of caches scales down, and most look-ups miss for 1.5 to 2.5 s: each then takes 120 to 200 ms", "slow-period", meaning="it is slow for a while")
def cold_caches(dice: Random) -> Iterator[Bed]:
    at, clock, ms = pick(dice, 3, 4), Clock(), dice.randint(120, 200)
    end = at + pick(dice, 1.5, 2.5)

    async def answer(asked: Asked) -> bool:
        await (some(ms, ms + 60) if at < clock() < end and random.random() < 0.8 else some(4, 12))
        return await asked.say()

    with answering(answer) as url:
        yield Bed(url, peak(9) + f"-c 80 --rate {dice.randint(80, 140)}/s {engine(dice)}--get /items --get /prices", truth=Truth(
            lambda all: [("meanwhile", between(all, at + 0.1, end - 0.1).median, 100, 400), ("else", between(all, 0, at - 0.1).median, 3, 30)], seconds=8))


@cause("a job asks for all keys of a single-threaded store every 1.1 to 1.6 s, for 180 to 260 ms", "periodic-stalls", "standstill", meaning="all stands still now and then")
def all_keys(dice: Random) -> Iterator[Bed]:
    period, length = pick(dice, 1.1, 1.6), pick(dice, 0.18, 0.26)
    clock = Clock()

    async def answer(asked: Asked) -> bool:
        since = clock() % period
        await asyncio.sleep(max(0.0, length - since))
        await some(2, 6)
        return await asked.say()

    with answering(answer) as url:
        yield Bed(url, peak(9) + f"-c 100 --rate {dice.randint(120, 200)}/s {engine(dice)}--get /sessions --get /carts", truth=Truth(
            lambda all: [("slow", all.slower(60), 0.005, 0.4), ("median", all.median, 2, 20)], seconds=7))


@cause("workers lose their connections to a broker, one after another, and each then answers 500", "growing-failures", "steady-failures", "drift", "failures-with-load",
       "outage", meaning="more and more fails")
def workers_lose_their_broker(dice: Random) -> Iterator[Bed]:
    clock, workers = Clock(), dice.randint(5, 7)
    first = pick(dice, 2, 3)

    async def answer(asked: Asked) -> bool:
        await some(6, 18)
        lost = max(0.0, (clock() - first) // 1.2 + 1)
        return await (asked.say(b"no broker", 500) if random.random() < min(0.9, lost / workers) else asked.say())

    with answering(answer) as url:
        yield Bed(url, peak(9) + f"-c 60 --rate {dice.randint(80, 140)}/s {engine(dice)}--post /jobs --body job --get /jobs")


@cause("an upload is stored at 2 to 3 MB a second, whoever sends it", "slow-uploads", "bandwidth", meaning="the time passes while bodies are sent")
def uploads_are_stored_slowly(dice: Random) -> Iterator[Bed]:
    rate, size = pick(dice, 2e6, 3e6), dice.randint(1_500_000, 2_500_000)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
                left = int(head.partition("content-length:")[2].split("\r\n")[0])
                while left > 0:
                    part = await reader.read(min(left, 32_768))
                    if not part:
                        return
                    left -= len(part)
                    await asyncio.sleep(len(part) / rate)
                writer.write(b"HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n")
                await writer.drain()

    with faults._listening(serve) as port, tempfile.NamedTemporaryFile() as body:  # noqa: SLF001
        Path(body.name).write_bytes(random.randbytes(size))
        yield Bed(f"http://127.0.0.1:{port}/", peak(14) + f"-c {dice.randint(6, 10)} {engine(dice)}--put /videos/7 --body @{body.name}", truth=Truth(
            lambda all: [("median", all.median, 300, 2500)], method="PUT", body=1_000_000, users=2, think=0))


# Healthy.


@clean("a day in nine seconds: the rate goes up and down, far below what is possible")
def nine_seconds_of_a_day(dice: Random) -> Iterator[Bed]:
    low, high = dice.randint(30, 50), dice.randint(120, 170)
    with server.go(rule(ms=(5, 20), bytes=900)) as url:
        yield Bed(url, f"--phases 'morning=1 for 4s at {low}/s..{high}/s, evening=1 for 4s at {high}/s..{low}/s' -c 60 {engine(dice)}--get /items --get /prices")


@clean("long polls beside short requests")
def long_polls_beside_others(dice: Random) -> Iterator[Bed]:
    async def answer(asked: Asked) -> bool:
        await (some(400, 900) if asked.path == "/news" else some(5, 18))
        return await asked.say()

    with answering(answer) as url:
        yield Bed(url, peak(7) + f"-c {dice.randint(15, 30)} --think 20ms..60ms {engine(dice)}--get /items --get /news --post /orders --body order")


@clean("ids of a list of which some are gone: 404 for one in twelve")
def one_in_twelve_is_gone(dice: Random) -> Iterator[Bed]:
    async def answer(asked: Asked) -> bool:
        await some(5, 18)
        return await (asked.say(b"gone", 404) if int(asked.path.rpartition("/")[2] or 1) % 12 == 5 else asked.say())

    with answering(answer) as url, rows("number", [str(dice.randrange(10_000)) for _ in range(3000)]) as file:
        yield Bed(url, peak(6) + f"-c 40 --rate '{dice.randint(80, 130)} journeys/s' {engine(dice)}", plan=of_rows(file, "items"))


@clean("answers of very different sizes and times, without a pattern")
def all_sizes(dice: Random) -> Iterator[Bed]:
    async def answer(asked: Asked) -> bool:
        await asyncio.sleep(random.lognormvariate(2.5, 0.7) / 1000)
        return await asked.say(b"x" * int(random.lognormvariate(8, 1.2)))

    with answering(answer) as url:
        yield Bed(url, peak(6) + model(dice, (80, 140)) + "--get /search --get /suggest")


@clean("TLS with connections that are kept, users who pause")
def kept_tls(dice: Random) -> Iterator[Bed]:
    with server.go(option(tls=1), rule(ms=(6, 22), bytes=2500)) as url:
        yield Bed(url, peak(7) + f"-k -c {dice.randint(15, 30)} --think 50ms..150ms {engine(dice)}--get /items --get /prices --post /orders --body order")


@clean("an instance is taken out and put back by HAProxy, after it has ended its work")
def drained_instance(dice: Random) -> Iterator[Bed]:
    with contextlib.ExitStack() as stack:
        urls = [stack.enter_context(server.go(rule(ms=(6, 20)))) for _ in range(3)]
        url = stack.enter_context(of_haproxy(*urls))
        yield Bed(url, peak(7) + model(dice, (80, 140)) + "--get /items --get /prices")


@clean("few requests, an operation of which takes 1.2 to 1.6 s each time")
def report_of_a_second(dice: Random) -> Iterator[Bed]:
    async def answer(asked: Asked) -> bool:
        await (some(1200, 1600) if asked.path == "/report" else some(5, 20))
        return await asked.say()

    with answering(answer) as url:
        yield Bed(url, peak(9) + f"-c 40 --rate {dice.randint(12, 20)}/s {engine(dice)}--get /items --get /report")


@clean("users who log in and are redirected, and follow it")
def followed_log_in(dice: Random) -> Iterator[Bed]:
    async def answer(asked: Asked) -> bool:
        await some(6, 20)
        if asked.path == "/login":
            asked.writer.write(b"HTTP/1.1 303 See Other\r\nLocation: /home\r\nContent-Length: 0\r\n\r\n")
            await asked.writer.drain()
            return True
        return await asked.say()

    with answering(answer) as url:
        yield Bed(url, peak(7) + f"-c {dice.randint(12, 24)} {engine(dice)}", plan="""
scenarios:
  - name: visit
    session: {cookies: true, redirects: 3}
    steps:
      - post: /login
        form: {user: me}
      - think: 30ms..80ms
      - get: /items
      - think: 30ms..80ms
""")


@clean("bursts of visitors at random times, with workers enough")
def visitors_in_bursts(dice: Random) -> Iterator[Bed]:
    with server.java(rule(pool=40, ms=(8, 20))) as url:
        yield Bed(url, peak(7) + f"-c 120 --rate {dice.randint(100, 160)}/s --arrivals poisson {engine(dice)}--get /items --get /prices")


@clean("small uploads beside pages, over a link that is fast enough")
def small_uploads(dice: Random) -> Iterator[Bed]:
    with tempfile.NamedTemporaryFile() as body, server.go(rule(ms=(5, 15))) as url:
        Path(body.name).write_bytes(random.randbytes(dice.randint(20_000, 60_000)))
        yield Bed(url, peak(7) + model(dice, (60, 100)) + f"--get /photos --post /photos --body @{body.name}")
