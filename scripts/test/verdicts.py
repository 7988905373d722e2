#!/usr/bin/env python3
"""
Checks the verdict of ten kinds of runs, each of them twice: clean ones must be VALID; those whose client is frozen, starved,
throttled or short of users must not be. Needs the jar, Java and an idle machine. Throttling needs the right to create a
control group; without it that part is skipped, and the output says so.

    python3 scripts/test/verdicts.py                      # all of it, about 12 minutes
    python3 scripts/test/verdicts.py --faults clean --repeats 1 --kinds think,rate
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import faults

KINDS = {
    "one": "-c 1 --think 1ms",
    "think": "-c 20 --think 50ms",
    "pacing": "-c 20 --pacing 100ms",
    "ramp": "-c 20 --think 50ms --ramp 1s",
    "rate": "-c 20 --rate 300/s",
    "poisson": "-c 50 --rate 200/s --arrivals poisson",
    "events-think": "--engine events -c 100 --think 200ms",
    "events-rate": "--engine events -c 20 --rate 300/s",
    "events-drop": "--engine events -c 50 --rate 200/s --arrivals poisson --overload drop",
    "http2": "--engine events --http2 --streams 10 -c 20 --think 50ms",
}
# A rate and a number of users that don't fit each other, for each kind of engine and of users.
SHORT = {
    "threads": "-c 1 --rate 20k/s",
    "events": "--engine events -c 1 --rate 50k/s",
}

# From here on the verdict says SUSPECT by itself.
MAX_STOLEN_PERCENT = 5
TRIES = 5


class Runs:
    """Runs of one client at a time, and what came of them."""

    def __init__(self, url: str, seconds: float, folder: Path):
        self.url = url
        self.seconds = seconds
        self.folder = folder
        self.wrong = []
        self.number = 0

    def start(self, options: str, under: list[str]) -> subprocess.Popen[str]:
        self.number += 1
        command = [*under, faults.JAVA, "-jar", str(faults.JAR), "run", "--url", self.url, "--phases", f"warmup=1 for 2s,peak=1 for {self.seconds}s",
                   "--get", "/", "--out", str(self.folder / str(self.number)), *options.split()]
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def run(self, fault: str, kind: str, options: str, under: list[str]) -> None:
        result, output = self.result(fault, options, under)
        for _ in range(TRIES):
            if fault != "clean" or stolen_percent(result) <= MAX_STOLEN_PERCENT:
                break
            # Such a machine isn't idle, whatever runs on it.
            print(f"again {fault:10} {kind:14} the hypervisor took {stolen_percent(result):.0f} % of the machine", flush=True)
            result, output = self.result(fault, options, under)
        verdict = result.get("verdict", {"status": "no result", "reasons": output[-3:]})
        right = verdict["status"] in (["VALID"] if fault == "clean" else ["SUSPECT", "INVALID"])
        if not right:
            self.wrong.append(f"{fault} {kind}")
        print(f"{'ok   ' if right else 'WRONG'} {fault:10} {kind:14} {verdict['status']:8} {' '.join(verdict['reasons'])}", flush=True)

    def result(self, fault: str, options: str, under: list[str]) -> tuple[dict, list[str]]:
        with self.start(options, under) as process:
            output = []
            for line in process.stdout:
                output.append(line)
                if fault == "frozen" and line.startswith("PEAK phase: All threads"):
                    time.sleep(1)
                    process.send_signal(signal.SIGSTOP)
                    time.sleep(2)
                    process.send_signal(signal.SIGCONT)
        try:
            return json.loads((self.folder / str(self.number) / "result.json").read_text()), output
        except OSError:
            return {}, output


def stolen_percent(result: dict) -> float:
    return max((phase["client"]["stolenPercent"] or 0 for phase in result.get("phases", [])), default=0)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--faults", default="clean,frozen,starved,throttled,short")
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--repeats", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=5)
    options = parser.parse_args()
    if not faults.JAR.is_file():
        parser.error(f"no {faults.JAR}: mvn -q -DskipTests package")
    faults = options.faults.split(",")
    kinds = {name: KINDS[name] for name in options.kinds.split(",")}
    with tempfile.TemporaryDirectory() as folder, faults.target() as url:
        runs = Runs(url, options.seconds, Path(folder))
        for fault in faults:
            with contextlib.ExitStack() as stack:
                under = []
                if fault == "throttled":
                    try:
                        under = stack.enter_context(faults.control_group(0.2))
                    except faults.Impossible as why:
                        print(f"skipped throttled: {why}", flush=True)
                        continue
                for _ in range(options.repeats):
                    for kind, words in (SHORT if fault == "short" else kinds).items():
                        with faults.busy_loops(3 * os.cpu_count()) if fault == "starved" else contextlib.nullcontext():
                            runs.run(fault, kind, words, under)
    print(f"{runs.number} runs, {len(runs.wrong)} wrong: {', '.join(runs.wrong) or 'none'}")
    return 1 if runs.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
