"""A Java runtime of the modules that Phaseload uses, made by jlink, and commands in a root of their own."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import tempfile
from pathlib import Path

import debian
from files import PackageError

PLATFORMS = {"linux-x64": "amd64", "linux-aarch64": "arm64"}
"""Those with a runtime, and Debian's names of their architectures."""

MODULES = tuple(
    # The last two aren't named by a class: bodies in Shift_JIS and others, and jar files as file systems.
    """java.base java.desktop java.instrument java.management java.naming java.net.http java.scripting java.security.jgss
    java.sql java.xml jdk.jfr jdk.management jdk.net jdk.unsupported jdk.charsets jdk.zipfs""".split()
)
"""What jdeps --print-module-deps prints for the jar, and what is found by name."""


def own_platform() -> str:
    machine = {"x86_64": "x64", "AMD64": "x64", "arm64": "aarch64"}.get(platform.machine(), platform.machine())
    return f"{ {'Linux': 'linux', 'Darwin': 'macos', 'Windows': 'windows'}[platform.system()] }-{machine}".replace(
        " ", ""
    )


def link(jlink: list[str], out: Path, modules: str = "") -> None:
    command = [
        *jlink,
        "--add-modules",
        ",".join(MODULES),
        "--output",
        str(out),
        "--no-header-files",
        "--no-man-pages",
        "--strip-java-debug-attributes",
        *(["--module-path", modules] if modules else []),
    ]
    try:
        done = subprocess.run(command, text=True, capture_output=True, check=False)
    except OSError as e:
        raise PackageError(f"jlink can't be started: {e}") from e
    if done.returncode:
        raise PackageError(f"jlink failed: {(done.stdout + done.stderr).strip()}")


def inside(root: Path, command: list[str], before: str = "", user: int = 0, net: bool = False) -> list[str]:
    """
    Words that run a command with a folder as its root, in namespaces of its own.

    :param before: shell commands that run first, outside; $1 is the root
    :param net: whether with a network of its own, too, which has a loopback alone
    """
    script = (
        before
        + ("\nip link set lo up" if net else "")
        + '\nmount -t proc proc "$1/proc"\nmount --rbind /dev "$1/dev"\n'
        + f'exec chroot {f"--userspec={user}:{user} " if user else ""}"$@"'
    )
    return [
        "unshare",
        *([] if os.geteuid() == 0 else ["--map-root-user"]),
        "--mount",
        "--pid",
        "--fork",
        "--kill-child",
        *(["--net"] if net else []),
        "sh",
        "-ec",
        script,
        "sh",
        str(root),
        *command,
    ]


def of_debian(platform_name: str, out: Path) -> None:
    """Debian's JDK of a platform, linked by the same version's jlink for this machine."""
    own = PLATFORMS.get(own_platform())
    if not own:
        raise PackageError("Debian's JDK needs Linux on x64 or aarch64")
    architecture = PLATFORMS[platform_name]
    tools = debian.jdk(own)
    for folder in ("proc", "dev", "target", "out"):
        (tools / folder).mkdir(exist_ok=True)
    home = f"usr/lib/jvm/java-{debian.JDK}-openjdk-"
    with tempfile.TemporaryDirectory(dir=tools / "out") as work:
        inner = "/" + str(Path(work).relative_to(tools)) + "/runtime"
        target = debian.jdk(architecture) if architecture != own else tools
        mount = f'mount --bind "{target}" "$1/target"'
        link(inside(tools, [f"/{home}{own}/bin/jlink"], mount), Path(inner), f"/target/{home}{architecture}/jmods")
        shutil.move(f"{work}/runtime", out)


def of_jdk(jdk: Path, out: Path, modules: str = "") -> None:
    link([str(jdk / "bin" / "jlink")], out, modules)
