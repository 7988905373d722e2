"""nginx as the server under load: one worker on a core of its own, loopback only, with its own request counter."""

from __future__ import annotations

import grp
import http.client
import os
import pwd
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path

import journey
import machine
from cases import GET, Case
from install import AptPackage

BODY = "alive"
START_SECONDS = 10
STOP_SECONDS = 5

CONFIGURATION = """\
{user}
daemon off;
worker_processes 1;
worker_rlimit_nofile {files};
pid {folder}/nginx.pid;
error_log {folder}/error.log warn;
events {{ worker_connections {connections}; }}
http {{
    access_log off;
    keepalive_requests 1000000000;
    keepalive_timeout 1h;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    open_file_cache max=1;
    server {{
        listen 127.0.0.1:{http} backlog=4096;
        listen 127.0.0.1:{h2c} backlog=4096 http2;
{tls}
        default_type text/plain;
        location = / {{ return 200 "{body}"; }}
        location = /post {{ return 200 "{body}"; }}
        location = /64k {{ root {folder}/files; }}
        location = /stub {{ stub_status; }}
{journey}
    }}
}}
"""

TLS = """\
        listen 127.0.0.1:{https} backlog=4096 ssl;
        listen 127.0.0.1:{h2} backlog=4096 ssl http2;
        ssl_certificate {folder}/certificate.pem;
        ssl_certificate_key {folder}/key.pem;
"""


class ServerFailed(Exception):
    """nginx did not start, or stopped answering."""


@dataclass(frozen=True)
class Served:
    """What nginx has counted since it started, without what the bench itself asked for."""

    requests: int
    connections: int


class Nginx:
    """An nginx of the bench's own; a context manager that stops it on every way out."""

    package = AptPackage("nginx", service="nginx")

    def __init__(self, core: int, connections: int):
        self._core = core
        self._connections = connections
        self._scrapes = 0

    @staticmethod
    def missing() -> str:
        """Why nginx cannot run, and how to install it; empty if it can."""
        return "" if _program() else f"nginx is not installed: {Nginx.package.hint}"

    def url(self, case: Case = GET) -> str:
        scheme = "https" if case.tls else "http"
        return f"{scheme}://127.0.0.1:{self._ports[case.protocol]}{case.path}"

    def cannot(self, case: Case) -> str:
        """Why it cannot serve a case; empty if it can."""
        return "" if case.protocol in self._ports else "no openssl for a certificate: apt-get install -y openssl"

    @property
    def pid(self) -> int:
        return self._process.pid

    def __enter__(self) -> Nginx:
        with ExitStack() as opened:
            self._folder = Path(opened.enter_context(tempfile.TemporaryDirectory(prefix="phaseload-bench-")))
            self._process = self._start()
            opened.callback(_stop, self._process)
            self._await_listening()
            self._scraper = http.client.HTTPConnection("127.0.0.1", self._ports["http"], timeout=30)
            opened.callback(self._scraper.close)
            self._scraper.connect()
            self._opened = opened.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._opened.close()

    def served(self) -> Served:
        """The counters now. Asked over one kept connection, so that each call is one request to subtract."""
        if self._process.poll() is not None:
            raise ServerFailed(f"nginx has ended{self._last_error()}")
        try:
            self._scraper.request("GET", "/stub")
            page = self._scraper.getresponse().read().decode("ascii")
        except (OSError, http.client.HTTPException) as e:
            raise ServerFailed(f"nginx stopped answering: {e!r}{self._last_error()}") from e
        self._scrapes += 1
        connections, requests = parse_stub_status(page)
        return Served(requests - self._scrapes, connections - 1)

    def settled(self) -> Served:
        """The counters once they are stable: what clients sent just before they ended is still being counted."""
        deadline = time.monotonic() + 2
        before = self.served()
        while time.monotonic() < deadline:
            time.sleep(0.05)
            now = self.served()
            if now == before:
                break
            before = now
        return before

    def describe(self) -> str:
        version = machine.output([_program(), "-v"]).partition("nginx/")[2].partition(" ")[0]
        return f"nginx {version}, 1 worker, keep-alive, no access log"

    def _start(self) -> subprocess.Popen[bytes]:
        tls = self._make_certificate()
        self._ports = free_ports(["http", "h2c", *(["https", "h2"] if tls else [])])
        self._folder.chmod(0o711)  # for the worker, who is nobody
        files = self._folder / "files"
        files.mkdir(mode=0o755)
        (files / "64k").write_bytes(b"x" * 65_536)
        configuration = self._folder / "nginx.conf"
        configuration.write_text(CONFIGURATION.format(
            user=_worker_user(), journey=journey.LOCATIONS, folder=self._folder, body=BODY, **self._ports,
            tls=TLS.format(folder=self._folder, **self._ports) if tls else "",
            connections=2 * self._connections + 64, files=2 * self._connections + 128))
        with open(self._folder / "stderr", "wb") as stderr:
            return subprocess.Popen(
                ["taskset", "-c", str(self._core), _program(), "-p", str(self._folder), "-c", str(configuration)],
                stdin=subprocess.DEVNULL, stdout=stderr, stderr=stderr, start_new_session=True)

    def _make_certificate(self) -> bool:
        """A certificate of this run's own, which nobody trusts; whether there is one."""
        made = subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1",
             "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost",
             "-keyout", self._folder / "key.pem", "-out", self._folder / "certificate.pem"],
            stdin=subprocess.DEVNULL, capture_output=True, check=False) if shutil.which("openssl") else None
        return made is not None and made.returncode == 0

    def _await_listening(self) -> None:
        """Waits for the pid file, which nginx writes once it listens: no probe of the port has to be subtracted."""
        deadline = time.monotonic() + START_SECONDS
        while self._process.poll() is None and time.monotonic() < deadline:
            if (self._folder / "nginx.pid").exists():
                return
            time.sleep(0.02)
        raise ServerFailed(f"nginx did not start{self._last_error()}")

    def _last_error(self) -> str:
        for name in ("error.log", "stderr"):
            file = self._folder / name
            lines = file.read_text(errors="replace").splitlines() if file.exists() else []
            if lines:
                return f": {lines[-1]}"
        return ""


def parse_stub_status(page: str) -> tuple[int, int]:
    """Connections accepted and requests received, of a stub_status page."""
    counters = re.search(r"^\s*(\d+)\s+\d+\s+(\d+)\s*$", page, re.MULTILINE)
    if not counters:
        raise ServerFailed(f"not a stub_status page: {page[:80]!r}")
    return int(counters.group(1)), int(counters.group(2))


def free_ports(names: Sequence[str]) -> dict[str, int]:
    """A port for each, none of them in use."""
    with ExitStack() as held:
        sockets = [held.enter_context(socket.socket()) for _ in names]
        for free in sockets:
            free.bind(("127.0.0.1", 0))
        return {name: free.getsockname()[1] for name, free in zip(names, sockets)}


def _stop(process: subprocess.Popen[bytes]) -> None:
    """Ends nginx, also a worker whose master is gone."""
    process.terminate()
    with suppress(subprocess.TimeoutExpired):
        process.wait(STOP_SECONDS)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _program() -> str:
    """nginx, also where PATH has no sbin; empty if there is none."""
    return shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin") or ""


def _worker_user() -> str:
    """The directive that makes root's nginx work as nobody; anyone else's works as that user without it."""
    if os.geteuid() != 0:
        return ""
    nobody = pwd.getpwnam("nobody")
    return f"user {nobody.pw_name} {grp.getgrgid(nobody.pw_gid).gr_name};"
