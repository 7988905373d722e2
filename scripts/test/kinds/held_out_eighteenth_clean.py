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
import socket
import ssl
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
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
        yield Bed(url, peak(9, 2) + f"{open_model(dice, 50, dice.randint(60, 100))}--post /coupons --body summer "
                  "--expect 'status=201 json:/looks>0'", truth=Truth(
                      lambda all: [("201", all.status(201), 1, 1), ("median", all.median, 5 + look, 24), ("slow", all.slower(60), 0, 0.02)],
                      method="POST", body=6))


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
        yield Bed(url, peak(10, 2) + f"-c {dice.randint(12, 20)} --think 60ms..240ms {engine(dice)}"
                  "--get /reports/sales --get /reports/stock --get /reports/staff",
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
""", truth=Truth(lambda all: [("failed", all.failed, 0, 0), ("first", all.of("/articles/7").median, 20, 52),
                              ("second", all.of("/articles/7?page=2").median, 3, 16)],
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
            asked.writer.write(b"HTTP/1.1 204 No Content\r\n\r\n")
            return True
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
        yield Bed(url, peak(9, 4) + f"{open_model(dice, 50, dice.randint(40, 75))}{ITEMS_AND_ORDERS}", truth=Truth(
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
        yield Bed(url, peak(9, 2) + f"{open_model(dice, 40, dice.randint(25, 45))}"
                  "--expect \"status=200 css:'tr a'='name & more'\" --get /shoes --get /hats",
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
    with server.go(rule(ms=(6, 18), bytes=1100)) as names, server.go(rule(ms=(9, 26), bytes=400)) as prices, \
            inline("node", "-e", FRONT_END, names, prices) as url:
        yield Bed(url, peak(9, 2) + f"{open_model(dice, 50, dice.randint(40, 75))}"
                  "--expect 'status=200 json:/lengths/0=1100 json:/lengths/1=400' --get /shoes --get /hats",
                  truth=Truth(lambda all: [("200", all.status(200), 1, 1), ("median", all.median, 9, 40)], users=3, think=0.05))


# Servers and what is before them.


@clean("nginx replaces words in the pages of a service as they pass (sub_filter)")
def words_are_replaced(dice: Random) -> Iterator[Bed]:
    with server.node(option(idle=60_000), rule(ms=(8, 24), bytes=dice.randint(3000, 7000))) as behind, faults.nginx(
            f"upstream one {{ server {behind[7:-1]}; keepalive 64; }}",
            "location / { sub_filter_types *; sub_filter_once off; sub_filter value worth; "
            'proxy_http_version 1.1; proxy_set_header Connection ""; proxy_pass http://one; }') as url:
        yield Bed(url, peak(9, 2) + f"{modest(dice, (50, 90))}--expect 'status=200 body~worth body!~value' --get /shop --get /help", probe=lambda: [
            ("new words", said(url, "/shop")[1].count(b"worth"), 100, 500), ("old words", said(url, "/shop")[1].count(b"value"), 0, 0)])


@clean("calls of gRPC's form, HTTP/2 to the end, which nginx passes on to a Go server (grpc_pass)")
def calls_by_nginx(dice: Random) -> Iterator[Bed]:
    port = faults.free_port()
    with server.go(rule(path="/shop.Orders", ms=(12, 30), header="Content-Type:application/grpc", bytes=60),
                   rule(path="/shop.Items", ms=(4, 14), header="Content-Type:application/grpc", bytes=700)) as behind, faults.nginx(
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
            f"MaxKeepAliveRequests 0\nKeepAliveTimeout 30\nCacheSocache shmcb:lists(4194304)\nCacheSocacheMaxSize 102400\nCacheEnable socache /\n"
            f"CacheHeader on\nProxyPass / {behind}", "cache", "cache_socache", "socache_shmcb", "proxy", "proxy_http") as url:
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
            truth = Truth(lambda all: [("200", all.status(200), 1, 1), ("slow", all.slower(80), 0, 0.03)], paths=("/one", "/two", "/three"),
                          users=3, think=0.05)
            yield Bed(url, peak(9, 2) + f"-k {open_model(dice, 50, dice.randint(60, 100))}--get /one --get /two --get /three", probe=lambda: [
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
            yield Bed(url, peak(9, 2) + f"{open_model(dice, 50, dice.randint(60, 100))}--get /prices --put /prices --body 7 --get /history", truth=Truth(
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
    with redis("--save", "", "--repl-diskless-sync-delay", "0") as (first, _), redis("--save", "", "--replicaof", f"127.0.0.1 {first}") as (second, _):
        original, copy = Store(first), Store(second)

        async def answer(asked: Asked) -> bool:
            key = f"profile {random.randrange(300)}"
            answered = await (original.ask("SET", key, "x" * 500) if asked.method == "PUT" else copy.ask("GET", key))
            await some(5, 17)
            return await asked.say(b"x" * 500, 500 if answered.startswith("-") else 200)

        def copied() -> bool:
            for _ in range(100):
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
    take = ("local left = redis.call('GET', KEYS[1]) or '400' if tonumber(left) < 1 then left = '400' end "
            "redis.call('SET', KEYS[1], left - 1) return 'seat ' .. left")
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


# Forms of requests.


@clean("a till: each sale is answered with 205, so that the form is emptied, names that two customers have with 300, and a shelf's members with 208")
def forms_are_emptied(dice: Random) -> Iterator[Bed]:
    async def answer(asked: Asked) -> bool:
        await some(7, 22)
        if asked.method == "POST":
            return await asked.say(b"", 205)
        if asked.path.startswith("/customers"):
            return await asked.say(json.dumps([{"id": 7, "name": "Smith"}, {"id": 9, "name": "Smith"}]).encode(), 300)
        return await asked.say(b"<member/>" * 70, 208)

    steps = (("post", "/sales", 205), ("get", "/customers?name=Smith", 300), ("get", "/shelves/7", 208))
    with answering(answer) as url:
        yield Bed(url, peak(9, 2) + f"-c 50 --rate {dice.randint(60, 100)}/s {engine(dice)}" + " ".join(
            f"--{method} {path}{' --body sale' if method == 'post' else ''} --expect status={status}" for method, path, status in steps), probe=lambda: [
                (path, said(url, path, method.upper(), b"sale" if method == "post" else None)[0], status, status) for method, path, status in steps])


LIMITS = """
process.stdin.on('end', () => process.exit(0)).resume();
const server = require('node:http').createServer({maxHeaderSize: 65_536}, (request, response) => request.resume().on('end', () => setTimeout(() => {
    const say = (status, text) => response.writeHead(status, {'Content-Length': text.length}).end(text);
    if (request.url.length > 3_000) {
        say(414, 'too long an address');
    } else if ((request.headers['x-note'] ?? '').length > 5_000) {
        say(431, 'too long a note');
    } else if (request.headers['x-after'] === 'unknown') {
        say(424, 'there is no such step');
    } else {
        say(200, 'item '.repeat(160));
    }
}, 6 + 14 * Math.random())));
server.keepAliveTimeout = 60_000;
server.listen({port: 0, host: '127.0.0.1', backlog: 1024}, () => console.log(`http://127.0.0.1:${server.address().port}/`));
"""


@clean("a test of an API's limits: too long an address (414), too long a note (431), a step after none (424), as it expects, and what is within them")
def limits_of_an_api(dice: Random) -> Iterator[Bed]:
    steps = (("within", "/items?name=hat", "X-Note: short", 200), ("address", f"/items?name={'hat' * dice.randint(1100, 1400)}", "X-Note: short", 414),
             ("note", "/items", f"X-Note: {'note' * dice.randint(1400, 1800)}", 431), ("step", "/items", "X-After: unknown", 424))
    with inline("node", "-e", LIMITS) as url:
        yield Bed(url, peak(9, 2) + f"-c {dice.randint(12, 22)} {engine(dice)}", plan="scenarios:\n  - name: test\n    steps:\n" + "".join(
            f"      - get: '{path}'\n        name: {name}\n        headers: {{{field}}}\n        checks: status={status}\n      - think: 60ms..180ms\n"
            for name, path, field, status in steps), probe=lambda: [
                (name, sent(url, 1, path, **{field.split(": ")[0].replace("-", "_"): field.split(": ")[1]})[0][0], status, status)
                for name, path, field, status in steps])


ASSERTIONS = """
process.stdin.on('end', () => process.exit(0)).resume();
const {randomUUID} = require('node:crypto');
const sessions = new Set();
const assertion = 'PHNhbWxwOlJlc3BvbnNl'.repeat(Number(process.argv[1]));
const server = require('node:http').createServer((request, response) => {
    let body = '';
    request.on('data', data => { body += data; }).on('end', () => setTimeout(() => {
        const html = {'Content-Type': 'text/html'};
        const say = (status, text, fields = {}) => response.writeHead(status, {...html, 'Content-Length': text.length, ...fields}).end(text);
        const session = /session=([\\w-]+)/.exec(request.headers.cookie ?? '')?.[1];
        if (request.url === '/sso') {
            say(200, `<html><form method="post" action="/acs"><input type="hidden" name="SAMLResponse" value="${assertion}"/></form></html>`);
        } else if (request.url === '/acs' && body.includes(assertion)) {
            const made = randomUUID();
            sessions.add(made);
            say(303, '', {Location: '/orders', 'Set-Cookie': `session=${made}; Path=/; HttpOnly`});
        } else if (request.url === '/acs') {
            say(403, 'who says so?');
        } else if (sessions.has(session)) {
            say(200, 'order '.repeat(250));
        } else {
            say(302, '', {Location: '/sso'});
        }
    }, 6 + 16 * Math.random()));
});
server.keepAliveTimeout = 60_000;
server.listen({port: 0, host: '127.0.0.1', backlog: 1024}, () => console.log(`http://127.0.0.1:${server.address().port}/`));
"""


@clean("a log-in by the company's own service (SAML): orders lead to it (302), its form of 3 to 5 kB is sent back, then there is a cookie (303)")
def assertions_of_a_company(dice: Random) -> Iterator[Bed]:
    with inline("node", "-e", ASSERTIONS, str(dice.randint(150, 250))) as url:
        yield Bed(url, peak(10) + f"-c {dice.randint(12, 22)} {engine(dice)}", plan="""
scenarios:
  - name: work
    session: {cookies: true, redirects: 5}
    steps:
      - get: /orders
        name: first look
        checks: status=200 body~SAMLResponse
        extract: {assertion: "css:input[name=SAMLResponse]@value"}
      - think: 80ms..200ms
      - post: /acs
        form: {SAMLResponse: "{assertion}"}
        name: log in
        checks: status=200 body~order
      - think: 80ms..200ms
      - get: /orders
        name: look
        checks: status=200 body~order
      - think: 80ms..200ms
""", probe=lambda: [("away", said(url, "/orders")[0], 302, 302), ("form", said(url, "/sso")[1].count(b"SAMLResponse"), 1, 1),
                    ("in", said(url, "/acs", "POST", re.search(rb'value="(\w+)"', said(url, "/sso")[1]).group(1))[0], 303, 303),
                    ("wrong", said(url, "/acs", "POST", b"x")[0], 403, 403)])


@clean("a client of a cloud asks for each file whether it is there already (HEAD), and sends the half that isn't: 404, as a test expects, then 201")
def sent_if_it_is_missing(dice: Random) -> Iterator[Bed]:
    there = {f"{number:04x}" for number in range(0, 200, 2)}

    async def answer(asked: Asked) -> bool:
        name = asked.path.split("/")[2]
        if asked.method == "PUT":
            await some(14, 34)
            return await asked.say(b"", 201)
        await some(4, 14)
        if name in there:
            return await say_with(asked, "X-There: yes\r\n", b"", 200)
        return await asked.say(b"", 404)

    with answering(answer) as url, rows("name", [f"{number:04x}" for number in range(200)]) as files, tempfile.NamedTemporaryFile() as file:
        file.write(dice.randbytes(dice.randint(10, 50) * 1000))
        file.flush()
        yield Bed(url, peak(10, 2) + f"-c {dice.randint(12, 20)} {engine(dice)}", plan=f"""
data:
  files: {{csv: {files}, order: random}}
scenarios:
  - name: save
    steps:
      - head: "/files/{{files.name}}"
        name: ask
        checks: status=200,404
        extract: {{there: {{from: "header:X-There", default: "no"}}}}
      - when: "{{there}} == no"
        steps:
          - put: "/files/{{files.name}}"
            name: send
            bodyFile: {file.name}
            checks: status=201
      - think: 100ms..300ms
""", probe=lambda: [("there", said(url, "/files/0002", "HEAD")[0], 200, 200), ("missing", said(url, "/files/0003", "HEAD")[0], 404, 404),
                    ("sent", said(url, "/files/0003", "PUT", b"file")[0], 201, 201)])


@clean("pages of an old service, in Latin-1, of which a test finds a word with an umlaut (bytes)")
def pages_in_latin_1(dice: Random) -> Iterator[Bed]:
    async def answer(asked: Asked) -> bool:
        await some(8, 24)
        text = "<p>Bäckerei Müller, Straße der Künste 7, geöffnet bis fünf Uhr</p>\n" * 30
        return await say_with(asked, "Content-Type: text/html; charset=ISO-8859-1\r\n", text.encode("latin-1"))

    with answering(answer) as url:
        yield Bed(url, peak(9, 2) + f"{modest(dice, (50, 90))}--expect 'status=200 bytes~42e4636b65726569' --get /shops/7 --get /shops/8", probe=lambda: [
            ("words", said(url, "/shops/7")[1].decode("latin-1").count("Bäckerei"), 30, 30)])


DEFLATED = """
process.stdin.on('end', () => process.exit(0)).resume();
const zlib = require('node:zlib');
const server = require('node:http').createServer((request, response) => request.resume().on('end', () => setTimeout(() => {
    const items = Array.from({length: 40 + Math.floor(80 * Math.random())}, (_, id) => ({id, name: `name ${id}`, price: 100 * Math.random()}));
    const text = JSON.stringify({items});
    const deflates = (request.headers['accept-encoding'] ?? '').includes('deflate');
    const body = deflates ? zlib.deflateSync(text) : Buffer.from(text);
    response.writeHead(200, {'Content-Type': 'application/json', 'Content-Length': body.length, ...(deflates && {'Content-Encoding': 'deflate'})}).end(body);
}, 7 + 15 * Math.random())));
server.keepAliveTimeout = 60_000;
server.listen({port: 0, host: '127.0.0.1', backlog: 1024}, () => console.log(`http://127.0.0.1:${server.address().port}/`));
"""


@clean("lists of 2 to 8 kB from a service that knows the older form of compression alone (deflate), of which a test looks at a name")
def deflate_alone(dice: Random) -> Iterator[Bed]:
    with inline("node", "-e", DEFLATED) as url:
        yield Bed(url, peak(9, 2) + f"-c {dice.randint(12, 20)} --think 150ms..350ms {engine(dice)}--decode "
                  "--expect 'status=200 json:/items/7/name=\"name 7\"' --get /items --get /news",
                  truth=Truth(lambda all: [("200", all.status(200), 1, 1), ("median", all.median, 7, 35)], paths=("/items", "/news"), users=3, think=0.04))


@clean("parts of a file are asked for if it is the same yet (If-Range): 206, and all of it if it is another one, 200")
def parts_if_it_is_the_same(dice: Random) -> Iterator[Bed]:
    length = dice.randint(60, 120) * 1000
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        Path(folder, "film").write_bytes(dice.randbytes(length))
        with faults.nginx("", f"root {folder};") as url:
            tag = answers(url, "/film", 1)[0].getheader("ETag")
            yield Bed(url, peak(9, 2) + f"-c {dice.randint(12, 20)} {engine(dice)}", plan=f"""
scenarios:
  - name: read
    steps:
      - get: /film
        name: begin
        headers: {{Range: bytes=0-19999}}
        checks: status=206 size=20000
        extract: {{tag: "header:ETag"}}
      - think: 80ms..220ms
      - get: /film
        name: go on
        headers: {{Range: bytes=20000-, If-Range: "{{tag}}"}}
        checks: status=206 size={length - 20000}
      - think: 80ms..220ms
      - get: /film
        name: another one
        headers: {{Range: bytes=20000-, If-Range: '"older"'}}
        checks: status=200 size={length}
      - think: 80ms..220ms
""", probe=lambda: [("same", sent(url, 1, "/film", Range="bytes=0-9", If_Range=tag)[0][0], 206, 206),
                    ("other", sent(url, 1, "/film", Range="bytes=0-9", If_Range='"older"')[0][0], 200, 200)])


@clean("answers without bodies over HTTP/2: HEAD, 304 for what hasn't changed, 204 for what is removed, and some with one")
def without_bodies_over_h2(dice: Random) -> Iterator[Bed]:
    with server.go(rule(method="HEAD", ms=(3, 12), bytes=4000), rule(method="DELETE", ms=(8, 22), status=204), rule(path="/same", ms=(4, 14), status=304),
                   rule(ms=(7, 22), bytes=1500)) as url:
        yield Bed(url, peak(9, 2) + f"--http2 --streams {dice.choice((2, 4))} -c {dice.choice((12, 16, 20))} --think 100ms..250ms --engine events "
                  "-H 'If-None-Match: \"v7\"' --head /items/7 --expect status=200 --get /same/7 --expect status=304 --delete /items/8 --expect status=204 "
                  "--get /items/9 --expect status=200", probe=lambda: [
                      (f"{method} {path}", said(url, path, method)[0], status, status) for method, path, status in (
                          ("HEAD", "/items/7", 200), ("GET", "/same/7", 304), ("DELETE", "/items/8", 204), ("GET", "/items/9", 200))])


NO_TABLE = """
process.stdin.on('end', () => process.exit(0)).resume();
const server = require('node:http2').createServer({settings: {headerTableSize: 0, maxConcurrentStreams: 60}}, (request, response) =>
    request.resume().on('end', () => setTimeout(() => {
        for (let field = 0; field < 12; field++) {
            response.setHeader(`x-field-${field}`, `value ${field} ${Math.random()}`);
        }
        response.end('item '.repeat(request.method === 'POST' ? 10 : 280));
    }, request.method === 'POST' ? 14 + 20 * Math.random() : 6 + 16 * Math.random())));
server.listen({port: 0, host: '127.0.0.1', backlog: 1024}, () => console.log(`http://127.0.0.1:${server.address().port}/`));
"""


@clean("a Node server of HTTP/2 that keeps no table of fields (SETTINGS_HEADER_TABLE_SIZE of 0), and sends twelve new ones with each answer")
def no_table_of_fields(dice: Random) -> Iterator[Bed]:
    with inline("node", "-e", NO_TABLE) as url:
        yield Bed(url, peak(9, 2) + f"--http2 --streams {dice.choice((2, 4))} -c {dice.choice((12, 16))} --think 120ms..260ms --engine events "
                  f"-H 'X-User: {dice.randbytes(20).hex()}' {ITEMS_AND_ORDERS}", probe=lambda: [("ms of 6", server.streams_ms(url, 6), 5, 300)])


@clean("a form of five pages whose state goes along with each of them, 2 kB more each time (view state)")
def state_goes_along(dice: Random) -> Iterator[Bed]:
    more = dice.randint(1600, 2400)

    async def answer(asked: Asked) -> bool:
        await some(8, 24)
        state = "s" * (len(asked.body) + more)
        return await asked.say(f'<html><form><input type="hidden" name="state" value="{state}"/></form></html>'.encode())

    pages = "".join(f"""
      - post: /claims/{number}
        name: page {number}
        form: {{state: "{{state}}", answer: "seven"}}
        checks: status=200 size>{number * more}
        extract: {{state: "css:input[name=state]@value"}}
      - think: 80ms..220ms
""" for number in range(2, 6))
    with answering(answer) as url:
        yield Bed(url, peak(10) + f"-c {dice.randint(10, 18)} {engine(dice)}", plan=f"""
scenarios:
  - name: claim
    steps:
      - get: /claims/1
        name: page 1
        extract: {{state: "css:input[name=state]@value"}}
      - think: 80ms..220ms
{pages}
""", truth=Truth(lambda all: [("200", all.status(200), 1, 1), ("median", all.median, 8, 35), ("size", all.share(lambda one: one.size > 3000 + more), 1, 1)],
                 method="POST", body=3000, users=3, think=0.04))


@clean("players find each other: each says every 0.5 s that it is there (--pacing), and gets 30 to 50 addresses, in bencoding")
def players_find_each_other(dice: Random) -> Iterator[Bed]:
    async def answer(asked: Asked) -> bool:
        peers = random.randbytes(6 * random.randint(30, 50))
        await some(4, 15)
        return await asked.say(b"d8:completei9e8:intervali1e5:peers%d:" % len(peers) + peers + b"e")

    with answering(answer) as url:
        yield Bed(url, peak(9, 2) + f"-c {dice.randint(24, 40)} --pacing 500ms --ramp 1s {engine(dice)}", plan="""
scenarios:
  - name: play
    steps:
      - get: "/announce?info_hash=%12%34%56%78%9a%bc&peer_id=-PL{user}-&port={random:2000..60000}&left={random:0..900000}"
        name: GET /announce
        checks: status=200 body~8:intervali1e bytes~65
""", truth=Truth(lambda all: [("200", all.status(200), 1, 1), ("median", all.median, 4, 24)], paths=("/announce?left=7",), users=3, think=0.04))


@clean("texts become vectors: 1 to 16 texts a request, 3 kB of numbers and 4 ms for each")
def texts_become_vectors(dice: Random) -> Iterator[Bed]:
    vector = [round(dice.uniform(-1, 1), 5) for _ in range(320)]
    bodies = [json.dumps({"data": [{"index": number, "embedding": vector} for number in range(count)]}).encode() for count in range(17)]

    async def answer(asked: Asked) -> bool:
        count = len(json.loads(asked.body)["input"])
        await some(9 + 4 * count, 16 + 4 * count)
        return await say_with(asked, "Content-Type: application/json\r\n", bodies[count])

    def vectors(count: int) -> int:
        return len(json.loads(said(url, "/v1/embeddings", "POST", json.dumps({"input": ["text"] * count}).encode())[1])["data"])

    with answering(answer) as url, tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        file.write("\n".join(json.dumps({"texts": json.dumps([f"text {number} " * 12 for number in range(dice.randint(1, 16))])[1:-1]}) for _ in range(60)))
        file.flush()
        yield Bed(url, peak(10, 2) + f"-c {dice.randint(10, 16)} {engine(dice)}", plan=f"""
data:
  inputs: {{json: {file.name}, order: random}}
scenarios:
  - name: embed
    steps:
      - post: /v1/embeddings
        headers: {{Content-Type: application/json}}
        body: '{{{{"model": "small", "input": [{{inputs.texts}}]}}'
        checks: status=200 json:/data/0/index=0
      - think: 150ms..400ms
""", probe=lambda: [("one", vectors(1), 1, 1), ("many", vectors(16), 16, 16)])


# Messages and streams.


@clean("a model guesses some words ahead: one to four come at once, then none for 40 to 70 ms")
def words_come_together(dice: Random) -> Iterator[Bed]:
    async def answer(asked: Asked) -> bool:
        begin_stream(asked)
        await some(90, 200)
        number = 0
        for _ in range(random.randint(8, 16)):
            for _ in range(random.choice((1, 2, 2, 3, 4))):
                number += 1
                await send_event(asked, json.dumps({"choices": [{"index": 0, "delta": {"content": f"word{number} "}}]}))
            await some(40, 70)
        await send_event(asked, "[DONE]")
        return end_stream(asked)

    with answering(answer) as url:
        yield Bed(url, peak(11) + f"-c {dice.randint(10, 18)} --think 150ms..400ms {engine(dice)}--post /v1/chat/completions "
                  "--body '{\"stream\": true}' --event-stream openai", probe=lambda: [
                      ("words", said(url, "/v1/chat/completions", "POST", b"{}")[1].count(b"word"), 8, 64)])


@clean("who wants a ticket waits in a row, whose place a WebSocket says four times, each 0.12 to 0.25 s, and then goes in with a token by HTTP")
def row_before_the_tickets(dice: Random) -> Iterator[Bed]:
    tokens: set[str] = set()

    async def wait(one: Talk) -> None:
        for place in range(4, 0, -1):
            one.say(json.dumps({"place": place}).encode())
            await some(120, 250)
        tokens.add(token := uuid.uuid4().hex)
        one.say(json.dumps({"token": token}).encode())
        while (await one.next())[0]:
            pass

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
                fields = {line.split(":", 1)[0].lower(): line.split(":", 1)[1].strip() for line in head[1:] if ":" in line}
                if "sec-websocket-key" in fields:
                    writer.write(switched(fields["sec-websocket-key"]))
                    await wait(Talk(head[0].split(" ")[1], reader, writer))
                    break
                await some(8, 24)
                status = "200 OK" if fields.get("x-token") in tokens else "403 Forbidden"
                writer.write(f"HTTP/1.1 {status}\r\nContent-Length: 900\r\n\r\n".encode() + b"t" * 900)
        writer.close()

    with faults._listening(serve) as port:  # noqa: SLF001
        url = f"http://127.0.0.1:{port}/"
        yield Bed(url, peak(11) + f"-c {dice.randint(12, 22)} {engine(dice)}", plan="""
scenarios:
  - name: buy
    steps:
      - connect: /row
      - expect: {json: {/place: 1}, within: 3s}
        name: first in the row
      - expect: {text: {contains: token}, within: 2s}
        name: turn
        extract: {token: "json:/token"}
      - close: 1000
      - get: /tickets
        headers: {X-Token: "{token}"}
        checks: status=200
      - think: 100ms..250ms
      - get: /seats
        headers: {X-Token: "{token}"}
        checks: status=200
      - think: 100ms..250ms
""", probe=lambda: [("places", talked(url, "/row", "hello", 1.5).count(b"place"), 3, 4), ("without", said(url, "/tickets")[0], 403, 403)])


@clean("messages by WebSocket that a server sends back in three frames each, with a ping between two of them")
def messages_in_three_frames(dice: Random) -> Iterator[Bed]:
    def back(one: Talk, kind: int, data: bytes) -> None:
        third = len(data) // 3
        for number, part in enumerate((data[:third], data[third:2 * third], data[2 * third:])):
            size = bytes([len(part)]) if len(part) < 126 else b"\x7e" + len(part).to_bytes(2, "big")
            one.writer.write(bytes([(128 if number == 2 else 0) | (0 if number else kind)]) + size + part)
            if number == 1:
                one.say(b"there?", 9)

    with relaying(back) as url:
        yield Bed(f"ws{url[4:]}echo/{{pair}}", peak(9, 2) + f"--subscribers 0 -c {dice.randint(12, 22)} --rate '{dice.randint(40, 90)} messages/s' "
                  f"--message-size {dice.randint(300, 2000)} {dice.choice(('', '--arrivals poisson '))}",
                  probe=lambda: [("frames", talked(url, "/echo/7", "a" * 30).count(b"a" * 10), 3, 3)])


@clean("plans of houses, 150 to 400 kB each, which architects ask for by WebSocket and then look at for a while")
def plans_of_houses(dice: Random) -> Iterator[Bed]:
    async def talk(one: Talk) -> None:
        while (await one.next())[0]:
            await some(20, 60)
            text = b'{"plan": "' + b"line " * random.randint(30_000, 80_000) + b'"}'
            one.writer.write(b"\x81\x7f" + len(text).to_bytes(8, "big") + text)
            await one.writer.drain()

    with talking(talk) as url:
        yield Bed(url, peak(11) + f"-c {dice.randint(5, 8)} {engine(dice)}", plan="""
scenarios:
  - name: look
    steps:
      - connect: /houses
      - repeat: 4
        steps:
          - send: {json: {show: "{random:1..90}"}}
            name: ask
          - expect: {text: {contains: plan}, within: 3s}
            name: plan
          - think: 500ms..900ms
      - close: 1000
""", probe=lambda: [("kB", len(talked(url, "/houses", "show")) / 1000, 150, 402)])


@clean("a broker for MQTT that saves what it has once a second, and messages with an acknowledgement (QoS 1)")
def broker_saves_each_second(dice: Random) -> Iterator[Bed]:
    with mosquitto("persistence true\npersistence_location FOLDER/\nautosave_interval 1") as port:
        yield Bed(f"mqtt://127.0.0.1:{port}/orders/{{pair}}", peak(9, 2) + f"--qos 1 -c {dice.randint(10, 18)} --rate '{dice.randint(40, 80)} messages/s' "
                  f"--message-size {dice.randint(80, 800)} {dice.choice(('', '--arrivals poisson '))}", probe=lambda: [("passed on", relayed(port), 1, 1)])


@clean("pairs who talk by GraphQL: one sends by a mutation, the other one has subscribed (graphql-transport-ws)")
def pairs_by_graphql(dice: Random) -> Iterator[Bed]:
    rooms: dict[str, dict[Talk, str]] = collections.defaultdict(dict)

    def say(one: Talk, **message: object) -> None:
        one.say(json.dumps(message, separators=(",", ":")).encode())

    async def talk(one: Talk) -> None:
        try:
            while True:
                kind, data = await one.next()
                if not kind:
                    return
                message = json.loads(data)
                if message["type"] == "connection_init":
                    say(one, type="connection_ack")
                elif message["type"] == "subscribe":
                    query = message["payload"]["query"]
                    room = re.search(r'room: "([^"]*)"', query).group(1)
                    if query.startswith("subscription"):
                        rooms[room][one] = message["id"]
                        continue
                    await some(2, 9)
                    for other, its in rooms[room].items():
                        say(other, id=its, type="next", payload={"data": {"message": re.search(r'text: "([^"]*)"', query).group(1)}})
                    say(one, id=message["id"], type="next", payload={"data": {"send": "ok"}})
                    say(one, id=message["id"], type="complete")
        finally:
            for those in rooms.values():
                those.pop(one, None)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            agreed = switched(re.search(r"(?i)sec-websocket-key: *(\S+)", head).group(1))
            if "graphql-transport-ws" in head:
                agreed = agreed[:-2] + b"Sec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n"
            writer.write(agreed)
            await talk(Talk(head.split(" ")[1], reader, writer))
        writer.close()

    with faults._listening(serve) as port:  # noqa: SLF001
        url = f"http://127.0.0.1:{port}/"
        yield Bed(f"ws{url[4:]}graphql", peak(9, 2) + f"--pairs-protocol graphql-transport-ws -c {dice.randint(10, 20)} "
                  f"--rate '{dice.randint(40, 80)} messages/s' --message-size {dice.randint(80, 700)} {dice.choice(('', '--arrivals poisson '))}",
                  probe=lambda: [("acknowledged", talked(url, "/graphql", '{"type":"connection_init"}').count(b"connection_ack"), 1, 1)])


# Forms of load, and figures.


@clean("a service, and the figures of its machine as its operators have them (node_exporter), which a test reads: a sixth of its CPU time, room in its memory")
def figures_of_a_machine(dice: Random) -> Iterator[Bed]:
    begin = time.monotonic()

    async def figures(asked: Asked) -> bool:
        seconds = 90_000 + time.monotonic() - begin
        lines = [f'node_cpu_seconds_total{{cpu="{cpu}",mode="{mode}"}} {seconds * share:.2f}' for cpu in range(4)
                 for mode, share in (("idle", 0.84), ("user", 0.11), ("system", 0.04), ("iowait", 0.01))]
        lines += ["node_memory_MemTotal_bytes 1.6777216e+10", f"node_memory_MemAvailable_bytes {random.randint(10_100, 10_400) * 1_000_000}",
                  f"node_load1 {random.uniform(0.5, 0.8):.2f}", f'node_network_transmit_bytes_total{{device="eth0"}} {int(seconds * 90_000)}', ""]
        return await say_with(asked, "Content-Type: text/plain; version=0.0.4\r\n", "\n".join(lines).encode())

    with answering(figures) as machine, server.go(rule(method="POST", ms=(14, 34)), rule(ms=(7, 22), bytes=1300)) as url:
        yield Bed(url, peak(10, 2) + f"{modest(dice, (50, 90))}{ITEMS_AND_ORDERS} --server-metrics machine={machine}metrics --server-metric load=node_load1 "
                  "--server-metric available=node_memory_MemAvailable_bytes", truth=Truth(
                      lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 7, 35)], think=0.04))


@clean("five seconds of users who think, then six at an even rate that is about as high, at a service with room")
def users_then_a_rate(dice: Random) -> Iterator[Bed]:
    users = dice.randint(14, 22)
    with dice.choice((server.go, server.node))(rule(method="POST", ms=(14, 34)), rule(ms=(7, 22), bytes=1300)) as url:
        yield Bed(url, f"--phases 'warmup=0.5 for 1s,users=1 for 5s,peak=1 for 6s at {round(users * 4.5)}/s' -c {users} --think 350ms..450ms {engine(dice)}"
                  + ITEMS_AND_ORDERS, truth=Truth(
                lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 7, 35)], think=0.04))
