"""Clean runs of the held-out half. Don't read on if you change rules."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from random import Random

import behaviours as server
import faults
from behaviours import option, rule
from kinds import Bed, clean, engine, model, peak, users


@clean("a Java server whose times are uniform, 10 to 60 or 120 ms")
def steady_jitter(dice: Random) -> Iterator[Bed]:
    with server.java(rule(ms=(10, dice.randint(60, 120)))) as url:
        yield Bed(url, peak(5) + model(dice) + "--get /")


@clean("a Go server with exponential times")
def long_tail(dice: Random) -> Iterator[Bed]:
    with server.go(rule(ms=3, exp=dice.randint(15, 50))) as url:
        yield Bed(url, peak(5) + model(dice) + "--get /")


@clean("users who pause 0.5 to 2 s, each time another time")
def pauses_random(dice: Random) -> Iterator[Bed]:
    with server.node(rule(ms=(5, 20))) as url:
        yield Bed(url, f"--phases peak=1:for:8s -c {dice.randint(10, 40)} --think 500ms..2s {engine(dice)}--get /")


@clean("a few users who pause for 4 to 6 s")
def long_pauses(dice: Random) -> Iterator[Bed]:
    with server.go(rule(ms=(5, 20))) as url:
        yield Bed(url, f"--phases peak=1:for:13s -c {dice.randint(10, 30)} --think 4s..6s {engine(dice)}--get /")


@clean("1.5 to 4 requests a second")
def two_a_second(dice: Random) -> Iterator[Bed]:
    with server.java(rule(ms=(5, 20))) as url:
        yield Bed(url, f"--phases peak=1:for:8s -c 5 --rate {dice.choice(('1.5', '2', '3', '4'))}/s {engine(dice)}--get /")


@clean("Poisson arrivals, 5 to 15 a second")
def poisson_low(dice: Random) -> Iterator[Bed]:
    with server.node(rule(ms=(5, 60))) as url:
        yield Bed(url, f"--phases peak=1:for:8s -c {dice.randint(15, 25)} --rate {dice.randint(5, 15)}/s --arrivals poisson {engine(dice)}--get /")


@clean("operations of 2, 40 and 300 ms")
def three_operations(dice: Random) -> Iterator[Bed]:
    with server.node(rule(path="/fast", ms=2), rule(path="/page", ms=(35, 45)), rule(path="/report", ms=dice.randint(250, 400))) as url:
        yield Bed(url, peak(6) + f"-c {dice.randint(8, 25)} --think 10ms {engine(dice)}--get /fast --get /page --get /report")


@clean("reads and writes, nine to one")
def weights(dice: Random) -> Iterator[Bed]:
    with server.go(rule(path="/orders", ms=(60, 90)), rule(path="/items", ms=(4, 9))) as url, tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write("9 GET /items\n1 POST /orders\n")
        file.flush()
        yield Bed(url, peak(6) + f"--requests {file.name} " + f"-c {dice.randint(15, 30)} --rate {dice.randint(80, 200)}/s {engine(dice)}")


@clean("compressed bodies, decoded")
def compressed(dice: Random) -> Iterator[Bed]:
    with server.node(rule(ms=(3, 9)), rule(bytes=dice.randint(20_000, 80_000), gzip=1)) as url:
        yield Bed(url, peak(5) + f"--decode -c {dice.randint(5, 12)} --think 30ms {engine(dice)}--get /")


@clean("bodies of 100 bytes, 20 kB and 400 kB")
def sizes(dice: Random) -> Iterator[Bed]:
    with server.go(rule(path="/small", bytes=100), rule(path="/page", bytes=20_000), rule(path="/image", bytes=400_000), rule(ms=(2, 6))) as url:
        yield Bed(url, peak(5) + f"-c {dice.randint(5, 12)} --think 20ms {engine(dice)}--get /small --get /page --get /image")


@clean("a Java server that has just started, without a warmup")
def cold_java(dice: Random) -> Iterator[Bed]:
    with server.java(rule(ms=(2, 6)), rule(bytes=5_000)) as url:
        yield Bed(url, "--phases peak=1:for:5s " + model(dice) + "--get / --get /item")


@clean("HTTP/2 without TLS, many streams")
def h2c_streams(dice: Random) -> Iterator[Bed]:
    with server.go(rule(ms=(5, 25))) as url:
        yield Bed(url, peak(5) + f"--engine events --http2 --streams {dice.choice((5, 10, 20))} -c {dice.randint(20, 40)} --think 20ms --get /")


@clean("HTTP/2 over TLS, of Node")
def h2_tls(dice: Random) -> Iterator[Bed]:
    with tempfile.TemporaryDirectory() as folder:
        key, cert = server.certificate(folder)
        with server.node(option(key=key, cert=cert), rule(ms=(5, 25))) as url:
            yield Bed(url, peak(5) + f"-k --engine events --http2 --streams {dice.choice((2, 5))} -c {dice.randint(10, 20)} --think 30ms --get /")


@clean("sessions with cookies, in iterations of three requests")
def cookies(dice: Random) -> Iterator[Bed]:
    with server.node(rule(path="/login", header="Set-Cookie:session=1", ms=(20, 40)), rule(path="/account", ms=(5, 15))) as url:
        yield Bed(url, peak(5) + "--keep-cookies " + users(dice) + "--post /login --body name --get /account --get /account/orders")


@clean("journeys whose users think for 0.3 to 1 s")
def think_journey(dice: Random) -> Iterator[Bed]:
    with server.java(rule(path="/search", ms=(60, 120)), rule(ms=(5, 15))) as url:
        yield Bed(url, f"--phases peak=1:for:8s -c {dice.randint(10, 30)} {engine(dice)}", plan="""
scenarios:
  - name: read
    weight: 80
    steps:
      - get: /
      - think: 300ms..1s
      - get: /search?q={random:1..100}
        name: GET /search
  - name: write
    weight: 20
    steps:
      - get: /form
      - think: 300ms..1s
      - post: /form
        form: {name: "{uuid}"}
""")


@clean("streams of 4 to 6 events, 0.3 to 0.6 s apart")
def events_long_gaps(dice: Random) -> Iterator[Bed]:
    count = dice.randint(4, 6)
    with faults.target() as url:
        yield Bed(url, f"--phases peak=1:for:7s -c {dice.randint(10, 30)} {engine(dice)}--get '/events?count={count}&first=200&gap={dice.randint(300, 600)}' "
                  f"--event-stream 'events count={count}'")


@clean("messages that come back, by WebSocket")
def echo_pairs(dice: Random) -> Iterator[Bed]:
    with faults.target() as url:
        yield Bed(f"ws{url[4:]}rooms/{{pair}}?mode=echo", peak(5) + f"--subscribers 0 -c {dice.randint(5, 40)} --rate '{dice.randint(20, 300)} messages/s' "
                  f"{dice.choice(('', '--compress '))}")


@clean("TLS, a new connection for each request, at a low rate")
def tls_new_connections(dice: Random) -> Iterator[Bed]:
    with server.go(option(tls=1), rule(ms=(20, 60))) as url:
        yield Bed(url, peak(6) + f"-k -H Connection:close -c {dice.randint(10, 20)} --rate {dice.randint(10, 25)}/s {engine(dice)}--get /")


@clean("pipelined requests, of 2 to 4 users on a connection")
def pipelining(dice: Random) -> Iterator[Bed]:
    with server.go(rule(ms=(1, 3))) as url:
        yield Bed(url, peak(5) + f"--engine events --pipeline {dice.randint(2, 4)} -c {dice.randint(8, 16)} --think 40ms --get /")


@clean("users who start over 2 to 4 s")
def ramp_users(dice: Random) -> Iterator[Bed]:
    with server.java(rule(ms=(5, 20))) as url:
        yield Bed(url, f"--phases peak=1:for:7s --ramp {dice.randint(2, 4)}s -c {dice.randint(15, 40)} --think 30ms {engine(dice)}--get /")


@clean("a healthy nginx with kept connections to its backend")
def nginx_pool(dice: Random) -> Iterator[Bed]:
    with server.java(rule(ms=(5, 15))) as behind, faults.nginx(
            f"upstream one {{ server {behind[7:-1]}; keepalive 50; }}",
            'location / { proxy_http_version 1.1; proxy_set_header Connection ""; proxy_pass http://one; }') as url:
        yield Bed(url, peak(5) + model(dice) + "--get /")


@clean("redirects that belong to the service, one in two requests")
def redirects(dice: Random) -> Iterator[Bed]:
    with server.go(rule(path="/old", status=dice.choice((301, 302, 307)), header="Location:/new"), rule(ms=(4, 12))) as url:
        yield Bed(url, peak(5) + users(dice) + f"{dice.choice(('', '--follow-redirects '))}--get /old --get /new")


@clean("a page that isn't there, and isn't expected")
def expected_404(dice: Random) -> Iterator[Bed]:
    with server.node(rule(path="/gone", status=404), rule(ms=(4, 12))) as url:
        yield Bed(url, peak(5) + users(dice) + "--get / --get /gone --expect status=404")
