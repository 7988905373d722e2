"""The GitHub Action and the GitLab template, with recorded events, a stand-in of GitHub's interface, and one of Phaseload."""

import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/ci"))

import github  # noqa: E402  pylint: disable=wrong-import-position

EVENTS = Path(__file__).parent / "events"
SCRIPT = ROOT / "scripts/ci/github.py"
JAR = ROOT / "client/cli/target/phaseload.jar"

# Writes its arguments, and the files of a run with the exit code, verdict and p99 that the environment has.
STAND_IN = """#!/usr/bin/env -S python3 -IS
import json, os, pathlib, sys
with open(os.environ["CALLS"], "a") as calls:
    calls.write(json.dumps(sys.argv[1:]) + "\\n")
assert not [name for name in os.environ if name.startswith("INPUT_")]
if sys.argv[1] == "compare":
    print("| p99 | worse |")
    sys.exit(int(os.environ.get("COMPARED", "0")))
print("::set-output name=verdict::FORGED")
if "--out" in sys.argv and not os.environ.get("NOTHING"):
    out = pathlib.Path(sys.argv[sys.argv.index("--out") + 1])
    out.mkdir(parents=True)
    p99 = os.environ.get("P99", "20.5")
    (out / "result.json").write_text(json.dumps({"verdict": {"status": os.environ.get("VERDICT", "VALID")},
        "measured": {"response": {"p99Ms": float(p99) if p99 else None}}}))
    (out / "summary.md").write_text(os.environ.get("SUMMARY", "## Phaseload: run") + "\\n")
sys.exit(int(os.environ.get("CODE", "0")))
"""


class GitHub(ThreadingHTTPServer):
    """A stand-in of GitHub's interface: the comments of a pull request."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.comments = []
        self.calls = []
        self.refuses = False
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def url(self):
        return f"http://127.0.0.1:{self.server_port}"

    def add(self, body, kind="User"):
        self.comments.append({"id": len(self.comments) + 1, "body": body, "user": {"type": kind}})


class Handler(BaseHTTPRequestHandler):

    def answer(self):
        hub = self.server
        path, _, query = self.path.partition("?")
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)) or "null")
        hub.calls.append((self.command, path, self.headers["Authorization"]))
        status, found = 200, None
        if hub.refuses and self.command != "GET":
            status, found = 403, {"message": "Resource not accessible by integration"}
        elif self.command == "POST" and path == "/repos/shop/cart/issues/17/comments":
            hub.add(body["body"], "Bot")
            status = 201
        elif self.command == "PATCH" and (match := re.fullmatch("/repos/shop/cart/issues/comments/([0-9]+)", path)):
            hub.comments[int(match[1]) - 1]["body"] = body["body"]
        elif self.command == "GET" and path == "/repos/shop/cart/issues/17/comments":
            first = (int(re.search(r"\bpage=(\d+)", query)[1]) - 1) * 100
            found = hub.comments[first:first + 100]
        else:
            status = 404
        text = json.dumps(found).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    do_GET = do_POST = do_PATCH = answer

    def log_message(self, format, *args):
        pass


class GitHubActionTest(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.stand_in = self.folder / "bin/phaseload"
        self.stand_in.parent.mkdir()
        self.stand_in.write_text(STAND_IN)
        self.stand_in.chmod(0o755)
        self.hub = GitHub()
        self.addCleanup(self.hub.server_close)
        self.addCleanup(self.hub.shutdown)

    def run_step(self, event="push", runs=None, **inputs):
        for name in "GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY", "CALLS":
            (self.folder / name).write_text("")
        environment = {
            "PATH": f"{self.stand_in.parent}:{os.environ['PATH']}", "RUNNER_TEMP": str(self.folder),
            "GITHUB_EVENT_PATH": str(EVENTS / f"{event}.json"), "GITHUB_API_URL": self.hub.url(), "GITHUB_REPOSITORY": "shop/cart",
            "GITHUB_SERVER_URL": "https://github.example", "GITHUB_RUN_ID": "42", "GITHUB_WORKFLOW": "CI", "GITHUB_JOB": "load",
            **{name: str(self.folder / name) for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY", "CALLS")},
            "INPUT_FAIL_ON": "threshold, invalid, regression", **(runs or {}),
            **{f"INPUT_{name.upper()}": value for name, value in inputs.items()}}
        self.done = subprocess.run([sys.executable, "-I", SCRIPT], env=environment, cwd=self.folder, capture_output=True, text=True,
                                   check=False, timeout=60)
        self.outputs = dict(line.split("=", 1) for line in (self.folder / "GITHUB_OUTPUT").read_text().splitlines())
        self.summary = (self.folder / "GITHUB_STEP_SUMMARY").read_text()
        self.calls = [json.loads(line) for line in (self.folder / "CALLS").read_text().splitlines()]
        return self.done.returncode

    def test_a_run_that_passes(self):
        self.assertEqual(0, self.run_step(plan="load.yaml", args="--label 'build=1 2'"))
        [call] = self.calls
        self.assertEqual(["run", "--plan", "load.yaml", "--label", "build=1 2", "--out"], call[:-1])
        self.assertEqual({"verdict": "VALID", "exit-code": "0", "p99": "20.500", "results": call[-1]}, self.outputs)
        self.assertEqual("## Phaseload: run\n", self.summary)
        self.assertEqual([], self.hub.calls)

    def test_no_shell_reads_inputs(self):
        self.run_step(plan="$(touch hacked).yaml", args="--url 'http://shop.example/?a=$(touch hacked)' `touch hacked` ; touch hacked")
        self.assertIn("$(touch hacked).yaml", self.calls[0])
        self.assertIn("http://shop.example/?a=$(touch hacked)", self.calls[0])
        self.assertFalse((self.folder / "hacked").exists())

    def test_commands_in_the_log_are_stopped(self):
        self.run_step(plan="load.yaml")
        first, said, last = self.done.stdout.splitlines()
        self.assertEqual("::set-output name=verdict::FORGED", said)
        self.assertEqual(f"::{first.removeprefix('::stop-commands::')}::", last)

    def test_outcomes_that_fail(self):
        every = "threshold, invalid, regression"
        for code, verdict, fail_on, fails in (
                (0, "VALID", every, False), (99, "VALID", every, True), (99, "VALID", "invalid", False), (99, "VALID", "never", False),
                (6, "VALID", every, False), (6, "VALID", "threshold, undecided", True),
                (4, "INVALID", "invalid", True), (3, "INVALID", "threshold", False), (3, "INVALID", "invalid", True),
                (130, "VALID", "never", True), (2, "", "never", True), (1, "", "never", True), (0, "SUSPECT", every, False),
                (0, "SUSPECT", "suspect", True), (5, "VALID", "regression 10%", True), (5, "VALID", "threshold", False)):
            with self.subTest(code=code, verdict=verdict, fail_on=fail_on):
                self.assertEqual(fails, github.FailOn.of(fail_on).fails(code, verdict))
        self.assertEqual(99, self.run_step(runs={"CODE": "99"}, plan="load.yaml"))
        self.assertEqual(1, self.run_step(runs={"VERDICT": "SUSPECT"}, plan="load.yaml", fail_on="suspect"))
        self.assertEqual(0, self.run_step(runs={"CODE": "99"}, plan="load.yaml", fail_on="never"))

    def test_nothing_ran(self):
        self.run_step(runs={"CODE": "2", "NOTHING": "1"}, plan="load.yaml", baseline="base")
        self.assertEqual({"verdict": "", "exit-code": "2", "p99": "", "results": ""}, self.outputs)

    def test_too_few_requests_for_a_p99(self):
        self.run_step(runs={"P99": ""}, plan="load.yaml")
        self.assertEqual("", self.outputs["p99"])

    def test_wrong_inputs(self):
        for inputs, message in (
                ({}, "plan or args: expected a plan's file, or the options of a run"),
                ({"args": "--out x"}, "args --out: the action sets --out, and reads the files there"),
                ({"args": "'"}, "args: No closing quotation"),
                ({"plan": "a", "fail_on": "slow"}, "fail-on slow: expected threshold, "),
                ({"plan": "a", "fail_on": "never, invalid"}, "fail-on never cannot be combined with other outcomes")):
            with self.subTest(inputs):
                self.assertEqual(2, self.run_step(**inputs))
                self.assertIn(message, self.done.stderr)
                self.assertEqual([], self.calls)

    def test_a_baseline(self):
        self.run_step(plan="load.yaml", baseline="base")
        self.assertIn("No baseline: there is no folder base.", self.summary)
        (self.folder / "base").mkdir()
        self.run_step(runs={"COMPARED": "5"}, plan="load.yaml", baseline="base", fail_on="regression 10%")
        self.assertEqual(["compare", "base", self.outputs["results"], "--markdown", "--fail-on-regression", "10%"], self.calls[1])
        self.assertIn("| p99 | worse |", self.summary)
        self.assertEqual("5", self.outputs["exit-code"])

    def test_one_comment_updates_itself(self):
        self.hub.add("Nice!")
        for n in range(120):
            self.hub.add(f"comment {n}")
        self.hub.add("<!-- phaseload CI/load/load.yaml -->\nnot ours")
        self.run_step("pull_request", plan="load.yaml", token="t0ken", runs={"SUMMARY": "first"})
        self.run_step("pull_request", plan="load.yaml", token="t0ken", runs={"SUMMARY": "second"})
        self.run_step("pull_request", plan="other.yaml", token="t0ken", runs={"SUMMARY": "another"})
        first, other = (comment["body"] for comment in self.hub.comments[122:])
        self.assertEqual("<!-- phaseload CI/load/load.yaml -->\nsecond\n\n\n"
                         "[The run, and the page among its artifacts](https://github.example/shop/cart/actions/runs/42)\n", first)
        self.assertIn("another", other)
        self.assertEqual("<!-- phaseload CI/load/load.yaml -->\nnot ours", self.hub.comments[121]["body"])
        self.assertEqual({"Bearer t0ken"}, {call[2] for call in self.hub.calls})

    def test_no_comment_without_a_token_or_a_pull_request(self):
        self.run_step("pull_request", plan="load.yaml")
        self.run_step("push", plan="load.yaml", token="t0ken")
        self.assertEqual([], self.hub.calls)

    def test_a_comment_that_is_refused_is_a_warning(self):
        self.hub.refuses = True
        self.assertEqual(0, self.run_step("pull_request", plan="load.yaml", token="t0ken"))
        self.assertIn("::warning::The comment wasn't written: HTTP Error 403", self.done.stdout)
        self.assertNotIn("t0ken", self.done.stdout + self.done.stderr)

    def test_a_long_comment_is_cut(self):
        self.run_step("pull_request", plan="load.yaml", token="t0ken", runs={"SUMMARY": "x" * 70_000})
        self.assertLess(len(self.hub.comments[0]["body"]), 65_536)
        self.assertIn("… the job's summary has the rest.", self.hub.comments[0]["body"])

    def test_expressions_are_in_no_shell(self):
        text = (ROOT / "action.yml").read_text()
        runs = re.findall(r"^ *run: (.*)$", text, re.MULTILINE)
        self.assertEqual(['python3 -I "$GITHUB_ACTION_PATH/scripts/ci/github.py"'], runs)
        read = set(re.findall(r"INPUT_\w+(?=:)", text))
        self.assertEqual({"INPUT_" + name for name in re.findall(r'(?:given|words)\("(\w+)"\)', SCRIPT.read_text())}, read)

    @unittest.skipUnless(JAR.exists(), "no phaseload.jar")
    def test_phaseload_itself(self):
        (self.folder / "plan.yaml").write_text("target: tomcat\nthreads: 2\niterations: 400\nphases: peak=1\nthresholds: [p95 < 1us]\n")
        self.assertEqual(99, self.run_step(plan="plan.yaml", command=f"java -XX:TieredStopAtLevel=1 -jar {JAR}"))
        self.assertIn(self.outputs["verdict"], ("VALID", "SUSPECT"))
        self.assertGreater(float(self.outputs["p99"]), 0)
        self.assertIn("## Phaseload: run", self.summary)
        self.assertTrue((Path(self.outputs["results"]) / "report.html").exists())


class GitLabTest(unittest.TestCase):

    def test_the_template(self):
        try:
            import yaml  # pylint: disable=import-outside-toplevel
        except ImportError:
            self.skipTest("no PyYAML")
        job = yaml.safe_load((ROOT / "scripts/ci/gitlab.yml").read_text())[".phaseload"]
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "phaseload").write_text(STAND_IN)
            (folder / "phaseload").chmod(0o755)
            (folder / "base").mkdir()
            environment = {**job["variables"], "LOAD_PLAN": "my $(plan).yaml", "LOAD_BASELINE": "base", "CALLS": str(folder / "calls"),
                           "PATH": f"{folder}:{os.environ['PATH']}"}
            subprocess.run(["sh", "-ec", "\n".join(job["script"])], env=environment, cwd=folder, check=True, capture_output=True)
            run, compared = (json.loads(line) for line in (folder / "calls").read_text().splitlines())
        self.assertEqual(["run", "--plan", "my $(plan).yaml", "--out", "load-test/results", "--junit", "load-test/junit.xml"], run)
        self.assertEqual(["compare", "base", "load-test/results", "--fail-on-regression", "5%"], compared[:5])
        self.assertEqual({"junit": "load-test/junit*.xml"}, job["artifacts"]["reports"])


if __name__ == "__main__":
    unittest.main()
