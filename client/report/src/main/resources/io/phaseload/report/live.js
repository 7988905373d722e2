(() => {
  const $ = id => document.getElementById(id);
  const ALL = "(all)";
  // The rest of a phase: its rate says nothing.
  const SHORT = 250;
  const MOST_BINS = 600, HEAT_BINS = 120, CELLS = 8;

  const run = {phases: [], measured: []};
  const seconds = [];
  const causes = new Map();
  const changes = [];
  const trials = new Map();
  let paused = false, zoom = null, connected = false, over = false, drawing = false;

  const element = (name, text, parent) => {
    const made = document.createElement(name);
    made.textContent = text;
    parent.append(made);
    return made;
  };
  const number = value => value === null || value === undefined ? "–"
    : Number(value) !== 0 && Math.abs(value) < 100 ? Number(Number(value).toPrecision(3)).toString() : Math.round(value).toLocaleString("en");
  const millis = value => value === null || value === undefined ? "–" : value >= 1000 ? `${number(value / 1000)} s` : `${number(value)} ms`;
  const clock = value => {
    const whole = Math.floor(value);
    const rest = [Math.floor(whole / 60) % 60, whole % 60].map(of => String(of).padStart(2, "0"));
    return whole < 3600 ? `${Math.floor(whole / 60)}:${rest[1]}` : `${Math.floor(whole / 3600)}:${rest.join(":")}`;
  };
  const sum = (rows, of) => rows.reduce((total, row) => total + of(row), 0);
  const end = () => seconds.length ? seconds.at(-1).end : 1;

  // Tables with the columns that charts/README.md lists.
  const bins = () => {
    const size = Math.ceil(seconds.length / MOST_BINS);
    const made = [];
    for (const second of seconds) {
      const last = made.at(-1);
      if (last && last.phase === second.phase && (last.rows.length < size || second.lengthMs < SHORT)) {
        last.rows.push(second);
        last.end = second.end;
      } else {
        made.push({phase: second.phase, start: second.start, end: second.end, rows: [second]});
      }
    }
    return made;
  };
  // Percentiles can't be added: a bin of several seconds shows its worst second.
  const worst = (bin, key) => {
    const known = bin.rows.map(row => row.response[key]).filter(value => value !== null);
    return known.length ? Math.max(...known) : null;
  };
  const at = bin => ({phase: bin.phase, start_s: bin.start, end_s: bin.end, at_s: (bin.start + bin.end) / 2, x_s: (bin.start + bin.end) / 2});
  const tables = {
    phases: () => run.phases.flatMap(name => {
      const own = seconds.filter(second => second.phase === name);
      return own.length ? [{phase: name, start_s: own[0].start, end_s: own.at(-1).end, threads: own[0].users,
        measured: run.measured.includes(name) ? 1 : 0}] : [];
    }),
    intervals: () => bins().map(bin => {
      const length = bin.end - bin.start;
      return {...at(bin), operation: ALL, requests: sum(bin.rows, row => row.requests),
        requests_per_second: sum(bin.rows, row => row.requests) / length, succeeded_per_second: sum(bin.rows, row => row.succeeded) / length,
        failed_per_second: sum(bin.rows, row => row.failed) / length,
        p50_ms: worst(bin, "p50Ms"), p95_ms: worst(bin, "p95Ms"), p99_ms: worst(bin, "p99Ms"), max_ms: worst(bin, "maxMs")};
    }),
    latencies: () => bins().flatMap(bin => ["p50", "p95", "p99", "max"].flatMap(figure => {
      const ms = worst(bin, `${figure}Ms`);
      return ms === null ? [] : [{...at(bin), outcome: "all", figure, samples: sum(bin.rows, row => row.requests), ms}];
    })),
    heat: () => {
      const size = Math.ceil(seconds.length / HEAT_BINS);
      const columns = [];
      for (const second of seconds) {
        let last = columns.at(-1);
        if (!last || last.count >= size || last.phase !== second.phase) {
          columns.push(last = {phase: second.phase, start: second.start, count: 0, cells: new Map()});
        }
        last.count++;
        last.end = second.end;
        for (let i = 0; i < second.heat.length; i += 2) {
          last.cells.set(second.heat[i], (last.cells.get(second.heat[i]) ?? 0) + second.heat[i + 1]);
        }
      }
      return columns.flatMap(column => {
        const all = [...column.cells.values()].reduce((a, b) => a + b, 0);
        return [...column.cells].map(([cell, count]) => ({phase: column.phase, start_s: column.start, end_s: column.end,
          low_ms: 10 ** (cell / CELLS), high_ms: 10 ** ((cell + 1) / CELLS), count, percent: 100 * count / all}));
      });
    },
    failures: () => bins().flatMap(bin => {
      const counts = new Map();
      bin.rows.forEach(row => Object.entries(row.failures).forEach(([cause, count]) => counts.set(cause, (counts.get(cause) ?? 0) + count)));
      return [...counts].map(([cause, count]) => ({...at(bin), cause, count, per_second: count / (bin.end - bin.start)}));
    }),
    load_changes: () => changes.map(of => ({phase: of.phase, at_s: of.atMs / 1000, origin: of.origin,
      change: of.to ? `${of.change} ${of.from} → ${of.to}` : of.change})),
    offered: () => bins().filter(bin => bin.rows[0].offered !== undefined).map(bin => ({phase: bin.phase, start_s: bin.start, end_s: bin.end,
      per_second: sum(bin.rows, row => row.offered * row.lengthMs) / sum(bin.rows, row => row.lengthMs)})),
    client: () => host("client"),
    server: () => host("server")
  };
  const host = side => {
    // Of several agents, a name begins with an agent and a dot.
    const figure = name => side === "client" ? name.slice(name.lastIndexOf(".") + 1) : name;
    const names = [...new Set(seconds.flatMap(second => Object.keys(second[side] ?? {})))].filter(
      name => seconds.some(second => second[side]?.[name]));
    const shown = [...new Set(names.map(figure))].slice(0, 12);
    return bins().flatMap(bin => names.filter(name => shown.includes(figure(name))).flatMap(name => {
      const values = bin.rows.map(row => row[side]?.[name]).filter(value => value !== undefined);
      return values.length ? [{phase: bin.phase, at_s: (bin.start + bin.end) / 2, client: name.slice(0, -figure(name).length - 1),
        figure: run.titles[figure(name)] ?? figure(name), unit: "",
        mean: sum(values, value => value) / values.length, max: Math.max(...values)}] : [];
    }));
  };

  // A chart of charts/, drawn once and then fed.
  const charts = [];
  const names = spec => {
    const found = new Set();
    JSON.stringify(spec, (key, value) => {
      if (key === "data" && value?.name) {
        found.add(value.name);
      }
      return value;
    });
    return [...found];
  };
  const prepare = (name, spec, config) => {
    const figure = element("figure", "", $("charts"));
    figure.className = "live-chart";
    figure.hidden = true;
    element("h3", spec.title, figure);
    element("p", spec.description, figure).className = "about";
    const plot = element("div", "", figure);
    plot.className = "plot";
    plot.setAttribute("role", "img");
    plot.setAttribute("aria-label", spec.title);
    delete spec.title;
    spec.config = structuredClone(config);
    spec.config.background = "transparent";
    if ((spec.params ?? []).some(of => of.name === "from")) {
      fitting.overTime(spec);
    }
    charts.push({name, spec, figure, plot, tables: names(spec), main: names(spec).find(table => !["phases", "offered", "load_changes"].includes(table))});
  };
  const span = () => zoom ?? {from: 0, to: Math.max(10, end())};
  const create = async (chart, width) => {
    chart.view?.finalize();
    const spec = structuredClone(chart.spec);
    fitting.widen(spec, width, fitting.isNarrow(width) ? 1 : spec.columns ?? 1, 140);
    (spec.params ?? []).forEach(param => {
      if (param.name === "from" || param.name === "to") {
        param.value = span()[param.name];
      }
    });
    const compiled = vegaLite.compile(spec).spec;
    chart.width = width;
    chart.view = new vega.View(vega.parse(compiled, null, {ast: true}), {renderer: "svg", container: chart.plot, hover: true, expr: vega.expressionInterpreter});
    chart.view.addEventListener("dblclick", () => setZoom(null));
  };
  const signal = (view, name, value) => {
    try {
      view.signal(name, value);
    } catch {
      // This chart has no such parameter.
    }
  };
  const draw = async () => {
    if (paused || drawing || document.hidden || !seconds.length) {
      return;
    }
    drawing = true;
    try {
      const made = new Map();
      const table = name => made.get(name) ?? made.set(name, (tables[name] ?? (() => []))()).get(name);
      for (const chart of charts) {
        const empty = !table(chart.main).length;
        chart.figure.hidden = empty;
        const width = chart.plot.clientWidth;
        if (empty || width === 0) {
          continue;
        }
        if (!chart.view || Math.abs(chart.width - width) > 1) {
          await create(chart, width);
        }
        for (const name of chart.tables) {
          chart.view.data(name, structuredClone(table(name)));
        }
        signal(chart.view, "from", span().from);
        signal(chart.view, "to", span().to);
        await chart.view.runAsync();
      }
      tiles();
      failures();
    } finally {
      drawing = false;
    }
  };
  const setZoom = next => {
    zoom = next;
    $("whole").hidden = zoom === null;
    draw();
  };

  // Dragging over a chart chooses a part of the time.
  let drag = null;
  const timeAt = (chart, event) => {
    const box = chart.plot.getBoundingClientRect();
    const part = Math.min(1, Math.max(0, (event.clientX - box.left - 60) / Math.max(1, box.width - 70)));
    return span().from + part * (span().to - span().from);
  };
  document.addEventListener("pointerdown", event => {
    const chart = charts.find(of => of.plot.contains(event.target) && !of.spec.spec);
    drag = chart ? {chart, from: timeAt(chart, event), x: event.clientX} : null;
  });
  document.addEventListener("pointerup", event => {
    if (drag && Math.abs(event.clientX - drag.x) > 8) {
      const [from, to] = [drag.from, timeAt(drag.chart, event)].sort((a, b) => a - b);
      setZoom({from, to});
    }
    drag = null;
  });
  document.addEventListener("keydown", event => {
    if (event.key === "Escape") {
      setZoom(null);
    }
  });

  const tile = (name, value, note, bad) => {
    const box = element("div", "", $("tiles"));
    box.className = bad ? "bad" : "";
    element("dt", name, box);
    element("dd", value, box);
    const more = element("dd", note, box);
    more.className = "note";
  };
  const tiles = () => {
    const last = seconds.findLast(second => second.lengthMs >= SHORT) ?? seconds.at(-1);
    const sent = sum(seconds, second => second.requests), failed = sum(seconds, second => second.failed);
    $("tiles").textContent = "";
    tile("requests/s", number(last.requestsPerSecond), "in the last second");
    tile("failed", last.requests ? `${number(100 * last.failed / last.requests)} %` : "–",
      `in the last second; ${number(failed)} of ${number(sent)} in all`, last.failed > 0);
    tile("p50", millis(last.response.p50Ms), "of the last second");
    tile("p99", millis(last.response.p99Ms), last.response.p99Ms === null ? "too few requests in a second" : "of the last second");
    tile("longest", millis(last.response.maxMs), "of the last second");
    tile("users", number(last.users), last.offered === undefined ? last.phase : `${last.phase}; asked for ${number(last.offered)}/s`);
    $("phases").textContent = "";
    run.phases.forEach(name => {
      const mark = element("span", name, $("phases"));
      const place = run.phases.indexOf(name) - run.phases.indexOf(last.phase);
      mark.className = `phase-mark ${place < 0 ? "done" : place === 0 ? "now" : ""}`;
    });
    $("about").textContent = `${run.target} · ${clock(end())} since ${run.startedAt.slice(0, 19).replace("T", " ")} UTC`;
  };

  const fill = (id, heads, rows) => {
    $(id).hidden = !rows.length;
    const [head, body] = [$(id).querySelector("thead"), $(id).querySelector("tbody")];
    head.textContent = body.textContent = "";
    const line = element("tr", "", head);
    heads.forEach(text => element("th", text, line).scope = "col");
    rows.forEach(cells => {
      const row = element("tr", "", body);
      cells.forEach(cell => {
        if (cell?.url) {
          element("a", cell.text, element("td", "", row)).href = cell.url;
        } else {
          element("td", cell, row);
        }
      });
    });
  };
  const failures = () => fill("failures", ["cause", "requests"], [...causes].sort((a, b) => b[1] - a[1]).map(([cause, count]) => [cause, number(count)]));
  const operations = ({operations: all}) => fill("operations", ["operation", "requests", "failed", "p50", "p99", "longest"],
    [...all].sort((a, b) => (b.response.p99Ms ?? 0) - (a.response.p99Ms ?? 0)).map(of =>
      [of.name, number(of.requests), number(of.failed), millis(of.response.p50Ms), millis(of.response.p99Ms), millis(of.response.maxMs)]));
  const agents = all => fill("agents", ["agent", "phase", "requests/s", "p50", "p99", "requests", "failed"],
    all.map(of => [of.name, of.phase, number(of.requestsPerSecond), millis(of.response.p50Ms), millis(of.response.p99Ms), number(of.requests), number(of.failed)]));
  const rows = () => fill("trials", ["step", "trial", "requests/s", "p50", "p99", "failed", "verdict"],
    [...trials.values()].map(of => [of.step, of.trial, number(of.requestsPerSecond), millis(of.response.p50Ms), millis(of.response.p99Ms), `${number(of.failedPercent)} %`, of.verdict]));
  const judged = judgement => {
    $("judgement").hidden = false;
    $("judged").textContent = `Of the first ${number(judgement.requests)} requests, by what has been written.`;
    const body = $("judged-body");
    body.textContent = "";
    const badge = element("p", "", body);
    element("span", judgement.status, badge).className = `badge ${{VALID: "good", SUSPECT: "doubt", INVALID: "bad"}[judgement.status]}`;
    const list = element("ul", "", body);
    judgement.reasons.forEach(text => element("li", text, list));
    judgement.diagnoses.forEach(diagnosis => {
      const item = element("p", "", body);
      element("strong", diagnosis.text, item);
      item.append(` (${diagnosis.confidence}) `);
      item.append(diagnosis.advice);
    });
    const kept = [...judgement.failed, ...judgement.slowest], traced = kept.some(of => of.trace);
    fill("kept", ["request", "at", "response", "why", ...traced ? ["trace"] : []], kept.map(of =>
      [of.request, of.at.slice(11, 23), millis(of.responseMs), [of.cause, of.message].filter(text => text).join(": ") || "slow",
        ...traced ? [of.traceUrl ? {text: of.trace, url: of.traceUrl} : of.trace ?? ""] : []]));
  };

  const state = (text, look) => {
    $("state").textContent = text;
    $("state").className = `badge ${look}`;
  };
  const received = {
    run: data => {
      Object.assign(run, data);
      // A new connection receives all from the beginning.
      seconds.length = 0;
      causes.clear();
      changes.length = 0;
      $("judgement").hidden = $("kept").hidden = true;
      $("title").textContent = data.step ? `${data.name}: ${data.step}` : data.name;
      document.title = `${data.name}, running`;
    },
    second: data => {
      data.start = data.startMs / 1000;
      data.end = data.start + data.lengthMs / 1000;
      seconds.push(data);
      Object.entries(data.failures).forEach(([cause, count]) => causes.set(cause, (causes.get(cause) ?? 0) + count));
      shown(data.load);
      requestAnimationFrame(draw);
    },
    change: data => {
      changes.push(data);
      requestAnimationFrame(draw);
    },
    trial: data => {
      trials.set(`${data.step}|${data.trial}`, data);
      rows();
    },
    agents: data => paused || agents(data),
    operations: data => paused || operations(data),
    judgement: data => paused || judged(data),
    end: () => {
      over = true;
      events.close();
      state("over", "good");
      location.reload();
    }
  };

  $("pause").addEventListener("click", () => {
    paused = !paused;
    $("pause").setAttribute("aria-pressed", paused);
    draw();
  });
  $("whole").addEventListener("click", () => setZoom(null));
  // The load: the answer says what was done, or why not.
  const steer = async (change, to = "") => {
    try {
      const answer = await fetch("change", {method: "POST", body: JSON.stringify({change, to})});
      const done = await answer.json();
      $("steered").textContent = done.error ?? (done.to ? `${done.phase}: ${done.change} ${done.from} → ${done.to}` : `${done.phase} ${done.change}`);
      return answer.ok;
    } catch {
      $("steered").textContent = "not connected: nothing was changed";
      return false;
    }
  };
  let load = {};
  const shown = next => {
    load = next ?? {};
    for (const id of ["level", "set", "less", "more", "hold", "next"]) {
      $(id).hidden = !load.phase;
    }
    $("level-name").textContent = load.model === "open" ? "Rate" : "Users";
    if (document.activeElement !== $("to")) {
      $("to").value = load.rate ?? load.users ?? "";
    }
    $("hold").textContent = load.paused ? "Resume the load" : "Pause the load";
    $("hold").setAttribute("aria-pressed", Boolean(load.paused));
  };
  const kind = () => load.model === "open" ? "rate" : "users";
  const by = factor => {
    const [count, per] = (load.rate ?? load.users).split("/");
    const scaled = count * factor;
    const step = factor > 1 ? Math.ceil(scaled) : Math.max(1, Math.floor(scaled));
    steer(kind(), load.model === "closed" ? `${step}` : `${scaled >= 10 ? Math.round(scaled) : scaled.toFixed(3)}/${per}`);
  };
  $("steer").addEventListener("submit", event => {
    event.preventDefault();
    const to = $("to").value.trim();
    steer(kind(), load.model === "open" && /^[0-9.]+[km]?$/.test(to) ? `${to}/s` : to);
    $("to").blur();
  });
  $("less").addEventListener("click", () => by(1 / 1.1));
  $("more").addEventListener("click", () => by(1.1));
  $("hold").addEventListener("click", () => steer(load.paused ? "resume" : "pause"));
  $("next").addEventListener("click", () => steer("next"));
  const ending = (id, change, question) => $(id).addEventListener("click", async () => {
    if (confirm(question) && await steer(change)) {
      state("stopping", "doubt");
    }
  });
  ending("stop", "stop", "Stop the run? Requests in flight end, and the results are written.");
  ending("abort", "abort", "Abort the run? Requests in flight are cut off and count as failed; the results are written.");
  document.addEventListener("visibilitychange", draw);
  addEventListener("resize", draw);

  const events = new EventSource("events");
  events.onopen = () => {
    connected = true;
    state("running", "good");
  };
  events.onerror = () => {
    if (!over) {
      state(connected ? "not connected: trying again" : "connecting", "doubt");
    }
  };
  for (const [name, handle] of Object.entries(received)) {
    events.addEventListener(name, event => handle(JSON.parse(event.data)));
  }
  fetch("charts.json").then(answer => answer.json()).then(({config, ...specs}) => {
    Object.entries(specs).forEach(([name, spec]) => prepare(name, spec, config));
    draw();
  });
})();
