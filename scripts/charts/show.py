"""Opens a chart of charts/ in Altair, unchanged, over the tables of a results folder.

    scripts/charts/show results/20261120T120000Z-run latency -o latency.html
    scripts/phaseload compare A B --data tables.json && scripts/charts/show tables.json changes -o changes.svg

In a notebook, `open_chart("latency", tables("results/…"))` is the chart.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import altair as alt

ROOT = pathlib.Path(__file__).resolve().parents[2]
CHARTS = ROOT / "charts"
FORMATS = ("html", "svg", "png", "json")


def names():
    """Of all charts."""
    return sorted(path.name.removesuffix(".vl.json") for path in CHARTS.glob("*.vl.json"))


def tables(source):
    """The tables of a run's or a sweep's folder, or of a file that --data wrote, by name."""
    path = pathlib.Path(source)
    if path.is_file():
        return json.loads(path.read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "tables.json"
        command = [ROOT / "scripts" / "phaseload", "report", path, "--data", file]
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        if not file.is_file():
            raise SystemExit(f"show {source}: expected a results folder, or a file of --data: {done.stderr.strip()}")
        return json.loads(file.read_text(encoding="utf-8"))


def shown(part):
    """The names of the tables that a chart, or a part of one, shows."""
    if isinstance(part, list):
        return set().union(*map(shown, part))
    if not isinstance(part, dict):
        return set()
    own = {part["data"]["name"]} if "data" in part else set()
    return own.union(*map(shown, part.values()))


def open_chart(name, data, theme="light"):
    """A chart of charts/ over those tables that it shows. Altair checks it against Vega-Lite's schema, rows included."""
    chart = json.loads((CHARTS / f"{name}.vl.json").read_text(encoding="utf-8"))
    chart["datasets"] = {table: data[table] for table in shown(chart) if table in data}
    chart["config"] = json.loads((CHARTS / f"{theme}.json").read_text(encoding="utf-8"))
    return alt.Chart.from_dict(chart)


def main(arguments):
    parser = argparse.ArgumentParser(
        prog="show", description="Shows a chart of charts/ in Altair, over the tables of a results folder."
    )
    parser.add_argument("source", metavar="RESULTS", help="a run's or a sweep's folder, or a file that --data wrote")
    parser.add_argument("chart", metavar="CHART", choices=names(), help=", ".join(names()))
    ends = ", .".join(FORMATS)
    parser.add_argument("-o", "--output", metavar="FILE", help=f"ends in .{ends} (HTML, to standard output)")
    parser.add_argument("--dark", action="store_true", help="light colours on black")
    options = parser.parse_args(arguments)
    kind = pathlib.Path(options.output).suffix[1:] if options.output else "html"
    if kind not in FORMATS:
        parser.error(f"--output {options.output}: expected a name that ends in .{', .'.join(FORMATS)}")
    chart = open_chart(options.chart, tables(options.source), "dark" if options.dark else "light")
    chart.save(options.output or sys.stdout, format=kind)


if __name__ == "__main__":
    main(sys.argv[1:])
