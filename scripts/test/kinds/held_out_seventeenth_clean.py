"""
Healthy kinds beside the seventeenth held-out set. Don't read on if you change rules.

No rule was tuned on it. All kinds are healthy: an expert who sees their figures would say that nothing is wrong.
"""

from __future__ import annotations

import asyncio
import base64
import collections
import contextlib
import hashlib
import json
import math
import os
import random
import shutil
import socket
import subprocess
import tempfile
import threading
import time
import uuid
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from random import Random

import behaviours as server
import faults
from asking import Truth
from behaviours import option, rule
from kinds import Bed, clean, engine, peak, pick
from kinds.held_out_eighth import begin_stream, end_stream, send_event
from kinds.held_out_eleventh import Database, apache, mosquitto, postgres, sql
from kinds.held_out_fifth import Clock
from kinds.held_out_fourth import between, inline, sent
from kinds.held_out_healthy import EC, java_service, say_with
from kinds.held_out_ninth import ITEMS_AND_ORDERS
from kinds.held_out_second import Asked, answering, some
from kinds.held_out_seventh import rows, said
from kinds.held_out_sixth import reply
from kinds.held_out_tenth import Store, redis
from kinds.held_out_thirteenth import open_model
from kinds.held_out_twelfth import modest, switched


@contextlib.contextmanager
def made_by_go(source: str, *arguments: str) -> Iterator[str]:
    """The address of a program in Go, which prints it."""
    program = shutil.which("go", path=os.environ["PATH"] + ":/usr/local/go/bin")
    if program is None:
        raise faults.Impossible("no go")
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "program.go").write_text(source)
        done = subprocess.run([program, "build", "-o", f"{folder}/program", f"{folder}/program.go"], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise faults.Impossible(f"go build: {done.stderr.strip()}")
        with server._started([f"{folder}/program", *arguments], []) as url:  # noqa: SLF001
            yield url


class Talk:
    """One side of a WebSocket, that of a server."""

    def __init__(self, path: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.path = path
        self.reader = reader
        self.writer = writer

    async def next(self) -> tuple[int, bytes]:
        """The kind of the next message, 1 or 2, and its content; (0, b"") when the other side has closed. Pings are answered."""
        while True:
            first, length = await self.reader.readexactly(2)
            length &= 127
            if length > 125:
                length = int.from_bytes(await self.reader.readexactly(2 if length == 126 else 8), "big")
            mask = await self.reader.readexactly(4)
            data = bytes(byte ^ mask[place % 4] for place, byte in enumerate(await self.reader.readexactly(length)))
            kind = first & 15
            if kind in (1, 2):
                return kind, data
            if kind in (8, 9):
                self.say(data, 8 if kind == 8 else 10)
            if kind == 8:
                return 0, b""

    def say(self, data: bytes, kind: int = 1) -> None:
        if not self.writer.is_closing():
            size = bytes([len(data)]) if len(data) < 126 else b"\x7e" + len(data).to_bytes(2, "big")
            self.writer.write(bytes([128 | kind]) + size + data)


@contextlib.contextmanager
def talking(talk: Callable[[Talk], Awaitable[None]]) -> Iterator[str]:
    """The address of a server for WebSocket."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            writer.write(switched(next(line.split(":", 1)[1].strip() for line in head if line.lower().startswith("sec-websocket-key:"))))
            await talk(Talk(head[0].split(" ")[1], reader, writer))
        writer.close()

    with faults._listening(serve) as port:  # noqa: SLF001
        yield f"http://127.0.0.1:{port}/"


def talked(url: str, path: str, text: str, seconds: float = 0.6) -> bytes:
    """The bytes that a server for WebSocket sends within that time after a text."""
    got = b""
    with socket.create_connection(("127.0.0.1", server.port(url)), timeout=seconds) as connection, contextlib.suppress(OSError):
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n".encode()
                           + b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
        connection.recv(4096)
        connection.sendall(b"\x81" + bytes([128 | len(text)]) + b"\0\0\0\0" + text.encode())
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            got += connection.recv(4096)
    return got


# Times.


@clean("a search asks twenty parts of an index at once, and answers when the last one has: each takes 4 ms and an exponential time of 3 to 5 ms")
def last_of_twenty_parts(dice: Random) -> Iterator[Bed]:
    mean = pick(dice, 3, 5)

    async def answer(asked: Asked) -> bool:
        await asyncio.sleep((4 + max(random.expovariate(1 / mean) for _ in range(20))) / 1000)
        return await asked.say(b"x" * 1800)

    with answering(answer) as url:
        yield Bed(url, peak(9, 2) + f"{open_model(dice, 50, dice.randint(50, 100))}--get /search?q=shoes --get /search?q=hats", truth=Truth(
            lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 4 + 2.5 * mean, 14 + 4 * mean), ("slow", all.slower(14 * mean + 20), 0, 0.02)]))


@clean("folders whose lengths follow Zipf's law: the first one has 3,000 entries, the 150th 20, and the time follows from the length")
def folders_by_zipf(dice: Random) -> Iterator[Bed]:
    each = pick(dice, 0.015, 0.022)

    async def answer(asked: Asked) -> bool:
        entries = 3000 // int(asked.path.split("/")[2])
        await some(6 + each * entries, 14 + each * entries)
        return await asked.say(b"entry " * entries)

    with answering(answer) as url:
        yield Bed(url, peak(9, 2) + f"-c {dice.randint(14, 24)} {engine(dice)}", plan="""
scenarios:
  - name: look
    steps:
      - get: "/folders/{random:1..150}"
        name: GET /folders/NUMBER
      - think: 100ms..250ms
""", truth=Truth(lambda all: [("failed", all.failed, 0, 0), ("longest", all.of("/folders/1").median, 6 + 3000 * each, 46 + 3000 * each),
                              ("shortest", all.of("/folders/150").median, 6, 25)], paths=("/folders/1", "/folders/150")))


@clean("a planner of routes that uses its whole second for each question, and answers with the best route that it has found by then")
def planner_uses_its_second(dice: Random) -> Iterator[Bed]:
    async def answer(asked: Asked) -> bool:
        if asked.method == "POST":
            await some(1000, 1010)
            return await asked.say(b"x" * 4000)
        await some(6, 18)
        return await asked.say(b"x" * 700)

    with answering(answer) as url:
        yield Bed(url, peak(12, 2) + f"-c {dice.randint(12, 20)} {engine(dice)}", plan="""
scenarios:
  - name: travel
    steps:
      - get: "/places/{random:1..400}"
        name: GET /places/NUMBER
      - think: 200ms..600ms
      - post: /routes
        json: {from: 7, to: 9}
      - think: 300ms..900ms
""", truth=Truth(lambda all: [("200", all.status(200), 1, 1), ("shortest", min(one.ms for one in all.all), 999, 1200), ("longest", all.slowest, 1000, 1500)],
                 method="POST", body=20, paths=("/routes",), seconds=4))


@clean("six clerks with lognormal times around 30 ms, to whom visits of three steps come at random: they are busy for 30 to 40 % of the time")
def six_clerks(dice: Random) -> Iterator[Bed]:
    clerks = asyncio.Semaphore(6)
    # A step keeps a clerk for 34 ms in the mean.
    visits = round(6 / 0.034 * pick(dice, 0.3, 0.4) / 3)

    async def answer(asked: Asked) -> bool:
        async with clerks:
            await asyncio.sleep(min(300, random.lognormvariate(math.log(30), 0.5)) / 1000)
        return await asked.say(b"x" * 1100)

    with answering(answer) as url:
        yield Bed(url, peak(10, 2) + f"-c 120 --rate '{visits} journeys/s' --arrivals poisson {engine(dice)}", plan="""
scenarios:
  - name: visit
    steps:
      - get: /forms
      - think: 200ms..500ms
      - post: /forms
        form: {name: "{user}"}
      - think: 200ms..500ms
      - get: /receipts
""", truth=Truth(lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 22, 45), ("slow", all.slower(160), 0, 0.03)], users=3, think=0.05))


@clean("eight users share each connection of HTTP/2, and ask for stock in 2 to 6 ms and for offers of other shops in 0.9 to 1.4 s")
def offers_beside_stock_over_h2(dice: Random) -> Iterator[Bed]:
    with server.go(rule(path="/offers", ms=(900, 1400), bytes=2500), rule(ms=(2, 6), bytes=300)) as url:
        yield Bed(url, peak(11, 2) + f"--http2 --streams 8 -c {dice.choice((24, 32))} --engine events", plan="""
scenarios:
  - name: stock
    weight: 3
    steps: [{get: "/stock/{random:1..90}", name: GET /stock/NUMBER}, {think: 300ms..700ms}]
  - name: offers
    weight: 1
    steps: [{get: /offers}, {think: 300ms..700ms}]
""", truth=Truth(lambda all: [("failed", all.failed, 0, 0), ("stock", all.of("/stock/7").median, 2, 15), ("offers", all.of("/offers").median, 900, 1420)],
                 paths=("/stock/7", "/offers"), users=8))


@clean("a release in the middle of the peak makes pages three times as large, 9 in place of 3 kB, and they come as fast as before")
def release_makes_pages_larger(dice: Random) -> Iterator[Bed]:
    at, clock = pick(dice, 5.5, 7), Clock()

    async def answer(asked: Asked) -> bool:
        size = 9000 if clock() > at else 3000
        await some(8, 24)
        return await asked.say(b"x" * size)

    with answering(answer) as url:
        yield Bed(url, peak(10, 2) + f"{modest(dice, (60, 100))}--get /home --get /news", truth=Truth(
            lambda all: [("failed", all.failed, 0, 0), ("before", between(all, 0, at - 0.1).share(lambda one: one.size == 3000), 1, 1),
                         ("after", between(all, at + 0.1, 20).share(lambda one: one.size == 9000), 1, 1),
                         ("median", between(all, at + 0.1, 20).median, 8, 32)], users=3, think=0.05, seconds=8))


@clean("three levels of a cache: 70 % are in a process's own memory, 2 to 6 ms, 26 % in that of a neighbour, 8 to 16 ms, 4 % are made, 28 to 48 ms")
def three_levels_of_a_cache(dice: Random) -> Iterator[Bed]:
    async def answer(asked: Asked) -> bool:
        level = random.random()
        await (some(2, 6) if level < 0.7 else some(8, 16) if level < 0.96 else some(28, 48))
        return await asked.say(b"x" * 1500)

    with answering(answer) as url:
        yield Bed(url, peak(10, 2) + f"-c 50 --rate {dice.randint(70, 110)}/s --arrivals poisson {engine(dice)}--get /pages/7 --get /pages/8", truth=Truth(
            lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 2, 14), ("made", all.slower(27), 0.005, 0.12)]))


# Databases and stores.


@clean("words are looked for in 3,000 texts of a Postgres, by an index of words, and texts are read")
def words_in_texts_of_postgres(dice: Random) -> Iterator[Bed]:
    with postgres("create table texts (id int primary key, body text, words tsvector)",
                  "insert into texts select id, body, to_tsvector('simple', body) from (select n id, "
                  "(select string_agg('w' || (n * 31 + k * k * 17) % 900, ' ') from generate_series(1, 60) k) body from generate_series(1, 3000) n) made",
                  "create index on texts using gin (words)", "analyze") as port:
        database = Database(port, 12)

        async def answer(asked: Asked) -> bool:
            number = random.randrange(900)
            failed = await database.ask(f"select id, body from texts where words @@ to_tsquery('simple', 'w{number}') order by id limit 20"
                                        if asked.path == "/search" else f"select body from texts where id = {1 + number}")
            await some(4, 14)
            return await asked.say(failed.encode() or b"x" * 1200, 500 if failed else 200)

        with answering(answer) as url:
            yield Bed(url, peak(9, 2) + f"{modest(dice, (50, 90))}--get /search --get /texts", truth=Truth(
                lambda all: [("200", all.status(200), 1, 1), ("median", all.median, 4, 35)], paths=("/search", "/texts"), users=3, think=0.04))


@clean("a Postgres writes what is new to its files each two seconds (checkpoint), beside orders that are stored and read")
def checkpoints_beside_orders(dice: Random) -> Iterator[Bed]:
    with postgres("create table orders (id serial primary key, text text)", "insert into orders (text) values ('first')") as port:
        database, over = Database(port, 12), threading.Event()

        def write_now_and_then() -> None:
            while not over.wait(2):
                sql(port, "checkpoint")

        async def answer(asked: Asked) -> bool:
            failed = await database.ask(f"insert into orders (text) values ('{'x' * 150}')" if asked.method == "POST" else
                                        "select * from orders order by id desc limit 10")
            await some(5, 16)
            return await asked.say(failed.encode() or b"x" * 700, 500 if failed else 200)

        thread = threading.Thread(target=write_now_and_then)
        thread.start()
        try:
            with answering(answer) as url:
                yield Bed(url, peak(10, 2) + f"{modest(dice, (50, 90))}--get /orders --post /orders --body order", truth=Truth(
                    lambda all: [("200", all.status(200), 1, 1), ("median", all.median, 5, 35), ("slow", all.slower(150), 0, 0.03)],
                    method="POST", body=5, users=3, think=0.04, seconds=5))
        finally:
            over.set()
            thread.join()


@clean("a small Redis, which a process of its own saves once a second, keeps the baskets of a shop")
def baskets_are_saved_each_second(dice: Random) -> Iterator[Bed]:
    with redis("--save", "1 1") as (port, _):
        store = Store(port)

        async def answer(asked: Asked) -> bool:
            key = f"basket {random.randrange(500)}"
            answered = await (store.ask("SET", key, "x" * 600) if asked.method == "PUT" else store.ask("GET", key))
            await some(5, 17)
            return await asked.say(b"x" * 600, 500 if answered.startswith("-") else 200)

        with answering(answer) as url:
            yield Bed(url, peak(9, 2) + f"{modest(dice, (60, 100))}--get /baskets/7 --put /baskets/7 --body basket", truth=Truth(
                lambda all: [("200", all.status(200), 1, 1), ("median", all.median, 5, 30), ("slow", all.slower(120), 0, 0.02)],
                method="PUT", body=60, users=3, think=0.04))


# Runtimes and servers.


@clean("a Java server whose collector works beside its requests (ZGC), and removes the 300 to 500 texts that each of them makes")
def collector_works_beside(dice: Random) -> Iterator[Bed]:
    with tempfile.TemporaryDirectory() as folder, java_service(
            folder, 0, 8, 24, dice.randint(300, 500), 200, options=("-Xmx192m", "-XX:+UseZGC", "-XX:ConcGCThreads=1")) as url:
        yield Bed(url, peak(9, 4) + f"{modest(dice, (50, 80))}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 8, 45)], think=0.06))


GATEWAY = """
package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
)

func main() {
	behind, err := url.Parse(os.Args[1])
	if err != nil {
		panic(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(behind)
	proxy.Transport = &http.Transport{MaxIdleConnsPerHost: 200}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Printf("http://%s/\\n", listener.Addr())
	go http.Serve(listener, proxy)
	io.Copy(io.Discard, os.Stdin)
}
"""


@clean("a gateway made with Go's own proxy before a Java server, whose connections it keeps")
def gateway_of_go(dice: Random) -> Iterator[Bed]:
    with server.java(rule(method="POST", ms=(14, 36), status=201), rule(ms=(7, 22), bytes=1600)) as behind, made_by_go(GATEWAY, behind) as url:
        yield Bed(url, peak(9, 3) + f"{modest(dice, (60, 100))}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 7, 35)], think=0.03))


PACKED = """
package main

import (
	"archive/zip"
	"fmt"
	"io"
	"math/rand"
	"net"
	"net/http"
	"os"
	"strings"
	"time"
)

func main() {
	words := []string{"order", "invoice", "paid", "open", "street", "city", "name", "amount", "euro", "date"}
	http.HandleFunc("/", func(w http.ResponseWriter, q *http.Request) {
		time.Sleep(time.Duration(4000+rand.Intn(8000)) * time.Microsecond)
		if !strings.HasPrefix(q.URL.Path, "/archives") {
			fmt.Fprint(w, strings.Repeat("invoice ", 150))
			return
		}
		w.Header().Set("Content-Type", "application/zip")
		archive := zip.NewWriter(w)
		for file := range 3 {
			to, _ := archive.Create(fmt.Sprintf("%d.txt", file))
			var text strings.Builder
			for range 3000 {
				fmt.Fprintf(&text, "%s %d ", words[rand.Intn(len(words))], rand.Intn(1000))
			}
			io.WriteString(to, text.String())
		}
		archive.Close()
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


@clean("archives of three files, which a Go server packs while it sends them, six to nine a second, beside a list")
def archives_are_packed(dice: Random) -> Iterator[Bed]:
    with made_by_go(PACKED) as url:
        yield Bed(url, peak(10, 2) + f"-c 40 --rate {dice.randint(12, 18)}/s --arrivals poisson {engine(dice)}--get /invoices --get /archives/7", truth=Truth(
            lambda all: [("failed", all.failed, 0, 0), ("archives", all.of("/archives/7").median, 5, 70), ("invoices", all.of("/invoices").median, 4, 25)],
            paths=("/invoices", "/archives/7"), users=2, think=0.1))


@clean("nginx asks a service by SCGI, with a connection for each request, which users don't see")
def nginx_before_scgi(dice: Random) -> Iterator[Bed]:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            length = int((await reader.readuntil(b":"))[:-1])
            fields = (await reader.readexactly(length + 1))[:-2].split(b"\0")
            values = dict(zip(fields[::2], fields[1::2], strict=False))
            await reader.readexactly(int(values[b"CONTENT_LENGTH"] or 0))
            await (some(14, 34) if values[b"REQUEST_METHOD"] == b"POST" else some(7, 20))
            writer.write(b"Status: 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 800\r\n\r\n" + b"x" * 800)
            await writer.drain()
        writer.close()

    parameters = "".join(f"scgi_param {name} {value}; " for name, value in (
        ("CONTENT_LENGTH", "$content_length"), ("SCGI", "1"), ("REQUEST_METHOD", "$request_method"), ("REQUEST_URI", "$request_uri")))
    with faults._listening(serve) as port, faults.nginx("", f"location / {{ {parameters}scgi_pass 127.0.0.1:{port}; }}") as url:  # noqa: SLF001
        yield Bed(url, peak(9, 2) + f"{modest(dice, (50, 90))}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("200", all.status(200), 1, 1), ("median", all.median, 7, 40)], think=0.03))


@clean("pages in English, French and German at one address, of which Apache chooses one by what a browser asks for (MultiViews)")
def language_by_apache(dice: Random) -> Iterator[Bed]:
    lengths = {"en": 3000, "fr": 3600, "de": 4100}
    with apache("MaxKeepAliveRequests 0\nKeepAliveTimeout 30\nTypesConfig /dev/null\nAddType text/html .html\n"
                + "".join(f"AddLanguage {one} .{one}\n" for one in lengths) + "<Location />\nOptions MultiViews\n</Location>", "mime", "negotiation",
                files={f"home.html.{one}": length for one, length in lengths.items()}) as url:
        steps = "".join(f"  - name: {one}\n    steps:\n      - get: /home\n        headers: {{Accept-Language: {one}}}\n"
                        f"        checks: status=200 size={length} header:Content-Language={one}\n      - think: 100ms..300ms\n"
                        for one, length in lengths.items())
        yield Bed(url, peak(9, 2) + f"-c {dice.randint(14, 24)} {engine(dice)}", plan=f"scenarios:\n{steps}", probe=lambda: [
            (one, reply(url, f"GET /home HTTP/1.1\r\nHost: a\r\nAccept-Language: {one}\r\nConnection: close\r\n\r\n".encode())
             .count(f"Content-Language: {one}".encode()), 1, 1) for one in lengths])


@clean("links with a signature and an end: nginx gives the file, or says 410 for a link that has ended, one in eight, as a test expects")
def links_with_an_end(dice: Random) -> Iterator[Bed]:
    def link(number: int, end: int) -> str:
        digest = hashlib.md5(f"{end}/files/{number}.bin secret".encode()).digest()  # noqa: S324
        return f"{number}.bin?md5={base64.urlsafe_b64encode(digest).decode().rstrip('=')}&end={end}"

    soon, long_ago = int(time.time()) + 3600, int(time.time()) - 3600
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        Path(folder, "files").mkdir()
        for number in range(12):
            Path(folder, "files", f"{number}.bin").write_bytes(dice.randbytes(dice.randint(4, 40) * 1000))
        with faults.nginx("", f'root {folder}; location /files/ {{ secure_link $arg_md5,$arg_end; secure_link_md5 "$secure_link_expires$uri secret"; '
                          'if ($secure_link = "") { return 403; } if ($secure_link = "0") { return 410; } }') as url, \
                rows("link", [link(number, soon) for number in range(12)]) as good, rows("link", [link(number, long_ago) for number in range(12)]) as old:
            yield Bed(url, peak(9, 2) + f"-c 40 --rate '{dice.randint(50, 90)} journeys/s' {dice.choice(('', '--arrivals poisson '))}{engine(dice)}", plan=f"""
data:
  good: {{csv: {good}, order: random}}
  old: {{csv: {old}, order: random}}
scenarios:
  - name: good
    weight: 7
    steps: [{{get: "/files/{{good.link}}", name: good, checks: status=200}}]
  - name: old
    weight: 1
    steps: [{{get: "/files/{{old.link}}", name: old, checks: status=410}}]
""", probe=lambda: [("good", said(url, f"/files/{link(7, soon)}")[0], 200, 200), ("old", said(url, f"/files/{link(7, long_ago)}")[0], 410, 410),
                    ("wrong", said(url, f"/files/8.bin?md5=abc&end={soon}")[0], 403, 403)])


@clean("HAProxy passes connections on to nginx, with the users' addresses before them (PROXY protocol)")
def addresses_before_connections(dice: Random) -> Iterator[Bed]:
    port = faults.free_port()
    with server.go(rule(method="POST", ms=(14, 36)), rule(ms=(7, 22), bytes=1300)) as behind, faults.nginx(
            f"upstream one {{ server {behind[7:-1]}; keepalive 64; }}",
            f'listen 127.0.0.1:{port} proxy_protocol; set_real_ip_from 127.0.0.1; real_ip_header proxy_protocol; '
            'add_header X-User $remote_addr; location / { proxy_http_version 1.1; proxy_set_header Connection ""; proxy_pass http://one; }'), \
            server.haproxy(f"listen all\n  mode tcp\n  bind LISTEN\n  server one 127.0.0.1:{port} send-proxy-v2") as url:
        yield Bed(url, peak(9, 2) + f"{modest(dice, (60, 100))}{ITEMS_AND_ORDERS} --expect 'status=200 header:X-User=127.0.0.1'", truth=Truth(
            lambda all: [("200", all.status(200), 1, 1), ("median", all.median, 7, 35)], think=0.03))


@clean("nginx sends pages of 25 to 60 kB in records of TLS of 1 kB each, so that a browser can begin early")
def small_records_of_tls(dice: Random) -> Iterator[Bed]:
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        for name in ("one", "two", "three"):
            Path(folder, name).write_bytes(dice.randbytes(dice.randint(25, 60) * 1000))
        with faults.nginx("", f"root {folder}; ssl_buffer_size 1k;", tls=EC) as url:
            yield Bed(url, peak(9, 2) + f"-k {modest(dice, (40, 70))}--get /one --get /two --get /three", truth=Truth(
                lambda all: [("200", all.status(200), 1, 1), ("slow", all.slower(80), 0, 0.03)], paths=("/one", "/two", "/three"), users=3, think=0.05))


@clean("a private network whose packets have at most 1,280 bytes, and pages of 3 to 9 kB")
def network_with_small_packets(dice: Random) -> Iterator[Bed]:
    with faults.network("ip link set lo mtu 1280") as inside, server.go(
            rule(method="POST", ms=(14, 36)), rule(ms=(7, 22), bytes=dice.randint(3000, 9000)), under=inside) as url:
        yield Bed(url, peak(9, 2) + f"{modest(dice, (50, 90))}{ITEMS_AND_ORDERS}", inside, truth=Truth(
            lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 7, 35)], think=0.03))


@clean("short answers that HAProxy gives itself, without a server behind it, in less than a millisecond")
def answered_by_haproxy(dice: Random) -> Iterator[Bed]:
    with server.haproxy("frontend all\n  bind LISTEN\n  http-request return status 200 content-type text/plain string healthy if { path /health }\n"
                        "  http-request return status 200 content-type application/json string \"{}\"") as url:
        yield Bed(url, peak(8, 2) + f"{open_model(dice, 40, dice.randint(60, 110))}--get /health --get /settings", truth=Truth(
            lambda all: [("200", all.status(200), 1, 1), ("slow", all.slower(30), 0, 0.03)], paths=("/health", "/settings"), users=2, seconds=2))


# Forms of requests.


@clean("names are asked for over HTTPS: questions of 33 bytes and answers of 90 in binary, over HTTP/2, in 1 to 9 ms")
def names_over_https(dice: Random) -> Iterator[Bed]:
    question = base64.b64encode(b"\0\0\1\0\0\1\0\0\0\0\0\0\4shop\7example\3com\0\0\1\0\1").decode()
    with server.go(option(tls=1), rule(method="POST", ms=(1, 9), bytes=90, header="Content-Type:application/dns-message")) as url:
        yield Bed(url, peak(9, 2) + f"-k --http2 --streams {dice.choice((2, 4))} -c {dice.choice((16, 24))} --engine events", plan=f"""
scenarios:
  - name: ask
    steps:
      - post: /dns-query
        headers: {{Content-Type: application/dns-message, Accept: application/dns-message}}
        bodyBase64: "{question}"
        checks: status=200 size=90 type=application/dns-message
      - think: 150ms..350ms
""", truth=Truth(lambda all: [("200", all.status(200), 1, 1), ("median", all.median, 1, 20)], paths=("/dns-query",), method="POST", body=33, users=3,
                 think=0.03))


@clean("layers of 30 to 90 kB are pushed to a registry: a place is asked for (202), the layer sent (202), named (201), and looked at (200)")
def layers_of_a_registry(dice: Random) -> Iterator[Bed]:
    lengths: dict[str, int] = {}

    async def answer(asked: Asked) -> bool:
        if asked.method == "POST":
            await some(6, 18)
            place = str(uuid.uuid4())
            lengths[place] = 0
            return await say_with(asked, f"Docker-Upload-UUID: {place}\r\n", b"", 202)
        place = asked.path.split("/")[-1].split("?")[0]
        if asked.method == "PATCH":
            lengths[place] += len(asked.body)
            await some(12, 30)
            return await say_with(asked, "", b"", 202)
        await some(6, 18)
        if asked.method == "HEAD":
            asked.writer.write(f"HTTP/1.1 {200 if lengths.get(place) else 404} Status\r\nContent-Length: {lengths.get(place, 0)}\r\n\r\n".encode())
            return True
        return await asked.say(b"", 201 if lengths.get(place) else 404)

    with answering(answer) as url, tempfile.NamedTemporaryFile() as layer:
        layer.write(dice.randbytes(dice.randint(30, 90) * 1000))
        layer.flush()
        yield Bed(url, peak(10, 2) + f"-c {dice.randint(8, 14)} {engine(dice)}", plan=f"""
scenarios:
  - name: push
    steps:
      - post: /v2/shop/blobs/uploads/
        name: begin
        checks: status=202
        extract: {{place: "header:Docker-Upload-UUID"}}
      - patch: "/v2/shop/blobs/uploads/{{place}}"
        name: send
        bodyFile: {layer.name}
        checks: status=202
      - put: "/v2/shop/blobs/uploads/{{place}}?digest=sha256:7"
        name: end
        checks: status=201
      - head: "/v2/shop/blobs/{{place}}"
        name: look
        checks: status=200
      - think: 200ms..500ms
""", probe=lambda: [("begin", said(url, "/v2/shop/blobs/uploads/", "POST")[0], 202, 202),
                    ("send", said(url, f"/v2/shop/blobs/uploads/{next(iter(lengths))}", "PATCH", b"layer")[0], 202, 202),
                    ("end", said(url, f"/v2/shop/blobs/uploads/{next(iter(lengths))}", "PUT")[0], 201, 201),
                    ("look", said(url, f"/v2/shop/blobs/{next(iter(lengths))}", "HEAD")[0], 200, 200)])


@clean("a service for Git: what there is, in a list of 2 kB, and then packs of 15 to 80 kB, of a length that nobody has said before")
def packs_of_git(dice: Random) -> Iterator[Bed]:
    async def answer(asked: Asked) -> bool:
        if asked.method == "GET":
            await some(8, 22)
            return await asked.say(b"001e# service=git-upload-pack\n0000" + b"refs/heads/main " * 125)
        asked.writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/x-git-upload-pack-result\r\nTransfer-Encoding: chunked\r\n\r\n")
        await some(12, 30)
        for _ in range(random.randint(2, 10)):
            asked.writer.write(b"1f40\r\n" + b"p" * 8000 + b"\r\n")
            await asked.writer.drain()
            await some(1, 4)
        asked.writer.write(b"0\r\n\r\n")
        return True

    with answering(answer) as url:
        yield Bed(url, peak(10, 2) + f"-c {dice.randint(10, 18)} {engine(dice)}", plan="""
scenarios:
  - name: fetch
    steps:
      - get: /shop.git/info/refs?service=git-upload-pack
        name: refs
        checks: body~git-upload-pack
      - post: /shop.git/git-upload-pack
        name: pack
        headers: {Content-Type: application/x-git-upload-pack-request}
        body: 0032want 0123456789012345678901234567890123456789
        checks: status=200 size>=16000
      - think: 250ms..600ms
""", probe=lambda: [("refs", said(url, "/shop.git/info/refs")[1].count(b"git-upload-pack"), 1, 1),
                    ("pack", len(said(url, "/shop.git/git-upload-pack", "POST", b"want")[1]), 16_000, 80_000)])


@clean("a document is locked (LOCK), so that a change by another one is refused (423), as a test expects, and changed when it is free again")
def document_is_locked(dice: Random) -> Iterator[Bed]:
    locked: set[str] = set()

    async def answer(asked: Asked) -> bool:
        await (some(10, 26) if asked.method == "PUT" else some(6, 18))
        name = asked.path.split("?")[0]
        if asked.method == "LOCK":
            locked.add(name)
            return await asked.say(b"<lock/>")
        if asked.method == "UNLOCK":
            locked.discard(name)
            return await asked.say(b"free")
        if asked.method == "PUT" and name in locked and not asked.path.endswith("?mine"):
            return await asked.say(b"locked", 423)
        return await asked.say(b"x" * 900)

    steps = (("LOCK", "", 200, "lock"), ("PUT", "?mine", 200, "own change"), ("PUT", "?other", 423, "refused change"), ("UNLOCK", "", 200, "unlock"),
             ("PUT", "?other", 200, "other change"))
    with answering(answer) as url:
        yield Bed(url, peak(9) + f"-c {dice.randint(12, 22)} {engine(dice)}", plan="scenarios:\n  - name: edit\n    steps:\n" + "".join(
            f'      - method: {method}\n        path: "/documents/{{user}}{query}"\n        name: {name}\n        checks: status={status}\n'
            "      - think: 60ms..160ms\n" for method, query, status, name in steps), probe=lambda: [
                (name, said(url, f"/documents/a{query}", method, b"text" if method == "PUT" else None)[0], status, status)
                for method, query, status, name in steps])


CONDITIONS = """
process.stdin.on('end', () => process.exit(0)).resume();
const versions = new Map();
const server = require('node:http').createServer((request, response) => request.resume().on('end', () => setTimeout(() => {
    const version = versions.get(request.url) ?? 1;
    const say = (status, text) => response.writeHead(status, {ETag: `"v${versions.get(request.url) ?? 1}"`, 'Content-Length': text.length}).end(text);
    if (request.method === 'GET') {
        say(200, 'profile '.repeat(80));
    } else if (!request.headers['if-match']) {
        say(428, 'which version is changed?');
    } else if (request.headers['if-match'] !== `"v${version}"`) {
        say(412, 'it has changed since then');
    } else {
        versions.set(request.url, version + 1);
        say(200, 'changed');
    }
}, 7 + 14 * Math.random())));
server.keepAliveTimeout = 60_000;
server.listen({port: 0, host: '127.0.0.1', backlog: 1024}, () => console.log(`http://127.0.0.1:${server.address().port}/`));
"""


@clean("a change of a profile needs the version that it is made from: 428 without one, 412 with an old one, both as a test expects, and 200")
def change_needs_a_version(dice: Random) -> Iterator[Bed]:
    with inline("node", "-e", CONDITIONS) as url:
        yield Bed(url, peak(9, 2) + f"-c {dice.randint(12, 22)} {engine(dice)}", plan="""
scenarios:
  - name: change
    steps:
      - get: "/profiles/{user}"
        name: read
        extract: {version: "header:ETag"}
      - think: 80ms..200ms
      - put: "/profiles/{user}"
        name: without version
        body: changed
        checks: status=428
      - put: "/profiles/{user}"
        name: old version
        headers: {If-Match: '"v0"'}
        body: changed
        checks: status=412
      - think: 80ms..200ms
      - put: "/profiles/{user}"
        name: change
        headers: {If-Match: "{version}"}
        body: changed
        checks: status=200
""", probe=lambda: [("read", said(url, "/profiles/a")[0], 200, 200), ("without", said(url, "/profiles/a", "PUT", b"a")[0], 428, 428),
                    ("old", sent(url, 1, "/profiles/a", "PUT", If_Match='"v0"')[0][0], 412, 412),
                    ("change", sent(url, 1, "/profiles/a", "PUT", If_Match='"v1"')[0][0], 200, 200)])


@clean("a test of an API's contract: what it mustn't take is refused as it should be, 405, 406 and 415, and what it should take is taken")
def contract_of_an_api(dice: Random) -> Iterator[Bed]:
    async def answer(asked: Asked) -> bool:
        await some(6, 20)
        if asked.method == "DELETE":
            return await say_with(asked, "Allow: GET, POST\r\n", b"not allowed", 405)
        if asked.path.endswith(".xml"):
            return await asked.say(b"only JSON is made", 415 if asked.method == "POST" else 406)
        return await asked.say(b"{}" * 300, 201 if asked.method == "POST" else 200)

    steps = (("get", "/items.json", 200), ("post", "/items.json", 201), ("delete", "/items.json", 405), ("get", "/items.xml", 406), ("post", "/items.xml", 415))
    with answering(answer) as url:
        yield Bed(url, peak(9) + f"-c 50 --rate {dice.randint(60, 100)}/s {engine(dice)}" + " ".join(
            f"--{method} {path}{' --body text' if method == 'post' else ''} --expect status={status}" for method, path, status in steps), probe=lambda: [
                (f"{method} {path}", said(url, path, method.upper(), b"text" if method == "post" else None)[0], status, status)
                for method, path, status in steps])


@clean("pictures of at most 50 kB are taken, a larger one is read and refused (413), one in five, as a test expects")
def pictures_that_are_too_large(dice: Random) -> Iterator[Bed]:
    async def answer(asked: Asked) -> bool:
        fits = len(asked.body) <= 50_000
        await (some(16, 40) if fits else some(4, 10))
        return await asked.say(b"taken" if fits else b"too large", 201 if fits else 413)

    with answering(answer) as url, tempfile.NamedTemporaryFile() as small, tempfile.NamedTemporaryFile() as large:
        for file, length in ((small, dice.randint(15, 45)), (large, dice.randint(60, 90))):
            file.write(dice.randbytes(length * 1000))
            file.flush()
        yield Bed(url, peak(9, 2) + f"-c 40 --rate '{dice.randint(30, 60)} journeys/s' {engine(dice)}", plan=f"""
scenarios:
  - name: small
    weight: 4
    steps: [{{post: /pictures, name: small, bodyFile: {small.name}, checks: status=201}}]
  - name: large
    weight: 1
    steps: [{{post: /pictures, name: large, bodyFile: {large.name}, checks: status=413}}]
""", probe=lambda: [("small", said(url, "/pictures", "POST", b"x" * 40_000)[0], 201, 201),
                    ("large", said(url, "/pictures", "POST", b"x" * 80_000)[0], 413, 413)])


@clean("four to six collectors read the figures of three services once a second (--pacing): pages of 50 to 200 kB of text, made in 10 to 35 ms")
def figures_are_collected(dice: Random) -> Iterator[Bed]:
    line = b'requests_total{path="/items",code="200"} 48711\n'
    texts = {f"/{name}/metrics": line * (dice.randint(50, 200) * 21) for name in ("shop", "search", "mail")}

    async def answer(asked: Asked) -> bool:
        await some(10, 35)
        return await asked.say(texts.get(asked.path, b"ok"))

    with answering(answer) as url:
        yield Bed(url, peak(12, 2) + f"-c {dice.randint(4, 6)} --pacing 1s {engine(dice)}" + " ".join(f"--get {path}" for path in texts), truth=Truth(
            lambda all: [("200", all.status(200), 1, 1), ("median", all.median, 10, 60)], paths=tuple(texts), users=2, think=0.1, seconds=2))


@clean("a token is good for three requests: the fourth one gets 401, as a test expects, which has it renewed then and goes on")
def token_is_renewed(dice: Random) -> Iterator[Bed]:
    left: dict[str, int] = collections.defaultdict(int)

    async def answer(asked: Asked) -> bool:
        if asked.path.startswith("/tokens"):
            await some(16, 36)
            left[token := str(uuid.uuid4())] = 3
            return await asked.say(json.dumps({"token": token}).encode(), 201)
        await some(7, 20)
        token = asked.path.split("=")[1]
        left[token] -= 1
        return await asked.say(b"x" * 800, 200 if left[token] >= 0 else 401)

    def uses() -> list[int]:
        token = json.loads(said(url, "/tokens", "POST")[1])["token"]
        return [said(url, f"/orders?token={token}")[0] for _ in range(4)]

    look = '      - {get: "/orders?token={token}", name: look, checks: status=200}\n      - think: 60ms..160ms\n'
    with answering(answer) as url:
        yield Bed(url, peak(10) + f"-c {dice.randint(14, 24)} {engine(dice)}", plan=f"""
scenarios:
  - name: work
    steps:
      - {{post: /tokens, name: log in, checks: status=201, extract: {{token: "json:/token"}}}}
      - think: 60ms..160ms
{look * 3}
      - {{get: "/orders?token={{token}}", name: too late, checks: status=401}}
      - {{post: /tokens, name: renew, checks: status=201, extract: {{token: "json:/token"}}}}
      - think: 60ms..160ms
{look * 2}
""", probe=lambda: [(str(number), status, 200 if number < 3 else 401, 200 if number < 3 else 401) for number, status in enumerate(uses())])


@clean("each user of a test has a key of its own from a file, and keeps it, and nginx takes no other key")
def key_of_each_user(dice: Random) -> Iterator[Bed]:
    keys = [uuid.UUID(int=dice.getrandbits(128)).hex for _ in range(40)]
    known = " ".join(f"{key} user{number};" for number, key in enumerate(keys))
    with server.node(option(idle=60_000), rule(method="POST", ms=(14, 34), status=201), rule(ms=(7, 22), bytes=1400)) as behind, faults.nginx(
            f'map_hash_bucket_size 128; map $http_x_key $user {{ default ""; {known} }} upstream one {{ server {behind[7:-1]}; keepalive 64; }}',
            'location / { if ($user = "") { return 401; } add_header X-User $user; proxy_http_version 1.1; proxy_set_header Connection ""; '
            'proxy_pass http://one; }') as url, tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        file.write("\n".join(json.dumps({"key": key, "name": f"user{number}"}) for number, key in enumerate(keys)))
        file.flush()
        yield Bed(url, peak(9, 2) + f"-c {dice.randint(14, 26)} {engine(dice)}", plan=f"""
data:
  keys: {{json: {file.name}, each: user}}
scenarios:
  - name: work
    steps:
      - get: /items
        headers: {{X-Key: "{{keys.key}}"}}
        checks: status=200 header:X-User={{keys.name}}
      - think: 100ms..240ms
      - post: /orders
        headers: {{X-Key: "{{keys.key}}"}}
        json: {{item: 7}}
        checks: status=201
      - think: 100ms..240ms
""", probe=lambda: [("known", sent(url, 1, "/items", X_Key=keys[0])[0][0], 200, 200), ("unknown", said(url, "/items")[0], 401, 401)])


@clean("lists in GraphQL by cursors: each page has the place where the next one begins, 25 to 60 entries in 10 to 28 ms")
def cursors_in_graphql(dice: Random) -> Iterator[Bed]:
    each = dice.randint(25, 60)

    async def answer(asked: Asked) -> bool:
        after = int(json.loads(asked.body)["variables"].get("after") or 0)
        await some(10, 28)
        body = json.dumps({"data": {"items": {"nodes": [{"id": after + number, "name": f"name {number}"} for number in range(each)],
                                              "pageInfo": {"endCursor": str(after + each), "hasNextPage": after < 3 * each}}}}).encode()
        return await say_with(asked, "Content-Type: application/json\r\n", body)

    question = "query($after: String) {{ items(after: $after) {{ nodes {{ id name }} pageInfo {{ endCursor hasNextPage }} }} }}"
    pages = "".join(f"      - post: /graphql\n        name: page {number}\n        json: {{query: '{question}', variables: {{after: '{after}'}}}}\n"
                    f"        checks: status=200 json:/data/items/nodes/0/id={number * each}\n"
                    "        extract: {after: 'json:/data/items/pageInfo/endCursor'}\n      - think: 80ms..220ms\n"
                    for number, after in enumerate(("0", "{after}", "{after}", "{after}")))
    with answering(answer) as url:
        yield Bed(url, peak(9) + f"-c {dice.randint(12, 22)} {engine(dice)}", plan=f"scenarios:\n  - name: read\n    steps:\n{pages}", probe=lambda: [
            ("next", said(url, "/graphql", "POST", b'{"variables": {"after": "100"}}')[1].count(f'"endCursor": "{100 + each}"'.encode()), 1, 1)])


# Forms of load.


@clean("one of two clients of a test, which has its part of the users (--part 1/2)")
def half_of_a_test(dice: Random) -> Iterator[Bed]:
    with dice.choice((server.go, server.node))(rule(method="POST", ms=(14, 36)), rule(ms=(7, 22), bytes=1100)) as url:
        yield Bed(url, peak(9, 2) + f"--part {dice.randint(1, 2)}/2 -c {dice.choice((30, 40))} --think 100ms..250ms {engine(dice)}{ITEMS_AND_ORDERS}",
                  truth=Truth(lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 7, 35)], think=0.03))


@clean("HTTP/2 with windows of 64 KiB for a stream and 128 KiB for a connection, and bodies of 8 to 30 kB")
def small_windows_of_h2(dice: Random) -> Iterator[Bed]:
    with server.go(rule(path="/small", ms=(6, 18), bytes=8000), rule(ms=(8, 24), bytes=dice.randint(18_000, 30_000))) as url:
        yield Bed(url, peak(9, 2) + f"--http2 --streams {dice.choice((2, 4))} --windows 64KiB,128KiB -c {dice.choice((12, 16))} --think 100ms..250ms "
                  "--engine events --get /small --get /large", truth=Truth(
                      lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 6, 35)], paths=("/small", "/large"), think=0.04))


@clean("sockets with buffers of 32 KiB, as a small machine has them, and bodies of 2 to 16 kB both ways")
def small_buffers_of_sockets(dice: Random) -> Iterator[Bed]:
    with server.go(rule(method="PUT", ms=(10, 28)), rule(ms=(8, 24), bytes=dice.randint(8000, 16_000))) as url, tempfile.NamedTemporaryFile() as body:
        body.write(dice.randbytes(dice.randint(2, 12) * 1000))
        body.flush()
        yield Bed(url, peak(9, 2) + f"--receive-buffer 32768 --send-buffer 32768 {modest(dice, (50, 90))}--get /notes/7 --put /notes/7 --body @{body.name}",
                  truth=Truth(lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 8, 35)], think=0.04))


@clean("heads of 18 to 22 kB over HTTP/2, which need more than one frame (CONTINUATION)")
def heads_in_two_frames(dice: Random) -> Iterator[Bed]:
    fields = dice.randint(9, 11)
    with server.go(*(rule(header=f"X-Field-{number}:" + "".join(dice.choice("abcdefghijklmnop") for _ in range(2000))) for number in range(fields)),
                   rule(ms=(8, 24), bytes=900)) as url:
        yield Bed(url, peak(9, 2) + f"--http2 --streams {dice.choice((1, 2))} -c {dice.choice((10, 14))} --think 100ms..250ms --engine events "
                  f"{ITEMS_AND_ORDERS}",
                  truth=Truth(lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 8, 35)], think=0.04))


@clean("two machines send their backups, 3 to 6 MB each, look at the list of them and rest for a second")
def backups_of_two_machines(dice: Random) -> Iterator[Bed]:
    with server.go(rule(method="POST", ms=(60, 120), status=201), rule(ms=(8, 24), bytes=2500)) as url, tempfile.NamedTemporaryFile() as backup:
        backup.write(dice.randbytes(dice.randint(3, 6) * 1_000_000))
        backup.flush()
        yield Bed(url, peak(12, 2) + f"-c 2 {engine(dice)}", plan=f"""
scenarios:
  - name: backup
    steps:
      - post: /backups
        bodyFile: {backup.name}
        checks: status=201
      - get: /backups
      - think: 800ms..1200ms
""", truth=Truth(lambda all: [("201", all.status(201), 1, 1), ("median", all.median, 60, 300)], paths=("/backups",), method="POST", body=3_000_000, users=2,
                 think=0.3, seconds=3))


# Messages and streams.


@clean("users look at prices by WebSocket: they ask for them, get one each 0.1 to 0.18 s, have six of them, end it and look at something else")
def prices_are_subscribed_to(dice: Random) -> Iterator[Bed]:
    async def talk(one: Talk) -> None:
        async def send_prices() -> None:
            number = 0
            while True:
                await some(100, 180)
                number += 1
                one.say(json.dumps({"price": random.randint(100, 999), "number": number}).encode())

        sending: asyncio.Task[None] | None = None
        try:
            while True:
                kind, data = await one.next()
                if not kind:
                    return
                if sending:
                    sending.cancel()
                    sending = None
                if b"unsubscribe" in data:
                    one.say(b'{"state": "ended"}')
                else:
                    one.say(b'{"state": "begun"}')
                    sending = asyncio.create_task(send_prices())
        finally:
            if sending:
                sending.cancel()

    with talking(talk) as url:
        yield Bed(url, peak(10) + f"-c {dice.randint(12, 22)} {engine(dice)}", plan="""
scenarios:
  - name: look
    steps:
      - connect: /prices
      - send: {json: {do: subscribe, item: "{user}"}}
        name: subscribe
      - expect: {json: {/state: begun}, within: 2s}
        name: begun
      - repeat: 6
        steps:
          - expect: {text: {contains: price}, within: 2s}
            name: price
      - send: {json: {do: unsubscribe, item: "{user}"}}
        name: unsubscribe
      - expect: {json: {/state: ended}, within: 2s}
        name: ended
      - close: 1000
      - think: 200ms..500ms
""", probe=lambda: [("prices", talked(url, "/prices", '{"do": "subscribe"}', 1).count(b"price"), 3, 12)])


@clean("pairs in rooms of Phoenix channels: each joins, and gets what the other one says and a reply to what it says itself")
def rooms_of_phoenix(dice: Random) -> Iterator[Bed]:
    those: dict[str, dict[Talk, str]] = collections.defaultdict(dict)

    async def talk(one: Talk) -> None:
        try:
            while True:
                kind, data = await one.next()
                if not kind:
                    return
                join, ref, topic, event, payload = json.loads(data)
                await some(1, 6)
                if event == "phx_join":
                    those[topic][one] = join
                elif topic != "phoenix":
                    for other, its_join in those[topic].items():
                        other.say(json.dumps([its_join, None, topic, event, payload], separators=(",", ":")).encode())
                one.say(json.dumps([join, ref, topic, "phx_reply", {"status": "ok", "response": {}}], separators=(",", ":")).encode())
        finally:
            for members in those.values():
                members.pop(one, None)

    with talking(talk) as url:
        yield Bed(f"ws{url[4:-1]}", peak(9, 2) + f"--pairs-protocol phoenix -c {dice.randint(10, 20)} --rate '{dice.randint(40, 90)} messages/s' "
                  f"--message-size {dice.randint(80, 900)} {dice.choice(('', '--arrivals poisson '))}", probe=lambda: [
                      ("joined", talked(url, "/socket/websocket?vsn=2.0.0", '["1","1","room:7","phx_join",{}]').count(b'"ok"'), 1, 1)])


@clean("the two of a pair are at two gateways for WebSocket, which a Redis joins: each message goes by its channels")
def gateways_joined_by_redis(dice: Random) -> Iterator[Bed]:
    with redis("--save", "") as (port, _), contextlib.ExitStack() as stack:
        def gateway() -> Callable[[Talk], Awaitable[None]]:
            those: dict[str, set[Talk]] = collections.defaultdict(set)
            joined: list[asyncio.Task[None]] = []
            saying: list[asyncio.StreamWriter] = []
            lock = asyncio.Lock()
            names: dict[Talk, bytes] = {}

            async def listen(there: asyncio.StreamReader) -> None:
                while True:
                    parts = []
                    for _ in range(int((await there.readline())[1:])):
                        length = int((await there.readline())[1:])
                        parts.append((await there.readexactly(length + 2))[:-2])
                    name, kind, data = parts[3].split(b" ", 2)
                    for one in those[parts[2].decode()]:
                        if names[one] != name:
                            one.say(data, int(kind))

            async def join() -> None:
                there, back = await asyncio.open_connection("127.0.0.1", port)
                back.write(b"PSUBSCRIBE *\r\n")
                for _ in range(6):
                    await there.readline()
                replies, say = await asyncio.open_connection("127.0.0.1", port)
                # The second one is kept only so that it stays open.
                saying.extend((say, back))

                async def skip() -> None:
                    while await replies.read(65_536):
                        pass

                joined.extend((asyncio.create_task(listen(there)), asyncio.create_task(skip())))

            async def talk(one: Talk) -> None:
                async with lock:
                    if not joined:
                        await join()
                names[one] = uuid.uuid4().hex.encode()
                those[one.path].add(one)
                try:
                    while True:
                        kind, data = await one.next()
                        if not kind:
                            return
                        text, path = names[one] + f" {kind} ".encode() + data, one.path.encode()
                        saying[0].write(b"*3\r\n$7\r\nPUBLISH\r\n$%d\r\n%s\r\n$%d\r\n%s\r\n" % (len(path), path, len(text), text))
                finally:
                    those[one.path].discard(one)

            return talk

        one, other = (stack.enter_context(talking(gateway())) for _ in range(2))

        def crossed() -> bool:
            with contextlib.ExitStack() as both:
                two = [both.enter_context(socket.create_connection(("127.0.0.1", server.port(url)), timeout=2)) for url in (one, other)]
                for connection in two:
                    connection.sendall(b"GET /rooms/7 HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                                       b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
                    connection.recv(4096)
                time.sleep(0.3)
                two[0].sendall(b"\x82\x85\0\0\0\0hello")
                return two[1].recv(4096) == b"\x82\x05hello"

        yield Bed(f"ws{one[4:]}rooms/{{pair}}", peak(9, 2) + f"--nodes {one[7:-1]},{other[7:-1]} -c {dice.randint(10, 20)} "
                  f"--rate '{dice.randint(40, 80)} messages/s' --message-size {dice.randint(80, 600)} {dice.choice(('', '--arrivals poisson '))}",
                  probe=lambda: [("crossed", crossed(), 1, 1)])


@clean("machines report by MQTT to the broker of their plant, which passes all on to that of the head office (bridge), where it is read")
def bridge_between_brokers(dice: Random) -> Iterator[Bed]:
    with mosquitto() as office, mosquitto(f"connection office\naddress 127.0.0.1:{office}\ntopic plants/# both 1\nrestart_timeout 1") as plant:
        def crossed() -> bool:
            topic = b"\0\x08plants/1"
            for _ in range(10):
                with contextlib.ExitStack() as both, contextlib.suppress(OSError):
                    two = [both.enter_context(socket.create_connection(("127.0.0.1", port), timeout=0.5)) for port in (office, plant)]
                    for number, connection in enumerate(two):
                        connection.sendall(b"\x10\x0e\0\4MQTT\4\2\0\0\0\2a" + bytes([48 + number]))
                        connection.recv(4)
                    two[0].sendall(b"\x82\x0d\0\1" + topic + b"\0")
                    two[0].recv(5)
                    two[1].sendall(b"\x30\x0f" + topic + b"hello")
                    if two[0].recv(1000).startswith(b"\x30"):
                        return True
            return False

        if not crossed():
            raise faults.Impossible("the brokers don't find each other")
        yield Bed(f"mqtt://127.0.0.1:{plant}/plants/{{pair}}", peak(9, 2) + f"--nodes 127.0.0.1:{plant},127.0.0.1:{office} --qos {dice.randint(0, 1)} "
                  f"-c {dice.randint(10, 18)} --rate '{dice.randint(30, 70)} messages/s' --message-size {dice.randint(60, 500)}",
                  probe=lambda: [("crossed", crossed(), 1, 1)])


@clean("a stream begins with the last 15 to 25 messages at once, and goes on with four to seven new ones, 150 to 320 ms apart")
def last_messages_first(dice: Random) -> Iterator[Bed]:
    async def answer(asked: Asked) -> bool:
        await some(8, 24)
        begin_stream(asked)
        for number in range(random.randint(15, 25)):
            await send_event(asked, json.dumps({"old": number}))
        for number in range(random.randint(4, 7)):
            await some(150, 320)
            await send_event(asked, json.dumps({"new": number}))
        return end_stream(asked)

    with answering(answer) as url:
        yield Bed(url, peak(11) + f"-c {dice.randint(14, 26)} --think 150ms..400ms {engine(dice)}--get /messages --event-stream events", probe=lambda: [
            ("old", said(url, "/messages")[1].count(b"old"), 15, 25), ("new", said(url, "/messages")[1].count(b"new"), 4, 7)])


@clean("streams with events of three sorts, of which a test counts those with a price, until the market closes")
def three_sorts_of_events(dice: Random) -> Iterator[Bed]:
    async def send(asked: Asked, sort: str, data: str) -> None:
        event = f"event: {sort}\ndata: {data}\n\n".encode()
        asked.writer.write(f"{len(event):x}\r\n".encode() + event + b"\r\n")
        await asked.writer.drain()

    async def answer(asked: Asked) -> bool:
        begin_stream(asked)
        for number in range(random.randint(6, 10)):
            await some(40, 120)
            await send(asked, "news", f'{{"title": "news {number}"}}')
            await some(40, 120)
            await send(asked, "price", f'{{"price": {random.randint(100, 900)}}}')
            if number % 3 == 2:
                await send(asked, "clock", "now")
        await send(asked, "closed", "until tomorrow")
        return end_stream(asked)

    with answering(answer) as url:
        yield Bed(url, peak(11) + f"-c {dice.randint(12, 22)} --think 150ms..400ms {engine(dice)}--get /market "
                  "--event-stream 'events event=price until=closed'",
                  probe=lambda: [("prices", said(url, "/market")[1].count(b"event: price"), 6, 10), ("closed", said(url, "/market")[1].count(b"closed"), 1, 1)])


@clean("a model reads a question before it answers: the longer the question, 100 to 2,000 words, the later the first word, 0.1 to 0.7 s")
def longer_questions(dice: Random) -> Iterator[Bed]:
    async def answer(asked: Asked) -> bool:
        words = len(json.loads(asked.body)["messages"][0]["content"].split())
        begin_stream(asked)
        await asyncio.sleep((70 + words * 0.3) * random.uniform(0.95, 1.1) / 1000)
        for number in range(random.randint(10, 24)):
            await send_event(asked, json.dumps({"choices": [{"index": 0, "delta": {"content": f"word{number} "}}]}))
            await some(14, 28)
        await send_event(asked, "[DONE]")
        return end_stream(asked)

    def first_ms(words: int) -> float:
        question = json.dumps({"messages": [{"content": "word " * words}]}).encode()
        with socket.create_connection(("127.0.0.1", server.port(url)), timeout=3) as connection:
            begin = time.monotonic()
            connection.sendall(f"POST /v1/chat/completions HTTP/1.1\r\nHost: a\r\nContent-Length: {len(question)}\r\n\r\n".encode() + question)
            while b"word0" not in connection.recv(65_536):
                pass
            return (time.monotonic() - begin) * 1000

    with answering(answer) as url, rows("text", [" ".join(["word"] * dice.randint(100, 2000)) for _ in range(80)]) as file:
        yield Bed(url, peak(11) + f"-c {dice.randint(10, 18)} {engine(dice)}", plan=f"""
data:
  questions: {{csv: {file}, order: random}}
scenarios:
  - name: ask
    steps:
      - post: /v1/chat/completions
        json: {{stream: true, messages: [{{role: user, content: "{{questions.text}}"}}]}}
        eventStream: openai
      - think: 200ms..600ms
""", probe=lambda: [("short", first_ms(100), 85, 300), ("long", first_ms(2000), 600, 1000)])


@clean("a model asks for a tool first, in pieces, and then answers with what the tool has found, as a second request brings it")
def model_asks_for_a_tool(dice: Random) -> Iterator[Bed]:
    async def send(asked: Asked, **delta: object) -> None:
        await send_event(asked, json.dumps({"choices": [{"index": 0, "delta": delta}]}))
        await some(12, 30)

    async def answer(asked: Asked) -> bool:
        begin_stream(asked)
        await some(90, 180)
        if b"found" in asked.body:
            for number in range(random.randint(12, 26)):
                await send(asked, content=f"word{number} ")
        else:
            await send(asked, tool_calls=[{"index": 0, "id": "call_7", "function": {"name": "weather", "arguments": ""}}])
            for piece in ('{"ci', 'ty": ', '"Ber', 'lin"', "}"):
                await send(asked, tool_calls=[{"index": 0, "function": {"arguments": piece}}])
        await send_event(asked, "[DONE]")
        return end_stream(asked)

    with answering(answer) as url:
        yield Bed(url, peak(11) + f"-c {dice.randint(10, 18)} {engine(dice)}", plan="""
scenarios:
  - name: ask
    steps:
      - post: /v1/chat/completions
        name: question
        json: {stream: true, messages: [{role: user, content: "weather?"}]}
        eventStream: openai
      - think: 60ms..160ms
      - post: /v1/chat/completions
        name: answer
        json: {stream: true, messages: [{role: tool, content: "found: 21 degrees"}]}
        eventStream: openai
      - think: 200ms..600ms
""", probe=lambda: [("tool", said(url, "/v1/chat/completions", "POST", b"weather?")[1].count(b"arguments"), 6, 6),
                    ("words", said(url, "/v1/chat/completions", "POST", b"found")[1].count(b"word"), 12, 26)])
