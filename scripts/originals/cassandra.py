"""Apache Cassandra from Maven Central, with a gateway of this project in front of each node: items over HTTP."""

from __future__ import annotations

from pathlib import Path

import originals
from originals import Impossible, Node, Process, Setup

NODES = 3
NEEDS = ("java", "mvn")
GATEWAY = originals.ROOT / "originals" / "cassandra-gateway"
SOURCES = (GATEWAY,)
CQL, HTTP = 9042, 8080
HEAP = "320m"

_POM = """<project><modelVersion>4.0.0</modelVersion><groupId>none</groupId><artifactId>none</artifactId><version>1</version><packaging>pom</packaging>
<dependencies><dependency><groupId>org.apache.cassandra</groupId><artifactId>cassandra-all</artifactId><version>5.0.5</version></dependency></dependencies>
</project>"""

# Tokens are given, so that nodes needn't join one after another.
_YAML = """
cluster_name: phaseload
num_tokens: 1
initial_token: {token}
auto_bootstrap: false
partitioner: org.apache.cassandra.dht.Murmur3Partitioner
endpoint_snitch: SimpleSnitch
seed_provider: [{{class_name: org.apache.cassandra.locator.SimpleSeedProvider, parameters: [{{seeds: "{seeds}"}}]}}]
listen_address: {address}
rpc_address: {address}
native_transport_port: {port}
commitlog_sync: periodic
commitlog_sync_period: 10000ms
commitlog_segment_size: 8MiB
memtable_heap_space: 96MiB
memtable_offheap_space: 96MiB
file_cache_size: 64MiB
data_file_directories: [{folder}/data]
commitlog_directory: {folder}/commitlog
hints_directory: {folder}/hints
saved_caches_directory: {folder}/saved_caches
cdc_raw_directory: {folder}/cdc_raw
"""
_LOGBACK = """<configuration><appender name="OUT" class="ch.qos.logback.core.ConsoleAppender">
<encoder><pattern>%d %-5level %logger{20} %msg%n</pattern></encoder></appender>
<root level="INFO"><appender-ref ref="OUT"/></root></configuration>"""
_EXPORTS = ("java.base/jdk.internal.misc java.base/java.lang.ref java.management.rmi/com.sun.jmx.remote.internal.rmi java.rmi/sun.rmi.registry"
            " java.rmi/sun.rmi.server java.sql/java.sql jdk.unsupported/sun.misc jdk.attach/sun.tools.attach").split()
_OPENS = ("java.base/java.lang.module java.base/jdk.internal.loader java.base/jdk.internal.ref java.base/jdk.internal.reflect java.base/jdk.internal.math"
          " java.base/jdk.internal.module java.base/jdk.internal.util.jar java.base/sun.nio.ch java.base/java.io java.base/java.lang.reflect"
          " java.base/java.lang java.base/java.util jdk.management/com.sun.management.internal").split()


def install(folder: Path) -> None:
    if originals.java_version() not in (11, 17):
        raise Impossible(f"cassandra needs Java 11 or 17, and java is version {originals.java_version()}")
    (folder / "pom.xml").write_text(_POM, encoding="utf-8")
    # Their libraries differ in version: the driver's Netty is another than the server's.
    originals.run(["mvn", "-B", "-q", "dependency:copy-dependencies", "-DincludeScope=runtime", f"-DoutputDirectory={folder / 'server'}"], folder)
    originals.maven(GATEWAY, folder)


def stages(setup: Setup) -> list[list[Process]]:
    first, *others = (gateway(setup, node) for node in setup.nodes)
    # Only one may make the table.
    return [[server(setup, node) for node in setup.nodes], [first], *([others] if others else [])]


def server(setup: Setup, node: Node) -> Process:
    folder = setup.data / f"cassandra-{node.number}"
    folder.mkdir()
    token = -2**63 + 2**64 * (node.number - 1) // len(setup.nodes)
    (folder / "cassandra.yaml").write_text(
        _YAML.format(token=token, seeds=setup.nodes[0].address, address=node.address, port=CQL, folder=folder), encoding="utf-8"
    )
    (folder / "logback.xml").write_text(_LOGBACK, encoding="utf-8")
    libraries = setup.installed / "server"
    options = [f"--add-exports={each}=ALL-UNNAMED" for each in _EXPORTS] + [f"--add-opens={each}=ALL-UNNAMED" for each in _OPENS]
    properties = {
        "jdk.attach.allowAttachSelf": "true", "cassandra-foreground": "yes", "cassandra.jmx.local.port": "0",
        "cassandra.config": f"file://{folder}/cassandra.yaml", "cassandra.storagedir": folder, "logback.configurationFile": f"file://{folder}/logback.xml",
        "cassandra.ring_delay_ms": "2000", "cassandra.skip_wait_for_gossip_to_settle": "0",
    }  # fmt: skip
    words = ["java", f"-javaagent:{next(libraries.glob('jamm-*.jar'))}", "-Xms64m", f"-Xmx{HEAP}", "-Xss256k", "-XX:MaxDirectMemorySize=128m", "-XX:+UseSerialGC",
             *options, *(f"-D{name}={value}" for name, value in properties.items()), "-cp", f"{libraries}/*", "org.apache.cassandra.service.CassandraDaemon"]  # fmt: skip
    return Process(f"cassandra-{node.number}", node, f"{node.address}:{CQL}", words, originals.listens(node.address, CQL), {"MALLOC_ARENA_MAX": "2"})


def gateway(setup: Setup, node: Node) -> Process:
    """The gateway of a node, on its host."""
    replicas = min(3, len(setup.nodes))
    words = ["java", "-Xmx256m", "-XX:+UseSerialGC", "-cp", f"{setup.installed}/lib/*", "io.phaseload.originals.cassandra.Gateway",
             f"{node.address}:{HTTP}", f"{node.address}:{CQL}", str(replicas)]  # fmt: skip
    url = f"http://{node.address}:{HTTP}"
    return Process(f"gateway-{node.number}", node, f"{url}/", words, originals.responds(f"{url}/count"))
