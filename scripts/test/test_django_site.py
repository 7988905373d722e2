#!/usr/bin/env python3
"""Drives the administration of Django, a real site, by examples/django-admin.yaml on both engines. Needs the jar, Java and Django:
"$(scripts/test/install)" scripts/test/test_django_site.py"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

try:
    import django_site
except ModuleNotFoundError as missing:
    raise unittest.SkipTest(f"no {missing.name}: scripts/test/install") from missing

ROOT = Path(__file__).resolve().parents[2]
JAR = ROOT / "client" / "cli" / "target" / "phaseload.jar"
PLAN = ROOT / "examples" / "django-admin.yaml"
JAVA = str(Path(os.environ["JAVA_HOME"], "bin", "java")) if os.environ.get("JAVA_HOME") else "java"

# Two users in the warmup, four in the peak, five journeys each.
JOURNEYS = 6 * 5
# Six steps, of which three are redirected once.
REDIRECTS = JOURNEYS * 3
REQUESTS = JOURNEYS * 6 + REDIRECTS


class DjangoSiteTest(unittest.TestCase):
    """The site's own count and its database say what was done."""

    @classmethod
    def setUpClass(cls):
        if not JAR.is_file():
            raise unittest.SkipTest(f"no {JAR.name}: mvn -q -DskipTests package")
        if not shutil.which(JAVA):
            raise unittest.SkipTest("no Java on PATH, and no JAVA_HOME")
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        django_site.set_up(cls.folder / "site.sqlite3")

    def drive(self, engine: str) -> None:
        output = self.folder / engine
        with django_site.serving() as (port, count):
            before = len(django_site.groups())
            done = subprocess.run(
                [JAVA, "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-jar", JAR, "run", "--plan", PLAN, "--url", f"http://127.0.0.1:{port}/", "--engine", engine, "--out", output],
                text=True, capture_output=True, timeout=120, check=False, cwd=self.folder,
                env={**os.environ, "DJANGO_PASSWORD": django_site.PASSWORD})
            self.assertEqual(JOURNEYS, len(django_site.groups()) - before, done.stdout + done.stderr)
            self.assertEqual(REQUESTS, count(), done.stdout)
        # 4: the machine was too busy to trust the times, which matter nothing here.
        self.assertIn(done.returncode, (0, 4), done.stdout)
        totals = json.loads(next(output.rglob("result.json")).read_text(encoding="utf-8"))["totals"]
        self.assertEqual((REQUESTS, REQUESTS), (totals["requests"], totals["succeeded"]))
        self.assertIn(f"\nRedirects, followed where the session says so: {REDIRECTS} (302)\n", done.stdout)

    def test_threads_drive_it_to_its_end(self):
        self.drive("threads")

    def test_event_loops_drive_it_to_its_end(self):
        self.drive("events")


if __name__ == "__main__":
    unittest.main()
