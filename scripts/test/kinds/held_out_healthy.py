"""
The healthy half of the sixteenth held-out set. Don't read on if you change rules.

No rule was tuned on it. All kinds are healthy: an expert who sees their figures would say that nothing is wrong.
"""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import http.client
import json
import math
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import asking
import behaviours as server
import faults
from asking import Truth
from behaviours import option, rule
from kinds import Bed, clean, engine, peak, pick
from kinds.held_out_eighth import begin_stream, end_stream, send_event
from kinds.held_out_eleventh import Database, mosquitto, postgres, relayed
from kinds.held_out_fourth import inline, sent
from kinds.held_out_ninth import ITEMS_AND_ORDERS
from kinds.held_out_second import Asked, answering, some
from kinds.held_out_seventh import rows, said
from kinds.held_out_sixth import reply
from kinds.held_out_tenth import Store, redis
from kinds.held_out_third import of_haproxy
from kinds.held_out_thirteenth import open_model
from kinds.held_out_twelfth import modest, ms_of, switched

EC = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1"


async def say_with(asked: Asked, fields: str, body: bytes = b"ok", status: int = 200) -> bool:
    """Each field ends with a line's end."""
    asked.writer.write(f"HTTP/1.1 {status} Status\r\n{fields}Content-Length: {len(body)}\r\n\r\n".encode() + body)
    await asked.writer.drain()
    return True


# Times.


@clean("an order goes through four steps one after another, each of which takes an exponential time of 3 to 6 ms")
def four_steps_of_an_order(dice: Random) -> Iterator[Bed]:
    mean = pick(dice, 3, 6)

    async def answer(asked: Asked) -> bool:
        for _ in range(4):
            await asyncio.sleep(random.expovariate(1000 / mean))
        return await asked.say(b"x" * 700)

    with answering(answer) as url:
        yield Bed(url, peak(9, 2) + f"{modest(dice, (60, 110))}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 3 * mean, 6 * mean), ("slow", all.slower(16 * mean), 0, 0.02)]))


@clean("articles from a cache in 4 to 12 ms, and one in twenty isn't there: 45 to 80 ms, and each answer says which (X-Cache)")
def one_in_twenty_is_made(dice: Random) -> Iterator[Bed]:
    async def answer(asked: Asked) -> bool:
        missing = random.random() < 0.05
        await (some(45, 80) if missing else some(4, 12))
        return await say_with(asked, f"X-Cache: {'MISS' if missing else 'HIT'}\r\n", b"x" * 3000)

    with answering(answer) as url:
        yield Bed(url, peak(9, 2) + f"--keep-header X-Cache {open_model(dice, 50, dice.randint(60, 110))}--get / --get /articles/7 --get /articles/8",
                  truth=Truth(lambda all: [("failed", all.failed, 0, 0), ("made", all.slower(44), 0.015, 0.12), ("median", all.median, 4, 25)]))


@clean("four or five officials, who sign some thirty papers in all: a paper takes 90 to 160 ms, its signature 0.6 to 0.9 s, and they read in between")
def signatures_of_papers(dice: Random) -> Iterator[Bed]:
    with dice.choice((server.go, server.node))(rule(path="/signatures", ms=(600, 900), status=201), rule(ms=(90, 160), bytes=12_000)) as url:
        yield Bed(url, peak(12, 3) + f"-c {dice.randint(4, 5)} {engine(dice)}", plan="""
scenarios:
  - name: sign
    steps:
      - get: "/papers/{random:1..900}"
        name: GET paper
      - think: 800ms..1600ms
      - post: /signatures
        json: {paper: "{uuid}"}
        checks: status=201
      - think: 600ms..1400ms
""", truth=Truth(lambda all: [("papers", all.of("/papers/7").median, 90, 190), ("signatures", all.of("/signatures").median, 600, 930),
                              ("failed", all.failed, 0, 0)], paths=("/papers/7", "/signatures"), users=4))


@clean("films are rendered for 1 to 3 s, of three sorts, Poisson arrivals, and nobody waits for another one")
def rendered_films(dice: Random) -> Iterator[Bed]:
    with dice.choice((server.go, server.java))(
            rule(path="/previews", ms=(1000, 1400), status=200), rule(path="/clips", ms=(1500, 2100), status=200), rule(ms=(2200, 3000))) as url:
        yield Bed(url, peak(12, 3) + f"-c 60 --rate {dice.randint(5, 8)}/s --arrivals poisson {engine(dice)}--get /previews/7 --get /clips/7 --get /films/7",
                  truth=Truth(lambda all: [("shortest", min(one.ms for one in all.all), 1000, 1500), ("longest", all.slowest, 1500, 3150),
                                           ("failed", all.failed, 0, 0)], paths=("/previews/7", "/clips/7", "/films/7"), users=9, seconds=5))


@clean("60 to 90 readers who look at a page for 4 to 6 s, over TLS, and who come one after another within three seconds")
def readers_of_long_pages(dice: Random) -> Iterator[Bed]:
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        for name in ("one", "two", "three"):
            Path(folder, name).write_bytes(dice.randbytes(dice.randint(8, 30) * 1000))
        with faults.nginx("", f"root {folder}; keepalive_timeout 60s;", tls=EC) as url:
            yield Bed(url, peak(12, 4) + f"-k -c {dice.randint(60, 90)} --think 4s..6s --ramp 3s {engine(dice)}--get /one --get /two --get /three", truth=Truth(
                lambda all: [("200", all.status(200), 1, 1), ("slow", all.slower(80), 0, 0.02)], paths=("/one", "/two", "/three"), seconds=2))


@clean("eight desks that are busy for 40 to 52 % of the time, Poisson arrivals, each request takes 30 ms")
def eight_desks(dice: Random) -> Iterator[Bed]:
    with server.go(rule(pool=8, ms=30)) as url:
        yield Bed(url, peak(9, 2) + f"-c 60 --rate {round(8 / 0.03 * pick(dice, 0.4, 0.52))}/s --arrivals poisson {engine(dice)}{ITEMS_AND_ORDERS}",
                  truth=Truth(lambda all: [("median", all.median, 30, 45), ("longest", all.slowest, 30, 120), ("failed", all.failed, 0, 0)], users=6, think=0.04))


@clean("one writer beside many readers: writes take 5 to 8 ms one at a time, which is a fifth of what it can do, reads 6 to 18 ms")
def writer_beside_readers(dice: Random) -> Iterator[Bed]:
    writing = asyncio.Lock()

    async def answer(asked: Asked) -> bool:
        if asked.method == "POST":
            async with writing:
                await some(5, 8)
            return await asked.say(b"stored", 201)
        await some(6, 18)
        return await asked.say(b"x" * 900)

    with answering(answer) as url:
        yield Bed(url, peak(9, 2) + f"{open_model(dice, 50, dice.randint(80, 105))}--get /items --get /prices --post /orders --body order", truth=Truth(
            lambda all: [("median", all.median, 5, 30), ("slow", all.slower(60), 0, 0.02), ("failed", all.failed, 0, 0)],
            method="POST", body=5, users=3, think=0.09))


@clean("five operations with lognormal times around 5, 9, 14, 22 and 35 ms")
def five_lognormal_operations(dice: Random) -> Iterator[Bed]:
    sigma = pick(dice, 0.55, 0.8)
    medians = {"/prices": 5, "/items": 9, "/baskets": 14, "/reviews": 22, "/search": 35}

    async def answer(asked: Asked) -> bool:
        median = medians.get(asked.path, 9)
        await asyncio.sleep(min(15 * median, random.lognormvariate(math.log(median), sigma)) / 1000)
        return await asked.say(b"x" * 800)

    with answering(answer) as url:
        yield Bed(url, peak(10, 2) + modest(dice, (50, 90)) + "".join(f"--get {path} " for path in medians), truth=Truth(
            lambda all: [("prices", all.of("/prices").median, 3, 14), ("search", all.of("/search").median, 24, 55), ("failed", all.failed, 0, 0)],
            paths=("/prices", "/search")))


@clean("thirty operations, from 2 to 250 ms, each of which is asked for twenty or thirty times in all")
def thirty_operations(dice: Random) -> Iterator[Bed]:
    async def answer(asked: Asked) -> bool:
        number = int(asked.path.split("/")[2])
        await some(1.7 * 1.18**number, 2.3 * 1.18**number)
        return await asked.say(b"x" * (400 + 300 * number))

    paths = [f"/operations/{number}" for number in range(30)]
    dice.shuffle(paths)
    with answering(answer) as url:
        yield Bed(url, peak(10, 2) + f"{open_model(dice, 60, dice.randint(65, 95))}{' '.join(f'--get {path}' for path in paths)}", truth=Truth(
            lambda all: [("first", all.of("/operations/2").median, 2, 15), ("last", all.of("/operations/29").median, 200, 330), ("failed", all.failed, 0, 0)],
            paths=("/operations/2", "/operations/29")))


# Runtimes.

JAVA_SERVICE = """
import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;

class Service {
    static final ArrayDeque<List<String>> LAST = new ArrayDeque<>();

    /** The arguments are threads, 0 for as many as there are requests; ms from and to; texts of a request; requests whose texts are kept. */
    public static void main(String[] arguments) throws Exception {
        int threads = Integer.parseInt(arguments[0]);
        int low = Integer.parseInt(arguments[1]);
        int high = Integer.parseInt(arguments[2]);
        int texts = Integer.parseInt(arguments[3]);
        int kept = Integer.parseInt(arguments[4]);
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 1024);
        server.setExecutor(threads == 0 ? Executors.newCachedThreadPool() : Executors.newFixedThreadPool(threads));
        server.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            ThreadLocalRandom dice = ThreadLocalRandom.current();
            List<String> list = new ArrayList<>();
            for (int number = 0; number < texts; number++) {
                list.add("{\\"id\\": " + number + ", \\"name\\": \\"" + Integer.toHexString(dice.nextInt()) + "\\", \\"price\\": " + dice.nextInt(100) + "}");
            }
            synchronized (LAST) {
                LAST.add(list);
                if (LAST.size() > kept) {
                    LAST.poll();
                }
            }
            byte[] body = String.join(", ", list.subList(0, Math.min(40, list.size()))).getBytes();
            try {
                Thread.sleep(dice.nextInt(low, high));
            } catch (InterruptedException end) {
                return;
            }
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        System.out.println("http://127.0.0.1:" + server.getAddress().getPort() + "/");
    }
}
"""


def java_service(folder: str, *arguments: int, options: tuple[str, ...] = ("-Xmx128m",)) -> contextlib.AbstractContextManager[str]:
    source = Path(folder, "Service.java")
    source.write_text(JAVA_SERVICE)
    return faults.java(*options, "-Dsun.net.httpserver.nodelay=true", "-Dsun.net.httpserver.maxIdleConnections=1000", str(source), *map(str, arguments))


@clean("a Java server that makes 800 to 1,400 texts for each request and keeps those of the last 300, with G1 and its short collections")
def texts_and_g1(dice: Random) -> Iterator[Bed]:
    with tempfile.TemporaryDirectory() as folder, java_service(
            folder, 0, 8, 24, dice.randint(800, 1400), 300, options=("-Xmx160m", "-XX:+UseG1GC", "-XX:MaxGCPauseMillis=10")) as url:
        yield Bed(url, peak(9, 4) + f"{modest(dice, (60, 100))}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 8, 40)], think=0.05))


@clean("a Java server that has just started, and makes a list of 40 items for each request, at an even rate and without a warmup")
def lists_of_a_cold_java(dice: Random) -> Iterator[Bed]:
    with tempfile.TemporaryDirectory() as folder, java_service(folder, 0, 6, 20, 40, 10) as url:
        yield Bed(url, f"--phases peak=1:for:10s -c 40 --rate {dice.randint(50, 90)}/s {engine(dice)}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 6, 35)], think=0.05))


@clean("a Java server with twelve threads, of which four or five are busy, Poisson arrivals")
def twelve_threads(dice: Random) -> Iterator[Bed]:
    with tempfile.TemporaryDirectory() as folder, java_service(folder, 12, 20, 44, 20, 10) as url:
        yield Bed(url, peak(9, 4) + f"-c 60 --rate {dice.randint(125, 160)}/s --arrivals poisson {engine(dice)}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 20, 55)], users=6))


GARBAGE = """
package main

import (
	"fmt"
	"io"
	"math/rand"
	"net"
	"net/http"
	"os"
	"strconv"
	"sync"
	"time"
)

func main() {
	each, _ := strconv.Atoi(os.Args[1])
	kept := map[int]*[]byte{}
	for number := range 120000 {
		one := make([]byte, 200)
		kept[number] = &one
	}
	var lock sync.Mutex
	last := make([][]byte, 40)
	place := 0
	http.HandleFunc("/", func(w http.ResponseWriter, q *http.Request) {
		io.Copy(io.Discard, q.Body)
		lock.Lock()
		place = (place + 1) % len(last)
		last[place] = make([]byte, each)
		found := len(*kept[place])
		lock.Unlock()
		time.Sleep(time.Duration(7000+rand.Intn(17000)) * time.Microsecond)
		fmt.Fprintf(w, "%d of %d", found, len(kept))
	})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Printf("http://%s/\\n", listener.Addr())
	go http.Serve(listener, nil)
	io.Copy(io.Discard, os.Stdin)
}
"""


@clean("a Go server with a cache of 30 MB in its heap, which its collector looks at some times a second beside the requests")
def garbage_of_go(dice: Random) -> Iterator[Bed]:
    program = shutil.which("go", path=os.environ["PATH"] + ":/usr/local/go/bin")
    if program is None:
        raise faults.Impossible("no go")
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "garbage.go").write_text(GARBAGE)
        done = subprocess.run([program, "build", "-o", f"{folder}/garbage", f"{folder}/garbage.go"], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise faults.Impossible(f"go build: {done.stderr.strip()}")
        with server._started([f"{folder}/garbage", str(dice.randint(300, 500) * 1000)], []) as url:  # noqa: SLF001
            yield Bed(url, peak(9, 2) + f"{modest(dice, (60, 100))}{ITEMS_AND_ORDERS}", truth=Truth(
                lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 7, 35)], think=0.03))


THUMBNAILS = """
const {Worker, isMainThread, parentPort} = require('node:worker_threads');
if (isMainThread) {
    process.stdin.on('end', () => process.exit(0)).resume();
    let last = 0;
    const waiting = new Map();
    const workers = [0, 1].map(() => new Worker(process.argv[1], {eval: false}));
    workers.forEach(worker => worker.on('message', number => { waiting.get(number)(); waiting.delete(number); }));
    const server = require('node:http').createServer((request, response) => request.resume().on('end', () => {
        const end = size => response.writeHead(200, {'Content-Length': size}).end(Buffer.alloc(size, 'x'));
        if (!request.url.startsWith('/thumbnails')) {
            setTimeout(() => end(1200), 6 + 14 * Math.random());
            return;
        }
        const number = ++last;
        waiting.set(number, () => end(4000));
        workers[number % 2].postMessage(number);
    }));
    server.listen({port: 0, host: '127.0.0.1', backlog: 1024}, () => console.log(`http://127.0.0.1:${server.address().port}/`));
} else {
    parentPort.on('message', number => {
        for (const until = performance.now() + 7 + 5 * Math.random(); performance.now() < until;) {
            // Busy.
        }
        parentPort.postMessage(number);
    });
}
"""


@clean("a Node server whose two worker threads make thumbnails, 7 to 12 ms each and ten a second, beside pages")
def thumbnails_by_workers(dice: Random) -> Iterator[Bed]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "thumbnails.js")
        file.write_text(THUMBNAILS)
        with inline("node", str(file)) as url:
            yield Bed(url, peak(9, 2) + f"{open_model(dice, 40, dice.randint(32, 44))}--get /items --get /thumbnails/7 --get /prices --get /reviews", truth=Truth(
                lambda all: [("pages", all.of("/items").median, 6, 30), ("thumbnails", all.of("/thumbnails/7").median, 7, 25), ("failed", all.failed, 0, 0)],
                paths=("/items", "/thumbnails/7"), users=2, think=0.08))


FORKED = """
import http.server, os, random, signal, sys, threading, time

class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = 65536

    def answer(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        time.sleep(random.uniform(0.014, 0.036) if self.command == "POST" else random.uniform(0.006, 0.02))
        self.send_response(200)
        self.send_header("Content-Length", "900")
        self.end_headers()
        self.wfile.write(b"x" * 900)

    do_GET = do_POST = answer

    def log_message(self, *_):
        pass

class Server(http.server.ThreadingHTTPServer):
    request_queue_size = 1024

    def get_request(self):
        # Another process may have been faster.
        connection, address = self.socket.accept()
        connection.setblocking(True)
        return connection, address

server = Server(("127.0.0.1", 0), Handler)
server.socket.setblocking(False)
first = os.fork() and os.fork()
threading.Thread(target=server.serve_forever, daemon=True).start()
if first:
    print(f"http://127.0.0.1:{server.server_port}/", flush=True)
sys.stdin.read()
"""


@clean("three processes of Python that take connections from one socket, with a thread for each connection")
def forked_python(dice: Random) -> Iterator[Bed]:
    with inline("python3", "-c", FORKED) as url:
        yield Bed(url, peak(9, 2) + f"{modest(dice, (50, 90))}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 6, 35)], think=0.03))


# Databases and stores.


@clean("a Postgres that cleans up each second what updates leave behind (autovacuum), of a table with 2,000 counters")
def counters_and_autovacuum(dice: Random) -> Iterator[Bed]:
    with postgres("create table counters (id int primary key, n int)", "insert into counters select n, 0 from generate_series(1, 2000) n",
                  autovacuum="on", autovacuum_naptime="1s", autovacuum_vacuum_threshold="50", autovacuum_vacuum_scale_factor="0.0") as port:
        database = Database(port, 12)

        async def answer(asked: Asked) -> bool:
            number = random.randint(1, 2000)
            failed = await database.ask(f"update counters set n = n + 1 where id = {number}" if asked.method == "POST"
                                        else f"select n from counters where id = {number}")
            await some(5, 15)
            return await asked.say(failed.encode() or b"7", 500 if failed else 200)

        with answering(answer) as url:
            yield Bed(url, peak(9, 2) + f"{modest(dice, (60, 100))}--get /counters --post /counters --body more", truth=Truth(
                lambda all: [("200", all.status(200), 1, 1), ("median", all.median, 5, 35)], method="POST", body=4, users=3, think=0.03))


@clean("lists of Postgres by their page's number (offset): the last ones of 20,000 entries take some ms more than the first ones")
def pages_by_offset(dice: Random) -> Iterator[Bed]:
    with postgres("create table items (id int primary key, name text)", "insert into items select n, md5(n::text) from generate_series(1, 20000) n",
                  "analyze items") as port:
        database = Database(port, 12)

        async def answer(asked: Asked) -> bool:
            page = int(asked.path.split("=")[1])
            failed = await database.ask(f"select * from items order by id limit 20 offset {20 * page}")
            await some(5, 14)
            return await asked.say(failed.encode() or b"x" * 900, 500 if failed else 200)

        with answering(answer) as url:
            yield Bed(url, peak(9, 2) + f"-c {dice.randint(8, 14)} {engine(dice)}", plan="".join([
                "\nscenarios:\n  - name: leaf\n    steps:\n",
                *(f"      - get: /items?page={page}\n      - think: 80ms..220ms\n" for page in (0, 1, 2, 40, 400, 990))]), truth=Truth(
                lambda all: [("200", all.status(200), 1, 1), ("slow", all.slower(80), 0, 0.02)],
                paths=("/items?page=0", "/items?page=990"), users=3, think=0.05, seconds=3))


@clean("24 entries in Redis, each of which expires after 3 to 6 s and is then made anew for 18 to 34 ms")
def entries_expire_in_redis(dice: Random) -> Iterator[Bed]:
    with redis("--save", "") as (port, _):
        store = Store(port)

        async def answer(asked: Asked) -> bool:
            await some(4, 13)
            if (await store.ask("GET", asked.path)).startswith("$-"):
                await some(18, 34)
                await store.ask("SET", asked.path, "x" * 600, "PX", str(random.randint(3000, 6000)))
            return await asked.say(b"x" * 600)

        with answering(answer) as url:
            yield Bed(url, peak(10, 4) + f"-c {dice.randint(10, 16)} {engine(dice)}", plan="""
scenarios:
  - name: look
    steps:
      - get: "/entries/{random:1..24}"
        name: GET entry
      - think: 70ms..190ms
""", truth=Truth(lambda all: [("200", all.status(200), 1, 1), ("first", all.all[0].ms, 20, 120), ("median", all.median, 4, 25)],
                 paths=("/entries/1", "/entries/2"), users=2, seconds=2))
