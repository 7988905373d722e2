"""What clients are asked to send: a request, its response, and the protocol."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Case:
    """One kind of request. A body makes it a POST."""

    name: str
    """What --case calls it."""
    title: str
    path: str = "/"
    body_bytes: int = 0
    answer_bytes: int = 5
    tls: bool = False
    http2: bool = False
    streams: int = 1
    """Requests under way at a time on each connection."""
    journey: bool = False
    """Whether it is two requests by turns, each made for a user: see journey.py."""
    json_check: bool = False
    """Whether a value of the JSON in a journey's second answer is compared, too, by each client."""

    @property
    def protocol(self) -> str:
        """Of the server's ports, which it is: http, https, h2c or h2."""
        if self.http2:
            return "h2" if self.tls else "h2c"
        return "https" if self.tls else "http"


GET = Case("get", "GET of 5 bytes")
STREAMS = 10
JOURNEY = Case("journey", "login with a row of data, then a GET with the token of its answer", path="/journey/", journey=True)
JOURNEY_JSON = replace(JOURNEY, name="journey-json", json_check=True,
                       title="the same with a comparison of a value in the JSON of the second answer")
CASES = (
    GET,
    Case("post-1k", "POST of 1 KB", path="/post", body_bytes=1_024),
    Case("get-64k", "GET of 64 KB", path="/64k", answer_bytes=65_536),
    Case("https", "GET of 5 bytes, HTTPS", tls=True),
    Case("h2c", f"GET of 5 bytes, HTTP/2, {STREAMS} streams a connection", http2=True, streams=STREAMS),
    Case("h2", f"GET of 5 bytes, HTTP/2 over TLS, {STREAMS} streams a connection", tls=True, http2=True,
         streams=STREAMS),
    JOURNEY,
    JOURNEY_JSON,
)
