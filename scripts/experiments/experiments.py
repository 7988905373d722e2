"""Five published load tests as one command each, against stand-ins or against real systems.

  1  phased GET and POST at growing numbers of threads, against the Tomcat and the Lambda target
  2  clients scaled to thousands: writes, then reads that are verified
  3  read and write latency over three topologies
  4  many clients at a constant message rate, with the server's CPU over the run
  5  ingestion trials of an event store that measures itself, cleaned up after each

--scale 1 is the published size. Times, event counts and totals are multiplied by it, numbers of clients by its square root,
so that small ones still differ. What would be too small to mean anything has a minimum. The default takes about a minute on
two cores. Each experiment leaves a folder per sweep or run, with everything that phaseload writes.

Exit codes: 0 measured, 2 wrong arguments, 130 interrupted, else phaseload's own.
"""

from __future__ import annotations

import argparse
import contextlib
import math
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn, Optional

import stand_ins

PHASELOAD = Path(__file__).resolve().parent.parent / "phaseload"
DEFAULT_SCALE = 0.001
OK, USAGE, INTERRUPTED = 0, 2, 130

COUNTED_PHASES = "start=0.1,loading=0.5,peak=1,end=0.25"
"""The published course, with names of which all count."""

CLIENTS = (10, 100, 200, 400, 800, 1600, 3200, 5000, 6000, 7000, 8000, 9000, 10000)
MINUTES = (5, 10, 10, 10, 10, 10, 30, 30, 60, 60, 60, 80, 80)
TOPOLOGIES = {"containers": (19.9, 17.7), "region": (47.7, 5.3), "continents": (122.1, 114.7)}
EVENTS = (1, 100, 10_000, 1_000_000, 10_000_000)


class Failed(Exception):
    """Phaseload ended with this exit code."""


@dataclass(frozen=True)
class Size:
    """How large an experiment is, next to the published one."""

    scale: float

    def clients(self, published: int) -> int:
        return max(1, round(published * math.sqrt(self.scale)))

    def amount(self, published: float, least: int = 1) -> int:
        return max(least, round(published * self.scale))

    def seconds(self, published: float, least: float) -> str:
        return f"{round(max(least, published * self.scale) * 1000)}ms"

    def warmup(self) -> str:
        return self.seconds(60, 0.1)


@dataclass(frozen=True)
class Experiment:
    """One run of one experiment."""

    size: Size
    url: Optional[str]
    out: Path

    def phaseload(self, command: str, name: str, *arguments: object) -> None:
        line = [str(PHASELOAD), command, "--out", str(self.out / name), *map(str, arguments)]
        print(f"== {name}", flush=True)
        code = subprocess.run(line, check=False).returncode
        if code != OK:
            raise Failed(code)

    def phased(self) -> None:
        small, large = [20, 100], [200, 1000]
        own = {"tomcat": ["--target", "tomcat"], "lambda": ["--target", "lambda"]}
        kinds = {"target": ["--url", self.url, "--get", "/", "--post", "/"]} if self.url else own
        for name, target in kinds.items():
            common = [*target, "--phases", COUNTED_PHASES, "--label", f"target={name}"]
            iterations = self.size.clients(100)
            self.phaseload("sweep", f"{name}-narrow", *common, "--threads", steps(map(self.size.clients, small)), "-n", iterations)
            # As many iterations as threads.
            self.phaseload("sweep", f"{name}-wide", *common, "--threads", steps(map(self.size.clients, large)), "-n", "{threads}")

    def scaled(self) -> None:
        lengths: dict[int, str] = {}
        for clients, minutes in zip(CLIENTS, MINUTES):
            lengths[self.size.clients(clients)] = self.size.seconds(60 * minutes, 0.1)
        common = ["--threads", steps(lengths), "--duration", ",".join(lengths.values()), "--warmup", self.size.warmup()]
        value = "what was written, all of it"
        with self.served() as url:
            for name, operation in {
                "write": ["--put", "/items/key", "--body", value],
                "read": ["--get", "/items/key", "--expect", f"status=200 body~'{value}'"],
            }.items():
                self.phaseload("sweep", name, "--url", url, *common, *operation, "--label", f"workload={name}")

    def topologies(self) -> None:
        threads = 16
        with contextlib.ExitStack() as stack:
            url = self.url or stack.enter_context(stand_ins.topologies(TOPOLOGIES)).url + "{topology}/"
            self.phaseload(
                "sweep", "latency", "--url", url, "--param", "topology=" + ",".join(TOPOLOGIES), "--threads", threads,
                "-n", self.size.amount(5000 / threads, least=10), "--warmup", self.size.seconds(60, 0.3),
                "--get", "/item", "--put", "/item",
            )  # fmt: skip

    def constant_rate(self) -> None:
        length = self.size.seconds(180, 5)
        target = ["--url", self.url] if self.url else ["--target", "tomcat", "--server-metrics", "/metrics.json"]
        self.phaseload(
            "run", "one-node", *target, "--threads", self.size.clients(250), "--rate", f"{self.size.clients(10_000)}/s",
            "--phases", f"warmup=1 for {self.size.seconds(30, 1)},peak=1 for {length}", "--post", "/", "--body", "message",
        )  # fmt: skip

    def ingestion(self) -> None:
        counts = steps(self.size.amount(events) for events in EVENTS)
        with contextlib.ExitStack() as stack:
            url = self.url or stack.enter_context(stand_ins.event_store()).url
            self.phaseload(
                "sweep", "ingestion", "--url", url, "--threads", 1, "-n", 1, "--warmup", "0s", "--timeout", "10m",
                "--param", f"event_count={counts}", "--trials", max(2, min(10, self.size.clients(400))),
                "--get", "/measure/memory/insert-events/{event_count}",
                "--metric", "duration_in_ms=/timeElapsed:ms", "--metric", "buffer_size_in_bytes=/bufferSize:B",
                "--after", "DELETE /data", "--take", "token=/token", "--after", "POST /clean {token}",
                "--label", "cluster_type=local", "--label", "node_count=1", "--label", "event_type=small",
                "--label", "buffer_type=memory",
            )  # fmt: skip
        subprocess.run(
            [str(PHASELOAD), "describe", str(self.out / "ingestion"), "--by", "event_count", "--figures", "duration_in_ms"],
            check=True,
        )

    @contextlib.contextmanager
    def served(self) -> Iterator[str]:
        """The address of the system, or of Phaseload's own target in a process of its own."""
        if self.url:
            yield self.url
            return
        with subprocess.Popen([str(PHASELOAD), "serve", "--port", "0"], stdout=subprocess.PIPE, text=True) as server:
            try:
                assert server.stdout is not None
                line = server.stdout.readline()
                urls = [word for word in line.split() if word.startswith("http://")]
                if not urls:
                    raise Failed(1)
                yield urls[0]
            finally:
                server.terminate()
                server.communicate()  # it says goodbye


RUNS = {
    "1": Experiment.phased,
    "2": Experiment.scaled,
    "3": Experiment.topologies,
    "4": Experiment.constant_rate,
    "5": Experiment.ingestion,
}


def steps(values: Iterator[int] | Sequence[int] | dict[int, str]) -> str:
    """A list for phaseload; numbers that are the same at this size are one step."""
    return ",".join(map(str, dict.fromkeys(values)))


class Parser(argparse.ArgumentParser):
    """An argument parser that complains in one line."""

    def error(self, message: str) -> NoReturn:
        print(f"experiment: {message}", file=sys.stderr)
        sys.exit(USAGE)


def scale(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 < value <= 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number above 0 and at most 1")
    return value


def main(arguments: Sequence[str]) -> int:
    parser = Parser(prog="experiment", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("experiment", choices=RUNS)
    parser.add_argument(
        "--scale", type=scale, default=os.environ.get("SCALE", str(DEFAULT_SCALE)), help=f"above 0, at most 1 ({DEFAULT_SCALE}, or $SCALE)"
    )
    parser.add_argument("--url", help="the real system, in place of a stand-in; of 3, with {topology} in it")
    parser.add_argument("--out", type=Path, help="the folder to write (results/experiment-N)")
    options = parser.parse_args(arguments)
    out = options.out or Path("results") / f"experiment-{options.experiment}"
    if out.exists() and any(out.iterdir()):
        parser.error(f"--out {out}: expected a folder that is new or empty")
    try:
        RUNS[options.experiment](Experiment(Size(options.scale), options.url, out))
        return OK
    except Failed as failure:
        return int(failure.args[0])
    except KeyboardInterrupt:
        return INTERRUPTED
