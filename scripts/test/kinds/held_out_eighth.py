"""
The eighth held-out set. Don't read on if you change rules.

No rule was tuned on it. Each kind is an incident of a real service, of a network or of a wrong test whose mechanism the earlier sets
don't have. The ids of a fault are those that an expert would accept as the first finding.
"""

from __future__ import annotations

import asyncio
import collections
import contextlib
import math
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import behaviours as server
import faults
from asking import Answers, Claim, Truth, took
from behaviours import option, rule
from kinds import Bed, cause, clean, engine, model, peak, pick, users
from kinds.held_out_fifth import Clock, of_time
from kinds.held_out_fourth import between, inline, sent
from kinds.held_out_second import Asked, answering, some
from kinds.held_out_seventh import later, rows, said
from kinds.held_out_sixth import echoing, frame, message_ms, reply
from kinds.held_out_third import of_haproxy


async def say_and_close(asked: Asked, body: bytes = b"ok") -> bool:
    """The last response of a connection, which says so."""
    asked.writer.write(f"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
    await asked.writer.drain()
    return False


def begin_stream(asked: Asked) -> None:
    asked.writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")


async def send_event(asked: Asked, data: str) -> None:
    event = f"data: {data}\n\n".encode()
    asked.writer.write(f"{len(event):x}\r\n".encode() + event + b"\r\n")
    await asked.writer.drain()


def end_stream(asked: Asked) -> bool:
    asked.writer.write(b"0\r\n\r\n")
    return True


# Databases and disks.


@cause("a database has moved, and each of 14 to 20 pooled connections fails the first query that uses it: 500", "restarts", "outage",
       meaning="a short burst of failures")
def stale_pool_after_failover(dice: Random) -> Iterator[Bed]:
    at, size = pick(dice, 3.6, 4.6), dice.randint(14, 20)
    free = collections.deque([False] * size)
    moved = False
    clock = Clock()

    async def answer(asked: Asked) -> bool:
        nonlocal moved
        if asked.path == "/page":
            await some(3, 9)
            return await asked.say()
        if clock() > at and not moved:
            moved = True
            free.clear()
            free.extend([True] * size)
        stale = free.popleft() if free else False
        await (some(1, 4) if stale else some(10, 25))
        free.append(False)
        return await (asked.say(b"the server closed the connection", 500) if stale else asked.say())

    with answering(answer) as url:
        yield Bed(url, peak(8) + f"-c 60 --rate {dice.randint(90, 150)}/s {engine(dice)}--get /items --post /orders --body order --get /page", truth=Truth(
            lambda all: [("before", between(all, 0, at - 0.1).failed, 0, 0), ("500", len(all.all) * all.status(500), size, size),
                         ("after", between(all, at + 1.5, 7).failed, 0, 0)], seconds=7))


@cause("a database takes 10 to 14 connections, and a script opens one for each request, which stays for 40 ms: 500 for more", "failures-with-load",
       meaning="it fails under load")
def too_many_connections(dice: Random) -> Iterator[Bed]:
    most = dice.randint(10, 14)
    opened = 0

    async def answer(asked: Asked) -> bool:
        nonlocal opened
        if asked.path == "/page":
            await some(3, 9)
            return await asked.say()
        await some(1, 4)
        if opened >= most:
            return await asked.say(b"FATAL: sorry, too many clients already", 500)
        opened += 1
        await some(12, 30)

        def closed() -> None:
            nonlocal opened
            opened -= 1

        asyncio.get_running_loop().call_later(0.04, closed)
        return await asked.say()

    with answering(answer) as url:
        yield Bed(url, f"--phases few=0.15:for:3s,peak=1:for:5s -c {dice.randint(24, 28)} --think 60ms..120ms {engine(dice)}"
                  "--get /items --post /orders --body order --get /page", truth=Truth(
            lambda all: [("500", all.status(500), 0.1, 0.8), ("200", all.status(200), 0.2, 0.9)], users=26, think=0.05))


@cause("a volume's credits are used up in the middle: then it stores 24 to 28 orders a second of 40, pages don't need it", "drift", "saturation",
       "slow-period", meaning="an operation gets slower")
def io_credits(dice: Random) -> Iterator[Bed]:
    rate, slow = dice.randint(38, 42), dice.randint(24, 28)
    credits = round(rate * pick(dice, 4, 4.8))
    disk = asyncio.Lock()

    async def answer(asked: Asked) -> bool:
        nonlocal credits
        if asked.method == "GET":
            await some(4, 12)
            return await asked.say()
        credits -= 1
        if credits >= 0:
            await some(8, 16)
        else:
            async with disk:
                await asyncio.sleep(1 / slow)
        return await asked.say()

    with answering(answer) as url:
        yield Bed(url, peak(8) + f"-c 250 --rate {2 * rate}/s {engine(dice)}--get /items --post /orders --body order", truth=Truth(
            lambda all: [("first", Answers(all.all[:100]).median, 7, 30), ("last", Answers(all.all[-30:]).median, 100, 1000)],
            users=8, think=0.05, method="POST", body=5, seconds=7))


@cause("reads of one item, half of all, exceed the 18 to 24 a second of its partition: 400", "rate-limit", "steady-failures",
       meaning="a limit of one key")
def hot_partition(dice: Random) -> Iterator[Bed]:
    most = dice.randint(18, 24)
    reads = 4 * most
    tokens, at = float(most), 0.0

    async def answer(asked: Asked) -> bool:
        nonlocal tokens, at
        await some(4, 14)
        if asked.path == "/items/7":
            now = time.monotonic()
            tokens, at = min(most, tokens + (now - at) * most), now
            if tokens < 1:
                return await asked.say(b'{"__type": "ProvisionedThroughputExceededException"}', 400)
            tokens -= 1
        return await asked.say(b'{"item": 1}')

    values = [str(7 if number % 2 else dice.randint(10, 999)) for number in range(400)]
    dice.shuffle(values)
    with rows("id", values) as file, answering(answer) as url:
        yield Bed(url, peak(7) + f"-c 80 --rate '{reads} journeys/s' {engine(dice)}{dice.choice(('', '--arrivals poisson '))}", plan=f"""
data:
  items: {{csv: {file}}}
scenarios:
  - name: item
    steps:
      - get: /search
      - get: "/items/{{items.id}}"
        name: GET /items/ID
""", truth=Truth(lambda all: [("of the hot one", all.of("/items/7").status(400), 0.2, 0.95), ("others", all.of("/items/8").failed, 0, 0)],
                 paths=("/items/7", "/items/8"), users=5, think=0.02))


@cause("a machine begins to swap: 50 to 120 ms more for a share that grows to 70 % within 4 s", "drift", "two-speeds", "slow-period",
       meaning="it gets slower")
def swapping(dice: Random) -> Iterator[Bed]:
    begin = pick(dice, 2.2, 3)

    def ms(now: float, asked: Asked) -> float:
        paged = random.random() < min(0.7, max(0.0, 0.7 * (now - begin) / 4))
        return (random.uniform(6, 14) if asked.method == "GET" else random.uniform(12, 24)) + (random.uniform(50, 120) if paged else 0)

    with of_time(ms) as url:
        yield Bed(url, peak(9) + f"-c 120 --rate {dice.randint(70, 120)}/s {engine(dice)}--get /items --post /orders --body order", truth=Truth(
            lambda all: [("before", between(all, 0, begin).slower(50), 0, 0.02), ("last", between(all, begin + 3.5, 9).slower(50), 0.5, 0.85)], seconds=8))


@cause("a search asks 10 to 14 shards, each of which takes 0.2 to 0.26 s for two in a hundred: one in four or five searches waits", "two-speeds",
       meaning="a share of an operation is slow")
def slowest_of_many_shards(dice: Random) -> Iterator[Bed]:
    shards, slow = dice.randint(10, 14), dice.randint(200, 240)

    async def answer(asked: Asked) -> bool:
        count = shards if asked.path == "/search" else 1
        await asyncio.gather(*(some(slow, slow + 20) if count > 1 and random.random() < 0.02 else some(6, 14) for _ in range(count)))
        return await asked.say()

    with answering(answer) as url:
        yield Bed(url, peak(8) + f"-c 100 --rate {dice.randint(70, 110)}/s {engine(dice)}--get /search --get /page", truth=Truth(
            lambda all: [("slow", all.slower(150), 0.1, 0.4)], paths=("/search",)))


# Pools, places and quotas.


@cause("a Go server may have 24 to 28 files open, and 36 to 44 users connect", "connection-limit", "unanswered", "failures-with-load",
       meaning="it has a limit of connections")
def files_of_the_server(dice: Random) -> Iterator[Bed]:
    most = dice.randint(24, 28)
    with server.go(rule(ms=(8, 24)), under=["sh", "-c", f'ulimit -n {most} && exec "$@"', "sh"]) as url:
        yield Bed(url, peak(7) + f"-c {dice.randint(36, 44)} --think 20ms..60ms --timeout {dice.randint(900, 1300)}ms {engine(dice)}--get /items --get /prices",
                  truth=Truth(lambda all: [("lost", all.share(lambda one: one.status == 0), 0.005, 0.5)], users=40, timeout=1, think=0.03))


BACKLOG = """
import os, random, socket, sys, threading, time
path, backlog, workers = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
listener = socket.socket(socket.AF_UNIX)
listener.bind(path)
listener.listen(backlog)
def work():
    while True:
        connection, _ = listener.accept()
        with connection:
            head = b""
            while not head.endswith(b"\\r\\n\\r\\n"):
                if not (data := connection.recv(65_536)):
                    break
                head += data
            time.sleep(random.uniform(0.03, 0.05))
            connection.sendall(b"HTTP/1.0 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nok")
for _ in range(workers):
    threading.Thread(target=work, daemon=True).start()
print("http://127.0.0.1:1/", flush=True)
sys.stdin.read()
os._exit(0)
"""


@cause("three or four workers listen on a Unix domain socket with a backlog of 4 to 6: nginx can't connect under load, 502", "bad-gateway",
       "failures-with-load", "saturation", meaning="it fails under load")
def unix_socket_backlog(dice: Random) -> Iterator[Bed]:
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/app.sock"
        with inline(sys.executable, "-c", BACKLOG, path, str(dice.randint(4, 6)), str(dice.randint(3, 4))), \
                faults.nginx("", f"location / {{ proxy_pass http://unix:{path}; }}") as url:
            yield Bed(url, f"--phases few=0.15:for:3s,peak=1:for:5s -c {dice.randint(20, 24)} --think 100ms..250ms {engine(dice)}--get /items --get /prices",
                      truth=Truth(lambda all: [("502", all.status(502), 0.05, 0.9), ("200", len(all.all) * all.status(200) / 4, 40, 150)], users=22, think=0.1))


@cause("a cache keeps the sessions of 18 to 24 users, and evicts those of others: 401", "failures-with-load", meaning="it fails under load")
def sessions_are_evicted(dice: Random) -> Iterator[Bed]:
    most = dice.randint(18, 24)
    sessions: collections.OrderedDict[str, None] = collections.OrderedDict()
    number = 0

    async def answer(asked: Asked) -> bool:
        nonlocal number
        await some(4, 12)
        if asked.path == "/login":
            number += 1
            sessions[str(number)] = None
            if len(sessions) > most:
                sessions.popitem(last=False)
            return await asked.say(f'{{"token": {number}}}'.encode())
        token = asked.path.rpartition("/")[2]
        if token not in sessions:
            return await asked.say(b"no session", 401)
        sessions.move_to_end(token)
        return await asked.say()

    def claims() -> list[Claim]:
        said(url, "/login", "POST")
        first = said(url, "/account/1")[0]
        for _ in range(most):
            said(url, "/login", "POST")
        return [("at first", first, 200, 200), ("evicted", said(url, "/account/1")[0], 401, 401), ("another", said(url, f"/account/{most}")[0], 200, 200)]

    with answering(answer) as url:
        yield Bed(url, f"--phases few=0.15:for:4s,peak=1:for:5s -c {2 * most} {engine(dice)}", plan="""
scenarios:
  - name: visit
    steps:
      - post: /login
        form: {user: "{uuid}"}
        extract: {token: "json:/token"}
      - repeat: 3
        steps:
          - think: 60ms..200ms
          - get: "/account/{token}"
            name: GET /account
            onFailure: continue
""", probe=claims)


@cause("above 8 to 10 requests at a time, a Node server sends users to a waiting room: 302", "redirects", meaning="redirects to a waiting room")
def waiting_room(dice: Random) -> Iterator[Bed]:
    most = dice.randint(8, 10)
    with server.node(rule(above=most, ms=(1, 4), status=302, header="Location:/queue"), rule(ms=(30, 60), bytes=1500)) as url:
        yield Bed(url, f"--phases few=0.15:for:3s,peak=1:for:5s -c {dice.randint(24, 28)} --think 60ms..140ms {engine(dice)}"
                  "--get /tickets --get /seats", truth=Truth(
            lambda all: [("302", all.status(302), 0.1, 0.8), ("200", all.status(200), 0.2, 0.9)], users=26, think=0.05))


@cause("above 8 to 12 calls at a time, a Node service answers without its data: 200, and a check fails", "failures-with-load",
       meaning="it fails under load")
def degraded_answers(dice: Random) -> Iterator[Bed]:
    most = dice.randint(8, 12)
    with server.node(rule(above=most, ms=(1, 4), status=200), rule(ms=(30, 50), bytes=900)) as url:
        yield Bed(url, f"--phases few=0.15:for:3s,peak=1:for:5s -c {dice.randint(26, 32)} --think 60ms..120ms {engine(dice)}--expect body~name "
                  "--get /items --get /recommendations", truth=Truth(
            lambda all: [("without", all.share(lambda one: one.size == 2), 0.1, 0.8), ("failed", all.failed, 0, 0)], users=28, think=0.05))


@cause("a hub sends each event to one stream after another, 1.5 to 2.5 ms each, and more streams are open in the second phase", "saturation",
       "contention", "serial-work", meaning="more streams only wait")
def fan_out_of_events(dice: Random) -> Iterator[Bed]:
    ms, hub = pick(dice, 1.5, 2.5), asyncio.Lock()

    async def answer(asked: Asked) -> bool:
        begin_stream(asked)
        for number in range(6):
            await some(20, 40)
            async with hub:
                await asyncio.sleep(ms / 1000)
            await send_event(asked, f'{{"number":{number}}}')
        return end_stream(asked)

    with answering(answer) as url:
        yield Bed(url, f"--phases few=0.1:for:3s,peak=1:for:5s -c {dice.choice((60, 80))} {engine(dice)}"
                  "--get /prices --event-stream 'events count=6'", truth=Truth(
            lambda all: [("a second", len(all.all) / 4, 700 / (6 * (ms + 1)), 1050 / (6 * ms)), ("failed", all.failed, 0, 0)], users=50, think=0))


# Deployments and instances.


@cause("a canary gets 25 to 35 % for 1.6 to 2.2 s, fails all orders, and is rolled back", "restarts", "steady-failures", "outage",
       meaning="a share of an operation fails for a while")
def canary_is_rolled_back(dice: Random) -> Iterator[Bed]:
    begin, share = pick(dice, 3, 3.8), pick(dice, 0.25, 0.35)
    end = begin + pick(dice, 1.6, 2.2)
    clock = Clock()

    async def answer(asked: Asked) -> bool:
        canary = begin < clock() < end and random.random() < share
        await some(8, 24)
        return await (asked.say(b"NullPointerException", 500) if canary and asked.method == "POST" else asked.say())

    with answering(answer) as url:
        yield Bed(url, peak(8) + f"-c 60 --rate {dice.randint(80, 140)}/s {engine(dice)}--get /items --post /orders --body order", truth=Truth(
            lambda all: [("meanwhile", between(all, begin, end).status(500), 0.15, 0.5), ("else", between(all, 0, begin - 0.1).failed
                         + between(all, end + 0.1, 8).failed, 0, 0)], method="POST", body=5, seconds=8))


@cause("the consumers of a queue share it anew when one joins, twice: each time nothing is answered for 0.9 to 1.3 s", "standstill", "slow-period",
       "outage", meaning="all requests wait twice")
def consumers_rebalance(dice: Random) -> Iterator[Bed]:
    first, second = pick(dice, 2.6, 3.2), pick(dice, 5.8, 6.6)
    times = [(first, first + pick(dice, 0.9, 1.3)), (second, second + pick(dice, 0.9, 1.3))]
    clock = Clock()

    async def answer(asked: Asked) -> bool:
        now = clock()
        for begin, end in times:
            if begin < now < end:
                await asyncio.sleep(end - now)
        await some(8, 22)
        return await asked.say(b"", 202)

    with answering(answer) as url:
        yield Bed(url, peak(8) + f"-c 250 --rate {dice.randint(60, 100)}/s {engine(dice)}--post /orders --body order --post /payments --body ten", truth=Truth(
            lambda all: [("longest", all.slowest, 800, 1450), ("median", all.median, 8, 40)], method="POST", body=3, seconds=8))


@cause("one of three instances has a wrong clock, and takes each token for expired: 401, pages need none", "steady-failures",
       meaning="a constant share fails")
def one_clock_is_wrong(dice: Random) -> Iterator[Bed]:
    wrong = [rule(path="/account", ms=(2, 6), status=401), rule(ms=(6, 18))]
    start = dice.choice((server.go, server.java))
    with start(rule(ms=(6, 18))) as one, start(rule(ms=(6, 18))) as two, start(*wrong) as three, of_haproxy(one, two, three) as url:
        yield Bed(url, peak(7, 2) + model(dice, (80, 120)) + "-H 'Authorization: Bearer ey7' --get /items --get /account", truth=Truth(
            lambda all: [("401", all.of("/account").status(401), 0.2, 0.5), ("pages", all.of("/items").failed, 0, 0)], paths=("/items", "/account")))


@cause("HAProxy checks the health of both instances by a path that they no longer have: 503", "always-fails", meaning="nothing succeeds")
def health_check_of_a_renamed_path(dice: Random) -> Iterator[Bed]:
    rules = [rule(path="/health", status=404), rule(ms=(5, 15))]
    with server.go(*rules) as one, server.node(*rules) as two, server.haproxy(
            f"listen all\n  bind LISTEN\n  option httpchk GET /health\n  default-server check inter 100ms fall 1\n"
            f"  server a {one[7:-1]}\n  server b {two[7:-1]}") as url:
        time.sleep(1)
        yield Bed(url, peak(4) + f"{users(dice)}--get /items --get /prices", truth=Truth(
            lambda all: [("503", all.status(503), 1, 1)], seconds=1))


@cause("a stream of events is open for each user when a new version is deployed, which ends them all", "restarts", "truncated-bodies", "resets",
       meaning="a short burst of failures")
def streams_end_with_a_deployment(dice: Random) -> Iterator[Bed]:
    at, count = pick(dice, 4.2, 5.2), dice.randint(8, 11)
    all_open: set[asyncio.StreamWriter] = set()
    begun = False

    def end_all() -> None:
        for writer in list(all_open):
            writer.close()

    async def answer(asked: Asked) -> bool:
        nonlocal begun
        if not begun:
            begun = True
            asyncio.get_running_loop().call_later(at, end_all)
        all_open.add(asked.writer)
        try:
            begin_stream(asked)
            for number in range(count):
                await some(70, 150)
                if asked.writer.is_closing():
                    return False
                await send_event(asked, f'{{"number":{number}}}')
            return end_stream(asked)
        finally:
            all_open.discard(asked.writer)

    with answering(answer) as url:
        yield Bed(url, peak(8) + f"-c {dice.randint(30, 45)} --think 100ms..300ms {engine(dice)}"
                  f"--get /events --event-stream 'events count={count}'", truth=Truth(
            lambda all: [("cut off", len(all.all) * all.failed, 8, 20), ("else", between(all, 0, at - 1.7).failed + between(all, at, 8).failed, 0, 0)],
            users=20, think=0.1, seconds=8))


# Proxies.


@cause("a worker that needs more than 0.9 to 1.2 s for a report is killed, and nginx says 502; pages are fast", "gives-up", "bad-gateway",
       meaning="something gives up slow requests")
def workers_are_killed(dice: Random) -> Iterator[Bed]:
    limit = pick(dice, 0.9, 1.2)

    async def answer(asked: Asked) -> bool:
        seconds = random.uniform(0.3, 1.6) if asked.path == "/reports" else random.uniform(0.005, 0.015)
        await asyncio.sleep(min(seconds, limit))
        return seconds <= limit and await asked.say()

    with answering(answer) as behind, faults.nginx("", f"location / {{ proxy_next_upstream off; proxy_pass {behind[:-1]}; }}") as url:
        yield Bed(url, peak(8) + f"-c 120 --rate {dice.randint(50, 80)}/s {engine(dice)}--get /items --post /reports --body week", truth=Truth(
            lambda all: [("502", all.of("/reports").status(502), 0.2, 0.7), ("longest", all.slowest, 1000 * limit - 30, 1000 * limit + 200)],
            paths=("/reports",), users=15, method="POST", body=4))


@cause("an address is looked up backwards for each new connection, in 80 to 150 ms, and a connection is good for 6 to 10 requests", "slow-first-request",
       "keep-alive-limit", meaning="the first request of a connection is slow")
def looked_up_backwards(dice: Random) -> Iterator[Bed]:
    ms, most = dice.randint(80, 140), dice.randint(6, 10)

    async def answer(asked: Asked) -> bool:
        await (some(ms, ms + 10) if asked.nth == 1 else some(3, 10))
        return await (asked.say() if asked.nth < most else say_and_close(asked))

    with answering(answer) as url:
        yield Bed(url, peak(7) + f"-c {dice.randint(10, 20)} --think 10ms..40ms {engine(dice)}--get /items --get /prices", truth=Truth(
            lambda all: [("first", Answers([one for one in all.all if one.nth == 1]).median, ms, ms + 40),
                         ("later", Answers([one for one in all.all if one.nth > 1]).median, 3, 30), ("last", max(one.nth for one in all.all), most, most)]))


def allowed_streams(url: str) -> int:
    """At a time over one HTTP/2 connection, as the server's settings say; -1 if they don't."""
    first = reply(url, b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(4, 0, 0))
    settings = first[9:9 + int.from_bytes(first[:3], "big")]
    return next((int.from_bytes(settings[at + 2:at + 6], "big") for at in range(0, len(settings), 6) if settings[at:at + 2] == b"\0\3"), -1)


@cause("users watch for changes, which takes 0.25 to 0.45 s, and leave few of 4 to 6 streams of a connection to other calls", "stream-limit",
       meaning="requests wait for a stream")
def watches_take_streams(dice: Random) -> Iterator[Bed]:
    most = dice.randint(4, 6)
    with server.go(option(streams=most), rule(path="/items", ms=(3, 9), status=200), rule(ms=(250, 450))) as url:
        yield Bed(url, peak(7) + f"--engine events --http2 --streams 12 -c {dice.choice((24, 36))} --think 5ms..20ms --get /watch --get /items", probe=lambda: [
            ("streams", allowed_streams(url), most, most), ("a watch", sent(url, 1)[0][1], 250, 500)])


@cause("nginx ends WebSocket connections that are silent for about as long as users are, 1.1 to 1.4 s", "idle-timeout", "resets", "steady-failures",
       meaning="idle connections are closed")
def silent_rooms_are_closed(dice: Random) -> Iterator[Bed]:
    seconds = pick(dice, 1.1, 1.4)
    with echoing(lambda: some(3, 12)) as behind, faults.nginx(
            "", "location / { proxy_http_version 1.1; proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection upgrade; "
                f"proxy_read_timeout {round(1000 * seconds)}ms; proxy_pass {behind[:-1]}; }}") as url:
        yield Bed(url, peak(9) + f"--timeout 1s -c {dice.randint(24, 32)} {engine(dice)}", plan=f"""
scenarios:
  - name: chat
    steps:
      - connect: /rooms/1
      - repeat: 5
        steps:
          - send: "hello {{uuid}}"
            name: say
          - expect: {{text: {{contains: hello}}}}
            name: said
          - think: {round(600 * seconds)}ms..{round(1050 * seconds)}ms
""", probe=lambda: [("ten", message_ms(url, 10), 3, 300)])


@cause("a gateway keeps 15 to 25 messages for a slow worker, and drops more of them", "failures-with-load", "unanswered", "saturation",
       meaning="messages are lost under load")
def messages_are_dropped(dice: Random) -> Iterator[Bed]:
    most, rate = dice.randint(15, 25), dice.randint(80, 110)
    worker = asyncio.Lock()
    waiting = 0

    async def work() -> bool:
        nonlocal waiting
        if waiting >= most:
            return False
        waiting += 1
        try:
            async with worker:
                await asyncio.sleep(1 / rate)
        finally:
            waiting -= 1
        return True

    with echoing(work) as url:
        yield Bed(f"ws{url[4:]}rooms/{{pair}}?mode=echo", f"--phases few=0.3:for:3s,peak=1:for:6s --subscribers 0 --timeout 1s -c {dice.randint(150, 200)} "
                  f"--rate '{round(1.6 * rate)} messages/s'", probe=lambda: [("ten", message_ms(url, 10), 5000 / rate, 20_000 / rate),
                                                                             ("too many", message_ms(url, most + 15, seconds=1), -1, -1)])


# Ways.


@cause("a NAT's table has room for 280 to 350 connections, each stays for a minute: no more can be made from the middle on", "new-connections",
       "accept-queue", "connection-limit", "outage", "no-connection", meaning="new connections can't be made from then on")
def nat_table_is_full(dice: Random) -> Iterator[Bed]:
    rate, size = dice.randint(45, 60), dice.randint(280, 350)
    syn = "nft add rule ip t c 'tcp flags & (syn | ack) == syn"
    with faults.network("nft add table ip t && nft add chain ip t c '{ type filter hook input priority 0 ; policy accept ; }'",
                        f"nft add set ip t nat '{{ type inet_service ; size {size} ; flags dynamic,timeout ; timeout 60s ; }}'",
                        f"{syn} add @nat {{ tcp sport }} accept'", f"{syn} drop'") as inside, server.go(rule(ms=(6, 18)), under=inside) as url:
        yield Bed(url, peak(9) + f"-H Connection:close --connect-timeout {dice.randint(1200, 1500)}ms -c 250 --rate {rate}/s {engine(dice)}"
                  "--get /items --get /prices", inside, truth=Truth(
            lambda all: [("passed", len(all.all) * all.status(200), size - 30, size + 5), ("last", Answers(all.all[-5:]).failed, 1, 1)],
            users=10, close=True, timeout=0.5, seconds=6))


@cause("a route is withdrawn in the middle, and the other way takes 45 to 65 ms in place of 12", "drift", "slow-period", meaning="it gets slower")
def longer_route(dice: Random) -> Iterator[Bed]:
    at, far = pick(dice, 4.2, 5), pick(dice, 0.0225, 0.0325)
    clock = Clock()
    with faults.network() as inside, faults.delays(inside, lambda: 0.006 if clock() < at else far) as address, \
            server.go(option(address="10.99.0.1:0"), rule(ms=(5, 15)), under=inside) as url:
        there = url.replace("10.99.0.1", address)
        yield Bed(there, peak(8) + f"-c {dice.randint(12, 24)} --think 20ms..60ms {engine(dice)}--get /items --post /orders --body order", inside, truth=Truth(
            lambda all: [("before", between(all, 0.5, at - 0.3).median, 15, 60), ("more", between(all, at + 0.3, 8).median - between(all, 0.5, at - 0.3).median,
                                                                             1500 * far - 12, 2500 * far)], seconds=8))


@cause("a release sends whole lists in place of pages from the middle on, which is 1.15 to 1.3 times what a link of 16 to 24 Mbit/s takes", "bandwidth",
       "drift", "saturation", "slow-period", meaning="a limit of bandwidth from then on")
def whole_lists(dice: Random) -> Iterator[Bed]:
    mbit, rate, at = dice.randint(16, 24), dice.randint(40, 56), dice.randint(4200, 5200)
    size = round(pick(dice, 1.15, 1.3) * mbit * 125_000 / (rate / 2))
    large = rule(**{"path": "/lists", "from": at, "ms": (5, 15), "bytes": size, "status": 200})
    with faults.network("ip link set lo mtu 1500", f"tc qdisc add dev lo root tbf rate {mbit}mbit burst 32k limit 1m") as inside, \
            server.go(large, rule(ms=(5, 15), bytes=4000), under=inside) as url:
        yield Bed(url, peak(9) + f"-c 200 --timeout 20s --rate {rate}/s {engine(dice)}--get /lists --get /items", inside, truth=Truth(
            lambda all: [("before", max(one.size for one in between(all, 0, at / 1000 - 0.2).all), 4000, 4000), ("after", all.all[-1].size, size, size),
                         ("slower", between(all, at / 1000 + 0.5, 8).median, 60, 4000)], users=6, think=0.1, seconds=8, paths=("/lists",)))


# Wrong tests.


@cause("a test asks an address for which nginx has no certificate, as it serves names alone: it rejects each handshake", "no-tls",
       meaning="no handshake succeeds")
def no_certificate_for_the_name(dice: Random) -> Iterator[Bed]:
    port = faults.free_port()
    with tempfile.TemporaryDirectory() as folder:
        key, cert = server.certificate(folder)
        named = (f"server {{ listen 127.0.0.1:{port} ssl; server_name shop.example; ssl_certificate {cert}; ssl_certificate_key {key}; "
                 "location / { return 200 ok; } }")
        with faults.nginx(named, f"listen 127.0.0.1:{port} ssl default_server; ssl_reject_handshake on;"):
            yield Bed(f"https://127.0.0.1:{port}/", peak(3) + f"-k --keep-going {users(dice)}--get /items --get /prices", probe=lambda: [
                ("address", took([], "curl", "-skf", f"https://127.0.0.1:{port}/"), -1, -1),
                ("name", took([], "curl", "-skf", "--connect-to", f"::127.0.0.1:{port}", f"https://shop.example:{port}/"), 0, 5000)])


@cause("all users of a test have one account, which is locked after 50 to 70 log-ins: 423", "outage", "rate-limit", meaning="nobody can log in from then on")
def account_is_locked(dice: Random) -> Iterator[Bed]:
    rate = dice.randint(11, 15)
    most = round(rate * pick(dice, 4.2, 5))
    count = 0

    async def answer(asked: Asked) -> bool:
        nonlocal count
        if asked.path != "/login":
            await some(4, 14)
            return await asked.say()
        await some(30, 60)
        count += 1
        return await (asked.say(b'{"token": 7}') if count <= most else asked.say(b"the account is locked", 423))

    with answering(answer) as url:
        yield Bed(url, peak(8) + f"-c 60 --rate '{rate} journeys/s' {engine(dice)}", plan="""
scenarios:
  - name: visit
    steps:
      - get: /
      - think: 40ms..120ms
      - post: /login
        form: {user: test, password: secret}
        extract: {token: "json:/token"}
      - think: 40ms..120ms
      - get: /account
        headers: {Authorization: "Bearer {token}"}
""", truth=Truth(lambda all: [("200", len(all.all) * all.status(200), most, most), ("last", Answers(all.all[-5:]).status(423), 1, 1)],
                 paths=("/login",), method="POST", users=8))


@cause("the token that a test was given expires in the middle: 401 for all but the page that needs none", "outage", meaning="nothing succeeds any more")
def token_of_the_test_expires(dice: Random) -> Iterator[Bed]:
    at = dice.randint(4000, 5200)
    start = dice.choice((server.go, server.node))
    expired = rule(**{"path": "/api", "from": at, "ms": (1, 4), "status": 401})
    with start(expired, rule(path="/api", ms=(10, 30)), rule(ms=(4, 12))) as url:
        yield Bed(url, peak(8) + f"-c 60 --rate {dice.randint(70, 130)}/s {engine(dice)}-H 'Authorization: Bearer ey7' --get /api/items "
                  "--post /api/orders --body order --get /status", truth=Truth(
            lambda all: [("before", between(all, 0, at / 1000 - 0.2).failed, 0, 0), ("after", between(all, at / 1000 + 0.2, 7).status(401), 1, 1)],
            paths=("/api/items",), seconds=7))


@cause("a test sends the same payment again and again, and what is sent twice within 0.6 to 1 s is refused: 409", "steady-failures", "rate-limit",
       meaning="nearly all of an operation is refused")
def same_payment_again(dice: Random) -> Iterator[Bed]:
    window = pick(dice, 0.6, 1)
    last: dict[bytes, float] = {}

    async def answer(asked: Asked) -> bool:
        await some(6, 18)
        now = time.monotonic()
        if asked.method == "POST":
            if now - last.get(asked.body, -9) < window:
                return await asked.say(b"duplicate payment", 409)
            last[asked.body] = now
        return await asked.say()

    with answering(answer) as url:
        yield Bed(url, peak(7) + f"-c 60 --rate {dice.randint(30, 70)}/s {engine(dice)}--get /items --post /payments --body '10 EUR'", truth=Truth(
            lambda all: [("200", len(all.all) * all.status(200), 3, 9), ("409", all.status(409), 0.9, 1)], method="POST", body=6))


# Healthy, though it may look otherwise.


@clean("two deployments, which close connections only when a response has said so")
def drained_twice(dice: Random) -> Iterator[Bed]:
    at = [pick(dice, 2.2, 3), pick(dice, 4.6, 5.4)]
    made: dict[asyncio.StreamWriter, float] = {}
    clock = Clock()

    async def answer(asked: Asked) -> bool:
        now = clock()
        since = made.setdefault(asked.writer, now)
        await some(8, 26)
        return await (say_and_close(asked) if any(since < moment < now for moment in at) else asked.say())

    with answering(answer) as url:
        yield Bed(url, peak(7) + model(dice, (70, 130)) + "--get /items --post /orders --body order", truth=Truth(
            lambda all: [("failed", all.failed, 0, 0), ("connections of a user", sum(one.nth == 1 for one in all.all) / 5, 3, 3)], seconds=7))


@clean("GraphQL: lists, items and changes are asked for at one address, in 5 to 60 ms")
def queries_at_one_address(dice: Random) -> Iterator[Bed]:
    async def answer(asked: Asked) -> bool:
        await (some(8, 40) if b"list" in asked.body else some(15, 60) if b"change" in asked.body else some(5, 30))
        return await asked.say(b'{"data": "' + b"x" * random.randint(200, 6000) + b'"}')

    with answering(answer) as url:
        yield Bed(url, peak(7) + f"-c {dice.randint(10, 20)} {engine(dice)}", plan="""
scenarios:
  - name: shop
    steps:
      - post: /graphql
        json: {query: "list { items { id name } }"}
      - think: 30ms..100ms
      - post: /graphql
        json: {query: "item(id: 7) { name price }"}
      - think: 30ms..100ms
      - post: /graphql
        json: {query: "change(id: 7, amount: 2) { total }"}
      - think: 30ms..100ms
""")


@clean("messages by WebSocket over TLS, which ends at HAProxy")
def messages_over_tls(dice: Random) -> Iterator[Bed]:
    with tempfile.TemporaryDirectory() as folder, echoing(lambda: some(4, 30)) as behind:
        key, cert = server.certificate(folder)
        both = Path(folder, "both.pem")
        both.write_text(Path(cert).read_text() + Path(key).read_text())
        with server.haproxy(f"listen all\n  bind LISTEN ssl crt {both}\n  timeout tunnel 60s\n  server one {behind[7:-1]}") as url:
            yield Bed(f"wss{url[4:]}rooms/{{pair}}?mode=echo", peak(7, 2) + f"-k --subscribers 0 -c {dice.randint(20, 50)} "
                      f"--message-size {dice.randint(100, 1500)} --rate '{dice.randint(50, 120)} messages/s'")


@clean("a model's answers by HAProxy at a rate: 5 to 30 words of one, 15 to 40 ms apart")
def words_of_a_model(dice: Random) -> Iterator[Bed]:
    async def answer(asked: Asked) -> bool:
        begin_stream(asked)
        await some(150, 400)
        for _ in range(random.randint(5, 30)):
            await some(15, 40)
            await send_event(asked, '{"word":"so"}')
        await send_event(asked, "[DONE]")
        return end_stream(asked)

    with answering(answer) as behind, of_haproxy(behind) as url:
        yield Bed(url, peak(8) + f"-c 80 --rate {dice.randint(12, 25)}/s --arrivals poisson {engine(dice)}--post /answers --body why "
                  "--event-stream \"events until=[DONE]\"", truth=Truth(lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 300, 1600)]))


@clean("a browser's preflight before each order: OPTIONS, 204")
def preflights(dice: Random) -> Iterator[Bed]:
    with server.node(rule(method="OPTIONS", ms=(1, 5), status=204), rule(method="POST", ms=(20, 50), status=201), rule(ms=(6, 20), bytes=1200)) as url:
        yield Bed(url, peak(6) + model(dice, (80, 140)) + "--get /items --options /orders --post /orders --body order")


@clean("what is made is read, changed and read again, at a rate of journeys")
def made_and_read(dice: Random) -> Iterator[Bed]:
    number = 0

    async def answer(asked: Asked) -> bool:
        nonlocal number
        await (some(5, 18) if asked.method == "GET" else some(14, 45))
        if asked.method == "POST":
            number += 1
            return await asked.say(f'{{"id": {number}}}'.encode(), 201)
        return await asked.say(b'{"name": "one"}')

    with answering(answer) as url:
        yield Bed(url, peak(7) + f"-c 80 --rate '{dice.randint(15, 30)} journeys/s' --arrivals poisson {engine(dice)}", plan="""
scenarios:
  - name: notes
    steps:
      - post: /notes
        json: {text: "{uuid}"}
        extract: {id: "json:/id"}
      - think: 30ms..90ms
      - get: "/notes/{id}"
        name: GET /notes/ID
      - think: 30ms..90ms
      - put: "/notes/{id}"
        name: PUT /notes/ID
        json: {text: "{uuid}"}
      - think: 30ms..90ms
      - get: "/notes/{id}"
        name: GET /notes/ID
""")


@clean("a name server that takes 2 to 6 ms, for connections that are kept")
def fast_name_server(dice: Random) -> Iterator[Bed]:
    with server.go(rule(ms=(8, 26), bytes=900)) as url, faults.name_server("127.0.0.87", pick(dice, 0.002, 0.006)), \
            faults.own_files(resolv_conf="nameserver 127.0.0.87\n") as under:
        yield Bed(url.replace("127.0.0.1", "shop.example"), peak(6) + f"{users(dice)}--get /items --get /prices", under)


@clean("10,000 articles of which some are read most: those in the cache take 4 to 14 ms, others 8 to 30")
def popular_articles(dice: Random) -> Iterator[Bed]:
    known: collections.OrderedDict[str, None] = collections.OrderedDict()

    async def answer(asked: Asked) -> bool:
        hit = asked.path in known
        known[asked.path] = None
        known.move_to_end(asked.path)
        if len(known) > 150:
            known.popitem(last=False)
        await (some(4, 14) if hit else some(8, 30))
        return await asked.say(b"x" * random.randint(1000, 5000))

    with rows("id", [str(int(10_000 ** dice.random())) for _ in range(3000)]) as file, answering(answer) as url:
        yield Bed(url, peak(7) + f"-c 60 --rate '{dice.randint(60, 110)} journeys/s' {engine(dice)}", plan=f"""
data:
  articles: {{csv: {file}}}
scenarios:
  - name: article
    steps:
      - get: "/articles/{{articles.id}}"
        name: GET /articles/ID
""")


@clean("a second instance joins in the middle, though the first one has room enough")
def instance_joins(dice: Random) -> Iterator[Bed]:
    port = faults.free_port()
    with server.go(rule(ms=(8, 24))) as one, server.haproxy(
            "listen all\n  bind LISTEN\n  balance roundrobin\n  default-server check inter 100ms fall 1 rise 2\n"
            f"  server a {one[7:-1]}\n  server b 127.0.0.1:{port}") as url, contextlib.ExitStack() as joined:
        def join() -> None:
            joined.enter_context(server.go(option(address=f"127.0.0.1:{port}"), rule(ms=(8, 24))))

        # Until it is seen that the second one isn't there.
        time.sleep(0.8)
        with later(pick(dice, 4.5, 5.5), join):
            yield Bed(url, peak(8) + model(dice, (60, 110)) + "--get /items --post /orders --body order", truth=Truth(
                lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 8, 40),
                             ("joined", took([], "curl", "-sf", f"http://127.0.0.1:{port}/"), 8, 500)],
                seconds=7))


@clean("nginx renews connections that are 2 to 3 s old, and says so with a response")
def renewed_by_nginx(dice: Random) -> Iterator[Bed]:
    with server.java(rule(method="POST", ms=(15, 40)), rule(ms=(6, 20))) as behind, faults.nginx(
            f"keepalive_time {dice.randint(2000, 3000)}ms; upstream one {{ server {behind[7:-1]}; keepalive 64; }}",
            'location / { proxy_http_version 1.1; proxy_set_header Connection ""; proxy_pass http://one; }') as url:
        yield Bed(url, peak(7, 2) + f"-c {dice.randint(8, 16)} --think 20ms..60ms {engine(dice)}--get /items --post /orders --body order", truth=Truth(
            lambda all: [("failed", all.failed, 0, 0), ("connections of a user", sum(one.nth == 1 for one in all.all) / 5, 2, 4)], seconds=7))


@clean("a day in eight seconds: Poisson arrivals whose rate follows a wave, far below what a Java server can do")
def a_day(dice: Random) -> Iterator[Bed]:
    least, most = dice.randint(15, 25), dice.randint(70, 110)
    hours = ", ".join(f"h{hour}=1 for 1s at {round(least + (most - least) * math.sin(math.pi * hour / 8) ** 2)}/s" for hour in range(1, 8))
    with server.java(rule(method="POST", ms=(20, 50)), rule(ms=4, exp=8)) as url:
        yield Bed(url, f"--phases 'warmup=1 for 2s at {least}/s, {hours}' --arrivals poisson -c 80 {engine(dice)}--get /items --post /orders --body order")


@clean("a part of the requests is traced, a server answers in 10 to 50 ms")
def traced_requests(dice: Random) -> Iterator[Bed]:
    with server.go(rule(method="POST", ms=(20, 50)), rule(ms=(10, 35), bytes=2500)) as url:
        yield Bed(url, peak(6) + f"--trace-requests {dice.randint(2, 20)}% " + model(dice, (70, 130)) + "--get /items --post /orders --body order")
