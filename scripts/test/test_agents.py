#!/usr/bin/env python3
"""Tests of deploy-agents and destroy-agents: "$(scripts/test/install)" -m unittest discover scripts/test"""

from __future__ import annotations

import base64
import hashlib
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from cloud import ACCOUNT, REGION, SCRIPTS, CloudTest

BUCKET = f"phaseload-default-a-{ACCOUNT}-{REGION}"
ROLE = f"phaseload-default-{REGION}-agents"
COORDINATOR = "10.0.0.5:7800"


class AgentsTest(CloudTest):

    def setUp(self) -> None:
        super().setUp()
        self.ec2, self.iam, self.s3 = self.client("ec2"), self.client("iam"), self.client("s3")
        self.jar = self.folder / "phaseload.jar"
        self.jar.write_bytes(b"first")
        self.keys = self.folder / "keys"
        self.keys.mkdir(exist_ok=True)
        (self.keys / "secret").write_text("a secret of the tests\n")
        (self.keys / "agent.p12").write_bytes(b"key")

    def deploy(self, *options: str, **more: str):
        return self.run_script("deploy-agents", "--jar", str(self.jar), "--keys", str(self.keys), "--coordinator", COORDINATOR,
                               *options, **more)

    def deployed(self, *options: str):
        done = self.deploy("--yes", *options)
        self.assertEqual(0, done.returncode, done.stderr)
        return done

    def instances(self) -> dict[str, dict]:
        filters = [{"Name": "instance-state-name", "Values": ["pending", "running", "stopped"]}]
        found = self.ec2.describe_instances(Filters=filters)
        return {instance["InstanceId"]: instance for reservation in found["Reservations"] for instance in reservation["Instances"]}

    def groups(self) -> list[dict]:
        return [g for g in self.ec2.describe_security_groups()["SecurityGroups"] if g["GroupName"] != "default"]

    def assert_nothing(self) -> None:
        self.assertEqual(({}, [], [], [], []), (
            self.instances(), self.groups(), self.iam.list_instance_profiles()["InstanceProfiles"],
            self.iam.list_roles()["Roles"], self.s3.list_buckets()["Buckets"]))

    def test_as_many_agents_as_asked_for_more_are_added_and_another_jar_replaces_them(self):
        done = self.deployed()
        self.assertIn(f"run --agents 2 --listen {COORDINATOR} ", done.stdout)
        agents = self.instances()
        self.assertEqual(2, len(agents))
        [group] = self.groups()
        for rule in group["IpPermissions"]:
            self.assertEqual((0, 65535, "tcp"), (rule["FromPort"], rule["ToPort"], rule["IpProtocol"]))
        self.assertEqual({"10.0.0.5/32"}, {r["CidrIp"] for rule in group["IpPermissions"] for r in rule["IpRanges"]})
        self.assertEqual({group["GroupId"]}, {p["GroupId"] for rule in group["IpPermissions"] for p in rule["UserIdGroupPairs"]})
        for identifier, agent in agents.items():
            self.assertEqual([group["GroupId"]], [g["GroupId"] for g in agent["NetworkInterfaces"][0]["Groups"]])
            data = self.ec2.describe_instance_attribute(InstanceId=identifier, Attribute="userData")
            script = base64.b64decode(data["UserData"]["Value"]).decode()
            for line in (f"COORDINATOR={COORDINATOR}", f"BUCKET=s3://{BUCKET}", f"JAR_SHA256={hashlib.sha256(b'first').hexdigest()}",
                         f"KEYS_SHA256={hashlib.sha256(b'a secret of the tests' + bytes([10]) + b'key').hexdigest()}"):
                self.assertIn(f"\n{line}\n", script)
            self.assertNotIn("a secret of the tests", script)
            subprocess.run(["bash", "-n"], input=script, text=True, check=True)
        # Moto gives it to the first of several instances alone.
        self.assertEqual([True], [agent["IamInstanceProfile"]["Arn"].endswith(f"/{ROLE}") for agent in agents.values()
                                  if "IamInstanceProfile" in agent])
        self.assertEqual({"agent.p12", "phaseload.jar", "secret"},
                         {o["Key"] for o in self.s3.list_objects_v2(Bucket=BUCKET)["Contents"]})
        self.assertEqual({True}, set(self.s3.get_public_access_block(Bucket=BUCKET)["PublicAccessBlockConfiguration"].values()))

        first = set(agents)
        self.deployed("--count", "3")
        more = set(self.instances())
        self.assertEqual((2, 3), (len(first), len(more)))
        self.assertLess(first, more)
        self.jar.write_bytes(b"second")
        self.deployed()
        self.assertEqual((2, set()), (len(self.instances()), set(self.instances()) & more))
        self.assertEqual(1, len(self.groups()))

        done = self.succeed("destroy-agents", "--yes")
        self.assertIn("nothing is left", done.stderr)
        self.assert_nothing()

    def test_a_dry_run_changes_nothing_and_wrong_options_are_one_line(self):
        done = self.deploy("--dry-run")
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertIn("aws ec2 run-instances", done.stdout)
        for arguments, message in (
            (["--coordinator", "10.0.0.5"], "--coordinator 10.0.0.5: expected an address and a port"),
            (["--coordinator", "main:7800"], "--cidr main/32: expected IPv4 addresses"),
            (["--count", "0"], "--count 0: expected 1 to 100"), (["--keys", "/no/such"], "--keys /no/such: expected a folder"),
            (["--jar", "/no/such.jar"], "--jar /no/such.jar: no such file; mvn"),
        ):
            with self.subTest(arguments):
                self.assert_usage(self.deploy("--yes", *arguments), message)
        self.assert_usage(self.run_script("deploy-agents", "--yes"), "expected --coordinator HOST:PORT")
        for script in ("deploy-agents", "destroy-agents"):
            self.assertIn("--dry-run", self.run_script(script, "--help").stdout)
        self.assert_nothing()


class UserDataTest(unittest.TestCase):

    def test_the_agent_gets_all_that_it_needs(self):
        text = (SCRIPTS / "lib" / "agent-user-data.sh").read_text()
        self.assertIn("--coordinator $COORDINATOR --name %H --cluster-secret-file secret --cluster-keys agent.p12", text)


if __name__ == "__main__":
    unittest.main()
