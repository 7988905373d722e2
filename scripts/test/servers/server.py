"""A server that behaves as its arguments say, on one event loop; see behaviours.py."""

from __future__ import annotations

import asyncio
import contextlib
import random
import socket
import struct
import sys
import time


class Rule:
    def __init__(self, text: str):
        self.keys = dict(word.split("=", 1) for word in text.split())
        self.count = 0
        self.tick = 0

    def number(self, name: str) -> float:
        low, _, high = self.keys[name].partition("..")
        return random.uniform(float(low), float(high or low))

    def matches(self, method: str, path: str, connection: int, asked: int) -> bool:
        ms = (time.monotonic() - begin) * 1000
        tests = {"path": lambda: path.startswith(self.keys["path"]), "method": lambda: method == self.keys["method"],
                 "conn": lambda: connection % self.number("conn") == 0, "upto": lambda: asked <= self.number("upto"),
                 "nth": lambda: asked % self.number("nth") == 0, "from": lambda: ms >= self.number("from"), "to": lambda: ms < self.number("to"),
                 "share": lambda: random.random() < self.number("share"), "every": self.due, "tick": lambda: self.first_of(ms)}
        return all(tests[name]() for name in self.keys if name in tests)

    def due(self) -> bool:
        self.count += 1
        return self.count % self.number("every") == 0

    def first_of(self, ms: float) -> bool:
        period = int(ms / self.number("tick"))
        first = period not in (0, self.tick)
        self.tick = period
        return first


OPTIONS: dict[str, str] = {}
RULES: list[Rule] = []
begin = 0.0
connections = 0
opened = 0


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    global begin, connections, opened
    begin = begin or time.monotonic()
    connections += 1
    number, asked = connections, 0
    opened += 1
    try:
        if opened > int(OPTIONS.get("connections", 1_000_000)):
            return
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
                method, path, _ = head[0].split(" ")
                asked += 1
                for line in head[1:]:
                    if line.lower().startswith("content-length:"):
                        await reader.readexactly(int(line.split(":")[1]))
                if not await answer(method, path, number, asked, writer):
                    return
    finally:
        opened -= 1
        writer.close()


async def answer(method: str, path: str, connection: int, asked: int, writer: asyncio.StreamWriter) -> bool:
    """Whether the connection is kept."""
    status, body, headers, kept = "200 OK", b"ok", "", True
    for rule in RULES:
        if not rule.matches(method, path, connection, asked):
            continue
        seconds = (rule.number("ms") if "ms" in rule.keys else 0) / 1000
        seconds += random.expovariate(1000 / rule.number("exp")) if "exp" in rule.keys else 0
        if "block" in rule.keys:
            time.sleep(seconds)
        else:
            await asyncio.sleep(seconds)
        if "bytes" in rule.keys:
            body = b"x" * int(rule.number("bytes"))
        if "header" in rule.keys:
            headers += rule.keys["header"].replace(":", ": ", 1) + "\r\n"
            kept = rule.keys["header"] != "Connection:close"
        end = rule.keys.get("end")
        if end == "hang":
            await asyncio.sleep(60)
        if end == "reset":
            writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            writer.transport.abort()
        if end:
            return False
        if "status" in rule.keys:
            status = rule.keys["status"] + " Status"
            break
    writer.write(f"HTTP/1.1 {status}\r\n{headers}Content-Length: {len(body)}\r\n\r\n".encode() + body)
    await writer.drain()
    return kept


async def main() -> None:
    for text in sys.argv[1:]:
        rule = Rule(text)
        if "option" in rule.keys:
            OPTIONS.update(rule.keys)
        else:
            RULES.append(rule)
    server = await asyncio.start_server(serve, "127.0.0.1", 0, backlog=int(OPTIONS.get("backlog", 1024)))
    print(f"Serving on http://127.0.0.1:{server.sockets[0].getsockname()[1]}/", flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


asyncio.run(main())
