"""Where a missing program comes from, and how to get it when asked to."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Union

CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "phaseload-bench"
"""Where programs go that are not installed for the whole system."""
BIN = CACHE / "bin"


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
    """A program that Go builds into the cache folder."""

    name: str
    path: str
    version: str

    @property
    def hint(self) -> str:
        return ("" if shutil.which("go") else "apt-get install -y golang-go; ") + _hint(self.name)

    def install(self) -> None:
        """As a dependency: `go install` also wants the list of all versions, which not every proxy has of each module. Of a
        module that says no Go version, Go reads what all dependencies ever depended on."""
        BIN.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "go.mod").write_text(f"module bench\n\ngo 1.17\n\nrequire {self.path} {self.version}\n", encoding="utf-8")
            _call(["go", "-C", folder, "build", "-mod=mod", "-o", str(BIN / self.name), self.path])


@dataclass(frozen=True)
class Crate:
    """A program that `cargo install` builds into the cache folder."""

    name: str
    version: str

    @property
    def hint(self) -> str:
        cargo = "" if shutil.which("cargo") else "apt-get install -y cargo; "
        return f"{cargo}cargo install {self.name} --version {self.version} --locked --root {CACHE}"

    def install(self) -> None:
        CACHE.mkdir(parents=True, exist_ok=True)
        _call(["cargo", "install", self.name, "--version", self.version, "--locked", "--root", str(CACHE)])


@dataclass(frozen=True)
class MavenArtifacts:
    """The dependencies of a pom as a folder of jars in the cache folder, with what else a program needs."""

    pom: Path
    """The folder it is in, whose name is the program's."""
    unpacked: str = ""
    """The artifact whose jar is files to be unpacked."""
    folders: tuple[str, ...] = ()
    """Empty folders that it needs."""
    compiled: Path | None = None
    """A source that is compiled against the jars."""

    @property
    def version(self) -> str:
        return re.search("<version>(.+?)</version>", (self.pom / "pom.xml").read_text(encoding="utf-8")).group(1)

    @property
    def folder(self) -> Path:
        # What was compiled of an earlier source isn't this one's.
        source = f"-{zlib.crc32(self.compiled.read_bytes()):08x}" if self.compiled else ""
        return CACHE / f"{self.pom.name}-{self.version}{source}"

    @property
    def installed(self) -> bool:
        return self.folder.is_dir()

    @property
    def hint(self) -> str:
        return ("" if shutil.which("mvn") else "apt-get install -y maven; ") + _hint(self.pom.name)

    def install(self) -> None:
        """All of it or nothing: the folder gets its name once it is complete."""
        CACHE.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=CACHE) as temporary:
            made = Path(temporary, "made")
            _call(["mvn", "-B", "-q", "-f", str(self.pom / "pom.xml"), "dependency:copy-dependencies",
                   f"-DoutputDirectory={made / 'lib'}"])
            for jar in made.glob(f"lib/{self.unpacked}-*.jar") if self.unpacked else ():
                shutil.unpack_archive(jar, made, "zip")
            for folder in self.folders:
                (made / folder).mkdir(parents=True)
            if self.compiled:
                _call(["javac", "-cp", f"{made}/lib/*", "-d", str(made / "classes"), str(self.compiled)])
            made.rename(self.folder)


@dataclass(frozen=True)
class PythonPackage:
    """A program of the Python Package Index, in an environment of its own in the cache folder."""

    name: str
    version: str

    @property
    def program(self) -> Path:
        return CACHE / f"{self.name}-{self.version}" / "bin" / self.name

    @property
    def hint(self) -> str:
        return _hint(self.name)

    def install(self) -> None:
        environment = self.program.parents[1]
        _call([sys.executable, "-m", "venv", "--clear", str(environment)])
        _call([str(environment / "bin" / "pip"), "install", "-q", f"{self.name}=={self.version}"])


Package = Union[AptPackage, GoModule, Crate, MavenArtifacts, PythonPackage]


def find_program(name: str) -> str:
    """The program on PATH, or the one in the cache folder; empty if there is neither."""
    return shutil.which(name) or shutil.which(name, path=str(BIN)) or ""


def _hint(client: str) -> str:
    return f"scripts/bench/bench --install --clients {client}"


def _as_root(command: list[str]) -> list[str]:
    return command if os.geteuid() == 0 else ["sudo", *command]


def _call(command: list[str], **environment: str) -> None:
    try:
        subprocess.run(command, stdin=subprocess.DEVNULL, stdout=sys.stderr, env={**os.environ, **environment},
                       check=True)
    except (OSError, subprocess.CalledProcessError) as e:
        raise InstallFailed(f"could not install: {e}") from e
