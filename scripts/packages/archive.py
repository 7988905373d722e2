"""The folder in every package: a launcher, the jar, and for one platform its runtime and its archive of classes."""

from __future__ import annotations

import gzip
import io
import os
import re
import shutil
import subprocess
import tempfile
import zipfile
from pathlib import Path

import runtime
from files import ROOT, VERSION, PackageError, age, gzipped, tar, zipped

_HERE = Path(__file__).parent
_NATIVES = {
    "linux-x64": r"META-INF/native/.*_x86_64\.so|linux/amd64/.*",
    "linux-aarch64": r"META-INF/native/.*_aarch_64\.so|linux/aarch64/.*",
    "macos-x64": r"darwin/x86_64/.*",
    "macos-aarch64": r"darwin/aarch64/.*",
    "windows-x64": r"win/amd64/.*",
}
_NATIVE = re.compile(r"(META-INF/native|linux|darwin|win)/.+")
_TRAINING = ["run", "-c", "1", "-n", "1", "--phases", "peak=1", "--engine", "events", "--quiet", "--out"]


def without_other_natives(jar: bytes, platforms: tuple[str, ...]) -> bytes:
    """
    The jar with the native libraries of these platforms only, and uncompressed: packages compress it as a whole, to three
    quarters of its size, and classes load faster.
    """
    own = re.compile("|".join(_NATIVES[each] for each in platforms))
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(jar)) as source, zipfile.ZipFile(out, "w") as target:
        for info in source.infolist():
            if info.is_dir() or _NATIVE.fullmatch(info.filename) and not own.fullmatch(info.filename):
                continue
            target.writestr(info, source.read(info), zipfile.ZIP_STORED)
    return out.getvalue()


def lay(home: Path, jar: bytes) -> None:
    """A folder that needs Java."""
    (home / "bin").mkdir(parents=True)
    (home / "lib").mkdir()
    launcher = home / "bin" / "phaseload"
    shutil.copy(_HERE / "phaseload.sh", launcher)
    launcher.chmod(0o755)
    (home / "lib" / "phaseload.jar").write_bytes(jar)
    for name in ("LICENSE", "NOTICE", "CHANGELOG.md"):
        if (ROOT / name).is_file():
            shutil.copy(ROOT / name, home / name)
    for path in home.rglob("*"):
        path.chmod(0o755 if path.is_dir() or path == launcher else 0o644)


def add_share(jar: Path, share: Path, zsh: str = "zsh/site-functions", packed: bool = False) -> None:
    """
    Writes manual pages and completions, which the jar prints, below share.

    :param zsh: the folder of zsh's completions
    :param packed: whether manual pages are compressed
    """
    home = os.environ.get("JAVA_HOME")
    java = str(Path(home) / "bin" / "java") if home else shutil.which("java")
    if not java:
        raise PackageError("manual pages and completions need Java: set JAVA_HOME")
    pages = share / "man" / "man1"
    pages.mkdir(parents=True)
    completions = {
        "bash": share / "bash-completion/completions/phaseload",
        "zsh": share / zsh / "_phaseload",
        "fish": share / "fish/vendor_completions.d/phaseload.fish",
    }
    words = [["man", str(pages)], *(["completion", shell] for shell in completions)]
    # Each takes most of a second.
    started = [
        subprocess.Popen([java, "-XX:TieredStopAtLevel=1", "-jar", jar, *each], stdout=subprocess.PIPE)
        for each in words
    ]
    printed = [each.communicate()[0] for each in started]
    if any(each.returncode for each in started):
        raise PackageError(f"{java} -jar {jar} can't write its manual pages and completions")
    for file, text in zip(completions.values(), printed[1:]):
        file.parent.mkdir(parents=True)
        file.write_bytes(text)
    if packed:
        for page in pages.iterdir():
            page.with_name(page.name + ".gz").write_bytes(gzip.compress(page.read_bytes(), 9, mtime=0))
            page.unlink()


def train(home: Path, inside: Path | None = None) -> None:
    """
    Writes the archive of classes, if this Java can: 25 and newer.

    :param inside: the root that the folder is used in, if it isn't this machine's
    """
    age(home)
    place = home if inside is None else Path("/") / home.relative_to(inside)
    with tempfile.TemporaryDirectory(dir=home if inside is None else inside / "tmp") as work:
        out = Path(work) if inside is None else Path("/") / Path(work).relative_to(inside)
        command = [
            f"{place}/runtime/bin/java",
            f"-XX:AOTCacheOutput={out}/phaseload.aot",
            "-Xlog:aot*=off",
            "-Xlog:cds*=off",
            "-jar",
            f"{place}/lib/phaseload.jar",
            *_TRAINING,
            f"{out}/run",
        ]
        if inside:
            command = runtime.inside(inside, command, net=True)
        subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
        if (Path(work) / "phaseload.aot").is_file():
            shutil.move(Path(work) / "phaseload.aot", home / "lib" / "phaseload.aot")
    age(home)


def of_platform(platform: str, jar: bytes, out: Path, jdk: Path | None, jmods: str, level: int) -> Path:
    """phaseload-VERSION-PLATFORM.tar.gz, or .zip for Windows, with a runtime."""
    own = platform == runtime.own_platform()
    with tempfile.TemporaryDirectory() as work:
        home = Path(work) / "phaseload"
        lay(home, without_other_natives(jar, (platform,)))
        if jmods or own:
            if jdk is None:
                raise PackageError(f"{platform} needs --jdk, since there is neither JAVA_HOME nor a JDK with jlink")
            runtime.of_jdk(jdk, home / "runtime", jmods)
        elif platform in runtime.PLATFORMS:
            runtime.of_debian(platform, home / "runtime")
        else:
            raise PackageError(f"{platform} needs --jmods {platform}=FOLDER")
        if own:
            train(home)
        if platform.startswith("windows"):
            (home / "bin" / "phaseload").unlink()
            (home / "bin" / "phaseload.cmd").write_bytes(_cmd())
            return _write(out / f"phaseload-{VERSION}-{platform}.zip", zipped(home, "phaseload/"))
        add_share(home / "lib" / "phaseload.jar", home / "share")
        return _write(out / f"phaseload-{VERSION}-{platform}.tar.gz", gzipped(tar(home, "phaseload/"), level))


def of_java(jar: bytes, out: Path) -> Path:
    """phaseload-VERSION-java.zip: for every system that has Java."""
    with tempfile.TemporaryDirectory() as work:
        home = Path(work) / "phaseload"
        lay(home, jar)
        add_share(home / "lib" / "phaseload.jar", home / "share")
        (home / "bin" / "phaseload.cmd").write_bytes(_cmd())
        return _write(out / f"phaseload-{VERSION}-java.zip", zipped(home, "phaseload/"))


def _cmd() -> bytes:
    return (_HERE / "phaseload.cmd").read_bytes().replace(b"\n", b"\r\n")


def _write(file: Path, content: bytes) -> Path:
    file.write_bytes(content)
    return file
