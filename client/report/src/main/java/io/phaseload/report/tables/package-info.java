/**
 * The results of a run as {@link io.phaseload.report.cells.Table}s. This is the first step of every rendering: a
 * column's name, unit, decimals and value are defined only here, and text, Markdown, pages, pictures and JSON are made
 * of these tables. All types are immutable or used by one thread.
 */
package io.phaseload.report.tables;
