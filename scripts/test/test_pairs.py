"""Ready descriptions of protocols against the servers that speak them, from registries. Skipped where those aren't reached."""

import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import types
import unittest
import unittest.mock
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(1, str(HERE.parent / "originals"))

import originals

PHASELOAD = HERE.parent / "phaseload"
# Of short runs, compiling is most of the work.
os.environ.setdefault("PHASELOAD_JAVA_OPTS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
JAR = ROOT / "client" / "cli" / "target" / "phaseload.jar"
NODE = {"private": True, "dependencies": {"graphql": "^16", "graphql-ws": "^6", "socket.io": "^4", "ws": "^8"}}
POM = """<project><modelVersion>4.0.0</modelVersion><groupId>none</groupId><artifactId>none</artifactId><version>1</version><packaging>pom</packaging>
<dependencies><dependency><groupId>org.apache.activemq</groupId><artifactId>artemis-server</artifactId><version>2.40.0</version></dependency>
<dependency><groupId>org.apache.activemq</groupId><artifactId>artemis-stomp-protocol</artifactId><version>2.40.0</version></dependency></dependencies></project>"""
CENTRIFUGO = {
    "client": {"insecure": True, "allowed_origins": ["*"], "ping_interval": "1s", "pong_timeout": "500ms"},
    "channel": {"without_namespace": {f"allow_{what}_for_{whom}": True for what in ("publish", "subscribe") for whom in ("anonymous", "client")}},
}
MESSAGES = 200


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def node(folder: Path) -> None:
    (folder / "package.json").write_text(json.dumps(NODE), encoding="utf-8")
    originals.run(["npm", "install", "--no-audit", "--no-fund"], folder)


def artemis(folder: Path) -> None:
    (folder / "pom.xml").write_text(POM, encoding="utf-8")
    originals.run(["mvn", "-B", "-q", "dependency:copy-dependencies", "-DincludeScope=runtime", "-DoutputDirectory=lib"], folder)


@unittest.skipUnless(JAR.exists() and shutil.which("java"), f"mvn package makes {JAR}, and it needs java")
class PairsTest(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def installed(self, name: str, needs: tuple, install) -> Path:
        module = types.SimpleNamespace(__name__=name, __file__=__file__, NEEDS=needs, SOURCES=(), install=install)
        try:
            return originals.installed(module, lambda line: print(line, file=sys.stderr))
        except originals.Impossible as reason:
            self.skipTest(str(reason))

    def start(self, *words: object) -> subprocess.Popen:
        process = subprocess.Popen([str(word) for word in words], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def deliver(self, protocol: str, port: int, *options: str) -> dict:
        """The counts of a run, in which each message was delivered."""
        out = self.folder / protocol
        line = [PHASELOAD, "run", f"ws://127.0.0.1:{port}", "--pairs-protocol", protocol, "--pairs", "5", "--subscribers", "2", "--rate", "100/s",
                "--timeout", "20s", "--phases", f"peak=1 for {MESSAGES // 5} iterations", "--quiet", "--out", out, *options]  # fmt: skip
        done = subprocess.run(list(map(str, line)), capture_output=True, text=True, timeout=120, check=False)
        result = json.loads((out / "result.json").read_text(encoding="utf-8")) if (out / "result.json").exists() else {}
        self.assertIn(done.returncode, (0, 4), done.stdout + done.stderr)
        totals = result["totals"]
        counts = (totals["requests"], totals["succeeded"], totals["messages"]["delivery"]["samples"])
        self.assertEqual((MESSAGES, MESSAGES, 2 * MESSAGES), counts, totals["failures"])
        return totals["messages"]

    def test_socket_io_graphql_and_the_wire_of_phoenix(self) -> None:
        installed = self.installed("pairs", ("node", "npm"), node)
        # Modules are looked up beside the file.
        shutil.copy(HERE / "servers" / "pairs.mjs", self.folder)
        (self.folder / "node_modules").symlink_to(installed / "node_modules")
        servers = self.start("node", "pairs.mjs")
        ports = dict(servers.stdout.readline().split() for _ in range(3))
        ignored = {protocol: self.deliver(protocol, int(port))["ignored"] for protocol, port in ports.items()}
        # A mutation has a result and its end, a push has a reply.
        self.assertEqual({"socket.io": 0, "graphql-transport-ws": 2 * MESSAGES, "phoenix": MESSAGES}, ignored)

    def test_deepstream(self) -> None:
        import deepstream

        try:
            installed = originals.installed(deepstream, lambda line: print(line, file=sys.stderr))
        except originals.Impossible as reason:
            self.skipTest(str(reason))
        here = originals.Node(1, "127.0.0.1")
        port = free_port()
        with contextlib.ExitStack() as stack:
            stack.enter_context(unittest.mock.patch.object(deepstream, "PORT", port))
            stack.enter_context(originals.started(deepstream, [here], installed, self.folder / "deepstream-up"))
            for protocol in ("deepstream", "deepstream-json"):
                self.assertEqual(0, self.deliver(protocol, port)["ignored"])

    def test_stomp(self) -> None:
        installed = self.installed("artemis", ("java", "mvn"), artemis)
        port = free_port()
        broker = self.start("java", "-Xmx256m", "-XX:TieredStopAtLevel=1", "-cp", f"{installed}/lib/*", HERE / "servers" / "Broker.java", port)
        self.assertEqual("ready\n", broker.stdout.readline())
        self.assertEqual(0, self.deliver("stomp", port)["ignored"])

    @unittest.skipUnless(shutil.which("centrifugo"), "no centrifugo: go install github.com/centrifugal/centrifugo/v6@v6.9.1")
    def test_centrifugo(self) -> None:
        port = free_port()
        config = {"http_server": {"address": "127.0.0.1", "port": str(port)}, **CENTRIFUGO}
        (self.folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
        server = self.start("centrifugo", "--config", "config.json")
        listens = originals.listens("127.0.0.1", port)
        while not listens():
            self.assertIsNone(server.poll())
            time.sleep(0.1)
        self.deliver("centrifugo", port)


if __name__ == "__main__":
    unittest.main()
