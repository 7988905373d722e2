#!/usr/bin/env python3
"""The packages of scripts/package, made once of the built jar and run: python3 scripts/test/test_packages.py"""

from __future__ import annotations

import contextlib
import gzip
import io
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tarfile
import tempfile
import unittest
import zipfile
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parents[2]
JAR = ROOT / "client" / "cli" / "target" / "phaseload.jar"
sys.path.insert(0, str(ROOT / "scripts" / "packages"))

import archive  # noqa: E402
import runtime  # noqa: E402
from files import VERSION, sha256  # noqa: E402

RUN = ["run", "-c", "2", "-n", "5", "--quiet"]
# Of short runs, compiling is most of the work.
SHORT = {"PHASELOAD_JAVA_OPTS": "-XX:TieredStopAtLevel=1"}
USER = 10001
TLS_SERVER = """
import http.server, ssl, sys
class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()
server = http.server.ThreadingHTTPServer(("127.0.0.1", 8443), Handler)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(*sys.argv[1:])
server.socket = context.wrap_socket(server.socket, server_side=True)
server.serve_forever()
"""


def package(out: Path, *words: str) -> None:
    done = subprocess.run(
        [ROOT / "scripts" / "package", "--out", out, "--level", "1", *words],
        text=True,
        capture_output=True,
        check=False,
    )
    if done.returncode:
        raise AssertionError(done.stdout + done.stderr)


@contextlib.contextmanager
def serving(command: list[object], **options: object) -> Iterator[str]:
    """The address that a command prints, of a server that runs meanwhile."""
    with subprocess.Popen(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options) as server:
        lines = []
        try:
            for line in server.stdout:
                lines.append(line)
                if found := re.search(r"https?://[^ /]+:\d+/", line):
                    yield found[0]
                    return
            raise AssertionError("".join(lines))
        finally:
            server.terminate()


@unittest.skipUnless(JAR.is_file(), f"no {JAR.name}: mvn -DskipTests package")
class JarTest(unittest.TestCase):
    """The filters of client/cli/pom.xml leave out parts of libraries, which nothing else may need."""

    def test_no_class_that_is_left_out_is_named_by_one_that_is_used(self):
        project = ElementTree.parse(ROOT / "client" / "cli" / "pom.xml").getroot()
        left_out = re.compile(
            "|".join(
                each.text.replace(".", r"\.").replace("**", "\0").replace("*", "[^/]*").replace("\0", ".*")
                for each in project.iter("{http://maven.apache.org/POM/4.0.0}exclude")
            )
        )
        with zipfile.ZipFile(JAR) as jar:
            present = {name[:-6] for name in jar.namelist() if name.endswith(".class")}
            used = [name for name in present if name.startswith("io/phaseload/")]
            for name in jar.namelist():
                if name.startswith("META-INF/services/") and not name.endswith("/"):
                    used += re.findall(r"^[\w.$]+", jar.read(name).decode().replace(".", "/"), re.M)
            seen, missing = set(), {}
            while used:
                name = used.pop()
                if name in seen or name not in present:
                    continue
                seen.add(name)
                for other in named_in(jar.read(name + ".class")) - seen:
                    if other in present:
                        used.append(other)
                    elif left_out.fullmatch(other) and re.search(r"/[A-Z]\w*$", other.replace("$", "_")):
                        missing[other] = name
        self.assertGreater(len(seen), 5000)
        self.assertEqual({}, missing)

    def test_the_jar_is_small_and_has_the_libraries_of_each_platform(self):
        self.assertLess(JAR.stat().st_size, 31.3e6)
        with zipfile.ZipFile(JAR) as jar:
            names = "\n".join(jar.namelist())
        for pattern in archive._NATIVES.values():
            self.assertRegex(names, rf"(?m)^({pattern})$")


def named_in(content: bytes) -> set[str]:
    """The classes that a class file names: its references, and texts that may be names of classes."""
    texts, at, number, count = {}, 10, 1, struct.unpack_from(">H", content, 8)[0]
    references = []
    while number < count:
        tag = content[at]
        if tag == 1:
            length = struct.unpack_from(">H", content, at + 1)[0]
            texts[number] = content[at + 3 : at + 3 + length].decode("utf-8", "replace")
            at += length + 3
        else:
            if tag in (7, 8):
                references.append(struct.unpack_from(">H", content, at + 1)[0])
            at += {5: 9, 6: 9, 7: 3, 8: 3, 15: 4, 16: 3, 19: 3, 20: 3}.get(tag, 5)
            number += tag in (5, 6)
        number += 1
    names = {texts[each].replace(".", "/") for each in references}
    for text in texts.values():
        names.update(re.findall(r"L([\w/$]+)[;<]", text))
    return names


@unittest.skipUnless(JAR.is_file(), f"no {JAR.name}: mvn -DskipTests package")
class PackagesTest(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.temporary.cleanup)
        cls.out = Path(cls.temporary.name)

    def unpacked(self, archive_name: str) -> Path:
        """The folder in an archive, somewhere else than it was made."""
        folder = self.out / "elsewhere" / archive_name
        folder.mkdir(parents=True)
        if archive_name.endswith(".zip"):
            with zipfile.ZipFile(self.out / archive_name) as packed:
                packed.extractall(folder)
        else:
            with tarfile.open(self.out / archive_name) as packed:
                packed.extractall(folder)
        return folder / "phaseload"

    def assert_runs(self, command: list[object], server: list[object], env: dict[str, str]) -> None:
        """A run against a server of the same package, in a folder of its own."""
        options = {"env": {**env, **SHORT}}
        with tempfile.TemporaryDirectory() as work, serving(
            [*server, "serve", "--port", "0"], cwd=work, **options
        ) as url:
            done = subprocess.run(
                [*command, *RUN, "--url", url], text=True, capture_output=True, check=False, cwd=work, **options
            )
            self.assertEqual((0, ""), (done.returncode, done.stderr), done.stdout)

    def assert_completions(self, share: Path, zsh: str) -> None:
        for file in ("bash-completion/completions/phaseload", f"{zsh}/_phaseload", "fish/vendor_completions.d/phaseload.fish"):
            self.assertIn("threads", (share / file).read_text(), file)

    def test_an_archive_of_this_platform_needs_no_java(self):
        platform = runtime.own_platform()
        package(self.out, platform)
        home = self.unpacked(f"phaseload-{VERSION}-{platform}.tar.gz")
        self.assertTrue((home / "LICENSE").is_file())
        self.assertTrue((home / "share" / "man" / "man1" / "phaseload-run.1").is_file())
        self.assert_completions(home / "share", "zsh/site-functions")
        phaseload = home / "bin" / "phaseload"
        self.assert_runs([phaseload], [phaseload], env={})
        with self.subTest("by a link"):
            link = self.out / "link"
            link.symlink_to(phaseload)
            done = subprocess.run([link, "--version"], text=True, capture_output=True, check=True, env={})
            self.assertIn(VERSION, done.stdout)
        if (home / "lib" / "phaseload.aot").is_file():
            with self.subTest("classes come from the archive"):
                done = subprocess.run(
                    [phaseload, "--version", "--quiet"],
                    text=True,
                    capture_output=True,
                    check=False,
                    env={"PHASELOAD_JAVA_OPTS": "-Xlog:class+load"},
                )
                self.assertRegex(done.stdout, r"io\.phaseload\.cli\.Main source: shared objects file")
        with self.subTest("only this platform's libraries"), zipfile.ZipFile(home / "lib" / "phaseload.jar") as jar:
            natives = [name for name in jar.namelist() if re.fullmatch(r"(META-INF/native|linux|darwin|win)/.+", name)]
            self.assertTrue(natives)
            for name in natives:
                self.assertRegex(name, archive._NATIVES[platform])

    def test_an_archive_for_java(self):
        package(self.out, "brew", "--releases", "https://downloads.example/phaseload")
        home = self.unpacked(f"phaseload-{VERSION}-java.zip")
        launcher = (home / "bin" / "phaseload.cmd").read_bytes()
        self.assertEqual(launcher.count(b"\n"), launcher.count(b"\r\n"))
        for word in (b"%JAVA_HOME%", b"%PHASELOAD_JAVA_OPTS%", b"lib\\phaseload.jar", b"%*", b"exit /b %ERRORLEVEL%"):
            self.assertIn(word, launcher)
        (home / "bin" / "phaseload").chmod(0o755)
        for java, expected in (
            ("/nowhere", "JAVA_HOME is /nowhere, but it has no bin/java"),
            ("", "no Java found: install Java 17"),
        ):
            done = subprocess.run(
                [home / "bin" / "phaseload", "--version"],
                text=True,
                capture_output=True,
                check=False,
                env={"JAVA_HOME": java, "PATH": ""},
            )
            self.assertEqual((1, ""), (done.returncode, done.stdout))
            self.assertIn(expected, done.stderr)
        with self.subTest("the formula"):
            formula = (self.out / "phaseload.rb").read_text()
            archive_file = self.out / f"phaseload-{VERSION}-java.zip"
            self.assertIn(f'sha256 "{sha256(archive_file.read_bytes())}"', formula)
            self.assertIn(f'url "https://downloads.example/phaseload/{archive_file.name}"', formula)
            if shutil.which("ruby"):
                subprocess.run(["ruby", "-c", self.out / "phaseload.rb"], check=True, capture_output=True)

    def test_a_package_of_debian_is_installed_runs_and_is_purged(self):
        if not shutil.which("dpkg-deb"):
            self.skipTest("no dpkg-deb")
        package(self.out, "deb")
        (deb,) = self.out.glob("phaseload_*_all.deb")
        if shutil.which("lintian"):
            done = subprocess.run(["lintian", "--fail-on", "error", deb], text=True, capture_output=True, check=False)
            self.assertEqual(0, done.returncode, done.stdout)
        if os.geteuid() != 0:
            self.skipTest("dpkg needs root to install")
        root = self.out / "root"
        for folder in ("var/lib/dpkg/info", "var/lib/dpkg/updates"):
            (root / folder).mkdir(parents=True)
        (root / "var/lib/dpkg/status").touch()
        # Only in a folder, whose database doesn't have this machine's Java.
        dpkg = ["dpkg", "--root", root, "--force-depends", "--force-not-root", "--log", os.devnull]
        subprocess.run([*dpkg, "--install", deb], check=True, capture_output=True)
        phaseload = root / "usr" / "bin" / "phaseload"
        environment = {name: os.environ[name] for name in ("PATH", "JAVA_HOME") if name in os.environ}
        self.assert_runs([phaseload], [phaseload], env=environment)
        share = root / "usr" / "share"
        with self.subTest("manual pages and completions"):
            for command in ("phaseload", "phaseload-run", "phaseload-sweep"):
                with gzip.open(share / "man" / "man1" / f"{command}.1.gz", "rt") as page:
                    self.assertIn(f".TH {command.upper()} 1 ", page.read())
            self.assert_completions(share, "zsh/vendor-completions")
        subprocess.run([*dpkg, "--purge", "phaseload"], check=True, capture_output=True)
        self.assertEqual([], [path for path in root.rglob("*phaseload*")])

    def test_the_image_runs_without_rights(self):
        if not shutil.which("unshare") or not shutil.which("apt-get") or os.geteuid() != 0:
            self.skipTest("wants root, unshare and apt-get")
        architecture = runtime.PLATFORMS.get(runtime.own_platform())
        if not architecture:
            self.skipTest("images are for Linux on x64 and aarch64")
        package(self.out, "image", "--architectures", architecture)
        with tarfile.open(self.out / f"phaseload-{VERSION}-image.tar") as layout:

            def blob(descriptor: dict[str, object]) -> bytes:
                content = layout.extractfile("blobs/" + descriptor["digest"].replace(":", "/")).read()
                self.assertEqual(descriptor["digest"], "sha256:" + sha256(content))
                self.assertEqual(descriptor["size"], len(content))
                return content

            index = json.loads(layout.extractfile("index.json").read())["manifests"][0]
            (entry,) = json.loads(blob(index))["manifests"]
            self.assertEqual({"os": "linux", "architecture": architecture}, entry["platform"])
            manifest = json.loads(blob(entry))
            config = json.loads(blob(manifest["config"]))
            root = self.out / "image"
            for layer, diff in zip(manifest["layers"], config["rootfs"]["diff_ids"]):
                content = gzip.decompress(blob(layer))
                self.assertEqual(diff, "sha256:" + sha256(content))
                with tarfile.open(fileobj=io.BytesIO(content)) as files:
                    files.extractall(root, numeric_owner=True)
        self.assertLess(sum(layer["size"] for layer in manifest["layers"]), 95e6)
        self.assertEqual(f"{USER}:{USER}", config["config"]["User"])
        labels = config["config"]["Labels"]
        self.assertEqual(
            (VERSION, "Apache-2.0"),
            (labels["org.opencontainers.image.version"], labels["org.opencontainers.image.licenses"]),
        )
        environment = dict(each.split("=", 1) for each in config["config"]["Env"])
        environment["PATH"] += ":" + os.environ["PATH"]
        environment.update(SHORT)
        self.assert_image_runs(root, config["config"]["Entrypoint"], environment)

    def assert_image_runs(self, root: Path, entrypoint: list[str], environment: dict[str, str]) -> None:
        """As a container: nothing can be written but /work and /tmp, and the network is a loopback."""
        key, certificate = self.out / "key.pem", root / "authority.pem"
        subprocess.run(
            [
                "openssl",
                "req",
                "-x509",
                "-newkey",
                "rsa:2048",
                "-nodes",
                "-days",
                "2",
                "-subj",
                "/CN=localhost",
                "-addext",
                "subjectAltName=IP:127.0.0.1",
                "-keyout",
                key,
                "-out",
                certificate,
            ],
            check=True,
            capture_output=True,
        )
        server = f"{sys.executable} -c '{TLS_SERVER}' {certificate} {key} >/dev/null 2>&1 &"
        read_only = (
            f'mount --bind "$1" "$1"; mount -t tmpfs none "$1/tmp"; mount -t tmpfs -o uid={USER} none "$1/work"; '
            f'mount -o remount,bind,ro "$1"; {server}'
        )
        run = " ".join([entrypoint[0], *RUN])
        script = f"""
            set -e
            exec 3>&1 >&2
            cd /work
            test "$(id -u)" = {USER}
            if touch /opt/phaseload/x 2>/dev/null; then exit 9; fi
            {entrypoint[0]} serve --port 8080 >server 2>&1 &
            PHASELOAD_JAVA_OPTS=-Xlog:class+load {entrypoint[0]} --version |
                grep -q 'cli.Main source: shared objects file'
            echo 'target: {{url: "https://127.0.0.1:8443/"}}' >plan.yaml
            until grep -q http server; do sleep 0.1; done
            {run} --plan plan.yaml --cacert /authority.pem --get / --engine events --out tls
            {run} --plan plan.yaml --cacert /authority.pem --get / --client httpclient --out httpclient
            {run} --url http://127.0.0.1:8080/ --engine events --http2 --out http2
            {run} --url http://127.0.0.1:8080/ --agents local:2 --out agents
            {entrypoint[0]} report agents --html page.html --png pictures
            tar cf - tls httpclient http2 agents page.html pictures >&3"""
        done = subprocess.run(
            runtime.inside(root, ["sh", "-c", script], read_only, USER, net=True),
            capture_output=True,
            env=environment,
            check=False,
        )
        self.assertEqual(0, done.returncode, done.stderr.decode())
        with tarfile.open(fileobj=io.BytesIO(done.stdout)) as files:
            names = files.getnames()
            for name in ("tls", "httpclient", "http2", "agents"):
                totals = json.loads(files.extractfile(f"{name}/result.json").read())["totals"]
                self.assertEqual((True, 0), (totals["succeeded"] > 0, totals["failed"]), name)
        self.assertIn("page.html", names)
        self.assertTrue([name for name in names if name.endswith(".png")], names)


if __name__ == "__main__":
    unittest.main()
