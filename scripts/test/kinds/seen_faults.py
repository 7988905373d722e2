"""Faults of the seen half, with random parameters."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random

import behaviours as server
import faults
from asking import Answers, Truth, took
from behaviours import option, rule
from kinds import NOTHING, Bed, cause, engine, model, peak, pick, users


@cause("a Go server that stands still every 1.2 to 2.4 s", "periodic-stalls", meaning="all requests wait at even distances")
def go_pauses(dice: Random) -> Iterator[Bed]:
    period, pause = dice.randint(1200, 2400), dice.randint(150, 400)
    with server.go(rule(tick=period, block=1, ms=pause), rule(ms=(2, 6))) as url:
        yield Bed(url, peak(round(5.5 * period / 1000)) + model(dice) + "--get /", truth=Truth(
            lambda all: [("slowest", all.slowest, 0.9 * pause, pause + 100), ("slow share", all.slower(pause / 2), 0.002, 0.2), ("median", all.median, 2, 20)],
            seconds=2.5 * period / 1000))


@cause("a Java server that stands still every 2 to 3 s", "periodic-stalls", meaning="all requests wait at even distances")
def java_pauses(dice: Random) -> Iterator[Bed]:
    period, pause = dice.randint(2000, 3000), dice.randint(100, 300)
    with server.java(rule(tick=period, block=1, ms=pause), rule(ms=(3, 8))) as url:
        yield Bed(url, peak(round(5.3 * period / 1000)) + model(dice) + "--get /", truth=Truth(
            lambda all: [("slowest", all.slowest, 0.9 * pause, pause + 100), ("slow share", all.slower(pause / 2), 0.001, 0.2), ("median", all.median, 3, 20)],
            seconds=2.5 * period / 1000))


@cause("a Python server whose cache misses 10 to 30 %", "cache-misses", "two-speeds", meaning="a random share is slower")
def python_cache_misses(dice: Random) -> Iterator[Bed]:
    share, slow = pick(dice, 0.1, 0.3), dice.randint(60, 150)
    with server.python(rule(ms=(2, 6)), rule(share=share, ms=(slow, slow + 20))) as url:
        yield Bed(url, peak(5) + model(dice) + "--get /", truth=Truth(
            lambda all: [("slow share", all.slower(slow), share - 0.08, share + 0.08), ("median", all.median, 2, 20)]))


@cause("one of two backends of HAProxy takes 60 to 120 ms more", "two-speeds", "slow-instance", meaning="one instance is slow")
def haproxy_slow_backend(dice: Random) -> Iterator[Bed]:
    slow = dice.randint(60, 120)
    with server.go(rule(ms=(4, 9))) as fast, server.java(rule(ms=(slow, slow + 15))) as other, server.haproxy(
            f"listen all\n  bind LISTEN\n  balance roundrobin\n  server a {fast[7:-1]}\n  server b {other[7:-1]}") as url:
        yield Bed(url, peak(5) + model(dice) + "--get /", truth=Truth(
            lambda all: [("slow share", all.slower(slow), 0.4, 0.6), ("fastest half", all.median, 3, slow + 20)]))


@cause("one of two instances fails one of two operations", "steady-failures", meaning="a constant share of an operation fails")
def one_of_two_of_one_operation(dice: Random) -> Iterator[Bed]:
    status = dice.choice((500, 404))
    good, bad = server.node(rule(ms=(4, 9))), server.python(rule(ms=(4, 9)), rule(path="/b", status=status))
    with good as a, bad as b, server.haproxy(f"listen all\n  bind LISTEN\n  balance roundrobin\n  server a {a[7:-1]}\n  server b {b[7:-1]}") as url:
        yield Bed(url, peak(5) + users(dice) + "--get /a --get /b", truth=Truth(
            lambda all: [("failed /a", all.of("/a").failed, 0, 0), ("failed /b", all.of("/b").status(status), 0.3, 0.7)], paths=("/a", "/b")))


@cause("nginx gives up slow responses after 0.6 to 1.4 s", "gives-up", meaning="a timeout on the way")
def nginx_read_timeout(dice: Random) -> Iterator[Bed]:
    share, limit = pick(dice, 0.03, 0.1), dice.randint(600, 1400)
    with server.go(rule(ms=(4, 12)), rule(share=share, ms=4000)) as behind, faults.nginx(
            "", f"location / {{ proxy_read_timeout {limit}ms; proxy_pass {behind[:-1]}; }}") as url:
        yield Bed(url, peak(6) + f"-c {dice.randint(15, 30)} --think 10ms {engine(dice)}--get /", truth=Truth(
            lambda all: [("504", all.status(504), 0.2 * share, 3 * share), ("slowest", all.slowest, limit, limit + 80)], users=20))


@cause("a balancer that closes connections whose response takes 0.7 to 1.5 s", "gives-up", "resets",
       meaning="a timeout on the way")
def closed_at_fixed_time(dice: Random) -> Iterator[Bed]:
    share, limit = pick(dice, 0.02, 0.06), dice.randint(700, 1500)
    with server.go(rule(ms=(4, 12)), rule(share=share, ms=limit, end="close")) as url:
        yield Bed(url, peak(6) + f"-c {dice.randint(15, 30)} --think 10ms {engine(dice)}--get /", truth=Truth(
            lambda all: [("failed", all.failed, 0.2 * share, 3 * share), ("slowest", all.slowest, limit, limit + 80)], users=20))


@cause("one of two backends of nginx isn't there", "bad-gateway", "steady-failures", meaning="the proxy can't reach a backend")
def nginx_dead_backend(dice: Random) -> Iterator[Bed]:
    with server.node(rule(ms=(4, 12))) as behind, faults.nginx(
            f"upstream two {{ server {behind[7:-1]} max_fails=0; server 127.0.0.1:{faults.free_port()} max_fails=0; }}",
            "location / { proxy_next_upstream off; proxy_pass http://two; }") as url:
        yield Bed(url, peak(5) + model(dice) + "--get /", truth=Truth(lambda all: [("502", all.status(502), 0.4, 0.6)]))


@cause("a token bucket in Go", "rate-limit", "rate-limit", meaning="a burst passes, then a constant rate")
def go_token_bucket(dice: Random) -> Iterator[Bed]:
    burst, rate = dice.randint(200, 400), dice.randint(60, 120)
    with server.go(rule(bucket=f"{burst}/{rate}", status=429), rule(ms=(3, 9))) as url:
        yield Bed(url, f"--phases peak=1:for:7s -c 20 --rate {3 * rate}/s {engine(dice)}--get /", truth=Truth(
            lambda all: [("passed a second", len(all.all) * (1 - all.failed) / 5, (burst + 4.4 * rate) / 5, (burst + 5.6 * rate) / 5),
                         ("refused early", refused_early(all), 0, 0)], users=10, seconds=5))


def refused_early(all) -> float:
    """Refused before the first hundred."""
    return sum(one.status == 429 for one in sorted(all.all, key=lambda one: one.at)[:100])


@cause("nginx limit_req with a burst", "rate-limit", "rate-limit", meaning="a burst passes, then a constant rate")
def nginx_burst(dice: Random) -> Iterator[Bed]:
    burst, rate = dice.randint(150, 300), dice.randint(60, 120)
    with faults.nginx(f"limit_req_zone $binary_remote_addr zone=all:1m rate={rate}r/s;",
                      f"location / {{ limit_req zone=all burst={burst} nodelay; limit_req_status 429; try_files /none @ok; }} location @ok {{ return 200 ok; }}") as url:
        yield Bed(url, f"--phases peak=1:for:6s -c 20 --rate {3 * rate}/s {engine(dice)}--get /", truth=Truth(
            lambda all: [("passed a second", len(all.all) * (1 - all.failed) / 4, (burst + 3.4 * rate) / 4, (burst + 4.6 * rate) / 4)], users=10))


@cause("a Go server that resets every connection at its 5th to 12th request", "resets", meaning="kept connections are reset after N responses")
def go_reset_after_responses(dice: Random) -> Iterator[Bed]:
    nth = dice.randint(5, 12)
    with server.go(rule(nth=nth, end="reset"), rule(ms=(4, 12))) as url:
        yield Bed(url, peak(5) + users(dice) + "--get /", truth=Truth(
            lambda all: [("failed", all.failed, 0.6 / nth, 1.4 / nth), ("elsewhere", all.share(lambda one: one.status == 0 and one.nth != nth), 0, 0)]))


@cause("a Go server that resets 2 to 5 % of the requests while it works on them", "resets", meaning="kept connections are reset in use")
def go_reset_while_working(dice: Random) -> Iterator[Bed]:
    share, ms = pick(dice, 0.02, 0.05), dice.randint(20, 80)
    with server.go(rule(share=share, ms=ms, end="reset"), rule(ms=(4, 12))) as url:
        yield Bed(url, peak(5) + model(dice) + dice.choice(("--get /", "--post / --body text")), truth=Truth(
            lambda all: [("failed", all.failed, 0.3 * share, 2 * share), ("reset early", all.share(lambda one: one.status == 0 and one.ms < ms - 1), 0, 0)],
            seconds=6, users=10))


@cause("a firewall that drops the first SYN of each connection", "slow-connects", meaning="every connection takes a constant extra time")
def first_syn_dropped(dice: Random) -> Iterator[Bed]:
    port = 18_081
    with faults.network("nft add table inet firewall", "nft 'add set inet firewall known { type inet_service; flags dynamic,timeout; timeout 20s; }'",
                        "nft add chain inet firewall in '{ type filter hook input priority 0; }'",
                        f"nft 'add rule inet firewall in tcp dport {port} tcp flags & (syn|ack) == syn tcp sport @known accept'",
                        f"nft 'add rule inet firewall in tcp dport {port} tcp flags & (syn|ack) == syn add @known {{ tcp sport }} drop'") as inside, \
            server.go(option(address=f"127.0.0.1:{port}"), rule(ms=(4, 12)), under=inside) as url:
        yield Bed(url, peak(6) + f"-c {dice.randint(15, 40)} --think 20ms -H Connection:close {engine(dice)}--get /", inside, truth=Truth(
            lambda all: [("connect", all.connect_median, 950, 1150), ("failed", all.failed, 0, 0)], close=True))


@cause("the first of two addresses is dead", "slow-connects", meaning="every connection takes a constant extra time")
def dead_address_of_two(dice: Random) -> Iterator[Bed]:
    port = 18_082
    with faults.network("nft add table inet firewall", "nft add chain inet firewall in '{ type filter hook input priority 0; }'",
                        "nft add rule inet firewall in ip daddr 127.0.0.2 drop") as inside, \
            server.go(option(address=f"127.0.0.1:{port}"), rule(ms=(4, 12)), under=inside) as url:
        yield Bed(f"http://two.example:{port}/", peak(5) + f"--resolve two.example:{port}:127.0.0.2,127.0.0.1 -c {dice.randint(10, 30)} --think 20ms "
                  f"-H Connection:close {engine(dice)}--get /", inside, probe=lambda: [
                      ("dead address", took(inside, "curl", "-s", "-m", "1", f"http://127.0.0.2:{port}/"), -1, -1),
                      ("other address", took(inside, "curl", "-s", "-m", "1", f"http://127.0.0.1:{port}/"), 0, 300)])


@cause("a name server that takes 0.3 to 0.8 s, for event loops", "slow-dns", meaning="looking up the name is slow")
def slow_names_events(dice: Random) -> Iterator[Bed]:
    address = "127.0.0.78"
    seconds = pick(dice, 0.3, 0.8)
    with faults.name_server(address, seconds), faults.own_files(resolv_conf=f"nameserver {address}\n") as under, \
            server.node(rule(ms=(4, 12))) as url:
        yield Bed(url.replace("127.0.0.1", "slow.example"), f"--phases peak=1:for:4s --engine events -c {dice.randint(10, 30)} --think 20ms "
                  "-H Connection:close --get /", under, probe=lambda: [
                      ("ms", took(under, "getent", "ahostsv4", "slow.example"), 1000 * seconds, 2500 * seconds)])


@cause("a Go server with a pool of 3 to 6", "saturation", "serial-work", meaning="more users only wait")
def go_pool(dice: Random) -> Iterator[Bed]:
    size, ms = dice.randint(3, 6), dice.randint(20, 60)
    with server.go(rule(pool=size, ms=ms)) as url:
        yield Bed(url, f"--phases few=0.2:for:3s,peak=1:for:4s -c {8 * size} {engine(dice)}--get /", truth=Truth(
            lambda all: [("a second", len(all.all) / 4, 0.85 * size * 1000 / ms, 1.05 * size * 1000 / ms + 5), ("median", all.median, 1.5 * ms, 5 * ms)],
            users=3 * size, think=0))


@cause("HAProxy whose backend may have 3 to 6 requests at a time", "proxy-queue", "saturation", meaning="requests wait in the proxy's queue")
def haproxy_queue(dice: Random) -> Iterator[Bed]:
    most, ms = dice.randint(3, 6), dice.randint(20, 50)
    with server.go(rule(ms=ms)) as behind, server.haproxy(
            "frontend all\n  bind LISTEN\n  http-request use-service prometheus-exporter if { path /metrics }\n  default_backend one\n"
            f"backend one\n  server a {behind[7:-1]} maxconn {most}") as url:
        yield Bed(url, peak(6) + f"-c {6 * most} {engine(dice)}--server-metrics /metrics --get /", truth=Truth(
            lambda all: [("a second", len(all.all) / 4, 0.8 * most * 1000 / ms, 1.05 * most * 1000 / ms + 5), ("median", all.median, 1.5 * ms, 6 * ms)],
            users=3 * most, think=0))


def thin(mbit: int) -> contextlib.AbstractContextManager[list[str]]:
    return faults.network("ip link set lo mtu 1500", f"tc qdisc add dev lo root tbf rate {mbit}mbit burst 32k limit 1m")


@cause("uploads of 100 to 300 kB over 10 to 30 Mbit/s", "slow-uploads", "bandwidth", meaning="the time passes while bodies are sent")
def uploads_on_thin_link(dice: Random) -> Iterator[Bed]:
    mbit, size = dice.randint(10, 30), dice.randint(100_000, 300_000)
    with tempfile.NamedTemporaryFile() as body, thin(mbit) as inside, server.go(rule(ms=(2, 5)), under=inside) as url:
        Path(body.name).write_bytes(b"x" * size)
        yield Bed(url, peak(6, 2) + f"-c {dice.randint(3, 6)} {engine(dice)}--post / --body @{body.name}", inside, truth=Truth(
            lambda all: [("Mbit/s", len(all.all) * size * 8e-6 / 4, 0.7 * mbit, 1.1 * mbit + 3)], method="POST", body=size, think=0, users=4))


@cause("downloads over 10 to 30 Mbit/s, for event loops", "bandwidth", meaning="a limit of bandwidth")
def thin_link_events(dice: Random) -> Iterator[Bed]:
    mbit, size = dice.randint(10, 30), dice.randint(100_000, 300_000)
    with thin(mbit) as inside, server.go(rule(bytes=size), under=inside) as url:
        yield Bed(url, peak(6, 2) + f"-c {dice.randint(3, 6)} --engine events --get /", inside, truth=Truth(
            lambda all: [("Mbit/s", len(all.all) * size * 8e-6 / 4, 0.7 * mbit, 1.1 * mbit + 3)], think=0, users=4))


@cause("sessions expire after 2 to 4 s: redirects to /login", "redirects", meaning="redirects to a log-in page")
def session_expires(dice: Random) -> Iterator[Bed]:
    after = dice.randint(2000, 4000)
    with server.go(rule(ms=(4, 12)), rule(**{"from": after}, status=302, header="Location:/login")) as url:
        yield Bed(url, "--phases peak=1:for:6s " + model(dice) + "--get /account", truth=Truth(
            lambda all: [("302", all.status(302), 0.9 - after / 5000, 1.1 - after / 5000), ("to /login", all.share(lambda one: one.location == "/login"), 0.1, 0.9)],
            seconds=5, paths=("/account",)))


@cause("the first request of each connection takes 0.3 to 0.8 s", "slow-first-request", "slow-start", meaning="the first request of a connection is slow")
def first_of_connection(dice: Random) -> Iterator[Bed]:
    slow = dice.randint(300, 800)
    with server.java(rule(upto=1, ms=slow), rule(ms=(4, 10))) as url:
        yield Bed(url, f"--phases peak=1:for:5s -c {dice.randint(20, 40)} --think 30ms {engine(dice)}--get /", truth=Truth(
            lambda all: [("first", min(one.ms for one in all.all if one.nth == 1), slow, slow + 150), ("median", all.median, 4, 30)]))


@cause("an HTTP/2 server that works on one stream at a time", "serial-streams", "serial-work", meaning="streams of a connection wait for each other")
def streams_one_by_one(dice: Random) -> Iterator[Bed]:
    ms, streams = dice.randint(8, 25), dice.choice((5, 10))
    with server.go(rule(serial=1, ms=ms)) as url:
        yield Bed(url, peak(5) + f"--engine events --http2 --streams {streams} -c {2 * streams} --get /", probe=lambda: [
            ("eight streams", server.streams_ms(url, 8), 8 * ms, 12 * ms + 50)])


@cause("an HTTP/2 server that resets 2 to 5 % of the streams", "resets", NOTHING, meaning="streams are reset in use")
def streams_reset(dice: Random) -> Iterator[Bed]:
    with server.go(rule(share=pick(dice, 0.02, 0.05), ms=20, end="reset"), rule(ms=(4, 12))) as url:
        yield Bed(url, peak(5) + f"--engine events --http2 --streams 5 -c {dice.randint(10, 20)} --think 5ms --get /", truth=Truth(
            lambda all: [("failed", all.failed, 0.005, 0.1)]))


@cause("a backend behind nginx is away for 1.6 to 2.5 s", "outage", "restarts", "bad-gateway", meaning="a short outage with 502")
def backend_restarts_behind_nginx(dice: Random) -> Iterator[Bed]:
    length = dice.randint(1600, 2500)
    with server.go(option(down=(3000, 3000 + length)), rule(ms=(4, 12))) as behind, faults.nginx(
            "", f"location / {{ proxy_pass {behind[:-1]}; }}") as url:
        yield Bed(url, peak(7) + model(dice) + "--get /", truth=Truth(
            lambda all: [("502", all.status(502), 0.1, 0.6), ("first 502", min([one.at for one in all.all if one.status == 502] or [0]), 2.9, 3.3)], seconds=7))


@cause("packets take 5 ms, but all are held for up to 40 to 80 ms a few times a second, for event loops", "jitter", meaning="the network's delay varies")
def jitter_events(dice: Random) -> Iterator[Bed]:
    hold, period = pick(dice, 0.04, 0.08), pick(dice, 0.2, 0.35)

    def seconds() -> float:
        return 0.0025 + max(0.0, hold - faults.time.monotonic() % period)

    with faults.network() as inside, faults.delays(inside, seconds) as address, server.go(option(address="10.99.0.1:0"), rule(ms=1), under=inside) as url:
        yield Bed(url.replace("10.99.0.1", address), peak(6) + "--engine events -c 5 --think 50ms -H Connection:close --get /", inside, truth=Truth(
            lambda all: [("connect", all.connect_median, 5, 30), ("slow connects", sum(ms > 25 for ms in all.connects) / max(1, len(all.connects)), 0.05, 0.6)],
            close=True))


@cause("a Java server that takes 8 to 15 µs longer with each request", "drift", meaning="it gets slower with what it keeps")
def java_grows(dice: Random) -> Iterator[Bed]:
    grow = dice.randint(8, 15)
    with server.java(rule(ms=4, grow=grow)) as url:
        yield Bed(url, peak(17) + f"-c 30 --rate {dice.randint(100, 160)}/s {engine(dice)}--get /", truth=Truth(
            lambda all: [("last", sorted(all.all, key=lambda one: one.at)[-1].ms, 4 + grow * len(all.all) / 1100, 6 + grow * len(all.all) / 900)],
            users=10, think=0))


@cause("a room that loses every 20th to 40th message, at any load", "unanswered", NOTHING, meaning="messages are lost")
def lost_messages(dice: Random) -> Iterator[Bed]:
    with faults.target() as url:
        yield Bed(f"ws{url[4:]}rooms/{{pair}}?lose={dice.randint(20, 40)}", "--phases few=0.5:for:2s,peak=1:for:4s --timeout 1s "
                  f"-c {dice.randint(20, 50)} --rate '{dice.randint(150, 400)} messages/s'")


@cause("a Go server that fails when it has more than 6 to 10 requests", "failures-with-load", "load-shedding", meaning="it fails under load")
def go_fails_when_busy(dice: Random) -> Iterator[Bed]:
    most = dice.randint(6, 10)
    with server.go(rule(above=most, status=500), rule(ms=(15, 30))) as url:
        yield Bed(url, f"--phases few=0.2:for:3s,peak=1:for:4s -c {2 * most} {engine(dice)}--think 2ms --get /", truth=Truth(
            lambda all: [("500", all.status(500), 0.05, 0.8)], users=most + 3, think=0.002))


@cause("a Java server that accepts a connection in 30 to 60 ms, with a backlog of 1", "accept-queue", meaning="its accept queue is full")
def accept_backlog(dice: Random) -> Iterator[Bed]:
    with server.java(option(backlog=1, accept=dice.randint(30, 60)), rule(ms=2)) as url:
        yield Bed(url, f"--phases peak=1:for:6s -c {dice.randint(20, 40)} --think 50ms -H Connection:close {engine(dice)}--get /", truth=Truth(
            lambda all: [("slow connects", sum(ms > 900 for ms in all.connects) / max(1, len(all.connects)), 0.05, 0.9)], users=20, close=True))


@cause("one of two operations wants credentials", "credentials", meaning="credentials are missing")
def credentials_missing(dice: Random) -> Iterator[Bed]:
    status = dice.choice((401, 403))
    with server.node(rule(ms=(4, 12)), rule(path="/private", status=status)) as url:
        yield Bed(url, peak(4) + model(dice) + "--get / --get /private", truth=Truth(
            lambda all: [("failed /", all.of("/").failed, 0, 0), ("/private", all.of("/private").status(status), 1, 1)], paths=("/", "/private")))


@cause("exponential times, and a timeout that cuts 2 to 8 % off", "timeout-too-short", meaning="the timeout cuts off slow responses")
def tail_cut_off(dice: Random) -> Iterator[Bed]:
    mean, times = dice.randint(30, 60), pick(dice, 2.6, 3.8)
    limit = int(mean * times)
    with server.python(rule(exp=mean)) as url:
        yield Bed(url, peak(5) + f"-c {dice.randint(10, 25)} --think 5ms --timeout {limit}ms {engine(dice)}--get /", truth=Truth(
            lambda all: [("slower", all.slower(limit), 0.01, 0.15)], users=10))


@cause("a Java server that closes connections after 3 to 12 requests", "keep-alive-limit", meaning="connections are closed after few requests")
def java_few_requests(dice: Random) -> Iterator[Bed]:
    most = dice.randint(3, 12)
    with server.java(option(requests=most), rule(ms=(2, 6))) as url:
        yield Bed(url, peak(5) + users(dice) + "--get /", truth=Truth(
            lambda all: [("on a connection", max(one.nth for one in all.all), most, most), ("failed", all.failed, 0, 0)]))


@cause("a Tomcat in a control group with 0.3 to 0.5 CPUs burns 3 to 6 ms for each request", "server-cpu", meaning="the server has no CPU time left")
def tomcat_burns(dice: Random) -> Iterator[Bed]:
    with faults.control_group(pick(dice, 0.3, 0.5)) as under, \
            faults.java("-cp", str(faults.JAR), str(server.SERVERS.parent / "FaultyTomcat.java"), under=under) as url:
        yield Bed(url, peak(6, 2) + f"-c {dice.randint(8, 14)} {engine(dice)}--get /burn?ms={dice.randint(3, 6)} --server-metrics /metrics", truth=Truth(
            lambda all: [("a second", len(all.all) / 4, 5, 200), ("median", all.median, 15, 500)], think=0, paths=("/burn?ms=5",)))
