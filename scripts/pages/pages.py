"""Runs each kind of run for some seconds against loopback, and takes pictures of its page:

    "$(scripts/pages/install)" scripts/pages/pages.py                      all kinds, in target/pages, three minutes
    "$(scripts/pages/install)" scripts/pages/pages.py --only clean,sweep
    "$(scripts/pages/install)" scripts/pages/pages.py --reuse              pages of the runs that are there, written again

KIND.html is the page, KIND.txt the text for a terminal of 80 columns. Pictures: KIND-first.png (1280 × 800), -full, -dark, -phone-first,
-phone and -print. A line for each page has its size, the time until it was loaded and drew its first charts, and axe's violations, if
--axe names axe.min.js. Needs the jar, Go and Chromium.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts" / "test"))

import behaviours as server  # noqa: E402
import faults  # noqa: E402
from behaviours import rule  # noqa: E402

SHOP = """
name: shop
target: {url}
threads: 10
phases: warmup=0.5 for 1s, loading=0.5 for 3s, peak=1 for 5s
scenarios:
  - name: browse
    weight: 80
    steps:
      - get: /items
      - repeat: 3
        steps:
          - get: /items/{{counter}}
            name: GET /items/ID
  - name: buy
    weight: 20
    steps:
      - post: /login
      - group: checkout
        steps:
          - post: /cart
            checks: status=2xx
          - post: /orders
            checks: status=201
"""
FOUR = "--engine events --phases 'warmup=0.5 for 1s, loading=0.5 for 3s, peak=1 for 4s, cooldown=0.5 for 1s'"
PEAK = "--engine events --phases 'warmup=0.5 for 2s, peak=1 for 8s'"


class Bench:
    """Makes results folders and pages with the jar, each in a folder of its own."""

    def __init__(self, out: Path, reuse: bool) -> None:
        self.out = out
        self.reuse = reuse

    def phaseload(self, *words: str, columns: int = 80, output: Path | None = None) -> None:
        with open(output, "w", encoding="utf-8") if output else open(os.devnull, "w", encoding="utf-8") as file:
            subprocess.run([faults.JAVA, "-jar", str(faults.JAR), *words], stdout=file, stderr=subprocess.DEVNULL, timeout=100,
                           env={**os.environ, "COLUMNS": str(columns)}, check=False)

    def run(self, kind: str, *words: str, command: str = "run") -> Path:
        folder = self.out / "runs" / kind
        if not (self.reuse and folder.exists()):
            shutil.rmtree(folder, ignore_errors=True)
            self.phaseload(command, *words, "--out", str(folder))
        return folder

    def page(self, kind: str, *words: str, command: str = "report") -> None:
        self.phaseload(command, *words, "--html", str(self.out / f"{kind}.html"), output=self.out / f"{kind}.txt")


def of_run(start: Callable[[], contextlib.AbstractContextManager[str]], options: str) -> Callable[[Bench, str], None]:
    """A kind with one run, at {url}."""

    def make(bench: Bench, kind: str) -> None:
        with start() as url:
            folder = bench.run(kind, *(word.replace("{url}", url) for word in shlex.split(options)))
        bench.page(kind, str(folder))

    return make


def of_go(options: str, *rules: str) -> Callable[[Bench, str], None]:
    return of_run(lambda: server.go(*rules), "{url} " + options)


def dead_port() -> contextlib.AbstractContextManager[str]:
    return contextlib.nullcontext(f"http://127.0.0.1:{faults.free_port()}/")


def journeys(bench: Bench, kind: str) -> None:
    plan = bench.out / "shop.yaml"
    with server.go(rule(path="/cart", share=0.7, status=409), rule(path="/orders", status=201), rule(ms=(3, 9))) as url:
        plan.write_text(SHOP.format(url=url), encoding="utf-8")
        folder = bench.run(kind, "--plan", str(plan), "--engine", "events")
    bench.page(kind, str(folder))


def sweep(bench: Bench, kind: str) -> None:
    with server.go(rule(pool=4, ms=(8, 12))) as url:
        folder = bench.run(kind, url, *"--threads 1,2,4,8,16 --trials 2 --duration 2s --warmup 500ms --engine events".split(), command="sweep")
    bench.page(kind, str(folder))


def compared(bench: Bench, kind: str) -> None:
    folders = []
    for name, ms in (("a", (8, 12)), ("b", (11, 17))):
        with server.go(rule(ms=ms)) as url:
            options = "-c 8 --get /a --get /b --engine events --phases 'warmup=0.5 for 2s, peak=1 for 14s'"
            folders.append(str(bench.run(f"{kind}-{name}", url, *shlex.split(options))))
    bench.page(kind, *folders, command="compare")


def messages(bench: Bench, kind: str) -> None:
    """The target stands still for a second, and messages are lost that aren't received within 400 ms."""
    pid = bench.out / "pid"
    with faults.target(under=["sh", "-c", f'echo $$ > "{pid}"; exec "$@"', "sh"]) as url:
        number = int(pid.read_text())
        timers = [threading.Timer(after, os.kill, (number, sent)) for after, sent in ((7, signal.SIGSTOP), (8, signal.SIGCONT))]
        for timer in timers if not (bench.reuse and (bench.out / "runs" / kind).exists()) else []:
            timer.start()
        address = url.replace("http:", "ws:") + "rooms/{pair}"
        folder = bench.run(kind, address, *shlex.split("--pairs 20 --timeout 400ms --rate '300 messages/s' --phases 'warmup=0.5 for 2s, peak=1 for 8s'"))
        for timer in timers:
            timer.cancel()
        os.kill(number, signal.SIGCONT)
    bench.page(kind, str(folder))


def clocks(bench: Bench, kind: str) -> None:
    folder = bench.run(kind, *"--agents local:2 --duration 8s".split(), command="clock")
    shutil.copy(folder / "clock.html", bench.out / f"{kind}.html")


KINDS: dict[str, Callable[[Bench, str], None]] = {
    "clean": of_go(f"--rate 300/s -c 20 --get / --post / {PEAK}", rule(ms=(3, 6))),
    "dead-port": of_run(dead_port, f"{{url}} -c 4 {FOUR}"),
    "all-failed": of_go(f"-c 4 {FOUR}", rule(ms=(3, 6), status=500)),
    "overload": of_go(f"-c 300 --rate 400/s --timeout 1500ms {PEAK}", rule(pool=4, ms=20)),
    "forty": of_go("-c 8 " + "".join(f"--get /api/v2/items/{i} " for i in range(40)) + FOUR,
                   rule(path="/api/v2/items/1", share=0.2, status=503), rule(path="/api/v2/items/3", share=0.1, end="reset"), rule(ms=(2, 9))),
    "journeys": journeys,
    "freeze": of_go(f"-c 60 --rate 300/s {PEAK}", rule(**{"from": 6000, "to": 6020}, block=1, ms=2000), rule(ms=(2, 6))),
    "warming-up": of_go("-c 2 --engine events --phases 'warmup=0.5 for 1s, peak=1 for 13s'", rule(**{"from": 0, "to": 7000}, ms=30), rule(ms=8)),
    "thresholds": of_go(f"-c 8 --get /a --get /b --threshold p99<10ms --threshold failures<1% {FOUR}",
                        rule(path="/b", share=0.03, status=500), rule(ms=(4, 20))),
    "sweep": sweep,
    "compare": compared,
    "messages": messages,
    "agents": of_run(faults.target, f"{{url}} --agents local:2 -c 10 --rate 200/s {PEAK}"),
    "clock": clocks,
}

VIEWS = {"first": (1280, 800, False, {}), "full": (1280, 800, True, {}), "dark": (1280, 800, True, {"color_scheme": "dark"}),
         "phone-first": (390, 844, False, {}), "phone": (390, 844, True, {}), "print": (720, 1020, True, {"media": "print"})}


def look(out: Path, kinds: list[str], axe: str) -> None:
    from playwright.sync_api import sync_playwright  # noqa: PLC0415, as only pictures need it

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium") or shutil.which("google-chrome"), args=["--no-sandbox"])
        for kind in kinds:
            file = out / f"{kind}.html"
            problems: list[str] = []
            seconds: list[float] = []
            for name, (width, height, full, media) in VIEWS.items():
                page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=media.get("color_scheme", "light"))
                page.on("pageerror", lambda error: problems.append(str(error)))
                began = time.monotonic()
                page.goto(file.as_uri())
                page.wait_for_selector("html[data-ready]")
                seconds.append(time.monotonic() - began)
                if full:
                    page.evaluate("phaseload.drawAll()")
                if "media" in media:
                    page.emulate_media(media="print")
                page.screenshot(path=out / f"{kind}-{name}.png", full_page=full)
                if axe and name == "full":
                    page.evaluate(Path(axe).read_text(encoding="utf-8"))
                    problems += page.evaluate("async () => (await axe.run(document)).violations.map(of => of.id)")
                page.close()
            print(f"{kind:12} {file.stat().st_size / 1000:5.0f} kB  charts after {seconds[0]:.2f} s  {'; '.join(problems) or 'no violation, no error'}", flush=True)
        browser.close()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", help="kinds, separated by commas", default=",".join(KINDS))
    parser.add_argument("--out", type=Path, default=ROOT / "target" / "pages")
    parser.add_argument("--reuse", action="store_true", help="take the runs that are there")
    parser.add_argument("--axe", default="", help="axe.min.js")
    chosen = parser.parse_args()
    kinds = chosen.only.split(",")
    if unknown := [kind for kind in kinds if kind not in KINDS]:
        parser.error(f"--only: expected {', '.join(KINDS)}, got {', '.join(unknown)}")
    if not faults.JAR.is_file():
        parser.error(f"no {faults.JAR}: mvn -q -DskipTests package")
    out = chosen.out.resolve()
    (out / "runs").mkdir(parents=True, exist_ok=True)
    for kind in kinds:
        KINDS[kind](Bench(out, chosen.reuse), kind)
    look(out, kinds, chosen.axe)
    return 0


if __name__ == "__main__":
    sys.exit(main())
