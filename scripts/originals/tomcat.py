"""A standalone Tomcat with the WAR of Phaseload's target."""

from __future__ import annotations

import re
import shutil
import tarfile
from collections.abc import Mapping

import originals
from hosts import PHASELOAD
from originals import Node, Path, Process, Setup

NODES = 1
NEEDS = ("java", "mvn")
SOURCES = tuple(originals.ROOT / name for name in ("pom.xml", "host", "server"))
WAR = originals.ROOT / "server" / "target" / "phaseload-server.war"
HTTP = 8080

_SERVER = """<Server port="-1"><Service name="Catalina">
<Connector address="{address}" port="{port}" {limits}/>
<Engine name="Catalina" defaultHost="localhost"><Host name="localhost" appBase="webapps"/></Engine>
</Service></Server>"""


def install(folder: Path) -> None:
    [version] = re.findall("<tomcat.version>(.*)</tomcat.version>", (originals.ROOT / "pom.xml").read_text(encoding="utf-8"))
    originals.run(["mvn", "-B", "-q", "dependency:copy", f"-Dartifact=org.apache.tomcat:tomcat:{version}:tar.gz", f"-DoutputDirectory={folder}"], folder)
    [archive] = folder.glob("*.tar.gz")
    with tarfile.open(archive) as files:
        files.extractall(folder)
    archive.unlink()
    next(folder.glob("apache-tomcat-*")).rename(folder / "tomcat")
    originals.run([PHASELOAD, "--version"], folder)  # It builds what is out of date.
    shutil.copy(WAR, folder / "ROOT.war")


def stages(setup: Setup, limits: Mapping[str, int] = {}) -> list[list[Process]]:
    """Servers whose connector has these limits, and Tomcat's own otherwise."""
    return [[server(setup, node, limits) for node in setup.nodes]]


def server(setup: Setup, node: Node, limits: Mapping[str, int]) -> Process:
    home = setup.installed / "tomcat"
    base = setup.data / f"tomcat-{node.number}"
    shutil.copytree(home / "conf", base / "conf")
    attributes = " ".join(f'{name}="{value}"' for name, value in limits.items())
    (base / "conf" / "server.xml").write_text(_SERVER.format(address=node.address, port=HTTP, limits=attributes), encoding="utf-8")
    (base / "webapps").mkdir()
    (base / "temp").mkdir()
    shutil.copy(setup.installed / "ROOT.war", base / "webapps" / "ROOT.war")
    url = f"http://{node.address}:{HTTP}/"
    words = ["java", "-Xmx512m", f"-Dcatalina.home={home}", f"-Dcatalina.base={base}", f"-Djava.io.tmpdir={base}/temp",
             "-cp", f"{home}/bin/bootstrap.jar:{home}/bin/tomcat-juli.jar", "org.apache.catalina.startup.Bootstrap", "start"]  # fmt: skip
    return Process(f"tomcat-{node.number}", node, url, words, originals.responds(url))
