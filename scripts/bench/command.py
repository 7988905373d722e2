"""The command line: reads arguments, wires the parts, maps the end to an exit code.

Exit codes: 0 measured, 1 a client or the server failed, 2 wrong arguments or nothing to measure with, 130 interrupted.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import clients
import install
import machine
import measure
import startup
import table
from clients import Client
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
    """An argparse type: a file that can be written, found out before minutes of measuring rather than after."""
    path = Path(text)
    if path.is_dir() or not os.access(path if path.exists() else path.parent, os.W_OK):
        raise argparse.ArgumentTypeError(f"cannot write to '{text}'")
    return path


def parse(arguments: list[str]) -> argparse.Namespace:
    parser = Parser(
        prog="bench",
        description="CPU microseconds per request of phaseload, wrk and hey against nginx on another core of this "
        "machine, measured in one run with one method.",
        allow_abbrev=False,
    )
    parser.add_argument("--clients", default="", metavar="NAMES",
                        help="which, separated by commas: wrk, hey, phaseload, or one of phaseload-threads-17, "
                        "phaseload-threads-25, phaseload-virtual-25 (default: all)")
    parser.add_argument("--connections", type=number_list(1, 20_000), default=[64], metavar="N[,N]",
                        help="connections, one table for each (default: 64)")
    parser.add_argument("--seconds", type=whole_number(1, 600), default=8, metavar="S",
                        help="measured time of a run (default: 8)")
    parser.add_argument("--warmup", type=whole_number(1, 600), default=12, metavar="S",
                        help="time before it, in the same process (default: 5)")
    parser.add_argument("--repeats", type=whole_number(1, 100), default=3, metavar="N",
                        help="rounds over all clients; medians are printed (default: 3)")
    parser.add_argument("--startup", action="store_true",
                        help="measure the time from the command to the first request, and no load")
    parser.add_argument("--json", type=report_file, metavar="FILE", help="write everything measured as JSON too")
    parser.add_argument("--markdown", type=report_file, metavar="FILE", help="write the tables as Markdown too")
    parser.add_argument("--install", action="store_true",
                        help="first install what is missing of nginx, wrk (apt-get) and hey (go install)")
    return parser.parse_args(arguments)


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
    selected = select(clients.known(machine.find_jdks()), asked.clients)
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
    method = measure.Method(asked.warmup, asked.seconds, asked.repeats)
    if asked.startup:
        return tell(asked, table.Report(machine.describe(cores), "", method, ready, absent, cores.warnings,
                                        start_up=startup.start_up(ready, asked.repeats, say)))
    say(f"about {method.expected_seconds(len(ready) * len(asked.connections))} s")
    with Nginx(cores.server, max(asked.connections)) as server:
        report = table.Report(
            machine=machine.describe(cores),
            server=server.describe(),
            method=method,
            clients=ready,
            absent=absent,
            warnings=cores.warnings,
            commands=[client.shown_command(server.url, n, method.client_seconds, cores.client)
                      for n in asked.connections for client in ready],
            results=[measure.side_by_side(ready, server, n, method, cores, say) for n in asked.connections],
        )
    return tell(asked, report)


def tell(asked: argparse.Namespace, report: table.Report) -> int:
    """Prints and writes a report; the exit code that it comes to."""
    print(table.text(report))
    if asked.json:
        asked.json.write_text(table.json_text(report), encoding="utf-8")
    if asked.markdown:
        asked.markdown.write_text(table.markdown(report), encoding="utf-8")
    return FAILED if any(result.failures for result in report.results) else OK


def exit_code(command: Callable[[], int], failure: type[Exception], tell: Callable[[str], None]) -> int:
    """What a command comes to; a failure of its kind, wrong arguments and an interrupt are told in a line."""
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
