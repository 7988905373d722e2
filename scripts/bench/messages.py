"""What a message between two WebSocket clients costs the client that makes both: Phaseload beside k6.

Both send the same messages at the same rate through the rooms of Phaseload's own target, which runs in a process of its own. Each is run
twice, for a short and for a long time; the CPU time of the difference, by the messages of the difference, is what a message costs. So neither
the start of a process nor its first seconds count; what a JVM still compiles after the short run does. k6 is a script of its own WebSocket
module, with two connections for each virtual user and a timer that sends. It counts what its receivers receive; both must have received
nine tenths of what was asked for: k6 sends fewer, since its timers run late.

Exit codes: 0 measured, 1 a client failed, 2 wrong arguments or nothing to measure with, 130 interrupted.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import machine
from native import K6
from phaseload import JAR
from server import free_ports

GOAL = 1 / 3
"""Of the CPU time that k6 takes for a message."""
OVERTIME_SECONDS = 60
READY_SECONDS = 30
LEAST_RECEIVED = 0.9

SCRIPT = """\
import { WebSocket } from 'k6/websockets';
import { Counter } from 'k6/metrics';
import exec from 'k6/execution';
export const options = { scenarios: { pairs: { executor: 'per-vu-iterations', vus: %(pairs)d, iterations: 1, maxDuration: '%(most)ds' } } };
const received = new Counter('received');
const filling = 'x'.repeat(%(size)d);
export default function () {
  const url = '%(url)srooms/' + exec.vu.idInTest;
  const receiver = new WebSocket(url);
  receiver.onmessage = () => received.add(1);
  receiver.onopen = () => {
    const sender = new WebSocket(url);
    sender.onopen = () => {
      let sequence = 0;
      const timer = setInterval(() => {
        const head = Date.now() + ' ' + sequence++ + ' ';
        sender.send(head + filling.slice(head.length));
      }, %(every)f);
      setTimeout(() => { clearInterval(timer); sender.close(); setTimeout(() => receiver.close(), 500); }, %(seconds)d * 1000);
    };
  };
}
export function handleSummary(data) { return { stdout: JSON.stringify(data.metrics.received.values.count) }; }
"""


class RunFailed(Exception):
    """A run gave no figure; the message says why."""


@dataclass(frozen=True)
class Asked:
    """What each client is asked for."""

    pairs: int
    rate: int
    size: int
    short: int
    long: int


@dataclass(frozen=True)
class Run:
    """CPU seconds of a client, and what was received."""

    cpu: float
    received: int


def micros_each(short: Run, long: Run) -> float:
    """What one more message cost, in microseconds."""
    if long.received <= short.received:
        raise RunFailed(f"{long.received} messages in the long run, {short.received} in the short one")
    return (long.cpu - short.cpu) * 1e6 / (long.received - short.received)


def run(command: list[str], seconds: int) -> tuple[float, str]:
    """The CPU seconds of a process with its children, and what it printed."""
    before = os.times()
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds + OVERTIME_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        raise RunFailed(f"{command[0]} didn't end") from None
    after = os.times()
    if done.returncode not in (0, 4):
        raise RunFailed(f"{command[0]} ended with {done.returncode}: {done.stderr.strip()[-500:] or done.stdout.strip()[-500:]}")
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return spent, done.stdout


def phaseload(java: str, url: str, asked: Asked, seconds: int, folder: Path) -> Run:
    out = folder / f"phaseload-{time.monotonic_ns()}"
    cpu, _ = run([java, "-jar", str(JAR), "run", f"{url}rooms/{{pair}}", "--pairs", str(asked.pairs), "--rate", f"{asked.rate}/s",
                  "--message-size", str(asked.size), "--phases", f"peak=1 for {seconds}s", "--quiet", "-o", str(out)], seconds)
    totals = json.loads((out / "result.json").read_text(encoding="utf-8"))["totals"]
    return Run(cpu, totals["messages"]["delivery"]["samples"])


def script_of_k6(asked: Asked, url: str, seconds: int) -> str:
    return SCRIPT % {"pairs": asked.pairs, "most": seconds + OVERTIME_SECONDS // 2, "size": asked.size, "url": url,
                     "every": 1000 * asked.pairs / asked.rate, "seconds": seconds}


def k6(program: str, url: str, asked: Asked, seconds: int, folder: Path) -> Run:
    script = folder / "messages.js"
    script.write_text(script_of_k6(asked, url, seconds), encoding="utf-8")
    cpu, stdout = run([program, "run", "--quiet", "--no-usage-report", "--address", "", str(script)], seconds)
    return Run(cpu, int(json.loads(stdout)))


def checked(got: Run, asked: Asked, seconds: int, name: str) -> Run:
    """Without what was asked for, CPU time says nothing."""
    if got.received < LEAST_RECEIVED * asked.rate * seconds:
        raise RunFailed(f"{name} received {got.received} of {asked.rate * seconds} messages")
    return got


def table(costs: dict[str, list[float]]) -> str:
    lines = ["| client | CPU µs per message, median (minimum to maximum) | of k6's |", "|---|---|---|"]
    for name, each in costs.items():
        of = f"{median(each) / median(costs['k6']):.2f}" if costs.get("k6") else "?"
        lines.append(f"| {name} | {median(each):.2f} ({min(each):.2f}–{max(each):.2f}) | {of} |")
    return "\n".join(lines)


def wait_until_served(url: str, server: subprocess.Popen) -> None:
    until = time.monotonic() + READY_SECONDS
    while time.monotonic() < until and server.poll() is None:
        try:
            urllib.request.urlopen(url.replace("ws:", "http:"), timeout=1).close()
            return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    raise RunFailed("the target didn't start")


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="messages", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=250, help="pairs of connections (%(default)s)")
    parser.add_argument("--rate", type=int, default=2_000, help="messages a second of all pairs (%(default)s)")
    parser.add_argument("--size", type=int, default=200, help="bytes of a message (%(default)s)")
    parser.add_argument("--short", type=int, default=10, help="seconds of the short run, which warms up (%(default)s)")
    parser.add_argument("--long", type=int, default=30, help="seconds of the long run (%(default)s)")
    parser.add_argument("--rounds", type=int, default=3, help="how often both are measured (%(default)s)")
    parser.add_argument("--install", action="store_true", help="build k6 with Go if it is missing")
    options = parser.parse_args(arguments)
    if not 0 < options.short < options.long or min(options.pairs, options.rate, options.rounds) < 1 or options.size < 64:
        parser.error("expected --short below --long, a --size of 64 or more, and numbers above 0")
    client = K6()
    if client.missing() and options.install:
        client.package.install()
    if client.missing() or not JAR.is_file():
        print(client.missing() or f"no {JAR}: mvn -q -DskipTests package", file=sys.stderr)
        return 2
    asked = Asked(options.pairs, options.rate, options.size, options.short, options.long)
    java = str(next(iter(machine.find_jdks().values())).java)
    port = free_ports(["rooms"])["rooms"]
    server = subprocess.Popen([java, "-jar", str(JAR), "serve", "--port", str(port)], stdout=subprocess.DEVNULL)
    try:
        url = f"ws://127.0.0.1:{port}/"
        wait_until_served(url, server)
        costs: dict[str, list[float]] = {"phaseload": [], "k6": []}
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(temporary)
            for _ in range(options.rounds):
                for name, measure, program in (("phaseload", phaseload, java), ("k6", k6, client.program)):
                    pair = [checked(measure(program, url, asked, seconds, folder), asked, seconds, name)
                            for seconds in (asked.short, asked.long)]
                    costs[name].append(micros_each(*pair))
        print(f"{asked.pairs} pairs, {asked.rate} messages a second of {asked.size} bytes; {client.version()}")
        print(table(costs))
        share = median(costs["phaseload"]) / median(costs["k6"])
        print(f"Goal, at most {GOAL:.2f} of k6's: {'met' if share <= GOAL else 'missed'}")
        return 0
    except RunFailed as failure:
        print(f"messages: {failure}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
