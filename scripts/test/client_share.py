#!/usr/bin/env python3
"""
Compares the client's own share of response times, as a run reports it (clientShare in result.json), with the truth: tcpdump's times of
the same requests on the loopback; of an open load, the response times that these would have made for requests that are due at its rate with its
users. True share = (response - truth) / response. Clean runs must be VALID. A disturbed run must not be where the true share of a figure is more
than 10 %, and no bound may be below the truth: both but for what a client computes for a request. Needs the jar, Java, tcpdump, root and an idle
machine.

    python3 scripts/test/client_share.py                        # about 4 minutes
    python3 scripts/test/client_share.py --only clean --repeats 2
"""

from __future__ import annotations

import argparse
import contextlib
import datetime
import heapq
import json
import os
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import faults

# Busy for so many ms of so many ms, for so many seconds.
HOG = """
import sys, time
busy, period, seconds = (float(word) / 1000 for word in sys.argv[1:])
end = time.perf_counter() + seconds * 1000
at = time.perf_counter()
while at < end:
    begin = time.perf_counter()
    while time.perf_counter() - begin < busy: pass
    at += period
    time.sleep(max(0, at - time.perf_counter()))
"""

# Computes for 1 ms for each request, on one thread.
WORKER = """
import selectors, socket, time
selector = selectors.DefaultSelector()
server = socket.create_server(('127.0.0.1', 0), backlog=1024)
selector.register(server, selectors.EVENT_READ)
print('http://127.0.0.1:%d/' % server.getsockname()[1], flush=True)
while True:
    for key, _ in selector.select():
        if key.fileobj is server:
            connection = server.accept()[0]
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            selector.register(connection, selectors.EVENT_READ)
        elif key.fileobj.recv(65536):
            end = time.perf_counter() + 0.001
            while time.perf_counter() < end: pass
            key.fileobj.sendall(b'HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nok')
        else:
            selector.unregister(key.fileobj)
            key.fileobj.close()
"""

THINK = "-c 20 --think 50ms"
RATE = "-c 20 --rate 300/s"
EVENTS = "--engine events "
ONE_CORE = ["taskset", "-c", "0"]

FIGURES = ("mean", "p50", "p95", "p99", "p999")
TOLERANCE = 5
"""In percent of the figure: the measured requests may be a part of all, and tcpdump takes time, too."""
COMPUTING_MS = 0.1
"""What a client computes for a request, on a core that other programs use as well."""


@contextlib.contextmanager
def hogs(busy: float, period: float, cores: range) -> Iterator[None]:
    """Real-time threads that are busy for a part of each period, one a core."""
    running = [subprocess.Popen(["chrt", "-f", "10", "taskset", "-c", str(core), sys.executable, "-c", HOG, str(busy), str(period), "20"])
               for core in cores]
    try:
        yield
    finally:
        for hog in running:
            hog.kill()
            hog.wait()


@contextlib.contextmanager
def disk() -> Iterator[None]:
    """Files that are written and synchronized all the time."""
    over = threading.Event()

    def write() -> None:
        with tempfile.NamedTemporaryFile(dir="/var/tmp") as file:
            while not over.is_set():
                file.seek(0)
                file.write(bytes(8 << 20))
                file.flush()
                os.fsync(file.fileno())

    threads = [threading.Thread(target=write) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        over.set()
        for thread in threads:
            thread.join()


@contextlib.contextmanager
def worker() -> Iterator[str]:
    """The address of a server that needs 1 ms of CPU 0 for each request."""
    with subprocess.Popen([*ONE_CORE, sys.executable, "-c", WORKER], stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process.stdout.readline().strip()
        finally:
            process.kill()


def stop_often(client: subprocess.Popen[str], seconds: float) -> None:
    """Stops the client for 8 of 100 ms."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and client.poll() is None:
        time.sleep(0.092)
        client.send_signal(signal.SIGSTOP)
        time.sleep(0.008)
        client.send_signal(signal.SIGCONT)


CORES = range(os.cpu_count() or 1)
NONE = contextlib.nullcontext
CLEAN = {
    "one": "-c 1 --think 1ms",
    "think": THINK,
    "rate": RATE,
    "no pause": "-c 2",
    "events think": EVENTS + THINK,
    "events rate": EVENTS + RATE,
}
# Name, options, what disturbs, words before java (none: a CPU limit), options of java, whether the server is the worker on the client's core.
DISTURBED = [
    ("one core with the server", EVENTS + "-c 50 --rate 600/s", NONE, ONE_CORE, [], True),
    ("one core with the server", "-c 20 --think 50ms", NONE, ONE_CORE, [], True),
    ("hog 4.5 of 80 ms", RATE, lambda: hogs(4.5, 80, CORES), [], [], False),
    ("hog 4.5 of 80 ms", EVENTS + RATE, lambda: hogs(4.5, 80, CORES), [], [], False),
    ("hog 4 of 10 ms", THINK, lambda: hogs(4, 10, CORES), [], [], False),
    ("hog 4 of 10 ms", EVENTS + RATE, lambda: hogs(4, 10, CORES), [], [], False),
    ("busy loops", THINK, lambda: faults.busy_loops(2 * len(CORES)), [], [], False),
    ("busy loops", EVENTS + THINK, lambda: faults.busy_loops(2 * len(CORES)), [], [], False),
    ("CPU limit 0.2", RATE, NONE, None, [], False),
    ("stopped 8 of 100 ms", RATE, NONE, [], [], False),
    ("garbage", EVENTS + "-c 8", NONE, [], ["-XX:+UseSerialGC", "-Xmn512k", "-Xmx32m"], False),
    ("disk", RATE, disk, [], [], False),
]


def wire(file: Path, port: int, begin: float, end: float) -> list[float]:
    """Milliseconds from each request to its response, in the order of the requests."""
    data = file.read_bytes()
    times: list[tuple[float, float]] = []
    open_requests: dict[int, list[float]] = {}
    at = 24
    while at + 16 <= len(data):
        seconds, nanos, length, whole = struct.unpack_from("<IIII", data, at)
        packet = data[at + 16:at + 16 + length]
        at += 16 + length
        if len(packet) < 54 or packet[12:14] != b"\x08\x00":
            continue
        head = 14 + (packet[14] & 15) * 4
        source, target = struct.unpack_from(">HH", packet, head)
        if struct.unpack_from(">H", packet, 16)[0] - (packet[14] & 15) * 4 - (packet[head + 12] >> 4) * 4 <= 0:
            continue
        now = seconds + nanos / 1e9
        if target == port:
            last = open_requests.get(source)
            if last is not None and last[1] == 0:
                continue
            if last is not None and begin <= last[0] <= end:
                times.append((last[0], (last[1] - last[0]) * 1000))
            open_requests[source] = [now, 0.0]
        elif source == port and target in open_requests:
            open_requests[target][1] = now
    times += [(sent, (done - sent) * 1000) for sent, done in open_requests.values() if done and begin <= sent <= end]
    return [length for _, length in sorted(times)]


def responses(times: list[float], options: str) -> list[float]:
    """The response times of a client without delays of its own, sorted: of an open load, with the waits for a free user."""
    words = options.split()
    if "--rate" not in words:
        return sorted(times)
    gap = 1000 / float(words[words.index("--rate") + 1].removesuffix("/s"))
    free = [0.0] * int(words[words.index("-c") + 1])
    found = []
    for number, length in enumerate(times):
        end = max(number * gap, heapq.heappop(free)) + length
        heapq.heappush(free, end)
        found.append(end - number * gap)
    return sorted(found)


def quantile(times: list[float], figure: str) -> float:
    if figure == "mean":
        return sum(times) / len(times)
    share = {"p50": 0.5, "p95": 0.95, "p99": 0.99, "p999": 0.999}[figure]
    return times[min(len(times) - 1, int(share * len(times)))]


class Runs:
    """Runs one after another, and the rows of the table that they make."""

    def __init__(self, url: str, folder: Path, seconds: float):
        self.url = url
        self.folder = folder
        self.seconds = seconds
        self.number = 0
        self.wrong: list[str] = []

    def run(self, name: str, options: str, disturbance, under: list[str], java: list[str], own: str | None) -> None:
        self.number += 1
        url = own or self.url
        port = int(url.split(":")[2].split("/")[0])
        out = self.folder / str(self.number)
        capture = self.folder / f"{self.number}.pcap"
        with subprocess.Popen(["tcpdump", "-i", "lo", "-s", "96", "-B", "32768", "--time-stamp-precision=nano", "-w", capture, f"tcp port {port}"],
                              stderr=subprocess.PIPE, text=True) as dump:
            dump.stderr.readline()
            command = [*under, faults.JAVA, *java, "-jar", str(faults.JAR), "run", "--url", url, "--get", "/", "--out", str(out),
                       "--phases", f"warmup=1 for 2s,peak=1 for {self.seconds}s", *options.split()]
            with contextlib.ExitStack() as stack, subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as client:
                for line in client.stdout:
                    if line.startswith("PEAK phase: All threads"):
                        stack.enter_context(disturbance())
                        if name.startswith("stopped"):
                            threading.Thread(target=stop_often, args=(client, self.seconds), daemon=True).start()
            time.sleep(0.3)
            dump.terminate()
        result = json.loads((out / "result.json").read_text())
        phase = result["phases"][1]
        begin = datetime.datetime.fromisoformat(phase["startedAt"].replace("Z", "+00:00")[:26].rstrip("+") + "+00:00").timestamp()
        self.row(name, "events" if EVENTS in options else "threads", phase, responses(wire(capture, port, begin, begin + phase["wallSeconds"]), options),
                 result["verdict"], disturbance is NONE and not under and not java and not name.startswith("stopped"))

    def row(self, name: str, engine: str, phase: dict, truth: list[float], verdict: dict, clean: bool) -> None:
        shares = phase["clientShare"]
        most = 0.0
        for figure in FIGURES:
            value, bound = phase["response"][figure + "Ms"], shares[figure + "Percent"]
            if value is None or bound is None:
                continue
            true = quantile(truth, figure)
            own = max(0.0, 100 * (value - true) / value)
            most = max(most, 100 * (value - true - COMPUTING_MS) / value)
            low = own > bound + TOLERANCE and value * (1 - bound / 100) - true > COMPUTING_MS
            if low:
                self.wrong.append(f"{name} {engine} {figure}: bound {bound:.0f} %, true {own:.0f} %")
            print(f"| {name} | {engine} | {figure} | {value:.3f} | {true:.3f} | {own:.0f} | {bound:.0f}{' !' if low else ''} | {verdict['status']} |",
                  flush=True)
        if clean and verdict["status"] != "VALID" or not clean and most > 10 and verdict["status"] == "VALID":
            self.wrong.append(f"{name} {engine}: {verdict['status']} {' '.join(verdict['reasons'])}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=["clean", "disturbed"])
    parser.add_argument("--repeats", type=int, default=1, help="of clean runs")
    parser.add_argument("--names", default="", help="of runs, separated by commas")
    parser.add_argument("--seconds", type=float, default=4)
    options = parser.parse_args()
    chosen = [name.strip() for name in options.names.split(",") if name]
    with tempfile.TemporaryDirectory() as folder, faults.target() as url:
        runs = Runs(url, Path(folder), options.seconds)
        print("| disturbance | engine | figure | response, ms | truth, ms | true share, % | bound, % | verdict |\n|---|---|---|---|---|---|---|---|")
        for name, load in CLEAN.items() if options.only != "disturbed" else ():
            for _ in range(options.repeats if not chosen or name in chosen else 0):
                runs.run("clean: " + name, load, NONE, [], [], None)
        for name, load, disturbance, under, java, own in DISTURBED if options.only != "clean" else ():
            if chosen and name not in chosen:
                continue
            with contextlib.ExitStack() as stack:
                server = stack.enter_context(worker()) if own else None
                try:
                    words = stack.enter_context(faults.control_group(0.2)) if under is None else under
                except faults.Impossible as why:
                    print(f"skipped {name}: {why}", flush=True)
                    continue
                runs.run(name, load, disturbance, words, java, server)
    print(f"{runs.number} runs; wrong: {'; '.join(runs.wrong) or 'none'}")
    return 1 if runs.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
