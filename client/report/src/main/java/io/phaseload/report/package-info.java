/**
 * What comes of results after they are there: tidy {@link io.phaseload.report.Table}s of a run, a
 * sweep or a comparison, charts of them, and one page that holds it all and wants no network.
 *
 * <p>The charts are Vega-Lite files (folder {@code charts} of the source), which name the tables
 * that they show and know nothing else of Phaseload. A page has the tables, the charts and Vega
 * itself in it.
 *
 * <p>What a CI system is told of results are {@link io.phaseload.report.TestSuites}.
 */
package io.phaseload.report;
