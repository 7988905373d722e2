"""Runs the deploy scripts against a server that plays AWS, with no more on PATH than they say they need."""

from __future__ import annotations

import http.server
import logging
import os
import shutil
import subprocess
import tempfile
import threading
import unittest
from pathlib import Path

try:
    import boto3
    import requests
    from moto.server import ThreadedMotoServer
except ImportError:
    raise unittest.SkipTest(
        'the deploy scripts\' tests need moto: "$(scripts/test/install)" -m unittest discover scripts/test') from None

from warm_aws import WarmAws

logging.getLogger("werkzeug").setLevel(logging.ERROR)  # else a line a request

SCRIPTS = Path(__file__).resolve().parent.parent
REGION = "eu-west-1"
ACCOUNT = "123456789012"
ACCESS_KEY = "AKIAIOSFODNN7EXAMPLE"
SECRET_KEY = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
TOOLS = "basename bash cat curl cut dirname env grep head mktemp rm sed sha256sum tail touch tr".split()


def find_aws_cli_2() -> str:
    """The AWS CLI 2 that PHASELOAD_AWS_CLI_2 names or PATH has; empty if there is none."""
    program = os.environ.get("PHASELOAD_AWS_CLI_2") or shutil.which("aws") or ""
    if program:
        # As new as AWS_ENDPOINT_URL, which came with 2.13.
        words = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout.split("/", 1)
        if words[0] == "aws-cli" and words[1].startswith("2.") and int(words[1].split(".")[1]) >= 13:
            return program
    return ""


class HealthServer:
    """Answers with one status after another, and with the last one from then on."""

    def __init__(self) -> None:
        self.statuses = [200]
        self.body = b""
        self.asked = 0
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                outer.asked += 1
                status = outer.statuses.pop(0) if len(outer.statuses) > 1 else outer.statuses[0]
                self.send_response(status)
                self.send_header("Content-Length", str(len(outer.body)))
                self.end_headers()
                self.wfile.write(outer.body)

            def log_message(self, *_: object) -> None:
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


class CloudTest(unittest.TestCase):
    """A test in an empty account. Whatever a script says is searched for the account's keys."""

    aws = ""  # the AWS CLI that is called; a warm one if it is not named

    @classmethod
    def setUpClass(cls) -> None:
        cls.server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
        cls.server.start()
        cls.addClassCleanup(cls.server.stop)
        host, port = cls.server.get_host_and_port()
        cls.endpoint = f"http://{host}:{port}"
        cls.folder = Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.path = cls.folder / "bin"
        cls.path.mkdir()
        for tool in TOOLS:
            (cls.path / tool).symlink_to(shutil.which(tool))
        cls.program("sleep", "#!/bin/sh\nexec /bin/sleep 0.1\n")
        if not cls.aws:
            warm = WarmAws(cls.folder)
            cls.addClassCleanup(warm.stop)
            cls.aws = str(warm.program)
            cls.addClassCleanup(setattr, cls, "aws", "")
        cls.restore_aws()

    @classmethod
    def program(cls, name: str, text: str) -> None:
        (cls.path / name).unlink(missing_ok=True)
        (cls.path / name).write_text(text)
        (cls.path / name).chmod(0o755)

    def setUp(self) -> None:
        requests.post(f"{self.endpoint}/moto-api/reset", timeout=10)
        requests.post(f"{self.endpoint}/moto-api/config", json={"lambda": {"use_docker": False}}, timeout=10)
        self.health = HealthServer()
        self.addCleanup(self.health.close)

    def replace_aws(self, text: str) -> None:
        """Puts a program before the AWS CLI, which it can call as $AWS, for this test."""
        self.program("aws", f"#!/bin/bash\nAWS={self.aws}\n{text}")
        self.addCleanup(self.restore_aws)

    @classmethod
    def restore_aws(cls) -> None:
        cls.program("aws", f'#!/bin/sh\nexec {cls.aws} "$@"\n')

    def client(self, service: str):
        return boto3.client(service, region_name=REGION, endpoint_url=self.endpoint, aws_access_key_id="x",
                            aws_secret_access_key="x")

    def run_script(self, script: str, *arguments: str, answer: str = "", **environment: str | None
                   ) -> subprocess.CompletedProcess:
        variables = {
            "PATH": str(self.path), "HOME": str(self.folder), "AWS_ENDPOINT_URL": self.endpoint, "AWS_REGION": REGION,
            "AWS_ACCESS_KEY_ID": ACCESS_KEY, "AWS_SECRET_ACCESS_KEY": SECRET_KEY, "AWS_EC2_METADATA_DISABLED": "true",
            "PHASELOAD_HEALTH_URL": self.health.url, **environment}
        done = subprocess.run([str(SCRIPTS / script), *arguments], input=answer, capture_output=True, text=True,
                              env={k: v for k, v in variables.items() if v is not None}, timeout=600, check=False)
        for secret in (ACCESS_KEY, SECRET_KEY):
            self.assertNotIn(secret, done.stdout + done.stderr)
        return done

    def succeed(self, script: str, *arguments: str, **more: str) -> subprocess.CompletedProcess:
        done = self.run_script(script, *arguments, **more)
        self.assertEqual(0, done.returncode, done.stderr)
        return done

    def assert_usage(self, done: subprocess.CompletedProcess, message: str) -> None:
        self.assertEqual(2, done.returncode, done.stderr)
        self.assertRegex(done.stderr, r"\A[a-z0-9-]+: .*\n\Z")
        self.assertIn(message, done.stderr)
        self.assertEqual("", done.stdout)
