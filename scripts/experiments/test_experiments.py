"""Each experiment at a small size, with the jar that the build left; no figure of speed is looked at."""

import base64
import csv
import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import unittest.mock as mock
import urllib.error
import urllib.request
from pathlib import Path

import experiments
import hosts
import real_cassandra
import stand_ins

HERE = Path(__file__).resolve().parent
# Of short runs, compiling is most of the work.
os.environ.setdefault("PHASELOAD_JAVA_OPTS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
NAMESPACES = hosts.namespaces.possible()
JAR = HERE.parent.parent / "client" / "cli" / "target" / "phaseload.jar"


def page(file: Path) -> str:
    """A page with the tables and parts that it has as gzip in base 64."""
    text = file.read_text(encoding="utf-8")
    packed = re.findall(r'id="(?:data|later)">([^<]*)<', text)
    return text + "".join(gzip.decompress(base64.b64decode(of)).decode() for of in packed)


@unittest.skipUnless(JAR.exists() and shutil.which("java"), f"mvn package makes {JAR}, and it needs java")
class ExperimentsTest(unittest.TestCase):
    SCALE = "0.00005"

    def setUp(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def run_experiment(self, number: int, scale: str = SCALE, *more: str) -> Path:
        out = self.folder / "out"
        done = subprocess.run(
            [sys.executable, str(HERE / "experiment"), str(number), "--scale", scale, "--out", str(out), *more],
            capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip
        self.assertEqual(0, done.returncode, done.stdout + done.stderr)
        return out

    def rows(self, folder: Path) -> list:
        with (folder / "trials.csv").open(newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        for row in rows:
            self.assertEqual("ok", row["status"], row)
            self.assertEqual("0", row["failed"], row)
        return rows

    def test_1_all_phases_of_both_targets_count_and_what_breaks_is_cured(self) -> None:
        out = self.folder / "out"
        with mock.patch.object(experiments, "BREAKING", (150,)):
            self.assertEqual(0, experiments.main(["1", "--scale", self.SCALE, "--out", str(out)]))
        for target in ("tomcat", "lambda"):
            rows = self.rows(out / f"{target}-wide")
            # As many iterations as threads, of a GET and a POST each.
            self.assertEqual({"1": "4", "4": "32", "7": "84"}, {row["threads"]: row["total_ops"] for row in rows})
            self.assertEqual({target}, {row["target"] for row in rows})
        with (out / "phased.csv").open(newline="", encoding="utf-8") as file:
            table = list(csv.DictReader(file))
        # GET and POST together, of the widest: 1 and 7 threads, and 4 between.
        for target in ("tomcat", "lambda"):
            sent = {row["threads"]: (row["sent"], row["ok"]) for row in table if row["target"] == target}
            self.assertEqual({"1": ("8", "8"), "4": ("64", "64"), "7": ("168", "168")}, sent)
        whole = page(out / "phased.html")
        self.assertIn('"target=tomcat"', whole)
        self.assertIn('"target=lambda"', whole)
        self.assertEqual({"150"}, {row["threads"] for row in self.rows(out / "cured")})
        with (out / "broken" / "trials.csv").open(newline="", encoding="utf-8") as file:
            self.assertGreater(sum(int(row["failed"]) for row in csv.DictReader(file)), 0)

    def peak(self, folder: Path) -> dict:
        return json.loads((folder / "result.json").read_text())["phases"][-1]

    def test_2_what_was_written_is_read(self) -> None:
        out = self.run_experiment(2, scale="0.0000005")
        for name in ("write", "read"):
            rows = self.rows(out / name)
            self.assertEqual({name.upper()}, {row["operation"] for row in rows})
            self.assertEqual(["1", "2", "4", "5", "6", "7"], [row["threads"] for row in rows])
        whole = page(out / "clients.html")
        self.assertIn("workload=write", whole)
        self.assertIn("workload=read", whole)
        # A READ for longer than the WRITE finds all that was written, and nothing else.
        written, read = self.peak(out / "write-on")["succeeded"], self.peak(out / "read-on")
        self.assertGreater(written, 0)
        self.assertEqual(written, read["succeeded"])
        self.assertEqual({"key was not written": read["failed"]}, read["failures"])

    def test_2_what_a_store_loses_or_mixes_up_has_a_cause_each(self) -> None:
        with stand_ins.key_value_store(lose=7, mix=5) as store:
            url, read = ["--url", store.url], self.folder / "read"
            for name, out in {"2-write": self.folder / "write", "2-read": read}.items():
                load = ["--threads", "4", "--phases", "peak=1 for 10 iterations", "--quiet", "--out", str(out)]
                subprocess.run([str(hosts.PHASELOAD), "run", "--plan", str(experiments.plan(name)), *url, *load], check=True, stdout=subprocess.DEVNULL)
        # Of 40 keys, each written once: every seventh is lost, and of the others every fifth has another's value.
        self.assertEqual({"key was not written": 5, "data was not validated": 7}, self.peak(read)["failures"])

    @unittest.skipUnless(os.environ.get("PHASELOAD_PLACEMENTS"), "takes half a minute of CPU: with PHASELOAD_PLACEMENTS=1 it runs")
    @unittest.skipUnless(NAMESPACES, "no namespaces here")
    def test_2_agents_on_hosts_of_their_own_and_on_the_servers(self) -> None:
        out = self.run_experiment(2, "0.00000001", "--agents", "2")
        for placement in ("own-hosts", "server-host"):
            for name in ("write", "read"):
                [row] = self.rows(out / placement / name)
                self.assertEqual(("2", placement), (row["threads"], row["placement"]))
        for name in ("write", "read"):
            whole = page(out / f"{name}.html")
            self.assertIn("own-hosts", whole)
            self.assertIn("server-host", whole)

    @unittest.skipUnless(NAMESPACES, "no namespaces here")
    def test_3_each_topology_takes_its_time(self) -> None:
        out = self.run_experiment(3)
        rows = self.rows(out / "latency")
        self.assertEqual(6, len(rows))
        for row in rows:
            topology = experiments.TOPOLOGIES[row["topology"]]
            self.assertGreaterEqual(float(row["min_ms"]), 1000 * (topology.there + topology.back))
        with (out / "clock" / "clock.csv").open(newline="", encoding="utf-8") as file:
            clocks = list(csv.DictReader(file))
        self.assertLessEqual({(name, "coordinator") for name in experiments.TOPOLOGIES}, {(row["of"], row["against"]) for row in clocks})
        for row in clocks:
            true = (self.ahead(row["of"]) - self.ahead(row["against"])) / 1e6
            self.assertTrue(float(row["low_ms"]) <= true <= float(row["high_ms"]), row)

    @staticmethod
    def ahead(name: str) -> int:
        return experiments.TOPOLOGIES[name].ahead if name in experiments.TOPOLOGIES else 0

    def test_4_messages_cross_from_node_to_node_and_each_nodes_cpu_is_beside_them(self) -> None:
        out = self.run_experiment(4)
        self.assert_messages(out)
        whole = page(out / "nodes.html")
        self.assertIn("compared-server", whole)
        self.assertIn("node_3", whole)

    def test_4_agents_share_the_pairs_of_both_sides(self) -> None:
        out = self.run_experiment(4, self.SCALE, "--agents", "2")
        self.assert_messages(out)
        for name in ("one-node", "cluster"):
            agents = json.loads((out / name / "result.json").read_text())["agents"]["members"]
            self.assertEqual(["1/2", "2/2"], [agent["part"] for agent in agents])
            self.assertTrue(all(agent["measured"]["requests"] for agent in agents), agents)
        self.assertIn("node_3", page(out / "nodes.html"))

    def assert_messages(self, out: Path) -> None:
        # Three seconds of 71 and of 212 a second.
        for name, sent, nodes in (("one-node", 213, 1), ("cluster", 636, 3)):
            result = json.loads((out / name / "result.json").read_text())
            peak = result["phases"][-1]
            self.assertEqual(("peak", sent), (peak["name"], peak["asked"]))
            # A busy machine leaves some for when the phase is over.
            self.assertGreater(peak["requests"], 0)
            self.assertEqual(peak["requests"], peak["messages"]["delivery"]["samples"])
            cpus = {figure for figure in peak["server"]["figures"] if figure.endswith(".cpuPercent")}
            self.assertEqual({f"node_{number}.cpuPercent" for number in range(1, nodes + 1)}, cpus)

    def test_5_ten_to_the_n_events_and_a_clean_store_each_time(self) -> None:
        with mock.patch.object(experiments, "CLUSTERS", experiments.CLUSTERS[:2]), mock.patch.object(experiments, "BUFFERS", ("memory-64k", "disk-1m")):
            out = self.folder / "out"
            self.assertEqual(0, experiments.main(["5", "--scale", self.SCALE, "--out", str(out)]))
        with (out / "ingestion.csv").open(newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(list(experiments.INGESTED), list(rows[0]))
        self.assertEqual({"1", "50", "500"}, {row["event_count"] for row in rows})
        # Two clusters, two buffers, three counts, three trials.
        self.assertEqual(2 * 2 * 3 * 3, len(rows))
        for row in rows:
            self.assertEqual("65536.000000" if row["buffer_type"] == "memory-64k" else "1048576.000000", row["buffer_size_in_bytes"])
            self.assertGreaterEqual(float(row["duration_in_ms"]), 2)
            self.assertTrue(row["measured_on"])
        self.assertIn("seconds_per_million", page(out / "ingestion.html"))


class RealTest(unittest.TestCase):
    def test_failures_of_each_consistency_level_have_their_times_and_causes(self) -> None:
        rows = ["due,operation,end_ms,cause", "1000000,one: ONE,500,", "1004000,one: ONE,0,", "1002000,all: ALL,1000,http 503", "1003000,all: ALL,2500,http 503", "1001000,all: ALL,0,"]
        with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
            file.write("\n".join(rows))
            file.flush()
            found = list(real_cassandra.failures("run", Path(file.name), 1002))
        # Since second 1002; the longest time without a success is between their ends.
        self.assertEqual(("run", "ONE", 2, 2, 0, "", "", "", "3.5"), found[0])
        self.assertEqual(("run", "ALL", 3, 1, 2, "http 503: 2", "1.0", "3.5", "0.0"), found[2])

    def test_rows_that_differ_end_the_experiment(self) -> None:
        real_cassandra.agree("a run", 7, (5, 8))
        for counted in (4, 9):
            with self.assertRaises(experiments.Failed):
                real_cassandra.agree("a run", counted, (5, 8))


class StandInsTest(unittest.TestCase):
    def send(self, url: str, method: str = "GET", body: bytes = b"") -> dict:
        with urllib.request.urlopen(urllib.request.Request(url, data=body or None, method=method)) as answer:
            return json.load(answer)

    def test_an_event_store_wants_to_be_cleaned(self) -> None:
        with stand_ins.event_store("local", 1) as store:
            insert = store.url + "measure/memory-64k/insert-events/5"
            self.assertEqual(65536, self.send(insert)["bufferSize"])
            with self.assertRaises(urllib.error.HTTPError):
                self.send(insert)
            token = self.send(store.url + "data", "DELETE")["token"]
            with self.assertRaises(urllib.error.HTTPError):
                self.send(store.url + "clean", "POST", b"another")
            self.send(store.url + "clean", "POST", token.encode())
            self.assertGreaterEqual(self.send(insert)["timeElapsed"], 2)


class ArgumentsTest(unittest.TestCase):
    def test_what_is_wrong_is_one_line(self) -> None:
        for arguments in (["6"], ["1", "--agents", "2"], ["2", "--agents", "x"], ["1", "--scale", "2"], ["1", "--scale", "x"],
                          ["2", "--real", "--url", "http://localhost/"], []):  # fmt: skip
            done = subprocess.run([sys.executable, str(HERE / "experiment"), *arguments], capture_output=True, text=True)
            self.assertEqual((2, "", 1), (done.returncode, done.stdout, len(done.stderr.splitlines())), done)

    def test_sizes(self) -> None:
        full = experiments.Size(1)
        self.assertEqual((10_000, 5000, "4800000ms"), (full.clients(10_000), full.amount(5000), full.seconds(4800, 1)))
        self.assertEqual("1,3,6", experiments.steps(map(experiments.Size(0.001).clients, (10, 20, 100, 200))))


if __name__ == "__main__":
    unittest.main()
