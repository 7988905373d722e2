"""A package of Debian and its relatives, which runs with their Java."""

from __future__ import annotations

import gzip
import hashlib
import os
import shutil
import subprocess
import tempfile
from email.utils import formatdate
from pathlib import Path

import archive
from files import EPOCH, URL, VERSION, PackageError, age, of_pom, tree

_MAINTAINER = "{} <{}>".format(
    of_pom(r"<developer>.*?<name>([^<]+)<", "Phaseload"),
    of_pom(r"<developer>.*?<email>([^<]+)<", "phaseload@users.noreply.github.com"),
)


def version() -> str:
    """A snapshot comes before its release."""
    return VERSION.replace("-SNAPSHOT", "~snapshot").replace("-", "~")


def build(jar: bytes, out: Path, level: int) -> Path:
    """phaseload_VERSION_all.deb"""
    if not shutil.which("dpkg-deb"):
        raise PackageError("deb needs dpkg-deb: apt-get install dpkg")
    with tempfile.TemporaryDirectory() as work:
        root = Path(work) / "root"
        home = root / "usr" / "share" / "phaseload"
        archive.lay(home, archive.without_other_natives(jar, ("linux-x64", "linux-aarch64")))
        (root / "usr/bin").mkdir()
        (root / "usr/bin/phaseload").symlink_to("../share/phaseload/bin/phaseload")
        share = root / "usr" / "share"
        archive.add_share(home / "lib" / "phaseload.jar", share, zsh="zsh/vendor-completions", packed=True)
        doc = share / "doc" / "phaseload"
        doc.mkdir(parents=True)
        (home / "LICENSE").unlink()
        (doc / "copyright").write_text(f"""\
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Phaseload
{f"Source: {URL}{chr(10)}" if URL else ""}
Files: *
Copyright: 2026 the authors of Phaseload
License: Apache-2.0
 On Debian systems, the text of this license is in
 /usr/share/common-licenses/Apache-2.0. The notices of the libraries in
 /usr/share/phaseload/lib/phaseload.jar are in its META-INF/NOTICE.
""")
        (doc / "changelog.gz").write_bytes(gzip.compress((home / "CHANGELOG.md").read_bytes(), 9, mtime=0))
        (home / "CHANGELOG.md").unlink()
        news = f"""\
phaseload ({version()}) stable; urgency=medium

  * Version {VERSION}: see changelog.gz.

 -- {_MAINTAINER}  {formatdate(EPOCH)}
"""
        (doc / "changelog.Debian.gz").write_bytes(gzip.compress(news.encode(), 9, mtime=0))
        files = [path for path in tree(root) if path.is_file() and not path.is_symlink()]
        sums = "".join(f"{hashlib.md5(path.read_bytes()).hexdigest()}  {path.relative_to(root)}\n" for path in files)
        control = root / "DEBIAN"
        control.mkdir()
        (control / "md5sums").write_text(sums)
        (control / "control").write_text(f"""\
Package: phaseload
Version: {version()}
Architecture: all
Maintainer: {_MAINTAINER}
Installed-Size: {sum(path.stat().st_size for path in files) // 1024 + 1}
Depends: default-jre-headless (>= 2:1.17) | java17-runtime-headless
Section: web
Priority: optional
{f"Homepage: {URL}{chr(10)}" if URL else ""}Description: phased HTTP load client
 Phaseload sends load to an HTTP service in phases, with a number of users or
 at a rate, from one machine or from several. It reports throughput,
 percentiles and failures by cause, and whether the figures can be trusted.
""")
        for path in tree(root):
            if not path.is_symlink():
                path.chmod(0o755 if path.is_dir() or path.parent.name == "bin" else 0o644)
        age(root)
        file = out / f"phaseload_{version()}_all.deb"
        subprocess.run(
            ["dpkg-deb", "--root-owner-group", "-Zxz", f"-z{level}", "--build", root, file],
            check=True,
            stdout=subprocess.DEVNULL,
            env={**os.environ, "SOURCE_DATE_EPOCH": str(EPOCH)},
        )
        return file
