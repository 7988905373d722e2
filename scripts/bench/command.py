"""The command line: reads arguments, wires the parts, maps the end to an exit code.

Exit codes: 0 measured, 1 a client or the server failed, 2 wrong arguments or nothing to measure with, 130 interrupted.
"""

from __future__ import annotations

import argparse
import os
import resource
import shlex
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import cases
import clients
import install
import machine
import measure
import stall
import startup
import table
from cases import Case
from client import Client, Load
from server import Nginx, ServerFailed

OK, FAILED, USAGE, INTERRUPTED = 0, 1, 2, 130


class UsageError(Exception):
    """The command cannot run as it was asked to; the message is the one line to print."""


class Parser(argparse.ArgumentParser):
    """An argument parser that complains in one line."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(message)


def whole_number(least: int, most: int):
    """An argparse type: a whole number from least to most."""

    def parse(text: str) -> int:
        if not text.isascii() or not text.isdigit() or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"'{text}' is not a whole number from {least} to {most}")
        return int(text)

    return parse


def number_list(least: int, most: int):
    """An argparse type: whole numbers separated by commas, each named once."""
    parse_one = whole_number(least, most)

    def parse(text: str) -> list[int]:
        return list(dict.fromkeys(parse_one(part.strip()) for part in text.split(",")))

    return parse


def report_file(text: str) -> Path:
    """An argparse type: a file that can be written, checked before minutes of measuring rather than after."""
    path = Path(text)
    if path.is_dir() or not os.access(path if path.exists() else path.parent, os.W_OK):
        raise argparse.ArgumentTypeError(f"cannot write to '{text}'")
    return path


def case_list(text: str) -> list[Case]:
    """An argparse type: names of cases separated by commas."""
    known = {case.name: case for case in cases.CASES}
    for name in text.split(","):
        if name not in known:
            raise argparse.ArgumentTypeError(f"no case '{name}'; known are {', '.join(known)}")
    return [known[name] for name in dict.fromkeys(text.split(","))]


def parse(arguments: list[str]) -> argparse.Namespace:
    parser = Parser(
        prog="bench",
        description="CPU time per request of phaseload, wrk and other clients, against nginx on another core of this machine, "
        "measured in one run with one method.",
        allow_abbrev=False,
    )
    parser.add_argument("--clients", default="", metavar="NAMES",
                        help="from wrk, h2load, oha, hey, k6, vegeta, jmeter, gatling, locust, httpclient, phaseload, or one kind of it "
                        "such as phaseload-events-17 (default: all)")
    parser.add_argument("--before", type=Path, metavar="JAR",
                        help="an earlier phaseload.jar, as phaseload-before-…")
    parser.add_argument("--case", type=case_list, default=[cases.GET], metavar="NAMES",
                        help=f"from {', '.join(case.name for case in cases.CASES)} (default: get)")
    parser.add_argument("--connections", type=number_list(1, 20_000), default=[64], metavar="N[,N]",
                        help="connections, a table for each and each case (default: 64)")
    parser.add_argument("--all", action="store_true",
                        help="all cases over 64 connections, get over 1,000 too, --stall and --startup")
    parser.add_argument("--stall", action="store_true",
                        help="only what clients report of a stalled server")
    parser.add_argument("--startup", action="store_true", help="only the time from the command to the first request")
    parser.add_argument("--seconds", type=whole_number(1, 600), metavar="S",
                        help="measured time of a run (default: 8, with --all 3)")
    parser.add_argument("--warmup", type=whole_number(1, 600), metavar="S",
                        help="time before it, in the same process; at most 2 without a JVM (default: 12, with --all 5)")
    parser.add_argument("--repeats", type=whole_number(1, 100), metavar="N",
                        help="rounds; medians are printed (default: 3, with --all 2)")
    parser.add_argument("--json", type=report_file, metavar="FILE", help="also write everything measured as JSON")
    parser.add_argument("--markdown", type=report_file, metavar="FILE", help="also write the tables as Markdown")
    parser.add_argument("--install", action="store_true",
                        help="first install what is missing")
    return parser.parse_args(arguments)


def tables(asked: argparse.Namespace) -> list[tuple[Case, int]]:
    """The cases and connections to measure."""
    if asked.all:
        return [(cases.GET, 64), (cases.GET, 1_000), *[(case, 64) for case in cases.CASES if case != cases.GET]]
    if asked.stall or asked.startup:
        return []
    return [(case, n) for case in asked.case for n in asked.connections]


def method_of(asked: argparse.Namespace) -> measure.Method:
    warmup, seconds, repeats = (5, 3, 2) if asked.all else (12, 8, 3)
    return measure.Method(asked.warmup or warmup, asked.seconds or seconds, asked.repeats or repeats)


def select(known: list[Client], names: str) -> list[Client]:
    """The clients asked for; a name stands for itself and for all that begin with it and a dash."""
    wanted = [name.strip() for name in names.split(",")] if names else []
    for name in wanted:
        if not any(matches(client, name) for client in known):
            raise UsageError(f"no client '{name}'; known are {', '.join(client.name for client in known)}")
    return [client for client in known if not wanted or any(matches(client, name) for name in wanted)]


def matches(client: Client, name: str) -> bool:
    return client.name == name or client.name.startswith(name + "-")


def install_missing(selected: list[Client]) -> None:
    packages = [client.package for client in selected if client.package and client.missing()]
    if Nginx.missing():
        packages.insert(0, Nginx.package)
    for package in dict.fromkeys(packages):
        say(f"installing: {package.hint}")
        try:
            package.install()
        except install.InstallFailed as e:
            say(str(e))


def ready_clients(selected: list[Client]) -> tuple[list[Client], list[str]]:
    """The clients that can run, and a line for each that cannot."""
    ready, absent = [], []
    for client in selected:
        reason = client.missing()
        if reason:
            absent.append(f"{client.label}: {reason}")
        else:
            ready.append(client)
    return ready, absent


def allow_open_files() -> None:
    """Lets the clients and nginx, which inherit it, open as many connections as this user may."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def interrupt(_signal: int, _frame: object) -> NoReturn:
    raise KeyboardInterrupt


def say(text: str) -> None:
    print(f"bench: {text}", file=sys.stderr, flush=True)


def run(arguments: list[str]) -> int:
    asked = parse(arguments)
    if not sys.platform.startswith("linux"):
        raise UsageError("needs Linux: it reads /proc and pins with taskset")
    selected = select(clients.known(machine.find_jdks(), asked.before), asked.clients)
    if asked.install:
        install_missing(selected)
    if not shutil.which("taskset"):
        raise UsageError("taskset is not installed: apt-get install -y util-linux")
    if Nginx.missing():
        raise UsageError(f"{Nginx.missing()} (or bench --install)")
    ready, absent = ready_clients(selected)
    for line in absent:
        say(line)
    if not ready:
        raise UsageError("no client to measure")

    cores = machine.choose_cores()
    for warning in cores.warnings:
        say(warning)
    allow_open_files()
    method, wanted = method_of(asked), tables(asked)
    minutes = sum(method.expected_seconds(client for client in ready if not client.refuses(case))
                  for case, _ in wanted) / 60
    say(f"about {minutes:.0f} min" + " and some more" * (asked.all or not wanted))
    results, commands, server_is = [], [f"scripts/bench/bench {shlex.join(arguments)}"], ""
    if wanted:
        with Nginx(cores.server, max(n for _, n in wanted)) as server:
            server_is = server.describe()
            for case, n in wanted:
                if server.cannot(case):
                    absent.append(f"{case.title}: {server.cannot(case)}")
                    continue
                results.append(measure.side_by_side(ready, server, case, n, method, cores, say))
                commands += [client.shown_command(load, cores.client) for client in ready if not client.refuses(case)
                             for load in [Load(server.url(case), n, method.client_seconds(client), Path("FOLDER"), case)]]
    return tell(asked, table.Report(
        machine=machine.describe(cores),
        server=server_is,
        method=method,
        clients=ready,
        absent=absent,
        warnings=cores.warnings,
        commands=commands,
        results=results,
        stall=stall.stall(ready, cores, say) if asked.stall or asked.all else None,
        start_up=startup.start_up(ready, method.repeats, say) if asked.startup or asked.all else None,
    ))


def tell(asked: argparse.Namespace, report: table.Report) -> int:
    """Prints and writes a report; returns the exit code."""
    print(table.text(report))
    if asked.json:
        asked.json.write_text(table.json_text(report), encoding="utf-8")
    if asked.markdown:
        asked.markdown.write_text(table.markdown(report), encoding="utf-8")
    failed = any(result.failures for result in [*report.results, report.stall, report.start_up] if result)
    return FAILED if failed else OK


def exit_code(command: Callable[[], int], failure: type[Exception], tell: Callable[[str], None]) -> int:
    """A command's exit code; its failures, wrong arguments and an interrupt are reported in a line."""
    signal.signal(signal.SIGTERM, interrupt)
    signal.signal(signal.SIGHUP, interrupt)
    try:
        return command()
    except UsageError as e:
        tell(str(e))
        return USAGE
    except (failure, OSError) as e:
        tell(str(e))
        return FAILED
    except KeyboardInterrupt:
        tell("interrupted")
        return INTERRUPTED


def main(arguments: list[str]) -> int:
    return exit_code(lambda: run(arguments), ServerFailed, say)
