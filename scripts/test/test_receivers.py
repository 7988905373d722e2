#!/usr/bin/env python3
"""
What a real Prometheus and a real OpenTelemetry collector have of a run, beside its result:
python3 scripts/test/test_receivers.py

It wants the jar and a Prometheus: PROMETHEUS, or prometheus on PATH. Of Debian's, which is too old to receive OTLP, only classic
histograms are looked at; go builds a newer one from the module github.com/prometheus/prometheus. The collector is OTELCOL, or
otelcol on PATH, with the receiver otlp and the exporter otlphttp; its builder makes a small one of these:
go install go.opentelemetry.io/collector/cmd/builder@latest.
"""

from __future__ import annotations

import http.server
import json
import os
import shutil
import socket
import subprocess
import tempfile
import threading
import time
import unittest
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

import faults

COLLECTOR = os.environ.get("OTELCOL") or shutil.which("otelcol")
PROMETHEUS = os.environ.get("PROMETHEUS") or shutil.which("prometheus")
GROWTH = 2 ** (1 / 32)
"""Of the histograms' buckets."""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def await_open(port: int) -> None:
    for _ in range(300):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise AssertionError("the collector isn't ready after 30 s")


class PrometheusTest(unittest.TestCase):
    """One run that Prometheus reads each second, and which sends OTLP to it if it can."""

    @classmethod
    def setUpClass(cls):
        if not PROMETHEUS:
            raise unittest.SkipTest("no Prometheus: set PROMETHEUS to one, or install Debian's")
        if not faults.JAR.is_file():
            raise unittest.SkipTest(f"no {faults.JAR.name}: mvn -q -DskipTests package")
        said = subprocess.run([PROMETHEUS, "--help"], capture_output=True, text=True, check=True)
        cls.receives = "web.enable-otlp-receiver" in said.stdout + said.stderr
        folder = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.port = free_port()
        page = free_port()
        (folder / "prometheus.yml").write_text(f"""
global: {{scrape_interval: 1s}}
scrape_configs:
  - job_name: read
    static_configs: [{{targets: ["127.0.0.1:{page}"]}}]
""")
        server = subprocess.Popen(
            [PROMETHEUS, f"--config.file={folder}/prometheus.yml", f"--storage.tsdb.path={folder}/data",
             f"--web.listen-address=127.0.0.1:{cls.port}",
             *(["--web.enable-otlp-receiver", "--enable-feature=native-histograms"] if cls.receives else [])],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        cls.addClassCleanup(server.wait)
        cls.addClassCleanup(server.kill)
        cls.await_ready()
        cls.started = time.time()
        otlp = ["--otlp", f"http://127.0.0.1:{cls.port}/api/v1/otlp/v1/metrics"] if cls.receives else []
        done = subprocess.run(
            [*faults.SHORT, "-jar", faults.JAR, "run", "--target", "tomcat", "--threads", "4", "--rate", "400/s", "--duration", "2s",
             "--get", "/", "--get", "/missing", "--prometheus", str(page), *otlp, "--quiet", "--out", folder / "out"],
            capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode == 0, done.stderr
        assert "exports failed" not in done.stderr, done.stderr
        cls.result = json.loads((folder / "out" / "result.json").read_text())

    @classmethod
    def await_ready(cls):
        for _ in range(300):
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{cls.port}/-/ready") as answer:
                    if answer.status == 200:
                        return
            except urllib.error.URLError:
                pass
            time.sleep(0.1)
        raise AssertionError("Prometheus isn't ready after 30 s")

    def query(self, expression: str, ways: tuple[str, ...]) -> dict[tuple[str, str], float]:
        """The values by way and phase."""
        asked = urllib.parse.urlencode({"query": expression})
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/api/v1/query?{asked}") as answer:
            rows = json.load(answer)["data"]["result"]
        return {(row["metric"]["job"], row["metric"]["phase"]): float(row["value"][1]) for row in rows
                if row["metric"]["job"] in ways}

    def expected(self, value, ways: tuple[str, ...]) -> dict[tuple[str, str], float]:
        return {(way, phase["name"]): value(phase) for way in ways for phase in self.result["phases"]}

    def compare(self, *ways: str) -> None:
        requests = "sum by (job, phase) (last_over_time(phaseload_requests_total[5m]))"
        self.assertEqual(self.expected(lambda phase: phase["requests"], ways), self.query(requests, ways))
        failures = 'sum by (job, phase) (last_over_time(phaseload_failures_total{cause="http 404"}[5m]))'
        self.assertEqual(self.expected(lambda phase: phase["failed"], ways), self.query(failures, ways))
        if not self.receives:
            count = "sum by (job, phase) (last_over_time(phaseload_response_duration_seconds_count[5m]))"
            self.assertEqual(self.expected(lambda phase: phase["requests"], ways), self.query(count, ways))
            return
        times = "sum by (job, phase) (last_over_time(phaseload_response_duration_seconds[5m]))"
        self.assertEqual(self.expected(lambda phase: phase["requests"], ways), self.query(f"histogram_count({times})", ways))
        median = self.query(f"histogram_quantile(0.5, {times})", ways)
        wanted = self.expected(lambda phase: phase["response"]["p50Ms"] / 1e3, ways)
        for way in ways:
            ratio = median[way, "peak"] / wanted[way, "peak"]
            # The bucket's width, and that to the next time: they count ranks differently.
            self.assertLess(max(ratio, 1 / ratio), GROWTH ** 2, way)

    def test_the_page_that_it_reads_agrees_with_the_result(self):
        self.compare("read")

    def test_the_queries_of_the_dashboard_have_answers(self):
        if not self.receives:
            self.skipTest("this version's functions don't take native histograms over time")
        dashboard = json.loads((faults.ROOT / "charts" / "grafana" / "phaseload.json").read_text())
        for panel in dashboard["panels"]:
            for target in panel["targets"]:
                with self.subTest(panel["title"], expression=target["expr"]):
                    expression = target["expr"].replace("$operation", ".*").replace("$__rate_interval", "10s")
                    asked = urllib.parse.urlencode({"query": expression, "start": self.started, "end": time.time(), "step": 1})
                    with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/api/v1/query_range?{asked}") as answer:
                        rows = json.load(answer)["data"]["result"]
                    # The run has no journeys.
                    self.assertEqual("Journeys" == panel["title"], rows == [])

    def test_what_it_receives_by_otlp_agrees_with_the_result(self):
        if not self.receives:
            self.skipTest("this version receives no OTLP")
        self.compare("phaseload")


class Received(http.server.BaseHTTPRequestHandler):
    """Takes what the collector exports: the last value of each series, by metric, phase and operation or cause."""

    last: dict[tuple[str, ...], dict] = {}

    def do_POST(self):  # noqa: N802
        body = self.rfile.read(int(self.headers["Content-Length"]))
        for resource in json.loads(body)["resourceMetrics"]:
            for metric in (metric for scope in resource["scopeMetrics"] for metric in scope["metrics"]):
                data = metric.get("exponentialHistogram") or metric.get("sum") or metric.get("gauge")
                for point in data["dataPoints"]:
                    labels = {of["key"]: of["value"]["stringValue"] for of in point.get("attributes", [])}
                    self.last[metric["name"], labels.get("phase", ""), labels.get("operation", ""), labels.get("cause", "")] = point
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *words):
        pass


class CollectorTest(unittest.TestCase):
    """A run whose metrics a collector receives, and passes on as JSON."""

    @classmethod
    def setUpClass(cls):
        if not COLLECTOR:
            raise unittest.SkipTest("no OpenTelemetry collector: set OTELCOL to one")
        if not faults.JAR.is_file():
            raise unittest.SkipTest(f"no {faults.JAR.name}: mvn -q -DskipTests package")
        folder = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        receiver = cls.enterClassContext(http.server.ThreadingHTTPServer(("127.0.0.1", 0), Received))
        threading.Thread(target=receiver.serve_forever, daemon=True).start()
        cls.addClassCleanup(receiver.shutdown)
        port = free_port()
        (folder / "collector.yaml").write_text(f"""
receivers: {{otlp: {{protocols: {{http: {{endpoint: "127.0.0.1:{port}"}}}}}}}}
exporters:
  otlphttp: {{endpoint: "http://127.0.0.1:{receiver.server_port}", encoding: json, compression: none, sending_queue: {{enabled: false}}}}
service:
  telemetry: {{metrics: {{level: none}}}}
  pipelines: {{metrics: {{receivers: [otlp], exporters: [otlphttp]}}}}
""")
        collector = subprocess.Popen([COLLECTOR, f"--config={folder}/collector.yaml"], stdout=subprocess.DEVNULL,
                                     stderr=subprocess.DEVNULL)
        cls.addClassCleanup(collector.wait)
        cls.addClassCleanup(collector.kill)
        await_open(port)
        done = subprocess.run(
            [*faults.SHORT, "-jar", faults.JAR, "run", "--target", "tomcat", "--threads", "4", "--rate", "400/s", "--duration", "2s",
             "--get", "/", "--get", "/missing", "--otlp", f"http://127.0.0.1:{port}", "--quiet", "--out", folder / "out"],
            capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode == 0, done.stderr
        assert "--otlp" not in done.stderr, done.stderr
        cls.result = json.loads((folder / "out" / "result.json").read_text())

    def sums(self, metric: str, field: str, cause: str = "") -> dict[str, int]:
        found: dict[str, int] = {}
        for (name, phase, _, of), point in Received.last.items():
            if name == metric and cause in ("", of):
                found[phase] = found.get(phase, 0) + int(point[field])
        return found

    def expected(self, value) -> dict[str, int]:
        return {phase["name"]: value(phase) for phase in self.result["phases"]}

    def test_the_counts_are_those_of_the_result(self):
        self.assertEqual(self.expected(lambda phase: phase["requests"]), self.sums("phaseload.requests", "asInt"))
        self.assertEqual(self.expected(lambda phase: phase["failed"]), self.sums("phaseload.failures", "asInt", "http 404"))
        self.assertEqual(self.expected(lambda phase: phase["requests"]), self.sums("phaseload.response.duration", "count"))

    def test_the_histograms_have_each_time_and_the_percentiles(self):
        for operation in self.result["phases"][2]["operations"]:
            point = Received.last["phaseload.response.duration", "peak", operation["name"], ""]
            growth = 2 ** (2 ** -point["scale"])
            buckets = point["positive"]
            counts = [int(count) for count in buckets["bucketCounts"]]
            self.assertEqual(int(point["count"]), sum(counts) + int(point.get("zeroCount", 0)))
            seconds, seen = 0.0, 0
            for i, count in enumerate(counts):
                seen += count
                if seen >= 0.95 * sum(counts):
                    seconds = growth ** (buckets.get("offset", 0) + i + 1)
                    break
            ratio = seconds / (operation["response"]["p95Ms"] / 1e3)
            # The bucket's end, and that to the next time: they count ranks differently.
            self.assertLess(max(ratio, 1 / ratio), GROWTH ** 2, operation["name"])


if __name__ == "__main__":
    unittest.main()
