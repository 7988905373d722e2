"""The load clients that are compared. Adding one is adding one small class, and naming it here."""

from __future__ import annotations

from pathlib import Path

from client import USERS, Client
from locust_users import Locust
from machine import Jdk
from native import H2load, Hey, K6, Oha, Vegeta, Wrk
from onjvm import BareHttpClient, Gatling, JMeter
from phaseload import JAR, Phaseload, PhaseloadAgent

EVENTS = ["--engine", "events", "--loops", "1"]
POOLS = {"": USERS, "-own": "user", "-pool8": "8", "-pool64": "64"}
"""Connections of Apache HttpClient's pool, by what is appended to a client's name: as many as users, a pool a user with one, or so many."""


def known(jdks: dict[int, Jdk], before: Path | None = None) -> list[Client]:
    """Every client there is, installed or not: Phaseload on JDK 17, on 25, and on whatever else is found, and an earlier
    build of it, if its jar is given."""
    jvm = jdks.get(17) or next(iter(jdks.values()), None)
    bare = [BareHttpClient(name, size, major, jdks.get(major)) for name, size in POOLS.items() for major in _majors(jdks)]
    agent = PhaseloadAgent("agent", EVENTS, 17, jvm)
    return [Wrk(), H2load(), Oha(), Hey(), K6(), Vegeta(), JMeter(jvm), Gatling(jvm), Locust(), *bare, *_builds_of_phaseload(jdks, "", JAR), agent,
            *(_builds_of_phaseload(jdks, "before-", before) if before else [])]


def _majors(jdks: dict[int, Jdk]) -> list[int]:
    return sorted({17, 25} | {major for major in jdks if major >= 17})


def _builds_of_phaseload(jdks: dict[int, Jdk], prefix: str, jar: Path) -> list[Client]:
    flavours = {"threads": ["--engine", "threads"], "virtual": ["--engine", "threads", "--virtual"],
                "events": EVENTS,
                **{f"httpclient{name}": ["--engine", "threads", "--client", "httpclient", "--pool", size, "--timeout", "180s"]
                   for name, size in POOLS.items()}}  # as long as the bare loop waits: HttpClient's own default
    return [Phaseload(prefix + flavour, options, major, jdks.get(major), jar)
            for flavour, options in flavours.items() for major in _majors(jdks) if flavour != "virtual" or major >= 21]
