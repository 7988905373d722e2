#!/usr/bin/env python3
"""
Whether a crash ever becomes a success: servers on loopback lose requests that they have read, or close idle connections, in
every order of FIN, RST and close_notify, and count the requests that they read. Prints two tables in Markdown, and fails if a
server read more than was sent and resent, if a lost request didn't fail, or if a request failed although FIN came first.
Needs the jar, Java and Go.

    python3 scripts/test/resends.py                                  # about 250 runs, ten minutes
    python3 scripts/test/resends.py --engines threads --wires plain --options=--resend-idle
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path

HERE = Path(__file__).parent

ENGINES = {
    "threads": "",
    "events": "--engine events",
    "nio": "--engine events --transport nio",
    "http2": "--engine events --http2",
    "httpclient": "--client httpclient",
}
PAUSES = {"none": "-n 60", "think": "-n 30 --think 30ms", "rate": "-n 60 --rate 200/s"}
METHODS = {"GET": "--get /", "POST": "--post / --body x", "DELETE": "--delete /"}

# The server has read the request; with "part", its header but not the whole of its body.
CRASHES = ["rst-50ms", "rst", "fin", "fin-rst", "notify-rst", "part"]

# The server ends the connection after every fifth response, without having read another request.
IDLE = ["idle-fin", "idle-linger", "idle-rst", "idle-notify-rst"]

# What Go's HTTP/2 server can be made to do, with these pauses.
OVER_HTTP2 = {"rst-50ms": PAUSES, "rst": PAUSES, "fin": PAUSES, "idle-fin": ["think"]}

# After an end without FIN, or one that only TCP_INFO could prove, it may be unknown whether the server read a request.
UNKNOWN = {"idle-rst", "idle-notify-rst"}
WITHOUT_TCP_INFO = {"threads", "nio", "httpclient"}

# Without TLS these take the reset after FIN for the answer to the request. A server may send both by itself.
PROBING = {"threads", "nio"}


class Server:
    def __init__(self, process: subprocess.Popen[str]):
        self.ports = json.loads(process.stdout.readline())

    def ask(self, path: str) -> str:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.ports['control']}/{path}", timeout=5) as answer:
            return answer.read().decode()


def run(jar: Path, url: str, options: list[str], body: Path) -> dict:
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        words = [word.replace("BODY", f"@{body}") for word in options]
        done = subprocess.run(["java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-jar", str(jar), "--url", url, "-k", "-c", "4",
                               "--phases", "peak=1", "-o", str(out), *words], capture_output=True, text=True, check=False)
        if not (out / "result.json").exists():
            raise RuntimeError(done.stderr)
        return json.loads((out / "result.json").read_text())["totals"]


def cases(args: argparse.Namespace) -> list[tuple]:
    return [(mode, engine, wire, method, pause)
            for mode in CRASHES + IDLE for engine in args.engines for wire in args.wires for method in args.methods for pause in args.pauses
            if mode in args.modes
            and (mode != "part" or method == "POST")
            and ("notify" not in mode or wire != "plain")
            and (engine != "http2" or pause in OVER_HTTP2.get(mode, []))]


def judge(mode: str, engine: str, wire: str, pause: str, row: dict) -> tuple[str, bool]:
    """What is expected, and whether it is so."""
    counted = row["read"] <= row["sent"] + row["resent"]
    if mode == "fin-rst" and engine in PROBING and wire == "plain":
        return f"{row['lost']} failed, or fewer: the probe is mistaken", row["read"] - row["sent"] - row["resent"] <= row["lost"]
    if mode in CRASHES:
        return f"{row['lost']} failed", counted and row["failed"] + row["resent"] >= row["lost"]
    least = row["sent"] - row["failed"] <= row["read"]
    crossing = pause == "none" and (mode == "idle-linger" and engine in WITHOUT_TCP_INFO or engine == "nio" and wire != "plain")
    if mode in UNKNOWN or engine == "httpclient" or crossing:
        return "unknown, so it may fail", counted and least
    return f"≤ {row['ambiguous']} failed", counted and least and row["failed"] <= row["ambiguous"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jar", type=Path, default=HERE.parents[1] / "client/cli/target/phaseload.jar")
    for name, values, default in (("engines", ENGINES, None), ("wires", ["plain", "tls12", "tls13"], "plain,tls13"), ("methods", METHODS, "GET,POST"),
                                  ("pauses", PAUSES, "none,think"), ("modes", CRASHES + IDLE, None)):
        parser.add_argument(f"--{name}", type=lambda text: text.split(","), default=(default or ",".join(values)).split(","),
                            help=", ".join(values))
    parser.add_argument("--options", default="", help="more options of each run")
    args = parser.parse_args()
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        binary = Path(folder) / "server"
        subprocess.run(["go", "build", "-o", str(binary), str(HERE / "resends/server.go")], check=True)
        body = Path(folder) / "body"
        body.write_bytes(b"x" * 100_000)
        with subprocess.Popen([str(binary)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
            try:
                server = Server(process)
                last = None
                for mode, engine, wire, method, pause in cases(args):
                    if (mode in CRASHES) != last:
                        last = mode in CRASHES
                        print(f"\n**{'Crashes after a request was read' if last else 'Connections closed while idle'}**\n")
                        print("| mode | engine | wire | method | pause | sent | server read | failed | resent | expected | ok |")
                        print("|---|---|---|---|---|--:|--:|--:|--:|---|---|")
                    server.ask("reset")
                    port = server.ports[f"{wire} {mode}" + (" h2" if engine == "http2" else "")]
                    url = f"{'http' if wire == 'plain' else 'https'}://localhost:{port}/".replace("localhost", "127.0.0.1")
                    sends = "--post / --body BODY" if mode == "part" else METHODS[method]
                    totals = run(args.jar, url, f"{ENGINES[engine]} {PAUSES[pause]} {sends} {args.options}".split(), body)
                    counts = json.loads(server.ask("counts")).values()
                    row = {"sent": totals["requests"], "read": sum(of["Read"] for of in counts), "failed": totals["failed"],
                           "resent": totals["resent"], "lost": sum(of["Lost"] for of in counts), "ambiguous": sum(of["Ambiguous"] for of in counts)}
                    expected, right = judge(mode, engine, wire, pause, row)
                    wrong += not right
                    print(f"| {mode} | {engine} | {wire} | {method} | {pause} | {row['sent']} | {row['read']} | {row['failed']} | {row['resent']} "
                          f"| {expected} | {'yes' if right else '**no** ' + str(totals['failures'])} |", flush=True)
            finally:
                process.terminate()
    print(f"\n{wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
