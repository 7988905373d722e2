"""The load clients that are compared. Adding one is adding one small class, and naming it here."""

from __future__ import annotations

from client import Client
from machine import Jdk
from native import H2load, Hey, K6, Oha, Vegeta, Wrk
from onjvm import Gatling, JMeter
from phaseload import Phaseload


def known(jdks: dict[int, Jdk]) -> list[Client]:
    """Every client there is, installed or not: Phaseload on JDK 17, on 25, and on whatever else is found."""
    jvm = jdks.get(17) or next(iter(jdks.values()), None)
    majors = sorted({17, 25} | {major for major in jdks if major >= 17})
    threads = [Phaseload("threads", ["--engine", "threads"], major, jdks.get(major)) for major in majors]
    virtual = [Phaseload("virtual", ["--engine", "threads", "--virtual"], major, jdks.get(major))
               for major in majors if major >= 21]
    events = [Phaseload("events", ["--engine", "events", "--loops", "1"], major, jdks.get(major)) for major in majors]
    return [Wrk(), H2load(), Oha(), Hey(), K6(), Vegeta(), JMeter(jvm), Gatling(jvm), *threads, *virtual, *events]
