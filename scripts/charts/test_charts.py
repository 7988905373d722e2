"""Every chart of charts/, over the tables of a run, a sweep and a comparison, in Altair and drawn without a browser."""

import contextlib
import http.server
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import threading
import unittest

import show

PHASELOAD = show.ROOT / "scripts" / "phaseload"
# Of short runs, compiling is most of the work.
os.environ.setdefault("PHASELOAD_JAVA_OPTS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
# Commands that run a plan many times would take minutes.
OF_MANY_RUNS = {
    "runs": [{"minutes": 0.1 * run, "block": 1 + run // 6, "arm": arm, "figure": figure, "value": 20 + run, "folder": f"block-01/{run}"}
             for figure in ("p50", "p95", "p99") for run, arm in enumerate(["A", "A again", "B"] * 4)],
    "capacity": [{"step": step, "load": load, "outcome": outcome, "objective": "p99 < 250ms", "of_limit": 10 * step, "holds": 50,
                  "worst": "yes"} for step, (load, outcome) in enumerate([(20, "held"), (40, "held"), (80, "broke")], 1)],
    "history": [{"place": 1, "panel": "p50 (ms)", "run": run, "started": "2026-11-26 12:00", "value": 20 + run // 5, "level": 20 + run // 5,
                 "segment": str(run // 5), "machine": "vm", "verdict": "VALID" if run % 3 else "SUSPECT", "folder": f"run-{run}"}
                for run in range(1, 10)],
}
MARKS = re.compile(r'<g class="mark-\w+ role-mark[^"]*"[^>]*>\s*<(?:path|rect|line)')


class Answers(http.server.BaseHTTPRequestHandler):
    """A number in JSON; every seventh request fails."""

    protocol_version = "HTTP/1.1"
    count = 0

    def do_GET(self):
        Answers.count += 1
        body = json.dumps({"elapsed": 1 + Answers.count % 5}).encode()
        self.send_response(503 if Answers.count % 7 == 0 else 200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


def phaseload(*arguments):
    subprocess.run([PHASELOAD, *map(str, arguments)], stdout=subprocess.DEVNULL, check=True)


class ChartsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.temporary.cleanup)
        folder = cls.folder = pathlib.Path(cls.temporary.name)
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answers)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        cls.addClassCleanup(server.server_close)
        cls.addClassCleanup(server.shutdown)
        url = f"http://127.0.0.1:{server.server_port}"
        phaseload("run", "--threads", 4, "--phases", "loading=0.5 for 2s, peak=1 for 3s", "--get", "/delay?ms=1",
                  "--get", "/status/503", "--server-metrics", "/metrics.json", "--quiet", "-o", folder / "run")
        phaseload("run", "--threads", 4, "--phases", "peak=1 for 3s", "--get", "/events?count=20&gap=5", "--event-stream",
                  "events count=20", "--quiet", "-o", folder / "streams")
        phaseload("sweep", "--url", url, "--threads", "1,2", "--param", "size=1,2", "--trials", 2, "--warmup",
                  "0s", "--iterations", 60, "--get", "/{size}", "--metric", "elapsed=/elapsed:ms",
                  "--quiet", "-o", folder / "sweep")
        phaseload("compare", folder / "sweep" / "step-01", folder / "sweep" / "step-02", "--force",
                  "--data", folder / "compared.json")
        # Of these sides, a server has told its CPU.
        shutil.copytree(folder / "run", folder / "again")
        phaseload("compare", folder / "run", folder / "again", "--data", folder / "servers.json")
        phaseload("clock", "--agents", "local:2", "--duration", "1s", "--every", "200ms", "-o", folder / "clocks")
        cls.data = {}
        for source in ("run", "sweep", "compared.json"):
            cls.data.update(show.tables(folder / source))
        cls.data.update(show.tables(folder / "clocks" / "clock.json"))
        cls.data["events"] = show.tables(folder / "streams")["events"]
        cls.data["servers"] = show.tables(folder / "servers.json")["servers"]
        cls.data.update(OF_MANY_RUNS)

    def test_every_chart_opens_unchanged_and_shows_something(self):
        self.assertGreater(len(show.names()), 15)
        for name in show.names():
            for theme in ("light", "dark"):
                with self.subTest(chart=name, theme=theme):
                    chart = show.open_chart(name, self.data, theme)
                    svg = io.StringIO()
                    chart.save(svg, format="svg")
                    self.assertRegex(svg.getvalue(), MARKS)
                    self.assertNotRegex(svg.getvalue(), "NaN|Infinity|undefined")

    def test_a_chart_is_written_in_the_format_of_its_name(self):
        beginnings = {"html": b"<!DOCTYPE html>", "svg": b"<svg ", "png": b"\x89PNG", "json": b"{"}
        for kind, beginning in beginnings.items():
            with self.subTest(kind=kind):
                file = self.folder / f"chart.{kind}"
                show.main([str(self.folder / "compared.json"), "changes", "-o", str(file)])
                self.assertEqual(beginning, file.read_bytes().lstrip()[: len(beginning)])

    def test_what_is_wrong_is_said(self):
        for arguments in (["x", "nothing"], ["x", "latency", "-o", "x.gif"]):
            errors = io.StringIO()
            with self.assertRaises(SystemExit) as stopped, contextlib.redirect_stderr(errors):
                show.main(arguments)
            self.assertEqual(2, stopped.exception.code)
            self.assertRegex(errors.getvalue(), "invalid choice|expected a name")
        with self.assertRaisesRegex(SystemExit, "expected a results folder"):
            show.main([str(self.folder), "latency"])


if __name__ == "__main__":
    unittest.main()
