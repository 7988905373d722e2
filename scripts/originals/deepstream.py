"""deepstream from npm: relays events between clients over WebSockets. Several nodes share a Redis, which is on the first one's host."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import originals
from originals import Impossible, Node, Process, Setup

NODES = 3
NEEDS = ("node", "npm")
SOURCES = ()
PORT, REDIS = 6020, 6379

# Its other HTTP server, µWebSockets, is on no registry.
_PACKAGES = {
    "private": True,
    "dependencies": {"@deepstream/server": "7.0.2", "@deepstream/clusternode-redis": "1.0.1"},
    "overrides": {"uWebSockets.js": "npm:empty-npm-package@1.0.0"},
}


def install(folder: Path) -> None:
    (folder / "package.json").write_text(json.dumps(_PACKAGES), encoding="utf-8")
    originals.run(["npm", "install", "--no-audit", "--no-fund"], folder)


def stages(setup: Setup) -> list[list[Process]]:
    servers = [server(setup, node) for node in setup.nodes]
    return [servers] if len(servers) == 1 else [[redis(setup)], servers]


def redis(setup: Setup) -> Process:
    if shutil.which("redis-server") is None:
        raise Impossible("deepstream with several nodes needs redis-server, which isn't installed")
    node = setup.nodes[0]
    words = ["redis-server", "--bind", node.address, "--port", str(REDIS), "--save", "", "--appendonly", "no", "--protected-mode", "no", "--dir", str(setup.data)]
    return Process("redis", node, f"{node.address}:{REDIS}", words, originals.listens(node.address, REDIS))


def server(setup: Setup, node: Node) -> Process:
    modules = setup.installed / "node_modules"
    # YAML has JSON in it. As text, a level of the log is ignored, and all is logged.
    settings = {
        "serverName": f"node-{node.number}",
        "showLogo": False,
        "logLevel": 3,
        "httpServer": {"type": "default", "options": {"host": node.address, "port": PORT, "healthCheckPath": "/health-check", "allowAllOrigins": True, "headers": []}},
        "connectionEndpoints": [{"type": f"ws-{kind}", "options": {"urlPath": path}} for kind, path in (("text", "/deepstream-v3"), ("json", "/deepstream-json"))],
        "auth": [{"type": "none"}],
        "permission": {"type": "none"},
    }  # fmt: skip
    if len(setup.nodes) > 1:
        settings["clusterNode"] = {"path": str(modules / "@deepstream" / "clusternode-redis"), "options": {"host": setup.nodes[0].address, "port": REDIS}}
    file = setup.data / f"node-{node.number}.yml"
    file.write_text(json.dumps(settings), encoding="utf-8")
    words = ["node", str(modules / "@deepstream" / "server" / "dist" / "bin" / "deepstream"), "start", "-c", str(file)]
    return Process(f"deepstream-{node.number}", node, f"ws://{node.address}:{PORT}/", words, originals.listens(node.address, PORT))
