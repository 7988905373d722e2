#!/usr/bin/env python3
"""Tests of deploy-lambda and destroy-lambda: "$(scripts/test/install)" -m unittest discover scripts/test"""

from __future__ import annotations

import json
import re
import shlex
import sys
import unittest
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import requests

from cloud import ACCOUNT, REGION, SCRIPTS, CloudTest, find_aws_cli_2

FUNCTION = "phaseload-default"
ROLE = f"phaseload-default-{REGION}-lambda"
LOG_GROUP = f"/aws/lambda/{FUNCTION}"


class LambdaTest(CloudTest):

    def setUp(self) -> None:
        super().setUp()
        self.functions, self.iam, self.logs = self.client("lambda"), self.client("iam"), self.client("logs")
        self.jar = self.folder / "target.jar"
        self.write_jar("first")

    def write_jar(self, text: str) -> None:
        with zipfile.ZipFile(self.jar, "w") as archive:
            archive.writestr("target.txt", text)

    def answer(self, answer: object) -> None:
        """What the next invocation answers."""
        requests.post(f"{self.endpoint}/moto-api/static/lambda-simple/response",
                      json={"results": [json.dumps(answer)], "region": REGION}, timeout=10)

    def deploy(self, *options: str, **more: str):
        return self.run_script("deploy-lambda", "--jar", str(self.jar), "--yes", *options, **more)

    def deployed(self, *options: str):
        """Deploys; a URL that requires signatures rejects unsigned requests."""
        if "none" in options:
            self.health.statuses = [200]
        else:
            self.health.statuses = [403]
            self.answer({"statusCode": 200})
        done = self.deploy(*options)
        self.assertEqual(0, done.returncode, done.stderr)
        return done

    def versions(self) -> list[str]:
        return [v["Version"] for v in self.functions.list_versions_by_function(FunctionName=FUNCTION)["Versions"]]

    def alias(self) -> str:
        return self.functions.get_alias(FunctionName=FUNCTION, Name="live")["FunctionVersion"]

    def permissions(self) -> list[dict]:
        try:
            policy = self.functions.get_policy(FunctionName=FUNCTION, Qualifier="live")["Policy"]
        except self.functions.exceptions.ResourceNotFoundException:
            return []
        return json.loads(policy)["Statement"]

    def everything(self) -> dict:
        return {"functions": [(f["FunctionName"], f["CodeSha256"]) for f in self.functions.list_functions()["Functions"]],
                "roles": [r["RoleName"] for r in self.iam.list_roles()["Roles"]],
                "logs": [g["logGroupName"] for g in self.logs.describe_log_groups()["logGroups"]]}

    def assert_nothing(self) -> None:
        self.assertEqual({}, {kind: names for kind, names in self.everything().items() if names})


class DeployTest(LambdaTest):

    def test_what_there_is_after_it(self):
        self.health.statuses = [500, 403]
        self.answer({"statusCode": 200})
        done = self.deploy()
        self.assertEqual(0, done.returncode, done.stderr)
        for named in (REGION, ACCOUNT, FUNCTION, LOG_GROUP, ROLE, "costing money", "signed requests"):
            self.assertIn(named, done.stderr)
        self.assertEqual(2, self.health.asked)

        url = self.functions.get_function_url_config(FunctionName=FUNCTION, Qualifier="live")
        self.assertEqual("AWS_IAM", url["AuthType"])
        shown = url["FunctionUrl"].rstrip("/") + "/"
        self.assertEqual([shown, f"scripts/phaseload run --url {shown} --get / --post / --aws-sigv4 aws:amz"], done.stdout.splitlines())
        self.assertEqual([], self.permissions())

        function = self.functions.get_function(FunctionName=FUNCTION, Qualifier="live")
        settings = function["Configuration"]
        self.assertEqual(("java25", 1769, 15, ["x86_64"], f"arn:aws:iam::{ACCOUNT}:role/{ROLE}"),
                         (settings["Runtime"], settings["MemorySize"], settings["Timeout"], settings["Architectures"],
                          settings["Role"]))
        template = (SCRIPTS.parent / "lambda" / "template.yaml").read_text()
        self.assertEqual(re.search(r"Handler: (\S+)", template)[1], settings["Handler"])
        self.assertEqual({"phaseload": "default"}, self.functions.list_tags(Resource=re.sub(
            r":(live|\d+)$", "", settings["FunctionArn"]))["Tags"])
        self.assertEqual(["$LATEST", self.alias()], self.versions())

        self.assertEqual([("phaseload", "default")], [(t["Key"], t["Value"]) for t in
                                                      self.iam.list_role_tags(RoleName=ROLE)["Tags"]])
        [statement] = self.iam.get_role_policy(RoleName=ROLE, PolicyName="write-log")["PolicyDocument"]["Statement"]
        self.assertEqual(f"arn:aws:logs:{REGION}:{ACCOUNT}:log-group:{LOG_GROUP}:*", statement["Resource"])
        [group] = self.logs.describe_log_groups()["logGroups"]
        self.assertEqual((LOG_GROUP, 14), (group["logGroupName"], group["retentionInDays"]))

    def test_again_updates_it(self):
        self.deployed()
        url = self.functions.get_function_url_config(FunctionName=FUNCTION, Qualifier="live")["FunctionUrl"]
        code, version = self.everything()["functions"], self.alias()

        self.write_jar("second")
        done = self.deployed("--auth", "none", "--snapstart", "--concurrency", "5", "--memory", "512",
                             "--runtime", "java21")
        self.assertNotIn("--aws-sigv4", done.stdout)
        changed = self.functions.get_function_url_config(FunctionName=FUNCTION, Qualifier="live")
        self.assertEqual((url, "NONE"), (changed["FunctionUrl"], changed["AuthType"]))
        self.assertEqual(1, len(self.everything()["functions"]))
        self.assertNotEqual(code, self.everything()["functions"])
        self.assertNotEqual(version, self.alias())
        self.assertEqual(["$LATEST", self.alias()], self.versions())
        settings = self.functions.get_function_configuration(FunctionName=FUNCTION, Qualifier="live")
        self.assertEqual((512, "java21"), (settings["MemorySize"], settings["Runtime"]))
        self.assertEqual(5, self.functions.get_function_concurrency(FunctionName=FUNCTION)["ReservedConcurrentExecutions"])
        allowed = {s["Action"]: s for s in self.permissions()}
        self.assertEqual({"lambda:InvokeFunctionUrl", "lambda:InvokeFunction"}, set(allowed))
        self.assertEqual("NONE", allowed["lambda:InvokeFunctionUrl"]["FunctionUrlAuthType"])
        self.assertTrue(allowed["lambda:InvokeFunction"]["InvokedViaFunctionUrl"])
        self.assertEqual({"*"}, {s["Principal"] for s in self.permissions()})

        self.deployed()
        self.assertEqual([], self.permissions())
        self.assertEqual("AWS_IAM",
                         self.functions.get_function_url_config(FunctionName=FUNCTION, Qualifier="live")["AuthType"])
        self.assertNotIn("ReservedConcurrentExecutions", self.functions.get_function_concurrency(FunctionName=FUNCTION))

        # By the call, since moto passes over SnapStart.
        words = shlex.split(self.deploy("--dry-run", "--snapstart").stdout, comments=True)
        self.assertIn("ApplyOn=PublishedVersions", words[words.index("update-function-configuration"):])

    def test_what_answers_wrongly(self):
        self.health.statuses = [403]
        self.answer({"errorMessage": "Class not found"})
        done = self.deploy()
        self.assertEqual(1, done.returncode)
        self.assertIn('the function answers {"errorMessage": "Class not found"}', done.stderr)
        self.assertIn(f"aws logs tail {LOG_GROUP}", done.stderr)
        self.assertIn(f"scripts/destroy-lambda --name default --region {REGION}", done.stderr)

        self.health.statuses = [200]
        self.answer({"statusCode": 200})
        done = self.deploy("--wait", "1")
        self.assertEqual(1, done.returncode, "a URL that should be closed is open")
        self.assertIn("the last was: HTTP 200", done.stderr)

    def test_a_role_that_lambda_hears_of_late(self):
        count = self.folder / "refused"
        self.replace_aws(f'''
            if [[ "$1 $2" == "lambda create-function" && ! -e {count} ]]; then
                echo x >{count}
                echo "An error occurred (InvalidParameterValueException) when calling the CreateFunction operation:" \\
                    "The role defined for the function cannot be assumed by Lambda." >&2
                exit 254
            fi
            exec $AWS "$@"
        ''')
        self.deployed()
        self.assertTrue(count.exists())
        self.assertEqual(1, len(self.everything()["functions"]))

    def test_a_dry_run_changes_nothing(self):
        done = self.deploy("--dry-run", "--auth", "none", "--snapstart", "--concurrency", "3")
        self.assertEqual(0, done.returncode, done.stderr)
        self.assert_nothing()
        self.assertEqual(0, self.health.asked)
        for line in done.stdout.splitlines():
            self.assertEqual("aws", shlex.split(line)[0], line)
        words = shlex.split(done.stdout, comments=True)
        for call in ("create-log-group", "create-role", "create-function", "publish-version", "create-alias",
                     "create-function-url-config", "add-permission", "put-function-concurrency",
                     "ApplyOn=PublishedVersions", f"fileb://{self.jar}"):
            self.assertIn(call, words)

    def test_an_aws_cli_that_is_too_old_for_public_urls(self):
        self.replace_aws('[[ "$2" != add-permission ]] && exec $AWS "$@"; echo "{}"')
        self.assert_usage(self.deploy("--auth", "none"), "--auth none: this AWS CLI can't")
        self.assert_nothing()

    def test_wrong_options_are_one_line_and_change_nothing(self):
        for arguments, message in (
            (["--auth", "basic"], "--auth basic: expected one of iam none"), (["--memory", "64"], "--memory 64: expected 128"),
            (["--runtime", "java17"], "--runtime java17: expected one of"), (["--timeout", "901"], "--timeout 901: expected"),
            (["--arch", "x86"], "--arch x86: expected"), (["--concurrency", "0"], "--concurrency 0: expected 1"),
            (["--jar", "/no/such.jar"], "--jar /no/such.jar: no such file; mvn"), (["--snap"], "--snap: no such option"),
        ):
            with self.subTest(arguments):
                self.assert_usage(self.deploy(*arguments), message)
        self.assert_nothing()


class DestroyTest(LambdaTest):

    def test_it_removes_everything_and_again_is_fine(self):
        self.deployed()
        before = self.everything()
        self.succeed("destroy-lambda", "--dry-run")
        self.assertEqual(before, self.everything())
        done = self.run_script("destroy-lambda", answer="no\n")
        self.assertEqual((1, before), (done.returncode, self.everything()))

        self.replace_aws('[[ "$2" != delete-log-group ]] && exec $AWS "$@"; echo AccessDenied >&2; exit 254')
        done = self.run_script("destroy-lambda", "--yes")
        self.assertEqual(1, done.returncode)
        self.assertRegex(done.stderr, f"still there of .*\nlog-group {LOG_GROUP}\n\\Z")
        self.assertEqual(["logs"], [kind for kind, names in self.everything().items() if names])

        self.restore_aws()
        done = self.succeed("destroy-lambda", answer="yes\n")
        self.assertIn("nothing is left", done.stderr)
        self.assert_nothing()
        self.assertIn("there is nothing", self.succeed("destroy-lambda").stderr)

    def test_what_is_gone_already_is_passed_over_and_others_stay(self):
        self.deployed("--auth", "none")
        self.deployed("--auth", "none", "--name", "default-2")
        self.functions.delete_function(FunctionName=FUNCTION)
        self.succeed("destroy-lambda", "--yes")
        self.assertEqual({"phaseload-default-2"}, {name for name, _ in self.everything()["functions"]})
        self.assertEqual([f"{LOG_GROUP}-2"], self.everything()["logs"])
        self.assertEqual(1, len(self.everything()["roles"]))


@unittest.skipUnless(find_aws_cli_2(), "no AWS CLI 2.13 or newer on PATH or in PHASELOAD_AWS_CLI_2")
class AwsCli2Test(LambdaTest):

    aws = find_aws_cli_2()

    def test_deployed_twice_and_destroyed(self):
        self.deployed()
        self.deployed("--auth", "none")
        self.assertEqual((1, 2), (len(self.everything()["functions"]), len(self.permissions())))
        self.succeed("destroy-lambda", "--yes")
        self.assert_nothing()


if __name__ == "__main__":
    unittest.main()
