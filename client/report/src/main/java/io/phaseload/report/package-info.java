/**
 * The pages of a run, a sweep or a comparison: charts, tables and sentences in one file that needs no network. Tables
 * come from {@link io.phaseload.report.tables}, sentences from {@link io.phaseload.report.text}. Everything is
 * immutable or used by one thread.
 *
 * <p>The charts are Vega-Lite files (folder {@code charts} of the source), which name the tables that they show, and
 * are otherwise independent of Phaseload. A page contains the tables, the charts and Vega itself.
 *
 * <p>{@link TextFiles} are the texts in results folders, {@link io.phaseload.report.junit.TestSuites} are for CI
 * systems.
 */
package io.phaseload.report;
