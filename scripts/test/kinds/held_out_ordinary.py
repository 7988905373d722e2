"""
Ordinary healthy kinds, beside the seventeenth held-out set. Don't read on if you change rules.

No rule was tuned on it. All kinds are healthy: an expert who sees their figures would say that nothing is wrong.
"""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import json
import os
import random
import shutil
import socket
import subprocess
import tempfile
import threading
import time
import urllib.request
import uuid
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from random import Random

import behaviours as server
import faults
from asking import Truth
from behaviours import option, rule
from kinds import Bed, clean, engine, peak, pick
from kinds.held_out_eighth import begin_stream, end_stream, send_event
from kinds.held_out_eleventh import Database, apache, mosquitto, postgres, relayed
from kinds.held_out_fourth import inline
from kinds.held_out_healthy import FIGURES, java_service, say_with
from kinds.held_out_ninth import ITEMS_AND_ORDERS
from kinds.held_out_second import Asked, answering, some
from kinds.held_out_seventh import rows, said
from kinds.held_out_sixth import reply
from kinds.held_out_tenth import Store, redis
from kinds.held_out_thirteenth import open_model
from kinds.held_out_twelfth import modest, ms_of, switched


# Times.


@clean("machines answer 6 to 9 ms later, and a Weibull time more, of shape 1.2 to 1.6 around 12 to 18 ms")
def weibull_of_machines(dice: Random) -> Iterator[Bed]:
    fixed, scale, shape = pick(dice, 6, 9), pick(dice, 12, 18), pick(dice, 1.2, 1.6)

    async def answer(asked: Asked) -> bool:
        await asyncio.sleep((fixed + random.weibullvariate(scale, shape)) / 1000)
        return await asked.say(b"x" * 1100)

    with answering(answer) as url:
        yield Bed(url, peak(9, 2) + f"{open_model(dice, 40, dice.randint(50, 100))}--get /machines --get /machines/7 --get /orders", truth=Truth(
            lambda all: [("failed", all.failed, 0, 0), ("median", all.median, fixed + scale / 2, fixed + 1.6 * scale), ("slow", all.slower(120), 0, 0.01)]))


@clean("each customer has a database of its own, small or large: the same time for a customer each time, 5 to 60 ms")
def customers_of_different_sizes(dice: Random) -> Iterator[Bed]:
    sizes = {str(4000 + number): 5 * 1.16**number for number in range(18)}

    async def answer(asked: Asked) -> bool:
        ms = sizes[asked.path.split("/")[2]]
        await some(ms, ms + 2)
        return await asked.say(b"x" * int(200 * ms))

    with rows("id", dice.sample(list(sizes), len(sizes))) as file, answering(answer) as url:
        yield Bed(url, peak(9, 2) + f"-c {dice.randint(12, 18)} {engine(dice)}", plan=f"""
data:
  customers: {{csv: "{file}", each: user}}
scenarios:
  - name: work
    steps:
      - get: "/customers/{{customers.id}}/orders"
        name: GET orders
      - think: 60ms..180ms
      - get: "/customers/{{customers.id}}/bills"
        name: GET bills
      - think: 60ms..180ms
""", probe=lambda: [("small", ms_of(url, "/customers/4000/orders"), 5, 20), ("large", ms_of(url, "/customers/4017/orders"), 60, 95)])


@clean("each tenth order is copied to the auditors as well, which takes 10 to 16 ms more")
def each_tenth_is_audited(dice: Random) -> Iterator[Bed]:
    orders = 0

    async def answer(asked: Asked) -> bool:
        nonlocal orders
        if asked.method == "POST":
            orders += 1
            await some(14, 30)
            if orders % 10 == 0:
                await some(10, 16)
            return await asked.say(b"{}", 201)
        await some(7, 20)
        return await asked.say(b"x" * 1300)

    with answering(answer) as url:
        yield Bed(url, peak(9, 2) + f"{modest(dice, (50, 90))}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("201", all.status(201), 1, 1), ("median", all.median, 14, 45), ("slow", all.slower(80), 0, 0.02)],
            method="POST", body=5, users=3, think=0.05))


@clean("who wants to play waits for the next one who does, some tens of milliseconds, and both are answered then")
def two_players_meet(dice: Random) -> Iterator[Bed]:
    waiting: list[asyncio.Future[None]] = []

    async def answer(asked: Asked) -> bool:
        if asked.method != "POST":
            await some(5, 15)
            return await asked.say(b"x" * 700)
        while waiting:
            other = waiting.pop()
            if not other.done():
                other.set_result(None)
                break
        else:
            mine = asyncio.get_running_loop().create_future()
            waiting.append(mine)
            # A machine plays if nobody comes.
            await asyncio.wait([mine], timeout=0.7)
            if not mine.done():
                mine.cancel()
        await some(3, 8)
        return await asked.say(b'{"game": 7}', 201)

    with answering(answer) as url:
        yield Bed(url, peak(10, 2) + f"-c 60 --rate {dice.randint(60, 90)}/s --arrivals poisson {engine(dice)}--get /players --post /games --body play",
                  truth=Truth(lambda all: [("201", all.status(201), 1, 1), ("median", all.median, 3, 90), ("slow", all.slower(400), 0, 0.05)],
                              method="POST", body=4, users=8, think=0.05))


@clean("six counters for two sorts of customers: four of five take 12 ms, one takes 60 ms, and counters are busy for 35 to 45 % of the time")
def two_sorts_at_six_counters(dice: Random) -> Iterator[Bed]:
    counters = asyncio.Semaphore(6)

    async def answer(asked: Asked) -> bool:
        async with counters:
            await asyncio.sleep(0.06 if asked.path == "/loans" else 0.012)
        return await asked.say(b"x" * 600)

    # A request takes a counter for 21.6 ms on average.
    with answering(answer) as url:
        yield Bed(url, peak(10, 2) + f"-c 60 --rate {round(6 / 0.0216 * pick(dice, 0.35, 0.45))}/s --arrivals poisson {engine(dice)}"
                  "--get /stamps --get /letters --get /loans --get /parcels --get /accounts", truth=Truth(
                      lambda all: [("failed", all.failed, 0, 0), ("stamps", all.of("/stamps").median, 12, 30), ("loans", all.of("/loans").median, 60, 85)],
                      paths=("/stamps", "/letters", "/loans", "/parcels", "/accounts"), users=3, think=0.02))


# Servers.

FILES_BY_GO = """
package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
)

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Printf("http://%s/\\n", listener.Addr())
	go http.Serve(listener, http.FileServer(http.Dir(os.Args[1])))
	io.Copy(io.Discard, os.Stdin)
}
"""


@clean("pages and pictures of 2 to 50 kB by the file server of Go's own library")
def files_by_go(dice: Random) -> Iterator[Bed]:
    program = shutil.which("go", path=os.environ["PATH"] + ":/usr/local/go/bin")
    if program is None:
        raise faults.Impossible("no go")
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "files").mkdir()
        for name in ("style.css", "one.jpg", "two.jpg"):
            Path(folder, "files", name).write_bytes(dice.randbytes(dice.randint(2, 50) * 1000))
        Path(folder, "files.go").write_text(FILES_BY_GO)
        done = subprocess.run([program, "build", "-o", f"{folder}/server", f"{folder}/files.go"], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise faults.Impossible(f"go build: {done.stderr.strip()}")
        with server._started([f"{folder}/server", f"{folder}/files"], []) as url:  # noqa: SLF001
            yield Bed(url, peak(8, 2) + f"{open_model(dice, 40, dice.randint(60, 110))}--get /style.css --get /one.jpg --get /two.jpg --head /two.jpg", truth=Truth(
                lambda all: [("200", all.status(200), 1, 1), ("slow", all.slower(60), 0, 0.02)], paths=("/style.css", "/one.jpg", "/two.jpg"), seconds=2))


@clean("a Java server with some threads for its collector (ParallelGC), which makes 250 to 450 texts for each request and keeps those of the last 150")
def texts_and_parallel_gc(dice: Random) -> Iterator[Bed]:
    with tempfile.TemporaryDirectory() as folder, java_service(
            folder, 0, 8, 24, dice.randint(250, 450), 150, options=("-Xmx128m", "-Xmn32m", "-XX:+UseParallelGC", "-XX:ParallelGCThreads=2")) as url:
        yield Bed(url, peak(9, 4) + f"{modest(dice, (50, 90))}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 8, 40)], think=0.05))


HTTPS_BY_JAVA = """
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.FileInputStream;
import java.net.InetSocketAddress;
import java.security.KeyStore;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

class Secure {
    public static void main(String[] arguments) throws Exception {
        char[] password = "password".toCharArray();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        keys.load(new FileInputStream(arguments[0]), password);
        KeyManagerFactory factory = KeyManagerFactory.getInstance("SunX509");
        factory.init(keys, password);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(factory.getKeyManagers(), null, null);
        HttpsServer server = HttpsServer.create(new InetSocketAddress("127.0.0.1", 0), 1024);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            try {
                int low = exchange.getRequestMethod().equals("POST") ? 14 : 6;
                Thread.sleep(ThreadLocalRandom.current().nextInt(low, low + 16));
            } catch (InterruptedException end) {
                return;
            }
            byte[] body = "item, ".repeat(250).getBytes();
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        System.out.println("http://127.0.0.1:" + server.getAddress().getPort() + "/");
    }
}
"""


@clean("the JDK's own server, with TLS, warmed up for some seconds")
def https_by_the_jdk(dice: Random) -> Iterator[Bed]:
    with tempfile.TemporaryDirectory() as folder:
        key, cert = server.certificate(folder)
        subprocess.run(["openssl", "pkcs12", "-export", "-inkey", key, "-in", cert, "-out", f"{folder}/keys.p12", "-passout", "pass:password"],
                       check=True, capture_output=True)
        Path(folder, "Secure.java").write_text(HTTPS_BY_JAVA)
        with faults.java("-Xmx128m", "-Dsun.net.httpserver.nodelay=true", "-Dsun.net.httpserver.maxIdleConnections=1000",
                         f"{folder}/Secure.java", f"{folder}/keys.p12") as plain:
            yield Bed(plain.replace("http:", "https:"), peak(9, 4) + f"-k {modest(dice, (50, 80))}{ITEMS_AND_ORDERS}", truth=Truth(
                lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 6, 60)], users=3, think=0.05))


PIECES = """
process.stdin.on('end', () => process.exit(0)).resume();
const pause = (low, high) => new Promise(done => setTimeout(done, low + (high - low) * Math.random()));
const server = require('node:http2').createServer(async (request, response) => {
    request.on('error', () => {}).resume();
    response.on('error', () => {});
    await pause(8, 20);
    if (request.url !== '/answers') {
        response.writeHead(200, {'content-length': 800}).end('x'.repeat(800));
        return;
    }
    response.writeHead(200, {'content-type': 'application/json'});
    for (let left = 4 + Math.floor(4 * Math.random()); left > 0; left--) {
        response.write('{"part": "' + 'x'.repeat(500) + '"}\\n');
        await pause(20, 50);
    }
    response.end('{"part": "last"}\\n');
});
server.listen({port: 0, host: '127.0.0.1', backlog: 1024}, () => console.log(`http://127.0.0.1:${server.address().port}/`));
"""


@clean("answers that a Node server sends over HTTP/2 in five to eight pieces, 20 to 50 ms apart, and a short list")
def pieces_over_h2(dice: Random) -> Iterator[Bed]:
    with inline("node", "-e", PIECES) as url:
        yield Bed(url, peak(9, 2) + f"--engine events --http2 --streams {dice.choice((2, 3, 4))} -c {dice.choice((12, 18, 24))} --think 60ms..180ms "
                  "--get /answers --get /lists",
                  probe=lambda: [("list", server.streams_ms(f"{url}lists", 2), 8, 100), ("answers", server.streams_ms(f"{url}answers", 4), 80, 600)])


@clean("pictures are scaled in Go, which computes for 4 to 6 ms, ten or twelve a second, beside pages")
def pictures_are_scaled(dice: Random) -> Iterator[Bed]:
    with server.go(rule(path="/scaled", cpu=dice.randint(4, 6), bytes=14_000, status=200), rule(ms=(6, 18), bytes=1500)) as url:
        yield Bed(url, peak(9, 2) + f"{open_model(dice, 40, dice.randint(40, 48))}--get /items --get /prices --get /scaled/7 --get /reviews", truth=Truth(
            lambda all: [("pages", all.of("/items").median, 6, 30), ("scaled", all.of("/scaled/7").median, 4, 25), ("failed", all.failed, 0, 0)],
            paths=("/items", "/scaled/7"), users=2, think=0.08))


@clean("nginx sends the file that a service names after it has looked whether a reader may have it (X-Accel-Redirect)")
def service_names_the_file(dice: Random) -> Iterator[Bed]:
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        names = ("one", "two", "three")
        for name in names:
            Path(folder, name).write_bytes(dice.randbytes(dice.randint(6, 40) * 1000))
        rules = (rule(path=f"/books/{name}", header=f"X-Accel-Redirect:/kept/{name}", ms=(4, 14), status=200) for name in names)
        with server.go(*rules) as behind, faults.nginx(
                f"upstream service {{ server {behind[7:-1]}; keepalive 64; }}",
                'proxy_http_version 1.1; proxy_set_header Connection ""; location / { proxy_pass http://service; } '
                f"location /kept/ {{ internal; alias {folder}/; }}") as url:
            yield Bed(url, peak(9, 2) + f"{modest(dice, (50, 90))}{' '.join(f'--get /books/{name}' for name in names)}", truth=Truth(
                lambda all: [("200", all.status(200), 1, 1), ("whole", all.share(lambda one: one.size >= 6000), 1, 1), ("slow", all.slower(70), 0, 0.02)],
                paths=tuple(f"/books/{name}" for name in names), seconds=2))


@clean("two of three reviews are there as files, which nginx sends, and a service makes the third one, in 12 to 28 ms (try_files)")
def two_of_three_are_files(dice: Random) -> Iterator[Bed]:
    with tempfile.TemporaryDirectory() as folder, server.go(rule(ms=(12, 28), bytes=2500)) as behind:
        os.chmod(folder, 0o755)
        Path(folder, "reviews").mkdir()
        for number in range(1, 41):
            Path(folder, "reviews", str(number)).write_bytes(b"x" * dice.randint(1500, 4000))
        with faults.nginx(f"upstream service {{ server {behind[7:-1]}; keepalive 64; }}",
                          f'root {folder}; proxy_http_version 1.1; proxy_set_header Connection ""; '
                          "location / { try_files $uri @made; } location @made { proxy_pass http://service; }") as url:
            yield Bed(url, peak(9, 2) + f"-c {dice.randint(12, 20)} {engine(dice)}", plan="""
scenarios:
  - name: read
    steps:
      - get: "/reviews/{random:1..60}"
        name: GET review
        checks: status=200
      - think: 60ms..160ms
""", truth=Truth(lambda all: [("200", all.status(200), 1, 1), ("files", all.of("/reviews/7").median, 0, 11), ("made", all.of("/reviews/55").median, 12, 45)],
                 paths=("/reviews/7", "/reviews/55"), users=2, seconds=2))


@clean("a film of 1 to 2 MB that nginx fetches and keeps in slices of 128 KiB, of which readers ask for some at a time (206)")
def slices_of_a_film(dice: Random) -> Iterator[Bed]:
    behind = faults.free_port()
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as cache:
        os.chmod(folder, 0o755)
        os.chmod(cache, 0o777)
        length = dice.randint(1000, 2000) * 1000
        Path(folder, "film").write_bytes(dice.randbytes(length))

        def part() -> int:
            got = reply(url, b"GET /film HTTP/1.1\r\nHost: a\r\nRange: bytes=200000-260000\r\nConnection: close\r\n\r\n", 1)
            return got.startswith(b"HTTP/1.1 206") and len(got) > 60_000

        with faults.nginx(f"proxy_cache_path {cache} keys_zone=films:1m; server {{ listen 127.0.0.1:{behind}; root {folder}; }}",
                          "location / { slice 128k; proxy_cache films; proxy_cache_key $uri$slice_range; proxy_set_header Range $slice_range; "
                          f"proxy_http_version 1.1; proxy_cache_valid 200 206 1h; proxy_pass http://127.0.0.1:{behind}; }}") as url:
            steps = "".join(f"""
      - get: /film
        name: part {number}
        headers: {{Range: "bytes={60_000 * number}-{60_000 * number + 59_999}"}}
        checks: status=206 size=60000
      - think: 120ms..300ms""" for number in range(1, 5))
            yield Bed(url, peak(9, 2) + f"-c {dice.randint(10, 16)} {engine(dice)}", plan=f"""
scenarios:
  - name: look
    steps:{steps}
""", probe=lambda: [("part", part(), 1, 1), ("again", part(), 1, 1)])


@clean("Apache gives requests to two Go servers in turn (mod_proxy_balancer)")
def balancer_of_apache(dice: Random) -> Iterator[Bed]:
    rules = (rule(method="POST", ms=(16, 36), status=201), rule(ms=(8, 22), bytes=1600))
    with server.go(*rules) as one, server.go(*rules) as two, apache(
            f"MaxKeepAliveRequests 0\nKeepAliveTimeout 30\n<Proxy balancer://two>\nBalancerMember {one[:-1]}\nBalancerMember {two[:-1]}\n</Proxy>\n"
            "ProxyPass / balancer://two/\n", "proxy", "proxy_http", "slotmem_shm", "lbmethod_byrequests", "proxy_balancer") as url:
        yield Bed(url, peak(9, 2) + f"{modest(dice, (50, 90))}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 8, 45)], users=4, think=0.04, seconds=3))


@clean("HAProxy passes whole connections on, to the one of two Node servers with the fewest, which end TLS themselves")
def connections_are_passed_on(dice: Random) -> Iterator[Bed]:
    with tempfile.TemporaryDirectory() as folder:
        key, cert = server.certificate(folder)
        rules = (option(key=key, cert=cert, idle=60_000), rule(method="POST", ms=(14, 34)), rule(ms=(6, 20), bytes=2200))
        with server.node(*rules) as one, server.node(*rules) as two, server.haproxy(
                "listen all\n  bind LISTEN\n  mode tcp\n  balance leastconn"
                f"\n  server s0 127.0.0.1:{server.port(one)}\n  server s1 127.0.0.1:{server.port(two)}") as url:
            yield Bed(url.replace("http:", "https:"), peak(9, 2) + f"-k {modest(dice, (50, 90))}{ITEMS_AND_ORDERS}", truth=Truth(
                lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 6, 45)], users=4, think=0.04, seconds=3))


@clean("HAProxy gives pages to a Go server, the shop to a Node server and accounts to a Java server, by their paths")
def three_services_by_their_paths(dice: Random) -> Iterator[Bed]:
    with server.go(rule(ms=(5, 12), bytes=6000)) as pages, server.node(option(idle=60_000), rule(ms=(12, 26), bytes=1800)) as shop, \
            server.java(rule(ms=(24, 48), bytes=500)) as accounts, server.haproxy(
                "frontend all\n  bind LISTEN\n  use_backend shop if { path_beg /shop }\n  use_backend accounts if { path_beg /accounts }"
                "\n  default_backend pages"
                f"\nbackend pages\n  server s0 {pages[7:-1]}\nbackend shop\n  server s1 {shop[7:-1]}\nbackend accounts\n  server s2 {accounts[7:-1]}") as url:
        yield Bed(url, peak(9, 3) + f"{open_model(dice, 40, dice.randint(60, 100))}--get /index --get /shop/items --get /accounts/7", truth=Truth(
            lambda all: [("failed", all.failed, 0, 0), ("pages", all.of("/index").median, 5, 25), ("shop", all.of("/shop/items").median, 12, 40),
                         ("accounts", all.of("/accounts/7").median, 24, 65)], paths=("/index", "/shop/items", "/accounts/7"), users=3, think=0.04))


@clean("TLS from users to HAProxy, and TLS from it to a Go server")
def tls_on_both_sides(dice: Random) -> Iterator[Bed]:
    with tempfile.TemporaryDirectory() as folder, server.go(
            option(tls=1), rule(method="POST", ms=(16, 36), status=201), rule(ms=(8, 22), bytes=2500)) as behind:
        key, cert = server.certificate(folder)
        Path(folder, "both.pem").write_text(Path(cert).read_text() + Path(key).read_text())
        with server.haproxy(f"listen all\n  bind LISTEN ssl crt {folder}/both.pem alpn http/1.1\n  http-reuse always"
                            f"\n  server s0 127.0.0.1:{server.port(behind)} ssl verify none alpn http/1.1") as url:
            yield Bed(url.replace("http:", "https:"), peak(9, 2) + f"-k {modest(dice, (50, 90))}{ITEMS_AND_ORDERS}", truth=Truth(
                lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 8, 45)], users=4, think=0.04, seconds=3))


# Stores.


@clean("the ranks of 2,000 players in a sorted set of Redis: a game changes one of them, and players look where they are")
def ranks_of_players(dice: Random) -> Iterator[Bed]:
    with redis("--save", "") as (port, _):
        store = Store(port)

        async def answer(asked: Asked) -> bool:
            player = str(random.randint(1, 2000))
            if asked.method == "POST":
                found = await store.ask("ZINCRBY", "ranks", str(random.randint(1, 90)), player)
            else:
                found = await store.ask("ZREVRANK", "ranks", player)
            await some(5, 15)
            return await asked.say(found.encode(), 500 if found.startswith("-") else 200)

        with answering(answer) as url:
            yield Bed(url, peak(9, 2) + f"{modest(dice, (60, 110))}--get /ranks --post /games --body won", truth=Truth(
                lambda all: [("200", all.status(200), 1, 1), ("median", all.median, 5, 30)], method="POST", body=3, users=3, think=0.03))


@clean("an order and its three lines are stored in Postgres in one transaction, and orders are read with their lines (join)")
def booked_in_one_transaction(dice: Random) -> Iterator[Bed]:
    with postgres("create table orders (id uuid primary key, at timestamptz default now())",
                  "create table lines (of uuid references orders, number int, item int, primary key (of, number))") as port:
        database = Database(port, 12)
        last = str(uuid.uuid4())

        async def answer(asked: Asked) -> bool:
            nonlocal last
            if asked.method == "POST":
                one = str(uuid.uuid4())
                failed = await database.ask("begin", f"insert into orders values ('{one}')", *(
                    f"insert into lines values ('{one}', {number}, {random.randint(1, 900)})" for number in range(3)), "commit")
                last = last if failed else one
            else:
                failed = await database.ask(f"select * from orders join lines on of = id where id = '{last}'")
            await some(6, 16)
            return await asked.say(failed.encode() or b"x" * 500, 500 if failed else 201 if asked.method == "POST" else 200)

        with answering(answer) as url:
            yield Bed(url, peak(9, 2) + f"{modest(dice, (40, 70))}--get /orders/last --post /orders --body order", truth=Truth(
                lambda all: [("201", all.status(201), 1, 1), ("median", all.median, 6, 45)], method="POST", body=5, users=3, think=0.05))


@clean("the sums of a quarter, which Postgres adds up from 12,000 rows (window functions), four or five a second, beside single bookings")
def sums_of_a_quarter(dice: Random) -> Iterator[Bed]:
    with postgres("create table bookings (id int primary key, day int, amount int)",
                  "insert into bookings select n, n % 90, n * 7919 % 1000 from generate_series(1, 12000) n", "analyze bookings") as port:
        database = Database(port, 8)

        async def answer(asked: Asked) -> bool:
            failed = await database.ask("select day, sum(sum(amount)) over (order by day) from bookings group by day" if asked.path == "/sums"
                                        else f"select * from bookings where id = {random.randint(1, 12_000)}")
            await some(4, 12)
            return await asked.say(failed.encode() or b"x" * 900, 500 if failed else 200)

        with answering(answer) as url:
            yield Bed(url, peak(9, 2) + f"{open_model(dice, 40, dice.randint(40, 50))}{'--get /bookings/7 ' * 4}{'--get /bookings/8 ' * 5}--get /sums",
                      truth=Truth(lambda all: [("200", all.status(200), 1, 1), ("bookings", all.of("/bookings/7").median, 4, 30),
                                               ("sums", all.of("/sums").median, 5, 60)], paths=("/bookings/7", "/sums"), users=2, think=0.08))


# Journeys.


@clean("calls by JSON-RPC: one alone, three in one body, and one of a name that there isn't, which an answer says with 200, as a test expects")
def calls_by_json_rpc(dice: Random) -> Iterator[Bed]:
    def result(call: dict) -> dict:
        if call["method"] == "erase":
            return {"jsonrpc": "2.0", "id": call["id"], "error": {"code": -32601, "message": "Method not found"}}
        return {"jsonrpc": "2.0", "id": call["id"], "result": {"price": 7, "text": "x" * 300}}

    async def answer(asked: Asked) -> bool:
        asked_for = json.loads(asked.body)
        calls = asked_for if isinstance(asked_for, list) else [asked_for]
        await some(6 + 4 * len(calls), 12 + 6 * len(calls))
        results = [result(call) for call in calls]
        return await say_with(asked, "Content-Type: application/json\r\n", json.dumps(results if isinstance(asked_for, list) else results[0]).encode())

    def code() -> float:
        return json.loads(said(url, "/rpc", "POST", b'{"id": 1, "method": "erase"}')[1])["error"]["code"]

    with answering(answer) as url:
        yield Bed(url, peak(9, 2) + f"-c {dice.randint(12, 20)} {engine(dice)}", plan="""
scenarios:
  - name: calls
    steps:
      - post: /rpc
        name: one call
        json: {jsonrpc: "2.0", id: 1, method: price, params: [7]}
        checks: status=200 json:/result/price=7
      - think: 60ms..180ms
      - post: /rpc
        name: three calls
        headers: {Content-Type: application/json}
        body: '[{{"id": 1, "method": "price"}, {{"id": 2, "method": "price"}, {{"id": 3, "method": "price"}]'
        checks: status=200 json:/2/id=3
      - think: 60ms..180ms
      - post: /rpc
        name: no such call
        json: {jsonrpc: "2.0", id: 1, method: erase}
        checks: status=200 json:/error/code=-32601
      - think: 60ms..180ms
""", probe=lambda: [("code", code(), -32601, -32601), ("three", len(json.loads(said(url, "/rpc", "POST", b'[{"id": 1, "method": "price"}, '
                                                                                   b'{"id": 2, "method": "price"}]')[1])), 2, 2)])


@clean("a code is fetched for a token: 302 with a code in its Location, which isn't followed, then the token, then what it is for")
def code_for_a_token(dice: Random) -> Iterator[Bed]:
    codes: set[str] = set()
    tokens: set[str] = set()

    async def answer(asked: Asked) -> bool:
        if asked.path.startswith("/authorize"):
            await some(14, 34)
            codes.add(code := uuid.uuid4().hex)
            return await say_with(asked, f"Location: https://app.example/callback?code={code}\r\n", b"", 302)
        if asked.method == "POST":
            await some(20, 45)
            if (code := asked.body.decode().rpartition("%3D")[2]) not in codes:
                return await asked.say(b'{"error": "invalid_grant"}', 400)
            codes.discard(code)
            tokens.add(token := uuid.uuid4().hex)
            return await asked.say(json.dumps({"access_token": token}).encode())
        await some(6, 18)
        return await asked.say(b'{"name": "ann"}', 200 if asked.path.rpartition("=")[2] in tokens else 401)

    with answering(answer) as url:
        yield Bed(url, peak(9, 2) + f"-c {dice.randint(14, 22)} {engine(dice)}", plan="""
scenarios:
  - name: log-in
    steps:
      - get: "/authorize?client_id=app&response_type=code&state={user}"
        name: authorize
        checks: status=302
        extract: {callback: "header:Location"}
      - think: 60ms..180ms
      - post: /token
        form: {callback: "{callback}"}
        checks: status=200
        extract: {token: "json:/access_token"}
      - think: 60ms..180ms
      - repeat: 3
        steps:
          - get: "/me?token={token}"
            name: me
            checks: status=200 json:/name=ann
          - think: 60ms..180ms
""", probe=lambda: [("302", said(url, "/authorize?a=b")[0], 302, 302), ("wrong code", said(url, "/token", "POST", b"callback=a%3Db")[0], 400, 400),
                    ("wrong token", said(url, "/me?token=none")[0], 401, 401)])


@clean("a repository of artifacts: a description, an archive of 40 to 160 kB, its sum, and another sum that there isn't (404), as a test expects")
def artifacts_of_a_repository(dice: Random) -> Iterator[Bed]:
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        for name, length in (("lib.pom", 3000), ("lib.jar", dice.randint(40, 160) * 1000), ("lib.jar.sha1", 40)):
            Path(folder, name).write_bytes(dice.randbytes(length))
        with faults.nginx("", f"root {folder};") as url:
            yield Bed(url, peak(8, 2) + f"-c {dice.randint(10, 18)} {engine(dice)}", plan="""
scenarios:
  - name: fetch
    steps:
      - get: /lib.pom
        checks: status=200
      - think: 80ms..200ms
      - get: /lib.jar
        checks: status=200
      - think: 80ms..200ms
      - get: /lib.jar.sha512
        checks: status=404
      - get: /lib.jar.sha1
        checks: status=200 size=40
      - think: 80ms..200ms
""", probe=lambda: [(path, said(url, path)[0], status, status) for path, status in (("/lib.pom", 200), ("/lib.jar", 200), ("/lib.jar.sha512", 404))])


@clean("television: each second the list has a new piece of 60 to 120 kB, which viewers fetch at once")
def live_television(dice: Random) -> Iterator[Bed]:
    piece = dice.randbytes(120_000)

    async def answer(asked: Asked) -> bool:
        if asked.path == "/live.m3u8":
            await some(3, 10)
            last = int(time.time())
            return await asked.say("\n".join(["#EXTM3U", *(f"#EXTINF:1,\npiece-{last - back}.ts" for back in (4, 3, 2, 1, 0))]).encode())
        await some(6, 16)
        return await asked.say(piece[:60_000 + hash(asked.path) % 60_000])

    with answering(answer) as url:
        yield Bed(url, peak(11, 3) + f"-c {dice.randint(10, 18)} --pacing 950ms..1050ms --ramp 1s {engine(dice)}", plan="""
scenarios:
  - name: look
    steps:
      - get: /live.m3u8
        name: list
        checks: status=200 body~EXTM3U
        extract: {piece: {from: "regex:piece-[0-9]+.ts", take: last}}
      - get: "/{piece}"
        name: piece
        checks: status=200 size>50000
""", probe=lambda: [("list", ms_of(url, "/live.m3u8"), 3, 30), ("piece", len(said(url, "/piece-7.ts")[1]), 60_000, 120_000)])


@clean("records of 30 to 90 kB are sent compressed (Content-Encoding: gzip in requests), and read by the service as they should be")
def sent_compressed(dice: Random) -> Iterator[Bed]:
    async def answer(asked: Asked) -> bool:
        if asked.method != "POST":
            await some(6, 18)
            return await asked.say(b"x" * 1200)
        try:
            number = len(json.loads(gzip.decompress(asked.body)))
        except (OSError, ValueError):
            return await asked.say(b"not as it should be", 400)
        await some(16, 36)
        return await asked.say(json.dumps({"records": number}).encode(), 202)

    number = dice.randint(600, 1800)
    with tempfile.TemporaryDirectory() as folder, answering(answer) as url:
        content = gzip.compress(json.dumps([{"id": one, "value": dice.randint(1, 999_999_999)} for one in range(number)]).encode())
        Path(folder, "records.json.gz").write_bytes(content)
        yield Bed(url, peak(9, 2) + f"-c {dice.randint(8, 14)} {engine(dice)}", plan=f"""
scenarios:
  - name: send
    steps:
      - post: /records
        headers: {{Content-Encoding: gzip, Content-Type: application/json}}
        bodyFile: "{folder}/records.json.gz"
        checks: status=202 json:/records={number}
      - think: 120ms..300ms
      - get: /records/last
        checks: status=200
      - think: 120ms..300ms
""", probe=lambda: [("202", said(url, "/records", "POST", content)[0], 202, 202), ("400", said(url, "/records", "POST", b"plain")[0], 400, 400)])


@clean("the news of a paper in XML (RSS), 40 to 60 entries, of which a test looks at the first one and their number (XPath)")
def news_of_a_paper(dice: Random) -> Iterator[Bed]:
    number = dice.randint(40, 60)

    async def answer(asked: Asked) -> bool:
        await some(8, 24)
        if not asked.path.endswith(".xml"):
            return await asked.say(b"<html><h1>rain in the evening</h1></html>")
        entries = "".join(f"<item><guid>news-{one}</guid><title>title of {one}</title><description>{'word ' * 20}</description></item>"
                          for one in range(number))
        return await say_with(asked, "Content-Type: application/rss+xml\r\n", f"<rss><channel>{entries}</channel></rss>".encode())

    with answering(answer) as url:
        yield Bed(url, peak(9, 2) + f"-c {dice.randint(10, 18)} {engine(dice)}", plan=f"""
scenarios:
  - name: read
    steps:
      - get: /news.xml
        checks: "status=200 count:xpath://item={number}"
        extract: {{first: "xpath://item/guid"}}
      - think: 120ms..300ms
      - get: "/news/{{first}}"
        name: GET news
        checks: "status=200 css:h1~rain"
      - think: 120ms..300ms
""", probe=lambda: [("entries", said(url, "/news.xml")[1].count(b"<item>"), number, number), ("one", said(url, "/news/news-0")[0], 200, 200)])


SCHEMA = {"type": "object", "required": ["items", "next"], "properties": {
    "next": {"type": ["integer", "null"]},
    "items": {"type": "array", "minItems": 1, "items": {
        "type": "object", "required": ["id", "name", "price"],
        "properties": {"id": {"type": "integer"}, "name": {"type": "string"}, "price": {"type": "number", "minimum": 0}}}}}}


@clean("lists of 15 to 40 items that a test holds to their JSON Schema, and they keep to it")
def held_to_a_schema(dice: Random) -> Iterator[Bed]:
    async def answer(asked: Asked) -> bool:
        await some(8, 24)
        items = [{"id": one, "name": f"name {one}", "price": one * 1.5} for one in range(random.randint(15, 40))]
        return await say_with(asked, "Content-Type: application/json\r\n", json.dumps({"items": items, "next": random.choice((None, 7))}).encode())

    with tempfile.TemporaryDirectory() as folder, answering(answer) as url:
        Path(folder, "list.json").write_text(json.dumps(SCHEMA))
        yield Bed(url, peak(9, 2) + f"{modest(dice, (40, 70))}--get /items --get /offers --expect 'status=200 schema:{folder}/list.json'", truth=Truth(
            lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 8, 40)], seconds=2))


@clean("orders of a file, each of which is sent once: a second one with its number would be refused (409)")
def each_order_once(dice: Random) -> Iterator[Bed]:
    seen: set[str] = set()

    async def answer(asked: Asked) -> bool:
        if asked.method != "POST":
            await some(6, 18)
            return await asked.say(b"x" * 900)
        number = json.loads(asked.body)["number"]
        again = number in seen
        seen.add(number)
        await some(14, 34)
        return await asked.say(b"{}", 409 if again else 201)

    with tempfile.TemporaryDirectory() as folder, answering(answer) as url:
        Path(folder, "orders.json").write_text("".join(
            json.dumps({"number": f"order-{number}", "item": dice.randint(1, 900), "city": dice.choice(("Oslo", "Rome", "Lima"))}) + "\n"
            for number in range(3000)))
        yield Bed(url, peak(10, 2) + f"-c 50 --rate '{dice.randint(25, 50)} journeys/s' {engine(dice)}", plan=f"""
data:
  orders: {{json: "{folder}/orders.json"}}
scenarios:
  - name: order
    steps:
      - post: /orders
        json: {{number: "{{orders.number}}", item: "{{orders.item}}", city: "{{orders.city}}"}}
        checks: status=201
      - think: 50ms..150ms
      - get: "/orders/{{orders.number}}"
        name: GET order
""", probe=lambda: [(str(place), said(url, "/orders", "POST", b'{"number": "a test"}')[0], status, status) for place, status in enumerate((201, 409))])


@clean("a timetable: a form is sent, and comes back as a page with a table of 8 to 20 trains, of which a test counts the rows (CSS)")
def trains_in_a_table(dice: Random) -> Iterator[Bed]:
    async def answer(asked: Asked) -> bool:
        if asked.method != "POST":
            await some(5, 14)
            return await asked.say(b"<form><input name=from><input name=to></form>" * 20)
        await some(24, 52)
        lines = "".join(f"<tr class=train><td>{random.randint(0, 23)}:{random.randint(10, 59)}</td><td>on time</td></tr>" for _ in range(random.randint(8, 20)))
        return await say_with(asked, "Content-Type: text/html\r\n", f"<html><body><table>{lines}</table></body></html>".encode())

    with answering(answer) as url:
        yield Bed(url, peak(9, 2) + f"-c {dice.randint(12, 20)} {engine(dice)}", plan="""
scenarios:
  - name: travel
    steps:
      - get: /search
        checks: "status=200 css:form"
      - think: 120ms..300ms
      - post: /trains
        form: {from: Paris, to: Lyon, at: "{now:s}"}
        checks: "status=200 count:css:tr.train>=8"
      - think: 120ms..300ms
""", probe=lambda: [("form", said(url, "/search")[0], 200, 200), ("trains", said(url, "/trains", "POST", b"from=a")[1].count(b"class=train"), 8, 20)])


@clean("a place for a photo is asked for, the photo of 20 to 90 kB is put there, and its page read, as each answer says where")
def place_for_a_photo(dice: Random) -> Iterator[Bed]:
    stored: set[str] = set()

    async def answer(asked: Asked) -> bool:
        if asked.method == "POST":
            await some(8, 20)
            return await asked.say(json.dumps({"upload": f"store/{uuid.uuid4().hex}"}).encode(), 201)
        name = asked.path.rpartition("/")[2]
        if asked.method == "PUT":
            await some(20, 44)
            stored.add(name)
            return await asked.say(json.dumps({"page": f"photos/{name}"}).encode(), 201)
        await some(8, 20)
        return await asked.say(b"x" * 2000, 200 if name in stored else 404)

    with tempfile.TemporaryDirectory() as folder, answering(answer) as url:
        Path(folder, "photo.jpg").write_bytes(dice.randbytes(dice.randint(20, 90) * 1000))
        yield Bed(url, peak(9, 2) + f"-c {dice.randint(10, 16)} {engine(dice)}", plan=f"""
scenarios:
  - name: photo
    steps:
      - post: /uploads
        json: {{type: image/jpeg}}
        checks: status=201
        extract: {{upload: "json:/upload"}}
      - put: "/{{upload}}"
        name: PUT photo
        bodyFile: "{folder}/photo.jpg"
        checks: status=201
        extract: {{page: "json:/page"}}
      - think: 120ms..300ms
      - get: "/{{page}}"
        name: GET page
        checks: status=200
      - think: 120ms..300ms
""", probe=lambda: [("place", said(url, "/uploads", "POST", b"{}")[0], 201, 201), ("put", said(url, "/store/one", "PUT", b"x" * 30_000)[0], 201, 201),
                    ("page", said(url, "/photos/one")[0], 200, 200), ("none", said(url, "/photos/two")[0], 404, 404)])


@clean("a conversion says when it should be looked at again (202 with Retry-After), and is done then")
def says_when_to_look_again(dice: Random) -> Iterator[Bed]:
    begun: dict[str, float] = {}

    async def answer(asked: Asked) -> bool:
        name = asked.path.rpartition("/")[2]
        await some(6, 20)
        if asked.method == "POST":
            begun[name] = time.monotonic()
            return await say_with(asked, "Retry-After: 1\r\n", b"", 202)
        done = name in begun and time.monotonic() - begun[name] > 1
        return await (asked.say(b"x" * 4000) if done else say_with(asked, "Retry-After: 1\r\n", b"", 202))

    def later() -> int:
        time.sleep(1.2)
        return said(url, "/conversions/one")[0]

    with answering(answer) as url:
        yield Bed(url, peak(11, 3) + f"-c {dice.randint(16, 28)} --ramp 1s {engine(dice)}", plan="""
scenarios:
  - name: convert
    steps:
      - post: "/conversions/{user}-{iteration}"
        name: begin
        checks: status=202 header:Retry-After=1
      - think: 200ms..300ms
      - get: "/conversions/{user}-{iteration}"
        name: not yet
        checks: status=202
      - think: 1200ms
      - get: "/conversions/{user}-{iteration}"
        name: done
        checks: status=200
      - think: 100ms..300ms
""", probe=lambda: [("begun", said(url, "/conversions/one", "POST", b"x")[0], 202, 202), ("not yet", said(url, "/conversions/one")[0], 202, 202),
                    ("done", later(), 200, 200)])


@clean("searches by the method QUERY, whose question is in the body, and an item of what is found")
def method_query(dice: Random) -> Iterator[Bed]:
    async def answer(asked: Asked) -> bool:
        if asked.method == "QUERY":
            await some(14, 36)
            return await asked.say(json.dumps({"items": [{"id": 7 + one} for one in range(25)]}).encode(), 200 if asked.body else 400)
        await some(5, 16)
        return await asked.say(b"x" * 900)

    with answering(answer) as url:
        yield Bed(url, peak(9, 2) + f"-c {dice.randint(12, 20)} {engine(dice)}", plan="""
scenarios:
  - name: search
    steps:
      - method: QUERY
        path: /items
        headers: {Content-Type: application/json}
        body: '{{"name": "shoe", "size": {random:36..46}}'
        checks: status=200
        extract: {id: "json:/items/0/id"}
      - think: 60ms..180ms
      - get: "/items/{id}"
        name: GET item
        checks: status=200
      - think: 60ms..180ms
""", probe=lambda: [("search", said(url, "/items", "QUERY", b"{}")[0], 200, 200), ("item", said(url, "/items/7")[0], 200, 200)])


# Streams.


@clean("two models at one address: a small one, whose words are 9 to 15 ms apart, and a large one, 35 to 60 ms, which is asked less often")
def small_and_large_model(dice: Random) -> Iterator[Bed]:
    async def answer(asked: Asked) -> bool:
        large = b"large" in asked.body
        begin_stream(asked)
        await (some(260, 420) if large else some(70, 140))
        for _ in range(random.randint(10, 22)):
            await (some(35, 60) if large else some(9, 15))
            await send_event(asked, json.dumps({"choices": [{"index": 0, "delta": {"content": "word "}}]}))
        await send_event(asked, "[DONE]")
        return end_stream(asked)

    def ms(model: str) -> float:
        begin = time.monotonic()
        said(url, "/v1/chat/completions", "POST", model.encode())
        return (time.monotonic() - begin) * 1000

    scenarios = "".join(f"""
  - name: {model}
    weight: {weight}
    steps:
      - post: /v1/chat/completions
        name: ask the {model} one
        json: {{model: {model}, stream: true, messages: [{{role: user, content: "How much?"}}]}}
        eventStream: openai
      - think: 150ms..450ms""" for model, weight in (("small", 3), ("large", 1)))
    with answering(answer) as url:
        yield Bed(url, peak(11, 3) + f"-c {4 * dice.randint(3, 4)} --ramp 1s {engine(dice)}", plan=f"scenarios:{scenarios}\n",
                  probe=lambda: [("small", ms("small"), 160, 600), ("large", ms("large"), 600, 1900)])


@clean("a camera sends ten pictures of 5 to 9 kB, 70 to 110 ms apart, in one answer (multipart/x-mixed-replace)")
def pictures_of_a_camera(dice: Random) -> Iterator[Bed]:
    picture = dice.randbytes(dice.randint(5, 9) * 1000)

    async def answer(asked: Asked) -> bool:
        if asked.path != "/camera":
            await some(6, 18)
            return await asked.say(b"x" * 500)
        asked.writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=picture\r\nTransfer-Encoding: chunked\r\n\r\n")
        for _ in range(10):
            await some(70, 110)
            part = b"--picture\r\nContent-Type: image/jpeg\r\n\r\n" + picture + b"\r\n"
            asked.writer.write(f"{len(part):x}\r\n".encode() + part + b"\r\n")
            await asked.writer.drain()
        return end_stream(asked)

    with answering(answer) as url:
        yield Bed(url, peak(10, 2) + f"-c {dice.randint(12, 20)} --think 80ms..300ms --ramp 1s {engine(dice)}--get /camera --get /state", truth=Truth(
            lambda all: [("failed", all.failed, 0, 0), ("camera", all.of("/camera").median, 700, 1300), ("state", all.of("/state").median, 6, 40)],
            paths=("/camera", "/state"), users=6))


# Messages.


class Talk:
    """A connection by WebSocket, and the messages that it sent so far."""

    def __init__(self, path: str, writer: asyncio.StreamWriter) -> None:
        self.path, self.writer, self.messages = path, writer, 0

    def say(self, text: str) -> None:
        data = text.encode()
        if not self.writer.is_closing():
            self.writer.write(b"\x81" + (bytes([len(data)]) if len(data) < 126 else b"\x7e" + len(data).to_bytes(2, "big")) + data)


@contextlib.contextmanager
def talking(answer: Callable[[Talk, str], Awaitable[None]], subprotocol: str = "", left: Callable[[Talk], None] = lambda _: None) -> Iterator[str]:
    """The address of a server for WebSocket that does this with each message, one after another."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        talk = None
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            talk = Talk(head[0].split(" ")[1], writer)
            accepted = switched(next(line.split(":", 1)[1].strip() for line in head if line.lower().startswith("sec-websocket-key:")))
            writer.write(accepted[:-2] + f"Sec-WebSocket-Protocol: {subprotocol}\r\n\r\n".encode() if subprotocol else accepted)
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
                    continue
                talk.messages += 1
                await answer(talk, data.decode())
        if talk:
            left(talk)
        writer.close()

    with faults._listening(serve) as port:  # noqa: SLF001
        yield f"http://127.0.0.1:{port}/"


def talked(url: str, path: str, *messages: str, seconds: float = 1) -> bytes:
    """All that a server for WebSocket sends after its handshake, if it gets these messages, each of at most 125 bytes."""
    got = b""
    with socket.create_connection(("127.0.0.1", server.port(url)), timeout=seconds) as connection, contextlib.suppress(OSError):
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                           "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode())
        connection.recv(4096)
        connection.sendall(b"".join(b"\x81" + bytes([len(one) | 128]) + b"\0\0\0\0" + one.encode() for one in messages))
        while data := connection.recv(65_536):
            got += data
    return got


@clean("stations that load cars (OCPP): each says that it is there, then each half second how much it has given, and each call is answered")
def charging_stations(dice: Random) -> Iterator[Bed]:
    async def answer(talk: Talk, text: str) -> None:
        _, number, action, _ = json.loads(text)
        await (some(14, 36) if action == "BootNotification" else some(4, 14))
        talk.say(json.dumps([3, number, {"status": "Accepted", "interval": 300}]))

    with talking(answer, "ocpp1.6") as url:
        yield Bed(url, peak(10, 2) + f"-c {dice.randint(16, 28)} --ramp 1s {engine(dice)}", plan="""
scenarios:
  - name: station
    steps:
      - connect: "/stations/{user}"
        subprotocols: [ocpp1.6]
      - send: '[2, "boot-{iteration}", "BootNotification", {{"chargePointModel": "A7"}]'
        name: boot
      - expect: {json: {/0: 3, /1: "boot-{iteration}"}, within: 2s}
        name: booted
      - repeat: 5
        steps:
          - think: 400ms..600ms
          - send: '[2, "value-{iteration}", "MeterValues", {{"connectorId": 1}]'
            name: value
          - expect: {json: {/0: 3, /1: "value-{iteration}"}, within: 2s}
            name: taken
      - close: 1000
      - think: 100ms..300ms
""", probe=lambda: [("answered", talked(url, "/stations/1", '[2, "a", "BootNotification", {}]', '[2, "b", "MeterValues", {}]').count(b"Accepted"), 2, 2)])


@clean("a ship sends its place ten times, 30 to 50 ms apart, by WebSocket, and each tenth one is acknowledged for all of them")
def acknowledged_by_tens(dice: Random) -> Iterator[Bed]:
    async def answer(talk: Talk, _: str) -> None:
        if talk.messages % 10 == 0:
            await some(5, 15)
            talk.say(json.dumps({"taken": talk.messages}))

    with talking(answer) as url:
        yield Bed(url, peak(10, 2) + f"-c {dice.randint(8, 14)} --ramp 1s {engine(dice)}", plan="""
scenarios:
  - name: voyage
    steps:
      - connect: "/ships/{user}"
      - repeat: 3
        steps:
          - repeat: 10
            steps:
              - send: {json: {ship: "{user}", at: "{now}"}}
                name: place
              - think: 30ms..50ms
          - expect: {text: {contains: taken}, within: 2s}
            name: acknowledged
      - close: 1000
      - think: 200ms..500ms
""", probe=lambda: [("acknowledged", talked(url, "/ships/1", *["place"] * 20).count(b"taken"), 2, 2)])


@clean("some people edit a document together: each change goes to all of them, also back to who made it, and they pause for a second")
def edits_of_a_document(dice: Random) -> Iterator[Bed]:
    readers: dict[str, set[Talk]] = defaultdict(set)

    async def answer(talk: Talk, text: str) -> None:
        readers[talk.path].add(talk)
        await some(4, 13)
        for one in readers[talk.path]:
            one.say(text)

    with talking(answer, left=lambda talk: readers[talk.path].discard(talk)) as url:
        yield Bed(url, peak(10, 2) + f"-c {4 * dice.randint(4, 6)} --ramp 2s {engine(dice)}", plan="""
scenarios:
  - name: edit
    steps:
      - connect: "/documents/{iteration:0..4}"
      - send: {json: {open: "{user}-{iteration}"}}
        name: open
      - expect: {json: {/open: "{user}-{iteration}"}, within: 2s}
        name: opened
      - repeat: 4
        steps:
          - think: 700ms..1300ms
          - send: {json: {by: "{user}-{iteration}", change: "one more word"}}
            name: change
          - expect: {json: {/by: "{user}-{iteration}"}, within: 2s}
            name: changed
      - close: 1000
      - think: 200ms..500ms
""", probe=lambda: [("changes", talked(url, "/documents/1", "one", "two", "three").count(b"\x81"), 3, 3)])


@clean("messages by MQTT with TLS, which Mosquitto ends itself")
def mosquitto_speaks_tls(dice: Random) -> Iterator[Bed]:
    with tempfile.TemporaryDirectory() as folder:
        key, cert = (Path(file).read_text() for file in server.certificate(folder))
    port = faults.free_port()
    with mosquitto(f"listener {port} 127.0.0.1\ncertfile FOLDER/cert.pem\nkeyfile FOLDER/key.pem", {"key.pem": key, "cert.pem": cert}) as plain:
        faults.wait_for(port)
        yield Bed(f"mqtts://127.0.0.1:{port}/", peak(9, 2) + f"-k --topic rooms/{{pair}} -c {dice.randint(10, 20)} --qos {dice.randint(0, 1)} "
                  f"--rate '{dice.randint(40, 90)} messages/s' --message-size {dice.randint(60, 1500)} {dice.choice(('', '--arrivals poisson '))}",
                  probe=lambda: [("passed on", relayed(plain), 1, 1)])


@clean("a quiet night, three seconds of an alarm with five times as many messages by MQTT, and quiet again")
def alarm_in_the_night(dice: Random) -> Iterator[Bed]:
    quiet = dice.randint(14, 20)
    with mosquitto() as port:
        yield Bed(f"mqtt://127.0.0.1:{port}/sensors/{{pair}}", f"--phases 'warmup=1 for 2s at {quiet}/s,night=1 for 4s at {quiet}/s,"
                  f"alarm=1 for 3s at {5 * quiet}/s,peak=1 for 4s at {quiet}/s' -c {dice.randint(12, 24)} --qos {dice.randint(0, 1)} "
                  f"--message-size {dice.randint(80, 600)}", probe=lambda: [("passed on", relayed(port), 1, 1)])


# Ways of a test.


@clean("a warmup that is cut short: after two seconds of its ten the next phase begins, as a test says (--change)")
def warmup_is_cut_short(dice: Random) -> Iterator[Bed]:
    with dice.choice((server.go, server.node))(rule(method="POST", ms=(16, 36), status=201), rule(ms=(8, 22), bytes=1500)) as url:
        yield Bed(url, f"--phases warmup=1:for:10s,peak=1:for:9s --change 'warmup at 2s: next' {modest(dice, (50, 90))}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 8, 40)], seconds=2))


@clean("requests that nginx counts in its log, too, with which a test compares its own (--prove)")
def counted_by_nginx_too(dice: Random) -> Iterator[Bed]:
    with tempfile.TemporaryDirectory() as folder, server.go(rule(method="POST", ms=(16, 36), status=201), rule(ms=(8, 22), bytes=1500)) as behind:
        log = Path(folder, "access.log")
        with faults.nginx(f"upstream service {{ server {behind[7:-1]}; keepalive 64; }}",
                          f'access_log {log} combined; proxy_http_version 1.1; proxy_set_header Connection ""; '
                          "location / { proxy_pass http://service; }") as url:
            yield Bed(url, peak(9, 2) + f"--prove {log} --prove-wait 2s {modest(dice, (50, 90))}{ITEMS_AND_ORDERS}", truth=Truth(
                lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 8, 45), ("lines", log.read_text().count("\n") - len(all.all), -5, 1)],
                seconds=2))


@contextlib.contextmanager
def often(action: Callable[[], None]) -> Iterator[None]:
    """Does so each second until the end."""
    over = threading.Event()

    def act() -> None:
        while not over.wait(1):
            with contextlib.suppress(OSError, ValueError):
                action()

    thread = threading.Thread(target=act)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


@clean("a test whose own figures a Prometheus reads each second while it runs (--prometheus)")
def watched_by_prometheus(dice: Random) -> Iterator[Bed]:
    port = faults.free_port()

    def read() -> None:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=2) as page:  # noqa: S310
            page.read()

    with server.node(option(idle=60_000), rule(method="POST", ms=(14, 34)), rule(ms=(7, 21), bytes=1900)) as url, often(read):
        yield Bed(url, peak(9, 2) + f"--prometheus {port} {modest(dice, (50, 90))}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 7, 40)], seconds=2))


@clean("a test that sends its own figures to a collector while it runs (--otlp)")
def figures_by_otlp(dice: Random) -> Iterator[Bed]:
    async def collect(asked: Asked) -> bool:
        await some(2, 8)
        return await say_with(asked, "Content-Type: application/json\r\n", b"{}")

    with answering(collect) as collector, server.java(rule(method="POST", ms=(14, 34)), rule(ms=(7, 21), bytes=1900)) as url:
        yield Bed(url, peak(11, 3) + f"--otlp {collector[:-1]} {modest(dice, (50, 90))}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 7, 40)], seconds=3))


@clean("HttpClient takes the connection that has been free for longest, of more than it needs, and without a common lock (fifo, lax)")
def pool_in_turn(dice: Random) -> Iterator[Bed]:
    with server.go(rule(method="POST", ms=(16, 36), status=201), rule(ms=(8, 22), bytes=1500)) as url:
        yield Bed(url, peak(9, 2) + f"--client httpclient --pool 60 --pool-policy fifo --pool-concurrency lax -c {dice.randint(12, 20)} "
                  f"--think 60ms..180ms {ITEMS_AND_ORDERS}", truth=Truth(
                      lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 8, 40)], seconds=2))


@clean("two Node services behind HAProxy, pages and orders, both of whose figures a test reads by name")
def two_services_and_their_figures(dice: Random) -> Iterator[Bed]:
    with inline("node", "-e", FIGURES) as pages, inline("node", "-e", FIGURES) as orders, server.haproxy(
            "frontend all\n  bind LISTEN\n  use_backend orders if { path_beg /orders }\n  default_backend pages"
            f"\nbackend pages\n  server s0 {pages[7:-1]}\nbackend orders\n  server s1 {orders[7:-1]}") as url:
        figures = f"--server-metrics pages={pages}metrics --server-metrics orders={orders}metrics "
        yield Bed(url, peak(10, 2) + f"{figures}{modest(dice, (50, 90))}{ITEMS_AND_ORDERS}",
                  truth=Truth(lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 6, 40)], paths=("/items", "/orders"), seconds=2))


@clean("a test with a limit that holds by far, which may go on until that is decided (--until-decided)")
def until_it_is_decided(dice: Random) -> Iterator[Bed]:
    with dice.choice((server.go, server.node))(rule(method="POST", ms=(16, 36), status=201), rule(ms=(8, 22), bytes=1500)) as url:
        yield Bed(url, peak(8, 2) + f"--threshold 'peak: p95 < 250ms' --until-decided 12s {modest(dice, (50, 90))}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 8, 40)], seconds=2))


@clean("280 to 380 requests a minute over TLS (--rate 300/m): a form of insurance takes 0.25 to 0.5 s to check, its pages 10 to 30 ms")
def three_hundred_a_minute(dice: Random) -> Iterator[Bed]:
    with server.go(option(tls=1), rule(method="POST", ms=(250, 500), status=201), rule(ms=(10, 30), bytes=9000)) as url:
        yield Bed(url, peak(12, 3) + f"-k -c 12 --rate {dice.randint(280, 380)}/m {engine(dice)}{dice.choice(('', '--arrivals poisson '))}"
                  "--get /forms --get /helps --post /forms --body form", truth=Truth(
                      lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 10, 60)], paths=("/forms", "/helps"), users=2, think=0.1, seconds=2))
