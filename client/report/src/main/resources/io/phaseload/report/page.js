"use strict";
(() => {
  const json = id => JSON.parse(document.getElementById(id).textContent);
  const tables = json("data"), columns = json("columns"), charts = json("charts-json");
  const root = document.documentElement;
  const figures = [...document.querySelectorAll("figure[data-chart]")];

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

  // A specification of the files in charts/, fitted to this page: as wide as there is room.
  const specification = (name, width) => {
    const spec = structuredClone(charts[name]);
    delete spec.title;
    spec.datasets = structuredClone(tables);
    const narrow = width < 520;
    spec.config = structuredClone(charts.config);
    spec.config.background = "transparent";
    spec.config.axis.labelLimit = Math.min(280, width * 0.4);
    spec.config.legend.labelLimit = Math.min(420, width - 60);
    spec.config.header.labelLimit = Math.max(120, width - 90);
    spec.config.legend.columns = narrow ? 2 : 4;
    spec.config.legend.layout = {top: {direction: narrow ? "vertical" : "horizontal", anchor: "start"}};
    if (spec.spec) {
      spec.spec.width = Math.max(120, width - 90);
    } else {
      spec.width = width;
      spec.autosize = {type: "fit-x", contains: "padding"};
    }
    return spec;
  };

  const views = new Map();
  const draw = async figure => {
    const place = figure.querySelector(".chart");
    const width = place.clientWidth;
    try {
      const compiled = vegaLite.compile(specification(figure.id, width), {logger: vega.logger(vega.Error)}).spec;
      const view = new vega.View(vega.parse(compiled), {renderer: "svg", container: place, hover: true});
      views.get(figure)?.finalize();
      views.set(figure, view);
      view.tooltip(tooltip);
      await view.runAsync();
      // How much room the axes of a chart in several parts take isn't known before.
      const over = place.querySelector("svg").getBoundingClientRect().width - width;
      if (charts[figure.id].spec && Math.abs(over) > 1) {
        await view.signal("child_width", Math.max(60, view.signal("child_width") - over)).resize().runAsync();
      }
      figure.dataset.drawn = "true";
    } catch (error) {
      figure.dataset.error = String(error);
      place.textContent = "This chart couldn't be drawn: " + error;
    }
  };

  const drawAll = async () => {
    for (const figure of figures) {
      await draw(figure);
      // Gives the page back to its reader between two charts.
      await new Promise(done => setTimeout(done));
    }
  };

  // Built on demand: thousands of rows would slow the page down.
  const fill = details => {
    if (!details.querySelector("table")) {
      const name = details.dataset.table;
      const box = element("div", "", details);
      box.className = "scroll";
      box.tabIndex = 0;
      box.setAttribute("role", "region");
      box.setAttribute("aria-label", "Data: " + name);
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
    }
  };
  for (const details of document.querySelectorAll("details[data-table]")) {
    // By its reader, whose click comes before it opens, or by anything else.
    details.firstElementChild.addEventListener("click", () => fill(details));
    details.addEventListener("toggle", () => details.open && fill(details));
  }

  const ready = drawAll().then(() => {
    root.dataset.ready = "true";
  });
  window.phaseload = {ready};

  let drawnWidth = innerWidth, waiting;
  addEventListener("resize", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      if (innerWidth !== drawnWidth) {
        drawnWidth = innerWidth;
        drawAll();
      }
    }, 200);
  });
})();
