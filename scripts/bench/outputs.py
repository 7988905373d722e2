#!/usr/bin/env python3
"""
The cost of watching a run: python3 scripts/bench/outputs.py soak|cost [--rate 5000] [--minutes 30] [--jar FILE]

soak  one long run with --live, --otlp and --requests-out: its resident set every 10 s
cost  a run for each output, by turns: the client's CPU per request, beside that of a run without outputs

It wants the jar and a Prometheus that receives OTLP: PROMETHEUS, or prometheus on PATH. Both are bounded in time.
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

from machine import ROOT
from server import free_ports

JAR = ROOT / "client" / "cli" / "target" / "phaseload.jar"
TICK = os.sysconf("SC_CLK_TCK")
HEAP = ("-Xms256m", "-Xmx256m", "-XX:+AlwaysPreTouch")
"""All of it from the start: the resident set then grows by what leaks outside of it, and a leak within it ends the run."""
WARM_UP = 10
"""Seconds of a run for its cost that aren't counted: the JVM compiles."""


def resident(pid: int) -> float:
    """In MiB."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024


def cpu(pid: int) -> float:
    """In seconds, of the process."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICK


@contextlib.contextmanager
def process(*words: str | Path, **how) -> Iterator[subprocess.Popen]:
    with subprocess.Popen([str(word) for word in words], **how) as started:
        try:
            yield started
        finally:
            started.terminate()


class Place:
    """A target and a receiver, in processes of their own."""

    def __init__(self, jar: Path, folder: Path, inside: contextlib.ExitStack):
        self.jar = jar
        self.folder = folder
        receiver, target, self.live, self.page = free_ports(("receiver", "target", "live", "page")).values()
        self.url = f"http://127.0.0.1:{target}/"
        self.otlp = f"http://127.0.0.1:{receiver}/api/v1/otlp/v1/metrics"
        prometheus = os.environ.get("PROMETHEUS") or shutil.which("prometheus")
        if not prometheus:
            sys.exit("no Prometheus: set PROMETHEUS to one of version 3")
        (folder / "prometheus.yml").write_text("global: {scrape_interval: 1s}\nscrape_configs:\n  - job_name: read\n"
                                               f'    static_configs: [{{targets: ["127.0.0.1:{self.page}"]}}]\n')
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        inside.enter_context(process(
            prometheus, f"--config.file={folder}/prometheus.yml", f"--storage.tsdb.path={folder}/data",
            f"--web.listen-address=127.0.0.1:{receiver}", "--web.enable-otlp-receiver", "--enable-feature=native-histograms",
            **quiet))
        inside.enter_context(process("java", "-jar", jar, "serve", "--port", str(target), **quiet))
        for url in (self.url, f"http://127.0.0.1:{receiver}/-/ready"):
            for _ in range(600):
                with contextlib.suppress(OSError), urllib.request.urlopen(url) as answer:
                    if answer.status == 200:
                        break
                time.sleep(0.1)

    def run(self, rate: int, seconds: int, options: list[str]) -> contextlib.AbstractContextManager[subprocess.Popen]:
        out = self.folder / "out"
        shutil.rmtree(out, ignore_errors=True)
        return process("java", *HEAP, "-jar", self.jar, "run", "--url", self.url, "--engine", "events", "--threads", "100",
                       "--rate", f"{rate}/s", "--phases", "peak=1", "--duration", f"{seconds}s", "--quiet", "--out", out,
                       *options, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

    def view(self, line: str) -> None:
        """Watches the live page as a browser does."""
        with contextlib.suppress(OSError, http.client.HTTPException), urllib.request.urlopen(line.split()[1] + "events") as events:
            while events.read(65_536):
                pass

    def lines(self, run: subprocess.Popen, printed: list[str]) -> None:
        for line in run.stderr:
            printed.append(line.rstrip())
            if line.startswith("Live: "):
                threading.Thread(target=self.view, args=(line,), daemon=True).start()

    def listen(self, run: subprocess.Popen) -> list[str]:
        """What it prints, as it does."""
        printed: list[str] = []
        threading.Thread(target=self.lines, args=(run, printed), daemon=True).start()
        return printed


def soak(place: Place, rate: int, minutes: float) -> None:
    seconds = round(minutes * 60)
    rows = place.folder / "requests.csv.zst"
    options = ["--live", str(place.live), "--otlp", place.otlp, "--requests-out", str(rows)]
    with place.run(rate, seconds, options) as run:
        printed = place.listen(run)
        begun = time.monotonic()
        while run.poll() is None and time.monotonic() - begun < seconds + 120:
            with contextlib.suppress(OSError, StopIteration):
                print(f"{time.monotonic() - begun:6.0f} s  {resident(run.pid):7.1f} MiB  {cpu(run.pid):7.1f} s of CPU", flush=True)
            time.sleep(10)
    result = json.loads((place.folder / "out" / "result.json").read_text())
    print(json.dumps({"phase": result["phases"][0]["requests"], "failed": result["phases"][0]["failed"],
                      "verdict": result["verdict"]["status"], "rowsMiB": rows.stat().st_size >> 20, "printed": printed}))


def cost(place: Place, rate: int, seconds: int, rounds: int) -> None:
    outputs = {"none": [], "live": ["--live", str(place.live)], "otlp": ["--otlp", place.otlp],
               "prometheus": ["--prometheus", str(place.page)], "stream": ["--stream"],
               "requests-out": ["--requests-out", str(place.folder / "requests.csv.zst")]}
    found: dict[str, list[float]] = {name: [] for name in outputs}
    for turn in range(rounds):
        for name, options in outputs.items() if turn % 2 == 0 else reversed(outputs.items()):
            with place.run(rate, WARM_UP + seconds + 3, options) as run:
                place.listen(run)
                time.sleep(WARM_UP)
                before, since = cpu(run.pid), time.monotonic()
                time.sleep(seconds)
                found[name].append((cpu(run.pid) - before) / (time.monotonic() - since) / rate * 1e6)
                print(f"{name}: {found[name][-1]:.1f} µs of CPU per request", flush=True)
                run.wait()
    for name, values in found.items():
        print(f"| {name} | {sorted(values)[len(values) // 2]:.1f} | {' '.join(f'{value:.1f}' for value in values)} |")


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("what", choices=("soak", "cost"))
    words.add_argument("--rate", type=int, default=5_000)
    words.add_argument("--minutes", type=float, default=30)
    words.add_argument("--seconds", type=int, default=10, help="of each run for its cost")
    words.add_argument("--rounds", type=int, default=3)
    words.add_argument("--jar", type=Path, default=JAR)
    given = words.parse_args()
    with contextlib.ExitStack() as inside:
        folder = Path(inside.enter_context(tempfile.TemporaryDirectory(prefix="phaseload-outputs-")))
        place = Place(given.jar, folder, inside)
        if given.what == "soak":
            soak(place, given.rate, given.minutes)
        else:
            cost(place, given.rate, given.seconds, given.rounds)


if __name__ == "__main__":
    main()
