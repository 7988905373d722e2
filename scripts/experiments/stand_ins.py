"""Servers that stand in for systems that aren't available. They listen on a free port of the loopback."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Optional


def free_ports(count: int) -> list[int]:
    """Ports of the loopback that were free a moment ago."""
    with contextlib.ExitStack() as stack:
        listening = [stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(count)]
        return [each.getsockname()[1] for each in listening]


class StandIn(ThreadingHTTPServer):
    """A server in a process of its own; a context manager."""

    daemon_threads = True
    request_queue_size = 1000

    def __init__(self, handler: type[BaseHTTPRequestHandler]) -> None:
        super().__init__(("127.0.0.1", 0), handler)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/"

    def __enter__(self) -> "StandIn":
        self.child = os.fork()
        if self.child == 0:
            self.serve_forever()
        return self

    def __exit__(self, *_: object) -> None:
        os.kill(self.child, signal.SIGKILL)
        os.waitpid(self.child, 0)
        self.server_close()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1

    def respond(self, status: int, answer: object) -> None:
        self.send(status, json.dumps(answer).encode())

    def send(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def body(self) -> bytes:
        return self.rfile.read(int(self.headers.get("Content-Length", 0)))

    def log_message(self, *_: object) -> None:
        pass


SECONDS_PER_INSERT = {"embedded": 5e-4, "local": 2e-3, "remote": 2e-2}
"""What a client waits for beside the events, by where the store is."""
SECONDS_PER_EVENT = {"memory": 1e-6, "disk": 3e-6}
BUFFER_BYTES = {"64k": 65_536, "1m": 1_048_576}


def event_store(cluster: str, nodes: int) -> StandIn:
    """An event store that measures itself.

    GET /measure/{buffer}-{size}/insert-events/{count} inserts and answers how long it took, in ms, and its buffer's size;
    it wants to be empty before. DELETE /data answers a token, POST /clean with that token empties it. Nodes share the events,
    and the larger buffer saves a tenth.
    """
    seconds_per_insert = SECONDS_PER_INSERT[cluster]
    lock = threading.Lock()
    state: dict[str, Optional[int]] = {"events": 0, "token": None}

    class Store(_Handler):
        def do_GET(self) -> None:
            parts = self.path.strip("/").split("/")
            kind, _, size = parts[1].partition("-") if len(parts) == 4 else ("", "", "")
            known = kind in SECONDS_PER_EVENT and size in BUFFER_BYTES
            if not known or parts[0] != "measure" or parts[2] != "insert-events" or not parts[3].isdigit():
                return self.respond(404, {"error": self.path})
            with lock:
                if state["events"]:
                    return self.respond(409, {"error": f"{state['events']} events are left"})
                state["events"] = int(parts[3])
                begun = time.monotonic()
                share = int(parts[3]) / nodes * (0.9 if size == "1m" else 1)
                time.sleep(seconds_per_insert + share * SECONDS_PER_EVENT[kind])
                elapsed = (time.monotonic() - begun) * 1000
            self.respond(200, {"timeElapsed": elapsed, "bufferSize": BUFFER_BYTES[size]})

        def do_DELETE(self) -> None:
            with lock:
                state["token"] = (state["token"] or 0) + 1
                self.respond(200, {"token": f"t{state['token']}"})

        def do_POST(self) -> None:
            with lock:
                right = self.body() == f"t{state['token']}".encode()
                if right:
                    state["events"] = 0
                self.respond(200 if right else 403, {"cleaned": right})

    return StandIn(Store)


def key_value_store(lose: int = 0, mix: int = 0) -> StandIn:
    """Keeps what is PUT to a path for whoever GETs it: but for every so many-th, which is lost, or has the value before it in its place."""
    lock = threading.Lock()
    values: dict[str, bytes] = {}
    state: dict[str, Any] = {"count": 0, "last": b"nothing"}

    class Store(_Handler):
        def do_PUT(self) -> None:
            body = self.body()
            with lock:
                state["count"] += 1
                if not lose or state["count"] % lose:
                    values[self.path] = state["last"] if mix and state["count"] % mix == 0 else body
                state["last"] = body
            self.respond(201, {})

        def do_GET(self) -> None:
            value = values.get(self.path)
            if value is None:
                return self.respond(404, {"error": self.path})
            self.send(200, value)

    return StandIn(Store)
