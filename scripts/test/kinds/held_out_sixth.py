"""
The sixth held-out set. Don't read on if you change rules.

The kinds were written before any run of them was diagnosed, and without a look at a rule, only at the list of ids. Each kind is a
mechanism of a real service, of a network or of a wrong test that the earlier sets don't have. The ids of a fault are those that an
expert would accept as the first finding.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import hashlib
import os
import random
import socket
import ssl
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
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
from kinds.held_out_third import of_haproxy, steps


@contextlib.contextmanager
def echoing(work: Callable[[], Awaitable[bool | None]]) -> Iterator[str]:
    """The address of a server that sends each WebSocket message back after some work, or loses it if that says False."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            key = "".join(line.split(":", 1)[1].strip() for line in head if line.lower().startswith("sec-websocket-key:"))
            if not key or not any(line.lower().startswith("upgrade:") for line in head):
                writer.write(b"HTTP/1.1 426 Upgrade Required\r\nUpgrade: websocket\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
                await writer.drain()
            else:
                accept = base64.b64encode(hashlib.sha1(f"{key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11".encode()).digest())  # noqa: S324
                writer.write(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: " + accept + b"\r\n\r\n")
                await _echo(reader, writer, work)
        writer.close()

    with faults._listening(serve) as port:  # noqa: SLF001
        yield f"http://127.0.0.1:{port}/"


async def _echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, work: Callable[[], Awaitable[bool | None]]) -> None:
    while True:
        first, length = await reader.readexactly(2)
        length &= 127
        if length > 125:
            length = int.from_bytes(await reader.readexactly(2 if length == 126 else 8), "big")
        mask = await reader.readexactly(4)
        data = bytes(byte ^ mask[place % 4] for place, byte in enumerate(await reader.readexactly(length)))
        kind = first & 15
        lost = kind < 3 and await work() is False
        if kind != 10 and not lost:
            first = first & 240 | 10 if kind == 9 else first
            size = bytes([length]) if length < 126 else b"\x7e" + length.to_bytes(2, "big") if length < 65_536 else b"\x7f" + length.to_bytes(8, "big")
            writer.write(bytes([first]) + size + data)
            await writer.drain()
        if kind == 8:
            return


def message_ms(url: str, number: int, seconds: float = 5) -> float:
    """The ms until so many messages have come back that are sent at once, each over a connection of its own; -1 if one doesn't."""
    with contextlib.ExitStack() as stack:
        connections = [stack.enter_context(socket.create_connection(("127.0.0.1", server.port(url)), timeout=seconds)) for _ in range(number)]
        for one in connections:
            one.sendall(b"GET /rooms/1 HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
            if not one.recv(4096).startswith(b"HTTP/1.1 101"):
                return -1
        begin = time.monotonic()
        for one in connections:
            one.sendall(b"\x82\x85\0\0\0\0hello")
        with contextlib.suppress(OSError):
            if all(one.recv(4096) == b"\x82\x05hello" for one in connections):
                return (time.monotonic() - begin) * 1000
    return -1


def reply(url: str, request: bytes, seconds: float = 0.5) -> bytes:
    """What comes back within that time."""
    got = b""
    with socket.create_connection(("127.0.0.1", server.port(url)), timeout=seconds) as connection, contextlib.suppress(OSError):
        connection.sendall(request)
        while data := connection.recv(65_536):
            got += data
    return got


# Databases, locks and disks.


@cause("each 190 to 230 requests one dies with a distributed lock, which others get when its lease of 0.9 to 1.3 s is over", "standstill", "slow-period",
       "periodic-stalls", meaning="all requests wait for a lock")
def lease_of_a_dead_holder(dice: Random) -> Iterator[Bed]:
    every, lease = dice.randint(190, 230), pick(dice, 0.9, 1.3)
    lock = asyncio.Lock()
    count = 0

    async def answer(asked: Asked) -> bool:
        nonlocal count
        async with lock:
            count += 1
            dies = count % every == 0
            await (asyncio.sleep(lease) if dies else some(1, 3))
        return await asked.say(b"died", 500) if dies else await asked.say()

    with answering(answer) as url:
        yield Bed(url, peak(7) + f"-c 200 --rate {dice.randint(60, 80)}/s {engine(dice)}--post /orders --body order --post /payments --body ten", truth=Truth(
            lambda all: [("dead", len(all.all) * all.status(500), 1, 8), ("slowest", all.slowest, 1000 * lease - 5, 1000 * lease + 300),
                         ("median", all.median, 1, 40)],
            users=5, method="POST", body=3))


@cause("a migration locks the table of orders for 1.6 to 2.2 s in the middle, other tables are free", "slow-period", "standstill", "outage",
       meaning="one operation waits for a while")
def migration_locks_a_table(dice: Random) -> Iterator[Bed]:
    begin = pick(dice, 2.8, 3.4)
    end = begin + pick(dice, 1.6, 2.2)

    def ms(now: float, asked: Asked) -> float:
        return random.uniform(5, 14) + (1000 * (end - now) if asked.path == "/orders" and begin < now < end else 0)

    with of_time(ms) as url:
        yield Bed(url, peak(7) + f"-c 250 --rate {dice.randint(80, 130)}/s {engine(dice)}--post /orders --body order --get /items", truth=Truth(
            lambda all: [("before", between(all, 0, begin - 0.1).slowest, 5, 300),
                         ("longest", all.slowest, 1000 * (end - begin) - 150, 1000 * (end - begin) + 200),
                         ("after", between(all, end + 0.1, 7).median, 5, 40)], seconds=7, method="POST", body=5, paths=("/orders",)))


@cause("each 15th to 25th event fills a buffer, and writes all of it to a disk, in 0.25 to 0.35 s", "two-speeds", meaning="some requests are slow")
def buffer_is_written(dice: Random) -> Iterator[Bed]:
    every = dice.randint(15, 25)
    with dice.choice((server.node, server.go))(rule(method="POST", every=every, ms=(250, 350)), rule(ms=(4, 10))) as url:
        yield Bed(url, peak(7) + model(dice, (90, 150)) + "--post /events --body click --get /items", truth=Truth(
            lambda all: [("slow share", all.slower(245), 0.6 / every, 1.5 / every), ("median", all.median, 4, 25)], method="POST", body=5))


LOOKED_UP = """
const dns = require('node:dns');
process.stdin.on('end', () => process.exit(0)).resume();
const server = require('node:http').createServer((request, response) => dns.lookup('stock.internal', (problem, address) => {
    response.statusCode = problem ? 500 : 200;
    response.setHeader('Content-Length', 2);
    response.end('ok');
}));
server.listen({port: 0, host: '127.0.0.1', backlog: 1024}, () => console.log(`http://127.0.0.1:${server.address().port}/`));
"""


@cause("a Node server looks up a name for each request, of which its threads do only a few at a time, in 50 to 80 ms", "saturation", "serial-work",
       "contention", meaning="more users only wait for the look-ups")
def node_looks_up_names(dice: Random) -> Iterator[Bed]:
    seconds = pick(dice, 0.05, 0.08)
    with faults.name_server("127.0.0.76", seconds), faults.own_files(resolv_conf="nameserver 127.0.0.76\n") as under, \
            inline(*under, "node", "-e", LOOKED_UP) as url:
        yield Bed(url, steps(dice, dice.randint(20, 30)) + "--get /items --get /stock", truth=Truth(
            lambda all: [("a second", len(all.all) / 4, 0.5 / seconds, 4.4 / seconds), ("median", all.median, 2000 * seconds, 15_000 * seconds),
                         ("failed", all.failed, 0, 0)],
            users=15, think=0))


LEAVES_OPEN = """
const fs = require('node:fs');
process.stdin.on('end', () => process.exit(0)).resume();
const server = require('node:http').createServer((request, response) => {
    const say = status => setTimeout(() => {
        response.statusCode = status;
        response.setHeader('Content-Length', 2);
        response.end('ok');
    }, 4 + 6 * Math.random());
    request.resume().on('end', () => request.method === 'POST' ? fs.open('/dev/null', 'w', problem => say(problem ? 500 : 201)) : say(200));
});
server.on('error', () => {});
server.listen({port: 0, host: '127.0.0.1', backlog: 1024}, () => console.log(`http://127.0.0.1:${server.address().port}/`));
"""


@cause("each upload leaves a file open in a Node server, which may have 220 to 280 of them: 500", "outage", "steady-failures", "always-fails",
       meaning="one operation fails from then on")
def files_left_open(dice: Random) -> Iterator[Bed]:
    most = dice.randint(220, 280)
    with inline("sh", "-c", 'ulimit -n "$0"; exec node -e "$@"', str(most), LEAVES_OPEN) as url:
        yield Bed(url, peak(7) + f"-c 20 --rate {round(most / 2 - 30)}/s {engine(dice)}--post /uploads --body photo --get /items", truth=Truth(
            lambda all: [("first", Answers(all.all[:100]).failed, 0, 0), ("stored", len(all.all) * all.status(201), 0.5 * most, most),
                         ("last", Answers(all.all[-30:]).status(500), 1, 1)],
            method="POST", body=5, think=0.02))


# Overload, and what makes it worse.


@cause("a server works on for clients who have gone after 0.5 to 0.8 s, until all of its work is for them", "failures-with-load", "saturation", "unanswered",
       "timeout-too-short",
       "ramp-knee", meaning="it fails under load")
def works_for_nobody(dice: Random) -> Iterator[Bed]:
    ms = dice.randint(30, 45)
    places = asyncio.Semaphore(3)

    async def answer(asked: Asked) -> bool:
        async with places:
            await asyncio.sleep(ms / 1000)
        return await asked.say()

    with answering(answer) as url:
        yield Bed(url, f"--phases few=0.4:for:3s,peak=1:for:5s -c 300 --rate {round(1.6 * 3000 / ms)}/s --timeout {dice.randint(500, 800)}ms "
                  f"{engine(dice)}--get /items --get /prices", truth=Truth(
            lambda all: [("timeouts", between(all, 0.8, 4).share(lambda one: one.problem == "TimeoutError"), 0.6, 1)], users=60, think=0, timeout=0.4))


@cause("a gateway asks again after 0.12 to 0.16 s, three times in all, while the first question is still worked on: 504", "failures-with-load", "gives-up",
       "saturation", meaning="it fails under load")
def asked_three_times(dice: Random) -> Iterator[Bed]:
    ms, patience = dice.randint(25, 35), pick(dice, 0.12, 0.16)
    places = asyncio.Semaphore(4)
    under_way = set()

    async def work() -> None:
        async with places:
            await asyncio.sleep(ms / 1000)

    async def answer(asked: Asked) -> bool:
        for _ in range(3):
            task = asyncio.create_task(work())
            under_way.add(task)
            task.add_done_callback(under_way.discard)
            done, _ = await asyncio.wait((task,), timeout=patience)
            if done:
                return await asked.say()
        return await asked.say(b"no answer", 504)

    with answering(answer) as url:
        yield Bed(url, f"--phases few=0.35:for:3s,peak=1:for:5s -c 300 --rate {round(1.3 * 4000 / ms)}/s {engine(dice)}"
                  "--get /items --post /orders --body order", truth=Truth(
            lambda all: [("504", between(all, 0.5, 4).status(504), 0.3, 1),
                         ("fastest 504", min((one.ms for one in all.all if one.status == 504), default=0), 3000 * patience - 5, 3000 * patience + 60)],
            users=40, think=0))


@cause("health checks wait behind requests, so HAProxy takes both instances away when there is much to do: 503", "failures-with-load", "load-shedding",
       "outage", "restarts", meaning="it fails under load")
def checks_behind_requests(dice: Random) -> Iterator[Bed]:
    ms = dice.randint(40, 50)
    with server.go(rule(pool=3, ms=ms)) as one, server.go(rule(pool=3, ms=ms)) as other, of_haproxy(
            one, other, more="\n  option httpchk\n  timeout check 150ms\n  default-server check inter 150ms fall 2 rise 2") as url:
        yield Bed(url, f"--phases few=0.1:for:3s,peak=1:for:5s -c {dice.randint(45, 60)} --think 10ms {engine(dice)}--get /items --get /prices", truth=Truth(
            lambda all: [("503", all.status(503), 0.05, 0.995), ("200", len(all.all) * all.status(200), 20, 1000)], users=50))


@cause("a server asks a partner, whose quota other jobs use too, again a second later", "two-speeds", "saturation", "periodic-stalls",
       meaning="some requests take a second longer")
def partner_a_second_later(dice: Random) -> Iterator[Bed]:
    rate = dice.randint(70, 110)
    quotas = [rate * dice.uniform(0.72, 1.6) for _ in range(120)]
    used = [0] * 121
    clock = Clock()

    async def answer(asked: Asked) -> bool:
        await some(5, 15)
        while used[second := min(119, int(clock()))] >= quotas[second]:
            await asyncio.sleep(1)
        used[second] += 1
        return await asked.say()

    with answering(answer) as url:
        yield Bed(url, peak(8) + f"-c 250 --rate {rate}/s {engine(dice)}--get /quotes --get /rates", truth=Truth(
            lambda all: [("a second more", all.slower(990), 0.01, 0.6), ("between", all.share(lambda one: 300 < one.ms < 990), 0, 0.02),
                         ("median", all.median, 5, 60)],
            users=20, think=0.12, seconds=5))


@cause("who is refused must not ask for 1 to 1.5 s, and who asks waits anew: 429", "rate-limit", "always-fails",
       meaning="a rate limit that never lets in again")
def refused_wait_anew(dice: Random) -> Iterator[Bed]:
    rate, penalty = dice.randint(60, 100), pick(dice, 1, 1.5)
    tokens, last, until = float(rate), 0.0, 0.0

    async def answer(asked: Asked) -> bool:
        nonlocal tokens, last, until
        now = time.monotonic()
        tokens = min(rate, tokens + (now - last) * rate) if last else tokens
        last = now
        await some(2, 6)
        if now < until or tokens < 1:
            until = now + penalty
            return await asked.say(b"slow down", 429)
        tokens -= 1
        return await asked.say()

    with answering(answer) as url:
        yield Bed(url, peak(5) + f"-c 40 --rate {round(2.6 * rate)}/s {engine(dice)}--get /items --get /prices", truth=Truth(
            lambda all: [("first", Answers(all.all[:40]).failed, 0, 0), ("later", between(all, 2.5, 4).status(429), 1, 1)], users=8))


@cause("the heap is nearly full: collections stop all requests more and more often, for 0.06 s at first and 0.5 s at last", "standstill", "periodic-stalls",
       "slow-period", "drift",
       "heap-growth", meaning="it stands still again and again")
def longer_and_longer_collections(dice: Random) -> Iterator[Bed]:
    pauses, at, length = [], 1.0, 0.06
    times = pick(dice, 1.4, 1.5)
    while at < 60:
        pauses.append((at, at + length))
        at += length + pick(dice, 0.5, 0.6)
        length = min(0.6, length * times)

    def ms(now: float, _: Asked) -> float:
        return random.uniform(5, 14) + 1000 * sum(end - now for begin, end in pauses if begin < now < end)

    with of_time(ms) as url:
        yield Bed(url, peak(7) + f"-c 150 --rate {dice.randint(90, 150)}/s {engine(dice)}--get /items --post /orders --body order", truth=Truth(
            lambda all: [("first", between(all, 0, 2.5).slowest, 40, 350), ("last", between(all, 4.5, 7).slowest, 350, 900), ("median", all.median, 5, 60)],
            seconds=7))


# Proxies and balancers.


@cause("HAProxy tells a server who doesn't know it of its clients' addresses, by the PROXY protocol: 400", "wrong-request", "always-fails", "bad-gateway",
       meaning="every request is refused")
def proxy_protocol_unknown(dice: Random) -> Iterator[Bed]:
    with dice.choice((server.go, server.node))(rule(ms=(4, 12))) as behind, \
            server.haproxy(f"listen all\n  bind LISTEN\n  server one {behind[7:-1]} send-proxy") as url:
        yield Bed(url, peak(3) + users(dice) + "--get /items --get /prices", truth=Truth(lambda all: [("400", all.status(400), 1, 1)], seconds=2))


@cause("a firewall between nginx and its server forgets connections which were idle for 0.15 to 0.25 s: 502 for what can't be sent twice", "bad-gateway",
       "steady-failures", "idle-timeout", meaning="the proxy loses connections")
def idle_behind_the_proxy(dice: Random) -> Iterator[Bed]:
    most = pick(dice, 0.15, 0.25)

    async def answer(asked: Asked) -> bool:
        if asked.nth > 1 and asked.idle > most:
            asked.reset()
            return False
        await some(5, 15)
        return await asked.say()

    with answering(answer) as behind, faults.nginx(f"upstream one {{ server {behind[7:-1]}; keepalive 50; }}",
                                                   'location / { proxy_http_version 1.1; proxy_set_header Connection ""; proxy_pass http://one; }') as url:
        yield Bed(url, f"--phases peak=1:for:9s -c {dice.randint(4, 6)} --think 400ms..1s {engine(dice)}"
                  "--post /orders --body order --post /payments --body ten", truth=Truth(
            lambda all: [("502", all.status(502), 0.03, 0.9), ("200", all.status(200), 0.1, 0.97)], users=4, think=0.4, seconds=6, method="POST", body=5))


SHARED_PORT = """
import asyncio, random, socket, sys
def listening(port):
    one = socket.socket()
    one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    one.bind(("127.0.0.1", port))
    one.listen(1024)
    one.setblocking(False)
    return one
async def serve(reader, writer):
    try:
        kept = True
        while kept:
            kept = b"close" not in (await reader.readuntil(b"\\r\\n\\r\\n")).lower()
            await asyncio.sleep(random.uniform(0.004, 0.012))
            writer.write(b"HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n" + (b"" if kept else b"Connection: close\\r\\n") + b"\\r\\nok")
    except (OSError, asyncio.IncompleteReadError):
        pass
    writer.close()
async def main():
    sockets = [listening(0)]
    port = sockets[0].getsockname()[1]
    sockets += [listening(port) for _ in range(int(sys.argv[1]))]
    servers = [await asyncio.start_server(serve, sock=one) for one in sockets[1:]]
    print(f"http://127.0.0.1:{port}/", flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
asyncio.run(main())
"""


@cause("one of four or five processes that share a port has hung, and the kernel goes on giving it connections", "unanswered", "steady-failures",
       "connection-limit", meaning="some connections are never served")
def one_process_hangs(dice: Random) -> Iterator[Bed]:
    others = dice.randint(3, 4)
    with inline(sys.executable, "-c", SHARED_PORT, str(others)) as url:
        yield Bed(url, peak(7) + f"-H Connection:close -c {dice.randint(15, 25)} --think {dice.randint(20, 40)}ms --timeout {dice.randint(600, 900)}ms "
                  f"{engine(dice)}--get /items --get /prices",
                  truth=Truth(lambda all: [("timeouts", all.share(lambda one: one.problem == "TimeoutError"), 0.4 / (others + 1), 1.8 / (others + 1))],
                              close=True, timeout=0.4, users=15, seconds=5))


@cause("a proxy wants to know who uses it: 407", "credentials", "wrong-request", "always-fails", meaning="the proxy's credentials are missing")
def proxy_wants_credentials(dice: Random) -> Iterator[Bed]:
    async def refuse(asked: Asked) -> bool:
        await some(1, 4)
        return await asked.say(b"who are you?", 407)

    with server.go(rule(ms=(4, 12))) as url, answering(refuse) as proxy:
        yield Bed(url, peak(3) + users(dice) + f"--proxy {proxy[:-1]} --get /items --get /prices", probe=lambda: [
            ("by the proxy", took([], "curl", "-sf", "--noproxy", "", "-x", proxy, url), -1, -1),
            ("directly", took([], "curl", "-sf", "--noproxy", "*", url), 0, 5000)])


@cause("nginx refuses whatever isn't a browser: 403", "credentials", "wrong-request", "always-fails", meaning="the client isn't let in")
def only_browsers(dice: Random) -> Iterator[Bed]:
    with faults.nginx("", 'if ($http_user_agent !~ "Mozilla.*Gecko") { return 403; } location / { return 200 ok; }') as url:
        yield Bed(url, peak(3) + model(dice, (60, 120)) + "--get /items --get /prices", probe=lambda: [
            ("a program", took([], "curl", "-sf", url), -1, -1),
            ("a browser", took([], "curl", "-sf", "-A", "Mozilla/5.0 Gecko/20100101 Firefox/128.0", url), 0, 5000)])


@cause("a gateway ends each stream of events after a second, of which some would last longer", "truncated-bodies", "gives-up", "resets", "steady-failures",
       meaning="streams end before their last event")
def streams_of_a_second(dice: Random) -> Iterator[Bed]:
    limit, count = pick(dice, 0.9, 1.1), dice.randint(11, 13)

    async def answer(asked: Asked) -> bool:
        end = time.monotonic() + limit
        gap = random.uniform(0.04, 0.11)
        asked.writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
        for number in range(1, count + 1):
            await asyncio.sleep(gap)
            if time.monotonic() > end:
                return False
            event = f"id: {number}\ndata: {{\"number\":{number}}}\n\n".encode()
            asked.writer.write(f"{len(event):x}\r\n".encode() + event + b"\r\n")
            await asked.writer.drain()
        asked.writer.write(b"0\r\n\r\n")
        return True

    with answering(answer) as url:
        yield Bed(url, peak(7) + f"-c {dice.randint(20, 40)} --think 50ms {engine(dice)}--get /events --event-stream 'events count={count}'", truth=Truth(
            lambda all: [("cut off", all.failed, 0.15, 0.75), ("longest", all.slowest, 800 * limit, 1000 * limit + 250)], users=15))


# Messages over WebSocket.


@cause("nginx doesn't pass on that a client wants WebSocket: 426", "wrong-request", "not-http", "no-connection", "always-fails",
       meaning="no connection becomes a WebSocket")
def upgrade_not_passed(dice: Random) -> Iterator[Bed]:
    with echoing(lambda: some(1, 4)) as behind, faults.nginx("", f"location / {{ proxy_pass {behind[:-1]}; }}") as url:
        yield Bed(f"ws{url[4:]}rooms/{{pair}}?mode=echo",
                  peak(3) + f"--keep-going --subscribers 0 -c {dice.randint(8, 20)} --rate '{dice.randint(20, 60)} messages/s'",
                  probe=lambda: [("by nginx", message_ms(url, 1), -1, -1), ("directly", message_ms(behind, 1), 0, 500)])


@cause("a gateway loses its broker for 1.4 to 2 s in the middle, and drops the messages that come meanwhile", "outage", "never-delivered", "unanswered",
       meaning="no message arrives for a while")
def broker_away(dice: Random) -> Iterator[Bed]:
    begin = pick(dice, 2.8, 3.4)
    end = begin + pick(dice, 1.4, 2)
    clock = Clock()

    async def work() -> bool:
        await some(3, 10)
        return not begin < clock() < end

    def claims() -> list[Claim]:
        first = message_ms(url, 3)
        time.sleep(begin + 0.1 - clock())
        meanwhile = message_ms(url, 3, seconds=0.3)
        time.sleep(max(0.0, end + 0.1 - clock()))
        return [("before", first, 0, 500), ("meanwhile", meanwhile, -1, -1), ("after", message_ms(url, 3), 0, 500)]

    with echoing(work) as url:
        yield Bed(f"ws{url[4:]}rooms/{{pair}}?mode=echo",
                  f"--phases peak=1:for:8s --subscribers 0 --timeout 1s -c {dice.randint(20, 40)} --rate '{dice.randint(60, 150)} messages/s'", probe=claims)


@cause("a gateway stores the messages of all pairs one after another, 5 to 8 ms each", "saturation", "serial-work", "drift", "ramp-knee", "contention",
       meaning="messages wait for each other")
def messages_one_after_another(dice: Random) -> Iterator[Bed]:
    ms = dice.randint(5, 8)
    lock = asyncio.Lock()

    async def work() -> None:
        async with lock:
            await asyncio.sleep(ms / 1000)

    with echoing(work) as url:
        yield Bed(f"ws{url[4:]}rooms/{{pair}}?mode=echo",
                  f"--phases few=0.3:for:3s,peak=1:for:5s --subscribers 0 -c {dice.randint(40, 80)} --rate '{round(1.5 * 1000 / (ms + 0.5))} messages/s'",
                  probe=lambda: [("one", message_ms(url, 1), ms - 1, ms + 60), ("forty", message_ms(url, 40), 39 * ms, 55 * ms + 200)])


# Protocols.


@cause("a server counts characters, not bytes, for the length of one of two pages: its end stands before the next response", "not-http", "steady-failures",
       "always-fails", "resets",
       "keep-alive-limit", meaning="responses begin with the rest of another one")
def characters_for_bytes(dice: Random) -> Iterator[Bed]:
    page = " ".join(dice.choice(("Käse", "Brötchen", "Müsli", "Äpfel")) for _ in range(dice.randint(20, 200)))

    async def answer(asked: Asked) -> bool:
        await some(5, 15)
        if asked.path != "/menu":
            return await asked.say()
        asked.writer.write(f"HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {len(page)}\r\n\r\n".encode() + page.encode())
        await asked.writer.drain()
        return True

    with answering(answer) as url:
        yield Bed(url, peak(4) + users(dice) + "--get /menu --get /items", probe=lambda: [
            ("too much", len(reply(url, b"GET /menu HTTP/1.1\r\nHost: a\r\n\r\n").partition(b"\r\n\r\n")[2]) - len(page), 10, 1000),
            ("items", len(reply(url, b"GET /items HTTP/1.1\r\nHost: a\r\n\r\n").partition(b"\r\n\r\n")[2]), 2, 2)])


@cause("a test asks for HTTP/2, and a server knows HTTP/1.1 alone", "not-http", "always-closed", "wrong-request", "no-connection", "always-fails",
       meaning="another protocol is spoken there")
def http2_unknown(dice: Random) -> Iterator[Bed]:
    with server.node(rule(ms=(4, 12))) as url:
        yield Bed(url, peak(3) + f"--engine events --http2 --streams {dice.choice((2, 4))} -c {dice.randint(8, 16)} --think 30ms --get /items --get /prices",
                  probe=lambda: [
            ("HTTP/2", reply(url, b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes((0, 0, 0, 4, 0, 0, 0, 0, 0))).startswith(b"\0"), 0, 0),
            ("HTTP/1.1", reply(url, b"GET / HTTP/1.1\r\nHost: a\r\n\r\n").startswith(b"HTTP/1.1 200"), 1, 1)])


def frame(kind: int, flags: int, stream: int, payload: bytes = b"") -> bytes:
    """One of HTTP/2."""
    return len(payload).to_bytes(3, "big") + bytes((kind, flags)) + stream.to_bytes(4, "big") + payload


@cause("a proxy for HTTP/2 forgets to say that it has read bodies: after 64 KiB it gets no more of them", "never-answered", "unanswered", "steady-failures",
       "always-fails", meaning="requests with a body are stuck")
def window_never_opened(dice: Random) -> Iterator[Bed]:
    async def answer(writer: asyncio.StreamWriter, stream: int) -> None:
        await some(5, 15)
        writer.write(frame(1, 4, stream, b"\x88") + frame(0, 1, stream, b"ok"))

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        answers = set()
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
                    answers.add(asyncio.create_task(answer(writer, stream)))
        writer.close()

    with faults._listening(serve) as port, tempfile.NamedTemporaryFile() as body:  # noqa: SLF001
        url = f"http://127.0.0.1:{port}/"
        size = dice.randint(8, 16) * 1000
        Path(body.name).write_bytes(size * b"x")

        def upload(number: int) -> float:
            return took([], "sh", "-c", f"head -c {number * size} /dev/zero | curl -sf --http2-prior-knowledge --max-time 1.5 -X PUT --data-binary @- {url}")

        yield Bed(url, peak(6) + f"--engine events --http2 --streams {dice.choice((2, 4))} -c {dice.choice((8, 16))} --think {dice.randint(20, 50)}ms "
                  f"--timeout {dice.randint(700, 1200)}ms --get /photos --put /photos/7 --body @{body.name}", probe=lambda: [
            ("eight at once", server.streams_ms(url, 8), 5, 1500), ("one", upload(1), 0, 1500), ("as much as nine", upload(9), -1, -1)])


def _handshakes(url: str) -> bool:
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", server.port(url))) as plain, \
            ssl._create_unverified_context().wrap_socket(plain):  # noqa: S323, SLF001
        return True
    return False


@cause("an old nginx speaks TLS 1.1 alone", "no-tls", "no-connection", "always-fails", meaning="no handshake succeeds")
def old_tls(dice: Random) -> Iterator[Bed]:
    with faults.nginx("", "ssl_protocols TLSv1.1; ssl_ciphers DEFAULT:@SECLEVEL=0; location / { return 200 ok; }", tls="-newkey rsa:2048") as url:
        old = f"openssl s_client -connect 127.0.0.1:{server.port(url)} -tls1_1 -cipher DEFAULT:@SECLEVEL=0 < /dev/null"
        yield Bed(url, peak(3) + f"-k {users(dice)}--get /items", probe=lambda: [
            ("TLS 1.2 or 1.3", _handshakes(url), 0, 0), ("TLS 1.1", took([], "sh", "-c", old), 0, 5000)])


# Ways between client and server.


FETCH = """
import http.client, socket, sys
one = socket.socket()
if int(sys.argv[3]):
    one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, int(sys.argv[3]))
one.connect((sys.argv[1], int(sys.argv[2])))
connection = http.client.HTTPConnection(sys.argv[1], int(sys.argv[2]))
connection.sock = one
for _ in range(3):
    connection.request("GET", "/")
    connection.getresponse().read()
"""


@cause("a test's receive buffers of 6 to 8 kB on a way of 24 to 32 ms", "bandwidth", meaning="a limit of bandwidth")
def receive_buffers_too_small(dice: Random) -> Iterator[Bed]:
    seconds, size, buffer = pick(dice, 0.012, 0.016), dice.randint(80_000, 140_000), dice.randint(6000, 8000)
    with faults.network() as inside, faults.delays(inside, lambda: seconds) as address, \
            server.go(option(address="10.99.0.1:0"), rule(ms=(2, 5), bytes=size), under=inside) as url:
        def ms(number: int) -> float:
            return took(inside, sys.executable, "-c", FETCH, address, str(server.port(url)), str(number))

        yield Bed(url.replace("10.99.0.1", address), peak(7) + f"-c {dice.randint(3, 5)} --receive-buffer {buffer} {engine(dice)}--get /page --get /image",
                  inside, probe=lambda: [
            ("ms a page", ms(buffer) / 3, 140, 4000), ("times", ms(buffer) / ms(0), 1.8, 40)])


CONNECT = "import socket, sys; socket.create_connection((sys.argv[1], int(sys.argv[2])), timeout=float(sys.argv[3]))"


@cause("a test waits 50 to 80 ms for a connection, on a way of 110 to 140 ms", "no-connection", "timeout-too-short", "always-fails", "slow-connects",
       meaning="no connection is made in time")
def connects_too_far(dice: Random) -> Iterator[Bed]:
    seconds, limit = pick(dice, 0.055, 0.07), dice.randint(50, 80)
    with faults.network() as inside, faults.delays(inside, lambda: seconds) as address, \
            server.go(option(address="10.99.0.1:0"), rule(ms=(3, 12)), under=inside) as url:
        def ms(most: float) -> float:
            return took(inside, sys.executable, "-c", CONNECT, address, str(server.port(url)), str(most))

        yield Bed(url.replace("10.99.0.1", address), peak(3) + f"-c {dice.randint(5, 12)} --think 50ms --connect-timeout {limit}ms {engine(dice)}--get /items",
                  inside, probe=lambda: [
            ("in time", ms(limit / 1000), -1, -1), ("later", ms(3), 1900 * seconds, 5000)])


@cause("a provider drops what exceeds 12 to 20 Mbit/s, and keeps no queue", "packet-loss", "bandwidth", "two-speeds", meaning="segments are lost")
def policed_link(dice: Random) -> Iterator[Bed]:
    mbit = dice.randint(12, 20)
    with faults.network("ip link set lo mtu 1500", f"tc qdisc add dev lo root tbf rate {mbit}mbit burst 12k limit 6k") as inside, \
            server.go(rule(ms=(3, 8), bytes=dice.randint(20_000, 40_000)), under=inside) as url:
        yield Bed(url, peak(7) + f"-c {dice.randint(12, 20)} --think {dice.randint(40, 80)}ms {engine(dice)}--get /page --get /image", inside, truth=Truth(
            lambda all: [("late by 200 ms", all.slower(195), 0.03, 0.95), ("failed", all.failed, 0, 0.05)], users=12, think=0.05))


# Deployments.


@cause("two versions run side by side, and a page's script is asked of the other one: 404", "steady-failures", "wrong-request",
       meaning="a constant share isn't found")
def script_of_the_other_version(dice: Random) -> Iterator[Bed]:
    def version(number: int) -> contextlib.AbstractContextManager[str]:
        async def answer(asked: Asked) -> bool:
            await some(4, 12)
            if asked.path.startswith("/scripts/"):
                return await (asked.say() if asked.path.endswith(f"/{number}") else asked.say(b"no such script", 404))
            return await asked.say(f'{{"version": {number}}}'.encode())

        return answering(answer)

    with version(dice.randint(10, 49)) as one, version(dice.randint(50, 99)) as other, of_haproxy(one, other, balance="random") as url:
        yield Bed(url, peak(7) + f"-c {dice.randint(15, 25)} {engine(dice)}", plan="""
scenarios:
  - name: page
    steps:
      - get: /page
        extract: {version: "json:/version"}
      - think: 50ms..150ms
      - get: /scripts/{version}
        name: GET /scripts/VERSION
        onFailure: continue
      - think: 50ms..150ms
""", truth=Truth(lambda all: [("404", all.status(404), 0.5, 1), ("two", len({one.path for one in all.all if one.status == 200}), 0, 2)],
                 paths=tuple(f"/scripts/{number}" for number in range(10, 100)), seconds=2))


@cause("a virtual machine is moved in the middle: it stands still for 0.8 to 1.2 s, and is 2.5 to 3.5 times as slow afterwards", "standstill", "drift",
       "slow-period", "outage", meaning="it stands still once, and gets slower")
def machine_is_moved(dice: Random) -> Iterator[Bed]:
    begin, times = pick(dice, 2.8, 3.4), pick(dice, 2.5, 3.5)
    end = begin + pick(dice, 0.8, 1.2)

    def ms(now: float, _: Asked) -> float:
        return random.uniform(8, 15) * (times if now > begin else 1) + (1000 * (end - now) if begin < now < end else 0)

    with of_time(ms) as url:
        yield Bed(url, peak(7) + f"-c 200 --rate {dice.randint(80, 140)}/s {engine(dice)}--get /items --post /orders --body order", truth=Truth(
            lambda all: [("before", between(all, 0, begin - 0.1).median, 8, 30),
                         ("longest", all.slowest, 1000 * (end - begin) - 100, 1000 * (end - begin) + 250),
                         ("after", between(all, end + 0.1, 7).median, 8 * times, 20 * times)], seconds=7))


# Wrong tests, and services that don't expect such a test.


COOKIES = """
const size = Number(process.argv[1]);
process.stdin.on('end', () => process.exit(0)).resume();
const server = require('node:http').createServer((request, response) => setTimeout(() => {
    response.setHeader('Set-Cookie', `seen${Math.random().toString(36).slice(2)}=${'x'.repeat(size)}; Path=/`);
    response.setHeader('Content-Length', 2);
    response.end('ok');
}, 4 + 8 * Math.random()));
server.listen({port: 0, host: '127.0.0.1', backlog: 1024}, () => console.log(`http://127.0.0.1:${server.address().port}/`));
"""


@cause("each page leaves another cookie of 1 to 1.3 kB, until a Node server finds their header too large: 431", "steady-failures", "wrong-request",
       meaning="a constant share is refused")
def cookies_pile_up(dice: Random) -> Iterator[Bed]:
    with inline("node", "-e", COOKIES, str(dice.randint(1000, 1300))) as url:
        yield Bed(url, peak(6) + f"-c {dice.randint(8, 16)} --keep-cookies {engine(dice)}", plan="""
scenarios:
  - name: visit
    steps:
      - repeat: 20
        steps:
          - get: /pages/{random:1..50}
            name: GET /pages/ID
            onFailure: continue
          - think: 5ms..25ms
""", probe=lambda: [("8 kB", sent(url, 1, Cookie="a=" + 8000 * "x")[0][0], 200, 200), ("18 kB", sent(url, 1, Cookie="a=" + 18_000 * "x")[0][0], 431, 431)])


@cause("all users log in as the same one, and each log-in ends the session before: 401", "failures-with-load", "credentials", "steady-failures",
       meaning="users end each other's sessions")
def one_session_an_account(dice: Random) -> Iterator[Bed]:
    session = 0

    async def answer(asked: Asked) -> bool:
        nonlocal session
        await some(5, 15)
        if asked.path == "/login":
            session += 1
            return await asked.say(f'{{"token": {session}}}'.encode())
        return await asked.say(b"log in", 401) if asked.path != f"/account/{session}" else await asked.say()

    def claims() -> list[Claim]:
        before = session
        for _ in range(2):
            sent(url, 1, path="/login", method="POST")
        return [("the first", sent(url, 1, path=f"/account/{before + 1}")[0][0], 401, 401),
                ("the second", sent(url, 1, path=f"/account/{before + 2}")[0][0], 200, 200)]

    with answering(answer) as url:
        yield Bed(url, f"--phases few=0.1:for:3s,peak=1:for:5s -c 10 {engine(dice)}", plan=f"""
scenarios:
  - name: visit
    steps:
      - post: /login
        json: {{name: loadtest}}
        extract: {{token: "json:/token"}}
      - repeat: {dice.randint(4, 6)}
        steps:
          - think: 20ms..60ms
          - get: "/account/{{token}}"
            name: GET /account/TOKEN
            onFailure: continue
""", probe=claims)


@cause("a test makes the same account again and again: 409", "wrong-request", "always-fails", meaning="a request is wrong")
def account_exists(dice: Random) -> Iterator[Bed]:
    names: set[bytes] = set()

    async def answer(asked: Asked) -> bool:
        await some(5, 15)
        if asked.method == "POST" and asked.body in names:
            return await asked.say(b"there is one", 409)
        names.add(asked.body)
        return await asked.say()

    with answering(answer) as url:
        yield Bed(url, peak(4) + model(dice, (60, 120)) + "--post /accounts --body name=loadtest --get /accounts/loadtest", truth=Truth(
            lambda all: [("200", len(all.all) * all.status(200), 0, 5), ("409", all.status(409), 0.97, 1)], method="POST", body=9))


@cause("a test looks for a word in a body that it asked for compressed, in one of two operations", "check-never-holds", meaning="a check is wrong")
def word_in_compressed_body(dice: Random) -> Iterator[Bed]:
    with tempfile.TemporaryDirectory() as folder, faults.nginx(
            "gzip on; gzip_types application/json; types { application/json json; }", f"root {folder};") as url:
        os.chmod(folder, 0o755)
        for name in ("state", "items"):
            Path(folder, f"{name}.json").write_text('{"state": "available", "stock": [' + ", ".join(str(dice.randint(1, 99)) for _ in range(200)) + "]}")
        ask = f"curl -s -H 'Accept-Encoding: gzip' {url}state.json | grep -a"
        yield Bed(url, peak(4) + model(dice, (60, 120)) + "-H 'Accept-Encoding: gzip' --get /items.json --get /state.json --expect body~available",
                  probe=lambda: [
            ("as it is", took([], "sh", "-c", f"{ask} available"), -1, -1),
            ("decoded", took([], "sh", "-c", f"curl -s --compressed {url}state.json | grep available"), 0, 5000)])


# Healthy, though it may look otherwise.


@clean("a model's server gathers requests for 30 to 50 ms, and answers them together")
def small_batches(dice: Random) -> Iterator[Bed]:
    every = pick(dice, 0.03, 0.05)
    clock = Clock()

    async def answer(asked: Asked) -> bool:
        await asyncio.sleep(every - clock() % every)
        await some(8, 12)
        return await asked.say()

    with answering(answer) as url:
        yield Bed(url, peak(6) + f"-c {dice.randint(40, 60)} --rate {dice.randint(90, 150)}/s --arrivals poisson {engine(dice)}"
                  "--post /embeddings --body text --post /labels --body text")


@clean("messages that come back after 3 to 60 ms, by WebSocket")
def messages_after_work(dice: Random) -> Iterator[Bed]:
    with echoing(lambda: some(3, 60)) as url:
        yield Bed(f"ws{url[4:]}rooms/{{pair}}?mode=echo", peak(6) + f"--subscribers 0 -c {dice.randint(30, 60)} --rate '{dice.randint(60, 150)} messages/s'",
                  probe=lambda: [("twenty", message_ms(url, 20), 20, 300)])


@clean("HAProxy speaks HTTP/2 and TLS with its users, HTTP/1.1 with a Go and a Python server")
def h2_ends_at_haproxy(dice: Random) -> Iterator[Bed]:
    with tempfile.TemporaryDirectory() as folder:
        key, cert = server.certificate(folder)
        both = Path(folder, "both.pem")
        both.write_text(Path(cert).read_text() + Path(key).read_text())
        with server.go(rule(ms=(6, 20))) as one, server.python(rule(ms=(6, 20))) as other, server.haproxy(
                f"listen all\n  bind LISTEN ssl crt {both} alpn h2,http/1.1\n  balance roundrobin"
                f"\n  server one {one[7:-1]}\n  server other {other[7:-1]}") as url:
            yield Bed(f"https{url[4:]}",
                      peak(6) + f"-k --engine events --http2 --streams {dice.choice((2, 5))} -c {dice.randint(10, 20)} --think {dice.randint(20, 50)}ms "
                      "--get /items --post /orders --body order")


@clean("a rate that falls, from 100 or 150 a second to 10")
def falling_rate(dice: Random) -> Iterator[Bed]:
    with server.java(rule(ms=6, exp=8)) as url:
        yield Bed(url, f"--phases 'warmup=1 for 1s at 50/s, peak=1 for 7s at {dice.randint(100, 150)}/s..10/s' -c 60 {engine(dice)}--get /items --get /prices")


@clean("twelve operations, the first twelve times as often as the last, each with a time of its own, 3 to 90 ms")
def twelve_operations(dice: Random) -> Iterator[Bed]:
    times = [dice.randint(3, 60) for _ in range(12)]
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file, \
            server.python(*(rule(path=f"/part{number:02}", ms=(ms, 1.5 * ms)) for number, ms in enumerate(times, 1)), rule(ms=(3, 9))) as url:
        file.write("".join(f"{120 // number} GET /part{number:02}\n" for number in range(1, 13)))
        file.flush()
        yield Bed(url, peak(7) + f"--requests {file.name} -c 60 --rate {dice.randint(70, 130)}/s {engine(dice)}{dice.choice(('', '--arrivals poisson '))}")


@clean("uploads of 2, 60 and 250 kB: each is searched for viruses, the longer the larger")
def searched_for_viruses(dice: Random) -> Iterator[Bed]:
    async def answer(asked: Asked) -> bool:
        await asyncio.sleep((5 + len(asked.body) / 2500 * random.uniform(0.8, 1.2)) / 1000)
        return await asked.say()

    with contextlib.ExitStack() as stack:
        url = stack.enter_context(answering(answer))
        requests = ""
        for size in (2, 60, 250):
            body = stack.enter_context(tempfile.NamedTemporaryFile())
            Path(body.name).write_bytes(size * 1000 * b"x")
            requests += f"--post /files/{size} --body @{body.name} "
        yield Bed(url, peak(6) + f"-c {dice.randint(5, 10)} --think 30ms..80ms {engine(dice)}{requests}")


@clean("streams whose first event takes 0.2 to 0.8 s, later ones come in pairs")
def events_in_pairs(dice: Random) -> Iterator[Bed]:
    pairs = dice.randint(3, 6)

    async def answer(asked: Asked) -> bool:
        asked.writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
        await some(200, 800)
        for number in range(2 * pairs):
            event = f"id: {number}\ndata: {{\"number\":{number}}}\n\n".encode()
            asked.writer.write(f"{len(event):x}\r\n".encode() + event + b"\r\n")
            await asked.writer.drain()
            await (some(80, 160) if number % 2 else some(1, 3))
        asked.writer.write(b"0\r\n\r\n")
        return True

    with answering(answer) as url:
        yield Bed(url, peak(7) + f"-c {dice.randint(12, 25)} --think 50ms..150ms {engine(dice)}--get /events --event-stream 'events count={2 * pairs}'")


@clean("a server sends early hints, 103, before each page")
def early_hints(dice: Random) -> Iterator[Bed]:
    async def answer(asked: Asked) -> bool:
        asked.writer.write(b"HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n")
        await some(8, 30)
        return await asked.say(2000 * b"x")

    with answering(answer) as url:
        yield Bed(url, peak(6) + users(dice) + "--get /page --get /news", probe=lambda: [("fetched", took([], "curl", "-sf", url), 8, 5000)])


@clean("bodies of 20 to 60 small chunks with extensions, and trailers at their end")
def chunks_with_trailers(dice: Random) -> Iterator[Bed]:
    chunks = dice.randint(20, 60)

    async def answer(asked: Asked) -> bool:
        await some(6, 18)
        asked.writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n"
                           + chunks * b"a;part=1\r\n0123456789\r\n" + b"0\r\nX-Sum: 77\r\n\r\n")
        await asked.writer.drain()
        return True

    with answering(answer) as url:
        yield Bed(url, peak(6) + model(dice, (80, 150)) + "--get /rows --get /columns")


@clean("a plan asks for more than it may, to see that it gets 429")
def limit_is_tested(dice: Random) -> Iterator[Bed]:
    with server.node(rule(path="/exports", ms=(1, 3), status=429, header="Retry-After:60"), rule(ms=(8, 20))) as url:
        yield Bed(url, peak(6) + f"-c {dice.randint(10, 20)} {engine(dice)}", plan="""
scenarios:
  - name: limits
    steps:
      - get: /items
      - think: 20ms..60ms
      - post: /exports
        json: {year: 2024}
        checks: status=429
      - think: 20ms..60ms
""")


@clean("a service behind a Unix domain socket")
def unix_socket(dice: Random) -> Iterator[Bed]:
    with tempfile.TemporaryDirectory() as folder, server.go(rule(ms=(5, 15), bytes=1500)) as behind, server.haproxy(
            f"listen all\n  bind LISTEN\n  bind {folder}/socket\n  server one {behind[7:-1]}") as url:
        yield Bed(url, peak(6) + users(dice) + f"--unix-socket {folder}/socket --get /items --get /prices")


@clean("all requests go over a proxy that works")
def working_proxy(dice: Random) -> Iterator[Bed]:
    with server.go(rule(ms=(8, 25))) as url, server.haproxy(f"listen all\n  bind LISTEN\n  server one {url[7:-1]}") as proxy:
        yield Bed(url, peak(6) + model(dice, (80, 150)) + f"--proxy {proxy[:-1]} --get /items --post /orders --body order", probe=lambda: [
            ("by the proxy", took([], "curl", "-sf", "--noproxy", "", "-x", proxy, url), 0, 5000)])


@clean("Apache HttpClient with a pool for each user, over TLS")
def pool_of_each_user(dice: Random) -> Iterator[Bed]:
    with server.go(option(tls=1), rule(ms=(15, 45), bytes=3000)) as url:
        yield Bed(url, peak(6, 2) + f"-k --client httpclient --pool user -c {dice.randint(8, 16)} --think {dice.randint(20, 60)}ms --get /items --get /prices")


@clean("a server whose timer has steps of 15.6 ms: answers take one to five of them")
def coarse_timer(dice: Random) -> Iterator[Bed]:
    weights = (25, 30, 22, 15, 8)
    with of_time(lambda *_: 15.6 * random.choices((1, 2, 3, 4, 5), weights)[0]) as url:
        yield Bed(url, peak(6) + model(dice, (70, 120)) + "--get /items --get /prices")


@clean("HttpClient sends bodies of 20 to 60 kB when the server has said 100")
def continue_is_said(dice: Random) -> Iterator[Bed]:
    number = dice.randint(6, 12)
    with tempfile.NamedTemporaryFile() as body, server.node(rule(ms=(10, 30))) as url:
        Path(body.name).write_bytes(b"x" * dice.randint(20_000, 60_000))
        yield Bed(url, peak(6, 2) + f"--client httpclient --expect-continue --pool {number} -c {number} --think 40ms "
                  f"--put /files/7 --body @{body.name} --get /files", probe=lambda: [
            ("continue", reply(url, b"PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n", 0.3).startswith(b"HTTP/1.1 100"), 1, 1)])


@clean("load goes up and down in five steps, at a service with room")
def up_and_down(dice: Random) -> Iterator[Bed]:
    with server.go(rule(pool=40, ms=(10, 30))) as url:
        yield Bed(url, "--phases 'a=0.2 for 1.5s, b=0.6 for 1.5s, peak=1 for 1.5s, c=0.6 for 1.5s, d=0.2 for 1.5s' "
                  f"-c {dice.randint(20, 30)} --think 20ms..60ms {engine(dice)}--get /items --post /orders --body order")
