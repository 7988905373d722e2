"""Lints template.yaml, as it is written and as CloudFormation gets it, translated from SAM.

The linter alone would miss what a function's properties may be: they are SAM's until they are translated.
"""

from __future__ import annotations

import copy
import json
import logging
import os
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree
from pathlib import Path

try:
    from samtranslator.translator.transform import transform
    from samtranslator.yaml_helper import yaml_parse
except ImportError:
    transform = None

# The translator warns of metrics that nobody collects.
logging.getLogger("samtranslator").setLevel(logging.ERROR)

LAMBDA = Path(__file__).resolve().parents[3]
TEMPLATE = LAMBDA / "template.yaml"


class NoManagedPolicies:
    """In place of the names of the policies of an AWS account."""

    def load(self) -> dict[str, str]:
        return {}


def written() -> dict:
    return yaml_parse(TEMPLATE.read_text())


def with_runtime(runtime: str) -> dict:
    """With the runtime itself, since the linter doesn't look at the values that a parameter may have."""
    template = written()
    template["Resources"]["Target"]["Properties"]["Runtime"] = runtime
    # Which is unused then.
    del template["Parameters"]["Runtime"]
    return template


def translated(template: dict) -> dict:
    template = copy.deepcopy(template)
    # As it is after `sam package`.
    template["Resources"]["Target"]["Properties"]["CodeUri"] = "s3://bucket/phaseload-lambda.jar"
    os.environ.setdefault("AWS_DEFAULT_REGION", "eu-central-1")
    return transform(template, {}, NoManagedPolicies())


def findings(file: Path) -> list[str]:
    run = subprocess.run([Path(sys.executable).with_name("cfn-lint"), "--format", "json", file],
                         capture_output=True, text=True, check=False)
    if not run.stdout:
        raise AssertionError(run.stderr)
    return [f"{f['Rule']['Id']} {f['Message']}" for f in json.loads(run.stdout)]


def findings_of(template: dict) -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "template.json"
        file.write_text(json.dumps(template))
        return findings(file)


@unittest.skipIf(transform is None, "no SAM translator in this Python, lambda/src/test/scripts/install-tools installs it")
class TemplateTest(unittest.TestCase):

    def test_nothing_is_found_in_what_is_written(self):
        self.assertEqual([], findings(TEMPLATE))

    def test_nothing_is_found_in_what_it_is_translated_to(self):
        runtimes = written()["Parameters"]["Runtime"]["AllowedValues"]
        self.assertEqual(["java25", "java21"], runtimes)
        for runtime in runtimes:
            self.assertEqual([], findings_of(translated(with_runtime(runtime))), runtime)

    def test_a_runtime_that_is_none_would_be_found(self):
        found = findings_of(translated(with_runtime("java99")))
        self.assertTrue(any("java99" in finding for finding in found), found)

    def test_a_snap_start_that_is_none_would_be_found(self):
        template = written()
        template["Resources"]["Target"]["Properties"]["SnapStart"]["ApplyOn"] = "Always"
        self.assertTrue(any("Always" in finding for finding in findings_of(translated(template))))

    def test_the_url_is_the_aliass_since_a_snapshot_is_of_a_version(self):
        resources = translated(written())["Resources"]
        alias, = (name for name, resource in resources.items() if resource["Type"] == "AWS::Lambda::Alias")
        url, = (resource for resource in resources.values() if resource["Type"] == "AWS::Lambda::Url")
        self.assertEqual({"Ref": alias}, url["Properties"]["TargetFunctionArn"])

    def test_the_public_may_call_only_if_there_is_no_authentication(self):
        resources = translated(written())["Resources"]
        alias, = (name for name, resource in resources.items() if resource["Type"] == "AWS::Lambda::Alias")
        public = [resource for resource in resources.values() if resource["Type"] == "AWS::Lambda::Permission"]
        self.assertEqual({"lambda:InvokeFunctionUrl", "lambda:InvokeFunction"},
                         {resource["Properties"]["Action"] for resource in public})
        for resource in public:
            self.assertEqual("IsPublic", resource["Condition"])
            self.assertEqual({"Ref": alias}, resource["Properties"]["FunctionName"])

    def test_it_deploys_the_handler_in_the_jar_that_is_built(self):
        target = written()["Resources"]["Target"]["Properties"]
        handler = LAMBDA / "src/main/java" / (target["Handler"].replace(".", "/") + ".java")
        self.assertTrue(handler.is_file(), handler)
        maven = {"m": "http://maven.apache.org/POM/4.0.0"}
        pom = xml.etree.ElementTree.parse(LAMBDA / "pom.xml")
        jar = pom.findtext("m:properties/m:deployment.jar", namespaces=maven)
        self.assertEqual(jar.replace("${project.build.directory}", "target"), target["CodeUri"])


if __name__ == "__main__":
    unittest.main()
