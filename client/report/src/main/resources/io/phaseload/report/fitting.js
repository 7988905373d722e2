"use strict";
// How charts fit their place: on the page of a run, and on the page while it runs.
const fitting = (() => {
  // Whole minutes and the like, at most twelve of them.
  const ROUND = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 43200, 86400];
  const STEP = ROUND.reduceRight((rest, step) => `to - from <= ${12 * step} ? ${step} : ${rest}`, "604800");
  const TICKS = `sequence(ceil(from / (${STEP})) * (${STEP}), to + 0.001, ${STEP})`;

  const encodings = function* (part) {
    if (part && typeof part === "object") {
      if (part.encoding) {
        yield part.encoding;
      }
      for (const child of Object.values(part)) {
        yield* encodings(child);
      }
    }
  };
  // The axes of a chart over time, whose parameters are from and to; all labels have the same room, so that a moment is at the same
  // place in all charts.
  const overTime = spec => {
    spec.params.push({name: "ticks", expr: TICKS});
    for (const {x} of encodings(spec)) {
      if (x?.axis?.labelExpr) {
        x.axis.values = {expr: "ticks"};
      }
    }
    spec.config.axisY = {minExtent: 48, maxExtent: 48};
  };
  const isNarrow = width => width < 520;
  // As wide as there is room; margin is that of axes and titles.
  const widen = (spec, width, columns, margin) => {
    if (spec.spec) {
      spec.columns = columns;
      spec.spec.width = Math.max(120, width / columns - 90);
    } else if (spec.vconcat) {
      spec.vconcat.forEach(part => part.width = Math.max(120, width - margin));
    } else {
      spec.width = width;
      spec.autosize = {type: "fit-x", contains: "padding"};
    }
  };
  return {encodings, overTime, isNarrow, widen};
})();
