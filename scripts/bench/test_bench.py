#!/usr/bin/env python3
"""Tests of the bench that need no client: python3 scripts/bench/test_bench.py"""

from __future__ import annotations

import contextlib
import io
import json
import os
import random
import socket
import ssl
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.request
from dataclasses import replace
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parent))

import arrivals
import clients
import command
import machine
import measure
import section
import server
import startup
import table
from cases import CASES, GET, JOURNEY, JOURNEY_JSON
from client import Start
from measure import Measured, Method, Reading, Run, RunFailed, SideBySide
from server import Nginx, Served, ServerFailed, parse_stub_status
from stamping import ANSWER, StampingServer

STUB_STATUS = """\
Active connections: 65
server accepts handled requests
 131 131 1588208
Reading: 0 Writing: 64 Waiting: 1
"""

RUN = Run(requests=1000, seconds=8.0, micros_per_request=5.0, drift=0.0, requests_per_second=125.0,
          client_core_share=0.99, server_core_share=0.5, other_share=0.0, peak_memory=5 << 20, connections=64,
          served=1600, counted=1600, exit_code=0)


def measured(name: str, *micros: float, **differences: object) -> Measured:
    client = mock.Mock(label=name)
    client.name = name
    client.version.return_value = "1.0"
    return Measured(client, [replace(RUN, micros_per_request=cost, **differences) for cost in micros])


def setUpModule() -> None:
    if not sys.platform.startswith("linux"):
        raise unittest.SkipTest("the bench needs Linux")


class StubStatusTest(unittest.TestCase):

    def test_stub_status(self):
        self.assertEqual((131, 1_588_208), parse_stub_status(STUB_STATUS))
        with self.assertRaises(ServerFailed):
            parse_stub_status("<html>404 Not Found</html>")


@unittest.skipIf(Nginx.missing(), "nginx is not installed")
class NginxTest(unittest.TestCase):

    def setUp(self):
        self.nginx = Nginx(sorted(os.sched_getaffinity(0))[0], 8)
        self.nginx.__enter__()
        self.addCleanup(self.nginx.__exit__)

    def test_a_body_is_read_to_its_end_and_counted_as_a_request(self):
        """What were left of it would be taken for the next request."""
        port = int(self.nginx.url(GET).split(":")[2].rstrip("/"))
        before = self.nginx.settled()
        with socket.create_connection(("127.0.0.1", port), timeout=10) as peer, peer.makefile("rb") as answers:
            for _ in range(3):
                peer.sendall(b"POST /post HTTP/1.1\r\nHost: x\r\nContent-Length: 1024\r\n\r\n" + b"x" * 512)
                peer.sendall(b"y" * 512)
                head = b"".join(iter(answers.readline, b"\r\n"))
                self.assertIn(b"200 OK", head)
                self.assertEqual(b"alive", answers.read(5))
        after = self.nginx.settled()
        self.assertEqual((3, 1), (after.requests - before.requests, after.connections - before.connections))

    def test_each_case_is_answered_with_its_bytes(self):
        trusting = ssl._create_unverified_context()
        for case in CASES:
            if self.nginx.cannot(case) or case.name == "h2c":  # which speaks nothing else
                continue
            with self.subTest(case.name):
                body = b"x" * case.body_bytes if case.body_bytes else None
                with urllib.request.urlopen(self.nginx.url(case), body, timeout=10, context=trusting) as answer:
                    self.assertEqual(case.answer_bytes, len(answer.read()))


class ProcTest(unittest.TestCase):
    """The readers of /proc agree with the kernel's other ways of reporting the same."""

    def test_cpu_of_this_process(self):
        until = time.process_time() + 0.2
        while time.process_time() < until:
            pass
        times = os.times()
        expected = times.user + times.system + times.children_user + times.children_system
        self.assertAlmostEqual(expected, measure.cpu_seconds([os.getpid()]), delta=0.05)

    def test_cpu_of_a_child_that_has_ended_is_its_parents(self):
        before = measure.cpu_seconds([os.getpid()])
        subprocess.run([sys.executable, "-c", "import time\nwhile time.process_time() < 0.3: pass"], check=True)
        self.assertGreaterEqual(measure.cpu_seconds([os.getpid()]) - before, 0.25)

    def test_family(self):
        child = subprocess.Popen(["sleep", "60"])
        try:
            family = measure.family(os.getpid())
            self.assertEqual(os.getpid(), family[0])
            self.assertIn(child.pid, family)
            self.assertNotIn(os.getppid(), family)
        finally:
            child.kill()
            child.wait()
        self.assertNotIn(child.pid, measure.family(os.getpid()))

    def test_process_that_has_ended(self):
        child = subprocess.Popen(["true"])
        child.wait()
        with self.assertRaises(RunFailed):
            measure.cpu_seconds([child.pid])
        self.assertEqual(0, measure.peak_memory([child.pid]))

    def test_memory_of_this_process(self):
        self.assertGreater(measure.peak_memory([os.getpid()]), 4 << 20)

    def test_name_with_blanks_and_brackets(self):
        with mock.patch.object(measure, "_read", return_value="42 (a) b (c)) S 7 0 0 0 -1 0 0 0 0 0 100 20 3 4 20 0"):
            self.assertEqual(127 / measure.TICKS_PER_SECOND, measure.cpu_seconds([42]))

    def test_a_core_counted_once_however_often_named(self):
        stat = "cpu  9 9 9 9 9 9 9 9 0 0\ncpu0 10 0 20 500 600 1 2 3 99 0\ncpu10 7 7 7 7 7 7 7 7 0 0\n"
        with mock.patch.object(measure, "_read", return_value=stat):
            self.assertEqual(36 / measure.TICKS_PER_SECOND, measure.busy_seconds((0, 0)))


class FiguresTest(unittest.TestCase):

    def test_cpu_per_request(self):
        first = Reading(10.0, Served(1000, 64), client_cpu=3.0, server_cpu=1.0, bench_cpu=0, busy=0)
        last = Reading(18.0, Served(401_000, 64), client_cpu=7.0, server_cpu=5.0, bench_cpu=0, busy=0)
        self.assertAlmostEqual(10.0, measure._micros_per_request(first, last))
        self.assertAlmostEqual(0.5, measure._share("client_cpu", first, last))

    def test_no_request_in_the_window_is_a_failure_and_no_figure(self):
        reading = Reading(10.0, Served(0, 64), client_cpu=3.0, server_cpu=1.0, bench_cpu=0, busy=0)
        with self.assertRaises(RunFailed):
            measure._micros_per_request(reading, replace(reading, client_cpu=4.0))

    def test_median_and_ratio_of_medians(self):
        wrk, other = measured("wrk", 5.0, 90.0, 4.0), measured("other", 11.0, 10.0)
        result = SideBySide(GET, 64, [wrk, other])
        self.assertEqual(5.0, wrk.median("micros_per_request"))
        self.assertEqual((4.0, 90.0), wrk.spread("micros_per_request"))
        self.assertEqual(2.1, result.ratio(other))
        self.assertIsNone(SideBySide(GET, 64, [other]).ratio(other))

    def test_a_client_that_fails_is_left_out_and_the_others_go_on(self):
        good, bad, other = (mock.Mock(label=name, **{"refuses.return_value": why}) for name, why in
                            (("good", ""), ("bad", ""), ("other", "speaks HTTP/1.1 only")))
        good.name, bad.name = "good", "bad"

        def run_client(client: object, *_: object) -> Run:
            if client is bad:
                raise RunFailed("ended before the measured time did, with exit code 2")
            return RUN

        said: list[str] = []
        with mock.patch.object(measure, "run_client", run_client):
            result = measure.side_by_side([bad, good, other], None, GET, 64, Method(1, 1, 2), None, said.append)
        self.assertEqual(["good"], [m.client.name for m in result.measured])
        self.assertEqual(2, len(result.measured[0].runs))
        self.assertEqual({"other": "speaks HTTP/1.1 only"}, result.refusals)
        self.assertEqual({"bad": "ended before the measured time did, with exit code 2"}, result.failures)
        self.assertEqual(3, len(said))


class TableTest(unittest.TestCase):

    def setUp(self):
        self.result = SideBySide(GET, 64, [measured("wrk", 5.0), measured("phaseload-threads-17", 11.5, served=1650)])
        facts = {"date": "2026-01-02T03:04:05Z", "commit": "abc1234", "cpu": "CPU", "cores": 2, "kernel": "Linux 6",
                 "clientCore": 0, "serverCore": 1}
        self.report = table.Report(facts, "nginx 1", Method(5, 8, 3), [m.client for m in self.result.measured],
                                   absent=["hey: not installed"], commands=["taskset -c 0 wrk"],
                                   results=[self.result])

    def test_columns_are_aligned(self):
        self.assertEqual(["name  µs", "a     10", "bcd    2"], section.align([["name", "µs"], ["a", "10"], ["bcd", "2"]]))

    def test_text(self):
        printed = table.text(self.report).splitlines()
        self.assertEqual("phaseload bench, 2026-01-02T03:04:05Z, commit abc1234", printed[0])
        self.assertIn("not measured  hey: not installed", printed)
        row = next(line for line in printed if line.startswith("phaseload-threads-17"))
        self.assertEqual("11.50 11.50 – 11.50 2.30 125 99% 50% 5 64 +50".split(), row.split()[1:])

    def test_markdown_has_as_many_cells_in_each_row(self):
        rows = [line for line in table.markdown(self.report).splitlines() if line.startswith("|")]
        self.assertEqual(4, len(rows))
        self.assertEqual({len(table.COLUMNS) + 1}, {row.count("|") for row in rows})

    def test_lists_in_markdown_are_within_120_columns(self):
        lines = section.Section("A", [["a"]], ["word " * 40, "`a`"]).markdown()[5:]
        self.assertEqual(["- " + "word " * 22 + "word", "  " + "word " * 16 + "word", "- `a`"], lines)

    def test_json(self):
        data = json.loads(table.json_text(self.report))
        phaseload = data["results"][0]["clients"][1]
        self.assertEqual(2.3, phaseload["ratioToBaseline"])
        self.assertEqual(11.5, phaseload["runs"][0]["microsPerRequest"])

    def test_goal(self):
        self.assertTrue(any("2.30, MISSED" in remark for remark in table.remarks(self.result)))
        self.result.measured[1] = measured("phaseload-threads-17", 11.0)
        self.assertTrue(any("2.20, met" in remark for remark in table.remarks(self.result)))
        for doubt in ({"other_share": 0.5}, {"drift": -0.3}):
            self.result.measured[1] = measured("phaseload-threads-17", 11.0, **doubt)
            self.assertTrue(any("2.20, undecided" in remark for remark in table.remarks(self.result)))
        self.assertFalse(any("goal" in remark for remark in table.remarks(replace(self.result, connections=65))))

    def test_the_goal_of_a_json_check(self):
        def results(checked, **how):
            return [SideBySide(JOURNEY, 64, [measured("k6", 40.0), measured("phaseload-events-17", 10.0)]),
                    SideBySide(JOURNEY_JSON, 64, [measured("k6", 44.0), measured("phaseload-events-17", checked, **how)])]

        for checked, how, expected in ((11.5, {}, "1.15, met"), (11.6, {}, "1.16, MISSED"), (11.5, {"drift": -0.3}, "1.15, undecided")):
            without, with_check = results(checked, **how)
            said = table.remarks(with_check, (without, with_check))
            self.assertTrue(any("goal: " in remark and expected in remark for remark in said), said)
            self.assertTrue(any("costs 1.10 × the case without" in remark for remark in said), said)
            self.assertFalse(any("the case without" in remark for remark in table.remarks(without, (without, with_check))))
            elsewhere = replace(without, connections=1_000)
            self.assertFalse(any("the case without" in remark for remark in table.remarks(with_check, (elsewhere, with_check))))

    def test_what_a_reader_must_know_is_remarked_on(self):
        for difference, expected in [
            ({"served": 1664}, "+64 requests beyond the client's own count: no more than were under way"),
            ({"served": 1590}, "-10 requests beyond the client's own count"),
            ({"counted": None}, "no count of its own"),
            ({"connections": 900}, "opened 900 connections for 64"),
            ({"exit_code": 4}, "exit code 4"),
            ({"drift": -0.2}, "cost 20% less than the first"),
            ({"other_share": 0.3}, "other work took up to 30% of a core in 1 of 1 runs"),
        ]:
            with self.subTest(difference):
                remarks = table.remarks(SideBySide(GET, 64, [measured("x", 5.0, **difference)]))
                self.assertEqual(1, len(remarks), remarks)
                self.assertIn(expected, remarks[0])
        self.assertEqual([], table.remarks(SideBySide(GET, 64, [measured("x", 5.0)])))


class MachineTest(unittest.TestCase):

    def test_major_version(self):
        for version, major in [("17.0.15", 17), ("25", 25), ("25-ea", 25), ("1.8.0_402", 8), ("", 0)]:
            self.assertEqual(major, machine.major_version(version), version)

    def test_cpu_list(self):
        self.assertEqual({0, 4, 8, 9, 10}, machine.parse_cpu_list("0,4,8-10\n"))
        self.assertEqual(set(), machine.parse_cpu_list(""))

    def test_one_core(self):
        with mock.patch.object(os, "sched_getaffinity", return_value={3}):
            cores = machine.choose_cores()
        self.assertEqual((3, 3), (cores.client, cores.server))
        self.assertIn("share", cores.warnings[0])

    def test_jdks_come_from_java_home_first(self):
        with tempfile.TemporaryDirectory() as home:
            java = Path(home, "bin", "java")
            java.parent.mkdir()
            java.touch(mode=0o755)
            Path(home, "release").write_text('IMPLEMENTOR="x"\nJAVA_VERSION="17.0.99"\n')
            with mock.patch.dict(os.environ, JAVA_HOME=home):
                self.assertEqual("17.0.99", machine.find_jdks()[17].version)


class ArrivalsTest(unittest.TestCase):

    def test_a_request_is_stamped_when_it_is_whole(self):
        with StampingServer() as stamping, \
                socket.create_connection(("127.0.0.1", int(stamping.url.rstrip("/").rpartition(":")[2]))) as peer:
            peer.sendall(b"GET / HTTP/1.1\r\nHost: x")
            stamping.serve(0.05)
            self.assertEqual([], stamping.stamps)
            before = time.time_ns()
            peer.sendall(b"\r\n\r\nGET / HTTP/1.1\r\n\r\nGET /")
            while len(stamping.stamps) < 2:
                stamping.serve(0.01)
            self.assertTrue(before <= stamping.stamps[0] <= stamping.stamps[1] <= time.time_ns())
            self.assertEqual(2 * ANSWER, peer.recv(1_000))
            peer.close()
            stamping.serve(0.01)
            self.assertEqual(2, len(stamping.stamps))

    def test_the_error_of_a_gap_is_how_far_it_is_from_the_rates(self):
        stamps = [i * 500_000 for i in range(1_000)] + [1_000 * 500_000 + 2_000_000]
        said = arrivals.constant(stamps, 2_000)
        self.assertIn("1001 requests; error of a gap: p50 0 µs, p99 0 µs, max 2000 µs; p99 is under 1 ms", said)
        late = [i * 500_000 + (2_000_000 if i % 20 == 0 else 0) for i in range(1_000)]
        self.assertIn("p99 is NOT under 1 ms", arrivals.constant(late, 2_000))

    def test_poisson_arrivals_pass_and_constant_ones_do_not(self):
        drawn = random.Random(1)
        stamps = [0]
        for _ in range(4_000):
            stamps.append(stamps[-1] + round(drawn.expovariate(200) * 1e9))
        self.assertIn("4001 requests; D 0.0", arrivals.poisson(stamps, 200))
        self.assertTrue(arrivals.poisson(stamps, 200).endswith(": passes"))
        self.assertTrue(arrivals.poisson(stamps, 250).endswith(": does NOT pass"))
        self.assertTrue(arrivals.poisson([i * 5_000_000 for i in range(4_000)], 200).endswith(": does NOT pass"))

    def test_wrong_arguments_are_one_line_and_exit_code_2(self):
        for line in (["--rate", "0"], ["--client", "wrk"], ["--client", "none"], ["--poisson-rate", "2/s"], ["x"]):
            with self.subTest(line), contextlib.redirect_stderr(io.StringIO()) as stderr:
                self.assertEqual(2, arrivals.main(line))
                self.assertRegex(stderr.getvalue(), r"\Aarrivals: .+\n\Z")


class StartUpTest(unittest.TestCase):

    def test_the_time_is_from_the_command_to_the_first_byte(self):
        script = "import socket, sys, time; time.sleep(0.3); s = socket.create_connection(('127.0.0.1', " \
                 "int(sys.argv[1]))); time.sleep(0.3); s.send(b'G'); time.sleep(60)"
        port = lambda load: load.url.rstrip("/").rpartition(":")[2]
        taken = startup.first_request(Start("x", lambda load: [sys.executable, "-c", script, port(load)]))
        self.assertTrue(0.6 <= taken.seconds < 30, taken)

    def test_a_client_that_sends_nothing_is_reported_with_its_output(self):
        silent = mock.Mock(**{"starts.return_value": [Start("x", lambda _: ["sh", "-c", "echo no such host"])]})
        result = startup.start_up([silent], 2, lambda _: None)
        self.assertEqual(["x has no figure: sent nothing: no such host"], result.section().remarks)
        self.assertEqual(1, len(result.section().rows))

    def test_goal(self):
        start = Start("x", lambda _: [], goal_seconds=1)
        for seconds, other, outcome in (([0.5, 0.9, 3.0], 0, "met"), ([0.5, 1.1, 1.2], 0, "MISSED"),
                                        ([0.5, 1.1, 1.2], 0.3, "undecided, since other work took 30% of the machine")):
            times = [startup.Time(taken, 0.4, other) for taken in seconds]
            section = startup.StartUp(3, [startup.Started(start, times)]).section()
            self.assertTrue(section.remarks[0].endswith(f"within 1 s: {outcome}"), section.remarks)
            self.assertEqual(["x", f"{seconds[1]:.2f}", f"0.50 – {seconds[2]:.2f}", "0.40"], section.rows[1])


class CommandTest(unittest.TestCase):

    def test_wrong_arguments_are_one_line_and_exit_code_2(self):
        for arguments in (
            ["--seconds", "0"], ["--seconds", "8s"], ["--seconds"], ["--repeats", "-1"], ["--warmup", "1e3"],
            ["--connections", "64,"], ["--connections", "64,x"], ["--connections", "20001"], ["--clients", "ab"],
            ["--clients", "wrk,,hey"], ["--json", "/no/such/folder/x.json"], ["--markdown", "/"], ["--sec", "8"],
            ["--unknown"], ["wrk"],
        ):
            with self.subTest(arguments), contextlib.redirect_stderr(io.StringIO()) as stderr:
                self.assertEqual(2, command.main(arguments))
                self.assertRegex(stderr.getvalue(), r"\Abench: .+\n\Z")

    def test_no_nginx_is_one_line_and_exit_code_2(self):
        with mock.patch.object(server, "_program", return_value=""), \
                contextlib.redirect_stderr(io.StringIO()) as stderr:
            self.assertEqual(2, command.main([]))
        self.assertEqual("bench: nginx is not installed: apt-get install -y nginx (or bench --install)\n",
                         stderr.getvalue())

    def test_defaults(self):
        asked = command.parse([])
        self.assertEqual([64], asked.connections)
        self.assertEqual(Method(12, 8, 3), command.method_of(asked))
        self.assertEqual(Method(5, 5, 2), command.method_of(command.parse(["--all", "--seconds", "5"])))
        self.assertEqual([64, 1000], command.parse(["--connections", "64,1000,64"]).connections)

    def test_a_name_selects_all_that_begin_with_it(self):
        known = clients.known({})
        self.assertEqual(["wrk", "h2load", "oha", "hey", "k6", "vegeta", "jmeter", "gatling", "locust",
                          "httpclient-17", "httpclient-25", "httpclient-own-17", "httpclient-own-25",
                          "httpclient-pool8-17", "httpclient-pool8-25", "httpclient-pool64-17", "httpclient-pool64-25",
                          "phaseload-threads-17", "phaseload-threads-25", "phaseload-virtual-25",
                          "phaseload-events-17", "phaseload-events-25", "phaseload-httpclient-17", "phaseload-httpclient-25",
                          "phaseload-httpclient-own-17", "phaseload-httpclient-own-25",
                          "phaseload-httpclient-pool8-17", "phaseload-httpclient-pool8-25",
                          "phaseload-httpclient-pool64-17", "phaseload-httpclient-pool64-25", "phaseload-agent-17"],
                         [client.name for client in command.select(known, "")])
        self.assertEqual(["hey", "phaseload-threads-17", "phaseload-threads-25"],
                         [client.name for client in command.select(known, "phaseload-threads,hey")])

    def test_an_earlier_build_runs_beside_this_one(self):
        known = clients.known({17: machine.Jdk(Path("/jdk"), "17.0.1")}, Path("old.jar"))
        before = {client.name: client for client in known}["phaseload-before-events-17"]
        self.assertEqual("no old.jar", before.missing())
        self.assertEqual(1, len(before.starts()))

    def test_help_fits_a_screen(self):
        with contextlib.redirect_stdout(io.StringIO()) as stdout, self.assertRaises(SystemExit) as end:
            command.main(["--help"])
        self.assertEqual(0, end.exception.code)
        self.assertLess(stdout.getvalue().count("\n"), 30)


if __name__ == "__main__":
    unittest.main()
