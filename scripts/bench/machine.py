"""This machine: its cores, its description, the JDKs on it and the repository the bench belongs to."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Cores:
    """Which core the clients run on, which the server, and what is wrong with that."""

    client: int
    server: int
    warnings: tuple[str, ...] = ()


def choose_cores() -> Cores:
    """The first and the last core this process may use."""
    allowed = sorted(os.sched_getaffinity(0))
    client, server = allowed[0], allowed[-1]
    if client == server:
        return Cores(client, server, ("only one core: client and server share it, so each disturbs the other",))
    siblings = _read(f"/sys/devices/system/cpu/cpu{client}/topology/thread_siblings_list")
    if server in parse_cpu_list(siblings):
        return Cores(client, server, (f"cores {client} and {server} are two threads of one physical core: "
                                      "client and server slow each other down",))
    return Cores(client, server)


def parse_cpu_list(text: str) -> set[int]:
    """The cores of a list such as "0,4" or "0-1"."""
    cores: set[int] = set()
    for first, last in re.findall(r"(\d+)(?:-(\d+))?", text):
        cores.update(range(int(first), int(last or first) + 1))
    return cores


def describe(cores: Cores) -> dict[str, object]:
    model = re.search(r"^model name\s*:\s*(.+)$", _read("/proc/cpuinfo"), re.MULTILINE)
    return {
        "date": datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "commit": commit(),
        "cpu": model.group(1) if model else platform.machine(),
        "cores": os.cpu_count(),
        "kernel": f"{platform.system()} {platform.release()}",
        "clientCore": cores.client,
        "serverCore": cores.server,
    }


def commit() -> str:
    """The short commit of the repository, with a + when files differ from it; empty outside a repository."""
    described = output(["git", "-C", str(ROOT), "describe", "--always", "--exclude=*", "--dirty=+"])
    return described if re.fullmatch(r"[0-9a-f]+\+?", described) else ""


@dataclass(frozen=True)
class Jdk:
    """A Java installation."""

    home: Path
    version: str

    @property
    def major(self) -> int:
        return major_version(self.version)

    @property
    def java(self) -> Path:
        return self.home / "bin" / "java"


def major_version(version: str) -> int:
    """17 of "17.0.15", 8 of "1.8.0_402", 0 of nonsense."""
    match = re.match(r"(?:1\.)?(\d+)", version)
    return int(match.group(1)) if match else 0


def find_jdks() -> dict[int, Jdk]:
    """The JDKs of JAVA_HOME, PATH and /usr/lib/jvm, the first found of each major version."""
    candidates = []
    if os.environ.get("JAVA_HOME"):
        candidates.append(Path(os.environ["JAVA_HOME"]))
    on_path = shutil.which("java")
    if on_path:
        candidates.append(Path(on_path).resolve().parents[1])
    candidates += sorted(Path("/usr/lib/jvm").glob("*"))

    found: dict[int, Jdk] = {}
    for home in dict.fromkeys(candidate.resolve() for candidate in candidates):
        if os.access(home / "bin" / "java", os.X_OK):
            jdk = Jdk(home, _jdk_version(home))
            found.setdefault(jdk.major, jdk)
    return found


def _jdk_version(home: Path) -> str:
    release = re.search(r'^JAVA_VERSION="([^"]+)"', _read(home / "release"), re.MULTILINE)
    asked = release or re.search(r'version "([^"]+)"', output([str(home / "bin" / "java"), "-version"]))
    return asked.group(1) if asked else ""


def output(command: list[str]) -> str:
    """What a command prints on both streams; empty when it cannot run."""
    try:
        return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, errors="replace", timeout=30, check=False).stdout.strip()
    except (OSError, subprocess.TimeoutExpired):
        return ""


def _read(path: str | Path) -> str:
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
