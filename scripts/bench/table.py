"""What was measured, as text, Markdown and JSON: the same figures and remarks in each."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field

from cases import GET, JOURNEY, JOURNEY_JSON
from client import Client
from measure import PROGRAM_WARMUP_SECONDS, TICKS_PER_SECOND, Measured, Method, SideBySide, as_data
from section import Section, bullets
from stall import Stall
from startup import StartUp

DISTURBED = 0.05
"""Remarked on: other work took more than this share of a core."""
DRIFTING = 0.05
"""Remarked on: the second half of the measured time was cheaper than the first by more than this share."""

COLUMNS = ("client", "CPU µs/request", "min – max", "× {baseline}", "req/s", "client core", "server core", "RSS peak MiB",
           "connections", "server − own")


@dataclass(frozen=True)
class Goal:
    """What a client may cost at most for a small GET, in terms of another."""

    client: str
    connections: int
    ratio: float
    of: str = "wrk"


JSON_CHECK_RATIO = 1.15
"""What the case journey-json may cost Phaseload at most, in terms of the case journey."""

GOALS = (Goal("phaseload-threads-17", 64, 2.2),
         *[Goal(f"phaseload-httpclient{pool}-{major}", connections, 1.15, f"httpclient{pool}-{major}")
           for pool in ("", "-own") for major in (17, 25) for connections in (64, 1_000)])


@dataclass(frozen=True)
class Report:
    """Everything there is to tell about one invocation of the bench."""

    machine: dict[str, object]
    server: str
    method: Method
    clients: Sequence[Client]
    absent: Sequence[str] = ()
    warnings: Sequence[str] = ()
    commands: Sequence[str] = ()
    """The bench's own, and its clients'; a table has its own where it is the only one."""
    results: Sequence[SideBySide] = field(default_factory=list)
    start_up: StartUp | None = None
    stall: Stall | None = None


def text(report: Report) -> str:
    """Aligned columns for a terminal."""
    lines = [title(report)]
    subjects = facts(report)
    width = max(len(subject) for subject, _ in subjects)
    lines += [f"{subject.ljust(width)}  {fact}" for subject, fact in subjects]
    for section in sections(report):
        lines += ["", *section.text()]
    return "\n".join(lines)


def markdown(report: Report) -> str:
    lines = [f"# {title(report)}", ""]
    lines += bullets(f"**{subject}**: {f'`{fact}`' if subject == 'command' else fact}" for subject, fact in facts(report))
    for section in sections(report):
        lines += ["", *section.markdown()]
    return "\n".join(lines) + "\n"


def json_text(report: Report) -> str:
    """All runs one by one, in addition to their medians."""
    data = {
        "machine": report.machine,
        "server": report.server,
        "method": {**asdict(report.method), "ticksPerSecond": TICKS_PER_SECOND},
        "versions": {client.name: client.version() for client in report.clients},
        "notMeasured": list(report.absent),
        "warnings": list(report.warnings),
        "commands": list(report.commands),
        "results": [
            {
                "case": result.case.name,
                "connections": result.connections,
                "baseline": result.baseline,
                "refusals": result.refusals,
                "failures": result.failures,
                "remarks": remarks(result, report.results),
                "clients": [
                    {
                        "client": measured.client.name,
                        "microsPerRequest": measured.median("micros_per_request"),
                        "ratioToBaseline": result.ratio(measured),
                        "requestsPerSecond": measured.median("requests_per_second"),
                        "peakMemory": measured.median("peak_memory"),
                        "runs": [as_data(run) for run in measured.runs],
                    }
                    for measured in result.measured
                ],
            }
            for result in report.results
        ],
        "stall": report.stall and report.stall.as_data(),
        "startUp": report.start_up and report.start_up.as_data(),
    }
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"


def title(report: Report) -> str:
    commit = f", commit {report.machine['commit']}" if report.machine["commit"] else ""
    return f"phaseload bench, {report.machine['date']}{commit}"


def facts(report: Report) -> list[tuple[str, str]]:
    """The conditions, each as a subject and what is so."""
    machine = report.machine
    return [
        ("machine", f"{machine['cpu']}, {machine['cores']} cores, {machine['kernel']}"),
        *[("client", f"{client.label}: {client.version()}") for client in report.clients],
        *[("not measured", absent) for absent in report.absent],
        *(_load_facts(report) if report.results else []),
        *[("warning", warning) for warning in report.warnings],
        *[("command", command) for command in (report.commands if len(report.results) == 1 else report.commands[:1])],
    ]


def _load_facts(report: Report) -> list[tuple[str, str]]:
    machine, method = report.machine, report.method
    doubt = 200 / TICKS_PER_SECOND / method.seconds
    return [
        ("server", f"{report.server}; on core {machine['serverCore']}, the clients on core {machine['clientCore']}"),
        ("method", f"{method.warmup} s warm-up (at most {PROGRAM_WARMUP_SECONDS} s without a JVM), then {method.seconds} s measured in the same process; "
                   f"medians of {method.repeats}, the clients taking turns"),
        ("CPU", "utime + stime of all threads and children in /proc/PID/stat, by the server's request counter; "
                f"a tick is {1000 / TICKS_PER_SECOND:.0f} ms, which leaves ± {doubt:.2g} % when the core is busy"),
    ]


def sections(report: Report) -> list[Section]:
    """The tables, in their order."""
    side_by_side = [Section(heading(result), rows(result), remarks(result, report.results)) for result in report.results]
    return side_by_side + [part.section() for part in (report.stall, report.start_up) if part]


def heading(result: SideBySide) -> str:
    return f"{result.case.title}, {result.connections:,} connection{'s' if result.connections > 1 else ''}"


def rows(result: SideBySide) -> list[list[str]]:
    """The header and a row for each client."""
    return [[column.format(baseline=result.baseline) for column in COLUMNS], *[_row(result, measured) for measured in result.measured]]


def _row(result: SideBySide, measured: Measured) -> list[str]:
    ratio = result.ratio(measured)
    uncounted = measured.uncounted()
    low, high = measured.spread("micros_per_request")
    return [
        measured.client.label,
        f"{measured.median('micros_per_request'):.2f}",
        f"{low:.2f} – {high:.2f}",
        "–" if ratio is None else f"{ratio:.2f}",
        f"{measured.median('requests_per_second'):,.0f}",
        f"{measured.median('client_core_share'):.0%}",
        f"{measured.median('server_core_share'):.0%}",
        f"{measured.median('peak_memory') / 2**20:.0f}",
        f"{measured.median('connections'):,.0f}",
        f"{max(uncounted, key=abs):+,d}" if any(uncounted) else "0" if uncounted else "–",
    ]


def remarks(result: SideBySide, results: Sequence[SideBySide] = ()) -> list[str]:
    """What a reader has to know about the figures, the cost of a check by all results included."""
    said = [f"{label} has no figures: {reason}"
            for label, reason in [*result.failures.items(), *result.refusals.items()]]
    for measured in result.measured:
        said += [f"{measured.client.label}: {remark}" for remark in _remarks(result, measured)]
    by_name = {measured.client.name: measured for measured in result.measured}
    for goal in GOALS:
        if result.case == GET and goal.connections == result.connections and goal.client in by_name and goal.of in by_name:
            measured, other = by_name[goal.client], by_name[goal.of]
            said.append(f"goal: {measured.client.label} costs at most {goal.ratio:.2f} × {other.client.name}: "
                        + _outcome(measured, other, goal.ratio))
    return said + _json_checks(result, results)


def _json_checks(result: SideBySide, results: Sequence[SideBySide]) -> list[str]:
    """What comparing a value costs each client, by the case without."""
    without = {measured.client.name: measured for other in results
               if other.case == JOURNEY and other.connections == result.connections for measured in other.measured}
    said = []
    for measured in result.measured if result.case == JOURNEY_JSON else ():
        other = without.get(measured.client.name)
        if other and measured.client.name.startswith("phaseload"):
            said.append(f"goal: {measured.client.label} costs at most {JSON_CHECK_RATIO:.2f} × the case without the comparison: "
                        + _outcome(measured, other, JSON_CHECK_RATIO))
        elif other:
            said.append(f"{measured.client.label} costs {_ratio(measured, other):.2f} × the case without the comparison")
    return said


def _ratio(measured: Measured, other: Measured) -> float:
    return measured.median("micros_per_request") / other.median("micros_per_request")


def _outcome(measured: Measured, other: Measured, goal: float) -> str:
    ratio = _ratio(measured, other)
    if any(_doubts(one) for one in (measured, other)):
        return f"{ratio:.2f}, undecided, since the runs were disturbed or not warmed up"
    return f"{ratio:.2f}, {'met' if ratio <= goal else 'MISSED'}"


def _remarks(result: SideBySide, measured: Measured) -> list[str]:
    said = []
    uncounted = measured.uncounted()
    if any(uncounted):
        each = ", ".join(f"{n:+,d}" for n in uncounted)
        in_flight = all(0 <= n <= result.connections * result.case.streams for n in uncounted)
        said.append(f"the server counted {each} requests beyond the client's own count"
                    + (": no more than were under way when it stopped" if in_flight else ""))
    elif not uncounted:
        said.append("reports no count of its own to compare with the server's")
    if measured.median("connections") > 1.1 * result.connections + 1:
        said.append(f"opened {measured.median('connections'):,.0f} connections for {result.connections:,}: "
                    "the figure includes connecting")
    exit_codes = sorted({run.exit_code for run in measured.runs} - {0})
    if exit_codes:
        said.append(f"ended with exit code {', '.join(map(str, exit_codes))}")
    return said + _doubts(measured)


def _doubts(measured: Measured) -> list[str]:
    """Why the figures of a client may not be what they would be on a quiet machine after a long warm-up."""
    said = []
    if measured.median("drift") < -DRIFTING:
        said.append(f"the second half of the measured time cost {-measured.median('drift'):.0%} less than the first: "
                    "not warmed up (a longer --warmup helps) or disturbed")
    disturbed = [run.other_share for run in measured.runs if run.other_share > DISTURBED]
    if disturbed:
        said.append(f"disturbed: other work took up to {max(disturbed):.0%} of a core "
                    f"in {len(disturbed)} of {len(measured.runs)} runs")
    return said
