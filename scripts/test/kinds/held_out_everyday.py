"""
Everyday healthy kinds, beside the eighteenth held-out set. Don't read on if you change rules.

No rule was tuned on it. All kinds are healthy: an expert who sees their figures would say that nothing is wrong.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import gzip
import json
import os
import random
import shutil
import sqlite3
import ssl
import subprocess
import tempfile
import threading
import time
import urllib.request
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from random import Random

import behaviours as server
import faults
from asking import Truth
from behaviours import option, rule
from kinds import Bed, clean, engine, peak, pick
from kinds.held_out_eighth import begin_stream, end_stream, send_event
from kinds.held_out_eleventh import Database, apache, mosquitto, postgres, relayed, sql
from kinds.held_out_fourth import inline, sent
from kinds.held_out_healthy import java_service, say_with
from kinds.held_out_ninth import ITEMS_AND_ORDERS
from kinds.held_out_ordinary import Talk, talked, talking
from kinds.held_out_second import Asked, answering, some
from kinds.held_out_seventeenth_clean import made_by_go
from kinds.held_out_seventh import rows, said
from kinds.held_out_tenth import Store, redis
from kinds.held_out_thirteenth import open_model
from kinds.held_out_twelfth import modest, ms_of


def node_service(handler: str) -> contextlib.AbstractContextManager[str]:
    """The address of a Node server with this handler, of a request, its body and a response."""
    return inline("node", "-e", f"""
process.stdin.on('end', () => process.exit(0)).resume();
const pause = (low, high) => new Promise(done => setTimeout(done, low + (high - low) * Math.random()));
const say = (response, status, text, head = {{}}) => response.writeHead(status, {{...head, 'Content-Length': Buffer.byteLength(text)}}).end(text);
const handle = {handler};
const server = require('node:http').createServer((request, response) => {{
    const parts = [];
    request.on('data', part => parts.push(part)).on('end', () => handle(request, Buffer.concat(parts).toString(), response));
}});
server.keepAliveTimeout = 60_000;
server.listen({{port: 0, host: '127.0.0.1', backlog: 1024}}, () => console.log(`http://127.0.0.1:${{server.address().port}}/`));
""")


@contextlib.contextmanager
def compiled(words: list[str], name: str, source: str) -> Iterator[str]:
    """The address of a program that prints it, made by this compiler of a source with this name."""
    program = shutil.which(words[0], path=f"{os.environ['PATH']}:{Path.home()}/.cargo/bin")
    if program is None:
        raise faults.Impossible(f"no {words[0]}")
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, name).write_text(source)
        done = subprocess.run([program, *words[1:], "-o", f"{folder}/program", f"{folder}/{name}"], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise faults.Impossible(f"{words[0]}: {done.stderr.strip()}")
        with server._started([f"{folder}/program"], []) as url:  # noqa: SLF001
            yield url


# Times.


@clean("log-logistic times around 14 to 20 ms, of shape 4 to 5, for the seats of trains")
def log_logistic_seats(dice: Random) -> Iterator[Bed]:
    middle, shape = pick(dice, 14, 20), pick(dice, 4, 5)

    async def answer(asked: Asked) -> bool:
        share = random.uniform(0.002, 0.998)
        await asyncio.sleep(middle * (share / (1 - share)) ** (1 / shape) / 1000)
        return await asked.say(b"x" * 1400)

    with answering(answer) as url:
        yield Bed(url, peak(10, 2) + f"{open_model(dice, 40, dice.randint(50, 90))}--get /seats --get /trains --get /trains/7", truth=Truth(
            lambda all: [("failed", all.failed, 0, 0), ("median", all.median, middle * 0.8, middle * 1.2 + 12), ("slow", all.slower(8 * middle), 0, 0.02)]))


@clean("half of the documents of a file are signed, and those are checked for 28 to 36 ms, the others are read in 7 to 12 ms")
def half_are_signed(dice: Random) -> Iterator[Bed]:
    names = [f"{'signed' if number % 2 else 'plain'}-{number}" for number in range(120)]

    async def answer(asked: Asked) -> bool:
        await (some(28, 36) if "signed" in asked.path else some(7, 12))
        return await asked.say(b"x" * 1900)

    with rows("name", dice.sample(names, len(names))) as file, answering(answer) as url:
        yield Bed(url, peak(9, 2) + f"-c {dice.randint(12, 20)} {engine(dice)}", plan=f"""
data:
  documents: {{csv: "{file}", order: random}}
scenarios:
  - name: read
    steps:
      - get: "/documents/{{documents.name}}"
        name: GET document
        checks: status=200
      - think: 80ms..200ms
""", probe=lambda: [("plain", ms_of(url, "/documents/plain-0"), 7, 30), ("signed", ms_of(url, "/documents/signed-1"), 28, 60)])


@clean("each user has a robot that fetches a box: the farther its shelf is from the last one, the longer it takes, 8 to 75 ms")
def robots_among_shelves(dice: Random) -> Iterator[Bed]:
    places: dict[str, int] = defaultdict(int)

    async def answer(asked: Asked) -> bool:
        _, _, robot, _, shelf = asked.path.split("/")
        way = abs(int(shelf) - places[robot])
        places[robot] = int(shelf)
        await some(8 + way * 0.15, 12 + way * 0.15)
        return await asked.say(json.dumps({"way": way}).encode())

    def ms(robot: str, shelf: int) -> float:
        begin = time.monotonic()
        said(url, f"/robots/{robot}/shelves/{shelf}", "PUT", b"")
        return (time.monotonic() - begin) * 1000

    with answering(answer) as url:
        yield Bed(url, peak(10, 2) + f"-c {dice.randint(12, 22)} {engine(dice)}", plan="""
scenarios:
  - name: fetch
    steps:
      - put: "/robots/{user}/shelves/{random:1..400}"
        name: PUT robot
        checks: status=200
      - think: 100ms..260ms
""", probe=lambda: [("far", ms("a", 400), 66, 110), ("at once", ms("a", 400), 8, 40)])


@clean("notes that were just changed are read where they were written, in 20 to 30 ms, all others from a copy in 5 to 12 ms")
def just_changed_notes(dice: Random) -> Iterator[Bed]:
    changed: dict[str, float] = defaultdict(float)

    async def answer(asked: Asked) -> bool:
        if asked.method == "PUT":
            await some(14, 30)
            changed[asked.path] = time.monotonic()
            return await asked.say(b"{}")
        await (some(20, 30) if time.monotonic() - changed[asked.path] < 0.3 else some(5, 12))
        return await asked.say(b"x" * 1000)

    def soon() -> float:
        said(url, "/notes/a", "PUT", b"text")
        return ms_of(url, "/notes/a")

    look = "      - {get: \"/notes/{user}\", name: GET note, checks: status=200}\n"
    with answering(answer) as url:
        yield Bed(url, peak(10, 2) + f"-c {dice.randint(14, 24)} {engine(dice)}", plan=f"""
scenarios:
  - name: write
    steps:
      - {{put: "/notes/{{user}}", name: PUT note, body: a text, checks: status=200}}
{look}
      - think: 350ms..550ms
{look}
      - think: 100ms..300ms
{look}
      - think: 100ms..300ms
""", probe=lambda: [("soon", soon(), 20, 50), ("others", ms_of(url, "/notes/b"), 5, 25)])


@clean("speech of 40 to 90 kB is written down, over HTTP/2 and TLS, which always takes 0.8 to 1.2 s, and texts are read")
def speech_is_written_down(dice: Random) -> Iterator[Bed]:
    with server.go(option(tls=1), rule(method="POST", ms=(800, 1200), bytes=900, status=200), rule(ms=(6, 20), bytes=1200)) as url, \
            tempfile.NamedTemporaryFile() as speech:
        speech.write(dice.randbytes(dice.randint(40, 90) * 1000))
        speech.flush()
        yield Bed(url, peak(11, 2) + f"-k --http2 --streams {dice.choice((1, 2))} -c {dice.choice((10, 14, 18))} --engine events", plan=f"""
scenarios:
  - name: speak
    steps:
      - post: /speeches
        bodyFile: {speech.name}
        checks: status=200
      - think: 200ms..600ms
      - get: /speeches/last
        checks: status=200
      - think: 200ms..600ms
""", truth=Truth(lambda all: [("200", all.status(200), 1, 1), ("median", all.median, 800, 1300)], method="POST", body=60_000, paths=("/speeches",)))


@clean("normal times: 24 ms with a deviation of 2 ms for a price, 180 ms with one of 12 ms for an offer, one in six")
def normal_times(dice: Random) -> Iterator[Bed]:
    async def answer(asked: Asked) -> bool:
        await asyncio.sleep(max(1, random.gauss(180, 12) if asked.path == "/offers" else random.gauss(24, 2)) / 1000)
        return await asked.say(b"x" * 800)

    with answering(answer) as url:
        yield Bed(url, peak(10, 2) + f"-c 50 --rate {dice.randint(45, 80)}/s {dice.choice(('', '--arrivals poisson '))}{engine(dice)}"
                  f"{'--get /prices/7 ' * 3}{'--get /prices/8 ' * 2}--get /offers", truth=Truth(
                      lambda all: [("failed", all.failed, 0, 0), ("prices", all.of("/prices/7").median, 22, 42),
                                   ("offers", all.of("/offers").median, 165, 215)],
                      paths=("/prices/7", "/offers"), users=3, think=0.05))


@clean("seven tills take 4 ms for each of 1 to 12 articles and 6 ms for paying, Poisson arrivals, and are busy for a third of the time")
def tills_of_a_market(dice: Random) -> Iterator[Bed]:
    tills = asyncio.Semaphore(7)

    async def answer(asked: Asked) -> bool:
        async with tills:
            await asyncio.sleep((6 + 4 * int(asked.path.split("/")[2])) / 1000)
        return await asked.say(b"paid" * 80)

    # A basket takes a till for 32 ms in the mean, and a bit more for waking up.
    with answering(answer) as url:
        yield Bed(url, peak(10, 2) + f"-c 60 --rate '{round(7 / 0.034 * pick(dice, 0.28, 0.38))} journeys/s' --arrivals poisson {engine(dice)}", plan="""
scenarios:
  - name: pay
    steps:
      - post: "/baskets/{random:1..12}"
        name: POST basket
        body: paid
        checks: status=200
""", truth=Truth(lambda all: [("failed", all.failed, 0, 0), ("one", all.of("/baskets/1").median, 10, 25), ("twelve", all.of("/baskets/12").median, 54, 75)],
                 method="POST", body=4, paths=("/baskets/1", "/baskets/12"), users=3, think=0.05))


# Servers.

RUST = r"""
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

fn ms(low: u64, high: u64) -> Duration {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos() as u64;
    Duration::from_micros(low * 1000 + now.wrapping_mul(6364136223846793005).rotate_left(17) % ((high - low) * 1000))
}

fn main() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    println!("http://{}/", listener.local_addr().unwrap());
    thread::spawn(|| {
        std::io::copy(&mut std::io::stdin(), &mut std::io::sink()).ok();
        std::process::exit(0);
    });
    for connection in listener.incoming().flatten() {
        thread::spawn(move || {
            connection.set_nodelay(true).ok();
            let mut out = connection.try_clone().unwrap();
            let mut input = BufReader::new(connection);
            loop {
                let (mut first, mut length) = (String::new(), 0);
                loop {
                    let mut line = String::new();
                    if input.read_line(&mut line).unwrap_or(0) == 0 {
                        return;
                    }
                    if let Some(number) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                        length = number.trim().parse().unwrap_or(0);
                    }
                    if line == "\r\n" {
                        break;
                    }
                    if first.is_empty() {
                        first = line;
                    }
                }
                if input.read_exact(&mut vec![0; length]).is_err() {
                    return;
                }
                thread::sleep(if first.starts_with("POST") { ms(14, 34) } else { ms(6, 20) });
                let body = "item, ".repeat(200);
                if out.write_all(format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{}", body.len(), body).as_bytes()).is_err() {
                    return;
                }
            }
        });
    }
}
"""


@clean("a server in Rust, with nothing but its own library, and a thread for each connection")
def threads_of_rust(dice: Random) -> Iterator[Bed]:
    with compiled(["rustc", "-O"], "program.rs", RUST) as url:
        yield Bed(url, peak(9, 2) + f"{modest(dice, (60, 110))}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 6, 35)], users=4, think=0.03))


PROCESSES = r"""
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

static void serve(int connection) {
    FILE *in = fdopen(connection, "r");
    char line[8192], body[1501];
    memset(body, 'x', 1500);
    body[1500] = 0;
    srand(getpid());
    for (;;) {
        long length = 0, post = 0, lines = 0;
        for (;; lines++) {
            if (!fgets(line, sizeof line, in)) exit(0);
            if (!lines) post = !strncmp(line, "POST", 4);
            if (!strncasecmp(line, "content-length:", 15)) length = atol(line + 15);
            if (!strcmp(line, "\r\n")) break;
        }
        while (length-- > 0) if (fgetc(in) == EOF) exit(0);
        usleep((post ? 16000 : 7000) + rand() % 15000);
        char all[2000];
        int size = snprintf(all, sizeof all, "HTTP/1.1 200 OK\r\nContent-Length: 1500\r\n\r\n%s", body);
        if (write(connection, all, size) != size) exit(0);
    }
}

int main() {
    signal(SIGCHLD, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    int yes = 1, listener = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof at;
    if (bind(listener, (struct sockaddr *) &at, size) || listen(listener, 1024) || getsockname(listener, (struct sockaddr *) &at, &size)) return 1;
    printf("http://127.0.0.1:%d/\n", ntohs(at.sin_port));
    fflush(stdout);
    for (;;) {
        int connection = accept(listener, 0, 0);
        if (connection < 0) continue;
        setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        if (!fork()) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            close(listener);
            serve(connection);
        }
        close(connection);
    }
}
"""


@clean("a server in C, which has a process for each connection, as long as that is open")
def process_for_each_connection(dice: Random) -> Iterator[Bed]:
    with compiled(["gcc", "-O1", "-w"], "program.c", PROCESSES) as url:
        yield Bed(url, peak(9, 2) + f"-c {dice.randint(10, 20)} --think 80ms..200ms --ramp 1s {engine(dice)}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 7, 40)], users=4, think=0.03))


@clean("a Puma with two processes of three threads each, of which one thread is busy in the mean")
def puma_with_two_processes(dice: Random) -> Iterator[Bed]:
    program = shutil.which("puma")
    if program is None:
        raise faults.Impossible("no puma")
    port = faults.free_port()
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "config.ru").write_text(
            "run ->(env) { env['rack.input']&.read; sleep((env['REQUEST_METHOD'] == 'POST' ? 0.016 : 0.008) + rand * 0.012); "
            "[200, {'Content-Type' => 'text/plain'}, ['item, ' * 150]] }\n")
        with subprocess.Popen([program, "-w", "2", "-t", "3:3", "-b", f"tcp://127.0.0.1:{port}", "-e", "production", "config.ru"], cwd=folder,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            try:
                faults.wait_for(port)
                time.sleep(1.5)
                yield Bed(f"http://127.0.0.1:{port}/", peak(9, 3) + f"-c 6 --rate {dice.randint(28, 45)}/s {engine(dice)}{ITEMS_AND_ORDERS}", truth=Truth(
                    lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 8, 45)], users=2, think=0.06))
            finally:
                process.terminate()


SETTINGS = """
process.stdin.on('end', () => process.exit(0)).resume();
const server = require('node:http2').createServer((request, response) => {
    request.on('error', () => {}).resume();
    response.on('error', () => {});
    setTimeout(() => response.writeHead(200, {'content-length': 1500}).end('x'.repeat(1500)), (request.method === 'POST' ? 14 : 6) + 16 * Math.random());
});
server.on('session', session => {
    let times = 0;
    const timer = setInterval(() => {
        times++;
        session.settings({maxConcurrentStreams: 100 + times % 3, maxHeaderListSize: 60000 + times % 5});
        session.altsvc('h2=":8000"', 'http://localhost');
    }, 900);
    session.on('error', () => {}).on('close', () => clearInterval(timer));
});
server.listen({port: 0, host: '127.0.0.1', backlog: 1024}, () => console.log(`http://127.0.0.1:${server.address().port}/`));
"""


@clean("a server of HTTP/2 that says each 0.9 s anew how many streams it allows, about a hundred, and where else it is (ALTSVC)")
def settings_are_said_anew(dice: Random) -> Iterator[Bed]:
    with inline("node", "-e", SETTINGS) as url:
        yield Bed(url, peak(9, 2) + f"--http2 --streams {dice.choice((2, 3, 4))} -c {dice.choice((12, 18, 24))} --think 60ms..180ms --engine events "
                  f"{ITEMS_AND_ORDERS}", probe=lambda: [("streams", server.streams_ms(f"{url}items", 6), 6, 100)])


@clean("a Java server whose G1 looks at its whole heap each 1.2 s, beside its requests (G1PeriodicGCInterval)")
def heap_is_looked_at_regularly(dice: Random) -> Iterator[Bed]:
    with tempfile.TemporaryDirectory() as folder, java_service(
            folder, 0, 8, 24, dice.randint(100, 200), 200, options=("-Xmx128m", "-XX:+UseG1GC", "-XX:G1PeriodicGCInterval=1200", "-XX:ConcGCThreads=1")) as url:
        yield Bed(url, peak(9, 4) + f"{modest(dice, (40, 70))}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 8, 45)], think=0.06))


@clean("nginx gets pages from a memcached itself, where all of them are, and asks a service for baskets")
def nginx_reads_memcached(dice: Random) -> Iterator[Bed]:
    pages = {f"/pages/{number}": dice.randbytes(dice.randint(2, 12) * 500) for number in range(1, 41)}

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            while True:
                key = (await reader.readuntil(b"\r\n")).decode().split()[1]
                if key in pages:
                    writer.write(f"VALUE {key} 0 {len(pages[key])}\r\n".encode() + pages[key] + b"\r\n")
                writer.write(b"END\r\n")
                await writer.drain()
        writer.close()

    with faults._listening(serve) as port, server.go(rule(ms=(8, 24), bytes=700)) as behind, faults.nginx(  # noqa: SLF001
            f"upstream kept {{ server 127.0.0.1:{port}; keepalive 32; }} upstream one {{ server {behind[7:-1]}; keepalive 64; }}",
            'location /pages/ { set $memcached_key $uri; memcached_pass kept; default_type text/html; } '
            'location / { proxy_http_version 1.1; proxy_set_header Connection ""; proxy_pass http://one; }') as url:
        yield Bed(url, peak(9, 2) + f"-c {dice.randint(14, 22)} {engine(dice)}", plan="""
scenarios:
  - name: shop
    steps:
      - get: "/pages/{random:1..40}"
        name: GET page
        checks: status=200
      - think: 80ms..200ms
      - get: /basket
        checks: status=200
      - think: 80ms..200ms
""", truth=Truth(lambda all: [("200", all.status(200), 1, 1), ("pages", all.of("/pages/7").median, 0, 15), ("baskets", all.of("/basket").median, 8, 40)],
                 paths=("/pages/7", "/basket"), users=2, seconds=2))


@clean("HAProxy looks each 0.1 s whether its two servers are healthy, which they are (httpchk)")
def looks_whether_they_are_healthy(dice: Random) -> Iterator[Bed]:
    rules = (rule(path="/health", bytes=2, status=200), rule(method="POST", ms=(16, 36), status=201), rule(ms=(8, 22), bytes=1700))
    with server.go(*rules) as one, server.node(option(idle=60_000), *rules) as two, server.haproxy(
            "listen all\n  bind LISTEN\n  option httpchk GET /health\n  http-check expect status 200\n  default-server check inter 100ms fall 5 rise 1"
            f"\n  server s0 {one[7:-1]}\n  server s1 {two[7:-1]}") as url:
        yield Bed(url, peak(9, 2) + f"{modest(dice, (50, 90))}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 8, 45)], users=4, think=0.04, seconds=3))


@clean("lists of four folders, with 10, 60, 200 and 400 files, which nginx makes as JSON (autoindex)")
def folders_as_json(dice: Random) -> Iterator[Bed]:
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        for length in (10, 60, 200, 400):
            Path(folder, f"of-{length}").mkdir()
            for number in range(length):
                Path(folder, f"of-{length}", f"file-{number}").touch()
        with faults.nginx("", f"root {folder}; autoindex on; autoindex_format json;") as url:
            paths = tuple(f"/of-{length}/" for length in (10, 60, 200, 400))
            yield Bed(url, peak(9, 2) + f"{modest(dice, (40, 80))}{' '.join(f'--get {path}' for path in paths)} --expect 'status=200 json:/0/type=file'",
                      truth=Truth(lambda all: [("200", all.status(200), 1, 1), ("slow", all.slower(60), 0, 0.03)], paths=paths, users=2, seconds=2))


@clean("lists that are kept compressed, and that nginx unpacks for those who can't (gunzip)")
def unpacked_for_those_who_cannot(dice: Random) -> Iterator[Bed]:
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        lengths = {name: dice.randint(100, 400) for name in ("items", "prices", "towns")}
        for name, length in lengths.items():
            Path(folder, f"{name}.gz").write_bytes(gzip.compress(json.dumps([{"id": one, "name": f"name {one}"} for one in range(length)]).encode()))
        with faults.nginx("", f"root {folder}; default_type application/json; gzip_static always; gunzip on;") as url:
            yield Bed(url, peak(9, 2) + f"{modest(dice, (50, 90))}" + " ".join(
                f"--get /{name} --expect 'status=200 json:/{length - 1}/id={length - 1}'" for name, length in lengths.items()), truth=Truth(
                    lambda all: [("200", all.status(200), 1, 1), ("unpacked", all.share(lambda one: one.size > 2500), 1, 1), ("slow", all.slower(60), 0, 0.03)],
                    paths=tuple(f"/{name}" for name in lengths), users=2, seconds=2))


@clean("articles with short addresses, which Apache rewrites to the names of files (mod_rewrite)")
def short_addresses(dice: Random) -> Iterator[Bed]:
    files = {f"article-{number}.html": dice.randint(2000, 30_000) for number in range(1, 31)}
    with apache("MaxKeepAliveRequests 0\nKeepAliveTimeout 30\nRewriteEngine On\nRewriteRule ^/a/([0-9]+)$ /article-$1.html [PT]\n",
                "rewrite", files=files) as url:
        yield Bed(url, peak(9, 2) + f"-c 40 --rate '{dice.randint(50, 90)} journeys/s' {dice.choice(('', '--arrivals poisson '))}{engine(dice)}", plan="""
scenarios:
  - name: read
    steps:
      - get: "/a/{random:1..30}"
        name: GET article
        checks: status=200 size>=2000
""", truth=Truth(lambda all: [("200", all.status(200), 1, 1), ("whole", all.share(lambda one: one.size >= 2000), 1, 1), ("slow", all.slower(60), 0, 0.03)],
                 paths=("/a/1", "/a/30"), users=2, seconds=2))


@clean("nginx asks a service in Python by the protocol of uWSGI, for pages and for forms")
def protocol_of_uwsgi(dice: Random) -> Iterator[Bed]:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            head = await reader.readexactly(4)
            data, at, values = await reader.readexactly(int.from_bytes(head[1:3], "little")), 0, []
            while at < len(data):
                length = int.from_bytes(data[at:at + 2], "little")
                values.append(data[at + 2:at + 2 + length])
                at += 2 + length
            fields = dict(zip(values[::2], values[1::2], strict=True))
            await reader.readexactly(int(fields[b"CONTENT_LENGTH"] or 0))
            await (some(20, 42) if fields[b"REQUEST_METHOD"] == b"POST" else some(9, 24))
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 2600\r\n\r\n" + b"x" * 2600)
            await writer.drain()
        writer.close()

    parameters = "".join(f"uwsgi_param {name} {value}; " for name, value in (
        ("CONTENT_LENGTH", "$content_length"), ("REQUEST_METHOD", "$request_method"), ("REQUEST_URI", "$request_uri")))
    with faults._listening(serve) as port, faults.nginx("", f"location / {{ {parameters}uwsgi_pass 127.0.0.1:{port}; }}") as url:  # noqa: SLF001
        yield Bed(url, peak(9, 2) + f"{modest(dice, (40, 70))}--get /pages --get /forms --post /forms --body name=ann", truth=Truth(
            lambda all: [("200", all.status(200), 1, 1), ("median", all.median, 9, 45)], think=0.04))


FIGURES_OF_GO = """
package main

import (
	"fmt"
	"io"
	"math/rand"
	"net"
	"net/http"
	"os"
	"runtime"
	"strings"
	"syscall"
	"time"
)

func main() {
	http.HandleFunc("/metrics", func(w http.ResponseWriter, q *http.Request) {
		var memory runtime.MemStats
		runtime.ReadMemStats(&memory)
		var usage syscall.Rusage
		syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
		seconds := float64(usage.Utime.Nano()+usage.Stime.Nano()) / 1e9
		w.Header().Set("Content-Type", "text/plain; version=0.0.4")
		fmt.Fprintf(w, "# TYPE go_goroutines gauge\\ngo_goroutines %d\\n# TYPE go_memstats_heap_inuse_bytes gauge\\ngo_memstats_heap_inuse_bytes %d\\n"+
			"# TYPE process_cpu_seconds_total counter\\nprocess_cpu_seconds_total %f\\n", runtime.NumGoroutine(), memory.HeapInuse, seconds)
	})
	http.HandleFunc("/", func(w http.ResponseWriter, q *http.Request) {
		io.Copy(io.Discard, q.Body)
		low := 7
		if q.Method == "POST" {
			low = 16
		}
		time.Sleep(time.Duration(low*1000+rand.Intn(16000)) * time.Microsecond)
		fmt.Fprint(w, strings.Repeat("item, ", 200))
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


@clean("a Go server whose goroutines, heap and CPU time a test reads")
def figures_of_go(dice: Random) -> Iterator[Bed]:
    with made_by_go(FIGURES_OF_GO) as url:
        yield Bed(url, peak(10, 2) + f"--server-metrics {url}metrics {modest(dice, (60, 100))}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 7, 40)], think=0.03))


@clean("a service that says how many jobs wait, none or a few, and how many are done, which a test reads by names of its own (--server-metric)")
def jobs_that_wait(dice: Random) -> Iterator[Bed]:
    workers, waiting, done = asyncio.Semaphore(6), 0, 0

    async def answer(asked: Asked) -> bool:
        nonlocal waiting, done
        if asked.path == "/metrics":
            return await say_with(asked, "Content-Type: text/plain\r\n", (
                f"# TYPE jobs_waiting gauge\njobs_waiting {waiting}\n# TYPE jobs_done_total counter\njobs_done_total {done}\n").encode())
        if asked.method == "POST":
            waiting += 1
            async with workers:
                waiting -= 1
                await some(22, 44)
            done += 1
            return await asked.say(b"{}", 201)
        await some(6, 18)
        return await asked.say(b"x" * 900)

    # A job keeps one of six workers for 33 ms in the mean, half of the requests are jobs: they are busy for a sixth of the time.
    with answering(answer) as url:
        yield Bed(url, peak(10, 2) + f"--server-metrics {url}metrics --server-metric waiting=jobs_waiting --server-metric 'done=rate(jobs_done_total)' "
                  f"-c 50 --rate {dice.randint(45, 75)}/s {dice.choice(('', '--arrivals poisson '))}{engine(dice)}--get /jobs --post /jobs --body job",
                  truth=Truth(lambda all: [("201", all.status(201), 1, 1), ("median", all.median, 22, 60)], method="POST", body=3, users=3, think=0.05))


# Stores.


@clean("the next couriers are looked for in a Redis that knows where 1,500 of them are, and who moves says so (GEOSEARCH)")
def next_couriers(dice: Random) -> Iterator[Bed]:
    with redis("--save", "") as (port, _):
        store, filled = Store(port), False

        def place() -> list[str]:
            return [f"{random.uniform(13.2, 13.6):.5f}", f"{random.uniform(52.4, 52.6):.5f}"]

        async def answer(asked: Asked) -> bool:
            nonlocal filled
            if not filled:
                filled = True
                await store.ask("GEOADD", "couriers", *(word for number in range(1500) for word in (*place(), str(number))))
            if asked.method == "PUT":
                found = await store.ask("GEOADD", "couriers", *place(), str(random.randrange(1500)))
            else:
                found = await store.ask("EVAL", "return #redis.call('GEOSEARCH', 'couriers', 'FROMLONLAT', ARGV[1], ARGV[2], 'BYRADIUS', '3', 'km', "
                                        "'ASC', 'COUNT', '8')", "0", *place())
            await some(5, 15)
            return await asked.say(b"courier " * 60, 500 if found.startswith("-") else 200)

        with answering(answer) as url:
            yield Bed(url, peak(9, 2) + f"{modest(dice, (60, 110))}--get /couriers --put /couriers/7 --body moved", truth=Truth(
                lambda all: [("200", all.status(200), 1, 1), ("median", all.median, 5, 35)], paths=("/couriers",), users=3, think=0.03))


@clean("events are appended to a stream of Redis that keeps the last 1,000, of which twenty are read at a time (XADD)")
def stream_of_redis(dice: Random) -> Iterator[Bed]:
    with redis("--save", "") as (port, _):
        store = Store(port)

        async def answer(asked: Asked) -> bool:
            if asked.method == "POST":
                found = await store.ask("XADD", "events", "MAXLEN", "~", "1000", "*", "text", "x" * 200)
            else:
                found = await store.ask("EVAL", "return #redis.call('XREVRANGE', 'events', '+', '-', 'COUNT', '20')", "0")
            await (some(4, 12) if asked.method == "POST" else some(8, 20))
            return await asked.say(b"x" * 2000, 500 if found.startswith("-") else 202 if asked.method == "POST" else 200)

        with answering(answer) as url:
            yield Bed(url, peak(9, 2) + f"-c 50 --rate {dice.randint(60, 110)}/s --arrivals poisson {engine(dice)}"
                      "--post /events --body one --post /events --body two --get /events", truth=Truth(
                          lambda all: [("202", all.status(202), 1, 1), ("median", all.median, 4, 30)], method="POST", body=3, users=3, think=0.03))


@clean("figures of a shop in a view that Postgres makes anew each two seconds, beside sales that are stored (refresh materialized view)")
def view_is_made_anew(dice: Random) -> Iterator[Bed]:
    with postgres("create table sales (id serial primary key, shop int, amount int)",
                  "insert into sales (shop, amount) select n % 40, n % 97 from generate_series(1, 3000) n",
                  "create materialized view figures as select shop, sum(amount) total from sales group by shop",
                  "create unique index on figures (shop)") as port:
        database, over = Database(port, 10), threading.Event()

        def refresh() -> None:
            while not over.wait(2):
                sql(port, "refresh materialized view concurrently figures")

        async def answer(asked: Asked) -> bool:
            failed = await database.ask(f"insert into sales (shop, amount) values ({random.randrange(40)}, 7)" if asked.method == "POST" else
                                        "select * from figures order by total desc limit 10")
            await some(6, 16)
            return await asked.say(failed.encode() or b"x" * 800, 500 if failed else 200)

        thread = threading.Thread(target=refresh)
        thread.start()
        try:
            with answering(answer) as url:
                yield Bed(url, peak(10, 2) + f"{modest(dice, (45, 80))}--get /figures --post /sales --body sale", truth=Truth(
                    lambda all: [("200", all.status(200), 1, 1), ("median", all.median, 6, 40)], paths=("/figures",), users=3, think=0.05))
        finally:
            over.set()
            thread.join()


@clean("documents of JSON in Postgres, which are found by what is in them (jsonb, GIN), and changed in part")
def documents_in_postgres(dice: Random) -> Iterator[Bed]:
    with postgres("create table documents (id int primary key, body jsonb)",
                  "insert into documents select n, jsonb_build_object('colour', 'c' || n % 150, 'size', n % 40, 'tags', jsonb_build_array('t' || n % 300)) "
                  "from generate_series(1, 3000) n", "create index on documents using gin (body jsonb_path_ops)", "analyze documents") as port:
        database = Database(port, 10)

        async def answer(asked: Asked) -> bool:
            failed = await database.ask(
                f"update documents set body = jsonb_set(body, array['size'], '{random.randrange(40)}') where id = {random.randint(1, 3000)}"
                if asked.method == "PATCH" else f"select * from documents where body @> jsonb_build_object('colour', 'c{random.randrange(150)}')")
            await some(5, 15)
            return await asked.say(failed.encode() or b"x" * 1500, 500 if failed else 200)

        with answering(answer) as url:
            yield Bed(url, peak(9, 2) + f"{modest(dice, (45, 80))}--get /documents --get /documents --patch /documents/7 --body size", truth=Truth(
                lambda all: [("200", all.status(200), 1, 1), ("median", all.median, 5, 40)], paths=("/documents",), users=3, think=0.05))


@clean("words are looked for in 2,000 recipes of an SQLite in the service's own memory (FTS5)")
def words_of_recipes(dice: Random) -> Iterator[Bed]:
    store = sqlite3.connect(":memory:", check_same_thread=False)
    try:
        store.execute("create virtual table recipes using fts5 (body)")
    except sqlite3.OperationalError as problem:
        store.close()
        raise faults.Impossible(f"sqlite: {problem}") from problem
    store.executemany("insert into recipes values (?)", ((" ".join(f"w{dice.randrange(600)}" for _ in range(40)),) for _ in range(2000)))

    async def answer(asked: Asked) -> bool:
        if asked.path == "/search":
            found = store.execute("select body from recipes where recipes match ? limit 15", (f"w{random.randrange(600)}",)).fetchall()
        else:
            found = store.execute("select body from recipes where rowid = ?", (random.randint(1, 2000),)).fetchall()
        await (some(10, 22) if asked.path == "/search" else some(5, 14))
        return await asked.say(json.dumps(found).encode())

    with contextlib.closing(store), answering(answer) as url:
        yield Bed(url, peak(9, 2) + f"{open_model(dice, 40, dice.randint(50, 90))}--get /search --get /recipes/7", truth=Truth(
            lambda all: [("200", all.status(200), 1, 1), ("search", all.of("/search").median, 10, 45), ("recipes", all.of("/recipes/7").median, 5, 35)],
            paths=("/search", "/recipes/7"), users=2, think=0.05))


# Journeys.


@clean("one of eight films may not be shown in this country: 451, as a test expects, and a part of 20 to 60 kB of each of the others")
def films_of_other_countries(dice: Random) -> Iterator[Bed]:
    size = dice.randint(20, 60) * 1000

    async def answer(asked: Asked) -> bool:
        if "restricted" in asked.path:
            await some(5, 12)
            return await asked.say(b"not in this country", 451)
        await some(10, 26)
        return await asked.say(b"x" * size)

    with answering(answer) as url:
        yield Bed(url, peak(9, 2) + f"-c 40 --rate '{dice.randint(40, 70)} journeys/s' {dice.choice(('', '--arrivals poisson '))}{engine(dice)}", plan="""
scenarios:
  - name: free
    weight: 7
    steps: [{get: "/films/free-{random:1..90}", name: GET film, checks: status=200}]
  - name: restricted
    weight: 1
    steps: [{get: "/films/restricted-{random:1..9}", name: GET other film, checks: status=451}]
""", probe=lambda: [("free", said(url, "/films/free-1")[0], 200, 200), ("restricted", said(url, "/films/restricted-1")[0], 451, 451)])


@clean("an entry is deleted twice, as if an answer had been lost: 204, then 404, as a test expects, and is put there again")
def deleted_twice(dice: Random) -> Iterator[Bed]:
    there: set[str] = set()

    async def answer(asked: Asked) -> bool:
        name = asked.path
        if asked.method == "DELETE":
            existed = name in there
            there.discard(name)
            await (some(10, 24) if existed else some(5, 14))
            if not existed:
                return await asked.say(b"gone", 404)
            return await say_with(asked, "", b"", 204)
        await some(12, 28)
        there.add(name)
        return await asked.say(b"{}", 201)

    with answering(answer) as url:
        yield Bed(url, peak(9, 2) + f"-c {dice.randint(12, 22)} {engine(dice)}", plan="""
scenarios:
  - name: entry
    steps:
      - {put: "/entries/{user}", name: put, body: text, checks: status=201}
      - think: 80ms..200ms
      - {delete: "/entries/{user}", name: delete, checks: status=204}
      - think: 80ms..200ms
      - {delete: "/entries/{user}", name: delete again, checks: status=404}
      - think: 80ms..200ms
""", probe=lambda: [(str(number), said(url, "/entries/a", method, b"text" if method == "PUT" else None)[0], status, status)
                    for number, (method, status) in enumerate((("PUT", 201), ("DELETE", 204), ("DELETE", 404)))])


LOG_OF_A_BUILD = """(() => {
    const begun = new Map();
    return async (request, body, response) => {
        await pause(6, 18);
        if (request.method === 'POST') {
            begun.set(request.url, Date.now());
            return say(response, 201, 'begun');
        }
        const size = 2000 + Math.floor(20 * (Date.now() - (begun.get(request.url) ?? Date.now())));
        const from = Number(/bytes=([0-9]+)-/.exec(request.headers.range ?? 'bytes=0-')[1]);
        say(response, 206, '.'.repeat(Math.max(1, size - from)), {'X-Next': size, 'Content-Range': `bytes ${from}-${size - 1}/${size}`});
    };
})()"""


@clean("the log of a build grows, by 20 kB a second, and each look at it brings what is new (206)")
def log_of_a_build(dice: Random) -> Iterator[Bed]:
    with node_service(LOG_OF_A_BUILD) as url:
        yield Bed(url, peak(11, 2) + f"-c {dice.randint(10, 18)} --ramp 1s {engine(dice)}", plan="""
scenarios:
  - name: build
    steps:
      - {post: "/builds/{user}", name: begin, body: build, checks: status=201}
      - think: 150ms..250ms
      - {get: "/builds/{user}", name: first look, headers: {Range: bytes=0-}, checks: status=206, extract: {next: "header:X-Next"}}
      - repeat: 6
        steps:
          - think: 200ms..500ms
          - {get: "/builds/{user}", name: look, headers: {Range: "bytes={next}-"}, checks: status=206, extract: {next: "header:X-Next"}}
      - think: 100ms..300ms
""", probe=lambda: [("begin", said(url, "/builds/a", "POST", b"x")[0], 201, 201), ("look", sent(url, 1, "/builds/a", Range="bytes=1500-")[0][0], 206, 206)])


@clean("three questions in one request, whose three answers come as parts of one (multipart/mixed), and one alone")
def answers_in_parts(dice: Random) -> Iterator[Bed]:
    async def answer(asked: Asked) -> bool:
        if asked.method != "POST":
            await some(7, 18)
            return await asked.say(b"x" * 700)
        await some(20, 44)
        parts = "".join(f"--answer\r\nContent-Type: application/http\r\n\r\nHTTP/1.1 200 OK\r\n\r\n{{\"id\": {number}, \"text\": \"{'x' * 700}\"}}\r\n"
                        for number in range(3))
        return await say_with(asked, "Content-Type: multipart/mixed; boundary=answer\r\n", f"{parts}--answer--\r\n".encode())

    with answering(answer) as url:
        yield Bed(url, peak(9, 2) + f"-c {dice.randint(12, 20)} {engine(dice)}", plan="""
scenarios:
  - name: ask
    steps:
      - post: /$batch
        name: three
        headers: {Content-Type: multipart/mixed; boundary=question}
        body: "--question three of them --question--"
        checks: status=200 body~"HTTP/1.1 200 OK" size>2000
      - think: 80ms..220ms
      - get: "/items/{random:1..90}"
        name: one
        checks: status=200
      - think: 80ms..220ms
""", probe=lambda: [("parts", said(url, "/$batch", "POST", b"three")[1].count(b"200 OK"), 3, 3), ("one", said(url, "/items/7")[0], 200, 200)])


@clean("users pay: an order leads them to their bank (303, not followed), which takes 0.3 to 0.5 s to allow it, and back to a receipt")
def bank_allows_it(dice: Random) -> Iterator[Bed]:
    async def answer(asked: Asked) -> bool:
        if asked.path == "/orders":
            await some(14, 32)
            return await say_with(asked, f"Location: /bank/{(number := random.randint(1, 10**9))}\r\nX-Payment: {number}\r\n", b"", 303)
        await (some(300, 500) if asked.method == "POST" else some(8, 22))
        return await asked.say(b"x" * 1500)

    with answering(answer) as url:
        yield Bed(url, peak(11, 2) + f"-c 90 --rate '{dice.randint(12, 20)} journeys/s' --arrivals poisson {engine(dice)}", plan="""
scenarios:
  - name: pay
    steps:
      - {post: /orders, name: order, body: item, checks: status=303, extract: {payment: "header:X-Payment"}}
      - think: 100ms..300ms
      - {get: "/bank/{payment}", name: bank, checks: status=200}
      - think: 100ms..300ms
      - {post: "/bank/{payment}", name: allow, body: code, checks: status=200}
      - {get: /receipts, name: receipt, checks: status=200}
""", probe=lambda: [("order", said(url, "/orders", "POST", b"a")[0], 303, 303), ("bank", ms_of(url, "/bank/1"), 8, 40),
                    ("allow", said(url, "/bank/1", "POST", b"a")[0], 200, 200)])


COOKIES = """(() => {
    const known = new Map();
    return async (request, body, response) => {
        const session = /session=([a-z0-9]+)/.exec(request.headers.cookie ?? '');
        if (request.method === 'POST') {
            await pause(20, 40);
            const name = Math.random().toString(36).slice(2);
            known.set(name, 0);
            return say(response, 302, '', {'Set-Cookie': `session=${name}; Path=/; HttpOnly`, Location: '/home'});
        }
        await pause(7, 21);
        if (!session || !known.has(session[1])) return say(response, 401, 'log in first');
        say(response, 200, 'mail '.repeat(300));
    };
})()"""


@clean("HttpClient follows a log-in to a mailbox, and keeps its cookie for two looks at the mail")
def mailbox_by_httpclient(dice: Random) -> Iterator[Bed]:
    with node_service(COOKIES) as url:
        yield Bed(url, peak(9, 3) + f"--client httpclient --pool 40 --follow-redirects --keep-cookies -c {dice.randint(10, 18)} --think 200ms..500ms "
                  "--post /login --body name=ann --get /mail --get /mail/7",
                  probe=lambda: [("log-in", said(url, "/login", "POST", b"a")[0], 302, 302), ("without", said(url, "/mail")[0], 401, 401)])


BEARER = """async (request, body, response) => {
    await pause(8, 22);
    if (request.headers.authorization !== 'Bearer a-token-of-tests') {
        return say(response, 401, 'a token, please', {'WWW-Authenticate': 'Bearer realm="figures"'});
    }
    say(response, 200, 'figure '.repeat(150));
}"""


@clean("a service of figures that wants a token (Bearer), which a test has (--bearer-token), and which its client sends as it is asked for it")
def bearer_of_figures(dice: Random) -> Iterator[Bed]:
    with node_service(BEARER) as url, tempfile.NamedTemporaryFile("w") as token:
        token.write("a-token-of-tests\n")
        token.flush()
        yield Bed(url, peak(9, 2) + f"--client httpclient --pool 30 --bearer-token @{token.name} -c {dice.randint(8, 14)} --think 100ms..300ms "
                  "--get /figures --get /figures/7", probe=lambda: [
                      ("without", said(url, "/figures")[0], 401, 401),
                      ("with", sent(url, 1, "/figures", Authorization="Bearer a-token-of-tests")[0][0], 200, 200)])


@contextlib.contextmanager
def proxy_with_a_password(allowed: str) -> Iterator[int]:
    """The port of a proxy that makes tunnels for those who send this with their first request, and says 407 to others."""

    async def copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(65_536):
                writer.write(data)
                await writer.drain()
        writer.close()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            if f"proxy-authorization: basic {allowed}".lower() not in head.lower():
                writer.write(b'HTTP/1.1 407 Who?\r\nProxy-Authenticate: Basic realm="proxy"\r\nContent-Length: 0\r\n\r\n')
                writer.close()
                return
            host, _, port = head.split(" ")[1].rpartition(":")
            there, back = await asyncio.open_connection(host, int(port))
            writer.write(b"HTTP/1.1 200 Connected\r\n\r\n")
            await asyncio.gather(copy(reader, back), copy(there, writer))
        writer.close()

    with faults._listening(serve) as port:  # noqa: SLF001
        yield port


@clean("a proxy of a company makes tunnels for those who have a name and a password, as a test has")
def password_for_the_proxy(dice: Random) -> Iterator[Bed]:
    with server.go(option(tls=1), rule(method="POST", ms=(16, 36), status=201), rule(ms=(8, 22), bytes=1800)) as url, \
            proxy_with_a_password(base64.b64encode(b"ann:tests").decode()) as port:
        yield Bed(url, peak(9, 2) + f"-k --proxy http://ann:tests@127.0.0.1:{port} {modest(dice, (40, 70))}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 8, 45)], think=0.05))


# Ways of a test.


@clean("a certificate that an office of a company has signed, and the office's one by the company itself, which alone a test trusts (--cacert)")
def signed_by_an_office(dice: Random) -> Iterator[Bed]:
    port = faults.free_port()
    with tempfile.TemporaryDirectory() as folder:
        def openssl(words: str) -> None:
            subprocess.run(["openssl", *words.split()], cwd=folder, check=True, capture_output=True)

        openssl("req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=company -keyout company.key -out company.pem")
        for name, by, extension in (("office", "company", "basicConstraints=critical,CA:true"), ("localhost", "office", "subjectAltName=DNS:localhost")):
            Path(folder, f"{name}.ext").write_text(f"{extension}\n")
            openssl(f"req -new -newkey rsa:2048 -nodes -subj /CN={name} -keyout {name}.key -out {name}.csr")
            openssl(f"x509 -req -days 2 -in {name}.csr -CA {by}.pem -CAkey {by}.key -CAcreateserial -extfile {name}.ext -out {name}.pem")
        Path(folder, "both.pem").write_text(Path(folder, "localhost.pem").read_text() + Path(folder, "office.pem").read_text())

        def status() -> int:
            trust = ssl.create_default_context(cafile=f"{folder}/company.pem")
            with urllib.request.urlopen(f"https://localhost:{port}/items", timeout=3, context=trust) as page:  # noqa: S310
                return page.status

        with server.go(rule(method="POST", ms=(16, 36), status=201), rule(ms=(8, 22), bytes=1600)) as behind, faults.nginx(
                f"upstream one {{ server {behind[7:-1]}; keepalive 64; }}",
                f'listen 127.0.0.1:{port} ssl; ssl_certificate {folder}/both.pem; ssl_certificate_key {folder}/localhost.key; '
                'location / { proxy_http_version 1.1; proxy_set_header Connection ""; proxy_pass http://one; }'):
            yield Bed(f"https://localhost:{port}/", peak(9, 2) + f"--cacert {folder}/company.pem {modest(dice, (50, 90))}{ITEMS_AND_ORDERS}",
                      probe=lambda: [("200", status(), 200, 200), ("again", status(), 200, 200)])


@clean("one of three scenarios of a plan alone, as a test asks for (--scenario)")
def one_scenario_alone(dice: Random) -> Iterator[Bed]:
    with server.node(option(idle=60_000), rule(path="/search", ms=(24, 50), bytes=3000, status=200), rule(ms=(7, 20), bytes=1500)) as url:
        steps = "".join(f"""
  - name: {name}
    weight: {weight}
    steps:
      - {{get: /{name}, checks: status=200}}
      - think: 60ms..160ms
      - {{get: "/items/{{random:1..60}}", name: GET item, checks: status=200}}
      - think: 60ms..160ms""" for name, weight in (("home", 6), ("search", 3), ("help", 1)))
        yield Bed(url, peak(9, 2) + f"--scenario search -c {dice.randint(12, 20)} {engine(dice)}", plan=f"scenarios:{steps}\n", truth=Truth(
            lambda all: [("failed", all.failed, 0, 0), ("search", all.of("/search").median, 24, 65), ("items", all.of("/items/7").median, 7, 35)],
            paths=("/search", "/items/7"), users=2, think=0.05, seconds=2))


@clean("each request of a test is written to a file, compressed, while it runs (--requests-out)")
def each_request_is_written(dice: Random) -> Iterator[Bed]:
    with tempfile.TemporaryDirectory() as folder, server.java(rule(method="POST", ms=(18, 38), status=201), rule(ms=(9, 25), bytes=1400)) as url:
        yield Bed(url, peak(10, 3) + f"--requests-out {folder}/requests.csv.gz {modest(dice, (60, 100))}{ITEMS_AND_ORDERS}", truth=Truth(
            lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 9, 45)], think=0.03))


@clean("a test with limits that compare two operations, and that hold by far")
def limits_that_compare(dice: Random) -> Iterator[Bed]:
    with dice.choice((server.go, server.node))(rule(path="/lists", ms=(16, 32), bytes=4000, status=200), rule(ms=(8, 20), bytes=900)) as url:
        yield Bed(url, peak(9, 2) + "--threshold 'peak: p95 of \"GET /lists\" < 8 x p95 of \"GET /items\"' --threshold 'peak/GET /items: failures < 5%' "
                  f"{modest(dice, (60, 100))}--get /items --get /lists", truth=Truth(
                      lambda all: [("failed", all.failed, 0, 0), ("lists", all.of("/lists").median, 16, 50), ("items", all.of("/items").median, 8, 35)],
                      paths=("/lists", "/items"), users=2, think=0.05))


@clean("HttpClient looks at connections that were free for longer than 0.1 s before it uses them, as users pause for longer (--pool-validate-after)")
def looked_at_before_use(dice: Random) -> Iterator[Bed]:
    with server.go(rule(method="POST", ms=(16, 36), status=201), rule(ms=(8, 22), bytes=1500)) as url:
        yield Bed(url, peak(9, 3) + f"--client httpclient --pool user --pool-validate-after 100ms -c {dice.randint(10, 16)} --think 250ms..600ms "
                  f"{ITEMS_AND_ORDERS}", truth=Truth(lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 8, 40)], think=0.2))


@clean("pictures of 20 to 60 kB, of which a test looks whether they begin as JPEG does (bytes)")
def begin_as_jpeg_does(dice: Random) -> Iterator[Bed]:
    pictures = [b"\xff\xd8\xff\xe0" + dice.randbytes(dice.randint(20, 60) * 1000) for _ in range(8)]

    async def answer(asked: Asked) -> bool:
        await some(7, 21)
        return await say_with(asked, "Content-Type: image/jpeg\r\n", pictures[sum(asked.path.encode()) % 8])

    with answering(answer) as url:
        yield Bed(url, peak(9, 2) + f"{open_model(dice, 40, dice.randint(40, 70))}{' '.join(f'--get /pictures/{one}' for one in range(5))} "
                  "--expect 'status=200 bytes~ffd8ff'",
                  truth=Truth(lambda all: [("failed", all.failed, 0, 0), ("median", all.median, 7, 45),
                                           ("least", min(one.size for one in all.all), 20_000, 70_000)],
                              paths=("/pictures/1", "/pictures/2"), think=0.05))


# Streams and messages.


@clean("talks of four turns with a model, each of which has all that was said before: the first word comes 45 ms later with each turn")
def talks_of_four_turns(dice: Random) -> Iterator[Bed]:
    async def answer(asked: Asked) -> bool:
        turn = asked.body.count(b'"user"')
        begin_stream(asked)
        await some(80 + 45 * turn, 120 + 45 * turn)
        for number in range(random.randint(8, 18)):
            await send_event(asked, json.dumps({"choices": [{"index": 0, "delta": {"content": f"word{number} "}}]}))
            await some(14, 30)
        await send_event(asked, "[DONE]")
        return end_stream(asked)

    before = '{role: user, content: "And then?"}, {role: assistant, content: "This."}, '
    turns = "".join(f"""
      - post: /v1/chat/completions
        name: turn {turn}
        json: {{stream: true, messages: [{before * (turn - 1)}{{role: user, content: "And now?"}}]}}
        eventStream: openai
      - think: 150ms..400ms""" for turn in range(1, 5))
    with answering(answer) as url:
        yield Bed(url, peak(12, 3) + f"-c {dice.randint(10, 16)} --ramp 2s {engine(dice)}", plan=f"scenarios:\n  - name: talk\n    steps:{turns}\n",
                  probe=lambda: [("words", said(url, "/v1/chat/completions", "POST", b'"user"')[1].count(b"word"), 8, 18)])


@clean("calls by SignalR over WebSocket: both say by which protocol they talk, then four calls, each with its result")
def calls_by_signalr(dice: Random) -> Iterator[Bed]:
    async def answer(talk: Talk, text: str) -> None:
        for part in text.split("\x1e")[:-1]:
            call = json.loads(part)
            if "protocol" in call:
                talk.say("{}\x1e")
            elif call.get("type") == 1:
                await some(7, 22)
                talk.say(json.dumps({"type": 3, "invocationId": call["invocationId"], "result": 7}) + "\x1e")

    with talking(answer) as url:
        yield Bed(url, peak(10, 2) + f"-c {dice.randint(12, 22)} --ramp 1s {engine(dice)}", plan=r"""
scenarios:
  - name: call
    steps:
      - connect: /hub
      - send: "{{\"protocol\":\"json\",\"version\":1}\x1e"
        name: protocol
      - expect: {text: {contains: "\x1e"}, within: 2s}
        name: agreed
      - repeat: 4
        steps:
          - send: "{{\"type\":1,\"invocationId\":\"7\",\"target\":\"Price\",\"arguments\":[7]}\x1e"
            name: call
          - expect: {text: {contains: result}, within: 2s}
            name: result
          - think: 150ms..350ms
      - close: 1000
      - think: 100ms..300ms
""", probe=lambda: [("results", talked(url, "/hub", '{"protocol":"json"}\x1e', '{"type":1,"invocationId":"1"}\x1e').count(b"result"), 1, 1)])


@clean("three questions at once by WebSocket, of which a server answers first what it knows first")
def first_what_it_knows_first(dice: Random) -> Iterator[Bed]:
    running: set[asyncio.Task[None]] = set()

    async def answer(talk: Talk, text: str) -> None:
        async def later() -> None:
            await (some(130, 170) if "route" in text else some(50, 80) if "weather" in text else some(4, 12))
            talk.say(json.dumps({"of": text}))

        running.add(task := asyncio.create_task(later()))
        task.add_done_callback(running.discard)

    with talking(answer) as url:
        names = ("route", "weather", "clock")
        plan = "scenarios:\n  - name: ask\n    steps:\n      - connect: /assistant\n      - repeat: 4\n        steps:\n" + "".join(
            f'          - send: "{name}"\n            name: ask {name}\n' for name in names) + "".join(
            f"          - expect: {{text: {{contains: {name}}}, within: 2s}}\n            name: {name}\n" for name in reversed(names)) + (
            "          - think: 200ms..400ms\n      - close: 1000\n      - think: 100ms..300ms\n")
        yield Bed(url, peak(10, 2) + f"-c {dice.randint(10, 20)} --ramp 1s {engine(dice)}", plan=plan,
                  probe=lambda: [("answers", talked(url, "/assistant", *names).count(b"of"), 3, 3)])


@clean("pairs who talk by STOMP over WebSocket: each is subscribed to a place, where the other one's messages come")
def pairs_by_stomp(dice: Random) -> Iterator[Bed]:
    subscribed: dict[str, dict[Talk, str]] = defaultdict(dict)

    async def answer(talk: Talk, text: str) -> None:
        head, _, body = text.strip("\n").partition("\n\n")
        command, *lines = head.replace("\r", "").split("\n")
        fields = dict(line.split(":", 1) for line in lines)
        place = fields.get("destination", "")
        if command in ("CONNECT", "STOMP"):
            talk.say("CONNECTED\nversion:1.2\nheart-beat:0,0\n\n\0")
        elif command == "SUBSCRIBE":
            subscribed[place][talk] = fields["id"]
        elif command == "SEND":
            await some(2, 8)
            for number, (other, name) in enumerate(subscribed[place].items()):
                content = body.rstrip("\0\n")
                other.say(f"MESSAGE\nsubscription:{name}\nmessage-id:{talk.messages}-{number}\ndestination:{place}\n"
                          f"content-type:text/plain\ncontent-length:{len(content.encode())}\n\n{content}\0")
        if "receipt" in fields:
            talk.say(f"RECEIPT\nreceipt-id:{fields['receipt']}\n\n\0")

    def left(talk: Talk) -> None:
        for those in subscribed.values():
            those.pop(talk, None)

    with talking(answer, "v12.stomp", left) as url:
        yield Bed(f"ws{url[4:]}ws", peak(9, 2) + f"--pairs-protocol stomp -c {dice.randint(10, 20)} --rate '{dice.randint(30, 70)} messages/s' "
                  f"--message-size {dice.randint(80, 700)} {dice.choice(('', '--arrivals poisson '))}", probe=lambda: [
                      ("came", talked(url, "/ws", "CONNECT\naccept-version:1.2\n\n\0", "SUBSCRIBE\nid:1\ndestination:/a\n\n\0",
                                      "SEND\ndestination:/a\n\nhello\0").count(b"hello"), 1, 1)])


@clean("pictures of 40 to 90 kB by MQTT, six to twelve a second together, from cameras to those who watch")
def pictures_by_mqtt(dice: Random) -> Iterator[Bed]:
    with mosquitto() as port:
        yield Bed(f"mqtt://127.0.0.1:{port}/cameras/{{pair}}", peak(11, 3) + f"-c {dice.randint(4, 8)} --rate '{dice.randint(6, 12)} messages/s' "
                  f"--qos {dice.randint(0, 1)} --message-size {dice.randint(40, 90) * 1000}", probe=lambda: [("passed on", relayed(port), 1, 1)])
