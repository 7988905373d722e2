"""Clients on the JVM, as their artifacts come from a Maven repository: JMeter, Gatling, and Apache HttpClient in a bare loop."""

from __future__ import annotations

import re
from pathlib import Path

import journey
from cases import Case
from client import ONE_AT_A_TIME, Client, Load
from install import MavenArtifacts
from machine import Jdk

HERE = Path(__file__).resolve().parent


class OnJvm(Client):
    """A client that a JDK runs."""

    warms_up = True
    package: MavenArtifacts

    def __init__(self, jdk: Jdk | None):
        self._jdk = jdk
        self.label = f"{self.label} (JDK {jdk.major})" if jdk else self.label

    def missing(self) -> str:
        if not self._jdk:
            return "no JDK in JAVA_HOME, PATH or /usr/lib/jvm"
        return "" if self.package.installed else f"not installed: {self.package.hint}"

    def version(self) -> str:
        return f"{self.package.version} on Java {self._jdk.version}"


class JMeter(OnJvm):
    name = "jmeter"
    label = "JMeter"
    package = MavenArtifacts(HERE / "jmeter", unpacked="ApacheJMeter_config", folders=("lib/ext", "lib/junit"))

    def files(self, load: Load) -> dict[str, str]:
        plan = (HERE / "jmeter" / ("journey.jmx" if load.case.journey else "plan.jmx")).read_text(encoding="utf-8")
        files = {"plan.jmx": journey.filled(
            plan, connections=load.connections, seconds=load.seconds, url=load.url, data=str(load.folder / journey.DATA),
            json_check=load.case.json_check, method="POST" if load.case.body_bytes else "GET", body="x" * load.case.body_bytes)}
        return {**files, journey.DATA: journey.data()} if load.case.journey else files

    def refuses(self, case: Case) -> str:
        return "" if case.journey else super().refuses(case)

    def command(self, load: Load) -> list[str]:
        home = self.package.folder
        jar = next((home / "lib").glob("ApacheJMeter-*.jar"), home)
        return [str(self._jdk.java), f"-Djmeter.home={home}", "-cp", f"{jar}:{home}", "org.apache.jmeter.NewDriver",
                "-n", "-t", str(load.folder / "plan.jmx"), "-j", str(load.folder / "jmeter.log"),
                "-Jjmeterengine.nongui.port=0"]

    def counted(self, stdout: str, case: Case) -> int | None:
        sums = re.findall(r"^summary =\s+(\d+) in ", stdout, re.MULTILINE)
        return int(sums[-1]) if sums else None


class BareHttpClient(OnJvm):
    """HttpClient without anything that measures: the least that a load client on it can cost."""

    package = MavenArtifacts(HERE / "httpclient", compiled=HERE / "httpclient" / "Bare.java")

    def __init__(self, flavour: str, pool: str, major: int, jdk: Jdk | None):
        self.name = f"httpclient{flavour}-{major}"
        self.label = f"bare httpclient{flavour}"
        self._pool = pool
        self._major = major
        super().__init__(jdk)

    def missing(self) -> str:
        return super().missing() if self._jdk else f"no JDK {self._major} in JAVA_HOME, PATH or /usr/lib/jvm"

    def command(self, load: Load) -> list[str]:
        home = self.package.folder
        properties = {"url": load.url, "connections": load.connections, "seconds": load.seconds,
                      "pool": load.filled(self._pool)}
        return [str(self._jdk.java), *[f"-Dbench.{name}={value}" for name, value in properties.items()],
                "-cp", f"{home / 'classes'}:{home / 'lib'}/*", "Bare"]

    def refuses(self, case: Case) -> str:
        return super().refuses(case) or ("the bare loop sends GET over HTTP alone" if case.body_bytes or case.tls else "")

    def counted(self, stdout: str, case: Case) -> int | None:
        total = re.search(r"^requests: (\d+)$", stdout, re.MULTILINE)
        return int(total.group(1)) if total else None


class Gatling(OnJvm):
    name = "gatling"
    label = "Gatling"
    package = MavenArtifacts(HERE / "gatling", compiled=HERE / "gatling" / "Bench.java")

    def command(self, load: Load) -> list[str]:
        home = self.package.folder
        properties = {"url": load.url, "connections": load.connections, "seconds": load.seconds,
                      "body": load.case.body_bytes,
                      "data": load.folder / journey.DATA if load.case.journey else "",
                      "jsonCheck": str(load.case.json_check).lower()}
        return [str(self._jdk.java), "--add-opens=java.base/java.lang=ALL-UNNAMED",
                *[f"-Dbench.{name}={value}" for name, value in properties.items()],
                f"-Dlogback.configurationFile={HERE / 'gatling' / 'logback.xml'}",
                "-cp", f"{home / 'classes'}:{home / 'lib'}/*", "io.gatling.app.Gatling",
                "-s", "Bench", "-rf", str(load.folder / "results"), "-nr"]

    def files(self, load: Load) -> dict[str, str]:
        return {journey.DATA: journey.data()} if load.case.journey else {}

    def refuses(self, case: Case) -> str:
        return ONE_AT_A_TIME if case.http2 else ""

    def counted(self, stdout: str, case: Case) -> int | None:
        totals = re.findall(r"^> Global\s*\|\s*([\d,]+)", stdout, re.MULTILINE)
        return int(totals[-1].replace(",", "")) if totals else None
