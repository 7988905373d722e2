"""A server whose kernel stamps each request as it comes."""

from __future__ import annotations

import select
import socket
import struct
import time

ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
END_OF_REQUEST = b"\r\n\r\n"
SO_TIMESTAMPNS = 35
"""Of Linux, for a timespec of the real-time clock beside what is received; Python has no name for it."""
TIMESPEC = struct.Struct("@qq")


class StampingServer:
    """Answers requests without bodies on a free port of the loopback, in one thread, and keeps when each came."""

    def __init__(self) -> None:
        self.stamps: list[int] = []
        """Nanoseconds of the real-time clock."""
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=1_000)
        self._listener.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
        self._listener.setblocking(False)
        self._epoll = select.epoll()
        self._epoll.register(self._listener, select.EPOLLIN)
        self._peers: dict[int, socket.socket] = {}
        self._rests: dict[int, bytes] = {}

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._listener.getsockname()[1]}/"

    def serve(self, seconds: float) -> None:
        """Serves what comes within a time."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            for fd, _ in self._epoll.poll(max(0.0, until - time.monotonic())):
                if fd == self._listener.fileno():
                    self._accept()
                else:
                    self._answer(fd)

    def _accept(self) -> None:
        peer, _ = self._listener.accept()
        peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._peers[peer.fileno()] = peer
        self._rests[peer.fileno()] = b""
        self._epoll.register(peer, select.EPOLLIN)

    def _answer(self, fd: int) -> None:
        peer = self._peers[fd]
        try:
            data, beside, _, _ = peer.recvmsg(65_536, socket.CMSG_SPACE(TIMESPEC.size))
        except ConnectionResetError:
            data = b""
        if not data:
            self._epoll.unregister(fd)
            del self._peers[fd], self._rests[fd]
            peer.close()
            return
        *requests, self._rests[fd] = (self._rests[fd] + data).split(END_OF_REQUEST)
        for _ in requests:
            seconds, nanos = TIMESPEC.unpack(beside[0][2])
            self.stamps.append(seconds * 1_000_000_000 + nanos)
            peer.send(ANSWER)

    def __enter__(self) -> StampingServer:
        return self

    def __exit__(self, *_: object) -> None:
        for open_socket in (self._listener, *self._peers.values()):
            open_socket.close()
        self._epoll.close()
