#!/usr/bin/env python3
"""Tests of deploy-ec2 and destroy-ec2: "$(scripts/test/install)" -m unittest discover scripts/test"""

from __future__ import annotations

import base64
import hashlib
import re
import shlex
import shutil
import subprocess
import sys
import unittest
from pathlib import Path
from xml.etree import ElementTree

sys.path.insert(0, str(Path(__file__).resolve().parent))

from cloud import ACCOUNT, REGION, SCRIPTS, CloudTest, find_aws_cli_2

CIDR = "198.51.100.7/32"
BUCKET = f"phaseload-default-{ACCOUNT}-{REGION}"
ROLE = f"phaseload-default-{REGION}-ec2"
USER_DATA = SCRIPTS / "lib" / "ec2-user-data.sh"


class Ec2Test(CloudTest):

    def setUp(self) -> None:
        super().setUp()
        self.ec2, self.iam, self.s3 = self.client("ec2"), self.client("iam"), self.client("s3")
        self.war = self.folder / "target.war"
        self.war.write_bytes(b"first")

    def deploy(self, *options: str, **more: str):
        return self.run_script("deploy-ec2", "--war", str(self.war), "--cidr", CIDR, *options, **more)

    def deployed(self, *options: str, **more: str):
        done = self.deploy("--yes", *options, **more)
        self.assertEqual(0, done.returncode, done.stderr)
        return done

    def instances(self, *states: str) -> list[dict]:
        filters = [{"Name": "instance-state-name", "Values": list(states or ("pending", "running", "stopped"))}]
        found = self.ec2.describe_instances(Filters=filters)
        return [instance for reservation in found["Reservations"] for instance in reservation["Instances"]]

    def groups(self) -> list[dict]:
        return [g for g in self.ec2.describe_security_groups()["SecurityGroups"] if g["GroupName"] != "default"]

    def everything(self) -> dict:
        return {
            "instances": [i["InstanceId"] for i in self.instances()],
            "groups": [(g["GroupId"], g["IpPermissions"]) for g in self.groups()],
            "profiles": [p["InstanceProfileName"] for p in self.iam.list_instance_profiles()["InstanceProfiles"]],
            "roles": [r["RoleName"] for r in self.iam.list_roles()["Roles"]],
            "buckets": [b["Name"] for b in self.s3.list_buckets()["Buckets"]],
            "objects": [o["ETag"] for b in self.s3.list_buckets()["Buckets"]
                        for o in self.s3.list_objects_v2(Bucket=b["Name"]).get("Contents", [])]}

    def assert_nothing(self) -> None:
        self.assertEqual({}, {kind: names for kind, names in self.everything().items() if names})


class DeployTest(Ec2Test):

    def test_what_there_is_after_it(self):
        self.health.statuses = [503, 404, 200]
        done = self.deploy(answer="y\n")
        self.assertEqual(0, done.returncode, done.stderr)
        for named in (REGION, ACCOUNT, "c6i.large", BUCKET, CIDR, ROLE, "costing money"):
            self.assertIn(named, done.stderr)

        [instance] = self.instances("running")
        url = f"http://{instance['PublicIpAddress']}:8080/"
        self.assertEqual([url, f"scripts/phaseload run --url {url} --get / --post /"], done.stdout.splitlines())
        self.assertEqual("c6i.large", instance["InstanceType"])
        self.assertEqual("required", instance["MetadataOptions"]["HttpTokens"])
        self.assertIn({"Key": "phaseload", "Value": "default"}, instance["Tags"])
        self.assertTrue(instance["IamInstanceProfile"]["Arn"].endswith(f"/{ROLE}"))
        image = self.ec2.describe_images(ImageIds=[instance["ImageId"]])["Images"][0]
        self.assertRegex(image["Name"], r"^al2023-ami-2023.*-x86_64$")

        [group] = self.groups()
        self.assertEqual([group["GroupId"]], [g["GroupId"] for g in instance["NetworkInterfaces"][0]["Groups"]])
        self.assertIn({"Key": "phaseload", "Value": "default"}, group["Tags"])
        [rule] = group["IpPermissions"]
        self.assertEqual((8080, 8080, "tcp", [CIDR]),
                         (rule["FromPort"], rule["ToPort"], rule["IpProtocol"], [r["CidrIp"] for r in rule["IpRanges"]]))

        self.assertEqual(b"first", self.s3.get_object(Bucket=BUCKET, Key="phaseload-server.war")["Body"].read())
        self.assertEqual({True}, set(self.s3.get_public_access_block(Bucket=BUCKET)
                                     ["PublicAccessBlockConfiguration"].values()))
        self.assertEqual([{"Key": "phaseload", "Value": "default"}], self.s3.get_bucket_tagging(Bucket=BUCKET)["TagSet"])
        policy = self.iam.get_role_policy(RoleName=ROLE, PolicyName="read-war")["PolicyDocument"]
        self.assertEqual([("s3:GetObject", f"arn:aws:s3:::{BUCKET}/phaseload-server.war")],
                         [(s["Action"], s["Resource"]) for s in policy["Statement"]])
        self.assertEqual([{"Key": "phaseload", "Value": "default"}], self.iam.list_role_tags(RoleName=ROLE)["Tags"])
        self.assertEqual(3, self.health.asked, "it waits until the target answers")

        data = self.ec2.describe_instance_attribute(InstanceId=instance["InstanceId"], Attribute="userData")
        script = base64.b64decode(data["UserData"]["Value"]).decode()
        self.assertTrue(script.startswith("#!/bin/bash\n"))
        self.assertTrue(script.endswith(USER_DATA.read_text().rstrip("\n")))
        for line in (f"WAR=s3://{BUCKET}/phaseload-server.war", f"WAR_SHA256={hashlib.sha256(b'first').hexdigest()}",
                     "JAVA_VERSION=25", "TOMCAT_VERSION=11.0.24", "PORT=8080", f"REGION={REGION}"):
            self.assertIn(f"\n{line}\n", script)
        subprocess.run(["bash", "-n"], input=script, text=True, check=True)

    def test_again_is_the_same_instance_and_a_new_war_another_one_once_it_answers(self):
        self.deployed()
        [first] = self.instances()
        self.deployed("--cidr", "203.0.113.0/24")
        self.assertEqual([first["InstanceId"]], [i["InstanceId"] for i in self.instances()])
        [group] = self.groups()
        self.assertEqual([["203.0.113.0/24"]],
                         [[r["CidrIp"] for r in p["IpRanges"]] for p in group["IpPermissions"] if p["IpRanges"]])

        self.war.write_bytes(b"second")
        self.health.statuses = [503]
        done = self.deploy("--yes", "--wait", "2")
        self.assertEqual(1, done.returncode)
        self.assertIn(f"no answer from {self.health.url} within 2 s, the last was: HTTP 503", done.stderr)
        self.assertIn("get-console-output", done.stderr)
        self.assertIn(f"scripts/destroy-ec2 --name default --region {REGION}", done.stderr)
        self.assertEqual("", done.stdout)
        self.assertIn(first["InstanceId"], [i["InstanceId"] for i in self.instances("running")])
        self.assertEqual(2, len(self.instances()))

        self.health.statuses = [200]
        self.deployed()
        [second] = self.instances()
        self.assertNotEqual(first["InstanceId"], second["InstanceId"])
        self.assertEqual([first["InstanceId"]], [i["InstanceId"] for i in self.instances("terminated")])
        self.assertEqual(b"second", self.s3.get_object(Bucket=BUCKET, Key="phaseload-server.war")["Body"].read())
        self.assertEqual(1, len(self.groups()))

    def test_arm_in_a_subnet_of_another_network_open_to_the_callers_own_address(self):
        vpc = self.ec2.create_vpc(CidrBlock="10.9.0.0/16")["Vpc"]["VpcId"]
        subnet = self.ec2.create_subnet(VpcId=vpc, CidrBlock="10.9.1.0/24")["Subnet"]["SubnetId"]
        self.health.body = b"192.0.2.44\n"
        self.succeed("deploy-ec2", "--war", str(self.war), "--yes", "--type", "c7g.large", "--subnet", subnet,
                     PHASELOAD_ADDRESS_URL=self.health.url)
        [instance] = self.instances()
        self.assertEqual((subnet, vpc), (instance["SubnetId"], instance["VpcId"]))
        self.assertRegex(self.ec2.describe_images(ImageIds=[instance["ImageId"]])["Images"][0]["Name"], "arm64$")
        self.assertEqual("192.0.2.44/32", self.groups()[0]["IpPermissions"][0]["IpRanges"][0]["CidrIp"])

    def test_no_default_network(self):
        for subnet in self.ec2.describe_subnets()["Subnets"]:
            self.ec2.delete_subnet(SubnetId=subnet["SubnetId"])
        self.ec2.delete_vpc(VpcId=self.ec2.describe_vpcs()["Vpcs"][0]["VpcId"])
        self.assert_usage(self.deploy("--yes"), "has no default VPC: give --subnet")
        self.assert_nothing()

    def test_an_address_that_is_none_opens_nothing(self):
        self.health.body = b"<html>192.0.2.44</html>"
        done = self.run_script("deploy-ec2", "--war", str(self.war), "--yes", PHASELOAD_ADDRESS_URL=self.health.url)
        self.assert_usage(done, "give --cidr")
        self.assert_nothing()

    def test_a_role_that_ec2_hears_of_late(self):
        count = self.folder / "refused"
        self.replace_aws(f'''
            if [[ "$1 $2" == "ec2 run-instances" && ! -e {count} ]]; then
                echo x >{count}
                echo "An error occurred (InvalidParameterValue) when calling the RunInstances operation: Value" \\
                    "({ROLE}) for parameter iamInstanceProfile.name is invalid. Invalid IAM Instance Profile name" >&2
                exit 254
            fi
            exec $AWS "$@"
        ''')
        self.deployed()
        self.assertTrue(count.exists())
        self.assertEqual(1, len(self.instances()))

    def test_a_call_that_fails_ends_it(self):
        self.replace_aws('''
            [[ "$1 $2" != "s3api put-object" ]] || { echo "An error occurred (AccessDenied): no" >&2; exit 254; }
            exec $AWS "$@"
        ''')
        done = self.deploy("--yes")
        self.assertEqual(1, done.returncode)
        self.assertIn("AccessDenied", done.stderr)
        self.assertIn("aws s3api put-object failed", done.stderr)
        self.assertIn("stopped half-way", done.stderr)
        self.assertEqual([], self.instances())

    def test_no_is_no(self):
        for answer in ("n\n", "", "\n"):
            done = self.deploy(answer=answer)
            self.assertEqual(1, done.returncode)
            self.assertIn("nothing was changed", done.stderr)
        self.assert_nothing()

    def test_a_dry_run_shows_calls_that_a_shell_takes_and_changes_nothing(self):
        done = self.deploy("--dry-run")
        self.assertEqual(0, done.returncode, done.stderr)
        self.assert_nothing()
        self.assertEqual(0, self.health.asked)
        words = shlex.split(re.sub(r"\$'(.*)'", "USER-DATA", done.stdout), comments=True)
        self.assertEqual(words.count("aws"), done.stdout.count("\naws ") + 1)
        for call in ("create-bucket", "put-object", "create-role", "create-instance-profile", "create-security-group",
                     "authorize-security-group-ingress", "run-instances", "describe-instances"):
            self.assertIn(call, words)

        self.deployed()
        before = self.everything()
        self.war.write_bytes(b"second")
        done = self.deploy("--dry-run", "--cidr", "0.0.0.0/0")
        self.assertIn("terminate-instances", done.stdout)
        self.assertIn("revoke-security-group-ingress", done.stdout)
        done = self.succeed("destroy-ec2", "--dry-run")
        self.assertIn("aws ec2 delete-security-group", done.stdout)
        self.assertEqual(before, self.everything())


class DestroyTest(Ec2Test):

    def test_it_removes_everything_and_again_is_fine(self):
        self.deployed()
        self.replace_aws('''
            [[ "$1 $2" != "iam get-role" ]] || { echo "An error occurred (AccessDenied): no" >&2; exit 254; }
            exec $AWS "$@"
        ''')
        done = self.run_script("destroy-ec2", "--yes")
        self.assertEqual(1, done.returncode, "what can't be asked for isn't taken for gone")
        self.assertNotIn("nothing", done.stderr)
        self.assertEqual(1, len(self.instances()))

        self.restore_aws()
        done = self.succeed("destroy-ec2", "--yes")
        self.assertIn(BUCKET, done.stderr)
        self.assertIn("nothing is left", done.stderr)
        self.assert_nothing()
        done = self.succeed("destroy-ec2", "--yes")
        self.assertIn("there is nothing", done.stderr)

    def test_another_deployment_stays(self):
        self.deployed()
        self.deployed("--name", "other")
        self.succeed("destroy-ec2", "--yes", "--name", "other")
        self.assertEqual([[{"Key": "phaseload", "Value": "default"}]],
                         [[t for t in i["Tags"] if t["Key"] == "phaseload"] for i in self.instances()])
        self.assertEqual(([BUCKET], [ROLE]), (self.everything()["buckets"], self.everything()["roles"]))
        self.assertEqual(1, len(self.groups()))

    def test_what_is_left_is_said_and_what_is_gone_already_is_passed_over(self):
        self.deployed()
        self.s3.put_object(Bucket=BUCKET, Key="mine", Body=b"x")
        done = self.run_script("destroy-ec2", "--yes")
        self.assertEqual(1, done.returncode)
        self.assertRegex(done.stderr, f"still there of .*\nbucket {BUCKET}\n\\Z")
        self.assertEqual(["buckets", "objects"], [kind for kind, names in self.everything().items() if names])

        self.s3.delete_object(Bucket=BUCKET, Key="mine")
        self.succeed("destroy-ec2", "--yes")
        self.assert_nothing()


class UsageTest(Ec2Test):

    def test_wrong_options_are_one_line_and_change_nothing(self):
        war = ("--war", str(self.war))
        for arguments, message in (
            (["--unknown"], "--unknown: no such option; see --help"), (["x"], "x: expected an option"),
            (["--type"], "--type: expected a value"), (["--type", "--yes"], "--type: expected a value"),
            (["--type=big"], "--type big: expected a type"), (["--name", "My_name"], "--name My_name: expected"),
            (["--wait", "0"], "--wait 0: expected 1 to 3600"), (["--wait", "2m"], "--wait 2m: expected"),
            (["--java", "17"], "--java 17: expected one of 21 25"), (["--region", "moon"], "--region moon: expected"),
            (["--cidr", "1.2.3.4"], "--cidr 1.2.3.4: expected"), (["--cidr", "1.2.3.256/32"], "--cidr"),
            (["--cidr", "1.2.3.4/33"], "--cidr"), (["--subnet", "sub"], "--subnet sub: expected"),
            (["--subnet", "subnet-0123abcd"], f"there is none in {REGION}"), (["--yes=no"], "--yes: no such option"),
            (["--type", "c6i.huge"], "--type c6i.huge: eu-west-1 has no such type"),
            (["--war", "/no/such.war"], "--war /no/such.war: no such file; mvn"),
        ):
            with self.subTest(arguments):
                self.assert_usage(self.run_script("deploy-ec2", *war, "--cidr", CIDR, "--yes", *arguments), message)
        self.assert_usage(self.run_script("destroy-ec2", "--type", "c6i.large"), "--type: no such option")
        self.assert_nothing()

    def test_help(self):
        for script in ("deploy-ec2", "destroy-ec2", "deploy-lambda", "destroy-lambda"):
            done = self.run_script(script, "--help", AWS_REGION=None)
            self.assertEqual((0, ""), (done.returncode, done.stderr))
            self.assertIn("--dry-run", done.stdout)
            self.assertNotIn("#", done.stdout)

    def test_without_the_aws_cli(self):
        (self.path / "aws").rename(self.path / "aws-away")
        self.addCleanup((self.path / "aws-away").rename, self.path / "aws")
        for script in ("destroy-ec2", "destroy-lambda"):
            self.assert_usage(self.run_script(script), "aws is not installed: see https://docs.aws.amazon.com")

    def test_without_credentials_or_region(self):
        done = self.run_script("destroy-ec2", AWS_ACCESS_KEY_ID=None, AWS_SECRET_ACCESS_KEY=None)
        self.assert_usage(done, "AWS doesn't know who is asking")
        self.assert_usage(self.run_script("destroy-ec2", AWS_REGION=None), "no region: give --region")


class UserDataTest(unittest.TestCase):

    def test_shellcheck(self):
        program = shutil.which("shellcheck")
        if not program:
            self.skipTest("shellcheck is not installed")
        done = subprocess.run([program, *map(str, (SCRIPTS / "lib" / "first-boot.sh", USER_DATA))], capture_output=True, text=True, check=False)
        self.assertEqual(0, done.returncode, done.stdout)

    def test_tomcats_settings(self):
        xml = re.search(r"<<XML\n(.*?)\nXML\n", USER_DATA.read_text(), re.S)[1].replace("$PORT", "8080")
        connector = ElementTree.fromstring(xml.encode()).find("Service/Connector")
        self.assertEqual({"port": "8080", "maxThreads": "500", "maxKeepAliveRequests": "-1", "acceptCount": "1024"},
                         {k: connector.get(k) for k in ("port", "maxThreads", "maxKeepAliveRequests", "acceptCount")})

    def test_the_kernel_holds_what_tomcat_asks_for(self):
        text = USER_DATA.read_text()
        kernel = dict(line.split(" = ") for line in re.search(r"<<'SYSCTL'\n(.*?)\nSYSCTL\n", text, re.S)[1].split("\n"))
        accepted = int(re.search(r'acceptCount="(\d+)"', text)[1])
        connections = int(re.search(r'maxConnections="(\d+)"', text)[1])
        self.assertGreaterEqual(int(kernel["net.core.somaxconn"]), accepted)
        self.assertGreaterEqual(int(kernel["net.ipv4.tcp_max_syn_backlog"]), accepted)
        self.assertIn("net.ipv4.ip_local_port_range", kernel)
        self.assertGreater(int(re.search(r"LimitNOFILE=(\d+)", text)[1]), connections)


@unittest.skipUnless(find_aws_cli_2(), "no AWS CLI 2.13 or newer on PATH or in PHASELOAD_AWS_CLI_2")
class AwsCli2Test(Ec2Test):

    aws = find_aws_cli_2()

    def test_deployed_twice_and_destroyed(self):
        self.deployed()
        self.deployed()
        self.assertEqual(1, len(self.instances()))
        self.succeed("destroy-ec2", "--yes")
        self.assert_nothing()


if __name__ == "__main__":
    unittest.main()
