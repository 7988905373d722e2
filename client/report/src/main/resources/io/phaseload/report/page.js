(async () => {
  // Libraries and data are in the page as gzip in base64: a third of their size.
  const text = id => {
    const bytes = Uint8Array.from(atob(document.getElementById(id).textContent), of => of.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
  };
  // Runs them: the page's policy knows their hashes.
  const libraries = (async () => {
    for (const {id} of document.querySelectorAll("script[id^=library]")) {
      const script = document.createElement("script");
      script.textContent = await text(id);
      document.body.append(script);
    }
  })();
  const charts = JSON.parse(document.getElementById("charts-json").textContent);
  const columns = {}, tables = {};
  for (const [name, [heads, ...rows]] of Object.entries(JSON.parse(await text("data")))) {
    columns[name] = Object.fromEntries(heads);
    // Texts are written once; rows become objects when something asks for them.
    let made;
    Object.defineProperty(tables, name, {get: () => made ??= rows.map(row => Object.fromEntries(heads.map(([key, , texts], i) =>
      [key, texts && row[i] !== null ? texts[row[i]] : row[i]])))});
  }
  // What nobody sees without a script.
  const later = JSON.parse(await text("later"));
  document.querySelectorAll("[data-later]").forEach(of => of.outerHTML = later[of.dataset.later]);
  const root = document.documentElement;
  const figures = [...document.querySelectorAll("figure[data-chart]")];
  const single = document.getElementById("chart-operation");

  const element = (name, text, parent) => {
    const made = document.createElement(name);
    made.textContent = text;
    parent.append(made);
    return made;
  };

  // What Vega has as an object of texts; shown as text, whatever it is.
  const tip = element("div", "", document.body);
  tip.className = "tooltip";
  tip.hidden = true;
  const tooltip = (handler, event, item, value) => {
    tip.hidden = value === null || typeof value !== "object";
    if (tip.hidden) {
      return;
    }
    tip.textContent = "";
    const list = element("dl", "", tip);
    for (const [name, text] of Object.entries(value)) {
      element("dt", name, list);
      element("dd", text, list);
    }
    const left = event.clientX + 16 + tip.offsetWidth > innerWidth ? event.clientX - 16 - tip.offsetWidth : event.clientX + 16;
    tip.style.left = Math.max(4, left) + "px";
    tip.style.top = Math.min(event.clientY + 16, innerHeight - tip.offsetHeight - 4) + "px";
  };

  // Charts over time share what they show of it.
  const run = {from: tables.phases?.[0].start_s ?? null, to: tables.phases?.at(-1).end_s ?? null};
  const span = {...run};
  const overTime = name => (charts[name].params ?? []).some(param => param.name === "from");
  const linked = figures.filter(figure => overTime(figure.id));
  // An operation, or null for all; times of successes, or of all.
  let only = null;
  let outcome = tables.latencies?.some(row => row.outcome === "succeeded") ? "succeeded" : "all";
  const zoomed = view => view.signal("from", span.from).signal("to", span.to).runAsync();

  // Measured phases have the first colours of a chart, the others its last two, which are grey.
  const phaseColors = range => {
    const strong = range.slice(0, -2), grey = range.slice(-2), used = {0: 0, 1: 0};
    const color = ({measured}) => measured ? strong[used[1]++ % strong.length] : grey[used[0]++ % grey.length];
    return {domain: tables.phases.map(row => row.phase), range: tables.phases.map(color)};
  };
  // What wasn't measured must not rule the scale.
  const mostMeasured = () => {
    const isMeasured = Object.fromEntries((tables.phases ?? []).map(row => [row.phase, row.measured]));
    const most = of => Math.max(0, ...of.map(row => row.requests_per_second ?? row.per_second));
    const rows = [...(tables.intervals ?? []).filter(row => row.operation === "(all)"), ...tables.offered ?? []];
    const own = most(rows.filter(row => isMeasured[row.phase]));
    return own > 0 && own < most(rows) ? own * 1.1 : null;
  };

  // A sweep's axes have names of their own, and are logarithmic where values span much.
  const param = (spec, name) => (spec.params ?? []).find(of => of.name === name);
  // Logarithmic axes have labels at 1, 2 and 5, if there is more than one power of ten.
  const NUMBER = "format(datum.value, ',.6~r')";
  const DIGIT = "round(datum.value / pow(10, floor(log(datum.value) / LN10 + 1e-9)))";
  const NARROW = "domain('y')[1] < 10 * domain('y')[0]";
  const DIGITS = {
    labelExpr: `${NARROW} || indexof([1, 2, 5], ${DIGIT}) >= 0 ? ${NUMBER} : ''`, labelOverlap: true,
    gridOpacity: {condition: {test: `${NARROW} || ${DIGIT} == 1`, value: 1}, value: 0}
  };
  const distinct = values => [...new Set(values)];
  const spans = (values, factor) => values.length > 0 && Math.min(...values) > 0 && Math.max(...values) >= factor * Math.min(...values);
  const swept = (spec, narrow) => {
    const figures = spec.usermeta?.figures ?? [param(spec, "figure")?.value ?? "throughput"];
    const total = (!spec.usermeta || spec.usermeta.perfect) && !param(spec, "figure");
    const rows = tables.steps.filter(row => figures.includes(row.figure) && row.median !== null && (row.operation === "(all)") === total);
    const loads = distinct(tables.steps.map(row => row.load)).sort((a, b) => a - b);
    const series = distinct(rows.map(row => row.series));
    const steps = distinct(tables.steps.map(row => row.across));
    const wide = spans(rows.map(row => row.median), 30) || spec.usermeta?.perfect && spans(loads, 10) && spans(rows.map(row => row.median), 1);
    const logarithmic = rows.every(row => row.unit !== "%") && wide;
    if (param(spec, "logarithmic")) {
      param(spec, "logarithmic").value = logarithmic;
    }
    const scaled = (y, type, more) => {
      const {padding, zero, ...rest} = y.scale ?? {};
      y.scale = {...rest, ...more, type};
      const {labelExpr, labelOverlap, gridOpacity, ...axis} = y.axis ?? {};
      y.axis = {...axis, ...(type === "log" ? DIGITS : {labelExpr: NUMBER})};
    };
    for (const {x, y, y2, color, opacity} of fitting.encodings(spec)) {
      if (["load", "threads"].includes(x?.field)) {
        x.title = tables.steps[0].swept;
        x.scale = {type: spans(loads, 10) ? "log" : "linear", nice: false, zero: false, padding: 8};
        x.axis = {...x.axis, values: loads};
      } else if (x?.field === "across") {
        x.title = tables.steps[0].across_of || null;
        x.axis = {labelAngle: Math.max(...steps.map(of => of.length)) * steps.length < (narrow ? 20 : 60) ? 0 : -40};
      }
      if (y?.field === "median" && y2) {
        scaled(y, logarithmic ? "log" : "linear", {});
      } else if (["low", "median", "high", "perfect", "requests_per_second"].includes(y?.field) && y.scale?.type === "log" && !logarithmic) {
        scaled(y, "linear", {zero: true});
      } else if (y?.field === "value") {
        scaled(y, logarithmic ? "log" : "linear", {zero: false});
      }
      if (color?.field === "median") {
        color.scale = {type: logarithmic ? "log" : "linear"};
      } else if (series.length < 2 && (color?.field === "series" || color?.field === "group")) {
        color.legend = null;
        if (opacity?.field) {
          opacity.legend = null;
        }
      }
    }
  };

  // How many of a chart's parts are side by side.
  const side = (name, width) => {
    const {columns = 1, usermeta} = charts[name];
    const parts = !usermeta?.except ? columns : distinct(tables.steps.filter(row => row.min > 0 && !usermeta.except.includes(row.figure))
      .map(row => row.operation + row.figure + row.down)).length;
    return fitting.isNarrow(width) ? 1 : Math.min(columns, parts);
  };

  // A specification of the files in charts/, fitted to this page: as wide as there is room.
  const specification = (name, width) => {
    const spec = structuredClone(charts[name]);
    delete spec.title;
    const narrow = fitting.isNarrow(width);
    spec.config = structuredClone(charts.config);
    spec.config.background = "transparent";
    spec.config.axis.labelLimit = Math.min(280, width * 0.4);
    spec.config.header.labelLimit = Math.max(120, width - 90);
    spec.config.legend.columns = !narrow ? 4 : spec.spec ? 1 : 2;
    spec.config.legend.labelLimit = Math.min(420, (width - 60) / spec.config.legend.columns - 20);
    spec.config.legend.layout = {top: {direction: narrow ? "vertical" : "horizontal", anchor: "start"}};
    if (tables.steps) {
      swept(spec, narrow);
    }
    // A single line needs no legend.
    if (tables.intervals?.every(row => !row.failed_per_second)) {
      for (const {color} of fitting.encodings(spec)) {
        if (color?.scale?.domain?.includes("all")) {
          color.legend = null;
        }
      }
    }
    if (overTime(name)) {
      param(spec, "from").value = span.from;
      param(spec, "to").value = span.to;
      for (const of of spec.params) {
        of.value = of.name === "outcome" ? outcome : of.name === "top" ? mostMeasured() : of.value;
      }
      fitting.overTime(spec);
    }
    for (const {color} of tables.phases ? fitting.encodings(spec) : []) {
      if (color?.field === "phase" && color.scale) {
        Object.assign(color.scale, phaseColors(color.scale.range));
      }
    }
    fitting.widen(spec, width, side(name, width), overTime(name) ? 140 : 110);
    return spec;
  };

  // Names lose their middle where there is no room: most differ at their ends.
  const CHARACTER = 6.5;
  const withoutMiddle = limit => {
    const half = Math.floor(limit / CHARACTER / 2);
    return {signal: `length(datum.label) > ${2 * half} ? slice(datum.label, 0, ${half - 1}) + '…' + slice(datum.label, -${half}) : datum.label`};
  };
  const labelled = (part, scales, config) => {
    const named = [...part.scales ?? [], ...scales];
    const isNominal = name => ["band", "point", "ordinal"].includes(named.find(of => of.name === name)?.type);
    const shorten = (of, limit) => {
      of.encode ??= {};
      of.encode.labels ??= {};
      of.encode.labels.update ??= {};
      of.encode.labels.update.text ??= withoutMiddle(limit);
    };
    (part.axes ?? []).filter(of => isNominal(of.scale)).forEach(of => shorten(of, config.axis.labelLimit));
    (part.legends ?? []).filter(of => isNominal(of.stroke ?? of.fill)).forEach(of => shorten(of, config.legend.labelLimit));
    // The table below a chart has all that it shows: a text for each mark would only take time.
    delete part.encode?.update?.description;
    (part.marks ?? []).forEach(mark => labelled(mark, named, config));
  };

  // Of many figures those to look at first, until all are asked for.
  const complete = new Set();
  const rows = (name, table) => {
    const {first, later} = charts[name].usermeta ?? {};
    if (!first && !later) {
      return tables[table];
    }
    const isFirst = figure => first ? first.includes(figure) : !later.some(of => figure === of || figure?.endsWith(": " + of));
    const some = complete.has(name) ? [] : tables[table].filter(row => isFirst(row.figure));
    return some.length > 0 ? some : tables[table];
  };

  // Without the data until here: Vega-Lite would look at every row.
  const compiled = (name, width) => {
    const spec = vegaLite.compile(specification(name, width), {logger: vega.logger(vega.Error)}).spec;
    for (const data of spec.data) {
      if (data.name in tables) {
        data.values = rows(name, data.name).map(row => ({...row}));
      }
    }
    labelled(spec, [], spec.config);
    // Of an interval that is behind a line, a legend would have the interval's faint colour.
    for (const {encode} of spec.legends ?? []) {
      if (encode?.symbols?.update?.opacity?.value < 1) {
        encode.symbols.update.opacity = {value: 1};
      }
    }
    return spec;
  };

  // One scope for all of the page: a phase, an outcome, and a part of the time.
  const scope = document.querySelector(".scope");
  const show = part => document.querySelectorAll("[data-part]").forEach(of => of.hidden = of.dataset.part !== part);
  // A parameter of the charts that have a choice of their own; null is their first.
  const select = (name, value) => document.querySelectorAll(`select[name=${name}]`).forEach(of => {
    of.value = [...of.options].some(option => option.value === value) ? value : of.options[0].value;
    of.dispatchEvent(new Event("change"));
  });
  const ofOutcome = () => {
    document.querySelectorAll("dl [data-outcome]").forEach(of => of.hidden = of.dataset.outcome !== outcome);
    for (const cell of document.querySelectorAll("td[data-all]")) {
      cell.dataset.succeeded ??= cell.textContent;
      cell.dataset.exact ??= cell.dataset.v;
      cell.textContent = outcome === "all" ? cell.dataset.all : cell.dataset.succeeded;
      cell.dataset.v = (outcome === "all" ? cell.dataset.allExact : cell.dataset.exact) ?? "";
    }
  };
  if (scope) {
    scope.hidden = false;
    root.classList.add("scoped");
    scope.addEventListener("change", ({target}) => {
      if (target.name === "part") {
        show(target.value);
        const name = target.parentElement.textContent.trim();
        const chosen = tables.phases?.find(row => row.phase === name);
        zoom(chosen?.start_s ?? run.from, chosen?.end_s ?? run.to, false);
        select("phase", chosen ? name : null);
      } else if (target.name === "only") {
        showOnly(target.value || null);
      } else {
        outcome = target.value === "1" ? "all" : "succeeded";
        ofOutcome();
        recompute();
        linked.filter(of => param(charts[of.id], "outcome") && views.has(of)).forEach(draw);
        select("outcome", outcome);
      }
    });
  }
  ofOutcome();

  const button = (text, parent, click) => {
    const made = element("button", text, parent);
    made.type = "button";
    made.addEventListener("click", click);
    return made;
  };

  // What a cell is worth: numbers with all their places, which a page of few digits hasn't got.
  const value = cell => cell.dataset.v ?? cell.textContent.replace(/^–$/, "");
  const csv = table => [...table.rows].map(row => [...row.cells].map(cell => {
    const text = cell.classList.contains("n") && cell.tagName === "TD" ? value(cell).replaceAll(",", "") : cell.textContent;
    // A text that a spreadsheet would take for a formula is none.
    const safe = /^[=+@\t\r-]/.test(text) && isNaN(text) ? "'" + text : text;
    return /[",\n]/.test(safe) ? '"' + safe.replaceAll('"', '""') + '"' : safe;
  }).join(",") + "\r\n").join("");
  const written = table => [...table.rows].map(row => [...row.cells].map(cell => cell.textContent.replace(/\s+/g, " ").trim()));
  const tabbed = table => written(table).map(row => row.join("\t")).join("\n");
  const markdown = table => {
    const [head, ...rows] = written(table).map(row => "| " + row.map(of => of.replaceAll("|", "\\|")).join(" | ") + " |");
    const line = "|" + [...table.rows[0].cells].map(of => of.classList.contains("n") ? " ---: |" : " --- |").join("");
    return [head, line, ...rows].join("\n");
  };
  // A page on a disk has no right to the clipboard but this one.
  const copy = words => {
    const area = element("textarea", "", document.body);
    area.value = words;
    area.select();
    document.execCommand("copy");
    area.remove();
  };
  const tools = box => {
    const made = element("div", "", box.parentElement);
    made.className = "tools";
    box.after(made);
    button("CSV", made, () => {
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([csv(box.querySelector("table"))], {type: "text/csv"}));
      link.download = box.getAttribute("aria-label").replace(/[^\w-]+/g, "-") + ".csv";
      link.click();
      URL.revokeObjectURL(link.href);
    }).setAttribute("aria-label", "CSV of " + box.getAttribute("aria-label"));
    for (const [name, form] of [["Copy", tabbed], ["Markdown", markdown]]) {
      button(name, made, () => copy(form(box.querySelector("table")))).setAttribute("aria-label", name + " " + box.getAttribute("aria-label"));
    }
    return made;
  };

  // Sorted by its reader; where there are many rows, the first of them, and those that are searched for.
  const MOST_ROWS = 10;
  const sortable = table => {
    const body = table.tBodies[0], rows = [...body.rows].filter(row => !("total" in row.dataset));
    const box = table.closest(".scroll"), bar = tools(box);
    const bad = row => row.dataset.failed !== undefined;
    let all = rows.length <= MOST_ROWS + 2, sought = "", failedOnly = false;
    const show = () => {
      let left = all ? Infinity : MOST_ROWS;
      for (const row of body.querySelectorAll("tr:not([data-total])")) {
        const found = row.textContent.toLowerCase().includes(sought) && (!failedOnly || bad(row));
        row.hidden = !found || left-- <= 0;
      }
    };
    table.querySelectorAll("thead th:not([data-plain])").forEach((head, column) => {
      const index = head.cellIndex, numbers = head.classList.contains("n"), text = head.textContent;
      head.textContent = "";
      button(text, head, () => {
        const up = head.getAttribute("aria-sort") ? head.getAttribute("aria-sort") === "descending" : !numbers;
        table.querySelectorAll("[aria-sort]").forEach(of => of.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", up ? "ascending" : "descending");
        const key = row => numbers ? Number((value(row.cells[index]) || "-1").replaceAll(",", "")) || 0 : row.cells[index].textContent;
        rows.sort((a, b) => (up ? 1 : -1) * (numbers ? key(a) - key(b) : key(a).localeCompare(key(b), "en", {numeric: true})));
        body.append(...rows);
        show();
      });
    });
    if (!all) {
      const search = document.createElement("input");
      search.type = "search";
      search.placeholder = "Search " + rows.length + " rows";
      search.setAttribute("aria-label", search.placeholder);
      search.addEventListener("input", () => {
        sought = search.value.toLowerCase();
        show();
      });
      const more = button("Show all " + rows.length, bar, () => {
        all = !all;
        more.textContent = all ? "Show the first " + MOST_ROWS : "Show all " + rows.length;
        show();
      });
      const above = element("div", "", box.parentElement);
      above.className = "tools";
      box.before(above);
      above.append(search);
      if (rows.some(bad) && !rows.every(bad)) {
        const label = element("label", "", above), input = element("input", "", label);
        input.type = "checkbox";
        label.append(" failed only");
        input.addEventListener("change", () => {
          failedOnly = input.checked;
          show();
        });
      }
    }
    show();
  };
  const few = (box, bar) => {
    const rows = [...box.querySelectorAll("tbody tr")].slice(MOST_ROWS).filter(row => !row.querySelector(".doubt, .bad"));
    if (rows.length > 2) {
      rows.forEach(row => row.hidden = true);
      const more = button("Show all " + box.querySelectorAll("tbody tr").length, bar, () => {
        rows.forEach(row => row.hidden = false);
        more.remove();
      });
    }
  };
  document.querySelectorAll("table[data-sortable]").forEach(sortable);
  document.querySelectorAll("main .scroll").forEach(box => box.querySelector("[data-sortable]") || few(box, tools(box)));

  // What a click on a legend does, for the keyboard; seen when it has the focus.
  const legend = figure => {
    figure.querySelector(".keys")?.remove();
    if (!(charts[figure.id].params ?? []).some(of => of.bind === "legend")) {
      return;
    }
    const bar = document.createElement("div");
    bar.className = "keys";
    for (const label of figure.querySelectorAll(".role-legend-label text")) {
      const made = button("Only " + label.textContent, bar, () => {
        const pressed = made.getAttribute("aria-pressed") === "true";
        bar.querySelectorAll("button").forEach(of => of.setAttribute("aria-pressed", "false"));
        made.setAttribute("aria-pressed", String(!pressed));
        label.dispatchEvent(new MouseEvent("click", {bubbles: true}));
      });
      made.setAttribute("aria-pressed", "false");
    }
    figure.querySelector(".chart").before(bar);
  };

  // What a reader chooses to see in a chart: a parameter that is called as a column. What a sweep measured itself comes first.
  const choosable = figure => {
    const name = figure.querySelector("details").dataset.table;
    const chosen = (charts[figure.id].params ?? []).filter(of => of.name in columns[name] && !overTime(figure.id));
    const bar = document.createElement("div");
    bar.className = "tools";
    for (const one of chosen) {
      const known = tables[name].filter(row => one.name !== "figure" || row.operation !== "(all)" && row.median !== null);
      const options = new Map(known.map(row => [row[one.name], one.name === "figure" && row.unit ? " (" + row.unit + ")" : ""]));
      const label = element("label", one.name[0].toUpperCase() + one.name.slice(1) + " ", bar), select = element("select", "", label);
      select.name = one.name;
      options.forEach((unit, value) => element("option", value + unit, select).value = value);
      select.value = one.name === "outcome" && options.has(outcome) ? outcome : select.value;
      one.value = select.value;
      label.hidden = options.size < 2;
      select.addEventListener("change", () => {
        one.value = select.value;
        draw(figure);
      });
    }
    if (chosen.length > 0) {
      figure.querySelector(".chart").before(bar);
    }
  };
  const extensible = figure => {
    const count = of => distinct(of.map(row => row.figure)).length;
    const name = figure.querySelector("details").dataset.table;
    const some = count(rows(figure.id, name)), all = count(tables[name]);
    if (some < all) {
      const bar = document.createElement("div");
      bar.className = "tools";
      const more = button("Show all " + all + " figures", bar, () => {
        complete.delete(figure.id) || complete.add(figure.id);
        more.textContent = complete.has(figure.id) ? "Show the first " + some : "Show all " + all + " figures";
        draw(figure);
      });
      figure.querySelector(".chart").before(bar);
    }
  };

  const views = new Map();
  // How wide the window was when a chart was drawn last.
  const drawnFor = new Map();
  const draw = async figure => {
    if (!drawnFor.has(figure) && figure !== single) {
      choosable(figure);
      const {first, later} = charts[figure.id].usermeta ?? {};
      if (first || later) {
        extensible(figure);
      }
    }
    drawnFor.set(figure, innerWidth);
    await libraries;
    const place = figure.querySelector(".chart");
    const width = place.clientWidth;
    try {
      const view = new vega.View(vega.parse(compiled(figure.id, width), null, {ast: true}), {
        expr: vega.expressionInterpreter, renderer: "svg", container: place, hover: true
      });
      views.get(figure)?.finalize();
      views.set(figure, view);
      view.tooltip(linked.includes(figure) ? () => {} : tooltip);
      await view.runAsync();
      // How much room the axes of a chart in several parts take isn't known before.
      const over = place.querySelector("svg").getBoundingClientRect().width - width;
      if (charts[figure.id].spec && Math.abs(over) > 1) {
        const columns = side(figure.id, width);
        await view.signal("child_width", Math.max(60, view.signal("child_width") - over / columns)).resize().runAsync();
      }
      // Its name tells what it is, and the table below it has all that it shows.
      place.setAttribute("role", "img");
      place.removeAttribute("aria-roledescription");
      place.setAttribute("aria-label", figure.querySelector("h3").textContent);
      place.querySelector("svg").setAttribute("aria-hidden", "true");
      figure.classList.toggle("tall", place.offsetHeight > 480);
      legend(figure);
    } catch (error) {
      figure.dataset.error = String(error);
      place.textContent = "This chart couldn't be drawn: " + error;
    }
  };

  // Each panel of a chart; time has the same places in those below each other.
  const panels = figure => {
    const parts = [...figure.querySelectorAll(".chart .mark-group.role-scope > g > path.background")];
    return parts.length > 0 ? parts : [...figure.querySelectorAll(".chart .role-frame > g > path.background")];
  };
  const plot = (figure, event) => {
    const boxes = panels(figure).map(of => of.getBoundingClientRect());
    return event && boxes.find(of => of.left <= event.clientX && event.clientX <= of.right) || boxes[0];
  };
  const clock = seconds => Math.floor(seconds / 60) + ":" + (seconds % 60).toFixed(0).padStart(2, "0");

  const moments = (from, to) => [from, to].map(of => Math.floor(of / 60) + ":" + (of % 60).toFixed(1).padStart(4, "0")).join("–");

  const tile = (name, [value, unit], note) => {
    const made = element("div", "", tiles);
    element("dt", name, made);
    element("dd", value + (unit && "\u00a0" + unit), made);
    if (note) {
      element("dd", note, made).className = "note";
    }
  };
  const ofOutcomeName = () => outcome === "succeeded" ? " of successes" : "";
  // The figures of an operation in the chosen phases: its row has them.
  const ofOperation = () => {
    const row = [...document.querySelectorAll("#operations [data-part]:not([hidden]) tbody tr")].find(of => of.cells[0].textContent === only);
    const [, requests, failed, percent, rate, p50, , , p99, , max] = [...row?.cells ?? []].map(cell => cell.textContent);
    const time = text => !text || text === "–" ? ["n too small", ""] : [text, "ms"];
    tile("Throughput", [rate ?? "n/a", "rps"]);
    tile("Failed", [percent ?? "n/a", "%"], failed + " of " + requests);
    tile("p50" + ofOutcomeName(), time(p50));
    tile("p99" + ofOutcomeName(), time(p99));
    tile("Max" + ofOutcomeName(), time(max));
  };
  // The figures of a part of the time, from the rows that begin in it; those of an operation may be long.
  const ofTime = () => {
    const begins = row => only === null ? row.start_s : (row.start_s + row.end_s) / 2;
    const rows = tables.times.filter(row => row.operation === (only ?? "(all)") && begins(row) >= span.from - 0.05 && begins(row) < span.to - 0.05);
    const sum = key => rows.reduce((all, row) => all + row[key], 0);
    const all = sum("requests"), failed = sum("failed"), seconds = rows.reduce((all, row) => all + row.end_s - row.start_s, 0);
    const cells = new Map();
    for (const row of rows) {
      for (const cell of (row.failed > 0 ? row[outcome] : row.all).split(" ").filter(of => of)) {
        const [at, count] = cell.split(":").map(Number);
        cells.set(at, (cells.get(at) ?? 0) + count);
      }
    }
    const sorted = [...cells].sort(([one], [other]) => one - other), samples = sorted.reduce((n, [, count]) => n + count, 0);
    const quantile = (p, least) => {
      let left = Math.ceil(p * samples);
      const cell = sorted.find(([, count]) => (left -= count) <= 0);
      return samples < least || !cell ? ["n too small", ""] : ["≈ " + short(10 ** ((cell[0] + 0.5) / 40)), "ms"];
    };
    tile("Throughput, succeeded", [seconds > 0 ? short((all - failed) / seconds) : "n/a", "rps"]);
    tile(columns.intervals.failed_per_second.startsWith("lost") ? "Lost" : "Failed", all > 0 ? [short(100 * failed / all), "%"] : ["n/a", ""],
      failed.toLocaleString("en") + " of " + all.toLocaleString("en"));
    tile("p50" + ofOutcomeName(), quantile(0.5, 1));
    tile("p99" + ofOutcomeName(), quantile(0.99, 563));
    tile("Seconds", [short(seconds), "s"]);
  };
  let chip, tiles, brushed = false;
  const recompute = () => {
    if (chip) {
      chip.hidden = !brushed && only === null;
      chip.textContent = [only, brushed && moments(span.from, span.to)].filter(of => of).join(" · ") + " ✕";
      root.classList.toggle("brushed", !chip.hidden);
      tiles.textContent = "";
      if (!chip.hidden) {
        brushed ? ofTime() : ofOperation();
      }
    }
  };
  // By a brush; a chosen phase has its own figures.
  const zoom = (from, to, byBrush = true) => {
    Object.assign(span, {from, to});
    brushed = byBrush && !(from === run.from && to === run.to);
    recompute();
    linked.forEach(figure => views.has(figure) && zoomed(views.get(figure)));
  };
  // An operation's chart takes the place of the first one.
  const showOnly = name => {
    only = name;
    scope.querySelector("[name=only]").value = name ?? "";
    select("operation", name);
    recompute();
    if (single) {
      single.hidden = name === null;
      document.getElementById("chart-overview").hidden = name !== null;
      if (name !== null) {
        single.querySelector("h3").textContent = name;
        charts[single.id].params[0].value = name;
        draw(single);
      }
    }
  };
  const reset = () => {
    const input = scope.querySelector("[name=part]");
    if (input) {
      input.checked = true;
      show(input.value);
      select("phase", null);
    }
    if (only !== null) {
      showOnly(null);
    }
    zoom(run.from, run.to);
  };
  if (scope && tables.times?.length) {
    chip = button("", scope, reset);
    chip.className = "chip";
    chip.hidden = true;
    chip.setAttribute("aria-label", "Show the whole run again");
    tiles = document.createElement("dl");
    tiles.className = "figures brushed-figures";
    tiles.setAttribute("aria-live", "polite");
    document.querySelector("#figures [data-part]").before(tiles);
    addEventListener("keydown", event => event.key === "Escape" && !chip.hidden && reset());
  }

  const covers = (row, at) => row.start_s <= at && at < row.end_s;
  const short = number => number.toLocaleString("en", {maximumSignificantDigits: 3});
  // The load and the failures of a moment, and the series of the chart under the pointer.
  const MOST_SERIES = 5;
  const moment = (at, figure) => {
    const lines = {};
    const own = figure === single;
    const bin = (own ? tables.courses : tables.intervals ?? []).find(row => row.operation === (own ? only : "(all)") && covers(row, at));
    lines[bin ? bin.phase : "time"] = bin ? moments(bin.start_s, bin.end_s) : clock(at);
    const has = name => figure.dataset.tables.split(" ").includes(name);
    const due = !own && (tables.offered ?? []).find(row => covers(row, at));
    if (bin) {
      lines[columns.intervals.requests + "/s"] = short(bin.requests_per_second) + (due ? " of " + short(due.per_second) : "");
      lines[columns.intervals.failed_per_second.startsWith("lost") ? "lost/s" : "failed/s"] = short(bin.failed_per_second);
    }
    const series = own && bin ? ["p50", "p95", "p99", "max"].filter(of => bin[of + "_ms"] !== null).map(of => [of, 0, short(bin[of + "_ms"]) + " ms"]) : [];
    const times = has("events") ? tables.events : has("latencies") ? tables.latencies.filter(row => row.outcome === outcome) : [];
    for (const row of times) {
      if (covers(row, at)) {
        const wide = bin && row.end_s - row.start_s > 1.5 * (bin.end_s - bin.start_s);
        series.push([(row.time ? row.time + " " : "") + row.figure, row.ms, short(row.ms) + " ms" + (wide ? ", over " + short(row.end_s - row.start_s) + " s" : "")]);
      }
    }
    for (const row of has("failures") ? tables.failures : []) {
      if (covers(row, at)) {
        series.push([row.cause, row.per_second, short(row.per_second) + "/s"]);
      }
    }
    for (const row of has("users") ? tables.users : []) {
      if (covers(row, at)) {
        series.push([columns.users.users, row.users, String(row.users)]);
      }
    }
    const most = has("latencies") || has("events") ? series : series.sort((one, other) => other[1] - one[1]);
    most.slice(0, MOST_SERIES).forEach(([name, , value]) => lines[name] = value);
    if (most.length > MOST_SERIES) {
      lines["and"] = most.length - MOST_SERIES + " more";
    }
    return lines;
  };
  // Of a figure of a machine, which has a panel of its own.
  const reading = (at, figure, name) => {
    const own = tables[figure.querySelector("details").dataset.table].filter(row => row.figure === name);
    const near = own.reduce((best, row) => !best || Math.abs(row.at_s - at) < Math.abs(best.at_s - at) ? row : best, null);
    return near ? {[near.phase]: clock(near.at_s), [name]: short(near.mean), max: short(near.max)} : {time: clock(at)};
  };

  const marks = new Map();
  const mark = (kind, figure) => {
    const key = kind + figure.id;
    if (!marks.has(key)) {
      const made = element("div", "", figure);
      made.className = kind;
      marks.set(key, made);
    }
    return marks.get(key);
  };
  // Between two places of a plot, 0 to 1, in all charts over time.
  const draft = (kind, from, to) => linked.filter(of => views.has(of)).forEach(figure => {
    const box = plot(figure), own = figure.getBoundingClientRect();
    const chart = figure.querySelector(".chart").getBoundingClientRect();
    const made = mark(kind, figure);
    made.hidden = from === null;
    made.style.left = box.left - own.left + from * box.width + "px";
    made.style.width = Math.max(1, (to - from) * box.width) + "px";
    made.style.top = box.top - own.top + "px";
    made.style.height = chart.bottom - box.top - 40 + "px";
  });
  for (const figure of linked) {
    const place = figure.querySelector(".chart");
    let began = null;
    const where = event => {
      const box = plot(figure, event);
      return Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
    };
    const time = part => {
      const [first, last] = views.get(figure).scale("x").domain();
      return first + part * (last - first);
    };
    const clear = () => {
      tip.hidden = true;
      draft("cursor", null);
      draft("brush", null);
      began = null;
    };
    place.addEventListener("pointerdown", event => {
      if (views.has(figure) && event.target.closest(".role-legend") === null) {
        began = where(event);
      }
    });
    place.addEventListener("pointermove", event => {
      if (!views.has(figure)) {
        return;
      }
      const at = where(event);
      draft("cursor", at, at);
      if (began !== null) {
        draft("brush", Math.min(began, at), Math.max(began, at));
      }
      const panel = panels(figure).find(of => {
        const box = of.getBoundingClientRect();
        return box.top <= event.clientY && event.clientY <= box.bottom && box.left <= event.clientX && event.clientX <= box.right;
      });
      const name = panel?.__data__?.mark?.group?.datum?.figure ?? panel?.closest(".cell")?.__data__?.datum?.figure;
      tooltip(null, event, null, name ? reading(time(at), figure, name) : moment(time(at), figure));
    });
    place.addEventListener("pointerup", event => {
      const at = where(event);
      if (began !== null && Math.abs(at - began) > 0.01) {
        zoom(time(Math.min(began, at)), time(Math.max(began, at)));
        clear();
      }
      began = null;
    });
    place.addEventListener("dblclick", () => scope && reset());
    place.addEventListener("pointerleave", clear);
    place.addEventListener("pointercancel", clear);
  }

  // An operation, when its name is clicked.
  if (single && scope) {
    document.getElementById("chart-overview").after(single);
    const known = new Set(tables.courses.map(row => row.operation));
    for (const cell of document.querySelectorAll(".operations tr:not([data-total]) > th[scope=row]")) {
      const name = cell.textContent;
      if (known.has(name)) {
        const shown = [...cell.childNodes];
        button("", cell, () => {
          showOnly(name);
          scrollTo({top: 0});
        }).append(...shown);
      }
    }
  }

  // The same as lines or as bars.
  const looks = [...document.querySelectorAll("[data-look]")];
  if (looks.length > 1) {
    const bar = document.createElement("fieldset");
    bar.className = "choice";
    element("legend", "Show steps as", bar);
    for (const look of looks) {
      const label = element("label", "", bar), input = element("input", "", label);
      Object.assign(input, {type: "radio", name: "look", value: look.dataset.look, checked: !look.hidden});
      label.append(" " + look.dataset.look);
    }
    bar.addEventListener("change", event =>
      looks.forEach(look => look.hidden = look.dataset.look !== event.target.value));
    looks[0].before(bar);
  }

  // Charts are drawn when their reader comes near: those in view needn't wait for others.
  const near = new Set();
  const isDue = figure => figure.closest("[hidden]") === null && drawnFor.get(figure) !== innerWidth;
  let drawing = false;
  const drawNear = async () => {
    if (drawing) {
      return;
    }
    drawing = true;
    for (let next; (next = figures.find(of => near.has(of) && isDue(of)));) {
      await draw(next);
      // Gives the page back to its reader between two charts.
      await new Promise(done => setTimeout(done));
    }
    drawing = false;
    root.dataset.ready = "true";
  };
  const approach = new IntersectionObserver(entries => {
    entries.forEach(entry => entry.isIntersecting ? near.add(entry.target) : near.delete(entry.target));
    drawNear();
  }, {rootMargin: "50% 0px"});
  figures.forEach(figure => approach.observe(figure));

  // Paper has all of them. No timer is waited for here, so they are there when this event has been handled.
  const drawAll = () => Promise.all(figures.filter(isDue).map(draw));
  addEventListener("beforeprint", drawAll);
  window.phaseload = {drawAll, columns};

  // Built on demand: thousands of rows would slow the page down.
  const fill = details => {
    if (!details.querySelector("table")) {
      const name = details.dataset.table;
      const box = element("div", "", details);
      box.className = "scroll";
      box.tabIndex = 0;
      box.setAttribute("role", "region");
      box.setAttribute("aria-label", "Data of " + details.closest("figure").querySelector("h3").textContent);
      const table = element("table", "", box);
      const head = element("tr", "", element("thead", "", table));
      const keys = Object.keys(columns[name]);
      keys.forEach(key => element("th", columns[name][key], head).scope = "col");
      const body = element("tbody", "", table);
      for (const row of tables[name]) {
        const line = element("tr", "", body);
        keys.forEach(key => {
          const cell = element("td", row[key] ?? "–", line);
          cell.className = typeof row[key] === "number" ? "n" : "";
        });
      }
      tools(box);
    }
  };
  for (const details of document.querySelectorAll("details[data-table]")) {
    // By its reader, whose click comes before it opens, or by anything else.
    details.firstElementChild.addEventListener("click", () => fill(details));
    details.addEventListener("toggle", () => details.open && fill(details));
  }

  let waiting;
  addEventListener("resize", () => {
    clearTimeout(waiting);
    waiting = setTimeout(drawNear, 200);
  });
})();
