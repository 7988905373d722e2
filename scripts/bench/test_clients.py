#!/usr/bin/env python3
"""Tests of what clients are asked and what they tell, which need none of them: python3 scripts/bench/test_clients.py"""

from __future__ import annotations

import contextlib
import io
import json
import os
import shutil
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parent))

import cases
import clients
import command
import install
import native
import stall
from cases import CASES, GET, JOURNEY, JOURNEY_JSON
from client import Load, prepare
from machine import Cores, Jdk
from locust_users import Locust
from measure import RunFailed
from native import H2load, Hey, K6, Oha, Vegeta, Wrk
from onjvm import BareHttpClient, Gatling, JMeter
from phaseload import Phaseload

WRK_OUTPUT = """\
Running 7s test @ http://127.0.0.1:43905/
  1 threads and 64 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency   337.11us   93.57us   8.87ms   91.47%
    Req/Sec   188.55k     7.96k  205.38k    65.71%
  1312893 requests in 7.00s, 194.06MB read
Requests/sec: 187553.12
Transfer/sec:     27.72MB
"""

HEY_OUTPUT = """
Summary:
  Total:\t7.0021 secs
  Requests/sec:\t171381.1544

  Total data:\t6000010 bytes
  Size/request:\t6 bytes

Response time histogram:
  0.000 [1]\t|
  0.003 [999999]\t|■■■■

Status code distribution:
  [200]\t1000000 responses

Error distribution:
  [7]\tGet "http://127.0.0.1:43905/": EOF
  [3]\tGet "http://127.0.0.1:43905/": connect: connection refused
"""


class CountsTest(unittest.TestCase):
    """What clients print is understood."""

    def test_wrk(self):
        self.assertEqual(1_312_893, Wrk().counted(WRK_OUTPUT, GET))

    def test_hey_counts_beyond_a_million_and_adds_errors(self):
        self.assertEqual(1_200_002 + 10, Hey().counted(HEY_OUTPUT, GET))

    def test_h2load_counts_what_is_done(self):
        printed = "requests: 56309 total, 56313 started, 56309 done, 56309 succeeded, 0 failed, 0 errored, 0 timeout"
        self.assertEqual(56_309, H2load().counted(f"finished in 1.00s\n{printed}\n", GET))

    def test_oha_adds_errors(self):
        printed = {"statusCodeDistribution": {"200": 60, "503": 1}, "errorDistribution": {"aborted due to deadline": 4}}
        self.assertEqual(65, Oha().counted(json.dumps(printed), GET))

    def test_k6(self):
        self.assertEqual(16_700, K6().counted('{"http_reqs": {"values": {"count": 16700, "rate": 8350.1}}}', GET))

    def test_vegeta(self):
        self.assertEqual(2_000, Vegeta().counted('{"latencies": {}, "requests": 2000}', GET))

    def test_the_last_of_jmeters_sums_is_the_whole(self):
        printed = "summary +    100 in 00:00:01\nsummary =    405 in 00:00:03 =  121.6/s Avg:    24\n"
        self.assertEqual(405, JMeter(None).counted(printed, GET))

    def test_locust(self):
        self.assertEqual(30, Locust().counted('[{"name": "a", "num_requests": 10}, {"name": "b", "num_requests": 20}]', GET))

    def test_bare_httpclient(self):
        self.assertEqual(6_554, BareHttpClient("-own", "user", 17, None).counted("requests: 6554\n", GET))

    def test_gatling(self):
        printed = "> Global       |       100 |\n---\n> Global       |     6,554 |     6,554 |         0\n> r  | 6,554 |"
        self.assertEqual(6_554, Gatling(None).counted(printed, GET))

    def test_phaseload(self):
        client = Phaseload("threads", [], 17, None)
        self.assertEqual(7400, client.counted('{"totals": {"requests": 7400, "failed": 1}}', GET))

    def test_output_without_a_count(self):
        for client in clients.known({}):
            for output in ("", "Killed\n", "[]", '{"totals": {}}'):
                with self.subTest(client=client.name, output=output):
                    self.assertIsNone(client.counted(output, GET))

    def test_output_without_percentiles(self):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "log").touch()
            for client in clients.known({}):
                if client.keeps_rate:
                    for output in ("", "[]", '{"totals": {}}'):
                        with self.subTest(client=client.name, output=output):
                            self.assertIsNone(client.percentiles(output, Path(folder)))


class AskedTest(unittest.TestCase):
    """Each client is asked for each case that it doesn't refuse."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)
        patched = mock.patch.object(native, "find_program", lambda name: f"/bin/{name}")
        patched.start()
        self.addCleanup(patched.stop)
        jdk = Jdk(Path("/jdk"), "17.0.1")
        self.clients = {client.name: client for client in clients.known({17: jdk})}

    def load(self, case: cases.Case, rate: int = 0) -> Load:
        scheme = "https" if case.tls else "http"
        return Load(f"{scheme}://127.0.0.1:80{case.path}", 64, 7, self.folder, case, rate)

    def asked(self, name: str, load: Load) -> str:
        """Its command and its files."""
        client = self.clients[name]
        prepare(load, client.files(load))
        files = [path.read_text(encoding="utf-8") for path in sorted(self.folder.iterdir()) if path.name != "body"]
        return " ".join([*client.command(load), *files])

    def test_url_connections_and_time(self):
        for client in self.clients.values():
            for case in CASES:
                if client.refuses(case) or client.name.endswith("-25"):
                    continue
                with self.subTest(client=client.name, case=case.name):
                    asked = self.asked(client.name, self.load(case))
                    self.assertIn(f"127.0.0.1:80{case.path if 'phaseload' not in client.name else '/'}", asked)
                    self.assertRegex(asked, r"\b(64|c64|640)\b")
                    self.assertRegex(asked, r"\b[dD]?7s?\b")

    def test_a_body_is_posted(self):
        post = next(case for case in CASES if case.body_bytes)
        for name, expected in {"wrk": "string.rep(\"x\", 1024)", "hey": "-m POST -D", "h2load": "-d ", "k6": "repeat(1024)",
                               "oha": "-m POST -D", "vegeta": "POST http", "jmeter": "x" * 1_024,
                               "gatling": "bench.body=1024", "locust": '"x" * 1024', "phaseload-threads-17": "--post /post --body @"}.items():
            with self.subTest(name):
                self.assertIn(expected, self.asked(name, self.load(post)))
        self.assertEqual(1_024, (self.folder / "body").stat().st_size)

    def test_the_journey_has_its_data_beside_it(self):
        case = next(case for case in CASES if case.journey)
        asked = [name for name, client in self.clients.items() if not client.refuses(case) and not name.endswith("-25")]
        self.assertEqual({"wrk", "k6", "jmeter", "gatling", "locust", "phaseload-threads-17", "phaseload-events-17", "phaseload-agent-17"},
                         {name for name in asked if "httpclient" not in name})
        for name in asked:
            with self.subTest(name):
                self.assertIn("accounts.csv", self.asked(name, self.load(case)))

    def test_a_value_is_compared_in_the_case_of_that_alone(self):
        for name, expected in {"wrk": "tonumber(id) ~= 7", "k6": "r.json('items.0.id') === 7", "jmeter": 'testname="seven" enabled="true"',
                               "gatling": "bench.jsonCheck=true", "locust": '["id"] != 7', "phaseload-threads-17": "json:/items/0/id=7"}.items():
            with self.subTest(name):
                self.assertIn(expected, self.asked(name, self.load(JOURNEY_JSON)))
                self.assertNotIn(expected, self.asked(name, self.load(JOURNEY)))
                self.assertNotIn("@json_check@", self.asked(name, self.load(JOURNEY)))

    def test_http2_is_for_those_who_have_streams(self):
        h2c = next(case for case in CASES if case.http2)
        self.assertEqual(["h2load", "oha", "phaseload-events-17", "phaseload-events-25", "phaseload-agent-17"],
                         [name for name, client in self.clients.items() if not client.refuses(h2c)])
        self.assertIn("--http2 --streams 10 --threads 640", self.asked("phaseload-events-17", self.load(h2c)))
        self.assertIn("-m10", self.asked("h2load", self.load(h2c)))

    def test_a_rate(self):
        for name, expected in {"phaseload-events-17": "--rate 200/s", "h2load": "--rps=3.125", "oha": "-q 200",
                               "k6": "constant-arrival-rate", "vegeta": "-rate 200"}.items():
            with self.subTest(name):
                self.assertIn(expected, self.asked(name, self.load(GET, rate=200)))


class StallTest(unittest.TestCase):

    def test_the_truth_follows_from_the_schedule(self):
        self.assertEqual([0, 900, 990], [round(stall.truth(percent)) for percent in stall.PERCENTS])

    def test_large_deviations_are_remarked_on(self):
        result = stall.Stall([stall.Reported("good", (0.1, 905, None), 10_050), stall.Reported("bad", (0.1, 3, 999), 9_500)])
        section = result.section()
        self.assertEqual(["the truth, by the schedule", "0", "900", "990", "10,000"], section.rows[1])
        self.assertEqual(["good", "0", "905", "–", "10,050"], section.rows[2])
        self.assertEqual(["bad sent 9,500 requests of 10,000", "bad reports a p99 of 0% of the truth"], section.remarks)

    def test_a_failing_client_is_reported_with_its_output(self):
        client = mock.Mock(**{"files.return_value": {}, "command.return_value": ["sh", "-c", "echo no rate; exit 2"]})
        core = sorted(os.sched_getaffinity(0))[0]
        with self.assertRaisesRegex(RunFailed, "ended with exit code 2: no rate"):
            stall.run(client, Cores(core, core))


class InstallTest(unittest.TestCase):

    def test_maven_artifacts_are_there_whole_or_not_at_all(self):
        with tempfile.TemporaryDirectory() as cache, mock.patch.object(install, "CACHE", Path(cache)):
            package = JMeter.package
            self.assertEqual("5.6.3", package.version)

            def fail(*_: object, **__: object) -> None:
                raise install.InstallFailed("no network")

            with mock.patch.object(install, "_call", fail), self.assertRaises(install.InstallFailed):
                package.install()
            self.assertEqual([], list(Path(cache).iterdir()))
            self.assertFalse(package.installed)

            def resolve(command: list[str], **_: str) -> None:
                lib = Path(command[-1].partition("=")[2])
                (lib / "x" / "bin").mkdir(parents=True)
                (lib / "x" / "bin" / "jmeter.properties").touch()
                shutil.make_archive(str(lib / "ApacheJMeter_config-5.6.3"), "zip", lib / "x")
                (lib / "ApacheJMeter_config-5.6.3.zip").rename(lib / "ApacheJMeter_config-5.6.3.jar")

            with mock.patch.object(install, "_call", resolve):
                package.install()
            self.assertTrue((package.folder / "bin" / "jmeter.properties").is_file())
            self.assertTrue((package.folder / "lib" / "junit").is_dir())


class TablesTest(unittest.TestCase):

    def test_a_table_for_each_case_and_number_of_connections(self):
        named = lambda *line: [(case.name, n) for case, n in command.tables(command.parse(list(line)))]
        self.assertEqual([("get", 64)], named())
        self.assertEqual([("https", 1), ("https", 8), ("h2", 1), ("h2", 8)],
                         named("--case", "https,h2,https", "--connections", "1,8"))
        self.assertEqual([], named("--startup"))
        self.assertEqual([("get", 64), ("get", 1000), ("post-1k", 64)], named("--all")[:3])

    def test_an_unknown_case_is_one_line_and_exit_code_2(self):
        with contextlib.redirect_stderr(io.StringIO()) as stderr:
            self.assertEqual(2, command.main(["--case", "get,put"]))
        self.assertRegex(stderr.getvalue(), r"\Abench: .*no case 'put'; known are get, post-1k, .+\n\Z")


if __name__ == "__main__":
    unittest.main()
