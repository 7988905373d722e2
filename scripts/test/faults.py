"""What tests of whole runs need: the target in a process of its own, other servers, and what can go wrong with a machine."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import shutil
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(1, str(ROOT / "scripts" / "lib"))

import tunnels
from namespaces import Impossible

JAR = ROOT / "client" / "cli" / "target" / "phaseload.jar"
JAVA = str(Path(os.environ["JAVA_HOME"], "bin", "java")) if "JAVA_HOME" in os.environ else "java"
SHORT = (JAVA, "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
"""A JVM for seconds, of whose work compiling would be most. Its figures of time say less than others."""
OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

Answer = Callable[[int, float], Awaitable[bytes]]
"""Makes a response: of the how-many-eth request, so many seconds after the server's start."""


@contextlib.contextmanager
def java(*words: str, under: list[str] = ()) -> Iterator[str]:
    """The address of a server in a JVM of its own, which prints it."""
    with subprocess.Popen([*under, JAVA, *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            for line in process.stdout:
                if found := re.search(r"http://\S+", line):
                    yield found.group().rstrip(".,")
                    break
            else:
                raise Impossible(f"{words}: it doesn't start")
        finally:
            process.terminate()


@contextlib.contextmanager
def target(*options: str, under: list[str] = ()) -> Iterator[str]:
    """The address of Phaseload's own target."""
    with java("-jar", str(JAR), "serve", "--port", "0", *options, under=under) as url:
        yield url


@contextlib.contextmanager
def busy_loops(number: int, under: list[str] = ()) -> Iterator[None]:
    """They end by themselves should this script be killed."""
    loops = [subprocess.Popen(["timeout", "60", *under, "sh", "-c", "while :; do :; done"]) for _ in range(number)]
    try:
        yield
    finally:
        for loop in loops:
            loop.terminate()
        for loop in loops:
            loop.wait()


@contextlib.contextmanager
def control_group(cpus: float) -> Iterator[list[str]]:
    """Words that start a command in a control group with so many CPUs, of version 1 or 2."""
    for root in (Path("/sys/fs/cgroup/cpu"), Path("/sys/fs/cgroup")):
        group = root / f"phaseload-test-{os.getpid()}"
        try:
            group.mkdir()
        except OSError:
            continue
        try:
            for name, text in (("cpu.cfs_quota_us", f"{int(cpus * 100_000)}"), ("cpu.max", f"{int(cpus * 100_000)} 100000")):
                if (group / name).exists():
                    (group / name).write_text(text)
                    yield ["sh", "-c", f'echo $$ > {group}/cgroup.procs && exec "$@"', "sh"]
                    return
        finally:
            for _ in range(100):
                # Until what was started in it has ended.
                with contextlib.suppress(OSError):
                    group.rmdir()
                    break
                time.sleep(0.1)
    raise Impossible("no control group can be made")


@contextlib.contextmanager
def network(*commands: str) -> Iterator[list[str]]:
    """Words that start a command in a network of its own, which has only a loopback."""
    name = f"phaseload-{os.getpid()}"
    inside = ["ip", "netns", "exec", name]
    environment = {**os.environ, "PATH": os.environ["PATH"] + ":/usr/sbin:/sbin"}

    def shell(command: str, where: list[str]) -> None:
        done = subprocess.run([*where, "sh", "-c", command], env=environment, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise Impossible(f"{command}: {done.stderr.strip()}")

    os.environ["PATH"] = environment["PATH"]
    shell(f"ip netns add {name}", [])
    try:
        for command in ("ip link set lo up", *commands):
            shell(command, inside)
        yield inside
    finally:
        subprocess.run(["ip", "netns", "delete", name], env=environment, check=False)


@contextlib.contextmanager
def delays(inside: list[str], seconds: Callable[[], float]) -> Iterator[str]:
    """An address that leads back to the network itself, but each packet takes its time.

    A packet comes back with its addresses swapped, which leaves checksums right.
    """
    def back(end: int, packet: bytes) -> tunnels.Passed:
        return tunnels.Passed(end, seconds(), packet[:12] + packet[16:20] + packet[12:16] + packet[20:])

    with tunnels.tunnel(inside, "ip address add 10.99.0.1/24 dev slow") as end, tunnels.carried(back, end):
        yield "10.99.0.2"


@contextlib.contextmanager
def asymmetric(here: list[str], there: list[str], addresses: tuple[str, str], seconds: tuple[float, float]) -> Iterator[None]:
    """A route between two networks whose addresses know each other already, now with so many seconds there and back."""
    def to(address: str) -> tuple[str, str]:
        return "ip link set slow up", f"ip route add {address}/32 dev slow"

    with tunnels.tunnel(here, *to(addresses[1])) as one, tunnels.tunnel(there, *to(addresses[0])) as other:
        with tunnels.carried(tunnels.between(one, other, *seconds), one, other):
            yield


@contextlib.contextmanager
def own_files(**contents: str) -> Iterator[list[str]]:
    """Words that start a command for which files of /etc have other contents."""
    folder = Path(f"/tmp/phaseload-files-{os.getpid()}")
    folder.mkdir()
    binds = []
    try:
        for name, text in contents.items():
            (folder / name).write_text(text)
            binds.append(f"mount --bind {folder / name} /etc/{name.replace('_', '.')}")
        yield ["unshare", "-m", "sh", "-c", " && ".join([*binds, 'exec "$@"']), "sh"]
    finally:
        shutil.rmtree(folder)


def free_port() -> int:
    with socket.socket() as any_port:
        any_port.bind(("127.0.0.1", 0))
        return any_port.getsockname()[1]


@contextlib.contextmanager
def nginx(http: str, server: str, events: str = "worker_connections 1024;", tls: str = "", under: list[str] = ()) -> Iterator[str]:
    """The address of an nginx with these directives; with TLS and a key of this kind, if one is given."""
    program = shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin:/sbin")
    if program is None:
        raise Impossible("no nginx")
    port = free_port()
    folder = Path(f"/tmp/phaseload-nginx-{os.getpid()}")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    listen = f"listen 127.0.0.1:{port} backlog=1024;"
    if tls:
        subprocess.run(["openssl", "req", "-x509", *tls.split(), "-nodes", "-days", "2", "-subj", "/CN=localhost",
                        "-keyout", folder / "key.pem", "-out", folder / "cert.pem"], check=True, capture_output=True)
        listen = f"listen 127.0.0.1:{port} ssl; ssl_certificate {folder}/cert.pem; ssl_certificate_key {folder}/key.pem;"
    places = " ".join(f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    (folder / "nginx.conf").write_text(
        f"daemon off; master_process off; worker_processes 1; pid {folder}/pid; error_log {folder}/error.log crit;\n"
        f"events {{ {events} }}\n"
        f"http {{ access_log off; {places} keepalive_requests 1000000; {http}\n server {{ {listen} {server} }} }}\n")
    with subprocess.Popen([*under, program, "-p", folder, "-e", folder / "error.log", "-c", folder / "nginx.conf"],
                          stderr=subprocess.DEVNULL) as process:
        try:
            if under:
                # It may be in another network.
                time.sleep(0.5)
            else:
                wait_for(port)
            yield f"{'https' if tls else 'http'}://127.0.0.1:{port}/"
        finally:
            process.terminate()
            process.wait()
            shutil.rmtree(folder, ignore_errors=True)


def wait_for(port: int) -> None:
    for _ in range(100):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
            return
        time.sleep(0.05)
    raise Impossible(f"nothing listens on {port}")


@contextlib.contextmanager
def _listening(serve: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]) -> Iterator[int]:
    """The port of an event loop in a thread of its own."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()

    async def serve_to_the_end(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(asyncio.CancelledError):
            await serve(reader, writer)

    server = asyncio.run_coroutine_threadsafe(asyncio.start_server(serve_to_the_end, "127.0.0.1", 0, backlog=1024), loop).result()
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        asyncio.run_coroutine_threadsafe(_end(), loop)
        thread.join()


async def _end() -> None:
    """Of what still runs in this loop, and of the loop."""
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
    asyncio.get_running_loop().stop()


@contextlib.contextmanager
def script(answer: Answer) -> Iterator[str]:
    """The address of a server that answers as a function says."""
    start = time.monotonic()
    count = 0

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal count
        with contextlib.suppress(OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            while True:
                await reader.readuntil(b"\r\n\r\n")
                count += 1
                writer.write(await answer(count, time.monotonic() - start))
                await writer.drain()
        writer.close()

    with _listening(serve) as port:
        yield f"http://127.0.0.1:{port}/"


@contextlib.contextmanager
def forwarder(to: int, refuses_every: int) -> Iterator[int]:
    """The port of what forwards connections, but answers some of them with TLS's alert that the handshake failed."""
    count = 0

    async def copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(65_536):
                writer.write(data)
                await writer.drain()
        writer.close()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal count
        count += 1
        if count % refuses_every == 0:
            await reader.read(65_536)
            writer.write(b"\x15\x03\x03\x00\x02\x02\x28")
            writer.close()
            return
        there, back = await asyncio.open_connection("127.0.0.1", to)
        await asyncio.gather(copy(reader, back), copy(there, writer))

    with _listening(serve) as port:
        yield port


@contextlib.contextmanager
def name_server(address: str, seconds: float, only: str = "") -> Iterator[None]:
    """Answers every question for an address with 127.0.0.1, so much later; if only one name exists, says that the others don't."""
    existing = b"".join(bytes([len(label)]) + label.encode() for label in only.split(".")) + b"\0"

    def answer(question: bytes, peer: tuple[str, int]) -> None:
        end = question.index(b"\0", 12) + 5
        kind = struct.unpack(">H", question[end - 4:end - 2])[0]
        exists = not only or question[12:end - 4].lower() == existing
        found_one = exists and kind == 1
        head = question[:2] + struct.pack(">HHHHH", 0x8180 if exists else 0x8183, 1, 1 if found_one else 0, 0, 0)
        found = b"\xc0\x0c" + struct.pack(">HHIH", 1, 1, 0, 4) + socket.inet_aton("127.0.0.1") if found_one else b""
        with contextlib.suppress(OSError):
            server.sendto(head + question[12:end] + found, peer)

    over = threading.Event()

    def listen() -> None:
        while not over.is_set():
            with contextlib.suppress(TimeoutError):
                threading.Timer(seconds, answer, server.recvfrom(512)).start()

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server:
        try:
            server.bind((address, 53))
        except OSError as problem:
            raise Impossible(f"port 53 of {address}: {problem}") from problem
        server.settimeout(0.2)
        thread = threading.Thread(target=listen)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()
