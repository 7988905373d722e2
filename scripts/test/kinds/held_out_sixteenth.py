"""
The sixteenth held-out set. Don't read on if you change rules.

No rule was tuned on it. Each fault is one that engineers meet in services, networks and tests, in a form that the earlier sets don't have.
The ids of a fault are those that an expert would accept as the first finding. More than half of the kinds are healthy.
"""

from __future__ import annotations

import asyncio
import atexit
import collections
import concurrent.futures
import contextlib
import datetime
import functools
import json
import os
import random
import shutil
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
from kinds import Bed, cause, clean, engine, peak, pick
from kinds.held_out_eighth import begin_stream, end_stream, say_and_close, send_event
from kinds.held_out_eleventh import Database, apache, mosquitto, postgres, relayed
from kinds.held_out_fifth import Clock
from kinds.held_out_fourth import between, inline, php, puma, sent
from kinds.held_out_ninth import AUTHORITY, ITEMS_AND_ORDERS
from kinds.held_out_second import Asked, answering, some
from kinds.held_out_seventh import later, rows, said
from kinds.held_out_sixth import echoing, message_ms, reply
from kinds.held_out_tenth import Store, heard, redis, rooms, slower_handshakes
from kinds.held_out_third import of_haproxy
from kinds.held_out_thirteenth import open_model
from kinds.held_out_twelfth import modest

def few_and_many(dice: Random, users: int, think: str) -> str:
    """A tenth of the users, then all of them."""
    return f"--phases few=0.1:for:3s,peak=1:for:8s -c {users} --think {think} {engine(dice)}"


# Databases and stores.


def asked_redis(port: int, *words: str) -> bytes:
    """What a Redis says first."""
    with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
        connection.sendall(f"*{len(words)}\r\n".encode() + b"".join(f"${len(word)}\r\n{word}\r\n".encode() for word in words))
        return connection.recv(65_536)


@cause("each page runs a script in Redis, which does nothing else for 11 to 13 ms meanwhile, and the rate of pages rises above that", "ramp-knee",
       "saturation", "drift", meaning="it can't follow the rising rate")
def one_script_at_a_time(dice: Random) -> Iterator[Bed]:
    seconds = pick(dice, 0.011, 0.013)
    with redis("--save", "", "--enable-debug-command", "yes") as (port, _):
        store = Store(port)

        async def answer(asked: Asked) -> bool:
            await store.ask("DEBUG", "SLEEP", str(seconds))
            await some(3, 9)
            return await asked.say(b"x" * 900)

        with answering(answer) as url:
            yield Bed(url, f"--phases 'warmup=1 for 1s at 10/s, peak=1 for 10s at 10/s..{round(1.4 / seconds)}/s' --timeout 20s -c 250 {engine(dice)}"
                      "--get /items --get /prices", truth=Truth(
                lambda all: [("a second", len(all.all) / 4, 0.6 / seconds, 1.1 / seconds), ("median", all.median, 4000 * seconds, 14_000 * seconds),
                             ("failed", all.failed, 0, 0)], users=8, think=0))


@cause("a Redis has room for 80 to 86 % of the items, and evicts others at random: those are made anew, which takes 0.12 to 0.16 s", "cache-misses",
       "two-speeds", meaning="a share isn't in the cache")
def too_little_room_for_items(dice: Random) -> Iterator[Bed]:
    share, more = pick(dice, 0.8, 0.86), dice.randint(120, 150)
    with redis("--save", "", "--maxmemory-policy", "allkeys-random") as (port, _):
        def used() -> int:
            return int(asked_redis(port, "INFO", "memory").split(b"used_memory:")[1].split()[0])

        before = used()
        for number in range(400):
            asked_redis(port, "SET", f"item {number}", "x" * 20_000)
        asked_redis(port, "CONFIG", "SET", "maxmemory", str(round(before + share * (used() - before))))
        store = Store(port)

        async def answer(asked: Asked) -> bool:
            name = f"item {asked.path.split('/')[2]}"
            found = await store.ask("GET", name)
            await some(7, 20)
            if found.startswith("$-"):
                await some(more, more + 15)
                await store.ask("SET", name, "x" * 20_000)
            return await asked.say(b"x" * 2000)

        with answering(answer) as url:
            yield Bed(url, peak(10) + f"-c 80 --rate '{dice.randint(60, 100)} journeys/s' {engine(dice)}", plan="""
scenarios:
  - name: look
    steps:
      - get: "/items/{random:0..399}"
        name: GET /items/NUMBER
""", truth=Truth(lambda all: [("made anew", all.slower(more), 0.07, 0.35), ("between", all.share(lambda one: 80 < one.ms < more), 0, 0.02),
                              ("failed", all.failed, 0, 0)], paths=tuple(f"/items/{random.randrange(400)}" for _ in range(800)), users=10))


@cause("an index of searches shows what is new once a second, and a test looks for each document 0.25 to 0.65 s after it has made it: 404",
       "steady-failures", meaning="a constant share fails")
def index_is_refreshed_each_second(dice: Random) -> Iterator[Bed]:
    made: dict[str, float] = {}

    async def answer(asked: Asked) -> bool:
        if asked.method == "PUT":
            await some(10, 26)
            made[asked.path.split("/")[2]] = time.monotonic()
            return await asked.say(b"made", 201)
        await some(7, 22)
        shown = made.get(asked.path.split("/")[2], 1e12) < int(time.monotonic())
        return await asked.say(b"x" * 700 if shown else b"nothing found", 200 if shown else 404)

    def claims() -> list[Claim]:
        found = []
        for number in range(8):
            said(url, f"/documents/a{number}", "PUT", b"text")
            time.sleep(0.37)
            found.append(said(url, f"/search/a{number}")[0])
        time.sleep(1.1)
        return [("soon", found.count(404) / 8, 0.2, 0.9), ("later", said(url, "/search/a7")[0], 200, 200)]

    with answering(answer) as url:
        yield Bed(url, peak(9) + f"-c {dice.randint(20, 32)} {engine(dice)}", plan="""
scenarios:
  - name: write
    steps:
      - put: "/documents/{user}-{iteration}"
        name: PUT /documents/NAME
        json: {text: "{uuid}"}
        checks: status=201
      - think: 250ms..650ms
      - get: "/search/{user}-{iteration}"
        name: GET /search/NAME
        onFailure: continue
      - think: 40ms..120ms
""", probe=claims)


@cause("the clock of a machine that gives orders their numbers is set back by 1.2 to 1.8 s, and it gives none until that time has come again: 500 for orders",
       "outage", "restarts", meaning="an operation fails for a while")
def clock_is_set_back(dice: Random) -> Iterator[Bed]:
    at, back, clock = pick(dice, 4.6, 5.8), pick(dice, 1.2, 1.8), Clock()

    async def answer(asked: Asked) -> bool:
        if asked.method == "POST" and at < clock() < at + back:
            await some(2, 7)
            return await asked.say(b"clock moved backwards", 500)
        await (some(14, 36) if asked.method == "POST" else some(7, 20))
        return await asked.say(b"x" * 800)

    with answering(answer) as url:
        yield Bed(url, peak(10) + f"{open_model(dice, 60, dice.randint(70, 110))}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("before", between(all, 0, at - 0.1).failed, 0, 0), ("meanwhile", between(all, at + 0.1, at + back - 0.1).status(500), 1, 1),
                         ("after", between(all, at + back + 0.1, 10).failed, 0, 0)], method="POST", body=5, think=0.05, seconds=8.5))


@cause("a service makes a tag that there isn't yet, and while one makes it, in 24 to 28 ms, others make it, too (unique_violation): 500",
       "steady-failures", "failures-with-load", meaning="a constant share fails")
def tags_are_made_twice(dice: Random) -> Iterator[Bed]:
    period, seconds = pick(dice, 0.2, 0.25), pick(dice, 0.024, 0.028)
    with postgres("create table tags (name text primary key)") as port:
        database = Database(port, 40)

        async def answer(asked: Asked) -> bool:
            failed = ""
            if asked.method == "POST":
                # All speak of the same thing, and after a while of another one.
                name = f"tag {int(time.monotonic() / period)}"
                failed = await database.ask(f"do $$ begin if not exists (select from tags where name = '{name}') then perform pg_sleep({seconds}); "
                                            f"insert into tags values ('{name}'); end if; end $$")
            await some(5, 15)
            return await asked.say(failed.encode() or b"x" * 600, 500 if failed else 200)

        with answering(answer) as url:
            yield Bed(url, peak(9) + f"{open_model(dice, 80, dice.randint(110, 150))}--get /posts --post /posts --body post", truth=Truth(
                lambda all: [("500", all.status(500), 0.03, 0.3), ("others", all.status(200, 500), 1, 1)], method="POST", body=4, users=4, think=0.04,
                seconds=5))


@cause("the primary of a database fails over to another coast, and from then on each order asks it four times, 22 to 28 ms away", "drift", "slow-period",
       meaning="an operation gets slower")
def primary_on_another_coast(dice: Random) -> Iterator[Bed]:
    at, away, clock = pick(dice, 4.2, 5.4), dice.randint(22, 28), Clock()

    async def answer(asked: Asked) -> bool:
        await (some(12, 30) if asked.method == "POST" else some(7, 20))
        if asked.method == "POST" and clock() > at:
            await some(4 * away, 4 * away + 8)
        return await asked.say(b"x" * 900)

    with answering(answer) as url:
        yield Bed(url, peak(10) + f"{modest(dice, (60, 100))}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("before", between(all, 0, at - 0.1).median, 12, 45), ("after", between(all, at + 0.1, 9).median, 4 * away + 12, 4 * away + 60),
                         ("failed", all.failed, 0, 0)], method="POST", body=5, users=4, think=0.05, seconds=8.5))


@cause("every 1.6 to 2.2 s a pool asks each of its connections whether it still lives, and gives none away for these 0.32 to 0.42 s; what is cached needs none",
       "periodic-stalls", "standstill", meaning="an operation waits at even distances")
def pool_is_looked_through(dice: Random) -> Iterator[Bed]:
    period, length, clock = pick(dice, 1.6, 2.2), pick(dice, 0.32, 0.42), Clock()

    async def answer(asked: Asked) -> bool:
        now = clock()
        if asked.path == "/orders" and now > period and now % period < length:
            await asyncio.sleep(length - now % period)
        await (some(12, 30) if asked.path == "/orders" else some(5, 15))
        return await asked.say(b"x" * 900)

    with answering(answer) as url:
        yield Bed(url, peak(11) + f"{open_model(dice, 120, dice.randint(70, 110))}--get /orders --get /items", truth=Truth(
            lambda all: [("longest", all.of("/orders").slowest, 800 * length, 1150 * length + 80), ("waited", all.of("/orders").slower(100), 0.012, 0.35),
                         ("items", all.of("/items").slower(120), 0, 0.02), ("failed", all.failed, 0, 0)], paths=("/orders", "/items"), users=8, seconds=7))


@cause("six regions of a service lose their caches one after another, as a release gets there: 90 to 120 ms more for each that has it", "drift", "two-speeds",
       meaning="a growing share is slower")
def regions_lose_their_caches(dice: Random) -> Iterator[Bed]:
    at, step, more, clock = pick(dice, 2.4, 3), pick(dice, 0.95, 1.15), dice.randint(90, 110), Clock()

    async def answer(asked: Asked) -> bool:
        await some(9, 24)
        if random.randrange(6) < (clock() - at) / step:
            await some(more, more + 12)
        return await asked.say(b"x" * 1100)

    with answering(answer) as url:
        yield Bed(url, peak(10) + f"{modest(dice, (70, 110))}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("before", between(all, 0, at - 0.1).slower(more), 0, 0.02),
                         ("middle", between(all, at + 2 * step, at + 3 * step).slower(more), 0.3, 0.7),
                         ("at last", between(all, at + 5 * step + 0.1, 12).slower(more), 0.98, 1), ("failed", all.failed, 0, 0)],
            users=6, think=0.04, seconds=9.6))


# Processes.

NESTED = """
import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;

class Nested {
    public static void main(String[] arguments) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(Integer.parseInt(arguments[0]));
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 1024);
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            try {
                pool.submit(() -> {
                    Thread.sleep(ThreadLocalRandom.current().nextInt(10, 20));
                    return pool.submit(() -> {
                        Thread.sleep(ThreadLocalRandom.current().nextInt(8, 14));
                        return null;
                    }).get();
                }).get();
            } catch (Exception end) {
                return;
            }
            exchange.sendResponseHeaders(200, 2);
            exchange.getResponseBody().write(new byte[] {'o', 'k'});
            exchange.close();
        });
        server.start();
        System.out.println("http://127.0.0.1:" + server.getAddress().getPort() + "/");
    }
}
"""


@cause("a Java server gives each page's second task to the pool of seven or eight threads that its first task waits in: once all of them wait, none ever ends",
       "outage", "unanswered", "standstill", meaning="nothing is answered any more")
def tasks_wait_for_tasks(dice: Random) -> Iterator[Bed]:
    threads = dice.randint(7, 8)

    def answered() -> bool:
        return reply(url, b"GET / HTTP/1.1\r\nHost: a\r\n\r\n", 1).startswith(b"HTTP/1.1 200")

    def claims() -> list[Claim]:
        few = [status for status, _ in sent(url, 3)].count(200)
        with concurrent.futures.ThreadPoolExecutor(24) as many:
            at_once = list(many.map(lambda _: answered(), range(24))).count(True)
        return [("few", few, 3, 3), ("many", at_once, 0, 8), ("one later", answered(), 0, 0)]

    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "Nested.java")
        source.write_text(NESTED)
        with faults.java("-Xmx128m", "-Dsun.net.httpserver.nodelay=true", str(source), str(threads)) as url:
            yield Bed(url, f"--phases 'warmup=1 for 2s at 20/s, peak=1 for 10s at 20/s..{dice.randint(190, 230)}/s' --timeout 1s -c 250 {engine(dice)}"
                      "--get /items --get /prices", probe=claims)


DEADLINE = """
package main

import (
	"bufio"
	"fmt"
	"math/rand"
	"net"
	"net/http"
	"os"
	"strconv"
	"time"
)

func main() {
	limit, _ := strconv.Atoi(os.Args[1])
	mean, _ := strconv.Atoi(os.Args[2])
	server := &http.Server{WriteTimeout: time.Duration(limit) * time.Millisecond, Handler: http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		ms := 8 + 14*rand.Float64()
		if q.URL.Path == "/reports" {
			ms = 20 + float64(mean)*rand.ExpFloat64()
		}
		time.Sleep(time.Duration(ms * float64(time.Millisecond)))
		w.Write(make([]byte, 900))
	})}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Printf("http://%s/\\n", listener.Addr())
	go server.Serve(listener)
	bufio.NewReader(os.Stdin).ReadByte()
}
"""


@functools.cache
def built_in_go(source: str) -> str:
    """The program of this source."""
    program = shutil.which("go", path=os.environ["PATH"] + ":/usr/local/go/bin")
    if program is None:
        raise faults.Impossible("no go")
    folder = tempfile.mkdtemp(prefix="phaseload-go-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    Path(folder, "main.go").write_text(source)
    done = subprocess.run([program, "build", "-o", f"{folder}/main", f"{folder}/main.go"], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise faults.Impossible(f"go build: {done.stderr.strip()}")
    return f"{folder}/main"


@cause("a Go server may write an answer until 0.5 to 0.6 s after its request (WriteTimeout), and one in 12 to 18 reports takes longer: their connections end",
       "gives-up", "resets", meaning="slow requests are given up")
def answers_after_the_deadline(dice: Random) -> Iterator[Bed]:
    limit = dice.randint(500, 600)
    with inline(built_in_go(DEADLINE), str(limit), str(round(limit / 2.6))) as url:
        yield Bed(url, peak(10) + f"{open_model(dice, 100, dice.randint(70, 100))}--get /items --get /reports", truth=Truth(
            lambda all: [("ended", all.of("/reports").status(0), 0.02, 0.18), ("items", all.of("/items").failed, 0, 0),
                         ("longest", max(one.ms for one in all.all if one.status), 150, limit + 60)],
            paths=("/reports", "/items"), users=14, seconds=6))


@cause("one of three Node servers makes a report on its only thread, for 2 to 2.5 s, and HAProxy goes on giving it a third of all requests", "slow-period",
       "two-speeds", "standstill", meaning="a share waits for a while")
def one_of_three_makes_a_report(dice: Random) -> Iterator[Bed]:
    at, ms = pick(dice, 5, 6), dice.randint(2000, 2500)
    rules = (option(idle=60_000), rule(path="/report", block=1, ms=ms), rule(method="POST", ms=(14, 36)), rule(ms=(7, 20), bytes=900))
    with server.node(*rules) as one, server.node(*rules) as two, server.node(*rules) as three, of_haproxy(one, two, three) as url, \
            later(at, lambda: said(two, "/report")):
        yield Bed(url, peak(10) + f"{open_model(dice, 160, dice.randint(60, 90))}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("before", between(all, 0, at - 0.3).slower(200), 0, 0.02), ("longest", all.slowest, 0.7 * ms, ms + 200),
                         ("meanwhile", between(all, at + 0.05, at + 0.5).slower(300), 0.1, 0.7),
                         ("after", between(all, at + ms / 1000 + 0.4, 9).slower(200), 0, 0.02),
                         ("failed", all.failed, 0, 0)], users=20, think=0.05, seconds=9))


@cause("PHP may use 16 MB for a request (memory_limit), and one in 8 to 11 exports needs more: 500", "steady-failures", meaning="a constant share fails")
def exports_need_too_much_memory(dice: Random) -> Iterator[Bed]:
    count = dice.randint(8, 11)
    script = ("ini_set('memory_limit', '16M'); ini_set('display_errors', '0'); usleep(random_int(8000, 22000)); "
              f"if (preg_match('#^/exports/(\\d+)$#', $_SERVER['REQUEST_URI'], $found)) {{ $lines = []; $most = $found[1] == {count} ? 400000 : 2000; "
              "for ($n = 0; $n < $most; $n++) { $lines[] = \"line $n of an export\"; } echo count($lines); } else { echo str_repeat('x', 900); }")
    with php(8, script) as url:
        yield Bed(url, peak(9) + f"-c {dice.randint(8, 12)} {engine(dice)}", plan=f"""
scenarios:
  - name: look
    steps:
      - get: /items
      - think: 60ms..160ms
      - get: "/exports/{{random:1..{count}}}"
        name: GET /exports/NUMBER
        onFailure: continue
      - think: 60ms..160ms
""", probe=lambda: [(str(number), said(url, f"/exports/{number}")[0], status, status) for number, status in ((1, 200), (count - 1, 200), (count, 500))])


FEW_IDLE = """
import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;

class FewIdle {
    public static void main(String[] arguments) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(arguments[0], 0), 1024);
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            try {
                Thread.sleep(ThreadLocalRandom.current().nextInt(6, 20));
            } catch (InterruptedException end) {
                return;
            }
            exchange.sendResponseHeaders(200, 600);
            exchange.getResponseBody().write(new byte[600]);
            exchange.close();
        });
        server.start();
        System.out.println("http://" + arguments[0] + ":" + server.getAddress().getPort() + "/");
    }
}
"""


@cause("the JDK's own server keeps two or three idle connections and ends others after their response (maxIdleConnections), on a way of 48 to 60 ms",
       "keep-alive-limit", "resets", "idle-timeout", meaning="connections are made again and again")
def few_idle_connections(dice: Random) -> Iterator[Bed]:
    seconds = pick(dice, 0.024, 0.03)
    with tempfile.TemporaryDirectory() as folder, faults.network() as inside, faults.delays(inside, lambda: seconds) as address:
        source = Path(folder, "FewIdle.java")
        source.write_text(FEW_IDLE)
        with faults.java("-Xmx128m", "-Dsun.net.httpserver.nodelay=true", f"-Dsun.net.httpserver.maxIdleConnections={dice.randint(2, 3)}",
                         str(source), "10.99.0.1", under=inside) as there:
            yield Bed(there.replace("10.99.0.1", address), peak(9, 2) + f"-c {dice.randint(14, 20)} --think 100ms..220ms {engine(dice)}"
                      + ITEMS_AND_ORDERS, inside, truth=Truth(lambda all: [("of a connection", len(all.all) / max(1, len(all.connects)), 1, 4),
                                               ("connect", all.connect_median, 1800 * seconds, 200), ("answered", all.status(200), 0.4, 1)],
                                  users=12, think=0.15))


@cause("a router gives each request to one of five instances at random, whether it has nothing to do or much, and each does one thing at a time: 38 to 46 ms",
       "saturation", "serial-work", "contention", meaning="more users only wait for an instance")
def routed_at_random(dice: Random) -> Iterator[Bed]:
    ms = dice.randint(38, 42)
    one_at_a_time = rule(pool=1, ms=(ms, ms + 4), bytes=900)
    with contextlib.ExitStack() as stack:
        instances = [stack.enter_context(server.go(one_at_a_time)) for _ in range(5)]
        url = stack.enter_context(of_haproxy(*instances, balance="random(1)"))
        yield Bed(url, f"{few_and_many(dice, dice.randint(20, 26), '90ms..170ms')}--get /items --get /prices", truth=Truth(
            lambda all: [("at once", 1 - all.slower(ms + 15), 0.15, 0.75), ("two turns", all.slower(2 * ms), 0.1, 0.6), ("failed", all.failed, 0, 0)],
            users=20, think=0.12))


# Proxies and balancers.


@cause("nginx lets an address have six to eight requests at a time (limit_conn), and all users of a test have the same one", "failures-with-load",
       "load-shedding", "rate-limit", meaning="it refuses what is too much at a time")
def nginx_counts_an_address(dice: Random) -> Iterator[Bed]:
    most, status = dice.randint(6, 8), dice.choice((429, 503))
    with dice.choice((server.go, server.node))(option(idle=60_000), rule(ms=(50, 70), bytes=900)) as behind, faults.nginx(
            f"limit_conn_zone $binary_remote_addr zone=one:1m; upstream one {{ server {behind[7:-1]}; keepalive 64; }}",
            f'limit_conn one {most}; limit_conn_status {status}; location / {{ proxy_http_version 1.1; proxy_set_header Connection ""; '
            "proxy_pass http://one; }") as url:
        yield Bed(url, f"{few_and_many(dice, dice.randint(26, 30), '120ms..220ms')}{ITEMS_AND_ORDERS}", probe=lambda: [
            ("few", [one for one, _ in sent(url, 5)].count(200), 5, 5),
            ("many", [one for one, _ in sent(url, 24)].count(status), 24 - most - 4, 24 - most + 1)])


@cause("a server is restarted within 0.25 to 0.35 s, and Apache before it has seen that, and doesn't ask it again for two seconds (retry): 503", "outage",
       "restarts", meaning="nothing succeeds for a while")
def apache_does_not_ask_again(dice: Random) -> Iterator[Bed]:
    at, length = dice.randint(4800, 5800), dice.randint(250, 350)
    with server.go(option(down=f"{at}..{at + length}"), rule(method="POST", ms=(14, 36)), rule(ms=(7, 20), bytes=900)) as behind, apache(
            f"MaxKeepAliveRequests 0\nKeepAliveTimeout 30\n<Proxy balancer://shop>\nBalancerMember {behind[:-1]} retry=2\n</Proxy>\n"
            "ProxyPass / balancer://shop/ forcerecovery=Off\n", "proxy", "proxy_http", "proxy_balancer", "slotmem_shm", "lbmethod_byrequests") as url:
        yield Bed(url, peak(10) + f"{open_model(dice, 60, dice.randint(60, 100))}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("before", between(all, 0, at / 1000 - 0.2).failed, 0, 0),
                         ("meanwhile", between(all, at / 1000 + length / 1000 + 0.1, at / 1000 + 1.6).status(503), 0.9, 1),
                         ("after", between(all, (at + length) / 1000 + 2.4, 10).failed, 0, 0)], think=0.05, seconds=9.5))


@cause("one of three servers isn't there, and nginx says that nicely, with 200, where a test looks for that", "steady-failures",
       meaning="a constant share has another page")
def nice_page_of_errors(dice: Random) -> Iterator[Bed]:
    good = rule(ms=(7, 22), bytes=1200)
    with server.go(good) as one, server.go(good) as two, faults.nginx(
            f"upstream all {{ server {one[7:-1]} max_fails=0; server {two[7:-1]} max_fails=0; server 127.0.0.1:{faults.free_port()} max_fails=0; }}",
            "location / { proxy_pass http://all; proxy_next_upstream off; error_page 502 =200 /sorry; } "
            "location = /sorry { internal; default_type text/html; return 200 '<h1>We are sorry</h1>'; }") as url:
        yield Bed(url, peak(9) + f"{modest(dice, (60, 100))}--get /items --get /prices --expect 'status=200 not:body~sorry'", truth=Truth(
            lambda all: [("200", all.status(200), 1, 1), ("sorry", all.share(lambda one: one.size < 100), 0.25, 0.42)], seconds=3))


@cause("Apache sends 250 to 400 kB a second of each picture (mod_ratelimit), which has 160 to 240 kB", "bandwidth", meaning="a limit of bandwidth")
def apache_sends_slowly(dice: Random) -> Iterator[Bed]:
    rate = dice.randint(250, 400)
    sizes = {"first": dice.randint(160, 240) * 1000, "second": dice.randint(160, 240) * 1000}
    with apache(f"MaxKeepAliveRequests 0\nKeepAliveTimeout 30\n<Location />\nSetOutputFilter RATE_LIMIT\nSetEnv rate-limit {rate}\n</Location>",
                "ratelimit", "env", files=sizes) as url:
        yield Bed(url, peak(11) + f"-c {dice.randint(8, 14)} --think 60ms..200ms {engine(dice)}--get /first --get /second", truth=Truth(
            lambda all: [("median", all.median, 160_000 / rate / 1.6, 240_000 / rate * 1.3), ("failed", all.failed, 0, 0)], paths=("/first", "/second")))


@cause("an nginx may have 32 connections (worker_connections), of which each request that it passes on takes two", "connection-limit", "failures-with-load",
       "resets", meaning="it has too few connections under load")
def few_connections_of_nginx(dice: Random) -> Iterator[Bed]:
    with server.go(rule(ms=(60, 80), bytes=900)) as behind, faults.nginx(
            "", f"location / {{ proxy_pass {behind}; }}", events="worker_connections 32;") as url:
        yield Bed(url, f"{few_and_many(dice, dice.randint(24, 28), '100ms..200ms')}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("failed", all.failed, 0.03, 0.95)], users=26, think=0.1))


RANGES = """
const knows = process.argv[1] === 'true';
process.stdin.on('end', () => process.exit(0)).resume();
const film = Buffer.alloc(200_000, 'film');
const server = require('node:http').createServer((request, response) => request.resume().on('end', () => {
    const found = knows && /^bytes=(\\d+)-(\\d+)$/.exec(request.headers.range ?? '');
    const body = found ? film.subarray(Number(found[1]), Number(found[2]) + 1) : film.subarray(0, 60_000);
    const fields = found ? {'Content-Range': `bytes ${found[1]}-${found[2]}/${film.length}`} : {};
    setTimeout(() => response.writeHead(found ? 206 : 200, {'Content-Length': body.length, ...fields}).end(body), 8 + 18 * Math.random());
}));
server.keepAliveTimeout = 60_000;
server.listen({port: 0, host: '127.0.0.1', backlog: 1024}, () => console.log(`http://127.0.0.1:${server.address().port}/`));
"""


@cause("one of three nodes of a CDN doesn't know parts of files: it sends a film from its beginning, 200 in place of 206", "steady-failures",
       meaning="a constant share isn't as it should be")
def ranges_are_ignored(dice: Random) -> Iterator[Bed]:
    with inline("node", "-e", RANGES, "true") as one, inline("node", "-e", RANGES, "true") as two, inline("node", "-e", RANGES, "false") as three, \
            of_haproxy(one, two, three) as url:
        def statuses() -> list[int]:
            return [status for _ in range(12) for status, _ in sent(url, 1, "/film", Range="bytes=1000-20999")]

        yield Bed(url, peak(9) + f"-c {dice.randint(10, 18)} {engine(dice)}", plan="""
scenarios:
  - name: watch
    steps:
      - get: /film
        name: first part
        headers: {Range: "bytes=0-29999"}
        checks: status=206
        onFailure: continue
      - think: 60ms..180ms
      - get: /film
        name: second part
        headers: {Range: "bytes=30000-79999"}
        checks: status=206
        onFailure: continue
      - think: 60ms..180ms
""", probe=lambda: [("206", statuses().count(206), 7, 9)])


@cause("a filter wants a key of everything, also of a browser's question whether it may ask (OPTIONS), which never has one: 401", "credentials",
       "wrong-request", "always-fails", meaning="one operation needs credentials")
def key_for_options(dice: Random) -> Iterator[Bed]:
    rules = (rule(method="OPTIONS", ms=(2, 7), status=401), rule(method="POST", ms=(14, 36)), rule(ms=(7, 20), bytes=900))
    with server.node(option(idle=60_000), *rules) as behind, of_haproxy(behind) as url:
        yield Bed(url, peak(8) + f"{modest(dice, (60, 100))}--options /orders --post /orders --body order --get /items", probe=lambda: [
            (method, said(url, "/orders", method)[0], status, status) for method, status in (("OPTIONS", 401), ("POST", 200), ("GET", 200))])


# Networks, names and certificates.


@cause("a router spreads the connections anew at three moments, and half of them get to a machine that doesn't know them and resets them", "restarts", "resets",
       meaning="short bursts of failures")
def flows_are_spread_anew(dice: Random) -> Iterator[Bed]:
    first, clock = pick(dice, 3, 3.8), Clock()
    times = [first, first + pick(dice, 1.9, 2.4), first + pick(dice, 4.2, 4.9)]
    known: dict[asyncio.StreamWriter, int] = {}

    async def answer(asked: Asked) -> bool:
        now = clock()
        passed = sum(now > one for one in times)
        if known.setdefault(asked.writer, passed) < passed:
            known[asked.writer] = passed
            if random.random() < 0.5:
                asked.reset()
                return False
        await (some(14, 36) if asked.method == "POST" else some(7, 20))
        return await asked.say(b"x" * 800)

    with answering(answer) as url:
        yield Bed(url, peak(10) + f"-c {dice.randint(26, 38)} --think 180ms..360ms {engine(dice)}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("before", between(all, 0, first - 0.05).failed, 0, 0),
                         *((f"at {one:.1f}", between(all, one + 0.01, one + 0.4).status(0), 0.05, 0.7) for one in times),
                         ("between", between(all, times[0] + 0.6, times[1] - 0.05).failed, 0, 0.02)], users=20, think=0.2, seconds=9))


@contextlib.contextmanager
def two_links(seconds: tuple[float, float]) -> Iterator[tuple[list[str], str]]:
    """Words that start a command in a network, and an address that leads back to it: each packet takes one of two links there, which take so long."""
    with contextlib.ExitStack() as stack:
        inside = stack.enter_context(faults.network())
        end = stack.enter_context(faults.tunnels.tunnel(inside, "ip address add 10.99.0.1/24 dev slow"))
        # What leaves from another end may overtake.
        other = os.dup(end)
        stack.callback(os.close, other)

        def route(_: int, packet: bytes) -> faults.tunnels.Passed:
            link = random.randrange(2)
            return faults.tunnels.Passed((end, other)[link], seconds[link], packet[:12] + packet[16:20] + packet[12:16] + packet[20:])

        stack.enter_context(faults.tunnels.carried(route, end))
        yield inside, "10.99.0.2"


@cause("each packet takes one of two links at random, one of which takes 5 ms and the other one 30 to 38 ms, and packets overtake each other", "jitter",
       "two-speeds", "packet-loss", meaning="the network's delay varies")
def two_links_for_packets(dice: Random) -> Iterator[Bed]:
    slow = pick(dice, 0.03, 0.038)
    with two_links((0.005, slow)) as (inside, address), server.go(
            option(address="10.99.0.1:0"), rule(ms=(6, 16), bytes=900), rule(method="POST", ms=(10, 24), bytes=4000), under=inside) as url:
        yield Bed(url.replace("10.99.0.1", address), peak(10, 2) + f"{modest(dice, (50, 80))}{ITEMS_AND_ORDERS}", inside, truth=Truth(
            lambda all: [("both short", 1 - all.slower(34), 0.03, 0.5), ("one long", all.slower(10 + 1000 * slow), 0.4, 0.92), ("failed", all.failed, 0, 0)],
            users=6, think=0.05))


@cause("a cable is broken in part, and changes 3 to 4.5 % of the packets, which their checksums show", "packet-loss", "two-speeds",
       meaning="packets are lost")
def cable_changes_packets(dice: Random) -> Iterator[Bed]:
    share = pick(dice, 0.03, 0.045)
    with contextlib.ExitStack() as stack:
        inside = stack.enter_context(faults.network())
        end = stack.enter_context(faults.tunnels.tunnel(inside, "ip address add 10.99.0.1/24 dev slow"))

        def route(_: int, packet: bytes) -> faults.tunnels.Passed:
            back = packet[:12] + packet[16:20] + packet[12:16] + packet[20:]
            if random.random() < share:
                place = random.randrange(24, len(back))
                back = back[:place] + bytes([back[place] ^ 64]) + back[place + 1:]
            return faults.tunnels.Passed(end, 0.003, back)

        stack.enter_context(faults.tunnels.carried(route, end))
        url = stack.enter_context(server.go(option(address="10.99.0.1:0"), rule(method="POST", ms=(14, 36)), rule(ms=(6, 20), bytes=3000), under=inside))
        yield Bed(url.replace("10.99.0.1", "10.99.0.2"), peak(10) + f"{open_model(dice, 80, dice.randint(60, 100))}{ITEMS_AND_ORDERS}", inside, truth=Truth(
            lambda all: [("sent again", all.slower(190), 0.015, 0.25), ("median", all.median, 8, 55), ("failed", all.failed, 0, 0.01)], users=10, seconds=6))


@cause("a test runs on a machine that changes to another access point three times, for 0.5 to 0.8 s in which no packet passes", "standstill", "packet-loss",
       "slow-period", meaning="nothing passes at three moments")
def access_point_is_changed(dice: Random) -> Iterator[Bed]:
    clock, first = Clock(), pick(dice, 2.6, 3.4)
    times = [(one, one + pick(dice, 0.5, 0.8)) for one in (first, first + pick(dice, 1.9, 2.8), first + pick(dice, 4.6, 5.6))]
    with contextlib.ExitStack() as stack:
        inside = stack.enter_context(faults.network())
        end = stack.enter_context(faults.tunnels.tunnel(inside, "ip address add 10.99.0.1/24 dev slow"))

        def route(_: int, packet: bytes) -> faults.tunnels.Passed | None:
            now = clock()
            if any(begin < now < over for begin, over in times):
                return None
            return faults.tunnels.Passed(end, 0.002, packet[:12] + packet[16:20] + packet[12:16] + packet[20:])

        stack.enter_context(faults.tunnels.carried(route, end))
        url = stack.enter_context(server.go(option(address="10.99.0.1:0"), rule(method="POST", ms=(14, 36)), rule(ms=(6, 20), bytes=900), under=inside))
        yield Bed(url.replace("10.99.0.1", "10.99.0.2"), peak(10) + f"{open_model(dice, 160, dice.randint(60, 90))}{ITEMS_AND_ORDERS}", inside, truth=Truth(
            lambda all: [("before", between(all, 0, first - 0.1).slower(150), 0, 0.02), ("failed", all.failed, 0, 0),
                         *((f"at {begin:.1f}", between(all, begin - 0.1, over).slowest, 300, 1900) for begin, over in times)],
            users=12, think=0.03, seconds=9.5))


@cause("a certificate is good from tomorrow on", "no-tls", meaning="no TLS connection can be made")
def certificate_of_tomorrow(dice: Random) -> Iterator[Bed]:
    with tempfile.TemporaryDirectory() as folder, server.go(rule(ms=(6, 18))) as behind:
        Path(folder, "index").touch()
        Path(folder, "ca.cnf").write_text(AUTHORITY.replace("FOLDER", folder))
        begin = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=1)
        new = "openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"
        subprocess.run(["sh", "-ec", f"cd {folder}; {new} -x509 -days 9 -subj /CN=authority -keyout ca.key -out ca.pem; "
                        f"{new} -subj /CN=localhost -keyout one.key -out one.csr; openssl ca -batch -config ca.cnf -cert ca.pem -keyfile ca.key -in one.csr "
                        f"-out one.pem -notext -startdate {begin:%Y%m%d%H%M%S}Z -enddate {begin + datetime.timedelta(days=2):%Y%m%d%H%M%S}Z; "
                        "cat one.pem one.key > both.pem"], check=True, capture_output=True)
        with server.haproxy(f"listen all\n  bind LISTEN ssl crt {folder}/both.pem\n  server one {behind[7:-1]}") as there:
            url = f"https{there[4:]}"
            yield Bed(url, peak(8) + f"--cacert {folder}/ca.pem --keep-going -c {dice.randint(6, 14)} --think 50ms..120ms {engine(dice)}{ITEMS_AND_ORDERS}",
                      probe=lambda: [("as a test does", took([], "curl", "-sf", "--cacert", f"{folder}/ca.pem", url), -1, -1),
                                     ("whatever it is", took([], "curl", "-skf", url), 0, 3000)])


@cause("one of three machines that end TLS has a slow core: a third of the handshakes takes 0.24 to 0.32 s more, and each request makes one", "tls-handshakes",
       "two-speeds", "slow-connects", meaning="a share of the handshakes is slow")
def slow_third_of_handshakes(dice: Random) -> Iterator[Bed]:
    more = pick(dice, 0.24, 0.32)
    with server.go(option(tls=1), rule(method="POST", ms=(14, 36)), rule(ms=(7, 20), bytes=900)) as behind, slower_handshakes(
            server.port(behind), lambda: more if random.randrange(3) == 0 else 0) as port:
        yield Bed(f"https://127.0.0.1:{port}/", peak(10) + f"-k -H Connection:close -c {dice.randint(8, 14)} --think 100ms..250ms {engine(dice)}"
                  + ITEMS_AND_ORDERS, truth=Truth(lambda all: [("slow", sum(one > 900 * more for one in all.connects) / max(1, len(all.connects)), 0.18, 0.5),
                                           ("median", all.connect_median, 0, 120), ("failed", all.failed, 0, 0)], close=True, think=0.05))


# Deployments, and what a test does wrong.


@cause("a service's customers are moved to a new one in steps, and the old one says 410 to those that it doesn't have any more", "growing-failures",
       meaning="more and more fails")
def customers_are_moved(dice: Random) -> Iterator[Bed]:
    at, step, clock = pick(dice, 2, 2.6), pick(dice, 0.55, 0.7), Clock()
    turns = list(range(60))
    dice.shuffle(turns)

    async def answer(asked: Asked) -> bool:
        moved = turns[int(asked.path.split("/")[2]) - 1] < 5 * int(max(0.0, clock() - at) / step)
        await (some(3, 9) if moved else some(9, 26))
        return await asked.say(b"moved" if moved else b"x" * 900, 410 if moved else 200)

    with answering(answer) as url:
        yield Bed(url, peak(9) + f"-c 60 --rate '{dice.randint(70, 110)} journeys/s' {engine(dice)}", plan="""
scenarios:
  - name: look
    steps:
      - get: "/customers/{random:1..60}/orders"
        name: GET /customers/NUMBER/orders
""", truth=Truth(lambda all: [("first", between(all, 0, at).failed, 0, 0), ("middle", between(all, at + 4 * step, at + 5 * step).status(410), 0.15, 0.55),
                              ("last", between(all, at + 8 * step, at + 9 * step).status(410), 0.5, 0.9), ("others", all.status(200, 410), 1, 1)],
                 paths=tuple(f"/customers/{number}/orders" for number in range(1, 61)), users=8, think=0.03, seconds=9))


@cause("a test wants a list to have 24 items, and somebody adds one in the middle: from then on its check fails", "outage", "steady-failures",
       "check-never-holds", meaning="an operation fails from then on")
def one_item_more(dice: Random) -> Iterator[Bed]:
    at, clock = pick(dice, 4, 5.4), Clock()

    async def answer(asked: Asked) -> bool:
        number = 25 if clock() > at else 24
        await some(8, 24)
        return await asked.say(json.dumps({"items": [{"id": one} for one in range(number if asked.path == "/items" else 5)]}).encode())

    def claims() -> list[Claim]:
        found = [said(url, "/items")[1].count(b"id")]
        time.sleep(at + 0.2)
        return [("at first", found[0], 24, 24), ("later", said(url, "/items")[1].count(b"id"), 25, 25)]

    with answering(answer) as url:
        yield Bed(url, peak(9) + f"{modest(dice, (60, 100))}--get /items --expect 'status=200 count:json:/items/*/id=24' --get /prices --expect status=200",
                  probe=claims)


@cause("the clock of a log-in is 0.4 to 0.48 s ahead, and a service refuses tokens that aren't good yet (nbf), as users go on after 0.25 to 0.7 s: 401",
       "steady-failures", "credentials", meaning="a constant share is refused")
def token_is_not_good_yet(dice: Random) -> Iterator[Bed]:
    ahead = pick(dice, 0.4, 0.48)

    async def answer(asked: Asked) -> bool:
        if asked.method == "POST":
            await some(14, 34)
            return await asked.say(json.dumps({"token": f"{time.monotonic() + ahead:.3f}"}).encode())
        good = float(asked.path.split("=")[1]) <= time.monotonic()
        await (some(7, 20) if good else some(2, 6))
        return await asked.say(b"x" * 900 if good else b"token not active", 200 if good else 401)

    def claims() -> list[Claim]:
        token = json.loads(said(url, "/login", "POST", b"name")[1])["token"]
        soon = said(url, f"/items?token={token}")[0]
        time.sleep(ahead)
        return [("soon", soon, 401, 401), ("later", said(url, f"/items?token={token}")[0], 200, 200)]

    with answering(answer) as url:
        yield Bed(url, peak(9) + f"-c {dice.randint(20, 32)} {engine(dice)}", plan="""
scenarios:
  - name: visit
    steps:
      - post: /login
        json: {name: "{user}"}
        extract: {token: "json:/token"}
      - think: 250ms..700ms
      - get: "/items?token={token}"
        name: GET /items
        onFailure: continue
      - think: 40ms..120ms
""", probe=claims)


COOKIES = """
process.stdin.on('end', () => process.exit(0)).resume();
const path = process.argv[1];
const server = require('node:http').createServer((request, response) => request.resume().on('end', () => {
    const known = /session=\\w+/.test(request.headers.cookie ?? '');
    const login = request.url.endsWith('/login');
    const status = login || known ? 200 : 401;
    const body = 'x'.repeat(status === 200 ? 700 : 40);
    const fields = {'Content-Length': body.length, ...(login ? {'Set-Cookie': `session=a${Date.now()}; Path=${path}; HttpOnly`} : {})};
    setTimeout(() => response.writeHead(status, fields).end(body), 8 + 18 * Math.random());
}));
server.keepAliveTimeout = 60_000;
server.listen({port: 0, host: '127.0.0.1', backlog: 1024}, () => console.log(`http://127.0.0.1:${server.address().port}/`));
"""

SHOP = """
scenarios:
  - name: shop
    session: {cookies: true}
    steps:
      - post: /shop/login
        json: {name: "{user}"}
        checks: status=200
      - think: 80ms..200ms
      - get: /shop/cart
        checks: status=200
      - think: 80ms..200ms
      - post: /api/orders
        json: {item: 7}
        checks: status=200
        onFailure: continue
      - think: 80ms..200ms
"""


def with_and_without(url: str) -> list[Claim]:
    """Whether a server wants a cookie."""
    return [("login", said(url, "/shop/login", "POST", b"a")[0], 200, 200), ("without", said(url, "/api/orders", "POST", b"a")[0], 401, 401),
            ("with", sent(url, 1, "/api/orders", "POST", Cookie="session=a1")[0][0], 200, 200)]


@cause("a log-in's cookie is for addresses below /shop, and orders are at /api: 401 for one of three operations", "credentials", "always-fails",
       "wrong-request", meaning="one operation lacks its credentials")
def cookie_of_another_path(dice: Random) -> Iterator[Bed]:
    with inline("node", "-e", COOKIES, "/shop") as url:
        yield Bed(url, peak(8) + f"-c {dice.randint(10, 18)} {engine(dice)}", plan=SHOP, probe=lambda: [
            *with_and_without(url), ("path", b"Path=/shop;" in reply(url, b"GET /shop/login HTTP/1.1\r\nHost: a\r\n\r\n"), 1, 1)])


@cause("a server answers when there is news, at the latest after 1.5 s, and a test waits for a second: it has given up a fifth of its questions before",
       "timeout-too-short", "unanswered", "steady-failures", meaning="the test doesn't wait for as long as the server")
def long_polls_and_a_short_timeout(dice: Random) -> Iterator[Bed]:
    mean = pick(dice, 0.55, 0.75)

    async def answer(asked: Asked) -> bool:
        await (asyncio.sleep(min(1.5, random.expovariate(1 / mean))) if asked.path == "/news" else some(7, 22))
        return await asked.say(b"x" * 400)

    with answering(answer) as url:
        yield Bed(url, peak(10) + f"--timeout 1s -c {dice.randint(24, 36)} --think 20ms..80ms {engine(dice)}--get /news --get /items", truth=Truth(
            lambda all: [("longer", all.of("/news").slower(1000), 0.08, 0.4), ("longest", all.slowest, 1200, 1700), ("failed", all.failed, 0, 0)],
            paths=("/news", "/items"), users=20, seconds=6))


# Messages and streams.


def crosses(here: int, there: int) -> bool:
    """Whether a message to one broker for MQTT reaches another one."""
    with contextlib.ExitStack() as stack, contextlib.suppress(OSError):
        two = [stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=0.8)) for port in (there, here)]
        for number, one in enumerate(two):
            one.sendall(b"\x10\x0e\0\4MQTT\4\2\0\0\0\2a" + bytes([48 + number]))
            one.recv(4)
        two[0].sendall(b"\x82\x0c\0\1\0\7rooms/1\0")
        two[0].recv(5)
        two[1].sendall(b"\x30\x0e\0\7rooms/1hello")
        return two[0].recv(1000).startswith(b"\x30")
    return False


@cause("two brokers for MQTT are bridged, but in one direction alone: half of the pairs hear nothing", "unanswered", "steady-failures", "never-delivered",
       meaning="a constant share is lost")
def bridge_of_one_way(dice: Random) -> Iterator[Bed]:
    with mosquitto() as there, mosquitto(f"connection other\naddress 127.0.0.1:{there}\ntopic # out 0\nrestart_timeout 1") as here:
        for _ in range(20):
            if crosses(here, there):
                break
            time.sleep(0.2)
        yield Bed(f"mqtt://127.0.0.1:{here}/rooms/{{pair}}", peak(9) + f"--nodes 127.0.0.1:{here},127.0.0.1:{there} --timeout 1s "
                  f"-c {dice.choice((12, 16, 20))} "
                  f"--rate '{dice.randint(40, 80)} messages/s' --message-size {dice.randint(64, 400)}",
                  probe=lambda: [("there", crosses(here, there), 1, 1), ("back", crosses(there, here), 0, 0)])


async def say_words(asked: Asked, number: int, low: float, high: float) -> bool:
    """A model's answer of so many words, as OpenAI streams it, with so many ms before each."""
    for word in range(number):
        await some(low, high)
        await send_event(asked, json.dumps({"choices": [{"index": 0, "delta": {"content": f"word{word} "}}]}))
    await send_event(asked, "[DONE]")
    return end_stream(asked)


@cause("one of three machines of a model is too hot, and its words come 40 to 50 ms apart in place of 14 to 20", "two-speeds", "slow-instance",
       meaning="a share is slower")
def machine_of_a_model_is_hot(dice: Random) -> Iterator[Bed]:
    number = dice.randint(16, 22)

    async def answer(asked: Asked) -> bool:
        begin_stream(asked)
        await some(90, 150)
        slow = random.randrange(3) == 0
        return await say_words(asked, number, *((40, 50) if slow else (14, 20)))

    with answering(answer) as url:
        yield Bed(url, peak(11) + f"-c {dice.randint(18, 28)} --think 60ms..250ms {engine(dice)}--post /v1/chat/completions --body question "
                  "--event-stream openai", truth=Truth(
            lambda all: [("slow", all.slower(36 * number + 90), 0.15, 0.5),
                         ("between", all.share(lambda one: 26 * number + 150 < one.ms < 36 * number + 90), 0, 0.04),
                         ("failed", all.failed, 0, 0)], method="POST", body=8, users=16, seconds=6))


@cause("one in 11 to 14 messages is a picture, which a gateway for WebSocket has looked at first, in 0.3 to 0.36 s", "two-speeds",
       meaning="a share is slower by the same time")
def pictures_are_looked_at(dice: Random) -> Iterator[Bed]:
    share, more = 1 / dice.randint(11, 14), dice.randint(300, 340)

    async def work() -> None:
        await some(3, 10)
        if random.random() < share:
            await some(more, more + 20)

    def claims() -> list[Claim]:
        found = [message_ms(url, 1) for _ in range(90)]
        return [("slow", sum(one >= more for one in found) / 90, 0.01, 0.2), ("others", sum(one < 80 for one in found) / 90, 0.75, 0.99)]

    with echoing(work) as url:
        yield Bed(f"ws{url[4:]}rooms/{{pair}}", peak(10) + f"--subscribers 0 -c {dice.randint(24, 36)} --rate '{dice.randint(50, 80)} messages/s' "
                  f"{dice.choice(('', '--arrivals poisson '))}", probe=claims)


@cause("a gateway for WebSocket wants a ticket of the log-in in its address, which a test doesn't have: 401", "never-accepted", "credentials",
       meaning="no connection is accepted")
def ticket_of_a_gateway(dice: Random) -> Iterator[Bed]:
    async def answer(asked: Asked) -> bool:
        await some(2, 6)
        return await asked.say(b"ticket?", 101 if "ticket=" in asked.path else 401)

    def said_to(path: str) -> bytes:
        return reply(url, f"GET {path} HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                          "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode())[9:12]

    with answering(answer) as url:
        yield Bed(f"ws{url[4:]}rooms/{{pair}}", peak(8) + f"--keep-going --timeout 1s -c {dice.randint(8, 16)} --rate '{dice.randint(20, 50)} messages/s'",
                  probe=lambda: [("without", int(said_to("/rooms/1")), 401, 401), ("with", int(said_to("/rooms/1?ticket=7")), 101, 101)])


# Healthy, by their times.


@clean("times with a heavy tail (Pareto): mostly 12 to 20 ms, one in a hundred above 80 ms")
def pareto(dice: Random) -> Iterator[Bed]:
    least, shape = dice.randint(11, 13), pick(dice, 2.1, 2.5)

    async def answer(asked: Asked) -> bool:
        await asyncio.sleep(min(400, least * random.paretovariate(shape)) / 1000)
        return await asked.say(b"x" * 1200)

    with answering(answer) as url:
        yield Bed(url, peak(9) + f"{modest(dice, (60, 110))}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("failed", all.failed, 0, 0), ("median", all.median, least, 35), ("slow", all.slower(100), 0, 0.04)], users=4))


@clean("a search whose times spread widely (lognormal, sigma 0.7 to 0.8), around 25 ms, and a page with even times")
def widely_spread_searches(dice: Random) -> Iterator[Bed]:
    sigma = pick(dice, 0.7, 0.8)

    async def answer(asked: Asked) -> bool:
        await (asyncio.sleep(min(500, 25 * random.lognormvariate(0, sigma)) / 1000) if asked.path == "/search" else some(7, 13))
        return await asked.say(b"x" * 1800)

    with answering(answer) as url:
        yield Bed(url, peak(9) + f"{open_model(dice, 60, dice.randint(60, 100))}--get /search --get /page", truth=Truth(
            lambda all: [("failed", all.failed, 0, 0), ("search", all.of("/search").median, 15, 45), ("page", all.of("/page").median, 7, 35)],
            paths=("/search", "/page"), users=4))


@clean("a search finds nothing for four words in ten, after 5 to 12 ms, and something for the others, after 16 to 40 ms")
def searches_that_find_nothing(dice: Random) -> Iterator[Bed]:
    with dice.choice((server.go, server.node, server.java))(rule(share=0.6, ms=(11, 28)), rule(ms=(5, 12), bytes=700)) as url:
        yield Bed(url, peak(9, 2) + f"{modest(dice, (60, 100))}--get /search --get /words", truth=Truth(
            lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 10, 45), ("slow", all.slower(120), 0, 0.02)], seconds=3))


@clean("a cache has all but 4 to 6 % of what is asked for, and what it doesn't have takes 18 to 36 ms in place of 6 to 14")
def few_misses(dice: Random) -> Iterator[Bed]:
    share = pick(dice, 0.04, 0.06)
    with redis("--save", "") as (port, _):
        store = Store(port)

        async def answer(asked: Asked) -> bool:
            await store.ask("GET", "page")
            await (some(18, 36) if random.random() < share else some(6, 14))
            return await asked.say(b"x" * 2200)

        with answering(answer) as url:
            yield Bed(url, peak(9) + f"{modest(dice, (70, 110))}--get /items --get /prices", truth=Truth(
                lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 6, 30), ("slow", all.slower(90), 0, 0.02)], seconds=3))


@clean("reports that take 1 to 1.7 s each, for whoever asks, and their list")
def slow_but_steady_reports(dice: Random) -> Iterator[Bed]:
    low = dice.randint(1000, 1200)
    with dice.choice((server.go, server.node, server.java))(rule(path="/reports/", ms=(low, low + 500), bytes=9000), rule(ms=(8, 20), bytes=900)) as url:
        yield Bed(url, peak(11, 2) + f"-c {dice.randint(12, 24)} {engine(dice)}", plan="""
scenarios:
  - name: read
    steps:
      - get: /reports
      - think: 100ms..400ms
      - get: "/reports/{random:1..9}"
        name: GET /reports/NUMBER
      - think: 100ms..400ms
""", truth=Truth(lambda all: [("median", all.median, low, low + 600), ("failed", all.failed, 0, 0)], paths=("/reports/7",), users=8))


@clean("films are prepared in 2 to 3 s each, and users wait for them, of whom there are few")
def films_are_prepared(dice: Random) -> Iterator[Bed]:
    async def answer(asked: Asked) -> bool:
        await asyncio.sleep(random.triangular(2, 3, 2.3))
        return await asked.say(b"x" * 20_000)

    with answering(answer) as url:
        yield Bed(url, peak(12, 3) + f"--timeout 10s -c {dice.randint(10, 16)} --think 200ms..900ms {engine(dice)}--post /films --body film", truth=Truth(
            lambda all: [("median", all.median, 2000, 3100), ("failed", all.failed, 0, 0)], method="POST", body=4, users=8, seconds=5))


@clean("eight operations, which take from 3 ms to a quarter of a second each, always about the same")
def eight_operations(dice: Random) -> Iterator[Bed]:
    times = [dice.randint(3, 250) for _ in range(8)]
    rules = [rule(path=f"/a{number}", ms=(ms, round(1.3 * ms) + 6)) for number, ms in enumerate(times)]
    with dice.choice((server.go, server.node))(*rules, rule(bytes=900)) as url:
        yield Bed(url, peak(10, 2) + f"-c {dice.randint(12, 20)} --think 60ms..160ms {engine(dice)}" + " ".join(f"--get /a{number}" for number in range(8)),
                  truth=Truth(lambda all: [("failed", all.failed, 0, 0), ("longest", all.slowest, max(times), 1.3 * max(times) + 80)],
                              paths=tuple(f"/a{number}" for number in range(8)), users=8))


@clean("thirty requests in a whole peak, of 20 to 60 ms each")
def thirty_requests(dice: Random) -> Iterator[Bed]:
    with dice.choice((server.go, server.node, server.java))(rule(ms=(20, 60), bytes=1500)) as url:
        yield Bed(url, f"--phases 'warmup=1 for 2s, peak=1 for 10s' -c 6 --rate 3/s {dice.choice(('', '--arrivals poisson '))}{engine(dice)}--get /items")


@clean("a pool of ten threads at 35 to 45 % of what it can do, with arrivals at random")
def half_of_what_it_can_do(dice: Random) -> Iterator[Bed]:
    with dice.choice((server.go, server.java))(rule(pool=10, ms=(25, 55), bytes=900)) as url:
        yield Bed(url, peak(10, 2) + f"-c 80 --rate {dice.randint(88, 112)}/s --arrivals poisson {engine(dice)}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 25, 70)], users=4))


@clean("forty users who read for five seconds after each page")
def readers_with_patience(dice: Random) -> Iterator[Bed]:
    with dice.choice((server.go, server.node, server.java))(option(idle=60_000), rule(ms=(12, 36), bytes=8000)) as url:
        yield Bed(url, peak(12, 2) + f"-c {dice.randint(36, 48)} --ramp 2s --think 4500ms..5500ms {engine(dice)}--get /pages/7")


# Healthy, by what services are made of.

GARBAGE = """
import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;

class Garbage {
    static volatile Object last;

    public static void main(String[] arguments) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 1024);
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            ArrayDeque<byte[]> kept = new ArrayDeque<>();
            for (int number = 0; number < 60; number++) {
                kept.add(new byte[10_000]);
            }
            last = kept;
            try {
                Thread.sleep(ThreadLocalRandom.current().nextInt(8, 24));
            } catch (InterruptedException end) {
                return;
            }
            exchange.sendResponseHeaders(200, 900);
            exchange.getResponseBody().write(new byte[900]);
            exchange.close();
        });
        server.start();
        System.out.println("http://127.0.0.1:" + server.getAddress().getPort() + "/");
    }
}
"""


@clean("a Java server that makes 600 kB of garbage for each request, which short collections of some milliseconds remove")
def garbage_of_each_request(dice: Random) -> Iterator[Bed]:
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "Garbage.java")
        source.write_text(GARBAGE)
        with faults.java("-Xmx192m", "-Xmn32m", dice.choice(("-XX:+UseSerialGC", "-XX:+UseG1GC")), "-Dsun.net.httpserver.nodelay=true", str(source)) as url:
            yield Bed(url, peak(9, 3) + f"{modest(dice, (50, 90))}{ITEMS_AND_ORDERS}", truth=Truth(
                lambda all: [("failed", all.failed, 0, 0), ("slow", all.slower(150), 0, 0.02)], users=4, think=0.04, seconds=3))


PAGES = """
import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

class Pages {
    public static void main(String[] arguments) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 1024);
        server.setExecutor(Executors.newFixedThreadPool(48));
        server.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            String page = IntStream.range(0, 80).mapToObj(number -> String.format("<li class=\\"item\\">item %d, %.2f</li>", number, number * 1.19))
                    .collect(Collectors.joining("\\n", "<ul>", "</ul>"));
            try {
                Thread.sleep(ThreadLocalRandom.current().nextInt(10, 26));
            } catch (InterruptedException end) {
                return;
            }
            byte[] body = page.getBytes();
            exchange.getResponseHeaders().set("Content-Type", "text/html");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        System.out.println("http://127.0.0.1:" + server.getAddress().getPort() + "/");
    }
}
"""


@clean("a JVM that has just been started formats its pages, and a test warms it up for four seconds")
def warmed_up_jvm(dice: Random) -> Iterator[Bed]:
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "Pages.java")
        source.write_text(PAGES)
        with faults.java("-Xmx128m", "-Dsun.net.httpserver.nodelay=true", str(source)) as url:
            yield Bed(url, peak(9, 4) + f"{modest(dice, (40, 70))}--get /items --get /prices --expect 'status=200 body~\"item 79\"'", truth=Truth(
                lambda all: [("200", all.status(200), 1, 1)], users=3, think=0.04, seconds=2))


@clean("a table whose rows are changed all the time, and which Postgres cleans up once a second (autovacuum)")
def autovacuum(dice: Random) -> Iterator[Bed]:
    with postgres("create table items (id int primary key, sold int default 0)", "insert into items select n from generate_series(1, 500) n",
                  autovacuum="on", autovacuum_naptime="1s", autovacuum_vacuum_threshold="20", autovacuum_vacuum_scale_factor="0.01") as port:
        database = Database(port, 20)

        async def answer(asked: Asked) -> bool:
            number = random.randint(1, 500)
            failed = await database.ask(f"update items set sold = sold + 1 where id = {number}" if asked.method == "POST"
                                        else f"select sold from items where id = {number}")
            await some(6, 18)
            return await asked.say(failed.encode() or b"x" * 400, 500 if failed else 200)

        with answering(answer) as url:
            yield Bed(url, peak(9, 2) + f"{modest(dice, (60, 90))}{ITEMS_AND_ORDERS}", truth=Truth(
                lambda all: [("200", all.status(200), 1, 1), ("slow", all.slower(120), 0, 0.02)], method="POST", body=5, users=4, think=0.03, seconds=3))


@clean("a small list from Puma, which has six threads and little to do")
def little_for_puma(dice: Random) -> Iterator[Bed]:
    with puma(6, "require 'json'\n---\nsleep 0.008 + 0.012 * rand\n"
                 "[200, {'content-type' => 'application/json'}, [JSON.generate((1..30).map { |n| {id: n, name: \"item #{n}\"} })]]") as url:
        yield Bed(url, peak(9, 3) + f"-c {dice.randint(4, 5)} --think 90ms..240ms {engine(dice)}--get /items --get /prices --expect 'status=200 json:/0/id=1'",
                  truth=Truth(lambda all: [("200", all.status(200), 1, 1)], users=3, think=0.1, seconds=2))


@clean("pages of a template in PHP, which reads a file for each")
def template_in_php(dice: Random) -> Iterator[Bed]:
    script = ("usleep(random_int(7000, 18000)); header('Content-Type: text/html'); echo '<html><body>'; "
              "for ($n = 0; $n < 60; $n++) { printf('<p>item %d of %s</p>', $n, basename(__FILE__)); } echo '</body></html>';")
    with php(8, script) as url:
        yield Bed(url, peak(9, 2) + f"-c {dice.randint(6, 10)} --think 120ms..300ms {engine(dice)}--get / --get /items --expect 'status=200 body~\"item 59\"'",
                  truth=Truth(lambda all: [("200", all.status(200), 1, 1)], users=3, think=0.1, seconds=2))


@clean("three Node servers, of which HAProxy asks the one with the fewest requests (leastconn)")
def least_busy_of_three(dice: Random) -> Iterator[Bed]:
    rules = (option(idle=60_000), rule(method="POST", ms=(16, 40)), rule(ms=(6, 22), bytes=1600))
    with server.node(*rules) as one, server.node(*rules) as two, server.node(*rules) as three, of_haproxy(one, two, three, balance="leastconn") as url:
        yield Bed(url, peak(9, 2) + f"{modest(dice, (60, 110))}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 6, 50)], seconds=2))


@clean("nginx gives one of two equal servers twice as many requests as the other one, and both have room")
def two_weights(dice: Random) -> Iterator[Bed]:
    rules = (rule(method="POST", ms=(14, 36)), rule(ms=(6, 20), bytes=1600))
    with server.go(*rules) as one, server.go(*rules) as two, faults.nginx(
            f"upstream both {{ server {one[7:-1]} weight=2; server {two[7:-1]}; keepalive 64; }}",
            'location / { proxy_http_version 1.1; proxy_set_header Connection ""; proxy_pass http://both; }') as url:
        yield Bed(url, peak(9, 2) + f"{modest(dice, (60, 110))}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 6, 50)], seconds=2))


@clean("a server ends a connection after some hundred responses and says so, as is usual")
def connections_with_an_end(dice: Random) -> Iterator[Bed]:
    most = dice.randint(150, 220)

    async def answer(asked: Asked) -> bool:
        await some(8, 22)
        return await (say_and_close(asked, b"x" * 700) if asked.nth == most else asked.say(b"x" * 700))

    with answering(answer) as url:
        yield Bed(url, peak(10) + f"-c 5 --think {dice.randint(8, 14)}ms..{dice.randint(18, 26)}ms {engine(dice)}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("failed", all.failed, 0, 0), ("of a connection", len(all.all) / len(all.connects), 20, 300)], users=4))


@clean("a Node server by its Unix domain socket (--unix-socket)")
def by_a_unix_socket(dice: Random) -> Iterator[Bed]:
    source = """
process.stdin.on('end', () => process.exit(0)).resume();
const server = require('node:http').createServer((request, response) => request.resume().on('end', () => setTimeout(
    () => response.writeHead(200, {'Content-Length': 600}).end('x'.repeat(600)),
    request.method === 'POST' ? 14 + 22 * Math.random() : 6 + 14 * Math.random())));
server.keepAliveTimeout = 60_000;
server.listen({path: process.argv[1], backlog: 1024}, () => console.log('http://localhost/'));
"""
    with tempfile.TemporaryDirectory() as folder, inline("node", "-e", source, f"{folder}/socket") as url:
        yield Bed(url, peak(9, 2) + f"--unix-socket {folder}/socket {modest(dice, (60, 110))}{ITEMS_AND_ORDERS}",
                  probe=lambda: [("answered", took([], "curl", "-sf", "--unix-socket", f"{folder}/socket", url), 0, 3000)])


@clean("by a proxy of the company, as which nginx serves (--proxy)")
def by_a_proxy(dice: Random) -> Iterator[Bed]:
    with dice.choice((server.go, server.node))(option(idle=60_000), rule(method="POST", ms=(14, 36)), rule(ms=(6, 20), bytes=1200)) as behind, faults.nginx(
            f"upstream one {{ server {behind[7:-1]}; keepalive 64; }}",
            'location / { proxy_http_version 1.1; proxy_set_header Connection ""; proxy_pass http://one; }') as proxy:
        yield Bed("http://shop.example/", peak(9, 2) + f"--proxy {proxy[:-1]} {modest(dice, (60, 100))}{ITEMS_AND_ORDERS}",
                  probe=lambda: [("by it", took([], "curl", "-sf", "-x", proxy[:-1], "http://shop.example/items"), 0, 3000)])


@clean("a way of 40 to 56 ms, always the same, and a server that keeps its connections")
def far_away_and_steady(dice: Random) -> Iterator[Bed]:
    seconds = pick(dice, 0.02, 0.028)
    with faults.network() as inside, faults.delays(inside, lambda: seconds) as address, server.go(
            option(address="10.99.0.1:0"), rule(method="POST", ms=(12, 30)), rule(ms=(6, 16), bytes=900), under=inside) as there:
        yield Bed(there.replace("10.99.0.1", address), peak(9, 2) + f"{modest(dice, (50, 90))}{ITEMS_AND_ORDERS}", inside, truth=Truth(
            lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 2000 * seconds + 6, 2000 * seconds + 50)], seconds=2))


@clean("HTTP/2 with sixteen users on each connection, over TLS")
def sixteen_streams(dice: Random) -> Iterator[Bed]:
    with server.go(option(tls=1), rule(method="POST", ms=(14, 36)), rule(ms=(6, 20), bytes=1600)) as url:
        yield Bed(url, peak(9, 3) + f"-k --engine events --http2 --streams 16 -c {dice.choice((16, 32, 48))} --think 120ms..360ms {ITEMS_AND_ORDERS}",
                  truth=Truth(lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 6, 50)], seconds=2))


@clean("pages with thirty fields before them, of security, of caches and of cookies, 3 kB in all")
def pages_of_a_framework(dice: Random) -> Iterator[Bed]:
    fields = "".join(f"X-Field-{number}: {'v' * dice.randint(60, 120)}\r\n" for number in range(30))

    async def answer(asked: Asked) -> bool:
        await some(9, 26)
        cookie = f"Set-Cookie: seen={random.randrange(10**9)}; Path=/\r\n"
        asked.writer.write(f"HTTP/1.1 200 OK\r\nContent-Length: 4000\r\n{fields}{cookie}\r\n".encode() + b"x" * 4000)
        return True

    with answering(answer) as url:
        yield Bed(url, peak(8) + f"-c {dice.randint(10, 20)} --think 80ms..220ms {engine(dice)}--keep-cookies "
                  "--get /items --get /prices --expect 'status=200 header:X-Field-7~vvv'",
                  probe=lambda: [("fields", reply(url, b"GET / HTTP/1.1\r\nHost: a\r\n\r\n").count(b"X-Field-"), 30, 30)])


# Healthy, by what is sent.


@clean("files of 300 to 900 kB by nginx, for some users with time")
def large_files(dice: Random) -> Iterator[Bed]:
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        for name in ("first", "second", "third"):
            Path(folder, name).write_bytes(dice.randbytes(dice.randint(300, 900) * 1000))
        with faults.nginx("", f"root {folder};") as url:
            yield Bed(url, peak(9, 2) + f"-c {dice.randint(6, 12)} --think 250ms..600ms {engine(dice)}--get /first --get /second --get /third", truth=Truth(
                lambda all: [("200", all.status(200), 1, 1)], paths=("/first", "/second", "/third"), users=3, think=0.1, seconds=2))


@clean("uploads of 100 to 400 kB, which a Go server reads as they come, and a list")
def steady_uploads(dice: Random) -> Iterator[Bed]:
    size = dice.randint(100, 400) * 1000
    with tempfile.TemporaryDirectory() as folder, server.go(rule(method="POST", ms=(16, 40), status=201), rule(ms=(6, 18), bytes=900)) as url:
        Path(folder, "photo").write_bytes(dice.randbytes(size))
        yield Bed(url, peak(9, 2) + f"-c {dice.randint(8, 14)} --think 120ms..320ms {engine(dice)}--get /photos --post /photos --body @{folder}/photo",
                  truth=Truth(lambda all: [("201", all.status(201), 1, 1), ("slow", all.slower(300), 0, 0.02)],
                              method="POST", body=size, users=3, think=0.1, seconds=3))


@clean("a form with a title and a picture of 20 to 60 kB (multipart), which a Node server reads")
def form_with_a_picture(dice: Random) -> Iterator[Bed]:
    with tempfile.TemporaryDirectory() as folder, server.node(
            option(idle=60_000), rule(method="POST", ms=(14, 36), status=201), rule(ms=(6, 18), bytes=900)) as url:
        Path(folder, "picture.jpg").write_bytes(b"\xff\xd8" + dice.randbytes(dice.randint(20, 60) * 1000))
        yield Bed(url, peak(9, 2) + f"{modest(dice, (40, 70))}--get /pictures --post /pictures --form title=sea "
                  f"--form 'picture=@{folder}/picture.jpg;type=image/jpeg' --expect status=201")


@clean("questions that wait for news: an answer comes after 0.2 to 1.1 s, and most often there is news in it")
def patient_polls(dice: Random) -> Iterator[Bed]:
    async def answer(asked: Asked) -> bool:
        if asked.path != "/news":
            await some(6, 18)
            return await asked.say(b"x" * 500)
        await some(200, 1100)
        return await asked.say(*((b"news", 200) if random.random() < 0.8 else (b"", 204)))

    with answering(answer) as url:
        yield Bed(url, peak(11) + f"-c {dice.randint(20, 36)} --think 20ms..80ms {engine(dice)}--get /news --get /items", truth=Truth(
            lambda all: [("failed", all.failed, 0, 0), ("median", all.of("/news").median, 400, 900), ("items", all.of("/items").median, 6, 40)],
            paths=("/news", "/items"), users=12))


STATES = """
const {createHash} = require('node:crypto');
process.stdin.on('end', () => process.exit(0)).resume();
const body = Buffer.from('x'.repeat(9000));
const etag = `"${createHash('sha1').update(body).digest('hex')}"`;
const server = require('node:http').createServer((request, response) => request.resume().on('end', () => setTimeout(() => {
    if (request.headers['if-none-match'] === etag) {
        response.writeHead(304, {ETag: etag}).end();
    } else {
        response.writeHead(200, {ETag: etag, 'Content-Length': body.length}).end(body);
    }
}, 5 + 12 * Math.random())));
server.keepAliveTimeout = 60_000;
server.listen({port: 0, host: '127.0.0.1', backlog: 1024}, () => console.log(`http://127.0.0.1:${server.address().port}/`));
"""


@clean("a page is asked for once, and then twice whether it has changed, which it hasn't: 304, as a test expects")
def not_changed_as_expected(dice: Random) -> Iterator[Bed]:
    with inline("node", "-e", STATES) as url:
        yield Bed(url, peak(9, 2) + f"-c {dice.randint(12, 22)} {engine(dice)}", plan="""
scenarios:
  - name: read
    steps:
      - get: /page
        checks: status=200
        extract: {tag: "header:ETag"}
      - think: 80ms..240ms
      - repeat: 2
        steps:
          - get: /page
            name: still the same
            headers: {If-None-Match: "{tag}"}
            checks: status=304
          - think: 80ms..240ms
""", probe=lambda: [("304", sent(url, 1, "/page", If_None_Match=f'"{"0" * 40}"')[0][0], 200, 200),
                    ("tag", b"etag:" in reply(url, b"GET / HTTP/1.1\r\nHost: a\r\n\r\n").lower(), 1, 1)])


PIECES = """
process.stdin.on('end', () => process.exit(0)).resume();
const server = require('node:http').createServer((request, response) => request.resume().on('end', () => {
    let left = 3 + Math.floor(3 * Math.random());
    const next = () => {
        response.write('x'.repeat(700 + Math.floor(2000 * Math.random())));
        --left ? setTimeout(next, 4 + 8 * Math.random()) : response.end();
    };
    setTimeout(next, 5 + 12 * Math.random());
}));
server.keepAliveTimeout = 60_000;
server.listen({port: 0, host: '127.0.0.1', backlog: 1024}, () => console.log(`http://127.0.0.1:${server.address().port}/`));
"""


@clean("pages that a Node server sends as it makes them, in three to five pieces")
def pages_in_pieces(dice: Random) -> Iterator[Bed]:
    with inline("node", "-e", PIECES) as url:
        yield Bed(url, peak(9, 2) + f"{modest(dice, (50, 90))}--get /items --get /prices", truth=Truth(
            lambda all: [("200", all.status(200), 1, 1), ("median", all.median, 15, 90)], users=4, seconds=2))


@clean("lists that nginx compresses as they pass (gzip), and which a test decodes and looks at")
def compressed_on_the_way(dice: Random) -> Iterator[Bed]:
    async def answer(asked: Asked) -> bool:
        await some(7, 20)
        body = json.dumps([{"id": number, "name": f"item {number}", "state": "new"} for number in range(120)]).encode()
        asked.writer.write(f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
        return True

    with answering(answer) as behind, faults.nginx(
            f"upstream one {{ server {behind[7:-1]}; keepalive 64; }}", "gzip on; gzip_comp_level 2; gzip_proxied any; gzip_types application/json; "
            'location / { proxy_http_version 1.1; proxy_set_header Connection ""; proxy_pass http://one; }') as url:
        yield Bed(url, peak(9, 2) + f"--decode {modest(dice, (40, 70))}--get /items --get /orders --expect 'status=200 json:/119/id=119'", probe=lambda: [
            ("compressed", b"content-encoding: gzip" in reply(url, b"GET / HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n").lower(), 1, 1)])


# Healthy, by what a test does.


@clean("who isn't logged in is sent to the log-in, which a test follows: 302, a form, and back (303)")
def led_to_the_log_in(dice: Random) -> Iterator[Bed]:
    source = """
process.stdin.on('end', () => process.exit(0)).resume();
const server = require('node:http').createServer((request, response) => request.resume().on('end', () => setTimeout(() => {
    const known = /session=\\w+/.test(request.headers.cookie ?? '');
    if (request.method === 'POST') {
        response.writeHead(303, {Location: '/account', 'Set-Cookie': `session=a${Date.now()}; Path=/; HttpOnly`, 'Content-Length': 0}).end();
    } else if (request.url === '/account' && !known) {
        response.writeHead(302, {Location: '/login', 'Content-Length': 0}).end();
    } else {
        const text = request.url === '/login' ? '<form>log in</form>' : 'your account '.repeat(90);
        response.writeHead(200, {'Content-Length': text.length}).end(text);
    }
}, 6 + 14 * Math.random())));
server.keepAliveTimeout = 60_000;
server.listen({port: 0, host: '127.0.0.1', backlog: 1024}, () => console.log(`http://127.0.0.1:${server.address().port}/`));
"""
    with inline("node", "-e", source) as url:
        yield Bed(url, peak(9, 2) + f"-c {dice.randint(12, 22)} {engine(dice)}", plan="""
scenarios:
  - name: visit
    session: {cookies: true, redirects: 3}
    steps:
      - get: /account
        name: before
        checks: status=200 body~"log in"
      - think: 120ms..300ms
      - post: /login
        form: {name: "{user}"}
        checks: status=200 body~"your account"
      - think: 120ms..300ms
      - get: /account
        name: after
        checks: status=200 body~"your account"
      - think: 120ms..300ms
""", probe=lambda: [("before", said(url, "/account")[0], 302, 302), ("log-in", said(url, "/login", "POST", b"a")[0], 303, 303),
                    ("after", sent(url, 1, "/account", Cookie="session=a1")[0][0], 200, 200)])


@clean("a note is made, read, changed and deleted, and then isn't there any more (404), nor can be made twice (409), as a test expects")
def life_of_a_note(dice: Random) -> Iterator[Bed]:
    notes: set[str] = set()

    async def answer(asked: Asked) -> bool:
        await (some(6, 18) if asked.method == "GET" else some(12, 30))
        there = asked.path in notes
        if asked.method == "PUT":
            notes.add(asked.path)
            return await asked.say(b"there is one" if there else b"made", 409 if there else 201)
        if not there:
            return await asked.say(b"not found", 404)
        if asked.method == "DELETE":
            notes.discard(asked.path)
            asked.writer.write(b"HTTP/1.1 204 No Content\r\n\r\n")
            return True
        return await asked.say(b"x" * 500)

    steps = (("put", "201", "made"), ("put", "409", "made twice"), ("get", "200", "read"), ("patch", "200", "changed"), ("delete", "204", "deleted"),
             ("get", "404", "gone"))
    plan = "".join(f'      - {method}: "/notes/{{user}}-{{iteration}}"\n        name: {name}\n        checks: status={status}\n      - think: 50ms..150ms\n'
                   for method, status, name in steps)
    with answering(answer) as url:
        yield Bed(url, peak(9) + f"-c {dice.randint(12, 24)} {engine(dice)}", plan=f"scenarios:\n  - name: note\n    steps:\n{plan}", probe=lambda: [
            (name, said(url, "/notes/one", method.upper(), b"text" if method in ("put", "patch") else None)[0], int(status), int(status))
            for method, status, name in steps])


@clean("questions in GraphQL: a list most often, one item, and an order now and then, all at the same address")
def questions_in_graphql(dice: Random) -> Iterator[Bed]:
    async def answer(asked: Asked) -> bool:
        question = json.loads(asked.body)["query"]
        await (some(18, 44) if question.startswith("mutation") else some(14, 34) if "items" in question else some(6, 16))
        body = json.dumps({"data": {"name": "x" * (3000 if "items" in question else 300)}}).encode()
        asked.writer.write(f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
        return True

    def scenario(name: str, weight: int, question: str) -> str:
        return (f"  - name: {name}\n    weight: {weight}\n    steps:\n      - post: /graphql\n        name: {name}\n        json: {{query: '{question}'}}\n"
                "        checks: status=200 not:body~errors\n      - think: 100ms..300ms\n")

    with answering(answer) as url:
        yield Bed(url, peak(9) + f"-c {dice.randint(16, 28)} {engine(dice)}",
                  plan="scenarios:\n" + scenario("list", 6, "query { items { id name } }") + scenario("one", 3, "query { item(id: 7) { name } }")
                  + scenario("order", 1, "mutation { order(item: 7) { id } }"),
                  probe=lambda: [("data", said(url, "/graphql", "POST", b'{"query": "query { item }"}')[1].count(b'"data"'), 1, 1)])


@clean("a list whose pages get longer, from 1 to 10 kB and from 8 to 40 ms, and which each user reads from its beginning")
def pages_get_longer(dice: Random) -> Iterator[Bed]:
    async def answer(asked: Asked) -> bool:
        number = int(asked.path.split("=")[1])
        await some(5 + 3 * number, 11 + 3 * number)
        return await asked.say(b"x" * 1000 * number)

    with answering(answer) as url:
        pages = "".join(f"      - get: /items?page={number}\n        name: page {number}\n      - think: 60ms..160ms\n" for number in range(1, 11))
        yield Bed(url, peak(10) + f"-c {dice.randint(14, 24)} {engine(dice)}", plan=f"scenarios:\n  - name: read\n    steps:\n{pages}", truth=Truth(
            lambda all: [("200", all.status(200), 1, 1), ("first", all.of("/items?page=1").median, 8, 35), ("last", all.of("/items?page=10").median, 35, 70)],
            paths=("/items?page=1", "/items?page=10"), seconds=3))


@clean("items by the ids of a test's file, in its order, and each with its own size")
def ids_of_a_file(dice: Random) -> Iterator[Bed]:
    sizes = {number: dice.randint(300, 9000) for number in range(1000, 1200)}

    async def answer(asked: Asked) -> bool:
        size = sizes.get(int(asked.path.split("/")[2]))
        await some(7, 22)
        return await asked.say(b"x" * (size or 9), 200 if size else 404)

    with answering(answer) as url, rows("id", [str(number) for number in sizes]) as file:
        yield Bed(url, peak(9) + f"-c 60 --rate '{dice.randint(60, 110)} journeys/s' {dice.choice(('', '--arrivals poisson '))}{engine(dice)}", plan=f"""
data:
  items: {{csv: {file}}}
scenarios:
  - name: look
    steps:
      - get: "/items/{{items.id}}"
        name: GET /items/ID
        checks: status=200
""", probe=lambda: [("first", said(url, "/items/1000")[0], 200, 200), ("last", said(url, "/items/1199")[0], 200, 200)])


@clean("three of four visitors read, one searches, and one in thirty orders")
def weighted_visitors(dice: Random) -> Iterator[Bed]:
    with dice.choice((server.go, server.node, server.java))(
            rule(method="POST", ms=(30, 70), status=201), rule(path="/search", ms=(22, 50), bytes=3000), rule(ms=(6, 20), bytes=2000)) as url:
        yield Bed(url, peak(10, 2) + f"-c 60 --rate '{dice.randint(40, 70)} journeys/s' {engine(dice)}", plan="""
scenarios:
  - name: read
    weight: 45
    steps: [{get: /items}, {think: 100ms..300ms}, {get: /items/7}]
  - name: search
    weight: 13
    steps: [{get: /search?q=shoes}, {think: 100ms..300ms}, {get: /items/7}]
  - name: order
    weight: 2
    steps: [{get: /items/7}, {post: /orders, json: {item: 7}, checks: status=201}]
""", truth=Truth(lambda all: [("200", all.status(200), 1, 1)], paths=("/items", "/search?q=shoes"), seconds=2))


@clean("users who do something each half second, however long an answer takes (--pacing)")
def even_steps_of_users(dice: Random) -> Iterator[Bed]:
    with dice.choice((server.go, server.node, server.java))(rule(method="POST", ms=(14, 36)), rule(ms=(6, 20), bytes=1200)) as url:
        yield Bed(url, peak(10, 2) + f"-c {dice.randint(24, 40)} --pacing 400ms..600ms {engine(dice)}{ITEMS_AND_ORDERS}")


@clean("a day in short: a low rate, one that rises, a high one, one that falls, and a server with room for all of them")
def a_day_in_short(dice: Random) -> Iterator[Bed]:
    high = dice.randint(80, 120)
    with dice.choice((server.go, server.node))(rule(method="POST", ms=(14, 36)), rule(ms=(6, 20), bytes=1200)) as url:
        yield Bed(url, f"--phases 'night=1 for 2s at 10/s, morning=1 for 4s at 10/s..{high}/s, peak=1 for 8s at {high}/s, evening=1 for 4s at {high}/s..10/s' "
                  f"-c 60 {engine(dice)}{ITEMS_AND_ORDERS}")


@clean("a job is ordered, and its state looked at four times until it is done, each a moment later")
def state_of_a_job(dice: Random) -> Iterator[Bed]:
    seen: collections.Counter[str] = collections.Counter()

    async def answer(asked: Asked) -> bool:
        if asked.method == "POST":
            await some(12, 30)
            return await asked.say(b"accepted", 202)
        await some(5, 16)
        seen[asked.path] += 1
        done = seen[asked.path] > 3
        return await asked.say(json.dumps({"state": "done" if done else "at work", "result": "x" * (2000 if done else 0)}).encode())

    with answering(answer) as url:
        looks = "".join(f'      - get: "/jobs/{{user}}-{{iteration}}"\n        name: GET /jobs/NAME\n        checks: \'json:/state="{state}"\'\n'
                        "      - think: 120ms..260ms\n"
                        for state in ("at work", "at work", "at work", "done"))
        yield Bed(url, peak(10) + f"-c {dice.randint(16, 28)} {engine(dice)}", plan=f"""
scenarios:
  - name: job
    steps:
      - post: /jobs
        json: {{name: "{{user}}-{{iteration}}"}}
        checks: status=202
      - think: 120ms..260ms
{looks}""", probe=lambda: [(str(number), said(url, "/jobs/one")[1].count(b"done"), number == 3, number == 3) for number in range(4)])


@clean("a browser's two questions at an API of another site: whether it may (OPTIONS, 204), then what it wants, and HEAD for a picture")
def whether_it_may(dice: Random) -> Iterator[Bed]:
    with dice.choice((server.go, server.node))(
            rule(method="OPTIONS", ms=(1, 5), status=204), rule(method="PUT", ms=(14, 36)), rule(ms=(5, 15), bytes=1500)) as url:
        yield Bed(url, peak(9, 2) + f"{modest(dice, (60, 110))}--options /items/7 --put /items/7 --body changed --head /pictures/7 --expect status=200",
                  probe=lambda: [("may", said(url, "/items/7", "OPTIONS")[0], 204, 204), ("head", said(url, "/pictures/7", "HEAD")[0], 200, 200)])


# Healthy messages and streams.


@clean("pairs by WebSocket through nginx, which leaves them their connections")
def websocket_by_nginx(dice: Random) -> Iterator[Bed]:
    with rooms() as behind, faults.nginx(
            "", "location / { proxy_http_version 1.1; proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection upgrade; "
            f"proxy_pass {behind[:-1]}; }}") as url:
        yield Bed(f"ws{url[4:]}rooms/{{pair}}", peak(9, 2) + f"-c {dice.randint(14, 26)} --rate '{dice.randint(50, 100)} messages/s' "
                  f"--message-size {dice.randint(80, 900)} {dice.choice(('', '--arrivals poisson '))}", probe=lambda: [("heard", heard(url, 12), 1, 1)])


@clean("messages by MQTT, of 60 to 900 bytes, before whose broker HAProxy ends TLS")
def tls_before_a_broker(dice: Random) -> Iterator[Bed]:
    with tempfile.TemporaryDirectory() as folder, mosquitto() as behind:
        key, cert = server.certificate(folder)
        Path(folder, "both.pem").write_text(Path(cert).read_text() + Path(key).read_text())
        with server.haproxy(f"listen all\n  mode tcp\n  bind LISTEN ssl crt {folder}/both.pem\n  server one 127.0.0.1:{behind}") as there:
            yield Bed(f"mqtts://127.0.0.1:{server.port(there)}/rooms/{{pair}}", peak(9, 2) + f"-k -c {dice.randint(12, 22)} --qos {dice.randint(0, 1)} "
                      f"--rate '{dice.randint(40, 90)} messages/s' --message-size {dice.randint(64, 900)}", probe=lambda: [
                          ("passed on", relayed(behind), 1, 1),
                          ("TLS", took([], "sh", "-c", f"echo | openssl s_client -connect 127.0.0.1:{server.port(there)}"), 0, 5000)])


@clean("streams of events through nginx, which passes each on at once: 8 to 14 events, 60 to 140 ms apart")
def events_by_nginx(dice: Random) -> Iterator[Bed]:
    async def answer(asked: Asked) -> bool:
        begin_stream(asked)
        for number in range(random.randint(8, 14)):
            await some(60, 140)
            await send_event(asked, json.dumps({"price": number}))
        return end_stream(asked)

    with answering(answer) as behind, faults.nginx(
            f"upstream one {{ server {behind[7:-1]}; keepalive 64; }}",
            'location / { proxy_http_version 1.1; proxy_set_header Connection ""; proxy_buffering off; proxy_pass http://one; }') as url:
        yield Bed(url, peak(11) + f"-c {dice.randint(14, 28)} --think 80ms..300ms {engine(dice)}--get /prices --event-stream events",
                  probe=lambda: [("events", said(url, "/prices")[1].count(b"data:"), 8, 14)])


@clean("a model thinks first and then writes, as Anthropic streams it: 4 to 8 pieces of thought and 10 to 24 words")
def thoughts_and_words(dice: Random) -> Iterator[Bed]:
    async def send(asked: Asked, kind: str, **values: object) -> None:
        event = f"event: {kind}\ndata: {json.dumps({'type': kind, **values})}\n\n".encode()
        asked.writer.write(f"{len(event):x}\r\n".encode() + event + b"\r\n")
        await asked.writer.drain()

    async def answer(asked: Asked) -> bool:
        begin_stream(asked)
        await send(asked, "message_start")
        await some(120, 240)
        for number in range(random.randint(4, 8)):
            await some(15, 35)
            await send(asked, "content_block_delta", index=0, delta={"type": "thinking_delta", "thinking": f"thought{number} "})
        for number in range(random.randint(10, 24)):
            await some(15, 35)
            await send(asked, "content_block_delta", index=1, delta={"type": "text_delta", "text": f"word{number} "})
        await send(asked, "message_stop")
        return end_stream(asked)

    with answering(answer) as url:
        yield Bed(url, peak(10) + f"-c {dice.randint(12, 22)} --think 150ms..500ms {engine(dice)}--post /v1/messages --body question --event-stream anthropic",
                  probe=lambda: [("words", said(url, "/v1/messages", "POST", b"x")[1].count(b"word"), 10, 24)])
