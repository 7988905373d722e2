#!/usr/bin/env python3
"""
Injects faults for real, one a run, and checks what the diagnosis, or for a fault of the client the verdict, says first. Clean runs of
ten kinds must have no finding at all. Needs the jar, Java, Linux, and a quiet machine of two cores or more; some faults need root,
nginx or nftables: without these they are skipped, and the output says so. It ends with the table of docs/diagnosis.md.

    python3 scripts/test/diagnoses.py                      # all of it, about 9 minutes
    python3 scripts/test/diagnoses.py --causes rate-limit,slow-dns --kinds rate --repeats 1
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import faults
from verdicts import KINDS, MAX_STOLEN_PERCENT, stolen_percent

# Of a run that others disturbed.
TRIES = 3
CORES = sorted(os.sched_getaffinity(0))
HERE = Path(__file__).resolve().parent


@dataclass
class Bed:
    """Where a client runs, and how."""

    url: str
    options: str
    under: list[str] = field(default_factory=list)
    java: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Cause:
    """A fault, and the findings of which one must come first."""

    name: str
    what: str
    expected: tuple[str, ...]
    bed: Callable[[], contextlib.AbstractContextManager[Bed]]


CAUSES: list[Cause] = []


def cause(what: str, *expected: str) -> Callable:
    def add(bed: Callable[[], Iterator[Bed]]) -> None:
        name = bed.__name__.replace("_", "-")
        CAUSES.append(Cause(name, what, expected or (name,), contextlib.contextmanager(bed)))
    return add


def peak(seconds: float, warmup: float = 1) -> str:
    return f"--phases warmup=1:for:{warmup}s,peak=1:for:{seconds}s "


@cause("Tomcat with acceptCount 1 and maxConnections 20, of 60 users who connect for each request")
def accept_queue() -> Iterator[Bed]:
    with faults.target("--accept-count", "1", "--max-connections", "20") as url:
        yield Bed(url, "--phases peak=1:for:6s -c 60 --think 50ms -H Connection:close --get /delay?ms=10")


@cause("Tomcat with 4 threads, each request takes 50 ms")
def server_threads() -> Iterator[Bed]:
    with faults.target("--max-threads", "4") as url:
        yield Bed(url, peak(6) + "-c 20 --get /delay?ms=50 --server-metrics /metrics.json")


@cause("Tomcat, each request holds one lock for 5 ms")
def serial_work() -> Iterator[Bed]:
    with faults.java("-cp", str(faults.JAR), str(HERE / "FaultyTomcat.java")) as url:
        yield Bed(url, "--phases few=0.2:for:3s,peak=1:for:5s -c 20 --get /lock --server-metrics /metrics")


@cause("Tomcat on one core, as many requests as it can answer", "server-cpu")
def one_core() -> Iterator[Bed]:
    with faults.target(under=["taskset", "-c", str(CORES[1])]) as url:
        yield Bed(url, peak(6) + "--engine events -c 50 --get /bytes/20000 --server-metrics /metrics.json", ["taskset", "-c", str(CORES[0])])


@cause("Tomcat in a control group with 0.2 CPUs", "server-cpu")
def server_quota() -> Iterator[Bed]:
    with faults.control_group(0.2) as under, faults.target(under=under) as url:
        yield Bed(url, peak(6, 3) + "-c 10 --get / --server-metrics /metrics.json")


@cause("Tomcat with a heap of 192 MiB that keeps 16 KiB of every request")
def heap_growth() -> Iterator[Bed]:
    with faults.java("-Xmx192m", "-Xmn24m", "-XX:+UseSerialGC", "-cp", str(faults.JAR), str(HERE / "FaultyTomcat.java")) as url:
        yield Bed(url, peak(20) + "-c 10 --rate 100/s --get /leak --server-metrics /metrics")


@cause("one of three Tomcats behind nginx takes 100 ms, the others 10 ms")
def slow_instance() -> Iterator[Bed]:
    with faults.target() as a, faults.target() as b, faults.target() as c:
        slow = faults.free_port()
        http = (f"upstream three {{ server {a[7:-1]}; server {b[7:-1]}; server 127.0.0.1:{slow}; keepalive 50; }}"
                f" server {{ listen 127.0.0.1:{slow}; location / {{ rewrite ^ /delay?ms=100? break; proxy_pass {c[:-1]}; }} }}")
        server = 'location / { proxy_pass http://three/delay?ms=10; proxy_http_version 1.1; proxy_set_header Connection ""; }'
        with faults.nginx(http, server) as url:
            pages = " ".join(f"--server-metrics {name}={one}metrics.json" for name, one in (("a", a), ("b", b), ("c", c)))
            yield Bed(url, peak(7) + "-c 12 --get / " + pages)


@cause("nginx limit_req at 100 requests a second")
def rate_limit() -> Iterator[Bed]:
    with faults.nginx("limit_req_zone $binary_remote_addr zone=all:1m rate=100r/s;", "location / { limit_req zone=all; try_files /none @ok; } location @ok { return 200 ok; }") as url:
        yield Bed(url, peak(5) + "-c 10 --rate 250/s --get /")


@cause("nginx limit_conn 4 before a service of 20 ms", "load-shedding")
def limit_conn() -> Iterator[Bed]:
    with faults.target() as behind, faults.nginx(
            "limit_conn_zone $binary_remote_addr zone=all:1m;",
            f"location / {{ limit_conn all 4; proxy_pass {behind}delay?ms=20; }}") as url:
        yield Bed(url, peak(5) + "-c 10 --think 5ms --get /")


@cause("nginx keepalive_requests 10")
def keep_alive_limit() -> Iterator[Bed]:
    with faults.nginx("", "keepalive_requests 10; location / { return 200 ok; }") as url:
        yield Bed(url, peak(4) + "-c 10 --think 5ms --get /")


@cause("nginx with worker_connections 20, of 40 users of a service of 100 ms")
def connection_limit() -> Iterator[Bed]:
    with faults.target() as behind, faults.nginx(
            "", f"location / {{ proxy_pass {behind}delay?ms=100; }}", events="worker_connections 20;") as url:
        yield Bed(url, peak(4) + "-c 40 --think 20ms --get /")


@cause("every fourth TLS handshake is refused with an alert")
def new_connections() -> Iterator[Bed]:
    key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1"
    with faults.target() as behind, \
            faults.nginx("", f"keepalive_requests 20; location / {{ proxy_pass {behind}delay?ms=10; }}", tls=key) as url, \
            faults.forwarder(int(re.search(r":(\d+)/", url).group(1)), 4) as port:
        yield Bed(f"https://127.0.0.1:{port}/", peak(5) + "-k -c 5 --think 10ms --get /")


@cause("a TLS handshake with RSA 4096 for every request")
def tls_handshakes() -> Iterator[Bed]:
    with faults.nginx("", "return 200 ok;", tls="-newkey rsa:4096") as url:
        yield Bed(url, peak(5) + "-k -c 2 --think 30ms -H Connection:close --get /")


def script_bed(answer: faults.Answer, options: str) -> Iterator[Bed]:
    with faults.script(answer) as url:
        yield Bed(url, options)


@cause("a server that stands still for 300 ms every 3 s")
def periodic_stalls() -> Iterator[Bed]:
    async def answer(_: int, seconds: float) -> bytes:
        if seconds % 3 < 0.02:
            time.sleep(0.3)
        return faults.OK
    yield from script_bed(answer, peak(17) + "-c 5 --rate 200/s --get /")


@cause("a server that takes longer from second to second")
def drift() -> Iterator[Bed]:
    async def answer(_: int, seconds: float) -> bytes:
        await asyncio.sleep(0.005 + seconds / 1000)
        return faults.OK
    yield from script_bed(answer, peak(20) + "-c 10 --rate 100/s --get /")


@cause("a server that never answers 1 of 200 requests")
def unanswered() -> Iterator[Bed]:
    async def answer(count: int, _: float) -> bytes:
        await asyncio.sleep(60 if count % 200 == 0 else 0.005)
        return faults.OK
    yield from script_bed(answer, peak(5) + "-c 10 --think 10ms --timeout 1s --get /")


@cause("a long-tailed server and a timeout that cuts the tail off")
def timeout_too_short() -> Iterator[Bed]:
    random.seed(7)

    async def answer(_: int, __: float) -> bytes:
        await asyncio.sleep(random.lognormvariate(-4, 1))
        return faults.OK
    yield from script_bed(answer, peak(5) + "-c 20 --think 5ms --timeout 200ms --get /")


@cause("a function whose first 10 requests find no instance")
def cold_starts() -> Iterator[Bed]:
    async def answer(count: int, _: float) -> bytes:
        await asyncio.sleep(0.8 if count <= 10 else 0.01)
        return faults.OK.replace(b"\r\n\r\n", b"\r\nPhaseload-Start: " + (b"cold" if count <= 10 else b"warm") + b"\r\n\r\n", 1)
    yield from script_bed(answer, "--phases peak=1:for:5s -c 10 --think 10ms --get /")


@cause("a server that stands still for 2.5 s")
def outage() -> Iterator[Bed]:
    async def answer(_: int, seconds: float) -> bytes:
        if 5 < seconds < 7.5:
            time.sleep(7.5 - seconds)
        return faults.OK
    yield from script_bed(answer, peak(9) + "-c 10 --think 20ms --get /")


@cause("nftables drop 0.5 % of the segments to the server")
def packet_loss() -> Iterator[Bed]:
    port = 18_080
    with faults.network("nft add table inet loss", "nft add chain inet loss in '{ type filter hook input priority 0; }'",
                        f"nft add rule inet loss in tcp dport {port} numgen random mod 1000 '<' 5 drop") as inside, \
            faults.java("-jar", str(faults.JAR), "serve", "--port", str(port), under=inside) as url:
        yield Bed(url, peak(6) + "-c 20 --think 10ms --get /", inside)


@cause("a way on which packets take 5 ms, but all are held for up to 60 ms four times a second")
def jitter() -> Iterator[Bed]:
    def seconds() -> float:
        return 0.0025 + max(0.0, 0.06 - time.monotonic() % 0.25)

    with faults.network() as inside, faults.delays(inside, seconds) as address, faults.target("--address", "10.99.0.1", under=inside) as url:
        yield Bed(url.replace("10.99.0.1", address), peak(6) + "-c 5 --think 50ms -H Connection:close --get /", inside)


@cause("a link of 20 Mbit/s (tc tbf)")
def bandwidth() -> Iterator[Bed]:
    with faults.network("ip link set lo mtu 1500", "tc qdisc add dev lo root tbf rate 20mbit burst 32k limit 1m") as inside, faults.target(under=inside) as url:
        yield Bed(url, peak(6, 2) + "-c 4 --get /bytes/200000", inside)


@cause("a name server that takes 1 s")
def slow_dns() -> Iterator[Bed]:
    address = "127.0.0.77"
    with faults.name_server(address, 1), faults.own_files(resolv_conf=f"nameserver {address}\n") as under, faults.target() as url:
        yield Bed(url.replace("127.0.0.1", "slow.example"), "--phases peak=1:for:5s -c 10 --think 20ms --get /", under)


@cause("three busy loops on the client's core", "crowded", "run-queue", "stalls")
def cpu_hog() -> Iterator[Bed]:
    own = ["taskset", "-c", str(CORES[0])]
    with faults.target(under=["taskset", "-c", str(CORES[1])]) as url, faults.busy_loops(3, own):
        yield Bed(url, peak(4) + "-c 10 --think 20ms --get /", own)


@cause("the client in a control group with 0.2 CPUs", "throttled")
def client_quota() -> Iterator[Bed]:
    with faults.target() as url, faults.control_group(0.2) as under:
        yield Bed(url, peak(4) + "-c 20 --rate 300/s --get /", under)


@cause("ulimit -n 256 for 1,000 users", "client-limit")
def descriptors() -> Iterator[Bed]:
    with faults.target() as url:
        yield Bed(url, "--phases peak=1:for:4s -c 1000 --think 500ms --get /", ["sh", "-c", 'ulimit -n 256 && exec "$@"', "sh"])


@cause("100 local ports for 200 users", "client-limit")
def ports() -> Iterator[Bed]:
    with faults.network("echo 40000 40099 > /proc/sys/net/ipv4/ip_local_port_range") as inside, faults.target(under=inside) as url:
        yield Bed(url, "--phases peak=1:for:4s -c 200 --think 200ms --get /", inside)


@cause("a heap of 48 MiB for a client that makes objects", "gc")
def client_gc() -> Iterator[Bed]:
    with faults.target() as url:
        yield Bed(url, peak(5) + "--client httpclient --pool 50 -c 50 --get /", java=["-Xmx48m", "-XX:+UseSerialGC"])


class Runs:
    """Runs of one client at a time, and what was found first in each."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.number = 0

    def run(self, bed: Bed) -> dict:
        self.number += 1
        out = self.folder / str(self.number)
        options = [word.replace(":for:", " for ") for word in bed.options.split()]
        command = [*bed.under, faults.JAVA, *bed.java, "-jar", str(faults.JAR), "run", "--url", bed.url, "--out", str(out), *options]
        output = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False).stdout
        try:
            return json.loads((out / "result.json").read_text())
        except OSError:
            return {"diagnoses": [], "findings": [], "output": output[-500:]}


def blamed(result: dict) -> list[str]:
    """The findings about the client, a remark isn't one."""
    return [finding["id"] for finding in result["findings"] if finding["severity"] != "VALID"]


def explained(result: dict) -> list[str]:
    return [diagnosis["id"] for diagnosis in result["diagnoses"]]


DISTURBED = {"stolen", "crowded", "run-queue", "stalls", "tail", "stopped", "suspended"}


def inject(one: Cause, runs: Runs) -> tuple[list[str], dict]:
    """What was found, first things first."""
    of_client = one.expected[0] in DISTURBED | {"throttled", "client-limit", "gc"}
    for _ in range(TRIES):
        with one.bed() as bed:
            result = runs.run(bed)
        found = blamed(result) if of_client else explained(result)
        right = found[:1] and found[0] in one.expected
        if right or of_client or not (stolen_percent(result) > MAX_STOLEN_PERCENT or DISTURBED & set(blamed(result))):
            break
        # Nothing is concluded from the times of such a client.
        print(f"again   {one.name}: something else kept the client from running ({', '.join(blamed(result))})", flush=True)
    return found, result


@dataclass
class Score:
    """How a finding does: as the first one where it belongs, and elsewhere."""

    right: int = 0
    wrong: int = 0
    missed: int = 0


def matrix(causes: list[Cause], runs: Runs) -> tuple[list[str], dict[str, Score]]:
    rows = []
    scores: dict[str, Score] = {}
    for one in causes:
        try:
            found, result = inject(one, runs)
        except faults.Impossible as why:
            print(f"skipped {one.name}: {why}", flush=True)
            continue
        first = found[0] if found else "nothing"
        right = first in one.expected
        print(f"{'ok     ' if right else 'WRONG  '} {one.name:18} {', '.join(found) or 'nothing'}", flush=True)
        for text in [diagnosis["text"] for diagnosis in result["diagnoses"]] + result["verdict"]["reasons"] if "verdict" in result else []:
            print(f"            {text}", flush=True)
        if "output" in result:
            print(result["output"], flush=True)
        if right:
            scores.setdefault(first, Score()).right += 1
        else:
            scores.setdefault(first, Score()).wrong += 1
            scores.setdefault(one.expected[0], Score()).missed += 1
        rest = ", ".join(f"`{other}`" for other in found[1:]) or ""
        rows.append(f"| {one.what} | `{first}` | {rest} |" if right else f"| {one.what} | **`{first}`** | {rest} |")
    return rows, scores


def clean(kinds: dict[str, str], repeats: int, runs: Runs, scores: dict[str, Score]) -> int:
    """Runs without a fault; how many had a finding."""
    wrong = 0
    with faults.target() as url:
        for _ in range(repeats):
            for kind, options in kinds.items():
                for _ in range(TRIES):
                    result = runs.run(Bed(url, peak(4) + "--get / --server-metrics /metrics.json " + options))
                    found = blamed(result) + explained(result)
                    if stolen_percent(result) <= MAX_STOLEN_PERCENT and not DISTURBED & set(found):
                        break
                    print(f"again   {kind}: something else kept the client from running ({', '.join(found)})", flush=True)
                print(f"{'WRONG  ' if found else 'ok     '} clean {kind:18} {', '.join(found) or 'nothing'}", flush=True)
                for text in [diagnosis["text"] for diagnosis in result["diagnoses"]]:
                    print(f"            {text}", flush=True)
                if found:
                    wrong += 1
                    scores.setdefault(found[0], Score()).wrong += 1
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--causes", default=",".join(one.name for one in CAUSES))
    parser.add_argument("--kinds", default=",".join(KINDS), help="of clean runs; none for no run")
    parser.add_argument("--repeats", type=int, default=2, help="of clean runs")
    options = parser.parse_args()
    if not faults.JAR.is_file():
        parser.error(f"no {faults.JAR}: mvn -q -DskipTests package")
    names = options.causes.split(",")
    unknown = set(names) - {one.name for one in CAUSES} - {"none"}
    if unknown:
        parser.error(f"--causes {','.join(sorted(unknown))}: expected {', '.join(one.name for one in CAUSES)}")
    kinds = {} if options.kinds == "none" else {name: KINDS[name] for name in options.kinds.split(",")}
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        runs = Runs(Path(folder))
        rows, scores = matrix([one for one in CAUSES if one.name in names], runs)
        wrong = clean(kinds, options.repeats, runs, scores) if kinds else 0
    right = sum(score.right for score in scores.values())
    named = right + sum(score.wrong for name, score in scores.items() if name != "nothing")
    print("\n| injected | found first | found, too |\n|---|---|---|")
    print("\n".join(rows))
    print(f"\nRecall: {right} of {len(rows)} faults found first. Precision: {right} of {named} first findings were right."
          f" Clean runs: {len(kinds) * options.repeats}, {wrong} with a finding. {time.monotonic() - start:.0f} s.")
    return 0 if right == len(rows) and wrong == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
