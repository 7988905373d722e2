"""Locust, with the faster of its two HTTP clients."""

from __future__ import annotations

import json

import journey
from cases import Case
from client import Client, Load
from install import PythonPackage

REQUEST = """\
from locust import FastHttpUser, task

class Bench(FastHttpUser):
    host = "@url@"
    insecure = True

    @task
    def request(self):
        self.client.request("@method@", "@url@", data="x" * @body@)
"""

JOURNEY = """\
import csv
import itertools
from locust import FastHttpUser, task

with open("@data@") as data:
    names = itertools.cycle([row["name"] for row in csv.DictReader(data)])

class Bench(FastHttpUser):
    host = "@url@"

    @task
    def journey(self):
        name = next(names)
        token = self.client.post("@url@login", json={"user": name}).json()["token"]
        with self.client.get("@url@items?of=" + name, headers={"Authorization": "Bearer " + token},
                             name="items", catch_response=True) as got:
            if got.status_code != 200 or "items" not in got.text or got.json()["items"][0]["id"]@json_check@:
                got.failure("not found")
"""


class Locust(Client):
    name = "locust"
    label = "Locust"
    package = PythonPackage(name, "2.47.0")

    def missing(self) -> str:
        return "" if self.package.program.is_file() else f"not installed: {self.package.hint}"

    def version(self) -> str:
        return self.package.version

    def files(self, load: Load) -> dict[str, str]:
        if load.case.journey:
            return {journey.DATA: journey.data(),
                    "load.py": journey.filled(JOURNEY, url=load.url, data=str(load.folder / journey.DATA),
                                               json_check=journey.json_check("locust", load.case))}
        return {"load.py": journey.filled(REQUEST, url=load.url, method="POST" if load.case.body_bytes else "GET",
                                          body=load.case.body_bytes)}

    def command(self, load: Load) -> list[str]:
        users = str(load.connections)
        return [str(self.package.program), "--headless", "--skip-log", "--json", "-f", str(load.folder / "load.py"),
                "-u", users, "-r", users, "-t", f"{load.seconds}s"]

    def refuses(self, case: Case) -> str:
        return "" if case.journey else super().refuses(case)

    def counted(self, stdout: str, case: Case) -> int | None:
        try:
            return sum(one["num_requests"] for one in json.loads(stdout)) or None
        except (ValueError, KeyError, TypeError):
            return None
