"""up and down with a system of two processes a node that serves a folder; no registry is asked."""

import contextlib
import io
import os
import shutil
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest
import unittest.mock as mock
import urllib.request
from pathlib import Path

import originals
import up

SYSTEM = """
    import sys
    from pathlib import Path
    import originals
    NODES, NEEDS, SOURCES = 2, ("python3",), ()
    FETCH = '''
    import sys, time, urllib.request
    begun = time.monotonic()
    urllib.request.urlopen(sys.argv[1]).read()
    print(time.monotonic() - begun, flush=True)
    time.sleep(1000)
    '''
    # HTTPServer asks for its host's name, which takes seconds where there is none.
    SERVE = '''
    import http.server, socketserver, sys
    socketserver.ThreadingTCPServer.allow_reuse_address = True
    socketserver.ThreadingTCPServer((sys.argv[1], 8080), http.server.SimpleHTTPRequestHandler).serve_forever()
    '''
    def words(script, *arguments):
        return [sys.executable, "-c", script, *arguments, "pretended"]
    def install(folder):
        (folder / "installed").write_text("yes")
    def stages(setup):
        assert (setup.installed / "installed").exists()
        serve = [originals.Process(f"server-{n.number}", n, f"http://{n.address}:8080/", words(SERVE, n.address),
                                   originals.responds(f"http://{n.address}:8080/")) for n in setup.nodes]
        log = Path(setup.data).parent / "client.log"
        client = originals.Process("client", setup.nodes[0], "", words(FETCH, serve[-1].address),
                                   lambda: log.exists() and log.read_text().endswith("\\n"))
        return [serve, [client]]
"""
COMMAND = "import originals, up, sys; originals.SYSTEMS = ('pretended',); sys.exit(up.up(['pretended']))"


@unittest.skipIf(shutil.which("ps") is None, "no ps")
class UpTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, folder)
        (folder / "pretended.py").write_text(textwrap.dedent(SYSTEM))
        paths = {"XDG_CACHE_HOME": str(folder / "cache"), "PYTHONPATH": str(folder)}
        for patch in (mock.patch.dict(os.environ, paths), mock.patch.object(originals, "SYSTEMS", ("pretended",)), mock.patch.object(sys, "path", [*sys.path, str(folder)])):
            patch.start()
            self.addCleanup(patch.stop)
        self.addCleanup(self.said, up.down)
        self.module = folder / "pretended.py"
        sys.modules.pop("pretended", None)

    def said(self, command, *arguments: str) -> tuple:
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                code = command(list(arguments))
            except SystemExit as end:
                code = end.code
        return code, out.getvalue(), err.getvalue()

    def assert_nothing_left(self) -> None:
        self.assertEqual(["lock"], [each.name for each in up.folder().iterdir()])
        shown = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
        self.assertEqual([], [line for line in shown.splitlines() if "pretended" in line])
        if up.ROOT:
            self.assertNotIn("phaseload", subprocess.run(["ip", "link"], capture_output=True, text=True, check=True).stdout)

    def test_what_is_up_responds_and_down_leaves_nothing(self) -> None:
        code, out, err = self.said(up.up, "pretended")
        self.assertEqual((0, 1), (code, len(err.splitlines())), err)
        # Each process has a line, with its address at the end.
        lines = {line.split()[0]: line.split() for line in out.splitlines()[2:-1]}
        self.assertEqual(["server-1", "server-2", "client"], list(lines))
        for name in ("server-1", "server-2"):
            with urllib.request.urlopen(lines[name][-1]) as response:
                self.assertEqual(200, response.status)
        self.assertEqual((2, "", "up: pretended is up already: expected down before\n"), self.said(up.up, "pretended"))
        self.assertIn("pretended is down after", self.said(up.down)[1])
        self.assert_nothing_left()
        self.assertEqual((0, "nothing is up\n", ""), self.said(up.down))

    def test_output_ends_with_up(self) -> None:
        line = [sys.executable, "-c", COMMAND]
        done = subprocess.run(line, capture_output=True, text=True, timeout=30, check=False, cwd=originals.HERE)
        self.assertEqual((0, "scripts/originals/down ends it"), (done.returncode, done.stdout.splitlines()[-1]))

    @unittest.skipUnless(up.ROOT, "delays need root on Linux")
    def test_packets_between_nodes_are_late_and_those_of_clients_are_not(self) -> None:
        self.assertEqual(0, self.said(up.up, "pretended", "--delay", "150ms")[0])
        # A connection and a response: two ways there and back.
        self.assertGreaterEqual(float((up.folder() / "client.log").read_text()), 0.6)
        begun = time.monotonic()
        with urllib.request.urlopen("http://10.88.2.2:8080/"):
            self.assertLess(time.monotonic() - begun, 0.6)

    @unittest.skipUnless(up.ROOT, "hosts need root on Linux")
    def test_local_nodes_share_a_host(self) -> None:
        code, out, _ = self.said(up.up, "pretended", "--place", "local", "--nodes", "3")
        self.assertEqual(0, code)
        for number in (2, 3, 4):
            self.assertIn(f"http://10.88.1.{number}:8080/", out)

    def test_a_process_that_ends_is_the_reason(self) -> None:
        # No whole line, which it would be ready by.
        self.module.write_text(self.module.read_text() + "FETCH = 'import sys; sys.stderr.write(\"no disk\"); sys.exit(1)'\n")
        code, out, err = self.said(up.up, "pretended")
        self.assertEqual((1, "", "up: client ended with 1: no disk"), (code, out, err.splitlines()[-1]))
        self.assertEqual("nothing is up\n", self.said(up.down)[1])
        self.assert_nothing_left()

    def test_interrupted(self) -> None:
        self.module.write_text(self.module.read_text() + "FETCH = 'import time; time.sleep(1000)'\n")
        line = [sys.executable, "-c", COMMAND]
        with subprocess.Popen(line, stderr=subprocess.PIPE, text=True, cwd=originals.HERE, env={**os.environ, "PYTHONPATH": f"{self.module.parent}"}) as process:
            while not (up.folder() / "client.log").exists():
                time.sleep(0.05)
            process.terminate()
            _, err = process.communicate(timeout=30)
        self.assertEqual((130, "up: interrupted"), (process.returncode, err.splitlines()[-1]))
        self.assert_nothing_left()

    def test_what_a_killed_one_left_is_removed(self) -> None:
        self.assertEqual(0, self.said(up.up, "pretended")[0])
        pid = up.state()["pid"]
        os.kill(pid, 9)
        while Path(f"/proc/{pid}").exists() and "Z" not in Path(f"/proc/{pid}/stat").read_text():
            time.sleep(0.05)
        self.assertEqual("nothing is up\n", self.said(up.down)[1])
        self.assert_nothing_left()

    def test_what_is_wrong_is_one_line(self) -> None:
        wrong = (
            [], ["oracle"], ["pretended", "--nodes", "0"], ["pretended", "--nodes", "x"], ["pretended", "--delay", "10"], ["pretended", "--delay", "11s"],
            ["pretended", "--delay", "1ms", "--place", "local"], ["pretended", "--place", "far"],
        )  # fmt: skip
        for arguments in wrong:
            code, out, err = self.said(up.up, *arguments)
            self.assertEqual((2, "", 1), (code, out, len(err.splitlines())), arguments)
        self.assertEqual(2, self.said(up.down, "now")[0])


class InstalledTest(unittest.TestCase):
    def test_a_failed_command_says_why_and_leaves_nothing(self) -> None:
        with tempfile.TemporaryDirectory() as folder, mock.patch.dict(os.environ, {"XDG_CACHE_HOME": folder}):
            system = mock.Mock(__file__=__file__, __name__="failing", SOURCES=(), NEEDS=())
            system.install = lambda into: originals.run(["sh", "-c", "echo first; echo '[ERROR] no registry'; exit 1"], into)
            with self.assertRaisesRegex(originals.Impossible, r"^sh -c: \[ERROR\] no registry$"):
                originals.installed(system, lambda _: None)
            self.assertEqual([], list(originals.cache().iterdir()))
            system.NEEDS = ("a-command-that-is-missing",)
            with self.assertRaisesRegex(originals.Impossible, "failing needs a-command-that-is-missing"):
                originals.installed(system)

    def test_changed_sources_are_installed_again(self) -> None:
        with tempfile.TemporaryDirectory() as folder, mock.patch.dict(os.environ, {"XDG_CACHE_HOME": f"{folder}/cache"}):
            source = Path(folder, "source")
            source.write_text("one")
            system = mock.Mock(__file__=__file__, __name__="changing", SOURCES=(source,), NEEDS=())
            first = originals.installed(system, lambda _: None)
            self.assertEqual(first, originals.installed(system))
            source.write_text("two")
            second = originals.installed(system, lambda _: None)
            # The first one may be running.
            self.assertEqual({first, second}, set(originals.cache().iterdir()))
            self.assertEqual(2, system.install.call_count)


if __name__ == "__main__":
    unittest.main()
