#!/usr/bin/env python3
"""The manifest for Kubernetes: "$(scripts/test/install)" -m unittest discover scripts/test"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
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
        for number in ('- name: AGENTS\n              value: "3"\n', "completions: 3\n", "parallelism: 3\n"):
            self.assertEqual(1, text.count(number), number)

    def test_an_overlay_changes_the_image_and_the_number_of_agents_everywhere(self):
        if not shutil.which("kustomize"):
            self.skipTest("no kustomize")
        with tempfile.TemporaryDirectory() as overlay:
            base = Path(overlay) / "base"
            shutil.copytree(FOLDER, base)
            (Path(overlay) / "kustomization.yaml").write_text("""\
resources: [base]
images: [{name: phaseload, newName: registry.example/phaseload, newTag: "1"}]
""")
            manifest = base / "phaseload.yaml"
            manifest.write_text(manifest.read_text().replace("completions: 3", "completions: 7"))
            built = subprocess.run(["kustomize", "build", overlay], capture_output=True, text=True, check=True).stdout
        for words in ("completions: 7\n", "parallelism: 7\n", 'value: "7"\n'):
            self.assertEqual(1, built.count(words), built)
        self.assertEqual(2, built.count("image: registry.example/phaseload:1\n"))


if __name__ == "__main__":
    unittest.main()
