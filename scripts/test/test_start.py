#!/usr/bin/env python3
"""Tests of how scripts/phaseload starts the jar; they want the jar, and Java: python3 scripts/test/test_start.py"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
JAR = Path("client", "cli", "target", "phaseload.jar")
PREPARING = "phaseload: preparing client/cli/target/phaseload-"


class StartTest(unittest.TestCase):
    """Standard output has the same three lines, whatever happens to the archive."""

    @classmethod
    def setUpClass(cls):
        if not (ROOT / JAR).is_file():
            raise unittest.SkipTest(f"no {JAR}: mvn -q -DskipTests package")
        if not (shutil.which("java") or os.environ.get("JAVA_HOME")):
            raise unittest.SkipTest("no Java on PATH, and no JAVA_HOME")

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.root = Path(temporary.name)
        for file in (Path("scripts", "phaseload"), JAR):
            (self.root / file).parent.mkdir(parents=True)
            shutil.copy(ROOT / file, self.root / file)

    def start(self, options: str = "") -> subprocess.CompletedProcess[str]:
        done = subprocess.run([self.root / "scripts" / "phaseload", "--version"], text=True, capture_output=True,
                              timeout=120, env={**os.environ, "PHASELOAD_JAVA_OPTS": options}, check=False)
        self.assertEqual(0, done.returncode, done.stderr)
        return done

    def archive(self) -> Path:
        archives = list((self.root / JAR).parent.glob("*.jsa"))
        self.assertEqual(1, len(archives))
        return archives[0]

    def assert_only_the_version(self, done: subprocess.CompletedProcess[str]) -> None:
        self.assertRegex(done.stdout, r"\Aphaseload \S+.*\n.+\n.+\n\Z")

    def test_the_first_start_makes_an_archive_which_the_next_ones_use(self):
        first = self.start()
        self.assert_only_the_version(first)
        self.assertTrue(first.stderr.startswith(PREPARING), first.stderr)
        self.assertEqual(sorted(["phaseload.jar", self.archive().name]),
                         sorted(file.name for file in self.archive().parent.iterdir()))
        self.assertEqual("", self.start().stderr)
        loaded = self.start("-Xlog:class+load").stdout
        self.assertRegex(loaded, r"io\.phaseload\.cli\.Main source: shared objects file \(top\)")
        with self.subTest("a JVM that it doesn't fit, for its options are others"):
            self.assert_only_the_version(self.start("-XX:+UseSerialGC -XX:-UseCompressedClassPointers"))
        with self.subTest("options that are of an archive"):
            self.assert_only_the_version(self.start(f"-XX:ArchiveClassesAtExit={self.root}/own -Xlog:cds*=off"))
            self.assertTrue((self.root / "own").exists())
        with self.subTest("a jar that was rebuilt"):
            built = self.archive().stat().st_mtime + 10
            os.utime(self.root / JAR, (built, built))
            self.assertTrue(self.start().stderr.startswith(PREPARING))

    def test_a_broken_archive_is_left_alone(self):
        self.start()
        self.archive().chmod(0o600)
        for content in (b"", b"no archive" * 10_000):
            self.archive().write_bytes(content)
            done = self.start()
            self.assert_only_the_version(done)
            self.assertEqual("", done.stderr)


if __name__ == "__main__":
    unittest.main()
