"""Packages of Debian 13 for both architectures, whatever this machine has: apt-get with a configuration of its own."""

from __future__ import annotations

import functools
import hashlib
import os
import re
import shutil
import ssl
import struct
import subprocess
from pathlib import Path

from files import EPOCH, PackageError, tree

CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "phaseload-packages"
_KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"
JDK = 25
ARCHITECTURES = ("amd64", "arm64")

BASE = tuple(
    # For --png, Java2D needs those from libjpeg62-turbo on.
    """base-files ca-certificates libc6 libgcc-s1 libstdc++6 zlib1g busybox-static
    libjpeg62-turbo liblcms2-2 libfreetype6 libpng16-16t64 libbz2-1.0 libbrotli1 libharfbuzz0b libgraphite2-3
    libglib2.0-0t64 libpcre2-8-0 libfontconfig1 libexpat1 fontconfig-config libatomic1 fonts-dejavu-core""".split()
)
"""The packages of the image. Java's own libraries need no other."""


def _apt(*words: str, cwd: Path | None = None) -> str:
    done = subprocess.run(
        list(words),
        text=True,
        capture_output=True,
        check=False,
        cwd=cwd,
        env={**os.environ, "APT_CONFIG": str(CACHE / "apt.conf")},
    )
    if done.returncode:
        raise PackageError(f"{' '.join(words[:2])} failed: {done.stderr.strip()}")
    return done.stdout


_UNUSED = (
    """usr/share/doc-base usr/share/lintian usr/share/man usr/share/locale usr/share/info usr/share/bug usr/share/gdb
    usr/share/initramfs-tools usr/share/ca-certificates usr/share/base-files usr/share/apport usr/lib/*/gconv
    var/cache var/log var/mail var/spool media mnt opt srv boot home""".split()
)
"""Folders of these packages without which everything runs."""


def _archives() -> list[str]:
    """The addresses of Debian's archive and of its security updates: PHASELOAD_DEBIAN's, or those that apt uses here."""
    archive = os.environ.get("PHASELOAD_DEBIAN", "").rstrip("/")
    if archive:
        return [archive, archive + "-security"]
    done = subprocess.run(
        ["apt-get", "indextargets", "--format", "$(REPO_URI)"], text=True, capture_output=True, check=False
    )
    found = [
        next((uri for uri in done.stdout.split() if uri.endswith(end)), None)
        for end in ("/debian/", "/debian-security/")
    ]
    if None in found:
        raise PackageError(
            "this machine isn't Debian's: PHASELOAD_DEBIAN needs the address of a folder named debian,"
            " with debian-security beside it"
        )
    return found


@functools.cache
def _update() -> None:
    """Reads the lists of packages."""
    if not shutil.which("apt-get") or not Path(_KEYRING).is_file():
        raise PackageError("Debian's packages need apt-get and debian-archive-keyring")
    for folder in ("lists/partial", "cache/archives/partial", "debs"):
        (CACHE / folder).mkdir(parents=True, exist_ok=True)
    (CACHE / "status").touch()
    (CACHE / "sources.list").write_text(
        "".join(
            f"deb [signed-by={_KEYRING}] {archive} {suite} main\n"
            for archive, suite in zip(_archives(), ("trixie", "trixie-security"))
        )
    )
    (CACHE / "apt.conf").write_text(f"""\
Dir::State "{CACHE}"; Dir::State::lists "{CACHE}/lists"; Dir::State::status "{CACHE}/status";
Dir::Cache "{CACHE}/cache";
Dir::Etc::sourcelist "{CACHE}/sources.list"; Dir::Etc::sourceparts "-"; Dir::Etc::parts "-"; Acquire::Languages "none";
APT::Architecture "amd64"; APT::Architectures {{ {' '.join(f'"{each}";' for each in ARCHITECTURES)} }};
APT::Sandbox::User "root";
""")
    _apt("apt-get", "update", "-q")


def fetch(names: tuple[str, ...], architecture: str) -> list[Path]:
    """The newest packages of these names; those that the cache has aren't downloaded again."""
    _update()
    download = ("apt-get", "download", "-q", "-o", f"APT::Architecture={architecture}")
    lines = _apt(*download, "--print-uris", *names).splitlines()
    files = []
    for line in lines:
        found = re.match(r"'[^']+' (\S+) \d+ SHA256:(\w+)", line)
        if found:
            files.append((CACHE / "debs" / found[1], found[2]))
    missing = [
        file for file, digest in files if not file.is_file() or hashlib.sha256(file.read_bytes()).hexdigest() != digest
    ]
    if missing:
        for old in (old for file in missing for old in file.parent.glob(f"{_name(file)}_*_{architecture}.deb")):
            old.unlink()
        _apt(*download, *map(_name, missing), cwd=CACHE / "debs")
    return sorted(file for file, _ in files)


def _name(deb: Path) -> str:
    return deb.name.split("_")[0]


def unpack(debs: list[Path], folder: Path) -> None:
    for deb in debs:
        subprocess.run(["dpkg-deb", "-x", deb, folder], check=True)


def jdk(architecture: str) -> Path:
    """A root with a JDK's files, and all that they need to run if the architecture is this machine's."""
    names = (f"openjdk-{JDK}-jdk-headless", f"openjdk-{JDK}-jre-headless")
    debs = fetch(names, architecture)
    folder = CACHE / "jdks" / debs[0].stem
    if not folder.is_dir():
        for old in folder.parent.glob(f"*_{architecture}"):
            shutil.rmtree(old)
        work = folder.with_suffix(".new")
        shutil.rmtree(work, ignore_errors=True)
        base(architecture, work)
        unpack(debs, work)
        work.rename(folder)
    return folder


def base(architecture: str, folder: Path) -> None:
    """A system without a package manager: libraries, certificates, a font, and busybox for a shell and tar."""
    folder.mkdir(parents=True)
    for name in ("bin", "lib", "sbin", *(["lib64"] if architecture == "amd64" else [])):
        (folder / "usr" / name).mkdir(parents=True)
        (folder / name).symlink_to(f"usr/{name}")
    debs = fetch(BASE, architecture)
    unpack(debs, folder)
    # Scanners read the versions of packages there, as in other images without dpkg.
    status = folder / "var" / "lib" / "dpkg" / "status.d"
    status.mkdir(parents=True)
    for deb in debs:
        (status / _name(deb)).write_text(
            subprocess.run(["dpkg-deb", "-f", deb], text=True, capture_output=True, check=True).stdout
        )
    authorities = sorted((folder / "usr/share/ca-certificates").rglob("*.crt"))
    pem = "".join(file.read_text() for file in authorities)
    (folder / "etc/ssl/certs").mkdir(parents=True, exist_ok=True)
    (folder / "etc/ssl/certs/ca-certificates.crt").write_text(pem)
    (folder / "etc/ssl/certs/java").mkdir()
    (folder / "etc/ssl/certs/java/cacerts").write_bytes(key_store(pem))
    for unused in _UNUSED:
        for path in folder.glob(unused):
            shutil.rmtree(path)
    for path in tree(folder / "usr/share/doc"):
        if path.is_file() and path.name != "copyright" or path.is_symlink():
            path.unlink()
    for command in ("sh", "cat", "env", "ls", "sleep", "tar"):
        (folder / "usr/bin" / command).unlink(missing_ok=True)
        (folder / "usr/bin" / command).symlink_to("busybox")


def key_store(pem: str) -> bytes:
    """A key store of Java with these certificates. Its password is Java's: changeit."""
    blocks = re.findall(r"-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----", pem, re.S)
    store = struct.pack(">III", 0xFEEDFEED, 2, len(blocks))
    for number, block in enumerate(blocks):
        der = ssl.PEM_cert_to_DER_cert(block)
        alias = f"authority{number}".encode()
        store += struct.pack(">IH", 2, len(alias)) + alias + struct.pack(">Q", EPOCH * 1000)
        store += struct.pack(">H", 5) + b"X.509" + struct.pack(">I", len(der)) + der
    return store + hashlib.sha1("changeit".encode("utf-16-be") + b"Mighty Aphrodite" + store).digest()
