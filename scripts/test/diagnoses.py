#!/usr/bin/env python3
"""
Injects faults for real, one a run, and checks what the diagnosis, or for a fault of the client the verdict, says first. Clean runs must
have no finding at all. Needs the jar, Java, Linux, and a quiet machine of two cores or more; some kinds need root, Go, Node, nginx,
HAProxy or nftables: without these they are skipped, and the output says so. It ends with recall, precision by confidence and false
alarms, each with Wilson's interval of 95 %. Half of the kinds are held out: see kinds/__init__.py.

    python3 scripts/test/diagnoses.py --half seen          # about 20 minutes; held-out about 15
    python3 scripts/test/diagnoses.py --causes rate-limit,slow-dns --kinds rate --repeats 1
    python3 scripts/test/diagnoses.py --module held_out_third
    python3 scripts/test/diagnoses.py --self-check         # whether the servers do what is said of them, without Phaseload
"""

from __future__ import annotations

import argparse
import json
import shlex
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from random import Random

import asking
import faults
import kinds
import scores
from kinds import Bed, Kind
from scores import NOTHING, Finding, Outcome
from verdicts import MAX_STOLEN_PERCENT, stolen_percent

# Of a run that others disturbed.
TRIES = 3
MAX_SECONDS = 120
BEGIN, END = "<!-- matrix -->\n", "<!-- end of the matrix -->\n"


class Runs:
    """Runs of one client at a time."""

    def __init__(self, folder: Path):
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.number = 0
        self.bounded = 0

    def run(self, bed: Bed) -> dict:
        self.number += 1
        out = self.folder / str(self.number)
        options = [word.replace(":for:", " for ") for word in shlex.split(bed.options)]
        if bed.plan:
            plan = self.folder / f"{self.number}.yaml"
            plan.write_text(bed.plan)
            options += ["--plan", str(plan)]
        command = [*bed.under, faults.JAVA, *bed.java, "-jar", str(faults.JAR), "run", "--url", bed.url, "--out", str(out), *options]
        lines = []
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
            limit = threading.Timer(MAX_SECONDS, process.kill)
            limit.start()
            for line in process.stdout:
                lines.append(line)
                if bed.freeze and line.startswith("PEAK phase: All threads"):
                    time.sleep(1.5)
                    process.send_signal(signal.SIGSTOP)
                    time.sleep(bed.freeze)
                    process.send_signal(signal.SIGCONT)
            limit.cancel()
        try:
            result = json.loads((out / "result.json").read_text())
            self.bounded += any(finding["id"] == BOUND for finding in result["findings"])
            return result
        except OSError:
            return {"diagnoses": [], "findings": [], "output": "".join(lines)[-700:]}


# A bound that the client measures, which client_share.py compares with the truth. A target on this machine may answer so fast that it is
# exceeded on a quiet machine, too: that is counted, and no false alarm.
BOUND = "client-share"


def blamed(result: dict) -> list[Finding]:
    """The findings about the client; neither a remark nor a bound is one."""
    return [Finding(finding["id"], "verdict") for finding in result["findings"] if finding["severity"] != "VALID" and finding["id"] != BOUND]


def explained(result: dict) -> list[Finding]:
    return [Finding(diagnosis["id"], diagnosis["confidence"]) for diagnosis in result["diagnoses"]]


def ids(findings: list[Finding]) -> str:
    return ", ".join(finding.id for finding in findings) or NOTHING


DISTURBED = {"stolen", "crowded", "run-queue", "stalls", "tail", "stopped", "suspended"}


def measure(kind: Kind, random: Random, runs: Runs) -> Outcome:
    of_client = kind.is_fault and kind.expected[0] in DISTURBED | {"throttled", "client-limit", "gc"}
    for _ in range(TRIES):
        with kind.bed(random) as bed:
            result = runs.run(bed)
        if "output" in result:
            print(f"        {kind.name}: no result: {result['output']}", flush=True)
            raise faults.Impossible("the run has no result")
        found = blamed(result) if of_client else explained(result) if kind.is_fault else blamed(result) + explained(result)
        outcome = Outcome(kind.name, kind.expected, tuple(found))
        disturbed = DISTURBED & {finding.id for finding in blamed(result)}
        if of_client or (outcome.right and kind.is_fault) or not (stolen_percent(result) > MAX_STOLEN_PERCENT or disturbed):
            break
        # Nothing is concluded from the times of such a client.
        print(f"again   {kind.name}: something else kept the client from running ({', '.join(disturbed)})", flush=True)
    return told(outcome, result, bed)


def told(outcome: Outcome, result: dict, bed: Bed) -> Outcome:
    print(f"{'ok     ' if outcome.right else 'WRONG  '} {'clean ' if outcome.is_clean else ''}{outcome.kind:24} {ids(outcome.found)}", flush=True)
    if not outcome.right:
        print(f"            expected {' or '.join(outcome.expected) or NOTHING}; run with {bed.options}", flush=True)
    for diagnosis in result["diagnoses"]:
        print(f"            {diagnosis['confidence']}: {diagnosis['text']}", flush=True)
    for reason in result["verdict"]["reasons"]:
        print(f"            {reason}", flush=True)
    return outcome


def matrix(chosen: list[Kind], seed: int, repeats: int, runs: Runs) -> list[tuple[Kind, Outcome]]:
    found = []
    for repeat in range(repeats):
        for kind in chosen:
            if kind.is_fault and repeat:
                continue
            try:
                found.append((kind, measure(kind, dice(kind, seed, repeat), runs)))
            except faults.Impossible as why:
                print(f"skipped {kind.name}: {why}", flush=True)
    return found


def dice(kind: Kind, seed: int, repeat: int = 0) -> Random:
    return Random(f"{seed} {kind.name} {repeat}")


def self_check(chosen: list[Kind], seed: int) -> int:
    """How many servers don't do what is said of them."""
    wrong = 0
    for kind in chosen:
        try:
            with kind.bed(dice(kind, seed)) as bed:
                truth = bed.truth or (None if kind.is_fault or not bed.url.startswith("http") else asking.HEALTHY)
                if bed.probe is None and truth is None:
                    print(f"-       {kind.name}: nothing to ask", flush=True)
                    continue
                claims = bed.probe() if bed.probe else truth.claims(asking.ask_under(bed.under, bed.url, truth))
        except faults.Impossible as why:
            print(f"skipped {kind.name}: {why}", flush=True)
            continue
        unmet = asking.unmet(claims)
        wrong += bool(unmet)
        print(f"{'WRONG  ' if unmet else 'ok     '} {kind.name}: {'; '.join(unmet or [f'{name} {value:.4g}' for name, value, _, _ in claims])}", flush=True)
    return wrong


def table(found: list[tuple[Kind, Outcome]]) -> str:
    rows = ["| injected | found first | found, too |", "|---|---|---|"]
    for kind, outcome in found:
        if kind.is_fault:
            first = f"`{outcome.first}`" if outcome.right else f"**`{outcome.first}`**"
            rows.append(f"| {kind.what} | {first} | {', '.join(f'`{other.id}`' for other in outcome.found[1:])} |")
    return "\n".join(rows)


def write(file: Path, found: list[tuple[Kind, Outcome]]) -> None:
    """Replaces the part of the file between the two marks."""
    before, begin, rest = file.read_text().partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        sys.exit(f"--markdown {file}: expected the lines {BEGIN.strip()} and {END.strip()} in it")
    halves = [(half, [(kind, outcome) for kind, outcome in found if kind.half == half]) for half in kinds.HALVES]
    parts = [f"Kinds that are {half}:\n\n{table(part)}\n\n" + "\n".join(f"- {line.strip()}" for line in scores.lines([outcome for _, outcome in part]))
             for half, part in halves if part]
    file.write_text(f"{before}{begin}\n" + "\n\n".join(parts) + f"\n\n{end}{after}")


def select(parser: argparse.ArgumentParser, module: str | None, half: str) -> list[Kind]:
    those = kinds.load()
    if module is None:
        return [kind for kind in those if half in (kind.half, "all")]
    if module not in (names := sorted({kind.module for kind in those})):
        parser.error(f"--module {module}: expected {', '.join(names)}")
    return [kind for kind in those if kind.module == module]


def choose(parser: argparse.ArgumentParser, option: str, text: str | None, those: list[Kind]) -> list[Kind]:
    if text == "none":
        return []
    names = [kind.name for kind in those] if text is None else text.split(",")
    if unknown := set(names) - {kind.name for kind in those}:
        parser.error(f"{option} {','.join(sorted(unknown))}: expected {', '.join(kind.name for kind in those)}")
    return [kind for kind in those if kind.name in names]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--half", choices=(*kinds.HALVES, "all"), default="seen")
    parser.add_argument("--module", help="only the kinds of this file, such as held_out_third, whatever --half is")
    parser.add_argument("--causes", help="faults; none for no run")
    parser.add_argument("--kinds", help="of clean runs; none for no run")
    parser.add_argument("--repeats", type=int, default=2, help="of clean runs")
    parser.add_argument("--seed", type=int, default=1, help="of the parameters of faults and of clean runs")
    parser.add_argument("--self-check", action="store_true", help="ask each server directly")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help=f"write the tables into it, between {BEGIN.strip()} and {END.strip()}")
    parser.add_argument("--jar", type=Path, default=faults.JAR, help="the client")
    parser.add_argument("--out", type=Path, help="keep the runs' results in this folder")
    options = parser.parse_args()
    faults.JAR = options.jar.resolve()
    if not faults.JAR.is_file():
        parser.error(f"no {faults.JAR}: mvn -q -DskipTests package")
    those = select(parser, options.module, options.half)
    chosen = choose(parser, "--causes", options.causes, [kind for kind in those if kind.is_fault])
    chosen += choose(parser, "--kinds", options.kinds, [kind for kind in those if not kind.is_fault])
    if options.self_check:
        return 1 if self_check(chosen, options.seed) else 0
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        runs = Runs(options.out or Path(folder))
        found = matrix(chosen, options.seed, options.repeats, runs)
    outcomes = [outcome for _, outcome in found]
    print("\n" + table(found) + "\n")
    print("\n".join(scores.lines(outcomes)))
    print(f"Runs whose figures may be the client's own by more than a tenth ({BOUND}): {runs.bounded} of {runs.number}")
    skipped = [kind.name for kind in chosen if kind not in (done for done, _ in found)]
    print(f"{len(outcomes)} runs, {time.monotonic() - start:.0f} s. Skipped: {', '.join(skipped) or 'none'}")
    if options.markdown:
        write(options.markdown, found)
    return 0 if all(outcome.right or not outcome.counts_for_recall and not outcome.is_clean for outcome in outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
