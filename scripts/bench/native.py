"""Clients that are programs of their own."""

from __future__ import annotations

import json
import math
import re
import shlex
import shutil
from collections.abc import Sequence
from pathlib import Path

import journey
import machine
from cases import Case
from client import NO_JOURNEY, ONE_AT_A_TIME, Client, Load
from install import AptPackage, Crate, GoModule, find_program

ONE_CONNECTION = "sends all over one HTTP/2 connection"


class Program(Client):
    """A client whose program has its name, on PATH or where --install puts it."""

    def __init__(self) -> None:
        self.label = self.name

    @property
    def program(self) -> str:
        return find_program(self.name)

    def missing(self) -> str:
        return "" if self.program else f"not installed: {self.package.hint}"


class Wrk(Program):
    name = "wrk"
    package = AptPackage("wrk")

    def version(self) -> str:
        first_line = machine.output([self.program, "-v"]).partition("\n")[0]
        return first_line.partition(" Copyright")[0].removeprefix("wrk ")

    def refuses(self, case: Case) -> str:
        return "speaks HTTP/1.1 only" if case.http2 else ""

    def files(self, load: Load) -> dict[str, str]:
        posting = f'wrk.method = "POST"\nwrk.body = string.rep("x", {load.case.body_bytes})\n'
        if load.case.journey:
            return {journey.DATA: journey.data(),
                    "journey.lua": journey.filled(journey.LUA, data=str(load.folder / journey.DATA),
                                                  json_check=journey.json_check("wrk", load.case))}
        return {"post.lua": posting} if load.case.body_bytes else {}

    def command(self, load: Load) -> list[str]:
        name = "journey.lua" if load.case.journey else "post.lua" if load.case.body_bytes else ""
        script = ["-s", str(load.folder / name)] if name else []
        return [self.program, "-t1", f"-c{load.connections}", f"-d{load.seconds}s", *script, load.url]

    def counted(self, stdout: str, case: Case) -> int | None:
        return _number(r"^\s*(\d+) requests in ", stdout)


class H2load(Program):
    name = "h2load"
    keeps_rate = True
    package = AptPackage("nghttp2-client")

    def version(self) -> str:
        return machine.output([self.program, "--version"]).rpartition("/")[2]

    def refuses(self, case: Case) -> str:
        return NO_JOURNEY if case.journey else ""

    def command(self, load: Load) -> list[str]:
        body = ["-d", str(load.body)] if load.case.body_bytes else []
        protocol = [f"-m{load.case.streams}"] if load.case.http2 else ["--h1"]
        rate = [f"--rps={load.rate / load.connections}", f"--log-file={load.folder / 'log'}"] if load.rate else []
        return [self.program, "-t1", f"-c{load.connections}", f"-D{load.seconds}", *rate, *protocol, *body, load.url]

    def percentiles(self, stdout: str, folder: Path) -> tuple[float | None, ...] | None:
        """Of its log: a line a request, with start, status and duration in microseconds."""
        lines = (folder / "log").read_text(encoding="ascii").splitlines()
        micros = sorted(int(line.split("\t")[2]) for line in lines)
        return tuple(_at(micros, percent) / 1e3 for percent in (50, 99, 99.9)) if micros else None

    def counted(self, stdout: str, case: Case) -> int | None:
        return _number(r"^requests: .*, (\d+) done", stdout)


class Oha(Program):
    name = "oha"
    keeps_rate = True
    package = Crate("oha", "1.16.0")

    def version(self) -> str:
        return machine.output([self.program, "--version"]).removeprefix("oha ")

    def refuses(self, case: Case) -> str:
        return NO_JOURNEY if case.journey else ""

    def command(self, load: Load) -> list[str]:
        body = ["-m", "POST", "-D", str(load.body)] if load.case.body_bytes else []
        over = ["--insecure"] if load.case.tls else []
        if load.case.http2:
            over += ["--http2", "-p", str(load.case.streams)]
        if load.rate:
            over += ["-q", str(load.rate), "--latency-correction", "-w"]
        return [self.program, "-z", f"{load.seconds}s", "-c", str(load.connections), *over, *body, "--no-tui",
                "--output-format", "json", load.url]

    def percentiles(self, stdout: str, folder: Path) -> tuple[float | None, ...] | None:
        try:
            told = json.loads(stdout)["latencyPercentiles"]
            return told["p50"] * 1e3, told["p99"] * 1e3, told["p99.9"] * 1e3
        except (ValueError, KeyError, TypeError):
            return None

    def counted(self, stdout: str, case: Case) -> int | None:
        try:
            told = json.loads(stdout)
            return sum(told["statusCodeDistribution"].values()) + sum(told["errorDistribution"].values())
        except (ValueError, KeyError, TypeError):
            return None


class GoProgram(Program):
    """A client that `go install` builds, so that its build has its version."""

    def version(self) -> str:
        build = machine.output(["go", "version", "-m", self.program]) if shutil.which("go") else ""
        module = re.search(r"^\s*mod\s+\S+\s+(\S+)", build, re.MULTILINE)
        return module.group(1) if module else "of unknown version"


class Hey(GoProgram):
    name = "hey"
    package = GoModule(name, "github.com/rakyll/hey", "v0.1.5")

    def refuses(self, case: Case) -> str:
        return NO_JOURNEY if case.journey else ONE_CONNECTION if case.http2 else ""

    def command(self, load: Load) -> list[str]:
        body = ["-m", "POST", "-D", str(load.body)] if load.case.body_bytes else []
        return [self.program, "-z", f"{load.seconds}s", "-c", str(load.connections), *body, load.url]

    def counted(self, stdout: str, case: Case) -> int | None:
        """Bytes received over bytes of a body, plus errors: hey prints no total, and counts statuses to a million."""
        received = _number(r"^\s*Total data:\s+(\d+) bytes", stdout)
        errors = stdout.partition("Error distribution:")[2]
        failed = sum(int(n) for n in re.findall(r"^\s*\[(\d+)\]\t", errors, re.MULTILINE))
        return None if received is None else received // case.answer_bytes + failed


class K6(GoProgram):
    name = "k6"
    keeps_rate = True
    package = GoModule(name, "go.k6.io/k6", "v1.8.1")

    SCRIPT = """\
import http from 'k6/http';
export const options = %s;
const body = 'x'.repeat(%d);
export default function () { body ? http.post('%s', body) : http.get('%s'); }
export function handleSummary(data) { return { stdout: JSON.stringify(data.metrics) }; }
"""

    def options(self, load: Load) -> dict[str, object]:
        duration = f"{load.seconds}s"
        how = {"vus": load.connections, "duration": duration}
        if load.rate:
            arrivals = {"executor": "constant-arrival-rate", "rate": load.rate, "timeUnit": "1s", "duration": duration,
                        "preAllocatedVUs": load.connections, "maxVUs": load.connections}
            how = {"scenarios": {"arrivals": arrivals}, "summaryTrendStats": ["med", "p(99)", "p(99.9)"]}
        return {**how, "discardResponseBodies": not load.case.journey, "insecureSkipTLSVerify": True}

    def percentiles(self, stdout: str, folder: Path) -> tuple[float | None, ...] | None:
        try:
            told = json.loads(stdout)["http_req_duration"]["values"]
            return told["med"], told["p(99)"], told["p(99.9)"]
        except (ValueError, KeyError, TypeError):
            return None

    def files(self, load: Load) -> dict[str, str]:
        if load.case.journey:
            return {journey.DATA: journey.data(),
                    "load.js": journey.filled(journey.K6, options=self.options(load), url=load.url,
                                              data=str(load.folder / journey.DATA), json_check=journey.json_check("k6", load.case))}
        return {"load.js": self.SCRIPT % (json.dumps(self.options(load)), load.case.body_bytes, load.url, load.url)}

    def command(self, load: Load) -> list[str]:
        return [self.program, "run", "--quiet", "--no-usage-report", "--address", "", str(load.folder / "load.js")]

    def refuses(self, case: Case) -> str:
        return ONE_AT_A_TIME if case.http2 else ""

    def counted(self, stdout: str, case: Case) -> int | None:
        try:
            return int(json.loads(stdout)["http_reqs"]["values"]["count"])
        except (ValueError, KeyError, TypeError):
            return None


class Vegeta(GoProgram):
    name = "vegeta"
    keeps_rate = True
    package = GoModule(name, "github.com/tsenart/vegeta/v12", "v12.13.0")

    def refuses(self, case: Case) -> str:
        return NO_JOURNEY if case.journey else ONE_CONNECTION if case.http2 else ""

    def command(self, load: Load) -> list[str]:
        """An attack, and its report as JSON; without a rate it sends as fast as so many workers can."""
        body = ["-body", str(load.body)] if load.case.body_bytes else []
        attack = [self.program, "attack", "-targets", str(load.folder / "targets"), "-rate", str(load.rate),
                  "-workers", str(load.connections), "-max-workers", str(load.connections),
                  "-connections", str(load.connections), "-duration", f"{load.seconds}s", "-insecure", "-http2=false",
                  *body]
        return ["sh", "-c", f"{shlex.join(attack)} | {shlex.quote(self.program)} report -type json"]

    def files(self, load: Load) -> dict[str, str]:
        return {"targets": f"{'POST' if load.case.body_bytes else 'GET'} {load.url}\n"}

    def percentiles(self, stdout: str, folder: Path) -> tuple[float | None, ...] | None:
        try:
            told = json.loads(stdout)["latencies"]
            return told["50th"] / 1e6, told["99th"] / 1e6, None
        except (ValueError, KeyError, TypeError):
            return None

    def counted(self, stdout: str, case: Case) -> int | None:
        try:
            return int(json.loads(stdout)["requests"])
        except (ValueError, KeyError, TypeError):
            return None


def _at(values: Sequence[int], percent: float) -> int:
    """The value that so many percent of sorted ones do not exceed."""
    return values[max(0, math.ceil(len(values) * percent / 100) - 1)]


def _number(pattern: str, text: str) -> int | None:
    found = re.search(pattern, text, re.MULTILINE)
    return int(found.group(1)) if found else None
