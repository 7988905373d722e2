/** The Vega-Lite files of charts, their look, and the axes of charts that are drawn without Vega. */
package io.phaseload.report.charts;
