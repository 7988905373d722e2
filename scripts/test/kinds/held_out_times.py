"""Faults of the held-out half that make responses slow, with random parameters. Don't read on if you change rules."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random

import behaviours as server
import faults
from asking import Truth, took
from behaviours import option, rule
from kinds import NOTHING, Bed, cause, engine, model, peak, pick, users

TOMCAT = str(server.SERVERS.parent / "FaultyTomcat.java")


@cause("a Node server whose event loop is blocked every 1.2 to 2.6 s", "periodic-stalls", meaning="all requests wait at even distances")
def node_loop_blocked(dice: Random) -> Iterator[Bed]:
    period, pause = dice.randint(1200, 2600), dice.randint(150, 300)
    with server.node(rule(tick=period, block=1, ms=pause), rule(ms=(3, 9))) as url:
        yield Bed(url, peak(round(5.5 * period / 1000)) + model(dice) + "--get /", truth=Truth(
            lambda all: [("slowest", all.slowest, 0.9 * pause, pause + 100), ("slow share", all.slower(pause / 2), 0.002, 0.2), ("median", all.median, 3, 20)],
            seconds=2.5 * period / 1000))


@cause("a Go server that stands still once, for 1.7 to 2.6 s, under a constant rate", "outage", meaning="the server stopped answering once")
def one_long_pause(dice: Random) -> Iterator[Bed]:
    pause = dice.randint(1700, 2600)
    with server.go(rule(tick=3500, to=6900, block=1, ms=pause), rule(ms=(3, 9))) as url:
        yield Bed(url, peak(8) + f"-c {dice.randint(10, 20)} --rate {dice.randint(80, 160)}/s {engine(dice)}--get /", truth=Truth(
            lambda all: [("slowest", all.slowest, 0.9 * pause, pause + 100), ("waited", sum(one.ms > pause / 2 for one in all.all), 3, 10)],
            seconds=8))


@cause("one of three operations is slow for 10 to 30 % of its requests", "two-speeds", "cache-misses", meaning="a random share of an operation is slower")
def slow_share_of_one_operation(dice: Random) -> Iterator[Bed]:
    share, slow = pick(dice, 0.1, 0.3), dice.randint(60, 180)
    with server.java(rule(ms=(3, 8)), rule(path="/search", share=share, ms=(slow, slow + 30))) as url:
        yield Bed(url, peak(7) + f"-c {dice.randint(15, 25)} --think 3ms {engine(dice)}--get / --get /search --get /item", truth=Truth(
            lambda all: [("slow /search", all.of("/search").slower(slow), share - 0.12, share + 0.12), ("slow /", all.of("/").slower(slow), 0, 0.02)],
            paths=("/", "/search", "/item"), users=10))


@cause("every third connection ends at an instance that takes 60 to 150 ms more", "two-speeds", "slow-instance", meaning="one instance is slow")
def slow_connections_of_one_instance(dice: Random) -> Iterator[Bed]:
    slow = dice.randint(60, 150)
    with server.go(rule(ms=(4, 9)), rule(conn=3, ms=(slow, slow + 10))) as url:
        yield Bed(url, peak(6) + f"-c {3 * dice.randint(4, 8)} --rate {dice.randint(100, 180)}/s {engine(dice)}--get /", truth=Truth(
            lambda all: [("slow share", all.slower(slow), 0.02, 0.3), ("median", all.median, 4, 25)], users=9))


@cause("a Go server whose cache misses 10 to 30 %", "cache-misses", "two-speeds", meaning="a random share is slower")
def go_cache_misses(dice: Random) -> Iterator[Bed]:
    share, slow = pick(dice, 0.1, 0.3), dice.randint(60, 200)
    http2 = dice.random() < 0.4
    with server.go(rule(ms=(3, 8)), rule(share=share, ms=(slow, slow * 1.3))) as url:
        load = f"--engine events --http2 --streams 5 -c {dice.randint(10, 20)} --think 5ms " if http2 else model(dice)
        yield Bed(url, peak(5) + load + "--get /", truth=Truth(
            lambda all: [("slow share", all.slower(slow), share - 0.1, share + 0.1), ("median", all.median, 3, 25)], users=10))


@cause("a name with an IPv6 address that leads nowhere", "slow-connects", meaning="every connection takes a constant extra time")
def ipv6_black_hole(dice: Random) -> Iterator[Bed]:
    port = 18_083
    with faults.network("nft add table inet hole", "nft add chain inet hole in '{ type filter hook input priority 0; }'",
                        f"nft add rule inet hole in ip6 daddr ::1 tcp dport {port} drop") as inside, \
            server.go(option(address=f"127.0.0.1:{port}"), rule(ms=(4, 12)), under=inside) as url:
        yield Bed(f"http://six.example:{port}/", peak(5) + f"--resolve six.example:{port}:[::1],127.0.0.1 -c {dice.randint(10, 30)} --think 20ms "
                  f"-H Connection:close {engine(dice)}--get /", inside, probe=lambda: [
                      ("IPv6", took(inside, "curl", "-s", "-g", "-m", "1", f"http://[::1]:{port}/"), -1, -1),
                      ("IPv4", took(inside, "curl", "-s", "-m", "1", f"http://127.0.0.1:{port}/"), 0, 300)])


@cause("a TLS server that takes 150 to 350 ms for a handshake", "tls-handshakes", "slow-connects", meaning="handshakes are slow")
def slow_tls_server(dice: Random) -> Iterator[Bed]:
    ms = dice.randint(150, 350)
    with server.go(option(tls=1, handshake=ms), rule(ms=(4, 12))) as url:
        yield Bed(url, peak(5) + f"-k -c {dice.randint(6, 15)} --think 20ms -H Connection:close {engine(dice)}--get /", truth=Truth(
            lambda all: [("connect", all.connect_median, ms, ms + 80), ("median", all.median, 4, 30)], close=True))


@cause("a name server that takes 0.5 to 1.5 s, for new connections", "slow-dns", meaning="looking up the name is slow")
def slow_names_new_connections(dice: Random) -> Iterator[Bed]:
    address = "127.0.0.79"
    seconds = pick(dice, 0.5, 1.5)
    with faults.name_server(address, seconds), faults.own_files(resolv_conf=f"nameserver {address}\n") as under, \
            server.go(rule(ms=(4, 12))) as url:
        yield Bed(url.replace("127.0.0.1", "shop.example"), f"--phases peak=1:for:4s -c {dice.randint(10, 30)} --think 20ms -H Connection:close --get /",
                  under, probe=lambda: [("ms", took(under, "getent", "ahostsv4", "shop.example"), 1000 * seconds, 2500 * seconds)])


@cause("a Tomcat with 4 to 6 connections to its database, each request takes 40 to 80 ms of one", "serial-work", "saturation",
       meaning="requests wait for a pool of connections")
def tomcat_connection_pool(dice: Random) -> Iterator[Bed]:
    size, ms = dice.randint(4, 6), dice.randint(40, 80)
    with faults.java("-cp", str(faults.JAR), TOMCAT, "200", str(size)) as url:
        yield Bed(url, f"--phases few=0.25:for:3s,peak=1:for:5s -c {4 * size} {engine(dice)}--get /pooled?ms={ms} --server-metrics /metrics", truth=Truth(
            lambda all: [("a second", len(all.all) / 4, 0.8 * size * 1000 / ms, 1.05 * size * 1000 / ms + 5), ("median", all.median, 1.5 * ms, 5 * ms)],
            users=3 * size, think=0, paths=(f"/pooled?ms={ms}",)))


@cause("a Node server that computes 5 to 12 ms for each request", "saturation", "serial-work", meaning="one thread does all the work")
def node_on_cpu(dice: Random) -> Iterator[Bed]:
    ms = dice.randint(5, 12)
    with server.node(rule(cpu=ms)) as url:
        yield Bed(url, f"--phases few=0.2:for:3s,peak=1:for:4s -c {dice.randint(10, 25)} {engine(dice)}--get /", truth=Truth(
            lambda all: [("a second", len(all.all) / 4, 500 / ms, 1020 / ms), ("median", all.median, 3 * ms, 10 * ms)], users=5, think=0))


@cause("a service that has too few instances for its first 3.5 s", "saturation", "cold-starts", "slow-start", NOTHING, meaning="at its limit until it has scaled")
def late_autoscaler(dice: Random) -> Iterator[Bed]:
    with server.go(rule(to=3500, pool=2, ms=40), rule(**{"from": 3500}, pool=40, ms=40)) as url:
        yield Bed(url, f"--phases peak=1:for:8s -c {dice.randint(30, 60)} --rate {dice.randint(90, 160)}/s {engine(dice)}--get /", truth=Truth(
            lambda all: [("slow early", all.share(lambda one: one.at < 3 and one.ms > 100), 0.05, 0.9), ("slow late", all.share(lambda one: one.at > 4 and one.ms > 80), 0, 0.02)],
            users=10, seconds=6))


@cause("a Java server with a pool of 3 to 5, under a rising rate", "ramp-knee", "saturation", meaning="it handles no more than that")
def java_threads_ramp(dice: Random) -> Iterator[Bed]:
    size, ms = dice.randint(3, 5), dice.randint(25, 45)
    limit = size * 1000 / ms
    with server.java(rule(pool=size, ms=ms)) as url:
        yield Bed(url, f"--phases 'peak=1 for 9s at {int(0.2 * limit)}/s..{int(1.9 * limit)}/s' -c {8 * size} {engine(dice)}--get /", truth=Truth(
            lambda all: [("a second", len(all.all) / 4, 0.85 * limit, 1.05 * limit + 5)], users=3 * size, think=0))


@cause("nginx sends 300 to 800 kB a second to each connection", "bandwidth", meaning="a limit of bandwidth")
def slow_link_per_connection(dice: Random) -> Iterator[Bed]:
    rate, size = dice.randint(300, 800), dice.randint(100_000, 250_000)
    with server.go(rule(bytes=size)) as behind, faults.nginx("", f"location / {{ limit_rate {rate}k; proxy_pass {behind[:-1]}; }}") as url:
        yield Bed(url, peak(6) + f"-c {dice.randint(8, 16)} {engine(dice)}--get /", truth=Truth(
            lambda all: [("kB a second and user", len(all.all) * size / 4 / 4 / 1000, 0.5 * rate, 2.2 * rate)], users=4, think=0))


@cause("a server that reads uploads of 1 to 2 MB slowly", "slow-uploads", meaning="the time passes while bodies are sent")
def slow_reading_server(dice: Random) -> Iterator[Bed]:
    ms, size = dice.randint(15, 30), dice.randint(1_000_000, 2_000_000)
    with tempfile.NamedTemporaryFile() as body, server.go(option(buffer=32_768), rule(read=ms)) as url:
        Path(body.name).write_bytes(b"x" * size)
        yield Bed(url, peak(6) + f"-c {dice.randint(4, 10)} {engine(dice)}--post / --body @{body.name}", truth=Truth(
            lambda all: [("median", all.median, 0.7 * ms * size / 65_536, 2 * ms * size / 65_536 + 50)], method="POST", body=size, think=0))


@cause("a server that starts its work with the first request, for 1.2 to 2.5 s", "slow-first-request", "cold-starts", "slow-start", meaning="the first requests are slow")
def lazy_start(dice: Random) -> Iterator[Bed]:
    ms = dice.randint(1200, 2500)
    with server.go(rule(first=1, block=1, ms=ms), rule(ms=(4, 12))) as url:
        yield Bed(url, "--phases peak=1:for:6s " + users(dice) + "--get /", truth=Truth(
            lambda all: [("slowest", all.slowest, ms, ms + 60), ("slow after them", all.share(lambda one: one.at > 0.5 and one.ms > 100), 0, 0)]))


@cause("an HTTP/2 server that allows one stream at a time", "stream-limit", "serial-streams", "serial-work", meaning="streams of a connection wait for each other")
def one_stream_allowed(dice: Random) -> Iterator[Bed]:
    streams, ms = dice.choice((4, 8)), dice.randint(8, 20)
    with server.go(option(streams=1), rule(ms=ms)) as url:
        yield Bed(url, peak(5) + f"--engine events --http2 --streams {streams} -c {3 * streams} --get /", probe=lambda: [
            ("eight streams", server.streams_ms(url, 8), 8 * ms, 14 * ms + 1500)])


@contextlib.contextmanager
def lossy(port: int, share: float, direction: str) -> Iterator[list[str]]:
    with faults.network("nft add table inet loss", "nft add chain inet loss in '{ type filter hook input priority 0; }'",
                        f"nft add rule inet loss in tcp {direction} {port} numgen random mod 10000 '<' {int(share * 10_000)} drop") as inside:
        yield inside


@cause("1 to 2 % of the segments to the client are lost", "packet-loss", meaning="segments are lost")
def loss_of_responses(dice: Random) -> Iterator[Bed]:
    port = 18_084
    with lossy(port, pick(dice, 0.01, 0.02), "sport") as inside, server.go(option(address=f"127.0.0.1:{port}"), rule(ms=(3, 8)), under=inside) as url:
        yield Bed(url, peak(6) + users(dice, 12, 25) + "--get /", inside, truth=Truth(
            lambda all: [("late by 200 ms", all.share(lambda one: 195 < one.ms < 300), 0.003, 0.03)], users=20, think=0.005))


@cause("0.5 to 1 % of the segments to an HTTP/2 server are lost", "packet-loss", meaning="segments are lost")
def loss_http2(dice: Random) -> Iterator[Bed]:
    port = 18_085
    with lossy(port, pick(dice, 0.005, 0.01), "dport") as inside, server.go(option(address=f"127.0.0.1:{port}"), rule(ms=(3, 8)), under=inside) as url:
        yield Bed(url, peak(6) + f"--engine events --http2 --streams {dice.choice((1, 2))} -c {dice.randint(12, 24)} --think 10ms --get /", inside, truth=Truth(
            lambda all: [("late by 200 ms", all.share(lambda one: 195 < one.ms < 300), 0.001, 0.02)], users=20, think=0.005))


@cause("a Go server that takes 6 to 12 µs longer with each request", "drift", meaning="it gets slower with what it keeps")
def go_grows_with_requests(dice: Random) -> Iterator[Bed]:
    grow = dice.randint(6, 12)
    with server.go(rule(ms=4, grow=grow)) as url:
        yield Bed(url, peak(17) + f"-c 40 --rate {dice.randint(130, 200)}/s {engine(dice)}{dice.choice(('', '--arrivals poisson '))}--get /", truth=Truth(
            lambda all: [("last", sorted(all.all, key=lambda one: one.at)[-1].ms, 4 + grow * len(all.all) / 1100, 8 + grow * len(all.all) / 900)], users=10, think=0))


@cause("the client is stopped for 0.8 to 1.6 s", "stopped", "suspended", "stalls", meaning="the client stood still")
def client_stopped(dice: Random) -> Iterator[Bed]:
    with server.go(rule(ms=(4, 12))) as url:
        yield Bed(url, peak(6) + model(dice) + "--timeout 700ms --get /", freeze=pick(dice, 0.8, 1.6))


@cause("a Tomcat with 3 to 5 threads, each request takes 30 to 60 ms", "server-threads", meaning="requests wait for a thread")
def tomcat_few_threads(dice: Random) -> Iterator[Bed]:
    size, ms = dice.randint(3, 5), dice.randint(30, 60)
    with faults.java("-cp", str(faults.JAR), TOMCAT, str(size), "100") as url:
        yield Bed(url, peak(6) + f"-c {4 * size} {engine(dice)}--get /pooled?ms={ms} --server-metrics /metrics", truth=Truth(
            lambda all: [("a second", len(all.all) / 4, 0.7 * size * 1000 / ms, 1.05 * size * 1000 / ms + 5)], users=3 * size, think=0,
            paths=(f"/pooled?ms={ms}",)))
