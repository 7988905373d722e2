"""Servers that stand in for systems that aren't available. They listen on a free port of the loopback."""

from __future__ import annotations

import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Optional


class StandIn(ThreadingHTTPServer):
    """A server in its own threads; a context manager."""

    daemon_threads = True
    request_queue_size = 1000

    def __init__(self, handler: type[BaseHTTPRequestHandler]) -> None:
        super().__init__(("127.0.0.1", 0), handler)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/"

    def __enter__(self) -> "StandIn":
        threading.Thread(target=self.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()
        self.server_close()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1

    def respond(self, status: int, answer: object) -> None:
        body = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def body(self) -> bytes:
        return self.rfile.read(int(self.headers.get("Content-Length", 0)))

    def log_message(self, *_: object) -> None:
        pass


def event_store(seconds_per_event: float = 1e-6, seconds_per_insert: float = 2e-3) -> StandIn:
    """An event store that measures itself.

    GET /measure/{target}/insert-events/{count} inserts and answers how long it took, in ms, and its buffer's size;
    it wants to be empty before. DELETE /data answers a token, POST /clean with that token empties it.
    """
    lock = threading.Lock()
    state: dict[str, Optional[int]] = {"events": 0, "token": None}

    class Store(_Handler):
        def do_GET(self) -> None:
            parts = self.path.strip("/").split("/")
            if len(parts) != 4 or parts[0] != "measure" or parts[2] != "insert-events" or not parts[3].isdigit():
                return self.respond(404, {"error": self.path})
            with lock:
                if state["events"]:
                    return self.respond(409, {"error": f"{state['events']} events are left"})
                state["events"] = int(parts[3])
                begun = time.monotonic()
                time.sleep(seconds_per_insert + int(parts[3]) * seconds_per_event)
                elapsed = (time.monotonic() - begun) * 1000
            self.respond(200, {"timeElapsed": elapsed, "bufferSize": 65536})

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
