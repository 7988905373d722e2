"""
The fourth held-out set. Don't read on if you change rules.

The kinds were written before any of them was run through the diagnosis, by somebody who hadn't read the rules, only the ids and the first
line that each one says. Each begins with what post-mortems tell of; the ids are those that an engineer could begin with: the cause, or what
plainly follows from it.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import http.client
import math
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import behaviours as server
import faults
from asking import Answers, Truth
from behaviours import option, rule
from kinds import Bed, cause, clean, engine, model, peak, pick, users
from kinds.held_out_second import Asked, answering, some
from kinds.held_out_third import of_haproxy, steps

SERIAL = ("saturation", "serial-work", "contention")


def _program(name: str) -> str:
    program = shutil.which(name)
    if program is None:
        raise faults.Impossible(f"no {name}")
    return program


def inline(*command: str) -> contextlib.AbstractContextManager[str]:
    """The address of what prints it."""
    return server._started([_program(command[0]), *command[1:]], [])  # noqa: SLF001


@contextlib.contextmanager
def puma(threads: int, application: str) -> Iterator[str]:
    """The address of a Puma; the application is the body of a block with the Rack environment, after what comes before a line ---."""
    before, _, body = application.rpartition("---")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "config.ru")
        file.write_text(f"$stdout.sync = true\n{before}\nrun ->(env) {{\n{body}\n}}\n")
        with inline("puma", "-e", "production", "-b", "tcp://127.0.0.1:0", "-t", f"{threads}:{threads}", str(file)) as url:
            yield f"{url}/"


@contextlib.contextmanager
def php(workers: int, script: str) -> Iterator[str]:
    """The address of an nginx before PHP with so many processes, whose sessions are files."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "index.php").write_text(f"<?php {script}")
        port = faults.free_port()
        with subprocess.Popen([_program("php"), "-d", f"session.save_path={folder}", "-S", f"127.0.0.1:{port}", f"{folder}/index.php"], start_new_session=True,
                              env={**os.environ, "PHP_CLI_SERVER_WORKERS": str(workers)}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            try:
                faults.wait_for(port)
                with faults.nginx("", f"location / {{ proxy_pass http://127.0.0.1:{port}; }}") as url:
                    yield url
            finally:
                os.killpg(process.pid, signal.SIGTERM)


def sent(url: str, number: int, path: str = "/", method: str = "GET", **headers: str) -> list[tuple[int, float]]:
    """The status of so many requests, sent at once, and the ms each took."""

    def send(_: int) -> tuple[int, float]:
        begin = time.monotonic()
        connection = http.client.HTTPConnection("127.0.0.1", server.port(url), timeout=10)
        with contextlib.closing(connection):
            connection.request(method, path, headers={name.replace("_", "-"): value for name, value in headers.items()})
            response = connection.getresponse()
            response.read()
            return response.status, (time.monotonic() - begin) * 1000

    with concurrent.futures.ThreadPoolExecutor(number) as threads:
        return list(threads.map(send, range(number)))


def all_ms(url: str, number: int, **headers: str) -> float:
    return max(ms for _, ms in sent(url, number, **headers))


def between(answers: Answers, first: float, last: float) -> Answers:
    """Those that were sent then (s)."""
    return Answers([one for one in answers.all if first <= one.at < last])


# Too much for what there is.


@cause("Puma's threads wait 0.25 to 0.4 s for one of 2 or 3 connections to a database, then fail", "failures-with-load", "gives-up", "saturation",
       meaning="it fails under load")
def puma_without_connections(dice: Random) -> Iterator[Bed]:
    size, ms, limit = dice.randint(2, 3), dice.randint(40, 60), pick(dice, 0.25, 0.4)
    with puma(32, f"""
require "timeout"
POOL = Queue.new
{size}.times {{ |number| POOL << number }}
---
begin
  connection = Timeout.timeout({limit}) {{ POOL.pop }}
  sleep({ms / 1000})
  POOL << connection
  [200, {{}}, ["ok"]]
rescue Timeout::Error
  [500, {{}}, ["could not obtain a connection from the pool"]]
end""") as url:
        yield Bed(url, f"--phases few=0.3:for:3s,peak=1:for:5s -c 150 --rate {round(1.6 * size * 1000 / ms)}/s {engine(dice)}--get /items --post /orders --body order",
                  truth=Truth(lambda all: [("500", all.status(500), 0.05, 0.9), ("passed a second", len(all.all) * all.status(200) / 4, 0.6 * size * 1000 / ms, 1.2 * size * 1000 / ms)],
                              users=32, think=0))


@cause("instances that fail when they have more than 8 requests, and an nginx that asks three of them", "failures-with-load", "load-shedding", "saturation",
       meaning="retries multiply an overload")
def retry_storm(dice: Random) -> Iterator[Bed]:
    ms = dice.randint(25, 40)
    with contextlib.ExitStack() as stack:
        instances = [stack.enter_context(server.go(rule(above=8, ms=(ms, ms + 10), status=503), rule(ms=(ms, ms + 10)))) for _ in range(3)]
        url = stack.enter_context(faults.nginx(
            "upstream three { " + "".join(f"server {one[7:-1]} max_fails=0; " for one in instances) + "}",
            "location / { proxy_next_upstream error timeout http_503; proxy_pass http://three; }"))
        yield Bed(url, steps(dice, dice.randint(28, 40)) + "--get /items --get /prices", truth=Truth(
            lambda all: [("503", all.status(503), 0.1, 0.98), ("median 503", Answers([one for one in all.all if one.status == 503]).median, 2.5 * ms, 12 * ms)],
            users=30, think=0))


@cause("other programs in the container of a Tomcat begin to compute, in the middle", "server-cpu", "drift", "slow-period", meaning="the server has too little CPU time")
def noisy_neighbour(dice: Random) -> Iterator[Bed]:
    loops = dice.randint(4, 6)
    with faults.control_group(1) as under, faults.java(
            "-cp", str(faults.JAR), str(server.SERVERS.parent / "FaultyTomcat.java"), under=under) as url, subprocess.Popen(
            [*under, "sh", "-c", f"sleep 6; for loop in $(seq {loops}); do timeout 8 sh -c 'while :; do :; done' & done; wait"], start_new_session=True) as neighbours:
        try:
            yield Bed(url, peak(7) + f"-c 60 --rate {dice.randint(50, 80)}/s {engine(dice)}--get /burn?ms=6 --get /burn?ms=2 --server-metrics /metrics", truth=Truth(
                lambda all: [("failed", all.failed, 0, 0), ("before", between(all, 2, 5).median, 6, 60), ("after", between(all, 7, 8).median / between(all, 2, 5).median, 1.8, 200)],
                users=3, seconds=8, think=0.03, paths=("/burn?ms=6",)))
        finally:
            os.killpg(neighbours.pid, signal.SIGTERM)


@cause("each order is flushed to a slow disk, in 12 to 20 ms, before the next one", *SERIAL, meaning="more users only wait for the disk")
def flush_of_each_order(dice: Random) -> Iterator[Bed]:
    ms = dice.randint(12, 20)
    with puma(48, f"""
LOG = Mutex.new
---
if env["REQUEST_METHOD"] == "POST"
  LOG.synchronize {{ sleep({ms / 1000}) }}
else
  sleep(0.004)
end
[200, {{}}, ["ok"]]""") as url:
        yield Bed(url, steps(dice, dice.randint(25, 40)) + "--get /orders --post /orders --body order", truth=Truth(
            lambda all: [("a second", len(all.all) / 4, 500 / ms, 1050 / ms)], users=12, think=0, method="POST", body=5))


@cause("all users have one account, and PHP locks the file of its session", *SERIAL, meaning="requests of one session wait for each other")
def php_session_lock(dice: Random) -> Iterator[Bed]:
    ms = dice.randint(15, 30)
    with php(6, f'session_start(); usleep({ms * 1000}); header("Content-Length: 2"); echo "ok";') as url:
        yield Bed(url, steps(dice, dice.randint(20, 30)) + "-H 'Cookie: PHPSESSID=loadtest1' --get /account --get /basket", probe=lambda: [
            ("one session", all_ms(url, 12, Cookie="PHPSESSID=loadtest1"), 12 * ms, 30 * ms + 200), ("own sessions", all_ms(url, 12), 2 * ms, 9 * ms)])


@cause("reports of 0.2 to 0.3 s take Puma's 4 or 5 threads, which pages of a few ms need too", "ramp-knee", "saturation", "server-threads",
       meaning="reports leave no thread for pages")
def reports_starve_pages(dice: Random) -> Iterator[Bed]:
    threads, ms = dice.randint(4, 5), dice.randint(200, 300)
    limit = threads * 2000 / (ms + 5)
    with puma(threads, f'sleep(env["PATH_INFO"] == "/report" ? {ms / 1000} : 0.004)\n[200, {{}}, ["ok"]]') as url:
        yield Bed(url, f"--phases 'peak=1 for 8s at {int(0.3 * limit)}/s..{int(2 * limit)}/s' -c 150 {engine(dice)}--get /report --get /page", truth=Truth(
            lambda all: [("a second", len(all.all) / 4, 0.6 * limit, 1.1 * limit + 3), ("pages", all.of("/page").slowest, ms / 3, 4700)],
            users=4 * threads, think=0, paths=("/report", "/page")))


@cause("HAProxy sends an address to one of three equal instances, always the same one", *SERIAL, meaning="one instance does all the work")
def one_favourite_of_three(dice: Random) -> Iterator[Bed]:
    size, ms = dice.randint(2, 3), dice.randint(20, 30)
    with contextlib.ExitStack() as stack:
        instances = [stack.enter_context(server.go(rule(pool=size, ms=(ms, ms + 10)))) for _ in range(3)]
        url = stack.enter_context(of_haproxy(*instances, balance="source"))
        yield Bed(url, steps(dice, dice.randint(24, 36)) + "--get /items --post /orders --body order", truth=Truth(
            lambda all: [("a second", len(all.all) / 4, 0.6 * size * 1000 / (ms + 5), 1.1 * size * 1000 / (ms + 5))], users=5 * size, think=0))


@cause("nginx compresses documents of 300 to 500 kB as well as it can, with one process", *SERIAL, "server-cpu", meaning="compressing takes all CPU time of a process")
def best_compression(dice: Random) -> Iterator[Bed]:
    words = [f"{random.getrandbits(48):x}"[:random.randint(3, 9)] for _ in range(3000)]
    with tempfile.TemporaryDirectory() as folder, faults.nginx(
            "gzip on; gzip_comp_level 9; gzip_types application/json; types { application/json json; }", f"root {folder};") as url:
        os.chmod(folder, 0o755)
        Path(folder, "items.json").write_text(" ".join(random.choices(words, k=dice.randint(45_000, 75_000))))
        yield Bed(url, steps(dice, dice.randint(12, 20)) + "-H 'Accept-Encoding: gzip' --get /items.json", probe=lambda: [
            ("plain", min(ms for _, ms in sent(url, 3, "/items.json")), 0, 60), ("one", all_ms(url, 1, path="/items.json", Accept_Encoding="gzip"), 4, 400),
            ("eight to one", all_ms(url, 8, path="/items.json", Accept_Encoding="gzip") / all_ms(url, 1, path="/items.json", Accept_Encoding="gzip"), 3, 16)])


@cause("requests wait 0.15 to 0.25 s in HAProxy's queue for one of 4 or 5 places, then get 503", "load-shedding", "gives-up", "proxy-queue", "failures-with-load",
       "saturation", meaning="the proxy has too few places")
def queue_with_a_deadline(dice: Random) -> Iterator[Bed]:
    places, wait = dice.randint(4, 5), dice.randint(150, 250)
    with server.java(rule(ms=(40, 60))) as behind, server.haproxy(
            f"listen all\n  bind LISTEN\n  retries 0\n  timeout queue {wait}ms\n  server one {behind[7:-1]} maxconn {places}") as url:
        yield Bed(url, steps(dice, 9 * places) + "--get /items --get /prices", truth=Truth(
            lambda all: [("503", all.status(503), 0.1, 0.9), ("fastest 503", min(one.ms for one in all.all if one.status == 503), 0.85 * wait, wait + 100)],
            users=9 * places, think=0))


@cause("writers of the same row conflict: 409", "failures-with-load", meaning="it fails under load")
def conflicts_with_users(dice: Random) -> Iterator[Bed]:
    rows = dice.randint(30, 50)
    versions: dict[str, int] = {}

    async def answer(asked: Asked) -> bool:
        before = versions.get(asked.path, 0)
        await some(12, 25)
        if versions.get(asked.path, 0) != before:
            return await asked.say(b'{"error": "the row has changed"}', 409)
        versions[asked.path] = before + 1
        return await asked.say()

    with answering(answer) as url:
        yield Bed(url, steps(dice, dice.randint(25, 35)), plan=f"""
scenarios:
  - name: stock
    steps:
      - put: /stock/{{random:1..{rows}}}
        name: PUT /stock/ID
        body: "3"
""", truth=Truth(lambda all: [("409", all.status(409), 0.2, 0.85)], users=30, think=0, method="PUT", body=1,
                 paths=tuple(f"/stock/{random.randint(1, rows)}" for _ in range(997))))


# Pauses.


@cause("collections whose pauses grow from 0.1 s to 0.4 s, every 1.1 to 1.4 s", "periodic-stalls", "standstill", meaning="all requests wait at even distances")
def growing_collections(dice: Random) -> Iterator[Bed]:
    every, first, more = pick(dice, 1.1, 1.4), pick(dice, 0.07, 0.1), pick(dice, 0.05, 0.07)
    begin = 0.0

    async def answer(asked: Asked) -> bool:
        nonlocal begin
        begin = begin or time.monotonic()
        await some(4, 12)
        number, within = divmod(time.monotonic() - begin, every)
        if number and within < (length := first + more * number):
            await asyncio.sleep(length - within)
        return await asked.say()

    with answering(answer) as url:
        yield Bed(url, peak(7) + f"-c 100 --rate {dice.randint(100, 180)}/s {engine(dice)}--get /items --post /orders --body order", truth=Truth(
            lambda all: [("early", between(all, 0, 1.9 * every).slowest, 700 * first, 1000 * (first + more) + 60),
                         ("late", between(all, 3.5 * every, 6).slowest, 700 * (first + 4 * more), 1000 * (first + 5 * more) + 80), ("median", all.median, 4, 25)], seconds=6))


STAMPEDE = """
const [ttl, query, render] = process.argv.slice(1).map(Number);
let until = 0;
const server = require('node:http').createServer(async (request, response) => {
    if (performance.now() > until) {
        await new Promise(done => setTimeout(done, query));
        for (const end = performance.now() + render; performance.now() < end;);
        until = performance.now() + ttl;
    } else {
        await new Promise(done => setTimeout(done, 3 + 5 * Math.random()));
    }
    response.setHeader('Content-Length', 2);
    response.end('ok');
}).listen(0, '127.0.0.1', 1024, () => console.log(`http://127.0.0.1:${server.address().port}/`));
"""


@cause("when a page of a Node server expires, every 1.2 to 1.5 s, all requests make it anew", "periodic-stalls", "standstill", meaning="all requests wait at even distances")
def everybody_renews(dice: Random) -> Iterator[Bed]:
    ttl, query, render = dice.randint(1200, 1500), dice.randint(80, 120), dice.randint(14, 20)
    with inline("node", "-e", STAMPEDE, str(ttl), str(query), str(render)) as url:
        yield Bed(url, peak(7) + f"-c 150 --rate {dice.randint(120, 170)}/s {engine(dice)}{dice.choice(('', '--arrivals poisson '))}--get /home", truth=Truth(
            lambda all: [("slow share", all.slower(query - 5), 0.01, 0.3), ("slowest", all.slowest, query + 3 * render, query + 12 * render + 200), ("median", all.median, 3, 25)],
            seconds=5))


@cause("a migration locks a table for 1.5 to 2.2 s: writes wait, reads don't", "standstill", "outage", "slow-period", meaning="an operation waited once")
def migration_locks_table(dice: Random) -> Iterator[Bed]:
    at, length = pick(dice, 3, 4), pick(dice, 1.5, 2.2)
    begin = 0.0

    async def answer(asked: Asked) -> bool:
        nonlocal begin
        begin = begin or time.monotonic()
        await some(4, 12)
        if asked.method != "GET" and 0 < (within := time.monotonic() - begin - at) < length:
            await asyncio.sleep(length - within)
        return await asked.say()

    with answering(answer) as url:
        yield Bed(url, peak(7) + f"-c 300 --rate {dice.randint(60, 120)}/s {engine(dice)}--get /orders --put /orders/7 --body order --get /items", truth=Truth(
            lambda all: [("slowest", all.slowest, 900 * length, 1000 * length + 80), ("slow ones", len(all.all) * all.slower(500 * length), 1, 20)],
            seconds=6.5, method="PUT", body=5))


# From a moment on, or more and more.


@cause("the log's level becomes debug in the middle, and Node writes 3 to 5 ms for each request", "drift", "slow-period", meaning="it gets slower")
def debug_logging(dice: Random) -> Iterator[Bed]:
    begin, ms = dice.randint(3500, 4500), dice.randint(3, 5)
    with server.node(rule(**{"from": begin}, block=1, ms=ms), rule(ms=(5, 10))) as url:
        yield Bed(url, peak(7) + f"-c {dice.randint(16, 24)} --think {dice.randint(5, 10)}ms {engine(dice)}--get /items --post /orders --body order", truth=Truth(
            lambda all: [("before", between(all, 0.5, 3).median, 5, 30), ("after", between(all, begin / 1000 + 0.3, 7).median / between(all, 0.5, 3).median, 2, 50)],
            users=20, seconds=7, think=0.007))


@cause("an autoscaler takes one of two instances away which both are needed", "drift", "saturation", meaning="one instance is too few")
def scaled_in(dice: Random) -> Iterator[Bed]:
    begin = dice.randint(3500, 4500)
    with server.go(rule(pool=3, ms=(20, 30))) as a, server.go(option(down=(begin, 60_000)), rule(pool=3, ms=(20, 30))) as b, server.haproxy(
            "listen all\n  bind LISTEN\n  retries 3\n  option redispatch 1\n  retry-on conn-failure empty-response\n  balance leastconn\n  default-server inter 100ms fall 1"
            f"\n  server a {a[7:-1]} check\n  server b {b[7:-1]} check") as url:
        yield Bed(url, peak(7) + f"-c 200 --rate {dice.randint(145, 165)}/s {engine(dice)}--get /items --get /prices", truth=Truth(
            lambda all: [("failed", all.failed, 0, 0.01), ("slower", between(all, begin / 1000 + 0.5, 7).median / between(all, 0.5, 3).median, 1.5, 2.6)],
            users=14, seconds=7, think=0))


@cause("a flag makes the checkout of a Node server fail from a moment on, over HTTP/2 and TLS", "outage", meaning="one operation fails from then on")
def flag_breaks_checkout(dice: Random) -> Iterator[Bed]:
    begin = dice.randint(3500, 4800)
    with tempfile.TemporaryDirectory() as folder:
        key, cert = server.certificate(folder)
        with server.node(option(key=key, cert=cert), rule(**{"from": begin}, path="/checkout", ms=(3, 8), status=500), rule(ms=(6, 18))) as url:
            yield Bed(url, peak(7) + f"-k --engine events --http2 --streams {dice.choice((2, 5))} -c {dice.randint(10, 20)} --think 30ms "
                      "--get /items --get /cart --post /checkout --body order", truth=Truth(
                lambda all: [("before", between(all.of("/checkout"), 0, begin / 1000 - 0.3).failed, 0, 0),
                             ("after", between(all.of("/checkout"), begin / 1000 + 0.3, 7).failed, 1, 1), ("cart", all.of("/cart").failed, 0, 0)],
                seconds=6, paths=("/cart", "/checkout")))


UNREAD_LOG = """
import http.server, random, sys, time
class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def do_GET(self):
        time.sleep(random.uniform(0.004, 0.012))
        print("x" * int(sys.argv[1]), flush=True)
        self.connection.sendall(b"HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nok")
    def log_message(self, *_):
        pass
http.server.ThreadingHTTPServer.request_queue_size = 256
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(f"http://127.0.0.1:{server.server_port}/", flush=True)
server.serve_forever()
"""


@cause("nobody reads the log: when its pipe of 64 KiB is full, a Python server stops", "outage", "unanswered", "standstill", meaning="nothing is answered any more")
def unread_log(dice: Random) -> Iterator[Bed]:
    rate = dice.randint(90, 140)
    line = int(65_536 / (rate * pick(dice, 4, 5)))
    with inline(sys.executable, "-c", UNREAD_LOG, str(line)) as url:
        yield Bed(url, peak(7) + f"-c 150 --rate {rate}/s --timeout {dice.randint(700, 1200)}ms {engine(dice)}--get /items --get /prices", truth=Truth(
            lambda all: [("answered", len(all.all) * (1 - all.failed), 60_000 / (line + 1) - 10, 65_600 / (line + 1) + 2)], users=10, seconds=7, timeout=0.7))


LISTENERS = """
const [each] = process.argv.slice(1).map(Number);
const kept = [];
let found = 0;
const server = require('node:http').createServer(async (request, response) => {
    await new Promise(done => setTimeout(done, 4 + 4 * Math.random()));
    for (let i = 0; i < each; i++) {
        kept.push({name: request.url, number: kept.length});
    }
    for (const one of kept) {
        found += JSON.stringify(one).length;
    }
    response.setHeader('Content-Length', 2);
    response.end('ok');
}).listen(0, '127.0.0.1', 1024, () => console.log(`http://127.0.0.1:${server.address().port}/`));
"""


@cause("each request leaves 100 to 140 listeners behind, which every later one calls", "drift", "heap-growth", meaning="it gets slower with what it keeps")
def forgotten_listeners(dice: Random) -> Iterator[Bed]:
    each = dice.randint(100, 140)
    with inline("node", "-e", LISTENERS, str(each)) as url:
        yield Bed(url, peak(7) + f"-c 60 --rate {dice.randint(60, 80)}/s {engine(dice)}--get /items --get /prices", truth=Truth(
            lambda all: [("ms more for 100 requests", 100 * (Answers(all.all[-40:]).median - Answers(all.all[:40]).median) / len(all.all), 0.8, 15)], users=3, think=0.03, seconds=6))


@cause("one of four nodes of a cache is lost in the middle: its keys take 80 to 140 ms more from then on", "two-speeds", meaning="some data is slow")
def cache_node_lost(dice: Random) -> Iterator[Bed]:
    begin, node = dice.randint(2500, 3500), dice.randint(1, 4)
    with server.java(rule(ms=(3, 9)), rule(**{"from": begin}, path=f"/items/{node}", ms=(80, 140))) as url:
        yield Bed(url, peak(7) + f"-c {dice.randint(40, 60)} --rate {dice.randint(90, 160)}/s {engine(dice)}", plan="""
scenarios:
  - name: item
    steps:
      - get: /items/{random:1..4}
        name: GET /items/ID
""", truth=Truth(lambda all: [("before", between(all, 0.5, begin / 1000 - 0.2).slower(75), 0, 0.02), ("after", between(all, begin / 1000 + 0.2, 7).slower(75), 0.1, 0.4)],
                 seconds=6, paths=tuple(f"/items/{number}" for number in range(1, 5))))


# Refusals.


@cause("each key may send 25 to 40 requests a second, and a partner's key sends more", "rate-limit", meaning="a rate limit of one key")
def quota_of_a_key(dice: Random) -> Iterator[Bed]:
    most = dice.randint(25, 40)
    with server.node(rule(ms=(4, 12))) as behind, of_haproxy(behind, more=(
            "\n  stick-table type string len 32 size 1k expire 10s store http_req_rate(1s)\n  http-request track-sc0 hdr(X-Api-Key)"
            f"\n  http-request deny deny_status 429 if {{ sc_http_req_rate(0) gt {most} }}")) as url:
        yield Bed(url, peak(7) + f"-c 40 --rate {round(2.6 * most)}/s {engine(dice)}", plan="""
scenarios:
  - name: partner
    weight: 75
    steps:
      - get: /prices
        headers: {X-Api-Key: partner}
  - name: shop
    weight: 25
    steps:
      - get: /items
        headers: {X-Api-Key: shop}
""", probe=lambda: [("429", sum(status == 429 for status, _ in sent(url, 60, X_Api_Key="partner")), 60 - most, 60 - most),
                    ("429 of another", sum(status == 429 for status, _ in sent(url, most // 2, X_Api_Key="shop")), 0, 0)])


@cause("a firewall for applications bans an address that sends more than 70 to 100 requests a second: 403", "rate-limit", "outage", meaning="the client is banned")
def banned_address(dice: Random) -> Iterator[Bed]:
    most = dice.randint(70, 100)
    with server.go(rule(ms=(4, 12))) as behind, of_haproxy(behind, more=(
            "\n  stick-table type ip size 1k expire 60s store http_req_rate(1s),gpt0\n  http-request track-sc0 src"
            f"\n  http-request sc-set-gpt0(0) 1 if {{ sc_http_req_rate(0) gt {most} }}\n  http-request deny deny_status 403 if {{ sc0_get_gpt0 eq 1 }}")) as url:
        yield Bed(url, f"--phases 'peak=1 for 8s at {int(0.4 * most)}/s..{int(1.5 * most)}/s' -c 40 {engine(dice)}--get /items --get /prices", truth=Truth(
            lambda all: [("passed", len(all.all) * (1 - all.failed), most - 10, most + 10), ("last", float(max(all.all, key=lambda one: one.at).status), 403, 403)], think=0))


@cause("one operation sends a token of 17 to 24 kB to a Node server, which takes headers of 16 kB: 431", "wrong-request", "always-fails", meaning="a request is too large")
def token_too_large(dice: Random) -> Iterator[Bed]:
    token = "x" * dice.randint(17_000, 24_000)
    with server.node(rule(ms=(4, 12))) as url:
        yield Bed(url, peak(5) + users(dice, 6, 15), plan=f"""
scenarios:
  - name: visit
    steps:
      - get: /items
      - get: /account
        headers: {{Authorization: "Bearer {token}"}}
        onFailure: continue
      - get: /prices
""", probe=lambda: [("large", sent(url, 1, Authorization=f"Bearer {token}")[0][0], 431, 431), ("small", sent(url, 1, Authorization="Bearer x")[0][0], 200, 200)])


@cause("one in eight requests meets a canary whose answers have another form", "steady-failures", meaning="a constant share fails")
def canary_of_another_form(dice: Random) -> Iterator[Bed]:
    async def old(asked: Asked) -> bool:
        await some(5, 15)
        return await asked.say(b'{"price": 12, "currency": "EUR"}')

    async def canary(asked: Asked) -> bool:
        await some(5, 15)
        return await asked.say(b'{"price": {"amount": 12, "currency": "EUR"}}')

    with answering(old) as a, answering(canary) as b, server.haproxy(
            f"listen all\n  bind LISTEN\n  balance random\n  server old {a[7:-1]} weight 70\n  server canary {b[7:-1]} weight 10") as url:
        yield Bed(url, peak(7) + model(dice, (90, 180)), plan="""
scenarios:
  - name: price
    steps:
      - get: /prices/{random:1..100}
        name: GET /prices/ID
        checks: "json:/currency=EUR"
""", truth=Truth(lambda all: [("of the canary", all.share(lambda one: one.size == 44), 0.05, 0.22), ("failed", all.failed, 0, 0)]))


@cause("a replica is 80 to 120 ms late: what was just made isn't there, 404", "steady-failures", meaning="a constant share fails")
def late_replica(dice: Random) -> Iterator[Bed]:
    late = pick(dice, 0.08, 0.12)
    made: list[float] = []

    async def answer(asked: Asked) -> bool:
        await some(4, 12)
        if asked.method == "POST":
            made.append(time.monotonic())
            return await asked.say(f'{{"id": {len(made) - 1}}}'.encode(), 201)
        there = time.monotonic() > made[int(asked.path.split("/")[2])] + late
        return await asked.say() if there else await asked.say(b"no such order", 404)

    def claims() -> list[tuple[str, float, float, float]]:
        answers = [sent(url, 1, method="POST")[0][0], sent(url, 1, "/orders/0")[0][0]]
        time.sleep(late)
        return [(name, status, right, right) for name, status, right in zip(("made", "soon", "late"), [*answers, sent(url, 1, "/orders/0")[0][0]], (201, 404, 200), strict=True)]

    with answering(answer) as url:
        yield Bed(url, peak(7) + f"-c {dice.randint(15, 30)} {engine(dice)}", plan="""
scenarios:
  - name: order
    steps:
      - post: /orders
        json: {item: "{uuid}"}
        extract: {id: "json:/id"}
      - think: 20ms..300ms
      - get: "/orders/{id}"
        name: GET /orders/ID
""", probe=claims)


# Connections.


@cause("nginx with TLS keeps idle connections for 1 s, users think longer", "keep-alive-limit", "idle-timeout", "tls-handshakes", meaning="idle connections are closed")
def tls_kept_too_shortly(dice: Random) -> Iterator[Bed]:
    with server.go(rule(ms=(5, 15))) as behind, faults.nginx(
            "", f"keepalive_timeout 1s; location / {{ proxy_pass {behind[:-1]}; }}", tls=f"-newkey rsa:{dice.choice((2048, 3072))}") as url:
        yield Bed(url, peak(7) + f"-k -c {dice.randint(30, 60)} --think {dice.randint(1150, 1300)}ms..{dice.randint(1500, 1900)}ms {engine(dice)}--get /items --get /prices", truth=Truth(
            lambda all: [("longest use", max(one.nth for one in all.all if one.status), 1, 1), ("answered", len(all.all) * (1 - all.failed), 6, 60)], think=1.3, seconds=5))


@cause("a firewall drops connections of an address above 15 to 25", "new-connections", "connection-limit", "accept-queue", meaning="it has a limit of connections")
def connections_dropped(dice: Random) -> Iterator[Bed]:
    port, most = 18_094, dice.randint(15, 25)
    with faults.network("nft add table inet guard", "nft add chain inet guard in '{ type filter hook input priority 0; }'",
                        f"nft add rule inet guard in tcp dport {port} ct state new ct count over {most} drop") as inside, \
            server.go(option(address=f"127.0.0.1:{port}"), rule(ms=(4, 12)), under=inside) as url:
        yield Bed(url, f"--phases peak=1:for:7s -c {round(1.5 * most)} --think {dice.randint(10, 30)}ms --connect-timeout {dice.randint(1200, 1800)}ms {engine(dice)}--get /items --get /prices",
                  inside, truth=Truth(lambda all: [("connections", len(Answers([one for one in all.all if one.status]).connects), most - 1, most), ("failed", all.failed, 0.001, 0.5)],
                                      users=most + 6, timeout=0.8))


@cause("a proxy has room for 64 KiB of a body, larger ones end there", "truncated-bodies", meaning="bodies end before their length")
def cut_at_64_kib(dice: Random) -> Iterator[Bed]:
    each, room = dice.randint(700, 1100), 65_536

    async def answer(asked: Asked) -> bool:
        size = each * int(asked.path.partition("=")[2] or 1)
        await some(6, 20)
        asked.writer.write(f"HTTP/1.1 200 OK\r\nContent-Length: {size}\r\n\r\n".encode() + b"x" * min(size, room))
        await asked.writer.drain()
        return size <= room

    with answering(answer) as url:
        yield Bed(url, peak(6) + f"-c {dice.randint(8, 20)} --think 20ms..60ms {engine(dice)}", plan="""
scenarios:
  - name: export
    steps:
      - get: /items
      - get: /export?rows={random:1..100}
        name: GET /export
        onFailure: continue
""", truth=Truth(lambda all: [("small", all.of("/export?rows=50").failed, 0, 0), ("large", all.of("/export?rows=99").failed, 1, 1)],
                 paths=("/export?rows=50", "/export?rows=99")))


CLUSTER = """
const cluster = require('node:cluster');
if (cluster.isPrimary) {
    cluster.on('exit', () => cluster.fork());
    cluster.fork();
    cluster.fork().on('listening', address => console.log(`http://127.0.0.1:${address.port}/`));
} else {
    const [share, port] = process.argv.slice(2).map(Number);
    require('node:http').createServer(async (request, response) => {
        await new Promise(done => setTimeout(done, 20 + 20 * Math.random()));
        if (Math.random() < share) {
            process.exit(1);
        }
        response.setHeader('Content-Length', 2);
        response.end('ok');
    }).listen({port, host: '127.0.0.1', backlog: 1024});
}
"""


@cause("about once a second a request kills one of Node's two processes, with all requests that it had", "resets", "restarts", meaning="connections are closed in use")
def poison_requests(dice: Random) -> Iterator[Bed]:
    rate = dice.randint(130, 200)
    share = pick(dice, 0.7, 1.2) / rate
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "server.js")
        file.write_text(CLUSTER)
        with inline("node", str(file), str(share), str(faults.free_port())) as url:
            yield Bed(url, peak(7) + f"-c 60 --rate {rate}/s {engine(dice)}--get /items --post /render --body text", truth=Truth(
                lambda all: [("died", len(all.all) * all.failed, 2, 0.2 * len(all.all)), ("refused", all.share(lambda one: one.problem == "ConnectionRefusedError"), 0, 0.1)],
                users=8, seconds=6))


@cause("5 to 9 % of the first packets between nginx and the server behind it are lost: a second more", "two-speeds", "packet-loss", meaning="some connections behind the proxy take a second longer")
def syns_lost_behind_proxy(dice: Random) -> Iterator[Bed]:
    port, percent = 18_095, dice.randint(5, 9)
    with faults.network("nft add table inet loss", "nft add chain inet loss in '{ type filter hook input priority 0; }'",
                        f"nft 'add rule inet loss in tcp dport {port} tcp flags & (syn|ack) == syn numgen random mod 100 < {percent} drop'") as inside, \
            server.go(option(address=f"127.0.0.1:{port}"), rule(ms=(4, 12)), under=inside) as behind, \
            faults.nginx("", f"location / {{ proxy_pass {behind[:-1]}; }}", under=inside) as url:
        yield Bed(url, peak(7) + f"-c {dice.randint(20, 30)} --think {dice.randint(10, 30)}ms {engine(dice)}--get /items --get /prices", inside, truth=Truth(
            lambda all: [("a second more", all.slower(990), 0.015, 0.15), ("median", all.median, 4, 30), ("failed", all.failed, 0, 0)], users=12, seconds=5))


@cause("an instance that sleeps after 0.25 s without requests, and takes 0.6 to 0.9 s to wake up", "cold-starts", "two-speeds", meaning="some requests wait until an instance is awake")
def scaled_to_zero(dice: Random) -> Iterator[Bed]:
    wake = pick(dice, 0.6, 0.9)
    last = -math.inf
    waking: asyncio.Task | None = None

    async def wake_up() -> None:
        nonlocal waking
        await asyncio.sleep(wake)
        waking = None

    async def answer(asked: Asked) -> bool:
        nonlocal last, waking
        if time.monotonic() - last > 0.25 and waking is None:
            waking = asyncio.create_task(wake_up())
        last = time.monotonic()
        if waking is not None:
            await asyncio.shield(waking)
        await some(5, 15)
        last = time.monotonic()
        return await asked.say()

    with answering(answer) as url:
        yield Bed(url, f"--phases peak=1:for:8s -c 40 --rate {dice.randint(6, 8)}/s --arrivals poisson {engine(dice)}--get /items", probe=lambda: [
            ("asleep", all_ms(url, 2), 1000 * wake, 1000 * wake + 150), ("awake", all_ms(url, 2), 5, 80), ("after a pause", (time.sleep(0.4), all_ms(url, 2))[1], 1000 * wake, 1000 * wake + 150)])


# Healthy, though it may look otherwise.


@clean("PHP behind nginx, a process for each request")
def php_pages(dice: Random) -> Iterator[Bed]:
    with php(8, 'usleep(random_int(4000, 15000)); header("Content-Length: 2"); echo "ok";') as url:
        yield Bed(url, peak(6) + f"-c 30 --rate {dice.randint(50, 90)}/s {engine(dice)}{dice.choice(('', '--arrivals poisson '))}--get /items --get /prices")


@clean("a Puma with threads enough, for reads and writes")
def puma_with_room(dice: Random) -> Iterator[Bed]:
    with puma(32, 'sleep(env["REQUEST_METHOD"] == "POST" ? rand(0.02..0.05) : rand(0.004..0.012))\n[200, {}, ["ok"]]') as url:
        yield Bed(url, peak(6) + f"-c {dice.randint(8, 16)} --think {dice.randint(30, 60)}ms {engine(dice)}--get /items --post /orders --body order --get /prices")


@clean("a Tomcat that has just started, behind nginx, from the first request on under a constant rate")
def cold_tomcat_at_a_rate(dice: Random) -> Iterator[Bed]:
    with faults.target() as behind, faults.nginx(f"upstream one {{ server {behind[7:-1]}; keepalive 50; }}",
                                                 'location / { proxy_http_version 1.1; proxy_set_header Connection ""; proxy_pass http://one; }') as url:
        yield Bed(url, f"--phases peak=1:for:7s -c 40 --rate {dice.randint(50, 120)}/s {engine(dice)}--get / --get /bytes/3000 --get /delay?ms=8")


@clean("reports that take 1.2 to 1.6 s by their nature, and pages of a few ms")
def long_reports(dice: Random) -> Iterator[Bed]:
    with server.java(rule(path="/reports", ms=(1200, 1600)), rule(ms=(4, 12))) as url:
        yield Bed(url, peak(7) + f"-c {dice.randint(15, 30)} {engine(dice)}", plan="""
scenarios:
  - name: analyst
    steps:
      - get: /reports
      - think: 50ms..200ms
      - get: /reports/others
      - get: /items
      - think: 100ms..300ms
      - get: /items/7
""")


@clean("downloads of 2 to 4 MB by nginx, with TLS")
def large_downloads(dice: Random) -> Iterator[Bed]:
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        Path(folder, "video").write_bytes(random.randbytes(dice.randint(2_000_000, 4_000_000)))
        with faults.nginx("", f"root {folder}; location = / {{ return 200 ok; }}", tls="-newkey rsa:2048") as url:
            yield Bed(url, peak(6) + f"-k -c {dice.randint(3, 6)} --think 150ms..400ms {engine(dice)}--get /video")


@clean("long polls that end after 0.3 to 2 s, over HTTP/2, and messages")
def h2_long_polls(dice: Random) -> Iterator[Bed]:
    with server.go(rule(path="/events", ms=(300, 2000)), rule(ms=(3, 9))) as url:
        yield Bed(url, peak(7) + f"--engine events --http2 --streams {dice.choice((4, 8))} -c {dice.randint(16, 40)} --think {dice.randint(20, 60)}ms --get /events --post /messages --body hello")


@clean("a rate that rises, stays and rises again, of what Node does easily")
def stairs(dice: Random) -> Iterator[Bed]:
    low, high = dice.randint(30, 60), dice.randint(100, 180)
    with server.node(rule(ms=4, exp=8)) as url:
        yield Bed(url, f"--phases 'up=1 for 2s at 10/s..{low}/s,low=1 for 2s at {low}/s,more=1 for 2s at {low}/s..{high}/s,high=1 for 2s at {high}/s' -c 60 {engine(dice)}"
                  "--get /items --get /prices")


@clean("streams of 3 to 12 parts, whose gaps are exponential")
def uneven_streams(dice: Random) -> Iterator[Bed]:
    gap = dice.randint(15, 40)

    async def answer(asked: Asked) -> bool:
        await some(5, 25)
        asked.writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n")
        for _ in range(random.randint(3, 12)):
            asked.writer.write(b"fa\r\n" + b"x" * 250 + b"\r\n")
            await asked.writer.drain()
            await asyncio.sleep(random.expovariate(1000 / gap))
        asked.writer.write(b"0\r\n\r\n")
        return True

    with answering(answer) as url:
        yield Bed(url, peak(6) + f"-c {dice.randint(10, 25)} --think 40ms..120ms {engine(dice)}--get /answers")


@clean("journeys: an upload of 60 to 200 kB, three looks at its state, a download")
def convert_a_file(dice: Random) -> Iterator[Bed]:
    with tempfile.NamedTemporaryFile() as body, server.node(
            rule(method="POST", path="/files", ms=(30, 60), status=201), rule(path="/files/result", ms=(20, 50), bytes=dice.randint(100_000, 300_000)), rule(ms=(3, 9))) as url:
        Path(body.name).write_bytes(b"x" * dice.randint(60_000, 200_000))
        yield Bed(url, peak(7) + f"-c {dice.randint(6, 14)} {engine(dice)}", plan=f"""
scenarios:
  - name: convert
    steps:
      - post: /files
        bodyFile: {body.name}
        checks: status=201
      - repeat: 3
        steps:
          - think: 80ms..200ms
          - get: /files/state
      - get: /files/result
""")


@clean("four equal instances, HAProxy chooses at random")
def four_equal_instances(dice: Random) -> Iterator[Bed]:
    with contextlib.ExitStack() as stack:
        instances = [stack.enter_context(server.go(rule(ms=4, exp=12))) for _ in range(4)]
        url = stack.enter_context(of_haproxy(*instances, balance="random"))
        yield Bed(url, peak(6) + model(dice, (90, 180)) + "--get /items --post /orders --body order --get /prices")


@clean("times that wander without a trend or a period, by a quarter up and down")
def wandering_times(dice: Random) -> Iterator[Bed]:
    mean = dice.randint(15, 40)
    moment, factor = 0, 1.0

    async def answer(asked: Asked) -> bool:
        nonlocal moment, factor
        if (now := int(time.monotonic() * 10)) != moment:
            moment = now
            factor = min(1.25, max(0.75, 1 + 0.7 * (factor - 1) + random.gauss(0, 0.1)))
        await asyncio.sleep(factor * mean / 1000 * random.gammavariate(6, 1 / 6))
        return await asked.say()

    with answering(answer) as url:
        yield Bed(url, peak(7) + model(dice, (80, 150)) + "--get /items --get /prices")


@clean("nginx's cache of 20 pages, which the warmup fills")
def warm_cache(dice: Random) -> Iterator[Bed]:
    with tempfile.TemporaryDirectory() as folder, server.python(rule(ms=(30, 60), bytes=dice.randint(2000, 9000))) as behind, faults.nginx(
            f"proxy_cache_path {folder} keys_zone=pages:1m;", f"location / {{ proxy_cache pages; proxy_cache_valid 200 60s; proxy_cache_lock on; proxy_pass {behind[:-1]}; }}") as url:
        yield Bed(url, peak(6, 1.5) + f"-c {dice.randint(6, 12)} --think {dice.randint(8, 15)}ms {engine(dice)}", plan="""
scenarios:
  - name: read
    steps:
      - get: /pages/{random:1..20}
        name: GET /pages/ID
""")


@clean("2 to 4 requests a second, of which half store something for 0.2 to 0.4 s")
def few_slow_writes(dice: Random) -> Iterator[Bed]:
    with server.python(rule(method="POST", ms=(200, 400)), rule(ms=(5, 15))) as url:
        yield Bed(url, f"--phases peak=1:for:8s -c 20 --rate {dice.randint(2, 4)}/s {engine(dice)}{dice.choice(('', '--arrivals poisson '))}--get /orders --post /orders --body order")


@clean("journeys over TLS, users think for 1 to 2.5 s")
def thoughtful_users(dice: Random) -> Iterator[Bed]:
    with server.go(option(tls=1), rule(method="POST", ms=(20, 40)), rule(ms=(5, 15), bytes=4000)) as url:
        yield Bed(url, f"--phases peak=1:for:8s -k -c {dice.randint(40, 80)} {engine(dice)}", plan="""
scenarios:
  - name: visit
    steps:
      - get: /
      - think: 1s..2500ms
      - get: /items/{random:1..100}
        name: GET /items/ID
      - think: 1s..2500ms
      - post: /basket
        json: {item: "{uuid}"}
      - think: 1s..2500ms
""")


@clean("one search of 0.3 to 0.6 s for 20 pages of a few ms, from a file")
def rare_searches(dice: Random) -> Iterator[Bed]:
    with server.go(rule(path="/search", ms=(300, 600)), rule(ms=(3, 12))) as url, tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write("12 GET /items\n8 GET /prices\n1 GET /search?q=all\n")
        file.flush()
        yield Bed(url, peak(7) + f"--requests {file.name} -c 60 --rate {dice.randint(90, 160)}/s {engine(dice)}{dice.choice(('', '--arrivals poisson '))}")


@clean("small calls over HTTP/2 and TLS, many at a time on a connection, exponential times")
def h2_calls(dice: Random) -> Iterator[Bed]:
    with server.go(option(tls=1), rule(ms=3, exp=10)) as url:
        yield Bed(url, peak(6) + f"-k --engine events --http2 --streams {dice.choice((10, 16))} -c 40 --rate {dice.randint(80, 160)}/s --post /Prices/List --body request --post /Items/Get --body request")
