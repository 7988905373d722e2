"""Files of a release, the same bytes from the same input: sorted names, one time, no owner."""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import re
import stat
import subprocess
import tarfile
import zipfile
from datetime import datetime, timezone
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_POM = (ROOT / "pom.xml").read_text(encoding="utf-8")


class PackageError(Exception):
    """A package that can't be made, in one line."""


def of_pom(pattern: str, default: str = "") -> str:
    """The text of the first match in the root's pom.xml."""
    found = re.search(pattern, _POM, re.S)
    return found[1].strip() if found else default


VERSION = of_pom(r"<artifactId>phaseload-parent</artifactId>\s*<version>([^<]+)<")
URL = of_pom(r"\n  <url>([^<]+)</url>")
"""Empty if the pom has none."""
EPOCH = int(
    os.environ.get("SOURCE_DATE_EPOCH")
    or datetime.strptime(of_pom(r"<project.build.outputTimestamp>([^<]+)<"), "%Y-%m-%dT%H:%M:%SZ")
    .replace(tzinfo=timezone.utc)
    .timestamp()
)
CREATED = datetime.fromtimestamp(EPOCH, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def revision() -> str:
    """The commit that is built; empty outside a repository."""
    done = subprocess.run(["git", "-C", ROOT, "rev-parse", "HEAD"], text=True, capture_output=True, check=False)
    return done.stdout.strip()


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def tree(folder: Path) -> list[Path]:
    """All files and folders below a folder, sorted, without following links."""
    found = []
    for path in sorted(folder.iterdir()):
        found.append(path)
        if path.is_dir() and not path.is_symlink():
            found += tree(path)
    return found


def age(folder: Path) -> None:
    """Gives all files the time of the release: archives of classes remember the times of their jars."""
    for path in tree(folder):
        os.utime(path, (EPOCH, EPOCH), follow_symlinks=False)


def tar(folder: Path, prefix: str = "", owners: dict[str, int] | None = None) -> bytes:
    """
    An archive of a folder's content, owned by root.

    :param prefix: the start of every name, such as "phaseload/"
    :param owners: users of files by their names
    """
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for path in tree(folder):
            name = prefix + path.relative_to(folder).as_posix()
            info = archive.gettarinfo(path, name)
            info.uid = info.gid = (owners or {}).get(name, 0)
            info.uname = info.gname = ""
            info.mtime = EPOCH
            if info.isreg():
                with path.open("rb") as content:
                    archive.addfile(info, content)
            else:
                archive.addfile(info)
    return buffer.getvalue()


def gzipped(data: bytes, level: int) -> bytes:
    return gzip.compress(data, level, mtime=0)


def zipped(folder: Path, prefix: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path in tree(folder):
            if path.is_file():
                info = zipfile.ZipInfo(
                    prefix + path.relative_to(folder).as_posix(),
                    datetime.fromtimestamp(EPOCH, timezone.utc).timetuple()[:6],
                )
                info.external_attr = stat.S_IMODE(path.stat().st_mode) << 16
                info.compress_type = zipfile.ZIP_DEFLATED
                archive.writestr(info, path.read_bytes(), compresslevel=9)
    return buffer.getvalue()
