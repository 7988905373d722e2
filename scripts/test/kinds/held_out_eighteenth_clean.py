"""
Healthy kinds beside the eighteenth held-out set. Don't read on if you change rules.

No rule was tuned on it. All kinds are healthy: an expert who sees their figures would say that nothing is wrong.
"""

from __future__ import annotations

import asyncio
import collections
import contextlib
import http.client
import json
import os
import random
import re
import shutil
import socket
import ssl
import subprocess
import tempfile
import threading
import time
import uuid
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
from kinds.held_out_eleventh import Database, apache, mosquitto, postgres, relayed
from kinds.held_out_fourth import inline, sent
from kinds.held_out_healthy import EC, java_service, say_with
from kinds.held_out_ninth import ITEMS_AND_ORDERS
from kinds.held_out_second import Asked, answering, some
from kinds.held_out_seventeenth_clean import Talk, made_by_go, talked, talking
from kinds.held_out_seventh import rows, said
from kinds.held_out_tenth import Store, redis
from kinds.held_out_thirteenth import open_model
from kinds.held_out_twelfth import modest, switched


@contextlib.contextmanager
def relaying(change: Callable[[Talk, int, bytes], None] | None = None) -> Iterator[str]:
    """The address of a server for WebSocket that passes each message on to the others at the same path, or does something else with it."""
    those: dict[str, set[Talk]] = collections.defaultdict(set)

    async def talk(one: Talk) -> None:
        those[one.path].add(one)
        try:
            while True:
                kind, data = await one.next()
                if not kind:
                    return
                await some(1, 5)
                if change:
                    change(one, kind, data)
                    continue
                for other in those[one.path] - {one}:
                    other.say(data, kind)
        finally:
            those[one.path].discard(one)

    with talking(talk) as url:
        yield url


def relays(url: str, path: str = "/rooms/7") -> bool:
    """Whether one of two connections for WebSocket gets what the other one says."""
    with contextlib.ExitStack() as both:
        two = [both.enter_context(socket.create_connection(("127.0.0.1", server.port(url)), timeout=2)) for _ in range(2)]
        for connection in two:
            connection.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n".encode()
                               + b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
            connection.recv(4096)
        time.sleep(0.3)
        two[0].sendall(b"\x82\x85\0\0\0\0hello")
        return two[1].recv(4096) == b"\x82\x05hello"


# Times.


@clean("offers whose times are triangular: from 8 to 44 or 56 ms, most often 14")
def triangular_offers(dice: Random) -> Iterator[Bed]:
    most = dice.choice((44, 56))

    async def answer(asked: Asked) -> bool:
        await asyncio.sleep(random.triangular(8, most, 14) / 1000)
        return await asked.say(b"x" * 1300)

    with answering(answer) as url:
        yield Bed(url, peak(9, 2) + f"{modest(dice, (60, 100))}--get /offers/home --get /offers/car", truth=Truth(
            lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 14, 38), ("slow", all.slower(most + 25), 0, 0.03)]))


@clean("codes of coupons: a service draws one until it finds a free one, four of ten are in use, and each look takes 3 to 4 ms")
def draws_until_one_is_free(dice: Random) -> Iterator[Bed]:
    look = pick(dice, 3, 4)

    async def answer(asked: Asked) -> bool:
        looks = 1
        while random.random() < 0.4:
            looks += 1
        await asyncio.sleep((5 + look * looks) / 1000)
        return await asked.say(json.dumps({"code": uuid.uuid4().hex, "looks": looks}).encode(), 201)

    with answering(answer) as url:
        yield Bed(url, peak(9, 2) + f"{open_model(dice, 50, dice.randint(60, 100))}--post /coupons --body summer --expect 'status=201 json:/looks>0'", truth=Truth(
            lambda all: [("201", all.status(201), 1, 1), ("median", all.median, 5 + look, 24), ("slow", all.slower(60), 0, 0.02)], method="POST", body=6))


@clean("a report is made once for all who ask meanwhile, which takes 40 to 60 ms: who comes later waits for less")
def made_once_for_all(dice: Random) -> Iterator[Bed]:
    under_way: dict[str, asyncio.Task[None]] = {}
    low = dice.randint(36, 44)

    async def answer(asked: Asked) -> bool:
        if (task := under_way.get(asked.path)) is None or task.done():
            task = under_way[asked.path] = asyncio.create_task(asyncio.sleep(random.uniform(low, low + 20) / 1000))
        await task
        return await asked.say(b"x" * 2600)

    with answering(answer) as url:
        yield Bed(url, peak(10, 2) + f"-c {dice.randint(12, 20)} --think 60ms..240ms {engine(dice)}--get /reports/sales --get /reports/stock --get /reports/staff",
                  truth=Truth(lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 12, low + 28), ("slow", all.slower(low + 50), 0, 0.02)],
                              paths=("/reports/sales",), users=4, think=0.03))


@clean("a first page takes 20 to 42 ms, and has the second one made ready beside it, which then takes 3 to 9")
def second_page_is_ready(dice: Random) -> Iterator[Bed]:
    async def answer(asked: Asked) -> bool:
        await (some(3, 9) if "page=2" in asked.path else some(20, 42))
        return await asked.say(b"x" * 3400)

    with answering(answer) as url:
        yield Bed(url, peak(10, 2) + f"-c {dice.randint(14, 24)} {engine(dice)}", plan="""
scenarios:
  - name: read
    steps:
      - get: "/articles/{random:1..900}"
        name: first page
      - think: 200ms..500ms
      - get: "/articles/{random:1..900}?page=2"
        name: second page
      - think: 200ms..500ms
""", truth=Truth(lambda all: [("failed", all.failed, 0, 0), ("first", all.of("/articles/7").median, 20, 52), ("second", all.of("/articles/7?page=2").median, 3, 16)],
                 paths=("/articles/7", "/articles/7?page=2")))


@clean("320 accounts in sixteen parts, each of which does one thing at a time, in 5 to 9 ms, and is busy for a twentieth of the time at most")
def sixteen_parts_of_accounts(dice: Random) -> Iterator[Bed]:
    parts = [asyncio.Lock() for _ in range(16)]

    async def answer(asked: Asked) -> bool:
        async with parts[int(asked.path.split("/")[2]) % 16]:
            await some(5, 9)
        await some(4, 10)
        return await asked.say(b"x" * 500)

    with answering(answer) as url:
        yield Bed(url, peak(9, 2) + f"-c 50 --rate '{dice.randint(70, 105)} journeys/s' {dice.choice(('', '--arrivals poisson '))}{engine(dice)}", plan="""
scenarios:
  - name: book
    steps: [{post: "/accounts/{random:1..320}", name: POST /accounts/NUMBER, json: {amount: 7}}]
""", truth=Truth(lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 9, 28)], method="POST", body=12, users=3, think=0.04,
                 paths=tuple(f"/accounts/{number}" for number in range(1, 12))))


@clean("a year's report, which takes 0.3 to 0.5 s, is asked for two to four times in a whole peak, among hundreds of bookings")
def report_of_a_year(dice: Random) -> Iterator[Bed]:
    with server.go(rule(path="/years", ms=(300, 500), bytes=9000), rule(ms=(8, 26), bytes=900)) as url:
        yield Bed(url, peak(11, 2) + f"-c 40 --rate '{dice.randint(40, 60)} journeys/s' {engine(dice)}", plan=f"""
scenarios:
  - name: book
    weight: {dice.choice((160, 200))}
    steps: [{{post: /bookings, json: {{account: 7, amount: 9}}}}]
  - name: report
    weight: 1
    steps: [{{get: /years/last}}]
""", truth=Truth(lambda all: [("failed", all.failed, 0, 0), ("bookings", all.of("/bookings").median, 8, 35), ("years", all.of("/years/last").median, 300, 530)],
                 paths=("/bookings", "/years/last"), users=4))


@clean("tiles of a chart of the sea: two of five are open water (204), in 2 to 8 ms, the others have 1 to 16 kB, in 6 to 24 ms")
def tiles_of_the_sea(dice: Random) -> Iterator[Bed]:
    async def answer(asked: Asked) -> bool:
        number = int(asked.path.split("/")[2])
        if number % 5 < 2:
            await some(2, 8)
            return await asked.say(b"", 204)
        await some(6, 24)
        return await asked.say(b"t" * (number * 80))

    with answering(answer) as url:
        yield Bed(url, peak(9, 2) + f"-c {dice.randint(14, 24)} {engine(dice)}", plan="""
scenarios:
  - name: sail
    steps:
      - get: "/tiles/{random:10..200}"
        name: GET /tiles/NUMBER
        checks: status=200,204
      - think: 60ms..200ms
""", truth=Truth(lambda all: [("failed", all.failed, 0, 0), ("water", all.of("/tiles/11").status(204), 1, 1), ("coast", all.of("/tiles/13").status(200), 1, 1)],
                 paths=("/tiles/11", "/tiles/13")))


@clean("a mailbox, of which each look takes what has come since the last one: none to some ten letters, 400 bytes and a millisecond each")
def mailbox_is_emptied(dice: Random) -> Iterator[Bed]:
    last: dict[str, float] = {}
    per_second = dice.randint(4, 9)

    async def answer(asked: Asked) -> bool:
        now = time.monotonic()
        letters = sum(random.random() < 0.05 for _ in range(int(20 * per_second * min(2, now - last.get(asked.path, now)))))
        last[asked.path] = now
        await some(5 + letters, 12 + letters)
        return await asked.say(json.dumps(["letter " * 57] * letters).encode())

    with answering(answer) as url:
        yield Bed(url, peak(10, 2) + f"-c {dice.randint(14, 24)} {engine(dice)}", plan="""
scenarios:
  - name: look
    steps:
      - get: "/mail/{user}"
        name: GET /mail/USER
      - think: 200ms..900ms
""", truth=Truth(lambda all: [("200", all.status(200), 1, 1), ("median", all.median, 5, 32)], paths=("/mail/7",), users=2, think=0.3))


# Runtimes.


VIRTUAL = """
import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;

class Virtual {
    public static void main(String[] arguments) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 1024);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            boolean order = exchange.getRequestMethod().equals("POST");
            try {
                // The service's two sources, one after the other.
                Thread.sleep(ThreadLocalRandom.current().nextInt(4, order ? 18 : 12));
                Thread.sleep(ThreadLocalRandom.current().nextInt(4, order ? 18 : 12));
            } catch (InterruptedException end) {
                return;
            }
            byte[] body = "item ".repeat(order ? 10 : 300).getBytes();
            exchange.sendResponseHeaders(order ? 201 : 200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        System.out.println("http://127.0.0.1:" + server.getAddress().getPort() + "/");
    }
}
"""


@clean("a newer Java with a virtual thread for each request, which asks two sources one after the other")
def virtual_threads(dice: Random) -> Iterator[Bed]:
    for release in Path("/usr/lib/jvm").glob("*/release"):
        found = re.search(r'JAVA_VERSION="(\d+)', release.read_text())
        if found and int(found.group(1)) >= 21 and (program := release.with_name("bin") / "java").exists():
            break
    else:
        raise faults.Impossible("no Java 21 or newer")
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "Virtual.java").write_text(VIRTUAL)
        with server._started([str(program), "-Xmx128m", "-Dsun.net.httpserver.nodelay=true", "-Dsun.net.httpserver.maxIdleConnections=1000",  # noqa: SLF001
                              f"{folder}/Virtual.java"], []) as url:
            yield Bed(url, peak(9, 4) + f"{modest(dice, (60, 100))}{ITEMS_AND_ORDERS}", truth=Truth(
                lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 8, 40)], think=0.05))


@clean("a Java server that records how it runs, as its operators want it (Flight Recorder)")
def java_records_itself(dice: Random) -> Iterator[Bed]:
    with tempfile.TemporaryDirectory() as folder, java_service(
            folder, 0, 8, 24, 60, 50, options=("-Xmx160m", f"-XX:FlightRecorderOptions=repository={folder}", "-XX:StartFlightRecording=maxsize=20m")) as url:
        yield Bed(url, peak(9, 4) + f"{modest(dice, (50, 90))}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 8, 45)], think=0.05))


@clean("a Java server that compiles nothing (-Xint), as on machines where it may not, with little to do")
def java_without_a_compiler(dice: Random) -> Iterator[Bed]:
    with server._started([faults.JAVA, "-Xint", "-Xmx128m", "-cp", server._compiled(), "Server",  # noqa: SLF001
                          rule(method="POST", ms=(14, 34), status=201), rule(ms=(7, 22), bytes=1200)], []) as url:
        yield Bed(url, peak(9, 2) + f"{open_model(dice, 40, dice.randint(30, 55))}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 7, 40)], users=3, think=0.05))


LOOP_OF_PERL = r"""
use strict;
use warnings;
use IO::Select;
use IO::Socket::INET;
use Socket qw(IPPROTO_TCP TCP_NODELAY);
use Time::HiRes 'time';
$| = 1;
$SIG{PIPE} = 'IGNORE';
my $listen = IO::Socket::INET->new(Listen => 1024, LocalAddr => '127.0.0.1:0') or die;
print 'http://127.0.0.1:' . $listen->sockport . "/\n";
my $those = IO::Select->new($listen, \*STDIN);
my (%got, @due);
while (1) {
    my $wait = @due ? $due[0][0] - time : 1;
    for my $one ($those->can_read($wait > 0 ? $wait : 0)) {
        if ($one == $listen) {
            my $new = $listen->accept or next;
            setsockopt $new, IPPROTO_TCP, TCP_NODELAY, 1;
            $those->add($new);
            $got{fileno $new} = '';
            next;
        }
        my $file = fileno $one;
        exit if $file == 0;
        if (!sysread $one, $got{$file}, 65536, length $got{$file}) {
            $those->remove($one);
            delete $got{$file};
            @due = grep { $_->[1] != $one } @due;
            close $one;
            next;
        }
        while ($got{$file} =~ /^(.*?)\r\n\r\n/s) {
            my ($head, $all) = ($1, 4 + length $1);
            $all += $1 if $head =~ /^content-length: *(\d+)/mi;
            last if length $got{$file} < $all;
            substr $got{$file}, 0, $all, '';
            my ($from, $to, $size) = $head =~ /^POST/ ? (14, 34, 60) : (7, 22, 1500);
            @due = sort { $a->[0] <=> $b->[0] } @due, [time + ($from + rand($to - $from)) / 1000, $one, $size];
        }
    }
    while (@due && $due[0][0] <= time) {
        my ($at, $one, $size) = @{shift @due};
        syswrite $one, "HTTP/1.1 200 OK\r\nContent-Length: $size\r\n\r\n" . 'x' x $size;
    }
}
"""


@clean("a server in Perl with one loop for all of its connections")
def loop_of_perl(dice: Random) -> Iterator[Bed]:
    with inline("perl", "-e", LOOP_OF_PERL) as url:
        yield Bed(url, peak(9, 2) + f"{modest(dice, (50, 90))}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 7, 35)], think=0.04))


TEMPLATE = """
package main

import (
	"fmt"
	"html/template"
	"io"
	"math/rand"
	"net"
	"net/http"
	"os"
	"time"
)

var page = template.Must(template.New("page").Parse(`<html><h1>{{.Title}}</h1><table>
{{range .Rows}}<tr><td><a href="/items/{{.Number}}">{{.Name}}</a></td><td>{{printf "%.2f" .Price}}</td></tr>
{{end}}</table></html>`))

type row struct {
	Number int
	Name   string
	Price  float64
}

func main() {
	http.HandleFunc("/", func(w http.ResponseWriter, q *http.Request) {
		time.Sleep(time.Duration(5000+rand.Intn(13000)) * time.Microsecond)
		rows := make([]row, 40+rand.Intn(120))
		for number := range rows {
			rows[number] = row{number, "name & more", float64(rand.Intn(9000)) / 100}
		}
		page.Execute(w, map[string]any{"Title": q.URL.Path, "Rows": rows})
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


@clean("lists of 40 to 160 rows that a Go server makes from a template, of which a test looks at the first row (CSS)")
def template_of_go(dice: Random) -> Iterator[Bed]:
    with made_by_go(TEMPLATE) as url:
        yield Bed(url, peak(9, 2) + f"{open_model(dice, 40, dice.randint(25, 45))}--get /shoes --get /hats --expect \"status=200 css:'tr a'='name & more'\"",
                  truth=Truth(lambda all: [("200", all.status(200), 1, 1), ("median", all.median, 5, 35)], paths=("/shoes", "/hats"), users=3, think=0.05))


FRONT_END = """
process.stdin.on('end', () => process.exit(0)).resume();
const http = require('node:http');
const agent = new http.Agent({keepAlive: true, maxSockets: 100});
const ask = url => new Promise((done, failed) => http.get(url, {agent}, response => {
    let length = 0;
    response.on('data', data => { length += data.length; }).on('end', () => done(length));
}).on('error', failed));
const [names, prices] = process.argv.slice(1);
const server = http.createServer((request, response) => request.resume().on('end', async () => {
    try {
        const lengths = await Promise.all([ask(names), ask(prices)]);
        const text = JSON.stringify({lengths, items: Array(30).fill({name: 'hat', price: 7})});
        response.writeHead(200, {'Content-Type': 'application/json', 'Content-Length': text.length}).end(text);
    } catch (problem) {
        response.writeHead(502).end(String(problem));
    }
}));
server.keepAliveTimeout = 60_000;
server.listen({port: 0, host: '127.0.0.1', backlog: 1024}, () => console.log(`http://127.0.0.1:${server.address().port}/`));
"""


@clean("a Node server that asks two services in Go at once for each page, one for names and one for prices, and joins what they say")
def names_and_prices(dice: Random) -> Iterator[Bed]:
    with server.go(rule(ms=(6, 18), bytes=1100)) as names, server.go(rule(ms=(9, 26), bytes=400)) as prices, inline("node", "-e", FRONT_END, names, prices) as url:
        yield Bed(url, peak(9, 2) + f"{modest(dice, (40, 70))}--get /shoes --get /hats --expect 'status=200 json:/lengths/0=1100 json:/lengths/1=400'",
                  truth=Truth(lambda all: [("200", all.status(200), 1, 1), ("median", all.median, 9, 40)], users=3, think=0.05))


# Servers and what is before them.


@clean("nginx replaces words in the pages of a service as they pass (sub_filter)")
def words_are_replaced(dice: Random) -> Iterator[Bed]:
    with server.node(option(idle=60_000), rule(ms=(8, 24), bytes=dice.randint(3000, 7000))) as behind, faults.nginx(
            f"upstream one {{ server {behind[7:-1]}; keepalive 64; }}",
            "location / { sub_filter_types *; sub_filter_once off; sub_filter value worth; "
            'proxy_http_version 1.1; proxy_set_header Connection ""; proxy_pass http://one; }') as url:
        yield Bed(url, peak(9, 2) + f"{modest(dice, (50, 90))}--get /shop --get /help --expect 'status=200 body~worth body!~value'", probe=lambda: [
            ("new words", said(url, "/shop")[1].count(b"worth"), 100, 500), ("old words", said(url, "/shop")[1].count(b"value"), 0, 0)])


@clean("calls of gRPC's form, HTTP/2 to the end, which nginx passes on to a Go server (grpc_pass)")
def calls_by_nginx(dice: Random) -> Iterator[Bed]:
    port = faults.free_port()
    with server.go(rule(path="/shop.Orders", ms=(12, 30), header="Content-Type:application/grpc", bytes=60),
                   rule(ms=(4, 14), header="Content-Type:application/grpc", bytes=700)) as behind, faults.nginx(
            f"upstream calls {{ server {behind[7:-1]}; keepalive 64; }}",
            f"listen 127.0.0.1:{port} http2; location / {{ grpc_pass grpc://calls; }}") as url:
        truth = Truth(lambda all: [("failed", all.failed, 0, 0), ("items", all.of("/shop.Items/Get").median, 4, 28),
                                   ("orders", all.of("/shop.Orders/Add").median, 12, 45)], paths=("/shop.Items/Get", "/shop.Orders/Add"),
                      method="POST", body=12, users=3, think=0.03)
        yield Bed(f"http://127.0.0.1:{port}/", peak(9, 2) + f"--http2 --streams {dice.choice((2, 4))} -c {dice.choice((12, 16))} --engine events", plan="""
scenarios:
  - name: call
    steps:
      - post: /shop.Items/Get
        headers: {Content-Type: application/grpc, TE: trailers}
        bodyBase64: AAAAAAIIBw==
        checks: status=200 size=700
      - think: 80ms..200ms
      - post: /shop.Orders/Add
        headers: {Content-Type: application/grpc, TE: trailers}
        bodyBase64: AAAAAAQIBxAJ
        checks: status=200 size=60
      - think: 80ms..200ms
""", probe=lambda: truth.claims(asking.ask(url, truth)))


@clean("eight lists that Apache keeps for a minute in a memory that its processes share, and which the warmup fills (mod_cache_socache)")
def apache_keeps_lists(dice: Random) -> Iterator[Bed]:
    with server.node(option(idle=60_000), rule(ms=(12, 30), bytes=dice.randint(2000, 6000), header="Cache-Control:max-age=60")) as behind, apache(
            f"MaxKeepAliveRequests 0\nKeepAliveTimeout 30\nCacheSocache shmcb:FOLDER(4194304)\nCacheSocacheMaxSize 102400\nCacheEnable socache /\nCacheHeader on\n"
            f"ProxyPass / {behind}".replace("FOLDER", f"lists-{os.getpid()}"), "cache", "cache_socache", "socache_shmcb", "proxy", "proxy_http") as url:
        lists = [f"/lists/{number}" for number in range(8)]
        yield Bed(url, peak(9, 2) + f"{modest(dice, (60, 100))}" + " ".join(f"--get {path}" for path in lists), probe=lambda: [
            (which, sum(reply.getheader("X-Cache", "").startswith(which) for reply in answers(url, lists[0], 3)), least, most)
            for which, least, most in (("HIT", 2, 3), ("REVALIDATE", 0, 0))])


def answers(url: str, path: str, number: int) -> list[http.client.HTTPResponse]:
    """Those of so many requests, one after another; their bodies are read."""
    got = []
    for _ in range(number):
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", server.port(url), timeout=5)) as connection:
            connection.request("GET", path)
            got.append(connection.getresponse())
            got[-1].read()
    return got


@clean("pairs by WebSocket through Apache, which hands each connection on (mod_proxy_wstunnel)")
def pairs_through_apache(dice: Random) -> Iterator[Bed]:
    with relaying() as behind, apache(f"ProxyPass / ws{behind[4:]}", "proxy", "proxy_http", "proxy_wstunnel") as url:
        yield Bed(f"ws{url[4:]}rooms/{{pair}}", peak(9, 2) + f"-c {dice.randint(8, 12)} --rate '{dice.randint(30, 70)} messages/s' "
                  f"--message-size {dice.randint(80, 700)} {dice.choice(('', '--arrivals poisson '))}", probe=lambda: [("passed on", relays(url), 1, 1)])


@clean("nginx with TLS 1.3 and ChaCha20 alone, as for machines without AES, and files of 8 to 40 kB")
def chacha_alone(dice: Random) -> Iterator[Bed]:
    def cipher() -> str:
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        with socket.create_connection(("127.0.0.1", server.port(url)), timeout=3) as plain, context.wrap_socket(plain) as secure:
            return str(secure.cipher()[0])

    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        for name in ("one", "two", "three"):
            Path(folder, name).write_bytes(dice.randbytes(dice.randint(8, 40) * 1000))
        with faults.nginx("", f"root {folder}; ssl_protocols TLSv1.3; ssl_conf_command Ciphersuites TLS_CHACHA20_POLY1305_SHA256;", tls=EC) as url:
            truth = Truth(lambda all: [("200", all.status(200), 1, 1), ("slow", all.slower(80), 0, 0.03)], paths=("/one", "/two", "/three"), users=3, think=0.05)
            yield Bed(url, peak(9, 2) + f"-k {modest(dice, (50, 80))}--get /one --get /two --get /three", probe=lambda: [
                ("cipher", float("CHACHA20" in cipher()), 1, 1), *truth.claims(asking.ask(url, truth))])


@clean("three shops at one HAProxy, which chooses by the name that users ask for (Host), each by a Go server of its own")
def shops_by_their_names(dice: Random) -> Iterator[Bed]:
    names = ("books", "shoes", "wine")
    with contextlib.ExitStack() as stack:
        shops = {name: stack.enter_context(server.go(rule(header=f"X-Shop:{name}"), rule(method="POST", ms=(14, 34)), rule(ms=(low, 3 * low), bytes=1000)))
                 for name, low in zip(names, (5, 7, 9), strict=True)}
        url = stack.enter_context(server.haproxy("frontend all\n  bind LISTEN\n  use_backend %[req.hdr(host),lower,field(1,.)]\n" + "".join(
            f"backend {name}\n  http-reuse always\n  server one {shop[7:-1]}\n" for name, shop in shops.items())))
        yield Bed(url, peak(9, 2) + f"-c {dice.randint(14, 24)} {engine(dice)}", plan="scenarios:\n" + "".join(f"""
  - name: {name}
    steps:
      - get: /items
        headers: {{Host: {name}.example}}
        checks: status=200 header:X-Shop={name}
      - think: 80ms..220ms
      - post: /orders
        headers: {{Host: {name}.example}}
        json: {{item: 7}}
        checks: status=200 header:X-Shop={name}
      - think: 80ms..220ms
""" for name in names), probe=lambda: [(name, sent(url, 1, "/items", Host=f"{name}.example")[0][0], 200, 200) for name in names])


@clean("lighttpd ends TLS itself, before a Node server")
def tls_by_lighttpd(dice: Random) -> Iterator[Bed]:
    program = shutil.which("lighttpd", path=os.environ["PATH"] + ":/usr/sbin")
    if program is None:
        raise faults.Impossible("no lighttpd")
    port = faults.free_port()
    with server.node(option(idle=60_000), rule(method="POST", ms=(14, 34), status=201), rule(ms=(7, 22), bytes=1500)) as behind, \
            tempfile.TemporaryDirectory() as folder:
        key, certificate = server.certificate(folder)
        file = Path(folder, "lighttpd.conf")
        file.write_text(f'server.modules = ("mod_openssl", "mod_proxy")\nserver.document-root = "{folder}"\nserver.bind = "127.0.0.1"\nserver.port = {port}\n'
                        f'server.errorlog = "{folder}/error.log"\nserver.max-keep-alive-requests = 100000\nserver.max-keep-alive-idle = 30\n'
                        f'ssl.engine = "enable"\nssl.pemfile = "{certificate}"\nssl.privkey = "{key}"\n'
                        f'proxy.server = ("" => (("host" => "127.0.0.1", "port" => {server.port(behind)})))\n')
        with subprocess.Popen([program, "-D", "-f", file], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            try:
                faults.wait_for(port)
                yield Bed(f"https://127.0.0.1:{port}/", peak(9, 2) + f"-k {modest(dice, (50, 90))}{ITEMS_AND_ORDERS}", truth=Truth(
                    lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 7, 40)], think=0.05))
            finally:
                process.kill()


# Databases and stores.


@clean("a trigger of Postgres writes into a history what a price was before each change, and prices and their histories are read")
def history_by_a_trigger(dice: Random) -> Iterator[Bed]:
    with postgres("create table prices (id int primary key, price int)", "create table history (id int, price int, at timestamptz default now())",
                  "create index on history (id, at)", "insert into prices select n, n from generate_series(1, 400) n",
                  "create function note() returns trigger language plpgsql as $$ begin insert into history values (old.id, old.price); return new; end $$",
                  "create trigger noted before update on prices for each row execute function note()") as port:
        database = Database(port, 12)

        async def answer(asked: Asked) -> bool:
            number = random.randint(1, 400)
            failed = await database.ask(f"update prices set price = price + 1 where id = {number}" if asked.method == "PUT" else
                                        f"select * from history where id = {number} order by at desc limit 20" if asked.path == "/history" else
                                        f"select * from prices where id = {number}")
            await some(5, 16)
            return await asked.say(failed.encode() or b"x" * 400, 500 if failed else 200)

        with answering(answer) as url:
            yield Bed(url, peak(9, 2) + f"{modest(dice, (50, 90))}--get /prices --put /prices --body 7 --get /history", truth=Truth(
                lambda all: [("200", all.status(200), 1, 1), ("median", all.median, 5, 35)], method="PUT", body=1, users=3, think=0.04))


@clean("where a part is used, in a tree of 3,000 parts that Postgres goes up to its root (with recursive), and single parts")
def tree_of_parts(dice: Random) -> Iterator[Bed]:
    with postgres("create table parts (id int primary key, whole int, name text)",
                  "insert into parts select n, case when n = 1 then null else n / 3 + 1 - (n / 3 + 1) / n end, 'part ' || n from generate_series(1, 3000) n",
                  "update parts set whole = 1 where whole >= id", "update parts set whole = null where id = 1", "analyze") as port:
        database = Database(port, 12)

        async def answer(asked: Asked) -> bool:
            number = random.randint(1, 3000)
            failed = await database.ask(f"with recursive up as (select * from parts where id = {number} union all "
                                        "select parts.* from parts join up on parts.id = up.whole) select * from up"
                                        if asked.path == "/uses" else f"select * from parts where id = {number}")
            await some(5, 16)
            return await asked.say(failed.encode() or b"x" * 700, 500 if failed else 200)

        with answering(answer) as url:
            yield Bed(url, peak(9, 2) + f"{modest(dice, (50, 90))}--get /parts --get /uses", truth=Truth(
                lambda all: [("200", all.status(200), 1, 1), ("median", all.median, 5, 35)], paths=("/parts", "/uses"), users=3, think=0.04))


@clean("what is written goes to one Redis, what is read comes from its copy (replicaof)")
def copy_of_redis(dice: Random) -> Iterator[Bed]:
    with redis("--save", "") as (first, _), redis("--save", "", "--replicaof", f"127.0.0.1 {first}", "--repl-diskless-sync-delay", "0") as (second, _):
        original, copy = Store(first), Store(second)

        async def answer(asked: Asked) -> bool:
            key = f"profile {random.randrange(300)}"
            answered = await (original.ask("SET", key, "x" * 500) if asked.method == "PUT" else copy.ask("GET", key))
            await some(5, 17)
            return await asked.say(b"x" * 500, 500 if answered.startswith("-") else 200)

        def copied() -> bool:
            for _ in range(50):
                with socket.create_connection(("127.0.0.1", second), timeout=2) as connection:
                    connection.sendall(b"ROLE\r\n")
                    if b"connected" in connection.recv(1000):
                        return True
                time.sleep(0.1)
            return False

        if not copied():
            raise faults.Impossible("the copy doesn't find the first Redis")
        with answering(answer) as url:
            truth = Truth(lambda all: [("200", all.status(200), 1, 1), ("median", all.median, 5, 30)], method="PUT", body=60, users=3, think=0.04)
            yield Bed(url, peak(9, 2) + f"{modest(dice, (60, 100))}--get /profiles/7 --put /profiles/7 --body profile", probe=lambda: [
                ("copied", copied(), 1, 1), *truth.claims(asking.ask(url, truth))])


@clean("seats of trains are taken by a script that Redis runs (EVAL): it looks for a free one, and takes it")
def seats_by_a_script(dice: Random) -> Iterator[Bed]:
    take = "local left = redis.call('GET', KEYS[1]) or '400' if tonumber(left) < 1 then left = '400' end redis.call('SET', KEYS[1], left - 1) return 'seat ' .. left"
    with redis("--save", "") as (port, _):
        store = Store(port)

        async def answer(asked: Asked) -> bool:
            train = f"train {random.randrange(40)}"
            answered = await (store.ask("EVAL", take, "1", train) if asked.method == "POST" else store.ask("GET", train))
            await some(6, 18)
            return await asked.say(answered.strip().encode(), 500 if answered.startswith("-") else 200)

        with answering(answer) as url:
            truth = Truth(lambda all: [("200", all.status(200), 1, 1), ("median", all.median, 6, 30)], method="POST", body=4, users=3, think=0.04)
            yield Bed(url, peak(9, 2) + f"{modest(dice, (60, 100))}--get /trains --post /seats --body seat", probe=lambda: [
                ("seats", said(url, "/seats", "POST", b"seat")[1].count(b"seat"), 1, 1), *truth.claims(asking.ask(url, truth))])


@clean("letters are put into a folder, a file each, from which a process of its own sends them within 0.2 s, and the folder's list is read")
def letters_in_a_folder(dice: Random) -> Iterator[Bed]:
    over = threading.Event()
    with tempfile.TemporaryDirectory() as folder:
        def send() -> None:
            while not over.wait(0.2):
                for letter in Path(folder).glob("*.letter"):
                    letter.unlink()

        async def answer(asked: Asked) -> bool:
            await some(6, 18)
            if asked.method == "POST":
                name = uuid.uuid4().hex
                Path(folder, name).write_bytes(asked.body)
                Path(folder, name).rename(Path(folder, f"{name}.letter"))
                return await asked.say(name.encode(), 202)
            return await asked.say(json.dumps(os.listdir(folder)).encode())

        thread = threading.Thread(target=send)
        thread.start()
        try:
            with answering(answer) as url:
                yield Bed(url, peak(9, 2) + f"{modest(dice, (50, 80))}--get /letters --post /letters --body '{'dear ' * dice.randint(80, 400)}'", truth=Truth(
                    lambda all: [("202", all.status(202), 1, 1), ("median", all.median, 6, 30)], method="POST", body=900, users=3, think=0.05))
        finally:
            over.set()
            thread.join()
