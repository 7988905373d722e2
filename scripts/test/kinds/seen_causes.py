"""The faults that the rules were tuned on first; their parameters are fixed."""

from __future__ import annotations

import asyncio
import os
import random
import re
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import faults
from kinds import Bed, cause, peak

CORES = sorted(os.sched_getaffinity(0))
HERE = Path(__file__).resolve().parents[1]


@cause("Tomcat with acceptCount 1 and maxConnections 20, of 60 users who connect for each request")
def accept_queue(_: Random) -> Iterator[Bed]:
    with faults.target("--accept-count", "1", "--max-connections", "20") as url:
        yield Bed(url, "--phases peak=1:for:6s -c 60 --think 50ms -H Connection:close --get /delay?ms=10")


@cause("Tomcat with 4 threads, each request takes 50 ms")
def server_threads(_: Random) -> Iterator[Bed]:
    with faults.target("--max-threads", "4") as url:
        yield Bed(url, peak(6) + "-c 20 --get /delay?ms=50 --server-metrics /metrics.json")


@cause("Tomcat, each request holds one lock for 5 ms")
def serial_work(_: Random) -> Iterator[Bed]:
    with faults.java("-cp", str(faults.JAR), str(HERE / "FaultyTomcat.java")) as url:
        yield Bed(url, "--phases few=0.2:for:3s,peak=1:for:5s -c 20 --get /lock --server-metrics /metrics")


@cause("Tomcat on one core, as many requests as it can answer", "server-cpu")
def one_core(_: Random) -> Iterator[Bed]:
    with faults.target(under=["taskset", "-c", str(CORES[1])]) as url:
        yield Bed(url, peak(6) + "--engine events -c 50 --get /bytes/20000 --server-metrics /metrics.json", ["taskset", "-c", str(CORES[0])])


@cause("Tomcat in a control group with 0.2 CPUs", "server-cpu")
def server_quota(_: Random) -> Iterator[Bed]:
    with faults.control_group(0.2) as under, faults.target(under=under) as url:
        yield Bed(url, peak(6, 3) + "-c 10 --get / --server-metrics /metrics.json")


@cause("Tomcat with a heap of 192 MiB that keeps 16 KiB of every request")
def heap_growth(_: Random) -> Iterator[Bed]:
    with faults.java("-Xmx192m", "-Xmn24m", "-XX:+UseSerialGC", "-cp", str(faults.JAR), str(HERE / "FaultyTomcat.java")) as url:
        yield Bed(url, peak(20) + "-c 10 --rate 100/s --get /leak --server-metrics /metrics")


@cause("one of three Tomcats behind nginx takes 100 ms, the others 10 ms")
def slow_instance(_: Random) -> Iterator[Bed]:
    with faults.target() as a, faults.target() as b, faults.target() as c:
        slow = faults.free_port()
        http = (f"upstream three {{ server {a[7:-1]}; server {b[7:-1]}; server 127.0.0.1:{slow}; keepalive 50; }}"
                f" server {{ listen 127.0.0.1:{slow}; location / {{ rewrite ^ /delay?ms=100? break; proxy_pass {c[:-1]}; }} }}")
        server = 'location / { proxy_pass http://three/delay?ms=10; proxy_http_version 1.1; proxy_set_header Connection ""; }'
        with faults.nginx(http, server) as url:
            pages = " ".join(f"--server-metrics {name}={one}metrics.json" for name, one in (("a", a), ("b", b), ("c", c)))
            yield Bed(url, peak(7) + "-c 12 --get / " + pages)


@cause("nginx limit_req at 100 requests a second")
def rate_limit(_: Random) -> Iterator[Bed]:
    with faults.nginx("limit_req_zone $binary_remote_addr zone=all:1m rate=100r/s;", "location / { limit_req zone=all; try_files /none @ok; } location @ok { return 200 ok; }") as url:
        yield Bed(url, peak(5) + "-c 10 --rate 250/s --get /")


@cause("nginx limit_conn 4 before a service of 20 ms", "load-shedding")
def limit_conn(_: Random) -> Iterator[Bed]:
    with faults.target() as behind, faults.nginx(
            "limit_conn_zone $binary_remote_addr zone=all:1m;",
            f"location / {{ limit_conn all 4; proxy_pass {behind}delay?ms=20; }}") as url:
        yield Bed(url, peak(5) + "-c 10 --think 5ms --get /")


@cause("nginx keepalive_requests 10")
def keep_alive_limit(_: Random) -> Iterator[Bed]:
    with faults.nginx("", "keepalive_requests 10; location / { return 200 ok; }") as url:
        yield Bed(url, peak(4) + "-c 10 --think 5ms --get /")


@cause("nginx with worker_connections 20, of 40 users of a service of 100 ms")
def connection_limit(_: Random) -> Iterator[Bed]:
    with faults.target() as behind, faults.nginx(
            "", f"location / {{ proxy_pass {behind}delay?ms=100; }}", events="worker_connections 20;") as url:
        yield Bed(url, peak(4) + "-c 40 --think 20ms --get /")


@cause("every fourth TLS handshake is refused with an alert")
def new_connections(_: Random) -> Iterator[Bed]:
    key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1"
    with faults.target() as behind, \
            faults.nginx("", f"keepalive_requests 20; location / {{ proxy_pass {behind}delay?ms=10; }}", tls=key) as url, \
            faults.forwarder(int(re.search(r":(\d+)/", url).group(1)), 4) as port:
        yield Bed(f"https://127.0.0.1:{port}/", peak(5) + "-k -c 5 --think 10ms --get /")


@cause("a TLS handshake with RSA 4096 for every request")
def tls_handshakes(_: Random) -> Iterator[Bed]:
    with faults.nginx("", "return 200 ok;", tls="-newkey rsa:4096") as url:
        yield Bed(url, peak(5) + "-k -c 2 --think 30ms -H Connection:close --get /")


def script_bed(answer: faults.Answer, options: str) -> Iterator[Bed]:
    with faults.script(answer) as url:
        yield Bed(url, options)


@cause("a server that stands still for 300 ms every 3 s")
def periodic_stalls(_: Random) -> Iterator[Bed]:
    async def answer(_: int, seconds: float) -> bytes:
        if seconds % 3 < 0.02:
            time.sleep(0.3)
        return faults.OK
    yield from script_bed(answer, peak(17) + "-c 5 --rate 200/s --get /")


@cause("a server that takes longer from second to second")
def drift(_: Random) -> Iterator[Bed]:
    async def answer(_: int, seconds: float) -> bytes:
        await asyncio.sleep(0.005 + seconds / 1000)
        return faults.OK
    yield from script_bed(answer, peak(20) + "-c 10 --rate 100/s --get /")


@cause("a server that never answers 1 of 200 requests")
def unanswered(_: Random) -> Iterator[Bed]:
    async def answer(count: int, _: float) -> bytes:
        await asyncio.sleep(60 if count % 200 == 0 else 0.005)
        return faults.OK
    yield from script_bed(answer, peak(5) + "-c 10 --think 10ms --timeout 1s --get /")


@cause("a long-tailed server and a timeout that cuts the tail off")
def timeout_too_short(_: Random) -> Iterator[Bed]:
    random.seed(7)

    async def answer(_: int, __: float) -> bytes:
        await asyncio.sleep(random.lognormvariate(-4, 1))
        return faults.OK
    yield from script_bed(answer, peak(5) + "-c 20 --think 5ms --timeout 200ms --get /")


@cause("a function whose first 10 requests find no instance")
def cold_starts(_: Random) -> Iterator[Bed]:
    async def answer(count: int, _: float) -> bytes:
        await asyncio.sleep(0.8 if count <= 10 else 0.01)
        return faults.OK.replace(b"\r\n\r\n", b"\r\nPhaseload-Start: " + (b"cold" if count <= 10 else b"warm") + b"\r\n\r\n", 1)
    yield from script_bed(answer, "--phases peak=1:for:5s -c 10 --think 10ms --get /")


@cause("a server that stands still for 2.5 s")
def outage(_: Random) -> Iterator[Bed]:
    async def answer(_: int, seconds: float) -> bytes:
        if 5 < seconds < 7.5:
            time.sleep(7.5 - seconds)
        return faults.OK
    yield from script_bed(answer, peak(9) + "-c 10 --think 20ms --get /")


@cause("nftables drop 0.5 % of the segments to the server")
def packet_loss(_: Random) -> Iterator[Bed]:
    port = 18_080
    with faults.network("nft add table inet loss", "nft add chain inet loss in '{ type filter hook input priority 0; }'",
                        f"nft add rule inet loss in tcp dport {port} numgen random mod 1000 '<' 5 drop") as inside, \
            faults.java("-jar", str(faults.JAR), "serve", "--port", str(port), under=inside) as url:
        yield Bed(url, peak(6) + "-c 20 --think 10ms --get /", inside)


@cause("a way on which packets take 5 ms, but all are held for up to 60 ms four times a second")
def jitter(_: Random) -> Iterator[Bed]:
    def seconds() -> float:
        return 0.0025 + max(0.0, 0.06 - time.monotonic() % 0.25)

    with faults.network() as inside, faults.delays(inside, seconds) as address, faults.target("--address", "10.99.0.1", under=inside) as url:
        yield Bed(url.replace("10.99.0.1", address), peak(6) + "-c 5 --think 50ms -H Connection:close --get /", inside)


@cause("a link of 20 Mbit/s (tc tbf)")
def bandwidth(_: Random) -> Iterator[Bed]:
    with faults.network("ip link set lo mtu 1500", "tc qdisc add dev lo root tbf rate 20mbit burst 32k limit 1m") as inside, faults.target(under=inside) as url:
        yield Bed(url, peak(6, 2) + "-c 4 --get /bytes/200000", inside)


@cause("a name server that takes 1 s")
def slow_dns(_: Random) -> Iterator[Bed]:
    address = "127.0.0.77"
    with faults.name_server(address, 1), faults.own_files(resolv_conf=f"nameserver {address}\n") as under, faults.target() as url:
        yield Bed(url.replace("127.0.0.1", "slow.example"), "--phases peak=1:for:5s -c 10 --think 20ms --get /", under)


@cause("three busy loops on the client's core", "crowded", "run-queue", "stalls")
def cpu_hog(_: Random) -> Iterator[Bed]:
    own = ["taskset", "-c", str(CORES[0])]
    with faults.target(under=["taskset", "-c", str(CORES[1])]) as url, faults.busy_loops(3, own):
        yield Bed(url, peak(4) + "-c 10 --think 20ms --get /", own)


@cause("the client in a control group with 0.2 CPUs", "throttled")
def client_quota(_: Random) -> Iterator[Bed]:
    with faults.target() as url, faults.control_group(0.2) as under:
        yield Bed(url, peak(4) + "-c 20 --rate 300/s --get /", under)


@cause("ulimit -n 256 for 1,000 users", "client-limit")
def descriptors(_: Random) -> Iterator[Bed]:
    with faults.target() as url:
        yield Bed(url, "--phases peak=1:for:4s -c 1000 --think 500ms --get /", ["sh", "-c", 'ulimit -n 256 && exec "$@"', "sh"])


@cause("100 local ports for 200 users", "client-limit")
def ports(_: Random) -> Iterator[Bed]:
    with faults.network("echo 40000 40099 > /proc/sys/net/ipv4/ip_local_port_range") as inside, faults.target(under=inside) as url:
        yield Bed(url, "--phases peak=1:for:4s -c 200 --think 200ms --get /", inside)


@cause("a heap of 48 MiB for a client that makes objects", "gc")
def client_gc(_: Random) -> Iterator[Bed]:
    with faults.target() as url:
        yield Bed(url, peak(5) + "--client httpclient --pool 50 -c 50 --get /", java=["-Xmx48m", "-XX:+UseSerialGC"])
