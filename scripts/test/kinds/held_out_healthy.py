"""
More healthy kinds beside the sixteenth held-out set. Don't read on if you change rules.

No rule was tuned on it. All kinds are healthy: an expert who sees their figures would say that nothing is wrong.
"""

from __future__ import annotations

import asyncio
import collections
import contextlib
import gzip
import json
import math
import os
import random
import shutil
import subprocess
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
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
from kinds.held_out_sixth import message_ms, reply
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
                  truth=Truth(lambda all: [("median", all.median, 30, 45), ("longest", all.slowest, 30, 120), ("failed", all.failed, 0, 0)],
                              users=6, think=0.04))


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
            yield Bed(url, peak(9, 2) + f"{open_model(dice, 40, dice.randint(32, 44))}--get /items --get /thumbnails/7 --get /prices --get /reviews",
                      truth=Truth(lambda all: [("pages", all.of("/items").median, 6, 30), ("thumbnails", all.of("/thumbnails/7").median, 7, 25),
                                               ("failed", all.failed, 0, 0)], paths=("/items", "/thumbnails/7"), users=2, think=0.08))


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


# Behind proxies.


@clean("nginx ends each connection after 700 to 1,000 responses, and says so, for four users who hardly pause")
def connections_end_after_a_thousand(dice: Random) -> Iterator[Bed]:
    most = dice.randint(700, 1000)
    with faults.nginx("", f"keepalive_requests {most}; location / {{ return 200 'all is well'; }}") as url:
        yield Bed(url, peak(9, 2) + f"-c 4 --think 5ms..9ms {engine(dice)}--get /state --get /items", truth=Truth(
            lambda all: [("failed", all.failed, 0, 0), ("responses of a connection", max(one.nth for one in all.all), most, most)],
            users=1, think=0, seconds=5))


@clean("old paths of a service, which answers 308 and leads to the new ones, as a test follows, for orders as well")
def paths_have_moved(dice: Random) -> Iterator[Bed]:
    async def answer(asked: Asked) -> bool:
        if asked.path.startswith("/v1/"):
            await some(2, 7)
            return await say_with(asked, f"Location: /v2/{asked.path[4:]}\r\n", b"moved", 308)
        if asked.method == "POST":
            await some(16, 38)
            return await asked.say(b"made", 201 if asked.body else 400)
        await some(8, 22)
        return await asked.say(b"x" * 1500)

    with answering(answer) as url:
        yield Bed(url, peak(9, 2) + f"-c {dice.randint(12, 20)} {engine(dice)}", plan="""
scenarios:
  - name: order
    session: {redirects: 3}
    steps:
      - get: /v1/items
        checks: status=200
      - think: 60ms..180ms
      - post: /v1/orders
        json: {item: 7}
        checks: status=201
      - think: 60ms..180ms
""", probe=lambda: [(path, said(url, path, "POST", b"x")[0], status, status) for path, status in (("/v1/orders", 308), ("/v2/orders", 201))])


@clean("lists and styles that nginx has compressed beforehand, of which a test decodes what it checks")
def compressed_beforehand(dice: Random) -> Iterator[Bed]:
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        for name, number in (("list.json", dice.randint(200, 500)), ("style.css", 300), ("index.html", 80)):
            content = json.dumps([{"id": one, "name": f"name {one * 7919 % 1009}"} for one in range(number)]).encode()
            Path(folder, name).write_bytes(content)
            Path(folder, f"{name}.gz").write_bytes(gzip.compress(content))

        def is_encoded() -> bool:
            return b"content-encoding: gzip" in reply(url, b"GET /list.json HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n").lower()

        with faults.nginx("", f"root {folder}; gzip_static on;") as url:
            yield Bed(url, peak(8, 2) + f"--decode -c {dice.randint(10, 18)} --think 80ms..200ms {engine(dice)}--get / --get /list.json --get /style.css "
                      "--expect 'status=200 json:/0/name~name'",
                      probe=lambda: [("encoded", is_encoded(), 1, 1), ("plain", said(url, "/list.json")[0], 200, 200)])


@clean("nginx copies each request to a new version, whose answers nobody gets (mirror)")
def copied_to_a_new_version(dice: Random) -> Iterator[Bed]:
    with server.go(rule(method="POST", ms=(16, 38)), rule(ms=(8, 24), bytes=1500)) as old, server.node(option(idle=60_000), rule(ms=(2, 6))) as new, \
            faults.nginx(f"upstream old {{ server {old[7:-1]}; keepalive 64; }} upstream new {{ server {new[7:-1]}; keepalive 64; }}",
                         'proxy_http_version 1.1; proxy_set_header Connection ""; location / { mirror /copy; proxy_pass http://old; } '
                         "location = /copy { internal; proxy_pass http://new$request_uri; }") as url:
        yield Bed(url, peak(9, 2) + f"{modest(dice, (60, 100))}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 8, 45)], seconds=3))


@clean("files of 2 to 30 kB by lighttpd, over HTTP/2 without TLS")
def h2_by_lighttpd(dice: Random) -> Iterator[Bed]:
    program = shutil.which("lighttpd", path=os.environ["PATH"] + ":/usr/sbin")
    if program is None:
        raise faults.Impossible("no lighttpd")
    port = faults.free_port()
    with tempfile.TemporaryDirectory() as folder:
        for name in ("one", "two", "three", "four"):
            Path(folder, name).write_bytes(dice.randbytes(dice.randint(2, 30) * 1000))
        file = Path(folder, "lighttpd.conf")
        file.write_text(f'server.document-root = "{folder}"\nserver.bind = "127.0.0.1"\nserver.port = {port}\nserver.errorlog = "{folder}/error.log"\n'
                        "server.max-keep-alive-requests = 100000\nserver.max-keep-alive-idle = 30\n")
        with subprocess.Popen([program, "-D", "-f", file], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            try:
                faults.wait_for(port)
                yield Bed(f"http://127.0.0.1:{port}/", peak(8, 2) + f"--engine events --http2 --streams {dice.choice((2, 4))} -c {dice.choice((12, 16, 20))} "
                          "--think 60ms..180ms --get /one --get /two --get /three --get /four", truth=Truth(
                    lambda all: [("200", all.status(200), 1, 1), ("slow", all.slower(60), 0, 0.02)], paths=("/one", "/four"), seconds=2))
            finally:
                process.kill()


@clean("HAProxy before two Java servers, of which one has just started")
def one_has_just_started(dice: Random) -> Iterator[Bed]:
    rules = (rule(method="POST", ms=(16, 38)), rule(ms=(8, 24), bytes=1500))
    with server.java(*rules) as old:
        asking.ask(old, asking.HEALTHY)
        with server.java(*rules) as new, of_haproxy(old, new) as url:
            yield Bed(url, peak(9, 2) + f"{modest(dice, (60, 100))}{ITEMS_AND_ORDERS}", truth=Truth(
                lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 8, 40)], seconds=3))


# Journeys.


@clean("people who choose a name: it is free (404), is made (201), and is taken then (409), as a test expects")
def names_are_taken(dice: Random) -> Iterator[Bed]:
    taken: set[str] = set()

    async def answer(asked: Asked) -> bool:
        name = asked.path.split("/")[2]
        if asked.method == "GET":
            await some(5, 16)
            return await asked.say(b"{}", 200 if name in taken else 404)
        await some(14, 34)
        status = 409 if name in taken else 201
        taken.add(name)
        return await asked.say(b"{}", status)

    with answering(answer) as url:
        yield Bed(url, peak(9, 2) + f"-c {dice.randint(12, 22)} {engine(dice)}", plan="""
scenarios:
  - name: choose
    steps:
      - get: "/names/{user}-{iteration}"
        name: is it free
        checks: status=404
      - think: 50ms..150ms
      - put: "/names/{user}-{iteration}"
        name: make it
        checks: status=201
      - think: 50ms..150ms
      - put: "/names/{user}-{iteration}"
        name: make it again
        checks: status=409
      - think: 50ms..150ms
""", probe=lambda: [(str(place), said(url, "/names/one", method, b"x")[0], status, status)
                    for place, (method, status) in enumerate((("GET", 404), ("PUT", 201), ("PUT", 409), ("GET", 200)))])


FEED = """
process.stdin.on('end', () => process.exit(0)).resume();
const server = require('node:http').createServer((request, response) => request.resume().on('end', () => setTimeout(() => {
    const tag = `"news ${Math.floor(Date.now() / 2000)}"`;
    const fields = {ETag: tag, 'Cache-Control': 'no-cache'};
    if (request.headers['if-none-match'] === tag) {
        response.writeHead(304, fields).end();
        return;
    }
    const body = JSON.stringify({tag, entries: Array.from({length: 60}, (_, id) => ({id, title: `title of ${id}`}))});
    response.writeHead(200, {...fields, 'Content-Type': 'application/json', 'Content-Length': body.length}).end(body);
}, 4 + 10 * Math.random())));
server.listen({port: 0, host: '127.0.0.1', backlog: 1024}, () => console.log(`http://127.0.0.1:${server.address().port}/`));
"""


@clean("a feed that readers look at two or three times a second, and that has something new every two seconds: 304 else")
def feed_is_looked_at(dice: Random) -> Iterator[Bed]:
    with inline("node", "-e", FEED) as url:
        yield Bed(url, peak(10, 2) + f"-c {dice.randint(14, 24)} {engine(dice)}", plan="""
scenarios:
  - name: read
    session: {cache: true}
    steps:
      - repeat: 10
        steps:
          - get: /feed
            checks: json:/entries/3/id=3
          - think: 300ms..500ms
""", truth=Truth(lambda all: [("200", all.status(200), 1, 1), ("median", all.median, 4, 25)], paths=("/feed",), seconds=2))


@clean("GraphQL by the hashes of queries, of which one in ten isn't known yet, is refused in an answer and sent in full then, as a test expects")
def queries_by_their_hash(dice: Random) -> Iterator[Bed]:
    known: set[str] = set()

    async def answer(asked: Asked) -> bool:
        if asked.method == "POST":
            await some(14, 30)
            known.add(json.loads(asked.body)["hash"])
            return await asked.say(b'{"data": {"items": [1, 2, 3]}}')
        number = asked.path.split("=")[1]
        if number.startswith("new") and number not in known:
            await some(2, 6)
            return await asked.say(b'{"errors": [{"message": "PersistedQueryNotFound"}]}')
        await some(8, 22)
        return await asked.say(b'{"data": {"items": [1, 2, 3]}}')

    with answering(answer) as url:
        yield Bed(url, peak(9, 2) + f"-c {dice.randint(14, 22)} {engine(dice)}", plan="""
scenarios:
  - name: known
    weight: 9
    steps:
      - get: "/graphql?hash={random:1..30}"
        name: known query
        checks: json:/data/items/0=1
      - think: 60ms..180ms
  - name: unknown
    weight: 1
    steps:
      - get: "/graphql?hash=new-{user}-{iteration}"
        name: unknown query
        checks: json:/errors/0/message=PersistedQueryNotFound
      - post: /graphql
        json: {query: "{{ items }", hash: "new-{user}-{iteration}"}
        checks: json:/data/items/0=1
      - think: 60ms..180ms
""", probe=lambda: [("known", b"data" in said(url, "/graphql?hash=7")[1], 1, 1), ("new", b"NotFound" in said(url, "/graphql?hash=new-1")[1], 1, 1),
                    ("in full", b"data" in said(url, "/graphql", "POST", b'{"hash": "new-1"}')[1], 1, 1),
                    ("then", b"data" in said(url, "/graphql?hash=new-1")[1], 1, 1)])


@clean("sessions with cookies over HTTP/2 and TLS, of a Node server: a log-in, three pages and a log-out")
def cookies_over_h2(dice: Random) -> Iterator[Bed]:
    with tempfile.TemporaryDirectory() as folder:
        key, cert = server.certificate(folder)
        with server.node(option(key=key, cert=cert), rule(path="/login", ms=(30, 60), header="Set-Cookie:sid=4711", status=204),
                         rule(path="/logout", ms=(5, 12), header="Set-Cookie:sid=0", status=204), rule(ms=(8, 24), bytes=3000)) as url:
            yield Bed(url, peak(9, 2) + f"-k --engine events --http2 --streams {dice.choice((1, 2, 4))} -c {dice.choice((12, 16, 20))}", plan="""
scenarios:
  - name: visit
    session: {cookies: true}
    steps:
      - post: /login
        form: {name: ann, password: secret}
        checks: status=204 cookie:sid
      - think: 80ms..220ms
      - repeat: 3
        steps:
          - get: "/pages/{random:1..40}"
            name: GET page
          - think: 80ms..220ms
      - post: /logout
        checks: status=204
      - think: 100ms..300ms
""", truth=Truth(lambda all: [("204", all.of("/login").status(204), 1, 1), ("200", all.of("/pages/7").status(200), 1, 1)],
                 paths=("/login", "/pages/7"), seconds=2))


@clean("300 products of a file, at random: each has a time of its own, and those with many variants, one in seventeen, take 40 to 70 ms")
def products_of_a_file(dice: Random) -> Iterator[Bed]:
    async def answer(asked: Asked) -> bool:
        number = int(asked.path.split("/")[2])
        long = number % 17 == 0
        low = 40 + number % 26 if long else 6 + number % 12
        await some(low, low + 4)
        return await asked.say(b"x" * (16_000 if long else 1800))

    with rows("id", [str(number) for number in range(1000, 1300)]) as file, answering(answer) as url:
        yield Bed(url, peak(9, 2) + f"-c {dice.randint(12, 20)} {engine(dice)}", plan=f"""
data:
  products: {{csv: "{file}", order: random}}
scenarios:
  - name: look
    steps:
      - get: "/products/{{products.id}}"
        name: GET product
      - think: 70ms..200ms
""", probe=lambda: [("few variants", ms_of(url, "/products/1001"), 6, 40), ("many", ms_of(url, "/products/1003"), 40, 100)])


@clean("three of four visits look, one in five searches, one in twenty exports for 0.7 to 1.1 s, at a rate of visits")
def rare_exports(dice: Random) -> Iterator[Bed]:
    with dice.choice((server.go, server.node))(
            rule(path="/exports", ms=(700, 1100), bytes=60_000, status=200), rule(path="/search", ms=(30, 60), bytes=4000, status=200),
            rule(ms=(6, 20), bytes=1200)) as url:
        yield Bed(url, peak(10, 2) + f"-c 60 --rate '{dice.randint(16, 24)} journeys/s' --arrivals poisson {engine(dice)}", plan="""
scenarios:
  - name: look
    weight: 75
    steps:
      - get: /items
      - think: 80ms..200ms
      - get: "/items/{random:1..500}"
        name: GET item
  - name: search
    weight: 20
    steps:
      - get: "/search?words={random:1..500}"
        name: search
      - think: 80ms..200ms
      - get: "/items/{random:1..500}"
        name: GET item
  - name: export
    weight: 5
    steps:
      - get: /exports
""", truth=Truth(lambda all: [("items", all.of("/items").median, 6, 35), ("exports", all.of("/exports").median, 700, 1150), ("failed", all.failed, 0, 0)],
                 paths=("/items", "/exports"), users=6))


@clean("lists whose pages double: 10, 20, 40, 80 and 160 entries, each with the size of the next one in it")
def pages_that_double(dice: Random) -> Iterator[Bed]:
    async def answer(asked: Asked) -> bool:
        size = int(asked.path.split("=")[1])
        await some(4 + 0.14 * size, 8 + 0.2 * size)
        return await asked.say(json.dumps({"next": 2 * size, "items": [{"id": number, "name": "blue shoes, size 42"} for number in range(size)]}).encode())

    with answering(answer) as url:
        yield Bed(url, peak(9, 2) + f"-c {dice.randint(10, 16)} {engine(dice)}", plan="""
scenarios:
  - name: leaf
    steps:
      - get: /items?size=10
        name: GET items
        extract: {next: "json:/next"}
      - think: 80ms..200ms
      - repeat: 4
        steps:
          - get: "/items?size={next}"
            name: GET items
            extract: {next: "json:/next"}
          - think: 80ms..200ms
""", probe=lambda: [("first", ms_of(url, "/items?size=10"), 5, 30), ("last", ms_of(url, "/items?size=160"), 25, 80)])


@clean("three photos of 30 to 110 kB in one form, over HTTP/2 and TLS, and a look at the album")
def three_photos_in_a_form(dice: Random) -> Iterator[Bed]:
    with tempfile.TemporaryDirectory() as folder, server.go(option(tls=1), rule(method="POST", ms=(24, 50), status=201), rule(ms=(8, 22), bytes=5000)) as url:
        for name in ("one", "two", "three"):
            Path(folder, f"{name}.jpg").write_bytes(dice.randbytes(dice.randint(30, 110) * 1000))
        parts = ", ".join(f'{{name: {name}, file: "{folder}/{name}.jpg", type: image/jpeg}}' for name in ("one", "two", "three"))
        yield Bed(url, peak(10, 3) + f"-k --engine events --http2 --streams {dice.choice((1, 2))} -c {dice.choice((8, 10, 12))}", plan=f"""
scenarios:
  - name: album
    steps:
      - post: /photos
        multipart: [{{name: title, text: "a day at the sea"}}, {parts}]
        checks: status=201
      - think: 300ms..800ms
      - get: /album
      - think: 300ms..800ms
""", truth=Truth(lambda all: [("201", all.status(201), 1, 1), ("slow", all.slower(250), 0, 0.02)], method="POST", body=200_000, users=3, think=0.1, seconds=3))


@clean("a device waits until its user has allowed it: 400 says twice that it is pending, as a test expects, then there is a token")
def authorization_is_pending(dice: Random) -> Iterator[Bed]:
    asked_for: collections.Counter[str] = collections.Counter()

    async def answer(asked: Asked) -> bool:
        if asked.path == "/devices":
            await some(12, 30)
            return await asked.say(b'{"interval": 1}')
        await some(5, 16)
        asked_for[asked.path] += 1
        done = asked_for[asked.path] > 2
        return await asked.say(b'{"token": "of the device"}' if done else b'{"error": "authorization_pending"}', 200 if done else 400)

    with answering(answer) as url:
        yield Bed(url, peak(9, 2) + f"-c {dice.randint(14, 24)} {engine(dice)}", plan="""
scenarios:
  - name: device
    steps:
      - post: /devices
        form: {client: tv}
      - think: 150ms..300ms
      - repeat: 2
        steps:
          - post: "/tokens/{user}-{iteration}"
            name: pending
            checks: status=400 json:/error=authorization_pending
          - think: 150ms..300ms
      - post: "/tokens/{user}-{iteration}"
        name: allowed
        checks: status=200 json:/token
      - think: 150ms..300ms
""", probe=lambda: [(str(place), said(url, "/tokens/one", "POST", b"x")[0], status, status) for place, status in enumerate((400, 400, 200))])


@clean("calendars: PROPFIND and REPORT with bodies of XML, which are answered with 207")
def calendars(dice: Random) -> Iterator[Bed]:
    async def answer(asked: Asked) -> bool:
        if asked.method == "PUT":
            await some(16, 36)
            return await asked.say(b"", 204)
        await (some(18, 44) if asked.method == "REPORT" else some(6, 20))
        entries = "<response><href>/calendars/7/1.ics</href><status>HTTP/1.1 200 OK</status></response>" * (30 if asked.method == "REPORT" else 4)
        return await say_with(asked, "Content-Type: application/xml\r\n", f"<multistatus xmlns='DAV:'>{entries}</multistatus>".encode(), 207)

    with answering(answer) as url:
        yield Bed(url, peak(9, 2) + f"-c {dice.randint(12, 20)} {engine(dice)}", plan="""
scenarios:
  - name: synchronize
    steps:
      - method: PROPFIND
        path: /calendars/7/
        headers: {Depth: "1", Content-Type: application/xml}
        body: "<propfind xmlns='DAV:'><prop><getetag/></prop></propfind>"
        checks: status=207
      - think: 70ms..190ms
      - method: REPORT
        path: /calendars/7/
        headers: {Content-Type: application/xml}
        body: "<calendar-query xmlns='urn:ietf:params:xml:ns:caldav'/>"
        checks: status=207 body~multistatus
      - think: 70ms..190ms
      - put: /calendars/7/1.ics
        body: "BEGIN:VCALENDAR"
        checks: status=204
      - think: 70ms..190ms
""", probe=lambda: [(method, said(url, "/calendars/7/", method, b"<a/>")[0], status, status)
                    for method, status in (("PROPFIND", 207), ("REPORT", 207), ("PUT", 204))])


@clean("log-ins that always take 300 ms, whether a password is right or not, so that nobody learns from it: 401 for one in three, as a test expects")
def wrong_passwords_take_as_long(dice: Random) -> Iterator[Bed]:
    async def answer(asked: Asked) -> bool:
        if asked.method == "POST":
            await asyncio.sleep(0.3)
            return await asked.say(b"{}", 200 if b"right" in asked.body else 401)
        await some(8, 22)
        return await asked.say(b"x" * 2000)

    with answering(answer) as url:
        yield Bed(url, peak(9, 2) + f"-c {dice.randint(14, 24)} {engine(dice)}", plan="""
scenarios:
  - name: right
    weight: 2
    steps:
      - post: /login
        name: right password
        form: {name: ann, password: right}
        checks: status=200
      - think: 80ms..220ms
      - get: /home
      - think: 80ms..220ms
  - name: wrong
    weight: 1
    steps:
      - post: /login
        name: wrong password
        form: {name: ann, password: guessed}
        checks: status=401
      - think: 150ms..400ms
""", probe=lambda: [("right", said(url, "/login", "POST", b"right")[0], 200, 200), ("wrong", said(url, "/login", "POST", b"guessed")[0], 401, 401),
                    ("ms", sent(url, 1, "/login", "POST")[0][1], 300, 340)])


@clean("an old version of a service, which says with each answer that it ends in some years, and how many requests are left: thousands")
def fields_that_say_much(dice: Random) -> Iterator[Bed]:
    fields = ("Deprecation:true", "X-RateLimit-Limit:100000", "X-RateLimit-Remaining:48711", "Warning:299-old-version", "X-Retry-Count:0")
    with dice.choice((server.go, server.node))(
            *(rule(header=field) for field in fields), rule(method="POST", ms=(14, 36)), rule(ms=(6, 20), bytes=1200)) as url:
        yield Bed(url, peak(8, 2) + f"--keep-header X-RateLimit-Remaining {modest(dice, (60, 110))}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 6, 50)], seconds=2))


@clean("a site of help about errors, whose pages have words such as 503 Service Unavailable in them, and lists with \"error\": null")
def help_about_errors(dice: Random) -> Iterator[Bed]:
    texts = {"/help/503": b"<h1>503 Service Unavailable</h1><p>Internal Server Error, timeout, connection reset by peer: how to find the reason</p>" * 9,
             "/help/429": b"<h1>Too Many Requests</h1><p>Rate limit exceeded. Please retry later</p>" * 14}

    async def answer(asked: Asked) -> bool:
        await some(7, 22)
        return await asked.say(texts.get(asked.path, b'{"error": null, "errors": [], "status": "ok", "failed": 0}'))

    with answering(answer) as url:
        yield Bed(url, peak(8, 2) + f"{modest(dice, (60, 100))}--get /help/503 --get /help/429 --get /jobs", truth=Truth(
            lambda all: [("200", all.status(200), 1, 1), ("median", all.median, 7, 35)], paths=("/help/503", "/jobs"), seconds=2))


FIGURES = """
process.stdin.on('end', () => process.exit(0)).resume();
const {monitorEventLoopDelay} = require('node:perf_hooks');
const delays = monitorEventLoopDelay({resolution: 10});
delays.enable();
const server = require('node:http').createServer((request, response) => request.resume().on('end', () => {
    if (request.url !== '/metrics') {
        const ms = request.method === 'POST' ? 14 + 22 * Math.random() : 6 + 14 * Math.random();
        setTimeout(() => response.writeHead(200, {'Content-Length': 600}).end('x'.repeat(600)), ms);
        return;
    }
    const {user, system} = process.cpuUsage();
    const {rss, heapUsed} = process.memoryUsage();
    response.writeHead(200, {'Content-Type': 'text/plain; version=0.0.4'}).end(`# TYPE process_cpu_seconds_total counter
process_cpu_seconds_total ${(user + system) / 1e6}
# TYPE process_resident_memory_bytes gauge
process_resident_memory_bytes ${rss}
# TYPE nodejs_heap_size_used_bytes gauge
nodejs_heap_size_used_bytes ${heapUsed}
# TYPE nodejs_eventloop_lag_p99_seconds gauge
nodejs_eventloop_lag_p99_seconds ${delays.percentile(99) / 1e9}
# TYPE process_open_fds gauge
process_open_fds ${require('node:fs').readdirSync('/proc/self/fd').length}
`);
}));
server.listen({port: 0, host: '127.0.0.1', backlog: 1024}, () => console.log(`http://127.0.0.1:${server.address().port}/`));
"""


@clean("a Node server whose figures a test reads: CPU time, memory, heap, open files and the delays of its event loop")
def figures_of_node(dice: Random) -> Iterator[Bed]:
    with inline("node", "-e", FIGURES) as url:
        yield Bed(url, peak(10, 2) + f"--server-metrics /metrics {modest(dice, (60, 100))}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("failed", all.failed, 0, 0), ("median", all.of("/items").median, 6, 30)], paths=("/items", "/metrics"), seconds=2))


# Streams and messages.


@clean("streams in which a result comes after 0.5 to 0.9 s, in three parts, and before it each 0.1 s where the work has got to")
def results_after_progress(dice: Random) -> Iterator[Bed]:
    async def send(asked: Asked, kind: str, data: str) -> None:
        event = f"event: {kind}\ndata: {data}\n\n".encode()
        asked.writer.write(f"{len(event):x}\r\n".encode() + event + b"\r\n")
        await asked.writer.drain()

    async def answer(asked: Asked) -> bool:
        begin_stream(asked)
        for number in range(random.randint(5, 8)):
            await some(95, 105)
            await send(asked, "progress", str(number))
        for number in range(3):
            await some(15, 40)
            await send(asked, "result", f"part {number}")
        return end_stream(asked)

    with answering(answer) as url:
        yield Bed(url, peak(10, 2) + f"-c {dice.randint(14, 26)} --think 100ms..350ms {engine(dice)}--get /work --event-stream 'events event=result'",
                  probe=lambda: [("results", said(url, "/work")[1].count(b"event: result"), 3, 3),
                                 ("progress", said(url, "/work")[1].count(b"progress"), 5, 8)])


@clean("news with the time at which they were sent: six to nine events, 60 to 180 ms apart, which a test measures, and lists of them")
def news_with_their_time(dice: Random) -> Iterator[Bed]:
    async def answer(asked: Asked) -> bool:
        if asked.path != "/news":
            await some(8, 22)
            return await asked.say(b"x" * 1500)
        begin_stream(asked)
        for _ in range(random.randint(6, 9)):
            await some(60, 180)
            await send_event(asked, json.dumps({"at": time.time_ns() // 1000, "title": "rain in the evening"}))
        return end_stream(asked)

    with answering(answer) as url:
        yield Bed(url, peak(10, 2) + f"-c {dice.randint(14, 26)} --think 80ms..300ms {engine(dice)}--get /lists --get /news "
                  "--event-stream 'events sentAt=/at:us'", truth=Truth(
                      lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 600, 1300)], paths=("/news",), users=6))


@clean("readers wait for the next message of a room, which all of them get at once, and a few writers send one now and then")
def next_message_of_a_room(dice: Random) -> Iterator[Bed]:
    waiting: list[asyncio.Future[None]] = []

    async def answer(asked: Asked) -> bool:
        if asked.method == "POST":
            await some(6, 18)
            for one in waiting:
                if not one.done():
                    one.set_result(None)
            waiting.clear()
            return await asked.say(b"sent", 201)
        news = asyncio.get_running_loop().create_future()
        waiting.append(news)
        found, _ = await asyncio.wait([news], timeout=2)
        await some(1, 4)
        return await asked.say(b"x" * 400 if found else b"", 200 if found else 204)

    with answering(answer) as url:
        yield Bed(url, peak(10, 2) + f"-c {10 * dice.choice((2, 3))} {engine(dice)}", plan="""
scenarios:
  - name: read
    weight: 9
    steps:
      - get: /messages/next
        checks: status=200,204
      - think: 10ms..40ms
  - name: write
    weight: 1
    steps:
      - post: /messages
        body: "hello"
        checks: status=201
      - think: 300ms..800ms
""", probe=lambda: [("nothing new", said(url, "/messages/next")[0], 204, 204), ("sent", said(url, "/messages", "POST", b"a")[0], 201, 201)])


@contextlib.contextmanager
def with_heartbeats(period: float, work: Callable[[], Awaitable[None]]) -> Iterator[str]:
    """The address of a server for WebSocket that sends a beat now and then, ends a connection whose last three weren't answered, and sends messages back."""

    def message(first: int, data: bytes) -> bytes:
        return bytes([first]) + (bytes([len(data)]) if len(data) < 126 else b"\x7e" + len(data).to_bytes(2, "big")) + data

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        missing = 0

        async def beat() -> None:
            nonlocal missing
            while missing < 3:
                await asyncio.sleep(period)
                missing += 1
                writer.write(message(0x81, b"beat"))
            writer.close()

        async def back(first: int, data: bytes) -> None:
            await work()
            if not writer.is_closing():
                writer.write(message(first, data))

        beating, works = None, set()
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            writer.write(switched(next(line.split(":", 1)[1].strip() for line in head if line.lower().startswith("sec-websocket-key:"))))
            beating = asyncio.create_task(beat())
            while True:
                first, second = await reader.readexactly(2)
                length = second & 127
                if length == 126:
                    length = int.from_bytes(await reader.readexactly(2), "big")
                mask = await reader.readexactly(4)
                data = bytes(byte ^ mask[place % 4] for place, byte in enumerate(await reader.readexactly(length)))
                if first & 15 == 8:
                    writer.write(bytes([0x88, len(data)]) + data)
                    break
                if first & 15 == 9:
                    writer.write(bytes([0x8A, len(data)]) + data)
                elif data == b"alive":
                    missing = 0
                else:
                    works.add(one := asyncio.create_task(back(first, data)))
                    one.add_done_callback(works.discard)
        if beating:
            beating.cancel()
        writer.close()

    with faults._listening(serve) as port:  # noqa: SLF001
        yield f"http://127.0.0.1:{port}/"


@clean("talks by WebSocket with a server that sends a beat each 0.2 to 0.35 s, which a test answers while its users talk and think")
def beats_are_answered(dice: Random) -> Iterator[Bed]:
    period = pick(dice, 0.2, 0.35)
    with with_heartbeats(period, lambda: some(5, 16)) as url:
        yield Bed(url, peak(10, 2) + f"-c {dice.randint(12, 20)} {engine(dice)}", plan="""
scenarios:
  - name: talk
    steps:
      - connect: "/rooms/{user}"
        answers: [{to: "beat", with: "alive"}]
      - repeat: 6
        steps:
          - send: {json: {say: "{user}-{iteration}"}}
            name: say
          - expect: {json: {/say: "{user}-{iteration}"}, within: 2s}
            name: said
          - think: 150ms..450ms
      - close: 1000
      - think: 100ms..300ms
""", probe=lambda: [("comes back", message_ms(url, 3), 5, 80)])


@clean("messages by MQTT over WebSocket, between pairs, with a broker that speaks it itself")
def mqtt_over_websocket(dice: Random) -> Iterator[Bed]:
    port = faults.free_port()
    with mosquitto(f"listener {port} 127.0.0.1\nprotocol websockets") as plain:
        # It may take some ms longer than the other port.
        faults.wait_for(port)
        yield Bed(f"ws://127.0.0.1:{port}/mqtt", peak(8, 2) + f"--topic rooms/{{pair}} -c {dice.randint(12, 24)} --qos {dice.randint(0, 1)} "
                  f"--rate '{dice.randint(40, 90)} messages/s' --message-size {dice.randint(60, 900)} {dice.choice(('', '--arrivals poisson '))}",
                  probe=lambda: [("passed on", relayed(plain), 1, 1)])


@clean("figures of machines by MQTT, more and more of them: from 10 to 70 or 100 messages a second, each of 1 to 6 kB")
def more_and_more_figures(dice: Random) -> Iterator[Bed]:
    with mosquitto() as port:
        yield Bed(f"mqtt://127.0.0.1:{port}/machines/{{pair}}", f"--phases 'warmup=1 for 2s at 10/s,peak=1 for 10s at 10/s..{dice.choice((70, 85, 100))}/s' "
                  f"-c {dice.randint(12, 24)} --qos {dice.randint(0, 1)} --message-size {dice.randint(1000, 6000)}",
                  probe=lambda: [("passed on", relayed(port, length=2000), 1, 1)])
