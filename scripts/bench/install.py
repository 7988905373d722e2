"""Where a missing program comes from, and how to get it when asked to."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "phaseload-bench"
"""Where programs go that are not installed for the whole system."""


class InstallFailed(Exception):
    """An installer could not be run or reported failure."""


@dataclass(frozen=True)
class AptPackage:
    """A package of Debian or Ubuntu."""

    name: str
    service: str = ""
    """The service that Debian starts along with it, which the bench does not want."""

    @property
    def hint(self) -> str:
        return f"apt-get install -y {self.name}"

    def install(self) -> None:
        """Installs it, as root or with sudo. A service that comes with it is stopped and not started at boot."""
        _call(_as_root(["apt-get", "update", "-q"]))
        _call(_as_root(["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "install", "-y", "-q", self.name]))
        if self.service and Path("/run/systemd/system").is_dir():
            _call(_as_root(["systemctl", "disable", "--now", self.service]))
        elif self.service and shutil.which("service"):
            # Fails where the service never started, which is what is wanted.
            subprocess.run(_as_root(["service", self.service, "stop"]), stdout=sys.stderr, check=False)


@dataclass(frozen=True)
class GoModule:
    """A program that `go install` builds into the cache folder."""

    path: str

    @property
    def hint(self) -> str:
        go = "" if shutil.which("go") else "apt-get install -y golang-go; "
        return f"{go}GOBIN={CACHE} go install {self.path}@latest"

    def install(self) -> None:
        CACHE.mkdir(parents=True, exist_ok=True)
        _call(["go", "install", f"{self.path}@latest"], GOBIN=str(CACHE))


def find_program(name: str) -> str:
    """The program on PATH, or the one in the cache folder; empty if there is neither."""
    return shutil.which(name) or shutil.which(name, path=str(CACHE)) or ""


def _as_root(command: list[str]) -> list[str]:
    return command if os.geteuid() == 0 else ["sudo", *command]


def _call(command: list[str], **environment: str) -> None:
    try:
        subprocess.run(command, stdin=subprocess.DEVNULL, stdout=sys.stderr, env={**os.environ, **environment},
                       check=True)
    except (OSError, subprocess.CalledProcessError) as e:
        raise InstallFailed(f"could not install: {e}") from e
