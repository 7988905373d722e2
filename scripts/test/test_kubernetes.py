#!/usr/bin/env python3
"""The manifest for Kubernetes: "$(scripts/test/install)" -m unittest discover scripts/test"""

from __future__ import annotations

import subprocess
import sys
import unittest
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / "kubernetes"


class ManifestTest(unittest.TestCase):

    def test_the_manifest_is_what_kubernetes_knows(self):
        validate = Path(sys.executable).parent / "kubernetes-validate"
        if not validate.exists():
            self.skipTest("kubernetes-validate isn't installed")
        done = subprocess.run([validate, "--strict", FOLDER / "phaseload.yaml"], capture_output=True, text=True, check=False)
        said = done.stdout + done.stderr
        self.assertEqual(0, done.returncode, said)
        self.assertEqual(3, said.count(" passed for resource "), said)

    def test_as_many_agents_are_started_as_are_waited_for(self):
        text = (FOLDER / "phaseload.yaml").read_text()
        for number in ("--agents 3 ", "completions: 3\n", "parallelism: 3\n"):
            self.assertEqual(1, text.count(number), number)


if __name__ == "__main__":
    unittest.main()
