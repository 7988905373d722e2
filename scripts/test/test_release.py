#!/usr/bin/env python3
"""Tests of scripts/release; they need Maven: python3 scripts/test/test_release.py"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parents[2]
VERSION = "9.8.7"
# Maven ends before C2's code pays.
os.environ.setdefault("MAVEN_OPTS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
POM = "{http://maven.apache.org/POM/4.0.0}"
HOME_REPOSITORY = Path.home() / ".m2" / "repository"
JBANG = "0.132.1"

# Instead of Maven: one jar in the folder that it should deploy to, and the command line's. With DIFFER, two builds differ.
FAKE_MAVEN = """#!/bin/sh
for argument; do
    case $argument in -DaltDeploymentRepository=folder::file://*) maven=${argument#*file://} ;; esac
done
[ -n "${FAIL-}" ] && echo "[ERROR] it is broken" && exit 1
mkdir -p client/cli/target
git rev-parse HEAD >client/cli/target/phaseload.jar
[ -n "$maven" ] || exit 0
mkdir -p "$maven/io/phaseload/phaseload-core/9.8.7"
cp bom/pom.xml "$maven/io/phaseload/phaseload-core/9.8.7/phaseload-core-9.8.7.pom"
echo old >"$maven/io/phaseload/phaseload-core/maven-metadata.xml"
[ -n "${DIFFER-}" ] && pwd >where && python3 -m zipfile -c client/cli/target/phaseload.jar where
exit 0
"""


def command(*words: str | Path, cwd: Path, env: dict[str, str] | None = None, code: int = 0) -> str:
    done = subprocess.run([str(word) for word in words], cwd=cwd, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          env={**os.environ, **(env or {})}, timeout=900, check=False)
    if done.returncode != code:
        raise AssertionError(f"{words}: exit code {done.returncode}\n{done.stdout}")
    return done.stdout


def clone_tree(to: Path) -> None:
    """Clones the project as it is here, with changes that aren't committed."""
    command("git", "clone", "-q", "--shared", ROOT, to, cwd=ROOT)
    for key, value in (("user.name", "Test"), ("user.email", "test@localhost")):
        command("git", "config", key, value, cwd=to)
    changed = command("git", "ls-files", "-z", "--modified", "--others", "--exclude-standard", "--deduplicate", cwd=ROOT)
    for name in filter(None, changed.split("\0")):
        (to / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, to / name) if (ROOT / name).exists() else (to / name).unlink()
    command("git", "add", "-A", cwd=to)
    command("git", "commit", "-q", "--allow-empty", "-m", "as it is here", cwd=to)


def make_key(home: Path) -> dict[str, str]:
    home.mkdir(mode=0o700)
    env = {"GNUPGHOME": str(home)}
    command("gpg", "--batch", "--quiet", "--passphrase", "", "--quick-generate-key", "release@localhost", "ed25519", cwd=home, env=env)
    return env


class ReleaseTest(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        for tool in ("git", "gpg", *cls.needs):
            if not shutil.which(tool):
                raise unittest.SkipTest(f"no {tool} on PATH")
        # Short: gpg's agent has a socket there.
        temporary = tempfile.TemporaryDirectory(dir="/tmp", ignore_cleanup_errors=True)
        cls.addClassCleanup(temporary.cleanup)
        cls.work = Path(temporary.name)
        cls.root = cls.work / "phaseload"
        clone_tree(cls.root)
        cls.env = make_key(cls.work / "keys")
        cls.addClassCleanup(subprocess.run, ["gpgconf", "--kill", "all"], env={**os.environ, **cls.env}, check=False)

    needs: tuple[str, ...] = ()

    def git(self, *arguments: str, cwd: Path | None = None) -> str:
        return command("git", *arguments, cwd=cwd or self.root)


class WithoutMavenTest(ReleaseTest):
    """What a release checks, and what it does with what was built."""

    def setUp(self):
        self.bin = self.work / "bin"
        self.bin.mkdir(exist_ok=True)
        (self.bin / "mvn").write_text(FAKE_MAVEN)
        (self.bin / "mvn").chmod(0o755)
        self.path = {"PATH": f"{self.bin}:{os.environ['PATH']}"}
        head = self.git("rev-parse", "HEAD").strip()
        self.addCleanup(self.git, "reset", "-q", "--hard", head)
        self.addCleanup(self.git, "remote", "set-url", "origin", str(ROOT))

    def release(self, *options: str, code: int = 0, **env: str) -> str:
        return command(sys.executable, self.root / "scripts" / "release", *options, cwd=self.root, code=code,
                       env={**self.env, **self.path, **env})

    def assert_refused(self, expected: str, *options: str, code: int = 1, **env: str) -> None:
        """One line, and nothing is changed."""
        before = self.git("rev-parse", "HEAD"), self.git("status", "--porcelain"), self.git("tag")
        self.assertEqual(f"release: {expected}\n", self.release(*options, code=code, **env))
        self.assertEqual(before, (self.git("rev-parse", "HEAD"), self.git("status", "--porcelain"), self.git("tag")))

    def test_options_that_make_no_release(self):
        for expected, *options in (
                ("VERSION: expected three numbers such as 1.2.0, got 1.2", "1.2", "--dry-run"),
                ("VERSION: expected three numbers such as 1.2.0, got 1.2.0-SNAPSHOT", "1.2.0-SNAPSHOT", "--dry-run"),
                ("the following arguments are required: VERSION",),
                ("a release needs --key, only --dry-run doesn't", VERSION),
                ("--again needs --dry-run", VERSION, "--key", "x", "--again", "host"),
                ("--dry-run cannot be combined with --publish", VERSION, "--dry-run", "--publish", "http://localhost/"),
                ("--publish needs CENTRAL_TOKEN in the environment", VERSION, "--key", "x", "--publish", "http://localhost/")):
            with self.subTest(options):
                self.assert_refused(expected, *options, code=2)

    def test_states_that_make_no_release(self):
        key = ("--key", "release@localhost")
        self.assert_refused("--key: expected a secret key of gpg, got nobody@localhost", VERSION, "--key", "nobody@localhost")
        self.assert_refused(f"url in pom.xml: expected the remote origin, {ROOT}, "
                            "got https://github.com/phaseload/phaseload", VERSION, *key)
        (self.root / "NEW").touch()
        self.addCleanup((self.root / "NEW").unlink)
        self.assert_refused("expected a clean tree, got changes: see git status", VERSION, *key)
        self.git("tag", "v9.8.0")
        self.addCleanup(self.git, "tag", "-d", "v9.8.0")
        self.assert_refused("VERSION: 9.8.0 exists, as tag v9.8.0", "9.8.0", "--dry-run")
        self.assert_refused("VERSION: expected one after 9.8.0, the last release, got 9.7.9", "9.7.9", "--dry-run")
        changes = self.root / "CHANGELOG.md"
        changes.write_text("# Changelog\n\n## [9.8.7] - unreleased\n\n## [9.8.0] - 2026-11-26\n\n- More.\n")
        self.git("commit", "-q", "-a", "-m", "nothing new")
        self.assert_refused("CHANGELOG.md: expected a section such as '## [1.2.0] - unreleased' with changes", VERSION, "--dry-run")

    def test_builds_that_fail_or_differ(self):
        failed = self.release(VERSION, "--dry-run", code=1, FAIL="1")
        self.assertRegex(failed, r"\Arelease: building 9.8.7\nrelease: mvn failed: \[ERROR] it is broken \(all of it: .*\)\n\Z")
        differ = self.release(VERSION, "--dry-run", code=1, DIFFER="1")
        self.assertIn("release: two builds differ: phaseload.jar (where); both are in ", differ)

    def test_a_release_is_committed_tagged_uploaded_and_pushed(self):
        origin = self.work / "origin"
        self.git("init", "-q", "--bare", str(origin))
        self.git("remote", "set-url", "origin", "https://github.com/phaseload/phaseload.git")
        self.git("config", f"url.{origin}.insteadOf", "https://github.com/phaseload/phaseload.git")
        uploads = []

        class Central(BaseHTTPRequestHandler):

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                uploads.append((self.path, self.headers["Authorization"], body))
                self.send_response(201)
                self.end_headers()
                self.wfile.write(b"an-id")

            def log_message(self, *_):
                pass

        with ThreadingHTTPServer(("127.0.0.1", 0), Central) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            said = self.release(VERSION, "--key", "release@localhost", "--publish", f"http://127.0.0.1:{server.server_port}/upload",
                                CENTRAL_TOKEN="secret")
            server.shutdown()
        self.addCleanup(self.git, "tag", "-d", f"v{VERSION}")
        self.assertIn("uploaded as an-id", said)
        self.assertIn("9.8.7 is pushed to origin", said)

        branch = self.git("rev-parse", "--abbrev-ref", "HEAD").strip()
        self.assertEqual(self.git("rev-parse", "HEAD"), self.git("rev-parse", branch, cwd=origin))
        command("git", "verify-tag", f"v{VERSION}", cwd=origin, env=self.env)
        self.assertEqual("release: 9.9.0 begins\nrelease: 9.8.7\n", self.git("log", "-2", "--format=%s"))
        self.assertEqual(self.git("rev-parse", "HEAD~1"), self.git("rev-parse", f"v{VERSION}^{{commit}}"))

        released = self.git("show", f"v{VERSION}:CHANGELOG.md")
        self.assertRegex(released, r"## \[9\.8\.7] - \d{4}-\d\d-\d\d\n")
        self.assertNotIn("unreleased", released.split("## [")[1].splitlines()[0])
        self.assertIn("## [9.9.0] - unreleased\n\n## [9.8.7] - ", self.git("show", "HEAD:CHANGELOG.md"))
        self.assertIn(f"phaseload-core:{VERSION}\n", self.git("show", "HEAD:examples/Load.java"))
        self.assertIn("-Dlast.release=9.8.7\n", self.git("show", "HEAD:.mvn/maven.config"))
        for commit, version in ((f"v{VERSION}", VERSION), ("HEAD", "9.9.0-SNAPSHOT")):
            poms = self.git("grep", "-h", "-A1", "-E", "<artifactId>phaseload-(bom|parent)</artifactId>", commit, "--", "*pom.xml")
            self.assertEqual({version}, set(re.findall("<version>(\\d.*?)<", poms)))

        (path, token, body), = uploads
        self.assertEqual("/upload?name=phaseload-9.8.7&publishingType=USER_MANAGED", path)
        self.assertEqual("Bearer secret", token)
        out = self.root / "target" / "release" / VERSION
        self.assertIn((out / "central.zip").read_bytes(), body)
        core = "io/phaseload/phaseload-core/9.8.7/phaseload-core-9.8.7.pom"
        self.assertEqual([core + end for end in ("", ".asc", ".md5", ".sha1", ".sha256", ".sha512")],
                         zipfile.ZipFile(out / "central.zip").namelist())
        self.assertIn(f"\n{(out / 'notes.md').read_text()}", released)
        command("sha256sum", "-c", "SHA256SUMS", cwd=out)


class DryRunTest(ReleaseTest):
    """A dry run with Maven: the second build is of the modules that make each kind of file."""

    needs = ("mvn", "java")

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.before = cls.state()
        cls.said = command(sys.executable, cls.root / "scripts" / "release", VERSION, "--dry-run", "--key", "release@localhost",
                           "--again", "lambda", cwd=cls.root, env=cls.env)
        cls.out = cls.root / "target" / "release" / VERSION
        cls.maven = cls.out / "maven"
        cls.settings = cls.work / "settings.xml"
        repositories = "".join(f"<{kind}><id>{name}</id><url>{folder.as_uri()}</url></{kind}>" for kind in ("repository",)
                               for name, folder in (("release", cls.maven), ("here", HOME_REPOSITORY)))
        cls.settings.write_text(
            f"<settings><profiles><profile><id>x</id><activation><activeByDefault>true</activeByDefault></activation>"
            f"<repositories>{repositories}</repositories>"
            f"<pluginRepositories>{repositories.replace('repository>', 'pluginRepository>')}</pluginRepositories>"
            "</profile></profiles></settings>")

    @classmethod
    def state(cls):
        return [command("git", *words, cwd=cls.root) for words in (("rev-parse", "HEAD"), ("status", "--porcelain"), ("tag",))]

    def module(self, name: str, end: str) -> Path:
        return self.maven / "io" / "phaseload" / name / VERSION / f"{name}-{VERSION}{end}"

    def test_nothing_is_changed(self):
        self.assertEqual(self.before, self.state())
        self.assertEqual([], list(self.root.glob("client/*/target")))
        self.assertIn("files are the same in both builds", self.said)
        self.assertIn("a foreign project builds and runs with the BOM", self.said)

    def test_central_gets_what_it_wants(self):
        poms = sorted(self.maven.rglob("*.pom"))
        modules = {pom.name.removesuffix(f"-{VERSION}.pom") for pom in poms}
        self.assertLessEqual({"phaseload-bom", "phaseload-parent", "phaseload-core", "phaseload-cli"}, modules)
        for pom in poms:
            with self.subTest(pom.name):
                project = ElementTree.parse(pom).getroot()
                for element in ("name", "description"):
                    self.assertTrue(project.findtext(POM + element))
                if project.findtext(f"{POM}packaging") != "pom":
                    for end in (".jar", "-sources.jar", "-javadoc.jar", "-cyclonedx.json"):
                        self.assertTrue(pom.with_name(pom.stem + end).is_file(), end)
        bom = ElementTree.parse(self.module("phaseload-bom", ".pom")).getroot()
        for path in ("url", "licenses/license/name", "developers/developer/name", "scm/connection", "scm/developerConnection", "scm/url"):
            self.assertTrue(bom.findtext("/".join(POM + part for part in path.split("/"))), path)
        managed = {found.text for found in bom.iter(f"{POM}artifactId")}
        self.assertEqual(modules - {"phaseload-parent"}, managed)

    def test_all_files_are_signed_and_have_checksums(self):
        ends = {".md5", ".sha1", ".sha256", ".sha512", ".asc"}
        files = [file for file in self.maven.rglob("*") if file.is_file() and file.suffix not in ends]
        self.assertEqual([], [file.name for file in files if file.name.startswith("maven-metadata")])
        for file in files:
            for end in ends - {".asc"}:
                self.assertEqual(hashlib.new(end[1:], file.read_bytes()).hexdigest(), Path(f"{file}{end}").read_text())
        for file in (self.module("phaseload-core", ".jar"), self.module("phaseload-bom", ".pom")):
            command("gpg", "--verify", f"{file}.asc", file, cwd=self.work, env=self.env)
        self.assertEqual(len(files), len(list(self.maven.rglob("*.asc"))))
        self.assertEqual(len(files) * 6, len(zipfile.ZipFile(self.out / "central.zip").namelist()))

    def test_every_archive_has_a_licence_and_a_notice_and_says_what_it_is(self):
        licence = (ROOT / "LICENSE").read_bytes()
        alone = [self.out / "phaseload.jar", self.out / "phaseload-lambda.jar", self.module("phaseload-server", ".war")]
        for file in [*self.maven.rglob("*.jar"), *alone]:
            with self.subTest(file.name), zipfile.ZipFile(file) as archive:
                self.assertEqual(licence, archive.read("META-INF/LICENSE"))
                self.assertIn(b"Phaseload\nCopyright", archive.read("META-INF/NOTICE"))
                if not file.name.endswith(("-sources.jar", "-javadoc.jar")):
                    manifest = archive.read("META-INF/MANIFEST.MF").decode()
                    self.assertIn(f"Implementation-Version: {VERSION}\r\n", manifest)
                    self.assertRegex(manifest, r"SCM-Revision: [0-9a-f]{40}\r\n")
                if file in alone:
                    self.assertEqual((ROOT / "THIRD-PARTY-LICENSES").read_bytes(), archive.read("META-INF/THIRD-PARTY-LICENSES"))
        with zipfile.ZipFile(self.out / "phaseload.jar") as jar:
            for kept in ("license/LICENSE.boringssl.txt", "FastDoubleParser-LICENSE", "Schubfach-LICENSE"):
                jar.getinfo(f"META-INF/{kept}")
            self.assertIn("Apache Tomcat\nCopyright", jar.read("META-INF/NOTICE").decode())

    def test_the_bill_of_materials_is_that_of_the_jar(self):
        """Each component has its licence in THIRD-PARTY-LICENSES and its classes in phaseload.jar."""
        bill = json.loads(self.module("phaseload-cli", "-cyclonedx.json").read_text())
        self.assertEqual("CycloneDX", bill["bomFormat"])
        licences = (ROOT / "THIRD-PARTY-LICENSES").read_text()
        with zipfile.ZipFile(self.out / "phaseload.jar") as jar:
            packages = {name.rpartition("/")[0] for name in jar.namelist() if name.endswith(".class")}
        for component in bill["components"]:
            group, name, version = component["group"], component["name"], component["version"]
            if group == "io.phaseload":
                continue
            with self.subTest(name):
                self.assertRegex(licences, rf"[ ,]({re.escape(group)}:{re.escape(name)}|{re.escape(group)})(?=[\s,])")
                jar = HOME_REPOSITORY / group.replace(".", "/") / name / version / f"{name}-{version}.jar"
                if not jar.exists():
                    continue
                with zipfile.ZipFile(jar) as library:
                    own = {entry.rpartition("/")[0] for entry in library.namelist()
                           if entry.endswith(".class") and not entry.startswith(("META-INF/", "module-info"))}
                self.assertTrue(not own or own & packages, "its classes are not in phaseload.jar")

    def test_jbang_runs_the_example(self):
        libraries = self.work / "jbang"
        libraries.mkdir()
        (libraries / "pom.xml").write_text(
            "<project><modelVersion>4.0.0</modelVersion><groupId>x</groupId><artifactId>x</artifactId><version>1</version>"
            "<dependencies><dependency><groupId>dev.jbang</groupId><artifactId>jbang-cli</artifactId>"
            f"<version>{JBANG}</version></dependency></dependencies></project>")
        try:
            command("mvn", "-B", "-q", "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies",
                    f"-DoutputDirectory={libraries}", "-DincludeScope=runtime", cwd=libraries)
        except AssertionError as e:
            self.skipTest(f"no JBang: {e}")
        text = (ROOT / "examples" / "Load.java").read_text()
        (self.work / "Load.java").write_text(re.sub(r"(?<=phaseload-core:)\S+", VERSION, text))

        class Target(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        with ThreadingHTTPServer(("127.0.0.1", 0), Target) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            # JBang leaves it to its shell script to run the command that it prints.
            said = command("java", "-cp", f"{libraries}/*", "dev.jbang.Main", "run", "--repos", f"release={self.maven.as_uri()}",
                           "--repos", f"here={HOME_REPOSITORY.as_uri()}", "Load.java", f"http://127.0.0.1:{server.server_port}/",
                           cwd=self.work, code=255,
                           env={"JBANG_DIR": str(self.work / "dot-jbang"), "JBANG_REPO": str(self.work / "jbang-repo")})
            said = command("sh", "-c", said.splitlines()[-1], cwd=self.work)
            server.shutdown()
        self.assertRegex(said, r"\d+ requests, 0\.00 % failed")
        self.assertTrue((self.work / "jbang-repo" / "io" / "phaseload" / "phaseload-core" / VERSION).is_dir())

    def test_a_later_build_is_compared_with_the_release(self):
        """Instead of a changed source, a jar from which a class of the API, or an internal one, is removed."""
        released = self.module("phaseload-model", ".jar")
        version = re.search(r"<artifactId>phaseload-parent</artifactId>\s*<version>(.+?)<", (self.root / "pom.xml").read_text())[1]
        built = self.root / "client" / "model" / "target" / f"phaseload-model-{version}.jar"
        built.parent.mkdir()
        self.addCleanup(shutil.rmtree, built.parent)
        local = self.work / "repository"
        # A build resolves them from itself. The model counts, too, although the jar in target/ is what is compared.
        for name, folder in (("parent", "."), ("host", "host"), ("options", "options"), ("model", "client/model")):
            installed = local / "io" / "phaseload" / f"phaseload-{name}" / version / f"phaseload-{name}-{version}.jar"
            installed.parent.mkdir(parents=True)
            shutil.copy(self.root / folder / "pom.xml", installed.with_suffix(".pom"))
            if name != "parent":
                shutil.copy(self.module(f"phaseload-{name}", ".jar"), installed)
        for gone, code in (("io/phaseload/measure/times/", 0), ("io/phaseload/schedule/", 1)):
            with self.subTest(gone), zipfile.ZipFile(released) as old, zipfile.ZipFile(built, "w") as new:
                for name in old.namelist():
                    if not name.startswith(gone):
                        new.writestr(name, old.read(name))
                new.close()
                said = command("mvn", "-B", "-s", self.settings, f"-Dmaven.repo.local={local}", f"-Dlast.release={VERSION}",
                               "-pl", "client/model", "japicmp:cmp@compatibility", cwd=self.root, code=code)
                self.assertEqual(code == 1, "incompatibility: io.phaseload.schedule." in said, said)

    def test_the_compared_packages_are_the_exported_ones(self):
        for module in ("model", "core"):
            folder = ROOT / "client" / module
            exported = re.findall(r"^ *exports ([\w.]+);", (folder / "src/main/java/module-info.java").read_text(), re.M)
            compared = re.findall("<include>(io.phaseload.*?)</include>", (folder / "pom.xml").read_text())
            self.assertEqual(sorted(exported), sorted(compared), module)


del ReleaseTest  # has no tests of its own

if __name__ == "__main__":
    unittest.main()
