"""The systems themselves, with one node each, and what Phaseload counts beside what they count. Skipped where no registry is reached."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
import urllib.error
import urllib.request
from pathlib import Path

import originals

PHASELOAD = originals.HERE.parent / "phaseload"
PLANS = originals.HERE.parent / "experiments"
JAR = originals.ROOT / "client" / "cli" / "target" / "phaseload.jar"
# Of short runs, compiling is most of the work, and so it is of the systems' starts.
os.environ.setdefault("PHASELOAD_JAVA_OPTS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
os.environ.setdefault("JDK_JAVA_OPTIONS", "-XX:TieredStopAtLevel=1")


@unittest.skipUnless(JAR.exists() and shutil.which("java"), f"mvn package makes {JAR}, and it needs java")
class RealTest(unittest.TestCase):
    def install(self, system: str) -> None:
        try:
            originals.installed(originals.load(system), lambda line: print(line, file=sys.stderr))
        except originals.Impossible as reason:
            self.skipTest(str(reason))

    def start(self, system: str) -> dict:
        """The addresses of its processes, by name."""
        self.install(system)
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        done = subprocess.run([originals.HERE / "up", system, "--nodes", "1"], capture_output=True, text=True, check=False)
        self.addCleanup(subprocess.run, [originals.HERE / "down"], check=True, stdout=subprocess.DEVNULL)
        self.assertEqual(0, done.returncode, done.stderr)
        print(done.stdout, file=sys.stderr)
        return {words[0]: words[-1] for words in map(str.split, done.stdout.splitlines()[2:-1])}

    def run_plan(self, name: str, *options: str) -> dict:
        """The last phase of a run's result, in which nothing failed."""
        out = self.folder / name
        line = [PHASELOAD, "run", "--plan", PLANS / f"{name}.yaml", "--quiet", "--out", out, *options]
        done = subprocess.run(line, capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual(0, done.returncode, done.stdout + done.stderr)
        return json.loads((out / "result.json").read_text(encoding="utf-8"))["phases"][-1]

    def test_cassandra_has_a_row_for_each_written_key(self) -> None:
        url = self.start("cassandra")["gateway-1"]
        for name in ("2-write", "2-read"):
            phase = self.run_plan(name, "--url", url, "--threads", "20", "--phases", "peak=1 for 10 iterations")
            self.assertEqual((200, 0), (phase["succeeded"], phase["failed"]), phase["failures"])
            with urllib.request.urlopen(f"{url}count") as response:
                self.assertEqual(b"200", response.read())
        # A key that isn't there, and more replicas than nodes, have their own answers.
        for path, status in {"items/none": 404, "items/0-0?cl=TWO": 503, "items/0-0?cl=SOME": 400}.items():
            with self.assertRaises(urllib.error.HTTPError) as caught:
                urllib.request.urlopen(url + path)
            self.assertEqual(status, caught.exception.code, path)

    def test_an_event_store_counts_what_trials_inserted(self) -> None:
        url = self.start("eventstore")["peer-1"]
        line = [PHASELOAD, "sweep", "--plan", PLANS / "5-ingestion.yaml", "--url", url, "--out", self.folder / "trials", "--warmup", "0s", "--trials", "2",
                "--param", "buffer_type=memory-64k,disk-1m", "--param", "event_count=1,10000", "--after", "DELETE /data", "--take", "token=/token",
                "--after", "POST /clean {token}"]  # fmt: skip
        done = subprocess.run(line, capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual(0, done.returncode, done.stdout + done.stderr)
        with urllib.request.urlopen(f"{url}count") as response:
            self.assertEqual({"events": 0, "inserted": 2 * 2 * 10_001}, json.load(response))

    def test_the_event_store_passes_its_own_tests(self) -> None:
        self.install("eventstore")
        originals.run(["mvn", "-B", "-q", "-Dsurefire.rerunFailingTestsCount=1", "test"], originals.ROOT / "originals" / "event-store")

    def test_a_standalone_tomcat_counts_its_requests(self) -> None:
        url = self.start("tomcat")["tomcat-1"]
        phase = self.run_plan("1-phased", "--url", url, "--threads", "5", "--phases", "peak=1 for 10 iterations")
        self.assertEqual((100, 0), (phase["succeeded"], phase["failed"]), phase["failures"])
        with urllib.request.urlopen(f"{url}metrics.json") as response:
            methods = json.load(response)["requests"]["byMethod"]
        # It was also asked whether it is ready.
        self.assertEqual(50, methods["POST"])
        self.assertGreater(methods["GET"], 50)


if __name__ == "__main__":
    unittest.main()
