"""Healthy servers that have what rules look for, and faults that look like others."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Iterator
from random import Random

import behaviours as server
import faults
from behaviours import rule
from kinds import Bed, cause, clean, engine, peak, pick
from kinds.held_out_second import Asked, answering, some


def poisson(dice: Random, rate: float) -> str:
    return f"-c 300 --rate {rate:.0f}/s --arrivals poisson {engine(dice)}"


@clean("one worker that is busy for 75 to 88 % of the time, Poisson arrivals, exponential times")
def busy_queue(dice: Random) -> Iterator[Bed]:
    ms = dice.randint(5, 12)
    with server.go(rule(pool=1, exp=ms)) as url:
        yield Bed(url, peak(dice.randint(6, 12)) + poisson(dice, 1000 * pick(dice, 0.7, 0.82) / (ms + 0.3)) + "--get /items")


@clean("times whose level is a slow random walk, up and down by half")
def slow_walk(dice: Random) -> Iterator[Bed]:
    mean, step = dice.randint(15, 40), pick(dice, 0.03, 0.08)
    moment, level = 0, 0.0

    async def answer(asked: Asked) -> bool:
        nonlocal moment, level
        if (now := int(time.monotonic() * 20)) != moment:
            moment = now
            level = min(0.4, max(-0.4, 0.97 * level + random.gauss(0, step)))
        await asyncio.sleep(2.718 ** level * mean / 1000 * random.gammavariate(8, 1 / 8))
        return await asked.say()

    with answering(answer) as url:
        yield Bed(url, peak(8) + f"-c 60 --rate {dice.randint(80, 150)}/s {engine(dice)}--get /items --get /prices")


@clean("lognormal times with a heavy tail, few users who don't pause")
def heavy_tail_few_users(dice: Random) -> Iterator[Bed]:
    median, sigma = dice.randint(20, 60), pick(dice, 1.2, 1.7)

    async def answer(asked: Asked) -> bool:
        await asyncio.sleep(min(3.5, median / 1000 * random.lognormvariate(0, sigma)))
        return await asked.say()

    with answering(answer) as url:
        yield Bed(url, peak(8) + f"-c {dice.randint(2, 5)} {engine(dice)}--get /search --get /items")


@clean("two or three users of reports that take 0.5 to 2.5 s")
def few_users_long_reports(dice: Random) -> Iterator[Bed]:
    with server.java(rule(path="/reports", ms=(500, 2500)), rule(ms=(4, 20))) as url:
        yield Bed(url, peak(9) + f"-c {dice.randint(2, 3)} {engine(dice)}--get /reports --get /items")


@clean("users in step: all ask at once, every 1 to 2 s, a server with 4 to 8 workers")
def in_step(dice: Random) -> Iterator[Bed]:
    with server.go(rule(pool=dice.randint(4, 8), ms=(8, 15))) as url:
        yield Bed(url, peak(9) + f"-c {dice.randint(20, 50)} --pacing {dice.choice(('1s', '1500ms', '2s'))} {engine(dice)}--get /items --get /prices")


@clean("journeys in step, whose first page takes longer since it makes a session")
def sessions_in_step(dice: Random) -> Iterator[Bed]:
    with server.node(rule(nth=1, ms=(2, 4)), rule(path="/new", ms=(150, 300)), rule(ms=(4, 12))) as url:
        yield Bed(url, peak(9) + f"-c {dice.randint(15, 40)} --pacing {dice.choice(('1500ms', '2s'))} {engine(dice)}", plan="""
scenarios:
  - name: visit
    steps:
      - get: /new
        name: page
      - get: /items
        name: page
      - get: /prices
        name: page
      - think: 100ms..300ms
      - get: /items/2
        name: page
""")


@clean("pages that are made while they are sent, users who don't pause")
def flat_streams(dice: Random) -> Iterator[Bed]:
    parts, gap, size = dice.randint(15, 30), pick(dice, 0.01, 0.03), dice.randint(700, 3000)

    async def answer(asked: Asked) -> bool:
        asked.writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n")
        for _ in range(parts):
            asked.writer.write(f"{size:x}\r\n".encode() + b"x" * size + b"\r\n")
            await asked.writer.drain()
            await asyncio.sleep(gap * random.uniform(0.8, 1.2))
        asked.writer.write(b"0\r\n\r\n")
        return True

    with answering(answer) as url:
        yield Bed(url, peak(7) + f"-c {dice.randint(6, 20)} {engine(dice)}--get /answers")


@clean("a rising rate of requests that take 0.3 to 1.2 s by their nature")
def ramp_of_slow_ones(dice: Random) -> Iterator[Bed]:
    with server.go(rule(ms=300, exp=dice.randint(200, 500))) as url:
        yield Bed(url, f"--phases 'peak=1 for 9s at {dice.randint(8, 15)}/s..{dice.randint(80, 150)}/s' -c 250 {engine(dice)}--get /search --get /items")


@clean("bursts: 0.3 to 0.6 s at a high rate, three times, a server with room")
def bursts(dice: Random) -> Iterator[Bed]:
    low, high = dice.randint(15, 30), dice.randint(250, 400)
    part = f"for 2s at {low}/s"
    with server.node(rule(ms=(5, 15))) as url:
        yield Bed(url, f"--phases 'a=1 {part},b=1 for {dice.randint(300, 600)}ms at {high}/s,c=1 {part},d=1 for {dice.randint(300, 600)}ms at {high}/s,e=1 {part}' -c 60 {engine(dice)}--get /items --get /prices")


@clean("a cold JVM over TLS at a rate, new users connect all the time")
def cold_tls_at_a_rate(dice: Random) -> Iterator[Bed]:
    with server.java(rule(ms=(4, 12))) as behind, faults.nginx("", f"location / {{ proxy_pass {behind[:-1]}; }}", tls="-newkey rsa:2048") as url:
        yield Bed(url, f"--phases peak=1:for:7s -k -c 60 --rate {dice.randint(30, 90)}/s {engine(dice)}{dice.choice(('', '--arrivals poisson '))}--get /items --get /prices")


@clean("a Tomcat that has just started, from the first request on under a constant rate")
def cold_tomcat_bare(dice: Random) -> Iterator[Bed]:
    with faults.target() as url:
        yield Bed(url, f"--phases peak=1:for:{dice.randint(4, 8)}s -c {dice.randint(30, 60)} --rate {dice.randint(50, 150)}/s {engine(dice)}--get / --get /bytes/3000 --get /delay?ms=8")


@clean("a cache that fills during the run, of 60 to 200 entries")
def cache_fills(dice: Random) -> Iterator[Bed]:
    known: set[str] = set()

    async def answer(asked: Asked) -> bool:
        if asked.path not in known:
            await some(25, 45)
            known.add(asked.path)
        await some(4, 10)
        return await asked.say()

    with answering(answer) as url:
        yield Bed(url, peak(7) + f"-c {dice.randint(10, 20)} --think 60ms..140ms {engine(dice)}", plan=f"""
scenarios:
  - name: read
    steps:
      - get: /items/{{random:1..{dice.randint(60, 200)}}}
        name: GET /items/ID
""")


@clean("searches: what is asked for decides, from 2 to 400 ms")
def searches(dice: Random) -> Iterator[Bed]:
    async def answer(asked: Asked) -> bool:
        number = int(asked.path.rpartition("/")[2])
        await asyncio.sleep(0.002 * 1.06 ** number)
        return await asked.say()

    with answering(answer) as url:
        yield Bed(url, peak(7) + f"-c {dice.randint(10, 30)} --think 100ms..300ms {engine(dice)}", plan="""
scenarios:
  - name: search
    steps:
      - get: /search/{random:1..90}
        name: GET /search
""")


@clean("a shortener of links: 301 is what it is for")
def shortener(dice: Random) -> Iterator[Bed]:
    with server.node(rule(path="/to", ms=(3, 9), status=301), rule(ms=(4, 12))) as url:
        yield Bed(url, peak(5) + f"-c 20 --think 20ms..50ms {engine(dice)}--get /to/1 --get /items")


@clean("1 in 30 answers is 404, since some items are gone")
def some_are_gone(dice: Random) -> Iterator[Bed]:
    with server.go(rule(share=0.03, ms=(3, 9), status=404), rule(ms=(5, 15))) as url:
        yield Bed(url, peak(6) + f"-c 20 --think 20ms..50ms {engine(dice)}", plan="""
scenarios:
  - name: look
    steps:
      - get: /items/{random:1..100}
        name: GET /items/ID
        onFailure: continue
""")


@clean("uploads that are read at the pace of a disk, users who don't pause")
def paced_uploads(dice: Random) -> Iterator[Bed]:
    with server.go(rule(ms=(10, 30))) as url:
        yield Bed(url, peak(6) + f"-c {dice.randint(3, 8)} --body {'x' * 20_000} {engine(dice)}--post /files")


@clean("two operations of 0.2 and 20 ms, in equal parts")
def fast_and_slow(dice: Random) -> Iterator[Bed]:
    with server.go(rule(path="/slow", ms=20)) as url:
        yield Bed(url, peak(6) + f"-c {dice.randint(2, 6)} --think {dice.randint(5, 20)}ms {engine(dice)}--get /slow --get /fast")


# Faults that look like others.


@cause("reports of 0.2 to 0.3 s take 4 or 5 workers, which pages need too, at a constant rate", "saturation", "server-threads", meaning="reports leave no worker for pages")
def reports_at_a_rate(dice: Random) -> Iterator[Bed]:
    threads, ms = dice.randint(4, 5), dice.randint(200, 300)
    with server.go(rule(pool=threads, path="/report", ms=ms), rule(pool=threads, ms=4)) as url:
        yield Bed(url, peak(8) + f"-c 400 --rate {threads * 1000 / ms * pick(dice, 2.5, 4):.0f}/s --timeout {dice.randint(900, 1500)}ms {engine(dice)}--get /report --get /page")


@cause("a lock convoy: one operation needs a lock for 8 to 15 ms, users don't pause, one phase", "saturation", "serial-work", "contention", meaning="requests of one operation wait for each other")
def convoy(dice: Random) -> Iterator[Bed]:
    with server.go(rule(path="/orders", pool=1, ms=dice.randint(8, 15)), rule(ms=(3, 8))) as url:
        yield Bed(url, peak(7) + f"-c {dice.randint(10, 25)} {engine(dice)}--get /items --post /orders --body order")


@cause("a breaker opens twice, for 0.4 to 0.7 s: 503", "load-shedding", "restarts", "outage", meaning="a breaker opened")
def breaker_twice(dice: Random) -> Iterator[Bed]:
    a, b = dice.randint(2000, 3000), dice.randint(4500, 5500)
    length = dice.randint(400, 700)
    with server.go(rule(**{"from": a, "to": a + length}, ms=(1, 2), status=503), rule(**{"from": b, "to": b + length}, ms=(1, 2), status=503), rule(ms=(5, 15))) as url:
        yield Bed(url, peak(7) + f"-c 40 --rate {dice.randint(80, 150)}/s {engine(dice)}--get /items --get /prices")


@cause("one outage of 1.5 to 2.2 s, users who pause for up to 0.9 s", "outage", meaning="the server was away once")
def outage_with_backoff(dice: Random) -> Iterator[Bed]:
    begin = dice.randint(2500, 3500)
    with server.go(rule(**{"from": begin, "to": begin + dice.randint(1500, 2200)}, ms=(1, 3), status=500), rule(ms=(5, 15))) as url:
        yield Bed(url, peak(8) + f"-c {dice.randint(5, 15)} {engine(dice)}", plan="""
scenarios:
  - name: visit
    steps:
      - get: /items
        onFailure: continue
      - think: 300ms..900ms
      - get: /prices
        onFailure: continue
      - think: 300ms..900ms
""")
