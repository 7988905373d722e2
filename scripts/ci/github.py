#!/usr/bin/env python3
"""
The step of action.yml: runs Phaseload, and reports the run to GitHub. Its inputs are INPUT_… in the environment, which no shell
reads. Only Python's standard library is needed.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import shlex
import shutil
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

ROOT = Path(__file__).resolve().parents[2]

PASSED, NO_SUCCESS, INVALID, REGRESSION, UNDECIDED, THRESHOLD = 0, 3, 4, 5, 6, 99
TOLERANCE = "5%"
COMMENT_LIMIT = 60_000
"""GitHub takes 65,536 characters."""


def die(message: str) -> NoReturn:
    print(f"phaseload: {message}", file=sys.stderr)
    raise SystemExit(2)


@dataclass(frozen=True)
class FailOn:
    """The outcomes that fail the step."""

    words: frozenset[str]
    tolerance: str = TOLERANCE

    @staticmethod
    def of(text: str) -> FailOn:
        words, tolerance = set(), TOLERANCE
        for part in filter(None, (part.strip() for part in text.split(","))):
            match = re.fullmatch(r"(threshold|undecided|invalid|suspect|regression|never)(?:\s+(\d+(?:\.\d+)?%))?", part)
            if not match or match[2] and match[1] != "regression":
                die(f"fail-on {part}: expected threshold, undecided, invalid, suspect, regression, regression 10% or never")
            words.add(match[1])
            tolerance = match[2] or tolerance
        if "never" in words and len(words) > 1:
            die("fail-on never cannot be combined with other outcomes")
        return FailOn(frozenset(words), tolerance)

    def fails(self, code: int, verdict: str) -> bool:
        named = {NO_SUCCESS: "invalid", INVALID: "invalid", REGRESSION: "regression", UNDECIDED: "undecided", THRESHOLD: "threshold"}
        if code != PASSED and code not in named:
            return True
        return named.get(code) in self.words or verdict == "SUSPECT" and "suspect" in self.words


@dataclass(frozen=True)
class Inputs:
    """The step's inputs, checked."""

    plan: str
    args: list[str]
    baseline: str
    fail_on: FailOn
    token: str
    command: list[str]

    @staticmethod
    def read(environment: dict[str, str]) -> Inputs:
        def given(name: str) -> str:
            return environment.get("INPUT_" + name, "").strip()

        def words(name: str) -> list[str]:
            try:
                return shlex.split(given(name))
            except ValueError as wrong:
                die(f"{name.lower()}: {wrong}")

        args = words("ARGS")
        for word in args:
            if re.match(r"(--out|--json|-o)(=|$)", word):
                die(f"args {word}: the action sets --out, and reads the files there")
        if not given("PLAN") and not args:
            die("plan or args: expected a plan's file, or the options of a run")
        return Inputs(given("PLAN"), args, given("BASELINE"), FailOn.of(given("FAIL_ON")), given("TOKEN"),
                      words("COMMAND") or [shutil.which("phaseload") or str(ROOT / "scripts/phaseload")])


@contextmanager
def quoted() -> Iterator[None]:
    """Lines in the job's log may quote a server meanwhile, so GitHub reads no commands in them."""
    stop = secrets.token_hex(16)
    print(f"::stop-commands::{stop}", flush=True)
    try:
        yield
    finally:
        print(f"::{stop}::", flush=True)


def run(command: list[str], environment: dict[str, str], **options: Any) -> subprocess.CompletedProcess[str]:
    # A plan may read the environment, and send it anywhere.
    own = {name: value for name, value in environment.items() if not name.startswith("INPUT_")}
    try:
        with quoted():
            return subprocess.run(command, env=own, check=False, encoding="utf-8", **options)
    except OSError as wrong:
        die(f"{command[0]}: {wrong.strerror}")


def warn(text: str) -> None:
    print("::warning::" + text.replace("%", "%25").replace("\r", "").replace("\n", "%0A"), flush=True)


@dataclass(frozen=True)
class Api:
    """GitHub's interface, for the comments of one pull request."""

    url: str
    token: str
    repository: str
    number: int

    def put(self, marker: str, text: str) -> None:
        """Writes the comment that begins with a marker, or replaces it."""
        body = {"body": f"{marker}\n{text}"}
        for comment in self._comments():
            # Others can write a marker, too; their comments stay.
            if comment["body"].startswith(marker) and comment["user"]["type"] == "Bot":
                self._send("PATCH", f"issues/comments/{comment['id']}", body)
                return
        self._send("POST", f"issues/{self.number}/comments", body)

    def _comments(self) -> Iterator[dict[str, Any]]:
        page = 1
        while True:
            found = self._send("GET", f"issues/{self.number}/comments?per_page=100&page={page}")
            yield from found
            if len(found) < 100:
                return
            page += 1

    def _send(self, method: str, path: str, body: object = None) -> Any:
        request = urllib.request.Request(
            f"{self.url}/repos/{self.repository}/{path}", method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": f"Bearer {self.token}", "Accept": "application/vnd.github+json",
                     "Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=30) as response:
            return json.load(response)


def pull_request(environment: dict[str, str]) -> int | None:
    """The number of the pull request that the job runs for."""
    event = json.loads(Path(environment["GITHUB_EVENT_PATH"]).read_text(encoding="utf-8"))
    return event.get("pull_request", {}).get("number")


def append(environment: dict[str, str], name: str, text: str) -> None:
    with open(environment[name], "a", encoding="utf-8") as file:
        file.write(text)


def read(file: Path) -> str:
    return file.read_text(encoding="utf-8") if file.exists() else ""


def compare(inputs: Inputs, results: Path, environment: dict[str, str]) -> tuple[int, str]:
    """The exit code of the comparison with the baseline, and its Markdown."""
    if not inputs.baseline:
        return PASSED, ""
    if not Path(inputs.baseline).is_dir():
        return PASSED, f"No baseline: there is no folder {inputs.baseline}.\n"
    done = run([*inputs.command, "compare", inputs.baseline, str(results), "--markdown", "--fail-on-regression",
                inputs.fail_on.tolerance], environment, stdout=subprocess.PIPE)
    return done.returncode, done.stdout


def comment(inputs: Inputs, text: str, environment: dict[str, str]) -> None:
    number = pull_request(environment)
    if not inputs.token or number is None:
        return
    name = "/".join((environment["GITHUB_WORKFLOW"], environment["GITHUB_JOB"], inputs.plan))
    marker = f"<!-- phaseload {re.sub('[^A-Za-z0-9/._ ]', '_', name)} -->"
    job = f"{environment['GITHUB_SERVER_URL']}/{environment['GITHUB_REPOSITORY']}/actions/runs/{environment['GITHUB_RUN_ID']}"
    shown = text if len(text) <= COMMENT_LIMIT else text[:COMMENT_LIMIT] + "\n\n… the job's summary has the rest."
    api = Api(environment["GITHUB_API_URL"], inputs.token, environment["GITHUB_REPOSITORY"], number)
    try:
        api.put(marker, f"{shown}\n\n[The run, and the page among its artifacts]({job})\n")
    except (urllib.error.URLError, TimeoutError) as wrong:
        warn(f"The comment wasn't written: {wrong}. It needs a token with pull-requests: write.")


def main(environment: dict[str, str]) -> int:
    inputs = Inputs.read(environment)
    results = Path(tempfile.mkdtemp(dir=environment.get("RUNNER_TEMP"))) / "results"
    plan = ["--plan", inputs.plan] if inputs.plan else []
    code = run([*inputs.command, "run", *plan, *inputs.args, "--out", str(results)], environment).returncode

    stored = json.loads(read(results / "result.json") or "{}")
    verdict = stored.get("verdict", {}).get("status", "")
    p99 = stored.get("measured", {}).get("response", {}).get("p99Ms")
    text = read(results / "summary.md")
    if stored:
        compared, table = compare(inputs, results, environment)
        text += "\n" + table if table else ""
        code = code or compared
    append(environment, "GITHUB_OUTPUT", "".join(f"{name}={value}\n" for name, value in {
        "verdict": verdict, "exit-code": code, "p99": "" if p99 is None else f"{p99:.3f}",
        "results": results if stored else ""}.items()))
    if text:
        append(environment, "GITHUB_STEP_SUMMARY", text)
        comment(inputs, text, environment)
    return (code or 1) if inputs.fail_on.fails(code, verdict) else PASSED


if __name__ == "__main__":
    sys.exit(main(dict(os.environ)))
