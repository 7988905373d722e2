"""Clean runs of the seen half: whatever is slow here, is meant to be."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random

import behaviours as server
import faults
import verdicts
from behaviours import option, rule
from kinds import Bed, clean, engine, model, peak, pick, users


def _of_target(name: str, options: str) -> None:
    """The ten kinds of verdicts.py."""
    def bed(_: Random) -> Iterator[Bed]:
        with faults.target() as url:
            yield Bed(url, peak(4) + "--get / --server-metrics /metrics.json " + options)

    bed.__name__ = name
    clean(f"the built-in target, {options}")(bed)


for _name, _options in verdicts.KINDS.items():
    _of_target(_name, _options)


@clean("a Go server whose every response takes 0.8 to 1.8 s")
def slow_go(dice: Random) -> Iterator[Bed]:
    with server.go(rule(ms=dice.randint(800, 1800))) as url:
        yield Bed(url, f"--phases peak=1:for:8s -c {dice.randint(10, 30)} {engine(dice)}--get /")


@clean("a Node server whose responses take 0.2 to 0.9 s")
def slow_node(dice: Random) -> Iterator[Bed]:
    with server.node(rule(ms=(200, 900))) as url:
        yield Bed(url, peak(6) + f"-c {dice.randint(10, 30)} {engine(dice)}--get /")


@clean("paced users, 0.7 to 1.5 s from start to start")
def pacing_slow(dice: Random) -> Iterator[Bed]:
    with server.java(rule(ms=(10, 30))) as url:
        yield Bed(url, f"--phases peak=1:for:7s -c {dice.randint(5, 20)} --pacing {dice.randint(700, 1500)}ms {engine(dice)}--get /")


@clean("Poisson arrivals for a few users, who are all busy now and then")
def poisson_few_users(dice: Random) -> Iterator[Bed]:
    with server.go(rule(ms=(8, 12))) as url:
        yield Bed(url, peak(5) + f"-c {dice.randint(8, 10)} --rate {dice.randint(80, 110)}/s --arrivals poisson {engine(dice)}--get /")


@clean("one operation always takes 205 ms, the other is fast")
def slow_operation(dice: Random) -> Iterator[Bed]:
    with server.go(rule(path="/report", ms=dice.randint(190, 240)), rule(path="/fast", ms=(2, 5))) as url:
        yield Bed(url, peak(5) + users(dice) + "--get /fast --get /report --get /fast/more")


@clean("downloads of 0.3 to 1 MB")
def downloads(dice: Random) -> Iterator[Bed]:
    with server.go(rule(bytes=dice.randint(300_000, 1_000_000))) as url:
        yield Bed(url, peak(5) + f"-c {dice.randint(4, 8)} --think {dice.randint(30, 60)}ms {engine(dice)}--get /")


@clean("uploads of 50 to 300 kB")
def uploads(dice: Random) -> Iterator[Bed]:
    with tempfile.NamedTemporaryFile() as body, server.go(rule(ms=(3, 8))) as url:
        Path(body.name).write_bytes(b"x" * dice.randint(50_000, 300_000))
        yield Bed(url, peak(5) + f"-c {dice.randint(4, 10)} --think {dice.randint(30, 60)}ms {engine(dice)}--post / --body @{body.name}")


@clean("a Tomcat that has just started, without a warmup")
def cold_tomcat(dice: Random) -> Iterator[Bed]:
    with faults.target() as url:
        yield Bed(url, f"--phases peak=1:for:5s -c {dice.randint(5, 15)} --think 20ms {engine(dice)}--get / --get /bytes/2000")


@clean("bodies of 20 to 100 kB over HTTP/2")
def h2_bodies(dice: Random) -> Iterator[Bed]:
    with server.go(rule(ms=(3, 8)), rule(bytes=dice.randint(20_000, 100_000))) as url:
        yield Bed(url, peak(5) + f"--engine events --http2 --streams {dice.choice((2, 5))} -c {dice.randint(6, 12)} --think 30ms --get /")


@clean("journeys through a shop: list, item, cart, order")
def shop_journey(dice: Random) -> Iterator[Bed]:
    with server.node(rule(path="/orders", ms=(30, 60)), rule(path="/items", ms=(5, 15))) as url:
        yield Bed(url, peak(6) + f"-c {dice.randint(8, 20)} {engine(dice)}", plan="""
scenarios:
  - name: buy
    steps:
      - get: /items?page={random:1..50}
      - think: 50ms..150ms
      - get: /items/{random:1..1000}
        name: GET /items/ID
      - think: 50ms..150ms
      - group: checkout
        steps:
          - put: /cart
            json: {item: "{uuid}"}
          - post: /orders
            json: {quantity: 2}
""")


@clean("streams of 10 to 20 events, 20 to 50 ms apart")
def events_stream(dice: Random) -> Iterator[Bed]:
    count = dice.randint(10, 20)
    with faults.target() as url:
        yield Bed(url, peak(6) + f"-c {dice.randint(5, 20)} {engine(dice)}--get '/events?count={count}&first=50&gap={dice.randint(20, 50)}' "
                  f"--event-stream 'events count={count}'")


@clean("pairs in rooms, by WebSocket")
def room_pairs(dice: Random) -> Iterator[Bed]:
    with faults.target() as url:
        yield Bed(f"ws{url[4:]}rooms/{{pair}}", peak(5) + f"-c {dice.randint(10, 50)} --rate '{dice.randint(100, 400)} messages/s'")


@clean("TLS, over connections that are kept")
def tls_kept(dice: Random) -> Iterator[Bed]:
    with server.go(option(tls=1), rule(ms=(5, 15))) as url:
        yield Bed(url, peak(5) + "-k " + model(dice, (80, 160)) + "--get /")


@clean("a rate that rises to what the server can do easily")
def ramp_rate(dice: Random) -> Iterator[Bed]:
    with server.go(rule(ms=(5, 10))) as url:
        yield Bed(url, f"--phases 'ramp=1 for 6s at 20/s..{dice.randint(150, 300)}/s' -c 30 {engine(dice)}--get /")


@clean("four phases of one second, as of a sweep")
def short_phases(dice: Random) -> Iterator[Bed]:
    with server.java(rule(ms=(5, 15))) as url:
        yield Bed(url, "--phases a=0.25:for:1s,b=0.5:for:1s,c=0.75:for:1s,d=1:for:1s " + f"-c {dice.randint(8, 20)} --think 10ms {engine(dice)}--get /")


@clean("a healthy HAProxy before two backends")
def haproxy_healthy(dice: Random) -> Iterator[Bed]:
    with server.go(rule(ms=(5, 15))) as a, server.node(rule(ms=(5, 15))) as b, server.haproxy(
            f"listen all\n  bind LISTEN\n  balance roundrobin\n  server a {a[7:-1]}\n  server b {b[7:-1]}") as url:
        yield Bed(url, peak(5) + model(dice) + "--get /")


@clean("Apache HttpClient with a pool that is large enough")
def httpclient_pool(dice: Random) -> Iterator[Bed]:
    number = dice.randint(8, 20)
    with server.node(rule(ms=(5, 15))) as url:
        yield Bed(url, peak(5, 2) + f"--client httpclient --pool {number} -c {number} --think 20ms --get /")


@clean("a way of 10 to 30 ms")
def constant_delay(dice: Random) -> Iterator[Bed]:
    seconds = pick(dice, 0.005, 0.015)
    with faults.network() as inside, faults.delays(inside, lambda: seconds) as address, \
            server.go(option(address="10.99.0.1:0"), rule(ms=(3, 8)), under=inside) as url:
        yield Bed(url.replace("10.99.0.1", address), peak(5) + f"-c {dice.randint(5, 15)} --think 20ms {engine(dice)}--get /", inside)
