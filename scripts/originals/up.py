"""Starts a system of the published tests on this machine, and ends it.

  up SYSTEM    installs it from registries, once; starts it, waits until it is ready, and prints its processes
  down         ends it; nothing of it is left but the installation

As root on Linux each node is a host with a network of its own, which this machine reaches. Otherwise nodes are on the loopback.

Exit codes: 0 up or down, 1 not possible here, 2 wrong arguments, 130 interrupted.
"""

from __future__ import annotations

import argparse
import contextlib
import fcntl
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NoReturn, Optional, TextIO

import originals
from originals import Impossible, hosts, namespaces

OK, IMPOSSIBLE, USAGE, INTERRUPTED = 0, 1, 2, 130
SECONDS = {"ms": 0.001, "s": 1}
ROOT = sys.platform == "linux" and os.geteuid() == 0


class Parser(argparse.ArgumentParser):
    """An argument parser that complains in one line."""

    def error(self, message: str) -> NoReturn:
        print(f"{self.prog}: {message}", file=sys.stderr)
        sys.exit(USAGE)


def delay(text: str) -> float:
    found = re.fullmatch(r"(\d+(?:\.\d+)?)(ms|s)", text)
    seconds = float(found.group(1)) * SECONDS[found.group(2)] if found else -1
    if not 0 <= seconds <= 10:
        raise argparse.ArgumentTypeError(f"expected a time such as 10ms, at most 10s, got {text}")
    return seconds


def number(text: str) -> int:
    if not text.isdigit() or not 1 <= int(text) <= 9:
        raise argparse.ArgumentTypeError(f"expected a number from 1 to 9, got {text}")
    return int(text)


def up(arguments: Sequence[str]) -> int:
    parser = Parser(prog="up", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("system", choices=originals.SYSTEMS)
    parser.add_argument("--nodes", type=number, help="1 to 9; the default depends on the system")
    parser.add_argument("--delay", type=delay, default=0.0, help="how long a packet from node to node takes, such as 10ms; needs --place spread")
    parser.add_argument(
        "--place", choices=originals.PLACES, help="local: all nodes on one host; spread: each on a host of its own, which needs root (the default for root)"
    )
    options = parser.parse_args(arguments)
    place = options.place or ("spread" if ROOT else "local")
    if place == "spread" and not ROOT:
        parser.error("--place spread needs root on Linux")
    if options.delay and place != "spread":
        parser.error("--delay needs --place spread" + ("" if ROOT else ", and root on Linux"))
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with lock() as held:
            if held is None:
                parser.error(f"{state()['system']} is up already: expected down before")
            system = originals.load(options.system)
            installed = originals.installed(system, lambda line: print(line, file=sys.stderr, flush=True))
            keep(held, options.system, installed, options.nodes or system.NODES, place, options.delay)
            return OK
    except Impossible as reason:
        print(f"up: {reason}", file=sys.stderr)
        return IMPOSSIBLE
    except KeyboardInterrupt:
        print("up: interrupted", file=sys.stderr)
        return INTERRUPTED


def keep(held: TextIO, name: str, installed: Path, nodes: int, place: str, seconds: float) -> None:
    """Starts the process that has the system, and prints what it reports."""
    begun = time.monotonic()
    reading, writing = os.pipe()
    keeper = [sys.executable, __file__, name, str(installed), str(nodes), place, str(seconds), str(writing), str(os.getpid())]
    with (folder() / "keeper.log").open("w", encoding="utf-8") as log:
        # It outlives this process, and may not keep its output open.
        process = subprocess.Popen(keeper, pass_fds=(writing, held.fileno()), stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
    os.close(writing)
    held.seek(0)
    held.truncate()
    json.dump({"system": name, "pid": process.pid}, held)
    held.flush()
    try:
        with open(reading, encoding="utf-8") as report:
            told = report.read()
    except KeyboardInterrupt:
        process.terminate()
        process.wait()
        clear()
        raise
    if not told:
        process.wait()
        raise Impossible(f"{name} doesn't start: {originals.last_line(folder() / 'keeper.log')}")
    found = json.loads(told)
    if "reason" in found:
        process.wait()
        raise Impossible(found["reason"])
    process.returncode = OK  # It goes on, and Popen warns of those that nobody waits for.
    print(f"{name} is up after {time.monotonic() - begun:.1f} s; logs are in {folder()}")
    print(found["table"])
    print("scripts/originals/down ends it")


def folder() -> Path:
    """Logs, data, and who has what is up."""
    return originals.cache() / "up"


@contextlib.contextmanager
def lock() -> Iterator[Optional[TextIO]]:
    """A file that is locked as long as something is up; none if something is."""
    folder().mkdir(parents=True, exist_ok=True)
    with (folder() / "lock").open("a+", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield None
            return
        clear()
        yield file


def clear() -> None:
    """Whatever is left. Namespaces have gone with their processes, but the kernel takes its time with an interface in one."""
    if ROOT:
        subprocess.run(["ip", "link", "delete", "phaseload"], stderr=subprocess.DEVNULL, check=False)
    for left in folder().iterdir():
        if left.is_dir():
            shutil.rmtree(left)
        elif left.name != "lock":
            left.unlink()


def state() -> dict:
    text = (folder() / "lock").read_text(encoding="utf-8")
    return json.loads(text) if text else {"system": "a system", "pid": 0}


def down(arguments: Sequence[str]) -> int:
    parser = Parser(prog="down", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.parse_args(arguments)
    begun = time.monotonic()
    asked = False
    while True:
        with lock() as held:
            if held is not None:
                break
            found = state()
            if found["pid"]:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(found["pid"], signal.SIGTERM if time.monotonic() - begun < 60 else signal.SIGKILL)
                asked = True
        time.sleep(0.2)
    print(f"{found['system']} is down after {time.monotonic() - begun:.1f} s" if asked else "nothing is up")
    return OK


@contextlib.contextmanager
def placed(count: int, place: str, seconds: float, outside: int) -> Iterator[list[originals.Node]]:
    """Nodes on hosts that the process outside reaches, or on the loopback."""
    if not ROOT:
        yield originals.on_loopback(count)
        return
    cpus = sorted(os.sched_getaffinity(0))
    machines = hosts.make(*[cpus] * (count if place == "spread" else 1))
    hosts.reached_from(outside)
    with hosts.apart(machines, lambda _, __: seconds) if seconds else contextlib.nullcontext():
        yield originals.on_hosts(machines, place, count)


def main(name: str, installed: str, nodes: str, place: str, seconds: str, report: str, outside: str) -> None:
    """Has a system until SIGTERM comes, in a network of its own."""
    if ROOT and not namespaces.enter([sys.executable, __file__, *sys.argv[1:]]):
        raise Impossible("no network namespaces can be made here: expected Linux with ip(8)")
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with contextlib.suppress(KeyboardInterrupt), contextlib.ExitStack() as stack, open(int(report), "w", encoding="utf-8") as out:
        try:
            places = stack.enter_context(placed(int(nodes), place, float(seconds), int(outside)))
            cluster = stack.enter_context(originals.started(originals.load(name), places, Path(installed), folder()))
            found = {"table": originals.table(cluster)}
        except Impossible as reason:
            json.dump({"reason": str(reason)}, out)
            return
        # This fails if `up` was killed meanwhile.
        json.dump(found, out)
        out.close()
        while True:
            signal.pause()


if __name__ == "__main__":
    main(*sys.argv[1:])
