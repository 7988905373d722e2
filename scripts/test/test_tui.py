#!/usr/bin/env python3
"""
--tui on a pseudo-terminal: python3 scripts/test/test_tui.py

It wants the jar: mvn -q -DskipTests package. Its terminal is a part of this process, which resizes it and presses Ctrl-C.
"""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import tempfile
import termios
import time
import unittest
from pathlib import Path

import faults

ENTER, LEAVE = "\x1b[?1049h", "\x1b[?1049l"
PATIENCE = 60


class Run:
    """A run on a terminal of so many rows and columns."""

    def __init__(self, folder: str, rows: int, columns: int, *options: str):
        self.printed = ""
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.environ["TERM"] = "xterm"
            for name in ("NO_COLOR", "FORCE_COLOR"):
                os.environ.pop(name, None)
            # A shell has its background jobs ignore Ctrl-C, and so would the run until it reads keys itself.
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            time.sleep(0.2)  # The size is set by then.
            os.execvp(faults.JAVA, [
                *faults.SHORT, "-Dstdout.encoding=UTF-8", "-jar", str(faults.JAR), "run", "--target", "tomcat", "--threads", "4",
                "--rate", "200/s", "--get", "/", "--get", "/missing", "--out", f"{folder}/out", "--tui", *options])
        self.resize(rows, columns)

    def resize(self, rows: int, columns: int) -> None:
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def press(self, key: bytes) -> None:
        os.write(self.terminal, key)

    def read(self, until=lambda printed: False) -> None:
        """Up to the end, or to what a function finds."""
        end = time.monotonic() + PATIENCE
        while not until(self.printed):
            if not select.select([self.terminal], [], [], end - time.monotonic())[0]:
                raise AssertionError(f"it doesn't come: {self.printed[-2000:]!r}")
            try:
                some = os.read(self.terminal, 65_536)
            except OSError:  # The other end is closed.
                return
            if not some:
                return
            self.printed += some.decode("utf-8", "replace")

    def end(self) -> int:
        self.read()
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])

    def frames(self) -> list[list[str]]:
        """The lines of each drawing."""
        screen = self.printed.partition(ENTER)[2].partition(LEAVE)[0]
        return [re.split(r"\r*\n", re.sub(r"\x1b\[[?0-9]*[A-Za-z]", "", frame)) for frame in screen.split("\x1b[H")[1:]]


class ScreenTest(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        if not faults.JAR.is_file():
            raise unittest.SkipTest(f"no {faults.JAR.name}: mvn -q -DskipTests package")

    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())

    def test_the_run_is_drawn_and_follows_the_size_and_the_report_comes_after(self):
        run = Run(self.folder, 40, 100, "--phases", "loading=0.5,peak=1", "--duration", "4s")
        run.read(lambda printed: printed.count("\x1b[H") >= 3)
        run.resize(12, 60)
        self.assertEqual(0, run.end())
        frames = run.frames()
        whole = "\n".join(frames[2])
        for words in (r"^loading 1 of 2 ", r"\[loading, 2 users\]  peak", r"(?m)^requests/s +\d[\d.]* +[▁-█]+$", r"(?m)^p99 +[\d.]+ ms",
                      r"Failures by cause\n +[\d,]+  http 404", r"Response times of loading\n +<= ", "Ctrl-C stops the run"):
            self.assertRegex(whole, words)
        for frame in frames[:3]:
            self.assertLess(max(map(len, frame)), 100)
        last = frames[-1]
        self.assertLessEqual(len(last), 12)
        self.assertLess(max(map(len, last)), 60)
        after = run.printed.rpartition(LEAVE)[2]
        self.assertEqual(1, run.printed.count(ENTER))
        self.assertEqual(1, run.printed.count(LEAVE))
        for words in ("LOADING", "PEAK", "Total number of requests sent: ", "Verdict: "):
            self.assertIn(words, after)

    def test_ctrl_c_gives_the_terminal_back_at_once_and_the_results_are_written(self):
        run = Run(self.folder, 30, 90, "--phases", "peak=1", "--duration", "50s")
        run.read(lambda printed: "Response times" in printed)
        run.press(b"\x03")
        run.read(lambda printed: "Stopping: " in printed)
        self.assertLess(run.printed.index(LEAVE), run.printed.index("Stopping: "))
        self.assertEqual(130, run.end())
        self.assertIn("Total number of requests sent: ", run.printed.rpartition(LEAVE)[2])
        self.assertTrue(Path(self.folder, "out", "result.json").exists())

    def test_a_signal_gives_the_terminal_back(self):
        run = Run(self.folder, 30, 90, "--phases", "peak=1", "--duration", "50s")
        run.read(lambda printed: "Response times" in printed)
        os.kill(run.pid, 15)
        self.assertEqual(130, run.end())
        self.assertEqual(1, run.printed.count(LEAVE))

    def test_without_a_terminal_progress_is_printed_as_lines(self):
        done = subprocess.run(
            [*faults.SHORT, "-jar", faults.JAR, "run", "--target", "tomcat", "--threads", "1", "--iterations", "1", "--get", "/",
             "--out", f"{self.folder}/out", "--tui"], capture_output=True, text=True, timeout=PATIENCE, check=True)
        self.assertIn("--tui: there is no terminal, so progress is printed as lines\n", done.stderr)
        self.assertNotIn("\x1b", done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
