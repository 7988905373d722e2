"""
Servers that behave as rules say, in Go, Node, Python and Java, and HAProxy. For each request all rules that match apply, in order, until
one ends it; what isn't ended is answered with 200.

Conditions: path (prefix), method, share (at random), every (n-th match), conn (every n-th connection), upto and nth (place on its
connection), first (n requests), above (requests under way), from and to (ms since the first request), tick (once in so many ms),
bucket=BURST/RATE (no token left), window (more than n in this second).
Effects: ms (a number or low..high), exp (mean of an exponential time, ms), cpu (ms of it), grow (µs more for each request so far), block
(all requests wait meanwhile), pool (n at a time), serial (one at a time on a connection), read (ms for each 64 KiB of a body),
header=Name:Value, bytes, status, end=reset|close|hang|truncate.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import faults

SERVERS = Path(__file__).resolve().parent / "servers"


def rule(**keys: object) -> str:
    return " ".join(f"{name}={'..'.join(map(str, value)) if isinstance(value, tuple) else value}" for name, value in keys.items())


def option(**keys: object) -> str:
    return rule(option=1, **keys)


@functools.cache
def _built() -> str:
    program = shutil.which("go", path=os.environ["PATH"] + ":/usr/local/go/bin")
    if program is None:
        raise faults.Impossible("no go")
    folder = tempfile.mkdtemp(prefix="phaseload-go-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    done = subprocess.run([program, "build", "-o", f"{folder}/server", str(SERVERS / "server.go")], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise faults.Impossible(f"go build: {done.stderr.strip()}")
    return f"{folder}/server"


@contextlib.contextmanager
def _started(command: list[str], under: list[str]) -> Iterator[str]:
    """It ends with its standard input, too."""
    with subprocess.Popen([*under, *command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            for line in process.stdout:
                if found := re.search(r"https?://\S+", line):
                    yield found.group()
                    break
            else:
                raise faults.Impossible(f"{command[0]}: it doesn't start")
        finally:
            process.kill()


def go(*rules: str, under: list[str] = ()) -> contextlib.AbstractContextManager[str]:
    return _started([_built(), *rules], under)


def streams_ms(url: str, number: int) -> float:
    """The ms that so many requests take which are sent at once over one HTTP/2 connection."""
    return float(subprocess.run([_built(), "ask", url, str(number)], capture_output=True, text=True, check=True).stdout)


def python(*rules: str, under: list[str] = ()) -> contextlib.AbstractContextManager[str]:
    return _started([sys.executable, str(SERVERS / "server.py"), *rules], under)


def node(*rules: str, under: list[str] = ()) -> contextlib.AbstractContextManager[str]:
    program = shutil.which("node")
    if program is None:
        raise faults.Impossible("no node")
    return _started([program, str(SERVERS / "server.mjs"), *rules], under)


@functools.cache
def _compiled() -> str:
    folder = tempfile.mkdtemp(prefix="phaseload-java-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    javac = str(Path(faults.JAVA).with_name("javac")) if "/" in faults.JAVA else "javac"
    done = subprocess.run([javac, "-d", folder, str(SERVERS / "Server.java")], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise faults.Impossible(f"javac: {done.stderr.strip()}")
    return folder


def java(*rules: str, under: list[str] = ()) -> contextlib.AbstractContextManager[str]:
    return _started([faults.JAVA, "-Xmx256m", "-cp", _compiled(), "Server", *rules], under)


def port(url: str) -> int:
    return int(re.search(r":(\d+)/", url).group(1))


def certificate(folder: str) -> tuple[str, str]:
    """The files of a key and of its certificate."""
    key, cert = f"{folder}/key.pem", f"{folder}/cert.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                    "-subj", "/CN=localhost", "-keyout", key, "-out", cert], check=True, capture_output=True)
    return key, cert


@contextlib.contextmanager
def haproxy(configuration: str, under: list[str] = ()) -> Iterator[str]:
    """The address of a HAProxy; in the configuration, LISTEN is where it listens, and timeouts of a minute are set."""
    program = shutil.which("haproxy", path=os.environ["PATH"] + ":/usr/sbin:/sbin")
    if program is None:
        raise faults.Impossible("no haproxy")
    listen = faults.free_port()
    with tempfile.TemporaryDirectory(prefix="phaseload-haproxy-") as folder:
        file = Path(folder) / "haproxy.cfg"
        file.write_text("global\n  maxconn 2000\n  nbthread 1\ndefaults\n  mode http\n  timeout connect 60s\n  timeout client 60s\n  timeout server 60s\n"
                        + configuration.replace("LISTEN", f"127.0.0.1:{listen}") + "\n")
        with subprocess.Popen([*under, program, "-db", "-f", str(file)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            try:
                if not under:
                    faults.wait_for(listen)
                yield f"http://127.0.0.1:{listen}/"
            finally:
                process.kill()
