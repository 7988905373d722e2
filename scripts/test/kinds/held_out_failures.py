"""Faults of the held-out half that make requests fail, with random parameters. Don't read on if you change rules."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from random import Random

import behaviours as server
import faults
from asking import Truth
from behaviours import option, rule
from kinds import NOTHING, Bed, cause, engine, model, peak, pick, users


@cause("one of three instances fails one of two operations", "steady-failures", meaning="a constant share of an operation fails")
def go_every_third(dice: Random) -> Iterator[Bed]:
    status = dice.choice((500, 503, 404))
    with server.go(rule(ms=(4, 12)), rule(path="/b", every=3, status=status)) as url:
        yield Bed(url, peak(5) + model(dice) + "--get /a --get /b", truth=Truth(
            lambda all: [("failed /a", all.of("/a").failed, 0, 0), ("failed /b", all.of("/b").status(status), 0.3, 0.36)], paths=("/a", "/b")))


@cause("one of four instances behind nginx fails", "steady-failures", meaning="a constant share fails")
def one_of_four_behind_nginx(dice: Random) -> Iterator[Bed]:
    with server.go(rule(ms=(4, 12))) as good, server.node(rule(ms=(4, 12)), rule(status=dice.choice((500, 403)))) as bad:
        three = " ".join(f"server {good[7:-1]};" for _ in range(3))
        with faults.nginx(f"upstream four {{ {three} server {bad[7:-1]}; }}", "location / { proxy_pass http://four; }") as url:
            yield Bed(url, peak(5) + model(dice) + "--get /", truth=Truth(lambda all: [("failed", all.failed, 0.2, 0.3)]))


@cause("HAProxy gives up slow responses after 0.5 to 1.4 s", "gives-up", meaning="a timeout on the way")
def haproxy_server_timeout(dice: Random) -> Iterator[Bed]:
    share, limit = pick(dice, 0.03, 0.1), dice.randint(500, 1400)
    with server.node(rule(ms=(4, 12)), rule(share=share, ms=4000)) as behind, server.haproxy(
            f"listen all\n  bind LISTEN\n  timeout server {limit}ms\n  server a {behind[7:-1]}") as url:
        yield Bed(url, peak(6) + f"-c {dice.randint(15, 30)} --think 10ms {engine(dice)}--get /", truth=Truth(
            lambda all: [("504", all.status(504), 0.2 * share, 3 * share), ("slowest", all.slowest, limit - 5, limit + 100)], users=20))


@cause("a server's own deadline of 0.4 to 1 s: 503", "gives-up", meaning="a timeout on the way")
def go_own_deadline(dice: Random) -> Iterator[Bed]:
    share, limit = pick(dice, 0.03, 0.1), dice.randint(400, 1000)
    with server.go(rule(share=share, ms=limit, status=503), rule(ms=(4, 80))) as url:
        yield Bed(url, peak(6) + f"-c {dice.randint(15, 30)} --think 10ms {engine(dice)}--get /", truth=Truth(
            lambda all: [("503", all.status(503), 0.2 * share, 3 * share), ("slowest", all.slowest, limit, limit + 80)], users=20))


@cause("a proxy runs out of local ports", "bad-gateway", meaning="the proxy can't reach its backend")
def proxy_without_ports(dice: Random) -> Iterator[Bed]:
    ports = dice.randint(250, 500)
    with faults.network(f"echo 40000 {40000 + ports} > /proc/sys/net/ipv4/ip_local_port_range", "echo 0 > /proc/sys/net/ipv4/tcp_tw_reuse") as inside, \
            server.go(rule(ms=(3, 8)), under=inside) as behind, faults.nginx(
                f"upstream one {{ server {behind[7:-1]} max_fails=0; }}",
                'location / { proxy_http_version 1.1; proxy_set_header Connection ""; proxy_pass http://one; }', under=inside) as url:
        yield Bed(url, peak(5) + f"-c {dice.randint(10, 20)} --rate {dice.randint(120, 200)}/s {engine(dice)}--get /", inside, truth=Truth(
            lambda all: [("served", len(all.all) * (1 - all.failed), 0.5 * ports, 1.1 * ports), ("502", all.status(502), 0.02, 0.95)], users=8, seconds=5))


@cause("HAProxy's only backend is killed", "bad-gateway", "outage", meaning="the proxy can't reach its backend")
def haproxy_backend_killed(dice: Random) -> Iterator[Bed]:
    after = dice.randint(2500, 4500)
    with server.go(option(down=(after, 600_000)), rule(ms=(4, 12))) as behind, server.haproxy(
            f"listen all\n  bind LISTEN\n  retries 0\n  server a {behind[7:-1]}") as url:
        yield Bed(url, peak(6) + model(dice) + "--get /", truth=Truth(
            lambda all: [("503 begins", min([one.at for one in all.all if one.status == 503] or [0]), after / 1000 - 0.1, after / 1000 + 0.3),
                         ("failed later", all.failed, 0.1, 0.8)], seconds=7))


@cause("HAProxy refuses more than 60 to 120 requests a second", "rate-limit", "rate-limit", meaning="a rate limit")
def haproxy_stick_table(dice: Random) -> Iterator[Bed]:
    limit = dice.randint(60, 120)
    with server.node(rule(ms=(3, 9))) as behind, server.haproxy(
            "listen all\n  bind LISTEN\n  stick-table type ip size 1k expire 10s store gpc0,gpc0_rate(1s)\n  http-request track-sc0 src\n"
            f"  http-request deny deny_status 429 if {{ sc_gpc0_rate(0) ge {limit} }}\n  http-request sc-inc-gpc0(0)\n  server a {behind[7:-1]}") as url:
        yield Bed(url, peak(5) + f"-c 20 --rate {int(2.5 * limit)}/s {engine(dice)}--get /", truth=Truth(
            lambda all: [("passed a second", len(all.all) * (1 - all.failed) / 4, 0.6 * limit, 1.4 * limit), ("429", all.status(429), 0.1, 0.9)], users=8))


@cause("a Node server allows 50 to 120 requests in each second", "rate-limit", "rate-limit", meaning="a rate limit")
def node_window_limit(dice: Random) -> Iterator[Bed]:
    limit, status = dice.randint(50, 120), dice.choice((429, 503))
    with server.node(rule(window=limit, header="Retry-After:1", status=status), rule(ms=(3, 9))) as url:
        yield Bed(url, peak(6) + f"-c 20 --rate {int(2.2 * limit)}/s {engine(dice)}--get /", truth=Truth(
            lambda all: [("passed a second", len(all.all) * (1 - all.failed) / 4, 0.8 * limit, 1.3 * limit), ("refused", all.status(status), 0.1, 0.9)], users=8))


@cause("a Java server whose worker dies for 2 to 5 % of the requests", "resets", meaning="kept connections end while the server works")
def java_dies_working(dice: Random) -> Iterator[Bed]:
    share, ms = pick(dice, 0.02, 0.05), dice.randint(15, 60)
    with server.java(rule(share=share, ms=ms, end="close"), rule(ms=(4, 12))) as url:
        yield Bed(url, peak(5) + model(dice) + dice.choice(("--get /", "--put / --body text")), truth=Truth(
            lambda all: [("failed", all.failed, 0.3 * share, 2.2 * share), ("ended early", all.share(lambda one: one.status == 0 and one.ms < ms - 2), 0, 0)],
            seconds=6, users=10))


@cause("a Python server that resets 2 to 6 % of the uploads when it has read them", "resets", meaning="kept connections are reset in use")
def python_reset_uploads(dice: Random) -> Iterator[Bed]:
    share, size = pick(dice, 0.02, 0.06), dice.randint(5_000, 60_000)
    with tempfile.NamedTemporaryFile() as body, server.python(rule(method="POST", share=share, ms=(5, 30), end="reset"), rule(ms=(4, 12))) as url:
        Path(body.name).write_bytes(b"x" * size)
        yield Bed(url, peak(5) + users(dice) + f"--post / --body @{body.name}", truth=Truth(
            lambda all: [("failed", all.failed, 0.3 * share, 2.2 * share)], method="POST", body=size, seconds=6, users=8))


@cause("a Go server that cuts 3 to 10 % of the bodies off", "truncated-bodies", meaning="bodies end before their length")
def go_truncated(dice: Random) -> Iterator[Bed]:
    share = pick(dice, 0.03, 0.1)
    with server.go(rule(ms=(4, 12)), rule(share=share, end="truncate"), rule(bytes=20_000)) as url:
        yield Bed(url, peak(5) + model(dice) + "--get /", truth=Truth(
            lambda all: [("truncated", all.share(lambda one: one.problem == "IncompleteRead"), 0.4 * share, 1.9 * share)], users=10))


@cause("a Node server that destroys 3 to 10 % of its connections within chunks", "truncated-bodies", meaning="bodies end before their last chunk")
def node_truncated_chunks(dice: Random) -> Iterator[Bed]:
    share = pick(dice, 0.03, 0.1)
    with server.node(rule(ms=(4, 12)), rule(share=share, bytes=5_000, end="truncate")) as url:
        yield Bed(url, peak(5) + model(dice) + "--get /", truth=Truth(
            lambda all: [("truncated", all.share(lambda one: one.problem == "IncompleteRead"), 0.4 * share, 1.9 * share)], users=10))


@cause("one of three instances doesn't know the sessions: redirects to a log-in", "redirects", "steady-failures", meaning="redirects to a log-in page")
def login_on_one_of_three(dice: Random) -> Iterator[Bed]:
    place = dice.choice(("/login?next=account", "/signin", "/auth/login"))
    with server.node(rule(ms=(4, 12))) as good, server.go(rule(ms=(4, 12)), rule(status=302, header=f"Location:{place}")) as bad, server.haproxy(
            f"listen all\n  bind LISTEN\n  balance roundrobin\n  server a {good[7:-1]}\n  server b {good[7:-1]}\n  server c {bad[7:-1]}") as url:
        yield Bed(url, peak(5) + model(dice) + "--get /account", truth=Truth(
            lambda all: [("302", all.status(302), 0.25, 0.41), ("there", all.share(lambda one: one.location == place), 0.25, 0.41)], paths=("/account",)))


@cause("an HTTP/2 server that says GOAWAY after 5 to 20 requests", "keep-alive-limit", meaning="connections are closed after few requests")
def goaway_often(dice: Random) -> Iterator[Bed]:
    nth = dice.randint(5, 20)
    with server.go(rule(nth=nth, header="Connection:close"), rule(ms=(4, 12))) as url:
        yield Bed(url, peak(5) + f"--engine events --http2 --streams {dice.choice((1, 2))} -c {dice.randint(8, 16)} --think 5ms --get /", truth=Truth(
            lambda all: [("on a connection", max(one.nth for one in all.all), nth, nth), ("failed", all.failed, 0, 0)]))


@cause("nginx is restarted and away for 1.3 to 2.4 s", "restarts", "outage", meaning="a short outage with refused connections")
def nginx_restarts(dice: Random) -> Iterator[Bed]:
    length = pick(dice, 1.3, 2.4)
    folder = Path(f"/tmp/phaseload-nginx-{os.getpid()}")
    program = shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin:/sbin")
    over = threading.Event()
    again = []

    def restart() -> None:
        if over.wait(5.5):
            return
        os.kill(int((folder / "pid").read_text()), signal.SIGTERM)
        over.wait(length)
        again.append(subprocess.Popen([program, "-p", folder, "-e", folder / "error.log", "-c", folder / "nginx.conf"], stderr=subprocess.DEVNULL))

    with server.go(rule(ms=(4, 12))) as behind, faults.nginx("", f"location / {{ proxy_pass {behind[:-1]}; }}") as url:
        thread = threading.Thread(target=restart)
        thread.start()
        try:
            yield Bed(url, peak(9) + model(dice) + "--get /", truth=Truth(
                lambda all: [("first failure", min([one.at for one in all.all if one.status == 0] or [0]), 5.2, 5.8),
                             ("last failure", max([one.at for one in all.all if one.status == 0] or [0]), 5.3 + length, 5.9 + length)], seconds=9))
        finally:
            over.set()
            thread.join()
            for process in again:
                process.terminate()
                process.wait()


@cause("a Go server is restarted and away for 1.2 to 2.4 s", "restarts", "outage", meaning="a short outage with refused connections")
def go_restarts(dice: Random) -> Iterator[Bed]:
    length = dice.randint(1200, 2400)
    with server.go(option(down=(3000, 3000 + length)), rule(ms=(4, 12))) as url:
        yield Bed(url, peak(7) + model(dice) + "--get /", truth=Truth(
            lambda all: [("first failure", min([one.at for one in all.all if one.status == 0] or [0]), 2.9, 3.2),
                         ("last failure", max([one.at for one in all.all if one.status == 0] or [0]), 2.8 + length / 1000, 3.3 + length / 1000)], seconds=7))


@cause("rooms whose connections are closed with 1011 after 10 to 30 messages", "resets", "keep-alive-limit", NOTHING, meaning="connections are closed in use")
def closing_rooms(dice: Random) -> Iterator[Bed]:
    with faults.target() as url:
        yield Bed(f"ws{url[4:]}rooms/{{pair}}?after={dice.randint(10, 30)}&close=1011", peak(5) + f"--timeout 1s -c {dice.randint(15, 30)} --rate '{dice.randint(150, 300)} messages/s'")


@cause("a Node server that refuses what is more than 4 to 8 requests, with 503", "load-shedding", "failures-with-load", meaning="load is turned away")
def node_sheds(dice: Random) -> Iterator[Bed]:
    most = dice.randint(4, 8)
    with server.node(rule(above=most, status=503), rule(ms=(20, 40))) as url:
        yield Bed(url, peak(5) + f"-c {2 * most} --think {dice.randint(3, 10)}ms {engine(dice)}--get /", truth=Truth(
            lambda all: [("503", all.status(503), 0.05, 0.95)], users=most + 3))


@cause("a Python server that closes connections above 10 to 20", "connection-limit", meaning="it has a limit of connections")
def python_connection_limit(dice: Random) -> Iterator[Bed]:
    most = dice.randint(10, 20)
    with server.python(option(connections=most), rule(ms=(15, 40))) as url:
        yield Bed(url, peak(5) + f"-c {2 * most} --think 20ms {engine(dice)}--get /", truth=Truth(
            lambda all: [("failed", all.failed, 0.1, 0.9)], users=2 * most))


@cause("one of three operations has no page", "wrong-request", meaning="a request is wrong")
def missing_page(dice: Random) -> Iterator[Bed]:
    status = dice.choice((404, 405, 400))
    with server.java(rule(ms=(4, 12)), rule(path="/missing", status=status)) as url:
        yield Bed(url, peak(4) + model(dice) + "--get / --get /missing --get /item", truth=Truth(
            lambda all: [("failed /", all.of("/").failed, 0, 0), ("/missing", all.of("/missing").status(status), 1, 1)], paths=("/", "/missing")))


@cause("one of two operations always fails with 503 or 500, and all are checked for 200", "always-fails", meaning="an operation always fails")
def unavailable_operation(dice: Random) -> Iterator[Bed]:
    status = dice.choice((503, 500))
    with server.go(rule(ms=(4, 12)), rule(path="/orders", status=status)) as url:
        yield Bed(url, peak(4) + "--expect status=200 " + model(dice) + "--get / --get /orders", truth=Truth(
            lambda all: [("failed /", all.of("/").failed, 0, 0), ("/orders", all.of("/orders").status(status), 1, 1)], paths=("/", "/orders")))


@cause("a Node server that never answers 0.5 to 2 %", "unanswered", meaning="requests are lost or stuck")
def node_hangs(dice: Random) -> Iterator[Bed]:
    share = pick(dice, 0.005, 0.02)
    with server.node(rule(share=share, end="hang"), rule(ms=(4, 40))) as url:
        yield Bed(url, peak(5) + f"-c {dice.randint(10, 25)} --think 10ms --timeout {dice.randint(700, 1200)}ms {engine(dice)}--get /", truth=Truth(
            lambda all: [("failed", all.failed, 0.1 * share, 4 * share), ("p50", all.median, 4, 45)], users=20, timeout=1))


@cause("a Node server whose keep-alive timeout is about as long as the users' pauses", "idle-timeout", "keep-alive-limit", NOTHING,
       meaning="idle connections are closed")
def node_idle_timeout(dice: Random) -> Iterator[Bed]:
    # Node closes a connection a second later than that, and 0.1 s more or less.
    idle = dice.randint(1000, 1300)
    low, high = int(0.97 * (idle + 1000)), int(1.15 * (idle + 1000))
    with server.node(option(idle=idle), rule(ms=(3, 9))) as url:
        yield Bed(url, peak(9) + f"-c {dice.randint(20, 40)} --think {low}ms..{high}ms {engine(dice)}{dice.choice(('--get /', '--post / --body text'))}",
                  truth=Truth(lambda all: [("failed", all.failed, 0.2, 1)], think=1.2 * (idle / 1000 + 1), seconds=8))


@cause("a Python server that closes each connection after a response", "keep-alive-limit", meaning="connections are closed after few requests")
def python_always_closes(dice: Random) -> Iterator[Bed]:
    with server.python(rule(header="Connection:close"), rule(ms=(1, 4))) as url:
        yield Bed(url, peak(5) + users(dice) + "--get /", truth=Truth(
            lambda all: [("on a connection", max(one.nth for one in all.all), 1, 1), ("failed", all.failed, 0, 0)]))
