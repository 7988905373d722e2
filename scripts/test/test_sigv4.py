#!/usr/bin/env python3
"""Signatures of `phaseload run --aws-sigv4`, checked by AWS's own library for Python: see install."""

from __future__ import annotations

import datetime
import hashlib
import http.server
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parent))

from cloud import ACCESS_KEY, SCRIPTS, SECRET_KEY

import botocore.auth
import botocore.awsrequest
import botocore.credentials

JAR = SCRIPTS.parent / "client" / "cli" / "target" / "phaseload.jar"


def expected(method: str, url: str, headers: dict[str, str], body: bytes) -> str:
    """The Authorization header of a request with these headers, at the time that its X-Amz-Date says."""
    names = re.search(r"SignedHeaders=([^,]*)", headers["authorization"])[1].split(";")
    credentials = botocore.credentials.Credentials(ACCESS_KEY, SECRET_KEY)
    time = datetime.datetime.strptime(headers["x-amz-date"], "%Y%m%dT%H%M%SZ")
    request = botocore.awsrequest.AWSRequest(
        method=method, url=url, data=body, headers={n: headers[n] for n in names if n != "x-amz-date"})
    with mock.patch.object(botocore.auth, "get_current_datetime", return_value=time):
        botocore.auth.SigV4Auth(credentials, "lambda", "eu-west-1").add_auth(request)
    return request.headers["Authorization"]


class Verifier(http.server.BaseHTTPRequestHandler):
    """Answers 403 to what isn't signed for just this request."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        body = self.rfile.read(int(headers.get("content-length", 0)))
        url = f"http://{headers['host']}{self.path}"
        digest = hashlib.sha256(body).hexdigest()
        good = headers.get("x-amz-content-sha256", digest) == digest and \
            headers.get("authorization") == expected(self.command, url, headers, body)
        self.send_response(200 if good else 403)
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_POST = do_PUT = do_DELETE = do_GET

    def log_message(self, *_: object) -> None:
        pass


@unittest.skipUnless(JAR.is_file() and shutil.which("java"), f"no java, or no {JAR}: mvn package")
class SignatureTest(unittest.TestCase):

    def run_signed(self, secret: str) -> subprocess.CompletedProcess:
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Verifier)
        self.addCleanup(server.server_close)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.shutdown)
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder)
        return subprocess.run(
            ["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-jar", str(JAR), "run", "-c", "2", "-n", "2", "--aws-sigv4", "aws:amz:eu-west-1:lambda",
             "--url", f"http://127.0.0.1:{server.server_address[1]}/base%20path/",
             "--get", "/", "--get", "/?stage=a%2Fb", "--get", "/items/a%20b?z=1&a=%C3%A4%20b&empty=", "--post", "/", "--body", "länge",
             "--put", "/items//x/../ö%2F".replace("ö", "%C3%B6"), "--delete", "/items/a;b=c,d"],
            cwd=folder, capture_output=True, text=True, timeout=120, check=False,
            env={"PATH": "/usr/bin:/bin", "HOME": folder, "AWS_ACCESS_KEY_ID": ACCESS_KEY, "LC_ALL": "C.UTF-8",
                 "AWS_SECRET_ACCESS_KEY": secret, "AWS_EC2_METADATA_DISABLED": "true"})

    def test_each_is_accepted(self):
        done = self.run_signed(SECRET_KEY)
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertIn("Failed requests: 0 (0.00 %)", done.stdout)
        self.assertNotIn(SECRET_KEY, done.stdout + done.stderr)

    def test_none_is_with_another_key(self):
        done = self.run_signed("another")
        self.assertIn("(100.00 %)", done.stdout, done.stderr)
        self.assertIn("http 403", done.stdout)


if __name__ == "__main__":
    unittest.main()
