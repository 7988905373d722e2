#!/usr/bin/env python3
"""
Whether a crash ever becomes a success: servers on loopback lose requests that they have read, or close idle connections, in
every order of FIN, RST and close_notify, and count the requests that they read. Prints two tables in Markdown, and fails if a
server read more than was sent and resent, if a lost request didn't fail (or was sent again, without --resend-idle), or if a
request failed although FIN came first. A run has all methods, which take turns, unless users pause. Needs the jar, Java and Go.

    python3 scripts/test/resends.py                                  # about 290 runs: 8 minutes on two idle cores
    python3 scripts/test/resends.py --quick                          # about 36 runs: a minute
    python3 scripts/test/resends.py --engines threads --wires plain --options=--resend-idle
"""

from __future__ import annotations

import argparse
import json
import os
import queue
import subprocess
import sys
import tempfile
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent

ENGINES = {
    "threads": "",
    "events": "--engine events",
    "nio": "--engine events --transport nio",
    "pipeline": "--engine events --pipeline 2",
    "http2": "--engine events --http2",
    "httpclient": "--client httpclient",
}
PAUSES = {"none": "-n 20", "think": "-n 30 --think 3ms", "rate": "-n 60 --rate 200/s"}

# The server ends a connection of HTTP/2 5 ms after an answer, so shorter pauses aren't idle.
THINK_OVER_HTTP2 = "-n 10 --think 30ms"

METHODS = {"GET": "--get /", "POST": "--post / --body x", "DELETE": "--delete /"}
WIRES = ["plain", "tls12", "tls13"]

# Unless pauses are named: what a pause changes is the same with each version of TLS.
FEWER_PAUSES = {"tls12": ["none"], "tls13": ["none", "think"]}

# The server has read the request; with "part", its header but not the whole of its body.
CRASHES = ["rst-50ms", "rst", "fin", "fin-rst", "notify-rst", "part"]

# The server ends the connection after every fifth response, without having read another request.
IDLE = ["idle-fin", "idle-linger", "idle-rst", "idle-notify-rst"]

# What Go's HTTP/2 server can be made to do, with these pauses.
OVER_HTTP2 = {"rst-50ms": PAUSES, "rst": PAUSES, "fin": PAUSES, "idle-fin": ["think"]}

# The end of a connection that users share fails other requests, too.
SHARING = {"http2", "pipeline"}

# After an end without FIN, or one that only TCP_INFO could prove, it may be unknown whether the server read a request.
UNKNOWN = {"idle-rst", "idle-notify-rst"}
WITHOUT_TCP_INFO = {"threads", "nio", "httpclient"}

# Without TLS these take the reset after FIN for the answer to the request. A server may send both by itself.
PROBING = {"threads", "nio"}


class Case(NamedTuple):
    mode: str
    engine: str
    wire: str
    pause: str
    methods: list[str]


class Row(NamedTuple):
    method: str
    sent: int
    read: int
    failed: int
    resent: int
    lost: int
    ambiguous: int


class Server:
    def __init__(self, binary: Path):
        self.process = subprocess.Popen([str(binary)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.ports = json.loads(self.process.stdout.readline())

    def ask(self, path: str) -> str:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.ports['control']}/{path}", timeout=5) as answer:
            return answer.read().decode()


def operations(jar: Path, url: str, options: list[str], body: Path) -> list[dict]:
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        words = [word.replace("BODY", f"@{body}") for word in options]
        done = subprocess.run(["java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-jar", str(jar), "--url", url, "-k", "-c", "4",
                               "--phases", "peak=1", "-o", str(out), *words], capture_output=True, text=True, check=False)
        if not (out / "result.json").exists():
            raise RuntimeError(done.stderr)
        return json.loads((out / "result.json").read_text())["phases"][0]["operations"]


def run(case: Case, server: Server, args: argparse.Namespace, body: Path) -> tuple[list[Row], dict]:
    server.ask("reset")
    port = server.ports[f"{case.wire} {case.mode}" + (" h2" if case.engine == "http2" else "")]
    url = f"{'http' if case.wire == 'plain' else 'https'}://127.0.0.1:{port}/"
    pause = THINK_OVER_HTTP2 if (case.engine, case.pause) == ("http2", "think") else PAUSES[case.pause]
    sends = "--post / --body BODY" if case.mode == "part" else " ".join(METHODS[method] for method in case.methods)
    found = operations(args.jar, url, f"{ENGINES[case.engine]} {pause} {sends} {args.options}".split(), body)
    counts = json.loads(server.ask("counts"))
    rows, causes = [], {}
    for operation in found:
        method = operation["name"].split()[0]
        of = counts.get(method, {"Read": 0, "Lost": 0, "Ambiguous": 0})
        rows.append(Row(method, operation["requests"], of["Read"], operation["failed"], operation["resent"], of["Lost"], of["Ambiguous"]))
        for cause, count in operation["failures"].items():
            causes[cause] = causes.get(cause, 0) + (count if isinstance(count, int) else 1)
    if case.mode in IDLE:
        # A request that crosses with an end is another one than that before it.
        rows = [Row("all" if len(rows) > 1 else rows[0].method, *(sum(column) for column in list(zip(*rows))[1:]))]
    return rows, causes


def cases(args: argparse.Namespace) -> list[Case]:
    found = []
    for mode in CRASHES + IDLE:
        for engine in args.engines:
            for wire in args.wires:
                for pause in args.pauses or FEWER_PAUSES.get(wire, PAUSES):
                    methods = ["POST"] if mode == "part" else args.methods
                    if (mode in args.modes and ("notify" not in mode or wire != "plain")
                            and (engine != "http2" or pause in OVER_HTTP2.get(mode, []))):
                        # The first one comes after the pause.
                        first = len(found) % len(methods)
                        turned = methods[first:] + methods[:first]
                        # Several in a row would often be on their way when a shared connection ends.
                        single = engine == "http2" and mode in IDLE
                        # Users pause after all of them.
                        each = [[of] for of in turned] if single else [turned[:1]] if pause == "think" else [turned]
                        found += [Case(mode, engine, wire, pause, some) for some in each]
    return found


def judge(case: Case, row: Row, resending: bool) -> tuple[str, bool]:
    """What is expected, and whether it is so."""
    counted = row.read <= row.sent + row.resent
    succeeded = row.sent - row.failed
    if case.mode in CRASHES:
        answered = row.read - row.lost
        if resending and row.method != "POST":
            return f"{row.lost} failed or sent again", counted and row.failed + row.resent >= row.lost
        if case.engine in SHARING:
            return f"≥ {row.lost} failed", counted and row.resent == 0 and row.failed >= row.lost and succeeded <= answered
        if case.mode == "fin-rst" and case.engine in PROBING and case.wire == "plain":
            return f"{row.lost} failed or counted as sent again", row.failed + row.resent == row.lost and succeeded == answered
        return f"{row.lost} failed", row.resent == 0 and row.failed == row.lost and succeeded == answered
    least = succeeded <= row.read
    # Of a rate, the first ones are due while the client is cold, and are sent without a pause.
    crossing = case.pause != "think" and (case.mode == "idle-linger" and case.engine in WITHOUT_TCP_INFO
                                          or case.engine == "nio" and case.wire != "plain")
    if case.mode in UNKNOWN or case.engine in ("httpclient", "pipeline") or crossing:
        return "unknown, so it may fail", counted and least
    return f"≤ {row.ambiguous} failed", counted and least and row.failed <= row.ambiguous


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jar", type=Path, default=HERE.parents[1] / "client/cli/target/phaseload.jar")
    quick = {"engines": "threads,events", "wires": "plain,tls13", "pauses": "none"}
    parser.add_argument("--quick", action="store_true", help=", ".join(f"--{name} {values}" for name, values in quick.items()))
    choices = {"engines": ENGINES, "wires": WIRES, "methods": METHODS, "pauses": PAUSES, "modes": CRASHES + IDLE}
    for name, values in choices.items():
        parser.add_argument(f"--{name}", type=lambda text: text.split(","), help="some of " + ",".join(values))
    parser.add_argument("--options", default="", help="more options of each run")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="runs at a time (the number of cores)")
    args = parser.parse_args()
    for name, values in choices.items():
        if getattr(args, name) is None and args.quick and name in quick:
            setattr(args, name, quick[name].split(","))
        elif getattr(args, name) is None and name != "pauses":
            setattr(args, name, list(values))
    resending = "--resend-idle" in args.options.split()
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        binary = Path(folder) / "server"
        subprocess.run(["go", "build", "-o", str(binary), str(HERE / "resends/server.go")], check=True)
        body = Path(folder) / "body"
        body.write_bytes(b"x" * 100_000)
        servers = [Server(binary) for _ in range(args.jobs)]
        free: queue.Queue[Server] = queue.Queue()
        for server in servers:
            free.put(server)

        def one(case: Case) -> tuple[Case, list[Row], dict]:
            own = free.get()
            try:
                return case, *run(case, own, args, body)
            finally:
                free.put(own)

        try:
            last = None
            with ThreadPoolExecutor(args.jobs) as pool:
                for case, rows, causes in pool.map(one, cases(args)):
                    if (case.mode in CRASHES) != last:
                        last = case.mode in CRASHES
                        print(f"\n**{'Crashes after a request was read' if last else 'Connections closed while idle'}**\n")
                        print("| mode | engine | wire | pause | method | sent | server read | failed | resent | expected | ok |")
                        print("|---|---|---|---|---|--:|--:|--:|--:|---|---|")
                    for row in rows:
                        expected, right = judge(case, row, resending)
                        wrong += not right
                        print(f"| {case.mode} | {case.engine} | {case.wire} | {case.pause} | {row.method} | {row.sent} | {row.read} | {row.failed} "
                              f"| {row.resent} | {expected} | {'yes' if right else '**no** ' + str(causes)} |", flush=True)
        finally:
            for server in servers:
                server.process.terminate()
    print(f"\n{wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
